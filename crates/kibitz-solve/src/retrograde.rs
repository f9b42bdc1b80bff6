//! Retrograde analysis in memory: the values of all positions of a group of slices, from the ends of the game backwards.
//!
//! The four families of algorithms are those of P.-h. Wu, P.-Y. Liu and T.-s. Hsu's survey (*An External-Memory Retrograde Analysis
//! Algorithm*, Computers and Games 2004, section 3); all give the same tables. What they share: the positions of a group are gone
//! through once to find those that are over and those that moves out of the group decide (captures, say), since such moves lead to
//! tables that are finished. Then values spread inside the group until nothing changes; what is left over is drawn, by endless play
//! or repetition.
//!
//! Values are for the player to move. A distance is the number of plies to the end of the game, or to the conversion into another group, when
//! the winner hurries and the loser delays. A label that is too great may be given for a while: a position is final
//! at layer d if its label is at most d, as in Dijkstra's algorithm.

mod consistency;
mod families;
mod group;
mod parts;
mod queue;
mod reachable;
mod tables;
mod values;

use std::fmt;
use std::str::FromStr;

use kibitz_game::{Place, Ranked, Slice, Stop, Wdl};

pub use consistency::inconsistent;
pub use reachable::{Reachable, require_graph, solve_reachable};
pub use tables::{Counts, Solved, Table, Tables, solve_all};
pub use values::{Distances, NEVER, Values};

use group::Group;
use parts::Crew;

/// Which algorithm spreads values inside a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// One pass of forward checking, then backward from what became known last: the fastest. Forward checking alone where the
    /// game has no predecessors.
    #[default]
    Automatic,
    /// I: goes through all positions again until nothing changes. Needs no predecessors.
    ForwardChecking,
    /// II: layer by layer, the predecessors of a loss are wins, and those of a win are checked forward.
    Layered,
    /// III: a queue of positions, and a count of the successors that are not yet wins for each position. On one thread.
    Queue,
    /// IV: layer by layer with counts.
    LayeredCounting,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Automatic, Self::ForwardChecking, Self::Layered, Self::Queue, Self::LayeredCounting];

    /// The name of the option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::ForwardChecking => "forward",
            Self::Layered => "layered",
            Self::Queue => "queue",
            Self::LayeredCounting => "layered-counting",
        }
    }

    fn counts(self) -> bool {
        matches!(self, Self::Queue | Self::LayeredCounting)
    }
}

impl FromStr for Family {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|family| family.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.into_iter().map(Self::name).collect();
            format!("no algorithm {name:?}; there is {}", names.join(", "))
        })
    }
}

/// What a distance is measured to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The end of the game.
    Win,
    /// The end of the game, or the first move that leaves the group.
    Conversion,
}

/// How a group is solved.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithm.
    pub family: Family,
    /// Whether distances are wanted, and to what.
    pub metric: Option<Metric>,
    /// Threads, at least one.
    pub threads: usize,
    /// The most bytes that the arrays of a group may take while it is solved.
    pub bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { family: Family::Automatic, metric: None, threads: 1, bytes: u64::MAX }
    }
}

/// What is known of positions outside of the group: the tables that were made before.
pub trait Lower: Sync {
    /// The value of a position for the player to move.
    fn value(&self, place: Place) -> Wdl;

    /// The distance of a win or a loss; asked only where distances to the end of the game are wanted.
    fn distance(&self, place: Place) -> u16 {
        let _ = place;
        NEVER
    }
}

/// How far the work has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The names of the slices that are solved.
    pub slices: &'a str,
    /// What is done.
    pub phase: &'a str,
    /// How many times the positions have been gone through, with this one.
    pub pass: u32,
    /// Positions of this pass done.
    pub done: u64,
    /// Positions of a pass.
    pub total: u64,
    /// Of several groups that are solved one after the other: the ranks of those that are finished, and of all.
    pub ranks: (u64, u64),
}

/// Why a group was not solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// It was stopped from outside.
    Stopped,
    /// The arrays need more bytes than allowed.
    Memory {
        /// What they need.
        needed: u64,
        /// What is allowed.
        allowed: u64,
    },
    /// The algorithm does not fit the game.
    NotSupported(String),
    /// A move leads to a position that no finished table has.
    Missing(String),
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::Memory { needed, allowed } => {
                write!(f, "memory limit: {} MB are needed and {} MB allowed", needed.div_ceil(1 << 20), allowed >> 20)
            }
            Self::NotSupported(reason) => f.write_str(reason),
            Self::Missing(slice) => write!(f, "a move leads to {slice}, of which there is no finished table"),
        }
    }
}

impl std::error::Error for Unsolved {}

/// The bytes that a group takes while it is solved with these options.
pub fn bytes_needed<G: Ranked>(game: &G, group: &[Slice], options: &Options) -> u64 {
    group.iter().map(|&slice| group::Sheet::bytes::<G>(game.size(slice), options)).sum()
}

/// Solves a group of slices, given what their moves lead to outside of it.
pub fn solve_group<G: Ranked, L: Lower>(
    game: &G,
    slices: &[Slice],
    lower: &L,
    options: &Options,
    progress: &mut dyn FnMut(&Progress<'_>),
    stop: &Stop,
) -> Result<Solved, Unsolved> {
    let needed = bytes_needed(game, slices, options);
    if needed > options.bytes {
        return Err(Unsolved::Memory { needed, allowed: options.bytes });
    }
    let family = match options.family {
        Family::Automatic if !G::UNPLAYS => Family::ForwardChecking,
        Family::ForwardChecking | Family::Automatic => options.family,
        family if !G::UNPLAYS => {
            return Err(Unsolved::NotSupported(format!(
                "the algorithm {} needs the predecessors of positions, which this game does not offer: use automatic or forward",
                family.name()
            )));
        }
        family => family,
    };
    let names: Vec<String> = slices.iter().map(|&slice| game.slice_name(slice)).collect();
    let names = names.join(", ");
    let group = Group::new(game, slices, lower, options);
    let mut crew = Crew::new(options.threads, stop, progress, &names);
    match family {
        Family::Automatic => families::automatic(&group, &mut crew)?,
        Family::ForwardChecking => families::forward_checking(&group, &mut crew)?,
        Family::Layered => families::layered(&group, &mut crew)?,
        Family::LayeredCounting => families::layered_counting(&group, &mut crew)?,
        Family::Queue => queue::queue(&group, &mut crew)?,
    }
    group.finish(&mut crew)
}
