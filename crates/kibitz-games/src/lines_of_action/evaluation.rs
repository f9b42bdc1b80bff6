//! The static value of positions of Lines of Action.

use kibitz_game::Score;

use super::geometry::{CENTRE, INNER, MIDDLE, WITHIN, Windows};
use super::line_moves::LineMoves;

/// The weights; the text of the rules says what they mean.
const CONCENTRATION: Score = 200;
const CENTRALISATION: Score = 40;
const CENTRE_OF_MASS: Score = 20;
const QUAD: Score = 25;
const MOBILITY: Score = 3;
const WALL: Score = 40;
const CONNECTEDNESS: Score = 60;
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

/// The square nearest to the mean of the squares.
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
    let two = |a: u64, b: u64, c: u64| a & b | c & (a | b);
    const LEFT: u64 = 0x0101_0101_0101_0101;
    const BOTTOM: u64 = 0xFF;
    let upright = |wall: u64| two(wall, wall << 8, wall >> 8);
    // no wall across comes near the corners, where a step aside would leave the board
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
