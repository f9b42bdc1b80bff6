//! What the searches of one thread add up to.

use std::cmp::Reverse;

use kibitz_game::{Child, Report, Score};

use super::tree::{NO_NODE, Tree};
use crate::Searchable;

/// Counts over all searches.
pub(super) struct Tally<M> {
    /// The moves of the first position with their visits and the sum of their results.
    children: Vec<(M, u64, f64)>,
    nodes: u64,
    depths_of_nodes: u64,
    deepest: usize,
    bytes: usize,
    full: bool,
    /// How many simulations left the tree at each depth.
    depths: Vec<u64>,
    root_visits: u64,
    root_top: Option<f64>,
    /// The visits that the root had before the search, where a tree is kept.
    pub(super) earlier: u64,
    /// The best score of a game that was played move by move.
    pub(super) played: Option<Score>,
}

impl<M> Default for Tally<M> {
    fn default() -> Self {
        Self {
            children: Vec::new(),
            nodes: 0,
            depths_of_nodes: 0,
            deepest: 0,
            bytes: 0,
            full: false,
            depths: Vec::new(),
            root_visits: 0,
            root_top: None,
            earlier: 0,
            played: None,
        }
    }
}

impl<M: Copy + PartialEq> Tally<M> {
    /// Counts a simulation that left the tree at a depth.
    #[inline]
    pub(super) fn left(&mut self, depth: usize) {
        if self.depths.len() <= depth {
            self.depths.resize(depth + 1, 0);
        }
        self.depths[depth] += 1;
    }

    /// Counts a search that has ended; its root is the first position or a later one.
    pub(super) fn count<G: Searchable<Move = M>>(
        &mut self,
        game: &G,
        base: Option<Score>,
        unit: f64,
        tree: &Tree<M>,
        root: u32,
        first: bool,
    ) {
        if root == NO_NODE {
            return;
        }
        let result = |mean: f64| game.result(f64::from(base.unwrap_or(0)) + mean / unit);
        let node = &tree.nodes[root as usize];
        self.root_visits += u64::from(node.visits) - self.earlier;
        if node.visits > 0 {
            let top = result(node.top);
            self.root_top = Some(self.root_top.map_or(top, |known| known.max(top)));
        }
        self.nodes += tree.nodes.len() as u64;
        self.depths_of_nodes += tree.nodes.iter().map(|node| u64::from(node.depth)).sum::<u64>();
        self.deepest = self.deepest.max(tree.nodes.iter().map(|node| usize::from(node.depth)).max().unwrap_or(0));
        self.bytes = self.bytes.max(tree.bytes());
        self.full |= tree.full;
        if first {
            for child in tree.children(root) {
                let node = &tree.nodes[child as usize];
                let visits = u64::from(node.visits);
                self.child(node.mv, visits, visits as f64 * result(node.mean()));
            }
        }
    }

    fn child(&mut self, mv: M, visits: u64, sum: f64) {
        match self.children.iter_mut().find(|(known, ..)| *known == mv) {
            Some(known) => {
                known.1 += visits;
                known.2 += sum;
            }
            None => self.children.push((mv, visits, sum)),
        }
    }

    /// Adds the counts of another thread.
    pub(super) fn join(&mut self, other: &Self) {
        other.children.iter().for_each(|&(mv, visits, sum)| self.child(mv, visits, sum));
        self.nodes += other.nodes;
        self.depths_of_nodes += other.depths_of_nodes;
        self.deepest = self.deepest.max(other.deepest);
        self.bytes += other.bytes;
        self.full |= other.full;
        if self.depths.len() < other.depths.len() {
            self.depths.resize(other.depths.len(), 0);
        }
        self.depths.iter_mut().zip(&other.depths).for_each(|(mine, theirs)| *mine += theirs);
        self.root_visits += other.root_visits;
        self.root_top = match (self.root_top, other.root_top) {
            (Some(mine), Some(theirs)) => Some(mine.max(theirs)),
            (mine, theirs) => mine.or(theirs),
        };
        self.played = self.played.max(other.played);
    }

    pub(super) fn fill<G: Searchable<Move = M>>(self, game: &G, searches: u64, report: &mut Report<M>) {
        report.children = self
            .children
            .into_iter()
            .map(|(mv, visits, sum)| Child { mv, visits, value: sum / visits as f64, error: None })
            .collect();
        report.children.sort_by_cached_key(|child| Reverse(child.visits));
        report.depths = self.depths;
        report.stats.extend([
            ("searches", searches as f64),
            ("root_visits", self.root_visits as f64),
            ("tree_nodes", self.nodes as f64),
            ("tree_mb", self.bytes as f64 / f64::from(1 << 20)),
            ("memory_full", f64::from(u8::from(self.full))),
            ("mean_depth", self.depths_of_nodes as f64 / self.nodes.max(1) as f64),
            ("deepest", self.deepest as f64),
        ]);
        report.stats.extend(self.root_top.map(|top| ("root_top", top)));
        report.stats.extend(self.played.map(|score| ("played", game.result(f64::from(score)))));
    }
}
