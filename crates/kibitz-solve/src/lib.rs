//! Solvers: proof-number search, retrograde analysis, endgame databases and combinatorial game theory.
//!
//! Each is generic over the game and speaks only [`kibitz_game`]; no file here knows a game.

pub mod database;
pub mod graph;
pub mod proof;
pub mod retrograde;
pub mod verify;
