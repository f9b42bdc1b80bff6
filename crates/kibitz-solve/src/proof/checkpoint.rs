//! A search on disk, from which it can be taken up again.
//!
//! The file is written beside its place and moved there when it is complete, so there is always a whole one, whenever the process dies. It begins with what
//! the search is about, in words, and ends with a checksum.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use kibitz_game::mix;

use super::kernel::{self, Kernel};

use super::AtLeast;
use super::table::Table;
use super::tree::Node;
use super::watch::{Answer, Point};

const MAGIC: u64 = u64::from_le_bytes(*b"kbzproof");
const VERSION: u64 = 2;

/// Where a search is saved.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The file.
    pub path: PathBuf,
    /// What is searched and how, in words: a file of something else is refused.
    pub identity: String,
    /// How often it is saved.
    pub interval: Duration,
}

/// A file that is no checkpoint of this search.
#[derive(Debug)]
pub enum BadCheckpoint {
    /// It cannot be read or written.
    File(PathBuf, io::Error),
    /// It is damaged or no checkpoint at all.
    Damaged(PathBuf),
    /// It is of another search, which is named.
    Other(PathBuf, String),
}

impl fmt::Display for BadCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "the checkpoint {} cannot be used: {error}", path.display()),
            Self::Damaged(path) => {
                write!(f, "{} is damaged or no checkpoint of a proof: remove it or choose another file", path.display())
            }
            Self::Other(path, identity) => {
                write!(f, "{} is a checkpoint of another search ({identity}): choose another file", path.display())
            }
        }
    }
}

impl std::error::Error for BadCheckpoint {}

/// What a checkpoint holds.
#[derive(Default)]
pub(crate) struct State {
    /// Nodes made so far.
    pub(crate) nodes: u64,
    /// The questions so far; the last one may be open.
    pub(crate) answers: Vec<Answer>,
    /// The tree of the open question.
    pub(crate) tree: Vec<Node>,
}

impl Checkpoint {
    /// What the file holds, the entries of a table in the table; none if there is no file.
    pub(crate) fn load(&self, table: Option<&Table>) -> Result<Option<State>, BadCheckpoint> {
        let failed = |error| BadCheckpoint::File(self.path.clone(), error);
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // better now than after an hour
                let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
                if folder.is_some_and(|folder| !folder.is_dir()) {
                    return Err(failed(error));
                }
                return Ok(None);
            }
            Err(error) => return Err(failed(error)),
        };
        let size = file.metadata().map_err(failed)?.len();
        let mut reader = Reader { file: BufReader::new(file), check: MAGIC, left: size };
        match reader.state(&self.identity, table) {
            Ok(Ok(state)) => Ok(Some(state)),
            Ok(Err(identity)) => Err(BadCheckpoint::Other(self.path.clone(), identity)),
            Err(Damage) => Err(BadCheckpoint::Damaged(self.path.clone())),
        }
    }

    /// Saves a search.
    pub(crate) fn save(
        &self,
        nodes: u64,
        done: &[Answer],
        current: &Answer,
        tree: &[Node],
        table: Option<&Table>,
    ) -> Result<(), BadCheckpoint> {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let part = PathBuf::from(name);
        let written = self.write(&part, nodes, done, current, tree, table).and_then(|()| fs::rename(&part, &self.path));
        written.map_err(|error| {
            let _ = fs::remove_file(&part);
            BadCheckpoint::File(self.path.clone(), error)
        })
    }

    fn write(
        &self,
        part: &FilePath,
        nodes: u64,
        done: &[Answer],
        current: &Answer,
        tree: &[Node],
        table: Option<&Table>,
    ) -> io::Result<()> {
        let mut writer = Writer { file: BufWriter::with_capacity(1 << 16, File::create(part)?), check: MAGIC };
        writer.word(MAGIC)?;
        writer.word(VERSION)?;
        writer.bytes(self.identity.as_bytes())?;
        writer.word(nodes)?;
        writer.word(done.len() as u64 + 1)?;
        for answer in done.iter().chain([current]) {
            writer.answer(answer)?;
        }
        writer.bytes(bytemuck::cast_slice(tree))?;
        // the table may change meanwhile, so nobody knows how many entries there will be
        for [key, data] in table.iter().flat_map(|table| table.entries()).chain([[0, 0]]) {
            writer.word(key)?;
            writer.word(data)?;
        }
        let check = writer.check;
        writer.word(check)?;
        writer.file.flush()?;
        writer.file.get_ref().sync_all()
    }
}

struct Writer {
    file: BufWriter<File>,
    check: u64,
}

impl Writer {
    fn word(&mut self, word: u64) -> io::Result<()> {
        self.check = mix(self.check, word);
        self.file.write_all(&word.to_le_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.word(bytes.len() as u64)?;
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word))?;
        }
        Ok(())
    }

    fn answer(&mut self, answer: &Answer) -> io::Result<()> {
        self.word(u64::from(answer.at_least == AtLeast::Draw))?;
        self.word(answer.value.map_or(2, u64::from))?;
        self.word(answer.nodes)?;
        self.word(answer.probes)?;
        self.word(answer.time.as_nanos() as u64)?;
        self.word(u64::from(answer.proof) | u64::from(answer.disproof) << 32)?;
        self.word(answer.stored)?;
        self.word(answer.curve.len() as u64)?;
        for point in &answer.curve {
            self.word(point.nodes)?;
            self.word(u64::from(point.proof) | u64::from(point.disproof) << 32)?;
            self.word(point.time.as_nanos() as u64)?;
        }
        self.bytes(bytemuck::cast_slice(&answer.kept))
    }
}

struct Damage;

struct Reader {
    file: BufReader<File>,
    check: u64,
    left: u64,
}

impl Reader {
    fn raw(&mut self) -> Result<u64, Damage> {
        let mut word = [0; 8];
        self.file.read_exact(&mut word).map_err(|_| Damage)?;
        self.left = self.left.checked_sub(8).ok_or(Damage)?;
        Ok(u64::from_le_bytes(word))
    }

    fn word(&mut self) -> Result<u64, Damage> {
        let word = self.raw()?;
        self.check = mix(self.check, word);
        Ok(word)
    }

    fn bytes(&mut self) -> Result<Vec<u8>, Damage> {
        let length = self.word()?;
        // a length that was damaged must not ask for memory
        if length > self.left {
            return Err(Damage);
        }
        let mut bytes = Vec::with_capacity(length as usize + 8);
        while (bytes.len() as u64) < length {
            bytes.extend(self.word()?.to_le_bytes());
        }
        bytes.truncate(length as usize);
        Ok(bytes)
    }

    fn records<T: bytemuck::Pod>(&mut self) -> Result<Vec<T>, Damage> {
        let bytes = self.bytes()?;
        if bytes.len() % size_of::<T>() != 0 {
            return Err(Damage);
        }
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    /// The state, or what the file is about if that is something else.
    fn state(&mut self, identity: &str, table: Option<&Table>) -> Result<Result<State, String>, Damage> {
        if self.word()? != MAGIC || self.word()? != VERSION {
            return Err(Damage);
        }
        let written = String::from_utf8(self.bytes()?).map_err(|_| Damage)?;
        if written != identity {
            return Ok(Err(written));
        }
        let nodes = self.word()?;
        let count = self.word()?;
        if count > 2 {
            return Err(Damage);
        }
        let mut answers = Vec::new();
        for _ in 0..count {
            answers.push(self.answer()?);
        }
        let tree: Vec<Node> = self.records()?;
        loop {
            let entry = [self.word()?, self.word()?];
            match table {
                _ if entry == [0, 0] => break,
                Some(table) => table.restore(entry),
                None => return Err(Damage),
            }
        }
        let check = self.check;
        if self.raw()? != check || self.left != 0 {
            return Err(Damage);
        }
        // the checksum says that we wrote it; a tree that points outside of itself was not
        if tree.iter().any(|node| node.children().end > tree.len()) {
            return Err(Damage);
        }
        Ok(Ok(State { nodes, answers, tree }))
    }

    fn answer(&mut self) -> Result<Answer, Damage> {
        let at_least = if self.word()? == 0 { AtLeast::Win } else { AtLeast::Draw };
        let value = match self.word()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        };
        let (nodes, probes, time) = (self.word()?, self.word()?, Duration::from_nanos(self.word()?));
        let numbers = self.word()?;
        let stored = self.word()?;
        let points = self.word()?;
        let mut curve = Vec::new();
        for _ in 0..points {
            let (nodes, numbers) = (self.word()?, self.word()?);
            let time = Duration::from_nanos(self.word()?);
            curve.push(Point { at_least, nodes, proof: numbers as u32, disproof: (numbers >> 32) as u32, time });
        }
        let kept: Vec<Kernel> = self.records()?;
        if !kernel::sound(&kept) {
            return Err(Damage);
        }
        let (proof, disproof) = (numbers as u32, (numbers >> 32) as u32);
        Ok(Answer { at_least, value, nodes, probes, time, proof, disproof, stored, curve, kept, leading: None })
    }
}
