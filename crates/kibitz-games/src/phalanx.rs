//! What Crossings and Epaminondas have in common: lines of pieces, called phalanxes, that move as a unit (Robert Abbott).
//!
//! The two games differ in their board, in what a capture takes, and in what becomes of a piece that has crossed the
//! board; a [`Variant`] says so.

mod board;
mod evaluation;
mod moves;
mod notation;
mod picture;

use std::marker::PhantomData;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Chance, Configure, Evaluate, Game, Hidden, Order, Parameter, Params, Playout,
    Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix, splitmix64,
};

pub use board::{Board, Rows};
use evaluation::Evaluation;
pub use moves::Move;
use moves::{Field, PASS};

/// A game of phalanxes.
pub trait Variant: Clone + Send + Sync + 'static {
    /// Sets of squares of its board.
    type Board: Board;
    /// One sentence about the game.
    const SUMMARY: &'static str;
    /// The rules as Markdown.
    const RULES: &'static str;
    /// Whether a piece that has crossed can neither move nor be captured.
    const CROSSED_REST: bool;
    /// Whether a capture takes the whole defending phalanx and not its first piece alone.
    const TAKES_ALL: bool;
    /// How many rows in front of its home row a side keeps closed.
    const DEFENCE: u32;
    /// The names of the positions that a game can begin with, the standard one first.
    const SETUPS: &'static [&'static str];
    /// These positions.
    const STARTS: &'static [&'static str];
    /// Points for one unit of each feature of the evaluation.
    const WEIGHTS: [i64; evaluation::FEATURES];
    /// Whether Abbott's rule against symmetric play exists.
    const SYMMETRY: bool;
}

/// The rules of a game of phalanxes.
#[derive(Clone)]
pub struct Phalanx<V: Variant> {
    evaluation: Evaluation<V::Board>,
    start: Position<V::Board>,
    /// The number of plies after which the game is a draw; 0 if there is no such number.
    cap: u16,
    /// Whether crossing into a symmetric position is forbidden.
    symmetry: bool,
    variant: PhantomData<V>,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    /// The pieces of White and of Black.
    pieces: [B; 2],
    turn: u8,
    state: State,
    /// Moves played; 0 unless their number is limited.
    plies: u16,
}

/// What the board says about the game; it follows from the pieces, the turn and the plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The player to move has a move.
    Free,
    /// The player to move must pass.
    Stuck,
    /// The game is over, and the player with this index has won.
    Won(u8),
    /// The game is over without a winner.
    Drawn,
}

const WHITE: u8 = 0;
const UNIT: Score = 10_000;

/// The row that a player wants to reach: White comes from the top.
#[inline(always)]
fn target<B: Board>(player: u8) -> B {
    if player == WHITE { B::BOTTOM } else { B::TOP }
}

impl<V: Variant> Phalanx<V> {
    /// What the moves of a player depend on.
    #[inline(always)]
    fn field(pieces: &[V::Board; 2], player: u8) -> Field<V::Board> {
        let (own, other) = (pieces[usize::from(player & 1)], pieces[usize::from((1 - player) & 1)]);
        let empty = V::Board::ALL & !(own | other);
        if V::CROSSED_REST {
            let (own, capturable) = (own & !target::<V::Board>(player), other & !target::<V::Board>(1 - player));
            Field { own, empty, other, capturable, quiet: empty }
        } else {
            Field { own, empty, other, capturable: other, quiet: empty }
        }
    }

    /// How many pieces of a player have crossed.
    #[inline(always)]
    fn crossed(pieces: &[V::Board; 2], player: u8) -> u32 {
        (pieces[usize::from(player & 1)] & target(player)).size()
    }

    /// Whether the move brings a piece onto the row farthest from its player.
    #[inline(always)]
    fn crosses(player: u8, mv: Move) -> bool {
        let far = target::<V::Board>(player);
        far.has(mv.landing::<V::Board>()) && !far.has(mv.lead())
    }

    /// Moves the pieces and takes what they capture.
    #[inline(always)]
    fn shift(pieces: &mut [V::Board; 2], player: u8, mv: Move) {
        let (direction, distance) = (mv.direction(), mv.distance());
        let (mut left, mut entered) = (mv.tail::<V::Board>(), mv.lead());
        let mut changed = V::Board::NONE;
        for _ in 0..distance {
            changed ^= V::Board::square(left);
            left = V::Board::away(left, direction, 1);
            entered = V::Board::away(entered, direction, 1);
            changed ^= V::Board::square(entered);
        }
        pieces[usize::from(player & 1)] ^= changed;
        let other = &mut pieces[usize::from((1 - player) & 1)];
        if other.has(entered) {
            let taken = if V::TAKES_ALL { other.run(entered, direction) } else { 1 };
            for steps in 0..taken {
                *other ^= V::Board::square(V::Board::away(entered, direction, steps));
            }
        }
    }

    /// Whether Abbott's rule against copying the opponent can forbid a move: a symmetric row has an even number of pieces.
    #[inline(always)]
    fn may_forbid(&self, pieces: &[V::Board; 2], player: u8) -> bool {
        self.symmetry && Self::crossed(pieces, player) % 2 == 1
    }

    /// Whether that rule forbids the move.
    #[inline(always)]
    fn forbidden(&self, pieces: &[V::Board; 2], player: u8, mv: Move) -> bool {
        self.may_forbid(pieces, player) && Self::crosses(player, mv) && {
            let mut after = *pieces;
            Self::shift(&mut after, player, mv);
            after[0].is_symmetric() && after[1].is_symmetric()
        }
    }

    /// Whether a player has a move.
    #[inline(always)]
    fn can_move(&self, pieces: &[V::Board; 2], player: u8) -> bool {
        let field = Self::field(pieces, player);
        let near = field.empty & !target::<V::Board>(player);
        // ahead is the likeliest
        let order = if player == WHITE { [5, 6, 7, 0, 4, 1, 2, 3] } else { [1, 2, 3, 0, 4, 5, 6, 7] };
        order.into_iter().any(|direction| !(field.own.step(direction) & near).is_none())
            || self.finds_a_move(&field, pieces, player)
    }

    #[cold]
    fn finds_a_move(&self, field: &Field<V::Board>, pieces: &[V::Board; 2], player: u8) -> bool {
        let mut found = false;
        for direction in 0..board::DIRECTIONS {
            field.each(direction, &mut |mv| found |= !self.forbidden(pieces, player, mv));
        }
        found
    }

    #[inline(always)]
    fn state(&self, pieces: &[V::Board; 2], turn: u8, plies: u16) -> State {
        if pieces[usize::from(turn & 1)].is_none() {
            return State::Won(1 - turn);
        }
        let (own, other) = (Self::crossed(pieces, turn), Self::crossed(pieces, 1 - turn));
        if own > other || pieces[usize::from((1 - turn) & 1)].is_none() {
            State::Won(turn)
        } else if self.cap > 0 && plies >= self.cap {
            State::Drawn
        } else if self.can_move(pieces, turn) {
            State::Free
        } else if own < other || self.can_move(pieces, 1 - turn) {
            State::Stuck
        } else {
            State::Drawn
        }
    }

    /// The position with its state.
    fn made(&self, pieces: [V::Board; 2], turn: u8, plies: u16) -> Position<V::Board> {
        Position { pieces, turn, state: self.state(&pieces, turn, plies), plies }
    }

    /// Appends the moves that end on an empty square of `quiet` or on a capture.
    #[inline]
    fn list(&self, position: &Position<V::Board>, quiet: impl Fn(usize) -> V::Board, out: &mut Vec<Move>) {
        let (pieces, turn) = (&position.pieces, position.turn);
        let mut field = Self::field(pieces, turn);
        let first = out.len();
        for direction in 0..board::DIRECTIONS {
            field.quiet = field.empty & quiet(direction);
            field.each(direction, &mut |mv| out.push(mv));
        }
        if self.may_forbid(pieces, turn) {
            let mut kept = first;
            for i in first..out.len() {
                let mv = out[i];
                out[kept] = mv;
                kept += usize::from(!self.forbidden(pieces, turn, mv));
            }
            out.truncate(kept);
        }
    }
}

impl<V: Variant> Game for Phalanx<V> {
    type Position = Position<V::Board>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<V::Board> {
        self.start
    }

    #[inline(always)]
    fn turn(&self, position: &Position<V::Board>) -> Turn {
        match position.state {
            State::Free | State::Stuck => Turn::Player(position.turn),
            State::Won(_) | State::Drawn => Turn::Over,
        }
    }

    #[inline]
    fn moves(&self, position: &Position<V::Board>, out: &mut Vec<Move>) {
        if position.state == State::Stuck {
            out.push(PASS);
        } else {
            self.list(position, |_| V::Board::ALL, out);
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position<V::Board>, mv: Move) {
        if mv != PASS {
            Self::shift(&mut position.pieces, position.turn, mv);
        }
        position.turn ^= 1;
        position.plies += u16::from(self.cap > 0);
        position.state = self.state(&position.pieces, position.turn, position.plies);
    }

    #[inline(always)]
    fn score(&self, position: &Position<V::Board>, player: usize) -> Score {
        match position.state {
            State::Won(winner) if usize::from(winner) == player => UNIT,
            State::Won(_) => -UNIT,
            _ => 0,
        }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position<V::Board>) -> u64 {
        let [white, black] = &position.pieces;
        let words = white.words().iter().zip(black.words()).enumerate();
        // the words are mixed side by side; turn and plies are added after it, where they cannot be mistaken for pieces
        let key = words.fold(0, |key, (i, (&white, &black))| key ^ mix(white ^ splitmix64(i as u64), black));
        let key = if position.plies == 0 { key } else { mix(u64::from(position.plies), key) };
        key ^ u64::from(position.turn).wrapping_neg()
    }

    fn write(&self, position: &Position<V::Board>) -> String {
        notation::write_position(position, self.cap > 0)
    }

    fn read(&self, text: &str) -> Result<Position<V::Board>, BadText> {
        let most = V::Board::COLS * 2;
        let (pieces, turn, plies) = notation::read_position(text, most, self.cap)?;
        Ok(self.made(pieces, turn, plies))
    }

    fn write_move(&self, position: &Position<V::Board>, mv: Move) -> String {
        notation::write_move(position, mv)
    }

    fn read_move(&self, position: &Position<V::Board>, text: &str) -> Result<Move, BadText> {
        if self.turn(position) == Turn::Over {
            return Err(BadText::new("the game is over"));
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        notation::read_move(position, text, &moves, V::TAKES_ALL)
    }
}

impl<V: Variant> Evaluate for Phalanx<V> {
    const INFORMED: bool = true;
    const NOISY: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position<V::Board>, player: usize) -> Score {
        let value = self.evaluation.value::<V>(&position.pieces).clamp(1 - UNIT, UNIT - 1);
        if player == usize::from(WHITE) { value } else { -value }
    }

    /// Captures, and moves that cross.
    fn noisy(&self, position: &Position<V::Board>, out: &mut Vec<Move>) {
        if position.state == State::Free {
            let far = target::<V::Board>(position.turn);
            // a move along the row does not cross
            let quiet = |direction: usize| if board::STEPS[direction].0 == 0 { V::Board::NONE } else { far };
            self.list(position, quiet, out);
        }
    }
}

impl<V: Variant> Order for Phalanx<V> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        (V::Board::ROWS * V::Board::STRIDE * 8 * 4) as usize
    }

    /// By landing square, direction and size; sizes from four on are one.
    #[inline(always)]
    fn index(&self, _: &Position<V::Board>, mv: Move) -> usize {
        if mv == PASS {
            return 0;
        }
        ((mv.landing::<V::Board>() << 3 | mv.direction() as u32) << 2 | (mv.size() - 1).min(3)) as usize
    }

    /// Captures first, those of more pieces earlier, and moves that cross.
    #[inline(always)]
    fn hint(&self, position: &Position<V::Board>, mv: Move) -> i32 {
        if mv == PASS {
            return 0;
        }
        let other = position.pieces[usize::from((1 - position.turn) & 1)];
        let landing = mv.landing::<V::Board>();
        let crossing = i32::from(Self::crosses(position.turn, mv));
        if !other.has(landing) {
            return crossing;
        }
        let taken = if V::TAKES_ALL { other.run(landing, mv.direction()).min(5) as i32 } else { 1 };
        1 + taken + crossing
    }
}

impl<V: Variant> Playout for Phalanx<V> {
    /// Counts the moves of each direction and picks one of them; no list is made. The rare move that is forbidden is
    /// picked again, which leaves all others equally likely.
    #[inline(always)]
    fn random_move(&self, position: &Position<V::Board>, random: &mut Random, _: &mut Vec<Move>) -> Move {
        if position.state != State::Free {
            return PASS;
        }
        let field = Self::field(&position.pieces, position.turn);
        let counts = field.counts();
        let total = counts.iter().sum::<u32>() as usize;
        loop {
            let mv = field.pick(&counts, random.below(total) as u32);
            if !self.forbidden(&position.pieces, position.turn, mv) {
                return mv;
            }
        }
    }
}

impl<V: Variant> Ranked for Phalanx<V> {}
impl<V: Variant> Puzzle for Phalanx<V> {}

impl<V: Variant> Repetition for Phalanx<V> {
    const REPEATS: bool = true;

    #[inline(always)]
    fn repeated(&self, _: &Position<V::Board>, times: u32, _: usize) -> Option<Score> {
        (times >= 3).then_some(0)
    }
}

impl<V: Variant> AnyTurn for Phalanx<V> {
    const PASSES: bool = true;

    /// Has no meaning for a player who must pass anyway, nor where the opponent would win at the start of his turn.
    #[inline(always)]
    fn pass(&self, position: &mut Position<V::Board>) -> bool {
        if position.state != State::Free {
            return false;
        }
        let passed = self.made(position.pieces, 1 - position.turn, position.plies);
        let goes_on = self.turn(&passed) != Turn::Over;
        if goes_on {
            *position = passed;
        }
        goes_on
    }

    /// With a quarter of the pieces left, holding a row can be all that matters.
    #[inline(always)]
    fn zugzwang(&self, position: &Position<V::Board>) -> bool {
        2 * position.pieces[usize::from(position.turn & 1)].size() <= V::Board::COLS
    }
}

impl<V: Variant> Chance for Phalanx<V> {}
impl<V: Variant> Hidden for Phalanx<V> {}

impl<V: Variant> Configure for Phalanx<V> {
    const SUMMARY: &'static str = V::SUMMARY;
    const RULES: &'static str = V::RULES;

    fn parameters() -> Vec<Parameter> {
        let mut parameters = Vec::new();
        if V::SETUPS.len() > 1 {
            parameters.push(Parameter::word("setup", V::SETUPS, "the position at the start"));
        }
        if V::SYMMETRY {
            let doc = "whether crossing into a position that is symmetric from left to right is forbidden";
            parameters.push(Parameter::flag("symmetry", true, doc));
        }
        parameters.push(Parameter::integer("plies", 0, (0, 10_000), "moves after which the game is a draw; 0: never"));
        parameters.extend(evaluation::parameters(V::WEIGHTS));
        parameters
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let mut game = Self {
            evaluation: Evaluation::new(params),
            start: Position { pieces: [V::Board::NONE; 2], turn: WHITE, state: State::Drawn, plies: 0 },
            cap: params.integer("plies") as u16,
            symmetry: V::SYMMETRY && params.flag("symmetry"),
            variant: PhantomData,
        };
        let setup = if V::SETUPS.len() > 1 { params.word("setup") } else { V::SETUPS[0] };
        let chosen = V::SETUPS.iter().position(|&name| name == setup).unwrap_or(0);
        game.start = game.read(V::STARTS[chosen]).map_err(|bad| BadParameter(format!("setup={setup}: {bad}")))?;
        Ok(game)
    }
}

#[cfg(test)]
pub(crate) mod tests;
