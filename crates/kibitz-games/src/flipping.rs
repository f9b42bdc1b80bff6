//! The eight directions of Othello and of its relatives: which discs a move encloses, in all of them at once.

/// The differences between neighbours: along a row, a column and the two diagonals.
const STEPS: Lines = [1, 8, 7, 9];

/// A word for each of the four [`STEPS`]. What is done to all four at once becomes one instruction where there are vectors
/// of this size.
pub(crate) type Lines = [u64; 4];

#[inline(always)]
pub(crate) fn each(word: impl Fn(usize) -> u64) -> Lines {
    [word(0), word(1), word(2), word(3)]
}

#[inline(always)]
fn any(lines: Lines) -> u64 {
    (lines[0] | lines[2]) | (lines[1] | lines[3])
}

/// The squares of `through` that are reached from `from` without a gap, by steps towards greater and towards smaller
/// squares; the prefixes are doubled as by Kogge and Stone.
#[inline(always)]
fn reached(from: u64, through: Lines) -> (Lines, Lines) {
    let mut up = each(|i| through[i] & from << STEPS[i]);
    let mut down = each(|i| through[i] & from >> STEPS[i]);
    up = each(|i| up[i] | through[i] & up[i] << STEPS[i]);
    down = each(|i| down[i] | through[i] & down[i] >> STEPS[i]);
    let pairs_up = each(|i| through[i] & through[i] << STEPS[i]);
    let pairs_down = each(|i| pairs_up[i] >> STEPS[i]);
    for _ in 0..2 {
        up = each(|i| up[i] | pairs_up[i] & up[i] << (2 * STEPS[i]));
        down = each(|i| down[i] | pairs_down[i] & down[i] >> (2 * STEPS[i]));
    }
    (up, down)
}

/// The squares from which a disc would enclose some of `enclosable`, which is given for each direction, with one of `own`.
/// They may be occupied.
#[inline(always)]
pub(crate) fn enclosing(own: u64, enclosable: Lines) -> u64 {
    let (up, down) = reached(own, enclosable);
    any(each(|i| up[i] << STEPS[i] | down[i] >> STEPS[i]))
}

/// The enemy discs that a disc at the beginning of these rays turns over: on each ray, those before the first square without
/// one, if an own disc is there.
#[inline(always)]
pub(crate) fn turned([above, below]: &[Lines; 2], own: u64, other: u64) -> u64 {
    any(each(|i| {
        let blocked = above[i] & !other;
        let end = blocked & blocked.wrapping_neg() & own;
        let up = above[i] & end.wrapping_sub(u64::from(end != 0));
        // the greatest blocked square is the one that none of the others reaches by steps
        let blocked = below[i] & !other;
        let mut lower = blocked >> STEPS[i];
        lower |= lower >> STEPS[i];
        lower |= lower >> (2 * STEPS[i]);
        lower |= lower >> (4 * STEPS[i]);
        let end = blocked & !lower & own;
        up | below[i] & (end << 1).wrapping_neg()
    }))
}

/// The squares in each direction from a square on a board of `size` squares a side, towards greater and towards smaller ones.
pub(crate) fn rays(square: usize, size: usize) -> [Lines; 2] {
    let ray = |down: i32, right: i32| {
        let at = |far: i32| ((square / 8) as i32 + far * down, (square % 8) as i32 + far * right);
        let inside = |&(row, col): &(i32, i32)| row.min(col) >= 0 && row.max(col) < size as i32;
        (1..8).map(at).take_while(inside).fold(0, |set, (row, col)| set | 1 << (8 * row + col))
    };
    [1, -1].map(|sign| [(0, 1), (1, 0), (1, -1), (1, 1)].map(|(down, right)| ray(sign * down, sign * right)))
}
