//! The search of a question with trees: one level, two, and two with several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kibitz_game::{Budget, Limits};

use super::Provable;
use super::best_first::{End, Search};
use super::kernel::kernel_of;
use super::numbers::{INFINITE, Numbers};
use super::path::Path;
use super::question::Question;
use super::solve::{Refused, Searched, Solver, Work, not_supported};
use super::tree::{BUSY, Node, Tree};
use super::two_level::{self, SecondLevel, attach, look_deeper};
use super::watch::{Watch, Whole};

/// A position of this size is kept beside its node, which then has 32 bytes; others are played again.
const SMALL: usize = 16;

fn searched(tree: &Tree, end: End) -> Searched {
    let numbers = tree.root().numbers();
    let kept = numbers.solved().map_or_else(Vec::new, |value| kernel_of(tree, value));
    let root = tree.root();
    let leading = (root.count > 0).then(|| tree.most_proving(0) - root.first as usize);
    Searched { end, numbers, stored: tree.stored(), kept, leading }
}

impl Solver {
    /// How many nodes of a size fit into the memory.
    fn capacity(&self, each: usize, watch: &Watch<'_, '_>) -> usize {
        // a tree with gaps is copied before it is saved
        let copies = if self.delete_solved && watch.checkpoint.is_some() { 2 } else { 1 };
        (self.memory_mb << 20) / each / copies
    }

    pub(super) fn one_level<G: Provable>(&self, work: &mut Work<'_, '_, '_, G>) -> Result<Searched, Refused> {
        let small = size_of::<G::Position>() <= SMALL && !G::SLOW;
        let each = size_of::<Node>() + if small { size_of::<G::Position>() } else { 0 };
        let mut search = self.planted(work, self.capacity(each, work.watch), small)?;
        let Work { path, budget, watch, .. } = work;
        let end = loop {
            if search.tree.root().numbers().solved().is_some() {
                break End::Solved;
            }
            let until = budget.nodes + 4096;
            match search.run(usize::MAX, until, path, budget) {
                End::Size => watch.look(budget.nodes, &Whole::Tree(&search.tree))?,
                end => break end,
            }
        };
        search.leave(path);
        watch.finish(budget.nodes, &Whole::Tree(&search.tree))?;
        Ok(searched(&search.tree, end))
    }

    pub(super) fn two_levels<G: Provable>(
        &self,
        work: &mut Work<'_, '_, '_, G>,
        rule: SecondLevel,
    ) -> Result<Searched, Refused> {
        let capacity = self.capacity(2 * size_of::<Node>() + work.question.game.position_bytes(), work.watch);
        let mut first = self.planted(work, capacity, false)?;
        let mut second = self.second(work.question, capacity)?;
        let Work { path, budget, watch, .. } = work;
        // what a second level has made when it is cut short is lost: the one who goes on makes it again
        let mut complete = budget.nodes;
        let end = loop {
            if first.tree.root().numbers().solved().is_some() {
                break End::Solved;
            }
            match two_level::step(&mut first, &mut second, rule, path, budget) {
                End::Size => watch.look(budget.nodes, &Whole::Tree(&first.tree))?,
                End::Solved => (),
                end => break end,
            }
            complete = budget.nodes;
        };
        first.leave(path);
        watch.finish(complete, &Whole::Tree(&first.tree))?;
        Ok(searched(&first.tree, end))
    }

    /// PN² with several second levels at once. A leaf that a thread works on has numbers that make the others look elsewhere.
    pub(super) fn shared_levels<G: Provable>(
        &self,
        work: &mut Work<'_, '_, '_, G>,
        rule: SecondLevel,
    ) -> Result<Searched, Refused> {
        let own = size_of::<Node>() + work.question.game.position_bytes();
        let capacity = self.capacity(size_of::<Node>() + self.threads * own, work.watch);
        let mut first = self.planted(work, capacity, false)?;
        first.never_prune();
        let seconds = (0..self.threads).map(|_| self.second(work.question, capacity));
        let seconds: Vec<_> = seconds.collect::<Result<_, _>>()?;
        let Work { question, position, path, budget, watch, limits, stop, .. } = work;
        let (question, position) = (*question, *position);
        let begun = budget.nodes;
        let left = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(begun)),
            time: limits.time.map(|time| time.saturating_sub(budget.elapsed())),
            ..Limits::default()
        };
        let shared = Shared {
            first: Mutex::new(first),
            nodes: AtomicU64::new(begun),
            done: AtomicBool::new(false),
            memory: AtomicBool::new(false),
            limits: left.shared(self.threads),
            rule,
        };
        let mut looked = Ok(());
        std::thread::scope(|scope| {
            let workers: Vec<_> = seconds
                .into_iter()
                .map(|second| {
                    let (shared, path, stop) = (&shared, path.clone(), *stop);
                    scope.spawn(move || shared.help(question, position, second, path, stop))
                })
                .collect();
            while !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                std::thread::sleep(Duration::from_millis(2));
                let first = shared.first.lock().unwrap_or_else(PoisonError::into_inner);
                if looked.is_ok() {
                    looked = watch.look(shared.nodes.load(Ordering::Relaxed), &Whole::Tree(&first.tree));
                }
                if looked.is_err() {
                    shared.done.store(true, Ordering::Relaxed);
                }
            }
        });
        looked?;
        budget.add(shared.nodes.load(Ordering::Relaxed) - begun);
        let first = shared.first.into_inner().unwrap_or_else(PoisonError::into_inner);
        let end = if first.tree.root().numbers().solved().is_some() {
            End::Solved
        } else if shared.memory.load(Ordering::Relaxed) {
            End::Memory
        } else {
            budget.end();
            End::Budget
        };
        watch.finish(budget.nodes, &Whole::Tree(&first.tree))?;
        Ok(searched(&first.tree, end))
    }

    /// A search that stands at the root of a new tree, or of one that was saved.
    fn planted<'a, G: Provable>(
        &self,
        work: &mut Work<'a, '_, '_, G>,
        capacity: usize,
        keep: bool,
    ) -> Result<Search<'a, G>, Refused> {
        let saved = std::mem::take(&mut work.saved);
        if saved.is_empty() {
            let tree = Tree::new(capacity).ok_or_else(|| self.no_memory())?;
            let positions = if keep { Some(self.positions(capacity)?) } else { None };
            let mut search = Search::new(work.question, self.leaf, self.delete_solved, tree, positions);
            search.plant(work.position);
            work.budget.add(1);
            return Ok(search);
        }
        let too_small = || not_supported("the tree of the checkpoint does not fit into memory_mb: give it more");
        let tree = Tree::restored(saved, capacity).ok_or_else(too_small)?;
        let mut search = Search::new(work.question, self.leaf, self.delete_solved, tree, None);
        search.stand(work.position);
        Ok(search)
    }

    fn second<'a, G: Provable>(
        &self,
        question: &'a Question<'a, G>,
        capacity: usize,
    ) -> Result<Search<'a, G>, Refused> {
        let tree = Tree::new(capacity).ok_or_else(|| self.no_memory())?;
        Ok(Search::new(question, self.leaf, false, tree, Some(self.positions(capacity)?)))
    }

    fn positions<P>(&self, capacity: usize) -> Result<Vec<P>, Refused> {
        let mut positions = Vec::new();
        positions.try_reserve_exact(capacity).map_err(|_| self.no_memory())?;
        Ok(positions)
    }
}

/// What threads share.
struct Shared<'a, G: Provable> {
    first: Mutex<Search<'a, G>>,
    nodes: AtomicU64,
    done: AtomicBool,
    memory: AtomicBool,
    limits: Limits,
    rule: SecondLevel,
}

impl<G: Provable> Shared<'_, G> {
    /// Works on one leaf after the other, until the root is solved.
    fn help(
        &self,
        question: &Question<'_, G>,
        position: &G::Position,
        mut second: Search<'_, G>,
        mut path: Path,
        stop: &kibitz_game::Stop,
    ) {
        let mut budget = Budget::new(&self.limits, stop).until(&self.done);
        let root = path.clone();
        while !budget.over() && !question.odd() {
            let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
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
            let line: Vec<usize> = first.nodes_of_line().collect();
            let found = first.position().clone();
            let before = first.tree.nodes[leaf].numbers();
            first.tree.nodes[leaf].flags |= BUSY;
            revise(&mut first.tree, &line, worse(before));
            let most = self.rule.size(first.tree.stored());
            drop(first);
            let counted = budget.nodes;
            let end = look_deeper(&mut second, &found, most, &mut path, &mut budget);
            self.nodes.fetch_add(budget.nodes - counted, Ordering::Relaxed);
            let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
            first.tree.nodes[leaf].flags &= !BUSY;
            let failed =
                matches!(end, End::Budget | End::Memory) || attach(&mut first.tree, leaf, &second.tree).is_err();
            let numbers = if failed { before } else { second.tree.root().numbers() };
            revise(&mut first.tree, &line, numbers);
            if failed && end != End::Budget {
                self.memory.store(true, Ordering::Relaxed);
                break;
            }
        }
        self.done.store(true, Ordering::Relaxed);
    }
}

/// Numbers of a leaf that somebody works on.
fn worse(numbers: Numbers) -> Numbers {
    let worse = |number: u32| number.saturating_mul(2).saturating_add(2).min(INFINITE - 1);
    Numbers { proof: worse(numbers.proof), disproof: worse(numbers.disproof) }
}

/// Gives a leaf other numbers, and its ancestors theirs.
fn revise(tree: &mut Tree, line: &[usize], numbers: Numbers) {
    let Some((&leaf, above)) = line.split_last() else { return };
    tree.nodes[leaf].set(numbers);
    for &node in above.iter().rev() {
        let numbers = tree.numbers_of(node);
        tree.nodes[node].set(numbers);
    }
}
