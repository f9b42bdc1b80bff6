//! Rolit: Othello for two to four players (M. Schadd and M. Winands, *Best-Reply Search for Multi-Player Games*, 2011).

mod patterns;
mod picture;
#[cfg(test)]
mod tests;
pub mod training;

use kibitz_game::text;
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

use crate::flipping::{self, Lines, each};

const RULES: &str = "\
Two, three or four players, Red, Green, Yellow and Blue in this order, play Othello on one board. At the start one ball of \
each of the four colours lies in the middle, clockwise from the upper left one, whatever the number of players; the colours \
that nobody plays are neutral: they can be turned, and they never move or win. Red begins. A move puts a ball on an empty square so \
that, in at least one of the eight directions, an unbroken line of balls of *any* other colours lies between the new ball \
and another of the same colour; all balls in all such lines take the colour of the player. A player who has such a move \
must play one. A player who has none, and be it for lack of balls, puts a ball on any empty square beside another ball, \
diagonals included, and turns nothing. Nobody passes and nobody is out, so the game is over when the board is full: after sixty moves on \
eight by eight squares.

With `result=win` the player with the most balls wins; those who share the greatest number share the win, so that k winners \
have 2/k − 1 each, and everybody else −1. With `result=discs` the result is the number of one's balls, and of two players the difference.

The rules are those of *Best-Reply Search for Multi-Player Games* (M. Schadd and M. Winands, 2011), whose experiments have three and four \
players. The paper says that a player without a flipping move is *allowed* to put a ball beside another one: here it is \
compulsory, since players could pass for ever. The figure of the set-up is lost; the colours in the middle follow the order of the turns.

**Positions** are rows from the top with the letters `R`, `G`, `Y`, `B` and `.`, then the player to move: \
`......../......../......../...RG.../...BY.../......../......../........ R`. **Moves** are names of squares, `a1` at the \
lower left: Red's first moves are `f5`, `f3` and `d3`.

**Evaluation**: a player has the mean of what patterns of squares were worth on average at the end of games of Othello: the rows and \
columns, the diagonals of four squares and more, and two by four squares in the corners, in twelve stages of the game; all other colours count \
as one opponent, as in the paper, whose tables were learned from games of people. Those that come with the program were learned from games that it \
has played against itself: `kibitz train rolit` makes them again. `evaluation=discs` counts balls, as smaller boards always \
do. What a player has is worth 100 a ball with `result=discs`, and 40 beside 12,000 for a win. The value of a position is what a player has less \
what all opponents have. Moves are tried in a fixed order of squares, corners first and the squares beside them last.";

/// The rules of Rolit.
#[derive(Clone, Debug)]
pub struct Rolit {
    players: usize,
    size: usize,
    /// Whether the result is the number of balls.
    discs: bool,
    /// Whether pattern tables evaluate.
    patterns: bool,
    /// What a ball counts.
    disc: Score,
    /// The greatest result.
    high: Score,
    /// All squares.
    board: u64,
    /// Where balls can be enclosed in each of the four directions: sideways only in the inner columns.
    enclosed: Lines,
    not_left: u64,
    not_right: u64,
    /// The squares in each direction from a square, towards greater and towards smaller ones.
    rays: [[Lines; 2]; 64],
    /// The static order of squares.
    hints: [i8; 64],
}

/// A position: square `8 * row + col`, counted from the upper left, on smaller boards as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The balls of each colour, those of players first.
    colours: [u64; 4],
    turn: u8,
}

impl Position {
    #[inline(always)]
    fn occupied(&self) -> u64 {
        (self.colours[0] | self.colours[1]) | (self.colours[2] | self.colours[3])
    }
}

const WIN: Score = 12_000;
/// What a ball counts beside a win, so small that the difference between a player and three others stays below it, and
/// where balls are the result.
const DISC_BESIDE_WIN: Score = 40;
const DISC: Score = 100;
const LETTERS: [char; 4] = ['R', 'G', 'Y', 'B'];

/// A move: the square.
type Move = u8;

impl Rolit {
    /// Where the player to move may put a ball: where it turns some, or else beside any other.
    #[inline(always)]
    fn legal(&self, position: &Position) -> u64 {
        let own = position.colours[usize::from(position.turn & 3)];
        let occupied = position.occupied();
        let other = occupied ^ own;
        let turning = flipping::enclosing(own, each(|i| other & self.enclosed[i])) & self.board & !occupied;
        if turning == 0 { self.beside(occupied) } else { turning }
    }

    /// The empty squares beside balls.
    fn beside(&self, occupied: u64) -> u64 {
        let row = occupied | (occupied & self.not_right) << 1 | (occupied & self.not_left) >> 1;
        (row | row << 8 | row >> 8) & self.board & !occupied
    }

    /// The next player in turn.
    #[inline(always)]
    fn next(&self, turn: u8) -> u8 {
        if usize::from(turn) + 1 == self.players { 0 } else { turn + 1 }
    }

    fn cell(position: &Position, row: usize, col: usize) -> Option<usize> {
        position.colours.iter().position(|balls| balls.has((8 * row + col) as u32))
    }

    #[inline(always)]
    fn count(position: &Position, player: usize) -> Score {
        position.colours[player & 3].count_ones() as Score
    }
}

impl Game for Rolit {
    type Position = Position;
    type Move = Move;
    const MANY: bool = true;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Position {
        let middle = self.size / 2;
        let square = |row: usize, col: usize| 1 << (8 * row + col);
        let clockwise = [(middle - 1, middle - 1), (middle - 1, middle), (middle, middle), (middle, middle - 1)];
        Position { colours: clockwise.map(|(row, col)| square(row, col)), turn: 0 }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.occupied() == self.board { Turn::Over } else { Turn::Player(position.turn) }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let legal = self.legal(position);
        // into an array of fixed size first, and copied as a whole: faster than asking for room at every move
        let mut list = [0; 64];
        for (place, square) in list.iter_mut().zip(legal.squares()) {
            *place = square as Move;
        }
        let end = out.len() + legal.count() as usize;
        out.extend_from_slice(&list);
        out.truncate(end);
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let mover = usize::from(position.turn & 3);
        let own = position.colours[mover];
        let turned = flipping::turned(&self.rays[usize::from(mv & 63)], own, position.occupied() ^ own);
        position.colours = position.colours.map(|balls| balls & !turned);
        position.colours[mover] = own | turned | u64::square(u32::from(mv & 63));
        position.turn = self.next(position.turn);
    }

    fn score(&self, position: &Position, player: usize) -> Score {
        let own = Self::count(position, player);
        let others = (0..self.players).filter(|&other| other != player).map(|other| Self::count(position, other));
        if self.discs {
            return DISC * (own - if self.players == 2 { others.sum() } else { 0 });
        }
        let (mut winners, mut best) = (1, true);
        for other in others {
            best &= other <= own;
            winners += Score::from(other == own);
        }
        if best { WIN * (2 - winners) / winners } else { -WIN }
    }

    /// Of three and more players nobody ends below zero where balls are the result; the difference between a player and the
    /// others, which evaluates positions, does.
    fn range(&self, _: usize) -> Range {
        Range { low: -self.high, high: self.high }
    }

    fn unit(&self) -> Score {
        if self.discs { DISC } else { WIN }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [red, green, yellow, blue] = position.colours;
        // the turn is added after the mixing, where it cannot be mistaken for a ball
        mix(red, green) ^ mix(!yellow, blue).rotate_left(17) ^ mix(u64::from(position.turn), u64::MAX)
    }

    fn write(&self, position: &Position) -> String {
        let letter = |row, col| Self::cell(position, row, col).map_or('.', |colour| LETTERS[colour]);
        let grid = text::write_grid(self.size, self.size, letter);
        format!("{grid} {}", LETTERS[usize::from(position.turn & 3)])
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let letters: String = LETTERS[..self.players].iter().collect();
        let (grid, side) = text
            .trim()
            .split_once(' ')
            .ok_or_else(|| BadText::new(format!("who is to move, one of {letters}, is missing")))?;
        let mut side = side.trim().chars();
        let turn = match (side.next().and_then(|letter| letters.find(letter)), side.next()) {
            (Some(turn), None) => turn as u8,
            _ => return Err(BadText::new(format!("who is to move is one of {letters}"))),
        };
        let cells = text::parse_grid(grid, self.size, self.size, "RGYB.")?;
        let mut position = Position { colours: [0; 4], turn };
        for (i, cell) in cells.iter().enumerate() {
            if let Some(colour) = LETTERS.iter().position(|letter| letter == cell) {
                position.colours[colour] |= 1 << (8 * (i / self.size) + i % self.size);
            }
        }
        if self.start().occupied() & !position.occupied() != 0 {
            return Err(BadText::new("the four squares in the middle are never empty"));
        }
        Ok(position)
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        text::square_name(self.size - 1 - usize::from(mv / 8), usize::from(mv % 8))
    }
}

impl Evaluate for Rolit {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let worth = if self.patterns {
            patterns::worth(&position.colours, position.occupied(), self.players)
                .map(|sum| sum * self.disc / patterns::DISC)
        } else {
            [0, 1, 2, 3].map(|player| self.disc * Self::count(position, player))
        };
        let all: Score = worth[..self.players].iter().sum();
        (2 * worth[player & 3] - all).clamp(1 - self.high, self.high - 1)
    }

    #[inline]
    fn own_value(&self, position: &Position, player: usize) -> Score {
        if self.patterns {
            return patterns::worth_of_one(position.colours[player & 3], position.occupied()) * self.disc
                / patterns::DISC;
        }
        self.disc * Self::count(position, player)
    }

    /// The balls on the board.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        Some(position.occupied().count_ones())
    }
}

impl Order for Rolit {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        64
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv & 63)
    }

    #[inline(always)]
    fn hint(&self, _: &Position, mv: Move) -> i32 {
        i32::from(self.hints[usize::from(mv & 63)])
    }
}

impl Playout for Rolit {
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let legal = self.legal(position);
        legal.nth(random.below(legal.count_ones() as usize) as u32) as Move
    }
}

impl AnyTurn for Rolit {
    const PASSES: bool = true;
    const ANY_TURN: bool = true;

    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        position.turn = self.next(position.turn);
        true
    }

    /// Everybody always has a move.
    #[inline(always)]
    fn give_turn(&self, position: &mut Position, player: usize) -> bool {
        if player >= self.players {
            return false;
        }
        position.turn = player as u8;
        true
    }
}

impl Chance for Rolit {}
impl Hidden for Rolit {}
impl Repetition for Rolit {}
impl Ranked for Rolit {}
impl Puzzle for Rolit {}

impl Draw for Rolit {
    fn board(&self, position: &Position) -> String {
        picture::board(self, position)
    }

    fn svg(&self, position: &Position) -> String {
        picture::svg(self, position, None)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        picture::cells(self, position)
    }

    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        Some(picture::svg(self, position, Some(mv)))
    }
}

impl Configure for Rolit {
    const SUMMARY: &'static str =
        "Othello for two to four players: enclose any other colours; most balls on the full board win";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("players", 3, (2, 4), "players"),
            Parameter::integer("size", 8, (4, 8), "rows and columns of the board: 4, 6 or 8"),
            Parameter::word("result", &["win", "discs"], "what counts: winning, or the number of balls"),
            Parameter::word(
                "evaluation",
                &["patterns", "discs"],
                "what a position is worth: by tables of patterns on 8 by 8 squares, or by the number of balls",
            ),
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
        let inner = set(&|_, col| col > 0 && col < size - 1);
        let discs = params.word("result") == "discs";
        Ok(Self {
            players: params.integer("players") as usize,
            size,
            discs,
            patterns: size == 8 && params.word("evaluation") == "patterns",
            disc: if discs { DISC } else { DISC_BESIDE_WIN },
            high: if discs { DISC * (size * size) as Score } else { WIN },
            board: set(&|_, _| true),
            enclosed: [inner, u64::MAX, inner, inner],
            not_left: set(&|_, col| col > 0),
            not_right: set(&|_, col| col < size - 1),
            rays: std::array::from_fn(|square| flipping::rays(square, size)),
            hints: std::array::from_fn(|square| hint(square / 8, square % 8, size)),
        })
    }
}

/// The static order of squares: corners, squares on the edge, the middle, the others, and last those beside a corner, above
/// all on the diagonal.
fn hint(row: usize, col: usize, size: usize) -> i8 {
    let far = |i: usize| i.min((size - 1).saturating_sub(i));
    match (far(row).min(far(col)), far(row).max(far(col))) {
        (0, 0) => 7,
        (0, 1) => -5,
        (1, 1) => -7,
        (0, 2) => 4,
        (0, _) => 3,
        (1, _) => -1,
        _ => 1,
    }
}
