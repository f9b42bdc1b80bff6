//! Do-Guti (Punjab), known as Pong Hau K'i in China and Umul Gonu in Korea.

use std::fmt::Write;

use kibitz_game::text::{Piece, Svg, colour};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params,
    Place, Playout, Puzzle, Range, Ranked, Repetition, Score, Slice, Turn, Wdl, splitmix64,
};

use crate::shifting::{Repeats, read_move, side, split_side};
use crate::subsets::{self, packed, subsets, unpacked};

const RULES: &str = "\
The board has five points: four corners and the centre. The centre is joined to all corners, the left corners to each \
other, the right ones, and the lower ones; the upper corners are not joined. Each player has two stones, White the upper \
ones and Black the lower ones, or the other way round with `white=bottom`. White moves first. A move shifts one of the own \
stones along a line to an adjacent empty point; there is exactly one empty point. Nobody passes. A player who cannot move \
loses.

The rules say nothing about repetition, and good play goes on for ever. Here a position that occurs for the third time \
ends the game in a draw, which changes the value of no position; `repetition` is the number of times, and 0 means never.

Do-Guti is the Punjabi name; Pong Hau K'i (China) and Umul Gonu (Korea) are the same game. J. Donkers, J. van den Herik and \
J. Uiterwijk, *Dao: a benchmark game* (Computers and Games 2004), use it as an example: of its 16 positions apart from \
the mirror image 13 are draws, the start among them. A player loses only by walking into the one position without a move.

**Positions** are the points from the top, `TL TR`, `C`, `BL BR`, with `W`, `B` and `.`, then the side to move: \
`WW/./BB W`. The slashes may be left out. **Moves** name two points: `TL-C`, or `TLC`.

**Evaluation**: 100 points for each move that a player has, with those of the opponent subtracted; a win counts 10,000.";

/// The rules of Do-Guti.
#[derive(Clone, Debug)]
pub struct DoGuti {
    repeats: Repeats,
    start: Position,
}

/// A position: the stones of White and of Black as bits of the points, in the order of [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    stones: [u8; 2],
    turn: u8,
}

const NAMES: [&str; 5] = ["TL", "TR", "C", "BL", "BR"];
const POINTS: u8 = 0b11111;
const STONES: u32 = 2;
/// The points that each is joined to.
const JOINED: [u8; 5] = [0b01100, 0b10100, 0b11011, 0b10101, 0b01110];
const UNIT: Score = 10_000;

/// A move: the point that a stone leaves. It goes to the empty one.
type Move = u8;

impl Position {
    /// The stones of the player to move and of the other one.
    #[inline(always)]
    fn sides(self) -> (u8, u8) {
        let turn = usize::from(self.turn & 1);
        (self.stones[turn], self.stones[1 - turn])
    }

    fn empty(self) -> u32 {
        (POINTS & !(self.stones[0] | self.stones[1])).trailing_zeros()
    }

    /// The stones of the player to move that can move.
    #[inline(always)]
    fn movable(self) -> u8 {
        self.sides().0 & JOINED[self.empty() as usize % 5]
    }

    fn letter(self, point: usize) -> char {
        match self.stones.map(|stones| stones >> point & 1) {
            [1, _] => 'W',
            [_, 1] => 'B',
            _ => '.',
        }
    }
}

impl Game for DoGuti {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        self.start
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.movable() == 0 { Turn::Over } else { Turn::Player(position.turn) }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let movable = position.movable();
        out.extend((0..5).filter(|point| movable >> point & 1 != 0));
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let empty = position.empty();
        position.stones[usize::from(position.turn & 1)] ^= 1 << mv | 1 << empty;
        position.turn ^= 1;
    }

    #[inline(always)]
    fn score(&self, position: &Position, player: usize) -> Score {
        if player == usize::from(position.turn) { -UNIT } else { UNIT }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [white, black] = position.stones.map(u64::from);
        splitmix64(white | black << 8 | u64::from(position.turn) << 16)
    }

    fn write(&self, position: &Position) -> String {
        let [tl, tr, c, bl, br] = [0, 1, 2, 3, 4].map(|point| position.letter(point));
        format!("{tl}{tr}/{c}/{bl}{br} {}", side(position.turn))
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let (points, turn) = split_side(text)?;
        let shape = || BadText::new("the points are written from the top, two, one and two: WW/./BB");
        let letters: Vec<char> = match points.split('/').collect::<Vec<&str>>()[..] {
            [all] => all.chars().collect(),
            [top, centre, bottom] if [top, centre, bottom].map(|row| row.chars().count()) == [2, 1, 2] => {
                [top, centre, bottom].concat().chars().collect()
            }
            _ => return Err(shape()),
        };
        if letters.len() != NAMES.len() {
            return Err(shape());
        }
        let mut stones = [0; 2];
        for (point, letter) in letters.into_iter().enumerate() {
            match letter {
                'W' => stones[0] |= 1 << point,
                'B' => stones[1] |= 1 << point,
                '.' => {}
                other => return Err(BadText::new(format!("{other:?} is not a point; use W, B and ."))),
            }
        }
        if stones.iter().any(|set: &u8| set.count_ones() != STONES) {
            return Err(BadText::new(format!("each player has {STONES} stones")));
        }
        Ok(Position { stones, turn })
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        format!("{}-{}", NAMES[usize::from(mv) % 5], NAMES[position.empty() as usize % 5])
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, BadText> {
        read_move(self, position, text)
    }
}

impl Evaluate for DoGuti {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let moves = |turn| Position { turn, ..*position }.movable().count_ones() as Score;
        let value = 100 * (moves(0) - moves(1));
        if player == 0 { value } else { -value }
    }
}

impl Order for DoGuti {
    fn indices(&self) -> usize {
        25
    }

    #[inline(always)]
    fn index(&self, position: &Position, mv: Move) -> usize {
        usize::from(mv) * 5 + position.empty() as usize
    }
}

impl Repetition for DoGuti {
    const REPEATS: bool = true;

    #[inline(always)]
    fn repeated(&self, _: &Position, times: u32, _: usize) -> Option<Score> {
        self.repeats.drawn(times)
    }
}

impl AnyTurn for DoGuti {
    const PASSES: bool = true;

    /// Has no meaning where the opponent cannot move.
    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        let passed = Position { turn: 1 - position.turn, ..*position };
        let free = passed.movable() != 0;
        if free {
            *position = passed;
        }
        free
    }

    /// Whoever has no good move would rather pass.
    fn zugzwang(&self, _: &Position) -> bool {
        true
    }
}

impl Chance for DoGuti {}
impl Hidden for DoGuti {}
impl Playout for DoGuti {}
impl Puzzle for DoGuti {}

/// The same points with left and right exchanged.
fn mirrored(stones: u8) -> u8 {
    (stones & 0b01001) << 1 | (stones & 0b10010) >> 1 | stones & 0b00100
}

/// The ways to place the stones of the opponent.
const OTHERS: u32 = subsets(5 - STONES, STONES);
/// The ways to place all stones.
const SIZE: u32 = subsets(5, STONES) * OTHERS;

/// The rank of stones, those of the player to move first, that stand for themselves and their mirror image.
fn rank(own: u8, other: u8) -> u32 {
    let free = u16::from(POINTS & !own);
    subsets::rank(u16::from(own)) * OTHERS + subsets::rank(packed(u16::from(other), free))
}

/// Whichever of a position and its mirror image has the lower rank.
fn representative(own: u8, other: u8) -> (u8, u8) {
    (own, other).min((mirrored(own), mirrored(other)))
}

impl Ranked for DoGuti {
    const RANKED: bool = true;
    const UNPLAYS: bool = true;
    /// There is one group, which no move leaves.
    const MIXES: bool = false;

    /// There are always four stones.
    fn groups(&self, pieces: Option<u32>) -> Vec<Vec<Slice>> {
        if pieces.is_none_or(|pieces| pieces >= 2 * STONES) { vec![vec![Slice(0)]] } else { Vec::new() }
    }

    fn slice_name(&self, _: Slice) -> String {
        format!("{STONES}-{STONES}")
    }

    fn size(&self, _: Slice) -> u64 {
        u64::from(SIZE)
    }

    fn place(&self, position: &Position) -> Option<Place> {
        let (own, other) = position.sides();
        let (own, other) = representative(own, other);
        Some(Place { slice: Slice(0), rank: u64::from(rank(own, other)) })
    }

    fn unrank(&self, _: Slice, rank: u64) -> Option<Position> {
        let rank = u32::try_from(rank).ok().filter(|&rank| rank < SIZE)?;
        let own = subsets::unrank(rank / OTHERS, STONES);
        let free = u16::from(POINTS) & !own;
        let other = unpacked(subsets::unrank(rank % OTHERS, STONES), free);
        let stones = [own as u8, other as u8];
        (representative(stones[0], stones[1]) == stones.into()).then_some(Position { stones, turn: 0 })
    }

    fn orbit(&self, position: &Position) -> u32 {
        if position.stones.map(mirrored) == position.stones { 1 } else { 2 }
    }

    fn turned(&self, turned: &Position) -> Option<Position> {
        Some(Position { turn: 1 - turned.turn, ..*turned })
    }

    fn ended(&self, position: &Position) -> Option<Wdl> {
        (position.movable() == 0).then_some(Wdl::Loss)
    }

    /// A stone of the player who has just moved goes back to the empty point.
    fn unplay(&self, position: &Position, mut visit: impl FnMut(&Position)) {
        let before = Position { turn: 1 - position.turn, ..*position };
        let movable = before.movable();
        for point in (0..5).filter(|point| movable >> point & 1 != 0) {
            let mut predecessor = before;
            predecessor.stones[usize::from(before.turn & 1)] ^= 1 << point | 1 << before.empty();
            visit(&predecessor);
        }
    }
}

/// Where the points are in a picture.
const PLACES: [(i32, i32); 5] = [(40, 40), (200, 40), (120, 120), (40, 200), (200, 200)];

impl DoGuti {
    fn picture(&self, position: Position, mv: Option<Move>) -> String {
        let mut svg = Svg::new(240, 240);
        let mut lines = String::new();
        for point in 0..5 {
            for other in (0..point).filter(|other| JOINED[point] >> other & 1 != 0) {
                let ((x, y), (to_x, to_y)) = (PLACES[point], PLACES[other]);
                let _ = write!(lines, "M{x} {y}L{to_x} {to_y}");
            }
        }
        svg.path(&lines, &format!("stroke=\"{}\" stroke-width=\"3\"", colour::LINE));
        for (point, &place) in PLACES.iter().enumerate() {
            match position.letter(point) {
                'W' => svg.circle(place, 17, "fill=\"#fdfdfb\" stroke=\"#333\" stroke-width=\"1.5\""),
                'B' => svg.circle(place, 17, "fill=\"#262626\" stroke=\"#000\" stroke-width=\"1.5\""),
                _ => svg.circle(place, 6, &format!("fill=\"{}\"", colour::LINE)),
            }
        }
        if let Some(mv) = mv {
            let ((x, y), (to_x, to_y)) = (PLACES[usize::from(mv) % 5], PLACES[position.empty() as usize % 5]);
            let look = "stroke-width=\"5\" stroke-linecap=\"round\" opacity=\".85\"";
            let path = format!("M{x} {y}L{to_x} {to_y}");
            svg.path(&path, &format!("class=\"move\" stroke=\"{}\" {look}", colour::PLAYERS[0]));
            svg.circle((to_x, to_y), 8, &format!("fill=\"{}\"", colour::PLAYERS[0]));
        }
        if let Turn::Player(player) = self.turn(&position) {
            let fill = ["#fdfdfb", "#262626"][usize::from(player & 1)];
            svg.circle((226, 226), 7, &format!("fill=\"{fill}\" stroke=\"#333\""));
        }
        svg.finish()
    }
}

impl Draw for DoGuti {
    fn board(&self, position: &Position) -> String {
        let [tl, tr, c, bl, br] = [0, 1, 2, 3, 4].map(|point| position.letter(point));
        format!("  {tl}   {tr}\n  |\\ /|\n  | {c} |\n  |/ \\|\n  {bl}---{br}")
    }

    fn svg(&self, position: &Position) -> String {
        self.picture(*position, None)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        let piece = |point| Piece::of_letter(position.letter(point), [('W', Piece::White), ('B', Piece::Black)]);
        (0..5).map(|point| Cell::around(NAMES[point], PLACES[point], 34).holding(piece(point).name())).collect()
    }

    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        Some(self.picture(*position, Some(mv)))
    }
}

impl Configure for DoGuti {
    const SUMMARY: &'static str = "shift stones on five points; whoever cannot move loses";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        let doc = "which stones are White's at the start, the upper or the lower ones";
        vec![Parameter::word("white", &["top", "bottom"], doc), Repeats::parameter()]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let (top, bottom) = (0b00011, 0b11000);
        let stones = if params.word("white") == "top" { [top, bottom] } else { [bottom, top] };
        Ok(Self { repeats: Repeats::configure(params)?, start: Position { stones, turn: 0 } })
    }
}
