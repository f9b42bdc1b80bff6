//! Fanorona against its sources: the examples of Schadd's thesis (2011), and counts of a program written apart.

use std::collections::HashSet;

use kibitz_game::{Draw, Playout, Repetition, Value, Wide};

use super::*;

fn fanorona<B: Bits>(given: &[(&str, Value)]) -> Result<Fanorona<B>, BadParameter> {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    Fanorona::configure(&Params::complete(&Fanorona::<B>::parameters(), given)?)
}

fn board(rows: i64, cols: i64) -> Fanorona {
    fanorona(&[("rows", Value::Integer(rows)), ("cols", Value::Integer(cols))]).unwrap()
}

fn with(name: &str, value: Value) -> Fanorona {
    fanorona(&[(name, value)]).unwrap()
}

fn word(text: &str) -> Value {
    Value::Word(text.to_owned())
}

fn moves<B: Bits>(game: &Fanorona<B>, position: &Position<B>) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| game.write_move(position, mv)).collect();
    texts.sort();
    texts
}

fn after<B: Bits>(game: &Fanorona<B>, position: &Position<B>, text: &str) -> Position<B> {
    let mut position = *position;
    let mv = game.read_move(&position, text).unwrap_or_else(|bad| panic!("{bad}"));
    game.play(&mut position, mv);
    position
}

/// The points of the enemy pieces that a move takes.
fn taken(game: &Fanorona, position: &Position, text: &str) -> Vec<String> {
    let left = after(game, position, text).own();
    (position.other & !left).squares().map(|point| game.name(point as usize)).collect()
}

fn why_not(game: &Fanorona, position: &Position, text: &str) -> String {
    game.read_move(position, text).unwrap_err().0
}

#[test]
fn white_has_five_first_moves_and_none_goes_on() {
    let game = board(5, 9);
    let start = game.start();
    assert_eq!(moves(&game, &start), ["d2-e3A", "d3-e3A", "d3-e3W", "e2-e3A", "f2-e3A"]);
    let captures = [
        ("d2-e3A", vec!["f4", "g5"]),
        ("e2-e3A", vec!["e4", "e5"]),
        ("f2-e3A", vec!["d4", "c5"]),
        ("d3-e3A", vec!["f3"]),
        ("d3-e3W", vec!["c3"]),
    ];
    for (mv, pieces) in captures {
        assert_eq!(taken(&game, &start, mv), pieces, "{mv}");
    }
}

#[test]
fn the_boards_of_the_thesis_begin_as_it_says() {
    let starts = [
        (3, 3, "bbb/b.w/www w"),
        (5, 5, "bbbbb/bbbbb/bw.bw/wwwww/wwwww w"),
        (3, 7, "bbbbbbb/bwb.wbw/wwwwwww w"),
        (7, 5, "bbbbb/bbbbb/bbbbb/bw.bw/wwwww/wwwww/wwwww w"),
        (9, 3, "bbb/bbb/bbb/bbb/b.w/www/www/www/www w"),
        (5, 9, "bbbbbbbbb/bbbbbbbbb/bwbw.bwbw/wwwwwwwww/wwwwwwwww w"),
    ];
    for (rows, cols, text) in starts {
        let game = board(rows, cols);
        assert_eq!(game.write(&game.start()), text);
        let [white, black] = game.start().pieces();
        assert_eq!(white.count(), black.count());
    }
}

/// The position of figure 4.3, with the pieces that the text of the thesis mentions.
const FIGURE: &str = "........./..b..wbwb/........./.w.bb.b../......... w";

#[test]
fn the_example_of_the_thesis_has_these_seven_moves() {
    let game = board(5, 9);
    let position = game.read(FIGURE).unwrap();
    let all =
        ["b2-c2A", "b2-c2A-c3A", "f4-e3A", "f4-e3A-e4W", "f4-e3A-e4W-d4A", "f4-e4W", "f4-e4W-e3A"].map(str::to_owned);
    assert_eq!(moves(&game, &position), all);
    let captures = [
        ("b2-c2A", vec!["d2", "e2"]),
        ("b2-c2A-c3A", vec!["d2", "e2", "c4"]),
        ("f4-e4W", vec!["g4"]),
        ("f4-e4W-e3A", vec!["e2", "g4"]),
        ("f4-e3A", vec!["d2"]),
        ("f4-e3A-e4W", vec!["d2", "e2"]),
        ("f4-e3A-e4W-d4A", vec!["d2", "e2", "c4"]),
    ];
    for (mv, pieces) in captures {
        assert_eq!(taken(&game, &position, mv), pieces, "{mv}");
        let shown = game.svg_of_move(&position, game.read_move(&position, mv).unwrap()).unwrap();
        // captured pieces are pointed out by larger circles
        assert_eq!(shown.matches("r=\"21\"").count(), pieces.len(), "{mv}");
    }
}

#[test]
fn an_illegal_move_is_told_why() {
    let game = board(5, 9);
    let position = game.read(FIGURE).unwrap();
    let reasons = [
        ("f4-e4W-d4A", "in the direction of the step before"),
        ("f4-e4W-e3A-f4W", "has been on f4"),
        ("f4-e4W-f4A", "has been on f4"),
        ("b2-c3A", "captures nothing by approach"),
        ("b2-a3W", "captures nothing by withdrawal"),
        ("b2-b1", "must capture"),
        ("b2-c2A-c1", "every step of a chain captures"),
        ("b2-c2", "must capture"),
        ("e2-e3", "no piece of the side to move stands on e2"),
        ("f4-g4A", "g4 is not empty"),
        ("f4-f2A", "no line joins f4 and f2"),
        ("b2-j9A", "not a square of this board"),
        ("b2", "write moves as"),
        ("", "not a square"),
        ("b2-c2A-", "not a square"),
        ("b2-c2AA", "not a square"),
    ];
    for (mv, reason) in reasons {
        let told = why_not(&game, &position, mv);
        assert!(told.contains(reason), "{told}");
    }
    let weak = game.read("........./........./.....b.../...w...../....b.... w").unwrap();
    assert!(why_not(&game, &weak, "d2-e3A").contains("captures nothing"));
    let quiet = game.read("........b/........./........./...w...../......... w").unwrap();
    assert!(why_not(&game, &quiet, "d2-e2-f2").contains("ends the move"));
    assert!(why_not(&game, &quiet, "e2-d3").contains("no piece"));
    // d2 is strong and d3 weak
    assert_eq!(moves(&game, &quiet), ["d2-c1", "d2-c2", "d2-c3", "d2-d1", "d2-d3", "d2-e1", "d2-e2", "d2-e3"]);
    assert_eq!(moves(&game, &after(&game, &quiet, "d2-d3")).len(), 3);
}

#[test]
fn the_line_of_the_three_by_three_game_is_legal_and_wins() {
    let game = board(3, 3);
    let mut position = game.start();
    let line =
        ["c1-b2A", "a2-a3W", "c2-c1W", "a3-a2", "b2-c2W", "b3-b2A", "c1-b1", "b2-a2W", "b1-b2", "a2-a3", "b2-c1W"];
    for (ply, mv) in line.into_iter().enumerate() {
        let legal = moves(&game, &position);
        match ply {
            // forced, says the thesis
            1 => assert_eq!(legal, ["a2-a3W"]),
            4 => assert_eq!(legal, ["b2-c2W"]),
            3 => {
                assert_eq!(legal, ["a3-a2", "b3-c3"]);
                let refuted = after(&game, &after(&game, &position, "b3-c3"), "b2-a1W-a2A");
                assert_eq!((game.turn(&refuted), game.score(&refuted, 0)), (Turn::Over, UNIT));
            }
            5 => assert_eq!(legal, ["b3-b2A", "b3-b2A-a2W", "b3-b2A-a3W"]),
            _ => {}
        }
        position = after(&game, &position, mv);
    }
    assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, UNIT));
}

#[test]
fn the_three_by_three_game_has_682_positions_but_for_colours() {
    let game = board(3, 3);
    let (mut seen, mut queue) = (HashSet::new(), vec![game.start()]);
    let mut children = Vec::new();
    while let Some(position) = queue.pop() {
        if seen.insert((position.own(), position.other)) && game.turn(&position) != Turn::Over {
            game.successors(&position, &mut children, &mut Vec::new());
            queue.append(&mut children);
        }
    }
    assert_eq!(seen.len(), 682);
}

#[test]
fn a_player_without_a_move_loses_or_draws_as_the_rules_are_set() {
    let text = "bbb/bb./wb. w";
    for (stalemate, score) in [("loss", -UNIT), ("draw", 0)] {
        let sizes = [("rows", Value::Integer(3)), ("cols", Value::Integer(3))];
        let given = [sizes[0].clone(), sizes[1].clone(), ("stalemate", word(stalemate))];
        let game: Fanorona = fanorona(&given).unwrap();
        let position = game.read(text).unwrap();
        assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, score));
        let captured = game.read("bbb/bb./.b. w").unwrap();
        assert_eq!((game.turn(&captured), game.score(&captured, 0)), (Turn::Over, -UNIT), "{stalemate}");
    }
}

#[test]
fn a_chain_may_return_to_its_start_only_where_the_rules_are_set_so() {
    assert!(!moves(&board(5, 9), &board(5, 9).start()).contains(&"d3-e3W-d3W".to_owned()));
    let returning = with("returns", Value::Flag(true));
    let start = returning.start();
    let all = ["d2-e3A", "d3-e3A", "d3-e3A-d3A", "d3-e3W", "d3-e3W-d3W", "e2-e3A", "f2-e3A"];
    assert_eq!(moves(&returning, &start), all);
    let back = after(&returning, &start, "d3-e3W-d3W");
    assert_eq!(back.other, start.own());
    assert_eq!((start.other & !back.own()).count(), 2);
}

#[test]
fn the_centre_or_the_corners_are_strong() {
    let diagonal = |game: &Fanorona, text: &str| {
        let position = game.read(text).unwrap();
        moves(game, &position).len()
    };
    let (corners, centre) =
        (board(5, 7), fanorona(&[("cols", Value::Integer(7)), ("strong", word("centre"))]).unwrap());
    let in_the_middle = "......b/......./...w.../......./....... w";
    let in_the_corner = "......b/......./......./......./w...... w";
    assert_eq!((diagonal(&corners, in_the_middle), diagonal(&corners, in_the_corner)), (4, 3));
    assert_eq!((diagonal(&centre, in_the_middle), diagonal(&centre, in_the_corner)), (8, 2));
    // on 5 by 9 they are the same points
    let same = with("strong", word("centre"));
    assert_eq!(moves(&same, &same.start()), moves(&board(5, 9), &same.start()));
}

#[test]
fn repetition_draws_at_the_number_set() {
    let (second, third) = (board(5, 9), with("repetition", Value::Integer(3)));
    let times = |game: &Fanorona| [1, 2, 3].map(|times| game.repeated(&game.start(), times, 0));
    assert_eq!(times(&second), [None, Some(0), Some(0)]);
    assert_eq!(times(&third), [None, None, Some(0)]);
}

#[test]
fn the_evaluation_counts_pieces_steps_and_noise() {
    let text = "........b/........b/........./...w...../......... w";
    let value = |game: &Fanorona| game.evaluate(&game.read(text).unwrap(), 0);
    assert_eq!(value(&board(5, 9)), -100);
    // eight steps of the white piece, two of i5 (to h5 and h4) and two of i4 (to h4 and i3)
    assert_eq!(value(&with("evaluation", word("mobility"))), -100 + 8 - (2 + 2));
    let noisy = |seed: i64| {
        let game: Fanorona = fanorona(&[("noise", Value::Integer(50)), ("seed", Value::Integer(seed))]).unwrap();
        value(&game) + 100
    };
    let drawn: Vec<Score> = (0..2000).map(noisy).collect();
    assert!(drawn.iter().all(|added| (0..50).contains(added)));
    assert_eq!(drawn.iter().collect::<HashSet<_>>().len(), 50);
    assert_eq!(noisy(3), noisy(3));
}

#[test]
fn boards_without_a_point_in_the_middle_or_too_large_are_refused() {
    let error = |rows: i64, cols: i64| {
        let given = [("rows", Value::Integer(rows)), ("cols", Value::Integer(cols))];
        fanorona::<Wide<2>>(&given).err().map(|bad| bad.0)
    };
    assert!(error(4, 9).unwrap().contains("odd"));
    assert!(error(5, 8).unwrap().contains("odd"));
    assert!(error(13, 11).unwrap().contains("at most 127 points"));
    assert!(error(1, 9).is_some());
    assert_eq!([error(11, 11), error(41, 3), error(5, 25), error(7, 9)], [None, None, None, None]);
}

#[test]
fn broken_positions_are_told_why() {
    let game = board(3, 3);
    let reasons = [
        ("bbb/b.w/www", "the side to move"),
        ("bbb/b.w/www x", "w or b"),
        ("bbb/b.w w", "rows"),
        ("bbb/b.w/wwx w", "characters"),
        ("bbb/b.w/www w 3", "side to move"),
        ("bbb/b../... b", "over before"),
        (".../.../... w", "over before"),
    ];
    for (text, reason) in reasons {
        let told = game.read(text).unwrap_err().0;
        assert!(told.contains(reason), "{text}: {told}");
    }
}

/// A chain that is longer than a packed move has room for: it winds through a large board, one capture a step.
#[test]
fn chains_of_any_length_go_both_ways() {
    let game: Fanorona<Wide<2>> = fanorona(&[("rows", Value::Integer(11)), ("cols", Value::Integer(11))]).unwrap();
    let mut random = Random::new(3);
    let mut longest = 0;
    for _ in 0..400 {
        let mut position = game.start();
        for _ in 0..40 {
            if game.turn(&position) == Turn::Over {
                break;
            }
            let mut listed = Vec::new();
            game.moves(&position, &mut listed);
            let Some(&mv) = listed.iter().max_by_key(|&&mv| game.write_move(&position, mv).len()) else { break };
            let text = game.write_move(&position, mv);
            longest = longest.max(text.matches('-').count());
            assert_eq!(game.read_move(&position, &text), Ok(mv));
            let mv = if random.below(2) == 0 { mv } else { game.random_move(&position, &mut random, &mut Vec::new()) };
            game.play(&mut position, mv);
        }
    }
    assert!(longest > chains::LONGEST as usize, "{longest}");
}

/// Found by climbing; its chains are too many to be listed.
#[test]
fn a_position_with_too_many_chains_lists_some_of_them() {
    let game: Fanorona<Wide<2>> = fanorona(&[("rows", Value::Integer(11)), ("cols", Value::Integer(11))]).unwrap();
    let text = "ww.bbbbbb.b/bbbbwb..b../wbb.b..b.b./.bb..bbb.bb/bwbb.bbbbbb/b...bwbbb.b/bbbbb..b..b/bbbb.b...bb/\
                bb...bw.bbb/bwb..b.bb.b/bbbbb.wbbbb w";
    let position = game.read(text).unwrap();
    let (mut listed, mut successors) = (Vec::new(), Vec::new());
    game.moves(&position, &mut listed);
    game.successors(&position, &mut successors, &mut Vec::new());
    assert_eq!((listed.len(), successors.len()), (chains::MOST, chains::MOST));
    assert_eq!(game.mobility(&position, &mut Vec::new()) as usize, chains::MOST);
    for i in [0, chains::MOST / 3, chains::MOST - 1] {
        let mut child = position;
        game.play(&mut child, listed[i]);
        assert_eq!(child, successors[i]);
    }
}
