//! UCT: Monte-Carlo tree search with upper confidence bounds, and the parts that its relatives are made of.
//!
//! One file a part: the [`tree`], the [`selection`] of an edge, the [`simulation`] with expansion and playout, [`back_up`],
//! the [`solver`], the [`final_move`], the [`report`]; [`parallel`] has the ways to use several threads.

mod back_up;
mod back_up_rule;
mod cells;
pub(crate) mod exponential;
mod final_move;
mod heuristic;
mod implicit_minimax;
mod informed_selection;
mod knowledge;
mod logarithm;
mod parallel;
mod playout;
mod progressive_bias;
mod progressive_widening;
mod proof_numbers;
mod rave;
mod report;
mod score_bounds;
mod selection;
mod simulation;
mod solver;
mod tree;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kibitz_game::{Bound, Budget, Iteration, Limits, Report, Turn};

use crate::{Context, NotSupported, Searchable, refuse_hidden};
pub use back_up_rule::BackUp;
pub use final_move::FinalMove;
pub use heuristic::Scaling;
pub use playout::{LastGoodReply, Playing, Policy, Verdict};
pub use progressive_bias::Bias;
pub use progressive_widening::Widening;
pub use proof_numbers::{ProofNumbers, ProofRule};
pub use rave::Rave;
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
    /// How games are played beyond the tree.
    pub playing: Playing,
    /// How an evaluation is scaled, for all that use one.
    pub scaling: Scaling,
    /// The evaluation in the rule of selection.
    pub bias: Bias,
    /// Lets only the best moves by evaluation take part at first.
    pub widening: Option<Widening>,
    /// Judges a move also by the games in which it was made later.
    pub rave: Option<Rave>,
    /// The weight α of the minimax value of the evaluations in the tree (Lanctot et al. 2014); 0 for none.
    pub implicit_minimax: f64,
    /// What the games of a node are worth.
    pub back_up: BackUp,
    /// Keeps bounds of the result of every position (Cazenave and Saffidine 2010); implies the solver.
    pub score_bounds: bool,
    /// Proof numbers in the rule of selection.
    pub proof_numbers: Option<ProofNumbers>,
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
            playing: Playing::default(),
            scaling: Scaling::default(),
            bias: Bias::default(),
            widening: None,
            rave: None,
            implicit_minimax: 0.0,
            back_up: BackUp::Average,
            score_bounds: false,
            proof_numbers: None,
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
    while worker.tally.simulations < limit && !budget.over() && setup.root_value(tree).is_none() {
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
