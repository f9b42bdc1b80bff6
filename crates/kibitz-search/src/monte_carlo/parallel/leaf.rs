//! Leaf parallelisation: one thread walks through the tree, and all play out a game from the leaf that it finds.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use kibitz_game::{Budget, Limits, Report};

use super::super::Steps;
use super::super::simulation::{End, Leaf, PLAYERS, Setup, Worker};
use super::super::tree::Tree;
use crate::helper::spawn;
use crate::{Context, Searchable};

/// Where a leaf is put up, and what the others made of it.
struct Board<P> {
    leaf: RwLock<Option<P>>,
    /// Counts the leaves; the last number of all ends the work.
    number: AtomicU64,
    /// How many have not finished yet.
    busy: AtomicUsize,
    games: Vec<Mutex<Game>>,
}

const END: u64 = u64::MAX;

/// A game that a thread played out.
struct Game {
    rewards: [f64; PLAYERS],
    plies: u32,
    cut: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the work of the others even when the search ends by a panic.
struct Ending<'a, P>(&'a Board<P>);

impl<P> Drop for Ending<'_, P> {
    fn drop(&mut self) {
        self.0.number.store(END, Release);
    }
}

/// Waits, at first without giving the processor away, because a game takes a few microseconds.
fn wait(mut over: impl FnMut() -> bool) {
    for turn in 0u32.. {
        if over() {
            return;
        }
        if turn < 200 { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}

/// Searches with one tree, which `trees` may have already, and leaves it there.
pub(in super::super) fn leaf<G: Searchable>(
    setup: &Setup<'_, G>,
    trees: &mut Vec<Tree<G::Position, G::Move>>,
    context: &mut Context<'_, G::Move>,
    limits: &Limits,
    budget: &mut Budget<'_>,
    report: &mut Report<G::Move>,
) {
    let mut worker = Worker::new(setup, 0);
    let mut tree = trees.pop().unwrap_or_else(|| {
        let mut tree = setup.tree(setup.uct.memory_mb, false, limits.simulations);
        worker.plant(&mut tree);
        tree
    });
    if tree.is_empty() {
        return;
    }
    let helpers = setup.uct.threads - 1;
    let board: Board<G::Position> = Board {
        leaf: RwLock::new(None),
        number: 0.into(),
        busy: 0.into(),
        games: (0..helpers).map(|_| Mutex::new(Game { rewards: [0.0; PLAYERS], plies: 0, cut: 0 })).collect(),
    };
    let most = setup.uct.most(limits);
    let mut steps = Steps::new(setup.uct, limits);
    budget.spend();
    std::thread::scope(|scope| {
        let board = &board;
        let ending = Ending(board);
        let threads: Vec<_> = (0..helpers)
            .filter_map(|id| spawn(scope, move || board.play(id, &mut Worker::new(setup, id as u64 + 1))))
            .collect();
        let helpers = threads.len();
        while worker.tally.simulations < most && !budget.over() && setup.root_value(&tree).is_none() {
            let left = most - worker.tally.simulations;
            let plies = worker.simulate_all(&mut tree, board, helpers.min(left as usize - 1), helpers);
            budget.add(u64::from(plies));
            if tree.wants_room() {
                tree.make_room();
            }
            if steps.due(worker.tally.simulations)
                && steps.look(setup, &tree, &worker.tally, budget, context.progress, report)
            {
                break;
            }
        }
        drop(ending);
        for thread in threads {
            thread.join();
        }
    });
    setup.conclude(&tree, &[], &worker.tally, false, report);
    trees.push(tree);
}

impl<P: Clone> Board<P> {
    /// Plays out every leaf that is put up.
    fn play<G: Searchable<Position = P>>(&self, id: usize, worker: &mut Worker<'_, G>) {
        let mut seen = 0;
        loop {
            wait(|| self.number.load(Acquire) != seen);
            seen = self.number.load(Acquire);
            if seen == END {
                return;
            }
            let leaf = self.leaf.read().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(mut position) = leaf {
                worker.tally.cut = 0;
                worker.player.begin();
                let plies = worker.play_to_end(&mut position);
                *lock(&self.games[id]) = Game { rewards: worker.rewards, plies, cut: worker.tally.cut };
            }
            self.busy.fetch_sub(1, Release);
        }
    }
}

impl<G: Searchable> Worker<'_, G> {
    /// A simulation with so many games beside the own; `helpers` threads wait for leaves. Returns the number of moves played.
    fn simulate_all(
        &mut self,
        tree: &mut Tree<G::Position, G::Move>,
        board: &Board<G::Position>,
        beside: usize,
        helpers: usize,
    ) -> u32 {
        let leaf = self.descend(tree);
        let Leaf { mut position, end: End::Open } = leaf else {
            // nothing is left to chance: once is enough
            return self.finish(tree, leaf);
        };
        *board.leaf.write().unwrap_or_else(PoisonError::into_inner) = Some(position.clone());
        board.busy.store(helpers, Relaxed);
        board.number.fetch_add(1, Release);
        let mut plies = self.path.len() as u32 + self.play_to_end(&mut position);
        self.credit(tree, None);
        self.player.forget_playout();
        self.tally.simulations += 1;
        wait(|| board.busy.load(Acquire) == 0);
        for game in &board.games[..beside] {
            let game = lock(game);
            self.rewards = game.rewards;
            self.tally.cut += game.cut;
            plies += game.plies;
            self.credit(tree, None);
            self.tally.simulations += 1;
        }
        plies
    }
}
