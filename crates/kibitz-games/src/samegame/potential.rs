//! What a position of `SameGame` promises: the bound of A\*, and the guesses by which a beam search orders positions.

use kibitz_game::{Random, Range, Score};

use super::columns::{Columns, Starts};
use super::strategy::{self, walk};
use super::{CLEARED, Penalty, Position, SameGame, points};

pub(super) const NAMES: &[&str] = &["concentration", "groups", "bound", "playout", "playouts"];
const GROUPS: usize = 1;
const BOUND: usize = 2;
const PLAYOUT: usize = 3;
const PLAYOUTS: usize = 4;

/// How many playouts there are, of which the best counts.
const TRIED: usize = 8;

/// What a single block of another colour than the most frequent one costs.
const SINGLE: f64 = 5.0;

/// No colour can make more than as one group, for (a − 2)² + (b − 2)² ≤ (a + b − 2)²; and a colour with one block is never
/// removed, so that the board is not emptied (M. Schadd 2011, section 3.2.1, whose formula would add a point for that block).
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
    match which {
        GROUPS => {
            let mut sum: Score = position.points;
            Starts::new(&position.columns, 0).each(&position.columns, |block| sum += points(block.size));
            f64::from(sum)
        }
        BOUND => f64::from(bounds(game, position).high),
        PLAYOUT => f64::from(best_playout(game, position, 1)),
        PLAYOUTS => f64::from(best_playout(game, position, TRIED)),
        _ => f64::from(position.points) + concentration(game, &position.columns),
    }
}

/// The groups of all colours but the most frequent one as they are, less something for every block that is alone; and that colour as one
/// group, times the share of its pairs of blocks that are in one group: Σ s² / n², which is 1 when all of them are.
fn concentration(game: &SameGame, columns: &Columns) -> f64 {
    let kept = columns.most_frequent(game.colours);
    let (mut others, mut together, mut removable) = (0, 0, 0);
    Starts::new(columns, 0).each(columns, |block| {
        if columns.colour(block.cell()) == kept {
            together += block.size * block.size;
            // a block that is alone is a group of one
            together -= block.size;
        } else {
            others += points(block.size);
            removable += block.size;
        }
    });
    let blocks = columns.count(kept);
    let single = columns.blocks() - blocks - removable;
    let share = f64::from(together + blocks) / f64::from((blocks * blocks).max(1));
    f64::from(others) - SINGLE * f64::from(single) + share * f64::from(points(blocks.max(2)))
}

/// The best final score of some playouts that keep the most frequent colour. What they draw depends on the board alone, so that the
/// potential is a function of the position.
fn best_playout(game: &SameGame, position: &Position, playouts: usize) -> Score {
    use kibitz_game::Game;
    let mut random = Random::new(position.columns.key());
    let plan = strategy::plan(strategy::TABU_COLOR_CLEAR, &position.columns, game.colours, &mut random);
    let play = |_| {
        let mut end = *position;
        walk(&mut end, plan, 0.0, &mut random, u32::MAX, |_| ());
        game.score(&end, 0)
    };
    (0..playouts).map(play).max().unwrap_or(position.points)
}
