//! The evaluation: material, what the opponent does not know, squares, inactivity, and the captures that are about to happen.
//!
//! The values of the pieces, the bonus for unknown ones, the inactivity and the difference to the position where a search began are those
//! of M. Schadd's thesis; the rest it leaves open, and the formulas are in the rules.

use kibitz_game::{Evaluate, Score};

use super::Stratego;
use super::board::{HOME, NEIGHBOURS, NONE, Set, WITHIN, bit, squares};
use super::position::{MOVED, NOBODY, Position, SEEN, Stage, rank_of};
use super::rank::{BOMB, Battle, FLAG, MARSHAL, MINER, RANKS, Rank, SPY, UNKNOWN, battle, moves};

/// A win, and the value of a Flag.
pub(super) const UNIT: Score = 1_000;

/// The pieces from the Marshal to the Flag. Flags stand on both sides as long as the game goes on.
const VALUES: [Score; RANKS] = [400, 300, 175, 140, 100, 50, 20, 100, 10, 100, 75, 0];
/// A Spy without a Marshal to catch.
const IDLE_SPY: Score = 10;

/// A piece that the opponent has not seen is worth three tenths more. Values are counted in tenths until the end.
const SEEN_TENTHS: Score = 10;
const UNSEEN_TENTHS: Score = 13;

/// The points for a piece at a distance of 5 from the Flag, 4, …
const NEARER: Score = 10;

type Worth = [Score; RANKS];

/// What the pieces of a player are worth now.
fn worth(position: &Position, player: usize) -> Worth {
    let mut worth = VALUES;
    let (own, other) = (&position.alive[player], &position.alive[1 - player]);
    if other[usize::from(MARSHAL)] == 0 {
        worth[usize::from(SPY)] = IDLE_SPY;
    }
    let bombs = Score::from(other[usize::from(BOMB)]);
    let miners = Score::from(own[usize::from(MINER)]).max(1);
    worth[usize::from(MINER)] = (500 * bombs / (6 * miners)).clamp(10, 200);
    worth
}

fn material(position: &Position, player: usize, worth: &Worth) -> Score {
    let sum = |counts: &[u8; RANKS]| counts.iter().zip(worth).map(|(&n, &value)| Score::from(n) * value).sum::<Score>();
    SEEN_TENTHS * sum(&position.alive[player]) + (UNSEEN_TENTHS - SEEN_TENTHS) * sum(&position.unseen[player])
}

/// The pieces of a player that have left home, as far as it is known that they move.
fn rovers(position: &Position, player: usize) -> Set {
    position.movers[player] & !HOME[player]
}

/// What the pieces of a player on their way to the opponent's Flag count: ten points for each square that one is nearer than six. Where the Flag may
/// be any of several pieces, it is the mean over them.
fn advance(position: &Position, player: usize) -> Score {
    let rovers = rovers(position, player);
    if rovers == 0 {
        return 0;
    }
    let targets = match position.flag(1 - player) {
        Some(flag) => bit(flag),
        None => position.unmoved_unknown(1 - player),
    };
    let points = |square: u8| {
        WITHIN[usize::from(square)].iter().map(|&near| (near & targets).count_ones() as Score).sum::<Score>()
    };
    NEARER * squares(rovers).map(points).sum::<Score>() / (targets.count_ones() as Score).max(1)
}

/// Who is on a square, with what probability, in parts of all.
#[derive(Clone, Copy)]
enum Who {
    Known(Rank, bool),
    Moving,
    Still,
}

impl Stratego {
    /// What a battle adds to the difference in material, in tenths, for the attacker's side.
    fn gain(attacker: (Rank, bool), defender: (Rank, bool), own: &Worth, other: &Worth) -> Score {
        let tenths = |seen: bool| if seen { SEEN_TENTHS } else { UNSEEN_TENTHS };
        let (mine, theirs) = (own[usize::from(attacker.0)], other[usize::from(defender.0)]);
        // the survivor has been seen
        let shown = |value: Score, seen: bool| value * (tenths(seen) - SEEN_TENTHS);
        match battle(attacker.0, defender.0) {
            Battle::Win if defender.0 == FLAG => SEEN_TENTHS * UNIT,
            Battle::Win => theirs * tenths(defender.1) - shown(mine, attacker.1),
            Battle::Lose => shown(theirs, defender.1) - mine * tenths(attacker.1),
            Battle::Both => theirs * tenths(defender.1) - mine * tenths(attacker.1),
        }
    }

    fn expected_gain(&self, position: &Position, [from, to]: [u8; 2], own: &Worth, other: &Worth) -> Score {
        let who = |square: u8, attacks: bool| {
            let cell = position.cells[usize::from(square)];
            match rank_of(cell) {
                UNKNOWN if attacks || cell & MOVED != 0 => Who::Moving,
                UNKNOWN => Who::Still,
                rank => Who::Known(rank, cell & SEEN != 0),
            }
        };
        let mean = |moving: bool, gain: &dyn Fn(Rank) -> Score| {
            let player = usize::from(1 - position.believer);
            let likely = (0..RANKS as Rank)
                .filter(|&rank| position.unseen[player][usize::from(rank)] > 0 && (!moving || moves(rank)))
                .map(|rank| self.likelihood(position, moving, rank) * f64::from(gain(rank)));
            likely.sum::<f64>() as Score
        };
        match (who(from, true), who(to, false)) {
            (Who::Known(attacker, seen), Who::Known(defender, known)) => {
                Self::gain((attacker, seen), (defender, known), own, other)
            }
            (Who::Known(attacker, seen), unknown) => {
                mean(matches!(unknown, Who::Moving), &|rank| Self::gain((attacker, seen), (rank, false), own, other))
            }
            (_, Who::Known(defender, known)) => {
                mean(true, &|rank| Self::gain((rank, false), (defender, known), own, other))
            }
            _ => 0,
        }
    }

    /// The two best captures of a player by different pieces' squares, in tenths; 0 for none.
    fn captures(&self, position: &Position, player: usize, worths: &[Worth; 2]) -> [Score; 2] {
        let enemies = position.sides[1 - player];
        let movers = position.movers[player] & !position.stuck(player);
        let mut best = [0; 2];
        for to in squares(enemies) {
            let mut gain = 0;
            for from in NEIGHBOURS[usize::from(to)] {
                if from != NONE && movers & bit(from) != 0 {
                    gain = gain.max(self.expected_gain(position, [from, to], &worths[player], &worths[1 - player]));
                }
            }
            if gain > best[0] {
                best = [gain, best[0]];
            } else if gain > best[1] {
                best[1] = gain;
            }
        }
        best
    }

    /// The value for a player, without bounds and without what it was where the search began.
    pub(super) fn value_for(&self, position: &Position, player: usize) -> Score {
        let worths = [worth(position, 0), worth(position, 1)];
        let mut tenths = material(position, 0, &worths[0]) - material(position, 1, &worths[1]);
        if position.stage == Stage::Playing {
            tenths += SEEN_TENTHS * (advance(position, 0) - advance(position, 1));
            if position.battle[0] == NONE {
                // the player to move makes the best capture; of the opponent's threats one can be met
                let turn = usize::from(position.turn);
                let own = self.captures(position, turn, &worths)[0];
                let threat = self.captures(position, 1 - turn, &worths)[1];
                tenths += if turn == 0 { own - threat } else { threat - own };
            }
        }
        let mut value = tenths / SEEN_TENTHS;
        if position.believer != NOBODY {
            let idle = Score::from(position.quiet / 2);
            value += if position.believer == 0 { -idle } else { idle };
        }
        if player == 0 { value } else { -value }
    }
}

impl Evaluate for Stratego {
    const INFORMED: bool = true;

    fn evaluate(&self, position: &Position, player: usize) -> Score {
        // the base is kept for the player whose belief this is
        let base = if position.believer == 1 { -position.base } else { position.base };
        let value = self.value_for(position, 0) - base + self.noise.of(|| position.key());
        let value = value.clamp(1 - UNIT, UNIT - 1);
        if player == 0 { value } else { -value }
    }

    /// The pieces captured.
    fn progress(&self, position: &Position) -> Option<u32> {
        let alive: u32 = position.alive.iter().flatten().map(|&n| u32::from(n)).sum();
        Some(80 - alive)
    }
}
