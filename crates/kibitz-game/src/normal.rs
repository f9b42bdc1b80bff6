//! The standard normal distribution from basic arithmetic alone, so that a search is the same on every machine.

use std::sync::LazyLock;

/// One over every small number, because a division takes five times as long as a product.
const INVERSES: [f64; 68] = {
    let mut inverses = [0.0; 68];
    let mut n = 1;
    while n < inverses.len() {
        inverses[n] = 1.0 / n as f64;
        n += 1;
    }
    inverses
};

/// e to a power that is not positive.
fn exponential(x: f64) -> f64 {
    if x < -708.0 {
        return 0.0;
    }
    // x = k ln 2 + r with |r| at most half of ln 2, the logarithm in two parts so that r keeps all its digits
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = (x - k * 6.931_471_803_691_238e-1) - k * 1.908_214_929_270_587_7e-10;
    let series = INVERSES[1..=14].iter().rev().fold(1.0, |sum, inverse| 1.0 + sum * (r * inverse));
    series * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

const DENSITY: f64 = 0.398_942_280_401_432_7;

/// φ(z) (z + z³/3 + z⁵/15 + …), the probability between 0 and `z`, for a `z` from 0 to 2.5.
fn middle(z: f64, density: f64) -> f64 {
    let square = z * z;
    // what is left out is below the last digit
    let terms = 12 + (8.0 * z) as usize;
    let series = (1..=terms).rev().fold(1.0, |sum, n| 1.0 + sum * (square * INVERSES[2 * n + 1]));
    density * z * series
}

/// z + 2/(z + 3/(z + …)) for a `z` of 2.5 or more: the end of the continued fraction of the ratio of Mills.
fn tail(z: f64) -> f64 {
    let terms = 10 + (320.0 / (z * z)) as u32;
    (2..=terms).rev().fold(z, |sum, n| z + f64::from(n) / sum)
}

/// The probability above a `z` that is not negative.
fn above(z: f64, density: f64) -> f64 {
    if z < 2.5 { 0.5 - middle(z, density) } else { density / (z + 1.0 / tail(z)) }
}

/// The probability below `z`, Φ(z).
pub fn probability(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - probability(-z);
    }
    let density = exponential(-0.5 * z * z) * DENSITY;
    1.0 - above(z, density)
}

/// φ(z) − z (1 − Φ(z)) for a `z` that is not negative, to the last digits.
fn exact_loss(z: f64) -> f64 {
    let density = exponential(-0.5 * z * z) * DENSITY;
    if z < 2.5 {
        return density - z * (0.5 - middle(z, density));
    }
    // 1 − z / (z + 1 / tail) without the difference of two nearly equal numbers
    density / (z * tail(z) + 1.0)
}

/// The loss, the probability above and the density at 0, 1/STEPS, 2/STEPS, …
const STEPS: f64 = 32.0;
const END: f64 = 37.0;
static LOSSES: LazyLock<Vec<[f64; 3]>> = LazyLock::new(|| {
    (0..=(END * STEPS) as u32)
        .map(|i| {
            let z = f64::from(i) / STEPS;
            let density = exponential(-0.5 * z * z) * DENSITY;
            [exact_loss(z), above(z, density), density]
        })
        .collect()
});

/// What a player expects to lose who must take the first of two moves, when the second is worse by `z` standard
/// deviations of the estimate: φ(z) − z (1 − Φ(z)), to ten digits below a `z` of 8 and to five beyond.
///
/// A simulation asks for it at every trial, so it is expanded around the next entry of a table.
#[inline]
pub fn loss(z: f64) -> f64 {
    if z < 0.0 {
        return loss(-z) - z;
    }
    if z >= END {
        return 0.0;
    }
    let at = (z * STEPS + 0.5) as usize;
    let near = at as f64 / STEPS;
    let [loss, above, density] = LOSSES[at];
    let (d, square) = (z - near, near * near);
    // the derivatives of the density are the density times these polynomials of Hermite
    let series = 1.0 / 2.0
        + d * (-near / 6.0
            + d * ((square - 1.0) / 24.0
                + d * (near * (3.0 - square) / 120.0 + d * ((square * square - 6.0 * square + 3.0) / 720.0))));
    loss + d * (d * density * series - above)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// φ(z) − z (1 − Φ(z)) from the power series of the error function with 300 digits.
    const LOSSES: [(f64, f64); 10] = [
        (-5.0, 5.000_000_053_461_655_5),
        (-1.0, 1.083_315_470_587_686_4),
        (0.0, 0.398_942_280_401_432_7),
        (0.5, 0.197_796_557_401_306_03),
        (1.0, 0.083_315_470_587_686_3),
        (2.4999, 0.002_004_758_233_309_583),
        (2.5, 0.002_004_137_179_128_199_3),
        (3.5, 5.848_091_842_142_244e-5),
        (6.0, 1.563_569_795_970_966_4e-10),
        (20.0, 1.370_012_494_729_579_8e-90),
    ];

    #[test]
    fn the_expected_loss_is_right_to_twelve_digits() {
        for (z, expected) in LOSSES {
            let found = if z < 0.0 { exact_loss(-z) - z } else { exact_loss(z) };
            assert!((found / expected - 1.0).abs() < 1e-12, "{z}: {found:e} for {expected:e}");
        }
    }

    #[test]
    fn the_table_is_right_between_its_entries() {
        for i in 0..37_000 {
            let z = f64::from(i) / 1000.0;
            let (found, expected) = (loss(z), exact_loss(z));
            let allowed = if z < 8.0 { 1e-9 } else { 1e-5 };
            assert!((found / expected - 1.0).abs() < allowed, "{z}: {found:e} for {expected:e}");
            assert!((loss(-z) - z - expected).abs() < 1e-9 * (z + expected));
        }
        assert_eq!((loss(37.0), loss(f64::INFINITY)), (0.0, 0.0));
    }

    #[test]
    fn probabilities_are_those_of_the_tables() {
        for (z, expected) in [(0.0, 0.5), (1.0, 0.841_344_746_068_542_9), (-2.0, 0.022_750_131_948_179_21)] {
            assert!((probability(z) - expected).abs() < 1e-15, "{z}");
        }
        assert!((probability(3.0) - 0.998_650_101_968_369_9).abs() < 1e-15);
        assert_eq!((probability(40.0), probability(-40.0)), (1.0, 0.0));
    }

    #[test]
    fn the_expected_loss_falls() {
        let values: Vec<f64> = (-400..4000).map(|i| loss(f64::from(i) / 100.0)).collect();
        assert!(values.windows(2).all(|pair| pair[0] > pair[1] || pair[1] == 0.0));
    }
}
