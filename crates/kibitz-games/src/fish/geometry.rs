//! The board of Hey! That's My Fish!: sixty hexagons, and every slide over the empty board with a number of its own.

/// The tiles, eight rows of seven and eight in turn, numbered row by row.
pub(super) const TILES: usize = 60;
pub(super) const ALL: u64 = (1 << TILES) - 1;
/// The slides over the empty board.
pub(super) const SLIDES: usize = 1064;
/// The six directions: east, west, north-east, north-west, south-east, south-west.
const DIRECTIONS: [(i32, i32); 6] = [(0, 2), (0, -2), (-1, 1), (-1, -1), (1, 1), (1, -1)];
/// Whether the numbers of the tiles fall along a direction.
const FALLING: [bool; 6] = [false, true, true, true, false, false];

/// The tiles of a row, and the row and the doubled column of a tile: neighbours in a row are two apart, and the rows
/// of seven are indented by one.
pub(super) const fn row_length(row: usize) -> usize {
    7 + row % 2
}

pub(super) const fn place(tile: usize) -> (usize, usize) {
    let (pair, rest) = (tile / 15, tile % 15);
    if rest < 7 { (2 * pair, 2 * rest + 1) } else { (2 * pair + 1, 2 * (rest - 7)) }
}

const fn tile_at(row: i32, x: i32) -> Option<usize> {
    if row < 0 || row > 7 || x < 0 || x > 14 || (x + row) % 2 == 0 {
        return None;
    }
    Some((row / 2 * 15 + row % 2 * 7 + x / 2) as usize)
}

/// What is known of a tile; places that are no tiles (a penguin that is not on the board) have nothing.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    /// The tiles in each direction.
    rays: [u64; 6],
    /// The number of the shortest slide in each direction; longer ones follow.
    first: [u16; 6],
}

struct Geometry {
    tiles: [Tile; 64],
    /// The neighbours of each tile; of no tile there are none.
    neighbours: [u64; 256],
    /// Where each slide begins and ends.
    slides: [(u8, u8); SLIDES],
}

const fn geometry() -> Geometry {
    let nothing = Tile { rays: [0; 6], first: [0; 6] };
    let mut made = Geometry { tiles: [nothing; 64], neighbours: [0; 256], slides: [(0, 0); SLIDES] };
    let mut slide = 0;
    let mut from = 0;
    while from < TILES {
        let (row, x) = place(from);
        let mut direction = 0;
        while direction < 6 {
            let (down, right) = DIRECTIONS[direction];
            let tile = &mut made.tiles[from];
            tile.first[direction] = slide as u16;
            let mut far = 1;
            while let Some(to) = tile_at(row as i32 + far * down, x as i32 + far * right) {
                tile.rays[direction] |= 1 << to;
                if far == 1 {
                    made.neighbours[from] |= 1 << to;
                }
                made.slides[slide] = (from as u8, to as u8);
                slide += 1;
                far += 1;
            }
            direction += 1;
        }
        from += 1;
    }
    assert!(slide == SLIDES);
    made
}

static GEOMETRY: Geometry = geometry();

/// The tile with this number, which is below 64.
#[inline(always)]
pub(super) fn tile(number: u8) -> &'static Tile {
    &GEOMETRY.tiles[usize::from(number & 63)]
}

/// The neighbours of the tile with this number.
#[inline(always)]
pub(super) fn neighbours(number: u8) -> u64 {
    GEOMETRY.neighbours[usize::from(number)]
}

/// Where a slide begins and ends.
#[inline(always)]
pub(super) fn slide(number: u16) -> (u8, u8) {
    GEOMETRY.slides[usize::from(number)]
}

impl Tile {
    /// The slides over free tiles in one of the six directions: the number of the shortest, and how many there are.
    #[inline(always)]
    pub fn slides(&self, direction: usize, free: u64) -> (u16, u32) {
        let ray = self.rays[direction];
        let blocked = ray & !free;
        let before = if FALLING[direction] {
            // tiles above the highest blocked one; shifted by one, so that there is a highest bit even when none is
            !(u64::MAX >> (blocked << 1 | 1).leading_zeros() >> 1)
        } else {
            blocked.wrapping_sub(1) & !blocked
        };
        (self.first[direction], (ray & before).count_ones())
    }
}

/// The first and the last tiles of the rows of eight, the first and the last ones of all rows.
const FIRST_OF_EIGHT: u64 = columns(&[7]);
const LAST_OF_EIGHT: u64 = columns(&[14]);
const FIRST: u64 = columns(&[0, 7]);
const LAST: u64 = columns(&[6, 14]);

const fn columns(offsets: &[u64]) -> u64 {
    let (mut set, mut i) = (0, 0);
    while i < offsets.len() * 4 {
        set |= 1 << (offsets[i / 4] + 15 * (i as u64 % 4));
        i += 1;
    }
    set
}

/// The tiles of `area` that can be reached from `from`, a part of it, over neighbouring tiles of it. South-east is eight
/// tiles on from everywhere, and south-west seven.
pub(super) fn island(from: u64, area: u64) -> u64 {
    let mut reached = from;
    loop {
        let (left, right) = (reached & !FIRST_OF_EIGHT, reached & !LAST_OF_EIGHT);
        let sideways = (reached & !LAST) << 1 | (reached & !FIRST) >> 1;
        let more = reached | area & (sideways | right << 8 | left << 7 | right >> 7 | left >> 8);
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours(tile: usize) -> u64 {
        super::neighbours(tile as u8)
    }

    fn lengths(tile: usize) -> u32 {
        (0..6).map(|direction| GEOMETRY.tiles[tile].slides(direction, ALL).1).sum()
    }

    #[test]
    fn there_are_150_pairs_of_neighbours() {
        let mut tiles_of_degree = [0; 7];
        for tile in 0..TILES {
            tiles_of_degree[neighbours(tile).count_ones() as usize] += 1;
            assert!((0..TILES).all(|other| neighbours(tile) >> other & 1 == neighbours(other) >> tile & 1));
        }
        assert_eq!(tiles_of_degree, [0, 0, 2, 8, 11, 6, 33]);
        assert_eq!((0..TILES).map(|tile| neighbours(tile).count_ones()).sum::<u32>(), 2 * 150);
    }

    #[test]
    fn there_are_1064_slides_of_14_to_21_a_tile() {
        assert_eq!((0..TILES).map(lengths).sum::<u32>(), 1064);
        assert_eq!((0..TILES).map(lengths).min(), Some(14));
        assert_eq!((0..TILES).map(lengths).max(), Some(21));
        assert_eq!([0, 7, 25].map(lengths), [14, 14, 21]);
    }

    #[test]
    fn rows_have_seven_and_eight_tiles_in_turn() {
        let first_of_rows = [0, 7, 15, 22, 30, 37, 45, 52];
        for (row, first) in first_of_rows.into_iter().enumerate() {
            assert_eq!(place(first), (row, 1 - row % 2));
            assert_eq!(place(first + row_length(row) - 1).0, row);
        }
        assert!((0..TILES).all(|tile| {
            let (row, x) = place(tile);
            tile_at(row as i32, x as i32) == Some(tile)
        }));
    }

    #[test]
    fn slides_stop_before_what_is_not_free() {
        // to the east, to the north-east and to the south-west of 32, none of them a neighbour
        let free = ALL & !(1 << 35 | 1 << 18 | 1 << 46);
        let ends = |tile: usize| -> Vec<u8> {
            let runs = (0..6).map(|direction| GEOMETRY.tiles[tile].slides(direction, free));
            runs.flat_map(|(first, count)| (first..first + count as u16).map(|id| slide(id).1)).collect()
        };
        assert_eq!(ends(32), [33, 34, 31, 30, 25, 24, 16, 8, 0, 40, 48, 56, 39]);
    }

    #[test]
    fn an_island_is_what_can_be_reached_over_neighbours() {
        for tile in 0..TILES {
            let one = 1 << tile;
            assert_eq!(island(one, ALL), ALL);
            assert_eq!(island(one, one | neighbours(tile)), one | neighbours(tile), "{tile}");
            assert_eq!(island(one, ALL & !neighbours(tile)), one, "{tile}");
        }
    }
}
