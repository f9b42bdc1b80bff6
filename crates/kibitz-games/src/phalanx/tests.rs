//! What holds for both games: moves, picks and notation against slow and plain versions of them.

use std::collections::{HashMap, HashSet};

use super::board::STEPS;
use super::*;
use crate::{Crossings, Epaminondas};
use kibitz_game::{Draw, Pack, Value, uniform_playout};

/// The game with these parameters.
pub(crate) fn game<V: Variant>(given: &[(&str, Value)]) -> Phalanx<V> {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    Phalanx::configure(&Params::complete(&Phalanx::<V>::parameters(), given).unwrap()).unwrap()
}

/// The number of a square by its name.
pub(crate) fn number<B: Board>(name: &str) -> u32 {
    (name[1..].parse::<u32>().unwrap() - 1) * B::STRIDE + u32::from(name.as_bytes()[0] - b'A')
}

/// The set of squares with these names.
pub(crate) fn set<B: Board>(names: &str) -> B {
    names.split_whitespace().fold(B::NONE, |set, name| set | B::square(number::<B>(name)))
}

/// The position with these pieces of White and of Black.
pub(crate) fn placed<V: Variant>(game: &Phalanx<V>, white: &str, black: &str, turn: char) -> Position<V::Board> {
    game.made([set(white), set(black)], u8::from(turn == 'b'), 0)
}

/// The legal moves, whether the game is over or not.
pub(crate) fn list<V: Variant>(game: &Phalanx<V>, position: &Position<V::Board>) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// The legal moves as text.
pub(crate) fn texts<V: Variant>(game: &Phalanx<V>, position: &Position<V::Board>) -> Vec<String> {
    list(game, position).into_iter().map(|mv| game.write_move(position, mv)).collect()
}

/// The position after some moves.
pub(crate) fn after<V: Variant>(
    game: &Phalanx<V>,
    position: &Position<V::Board>,
    moves: &[&str],
) -> Position<V::Board> {
    let mut position = *position;
    for text in moves {
        let mv = game.read_move(&position, text).unwrap_or_else(|bad| panic!("{bad}"));
        game.play(&mut position, mv);
    }
    position
}

/// How many of the last moves of all sequences of so many are captures.
pub(crate) fn captures<V: Variant>(game: &Phalanx<V>, position: &Position<V::Board>, depth: u32) -> u64 {
    if game.turn(position) == Turn::Over {
        return 0;
    }
    let other = position.pieces[usize::from(1 - position.turn)];
    let of = |mv: Move| {
        if depth == 1 {
            return u64::from(other.has(mv.landing::<V::Board>()));
        }
        let mut child = *position;
        game.play(&mut child, mv);
        captures(game, &child, depth - 1)
    };
    list(game, position).into_iter().map(of).sum()
}

/// Positions of random games, some of them with few pieces.
pub(crate) fn samples<V: Variant>(game: &Phalanx<V>, count: u64) -> Vec<Position<V::Board>> {
    let mut found = Vec::new();
    for seed in 0..count {
        let mut position = game.start();
        let mut random = Random::new(seed);
        uniform_playout(game, &mut position, &mut random, &mut Vec::new(), (seed * 7 % 160) as u32);
        if seed % 3 == 0 {
            // fewer pieces leave more room
            let kept = V::Board::ALL;
            let kept = (0..V::Board::ROWS * V::Board::STRIDE)
                .fold(kept, |kept, number| if random.below(2) == 0 { kept & !V::Board::square(number) } else { kept });
            let pieces = position.pieces.map(|pieces| pieces & kept);
            if pieces.iter().any(|pieces| pieces.is_none()) {
                continue;
            }
            position = game.made(pieces, position.turn, 0);
        }
        found.push(position);
    }
    found
}

/// The moves of the rules, found by walking over the board: lead, direction, size and distance.
fn walked<V: Variant>(game: &Phalanx<V>, position: &Position<V::Board>) -> HashSet<(u32, usize, u32, u32)> {
    let player = position.turn;
    let (own, other) = (position.pieces[usize::from(player)], position.pieces[usize::from(1 - player)]);
    let (far, near) = (target::<V::Board>(player), target::<V::Board>(1 - player));
    let mut found = HashSet::new();
    let rests = |number: u32| V::CROSSED_REST && far.has(number);
    let immune = |number: u32| V::CROSSED_REST && near.has(number);
    for tail in 0..V::Board::ROWS * V::Board::STRIDE {
        for direction in 0..STEPS.len() {
            let (mut lead, mut size) = (Some(tail).filter(|&tail| own.has(tail) && !rests(tail)), 0);
            while let Some(front) = lead.filter(|&lead| own.has(lead) && !rests(lead)) {
                size += 1;
                let mut next = V::Board::neighbour(front, direction);
                for distance in 1..=size {
                    let Some(landing) = next else { break };
                    if own.has(landing) {
                        break;
                    }
                    let mut after = position.pieces;
                    if other.has(landing) {
                        let mut defenders = Vec::new();
                        let mut square = Some(landing);
                        while let Some(at) = square.filter(|&at| other.has(at)) {
                            defenders.push(at);
                            square = V::Board::neighbour(at, direction);
                        }
                        if size <= defenders.len() as u32 || immune(landing) {
                            break;
                        }
                        let taken = if V::TAKES_ALL { defenders.len() } else { 1 };
                        for &at in &defenders[..taken] {
                            after[usize::from(1 - player)] ^= V::Board::square(at);
                        }
                    }
                    let own_after = &mut after[usize::from(player)];
                    for back in 0..size {
                        *own_after &= !V::Board::square(V::Board::away(front, opposite_of(direction), back));
                    }
                    for back in 0..size {
                        *own_after |= V::Board::square(V::Board::away(landing, opposite_of(direction), back));
                    }
                    let enters = far.has(landing) && !far.has(front);
                    if !(game.symmetry && enters && after.iter().all(|pieces| pieces.is_symmetric())) {
                        found.insert((front, direction, size, distance));
                        let mut played = *position;
                        game.play(&mut played, Move::new(front, direction, size, distance));
                        assert_eq!(played.pieces, after, "{}", game.write(position));
                    }
                    if other.has(landing) {
                        break;
                    }
                    next = V::Board::neighbour(landing, direction);
                }
                lead = V::Board::neighbour(front, direction);
                // only whole ends of a run move: a piece in front would be in the way
            }
        }
    }
    found
}

fn opposite_of(direction: usize) -> usize {
    let (up, right) = STEPS[direction];
    STEPS.iter().position(|&step| step == (-up, -right)).unwrap()
}

fn moves_are_those_of_a_walk_over_the_board<V: Variant>() {
    let game = game::<V>(&[]);
    for position in samples(&game, 400) {
        let walked = walked(&game, &position);
        let position = Position { state: State::Free, ..position };
        let listed = list(&game, &position);
        let set: HashSet<_> = listed.iter().map(|mv| (mv.lead(), mv.direction(), mv.size(), mv.distance())).collect();
        assert_eq!(set.len(), listed.len());
        assert_eq!(set, walked, "{}", game.write(&position));
        assert_eq!(game.can_move(&position.pieces, position.turn), !walked.is_empty());
        let mut children = HashSet::new();
        for &mv in &listed {
            let mut child = position;
            game.play(&mut child, mv);
            assert!(children.insert(game.write(&child)), "two moves lead to one position");
        }
        // captures and crossings are the noisy ones
        let other = position.pieces[usize::from(1 - position.turn)];
        let mut noisy = Vec::new();
        game.noisy(&position, &mut noisy);
        let loud = |mv: &Move| other.has(mv.landing::<V::Board>()) || Phalanx::<V>::crosses(position.turn, *mv);
        let expected: Vec<Move> = listed.into_iter().filter(loud).collect();
        assert_eq!(noisy.len(), expected.len(), "{}", game.write(&position));
        assert!(expected.iter().all(|mv| noisy.contains(mv) && game.hint(&position, *mv) > 0));
    }
}

/// Each of the numbers below the count picks a different move, so that a uniform number is a uniform move.
fn every_move_is_picked_by_one_number<V: Variant>() {
    let game = game::<V>(&[]);
    for position in samples(&game, 200) {
        let field = Phalanx::<V>::field(&position.pieces, position.turn);
        let counts = field.counts();
        let total = counts.iter().sum();
        let mut picked: Vec<Move> = (0..total).map(|n| field.pick(&counts, n)).collect();
        picked.retain(|&mv| !game.forbidden(&position.pieces, position.turn, mv));
        let mut listed = list(&game, &Position { state: State::Free, ..position });
        picked.sort_unstable_by_key(|mv| mv.pack());
        listed.sort_unstable_by_key(|mv| mv.pack());
        assert_eq!(picked, listed, "{}", game.write(&position));
    }
}

fn random_moves_pass_a_test_of_chi_square<V: Variant>() {
    let game = game::<V>(&[]);
    let (mut random, mut buffer) = (Random::new(5), Vec::new());
    for position in samples(&game, 4).into_iter().filter(|position| position.state == State::Free) {
        let moves = list(&game, &position);
        let mut counts: HashMap<u64, u32> = moves.iter().map(|mv| (mv.pack(), 0)).collect();
        let expected = 100.0;
        for _ in 0..100 * moves.len() {
            *counts.get_mut(&game.random_move(&position, &mut random, &mut buffer).pack()).unwrap() += 1;
        }
        let square: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        let freedom = moves.len() as f64 - 1.0;
        // five standard deviations of the distribution
        assert!(square < freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0, "{square} with {freedom} degrees of freedom");
    }
}

/// Left and right exchanged, the moves are the same exchanged; and so are White and Black, top and bottom.
fn moves_are_symmetric<V: Variant>() {
    let game = game::<V>(&[]);
    let count = |position: &Position<V::Board>| list(&game, &Position { state: State::Free, ..*position }).len();
    for position in samples(&game, 200) {
        let mirrored = game.made(position.pieces.map(Board::mirrored), position.turn, 0);
        assert_eq!(count(&mirrored), count(&position));
        assert_eq!(mirrored.state, position.state);
        assert_eq!(game.evaluate(&mirrored, 0), game.evaluate(&position, 0));
        let text = game.write(&position);
        let (grid, side) = text.split_once(' ').unwrap();
        let rows: Vec<String> =
            grid.split('/').rev().map(|row| row.replace('w', "x").replace('b', "w").replace('x', "b")).collect();
        let turned = game.read(&format!("{} {}", rows.join("/"), if side == "w" { 'b' } else { 'w' })).unwrap();
        assert_eq!(count(&turned), count(&position));
        assert_eq!(game.evaluate(&turned, 0), -game.evaluate(&position, 0));
    }
}

/// Long and short, in any order, with and without brackets.
fn moves_are_read_in_every_way<V: Variant>() {
    let game = game::<V>(&[]);
    for position in samples(&game, 60).into_iter().filter(|position| position.state == State::Free) {
        for mv in list(&game, &position) {
            let text = game.write_move(&position, mv);
            let (pieces, landing) = text.split_once(" x ").or_else(|| text.split_once('-')).unwrap();
            let way = if text.contains('x') { "x" } else { "-" };
            let mut names: Vec<&str> = pieces.trim_matches(['[', ']']).split(',').collect();
            let tail = names[names.len() - 1];
            let short = format!("{tail}{way}{landing}");
            names.reverse();
            let reversed = names.join(", ");
            for written in [
                text.clone(),
                text.to_lowercase(),
                text.replace(" x ", "x"),
                short,
                format!("{tail} {way} {landing}"),
                format!("[{reversed}]{way}[{landing}]"),
                format!("{reversed}{way}{landing}"),
            ] {
                assert_eq!(game.read_move(&position, &written), Ok(mv), "{written}: {}", game.write(&position));
            }
            let (other, reason) = if way == "-" { ("x", "captures nothing") } else { ("-", "it captures") };
            let wrong = format!("{tail}{other}{landing}");
            assert!(game.read_move(&position, &wrong).unwrap_err().0.contains(reason), "{wrong}");
        }
    }
}

fn a_move_is_drawn_as_an_arrow<V: Variant>() {
    let game = game::<V>(&[]);
    let start = game.start();
    let mv = list(&game, &start)[0];
    let plain = game.svg(&start);
    let drawn = game.svg_of_move(&start, mv).unwrap();
    assert!(drawn.contains("class=\"move\"") && !plain.contains("class=\"move\""));
    assert_eq!(game.svg_of_move(&start, PASS), None);
}

macro_rules! both {
    ($($test:ident)*) => {
        mod crossings {
            $(#[test] fn $test() { super::$test::<crate::crossings::Rules>(); })*
        }
        mod epaminondas {
            $(#[test] fn $test() { super::$test::<crate::epaminondas::Rules>(); })*
        }
    };
}
both! {
    moves_are_those_of_a_walk_over_the_board
    every_move_is_picked_by_one_number
    random_moves_pass_a_test_of_chi_square
    moves_are_symmetric
    moves_are_read_in_every_way
    a_move_is_drawn_as_an_arrow
    broken_moves_say_what_is_wrong
    broken_positions_say_what_is_wrong
    a_limit_of_plies_makes_a_draw
    the_third_occurrence_is_a_draw
    passing_has_a_meaning_while_the_game_goes_on
}

fn broken_moves_say_what_is_wrong<V: Variant>() {
    let game = game::<V>(&[]);
    let start = game.start();
    for (text, reason) in [
        ("", "write moves as [H3,H4,H5]-H2"),
        ("A7", "write moves as [H3,H4,H5]-H2"),
        ("A7-A", "not a square"),
        ("A7-Z3", "not a square"),
        ("[A7-A6", "bracket"),
        ("A7,-A6", "not a square"),
        ("A1-A2", "no phalanx"),
        ("pass", "may not pass"),
    ] {
        let error = game.read_move(&start, text).unwrap_err().0;
        assert!(error.contains(reason), "{text}: {error}");
    }
}

fn broken_positions_say_what_is_wrong<V: Variant>() {
    let game = game::<V>(&[]);
    let start = game.write(&game.start());
    let grid = start.split(' ').next().unwrap();
    let full = grid.replace('.', "w");
    let empty = grid.replace(['w', 'b'], ".");
    for (text, reason) in [
        (grid.to_owned(), "the side to move"),
        (format!("{grid} x"), "not \"x\""),
        (format!("{grid} w 3"), "unless plies are limited"),
        (format!("{} w", grid.replacen('w', "x", 1)), "not a cell"),
        (format!("{full} w"), "at most"),
        (format!("{empty} w"), "no piece"),
        (format!("{grid}/{grid} w"), "rows"),
    ] {
        let error = game.read(&text).unwrap_err().0;
        assert!(error.contains(reason), "{text}: {error}");
    }
}

fn a_limit_of_plies_makes_a_draw<V: Variant>() {
    let game = game::<V>(&[("plies", Value::Integer(3))]);
    let mut position = game.start();
    for left in (0..3).rev() {
        assert_eq!(game.turn(&position), Turn::Player((2 - left) % 2));
        let mv = list(&game, &position)[0];
        game.play(&mut position, mv);
    }
    assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, 0));
    let text = game.write(&position);
    assert!(text.ends_with(" b 3"), "{text}");
    assert_eq!(game.read(&text), Ok(position));
    assert!(game.read(&text.replace(" b 3", " b 4")).unwrap_err().0.contains("up to 3"));
    // positions that differ in nothing but the plies left are different
    let earlier = game.read(&text.replace(" b 3", " b 1")).unwrap();
    assert_ne!((earlier, game.key(&earlier)), (position, game.key(&position)));
}

fn the_third_occurrence_is_a_draw<V: Variant>() {
    let game = game::<V>(&[]);
    let start = game.start();
    assert_eq!([1, 2, 3, 4].map(|times| game.repeated(&start, times, 0)), [None, None, Some(0), Some(0)]);
}

fn passing_has_a_meaning_while_the_game_goes_on<V: Variant>() {
    let game = game::<V>(&[]);
    let mut position = game.start();
    assert!(game.pass(&mut position) && position.turn == 1 && position.pieces == game.start().pieces);
    // Black has to answer a crossing: after a pass White would have won
    let mut behind = placed(&game, "D1 D5", "F5 F6", 'b');
    assert!(game.turn(&behind) == Turn::Player(1) && !game.pass(&mut behind));
    assert_eq!(game.turn(&placed(&game, "D1 D5", "F5 F6", 'w')), Turn::Over);
    assert!(game.zugzwang(&behind) && !game.zugzwang(&game.start()));
}

#[test]
fn the_fields_of_a_move_do_not_overlap() {
    let mv = Move::new(189, 7, 14, 13);
    assert_eq!((mv.lead(), mv.direction(), mv.size(), mv.distance()), (189, 7, 14, 13));
    assert_eq!(Move::unpack(mv.pack()), mv);
}

#[test]
fn positions_are_small() {
    assert!(size_of::<<Crossings as Game>::Position>() <= 24 && size_of::<<Epaminondas as Game>::Position>() <= 56);
    assert_eq!(size_of::<Move>(), 4);
}
