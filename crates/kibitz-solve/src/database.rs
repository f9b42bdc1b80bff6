//! Endgame databases: the values of all positions of some slices of a game, in one file.
//!
//! - [`format`] is the file: a header, an index of blocks with their checksums, and blocks of packed values.
//! - [`Database`] opens a file and answers; it maps the file into memory and keeps what it has unpacked in a cache that threads
//!   share without locks.
//! - [`writer`] makes files, complete or not at all.
//! - [`Database::verify`] checks every value against those of its successors.
//! - [`disk`] measures what sequential and random updates cost.
//! - [`Build`] solves group after group into files, in memory by [`crate::retrograde`] or on disk by [`external`], and goes on where it was interrupted.

mod build;
mod cache;
pub mod disk;
pub mod external;
mod fingerprint;
pub mod format;
mod reader;
mod verify;
pub mod writer;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use build::{Build, BuildProgress, Built, LEAST_MEMORY};
pub use reader::{Database, Residence};

/// Why a database cannot be opened, read or built.
#[derive(Debug)]
pub enum DatabaseError {
    /// The system could not read or write a file.
    Io(PathBuf, io::Error),
    /// The file is not what was written once, or no database at all.
    Corrupt(PathBuf, String),
    /// The file belongs to another game, or to other rules of it.
    OtherGame(PathBuf, String),
    /// What was asked for has no meaning.
    NotSupported(String),
    /// Interrupted from outside; what was finished is kept.
    Stopped,
}

impl DatabaseError {
    /// Makes an error of the system one that names the file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io(path.to_owned(), error)
    }

    /// A file that is damaged, and where.
    pub(crate) fn corrupt(path: &Path, what: impl Into<String>) -> Self {
        Self::Corrupt(path.to_owned(), what.into())
    }
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Corrupt(path, what) => write!(f, "{} is damaged: {what}", path.display()),
            Self::OtherGame(path, what) => write!(f, "{} does not fit: {what}", path.display()),
            Self::NotSupported(what) => f.write_str(what),
            Self::Stopped => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for DatabaseError {}
