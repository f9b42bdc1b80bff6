//! Proofs: MCTS-Solver (Winands, Björnsson and Saito 2008) for one or two players and any results.

use super::cells::UNPROVEN;
use super::simulation::{Outcome, Step, Worker};
use super::tree::{Node, Tree};
use crate::Searchable;

impl<G: Searchable> Worker<'_, G> {
    /// Carries a result that is sure towards the root as far as it decides anything.
    pub(super) fn prove(&self, tree: &Tree<G::Position, G::Move>, end: &Outcome<'_, G::Position>) {
        let game = self.setup.game;
        let mut value = None;
        for &Step { node, edge, .. } in self.path.iter().rev() {
            let Some(player) = tree.node(node).player() else { return };
            let score = match value {
                None => end.score(game, usize::from(player)),
                Some((score, owner)) if owner == player => score,
                Some((score, _)) => -score,
            };
            tree.prove_edge(node, edge, score, self.setup.reward(score, usize::from(player)));
            // read after the edge is proven: others may have tried more edges since
            let Node { first, count, tried, .. } = tree.node(node);
            let decided = score == game.range(usize::from(player)).high;
            if !decided && (tried < count || (first..first + count).any(|edge| tree.proven(edge) == UNPROVEN)) {
                return;
            }
            let best = (first..first + tried).map(|edge| tree.proven(edge)).max().unwrap_or(score);
            tree.prove_node(node, best);
            value = Some((best, player));
        }
    }
}
