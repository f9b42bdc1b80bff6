//! `SameGame` (Kuniaki Moribe, 1985, as Chain Shot!): remove blocks of one colour, on boards of any size.

mod columns;
mod marks;
mod notation;
mod picture;
mod potential;
mod standard;
mod strategy;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params, Playout,
    Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix, splitmix64,
};

use columns::{Block, COLUMNS, Cell, Columns, ROWS, Starts};
use strategy::walk;

const RULES: &str = "\
A game for one. The board is filled with blocks of several colours. A move removes a group: all blocks of one colour that are \
connected by their sides, at least two of them. Blocks above fall straight down, and when a column is empty all columns \
to its right move to the left, so that the board never falls apart. Removing n blocks makes (n − 2)² points. The game is over when \
no two neighbours have the same colour. An empty board then makes 1,000 points more. Otherwise every colour that is left with m \
blocks costs (m − 2)² points, as if they were one group, so that a single block costs one point; with \
`penalty=singleton-free` it costs nothing, and with `penalty=none` nothing is taken off. The final score may be negative.

On a board that is full at the start every final score is odd if the number of cells is, and even if it is even: (n − 2)² is odd when \
n is. (With `penalty=literal` only.)

The colours at the start are drawn independently by `seed`; `position=1` to `position=20` are the positions of the standard test set of \
fifteen by fifteen blocks in five colours. Kuniaki Moribe published the game in 1985 as *Chain Shot!*. Whether a board can be emptied \
is an NP-complete question (T. Biedl et al., *The complexity of Clickomania*, 2002). The game is that of M. Schadd, *Selective Search in \
Games of Different Complexity* (2011), chapter 3.

**Positions** are rows from the top with the colours as digits from `0` and `.` for an empty cell, then the points made so far: \
`10../00.2/1021 1`. Colours are also read as letters from `A`, and no points are none. **Moves** are the column and the row of a block, both \
counted from 0 at the lower left: `2,0`. Any block of the group may be named; the lowest one in its first column is written.

**Strategies** of playouts: `tabu-random` draws a colour of the board at the start and removes none of its groups as long as there is \
another move; `tabu-color-random` does so with the colour that has most blocks, the first of several; `tabu-color-clear` is the same \
but may also remove a group that has all blocks of that colour (T. Cazenave, *Nested Rollout Policy Adaptation with Selective Policies*, \
2016). With probability epsilon the move is any.

**Potentials** of beam searches, which order positions: `playout`, the first, is the final score of one playout by `tabu-color-clear`, and `playouts` the \
best of eight; `gathering`, some seven times as quick as `playout`, counts the points made, most of (n − 2)² for the n blocks of the \
most frequent colour, and for every colour its pairs of neighbours, its single blocks and the runs of columns that it is spread over, \
with weights that were tuned on random boards; `concentration`, as in programs for contests, counts the points made, (s − 2)² \
for every group of s blocks, five points less for every single block, and the n blocks of the most frequent colour as (n − 2)² \
Σ s² / n², where the sum is over its groups and single blocks; `groups` counts the points made and those of all groups; `bound` is \
the upper bound of A\\*, in which every colour is one group and the board is emptied unless a colour has one block.

**Evaluation**: the potential `concentration`.";

/// The rules of `SameGame`.
#[derive(Clone, Debug)]
pub struct SameGame {
    rows: usize,
    cols: usize,
    colours: u8,
    penalty: Penalty,
    start: Position,
}

/// What blocks that are left cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Penalty {
    Literal,
    SingletonFree,
    None,
}

impl Penalty {
    /// The cost of `blocks` of one colour.
    fn of(self, blocks: u32) -> Score {
        match (self, blocks) {
            (_, 0) | (Self::None, _) | (Self::SingletonFree, 1) => 0,
            _ => points(blocks),
        }
    }
}

/// A position: the board, and the points made so far, which the final score depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    columns: Columns,
    points: Score,
}

/// What an empty board makes.
const CLEARED: Score = 1000;

/// By how much less a board is [`Puzzle::near`] to that for each block that is left.
const LEFT: Score = 10;

/// A move: the lowest cell of the first column of the group.
type Move = Cell;

/// What removing a group makes.
#[inline(always)]
fn points(size: u32) -> Score {
    let more = size as Score - 2;
    more * more
}

impl Position {
    /// Removes a group, and returns the first column after the last one that is not what it was.
    #[inline(always)]
    fn remove(&mut self, block: &Block) -> usize {
        self.points += points(block.size);
        self.columns.remove(block)
    }
}

impl SameGame {
    /// How many blocks of each colour there are.
    fn counts(&self, columns: &Columns) -> impl Iterator<Item = u32> {
        (1..=self.colours).map(|colour| columns.count(colour))
    }

    /// The number of cells of the board.
    fn cells(&self) -> u32 {
        (self.rows * self.cols) as u32
    }
}

impl Game for SameGame {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> Position {
        self.start
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.columns.has_move() { Turn::Player(0) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        Starts::new(&position.columns, 0).each(&position.columns, |block| out.push(block.cell()));
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        let block = position.columns.block(mv);
        position.remove(&block);
    }

    #[inline]
    fn score(&self, position: &Position, _: usize) -> Score {
        if position.columns.is_empty() {
            return position.points + CLEARED;
        }
        position.points - self.counts(&position.columns).map(|count| self.penalty.of(count)).sum::<Score>()
    }

    /// From a board of two colours like a chequerboard to one of a single colour.
    fn range(&self, _: usize) -> Range {
        let cells = self.cells();
        // a few single blocks of many colours cost as much as there are
        let most = |blocks: u32| points(blocks).max(blocks as Score);
        let cost = most(cells.div_ceil(2)) + most(cells / 2);
        Range {
            low: if self.penalty == Penalty::None { 0 } else { -cost },
            high: if cells < 2 { 0 } else { points(cells) } + CLEARED,
        }
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        mix(position.columns.key(), position.points as u64)
    }

    fn write(&self, position: &Position) -> String {
        notation::write(self, position)
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        notation::read(self, text)
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        notation::write_move(mv)
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, BadText> {
        notation::read_move(self, position, text)
    }
}

impl Evaluate for SameGame {
    const INFORMED: bool = true;

    /// The potential `concentration`.
    #[inline]
    fn evaluate(&self, position: &Position, _: usize) -> Score {
        let Range { low, high } = self.range(0);
        (self.potential(position, potential::CONCENTRATION) as Score).clamp(low + 1, high - 1)
    }

    /// The points made, less what all blocks would cost, and more what each colour would make as one group.
    #[inline]
    fn bounds(&self, position: &Position, _: usize) -> Range {
        potential::bounds(self, position)
    }

    /// The blocks removed.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        Some(self.cells() - position.columns.blocks())
    }
}

impl Order for SameGame {
    fn indices(&self) -> usize {
        self.cols * ROWS
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }
}

impl Playout for SameGame {
    #[inline]
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let starts = Starts::new(&position.columns, 0);
        starts.draw(starts.count(), &position.columns, random).cell()
    }

    #[inline]
    fn playout(&self, position: &mut Position, random: &mut Random, _: &mut Vec<Move>, plies: u32) -> u32 {
        walk(position, 0, 0.0, random, plies, |_| ())
    }

    fn strategies(&self) -> &'static [&'static str] {
        strategy::NAMES
    }

    #[inline]
    fn plan(&self, strategy: usize, position: &Position, random: &mut Random) -> u32 {
        strategy::plan(strategy, &position.columns, self.colours, random)
    }

    #[inline]
    fn preferred(&self, _: usize, plan: u32, position: &Position, out: &mut Vec<Move>) {
        strategy::preferred(&position.columns, plan, |block| out.push(block.cell()));
    }

    #[inline]
    fn preferred_move(&self, _: usize, plan: u32, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        strategy::draw(&position.columns, plan, random).cell()
    }

    fn play_strategically(
        &self,
        strategy: usize,
        epsilon: f64,
        position: &mut Position,
        random: &mut Random,
        _: &mut Vec<Move>,
        line: &mut Vec<Move>,
        plies: u32,
    ) -> u32 {
        let own = strategy < strategy::NAMES.len();
        let plan = if own { self.plan(strategy, position, random) } else { 0 };
        walk(position, plan, if own { epsilon } else { 0.0 }, random, plies, |cell| line.push(cell))
    }
}

/// The colour and all cells of a group, as in Cazenave's programs.
#[inline(always)]
fn code(columns: &Columns, block: &Block) -> u64 {
    let colour = u64::from(columns.colour(block.cell())) << 32;
    (block.first..=block.last)
        .fold(0, |code, c| code ^ splitmix64(colour | (c as u64) << 16 | u64::from(block.rows[c])))
}

/// Large groups are likelier from the beginning, as in T. Cazenave's *Generalized Nested Rollout Policy Adaptation* (2020).
#[inline(always)]
fn bias(block: &Block) -> f64 {
    f64::from((block.size - 2).min(8))
}

impl Ranked for SameGame {}
impl Puzzle for SameGame {
    const SOLITAIRE: bool = true;

    #[inline]
    fn code(&self, position: &Position, mv: Move) -> u64 {
        code(&position.columns, &position.columns.block(mv))
    }

    #[inline]
    fn coded_moves(
        &self,
        strategy: usize,
        plan: u32,
        position: &Position,
        moves: &mut Vec<Move>,
        codes: &mut Vec<u64>,
        mut biases: Option<&mut Vec<f64>>,
    ) {
        let plan = if strategy < strategy::NAMES.len() { plan } else { 0 };
        strategy::preferred(&position.columns, plan, |block| {
            moves.push(block.cell());
            codes.push(code(&position.columns, block));
            if let Some(biases) = &mut biases {
                biases.push(bias(block));
            }
        });
    }

    const BIASED: bool = true;

    #[inline]
    fn bias(&self, position: &Position, mv: Move) -> f64 {
        bias(&position.columns.block(mv))
    }

    fn cycles(&self) -> bool {
        false
    }

    #[inline]
    fn gained(&self, position: &Position) -> Score {
        position.points
    }

    #[inline]
    fn remainder(&self, position: &Position) -> u64 {
        position.columns.key()
    }

    fn marks(&self) -> usize {
        marks::WORDS
    }

    fn mark(&self, position: &Position, marks: &mut [u64]) {
        marks::begin(&position.columns, marks);
    }

    /// The place where one of its blocks was at the beginning of the line.
    #[inline]
    fn name(&self, position: &Position, marks: &[u64], mv: Move, random: &mut Random) -> u64 {
        let block = position.columns.block(mv);
        u64::from(marks::origin(marks, block.nth(random.below(block.size as usize) as u32)))
    }

    #[inline]
    fn play_named(&self, position: &mut Position, marks: &mut [u64], name: u64, _: &mut Vec<Move>) -> Option<Move> {
        let block = position.columns.block(marks::cell(marks, name as Cell)?);
        if block.size < 2 {
            return None;
        }
        marks::remove(marks, &block);
        position.remove(&block);
        Some(block.cell())
    }

    #[inline]
    fn play_marked(&self, position: &mut Position, marks: &mut [u64], mv: Move) {
        let block = position.columns.block(mv);
        marks::remove(marks, &block);
        position.remove(&block);
    }

    /// A board that is almost empty counts almost as much as an empty one.
    #[inline]
    fn near(&self, position: &Position) -> Score {
        let missed = CLEARED - LEFT * position.columns.blocks() as Score;
        self.score(position, 0) + if position.columns.is_empty() { 0 } else { missed.max(0) }
    }

    fn grain(&self) -> f64 {
        60.0
    }

    fn potentials(&self) -> &'static [&'static str] {
        potential::NAMES
    }

    #[inline]
    fn potential(&self, position: &Position, which: usize) -> f64 {
        potential::potential(self, position, which)
    }
}

impl Chance for SameGame {}
impl Hidden for SameGame {}
impl Repetition for SameGame {}
impl AnyTurn for SameGame {}

impl Draw for SameGame {
    fn board(&self, position: &Position) -> String {
        picture::board(self, position)
    }

    fn svg(&self, position: &Position) -> String {
        picture::svg(self, position, None)
    }

    fn cells(&self, position: &Position) -> Vec<kibitz_game::Cell> {
        picture::cells(self, position)
    }

    fn clicks(&self, position: &Position, mv: Move, _: &[kibitz_game::Cell]) -> Vec<Vec<String>> {
        picture::clicks(self, position, mv)
    }

    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        Some(picture::svg(self, position, Some(mv)))
    }

    fn svg_of_line(&self, position: &Position, moves: &[Move]) -> Option<String> {
        Some(picture::svg_of_line(self, position, moves))
    }
}

impl Configure for SameGame {
    const SUMMARY: &'static str = "remove groups of one colour from a board that falls together: a puzzle for one";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("rows", 15, (1, ROWS as i64), "rows of the board"),
            Parameter::integer("cols", 15, (1, COLUMNS as i64), "columns of the board"),
            Parameter::integer("colours", 5, (1, 9), "colours of the blocks"),
            Parameter::integer(
                "position",
                0,
                (0, 20),
                "the position of the standard test set; 0 draws one by the seed",
            ),
            Parameter::integer("seed", 1, (0, i64::MAX), "draws the colours at the start"),
            Parameter::word("penalty", &["literal", "singleton-free", "none"], "what blocks that are left cost"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let [rows, cols, colours, standard] =
            ["rows", "cols", "colours", "position"].map(|name| params.integer(name) as usize);
        let penalty = match params.word("penalty") {
            "literal" => Penalty::Literal,
            "singleton-free" => Penalty::SingletonFree,
            _ => Penalty::None,
        };
        let mut start = Position { columns: Columns::EMPTY, points: 0 };
        if standard == 0 {
            let mut random = Random::new(params.integer("seed") as u64);
            for cell in (0..cols).flat_map(|column| (0..rows).map(move |row| ROWS * column + row)) {
                start.columns.put(cell as Cell, 1 + random.below(colours) as u8);
            }
        }
        let mut game = Self { rows, cols, colours: colours as u8, penalty, start };
        if standard > 0 {
            if (rows, cols, colours) != (15, 15, 5) {
                return Err(BadParameter(format!(
                    "position={standard} of the standard test set has 15 rows, 15 columns and 5 colours, not {rows}, {cols} and {colours}"
                )));
            }
            game.start = notation::read(&game, standard::POSITIONS[standard - 1]).map_err(|bad| BadParameter(bad.0))?;
        }
        Ok(game)
    }
}
