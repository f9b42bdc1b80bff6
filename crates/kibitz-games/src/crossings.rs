//! Crossings (Robert Abbott; in Sid Sackson's *A Gamut of Games*, 1969).

use crate::phalanx::{Phalanx, Variant};

const RULES: &str = "\
TODO";

/// The rules of Crossings.
pub type Crossings = Phalanx<Rules>;

/// What Crossings is among the games of phalanxes.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Variant for Rules {
    type Board = u64;
    const SUMMARY: &'static str =
        "lines of pieces move as one; cross the board more often than the opponent can answer";
    const RULES: &'static str = RULES;
    const CROSSED_REST: bool = true;
    const TAKES_ALL: bool = false;
    const DEFENCE: u32 = 1;
    const SETUPS: &'static [&'static str] = &["standard"];
    const STARTS: &'static [&'static str] =
        &["wwwwwwww/wwwwwwww/......../......../......../......../bbbbbbbb/bbbbbbbb w"];
    const WEIGHTS: [i64; 14] = [10, 10, 10, 10, 10, 10, -10, 10, 10, 10, 10, 10, 10, 10];
    const SYMMETRY: bool = false;
}

#[cfg(test)]
mod tests;
