//! Expectimax (Michie 1966): the average of all events, each searched in full. No window reaches a child, and none cuts
//! at the nodes of players either. It is the definition that the rest of the family is measured against.

use super::events::{Followed, Node};
use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Tree<'_, G> {
    /// Σ Pᵢ Vᵢ.
    pub(super) fn expectation(&mut self, node: &Node<'_, G::Position>) -> f64 {
        let mut sum = 0.0;
        for place in node.first..node.end {
            let Followed { event, child, left, step, .. } = self.follow(node, place);
            let value = self.enter(&child, step, left, node.ply + 1, f64::NEG_INFINITY, f64::INFINITY);
            sum += event.probability * value;
            if self.interrupted() {
                return 0.0;
            }
        }
        sum
    }
}
