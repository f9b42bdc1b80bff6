//! `ProbCut` (Buro 1995) and `Multi-ProbCut` (Buro 1997): a shallow search says that a deep one will miss the window.
//!
//! The value to a height is about a linear function of the value to a lesser depth, with a normal error. `ProbCut` checks one
//! height by one depth; `Multi-ProbCut` checks many heights, some of them by several depths, with numbers of their own for
//! every stage of the game. The stage is that of the node and not of the root, by [`Evaluate::progress`].
//!
//! The shallow search is alpha-beta without checks of its own, as printed: the numbers were fitted to such values. It shares
//! the table with the search around it, whose entries may rest on checks.
//!
//! [`Evaluate::progress`]: kibitz_game::Evaluate::progress

use kibitz_game::Score;

use super::INFINITY;
use super::node::Here;
use super::tree::Tree;
use crate::Searchable;

/// One check: the value to `height` is about `slope` times the value to `depth` plus `offset`, with a normal error of
/// `deviation`; if the window is missed by more than `threshold` deviations, the node is cut. Offset and deviation are in
/// units of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// The remaining depth at which the check is made.
    pub height: u32,
    /// The depth of the shallow search, less than `height`.
    pub depth: u32,
    /// T, in deviations.
    pub threshold: f64,
    /// a.
    pub slope: f64,
    /// b.
    pub offset: f64,
    /// σ.
    pub deviation: f64,
    /// The least and the greatest progress of positions for which it was fitted.
    pub stage: (u32, u32),
}

impl Check {
    /// The stage of a check that is made throughout the game.
    pub const ANY_STAGE: (u32, u32) = (0, u32::MAX);

    /// Whether any value is far enough outside of a window. With an infinite threshold none is, and the search is alpha-beta.
    pub(super) fn can_cut(&self) -> bool {
        self.depth < self.height && (self.threshold * self.deviation).is_finite()
    }

    /// Whether it is made in a part of the game only.
    pub(crate) fn staged(&self) -> bool {
        self.stage != Self::ANY_STAGE
    }
}

/// The checks of a search, by height and from shallow to deep.
#[derive(Default)]
pub(crate) struct Checks {
    pub(crate) sorted: Vec<Check>,
    /// Where the checks of each height begin; one more than there are heights.
    starts: Vec<usize>,
    /// Whether any of them asks for the progress of a position.
    pub(crate) staged: bool,
    /// Whether a shallow search is under way.
    pub(crate) checking: bool,
}

impl Checks {
    pub(crate) fn new(given: &[Check]) -> Self {
        let mut sorted: Vec<Check> = given.iter().copied().filter(Check::can_cut).collect();
        sorted.sort_by_key(|check| (check.height, check.depth));
        let Some(last) = sorted.last() else { return Self::default() };
        let starts =
            (0..=last.height + 1).map(|height| sorted.partition_point(|check| check.height < height)).collect();
        let staged = sorted.iter().any(Check::staged);
        Self { sorted, starts, staged, checking: false }
    }

    /// The numbers of the checks of a height.
    #[inline]
    pub(crate) fn at(&self, height: u32) -> std::ops::Range<usize> {
        let height = height as usize;
        match self.starts.get(height..height + 2) {
            Some(&[first, end]) if !self.checking => first..end,
            _ => 0..0,
        }
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// The two null windows of each check: does the shallow value say that the deep one misses the window?
    pub(super) fn prob_cut(&mut self, here: &Here<'_, G::Position>, alpha: Score, beta: Score) -> Option<Score> {
        let numbers = self.checks.at(here.depth);
        if numbers.is_empty() {
            return None;
        }
        let progress = if self.checks.staged { self.game.progress(here.position).unwrap_or(0) } else { 0 };
        let (low, high) = self.range(here.me);
        for number in numbers {
            let check = self.checks.sorted[number];
            if progress < check.stage.0 || progress > check.stage.1 {
                continue;
            }
            let spread = check.threshold * self.units(check.deviation);
            let offset = self.units(check.offset);
            if beta < INFINITY {
                let bound = ((spread + f64::from(beta) - offset) / check.slope).round();
                // no value is beyond the range
                if bound <= f64::from(high) && bound > f64::from(low) {
                    let bound = bound as Score;
                    if self.shallow(here, check.depth, bound - 1, bound)? >= bound {
                        self.counters.prob_cuts += 1;
                        return Some(beta);
                    }
                }
            }
            if alpha > -INFINITY {
                let bound = ((-spread + f64::from(alpha) - offset) / check.slope).round();
                if bound >= f64::from(low) && bound < f64::from(high) {
                    let bound = bound as Score;
                    if self.shallow(here, check.depth, bound, bound + 1)? <= bound {
                        self.counters.prob_cuts += 1;
                        return Some(alpha);
                    }
                }
            }
        }
        None
    }

    /// The value of the same node in a shallower search; none when the search was interrupted.
    fn shallow(&mut self, here: &Here<'_, G::Position>, depth: u32, alpha: Score, beta: Score) -> Option<Score> {
        if depth == 0 {
            return Some(self.static_value(here.position, here.me));
        }
        if self.budget.spend() {
            return None;
        }
        let expected = self.expected[here.ply];
        self.checks.checking = true;
        let value = self.node(here.position, here.key, here.me, depth, here.ply, alpha, beta);
        self.checks.checking = false;
        self.expected[here.ply] = expected;
        (!self.interrupted()).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::{Check, Checks};

    const CHECK: Check =
        Check { height: 6, depth: 2, threshold: 1.5, slope: 1.0, offset: 0.0, deviation: 0.1, stage: Check::ANY_STAGE };

    #[test]
    fn checks_of_a_height_go_from_shallow_to_deep() {
        let checks = Checks::new(&[
            Check { height: 8, depth: 4, ..CHECK },
            Check { height: 6, depth: 4, ..CHECK },
            CHECK,
            Check { height: 3, depth: 1, ..CHECK },
        ]);
        let depths = |height| checks.sorted[checks.at(height)].iter().map(|check| check.depth).collect::<Vec<_>>();
        assert_eq!(
            (3..=9).map(depths).collect::<Vec<_>>(),
            [vec![1], vec![], vec![], vec![2, 4], vec![], vec![4], vec![]]
        );
        assert!(!checks.staged);
        assert!(Checks::new(&[Check { stage: (0, 20), ..CHECK }]).staged);
    }

    #[test]
    fn checks_that_can_never_cut_are_left_out() {
        for never in [
            Check { threshold: f64::INFINITY, ..CHECK },
            Check { threshold: f64::INFINITY, deviation: 0.0, ..CHECK },
            Check { deviation: f64::INFINITY, ..CHECK },
            Check { depth: 6, ..CHECK },
        ] {
            assert!(!never.can_cut(), "{never:?}");
            assert!(Checks::new(&[never]).at(6).is_empty());
        }
        assert!(CHECK.can_cut());
    }
}
