//! The features against the numbers of the thesis and against a slow count of each.

use super::*;
use crate::phalanx::board::STEPS;
use crate::phalanx::moves::Move;
use crate::phalanx::tests::{game, placed, samples};
use crate::{crossings, epaminondas};
use kibitz_game::{Evaluate, Game, Value};
use std::collections::HashSet;

/// The features of a side as numbers.
fn features<V: Variant>(game: &Phalanx<V>, pieces: &[V::Board; 2], player: u8) -> [f64; FEATURES] {
    let tally = game.evaluation.tally::<V>(pieces, player);
    tally.fractions().map(|(count, parts)| count as f64 / f64::from(parts))
}

/// The same by their definitions, from the list of moves.
fn counted<V: Variant>(pieces: &[V::Board; 2], player: u8) -> [f64; FEATURES] {
    let field = Phalanx::<V>::field(pieces, player);
    let (own, other) = (pieces[usize::from(player)], pieces[usize::from(1 - player)]);
    let squares = |set: V::Board| {
        let mut found = Vec::new();
        set.each(|number| found.push(number));
        found
    };
    let mut moves: Vec<Move> = Vec::new();
    (0..DIRECTIONS).for_each(|direction| field.each(direction, &mut |mv| moves.push(mv)));

    let mut phalanxes: Vec<Vec<u32>> = Vec::new();
    for number in squares(field.own) {
        let neighbours = (0..DIRECTIONS).filter_map(|direction| V::Board::neighbour(number, direction));
        if neighbours.clone().all(|next| !field.own.has(next)) {
            phalanxes.push(vec![number]);
        }
        for direction in 0..DIRECTIONS / 2 {
            let first = V::Board::neighbour(number, opposite(direction)).is_none_or(|next| !field.own.has(next));
            let length = field.own.run(number, direction);
            if first && length > 1 {
                phalanxes.push((0..length).map(|steps| V::Board::away(number, direction, steps)).collect());
            }
        }
    }
    let reach = |phalanx: &Vec<u32>| {
        let whole = |mv: &&Move| {
            let mut moved: Vec<u32> = mv.pieces::<V::Board>().collect();
            let mut members = phalanx.clone();
            moved.sort_unstable();
            members.sort_unstable();
            moved == members
        };
        moves.iter().filter(whole).map(|mv| mv.distance()).max().unwrap_or(0)
    };
    let covered: u32 = phalanxes.iter().map(reach).sum();
    let farthest = moves.iter().map(|mv| mv.distance()).max().unwrap_or(0);
    let mean = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };

    let mut taken: HashSet<u32> = HashSet::new();
    let (mut largest_attacked, mut haul, mut captures) = (0, 0, 0);
    let mut longest = 0;
    for mv in &moves {
        let landing = mv.landing::<V::Board>();
        if !other.has(landing) {
            longest = longest.max(mv.distance());
            continue;
        }
        let defenders = other.run(landing, mv.direction());
        let prey = if V::TAKES_ALL { defenders } else { 1 };
        taken.extend((0..prey).map(|steps| V::Board::away(landing, mv.direction(), steps)));
        largest_attacked = largest_attacked.max(defenders);
        haul += prey;
        captures += 1;
    }
    let off_centre = squares(own).into_iter().map(|number| {
        let (row, col) = (number / V::Board::STRIDE, number % V::Board::STRIDE);
        let middle = |at: u32, of: u32| f64::from(at) - (f64::from(of) - 1.0) / 2.0;
        middle(row, V::Board::ROWS).hypot(middle(col, V::Board::COLS))
    });
    let home = if player == WHITE { V::Board::ROWS - 1 - V::DEFENCE } else { V::DEFENCE };
    let on_row = (0..V::Board::COLS).map(|col| home * V::Board::STRIDE + col);
    let territory = squares(own)
        .into_iter()
        .flat_map(|number| (0..STEPS.len()).filter_map(move |direction| V::Board::neighbour(number, direction)));
    let edge = squares(own).into_iter().filter(|number| [0, V::Board::COLS - 1].contains(&(number % V::Board::STRIDE)));
    [
        mean(f64::from(covered), moves.len()) + f64::from(farthest),
        f64::from(own.size()),
        f64::from((own & target(player)).size()),
        -off_centre.sum::<f64>(),
        f64::from(on_row.map(|number| own.run(number, 0)).max().unwrap_or(0)),
        territory.filter(|&number| !other.has(number)).count() as f64,
        edge.count() as f64,
        mean(phalanxes.iter().map(Vec::len).sum::<usize>() as f64, phalanxes.len()),
        phalanxes.iter().map(Vec::len).max().unwrap_or(0) as f64,
        mean(f64::from(covered), phalanxes.len()),
        f64::from(longest),
        f64::from(largest_attacked),
        taken.len() as f64,
        mean(f64::from(haul), captures),
    ]
}

fn features_are_those_of_their_definitions<V: Variant>() {
    let game = game::<V>(&[]);
    for position in samples(&game, 300) {
        for player in [0, 1] {
            let (fast, slow) = (features(&game, &position.pieces, player), counted::<V>(&position.pieces, player));
            for (feature, (fast, slow)) in fast.into_iter().zip(slow).enumerate() {
                // distances from the centre are rounded to 1/1024
                let text = game.write(&position);
                assert!((fast - slow).abs() < 0.015, "{} of player {player}: {fast} {slow}: {text}", NAMES[feature].0);
            }
        }
    }
}

#[test]
fn features_of_crossings_are_those_of_their_definitions() {
    features_are_those_of_their_definitions::<crossings::Rules>();
}

#[test]
fn features_of_epaminondas_are_those_of_their_definitions() {
    features_are_those_of_their_definitions::<epaminondas::Rules>();
}

/// The example of the thesis: one piece in the open.
#[test]
fn a_lone_piece_has_mobility_one_and_an_eighth() {
    let game = game::<crossings::Rules>(&[]);
    let found = features(&game, &placed(&game, "D4", "H8", 'w').pieces, 0);
    assert_eq!((found[0], found[5]), (1.125, 8.0));
}

#[test]
fn four_connected_pieces_defend_the_row_with_four() {
    let game = game::<crossings::Rules>(&[]);
    assert_eq!(features(&game, &placed(&game, "A7 C7 D7 E7 F7 H7 A8", "A1", 'w').pieces, 0)[4], 4.0);
    let game = self::game::<epaminondas::Rules>(&[]);
    assert_eq!(features(&game, &placed(&game, "A7", "C1 D1 E1 F1 H1 A2", 'w').pieces, 1)[4], 4.0);
}

#[test]
fn the_start_has_the_features_that_were_computed_elsewhere() {
    let game = game::<crossings::Rules>(&[]);
    let pieces = game.start().pieces;
    for player in [0, 1] {
        let found = features(&game, &pieces, player);
        assert_eq!((found[5], found[4], found[6]), (94.0, 8.0, 4.0));
        assert!((found[3] + 59.7920).abs() < 0.01, "{}", found[3]);
    }
    let game = self::game::<epaminondas::Rules>(&[]);
    let pieces = game.start().pieces;
    for player in [0, 1] {
        let found = features(&game, &pieces, player);
        assert_eq!((found[5], found[4], found[6]), (172.0, 14.0, 4.0));
        assert!((found[3] + 177.3586).abs() < 0.015, "{}", found[3]);
    }
}

/// A weight alone gives that feature; all of them together are the sum.
fn weights_add_up<V: Variant>() {
    let with = |chosen: &[&str]| {
        let given: Vec<(&str, Value)> =
            NAMES.iter().map(|&(name, _)| (name, Value::Integer(7 * i64::from(chosen.contains(&name))))).collect();
        game::<V>(&given)
    };
    let all: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    let (whole, parts) = (with(&all), NAMES.map(|(name, _)| with(&[name])));
    for position in samples(&whole, 60) {
        let sum: Score = parts.iter().map(|game| game.evaluate(&position, 0)).sum();
        assert_eq!(whole.evaluate(&position, 0), sum);
        for (feature, game) in parts.iter().enumerate() {
            let value = |player| features(&whole, &position.pieces, player)[feature];
            let difference = 7.0 * (value(0) - value(1));
            assert!((f64::from(game.evaluate(&position, 0)) - difference).abs() < 2.0, "{}", NAMES[feature].0);
        }
    }
    assert_eq!(with(&[]).evaluate(&samples(&whole, 9)[8], 0), 0);
}

#[test]
fn weights_add_up_in_both_games() {
    weights_add_up::<crossings::Rules>();
    weights_add_up::<epaminondas::Rules>();
}
