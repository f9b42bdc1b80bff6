//! Repeated positions inside a search.
//!
//! A position has no history, so the search keeps the keys of the game before the root and of its own path. What the rules
//! say about the number of occurrences so far is taken at its word. A position that repeats one on the path of the search
//! itself is given the score of a repetition at once, although the rules may ask for a third time: whoever can repeat once
//! can repeat again, and the search is much smaller. Such a score is an assumption, so nothing that rests on it counts as
//! proven.
//!
//! **Graph history.** The table ignores the path. A value that rests on a repetition of a position above the node holds on
//! this path only and is not stored; one whose repetitions all lie below the node is. The reverse is accepted: an entry
//! that was found on another path is used here, although the same moves might repeat a position of this path.

use kibitz_game::Score;
use rustc_hash::FxHashMap;

use crate::Searchable;

/// The keys on the way to the node being searched.
pub(crate) struct Path {
    past: FxHashMap<u64, u32>,
    keys: Vec<u64>,
}

/// A repeated position.
pub(crate) struct Repeated {
    /// Its score.
    pub(crate) score: Score,
    /// The ply of the earliest equal position on the path of the search; none if all lie before the root.
    pub(crate) ply: usize,
    /// Whether the rules end the game here; otherwise the score is an assumption.
    pub(crate) by_rule: bool,
}

impl Path {
    pub(crate) fn new<G: Searchable>(past: &[u64]) -> Self {
        let mut counted = FxHashMap::default();
        if G::REPEATS {
            for &key in past {
                *counted.entry(key).or_insert(0) += 1;
            }
        }
        Self { past: counted, keys: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// What a position on the way means for a player, if it is a repeated one.
    #[inline]
    pub(crate) fn repeated<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        key: u64,
        player: u8,
    ) -> Option<Repeated> {
        let before = self.past.get(&key).copied().unwrap_or(0);
        let mut on_path = 0;
        let mut ply = usize::MAX;
        for (i, _) in self.keys.iter().enumerate().filter(|&(_, &other)| other == key) {
            on_path += 1;
            ply = ply.min(i);
        }
        if before + on_path == 0 {
            return None;
        }
        let player = usize::from(player);
        if let Some(score) = game.repeated(position, before + on_path + 1, player) {
            return Some(Repeated { score, ply, by_rule: true });
        }
        if on_path == 0 {
            return None;
        }
        let score = game.repeated(position, u32::MAX, player)?;
        Some(Repeated { score, ply, by_rule: false })
    }
}
