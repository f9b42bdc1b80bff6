//! Opening a database and asking it.

use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kibitz_game::{Place, Probe, Ranked, Slice, Wdl};
use memmap2::Mmap;
use rayon::prelude::*;

use super::DatabaseError;
use super::cache::{Cache, WORDS};
use super::fingerprint::fingerprint;
use super::format::{BLOCK, Block, Header, Metric, SliceHeader, checksum, decode_front};

/// How much of a database lies in memory unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residence {
    /// What was asked for last, at most so many bytes.
    Cache(usize),
    /// Everything, read and checked on opening.
    All,
}

impl Default for Residence {
    /// 64 megabytes.
    fn default() -> Self {
        Self::Cache(64 << 20)
    }
}

/// One file, mapped into memory.
struct Mapped {
    path: PathBuf,
    header: Header,
    blocks: Vec<Block>,
    bytes: Mmap,
}

/// A column of a slice: where its blocks begin among those of all files.
#[derive(Clone, Copy, Debug)]
struct Column {
    file: usize,
    /// The first block among those of its file.
    block: usize,
    /// The first block among those of all files.
    first: usize,
    /// The unpacked length.
    bytes: u64,
}

/// A slice that the database holds.
#[derive(Debug)]
struct Held {
    size: u64,
    values: Column,
    distances: Column,
    width: u8,
    /// Where it is in the header.
    at: (usize, usize, usize),
}

/// An open database.
///
/// A file must not be changed or cut while it is open: it is mapped into memory, and the system ends a process that reads beyond the end of a
/// mapped file. Writers of this crate never do that; they put a new file in the place of the old one.
pub struct Database {
    files: Vec<Mapped>,
    slices: Vec<Held>,
    /// The place in `slices` of each slice by its number, or `ABSENT`.
    by_number: Vec<u32>,
    cache: Cache,
    /// All blocks unpacked, in their order, where everything is in memory.
    all: Option<Box<[u64]>>,
    damage: OnceLock<String>,
}

const ABSENT: u32 = u32::MAX;
/// Numbers of slices are less.
const MOST_SLICES: usize = 1 << 24;

thread_local! {
    /// The decompressor of a thread and the block that it has unpacked last.
    static UNPACKING: RefCell<Option<(zstd::bulk::Decompressor<'static>, Box<[u8; BLOCK]>)>> = const { RefCell::new(None) };
}

fn map(path: &Path) -> Result<Mmap, DatabaseError> {
    let file = File::open(path).map_err(DatabaseError::io(path))?;
    let length = file.metadata().map_err(DatabaseError::io(path))?;
    if !length.is_file() {
        return Err(DatabaseError::corrupt(path, "it is not a file"));
    }
    if length.len() == 0 {
        return Err(DatabaseError::corrupt(path, "it is empty"));
    }
    // SAFETY: the map is read only and lives as long as `Mapped`. A file that another process changes meanwhile would show other bytes, which
    // only ever go through checksums and a decompressor that takes any input; what this crate writes goes to a new file that is renamed.
    #[allow(unsafe_code)]
    let map = unsafe { Mmap::map(&file) };
    map.map_err(DatabaseError::io(path))
}

impl Database {
    /// Opens one file.
    pub fn open(path: &Path, residence: Residence) -> Result<Self, DatabaseError> {
        Self::open_all(&[path.to_owned()], residence)
    }

    /// Opens several files of one game that hold different slices, as a build leaves them before it is complete.
    pub fn open_all(paths: &[PathBuf], residence: Residence) -> Result<Self, DatabaseError> {
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            let bytes = map(path)?;
            let (header, blocks) = decode_front(path, &bytes)?;
            files.push(Mapped { path: path.clone(), header, blocks, bytes });
        }
        let mut database = Self {
            files,
            slices: Vec::new(),
            by_number: Vec::new(),
            cache: Cache::new(0, 0),
            all: None,
            damage: OnceLock::new(),
        };
        database.list_slices()?;
        let blocks = database.block_count();
        match residence {
            Residence::Cache(bytes) => database.cache = Cache::new(bytes, blocks),
            Residence::All => database.load_all()?,
        }
        Ok(database)
    }

    fn list_slices(&mut self) -> Result<(), DatabaseError> {
        let mut first = 0;
        for (number, file) in self.files.iter().enumerate() {
            if !file.header.agrees(&self.files[0].header) {
                let other = self.files[0].path.display();
                return Err(DatabaseError::OtherGame(file.path.clone(), format!("{other} is of other rules")));
            }
            let mut block = 0;
            for (group_at, group) in file.header.groups.iter().enumerate() {
                for (slice_at, slice) in group.iter().enumerate() {
                    let mut column = |bytes: u64| {
                        let column = Column { file: number, block, first: first + block, bytes };
                        block += bytes.div_ceil(BLOCK as u64) as usize;
                        column
                    };
                    let (values, distances) = (column(slice.value_bytes()), column(slice.distance_bytes()));
                    let at = slice.number as usize;
                    if at >= MOST_SLICES {
                        return Err(DatabaseError::corrupt(&file.path, "a slice has an impossible number"));
                    }
                    if self.by_number.len() <= at {
                        self.by_number.resize(at + 1, ABSENT);
                    }
                    if self.by_number[at] != ABSENT {
                        return Err(DatabaseError::corrupt(&file.path, format!("slice {} is there twice", slice.name)));
                    }
                    self.by_number[at] = self.slices.len() as u32;
                    let place = (number, group_at, slice_at);
                    self.slices.push(Held { size: slice.size, values, distances, width: slice.width, at: place });
                }
            }
            first += block;
        }
        Ok(())
    }

    fn block_count(&self) -> usize {
        self.files.iter().map(|file| file.blocks.len()).sum()
    }

    fn columns(&self) -> impl Iterator<Item = Column> {
        self.slices.iter().flat_map(|slice| [slice.values, slice.distances])
    }

    fn load_all(&mut self) -> Result<(), DatabaseError> {
        let mut words: Box<[u64]> = bytemuck::zeroed_slice_box(self.block_count() * WORDS);
        let work: Vec<(Column, usize)> = self
            .columns()
            .flat_map(|column| (0..column.bytes.div_ceil(BLOCK as u64) as usize).map(move |block| (column, block)))
            .collect();
        // the columns follow each other in the order of their blocks
        words.par_chunks_mut(WORDS).zip(work).try_for_each(|(out, (column, block))| {
            self.unpacked(column, block, |bytes| {
                for (word, bytes) in out.iter_mut().zip(bytes.chunks(8)) {
                    let mut full = [0; 8];
                    full[..bytes.len()].copy_from_slice(bytes);
                    *word = u64::from_le_bytes(full);
                }
            })
        })?;
        self.all = Some(words);
        Ok(())
    }

    /// Hands a block of a column, unpacked, to `then`.
    fn unpacked<T>(&self, column: Column, block: usize, then: impl FnOnce(&[u8]) -> T) -> Result<T, DatabaseError> {
        let file = &self.files[column.file];
        let Block { offset, length, checksum: sum } = file.blocks[column.block + block];
        // decode_front has checked that all blocks lie inside the file
        let packed = &file.bytes[offset as usize..offset as usize + length as usize];
        let wanted = (column.bytes - block as u64 * BLOCK as u64).min(BLOCK as u64) as usize;
        let corrupt = |what: &str| {
            let number = column.block + block;
            DatabaseError::corrupt(&file.path, format!("block {number} at byte {offset} {what}"))
        };
        if checksum(packed) != sum {
            return Err(corrupt("has another checksum"));
        }
        if packed.len() == wanted {
            return Ok(then(packed));
        }
        UNPACKING.with(|unpacking| {
            let mut unpacking = unpacking.borrow_mut();
            let (decompressor, buffer) = match &mut *unpacking {
                Some(ready) => ready,
                empty => {
                    let decompressor = zstd::bulk::Decompressor::new().map_err(DatabaseError::io(&file.path))?;
                    empty.insert((decompressor, Box::new([0; BLOCK])))
                }
            };
            match decompressor.decompress_to_buffer(packed, &mut buffer[..]) {
                Ok(length) if length == wanted => Ok(then(&buffer[..wanted])),
                _ => Err(corrupt("cannot be unpacked")),
            }
        })
    }

    fn held(&self, slice: Slice) -> Option<&Held> {
        let at = *self.by_number.get(slice.0 as usize)?;
        self.slices.get(at as usize)
    }

    /// The bits of a column from `bit` on, at most 16 of them inside one word.
    #[inline]
    fn bits(&self, column: Column, bit: u64) -> Result<u64, DatabaseError> {
        let (block, inside) = ((bit / (8 * BLOCK as u64)) as usize, (bit % (8 * BLOCK as u64)) as usize);
        let word = if let Some(all) = &self.all {
            all[(column.first + block) * WORDS + inside / 64]
        } else if let Some(word) = self.cache.word(column.first + block, inside / 64) {
            word
        } else {
            self.fetched(column, block, inside / 64)?
        };
        Ok(word >> (inside % 64))
    }

    /// A word of a block that is not in the cache yet.
    #[inline(never)]
    fn fetched(&self, column: Column, block: usize, word: usize) -> Result<u64, DatabaseError> {
        self.unpacked(column, block, |bytes| {
            self.cache.put(column.first + block, bytes);
            let mut full = [0; 8];
            let part = &bytes[word * 8..bytes.len().min(word * 8 + 8)];
            full[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(full)
        })
    }

    /// The value for the player to move of what has this place; `Unknown` where nothing is known about it.
    #[inline]
    pub fn lookup(&self, place: Place) -> Result<Wdl, DatabaseError> {
        match self.held(place.slice) {
            Some(held) if place.rank < held.size => Ok(Wdl::from_bits(self.bits(held.values, place.rank * 2)? as u8)),
            _ => Ok(Wdl::Unknown),
        }
    }

    /// The distance in plies of what has this place, where distances are kept and it is known to be won or lost.
    pub fn distance(&self, place: Place) -> Result<Option<u32>, DatabaseError> {
        let Some(held) = self.held(place.slice).filter(|held| held.width > 0 && place.rank < held.size) else {
            return Ok(None);
        };
        if !matches!(self.lookup(place)?, Wdl::Win | Wdl::Loss) {
            return Ok(None);
        }
        let bits = self.bits(held.distances, place.rank * 8 * u64::from(held.width))?;
        Ok(Some(bits as u32 & if held.width == 1 { 0xff } else { 0xffff }))
    }

    /// Hands the packed values of a slice to `then`, a block at a time; `then` is told the first rank of the block.
    pub fn scan(&self, slice: Slice, mut then: impl FnMut(u64, &[u8])) -> Result<(), DatabaseError> {
        let Some(held) = self.held(slice) else { return Ok(()) };
        for block in 0..held.values.bytes.div_ceil(BLOCK as u64) as usize {
            self.unpacked(held.values, block, |bytes| then(block as u64 * BLOCK as u64 * 4, bytes))?;
        }
        Ok(())
    }

    /// Checks the checksum of every block, whether it can be unpacked, and the counts of the header; `tell` is told of blocks that are done.
    pub fn check_blocks(&self, tell: impl Fn(u64) -> bool + Sync) -> Result<(), DatabaseError> {
        for held in &self.slices {
            let blocks = held.values.bytes.div_ceil(BLOCK as u64) as usize;
            let counts = (0..blocks)
                .into_par_iter()
                .map(|block| {
                    let last = held.size - block as u64 * BLOCK as u64 * 4;
                    let counts = self.unpacked(held.values, block, |bytes| count(bytes, last))?;
                    if tell(1) { Err(DatabaseError::Stopped) } else { Ok(counts) }
                })
                .try_reduce(|| [0; 4], |a, b| Ok([a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]))?;
            let header = self.slice_header(held);
            if counts != header.counts {
                let path = &self.files[held.at.0].path;
                return Err(DatabaseError::corrupt(path, format!("slice {} has other counts", header.name)));
            }
            (0..held.distances.bytes.div_ceil(BLOCK as u64) as usize).into_par_iter().try_for_each(|block| {
                self.unpacked(held.distances, block, |_| ())?;
                if tell(1) { Err(DatabaseError::Stopped) } else { Ok(()) }
            })?;
        }
        Ok(())
    }

    fn slice_header(&self, held: &Held) -> &SliceHeader {
        let (file, group, slice) = held.at;
        &self.files[file].header.groups[group][slice]
    }

    /// What the files say of themselves; all agree but for their slices. None where there is no file.
    pub fn header(&self) -> Option<&Header> {
        self.files.first().map(|file| &file.header)
    }

    /// What distances count.
    pub fn metric(&self) -> Metric {
        self.header().map_or(Metric::None, |header| header.metric)
    }

    /// All slices.
    pub fn slices(&self) -> impl Iterator<Item = &SliceHeader> {
        self.slices.iter().map(|held| self.slice_header(held))
    }

    /// The slices in their groups, each with its size.
    pub(crate) fn groups(&self) -> Vec<Vec<(Slice, u64)>> {
        let groups = self.files.iter().flat_map(|file| &file.header.groups);
        groups.map(|group| group.iter().map(|slice| (Slice(slice.number), slice.size)).collect()).collect()
    }

    /// Where the first file lies.
    pub fn path(&self) -> &Path {
        self.files.first().map_or(Path::new(""), |file| &file.path)
    }

    /// The length of all files in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes.len() as u64).sum()
    }

    /// What was found to be damaged while somebody asked through [`Probe`], who cannot be told at once.
    pub fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// The blocks of a slice as they are in the file, with their checksums, for a build that puts files together.
    pub(crate) fn raw_blocks(&self, slice: Slice) -> impl Iterator<Item = (&[u8], u64)> {
        let columns = self.held(slice).map(|held| [held.values, held.distances]);
        columns.into_iter().flatten().flat_map(|column| {
            let file = &self.files[column.file];
            let count = column.bytes.div_ceil(BLOCK as u64) as usize;
            file.blocks[column.block..column.block + count].iter().map(|block| {
                (&file.bytes[block.offset as usize..block.offset as usize + block.length as usize], block.checksum)
            })
        })
    }

    /// What the file says of a slice.
    pub fn slice(&self, slice: Slice) -> Option<&SliceHeader> {
        self.held(slice).map(|held| self.slice_header(held))
    }

    /// The bytes that everything takes unpacked.
    pub fn unpacked_bytes(&self) -> u64 {
        (self.block_count() * BLOCK) as u64
    }

    /// Whether the database is one of this game with these rules: every slice must rank positions and move as it did when it was made.
    pub fn fits<G: Ranked>(&self, game: &G, name: &str) -> Result<(), DatabaseError> {
        for file in &self.files {
            let other = |what: String| Err(DatabaseError::OtherGame(file.path.clone(), what));
            if file.header.game != name {
                return other(format!("it is a database of {}, not of {name}", file.header.game));
            }
            for slice in file.header.slices() {
                let number = Slice(slice.number);
                if game.size(number) != slice.size || fingerprint(game, number) != slice.fingerprint {
                    let made: Vec<String> =
                        file.header.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
                    return other(format!(
                        "it was made for other rules or another board ({name} with {}): slice {} differs",
                        made.join(","),
                        slice.name
                    ));
                }
            }
        }
        Ok(())
    }
}

/// How often each value occurs among the first `last` of packed values.
pub(crate) fn count(bytes: &[u8], last: u64) -> [u64; 4] {
    let mut counts = [0; 4];
    let whole = (last / 4).min(bytes.len() as u64) as usize;
    for &byte in &bytes[..whole] {
        for shift in [0, 2, 4, 6] {
            counts[usize::from(byte >> shift & 3)] += 1;
        }
    }
    if let Some(&byte) = bytes.get(whole) {
        for place in 0..(last % 4) {
            counts[usize::from(byte >> (2 * place) & 3)] += 1;
        }
    }
    counts
}

impl Probe for Database {
    #[inline]
    fn value(&self, place: Place) -> Option<Wdl> {
        match self.lookup(place) {
            Ok(Wdl::Unknown) => None,
            Ok(value) => Some(value),
            Err(error) => {
                let _ = self.damage.set(error.to_string());
                None
            }
        }
    }
}
