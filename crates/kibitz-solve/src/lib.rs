//! Solvers: proof-number search, retrograde analysis, endgame databases and combinatorial game theory.

pub mod database;
pub mod graph;
pub mod retrograde;
