//! The board of Lines of Action: lines through a square, neighbours, connection.
//!
//! Squares are `8 * row + column`, counted from a1.

/// The squares on both sides of a square in one of the four kinds of lines.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// The squares with greater numbers.
    pub up: u64,
    /// The squares with smaller numbers.
    pub down: u64,
    /// How many squares there are with greater and with smaller numbers.
    pub room: [u8; 2],
}

/// Columns and rows from one square to the next greater one: rows, columns and both diagonals.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The differences between the squares of a line: rows, columns and both diagonals.
pub(super) const STRIDES: [u32; 4] = [1, 8, 9, 7];

/// The four lines through each square.
pub(super) static LINES: [[Line; 4]; 64] = lines();

/// The squares at most so far from a square, as the king of chess walks.
pub(super) static WITHIN: [[u64; 7]; 64] = within();

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// The central board of four by four squares, c3 to f6: the inner area.
pub(super) const INNER: u64 = 0x0000_3C3C_3C3C_0000;
/// The board of six by six squares without the rim, b2 to g7.
pub(super) const MIDDLE: u64 = 0x007E_7E7E_7E7E_7E00;
/// The four squares in the middle.
pub(super) const CENTRE: u64 = 0x0000_0018_1800_0000;

const fn lines() -> [[Line; 4]; 64] {
    let mut out = [[Line { up: 0, down: 0, room: [0; 2] }; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut kind = 0;
        while kind < 4 {
            let (up, down) = (ray(square as i32, STEPS[kind], 1), ray(square as i32, STEPS[kind], -1));
            out[square][kind] = Line { up, down, room: [up.count_ones() as u8, down.count_ones() as u8] };
            kind += 1;
        }
        square += 1;
    }
    out
}

/// The squares from a square to the edge.
const fn ray(square: i32, (columns, rows): (i32, i32), sign: i32) -> u64 {
    let (mut column, mut row) = (square % 8 + sign * columns, square / 8 + sign * rows);
    let mut out = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        out |= 1 << (8 * row + column);
        column += sign * columns;
        row += sign * rows;
    }
    out
}

const fn within() -> [[u64; 7]; 64] {
    let mut out = [[0; 7]; 64];
    let mut square = 0;
    while square < 64 {
        let mut reached = 1 << square;
        let mut distance = 0;
        while distance < 7 {
            out[square][distance] = reached;
            reached = spread(reached);
            distance += 1;
        }
        square += 1;
    }
    out
}

/// A set of squares with their neighbours in all eight directions.
#[inline(always)]
pub(super) const fn spread(set: u64) -> u64 {
    let wide = set | (set & !RIGHT) << 1 | (set & !LEFT) >> 1;
    wide | wide << 8 | wide >> 8
}

/// Whether the pieces are one unit: fills from one of them through its neighbours, a ring at a time.
///
/// Asking Euler's number first, which would prove most sets unconnected, costs as much as it saves: playing a move took 12.5 ns
/// with it and 12.0 ns without. From the piece that has just moved there are few rings to fill.
#[inline(always)]
pub(super) fn connected(pieces: u64, from: u64) -> bool {
    let mut reached = from;
    loop {
        let next = spread(reached) & pieces;
        if next == reached {
            return next == pieces;
        }
        reached = next;
    }
}

/// The two by two windows of the board: a bit stands for the window to whose lower left it is.
pub(super) struct Windows {
    /// Pairs of neighbours, diagonal ones included.
    pub pairs: u32,
    /// Windows with three or four pieces.
    pub quads: u64,
    /// Connected parts less the holes in them (Euler's number): more than one proves that the pieces are not connected.
    pub euler: i32,
}

impl Windows {
    /// Counts the windows of a set of pieces.
    #[inline(always)]
    pub fn of(pieces: u64) -> Self {
        let right = (pieces & !LEFT) >> 1;
        let (above, beyond) = (pieces >> 8, right >> 8);
        let (low, high) = (pieces & right, above & beyond);
        let pairs = low.count_ones()
            + (pieces & above).count_ones()
            + (pieces & beyond).count_ones()
            + (right & above).count_ones();
        let quads = low & (above | beyond) | high & (pieces | right);
        let full = (low & high).count_ones();
        // Pieces, pairs, triples and quadruples are the cells of a complex in which all of a window belong together:
        // vertices less edges plus triangles less tetrahedra. A window of three has one triangle, one of four has four
        // and the tetrahedron. The count by kinds of windows, (Q1 - Q3 - 2 Qd) / 4, gives the same number, but it
        // needs a board with a margin, which does not fit into 64 bits.
        let euler = pieces.count_ones() as i32 - pairs as i32 + (quads.count_ones() + 2 * full) as i32;
        Self { pairs, quads, euler }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Random;

    /// The number of connected parts, by a walk over neighbours.
    fn parts(pieces: u64) -> i32 {
        let (mut left, mut count) = (pieces, 0);
        while left != 0 {
            let mut part = left & left.wrapping_neg();
            for _ in 0..64 {
                part = spread(part) & pieces;
            }
            left &= !part;
            count += 1;
        }
        count
    }

    /// Euler's number by the kinds of windows on a board with a margin.
    fn euler_by_windows(pieces: u64) -> i32 {
        let at = |row: i32, column: i32| {
            let inside = (0..8).contains(&row) && (0..8).contains(&column);
            i32::from(inside && pieces >> (8 * row + column).clamp(0, 63) & 1 == 1)
        };
        let mut four_times = 0;
        for row in -1..8 {
            for column in -1..8 {
                let window = [at(row, column), at(row + 1, column + 1), at(row, column + 1), at(row + 1, column)];
                four_times += match (window.iter().sum(), window[0] + window[1]) {
                    (1, _) => 1,
                    (3, _) => -1,
                    (2, 0 | 2) => -2,
                    _ => 0,
                };
            }
        }
        four_times / 4
    }

    fn random_sets() -> impl Iterator<Item = u64> {
        let mut random = Random::new(5);
        (0..5000).map(move |i| {
            let near = WITHIN[random.below(64)][1 + i % 6];
            (0..=i % 24).fold(0, |set, _| set | near & 1 << random.below(64)) | 1 << random.below(64)
        })
    }

    #[test]
    fn eulers_number_is_that_of_the_windows_and_never_exceeds_the_parts() {
        for set in random_sets() {
            let euler = Windows::of(set).euler;
            assert_eq!(euler, euler_by_windows(set), "{set:x}");
            assert!(euler <= parts(set), "{set:x}");
        }
        // a ring around a hole
        assert_eq!((Windows::of(0x001C_141C_0000).euler, parts(0x001C_141C_0000)), (0, 1));
    }

    #[test]
    fn filling_agrees_with_the_number_of_parts() {
        let mut both = [0; 2];
        for set in random_sets() {
            let first = set & set.wrapping_neg();
            assert_eq!(connected(set, first), parts(set) == 1, "{set:x}");
            both[usize::from(connected(set, first))] += 1;
        }
        assert!(both.iter().all(|&count| count > 500), "{both:?}");
    }

    #[test]
    fn lines_run_to_the_edge_and_1456_pairs_of_squares_are_in_line() {
        assert_eq!(LINES[27].map(|line| line.room), [[4, 3], [4, 3], [4, 3], [3, 3]]);
        let pairs: u32 = LINES.iter().flatten().map(|line| (line.up | line.down).count_ones()).sum();
        // Winands et al. 2004
        assert_eq!(pairs, 1456);
    }
}
