//! Bitboards: sets of squares.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A set of squares numbered from 0. Implemented by `u64` and by [`Wide`].
///
/// ```
/// use kibitz_game::{Bits, Wide};
///
/// let board = Wide::<4>::square(200) | Wide::square(3);
/// assert_eq!(board.squares().collect::<Vec<_>>(), [3, 200]);
/// assert_eq!((board << 10).nth(1), 210);
/// ```
pub trait Bits:
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
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many squares fit.
    const SQUARES: u32;
    /// The empty set.
    const EMPTY: Self;

    /// The set of one square.
    fn square(square: u32) -> Self;
    /// The set of the squares below 64 that a word has.
    fn of_word(word: u64) -> Self;
    /// Whether the set has no square.
    fn is_empty(self) -> bool;
    /// Whether the square is in the set.
    fn has(self, square: u32) -> bool;
    /// The number of squares.
    fn count(self) -> u32;
    /// The lowest square of a set that is not empty.
    fn lowest(self) -> u32;
    /// The set without its lowest square.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// The square with exactly `n` squares of the set below it; `n` is less than [`Bits::count`].
    fn nth(self, n: u32) -> u32;
    /// The squares below the lowest one of the set; all squares if it is empty.
    #[must_use]
    fn below(self) -> Self;
    /// The squares above the highest one of the set; all squares if it is empty.
    #[must_use]
    fn above(self) -> Self;
    /// Which squares of a mask, of 64 at most, are in the set: bit `n` stands for the `n`-th square of the mask.
    fn gather(self, mask: Self) -> u64;
    /// The squares of a mask that the bits say: the opposite of [`Bits::gather`].
    #[must_use]
    fn scatter(bits: u64, mask: Self) -> Self;
    /// The words of the set, 64 squares each, lowest first; for keys.
    fn words(&self) -> &[u64];

    /// The squares in rising order.
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// The squares of a set in rising order.
pub struct Squares<B>(B);

impl<B: Bits> Iterator for Squares<B> {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(square)
    }
}

/// The position of the `n`-th set bit of a word.
#[inline(always)]
fn nth_of_word(word: u64, n: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the instruction is present, the condition above says so at compile time.
        #[allow(unsafe_code)]
        let deposited = unsafe { std::arch::x86_64::_pdep_u64(1 << n, word) };
        deposited.trailing_zeros()
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let mut word = word;
        for _ in 0..n {
            word &= word - 1;
        }
        word.trailing_zeros()
    }
}

impl Bits for u64 {
    const SQUARES: u32 = 64;
    const EMPTY: Self = 0;

    #[inline(always)]
    fn square(square: u32) -> Self {
        1 << square
    }
    #[inline(always)]
    fn of_word(word: u64) -> Self {
        word
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }
    #[inline(always)]
    fn has(self, square: u32) -> bool {
        self >> square & 1 != 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline(always)]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }
    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & (self - 1)
    }
    #[inline(always)]
    fn nth(self, n: u32) -> u32 {
        nth_of_word(self, n)
    }
    #[inline(always)]
    fn below(self) -> Self {
        self.wrapping_sub(1) & !self
    }
    #[inline(always)]
    fn above(self) -> Self {
        // two shifts, because a shift by 64 is not defined; the empty set has 64 leading zeros
        let zeros = self.leading_zeros();
        if zeros == 64 { !0 } else { !0 << 1 << (63 - zeros) }
    }
    #[inline(always)]
    fn gather(self, mask: Self) -> u64 {
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        {
            // SAFETY: the instruction is present, the condition above says so at compile time.
            #[allow(unsafe_code)]
            unsafe {
                std::arch::x86_64::_pext_u64(self, mask)
            }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        {
            mask.squares().enumerate().fold(0, |bits, (n, square)| bits | (self >> square & 1) << n)
        }
    }
    #[inline(always)]
    fn scatter(bits: u64, mask: Self) -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        {
            // SAFETY: the instruction is present, the condition above says so at compile time.
            #[allow(unsafe_code)]
            unsafe {
                std::arch::x86_64::_pdep_u64(bits, mask)
            }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        {
            mask.squares().enumerate().fold(0, |set, (n, square)| set | (bits >> n & 1) << square)
        }
    }
    #[inline(always)]
    fn words(&self) -> &[u64] {
        std::slice::from_ref(self)
    }
}

/// A bitboard of `64 * W` squares: `Wide<2>` has 128, `Wide<4>` has 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide<const W: usize>([u64; W]);

impl<const W: usize> Bits for Wide<W> {
    const SQUARES: u32 = 64 * W as u32;
    const EMPTY: Self = Self([0; W]);

    #[inline]
    fn square(square: u32) -> Self {
        let mut words = [0; W];
        words[(square >> 6) as usize] = 1 << (square & 63);
        Self(words)
    }
    #[inline]
    fn of_word(word: u64) -> Self {
        let mut words = [0; W];
        words[0] = word;
        Self(words)
    }
    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, &word| all | word) == 0
    }
    #[inline]
    fn has(self, square: u32) -> bool {
        self.0[(square >> 6) as usize] >> (square & 63) & 1 != 0
    }
    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    #[inline]
    fn lowest(self) -> u32 {
        let i = self.0.iter().position(|&word| word != 0).unwrap_or(W - 1);
        64 * i as u32 + self.0[i].trailing_zeros()
    }
    #[inline]
    fn without_lowest(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }
    #[inline]
    fn nth(self, mut n: u32) -> u32 {
        for (i, &word) in self.0.iter().enumerate() {
            let count = word.count_ones();
            if n < count {
                return 64 * i as u32 + nth_of_word(word, n);
            }
            n -= count;
        }
        Self::SQUARES
    }
    #[inline]
    fn below(self) -> Self {
        let mut found = false;
        Self(self.0.map(|word| {
            let below = if found { 0 } else { word.below() };
            found |= word != 0;
            below
        }))
    }
    #[inline]
    fn above(self) -> Self {
        let mut out = [0; W];
        for i in (0..W).rev() {
            out[i] = self.0[i].above();
            if self.0[i] != 0 {
                break;
            }
        }
        Self(out)
    }
    #[inline]
    fn gather(self, mask: Self) -> u64 {
        let (mut bits, mut before) = (0, 0);
        for (&word, &mask) in self.0.iter().zip(&mask.0) {
            bits |= word.gather(mask).checked_shl(before).unwrap_or(0);
            before += mask.count_ones();
        }
        bits
    }
    #[inline]
    fn scatter(mut bits: u64, mask: Self) -> Self {
        Self(mask.0.map(|mask| {
            let word = u64::scatter(bits, mask);
            bits = bits.checked_shr(mask.count_ones()).unwrap_or(0);
            word
        }))
    }
    #[inline]
    fn words(&self) -> &[u64] {
        &self.0
    }
}

macro_rules! word_by_word {
    ($($operator:ident $method:ident, $assign:ident $assign_method:ident;)*) => {$(
        impl<const W: usize> $operator for Wide<W> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i].$method(other.0[i])))
            }
        }
        impl<const W: usize> $assign for Wide<W> {
            #[inline]
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

impl<const W: usize> Not for Wide<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const W: usize> Shl<u32> for Wide<W> {
    type Output = Self;
    #[inline]
    fn shl(self, by: u32) -> Self {
        let (words, bits) = ((by >> 6) as usize, by & 63);
        Self(std::array::from_fn(|i| {
            let at = |j: usize| if i >= j { self.0[i - j] } else { 0 };
            // two shifts, because a shift by 64 is not defined
            at(words) << bits | at(words + 1) >> 1 >> (63 - bits)
        }))
    }
}

impl<const W: usize> Shr<u32> for Wide<W> {
    type Output = Self;
    #[inline]
    fn shr(self, by: u32) -> Self {
        let (words, bits) = ((by >> 6) as usize, by & 63);
        Self(std::array::from_fn(|i| {
            let at = |j: usize| self.0.get(i + j).copied().unwrap_or(0);
            at(words) >> bits | at(words + 1) << 1 << (63 - bits)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn of<B: Bits>(squares: &BTreeSet<u32>) -> B {
        squares.iter().fold(B::EMPTY, |set, &square| set | B::square(square))
    }

    /// Everything a bitboard can do, against a set of numbers.
    fn behaves_as_a_set<B: Bits>(a: &BTreeSet<u32>, b: &BTreeSet<u32>, by: u32) {
        let (x, y): (B, B) = (of(a), of(b));
        let list = |set: B| set.squares().collect::<BTreeSet<u32>>();
        assert_eq!(&list(x), a);
        assert_eq!(list(x & y), a & b);
        assert_eq!(list(x | y), a | b);
        assert_eq!(list(x ^ y), a ^ b);
        assert_eq!(list(x & !y), a - b);
        assert_eq!(x.count() as usize, a.len());
        assert_eq!(x.is_empty(), a.is_empty());
        assert_eq!(list(x << by), a.iter().map(|s| s + by).filter(|&s| s < B::SQUARES).collect());
        assert_eq!(list(x >> by), a.iter().filter(|&&s| s >= by).map(|s| s - by).collect());
        let (low, high) = (a.first().copied(), a.last().copied());
        assert_eq!(list(x.below()), (0..low.unwrap_or(B::SQUARES)).collect());
        assert_eq!(list(x.above()), (high.map_or(0, |square| square + 1)..B::SQUARES).collect());
        let mask: BTreeSet<u32> = b.iter().copied().take(64).collect();
        let bits = x.gather(of(&mask));
        let expected = mask.iter().enumerate().map(|(n, square)| u64::from(a.contains(square)) << n);
        assert_eq!(bits, expected.sum());
        assert_eq!(list(B::scatter(bits, of(&mask))), a & &mask);
        for (n, &square) in a.iter().enumerate() {
            assert_eq!(x.nth(n as u32), square);
            assert!(x.has(square));
        }
    }

    proptest! {
        #[test]
        fn a_bitboard_behaves_as_a_set(a: BTreeSet<u8>, b: BTreeSet<u8>, by in 0u32..64) {
            let below = |set: &BTreeSet<u8>, n: u32| set.iter().map(|&s| u32::from(s)).filter(|&s| s < n).collect();
            behaves_as_a_set::<u64>(&below(&a, 64), &below(&b, 64), by);
            behaves_as_a_set::<Wide<2>>(&below(&a, 128), &below(&b, 128), by * 2);
            behaves_as_a_set::<Wide<4>>(&below(&a, 256), &below(&b, 256), by * 4);
        }
    }
}
