//! Finished tables, and the solution of a whole game by them.

use kibitz_game::{Place, Ranked, Slice, Stop, Wdl};

use super::values::{Distances, NEVER, Values};
use super::{Lower, Metric, Options, Progress, Unsolved, bytes_needed, solve_group};

/// How many positions have each value, and each distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions up to symmetry, by [`Wdl::bits`].
    pub classes: [u64; 4],
    /// All positions, mirror images counted, by [`Wdl::bits`].
    pub positions: [u64; 4],
    /// Losses up to symmetry by distance.
    pub losses: Vec<u64>,
    /// Wins up to symmetry by distance.
    pub wins: Vec<u64>,
}

impl Counts {
    /// Counts a position that stands for `orbit` ones.
    #[inline]
    pub fn add(&mut self, value: Wdl, orbit: u32) {
        self.classes[usize::from(value.bits())] += 1;
        self.positions[usize::from(value.bits())] += u64::from(orbit);
    }

    /// Counts the distance of a win or a loss.
    #[inline]
    pub fn add_distance(&mut self, value: Wdl, distance: u16) {
        let by_distance = if value == Wdl::Win { &mut self.wins } else { &mut self.losses };
        let distance = usize::from(distance);
        if by_distance.len() <= distance {
            by_distance.resize(distance + 1, 0);
        }
        by_distance[distance] += 1;
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Self) {
        for bits in 0..4 {
            self.classes[bits] += other.classes[bits];
            self.positions[bits] += other.positions[bits];
        }
        for (mine, theirs) in [(&mut self.wins, &other.wins), (&mut self.losses, &other.losses)] {
            if mine.len() < theirs.len() {
                mine.resize(theirs.len(), 0);
            }
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        }
    }
}

/// The finished table of a slice. Ranks without a position are unknown.
#[derive(Debug)]
pub struct Table {
    /// The slice.
    pub slice: Slice,
    /// The values by rank.
    pub values: Values,
    /// The distances by rank, if they were asked for.
    pub distances: Option<Distances>,
    /// How many positions have each value.
    pub counts: Counts,
}

/// The tables of a group.
#[derive(Debug)]
pub struct Solved {
    /// One table a slice, in the order of the group.
    pub tables: Vec<Table>,
    /// How many times the positions were gone through.
    pub passes: u32,
}

/// Finished tables in memory.
#[derive(Debug, Default)]
pub struct Tables {
    /// By the number of the slice.
    of_slice: Vec<Option<Table>>,
}

impl Tables {
    /// Puts the tables of a group in.
    pub fn insert(&mut self, solved: Solved) {
        for table in solved.tables {
            let number = table.slice.0 as usize;
            if self.of_slice.len() <= number {
                self.of_slice.resize_with(number + 1, || None);
            }
            self.of_slice[number] = Some(table);
        }
    }

    /// The table of a slice.
    #[inline(always)]
    pub fn get(&self, slice: Slice) -> Option<&Table> {
        self.of_slice.get(slice.0 as usize)?.as_ref()
    }

    /// All tables, by the number of their slice.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.of_slice.iter().flatten()
    }

    /// All counts together.
    pub fn counts(&self) -> Counts {
        let mut all = Counts::default();
        self.iter().for_each(|table| all.merge(&table.counts));
        all
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        self.iter()
            .map(|table| {
                Values::bytes(table.values.len()) + table.distances.as_ref().map_or(0, |_| 2 * table.values.len())
            })
            .sum()
    }
}

impl Lower for Tables {
    #[inline(always)]
    fn value(&self, place: Place) -> Wdl {
        self.get(place.slice).map_or(Wdl::Unknown, |table| table.values.get(place.rank))
    }

    #[inline(always)]
    fn distance(&self, place: Place) -> u16 {
        let distances = self.get(place.slice).and_then(|table| table.distances.as_ref());
        distances.map_or(NEVER, |distances| distances.get(place.rank))
    }
}

/// Solves all groups of at most so many pieces, or the whole game, one after the other in memory.
pub fn solve_all<G: Ranked>(
    game: &G,
    pieces: Option<u32>,
    options: &Options,
    progress: &mut dyn FnMut(&Progress<'_>),
    stop: &Stop,
) -> Result<Tables, Unsolved> {
    let mut tables = Tables::default();
    let groups = game.groups(pieces);
    // said before the work and not after half of it
    let mut kept = 0;
    for group in &groups {
        let needed = kept + bytes_needed(game, group, options);
        if needed > options.bytes {
            return Err(Unsolved::Memory { needed, allowed: options.bytes });
        }
        let bytes = |size| Values::bytes(size) + if options.metric.is_some() { 2 * size } else { 0 };
        kept += group.iter().map(|&slice| bytes(game.size(slice))).sum::<u64>();
    }
    let ranks = |groups: &[Vec<Slice>]| groups.iter().flatten().map(|&slice| game.size(slice)).sum();
    let all = ranks(&groups);
    for (number, group) in groups.iter().enumerate() {
        let options = Options { bytes: options.bytes - tables.bytes(), ..options.clone() };
        let finished = ranks(&groups[..number]);
        let mut told = |step: &Progress<'_>| progress(&Progress { ranks: (finished, all), ..*step });
        let solved = solve_group(game, group, &tables, &options, &mut told, stop)?;
        tables.insert(solved);
    }
    Ok(tables)
}

impl Metric {
    /// The name of the option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Conversion => "conversion",
        }
    }
}
