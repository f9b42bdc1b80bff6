//! Fanorona for retrograde analysis and databases, and the published index of positions.

use std::ops::{ControlFlow, Range};

use kibitz_game::{Bits, Place, Ranked, Slice, Wdl};

use super::chains::{Captured, Field, Visitor};
use super::ranking::{CHOOSE, POINTS, colex, spread, uncolex};
use super::{Fanorona, Move, Position};

/// Visits the positions after captures until one visit breaks.
struct Each<'a, F> {
    visit: &'a mut F,
    black: bool,
    broken: bool,
}

impl<B: Bits, F: FnMut(&Position<B>) -> ControlFlow<()>> Visitor<B> for Each<'_, F> {
    type Path = B;

    #[inline(always)]
    fn visit(&mut self, rest: B, captured: &Captured<'_, B>) -> Option<B> {
        if self.broken {
            return None;
        }
        let position = Position::new(captured.left, rest | captured.step.target, self.black);
        self.broken = (self.visit)(&position).is_break();
        (!self.broken).then_some(rest)
    }
}

impl<B: Bits> Fanorona<B> {
    #[inline(always)]
    fn words(position: &Position<B>) -> (u64, u64) {
        (position.own().words()[0], position.other.words()[0])
    }

    /// The index of a position among those with as many pieces of either side, without regard to symmetry (formula 4.1 of M. P. D.
    /// Schadd's thesis): first the points that are taken, then which of them the side to move has. None on boards of more than 63 points.
    pub fn index(&self, position: &Position<B>) -> Option<u64> {
        if self.ranking.points > POINTS {
            return None;
        }
        let (own, other) = Self::words(position);
        let taken = own | other;
        let places = taken.squares().enumerate().filter(|&(_, point)| own.has(point));
        let pattern = places.enumerate().map(|(k, (place, _))| CHOOSE[k + 1][place]).sum::<u64>();
        Some(colex(taken) + CHOOSE[taken.count_ones() as usize][self.ranking.points] * pattern)
    }

    /// The position with that many pieces of the side to move and of the other that has this index, White to move.
    pub fn of_index(&self, own: usize, other: usize, index: u64) -> Option<Position<B>> {
        let (points, pieces) = (self.ranking.points, own + other);
        if points > POINTS || pieces > points {
            return None;
        }
        let sets = CHOOSE[pieces][points];
        let (taken, pattern) = (uncolex(index % sets, pieces), index / sets);
        if pattern >= CHOOSE[own][pieces] {
            return None;
        }
        let own = spread(uncolex(pattern, own), taken);
        Some(Position::new(B::of_word(own), B::of_word(taken & !own), false))
    }

    /// Whether half a turn of the board changes nothing: such positions are missing from table 4.3 of the thesis.
    pub fn is_rotation_invariant(&self, position: &Position<B>) -> bool {
        const HALF_TURN: usize = 3;
        let (own, other) = Self::words(position);
        self.ranking.symmetries() > HALF_TURN
            && self.ranking.is_fixed(own, HALF_TURN)
            && self.ranking.is_fixed(other, HALF_TURN)
    }
}

impl<B: Bits> Ranked for Fanorona<B> {
    const RANKED: bool = true;
    const UNPLAYS: bool = true;
    /// Captures are compulsory: a position has either captures alone, which leave the group, or none.
    const MIXES: bool = false;

    /// Captures make the number of pieces less; steps without a capture lead from `a-b` to `b-a` and back.
    fn groups(&self, pieces: Option<u32>) -> Vec<Vec<Slice>> {
        let most = pieces.map_or(usize::MAX, |pieces| pieces as usize).min(self.ranking.points - 1);
        let mut groups = Vec::new();
        for total in 2..=most {
            let slices = (1..=total / 2).map(|small| {
                let (ab, ba) = (((total - small) << 6 | small) as u32, (small << 6 | (total - small)) as u32);
                if ab == ba { vec![Slice(ab)] } else { vec![Slice(ab), Slice(ba)] }
            });
            let slices: Vec<Vec<Slice>> = slices.collect();
            if slices.iter().flatten().any(|&slice| !self.ranking.has(slice)) {
                break;
            }
            groups.extend(slices);
        }
        groups
    }

    fn slice_name(&self, slice: Slice) -> String {
        format!("{}-{}", slice.0 >> 6, slice.0 & 63)
    }

    fn size(&self, slice: Slice) -> u64 {
        self.ranking.size(slice)
    }

    #[inline(always)]
    fn place(&self, position: &Position<B>) -> Option<Place> {
        let (own, other) = Self::words(position);
        let (slice, rank) = self.ranking.place(own, other)?;
        Some(Place { slice: Slice(slice), rank })
    }

    fn unrank(&self, slice: Slice, rank: u64) -> Option<Position<B>> {
        let mut found = None;
        let _ = self.ranking.scan(slice.0, rank..rank.saturating_add(1), |_, own, other| {
            found = Some(Position::new(B::of_word(own), B::of_word(other), false));
            ControlFlow::Continue(())
        });
        found
    }

    #[inline(always)]
    fn orbit(&self, position: &Position<B>) -> u32 {
        let (own, other) = Self::words(position);
        self.ranking.orbit(own, other)
    }

    #[inline(always)]
    fn scan(
        &self,
        slice: Slice,
        ranks: Range<u64>,
        mut visit: impl FnMut(u64, &Position<B>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.ranking.scan(slice.0, ranks, |rank, own, other| {
            visit(rank, &Position::new(B::of_word(own), B::of_word(other), false))
        })
    }

    #[inline(always)]
    fn ended(&self, position: &Position<B>) -> Option<Wdl> {
        let own = position.own();
        if self.geometry.can_move(own, self.geometry.all & !(own | position.other)) {
            return None;
        }
        Some(if self.stalemate_is_draw { Wdl::Draw } else { Wdl::Loss })
    }

    #[inline(always)]
    fn children(
        &self,
        position: &Position<B>,
        _: &mut Vec<Move>,
        mut visit: impl FnMut(&Position<B>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let field = self.field(position);
        let black = !position.is_black();
        let capturers = field.capturers();
        if capturers.is_empty() {
            let empty = field.empty();
            for start in self.geometry.movable(field.own, empty).squares() {
                let rest = field.own ^ B::square(start);
                for target in (self.geometry.near(start as usize) & empty).squares() {
                    visit(&Position::new(field.other, rest | B::square(target), black))?;
                }
            }
            return ControlFlow::Continue(());
        }
        for start in capturers.squares() {
            let rest = field.own ^ B::square(start);
            let mut each = Each { visit: &mut visit, black, broken: false };
            field.chains(start as usize, rest, &mut each);
            if each.broken {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// The other side has made a step without a capture, so it could not capture.
    #[inline(always)]
    fn unplay(&self, position: &Position<B>, mut visit: impl FnMut(&Position<B>)) {
        let (own, other) = (position.own(), position.other);
        let empty = self.geometry.all & !(own | other);
        for end in self.geometry.movable(other, empty).squares() {
            let rest = other ^ B::square(end);
            for start in (self.geometry.near(end as usize) & empty).squares() {
                let before =
                    Field { geometry: &self.geometry, own: rest | B::square(start), other: own, returns: self.returns };
                if before.capturers().is_empty() {
                    visit(&Position::new(before.own, own, !position.is_black()));
                }
            }
        }
    }
}
