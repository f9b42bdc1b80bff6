//! The board: ten by ten squares with two lakes. Square `row * 10 + col`, counted from the lower left.

pub(super) const SIDE: usize = 10;
pub(super) const SQUARES: usize = SIDE * SIDE;

/// A set of squares.
pub(super) type Set = u128;

/// No square.
pub(super) const NONE: u8 = 255;

const fn rows(low: usize, high: usize) -> Set {
    ((1 << (high * SIDE)) - 1) & !((1 << (low * SIDE)) - 1)
}

/// Where each side sets up.
pub(super) const HOME: [Set; 2] = [rows(0, 4), rows(6, 10)];

/// The squares of the two lakes: c5 d5 c6 d6 and g5 h5 g6 h6.
pub(super) const LAKES: Set = {
    let mut lakes = 0;
    let mut row = 4;
    while row < 6 {
        lakes |= (1 << (row * SIDE + 2)) | (1 << (row * SIDE + 3)) | (1 << (row * SIDE + 6)) | (1 << (row * SIDE + 7));
        row += 1;
    }
    lakes
};

/// Where pieces may stand.
pub(super) const BOARD: Set = rows(0, 10) & !LAKES;

/// The four directions: left, right, down, up.
pub(super) const DIRECTIONS: usize = 4;

/// The next square in each direction, or [`NONE`] at the edge and at a lake.
pub(super) const NEIGHBOURS: [[u8; DIRECTIONS]; SQUARES] = {
    let mut table = [[NONE; DIRECTIONS]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let (row, col) = (square / SIDE, square % SIDE);
        let next = [
            if col > 0 { square - 1 } else { SQUARES },
            if col + 1 < SIDE { square + 1 } else { SQUARES },
            if row > 0 { square - SIDE } else { SQUARES },
            if row + 1 < SIDE { square + SIDE } else { SQUARES },
        ];
        let mut direction = 0;
        while direction < DIRECTIONS {
            if next[direction] < SQUARES && BOARD >> next[direction] & 1 == 1 && BOARD >> square & 1 == 1 {
                table[square][direction] = next[direction] as u8;
            }
            direction += 1;
        }
        square += 1;
    }
    table
};

/// The neighbours of each square.
pub(super) const AROUND: [Set; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < DIRECTIONS {
            if NEIGHBOURS[square][direction] != NONE {
                table[square] |= 1 << NEIGHBOURS[square][direction];
            }
            direction += 1;
        }
        square += 1;
    }
    table
};

/// For each square the squares at a distance of at most 1, 2, …, 5, counted in rows plus columns.
pub(super) const WITHIN: [[Set; 5]; SQUARES] = {
    let mut table = [[0; 5]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut other = 0;
        while other < SQUARES {
            let distance = (square / SIDE).abs_diff(other / SIDE) + (square % SIDE).abs_diff(other % SIDE);
            let mut most = if distance == 0 { 1 } else { distance };
            while most <= 5 {
                table[square][most - 1] |= 1 << other;
                most += 1;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

#[inline(always)]
pub(super) const fn bit(square: u8) -> Set {
    1 << square
}

/// The squares of a set in rising order.
#[inline(always)]
pub(super) fn squares(mut set: Set) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < u128::BITS).then_some(square as u8)
    })
}

/// The square that a player fills as the `n`-th: from the own left corner to the right, the back row first. Black sees the board
/// from the other side.
pub(super) const fn home_square(player: usize, n: usize) -> u8 {
    if player == 0 { n as u8 } else { (SQUARES - 1 - n) as u8 }
}

/// The steps between two squares of a row or a column.
pub(super) const fn steps(from: u8, to: u8) -> u8 {
    let difference = from.abs_diff(to);
    if difference < SIDE as u8 { difference } else { difference / SIDE as u8 }
}
