//! What a position of `SameGame` promises: the bound of A\*, and the guesses by which a beam search orders positions.

use kibitz_game::{Range, Score};

use super::columns::Starts;
use super::{CLEARED, Penalty, Position, SameGame, points};

pub(super) const NAMES: &[&str] = &["groups", "bound"];

/// No colour can make more than as one group, for (a − 2)² + (b − 2)² ≤ (a + b − 2)²; and a colour with one block is never
/// removed, so that the board is not emptied (M. Schadd 2011, section 3.2.1, who adds the point of a single block instead of taking it off).
pub(super) fn bounds(game: &SameGame, position: &Position) -> Range {
    let (mut low, mut high, mut cleared) = (position.points, position.points, CLEARED);
    for count in game.counts(&position.columns).filter(|&count| count > 0) {
        let single = game.penalty.of(1);
        low -= if game.penalty == Penalty::None { 0 } else { points(count).max(single) };
        if count == 1 {
            high -= single;
            cleared = 0;
        } else {
            high += points(count);
        }
    }
    Range { low, high: high + cleared }
}

pub(super) fn potential(game: &SameGame, position: &Position, which: usize) -> f64 {
    if which == 1 {
        return f64::from(bounds(game, position).high);
    }
    let mut sum: Score = position.points;
    Starts::new(&position.columns, 0).each(&position.columns, |block| sum += points(block.size));
    f64::from(sum)
}
