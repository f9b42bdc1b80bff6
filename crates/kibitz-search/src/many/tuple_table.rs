//! A transposition table of tuples.
//!
//! Two entries share a place, and the deeper one keeps the first (two-deep, Breuker, Uiterwijk and van den Herik 1994). An
//! entry has as many words as the number of players asks for: the key, the move, what was searched, and two values a word.

use kibitz_game::Score;

use super::{MOST_PLAYERS, Tuple};

/// The value of a position, which is never a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) values: Tuple,
    pub(super) depth: u32,
    /// Whether every line behind it came to the end of the game, so that it holds at any greater depth.
    pub(super) ended: bool,
    /// The best move, packed.
    pub(super) mv: u64,
}

const OCCUPIED: u64 = 1 << 32;
const ENDED: u64 = 1 << 33;

/// A table of bounded size. It begins with a small part, which stays in the cache, and grows as it fills.
pub(super) struct TupleTable {
    words: Vec<u64>,
    /// The places that are taken.
    taken: usize,
    /// The words of an entry.
    stride: usize,
    buckets: usize,
    /// The number of buckets that memory allows.
    most: usize,
}

impl TupleTable {
    /// A table for so many players that fits into so many megabytes, 0 for none; nothing when the machine cannot give them.
    pub(super) fn new(players: usize, megabytes: usize) -> Option<Self> {
        let stride = 3 + players.min(MOST_PLAYERS).div_ceil(2);
        // while it grows for the last time a fourth of it is there twice
        let most = megabytes.checked_mul(1 << 20)? / (20 * stride);
        let words = most.checked_mul(2 * stride)?;
        Vec::<u64>::new().try_reserve_exact(words).ok()?;
        let buckets = most.min((1 << 20) / (16 * stride));
        Some(Self { words: vec![0; buckets * 2 * stride], taken: 0, stride, buckets, most })
    }

    #[inline(always)]
    pub(super) fn is_some(&self) -> bool {
        self.most > 0
    }

    /// The first word of the bucket of a key.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets as u128) >> 64) as usize * 2 * self.stride
    }

    fn read(&self, at: usize) -> Known {
        let entry = &self.words[at..at + self.stride];
        let mut values = [0; MOST_PLAYERS];
        for (pair, &word) in values.chunks_exact_mut(2).zip(&entry[3..]) {
            (pair[0], pair[1]) = (word as u32 as Score, (word >> 32) as u32 as Score);
        }
        Known { values, depth: entry[2] as u32, ended: entry[2] & ENDED != 0, mv: entry[1] }
    }

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Known> {
        let first = self.place(key);
        [first, first + self.stride]
            .into_iter()
            .find(|&at| self.words[at] == key && self.words[at + 2] & OCCUPIED != 0)
            .map(|at| self.read(at))
    }

    /// Remembers an entry, perhaps at the cost of another.
    #[inline]
    pub(super) fn store(&mut self, key: u64, known: &Known) {
        // a quarter full: fewer than one entry in thirty finds both places taken
        if 2 * self.taken > self.buckets && self.buckets < self.most {
            self.grow();
        }
        self.put(key, known);
    }

    fn put(&mut self, key: u64, known: &Known) {
        let first = self.place(key);
        let second = first + self.stride;
        let held = self.words[first + 2];
        let at = if held & OCCUPIED == 0 || self.words[first] == key {
            first
        } else if known.depth >= held as u32 && self.words[second] != key {
            self.taken += usize::from(self.words[second + 2] & OCCUPIED == 0);
            self.words.copy_within(first..second, second);
            first
        } else {
            second
        };
        let entry = &mut self.words[at..at + self.stride];
        self.taken += usize::from(entry[2] & OCCUPIED == 0);
        entry[0] = key;
        entry[1] = known.mv;
        entry[2] = u64::from(known.depth) | OCCUPIED | if known.ended { ENDED } else { 0 };
        for (word, pair) in entry[3..].iter_mut().zip(known.values.chunks_exact(2)) {
            *word = u64::from(pair[0] as u32) | u64::from(pair[1] as u32) << 32;
        }
    }

    /// Takes four times the memory, as far as it is allowed, and keeps what it holds.
    #[cold]
    fn grow(&mut self) {
        self.buckets = self.most.min(4 * self.buckets);
        let old = std::mem::replace(&mut self.words, vec![0; self.buckets * 2 * self.stride]);
        let before = Self { words: old, taken: 0, stride: self.stride, buckets: 0, most: 0 };
        self.taken = 0;
        // the second entry of a bucket first, so that the first one finds it there
        for bucket in (0..before.words.len()).step_by(2 * self.stride) {
            for at in [bucket + self.stride, bucket] {
                if before.words[at + 2] & OCCUPIED != 0 {
                    self.put(before.words[at], &before.read(at));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::splitmix64;

    fn known(depth: u32) -> Known {
        Known { values: [3, -4, 5, 0, 0, 0, 0, 0], depth, ended: depth.is_multiple_of(2), mv: u64::from(depth) << 40 }
    }

    #[test]
    fn a_table_grows_as_it_fills_and_keeps_nearly_everything() {
        let mut table = TupleTable::new(3, 64).unwrap();
        let small = table.words.len();
        let keys: Vec<u64> = (0..200_000).map(splitmix64).collect();
        for (depth, &key) in keys.iter().enumerate() {
            table.store(key, &known(depth as u32));
        }
        assert!(table.words.len() > 4 * small && 8 * table.words.len() <= 64 << 20);
        let found: Vec<_> = keys.iter().map(|&key| table.probe(key)).collect();
        assert!(found.iter().zip(0..).all(|(entry, depth)| entry.is_none_or(|entry| entry == known(depth))));
        assert!(found.iter().flatten().count() > 180_000);
        assert_eq!(table.probe(12345), None);
    }

    #[test]
    fn the_deeper_of_two_entries_keeps_the_first_place() {
        let mut table = TupleTable::new(3, 1).unwrap();
        // small keys share a bucket
        table.store(1, &known(5));
        table.store(2, &known(3));
        assert_eq!(table.probe(1), Some(known(5)));
        table.store(3, &known(4));
        assert_eq!((table.probe(1), table.probe(2), table.probe(3)), (Some(known(5)), None, Some(known(4))));
        table.store(4, &known(5));
        assert_eq!((table.probe(4), table.probe(1), table.probe(3)), (Some(known(5)), Some(known(5)), None));
    }

    #[test]
    fn a_table_too_large_for_any_machine_is_refused_and_none_needs_nothing() {
        assert!(TupleTable::new(3, usize::MAX >> 21).is_none());
        assert!(!TupleTable::new(3, 0).unwrap().is_some());
    }
}
