//! The minimax family on one skeleton: alpha-beta, PVS, `NegaScout`, the memory-enhanced tests (`NegaC*`, SSS*, DUAL*,
//! MTD(f)) and best-node search, with the classical enhancements and the selective methods, each of which can be switched off.
//!
//! There is one node loop ([`node`]), in which a switch says whether later moves are tried with a null window first. What
//! makes an algorithm beyond that is how the root calls it ([`drivers`], [`best_node`]).

mod best_node;
mod deepening;
mod drivers;
mod guess;
mod lazy_smp;
mod leaf;
mod node;
mod ordering;
mod prob_cut;
mod quiescence;
mod rank_cut;
mod recorder;
mod repetition;
mod scoring;
mod selective;
mod tree;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kibitz_game::{Budget, ExactTable, Limits, MAX_DEPTH, Oracle, Replacement, Report, Score, SizedTable, Table, Turn};

use crate::{Context, NotSupported, Searchable, require_end, require_minimax};
use lazy_smp::Helpers;
use recorder::Recorder;
use tree::Tree;

pub(crate) use ordering::{HistoryTable, Killers, NO_MOVE, tag};
pub(crate) use prob_cut::Checks;
pub(crate) use scoring::{Favourites, greatest, score_each};

pub use best_node::{BestNode, QualityTest, Variant};
pub use guess::{NextGuess, UniformTree};
pub use ordering::{History, Increment, Ordering};
pub use prob_cut::Check;
pub(crate) use repetition::Path;
pub use selective::{FutilityMargin, LateMoves, MultiCut, NullMove, RankCut, Selective, Singular};

/// How the root calls the search of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Driver {
    /// Once, with a full window (Knuth and Moore 1975).
    Full,
    /// With a window around the value of the last iteration, in units of the result, opened when the value lies outside.
    Aspiration(f64),
    /// Null windows that halve the range of values (Coplan 1982; Weill 1991).
    NegaCStar,
    /// Null windows from above: SSS* (Stockman 1979) as Plaat, Schaeffer, Pijls and de Bruin (1996) wrote it.
    Sss,
    /// Null windows from below: DUAL*.
    Dual,
    /// Null windows from a first guess (Plaat et al. 1996).
    Mtd(FirstGuess),
    /// Looks for the best move, not for its value (Rutko 2012).
    BestNode(BestNode),
}

/// Where a search by null windows begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstGuess {
    /// At this result, at every depth.
    At(f64),
    /// At the value of the iteration two plies earlier, since odd and even depths differ; before there is one, at the static
    /// value of the root.
    Previous,
}

/// Which moves of a node are first tried with a null window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scout {
    /// None: plain alpha-beta.
    Never,
    /// Those after one that has raised alpha (Marsland and Campbell 1982).
    Pvs,
    /// Those after the first (Reinefeld 1983).
    NegaScout {
        /// Searches again with the whole window and not from the value that the null window gave, as Rutko prints it.
        wide: bool,
    },
    /// As `NegaScout`, with values compared by their bucket only, as Chang, Tsai and Hsu (2011) are quoted. Unsound: a bucket
    /// is not symmetric under negation, and a cut within a bucket returns less than beta, which the parent takes for exact.
    AsPrinted,
}

/// The parameters of the family. The defaults are those of plain alpha-beta with all classical enhancements.
#[derive(Clone, Debug)]
pub struct AlphaBeta {
    /// The name for messages.
    pub name: &'static str,
    /// How the root calls the search.
    pub driver: Driver,
    /// Null windows at the nodes.
    pub scout: Scout,
    /// Clamps every value to the window. The default, fail-soft, returns bounds outside of it, which are never worse.
    pub fail_hard: bool,
    /// Counts values in buckets of this many units of the result, in the first player's view; 0 for none. The bucket found is
    /// that of the exact value.
    pub resolution: f64,
    /// Searches depth 1, 2, … instead of the last depth at once.
    pub deepening: bool,
    /// How many plies an iteration adds; with 2 all depths have the parity of the last.
    pub step: u32,
    /// The size of the transposition table in megabytes; 0 for none.
    pub tt_mb: usize,
    /// Uses the exact unbounded table instead of the sized one.
    pub tt_exact: bool,
    /// Remembers leaves in the table, too, so that none is evaluated twice. Costs time unless evaluations are slow.
    pub tt_leaves: bool,
    /// Which entry stays when the table is full.
    pub replacement: Replacement,
    /// Uses only entries of exactly the depth that is needed, so that the value is minimax's to the last bit.
    pub same_depth: bool,
    /// Looks up all children before searching the first (Schaeffer and Plaat 1996).
    pub etc: bool,
    /// The least remaining depth at which children are looked up.
    pub etc_depth: u32,
    /// In which order moves are tried.
    pub ordering: Ordering,
    /// What is not searched, or not as deep.
    pub selective: Selective,
    /// Shuffles the root's moves, so that ties are broken at random.
    pub seed: Option<u64>,
    /// Writes down so many nodes of the last iteration, for a picture; 0 for none.
    pub trace: usize,
    /// How many threads search; the others only fill the table that all share (lazy SMP).
    pub threads: usize,
    /// Values that are known for sure: a position below the root that it has is not searched.
    pub database: Option<Oracle>,
}

impl Default for AlphaBeta {
    fn default() -> Self {
        Self {
            name: "AlphaBeta",
            driver: Driver::Full,
            scout: Scout::Never,
            fail_hard: false,
            resolution: 0.0,
            deepening: true,
            step: 1,
            tt_mb: 64,
            tt_exact: false,
            tt_leaves: false,
            replacement: Replacement::TwoDeep,
            same_depth: false,
            etc: true,
            etc_depth: 4,
            ordering: Ordering::default(),
            selective: Selective::default(),
            seed: None,
            trace: 0,
            threads: 1,
            database: None,
        }
    }
}

/// Greater than every value.
const INFINITY: Score = Score::MAX;

impl AlphaBeta {
    /// Plain alpha-beta: no deepening, no table, moves as the game lists them.
    pub fn plain() -> Self {
        Self { deepening: false, tt_mb: 0, etc: false, ordering: Ordering::none(), ..Self::default() }
    }

    /// The table to begin with. Deepening begins with a small part of it, which stays in the cache.
    fn table(&self) -> Result<Table, NotSupported> {
        if self.tt_exact {
            return Ok(Table::Exact(ExactTable::new()));
        }
        if self.tt_mb == 0 {
            return Ok(Table::None);
        }
        let used = if self.deepening { 1 } else { self.tt_mb };
        let table = SizedTable::beginning_with(used, self.tt_mb, self.replacement);
        Ok(Table::Sized(table.ok_or_else(|| NotSupported::memory(self.tt_mb))?))
    }

    /// The greatest ply that a search within these limits can reach: singular extensions may double the depth, and
    /// quiescence search goes on beyond it.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        let depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let extended = if self.selective.singular.is_some() { 2 * depth } else { depth };
        extended + self.selective.quiescence.unwrap_or(0)
    }

    /// The first and the last depth of a search within these limits.
    fn depths(&self, limits: &Limits) -> RangeInclusive<u32> {
        let last = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let first = if self.deepening { (last.max(1) - 1) % self.step.max(1) + 1 } else { last };
        first.max(1)..=last
    }

    /// Whether a value at the horizon may be that of a quiescence search, and so a bound.
    fn quiesces(&self) -> bool {
        self.selective.quiescence.is_some()
    }

    /// The size of a bucket of values inside the search; 1 when every value counts.
    fn bucket<G: Searchable>(&self, game: &G) -> Score {
        let size = self.resolution * f64::from(game.unit());
        (size.round() as Score).max(1)
    }

    /// Searches until a limit is reached or the value is proven.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        require_minimax(self.name, game)?;
        require_end(game, position, context.limits)?;
        if let Driver::BestNode(BestNode { next_guess: NextGuess::Analytic(uniform), .. }) = &self.driver {
            uniform.check().map_err(NotSupported)?;
        }
        if self.selective.checks.iter().any(Check::staged) && game.progress(position).is_none() {
            return Err(NotSupported(format!(
                "{} has checks for stages of the game, but this game does not say how far it has come: fit it with one stage",
                self.name
            )));
        }
        let limits = context.limits.shared(self.threads.max(1));
        let table = Arc::new(self.table()?);
        let done = AtomicBool::new(false);
        let mut helpers = Helpers::new(self, game, position, &table, &limits, context.stop, &done, context.past);
        let mut tree = Tree::new(self, game, table, Budget::new(&limits, context.stop), context.past);
        tree.record(Recorder::new(self.trace));
        let mut report = Report::new();
        match game.turn(position) {
            Turn::Chance => return Err(NotSupported::chance(self.name)),
            Turn::Over => {
                tree.budget.spend();
                report.value = game.result(f64::from(game.score(position, 0)));
                report.proven = true;
            }
            Turn::Player(me) => tree.iterate(position, me, &mut helpers, context, &mut report),
        }
        if tree.chance {
            return Err(NotSupported::chance(self.name));
        }
        report.nodes = tree.budget.nodes + helpers.nodes();
        report.time = tree.budget.elapsed();
        report.stats = tree.counters.named();
        report.trace = tree.recorder.take().and_then(|recorder| recorder.finish());
        Ok(report)
    }
}
