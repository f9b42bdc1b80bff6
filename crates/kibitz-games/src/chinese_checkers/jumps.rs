//! Where a piece can go: steps, and chains of jumps over pieces.

use kibitz_game::Bits;

use super::geometry::{STRIDE, Views};

/// The distances between neighbours of a rhombus in a word; each is a direction and its opposite.
const STEPS: [u32; 3] = [1, STRIDE - 1, STRIDE];

/// The neighbours of a set of places of a rhombus, of which some are no cells.
#[inline(always)]
pub(super) fn around(set: u64) -> u64 {
    STEPS.iter().fold(0, |near, &by| near | set << by | set >> by)
}

/// Where chains of jumps lead from a set of places of a rhombus: over `occupied` places to `free` ones. The first places are
/// not among them unless they are reached from others.
#[inline(always)]
pub(super) fn jumps(from: u64, occupied: u64, free: u64) -> u64 {
    let (mut last, mut reached) = (from, 0);
    loop {
        let landed = STEPS
            .iter()
            .fold(0, |landed, &by| landed | ((last << by) & occupied) << by | ((last >> by) & occupied) >> by);
        last = landed & free & !reached;
        if last == 0 {
            return reached;
        }
        reached |= last;
    }
}

/// Where the piece on `from` can go in a view that is a rhombus; `all` are the pieces in it.
#[inline(always)]
pub(super) fn narrow(from: u64, all: u64, area: u64) -> u64 {
    let occupied = all & !from;
    let free = area & !all;
    around(from) & free | jumps(from, occupied, free)
}

/// Which places of a mask, of six at most, are in a set: bit `n` stands for the `n`-th of the mask.
#[inline(always)]
fn gather(set: u128, mask: u128) -> u64 {
    let (low, high) = (mask as u64, (mask >> 64) as u64);
    (set as u64).gather(low) | ((set >> 64) as u64).gather(high) << (low.count_ones() & 63)
}

/// The places of a mask that the bits say.
#[inline(always)]
fn scatter(bits: u64, mask: u128) -> u128 {
    let (low, high) = (mask as u64, (mask >> 64) as u64);
    u128::from(u64::scatter(bits, low)) | u128::from(u64::scatter(bits >> (low.count_ones() & 63), high)) << 64
}

/// Where the piece on place `from` can go in a view of the whole star.
#[inline(always)]
pub(super) fn wide(views: &Views, from: u32, all: u128, area: u128) -> u128 {
    let free = area & !all;
    let occupied = all & !(1 << from);
    let (mut last, mut open) = (1u128 << from, free);
    while last != 0 {
        let place = last.trailing_zeros() as usize;
        last &= last - 1;
        let full = gather(occupied, views.over[place]);
        if full != 0 {
            let land = views.land[place];
            let landed = scatter(full & gather(open, land), land);
            last |= landed;
            open &= !landed;
        }
    }
    views.near[from as usize] & free | free & !open
}
