//! `StarETC` (J. Veness and A. Blair, *Effective Use of Transposition Tables in Stochastic Game Tree Search*, 2007): before a chance
//! node searches anything, it looks all of its events up in the table, whose bounds may be enough, and stay in force.

use kibitz_game::Memory;

use super::events::{Followed, Node};
use super::memory::Known;
use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Tree<'_, G> {
    /// Moves the bounds of the events that the table knows; the value if that cuts.
    pub(super) fn look_up_events(&mut self, node: &mut Node<'_, G::Position>) -> Option<f64> {
        if !self.switches.star_etc || !self.table.is_some() || node.left < self.switches.etc_depth.max(1) {
            return None;
        }
        for place in node.first..node.end {
            let Followed { mut event, child, left, .. } = self.follow(node, place);
            let Some(entry) = self.table.probe(self.game.key(&child)) else { continue };
            let known = Known::of(&entry);
            if !self.usable(&known, left) {
                continue;
            }
            self.horizon |= !known.ended;
            node.prove(&mut event, known.lower, known.upper);
            self.events[place] = event;
            if let Some(value) = node.cut() {
                self.counters.etc_cuts += 1;
                self.note("etc");
                return Some(value);
            }
        }
        None
    }
}
