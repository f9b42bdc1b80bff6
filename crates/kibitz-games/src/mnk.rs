//! m,n,k-games: k in a row on a board of any size.

use kibitz_game::text::{self, Grid, Names, Piece, Squares};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn,
};

use crate::draw::{in_line, next_of};
use crate::lines::{self, Ending, Lines, side_to_move};

const RULES: &str = "\
X and O take turns to put a stone of their own on an empty square; X begins. Stones never move. The player who first has \
`k` stones in an unbroken row, column or diagonal wins at once; a longer line wins as well, unless `exact` is set, when a \
line of more than `k` stones counts for nothing. A full board without a line is a draw.

Three in a row on three by three squares is tic-tac-toe, known since antiquity; five in a row on fifteen by fifteen is \
gomoku, free-style as it stands and without overlines when `exact` is set. The family is surveyed in J. Uiterwijk and \
H. J. van den Herik, *The Advantage of the Initiative* (2000). The second player never has a winning strategy, because an \
additional stone does no harm (which is no argument when `exact` is set).

**Positions** are rows from the top with `X`, `O` and `.`, then the side to move: `XOX/XO./O.. X`. The slashes and the \
side may be left out. **Moves** are the names of squares, `a1` at the lower left.

**Evaluation**: lines that a player can still make are worth 400, 60 or 8 points if one, two or three stones are \
missing, as the difference between the players; the player to move gets half as much again for the own ones. A \
line that lacks one stone and can be finished at once is worth 9,000, and a win 10,000.";

/// The rules of an m,n,k-game on a board that fits into `B`.
#[derive(Clone, Debug)]
pub struct Mnk<B: Bits = u64> {
    rows: u32,
    cols: u32,
    /// The difference between the numbers of a square and the one above it: small boards have no guard column.
    stride: u32,
    /// All squares.
    board: B,
    lines: Lines,
    /// Where lines run from, in each direction.
    inside: [B; 4],
    /// One bit for every set of squares of a small board: whether it holds a line.
    won: Box<[u64]>,
    /// How near to the middle a square is: from 7 there to -7 in the corners.
    central: Box<[i8]>,
    /// The lines of a small board.
    small_lines: Box<[SmallLine]>,
}

/// Boards with up to as many squares look lines up in a table.
const SMALL: u32 = 16;

/// A line of a small board, and the squares where a stone would make it too long.
#[derive(Clone, Copy, Debug)]
struct SmallLine {
    squares: u64,
    flanks: u64,
}

/// All lines of a small board.
fn small_lines(rows: u32, cols: u32, k: u32, exact: bool) -> Box<[SmallLine]> {
    let square = |row: i32, col: i32| {
        let inside = (0..rows as i32).contains(&row) && (0..cols as i32).contains(&col);
        inside.then(|| 1u64 << (row * cols as i32 + col))
    };
    let mut lines = Vec::new();
    for (row, col) in (0..rows as i32).flat_map(|row| (0..cols as i32).map(move |col| (row, col))) {
        for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let at = |n: i32| square(row + n * up, col + n * right);
            let Some(squares) = (0..k as i32).map(at).try_fold(0, |set, square| Some(set | square?)) else { continue };
            let flanks = [-1, k as i32].into_iter().filter_map(at).fold(0, |set, square| set | square);
            lines.push(SmallLine { squares, flanks: if exact { flanks } else { 0 } });
        }
    }
    lines.into()
}

const UNIT: Score = 10_000;
/// The value of a line that the player to move can finish.
const FINISHED: Score = 9_000;
/// The value of a line that lacks one stone, two and three.
const MISSING: [Score; 3] = [400, 60, 8];

/// A position: square `row * stride + col`, counted from the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    stones: [B; 2],
    turn: u8,
    ending: Ending,
    /// Whether null moves have left the turn to the wrong player; otherwise the stones say whose turn it is.
    passed: bool,
}

/// A move: the square.
type Move = u16;

impl<B: Bits> Mnk<B> {
    /// Whether `stones` hold a line, when they held none before the one on `square` was added.
    #[inline(always)]
    fn wins(&self, stones: B, square: u32) -> bool {
        if self.won.is_empty() {
            self.lines.any_new(stones, square)
        } else {
            let set = stones.words()[0];
            self.won[(set >> 6) as usize].has(set as u32 & 63)
        }
    }

    /// As [`Lines::unfinished`], for any board.
    #[inline(always)]
    fn unfinished(&self, position: &Position<B>) -> [[u32; 3]; 2] {
        if self.small_lines.is_empty() {
            return self.lines.unfinished(position.stones, &self.inside);
        }
        let [x, o] = position.stones.map(|stones| stones.words()[0]);
        let mut found = [[0; 3]; 2];
        for &SmallLine { squares, flanks } in &self.small_lines {
            let missing = (squares & !(x | o)).count_ones().wrapping_sub(1) as usize;
            for (counts, [own, other]) in found.iter_mut().zip([[x, o], [o, x]]) {
                if let Some(count) = counts.get_mut(missing) {
                    *count += u32::from(other & squares == 0 && own & flanks == 0);
                }
            }
        }
        found
    }

    /// The stones on a board with a guard column, where [`Lines`] can be asked.
    fn guarded(&self, stones: B) -> B {
        stones.squares().fold(B::EMPTY, |set, square| {
            set | B::square(square / self.stride * (self.cols + 1) + square % self.stride)
        })
    }

    fn free(&self, position: &Position<B>) -> B {
        self.board & !(position.stones[0] | position.stones[1])
    }

    /// The square at a row counted from the top.
    fn at(&self, row: usize, col: usize) -> u32 {
        (self.rows - 1 - row as u32) * self.stride + col as u32
    }

    fn cell(&self, position: &Position<B>, row: usize, col: usize) -> char {
        let square = self.at(row, col);
        match position.stones.map(|stones| stones.has(square)) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        }
    }
}

impl<B: Bits> Game for Mnk<B> {
    type Position = Position<B>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        Position { stones: [B::EMPTY; 2], turn: 0, ending: Ending::None, passed: false }
    }

    #[inline(always)]
    fn turn(&self, position: &Position<B>) -> Turn {
        if position.ending == Ending::None { Turn::Player(position.turn) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, position: &Position<B>, out: &mut Vec<Move>) {
        if position.ending == Ending::None {
            out.extend(self.free(position).squares().map(|square| square as Move));
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position<B>, mv: Move) {
        let own = &mut position.stones[usize::from(position.turn & 1)];
        *own |= B::square(u32::from(mv));
        position.ending = if self.wins(*own, u32::from(mv)) {
            Ending::Line
        } else if self.free(position).is_empty() {
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
        lines::key(&position.stones) ^ u64::from(position.passed).wrapping_neg()
    }

    fn write(&self, position: &Position<B>) -> String {
        let grid = text::write_grid(self.rows as usize, self.cols as usize, |r, c| self.cell(position, r, c));
        format!("{grid} {}", if position.turn == 0 { 'X' } else { 'O' })
    }

    fn read(&self, text: &str) -> Result<Position<B>, BadText> {
        let text = text.trim();
        let (grid, side) = text.split_once(' ').unwrap_or((text, ""));
        let cells = text::parse_grid(grid, self.rows as usize, self.cols as usize, "XO.")?;
        let mut stones = [B::EMPTY; 2];
        for (i, &cell) in cells.iter().enumerate() {
            let square = B::square(self.at(i / self.cols as usize, i % self.cols as usize));
            match cell {
                'X' => stones[0] |= square,
                'O' => stones[1] |= square,
                _ => {}
            }
        }
        let turn = side_to_move(stones, side)?;
        let [own, other] = [turn, 1 - turn].map(|side| self.guarded(stones[side as usize]));
        if self.lines.any(own) {
            return Err(BadText::new("the side to move has a line already; it cannot be its turn"));
        }
        let line = self.lines.any(other);
        if line && !self.lines.made_by_one_of(other, other) {
            return Err(BadText::new("no single move can have made all these lines"));
        }
        let mut position = Position { stones, turn, ending: Ending::None, passed: false };
        if line {
            position.ending = Ending::Line;
        } else if self.free(&position).is_empty() {
            position.ending = Ending::Full;
        }
        Ok(position)
    }

    fn write_move(&self, _: &Position<B>, mv: Move) -> String {
        let square = u32::from(mv);
        text::square_name((square / self.stride) as usize, (square % self.stride) as usize)
    }
}

impl<B: Bits> Evaluate for Mnk<B> {
    const INFORMED: bool = true;

    #[inline(always)]
    fn evaluate(&self, position: &Position<B>, player: usize) -> Score {
        let turn = usize::from(position.turn & 1);
        let unfinished = self.unfinished(position);
        let [own, other] = [unfinished[turn], unfinished[1 - turn]];
        let worth =
            |counts: [u32; 3]| MISSING.iter().zip(counts).map(|(&value, count)| value * count as Score).sum::<Score>();
        let value = if own[0] > 0 { FINISHED } else { (worth(own) * 3 / 2 - worth(other)).clamp(-FINISHED, FINISHED) };
        if player == turn { value } else { -value }
    }

    /// The stones on the board.
    #[inline]
    fn progress(&self, position: &Position<B>) -> Option<u32> {
        Some((position.stones[0] | position.stones[1]).count())
    }
}

impl<B: Bits> Order for Mnk<B> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        (self.rows * self.stride) as usize
    }

    #[inline(always)]
    fn index(&self, _: &Position<B>, mv: Move) -> usize {
        usize::from(mv)
    }

    /// The middle of the board first.
    #[inline(always)]
    fn hint(&self, _: &Position<B>, mv: Move) -> i32 {
        i32::from(self.central[usize::from(mv)])
    }
}

impl<B: Bits> Playout for Mnk<B> {
    #[inline(always)]
    fn random_move(&self, position: &Position<B>, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let free = self.free(position);
        free.nth(random.below(free.count() as usize) as u32) as Move
    }

    /// Keeps the set of empty squares and their number from move to move.
    #[inline]
    fn playout(&self, position: &mut Position<B>, random: &mut Random, _: &mut Vec<Move>, plies: u32) -> u32 {
        if position.ending != Ending::None {
            return 0;
        }
        let turn = usize::from(position.turn & 1);
        let (mut own, mut other) = (position.stones[turn], position.stones[1 - turn]);
        let mut free = self.free(position);
        let count = free.count();
        let mut played = 0;
        let mut ending = Ending::None;
        while played < plies {
            let square = free.nth(random.below((count - played) as usize) as u32);
            free ^= B::square(square);
            own |= B::square(square);
            played += 1;
            (own, other) = (other, own);
            if self.wins(other, square) {
                ending = Ending::Line;
                break;
            }
            if played == count {
                ending = Ending::Full;
                break;
            }
        }
        let turn = turn ^ (played & 1) as usize;
        position.stones = if turn == 0 { [own, other] } else { [other, own] };
        position.turn = turn as u8;
        position.ending = ending;
        played
    }
}

impl<B: Bits> Chance for Mnk<B> {}
impl<B: Bits> Hidden for Mnk<B> {}
impl<B: Bits> Repetition for Mnk<B> {}
impl<B: Bits> Ranked for Mnk<B> {}
impl<B: Bits> Puzzle for Mnk<B> {}

impl<B: Bits> AnyTurn for Mnk<B> {
    const PASSES: bool = true;

    #[inline(always)]
    fn pass(&self, position: &mut Position<B>) -> bool {
        position.turn ^= 1;
        position.passed ^= true;
        true
    }
}

impl<B: Bits> Mnk<B> {
    fn grid(&self) -> Grid {
        let (rows, cols) = (self.rows as usize, self.cols as usize);
        Grid { rows, cols, squares: Squares::Plain, names: Names::FromBottom }
    }

    fn piece(&self, position: &Position<B>, row: usize, col: usize) -> Piece {
        Piece::of_letter(self.cell(position, row, col), [('X', Piece::Cross), ('O', Piece::Ring)])
    }
}

impl<B: Bits> Draw for Mnk<B> {
    fn board(&self, position: &Position<B>) -> String {
        text::board_of_grid(self.rows as usize, self.cols as usize, |r, c| self.cell(position, r, c))
    }

    fn svg(&self, position: &Position<B>) -> String {
        let line = match position.ending {
            Ending::Line => {
                let winner = self.guarded(position.stones[usize::from(1 - position.turn)]);
                in_line(&self.lines, winner, self.cols + 1)
            }
            _ => B::EMPTY,
        };
        text::svg_of_grid(self.grid(), next_of([Piece::Cross, Piece::Ring], self.turn(position)), |r, c| {
            (self.piece(position, r, c), line.has((self.rows - 1 - r as u32) * (self.cols + 1) + c as u32))
        })
    }

    fn cells(&self, position: &Position<B>) -> Vec<Cell> {
        self.grid().cells(|row, col| self.piece(position, row, col))
    }
}

impl<B: Bits> Configure for Mnk<B> {
    const SUMMARY: &'static str = "k in a row on any board: tic-tac-toe, gomoku and their relatives";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("rows", 3, (1, 19), "rows of the board"),
            Parameter::integer("cols", 3, (1, 19), "columns of the board"),
            Parameter::integer("k", 3, (1, 19), "stones in a row that win"),
            Parameter::flag("exact", false, "whether a line of more than k stones counts for nothing"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let [rows, cols, k] = ["rows", "cols", "k"].map(|name| params.integer(name) as u32);
        if k > rows.max(cols) {
            return Err(BadParameter(format!("k={k} does not fit on {rows} times {cols} squares")));
        }
        if rows * (cols + 1) > B::SQUARES {
            return Err(BadParameter(format!(
                "{rows} times {cols} squares and a guard column do not fit into {}",
                B::SQUARES
            )));
        }
        let lines = Lines::new(k, params.flag("exact"), rows, cols);
        let stride = if rows * cols <= SMALL { cols } else { cols + 1 };
        let squares = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let mut central = vec![0; (rows * stride) as usize];
        for (row, col) in squares() {
            let away = (2 * row).abs_diff(rows - 1) + (2 * col).abs_diff(cols - 1);
            central[(row * stride + col) as usize] = 7 - (14 * away / (rows + cols - 2).max(1)) as i8;
        }
        let board = squares().fold(B::EMPTY, |set, (row, col)| set | B::square(row * stride + col));
        let mut game = Self {
            rows,
            cols,
            stride,
            board,
            inside: lines.inside(board),
            lines,
            won: Box::default(),
            central: central.into(),
            small_lines: Box::default(),
        };
        if rows * cols <= SMALL {
            let mut won = vec![0; 1 << (rows * cols).saturating_sub(6)];
            for set in 0..1u64 << (rows * cols) {
                let stones = set.squares().fold(B::EMPTY, |stones, square| stones | B::square(square));
                won[(set >> 6) as usize] |= u64::from(game.lines.any(game.guarded(stones))) << (set & 63);
            }
            game.won = won.into();
            game.small_lines = small_lines(rows, cols, k, params.flag("exact"));
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Value;

    fn game(rows: i64, cols: i64, k: i64, exact: bool) -> Mnk {
        let given = [("rows", rows), ("cols", cols), ("k", k)].map(|(name, n)| (name.to_owned(), Value::Integer(n)));
        let given = given.into_iter().chain([("exact".to_owned(), Value::Flag(exact))]);
        Mnk::configure(&Params::complete(&Mnk::<u64>::parameters(), given).unwrap()).unwrap()
    }

    fn after(game: &Mnk, moves: &str) -> Position<u64> {
        moves.split(' ').fold(game.start(), |mut position, text| {
            let mv = game.read_move(&position, text).unwrap();
            game.play(&mut position, mv);
            position
        })
    }

    #[test]
    fn three_in_a_row_wins_and_a_full_board_is_a_draw() {
        let game = game(3, 3, 3, false);
        let won = after(&game, "a1 b1 b2 c1 c3");
        assert_eq!((game.turn(&won), game.score(&won, 0), game.score(&won, 1)), (Turn::Over, UNIT, -UNIT));
        let full = after(&game, "b2 a1 a3 c1 b1 b3 a2 c2 c3");
        assert_eq!((game.turn(&full), game.score(&full, 0)), (Turn::Over, 0));
        assert_eq!(game.write(&full), "XOX/XXO/OXO O");
    }

    #[test]
    fn an_overline_wins_only_when_lines_need_not_be_exact() {
        let moves = "a1 a2 b1 b2 d1 d2 c1";
        assert_eq!(game(2, 9, 3, false).turn(&after(&game(2, 9, 3, false), moves)), Turn::Over);
        assert_eq!(game(2, 9, 3, true).turn(&after(&game(2, 9, 3, true), moves)), Turn::Player(1));
    }

    #[test]
    fn lines_that_can_still_be_made_are_worth_something() {
        let game = game(5, 5, 4, false);
        let value = |text: &str, player: usize| game.evaluate(&game.read(text).unwrap(), player);
        // X can finish a line at once, and O could
        assert_eq!(value("...../...../XXX../OO.../O....", 0), FINISHED);
        assert_eq!(value("...../...../XXX../OO.../.....", 0), -value("...../...../XXX../OO.../.....", 1));
        assert!(value("...../...../XXX../OO.../.....", 0) > MISSING[0] / 2);
        // a line with stones of both is worth nothing
        assert!(value("...../.X.../.OX../..O../.....", 0) < value("...../.X.../..X../O...O/.....", 0));
        // of two lines that lack one stone one remains
        assert!(value("OO.../...../.XXX./..O../.....", 1) < -MISSING[0]);
    }

    #[test]
    fn small_boards_count_the_same_lines_as_large_ones() {
        for (rows, cols, k) in [(3, 3, 3), (4, 4, 3), (4, 4, 4), (2, 7, 3), (1, 9, 5), (16, 1, 2), (3, 5, 1)] {
            for exact in [false, true] {
                let game = game(rows, cols, k, exact);
                for seed in 0..40 {
                    let mut position = game.start();
                    game.playout(&mut position, &mut Random::new(seed), &mut Vec::new(), seed as u32 % 9);
                    let guarded = position.stones.map(|stones| game.guarded(stones));
                    let inside = game.lines.inside(game.guarded(game.board));
                    let mut large = game.lines.unfinished(guarded, &inside);
                    // directions in which no line fits repeat one in which it does
                    let repeated = if k == 1 || k > rows.min(cols) { 4 } else { 1 };
                    large.iter_mut().flatten().for_each(|count| *count /= repeated);
                    let mut small = game.unfinished(&position);
                    if k == 1 {
                        small.iter_mut().flatten().for_each(|count| *count /= 4);
                    }
                    assert_eq!(small, large, "{rows}x{cols} {k} {exact}: {}", game.write(&position));
                }
            }
        }
    }

    #[test]
    fn hints_are_between_minus_seven_and_seven() {
        for (rows, cols) in [(3, 3), (1, 1), (5, 9), (7, 7)] {
            let game = game(rows, cols, rows.min(cols), false);
            let mut moves = Vec::new();
            game.moves(&game.start(), &mut moves);
            let hints: Vec<i32> = moves.iter().map(|&mv| game.hint(&game.start(), mv)).collect();
            assert!(hints.iter().all(|hint| (-7..=7).contains(hint)), "{hints:?}");
            assert!(rows * cols == 1 || (hints.contains(&7) && hints.contains(&-7)), "{hints:?}");
        }
    }

    #[test]
    fn the_side_to_move_and_the_slashes_may_be_left_out() {
        let game = game(3, 3, 3, false);
        for text in ["XOX/XO./O..", "XOXXO.O..", " XOXXO.O..   X "] {
            assert_eq!(game.write(&game.read(text).unwrap()), "XOX/XO./O.. X");
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = game(3, 3, 3, false);
        for (text, reason) in [
            ("", "cells"),
            ("XOX/XO. X", "rows"),
            ("XX./.../... X", "X has 2 and O has 0"),
            ("O../.../... X", "X has 0 and O has 1"),
            ("XOX/XO./O.. O", "it is X's turn"),
            ("XOX/XO./O.. Z", "not \"Z\""),
            ("XXX/OO./O.. X", "it cannot be its turn"),
            ("OOO/XXX/... X", "it cannot be its turn"),
        ] {
            let error = game.read(text).unwrap_err().0;
            assert!(error.contains(reason), "{text}: {error}");
        }
        let wide = self::game(4, 4, 3, false);
        assert!(wide.read("XXX./OO.O/O.O./XXX. O").unwrap_err().0.contains("no single move"));
    }

    #[test]
    fn a_board_that_does_not_fit_is_refused() {
        let given = [("rows", 8), ("cols", 8)].map(|(name, n)| (name.to_owned(), Value::Integer(n)));
        let params = Params::complete(&Mnk::<u64>::parameters(), given).unwrap();
        assert!(Mnk::<u64>::configure(&params).is_err());
        assert!(Mnk::<kibitz_game::Wide<4>>::configure(&params).is_ok());
        let params = Params::complete(&Mnk::<u64>::parameters(), [("k".to_owned(), Value::Integer(4))]).unwrap();
        assert!(Mnk::<u64>::configure(&params).unwrap_err().0.contains("k=4"));
    }
}
