//! The file of all positions of a group while it is solved: two bytes a position, read and written in one direction.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use kibitz_game::Wdl;

use crate::database::DatabaseError;

/// What is known of a position: its value and distance, or how many of its successors are not yet wins. A rank without a position is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record(pub u16);

/// Distances and counts are less.
pub const GREATEST: u32 = (1 << 14) - 1;

impl Record {
    /// No position.
    pub const HOLE: Self = Self(0);

    /// A position whose value is known.
    pub fn decided(value: Wdl, distance: u32) -> Self {
        Self(u16::from(value.bits()) << 14 | distance.min(GREATEST) as u16)
    }

    /// A position that waits for so many successors, at least one.
    pub fn open(count: u32) -> Self {
        Self(count.min(GREATEST) as u16)
    }

    /// The value, if it is known.
    pub fn value(self) -> Wdl {
        Wdl::from_bits((self.0 >> 14) as u8)
    }

    /// The distance of a position whose value is known, the count of another one.
    pub fn number(self) -> u32 {
        u32::from(self.0) & GREATEST
    }
}

/// Records that are read and written at a time.
pub const BLOCK: u64 = 1 << 15;

/// The file, with the block that was used last. Blocks may only be asked for in ascending order; going back is a mistake in the algorithm,
/// whose whole point is that it does not.
pub struct Table {
    path: PathBuf,
    file: File,
    block: Option<u64>,
    records: Vec<u8>,
    changed: bool,
    /// How many blocks were read.
    pub blocks: u64,
}

impl Table {
    /// Opens the file for one pass.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(DatabaseError::io(path))?;
        Ok(Self { path: path.to_owned(), file, block: None, records: Vec::new(), changed: false, blocks: 0 })
    }

    fn io<T>(&self, result: std::io::Result<T>) -> Result<T, DatabaseError> {
        result.map_err(|error| DatabaseError::Io(self.path.clone(), error))
    }

    /// Writes records one after the other from `first` on; what came after them is gone.
    pub fn append(&mut self, first: u64, records: &[u16]) -> Result<(), DatabaseError> {
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_le_bytes()).collect();
        let mut write = || {
            self.file.set_len(first * 2)?;
            self.file.seek(SeekFrom::Start(first * 2))?;
            self.file.write_all(&bytes)
        };
        let written = write();
        self.io(written)
    }

    fn turn_to(&mut self, block: u64) -> Result<(), DatabaseError> {
        if self.block == Some(block) {
            return Ok(());
        }
        assert!(self.block.is_none_or(|before| before < block), "the pass goes in one direction");
        self.put_back()?;
        let mut read = || {
            self.file.seek(SeekFrom::Start(block * BLOCK * 2))?;
            self.records.clear();
            (&mut self.file).take(BLOCK * 2).read_to_end(&mut self.records)
        };
        let read = read();
        self.io(read)?;
        self.block = Some(block);
        self.blocks += 1;
        Ok(())
    }

    fn put_back(&mut self) -> Result<(), DatabaseError> {
        if let (Some(block), true) = (self.block, self.changed) {
            let mut write = || {
                self.file.seek(SeekFrom::Start(block * BLOCK * 2))?;
                self.file.write_all(&self.records)
            };
            let written = write();
            self.io(written)?;
            self.changed = false;
        }
        Ok(())
    }

    fn place(&self, index: u64) -> Result<usize, DatabaseError> {
        let place = (index % BLOCK * 2) as usize;
        if place + 2 > self.records.len() {
            return Err(DatabaseError::corrupt(&self.path, "the table of an interrupted build is too short"));
        }
        Ok(place)
    }

    /// The record of a position.
    #[inline]
    pub fn get(&mut self, index: u64) -> Result<Record, DatabaseError> {
        self.turn_to(index / BLOCK)?;
        let place = self.place(index)?;
        Ok(Record(u16::from_le_bytes([self.records[place], self.records[place + 1]])))
    }

    /// Changes the record of a position.
    #[inline]
    pub fn set(&mut self, index: u64, record: Record) -> Result<(), DatabaseError> {
        self.turn_to(index / BLOCK)?;
        let place = self.place(index)?;
        self.records[place..place + 2].copy_from_slice(&record.0.to_le_bytes());
        self.changed = true;
        Ok(())
    }

    /// The records of a range.
    pub fn range(&mut self, first: u64, count: u64) -> Result<Vec<u16>, DatabaseError> {
        let mut bytes = vec![0; count as usize * 2];
        let mut read = || {
            self.file.seek(SeekFrom::Start(first * 2))?;
            self.file.read_exact(&mut bytes)
        };
        let read = read();
        self.io(read)?;
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    }

    /// Ends the pass: everything is on the disk.
    pub fn finish(mut self) -> Result<(), DatabaseError> {
        self.put_back()?;
        let synced = self.file.sync_data();
        self.io(synced)
    }
}
