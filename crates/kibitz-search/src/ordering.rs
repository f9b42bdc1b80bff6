//! Dynamic move ordering: killers and history.

use kibitz_game::{Order, Pack};

/// The moves that cut most recently at each ply (Akl and Newborn 1977), two a ply.
pub(crate) struct Killers(Vec<[u64; 2]>);

/// No move packs into this.
const NO_KILLER: u64 = u64::MAX;

impl Killers {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// The killers of a ply as [`Killers::tag`] made them.
    #[inline(always)]
    pub(crate) fn at(&self, ply: usize) -> [u64; 2] {
        self.0.get(ply).copied().unwrap_or([NO_KILLER; 2])
    }

    /// What makes a move the same move in another position.
    #[inline(always)]
    pub(crate) fn tag<G: Order>(game: &G, position: &G::Position, mv: G::Move) -> u64 {
        if game.indices() > 0 { game.index(position, mv) as u64 } else { mv.pack() }
    }

    /// Puts a move that cut in front; the one unused for longest goes.
    #[inline(always)]
    pub(crate) fn cut(&mut self, ply: usize, tag: u64) {
        if self.0.len() <= ply {
            self.0.resize(ply + 1, [NO_KILLER; 2]);
        }
        let killers = &mut self.0[ply];
        if killers[0] != tag {
            *killers = [tag, killers[0]];
        }
    }
}

/// How often and how deep a move was good anywhere in the tree (Schaeffer 1983).
///
/// A move that cuts or raises alpha is credited 2^depth, as published, capped so that no entry overflows; all entries are
/// halved when one grows too large, and between searches.
pub(crate) struct History {
    scores: Vec<i32>,
    indices: usize,
}

const LARGEST: i32 = 1 << 26;

impl History {
    pub(crate) fn new(players: usize, indices: usize) -> Self {
        Self { scores: vec![0; players * indices], indices }
    }

    #[inline(always)]
    pub(crate) fn score(&self, player: u8, index: usize) -> i32 {
        self.scores[usize::from(player) * self.indices + index]
    }

    #[inline(always)]
    pub(crate) fn credit(&mut self, player: u8, index: usize, depth: u32) {
        let score = &mut self.scores[usize::from(player) * self.indices + index];
        *score += 1 << depth.min(24);
        if *score > LARGEST {
            self.halve();
        }
    }

    #[cold]
    pub(crate) fn halve(&mut self) {
        self.scores.iter_mut().for_each(|score| *score >>= 1);
    }
}
