use std::collections::BTreeSet;

use kibitz_game::{Params, Random, Value};

use super::geometry::DIRECTIONS;
use super::*;
use crate::trees_of_many::{best_reply, paranoid};

fn game(given: &[(&str, &str)]) -> ChineseCheckers {
    configured(given).unwrap()
}

fn configured(given: &[(&str, &str)]) -> Result<ChineseCheckers, BadParameter> {
    let value = |text: &str| {
        text.parse().map(Value::Integer).or_else(|_| text.parse().map(Value::Flag)).unwrap_or(Value::Word(text.into()))
    };
    let given = given.iter().map(|&(name, text)| (name.to_owned(), value(text)));
    ChineseCheckers::configure(&Params::complete(&ChineseCheckers::parameters(), given)?)
}

fn listed(game: &ChineseCheckers, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

fn after(game: &ChineseCheckers, position: &Position, mv: Move) -> Position {
    let mut child = *position;
    game.play(&mut child, mv);
    child
}

/// The moves by the words of the rules, cell by cell with a set of cells visited.
fn by_the_rules(game: &ChineseCheckers, position: &Position, everywhere: bool) -> BTreeSet<(usize, usize)> {
    let (star, player) = (&*game.star, usize::from(position.turn));
    let corner = corners(game.players)[player];
    let in_goal = |cell| star.in_corner(cell, (corner + 3) % 6);
    let hexagon = |cell| (0..6).all(|corner| !star.in_corner(cell, corner));
    let may_land = |cell: usize| everywhere || hexagon(cell) || in_goal(cell) || star.in_corner(cell, corner);
    let mut found = BTreeSet::new();
    for from in (0..star.cells.len()).filter(|&cell| game.owner(position, cell) == Some(player)) {
        let empty = |cell: usize| cell == from || game.owner(position, cell).is_none();
        let mut seen = BTreeSet::from([from]);
        let mut queue = vec![from];
        while let Some(cell) = queue.pop() {
            for direction in DIRECTIONS {
                let (over, land) = (star.away(cell, direction, 1), star.away(cell, direction, 2));
                if let (Some(over), Some(land)) = (over, land)
                    && !empty(over)
                    && empty(land)
                    && may_land(land)
                    && seen.insert(land)
                {
                    queue.push(land);
                }
            }
        }
        let steps = DIRECTIONS.iter().filter_map(|&direction| star.away(from, direction, 1));
        seen.extend(steps.filter(|&cell| empty(cell) && may_land(cell)));
        let kept = |to: usize| game.leave || !in_goal(from) || in_goal(to);
        found.extend(seen.into_iter().filter(|&to| to != from && kept(to)).map(|to| (from, to)));
    }
    found
}

#[test]
fn the_stars_have_their_cells_corners_and_neighbours() {
    for (side, cells, corner, pairs, rows) in [
        (3, 73, 6, 180, vec![1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1]),
        (4, 121, 10, 312, vec![1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]),
    ] {
        let star = Star::new(side);
        assert_eq!((star.cells.len(), star.row_lengths()), (cells, rows));
        let near = |cell| DIRECTIONS.iter().filter(|&&direction| star.away(cell, direction, 1).is_some()).count();
        assert_eq!((0..cells).map(near).sum::<usize>(), 2 * pairs);
        for each in 0..6 {
            assert_eq!((0..cells).filter(|&cell| star.in_corner(cell, each)).count(), corner);
            for cell in (0..cells).filter(|&cell| star.in_corner(cell, each)) {
                assert!(star.in_corner(star.seen_from(cell, each), 0), "everybody starts at the top of the own view");
            }
        }
    }
}

#[test]
fn moves_are_those_of_the_rules_on_random_positions() {
    for players in ["2", "3", "4", "6"] {
        for (board, area) in [("small", "rhombus"), ("small", "star"), ("full", "rhombus"), ("full", "star")] {
            for leave in ["false", "true"] {
                let game = game(&[("players", players), ("board", board), ("area", area), ("leave", leave)]);
                let (mut random, mut position) = (Random::new(3), game.start());
                for ply in 0..400 {
                    if game.turn(&position) == Turn::Over {
                        break;
                    }
                    let moves = listed(&game, &position);
                    if ply % 3 == 0 {
                        let found: BTreeSet<_> = moves.iter().map(|&mv| ends(mv)).collect();
                        assert_eq!(found.len(), moves.len());
                        assert_eq!(found, by_the_rules(&game, &position, area == "star"), "{}", game.write(&position));
                    }
                    // half of the moves by their hint, so that goals fill
                    let hinted = moves.iter().copied().max_by_key(|&mv| game.hint(&position, mv));
                    let mv = hinted.filter(|_| random.below(2) == 0).unwrap_or(moves[random.below(moves.len())]);
                    game.play(&mut position, mv);
                    for player in 0..game.players {
                        assert_eq!(position.own[player].count_ones() as usize, game.pieces);
                        assert_eq!(position.advance[player], game.advance(&position, player));
                    }
                }
            }
        }
    }
}

#[test]
fn searches_of_fixed_depth_have_the_values_and_leaves_of_another_program() {
    for (players, others, replies) in [
        ("2", vec![(1, 10), (0, 100), (1, 1_720), (0, 29_584)], vec![(1, 10), (0, 100), (1, 1_720), (0, 29_584)]),
        (
            "3",
            vec![(18, 10), (17, 100), (16, 1_000), (17, 17_200)],
            vec![(18, 10), (17, 200), (18, 3_440), (17, 93_580)],
        ),
        (
            "4",
            vec![(35, 10), (34, 101), (33, 1_010), (32, 10_201)],
            vec![(35, 10), (34, 301), (35, 5_175), (34, 192_756)],
        ),
        ("6", vec![(69, 10), (68, 101), (67, 1_020), (66, 10_301)], vec![(69, 10), (68, 502), (69, 8_630)]),
    ] {
        let game = game(&[("players", players)]);
        let moves = |(value, leaves): (Score, u64)| (value / STEP, leaves);
        for (depth, expected) in (1..).zip(others) {
            assert_eq!(moves(paranoid(&game, &game.start(), 0, depth)), expected, "{players} players, depth {depth}");
        }
        for (depth, expected) in (1..).zip(replies) {
            assert_eq!(moves(best_reply(&game, &game.start(), 0, depth)), expected, "{players} players, depth {depth}");
        }
    }
}

/// The sets of pieces after all moves of a lone player, in the words of the table.
fn alone(pieces: u64, area: u64, goal: u64, leave: bool) -> Vec<u64> {
    let after = |from: u32| {
        let to = jumps::narrow(1 << from, pieces, area);
        let to = if goal.has(from) && !leave { to & goal } else { to };
        to.squares().map(move |to| pieces & !(1 << from) | 1 << to)
    };
    pieces.squares().flat_map(after).collect()
}

#[test]
fn the_table_of_distances_agrees_with_the_moves_of_a_lone_player() {
    let views = game(&[]).views;
    let (area, goal) = (views.area as u64, views.goal as u64);
    let places: Vec<u32> = area.squares().collect();
    let mut random = Random::new(1);
    for leave in [false, true] {
        let distance = |pieces: u64| distances::moves_to_goal(leave)[distances::rank(pieces) as usize];
        for _ in 0..5_000 {
            let mut lot = places.clone();
            random.shuffle(&mut lot);
            let pieces = lot[..6].iter().fold(0, |set, &place| set | 1u64 << place);
            let after = alone(pieces, area, goal, leave).into_iter().map(distance);
            assert_eq!(after.clone().min(), Some(distance(pieces) - 1));
            // a move that can be taken back costs one move at most
            assert!(!leave || after.clone().all(|after| after <= distance(pieces) + 1));
        }
        assert_eq!(distance(goal), 0);
    }
}

/// A position of two players on the small board, from lists of cells.
fn of_cells(game: &ChineseCheckers, cells: [&[usize]; 2]) -> Position {
    let owner = |cell| cells.iter().position(|own| own.contains(&cell));
    game.laid_out(&(0..game.views.cells).map(owner).collect::<Vec<_>>())
}

#[test]
fn a_full_goal_with_one_own_piece_wins_whoever_filled_it() {
    // five pieces are B's; one more goes home and fills A's goal, in which the first cell is A's
    let filled = game(&[("plies", "0")]);
    let goal: Vec<usize> = (0..73).filter(|&cell| filled.star.in_corner(cell, 3)).collect();
    assert_eq!(goal, [67, 68, 69, 70, 71, 72]);
    let mut position = of_cells(&filled, [&[33, 34, 35, 36, 37, 67], &[39, 61, 69, 70, 71, 72]]);
    position.turn = 1;
    let mv = filled.read_move(&position, "61-68").unwrap();
    let end = after(&filled, &position, mv);
    assert_eq!((filled.turn(&end), filled.score(&end, 0), filled.score(&end, 1)), (Turn::Over, WIN, -WIN));
    assert_eq!(filled.read(&filled.write(&end)), Ok(end));
    let own = game(&[("win", "own"), ("plies", "0")]);
    assert_eq!(own.turn(&after(&own, &position, mv)), Turn::Player(0));
    // and with nothing but pieces of B the goal is B's home, as at the start
    let mut home = of_cells(&filled, [&[33, 34, 35, 36, 37, 38], &[61, 67, 69, 70, 71, 72]]);
    home.turn = 1;
    assert_eq!(filled.turn(&after(&filled, &home, mv)), Turn::Player(0));
}

#[test]
fn at_the_start_nobody_has_won_although_goals_are_full() {
    for players in ["2", "4", "6"] {
        let game = game(&[("players", players)]);
        assert_eq!(game.turn(&game.start()), Turn::Player(0));
    }
}

#[test]
fn a_piece_leaves_its_goal_only_where_the_rules_let_it() {
    for (leave, out) in [("false", false), ("true", true)] {
        let game = game(&[("players", "3"), ("leave", leave)]);
        // A has one piece in the goal and the others on their way
        let owners: Vec<Option<usize>> = (0..73)
            .map(|cell| match cell {
                30..=34 | 67 => Some(0),
                cell => game.owner(&game.start(), cell).filter(|&owner| owner > 0),
            })
            .collect();
        let position = game.laid_out(&owners);
        let moves: Vec<_> = listed(&game, &position).into_iter().map(ends).filter(|&(from, _)| from == 67).collect();
        let stays = |to: usize| game.star.in_corner(to, 3);
        assert!(moves.iter().any(|&(_, to)| stays(to)));
        assert_eq!(moves.iter().any(|&(_, to)| !stays(to)), out, "{moves:?}");
    }
}

#[test]
fn who_cannot_move_passes_and_gets_no_turn_from_others() {
    let game = game(&[("plies", "0")]);
    // no set of six pieces is stuck on its own, so one that has none stands for it
    let position = of_cells(&game, [&[], &[67, 68, 69, 70, 71, 72]]);
    assert_eq!(listed(&game, &position), [PASS]);
    assert_eq!(game.write_move(&position, PASS), "pass");
    assert_eq!(game.random_move(&position, &mut Random::new(1), &mut Vec::new()), PASS);
    let next = after(&game, &position, PASS);
    assert_eq!((game.turn(&next), next.own), (Turn::Player(1), position.own));
    let mut other = next;
    assert!(!game.give_turn(&mut other, 0));
    assert_eq!(other, next);
}

#[test]
fn a_draw_is_shared_by_all() {
    for (players, share) in [("2", 0), ("3", -WIN / 3), ("4", -WIN / 2), ("6", -2 * WIN / 3)] {
        let game = game(&[("players", players), ("plies", "2")]);
        let mut position = game.start();
        for _ in 0..2 {
            let mv = listed(&game, &position)[0];
            game.play(&mut position, mv);
        }
        assert_eq!(game.turn(&position), Turn::Over);
        assert!((0..game.players).all(|player| game.score(&position, player) == share));
    }
}

#[test]
fn moves_with_a_greater_hint_go_more_rows_on_the_small_board() {
    let game = game(&[("players", "6"), ("plies", "0")]);
    for seed in 0..30 {
        let mut position = game.start();
        game.playout(&mut position, &mut Random::new(seed), &mut Vec::new(), 60);
        if game.turn(&position) == Turn::Over {
            continue;
        }
        let rows = &game.views.rows[usize::from(position.turn)];
        let gone = |mv: Move| i32::from(rows[ends(mv).1]) - i32::from(rows[ends(mv).0]);
        let mut moves = listed(&game, &position);
        moves.sort_by_key(|&mv| game.hint(&position, mv));
        assert!(moves.is_sorted_by_key(|&mv| gone(mv)));
        assert!(moves.iter().all(|&mv| (gone(mv) > 0) == (game.hint(&position, mv) > 0)));
    }
}

#[test]
fn on_large_boards_rows_are_counted() {
    let game = game(&[("board", "full"), ("players", "3")]);
    let start = game.start();
    assert_eq!((game.own_value(&start, 1), game.evaluate(&start, 1)), (-120 * STEP, 120 * STEP));
    let forward = game.read_move(&start, "6-14").unwrap();
    assert_eq!(game.own_value(&after(&game, &start, forward), 0), -119 * STEP);
}

#[test]
fn broken_texts_and_parameters_are_refused_with_a_reason() {
    let five = configured(&[("players", "5")]).unwrap_err().0;
    assert!(five.contains("not 5"), "{five}");
    let game = game(&[("players", "3")]);
    let text = game.write(&game.start());
    for (from, to, reason) in [
        ("A/AA", "A/A.", "A has 6 pieces"),
        ("A/AA", "A/AAA", "rows of 1, 2, 3"),
        ("A/AA", "A/AD", "'D' is not a cell"),
        (" A 0", " D 0", "A to C"),
        (" A 0", " - 0", "not over"),
        (" A 0", " A", "three fields"),
        (" A 0", " A 1001", "up to 1000"),
        (" A 0", " A 1000", "over"),
    ] {
        let bad = game.read(&text.replacen(from, to, 1)).unwrap_err().0;
        assert!(bad.contains(reason), "{to}: {bad}");
    }
    // a piece of A on a cell that only others can reach
    let outside = text.replacen("A/", "./", 1).replacen("........../", "A........./", 1);
    let bad = game.read(&outside).unwrap_err().0;
    assert!(bad.contains("outside of its rhombus"), "{bad}");
}
