//! What a position of `SameGame` promises: the bound of A\*, and the guesses by which a beam search orders positions.

use kibitz_game::{Random, Range, Score};

use super::columns::{Census, Columns, Starts};
use super::strategy::{self, walk};
use super::{CLEARED, Penalty, Position, SameGame, points};

/// The first one is that of searches which name none: for the same time beams by one playout a position find far better lines than wider ones by a formula.
pub(super) const NAMES: &[&str] = &["playout", "playouts", "gathering", "concentration", "groups", "bound"];
const PLAYOUTS: usize = 1;
const GATHERING: usize = 2;
pub(super) const CONCENTRATION: usize = 3;
const GROUPS: usize = 4;
const BOUND: usize = 5;

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
        PLAYOUTS => f64::from(best_playout(game, position, TRIED)),
        CONCENTRATION => f64::from(position.points) + concentration(game, &position.columns),
        GATHERING => f64::from(position.points) + gathering(game, &position.columns),
        _ => f64::from(best_playout(game, position, 1)),
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

/// What a colour is worth by [`Columns::census`], in points.
struct Weights {
    /// Of all its blocks as one group.
    whole: f64,
    /// Of a pair of neighbours.
    pair: f64,
    /// Of a block without a neighbour.
    single: f64,
    /// Of each run of columns that has it, and of those of one column.
    run: f64,
    lone_column: f64,
}

/// The colour that is kept to the end, and the others, which have to go. The weights were found by covariance matrix adaptation over the mean score
/// of a beam of width 100 on random boards.
const KEPT: Weights = Weights { whole: 0.774, pair: 13.7, single: -10.9, run: -2.27, lone_column: -15.7 };
const OTHER: Weights = Weights { whole: -0.0226, pair: 6.26, single: -15.1, run: -16.6, lone_column: -8.55 };

/// For every other colour on the board, and for one of which a single block is left, so that the board will not be emptied.
const PRESENT: f64 = 15.5;
const LAST_BLOCK: f64 = -306.0;

impl Weights {
    #[inline(always)]
    fn of(&self, colour: &Census) -> f64 {
        let runs = colour.columns & !(colour.columns << 1);
        self.whole * f64::from(points(colour.blocks))
            + self.pair * f64::from(colour.pairs)
            + self.single * f64::from(colour.singles)
            + self.run * f64::from(runs.count_ones())
            + self.lone_column * f64::from((runs & !(colour.columns >> 1)).count_ones())
    }
}

/// The most frequent colour as if it were gathered into one group, as far as its blocks touch, and all other colours by how easily they are
/// removed to the last block. No group is looked for, so that this is several times as fast as the potentials that know them.
fn gathering(game: &SameGame, columns: &Columns) -> f64 {
    let census = columns.census(game.colours);
    let colours = &census[..usize::from(game.colours)];
    let (mut kept, mut most) = (0, 0);
    for (i, colour) in colours.iter().enumerate() {
        if colour.blocks > most {
            (kept, most) = (i, colour.blocks);
        }
    }
    let others = colours.iter().enumerate().filter(|&(i, colour)| i != kept && colour.blocks > 0);
    let rest = others.map(|(_, colour)| OTHER.of(colour) + PRESENT + if colour.blocks == 1 { LAST_BLOCK } else { 0.0 });
    KEPT.of(&colours[kept]) + rest.sum::<f64>()
}
