//! Opponent-move abstraction: what the player at the root did counts, whatever the others did in between.
//!
//! H. Baier and M. Kaisers, *Guiding Multiplayer MCTS by Focusing on Yourself*, IEEE Conference on Games 2020. With n players the
//! next move of the player at the root lies n plies below the last, and every sequence of the others' moves has
//! statistics of its own there, most of them poor. So the mean of one of his moves is mixed with that over all games in which
//! he made it after the same moves of his own. Together with progressive widening, which makes the tree narrow enough to get
//! there, this is MCTS-OMA-PW. How the two means are weighed here is what RAVE does: β = √(k / (3n + k)).

use kibitz_game::{Pack, mix};

use super::simulation::{Step, Worker};
use super::tree::Tree;
use crate::Searchable;

/// The bits of the index of an entry.
const BITS: u32 = 16;

/// What is known of a move after the moves that the player himself has made.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    sum: f64,
    count: u32,
}

/// The statistics of sequences of own moves. Where two sequences meet in one place the later one has it.
pub(super) struct OwnMoves {
    entries: Vec<Entry>,
}

impl OwnMoves {
    pub(super) fn new(used: bool) -> Self {
        Self { entries: vec![Entry::default(); if used { 1 << BITS } else { 0 }] }
    }

    pub(super) fn used(&self) -> bool {
        !self.entries.is_empty()
    }

    fn place(key: u64) -> usize {
        (key >> (64 - BITS)) as usize
    }

    fn add(&mut self, key: u64, reward: f64) {
        let entry = &mut self.entries[Self::place(key)];
        if entry.key != key {
            *entry = Entry { key, sum: 0.0, count: 0 };
        }
        entry.sum += reward;
        entry.count += 1;
    }

    /// The mean reward after a sequence, if there is any.
    pub(super) fn mean(&self, key: u64) -> Option<f32> {
        let entry = &self.entries[Self::place(key)];
        (entry.key == key && entry.count > 0).then(|| (entry.sum / f64::from(entry.count)) as f32)
    }
}

/// The key of a sequence that goes on with a move.
pub(super) fn followed<M: Pack>(sequence: u64, mv: M) -> u64 {
    mix(sequence, mv.pack())
}

impl<G: Searchable> Worker<'_, G> {
    /// The own moves of the player at the root on the way so far.
    pub(super) fn own_sequence(&self, tree: &Tree<G::Position, G::Move>) -> u64 {
        let own = self.path.iter().filter(|step| step.player == self.setup.me);
        own.fold(1, |sequence, step| followed(sequence, tree.mv(step.edge)))
    }

    /// Credits all sequences of own moves of a simulation.
    pub(super) fn credit_own_moves(&mut self, tree: &Tree<G::Position, G::Move>, reward: f64) {
        let me = self.setup.me;
        let mut sequence = 1;
        for &Step { edge, player, .. } in &self.path {
            if player == me {
                sequence = followed(sequence, tree.mv(edge));
                self.own_moves.add(sequence, reward);
            }
        }
    }
}
