//! The games of kibitz: one file a game, each reading from the rules through positions, moves and results to notation,
//! evaluation and tests. A game speaks only [`kibitz_game`]; no file here knows an algorithm.

mod breakthrough;

pub use breakthrough::Breakthrough;
