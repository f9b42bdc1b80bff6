//! What a search returns.

use std::time::Duration;

/// What is known about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value that the method computes: minimax to the depth reached.
    Exact,
    /// The true value is this or more.
    Lower,
    /// The true value is this or less.
    Upper,
    /// An average of samples.
    Estimate,
}

impl Bound {
    /// The name that a user sees.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "lower",
            Self::Upper => "upper",
            Self::Estimate => "estimate",
        }
    }
}

/// One completed step of a search: an iteration of deepening, or a stretch of simulations.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration<M> {
    /// The depth completed, or the number of simulations so far.
    pub depth: u64,
    /// The value, as [`Report::value`].
    pub value: f64,
    /// The nodes so far.
    pub nodes: u64,
    /// The time so far.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<M>,
}

/// A move of the root with what a search found out about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Child<M> {
    /// The move.
    pub mv: M,
    /// The visits or trials, where the method counts them.
    pub visits: u64,
    /// The value, as [`Report::value`].
    pub value: f64,
    /// What is expected to be lost by not playing this move, where the method estimates it.
    pub error: Option<f64>,
}

/// A visit of a node in the tree of a search. Values are in units of the game's result and in the view of the player to move at
/// the root of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit<M> {
    /// The number of the node above it; none for a root.
    pub parent: Option<u32>,
    /// The move that led here; none for a root and for a null move.
    pub mv: Option<M>,
    /// The player to move; none when the game is over and when chance is to move.
    pub player: Option<u8>,
    /// Whether chance is to move.
    pub chance: bool,
    /// The probability of the outcome of chance that led here, where the method knows it.
    pub probability: Option<f64>,
    /// The depth left.
    pub depth: u32,
    /// The window with which it was searched: its lower end.
    pub alpha: f64,
    /// Its upper end.
    pub beta: f64,
    /// Whether no value lies between them.
    pub null_window: bool,
    /// Whether the same move was searched before at the same node.
    pub again: bool,
    /// What the search of it returned.
    pub value: f64,
    /// What is known about the value.
    pub bound: Bound,
    /// Why it was left, in a word (`cut`, `table`, `over`, …); nothing when all moves were searched.
    pub end: &'static str,
    /// The legal moves that were not searched.
    pub pruned: Vec<M>,
    /// How many simulations of a Monte-Carlo search went through it.
    pub visits: u64,
    /// The proof and the disproof number in the tree of a proof-number search; `u32::MAX` is infinite.
    pub numbers: Option<(u32, u32)>,
}

/// The tree of a search in the order in which its nodes were visited; one root for each pass over the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<M> {
    /// The nodes; a parent comes before its children.
    pub nodes: Vec<Visit<M>>,
    /// How many more there were than were written down.
    pub missing: u64,
}

impl<M> Default for Trace<M> {
    fn default() -> Self {
        Self { nodes: Vec::new(), missing: 0 }
    }
}

/// The answer of a search. Values are in units of the game's result and in the view of the player to move.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// The move to play; none when the game is over.
    pub best: Option<M>,
    /// The value of the root.
    pub value: f64,
    /// What is known about the value.
    pub bound: Bound,
    /// The value of each player, where the method has one for everybody.
    pub values: Vec<f64>,
    /// The line that the search expects, from the root.
    pub pv: Vec<M>,
    /// Positions visited, the root included.
    pub nodes: u64,
    /// The depth completed; of a Monte-Carlo search the length of the principal variation.
    pub depth: u32,
    /// Time spent.
    pub time: Duration,
    /// Whether the value is the game-theoretic one: no line ended at a horizon.
    pub proven: bool,
    /// The steps completed, in order.
    pub history: Vec<Iteration<M>>,
    /// The root's moves, where the method has values for them.
    pub children: Vec<Child<M>>,
    /// Counters that belong to one method, by name.
    pub stats: Vec<(&'static str, f64)>,
    /// How many simulations left the tree at each depth, where the method has them.
    pub depths: Vec<u64>,
    /// The tree of the last iteration, where it was asked for.
    pub trace: Option<Trace<M>>,
}

impl<M> Report<M> {
    /// A report of nothing yet.
    pub fn new() -> Self {
        Self {
            best: None,
            value: 0.0,
            bound: Bound::Exact,
            values: Vec::new(),
            pv: Vec::new(),
            nodes: 0,
            depth: 0,
            time: Duration::ZERO,
            proven: false,
            history: Vec::new(),
            children: Vec::new(),
            stats: Vec::new(),
            depths: Vec::new(),
            trace: None,
        }
    }
}

impl<M> Default for Report<M> {
    fn default() -> Self {
        Self::new()
    }
}
