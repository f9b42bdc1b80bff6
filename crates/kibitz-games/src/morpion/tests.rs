use std::collections::HashSet;

use kibitz_game::{Configure, Draw, Evaluate, Game, Params, Playout, Random, Turn, Value};

use super::board::Line;
use super::{Board, Morpion, VARIANTS};

fn morpion(variant: &str) -> Morpion {
    let given = [("variant".to_owned(), Value::Word(variant.to_owned()))];
    Morpion::configure(&Params::complete(&Morpion::parameters(), given).unwrap()).unwrap()
}

/// The free half-directions of all dots, counted one by one from the lines on the paper; no piece may be drawn twice.
fn potential(game: &Morpion, board: &Board) -> usize {
    let mut used = HashSet::new();
    for line in game.rules.history(board) {
        for i in 1..game.rules.dots {
            let (from, to) = (line.point(i - 1), line.point(i));
            assert!(board.dot(from.0, from.1) && board.dot(to.0, to.1));
            assert!(used.insert((from, to)) && used.insert((to, from)));
        }
    }
    let dots = (0..32 * 32).filter(|i| board.dot(i % 32, i / 32)).count();
    8 * dots - used.len()
}

/// All lines that can be drawn, from the dots and the lines on the paper, by the words of the rules.
fn by_the_rules(game: &Morpion, board: &Board) -> HashSet<Vec<(usize, usize)>> {
    let dots = game.rules.dots;
    let drawn: Vec<(usize, Vec<(usize, usize)>)> = game
        .rules
        .history(board)
        .into_iter()
        .map(|line| (line.direction(), (0..dots).map(|i| line.point(i)).collect()))
        .collect();
    let shared = usize::from(VARIANTS[game.rules.variant].2);
    let mut lines = HashSet::new();
    for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
        for (x, y) in (0..32i32 * 32).map(|i| (i % 32, i / 32)) {
            let at = |i: i32| (x + i * dx, y + i * dy);
            let (last_x, last_y) = at(dots as i32 - 1);
            if !(0..32).contains(&last_x) || !(0..32).contains(&last_y) {
                continue;
            }
            let points: Vec<(usize, usize)> = (0..dots as i32).map(|i| (at(i).0 as usize, at(i).1 as usize)).collect();
            let missing = points.iter().filter(|&&(x, y)| !board.dot(x, y)).count();
            let clashes = |(other, line): &(usize, Vec<(usize, usize)>)| {
                *other == direction && line.iter().filter(|point| points.contains(point)).count() > shared
            };
            if missing == 1 && !drawn.iter().any(clashes) {
                lines.insert(points);
            }
        }
    }
    lines
}

#[test]
fn the_lines_kept_are_those_of_the_rules() {
    for variant in VARIANTS {
        let game = morpion(variant.0);
        for seed in 0..6 {
            let mut random = Random::new(seed);
            let mut board = game.start();
            loop {
                let kept: Vec<Vec<(usize, usize)>> = board
                    .lines()
                    .iter()
                    .map(|&line| (0..game.rules.dots).map(|i| Line(line).point(i)).collect())
                    .collect();
                assert_eq!(kept.len(), kept.iter().collect::<HashSet<_>>().len());
                assert_eq!(
                    kept.into_iter().collect::<HashSet<_>>(),
                    by_the_rules(&game, &board),
                    "{}",
                    game.write(&board)
                );
                for &line in board.lines() {
                    let (x, y) = Line(line).dot();
                    assert!(!board.dot(x, y) && Line(line).point(Line(line).offset()) == (x, y));
                }
                if game.turn(&board) == Turn::Over {
                    break;
                }
                let mv = game.random_move(&board, &mut random, &mut Vec::new());
                game.play(&mut board, mv);
            }
        }
    }
}

#[test]
fn free_directions_add_up_to_288_after_every_line_of_five() {
    // a line of four uses up only six directions of the eight that its dot adds
    for (variant, at_the_start, more) in [("5T", 288, 0), ("5D", 288, 0), ("4T", 192, 2), ("4D", 192, 2)] {
        let game = morpion(variant);
        for seed in 0..10 {
            let mut random = Random::new(seed);
            let mut board = game.start();
            assert_eq!(potential(&game, &board), at_the_start);
            while game.turn(&board) != Turn::Over {
                let mv = game.random_move(&board, &mut random, &mut Vec::new());
                game.play(&mut board, mv);
                assert_eq!(potential(&game, &board), at_the_start + more * board.drawn() as usize);
            }
        }
    }
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let game = morpion("5T");
    let mut random = Random::new(1);
    let mut board = game.start();
    game.playout(&mut board, &mut random, &mut Vec::new(), u32::MAX);
    let text = game.write(&board);
    assert_eq!(text.split(' ').count(), board.drawn() as usize);
    // the last move that can also be made earlier, and the moves behind it
    let mut backwards: Vec<&str> = text.split(' ').collect();
    for i in (1..backwards.len()).rev() {
        backwards.swap(i - 1, i);
        if game.read(&backwards.join(" ")).is_err() {
            backwards.swap(i - 1, i);
        }
    }
    assert_ne!(backwards.join(" "), text);
    let other = game.read(&backwards.join(" ")).unwrap();
    assert!(other == board && other.key() == board.key() && other.lines() == board.lines());
}

#[test]
fn two_moves_exclude_each_other_exactly_if_one_ends_the_other() {
    for variant in VARIANTS {
        let game = morpion(variant.0);
        for seed in 0..20 {
            let mut board = game.start();
            game.playout(&mut board, &mut Random::new(seed), &mut Vec::new(), seed as u32 * 2);
            for &a in board.lines() {
                let mut after = board;
                game.play(&mut after, a);
                for &b in board.lines().iter().filter(|&&b| b != a) {
                    assert_eq!(game.rules.exclude(Line(a), Line(b)), !after.lines().contains(&b));
                }
            }
        }
    }
}

#[test]
fn moves_are_written_as_by_pentasol() {
    let game = morpion("5T");
    let start = game.start();
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    let texts: HashSet<String> = moves.iter().map(|&mv| game.write_move(&start, mv)).collect();
    // the two ends of the upper side, and the line down from above its left end
    for known in ["(2,0)-+2", "(7,0)-2", "(7,0)--2", "(3,-1)|+2", "(3,4)|-2"] {
        assert_eq!(texts.contains(known), known != "(7,0)-2", "{known} of {texts:?}");
    }
    let spaced = game.read_move(&start, " (3,-1) | +2").unwrap();
    assert_eq!(game.write_move(&start, spaced), "(3,-1)|+2");
    assert!(game.read_move(&start, "(3,-1)|+1").unwrap_err().0.contains("not a legal move"));
    assert!(game.read("(3,-1)|+2 (3,-1)|+2").unwrap_err().0.starts_with("move 2"));
}

#[test]
fn touching_lines_touch_and_disjoint_ones_do_not() {
    // two lines along the upper side that share the dot (3,0)
    let count = |variant: &str| {
        let game = morpion(variant);
        let mut board = game.start();
        let mut random = Random::new(3);
        let mut touching = 0;
        for _ in 0..300 {
            board = if game.turn(&board) == Turn::Over { game.start() } else { board };
            let mv = game.random_move(&board, &mut random, &mut Vec::new());
            game.play(&mut board, mv);
            let lines = game.rules.history(&board);
            let dots = |line: Line| (0..game.rules.dots).map(move |i| line.point(i));
            let last = *lines.iter().find(|line| line.dot() == Line(mv).dot()).unwrap();
            touching += lines
                .iter()
                .filter(|&&line| line != last && line.direction() == last.direction())
                .filter(|&&line| dots(line).any(|point| dots(last).any(|other| other == point)))
                .count();
        }
        touching
    };
    assert!(count("5T") > 0 && count("4T") > 0);
    assert_eq!(count("5D") + count("4D"), 0);
}

#[test]
fn pictures_show_dots_lines_and_numbers() {
    let game = morpion("5T");
    let board = game.board(&game.start());
    assert!(board.ends_with("5T: 0 moves, 28 possible"), "{board}");
    assert_eq!(board.matches('O').count(), 36);
    assert_eq!(board.matches('.').count(), 28, "{board}");
    let after = game.read("(3,-1)|+2").unwrap();
    assert_eq!(game.board(&after).matches('|').count(), 4, "{}", game.board(&after));
    let mut random = Random::new(5);
    let (mut end, mut moves) = (game.start(), Vec::new());
    while game.turn(&end) != Turn::Over {
        moves.push(game.random_move(&end, &mut random, &mut Vec::new()));
        game.play(&mut end, moves[moves.len() - 1]);
    }
    let picture = game.svg_of_line(&game.start(), &moves).unwrap();
    for number in 1..=moves.len() {
        assert_eq!(picture.matches(&format!(">{number}</text>")).count(), 1);
    }
    assert_eq!(game.evaluate(&game.start(), 0), 28);
}
