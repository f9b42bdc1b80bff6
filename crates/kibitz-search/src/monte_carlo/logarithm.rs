//! The square root of the logarithm of a number of visits, which every confidence bound asks for.

use std::sync::LazyLock;

/// Numbers of visits below this are looked up.
const TABLE: usize = 1 << 16;

pub(super) static ROOTS: LazyLock<Vec<f32>> = LazyLock::new(|| (0..TABLE).map(|n| root_of_log(n as u32)).collect());

/// The root for numbers beyond the table, out of the way of those within.
#[inline(never)]
pub(super) fn root_of_large(n: u32) -> f32 {
    root_of_log(n)
}

/// sqrt(ln n) from basic arithmetic alone, so that it is the same on every machine.
pub(super) fn root_of_log(n: u32) -> f32 {
    if n < 2 {
        return 0.0;
    }
    // n = m * 2^e with m in [2/3, 4/3); ln m = 2 artanh((m - 1) / (m + 1))
    let mut e = n.ilog2();
    let mut m = f64::from(n) / f64::from(1u32 << e);
    if m >= 4.0 / 3.0 {
        m /= 2.0;
        e += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let series = (0..7).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    (f64::from(e) * std::f64::consts::LN_2 + 2.0 * s * series).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_the_logarithm_is_right_to_the_last_bits() {
        for n in (2..5000).chain([1 << 20, (1 << 31) - 1, u32::MAX]) {
            let exact = f64::from(n).ln().sqrt() as f32;
            assert!((root_of_log(n) - exact).abs() <= 2.0 * f32::EPSILON * exact, "{n}");
        }
    }
}
