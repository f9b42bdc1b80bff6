//! Expectimax (Michie 1966): the average of all events, each searched in full. No window reaches a child, and none cuts
//! at the nodes of players either. It is the definition that the rest of the family is measured against.

use kibitz_game::Turn;

use super::events::Node;
use super::node::Step;
use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Tree<'_, G> {
    /// Σ Pᵢ Vᵢ.
    pub(super) fn expectation(&mut self, node: &Node<'_, G::Position>) -> f64 {
        let mut sum = 0.0;
        for place in node.first..node.end {
            let event = self.events[place];
            let child = self.child(node.position, event.outcome);
            let turn: Turn = self.game.turn(&child);
            let step = Step { mv: event.outcome, probability: Some(event.probability) };
            let left = self.left_at(node, turn);
            sum += event.probability * self.enter(&child, step, left, node.ply + 1, f64::NEG_INFINITY, f64::INFINITY);
            if self.interrupted() {
                return 0.0;
            }
        }
        sum
    }
}
