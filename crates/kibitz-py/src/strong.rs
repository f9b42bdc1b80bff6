//! Strong solutions of small games: the value of every position.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kibitz_game::{Stop, Turn, Wdl};
use kibitz_solve::retrograde::{
    Counts, Family, Metric, NEVER, Options, Progress, Reachable, Tables, Unsolved, require_graph, solve_all,
    solve_reachable,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bridge::{AnyPosition, Bridge, Held};
use crate::errors::{bad_parameter, not_supported};
use crate::interrupt;
use crate::searching::one_thread;

/// What is asked for.
pub struct Question {
    pub options: Options,
    /// Only the positions that can be reached from the start.
    pub reachable: bool,
    /// At most so many pieces.
    pub pieces: Option<u32>,
    /// Told of the progress.
    pub progress: Option<Py<PyAny>>,
}

impl Question {
    pub fn new(
        py: Python<'_>,
        algorithm: &str,
        distances: Option<&str>,
        threads: usize,
        memory: u64,
        reachable: bool,
        pieces: Option<u32>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let family: Family = algorithm.parse().map_err(|reason: String| bad_parameter(py, reason))?;
        let metric = match distances {
            None => None,
            Some("win") => Some(Metric::Win),
            Some("conversion") => Some(Metric::Conversion),
            Some(other) => {
                return Err(bad_parameter(
                    py,
                    format!("distances are to the \"win\" or \"conversion\", not {other:?}"),
                ));
            }
        };
        Ok(Self { options: Options { family, metric, threads, bytes: memory }, reachable, pieces, progress })
    }
}

/// A move with its value for the player who makes it, and the distance.
type Valued<V> = (Py<PyAny>, V, Option<u16>);

/// A strong solution without the type of its game.
trait AnyStrong: Send + Sync {
    fn look(&self, position: &dyn AnyPosition) -> PyResult<Option<(Wdl, Option<u16>)>>;
    fn moves(&self, py: Python<'_>, position: &dyn AnyPosition) -> PyResult<Vec<Valued<Wdl>>>;
    fn counts(&self) -> Vec<(String, Counts)>;
}

enum Known {
    Tables(Tables),
    Reachable(Reachable),
}

struct Solved<G: Bridge> {
    game: Arc<G>,
    known: Known,
    distances: bool,
}

impl<G: Bridge> Solved<G> {
    fn of(position: &dyn AnyPosition) -> PyResult<&Held<G>> {
        position
            .as_any()
            .downcast_ref::<Held<G>>()
            .ok_or_else(|| Python::attach(|py| bad_parameter(py, "the position is of another game than the solution")))
    }

    /// The value for the player to move. The game is not over.
    fn known(&self, game: &G, position: &G::Position) -> Option<(Wdl, Option<u16>)> {
        let (value, distance) = match &self.known {
            Known::Reachable(reachable) => reachable.look(game, position)?,
            Known::Tables(tables) => {
                let place = game.place(position)?;
                let table = tables.get(place.slice)?;
                let distance = table.distances.as_ref().map_or(NEVER, |distances| distances.get(place.rank));
                (table.values.get(place.rank), distance)
            }
        };
        let distance = (self.distances && value != Wdl::Draw && distance != NEVER).then_some(distance);
        (value != Wdl::Unknown).then_some((value, distance))
    }
}

impl<G: Bridge> AnyStrong for Solved<G> {
    fn look(&self, position: &dyn AnyPosition) -> PyResult<Option<(Wdl, Option<u16>)>> {
        let game = self.game.session();
        let held = Self::of(position)?;
        let over = game.turn(held.inner()) == Turn::Over;
        let known = if over { None } else { self.known(&game, held.inner()) };
        game.fault().raise()?;
        Ok(known)
    }

    fn moves(&self, py: Python<'_>, position: &dyn AnyPosition) -> PyResult<Vec<Valued<Wdl>>> {
        let game = self.game.session();
        let position = Self::of(position)?.inner();
        let Turn::Player(mover) = game.turn(position) else { return Ok(Vec::new()) };
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut out = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut child = position.clone();
            game.play(&mut child, mv);
            let (value, distance) = match game.turn(&child) {
                Turn::Over => {
                    let value = Wdl::of_score(game.score(&child, usize::from(mover)));
                    (value, (self.distances && value != Wdl::Draw).then_some(1))
                }
                turn => {
                    let (value, distance) = self.known(&game, &child).unwrap_or((Wdl::Unknown, None));
                    let value = if turn == Turn::Player(mover) { value } else { value.reversed() };
                    (value, distance.map(|distance| distance.saturating_add(1)))
                }
            };
            game.fault().raise()?;
            out.push((game.move_object(py, position, mv)?, value, distance));
        }
        game.fault().raise()?;
        Ok(out)
    }

    fn counts(&self) -> Vec<(String, Counts)> {
        match &self.known {
            Known::Tables(tables) => {
                tables.iter().map(|table| (self.game.slice_name(table.slice), table.counts.clone())).collect()
            }
            Known::Reachable(reachable) => vec![("reachable".to_owned(), reachable.counts.clone())],
        }
    }
}

/// The value of every position of a small game; `kibitz.retrograde` has the class that people use.
#[pyclass(frozen, module = "kibitz._core")]
pub struct Strong {
    solved: Option<Box<dyn AnyStrong>>,
    /// Why it is not solved.
    #[pyo3(get)]
    reason: Option<String>,
    /// The seconds that it took.
    #[pyo3(get)]
    seconds: f64,
}

#[pymethods]
impl Strong {
    /// The value of a position for the player to move, and the distance; `None` if it is not known.
    fn look(&self, position: &crate::position::Position) -> PyResult<Option<(&'static str, Option<u16>)>> {
        let Some(solved) = &self.solved else { return Ok(None) };
        Ok(solved.look(position.inner())?.map(|(value, distance)| (value.name(), distance)))
    }

    /// The moves of a position, each with its value for the player to move and the distance.
    fn moves(&self, py: Python<'_>, position: &crate::position::Position) -> PyResult<Vec<Valued<&'static str>>> {
        let Some(solved) = &self.solved else { return Ok(Vec::new()) };
        let moves = solved.moves(py, position.inner())?;
        Ok(moves.into_iter().map(|(mv, value, distance)| (mv, value.name(), distance)).collect())
    }

    /// For each slice its name, and win, draw and loss up to symmetry, of all positions, and wins and losses by distance.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let slices = self.solved.as_ref().map_or_else(Vec::new, |solved| solved.counts());
        let dict_of = |(name, counts): (String, Counts)| {
            let dict = PyDict::new(py);
            let by_value = |[_, loss, draw, win]: [u64; 4]| (win, draw, loss);
            dict.set_item("slice", name)?;
            dict.set_item("classes", by_value(counts.classes))?;
            dict.set_item("positions", by_value(counts.positions))?;
            dict.set_item("wins", counts.wins)?;
            dict.set_item("losses", counts.losses)?;
            Ok(dict)
        };
        slices.into_iter().map(dict_of).collect()
    }
}

/// Solves a game strongly.
pub fn solve<G: Bridge>(py: Python<'_>, game: &Arc<G>, question: Question) -> PyResult<Strong> {
    if G::ALWAYS_CHANCE {
        return Err(not_supported(py, "retrograde analysis needs games without chance: use Uct"));
    }
    let Question { options, reachable, pieces, progress } = question;
    let session = game.session();
    let fault = session.fault();
    let told = {
        let fault = fault.clone();
        let mut last: Option<Instant> = None;
        move |step: &Progress<'_>| {
            let Some(callback) = &progress else { return };
            if last.is_some_and(|last| last.elapsed() < Duration::from_millis(50)) {
                return;
            }
            last = Some(Instant::now());
            let call = Python::attach(|py| {
                let (slices, phase) = (step.slices, step.phase);
                callback.call1(py, (slices, phase, step.pass, step.done, step.total, step.ranks))
            });
            if let Err(error) = call {
                fault.set(error);
            }
        }
    };
    let begin = Instant::now();
    let work = |stop: &Stop| -> Result<Known, Unsolved> {
        let mut told = told;
        require_graph(&*session)?;
        if G::RANKED && !reachable {
            solve_all(&*session, pieces, &options, &mut told, stop).map(Known::Tables)
        } else {
            solve_reachable(&*session, options.bytes, &mut told, stop).map(Known::Reachable)
        }
    };
    let found = if G::IN_PYTHON {
        one_thread(py, options.threads)?;
        let watch = fault.clone();
        let found = work(&Stop::polling(1, move || {
            if let Err(error) = interrupt::signals() {
                watch.set(error);
            }
            watch.is_set()
        }));
        fault.raise()?;
        found
    } else {
        interrupt::run(py, &fault, options.threads, work)?
    };
    let seconds = begin.elapsed().as_secs_f64();
    let distances = reachable || !G::RANKED || options.metric.is_some();
    match found {
        Ok(known) => {
            let solved: Box<dyn AnyStrong> = Box::new(Solved { game: game.clone(), known, distances });
            Ok(Strong { solved: Some(solved), reason: None, seconds })
        }
        Err(limit @ Unsolved::Memory { .. }) => Ok(Strong { solved: None, reason: Some(limit.to_string()), seconds }),
        Err(error) => Err(not_supported(py, error.to_string())),
    }
}
