//! Proof-number search: best-first search for the answer to a question of yes or no.
//!
//! The value of a game with draws takes two questions: can the player to move win, and if not, can he at least draw? Each is a search of an AND/OR tree: nodes
//! where that player moves are OR nodes, the others AND nodes. The proof number of a node is the least number of leaves that must be proven to
//! prove it, the disproof number likewise (L. V. Allis, M. van der Meulen and H. J. van den Herik, *Proof-number search*, Artificial Intelligence
//! 66, 1994).
//!
//! - [`question`] is the question and what settles it at once: the end of the game, a database, a repeated position;
//! - [`numbers`] has the arithmetic and what the numbers of a new leaf are;
//! - [`tree`] has the nodes, [`best_first`] the search of one tree: PN, and both levels of PN² in [`two_level`];
//! - [`solved`] is what trees share: answers that hold wherever their position comes up;
//! - [`depth_first`] is df-pn with its [`table`];
//! - [`together`] is how several threads work on one question, [`regions`] what they share of one tree;
//! - [`strategy`] is what is left of a proof: a move for every position that matters, from a tree ([`harvest`]) or from a table;
//! - [`trace`] writes a tree down for people;
//! - [`solve`] asks the two questions within limits and keeps [`checkpoint`]s.

mod best_first;
mod checkpoint;
mod depth_first;
mod harvest;
mod kernel;
mod levels;
mod numbers;
mod path;
mod question;
mod regions;
mod solve;
mod solved;
mod strategy;
mod table;
mod table_search;
mod together;
mod trace;
mod tree;
mod two_level;
mod watch;

use kibitz_game::{Evaluate, Game, Hidden, Ranked, Repetition};

pub use checkpoint::{BadCheckpoint, Checkpoint};
pub use harvest::NoStrategy;
pub use numbers::{EvaluationNumbers, LeafNumbers};
pub use question::{AtLeast, Question};
pub use solve::{Ask, Kept, Method, Outcome, Reason, Refused, Solver};
pub use strategy::Strategy;
pub use two_level::SecondLevel;
pub use watch::{Answer, Point};

/// A game with every capability that the solvers of this module ask for.
pub trait Provable: Game + Evaluate + Hidden + Repetition + Ranked {}

impl<G: Game + Evaluate + Hidden + Repetition + Ranked> Provable for G {}
