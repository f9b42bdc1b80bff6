//! The board as columns: one word a column, so that blocks fall and columns close up by a few shifts.
//!
//! The colour of a cell, from 1, is a number of four bits; each bit has 16 rows of its own in the word of the column. The rows
//! of one colour, or those in which two columns agree, are a handful of operations on the whole column.

use kibitz_game::{Bits, Random, splitmix64};

/// The tallest and the widest board.
pub(super) const ROWS: usize = 16;
pub(super) const COLUMNS: usize = 20;

/// The number of a cell, `ROWS * column + row`.
pub(super) type Cell = u16;

/// The lowest row of each of the four bits of the colours.
const LANES: u64 = 0x0001_0001_0001_0001;
/// The highest row of each of them.
const TOPS: u64 = LANES << 15;

/// The column that is full of a colour.
#[inline(always)]
const fn full(colour: u8) -> u64 {
    let spread = colour as u64 & 1 | (colour as u64 & 2) << 15 | (colour as u64 & 4) << 30 | (colour as u64 & 8) << 45;
    spread * 0xFFFF
}

/// The rows in which a column has the colour of which another one is full.
#[inline(always)]
fn rows_like(column: u64, full: u64) -> u16 {
    let same = !(column ^ full);
    let same = same & same >> 32;
    (same & same >> 16) as u16
}

/// The rows that are not empty.
#[inline(always)]
pub(super) fn occupied(column: u64) -> u16 {
    let any = column | column >> 32;
    (any | any >> 16) as u16
}

/// The rows in which two columns have blocks of one colour.
#[inline(always)]
fn alike(column: u64, other: u64) -> u16 {
    let differ = column ^ other;
    let differ = differ | differ >> 32;
    !((differ | differ >> 16) as u16) & occupied(column)
}

/// The rows with a block of the same colour above.
#[inline(always)]
fn stacked(column: u64) -> u16 {
    alike(column, column >> 1 & !TOPS)
}

/// The runs of `rows` that `seeds`, some of these rows, belong to.
#[inline(always)]
fn runs(seeds: u16, rows: u16) -> u16 {
    let (seeds, rows) = (u32::from(seeds), u32::from(rows));
    // upwards a carry runs to the end of each run; downwards the distance doubles four times
    let mut found = ((rows + seeds) ^ rows) & rows | seeds;
    let mut free = rows;
    for distance in [1, 2, 4, 8] {
        found |= free & found >> distance;
        free &= free >> distance;
    }
    found as u16
}

/// The colours of all cells, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns(pub(super) [u64; COLUMNS]);

/// Connected cells of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The rows in each column.
    pub(super) rows: [u16; COLUMNS],
    /// The first and the last column that has any.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) size: u32,
}

impl Block {
    /// The lowest cell of the first column.
    #[inline(always)]
    pub(super) fn cell(&self) -> Cell {
        (ROWS * self.first) as Cell + self.rows[self.first].trailing_zeros() as Cell
    }

    /// One of its cells, by a number below the size.
    #[inline(always)]
    pub(super) fn nth(&self, mut n: u32) -> Cell {
        for c in self.first..=self.last {
            let count = self.rows[c].count_ones();
            if n < count {
                return (ROWS * c) as Cell + u64::from(self.rows[c]).nth(n) as Cell;
            }
            n -= count;
        }
        unreachable!("n is less than the size")
    }
}

/// What there is of a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) blocks: u32,
    /// Blocks without a neighbour of the colour.
    pub(super) singles: u32,
    /// Pairs of neighbours.
    pub(super) pairs: u32,
    /// The columns that have any, one bit each.
    pub(super) columns: u32,
}

impl Columns {
    pub(super) const EMPTY: Self = Self([0; COLUMNS]);

    /// The colour of a cell, 0 if it is empty.
    #[inline(always)]
    pub(super) fn colour(&self, cell: Cell) -> u8 {
        let bits = self.0[usize::from(cell) / ROWS] >> (usize::from(cell) % ROWS) & LANES;
        (bits | bits >> 15 | bits >> 30 | bits >> 45) as u8 & 15
    }

    /// Puts a block into an empty cell.
    pub(super) fn put(&mut self, cell: Cell, colour: u8) {
        self.0[usize::from(cell) / ROWS] |= full(colour) & LANES << (usize::from(cell) % ROWS);
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0[0] == 0
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> u32 {
        self.0.iter().map(|&column| occupied(column).count_ones()).sum()
    }

    /// The number of blocks of a colour.
    #[inline]
    pub(super) fn count(&self, colour: u8) -> u32 {
        let full = full(colour);
        self.0.iter().map(|&column| rows_like(column, full).count_ones()).sum()
    }

    /// The most frequent of the colours up to `colours`; of several the lowest.
    pub(super) fn most_frequent(&self, colours: u8) -> u8 {
        let (mut most, mut found) = (0, 0);
        for colour in 1..=colours {
            let count = self.count(colour);
            if count > most {
                (most, found) = (count, colour);
            }
        }
        found
    }

    /// What there is of each of the colours up to `colours`.
    #[inline]
    pub(super) fn census(&self, colours: u8) -> [Census; 15] {
        let mut census = [Census::default(); 15];
        let mut left = 0;
        for (c, &column) in self.0.iter().enumerate() {
            if column == 0 {
                break;
            }
            let right = if c + 1 < COLUMNS { alike(column, self.0[c + 1]) } else { 0 };
            let above = stacked(column);
            let linked = above | above << 1 | left | right;
            for (colour, counts) in (1..=colours).zip(&mut census) {
                let rows = rows_like(column, full(colour));
                counts.blocks += rows.count_ones();
                counts.singles += (rows & !linked).count_ones();
                counts.pairs += (rows & above).count_ones() + (rows & right).count_ones();
                counts.columns |= u32::from(rows != 0) << c;
            }
            left = right;
        }
        census
    }

    /// Whether there is a move: two neighbours of one colour.
    #[inline(always)]
    pub(super) fn has_move(&self) -> bool {
        for c in 0..COLUMNS {
            if self.0[c] == 0 {
                return false;
            }
            if stacked(self.0[c]) != 0 || c + 1 < COLUMNS && alike(self.0[c], self.0[c + 1]) != 0 {
                return true;
            }
        }
        false
    }

    /// The block that a cell, which is not empty, belongs to.
    #[inline(always)]
    pub(super) fn block(&self, cell: Cell) -> Block {
        let column = usize::from(cell) / ROWS;
        let full = full(self.colour(cell));
        let mut block = Block { rows: [0; COLUMNS], first: column, last: column, size: 0 };
        let mut fresh = [0u16; COLUMNS];
        fresh[column] = runs(1 << (usize::from(cell) % ROWS), rows_like(self.0[column], full));
        block.rows[column] = fresh[column];
        let mut waiting = 1u32 << column;
        while waiting != 0 {
            let c = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let new = std::mem::take(&mut fresh[c]);
            block.size += new.count_ones();
            let mut reach = |side: usize| {
                let rows = rows_like(self.0[side], full);
                let seeds = new & rows & !block.rows[side];
                if seeds != 0 {
                    let found = runs(seeds, rows);
                    block.rows[side] |= found;
                    fresh[side] |= found;
                    waiting |= 1 << side;
                }
                seeds != 0
            };
            if c > 0 && reach(c - 1) {
                block.first = block.first.min(c - 1);
            }
            if c + 1 < COLUMNS && reach(c + 1) {
                block.last = block.last.max(c + 1);
            }
        }
        block
    }

    /// The block that has all cells of a colour, if there is one and it can be removed.
    #[inline(always)]
    pub(super) fn only_block(&self, colour: u8) -> Option<Block> {
        let full = full(colour);
        let mut first = None;
        let (mut before, mut blocks) = (0, 0);
        for (c, &column) in self.0.iter().enumerate() {
            let rows = rows_like(column, full);
            // a column between two others that does not touch the next one tells it without a look at the rest
            if rows != 0 && blocks > 0 && rows & before == 0 {
                return None;
            }
            if rows != 0 && first.is_none() {
                first = Some((ROWS * c) as Cell + rows.trailing_zeros() as Cell);
            }
            blocks += rows.count_ones();
            before = rows;
        }
        first.filter(|_| blocks > 1).map(|cell| self.block(cell)).filter(|block| block.size == blocks)
    }

    /// Takes a block from the board; what was above falls, and empty columns close up. Returns the first column after the last
    /// one that is not what it was.
    #[inline(always)]
    pub(super) fn remove(&mut self, block: &Block) -> usize {
        let mut emptied = false;
        for c in block.first..=block.last {
            let mut rows = block.rows[c];
            let mut column = self.0[c];
            // from the top, where nothing that is still to be removed can fall
            while rows != 0 {
                let above = 16 - rows.leading_zeros();
                let length = (rows << (16 - above)).leading_ones();
                let low = above - length;
                let below = ((1u64 << low) - 1) * LANES;
                let not_above = ((1u64 << above) - 1) * LANES;
                column = column & below | (column & !not_above) >> length;
                rows &= ((1u32 << low) - 1) as u16;
            }
            self.0[c] = column;
            emptied |= column == 0;
        }
        if !emptied {
            return block.last + 1;
        }
        let (mut to, mut from) = (block.first, block.first);
        while from < COLUMNS {
            let column = self.0[from];
            self.0[to] = column;
            to += usize::from(column != 0);
            from += 1;
            if column == 0 && from > block.last + 1 {
                break;
            }
        }
        self.0[to..from].fill(0);
        from
    }

    /// A key of the board.
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        let mut key = 0;
        for (c, &column) in self.0.iter().enumerate() {
            if column == 0 {
                break;
            }
            key ^= splitmix64(column ^ (c as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        }
        key
    }
}

/// Where blocks that can be removed may begin: the cells that have a neighbour of their colour above or to the right and none
/// below or to the left. The first cell of every such block is among them, and few others are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Starts([u64; COLUMNS / 4]);

impl Starts {
    /// Those of all colours but one, which is 0 to leave out none.
    #[inline(always)]
    pub(super) fn new(columns: &Columns, tabu: u8) -> Self {
        let mut starts = Self([0; COLUMNS / 4]);
        starts.update(columns, tabu, 0, COLUMNS);
        starts
    }

    /// Looks again at the columns from `first` to `end`, which have changed, and at their neighbours.
    #[inline(always)]
    pub(super) fn update(&mut self, columns: &Columns, tabu: u8, first: usize, end: usize) {
        let tabu = if tabu == 0 { u64::MAX } else { full(tabu) };
        let from = first.saturating_sub(1);
        let mut left = if from == 0 { 0 } else { alike(columns.0[from - 1], columns.0[from]) };
        for c in from..COLUMNS.min(end + 1) {
            let column = columns.0[c];
            let mut starts = 0;
            if column != 0 {
                let right = if c + 1 < COLUMNS { alike(column, columns.0[c + 1]) } else { 0 };
                let above = stacked(column);
                starts = (above | right) & !(above << 1) & !left & !rows_like(column, tabu);
                left = right;
            }
            let shift = 16 * (c % 4);
            let word = &mut self.0[c / 4];
            *word = *word & !(0xFFFF << shift) | u64::from(starts) << shift;
        }
    }

    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn nth(&self, mut n: u32) -> Cell {
        for (i, &word) in self.0.iter().enumerate() {
            let count = word.count_ones();
            if n < count {
                return (64 * i as u32 + word.nth(n)) as Cell;
            }
            n -= count;
        }
        unreachable!("n is less than the count")
    }

    /// A block that begins at one of them, each with the same probability; `count`, how many they are, is not 0.
    #[inline(always)]
    pub(super) fn draw(&self, count: u32, columns: &Columns, random: &mut Random) -> Block {
        loop {
            let cell = self.nth(random.below(count as usize) as u32);
            let block = columns.block(cell);
            // a block with several starts would come too often
            if block.cell() == cell {
                return block;
            }
        }
    }

    /// The same with one more block, which is as likely as each of them.
    #[inline(always)]
    pub(super) fn draw_with(&self, count: u32, more: &Block, columns: &Columns, random: &mut Random) -> Block {
        loop {
            let n = random.below(count as usize + 1) as u32;
            if n == count {
                return *more;
            }
            let cell = self.nth(n);
            let block = columns.block(cell);
            if block.cell() == cell {
                return block;
            }
        }
    }

    /// Calls `visit` with every block that begins at one of them, in the order of their first cells.
    #[inline(always)]
    pub(super) fn each(mut self, columns: &Columns, mut visit: impl FnMut(&Block)) {
        for i in 0..self.0.len() {
            while self.0[i] != 0 {
                let block = columns.block((64 * i as u32 + self.0[i].trailing_zeros()) as Cell);
                visit(&block);
                for c in block.first..=block.last {
                    self.0[c / 4] &= !(u64::from(block.rows[c]) << (16 * (c % 4)));
                }
            }
        }
    }
}
