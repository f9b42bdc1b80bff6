//! `ChanceBreakthrough` (Maarten Schadd, 2009): Breakthrough in which a player may roll dice instead of moving.

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn,
};

use crate::Breakthrough;
use crate::breakthrough::{self, board_parameters};
use crate::noise::Noise;

const RULES: &str = "\
The rules are those of Breakthrough, with one more move. White fills the two lowest rows, Black the two highest; White moves \
first and the players take turns. A piece moves one square straight or diagonally forward onto an empty square, and captures an \
enemy piece diagonally forward only. The player whose piece reaches the opponent's last row wins at once.

Instead of moving a piece a player may **roll** two dice, which name a row and a column. The piece on that square, whosoever it is, is \
removed, and if there is none nothing happens; then it is the opponent's turn. A player without pieces has lost, whether they were captured or \
removed by dice. A player with a piece can always move one, nobody has to roll, and there are no draws.

M. Schadd, M. Winands and J. Uiterwijk, *ChanceProbCut: Forward Pruning in Chance Nodes*, IEEE Symposium on Computational Intelligence \
and Games (2009). The source leaves open what happens to a player without pieces, and how the outcomes of a roll are \
counted: here all empty squares are one outcome. On a board of another size the dice have as many sides as it has rows \
and columns.

**Positions** are rows from the top with `w`, `b` and `.`, then the side to move, and `rolls` while the dice fall: \
`bbbbbbbb/bbbbbbbb/......../......../......../......../wwwwwwww/wwwwwwww w rolls`. **Moves** are `b2-b3`, `b2xc3` for a capture and \
`roll`; the outcomes of a roll are `roll=e5` for the square whose piece is removed and `roll=-` for all empty squares.

**Evaluation**, as in the source: 200 points a piece and 50 points for every row that a side's most advanced piece has left \
behind, as the difference between the sides. A win counts 1,500. `noise` adds a number between −`noise` and `noise`, drawn by lot, \
by `seed`, for each position; the source has 5 in its matches.";

/// The rules of `ChanceBreakthrough` on a board that fits into `B`.
#[derive(Clone, Debug)]
pub struct ChanceBreakthrough<B: Bits = u64> {
    rules: Breakthrough<B>,
    noise: Noise,
}

/// The pieces, and whether the dice are falling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    pieces: breakthrough::Position<B>,
    rolling: bool,
}

/// A move of Breakthrough, or [`ROLL`]; as an outcome the square whose piece is removed, or [`NOTHING`].
type Move = u16;
/// From a1 to a1.
const ROLL: Move = 0;
const NOTHING: Move = 256;

const UNIT: Score = 1_500;

impl<B: Bits> ChanceBreakthrough<B> {
    fn occupied(position: &Position<B>) -> B {
        position.pieces.white | position.pieces.black
    }

    /// Whether White and whether Black has won.
    #[inline(always)]
    fn won(&self, pieces: &breakthrough::Position<B>) -> [bool; 2] {
        let [white, black] = self.rules.arrived(pieces);
        [white || pieces.black.is_empty(), black || pieces.white.is_empty()]
    }
}

impl<B: Bits> Game for ChanceBreakthrough<B> {
    type Position = Position<B>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        Position { pieces: self.rules.start(), rolling: false }
    }

    #[inline(always)]
    fn turn(&self, position: &Position<B>) -> Turn {
        if position.rolling {
            return Turn::Chance;
        }
        let [white, black] = self.won(&position.pieces);
        if white || black { Turn::Over } else { Turn::Player(position.pieces.turn) }
    }

    #[inline]
    fn moves(&self, position: &Position<B>, out: &mut Vec<Move>) {
        if position.rolling {
            let occupied = Self::occupied(position);
            out.extend(occupied.squares().map(|square| square as Move));
            if occupied != self.rules.squares() {
                out.push(NOTHING);
            }
        } else if self.turn(position) != Turn::Over {
            self.rules.moves(&position.pieces, out);
            out.push(ROLL);
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position<B>, mv: Move) {
        if position.rolling {
            if mv != NOTHING {
                let rest = !B::square(u32::from(mv));
                position.pieces.white &= rest;
                position.pieces.black &= rest;
            }
            position.pieces.turn ^= 1;
            position.rolling = false;
        } else if mv == ROLL {
            position.rolling = true;
        } else {
            self.rules.play(&mut position.pieces, mv);
        }
    }

    #[inline(always)]
    fn score(&self, position: &Position<B>, player: usize) -> Score {
        let [white, _] = self.won(&position.pieces);
        if white == (player == 0) { UNIT } else { -UNIT }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position<B>) -> u64 {
        self.rules.key(&position.pieces).rotate_left(u32::from(position.rolling))
    }

    fn write(&self, position: &Position<B>) -> String {
        let pieces = self.rules.write(&position.pieces);
        if position.rolling { format!("{pieces} rolls") } else { pieces }
    }

    fn read(&self, text: &str) -> Result<Position<B>, BadText> {
        let text = text.trim();
        let (pieces, rolling) = match text.strip_suffix(" rolls") {
            Some(pieces) => (pieces, true),
            None => (text, false),
        };
        let pieces = self.rules.read_pieces(pieces)?;
        if pieces.white.is_empty() && pieces.black.is_empty() {
            return Err(BadText::new("a board without pieces: the game ends when one side has none"));
        }
        let [white, black] = self.won(&pieces);
        if white && black {
            return Err(BadText::new("only one side can have won"));
        }
        if rolling && (white || black) {
            return Err(BadText::new("the game is over; no dice are rolled"));
        }
        Ok(Position { pieces, rolling })
    }

    fn write_move(&self, position: &Position<B>, mv: Move) -> String {
        match mv {
            NOTHING => "roll=-".to_owned(),
            square if position.rolling => format!("roll={}", self.rules.name(u32::from(square))),
            ROLL => "roll".to_owned(),
            mv => self.rules.write_move(&position.pieces, mv),
        }
    }

    fn read_move(&self, position: &Position<B>, text: &str) -> Result<Move, BadText> {
        if self.turn(position) == Turn::Over {
            return Err(BadText::new("the game is over"));
        }
        let text = text.trim();
        if position.rolling {
            let mut outcomes = Vec::new();
            self.moves(position, &mut outcomes);
            let found = outcomes.into_iter().find(|&outcome| self.write_move(position, outcome) == text);
            return found.ok_or_else(|| {
                BadText::new(format!(
                    "{text:?} is not a legal outcome here; write the square of a piece, as in roll=e5, or roll=-"
                ))
            });
        }
        if text == "roll" { Ok(ROLL) } else { self.rules.read_move(&position.pieces, text) }
    }
}

impl<B: Bits> Evaluate for ChanceBreakthrough<B> {
    const INFORMED: bool = true;
    const NOISY: bool = true;

    /// Captures, and moves that win.
    fn noisy(&self, position: &Position<B>, out: &mut Vec<Move>) {
        if !position.rolling {
            self.rules.noisy(&position.pieces, out);
        }
    }

    #[inline]
    fn evaluate(&self, position: &Position<B>, player: usize) -> Score {
        let value = self.rules.material_and_race(&position.pieces) + self.noise.of(|| self.key(position));
        let value = value.clamp(1 - UNIT, UNIT - 1);
        if player == 0 { value } else { -value }
    }

    /// The pieces that are gone.
    #[inline]
    fn progress(&self, position: &Position<B>) -> Option<u32> {
        self.rules.progress(&position.pieces)
    }
}

impl<B: Bits> Order for ChanceBreakthrough<B> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        self.rules.indices() + self.rules.squares().count() as usize + 2
    }

    #[inline(always)]
    fn index(&self, position: &Position<B>, mv: Move) -> usize {
        let moves = self.rules.indices();
        match mv {
            NOTHING => moves + 1,
            square if position.rolling => moves + 2 + usize::from(square),
            ROLL => moves,
            mv => self.rules.index(&position.pieces, mv),
        }
    }

    /// Captures first, the dice last: they make a node many times as large.
    #[inline(always)]
    fn hint(&self, position: &Position<B>, mv: Move) -> i32 {
        match mv {
            _ if position.rolling => 0,
            ROLL => -7,
            mv => self.rules.hint(&position.pieces, mv),
        }
    }
}

impl<B: Bits> Chance for ChanceBreakthrough<B> {
    const CHANCE: bool = true;
    const ALWAYS_CHANCE: bool = true;

    #[inline]
    fn probability(&self, position: &Position<B>, outcome: Move) -> f64 {
        let squares = self.rules.squares().count();
        let ways = if outcome == NOTHING { squares - Self::occupied(position).count() } else { 1 };
        f64::from(ways) / f64::from(squares)
    }

    fn outcomes(&self, position: &Position<B>, out: &mut Vec<(Move, f64)>) {
        let (occupied, squares) = (Self::occupied(position), self.rules.squares());
        let all = f64::from(squares.count());
        out.extend(occupied.squares().map(|square| (square as Move, 1.0 / all)));
        if occupied != squares {
            out.push((NOTHING, f64::from(squares.count() - occupied.count()) / all));
        }
    }

    #[inline]
    fn sample(&self, position: &Position<B>, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let squares = self.rules.squares();
        let square = squares.nth(random.below(squares.count() as usize) as u32);
        if Self::occupied(position).has(square) { square as Move } else { NOTHING }
    }
}

impl<B: Bits> Playout for ChanceBreakthrough<B> {
    #[inline]
    fn random_move(&self, position: &Position<B>, random: &mut Random, buffer: &mut Vec<Move>) -> Move {
        let moves = self.rules.mobility(&position.pieces, buffer) as usize;
        if random.below(moves + 1) == moves {
            return ROLL;
        }
        self.rules.random_move(&position.pieces, random, buffer)
    }
}

impl<B: Bits> Hidden for ChanceBreakthrough<B> {}
impl<B: Bits> Repetition for ChanceBreakthrough<B> {}
impl<B: Bits> Ranked for ChanceBreakthrough<B> {}
impl<B: Bits> Puzzle for ChanceBreakthrough<B> {}

impl<B: Bits> AnyTurn for ChanceBreakthrough<B> {
    const PASSES: bool = true;

    #[inline(always)]
    fn pass(&self, position: &mut Position<B>) -> bool {
        if position.rolling {
            return false;
        }
        self.rules.pass(&mut position.pieces)
    }
}

impl<B: Bits> Draw for ChanceBreakthrough<B> {
    fn board(&self, position: &Position<B>) -> String {
        let board = self.rules.board(&position.pieces);
        if position.rolling { format!("{board}\nthe dice fall") } else { board }
    }

    fn svg(&self, position: &Position<B>) -> String {
        let turn = if position.rolling { Turn::Player(position.pieces.turn) } else { self.turn(position) };
        self.rules.picture(&position.pieces, turn)
    }

    fn cells(&self, position: &Position<B>) -> Vec<Cell> {
        self.rules.cells(&position.pieces)
    }
}

impl<B: Bits> Configure for ChanceBreakthrough<B> {
    const SUMMARY: &'static str =
        "Breakthrough, where a player may roll dice instead that remove a piece of either side";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        board_parameters().into_iter().chain(Noise::parameters()).collect()
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        Ok(Self { rules: Breakthrough::of_board(params, true)?, noise: Noise::configure(params) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Value;

    fn game(noise: i64) -> ChanceBreakthrough {
        let given = [("noise".to_owned(), Value::Integer(noise))];
        let params = Params::complete(&ChanceBreakthrough::<u64>::parameters(), given).unwrap();
        ChanceBreakthrough::configure(&params).unwrap()
    }

    fn listed(game: &ChanceBreakthrough, position: &Position<u64>) -> Vec<Move> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves
    }

    fn after(game: &ChanceBreakthrough, position: &Position<u64>, mv: Move) -> Position<u64> {
        let mut child = *position;
        game.play(&mut child, mv);
        child
    }

    /// The sequences of so many turns, in which a roll with its outcome is one turn.
    fn turns(game: &ChanceBreakthrough, position: &Position<u64>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let count = |mv: Move| {
            let child = after(game, position, mv);
            if child.rolling { turns(game, &child, depth) } else { turns(game, &child, depth - 1) }
        };
        listed(game, position).into_iter().map(count).sum()
    }

    #[test]
    fn a_roll_and_its_outcome_make_as_many_sequences_of_turns_as_counted_elsewhere() {
        // test vector 13
        let game = game(0);
        for (depth, count) in [(1, 55), (2, 2_993), (3, 162_281), (4, 8_702_549)] {
            assert_eq!(turns(&game, &game.start(), depth), count);
        }
    }

    #[test]
    fn the_start_has_23_moves_and_a_roll_33_outcomes() {
        let game = game(0);
        let start = game.start();
        assert_eq!((listed(&game, &start).len(), game.evaluate(&start, 0)), (23, 0));
        let rolling = after(&game, &start, ROLL);
        let outcomes = listed(&game, &rolling);
        assert_eq!((outcomes.len(), game.turn(&rolling)), (33, Turn::Chance));
        for &outcome in &outcomes[..32] {
            assert!((game.probability(&rolling, outcome) - 1.0 / 64.0).abs() < 1e-15);
        }
        assert!((game.probability(&rolling, NOTHING) - 0.5).abs() < 1e-15);
        assert_eq!(game.write(&after(&game, &rolling, NOTHING)), game.write(&start).replace(" w", " b"));
    }

    #[test]
    fn whoever_loses_the_last_piece_to_the_dice_has_lost() {
        let game = game(0);
        let text = "......../......../......../......../..b...../.w....../......../........ w rolls";
        for (outcome, white) in [("roll=c4", UNIT), ("roll=b3", -UNIT)] {
            let position = game.read(text).unwrap();
            let end = after(&game, &position, game.read_move(&position, outcome).unwrap());
            assert_eq!((game.turn(&end), game.score(&end, 0), game.score(&end, 1)), (Turn::Over, white, -white));
            assert_eq!(game.read(&game.write(&end)), Ok(end));
        }
        let position = game.read(text).unwrap();
        let end = after(&game, &position, game.read_move(&position, "roll=-").unwrap());
        assert_eq!(game.turn(&end), Turn::Player(1));
    }

    #[test]
    fn the_evaluation_counts_pieces_and_the_race_within_bounds() {
        let text = "......../......../b......./......../w......./......../w......./........ w";
        let position = game(0).read(text).unwrap();
        assert_eq!((game(0).evaluate(&position, 0), game(0).evaluate(&position, 1)), (250, -250));
        let many = game(0).read("b......./......../......../......../......../......../wwwwwwww/wwwwwwww w").unwrap();
        assert_eq!(game(0).evaluate(&many, 1), 1 - UNIT);
        assert!((game(5).evaluate(&position, 0) - 250).abs() <= 5);
    }

    #[test]
    fn impossible_positions_are_refused() {
        for (text, reason) in [
            ("......../......../......../......../......../......../......../........ w", "without pieces"),
            ("w......./......../......../......../......../......../......../b....... w", "won already"),
            ("w......./......../......../......../......../......../......../........ b rolls", "over"),
            ("b......./......../......../......../......../......../w......./........ w rolls rolls", "w or b"),
        ] {
            let bad = game(0).read(text).unwrap_err().0;
            assert!(bad.contains(reason), "{text}: {bad}");
        }
    }
}
