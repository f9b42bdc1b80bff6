//! The standard normal distribution from basic arithmetic alone, so that a search is the same on every machine.

/// e to a power that is not positive.
fn exponential(x: f64) -> f64 {
    if x < -708.0 {
        return 0.0;
    }
    // x = k ln 2 + r with |r| at most half of ln 2, the logarithm in two parts so that r keeps all its digits
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = (x - k * 6.931_471_803_691_238e-1) - k * 1.908_214_929_270_587_7e-10;
    let series = (1..=14).rev().fold(1.0, |sum, n| 1.0 + sum * r / f64::from(n));
    series * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// What a player expects to lose who must take the first of two moves, when the second is worse by `z` standard
/// deviations of the estimate: φ(z) − z (1 − Φ(z)).
pub(crate) fn loss(z: f64) -> f64 {
    if z < 0.0 {
        return loss(-z) - z;
    }
    let density = exponential(-0.5 * z * z) * 0.398_942_280_401_432_7;
    if z < 2.5 {
        // Φ(z) = 1/2 + φ(z) (z + z³/3 + z⁵/15 + …)
        let square = z * z;
        let series = (1..=40).rev().fold(1.0, |sum, n| 1.0 + sum * square / f64::from(2 * n + 1));
        return density - z * (0.5 - density * z * series);
    }
    // the ratio of Mills as a continued fraction: z / (1 − Φ(z)) φ(z) = z + 1/(z + 2/(z + 3/(z + …)))
    let tail = (2..=60).rev().fold(z, |sum, n| z + f64::from(n) / sum);
    // 1 − z / (z + 1 / tail) without the difference of two nearly equal numbers
    density / (z * tail + 1.0)
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
            let found = loss(z);
            assert!((found / expected - 1.0).abs() < 1e-12, "{z}: {found:e} for {expected:e}");
        }
        assert_eq!(loss(60.0), 0.0);
    }

    #[test]
    fn the_expected_loss_falls() {
        let values: Vec<f64> = (-400..4000).map(|i| loss(f64::from(i) / 100.0)).collect();
        assert!(values.windows(2).all(|pair| pair[0] > pair[1] || pair[1] == 0.0));
    }
}
