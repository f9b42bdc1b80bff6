//! What a node's games are worth: their mean, or something closer to its best move.
//!
//! R. Coulom, *Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search*, CG 2006; G. Chaslot, *Monte-Carlo Tree Search*,
//! thesis 2010. Selection and the final move use the value of an edge in the place of its mean. With more than two players an edge
//! has a value for each; at a chance node the outcomes count as often as they were drawn.

use super::cells::UNPROVEN;
use super::simulation::{PLAYERS, Step, Worker};
use super::tree::{Node, Tree};
use crate::Searchable;

/// The value of an edge whose position has moves in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BackUp {
    /// The mean of all games through it.
    #[default]
    Average,
    /// The value of the best move. Too noisy with few games, says the literature.
    Max,
    /// From the mean to the value of the best move as that one's visits n grow: (w·mean + n·best)/(w + n) (the mix operator of Coulom
    /// 2006, whose weight w of the mean was 162, twice the points of a 9×9 board).
    Mix(f64),
    /// The mean of the values of the moves weighted by the squares of their visits, so that the best ones count for more. Chaslot
    /// gives the idea and no formula; this one is ours.
    InformedAverage,
}

impl<G: Searchable> Worker<'_, G> {
    /// Brings the values of the edges of a path up to date.
    pub(super) fn refine(&mut self, tree: &Tree<G::Position, G::Move>, rewards: &[f64]) {
        let players = rewards.len();
        let knowledge = &tree.sides.knowledge;
        self.rewards[..players].copy_from_slice(rewards);
        for i in (0..self.path.len()).rev() {
            let Step { node, edge, player, settled, .. } = self.path[i];
            let slot = tree.slot(edge);
            let visits = slot.visits().max(1) as f32;
            let mut mean = [0.0; PLAYERS];
            for (player, mean) in mean.iter_mut().enumerate().take(players) {
                let held = knowledge.means.real(edge, player);
                *mean = held + (self.rewards[player] as f32 - held) / visits;
                knowledge.means.set_real(edge, player, *mean);
            }
            let value = slot.child().map_or(mean, |child| self.backed_up(tree, tree.node(child), mean));
            for (player, &value) in value.iter().enumerate().take(players) {
                knowledge.values.set_real(edge, player, value);
            }
            if settled {
                self.settle(tree, node, usize::from(player));
            }
        }
    }

    /// The value of a node for each player.
    fn backed_up(&self, tree: &Tree<G::Position, G::Move>, node: Node, mean: [f32; PLAYERS]) -> [f32; PLAYERS] {
        let players = self.setup.scale.len();
        let visited = (node.first..node.first + node.count).filter(|&edge| tree.slot(edge).visits() > 0);
        let visits = |edge: u32| tree.slot(edge).visits() as f32;
        let average = |weight: &dyn Fn(u32) -> f32| {
            let mut sum = [0.0; PLAYERS];
            let total: f32 = visited.clone().map(weight).sum();
            for edge in visited.clone() {
                for (player, sum) in sum.iter_mut().enumerate().take(players) {
                    *sum += weight(edge) / total * self.value(tree, edge, player, node.player());
                }
            }
            if total > 0.0 { sum } else { mean }
        };
        let Some(mover) = node.player() else { return average(&visits) };
        let mixed = |weight: f32| {
            let worth = |edge: u32| self.value(tree, edge, usize::from(mover), node.player());
            let better = |best: Option<u32>, edge: u32| best.filter(|&best| worth(best) >= worth(edge)).or(Some(edge));
            let Some(best) = visited.clone().fold(None, better) else { return mean };
            let share = visits(best) / (visits(best) + weight);
            let mut value = mean;
            for (player, value) in value.iter_mut().enumerate().take(players) {
                *value += share * (self.value(tree, best, player, node.player()) - *value);
            }
            value
        };
        match self.setup.uct.back_up {
            BackUp::Average => mean,
            BackUp::Max => mixed(0.0),
            BackUp::Mix(weight) => mixed(weight as f32),
            BackUp::InformedAverage => average(&|edge| visits(edge) * visits(edge)),
        }
    }

    /// The value of an edge for a player; what is proven is known.
    fn value(&self, tree: &Tree<G::Position, G::Move>, edge: u32, player: usize, chooser: Option<u8>) -> f32 {
        match (tree.proven(edge), chooser) {
            (UNPROVEN, _) | (_, None) => tree.sides.knowledge.values.real(edge, player),
            // proofs are sought for one or two players, whose scores add up to zero
            (proven, Some(chooser)) => {
                let score = if usize::from(chooser) == player { proven } else { -proven };
                self.setup.reward(score, player) as f32
            }
        }
    }
}
