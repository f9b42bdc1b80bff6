//! Implicit minimax back-ups: the tree keeps the minimax value of its evaluations beside the means of its games.
//!
//! M. Lanctot, M. Winands, T. Pepels and N. Sturtevant, *Monte Carlo Tree Search with Heuristic Evaluations using Implicit Minimax
//! Backups*, CIG 2014. Selection uses (1 − α)·mean + α·minimax value. With more than two players each maximises the own
//! evaluation (maxⁿ); at a chance node the outcomes count as often as they were drawn.

use super::simulation::Worker;
use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Worker<'_, G> {
    /// Backs up the values of the last node of a path, as far as anything changes.
    pub(super) fn back_up_minimax(&self, tree: &Tree<G::Position, G::Move>) {
        let table = &tree.sides.knowledge.implicit;
        for pair in self.path.windows(2).rev() {
            let node = tree.node(pair[1].node);
            let (above, edges) = (pair[0].edge, node.first..node.first + node.count);
            let mut changed = false;
            if let Some(player) = node.player().map(usize::from) {
                let best = edges.fold(node.first, |best, edge| {
                    if table.real(edge, player) > table.real(best, player) { edge } else { best }
                });
                for player in 0..self.setup.scale.len() {
                    changed |= table.set_real(above, player, table.real(best, player));
                }
            } else {
                let total: f32 = edges.clone().map(|edge| tree.slot(edge).visits() as f32).sum();
                for player in 0..self.setup.scale.len() {
                    let weighted = edges.clone().map(|edge| tree.slot(edge).visits() as f32 * table.real(edge, player));
                    changed |= total > 0.0 && table.set_real(above, player, weighted.sum::<f32>() / total);
                }
            }
            if !changed {
                return;
            }
        }
    }
}
