//! Rules, fixed values of plain searches, and the solution of four by four squares, against another implementation.

use std::collections::HashMap;

use super::*;
use kibitz_game::Value;

fn game(players: i64, size: i64) -> Rolit {
    let numbers =
        [("players", players), ("size", size)].map(|(name, number)| (name.to_owned(), Value::Integer(number)));
    let words = [("result", "discs"), ("evaluation", "discs")];
    let words = words.map(|(name, word)| (name.to_owned(), Value::Word(word.to_owned())));
    Rolit::configure(&Params::complete(&Rolit::parameters(), numbers.into_iter().chain(words)).unwrap()).unwrap()
}

fn plain(players: i64) -> Rolit {
    let given = [("players".to_owned(), Value::Integer(players))];
    Rolit::configure(&Params::complete(&Rolit::parameters(), given).unwrap()).unwrap()
}

fn moves(game: &Rolit, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    if game.turn(position) != Turn::Over {
        game.moves(position, &mut moves);
    }
    moves
}

fn after(game: &Rolit, position: &Position, mv: Move) -> Position {
    let mut child = *position;
    game.play(&mut child, mv);
    child
}

fn counts(game: &Rolit, position: &Position) -> Vec<Score> {
    (0..game.players).map(|player| Rolit::count(position, player)).collect()
}

/// What a search found and how many leaves the whole tree has.
#[derive(Debug, PartialEq)]
struct Searched(Score, u64);

/// All opponents against the first player.
fn paranoid(game: &Rolit, position: &Position, depth: u32) -> Searched {
    if depth == 0 {
        return Searched(game.evaluate(position, 0) / DISC, 1);
    }
    let below = moves(game, position).into_iter().map(|mv| paranoid(game, &after(game, position, mv), depth - 1));
    below.reduce(|a, b| Searched(if position.turn == 0 { a.0.max(b.0) } else { a.0.min(b.0) }, a.1 + b.1)).unwrap()
}

/// Best-reply search: only one of the opponents moves between two moves of the first player.
fn best_reply(game: &Rolit, position: &Position, depth: u32, own: bool) -> Searched {
    if depth == 0 {
        return Searched(game.evaluate(position, 0) / DISC, 1);
    }
    let movers = if own { 0..1 } else { 1..game.players };
    let below = movers.flat_map(|mover| {
        let mut given = *position;
        assert!(game.give_turn(&mut given, mover));
        let below = moves(game, &given).into_iter().map(move |mv| (given, mv));
        below.map(|(given, mv)| best_reply(game, &after(game, &given, mv), depth - 1, !own))
    });
    below.reduce(|a, b| Searched(if own { a.0.max(b.0) } else { a.0.min(b.0) }, a.1 + b.1)).unwrap()
}

/// maxⁿ to a depth; ties go to what is worst for the first player if `worst`, and then to the first move.
fn max_n(
    game: &Rolit,
    position: &Position,
    depth: u32,
    worst: bool,
    known: &mut HashMap<([u64; 4], u8), Vec<Score>>,
) -> Vec<Score> {
    if depth == 0 || game.turn(position) == Turn::Over {
        return counts(game, position);
    }
    let key = (position.colours, position.turn);
    if let Some(value) = known.get(&key) {
        return value.clone();
    }
    let mover = usize::from(position.turn);
    let mut best: Option<Vec<Score>> = None;
    for mv in moves(game, position) {
        let value = max_n(game, &after(game, position, mv), depth - 1, worst, known);
        let better = best.as_ref().is_none_or(|best| {
            value[mover] > best[mover] || worst && mover > 0 && value[mover] == best[mover] && value[0] < best[0]
        });
        if better {
            best = Some(value);
        }
    }
    let best = best.unwrap();
    known.insert(key, best.clone());
    best
}

/// The balls that a player gets if everybody else plays against it.
fn guaranteed(game: &Rolit, position: &Position, player: usize, known: &mut HashMap<([u64; 4], u8), Score>) -> Score {
    if game.turn(position) == Turn::Over {
        return Rolit::count(position, player);
    }
    let key = (position.colours, position.turn);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let below: Vec<Score> = moves(game, position)
        .into_iter()
        .map(|mv| guaranteed(game, &after(game, position, mv), player, known))
        .collect();
    let own = usize::from(position.turn) == player;
    let value = if own { below.into_iter().max() } else { below.into_iter().min() }.unwrap();
    known.insert(key, value);
    value
}

#[test]
fn red_has_three_first_moves_and_each_wipes_out_a_colour() {
    for players in 2..=4 {
        let game = plain(players);
        let start = game.start();
        let names: Vec<String> = moves(&game, &start).into_iter().map(|mv| game.write_move(&start, mv)).collect();
        assert_eq!(names, ["f5", "d3", "f3"]);
        for mv in moves(&game, &start) {
            let child = after(&game, &start, mv);
            assert_eq!(child.colours.map(u64::count_ones).iter().filter(|&&balls| balls == 0).count(), 1);
            assert_eq!(Rolit::count(&child, 0), 3);
        }
    }
}

/// The value and the leaves at each depth.
type Steps = &'static [(Score, u64)];

#[test]
fn paranoid_search_finds_the_fixed_values_in_trees_of_the_fixed_size() {
    let expected: [(i64, i64, Steps); 6] = [
        (4, 2, &[(3, 3), (2, 17), (4, 59), (0, 147), (3, 478), (-2, 1366)]),
        (4, 3, &[(2, 3), (1, 17), (-2, 76), (1, 227), (-3, 579), (-6, 1547)]),
        (4, 4, &[(1, 3), (0, 17), (-3, 76), (-6, 432), (-3, 1260), (-4, 2942)]),
        (8, 2, &[(3, 3), (2, 20), (5, 93), (4, 572), (7, 2914), (-2, 20327)]),
        (8, 3, &[(2, 3), (1, 20), (-2, 136), (1, 630), (-2, 3956), (-6, 27778)]),
        (8, 4, &[(1, 3), (0, 20), (-3, 136), (-6, 1366), (-1, 7427), (-4, 44154)]),
    ];
    for (size, players, values) in expected {
        let game = game(players, size);
        for (depth, &(value, leaves)) in (1..).zip(values) {
            assert_eq!(paranoid(&game, &game.start(), depth), Searched(value, leaves), "{size} {players} {depth}");
        }
    }
}

#[test]
fn best_reply_search_finds_the_fixed_values_in_trees_of_the_fixed_size() {
    let expected: [(i64, i64, Steps); 6] = [
        (4, 2, &[(3, 3), (2, 17), (4, 59), (0, 147), (3, 478), (-2, 1366)]),
        (4, 3, &[(2, 3), (-1, 34), (2, 119), (-1, 1161), (3, 3750), (-2, 23590)]),
        (4, 4, &[(1, 3), (-2, 51), (1, 178), (-2, 2928), (3, 9914), (-2, 125_014)]),
        (8, 2, &[(3, 3), (2, 20), (5, 93), (4, 572), (7, 2914), (-2, 20327)]),
        (8, 3, &[(2, 3), (-1, 44), (2, 207), (-2, 3795), (2, 19828)]),
        (8, 4, &[(1, 3), (-2, 64), (1, 300), (-2, 9039), (1, 47588)]),
    ];
    for (size, players, values) in expected {
        let game = game(players, size);
        for (depth, &(value, leaves)) in (1..).zip(values) {
            let found = best_reply(&game, &game.start(), depth, true);
            assert_eq!(found, Searched(value, leaves), "{size} {players} {depth}");
        }
    }
}

#[test]
fn max_n_finds_the_fixed_values() {
    let expected: [(i64, i64, [&[Score]; 6]); 4] = [
        (4, 3, [&[3, 0, 1], &[3, 1, 1], &[2, 1, 3], &[4, 1, 2], &[3, 4, 2], &[2, 4, 4]]),
        (4, 4, [&[3, 0, 1, 1], &[3, 1, 1, 1], &[2, 1, 3, 1], &[1, 1, 3, 3], &[3, 1, 2, 3], &[3, 4, 2, 1]]),
        (8, 3, [&[3, 0, 1], &[3, 1, 1], &[2, 1, 3], &[4, 1, 2], &[4, 1, 3], &[3, 6, 1]]),
        (8, 4, [&[3, 0, 1, 1], &[3, 1, 1, 1], &[2, 1, 3, 1], &[1, 1, 3, 3], &[4, 2, 1, 2], &[3, 3, 2, 2]]),
    ];
    for (size, players, values) in expected {
        let game = game(players, size);
        for (depth, value) in (1..).zip(values) {
            assert_eq!(
                max_n(&game, &game.start(), depth, true, &mut HashMap::new()),
                value,
                "{size} {players} {depth}"
            );
        }
    }
}

#[test]
fn four_by_four_squares_are_solved() {
    let expected: [(&[Score], &[Score], &[Score]); 3] = [
        (&[6, 10], &[6, 10], &[6, 10]),
        (&[3, 3, 4], &[5, 7, 4], &[3, 5, 8]),
        (&[2, 2, 1, 1], &[5, 6, 2, 3], &[3, 4, 4, 5]),
    ];
    for (players, (guarantee, first, worst)) in (2..).zip(expected) {
        let game = game(players, 4);
        let start = game.start();
        let found = (0..game.players).map(|player| guaranteed(&game, &start, player, &mut HashMap::new()));
        assert_eq!(found.collect::<Vec<_>>(), guarantee);
        assert_eq!(max_n(&game, &start, 12, false, &mut HashMap::new()), first);
        assert_eq!(max_n(&game, &start, 12, true, &mut HashMap::new()), worst);
    }
}

#[test]
fn a_game_has_sixty_moves_and_each_adds_a_ball_and_what_it_turns() {
    let mut random = Random::new(11);
    for players in 2..=4 {
        let game = plain(players);
        for _ in 0..50 {
            let mut position = game.start();
            for ply in 0..60u32 {
                assert_eq!(position.occupied().count_ones(), 4 + ply);
                assert_eq!(game.turn(&position), Turn::Player((i64::from(ply) % players) as u8));
                let mover = usize::from(position.turn);
                let mv = game.random_move(&position, &mut random, &mut Vec::new());
                let child = after(&game, &position, mv);
                let turned = (0..4).filter(|&colour| colour != mover).map(|colour| {
                    let (before, after) = (position.colours[colour], child.colours[colour]);
                    assert_eq!(after & !before, 0, "others never gain");
                    (before & !after).count_ones()
                });
                let turned: u32 = turned.sum();
                assert_eq!(child.colours[mover].count_ones(), position.colours[mover].count_ones() + 1 + turned);
                position = child;
            }
            assert_eq!(game.turn(&position), Turn::Over);
            let shares: Score = (0..game.players).map(|player| game.score(&position, player) + WIN).sum();
            assert_eq!(shares, 2 * WIN, "a win is shared out");
        }
    }
}

#[test]
fn without_a_flipping_move_a_ball_goes_beside_another_and_turns_nothing() {
    let game = plain(3);
    // Green has no ball left
    let position = game.read("......../......../......../...RRR../...BY.../......../......../........ G").unwrap();
    let child = |mv: Move| after(&game, &position, mv);
    assert_eq!(moves(&game, &position).len(), 14);
    for mv in moves(&game, &position) {
        assert_eq!(Rolit::count(&child(mv), 1), 1);
        assert_eq!(child(mv).occupied().count_ones(), 6);
    }
    // the empty squares beside others are no moves for Red, who can turn some
    let red = game.read("......../......../......../...RRR../...BY.../......../......../........ R").unwrap();
    assert!(moves(&game, &red).len() < 14);
    assert!(moves(&game, &red).iter().all(|&mv| Rolit::count(&after(&game, &red, mv), 0) > 4));
}

#[test]
fn the_greatest_number_wins_and_is_shared() {
    let game = plain(4);
    let scores = |rows: &[&str]| {
        let position = game.read(&format!("{} R", rows.join("/"))).unwrap();
        assert_eq!(game.turn(&position), Turn::Over);
        [0, 1, 2, 3].map(|player| game.score(&position, player))
    };
    let quarter = ["RRGGYYBB"; 8];
    assert_eq!(scores(&quarter), [-WIN / 2; 4]);
    let mut more = quarter;
    more[0] = "RRRGGYYB";
    assert_eq!(scores(&more), [WIN, -WIN, -WIN, -WIN]);
    more[1] = "RRGGGYBB";
    assert_eq!(scores(&more), [0, 0, -WIN, -WIN]);
    // what neutral balls have wins nothing
    let three = plain(3);
    let position = three.read(&format!("{} R", ["RGYBBBBB"; 8].join("/"))).unwrap();
    assert_eq!([0, 1, 2].map(|player| three.score(&position, player)), [-WIN / 3; 3]);
}

#[test]
fn the_turn_can_be_given_to_every_player_and_to_nobody_else() {
    let game = plain(3);
    let mut position = game.start();
    for player in [2, 0, 1, 1] {
        assert!(game.give_turn(&mut position, player));
        assert_eq!(game.turn(&position), Turn::Player(player as u8));
    }
    assert!(!game.give_turn(&mut position, 3));
    assert_eq!(game.turn(&position), Turn::Player(1));
}

#[test]
fn corners_are_tried_first_and_the_squares_beside_them_last() {
    let game = plain(3);
    let hint = |name: &str| {
        let (row, col) = text::parse_square(name, 8, 8).unwrap();
        game.hint(&game.start(), (8 * (7 - row) + col) as Move)
    };
    let order = ["a8", "c1", "a4", "d3", "b4", "a7", "g2"];
    assert!(order.windows(2).all(|two| hint(two[0]) > hint(two[1])));
}

#[test]
fn what_is_wrong_with_a_position_is_said() {
    let game = plain(3);
    let bad = |text: &str| game.read(text).unwrap_err().0;
    let start = game.write(&game.start());
    assert!(bad(&start.replace(" R", "")).contains("missing"));
    assert!(bad(&start.replace(" R", " B")).contains("one of RGY"));
    assert!(bad(&start.replace("RG", "R.")).contains("middle"));
    assert!(bad(&start.replace("RG", "RW")).contains("RGYB."));
}

#[test]
fn a_value_is_what_a_player_has_less_what_the_others_have() {
    let (game, mut random) = (plain(3), Random::new(6));
    for plies in 0..60 {
        let mut position = game.start();
        for _ in 0..plies {
            let mv = game.random_move(&position, &mut random, &mut Vec::new());
            game.play(&mut position, mv);
        }
        let own = [0, 1, 2].map(|player| game.own_value(&position, player));
        assert_eq!(game.evaluate(&position, 1), own[1] - own[0] - own[2]);
        assert!(plies < 6 || own.iter().any(|&value| value != 0), "the tables know such a position");
    }
}

/// One player looks a move ahead with the tables of patterns, two count balls; equal players would win a third each.
#[test]
fn tables_of_patterns_beat_the_number_of_balls() {
    let (patterns, discs) = (plain(3), game(3, 8));
    let mut random = Random::new(9);
    let games = 120;
    let mut wins = 0;
    for number in 0..games {
        let mut position = patterns.start();
        while patterns.turn(&position) != Turn::Over {
            let (mover, learned) = (usize::from(position.turn), usize::from(position.turn) == number % 3);
            let legal = moves(&patterns, &position);
            let value = |mv: &Move| {
                let child = after(&patterns, &position, *mv);
                if learned { patterns.evaluate(&child, mover) } else { discs.evaluate(&child, mover) }
            };
            let opening = position.occupied().count_ones() < 10;
            let mv = if opening {
                legal[random.below(legal.len())]
            } else {
                *legal.iter().max_by_key(|mv| value(mv)).unwrap()
            };
            patterns.play(&mut position, mv);
        }
        wins += usize::from(patterns.score(&position, number % 3) == WIN);
    }
    assert!(wins * 2 > games, "{wins} of {games}");
}

#[test]
fn pictures_show_balls_counts_and_what_a_move_turns() {
    let game = plain(3);
    let start = game.start();
    let board = game.board(&start);
    assert!(board.contains("  5  . . . R G . . ."));
    assert!(board.ends_with("Red 1, Green 1, Yellow 1; Red to move"));
    assert_eq!(game.svg(&start).matches("<circle").count(), 4);
    let picture = game.svg_of_move(&start, game.read_move(&start, "f5").unwrap()).unwrap();
    assert_eq!(picture.matches("h44v44h-44z").count(), 2);
}
