//! Monte-Carlo tree search: its parts.

pub(crate) mod exponential;
pub(crate) mod heuristic;
pub(crate) mod playout;
