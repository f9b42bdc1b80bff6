//! Building a database group by group.
//!
//! A finished group is a file of its own in a directory beside the database, `NAME.building`, which gets its name when it is complete. Whoever begins
//! again, after Ctrl-C or after a crash, finds the finished groups there and goes on with the next. At the end the groups are put
//! together into one file. Nothing in it depends on time, on threads or on how often the build was interrupted: the bytes are always the same.

use std::fs;
use std::path::{Path, PathBuf};

use kibitz_game::{Place, Probe, Ranked, Slice, Stop, Wdl};

use super::external::{self, External};
use super::fingerprint::fingerprint;
use super::format::{Header, Metric, SliceHeader};
use super::writer::{Writer, beside, join};
use super::{Database, DatabaseError, Residence};
use crate::retrograde::{self, Lower, NEVER, Options, Solved, Table, Unsolved, bytes_needed, solve_group};

/// What is built, and with what.
#[derive(Clone, Debug)]
pub struct Build {
    /// The name of the game.
    pub game: String,
    /// Its parameters as texts, by name.
    pub parameters: Vec<(String, String)>,
    /// The greatest number of pieces, if there is a limit.
    pub pieces: Option<u32>,
    /// What distances count; none for values alone.
    pub metric: Metric,
    /// The bytes that the build may take. A group that needs more is solved on disk.
    pub memory: u64,
    /// How many threads work.
    pub threads: usize,
    /// Which algorithm solves what fits into memory.
    pub family: retrograde::Family,
}

/// How far a build has come.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress<'a> {
    /// The number of the group, from 0, and how many there are.
    pub group: (usize, usize),
    /// The names of its slices.
    pub slices: &'a str,
    /// What is done.
    pub phase: &'a str,
    /// Which pass over the positions of the group.
    pub pass: u32,
    /// Positions of the pass done, and how many it has.
    pub done: (u64, u64),
    /// Ranks of the group.
    pub size: u64,
    /// Ranks of all groups that are finished, and of all groups.
    pub ranks: (u64, u64),
}

/// What was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Groups that were solved now.
    pub groups: usize,
    /// Groups that were there already.
    pub kept: usize,
    /// Groups of those solved now that were solved on disk.
    pub external: usize,
}

/// The least memory of a build.
pub const LEAST_MEMORY: u64 = 1 << 12;

impl Lower for Database {
    #[inline]
    fn value(&self, place: Place) -> Wdl {
        Probe::value(self, place).unwrap_or(Wdl::Unknown)
    }

    fn distance(&self, place: Place) -> u16 {
        Self::distance(self, place).ok().flatten().map_or(NEVER, |distance| distance as u16)
    }
}

impl Build {
    /// The directory of the groups until all are there.
    pub fn directory(path: &Path) -> PathBuf {
        beside(path, ".building")
    }

    fn options(&self, bytes: u64) -> Options {
        let metric = match self.metric {
            Metric::None => None,
            Metric::Win => Some(retrograde::Metric::Win),
            Metric::Conversion => Some(retrograde::Metric::Conversion),
        };
        Options { family: self.family, metric, threads: self.threads.max(1), bytes }
    }

    fn header(&self, groups: Vec<Vec<SliceHeader>>) -> Header {
        Header {
            game: self.game.clone(),
            parameters: self.parameters.clone(),
            pieces: self.pieces,
            metric: self.metric,
            groups,
        }
    }

    /// Builds the database at `path`, or what is missing of it.
    pub fn run<G: Ranked>(
        &self,
        game: &G,
        path: &Path,
        progress: &mut (dyn FnMut(&BuildProgress<'_>) + Send),
        stop: &Stop,
    ) -> Result<Built, DatabaseError> {
        if !G::RANKED {
            return Err(DatabaseError::NotSupported(
                "this game does not rank its positions, so that there is no table of them".into(),
            ));
        }
        if self.memory < LEAST_MEMORY {
            return Err(DatabaseError::NotSupported(format!("a build needs at least {LEAST_MEMORY} bytes")));
        }
        let groups = game.groups(self.pieces);
        if groups.is_empty() {
            return Err(DatabaseError::NotSupported("there is no slice with so few pieces".into()));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.max(1)).build();
        let pool = pool.map_err(|error| DatabaseError::NotSupported(format!("no threads: {error}")))?;
        pool.install(|| Work { build: self, game, path, groups: &groups, progress, stop }.run())
    }
}

/// A build that is going on.
struct Work<'a, G> {
    build: &'a Build,
    game: &'a G,
    path: &'a Path,
    groups: &'a [Vec<Slice>],
    progress: &'a mut (dyn FnMut(&BuildProgress<'_>) + Send),
    stop: &'a Stop,
}

impl<G: Ranked> Work<'_, G> {
    fn run(mut self) -> Result<Built, DatabaseError> {
        let mut built = Built::default();
        let mut files = Vec::new();
        let finished = match self.earlier()? {
            Some(earlier) => {
                files.push(self.path.to_owned());
                earlier
            }
            None => Vec::new(),
        };
        let every_slice = |held: &[u32]| self.groups.iter().flatten().all(|slice| held.contains(&slice.0));
        let directory = Build::directory(self.path);
        if every_slice(&finished) {
            built.kept = self.groups.len();
            // a build that was killed after its last step has left it
            self.clean(&directory)?;
            return Ok(built);
        }
        fs::create_dir_all(&directory).map_err(DatabaseError::io(&directory))?;
        let all: u64 = self.ranks(self.groups.iter());
        for (number, group) in self.groups.iter().enumerate() {
            if group.iter().all(|slice| finished.contains(&slice.0)) {
                built.kept += 1;
                continue;
            }
            let file = directory.join(self.file_name(group));
            if file.exists() {
                self.must_be(&file, group)?;
                built.kept += 1;
            } else {
                let before = self.ranks(self.groups[..number].iter());
                let on_disk = self.solve(number, group, &file, &files, (before, all))?;
                built.groups += 1;
                built.external += usize::from(on_disk);
            }
            files.push(file);
        }
        let parts = Database::open_all(&files, Residence::Cache(0))?;
        let headers = |group: &Vec<Slice>| group.iter().filter_map(|&slice| parts.slice(slice).cloned()).collect();
        join(self.path, &self.build.header(self.groups.iter().map(headers).collect()), &parts)?;
        drop(parts);
        self.clean(&directory)?;
        Ok(built)
    }

    /// Removes what this build has left. Groups of a larger one that was interrupted stay.
    fn clean(&self, directory: &Path) -> Result<(), DatabaseError> {
        for group in self.groups {
            let file = directory.join(self.file_name(group));
            let work = beside(&file, ".work");
            if work.exists() {
                fs::remove_dir_all(&work).map_err(DatabaseError::io(&work))?;
            }
            for each in [beside(&file, ".blocks"), beside(&file, ".new"), file] {
                if each.exists() {
                    fs::remove_file(&each).map_err(DatabaseError::io(&each))?;
                }
            }
        }
        // it is not empty where other groups wait
        let _ = fs::remove_dir(directory);
        Ok(())
    }

    fn ranks<'g>(&self, groups: impl Iterator<Item = &'g Vec<Slice>>) -> u64 {
        groups.flatten().map(|&slice| self.game.size(slice)).sum()
    }

    fn file_name(&self, group: &[Slice]) -> String {
        let names: Vec<String> = group.iter().map(|&slice| self.game.slice_name(slice)).collect();
        // many slices would make a name that is too long for a file
        if names.len() <= 4 {
            format!("{}.kdb", names.join("+"))
        } else {
            format!("{}+{}.kdb", names[0], names.len() - 1)
        }
    }

    /// The numbers of the slices of a database that lies at the path already.
    fn earlier(&self) -> Result<Option<Vec<u32>>, DatabaseError> {
        if !self.path.exists() {
            return Ok(None);
        }
        let earlier = Database::open(self.path, Residence::Cache(0))?;
        earlier.fits(self.game, &self.build.game)?;
        if earlier.metric() != self.build.metric {
            return Err(DatabaseError::OtherGame(
                self.path.to_owned(),
                format!(
                    "it has distances {:?}, and {:?} are asked for",
                    earlier.metric().name(),
                    self.build.metric.name()
                ),
            ));
        }
        Ok(Some(earlier.slices().map(|slice| slice.number).collect()))
    }

    /// A file of a group that is there already must be what would be built now.
    fn must_be(&self, file: &Path, group: &[Slice]) -> Result<(), DatabaseError> {
        let there = Database::open(file, Residence::Cache(0))?;
        there.fits(self.game, &self.build.game)?;
        let slices: Vec<u32> = there.slices().map(|slice| slice.number).collect();
        if there.metric() != self.build.metric || slices != group.iter().map(|slice| slice.0).collect::<Vec<_>>() {
            return Err(DatabaseError::OtherGame(
                file.to_owned(),
                "another build has left it there: finish that one, or remove its directory".into(),
            ));
        }
        Ok(())
    }

    /// Solves a group into a file, and says whether that was done on disk.
    fn solve(
        &mut self,
        number: usize,
        group: &[Slice],
        file: &Path,
        lower: &[PathBuf],
        ranks: (u64, u64),
    ) -> Result<bool, DatabaseError> {
        let names: Vec<String> = group.iter().map(|&slice| self.game.slice_name(slice)).collect();
        let names = names.join(", ");
        let memory = self.build.memory;
        let needed = bytes_needed(self.game, group, &self.build.options(memory));
        let groups = self.groups.len();
        let size = group.iter().map(|&slice| self.game.size(slice)).sum();
        let progress = &mut *self.progress;
        let mut tell = |phase: &str, pass: u32, done: (u64, u64)| {
            progress(&BuildProgress { group: (number, groups), slices: &names, phase, pass, done, size, ranks });
        };
        // a part of the memory is for what is known already, and the rest is for the group
        let least_cache = memory / 8;
        let external = needed + least_cache > memory;
        let left = if external { least_cache } else { memory - needed };
        let mut database = Database::open_all(lower, Residence::Cache(left as usize))?;
        if database.unpacked_bytes() <= left {
            database = Database::open_all(lower, Residence::All)?;
        }
        let solved = if external {
            let work = External {
                game: self.game,
                group,
                lower: &database,
                metric: self.build.metric,
                memory: memory - left,
                directory: &beside(file, ".work"),
                stop: self.stop,
            };
            external::solve(&work, file, |slices| self.build.header(vec![slices]), &mut tell)
        } else {
            let mut told = |told: &retrograde::Progress<'_>| tell(told.phase, told.pass, (told.done, told.total));
            let options = self.build.options(memory);
            match solve_group(self.game, group, &database, &options, &mut told, self.stop) {
                Ok(solved) => self.write(file, &solved),
                Err(Unsolved::Stopped) => Err(DatabaseError::Stopped),
                Err(other) => Err(DatabaseError::NotSupported(other.to_string())),
            }
        };
        // a damaged file makes holes in what is known; the reason comes first
        if let Some(damage) = database.damage() {
            return Err(DatabaseError::corrupt(database.path(), damage));
        }
        solved.map(|()| external)
    }

    fn write(&self, file: &Path, solved: &Solved) -> Result<(), DatabaseError> {
        let mut writer = Writer::create(file)?;
        let mut slices = Vec::with_capacity(solved.tables.len());
        for table in &solved.tables {
            let slice = self.slice_header(table);
            write_values(&mut writer, table)?;
            if slice.width > 0 {
                write_distances(&mut writer, table, slice.width)?;
            }
            slices.push(slice);
        }
        writer.finish(&self.build.header(vec![slices]))
    }

    fn slice_header(&self, table: &Table) -> SliceHeader {
        let Table { slice, values, distances, counts } = table;
        let longest = counts.wins.len().max(counts.losses.len()).saturating_sub(1) as u32;
        let size = values.len();
        let mut classes = counts.classes;
        classes[usize::from(Wdl::Unknown.bits())] = size - classes[1..].iter().sum::<u64>();
        SliceHeader {
            number: slice.0,
            name: self.game.slice_name(*slice),
            size,
            counts: classes,
            positions: [0, counts.positions[1], counts.positions[2], counts.positions[3]],
            fingerprint: fingerprint(self.game, *slice),
            longest,
            width: distances.as_ref().map_or(0, |_| width(longest)),
        }
    }
}

/// How many bytes a distance takes where none is longer.
pub(super) fn width(longest: u32) -> u8 {
    if longest <= 0xff { 1 } else { 2 }
}

/// How many values are handed to the writer at a time.
const PIECE: usize = 1 << 20;

fn write_values(writer: &mut Writer, table: &Table) -> Result<(), DatabaseError> {
    let mut left = table.values.len().div_ceil(4) as usize;
    let mut bytes = Vec::with_capacity(PIECE * 8);
    for first in (0..table.values.words()).step_by(PIECE) {
        bytes.clear();
        let last = table.values.words().min(first + PIECE);
        (first..last).for_each(|word| bytes.extend(table.values.word(word).to_le_bytes()));
        bytes.truncate(left);
        left -= bytes.len();
        writer.column(&bytes)?;
    }
    writer.end_column()
}

fn write_distances(writer: &mut Writer, table: &Table, width: u8) -> Result<(), DatabaseError> {
    let Some(distances) = &table.distances else { return Ok(()) };
    let mut bytes = Vec::with_capacity(PIECE * usize::from(width));
    for (rank, distance) in distances.iter().enumerate() {
        let distance = if distance == NEVER { 0 } else { distance };
        bytes.extend(&distance.to_le_bytes()[..usize::from(width)]);
        if (rank + 1) % PIECE == 0 {
            writer.column(&bytes)?;
            bytes.clear();
        }
    }
    writer.column(&bytes)?;
    writer.end_column()
}
