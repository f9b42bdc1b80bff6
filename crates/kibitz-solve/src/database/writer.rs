//! Writing a database: complete under its name, or not at all.
//!
//! Columns come in piece by piece, so that a slice larger than memory can be written. Blocks are packed by all threads of the pool and
//! written in their order; the bytes of the file depend on its content alone.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use kibitz_game::Slice;
use rayon::prelude::*;

use super::format::{BLOCK, Header, checksum, encode_front};
use super::{Database, DatabaseError};

/// How hard zstd tries. Packed values are close to random within a byte, so that more than this gains little.
const LEVEL: i32 = 9;
/// How many blocks are packed at a time: what a writer keeps in memory is twice this many blocks.
const BATCH: usize = 256;

/// Writes the blocks of one file after the other. They go to a file of their own first, since header and index, which come before them, are
/// known last.
pub struct Writer {
    path: PathBuf,
    blocks_path: PathBuf,
    blocks: BufWriter<File>,
    index: Vec<(u32, u64)>,
    /// Bytes of the current column that do not fill a batch yet.
    pending: Vec<u8>,
}

/// A path with something added to the name of its file.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

impl Writer {
    /// Begins a file that will have this name. What an interrupted writer has left there is overwritten.
    pub fn create(path: &Path) -> Result<Self, DatabaseError> {
        let blocks_path = beside(path, ".blocks");
        let mut options = OpenOptions::new();
        let blocks = options.read(true).write(true).create(true).truncate(true).open(&blocks_path);
        let blocks = BufWriter::with_capacity(1 << 20, blocks.map_err(DatabaseError::io(&blocks_path))?);
        Ok(Self { path: path.to_owned(), blocks_path, blocks, index: Vec::new(), pending: Vec::new() })
    }

    /// Adds bytes to the current column.
    pub fn column(&mut self, mut bytes: &[u8]) -> Result<(), DatabaseError> {
        while self.pending.len() + bytes.len() >= BATCH * BLOCK {
            let (first, rest) = bytes.split_at(BATCH * BLOCK - self.pending.len());
            bytes = rest;
            if self.pending.is_empty() {
                self.pack(first)?;
            } else {
                self.pending.extend(first);
                self.flush()?;
            }
        }
        self.pending.extend(bytes);
        Ok(())
    }

    /// Ends the current column; its last block may be shorter than the others.
    pub fn end_column(&mut self) -> Result<(), DatabaseError> {
        self.flush()
    }

    fn flush(&mut self) -> Result<(), DatabaseError> {
        let mut pending = std::mem::take(&mut self.pending);
        self.pack(&pending)?;
        pending.clear();
        self.pending = pending;
        Ok(())
    }

    fn pack(&mut self, bytes: &[u8]) -> Result<(), DatabaseError> {
        let packed: Result<Vec<Vec<u8>>, std::io::Error> = bytes
            .par_chunks(BLOCK)
            .map_init(
                || zstd::bulk::Compressor::new(LEVEL),
                |compressor, block| {
                    let packed = match compressor {
                        Ok(compressor) => compressor.compress(block)?,
                        Err(error) => return Err(std::io::Error::new(error.kind(), error.to_string())),
                    };
                    Ok(if packed.len() < block.len() { packed } else { block.to_vec() })
                },
            )
            .collect();
        for block in packed.map_err(DatabaseError::io(&self.blocks_path))? {
            self.raw(&block, checksum(&block))?;
        }
        Ok(())
    }

    /// Adds a block that is packed already.
    fn raw(&mut self, block: &[u8], sum: u64) -> Result<(), DatabaseError> {
        self.blocks.write_all(block).map_err(DatabaseError::io(&self.blocks_path))?;
        self.index.push((block.len() as u32, sum));
        Ok(())
    }

    /// Puts the file in its place.
    pub fn finish(mut self, header: &Header) -> Result<(), DatabaseError> {
        assert_eq!(self.index.len() as u64, header.blocks(), "every column of the header was written");
        self.blocks.flush().map_err(DatabaseError::io(&self.blocks_path))?;
        let front = encode_front(header, &self.index);
        drop(self.blocks);
        let mut blocks = File::open(&self.blocks_path).map_err(DatabaseError::io(&self.blocks_path))?;
        replace(&self.path, |file| {
            file.write_all(&front)?;
            let mut buffer = vec![0; 1 << 20];
            loop {
                match blocks.read(&mut buffer)? {
                    0 => return Ok(()),
                    length => file.write_all(&buffer[..length])?,
                }
            }
        })?;
        std::fs::remove_file(&self.blocks_path).map_err(DatabaseError::io(&self.blocks_path))
    }
}

/// Writes a file under another name, makes sure that it is on the disk, and renames it: whatever happens, there is the old file, the new one or none.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), DatabaseError> {
    let temporary = beside(path, ".new");
    let written = File::create(&temporary).and_then(|file| {
        let mut file = BufWriter::with_capacity(1 << 20, file);
        write(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()
    });
    written.map_err(DatabaseError::io(&temporary))?;
    std::fs::rename(&temporary, path).map_err(DatabaseError::io(path))?;
    // the rename itself is on the disk when the directory is
    if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        let _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
    Ok(())
}

/// Puts the slices of a header, which the parts hold, together into one file, without packing anything again.
pub fn join(path: &Path, header: &Header, parts: &Database) -> Result<(), DatabaseError> {
    let blocks = || header.slices().flat_map(|slice| parts.raw_blocks(Slice(slice.number)));
    let index: Vec<(u32, u64)> = blocks().map(|(block, sum)| (block.len() as u32, sum)).collect();
    assert_eq!(index.len() as u64, header.blocks(), "the parts are those of the header");
    // what is damaged must not be copied
    if let Some((bad, _)) = blocks().enumerate().find(|(_, (block, sum))| checksum(block) != *sum) {
        return Err(DatabaseError::corrupt(parts.path(), format!("block {bad} has another checksum")));
    }
    replace(path, |file| {
        file.write_all(&encode_front(header, &index))?;
        blocks().try_for_each(|(block, _)| file.write_all(block))
    })
}
