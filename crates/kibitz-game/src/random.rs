//! Randomness from an explicit seed.

use crate::zobrist::{scramble, splitmix64};

/// A small, fast generator (`SplitMix64`): the same seed gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator for this seed. Neighbouring seeds give unrelated streams.
    pub fn new(seed: u64) -> Self {
        Self(splitmix64(seed))
    }

    /// The generator of the `index`-th independent stream of a seed.
    pub fn stream(seed: u64, index: u64) -> Self {
        Self(splitmix64(splitmix64(seed) ^ splitmix64(!index)))
    }

    /// The next 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        scramble(self.0)
    }

    /// A number below `bound`, which is at least 1 and at most 2^32. The bias is below one in 2^32 / `bound`.
    #[inline(always)]
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Shuffles a slice, every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_hits_every_number_about_equally_often() {
        let mut random = Random::new(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|&n| (9_600..10_400).contains(&n)), "{counts:?}");
    }

    #[test]
    fn neighbouring_seeds_and_streams_differ() {
        assert_ne!(Random::new(1).bits(), Random::new(2).bits());
        assert_ne!(Random::stream(1, 0).bits(), Random::stream(1, 1).bits());
    }
}
