//! The moves of phalanxes, found for all squares at once.
//!
//! For a direction, a size and a distance the phalanxes that can move are a set of squares: those of their lead pieces. So
//! moves are counted by counting squares, and a random one is picked without a list.

use kibitz_game::Pack;

use super::board::{Board, DIRECTIONS, opposite};

/// A move: the square of the lead piece in the lowest byte, then the direction, the number of pieces and the distance in a
/// byte's half each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(u32);

/// A pass: no phalanx is empty.
pub const PASS: Move = Move(0);

impl Move {
    /// The move of the `size` pieces behind and including `lead`.
    #[inline(always)]
    pub const fn new(lead: u32, direction: usize, size: u32, distance: u32) -> Self {
        Self(lead | (direction as u32) << 8 | size << 12 | distance << 16)
    }
    /// The square of the piece in front.
    #[inline(always)]
    pub const fn lead(self) -> u32 {
        self.0 & 255
    }
    /// The direction of the move.
    #[inline(always)]
    pub const fn direction(self) -> usize {
        (self.0 >> 8 & 7) as usize
    }
    /// The number of pieces that move.
    #[inline(always)]
    pub const fn size(self) -> u32 {
        self.0 >> 12 & 15
    }
    /// How far they move.
    #[inline(always)]
    pub const fn distance(self) -> u32 {
        self.0 >> 16 & 15
    }
    /// The square of the piece at the back.
    #[inline(always)]
    pub fn tail<B: Board>(self) -> u32 {
        B::away(self.lead(), opposite(self.direction()), self.size().wrapping_sub(1))
    }
    /// The square that the lead piece enters.
    #[inline(always)]
    pub fn landing<B: Board>(self) -> u32 {
        B::away(self.lead(), self.direction(), self.distance())
    }
    /// The squares of the pieces that move, the lead first.
    pub fn pieces<B: Board>(self) -> impl Iterator<Item = u32> {
        (0..self.size()).map(move |back| B::away(self.lead(), opposite(self.direction()), back))
    }
}

impl Pack for Move {
    fn pack(self) -> u64 {
        u64::from(self.0)
    }
    fn unpack(bits: u64) -> Self {
        Self(bits as u32 & 0xF_F7FF)
    }
}

/// What the moves of a side depend on.
#[derive(Clone, Copy, Debug)]
pub struct Field<B> {
    /// The pieces of the side that may move.
    pub own: B,
    /// The squares without a piece.
    pub empty: B,
    /// All pieces of the other side: they make defending phalanxes.
    pub other: B,
    /// Those of them that may be captured.
    pub capturable: B,
    /// The empty squares on which a move may end.
    pub quiet: B,
}

impl<B: Board> Field<B> {
    /// Calls `visit` with the size, the distance and the lead squares of the moves in a direction, size after size; ends
    /// when it returns true.
    #[inline(always)]
    fn layers(&self, direction: usize, mut visit: impl FnMut(u32, u32, B) -> bool) {
        let back = |set: B| set.step(opposite(direction));
        // friends block, so that only the front piece of a run leads
        let mut leads = self.own & back(self.empty | self.other);
        if visit(1, 1, leads & back(self.quiet)) {
            return;
        }
        let (mut behind, mut strong, mut size) = (self.own, self.other, 1);
        loop {
            behind = behind.step(direction);
            leads &= behind;
            if leads.is_none() {
                return;
            }
            size += 1;
            // the first pieces of defending phalanxes that are not smaller than the attackers
            strong = self.other & back(strong);
            let mut reach = back(self.quiet | self.capturable & !strong);
            if visit(size, 1, leads & reach) {
                return;
            }
            for distance in 2..=size {
                reach = back(self.empty & reach);
                if visit(size, distance, leads & reach) {
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn count_in(&self, direction: usize) -> u32 {
        let mut count = 0;
        self.layers(direction, |_, _, leads| {
            count += leads.size();
            false
        });
        count
    }

    /// The number of moves in each direction.
    #[inline(always)]
    pub fn counts(&self) -> [u32; DIRECTIONS] {
        // written out, so that the directions are constants
        [
            self.count_in(0),
            self.count_in(1),
            self.count_in(2),
            self.count_in(3),
            self.count_in(4),
            self.count_in(5),
            self.count_in(6),
            self.count_in(7),
        ]
    }

    #[inline(always)]
    fn pick_in(&self, direction: usize, mut n: u32) -> Move {
        let mut found = PASS;
        self.layers(direction, |size, distance, leads| {
            let count = leads.size();
            if n < count {
                found = Move::new(leads.pick(n), direction, size, distance);
                return true;
            }
            n -= count;
            false
        });
        found
    }

    /// The `n`-th move of all, given the counts of the directions.
    #[inline(always)]
    pub fn pick(&self, counts: &[u32; DIRECTIONS], mut n: u32) -> Move {
        let mut direction = 0;
        while direction < DIRECTIONS - 1 && n >= counts[direction] {
            n -= counts[direction];
            direction += 1;
        }
        match direction {
            0 => self.pick_in(0, n),
            1 => self.pick_in(1, n),
            2 => self.pick_in(2, n),
            3 => self.pick_in(3, n),
            4 => self.pick_in(4, n),
            5 => self.pick_in(5, n),
            6 => self.pick_in(6, n),
            _ => self.pick_in(7, n),
        }
    }

    #[inline(always)]
    fn each_in(&self, direction: usize, visit: &mut impl FnMut(Move)) {
        self.layers(direction, |size, distance, leads| {
            leads.each(|lead| visit(Move::new(lead, direction, size, distance)));
            false
        });
    }

    /// Calls `visit` with the moves in a direction.
    #[inline]
    pub fn each(&self, direction: usize, visit: &mut impl FnMut(Move)) {
        match direction {
            0 => self.each_in(0, visit),
            1 => self.each_in(1, visit),
            2 => self.each_in(2, visit),
            3 => self.each_in(3, visit),
            4 => self.each_in(4, visit),
            5 => self.each_in(5, visit),
            6 => self.each_in(6, visit),
            _ => self.each_in(7, visit),
        }
    }
}
