//! All moves along a line at once, looked up by what stands on it.

use std::sync::LazyLock;

/// A row, a column or a diagonal of at least two squares.
struct Line {
    /// Its squares.
    mask: u64,
    /// Brings the squares together, in order, when multiplied with them: to the uppermost bits, less `shift`.
    magic: u64,
    shift: u32,
    /// The number of the first content of lines of this length.
    offset: u16,
    /// The first square, twice as in a move, and the difference to the next one, both eight times.
    first: [u16; 8],
    stride: [u16; 8],
}

/// The 42 lines of the board.
static LINES: [Line; 42] = lines();

const LEFT: u64 = 0x0101_0101_0101_0101;

const fn lines() -> [Line; 42] {
    let mut out = [const { line(0, 0, 56, 0, 0, 8) }; 42];
    let mut i = 0;
    while i < 8 {
        out[i] = line(0xFF << (8 * i), 1 << (56 - 8 * i), 56, 8 * i as i32, 1, 8);
        // The square in row r goes to bit 56 + r. No two of the products of a square and a bit of the magic number meet, so
        // nothing is carried.
        let mut magic = 0;
        let mut row = 0;
        while row < 8 {
            magic |= 1 << (56 - 7 * row - i);
            row += 1;
        }
        out[8 + i] = line(LEFT << i, magic, 56, i as i32, 8, 8);
        i += 1;
    }
    let mut shift: i32 = -6;
    while shift <= 6 {
        let length = 8 - shift.unsigned_abs();
        let left = if shift > 0 { shift } else { 0 };
        // from the leftmost square of the lowest row to the upper right, and of the highest row to the lower right
        let lowest = if shift > 0 { shift } else { -8 * shift };
        let highest = if shift > 0 { 56 + shift } else { 56 + 8 * shift };
        out[(22 + shift) as usize] = diagonal(lowest, 9, length, left);
        out[(35 + shift) as usize] = diagonal(highest, -7, length, left);
        shift += 1;
    }
    out
}

/// A diagonal whose leftmost square is in column `left`. There is one square in a column, which goes to its bit of the
/// highest row.
const fn diagonal(first: i32, stride: i32, length: u32, left: i32) -> Line {
    let mut mask = 0;
    let mut i = 0;
    while i < length as i32 {
        mask |= 1 << (first + i * stride);
        i += 1;
    }
    line(mask, LEFT, 56 + left as u32, first, stride, length)
}

const fn line(mask: u64, magic: u64, shift: u32, first: i32, stride: i32, length: u32) -> Line {
    let (first, stride) = ([65 * first as u16; 8], [stride as u16; 8]);
    Line { mask, magic, shift, offset: first_content(length), first, stride }
}

/// The number of the first content of a line of this length: after those of all shorter ones.
const fn first_content(length: u32) -> u16 {
    // 3^2 + ... + 3^(length - 1)
    (3u16.pow(length) - 9) / 2
}

impl Line {
    /// What of a set stands on the line: the first square is the lowest bit.
    #[inline(always)]
    fn of(&self, set: u64) -> usize {
        usize::from(((set & self.mask).wrapping_mul(self.magic) >> self.shift) as u8)
    }
}

/// Contents of all lines: the sum of 3^length over the lengths from 2 to 8.
const CONTENTS: usize = 9837;

/// What is known of each content of a line.
///
/// The number of a content has digits of base three, 1 for the player to move and 2 for the other one.
pub(super) struct LineMoves {
    /// The digits 1 of a set of places.
    digits: [u16; 256],
    /// Up to seven moves of the player to move, each as place + 64 * place on the line, and how many there are.
    moves: Box<[[u16; 8]; CONTENTS]>,
    /// The moves of the player to move less those of the other one.
    balance: Box<[i8; CONTENTS]>,
}

/// The tables, made when the first game is.
static TABLES: LazyLock<LineMoves> = LazyLock::new(LineMoves::new);

/// The moves of a player with `digit` on a line.
fn moves_of(content: &[u8], digit: u8) -> impl Iterator<Item = (usize, usize)> + '_ {
    let distance = content.iter().filter(|&&each| each != 0).count();
    let pieces = (0..content.len()).filter(move |&from| content[from] == digit);
    let both = pieces.flat_map(move |from| [from.checked_sub(distance), Some(from + distance)].map(|to| (from, to)));
    both.filter_map(|(from, to)| Some((from, to?))).filter(move |&(from, to)| {
        let between = from.min(to) + 1..from.max(to);
        to < content.len() && content[to] != digit && content[between].iter().all(|&each| each == 0 || each == digit)
    })
}

impl LineMoves {
    pub fn get() -> &'static Self {
        &TABLES
    }

    fn new() -> Self {
        let digits = std::array::from_fn(|set| (0..8).map(|i| (set as u16 >> i & 1) * 3u16.pow(i)).sum());
        let (mut moves, mut balance) = (Vec::with_capacity(CONTENTS), Vec::with_capacity(CONTENTS));
        for length in 2..=8u32 {
            debug_assert_eq!(moves.len(), usize::from(first_content(length)));
            for number in 0..3usize.pow(length) {
                let content: Vec<u8> = (0..length).map(|i| (number / 3usize.pow(i) % 3) as u8).collect();
                let mut entry = [0; 8];
                for (from, to) in moves_of(&content, 1) {
                    entry[usize::from(entry[7])] = (from + 64 * to) as u16;
                    entry[7] += 1;
                }
                moves.push(entry);
                balance.push(moves_of(&content, 1).count() as i8 - moves_of(&content, 2).count() as i8);
            }
        }
        let complete = "there are as many contents as counted";
        Self { digits, moves: moves.try_into().expect(complete), balance: balance.try_into().expect(complete) }
    }

    #[inline(always)]
    fn number(&self, line: &Line, own: u64, other: u64) -> usize {
        usize::from(line.offset + self.digits[line.of(own)] + 2 * self.digits[line.of(other)])
    }

    /// Writes the moves of the owner of `own`, from + 64 * to, and returns how many there are.
    #[inline(always)]
    pub fn list(&self, own: u64, other: u64, out: &mut [u16; 128]) -> usize {
        let mut count = 0;
        for line in &LINES {
            let entry = &self.moves[self.number(line, own, other)];
            // All eight are written, and what is no move is written over by the next line: a fixed number of them needs no
            // branches. A side has at most 8 moves for each of its 12 pieces, so there is always room.
            if let Some(free) = out[count..].first_chunk_mut::<8>() {
                *free = std::array::from_fn(|i| entry[i].wrapping_mul(line.stride[i]).wrapping_add(line.first[i]));
            }
            count += usize::from(entry[7]);
        }
        count
    }

    /// The number of moves of one side less that of the other.
    #[inline(always)]
    pub fn balance(&self, own: u64, other: u64) -> i32 {
        LINES.iter().map(|line| i32::from(self.balance[self.number(line, own, other)])).sum()
    }
}
