//! Retrograde analysis of a group that is larger than memory, on disk.
//!
//! P.-h. Wu, P.-Y. Liu and T.-s. Hsu, *An External-Memory Retrograde Analysis Algorithm*, Computers and Games 2004 (LNCS 3846): layer by
//! layer, the predecessors of all positions that were decided last are collected on disk, sorted by their number, combined, and applied in one pass
//! over the file of positions. There is no random access to the disk. A layer here is a ply: predecessors of a loss become wins, and those of a win have one open
//! successor less and are lost when none is left.
//!
//! Where the paper is silent: a successor counts once however many moves lead to it, on both sides, so that symmetric positions make no trouble; what
//! moves out of the group say is put into the layer of its distance beforehand (seeds); and changes are written to a journal before
//! they are made, so that a build that is killed at any moment goes on from the last batch.

mod expand;
mod finish;
mod list;
mod prepare;
pub(super) mod sorter;
mod state;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use kibitz_game::{Place, Ranked, Slice, Stop, Wdl, mix};

use super::fingerprint::fingerprint;
use super::format::{Header, Metric, SliceHeader};
use super::{Database, DatabaseError};
use list::{ListReader, ListWriter, Mark};
use sorter::{Merge, PAGE, Sorter};
use state::{Saved, State};
use table::{GREATEST, Record, Table};

/// What is solved, and with what.
pub struct External<'a, G> {
    /// The game.
    pub game: &'a G,
    /// The slices.
    pub group: &'a [Slice],
    /// What their moves lead to outside of them.
    pub lower: &'a Database,
    /// What distances count.
    pub metric: Metric,
    /// The bytes to work with.
    pub memory: u64,
    /// The directory of the files of the work. It is removed at the end.
    pub directory: &'a Path,
    /// Ends the work from outside.
    pub stop: &'a Stop,
}

/// Told of what is done: a phase, its number, and how much of it.
pub type Tell<'a> = dyn FnMut(&str, u32, (u64, u64)) + 'a;

/// What a list says about a position, in the lowest bits of its numbers.
const WIN: u64 = 0;
const ONE_LESS: u64 = 1;
const DECIDED: u64 = 2;
/// A seed is the layer, the position and what is said about it.
const LAYER: u32 = 49;

/// Solves the group and writes its file.
pub fn solve<G: Ranked>(
    work: &External<'_, G>,
    file: &Path,
    header: impl Fn(Vec<SliceHeader>) -> Header,
    tell: &mut Tell<'_>,
) -> Result<(), DatabaseError> {
    if !G::UNPLAYS {
        return Err(DatabaseError::NotSupported(
            "a group is larger than the memory given, and this game does not offer the predecessors that a solution on disk needs: give it more memory".into(),
        ));
    }
    fs::create_dir_all(work.directory).map_err(DatabaseError::io(work.directory))?;
    let mut layers = Layers::new(work)?;
    layers.prepare(tell)?;
    layers.recover()?;
    while !layers.state.done {
        layers.batch(tell)?;
    }
    layers.write(file, header, tell)?;
    fs::remove_dir_all(work.directory).map_err(DatabaseError::io(work.directory))
}

/// The group while it is solved.
struct Layers<'a, G> {
    work: &'a External<'a, G>,
    /// The number of the first position of each slice, and of all positions at the end.
    first: Vec<u64>,
    state: State,
    /// What was interrupted while it was applied.
    then: Option<State>,
}

impl<'a, G: Ranked> Layers<'a, G> {
    fn new(work: &'a External<'a, G>) -> Result<Self, DatabaseError> {
        let mut first = vec![0];
        let mut task = mix(work.metric as u64, work.group.len() as u64);
        for &slice in work.group {
            first.push(first[first.len() - 1] + work.game.size(slice));
            task = mix(task, fingerprint(work.game, slice));
        }
        if first[first.len() - 1] >= 1 << (LAYER - 2) {
            return Err(DatabaseError::NotSupported("a group has too many positions".into()));
        }
        let saved = Saved::load(&work.directory.join("state"), task);
        let saved = saved.unwrap_or(Saved { now: State { task, ..State::default() }, then: None });
        Ok(Self { work, first, state: saved.now, then: saved.then })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.work.directory.join(name)
    }

    fn list_of(&self, layer: u64) -> PathBuf {
        self.path(&format!("layer-{layer}"))
    }

    fn save(&self, then: Option<State>) -> Result<(), DatabaseError> {
        Saved { now: self.state, then }.save(&self.path("state"))
    }

    /// The number of all positions.
    fn count(&self) -> u64 {
        self.first[self.first.len() - 1]
    }

    /// The number of a place in the group.
    fn index(&self, place: Place) -> Option<u64> {
        let slice = self.work.group.iter().position(|&slice| slice == place.slice)?;
        Some(self.first[slice] + place.rank)
    }

    /// The place of a number.
    fn place(&self, index: u64) -> Place {
        let slice = self.first.partition_point(|&first| first <= index) - 1;
        Place { slice: self.work.group[slice], rank: index - self.first[slice] }
    }

    fn stopped(&self) -> Result<(), DatabaseError> {
        if self.work.stop.ask() { Err(DatabaseError::Stopped) } else { Ok(()) }
    }

    /// Finishes what was interrupted while it was applied.
    fn recover(&mut self) -> Result<(), DatabaseError> {
        if let Some(then) = self.then.take() {
            self.apply(then)?;
        }
        Ok(())
    }

    /// How many numbers are sorted in memory.
    fn capacity(&self) -> usize {
        (self.work.memory / 16).max(64) as usize
    }

    /// Expands a part of the layer before, and applies what comes out of it to the table.
    fn batch(&mut self, tell: &mut Tell<'_>) -> Result<(), DatabaseError> {
        self.stopped()?;
        let layer = self.state.layer;
        let capacity = self.capacity();
        // more than this is not on the disk at a time: about the size of the table
        let limit = (self.count() / 2).max(4 * capacity as u64).min(256 * capacity as u64);
        let mut sorter = Sorter::new(self.work.directory, capacity);
        let mut then = State { seeded: true, ..self.state };
        let mut whole = true;
        let before = layer.checked_sub(1).map(|before| self.list_of(before)).filter(|path| path.exists());
        if let Some(before) = &before {
            (then.frontier, whole) = self.expand(before, limit, &mut sorter)?;
        }
        let expanded = sorter.pushed;
        tell("layers", layer as u32, (0, expanded));
        then.seeds = self.update(sorter.merge()?)?;
        if whole {
            let next = self.next_seed(then.seeds)?;
            then = State { layer: layer + 1, seeded: false, frontier: Mark::default(), ..then };
            // where this layer is empty the next one with a seed follows
            let empty = self.state.decided == Mark::default() && self.journal_is_quiet()?;
            then.done = empty && next.is_none();
            if let (true, Some(next)) = (empty, next) {
                then.layer = next;
            }
        }
        self.save(Some(then))?;
        self.apply(then)?;
        if whole && let Some(before) = before {
            let _ = fs::remove_file(before);
        }
        tell("layers", layer as u32, (expanded, expanded));
        Ok(())
    }

    /// The layer of the next seed.
    fn next_seed(&self, mark: Mark) -> Result<Option<u64>, DatabaseError> {
        Ok(ListReader::resume(&self.path("seeds"), mark, 64)?.next()?.map(|seed| seed >> LAYER))
    }

    /// Goes through the table once along sorted updates and the seeds of the layer, and writes what changes into the journal. Returns where the
    /// seeds of the next layer begin.
    fn update(&self, mut updates: Merge) -> Result<Mark, DatabaseError> {
        let layer = self.state.layer;
        let mut table = Table::open(&self.path("table"))?;
        let mut journal = ListWriter::create(&self.path("journal"), PAGE)?;
        let mut seeds = ListReader::resume(&self.path("seeds"), self.state.seeds, PAGE)?;
        let mut mark = seeds.mark();
        let mut seed = if self.state.seeded { None } else { seeds.next()?.filter(|seed| seed >> LAYER == layer) };
        let mut update = updates.next()?;
        let said = |number: u64| number & ((1 << LAYER) - 1);
        loop {
            let next = match (seed.map(said), update) {
                (None, None) => break,
                (Some(a), Some(b)) => a.min(b) >> 2,
                (Some(only), None) | (None, Some(only)) => only >> 2,
            };
            let (mut win, mut less, mut decided) = (false, 0u32, false);
            let mut hear = |number: u64| match number & 3 {
                WIN => win = true,
                ONE_LESS => less += 1,
                _ => decided = true,
            };
            while let Some(number) = seed.map(said).filter(|number| number >> 2 == next) {
                hear(number);
                mark = seeds.mark();
                seed = seeds.next()?.filter(|seed| seed >> LAYER == layer);
            }
            while let Some(number) = update.filter(|number| number >> 2 == next) {
                hear(number);
                update = updates.next()?;
            }
            let record = table.get(next)?;
            if decided {
                journal.push(next << 16 | u64::from(record.0))?;
            } else if record.value() == Wdl::Unknown {
                if record == Record::HOLE || !win && less > record.number() {
                    let place = self.place(next);
                    let slice = self.work.game.slice_name(place.slice);
                    return Err(DatabaseError::NotSupported(format!(
                        "the predecessors of this game do not fit its moves: position {} of slice {slice}",
                        place.rank
                    )));
                }
                let record = match (win, record.number() - less.min(record.number())) {
                    (true, _) => Record::decided(Wdl::Win, layer as u32),
                    (false, 0) => Record::decided(Wdl::Loss, layer as u32),
                    (false, left) => Record::open(left),
                };
                if self.work.metric != Metric::None && layer > u64::from(GREATEST) {
                    return Err(DatabaseError::NotSupported(format!("a distance is longer than {GREATEST} plies")));
                }
                journal.push(next << 16 | u64::from(record.0))?;
            }
        }
        journal.finish()?;
        Ok(mark)
    }

    /// Whether the journal decides nothing.
    fn journal_is_quiet(&self) -> Result<bool, DatabaseError> {
        let mut journal = ListReader::resume(&self.path("journal"), Mark::default(), PAGE)?;
        while let Some(entry) = journal.next()? {
            if Record(entry as u16).value() != Wdl::Unknown {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Puts the journal into the table and what it decides into the list of the layer. Doing it again changes nothing.
    fn apply(&mut self, mut then: State) -> Result<(), DatabaseError> {
        let mut journal = ListReader::resume(&self.path("journal"), Mark::default(), PAGE)?;
        let mut table = Table::open(&self.path("table"))?;
        let mut decided = ListWriter::resume(&self.list_of(self.state.layer), self.state.decided, PAGE)?;
        while let Some(entry) = journal.next()? {
            let (index, record) = (entry >> 16, Record(entry as u16));
            table.set(index, record)?;
            match record.value() {
                Wdl::Win => decided.push(index << 1 | 1)?,
                Wdl::Loss => decided.push(index << 1)?,
                Wdl::Draw | Wdl::Unknown => (),
            }
        }
        table.finish()?;
        let end = decided.finish()?;
        then.decided = if then.layer == self.state.layer { end } else { Mark::default() };
        self.state = then;
        self.save(None)
    }
}
