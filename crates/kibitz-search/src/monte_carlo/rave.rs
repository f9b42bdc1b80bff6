//! RAVE: a move is also judged by the games in which it was made later (all moves as first).
//!
//! S. Gelly and D. Silver, *Combining Online and Offline Knowledge in UCT*, ICML 2007, after B. Brügmann (1993). A node keeps for
//! each of its moves the mean of all games through the node in which the same player made that move then or later. The bound of the
//! move is (1 − β)·(mean + exploration) + β·that mean.

use super::simulation::Worker;
use super::tree::Tree;
use crate::Searchable;

/// How the weight β of the games in which a move was made later falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rave {
    /// sqrt(k / (3n + k)) with n visits of the node: both means count the same after k visits.
    Equivalence(f64),
    /// ñ / (n + ñ + 4b²nñ) with n visits of the move, ñ games in which it was made later, and a bias b of their mean: the least mean
    /// squared error (Gelly and Silver 2011).
    MinimumError(f64),
}

impl Rave {
    /// β where it is the same for all edges of a node.
    pub(super) fn of_node(self, visits: u32) -> f32 {
        match self {
            Self::Equivalence(k) if k > 0.0 => (k / (3.0 * f64::from(visits) + k)).sqrt() as f32,
            _ => 0.0,
        }
    }

    /// β of an edge.
    #[inline(always)]
    pub(super) fn of_edge(self, of_node: f32, visits: u32, later: u32) -> f32 {
        match self {
            Self::Equivalence(_) => of_node,
            Self::MinimumError(bias) => {
                let (n, later) = (f64::from(visits), f64::from(later));
                (later / (n + later + 4.0 * bias * bias * n * later)) as f32
            }
        }
    }
}

impl<G: Searchable> Worker<'_, G> {
    /// Credits every move of the path's nodes that was made at the node or later by the same player.
    pub(super) fn credit_all_moves(&mut self, tree: &Tree<G::Position, G::Move>, rewards: &[f64]) {
        let knowledge = &tree.sides.knowledge;
        let indices = self.player.indices();
        // a move is marked with the number of the game, so that nothing has to be cleared
        self.game_number = self.game_number.wrapping_add(1).max(1);
        let marks = &mut self.marks;
        marks.resize(indices * rewards.len(), 0);
        let trace = self.player.trace();
        let mut marked = trace.len();
        // the trace has no outcomes of chance, so a node's own move has to be counted
        let mut at = self.path.iter().filter(|step| tree.node(step.node).player().is_some()).count();
        for step in self.path.iter().rev() {
            let node = tree.node(step.node);
            let Some(player) = node.player().map(usize::from) else { continue };
            at -= 1;
            for later in &trace[at.min(marked)..marked] {
                marks[usize::from(later.player) * indices + later.index as usize] = self.game_number;
            }
            marked = marked.min(at);
            let mine = &marks[player * indices..(player + 1) * indices];
            for edge in node.first..node.first + node.count {
                if mine[knowledge.index.count(edge, 0) as usize] == self.game_number {
                    knowledge.amaf_count.at(edge).add(1, tree.shared);
                    knowledge.amaf_sum.at(edge).add(rewards[player], tree.shared);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_is_one_half_at_the_equivalence_and_falls() {
        // search-methods, 6.5: β(0) = 1 and β(k) = 1/2
        let rave = Rave::Equivalence(1000.0);
        assert_eq!((rave.of_node(0), rave.of_node(1000)), (1.0, 0.5));
        assert!((0..5000).all(|n| rave.of_node(n) > rave.of_node(n + 1)));
        assert_eq!(Rave::Equivalence(0.0).of_node(0), 0.0);
        let least = Rave::MinimumError(0.1);
        assert_eq!((least.of_edge(0.0, 0, 5), least.of_edge(0.0, 5, 0)), (1.0, 0.0));
        assert!((0..5000).all(|n| least.of_edge(0.0, n, 100) > least.of_edge(0.0, n + 1, 100)));
    }
}
