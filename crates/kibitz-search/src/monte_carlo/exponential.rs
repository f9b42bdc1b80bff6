//! The exponential, the logarithm and the hyperbolic tangent from basic arithmetic alone, so that they are the same on every machine.

/// ln 2 in two parts: a multiple of the first by a small integer is exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// e to the power of x; beyond ±700 it stays where it is there.
pub(crate) fn exp(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    // x = k ln 2 + r with |r| below 0.35, and the series of r
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let series = (1..=14).rev().fold(1.0, |sum, n| 1.0 + r * sum / f64::from(n));
    series * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// The hyperbolic tangent of x.
pub(crate) fn tanh(x: f64) -> f64 {
    let size = 1.0 - 2.0 / (exp(2.0 * x.abs()) + 1.0);
    size.copysign(x)
}

/// The natural logarithm of a number that is at least one.
pub(crate) fn ln(x: f64) -> f64 {
    // x = m * 2^e with m in [2/3, 4/3); ln m = 2 artanh((m - 1) / (m + 1))
    let mut e = ((x.to_bits() >> 52) as i64 - 1023) as f64;
    let mut m = f64::from_bits(x.to_bits() & ((1 << 52) - 1) | 1023 << 52);
    if m >= 4.0 / 3.0 {
        m /= 2.0;
        e += 1.0;
    }
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let series = (0..12).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    e * std::f64::consts::LN_2 + 2.0 * s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_right_to_the_last_bits() {
        for i in -3000..3000 {
            let x = f64::from(i) / 97.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-15 * 4.0, "{x}");
            assert!((tanh(x) - x.tanh()).abs() < 4e-16, "{x}");
        }
        for n in (1..5000).chain([1 << 20, i32::MAX]) {
            let x = f64::from(n);
            assert!((ln(x) - x.ln()).abs() <= 4e-16 * x.ln(), "{x}");
        }
        assert_eq!((exp(0.0), tanh(0.0), tanh(1e9), tanh(-1e9)), (1.0, 0.0, 1.0, -1.0));
        assert!(exp(f64::MAX).is_finite() && exp(f64::MIN) > 0.0);
    }
}
