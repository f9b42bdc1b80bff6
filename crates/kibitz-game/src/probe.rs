//! Values that are known for sure: what an endgame database answers.

use std::fmt;
use std::sync::Arc;

use crate::{Place, Ranked, Score};

/// The game-theoretic value of a position for the player to move; two bits. Zeroed memory is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Wdl {
    /// Not known, or no position at all.
    #[default]
    Unknown = 0,
    /// The player to move loses.
    Loss = 1,
    /// Neither side can force a win.
    Draw = 2,
    /// The player to move wins.
    Win = 3,
}

impl Wdl {
    /// All four, by their bits.
    pub const ALL: [Self; 4] = [Self::Unknown, Self::Loss, Self::Draw, Self::Win];

    /// The value of the two lowest bits.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self::ALL[(bits & 3) as usize]
    }

    /// The value of a final score for the player who has it.
    #[inline]
    #[must_use]
    pub const fn of_score(score: Score) -> Self {
        match score {
            Score::MIN..=-1 => Self::Loss,
            0 => Self::Draw,
            1.. => Self::Win,
        }
    }

    /// `win`, `draw`, `loss` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }

    /// The value as two bits.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self as u8
    }

    /// The same value in the view of the other player.
    #[inline(always)]
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Win => Self::Loss,
            same => same,
        }
    }
}

/// Something that knows the values of some positions by the numbers that the game gives them, such as an endgame database.
///
/// It knows no game: the game finds the place of a position ([`crate::Ranked::place`]), so that a search keeps one object without a
/// type for all games and pays one call for a value, never for a position that has no place.
pub trait Probe: Send + Sync {
    /// The value for the player to move of the position that has this place; none where nothing is known about it.
    ///
    /// A damaged file gives none, too, and is reported when the search has ended.
    fn value(&self, place: Place) -> Option<Wdl>;
}

/// A source of values that a search shares with others: an option of search algorithms.
#[derive(Clone)]
pub struct Oracle(Arc<dyn Probe>);

impl Oracle {
    /// What this source knows.
    pub fn new(probe: Arc<dyn Probe>) -> Self {
        Self(probe)
    }

    /// The value of a position for the player to move, if it is known.
    #[inline]
    pub fn value<G: Ranked>(&self, game: &G, position: &G::Position) -> Option<Wdl> {
        self.0.value(game.place(position)?)
    }

    /// The same as a score of the player to move: the end of the range for a win or a loss, 0 for a draw.
    #[inline]
    pub fn score<G: Ranked>(&self, game: &G, position: &G::Position, player: u8) -> Option<Score> {
        let range = game.range(usize::from(player));
        match self.value(game, position)? {
            Wdl::Win => Some(range.high),
            Wdl::Draw => Some(0),
            Wdl::Loss => Some(range.low),
            Wdl::Unknown => None,
        }
    }
}

impl fmt::Debug for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Oracle")
    }
}

impl PartialEq for Oracle {
    /// Whether it is the very same source.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Wdl;

    #[test]
    fn two_bits_are_a_value_and_back() {
        for bits in 0..4 {
            assert_eq!(Wdl::from_bits(bits).bits(), bits);
            assert_eq!(Wdl::from_bits(bits | 0xfc).bits(), bits, "only two bits count");
        }
    }

    #[test]
    fn the_value_of_the_other_player_is_reversed() {
        assert_eq!(Wdl::Win.reversed(), Wdl::Loss);
        assert_eq!(Wdl::Loss.reversed(), Wdl::Win);
        assert_eq!(Wdl::Draw.reversed(), Wdl::Draw);
        assert_eq!(Wdl::Unknown.reversed(), Wdl::Unknown);
    }
}
