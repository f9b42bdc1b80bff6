//! The vocabulary of kibitz: what a game is, what it may offer beyond its rules, and the small types that every
//! search uses.
//!
//! An algorithm never names a game and a game never names an algorithm; both speak only this crate.
//!
//! - [`Game`] is the rules. The capabilities [`Evaluate`], [`Order`], [`Chance`], [`Hidden`], [`Repetition`],
//!   [`AnyTurn`], [`Playout`], [`Puzzle`], [`Ranked`] and [`Draw`] are what an algorithm or a reader may ask for beyond them; each has a default that means something, so a
//!   game implements only what it knows better.
//! - [`Probe`] is what knows values for sure ([`Wdl`]), such as an endgame database; searches take it as an [`Oracle`].
//! - [`Limits`], [`Stop`] and [`Budget`] end a search; [`Report`] is what it returns.
//! - [`Memory`] is the interface of transposition tables: [`SizedTable`] is bounded and lock-free,
//!   [`ExactTable`] forgets nothing.
//! - [`normal`] is the normal distribution, for estimates.
//! - [`Cell`] is a part of a picture that moves name.
//! - [`Bits`] is a bitboard of 64 squares or, as [`Wide`], of any multiple of it. [`Zobrist`] and [`mix`] make keys.

pub mod bits;
mod capability;
mod cells;
mod game;
mod limits;
pub mod normal;
mod params;
mod probe;
mod puzzle;
mod random;
mod ranked;
mod report;
mod table;
pub mod text;
mod zobrist;

pub use bits::{Bits, Wide};
pub use capability::{AnyTurn, Chance, Draw, Evaluate, Hidden, Order, Playout, Repetition, uniform_playout};
pub use cells::{Cell, names_in};
pub use game::{BadText, Game, Pack, Range, Score, Turn};
pub use limits::{Budget, Limits, MAX_DEPTH, Stop};
pub use params::{BadParameter, Configure, Parameter, Params, Value};
pub use probe::{Oracle, Probe, Wdl};
pub use puzzle::Puzzle;
pub use random::Random;
pub use ranked::{Place, Ranked, Slice};
pub use report::{Bound, Child, Iteration, Report, Trace, Visit};
pub use table::{Entry, ExactTable, Memory, Replacement, SizedTable, Table};
pub use zobrist::{Zobrist, key_of_text, mix, splitmix64};
