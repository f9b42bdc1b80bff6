//! Positions as numbers, for retrograde analysis and endgame databases.

use std::ops::{ControlFlow, Range};

use crate::{Game, Wdl};

/// Positions with the same material and the same side to move, a number of the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice(pub u32);

/// Where a position stands in the tables of its game: its slice and its rank there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The slice.
    pub slice: Slice,
    /// The number of the position in its slice.
    pub rank: u64,
}

/// Positions as numbers in tables.
///
/// A slice holds positions of like material and side to move. The players take turns. Every position in a slice that is not over leads to
/// positions that have a place, too, or that are over; a position that is over may have a place. Symmetric positions have the same place, and so
/// have positions with swapped colours where the rules do not care.
pub trait Ranked: Game {
    /// Whether the game ranks its positions.
    const RANKED: bool = false;

    /// Whether [`Ranked::unplay`] finds predecessors.
    const UNPLAYS: bool = false;

    /// Whether a position may have moves that stay in its group beside others that leave it.
    const MIXES: bool = true;

    /// The slices of at most so many pieces, or all of them: those that are solved together, since moves lead back and forth between
    /// them, each group after all others that its moves lead to.
    fn groups(&self, pieces: Option<u32>) -> Vec<Vec<Slice>> {
        let _ = pieces;
        Vec::new()
    }

    /// The name of a slice that a person recognises, such as `3-2`. It may be part of a file's name.
    fn slice_name(&self, slice: Slice) -> String {
        slice.0.to_string()
    }

    /// Ranks are less than this; some of them may belong to no position.
    fn size(&self, slice: Slice) -> u64 {
        let _ = slice;
        0
    }

    /// Where a position stands; none if it is in no slice.
    fn place(&self, position: &Self::Position) -> Option<Place> {
        let _ = position;
        None
    }

    /// The position of a rank: the one that stands for all those with the same place; none where a rank belongs to no position.
    fn unrank(&self, slice: Slice, rank: u64) -> Option<Self::Position> {
        let _ = (slice, rank);
        None
    }

    /// How many positions of the slice, as far as the rules of the board go, have the place of this one: itself and its mirror images.
    fn orbit(&self, position: &Self::Position) -> u32 {
        let _ = position;
        1
    }

    /// The same board with the other player to move, whether or not a game can come to it; none where that has no meaning.
    fn turned(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// Visits the positions of a range of ranks in ascending order, those of [`Ranked::unrank`], until one visit breaks.
    fn scan(
        &self,
        slice: Slice,
        ranks: Range<u64>,
        mut visit: impl FnMut(u64, &Self::Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for rank in ranks {
            if let Some(position) = self.unrank(slice, rank) {
                visit(rank, &position)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The value of a position with a place for the player who would be to move, if it is over; none if it is not. The default is
    /// right where positions that are over have no place.
    fn ended(&self, position: &Self::Position) -> Option<Wdl> {
        let _ = position;
        None
    }

    /// Visits the positions that the legal moves lead to until one visit breaks; equal ones need not be visited again. It is asked only where
    /// [`Ranked::ended`] is none; `buffer` is scratch space.
    fn children(
        &self,
        position: &Self::Position,
        buffer: &mut Vec<Self::Move>,
        mut visit: impl FnMut(&Self::Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        buffer.clear();
        self.moves(position, buffer);
        for &mv in buffer.iter() {
            let mut child = position.clone();
            self.play(&mut child, mv);
            visit(&child)?;
        }
        ControlFlow::Continue(())
    }

    /// Visits every position of the group from which a legal move leads to this one. It may visit one of them more than once, and symmetric
    /// ones, but none without such a move.
    fn unplay(&self, position: &Self::Position, visit: impl FnMut(&Self::Position)) {
        let _ = (position, visit);
    }
}
