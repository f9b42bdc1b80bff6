//! The disk-update experiments of Wu, Liu and Hsu (2004, section 4): what updates in random order cost, and what sorting them first costs
//! and saves.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use kibitz_game::{Random, Stop};

use super::DatabaseError;
use super::external::sorter::Sorter;

/// Updates of a file of records of one byte, read and written in blocks.
#[derive(Clone, Copy, Debug)]
pub struct Updates {
    /// Records of the file, N in the paper.
    pub records: u64,
    /// Records of a block, B.
    pub block: usize,
    /// How many records at random places are changed, n.
    pub updates: u64,
    /// Whether they are sorted and combined first.
    pub sorted: bool,
    /// Passes the cache of the system by, where it can.
    pub direct: bool,
    /// The seed of the places.
    pub seed: u64,
}

/// What the updates took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Time for sorting.
    pub sorting: Duration,
    /// Time for reading and writing, until everything is on the disk.
    pub updating: Duration,
    /// Blocks read and written.
    pub blocks: u64,
}

/// Memory that begins at a multiple of this may be handed to the disk itself.
const ALIGNED: usize = 4096;

fn open(path: &Path, direct: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(target_os = "linux")]
    if direct {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_DIRECT);
    }
    let _ = direct;
    options.open(path)
}

impl Updates {
    /// Makes a file at `path`, updates it, and removes it.
    pub fn run(&self, path: &Path, stop: &Stop) -> Result<Cost, DatabaseError> {
        let cost = self.measured(path, stop);
        let _ = std::fs::remove_file(path);
        cost
    }

    fn measured(&self, path: &Path, stop: &Stop) -> Result<Cost, DatabaseError> {
        let io = |error| DatabaseError::Io(path.to_owned(), error);
        if self.records == 0 || self.block == 0 || self.direct && !self.block.is_multiple_of(512) {
            return Err(DatabaseError::NotSupported(
                "a block has at least one record, and for the disk itself whole sectors of 512".into(),
            ));
        }
        self.make(path).map_err(io)?;
        let mut random = Random::new(self.seed);
        let mut places: Vec<u64> = (0..self.updates).map(|_| (random.unit() * self.records as f64) as u64).collect();
        let mut cost = Cost::default();
        if self.sorted {
            let begin = Instant::now();
            places.sort_unstable();
            places.dedup();
            cost.sorting = begin.elapsed();
        }
        let mut file = open(path, self.direct).map_err(io)?;
        let mut memory = vec![0; self.block + ALIGNED];
        let first = memory.as_ptr().align_offset(ALIGNED).min(ALIGNED);
        let buffer = &mut memory[first..first + self.block];
        let begin = Instant::now();
        let mut current = None;
        for (number, &place) in places.iter().enumerate() {
            if number % 64 == 0 && stop.ask() {
                return Err(DatabaseError::Stopped);
            }
            let block = place / self.block as u64;
            if current != Some(block) {
                if let Some(current) = current {
                    put(&mut file, current, buffer).map_err(io)?;
                }
                file.seek(SeekFrom::Start(block * self.block as u64)).map_err(io)?;
                file.read_exact(buffer).map_err(io)?;
                cost.blocks += 1;
                current = Some(block);
            }
            buffer[(place % self.block as u64) as usize] ^= 1;
        }
        if let Some(current) = current {
            put(&mut file, current, buffer).map_err(io)?;
        }
        file.sync_data().map_err(io)?;
        cost.updating = begin.elapsed();
        Ok(cost)
    }

    /// A file of whole blocks, on the disk.
    fn make(&self, path: &Path) -> std::io::Result<()> {
        let mut file = File::create(path)?;
        let bytes = self.records.div_ceil(self.block as u64) * self.block as u64;
        let piece = vec![0; 1 << 20];
        let mut left = bytes;
        while left > 0 {
            let now = left.min(piece.len() as u64) as usize;
            file.write_all(&piece[..now])?;
            left -= now as u64;
        }
        file.sync_all()
    }
}

fn put(file: &mut File, block: u64, buffer: &[u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(block * buffer.len() as u64))?;
    file.write_all(buffer)
}

/// Sorts so many random numbers below 2³¹ with room for `capacity` of them in memory. Returns the whole time, and that of the merge.
pub fn sort(
    directory: &Path,
    count: u64,
    capacity: usize,
    seed: u64,
    stop: &Stop,
) -> Result<(Duration, Duration), DatabaseError> {
    std::fs::create_dir_all(directory).map_err(DatabaseError::io(directory))?;
    let mut sorter = Sorter::new(directory, capacity);
    let mut random = Random::new(seed);
    let (mut sorting, mut left) = (Duration::ZERO, count);
    let mut piece = Vec::with_capacity(1 << 16);
    while left > 0 {
        if stop.ask() {
            return Err(DatabaseError::Stopped);
        }
        piece.clear();
        piece.extend((0..left.min(1 << 16)).map(|_| (random.unit() * f64::from(1 << 31)) as u64));
        left -= piece.len() as u64;
        // making the numbers is no part of it
        let begin = Instant::now();
        sorter.extend(&piece)?;
        sorting += begin.elapsed();
    }
    let begin = Instant::now();
    let in_memory = sorter.in_memory();
    let mut merge = sorter.merge()?;
    let ready = begin.elapsed();
    let (mut seen, mut before) = (0u64, 0);
    while let Some(number) = merge.next()? {
        assert!(number >= before, "the numbers are sorted");
        (seen, before) = (seen + 1, number);
    }
    assert_eq!(seen, count, "none is lost");
    let whole = begin.elapsed();
    drop(merge);
    let merging = if in_memory { Duration::ZERO } else { whole.saturating_sub(ready) };
    Ok((sorting + whole, merging))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_those_of_the_model() {
        let path = std::env::temp_dir().join(format!("kibitz-disk-{}", std::process::id()));
        let trial = Updates { records: 1 << 20, block: 512, updates: 4000, sorted: false, direct: false, seed: 1 };
        let random = trial.run(&path, &Stop::new()).unwrap();
        // two neighbours share a block once in 2048 times
        assert!((3980..=4000).contains(&random.blocks), "{}", random.blocks);
        let sorted = Updates { sorted: true, ..trial }.run(&path, &Stop::new()).unwrap();
        let blocks = f64::from(1 << 11);
        let expected = blocks * (1.0 - (1.0 - 1.0 / blocks).powi(4000));
        assert!((sorted.blocks as f64 - expected).abs() < 60.0, "{} and {expected}", sorted.blocks);
        assert!(!path.exists());
    }
}
