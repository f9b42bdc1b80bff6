//! Lists of numbers on disk, written and read from the beginning to the end.
//!
//! A number is kept as its difference from the one before, in as few bytes as that needs: seven bits a byte, the lowest first. Sorted lists, which
//! are most of what is kept here, take one or two bytes a number instead of eight.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::database::DatabaseError;

/// A place in a list at which reading or writing goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Bytes before it.
    pub offset: u64,
    /// The number before it.
    pub last: u64,
}

/// A list that is being written.
pub struct ListWriter {
    path: PathBuf,
    file: BufWriter<File>,
    mark: Mark,
}

impl ListWriter {
    /// Writes on from a mark; what came after it is gone.
    pub fn resume(path: &Path, mark: Mark, buffer: usize) -> Result<Self, DatabaseError> {
        let open = || {
            let mut options = OpenOptions::new();
            let mut file = options.write(true).create(true).truncate(false).open(path)?;
            file.set_len(mark.offset)?;
            file.seek(SeekFrom::Start(mark.offset))?;
            Ok(BufWriter::with_capacity(buffer, file))
        };
        Ok(Self { path: path.to_owned(), file: open().map_err(DatabaseError::io(path))?, mark })
    }

    /// A new list.
    pub fn create(path: &Path, buffer: usize) -> Result<Self, DatabaseError> {
        Self::resume(path, Mark::default(), buffer)
    }

    /// Appends a number.
    #[inline]
    pub fn push(&mut self, number: u64) -> Result<(), DatabaseError> {
        // a step back is possible where a list is made of several sorted parts: its sign is the lowest bit
        let step = number.wrapping_sub(self.mark.last) as i64;
        let mut left = ((step << 1) ^ (step >> 63)) as u64;
        let mut bytes = [0; 10];
        let mut length = 0;
        loop {
            bytes[length] = left as u8 & 0x7f | if left > 0x7f { 0x80 } else { 0 };
            length += 1;
            left >>= 7;
            if left == 0 {
                break;
            }
        }
        self.mark = Mark { offset: self.mark.offset + length as u64, last: number };
        self.file.write_all(&bytes[..length]).map_err(|error| DatabaseError::Io(self.path.clone(), error))
    }

    /// Ends a list that is of no use to anybody after a crash.
    pub fn close(mut self) -> Result<Mark, DatabaseError> {
        self.file.flush().map_err(|error| DatabaseError::Io(self.path.clone(), error))?;
        Ok(self.mark)
    }

    /// Makes sure that everything is on the disk, and says where the list ends.
    pub fn finish(mut self) -> Result<Mark, DatabaseError> {
        let flushed = self.file.flush().and_then(|()| self.file.get_ref().sync_data());
        flushed.map_err(|error| DatabaseError::Io(self.path.clone(), error))?;
        Ok(self.mark)
    }
}

/// A list that is being read.
pub struct ListReader {
    path: PathBuf,
    file: BufReader<File>,
    mark: Mark,
}

impl ListReader {
    /// Reads on from a mark.
    pub fn resume(path: &Path, mark: Mark, buffer: usize) -> Result<Self, DatabaseError> {
        let open = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(mark.offset))?;
            Ok(BufReader::with_capacity(buffer, file))
        };
        Ok(Self { path: path.to_owned(), file: open().map_err(DatabaseError::io(path))?, mark })
    }

    /// The place after the number that was read last.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// The next number; none at the end.
    #[inline]
    pub fn next(&mut self) -> Result<Option<u64>, DatabaseError> {
        let (mut number, mut shift, mut length) = (0u64, 0, 0);
        loop {
            let mut byte = [0];
            match self.file.read(&mut byte) {
                Ok(0) if length == 0 => return Ok(None),
                Ok(0) => return Err(DatabaseError::corrupt(&self.path, "a list ends inside a number")),
                Ok(_) => (),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(DatabaseError::Io(self.path.clone(), error)),
            }
            length += 1;
            number |= u64::from(byte[0] & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte[0] & 0x80 == 0 {
                break;
            }
        }
        let step = (number >> 1) ^ (number & 1).wrapping_neg();
        self.mark = Mark { offset: self.mark.offset + length, last: self.mark.last.wrapping_add(step) };
        Ok(Some(self.mark.last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_comes_back_and_goes_on_from_every_mark() {
        let path = std::env::temp_dir().join(format!("kibitz-list-{}", std::process::id()));
        let numbers = [0, 0, 1, 127, 128, 300, 5, 1 << 40, u64::MAX, 0, u64::MAX / 2, 7];
        let mut writer = ListWriter::create(&path, 16).unwrap();
        let mut marks = vec![Mark::default()];
        for &number in &numbers {
            writer.push(number).unwrap();
            marks.push(writer.mark);
        }
        writer.finish().unwrap();
        for (first, &mark) in marks.iter().enumerate() {
            let mut reader = ListReader::resume(&path, mark, 16).unwrap();
            for &number in &numbers[first..] {
                assert_eq!(reader.next().unwrap(), Some(number));
            }
            assert_eq!(reader.next().unwrap(), None);
        }
        // what came after a mark is overwritten
        let mut writer = ListWriter::resume(&path, marks[3], 16).unwrap();
        writer.push(99).unwrap();
        writer.finish().unwrap();
        let mut reader = ListReader::resume(&path, Mark::default(), 16).unwrap();
        let read: Vec<u64> = std::iter::from_fn(|| reader.next().unwrap()).collect();
        assert_eq!(read, [0, 0, 1, 99]);
        std::fs::remove_file(&path).unwrap();
    }
}
