//! Chinese Checkers for two, three, four or six players, on the board of 121 cells or on the small one of the literature.

mod distances;
mod geometry;
mod jumps;
mod notation;
mod picture;
mod rules_text;

use std::sync::Arc;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, Zobrist, splitmix64,
};

use geometry::{MOST_CELLS, MOST_PLAYERS, Star, Views, corners};

/// The rules of Chinese Checkers.
#[derive(Clone, Debug)]
pub struct ChineseCheckers {
    players: usize,
    /// Pieces of each player.
    pieces: usize,
    /// Whether a piece may leave the goal.
    leave: bool,
    /// Whether all pieces in the goal must be the winner's own.
    own: bool,
    /// The number of moves after which the game is a draw; 0 if there is no such number.
    cap: u16,
    star: Arc<Star>,
    views: Arc<Views>,
    /// A word for each player's piece on each cell.
    words: Arc<[[u64; MOST_CELLS]; MOST_PLAYERS]>,
    start: Position,
}

/// A position. The pieces are kept as each player sees the board, in which everybody starts at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces of each player in the own view.
    own: [u128; MOST_PLAYERS],
    /// All pieces, in the view of each player.
    all: [u128; MOST_PLAYERS],
    /// The key of the pieces.
    key: u64,
    /// How far each player is: the rank of the own pieces in the table of distances or, where there is no table, the sum of
    /// the rows that the pieces have gone.
    advance: [u32; MOST_PLAYERS],
    turn: u8,
    winner: u8,
    /// Moves played; 0 unless their number is limited.
    plies: u16,
}

/// The turn when the game is over, and the winner while there is none.
const OVER: u8 = 7;
const NOBODY: u8 = 6;

/// A move: the cell that it leaves in the upper byte and the cell that it enters in the lower.
type Move = u16;
/// From a cell to itself.
const PASS: Move = 0;

/// A multiple of all numbers of players, so that a shared win is a whole number.
const WIN: Score = 1_200_000;
/// A move, or a row.
const STEP: Score = 1_000;

#[inline(always)]
fn ends(mv: Move) -> (usize, usize) {
    (usize::from(mv >> 8) & 127, usize::from(mv) & 127)
}

impl ChineseCheckers {
    /// The player after another.
    #[inline(always)]
    fn after(&self, player: usize) -> usize {
        if player + 1 == self.players { 0 } else { player + 1 }
    }

    /// Tells of the pieces of a player that can move: the place in the player's view, and where they can go as two words.
    #[inline(always)]
    fn each_piece(&self, position: &Position, player: usize, mut tell: impl FnMut(u32, [u64; 2])) {
        let views = &*self.views;
        if views.narrow {
            let (own, all) = (position.own[player] as u64, position.all[player] as u64);
            let (area, goal) = (views.area as u64, views.goal as u64);
            // what is in the goal stays there
            let kept = if self.leave { 0 } else { own & goal };
            for place in own.squares() {
                let to = jumps::narrow(1 << place, all, area);
                tell(place, [if kept.has(place) { to & goal } else { to }, 0]);
            }
        } else {
            let (mut left, all) = (position.own[player], position.all[player]);
            let kept = if self.leave { 0 } else { left & views.goal };
            while left != 0 {
                let place = left.trailing_zeros();
                left &= left - 1;
                let to = jumps::wide(views, place, all, views.area);
                let to = if kept >> place & 1 != 0 { to & views.goal } else { to };
                tell(place, [to as u64, (to >> 64) as u64]);
            }
        }
    }

    /// Whether a player has a move other than to pass.
    #[inline]
    fn can_move(&self, position: &Position, player: usize) -> bool {
        let views = &*self.views;
        let (all, mut left) = (position.all[player], position.own[player]);
        // nearly always a piece on the way to the goal has a free cell beside it
        if !self.leave {
            left &= !views.goal;
        }
        if views.narrow {
            if jumps::around(left as u64) & views.area as u64 & !(all as u64) != 0 {
                return true;
            }
        } else {
            while left != 0 {
                if views.near[left.trailing_zeros() as usize] & views.area & !all != 0 {
                    return true;
                }
                left &= left - 1;
            }
        }
        let mut found = false;
        self.each_piece(position, player, |_, to| found |= to != [0; 2]);
        found
    }

    /// Whether the pieces in a player's goal make that player the winner.
    #[inline(always)]
    fn has_won(&self, position: &Position, player: usize) -> bool {
        let (goal, own) = (self.views.goal, position.own[player]);
        if self.own { own & goal == goal } else { position.all[player] & goal == goal && own & goal != 0 }
    }

    /// The advance of a player's pieces.
    #[inline(always)]
    fn advance(&self, position: &Position, player: usize) -> u32 {
        if self.views.narrow {
            return distances::rank(position.own[player] as u64);
        }
        let place = |cell: usize| position.own[player] & self.views.seen[player][cell] != 0;
        let rows = (0..self.views.cells).filter(|&cell| place(cell)).map(|cell| self.views.rows[player][cell]);
        rows.map(u32::from).sum()
    }

    /// A position with these owners of the cells, whose turn it may be.
    fn laid_out(&self, owners: &[Option<usize>]) -> Position {
        let mut position = Position {
            own: [0; MOST_PLAYERS],
            all: [0; MOST_PLAYERS],
            key: 0,
            advance: [0; MOST_PLAYERS],
            turn: 0,
            winner: NOBODY,
            plies: 0,
        };
        for (cell, owner) in owners.iter().enumerate() {
            let Some(owner) = *owner else { continue };
            position.own[owner] |= self.views.seen[owner][cell];
            (0..self.players).for_each(|player| position.all[player] |= self.views.seen[player][cell]);
            position.key ^= self.words[owner][cell];
        }
        for player in 0..self.players {
            position.advance[player] = self.advance(&position, player);
        }
        position
    }

    /// The player whose piece stands on a cell.
    fn owner(&self, position: &Position, cell: usize) -> Option<usize> {
        (0..self.players).find(|&player| position.own[player] & self.views.seen[player][cell] != 0)
    }

    /// The moves or rows that a player's pieces are away from the goal.
    #[inline(always)]
    fn distance(&self, position: &Position, player: usize) -> Score {
        let advance = position.advance[player];
        if self.views.narrow {
            let table = distances::moves_to_goal(self.leave);
            return Score::from(table.get(advance as usize).copied().unwrap_or(u8::MAX));
        }
        self.views.goal_rows as Score - advance as Score
    }
}

impl Game for ChineseCheckers {
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
        let player = usize::from(position.turn);
        if player >= self.players {
            return;
        }
        let (board, before) = (&self.views.board[player], out.len());
        // a list of its own for each piece, so that there is one question for room and not one for each move
        let mut list = [0; 128];
        self.each_piece(position, player, |place, to| {
            let from = Move::from(board[place as usize & 127]) << 8;
            let mut count = 0;
            for (word, first) in [(to[0], 0), (to[1], 64)] {
                for place in word.squares() {
                    list[count & 127] = from | Move::from(board[place as usize & 63 | first]);
                    count += 1;
                }
            }
            out.extend_from_slice(&list[..count & 127]);
        });
        if out.len() == before {
            out.push(PASS);
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let player = usize::from(position.turn);
        let next = self.after(player);
        position.turn = next as u8;
        position.plies += u16::from(self.cap > 0);
        if mv != PASS {
            let (from, to) = ends(mv);
            let views = &*self.views;
            for (all, seen) in position.all.iter_mut().zip(&views.seen).take(self.players) {
                *all ^= seen[from] | seen[to];
            }
            position.own[player] ^= views.seen[player][from] | views.seen[player][to];
            position.key ^= self.words[player][from] ^ self.words[player][to];
            if views.narrow {
                position.advance[player] = distances::rank(position.own[player] as u64);
            } else {
                let rows = &views.rows[player];
                position.advance[player] = position.advance[player] + u32::from(rows[to]) - u32::from(rows[from]);
            }
            // a goal becomes full only by a piece that enters it
            let aimed_at = usize::from(views.aimed_at[to]);
            if aimed_at < self.players && self.has_won(position, aimed_at) {
                (position.turn, position.winner) = (OVER, aimed_at as u8);
                return;
            }
        }
        if self.cap > 0 && position.plies >= self.cap {
            position.turn = OVER;
        }
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
        let (from, to) = ends(mv);
        if mv == PASS { "pass".to_owned() } else { format!("{from}-{to}") }
    }
}

impl Evaluate for ChineseCheckers {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let all: Score = (0..self.players).map(|player| self.own_value(position, player)).sum();
        2 * self.own_value(position, player) - all
    }

    #[inline(always)]
    fn own_value(&self, position: &Position, player: usize) -> Score {
        -STEP * self.distance(position, player)
    }
}

impl Order for ChineseCheckers {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        self.views.cells * self.views.cells
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        let (from, to) = ends(mv);
        from * self.views.cells + to
    }

    /// By the rows gone. Steps go one row or none and jumps an even number, so that halving what is more than one keeps all
    /// moves of a small board in their order.
    #[inline(always)]
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        let (from, to) = ends(mv);
        let rows = &self.views.rows[usize::from(position.turn) % MOST_PLAYERS];
        let gone = i32::from(rows[to]) - i32::from(rows[from]);
        if gone.abs() < 2 { gone } else { gone.signum() * (gone.abs() / 2 + 1).min(7) }
    }
}

impl Playout for ChineseCheckers {
    /// Counts where each piece can go and picks one of these places; no list is made.
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let player = usize::from(position.turn) % MOST_PLAYERS;
        let (mut pieces, mut listed, mut total) = ([(0, [0; 2], 0); 10], 0, 0);
        self.each_piece(position, player, |place, to| {
            let count = to[0].count_ones() + to[1].count_ones();
            pieces[listed % 10] = (place, to, count);
            listed += 1;
            total += count;
        });
        if total == 0 {
            return PASS;
        }
        let (mut n, board) = (random.below(total as usize) as u32, &self.views.board[player]);
        for &(place, to, count) in &pieces {
            if n < count {
                let low = to[0].count_ones();
                let to = if n < low { to[0].nth(n) } else { 64 + to[1].nth(n - low) };
                return Move::from(board[place as usize & 127]) << 8 | Move::from(board[to as usize & 127]);
            }
            n -= count;
        }
        unreachable!("the number is below the number of moves")
    }
}

impl Chance for ChineseCheckers {}
impl Hidden for ChineseCheckers {}
impl Repetition for ChineseCheckers {}
impl Ranked for ChineseCheckers {}
impl Puzzle for ChineseCheckers {}

impl AnyTurn for ChineseCheckers {
    const PASSES: bool = true;
    const ANY_TURN: bool = true;

    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        position.turn = self.after(usize::from(position.turn)) as u8;
        true
    }

    #[inline(always)]
    fn give_turn(&self, position: &mut Position, player: usize) -> bool {
        if !self.can_move(position, player) {
            return false;
        }
        position.turn = player as u8;
        true
    }
}

impl Draw for ChineseCheckers {
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
        (mv != PASS).then(|| picture::svg(self, position, Some(ends(mv))))
    }
}

impl Configure for ChineseCheckers {
    const SUMMARY: &'static str = "Chinese Checkers: step and jump across a star into the corner opposite";
    const RULES: &'static str = rules_text::RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("players", 2, (2, 6), "players: 2, 3, 4 or 6"),
            Parameter::word(
                "board",
                &["small", "full"],
                "73 cells and 6 pieces for each player, or 121 cells and 10 pieces",
            ),
            Parameter::word(
                "area",
                &["rhombus", "star"],
                "where pieces may land: on the hexagon, the own corner and the goal, or on the whole star",
            ),
            Parameter::flag("leave", false, "whether a piece may leave the goal"),
            Parameter::word(
                "win",
                &["filled", "own"],
                "who wins: with a full goal and a piece of one's own in it, or with nothing but own pieces there",
            ),
            Parameter::integer("plies", 1_000, (0, 30_000), "the game is a draw after so many moves; 0: never"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let players = params.integer("players") as usize;
        if players == 5 {
            return Err(BadParameter("Chinese Checkers is for 2, 3, 4 or 6 players, not 5".to_owned()));
        }
        let star = Star::new(if params.word("board") == "full" { 4 } else { 3 });
        let views = Views::new(&star, players, params.word("area") == "star");
        let zobrist = Zobrist::new(9);
        let word = |player, cell| zobrist.word(player, cell);
        let words = std::array::from_fn(|player| std::array::from_fn(|cell| word(player, cell)));
        let home = |cell| corners(players).iter().position(|&corner| star.in_corner(cell, corner));
        let owners: Vec<Option<usize>> = (0..star.cells.len()).map(home).collect();
        let mut game = Self {
            players,
            pieces: views.goal.count_ones() as usize,
            leave: params.flag("leave"),
            own: params.word("win") == "own",
            cap: params.integer("plies") as u16,
            star: Arc::new(star),
            views: Arc::new(views),
            words: Arc::new(words),
            start: Position {
                own: [0; MOST_PLAYERS],
                all: [0; MOST_PLAYERS],
                key: 0,
                advance: [0; MOST_PLAYERS],
                turn: 0,
                winner: NOBODY,
                plies: 0,
            },
        };
        game.start = game.laid_out(&owners);
        Ok(game)
    }
}

#[cfg(test)]
mod tests;
