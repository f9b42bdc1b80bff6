//! Quiescence search: noisy moves beyond the horizon.
//!
//! The form with standing pat: a player need not make a noisy move, so the static value is a lower bound (Rutko 2012 and the
//! survey literature; Beal 1990). Nothing is learned here, but what was learned orders the moves.

use kibitz_game::{Score, Turn};

use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Tree<'_, G> {
    /// The quiescence value for `me` of a position at the horizon.
    #[inline(never)]
    pub(super) fn quiet_value(&mut self, child: &G::Position, me: u8, next: u8, alpha: Score, beta: Score) -> Score {
        if next == me {
            self.quiescence(child, next, 0, alpha, beta)
        } else {
            -self.quiescence(child, next, 0, -beta, -alpha)
        }
    }

    /// The fail-soft value for the player to move, who is `me`, `beyond` plies beyond the horizon.
    pub(super) fn quiescence(
        &mut self,
        position: &G::Position,
        me: u8,
        beyond: u32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.counters.leaves += 1;
        let mut best = self.bucketed(self.game.evaluate(position, usize::from(me)), me);
        if best >= beta || beyond >= self.switches.selective.quiescence.unwrap_or(0) {
            return best;
        }
        let first = self.moves.len();
        self.game.noisy(position, &mut self.moves);
        let count = self.moves.len() - first;
        self.score_noisy(position, me, first);
        for place in first..first + count {
            let mv = self.next_move(first, place, first + count);
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            if self.budget.spend() {
                break;
            }
            self.counters.quiescence_nodes += 1;
            let alpha = alpha.max(best);
            let value = match self.game.turn(&child) {
                Turn::Over => {
                    self.counters.leaves += 1;
                    self.bucketed(self.game.score(&child, usize::from(me)), me)
                }
                Turn::Player(next) if next == me => self.quiescence(&child, next, beyond + 1, alpha, beta),
                Turn::Player(next) => -self.quiescence(&child, next, beyond + 1, -beta, -alpha),
                Turn::Chance => {
                    self.chance = true;
                    self.budget.end();
                    0
                }
            };
            if self.interrupted() {
                break;
            }
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        self.moves.truncate(first);
        best
    }
}
