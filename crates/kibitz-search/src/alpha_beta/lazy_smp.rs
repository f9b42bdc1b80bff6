//! Lazy SMP: threads that search the same root and share nothing but the table.
//!
//! They help by what they store, so they must not do what the first thread is about to do. They search what it searches, but
//! in an order of their own: the first helper takes the moves of a node that failed low in the last iteration from the far
//! end. Such a node needs all of its moves in any order, so that the two meet in the middle. Every other node keeps its
//! order, since what it needs is its best move. (With the same order everywhere two threads run side by side through the
//! same nodes; with the moves after the first reversed everywhere too many refutations come late.)
//!
//! Helpers end with the iteration of the first thread, and begin again with the next. In between the table is the first
//! thread's alone and can grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kibitz_game::{Budget, Limits, Memory, Score, Stop, Table, splitmix64};

use super::scoring::greatest;
use super::tree::Tree;
use super::{AlphaBeta, INFINITY};
use crate::Searchable;
use crate::helper::spawn;

/// An iteration after fewer nodes than this is over before a thread has begun.
const WORTH_A_THREAD: u64 = 2_000;

/// The least depth left at which a helper has an order of its own: what lies nearer to the leaves is not worth the meeting.
const LEAST_DEPTH: usize = 3;

/// The threads that help the first one.
pub(super) struct Helpers<'a, G: Searchable> {
    trees: Vec<Tree<'a, G>>,
    done: &'a AtomicBool,
    /// The last depth of the search.
    last: u32,
}

impl<'a, G: Searchable> Helpers<'a, G> {
    /// Helpers for all threads but the first; `done` is theirs alone.
    pub(super) fn new(
        switches: &'a AlphaBeta,
        game: &'a G,
        position: &G::Position,
        table: &Arc<Table>,
        limits: &Limits,
        stop: &'a Stop,
        done: &'a AtomicBool,
        past: &[u64],
    ) -> Self {
        let tree = |number| {
            let budget = Budget::new(limits, stop).until(done);
            let mut tree = Tree::new(switches, game, table.clone(), budget, past);
            tree.helper = number;
            if G::REPEATS {
                tree.path.push(game.key(position));
            }
            tree.table = Arc::default();
            tree
        };
        Self { trees: (1..switches.threads).map(tree).collect(), done, last: *switches.depths(limits).end() }
    }

    /// The nodes that the helpers have visited.
    pub(super) fn nodes(&self) -> u64 {
        self.trees.iter().map(|tree| tree.budget.nodes).sum()
    }
}

impl<'a, G: Searchable> Tree<'a, G> {
    /// Does the work of an iteration while the helpers search the same root.
    pub(super) fn helped<T>(
        &mut self,
        helpers: &mut Helpers<'a, G>,
        position: &G::Position,
        me: u8,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let short = self.switches.deepening && self.budget.nodes < WORTH_A_THREAD;
        if helpers.trees.is_empty() || !self.table.is_some() || short {
            return work(self);
        }
        let (done, last) = (helpers.done, helpers.last);
        done.store(false, Ordering::Relaxed);
        for helper in &mut helpers.trees {
            helper.table = self.table.clone();
            helper.root.clone_from(&self.root);
            helper.root_depth = self.root_depth;
            helper.budget.resume();
        }
        let found = std::thread::scope(|scope| {
            let threads: Vec<_> = helpers
                .trees
                .iter_mut()
                .filter_map(|helper| spawn(scope, move || helper.help(position, me, last)))
                .collect();
            let found = work(self);
            done.store(true, Ordering::Relaxed);
            for thread in threads {
                thread.join();
            }
            found
        });
        for helper in &mut helpers.trees {
            helper.table = Arc::default();
            // where the table answers, the first thread has not been
            self.deepest = self.deepest.max(helper.deepest);
        }
        found
    }

    /// Searches the depth of the iteration, and greater ones until the first thread is done.
    fn help(&mut self, position: &G::Position, me: u8, last: u32) {
        while self.root_depth <= last && !self.interrupted() {
            let key = self.announce(position);
            self.node(position, key, me, self.root_depth, 0, -INFINITY, INFINITY);
            self.history.age(self.switches.ordering.ageing);
            self.root_depth += self.switches.step.max(1);
        }
    }

    /// Gives the moves of a node that failed low before the order of a helper, and returns the place of its first move.
    #[cold]
    #[inline(never)]
    pub(super) fn rearrange(&mut self, position: &G::Position, ply: usize, first: usize) -> Option<usize> {
        if ply.saturating_add(LEAST_DEPTH) > self.root_depth as usize {
            return None;
        }
        let known = self.table.probe(self.game.key(position));
        if known.is_none_or(|entry| entry.upper == Score::MAX || entry.lower == entry.upper) {
            return None;
        }
        let count = self.moves.len() - first;
        let (moves, scores) = (&mut self.moves[first..], &mut self.scores[first..first + count]);
        // the first of equal scores is tried first
        moves.reverse();
        scores.reverse();
        let seed = splitmix64(self.budget.nodes << 8 ^ self.helper as u64);
        for (i, score) in scores.iter_mut().enumerate() {
            // those that help beside the first helper begin anywhere
            *score = if self.helper == 1 { -*score } else { (splitmix64(seed ^ i as u64) >> 2) as i64 };
        }
        Some(first + greatest(scores))
    }
}
