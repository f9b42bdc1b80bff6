//! What a player knows: the position without the ranks of unseen pieces, the probabilities of those ranks, and guesses.

use kibitz_game::{Chance, Game, Hidden, Random};

use super::Stratego;
use super::board::{AROUND, BOARD, Set, bit, squares};
use super::moves::Move;
use super::position::{MOVED, NOBODY, Position, SEEN, Stage, piece};
use super::rank::{ARMY, BOMB, FLAG, RANKS, Rank, UNKNOWN};

impl Stratego {
    /// The probability that an unknown piece has a rank, given that it moves (or has moved) or not. The published model counts the unknown
    /// pieces of that rank among all those that it can be. The exact one knows in addition that the other pieces which have moved are
    /// neither Bomb nor Flag, so that these are more likely among the rest.
    pub(super) fn likelihood(&self, position: &Position, moving: bool, rank: Rank) -> f64 {
        let player = usize::from(1 - position.believer);
        let unseen = position.unseen[player].map(f64::from);
        let count = unseen[usize::from(rank)];
        let still = unseen[usize::from(BOMB)] + unseen[usize::from(FLAG)];
        let movers = f64::from(position.unknown_movers(player));
        let at_home = movers - f64::from(position.roving);
        if moving {
            count / movers
        } else if at_home <= 0.0 {
            // whatever moves has moved
            if rank < BOMB { 0.0 } else { count / still }
        } else if !self.exact {
            count / (movers + still)
        } else if rank >= BOMB {
            count / (at_home + still)
        } else {
            at_home / (at_home + still) * count / movers
        }
    }

    /// The squares of the pieces that a player's opponent has not seen.
    fn unseen_squares(position: &Position, player: usize) -> Vec<u8> {
        squares(position.sides[player]).filter(|&square| position.cells[usize::from(square)] & SEEN == 0).collect()
    }

    /// Gives the unseen pieces of a player ranks out of a pool, all ways equally likely; the pieces of `moving` get ranks that move.
    fn deal(position: &mut Position, player: usize, pool: [u8; RANKS], moving: Set, random: &mut Random) {
        let ranks = |of: std::ops::Range<usize>| {
            of.flat_map(|rank| std::iter::repeat_n(rank as Rank, usize::from(pool[rank]))).collect::<Vec<Rank>>()
        };
        let mut movers = ranks(0..usize::from(BOMB));
        random.shuffle(&mut movers);
        let (first, then): (Vec<u8>, Vec<u8>) =
            Self::unseen_squares(position, player).into_iter().partition(|&square| moving & bit(square) != 0);
        let rest = movers.split_off(first.len());
        let mut rest: Vec<Rank> = rest.into_iter().chain(ranks(usize::from(BOMB)..RANKS)).collect();
        random.shuffle(&mut rest);
        for (square, rank) in first.into_iter().zip(movers).chain(then.into_iter().zip(rest)) {
            let cell = position.take(square);
            position.put(square, piece(player, rank, cell & MOVED));
        }
    }
}

impl Hidden for Stratego {
    const HIDDEN: bool = true;
    const BELIEF: bool = true;

    fn hides(&self) -> bool {
        !self.open
    }

    fn opened(&self) -> Option<Self> {
        let opened = Self { open: true, ..self.clone() };
        (!self.open).then_some(opened)
    }

    fn view(&self, position: &Position, player: usize) -> String {
        self.write(&self.belief(position, player))
    }

    /// Both armies are shown when the game is over.
    fn belief(&self, position: &Position, player: usize) -> Position {
        if self.open || position.believer != NOBODY || matches!(position.stage, Stage::Won(_) | Stage::Drawn) {
            return *position;
        }
        let other = 1 - player;
        let mut belief = *position;
        for square in Self::unseen_squares(position, other) {
            let cell = belief.take(square);
            belief.put(square, piece(other, UNKNOWN, cell & MOVED));
            belief.roving += u8::from(cell & MOVED != 0);
        }
        belief.believer = player as u8;
        belief.base = self.value_for(&belief, player);
        belief
    }

    fn guess(&self, position: &Position, player: usize, random: &mut Random) -> Position {
        if self.open || position.believer != NOBODY || matches!(position.stage, Stage::Won(_) | Stage::Drawn) {
            return *position;
        }
        let other = 1 - player;
        let moved = |square: &u8| position.cells[usize::from(*square)] & MOVED != 0;
        let hidden = Self::unseen_squares(position, other);
        let moving = hidden.iter().filter(|square| moved(square)).fold(0, |set, &square| set | bit(square));
        let pool = if position.stage == Stage::Placing { ARMY } else { position.unseen[other] };
        let mut guess = *position;
        Self::deal(&mut guess, other, pool, moving, random);
        if position.stage == Stage::Playing && usize::from(position.turn) == other {
            // whose turn it is can move; where chance does not find out how, a piece that has room is one that moves
            for _ in 0..32 {
                if self.can_move(&guess, other) {
                    return guess;
                }
                Self::deal(&mut guess, other, pool, moving, random);
            }
            let free = BOARD & !position.sides[other];
            let movers: u8 = pool[..usize::from(BOMB)].iter().sum();
            let full = moving.count_ones() >= u32::from(movers);
            let mut roomy: Vec<u8> = hidden
                .into_iter()
                .filter(|square| AROUND[usize::from(*square)] & free != 0 && (moved(square) || !full))
                .collect();
            random.shuffle(&mut roomy);
            for square in roomy {
                Self::deal(&mut guess, other, pool, moving | bit(square), random);
                if self.can_move(&guess, other) {
                    return guess;
                }
            }
            // the rules against repetition leave one way, the one that is
            return *position;
        }
        guess
    }
}

impl Chance for Stratego {
    const CHANCE: bool = true;
    const ALWAYS_CHANCE: bool = true;

    #[inline]
    fn probability(&self, position: &Position, outcome: Move) -> f64 {
        self.likelihood(position, Self::battle_moves(position), outcome as Rank)
    }

    fn outcomes(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        let moves = Self::battle_moves(position);
        out.extend(Self::outcomes(position).map(|rank| (Move::from(rank), self.likelihood(position, moves, rank))));
    }
}
