//! What a Monte-Carlo search reports.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use kibitz_game::{Bound, Child, Report};

use super::cells::UNPROVEN;
use super::simulation::{Setup, Tally};
use super::tree::{ROOT, Tree};
use crate::Searchable;

impl<G: Searchable> Setup<'_, G> {
    /// The result of the player at the root, if it is proven.
    #[inline(always)]
    pub(super) fn root_value(&self, tree: &Tree<G::Position, G::Move>) -> Option<kibitz_game::Score> {
        if !(self.solver || self.uct.score_bounds) {
            return None;
        }
        match tree.proven(ROOT) {
            UNPROVEN => self.decided(tree),
            proven => Some(proven),
        }
    }

    /// Fills the report from the tree, to which the root's statistics of the others have been added. Several threads may be
    /// `working` on it meanwhile.
    pub(super) fn conclude(
        &self,
        tree: &Tree<G::Position, G::Move>,
        others: &[Tree<G::Position, G::Move>],
        tally: &Tally,
        working: bool,
        report: &mut Report<G::Move>,
    ) {
        let game = self.game;
        let me = usize::from(self.me);
        let root = tree.node(ROOT);
        let range = game.range(me);
        let result =
            |reward: f64| game.result(f64::from(range.low) + reward * (f64::from(range.high) - f64::from(range.low)));
        report.pv.clear();
        let mut next = Some(ROOT);
        while let Some(edge) = next.and_then(|node| self.choose(tree, node)) {
            report.pv.push(tree.mv(edge));
            next = tree.slot(edge).child();
        }
        report.depth = report.pv.len() as u32;
        let edges = root.first..root.first + root.count;
        report.children = edges
            .clone()
            .map(|edge| Child {
                mv: tree.mv(edge),
                visits: u64::from(tree.slot(edge).visits()),
                value: result(self.estimate(tree, edge)),
                error: None,
            })
            .collect();
        report.children.sort_by_cached_key(|child| Reverse(child.visits));
        let known = self.root_value(tree);
        report.proven = known.is_some();
        if root.player().is_none() {
            let total: f64 = edges.clone().map(|edge| tree.sum(edge)).sum();
            let visits: f64 = edges.map(|edge| f64::from(tree.slot(edge).visits())).sum();
            report.value = result(total / visits.max(1.0));
        } else {
            let chosen = self.choose(tree, ROOT);
            report.best = Some(tree.mv(chosen.unwrap_or(root.first)));
            if report.pv.is_empty() {
                report.pv.extend(report.best);
            }
            report.value = if let Some(score) = known {
                game.result(f64::from(score))
            } else {
                chosen.map_or_else(|| game.result(f64::from(range.middle())), |edge| result(self.estimate(tree, edge)))
            };
        }
        report.bound = if report.proven { Bound::Exact } else { Bound::Estimate };
        let trees = || others.iter().chain([tree]);
        // what simulations have added is what is there, unless something has been given up; but nodes that others are
        // making just now cannot be counted
        let counted = !working && trees().any(|tree| tree.recycled > 0 || tree.reused);
        let positions =
            if counted { trees().map(Tree::positions).sum() } else { tally.added + 1 + others.len() as u64 };
        let full = trees().any(|tree| tree.recycled > 0 || tree.full.load(Relaxed));
        report.stats = vec![
            ("simulations", tally.simulations as f64),
            ("tree_nodes", positions as f64),
            ("tree_mb", trees().map(Tree::bytes).sum::<usize>() as f64 / f64::from(1 << 20)),
            ("memory_full", f64::from(u8::from(full))),
            ("recycled", trees().map(|tree| tree.recycled).sum::<u64>() as f64),
            ("deepest", tally.depths.len().saturating_sub(1) as f64),
            ("playouts_cut", tally.cut as f64),
        ];
        report.depths.clone_from(&tally.depths);
    }
}
