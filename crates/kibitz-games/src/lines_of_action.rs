//! Lines of Action (Claude Soucie, 1969).

mod evaluation;
mod geometry;
mod line_moves;

use kibitz_game::text::{self, Grid, Names, Piece, Squares};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

use crate::draw::next_of;
use geometry::{INNER, LINES, MIDDLE, STRIDES, Windows, connected};
use line_moves::LineMoves;

const RULES: &str = "\
Each side has twelve pieces: Black in the lowest and the highest row, White in the outermost columns, the corners left \
empty. Black begins.

A piece moves in a straight line along its row, its column or a diagonal, exactly as many squares as there are pieces of \
both colours on that whole line, itself among them. On its way it may jump over pieces of its own side, not over enemy \
pieces. It may not end on a piece of its own side; if it ends on an enemy piece, that one is captured. A player who has a \
move must make one, and one who has none must pass.

The player whose pieces are all connected wins: from each of them to every other one there is a chain of neighbours, \
sideways, upright or diagonal. A single piece is connected. A capture can connect the opponent, who wins then; if a move \
connects both sides, the game is a draw with `simultaneous=draw` and a win of the player who moved with \
`simultaneous=mover`. It is a draw as well when a position with the same player to move occurs for the third time, and \
when neither side can move.

```text
8  . b b b b b b .     8  . b b b b b b .
7  w . . . . . . w     7  w . . . . . . w      c1-c3  two pieces in the column
6  w . . . . . . w     6  w . . . . . . w      c1-e3  two pieces on the diagonal
5  w . . . . . . w     5  w . . . . . . w      c1xa3  two pieces on the other diagonal
4  w . . . . . . w     4  w . . . . . . w
3  w . . . . . . w     3  x . * . * . . w      six pieces in the row: too far for c1,
2  w . . . . . . w     2  w . . . . . . w      but b1-h1 jumps over five pieces of its own side
1  . b b b b b b .     1  . b C b b b b .
   a b c d e f g h        a b c d e f g h
```

Claude Soucie invented the game in 1969; Sid Sackson made it known in *A Gamut of Games*. The rules are those of M. Winands, \
E. van der Werf, J. van den Herik and J. Uiterwijk, *The Relative History Heuristic* (2004). OpenSpiel's game differs: the \
mover wins when both are connected, the first repetition of a board is a draw whoever is to move, and a player without a \
move has lost.

**Positions** are rows from the top with `b`, `w` and `.`, then the side to move: \
`.bbbbbb./w......w/w......w/w......w/w......w/w......w/w......w/.bbbbbb. b`. They do not say how often they have \
occurred; positions reached by playing moves know it, and a search counts the positions on its way too, but counts of \
lines and random games do not. **Moves** are `a8-d5`, and `c1xa3` for a capture; `a8d5` is understood too. A pass is \
`pass`.

**Evaluation**: the features of M. Winands, J. van den Herik and J. Uiterwijk, *An Evaluation Function for Lines of \
Action* (2003), with formulas and weights of our own. Points for a side, of which a win has 10,000; each is the \
difference between the sides:

| feature | points |
|---|---|
| concentration | −300 times the mean distance of the pieces from their centre of mass, beyond the least that so many pieces can have |
| centralisation | 60 times the mean ring of the pieces, 0 on the rim to 3 in the middle |
| centre-of-mass position | 20 times the ring of the square nearest to the centre of mass |
| quads | 12 for each square of two by two with three or four pieces that is at most two squares from the centre of mass |
| mobility | 5 for each move |
| walls | −30 for each piece on the rim before which at least two of the three squares further in are held by the enemy |
| connectedness | 40 times the mean number of neighbours of a piece |
| uniformity | −3 for each square of the smallest rectangle around the pieces |
| player to move | 30 |";

/// The rules of Lines of Action.
#[derive(Clone)]
pub struct LinesOfAction {
    lines: &'static LineMoves,
    /// Whether a move that connects both sides wins.
    mover_wins: bool,
}

/// A position: square `8 * row + column`, counted from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces of Black and of White.
    pieces: [u64; 2],
    turn: u8,
    state: State,
}

/// What the board says about the game; it follows from the pieces and the turn.
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

const UNIT: Score = 10_000;

/// Pieces of a side at the start, and at most.
const PIECES: u32 = 12;

/// A move: from + 64 * to.
type Move = u16;

/// The pass: no piece goes from a1 to a1.
const PASS: Move = 0;

fn squares(mv: Move) -> (u32, u32) {
    (u32::from(mv) & 63, u32::from(mv) >> 6 & 63)
}

/// Where the piece on `from` goes along one of the four kinds of lines, up and down, and whether it may. The squares
/// mean nothing where it may not.
#[inline(always)]
fn along(own: u64, other: u64, from: u32, kind: usize) -> [(u32, bool); 2] {
    let line = &LINES[from as usize & 63][kind];
    let distance = ((own | other) & (line.up | line.down)).count_ones() + 1;
    let (up, down) = (from.wrapping_add(distance * STRIDES[kind]), from.wrapping_sub(distance * STRIDES[kind]));
    let (above, below) = (1u64.wrapping_shl(up), 1u64.wrapping_shl(down));
    // own pieces on the last square, enemy pieces before it
    let up_stopped = own & above | other & line.up & above.wrapping_sub(1);
    let down_stopped = own & below | other & line.down & !(below << 1).wrapping_sub(1);
    [
        (up, distance <= u32::from(line.room[0]) && up_stopped == 0),
        (down, distance <= u32::from(line.room[1]) && down_stopped == 0),
    ]
}

/// Whether a side has a move.
#[inline(always)]
fn can_move(own: u64, other: u64) -> bool {
    own.squares().any(|from| (0..4).any(|kind| along(own, other, from, kind).iter().any(|&(_, legal)| legal)))
}

impl LinesOfAction {
    /// What the board says, for positions of which nothing is known.
    fn state(&self, pieces: [u64; 2], turn: u8) -> State {
        let lowest = |set: u64| set & set.wrapping_neg();
        self.state_of(pieces, turn, pieces.map(|set| connected(set, lowest(set))))
    }

    #[inline(always)]
    fn state_of(&self, pieces: [u64; 2], turn: u8, units: [bool; 2]) -> State {
        let (own, other) = (usize::from(turn & 1), usize::from((1 - turn) & 1));
        match (units[own], units[other]) {
            (false, false) if can_move(pieces[own], pieces[other]) => State::Free,
            (false, false) if can_move(pieces[other], pieces[own]) => State::Stuck,
            (true, true) if self.mover_wins => State::Won(1 - turn),
            (true, true) | (false, false) => State::Drawn,
            (true, false) => State::Won(turn),
            (false, true) => State::Won(1 - turn),
        }
    }

    /// The pieces of the player to move and of the other one.
    #[inline(always)]
    fn sides(position: &Position) -> (u64, u64) {
        let turn = usize::from(position.turn & 1);
        (position.pieces[turn], position.pieces[1 - turn])
    }

    /// Whether a capture is noisy, as in Winands et al. 2004: it lands on the inner area, connects parts of its own side or
    /// breaks a connection of the other side, both by the quads.
    fn is_noisy_capture(own: u64, other: u64, mv: Move) -> bool {
        let (from, to) = squares(mv);
        let (from, to) = (1u64 << from, 1u64 << to);
        let euler = |set: u64| Windows::of(set).euler;
        other & to != 0
            && (to & INNER != 0 || euler(own ^ (from | to)) < euler(own) || euler(other ^ to) > euler(other))
    }

    fn at(row: usize, col: usize) -> u32 {
        8 * (7 - row as u32) + col as u32
    }

    fn cell(position: &Position, row: usize, col: usize) -> char {
        let square = Self::at(row, col);
        match position.pieces.map(|pieces| pieces.has(square)) {
            [true, _] => 'b',
            [_, true] => 'w',
            _ => '.',
        }
    }
}

fn name(square: u32) -> String {
    text::square_name(square as usize / 8, square as usize % 8)
}

impl Game for LinesOfAction {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        let black = 0x7E00_0000_0000_007E;
        let white = 0x0081_8181_8181_8100;
        Position { pieces: [black, white], turn: 0, state: State::Free }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        match position.state {
            State::Free | State::Stuck => Turn::Player(position.turn),
            State::Won(_) | State::Drawn => Turn::Over,
        }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let (own, other) = Self::sides(position);
        let mut listed = [PASS; 128];
        let mut count = self.lines.list(own, other, &mut listed);
        if position.state == State::Stuck {
            (listed[0], count) = (PASS, 1);
        }
        out.extend_from_slice(&listed[..count & 127]);
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let (mut own, mut other) = Self::sides(position);
        let mut units = [false; 2];
        let turn = usize::from(position.turn & 1);
        if mv != PASS {
            let (from, to) = squares(mv);
            let to = 1 << to;
            own ^= 1 << from | to;
            units[turn] = connected(own, to);
            // only a capture can connect the other side
            if other & to != 0 {
                other ^= to;
                units[1 - turn] = connected(other, other & other.wrapping_neg());
            }
        }
        let pieces = if turn == 0 { [own, other] } else { [other, own] };
        let next = 1 - position.turn;
        *position = Position { pieces, turn: next, state: self.state_of(pieces, next, units) };
    }

    #[inline(always)]
    fn score(&self, position: &Position, player: usize) -> Score {
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
    fn key(&self, position: &Position) -> u64 {
        let [black, white] = position.pieces;
        // the turn is added after the mixing, where it cannot be mistaken for a piece
        mix(black, white) ^ u64::from(position.turn).wrapping_neg()
    }

    fn write(&self, position: &Position) -> String {
        let grid = text::write_grid(8, 8, |row, col| Self::cell(position, row, col));
        format!("{grid} {}", if position.turn == 0 { 'b' } else { 'w' })
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let (grid, side) =
            text.trim().split_once(' ').ok_or_else(|| BadText::new("the side to move, b or w, is missing"))?;
        let turn = match side.trim() {
            "b" => 0,
            "w" => 1,
            other => return Err(BadText::new(format!("the side to move is b or w, not {other:?}"))),
        };
        let cells = text::parse_grid(grid, 8, 8, "bw.")?;
        let mut pieces = [0u64; 2];
        for (i, &cell) in cells.iter().enumerate() {
            let square = 1 << Self::at(i / 8, i % 8);
            match cell {
                'b' => pieces[0] |= square,
                'w' => pieces[1] |= square,
                _ => {}
            }
        }
        if pieces.iter().any(|set| !(1..=PIECES).contains(&set.count_ones())) {
            return Err(BadText::new(format!("each side has 1 to {PIECES} pieces")));
        }
        Ok(Position { pieces, turn, state: self.state(pieces, turn) })
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        if mv == PASS {
            return "pass".to_owned();
        }
        let (from, to) = squares(mv);
        let capture = (position.pieces[0] | position.pieces[1]).has(to);
        format!("{}{}{}", name(from), if capture { 'x' } else { '-' }, name(to))
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, BadText> {
        if self.turn(position) == Turn::Over {
            return Err(BadText::new("the game is over"));
        }
        let wanted = text.trim();
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves
            .into_iter()
            .find(|&mv| {
                let written = self.write_move(position, mv);
                written == wanted || mv != PASS && written.replace(['-', 'x'], "") == wanted
            })
            .ok_or_else(|| BadText::new(format!("{wanted:?} is not a legal move here")))
    }
}

impl Evaluate for LinesOfAction {
    const INFORMED: bool = true;
    const NOISY: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let (own, other) = Self::sides(position);
        let value = evaluation::value(self.lines, own, other).clamp(1 - UNIT, UNIT - 1);
        if player == usize::from(position.turn) { value } else { -value }
    }

    fn noisy(&self, position: &Position, out: &mut Vec<Move>) {
        let (own, other) = Self::sides(position);
        for from in own.squares() {
            for kind in 0..4 {
                for (to, legal) in along(own, other, from, kind) {
                    let mv = (from | to << 6) as Move;
                    if legal && Self::is_noisy_capture(own, other, mv) {
                        out.push(mv);
                    }
                }
            }
        }
    }

    /// The pieces captured.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        Some((2 * PIECES).saturating_sub((position.pieces[0] | position.pieces[1]).count_ones()))
    }
}

impl Order for LinesOfAction {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        64 * 64
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }

    /// Captures that land on the inner area, then those on the ring around it (Winands et al. 2004).
    #[inline(always)]
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        let (_, other) = Self::sides(position);
        let captured = other & 1 << squares(mv).1;
        i32::from(captured & INNER != 0) + i32::from(captured & MIDDLE != 0)
    }
}

impl Playout for LinesOfAction {
    /// Picks a piece and a direction until they make a move, which is every move with one and the same probability. About
    /// two in five do.
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, buffer: &mut Vec<Move>) -> Move {
        let (own, other) = Self::sides(position);
        let pieces = own.count_ones();
        for _ in 0..64 {
            let pick = random.below(8 * pieces as usize) as u32;
            let from = own.nth(pick / 8);
            let (to, legal) = along(own, other, from, pick as usize % 4)[pick as usize / 4 % 2];
            if legal {
                return (from | to << 6) as Move;
            }
        }
        buffer.clear();
        self.moves(position, buffer);
        buffer[random.below(buffer.len())]
    }
}

impl Ranked for LinesOfAction {}
impl Puzzle for LinesOfAction {}

impl Repetition for LinesOfAction {
    const REPEATS: bool = true;

    #[inline(always)]
    fn repeated(&self, _: &Position, times: u32, _: usize) -> Option<Score> {
        (times >= 3).then_some(0)
    }
}

impl AnyTurn for LinesOfAction {
    const PASSES: bool = true;

    /// A player without a move has to pass anyway.
    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        if position.state != State::Free {
            return false;
        }
        let turn = 1 - position.turn;
        *position = Position { turn, state: self.state_of(position.pieces, turn, [false; 2]), ..*position };
        true
    }
}

impl Chance for LinesOfAction {}
impl Hidden for LinesOfAction {}

const GRID: Grid = Grid { rows: 8, cols: 8, squares: Squares::Chequered, names: Names::FromBottom };

fn piece(position: &Position, row: usize, col: usize) -> Piece {
    Piece::of_letter(LinesOfAction::cell(position, row, col), [('b', Piece::Black), ('w', Piece::White)])
}

impl Draw for LinesOfAction {
    fn board(&self, position: &Position) -> String {
        text::board_of_grid(8, 8, |row, col| Self::cell(position, row, col))
    }

    fn svg(&self, position: &Position) -> String {
        let unit = match position.state {
            State::Won(winner) => position.pieces[usize::from(winner & 1)],
            _ => 0,
        };
        text::svg_of_grid(GRID, next_of([Piece::Black, Piece::White], self.turn(position)), |row, col| {
            (piece(position, row, col), unit.has(Self::at(row, col)))
        })
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        GRID.cells(|row, col| piece(position, row, col))
    }
}

impl Configure for LinesOfAction {
    const SUMMARY: &'static str = "move as far as there are pieces on the line; the first to connect all pieces wins";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        let doc = "what a move that connects both sides is: a draw, or a win of the player who made it";
        vec![Parameter::word("simultaneous", &["draw", "mover"], doc)]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        Ok(Self { lines: LineMoves::get(), mover_wins: params.word("simultaneous") == "mover" })
    }
}

#[cfg(test)]
mod tests;
