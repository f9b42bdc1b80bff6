//! A search of a position that Python holds: each family is compiled for the games that it is for.

use std::sync::Arc;

use kibitz_game::{Iteration, Limits, Stop, Turn};
use kibitz_search::{Context, IsMcts, NotSupported, Report, Searchable, refuse_hidden};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bridge::Bridge;
use crate::errors::not_supported;
use crate::interrupt;
use crate::memory::Memory;
use crate::options::{Method, OfChance, OfMany, Single, WithoutChance};
use crate::report::{iteration, report_dict};

/// What a search is asked for.
pub struct Job<'py> {
    pub method: Method,
    pub limits: Limits,
    pub progress: Option<Bound<'py, PyAny>>,
    /// What the last search has left, and where this one leaves something.
    pub memory: Option<Py<Memory>>,
}

/// Searches a position of a session of a game.
pub fn search<'py, G: Bridge>(
    py: Python<'py>,
    game: &Arc<G>,
    position: &G::Position,
    past: &[u64],
    job: &Job<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let fault = game.fault();
    let callback = job.progress.clone().map(Bound::unbind);
    let told = {
        let (game, fault) = (game.clone(), fault.clone());
        let position = seen(&*game, position);
        move |step: &Iteration<G::Move>| {
            let Some(callback) = &callback else { return };
            let call = Python::attach(|py| {
                let step = iteration(py, &*game, &position, step)?;
                callback.bind(py).call1((step,)).map(|_| ())
            });
            if let Err(error) = call {
                fault.set(error);
            }
        }
    };
    let (method, limits) = (&job.method, &job.limits);
    let stack = method.stack(limits);
    let memory = job.memory.as_ref().map(Py::get);
    let work = |stop: &Stop| {
        let mut told = told;
        let context = &mut Context { limits, stop, past, progress: &mut told };
        let mut search = || match method {
            Method::Uniform(method) => method.search(&**game, position, context),
            Method::Simulation(method) => method.search(&**game, position, context),
            Method::WithoutChance(method) => without_chance(method, &**game, position, context),
            Method::OfChance(method) => with_chance(method, &**game, position, context),
            Method::OfMany(method) => of_many(method, &**game, position, context),
            Method::Single(method) => alone(method, &**game, position, context),
            Method::IsMcts(method) => unseen(method, &**game, position, context),
            Method::Uct(method) => {
                let mut kept = memory.and_then(Memory::take);
                let report = method.search_on(&**game, position, context, &mut kept);
                if let Some(memory) = memory {
                    memory.leave(kept);
                }
                report
            }
        };
        // a thread that Python made may have a small stack; rules in Python must stay on the one that it knows
        if G::IN_PYTHON { search() } else { stacker::maybe_grow(stack, stack, search) }
    };
    let report: Result<Report<G::Move>, NotSupported> = if G::IN_PYTHON {
        one_thread(py, method.threads())?;
        require_stack(py, stack)?;
        let watch = fault.clone();
        let out = work(&Stop::polling(1, move || watch.is_set()));
        fault.raise()?;
        out
    } else {
        interrupt::run(py, &fault, method.threads(), work)?
    };
    let report = report.map_err(|error| not_supported(py, error.to_string()))?;
    report_dict(py, &**game, &seen(&**game, position), &report)
}

/// A search of games without chance, which is not compiled for those that always have it.
fn without_chance<G: Searchable>(
    method: &WithoutChance,
    game: &G,
    position: &G::Position,
    context: &mut Context<'_, G::Move>,
) -> Result<Report<G::Move>, NotSupported> {
    refuse_hidden(method.title(), game)?;
    if G::ALWAYS_CHANCE {
        return Err(NotSupported::chance(method.title()));
    }
    match method {
        WithoutChance::Minimax(method) => method.search(game, position, context),
        WithoutChance::AlphaBeta(method) => method.search(game, position, context),
        WithoutChance::BStar(method) => method.search(game, position, context),
        WithoutChance::Ubfm(method) => method.search(game, position, context),
    }
}

/// A search of games of chance, which is compiled for these alone.
fn with_chance<G: Searchable>(
    method: &OfChance,
    game: &G,
    position: &G::Position,
    context: &mut Context<'_, G::Move>,
) -> Result<Report<G::Move>, NotSupported> {
    if !G::CHANCE {
        return Err(NotSupported::no_chance(method.title()));
    }
    match method {
        OfChance::Star(method) => method.search(game, position, context),
        OfChance::MoveFilter(method) => method.search(game, position, context),
    }
}

/// A search of games of many players. What counts for every player is compiled for such games alone; what makes one
/// opponent of all others is alpha-beta in games that never have more than two.
fn of_many<G: Searchable>(
    method: &OfMany,
    game: &G,
    position: &G::Position,
    context: &mut Context<'_, G::Move>,
) -> Result<Report<G::Move>, NotSupported> {
    refuse_hidden(method.title(), game)?;
    // of many players chance may have dealt the cards long ago
    if G::ALWAYS_CHANCE && !G::MANY {
        return Err(NotSupported::chance(method.title()));
    }
    if !G::MANY {
        return match method {
            OfMany::Coalition(method) => method.search(game, position, context),
            _ => Err(NotSupported::two_players(method.title())),
        };
    }
    match method {
        OfMany::Coalition(method) => method.search(game, position, context),
        OfMany::MaxN(method) => method.search(game, position, context),
        OfMany::SoftMaxN(method) => method.search(game, position, context),
        OfMany::ProbMaxN(method) => method.search(game, position, context),
        OfMany::MpMix(method) => method.search(game, position, context),
    }
}

/// A search of one player, which is compiled for games of one player alone.
fn alone<G: Searchable>(
    method: &Single,
    game: &G,
    position: &G::Position,
    context: &mut Context<'_, G::Move>,
) -> Result<Report<G::Move>, NotSupported> {
    if !G::SOLITAIRE {
        return Err(NotSupported::players(method.title(), game.players()));
    }
    match method {
        Single::SpMcts(method) => method.search(game, position, context),
        Single::NestedMonteCarlo(method) => method.search(game, position, context),
        Single::NestedRollout(method) => method.search(game, position, context),
        Single::SimulatedAnnealing(method) => method.search(game, position, context),
        Single::Beam(method) => method.search(game, position, context),
        Single::AStar(method) => method.search(game, position, context),
        Single::IdaStar(method) => method.search(game, position, context),
        Single::IncrementalTranspositions(method) => method.search(game, position, context),
    }
}

/// A search of games with hidden information, which is compiled for these alone.
fn unseen<G: Searchable>(
    method: &IsMcts,
    game: &G,
    position: &G::Position,
    context: &mut Context<'_, G::Move>,
) -> Result<Report<G::Move>, NotSupported> {
    if !G::HIDDEN {
        return Err(NotSupported(
            "IsMcts searches games with hidden information; this one hides nothing: use Uct".to_owned(),
        ));
    }
    method.search(game, position, context)
}

pub fn one_thread(py: Python<'_>, threads: usize) -> PyResult<()> {
    if threads > 1 {
        return Err(not_supported(py, "a game written in Python runs on one thread: use threads=1"));
    }
    Ok(())
}

/// Rules in Python stay on the stack that Python knows, which must be large enough.
pub fn require_stack(py: Python<'_>, stack: usize) -> PyResult<()> {
    if stacker::remaining_stack().is_some_and(|left| left < stack) {
        return Err(not_supported(py, "the stack of this thread is too small for so deep a search: lower depth"));
    }
    Ok(())
}

/// The position from which the lines of a search go on: what the player to move knows of it, where anything is hidden.
fn seen<G: Bridge>(game: &G, position: &G::Position) -> G::Position {
    match game.turn(position) {
        Turn::Player(player) if G::BELIEF && game.hides() => game.belief(position, usize::from(player)),
        _ => position.clone(),
    }
}
