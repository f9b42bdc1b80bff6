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
mod opponent_moves;
mod opponents;
mod parallel;
mod pending;
mod playout;
mod progressive_bias;
mod progressive_widening;
mod proof_numbers;
mod rave;
mod report;
mod reuse;
mod score_bounds;
mod selection;
mod simulation;
mod solver;
mod trace;
mod tree;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kibitz_game::{Bound, Budget, Iteration, Limits, Oracle, Report, Turn};

use crate::{Context, NotSupported, Searchable, believed};
pub use back_up_rule::BackUp;
pub use final_move::FinalMove;
pub use heuristic::Scaling;
pub use opponents::Opponents;
pub use parallel::Parallel;
pub use playout::{LastGoodReply, Playing, Policy, Verdict};
pub use progressive_bias::Bias;
pub use progressive_widening::Widening;
pub use proof_numbers::{ProofNumbers, ProofRule};
pub use rave::Rave;
pub use reuse::Kept;
pub use selection::Selection;
use simulation::{Setup, Tally, Worker};
use tree::Tree;

/// UCT (Kocsis and Szepesvári 2006) with proven values (MCTS-Solver; Winands, Björnsson and Saito 2008), for any number of
/// players and for games of chance.
///
/// Results are scaled to [0, 1] over the player's range, so the constant means the same in every game. Every playout
/// adds one position to the tree. Proofs stop at chance nodes and are not sought with more than two players; there,
/// averages decide.
#[derive(Clone, Debug, PartialEq)]
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
    /// What the others are thought to want, where there are several.
    pub opponents: Opponents,
    /// Judges a move of the player at the root also by all games in which he made it after the same moves of his own, whatever
    /// the others did; both means count the same after so many visits (Baier and Kaisers 2020). None: it does not.
    pub opponent_move_abstraction: Option<f64>,
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
    /// The memory that the tree may use, in megabytes; when it is full, the least visited nodes are given up for new ones.
    pub memory_mb: usize,
    /// The seed.
    pub seed: u64,
    /// How many threads search.
    pub threads: usize,
    /// What they share.
    pub parallel: Parallel,
    /// How many of the most visited positions of the tree the report has; none for 0. Of trees that are added up it is the
    /// first, with the sums at its root.
    pub trace: usize,
    /// Values that are known for sure: no game is played from a position that it has, and the solver takes it for proven.
    pub database: Option<Oracle>,
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
            opponents: Opponents::MaxN,
            opponent_move_abstraction: None,
            back_up: BackUp::Average,
            score_bounds: false,
            proof_numbers: None,
            solver: true,
            final_move: FinalMove::Robust,
            memory_mb: 256,
            seed: 0,
            threads: 1,
            parallel: Parallel::Root,
            trace: 0,
            database: None,
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
        self.search_on(game, position, context, &mut None)
    }

    /// The same, beginning with what an earlier search has left, if the position follows from its own; and leaves its tree
    /// for the next one.
    pub fn search_on<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
        kept: &mut Option<Kept<G::Position, G::Move>>,
    ) -> Result<Report<G::Move>, NotSupported> {
        if G::MANY && self.opponents != Opponents::MaxN && game.players() > 2 {
            return self.search_reduced(game, position, context);
        }
        self.search_tree(game, position, context, kept)
    }

    /// The search of a game as it is.
    fn search_tree<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
        kept: &mut Option<Kept<G::Position, G::Move>>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let position = &believed("Uct", game, position)?;
        let several = self.threads > 1;
        let limits = match self.parallel {
            Parallel::Leaf if several => context.limits.clone(),
            _ => context.limits.shared(self.threads.max(1)),
        };
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
            let mut trees = kept.take().map(|kept| kept.resume(&setup)).unwrap_or_default();
            let (found, out) = (&mut trees, &mut report);
            match self.parallel {
                Parallel::Tree if several => {
                    parallel::tree(&setup, found, context, &limits, &mut budget, &done, out);
                }
                Parallel::Leaf if several => parallel::leaf(&setup, found, context, &limits, &mut budget, out),
                _ => parallel::root(&setup, found, context, &limits, &mut budget, &done, out),
            }
            if self.trace > 0
                && let Some(tree) = trees.first()
            {
                report.trace = Some(setup.trace(tree, self.trace));
            }
            *kept = Kept::new(&setup, trees);
        }
        report.nodes = budget.nodes;
        report.time = budget.elapsed();
        Ok(report)
    }

    /// How many simulations a thread may make: visits of all threads together fit into 32 bits, with those of earlier
    /// searches.
    fn most(&self, limits: &Limits) -> u64 {
        limits.simulations.unwrap_or(u64::MAX).min(u64::from(u32::MAX >> 1) / self.threads.max(1) as u64 - 1)
    }
}

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
    let mut steps = Steps::new(setup.uct, limits);
    budget.spend();
    while worker.tally.simulations < limit && !budget.over() && setup.root_value(tree).is_none() {
        let plies = worker.simulate(tree);
        budget.add(u64::from(plies));
        if tree.wants_room() {
            tree.make_room();
        }
        if steps.due(worker.tally.simulations) && steps.look(setup, tree, &worker.tally, budget, progress, report) {
            break;
        }
    }
}

/// When a search reports what it has found so far, and when it knows enough.
struct Steps<'a> {
    limits: &'a Limits,
    next_step: u64,
    /// When a robust max child is sought.
    next_look: u64,
}

/// The share of the limits after which a search for a robust max child may end.
const ENOUGH: f64 = 2.0 / 3.0;

/// It is sought every so many simulations.
const LOOK: u64 = 64;

impl<'a> Steps<'a> {
    fn new(uct: &Uct, limits: &'a Limits) -> Self {
        let next_look = if uct.final_move == FinalMove::RobustMax { LOOK } else { u64::MAX };
        Self { limits, next_step: 1024, next_look }
    }

    /// Whether there is anything to do after so many simulations.
    #[inline(always)]
    fn due(&self, simulations: u64) -> bool {
        simulations >= self.next_step.min(self.next_look)
    }

    /// Reports, and says whether the search knows enough.
    fn look<G: Searchable>(
        &mut self,
        setup: &Setup<'_, G>,
        tree: &Tree<G::Position, G::Move>,
        tally: &Tally,
        budget: &Budget<'_>,
        progress: &mut dyn FnMut(&Iteration<G::Move>),
        report: &mut Report<G::Move>,
    ) -> bool {
        if tally.simulations >= self.next_step {
            self.next_step *= 2;
            setup.conclude(tree, &[], tally, tree.shared, report);
            let step = Iteration {
                depth: tally.simulations,
                value: report.value,
                nodes: budget.nodes,
                time: budget.elapsed(),
                pv: report.pv.clone(),
            };
            progress(&step);
            report.history.push(step);
        }
        if tally.simulations < self.next_look {
            return false;
        }
        self.next_look = tally.simulations + LOOK;
        self.spent(tally.simulations, budget) >= ENOUGH && setup.agreed(tree)
    }

    /// The share of the limits that is spent.
    fn spent(&self, simulations: u64, budget: &Budget<'_>) -> f64 {
        let share = |spent: f64, limit: Option<f64>| limit.map_or(0.0, |limit| spent / limit.max(f64::MIN_POSITIVE));
        share(simulations as f64, self.limits.simulations.map(|limit| limit as f64))
            .max(share(budget.nodes as f64, self.limits.nodes.map(|limit| limit as f64)))
            .max(share(budget.elapsed().as_secs_f64(), self.limits.time.as_ref().map(Duration::as_secs_f64)))
    }
}
