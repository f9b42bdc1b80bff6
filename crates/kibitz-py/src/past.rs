//! What came before a position, for games whose rules mention repetition.

use std::sync::Arc;

use kibitz_game::{Repetition, Score};

/// The keys of the positions before one, oldest first, and how often that one has occurred. A position itself has no
/// history inside; games without a rule of repetition keep none here either.
#[derive(Clone, Default)]
pub struct Past {
    keys: Option<Arc<[u64]>>,
    times: u32,
}

impl Past {
    /// The past of a position, from the keys of those before it.
    pub fn new<G: Repetition>(game: &G, position: &G::Position, keys: Vec<u64>) -> Self {
        if !G::REPEATS {
            return Self::default();
        }
        let key = game.key(position);
        let times = 1 + keys.iter().filter(|&&each| each == key).count();
        Self { keys: (!keys.is_empty()).then(|| keys.into()), times: times as u32 }
    }

    /// The past of `next`, which a move leads to from `position`, whose past this is.
    pub fn after<G: Repetition>(&self, game: &G, position: &G::Position, next: &G::Position) -> Self {
        if !G::REPEATS {
            return Self::default();
        }
        let keys = self.keys().iter().copied().chain([game.key(position)]).collect();
        Self::new(game, next, keys)
    }

    /// The keys of the positions before, oldest first.
    pub fn keys(&self) -> &[u64] {
        self.keys.as_deref().unwrap_or_default()
    }

    /// The score of a player if the game has ended because the position has occurred so often.
    pub fn score<G: Repetition>(&self, game: &G, position: &G::Position, player: usize) -> Option<Score> {
        if self.times > 1 { game.repeated(position, self.times, player) } else { None }
    }
}
