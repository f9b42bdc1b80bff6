//! Search methods from the keyword arguments of their Python classes.

mod chance;
mod many;
mod minimax;
mod monte_carlo;
mod single;

use kibitz_game::{Limits, MAX_DEPTH, Oracle};
use kibitz_search::{AlphaBeta, BStar, Decision, IsMcts, Minimax, Scheduler, Simulation, Strategy, Ubfm, Uct, Uniform};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::database::Database;
use crate::errors::bad_parameter;
use crate::trials::SCHEDULERS;
pub use chance::OfChance;
pub use many::OfMany;
pub use single::Single;

/// A method with its parameters.
pub enum Method {
    Uniform(Uniform),
    Simulation(Simulation),
    WithoutChance(Box<WithoutChance>),
    OfChance(Box<OfChance>),
    OfMany(OfMany),
    Single(Box<Single>),
    Uct(Box<Uct>),
    IsMcts(IsMcts),
}

/// A search of games without chance.
pub enum WithoutChance {
    Minimax(Minimax),
    AlphaBeta(Box<AlphaBeta>),
    BStar(BStar),
    Ubfm(Ubfm),
}

impl WithoutChance {
    /// The name of its Python class.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Minimax(_) => "Minimax",
            Self::AlphaBeta(method) => method.name,
            Self::BStar(_) => "BStar",
            Self::Ubfm(_) => "Ubfm",
        }
    }

    /// The greatest ply that a recursion can reach.
    fn deepest(&self, limits: &Limits) -> u32 {
        match self {
            Self::Minimax(_) => limits.depth.unwrap_or(MAX_DEPTH),
            Self::AlphaBeta(method) => method.deepest(limits),
            Self::BStar(_) | Self::Ubfm(_) => 0,
        }
    }

    fn threads(&self) -> usize {
        match self {
            Self::Minimax(method) => method.threads,
            Self::AlphaBeta(method) => method.threads,
            Self::BStar(_) | Self::Ubfm(_) => 1,
        }
    }
}

/// The stack that one ply of a recursion takes, and what else may lie on it; both are generous.
const PLY: usize = 3 << 10;
const REST: usize = 128 << 10;

/// The stack that a recursion to a depth may take.
pub fn recursion(depth: u32) -> usize {
    REST + PLY * depth as usize
}

impl Method {
    /// How much stack a search may take.
    pub fn stack(&self, limits: &Limits) -> usize {
        match self {
            Self::WithoutChance(method) => recursion(method.deepest(limits)),
            Self::OfChance(method) => recursion(method.deepest(limits)),
            Self::OfMany(method) => recursion(method.deepest(limits)),
            Self::Uniform(_) | Self::Simulation(_) | Self::Single(_) | Self::Uct(_) | Self::IsMcts(_) => REST,
        }
    }

    /// How many threads it asks for.
    pub fn threads(&self) -> usize {
        match self {
            Self::Uniform(_) | Self::OfChance(_) | Self::OfMany(_) | Self::IsMcts(_) => 1,
            Self::WithoutChance(method) => method.threads(),
            Self::Simulation(method) => method.threads,
            Self::Single(method) => method.threads(),
            Self::Uct(method) => method.threads,
        }
    }
}

/// Reads the options of one method; the Python class has already checked their types.
pub struct Options<'a, 'py>(pub &'a Bound<'py, PyDict>);

impl<'py> Options<'_, 'py> {
    pub fn get<T>(&self, name: &str) -> PyResult<T>
    where
        T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
    {
        let py = self.0.py();
        let value = self.0.get_item(name)?.ok_or_else(|| bad_parameter(py, format!("{name} is missing")))?;
        value.extract().map_err(|_: PyErr| bad_parameter(py, format!("{name}={value} is not allowed here")))
    }

    /// The database of a search, if it has one.
    fn database(&self) -> PyResult<Option<Oracle>> {
        let Some(given) = self.0.get_item("database")?.filter(|given| !given.is_none()) else { return Ok(None) };
        let database =
            given.cast::<Database>().map_err(|_| bad_parameter(self.0.py(), "database is not an open one"))?;
        Ok(Some(Oracle::new(database.get().0.clone())))
    }

    /// Whether an option that may be a word or something else is a word.
    fn is_text(&self, name: &str) -> PyResult<bool> {
        Ok(self.0.get_item(name)?.is_some_and(|value| value.is_instance_of::<PyString>()))
    }

    pub fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> PyResult<T> {
        let word: String = self.get(name)?;
        words.iter().find(|(known, _)| *known == word).map(|&(_, value)| value).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
            bad_parameter(self.0.py(), format!("{name}={word:?} is not one of {}", known.join(", ")))
        })
    }
}

const ALLOCATIONS: [(&str, Scheduler); 2] = [("uniform", Scheduler::RoundRobin), ("ucb1", Scheduler::Ucb1)];

const DECISIONS: [(&str, Decision); 2] = [("safest", Decision::Safest), ("best", Decision::Best)];

const STRATEGIES: [(&str, Strategy); 3] =
    [("depths", Strategy::Depths), ("prove-best", Strategy::ProveBest), ("disprove-rest", Strategy::DisproveRest)];

fn certain(method: WithoutChance) -> Method {
    Method::WithoutChance(Box::new(method))
}

/// The method of that name with these options.
pub fn method(name: &str, options: &Bound<'_, PyDict>) -> PyResult<Method> {
    let get = Options(options);
    if let Some(family) = minimax::family(name, &get)? {
        return Ok(certain(WithoutChance::AlphaBeta(Box::new(family))));
    }
    if let Some(family) = chance::family(name, &get)? {
        return Ok(Method::OfChance(Box::new(family)));
    }
    if let Some(family) = many::family(name, &get)? {
        return Ok(Method::OfMany(family));
    }
    if let Some(family) = monte_carlo::family(name, &get)? {
        return Ok(Method::Uct(Box::new(family)));
    }
    if let Some(family) = single::family(name, &get)? {
        return Ok(Method::Single(Box::new(family)));
    }
    Ok(match name {
        "ismcts" => {
            Method::IsMcts(IsMcts { c: get.get("c")?, memory_mb: get.get("memory_mb")?, seed: get.get("seed")? })
        }
        "random" => Method::Uniform(Uniform { seed: get.get("seed")? }),
        "minimax" => certain(WithoutChance::Minimax(Minimax { seed: get.get("seed")?, threads: get.get("threads")? })),
        "simulation" => Method::Simulation(Simulation {
            candidates: get.get::<Option<usize>>("candidates")?.unwrap_or(0),
            widen_after: get.get("widen_after")?,
            scheduler: get.word("scheduler", &SCHEDULERS)?,
            minimum: get.get("minimum")?,
            epsilon: get.get("epsilon")?,
            c: get.get("c")?,
            sigmas: get.get("sigmas")?,
            tolerance: get.get("tolerance")?,
            bound: get.get("bound")?,
            horizon: get.get("horizon")?,
            compensate: get.get("compensate")?,
            memory_mb: get.get("memory_mb")?,
            seed: get.get("seed")?,
            threads: get.get("threads")?,
        }),
        "flatmontecarlo" => Method::Simulation(Simulation {
            scheduler: get.word("allocation", &ALLOCATIONS)?,
            c: get.get("c")?,
            horizon: get.get("horizon")?,
            memory_mb: get.get("memory_mb")?,
            seed: get.get("seed")?,
            threads: get.get("threads")?,
            ..Simulation::flat()
        }),
        "bstar" => certain(WithoutChance::BStar(BStar {
            strategy: get.word("strategy", &STRATEGIES)?,
            margin: get.get("margin")?,
            memory_mb: get.get("memory_mb")?,
        })),
        "ubfm" => certain(WithoutChance::Ubfm(Ubfm {
            completion: get.get("completion")?,
            decision: get.word("decision", &DECISIONS)?,
            memory_mb: get.get("memory_mb")?,
        })),
        _ => return Err(bad_parameter(options.py(), format!("no search method {name:?}"))),
    })
}
