//! The rules of Epaminondas; positions and counts are those of King's thesis (2014) and of two programs that complete
//! them.

use super::Rules;
use crate::phalanx::tests::{after, captures, game, list, placed, texts};
use crate::phalanx::{Phalanx, Position, Rows};
use kibitz_game::{Game, Turn, Value};
use std::collections::BTreeSet;

/// Figure 2.10.
#[test]
fn three_pieces_in_a_row_have_the_thirty_moves_of_the_thesis() {
    let game = game::<Rules>(&[]);
    let mut expected = BTreeSet::new();
    for (pieces, landings) in [
        ("D2", "C1 C2 C3 D1 D3 E1 E3"),
        ("E2", "D1 E1 F1 D3 E3 F3"),
        ("F2", "E1 E3 F1 F3 G1 G2 G3"),
        ("[D2,E2]", "C2 B2"),
        ("[F2,E2]", "G2 H2"),
        ("[D2,E2,F2]", "C2 B2 A2"),
        ("[F2,E2,D2]", "G2 H2 I2"),
    ] {
        expected.extend(landings.split(' ').map(|landing| format!("{pieces}-{landing}")));
    }
    let moves = texts(&game, &placed(&game, "", "D2 E2 F2", 'b'));
    assert_eq!(moves.len(), 30);
    assert_eq!(moves.into_iter().collect::<BTreeSet<String>>(), expected);
}

#[test]
fn the_first_moves_are_those_of_one_and_two_pieces() {
    let game = game::<Rules>(&[]);
    let moves = texts(&game, &game.start());
    let single = moves.iter().filter(|text| !text.starts_with('[')).count();
    assert_eq!((single, moves.len() - single), (40, 74));
}

#[test]
fn nothing_can_be_captured_within_three_moves() {
    let game = game::<Rules>(&[]);
    assert_eq!([1, 2, 3].map(|depth| captures(&game, &game.start(), depth)), [0, 0, 0]);
}

/// Figure 2.11.
#[test]
fn a_capture_takes_the_whole_phalanx() {
    let game = game::<Rules>(&[]);
    let taking = |position: &Position<Rows>| -> Vec<String> {
        texts(&game, position).into_iter().filter(|text| text.contains('x')).collect()
    };
    let position = placed(&game, "F2 G2 H2 N9", "B2 C2 D2 E2", 'b');
    assert_eq!(taking(&position), ["[E2,D2,C2,B2] x F2"]);
    let end = placed(&game, "N9", "C2 D2 E2 F2", 'w');
    for text in ["[E2,D2,C2,B2] x F2", "[b2,c2,d2,e2]x[f2,g2,h2]", "B2xF2", "[E2,D2,C2,B2] x [H2,F2,G2]"] {
        assert_eq!(after(&game, &position, &[text]), end, "{text}");
    }
    assert!(game.read_move(&position, "[E2,D2,C2,B2] x [F2,G2]").is_err());
    // four against four
    assert!(taking(&placed(&game, "F2 G2 H2 I2", "B2 C2 D2 E2", 'b')).is_empty());
}

#[test]
fn a_piece_on_the_far_row_can_be_captured_and_can_move() {
    let game = game::<Rules>(&[]);
    let moves = texts(&game, &placed(&game, "E12 F12 G12", "D12 A2", 'w'));
    let taking: Vec<&String> = moves.iter().filter(|text| text.contains('x')).collect();
    assert_eq!(taking, ["[E12,F12] x D12", "[E12,F12,G12] x D12"]);
    let position = placed(&game, "E12 F12 G12", "D12 A2", 'b');
    assert_eq!(game.turn(&position), Turn::Over, "Black has one piece more on White's home row");
    let position = placed(&game, "E12 F12 A1", "D12 A2", 'b');
    assert!(texts(&game, &position).contains(&"D12-C12".to_owned()));
}

/// Figures 2.12 and 2.13.
#[test]
fn a_crossing_is_answered_by_a_capture_or_a_crossing() {
    let game = game::<Rules>(&[]);
    let position = placed(&game, "I1 I2 A11", "L1 M1 N1 J8 K9 L10", 'b');
    let moves = texts(&game, &position);
    assert_eq!(moves.len(), 43);
    for answer in ["[L1,M1,N1] x I1", "[L10,K9,J8]-N12", "[L10,K9]-N12"] {
        assert!(moves.contains(&answer.to_owned()), "{answer}");
        assert_eq!(game.turn(&after(&game, &position, &[answer])), Turn::Player(0));
    }
    let end = after(&game, &position, &["J8-J7"]);
    assert_eq!((game.turn(&end), game.score(&end, 0)), (Turn::Over, 10_000));
}

#[test]
fn crossing_into_a_symmetric_position_is_forbidden() {
    let with = game::<Rules>(&[]);
    let without = game::<Rules>(&[("symmetry", Value::Flag(false))]);
    let moves = |game: &Phalanx<Rules>, black: &str| texts(game, &placed(game, "G1 H2", black, 'w'));
    assert_eq!((moves(&with, "A12 N12").len(), moves(&without, "A12 N12").len()), (12, 13));
    assert!(moves(&without, "A12 N12").contains(&"H2-H1".to_owned()));
    assert!(!moves(&with, "A12 N12").contains(&"H2-H1".to_owned()));
    assert!(with.read_move(&placed(&with, "G1 H2", "A12 N12", 'w'), "H2-H1").is_err());
    assert_eq!(moves(&with, "A12 M12").len(), 13);
    // along the row, a piece is free to make the position symmetric
    assert!(texts(&with, &placed(&with, "G1 I1", "A12 N12", 'w')).contains(&"I1-H1".to_owned()));
    // captures are no exception
    let position = placed(&with, "G1 H2 H3 G2", "H1 A12 N12", 'w');
    assert!(!texts(&with, &position).contains(&"[H2,H3] x H1".to_owned()));
    assert!(texts(&without, &position).contains(&"[H2,H3] x H1".to_owned()));
}

#[test]
fn who_has_crossed_more_often_wins_before_moving() {
    let game = game::<Rules>(&[]);
    let position = placed(&game, "D1 D5", "F5 F6", 'w');
    assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, 10_000));
}

/// Whether the side to move can reach a won turn within so many turns of its own, whatever the other side does.
fn wins(game: &Phalanx<Rules>, position: &Position<Rows>, turns: u32) -> bool {
    if game.turn(position) == Turn::Over {
        return game.score(position, 0) > 0;
    }
    turns > 0 && list(game, position).into_iter().any(|mv| forces(game, position, mv, turns))
}

fn forces(game: &Phalanx<Rules>, position: &Position<Rows>, mv: crate::phalanx::Move, turns: u32) -> bool {
    let mut child = *position;
    game.play(&mut child, mv);
    if game.turn(&child) == Turn::Over {
        return game.score(&child, 0) > 0;
    }
    list(game, &child).into_iter().all(|reply| {
        let mut next = child;
        game.play(&mut next, reply);
        wins(game, &next, turns - 1)
    })
}

fn winning(game: &Phalanx<Rules>, position: &Position<Rows>, turns: u32) -> Vec<String> {
    let moves = list(game, position).into_iter().filter(|&mv| forces(game, position, mv, turns));
    moves.map(|mv| game.write_move(position, mv)).collect()
}

#[test]
fn the_first_puzzle_has_one_solution_in_three_turns() {
    let game = game::<Rules>(&[("setup", Value::Word("puzzle1".to_owned()))]);
    let start = game.start();
    assert_eq!(start, placed(&game, "H3 H4 H5", "I1 J1 K1", 'w'));
    assert_eq!(list(&game, &start).len(), 29);
    assert!(winning(&game, &start, 2).is_empty());
    for black in ["I1 J1 K1", "J1 K1 L1", "I1 J1 K1 A5"] {
        let position = placed(&game, "H3 H4 H5", black, 'w');
        assert_eq!(winning(&game, &position, 3), ["[H3,H4,H5]-H2"], "{black}");
    }
}

#[test]
fn the_second_puzzle_has_one_solution_in_two_turns() {
    let game = game::<Rules>(&[("setup", Value::Word("puzzle2".to_owned()))]);
    let start = game.start();
    assert_eq!(start, placed(&game, "B2 B3 L12 K1", "C1 D1 N12", 'w'));
    for (crossed, moves, solutions) in
        [("K1", 26, vec!["L12-M12"]), ("N1", 24, vec!["L12-M12"]), ("G1", 0, vec![]), ("H1", 0, vec![])]
    {
        let position = placed(&game, &format!("B2 B3 L12 {crossed}"), "C1 D1 N12", 'w');
        assert!(moves == 0 || list(&game, &position).len() == moves);
        assert_eq!(winning(&game, &position, 2), solutions, "{crossed}");
    }
}
