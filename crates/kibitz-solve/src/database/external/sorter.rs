//! Sorting more numbers than fit into memory: sorted runs on disk, and one merge of all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::list::{ListReader, ListWriter, Mark};
use crate::database::DatabaseError;

/// Numbers on their way into sorted runs.
pub struct Sorter {
    directory: PathBuf,
    buffer: Vec<u64>,
    /// How many numbers are sorted in memory.
    capacity: usize,
    runs: Vec<PathBuf>,
    /// How many numbers came in.
    pub pushed: u64,
}

/// The bytes that a file is read or written by at a time.
pub const PAGE: usize = 1 << 16;

impl Sorter {
    /// A sorter that keeps `capacity` numbers in memory and its runs in `directory`.
    pub fn new(directory: &Path, capacity: usize) -> Self {
        Self {
            directory: directory.to_owned(),
            buffer: Vec::new(),
            capacity: capacity.max(64),
            runs: Vec::new(),
            pushed: 0,
        }
    }

    /// Adds numbers.
    pub fn extend(&mut self, numbers: &[u64]) -> Result<(), DatabaseError> {
        self.pushed += numbers.len() as u64;
        let mut left = numbers;
        while !left.is_empty() {
            if self.buffer.len() == self.capacity {
                self.spill()?;
            }
            if self.buffer.capacity() == 0 {
                self.buffer.reserve_exact(self.capacity);
            }
            let (now, later) = left.split_at(left.len().min(self.capacity - self.buffer.len()));
            self.buffer.extend(now);
            left = later;
        }
        Ok(())
    }

    fn spill(&mut self) -> Result<(), DatabaseError> {
        self.buffer.par_sort_unstable();
        let path = self.directory.join(format!("run-{}", self.runs.len()));
        let mut run = ListWriter::create(&path, PAGE)?;
        self.buffer.iter().try_for_each(|&number| run.push(number))?;
        run.close()?;
        self.buffer.clear();
        self.runs.push(path);
        Ok(())
    }

    /// Whether nothing had to go to the disk.
    pub fn in_memory(&self) -> bool {
        self.runs.is_empty()
    }

    /// Ends the input. What fits into memory never goes to the disk.
    pub fn merge(mut self) -> Result<Merge, DatabaseError> {
        if !self.runs.is_empty() && !self.buffer.is_empty() {
            self.spill()?;
            self.buffer = Vec::new();
        }
        self.buffer.par_sort_unstable();
        Merge::new(self.buffer, self.runs)
    }
}

/// The numbers of several sorted runs in ascending order. The runs are removed with it.
pub struct Merge {
    memory: std::vec::IntoIter<u64>,
    readers: Vec<ListReader>,
    heap: BinaryHeap<Reverse<(u64, usize)>>,
    runs: Vec<PathBuf>,
}

impl Merge {
    /// Merges numbers that are sorted in memory and files of sorted numbers; the files are removed in the end.
    pub fn new(memory: Vec<u64>, runs: Vec<PathBuf>) -> Result<Self, DatabaseError> {
        let mut merge = Self { memory: memory.into_iter(), readers: Vec::new(), heap: BinaryHeap::new(), runs };
        for run in &merge.runs {
            merge.readers.push(ListReader::resume(run, Mark::default(), PAGE)?);
        }
        for reader in 0..=merge.readers.len() {
            merge.refill(reader)?;
        }
        Ok(merge)
    }

    /// Takes the next number of a run; the numbers in memory are the last run.
    fn refill(&mut self, run: usize) -> Result<(), DatabaseError> {
        let next = match self.readers.get_mut(run) {
            Some(reader) => reader.next()?,
            None => self.memory.next(),
        };
        self.heap.extend(next.map(|number| Reverse((number, run))));
        Ok(())
    }

    /// The least number that is left.
    #[inline]
    pub fn next(&mut self) -> Result<Option<u64>, DatabaseError> {
        if self.readers.is_empty() && self.heap.is_empty() {
            return Ok(self.memory.next());
        }
        let Some(Reverse((number, run))) = self.heap.pop() else { return Ok(None) };
        self.refill(run)?;
        Ok(Some(number))
    }
}

impl Drop for Merge {
    fn drop(&mut self) {
        for run in &self.runs {
            let _ = std::fs::remove_file(run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Random;

    #[test]
    fn numbers_come_out_in_order_whatever_fits_into_memory() {
        let directory = std::env::temp_dir().join(format!("kibitz-sorter-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let mut random = Random::new(3);
        let numbers: Vec<u64> = (0..5000).map(|_| random.below(2000) as u64).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        for capacity in [64, 100, 4999, 5000, 9000] {
            let mut sorter = Sorter::new(&directory, capacity);
            numbers.chunks(333).for_each(|piece| sorter.extend(piece).unwrap());
            let mut merge = sorter.merge().unwrap();
            let out: Vec<u64> = std::iter::from_fn(|| merge.next().unwrap()).collect();
            assert_eq!(out, sorted, "{capacity} in memory");
            drop(merge);
            assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0, "no run is left");
        }
        std::fs::remove_dir(&directory).unwrap();
    }
}
