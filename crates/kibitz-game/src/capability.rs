//! What a game may offer beyond its rules.
//!
//! Each capability is a small trait whose defaults are right for a game that knows nothing better, so `impl Order for
//! MyGame {}` is a complete sentence.

use crate::{Cell, Game, Random, Range, Score, Turn};

/// A static value of positions that are not over.
pub trait Evaluate: Game {
    /// Whether the game knows more than the default does.
    const INFORMED: bool = false;

    /// The value for `player`, strictly inside [`Game::range`] unless it is the default: the middle of that range.
    fn evaluate(&self, position: &Self::Position, player: usize) -> Score {
        let _ = position;
        self.range(player).middle()
    }

    /// Between which values the game-theoretic value of a position that is not over lies for `player`, for sure. The
    /// default knows only the range of results.
    fn bounds(&self, position: &Self::Position, player: usize) -> Range {
        let _ = position;
        self.range(player)
    }

    /// How far the game has come, by what can be counted on the board: stones placed, pieces captured. It is never less
    /// after a move. The stages of `Multi-ProbCut` are ranges of it; the default cannot tell.
    fn progress(&self, position: &Self::Position) -> Option<u32> {
        let _ = position;
        None
    }

    /// What `player` has in a position that is not over, whatever the others have: a component of the tuples of maxⁿ, strictly
    /// inside [`Game::range`]. Where there are several opponents, or where players count what they have, [`Evaluate::evaluate`]
    /// is the difference between a player and all others. The default makes no difference between the two.
    fn own_value(&self, position: &Self::Position, player: usize) -> Score {
        self.evaluate(position, player)
    }

    /// [`Evaluate::own_value`] of all players at once, for games that find them together sooner than one by one.
    #[inline(always)]
    fn own_values(&self, position: &Self::Position, values: &mut [Score]) {
        for (player, value) in values.iter_mut().enumerate() {
            *value = self.own_value(position, player);
        }
    }

    /// The greatest sum over all players of final scores, and of [`Evaluate::own_value`]; none if it is not known. Pruning in
    /// maxⁿ needs it (R. Korf, *Multi-Player Alpha-Beta Pruning*, 1991).
    fn greatest_sum(&self) -> Option<i64> {
        None
    }

    /// Whether [`Evaluate::noisy`] ever lists a move.
    const NOISY: bool = false;

    /// Appends the moves after which a static value cannot be trusted (captures, say), for a quiescence search. They are
    /// among those that [`Game::moves`] lists; the default is none.
    fn noisy(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        let _ = (position, out);
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
    /// Whether nature ever moves. The searches of games of chance are compiled for such games only.
    const CHANCE: bool = false;

    /// Whether nature moves in every game, whatever its parameters. Searches and solvers that cannot deal with it are not
    /// compiled for such games.
    const ALWAYS_CHANCE: bool = false;

    /// The probability of an outcome that [`Game::moves`] lists at a chance node. The default is uniform.
    fn probability(&self, position: &Self::Position, outcome: Self::Move) -> f64 {
        let _ = outcome;
        let mut outcomes = Vec::new();
        self.moves(position, &mut outcomes);
        1.0 / outcomes.len() as f64
    }

    /// Appends the outcomes that [`Game::moves`] lists at a chance node, in that order, each with its probability, so that a
    /// search asks a node once. The probabilities add up to 1. A game with chance overrides this: the default makes a list
    /// of its own and asks for each probability.
    fn outcomes(&self, position: &Self::Position, out: &mut Vec<(Self::Move, f64)>) {
        let mut listed = Vec::new();
        self.moves(position, &mut listed);
        out.extend(listed.into_iter().map(|outcome| (outcome, self.probability(position, outcome))));
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
    /// Whether anything is hidden from anybody, with some parameters at least.
    const HIDDEN: bool = false;

    /// Whether anything is hidden with these parameters. Methods that would see it refuse the game.
    fn hides(&self) -> bool {
        Self::HIDDEN
    }

    /// The same rules with everything in plain sight, in which a guess can be searched as it stands; none if nothing is hidden
    /// or if that has no meaning. Positions are the same in both.
    fn opened(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Everything that `player` knows of the position, as text; equal for two positions that the player cannot tell apart.
    fn view(&self, position: &Self::Position, player: usize) -> String {
        let _ = player;
        self.write(position)
    }

    /// Whether [`Hidden::belief`] has a meaning: a search that knows of it begins there and needs no guesses.
    const BELIEF: bool = false;

    /// The position as `player` knows it. What the player does not know is unknown in it, with all that is known about it, and
    /// becomes known at chance nodes, whose probabilities follow from what is known. It is equal for two positions
    /// that the player cannot tell apart, and the player has the same moves in it; it is the belief of itself. A search
    /// that begins with it cannot see more than the player does.
    fn belief(&self, position: &Self::Position, player: usize) -> Self::Position {
        let _ = player;
        position.clone()
    }

    /// A position that `player` cannot tell from this one, drawn with the probability that chance gives it.
    fn guess(&self, position: &Self::Position, player: usize, random: &mut Random) -> Self::Position {
        let _ = (player, random);
        position.clone()
    }
}

/// What a repeated position means.
///
/// A position has no history inside, so whoever searches or records a game keeps the keys of the positions on the way and
/// counts.
pub trait Repetition: Game {
    /// Whether the rules say anything about repeated positions.
    const REPEATS: bool = false;

    /// The score of `player` if the game ends when this position, with the same player to move, occurs for the `times`-th
    /// time; none if it goes on. A game that ends at one number of times ends at every greater one, too.
    fn repeated(&self, position: &Self::Position, times: u32, player: usize) -> Option<Score> {
        let _ = (position, times, player);
        None
    }
}

/// Moves of a player whose turn it is not.
pub trait AnyTurn: Game {
    /// Whether [`AnyTurn::pass`] ever has a meaning.
    const PASSES: bool = false;

    /// Lets the next player move instead, as the null move does although the rules forbid it; false, and the position
    /// unchanged, if that has no meaning here. The position is not over, and neither is the one that it becomes.
    fn pass(&self, position: &mut Self::Position) -> bool {
        let _ = position;
        false
    }

    /// Whether [`AnyTurn::give_turn`] lets players move whose turn it is not, as best-reply search needs it. The moves of such
    /// a game pack into 56 bits, since the search adds who makes them.
    const ANY_TURN: bool = false;

    /// Makes it the turn of `player`, as if everybody before him had passed, whatever the rules say about that; false, and the
    /// position unchanged, if that has no meaning here or if he could not move. The position is not over, and neither is the
    /// one that it becomes. The default knows only whose turn it is anyway.
    fn give_turn(&self, position: &mut Self::Position, player: usize) -> bool {
        self.turn(position) == Turn::Player(player as u8)
    }

    /// Whether passing may well be an advantage here, as it is with few pieces left, so that a null move proves less.
    fn zugzwang(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
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

    /// The names of the game's own strategies for playouts; a strategy is known by its number here. Uniformly random play is
    /// the strategy of every other number, and has the name `random` in every game.
    fn strategies(&self) -> &'static [&'static str] {
        &[]
    }

    /// What a strategy settles at the start of a playout, such as a colour that it keeps for later.
    fn plan(&self, strategy: usize, position: &Self::Position, random: &mut Random) -> u32 {
        let _ = (strategy, position, random);
        0
    }

    /// Appends the moves that a strategy chooses from, all equally likely: at least one of those that [`Game::moves`] lists, in
    /// the same order. `plan` is what [`Playout::plan`] settled at the start of the playout.
    fn preferred(&self, strategy: usize, plan: u32, position: &Self::Position, out: &mut Vec<Self::Move>) {
        let _ = (strategy, plan);
        self.moves(position, out);
    }

    /// One of the moves that a strategy chooses from. A game that can pick one without a list of them overrides this.
    #[inline]
    fn preferred_move(
        &self,
        strategy: usize,
        plan: u32,
        position: &Self::Position,
        random: &mut Random,
        buffer: &mut Vec<Self::Move>,
    ) -> Self::Move {
        buffer.clear();
        self.preferred(strategy, plan, position, buffer);
        buffer[random.below(buffer.len())]
    }

    /// Plays by a strategy, but with probability `epsilon` a uniformly random move instead, until the game is over or `plies`
    /// have been played. Appends the moves to `line` and returns how many were played; `buffer` is scratch space.
    fn play_strategically(
        &self,
        strategy: usize,
        epsilon: f64,
        position: &mut Self::Position,
        random: &mut Random,
        buffer: &mut Vec<Self::Move>,
        line: &mut Vec<Self::Move>,
        plies: u32,
    ) -> u32 {
        let own = strategy < self.strategies().len();
        let plan = if own { self.plan(strategy, position, random) } else { 0 };
        for played in 0..plies {
            let mv = match self.turn(position) {
                Turn::Over => return played,
                Turn::Chance => self.sample(position, random, buffer),
                Turn::Player(_) if !own || epsilon > 0.0 && random.unit() < epsilon => {
                    self.random_move(position, random, buffer)
                }
                Turn::Player(_) => self.preferred_move(strategy, plan, position, random, buffer),
            };
            line.push(mv);
            self.play(position, mv);
        }
        plies
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
    /// The picture of a position with a legal move drawn into it; none if the game does not draw this move.
    fn svg_of_move(&self, position: &Self::Position, mv: Self::Move) -> Option<String> {
        let _ = (position, mv);
        None
    }
    /// One picture of a line of moves from a position, each with its number; none if the game does not draw lines of moves.
    fn svg_of_line(&self, position: &Self::Position, moves: &[Self::Move]) -> Option<String> {
        let _ = (position, moves);
        None
    }
    /// The parts of [`Draw::svg`] that moves name, for somebody who plays by clicking; none if the picture has no such parts.
    fn cells(&self, position: &Self::Position) -> Vec<Cell> {
        let _ = position;
        Vec::new()
    }
    /// The ways to make a legal move by clicking on `cells`, those of [`Draw::cells`], each the names of the cells in their order, the plainest first; none
    /// if the move is not made on the picture. Two moves may share a way if their notation tells them apart. The default is
    /// the one way that the notation writes.
    fn clicks(&self, position: &Self::Position, mv: Self::Move, cells: &[Cell]) -> Vec<Vec<String>> {
        let way = crate::names_in(&self.write_move(position, mv), cells);
        if way.is_empty() { Vec::new() } else { vec![way] }
    }
    /// [`Draw::svg`] as far as `player` knows the position: equal for two positions that the player cannot tell apart. A game
    /// that hides something overrides this, and [`Draw::cells_of_view`] with it.
    fn svg_of_view(&self, position: &Self::Position, player: usize) -> String {
        let _ = player;
        self.svg(position)
    }
    /// The cells of [`Draw::svg_of_view`].
    fn cells_of_view(&self, position: &Self::Position, player: usize) -> Vec<Cell> {
        let _ = player;
        self.cells(position)
    }
}
