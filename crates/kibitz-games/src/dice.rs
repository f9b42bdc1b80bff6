//! Dice (Thomas Hauk, 2004): a row of checkers, but a die says where the next one goes.

use kibitz_game::text::{self, Grid, Names, Piece, Squares};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

use crate::draw::{in_line, next_of};
use crate::lines::{self, Ending, Lines};
use crate::noise::Noise;

const RULES: &str = "\
The players C (columns) and R (rows) take turns on an empty board of `size` by `size` cells; C begins. Before each move a fair die \
with `size` sides is rolled. It names a column if C is to move and a row if R is, counted from the left and from the bottom, and the player \
puts a checker on any empty cell of it. Checkers never move. The first player with `k` own checkers in an unbroken row, column \
or diagonal wins; by default `k` is `size`, so that only whole rows and columns and the two long diagonals count.

The source says neither what happens when the line that was rolled is full nor how a game ends that nobody can win any more. \
With `full=reroll` a die that names a full line is rolled again, so that all other lines are equally likely; with `full=pass` the \
player passes. The game is a draw as soon as neither player can make a line.

T. Hauk, *Search in Trees with Chance Nodes* (M.Sc. thesis, Edmonton 2004), has the game as a test bed for searches; M. Schadd, \
*Selective Search in Games of Different Complexity* (2011), chapter 5, plays it on 5 by 5 and on 11 by 11 cells.

**Positions** are rows from the top with `C`, `R` and `.`, then the player to move, then the number of the die unless it has not been \
rolled: `.../.C./... R 2`. When the die names a full line and the player has to pass, it is `full`. **Moves** are the die and the \
cell, `4:d2`, or `pass`; the outcomes of the die are its numbers, and `full` for all full lines together.

**Values** with best play, as the probability that C wins less the probability that R wins: 1 on 2 by 2 cells, 6079/17496 on 3 by 3 \
and 0.0844535 on 4 by 4; with `full=pass` they are 1/2 and 392411/1469664 on 2 by 2 and 3 by 3.

**Evaluation**: a checker counts one point times the share of the lines through its cell that have no checker of the opponent, \
so that a blocked one counts nothing. A win counts ten points (10,000 units inside a search). `noise` adds a number between \
−`noise` and `noise` thousandths of a point, drawn by lot, by `seed`, for each position.";

/// The rules of Dice on a board that fits into `B`.
#[derive(Clone, Debug)]
pub struct Dice<B: Bits = u64> {
    size: u32,
    /// Whether a player passes when the line that was rolled is full.
    passes: bool,
    /// All cells; after each row there is one that is never occupied.
    board: B,
    columns: Box<[B]>,
    rows: Box<[B]>,
    lines: Lines,
    /// Every line that wins.
    winning: Box<[B]>,
    /// For each cell the lines of `winning` through it.
    through: Box<[Box<[u16]>]>,
    /// For each cell [`WHOLE`] divided by the number of lines through it.
    share: Box<[Score]>,
    /// As long as a player has fewer checkers, there is a line that it has not blocked.
    blocking: u32,
    noise: Noise,
}

/// A position: cell `row * (size + 1) + col`, counted from the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    checkers: [B; 2],
    turn: u8,
    /// The number of the die less one; [`UNROLLED`], or [`FULL`].
    die: u8,
    ending: Ending,
}

/// A cell, or at a chance node the number of the die less one.
type Move = u16;

const UNROLLED: u8 = 255;
/// The die names a full line.
const FULL: u8 = 254;
/// A player passes.
const PASS: Move = 1 << 8;

const UNIT: Score = 10_000;
/// A checker that nobody blocks.
const POINT: Score = 1_000;
/// The same, in the units in which shares of it are added up.
const WHOLE: Score = 1_000_000;

impl<B: Bits> Dice<B> {
    fn occupied(position: &Position<B>) -> B {
        position.checkers[0] | position.checkers[1]
    }

    /// The columns if C is to move, the rows if R is.
    #[inline(always)]
    fn lines_of(&self, turn: u8) -> &[B] {
        if turn == 0 { &self.columns } else { &self.rows }
    }

    /// The empty cells of the line that was rolled.
    #[inline(always)]
    fn free(&self, position: &Position<B>) -> B {
        self.lines_of(position.turn)[usize::from(position.die)] & !Self::occupied(position)
    }

    /// How many of the lines that the die may name are full.
    #[inline(always)]
    fn full(&self, position: &Position<B>) -> u32 {
        let occupied = Self::occupied(position);
        self.lines_of(position.turn).iter().filter(|&&line| (line & !occupied).is_empty()).count() as u32
    }

    /// Whether every line has checkers of both players.
    #[inline(always)]
    fn dead(&self, checkers: [B; 2]) -> bool {
        checkers.iter().all(|own| own.count() >= self.blocking)
            && self.winning.iter().all(|&line| checkers.iter().all(|&own| !(line & own).is_empty()))
    }

    fn cell(&self, position: &Position<B>, row: usize, col: usize) -> char {
        let cell = self.at(row, col);
        match position.checkers.map(|checkers| checkers.has(cell)) {
            [true, _] => 'C',
            [_, true] => 'R',
            _ => '.',
        }
    }

    /// The cell at a row counted from the top.
    fn at(&self, row: usize, col: usize) -> u32 {
        (self.size - 1 - row as u32) * (self.size + 1) + col as u32
    }

    /// How the game has ended if the player who moved last has these lines.
    fn ending(&self, checkers: [B; 2], line: bool) -> Ending {
        if line {
            Ending::Line
        } else if self.dead(checkers) {
            Ending::Dead
        } else if (self.board & !(checkers[0] | checkers[1])).is_empty() {
            Ending::Full
        } else {
            Ending::None
        }
    }
}

impl<B: Bits> Game for Dice<B> {
    type Position = Position<B>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        Position { checkers: [B::EMPTY; 2], turn: 0, die: UNROLLED, ending: Ending::None }
    }

    #[inline(always)]
    fn turn(&self, position: &Position<B>) -> Turn {
        if position.ending != Ending::None {
            Turn::Over
        } else if position.die == UNROLLED {
            Turn::Chance
        } else {
            Turn::Player(position.turn)
        }
    }

    #[inline]
    fn moves(&self, position: &Position<B>, out: &mut Vec<Move>) {
        match position.die {
            _ if position.ending != Ending::None => {}
            UNROLLED => {
                let occupied = Self::occupied(position);
                let begin = out.len();
                let lines = self.lines_of(position.turn).iter().enumerate();
                out.extend(lines.filter(|(_, line)| !(**line & !occupied).is_empty()).map(|(n, _)| n as Move));
                if self.passes && out.len() - begin < self.size as usize {
                    out.push(Move::from(FULL));
                }
            }
            FULL => out.push(PASS),
            _ => out.extend(self.free(position).squares().map(|cell| cell as Move)),
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position<B>, mv: Move) {
        if position.die == UNROLLED {
            position.die = mv as u8;
            return;
        }
        if mv != PASS {
            let own = &mut position.checkers[usize::from(position.turn & 1)];
            *own |= B::square(u32::from(mv));
            let line = self.lines.any_new(*own, u32::from(mv));
            position.ending = self.ending(position.checkers, line);
        }
        position.turn ^= 1;
        position.die = UNROLLED;
    }

    #[inline(always)]
    fn score(&self, position: &Position<B>, player: usize) -> Score {
        match position.ending {
            Ending::Line if player == usize::from(position.turn) => -UNIT,
            Ending::Line => UNIT,
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
    fn key(&self, position: &Position<B>) -> u64 {
        mix(lines::key(&position.checkers), u64::from(position.die) << 1 | u64::from(position.turn))
    }

    fn write(&self, position: &Position<B>) -> String {
        let size = self.size as usize;
        let grid = text::write_grid(size, size, |r, c| self.cell(position, r, c));
        let die = match position.die {
            UNROLLED => String::new(),
            FULL => " full".to_owned(),
            die => format!(" {}", die + 1),
        };
        format!("{grid} {}{die}", ['C', 'R'][usize::from(position.turn)])
    }

    fn read(&self, text: &str) -> Result<Position<B>, BadText> {
        let size = self.size as usize;
        let mut words = text.split_whitespace();
        let cells = text::parse_grid(words.next().unwrap_or(""), size, size, "CR.")?;
        let mut checkers = [B::EMPTY; 2];
        for (i, &cell) in cells.iter().enumerate() {
            let square = B::square(self.at(i / size, i % size));
            match cell {
                'C' => checkers[0] |= square,
                'R' => checkers[1] |= square,
                _ => {}
            }
        }
        let turn = match words.next() {
            Some("C") => 0,
            Some("R") => 1,
            Some(other) => return Err(BadText::new(format!("the player to move is C or R, not {other:?}"))),
            None => return Err(BadText::new("the player to move, C or R, is missing")),
        };
        let [c, r] = checkers.map(Bits::count);
        if !self.passes && c != r + u32::from(turn) {
            return Err(BadText::new(format!(
                "C has {c} and R has {r} checkers; nobody passes, so C has as many as R when it is C's turn and one more when it is R's"
            )));
        }
        let [own, other] = [checkers[usize::from(turn)], checkers[usize::from(1 - turn)]];
        if self.lines.any(own) {
            return Err(BadText::new("the player to move has a line already; it cannot be that player's turn"));
        }
        let line = self.lines.any(other);
        if line && !self.lines.made_by_one_of(other, other) {
            return Err(BadText::new("no single move can have made all these lines"));
        }
        let ending = self.ending(checkers, line);
        let mut position = Position { checkers, turn, die: UNROLLED, ending };
        if let Some(word) = words.next() {
            if ending != Ending::None {
                return Err(BadText::new("the game is over; no die is rolled"));
            }
            let plain = word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
            let number = word.parse::<u8>().ok().filter(|number| plain && (1..=self.size as u8).contains(number));
            position.die = match (word, number) {
                ("full", _) if !self.passes => {
                    return Err(BadText::new("a die that names a full line is rolled again: give full=pass"));
                }
                ("full", _) if self.full(&position) == 0 => return Err(BadText::new("no line is full")),
                ("full", _) => FULL,
                (_, Some(number)) => number - 1,
                _ => {
                    return Err(BadText::new(format!(
                        "the die shows a number from 1 to {}, or full, not {word:?}",
                        self.size
                    )));
                }
            };
            if position.die != FULL && self.free(&position).is_empty() {
                return Err(BadText::new(format!("line {word} is full")));
            }
        }
        if words.next().is_some() {
            return Err(BadText::new("there is something after the die"));
        }
        Ok(position)
    }

    fn write_move(&self, position: &Position<B>, mv: Move) -> String {
        if position.die == UNROLLED {
            return if mv == Move::from(FULL) { "full".to_owned() } else { (mv + 1).to_string() };
        }
        if mv == PASS {
            return "pass".to_owned();
        }
        let cell = usize::from(mv);
        let stride = self.size as usize + 1;
        format!("{}:{}", position.die + 1, text::square_name(cell / stride, cell % stride))
    }
}

impl<B: Bits> Evaluate for Dice<B> {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position<B>, player: usize) -> Score {
        let [c, r] = position.checkers;
        let mut sum = 0;
        for &line in &self.winning {
            let (own, other) = (line & c, line & r);
            if other.is_empty() {
                sum += own.squares().map(|cell| self.share[cell as usize]).sum::<Score>();
            } else if own.is_empty() {
                sum -= other.squares().map(|cell| self.share[cell as usize]).sum::<Score>();
            }
        }
        // shares of thirds do not quite add up to the whole
        let value = (sum + (WHOLE / POINT / 2) * sum.signum()) / (WHOLE / POINT);
        let value = (value + self.noise.of(|| self.key(position))).clamp(1 - UNIT, UNIT - 1);
        if player == 0 { value } else { -value }
    }

    /// The checkers on the board.
    #[inline]
    fn progress(&self, position: &Position<B>) -> Option<u32> {
        Some(Self::occupied(position).count())
    }
}

impl<B: Bits> Order for Dice<B> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        // cells, what the die shows, a full line and a pass
        (self.size * (self.size + 1) + self.size + 2) as usize
    }

    #[inline(always)]
    fn index(&self, position: &Position<B>, mv: Move) -> usize {
        let cells = (self.size * (self.size + 1)) as usize;
        match mv {
            PASS => cells + self.size as usize + 1,
            _ if position.die != UNROLLED => usize::from(mv),
            mv if mv == Move::from(FULL) => cells + self.size as usize,
            mv => cells + usize::from(mv),
        }
    }

    /// Cells that finish a line or stop one first, then those on the longest lines that only one player has.
    #[inline]
    fn hint(&self, position: &Position<B>, mv: Move) -> i32 {
        if position.die == UNROLLED || mv == PASS {
            return 0;
        }
        let turn = usize::from(position.turn & 1);
        let (own, other) = (position.checkers[turn], position.checkers[1 - turn]);
        let length = self.lines.length();
        let worth = |&line: &u16| {
            let line = self.winning[usize::from(line)];
            let (mine, theirs) = ((line & own).count(), (line & other).count());
            match (mine, theirs) {
                (mine, 0) if mine + 1 == length => 7,
                (0, theirs) if theirs + 1 == length => 6,
                (mine, 0) => (5 * mine / length) as i32,
                (0, theirs) => (5 * theirs / length) as i32,
                _ => 0,
            }
        };
        self.through[usize::from(mv)].iter().map(worth).max().unwrap_or(0)
    }
}

impl<B: Bits> Chance for Dice<B> {
    const CHANCE: bool = true;
    const ALWAYS_CHANCE: bool = true;

    #[inline]
    fn probability(&self, position: &Position<B>, outcome: Move) -> f64 {
        let full = self.full(position);
        if self.passes {
            f64::from(if outcome == Move::from(FULL) { full } else { 1 }) / f64::from(self.size)
        } else {
            1.0 / f64::from(self.size - full)
        }
    }

    fn outcomes(&self, position: &Position<B>, out: &mut Vec<(Move, f64)>) {
        let (occupied, full) = (Self::occupied(position), self.full(position));
        let thrown = if self.passes { self.size } else { self.size - full };
        let lines = self.lines_of(position.turn).iter().enumerate();
        let open = lines.filter(|(_, line)| !(**line & !occupied).is_empty());
        out.extend(open.map(|(n, _)| (n as Move, 1.0 / f64::from(thrown))));
        if self.passes && full > 0 {
            out.push((Move::from(FULL), f64::from(full) / f64::from(thrown)));
        }
    }

    #[inline]
    fn sample(&self, position: &Position<B>, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let occupied = Self::occupied(position);
        let lines = self.lines_of(position.turn);
        loop {
            let die = random.below(lines.len());
            if !(lines[die] & !occupied).is_empty() {
                return die as Move;
            }
            if self.passes {
                return Move::from(FULL);
            }
        }
    }
}

impl<B: Bits> Playout for Dice<B> {
    #[inline]
    fn random_move(&self, position: &Position<B>, random: &mut Random, _: &mut Vec<Move>) -> Move {
        if position.die == FULL {
            return PASS;
        }
        let free = self.free(position);
        free.nth(random.below(free.count() as usize) as u32) as Move
    }
}

impl<B: Bits> Hidden for Dice<B> {}
impl<B: Bits> Repetition for Dice<B> {}
impl<B: Bits> Ranked for Dice<B> {}
impl<B: Bits> Puzzle for Dice<B> {}
impl<B: Bits> AnyTurn for Dice<B> {}

impl<B: Bits> Dice<B> {
    fn grid(&self) -> Grid {
        let size = self.size as usize;
        Grid { rows: size, cols: size, squares: Squares::Plain, names: Names::FromBottom }
    }

    fn piece(&self, position: &Position<B>, row: usize, col: usize) -> Piece {
        Piece::of_letter(self.cell(position, row, col), [('C', Piece::White), ('R', Piece::Black)])
    }
}

impl<B: Bits> Draw for Dice<B> {
    fn board(&self, position: &Position<B>) -> String {
        let size = self.size as usize;
        let grid = text::board_of_grid(size, size, |r, c| self.cell(position, r, c));
        let name = ['C', 'R'][usize::from(position.turn)];
        let state = match (position.ending, position.die) {
            (Ending::Line, _) => format!("{} has won", ['R', 'C'][usize::from(position.turn)]),
            (Ending::None, UNROLLED) => format!("{name} rolls"),
            (Ending::None, FULL) => format!("{name} has to pass"),
            (Ending::None, die) => format!("{name} has rolled {}", die + 1),
            _ => "a draw".to_owned(),
        };
        format!("{grid}\n{state}")
    }

    fn svg(&self, position: &Position<B>) -> String {
        // the line that wins, or the cells that may be chosen
        let marked = match (position.ending, position.die) {
            (Ending::Line, _) => in_line(&self.lines, position.checkers[usize::from(1 - position.turn)], self.size + 1),
            (Ending::None, die) if die != UNROLLED && die != FULL => self.free(position),
            _ => B::EMPTY,
        };
        let next = if position.ending == Ending::None { Turn::Player(position.turn) } else { Turn::Over };
        text::svg_of_grid(self.grid(), next_of([Piece::White, Piece::Black], next), |r, c| {
            (self.piece(position, r, c), marked.has(self.at(r, c)))
        })
    }

    fn cells(&self, position: &Position<B>) -> Vec<Cell> {
        self.grid().cells(|row, col| self.piece(position, row, col))
    }
}

impl<B: Bits> Configure for Dice<B> {
    const SUMMARY: &'static str = "a row of checkers, where a die names the column or the row of the next one";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        let mut parameters = vec![
            Parameter::integer("size", 5, (2, 15), "rows and columns of the board, and sides of the die"),
            Parameter::integer("k", 0, (0, 15), "checkers in a row that win; 0 for as many as there are rows"),
            Parameter::word("full", &["reroll", "pass"], "what happens when the line that was rolled is full"),
        ];
        parameters.extend(Noise::parameters());
        parameters
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let [size, k] = ["size", "k"].map(|name| params.integer(name) as u32);
        let k = if k == 0 { size } else { k };
        if k == 1 {
            return Err(BadParameter(
                "k=1 is won by the first checker: give at least 2, or 0 for the whole board".to_owned(),
            ));
        }
        if k > size {
            return Err(BadParameter(format!("k={k} does not fit on {size} times {size} cells")));
        }
        let stride = size + 1;
        if size * stride > B::SQUARES {
            return Err(BadParameter(format!(
                "{size} times {size} cells and a guard column do not fit into {}",
                B::SQUARES
            )));
        }
        let set = |cells: &mut dyn Iterator<Item = u32>| cells.fold(B::EMPTY, |set, cell| set | B::square(cell));
        let rows: Box<[B]> = (0..size).map(|row| set(&mut (0..size).map(|col| row * stride + col))).collect();
        let columns = (0..size).map(|col| set(&mut (0..size).map(|row| row * stride + col))).collect();
        let board = rows.iter().fold(B::EMPTY, |board, &row| board | row);
        let lines = Lines::new(k, false, size, size);
        let winning: Box<[B]> = lines.all(board).into();
        let through: Box<[Box<[u16]>]> = (0..size * stride)
            .map(|cell| (0..winning.len()).filter(|&line| winning[line].has(cell)).map(|line| line as u16).collect())
            .collect();
        Ok(Self {
            size,
            passes: params.word("full") == "pass",
            board,
            columns,
            rows,
            lines,
            share: through.iter().map(|lines| WHOLE / (lines.len().max(1) as Score)).collect(),
            winning,
            through,
            // so many lines side by side have no cell in common
            blocking: size / k * size,
            noise: Noise::configure(params),
        })
    }
}

#[cfg(test)]
mod tests;
