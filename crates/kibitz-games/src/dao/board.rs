//! How pieces slide, and which formations win.

use crate::four_by_four::{COLUMN, ROW};

/// The steps of the eight directions: to the right, and up.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The square next to each in each direction; 16 is off the board.
const NEXT: [[u8; 8]; 16] = {
    let mut table = [[16; 8]; 16];
    let mut square = 0;
    while square < 16 {
        let mut direction = 0;
        while direction < 8 {
            let (right, up) = DIRECTIONS[direction];
            let (col, row) = (square as i32 % 4 + right, square as i32 / 4 + up);
            if col >= 0 && col < 4 && row >= 0 && row < 4 {
                table[square][direction] = (4 * row + col) as u8;
            }
            direction += 1;
        }
        square += 1;
    }
    table
};

/// The square next to this one in a direction, or 16.
#[inline(always)]
pub(super) fn next(square: u32, direction: usize) -> u32 {
    u32::from(NEXT[square as usize & 15][direction & 7])
}

/// Whether a square is off the board or occupied. Sets have 16 bits, and the 17th stands for what is off the board.
#[inline(always)]
pub(super) fn blocked(occupied: u16, square: u32) -> bool {
    (u32::from(occupied) | 1 << 16) >> square & 1 != 0
}

/// Where a piece stops that slides from a square in a direction.
#[inline(always)]
pub(super) fn slide(occupied: u16, from: u32, direction: usize) -> u32 {
    let mut at = from;
    loop {
        let step = next(at, direction);
        if blocked(occupied, step) {
            return at;
        }
        at = step;
    }
}

const SQUARE: u16 = 0x0033;
const CORNERS: u16 = 0x9009;

/// The 18 formations that win: files, ranks, squares of two by two, corners.
pub(super) const TARGETS: [u16; 18] = {
    let mut targets = [CORNERS; 18];
    let mut i = 0;
    while i < 4 {
        targets[i] = COLUMN << i;
        targets[4 + i] = ROW << (4 * i);
        i += 1;
    }
    let mut i = 0;
    while i < 9 {
        targets[8 + i] = SQUARE << (4 * (i / 3) + i % 3);
        i += 1;
    }
    targets
};

/// One bit for each set of squares: whether it is a formation.
const IS_TARGET: [u64; 1024] = {
    let mut table = [0; 1024];
    let mut i = 0;
    while i < TARGETS.len() {
        table[TARGETS[i] as usize / 64] |= 1 << (TARGETS[i] % 64);
        i += 1;
    }
    table
};

/// Each corner with the three squares around it.
const AROUND: [(u16, u16); 4] = [(0x0001, 0x0032), (0x0008, 0x00C4), (0x1000, 0x2300), (0x8000, 0x4C00)];

/// Whether the pieces of a player are a formation.
#[inline(always)]
pub(super) fn has_target(own: u16) -> bool {
    IS_TARGET[usize::from(own) / 64] >> (own % 64) & 1 != 0
}

/// The squares of corners of `own` that `other` encloses, and of what encloses them.
#[inline(always)]
pub(super) fn enclosing(own: u16, other: u16) -> u16 {
    let enclosed = |&(corner, around): &(u16, u16)| own & corner != 0 && other & around == around;
    AROUND.iter().filter(|pair| enclosed(pair)).fold(0, |all, (corner, around)| all | corner | around)
}

/// Whether a player has won.
#[inline(always)]
pub(super) fn winning(own: u16, other: u16) -> bool {
    has_target(own) || own & CORNERS != 0 && enclosing(own, other) != 0
}

/// The formations of which a player has exactly three squares.
#[inline]
pub(super) fn threes(own: u16) -> usize {
    TARGETS.iter().filter(|&target| (own & target).count_ones() == 3).count()
}
