//! How many moves a lone player needs to bring all pieces into the goal, by retrograde analysis of all sets of places.
//!
//! A breadth-first search backwards from the goal. Moves lead between sets that differ in one piece, so the search goes over the
//! sets of all pieces *but* one: with these fixed, the places of the last piece that are so many moves away are a set of bits,
//! and one flood over the board finds all places from which one of them is reached. The seven by seven places with six
//! pieces of the small board have 13,983,816 sets, but only 1,906,884 of five pieces.

use std::sync::OnceLock;

use super::geometry::STRIDE;
use super::jumps::{around, jumps};

/// `BINOMIALS[n][k]` is the number of ways to choose `k` of `n`.
const BINOMIALS: [[u32; 8]; 65] = {
    let mut table = [[0; 8]; 65];
    let mut n = 0;
    while n < 65 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 8 {
            if n > 0 {
                table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            }
            k += 1;
        }
        n += 1;
    }
    table
};

/// What the piece at a place adds to the rank of a set when it is the `n`-th from below, for rhombi of seven cells.
const TERMS: [[u32; 8]; 64] = terms(7);

const fn terms(width: usize) -> [[u32; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut place = 0;
    while place < 64 {
        let (u, v) = (place / STRIDE as usize, place % STRIDE as usize);
        if u < width && v < width {
            table[place] = BINOMIALS[u * width + v];
        }
        place += 1;
    }
    table
}

/// The rank of a set of six places among all of them, in the combinatorial number system.
#[inline(always)]
pub(super) fn rank(set: u64) -> u32 {
    let (mut left, mut rank) = (set, 0);
    for n in 1..=6 {
        rank += TERMS[left.trailing_zeros() as usize & 63][n];
        left &= left.wrapping_sub(1);
    }
    rank
}

/// The moves to the goal by the rank of the set of pieces, for the small board. Made when first asked for, and then
/// shared; `leave` says whether a piece may leave the goal.
#[inline(always)]
pub(super) fn moves_to_goal(leave: bool) -> &'static [u8] {
    static TABLES: [OnceLock<Vec<u8>>; 2] = [OnceLock::new(), OnceLock::new()];
    TABLES[usize::from(leave)].get_or_init(|| table(7, 3, 6, leave))
}

/// What is known of all sets that consist of these pieces and one more, as sets of places of the last one.
#[derive(Clone, Copy)]
struct Rest {
    pieces: u64,
    /// Known, or occupied.
    known: u64,
    /// Found at the even and at the odd distances, and not yet looked at.
    found: [u64; 2],
}

/// The moves to the goal of `pieces` pieces on a rhombus of `width` by `width` places, by rank. Start and goal are the triangles
/// with `corner` rows, which the pieces fill, or the cells of which nearest to the tip they fill.
pub(super) fn table(width: usize, corner: usize, pieces: usize, leave: bool) -> Vec<u8> {
    const UNKNOWN: u8 = u8::MAX;
    let terms = terms(width);
    let places: Vec<usize> = (0..width).flat_map(|u| (0..width).map(move |v| u * STRIDE as usize + v)).collect();
    let set = |wanted: &dyn Fn(usize) -> bool| {
        let sum = |place: usize| place / STRIDE as usize + place % STRIDE as usize;
        places.iter().filter(|&&place| wanted(sum(place))).fold(0, |set, &place| set | 1u64 << place)
    };
    let (area, goal) = (set(&|_| true), set(&|sum| sum + corner > 2 * (width - 1)));
    assert_eq!(goal.count_ones() as usize, pieces, "the pieces fill the goal");
    let mut distances = vec![UNKNOWN; BINOMIALS[width * width][pieces] as usize];
    let mut rests = all_sets(&places, pieces - 1);
    let mut add = |rests: &mut [Rest], set: u64, distance: u8| {
        // The rank of the set without its n-th piece: those below keep their terms, those above move down.
        let (mut left, mut below, mut above) = (set, [0; 8], [0; 8]);
        let mut members = [0; 8];
        for n in 1..=pieces {
            let place = left.trailing_zeros() as usize & 63;
            members[n - 1] = place;
            below[n] = below[n - 1] + terms[place][n];
            above[n] = above[n - 1] + terms[place][n - 1];
            left &= left.wrapping_sub(1);
        }
        distances[below[pieces] as usize] = distance;
        for n in 1..=pieces {
            let rest = &mut rests[(below[n - 1] + above[pieces] - above[n]) as usize];
            let last = 1 << members[n - 1];
            rest.known |= last;
            rest.found[usize::from(distance & 1)] |= last;
        }
    };
    add(&mut rests, goal, 0);
    let mut distance = 0;
    let mut more = true;
    while more {
        more = false;
        for at in 0..rests.len() {
            let Rest { pieces, known, ref mut found } = rests[at];
            let from = std::mem::take(&mut found[usize::from(distance & 1)]);
            if from == 0 {
                continue;
            }
            let free = area & !pieces;
            let reached = |from: u64| (around(from) & free) | jumps(from, pieces, free);
            let before = if leave {
                reached(from)
            } else {
                // a piece in the goal stays there, so that it is not the one that came out of it
                let (inside, outside) = (from & goal, from & !goal);
                let mut before = if inside == 0 { 0 } else { reached(inside) };
                if outside != 0 {
                    before |= reached(outside) & !goal;
                }
                before
            };
            let mut new = before & !known;
            while new != 0 {
                let last = new & new.wrapping_neg();
                new ^= last;
                add(&mut rests, pieces | last, distance + 1);
                more = true;
            }
        }
        distance += 1;
    }
    distances
}

/// All sets of `size` places, by rank.
fn all_sets(places: &[usize], size: usize) -> Vec<Rest> {
    let count = BINOMIALS[places.len()][size] as usize;
    let mut sets = Vec::with_capacity(count);
    let mut members: Vec<usize> = (0..size).collect();
    loop {
        let pieces = members.iter().fold(0, |set, &member| set | 1u64 << places[member]);
        sets.push(Rest { pieces, known: pieces, found: [0; 2] });
        // the lowest member that can move up does, and those below start again
        let free = |n: usize| members.get(n + 1).map_or(places.len(), |&next| next) > members[n] + 1;
        let Some(n) = (0..size).find(|&n| free(n)) else { break };
        members[n] += 1;
        (0..n).for_each(|lower| members[lower] = lower);
    }
    debug_assert_eq!(sets.len(), count);
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(table: &[u8]) -> Vec<usize> {
        let mut counts = vec![0; usize::from(*table.iter().max().unwrap()) + 1];
        table.iter().for_each(|&distance| counts[usize::from(distance)] += 1);
        counts
    }

    /// The moves from the start to the goal.
    fn from_start(width: usize, corner: usize, pieces: usize) -> (Vec<usize>, u8) {
        let table = table(width, corner, pieces, true);
        let terms = terms(width);
        let start = (0..64).filter(|place| place % 8 < width && place / 8 + place % 8 < corner);
        let rank: u32 = start.zip(1..).map(|(place, n)| terms[place][n]).sum();
        (counts(&table), table[rank as usize])
    }

    #[test]
    fn small_rhombi_have_the_counts_of_another_program() {
        assert_eq!(from_start(4, 2, 3), (vec![1, 6, 26, 64, 114, 152, 126, 62, 9], 8));
        let (counts, start) = from_start(5, 2, 3);
        assert_eq!((counts.iter().sum::<usize>(), counts.len() - 1, start), (2_300, 11, 11));
        let (counts, start) = from_start(5, 3, 6);
        assert_eq!((counts.iter().sum::<usize>(), counts.len() - 1, start), (177_100, 13, 11));
        let (counts, start) = from_start(6, 3, 6);
        assert_eq!((counts.iter().sum::<usize>(), counts.len() - 1, start), (1_947_792, 17, 15));
    }

    const LEAVING: [usize; 22] = [
        1, 10, 81, 476, 2_316, 9_353, 32_145, 94_664, 239_654, 520_615, 980_443, 1_599_320, 2_225_091, 2_571_489,
        2_402_772, 1_774_788, 1_001_609, 405_083, 106_403, 16_204, 1_261, 38,
    ];
    const STAYING: [usize; 22] = [
        1, 10, 81, 476, 2_316, 9_351, 32_111, 94_519, 239_251, 520_063, 979_911, 1_598_816, 2_224_925, 2_571_911,
        2_403_492, 1_775_482, 1_001_975, 405_191, 106_429, 16_206, 1_261, 38,
    ];

    #[test]
    fn the_small_board_has_the_counts_of_another_program_and_17_moves_from_the_start() {
        let start = (0..24u32).filter(|place| place / 8 + place % 8 <= 2).fold(0, |set, place| set | 1u64 << place);
        for (leave, expected) in [(true, LEAVING), (false, STAYING)] {
            let table = moves_to_goal(leave);
            assert_eq!(table.len(), 13_983_816);
            assert_eq!(counts(table), expected);
            assert_eq!(table[rank(start) as usize], 17);
        }
    }
}
