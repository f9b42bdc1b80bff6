//! What a leaf is worth: its evaluation, with an error where one is wanted.

use kibitz_game::{Score, Turn, mix};

use crate::Searchable;

/// A deterministic error of the evaluation: the same position has the same error.
///
/// GNU Backgammon's weaker players have one, and the tournaments of Hauk, Buro and Schaeffer (2004) add it to see what depth
/// is worth to a worse evaluation: there with a standard deviation of 0, 0.015 and 0.030 of the probability of winning, which
/// is twice as much in points. GNU Backgammon takes the sum of the bytes of an MD5 digest of the board for a normally distributed
/// number; we take the bytes of two words of our own hash.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// The standard deviation in units of the result.
    pub deviation: f64,
    /// Which errors.
    pub seed: u64,
}

/// The mean and the standard deviation of the sum of sixteen independent bytes.
const MEAN: f64 = 16.0 * 127.5;
const SPREAD: f64 = 295.601_082_541_296_6;

impl Noise {
    /// A normally distributed number, the same for the same key.
    pub(crate) fn normal(self, key: u64) -> f64 {
        let words = [mix(self.seed, key), mix(!self.seed, key)];
        let sum: u32 = words.iter().flat_map(|word| word.to_le_bytes()).map(u32::from).sum();
        (f64::from(sum) - MEAN) / SPREAD
    }
}

/// The value of a position that is not over for the first player, strictly inside the range of results where it can be.
#[inline]
pub(super) fn evaluate<G: Searchable>(game: &G, position: &G::Position, noise: Noise) -> f64 {
    let value = f64::from(game.evaluate(position, 0));
    if noise.deviation == 0.0 {
        return value;
    }
    let range = game.range(0);
    let (low, high) = (f64::from(range.low) + 1.0, f64::from(range.high) - 1.0);
    let noisy = value + noise.deviation * f64::from(game.unit()) * noise.normal(game.key(position));
    if low < high { noisy.clamp(low, high) } else { value }
}

/// The value of a position at the horizon or at the end of the game for the first player.
#[inline]
pub(super) fn value<G: Searchable>(game: &G, position: &G::Position, noise: Noise) -> f64 {
    let over: Option<Score> = (game.turn(position) == Turn::Over).then(|| game.score(position, 0));
    over.map_or_else(|| evaluate(game, position, noise), f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_standard_normal_and_a_function_of_key_and_seed() {
        let noise = Noise { deviation: 1.0, seed: 7 };
        let all: Vec<f64> = (0..20_000).map(|key| noise.normal(key)).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let square = all.iter().map(|x| x * x).sum::<f64>() / all.len() as f64;
        assert!(mean.abs() < 0.03 && (square - 1.0).abs() < 0.05, "{mean} {square}");
        let within = all.iter().filter(|x| x.abs() < 1.96).count() as f64 / all.len() as f64;
        assert!((within - 0.95).abs() < 0.01, "{within}");
        assert_eq!(noise.normal(3), noise.normal(3));
        assert_ne!(noise.normal(3), Noise { seed: 8, ..noise }.normal(3));
    }
}
