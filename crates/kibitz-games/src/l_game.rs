//! The L-game (Edward de Bono, 1968).

mod picture;
mod ranking;
mod shapes;

use std::fmt::Write;

use kibitz_game::text;
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Chance, Configure, Evaluate, Game, Hidden, Order, Parameter, Params, Playout,
    Puzzle, Random, Range, Repetition, Score, Turn, mix,
};

use crate::four_by_four::{at, name, squares};
use crate::shifting::{Repeats, side, split_side};
use shapes::{SHAPES, shape_of};

const RULES: &str = "\
On a board of four by four squares each player has a piece in the shape of an L that covers four squares: three in a line \
and one beside an end of it. There are two neutral pieces of one square as well. White moves first. In a turn a player \
must lift the own L and put it back, turned or turned over at will, on four free squares, at least one of which it did \
not cover before. Then the player may move one of the neutral pieces, either one, to any empty square. A player who cannot \
move the own L loses.

The rules say nothing about repetition, and good play goes on for ever. Here a position that occurs for the third time \
ends the game in a draw, which changes the value of no position; `repetition` is the number of times, and 0 means never.

Edward de Bono invented the game and published it in *The Five-Day Course in Thinking* (1968) as the simplest game that \
is still a challenge. Of its 2,296 positions apart from symmetries with White to move 1,006 are won, 29 are lost and \
1,261 are draws, the start among them; the longest win takes 9 plies.

**Positions** are rows from the top with `W` and `B` for the squares of the Ls, `n` for the neutral pieces and `.`, then \
the side to move: `nWW./.BW./.BW./.BBn W`. The slashes may be left out. **Moves** are the new squares of the L, by rows \
from the bottom, and the squares between which a neutral piece moves: `c2c3c4d4`, or the \
same squares in any order, and `c2c3c4d4+a4-a1`.

**Evaluation**: 100 points for each place that a player can put the own L on, with those of the opponent subtracted; a \
win counts 10,000.";

/// The rules of the L-game.
#[derive(Clone, Debug)]
pub struct LGame {
    repeats: Repeats,
}

/// A position: square `4 * row + column`, counted from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The Ls of White and of Black.
    ls: [u16; 2],
    neutral: u16,
    turn: u8,
    /// Whether the player to move can move; it follows from the rest.
    free: bool,
}

const UNIT: Score = 10_000;
const NEUTRALS: u32 = 2;
const START: Position = Position { ls: [0x6440, 0x0226], neutral: 0x1008, turn: 0, free: true };

/// A move: the shape, 64 times which neutral piece moves (1 for the lower, 2 for the higher square, 0 for none), and 256
/// times where it goes.
type Move = u16;

/// The squares of a move: of the L, and of the neutral pieces.
#[inline(always)]
fn parts(neutral: u16, mv: Move) -> (u16, u16) {
    let to = 1u16 << (mv >> 8 & 15);
    let lower = neutral & neutral.wrapping_neg();
    let moved = match mv >> 6 & 3 {
        0 => neutral,
        1 => neutral ^ lower | to,
        _ => lower | to,
    };
    (SHAPES[usize::from(mv & 63) % SHAPES.len()], moved)
}

/// The shapes that fit on the free squares and are not where the L is already, by their numbers.
#[inline(always)]
fn fitting(own: u16, taken: u16) -> impl Iterator<Item = usize> {
    (0..SHAPES.len()).filter(move |&shape| SHAPES[shape] & taken == 0 && SHAPES[shape] != own)
}

#[inline(always)]
fn position(ls: [u16; 2], neutral: u16, turn: u8) -> Position {
    let (own, other) = (ls[usize::from(turn & 1)], ls[usize::from((1 - turn) & 1)]);
    let free = fitting(own, other | neutral).next().is_some();
    Position { ls, neutral, turn, free }
}

impl Position {
    /// The L of the player to move, and of the other one.
    #[inline(always)]
    fn sides(self) -> (u16, u16) {
        let turn = usize::from(self.turn & 1);
        (self.ls[turn], self.ls[1 - turn])
    }

    /// The empty squares once the L of the player to move stands on a shape.
    #[inline(always)]
    fn empty_beside(self, shape: usize) -> u16 {
        !(self.sides().1 | self.neutral | SHAPES[shape])
    }

    fn letter(self, row: usize, col: usize) -> char {
        match [self.ls[0], self.ls[1], self.neutral].map(|set| set >> at(row, col) & 1) {
            [1, ..] => 'W',
            [_, 1, _] => 'B',
            [.., 1] => 'n',
            _ => '.',
        }
    }
}

impl Game for LGame {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        START
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.free { Turn::Player(position.turn) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let (own, other) = position.sides();
        for shape in fitting(own, other | position.neutral) {
            out.push(shape as Move);
            for to in squares(position.empty_beside(shape)) {
                out.extend([1, 2].map(|which| shape as Move | which << 6 | (to as Move) << 8));
            }
        }
    }

    #[inline(always)]
    fn play(&self, played: &mut Position, mv: Move) {
        let (shape, neutral) = parts(played.neutral, mv);
        let mut ls = played.ls;
        ls[usize::from(played.turn & 1)] = shape;
        *played = position(ls, neutral, 1 - played.turn);
    }

    #[inline(always)]
    fn score(&self, position: &Position, player: usize) -> Score {
        if player == usize::from(position.turn) { -UNIT } else { UNIT }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [white, black] = position.ls.map(u64::from);
        mix(white | black << 16, u64::from(position.neutral) | u64::from(position.turn) << 16)
    }

    fn write(&self, position: &Position) -> String {
        let grid = text::write_grid(4, 4, |row, col| position.letter(row, col));
        format!("{grid} {}", side(position.turn))
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let (grid, turn) = split_side(text)?;
        let (mut ls, mut neutral) = ([0u16; 2], 0u16);
        for (i, &letter) in text::parse_grid(grid, 4, 4, "WBn.")?.iter().enumerate() {
            let square = 1 << at(i / 4, i % 4);
            match letter {
                'W' => ls[0] |= square,
                'B' => ls[1] |= square,
                'n' => neutral |= square,
                _ => {}
            }
        }
        if let Some(player) = (0..2).find(|&player| shape_of(ls[player]).is_none()) {
            return Err(BadText::new(format!("the squares of {} are no L", ["White", "Black"][player])));
        }
        if neutral.count_ones() != NEUTRALS {
            return Err(BadText::new(format!("there are {NEUTRALS} neutral pieces, n")));
        }
        Ok(position(ls, neutral, turn))
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        let (shape, neutral) = parts(position.neutral, mv);
        let mut text: String = squares(shape).map(name).collect();
        if neutral != position.neutral {
            let square = |set: u16| name(set.trailing_zeros());
            let (from, to) = (square(position.neutral & !neutral), square(neutral & !position.neutral));
            let _ = write!(text, "+{from}-{to}");
        }
        text
    }

    /// The squares of the L may come in any order.
    fn read_move(&self, position: &Position, text: &str) -> Result<Move, BadText> {
        if self.turn(position) == Turn::Over {
            return Err(BadText::new("the game is over"));
        }
        let text = text.trim();
        let (l, neutral) = text.split_once('+').unwrap_or((text, ""));
        let sorted = shapes::sorted(l)?;
        let wanted = if text.contains('+') { format!("{sorted}+{neutral}") } else { sorted };
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.iter().copied().find(|&mv| self.write_move(position, mv) == wanted).ok_or_else(|| {
            let (own, other) = position.sides();
            let places: Vec<String> = fitting(own, other | position.neutral)
                .map(|shape| squares(SHAPES[shape]).map(name).collect())
                .collect();
            BadText::new(format!(
                "{text:?} is not a legal move here; the L goes to {}, and +a1-b2 moves a neutral piece",
                places.join(", ")
            ))
        })
    }
}

impl Evaluate for LGame {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let [white, black] = position.ls;
        let places = |own: u16, other: u16| fitting(own, other | position.neutral).count() as Score;
        let value = 100 * (places(white, black) - places(black, white));
        if player == 0 { value } else { -value }
    }
}

impl Order for LGame {
    /// The shapes, with a neutral piece moved to a square or without.
    fn indices(&self) -> usize {
        64 * 17
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        let moved = mv >> 6 & 3 > 0;
        let to = if moved { usize::from(mv >> 8 & 15) } else { 16 };
        64 * to + usize::from(mv & 63)
    }
}

impl Playout for LGame {
    /// Every place of the L comes with the same number of moves of the neutral pieces.
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let (own, other) = position.sides();
        let mut shapes = [0u8; SHAPES.len()];
        let mut count = 0;
        for shape in fitting(own, other | position.neutral) {
            shapes[count] = shape as u8;
            count += 1;
        }
        let shape = Move::from(shapes[random.below(count)]);
        let empty = position.empty_beside(usize::from(shape));
        let pick = random.below(2 * empty.count_ones() as usize + 1);
        match pick.checked_sub(1) {
            None => shape,
            Some(pick) => {
                let to = squares(empty).nth(pick / 2).unwrap_or(0) as Move;
                shape | (1 + pick as Move % 2) << 6 | to << 8
            }
        }
    }
}

impl Repetition for LGame {
    const REPEATS: bool = true;

    #[inline(always)]
    fn repeated(&self, _: &Position, times: u32, _: usize) -> Option<Score> {
        self.repeats.drawn(times)
    }
}

impl AnyTurn for LGame {
    const PASSES: bool = true;

    /// Has no meaning where the opponent cannot move.
    #[inline(always)]
    fn pass(&self, passed: &mut Position) -> bool {
        let other = position(passed.ls, passed.neutral, 1 - passed.turn);
        if other.free {
            *passed = other;
        }
        other.free
    }

    /// Whoever has few places left would rather pass.
    fn zugzwang(&self, position: &Position) -> bool {
        let (own, other) = position.sides();
        fitting(own, other | position.neutral).count() < 3
    }
}

impl Chance for LGame {}
impl Hidden for LGame {}
impl Puzzle for LGame {}

impl Configure for LGame {
    const SUMMARY: &'static str = "put the own L elsewhere until the opponent cannot move";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![Repeats::parameter()]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        Ok(Self { repeats: Repeats::configure(params)? })
    }
}

#[cfg(test)]
mod tests;
