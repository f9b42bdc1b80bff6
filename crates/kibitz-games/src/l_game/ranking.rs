//! Positions as numbers. The player to move counts as White, so that there is one slice; a position stands for its images
//! under the symmetries of the board.

use kibitz_game::{Place, Ranked, Slice, Wdl};

use super::shapes::{SHAPES, shape_of};
use super::{LGame, NEUTRALS, Position, fitting, position};
use crate::four_by_four::{images, squares};
use crate::subsets::{self, packed, subsets, unpacked};

/// The ways to place the neutral pieces on the eight squares beside two Ls.
const PAIRS: u32 = subsets(8, NEUTRALS);
/// Both Ls and the neutral pieces; ranks with Ls that overlap belong to no position.
const SIZE: u32 = (SHAPES.len() * SHAPES.len()) as u32 * PAIRS;

/// The least image of two Ls and the neutral pieces, as one number.
#[inline(always)]
fn least(own: u16, other: u16, neutral: u16) -> u64 {
    let (owns, others, neutrals) = (images(own), images(other), images(neutral));
    let image = |i: usize| u64::from(owns[i]) << 32 | u64::from(others[i]) << 16 | u64::from(neutrals[i]);
    (0..8).map(image).min().unwrap_or(0)
}

impl Ranked for LGame {
    const RANKED: bool = true;
    const UNPLAYS: bool = true;
    /// There is one group, which no move leaves.
    const MIXES: bool = false;

    /// There are always two Ls and two neutral pieces.
    fn groups(&self, pieces: Option<u32>) -> Vec<Vec<Slice>> {
        if pieces.is_none_or(|pieces| pieces >= 2 + NEUTRALS) { vec![vec![Slice(0)]] } else { Vec::new() }
    }

    fn slice_name(&self, _: Slice) -> String {
        "l-l".to_owned()
    }

    fn size(&self, _: Slice) -> u64 {
        u64::from(SIZE)
    }

    #[inline]
    fn place(&self, position: &Position) -> Option<Place> {
        let (own, other) = position.sides();
        let image = least(own, other, position.neutral);
        let [own, other, neutral] = [32, 16, 0].map(|shift| (image >> shift) as u16);
        let ls = shape_of(own)? * SHAPES.len() + shape_of(other)?;
        let pair = subsets::rank(packed(neutral, !(own | other)));
        Some(Place { slice: Slice(0), rank: (ls as u32 * PAIRS + pair).into() })
    }

    fn unrank(&self, _: Slice, rank: u64) -> Option<Position> {
        let rank = u32::try_from(rank).ok().filter(|&rank| rank < SIZE)?;
        let (ls, pair) = ((rank / PAIRS) as usize, rank % PAIRS);
        let (own, other) = (SHAPES[ls / SHAPES.len()], SHAPES[ls % SHAPES.len()]);
        if own & other != 0 {
            return None;
        }
        let neutral = unpacked(subsets::unrank(pair, NEUTRALS), !(own | other));
        let number = u64::from(own) << 32 | u64::from(other) << 16 | u64::from(neutral);
        (least(own, other, neutral) == number).then(|| position([own, other], neutral, 0))
    }

    fn orbit(&self, position: &Position) -> u32 {
        let sets = [position.ls[0], position.ls[1], position.neutral];
        let fixed = (0..8).filter(|&i| sets.iter().all(|&set| images(set)[i] == set)).count();
        8 / fixed as u32
    }

    fn turned(&self, turned: &Position) -> Option<Position> {
        Some(position(turned.ls, turned.neutral, 1 - turned.turn))
    }

    fn ended(&self, position: &Position) -> Option<Wdl> {
        (!position.free).then_some(Wdl::Loss)
    }

    /// The L of the player who has just moved goes elsewhere, and a neutral piece goes back or none does.
    fn unplay(&self, after: &Position, mut visit: impl FnMut(&Position)) {
        let (other, moved) = after.sides();
        let before = 1 - after.turn;
        let mut back = |neutral: u16| {
            for shape in fitting(moved, other | neutral) {
                let mut ls = after.ls;
                ls[usize::from(before & 1)] = SHAPES[shape];
                visit(&position(ls, neutral, before));
            }
        };
        back(after.neutral);
        // the neutral piece came from a square that is empty now: the L moved before it did
        for from in squares(!(other | moved | after.neutral)) {
            for came in squares(after.neutral) {
                back(after.neutral ^ 1 << came | 1 << from);
            }
        }
    }
}
