//! Tree parallelisation: one tree for all threads.
//!
//! The threads work on the tree without locks, and count a visit when they select an edge, so that it looks lost to the
//! others until its reward is there. When the memory is full they all stand still for a moment, and one of them makes
//! room.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{PoisonError, RwLock};

use kibitz_game::{Budget, Limits, Report};

use super::super::Steps;
use super::super::cells::Apart;
use super::super::simulation::{Setup, Tally, Worker};
use super::super::tree::Tree;
use crate::helper::spawn;
use crate::{Context, Searchable};

/// What the threads share.
struct Common<'a, P, M> {
    /// Read by all who simulate, written by the one who makes room.
    tree: RwLock<Tree<P, M>>,
    /// Raised while the tree needs room.
    pause: AtomicBool,
    /// The simulations that have been begun, and how many there may be.
    begun: Apart<AtomicU64>,
    limit: u64,
    threads: u64,
    /// Raised by the thread that knows enough.
    done: &'a AtomicBool,
}

/// Searches with one tree, which `trees` may have already, and leaves it there. `limits` are the share of each thread.
pub(in super::super) fn tree<G: Searchable>(
    setup: &Setup<'_, G>,
    trees: &mut Vec<Tree<G::Position, G::Move>>,
    context: &mut Context<'_, G::Move>,
    limits: &Limits,
    budget: &mut Budget<'_>,
    done: &AtomicBool,
    report: &mut Report<G::Move>,
) {
    let mut worker = Worker::new(setup, 0);
    let tree = trees.pop().unwrap_or_else(|| {
        let mut tree = setup.tree(setup.uct.memory_mb, true, context.limits.simulations);
        worker.plant(&mut tree);
        // others may make room before this thread begins
        worker.tell_all(&tree);
        tree
    });
    if tree.is_empty() {
        return;
    }
    let limit = context.limits.simulations.unwrap_or(u64::MAX).min(u64::from(u32::MAX >> 1));
    let threads = setup.uct.threads as u64;
    let common = Common {
        tree: RwLock::new(tree),
        pause: false.into(),
        begun: Apart::new(AtomicU64::new(0)),
        limit,
        threads,
        done,
    };
    let mut steps = Steps::new(setup.uct, context.limits);
    budget.spend();
    let stop = context.stop;
    let help = |id: usize| {
        let mut worker = Worker::new(setup, id as u64);
        let mut budget = Budget::new(limits, stop).until(done);
        common.work(&mut worker, &mut budget, |_, _, _| false);
        (worker.tally, budget.nodes)
    };
    let help = &help;
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..setup.uct.threads).filter_map(|id| spawn(scope, move || help(id))).collect();
        common.work(&mut worker, budget, |tree, worker, budget| {
            let simulations = common.begun.load(Relaxed).min(limit);
            steps.due(simulations) && {
                let tally = Tally { simulations, ..worker.tally.clone() };
                steps.look(setup, tree, &tally, budget, context.progress, report)
            }
        });
        for helper in helpers {
            let (tally, nodes) = helper.join();
            worker.tally.join(&tally);
            budget.nodes += nodes;
        }
    });
    let tree = common.tree.into_inner().unwrap_or_else(PoisonError::into_inner);
    setup.conclude(&tree, &[], &worker.tally, false, report);
    trees.push(tree);
}

impl<P: Clone + Send + Sync, M: kibitz_game::Pack + Send + Sync> Common<'_, P, M> {
    /// Begins one simulation or several at once; returns how many.
    fn begin(&self) -> u64 {
        let left = self.limit.saturating_sub(self.begun.load(Relaxed));
        let wanted = (left / (8 * self.threads)).clamp(1, 32);
        let before = self.begun.fetch_add(wanted, Relaxed);
        self.limit.saturating_sub(before).min(wanted)
    }

    /// Simulates until the search is over; `look` is asked after every simulation whether it knows enough.
    fn work<G: Searchable<Position = P, Move = M>>(
        &self,
        worker: &mut Worker<'_, G>,
        budget: &mut Budget<'_>,
        mut look: impl FnMut(&Tree<P, M>, &Worker<'_, G>, &Budget<'_>) -> bool,
    ) {
        let (mut begun, mut ended) = (0, false);
        let over = |budget: &Budget<'_>| budget.over() || self.done.load(Relaxed);
        while !ended && !over(budget) {
            if self.pause.load(Relaxed) {
                std::thread::yield_now();
                continue;
            }
            let tree = self.tree.read().unwrap_or_else(PoisonError::into_inner);
            let mut full = false;
            while !over(budget) && !full && !self.pause.load(Relaxed) {
                if begun == 0 {
                    begun = self.begin();
                }
                ended = begun == 0 || worker.setup.root_value(&tree).is_some();
                if ended {
                    break;
                }
                begun -= 1;
                let plies = worker.simulate_shared(&tree);
                budget.add(u64::from(plies));
                if look(&tree, worker, budget) {
                    self.done.store(true, Relaxed);
                }
                full = tree.wants_room();
            }
            worker.tell_all(&tree);
            drop(tree);
            // of all who found it full one makes room
            if full && !self.pause.swap(true, Relaxed) {
                let mut tree = self.tree.write().unwrap_or_else(PoisonError::into_inner);
                if tree.wants_room() {
                    tree.make_room();
                }
                self.pause.store(false, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kibitz_game::{Configure, Game, Params, Stop};
    use kibitz_games::ConnectFour;

    use super::super::super::tree::{ROOT, Slot};
    use super::super::super::{Parallel, Uct};
    use super::*;

    #[test]
    fn every_node_of_a_shared_tree_has_the_visits_of_its_edges() {
        let params = Params::complete(&ConnectFour::<u64>::parameters(), std::iter::empty()).unwrap();
        let game = ConnectFour::<u64>::configure(&params).ok().unwrap();
        let uct = Uct { threads: 6, parallel: Parallel::Tree, solver: false, c: 0.3, ..Uct::default() };
        let (stop, limits) = (Stop::new(), Limits { simulations: Some(30_000), ..Limits::default() });
        let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
        let (start, done) = (game.start(), AtomicBool::new(false));
        let setup = Setup::new(&uct, &game, &start);
        let mut trees = Vec::new();
        let budget = &mut Budget::new(&Limits::default(), &stop);
        tree(&setup, &mut trees, context, &Limits::default(), budget, &done, &mut Report::new());
        let tree = &trees[0];
        let below = |node: u32| tree.slots(node + 1, tree.node(node).count).iter().map(Slot::visits).sum::<u32>();
        assert_eq!((tree.root_visits.get(), below(ROOT)), (30_000, 30_000));
        let mut nodes = vec![ROOT];
        let mut seen = 0;
        while let Some(node) = nodes.pop() {
            for edge in node + 1..=node + tree.node(node).count {
                let slot = tree.slot(edge);
                assert!(tree.sum(edge) <= f64::from(slot.visits()) && tree.sum(edge) * 2.0 % 1.0 == 0.0);
                let Some(child) = slot.child() else { continue };
                // the first simulation ended here, and so did those that came while the node was being made
                assert!(below(child) < slot.visits());
                nodes.push(child);
                seen += 1;
            }
        }
        assert!(seen > 1000);
    }
}
