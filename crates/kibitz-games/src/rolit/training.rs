//! How the tables of patterns are learned: from finished games of Othello, the mean of the final score over all positions
//! that have a pattern, both colours as "own".

use super::patterns::{self, ENTRIES, GEOMETRY, STAGES};

pub use super::patterns::read;

/// The sums and counts of what patterns were worth so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    sums: Vec<i64>,
    counts: Vec<u32>,
}

impl Default for Learned {
    fn default() -> Self {
        Self { sums: vec![0; STAGES * ENTRIES], counts: vec![0; STAGES * ENTRIES] }
    }
}

impl Learned {
    /// Adds a position of a game that ended with so many more discs for the owner of the first of two sets.
    pub fn add(&mut self, discs: [u64; 2], more: i32) {
        let occupied = discs[0] | discs[1];
        let stage = patterns::stage(occupied.count_ones()) * ENTRIES;
        for (own, more) in [(discs[0], more), (discs[1], -more)] {
            for place in &GEOMETRY.places {
                // the mirrored game is as good a game
                let entry = GEOMETRY.entry(place, own, occupied);
                for entry in [Some(entry), GEOMETRY.reversed(place, own, occupied)].into_iter().flatten() {
                    self.sums[stage + entry] += i64::from(more);
                    self.counts[stage + entry] += 1;
                }
            }
        }
    }

    /// Adds what others have learned.
    pub fn merge(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
    }

    /// How many patterns have occurred.
    pub fn known(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    /// The tables as a file, in half discs, rounded to the nearest.
    pub fn file(&self) -> Vec<u8> {
        let mean = |(&sum, &count): (&i64, &u32)| {
            let mean = if count == 0 { 0.0 } else { 2.0 * sum as f64 / f64::from(count) };
            mean.round().clamp(-127.0, 127.0) as i8
        };
        let entries: Vec<i8> = self.sums.iter().zip(&self.counts).map(mean).collect();
        patterns::file(&entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_the_mean_result_of_the_games_with_its_pattern() {
        let mut learned = Learned::default();
        // black beside white in a row, then black alone
        let (black, white, more) = (1 << 24, 1 << 25, 1 << 27);
        learned.add([black, white], 10);
        learned.add([black, white], 20);
        learned.add([black | more, 0], -6);
        let entries = patterns::read(&learned.file()).unwrap();
        let row = GEOMETRY.places.iter().find(|place| place.mask == 255 << 24).unwrap();
        let entry = |own: u64, occupied: u64| entries[GEOMETRY.entry(row, own, occupied)];
        assert_eq!(entry(black, black | white), 30);
        assert_eq!(entry(white, black | white), -30);
        assert_eq!(entry(black | more, black | more), -12);
        let mirrored = 1 << 31 | 1 << 28;
        assert_eq!(entry(mirrored, mirrored), -12, "a row reads the same from both ends");
        let mut twice = learned.clone();
        twice.merge(&learned);
        assert_eq!(twice.file(), learned.file());
    }
}
