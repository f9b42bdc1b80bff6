//! How the root calls the search: a full window, or null windows that close in on the value.
//!
//! Everything but the full window is Plaat, Schaeffer, Pijls and de Bruin's memory-enhanced test with another sequence of
//! windows. With fail-hard values infinite starts would never converge, so every sequence starts at the ends of the range.
//! Each pass either raises the lower or lowers the upper bound, so that all of them end even where a table that mixes depths
//! makes the search contradict itself.

use kibitz_game::{Bound, Score};

use super::guess::Guesser;
use super::selective::Expected;
use super::tree::Tree;
use super::{Driver, INFINITY};
use crate::Searchable;

/// What the root knows after a search to one depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) value: Score,
    pub(super) bound: Bound,
}

impl<G: Searchable> Tree<'_, G> {
    /// The least and the greatest value for a player, as this search counts.
    pub(super) fn range(&self, me: u8) -> (Score, Score) {
        let range = self.game.range(usize::from(me));
        (self.bucketed(range.low, me), self.bucketed(range.high, me))
    }

    /// A result as this search counts it.
    pub(super) fn to_score(&self, result: f64) -> Score {
        (result * f64::from(self.game.unit()) / f64::from(self.bucket)).round() as Score
    }

    /// Searches the root with one window and keeps the line of a move that raises alpha; none when interrupted.
    fn pass(&mut self, position: &G::Position, me: u8, depth: u32, alpha: Score, beta: Score) -> Option<Score> {
        if self.budget.spend() {
            return None;
        }
        self.counters.passes += 1;
        if self.prunes {
            // a null window has no principal variation, and the last pass of most methods cuts
            self.expected[0] = if beta == alpha + 1 { Expected::Cut } else { Expected::Pv };
        }
        let key = self.announce(position);
        self.open_record(position, me, depth, alpha, beta);
        let value = self.node(position, key, me, depth, 0, alpha, beta);
        self.close_record(me, depth, alpha, beta, value);
        if self.interrupted() {
            return None;
        }
        if value > alpha {
            self.line.clear();
            self.line.extend_from_slice(self.lines.root());
        }
        Some(value)
    }

    /// One iteration: the value of the root to a depth. `previous` is the value of the last iteration, `guess` that of the
    /// last one with the same parity or what stands for it.
    pub(super) fn drive(
        &mut self,
        guesser: Option<&Guesser>,
        position: &G::Position,
        me: u8,
        depth: u32,
        previous: Option<Score>,
        guess: Score,
        last: bool,
    ) -> Option<Found> {
        let (low, high) = self.range(me);
        // no move is better than another when the value never rises above the least
        self.line.clear();
        self.line.extend(self.root.first());
        let switches = self.switches;
        let value = match &switches.driver {
            Driver::Full => self.pass(position, me, depth, -INFINITY, INFINITY)?,
            Driver::Aspiration(width) => self.aspire(position, me, depth, previous, self.to_score(*width).max(1))?,
            Driver::NegaCStar => {
                let (mut low, mut high) = (low, high);
                while low < high {
                    let middle = (i64::from(low) + i64::from(high)).div_euclid(2) as Score;
                    let value = self.pass(position, me, depth, middle, middle + 1)?;
                    if value > middle {
                        low = value;
                    } else {
                        high = value;
                    }
                }
                high
            }
            Driver::Sss => {
                let mut value = high.saturating_add(1);
                loop {
                    let found = self.pass(position, me, depth, value - 1, value)?;
                    if found >= value {
                        break found;
                    }
                    value = found;
                }
            }
            Driver::Dual => {
                let mut value = low.saturating_sub(1);
                loop {
                    let found = self.pass(position, me, depth, value, value + 1)?;
                    if found <= value {
                        break found;
                    }
                    value = found;
                }
            }
            Driver::Mtd(_) => {
                let mut value = guess.clamp(low, high);
                let (mut lower, mut upper) = if switches.fail_hard { (low, high) } else { (-INFINITY, INFINITY) };
                while lower < upper {
                    let test = if value == lower { value + 1 } else { value };
                    value = self.pass(position, me, depth, test - 1, test)?;
                    if value < test {
                        upper = value;
                    } else {
                        lower = value;
                    }
                }
                value
            }
            Driver::BestNode(method) => {
                self.open_record(position, me, depth, -INFINITY, INFINITY);
                let found = self.best_node(method, guesser?, position, me, depth, guess, last)?;
                self.close_record(me, depth, -INFINITY, INFINITY, found.value);
                return Some(found);
            }
        };
        Some(Found { value, bound: Bound::Exact })
    }

    /// Aspiration windows (Brudno 1963; Gillogly 1972): around the last value, opened where the value lies outside.
    fn aspire(
        &mut self,
        position: &G::Position,
        me: u8,
        depth: u32,
        previous: Option<Score>,
        width: Score,
    ) -> Option<Score> {
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        if let Some(previous) = previous {
            alpha = previous.saturating_sub(width).max(-INFINITY);
            beta = previous.saturating_add(width);
        }
        let value = self.pass(position, me, depth, alpha, beta)?;
        if value <= alpha {
            (alpha, beta) = (-INFINITY, value + 1);
        } else if value >= beta {
            (alpha, beta) = (value - 1, INFINITY);
        } else {
            return Some(value);
        }
        let value = self.pass(position, me, depth, alpha, beta)?;
        if alpha < value && value < beta {
            return Some(value);
        }
        // a table that mixes depths has made the search contradict itself
        self.pass(position, me, depth, -INFINITY, INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kibitz_game::{Budget, Configure, Game, Limits, Params, Stop, Table};
    use kibitz_games::Mnk;

    use super::super::AlphaBeta;
    use super::Tree;

    #[test]
    fn tic_tac_toe_with_the_window_of_its_results_has_the_known_count() {
        // search-methods, 6.3: root window (−1, +1), fail-hard: 16,811 nodes instead of 18,297
        let game = Mnk::<u64>::configure(&Params::complete(&Mnk::<u64>::parameters(), []).unwrap()).unwrap();
        let switches = AlphaBeta { fail_hard: true, ..AlphaBeta::plain() };
        let stop = Stop::new();
        let budget = Budget::new(&Limits::default(), &stop);
        let mut tree = Tree::new(&switches, &game, Arc::new(Table::None), budget, &[]);
        game.moves(&game.start(), &mut tree.root);
        assert_eq!(tree.pass(&game.start(), 0, 9, -1, 1), Some(0));
        assert_eq!(tree.budget.nodes, 16_811);
    }
}
