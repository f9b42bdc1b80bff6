//! Focus (Sid Sackson, 1963), also sold as Domination, for two to four players.

mod notation;
mod picture;
mod setups;
mod squares;
mod stacks;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, Zobrist, mix, splitmix64,
};

use squares::{BOARD, MOVES, Move, SQUARES, WAYS};
use stacks::EMPTY;

const RULES: &str = "\
The board has 52 squares: eight by eight without three in each corner. The players take turns: red `R`, green `G`, blue `B` and yellow `Y`. \
Pieces form stacks of up to five, and a stack belongs to the player whose piece is on top.

A move lifts pieces from the top of a stack of one's own and carries them along a row or a column exactly as many squares as \
they are: one piece one square, five pieces five squares. It may take the whole stack or a part of it; the rest belongs to whoever is on top of it then. The pieces keep their order, what \
stands on the way does not matter, and they end on top of whatever is on the last square. If that makes more than five, the mover takes pieces off at the \
bottom until five are left: pieces of his own go to his *reserve*, all others are *captured* and leave the game. Instead of moving, a player may place a piece from \
the reserve on any square, empty or not, and the same happens there. Who has neither a stack nor a reserve is passed over, and may come back when a piece of his is \
on top again.

With `rule=short` the player wins who has captured enough with his move: six pieces of one opponent where there are two players; with three players ten in all, or three from each \
opponent; with four players ten in all, or two from each opponent. With `rule=long` only the end of the standard game counts, which ends the short one too: if nobody else can move, \
the player who has moved wins. After `plies` moves the game is a draw, which everybody shares: two players have 0 each, and n players the n-th part of the way from a loss, \
−1, to a win, 1.

Sid Sackson published the game in 1963 (M. Gardner, *Scientific American* 209:4; *A Gamut of Games*, 1969). The short rule with 300 moves is that of M. Schadd and M. Winands, *Best Reply Search for \
Multiplayer Games* (2011), who show the set-ups in a picture only: that of two players is standard, those of three and four come from another program. Rules for sale \
give three players 13 pieces each, of which 12 are on the board; `setup=reserve` begins with one in reserve. The paper does not say what happens to a player without a \
move: that is a completion.

**Positions** are rows from the top with a letter for a single piece, `(YRG)` for a stack from its bottom to its top and `.` for an empty square; then for each player the reserve and the pieces captured from each opponent, `1:0,2`; \
then the player to move, or `-` when the game is over, and the moves played, unless `plies=0`. **Moves** are the square of the stack, the direction and the number of pieces, \
`c4E3`, where row 1 is the lowest; `*c4` places a piece.

**Evaluation**, as in the paper: −1,000 for each piece that a player still has to capture, by the shorter of both ways to win, and the square of the height of each of \
his pieces on the board, 1 at the bottom and 25 on top of a full stack; the reserve does not count. With the long rule it is −1,000 for each piece of the opponents that he has not captured. A player's value is \
what he has, less what all others have. Moves with the most pieces, moved or on the last square, come first, and among these \
those that give the mover one more stack.";

/// The rules of Focus.
#[derive(Clone, Debug)]
pub struct Focus {
    players: usize,
    /// Whether captures win.
    short: bool,
    /// The number of moves after which the game is a draw; 0 if there is no such number.
    cap: u16,
    start: Position,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    stacks: [u16; SQUARES],
    /// The squares of each player's stacks.
    tops: [u64; 4],
    /// The squared heights of each player's pieces, added up, in sixteen bits each.
    heights: u64,
    /// The key of the stacks, the reserves and the captures.
    key: u64,
    /// What each player has captured: the pieces of each colour, in eight bits each.
    captured: [u32; 4],
    reserve: [u8; 4],
    /// How many captures each player still needs.
    need: [u8; 4],
    turn: u8,
    winner: u8,
    /// Moves played; 0 unless their number is limited.
    plies: u16,
}

/// The turn when the game is over, and the winner while there is none.
const OVER: u8 = 5;
const NOBODY: u8 = 4;

/// A multiple of all numbers of players, so that a shared win is a whole number.
const WIN: Score = 1_200_000;
/// A capture.
const CAPTURE: Score = 1_000;

/// The pieces of a player, at most.
const MOST_PIECES: [u8; 5] = [0, 0, 18, 13, 13];

const WORDS: Zobrist = Zobrist::new(10);

/// The word of a stack on a square.
#[inline(always)]
fn word(square: usize, stack: u16) -> u64 {
    WORDS.word(usize::from(stack), square)
}

/// The word of what a player has beside the board.
#[inline(always)]
fn word_of_prizes(position: &Position, player: usize) -> u64 {
    mix((player as u64) << 8 | u64::from(position.reserve[player]), u64::from(position.captured[player]))
}

impl Position {
    const BARE: Self = Self {
        stacks: [EMPTY; SQUARES],
        tops: [0; 4],
        heights: 0,
        key: 0,
        captured: [0; 4],
        reserve: [0; 4],
        need: [0; 4],
        turn: 0,
        winner: NOBODY,
        plies: 0,
    };

    /// Whether a player has a stack or a piece in reserve; one that has can move.
    #[inline(always)]
    fn can_move(&self, player: usize) -> bool {
        self.tops[player] != 0 || self.reserve[player] > 0
    }

    /// Puts other pieces on a square.
    #[inline(always)]
    fn replace(&mut self, square: usize, stack: u16) {
        let old = std::mem::replace(&mut self.stacks[square & 63], stack);
        self.key ^= word(square, old) ^ word(square, stack);
        let gained = stacks::count(stack).squares.wrapping_sub(stacks::count(old).squares);
        self.heights = self.heights.wrapping_add(gained);
        let bit = 1u64 << (square & 63);
        if old != EMPTY {
            self.tops[stacks::top(old)] &= !bit;
        }
        if stack != EMPTY {
            self.tops[stacks::top(stack)] |= bit;
        }
    }

    /// The pieces of each colour that a player has captured.
    fn prizes(&self, player: usize) -> [u8; 4] {
        self.captured[player].to_le_bytes()
    }
}

impl Focus {
    /// How many more captures win for a player with these.
    #[inline]
    fn need(&self, player: usize, captured: u32) -> u8 {
        let prizes = captured.to_le_bytes();
        let all: u8 = prizes.iter().sum();
        if !self.short {
            return ((self.players as u8 - 1) * MOST_PIECES[self.players]).saturating_sub(all);
        }
        let from_each = |least: u8| {
            let others = (0..self.players).filter(|&other| other != player);
            others.map(|other| least.saturating_sub(prizes[other])).sum::<u8>()
        };
        match self.players {
            2 => 6u8.saturating_sub(all),
            3 => from_each(3).min(10u8.saturating_sub(all)),
            _ => from_each(2).min(10u8.saturating_sub(all)),
        }
    }

    /// Takes pieces that leave a stack.
    #[inline]
    fn take(&self, position: &mut Position, player: usize, pieces: u16) {
        let own = 0xff << (8 * player);
        let taken = stacks::count(pieces).pieces;
        position.key ^= word_of_prizes(position, player);
        position.reserve[player] += ((taken & own) >> (8 * player)) as u8;
        position.captured[player] += taken & !own;
        position.key ^= word_of_prizes(position, player);
        position.need[player] = self.need(player, position.captured[player]);
    }

    /// The first player after another who can move; none if nobody else can.
    #[inline(always)]
    fn next(&self, position: &Position, player: usize) -> Option<usize> {
        let mut next = player;
        loop {
            next = if next + 1 == self.players { 0 } else { next + 1 };
            if next == player {
                return None;
            }
            if position.can_move(next) {
                return Some(next);
            }
        }
    }

    /// A position of these stacks, reserves and captures, which nobody has won yet.
    fn laid_out(&self, stacks: &[u16; SQUARES], reserve: [u8; 4], captured: [u32; 4]) -> Position {
        let mut position = Position { captured, reserve, ..Position::BARE };
        for square in BOARD.squares() {
            position.replace(square as usize, stacks[square as usize]);
        }
        for (player, &captured) in captured.iter().enumerate().take(self.players) {
            position.key ^= word_of_prizes(&position, player);
            position.need[player] = self.need(player, captured);
        }
        position
    }

    /// Whether the move gives the mover one stack more.
    #[inline(always)]
    fn spreads(position: &Position, player: usize, mv: Move) -> bool {
        let own = position.tops[player];
        if own.has(squares::to(mv) as u32) {
            return false;
        }
        let count = squares::pieces(mv);
        let (rest, _) = stacks::split(position.stacks[squares::from(mv)], count);
        count == 0 || rest != EMPTY && stacks::top(rest) == player
    }
}

impl Game for Focus {
    type Position = Position;
    type Move = Move;

    const MANY: bool = true;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Position {
        self.start
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.turn == OVER { Turn::Over } else { Turn::Player(position.turn) }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.turn == OVER {
            return;
        }
        let player = usize::from(position.turn & 3);
        for square in position.tops[player].squares() {
            let ways = &WAYS[square as usize & 63];
            let height = stacks::height(position.stacks[square as usize & 63]) as usize;
            let count = usize::from(ways.counts[height.min(5)]);
            // copying all sixteen is faster than asking how many there are
            let length = out.len();
            out.extend_from_slice(&ways.moves);
            out.truncate(length + count);
        }
        if position.reserve[player] > 0 {
            out.extend(BOARD.squares().map(|square| square as Move));
        }
    }

    #[inline]
    fn mobility(&self, position: &Position, _: &mut Vec<Move>) -> u32 {
        let player = usize::from(position.turn & 3);
        let ways = |square: u32| {
            let height = stacks::height(position.stacks[square as usize & 63]) as usize;
            u32::from(WAYS[square as usize & 63].counts[height.min(5)])
        };
        let placements = if position.reserve[player] > 0 { BOARD.count_ones() } else { 0 };
        position.tops[player].squares().map(ways).sum::<u32>() + placements
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let player = usize::from(position.turn & 3);
        let (to, mut count) = (squares::to(mv), squares::pieces(mv));
        let lifted = if count == 0 {
            position.key ^= word_of_prizes(position, player);
            position.reserve[player] -= 1;
            position.key ^= word_of_prizes(position, player);
            count = 1;
            player as u16
        } else {
            let from = squares::from(mv);
            let (rest, lifted) = stacks::split(position.stacks[from], count);
            position.replace(from, rest);
            lifted
        };
        let (stack, lost) = stacks::joined(position.stacks[to], lifted, count);
        position.replace(to, stack);
        position.plies += u16::from(self.cap > 0);
        if lost != EMPTY {
            self.take(position, player, lost);
            if self.short && position.need[player] == 0 {
                (position.turn, position.winner) = (OVER, player as u8);
                return;
            }
        }
        let Some(next) = self.next(position, player) else {
            (position.turn, position.winner) = (OVER, player as u8);
            return;
        };
        position.turn = if self.cap > 0 && position.plies >= self.cap { OVER } else { next as u8 };
    }

    fn score(&self, position: &Position, player: usize) -> Score {
        match position.winner {
            NOBODY => WIN * (2 - self.players as Score) / self.players as Score,
            winner if usize::from(winner) == player => WIN,
            _ => -WIN,
        }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -WIN, high: WIN }
    }

    fn unit(&self) -> Score {
        WIN
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        position.key ^ splitmix64(u64::from(position.plies) << 3 | u64::from(position.turn))
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
}

impl Evaluate for Focus {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let all: Score = (0..self.players).map(|player| self.own_value(position, player)).sum();
        2 * self.own_value(position, player) - all
    }

    #[inline(always)]
    fn own_value(&self, position: &Position, player: usize) -> Score {
        let heights = (position.heights >> (16 * player)) as u16;
        Score::from(heights) - CAPTURE * Score::from(position.need[player & 3])
    }

    /// The pieces captured.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        Some(position.captured.iter().flat_map(|captured| captured.to_le_bytes()).map(u32::from).sum())
    }
}

impl Order for Focus {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        MOVES
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }

    /// The pieces involved, and whether there is one stack more; eight pieces and more are as good as each other.
    #[inline(always)]
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        let involved = squares::pieces(mv).max(1) + stacks::height(position.stacks[squares::to(mv)]);
        let spreads = Self::spreads(position, usize::from(position.turn & 3), mv);
        (2 * involved as i32 - 9 + i32::from(spreads)).min(7)
    }
}

impl Playout for Focus {
    /// Counts the moves of each stack and picks one of them; no list is made.
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, buffer: &mut Vec<Move>) -> Move {
        let player = usize::from(position.turn & 3);
        let mut n = random.below(self.mobility(position, buffer) as usize);
        for square in position.tops[player].squares() {
            let ways = &WAYS[square as usize & 63];
            let height = stacks::height(position.stacks[square as usize & 63]) as usize;
            let count = usize::from(ways.counts[height.min(5)]);
            if n < count {
                return ways.moves[n & 15];
            }
            n -= count;
        }
        BOARD.nth(n as u32) as Move
    }
}

impl Chance for Focus {}
impl Hidden for Focus {}
impl Repetition for Focus {}
impl Ranked for Focus {}
impl Puzzle for Focus {}

impl AnyTurn for Focus {
    const PASSES: bool = true;
    const ANY_TURN: bool = true;

    /// Only where the next player can move.
    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        let next = (usize::from(position.turn & 3) + 1) % self.players;
        self.give_turn(position, next)
    }

    #[inline(always)]
    fn give_turn(&self, position: &mut Position, player: usize) -> bool {
        if !position.can_move(player) {
            return false;
        }
        position.turn = player as u8;
        true
    }
}

impl Draw for Focus {
    fn board(&self, position: &Position) -> String {
        picture::board(self, position)
    }

    fn svg(&self, position: &Position) -> String {
        picture::svg(self, position, None)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        picture::cells(self, position)
    }

    /// Where the stack is and where it goes: the distance says how many pieces move.
    fn clicks(&self, _: &Position, mv: Move, _: &[Cell]) -> Vec<Vec<String>> {
        let (from, to) = (notation::name(squares::from(mv)), notation::name(squares::to(mv)));
        vec![vec![if squares::pieces(mv) == 0 { picture::RESERVE.to_owned() } else { from }, to]]
    }

    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        Some(picture::svg(self, position, Some(mv)))
    }
}

impl Configure for Focus {
    const SUMMARY: &'static str = "Focus (Domination): stacks that move as far as they are high and bury each other";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("players", 2, (2, 4), "players"),
            Parameter::word("rule", &["short", "long"], "how to win: by captures, or when nobody else can move"),
            Parameter::word(
                "setup",
                setups::NAMES,
                "the pieces at the start; `reserve`, for three players, has one more for each in reserve",
            ),
            Parameter::integer("plies", 300, (0, 30_000), "the game is a draw after so many moves; 0: never"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let (players, name) = (params.integer("players") as usize, params.word("setup"));
        let setup = setups::setup(players, name)
            .ok_or_else(|| BadParameter(format!("there is no set-up {name:?} for {players} players")))?;
        let short = params.word("rule") == "short";
        let mut game = Self { players, short, cap: params.integer("plies") as u16, start: Position::BARE };
        let stacks = notation::read_board(setup.rows, players).expect("a set-up is a board");
        let mut reserve = [0; 4];
        reserve[..players].fill(setup.reserve);
        game.start = game.laid_out(&stacks, reserve, [0; 4]);
        Ok(game)
    }
}

#[cfg(test)]
mod tests;
