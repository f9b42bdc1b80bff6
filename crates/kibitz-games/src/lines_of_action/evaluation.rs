//! The static value of positions of Lines of Action.

use kibitz_game::Score;

use super::geometry::{CENTRE, INNER, MIDDLE, WITHIN, Windows};
use super::line_moves::LineMoves;

/// The weights; the text of the rules says what they mean. They are round numbers, chosen by matches of 120 to
/// 300 games at 3,000 nodes a move against neighbours with one of them greater, smaller or gone.
const CONCENTRATION: Score = 300;
const CENTRALISATION: Score = 60;
const CENTRE_OF_MASS: Score = 20;
const QUAD: Score = 12;
const MOBILITY: Score = 5;
const WALL: Score = 30;
const CONNECTEDNESS: Score = 40;
const UNIFORMITY: Score = 3;
const TO_MOVE: Score = 30;

/// The value for the player to move.
#[inline(always)]
pub(super) fn value(lines: &LineMoves, own: u64, other: u64) -> Score {
    side(own, other) - side(other, own) + MOBILITY * lines.balance(own, other) + TO_MOVE
}

/// The points of a side.
#[inline(always)]
fn side(own: u64, other: u64) -> Score {
    let pieces = own.count_ones();
    let centre = centre_of_mass(own, pieces);
    let windows = Windows::of(own);
    let mean = CENTRALISATION * rings(own) + 2 * CONNECTEDNESS * windows.pairs as Score
        - CONCENTRATION * (distances(own, centre) as Score - least_distances(pieces) as Score);
    mean / pieces as Score
        + CENTRE_OF_MASS * rings(1 << centre)
        + QUAD * (windows.quads & near(centre)).count_ones() as Score
        - WALL * walled(own, other).count_ones() as Score
        - UNIFORMITY * rectangle(own) as Score
}

/// The square nearest to the mean of the squares; halves go up and to the right.
#[inline(always)]
fn centre_of_mass(own: u64, pieces: u32) -> usize {
    let sum = |bits: [u64; 3]| {
        (own & bits[0]).count_ones() + 2 * (own & bits[1]).count_ones() + 4 * (own & bits[2]).count_ones()
    };
    // the squares whose column, or row, has this bit set
    let columns = sum([0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0]);
    let rows = sum([0xFF00_FF00_FF00_FF00, 0xFFFF_0000_FFFF_0000, 0xFFFF_FFFF_0000_0000]);
    let mean = |sum: u32| (2 * sum + pieces) / (2 * pieces);
    (8 * mean(rows) + mean(columns)) as usize & 63
}

/// The sum of the rings of the squares: 0 on the rim, 3 in the middle.
#[inline(always)]
fn rings(set: u64) -> Score {
    ((set & MIDDLE).count_ones() + (set & INNER).count_ones() + (set & CENTRE).count_ones()) as Score
}

/// The sum of the distances of the pieces from a square.
#[inline(always)]
fn distances(own: u64, centre: usize) -> u32 {
    WITHIN[centre].iter().map(|within| (own & !within).count_ones()).sum()
}

/// The least sum of distances of so many pieces: one in the middle, eight around it, the others one further out.
#[inline(always)]
fn least_distances(pieces: u32) -> u32 {
    pieces - 1 + pieces.saturating_sub(9)
}

/// The windows of two by two squares none of which is further than two squares from the centre.
#[inline(always)]
fn near(centre: usize) -> u64 {
    let within = WITHIN[centre][2];
    within & within >> 1 & within >> 8
}

/// The pieces on the rim before which at least two of the three squares further in are held by the enemy.
#[inline(always)]
fn walled(own: u64, other: u64) -> u64 {
    const LEFT: u64 = 0x0101_0101_0101_0101;
    const BOTTOM: u64 = 0xFF;
    let two = |a: u64, b: u64, c: u64| a & b | c & (a | b);
    let upright = |wall: u64| two(wall, wall << 8, wall >> 8);
    let across = |wall: u64| two(wall, (wall & !(LEFT << 7)) << 1, (wall & !LEFT) >> 1);
    own & (upright(other >> 1 & LEFT)
        | upright(other << 1 & LEFT << 7)
        | across(other >> 8 & BOTTOM)
        | across(other << 8 & BOTTOM << 56))
}

/// The squares of the smallest rectangle around the pieces.
#[inline(always)]
fn rectangle(own: u64) -> u32 {
    let rows = 8 - own.leading_zeros() / 8 - own.trailing_zeros() / 8;
    let half = own | own >> 32;
    let quarter = half | half >> 16;
    let columns = (quarter | quarter >> 8) as u8;
    rows * (8 - columns.leading_zeros() - columns.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The set of squares with these names.
    fn set(names: &str) -> u64 {
        names.split(' ').fold(0, |set, name| {
            let bytes = name.as_bytes();
            set | 1 << (8 * u32::from(bytes[1] - b'1') + u32::from(bytes[0] - b'a'))
        })
    }

    #[test]
    fn the_centre_of_mass_is_the_nearest_square_to_the_mean() {
        for (names, centre) in
            [("a1 c3", "b2"), ("a1", "a1"), ("a1 a2 a3 h2", "c2"), ("h8 h7", "h8"), ("b1 e4 e4", "d3")]
        {
            let own = set(names);
            assert_eq!(1 << centre_of_mass(own, own.count_ones()), set(centre), "{names}");
        }
    }

    #[test]
    fn distances_are_those_of_a_king_and_as_small_as_they_can_be() {
        let centre = set("d4").trailing_zeros() as usize;
        assert_eq!(distances(set("d4 e5 b4 d8 h1"), centre), 1 + 2 + 4 + 4);
        let around = WITHIN[centre][1];
        assert_eq!(distances(around, centre), least_distances(9));
        assert_eq!(distances(around | set("f4 b4 d6"), centre), least_distances(12));
    }

    #[test]
    fn rings_count_from_the_rim_to_the_middle() {
        assert_eq!(["a5", "b7", "c6", "e4"].map(|name| rings(set(name))), [0, 1, 2, 3]);
        assert_eq!(rings(u64::MAX), 36 + 16 + 4);
    }

    #[test]
    fn only_quads_near_the_centre_of_mass_count() {
        let near = near(set("d4").trailing_zeros() as usize);
        assert_eq!(near & set("b2 e5"), set("b2 e5"));
        assert_eq!(near & set("a2 b1 f5 e6 f6"), 0);
        assert_eq!(near.count_ones(), 16);
    }

    #[test]
    fn a_piece_on_the_rim_is_walled_in_by_two_of_the_three_before_it() {
        assert_eq!(walled(set("a4 a7"), set("b4 b5 b8")), set("a4"));
        assert_eq!(walled(set("h4"), set("g3 g5")), set("h4"));
        assert_eq!(walled(set("d1 f8"), set("c2 d2 e7 f7 g7")), set("d1 f8"));
        // the neighbours of a piece at one end of a row are not at the other end of the next
        assert_eq!(walled(set("a1 h1"), set("b2 g2 a2 h2")), set("a1 h1"));
        assert_eq!(walled(set("h2 a4"), set("b3 b2 g5 g4")), 0);
        assert_eq!(walled(set("d4"), set("e3 e4 e5")), 0);
    }

    #[test]
    fn the_rectangle_reaches_from_edge_to_edge_of_the_pieces() {
        assert_eq!(["a1", "a1 h8", "c3 d5 e4", "h1 h8"].map(|names| rectangle(set(names))), [1, 64, 9, 8]);
    }

    #[test]
    fn a_compact_side_is_worth_more_than_a_scattered_one() {
        let (compact, scattered) = (set("c3 c4 d4 d5 f6"), set("a1 h1 a8 h8 d7"));
        assert!(value(LineMoves::get(), compact, scattered) > 500);
        assert!(value(LineMoves::get(), scattered, compact) < -500);
    }
}
