//! Boards of four by four squares as 16 bits: square `4 * row + column`, counted from a1.

use kibitz_game::text;

/// The squares of a row.
pub(crate) const ROW: u16 = 0x000F;
/// The squares of a column.
pub(crate) const COLUMN: u16 = 0x1111;

/// The same squares with the columns in reverse order.
#[inline(always)]
const fn mirrored(set: u16) -> u16 {
    let set = (set & 0x5555) << 1 | set >> 1 & 0x5555;
    (set & 0x3333) << 2 | set >> 2 & 0x3333
}

/// The same squares with rows and columns exchanged.
#[inline(always)]
const fn transposed(set: u16) -> u16 {
    // squares of the 2x2 blocks, then the blocks
    let swap = (set ^ set >> 3) & 0x0A0A;
    let set = set ^ swap ^ swap << 3;
    let swap = (set ^ set >> 6) & 0x00CC;
    set ^ swap ^ swap << 6
}

/// The images of a set under the eight symmetries of the board, always in the same order; the first is the set itself.
#[inline(always)]
pub(crate) const fn images(set: u16) -> [u16; 8] {
    let (turned, across) = (set.reverse_bits(), transposed(set));
    let across_turned = across.reverse_bits();
    [set, mirrored(set), turned, mirrored(turned), across, mirrored(across), across_turned, mirrored(across_turned)]
}

/// The squares of a set in rising order.
#[inline(always)]
pub(crate) fn squares(set: u16) -> impl Iterator<Item = u32> {
    let mut left = set;
    std::iter::from_fn(move || {
        let square = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        (square < 16).then_some(square)
    })
}

/// The square at a row counted from the top.
pub(crate) fn at(row: usize, col: usize) -> u32 {
    (4 * (3 - row) + col) as u32
}

/// The row from the top and the column of a square.
pub(crate) fn cell(square: u32) -> (usize, usize) {
    (3 - square as usize / 4, square as usize % 4)
}

/// The name of a square.
pub(crate) fn name(square: u32) -> String {
    text::square_name(square as usize / 4, square as usize % 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn symmetries_keep_neighbours_and_are_eight() {
        // a knight's move in the corner has no symmetry of its own
        let set = 1 << 0 | 1 << 6;
        assert_eq!(HashSet::from(images(set)).len(), 8);
        for symmetry in 0..8 {
            let image = |square: u32| images(1 << square)[symmetry].trailing_zeros();
            for square in 0..16 {
                assert_eq!(images(1 << square)[symmetry].count_ones(), 1);
                for other in 0..16 {
                    let distance = |a: u32, b: u32| (a / 4).abs_diff(b / 4).pow(2) + (a % 4).abs_diff(b % 4).pow(2);
                    assert_eq!(distance(square, other), distance(image(square), image(other)));
                }
            }
        }
    }

    #[test]
    fn the_image_of_a_set_is_the_set_of_the_images() {
        for set in [0x0001, 0x1234, 0xBEEF, 0x8421, 0xFFFF] {
            for symmetry in 0..8 {
                let one_by_one = squares(set).fold(0, |all, square| all | images(1 << square)[symmetry]);
                assert_eq!(images(set)[symmetry], one_by_one);
            }
        }
    }

    #[test]
    fn squares_have_names_and_cells() {
        assert_eq!((name(0), name(7), name(15)), ("a1".to_owned(), "d2".to_owned(), "d4".to_owned()));
        assert!((0..16).all(|square| at(cell(square).0, cell(square).1) == square));
    }
}
