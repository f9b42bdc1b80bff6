//! Morpion Solitaire: the longest sequence of lines on paper.

mod board;
mod notation;
mod picture;
#[cfg(test)]
mod tests;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params,
    Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn,
};

use board::{Board, LINES, Line, Rules};

const RULES: &str = "\
Paper, a pencil and one player. The start is the outline of a Greek cross: 36 dots for lines of five (`5T`, `5D`), 24 for lines of four \
(`4T`, `4D`). In a move the player puts a new dot on a point of the grid so that it completes a line of five (four) \
neighbouring dots, horizontal, vertical or diagonal, and draws that line. A line may cross others. In the *touching* variants, \
`T`, two lines of the same direction may share an end, but no piece between two neighbouring dots is drawn twice; in the *disjoint* variants, `D`, \
they may not share a dot. The game is over when no line can be drawn; the result is the number of moves.

The order of the moves does not matter as long as every move is possible in its turn, and the picture tells which moves were made: two games that lead to the same picture \
are made of the same moves. Each dot has eight directions. A line of five adds eight free ones, those of its new dot, and uses eight up, those of its dots along it: the free directions always add \
up to 288, and since the outermost dots keep some of theirs the game must end. A line of four uses only six up.

**Records.** 5T: 170 by hand (C.-H. Bruneau, 1976), 178 by program (C. Rosin, 2011); at most 485 are possible (H. Michalewski, A. Nagórko and \
J. Pawlewicz, 2015). 5D: 82 (C. Rosin, 2010), at most 84. 4T: 62, and 4D: 35, both proved (M. Quist, 2008). B. Helmstetter and T. Cazenave, \
*Incremental Transpositions*, Computers and Games 2004, search it without a table.

**Moves** are written as in the files of the Pentasol player, without blanks: the new dot as (column,row), the direction of the line, `-`, `|`, `\\` or `/`, and where its middle is seen from the \
new dot: `(3,-1)|+2` puts a dot above the cross and draws the line downwards, `(4,0)-0` would be in the middle of its line. Rows are counted downwards and columns to the right from the \
upper left corner of the box around the cross, `(0,0)`; the middle is counted to the right or, in columns, downwards. The middle of a line of \
four is its third dot. **Positions** are the moves that lead to them, in any order in which they can be made, separated by blanks; without a move it is `start`.

The paper has 32 × 32 points with the cross in the middle; no line is drawn over its edge, which no known game comes near. The evaluation is the number of moves made and \
possible.";

/// The rules of Morpion Solitaire.
#[derive(Clone, Debug)]
pub struct Morpion {
    rules: Rules,
    start: Board,
}

/// A variant: the name, the dots of a line, whether lines may touch, and the greatest score that is not disproved.
const VARIANTS: [(&str, u8, bool, Score); 4] =
    [("5T", 5, true, 485), ("5D", 5, false, 84), ("4T", 4, true, 62), ("4D", 4, false, 35)];

impl Morpion {
    fn new(variant: usize) -> Self {
        let (_, dots, touching, _) = VARIANTS[variant];
        let rules = Rules::new(variant, usize::from(dots), touching);
        Self { start: rules.start(), rules }
    }

    fn most(&self) -> Score {
        VARIANTS[self.rules.variant].3
    }
}

impl Game for Morpion {
    type Position = Board;
    type Move = u32;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> Board {
        self.start
    }

    #[inline(always)]
    fn turn(&self, position: &Board) -> Turn {
        if position.lines().is_empty() { Turn::Over } else { Turn::Player(0) }
    }

    #[inline(always)]
    fn moves(&self, position: &Board, out: &mut Vec<u32>) {
        out.extend_from_slice(position.lines());
    }

    #[inline(always)]
    fn play(&self, position: &mut Board, mv: u32) {
        self.rules.draw(position, Line(mv));
    }

    #[inline(always)]
    fn score(&self, position: &Board, _: usize) -> Score {
        position.drawn()
    }

    fn range(&self, _: usize) -> Range {
        Range { low: 0, high: self.most() }
    }

    #[inline(always)]
    fn key(&self, position: &Board) -> u64 {
        position.key()
    }

    fn write(&self, position: &Board) -> String {
        notation::write(&self.rules, position)
    }

    fn read(&self, text: &str) -> Result<Board, BadText> {
        notation::read(&self.rules, text)
    }

    fn write_move(&self, _: &Board, mv: u32) -> String {
        notation::write_line(&self.rules, Line(mv))
    }

    fn read_move(&self, position: &Board, text: &str) -> Result<u32, BadText> {
        notation::read_line(&self.rules, position, text)
    }
}

impl Evaluate for Morpion {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Board, _: usize) -> Score {
        (position.drawn() + position.lines().len() as Score).min(self.most() - 1)
    }

    #[inline]
    fn bounds(&self, position: &Board, _: usize) -> Range {
        Range { low: position.drawn() + 1, high: self.most() }
    }

    fn progress(&self, position: &Board) -> Option<u32> {
        Some(position.drawn() as u32)
    }
}

impl Order for Morpion {
    fn indices(&self) -> usize {
        LINES * self.rules.dots
    }

    /// The line together with the place of the new dot on it.
    #[inline(always)]
    fn index(&self, _: &Board, mv: u32) -> usize {
        Line(mv).code(self.rules.dots)
    }
}

impl Chance for Morpion {}
impl Hidden for Morpion {}
impl Repetition for Morpion {}
impl AnyTurn for Morpion {}

impl Playout for Morpion {
    #[inline(always)]
    fn random_move(&self, position: &Board, random: &mut Random, _: &mut Vec<u32>) -> u32 {
        let lines = position.lines();
        lines[random.below(lines.len())]
    }
}

impl Ranked for Morpion {}
impl Puzzle for Morpion {
    const SOLITAIRE: bool = true;

    fn codes(&self) -> usize {
        self.indices()
    }

    #[inline(always)]
    fn code(&self, position: &Board, mv: u32) -> u64 {
        self.index(position, mv) as u64
    }

    #[inline(always)]
    fn gained(&self, position: &Board) -> Score {
        position.drawn()
    }

    fn commutes(&self) -> bool {
        true
    }

    #[inline(always)]
    fn commute(&self, _: &Board, first: u32, second: u32) -> bool {
        !self.rules.exclude(Line(first), Line(second))
    }

    fn cycles(&self) -> bool {
        false
    }
}

impl Draw for Morpion {
    fn board(&self, position: &Board) -> String {
        picture::board(&self.rules, position)
    }

    fn svg(&self, position: &Board) -> String {
        picture::svg(&self.rules, position, None)
    }

    fn cells(&self, position: &Board) -> Vec<Cell> {
        picture::cells(&self.rules, position)
    }

    fn clicks(&self, position: &Board, mv: u32, _: &[Cell]) -> Vec<Vec<String>> {
        picture::clicks(&self.rules, position, Line(mv))
    }

    fn svg_of_move(&self, position: &Board, mv: u32) -> Option<String> {
        Some(picture::svg(&self.rules, position, Some(Line(mv))))
    }

    fn svg_of_line(&self, position: &Board, moves: &[u32]) -> Option<String> {
        Some(picture::numbered(&self.rules, position, moves))
    }
}

impl Configure for Morpion {
    const SUMMARY: &'static str = "draw as many lines of five as you can: Morpion Solitaire, one player";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        const NAMES: [&str; 4] = [VARIANTS[0].0, VARIANTS[1].0, VARIANTS[2].0, VARIANTS[3].0];
        vec![Parameter::word("variant", &NAMES, "lines of 5 or 4 dots, touching (T) or disjoint (D)")]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let name = params.word("variant");
        let variant = VARIANTS.iter().position(|variant| variant.0 == name);
        variant.map(Self::new).ok_or_else(|| BadParameter(format!("no variant {name:?}")))
    }
}
