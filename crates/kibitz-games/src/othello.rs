//! Othello (Goro Hasegawa, 1971), on boards of 4, 6 and 8 squares a side.

use kibitz_game::text::{self, Grid, Names, Piece, Squares};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

use crate::draw::next_of;
use crate::flipping::{self, Lines, each};

const RULES: &str = "\
Four discs stand in the middle at the start, two of each colour on the diagonals; Black has the one that runs up to the \
right. Black begins. A move puts a disc on an empty square so that, in at least one of the eight directions, an unbroken \
line of enemy discs lies between the new disc and another of the same colour; all enemy discs in all such lines are \
turned over. A player who has such a move must play one, and one who has none must pass. The game is over when neither \
player can move.

With `result=win` the player with more discs wins, and equal numbers are a draw; with `result=discs` the result is the \
difference of the discs on the board (empty squares go to nobody).

Goro Hasegawa brought the game out in 1971; its ancestor Reversi is from 1883. Othello on four by four squares is a win \
for White by eight discs, and on six by six by four (J. Feinstein, 1993).

**Positions** are rows from the top with `x` for Black, `o` for White and `.`, then the side to move: \
`......../......../......../...ox.../...xo.../......../......../........ x`. **Moves** are names of squares, with the \
rows numbered from the top as players of Othello do: `a1` is the upper left corner, and Black's first moves are `d3`, \
`c4`, `f5` and `e6`. A pass is `pass`.

**Evaluation**: 800 points a corner, 60 points for each legal move (of the player to move, and of the other one if it \
were that one's turn), and for discs that help the other side: 50 points for one beside an empty square, and 60 more on \
the edge, 360 more on the diagonal, beside an empty corner; all as differences. A win counts 10,000 with `result=win`, \
and a disc counts 100 with `result=discs`.";

/// The rules of Othello.
#[derive(Clone, Debug)]
pub struct Othello {
    size: usize,
    /// Whether the result is the difference of the discs.
    discs: bool,
    /// The greatest result.
    high: Score,
    /// All squares.
    board: u64,
    /// The squares that are not in the leftmost or the rightmost column.
    inner: u64,
    /// Where discs can be enclosed in each of the four directions: sideways only in the inner columns.
    enclosed: Lines,
    corners: u64,
    not_left: u64,
    not_right: u64,
    /// The squares in each direction from a square, towards greater and towards smaller ones.
    rays: [[Lines; 2]; 64],
    /// The corner that a square is or is beside, and nothing for a pass; of a size that needs no check of a move.
    corner_near: [u64; 256],
}

/// A position: square `8 * row + col`, counted from the upper left, on smaller boards as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The discs of the player to move and of the other one.
    discs: [u64; 2],
    /// Where the player to move may put a disc; empty for a pass and at the end.
    legal: u64,
    turn: u8,
    over: bool,
}

impl Position {
    /// The discs of Black and of White.
    #[inline(always)]
    pub fn black_and_white(&self) -> [u64; 2] {
        let [own, other] = self.discs;
        if self.turn == 0 { [own, other] } else { [other, own] }
    }
}

const WIN: Score = 10_000;
const DISC: Score = 100;

const CORNER: Score = 800;
/// A legal move.
const MOBILITY: Score = 60;
/// A disc beside an empty square, which gives the other side moves.
const FRONTIER: Score = 50;
/// A disc beside an empty corner on the edge, and on the diagonal: both help the other side to the corner.
const BESIDE_CORNER: Score = 60;
const BEFORE_CORNER: Score = 360;

/// A move: the square, or [`PASS`].
type Move = u8;
const PASS: Move = 64;

impl Othello {
    /// Where the owner of `own` may put a disc.
    #[inline(always)]
    fn legal(&self, own: u64, other: u64) -> u64 {
        flipping::enclosing(own, each(|i| other & self.enclosed[i])) & self.board & !(own | other)
    }

    /// The position with `turn` to move, who has `own`.
    #[inline(always)]
    fn position(&self, own: u64, other: u64, turn: u8) -> Position {
        let legal = self.legal(own, other);
        let over = legal == 0 && self.legal(other, own) == 0;
        Position { discs: [own, other], legal, turn, over }
    }

    fn cell(position: &Position, row: usize, col: usize) -> char {
        let square = (8 * row + col) as u32;
        match position.black_and_white().map(|discs| discs.has(square)) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '.',
        }
    }
}

impl Game for Othello {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        let middle = self.size / 2;
        let square = |row: usize, col: usize| 1 << (8 * row + col);
        let black = square(middle - 1, middle) | square(middle, middle - 1);
        let white = square(middle - 1, middle - 1) | square(middle, middle);
        self.position(black, white, 0)
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.turn) }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.legal != 0 {
            // into an array of fixed size first, and copied as a whole: faster than asking for room at every move
            let mut list = [0; 64];
            for (place, square) in list.iter_mut().zip(position.legal.squares()) {
                *place = square as Move;
            }
            let end = out.len() + position.legal.count() as usize;
            out.extend_from_slice(&list);
            out.truncate(end);
        } else if !position.over {
            out.push(PASS);
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let [mut own, mut other] = position.discs;
        if mv != PASS {
            let turned = flipping::turned(&self.rays[usize::from(mv & 63)], own, other);
            own |= u64::square(u32::from(mv)) | turned;
            other ^= turned;
        }
        *position = self.position(other, own, 1 - position.turn);
    }

    #[inline(always)]
    fn score(&self, position: &Position, player: usize) -> Score {
        let [own, other] = position.discs.map(|discs| discs.count_ones() as Score);
        let difference = if player == usize::from(position.turn) { own - other } else { other - own };
        if self.discs { DISC * difference } else { WIN * difference.signum() }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -self.high, high: self.high }
    }

    fn unit(&self) -> Score {
        if self.discs { DISC } else { WIN }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [black, white] = position.black_and_white();
        // the turn is added after the mixing, where it cannot be mistaken for a disc
        mix(black, white) ^ u64::from(position.turn).wrapping_neg()
    }

    fn write(&self, position: &Position) -> String {
        let grid = text::write_grid(self.size, self.size, |r, c| Self::cell(position, r, c));
        format!("{grid} {}", if position.turn == 0 { 'x' } else { 'o' })
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let (grid, side) =
            text.trim().split_once(' ').ok_or_else(|| BadText::new("the side to move, x or o, is missing"))?;
        let turn = match side.trim() {
            "x" => 0,
            "o" => 1,
            other => return Err(BadText::new(format!("the side to move is x or o, not {other:?}"))),
        };
        let cells = text::parse_grid(grid, self.size, self.size, "xo.")?;
        let mut discs = [0; 2];
        for (i, &cell) in cells.iter().enumerate() {
            let square = 1 << (8 * (i / self.size) + i % self.size);
            match cell {
                'x' => discs[0] |= square,
                'o' => discs[1] |= square,
                _ => {}
            }
        }
        let [black, white] = discs;
        let start = self.start().discs;
        if (start[0] | start[1]) & !(black | white) != 0 {
            return Err(BadText::new("the four squares in the middle are never empty"));
        }
        Ok(if turn == 0 { self.position(black, white, 0) } else { self.position(white, black, 1) })
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        if mv == PASS { "pass".to_owned() } else { text::square_name(usize::from(mv / 8), usize::from(mv % 8)) }
    }
}

impl Evaluate for Othello {
    const INFORMED: bool = true;

    #[inline(always)]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let [own, other] = position.discs;
        let more = |a: u64, b: u64| a.count_ones() as Score - b.count_ones() as Score;
        let empty = self.board & !(own | other);
        let corners = empty & self.corners;
        let beside = (corners << 1 | corners >> 1) & self.inner;
        let edge = beside | corners << 8 | corners >> 8;
        let diagonal = beside << 8 | beside >> 8;
        let row = empty | (empty & self.not_right) << 1 | (empty & self.not_left) >> 1;
        let frontier = row | row << 8 | row >> 8;
        // counted in moves: as a sum of five products this would become vectors, which are slower at so few
        const { assert!(BESIDE_CORNER % MOBILITY == 0 && BEFORE_CORNER % MOBILITY == 0) };
        let near_corners = BESIDE_CORNER / MOBILITY * more(own & edge, other & edge)
            + BEFORE_CORNER / MOBILITY * more(own & diagonal, other & diagonal);
        let value = CORNER * more(own & self.corners, other & self.corners)
            + MOBILITY * (more(position.legal, self.legal(other, own)) - near_corners)
            - FRONTIER * more(own & frontier, other & frontier);
        let value = value.max(1 - self.high).min(self.high - 1);
        if player == usize::from(position.turn) { value } else { -value }
    }

    /// The discs on the board.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        Some((position.discs[0] | position.discs[1]).count_ones())
    }
}

impl Order for Othello {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        usize::from(PASS) + 1
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }

    /// Corners first, and the squares beside an empty corner last.
    #[inline(always)]
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        let corner = self.corner_near[usize::from(mv)];
        let occupied = position.discs[0] | position.discs[1];
        2 * i32::from(corner.has(u32::from(mv & 63))) - i32::from(corner & !occupied != 0)
    }
}

impl Playout for Othello {
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let legal = position.legal;
        if legal == 0 {
            return PASS;
        }
        legal.nth(random.below(legal.count_ones() as usize) as u32) as Move
    }
}

impl Chance for Othello {}
impl Repetition for Othello {}
impl Ranked for Othello {}
impl Puzzle for Othello {}

impl AnyTurn for Othello {
    const PASSES: bool = true;

    /// A player without a move has to pass anyway.
    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        if position.legal == 0 {
            return false;
        }
        let [own, other] = position.discs;
        *position = self.position(other, own, 1 - position.turn);
        true
    }
}

impl Hidden for Othello {}

impl Othello {
    fn grid(&self) -> Grid {
        Grid { rows: self.size, cols: self.size, squares: Squares::Plain, names: Names::FromTop }
    }

    fn piece(position: &Position, row: usize, col: usize) -> Piece {
        Piece::of_letter(Self::cell(position, row, col), [('x', Piece::Black), ('o', Piece::White)])
    }
}

impl Draw for Othello {
    fn board(&self, position: &Position) -> String {
        text::named_board_of_grid(self.size, self.size, Names::FromTop, |r, c| Self::cell(position, r, c))
    }

    fn svg(&self, position: &Position) -> String {
        text::svg_of_grid(self.grid(), next_of([Piece::Black, Piece::White], self.turn(position)), |r, c| {
            (Self::piece(position, r, c), false)
        })
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        self.grid().cells(|row, col| Self::piece(position, row, col))
    }
}

impl Configure for Othello {
    const SUMMARY: &'static str = "enclose enemy discs to turn them over; the majority at the end wins";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("size", 8, (4, 8), "rows and columns of the board: 4, 6 or 8"),
            Parameter::word("result", &["win", "discs"], "what counts: winning, or the difference of the discs"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let size = params.integer("size") as usize;
        if size % 2 == 1 {
            return Err(BadParameter(format!("size={size} has no middle of four squares; use 4, 6 or 8")));
        }
        let set = |wanted: &dyn Fn(usize, usize) -> bool| {
            let square = |s: &usize| s / 8 < size && s % 8 < size && wanted(s / 8, s % 8);
            (0..64).filter(square).fold(0, |set, s| set | 1 << s)
        };
        let edge = |i: usize| i == 0 || i == size - 1;
        let inner = set(&|_, col| !edge(col));
        let corners = set(&|row, col| edge(row) && edge(col));
        let corner_near = std::array::from_fn(|square| {
            let near = |row: usize, col: usize| row.abs_diff(square / 8) <= 1 && col.abs_diff(square % 8) <= 1;
            if square < 64 { corners & set(&near) } else { 0 }
        });
        let rays = std::array::from_fn(|square| flipping::rays(square, size));
        let discs = params.word("result") == "discs";
        Ok(Self {
            size,
            discs,
            high: if discs { DISC * (size * size) as Score } else { WIN },
            board: set(&|_, _| true),
            inner,
            enclosed: [inner, u64::MAX, inner, inner],
            corners,
            not_left: set(&|_, col| col > 0),
            not_right: set(&|_, col| col < size - 1),
            rays,
            corner_near,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Value;

    fn game(size: i64, result: &str) -> Othello {
        let given = [("size".to_owned(), Value::Integer(size)), ("result".to_owned(), Value::Word(result.to_owned()))];
        Othello::configure(&Params::complete(&Othello::parameters(), given).unwrap()).unwrap()
    }

    fn moves(game: &Othello, position: &Position) -> Vec<String> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves.into_iter().map(|mv| game.write_move(position, mv)).collect()
    }

    fn after(game: &Othello, text: &str, mv: &str) -> Position {
        let mut position = game.read(text).unwrap();
        let mv = game.read_move(&position, mv).unwrap();
        game.play(&mut position, mv);
        position
    }

    #[test]
    fn black_has_four_first_moves() {
        let game = game(8, "win");
        assert_eq!(moves(&game, &game.start()), ["d3", "c4", "f5", "e6"]);
        assert!(game.board(&game.start()).starts_with("  1  . . ."));
    }

    #[test]
    fn a_disc_turns_all_lines_that_it_closes() {
        let game = game(4, "win");
        assert_eq!(game.write(&after(&game, "...x/.xoo/.ooo/.xo. x", "d4")), "...x/.xox/.oxx/.xxx o");
    }

    #[test]
    fn lines_do_not_run_around_the_edge() {
        let game = game(8, "win");
        let text = "......xo/......../......../...xx.../...xx.../......../......../........ x";
        assert_eq!(moves(&game, &game.read(text).unwrap()), ["pass"]);
    }

    #[test]
    fn a_player_without_a_move_passes_and_two_of_them_end_the_game() {
        let game = game(4, "discs");
        let position = game.read("xoo./xxxx/xxxx/xxxx o").unwrap();
        assert_eq!(moves(&game, &position), ["pass"]);
        let position = after(&game, "xoo./xxxx/xxxx/xxxx o", "pass");
        assert_eq!(moves(&game, &position), ["d1"]);
        let end = after(&game, "xoo./xxxx/xxxx/xxxx x", "d1");
        assert_eq!(game.turn(&end), Turn::Over);
        assert_eq!((game.score(&end, 0), game.score(&end, 1)), (1600, -1600));
        assert_eq!(game.result(1600.0), 16.0);
    }

    #[test]
    fn corners_are_good_and_the_squares_before_them_bad() {
        let game = game(8, "win");
        let value = |text: &str| game.evaluate(&game.read(text).unwrap(), 0);
        let with = |rows: &str| format!("{rows}/......../...xo.../...ox.../......../......../........ x");
        let even = value(&with("......../........"));
        // a lonely disc has three empty neighbours in the corner, and eight elsewhere; none gives or takes a move
        assert_eq!(value(&with("x......./........")), even + CORNER - FRONTIER);
        assert_eq!(value(&with(".x....../........")), even - FRONTIER - BESIDE_CORNER);
        assert_eq!(value(&with("......../x.......")), even - FRONTIER - BESIDE_CORNER);
        assert_eq!(value(&with("......../.x......")), even - FRONTIER - BEFORE_CORNER);
        assert_eq!(value(&with("......../.......o")), even + FRONTIER + BESIDE_CORNER);
        assert_eq!(value(&with("......../......o.")), even + FRONTIER + BEFORE_CORNER);
    }

    #[test]
    fn impossible_positions_and_boards_are_refused() {
        let game = game(4, "win");
        for (text, reason) in [
            ("..../.ox./.xo./....", "side to move"),
            ("..../.ox./.xo./.... w", "not \"w\""),
            ("..../.o../.xo./.... x", "never empty"),
            ("..../.oX./.xo./.... x", "'X'"),
        ] {
            let error = game.read(text).unwrap_err().0;
            assert!(error.contains(reason), "{text}: {error}");
        }
        let params = Params::complete(&Othello::parameters(), [("size".to_owned(), Value::Integer(5))]).unwrap();
        assert!(Othello::configure(&params).is_err());
    }
}
