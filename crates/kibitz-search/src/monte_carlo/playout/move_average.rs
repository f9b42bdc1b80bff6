//! MAST, the move-average sampling technique: a move that has been good anywhere is likely to be good here.
//!
//! Y. Björnsson and H. Finnsson, *`CadiaPlayer`: A Simulation-Based General Game Player*, IEEE TCIAIG 2009 (first in H. Finnsson
//! and Y. Björnsson, AAAI 2008). The mean result of the games in which a player made a move, wherever that was, in the tree or
//! in a playout; a move never made counts as the best possible.

use super::Played;

#[derive(Clone, Copy)]
struct Average {
    mean: f32,
    count: u32,
}

/// The mean of every player's moves.
pub(super) struct Averages {
    indices: usize,
    table: Vec<Average>,
}

impl Averages {
    pub(super) fn new(players: usize, indices: usize) -> Self {
        Self { indices, table: vec![Average { mean: 1.0, count: 0 }; players * indices] }
    }

    /// The memory that so many averages take.
    pub(super) fn bytes(entries: usize) -> usize {
        entries * size_of::<Average>()
    }

    #[inline(always)]
    pub(super) fn of(&self, player: u8, index: u32) -> f64 {
        f64::from(self.table[usize::from(player) * self.indices + index as usize].mean)
    }

    pub(super) fn learn<M>(&mut self, game: &[Played<M>], rewards: &[f64]) {
        for &Played { player, index, .. } in game {
            let average = &mut self.table[usize::from(player) * self.indices + index as usize];
            average.count = average.count.saturating_add(1);
            let reward = rewards[usize::from(player)] as f32;
            average.mean += (reward - average.mean) / average.count as f32;
        }
    }
}
