//! A position: the pieces, what is known of them, and the little that the rules have to remember.

use kibitz_game::{Score, Zobrist, mix};

use super::board::{HOME, NONE, SQUARES, Set, bit};
use super::rank::{ARMY, BOMB, FLAG, RANKS, Rank, UNKNOWN, moves};
use super::repetition::{Chase, Trail};

/// What stands on a square: 0, or a rank with the marks below.
pub(super) type Cell = u8;

const RANK: Cell = 15;
const BLACK: Cell = 16;
/// The piece has moved.
pub(super) const MOVED: Cell = 32;
/// The opponent has seen the piece.
pub(super) const SEEN: Cell = 64;
const PIECE: Cell = 128;

/// A piece on a square.
pub(super) const fn piece(player: usize, rank: Rank, marks: Cell) -> Cell {
    PIECE | rank | marks | if player == 1 { BLACK } else { 0 }
}

#[inline(always)]
pub(super) const fn rank_of(cell: Cell) -> Rank {
    cell & RANK
}

/// How far the game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The player whose turn it is puts a piece on the next square.
    Placing,
    Playing,
    Won(u8),
    Drawn,
}

/// Nobody's belief: a position with all pieces known.
pub(super) const NOBODY: u8 = 2;

const KEYS: Zobrist = Zobrist::new(0x5712_a7e6);

/// A position, or the position as one of the players knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) cells: [Cell; SQUARES],
    /// The squares of each player's pieces.
    pub(super) sides: [Set; 2],
    /// Those of them that are neither Bomb nor Flag as far as it is known.
    pub(super) movers: [Set; 2],
    /// The ranks of each player's pieces that are not captured, and of those that the opponent has not seen.
    pub(super) alive: [[u8; RANKS]; 2],
    pub(super) unseen: [[u8; RANKS]; 2],
    /// Moves since the last capture.
    pub(super) quiet: u16,
    pub(super) turn: u8,
    pub(super) stage: Stage,
    /// Whose belief this is; [`NOBODY`] for a position in which everything is known.
    pub(super) believer: u8,
    /// The unknown pieces that have moved.
    pub(super) roving: u8,
    /// The squares of an attacker and a defender, one of them unknown, whose battle is not decided yet.
    pub(super) battle: [u8; 2],
    /// The evaluation of the position where a belief begins.
    pub(super) base: Score,
    pub(super) trails: [Trail; 2],
    pub(super) chase: Chase,
    /// The key of the pieces.
    pub(super) pieces_key: u64,
}

impl Position {
    /// An empty board.
    pub fn empty() -> Self {
        Self {
            cells: [0; SQUARES],
            sides: [0; 2],
            movers: [0; 2],
            alive: [ARMY; 2],
            unseen: [ARMY; 2],
            quiet: 0,
            turn: 0,
            stage: Stage::Placing,
            believer: NOBODY,
            roving: 0,
            battle: [NONE; 2],
            base: 0,
            trails: [Trail::default(); 2],
            chase: Chase::default(),
            pieces_key: 0,
        }
    }

    /// Puts a cell on an empty square.
    #[inline(always)]
    pub fn put(&mut self, square: u8, cell: Cell) {
        let player = usize::from(cell & BLACK != 0);
        self.cells[usize::from(square)] = cell;
        self.sides[player] |= bit(square);
        if moves(rank_of(cell)) || rank_of(cell) == UNKNOWN {
            self.movers[player] |= bit(square);
        }
        self.pieces_key ^= KEYS.word(cell.into(), square.into());
    }

    /// Empties a square and returns what stood there.
    #[inline(always)]
    pub fn take(&mut self, square: u8) -> Cell {
        let cell = std::mem::take(&mut self.cells[usize::from(square)]);
        for player in 0..2 {
            self.sides[player] &= !bit(square);
            self.movers[player] &= !bit(square);
        }
        self.pieces_key ^= KEYS.word(cell.into(), square.into());
        cell
    }

    /// Captures the piece on a square, whose rank is known.
    pub fn capture(&mut self, square: u8) {
        let cell = self.take(square);
        let (player, rank) = (usize::from(cell & BLACK != 0), usize::from(rank_of(cell)));
        self.alive[player][rank] -= 1;
        if cell & SEEN == 0 {
            self.unseen[player][rank] -= 1;
        }
        self.trails[player].removed(square);
    }

    /// Shows the piece on a square, whose rank is known to its owner, to the opponent.
    pub fn show(&mut self, square: u8) {
        let cell = self.cells[usize::from(square)];
        if cell & SEEN == 0 {
            let player = usize::from(cell & BLACK != 0);
            self.unseen[player][usize::from(rank_of(cell))] -= 1;
            self.take(square);
            self.put(square, cell | SEEN);
        }
    }

    /// Whether the pieces of a player may be unknown.
    #[inline(always)]
    pub fn hides(&self, player: usize) -> bool {
        usize::from(self.believer) == 1 - player
    }

    /// How many unknown pieces of a player can move, by their ranks.
    pub fn unknown_movers(&self, player: usize) -> u8 {
        self.unseen[player][..usize::from(BOMB)].iter().sum()
    }

    /// The unknown pieces that have not moved and are all Bombs and the Flag, since those that have moved are all that can.
    #[inline(always)]
    pub fn stuck(&self, player: usize) -> Set {
        if !self.hides(player) || self.unknown_movers(player) > self.roving {
            return 0;
        }
        self.unmoved_unknown(player)
    }

    /// The unknown pieces that have not moved.
    pub fn unmoved_unknown(&self, player: usize) -> Set {
        let unmoved = |&square: &u8| {
            let cell = self.cells[usize::from(square)];
            rank_of(cell) == UNKNOWN && cell & MOVED == 0
        };
        super::board::squares(self.sides[player] & HOME[player])
            .filter(unmoved)
            .fold(0, |set, square| set | bit(square))
    }

    /// The pieces that a player has still to place.
    pub fn unplaced(&self, player: usize) -> [u8; RANKS] {
        let mut left = ARMY;
        for square in super::board::squares(self.sides[player]) {
            let rank = usize::from(rank_of(self.cells[usize::from(square)]));
            if rank < RANKS {
                left[rank] = left[rank].saturating_sub(1);
            }
        }
        left
    }

    /// The square of the Flag of a player, if it is known.
    pub fn flag(&self, player: usize) -> Option<u8> {
        let still = self.sides[player] & !self.movers[player];
        super::board::squares(still).find(|&square| rank_of(self.cells[usize::from(square)]) == FLAG)
    }

    /// The key of everything.
    #[inline]
    pub fn key(&self) -> u64 {
        let state = u64::from(self.turn)
            | u64::from(self.believer) << 1
            | u64::from(self.quiet) << 3
            | u64::from(self.battle[0]) << 19
            | u64::from(self.battle[1]) << 27
            | u64::from(self.stage == Stage::Placing) << 35
            | u64::from(self.base as u16) << 36;
        let mut key = mix(self.pieces_key, state);
        if self.believer != NOBODY {
            // what is unknown does not stand on the board
            key =
                mix(key, self.unseen[usize::from(1 - self.believer)].iter().fold(0, |all, &n| all * 13 + u64::from(n)));
        }
        for trail in self.trails {
            key = trail
                .steps()
                .iter()
                .fold(key, |key, &[from, to]| mix(key, u64::from(from) << 8 | u64::from(to) | 1 << 16));
            key = key.rotate_left(1);
        }
        if !self.chase.is_empty() {
            let [white, black] = self.chase.begins();
            key = mix(key, u64::from(white) << 8 | u64::from(black));
            key =
                self.chase.steps().iter().fold(key, |key, &[from, to]| mix(key, u64::from(from) << 8 | u64::from(to)));
        }
        key
    }
}
