//! The separation value of best-node search: which value probably has exactly one child above it?

use kibitz_game::Score;

/// How the next separation value is chosen (Rutko 2012, chapter 3).
#[derive(Clone, Debug, PartialEq)]
pub enum NextGuess {
    /// α + (β − α)(k − 1)/k, which is best where the values of the k children are uniform.
    Linear,
    /// The most probable separation where leaves are independent and uniform.
    Analytic(UniformTree),
    /// The value that separates most of these samples of child values, in units of the result.
    Statistical(Vec<Vec<f64>>),
    /// The first guess, then what the scan has shown: the greatest upper bound if all failed, one more than the bound if
    /// several passed.
    Previous,
}

/// A complete tree with independent leaves, uniform on 0 … `values` − 1, as [`NextGuess::Analytic`] supposes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformTree {
    /// Children a node.
    pub width: u32,
    /// Levels below the root.
    pub depth: u32,
    /// The number of values.
    pub values: u32,
}

impl UniformTree {
    /// What is wrong with the parameters.
    pub(super) fn check(self) -> Result<(), String> {
        if self.width < 1 || self.depth < 1 || self.values < 2 {
            return Err("the analytic guess needs the width, the depth and the number of values of the tree".to_owned());
        }
        Ok(())
    }

    /// P(value < x) and P(value ≥ x) of the root's children, for every x from 0 to `values`. Both are kept, so that both
    /// tails are as accurate as the middle (Pearl 1984: F^w where the greatest value is taken, 1 − (1 − F)^w where the least).
    fn children(self) -> (Vec<f64>, Vec<f64>) {
        let n = self.values;
        let mut less: Vec<f64> = (0..=n).map(|x| f64::from(x) / f64::from(n)).collect();
        let mut rest: Vec<f64> = (0..=n).map(|x| f64::from(n - x) / f64::from(n)).collect();
        let w = f64::from(self.width);
        let all = |p: &mut f64| *p = p.powf(w);
        let any = |p: &mut f64| *p = if *p >= 1.0 { 1.0 } else { -(w * (-*p).ln_1p()).exp_m1() };
        for above in 1..self.depth {
            if (self.depth - above).is_multiple_of(2) {
                less.iter_mut().for_each(all);
                rest.iter_mut().for_each(any);
            } else {
                less.iter_mut().for_each(any);
                rest.iter_mut().for_each(all);
            }
        }
        (less, rest)
    }
}

/// The bracket of values that the live children may have, and what the last scan has shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// No greater than the value.
    pub(super) alpha: Score,
    /// Greater than the value.
    pub(super) beta: Score,
    /// The number of live children.
    pub(super) live: usize,
    /// The greatest upper bound, if all failed in the last scan.
    pub(super) failed: Option<Score>,
}

/// A policy made ready for one search.
pub(super) enum Guesser {
    Linear,
    Analytic { low: Score, less: Vec<f64>, rest: Vec<f64> },
    Statistical(Vec<Vec<Score>>),
    Previous,
}

impl Guesser {
    /// `low` is the least value, and `unit` that many units of [`Score`] a unit of the result.
    pub(super) fn new(policy: &NextGuess, low: Score, unit: f64) -> Self {
        match policy {
            NextGuess::Linear => Self::Linear,
            NextGuess::Analytic(tree) => {
                let (less, rest) = tree.children();
                Self::Analytic { low, less, rest }
            }
            NextGuess::Statistical(samples) => {
                let vector = |sample: &Vec<f64>| sample.iter().map(|value| (value * unit).round() as Score).collect();
                Self::Statistical(samples.iter().map(vector).collect())
            }
            NextGuess::Previous => Self::Previous,
        }
    }

    /// The next separation value, strictly between alpha and beta.
    pub(super) fn next(&self, state: &State) -> Score {
        let State { alpha, beta, live, failed } = *state;
        let guess = match self {
            Self::Linear => linear(alpha, beta, live),
            Self::Analytic { low, less, rest } => {
                let at = |x: Score| x.saturating_sub(*low).clamp(0, less.len() as Score - 1) as usize;
                let between = |from: Score, to: Score| {
                    let (from, to) = (at(from), at(to));
                    // the difference of small numbers loses less than that of numbers near 1
                    if less[to] <= rest[from] { less[to] - less[from] } else { rest[from] - rest[to] }
                };
                let whole = between(alpha, beta);
                if whole > 0.0 {
                    let separation = |x: Score| {
                        live as f64 * (between(alpha, x) / whole).powi(live as i32 - 1) * (between(x, beta) / whole)
                    };
                    most((alpha + 1)..beta, separation)
                } else {
                    middle(alpha, beta)
                }
            }
            Self::Statistical(samples) => {
                let fits = |sample: &&Vec<Score>| {
                    sample.iter().filter(|&&value| value >= alpha).count() == live
                        && sample.iter().all(|&value| value < beta)
                };
                let fitting: Vec<&Vec<Score>> = samples.iter().filter(fits).collect();
                if fitting.is_empty() {
                    linear(alpha, beta, live)
                } else {
                    let separated = |x: Score| {
                        let by = |sample: &&&Vec<Score>| sample.iter().filter(|&&value| value >= x).count() == 1;
                        fitting.iter().filter(by).count() as f64
                    };
                    most((alpha + 1)..beta, separated)
                }
            }
            Self::Previous => failed.unwrap_or(alpha + 1),
        };
        guess.clamp(alpha + 1, beta - 1)
    }
}

fn linear(alpha: Score, beta: Score, live: usize) -> Score {
    let (width, live) = (i64::from(beta) - i64::from(alpha), live as i64);
    (i64::from(alpha) + (width * (live - 1)).div_euclid(live)) as Score
}

fn middle(alpha: Score, beta: Score) -> Score {
    (i64::from(alpha) + i64::from(beta)).div_euclid(2) as Score
}

/// The first of the arguments with the greatest value.
fn most(arguments: std::ops::Range<Score>, value: impl Fn(Score) -> f64) -> Score {
    let mut best = (arguments.start, f64::NEG_INFINITY);
    for x in arguments {
        let value = value(x);
        if value > best.1 {
            best = (x, value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(alpha: Score, beta: Score, live: usize) -> State {
        State { alpha, beta, live, failed: None }
    }

    fn analytic(width: u32, depth: u32, values: u32) -> Guesser {
        Guesser::new(&NextGuess::Analytic(UniformTree { width, depth, values }), 0, 1.0)
    }

    #[test]
    fn the_linear_guess_has_the_published_values() {
        assert_eq!(
            [(81, 2), (81, 3), (10, 2)].map(|(beta, live)| Guesser::Linear.next(&state(0, beta, live))),
            [40, 54, 5]
        );
    }

    #[test]
    fn the_analytic_guess_has_the_published_values() {
        // Rutko's F(x) = x/80: first 30, then 29 or 31
        let printed = analytic(2, 14, 80);
        assert_eq!([(0, 80), (0, 30), (30, 80)].map(|(a, b)| printed.next(&state(a, b, 2))), [30, 29, 31]);
        // leaves 0 to 80 and 0 to 800
        for (values, firsts) in [(81, [30, 26, 22, 20]), (801, [300, 254, 222, 200])] {
            let shapes = [(2, 14), (3, 10), (4, 8), (5, 6)];
            let found = shapes.map(|(w, d)| analytic(w, d, values).next(&state(0, values as Score, w as usize)));
            assert_eq!(found, firsts);
        }
    }

    #[test]
    fn where_all_probabilities_vanish_the_guess_is_the_middle() {
        assert_eq!(analytic(5, 40, 801).next(&state(780, 801, 2)), 790);
    }

    #[test]
    fn the_statistical_guess_separates_most_samples() {
        let samples = vec![vec![2.0, 8.0], vec![3.0, 5.0], vec![4.0, 4.0], vec![7.0, 9.0]];
        let guesser = Guesser::new(&NextGuess::Statistical(samples), 0, 1.0);
        // 4 and 5 separate two samples
        assert_eq!(guesser.next(&state(0, 11, 2)), 4);
        // both at least 7: only the last sample fits
        assert_eq!(guesser.next(&state(7, 11, 2)), 8);
        // no sample fits
        assert_eq!(guesser.next(&state(9, 13, 2)), 11);
    }
}
