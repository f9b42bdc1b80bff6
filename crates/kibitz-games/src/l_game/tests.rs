use super::*;
use crate::four_by_four::images;

fn game() -> LGame {
    LGame::configure(&Params::complete(&LGame::parameters(), []).unwrap()).unwrap()
}

#[test]
fn an_l_has_48_places_and_two_have_656() {
    assert!(SHAPES.is_sorted() && SHAPES[0] > 0);
    assert!(SHAPES.iter().all(|&shape| images(shape).iter().all(|&image| shape_of(image).is_some())));
    let pairs = SHAPES.iter().flat_map(|&one| SHAPES.iter().filter(move |&&other| one & other == 0)).count();
    assert_eq!(pairs, 656);
}

#[test]
fn the_start_has_65_moves() {
    let game = game();
    assert_eq!(game.write(&game.start()), "nWW./.BW./.BW./.BBn W");
    assert_eq!(game.read("nWW./.BW./.BW./.BBn W"), Ok(game.start()));
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    assert_eq!(moves.len(), 65);
}

#[test]
fn moves_are_read_in_any_order_of_squares() {
    let game = game();
    let start = game.start();
    let mv = game.read_move(&start, "d4c4c3c2").unwrap();
    assert_eq!(game.write_move(&start, mv), "c2c3c4d4");
    let with = game.read_move(&start, "c2c3c4d4+a4-a1").unwrap();
    assert_eq!(game.write_move(&start, with), "c2c3c4d4+a4-a1");
    let mut played = start;
    game.play(&mut played, with);
    assert_eq!(game.write(&played), "..WW/.BW./.BW./nBBn B");
    for bad in
        ["c2c3c4b4", "c2c3c4", "c2c3c4d4+a4-c4", "c2c3c4d4+a1-a4", "c2c3c4d4+", "c2c3c4d9", "ääää", "c2c2c3d4", ""]
    {
        assert!(game.read_move(&start, bad).is_err(), "{bad}");
    }
    assert!(game.read_move(&start, "c2c3c4b4").unwrap_err().0.contains("c2c3c4d4"));
}

#[test]
fn whoever_cannot_move_the_l_loses() {
    let game = game();
    let over = game.read("n..n/BWW./B.W./BBW. B").unwrap();
    assert_eq!((game.turn(&over), game.score(&over, 0), game.score(&over, 1)), (Turn::Over, UNIT, -UNIT));
    assert!(game.read_move(&over, "a1a2a3b1").unwrap_err().0.contains("over"));
}

#[test]
fn a_position_needs_two_ls_and_two_neutral_pieces() {
    let game = game();
    for (text, reason) in [
        (".WW./.BW./.BW./.BBn W", "2 neutral"),
        ("nWWW/.B../.BW./.BBn W", "White are no L"),
        ("nWW./.BW./.BW./.B.n W", "Black are no L"),
        ("nWW./.BW./.BW./.BBn", "is missing"),
    ] {
        let bad = game.read(text).unwrap_err();
        assert!(bad.0.contains(reason), "{text}: {bad}");
    }
}

#[test]
fn the_evaluation_counts_places() {
    let game = game();
    // both have five places at the start, which looks the same from both sides
    assert_eq!(game.evaluate(&game.start(), 0), 0);
    let mut played = game.start();
    game.play(&mut played, game.read_move(&game.start(), "c2c3c4d4+a4-a1").unwrap());
    let count = |player: usize| fitting(played.ls[player], played.ls[1 - player] | played.neutral).count() as Score;
    assert_eq!(game.evaluate(&played, 1), 100 * (count(1) - count(0)));
}
