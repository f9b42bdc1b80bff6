//! The 48 places of an L.

use kibitz_game::{BadText, text};

use crate::four_by_four::{images, name, squares};

/// The places of an L, in rising order of their bits.
pub(super) const SHAPES: [u16; 48] = {
    // three in a line and one beside its end: six places in a corner of three by two squares
    let mut shapes = [0; 48];
    let mut count = 0;
    let mut set = 0u16;
    while set < u16::MAX {
        set += 1;
        if set.count_ones() == 4 && is_l(set) {
            shapes[count] = set;
            count += 1;
        }
    }
    shapes
};

/// Whether the squares are an image of `c1 b1 a1` and `a2` moved to another place.
const fn is_l(set: u16) -> bool {
    let all = images(set);
    let mut i = 0;
    while i < 8 {
        // the image, moved into the corner
        let mut image = all[i];
        while image.trailing_zeros() >= 4 {
            image >>= 4;
        }
        while image & 0x1111 == 0 {
            image >>= 1;
        }
        if image == 0x0017 {
            return true;
        }
        i += 1;
    }
    false
}

/// The number of a shape.
#[inline]
pub(super) fn shape_of(set: u16) -> Option<usize> {
    SHAPES.binary_search(&set).ok()
}

/// The names of four squares in the order in which moves are written.
pub(super) fn sorted(text: &str) -> Result<String, BadText> {
    let bad =
        || BadText::new(format!("{text:?} is not a legal move: it is not the four squares of an L, such as b4c4d4d3"));
    if text.len() != 8 || !text.is_ascii() {
        return Err(bad());
    }
    let mut set = 0u16;
    for start in [0, 2, 4, 6] {
        let (row, col) = text::parse_square(&text[start..start + 2], 4, 4).map_err(|_| bad())?;
        set |= 1 << (4 * row + col);
    }
    if set.count_ones() == 4 { Ok(squares(set).map(name).collect()) } else { Err(bad()) }
}
