//! Where a piece can go: steps, and chains of jumps over pieces.

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

/// Where the piece on place `from` can go in a view of the whole star.
#[inline(always)]
pub(super) fn wide(views: &Views, from: u32, all: u128, area: u128) -> u128 {
    let free = area & !all;
    let occupied = all & !(1 << from);
    let (mut last, mut reached) = (1u128 << from, 0);
    while last != 0 {
        let place = last.trailing_zeros() as usize;
        last &= last - 1;
        if views.near[place] & occupied == 0 {
            continue;
        }
        let count = usize::from(views.jump_counts[place]);
        for &(over, to) in &views.jumps[place][..count] {
            let landed = (occupied >> over & 1) << to & free & !reached;
            last |= landed;
            reached |= landed;
        }
    }
    views.near[from as usize] & free | reached
}
