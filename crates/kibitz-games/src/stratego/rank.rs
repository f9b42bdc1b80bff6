//! The pieces: their names, how many there are, what happens when two of them meet.

/// A kind of piece: the ranks from the highest down, Bomb, Flag, and [`UNKNOWN`].
pub(super) type Rank = u8;

pub(super) const MARSHAL: Rank = 0;
pub(super) const MINER: Rank = 7;
pub(super) const SCOUT: Rank = 8;
pub(super) const SPY: Rank = 9;
pub(super) const BOMB: Rank = 10;
pub(super) const FLAG: Rank = 11;
/// A piece that the player whose belief a position is has not seen.
pub(super) const UNKNOWN: Rank = 12;
pub(super) const RANKS: usize = 12;

/// How many of each rank an army has.
pub(super) const ARMY: [u8; RANKS] = [1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 6, 1];

/// The letter of each rank in positions, and of an unknown piece.
pub(super) const LETTERS: [char; RANKS + 1] = ['M', 'G', 'C', 'J', 'P', 'L', 'R', 'N', 'T', 'S', 'B', 'F', 'U'];
/// The sign of each rank in set-ups and on pictures.
pub(super) const SIGNS: [char; RANKS + 1] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'S', 'B', 'F', '?'];

/// The name of each rank.
pub(super) const NAMES: [&str; RANKS + 1] = [
    "Marshal",
    "General",
    "Colonel",
    "Major",
    "Captain",
    "Lieutenant",
    "Sergeant",
    "Miner",
    "Scout",
    "Spy",
    "Bomb",
    "Flag",
    "unknown piece",
];

/// Whether a piece of this rank moves.
#[inline(always)]
pub(super) const fn moves(rank: Rank) -> bool {
    rank < BOMB
}

/// What becomes of two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Battle {
    Win,
    Lose,
    Both,
}

/// What becomes of an attacker and a defender.
#[inline(always)]
pub(super) const fn battle(attacker: Rank, defender: Rank) -> Battle {
    match (attacker, defender) {
        (_, FLAG) | (MINER, BOMB) | (SPY, MARSHAL) => Battle::Win,
        (_, BOMB) => Battle::Lose,
        (attacker, defender) if attacker == defender => Battle::Both,
        (attacker, defender) if attacker < defender => Battle::Win,
        _ => Battle::Lose,
    }
}
