//! The tests of the crate in one binary: what two of them solve is compiled once.

mod cyclic;
mod database_build;
mod database_file;
mod fanorona_proof;
mod fanorona_tables;
mod graph;
mod proof;
mod random_graph;
mod retrograde;
