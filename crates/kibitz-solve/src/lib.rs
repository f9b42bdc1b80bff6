//! Solvers: proof-number search, retrograde analysis, endgame databases and combinatorial game theory.
//!
//! The crate marks where these methods live in the workspace; nothing is in it yet.
