//! The tests of the crate in one binary: the rules that two of them play are compiled once.

mod fanorona_ranking;
mod perft;
mod properties;
mod ranking;
mod samegame;
