//! Maxⁿ (Luckhardt and Irani 1986) with all ways of pruning that are known for it.
//!
//! Every player makes his own component of the tuple large. Nothing can be pruned without a bound of the sum of all
//! components (Korf 1991), which games of cards have and most board games have not.

mod deepening;
mod node;
mod pruning;
mod tree;

use kibitz_game::{Budget, Limits, MAX_DEPTH, Report, Turn};

use super::tuple_table::TupleTable;
use crate::{Context, Noise, NotSupported, Ordering, Searchable, require_end};
use tree::Tree;

/// Which branches are cut where the sum of all components is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// None.
    None,
    /// By the bound of the parent (Korf 1991).
    Shallow,
    /// Also by bounds further up, if every node between is at its last branch (Sturtevant 2003). The published condition is not
    /// enough: the best of a node between may not be one that its parent would choose, either.
    LastBranch,
    /// Also by bounds further up at once; where that might matter the branch is searched again (Sturtevant 2003).
    Speculative,
    /// By the bounds of all ancestors, and never repaired: the value is not always that of maxⁿ (Sturtevant 2004).
    ApproximateDeep,
}

/// Which of several moves a player makes that are equally good for him.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The first one, in the order of the game's hints and otherwise of its list.
    Leftmost,
    /// The one that is worst for the player at the root, which makes him cautious (Schadd and Winands 2011); then the first.
    WorstForRoot,
    /// The one with the lexicographically greatest tuple, so that the value does not depend on any order.
    Total,
}

/// The parameters of maxⁿ. The defaults are those of Schadd and Winands (2011), with pruning where the game has a bound.
#[derive(Clone, Debug)]
pub struct MaxN {
    /// What is cut where the game knows the greatest sum.
    pub pruning: Pruning,
    /// How ties are broken.
    pub ties: Ties,
    /// Leaves out moves that cannot bring the player more than he has, by the bounds that the game knows of a position
    /// (Sturtevant and Korf 2000).
    pub branch_and_bound: bool,
    /// Searches depth 1, 2, … instead of the last depth at once.
    pub deepening: bool,
    /// How many plies an iteration adds.
    pub step: u32,
    /// The size of the transposition table in megabytes; 0 for none.
    pub tt_mb: usize,
    /// Uses only entries of exactly the depth that is needed, so that the value is that of plain maxⁿ.
    pub same_depth: bool,
    /// In which order moves are tried, which matters only where something is pruned.
    pub ordering: Ordering,
    /// Searches everything once with the table and without pruning, and then again with the best move of every node first: the
    /// tree that pruning leaves where the order could not be much better (Sturtevant 2004).
    pub best_first: bool,
    /// A random term of the evaluation.
    pub noise: Noise,
    /// Shuffles the root's moves, so that ties are broken at random.
    pub seed: Option<u64>,
    /// The player at the root makes the value of this one small, and his own large only where that is a tie: the directed
    /// offensive of Zuckerman, Felner and Kraus (2009).
    pub target: Option<u8>,
}

impl Default for MaxN {
    fn default() -> Self {
        Self {
            pruning: Pruning::Speculative,
            ties: Ties::WorstForRoot,
            branch_and_bound: false,
            deepening: true,
            step: 1,
            tt_mb: 64,
            same_depth: false,
            ordering: Ordering::default(),
            best_first: false,
            noise: Noise::default(),
            seed: None,
            target: None,
        }
    }
}

impl MaxN {
    /// Maxⁿ with everything switched off: no deepening, no table, no pruning, moves as the game lists them.
    pub fn plain(ties: Ties) -> Self {
        Self { pruning: Pruning::None, ties, deepening: false, tt_mb: 0, ordering: Ordering::none(), ..Self::default() }
    }

    /// The greatest ply that a search within these limits can reach.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    /// Searches until a limit is reached or every line has come to the end of the game.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        super::require_tuples("MaxN", game)?;
        require_end(game, position, context.limits)?;
        let Turn::Player(me) = game.turn(position) else {
            return super::nobody_moves("MaxN", game, position);
        };
        let table = || TupleTable::new(game.players(), self.tt_mb).ok_or_else(|| NotSupported::memory(self.tt_mb));
        let mut report = Report::new();
        let mut budget = Budget::new(context.limits, context.stop);
        let mut guide = None;
        let everything = Self { pruning: Pruning::None, branch_and_bound: false, ..self.clone() };
        if self.best_first {
            let mut tree = Tree::new(&everything, game, me, table()?, None, budget, context.past);
            tree.iterate(position, context, &mut report);
            (budget, guide) = (tree.budget, Some(tree.table));
            report.history.clear();
        }
        let before = budget.nodes;
        let mut tree = Tree::new(self, game, me, table()?, guide, budget, context.past);
        if !tree.interrupted() {
            tree.iterate(position, context, &mut report);
        }
        if tree.chance {
            return Err(NotSupported::chance("MaxN"));
        }
        report.nodes = tree.budget.nodes;
        report.time = tree.budget.elapsed();
        report.stats = tree.counters.named();
        if self.best_first {
            report.stats.push(("nodes_before", before as f64));
        }
        Ok(report)
    }
}
