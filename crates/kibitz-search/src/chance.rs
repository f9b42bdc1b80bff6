//! Search in trees with chance nodes: Expectimax, Star1, Star2, Star2.5 and `ChanceProbCut` on one skeleton, and the search
//! with a move filter.
//!
//! B. Ballard, *The \*-minimax search procedure for trees containing chance nodes*, Artificial Intelligence 21 (1983);
//! T. Hauk, M. Buro, J. Schaeffer, *Rediscovering \*-Minimax Search* and *\*-Minimax Performance in Backgammon*, Computers
//! and Games 2004; M. Schadd, *Selective Search in Games of Different Complexity*, Maastricht 2011, chapter 5.
//!
//! All values inside are real numbers in the view of the first player, who makes them large. So a chance node needs no
//! sign, its events may lead to nodes of either player, to another chance node or to the end, and trees in which chance
//! nodes come regularly or not are the same to the code. There is one loop for the nodes of players ([`node`]) and one
//! for those of chance ([`events`]); a method is which phases a chance node goes through before it searches its
//! events one by one.

mod chance_prob_cut;
mod deepening;
mod events;
mod expectimax;
mod leaf;
mod memory;
mod move_filter;
mod node;
mod ordering;
mod recorder;
mod sampling;
mod star1;
mod star2;
mod star_etc;
mod tree;

#[cfg(test)]
mod tests;

use kibitz_game::{Budget, ExactTable, Limits, MAX_DEPTH, Replacement, Report, SizedTable, Table, Turn};

use crate::{Check, Context, NotSupported, Ordering, Searchable, believed, require_end};
use recorder::Recorder;
use tree::Tree;

pub use chance_prob_cut::{ChanceProbCut, EstimateWindow};
pub use leaf::Noise;
pub use move_filter::{Filter, MoveFilter};

/// What is done at a chance node before its events are searched in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChanceMethod {
    /// Nothing, and no window anywhere: every line to the horizon (Michie 1966).
    Expectimax,
    /// Nothing: the bounds of the evaluation alone cut (Ballard 1983).
    Star1,
    /// Some moves of every event are probed (Ballard 1983).
    Star2 {
        /// The probing factor: how many moves of each event. 1 is Star2, more is Star2.5.
        probes: u32,
        /// In which order.
        schedule: Schedule,
    },
}

/// In which order Star2.5 probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// The first move of every event, then the second of every event, and so on.
    Cyclic,
    /// All probes of the first event, then all of the second, and so on.
    Sequential,
}

/// The parameters of the family. The defaults are Star2 with all enhancements.
#[derive(Clone, Debug)]
pub struct StarMinimax {
    /// The name for messages.
    pub name: &'static str,
    /// What is done at chance nodes.
    pub method: ChanceMethod,
    /// Forward pruning at chance nodes by shallow searches.
    pub prob_cut: ChanceProbCut,
    /// Whether a chance node counts as a ply.
    pub chance_plies: bool,
    /// Searches some depths one after another instead of the last one at once.
    pub deepening: bool,
    /// How many plies an iteration adds.
    pub step: u32,
    /// The size of the transposition table in megabytes; 0 for none.
    pub tt_mb: usize,
    /// Uses the exact unbounded table instead of the sized one.
    pub tt_exact: bool,
    /// Which entry stays when the table is full.
    pub replacement: Replacement,
    /// Uses only entries of exactly the depth that is needed, so that the value is that of Expectimax.
    pub same_depth: bool,
    /// Looks up the children of a chance node before searching the first (Veness and Blair 2007).
    pub star_etc: bool,
    /// The least remaining depth of the children at which they are looked up.
    pub etc_depth: u32,
    /// In which order moves are tried, which also says which ones are probed.
    pub ordering: Ordering,
    /// How many outcomes are drawn at a chance node, with replacement; 0 for all of them (Lanctot et al. 2013).
    pub samples: u32,
    /// A deterministic error of the evaluation.
    pub noise: Noise,
    /// Shuffles the root's moves and draws the samples.
    pub seed: Option<u64>,
    /// Searches this move of the root alone, in the game's notation.
    pub only: Option<String>,
    /// Writes down so many nodes of the last iteration, for a picture; 0 for none.
    pub trace: usize,
}

impl Default for StarMinimax {
    fn default() -> Self {
        Self {
            name: "Star2",
            method: ChanceMethod::Star2 { probes: 1, schedule: Schedule::Cyclic },
            prob_cut: ChanceProbCut::default(),
            chance_plies: true,
            deepening: true,
            step: 2,
            tt_mb: 64,
            tt_exact: false,
            replacement: Replacement::TwoDeep,
            same_depth: false,
            star_etc: true,
            etc_depth: 1,
            ordering: Ordering::default(),
            samples: 0,
            noise: Noise::default(),
            seed: None,
            only: None,
            trace: 0,
        }
    }
}

impl StarMinimax {
    /// A method with everything but its windows switched off: no deepening, no table, moves as the game lists them.
    pub fn plain(method: ChanceMethod) -> Self {
        Self { method, deepening: false, tt_mb: 0, star_etc: false, ordering: Ordering::none(), ..Self::default() }
    }

    /// The greatest ply that a search within these limits can reach. Where chance nodes do not count there may be one below
    /// every move.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        let depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        if self.chance_plies { depth } else { 2 * depth }
    }

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

    /// Searches until a limit is reached or every line has come to the end of the game.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let root = root(self.name, game, position)?;
        require_end(game, &root, context.limits)?;
        if self.prob_cut.checks.iter().any(Check::staged) && game.progress(&root).is_none() {
            return Err(NotSupported(format!(
                "{} has checks for stages of the game, but this game does not say how far it has come: fit it with one stage",
                self.name
            )));
        }
        let mut tree = Tree::new(self, game, self.table()?, Budget::new(context.limits, context.stop), context.past);
        tree.recorder = Recorder::new(self.trace);
        let mut report = Report::new();
        match game.turn(&root) {
            Turn::Over => {
                tree.budget.spend();
                report.value = game.result(f64::from(game.score(&root, 0)));
                report.proven = true;
            }
            turn => {
                tree.list_root(&root, turn)?;
                tree.iterate(&root, turn, context, &mut report);
            }
        }
        report.nodes = tree.budget.nodes;
        report.time = tree.budget.elapsed();
        report.stats = tree.counters.named();
        report.trace = tree.recorder.take().and_then(|recorder| recorder.finish());
        Ok(report)
    }
}

/// The position where a search begins: what the player to move knows of it. Refuses games that this family cannot search.
fn root<G: Searchable>(method: &str, game: &G, position: &G::Position) -> Result<G::Position, NotSupported> {
    if !G::CHANCE {
        return Err(NotSupported::no_chance(method));
    }
    if game.players() > 2 {
        return Err(NotSupported(format!(
            "{method} searches games of one or two players; this one has {}: use Uct",
            game.players()
        )));
    }
    believed(method, game, position)
}
