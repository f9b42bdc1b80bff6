//! Values that are known for sure: what an endgame database answers.

/// The game-theoretic value of a position for the player to move; two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Wdl {
    /// The player to move loses.
    Loss = 0,
    /// Neither side can force a win.
    Draw = 1,
    /// The player to move wins.
    Win = 2,
    /// Not known, or no position at all.
    Unknown = 3,
}

impl Wdl {
    /// The value of the two lowest bits.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::Loss,
            1 => Self::Draw,
            2 => Self::Win,
            _ => Self::Unknown,
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
/// It knows no game: the position is placed by the game (`Ranked::place` gives the slice and the rank), so that a search keeps one object without a
/// type for all games and pays one call for a value, never for a position that has no place.
pub trait Probe: Send + Sync {
    /// The value for the player to move of the position with this rank in this slice; none where nothing is known about it.
    ///
    /// A damaged file gives none, too, and is reported when the search has ended.
    fn value(&self, slice: u32, rank: u64) -> Option<Wdl>;
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
