//! Rules, notation and values, most of them as counted in the specification of the game.

use std::collections::HashSet;

use super::*;

fn game() -> Backgammon {
    with(&[])
}

fn with(given: &[(&str, kibitz_game::Value)]) -> Backgammon {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    Backgammon::configure(&Params::complete(&Backgammon::parameters(), given).unwrap()).unwrap()
}

fn position(text: &str) -> Position {
    game().read(text).unwrap_or_else(|bad| panic!("{text}: {bad}"))
}

/// The texts of all moves.
fn texts(game: &Backgammon, position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.iter().map(|&mv| game.write_move(position, mv)).collect()
}

fn after(game: &Backgammon, text: &str, moves: &[&str]) -> Position {
    let mut position = game.read(text).unwrap();
    for text in moves {
        let mv = game.read_move(&position, text).unwrap_or_else(|bad| panic!("{bad}"));
        game.play(&mut position, mv);
    }
    position
}

const START: &str = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5";

/// A slow generator that shares nothing with the fast one: all orders of the dice, one checker at a time, by the words of the
/// rules; the longest plays, the higher die where only one can be played, and the positions after them.
mod slow {
    use std::collections::HashSet;

    /// Checkers of the side that moves by its points, 0 off and 25 the bar; the opponent's in the same numbering, 0 the bar.
    pub type Board = ([i32; 26], [i32; 26]);

    fn step((own, other): &Board, from: usize, die: usize) -> Option<Board> {
        if own[from] == 0 || own[25] > 0 && from != 25 {
            return None;
        }
        let (mut own, mut other) = (*own, *other);
        if from > die {
            let to = from - die;
            if other[to] >= 2 {
                return None;
            }
            if other[to] == 1 {
                other[to] = 0;
                other[0] += 1;
            }
            own[to] += 1;
        } else {
            if own[7..].iter().any(|&count| count > 0) {
                return None;
            }
            if from < die && own[from + 1..].iter().any(|&count| count > 0) {
                return None;
            }
            own[0] += 1;
        }
        own[from] -= 1;
        Some((own, other))
    }

    fn ends(board: &Board, dice: &[usize], used: &mut Vec<usize>, out: &mut Vec<(Vec<usize>, Board)>) {
        out.push((used.clone(), *board));
        if let Some((&die, rest)) = dice.split_first() {
            for from in 1..26 {
                if let Some(next) = step(board, from, die) {
                    used.push(die);
                    ends(&next, rest, used, out);
                    used.pop();
                }
            }
        }
    }

    pub fn results(board: &Board, a: usize, b: usize) -> HashSet<Board> {
        let orders = if a == b { vec![vec![a; 4]] } else { vec![vec![a, b], vec![b, a]] };
        let mut all = Vec::new();
        for dice in orders {
            ends(board, &dice, &mut Vec::new(), &mut all);
        }
        let longest = all.iter().map(|(used, _)| used.len()).max().unwrap();
        all.retain(|(used, _)| used.len() == longest);
        if longest == 1 && all.iter().any(|(used, _)| used[0] == a.max(b)) {
            all.retain(|(used, _)| used[0] == a.max(b));
        }
        all.into_iter().map(|(_, board)| board).collect()
    }
}

fn slow_board(own: Side, other: Side) -> slow::Board {
    let mut board = ([0; 26], [0; 26]);
    for place in 0..26 {
        board.0[place] = own.count(place) as i32;
        if place > 0 {
            board.1[25 - place] = other.count(place) as i32;
        }
    }
    board
}

#[test]
fn plays_are_those_of_a_generator_that_shares_nothing() {
    let (game, mut random, mut buffer) = (game(), Random::new(5), Vec::new());
    let mut doublets = 0;
    for _ in 0..12 {
        let mut position = game.start();
        while game.turn(&position) != Turn::Over {
            if let Phase::Play(high, low) = position.phase {
                let (own, other) = both(&position);
                let mut fast = Vec::new();
                plays::plays(own, other, (high, low), |_, own, other| fast.push(slow_board(own, other)));
                let slow = slow::results(&slow_board(own, other), high.into(), low.into());
                assert_eq!(fast.len(), slow.len(), "{}", game.write(&position));
                assert_eq!(fast.into_iter().collect::<HashSet<_>>(), slow, "{}", game.write(&position));
                doublets += u32::from(high == low);
            }
            let mv = match game.turn(&position) {
                Turn::Chance => game.sample(&position, &mut random, &mut buffer),
                _ => game.random_move(&position, &mut random, &mut buffer),
            };
            game.play(&mut position, mv);
        }
    }
    assert!(doublets > 60);
}

#[test]
fn corner_cases_of_the_rules() {
    let cases: [(&str, &[&str]); 7] = [
        ("10:1 / 23:2 / A 62", &["10/4"]),
        ("10:1 / 21:2 / A 62", &["10/2"]),
        ("bar:2 6:5 / 6:2 5:1 / A 65", &["bar/20*"]),
        ("bar:1 6:5 / 6:2 5:2 / A 65", &["pass"]),
        ("5:1 2:1 / 1:1 / A 61", &["5/off 2/1", "5/4/off"]),
        ("8:2 6:2 / 22:1 21:1 1:2 / A 42", &[]),
        ("bar:1 24:1 / 19:1 13:1 7:1 / A 66", &[]),
    ];
    let game = game();
    for (text, expected) in cases {
        let found = texts(&game, &position(text));
        match text {
            _ if text.ends_with("A 42") => assert_eq!(found.len(), 5, "{found:?}"),
            _ if text.ends_with("A 66") => assert_eq!(found.len(), 4, "{found:?}"),
            _ if text.ends_with("A 61") => assert_eq!(found.len(), 2, "{found:?}"),
            _ => assert_eq!(found, expected, "{text}"),
        }
    }
    let left = |mv: &str| game.write(&after(&game, "5:1 2:1 / 1:1 / A 61", &[mv]));
    assert_eq!(left("5/off 2/1"), "1:1 / 1:1 / B rolls");
}

#[test]
fn the_second_turn_has_as_many_plays_as_counted() {
    let game = game();
    let start = position(&format!("{START} / A rolls"));
    let (mut plays, mut second, mut boards) = (0, 0, HashSet::new());
    for (roll, _) in ROLLS {
        let mut thrown = start;
        game.play(&mut thrown, roll);
        let mut next = Vec::new();
        game.successors(&thrown, &mut next, &mut Vec::new());
        plays += next.len();
        for position in next {
            boards.insert(position.sides);
            for (roll, _) in ROLLS {
                let mut thrown = position;
                game.play(&mut thrown, roll);
                second += game.mobility(&thrown, &mut Vec::new());
            }
        }
    }
    assert_eq!((plays, boards.len(), second), (447, 406, 202_782));
}

#[test]
fn who_throws_higher_begins() {
    let game = game();
    assert_eq!(after(&game, &format!("{START} / start"), &["13"]), position(&format!("{START} / B 31")));
    assert_eq!(after(&game, &format!("{START} / start"), &["52"]), position(&format!("{START} / A 52")));
    assert!(game.read_move(&game.start(), "33").is_err());
}

#[test]
fn wins_count_one_two_or_three_points() {
    let scores = |game: &Backgammon, text: &str| game.score(&game.read(text).unwrap(), 0) / UNIT;
    let (plain, single) = (game(), with(&[("gammons", kibitz_game::Value::Flag(false))]));
    for (text, points) in [
        ("- / 6:14 / B rolls", 1),
        ("- / 6:15 / B rolls", 2),
        ("- / 18:1 6:14 / B rolls", 2),
        ("- / 19:1 6:14 / B rolls", 3),
        ("- / bar:1 6:14 / B rolls", 3),
        ("- / bar:1 6:13 / B rolls", 1),
        ("bar:1 6:14 / - / A rolls", -3),
    ] {
        assert_eq!(scores(&plain, text), points, "{text}");
        assert_eq!(scores(&single, text), points.signum(), "{text}");
    }
    assert_eq!(single.range(0).high, UNIT);
    assert_eq!(plain.range(0).high, 3 * UNIT);
}

#[test]
fn the_cube_is_offered_taken_dropped_and_beavered() {
    use kibitz_game::Value::{Flag, Integer};
    let game = with(&[("cube", Integer(8)), ("beavers", Flag(true)), ("jacoby", Flag(true))]);
    let begin = format!("{START} / A 31");
    let doubled = after(&game, &begin, &["8/5 6/5", "double"]);
    assert!(game.write(&doubled).ends_with("/ A doubled"));
    assert_eq!(texts(&game, &doubled), ["take", "drop", "beaver"]);
    let played = |moves: &[&str]| after(&game, &game.write(&doubled), moves);
    let taken = played(&["take"]);
    assert!(game.write(&taken).ends_with("/ B rolls / cube 2 A"));
    let dropped = played(&["drop"]);
    assert_eq!((game.turn(&dropped), game.score(&dropped, 1)), (Turn::Over, UNIT));
    let beavered = played(&["beaver"]);
    assert!(game.write(&beavered).ends_with("/ B beavered / cube 2 A"));
    assert_eq!(game.score(&played(&["beaver", "drop"]), 0), 2 * UNIT);
    assert!(game.write(&played(&["beaver", "take"])).ends_with("/ B rolls / cube 4 A"));
    // B does not own the cube, so B rolls; A may double again, up to 8
    let again = played(&["take", "31", "8/5 6/5", "double", "take"]);
    assert!(game.write(&again).ends_with("/ A rolls / cube 4 B"));
    // a gammon before the cube was turned counts one point, after it twice the cube
    let score = |text: &str| game.score(&game.read(text).unwrap(), 0) / UNIT;
    assert_eq!(score("- / 6:15 / B rolls"), 1);
    assert_eq!(score("- / 6:15 / B rolls / cube 2 A"), 4);
    assert_eq!(with(&[("cube", Integer(8))]).points(&position("- / 6:15 / B rolls"), 0), 2);
    assert!(
        Backgammon::configure(&Params::complete(&Backgammon::parameters(), [("cube".to_owned(), Integer(3))]).unwrap())
            .is_err()
    );
}

#[test]
fn a_double_is_worth_what_the_better_answer_leaves() {
    let game = with(&[("cube", kibitz_game::Value::Integer(2))]);
    let value = |text: &str| game.evaluate(&game.read(text).unwrap(), 0);
    // A wins 13 of 16: doubled, B still takes; two checkers against one in the second case are lost
    let close = ((13.0 / 16.0 * 2.0 - 1.0) * f64::from(UNIT)).round() as Score;
    assert_eq!(value("6:1 / 6:1 / A rolls"), close);
    assert_eq!(value("6:1 / 6:1 / B doubled"), UNIT);
    // twice a number that is rounded only once
    assert!((value("6:1 3:1 / 1:2 / B doubled") - 2 * value("6:1 3:1 / 1:2 / A rolls")).abs() <= 1);
}

#[test]
fn moves_are_understood_in_any_form() {
    let game = game();
    let start = position(&format!("{START} / A 31"));
    let wanted = game.read_move(&start, "8/5 6/5").unwrap();
    for text in ["6/5 8/5", "  8/5   6/5 "] {
        assert_eq!(game.read_move(&start, text), Ok(wanted), "{text}");
    }
    assert_eq!(game.read_move(&start, "24/23 23/20"), game.read_move(&start, "24/20"));
    let doublets = position(&format!("{START} / A 33"));
    assert_eq!(game.read_move(&doublets, "13/10 13/10 8/5 8/5"), game.read_move(&doublets, "13/10(2) 8/5(2)"));
    for bad in
        ["", "8/5", "8/5 6/4", "5/8 6/5", "8/5 6/5 6/5", "8", "8/", "/5", "8/5(9) 6/5", "26/25", "99999/1", "8/5*x"]
    {
        assert!(game.read_move(&start, bad).is_err(), "{bad}");
    }
    // the blot on the 18-point is hit on one way and not on the other
    let two_ways = position("24:2 6:13 / 7:1 3:14 / A 65");
    let found = texts(&game, &two_ways);
    assert!(["24/18*/13", "24/13"].iter().all(|text| found.contains(&(*text).to_owned())), "{found:?}");
    assert_ne!(game.read_move(&two_ways, "24/18* 18/13"), game.read_move(&two_ways, "24/13"));
    assert_eq!(game.read_move(&two_ways, "24/19 19/13"), game.read_move(&two_ways, "24/13"));
    let two_blots = position("24:2 6:13 / 7:1 6:1 3:13 / A 65");
    assert!(game.read_move(&two_blots, "24/13").unwrap_err().0.contains("mark what it hits"));
    // 20/14 and 22/20 are 22/14 in every order
    let taken = texts(&game, &position("22:1 20:1 / 1:15 / A 62"));
    assert!(taken.contains(&"22/14".to_owned()) && !taken.iter().any(|text| text.contains("22/20 20/14")), "{taken:?}");
}

#[test]
fn texts_that_are_no_positions_are_rejected() {
    let game = game();
    for bad in [
        "",
        "24:2",
        "24:2 / 24:2",
        "24:2 / 24:2 /",
        "24:16 / 24:2 / A rolls",
        "24:9 23:9 / 24:2 / A rolls",
        "24:2 24:2 / 24:2 / A rolls",
        "24:2 / 1:2 / A rolls",
        "25:1 / 1:2 / A rolls",
        "0:1 / 1:2 / A rolls",
        "24:+2 / 24:2 / A rolls",
        "24:2 / 24:2 / C rolls",
        "24:2 / 24:2 / A 07",
        "24:2 / 24:2 / A 17 / cube 2 A",
        "24:2 / 24:2 / A rolls / cube 2 A",
        "24:2 / 24:2 / A doubled",
        "- / - / A rolls",
        "- / 24:2 / A rolls",
        "- / 24:2 / B 31",
        "bar:2 6:2 5:2 4:2 3:2 2:2 1:2 / bar:2 6:2 5:2 4:2 3:2 2:2 1:2 / A rolls",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABM!",
        "//////////////",
        "4HPwATDgc/ABMA C rolls",
        "4HPwATDgc/ABMA:////////////",
    ] {
        assert!(game.read(bad).is_err(), "{bad}: {:?}", game.read(bad));
    }
}

#[test]
fn identifiers_of_gnu_backgammon_go_both_ways() {
    let game = with(&[("cube", kibitz_game::Value::Integer(64))]);
    let cubeless = self::game();
    assert_eq!(cubeless.read("4HPwATDgc/ABMA").unwrap(), position(&format!("{START} / A rolls")));
    assert_eq!(cubeless.read("4HPwATDgc/ABMA B 31").unwrap(), position(&format!("{START} / B 31")));
    assert_eq!(cubeless.read("4HPwATDgc/ABMA start").unwrap(), cubeless.start());
    let (mut random, mut buffer) = (Random::new(3), Vec::new());
    let mut compared = 0;
    for _ in 0..50 {
        let mut position = game.start();
        while game.turn(&position) != Turn::Over {
            let ids = identifiers(&position, false);
            let read = game.read(&ids).unwrap_or_else(|bad| panic!("{ids}: {bad}"));
            // the identifier does not say whether the player has already decided to roll, nor who has been beavered
            if !matches!(position.phase, Phase::Roll | Phase::Beavered) {
                assert_eq!(read, position, "{ids}");
                compared += 1;
            }
            let mv = match game.turn(&position) {
                Turn::Chance => game.sample(&position, &mut random, &mut buffer),
                _ => game.random_move(&position, &mut random, &mut buffer),
            };
            game.play(&mut position, mv);
        }
    }
    assert!(compared > 300);
}

#[test]
fn values_where_both_sides_are_home_are_exact() {
    let game = game();
    let value = |text: &str| f64::from(game.evaluate(&position(text), 0)) / f64::from(UNIT);
    for (text, win) in [
        ("6:1 / 6:1 / A rolls", 13.0 / 16.0),
        ("6:1 3:1 / 1:2 / A rolls", 5.0 / 18.0),
        ("1:2 / 6:1 3:1 / B rolls", 13.0 / 18.0),
        ("5:1 2:1 / 6:1 / A rolls", 209.0 / 324.0),
        ("3:1 2:1 1:1 / 3:1 2:1 1:1 / A rolls", 1_141.0 / 1_296.0),
    ] {
        assert!((value(text) - (2.0 * win - 1.0)).abs() < 2e-5, "{text}: {}", value(text));
    }
}

#[test]
fn noise_is_deterministic_and_as_large_as_asked_for() {
    let (plain, noisy) = (game(), with(&[("noise", kibitz_game::Value::Integer(30))]));
    let single = with(&[("noise", kibitz_game::Value::Integer(30)), ("gammons", kibitz_game::Value::Flag(false))]);
    let silent = with(&[("gammons", kibitz_game::Value::Flag(false))]);
    let (mut random, mut buffer) = (Random::new(1), Vec::new());
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    for _ in 0..40 {
        let mut position = plain.start();
        for _ in 0..30 {
            plain.playout(&mut position, &mut random, &mut buffer, 1);
            if plain.turn(&position) == Turn::Chance && position.phase == Phase::Roll {
                let difference = single.evaluate(&position, 0) - silent.evaluate(&position, 0);
                assert_eq!(noisy.evaluate(&position, 0), noisy.evaluate(&position, 0));
                let difference = f64::from(difference) / f64::from(2 * UNIT);
                sum += difference;
                squares += difference * difference;
                count += 1.0;
            }
        }
    }
    let (mean, deviation) = (sum / count, f64::sqrt(squares / count));
    assert!(mean.abs() < 0.006 && (deviation - 0.03).abs() < 0.006, "{mean} {deviation} of {count}");
}

#[test]
fn hits_points_and_blots_order_the_plays() {
    let game = game();
    let position = position("24:2 13:5 8:3 6:5 / 24:2 21:1 13:4 8:3 6:5 / A 42");
    let hint = |text: &str| game.hint(&position, game.read_move(&position, text).unwrap());
    // the blot on A's 4-point is hit and the point made
    assert!(hint("8/4* 6/4*") > hint("24/20 13/11"), "{} {}", hint("8/4* 6/4*"), hint("24/20 13/11"));
    assert!(hint("8/4* 6/4") >= 6);
}

#[test]
fn pictures_show_checkers_bar_and_dice() {
    let game = game();
    let board = game.board(&position("bar:1 6:9 5:5 / 24:2 13:5 8:3 6:5 / A 31"));
    assert!(board.contains(" 9 ") && board.contains("| X |") && board.ends_with("A plays 3-1"), "{board}");
    assert!(game.board(&position("- / 6:15 / B rolls")).ends_with("A has won 2 points"));
    assert!(game.svg(&game.start()).contains("both throw one die"));
}
