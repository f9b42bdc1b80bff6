//! What a thread of a shared tree keeps to itself for a while.
//!
//! All threads go through the same few edges near the root. If each visit were counted at once, their memory would wander
//! from core to core with every simulation, and sixteen cores would do the work of four. So a thread adds up its own
//! visits and rewards of an edge that is visited often, and tells the others of several at once, before they are
//! one in five hundred of the visits. In the end everything is told, and the sums are exact.

use std::ops::Range;

use super::simulation::Worker;
use super::tree::{ROOT, Tree};
use crate::Searchable;

/// An edge with fewer visits is counted at once: there the virtual loss matters.
const BUSY: u32 = 1024;
/// The others are told of this share of the visits, and of no more than `MOST` at once.
const SHARE: u32 = 512;
const MOST: u32 = 64;
/// So many edges can be pending; few are busy at the same time.
const PLACES: usize = 256;

/// The visits and rewards that the others do not know of.
#[derive(Default)]
pub(super) struct Pending {
    edges: Vec<Entry>,
    /// Simulations that began at the root.
    begun: u32,
    /// Places for positions that only this thread may use.
    pub(super) places: Range<u32>,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    edge: u32,
    visits: u32,
    sum: f64,
    squares: f64,
}

/// How many visits are kept back where so many are known.
#[inline(always)]
fn patience(visits: u32) -> u32 {
    (visits / SHARE).min(MOST)
}

impl Pending {
    /// Counts a visit of an edge with its reward.
    #[inline(always)]
    pub(super) fn add<P: Clone, M: kibitz_game::Pack>(&mut self, tree: &Tree<P, M>, edge: u32, reward: f64) {
        if self.edges.is_empty() {
            self.edges.resize(PLACES, Entry::default());
        }
        let entry = &mut self.edges[edge as usize % PLACES];
        if entry.edge != edge {
            entry.tell(tree);
            entry.edge = edge;
        }
        entry.visits += 1;
        entry.sum += reward;
        entry.squares += reward * reward;
        if entry.visits >= patience(tree.slot(edge).visits()) {
            entry.tell(tree);
        }
    }
}

impl Entry {
    fn tell<P: Clone, M: kibitz_game::Pack>(&mut self, tree: &Tree<P, M>) {
        if self.visits > 0 {
            tree.add_visits(self.edge, self.visits, self.sum, self.squares);
            *self = Self { edge: self.edge, ..Self::default() };
        }
    }
}

impl<G: Searchable> Worker<'_, G> {
    /// Counts a simulation that begins at the root of a shared tree. Returns their number, as far as it is known.
    #[inline(always)]
    pub(super) fn enter_root(&mut self, tree: &Tree<G::Position, G::Move>) -> u32 {
        self.pending.begun += 1;
        let known = tree.root_visits.get();
        if self.pending.begun >= patience(known) {
            return self.tell_root(tree);
        }
        known + self.pending.begun
    }

    fn tell_root(&mut self, tree: &Tree<G::Position, G::Move>) -> u32 {
        let visits = tree.root_visits.add(std::mem::take(&mut self.pending.begun), true);
        tree.count_visits(ROOT, visits);
        visits
    }

    /// Counts the step that follows an edge of a node of a shared tree, which is visited for the `visits`-th time, now or
    /// with its reward. Returns the visits of the edge.
    #[inline(always)]
    pub(super) fn enter(&mut self, tree: &Tree<G::Position, G::Move>, node: u32, visits: u32, edge: u32) -> u32 {
        let known = tree.slot(edge).visits();
        // the variants look at the visits of their path when they learn from it
        if known < BUSY || self.setup.informed {
            return tree.enter(node, visits, edge);
        }
        if let Some(step) = self.path.last_mut() {
            step.counted = false;
        }
        known + 1
    }

    /// Tells the others everything, and leaves them what it has not used.
    pub(super) fn tell_all(&mut self, tree: &Tree<G::Position, G::Move>) {
        if self.pending.begun > 0 {
            self.tell_root(tree);
        }
        self.pending.edges.iter_mut().for_each(|entry| entry.tell(tree));
        self.pending.places = 0..0;
    }
}
