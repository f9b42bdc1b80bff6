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

    /// The mean of an edge for its chooser, or what the rule of the back-up makes of it.
    pub(super) fn worth(&self, edge: u32, player: u8) -> f64 {
        let values = &self.sides.knowledge.values;
        if values.used() { f64::from(values.real(edge, usize::from(player))) } else { self.mean(edge) }
    }
}

impl<G: Searchable> Setup<'_, G> {
    /// The edge of a node that would be played: proven where something is proven, by the final-move rule elsewhere.
    pub(super) fn choose(&self, tree: &Tree<G::Position, G::Move>, node: u32) -> Option<u32> {
        let read = tree.node(node);
        let (player, Node { first, tried, .. }) = (read.player()?, read);
        let edges = first..first + tried;
        let value = tree.proven(node);
        if value != UNPROVEN {
            return edges.into_iter().find(|&edge| tree.proven(edge) == value);
        }
        let edges = self.serious(tree, node, edges, player);
        let n = |edge: u32| f64::from(tree.slot(edge).visits().max(1));
        let mean = |edge: u32| tree.worth(edge, player);
        let total = edges.iter().map(|&edge| f64::from(tree.slot(edge).visits())).sum::<f64>().max(1.0);
        let rank = |edge: u32| match self.uct.final_move {
            FinalMove::Max => mean(edge),
            FinalMove::Robust | FinalMove::RobustMax => n(edge) + mean(edge) / 2.0,
            FinalMove::Secure => mean(edge) - self.uct.c * (total.ln() / n(edge)).sqrt(),
        };
        let (open, proven): (Vec<u32>, Vec<u32>) = edges.into_iter().partition(|&edge| tree.proven(edge) == UNPROVEN);
        let best = open.into_iter().max_by(|&a, &b| rank(a).total_cmp(&rank(b)).then(b.cmp(&a)));
        let sure = proven.into_iter().max_by_key(|&edge| (tree.proven(edge), Reverse(edge)));
        match (best, sure) {
            (Some(best), Some(sure)) => {
                let certain = self.reward(tree.proven(sure), usize::from(player));
                Some(if certain >= mean(best) { sure } else { best })
            }
            (best, sure) => best.or(sure),
        }
    }

    /// The edges that are worth a thought: those that reach what is sure, and of those that are left a win that is proven.
    fn serious(
        &self,
        tree: &Tree<G::Position, G::Move>,
        node: u32,
        edges: std::ops::Range<u32>,
        player: u8,
    ) -> Vec<u32> {
        let player = usize::from(player);
        let mut serious: Vec<u32> = edges.clone().collect();
        let knowledge = &tree.sides.knowledge;
        let mut keep = |wanted: &dyn Fn(u32) -> bool| {
            if serious.iter().any(|&edge| wanted(edge)) {
                serious.retain(|&edge| wanted(edge));
            }
        };
        if knowledge.low.used() {
            let (sure, _) = self.bounds(tree, node, player);
            keep(&|edge| {
                let (low, high) = self.bounds(tree, edge, player);
                low == sure || high > sure
            });
        }
        if knowledge.proof.used() {
            keep(&|edge| knowledge.proof.count(edge, player) == 0);
        }
        serious
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
            UNPROVEN => tree.worth(edge, self.me),
            proven => self.reward(proven, usize::from(self.me)),
        }
    }
}
