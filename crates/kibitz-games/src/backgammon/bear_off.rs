//! Bear-off databases, made by dynamic programming when they are first asked for.
//!
//! A *bear-off position* is a side whose checkers are all in its home board, C(21, 6) = 54,264 of them. They are numbered so that a
//! move always leads to a lower number, and so that those of at most six checkers are the first C(12, 6) = 924.
//!
//! - [`OneSided`] has for each the distribution of the number of rolls until all checkers are off, played to make its mean
//!   small, and for full sides until the first is off. Two sides that do not meet are nearly independent, so this values races
//!   well but not exactly: who is behind should sometimes play for a large variance.
//! - [`TwoSided`] has the exact probability to win for both sides with at most six checkers. No gammon is left then.

use std::sync::LazyLock;

use super::board::{CHECKERS, OFF, OUTSIDE, Side};
use super::plays::plays;
use super::{ROLLS, dice};

/// All bear-off positions.
pub const POSITIONS: usize = 54_264;
/// Those of at most six checkers.
pub const SMALL: usize = 924;
/// The first of those that have all fifteen checkers on the board: C(20, 6).
const FULL: usize = 38_760;
/// The most rolls that are told apart; what takes longer counts as this.
const LENGTHS: usize = 24;
/// The most rolls until the first checker is off that are told apart.
const FIRST: usize = 8;

/// Binomial coefficients up to 21 over 6.
const CHOOSE: [[u32; 7]; 22] = {
    let mut choose = [[0; 7]; 22];
    let mut n = 0;
    while n < 22 {
        choose[n][0] = 1;
        let mut k = 1;
        while k < 7 && n > 0 {
            choose[n][k] = choose[n - 1][k] + choose[n - 1][k - 1];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// Whether all checkers of a side are in its home board or off.
#[inline(always)]
pub fn is_home(side: Side) -> bool {
    side.occupied() & OUTSIDE == 0
}

/// The number of a bear-off position: the multiset of its checkers, from the 6-point downwards, in the combinatorial number
/// system. A checker that goes down makes a smaller number.
#[inline]
pub fn rank(side: Side) -> usize {
    let (mut sum, mut rank) = (0, 0);
    for k in 1..=6 {
        sum += side.count(7 - k) as usize;
        rank += CHOOSE[sum + k - 1][k];
    }
    rank as usize
}

/// All sides of at most so many checkers, at their numbers.
fn sides(most: u32) -> Vec<Side> {
    let mut all = vec![Side::EMPTY; CHOOSE[most as usize + 6][6] as usize];
    let mut fill = vec![(Side::EMPTY, 6)];
    while let Some((side, point)) = fill.pop() {
        all[rank(side)] = side;
        for next in (1..=point).filter(|_| CHECKERS - side.count(OFF) < most) {
            fill.push((side.moved(OFF, next), next));
        }
    }
    all
}

/// For each roll the numbers after each play.
fn successors(side: Side) -> [Vec<u16>; 21] {
    ROLLS.map(|(roll, _)| {
        let mut after = Vec::new();
        plays(side, Side::EMPTY, dice(roll), |_, own, _| after.push(rank(own) as u16));
        after
    })
}

/// How long each side needs on its own.
pub struct OneSided {
    /// The probability of each number of rolls, from none.
    lengths: Vec<[f32; LENGTHS]>,
    /// For full sides, the probability that no checker is off after so many rolls.
    waiting: Vec<[f32; FIRST]>,
    /// The mean number of rolls.
    #[cfg(test)]
    means: Vec<f64>,
}

impl OneSided {
    fn new() -> Self {
        let mut means = vec![0.0; POSITIONS];
        let mut lengths = vec![[0.0; LENGTHS]; POSITIONS];
        let mut waiting = vec![[0.0; FIRST]; POSITIONS - FULL];
        let mut first_means = vec![0.0; POSITIONS];
        lengths[0][0] = 1.0;
        for (number, side) in sides(CHECKERS).into_iter().enumerate().skip(1) {
            let mut length = [0.0f32; LENGTHS];
            let mut wait = [0.0f32; FIRST];
            let (mut mean, mut first_mean) = (1.0, 1.0);
            for ((_, falls), after) in ROLLS.iter().zip(successors(side)) {
                let probability = f64::from(*falls) / 36.0;
                let smallest = |means: &[f64]| {
                    let best = after.iter().copied().min_by(|&a, &b| means[a as usize].total_cmp(&means[b as usize]));
                    usize::from(best.expect("there is a play, if only a pass"))
                };
                let best = smallest(&means);
                mean += probability * means[best];
                for (i, &share) in lengths[best].iter().enumerate() {
                    length[(i + 1).min(LENGTHS - 1)] += probability as f32 * share;
                }
                if number >= FULL {
                    // a checker off leaves the full sides, and then nothing is waited for
                    let best = smallest(&first_means);
                    first_mean += probability * first_means[best];
                    if best >= FULL {
                        wait[1] += probability as f32;
                        for i in 1..FIRST - 1 {
                            wait[i + 1] += probability as f32 * waiting[best - FULL][i];
                        }
                    }
                }
            }
            means[number] = mean;
            lengths[number] = length;
            if number >= FULL {
                first_means[number] = first_mean;
                wait[0] = 1.0;
                waiting[number - FULL] = wait;
            }
        }
        Self {
            lengths,
            waiting,
            #[cfg(test)]
            means,
        }
    }

    /// The probability that no checker of a side is off after so many rolls.
    fn still_full(&self, number: usize, rolls: usize) -> f32 {
        if number < FULL { 0.0 } else { self.waiting[number - FULL].get(rolls).copied().unwrap_or(0.0) }
    }

    /// The probabilities that the side to roll wins, wins a gammon and loses a gammon.
    pub fn race(&self, own: usize, other: usize) -> [f32; 3] {
        let (mine, theirs) = (&self.lengths[own], &self.lengths[other]);
        let (mut win, mut gammon, mut lost) = (0.0, 0.0, 0.0);
        // that the other side needs at least so many rolls
        let mut at_least = 1.0;
        for rolls in 1..LENGTHS {
            at_least -= theirs[rolls - 1];
            win += mine[rolls] * at_least;
            gammon += mine[rolls] * self.still_full(other, rolls - 1);
            lost += theirs[rolls] * self.still_full(own, rolls);
        }
        [win, gammon, lost]
    }
}

/// The probability to win of the side to roll, by the numbers of both.
pub struct TwoSided(Vec<f32>);

impl TwoSided {
    /// `wins[own][other]` asks for `wins[other][after]` with `after` below `own`; so all pairs up to a number `m` are known
    /// when first `own = m` and then `other = m` are added.
    fn new() -> Self {
        let after: Vec<[Vec<u16>; 21]> = sides(6).into_iter().map(successors).collect();
        let mut wins = vec![0.0f32; SMALL * SMALL];
        let value = |wins: &[f32], own: usize, other: usize| {
            let row = &wins[other * SMALL..(other + 1) * SMALL];
            let lost = ROLLS.iter().zip(&after[own]).map(|((_, falls), after)| {
                let best = after.iter().map(|&after| row[usize::from(after)]).fold(f32::INFINITY, f32::min);
                f64::from(*falls) * f64::from(best)
            });
            (1.0 - lost.sum::<f64>() / 36.0) as f32
        };
        for m in 1..SMALL {
            for other in 1..m {
                wins[m * SMALL + other] = value(&wins, m, other);
            }
            for own in 1..=m {
                wins[own * SMALL + m] = value(&wins, own, m);
            }
        }
        Self(wins)
    }

    /// The probability that the side to roll wins.
    #[inline]
    pub fn win(&self, own: usize, other: usize) -> f32 {
        self.0[own * SMALL + other]
    }
}

/// The database of one side.
pub static ONE_SIDED: LazyLock<OneSided> = LazyLock::new(OneSided::new);
/// The database of both sides.
pub static TWO_SIDED: LazyLock<TwoSided> = LazyLock::new(TwoSided::new);

/// The probabilities that the side to roll wins, wins a gammon and loses a gammon; exact if both have few checkers. None
/// if a checker of either side is not home.
#[inline]
pub fn probabilities(own: Side, other: Side) -> Option<[f32; 3]> {
    if !is_home(own) || !is_home(other) {
        return None;
    }
    let (own, other) = (rank(own), rank(other));
    if own < SMALL && other < SMALL {
        return Some([TWO_SIDED.win(own, other), 0.0, 0.0]);
    }
    Some(ONE_SIDED.race(own, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The side of these checkers.
    fn side(points: &[usize]) -> Side {
        points.iter().fold(Side::EMPTY, |side, &point| side.moved(OFF, point))
    }

    #[test]
    fn moves_lead_to_lower_numbers() {
        let all = sides(CHECKERS);
        assert_eq!(all.len(), POSITIONS);
        for number in (1..POSITIONS).step_by(37).chain(1..SMALL) {
            assert_eq!(rank(all[number]), number);
            assert_eq!(number < SMALL, CHECKERS - all[number].count(OFF) <= 6);
            assert_eq!(number >= FULL, all[number].count(OFF) == 0);
            assert!(successors(all[number]).iter().flatten().all(|&after| usize::from(after) < number));
        }
    }

    #[test]
    fn expected_rolls_are_the_exact_fractions() {
        let known: [(&[usize], f64); 9] = [
            (&[1], 1.0),
            (&[6], 5.0 / 4.0),
            (&[1, 1], 1.0),
            (&[1, 1, 1], 11.0 / 6.0),
            (&[5, 6], 11_431.0 / 5_832.0),
            (&[6, 6], 49_213.0 / 23_328.0),
            (&[6, 6, 6], 44_038_793.0 / 15_116_544.0),
            (&[1, 2, 3, 4, 5, 6], 628_300_727.0 / 181_398_528.0),
            (&[1; 15], 1_953_839.0 / 279_936.0),
        ];
        for (points, expected) in known {
            let mean = ONE_SIDED.means[rank(side(points))];
            assert!((mean - expected).abs() < 1e-12, "{points:?}: {mean}");
        }
        assert_eq!(ONE_SIDED.means[rank(side(&[1; 4]))], ONE_SIDED.means[rank(side(&[1; 3]))]);
        for number in (0..POSITIONS).step_by(11) {
            let lengths = ONE_SIDED.lengths[number];
            assert!((lengths.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let mean: f32 = lengths.iter().enumerate().map(|(rolls, &share)| rolls as f32 * share).sum();
            assert!((f64::from(mean) - ONE_SIDED.means[number]).abs() < 1e-4, "{number}");
        }
    }

    #[test]
    fn probabilities_to_win_are_the_exact_fractions() {
        let known: [(&[usize], &[usize], f64); 7] = [
            (&[6], &[6], 13.0 / 16.0),
            (&[6, 5], &[6, 5], 105_030_049.0 / 136_048_896.0),
            (&[6, 6], &[6, 6], 410_592_493.0 / 544_195_584.0),
            (&[6, 3], &[1, 1], 5.0 / 18.0),
            (&[5, 2], &[6], 209.0 / 324.0),
            (&[3, 2, 1], &[3, 2, 1], 1_141.0 / 1_296.0),
            (&[6, 5, 4], &[6, 5, 4], 41_570_430_673.0 / 58_773_123_072.0),
        ];
        for (own, other, expected) in known {
            let win = f64::from(TWO_SIDED.win(rank(side(own)), rank(side(other))));
            assert!((win - expected).abs() < 1e-6, "{own:?} {other:?}: {win}");
        }
    }

    #[test]
    fn one_side_alone_comes_close_to_both_sides() {
        let (mut worst, mut sum, mut count) = (0.0f32, 0.0, 0);
        for own in (1..SMALL).step_by(13) {
            for other in (1..SMALL).step_by(7) {
                let error = ONE_SIDED.race(own, other)[0] - TWO_SIDED.win(own, other);
                worst = worst.max(error.abs());
                sum += error.abs();
                count += 1;
            }
        }
        assert!(worst < 0.02 && sum / (count as f32) < 0.001, "{worst} {}", sum / count as f32);
    }

    #[test]
    fn a_gammon_is_certain_when_the_last_checker_comes_off_before_the_first() {
        let [win, gammon, lost] = ONE_SIDED.race(rank(side(&[1, 1])), rank(side(&[6; 15])));
        assert!((win - 1.0).abs() < 1e-6 && (gammon - 1.0).abs() < 1e-6 && lost.abs() < 1e-6);
        // fifteen on the 6-point: one comes off with a six and with dice that make six: 5-1, 4-2, 3-3 and 2-2
        let waiting = ONE_SIDED.still_full(rank(side(&[6; 15])), 1);
        assert!((waiting - 19.0 / 36.0).abs() < 1e-6, "{waiting}");
        let [_, gammon, _] = ONE_SIDED.race(rank(side(&[1, 1, 1])), rank(side(&[6; 15])));
        let doublets = 1.0 / 6.0;
        assert!((gammon - (doublets + (1.0 - doublets) * waiting)).abs() < 1e-5);
    }
}
