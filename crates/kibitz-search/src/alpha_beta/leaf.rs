//! What a leaf is worth.

use kibitz_game::{Entry, Memory, Score};

use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Tree<'_, G> {
    /// A value of `player` as this search counts it: the number of its bucket in the first player's view.
    #[inline]
    pub(super) fn bucketed(&self, value: Score, player: u8) -> Score {
        if self.bucket == 1 {
            value
        } else if player == 0 {
            value.div_euclid(self.bucket)
        } else {
            -(-value).div_euclid(self.bucket)
        }
    }

    /// The value for `me` of a leaf that is counted in buckets or remembered; `next` is to move, or nobody at the end.
    #[inline(never)]
    pub(super) fn leaf(&mut self, child: &G::Position, me: u8, next: Option<u8>) -> Score {
        // an entry is in the view of the player to move, and at the end of the game in that of the first
        let viewer = next.unwrap_or(0);
        let mine = |value: Score| if viewer == me { value } else { -value };
        let remembers = self.switches.tt_leaves && self.table.is_some();
        let key = if remembers { self.game.key(child) } else { 0 };
        let known = if remembers { self.table.probe(key) } else { None };
        if let Some(entry) = known
            && entry.lower == entry.upper
            && self.usable(&entry, 0)
        {
            return mine(entry.lower);
        }
        self.counters.leaves += 1;
        let player = usize::from(viewer);
        let value = if next.is_none() { self.game.score(child, player) } else { self.game.evaluate(child, player) };
        let value = self.bucketed(value, viewer);
        if remembers && known.is_none() {
            let (ended, mv, nodes) = (next.is_none(), None, 1);
            self.table.store(key, Entry { lower: value, upper: value, depth: 0, ended, mv, nodes });
        }
        mine(value)
    }
}
