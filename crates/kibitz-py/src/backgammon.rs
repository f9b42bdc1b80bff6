//! Backgammon beyond its rules: identifiers of GNU Backgammon, and the training of its networks.

use kibitz_game::{Configure, Game, Params, Value};
use kibitz_games::Backgammon;
use kibitz_games::backgammon::training::{Opponent, Schedule, Training, trial};
use kibitz_games::backgammon::{cubeless_outcome, identifiers};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{bad_parameter, bad_position};
use crate::interrupt::{self, Fault};

/// The rules under which every position can be read: with a cube and beavers.
fn widest(py: Python<'_>) -> PyResult<Backgammon> {
    let given = [("cube".to_owned(), Value::Integer(64)), ("beavers".to_owned(), Value::Flag(true))];
    Params::complete(&Backgammon::parameters(), given)
        .and_then(|params| Backgammon::configure(&params))
        .map_err(|bad| bad_parameter(py, bad.0))
}

/// The identifiers of GNU Backgammon for the text of a position.
#[pyfunction]
pub fn backgammon_ids(py: Python<'_>, text: &str, jacoby: bool) -> PyResult<String> {
    let position = widest(py)?.read(text).map_err(|bad| bad_position(py, bad.0))?;
    Ok(identifiers(&position, jacoby))
}

/// The probabilities that the player about to throw wins, wins a gammon, wins a backgammon, loses a gammon and loses a
/// backgammon, by the networks and databases.
#[pyfunction]
pub fn backgammon_probabilities(py: Python<'_>, text: &str) -> PyResult<[f32; 5]> {
    let position = widest(py)?.read(text).map_err(|bad| bad_position(py, bad.0))?;
    cubeless_outcome(&position).ok_or_else(|| bad_position(py, "the game is over, or has not begun"))
}

/// A training on its way; `kibitz.backgammon` has what people use.
#[pyclass(module = "kibitz._core")]
pub struct BackgammonTraining(Training);

#[pymethods]
impl BackgammonTraining {
    /// A training that begins, or one that was saved.
    #[new]
    #[pyo3(signature = (seed, saved=None))]
    fn new(py: Python<'_>, seed: u64, saved: Option<&[u8]>) -> PyResult<Self> {
        match saved {
            None => Ok(Self(Training::new(seed))),
            Some(bytes) => Training::load(bytes).map(Self).map_err(|bad| bad_parameter(py, bad.0)),
        }
    }

    /// Games played so far.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games()
    }

    /// Plays up to `games` games, of `total` in all.
    fn run(&mut self, py: Python<'_>, games: u64, total: u64, rate: f32, lambda_: f32, threads: usize) -> PyResult<()> {
        let usable = |value: f32, most: f32| (0.0..=most).contains(&value);
        if !usable(rate, 1.0) || !usable(lambda_, 1.0) || threads == 0 {
            return Err(bad_parameter(py, "the rate and λ lie between 0 and 1, and there is at least one thread"));
        }
        let schedule = Schedule { games: total, rate, lambda: lambda_ };
        let until = self.0.games().saturating_add(games);
        let fault = Fault::default();
        interrupt::run(py, &fault, threads, |stop| {
            self.0.run(&schedule, threads, |training| training.games() < until && !stop.ask());
        })
    }

    /// The weights as the game takes them.
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.weights())
    }

    /// Everything that is needed to go on.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.save())
    }
}

/// The points a game that weights win against an opponent, and the standard error.
#[pyfunction]
pub fn backgammon_trial(
    py: Python<'_>,
    weights: &[u8],
    opponent: &str,
    pairs: u64,
    seed: u64,
    threads: usize,
) -> PyResult<(f64, f64)> {
    let opponent = match opponent {
        "pips" => Opponent::Pips,
        "linear" => Opponent::Linear,
        "network" => Opponent::Network,
        other => return Err(bad_parameter(py, format!("the opponent is pips, linear or network, not {other:?}"))),
    };
    let fault = Fault::default();
    let strength = interrupt::run(py, &fault, threads, |stop| trial(weights, opponent, pairs, seed, threads, stop))?;
    let strength = strength.map_err(|bad| bad_parameter(py, bad.0))?;
    Ok((strength.points, strength.error))
}
