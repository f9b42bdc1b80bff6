//! Breakthrough (Dan Troyka, 2001), on boards of any size.

use kibitz_game::text::{self, Grid, Names, Piece, Squares};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

use crate::draw::next_of;

const RULES: &str = "\
White fills the two lowest rows, Black the two highest; White moves first and the players take turns. A piece moves one \
square straight or diagonally forward onto an empty square. It captures an enemy piece diagonally forward only, and \
never has to. The player whose piece reaches the opponent's last row wins at once, and so does a player who has captured \
everything. There are no draws, and a player with a piece always has a move.

**Positions** are rows from the top with `w`, `b` and `.`, then the side to move: \
`bbbbbbbb/bbbbbbbb/......../......../......../......../wwwwwwww/wwwwwwww w`. **Moves** are `b2-b3`, and `b2xc3` for a \
capture; `b2b3` is understood too.

**Evaluation**: 150 points a piece; 0 to 150 points for its square, rising with every row but for a few points for \
guards on the first one; 130 points for an enemy piece that can be captured and is not defended, 20 if it is not one's \
turn. A piece one row before its goal counts 9,900 points if it is its turn, and 9,800 if it is not and cannot be \
captured. With `evaluation=schadd` it is 200 points a piece and 50 points for every row that a side's most advanced \
piece has left behind, as in M. Schadd, *Selective Search in Games of Different Complexity* (2011), chapter 5. A win \
counts 10,000.";

/// The rules of Breakthrough on a board that fits into `B`.
#[derive(Clone, Debug)]
pub struct Breakthrough<B: Bits = u64> {
    rows: u32,
    cols: u32,
    ranks: u32,
    /// All squares.
    board: B,
    /// The squares of the lowest row, where Black arrives.
    bottom: B,
    /// The squares of the highest row, where White arrives.
    top: B,
    not_left: B,
    not_right: B,
    /// The squares whose worth for White, in units of [`STEP`], has this binary digit, and the same for Black.
    worth: [[B; 4]; 2],
    /// Whether positions are judged as in Schadd's thesis.
    schadd: bool,
}

/// A position: square `row * cols + col`, counted from the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    pub(crate) white: B,
    pub(crate) black: B,
    pub(crate) turn: u8,
}

const WHITE: u8 = 0;
const UNIT: Score = 10_000;
/// The value of a piece, and of one unit of a square's worth.
const PIECE: Score = 150;
const STEP: Score = 10;
/// The value of a piece that can be captured and is not defended, for the side to move and for the other side.
const HANGING: [Score; 2] = [130, 20];
/// The values of arriving with the next move, and of the move after it.
const ARRIVES: [Score; 2] = [9_900, -9_800];
/// The worth of a square by the row, on eight rows; a piece at home guards it.
const WORTH: [u32; 8] = [3, 0, 1, 3, 5, 8, 13, 15];

/// A move: the square left in the low byte, the square entered in the high byte.
type Move = u16;

fn squares(mv: Move) -> (u32, u32) {
    (u32::from(mv & 255), u32::from(mv >> 8))
}

impl<B: Bits> Breakthrough<B> {
    /// The targets of the side to move: straight ahead, towards the left and towards the right.
    #[inline(always)]
    fn targets(&self, position: &Position<B>) -> [B; 3] {
        let Position { white, black, turn } = *position;
        let free = self.board & !(white | black);
        if turn == WHITE {
            [
                white << self.cols & free,
                (white & self.not_left) << (self.cols - 1) & self.board & !white,
                (white & self.not_right) << (self.cols + 1) & self.board & !white,
            ]
        } else {
            [
                black >> self.cols & free,
                (black & self.not_left) >> (self.cols + 1) & !black,
                (black & self.not_right) >> (self.cols - 1) & !black,
            ]
        }
    }

    /// The move that enters `to` in one of the three directions.
    #[inline(always)]
    fn entering(&self, to: u32, direction: usize, turn: u8) -> Move {
        let sideways = [0, -1, 1][direction];
        let from = if turn == WHITE {
            to as i32 - self.cols as i32 - sideways
        } else {
            to as i32 + self.cols as i32 - sideways
        };
        from as u16 | (to as u16) << 8
    }

    /// The evaluation of Schadd's thesis for White, without bounds.
    #[inline]
    pub(crate) fn material_and_race(&self, position: &Position<B>) -> Score {
        let material = position.white.count() as Score - position.black.count() as Score;
        let highest = |set: B| {
            set.words().iter().rposition(|&w| w != 0).map_or(0, |i| 64 * i as u32 + 63 - set.words()[i].leading_zeros())
        };
        let white = self.row(highest(position.white));
        let black = self.rows - 1 - self.row(position.black.lowest());
        200 * material + 50 * (white as Score - black as Score)
    }

    /// All squares.
    #[inline(always)]
    pub(crate) fn squares(&self) -> B {
        self.board
    }

    /// Whether White and whether Black has reached the last row.
    pub(crate) fn arrived(&self, position: &Position<B>) -> [bool; 2] {
        [!(position.white & self.top).is_empty(), !(position.black & self.bottom).is_empty()]
    }

    /// The pieces and the side to move of a text, with no more pieces than at the start and at most one that has arrived.
    pub(crate) fn read_pieces(&self, text: &str) -> Result<Position<B>, BadText> {
        let (grid, side) =
            text.trim().split_once(' ').ok_or_else(|| BadText::new("the side to move, w or b, is missing"))?;
        let turn = match side.trim() {
            "w" => WHITE,
            "b" => 1 - WHITE,
            other => return Err(BadText::new(format!("the side to move is w or b, not {other:?}"))),
        };
        let cells = text::parse_grid(grid, self.rows as usize, self.cols as usize, "wb.")?;
        let mut position = Position { white: B::EMPTY, black: B::EMPTY, turn };
        for (i, &cell) in cells.iter().enumerate() {
            let square = B::square(self.at(i / self.cols as usize, i % self.cols as usize));
            match cell {
                'w' => position.white |= square,
                'b' => position.black |= square,
                _ => {}
            }
        }
        if self.arrived(&position)[usize::from(turn)] {
            return Err(BadText::new("the side to move has won already; it cannot be its turn"));
        }
        if (position.white & self.top).count() + (position.black & self.bottom).count() > 1 {
            return Err(BadText::new("the game ends with the first piece that arrives; there cannot be two"));
        }
        let full = self.ranks * self.cols;
        if position.white.count() > full || position.black.count() > full {
            return Err(BadText::new(format!("a side has at most {full} pieces")));
        }
        Ok(position)
    }

    fn row(&self, square: u32) -> u32 {
        square / self.cols
    }

    pub(crate) fn name(&self, square: u32) -> String {
        text::square_name(self.row(square) as usize, (square % self.cols) as usize)
    }

    /// The board with the piece that has arrived pointed out.
    pub(crate) fn picture(&self, position: &Position<B>, turn: Turn) -> String {
        let arrived = position.white & self.top | position.black & self.bottom;
        text::svg_of_grid(self.grid(), next_of([Piece::White, Piece::Black], turn), |r, c| {
            (self.piece(position, r, c), arrived.has(self.at(r, c)))
        })
    }

    fn grid(&self) -> Grid {
        let (rows, cols) = (self.rows as usize, self.cols as usize);
        Grid { rows, cols, squares: Squares::Chequered, names: Names::FromBottom }
    }

    fn piece(&self, position: &Position<B>, row: usize, col: usize) -> Piece {
        Piece::of_letter(self.cell(position, row, col), [('w', Piece::White), ('b', Piece::Black)])
    }

    /// The square at a row counted from the top.
    fn at(&self, row: usize, col: usize) -> u32 {
        (self.rows - 1 - row as u32) * self.cols + col as u32
    }

    fn cell(&self, position: &Position<B>, row: usize, col: usize) -> char {
        let square = self.at(row, col);
        match (position.white.has(square), position.black.has(square)) {
            (true, _) => 'w',
            (_, true) => 'b',
            _ => '.',
        }
    }
}

impl<B: Bits> Game for Breakthrough<B> {
    type Position = Position<B>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        let full = self.ranks * self.cols;
        let (mut white, mut black) = (B::EMPTY, B::EMPTY);
        for square in 0..full {
            white |= B::square(square);
            black |= B::square(self.rows * self.cols - 1 - square);
        }
        Position { white, black, turn: WHITE }
    }

    #[inline(always)]
    fn turn(&self, position: &Position<B>) -> Turn {
        // only the side that has just moved can have won
        let over = if position.turn == WHITE {
            !(position.black & self.bottom).is_empty() || position.white.is_empty()
        } else {
            !(position.white & self.top).is_empty() || position.black.is_empty()
        };
        if over { Turn::Over } else { Turn::Player(position.turn) }
    }

    #[inline]
    fn moves(&self, position: &Position<B>, out: &mut Vec<Move>) {
        for (direction, targets) in self.targets(position).into_iter().enumerate() {
            out.extend(targets.squares().map(|to| self.entering(to, direction, position.turn)));
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position<B>, mv: Move) {
        let (from, to) = squares(mv);
        let (from, to) = (B::square(from), B::square(to));
        if position.turn == WHITE {
            position.white ^= from | to;
            position.black &= !to;
        } else {
            position.black ^= from | to;
            position.white &= !to;
        }
        position.turn ^= 1;
    }

    #[inline(always)]
    fn score(&self, position: &Position<B>, player: usize) -> Score {
        // the side that would be to move has lost
        if player == usize::from(position.turn) { -UNIT } else { UNIT }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position<B>) -> u64 {
        let words = position.white.words().iter().zip(position.black.words());
        // the turn is added after the mixing, where it cannot be mistaken for a piece
        words.fold(0, |key, (&white, &black)| mix(key ^ white, black)) ^ u64::from(position.turn).wrapping_neg()
    }

    fn write(&self, position: &Position<B>) -> String {
        let grid = text::write_grid(self.rows as usize, self.cols as usize, |r, c| self.cell(position, r, c));
        format!("{grid} {}", if position.turn == WHITE { 'w' } else { 'b' })
    }

    fn read(&self, text: &str) -> Result<Position<B>, BadText> {
        let position = self.read_pieces(text)?;
        let other = if position.turn == WHITE { position.black } else { position.white };
        if other.is_empty() {
            return Err(BadText::new("the side to move has won already; it cannot be its turn"));
        }
        Ok(position)
    }

    fn write_move(&self, position: &Position<B>, mv: Move) -> String {
        let (from, to) = squares(mv);
        let capture = (position.white | position.black).has(to);
        format!("{}{}{}", self.name(from), if capture { 'x' } else { '-' }, self.name(to))
    }

    fn read_move(&self, position: &Position<B>, text: &str) -> Result<Move, BadText> {
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
                written == wanted || written.replace(['-', 'x'], "") == wanted
            })
            .ok_or_else(|| BadText::new(format!("{wanted:?} is not a legal move here")))
    }
}

impl<B: Bits> Evaluate for Breakthrough<B> {
    const INFORMED: bool = true;
    const NOISY: bool = true;

    /// Captures, and moves that win.
    fn noisy(&self, position: &Position<B>, out: &mut Vec<Move>) {
        let Position { white, black, turn } = *position;
        let noisy = if turn == WHITE { black | self.top } else { white | self.bottom };
        for (direction, targets) in self.targets(position).into_iter().enumerate() {
            out.extend((targets & noisy).squares().map(|to| self.entering(to, direction, turn)));
        }
    }

    #[inline(always)]
    fn evaluate(&self, position: &Position<B>, player: usize) -> Score {
        let Position { white, black, turn } = *position;
        if self.schadd {
            let value = self.material_and_race(position).clamp(1 - UNIT, UNIT - 1);
            return if player == usize::from(WHITE) { value } else { -value };
        }
        let by_white = (white & self.not_left) << (self.cols - 1) | (white & self.not_right) << (self.cols + 1);
        let by_black = (black & self.not_left) >> (self.cols + 1) | (black & self.not_right) >> (self.cols - 1);
        let almost = [white & self.top >> self.cols, black & self.bottom << self.cols];
        let [own, other] = if turn == WHITE { almost } else { [almost[1], almost[0]] };
        let attacked = if turn == WHITE { by_white } else { by_black };
        let value = if !own.is_empty() {
            ARRIVES[0]
        } else if !(other & !attacked).is_empty() {
            ARRIVES[1]
        } else {
            let more = |white: B, black: B| white.count() as Score - black.count() as Score;
            let mut value = PIECE * more(white, black);
            for digit in 0..4 {
                value += (STEP << digit) * more(white & self.worth[0][digit], black & self.worth[1][digit]);
            }
            let hanging = [(black & by_white & !by_black).count(), (white & by_black & !by_white).count()];
            let hanging = hanging.map(|count| count as Score);
            value += HANGING[usize::from(turn & 1)] * hanging[0] - HANGING[usize::from(turn & 1) ^ 1] * hanging[1];
            let value = value.clamp(ARRIVES[1] + 1, ARRIVES[0] - 1);
            if turn == WHITE { value } else { -value }
        };
        if player == usize::from(turn) { value } else { -value }
    }

    /// The pieces captured.
    #[inline]
    fn progress(&self, position: &Position<B>) -> Option<u32> {
        Some((2 * self.ranks * self.cols).saturating_sub((position.white | position.black).count()))
    }
}

impl<B: Bits> Order for Breakthrough<B> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        (self.rows * self.cols * 3) as usize
    }

    #[inline(always)]
    fn index(&self, _: &Position<B>, mv: Move) -> usize {
        let (from, to) = squares(mv);
        // the three directions give three consecutive differences
        let ahead = from.abs_diff(to) + 1 - self.cols;
        (from * 3 + ahead) as usize
    }

    /// Captures first.
    #[inline(always)]
    fn hint(&self, position: &Position<B>, mv: Move) -> i32 {
        let (_, to) = squares(mv);
        i32::from((position.white | position.black).has(to))
    }
}

impl<B: Bits> Playout for Breakthrough<B> {
    /// Counts the moves in each direction and picks one of them; no list is made.
    #[inline(always)]
    fn random_move(&self, position: &Position<B>, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let targets = self.targets(position);
        let [ahead, left, right] = targets.map(Bits::count);
        let n = random.below((ahead + left + right) as usize) as u32;
        let (direction, n) = if n < ahead {
            (0, n)
        } else if n < ahead + left {
            (1, n - ahead)
        } else {
            (2, n - ahead - left)
        };
        self.entering(targets[direction].nth(n), direction, position.turn)
    }
}

impl<B: Bits> Chance for Breakthrough<B> {}
impl<B: Bits> Hidden for Breakthrough<B> {}
impl<B: Bits> Repetition for Breakthrough<B> {}
impl<B: Bits> Ranked for Breakthrough<B> {}
impl<B: Bits> Puzzle for Breakthrough<B> {}

impl<B: Bits> AnyTurn for Breakthrough<B> {
    const PASSES: bool = true;

    #[inline(always)]
    fn pass(&self, position: &mut Position<B>) -> bool {
        position.turn ^= 1;
        true
    }
}

impl<B: Bits> Draw for Breakthrough<B> {
    fn board(&self, position: &Position<B>) -> String {
        text::board_of_grid(self.rows as usize, self.cols as usize, |r, c| self.cell(position, r, c))
    }

    fn svg(&self, position: &Position<B>) -> String {
        self.picture(position, self.turn(position))
    }

    fn cells(&self, position: &Position<B>) -> Vec<Cell> {
        self.grid().cells(|row, col| self.piece(position, row, col))
    }
}

impl<B: Bits> Configure for Breakthrough<B> {
    const SUMMARY: &'static str = "a race of pawns: the first to reach the far row wins";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        let mut parameters = board_parameters().to_vec();
        parameters.push(Parameter::word(
            "evaluation",
            &["threats", "schadd"],
            "how searches judge positions: see the rules",
        ));
        parameters
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        Self::of_board(params, params.word("evaluation") == "schadd")
    }
}

/// The parameters of the board and of the pieces at the start.
pub(crate) fn board_parameters() -> [Parameter; 3] {
    [
        Parameter::integer("rows", 8, (4, 16), "rows of the board"),
        Parameter::integer("cols", 8, (2, 16), "columns of the board"),
        Parameter::integer("ranks", 2, (1, 4), "rows that each side fills at the start"),
    ]
}

impl<B: Bits> Breakthrough<B> {
    /// The rules on the board that [`board_parameters`] say.
    pub(crate) fn of_board(params: &Params, schadd: bool) -> Result<Self, BadParameter> {
        let [rows, cols, ranks] = ["rows", "cols", "ranks"].map(|name| params.integer(name) as u32);
        if 2 * ranks > rows {
            return Err(BadParameter(format!("ranks={ranks} leaves no room on {rows} rows; at most {}", rows / 2)));
        }
        if rows * cols > B::SQUARES {
            return Err(BadParameter(format!("{rows} times {cols} squares do not fit into {}", B::SQUARES)));
        }
        let set = |wanted: &dyn Fn(u32, u32) -> bool| {
            (0..rows * cols).filter(|s| wanted(s / cols, s % cols)).fold(B::EMPTY, |set, s| set | B::square(s))
        };
        let worth = |row: u32| WORTH[(row * 7 / (rows - 1)) as usize];
        Ok(Self {
            worth: std::array::from_fn(|side| {
                let row_of = |row: u32| if side == 0 { row } else { rows - 1 - row };
                std::array::from_fn(|digit| set(&|row, _| worth(row_of(row)) >> digit & 1 == 1))
            }),
            schadd,
            rows,
            cols,
            ranks,
            board: set(&|_, _| true),
            bottom: set(&|row, _| row == 0),
            top: set(&|row, _| row == rows - 1),
            not_left: set(&|_, col| col > 0),
            not_right: set(&|_, col| col < cols - 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Breakthrough {
        Breakthrough::configure(&Params::complete(&Breakthrough::<u64>::parameters(), []).unwrap()).unwrap()
    }

    #[test]
    fn the_last_row_and_the_last_piece_win() {
        let game = game();
        for (text, mv) in [
            ("......../w......./......../......../......../......b./......../........ w", "a7-a8"),
            ("......../......../......../......../..b...../.w....../......../........ w", "b3xc4"),
        ] {
            let mut position = game.read(text).unwrap();
            let mv = game.read_move(&position, mv).unwrap();
            game.play(&mut position, mv);
            assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, UNIT), "{text}");
            assert!(game.read_move(&position, "g3-g2").is_err());
        }
    }

    #[test]
    fn a_piece_captures_diagonally_only() {
        let game = game();
        let position = game.read("......../......../......../..bbb.../...w..../......../......../........ w").unwrap();
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let moves: Vec<String> = moves.into_iter().map(|mv| game.write_move(&position, mv)).collect();
        assert_eq!(moves, ["d4xc5", "d4xe5"]);
    }

    #[test]
    fn the_side_to_move_is_not_mistaken_for_a_piece() {
        let game = game();
        let key = |text: &str| game.key(&game.read(text).unwrap());
        assert_ne!(
            key("......../b......./......../......../......../......../w......./w....... w"),
            key("......../b......./......../......../......../......../w......./........ b"),
        );
    }

    #[test]
    fn a_piece_that_arrives_is_seen_by_the_evaluation() {
        let game = game();
        let value = |text: &str| game.evaluate(&game.read(text).unwrap(), 0);
        assert_eq!(value("......../w......./......../......../......../......b./......../........ w"), 9_900);
        assert_eq!(value("......../w......./......../......../......../......b./......../........ b"), 9_800);
        // it can be captured
        assert!(value(".b....../w......./......../......../......../......../......../........ b") < 9_000);
        assert_eq!(value("......../......../......../....w.../......../......../.b....../........ b"), -9_900);
    }

    #[test]
    fn the_evaluation_of_schadd_counts_pieces_and_the_race() {
        let given = [("evaluation".to_owned(), kibitz_game::Value::Word("schadd".to_owned()))];
        let game =
            Breakthrough::<u64>::configure(&Params::complete(&Breakthrough::<u64>::parameters(), given).unwrap())
                .unwrap();
        let position = game.read("......../......../b......./......../w......./......../w......./........ w").unwrap();
        assert_eq!((game.evaluate(&position, 0), game.evaluate(&position, 1)), (200 + 50, -250));
        assert_ne!(self::game().evaluate(&position, 0), 250);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = game();
        for (text, reason) in [
            ("......../b......./......../......../......../......../w......./........", "missing"),
            ("......../b......./......../......../......../......../w......./........ x", "not \"x\""),
            ("w......./b......./......../......../......../......../......../........ w", "won already"),
            ("bbbbbbbb/bbbbbbbb/b......./......../......../......../w......./........ w", "at most 16"),
        ] {
            let error = game.read(text).unwrap_err().0;
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
