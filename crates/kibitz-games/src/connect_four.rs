//! Connect Four (Howard Wexler, 1974), on boards of any size.

use kibitz_game::text::{self, Grid, Names, Piece, Squares};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn,
};

use crate::draw::{in_line, next_of};
use crate::lines::{self, Ending, Lines, side_to_move};

const RULES: &str = "\
The board stands upright. X and O take turns to drop a disc of their own into a column that is not full; it falls to the \
lowest empty square. X begins. The player who first has `k` discs in an unbroken row, column or diagonal (four, unless \
another number is given) wins at once; a longer line wins as well. A full board without a line is a draw.

Howard Wexler and Ned Strongin designed the game, and Milton Bradley published it in 1974. On six rows and seven columns \
the first player wins, by the middle column only (J. D. Allen and L. V. Allis, independently, 1988).

**Positions** are rows from the top with `X`, `O` and `.`, then the side to move: \
`......./......./......./...O.../...X.../..OXX.. O`. The slashes and the side may be left out. **Moves** are the numbers \
of columns, from 1 at the left.

**Evaluation**: 20 points for each disc and each line of `k` squares through it in which the opponent has no disc, so \
that discs near the middle count most and a blocked line counts nothing; a win counts 10,000.";

/// The rules of Connect Four on a board that fits into `B`.
#[derive(Clone, Debug)]
pub struct ConnectFour<B: Bits = u64> {
    rows: u32,
    cols: u32,
    /// All squares.
    board: B,
    /// The lowest row.
    bottom: B,
    lines: Lines,
}

/// A position: square `col * (rows + 1) + row`, counted from the lower left; the square above a column stays empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    discs: [B; 2],
    turn: u8,
    ending: Ending,
    /// Whether null moves have left the turn to the wrong player; otherwise the discs say whose turn it is.
    passed: bool,
}

const UNIT: Score = 10_000;

/// A move: the square where the disc comes to rest.
type Move = u8;

impl<B: Bits> ConnectFour<B> {
    /// Where the next disc of each column comes to rest.
    #[inline(always)]
    fn landings(&self, position: &Position<B>) -> B {
        let occupied = position.discs[0] | position.discs[1];
        (occupied << 1 | self.bottom) & !occupied & self.board
    }

    fn col(&self, mv: Move) -> u32 {
        u32::from(mv) / (self.rows + 1)
    }

    /// The square at a row counted from the top.
    fn at(&self, row: usize, col: usize) -> u32 {
        col as u32 * (self.rows + 1) + self.rows - 1 - row as u32
    }

    fn cell(&self, position: &Position<B>, row: usize, col: usize) -> char {
        let square = self.at(row, col);
        match position.discs.map(|discs| discs.has(square)) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        }
    }
}

impl<B: Bits> Game for ConnectFour<B> {
    type Position = Position<B>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        Position { discs: [B::EMPTY; 2], turn: 0, ending: Ending::None, passed: false }
    }

    #[inline(always)]
    fn turn(&self, position: &Position<B>) -> Turn {
        if position.ending == Ending::None { Turn::Player(position.turn) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, position: &Position<B>, out: &mut Vec<Move>) {
        if position.ending == Ending::None {
            out.extend(self.landings(position).squares().map(|square| square as Move));
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position<B>, mv: Move) {
        let own = &mut position.discs[usize::from(position.turn & 1)];
        *own |= B::square(u32::from(mv));
        position.ending = if self.lines.any_new(*own, u32::from(mv)) {
            Ending::Line
        } else if position.discs[0] | position.discs[1] == self.board {
            Ending::Full
        } else {
            Ending::None
        };
        position.turn ^= 1;
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
        lines::key(&position.discs) ^ u64::from(position.passed).wrapping_neg()
    }

    fn write(&self, position: &Position<B>) -> String {
        let grid = text::write_grid(self.rows as usize, self.cols as usize, |r, c| self.cell(position, r, c));
        format!("{grid} {}", if position.turn == 0 { 'X' } else { 'O' })
    }

    fn read(&self, text: &str) -> Result<Position<B>, BadText> {
        let text = text.trim();
        let (grid, side) = text.split_once(' ').unwrap_or((text, ""));
        let cells = text::parse_grid(grid, self.rows as usize, self.cols as usize, "XO.")?;
        let mut discs = [B::EMPTY; 2];
        for (i, &cell) in cells.iter().enumerate() {
            let square = B::square(self.at(i / self.cols as usize, i % self.cols as usize));
            match cell {
                'X' => discs[0] |= square,
                'O' => discs[1] |= square,
                _ => {}
            }
        }
        let occupied = discs[0] | discs[1];
        if let Some(square) = (occupied & !(occupied << 1 | self.bottom)).squares().next() {
            let col = self.col(square as Move) + 1;
            return Err(BadText::new(format!("a disc in column {col} has nothing below it")));
        }
        let turn = side_to_move(discs, side)?;
        let [own, other] = [turn, 1 - turn].map(|side| discs[side as usize]);
        if self.lines.any(own) {
            return Err(BadText::new("the side to move has a line already; it cannot be its turn"));
        }
        let uppermost = occupied & !(occupied >> 1);
        let line = self.lines.any(other);
        if line && !self.lines.made_by_one_of(other, uppermost) {
            return Err(BadText::new("no single move can have made all these lines"));
        }
        let ending = if line {
            Ending::Line
        } else if occupied == self.board {
            Ending::Full
        } else {
            Ending::None
        };
        Ok(Position { discs, turn, ending, passed: false })
    }

    fn write_move(&self, _: &Position<B>, mv: Move) -> String {
        (self.col(mv) + 1).to_string()
    }
}

impl<B: Bits> Evaluate for ConnectFour<B> {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position<B>, player: usize) -> Score {
        let [x, o] = position.discs;
        let lines = |own: B, other: B| self.lines.open_through(own, self.board & !other) as Score;
        let value = (20 * (lines(x, o) - lines(o, x))).clamp(1 - UNIT, UNIT - 1);
        if player == 0 { value } else { -value }
    }

    /// The discs on the board.
    #[inline]
    fn progress(&self, position: &Position<B>) -> Option<u32> {
        Some((position.discs[0] | position.discs[1]).count())
    }
}

impl<B: Bits> Order for ConnectFour<B> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        ((self.rows + 1) * self.cols) as usize
    }

    #[inline(always)]
    fn index(&self, _: &Position<B>, mv: Move) -> usize {
        usize::from(mv)
    }

    /// The middle columns first.
    #[inline(always)]
    fn hint(&self, _: &Position<B>, mv: Move) -> i32 {
        -((2 * self.col(mv)).abs_diff(self.cols - 1) as i32)
    }
}

impl<B: Bits> Playout for ConnectFour<B> {
    #[inline(always)]
    fn random_move(&self, position: &Position<B>, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let landings = self.landings(position);
        landings.nth(random.below(landings.count() as usize) as u32) as Move
    }

    /// Keeps the landing squares from move to move.
    #[inline]
    fn playout(&self, position: &mut Position<B>, random: &mut Random, _: &mut Vec<Move>, plies: u32) -> u32 {
        if position.ending != Ending::None {
            return 0;
        }
        let turn = usize::from(position.turn & 1);
        let (mut own, mut other) = (position.discs[turn], position.discs[1 - turn]);
        let mut landings = self.landings(position);
        let mut played = 0;
        let mut ending = Ending::None;
        while played < plies {
            let square = landings.nth(random.below(landings.count() as usize) as u32);
            let disc = B::square(square);
            landings ^= disc | (disc << 1 & self.board);
            own |= disc;
            played += 1;
            (own, other) = (other, own);
            if self.lines.any_new(other, square) {
                ending = Ending::Line;
                break;
            }
            if landings.is_empty() {
                ending = Ending::Full;
                break;
            }
        }
        let turn = turn ^ (played & 1) as usize;
        position.discs = if turn == 0 { [own, other] } else { [other, own] };
        position.turn = turn as u8;
        position.ending = ending;
        played
    }
}

impl<B: Bits> Chance for ConnectFour<B> {}
impl<B: Bits> Hidden for ConnectFour<B> {}
impl<B: Bits> Repetition for ConnectFour<B> {}
impl<B: Bits> Ranked for ConnectFour<B> {}
impl<B: Bits> Puzzle for ConnectFour<B> {}

impl<B: Bits> AnyTurn for ConnectFour<B> {
    const PASSES: bool = true;

    #[inline(always)]
    fn pass(&self, position: &mut Position<B>) -> bool {
        position.turn ^= 1;
        position.passed ^= true;
        true
    }
}

impl<B: Bits> ConnectFour<B> {
    fn grid(&self) -> Grid {
        let (rows, cols) = (self.rows as usize, self.cols as usize);
        Grid { rows, cols, squares: Squares::Holes, names: Names::Columns }
    }

    fn piece(&self, position: &Position<B>, row: usize, col: usize) -> Piece {
        Piece::of_letter(self.cell(position, row, col), [('X', Piece::Red), ('O', Piece::Yellow)])
    }
}

impl<B: Bits> Draw for ConnectFour<B> {
    fn board(&self, position: &Position<B>) -> String {
        let (rows, cols) = (self.rows as usize, self.cols as usize);
        text::named_board_of_grid(rows, cols, Names::Columns, |r, c| self.cell(position, r, c))
    }

    fn svg(&self, position: &Position<B>) -> String {
        let line = match position.ending {
            Ending::Line => in_line(&self.lines, position.discs[usize::from(1 - position.turn)], self.rows + 1),
            _ => B::EMPTY,
        };
        text::svg_of_grid(self.grid(), next_of([Piece::Red, Piece::Yellow], self.turn(position)), |r, c| {
            (self.piece(position, r, c), line.has(self.at(r, c)))
        })
    }

    fn cells(&self, position: &Position<B>) -> Vec<Cell> {
        self.grid().cells(|row, col| self.piece(position, row, col))
    }
}

impl<B: Bits> Configure for ConnectFour<B> {
    const SUMMARY: &'static str = "drop discs into columns; four in a row win";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("rows", 6, (2, 15), "rows of the board"),
            Parameter::integer("cols", 7, (2, 16), "columns of the board"),
            Parameter::integer("k", 4, (2, 15), "discs in a row that win"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let [rows, cols, k] = ["rows", "cols", "k"].map(|name| params.integer(name) as u32);
        if k > rows.max(cols) {
            return Err(BadParameter(format!("k={k} does not fit on {rows} times {cols} squares")));
        }
        if (rows + 1) * cols > B::SQUARES {
            return Err(BadParameter(format!(
                "{rows} times {cols} squares and a guard row do not fit into {}",
                B::SQUARES
            )));
        }
        let set = |height: u32| {
            (0..(rows + 1) * cols).filter(|s| s % (rows + 1) < height).fold(B::EMPTY, |set, s| set | B::square(s))
        };
        Ok(Self { rows, cols, board: set(rows), bottom: set(1), lines: Lines::new(k, false, cols, rows) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> ConnectFour {
        ConnectFour::configure(&Params::complete(&ConnectFour::<u64>::parameters(), []).unwrap()).unwrap()
    }

    fn after(game: &ConnectFour, moves: &str) -> Position<u64> {
        moves.split(' ').fold(game.start(), |mut position, text| {
            let mv = game.read_move(&position, text).unwrap();
            game.play(&mut position, mv);
            position
        })
    }

    #[test]
    fn four_in_any_direction_win() {
        let game = game();
        for moves in ["1 2 1 2 1 2 1", "1 1 2 2 3 3 4", "1 2 2 3 3 4 3 4 4 6 4", "7 6 6 5 5 4 5 4 4 2 4"] {
            let position = after(&game, moves);
            assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, UNIT), "{moves}");
            assert_eq!(game.score(&position, 1), -UNIT);
        }
    }

    #[test]
    fn a_full_column_takes_no_disc() {
        let game = game();
        let position = after(&game, "1 1 1 1 1 1");
        assert!(game.read_move(&position, "1").is_err());
        assert_eq!(game.write(&position), "O....../X....../O....../X....../O....../X...... X");
    }

    #[test]
    fn a_disc_in_the_middle_is_worth_more_than_one_at_the_edge() {
        let game = game();
        assert!(game.evaluate(&after(&game, "4"), 0) > game.evaluate(&after(&game, "1"), 0));
        assert_eq!(game.evaluate(&after(&game, "1"), 0), 60);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = game();
        for (text, reason) in [
            ("......./......./......./......./...X.../....... O", "column 4 has nothing below"),
            ("......./......./......./......./......./..XX... O", "X has 2 and O has 0"),
            ("......./......./......./......./......./..XO... O", "it is X's turn"),
            ("......./......./......./......./OOO..../XXXX... X", "it is O's turn"),
            ("......./......./......./......./OOOO.../XXXX... X", "it cannot be its turn"),
            ("......./......./......./O....../OOOXXXX/XXXXOOO O", "no single move"),
        ] {
            let error = game.read(text).unwrap_err().0;
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn pictures_number_the_columns() {
        let game = game();
        assert!(game.board(&game.start()).ends_with("\n     1 2 3 4 5 6 7"));
    }
}
