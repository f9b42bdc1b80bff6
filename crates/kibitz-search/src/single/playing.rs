//! Playouts: whole games by a strategy of the game's own.

use std::sync::atomic::Ordering::Relaxed;

use kibitz_game::{Random, Score, Turn};

use super::effort::Effort;
use crate::{LONGEST, NotSupported, Searchable};

/// The strategy of playouts, by its name in the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// The first one that the game has, or uniformly random moves.
    #[default]
    Default,
    /// Uniformly random moves.
    Random,
    /// The strategy of that name.
    Named(String),
}

impl Strategy {
    /// The number of the strategy in a game; one that no strategy has for random moves.
    pub(super) fn number<G: Searchable>(&self, game: &G) -> Result<usize, NotSupported> {
        let known = game.strategies();
        match self {
            Self::Random => Ok(usize::MAX),
            Self::Default => Ok(if known.is_empty() { usize::MAX } else { 0 }),
            Self::Named(name) => known.iter().position(|known| known == name).ok_or_else(|| {
                let known: Vec<&str> = ["random"].iter().chain(known).copied().collect();
                NotSupported(format!("this game has no playout strategy {name:?}; it has {}", known.join(", ")))
            }),
        }
    }
}

/// Plays games to their end. What has been played before it lies in `line` already.
pub(super) struct Player<'a, G: Searchable> {
    pub(super) game: &'a G,
    pub(super) strategy: usize,
    pub(super) epsilon: f64,
    pub(super) random: Random,
    pub(super) buffer: Vec<G::Move>,
}

impl<'a, G: Searchable> Player<'a, G> {
    pub(super) fn new(game: &'a G, strategy: usize, epsilon: f64, random: Random) -> Self {
        Self { game, strategy, epsilon, random, buffer: Vec::new() }
    }

    /// Plays on, appends the moves to the line, and returns their number.
    #[inline]
    pub(super) fn play(&mut self, position: &mut G::Position, line: &mut Vec<G::Move>) -> u32 {
        let Self { game, strategy, epsilon, random, buffer } = self;
        game.play_strategically(*strategy, *epsilon, position, random, buffer, line, LONGEST)
    }

    /// Whether the game does not use its own strategy but uniformly random moves.
    #[inline(always)]
    pub(super) fn uniform(&self) -> bool {
        self.strategy >= self.game.strategies().len()
    }

    /// A move that the strategy with this plan would make.
    #[inline]
    pub(super) fn choose(&mut self, position: &G::Position, plan: u32) -> G::Move {
        if self.uniform() || self.epsilon > 0.0 && self.random.unit() < self.epsilon {
            return self.game.random_move(position, &mut self.random, &mut self.buffer);
        }
        self.game.preferred_move(self.strategy, plan, position, &mut self.random, &mut self.buffer)
    }
}

/// The score of a playout that has been played, which is counted; one that was cut off is worth what the evaluation says.
#[inline]
pub(super) fn score<G: Searchable>(
    effort: &mut Effort<'_, '_, G>,
    position: &G::Position,
    line: &[G::Move],
    plies: u32,
) -> Score {
    let game = effort.record.game;
    if game.turn(position) == Turn::Over {
        let score = game.score(position, 0);
        effort.played(score, line, plies);
        score
    } else {
        if game.turn(position) == Turn::Chance {
            effort.record.chance.store(true, Relaxed);
        }
        effort.cut(plies);
        game.evaluate(position, 0)
    }
}
