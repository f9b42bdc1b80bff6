//! What the transposition table remembers of a position: a real number and whether it is the value or a bound.
//!
//! An entry of the table has room for two integers as bounds. The average of a chance node is no integer, and rounding it
//! would change values, so the 64 bits of both hold one real number, and two bits of the size of the subtree say what it is.

use kibitz_game::{Entry, Score};

/// Bounds of a value in the view of the first player, to a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) depth: u32,
    /// Whether every line behind it came to the end of the game, so that it holds at any greater depth.
    pub(super) ended: bool,
    /// The best move or the move that cut, packed.
    pub(super) mv: Option<u64>,
}

const LOWER: u32 = 1;
const UPPER: u32 = 2;
const KIND: u32 = 3;
/// How many bits of the size of a subtree the kind takes.
const SHIFT: u32 = 2;

impl Known {
    /// What is known of a value that was searched with a window.
    pub(super) fn found(value: f64, alpha: f64, beta: f64) -> Self {
        Self {
            lower: if value > alpha { value } else { f64::NEG_INFINITY },
            upper: if value < beta { value } else { f64::INFINITY },
            depth: 0,
            ended: false,
            mv: None,
        }
    }

    /// Adds what was known before about the same depth. Of two different bounds an entry keeps one, the new one.
    pub(super) fn with(mut self, old: Option<Self>) -> Self {
        let Some(old) = old.filter(|old| old.depth == self.depth && old.ended == self.ended) else { return self };
        if old.lower >= self.upper && old.lower.is_finite() {
            self.lower = self.upper;
        } else if old.upper <= self.lower && old.upper.is_finite() {
            self.upper = self.lower;
        } else if self.lower == f64::NEG_INFINITY && old.upper < self.upper {
            self.upper = old.upper;
        } else if self.upper == f64::INFINITY && old.lower > self.lower {
            self.lower = old.lower;
        }
        self.mv = self.mv.or(old.mv);
        self
    }

    pub(super) fn entry(&self, nodes: u64) -> Entry {
        let (value, kind) = match (self.lower.is_finite(), self.upper.is_finite()) {
            (true, true) => (self.lower, LOWER | UPPER),
            (true, false) => (self.lower, LOWER),
            (false, true) => (self.upper, UPPER),
            (false, false) => (0.0, 0),
        };
        let bits = value.to_bits();
        Entry {
            lower: bits as u32 as Score,
            upper: (bits >> 32) as u32 as Score,
            depth: self.depth as u16,
            ended: self.ended,
            mv: self.mv,
            nodes: (nodes.min(u64::from(u32::MAX >> SHIFT)) as u32) << SHIFT | kind,
        }
    }

    pub(super) fn of(entry: &Entry) -> Self {
        let value = f64::from_bits(u64::from(entry.lower as u32) | u64::from(entry.upper as u32) << 32);
        let kind = entry.nodes & KIND;
        Self {
            lower: if kind & LOWER != 0 { value } else { f64::NEG_INFINITY },
            upper: if kind & UPPER != 0 { value } else { f64::INFINITY },
            depth: u32::from(entry.depth),
            ended: entry.ended,
            mv: entry.mv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_to_the_last_bit() {
        let third = 1.0 / 3.0;
        for (value, alpha, beta) in [(third, 0.0, 1.0), (third, 0.5, 1.0), (-third, -1.0, -0.5), (0.0, -1.0, 1.0)] {
            let known = Known { depth: 7, ended: true, mv: Some(9), ..Known::found(value, alpha, beta) };
            assert_eq!(Known::of(&known.entry(12)), known);
        }
    }

    #[test]
    fn a_bound_that_meets_the_other_one_is_exact() {
        let below = Known::found(0.25, f64::NEG_INFINITY, 0.2);
        let above = Known::found(0.25, 0.25, 1.0);
        assert_eq!((above.with(Some(below)).lower, above.with(Some(below)).upper), (0.25, 0.25));
        let deeper = Known { depth: 1, ..below };
        assert_eq!(above.with(Some(deeper)), above, "another depth says nothing");
    }
}
