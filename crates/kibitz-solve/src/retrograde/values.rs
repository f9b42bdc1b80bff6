//! The arrays of a slice: values of two bits, distances, marks. All can be shared by threads.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use bytemuck::allocation::zeroed_vec;
use kibitz_game::Wdl;

/// Positions whose values are in one word.
pub(super) const PER_WORD: u64 = 32;

/// Values of two bits each, 32 in a word, the first one lowest. At first all are unknown, and a value is set once.
#[derive(Debug)]
pub struct Values {
    words: Vec<AtomicU64>,
    len: u64,
}

impl Values {
    /// So many values, all unknown.
    pub fn unknown(len: u64) -> Self {
        Self { words: zeroed_vec(len.div_ceil(PER_WORD) as usize), len }
    }

    /// The values of words that [`Values::word`] gave.
    pub fn of_words(len: u64, words: impl Iterator<Item = u64>) -> Self {
        let mut words: Vec<AtomicU64> = words.map(AtomicU64::new).collect();
        words.resize_with(len.div_ceil(PER_WORD) as usize, AtomicU64::default);
        Self { words, len }
    }

    /// The number of bytes of so many values.
    pub const fn bytes(len: u64) -> u64 {
        8 * len.div_ceil(PER_WORD)
    }

    /// The number of values.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A value.
    #[inline(always)]
    pub fn get(&self, index: u64) -> Wdl {
        let word = self.words[(index / PER_WORD) as usize].load(Relaxed);
        Wdl::from_bits((word >> (2 * (index % PER_WORD))) as u8)
    }

    /// Sets a value, and says whether it was unknown. A value that is known does not change.
    #[inline(always)]
    pub fn set(&self, index: u64, value: Wdl) -> bool {
        let shift = 2 * (index % PER_WORD);
        let word = self.words[(index / PER_WORD) as usize].fetch_or(u64::from(value.bits()) << shift, Relaxed);
        let before = Wdl::from_bits((word >> shift) as u8);
        debug_assert!(before == Wdl::Unknown || before == value, "a position has one value");
        before == Wdl::Unknown
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// A word of 32 values.
    #[inline(always)]
    pub fn word(&self, index: usize) -> u64 {
        self.words[index].load(Relaxed)
    }

    /// Sets the values of a word that are not zero; they must be unknown, or the same.
    #[inline(always)]
    pub(super) fn add(&self, index: usize, bits: u64) {
        self.words[index].fetch_or(bits, Relaxed);
    }
}

/// Distances in plies. [`NEVER`] is no distance.
#[derive(Debug)]
pub struct Distances(Vec<AtomicU16>);

/// No distance: what is not known, or drawn.
pub const NEVER: u16 = u16::MAX;

impl Distances {
    /// So many times no distance.
    pub fn never(len: u64) -> Self {
        let mut cells = Vec::new();
        cells.resize_with(len as usize, || AtomicU16::new(NEVER));
        Self(cells)
    }

    /// A distance.
    #[inline(always)]
    pub fn get(&self, index: u64) -> u16 {
        self.0[index as usize].load(Relaxed)
    }

    /// Makes a distance shorter, if it is.
    #[inline(always)]
    pub(super) fn shorten(&self, index: u64, distance: u16) {
        self.0[index as usize].fetch_min(distance, Relaxed);
    }

    /// All distances in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().map(|cell| cell.load(Relaxed))
    }
}

impl FromIterator<u16> for Distances {
    fn from_iter<T: IntoIterator<Item = u16>>(distances: T) -> Self {
        Self(distances.into_iter().map(AtomicU16::new).collect())
    }
}

/// A set of positions, one bit each.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<AtomicU64>);

impl Marks {
    /// The empty set of positions below `len`.
    pub fn none(len: u64) -> Self {
        Self(zeroed_vec(len.div_ceil(64) as usize))
    }

    /// The number of bytes of a set.
    pub const fn bytes(len: u64) -> u64 {
        8 * len.div_ceil(64)
    }

    /// Puts a position into the set, and says whether it was not there.
    #[inline(always)]
    pub fn insert(&self, index: u64) -> bool {
        let bit = 1 << (index % 64);
        self.0[(index / 64) as usize].fetch_or(bit, Relaxed) & bit == 0
    }

    /// Takes all positions of a range that begins at a multiple of 64 out of the set, in rising order.
    pub fn drain(&self, range: std::ops::Range<u64>, mut visit: impl FnMut(u64)) {
        for index in range.start / 64..range.end.div_ceil(64) {
            if self.0[index as usize].load(Relaxed) == 0 {
                continue;
            }
            let mut word = self.0[index as usize].swap(0, Relaxed);
            while word != 0 {
                visit(64 * index + u64::from(word.trailing_zeros()));
                word &= word - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_what_was_set() {
        let values = Values::unknown(100);
        for index in 0..100 {
            assert_eq!(values.get(index), Wdl::Unknown);
            assert!(values.set(index, Wdl::ALL[1 + index as usize % 3]), "it was unknown");
        }
        for index in 0..100 {
            assert_eq!(values.get(index), Wdl::ALL[1 + index as usize % 3]);
            assert!(!values.set(index, values.get(index)), "it was known");
        }
        let copy = Values::of_words(100, (0..values.words()).map(|index| values.word(index)));
        assert!((0..100).all(|index| copy.get(index) == values.get(index)));
    }

    #[test]
    fn marks_are_taken_once() {
        let marks = Marks::none(200);
        assert!(marks.insert(7) && marks.insert(199) && marks.insert(64) && !marks.insert(7));
        let mut seen = Vec::new();
        marks.drain(0..128, |index| seen.push(index));
        marks.drain(0..200, |index| seen.push(index));
        assert_eq!(seen, [7, 64, 199]);
    }

    #[test]
    fn distances_only_shorten() {
        let distances = Distances::never(2);
        distances.shorten(1, 7);
        distances.shorten(1, 9);
        assert_eq!(distances.iter().collect::<Vec<_>>(), [NEVER, 7]);
    }
}
