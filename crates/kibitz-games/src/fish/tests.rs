use kibitz_game::Value;

use super::*;

fn game(given: &[(&str, &str)]) -> Fish {
    let given = given.iter().map(|&(name, value)| {
        (name.to_owned(), value.parse().map_or_else(|_| Value::Word(value.to_owned()), Value::Integer))
    });
    Fish::configure(&Params::complete(&Fish::parameters(), given).unwrap()).unwrap()
}

/// The layout of the published counts: the fish of the tiles are 1, 2, 1, 2, 1, 3 over and over.
const FIXED: &str = "1212131/21213121/2131212/13121213/1212131/21213121/2131212/13121213";

fn fixed() -> Position {
    game(&[]).read(&format!("{FIXED} 0@0,14,30,44 0@4,18,40,58 A")).unwrap()
}

fn moves(game: &Fish, position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| game.write_move(position, mv)).collect()
}

fn play(game: &Fish, position: &mut Position, text: &str) {
    for text in text.split_whitespace() {
        let mv = game.read_move(position, text).unwrap();
        game.play(position, mv);
    }
}

/// Positions of a whole random game.
fn random_game(game: &Fish, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = vec![game.start()];
    while game.turn(&positions[positions.len() - 1]) != Turn::Over {
        let mut position = positions[positions.len() - 1];
        let mv = game.random_move(&position, &mut random, &mut Vec::new());
        game.play(&mut position, mv);
        positions.push(position);
    }
    positions
}

#[test]
fn slides_are_listed_by_penguin_then_direction_then_length() {
    let game = game(&[]);
    let count = |position: &Position| {
        let of = |at: &u8| moves(&game, position).iter().filter(|mv| mv.starts_with(&format!("{at}-"))).count();
        position.penguins[usize::from(position.turn)].iter().map(of).collect::<Vec<usize>>()
    };
    let mut position = fixed();
    assert_eq!(count(&position), [8, 14, 15, 8]);
    assert_eq!(moves(&game, &position)[..9].join(" "), "0-1 0-2 0-3 0-8 0-16 0-24 0-32 0-7 14-13");
    // a penguin keeps its place in the list wherever it goes
    play(&game, &mut position, "0-32 4-3");
    assert!(moves(&game, &position)[0].starts_with("32-"));
    let mut position = fixed();
    assert!(game.pass(&mut position));
    assert_eq!(count(&position), [10, 18, 19, 12]);
}

/// The value of the fish difference, and the leaves that fail-soft alpha-beta visits in the order of the moves.
fn alpha_beta(game: &Fish, position: &Position, depth: u32, mut alpha: Score, beta: Score) -> (Score, u64) {
    let Turn::Player(me) = game.turn(position) else { panic!("the game ends so early") };
    if depth == 0 {
        return (game.evaluate(position, usize::from(me)), 1);
    }
    let mut list = Vec::new();
    game.moves(position, &mut list);
    let (mut best, mut leaves) = (-1000, 0);
    for mv in list {
        let mut child = *position;
        game.play(&mut child, mv);
        let (value, more) = alpha_beta(game, &child, depth - 1, -beta, -alpha);
        leaves += more;
        best = best.max(-value);
        alpha = alpha.max(best);
        if best >= beta {
            break;
        }
    }
    (best, leaves)
}

#[test]
fn alpha_beta_visits_the_leaves_that_other_programs_count() {
    let game = game(&[]);
    for (depth, expected) in (1..).zip([(1, 45), (0, 102), (3, 2515), (0, 11_507), (3, 168_279)]) {
        assert_eq!(alpha_beta(&game, &fixed(), depth, -1000, 1000), expected, "depth {depth}");
    }
}

#[test]
fn a_layout_has_sixty_tiles_and_a_hundred_fish() {
    let mut layouts = std::collections::HashSet::new();
    for seed in 0..50 {
        let seed = seed.to_string();
        let start = game(&[("seed", &seed)]).start();
        let tiles_of = |fish| (0..60).filter(|&tile| start.fish_on(tile) == fish).count();
        assert_eq!([0, 1, 2, 3].map(tiles_of), [0, 30, 20, 10]);
        assert_eq!(start.fish_in(ALL), 100);
        assert!(layouts.insert(start.fish), "seed {seed} repeats a layout");
        let by_lot = game(&[("seed", &seed), ("placement", "random")]).start();
        assert_eq!((by_lot.fish, by_lot.occupied.count_ones(), by_lot.to_place), (start.fish, 8, 0));
        assert!(by_lot.occupied.squares().all(|tile| start.fish_on(tile as u8) == 1));
    }
}

#[test]
fn penguins_are_placed_in_turn_on_tiles_with_one_fish() {
    for (players, penguins) in [("2", 8), ("3", 9), ("4", 8)] {
        let game = game(&[("players", players), ("seed", "3")]);
        let mut position = game.start();
        for placed in 0..penguins {
            assert_eq!(game.turn(&position), Turn::Player((placed % game.players) as u8));
            assert_eq!(moves(&game, &position).len(), 30 - placed);
            let mv = moves(&game, &position)[0].clone();
            assert_eq!(position.fish_on(mv.parse().unwrap()), 1);
            play(&game, &mut position, &mv);
        }
        assert_eq!(game.turn(&position), Turn::Player(0));
        assert!(moves(&game, &position).iter().all(|mv| mv.contains('-')));
        assert_eq!(position.occupied.count_ones() as usize, penguins);
    }
}

#[test]
fn a_game_takes_a_tile_a_move_and_nobody_who_is_out_comes_back() {
    for players in ["2", "3", "4"] {
        for seed in 0..60 {
            let game = game(&[("players", players), ("seed", &seed.to_string()), ("placement", "random")]);
            let positions = random_game(&game, seed);
            let penguins = game.players * game.penguins;
            assert!(positions.len() <= 60 - penguins + 1);
            for pair in positions.windows(2) {
                let [before, after] = [pair[0], pair[1]];
                assert_eq!(after.all().count_ones() + 1, before.all().count_ones());
                assert_eq!(after.fish_in(ALL) + after.scores.iter().sum::<u8>(), MOST_FISH);
                assert!((0..game.players).all(|player| before.can_move(player) || !after.can_move(player)));
            }
            let end = positions[positions.len() - 1];
            assert!((0..game.players).all(|player| !end.can_move(player)));
            let all: Score = (0..game.players).map(|player| game.harvest(&end, player).0).sum();
            assert!(all <= 100);
            if game.players > 2 {
                assert_eq!((0..game.players).map(|player| game.score(&end, player)).sum::<Score>(), all);
            } else {
                assert_eq!(game.score(&end, 0), game.harvest(&end, 0).0 - game.harvest(&end, 1).0);
            }
        }
    }
}

/// A's penguins have a long way and a short one, B's none.
const SMALL: &str = "..12333/......../......./......../......./......../...11../..11....";

fn small(game: &Fish, players: &str) -> Position {
    game.read(&format!("{SMALL} {players}")).unwrap()
}

#[test]
fn a_player_who_is_out_is_passed_over() {
    let game = game(&[("players", "4")]);
    let mut position = small(&game, "10@2,48 7@55,54 0@49,6 3@4,5 A");
    assert_eq!(moves(&game, &position), ["2-3"]);
    play(&game, &mut position, "2-3");
    assert_eq!(game.turn(&position), Turn::Over);
    // 10 and 1 for the move, 2 and 1 below the penguins
    assert_eq!([0, 1, 2, 3].map(|player| game.score(&position, player)), [14, 9, 4, 9]);
    assert_eq!(game.write(&position).split(' ').next_back(), Some("-"));
    let game = self::game(&[]);
    let mut position = small_two(&game, "A");
    play(&game, &mut position, "2-3");
    assert_eq!(game.turn(&position), Turn::Player(0), "B cannot move, so A goes on");
    assert!(!game.pass(&mut position), "nobody else can move");
    assert_eq!(game.turn(&position), Turn::Player(0));
}

/// Two players; B cannot move.
fn small_two(game: &Fish, turn: &str) -> Position {
    let text = "..12111/1......./......./......1./1....../......../...11../1.11...1";
    game.read(&format!("{text} 10@2,7,28,30 7@48,49,54,55 {turn}")).unwrap()
}

#[test]
fn ties_are_shared_or_broken_by_tiles() {
    let results = |given: &[(&str, &str)], players: &str| {
        let game = game(given);
        let board = "1.1.1.1/......../......./......../......./......../......./1.1.1.1.";
        let position = game.read(&format!("{board} {players} -")).unwrap();
        (0..game.players).map(|player| game.result(f64::from(game.score(&position, player)))).collect::<Vec<f64>>()
    };
    let win = [("result", "win")];
    assert_eq!(results(&win, "9@0,2,4,6 9@52,54,56,58"), [0.0, 0.0]);
    assert_eq!(results(&win, "8@0,2,4,6 9@52,54,56,58"), [-1.0, 1.0]);
    let tiles = [("result", "win"), ("ties", "tiles")];
    assert_eq!(results(&tiles, "9+5@0,2,4,6 9+6@52,54,56,58"), [-1.0, 1.0]);
    assert_eq!(results(&tiles, "9+6@0,2,4,6 9+6@52,54,56,58"), [0.0, 0.0]);
    assert_eq!(results(&tiles, "10+4@0,2,4,6 9+9@52,54,56,58"), [1.0, -1.0]);
    let (four, third) = ("5@0,2 5@4,6 4@52,54 5@56,58", 1.0 / 3.0);
    assert_eq!(results(&[("players", "4"), ("result", "win")], four), [third, third, 0.0, third]);
    assert_eq!(results(&[("players", "4")], four), [7.0, 7.0, 6.0, 7.0]);
    let alone = Params::complete(&Fish::parameters(), [("ties".to_owned(), Value::Word("tiles".to_owned()))]).unwrap();
    assert!(Fish::configure(&alone).unwrap_err().0.contains("needs result=win"));
}

#[test]
fn a_penguin_cannot_always_walk_over_all_of_its_island() {
    let text = "213..../......../......./1.1.1.../......./......../......./1.1.1.1. 0@1,22,24,26 0@52,54,56,58 ";
    let played = game(&[]);
    let mut position = played.read(&format!("{text}A")).unwrap();
    assert_eq!(moves(&played, &position), ["1-2", "1-0"]);
    play(&played, &mut position, "1-2");
    assert_eq!((played.turn(&position), played.score(&position, 0)), (Turn::Over, 7 - 4));
    for islands in ["end", "award"] {
        let given = game(&[("islands", islands)]);
        let position = given.read(&format!("{text}-")).unwrap();
        assert_eq!((given.turn(&position), given.score(&position, 0)), (Turn::Over, 9 - 4), "{islands}");
    }
}

#[test]
fn islands_are_given_away_when_a_move_cuts_them_off() {
    let text = "......./......../......./1.1.1.../......./2131..../......./1.1.1... 0@37,22,24,26 0@39,52,54,56 B";
    for (islands, before, after) in [
        ("played", "0@37,22,24,26 0@39,52,54,56 B", "0@37,22,24,26 3@40,52,54,56 A"),
        ("end", "0@37,22,24,26 0@39,52,54,56 B", "0@37,22,24,26 3@40,52,54,56 -"),
        ("award", "3@37,x,x,x 3@39,x,x,x B", "6@x,x,x,x 7@x,x,x,x -"),
    ] {
        let game = game(&[("islands", islands)]);
        let mut position = game.read(text).unwrap();
        assert!(game.write(&position).ends_with(before), "{islands}: {}", game.write(&position));
        play(&game, &mut position, "39-40");
        assert!(game.write(&position).ends_with(after), "{islands}: {}", game.write(&position));
        if islands == "played" {
            play(&game, &mut position, "37-38");
        }
        assert_eq!(game.score(&position, 0), -1, "{islands}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let game = game(&[]);
    let players = "0@0,14,30,44 0@4,18,40,58";
    for (text, reason) in [
        (String::new(), "4 fields, not 0"),
        (format!("{FIXED} {players}"), "4 fields, not 3"),
        (format!("{} {players} A", &FIXED[1..]), "eight rows"),
        (format!("4{} {players} A", &FIXED[1..]), "'4' is not a tile"),
        (format!("3{} {players} A", &FIXED[1..]), "10 tiles with 3 fish, not 11"),
        (format!("{FIXED} {players} C"), "A to B, not \"C\""),
        (format!("{FIXED} {players} -"), "not over"),
        (format!("{FIXED} 1@0,14,30,44 0@4,18,40,58 A"), "not 101"),
        (format!("{FIXED} 0@0,14,30,60 0@4,18,40,58 A"), "no tile \"60\""),
        (format!("{FIXED} 0@0,14,30,4 0@4,18,40,58 A"), "two penguins stand on tile 4"),
        (format!("{FIXED} 0@0,14,30 0@4,18,40,58 A"), "4 penguins, not 3"),
        (format!("{FIXED} 0@0,14,30,x 0@4,18,40,58 A"), "islands=award"),
        (format!("{FIXED} 0+0@0,14,30,44 0@4,18,40,58 A"), "ties=tiles"),
        (format!("{FIXED} -1@0,14,30,44 0@4,18,40,58 A"), "not what A has taken"),
        (format!("{FIXED} 0@0,14,30,? 0@4,18,40,58 A"), "in turn"),
        (format!("{FIXED} 0@0,14,30,? 0@4,18,40,? B"), "A's turn to place"),
        (format!("{FIXED} 0@0,14,30,? 0@4,18,41,? A"), "tiles with one fish"),
    ] {
        let error = game.read(&text).unwrap_err().0;
        assert!(error.contains(reason), "{text}: {error}");
    }
    let error = small_two_error(&game);
    assert!(error.contains("B cannot move"), "{error}");
}

fn small_two_error(game: &Fish) -> String {
    let text = "..12111/1......./......./......1./1....../......../...11../1.11...1";
    game.read(&format!("{text} 10@2,7,28,30 7@48,49,54,55 B")).unwrap_err().0
}

#[test]
fn pictures_show_tiles_penguins_and_fish() {
    let game = game(&[]);
    let board = game.board(&fixed());
    assert!(board.starts_with("  0    A1   2   1   2  B1   3   1\n  7   2   1"), "{board}");
    assert!(board.ends_with("A 0, B 0; A to move"), "{board}");
    let svg = game.svg(&fixed());
    assert_eq!(svg.matches("<circle").count(), 9);
}
