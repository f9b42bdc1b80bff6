//! Lines of stones, for the games that are won by a number of them in a row.

use kibitz_game::{BadText, Bits, mix, splitmix64};

/// How a game of lines has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Not yet.
    None,
    /// The player who moved last has a line.
    Line,
    /// The board is full.
    Full,
    /// No player can make a line any more.
    Dead,
}

/// Lines of a given length. Squares are numbered along files (rows or columns), with one square after each file
/// that is never occupied, so that a step in a given direction is a fixed difference and no line runs around an edge.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    length: u32,
    /// Whether a longer line is none.
    exact: bool,
    /// The differences between neighbours in the four directions. A direction in which no line fits on the board repeats
    /// one in which it does: the loop over four steps unrolls, and no shift is too long.
    steps: [u32; 4],
    /// All squares, guards included.
    squares: u32,
}

impl Lines {
    /// Lines on a board of `files` with `ranks` squares each; `length` is not greater than both.
    pub fn new(length: u32, exact: bool, files: u32, ranks: u32) -> Self {
        let stride = ranks + 1;
        let (along, across) = (length <= ranks, length <= files);
        let usual = if along { 1 } else { stride };
        let steps = [(1, along), (stride, across), (stride - 1, along && across), (stride + 1, along && across)];
        Self {
            length,
            exact,
            steps: steps.map(|(step, fits)| if fits { step } else { usual }),
            squares: files * stride,
        }
    }

    /// How many stones a line has.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The squares from which a line runs in the direction of `step`, all of it inside `stones`.
    #[inline(always)]
    pub fn runs<B: Bits>(&self, stones: B, step: u32) -> B {
        let (mut run, mut length) = (stones, 1);
        while length < self.length {
            let more = length.min(self.length - length);
            run &= run >> (more * step);
            length += more;
        }
        run
    }

    /// Whether the stones hold a line.
    #[inline(always)]
    pub fn any<B: Bits>(&self, stones: B) -> bool {
        let found = self.steps.map(|step| {
            let run = self.runs(stones, step);
            if self.exact { run & !(stones << step) & !(stones >> ((self.length - 1) * step) >> step) } else { run }
        });
        !(found[0] | found[1] | found[2] | found[3]).is_empty()
    }

    /// Whether the stones hold a line, when they held none before the one on `square` was added.
    #[inline(always)]
    pub fn any_new<B: Bits>(&self, stones: B, square: u32) -> bool {
        if B::SQUARES == 64 {
            return self.any(stones);
        }
        // shifts of wide boards cost more than a walk along the few stones around
        self.steps.iter().any(|&step| {
            let mut length = 1;
            let mut next = square + step;
            while next < self.squares && stones.has(next) {
                length += 1;
                next += step;
            }
            let mut next = square;
            while next >= step && stones.has(next - step) {
                length += 1;
                next -= step;
            }
            if self.exact { length == self.length } else { length >= self.length }
        })
    }

    /// Whether one move can have made all the lines of these stones: one of the `last` stones, when taken away, leaves
    /// no line.
    pub fn made_by_one_of<B: Bits>(&self, stones: B, last: B) -> bool {
        (stones & last).squares().any(|square| !self.any(stones & !B::square(square)))
    }

    /// Every line of a board.
    pub fn all<B: Bits>(&self, board: B) -> Vec<B> {
        let mut directions = self.steps.to_vec();
        directions.sort_unstable();
        directions.dedup();
        let line = |from: u32, step: u32| (0..self.length).fold(B::EMPTY, |set, n| set | B::square(from + n * step));
        let lines =
            directions.iter().flat_map(|&step| self.runs(board, step).squares().map(move |from| line(from, step)));
        lines.collect()
    }

    /// The squares of a board from which a line runs, for each direction.
    pub fn inside<B: Bits>(&self, board: B) -> [B; 4] {
        self.steps.map(|step| self.runs(board, step))
    }

    /// The lines that each of two players can still make, by the number of stones that are missing: one, two and three.
    /// `inside` is [`Lines::inside`]. All squares are counted at once, by adding bits in parallel.
    #[inline(always)]
    pub fn unfinished<B: Bits>(&self, stones: [B; 2], inside: &[B; 4]) -> [[u32; 3]; 2] {
        let mut found = [[0; 3]; 2];
        for (step, &inside) in self.steps.into_iter().zip(inside) {
            // no step is longer than a file; said like this, the compiler sees that it is shorter than a word
            let step = step & 63;
            // a line that has stones of both players is lost for both
            let (mut low, mut high, mut more) = (B::EMPTY, B::EMPTY, B::EMPTY);
            let [mut x, mut o] = stones;
            let [mut any_x, mut any_o] = stones;
            for place in 0..self.length {
                if place > 0 {
                    (x, o) = (x >> step, o >> step);
                    any_x |= x;
                    any_o |= o;
                }
                let missing = !(x | o);
                let carry = low & missing;
                low ^= missing;
                more |= high & carry;
                high ^= carry;
            }
            for (own, (any_other, counts)) in stones.into_iter().zip([any_o, any_x].into_iter().zip(&mut found)) {
                let mut line = inside & !any_other & !more;
                if self.exact {
                    // with a stone of the same colour at either end it would be too long
                    line &= !(own << step) & !(own >> ((self.length - 1) * step) >> step);
                }
                counts[0] += (line & low & !high).count();
                counts[1] += (line & high & !low).count();
                counts[2] += (line & low & high).count();
            }
        }
        found
    }

    /// For each of the stones, the lines through it that lie inside `open`, all added up.
    #[inline]
    pub fn open_through<B: Bits>(&self, stones: B, open: B) -> u32 {
        let mut sum = 0;
        for step in self.steps {
            let runs = self.runs(open, step);
            for place in 0..self.length {
                sum += (runs & stones >> (place * step)).count();
            }
        }
        sum
    }
}

/// A key of the stones of both players, who take turns, so that the stones say whose turn it is. Words are mixed
/// independently of each other, which a processor does side by side.
#[inline(always)]
pub(crate) fn key<B: Bits>([x, o]: &[B; 2]) -> u64 {
    let words = x.words().iter().zip(o.words()).enumerate();
    words.fold(0, |key, (i, (&x, &o))| key ^ mix(x ^ splitmix64(i as u64), o))
}

/// Whose turn it is by the number of stones; `side` may say so as well.
pub(crate) fn side_to_move<B: Bits>(stones: [B; 2], side: &str) -> Result<u8, BadText> {
    let [x, o] = stones.map(Bits::count);
    let (turn, name) = match x.wrapping_sub(o) {
        0 => (0, "X"),
        1 => (1, "O"),
        _ => {
            return Err(BadText::new(format!("X has {x} and O has {o}; X has as many as O or one more")));
        }
    };
    match side.trim() {
        "" => Ok(turn),
        side if side == name => Ok(turn),
        "X" | "O" => Err(BadText::new(format!("X has {x} and O has {o}, so it is {name}'s turn"))),
        other => Err(BadText::new(format!("the side to move is X or O, not {other:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::{Random, Wide};

    /// The same by walking over the board.
    fn walk(cells: &[bool], files: i32, ranks: i32, length: u32, exact: bool) -> bool {
        let at = |f: i32, r: i32| (0..files).contains(&f) && (0..ranks).contains(&r) && cells[(f * ranks + r) as usize];
        (0..files * ranks).any(|i| {
            let (f, r) = (i / ranks, i % ranks);
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(df, dr)| {
                let run = (0..files.max(ranks)).take_while(|&n| at(f + n * df, r + n * dr)).count() as u32;
                if exact { run == length && !at(f - df, r - dr) } else { run >= length }
            })
        })
    }

    fn agree<B: Bits>(files: u32, ranks: u32, length: u32, exact: bool, random: &mut Random) {
        let lines = Lines::new(length, exact, files, ranks);
        let cells: Vec<bool> = (0..files * ranks).map(|_| random.below(5) < 3).collect();
        let mut stones = B::EMPTY;
        let mut last = 0;
        for (i, _) in cells.iter().enumerate().filter(|(_, cell)| **cell) {
            last = i as u32 / ranks * (ranks + 1) + i as u32 % ranks;
            stones |= B::square(last);
        }
        let expected = walk(&cells, files as i32, ranks as i32, length, exact);
        assert_eq!(lines.any(stones), expected, "{files}x{ranks} {length} {exact} {cells:?}");
        if !stones.is_empty() && !lines.any(stones & !B::square(last)) {
            assert_eq!(lines.any_new(stones, last), expected, "{files}x{ranks} {length} {exact} {cells:?}");
        }
    }

    #[test]
    fn lines_are_found_as_by_walking_over_the_board() {
        let mut random = Random::new(5);
        for files in 1..=12 {
            for ranks in 1..=12 {
                for length in 1..=files.max(ranks) {
                    for exact in [false, true] {
                        if files * (ranks + 1) <= 64 {
                            agree::<u64>(files, ranks, length, exact, &mut random);
                        }
                        agree::<Wide<4>>(files, ranks, length, exact, &mut random);
                    }
                }
            }
        }
    }
}
