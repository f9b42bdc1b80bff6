//! Parts of a tree that need to know nothing of each other, each with the set of moves that is passed to it.

use kibitz_game::Turn;

use super::walk::{Found, mark};
use crate::Searchable;

/// A node with everything that is behind it: the moves that lead to it, and those that need not be tried.
pub(super) struct Part<G: Searchable> {
    pub(super) position: G::Position,
    pub(super) line: Vec<G::Move>,
    pub(super) passed: Vec<G::Move>,
}

impl<G: Searchable> Part<G> {
    pub(super) fn root(position: &G::Position) -> Self {
        Self { position: position.clone(), line: Vec::new(), passed: Vec::new() }
    }

    /// The children in order, with the sets that are passed to them; none at the end of the game.
    fn children(&self, game: &G, sets: bool, by_sets: &mut u64) -> Vec<Self> {
        let mut moves = Vec::new();
        if matches!(game.turn(&self.position), Turn::Player(_)) {
            game.moves(&self.position, &mut moves);
        }
        let mut done = vec![false; moves.len()];
        mark(&moves, &mut done, &self.passed);
        let mut children = Vec::new();
        for i in 0..moves.len() {
            if done[i] {
                *by_sets += 1;
                continue;
            }
            let commutes = |&j: &usize| sets && done[j] && game.commute(&self.position, moves[i], moves[j]);
            let passed = (0..moves.len()).filter(commutes).map(|j| moves[j]).collect();
            let mut position = self.position.clone();
            game.play(&mut position, moves[i]);
            let line = self.line.iter().copied().chain([moves[i]]).collect();
            children.push(Self { position, line, passed });
            done[i] = sets;
        }
        children
    }
}

/// Replaces nodes by their children, ply by ply, until there are enough of them; those replaced are counted. A node without children
/// to try stays, for whoever searches it.
pub(super) fn split<G: Searchable>(
    game: &G,
    sets: bool,
    mut parts: Vec<Part<G>>,
    depth: Option<u32>,
    enough: usize,
    total: &mut Found<G::Move>,
) -> Vec<Part<G>> {
    let mut ply = 0;
    while parts.len() < enough && depth.is_none_or(|depth| ply < depth) {
        let mut next = Vec::new();
        let mut grown = false;
        for part in parts {
            let mut skipped = 0;
            let children =
                if part.line.len() == ply as usize { part.children(game, sets, &mut skipped) } else { Vec::new() };
            if children.is_empty() {
                next.push(part);
            } else {
                total.count(ply as usize, 1);
                total.by_sets += skipped;
                grown = true;
                next.extend(children);
            }
        }
        parts = next;
        if !grown {
            break;
        }
        ply += 1;
    }
    parts
}
