//! The ranks of best moves, from which `RankCut` takes its probabilities.

const RANKS: usize = 64;
const DEPTHS: usize = 32;
/// How many nodes must have been seen before their statistics count.
const ENOUGH: u32 = 200;

/// How often a node had its best move at a rank or later, by remaining depth.
pub(super) struct RankTable {
    seen: Vec<[u32; RANKS]>,
    later: Vec<[u32; RANKS]>,
}

impl RankTable {
    pub(super) fn new(used: bool) -> Self {
        let rows = if used { DEPTHS } else { 0 };
        Self { seen: vec![[0; RANKS]; rows], later: vec![[0; RANKS]; rows] }
    }

    /// Counts a node whose best move had a rank, of those that were tried.
    #[inline]
    pub(super) fn learn(&mut self, depth: u32, best: usize, tried: usize) {
        let row = depth as usize;
        let (Some(seen), Some(later)) = (self.seen.get_mut(row), self.later.get_mut(row)) else { return };
        for rank in 0..tried.min(RANKS) {
            seen[rank] += 1;
            later[rank] += u32::from(best >= rank);
        }
    }

    /// The probability that the best move is at this rank or later; 1 while nothing is known.
    #[inline]
    pub(super) fn better_to_come(&self, depth: u32, rank: usize) -> f64 {
        let rank = rank.min(RANKS - 1);
        match (self.seen.get(depth as usize), self.later.get(depth as usize)) {
            (Some(seen), Some(later)) if seen[rank] >= ENOUGH => f64::from(later[rank]) / f64::from(seen[rank]),
            _ => 1.0,
        }
    }
}
