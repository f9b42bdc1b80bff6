//! Fanorona, the game of Madagascar, on boards of any odd size.

mod chains;
mod geometry;
mod notation;
mod picture;
mod ranked;
mod ranking;

use std::sync::Arc;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Chance, Configure, Evaluate, Game, Hidden, Order, Parameter, Params, Playout,
    Puzzle, Random, Range, Repetition, Score, Turn, mix,
};

use chains::Field;
pub use chains::Move;
use geometry::Geometry;
use ranking::Ranking;

const RULES: &str = "\
The board is the points where `rows` horizontal and `cols` vertical lines meet; both numbers are odd, and 5 by 9 is the usual \
board (Fanoron-Tsivy). At a *strong* point diagonal lines meet, too; a *weak* point has only its row and its column. Strong and \
weak points alternate, and the corners are strong (with `strong=centre`, the point in the middle is, which makes a difference where \
it would be weak, as on 5 by 7).

White has the rows below the middle, Black those above it. In the middle row the point in the centre is empty, and on the others, \
from left to right, Black and White alternate, beginning with Black. White moves first.

```text
5  B B B B B B B B B
4  B B B B B B B B B     White's first moves: d2-e3A takes f4 and g5, e2-e3A takes e4 and e5,
3  B W B W . B W B W     f2-e3A takes d4 and c5, d3-e3A takes f3, and d3-e3W takes c3
2  W W W W W W W W W
1  W W W W W W W W W
   a b c d e f g h i
```

A *step* takes one piece along a line to the next point, which must be empty. If its line goes on beyond that point to an \
enemy piece, the step can capture by **approach**; if an enemy piece stands on the line right behind the point that it leaves, by \
**withdrawal**. Captured are that piece and all enemy pieces that follow it on the line without a gap, away from the piece that \
moves. A step that could do both does one of them, whichever the player wants.

A player who can capture must capture, though not the most. After a capture the same piece may go on capturing in the same move, as \
often as the player likes, but no step goes in the direction of the step just before, and none to a point where the piece has been in this move, the \
point where it started included (`returns=true` leaves that one out). Every step captures, and what is captured is gone before the next one. \
A player who cannot capture makes one step without a capture, a *paika*.

Who has captured all enemy pieces has won. A player who has pieces but no move has lost (`stalemate=draw`: nobody has). The game is a draw when a \
position with the same player to move occurs for the second time (`repetition` times).

Sources: M. P. D. Schadd, *Selective Search in Games of Different Complexity* (Maastricht 2011), chapter 4, which leaves the points and \
the start of the other boards to pictures; that the corners are strong and the middle row alternates agrees with the values and counts it publishes. No \
move is a loss by its authors' definition. Clubs also play handicap games (*vela*), which are not here.

**Positions** are rows from the top with `w`, `b` and `.`, then the side to move: \
`bbbbbbbbb/bbbbbbbbb/bwbw.bwbw/wwwwwwwww/wwwwwwwww w`. They do not say how often they have occurred; positions reached by playing moves know it, and a \
search counts the positions on its way too, but counts of lines and random games do not. **Moves** are the points of the piece, each step of a \
capture followed by `A` for approach or `W` for withdrawal: `b2-c2A-c3A`, and `b2-b1` for a paika. Two moves that lead to the same position \
by different steps are two moves. No position lists more than 1,048,576 captures, which only positions made for it on large boards could; the rest is \
left out.

**Evaluation**: 100 points, of which a win has 10,000, for each piece more than the enemy's; with `evaluation=mobility` also one for each step \
to an empty point that a side has more. `noise` adds a random number of points from 0 to one less than it, the same whenever a position \
comes again; `seed` draws another.";

/// The rules of Fanorona on a board of at most `B::SQUARES - 1` points.
#[derive(Clone)]
pub struct Fanorona<B = u64> {
    geometry: Arc<Geometry<B>>,
    ranking: Arc<Ranking>,
    start: Position<B>,
    returns: bool,
    stalemate_is_draw: bool,
    repetition: u32,
    evaluation: Evaluation,
}

/// What the evaluation counts beside pieces.
#[derive(Clone, Copy)]
struct Evaluation {
    mobility: bool,
    /// A random number of points below this one; none if it is 0.
    noise: u32,
    seed: u64,
}

/// A position: the pieces of the side to move and of the other.
///
/// A board of odd sides leaves the last bit of its set free. There `own` has whose turn it is, so that a position is two
/// words and solvers can keep it inside a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B = u64> {
    own: B,
    other: B,
}

const UNIT: Score = 10_000;
const PIECE: Score = 100;

impl<B: Bits> Position<B> {
    /// The bit that Black's turn sets.
    #[inline(always)]
    fn flag() -> B {
        B::square(B::SQUARES - 1)
    }

    /// A position with these pieces of the side to move and of the other.
    #[inline(always)]
    fn new(own: B, other: B, black: bool) -> Self {
        Self { own: if black { own | Self::flag() } else { own }, other }
    }

    /// Whether Black is to move.
    #[inline(always)]
    fn is_black(&self) -> bool {
        self.own.has(B::SQUARES - 1)
    }

    /// The pieces of the side to move.
    #[inline(always)]
    fn own(&self) -> B {
        self.own & !Self::flag()
    }

    /// The pieces of White and of Black.
    fn pieces(&self) -> [B; 2] {
        if self.is_black() { [self.other, self.own()] } else { [self.own(), self.other] }
    }
}

impl<B: Bits> Fanorona<B> {
    #[inline(always)]
    fn field(&self, position: &Position<B>) -> Field<'_, B> {
        Field { geometry: &self.geometry, own: position.own(), other: position.other, returns: self.returns }
    }

    /// What stands on a point: `w`, `b` or `.`.
    fn cell(position: &Position<B>, point: u32) -> char {
        match position.pieces().map(|pieces| pieces.has(point)) {
            [true, _] => 'w',
            [_, true] => 'b',
            _ => '.',
        }
    }

    /// The point at a row counted from the top.
    fn at(&self, row: usize, col: usize) -> u32 {
        ((self.geometry.rows - 1 - row) * self.geometry.cols + col) as u32
    }

    /// The position at the start.
    fn first_position(geometry: &Geometry<B>) -> Position<B> {
        let (mut white, mut black) = (B::EMPTY, B::EMPTY);
        for row in 0..geometry.rows {
            for col in 0..geometry.cols {
                let point = B::square((row * geometry.cols + col) as u32);
                let centre = geometry.cols / 2;
                let for_white = match row.cmp(&(geometry.rows / 2)) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Greater => false,
                    std::cmp::Ordering::Equal if col == centre => continue,
                    std::cmp::Ordering::Equal => (col - usize::from(col > centre)) % 2 == 1,
                };
                *if for_white { &mut white } else { &mut black } |= point;
            }
        }
        Position::new(white, black, false)
    }

    /// How many pieces a move captures.
    fn taken(&self, position: &Position<B>, mv: Move) -> u32 {
        let mut left = position.other;
        self.field(position).replay(mv, |captured| left = captured.left);
        position.other.count() - left.count()
    }
}

impl<B: Bits> Game for Fanorona<B> {
    type Position = Position<B>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        self.start
    }

    #[inline(always)]
    fn turn(&self, position: &Position<B>) -> Turn {
        let own = position.own();
        if self.geometry.can_move(own, self.geometry.all & !(own | position.other)) {
            Turn::Player(u8::from(position.is_black()))
        } else {
            Turn::Over
        }
    }

    #[inline]
    fn moves(&self, position: &Position<B>, out: &mut Vec<Move>) {
        self.field(position).moves(out);
    }

    #[inline]
    fn play(&self, position: &mut Position<B>, mv: Move) {
        let start = B::square(mv.start() as u32);
        let (mut target, mut left) = (start, position.other);
        self.field(position).replay(mv, |captured| (target, left) = (captured.step.target, captured.left));
        *position = Position::new(left, position.own() & !start | target, !position.is_black());
    }

    #[inline]
    fn successors(&self, position: &Position<B>, out: &mut Vec<Position<B>>, _: &mut Vec<Move>) {
        self.field(position).successors(!position.is_black(), out);
    }

    #[inline]
    fn mobility(&self, position: &Position<B>, _: &mut Vec<Move>) -> u32 {
        self.field(position).count()
    }

    #[inline(always)]
    fn score(&self, position: &Position<B>, player: usize) -> Score {
        if self.stalemate_is_draw && !position.own().is_empty() {
            0
        } else if player == usize::from(position.is_black()) {
            -UNIT
        } else {
            UNIT
        }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position<B>) -> u64 {
        let words = position.own.words().iter().zip(position.other.words());
        words.fold(0, |key, (&own, &other)| mix(key ^ own, other))
    }

    fn write(&self, position: &Position<B>) -> String {
        self.write_position(position)
    }

    fn read(&self, text: &str) -> Result<Position<B>, BadText> {
        self.read_position(text)
    }

    fn write_move(&self, position: &Position<B>, mv: Move) -> String {
        self.write_chain(position, mv)
    }

    fn read_move(&self, position: &Position<B>, text: &str) -> Result<Move, BadText> {
        self.read_chain(position, text)
    }
}

impl<B: Bits> Evaluate for Fanorona<B> {
    const INFORMED: bool = true;
    const NOISY: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position<B>, player: usize) -> Score {
        let (own, other) = (position.own(), position.other);
        let mut value = PIECE * (own.count() as Score - other.count() as Score);
        let Evaluation { mobility, noise, seed } = self.evaluation;
        if mobility {
            let empty = self.geometry.all & !(own | other);
            value += self.geometry.count_steps(own, empty) as Score - self.geometry.count_steps(other, empty) as Score;
        }
        if noise > 0 {
            let drawn = mix(seed, self.key(position)) >> 32;
            value += ((drawn * u64::from(noise)) >> 32) as Score;
        }
        let value = value.clamp(1 - UNIT, UNIT - 1);
        if player == usize::from(position.is_black()) { value } else { -value }
    }

    /// All moves, where captures are compulsory.
    #[inline]
    fn noisy(&self, position: &Position<B>, out: &mut Vec<Move>) {
        let field = self.field(position);
        field.captures(field.capturers(), out);
    }

    /// The pieces captured.
    #[inline]
    fn progress(&self, position: &Position<B>) -> Option<u32> {
        Some(self.geometry.all.count() - (position.own() | position.other).count())
    }
}

impl<B: Bits> Order for Fanorona<B> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        8 * self.geometry.rows * self.geometry.cols
    }

    /// By the first step.
    #[inline(always)]
    fn index(&self, _: &Position<B>, mv: Move) -> usize {
        8 * mv.start() + mv.first_direction().unwrap_or(0)
    }

    /// Captures of more pieces earlier.
    #[inline]
    fn hint(&self, position: &Position<B>, mv: Move) -> i32 {
        self.taken(position, mv).min(7) as i32
    }
}

impl<B: Bits> Playout for Fanorona<B> {
    /// Counts the steps of a position without captures and picks one of them.
    #[inline]
    fn random_move(&self, position: &Position<B>, random: &mut Random, buffer: &mut Vec<Move>) -> Move {
        let field = self.field(position);
        let capturers = field.capturers();
        buffer.clear();
        if capturers.is_empty() {
            return field.pick(random.below(field.count_steps() as usize) as u32);
        }
        field.captures(capturers, buffer);
        buffer[random.below(buffer.len())]
    }
}

impl<B: Bits> Repetition for Fanorona<B> {
    const REPEATS: bool = true;

    #[inline(always)]
    fn repeated(&self, _: &Position<B>, times: u32, _: usize) -> Option<Score> {
        (times >= self.repetition).then_some(0)
    }
}

impl<B: Bits> AnyTurn for Fanorona<B> {
    const PASSES: bool = true;

    /// Has no meaning where the opponent would have no move.
    #[inline]
    fn pass(&self, position: &mut Position<B>) -> bool {
        let passed = Position::new(position.other, position.own(), !position.is_black());
        let goes_on = self.turn(&passed) != Turn::Over;
        if goes_on {
            *position = passed;
        }
        goes_on
    }

    /// Without a capture at hand, to wait is often best.
    #[inline]
    fn zugzwang(&self, position: &Position<B>) -> bool {
        self.field(position).capturers().is_empty()
    }
}

impl<B: Bits> Puzzle for Fanorona<B> {}
impl<B: Bits> Chance for Fanorona<B> {}
impl<B: Bits> Hidden for Fanorona<B> {}

impl<B: Bits> Configure for Fanorona<B> {
    const SUMMARY: &'static str = "capture by approach or withdrawal along the lines of the board, in chains";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("rows", 5, (3, 41), "rows of the board, an odd number"),
            Parameter::integer("cols", 9, (3, 25), "columns of the board, an odd number"),
            Parameter::word("strong", &["corners", "centre"], "which points certainly have diagonals"),
            Parameter::flag("returns", false, "whether a chain may come back to where it started"),
            Parameter::word("stalemate", &["loss", "draw"], "what it is for a player with pieces to have no move"),
            Parameter::integer("repetition", 2, (2, 100), "the occurrence of a position that makes the game a draw"),
            Parameter::word("evaluation", &["material", "mobility"], "what the evaluation counts"),
            Parameter::integer("noise", 0, (0, 10_000), "how many random points the evaluation adds at most, plus one"),
            Parameter::integer("seed", 0, (0, i64::MAX), "draws the random points"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let (rows, cols) = (params.integer("rows") as usize, params.integer("cols") as usize);
        if rows % 2 == 0 || cols % 2 == 0 {
            return Err(BadParameter(format!(
                "rows={rows}, cols={cols}: both are odd numbers, because the game begins with the point in the middle empty"
            )));
        }
        let points = (rows * cols) as u32;
        if points >= B::SQUARES {
            return Err(BadParameter(format!(
                "rows={rows}, cols={cols}: a board has at most 127 points, this one {points}"
            )));
        }
        let centre = params.word("strong") == "centre";
        let geometry = Geometry::new(rows, cols, centre && (rows / 2 + cols / 2) % 2 == 1);
        Ok(Self {
            start: Self::first_position(&geometry),
            ranking: Arc::new(Ranking::new(&geometry)),
            geometry: Arc::new(geometry),
            returns: params.flag("returns"),
            stalemate_is_draw: params.word("stalemate") == "draw",
            repetition: params.integer("repetition") as u32,
            evaluation: Evaluation {
                mobility: params.word("evaluation") == "mobility",
                noise: params.integer("noise") as u32,
                seed: params.integer("seed") as u64,
            },
        })
    }
}

#[cfg(test)]
mod tests;
