//! Sets of squares on the boards of the phalanx games, and the eight steps from a square to its neighbours.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use kibitz_game::Bits;

/// The number of directions.
pub const DIRECTIONS: usize = 8;

/// How a step changes the row and the column, for each direction; the opposite of direction `d` is `d ^ 4`.
pub const STEPS: [(i32, i32); DIRECTIONS] = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

/// The direction opposite to this one.
#[inline(always)]
pub const fn opposite(direction: usize) -> usize {
    direction ^ 4
}

/// A set of squares. Squares have the numbers `STRIDE * row + column`, both counted from the lower left.
pub trait Board:
    Copy
    + Debug
    + Eq
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
{
    /// Rows of the board.
    const ROWS: u32;
    /// Columns of the board.
    const COLS: u32;
    /// How far the numbers of a square and of the one above it are apart.
    const STRIDE: u32;
    /// No square.
    const NONE: Self;
    /// Every square.
    const ALL: Self;
    /// The lowest row.
    const BOTTOM: Self;
    /// The highest row.
    const TOP: Self;

    /// The set of one square.
    fn square(number: u32) -> Self;
    /// Whether the square is in the set.
    fn has(self, number: u32) -> bool;
    /// Whether the set has no square.
    fn is_none(self) -> bool;
    /// The number of squares.
    fn size(self) -> u32;
    /// The square with exactly `n` squares of the set before it, in an order of the board's own; `n` is less than
    /// [`Board::size`].
    fn pick(self, n: u32) -> u32;
    /// Calls `visit` with each square, in the same order.
    fn each(self, visit: impl FnMut(u32));
    /// Every square moved by one step; what leaves the board is gone or lies outside of [`Board::ALL`].
    fn step(self, direction: usize) -> Self;
    /// The squares of a row as bits, the leftmost column lowest.
    fn row(self, row: u32) -> u32;
    /// The set with left and right exchanged.
    fn mirrored(self) -> Self;
    /// The words of the set, for keys.
    fn words(&self) -> &[u64];

    /// Whether left and right look the same.
    fn is_symmetric(self) -> bool {
        self == self.mirrored()
    }

    /// The number of the square so many steps away, which is on the board.
    #[inline(always)]
    fn away(number: u32, direction: usize, steps: u32) -> u32 {
        let (rows, cols) = STEPS[direction & 7];
        number.wrapping_add_signed((rows * Self::STRIDE as i32 + cols) * steps as i32)
    }

    /// The number of the neighbour of a square, if there is one.
    #[inline]
    fn neighbour(number: u32, direction: usize) -> Option<u32> {
        let (row, col) = (number / Self::STRIDE, number % Self::STRIDE);
        let (up, right) = STEPS[direction & 7];
        let (row, col) = (row.wrapping_add_signed(up), col.wrapping_add_signed(right));
        (row < Self::ROWS && col < Self::COLS).then(|| row * Self::STRIDE + col)
    }

    /// How many squares of the set follow each other from this one on.
    #[inline]
    fn run(self, number: u32, direction: usize) -> u32 {
        let (mut length, mut next) = (0, Some(number));
        while let Some(number) = next.filter(|&number| self.has(number)) {
            length += 1;
            next = Self::neighbour(number, direction);
        }
        length
    }
}

const LEFT: u64 = 0x0101_0101_0101_0101;

/// Eight rows of eight.
impl Board for u64 {
    const ROWS: u32 = 8;
    const COLS: u32 = 8;
    const STRIDE: u32 = 8;
    const NONE: Self = 0;
    const ALL: Self = !0;
    const BOTTOM: Self = 0xFF;
    const TOP: Self = 0xFF << 56;

    #[inline(always)]
    fn square(number: u32) -> Self {
        1 << (number & 63)
    }
    #[inline(always)]
    fn has(self, number: u32) -> bool {
        self >> (number & 63) & 1 != 0
    }
    #[inline(always)]
    fn is_none(self) -> bool {
        self == 0
    }
    #[inline(always)]
    fn size(self) -> u32 {
        self.count_ones()
    }
    #[inline(always)]
    fn pick(self, n: u32) -> u32 {
        self.nth(n)
    }
    #[inline(always)]
    fn each(mut self, mut visit: impl FnMut(u32)) {
        while self != 0 {
            visit(self.trailing_zeros());
            self &= self - 1;
        }
    }
    #[inline(always)]
    fn step(self, direction: usize) -> Self {
        match direction & 7 {
            0 => (self & !(LEFT << 7)) << 1,
            1 => self << 8,
            2 => (self & !(LEFT << 7)) << 9,
            3 => (self & !LEFT) << 7,
            4 => (self & !LEFT) >> 1,
            5 => self >> 8,
            6 => (self & !LEFT) >> 9,
            _ => (self & !(LEFT << 7)) >> 7,
        }
    }
    #[inline(always)]
    fn row(self, row: u32) -> u32 {
        (self >> ((8 * row) & 63)) as u32 & 0xFF
    }
    fn mirrored(self) -> Self {
        self.reverse_bits().swap_bytes()
    }
    #[inline(always)]
    fn words(&self) -> &[u64] {
        std::slice::from_ref(self)
    }
}

/// Twelve rows of fourteen. Row `r` is the `r / 3`-th part of 16 bits of word `r % 3`, so that a step up or down moves
/// whole words, with one shift for the row that changes its part; two columns beyond the board, always empty, keep what
/// leaves it at the side from coming back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows([u64; 3]);

/// A row repeated in all four parts of a word.
const fn parts(row: u64) -> u64 {
    row | row << 16 | row << 32 | row << 48
}

const ROW: u64 = 0x3FFF;

/// The word and the bit of a square.
#[inline(always)]
const fn place(number: u32) -> (usize, u32) {
    let row = number >> 4;
    ((row % 3) as usize, row / 3 * 16 + (number & 15))
}

/// The square of a word and a bit.
#[inline(always)]
const fn number_of(word: usize, bit: u32) -> u32 {
    (3 * (bit >> 4) + word as u32) << 4 | bit & 15
}

impl Board for Rows {
    const ROWS: u32 = 12;
    const COLS: u32 = 14;
    const STRIDE: u32 = 16;
    const NONE: Self = Self([0; 3]);
    const ALL: Self = Self([parts(ROW); 3]);
    const BOTTOM: Self = Self([ROW, 0, 0]);
    const TOP: Self = Self([0, 0, ROW << 48]);

    #[inline(always)]
    fn square(number: u32) -> Self {
        let (word, bit) = place(number);
        let mut words = [0; 3];
        words[word] = 1 << (bit & 63);
        Self(words)
    }
    #[inline(always)]
    fn has(self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.0[word] >> (bit & 63) & 1 != 0
    }
    #[inline(always)]
    fn is_none(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }
    #[inline(always)]
    fn size(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }
    #[inline(always)]
    fn pick(self, mut n: u32) -> u32 {
        for (word, &bits) in self.0.iter().enumerate() {
            let count = bits.count_ones();
            if n < count {
                return number_of(word, bits.nth(n));
            }
            n -= count;
        }
        0
    }
    #[inline(always)]
    fn each(self, mut visit: impl FnMut(u32)) {
        // one loop over all words, as most of them are empty
        let (mut word, [mut bits, mut next, last]) = (0, self.0);
        loop {
            while bits != 0 {
                visit(number_of(word, bits.trailing_zeros()));
                bits &= bits - 1;
            }
            if word == 2 {
                return;
            }
            (word, bits, next) = (word + 1, next, last);
        }
    }
    #[inline(always)]
    fn step(self, direction: usize) -> Self {
        let [a, b, c] = self.0;
        Self(match direction & 7 {
            0 => [a << 1, b << 1, c << 1],
            1 => [c << 16, a, b],
            2 => [c << 17, a << 1, b << 1],
            3 => [c << 15, a >> 1, b >> 1],
            4 => [a >> 1, b >> 1, c >> 1],
            5 => [b, c, a >> 16],
            6 => [b >> 1, c >> 1, a >> 17],
            _ => [b << 1, c << 1, a >> 15],
        })
    }
    #[inline(always)]
    fn row(self, row: u32) -> u32 {
        let (word, bit) = place(row << 4);
        (self.0[word] >> (bit & 63) & ROW) as u32
    }
    fn mirrored(self) -> Self {
        // the words backwards have their parts in the opposite order, and the columns beyond the board first
        Self(self.0.map(|word| {
            let word = word.reverse_bits();
            let parts = word >> 48 | word >> 16 & 0xFFFF_0000 | (word & 0xFFFF_0000) << 16 | word << 48;
            parts >> 2
        }))
    }
    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }
}

macro_rules! word_by_word {
    ($($operator:ident $method:ident, $assign:ident $assign_method:ident;)*) => {$(
        impl $operator for Rows {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ([a, b, c], [x, y, z]) = (self.0, other.0);
                Self([a.$method(x), b.$method(y), c.$method(z)])
            }
        }
        impl $assign for Rows {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )*};
}
word_by_word! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

impl Not for Rows {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Random;
    use std::collections::BTreeSet;

    fn numbers<B: Board>() -> Vec<u32> {
        (0..B::ROWS).flat_map(|row| (0..B::COLS).map(move |col| row * B::STRIDE + col)).collect()
    }

    fn list<B: Board>(set: B) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        set.each(|number| assert!(found.insert(number)));
        found
    }

    /// Everything a board can do, against a set of numbers.
    fn behaves_as_a_set<B: Board>(random: &mut Random) {
        let chosen: BTreeSet<u32> = numbers::<B>().into_iter().filter(|_| random.below(3) == 0).collect();
        let of = |set: &BTreeSet<u32>| set.iter().fold(B::NONE, |all, &number| all | B::square(number));
        let set = of(&chosen);
        assert_eq!(list(set), chosen);
        assert_eq!((set.size() as usize, set.is_none()), (chosen.len(), chosen.is_empty()));
        let picked: BTreeSet<u32> = (0..set.size()).map(|n| set.pick(n)).collect();
        assert_eq!(picked, chosen);
        for direction in 0..DIRECTIONS {
            let moved = chosen.iter().filter_map(|&number| B::neighbour(number, direction)).collect();
            assert_eq!(list(set.step(direction) & B::ALL), moved, "direction {direction}");
            for &number in &chosen {
                if let Some(next) = B::neighbour(number, direction) {
                    assert_eq!(B::away(number, direction, 1), next);
                    assert_eq!(B::neighbour(next, opposite(direction)), Some(number));
                }
            }
        }
        let mirrored = chosen.iter().map(|&number| number - number % B::STRIDE + B::COLS - 1 - number % B::STRIDE);
        assert_eq!(list(set.mirrored()), mirrored.collect());
        assert!((set | set.mirrored()).is_symmetric());
        for row in 0..B::ROWS {
            let bits = (0..B::COLS).filter(|col| chosen.contains(&(row * B::STRIDE + col))).map(|col| 1 << col).sum();
            assert_eq!(set.row(row), bits);
        }
    }

    #[test]
    fn boards_behave_as_sets_of_squares() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            behaves_as_a_set::<u64>(&mut random);
            behaves_as_a_set::<Rows>(&mut random);
        }
    }

    #[test]
    fn rows_and_the_whole_board_have_the_squares_of_the_rules() {
        assert_eq!((<u64 as Board>::ALL.size(), Rows::ALL.size()), (64, 168));
        assert_eq!(list(Rows::ALL), numbers::<Rows>().into_iter().collect());
        assert_eq!(list(Rows::TOP), (176..190).collect());
        assert_eq!(list(Rows::BOTTOM), (0..14).collect());
    }

    #[test]
    fn a_run_ends_at_the_side_of_the_board() {
        // G1, H1 and A2, B2 are not one run although their numbers follow each other
        assert_eq!((0b11_1100_0000_u64.run(6, 0), 0b11_1100_0000_u64.run(9, 4)), (2, 2));
    }
}
