//! A strategy: a move for every position that matters.

use rustc_hash::FxHashMap;

use super::AtLeast;

/// A move for every position in which the holder may find himself, from the root on. It proves that he reaches his goal, whatever the other side does;
/// [`crate::verify`] checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Who plays it.
    pub holder: usize,
    /// What it reaches.
    pub goal: AtLeast,
    moves: FxHashMap<u64, (u64, u32)>,
}

/// A record of a strategy in a file: key, move, height.
const RECORD: usize = 20;

impl Strategy {
    /// A strategy without moves, for the answer to a question: whoever it is about reaches at least that, or the other side keeps him from it.
    pub(crate) fn new(holder: usize, at_least: AtLeast, value: bool) -> Self {
        let goal = match (at_least, value) {
            (goal, true) => goal,
            (AtLeast::Win, false) => AtLeast::Draw,
            (AtLeast::Draw, false) => AtLeast::Win,
        };
        Self { holder, goal, moves: FxHashMap::default() }
    }

    pub(crate) fn insert(&mut self, key: u64, mv: u64, height: u32) {
        self.moves.insert(key, (mv, height));
    }

    /// The number of positions with a move.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether no move is needed: the root says it all.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The packed move in the position with this key.
    pub fn mv(&self, key: u64) -> Option<u64> {
        self.moves.get(&key).map(|&(mv, _)| mv)
    }

    /// How many plies are left at most in the position with this key; of a strategy that avoids something, until a position comes back.
    pub fn height(&self, key: u64) -> Option<u32> {
        self.moves.get(&key).map(|&(_, height)| height)
    }

    /// The moves as bytes, the same for the same strategy.
    pub fn records(&self) -> Vec<u8> {
        let mut sorted: Vec<_> = self.moves.iter().collect();
        sorted.sort_unstable();
        let mut bytes = Vec::with_capacity(sorted.len() * RECORD);
        for (&key, &(mv, height)) in sorted {
            bytes.extend(key.to_le_bytes());
            bytes.extend(mv.to_le_bytes());
            bytes.extend(height.to_le_bytes());
        }
        bytes
    }

    /// The strategy of such bytes; none if they are not.
    pub fn from_records(holder: usize, goal: AtLeast, bytes: &[u8]) -> Option<Self> {
        if !bytes.len().is_multiple_of(RECORD) {
            return None;
        }
        let word = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).ok();
        let mut moves = FxHashMap::default();
        for record in bytes.chunks_exact(RECORD) {
            let height = u32::from_le_bytes(record[16..].try_into().ok()?);
            moves.insert(word(&record[..8])?, (word(&record[8..16])?, height));
        }
        Some(Self { holder, goal, moves })
    }
}
