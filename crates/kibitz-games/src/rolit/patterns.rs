//! Tables of patterns: what the squares of a line or a corner are worth at the end, by stage of the game.
//!
//! A pattern of L squares is a number of L digits in base 3: empty, own, other. Lines read the same from both ends, so the tables
//! are made symmetric when they are learned, and it does not matter where reading begins.

use std::sync::LazyLock;

use kibitz_game::{BadText, Bits, Score};

/// Ten classes of patterns: rows and columns by their distance from the edge, diagonals by their length, corners.
pub const ENTRIES: usize = 4 * LINE + (81 + 243 + 729 + 2187 + LINE) + LINE;
const LINE: usize = 6561;
/// The stages of a game, five moves each.
pub const STAGES: usize = 12;
/// The places of all patterns on the board: sixteen lines, eighteen diagonals, eight corners.
pub(super) const PLACES: usize = 42;
/// What a table adds up to for one ball: an entry counts half balls.
pub(super) const DISC: Score = 2 * PLACES as Score;

/// The stage with so many balls on the board.
#[inline(always)]
pub fn stage(balls: u32) -> usize {
    (balls.saturating_sub(4) as usize / 5).min(STAGES - 1)
}

/// A place of a pattern on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub mask: u64,
    /// Which order the squares have; see [`digits`].
    order: usize,
    /// Where its table begins.
    table: usize,
}

/// How the squares of a place, in rising order, become digits: as they come, or as the corner of one of the eight orientations sees
/// them.
const ORDERS: usize = 9;

/// The geometry of all places, and the digits of sets of their squares.
pub(super) struct Geometry {
    pub places: [Place; PLACES],
    digits: [[u16; 256]; ORDERS],
}

impl Geometry {
    fn new() -> Self {
        let set = |squares: &[(usize, usize)]| squares.iter().fold(0u64, |set, (row, col)| set | 1 << (8 * row + col));
        let mut places = Vec::with_capacity(PLACES);
        for i in 0..8usize {
            let table = i.min(7 - i) * LINE;
            let row: Vec<_> = (0..8).map(|j| (i, j)).collect();
            let column: Vec<_> = (0..8).map(|j| (j, i)).collect();
            places.extend([row, column].map(|line| Place { mask: set(&line), order: 0, table }));
        }
        let mut table = 4 * LINE;
        for length in 4..=8usize {
            // the four diagonals of a length, and the two long ones once
            let falling = |down: usize| (0..length).map(move |k| (down + k, k)).collect::<Vec<_>>();
            let shift = 8 - length;
            let mut lines = vec![falling(shift)];
            if shift > 0 {
                lines.push(lines[0].iter().map(|&(row, col)| (col, row)).collect());
            }
            let rising: Vec<Vec<_>> =
                lines.iter().map(|line| line.iter().map(|&(row, col)| (row, 7 - col)).collect()).collect();
            places.extend(lines.iter().chain(&rising).map(|line| Place { mask: set(line), order: 0, table }));
            table += 3usize.pow(length as u32);
        }
        let mut digits = [[0; 256]; ORDERS];
        digits[0] = std::array::from_fn(|bits| (0..8).map(|k| (bits >> k & 1) as u16 * 3u16.pow(k as u32)).sum());
        for orientation in 0..8usize {
            let turned = |k: usize| {
                let (row, col) = if orientation & 4 == 0 { (k / 4, k % 4) } else { (k % 4, k / 4) };
                let flip = |i: usize, bit: usize| if orientation & bit == 0 { i } else { 7 - i };
                (flip(row, 1), flip(col, 2))
            };
            let squares: Vec<_> = (0..8).map(turned).collect();
            let mut rising = squares.clone();
            rising.sort_unstable();
            let place_of = |k: usize| squares.iter().position(|&square| square == rising[k]).unwrap_or(0) as u32;
            digits[orientation + 1] =
                std::array::from_fn(|bits| (0..8).map(|k| (bits >> k & 1) as u16 * 3u16.pow(place_of(k))).sum());
            places.push(Place { mask: set(&squares), order: orientation + 1, table });
        }
        Self { places: std::array::from_fn(|i| places[i]), digits }
    }

    /// Where the entry of a place is, within the tables of a stage.
    #[inline(always)]
    pub fn entry(&self, place: &Place, own: u64, occupied: u64) -> usize {
        let digits = &self.digits[place.order];
        // another's ball is the digit 2, an own one 1
        let [own, all] = [own, occupied].map(|set| usize::from(digits[set.gather(place.mask) as usize & 255]));
        place.table + 2 * all - own
    }

    /// The entry of the same place read from the other end; a corner has only one.
    pub fn reversed(&self, place: &Place, own: u64, occupied: u64) -> Option<usize> {
        let size = place.mask.count();
        let turn = |set: u64| (set.gather(place.mask) as u8).reverse_bits() >> (8 - size);
        let [own, all] = [own, occupied].map(|set| usize::from(self.digits[0][usize::from(turn(set))]));
        (place.order == 0).then_some(place.table + 2 * all - own)
    }
}

pub(super) static GEOMETRY: LazyLock<Geometry> = LazyLock::new(Geometry::new);

/// The entries of a stage, in as many places as a number of sixteen bits can tell, so that no look at them needs a check.
type Stage = [i8; 1 << 16];

/// The tables that come with the program, made by `kibitz train rolit`.
static TABLES: LazyLock<Vec<Stage>> = LazyLock::new(|| {
    let entries = read(include_bytes!("tables.bin")).expect("the tables in the program are whole");
    let stage = |entries: &[i8]| {
        let mut stage = [0; 1 << 16];
        stage[..ENTRIES].copy_from_slice(entries);
        stage
    };
    entries.chunks_exact(ENTRIES).map(stage).collect()
});

/// What the patterns of these colours add up to.
#[inline]
fn sums<const N: usize>(own: [u64; N], occupied: u64) -> [Score; N] {
    let tables = &TABLES[stage(occupied.count_ones())];
    let geometry = &*GEOMETRY;
    let mut sums = [0; N];
    let mut add = |mask: u64, table: u16, digits: &[u16; 256]| {
        let value = |set: u64| digits[usize::from(set.gather(mask) as u8)];
        let all = table + 2 * value(occupied);
        for (sum, &own) in sums.iter_mut().zip(&own) {
            *sum += Score::from(tables[usize::from(all - value(own))]);
        }
    };
    let (lines, corners) = geometry.places.split_at(PLACES - 8);
    for place in lines {
        add(place.mask, place.table as u16, &geometry.digits[0]);
    }
    for (place, digits) in corners.iter().zip(&geometry.digits[1..]) {
        add(place.mask, place.table as u16, digits);
    }
    sums
}

/// What the patterns of all players add up to; [`DISC`] of it is one ball.
#[inline]
pub(super) fn worth(colours: &[u64; 4], occupied: u64, players: usize) -> [Score; 4] {
    let [first, second, third, fourth] = *colours;
    match players {
        2 => {
            let [first, second] = sums([first, second], occupied);
            [first, second, 0, 0]
        }
        3 => {
            let [first, second, third] = sums([first, second, third], occupied);
            [first, second, third, 0]
        }
        _ => sums([first, second, third, fourth], occupied),
    }
}

/// What the patterns of one colour add up to.
#[inline]
pub(super) fn worth_of_one(own: u64, occupied: u64) -> Score {
    let [sum] = sums([own], occupied);
    sum
}

const MAGIC: &[u8; 15] = b"kibitz rolit 1\n";
/// Begins a run of zeros, whose length follows in two bytes: no entry has this value.
const RUN: i8 = i8::MIN;

/// The file of all entries, in half balls. Most patterns never occur and are worth nothing: runs of zeros are packed.
pub fn file(entries: &[i8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let mut rest = entries;
    while let Some(&first) = rest.first() {
        let zeros = rest.iter().take(usize::from(u16::MAX)).take_while(|&&entry| entry == 0).count();
        if zeros > 3 {
            bytes.push(RUN as u8);
            bytes.extend((zeros as u16).to_le_bytes());
            rest = &rest[zeros..];
        } else {
            bytes.push(first.max(-127) as u8);
            rest = &rest[1..];
        }
    }
    bytes
}

/// The entries of a file.
pub fn read(bytes: &[u8]) -> Result<Vec<i8>, BadText> {
    let bad = |what: &str| BadText::new(format!("these are no tables of patterns for Rolit: {what}"));
    let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(|| bad("they begin otherwise"))?;
    let mut entries = Vec::with_capacity(STAGES * ENTRIES);
    while let Some((&first, after)) = rest.split_first() {
        if first as i8 == RUN {
            let (length, after) = after.split_first_chunk::<2>().ok_or_else(|| bad("they end too early"))?;
            let length = usize::from(u16::from_le_bytes(*length));
            if entries.len() + length > STAGES * ENTRIES {
                return Err(bad("there are too many of them"));
            }
            entries.resize(entries.len() + length, 0);
            rest = after;
        } else {
            entries.push(first as i8);
            rest = after;
        }
    }
    if entries.len() == STAGES * ENTRIES { Ok(entries) } else { Err(bad("there are too few of them or too many")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Random;

    #[test]
    fn there_are_511272_entries_of_ten_patterns_in_twelve_stages() {
        assert_eq!(ENTRIES, 42_606);
        assert_eq!(STAGES * ENTRIES, 511_272);
        let count = |table: usize| GEOMETRY.places.iter().filter(|place| place.table == table).count();
        let mut tables: Vec<usize> = GEOMETRY.places.iter().map(|place| place.table).collect();
        tables.sort_unstable();
        tables.dedup();
        assert_eq!(tables.iter().map(|&table| count(table)).collect::<Vec<_>>(), [4, 4, 4, 4, 4, 4, 4, 4, 2, 8]);
        assert_eq!((stage(4), stage(8), stage(9), stage(58), stage(59), stage(64)), (0, 0, 1, 10, 11, 11));
    }

    #[test]
    fn every_place_is_another_set_of_squares_and_its_entries_are_its_own() {
        let geometry = &*GEOMETRY;
        let mut masks: Vec<u64> = geometry.places.iter().map(|place| place.mask).collect();
        masks.sort_unstable();
        masks.dedup();
        assert_eq!(masks.len(), PLACES);
        for place in &geometry.places {
            let size = 3usize.pow(place.mask.count_ones());
            assert_eq!(geometry.entry(place, 0, 0), place.table);
            assert_eq!(geometry.entry(place, 0, place.mask), place.table + size - 1);
            assert_eq!(geometry.entry(place, place.mask, place.mask), place.table + (size - 1) / 2);
        }
    }

    /// The board seen in one of its eight orientations.
    fn seen(board: u64, orientation: usize) -> u64 {
        (0..64usize).filter(|square| board >> square & 1 != 0).fold(0, |set, square| {
            let (row, col) = (square / 8, square % 8);
            let (row, col) = if orientation & 4 == 0 { (row, col) } else { (col, row) };
            let flip = |i: usize, bit: usize| if orientation & bit == 0 { i } else { 7 - i };
            set | 1 << (8 * flip(row, 1) + flip(col, 2))
        })
    }

    #[test]
    fn a_board_has_the_same_entries_in_all_orientations() {
        let geometry = &*GEOMETRY;
        let mut random = Random::new(3);
        for _ in 0..50 {
            let occupied = random.bits() | random.bits();
            let own = occupied & random.bits();
            let entries = |orientation: usize| {
                let [own, occupied] = [own, occupied].map(|set| seen(set, orientation));
                let both = |place: &Place| {
                    let entry = geometry.entry(place, own, occupied);
                    let other = geometry.reversed(place, own, occupied).unwrap_or(entry);
                    entry.min(other)
                };
                let mut all: Vec<usize> = geometry.places.iter().map(both).collect();
                all.sort_unstable();
                all
            };
            assert!((1..8).all(|orientation| entries(orientation) == entries(0)));
        }
    }

    #[test]
    fn tables_come_back_from_their_file_and_a_broken_file_is_refused() {
        let mut random = Random::new(1);
        let entry = |random: &mut Random| if random.below(3) == 0 { random.below(255) as i32 - 127 } else { 0 };
        let entries: Vec<i8> = (0..STAGES * ENTRIES).map(|_| entry(&mut random) as i8).collect();
        let whole = file(&entries);
        assert_eq!(read(&whole), Ok(entries));
        assert_eq!(read(&file(&vec![0; STAGES * ENTRIES])), Ok(vec![0; STAGES * ENTRIES]));
        for broken in
            [&whole[1..], &whole[..whole.len() - 1], b"", b"kibitz rolit 1\n\x80", b"kibitz rolit 1\n\x80\x01\x00"]
        {
            assert!(read(broken).is_err());
        }
        assert!(read(&[&whole[..], &[1]].concat()).is_err());
    }

    #[test]
    fn the_tables_in_the_program_are_symmetric() {
        let geometry = &*GEOMETRY;
        let mut random = Random::new(5);
        for _ in 0..2000 {
            let occupied = random.bits() | random.bits();
            let own = occupied & random.bits();
            let stage = random.below(STAGES);
            for place in &geometry.places {
                if let Some(reversed) = geometry.reversed(place, own, occupied) {
                    assert_eq!(TABLES[stage][reversed], TABLES[stage][geometry.entry(place, own, occupied)]);
                }
            }
        }
    }
}
