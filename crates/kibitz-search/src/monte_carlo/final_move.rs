//! The final move: what is played when the simulations are done.

use std::cmp::Reverse;

use kibitz_game::Pack;

use super::cells::UNPROVEN;
use super::simulation::Setup;
use super::tree::{Node, ROOT, Tree};
use crate::Searchable;

/// How the move to play is chosen from the root's statistics (Chaslot, Winands, van den Herik, Uiterwijk and Bouzy 2008).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinalMove {
    /// The child with the highest mean.
    Max,
    /// The child with the most visits.
    #[default]
    Robust,
    /// The child with the highest lower confidence bound.
    Secure,
    /// The child with both the highest mean and the most visits: the search ends as soon as there is one after two
    /// thirds of its simulations or of its time. Without one the child with the most visits.
    RobustMax,
}

impl<P: Clone, M: Pack> Tree<P, M> {
    /// The mean reward of an edge for its chooser.
    pub(super) fn mean(&self, edge: u32) -> f64 {
        self.sum(edge) / f64::from(self.slot(edge).visits().max(1))
    }
}

impl<G: Searchable> Setup<'_, G> {
    /// The edge of a node that would be played: proven where something is proven, by the final-move rule elsewhere.
    pub(super) fn choose(&self, tree: &Tree<G::Position, G::Move>, node: u32) -> Option<u32> {
        let Node { first, tried, player, .. } = tree.node(node);
        let player = player?;
        let edges = first..first + tried;
        let value = tree.proven(node);
        if value != UNPROVEN {
            return edges.into_iter().find(|&edge| tree.proven(edge) == value);
        }
        let n = |edge: u32| f64::from(tree.slot(edge).visits().max(1));
        let total = edges.clone().map(|edge| f64::from(tree.slot(edge).visits())).sum::<f64>().max(1.0);
        let rank = |edge: u32| match self.uct.final_move {
            FinalMove::Max => tree.mean(edge),
            FinalMove::Robust | FinalMove::RobustMax => n(edge) + tree.mean(edge) / 2.0,
            FinalMove::Secure => tree.mean(edge) - self.uct.c * (total.ln() / n(edge)).sqrt(),
        };
        let (open, proven): (Vec<u32>, Vec<u32>) = edges.partition(|&edge| tree.proven(edge) == UNPROVEN);
        let best = open.into_iter().max_by(|&a, &b| rank(a).total_cmp(&rank(b)).then(b.cmp(&a)));
        let sure = proven.into_iter().max_by_key(|&edge| (tree.proven(edge), Reverse(edge)));
        match (best, sure) {
            (Some(best), Some(sure)) => {
                let certain = self.reward(tree.proven(sure), usize::from(player));
                Some(if certain >= tree.mean(best) { sure } else { best })
            }
            (best, sure) => best.or(sure),
        }
    }

    /// Whether the move that would be played is also the best by its mean.
    pub(super) fn agreed(&self, tree: &Tree<G::Position, G::Move>) -> bool {
        let Node { first, tried, .. } = tree.node(ROOT);
        self.choose(tree, ROOT).is_some_and(|chosen| {
            let top = self.estimate(tree, chosen);
            (first..first + tried).all(|edge| self.estimate(tree, edge) <= top)
        })
    }

    /// The mean or, where it is known, the proven value of an edge of the root as a reward.
    pub(super) fn estimate(&self, tree: &Tree<G::Position, G::Move>, edge: u32) -> f64 {
        match tree.proven(edge) {
            UNPROVEN => tree.mean(edge),
            proven => self.reward(proven, usize::from(self.me)),
        }
    }
}
