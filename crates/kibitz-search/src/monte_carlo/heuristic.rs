//! The evaluation as a number that can stand beside the mean of results.

use kibitz_game::{Random, Score, Turn};

use super::exponential::tanh;
use crate::Searchable;

/// How an evaluation becomes a number beside results from −1 to 1.
///
/// An evaluation is made for comparisons and has no natural size. Where it is added to means, its size decides everything, and the
/// literature seldom gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// What counts as one, in units of the game's result; without it, so much that the typical evaluation of a position of a random
    /// game comes to a half.
    pub scale: Option<f64>,
    /// Takes the hyperbolic tangent, so that nothing is beyond ±1.
    pub squash: bool,
}

impl Default for Scaling {
    fn default() -> Self {
        Self { scale: None, squash: true }
    }
}

/// Random games from the start of the game whose evaluations show what is typical.
const GAMES: u64 = 16;
/// One position in so many of them is evaluated, and so many in all.
const APART: u32 = 4;
const SAMPLE: usize = 256;

/// The inverse hyperbolic tangent of a half.
const HALF: f64 = 0.549_306_144_334_054_8;

/// The evaluation of a game, scaled.
pub(crate) struct Heuristic<'a, G> {
    game: &'a G,
    /// What a player expects who knows nothing, and half the width of the range of results.
    middles: Vec<(f64, f64)>,
    /// One over the scale, in units of [`Score`].
    factor: f64,
    squash: bool,
}

impl<'a, G: Searchable> Heuristic<'a, G> {
    pub(crate) fn new(game: &'a G, scaling: Scaling) -> Self {
        let middles: Vec<(f64, f64)> = (0..game.players())
            .map(|player| {
                let range = game.range(player);
                let half = (f64::from(range.high) - f64::from(range.low)) / 2.0;
                (f64::from(range.middle()), half)
            })
            .collect();
        let scale = match scaling.scale {
            Some(scale) => scale * f64::from(game.unit()),
            None => typical(game, &middles) / HALF,
        };
        Self { game, middles, factor: if scale > 0.0 { 1.0 / scale } else { 0.0 }, squash: scaling.squash }
    }

    /// Whether positions differ in it at all; where they do not it knows nothing.
    pub(crate) fn knows(&self) -> bool {
        self.factor != 0.0
    }

    /// How good a position is for a player: from −1 to 1 if squashed or over.
    #[inline(always)]
    pub(crate) fn value(&self, position: &G::Position, turn: Turn, player: usize) -> f64 {
        if turn == Turn::Over { self.result(position, player) } else { self.estimate(position, player) }
    }

    /// The same for a position that is not over.
    #[inline(always)]
    pub(crate) fn estimate(&self, position: &G::Position, player: usize) -> f64 {
        let value = (f64::from(self.game.evaluate(position, player)) - self.middles[player].0) * self.factor;
        if self.squash { tanh(value) } else { value }
    }

    /// The result of a finished game, the worst one −1 and the best one 1.
    #[inline(always)]
    fn result(&self, position: &G::Position, player: usize) -> f64 {
        let (middle, half) = self.middles[player];
        let result = (f64::from(self.game.score(position, player)) - middle) / half.max(1.0);
        result.clamp(-1.0, 1.0)
    }
}

/// The median distance of the evaluations of random games from the middle: a constant of the game, whatever is searched.
fn typical<G: Searchable>(game: &G, middles: &[(f64, f64)]) -> f64 {
    let mut sizes: Vec<f64> = Vec::with_capacity(SAMPLE);
    let mut buffer = Vec::new();
    let games = if G::SLOW { GAMES / 4 } else { GAMES };
    for stream in 0..games {
        let mut random = Random::stream(0, stream);
        let mut position = game.start();
        // games begin at different plies, so that no phase is missed
        let mut apart = 1 + stream as u32 % APART;
        while sizes.len() < SAMPLE {
            game.playout(&mut position, &mut random, &mut buffer, apart);
            apart = APART;
            let player = match game.turn(&position) {
                Turn::Over => break,
                Turn::Player(player) => usize::from(player),
                Turn::Chance => 0,
            };
            let value: Score = game.evaluate(&position, player);
            sizes.push((f64::from(value) - middles[player].0).abs());
        }
    }
    let half = sizes.len() / 2;
    if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(half, f64::total_cmp).1 }
}
