//! The file of an endgame database.
//!
//! All numbers are little-endian.
//!
//! ```text
//! prefix   8 bytes  the magic word KIBITZDB
//!          4        version, 1
//!          4        length of the header in bytes
//!          8        length of the whole file in bytes
//!          8        checksum of the header
//!          8        checksum of the prefix up to here
//! header            the game with its parameters, the groups of slices, what each slice holds, the checksum of the index
//! index   12 bytes  a block: length in the file (4), checksum of these bytes (8)
//! blocks            one after the other, in the order of the index
//! ```
//!
//! A slice is one or two columns: values of two bits ([`Wdl`](kibitz_game::Wdl)), and where distances are kept, distances in plies of
//! one or two bytes. A column is cut into blocks of [`BLOCK`] bytes; each is compressed by zstd on its own, or kept as it is where that is
//! shorter. Checksums are XXH3 of 64 bits. So a file tells on opening whether it is complete and whether header and index are sound, and each
//! block is checked before it is unpacked.

use std::path::Path;

use twox_hash::XxHash3_64;

use super::DatabaseError;

/// What every file begins with.
pub const MAGIC: [u8; 8] = *b"KIBITZDB";
/// The version of the format.
pub const VERSION: u32 = 2;
/// The length of a block when it is unpacked: 65,536 values.
pub const BLOCK: usize = 16 << 10;
/// The length of what comes before the header.
pub const PREFIX: usize = 40;
/// The length of an entry of the index.
pub const ENTRY: usize = 12;
/// No header is longer; a length beyond it is damage.
const LONGEST_HEADER: usize = 1 << 26;

/// The checksum of some bytes.
pub fn checksum(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// What a distance counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Metric {
    /// There are no distances.
    None = 0,
    /// Plies to the end of the game.
    Win = 1,
    /// Plies to the end of the game or to a position of another group, whichever comes first.
    Conversion = 2,
}

impl Metric {
    /// The metric of a number.
    fn from_number(number: u8) -> Option<Self> {
        [Self::None, Self::Win, Self::Conversion].into_iter().find(|metric| *metric as u8 == number)
    }

    /// `none`, `win` or `conversion`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Win => "win",
            Self::Conversion => "conversion",
        }
    }
}

/// What one slice holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceHeader {
    /// The number that the game gives the slice.
    pub number: u32,
    /// The name that a person recognises.
    pub name: String,
    /// How many ranks it has.
    pub size: u64,
    /// How many ranks belong to no position, are lost, drawn and won: by the numbers of [`Wdl`](kibitz_game::Wdl).
    pub counts: [u64; 4],
    /// How many positions that is with all mirror images.
    pub positions: [u64; 4],
    /// A checksum of how the game moves and ranks its positions here.
    pub fingerprint: u64,
    /// The greatest distance.
    pub longest: u32,
    /// Bytes of a distance; 0 where there are none.
    pub width: u8,
}

impl SliceHeader {
    /// The unpacked length of the column of values in bytes.
    pub fn value_bytes(&self) -> u64 {
        self.size.div_ceil(4)
    }

    /// The unpacked length of the column of distances in bytes.
    pub fn distance_bytes(&self) -> u64 {
        self.size * u64::from(self.width)
    }

    /// How many blocks both columns have.
    pub fn blocks(&self) -> u64 {
        self.value_bytes().div_ceil(BLOCK as u64) + self.distance_bytes().div_ceil(BLOCK as u64)
    }
}

/// What a file says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// Its parameters as texts, by name.
    pub parameters: Vec<(String, String)>,
    /// The greatest number of pieces, if there is a limit.
    pub pieces: Option<u32>,
    /// What distances count.
    pub metric: Metric,
    /// The slices, in groups that were solved together.
    pub groups: Vec<Vec<SliceHeader>>,
}

impl Header {
    /// All slices, in the order of their blocks.
    pub fn slices(&self) -> impl Iterator<Item = &SliceHeader> {
        self.groups.iter().flatten()
    }

    /// How many blocks the file has.
    pub fn blocks(&self) -> u64 {
        self.slices().map(SliceHeader::blocks).sum()
    }

    /// Whether two files are of the same game and hold the same kind of values. That the rules are the same, too, is asked of the game,
    /// slice by slice.
    pub fn agrees(&self, other: &Self) -> bool {
        (&self.game, self.metric) == (&other.game, other.metric)
    }

    fn encode(&self, index: u64) -> Vec<u8> {
        let mut out = Encoder::default();
        out.text(&self.game);
        out.number(self.parameters.len() as u64, 4);
        for (name, value) in &self.parameters {
            out.text(name);
            out.text(value);
        }
        out.number(self.pieces.map_or(u64::from(u32::MAX), u64::from), 4);
        out.number(self.metric as u64, 1);
        out.number(self.groups.len() as u64, 4);
        for group in &self.groups {
            out.number(group.len() as u64, 4);
            for slice in group {
                out.number(u64::from(slice.number), 4);
                out.text(&slice.name);
                out.number(slice.size, 8);
                for count in slice.counts.into_iter().chain(slice.positions) {
                    out.number(count, 8);
                }
                out.number(slice.fingerprint, 8);
                out.number(u64::from(slice.longest), 4);
                out.number(u64::from(slice.width), 1);
            }
        }
        out.number(index, 8);
        out.0
    }

    /// The header and the checksum of the index.
    fn decode(bytes: &[u8]) -> Option<(Self, u64)> {
        let mut from = Decoder(bytes);
        let game = from.text()?;
        let mut parameters = Vec::new();
        for _ in 0..from.number(4)? {
            parameters.push((from.text()?, from.text()?));
        }
        let pieces = u32::try_from(from.number(4)?).ok().filter(|&pieces| pieces != u32::MAX);
        let metric = Metric::from_number(from.number(1)? as u8)?;
        let mut groups = Vec::new();
        for _ in 0..from.number(4)? {
            let mut group = Vec::new();
            for _ in 0..from.number(4)? {
                group.push(SliceHeader {
                    number: from.number(4)? as u32,
                    name: from.text()?,
                    size: from.number(8)?,
                    counts: from.counts()?,
                    positions: from.counts()?,
                    fingerprint: from.number(8)?,
                    longest: from.number(4)? as u32,
                    width: from.number(1)? as u8,
                });
            }
            groups.push(group);
        }
        let index = from.number(8)?;
        let header = Self { game, parameters, pieces, metric, groups };
        (from.0.is_empty() && header.sound()).then_some((header, index))
    }

    /// Whether the numbers fit together.
    fn sound(&self) -> bool {
        self.slices().all(|slice| {
            let sum = slice.counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            let widths: &[u8] = if self.metric == Metric::None { &[0] } else { &[1, 2] };
            // the greatest size keeps every sum of bytes and blocks far away from the end of 64 bits
            slice.size <= 1 << 48 && sum == Some(slice.size) && widths.contains(&slice.width)
        }) && self.slices().count() <= 1 << 20
    }
}

/// Where a block lies in the file, and its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub length: u32,
    /// The checksum of these bytes.
    pub checksum: u64,
}

/// Everything of a file before its blocks: prefix, header and index. `blocks` are lengths and checksums.
pub fn encode_front(header: &Header, blocks: &[(u32, u64)]) -> Vec<u8> {
    let mut index = Encoder::default();
    for &(length, sum) in blocks {
        index.number(u64::from(length), 4);
        index.number(sum, 8);
    }
    let body = header.encode(checksum(&index.0));
    let packed: u64 = blocks.iter().map(|&(length, _)| u64::from(length)).sum();
    let mut out = Encoder(Vec::with_capacity(PREFIX + body.len() + index.0.len()));
    out.0.extend(MAGIC);
    out.number(u64::from(VERSION), 4);
    out.number(body.len() as u64, 4);
    out.number((PREFIX + body.len() + index.0.len()) as u64 + packed, 8);
    out.number(checksum(&body), 8);
    out.number(checksum(&out.0), 8);
    out.0.extend(body);
    out.0.extend(index.0);
    out.0
}

/// The header and the blocks of a file, from its bytes, or what is wrong with them.
pub fn decode_front(path: &Path, file: &[u8]) -> Result<(Header, Vec<Block>), DatabaseError> {
    let corrupt = |what: &str| Err(DatabaseError::corrupt(path, what));
    if file.len() < PREFIX || file[..8] != MAGIC {
        return corrupt("it is not an endgame database of kibitz");
    }
    let mut from = Decoder(&file[8..PREFIX]);
    // what was just measured is there
    let mut number = |bytes| from.number(bytes).unwrap_or(0);
    let (version, length, whole) = (number(4), number(4) as usize, number(8));
    let (header_sum, prefix_sum) = (number(8), number(8));
    if prefix_sum != checksum(&file[..PREFIX - 8]) {
        return corrupt("its first bytes have another checksum");
    }
    if version != u64::from(VERSION) {
        return corrupt(&format!("it has version {version} of the format, and this is version {VERSION}"));
    }
    if whole != file.len() as u64 {
        return corrupt(&format!("it has {} bytes and should have {whole}", file.len()));
    }
    let Some(body) = file.get(PREFIX..PREFIX + length.min(LONGEST_HEADER)) else {
        return corrupt("it ends inside its header");
    };
    if header_sum != checksum(body) {
        return corrupt("its header has another checksum");
    }
    let Some((header, index_sum)) = Header::decode(body) else {
        return corrupt("its header makes no sense");
    };
    let begin = PREFIX + body.len();
    let index_bytes = usize::try_from(header.blocks()).ok().and_then(|blocks| blocks.checked_mul(ENTRY));
    let Some(index) = index_bytes.and_then(|bytes| file.get(begin..begin.checked_add(bytes)?)) else {
        return corrupt("it ends inside its index");
    };
    if index_sum != checksum(index) {
        return corrupt("its index has another checksum");
    }
    let mut offset = (begin + index.len()) as u64;
    let mut blocks = Vec::with_capacity(index.len() / ENTRY);
    for entry in index.chunks_exact(ENTRY) {
        let mut from = Decoder(entry);
        let (length, sum) = (from.number(4).unwrap_or(0) as u32, from.number(8).unwrap_or(0));
        blocks.push(Block { offset, length, checksum: sum });
        offset += u64::from(length);
    }
    if offset != whole {
        return corrupt("its blocks do not fill it");
    }
    Ok((header, blocks))
}

/// Numbers and texts as bytes.
#[derive(Default)]
struct Encoder(Vec<u8>);

impl Encoder {
    fn number(&mut self, number: u64, bytes: usize) {
        self.0.extend(&number.to_le_bytes()[..bytes]);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64, 4);
        self.0.extend(text.as_bytes());
    }
}

/// Bytes as numbers and texts; none beyond the end.
struct Decoder<'a>(&'a [u8]);

impl Decoder<'_> {
    fn bytes(&mut self, count: usize) -> Option<&[u8]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    fn number(&mut self, bytes: usize) -> Option<u64> {
        let mut number = [0; 8];
        number[..bytes].copy_from_slice(self.bytes(bytes)?);
        Some(u64::from_le_bytes(number))
    }

    fn counts(&mut self) -> Option<[u64; 4]> {
        Some([self.number(8)?, self.number(8)?, self.number(8)?, self.number(8)?])
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number(4)? as usize;
        String::from_utf8(self.bytes(length)?.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header() -> Header {
        let slice = |number, name: &str, size: u64| SliceHeader {
            number,
            name: name.to_owned(),
            size,
            counts: [size - 6, 1, 2, 3],
            positions: [0, 4, 8, 12],
            fingerprint: 0x1234_5678_9abc_def0,
            longest: 9,
            width: 1,
        };
        Header {
            game: "fanorona".to_owned(),
            parameters: vec![("cols".to_owned(), "9".to_owned()), ("rows".to_owned(), "5".to_owned())],
            pieces: Some(3),
            metric: Metric::Win,
            groups: vec![vec![slice(1, "1-1", 100)], vec![slice(7, "2-1", 70_000), slice(8, "1-2", 70_000)]],
        }
    }

    fn front() -> Vec<u8> {
        // 1 and 1 block, then 2 and 5 of each of the larger slices
        let header = header();
        let blocks: Vec<(u32, u64)> = (0..header.blocks()).map(|block| (block as u32 % 3, block * 77)).collect();
        let mut bytes = encode_front(&header, &blocks);
        bytes.resize(bytes.len() + blocks.iter().map(|block| block.0 as usize).sum::<usize>(), 0);
        bytes
    }

    #[test]
    fn a_header_comes_back_as_it_was() {
        let bytes = front();
        let (read, blocks) = decode_front(Path::new("x"), &bytes).unwrap();
        assert_eq!(read, header());
        assert_eq!(blocks.len(), 16);
        assert_eq!(blocks.last().unwrap().offset + u64::from(blocks.last().unwrap().length), bytes.len() as u64);
    }

    #[test]
    fn every_flipped_bit_before_the_blocks_is_noticed() {
        let bytes = front();
        let (_, blocks) = decode_front(Path::new("x"), &bytes).unwrap();
        for place in 0..blocks[0].offset as usize {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert!(decode_front(Path::new("x"), &damaged).is_err(), "bit {bit} of byte {place}");
            }
        }
    }

    #[test]
    fn a_file_that_is_too_short_or_too_long_is_refused() {
        let bytes = front();
        for length in 0..bytes.len() {
            assert!(decode_front(Path::new("x"), &bytes[..length]).is_err(), "{length} bytes");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(decode_front(Path::new("x"), &longer).is_err());
    }

    proptest! {
        /// Checksums that are right do not make a header right: nothing may panic or take memory that the file does not pay for.
        #[test]
        fn any_header_with_right_checksums_is_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..400), cut in 0usize..300) {
            let mut real = header().encode(0);
            real.truncate(cut);
            for body in [body.clone(), [real, body].concat()] {
                let mut out = Encoder(MAGIC.to_vec());
                out.number(u64::from(VERSION), 4);
                out.number(body.len() as u64, 4);
                out.number((PREFIX + body.len()) as u64, 8);
                out.number(checksum(&body), 8);
                out.number(checksum(&out.0), 8);
                out.0.extend(&body);
                let _ = decode_front(Path::new("x"), &out.0);
            }
        }
    }
}
