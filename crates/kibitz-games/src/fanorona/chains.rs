//! Moves of Fanorona: single steps, and chains of captures by one piece.

use kibitz_game::{Bits, Pack};

use super::Position;
use super::geometry::{Geometry, Step};

/// A move: where the piece starts, in 7 bits, and a digit of 4 bits for each step (its direction, and whether it captures
/// by withdrawal), ended by a one. A chain of more than [`LONGEST`] steps is known by its number among the chains of its
/// piece instead, and [`NUMBERED`] is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u64);

/// The most steps that a move has room for.
pub(super) const LONGEST: u32 = 13;
/// The most captures that a position has. Many more are possible on large boards, where a piece can wind its way through a
/// sea of enemies, but only in positions made for it: random games on 11 by 11 points never had 500, and climbing towards
/// ever more of them on 5 by 9 ended at 15,000.
pub(super) const MOST: usize = 1 << 20;
/// The move is a number.
const NUMBERED: u64 = 1 << 63;
const START: u64 = 0x7f;
/// The digit of a step that captures by withdrawal has this bit.
const WITHDRAWAL: u8 = 8;

impl Pack for Move {
    #[inline(always)]
    fn pack(self) -> u64 {
        self.0
    }
    #[inline(always)]
    fn unpack(bits: u64) -> Self {
        Self(bits)
    }
}

impl Move {
    /// The point that the piece leaves.
    #[inline(always)]
    pub(super) fn start(self) -> usize {
        (self.0 & START) as usize
    }

    /// The step that captures nothing, or by approach.
    #[inline(always)]
    fn single(start: usize, direction: u8) -> Self {
        Self(1 << 11 | u64::from(direction) << 7 | start as u64)
    }

    /// The direction of the first step; none if the move is a number.
    #[inline(always)]
    pub(super) fn first_direction(self) -> Option<usize> {
        (self.0 & NUMBERED == 0).then_some((self.0 >> 7 & 7) as usize)
    }
}

/// A capture by one step, and where it leaves the piece and the enemies.
#[derive(Clone, Copy)]
pub(super) struct Captured<'a, B> {
    pub step: &'a Step<B>,
    pub withdrawal: bool,
    /// The enemies that are left.
    pub left: B,
}

impl<B> Captured<'_, B> {
    #[inline(always)]
    fn digit(&self) -> u8 {
        self.step.direction | if self.withdrawal { WITHDRAWAL } else { 0 }
    }
}

/// Who stands where, and what a chain may do.
#[derive(Clone, Copy)]
pub(super) struct Field<'a, B> {
    pub geometry: &'a Geometry<B>,
    pub own: B,
    pub other: B,
    /// Whether a chain may come back to the point where it began.
    pub returns: bool,
}

/// What a walk over the chains of a piece is told of: every chain, a longer one after the one that it goes on from.
pub(super) trait Visitor<B> {
    /// What it knows of a chain.
    type Path: Copy;
    /// Whether to go on.
    fn visit(&mut self, path: Self::Path, captured: &Captured<'_, B>) -> Option<Self::Path>;
}

impl<'a, B: Bits> Field<'a, B> {
    #[inline(always)]
    pub fn empty(&self) -> B {
        self.geometry.all & !(self.own | self.other)
    }

    /// The pieces that can capture.
    #[inline(always)]
    pub fn capturers(&self) -> B {
        self.geometry.capturers(self.own, self.other, self.empty())
    }

    /// Visits every chain of captures of the piece on a point.
    #[inline(always)]
    pub fn chains<V: Visitor<B>>(&self, start: usize, path: V::Path, visitor: &mut V) {
        let piece = B::square(start as u32);
        let blocked = if self.returns { self.own ^ piece } else { self.own };
        let open = !(self.own | self.other);
        extend(self.geometry, start, open, blocked, self.other, path, visitor);
    }

    /// Visits every single step, as start and step.
    #[inline(always)]
    pub fn each_step(&self, mut visit: impl FnMut(usize, &'a Step<B>)) {
        let empty = self.empty();
        for start in self.geometry.movable(self.own, empty).squares() {
            for step in self.geometry.steps(start as usize) {
                if !(step.target & empty).is_empty() {
                    visit(start as usize, step);
                }
            }
        }
    }

    /// Appends all moves.
    #[inline]
    pub fn moves(&self, out: &mut Vec<Move>) {
        let capturers = self.capturers();
        if capturers.is_empty() {
            self.each_step(|start, step| out.push(Move::single(start, step.direction)));
        } else {
            self.captures(capturers, out);
        }
    }

    /// Appends the captures of these pieces.
    #[inline]
    pub fn captures(&self, capturers: B, out: &mut Vec<Move>) {
        let end = out.len() + MOST;
        for start in capturers.squares() {
            let mut list = List { out: &mut *out, end, start: u64::from(start), number: 0 };
            self.chains(start as usize, (0, 0), &mut list);
        }
    }

    /// Appends the positions after all moves, in the order of [`Field::moves`]; `black` says who moves there.
    #[inline]
    pub fn successors(&self, black: bool, out: &mut Vec<Position<B>>) {
        let capturers = self.capturers();
        if capturers.is_empty() {
            let empty = self.empty();
            let own = Position::new(self.other, B::EMPTY, black).own;
            for start in self.geometry.movable(self.own, empty).squares() {
                let rest = self.own ^ B::square(start);
                for target in (self.geometry.near(start as usize) & empty).squares() {
                    out.push(Position { own, other: rest | B::square(target) });
                }
            }
            return;
        }
        let end = out.len() + MOST;
        for start in capturers.squares() {
            let mut positions = Positions { out: &mut *out, end, rest: self.own ^ B::square(start), black };
            self.chains(start as usize, (), &mut positions);
        }
    }

    /// The number of steps.
    #[inline(always)]
    pub fn count_steps(&self) -> u32 {
        self.geometry.count_steps(self.own, self.empty())
    }

    /// The step of this number.
    #[inline]
    pub fn pick(&self, mut number: u32) -> Move {
        let empty = self.empty();
        let mut movable = self.geometry.movable(self.own, empty).squares();
        loop {
            // there is one: the number is less than that of the steps
            let Some(start) = movable.next() else { return Move::single(0, 0) };
            let targets = self.geometry.near(start as usize) & empty;
            if number < targets.count() {
                let target = targets.nth(number);
                let step = self.geometry.steps(start as usize).iter().find(|step| u32::from(step.to) == target);
                return Move::single(start as usize, step.map_or(0, |step| step.direction));
            }
            number -= targets.count();
        }
    }

    /// The number of moves.
    #[inline]
    pub fn count(&self) -> u32 {
        let capturers = self.capturers();
        if capturers.is_empty() {
            return self.count_steps();
        }
        let mut count = Count(0);
        for start in capturers.squares() {
            self.chains(start as usize, (), &mut count);
        }
        count.0
    }

    /// The captures of a move one after the other, or the step that captures nothing.
    pub fn replay(&self, mv: Move, mut visit: impl FnMut(&Captured<'_, B>)) {
        let start = mv.start();
        if mv.0 & NUMBERED != 0 {
            let mut find = Find { number: (mv.0 >> 7) & ((1 << 56) - 1), path: [0; 128], found: 0 };
            self.chains(start, 0, &mut find);
            self.follow(start, &find.path[..find.found], visit);
            return;
        }
        let (mut digits, mut at, mut other) = (mv.0 >> 7, start, self.other);
        while digits > 1 {
            let Some(captured) = capture(self.geometry, at, other, (digits & 15) as u8) else { return };
            (at, other) = (usize::from(captured.step.to), captured.left);
            visit(&captured);
            digits >>= 4;
        }
    }

    fn follow(&self, start: usize, digits: &[u8], mut visit: impl FnMut(&Captured<'_, B>)) {
        let (mut at, mut other) = (start, self.other);
        for &digit in digits {
            let Some(captured) = capture(self.geometry, at, other, digit) else { return };
            (at, other) = (usize::from(captured.step.to), captured.left);
            visit(&captured);
        }
    }
}

/// The capture, perhaps of nothing, by a step that is written as a digit.
#[inline(always)]
fn capture<B: Bits>(geometry: &Geometry<B>, at: usize, other: B, digit: u8) -> Option<Captured<'_, B>> {
    let step = geometry.step(at, usize::from(digit & 7))?;
    let withdrawal = digit & WITHDRAWAL != 0;
    let taken = if withdrawal { step.withdrawn(other) } else { step.approached(other) };
    Some(Captured { step, withdrawal, left: other & !taken })
}

/// Visits the chains that go on from a point to those of `open` next to it. Nothing enters a point of `blocked`: own pieces
/// and points visited before.
#[inline(always)]
fn extend<B: Bits, V: Visitor<B>>(
    geometry: &Geometry<B>,
    at: usize,
    open: B,
    blocked: B,
    other: B,
    path: V::Path,
    visitor: &mut V,
) {
    let [approach, withdrawal] = geometry.captures(at, other).map(|targets| targets & open);
    if !(approach | withdrawal).is_empty() {
        capture_each(geometry, at, [approach, withdrawal], blocked, other, path, visitor);
    }
}

/// Visits the chains that go on with these captures, and those that go on from them.
fn capture_each<B: Bits, V: Visitor<B>>(
    geometry: &Geometry<B>,
    at: usize,
    [approach, withdrawal]: [B; 2],
    blocked: B,
    other: B,
    path: V::Path,
    visitor: &mut V,
) {
    for target in (approach | withdrawal).squares() {
        let step = geometry.step_to(at, target);
        for (targets, withdrawal) in [(approach, false), (withdrawal, true)] {
            if !targets.has(target) {
                continue;
            }
            let taken = if withdrawal { step.withdrawn(other) } else { step.approached(other) };
            let left = other & !taken;
            let Some(path) = visitor.visit(path, &Captured { step, withdrawal, left }) else { return };
            let (to, blocked) = (usize::from(step.to), blocked | step.target);
            // a step in the same direction would lead to the point beyond
            let open = !(blocked | left | step.beyond);
            extend(geometry, to, open, blocked, left, path, visitor);
        }
    }
}

/// Lists moves. A path is its digits and their number.
struct List<'a> {
    out: &'a mut Vec<Move>,
    /// Where the list ends at the latest.
    end: usize,
    start: u64,
    number: u64,
}

impl<B: Bits> Visitor<B> for List<'_> {
    type Path = (u64, u32);

    #[inline(always)]
    fn visit(&mut self, (digits, length): (u64, u32), captured: &Captured<'_, B>) -> Option<(u64, u32)> {
        if self.out.len() == self.end {
            return None;
        }
        let length = length + 1;
        let digits = if length <= LONGEST { digits | u64::from(captured.digit()) << (4 * (length - 1)) } else { 0 };
        let mv = if length <= LONGEST {
            (digits | 1 << (4 * length)) << 7 | self.start
        } else {
            NUMBERED | self.number << 7 | self.start
        };
        self.out.push(Move(mv));
        self.number += 1;
        Some((digits, length))
    }
}

/// Lists positions.
struct Positions<'a, B> {
    out: &'a mut Vec<Position<B>>,
    /// Where the list ends at the latest.
    end: usize,
    rest: B,
    black: bool,
}

impl<B: Bits> Visitor<B> for Positions<'_, B> {
    type Path = ();

    #[inline(always)]
    fn visit(&mut self, (): (), captured: &Captured<'_, B>) -> Option<()> {
        if self.out.len() == self.end {
            return None;
        }
        self.out.push(Position::new(captured.left, self.rest | captured.step.target, self.black));
        Some(())
    }
}

/// Counts moves.
struct Count(u32);

impl<B: Bits> Visitor<B> for Count {
    type Path = ();

    #[inline(always)]
    fn visit(&mut self, (): (), _: &Captured<'_, B>) -> Option<()> {
        if self.0 == MOST as u32 {
            return None;
        }
        self.0 += 1;
        Some(())
    }
}

/// Finds a chain by its number. A path is its length.
struct Find {
    number: u64,
    path: [u8; 128],
    found: usize,
}

impl<B: Bits> Visitor<B> for Find {
    type Path = usize;

    #[inline]
    fn visit(&mut self, length: usize, captured: &Captured<'_, B>) -> Option<usize> {
        if self.found > 0 {
            return None;
        }
        self.path[length] = captured.digit();
        if self.number == 0 {
            self.found = length + 1;
            return None;
        }
        self.number -= 1;
        Some(length + 1)
    }
}
