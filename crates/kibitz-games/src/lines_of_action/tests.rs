use kibitz_game::Value;

use super::*;

fn game(simultaneous: &str) -> LinesOfAction {
    let given = [("simultaneous".to_owned(), Value::Word(simultaneous.to_owned()))];
    LinesOfAction::configure(&Params::complete(&LinesOfAction::parameters(), given).unwrap()).unwrap()
}

fn moves(game: &LinesOfAction, position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(|mv| game.write_move(position, mv)).collect();
    texts.sort();
    texts
}

fn of(game: &LinesOfAction, position: &Position, square: &str) -> Vec<String> {
    moves(game, position).into_iter().filter(|mv| mv.starts_with(square)).collect()
}

fn after(game: &LinesOfAction, text: &str, mv: &str) -> Position {
    let mut position = game.read(text).unwrap();
    let mv = game.read_move(&position, mv).unwrap();
    game.play(&mut position, mv);
    position
}

/// Positions of random games, the last ones included.
fn random_positions(game: &LinesOfAction, games: u64) -> Vec<Position> {
    let mut all = Vec::new();
    for seed in 0..games {
        let (mut position, mut random) = (game.start(), Random::new(seed));
        while game.turn(&position) != Turn::Over {
            all.push(position);
            let mv = game.random_move(&position, &mut random, &mut Vec::new());
            game.play(&mut position, mv);
        }
    }
    all
}

#[test]
fn every_black_piece_has_three_first_moves() {
    let game = game("draw");
    let start = game.start();
    assert_eq!(moves(&game, &start).len(), 36);
    assert_eq!(of(&game, &start, "b1"), ["b1-b3", "b1-d3", "b1-h1"]);
    assert_eq!(of(&game, &start, "c1"), ["c1-c3", "c1-e3", "c1xa3"]);
    assert_eq!(of(&game, &start, "d1"), ["d1-b3", "d1-d3", "d1-f3"]);
    let captures: Vec<String> = moves(&game, &start).into_iter().filter(|mv| mv.contains('x')).collect();
    assert_eq!(captures, ["c1xa3", "c8xa6", "f1xh3", "f8xh6"]);
    assert_eq!(game.read(&game.write(&start)), Ok(start));
}

#[test]
fn seven_pieces_on_the_long_diagonal_let_the_first_jump_to_its_end() {
    let game = game("draw");
    let position = game.read("b......./......b./.....b../....b..w/...b..../..b...../.b....../b......w b").unwrap();
    assert!(moves(&game, &position).contains(&"a1-h8".to_owned()));
    // six of them with an enemy piece on the last square are seven as well
    let position = game.read("b......w/......../.....b../....b..w/...b..../..b...../.b....../b......w b").unwrap();
    assert!(moves(&game, &position).contains(&"a1xh8".to_owned()));
}

#[test]
fn an_enemy_piece_on_the_way_blocks_and_an_own_piece_does_not() {
    let game = game("draw");
    let position = |b7: char| {
        game.read(&format!("w......./.{b7}....../......../.......w/......../......../.b....../.......b w")).unwrap()
    };
    assert_eq!(of(&game, &position('w'), "a8"), ["a8-a7", "a8-b8", "a8-d5"]);
    assert_eq!(of(&game, &position('b'), "a8"), ["a8-a7", "a8-b8"]);
}

#[test]
fn moves_along_lines_are_those_of_each_piece_and_their_numbers_balance() {
    let game = game("draw");
    for position in random_positions(&game, 20) {
        let (own, other) = LinesOfAction::sides(&position);
        let of_pieces = |own: u64, other: u64| {
            let mut found = Vec::new();
            for from in own.squares() {
                for kind in 0..4 {
                    let legal = along(own, other, from, kind).into_iter().filter(|&(_, legal)| legal);
                    found.extend(legal.map(|(to, _)| (from | to << 6) as Move));
                }
            }
            found.sort_unstable();
            found
        };
        let mut listed = Vec::new();
        game.moves(&position, &mut listed);
        listed.sort_unstable();
        let theirs = of_pieces(other, own).len() as i32;
        assert_eq!(listed, of_pieces(own, other), "{}", game.write(&position));
        assert_eq!(game.lines.balance(own, other), listed.len() as i32 - theirs, "{}", game.write(&position));
    }
}

#[test]
fn the_first_to_connect_all_pieces_wins() {
    let game = game("draw");
    let end = after(&game, ".......w/......../......../b...b.../...b..../......../......../.......w b", "a5-c5");
    assert_eq!((game.turn(&end), game.score(&end, 0), game.score(&end, 1)), (Turn::Over, UNIT, -UNIT));
    assert!(game.svg(&end).contains("#f2c94c"), "the connected pieces are pointed out");
}

#[test]
fn a_single_piece_is_connected_so_capturing_all_but_one_loses() {
    let game = game("draw");
    let end = after(&game, "......../......../......../......../..b.w.../......../......../b......w b", "c4xe4");
    assert_eq!((game.turn(&end), game.score(&end, 1)), (Turn::Over, UNIT));
}

#[test]
fn a_capture_that_connects_both_sides_is_a_draw_or_the_movers_win() {
    let text = "......../......../......../.....b../..b.w.../......../......../.......w b";
    for (rule, score) in [("draw", 0), ("mover", UNIT)] {
        let game = game(rule);
        let end = after(&game, text, "c4xe4");
        assert_eq!((game.turn(&end), game.score(&end, 0), game.score(&end, 1)), (Turn::Over, score, -score), "{rule}");
        assert_eq!(game.read(&game.write(&end)), Ok(end), "{rule}");
    }
}

#[test]
fn states_follow_from_the_board_whoever_looks() {
    for rule in ["draw", "mover"] {
        let game = game(rule);
        for position in random_positions(&game, 2) {
            for mv in moves(&game, &position) {
                let end = after(&game, &game.write(&position), &mv);
                assert_eq!(end.state, game.state(end.pieces, end.turn), "{} {mv}", game.write(&position));
            }
        }
    }
}

#[test]
fn noisy_moves_are_captures_on_the_inner_area_or_about_connections() {
    let game = game("draw");
    let mut counts = [0; 2];
    for position in random_positions(&game, 10) {
        let mut noisy = Vec::new();
        game.noisy(&position, &mut noisy);
        let mut legal = Vec::new();
        game.moves(&position, &mut legal);
        for mv in legal {
            let capture = game.write_move(&position, mv).contains('x');
            let inner = INNER.has(squares(mv).1);
            assert!(capture || !noisy.contains(&mv));
            assert!(!(capture && inner) || noisy.contains(&mv));
            counts[usize::from(noisy.contains(&mv))] += usize::from(capture);
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn captures_in_the_middle_are_tried_first() {
    let game = game("draw");
    let position = game.read("......../......w./......../......../..b.w.../......../......../b....... b").unwrap();
    let hint = |mv: &str| game.hint(&position, game.read_move(&position, mv).unwrap());
    assert_eq!((hint("c4xe4"), hint("c4-c5")), (2, 0));
    let start = game.start();
    assert_eq!(game.hint(&start, game.read_move(&start, "c1xa3").unwrap()), 0);
}

#[test]
fn evaluations_do_not_depend_on_the_colour() {
    let game = game("draw");
    for position in random_positions(&game, 5) {
        let value = game.evaluate(&position, 0);
        let turned = Position { pieces: [position.pieces[1], position.pieces[0]], turn: 1 - position.turn, ..position };
        assert_eq!(game.evaluate(&turned, 1), value, "{}", game.write(&position));
    }
}

#[test]
fn impossible_positions_are_refused() {
    let game = game("draw");
    for (text, reason) in [
        ("......../......../......../......../......../......../......../.......b b", "1 to 12"),
        ("bbbbbbbb/bbbbb.../......../......../......../......../......../.......w b", "1 to 12"),
        ("......../......../......../......../......../......../w......./.......b", "side to move"),
        ("......../......../......../......../......../......../w......./.......b x", "not \"x\""),
        ("......../......../......../......../......../......../W......./.......b b", "'W'"),
    ] {
        let error = game.read(text).unwrap_err().0;
        assert!(error.contains(reason), "{text}: {error}");
    }
}
