//! The rules of a game.

use std::fmt;

/// A scalar value inside a search: an integer, because null windows need a next value.
///
/// One unit of the game's result (a win, a point, a chip) is [`Game::unit`] of these, so that an evaluation can be
/// finer than the results it predicts.
pub type Score = i32;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The player with this index is to move.
    Player(u8),
    /// Nature is to move; see [`crate::Chance`].
    Chance,
    /// The game is over; see [`Game::score`].
    Over,
}

/// The least and the greatest value that a result or an evaluation can take, both possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub low: Score,
    /// The greatest value.
    pub high: Score,
}

impl Range {
    /// The middle of the range, rounded towards zero so that two opponents agree: what an uninformed player expects.
    pub fn middle(self) -> Score {
        (i64::midpoint(i64::from(self.low), i64::from(self.high))) as Score
    }
}

/// A move as 64 bits, as transposition tables keep it.
pub trait Pack: Copy {
    /// The move as bits.
    fn pack(self) -> u64;
    /// The move that [`Pack::pack`] made these bits of. Any other bits give some move, perhaps an illegal one.
    fn unpack(bits: u64) -> Self;
}

macro_rules! pack_integers {
    ($($integer:ty),*) => {$(
        impl Pack for $integer {
            fn pack(self) -> u64 {
                u64::from(self)
            }
            fn unpack(bits: u64) -> Self {
                bits as Self
            }
        }
    )*};
}
pack_integers!(u8, u16, u32, u64);

/// A text that is not what it should be, with the reason in words for the person who typed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadText(pub String);

impl BadText {
    /// An error that reads `reason`.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for BadText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadText {}

/// The rules of a game with its parameters (board size, number of players).
///
/// A position is a small value, copied before a move is played on it; it has no history inside. Whether one player, two or
/// many take part, whether nature moves and whether cards are hidden makes no difference here: it shows in
/// [`Game::players`], in [`Game::turn`] and in the capabilities.
///
/// ```
/// use kibitz_game::{Game, Turn, Range, BadText};
///
/// /// One pile, take one or two, the last stone wins.
/// struct Pile(u8);
///
/// impl Game for Pile {
///     type Position = (u8, u8);
///     type Move = u8;
///     fn players(&self) -> usize { 2 }
///     fn start(&self) -> (u8, u8) { (self.0, 0) }
///     fn turn(&self, p: &(u8, u8)) -> Turn { if p.0 == 0 { Turn::Over } else { Turn::Player(p.1) } }
///     fn moves(&self, p: &(u8, u8), out: &mut Vec<u8>) { out.extend(1..=p.0.min(2)) }
///     fn play(&self, p: &mut (u8, u8), m: u8) { *p = (p.0 - m, 1 - p.1) }
///     fn score(&self, p: &(u8, u8), player: usize) -> i32 { if player as u8 == p.1 { -1 } else { 1 } }
///     fn range(&self, _: usize) -> Range { Range { low: -1, high: 1 } }
///     fn key(&self, p: &(u8, u8)) -> u64 { u64::from(p.0) << 1 | u64::from(p.1) }
///     fn write(&self, p: &(u8, u8)) -> String { format!("{} {}", p.0, p.1) }
///     fn read(&self, _: &str) -> Result<(u8, u8), BadText> { Err(BadText::new("not needed here")) }
///     fn write_move(&self, _: &(u8, u8), m: u8) -> String { m.to_string() }
/// }
///
/// let pile = Pile(4);
/// let mut position = pile.start();
/// pile.play(&mut position, 1);
/// assert_eq!(pile.turn(&position), Turn::Player(1));
/// ```
pub trait Game: Send + Sync {
    /// A position: small and by value. Two positions are equal when the game goes on in the same way from both.
    type Position: Clone + PartialEq + Send + Sync;
    /// A move of a player or an outcome of chance.
    type Move: Pack + PartialEq + Send + Sync;

    /// Whether asking the rules is slow beside a look into memory, as it is when they are written in Python.
    const SLOW: bool = false;

    /// Whether some parameters make it a game of more than two players. The searches of such games are compiled for these
    /// alone.
    const MANY: bool = false;

    /// The number of players, at least one.
    fn players(&self) -> usize;
    /// The position at the start.
    fn start(&self) -> Self::Position;
    /// Whose turn it is.
    fn turn(&self, position: &Self::Position) -> Turn;
    /// Appends the legal moves, or at a chance node the outcomes, in a fixed order. There is at least one unless the
    /// game is over; a pass is a move.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);
    /// Plays a move that [`Game::moves`] lists.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);
    /// Appends the positions after the legal moves, in the order of [`Game::moves`]: what solvers ask, which need no moves
    /// until a solution is told. A game that makes positions faster than moves overrides this; `buffer` is scratch space.
    #[inline]
    fn successors(&self, position: &Self::Position, out: &mut Vec<Self::Position>, buffer: &mut Vec<Self::Move>) {
        buffer.clear();
        self.moves(position, buffer);
        out.extend(buffer.iter().map(|&mv| {
            let mut child = position.clone();
            self.play(&mut child, mv);
            child
        }));
    }
    /// The number of moves that [`Game::moves`] lists; `buffer` is scratch space.
    #[inline]
    fn mobility(&self, position: &Self::Position, buffer: &mut Vec<Self::Move>) -> u32 {
        buffer.clear();
        self.moves(position, buffer);
        buffer.len() as u32
    }
    /// The final score of a player. Asked only when the game is over. The scores of two players add up to zero.
    fn score(&self, position: &Self::Position, player: usize) -> Score;
    /// The least and the greatest final score of a player.
    fn range(&self, player: usize) -> Range;
    /// How many units of [`Score`] make one unit of the result that a user sees.
    fn unit(&self) -> Score {
        1
    }
    /// The result that a user sees for a score, which may be an average.
    fn result(&self, score: f64) -> f64 {
        score / f64::from(self.unit())
    }
    /// Equal positions have equal keys, and different ones different keys but for one chance in 2^64.
    fn key(&self, position: &Self::Position) -> u64;

    /// How many bytes a position takes, for searches that keep many of them within a limit of memory.
    fn position_bytes(&self) -> usize {
        size_of::<Self::Position>()
    }

    /// The position as text that [`Game::read`] understands.
    fn write(&self, position: &Self::Position) -> String;
    /// The position of a text, or what is wrong with it.
    fn read(&self, text: &str) -> Result<Self::Position, BadText>;
    /// A legal move as text.
    fn write_move(&self, position: &Self::Position, mv: Self::Move) -> String;
    /// The legal move of a text, or what is wrong with it.
    fn read_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, BadText> {
        if self.turn(position) == Turn::Over {
            return Err(BadText::new("the game is over"));
        }
        let text = text.trim();
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.iter().copied().find(|&mv| self.write_move(position, mv) == text).ok_or_else(|| {
            let some: Vec<String> = moves.iter().take(6).map(|&mv| self.write_move(position, mv)).collect();
            let more = if moves.len() > some.len() { ", …" } else { "" };
            BadText::new(format!("{text:?} is not a legal move here; legal are {}{more}", some.join(", ")))
        })
    }
}
