//! How many moves a lone player needs to bring all pieces into the goal, by retrograde analysis of all sets of places.
//!
//! A breadth-first search backwards from the goal. Moves lead between sets that differ in one piece, so the search goes over the
//! sets of all pieces *but* one: with these fixed, the places of the last piece that are so many moves away are a set of bits,
//! and one flood over the board finds all places from which one of them is reached. The seven by seven places with six
//! pieces of the small board have 13,983,816 sets, but only 1,906,884 of five pieces.

use std::sync::OnceLock;

use kibitz_game::Bits;

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
    let mut left = set;
    let mut term = |n: usize| {
        let place = left.trailing_zeros() as usize & 63;
        left &= left.wrapping_sub(1);
        TERMS[place][n]
    };
    term(1) + term(2) + term(3) + term(4) + term(5) + term(6)
}

/// The moves to the goal by the rank of the set of pieces, for the small board. Made when first asked for, and then
/// shared; `leave` says whether a piece may leave the goal.
#[inline(always)]
pub(super) fn moves_to_goal(leave: bool) -> &'static [u8] {
    static TABLES: [OnceLock<Vec<u8>>; 2] = [OnceLock::new(), OnceLock::new()];
    TABLES[usize::from(leave)].get_or_init(|| table(7, 3, 6, leave))
}

/// What is known of all sets that consist of some pieces and one more, as sets of places of the last one.
#[derive(Clone, Copy)]
struct Rest {
    pieces: u64,
    /// Where the distance is known, or a piece stands.
    known: u64,
    /// Where the distance has become known last.
    found: u64,
}

/// The moves to the goal of `pieces` pieces on a rhombus of `width` by `width` places, by rank. Start and goal are the triangles
/// of `corner` rows that the pieces fill.
///
/// Each distance takes two passes over all sets of all pieces but one. The first marks what leads to the sets found last, in
/// bits by rank; the second tells all sets about it. Both go through their largest arrays in order, which is what makes the
/// search fast.
pub(super) fn table(width: usize, corner: usize, pieces: usize, leave: bool) -> Vec<u8> {
    let terms = terms(width);
    let places: Vec<usize> = (0..width).flat_map(|u| (0..width).map(move |v| u * STRIDE as usize + v)).collect();
    let row = |place: usize| place / STRIDE as usize + place % STRIDE as usize;
    let set = |wanted: &dyn Fn(usize) -> bool| {
        places.iter().filter(|&&place| wanted(row(place))).fold(0, |set, &place| set | 1u64 << place)
    };
    let (area, goal) = (set(&|_| true), set(&|row| row + corner > 2 * (width - 1)));
    assert_eq!(goal.count_ones() as usize, pieces, "the pieces fill the goal");
    let mut distances = vec![u8::MAX; BINOMIALS[width * width][pieces] as usize];
    let mut marks = vec![0u64; distances.len() / 64 + 2];
    let mut rests = all_sets(&places, pieces - 1);
    let goal_rank: u32 = goal.squares().zip(1..).map(|(place, n)| terms[place as usize][n]).sum();
    marks[goal_rank as usize / 64] |= 1 << (goal_rank % 64);
    let mut distance = 0;
    while tell(&mut rests, &mut marks, &mut distances, distance, area, &terms) {
        for rest in &mut rests {
            let from = std::mem::take(&mut rest.found);
            if from == 0 {
                continue;
            }
            rest.known |= from;
            if rest.known == area {
                continue;
            }
            let free = area & !rest.pieces;
            let reached = |from: u64| (around(from) & free) | jumps(from, rest.pieces, free);
            let mut before = reached(from);
            if !leave && from & !goal != 0 && before & goal != 0 {
                // a piece that was in the goal has not left it
                before = if from & goal == 0 { before & !goal } else { before & !goal | reached(from & goal) };
            }
            let new = before & !rest.known;
            if new != 0 {
                let sums = insertions(rest.pieces, &terms);
                for place in new.squares() {
                    let below = (rest.pieces & ((1 << place) - 1)).count_ones() as usize;
                    let rank = (sums[below & 7] + terms[place as usize & 63][(below + 1) & 7]) as usize;
                    marks[rank / 64] |= 1 << (rank % 64);
                }
            }
        }
        distance += 1;
    }
    distances
}

/// What the pieces of a set add to the rank of the set with one more piece that has so many of them below it: those above it
/// are each the next one higher.
#[inline(always)]
fn insertions(pieces: u64, terms: &[[u32; 8]; 64]) -> [u32; 8] {
    let (mut sums, mut left) = ([0; 8], pieces);
    let (mut lower, mut upper) = (0u32, 0u32);
    let mut n = 1;
    while left != 0 {
        let term = &terms[left.trailing_zeros() as usize];
        left &= left - 1;
        lower += term[n];
        upper += term[n + 1];
        sums[n] = lower.wrapping_sub(upper);
        n = (n + 1).min(6);
    }
    sums.map(|sum| sum.wrapping_add(upper))
}

/// Writes down the distance of all sets that are marked, and tells the sets of all their pieces but one. False if there are none.
fn tell(
    rests: &mut [Rest],
    marks: &mut [u64],
    distances: &mut [u8],
    distance: u8,
    area: u64,
    terms: &[[u32; 8]; 64],
) -> bool {
    let (mut any, mut next) = (false, 0);
    // all pieces but the lowest; the ranks of the sets that have these follow each other
    for at in 0..rests.len() {
        let upper = rests[at].pieces;
        let count = terms[upper.trailing_zeros() as usize & 63][1];
        let base = next;
        next += count as usize;
        let (word, shift) = (base / 64, base % 64);
        let marked = (marks[word] >> shift | marks[word + 1] << 1 << (63 - shift)) & ((1 << count) - 1);
        if marked == 0 {
            continue;
        }
        any = true;
        rests[at].found |= u64::scatter(marked, area);
        // the rank without the m-th of these pieces: those above it move down by one, and the lowest piece comes first
        let (mut others, mut size, mut left, mut sum, mut lower) = ([(0u64, 0u32); 8], 0, upper, 0u32, 0u32);
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            left &= left - 1;
            let term = &terms[place];
            sum += term[size + 1];
            others[size] = (1 << place, lower.wrapping_sub(sum));
            lower += term[size + 2];
            size = (size + 1).min(5);
        }
        for (_, rank) in &mut others {
            *rank = rank.wrapping_add(sum);
        }
        for lowest in marked.squares() {
            distances[base + lowest as usize] = distance;
            for &(place, rank) in &others[..size] {
                rests[rank as usize + lowest as usize].found |= place;
            }
        }
    }
    marks.fill(0);
    any
}

/// All sets of `size` places, by rank.
fn all_sets(places: &[usize], size: usize) -> Vec<Rest> {
    let mut sets = Vec::with_capacity(BINOMIALS[places.len()][size] as usize);
    let mut members: Vec<usize> = (0..size).collect();
    loop {
        let pieces = members.iter().fold(0, |set, &member| set | 1u64 << places[member]);
        sets.push(Rest { pieces, known: pieces, found: 0 });
        // the lowest member that can move up does, and those below start again
        let free = |n: usize| members.get(n + 1).map_or(places.len(), |&next| next) > members[n] + 1;
        let Some(n) = (0..size).find(|&n| free(n)) else { return sets };
        members[n] += 1;
        (0..n).for_each(|lower| members[lower] = lower);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(table: &[u8]) -> Vec<usize> {
        let mut counts = vec![0; usize::from(*table.iter().max().unwrap()) + 1];
        for &distance in table {
            counts[usize::from(distance)] += 1;
        }
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
