//! Stacks of up to five pieces as numbers: a leading 1, then two bits for each piece, the top piece last.
//!
//! So lifting the top pieces is a shift, and what is under the fifth piece from above is what is left of ten bits.

/// Stacks, pieces that leave a stack, and pieces that move are all below this.
const CODES: usize = 1 << 11;

/// No piece.
pub(super) const EMPTY: u16 = 1;

/// The most pieces of a stack.
pub(super) const TALLEST: u32 = 5;

/// The number of pieces.
#[inline(always)]
pub(super) fn height(stack: u16) -> u32 {
    (stack | 1).ilog2() / 2
}

/// The colour of the top piece of a stack that is not empty.
#[inline(always)]
pub(super) fn top(stack: u16) -> usize {
    usize::from(stack & 3)
}

/// The stack with a piece more on top.
pub(super) fn with(stack: u16, colour: usize) -> u16 {
    stack << 2 | colour as u16
}

/// The pieces from the bottom to the top.
pub(super) fn colours(stack: u16) -> impl Iterator<Item = usize> {
    (0..height(stack)).rev().map(move |above| usize::from(stack >> (2 * above) & 3))
}

/// What remains of a stack without its top `count` pieces, and these pieces.
#[inline(always)]
pub(super) fn split(stack: u16, count: u32) -> (u16, u16) {
    (stack >> (2 * count), stack & ((1 << (2 * count)) - 1))
}

/// The stack with `count` pieces put on top, and the pieces that leave it at the bottom.
#[inline(always)]
pub(super) fn joined(stack: u16, pieces: u16, count: u32) -> (u16, u16) {
    let whole = u32::from(stack) << (2 * count) | u32::from(pieces);
    if whole < 1 << 12 {
        return (whole as u16, EMPTY);
    }
    ((whole & 0x3ff | 0x400) as u16, (whole >> 10) as u16)
}

/// What the pieces of a stack count: for each colour the squares of the heights of its pieces, in sixteen bits, and the number of
/// its pieces, in eight.
#[derive(Clone, Copy)]
pub(super) struct Count {
    pub squares: u64,
    pub pieces: u32,
}

static COUNTS: [Count; CODES] = {
    let mut table = [Count { squares: 0, pieces: 0 }; CODES];
    let mut code = 1;
    while code < CODES {
        let height = code.ilog2() / 2;
        let mut level = 1;
        // numbers with an even number of digits are no stacks
        while level <= height {
            let colour = (code >> (2 * (height - level))) as u32 & 3;
            table[code].squares += ((level * level) as u64) << (16 * colour);
            table[code].pieces += 1 << (8 * colour);
            level += 1;
        }
        code += 1;
    }
    table
};

#[inline(always)]
pub(super) fn count(stack: u16) -> Count {
    COUNTS[usize::from(stack) & (CODES - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(colours: &[usize]) -> u16 {
        colours.iter().fold(EMPTY, |stack, &colour| with(stack, colour))
    }

    #[test]
    fn stacks_are_split_joined_and_counted() {
        let five = stack(&[3, 1, 2, 2, 0]);
        assert_eq!((height(five), top(five), height(EMPTY)), (5, 0, 0));
        assert_eq!(colours(five).collect::<Vec<_>>(), [3, 1, 2, 2, 0]);
        let (rest, lifted) = split(five, 3);
        assert_eq!(rest, stack(&[3, 1]));
        assert_eq!(joined(stack(&[1, 3, 2]), lifted, 3), (stack(&[3, 2, 2, 2, 0]), stack(&[1])));
        assert_eq!(joined(EMPTY, lifted, 3), (stack(&[2, 2, 0]), EMPTY));
        assert_eq!(joined(five, split(five, 5).1, 5), (five, five));
        let count = count(five);
        let squares: Vec<u64> = (0..4).map(|colour| count.squares >> (16 * colour) & 0xffff).collect();
        assert_eq!(squares, [25, 4, 9 + 16, 1]);
        assert_eq!(count.pieces.to_le_bytes(), [1, 1, 2, 1]);
    }
}
