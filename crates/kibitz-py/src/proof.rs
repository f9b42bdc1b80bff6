//! Proofs: solvers from the keyword arguments of their Python classes, strategies, and their check.

use std::path::PathBuf;
use std::time::Duration;

use kibitz_game::{Limits, Pack, Probe, Stop, Turn, Wdl};
use kibitz_solve::proof::{
    Answer, Ask, AtLeast, Checkpoint, EvaluationNumbers, Kept, LeafNumbers, Method, NoStrategy, Outcome, Point,
    Refused, SecondLevel, Solver, Strategy as Inner,
};
use kibitz_solve::verify::{Checked, Claim, Flaw, Sample, verify};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::bridge::Bridge;
use crate::database::Database;
use crate::errors::{bad_parameter, error, not_supported};
use crate::interrupt::{self, Fault};
use crate::memory::Memory;
use crate::options::Options;
use crate::report::{line, tree_dict};
use crate::searching::one_thread;

/// What a solver is asked for.
pub struct Job<'py> {
    pub solver: Solver,
    pub limits: Limits,
    pub database: Option<Py<Database>>,
    pub checkpoint: Option<Checkpoint>,
    pub progress: Option<Bound<'py, PyAny>>,
    /// How easy to find a move must be that a strategy may leave out: the nodes of a search; 0 for none.
    pub frontier: u64,
}

const LEAVES: [(&str, u8); 3] = [("one", 0), ("mobility", 1), ("evaluation", 2)];
const GOALS: [(&str, Option<AtLeast>); 3] =
    [("value", None), ("win", Some(AtLeast::Win)), ("draw", Some(AtLeast::Draw))];
const SECONDS: [(&str, bool); 2] = [("equal", false), ("logistic", true)];

/// The solver of that name with these options.
pub fn solver(name: &str, options: &Bound<'_, PyDict>) -> PyResult<Solver> {
    let get = Options(options);
    let weights = |mobility| -> PyResult<EvaluationNumbers> {
        Ok(EvaluationNumbers { a: get.get("a")?, b: get.get("b")?, threshold: get.get("threshold")?, mobility })
    };
    let leaf = match name {
        "efpn" => LeafNumbers::Evaluation(weights(get.get("mobility")?)?),
        _ => match get.word("leaf", &LEAVES)? {
            0 => LeafNumbers::One,
            1 => LeafNumbers::Mobility,
            _ => LeafNumbers::Evaluation(EvaluationNumbers { a: 1, b: 1, threshold: 0.0, mobility: true }),
        },
    };
    let second = || -> PyResult<SecondLevel> {
        Ok(if get.word("second", &SECONDS)? {
            SecondLevel::Logistic { a: get.get("logistic_a")?, b: get.get("logistic_b")? }
        } else {
            SecondLevel::Equal
        })
    };
    let method = match name {
        "proofnumber" => Method::OneLevel,
        "pn2" => Method::TwoLevels(second()?),
        "efpn" => match get.get::<u32>("levels")? {
            1 => Method::OneLevel,
            _ => Method::TwoLevels(SecondLevel::Equal),
        },
        "dfpn" => Method::DepthFirst { epsilon: get.get("epsilon")? },
        _ => return Err(bad_parameter(options.py(), format!("no solver {name:?}"))),
    };
    Ok(Solver {
        method,
        leaf,
        delete_solved: if name == "dfpn" { false } else { get.get("delete_solved")? },
        memory_mb: get.get("memory_mb")?,
        solved_mb: if name == "dfpn" { 0 } else { get.get("solved_mb")? },
        threads: get.get("threads")?,
        only: get.word("goal", &GOALS)?,
        trace: if name == "dfpn" { 0 } else { get.get("trace")? },
    })
}

/// Where a search is saved.
pub fn checkpoint(path: PathBuf, identity: String, seconds: f64) -> Checkpoint {
    Checkpoint { path, identity, interval: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX) }
}

fn refused(py: Python<'_>, refused: &Refused) -> PyErr {
    match refused {
        Refused::NotSupported(reason) => not_supported(py, reason.clone()),
        Refused::Checkpoint(bad) => error(py, "BadCheckpoint", bad.to_string()),
    }
}

/// Runs work that asks the rules, on the thread that they must be asked on.
fn working<G: Bridge, T: Send>(
    py: Python<'_>,
    game: &G,
    fault: &Fault,
    threads: usize,
    work: impl FnOnce(&Stop) -> T + Send,
) -> PyResult<T> {
    let _ = game;
    if G::IN_PYTHON {
        one_thread(py, threads)?;
        let watch = fault.clone();
        let out = work(&Stop::polling(1, move || watch.is_set()));
        fault.raise()?;
        Ok(out)
    } else {
        interrupt::run(py, fault, threads, work)
    }
}

/// Solvers are not compiled for games that always have chance.
fn of_chance<G: Bridge>(py: Python<'_>) -> PyErr {
    let why = if G::HIDDEN { "hidden information; this one hides something" } else { "chance: use Uct" };
    not_supported(py, format!("proof numbers need games without {why}"))
}

/// Solves a position.
pub fn solve<'py, G: Bridge>(
    py: Python<'py>,
    game: &G,
    position: &G::Position,
    past: &[u64],
    job: &Job<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    if G::ALWAYS_CHANCE {
        return Err(of_chance::<G>(py));
    }
    let fault = game.fault();
    let callback = job.progress.clone().map(Bound::unbind);
    let mut progress = {
        let fault = fault.clone();
        move |point: &Point| {
            let Some(callback) = &callback else { return };
            let call = Python::attach(|py| {
                callback.bind(py).call1((point_dict(py, point)?, point.at_least.name())).map(|_| ())
            });
            if let Err(error) = call {
                fault.set(error);
            }
        }
    };
    let database = job.database.as_ref().map(|database| database.get().0.clone());
    let database = database.as_deref().map(|database| database as &dyn Probe);
    let (solver, limits, checkpoint) = (&job.solver, &job.limits, job.checkpoint.as_ref());
    let outcome = working(py, game, &fault, solver.threads, move |stop| {
        let mut ask = Ask { limits, stop, past, database, progress: &mut progress, checkpoint };
        solver.solve(game, position, &mut ask)
    })?;
    outcome_dict(py, game, position, outcome.map_err(|reason| refused(py, &reason))?)
}

fn point_dict<'py>(py: Python<'py>, point: &Point) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("nodes", point.nodes)?;
    dict.set_item("proof", point.proof)?;
    dict.set_item("disproof", point.disproof)?;
    dict.set_item("seconds", point.time.as_secs_f64())?;
    Ok(dict)
}

fn answer_dict<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("at_least", answer.at_least.name())?;
    dict.set_item("answer", answer.value)?;
    dict.set_item("nodes", answer.nodes)?;
    dict.set_item("probes", answer.probes)?;
    dict.set_item("seconds", answer.time.as_secs_f64())?;
    dict.set_item("proof_number", answer.proof)?;
    dict.set_item("disproof_number", answer.disproof)?;
    dict.set_item("stored", answer.stored)?;
    let curve = PyList::empty(py);
    for point in &answer.curve {
        curve.append((point.nodes, point.proof, point.disproof))?;
    }
    dict.set_item("curve", curve)?;
    Ok(dict)
}

fn outcome_dict<'py, G: Bridge>(
    py: Python<'py>,
    game: &G,
    position: &G::Position,
    outcome: Outcome<G::Move>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("value", outcome.value.name())?;
    dict.set_item("reason", outcome.reason.map(kibitz_solve::proof::Reason::name))?;
    dict.set_item("best", outcome.best.map(|mv| game.move_object(py, position, mv)).transpose()?)?;
    dict.set_item("pv", line(py, game, position, &outcome.pv)?)?;
    dict.set_item("nodes", outcome.nodes)?;
    dict.set_item("seconds", outcome.time.as_secs_f64())?;
    let answers = PyList::empty(py);
    for answer in &outcome.answers {
        answers.append(answer_dict(py, answer)?)?;
    }
    dict.set_item("goals", answers)?;
    if let Some(trace) = &outcome.trace {
        dict.set_item("tree", tree_dict(py, game, position, trace)?)?;
    }
    let kept = Memory::default();
    kept.leave(Some(outcome.kept));
    dict.set_item("kept", Py::new(py, kept)?)?;
    game.fault().raise()?;
    Ok(dict)
}

/// The strategies of all answers of a search.
pub fn strategies<G: Bridge>(
    py: Python<'_>,
    game: &G,
    position: &G::Position,
    past: &[u64],
    job: &Job<'_>,
    memory: &Memory,
) -> PyResult<Vec<Strategy>> {
    if G::ALWAYS_CHANCE {
        return Err(of_chance::<G>(py));
    }
    let kept: Kept = memory.take().ok_or_else(|| bad_parameter(py, "the solution keeps nothing for a proof"))?;
    let fault = game.fault();
    let database = job.database.as_ref().map(|database| database.get().0.clone());
    let database = database.as_deref().map(|database| database as &dyn Probe);
    let (solver, limits, held, frontier) = (&job.solver, &job.limits, &kept, job.frontier);
    let made = working(py, game, &fault, 1, move |stop| {
        let ask = Ask { limits, stop, past, database, progress: &mut |_| (), checkpoint: None };
        let strategy = |number| solver.strategy(game, position, held, number, frontier, &ask);
        // a draw takes two strategies, all else one
        (held.needed()).map(strategy).collect::<Result<Vec<Inner>, NoStrategy>>()
    });
    memory.leave(Some(kept));
    let made = made?.map_err(|reason| not_supported(py, reason.to_string()))?;
    Ok(made.into_iter().map(Strategy).collect())
}

/// Plays a strategy against everything.
pub fn check<'py, G: Bridge>(
    py: Python<'py>,
    game: &G,
    position: &G::Position,
    past: &[u64],
    strategy: &Strategy,
    database: Option<&Database>,
    sample: Sample,
) -> PyResult<Bound<'py, PyDict>> {
    if G::ALWAYS_CHANCE {
        return Err(of_chance::<G>(py));
    }
    let fault = game.fault();
    let inner = &strategy.0;
    let database = database.map(|database| &*database.0 as &dyn Probe);
    let checked: Result<Option<Checked>, Flaw> = working(py, game, &fault, 1, move |stop| {
        let moves = |key| inner.get(key);
        let goal = if inner.goal == AtLeast::Win { Wdl::Win } else { Wdl::Draw };
        let Inner { holder, frontier, .. } = *inner;
        let claim = Claim { holder, goal, strategy: &moves, past, database, frontier, sample };
        verify(game, position, &claim, stop)
    })?;
    let checked = checked.map_err(|flaw| error(py, "BadProof", flaw.to_string()))?;
    let checked = checked.ok_or_else(|| not_supported(py, "the check was not finished"))?;
    let dict = PyDict::new(py);
    dict.set_item("positions", checked.positions)?;
    dict.set_item("from_database", checked.from_database)?;
    dict.set_item("repetitions", checked.repetitions)?;
    dict.set_item("longest", checked.longest)?;
    dict.set_item("frontier", checked.frontier)?;
    dict.set_item("searched", checked.searched)?;
    dict.set_item("nodes", checked.nodes)?;
    Ok(dict)
}

/// The move of a strategy in a position, and its rank; `None` if it has none.
pub fn move_of<G: Bridge>(
    py: Python<'_>,
    game: &G,
    position: &G::Position,
    strategy: &Strategy,
) -> PyResult<Option<(Py<PyAny>, u32)>> {
    if game.turn(position) != Turn::Player(strategy.0.holder as u8) {
        return Ok(None);
    }
    let key = game.key(position);
    let Some((bits, rank)) = strategy.0.get(key) else { return Ok(None) };
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let Some(mv) = moves.into_iter().find(|mv| mv.pack() == bits) else { return Ok(None) };
    Ok(Some((game.move_object(py, position, mv)?, rank)))
}

/// A move for every position that matters to one side; `kibitz.Proof` has one or two of them.
#[pyclass(frozen, module = "kibitz._core")]
pub struct Strategy(pub Inner);

#[pymethods]
impl Strategy {
    /// The strategy of bytes that `records` gave.
    #[new]
    fn new(py: Python<'_>, holder: usize, goal: &str, frontier: u64, records: &[u8]) -> PyResult<Self> {
        let goal = match goal {
            "win" => AtLeast::Win,
            "draw" => AtLeast::Draw,
            _ => return Err(bad_parameter(py, format!("goal={goal:?} is neither win nor draw"))),
        };
        let made = Inner::from_records(holder, goal, frontier, records).filter(|_| holder < 2);
        made.map(Self).ok_or_else(|| bad_parameter(py, "these are no records of a strategy"))
    }

    /// Who plays it.
    #[getter]
    fn holder(&self) -> usize {
        self.0.holder
    }

    /// What it reaches: `win` or `draw`.
    #[getter]
    fn goal(&self) -> &'static str {
        self.0.goal.name()
    }

    /// How many nodes a search may take for a move that it has left out; 0 if it has all.
    #[getter]
    fn frontier(&self) -> u64 {
        self.0.frontier
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The moves as bytes, the same for the same strategy.
    fn records<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.records())
    }
}
