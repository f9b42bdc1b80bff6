//! The Python class `Database`, and building one.

// what Python passes to a function is made for it and owned by it
#![allow(clippy::needless_pass_by_value)]

use std::ops::ControlFlow::{Break, Continue};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kibitz_game::{Place, Probe, Slice, Stop, Wdl, splitmix64};
use kibitz_solve::database::disk::{self, Updates};
use kibitz_solve::database::format::{Metric, SliceHeader};
use kibitz_solve::database::{Build, BuildProgress, Built, Database as Inner, DatabaseError, Residence};
use kibitz_solve::retrograde::Family;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::bridge::{AnyPosition, Bridge, Held, Rules};
use crate::errors::{bad_parameter, error, not_supported};
use crate::interrupt::{self, Fault};
use crate::position::{Position, Rules as PyRules};

/// How often whoever waits is told.
const PERIOD: Duration = Duration::from_millis(100);

/// What games with a type do with databases; the classes of Python hold games without one.
pub trait AnyTables {
    /// Whether the game numbers its positions.
    fn ranked(&self) -> bool;
    /// Builds a database.
    fn build(
        &self,
        build: &Build,
        path: &Path,
        tell: &mut (dyn FnMut(&BuildProgress<'_>) + Send),
        stop: &Stop,
    ) -> Result<Built, DatabaseError>;
    /// Whether a database is one of this game.
    fn fits(&self, database: &Inner, name: &str) -> Result<(), DatabaseError>;
    /// Checks every value of a database.
    fn verify(
        &self,
        database: &Inner,
        stop: &Stop,
        tell: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<u64, DatabaseError>;
    /// Positions of a slice that have a value and, if one is given, a distance, from a rank on.
    fn page(&self, database: &Inner, wanted: &Wanted) -> Result<Page, DatabaseError>;
}

/// Positions with their ranks.
type Page = Vec<(u64, Box<dyn AnyPosition>)>;

/// What somebody who browses wants to see.
pub struct Wanted {
    slice: Slice,
    value: Option<Wdl>,
    distance: Option<u32>,
    first: u64,
    count: usize,
}

impl<G: Bridge> AnyTables for Rules<G> {
    fn ranked(&self) -> bool {
        G::RANKED
    }

    fn build(
        &self,
        build: &Build,
        path: &Path,
        tell: &mut (dyn FnMut(&BuildProgress<'_>) + Send),
        stop: &Stop,
    ) -> Result<Built, DatabaseError> {
        // compiled for games that number their positions alone
        if !G::RANKED {
            return Err(unranked());
        }
        build.run(&*self.0, path, tell, stop)
    }

    fn fits(&self, database: &Inner, name: &str) -> Result<(), DatabaseError> {
        if !G::RANKED {
            return Err(unranked());
        }
        database.fits(&*self.0, name)
    }

    fn verify(
        &self,
        database: &Inner,
        stop: &Stop,
        tell: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<u64, DatabaseError> {
        if !G::RANKED {
            return Err(unranked());
        }
        database.verify(&*self.0, stop, tell)
    }

    fn page(&self, database: &Inner, wanted: &Wanted) -> Result<Page, DatabaseError> {
        let mut found = Vec::new();
        let Some(size) = database.slice(wanted.slice).map(|slice| slice.size).filter(|_| G::RANKED) else {
            return Ok(found);
        };
        let mut problem = Ok(());
        let _ = self.0.scan(wanted.slice, wanted.first.min(size)..size, |rank, position| {
            if found.len() == wanted.count {
                return Break(());
            }
            let place = Place { slice: wanted.slice, rank };
            let fits = || -> Result<bool, DatabaseError> {
                let value = database.lookup(place)?;
                Ok(wanted.value.is_none_or(|wanted| wanted == value)
                    && (wanted.distance.is_none() || database.distance(place)? == wanted.distance))
            };
            match fits() {
                Ok(true) => found.push((rank, Held::boxed(&self.0, position.clone()))),
                Ok(false) => (),
                Err(error) => {
                    problem = Err(error);
                    return Break(());
                }
            }
            Continue(())
        });
        problem.map(|()| found)
    }
}

fn unranked() -> DatabaseError {
    DatabaseError::NotSupported("this game does not number its positions, so that there is no database of them".into())
}

/// The exception of an error.
pub fn raised(py: Python<'_>, problem: DatabaseError) -> PyErr {
    match problem {
        DatabaseError::Io(path, problem) => match problem.raw_os_error() {
            Some(number) => PyOSError::new_err((number, words(&problem), path)),
            None => PyOSError::new_err(format!("{}: {problem}", path.display())),
        },
        DatabaseError::Corrupt(..) | DatabaseError::OtherGame(..) => error(py, "CorruptDatabase", problem.to_string()),
        DatabaseError::NotSupported(what) => not_supported(py, what),
        DatabaseError::Stopped => PyKeyboardInterrupt::new_err(()),
    }
}

/// What the system says, without the number that Rust adds.
fn words(problem: &std::io::Error) -> String {
    let text = problem.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// Tells Python now and then; an exception there ends the work.
struct Telling {
    callback: Option<Py<PyAny>>,
    fault: Fault,
    last: Mutex<Option<Instant>>,
}

impl Telling {
    fn tell(&self, describe: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>) {
        let Some(callback) = &self.callback else { return };
        {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.is_some_and(|last| last.elapsed() < PERIOD) {
                return;
            }
            *last = Some(Instant::now());
        }
        let told = Python::attach(|py| callback.call1(py, (describe(py)?,)).map(|_| ()));
        if let Err(problem) = told {
            self.fault.set(problem);
        }
    }
}

/// Runs work on as many threads as it likes, while this one looks at signals.
fn work<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Stop, &Telling) -> Result<T, DatabaseError> + Send,
) -> PyResult<T> {
    let fault = Fault::default();
    let telling = Telling { callback: progress, fault: fault.clone(), last: Mutex::new(None) };
    let done = interrupt::run(py, &fault, 2, |stop| work(stop, &telling))?;
    done.map_err(|problem| raised(py, problem))
}

const METRICS: [Metric; 3] = [Metric::None, Metric::Win, Metric::Conversion];

/// Builds a database, or what is missing of it; `kibitz.database` is its front.
#[pyfunction]
#[pyo3(signature = (rules, name, path, *, pieces, metric, memory, threads, algorithm, progress=None))]
pub fn build_database<'py>(
    py: Python<'py>,
    rules: &PyRules,
    name: String,
    path: PathBuf,
    pieces: Option<u32>,
    metric: &str,
    memory: u64,
    threads: usize,
    algorithm: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let metric = METRICS.into_iter().find(|known| known.name() == metric);
    let metric = metric.ok_or_else(|| bad_parameter(py, "distances are none, win or conversion"))?;
    let family: Family = algorithm.parse().map_err(|problem: String| bad_parameter(py, problem))?;
    let parameters = rules.parameters();
    let build = Build { game: name, parameters, pieces, metric, memory, threads, family };
    let tables = rules.inner();
    let built = work(py, progress, |stop, telling| {
        let mut tell = |now: &BuildProgress<'_>| {
            telling.tell(|py| {
                let dict = PyDict::new(py);
                dict.set_item("group", now.group.0)?;
                dict.set_item("groups", now.group.1)?;
                dict.set_item("slices", now.slices)?;
                dict.set_item("phase", now.phase)?;
                dict.set_item("number", now.pass)?;
                dict.set_item("done", now.done.0)?;
                dict.set_item("total", now.done.1)?;
                dict.set_item("size", now.size)?;
                dict.set_item("finished", now.ranks.0)?;
                dict.set_item("positions", now.ranks.1)?;
                Ok(dict.into_any().unbind())
            });
        };
        tables.build(&build, &path, &mut tell, stop)
    })?;
    let dict = PyDict::new(py);
    dict.set_item("groups", built.groups)?;
    dict.set_item("kept", built.kept)?;
    dict.set_item("external", built.external)?;
    Ok(dict)
}

/// Updates of a file in random or in sorted order: seconds for sorting, seconds for updating, blocks.
#[pyfunction]
#[pyo3(signature = (path, *, records, block, updates, sorted, direct, seed))]
pub fn disk_updates(
    py: Python<'_>,
    path: PathBuf,
    records: u64,
    block: usize,
    updates: u64,
    sorted: bool,
    direct: bool,
    seed: u64,
) -> PyResult<(f64, f64, u64)> {
    let trial = Updates { records, block, updates, sorted, direct, seed };
    let cost = work(py, None, |stop, _| trial.run(&path, stop))?;
    Ok((cost.sorting.as_secs_f64(), cost.updating.as_secs_f64(), cost.blocks))
}

/// An external sort of random numbers: seconds for all of it, and for the merge.
#[pyfunction]
#[pyo3(signature = (directory, *, count, capacity, seed))]
pub fn disk_sort(py: Python<'_>, directory: PathBuf, count: u64, capacity: usize, seed: u64) -> PyResult<(f64, f64)> {
    let (whole, merge) = work(py, None, |stop, _| disk::sort(&directory, count, capacity, seed, stop))?;
    Ok((whole.as_secs_f64(), merge.as_secs_f64()))
}

/// An open endgame database; `kibitz.database` has the class that people use.
#[pyclass(frozen, module = "kibitz._core")]
pub struct Database(pub Arc<Inner>);

fn describe<'py>(py: Python<'py>, slice: &SliceHeader) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("number", slice.number)?;
    dict.set_item("name", &slice.name)?;
    dict.set_item("size", slice.size)?;
    for value in [Wdl::Win, Wdl::Draw, Wdl::Loss] {
        dict.set_item(value.name(), slice.counts[usize::from(value.bits())])?;
        dict.set_item(format!("{}_positions", value.name()), slice.positions[usize::from(value.bits())])?;
    }
    dict.set_item("longest", slice.longest)?;
    Ok(dict)
}

#[pymethods]
impl Database {
    /// Opens a file; `cache` is the memory for what is unpacked in bytes, `None` for everything at once.
    #[new]
    #[pyo3(signature = (path, cache))]
    fn open(py: Python<'_>, path: PathBuf, cache: Option<usize>) -> PyResult<Self> {
        let residence = cache.map_or(Residence::All, Residence::Cache);
        let opened = py.detach(|| Inner::open(&path, residence));
        opened.map(|inner| Self(Arc::new(inner))).map_err(|problem| raised(py, problem))
    }

    /// What the file says of itself.
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let header = self.0.header().ok_or_else(|| not_supported(py, "the database has no file"))?;
        dict.set_item("game", &header.game)?;
        dict.set_item("parameters", header.parameters.clone())?;
        dict.set_item("pieces", header.pieces)?;
        dict.set_item("metric", header.metric.name())?;
        dict.set_item("bytes", self.0.bytes())?;
        dict.set_item("unpacked", self.0.unpacked_bytes())?;
        let slices = PyList::empty(py);
        for slice in self.0.slices() {
            slices.append(describe(py, slice)?)?;
        }
        dict.set_item("slices", slices)?;
        Ok(dict)
    }

    /// Raises unless the database is one of this game with these rules.
    fn check(&self, py: Python<'_>, rules: &PyRules, name: &str) -> PyResult<()> {
        rules.inner().fits(&self.0, name).map_err(|problem| raised(py, problem))
    }

    /// The value and the distance of a position; `None` where it is not known.
    fn probe(&self, py: Python<'_>, position: &Position) -> PyResult<Option<(&'static str, Option<u32>)>> {
        let Some((slice, rank)) = position.place_of() else { return Ok(None) };
        let place = Place { slice: Slice(slice), rank };
        let found = self.0.lookup(place).and_then(|value| Ok((value, self.0.distance(place)?)));
        match found {
            Ok((Wdl::Unknown, _)) => Ok(None),
            Ok((value, distance)) => Ok(Some((value.name(), distance))),
            Err(problem) => Err(raised(py, problem)),
        }
    }

    /// What was found to be damaged while a search asked.
    #[getter]
    fn damage(&self) -> Option<&str> {
        self.0.damage()
    }

    /// Checks everything and returns the number of positions.
    #[pyo3(signature = (rules, *, threads, progress=None))]
    fn verify(&self, py: Python<'_>, rules: &PyRules, threads: usize, progress: Option<Py<PyAny>>) -> PyResult<u64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|problem| not_supported(py, format!("no threads: {problem}")))?;
        let tables = rules.inner();
        work(py, progress, |stop, telling| {
            let mut tell = |done: u64, all: u64| {
                telling.tell(|py| {
                    let dict = PyDict::new(py);
                    dict.set_item("done", done)?;
                    dict.set_item("total", all)?;
                    Ok(dict.into_any().unbind())
                });
            };
            pool.install(|| tables.verify(&self.0, stop, &mut tell))
        })
    }

    /// Positions of a slice with their ranks, from a rank on.
    #[pyo3(signature = (rules, game, slice, *, value, distance, first, count))]
    fn page(
        &self,
        py: Python<'_>,
        rules: &PyRules,
        game: Py<PyAny>,
        slice: u32,
        value: Option<&str>,
        distance: Option<u32>,
        first: u64,
        count: usize,
    ) -> PyResult<Vec<(u64, Position)>> {
        let value = match value {
            None => None,
            Some(name) => Some(
                Wdl::ALL
                    .into_iter()
                    .find(|value| value.name() == name && *value != Wdl::Unknown)
                    .ok_or_else(|| bad_parameter(py, format!("value={name:?} is not one of win, draw, loss")))?,
            ),
        };
        let wanted = Wanted { slice: Slice(slice), value, distance, first, count };
        let tables = rules.inner();
        let found = py.detach(|| tables.page(&self.0, &wanted)).map_err(|problem| raised(py, problem))?;
        Ok(found.into_iter().map(|(rank, position)| (rank, Position::new(position, game.clone_ref(py)))).collect())
    }

    /// Asks for so many random places, and says how many of them are won: a measure of speed.
    #[pyo3(signature = (count, seed))]
    fn ask_at_random(&self, py: Python<'_>, count: u64, seed: u64) -> u64 {
        py.detach(|| ask_at_random(&self.0, count, seed))
    }
}

/// How many parts the list has from which a slice is drawn.
const PARTS: usize = 1 << 12;

/// Asks for random places, each slice about as often as its size demands. Drawing one costs next to nothing.
fn ask_at_random(database: &Inner, count: u64, seed: u64) -> u64 {
    let slices: Vec<(Slice, u64)> = database.slices().map(|slice| (Slice(slice.number), slice.size)).collect();
    let all: f64 = slices.iter().map(|slice| slice.1 as f64).sum();
    let mut drawn = Vec::with_capacity(PARTS);
    let mut below = 0.0;
    for &(slice, size) in &slices {
        below += size as f64 / all * PARTS as f64;
        while (drawn.len() as f64) < below && drawn.len() < PARTS {
            drawn.push((slice, size));
        }
    }
    let Some(&last) = drawn.last() else { return 0 };
    drawn.resize(PARTS, last);
    let (mut state, mut wins) = (seed, 0);
    for _ in 0..count {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = splitmix64(state);
        let (slice, size) = drawn[number as usize % PARTS];
        let rank = ((u128::from(number) * u128::from(size)) >> 64) as u64;
        wins += u64::from(database.value(Place { slice, rank }) == Some(Wdl::Win));
    }
    wins
}
