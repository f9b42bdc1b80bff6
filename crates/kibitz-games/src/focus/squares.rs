//! The board of Focus: eight by eight squares without three in each corner, numbered row by row from the top, and the moves
//! that a stack has on it.

/// Squares of the eight by eight, of which 52 are on the board.
pub(super) const SQUARES: usize = 64;

/// All squares of the board.
pub(super) const BOARD: u64 = 0x3c7e_ffff_ffff_7e3c;

/// North, east, south, west: the letters, and the differences of square numbers.
pub(super) const DIRECTIONS: [(char, i32); 4] = [('N', -8), ('E', 1), ('S', 8), ('W', -1)];

/// A move: the square of the stack, the direction (from bit 6) and the number of pieces (from bit 8), or a square and no pieces where
/// a piece is placed from the reserve.
pub(super) type Move = u16;

/// All moves are below this.
pub(super) const MOVES: usize = 6 << 8;

/// The most moves that a stack has, and room for more.
const ROOM: usize = 16;

/// The moves of a stack on one square: those of one piece first, then those of two, and so on.
#[derive(Clone, Copy)]
pub(super) struct Ways {
    pub moves: [Move; ROOM],
    /// How many moves there are with at most so many pieces.
    pub counts: [u8; 6],
}

#[inline(always)]
pub(super) fn from(mv: Move) -> usize {
    usize::from(mv & 63)
}

#[inline(always)]
pub(super) fn pieces(mv: Move) -> u32 {
    u32::from(mv >> 8)
}

pub(super) fn direction(mv: Move) -> usize {
    usize::from(mv >> 6 & 3)
}

/// Where a move ends; for a placement the square of the piece.
#[inline(always)]
pub(super) fn to(mv: Move) -> usize {
    const STEPS: [i32; 4] = [-8, 1, 8, -1];
    (from(mv) as i32 + pieces(mv) as i32 * STEPS[usize::from(mv >> 6 & 3)]) as usize & 63
}

pub(super) static WAYS: [Ways; SQUARES] = {
    let mut table = [Ways { moves: [0; ROOM], counts: [0; 6] }; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut count = 0;
        let mut pieces = 1;
        while BOARD >> square & 1 != 0 && pieces < 6 {
            let mut direction = 0;
            while direction < 4 {
                let (row, column) = (square as i32 / 8, square as i32 % 8);
                let step = DIRECTIONS[direction].1;
                let (down, right) = if step % 8 == 0 { (step / 8, 0) } else { (0, step) };
                let (row, column) = (row + down * pieces, column + right * pieces);
                let inside = row >= 0 && row < 8 && column >= 0 && column < 8;
                if inside && BOARD >> (8 * row + column) & 1 != 0 {
                    table[square].moves[count] = (square | direction << 6 | (pieces as usize) << 8) as Move;
                    count += 1;
                }
                direction += 1;
            }
            table[square].counts[pieces as usize] = count as u8;
            pieces += 1;
        }
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_52_squares_in_rows_of_4_6_and_8() {
        assert_eq!(BOARD.count_ones(), 52);
        let rows: Vec<u32> = (0..8).map(|row| (BOARD >> (8 * row) & 0xff).count_ones()).collect();
        assert_eq!(rows, [4, 6, 8, 8, 8, 8, 6, 4]);
    }

    #[test]
    fn a_stack_in_the_middle_has_14_moves_and_a_piece_by_the_corner_two() {
        let ways = &WAYS[3 * 8 + 3];
        assert_eq!(ways.counts, [0, 4, 8, 12, 14, 14], "five pieces never fit");
        let by = |wanted| ways.moves[..14].iter().filter(|&&mv| direction(mv) == wanted).count();
        assert_eq!([0, 1, 2, 3].map(by), [3, 4, 4, 3]);
        let corner = &WAYS[8 + 1];
        assert_eq!(corner.counts[1], 2);
        assert_eq!(corner.moves[..2].iter().map(|&mv| DIRECTIONS[direction(mv)].0).collect::<String>(), "ES");
        assert!(WAYS.iter().all(|ways| usize::from(ways.counts[5]) < ROOM));
    }
}
