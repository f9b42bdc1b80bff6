//! The checkers of one side, four bits a point, and what both sides together mean for moving.

/// The number of checkers of a side.
pub const CHECKERS: u32 = 15;
/// The place of checkers that have been borne off, in a side's own numbering.
pub const OFF: usize = 0;
/// The place of checkers that have been hit.
pub const BAR: usize = 25;
/// Off, the 24 points and the bar.
pub const PLACES: usize = 26;

/// Every second to fifth bit of the places: one bit for each of them.
const ONES: u128 = {
    let (mut ones, mut place) = (0, 0);
    while place < PLACES {
        ones |= 1 << (4 * place);
        place += 1;
    }
    ones
};

/// The bits of the places from the 7-point to the bar.
pub const OUTSIDE: u32 = 0x03FF_FF80;
/// The bits of the home board.
pub const HOME: u32 = 0b111_1110;
/// The bits of the 24 points.
const POINTS: u32 = 0x01FF_FFFE;

/// The checkers of one side in its own numbering: how many stand on each place, four bits each, off first and the bar last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side(pub u128);

impl Side {
    /// All checkers borne off.
    pub const EMPTY: Self = Self(CHECKERS as u128);
    /// The set-up: 2 on 24, 5 on 13, 3 on 8, 5 on 6.
    pub const START: Self = Self(2 << 96 | 5 << 52 | 3 << 32 | 5 << 24);

    /// How many checkers stand on a place.
    #[inline(always)]
    pub const fn count(self, place: usize) -> u32 {
        (self.0 >> (4 * place)) as u32 & 15
    }

    /// Sends a checker from one place to another.
    #[inline(always)]
    pub const fn moved(self, from: usize, to: usize) -> Self {
        Self(self.0 - (1 << (4 * from)) + (1 << (4 * to)))
    }

    /// The bits of the places with a checker, off left out.
    #[inline(always)]
    pub const fn occupied(self) -> u32 {
        let some = self.0 | self.0 >> 1 | self.0 >> 2 | self.0 >> 3;
        squeezed(some & ONES) & !1
    }

    /// The bits of the points that are held: two checkers or more.
    #[inline(always)]
    pub const fn held(self) -> u32 {
        squeezed((self.0 >> 1 | self.0 >> 2 | self.0 >> 3) & ONES) & POINTS
    }

    /// The highest place with a checker, 0 if all are off.
    #[inline(always)]
    pub const fn rearmost(self) -> u32 {
        let occupied = self.occupied();
        if occupied == 0 { 0 } else { occupied.ilog2() }
    }

    /// The pips that are left: each checker counts its place.
    #[inline]
    pub fn pips(self) -> u32 {
        (1..PLACES).map(|place| place as u32 * self.count(place)).sum()
    }

    /// Whether all checkers have been borne off.
    #[inline(always)]
    pub const fn done(self) -> bool {
        self.0 == Self::EMPTY.0
    }
}

/// One bit out of each group of four, next to each other.
#[inline(always)]
const fn squeezed(bits: u128) -> u32 {
    squeezed_half(bits as u64) | squeezed_half((bits >> 64) as u64) << 16
}

#[inline(always)]
const fn squeezed_half(bits: u64) -> u32 {
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000F_000F_000F_000F;
    let bits = (bits | bits >> 12) & 0x0000_00FF_0000_00FF;
    (bits | bits >> 24) as u32 & 0xFFFF
}

/// The bits of the points as the other side numbers them: point p is its point 25 − p.
#[inline(always)]
pub const fn seen_from_the_other_side(points: u32) -> u32 {
    (points & POINTS).reverse_bits() >> 6
}

/// Whether the two sides still have to pass each other.
#[inline(always)]
pub const fn contact(first: Side, second: Side) -> bool {
    first.rearmost() + second.rearmost() > 25
}
