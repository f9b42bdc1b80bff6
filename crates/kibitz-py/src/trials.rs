//! The Python class `Trials`: the control of selective simulations, for outcomes that Python makes.

use kibitz_search::{Control, Scheduler, Trials as Inner};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::bad_parameter;

/// The schedulers by name.
pub const SCHEDULERS: [(&str, Scheduler); 4] = [
    ("expected-loss", Scheduler::ExpectedLoss),
    ("ratio", Scheduler::Ratio),
    ("round-robin", Scheduler::RoundRobin),
    ("ucb1", Scheduler::Ucb1),
];

/// More moves than any position of any game has.
const MOST_MOVES: usize = 1 << 20;

/// Which of several moves to simulate next, and when to stop; `kibitz.Simulation` is the same thing with a game.
#[pyclass(module = "kibitz._core")]
pub struct Trials {
    inner: Inner,
    moves: usize,
    range: Option<(f64, f64)>,
}

impl Trials {
    fn check(&self, py: Python<'_>, mv: i64) -> PyResult<usize> {
        usize::try_from(mv)
            .ok()
            .filter(|&mv| mv < self.moves)
            .ok_or_else(|| bad_parameter(py, format!("no move {mv}: there are {}, counted from 0", self.moves)))
    }
}

#[pymethods]
impl Trials {
    #[new]
    #[pyo3(
        signature = (
            moves, *, seed=0, scheduler="expected-loss", minimum=8, epsilon=0.05, sigmas=Some(6.0), tolerance=None,
            budget=None, range=None
        ),
        text_signature = "(moves, *, seed=0, scheduler='expected-loss', minimum=8, epsilon=0.05, sigmas=6.0, \
            tolerance=None, budget=None, range=None)"
    )]
    fn new(
        py: Python<'_>,
        moves: i64,
        seed: u64,
        scheduler: &str,
        minimum: i64,
        epsilon: f64,
        sigmas: Option<f64>,
        tolerance: Option<f64>,
        budget: Option<u64>,
        range: Option<(f64, f64)>,
    ) -> PyResult<Self> {
        let refuse = |message: String| Err(bad_parameter(py, message));
        let count = usize::try_from(moves).ok().filter(|count| (1..=MOST_MOVES).contains(count));
        let Some(count) = count else {
            return refuse(format!("moves={moves} is out of range: 1 to {MOST_MOVES}"));
        };
        let Some(&(_, scheduler)) = SCHEDULERS.iter().find(|(name, _)| *name == scheduler) else {
            return refuse(format!("scheduler={scheduler:?} is not one of expected-loss, ratio, round-robin, ucb1"));
        };
        if !(2..=1 << 32).contains(&minimum) {
            return refuse(format!(
                "minimum={minimum} is out of range: 2 to {}; a deviation needs two trials",
                1u64 << 32
            ));
        }
        if !(0.0..=1.0).contains(&epsilon) {
            return refuse(format!("epsilon={epsilon} is not a probability"));
        }
        for (name, value) in [("sigmas", sigmas), ("tolerance", tolerance)] {
            if let Some(value) = value.filter(|value| !(value.is_finite() && *value >= 0.0)) {
                return refuse(format!("{name}={value} must be a finite number, zero or more, or None"));
            }
        }
        if let Some((low, high)) = range.filter(|(low, high)| !(low.is_finite() && high.is_finite() && low < high)) {
            return refuse(format!("range=({low}, {high}) must be two finite numbers, the lower one first"));
        }
        if budget.is_some() && range.is_none() {
            return refuse("the search bound needs the range of outcomes: give range=(low, high)".to_owned());
        }
        let control = Control {
            scheduler,
            minimum: minimum as usize,
            epsilon,
            sigmas,
            tolerance,
            budget,
            range,
            seed,
            ..Control::new(count)
        };
        Ok(Self { inner: Inner::new(count, control), moves: count, range })
    }

    /// The moves to simulate now: one, or the leader with those that differ from it in nothing; empty when a rule says stop.
    fn next(&mut self) -> Vec<usize> {
        let mut moves = Vec::new();
        self.inner.next(&mut moves);
        moves
    }

    /// The number of the next continuation of a move, from 0: how many trials it has had.
    fn index(&self, py: Python<'_>, r#move: i64) -> PyResult<usize> {
        Ok(self.inner.trials(self.check(py, r#move)?))
    }

    /// Adds the outcome of the next continuation of a move.
    fn add(&mut self, py: Python<'_>, r#move: i64, value: f64) -> PyResult<()> {
        let mv = self.check(py, r#move)?;
        if !value.is_finite() {
            return Err(bad_parameter(py, format!("value={value} is not a finite number")));
        }
        if let Some((low, high)) = self.range.filter(|(low, high)| value < *low || value > *high) {
            return Err(bad_parameter(py, format!("value={value} is out of range: {low} to {high}")));
        }
        self.inner.add(mv, value);
        Ok(())
    }

    /// The move with the best mean.
    #[getter]
    fn leader(&self) -> usize {
        self.inner.leader()
    }

    /// The trials of all moves together.
    #[getter]
    fn total(&self) -> u64 {
        self.inner.total()
    }

    /// What is expected to be lost by stopping now: the sum of the errors of all moves.
    #[getter]
    fn error(&self) -> f64 {
        self.inner.error()
    }

    /// The rule that has ended the simulation: `"obvious"`, `"difference"`, `"bound"`, or `None`.
    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.inner.stopped().map(kibitz_search::Rule::name)
    }

    /// For each move `trials`, `mean`, the mean `difference` of the leader to it over the continuations that both have seen
    /// (`common` of them), the standard deviation `sigma` of that mean, `error`, and whether it is `pruned` or `co_leads`.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let entry = |mv: usize| {
            let difference = self.inner.difference(mv);
            let dict = PyDict::new(py);
            dict.set_item("trials", self.inner.trials(mv))?;
            dict.set_item("mean", self.inner.mean(mv))?;
            dict.set_item("common", difference.count)?;
            dict.set_item("difference", difference.mean)?;
            dict.set_item("sigma", difference.sigma())?;
            dict.set_item("error", difference.error())?;
            dict.set_item("pruned", self.inner.pruned(mv))?;
            dict.set_item("co_leads", self.inner.co_leads(mv))?;
            Ok(dict)
        };
        (0..self.moves).map(entry).collect()
    }
}
