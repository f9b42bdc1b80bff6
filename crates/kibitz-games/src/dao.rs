//! Dao (Jeff Pickering and Ben van Buskirk, 1999), with the evaluation of Donkers, van den Herik and Uiterwijk.

mod board;
mod ranking;

use kibitz_game::text::{self, Arrow, Grid, Names, Piece, Squares};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params,
    Playout, Puzzle, Range, Repetition, Score, Turn, splitmix64,
};

use crate::draw::next_of;
use crate::four_by_four::{at, cell, name, squares};
use crate::shifting::{Repeats, read_move, side, split_side};
use board::{enclosing, has_target, slide, threes, winning};

const RULES: &str = "\
Each player has four pieces on a board of four by four squares; at the start they stand on the two long diagonals. White \
moves first. A move takes one of the own pieces in one of the eight directions as far as it goes: the piece must slide \
until the next square is off the board or occupied. It must move at least one square; nothing is captured, nobody jumps \
or stops early, and nobody passes.

The game ends at once with a win for the player whose four pieces

1. fill a file, or
2. fill a rank, or
3. form a square of two by two anywhere, or
4. stand on the four corners,

and for the player

5. who has a piece in a corner while the opponent's pieces stand on all three squares around it. So a player who \
encloses a piece in a corner loses by the own move.

The rules say nothing about repetition, and good play goes on for ever. Here a position that occurs for the third time \
ends the game in a draw, which changes the value of no position; `repetition` is the number of times, and 0 means never.

Jeff Pickering and Ben van Buskirk designed the game in 1999. J. Donkers, J. van den Herik and J. Uiterwijk, *Dao: a \
benchmark game* (Computers and Games 2004), solved it: the start is a draw, and the longest win takes 11 plies. Apart from \
the symmetries of the board it has 113,028 positions with White to move.

**Positions** are rows from the top with `W`, `B` and `.`, then the side to move: `W..B/.WB./.BW./B..W W`. The slashes \
may be left out. If both players have a winning formation, which no game leads to, the player who is not to move has won. \
**Moves** are the square that a piece leaves and the one where it stops: `a4-a2`, or `a4a2`.

**Evaluation**: that of the paper, 100 points for each of the 18 formations 1 to 4 of which a player has three squares, \
with those of the opponent subtracted; a win counts 10,000. With `counted=mover` only the formations of the player to move \
count; the paper does not say which it means. `noise` adds to the value for the player to move a number between \
−`noise` and `noise` that is drawn by lot, by `seed`, for each position apart from symmetries; the paper has 50.";

/// The rules of Dao.
#[derive(Clone, Debug)]
pub struct Dao {
    repeats: Repeats,
    /// Whether the formations of the player who is not to move count, too.
    both: bool,
    /// The greatest number that is added to a value by lot.
    noise: Score,
    seed: u64,
}

/// A position: the pieces of White and of Black, square `4 * row + column` counted from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pieces: [u16; 2],
    turn: u8,
    /// The player who has won, or [`NOBODY`]; it follows from the pieces and the turn.
    winner: u8,
}

const NOBODY: u8 = 2;
const UNIT: Score = 10_000;
/// Pieces of a player.
const PIECES: u32 = 4;
/// The pieces at the start.
const START: [u16; 2] = [0x1248, 0x8421];

/// A move: from + 16 * to.
type Move = u8;

fn ends(mv: Move) -> (u32, u32) {
    (u32::from(mv) & 15, u32::from(mv) >> 4)
}

/// The position with these pieces. The player who made the last move has the first claim to a win.
#[inline(always)]
fn position(pieces: [u16; 2], turn: u8) -> Position {
    let (own, other) = (pieces[usize::from(turn & 1)], pieces[usize::from((1 - turn) & 1)]);
    let winner = if winning(other, own) {
        1 - turn
    } else if winning(own, other) {
        turn
    } else {
        NOBODY
    };
    Position { pieces, turn, winner }
}

impl Position {
    /// The pieces of the player to move and of the other one.
    #[inline(always)]
    fn sides(self) -> (u16, u16) {
        let turn = usize::from(self.turn & 1);
        (self.pieces[turn], self.pieces[1 - turn])
    }

    fn letter(self, row: usize, col: usize) -> char {
        match self.pieces.map(|pieces| pieces >> at(row, col) & 1) {
            [1, _] => 'W',
            [_, 1] => 'B',
            _ => '.',
        }
    }
}

const GRID: Grid = Grid { rows: 4, cols: 4, squares: Squares::Plain, names: Names::FromBottom };

fn piece(position: Position, row: usize, col: usize) -> Piece {
    Piece::of_letter(position.letter(row, col), [('W', Piece::White), ('B', Piece::Black)])
}

impl Dao {
    fn picture(&self, position: Position, arrows: &[Arrow]) -> String {
        let won = match position.winner {
            NOBODY => 0,
            winner => {
                let (own, other) =
                    (position.pieces[usize::from(winner & 1)], position.pieces[usize::from((1 - winner) & 1)]);
                if has_target(own) { own } else { enclosing(own, other) }
            }
        };
        let next = next_of([Piece::White, Piece::Black], self.turn(&position));
        text::svg_of_grid_with(GRID, next, arrows, |row, col| (piece(position, row, col), won >> at(row, col) & 1 != 0))
    }
}

impl Game for Dao {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        position(START, 0)
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.winner == NOBODY { Turn::Player(position.turn) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let (own, other) = position.sides();
        for from in squares(own) {
            for direction in 0..8 {
                let to = slide(own | other, from, direction);
                if to != from {
                    out.push((from | to << 4) as Move);
                }
            }
        }
    }

    #[inline(always)]
    fn play(&self, played: &mut Position, mv: Move) {
        let (from, to) = ends(mv);
        let mut pieces = played.pieces;
        pieces[usize::from(played.turn & 1)] ^= 1 << from | 1 << to;
        *played = position(pieces, 1 - played.turn);
    }

    #[inline(always)]
    fn score(&self, position: &Position, player: usize) -> Score {
        if usize::from(position.winner) == player { UNIT } else { -UNIT }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [white, black] = position.pieces.map(u64::from);
        splitmix64(white | black << 16 | u64::from(position.turn) << 32)
    }

    fn write(&self, position: &Position) -> String {
        let grid = text::write_grid(4, 4, |row, col| position.letter(row, col));
        format!("{grid} {}", side(position.turn))
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let (grid, turn) = split_side(text)?;
        let mut pieces = [0u16; 2];
        for (i, &letter) in text::parse_grid(grid, 4, 4, "WB.")?.iter().enumerate() {
            let square = 1 << at(i / 4, i % 4);
            match letter {
                'W' => pieces[0] |= square,
                'B' => pieces[1] |= square,
                _ => {}
            }
        }
        if pieces.iter().any(|set| set.count_ones() != PIECES) {
            return Err(BadText::new(format!("each player has {PIECES} pieces")));
        }
        Ok(position(pieces, turn))
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        let (from, to) = ends(mv);
        format!("{}-{}", name(from), name(to))
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, BadText> {
        read_move(self, position, text)
    }
}

impl Evaluate for Dao {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let (own, other) = position.sides();
        let others = if self.both { threes(other) } else { 0 };
        let value = 100 * (threes(own) as Score - others as Score) + self.lot(own, other);
        if player == usize::from(position.turn) { value } else { -value }
    }
}

impl Order for Dao {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        256
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }

    /// Wins first, suicides last.
    #[inline]
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        let mut child = *position;
        self.play(&mut child, mv);
        if child.winner == NOBODY {
            0
        } else if child.winner == position.turn {
            7
        } else {
            -7
        }
    }
}

impl Repetition for Dao {
    const REPEATS: bool = true;

    #[inline(always)]
    fn repeated(&self, _: &Position, times: u32, _: usize) -> Option<Score> {
        self.repeats.drawn(times)
    }
}

impl AnyTurn for Dao {
    const PASSES: bool = true;

    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        position.turn ^= 1;
        true
    }
}

impl Chance for Dao {}
impl Hidden for Dao {}
impl Playout for Dao {}
impl Puzzle for Dao {}

impl Draw for Dao {
    fn board(&self, position: &Position) -> String {
        text::board_of_grid(4, 4, |row, col| position.letter(row, col))
    }

    fn svg(&self, position: &Position) -> String {
        self.picture(*position, &[])
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        GRID.cells(|row, col| piece(*position, row, col))
    }

    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        let (from, to) = ends(mv);
        Some(self.picture(*position, &[Arrow { from: cell(from), to: cell(to) }]))
    }
}

impl Configure for Dao {
    const SUMMARY: &'static str = "slide pieces as far as they go; a line, a square or the four corners win";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Repeats::parameter(),
            Parameter::word("counted", &["both", "mover"], "whose formations the evaluation counts"),
            Parameter::integer("noise", 0, (0, 1000), "the greatest number that the evaluation adds by lot"),
            Parameter::integer("seed", 0, (0, i64::MAX), "of what is drawn by lot"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        Ok(Self {
            repeats: Repeats::configure(params)?,
            both: params.word("counted") == "both",
            noise: params.integer("noise") as Score,
            seed: params.integer("seed") as u64,
        })
    }
}

#[cfg(test)]
mod tests;
