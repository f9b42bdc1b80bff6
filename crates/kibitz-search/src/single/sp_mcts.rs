//! Single-player Monte-Carlo tree search.
//!
//! M. Schadd, M. Winands, J. van den Herik, G. Chaslot and J. Uiterwijk, *Single-Player Monte-Carlo Tree Search*, Computers and Games 2008;
//! M. Schadd, *Selective Search in Games of Different Complexity*, thesis, Maastricht 2011, chapter 3; M. Schadd, M. Winands, M. Tak
//! and J. Uiterwijk, *Single-player Monte-Carlo tree search for `SameGame`*, Knowledge-Based Systems 34 (2012). Results are the game's own
//! points; the thesis' own constants fit results that were divided by some number, which it does not give: that is `result_scale`.

mod simulation;
mod tally;
mod tree;

use kibitz_game::{Random, Report};

use super::playing::{Player, Strategy};
use super::team::{Searches, run};
use crate::{Context, NotSupported, Searchable};
use simulation::Search;
use tally::Tally;

/// How the budget is spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TimeControl {
    /// One search from the position with all of it.
    #[default]
    Game,
    /// A search before each move of a game, with the budget divided by this length of a game.
    Move(f64),
}

/// Which move is played after each search, where time is spent move by move. The thesis does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Winner {
    /// The next move of the best line known so far.
    #[default]
    BestLine,
    /// The move with the highest score seen behind it.
    Top,
    /// The move with the highest mean.
    Mean,
    /// The move with the most visits.
    Robust,
}

/// In which order moves are tried that are not in the tree yet. The thesis does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Untried {
    /// At random.
    #[default]
    Random,
    /// Those first that the playout strategy prefers.
    Preferred,
}

/// Where the playout strategy settles its plan, such as the tabu colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plan {
    /// In the position at which the playout begins.
    #[default]
    Leaf,
    /// In the position from which the search began.
    Root,
}

/// Single-player Monte-Carlo tree search. A child's bound is v + C·√(ln n / nᵢ) + √((Σr² − nᵢ·v² + D) / nᵢ), where v is the mean plus
/// W times the best result.
#[derive(Clone, Debug, PartialEq)]
pub struct SpMcts {
    /// The weight of exploration C.
    pub c: f64,
    /// The constant D that makes the deviation of rarely visited children larger.
    pub d: f64,
    /// Whether the term of the deviation is there.
    pub deviation: bool,
    /// The weight W of the best result.
    pub w: f64,
    /// Below so many visits, T, the move is chosen by the playout strategy.
    pub threshold: u32,
    /// How playouts are played.
    pub strategy: Strategy,
    /// The probability of a uniformly random move in a playout.
    pub epsilon: f64,
    /// Results are divided by this before they enter the bound.
    pub result_scale: f64,
    /// In which order moves are tried first.
    pub untried: Untried,
    /// Where the strategy of playouts makes its plan.
    pub plan: Plan,
    /// How the budget is spent.
    pub control: TimeControl,
    /// The move that is played between two searches.
    pub winner: Winner,
    /// Whether the search after a move goes on with the part of the tree behind it.
    pub keep_tree: bool,
    /// A search ends with so many nodes in memory.
    pub tree_nodes: Option<u64>,
    /// How many searches with different random numbers share the budget; none for as many as the limits allow.
    pub restarts: Option<u64>,
    /// The memory that a tree may use, in megabytes; a search ends when it is full.
    pub memory_mb: usize,
    /// The seed.
    pub seed: u64,
    /// How many threads search, each on its own.
    pub threads: usize,
}

impl Default for SpMcts {
    fn default() -> Self {
        Self {
            c: 0.1,
            d: 32.0,
            deviation: true,
            w: 0.02,
            threshold: 10,
            strategy: Strategy::Default,
            epsilon: 0.003,
            result_scale: 1.0,
            untried: Untried::Random,
            plan: Plan::Leaf,
            control: TimeControl::Game,
            winner: Winner::BestLine,
            keep_tree: false,
            tree_nodes: None,
            restarts: Some(1),
            memory_mb: 256,
            seed: 0,
            threads: 1,
        }
    }
}

impl SpMcts {
    /// Searches until the limits are reached.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let strategy = self.strategy.number(game)?;
        let searches = Searches::of(self.restarts, true);
        let (mut report, tallies, begun) = run(
            "SpMcts",
            game,
            position,
            context,
            self.threads,
            searches,
            |number, effort, tally: &mut Tally<G::Move>| {
                let player = Player::new(game, strategy, self.epsilon, Random::stream(self.seed, number));
                Search::new(self, player, tally).whole_game(position, effort);
            },
        )?;
        let mut tally = Tally::default();
        for other in &tallies {
            tally.join(other);
        }
        tally.fill(game, begun, &mut report);
        Ok(report)
    }
}
