//! Several threads on one question: they share a tree, and each looks deeper into one leaf of it at a time.
//!
//! A leaf that a thread works on has numbers that make the others look elsewhere, and when it is done its place is taken by what the thread has found out about it and its children. PN² looks
//! deeper with a second tree, proof-number search with one that stays and is taken up again ([`regions`](super::regions)). For df-pn it is a search with the table that all share, of a limited number of nodes (J. Pawlewicz and R. Hayward, *Scalable parallel DFPN search*,
//! Computers and Games 2013): threads that all begin at the root and only part where another is busy (T. Kaneko, *Parallel depth first proof number search*, 2010) were no faster than one.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kibitz_game::{Budget, Limits, Stop};

use super::Provable;
use super::best_first::{End, Search};
use super::numbers::INFINITE;
use super::path::Path;
use super::question::Question;
use super::solve::{Refused, Work};
use super::tree::{BUSY, Full, Node, Tree};
use super::two_level::look_deeper;
use super::watch::Whole;

/// What looks deeper into a leaf of a tree.
pub(super) trait Deeper<G: Provable>: Send {
    /// Searches the position of a leaf, whose key ends the path, with about so many nodes.
    fn look(
        &mut self,
        leaf: usize,
        position: &G::Position,
        most: usize,
        path: &mut Path,
        budget: &mut Budget<'_>,
    ) -> End;

    /// What was found out about it: numbers, and a note if they solve it.
    fn found(&self) -> Node;

    /// How many positions the database has known since the beginning.
    fn probes(&self) -> u64;

    /// Hangs what was found out about its children below a leaf of the tree.
    fn hang(&mut self, first: &mut Search<'_, G>, leaf: usize) -> Result<(), Full>;

    /// What lies below a node of the tree does not matter any more.
    fn solved(&mut self, _tree: &Tree, _node: usize) {}
}

/// A second level, of which the first level of children stays.
impl<G: Provable> Deeper<G> for Search<'_, G> {
    fn look(
        &mut self,
        _leaf: usize,
        position: &G::Position,
        most: usize,
        path: &mut Path,
        budget: &mut Budget<'_>,
    ) -> End {
        look_deeper(self, position, most, path, budget)
    }

    fn found(&self) -> Node {
        self.tree.root()
    }

    fn probes(&self) -> u64 {
        self.probes
    }

    fn hang(&mut self, first: &mut Search<'_, G>, leaf: usize) -> Result<(), Full> {
        first.attach(leaf, self.tree.root().numbers(), self.below_root())
    }
}

/// What threads share.
struct Shared<'a, G: Provable, S> {
    tree: Mutex<Search<'a, G>>,
    nodes: AtomicU64,
    probes: AtomicU64,
    done: AtomicBool,
    memory: AtomicBool,
    limits: Limits,
    /// How many nodes a look takes, by the size of the tree.
    size: S,
}

/// Searches a tree with a thread for each of those who look deeper, and returns why it ended, and the tree. `size` is the number of nodes of a look by the size of
/// the tree. A checkpoint is made of the tree and the rest.
pub(super) fn together<'a, G: Provable, D: Deeper<G>>(
    work: &mut Work<'a, '_, '_, G>,
    first: Search<'a, G>,
    deeper: Vec<D>,
    size: impl Fn(usize) -> usize + Sync,
    rest: Rest<'_>,
) -> Result<(End, Search<'a, G>), Refused> {
    let Work { question, position, path, budget, watch, limits, stop, .. } = work;
    let (question, position) = (*question, *position);
    let begun = budget.nodes;
    let left = Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(begun)),
        time: limits.time.map(|time| time.saturating_sub(budget.elapsed())),
        ..Limits::default()
    };
    let shared = Shared {
        tree: Mutex::new(first),
        nodes: AtomicU64::new(begun),
        probes: AtomicU64::new(watch.probes),
        done: AtomicBool::new(false),
        memory: AtomicBool::new(false),
        limits: left.shared(deeper.len()),
        size,
    };
    let mut looked = Ok(());
    std::thread::scope(|scope| {
        let workers: Vec<_> = deeper
            .into_iter()
            .map(|deeper| {
                let (shared, path, stop) = (&shared, path.clone(), *stop);
                // without its type: the code that begins a thread would be compiled for every game and method again
                let help: Box<dyn FnOnce() + Send> =
                    Box::new(move || shared.help(question, position, deeper, path, stop));
                scope.spawn(help)
            })
            .collect();
        while !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(2));
            let first = shared.tree.lock().unwrap_or_else(PoisonError::into_inner);
            if looked.is_ok() {
                watch.probes = shared.probes.load(Ordering::Relaxed);
                looked = watch.look(shared.nodes.load(Ordering::Relaxed), &rest.whole(&first.tree));
            }
            if looked.is_err() {
                shared.done.store(true, Ordering::Relaxed);
            }
        }
    });
    looked?;
    budget.add(shared.nodes.load(Ordering::Relaxed) - begun);
    watch.probes = shared.probes.load(Ordering::Relaxed);
    let first = shared.tree.into_inner().unwrap_or_else(PoisonError::into_inner);
    let end = if first.tree.root().numbers().solved().is_some() {
        End::Solved
    } else if shared.memory.load(Ordering::Relaxed) {
        End::Memory
    } else {
        budget.end();
        End::Budget
    };
    Ok((end, first))
}

/// What there is of a search beside the tree that threads share.
#[derive(Clone, Copy)]
pub(super) enum Rest<'a> {
    Nothing,
    /// The table is all.
    Table,
    /// Trees below its leaves, and what puts all together.
    Trees(&'a dyn Fn(&Tree) -> Option<Tree>),
}

impl<'a> Rest<'a> {
    fn whole(self, tree: &'a Tree) -> Whole<'a> {
        match self {
            Self::Nothing => Whole::Tree(tree),
            Self::Table => Whole::Table(tree.root().numbers()),
            Self::Trees(complete) => Whole::Crown(tree, complete),
        }
    }
}

impl<G: Provable, S: Fn(usize) -> usize> Shared<'_, G, S> {
    /// Works on one leaf after the other, until the root is solved.
    fn help<D: Deeper<G>>(
        &self,
        question: &Question<'_, G>,
        position: &G::Position,
        mut deeper: D,
        mut path: Path,
        stop: &Stop,
    ) {
        let mut budget = Budget::new(&self.limits, stop).until(&self.done);
        let root = path.clone();
        while !budget.over() && !question.odd() {
            let mut first = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
            first.stand(position);
            path.clone_from(&root);
            first.select(&mut path);
            let leaf = first.here();
            if first.tree.root().numbers().solved().is_some() {
                break;
            }
            if first.tree.nodes[leaf].flags & BUSY != 0 {
                // nothing else is worth while; the budget looks at the clock
                drop(first);
                std::thread::sleep(Duration::from_micros(20));
                budget.add(0);
                continue;
            }
            if first.recall(&mut path) {
                continue;
            }
            let line: Vec<(usize, u64)> = first.nodes_of_line().collect();
            let found = first.position().clone();
            let before = first.tree.nodes[leaf];
            first.revise(&line, worse(before));
            first.tree.nodes[leaf].flags |= BUSY;
            let most = (self.size)(first.tree.stored());
            drop(first);
            let (counted, probed) = (budget.nodes, deeper.probes());
            let end = deeper.look(leaf, &found, most, &mut path, &mut budget);
            self.nodes.fetch_add(budget.nodes - counted, Ordering::Relaxed);
            self.probes.fetch_add(deeper.probes() - probed, Ordering::Relaxed);
            let mut first = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
            first.tree.nodes[leaf].flags &= !BUSY;
            let found = (!matches!(end, End::Budget | End::Memory)).then(|| deeper.found());
            let found = found.filter(|_| deeper.hang(&mut first, leaf).is_ok());
            if let Some(solved) = first.revise(&line, found.unwrap_or(before)) {
                deeper.solved(&first.tree, solved);
            }
            if found.is_none() && end != End::Budget {
                self.memory.store(true, Ordering::Relaxed);
                break;
            }
        }
        self.done.store(true, Ordering::Relaxed);
    }
}

/// Numbers of a leaf that somebody works on.
fn worse(node: Node) -> Node {
    let worse = |number: u32| number.saturating_mul(2).saturating_add(2).min(INFINITE - 1);
    Node { proof: worse(node.proof), disproof: worse(node.disproof), ..node }
}
