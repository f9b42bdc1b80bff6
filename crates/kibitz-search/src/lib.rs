//! The search algorithms of kibitz. Each is generic over the game and speaks only [`kibitz_game`]; no file here knows a
//! game.
//!
//! An algorithm is a struct of parameters whose defaults are the published ones, with one method `search` that takes the
//! game, a position and a [`Context`] (limits, stop, progress) and returns a [`Report`].

mod alpha_beta;
mod b_star;
mod best_first;
mod chance;
mod helper;
mod incremental_transpositions;
mod is_mcts;
mod lines;
mod many;
mod minimax;
mod monte_carlo;
mod perft;
mod playouts;
mod simulation;
mod single;
mod trials;
mod ubfm;

mod uniform;

use kibitz_game::{
    AnyTurn, Chance, Evaluate, Game, Hidden, Iteration, Limits, Order, Playout, Puzzle, Ranked, Repetition, Stop, Turn,
};
use std::fmt;

pub use alpha_beta::{
    AlphaBeta, BestNode, Check, Driver, FirstGuess, FutilityMargin, History, Increment, LateMoves, MultiCut, NextGuess,
    NullMove, Ordering, QualityTest, RankCut, Scout, Selective, Singular, UniformTree, Variant,
};
pub use b_star::{BStar, Strategy};
pub use chance::{ChanceMethod, ChanceProbCut, EstimateWindow, Filter, MoveFilter, Noise, Schedule, StarMinimax};
pub use incremental_transpositions::{IncrementalTranspositions, TableSize};
pub use is_mcts::IsMcts;
pub use kibitz_game::Report;
pub use many::{
    Coalition, MOST_PLAYERS, MaxN, MpMix, ProbMaxN, Prudence, Pruning, Reduction, SoftMaxN, Ties, Types, Utility,
};
pub use minimax::Minimax;
pub use monte_carlo::{
    BackUp, Bias, FinalMove, Kept, LastGoodReply, Opponents, Parallel, Playing, Policy, ProofNumbers, ProofRule, Rave,
    Scaling, Selection, Uct, Verdict, Widening,
};
pub use perft::perft;
pub use playouts::{Playouts, Style, playouts};
pub use simulation::Simulation;
pub use single::{
    AStar, BeamSearch, IdaStar, Layers, NestedMonteCarlo, NestedRollout, Plan, PlayoutStrategy, SimulatedAnnealing,
    SpMcts, TimeControl, Untried, Winner,
};
pub use trials::{Control, Difference, Rule, Scheduler, Trials};
pub use ubfm::{Decision, Ubfm};

pub use uniform::Uniform;

/// Whether searches can write their tree down. What it costs when nobody asks for it is the difference to a build without it.
pub(crate) const TRACING: bool = cfg!(feature = "trace");

/// A game with every capability that the algorithms of this crate ask for.
pub trait Searchable:
    Game + Evaluate + Order + Chance + Hidden + Repetition + AnyTurn + Playout + Puzzle + Ranked
{
}

impl<G: Game + Evaluate + Order + Chance + Hidden + Repetition + AnyTurn + Playout + Puzzle + Ranked> Searchable for G {}

/// What a search is given beside the game and the position.
pub struct Context<'a, M> {
    /// When to end.
    pub limits: &'a Limits,
    /// Ends the search from outside.
    pub stop: &'a Stop,
    /// The keys of the positions of the game before the root, oldest first, for games whose rules mention repetition.
    pub past: &'a [u64],
    /// Told of every completed step.
    pub progress: &'a mut dyn FnMut(&Iteration<M>),
}

/// A game that a method cannot search, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSupported(pub String);

impl fmt::Display for NotSupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotSupported {}

impl NotSupported {
    /// A game of chance, for a search that cannot deal with it.
    pub fn chance(method: &str) -> Self {
        Self(format!("{method} searches games without chance; this one has chance nodes: use Star2 or Uct"))
    }

    /// A game without chance, for a search that is about nothing else.
    pub fn no_chance(method: &str) -> Self {
        Self(format!("{method} searches games of chance; this one has none: use AlphaBeta"))
    }

    /// A game that never has more than two players, for a search about more.
    pub fn two_players(method: &str) -> Self {
        Self(format!(
            "{method} searches games of many players; this one never has more than two, and with scores that add up to zero \
             it would be minimax: use AlphaBeta"
        ))
    }

    /// A game of several players, for a search of one.
    pub fn players(method: &str, players: usize) -> Self {
        Self(format!(
            "{method} searches games of one player for the best line; this one has {players} players: use Uct"
        ))
    }

    fn memory(megabytes: usize) -> Self {
        Self(format!("this machine cannot give a table of {megabytes} MB: lower tt_mb"))
    }
}

/// Refuses games with hidden information, for methods that would look at what a player cannot see.
pub fn refuse_hidden<G: Hidden>(method: &str, game: &G) -> Result<(), NotSupported> {
    if game.hides() {
        let instead = if G::BELIEF { "Star2 or Uct" } else { "IsMcts, Determinized or Simulation" };
        return Err(NotSupported(format!(
            "{method} searches games without hidden information; this one hides something from its players: use {instead}"
        )));
    }
    Ok(())
}

/// Where a search begins that knows of chance: with the position, or where something is hidden with what the player to move
/// knows of it, so that nothing else can leak.
fn believed<G: Searchable>(method: &str, game: &G, position: &G::Position) -> Result<G::Position, NotSupported> {
    if !game.hides() {
        return Ok(position.clone());
    }
    match game.turn(position) {
        Turn::Over => Ok(position.clone()),
        Turn::Player(player) if G::BELIEF => Ok(game.belief(position, usize::from(player))),
        Turn::Chance if G::BELIEF => Err(NotSupported(format!(
            "{method} searches what the player to move knows; here chance is to move, and the players know different things"
        ))),
        _ => Err(NotSupported(format!(
            "{method} searches games without hidden information, or with a belief about it; this one hides something from \
             its players: use IsMcts, Determinized or Simulation"
        ))),
    }
}

/// Refuses games that a method of the minimax family cannot search.
fn require_minimax<G: Searchable>(method: &str, game: &G) -> Result<(), NotSupported> {
    refuse_hidden(method, game)?;
    if game.players() > 2 {
        return Err(NotSupported(format!(
            "{method} searches games of one or two players; this one has {}: use MaxN, Paranoid, BestReply or Uct",
            game.players()
        )));
    }
    Ok(())
}

/// Refuses a search without limits of a game that shows no sign of ending.
fn require_end<G: Searchable>(game: &G, position: &G::Position, limits: &Limits) -> Result<(), NotSupported> {
    if *limits != Limits::default() {
        return Ok(());
    }
    let mut random = kibitz_game::Random::new(0);
    let mut buffer = Vec::new();
    for _ in 0..4 {
        if game.playout(&mut position.clone(), &mut random, &mut buffer, LONGEST) < LONGEST {
            return Ok(());
        }
    }
    Err(NotSupported(format!(
        "random play did not end within {LONGEST} plies: give the search a limit (depth, nodes or seconds)"
    )))
}

/// The length in plies at which a random game counts as endless.
const LONGEST: u32 = 5000;
