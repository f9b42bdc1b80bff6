//! A checksum of what a game does with the positions of a slice.

use std::ops::ControlFlow;

use kibitz_game::{Ranked, Slice, Turn, mix, splitmix64};

use super::format::checksum;

/// How many positions of a slice are looked at.
const SAMPLES: u64 = 24;
/// How many ranks are tried until one belongs to a position.
const TRIES: u64 = 64;

/// A number that changes when the ranks of a slice or the moves of its positions do, so that a database is not asked by a game with
/// another board, other rules or another numbering. It depends on nothing else: not on the evaluation, nor on the start, nor on how positions are written. Two games whose ranks lead to
/// each other in the same way are the same game here, whatever they call their points.
pub fn fingerprint<G: Ranked>(game: &G, slice: Slice) -> u64 {
    let size = game.size(slice);
    let mut sum = mix(checksum(game.slice_name(slice).as_bytes()), size);
    let mut buffer = Vec::new();
    for sample in 0..SAMPLES.min(size) {
        let first = splitmix64(mix(size, sample)) % size;
        let found = (first..size.min(first + TRIES)).find_map(|rank| Some((rank, game.unrank(slice, rank)?)));
        let Some((rank, position)) = found else { continue };
        sum = mix(sum, rank);
        if let Some(value) = game.ended(&position) {
            sum = mix(sum, u64::from(value.bits()));
            continue;
        }
        // children may come in any order, and some games visit equal ones once and others twice
        let mut children = Vec::new();
        let _ = game.children(&position, &mut buffer, |child| {
            children.push(match game.place(child) {
                Some(place) => mix(u64::from(place.slice.0), place.rank),
                None if game.turn(child) == Turn::Over => mix(u64::MAX, game.score(child, 0) as u64),
                None => u64::MAX,
            });
            ControlFlow::Continue(())
        });
        children.sort_unstable();
        children.dedup();
        sum = children.into_iter().fold(sum, mix);
    }
    sum
}
