//! How the pieces stand at the start.

/// A set-up: rows from the top, one letter for a square (`.` is empty), without the squares that are not on the board, and
/// how many pieces everybody has in reserve.
pub(super) struct Setup {
    pub rows: &'static str,
    pub reserve: u8,
}

/// The names of the set-ups.
pub(super) const NAMES: &[&str] = &["standard", "reserve"];

/// That of two players is the published one. Those of three and four were read off a printed set-up by an independent program;
/// a quarter turn takes the one of four players to itself with the colours R, Y, B, G.
const TWO: &str = "..../RRGGRR/.GGRRGG./.RRGGRR./.GGRRGG./.RRGGRR./GGRRGG/....";
const THREE: &str = "..../RRGGBB/.BBRRGG./.GGBBRR./.RRGGBB./.BBRRGG./GGBBRR/....";
const FOUR: &str = "RRBY/YYYBYB/RRRRBYBY/YYYYBYBY/GRGRGGGG/GRGRBBBB/RGRGGG/GRBB";

/// The set-up of that name; none if there is no such set-up for so many players.
pub(super) fn setup(players: usize, name: &str) -> Option<Setup> {
    match (players, name) {
        (2, "standard") => Some(Setup { rows: TWO, reserve: 0 }),
        (3, "standard") => Some(Setup { rows: THREE, reserve: 0 }),
        // commercial rules give every player 13 pieces, of which 12 are on the board
        (3, "reserve") => Some(Setup { rows: THREE, reserve: 1 }),
        (4, "standard") => Some(Setup { rows: FOUR, reserve: 0 }),
        _ => None,
    }
}
