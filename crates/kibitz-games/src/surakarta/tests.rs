//! The corner cases of Surakarta.

use super::*;

fn captured(text: &str) -> Vec<String> {
    let position = Surakarta.read(text).unwrap();
    let mut found = Vec::new();
    Surakarta.noisy(&position, &mut found);
    let mut texts: Vec<String> = found.into_iter().map(|mv| Surakarta.write_move(&position, mv)).collect();
    texts.sort();
    texts
}

#[test]
fn white_begins_with_sixteen_steps() {
    let mut moves = Vec::new();
    Surakarta.moves(&Surakarta.start(), &mut moves);
    assert_eq!(moves.len(), 16);
    assert_eq!(captured(&Surakarta.write(&Surakarta.start())), [""; 0]);
}

#[test]
fn a_capture_goes_through_a_loop_and_over_empty_points_alone() {
    // from b1 around the corner to a2 and along the row to e2
    assert_eq!(captured("....../....../....../....../....b./.w.... w"), ["b1xe2"]);
    // straight along the line, without a loop, a2 captures nothing
    assert_eq!(captured("....../....../....../....../w..b../....w. w"), ["e1xd2"]);
    // pieces of its own are in the way on all sides
    assert_eq!(captured("....../....../....../....w./w...bw/.w..w. w"), [""; 0]);
    // the lines at the edge have no loop
    assert_eq!(captured("b....b/....../....../....../....../w....w w"), [""; 0]);
}

#[test]
fn the_same_piece_is_captured_once_by_two_ways() {
    // c3 lies twice on the outer circuit, as d4 does
    assert_eq!(captured("....../....../...b../..w.../....../...... w"), ["c3xd4"]);
}

#[test]
fn a_piece_may_come_through_the_point_that_it_left() {
    // b2 goes down to b1, around to a2, through b2, and along the row to the enemy on c2
    assert_eq!(captured("....../....../....../....../.wb.../...... w"), ["b2xc2"]);
}

#[test]
fn who_has_no_piece_has_lost() {
    let mut position = Surakarta.read("....../....../....../....../....b./.w.... w").unwrap();
    let mv = Surakarta.read_move(&position, "b1xe2").unwrap();
    Surakarta.play(&mut position, mv);
    assert_eq!((Surakarta.turn(&position), Surakarta.score(&position, 0)), (Turn::Over, UNIT));
}

#[test]
fn broken_positions_are_told_why() {
    let reasons = [
        ("bbbbbb/bbbbbb/b...../....../wwwwww/wwwwww w", "at most 12"),
        ("....../....../....../....../....../w..... w", "over before"),
        ("....../....../....../....../....../w..... x", "w or b"),
        ("....../....../....../....../w..... w", "rows"),
    ];
    for (text, reason) in reasons {
        let told = Surakarta.read(text).unwrap_err().0;
        assert!(told.contains(reason), "{text}: {told}");
    }
}
