use kibitz_game::{Params, Random, Value};

use super::*;
use crate::trees_of_many::{best_reply, paranoid};

fn game(given: &[(&str, &str)]) -> Focus {
    configured(given).unwrap()
}

fn configured(given: &[(&str, &str)]) -> Result<Focus, BadParameter> {
    let value = |text: &str| text.parse().map(Value::Integer).unwrap_or(Value::Word(text.into()));
    let given = given.iter().map(|&(name, text)| (name.to_owned(), value(text)));
    Focus::configure(&Params::complete(&Focus::parameters(), given)?)
}

fn listed(game: &Focus, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// The position after a move.
fn after(game: &Focus, position: &Position, mv: &str) -> Position {
    let mut child = *position;
    game.play(&mut child, game.read_move(position, mv).unwrap());
    child
}

/// A board with the row of `a5` to `h5` and nothing else.
fn row(squares: &str, rest: &str) -> String {
    format!("..../....../......../{squares}/......../......../....../.... {rest}")
}

#[test]
fn a_capture_and_a_split_go_as_in_the_paper() {
    let game = game(&[("players", "4"), ("plies", "0")]);
    let position = game.read(&row("(YRGGB)..(RYG)....", "0:0,0,0 0:0,0,0 0:0,0,0 0:0,0,0 B")).unwrap();
    let end = after(&game, &position, "a5E3");
    assert_eq!(
        game.write(&end),
        row("(YR)..(YGGGB)....", "0:0,0,0 0:0,0,0 0:1,0,0 0:0,0,0 R"),
        "Y and G have no stack"
    );
}

#[test]
fn own_pieces_come_back_from_the_bottom() {
    let game = game(&[("players", "3"), ("plies", "0")]);
    let position = game.read(&row("R.B(BBRGB)....", "0:0,0 0:0,0 0:0,0 B")).unwrap();
    let end = after(&game, &position, "c5E1");
    assert_eq!(game.write(&end), row("R..(BRGBB)....", "0:0,0 0:0,0 1:0,0 R"));
    // and may be placed on a full stack, which takes its bottom piece off by the same rule
    let mut blue = end;
    assert!(game.give_turn(&mut blue, 2));
    let placed = after(&game, &blue, "*d5");
    assert_eq!(game.write(&placed), row("R..(RGBBB)....", "0:0,0 0:0,0 1:0,0 R"));
    let empty = after(&game, &blue, "*h5");
    assert_eq!(game.write(&empty), row("R..(BRGBB)...B", "0:0,0 0:0,0 0:0,0 R"));
}

#[test]
fn moves_have_the_names_of_their_squares() {
    let game = game(&[("plies", "0")]);
    let position = game.read("..../R...../......../...(GGGGR).../......../......../....../...G 0:0 0:0 R").unwrap_err();
    assert!(position.0.contains("row 4 from the top has 8 squares, not 7"), "{position}");
    let position = game.read("..../R...../......../...(GGGGR)..../......../......../....../...G 0:0 0:0 R").unwrap();
    let names: Vec<String> = listed(&game, &position).iter().map(|&mv| game.write_move(&position, mv)).collect();
    assert_eq!(names[..2], ["b7E1", "b7S1"], "north and west of it are cut off");
    assert_eq!(names[2..].len(), 14);
    assert!(names[2..].iter().all(|name| name.starts_with("d5")));
    assert_eq!(names[13..], ["d5W3", "d5E4", "d5S4"]);
}

#[test]
fn the_start_has_the_mobility_of_another_program() {
    for (players, expected) in [("2", vec![68, 68]), ("3", vec![44, 46, 46]), ("4", vec![44, 44, 44, 44])] {
        let game = game(&[("players", players)]);
        for (player, count) in expected.into_iter().enumerate() {
            let mut position = game.start();
            assert!(game.give_turn(&mut position, player));
            assert_eq!(listed(&game, &position).len(), count);
            assert_eq!(position.need[player], 6);
        }
    }
}

#[test]
fn searches_of_fixed_depth_have_the_values_and_leaves_of_another_program() {
    for (players, others, replies) in [
        ("2", vec![(3, 68), (-3, 4_460), (8, 299_912)], vec![(3, 68), (-3, 4_460), (8, 299_912)]),
        (
            "3",
            vec![(5_991, 44), (5_988, 1_968), (5_980, 85_686), (5_988, 3_725_233)],
            vec![(5_991, 44), (5_985, 3_936), (5_996, 176_100), (5_980, 15_411_496)],
        ),
        (
            "4",
            vec![(11_977, 44), (11_974, 1_897), (11_966, 81_162), (11_951, 3_395_348)],
            vec![(11_977, 44), (11_969, 5_714), (11_982, 255_357)],
        ),
    ] {
        let game = game(&[("players", players)]);
        for (depth, expected) in (1..).zip(others) {
            assert_eq!(paranoid(&game, &game.start(), 0, depth), expected, "{players} players, depth {depth}");
        }
        for (depth, expected) in (1..).zip(replies) {
            assert_eq!(best_reply(&game, &game.start(), 0, depth), expected, "{players} players, depth {depth}");
        }
    }
}

#[test]
fn pieces_are_never_lost_and_needs_never_grow() {
    for (given, pieces) in [
        (vec![("players", "2")], 36),
        (vec![("players", "3")], 36),
        (vec![("players", "3"), ("setup", "reserve")], 39),
        (vec![("players", "4"), ("rule", "long"), ("plies", "2000")], 52),
    ] {
        let game = game(&given);
        for seed in 0..20 {
            let (mut random, mut position) = (Random::new(seed), game.start());
            while game.turn(&position) != Turn::Over {
                let before = position;
                let moves = listed(&game, &position);
                // large moves, which capture, every second time
                let large = moves.iter().copied().max_by_key(|&mv| game.hint(&position, mv));
                let mv = large.filter(|_| random.below(2) == 0).unwrap_or(moves[random.below(moves.len())]);
                game.play(&mut position, mv);
                let captured: u32 = game.progress(&position).unwrap();
                let reserve: u32 = position.reserve.iter().map(|&count| u32::from(count)).sum();
                let on_board: u32 = position.stacks.iter().map(|&stack| stacks::height(stack)).sum();
                assert_eq!(captured + reserve + on_board, pieces);
                assert!(position.stacks.iter().all(|&stack| stacks::height(stack) <= 5));
                assert!((0..4).all(|player| position.need[player] <= before.need[player]));
                let anew = game.laid_out(&position.stacks, position.reserve, position.captured);
                let kept = (position.key, position.heights, position.tops, position.need);
                assert_eq!((anew.key, anew.heights, anew.tops, anew.need), kept);
            }
        }
    }
}

#[test]
fn captures_win_the_short_game() {
    // red moves onto a full stack and captures a green piece at its bottom
    for (players, before, won) in [
        ("2", "0:5 0:0 R", true),
        ("2", "0:4 0:0 R", false),
        ("3", "0:9,0 0:0,0 0:0,0 R", true),
        ("3", "0:2,3 0:0,0 0:0,0 R", true),
        ("3", "0:2,2 0:0,0 0:0,0 R", false),
        ("3", "0:6,2 0:0,0 0:0,0 R", false),
        ("4", "0:1,2,2 0:0,0,0 0:0,0,0 0:0,0,0 R", true),
        ("4", "0:1,2,1 0:0,0,0 0:0,0,0 0:0,0,0 R", false),
        ("4", "0:2,1,6 0:0,0,0 0:0,0,0 0:0,0,0 R", true),
    ] {
        for rule in ["short", "long"] {
            let game = game(&[("players", players), ("rule", rule), ("plies", "0")]);
            let position = game.read(&row("R(GRRRR)..G...", before)).unwrap();
            let end = after(&game, &position, "a5E1");
            assert_eq!(game.turn(&end) == Turn::Over, won && rule == "short", "{players} players, {before}");
            if won && rule == "short" {
                assert_eq!((game.score(&end, 0), game.score(&end, 1)), (WIN, -WIN));
                assert_eq!(game.read(&game.write(&end)), Ok(end));
            }
        }
    }
}

#[test]
fn who_cannot_move_is_passed_over_and_the_last_who_can_wins() {
    let game = game(&[("players", "3"), ("rule", "long"), ("plies", "0")]);
    let position = game.read(&row("R(GR)..B..(GB)", "0:0,0 0:0,0 0:0,0 R")).unwrap();
    let next = after(&game, &position, "a5E1");
    assert_eq!(game.turn(&next), Turn::Player(2), "green has no stack");
    let mut green = next;
    assert!(!game.give_turn(&mut green, 1) && green == next);
    // the top of the last stack goes, and green is back
    assert_eq!(game.turn(&after(&game, &next, "h5W1")), Turn::Player(0));
    let mut alone = game.read(&row("R(BB).....", "0:0,0 0:0,0 0:0,0 R")).unwrap_err();
    assert!(alone.0.contains("not 7"), "{alone}");
    let position = game.read(&row("RB......", "0:0,0 0:0,0 0:0,0 R")).unwrap();
    let end = after(&game, &position, "a5E1");
    assert_eq!((game.turn(&end), game.score(&end, 0), game.score(&end, 2)), (Turn::Over, WIN, -WIN));
    assert_eq!(game.read(&game.write(&end)), Ok(end));
    alone = game.read(&row("........", "0:0,0 0:0,0 0:0,0 R")).unwrap_err();
    assert!(alone.0.contains("nobody"), "{alone}");
}

#[test]
fn a_game_of_three_hundred_moves_is_a_draw_that_all_share() {
    for (players, share) in [("2", 0), ("3", -WIN / 3), ("4", -WIN / 2)] {
        let game = game(&[("players", players)]);
        let start = game.write(&game.start());
        let mut position =
            game.read(start.strip_suffix(" 0").map(|text| format!("{text} 299")).unwrap().as_str()).unwrap();
        let mv = listed(&game, &position)[0];
        game.play(&mut position, mv);
        assert_eq!((game.turn(&position), position.plies), (Turn::Over, 300));
        assert!((0..game.players).all(|player| game.score(&position, player) == share));
    }
}

#[test]
fn set_ups_have_their_pieces_and_four_players_see_the_same() {
    let count = |game: &Focus| {
        let pieces = game.start.stacks.iter().map(|&stack| stacks::count(stack).pieces).sum::<u32>();
        pieces.to_le_bytes()
    };
    assert_eq!(count(&game(&[])), [18, 18, 0, 0]);
    assert_eq!(count(&game(&[("players", "3")])), [12, 12, 12, 0]);
    let four = game(&[("players", "4")]);
    assert_eq!(count(&four), [13; 4]);
    // a quarter turn takes red to yellow, yellow to blue, blue to green and green to red
    let turned = |colour: usize| [3, 0, 1, 2][colour];
    for square in BOARD.squares().map(|square| square as usize) {
        let (row, column) = (square / 8, square % 8);
        let to = 8 * column + (7 - row);
        assert_eq!(stacks::top(four.start.stacks[to]), turned(stacks::top(four.start.stacks[square])), "{square}");
    }
    let bad = configured(&[("setup", "reserve")]).unwrap_err().0;
    assert!(bad.contains("2 players"), "{bad}");
    let reserve = game(&[("players", "3"), ("setup", "reserve")]);
    assert_eq!(listed(&reserve, &reserve.start()).len(), 44 + 52);
}

#[test]
fn the_greatest_hints_are_of_moves_with_most_pieces_that_spread() {
    let game = game(&[("players", "3")]);
    for seed in 0..30 {
        let mut position = game.start();
        game.playout(&mut position, &mut Random::new(seed), &mut Vec::new(), 60);
        if game.turn(&position) == Turn::Over {
            continue;
        }
        let player = usize::from(position.turn);
        let keys = |mv: Move| {
            let involved = squares::pieces(mv).max(1) + stacks::height(position.stacks[squares::to(mv)]);
            let mut child = position;
            game.play(&mut child, mv);
            let more = child.tops[player].count_ones() > position.tops[player].count_ones();
            (involved.min(8), more && involved < 8)
        };
        let mut moves = listed(&game, &position);
        moves.sort_by_key(|&mv| game.hint(&position, mv));
        assert!(moves.is_sorted_by_key(|&mv| keys(mv)), "{}", game.write(&position));
        assert!(moves.iter().all(|&mv| (-7..=7).contains(&game.hint(&position, mv))));
    }
}

#[test]
fn broken_texts_are_refused_with_a_reason() {
    let game = game(&[("players", "3")]);
    let text = game.write(&game.start());
    for (from, to, reason) in [
        ("..../RR", "..../YR", "'Y' is out of place"),
        ("/.... ", "/...(R ", "stack ends"),
        ("..../RR", "..../()R", "out of place"),
        ("..../RR", "..../(RRRRRR)R", "five pieces at most"),
        ("..../RR", ".../RR", "4 squares, not 3"),
        ("..../RR", "RR../RR", "13 pieces at most"),
        ("..../RR", "RR", "8 rows"),
        (" 0:0,0 ", " 0:0 ", "2 opponents"),
        (" 0:0,0 ", " 99:0,0 ", "is not what R has"),
        (" R 0", " Y 0", "R, G, B"),
        (" R 0", " - 0", "not over"),
        (" R 0", " R 301", "up to 300"),
        (" R 0", " R 300", "over"),
        (" R 0", " R", "6 fields, not 5"),
    ] {
        let broken = text.replacen(from, to, 1);
        let bad = game.read(&broken).unwrap_err().0;
        assert!(bad.contains(reason), "{broken}: {bad}");
    }
    let bad = game.read(&row("RG......", "0:3,3 0:0,0 0:0,0 R 20")).unwrap_err().0;
    assert!(bad.contains("over"), "{bad}");
    let bad = game.read(&row("RG......", "0:3,3 0:3,3 0:0,0 - 20")).unwrap_err().0;
    assert!(bad.contains("only one player"), "{bad}");
    let bad = game.read(&row("RG......", "0:0,0 0:0,0 0:0,0 B 20")).unwrap_err().0;
    assert!(bad.contains("passed over"), "{bad}");
}
