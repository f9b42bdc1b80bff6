use super::*;

fn game(given: &[(&str, i64)]) -> Dao {
    let given = given.iter().map(|&(name, value)| (name.to_owned(), kibitz_game::Value::Integer(value)));
    Dao::configure(&Params::complete(&Dao::parameters(), given).unwrap()).unwrap()
}

/// The position after moves from another, all of which are legal.
fn after(game: &Dao, from: &str, moves: &str) -> Position {
    moves.split_whitespace().fold(game.read(from).unwrap(), |mut position, text| {
        let mv = game.read_move(&position, text).unwrap();
        game.play(&mut position, mv);
        position
    })
}

const START: &str = "W..B/.WB./.BW./B..W W";

#[test]
fn the_start_has_twelve_moves() {
    let game = game(&[]);
    assert_eq!(game.write(&game.start()), START);
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    assert_eq!(moves.len(), 12);
}

#[test]
fn the_shortest_game_fills_a_file_in_five_plies() {
    let game = game(&[]);
    let end = after(&game, START, "b3-a3 b2-b4 c2-a2 a1-b2 d1-a1");
    assert_eq!((game.turn(&end), game.score(&end, 0), game.score(&end, 1)), (Turn::Over, UNIT, -UNIT));
    assert_eq!(game.write(&end), "WB.B/W.B./WB../W... B");
}

/// White b1 b4 c2 c4, Black c1 d1 d2 d3: a win in 11 plies (figure 9 of the paper).
#[test]
fn the_published_line_is_legal_and_ends_with_a_square() {
    let game = game(&[]);
    let line = "c4-c3 d3-c4 b4-a4 c4-a2 b1-b4 a2-a3 a4-b3 a3-a1 c2-d3 c1-b1 d3-c4";
    let end = after(&game, ".WW./...B/..WB/.WBB W", line);
    assert_eq!((game.turn(&end), game.score(&end, 0)), (Turn::Over, UNIT));
    assert_eq!(end.pieces[0], 0x6600);
}

#[test]
fn a_piece_must_slide_as_far_as_it_goes() {
    let game = game(&[]);
    let start = game.start();
    assert!(game.read_move(&start, "a4-a2").is_ok());
    assert!(game.read_move(&start, "a4a2").is_ok());
    let bad = game.read_move(&start, "a4-a3").unwrap_err();
    assert!(bad.0.contains("not a legal move here"), "{bad}");
}

#[test]
fn every_formation_wins() {
    let game = game(&[]);
    assert_eq!(board::TARGETS.iter().collect::<std::collections::HashSet<_>>().len(), 18);
    for text in [
        "W.../W.BB/WB../W..B B", // a file
        "..../WWWW/.BB./B..B B", // a rank
        "BB../.WW./.WW./BB.. B", // a square
        "W..W/.BB./BB../W..W B", // the corners
    ] {
        let won = game.read(text).unwrap();
        assert_eq!((game.turn(&won), game.score(&won, 0)), (Turn::Over, UNIT), "{text}");
    }
    // three of a rank and a square with a hole are nothing
    let open = game.read("WWW./..B./WBB./...B B").unwrap();
    assert_eq!(game.turn(&open), Turn::Player(1));
}

#[test]
fn whoever_encloses_a_piece_in_a_corner_loses() {
    let game = game(&[]);
    let before = game.read("W..B/BB../..../.WWW B").unwrap_err();
    assert!(before.0.contains("4 pieces"));
    let end = after(&game, "W..B/BB../..../BWWW B", "d4-b4");
    assert_eq!((game.turn(&end), game.score(&end, 0)), (Turn::Over, UNIT));
    for text in ["BWB./WW../.B../..BW W", ".BWB/.BWW/..../B..W W", "B..W/..B./WWB./BW.. W", "W.../B.../.BWW/B.WB W"] {
        let over = game.read(text).unwrap();
        assert_eq!((game.turn(&over), game.score(&over, 1)), (Turn::Over, UNIT), "{text}");
    }
}

#[test]
fn if_both_have_won_the_last_to_move_has() {
    let game = game(&[]);
    for (text, winner) in [("WWWW/BBBB/..../.... W", 1), ("WWWW/BBBB/..../.... B", 0)] {
        let over = game.read(text).unwrap();
        assert_eq!((game.turn(&over), game.score(&over, winner)), (Turn::Over, UNIT), "{text}");
    }
}

#[test]
fn the_evaluation_counts_formations_with_three_of_four() {
    let plain = game(&[]);
    let at = |game: &Dao, text: &str| game.evaluate(&game.read(text).unwrap(), 0);
    assert_eq!(at(&plain, START), 0);
    // White has three of the a-file; Black three of the corners, and no three of anything else
    let text = "W..B/W.../W..W/B..B W";
    assert_eq!(board::threes(0x1118 ^ 0x0008), 1);
    let one_more = at(&plain, "W..B/W.../WB.W/.B.B W");
    assert_eq!(one_more, 100);
    assert!(plain.read(text).is_err());
    let mover = Dao { both: false, ..plain.clone() };
    let both = "W..B/WB../W..W/B..B W";
    assert_eq!(at(&plain, both), 0);
    assert_eq!(at(&mover, both), 100);
    assert_eq!(mover.evaluate(&mover.read(both).unwrap(), 1), -100);
}

#[test]
fn noise_is_drawn_by_lot_once_for_symmetric_positions() {
    let (plain, noisy, other) = (game(&[]), game(&[("noise", 50), ("seed", 1)]), game(&[("noise", 50), ("seed", 2)]));
    let text = "W..B/W.../WB.W/.B.B W";
    let mirrored = "B..W/...W/W.BW/B.B. W";
    let swapped = "B..W/B.../BW.B/.W.W B";
    let noise = |game: &Dao, text: &str| {
        let position = game.read(text).unwrap();
        let player = usize::from(position.turn);
        game.evaluate(&position, player) - plain.evaluate(&position, player)
    };
    assert_eq!(noise(&noisy, text), noise(&noisy, mirrored));
    assert_eq!(noise(&noisy, text), noise(&noisy, swapped));
    assert_ne!(noise(&noisy, text), noise(&other, text));
    let mut seen = [0u32; 101];
    for rank in 0..100_000 {
        if let Some(position) = kibitz_game::Ranked::unrank(&noisy, kibitz_game::Slice(0), rank) {
            seen[(50 + noisy.evaluate(&position, 0) - plain.evaluate(&position, 0)) as usize] += 1;
        }
    }
    let expected = f64::from(seen.iter().sum::<u32>()) / 101.0;
    assert!(seen.iter().all(|&count| (f64::from(count) / expected - 1.0).abs() < 0.35), "{seen:?}");
}

#[test]
fn repetition_draws_unless_it_is_switched_off() {
    let position = game(&[]).start();
    assert_eq!([2, 3, 4].map(|times| game(&[]).repeated(&position, times, 0)), [None, Some(0), Some(0)]);
    assert_eq!(game(&[("repetition", 0)]).repeated(&position, 1000, 0), None);
    assert_eq!(game(&[("repetition", 2)]).repeated(&position, 2, 1), Some(0));
    let one =
        Params::complete(&Dao::parameters(), [("repetition".to_owned(), kibitz_game::Value::Integer(1))]).unwrap();
    assert!(Dao::configure(&one).unwrap_err().0.contains("repetition=1"));
}

#[test]
fn bad_texts_say_what_is_wrong() {
    let game = game(&[]);
    for (text, reason) in [
        ("W..B/.WB./.BW./B..W", "W or B, is missing"),
        ("W..B/.WB./.BW./B..W X", "not \"X\""),
        ("W..B/.WB./.BW./B... W", "4 pieces"),
        ("W..B/.WB./.BW./B..n W", "'n'"),
        ("W..B/.WB./.BW. W", "3 rows"),
    ] {
        let bad = game.read(text).unwrap_err();
        assert!(bad.0.contains(reason), "{text}: {bad}");
    }
}

#[test]
fn wins_are_tried_first_and_suicides_last() {
    let game = game(&[]);
    let hint = |text: &str, mv: &str| {
        let position = game.read(text).unwrap();
        game.hint(&position, game.read_move(&position, mv).unwrap())
    };
    assert_eq!(hint("WB.B/WBB./W.../...W W", "d1-a1"), 7);
    assert_eq!(hint("W..B/BB../..../BWWW B", "d4-b4"), -7);
    assert_eq!(hint(START, "a4-a2"), 0);
}

#[test]
fn a_move_is_drawn_as_an_arrow_and_a_formation_is_marked() {
    let game = game(&[]);
    let picture = game.svg_of_move(&game.start(), game.read_move(&game.start(), "a4-a2").unwrap()).unwrap();
    assert!(picture.contains("class=\"move\"") && !picture.contains(text::colour::MARK));
    let won = game.svg(&game.read("W.../W.BB/WB../W..B B").unwrap());
    assert!(won.contains(&format!(
        "d=\"M22 22h44v44h-44zM22 66h44v44h-44zM22 110h44v44h-44zM22 154h44v44h-44z\" fill=\"{}\"",
        text::colour::MARK
    )));
}
