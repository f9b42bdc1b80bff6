//! The rules of Crossings; positions and counts are those of King's thesis (2014) and of two programs that complete them.

use super::Rules;
use crate::phalanx::tests::{after, captures, game, placed, texts};
use kibitz_game::{Evaluate, Game, Turn};

#[test]
fn three_pieces_in_a_row_have_29_moves() {
    let game = game::<Rules>(&[]);
    let moves = texts(&game, &placed(&game, "", "D2 E2 F2", 'b'));
    assert_eq!(moves.len(), 29);
    assert!(moves.contains(&"[F2,E2,D2]-H2".to_owned()) && moves.contains(&"[D2,E2,F2]-A2".to_owned()));
}

#[test]
fn the_first_moves_are_those_of_one_and_two_pieces() {
    let game = game::<Rules>(&[]);
    let moves = texts(&game, &game.start());
    let single = moves.iter().filter(|text| !text.starts_with('[')).count();
    assert_eq!((single, moves.len() - single), (22, 38));
}

#[test]
fn captures_are_as_many_as_counted_elsewhere() {
    let game = game::<Rules>(&[]);
    assert_eq!([1, 2, 3, 4].map(|depth| captures(&game, &game.start(), depth)), [0, 0, 674, 133_064]);
}

#[test]
fn a_capture_takes_the_first_piece_alone() {
    let game = game::<Rules>(&[]);
    let position = placed(&game, "F2 G2 H2", "B2 C2 D2 E2", 'b');
    let taking: Vec<String> = texts(&game, &position).into_iter().filter(|text| text.contains('x')).collect();
    assert_eq!(taking, ["[E2,D2,C2,B2] x F2"]);
    assert_eq!(after(&game, &position, &["B2xF2"]), placed(&game, "G2 H2", "C2 D2 E2 F2", 'w'));
    assert!(game.read_move(&position, "[E2,D2,C2,B2] x [F2,G2,H2]").is_err());
}

#[test]
fn a_capture_on_the_home_row_crosses() {
    let game = game::<Rules>(&[]);
    let position = placed(&game, "D3 D4", "D1 A2", 'w');
    let end = after(&game, &position, &["[D3,D4] x D1"]);
    assert_eq!(end, placed(&game, "D2 D1", "A2", 'b'));
    // Black cannot answer
    assert_eq!(game.score(&after(&game, &end, &["A2-A3"]), 0), 10_000);
}

#[test]
fn crossed_pieces_rest_and_cannot_be_captured() {
    let game = game::<Rules>(&[]);
    let position = placed(&game, "E8 F8 G8", "D8 A2", 'w');
    assert!(texts(&game, &position).iter().all(|text| !text.contains('x')));
    // White's D1 is crossed too: what is left is A2's
    let position = placed(&game, "E8 D1", "D8 A2", 'b');
    assert!(texts(&game, &position).iter().all(|text| text.starts_with("A2-")));
}

#[test]
fn a_crossed_piece_counts_among_the_defenders() {
    let game = game::<Rules>(&[]);
    let taking = |white: &str| {
        let position = placed(&game, white, "D8 D7 A2", 'w');
        texts(&game, &position).into_iter().filter(|text| text.contains('x')).collect::<Vec<String>>()
    };
    assert!(taking("D6 D5 H1").is_empty());
    assert_eq!(taking("D6 D5 D4 H1"), ["[D6,D5,D4] x D7"]);
    // without the crossed piece two are enough
    let position = placed(&game, "D6 D5 H1", "A8 D7 A2", 'w');
    assert!(texts(&game, &position).contains(&"[D6,D5] x D7".to_owned()));
}

#[test]
fn a_crossing_has_to_be_answered_at_once() {
    let game = game::<Rules>(&[]);
    let position = placed(&game, "D2 H8", "A6 A7", 'w');
    let crossed = after(&game, &position, &["D2-D1"]);
    assert_eq!(game.turn(&crossed), Turn::Player(1));
    let answered = after(&game, &crossed, &["A7-A8"]);
    assert_eq!(game.turn(&answered), Turn::Player(0));
    let ignored = after(&game, &crossed, &["A7-B7"]);
    assert_eq!((game.turn(&ignored), game.score(&ignored, 0)), (Turn::Over, 10_000));
}

/// Figure 2.7 of the thesis, with the crossed piece on H1.
#[test]
fn nobody_can_move_and_both_have_crossed_twice() {
    let game = game::<Rules>(&[]);
    let mut position = placed(&game, "H1 H2", "A6 A7", 'b');
    for (count, mv) in [(11, "[A7,A6]-A8"), (4, "H2-G1"), (4, "A7-B8")] {
        assert_eq!(texts(&game, &position).len(), count, "before {mv}");
        position = after(&game, &position, &[mv]);
    }
    assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, 0));
}

#[test]
fn who_cannot_move_passes_and_loses_to_one_more_crossing() {
    let game = game::<Rules>(&[]);
    let position = placed(&game, "H1 D3", "A8", 'b');
    assert_eq!(texts(&game, &position), ["pass"]);
    assert!(game.read_move(&position, "A8-B8").unwrap_err().0.contains("pass"));
    let position = after(&game, &position, &["pass", "D3-D2", "pass", "D2-D1"]);
    // Black is behind and passes once more before White has won
    assert_eq!((game.turn(&position), texts(&game, &position)), (Turn::Player(1), vec!["pass".to_owned()]));
    let end = after(&game, &position, &["pass"]);
    assert_eq!((game.turn(&end), game.score(&end, 1)), (Turn::Over, -10_000));
}

#[test]
fn the_last_piece_loses_the_game() {
    let game = game::<Rules>(&[]);
    let end = after(&game, &placed(&game, "D4 D5", "D3", 'w'), &["[D4,D5] x D3"]);
    assert_eq!((game.turn(&end), game.score(&end, 0)), (Turn::Over, 10_000));
}

#[test]
fn the_start_is_worth_nothing() {
    let game = game::<Rules>(&[]);
    assert_eq!(game.evaluate(&game.start(), 0), 0);
}
