//! Moves: where pieces go, and what happens then.

use super::Stratego;
use super::board::{AROUND, BOARD, HOME, NEIGHBOURS, NONE, bit, home_square, squares, steps};
use super::position::{MOVED, NOBODY, Position, Stage, piece, rank_of};
use super::rank::{BOMB, Battle, FLAG, RANKS, Rank, SCOUT, UNKNOWN, battle};
use super::repetition::{Chase, Trail};

/// The square left in the low byte and the square entered in the high byte; a rank where a piece is placed and as an outcome of a
/// battle.
pub(super) type Move = u16;

#[inline(always)]
pub(super) fn squares_of(mv: Move) -> [u8; 2] {
    [mv as u8, (mv >> 8) as u8]
}

impl Stratego {
    /// Whether the rules against repetition forbid a move.
    #[inline(always)]
    fn forbidden(&self, position: &Position, player: usize, step: [u8; 2]) -> bool {
        position.trails[player].forbids(step, self.two_squares)
            || self.more_squares
                && !position.chase.is_empty()
                && position.cells[usize::from(step[1])] == 0
                && position.chase.forbids(player, step)
    }

    /// Visits the moves of a player until one visit says that it is enough, and tells whether one did.
    #[inline]
    pub(super) fn visit(&self, position: &Position, player: usize, mut enough: impl FnMut([u8; 2]) -> bool) -> bool {
        let free = BOARD & !(position.sides[0] | position.sides[1]);
        let enemies = position.sides[1 - player];
        let movers = position.movers[player] & !position.stuck(player);
        for from in squares(movers) {
            if AROUND[usize::from(from)] & (free | enemies) == 0 {
                continue;
            }
            let slides = rank_of(position.cells[usize::from(from)]) == SCOUT;
            for (direction, mut to) in NEIGHBOURS[usize::from(from)].into_iter().enumerate() {
                while to != NONE && (free | enemies) & bit(to) != 0 {
                    if !self.forbidden(position, player, [from, to]) && enough([from, to]) {
                        return true;
                    }
                    if !slides || enemies & bit(to) != 0 {
                        break;
                    }
                    to = NEIGHBOURS[usize::from(to)][direction];
                }
            }
        }
        false
    }

    pub(super) fn can_move(&self, position: &Position, player: usize) -> bool {
        self.visit(position, player, |_| true)
    }

    /// The ranks that the unknown piece of a battle may have.
    pub(super) fn outcomes(position: &Position) -> impl Iterator<Item = Rank> {
        let player = usize::from(1 - position.believer);
        let unseen = position.unseen[player];
        let moving = Self::battle_moves(position);
        let fixed = !moving && position.unknown_movers(player) <= position.roving;
        (0..RANKS as Rank)
            .filter(move |&rank| unseen[usize::from(rank)] > 0 && if rank < BOMB { !fixed } else { !moving })
    }

    /// Whether the unknown piece of a battle is one that moves.
    pub(super) fn battle_moves(position: &Position) -> bool {
        let [from, to] = position.battle;
        rank_of(position.cells[usize::from(from)]) == UNKNOWN || position.cells[usize::from(to)] & MOVED != 0
    }

    /// Puts a piece on the next square.
    pub(super) fn place(&self, position: &mut Position, rank: Rank) {
        let player = usize::from(position.turn);
        let square = home_square(player, position.sides[player].count_ones() as usize);
        position.put(square, piece(player, rank, 0));
        self.next_to_place(position);
    }

    /// Whose turn it is while there are pieces to place, and the beginning of the game when there are none.
    pub(super) fn next_to_place(&self, position: &mut Position) {
        if let Some(player) = (0..2).find(|&player| position.sides[player] != HOME[player]) {
            position.turn = player as u8;
        } else {
            position.turn = 0;
            position.stage = Stage::Playing;
            self.settle(position);
        }
    }

    /// Moves a piece, or lets it attack.
    #[inline]
    pub(super) fn step(&self, position: &mut Position, [from, to]: [u8; 2]) {
        let attacker = rank_of(position.cells[usize::from(from)]);
        let defender = position.cells[usize::from(to)];
        if defender == 0 {
            let player = usize::from(position.turn);
            let begin = position.believer == NOBODY;
            position.trails[player].extend([from, to], self.two_squares, begin);
            if begin && self.more_squares {
                position.chase.extend(player, [from, to], position.sides[1 - player]);
            } else if !position.chase.is_empty() {
                position.chase = Chase::default();
            }
            Self::shift(position, [from, to]);
            if steps(from, to) > 1 {
                position.show(to);
            }
            position.quiet = position.quiet.saturating_add(1);
            position.turn ^= 1;
            self.settle(position);
        } else if attacker == UNKNOWN || rank_of(defender) == UNKNOWN {
            position.battle = [from, to];
        } else {
            self.fight(position, [from, to]);
        }
    }

    /// Moves a piece to an empty square.
    #[inline(always)]
    fn shift(position: &mut Position, [from, to]: [u8; 2]) {
        let cell = position.take(from);
        if rank_of(cell) == UNKNOWN && cell & MOVED == 0 {
            position.roving += 1;
        }
        position.put(to, cell | MOVED);
    }

    /// The unknown piece of a battle has this rank.
    pub(super) fn reveal(&self, position: &mut Position, rank: Rank) {
        let [from, to] = std::mem::replace(&mut position.battle, [NONE; 2]);
        let player = usize::from(1 - position.believer);
        let square = if rank_of(position.cells[usize::from(from)]) == UNKNOWN { from } else { to };
        let cell = position.take(square);
        position.roving -= u8::from(cell & MOVED != 0);
        position.put(square, piece(player, rank, cell & MOVED));
        self.fight(position, [from, to]);
    }

    /// Two known pieces meet.
    fn fight(&self, position: &mut Position, [from, to]: [u8; 2]) {
        let player = usize::from(position.turn);
        let [attacker, defender] = [from, to].map(|square| rank_of(position.cells[usize::from(square)]));
        position.show(from);
        position.show(to);
        position.quiet = 0;
        position.chase = Chase::default();
        let outcome = battle(attacker, defender);
        if outcome != Battle::Lose {
            position.capture(to);
        }
        if outcome == Battle::Win {
            // a move between two squares counts whether it is an attack or not
            position.trails[player].extend([from, to], self.two_squares, position.believer == NOBODY);
            Self::shift(position, [from, to]);
        } else {
            position.capture(from);
            position.trails[player] = Trail::default();
        }
        position.turn ^= 1;
        if defender == FLAG {
            position.stage = Stage::Won(player as u8);
        } else {
            self.settle(position);
        }
    }

    /// Ends the game if it is over.
    #[inline]
    pub(super) fn settle(&self, position: &mut Position) {
        let player = usize::from(position.turn);
        if !self.can_move(position, player) {
            let other = 1 - player;
            position.stage = if self.can_move(position, other) { Stage::Won(other as u8) } else { Stage::Drawn };
        } else if self.quiet > 0 && position.quiet >= self.quiet {
            position.stage = Stage::Drawn;
        }
    }
}
