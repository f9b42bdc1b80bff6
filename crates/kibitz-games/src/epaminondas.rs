//! Epaminondas (Robert Abbott, 1975).

use crate::phalanx::{Phalanx, Rows, Variant};

const RULES: &str = "\
TODO";

/// The rules of Epaminondas.
pub type Epaminondas = Phalanx<Rules>;

/// What Epaminondas is among the games of phalanxes.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Variant for Rules {
    type Board = Rows;
    const SUMMARY: &'static str = "lines of pieces move as one; hold more of the opponent's home row than he of yours";
    const RULES: &'static str = RULES;
    const CROSSED_REST: bool = false;
    const TAKES_ALL: bool = true;
    const DEFENCE: u32 = 0;
    const SETUPS: &'static [&'static str] = &["standard", "puzzle1", "puzzle2"];
    const STARTS: &'static [&'static str] = &[
        "wwwwwwwwwwwwww/wwwwwwwwwwwwww/............../............../............../............../\
         ............../............../............../............../bbbbbbbbbbbbbb/bbbbbbbbbbbbbb w",
        "............../............../............../............../............../............../\
         ............../.......w....../.......w....../.......w....../............../........bbb... w",
        "...........w.b/............../............../............../............../............../\
         ............../............../............../.w............/.w............/..bb......w... w",
    ];
    const WEIGHTS: [i64; 14] = [10, 10, 10, 10, 10, 10, -10, 10, 10, 10, 10, 10, 10, 10];
    const SYMMETRY: bool = true;
}

#[cfg(test)]
mod tests;
