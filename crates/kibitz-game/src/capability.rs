//! What a game may offer beyond its rules.
//!
//! Each capability is a small trait whose defaults are right for a game that knows nothing better, so `impl Order for
//! MyGame {}` is a complete sentence.

use crate::{Game, Random, Score, Turn};

/// A static value of positions that are not over.
pub trait Evaluate: Game {
    /// Whether the game knows more than the default does.
    const INFORMED: bool = false;

    /// The value for `player`, strictly inside [`Game::range`] unless it is the default: the middle of that range.
    fn evaluate(&self, position: &Self::Position, player: usize) -> Score {
        let _ = position;
        self.range(player).middle()
    }
}

/// Knowledge for ordering moves.
pub trait Order: Game {
    /// The size of a table indexed by [`Order::index`]; 0 when moves have no index.
    fn indices(&self) -> usize {
        0
    }
    /// An index of the move that does not depend on the position more than it must (from and to squares), below
    /// [`Order::indices`].
    fn index(&self, position: &Self::Position, mv: Self::Move) -> usize {
        let _ = (position, mv);
        0
    }
    /// A static hint between −7 and 7: moves with a greater hint are tried earlier, whatever the search has learned.
    fn hint(&self, position: &Self::Position, mv: Self::Move) -> i32 {
        let _ = (position, mv);
        0
    }
    /// Whether [`Order::hint`] says anything.
    const HINTED: bool = false;
}

/// Probabilities of what nature does.
pub trait Chance: Game {
    /// The probability of an outcome that [`Game::moves`] lists at a chance node. The default is uniform.
    fn probability(&self, position: &Self::Position, outcome: Self::Move) -> f64 {
        let _ = outcome;
        let mut outcomes = Vec::new();
        self.moves(position, &mut outcomes);
        1.0 / outcomes.len() as f64
    }

    /// Draws an outcome; `buffer` is scratch space.
    fn sample(&self, position: &Self::Position, random: &mut Random, buffer: &mut Vec<Self::Move>) -> Self::Move {
        buffer.clear();
        self.moves(position, buffer);
        let mut left = random.unit();
        for &outcome in buffer.iter() {
            left -= self.probability(position, outcome);
            if left < 0.0 {
                return outcome;
            }
        }
        buffer[buffer.len() - 1]
    }
}

/// What a player knows.
pub trait Hidden: Game {
    /// Whether anything is hidden from anybody.
    const HIDDEN: bool = false;

    /// Everything that `player` knows of the position, as text; equal for two positions that the player cannot tell apart.
    fn view(&self, position: &Self::Position, player: usize) -> String {
        let _ = player;
        self.write(position)
    }

    /// A position that `player` cannot tell from this one, drawn with the probability that chance gives it.
    fn guess(&self, position: &Self::Position, player: usize, random: &mut Random) -> Self::Position {
        let _ = (player, random);
        position.clone()
    }
}

/// Random play, the heart of Monte-Carlo methods.
pub trait Playout: Game + Chance {
    /// A uniformly random legal move of the player to move. A game that can count its moves and pick one of them
    /// overrides this; `buffer` is scratch space.
    #[inline]
    fn random_move(&self, position: &Self::Position, random: &mut Random, buffer: &mut Vec<Self::Move>) -> Self::Move {
        buffer.clear();
        self.moves(position, buffer);
        buffer[random.below(buffer.len())]
    }

    /// Plays uniformly random moves until the game is over or `plies` have been played, and returns how many were.
    #[inline]
    fn playout(
        &self,
        position: &mut Self::Position,
        random: &mut Random,
        buffer: &mut Vec<Self::Move>,
        plies: u32,
    ) -> u32 {
        uniform_playout(self, position, random, buffer, plies)
    }
}

/// The default of [`Playout::playout`], for games that override it only in some cases.
#[inline]
pub fn uniform_playout<G: Playout + ?Sized>(
    game: &G,
    position: &mut G::Position,
    random: &mut Random,
    buffer: &mut Vec<G::Move>,
    plies: u32,
) -> u32 {
    for played in 0..plies {
        let mv = match game.turn(position) {
            Turn::Over => return played,
            Turn::Player(_) => game.random_move(position, random, buffer),
            Turn::Chance => game.sample(position, random, buffer),
        };
        game.play(position, mv);
    }
    plies
}

/// Pictures of a position.
pub trait Draw: Game {
    /// A picture in text, several lines.
    fn board(&self, position: &Self::Position) -> String {
        self.write(position)
    }
    /// A picture as a complete SVG document.
    fn svg(&self, position: &Self::Position) -> String {
        crate::text::svg_of_text(&self.board(position))
    }
}
