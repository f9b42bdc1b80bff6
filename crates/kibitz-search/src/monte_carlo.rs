//! UCT: Monte-Carlo tree search with upper confidence bounds, and the parts that its relatives are made of.
//!
//! One file a part: the [`tree`], the [`selection`] of an edge, the [`simulation`] with expansion and playout, [`back_up`],
//! the [`solver`], the [`final_move`], the [`report`]; [`parallel`] has the ways to use several threads.

mod back_up;
mod cells;
pub(crate) mod exponential;
mod final_move;
#[allow(dead_code)]
mod heuristic;
mod logarithm;
mod parallel;
#[allow(dead_code)]
mod playout;
mod report;
mod selection;
mod simulation;
mod solver;
mod tree;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kibitz_game::{Bound, Budget, Iteration, Limits, Report, Turn};

use crate::{Context, NotSupported, Searchable, refuse_hidden};
pub use final_move::FinalMove;
pub use selection::Selection;
use simulation::{Setup, Worker};
use tree::{Access, Tree};

/// UCT (Kocsis and Szepesvári 2006) with proven values (MCTS-Solver; Winands, Björnsson and Saito 2008), for any number of
/// players and for games of chance.
///
/// Results are scaled to [0, 1] over the player's range, so the constant means the same in every game. Every playout
/// adds one position to the tree. Proofs stop at chance nodes and are not sought with more than two players; there,
/// averages decide.
#[derive(Clone, Debug)]
pub struct Uct {
    /// How the edge to follow is chosen.
    pub selection: Selection,
    /// The weight of exploration, C in v + C·sqrt(ln n / nᵢ).
    pub c: f64,
    /// The bound of a move that was never tried, as a reward between 0 and 1 (first-play urgency; Gelly and Wang 2006); none
    /// for infinity: every move is tried once, in random order, before any is tried again.
    pub first_play_urgency: Option<f64>,
    /// How often a position must have been visited before its moves enter the tree (Coulom 2007).
    pub expansion_threshold: u32,
    /// Proves positions whose subtree is decided, and never visits them again.
    pub solver: bool,
    /// How the move is chosen at the end.
    pub final_move: FinalMove,
    /// The memory that the tree may use, in megabytes; a full tree is no longer extended, only refined.
    pub memory_mb: usize,
    /// The seed.
    pub seed: u64,
    /// How many threads search.
    pub threads: usize,
}

impl Default for Uct {
    fn default() -> Self {
        Self {
            selection: Selection::Ucb1,
            c: std::f64::consts::SQRT_2,
            first_play_urgency: None,
            expansion_threshold: 1,
            solver: true,
            final_move: FinalMove::Robust,
            memory_mb: 256,
            seed: 0,
            threads: 1,
        }
    }
}

impl Uct {
    /// Simulates until a limit is reached or the root is proven.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        refuse_hidden::<G>("Uct")?;
        let limits = context.limits.shared(self.threads.max(1));
        // raised by the thread that has proven the root
        let done = AtomicBool::new(false);
        let mut budget = Budget::new(&limits, context.stop).until(&done);
        let mut report = Report { bound: Bound::Estimate, ..Report::new() };
        if game.turn(position) == Turn::Over {
            budget.spend();
            report.value = game.result(f64::from(game.score(position, 0)));
            report.bound = Bound::Exact;
            report.proven = true;
        } else {
            let setup = Setup::new(self, game, position);
            parallel::root(&setup, context, &mut budget, &limits, &done, &mut report);
        }
        report.nodes = budget.nodes;
        report.time = budget.elapsed();
        Ok(report)
    }

    /// How many simulations a thread may make: visits of all threads together fit into 32 bits.
    fn most(&self, limits: &Limits) -> u64 {
        limits.simulations.unwrap_or(u64::MAX).min(u64::from(u32::MAX) / self.threads.max(1) as u64 - 1)
    }
}

/// The share of the limits after which a search for a robust max child may end.
const ENOUGH: f64 = 2.0 / 3.0;

/// Whether a robust max child is sought every so many simulations.
const LOOK: u64 = 64;

/// The simulations of one thread with a tree of its own.
fn run<G: Searchable>(
    tree: &mut Tree<G::Position, G::Move>,
    worker: &mut Worker<'_, G>,
    limits: &Limits,
    progress: &mut dyn FnMut(&Iteration<G::Move>),
    budget: &mut Budget<'_>,
    report: &mut Report<G::Move>,
) {
    if tree.is_empty() {
        return;
    }
    let setup = worker.setup;
    let limit = setup.uct.most(limits);
    let mut next_step = 1024;
    let mut next_look = if setup.uct.final_move == FinalMove::RobustMax { LOOK } else { u64::MAX };
    budget.spend();
    while worker.tally.simulations < limit && !budget.over() && !tree.root_proven() {
        let plies = worker.simulate(&mut Access::Sole(tree));
        budget.add(u64::from(plies));
        if worker.tally.simulations == next_step {
            next_step *= 2;
            setup.conclude(tree, tree.bytes(), &worker.tally, report);
            let step = Iteration {
                depth: worker.tally.simulations,
                value: report.value,
                nodes: budget.nodes,
                time: budget.elapsed(),
                pv: report.pv.clone(),
            };
            progress(&step);
            report.history.push(step);
        }
        if worker.tally.simulations == next_look {
            next_look += LOOK;
            if spent(limits, worker.tally.simulations, budget) >= ENOUGH && setup.agreed(tree) {
                break;
            }
        }
    }
}

/// The share of the limits that is spent.
fn spent(limits: &Limits, simulations: u64, budget: &Budget<'_>) -> f64 {
    let share = |spent: f64, limit: Option<f64>| limit.map_or(0.0, |limit| spent / limit.max(f64::MIN_POSITIVE));
    share(simulations as f64, limits.simulations.map(|limit| limit as f64))
        .max(share(budget.nodes as f64, limits.nodes.map(|limit| limit as f64)))
        .max(share(budget.elapsed().as_secs_f64(), limits.time.as_ref().map(Duration::as_secs_f64)))
}
