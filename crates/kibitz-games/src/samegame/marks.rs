//! Where the blocks of a board were at the beginning of a line: what stays the same when moves are made in another order.
//!
//! The marks are the cells of the beginning that still have their block, 16 rows a column, and the columns that have any. Blocks never pass
//! each other, so a block is now as high as there are blocks left below it, and as far to the right as there are columns left.

use kibitz_game::Bits;

use super::columns::{Block, COLUMNS, Cell, Columns, ROWS, occupied};

const PER_WORD: usize = 64 / ROWS;
const LEFT: usize = COLUMNS / PER_WORD;
pub(super) const WORDS: usize = LEFT + 1;

/// The rows of a column of the beginning that still have their block.
#[inline(always)]
fn rows(marks: &[u64], column: usize) -> u16 {
    (marks[column / PER_WORD] >> (ROWS * (column % PER_WORD))) as u16
}

pub(super) fn begin(columns: &Columns, marks: &mut [u64]) {
    marks.fill(0);
    for (c, &column) in columns.0.iter().enumerate() {
        let rows = occupied(column);
        marks[c / PER_WORD] |= u64::from(rows) << (ROWS * (c % PER_WORD));
        marks[LEFT] |= u64::from(rows != 0) << c;
    }
}

/// Where the block of a cell of the beginning is now, if it is there.
#[inline(always)]
pub(super) fn cell(marks: &[u64], origin: Cell) -> Option<Cell> {
    let (column, row) = (usize::from(origin) / ROWS, usize::from(origin) % ROWS);
    let rows = rows(marks, column);
    if rows >> row & 1 == 0 {
        return None;
    }
    let before = marks[LEFT] & ((1 << column) - 1);
    let below = rows & ((1 << row) - 1);
    Some((ROWS as u32 * before.count_ones() + below.count_ones()) as Cell)
}

/// The cell of the beginning whose block is in a cell now.
#[inline(always)]
pub(super) fn origin(marks: &[u64], cell: Cell) -> Cell {
    let column = marks[LEFT].nth(u32::from(cell) / ROWS as u32) as usize;
    let row = u64::from(rows(marks, column)).nth(u32::from(cell) % ROWS as u32);
    (ROWS * column) as Cell + row as Cell
}

/// Takes a block away.
#[inline(always)]
pub(super) fn remove(marks: &mut [u64], block: &Block) {
    let mut left = marks[LEFT];
    for _ in 0..block.first {
        left &= left - 1;
    }
    for now in &block.rows[block.first..=block.last] {
        let column = left.trailing_zeros() as usize;
        left &= left - 1;
        let mut removed = 0;
        let (mut origins, mut now) = (rows(marks, column), *now);
        let before = origins;
        while now != 0 {
            let lowest = origins & origins.wrapping_neg();
            removed |= if now & 1 == 1 { lowest } else { 0 };
            origins ^= lowest;
            now >>= 1;
        }
        marks[column / PER_WORD] ^= u64::from(removed) << (ROWS * (column % PER_WORD));
        marks[LEFT] ^= u64::from(before == removed) << column;
    }
}
