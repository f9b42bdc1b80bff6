//! A strategy: a move for every position that matters.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::AtLeast;

/// A move for every position in which the holder may find himself, from the root on. It proves that he reaches his goal, whatever the other side does;
/// [`crate::verify`] checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Who plays it.
    pub holder: usize,
    /// What it reaches.
    pub goal: AtLeast,
    /// Where it has no move, a search of at most so many nodes finds one; 0 if it has all moves.
    pub frontier: u64,
    moves: FxHashMap<u64, (u64, u32)>,
}

impl Strategy {
    /// A strategy without moves, for the answer to a question: whoever it is about reaches at least that, or the other side keeps him from it.
    pub(crate) fn new(holder: usize, at_least: AtLeast, value: bool, frontier: u64) -> Self {
        let goal = match (at_least, value) {
            (goal, true) => goal,
            (AtLeast::Win, false) => AtLeast::Draw,
            (AtLeast::Draw, false) => AtLeast::Win,
        };
        Self { holder, goal, frontier, moves: FxHashMap::default() }
    }

    pub(crate) fn insert(&mut self, key: u64, mv: u64, rank: u32) {
        self.moves.insert(key, (mv, rank));
    }

    /// The number of positions with a move.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether no move is needed: the root says it all.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The packed move in the position with this key, and its rank: how many plies are left at most; of a strategy that avoids something, until a position comes back.
    pub fn get(&self, key: u64) -> Option<(u64, u32)> {
        self.moves.get(&key).copied()
    }

    /// The moves as bytes, the same for the same strategy: their number, then all keys in order, each less the one before, all moves and all ranks.
    pub fn records(&self) -> Vec<u8> {
        let mut sorted: Vec<_> = self.moves.iter().map(|(&key, &(mv, rank))| (key, mv, rank)).collect();
        sorted.sort_unstable();
        let mut bytes = Vec::new();
        put(&mut bytes, sorted.len() as u64);
        let mut before = 0;
        for &(key, ..) in &sorted {
            put(&mut bytes, key - before);
            before = key;
        }
        for &(_, mv, _) in &sorted {
            put(&mut bytes, mv);
        }
        for &(.., rank) in &sorted {
            put(&mut bytes, rank.into());
        }
        bytes
    }

    /// The strategy of such bytes; none if they are not.
    pub fn from_records(holder: usize, goal: AtLeast, frontier: u64, mut bytes: &[u8]) -> Option<Self> {
        let count = usize::try_from(take(&mut bytes)?).ok()?;
        // each has three numbers
        if count > bytes.len() / 3 {
            return None;
        }
        let mut column = || (0..count).map(|_| take(&mut bytes)).collect::<Option<Vec<u64>>>();
        let (keys, packed, ranks) = (column()?, column()?, column()?);
        let mut moves = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
        let mut key = 0u64;
        for ((step, mv), rank) in keys.into_iter().zip(packed).zip(ranks) {
            key = key.checked_add(step)?;
            moves.insert(key, (mv, rank.try_into().ok()?));
        }
        (bytes.is_empty() && moves.len() == count).then_some(Self { holder, goal, frontier, moves })
    }
}

/// Appends a number, seven bits a byte, the low ones first; the last byte is less than 128.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes such a number off the front.
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u64::from(byte & 127);
        if part << shift >> shift != part {
            return None;
        }
        number |= part << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_comes_back_from_its_records() {
        let mut strategy = Strategy::new(1, AtLeast::Win, true, 100);
        for (key, mv, rank) in [(0, 0, 0), (u64::MAX, u64::MAX, u32::MAX), (12345, 77, 9), (1 << 63, 128, 127)] {
            strategy.insert(key, mv, rank);
        }
        let records = strategy.records();
        assert_eq!(Strategy::from_records(1, AtLeast::Win, 100, &records), Some(strategy));
        for cut in 0..records.len() {
            assert_eq!(Strategy::from_records(1, AtLeast::Win, 100, &records[..cut]), None);
        }
    }
}
