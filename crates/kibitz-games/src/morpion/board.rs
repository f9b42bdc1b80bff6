//! Dots and lines on paper, with the list of lines that can be drawn kept up to date.
//!
//! In each of the four directions the paper is made of 32 *tracks*, words of 32 points. A dot is kept in all four, so that what is
//! around a new dot in any direction is a few neighbouring bits of a word, and a table says which lines can now be drawn.

use std::fmt;

use kibitz_game::Zobrist;

/// The points of a side of the paper.
pub(super) const SIDE: usize = 32;
/// The directions: horizontal, vertical, falling and rising to the right.
pub(super) const DIRECTIONS: usize = 4;
/// Lines by track and first point.
pub(super) const LINES: usize = DIRECTIONS * SIDE * SIDE;

/// The most lines that can be drawn in any position. A line of `n` dots that can be drawn has `n` − 1 of them already. Of the eight half-directions
/// of a dot those that no line uses are free; a dot lies on at most `n` such lines of a direction if both half-directions are free, on one if only one
/// is: at most `n` / 2 lines for each free half-direction, so that there are at most `n` / (2`n` − 2) lines for each of them. There are always 288 with
/// lines of five (the rules say why): 180 lines. With lines of four there are 192 and two more after every move, of which there are at most 62: 210 lines.
/// A disjoint line is also a touching one.
const MOST: usize = 210;

const WORDS: Zobrist = Zobrist::new(0x4d6f_7270);

/// A line with its new dot: from the high bits the dot (row and column), the track (direction and number), the first point on the track, and
/// how far the dot is from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line(pub(super) u32);

/// The number and the place on the track of a point.
#[inline(always)]
fn track(direction: usize, x: usize, y: usize) -> (usize, usize) {
    match direction {
        0 => (y, x),
        1 => (x, y),
        2 => (x.wrapping_sub(y) % SIDE, x),
        _ => ((x + y) % SIDE, x),
    }
}

/// The column and the row of a place on a track.
#[inline(always)]
fn point(direction: usize, number: usize, place: usize) -> (usize, usize) {
    match direction {
        0 => (place, number),
        1 => (number, place),
        2 => (place, place.wrapping_sub(number) % SIDE),
        _ => (place, number.wrapping_sub(place) % SIDE),
    }
}

impl Line {
    fn new(direction: usize, number: usize, first: usize, offset: usize) -> Self {
        let (x, y) = point(direction, number, (first + offset) % SIDE);
        Self((y << 20 | x << 15 | direction << 13 | number << 8 | first << 3 | offset) as u32)
    }

    /// The column and the row of the new dot.
    #[inline(always)]
    pub(super) fn dot(self) -> (usize, usize) {
        ((self.0 >> 15) as usize % SIDE, (self.0 >> 20) as usize % SIDE)
    }

    #[inline(always)]
    pub(super) fn direction(self) -> usize {
        (self.0 >> 13) as usize % DIRECTIONS
    }

    #[inline(always)]
    fn number(self) -> usize {
        (self.0 >> 8) as usize % SIDE
    }

    #[inline(always)]
    fn first(self) -> usize {
        (self.0 >> 3) as usize % SIDE
    }

    /// How many points of the line lie before the new dot.
    #[inline(always)]
    pub(super) fn offset(self) -> usize {
        self.0 as usize % 8
    }

    /// The column and the row of the i-th point.
    pub(super) fn point(self, i: usize) -> (usize, usize) {
        point(self.direction(), self.number(), self.first() + i)
    }

    /// A number below `LINES * dots` of its own.
    #[inline(always)]
    pub(super) fn code(self, dots: usize) -> usize {
        (self.0 >> 3) as usize % LINES * dots + self.offset()
    }
}

/// Dots, lines drawn and lines that can be drawn.
#[derive(Clone, Copy)]
pub struct Board {
    dots: [[u32; SIDE]; DIRECTIONS],
    /// Where no other line of the direction may be: in the touching variants the pieces between a dot and the next one,
    /// in the disjoint ones the dots.
    taken: [[u32; SIDE]; DIRECTIONS],
    key: u64,
    drawn: u16,
    possible: u16,
    /// Ascending, so that equal positions list their moves in the same order.
    lines: [u32; MOST],
}

impl PartialEq for Board {
    /// The lines drawn tell which dots there are, and these which lines can be drawn.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.taken == other.taken && self.dots[0] == other.dots[0]
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board of {} lines, {} possible, key {:x}", self.drawn, self.possible, self.key)
    }
}

impl Board {
    /// The lines that can be drawn.
    #[inline(always)]
    pub(super) fn lines(&self) -> &[u32] {
        &self.lines[..usize::from(self.possible)]
    }

    /// How many lines have been drawn.
    #[inline(always)]
    pub(super) fn drawn(&self) -> i32 {
        self.drawn.into()
    }

    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn dot(&self, x: usize, y: usize) -> bool {
        self.dots[0][y] >> x & 1 != 0
    }

    /// Adds a dot.
    #[inline(always)]
    fn mark(&mut self, x: usize, y: usize) {
        for direction in 0..DIRECTIONS {
            let (number, place) = track(direction, x, y);
            self.dots[direction][number] |= 1 << place;
        }
    }

    /// Adds a line to those that can be drawn.
    #[inline(always)]
    fn insert(&mut self, line: Line) {
        let mut at = usize::from(self.possible);
        debug_assert!(at < MOST);
        while at > 0 && self.lines[at - 1] > line.0 {
            self.lines[at] = self.lines[at - 1];
            at -= 1;
        }
        self.lines[at] = line.0;
        self.possible += 1;
    }
}

/// What a variant says about lines.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) variant: usize,
    /// The dots of a line.
    pub(super) dots: usize,
    /// How many bits of its track a line takes.
    pub(super) width: usize,
    /// The lines through the middle of a window of 2 · dots − 1 points that lack one dot, a bit for each of their first points.
    lacking: [u8; 512],
    /// Of the same lines those that something taken is in the way of.
    blocked: [u8; 512],
}

/// The outlines of the Greek crosses for lines of five and of four.
const CROSSES: [&[&str]; 2] = [
    &[
        "...XXXX...",
        "...X..X...",
        "...X..X...",
        "XXXX..XXXX",
        "X........X",
        "X........X",
        "XXXX..XXXX",
        "...X..X...",
        "...X..X...",
        "...XXXX...",
    ],
    &["..XXX..", "..X.X..", "XXX.XXX", "X.....X", "XXX.XXX", "..X.X..", "..XXX.."],
];

impl Rules {
    pub(super) fn new(variant: usize, dots: usize, touching: bool) -> Self {
        let width = if touching { dots - 1 } else { dots };
        let (mut lacking, mut blocked) = ([0; 512], [0; 512]);
        for window in 0..1usize << (2 * dots - 1) {
            for first in 0..dots {
                let points = window >> first & ((1 << dots) - 1);
                lacking[window] |= u8::from(points.count_ones() as usize == dots - 1) << first;
                blocked[window] |= u8::from(window >> first & ((1 << width) - 1) != 0) << first;
            }
        }
        Self { variant, dots, width, lacking, blocked }
    }

    fn cross(&self) -> &'static [&'static str] {
        CROSSES[usize::from(self.dots == 4)]
    }

    /// The column and the row of the upper left corner of the box around the cross.
    pub(super) fn corner(&self) -> usize {
        (SIDE - self.cross().len()) / 2
    }

    /// Whether a point has a dot at the start.
    pub(super) fn is_start(&self, x: usize, y: usize) -> bool {
        let inside = |at: usize| at.wrapping_sub(self.corner());
        self.cross().get(inside(y)).and_then(|row| row.as_bytes().get(inside(x))) == Some(&b'X')
    }

    pub(super) fn start(&self) -> Board {
        let mut board = Board {
            dots: [[0; SIDE]; DIRECTIONS],
            taken: [[0; SIDE]; DIRECTIONS],
            key: 0,
            drawn: 0,
            possible: 0,
            lines: [0; MOST],
        };
        // dots one by one: a line that lacks one dot more than before is found, one that is full is dropped
        for (x, y) in (0..SIDE * SIDE).map(|i| (i % SIDE, i / SIDE)).filter(|&(x, y)| self.is_start(x, y)) {
            let full = |line: &&u32| Line(**line).dot() != (x, y);
            let kept: Vec<u32> = board.lines().iter().filter(full).copied().collect();
            board.lines[..kept.len()].copy_from_slice(&kept);
            board.possible = kept.len() as u16;
            board.mark(x, y);
            self.find(&mut board, x, y);
        }
        board
    }

    /// Whether only one of two lines can be drawn: they have the new dot in common, or more of their track than the variant allows.
    #[inline(always)]
    pub(super) fn exclude(&self, a: Line, b: Line) -> bool {
        let different = a.0 ^ b.0;
        let same_track = different << 17 < 1 << 25;
        different >> 15 == 0 || (same_track && a.first().abs_diff(b.first()) < self.width)
    }

    /// Draws a line that can be drawn.
    #[inline(always)]
    pub(super) fn draw(&self, board: &mut Board, line: Line) {
        let (x, y) = line.dot();
        board.mark(x, y);
        board.taken[line.direction()][line.number()] |= ((1 << self.width) - 1) << line.first();
        board.drawn += 1;
        board.key ^= WORDS.word(0, (line.0 >> 3) as usize % LINES);
        let mut kept = 0;
        for i in 0..usize::from(board.possible) {
            let other = board.lines[i];
            board.lines[kept] = other;
            kept += usize::from(!self.exclude(line, Line(other)));
        }
        board.possible = kept as u16;
        self.find(board, x, y);
    }

    /// Adds the lines that a new dot makes possible.
    #[inline(always)]
    fn find(&self, board: &mut Board, x: usize, y: usize) {
        let reach = self.dots - 1;
        let window = (1 << (2 * reach + 1)) - 1;
        for direction in 0..DIRECTIONS {
            let (number, place) = track(direction, x, y);
            let left = place.wrapping_sub(reach) % SIDE;
            let dots = board.dots[direction][number].rotate_right(left as u32) & window;
            let taken = board.taken[direction][number].rotate_right(left as u32) & window;
            let mut firsts = self.lacking[dots as usize] & !self.blocked[taken as usize];
            while firsts != 0 {
                let first = firsts.trailing_zeros() as usize;
                firsts &= firsts - 1;
                let offset = (dots >> first).trailing_ones() as usize;
                self.found(board, direction, number, (left + first) % SIDE, offset);
            }
        }
    }

    /// Adds a line unless it goes over the edge of the paper.
    #[inline(always)]
    fn found(&self, board: &mut Board, direction: usize, number: usize, first: usize, offset: usize) {
        let last = first + self.dots - 1;
        let (_, top) = point(direction, number, first);
        let (_, bottom) = point(direction, number, last % SIDE);
        if last < SIDE && top.abs_diff(bottom) < self.dots {
            board.insert(Line::new(direction, number, first, offset));
        }
    }

    /// The lines drawn, in an order in which they can be drawn.
    pub(super) fn history(&self, board: &Board) -> Vec<Line> {
        let mut wanted = Vec::new();
        for direction in 0..DIRECTIONS {
            for number in 0..SIDE {
                // lines on one track lie side by side at most, so each begins where something taken follows the last one
                let mut taken = board.taken[direction][number];
                while taken != 0 {
                    let first = taken.trailing_zeros() as usize;
                    taken &= !(((1 << self.width) - 1) << first);
                    wanted.push((direction, number, first));
                }
            }
        }
        let mut history = Vec::new();
        let mut replayed = self.start();
        loop {
            // a line that can be drawn and is wanted harms no other: nothing else can ever be drawn there
            let is_wanted = |line: &Line| wanted.contains(&(line.direction(), line.number(), line.first()));
            let next = replayed.lines().iter().map(|&line| Line(line)).find(is_wanted);
            let Some(line) = next else { return history };
            self.draw(&mut replayed, line);
            history.push(line);
        }
    }
}
