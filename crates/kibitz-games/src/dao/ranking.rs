//! Positions as numbers. The player to move counts as White, so that there is one slice; a position stands for its images
//! under the symmetries of the board.

use kibitz_game::{Place, Ranked, Score, Slice, Wdl, mix};

use super::board::{blocked, next};
use super::{Dao, NOBODY, PIECES, Position, position};
use crate::four_by_four::{images, squares};
use crate::subsets::{self, packed, subsets, unpacked};

/// The ways to place the pieces of the opponent.
const OTHERS: u32 = subsets(16 - PIECES, PIECES);
/// The ways to place all pieces.
const SIZE: u32 = subsets(16, PIECES) * OTHERS;

/// The image of the pieces with the least rank. A colexicographic rank orders sets as their bits do, so that bits are
/// compared instead of ranks.
#[inline(always)]
fn representative(own: u16, other: u16) -> (u16, u16) {
    let (owns, others) = (images(own), images(other));
    let least = (0..8).map(|i| u32::from(owns[i]) << 16 | u32::from(others[i])).min().unwrap_or(0);
    ((least >> 16) as u16, least as u16)
}

#[inline(always)]
fn rank(own: u16, other: u16) -> u32 {
    subsets::rank(own) * OTHERS + subsets::rank(packed(other, !own))
}

impl Dao {
    /// The number that the evaluation adds by lot.
    #[inline(always)]
    pub(super) fn lot(&self, own: u16, other: u16) -> Score {
        if self.noise == 0 {
            return 0;
        }
        let (own, other) = representative(own, other);
        let bits = mix(self.seed, u64::from(own) << 16 | u64::from(other));
        let values = 2 * u64::from(self.noise.unsigned_abs()) + 1;
        (((bits >> 32) * values) >> 32) as Score - self.noise
    }
}

impl Ranked for Dao {
    const RANKED: bool = true;
    const UNPLAYS: bool = true;
    /// There is one group, which no move leaves.
    const MIXES: bool = false;

    /// There are always eight pieces.
    fn groups(&self, pieces: Option<u32>) -> Vec<Vec<Slice>> {
        if pieces.is_none_or(|pieces| pieces >= 2 * PIECES) { vec![vec![Slice(0)]] } else { Vec::new() }
    }

    fn slice_name(&self, _: Slice) -> String {
        format!("{PIECES}-{PIECES}")
    }

    fn size(&self, _: Slice) -> u64 {
        u64::from(SIZE)
    }

    #[inline]
    fn place(&self, position: &Position) -> Option<Place> {
        let (own, other) = position.sides();
        let (own, other) = representative(own, other);
        Some(Place { slice: Slice(0), rank: u64::from(rank(own, other)) })
    }

    #[inline]
    fn unrank(&self, _: Slice, rank: u64) -> Option<Position> {
        let rank = u32::try_from(rank).ok().filter(|&rank| rank < SIZE)?;
        let own = subsets::unrank(rank / OTHERS, PIECES);
        let other = unpacked(subsets::unrank(rank % OTHERS, PIECES), !own);
        (representative(own, other) == (own, other)).then(|| position([own, other], 0))
    }

    fn orbit(&self, position: &Position) -> u32 {
        let (own, other) = position.sides();
        let (owns, others) = (images(own), images(other));
        let fixed = (0..8).filter(|&i| owns[i] == own && others[i] == other).count();
        8 / fixed as u32
    }

    fn turned(&self, turned: &Position) -> Option<Position> {
        Some(position(turned.pieces, 1 - turned.turn))
    }

    #[inline]
    fn ended(&self, position: &Position) -> Option<Wdl> {
        match position.winner {
            NOBODY => None,
            winner if winner == position.turn => Some(Wdl::Win),
            _ => Some(Wdl::Loss),
        }
    }

    /// A piece of the player who has just moved goes back from where something stops it.
    fn unplay(&self, after: &Position, mut visit: impl FnMut(&Position)) {
        let (_, moved) = after.sides();
        let occupied = after.pieces[0] | after.pieces[1];
        let before = 1 - after.turn;
        for to in squares(moved) {
            for direction in 0..8 {
                // the opposite direction is four further
                if !blocked(occupied, next(to, direction + 4)) {
                    continue;
                }
                let mut from = next(to, direction);
                while !blocked(occupied, from) {
                    let mut pieces = after.pieces;
                    pieces[usize::from(before & 1)] ^= 1 << to | 1 << from;
                    let predecessor = position(pieces, before);
                    if predecessor.winner == NOBODY {
                        visit(&predecessor);
                    }
                    from = next(from, direction);
                }
            }
        }
    }
}
