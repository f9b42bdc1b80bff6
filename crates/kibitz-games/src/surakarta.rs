//! Surakarta, the game of the loops, from Java.

mod circuits;
mod picture;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Chance, Configure, Evaluate, Game, Hidden, Order, Parameter, Params, Playout,
    Puzzle, Range, Ranked, Repetition, Score, Turn, mix, text,
};

use circuits::{NEAR, POINTS, SIDE, WALKS};

const RULES: &str = "\
The board has six lines each way; pieces stand on the points where they meet. Around each corner two loops join the second and \
third line from the one edge to the second and third from the other, so that the second lines from all edges and four loops are one \
circuit, and the third lines and the other four loops another. White has twelve pieces on the two lower rows, Black twelve on \
the two upper rows. White begins.

A move takes one piece to the next point in any of the eight directions, which must be empty; or it captures. To capture, a piece \
goes along the lines of a circuit over any number of empty points and through at least one loop until it meets an enemy piece, whose place \
it takes. It may pass points more than once, and the point that it has left is empty. Nobody has to capture.

```text
6  b b b b b b        loops join a2 with b1, a3 with c1, f2 with e1, f3 with d1,
5  b b b b b b                   a5 with b6, a4 with c6, f5 with e6, f4 with d6
4  . . . . . .
3  . . . . . .        the corners and the lines at the edge belong to no circuit
2  w w w w w w
1  w w w w w w
   a b c d e f
```

Who has captured all enemy pieces has won. A player who has pieces but no move has lost. The game is a draw when a position with the same player to move \
occurs for the third time. Players who agree that nothing more can be captured count pieces; there is no such agreement here.

**Positions** are rows from the top with `w`, `b` and `.`, then the side to move: `bbbbbb/bbbbbb/....../....../wwwwww/wwwwww w`. They do not say how often they \
have occurred; positions reached by playing moves know it, and a search counts the positions on its way too, but counts of lines and random games do not. \
**Moves** are `a2-a3`, and `a2xf4` for a capture; by which way a piece has gone does not matter.

**Evaluation**: 100 points, of which a win has 10,000, for each piece more than the enemy's, and two for each capture that a side could make more.";

/// The rules of Surakarta.
#[derive(Clone)]
pub struct Surakarta;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pieces of White and of Black.
    pieces: [u64; 2],
    turn: u8,
}

/// The point that a piece leaves, and the one that it enters times 64.
type Move = u16;

const UNIT: Score = 10_000;
const PIECE: Score = 100;
const CAPTURE: Score = 2;
const MOST: u32 = 2 * SIDE as u32;

#[inline(always)]
fn squares(mv: Move) -> (u32, u32) {
    (u32::from(mv) & 63, u32::from(mv) >> 6 & 63)
}

/// The enemy pieces that the piece on a point can capture.
#[inline]
fn captures(own: u64, other: u64, from: u32) -> u64 {
    let occupied = (own | other) & !(1 << from);
    let mut found = 0;
    for walk in WALKS[from as usize].iter().filter(|walk| walk.before & occupied == 0) {
        if let Some(&met) = walk.beyond().iter().find(|&&point| occupied >> point & 1 != 0) {
            found |= other & 1 << met;
        }
    }
    found
}

impl Surakarta {
    /// The pieces of the side to move and of the other.
    #[inline(always)]
    fn sides(position: &Position) -> (u64, u64) {
        let turn = usize::from(position.turn & 1);
        (position.pieces[turn], position.pieces[1 - turn])
    }

    /// What stands at a row counted from the top: `w`, `b` or `.`.
    fn cell(position: &Position, row: usize, col: usize) -> char {
        match position.pieces.map(|pieces| pieces.has(Self::at(row, col))) {
            [true, _] => 'w',
            [_, true] => 'b',
            _ => '.',
        }
    }

    /// The point at a row counted from the top.
    fn at(row: usize, col: usize) -> u32 {
        ((SIDE - 1 - row) * SIDE + col) as u32
    }

    fn name(point: u32) -> String {
        text::square_name(point as usize / SIDE, point as usize % SIDE)
    }

    /// How many captures a side could make.
    fn count_captures(own: u64, other: u64) -> u32 {
        own.squares().map(|from| captures(own, other, from).count()).sum()
    }
}

impl Game for Surakarta {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        let white = (1 << MOST) - 1;
        Position { pieces: [white, white << (POINTS as u32 - MOST)], turn: 0 }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        let (own, other) = Self::sides(position);
        let occupied = own | other;
        let can_move = own.squares().any(|from| NEAR[from as usize] & !occupied != 0);
        // a full board of own pieces, or one on which only captures are left, is asked for them
        if can_move || own != 0 && Self::count_captures(own, other) > 0 {
            Turn::Player(position.turn)
        } else {
            Turn::Over
        }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let (own, other) = Self::sides(position);
        for from in own.squares() {
            let targets = NEAR[from as usize] & !(own | other) | captures(own, other, from);
            out.extend(targets.squares().map(|to| (from | to << 6) as Move));
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let (from, to) = squares(mv);
        let turn = usize::from(position.turn & 1);
        position.pieces[turn] ^= 1 << from | 1 << to;
        position.pieces[1 - turn] &= !(1 << to);
        position.turn ^= 1;
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
        let [white, black] = position.pieces;
        // the turn is added after the mixing, where it cannot be mistaken for a piece
        mix(white, black) ^ u64::from(position.turn).wrapping_neg()
    }

    fn write(&self, position: &Position) -> String {
        let grid = text::write_grid(SIDE, SIDE, |row, col| Self::cell(position, row, col));
        format!("{grid} {}", if position.turn == 0 { 'w' } else { 'b' })
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let mut parts = text.split_whitespace();
        let (Some(grid), Some(side), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(BadText::new("write the rows from the top and the side to move, w or b"));
        };
        let turn = match side {
            "w" => 0,
            "b" => 1,
            other => return Err(BadText::new(format!("the side to move is w or b, not {other:?}"))),
        };
        let cells = text::parse_grid(grid, SIDE, SIDE, "wb.")?;
        let mut pieces = [0u64; 2];
        for (i, &cell) in cells.iter().enumerate() {
            let point = 1 << Self::at(i / SIDE, i % SIDE);
            match cell {
                'w' => pieces[0] |= point,
                'b' => pieces[1] |= point,
                _ => {}
            }
        }
        if pieces.iter().any(|set| set.count() > MOST) {
            return Err(BadText::new(format!("a side has at most {MOST} pieces")));
        }
        if pieces[1 - usize::from(turn & 1)] == 0 {
            return Err(BadText::new("the side that is not to move has no piece, so that the game was over before"));
        }
        Ok(Position { pieces, turn })
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        let (from, to) = squares(mv);
        let way = if Self::sides(position).1.has(to) { 'x' } else { '-' };
        format!("{}{way}{}", Self::name(from), Self::name(to))
    }
}

impl Evaluate for Surakarta {
    const INFORMED: bool = true;
    const NOISY: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let (own, other) = Self::sides(position);
        let count = |a: u64, b: u64| PIECE * a.count() as Score + CAPTURE * Self::count_captures(a, b) as Score;
        let value = (count(own, other) - count(other, own)).clamp(1 - UNIT, UNIT - 1);
        if player == usize::from(position.turn) { value } else { -value }
    }

    /// Captures.
    #[inline]
    fn noisy(&self, position: &Position, out: &mut Vec<Move>) {
        let (own, other) = Self::sides(position);
        for from in own.squares() {
            out.extend(captures(own, other, from).squares().map(|to| (from | to << 6) as Move));
        }
    }

    /// The pieces captured.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        Some(2 * MOST - (position.pieces[0] | position.pieces[1]).count())
    }
}

impl Order for Surakarta {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        64 * 64
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }

    /// Captures first.
    #[inline(always)]
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        i32::from(Self::sides(position).1.has(squares(mv).1))
    }
}

impl Repetition for Surakarta {
    const REPEATS: bool = true;

    #[inline(always)]
    fn repeated(&self, _: &Position, times: u32, _: usize) -> Option<Score> {
        (times >= 3).then_some(0)
    }
}

impl AnyTurn for Surakarta {
    const PASSES: bool = true;

    /// Has no meaning where the opponent would have no move.
    #[inline]
    fn pass(&self, position: &mut Position) -> bool {
        let passed = Position { turn: 1 - position.turn, ..*position };
        let goes_on = self.turn(&passed) != Turn::Over;
        if goes_on {
            *position = passed;
        }
        goes_on
    }

    /// With few pieces left, who has to move loses the guard of a line.
    #[inline]
    fn zugzwang(&self, position: &Position) -> bool {
        Self::sides(position).0.count() <= 4
    }
}

impl Playout for Surakarta {}
impl Puzzle for Surakarta {}
impl Chance for Surakarta {}
impl Hidden for Surakarta {}
impl Ranked for Surakarta {}

impl Configure for Surakarta {
    const SUMMARY: &'static str = "capture along lines and loops around the corners";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }

    fn configure(_: &Params) -> Result<Self, BadParameter> {
        Ok(Self)
    }
}

#[cfg(test)]
mod tests;
