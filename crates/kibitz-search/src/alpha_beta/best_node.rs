//! Best-node search: the best move without its value (Rutko 2012).
//!
//! The root's children are compared with a separation value by null windows. A child is best as soon as its lower bound is
//! no less than the upper bounds of all others.
//!
//! Errata. The printed loop fixes the separation value for a whole scan; with that, neither of the published savings is
//! obtained. A remark in the text that the value may be raised during a scan is what they need: [`Variant::Raise`] and
//! [`Variant::Candidate`] are its sound formalisations. The printed bracket ends at the highest value and cannot tell it from
//! the next lower one; here it ends beyond it. The printed test of quality sits where it hardly ever fires
//! ([`QualityTest::Passed`]); after every child it reproduces the published curves.

use std::collections::VecDeque;

use kibitz_game::{Bound, Score};

use super::drivers::Found;
use super::guess::{Guesser, State};
use super::tree::Tree;
use super::{FirstGuess, INFINITY, NextGuess};
use crate::Searchable;

/// The parameters of best-node search.
#[derive(Clone, Debug, PartialEq)]
pub struct BestNode {
    /// What happens to the separation value during a scan.
    pub variant: Variant,
    /// How the separation value is chosen.
    pub next_guess: NextGuess,
    /// The first separation value of [`NextGuess::Previous`].
    pub first_guess: FirstGuess,
    /// Added to the first separation value, in units of the result.
    pub offset: f64,
    /// Stops at a move that is probably the best: 1 for the exact search, 0 for the first move that passes. The estimate is
    /// checked / (passed · moves), a rule of thumb and no probability.
    pub quality: f64,
    /// When quality is estimated.
    pub quality_test: QualityTest,
}

/// What happens to the separation value during a scan of the children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Nothing, as printed.
    Plain,
    /// It is raised above the bound of the last child that passed.
    Raise,
    /// As that, and children that passed earlier challenge the candidate at once.
    Candidate,
}

/// When the quality of the candidate is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QualityTest {
    /// After every child, once one has passed.
    EveryChild,
    /// Only after a child that passes, as printed.
    Passed,
}

/// The estimate that the candidate is the best move: 1 / ((better / checked) · total).
fn expected_quality(checked: usize, better: usize, total: usize) -> f64 {
    checked as f64 / (better * total) as f64
}

/// One scan of best-node search.
struct Scan<'q> {
    quality: f64,
    test: QualityTest,
    total: usize,
    checked: usize,
    better: usize,
    guesser: &'q Guesser,
    /// The value of the first scan, if it does not come from the guesser.
    first: Option<Score>,
    offset: Score,
    /// The greatest value.
    high: Score,
}

impl Scan<'_> {
    fn next(&mut self, state: &State) -> Score {
        let guess = self.first.take().unwrap_or_else(|| self.guesser.next(state)).saturating_add(self.offset);
        self.offset = 0;
        guess.clamp(state.alpha + 1, state.beta - 1)
    }

    /// Counts a child, and says whether the candidate is good enough.
    fn enough(&mut self, passed: bool) -> bool {
        self.checked = (self.checked + 1).min(self.total);
        self.better += usize::from(passed);
        let asked = passed || self.test == QualityTest::EveryChild;
        asked && self.better > 0 && expected_quality(self.checked, self.better, self.total) >= self.quality
    }
}

/// Why a search ended: with a value of the best move, or before its time.
type Outcome<T> = Option<T>;

impl<G: Searchable> Tree<'_, G> {
    /// The value of a child by a null window; none when the search was interrupted.
    fn test(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32, t: Score) -> Outcome<Score> {
        let child = self.child(position, mv, 0);
        let value = self.enter(&child, me, depth - 1, 1, t - 1, t);
        if self.interrupted() {
            return None;
        }
        if value >= t {
            self.lines.raise(0, mv);
            self.line.clear();
            self.line.extend_from_slice(self.lines.root());
        }
        Some(value)
    }

    /// The value of a root with one move: there is nothing to compare, so that a bound would say nothing at all.
    fn only_move(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32) -> Outcome<Found> {
        let child = self.child(position, mv, 0);
        let value = self.enter(&child, me, depth - 1, 1, -INFINITY, INFINITY);
        if self.interrupted() {
            return None;
        }
        self.lines.raise(0, mv);
        self.line.clear();
        self.line.extend_from_slice(self.lines.root());
        Some(Found { value, bound: Bound::Exact })
    }

    /// The best move to a depth. `guess` is the first separation value of [`NextGuess::Previous`].
    pub(super) fn best_node(
        &mut self,
        method: &BestNode,
        guesser: &Guesser,
        position: &G::Position,
        me: u8,
        depth: u32,
        guess: Score,
        last: bool,
    ) -> Outcome<Found> {
        if self.budget.spend() {
            return None;
        }
        self.counters.passes += 1;
        self.lines.clear(0);
        self.line.clear();
        self.line.extend(self.root.first());
        let (low, high) = self.range(me);
        if low == high {
            return Some(Found { value: low, bound: Bound::Exact });
        }
        let live: Vec<G::Move> = self.root.clone();
        if let [only] = live[..] {
            return self.only_move(position, only, me, depth);
        }
        let previous = method.next_guess == NextGuess::Previous;
        let mut scan = Scan {
            quality: if last { method.quality } else { 1.0 },
            test: method.quality_test,
            total: live.len(),
            checked: 0,
            better: 0,
            guesser,
            first: previous.then_some(guess),
            offset: self.to_score(method.offset),
            high,
        };
        let state = State { alpha: low, beta: high.saturating_add(1), live: live.len(), failed: None };
        match method.variant {
            Variant::Plain => self.scan_plain(&mut scan, state, live, position, me, depth),
            Variant::Raise => self.scan_raising(&mut scan, state, live, position, me, depth),
            Variant::Candidate => self.scan_candidate(&mut scan, state, &live, position, me, depth),
        }
    }

    fn scan_plain(
        &mut self,
        scan: &mut Scan<'_>,
        mut state: State,
        mut live: Vec<G::Move>,
        position: &G::Position,
        me: u8,
        depth: u32,
    ) -> Outcome<Found> {
        loop {
            let t = scan.next(&state);
            (scan.checked, scan.better) = (scan.total - live.len(), 0);
            let mut better = Vec::new();
            let mut failed = Score::MIN;
            for &mv in &live {
                let value = self.test(position, mv, me, depth, t)?;
                if value >= t {
                    better.push(mv);
                } else {
                    failed = failed.max(value);
                }
                if scan.enough(value >= t) {
                    return Some(Found { value: t, bound: Bound::Lower });
                }
            }
            if better.is_empty() {
                (state.beta, state.failed) = (t, Some(failed));
            } else {
                (state.alpha, state.failed) = (t, None);
                state.live = better.len();
                live = better;
            }
            if state.beta - state.alpha < 2 || state.failed.is_none() && state.live == 1 {
                return Some(state.found(scan));
            }
        }
    }

    fn scan_raising(
        &mut self,
        scan: &mut Scan<'_>,
        mut state: State,
        mut live: Vec<G::Move>,
        position: &G::Position,
        me: u8,
        depth: u32,
    ) -> Outcome<Found> {
        loop {
            let mut t = scan.next(&state);
            let first = t;
            (scan.checked, scan.better) = (scan.total - live.len(), 0);
            let mut candidate = None;
            let mut pending = Vec::new();
            let mut failed = Score::MIN;
            for &mv in &live {
                // no value reaches what lies beyond the greatest
                let value = if t > scan.high { Score::MIN } else { self.test(position, mv, me, depth, t)? };
                let passed = value >= t;
                if passed {
                    pending.extend(candidate.replace(mv));
                    (state.alpha, t) = (value, value + 1);
                } else {
                    failed = failed.max(value);
                }
                if scan.enough(passed) {
                    return Some(state.found(scan));
                }
            }
            if let Some(candidate) = candidate {
                if pending.is_empty() || state.beta - state.alpha < 2 {
                    return Some(state.found(scan));
                }
                live.clear();
                live.push(candidate);
                live.append(&mut pending);
                (state.live, state.failed) = (live.len(), None);
            } else {
                (state.beta, state.failed) = (first, Some(failed));
                if state.beta - state.alpha < 2 {
                    return Some(state.found(scan));
                }
            }
        }
    }

    fn scan_candidate(
        &mut self,
        scan: &mut Scan<'_>,
        mut state: State,
        children: &[G::Move],
        position: &G::Position,
        me: u8,
        depth: u32,
    ) -> Outcome<Found> {
        let mut queue = VecDeque::with_capacity(children.len() + 1);
        loop {
            let t = scan.next(&state);
            (scan.checked, scan.better) = (0, 0);
            queue.clear();
            queue.extend(children);
            let mut candidate: Option<(G::Move, Score)> = None;
            let mut failed = Score::MIN;
            while let Some(mv) = queue.pop_front() {
                let asked = match candidate {
                    Some((_, bound)) => bound + 1,
                    // the last child, and nobody passed: reaching the others is enough
                    None if queue.is_empty() => t.min(failed).max(state.alpha),
                    None => t,
                };
                let value = if asked > scan.high { Score::MIN } else { self.test(position, mv, me, depth, asked)? };
                let passed = value >= asked;
                if passed {
                    let Some((former, _)) = candidate.replace((mv, value)) else {
                        if queue.is_empty() || scan.enough(true) {
                            return Some(Found { value, bound: bound_of(value, scan.high) });
                        }
                        continue;
                    };
                    // it must now be shown to be no better
                    queue.push_back(former);
                } else if candidate.is_none() {
                    failed = failed.max(value);
                }
                if scan.enough(passed) {
                    break;
                }
            }
            if let Some((_, value)) = candidate {
                return Some(Found { value, bound: bound_of(value, scan.high) });
            }
            (state.beta, state.failed) = (t.min(failed.saturating_add(1)), Some(failed));
            if state.beta - state.alpha < 2 {
                return Some(Found { value: state.alpha, bound: Bound::Exact });
            }
        }
    }
}

fn bound_of(value: Score, high: Score) -> Bound {
    if value >= high { Bound::Exact } else { Bound::Lower }
}

impl State {
    /// What the bracket says about the value.
    fn found(&self, scan: &Scan<'_>) -> Found {
        let exact = self.beta - self.alpha < 2;
        Found { value: self.alpha, bound: if exact { Bound::Exact } else { bound_of(self.alpha, scan.high) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_quality_has_the_values_of_the_formula() {
        let cases = [(1, 1, 0.05), (10, 1, 0.5), (14, 1, 0.7), (20, 1, 1.0), (20, 2, 0.5), (5, 3, 1.0 / 12.0)];
        for (checked, better, quality) in cases {
            assert!((expected_quality(checked, better, 20) - quality).abs() < 1e-12);
        }
    }
}
