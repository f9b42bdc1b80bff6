//! The classes of the module: a game's rules and its positions.

use std::path::PathBuf;
use std::time::Duration;

use kibitz_game::{Limits, MAX_DEPTH, Parameter, Params, Turn, Value};
use kibitz_search::Style;
use kibitz_solve::verify::Sample;
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::bridge::{AnyPosition, AnyRules};
use crate::cell::Cell;
use crate::database::Database;
use crate::errors::{bad_parameter, error};
use crate::graph::Graph;
use crate::memory::Memory;
use crate::options;
use crate::proof::{self, Strategy};
use crate::python_game::PythonGame;
use crate::registry::{Listing, listings as all_listings};
use crate::searching::Job;
use crate::strong::{Question, Strong};

/// The rules of a game, native or adapted from Python.
#[pyclass(frozen, module = "kibitz._core")]
pub struct Rules {
    inner: Box<dyn AnyRules>,
    params: Params,
}

/// A position of a game. Positions never change; `play` returns a new one.
#[pyclass(frozen, module = "kibitz._core")]
pub struct Position {
    inner: Box<dyn AnyPosition>,
    /// The Python object of the game.
    #[pyo3(get)]
    game: Py<PyAny>,
}

impl Rules {
    /// The rules without their type.
    pub fn inner(&self) -> &dyn AnyRules {
        &*self.inner
    }

    /// The parameters as texts, by name.
    pub fn parameters(&self) -> Vec<(String, String)> {
        self.params.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect()
    }
}

impl Position {
    /// A position of the Python object of a game.
    pub fn new(inner: Box<dyn AnyPosition>, game: Py<PyAny>) -> Self {
        Self { inner, game }
    }

    /// The slice and the rank, where the game numbers the position.
    pub fn place_of(&self) -> Option<(u32, u64)> {
        self.inner.place()
    }
}

fn duration(py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let duration = |seconds: f64| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| bad_parameter(py, format!("seconds={seconds} is not a length of time")))
    };
    seconds.map(duration).transpose()
}

fn value_to_python(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Integer(number) => number.into_py_any(py),
        Value::Word(word) => word.into_py_any(py),
        Value::Flag(flag) => flag.into_py_any(py),
        Value::List(numbers) => PyTuple::new(py, numbers)?.into_py_any(py),
    }
}

/// A parameter as a user passes it. Texts are read as the kind of value that the parameter has, for the command line.
fn value_from_python(parameter: Option<&Parameter>, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let py = value.py();
    let name = parameter.map_or("parameter", |parameter| parameter.name);
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Flag(flag.is_true()));
    }
    if let Ok(number) = value.extract::<i64>() {
        // a list of one number may be given as the number
        if matches!(parameter.map(|parameter| &parameter.default), Some(Value::List(_))) {
            return Ok(Value::List(vec![number]));
        }
        return Ok(Value::Integer(number));
    }
    if value.is_instance_of::<PyInt>() {
        return Err(bad_parameter(py, format!("{name} is out of range: it does not fit into 64 bits")));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(match parameter.map(|parameter| &parameter.default) {
            Some(Value::Integer(_)) => text.parse().map_or(Value::Word(text), Value::Integer),
            Some(Value::Flag(_)) => match text.as_str() {
                "true" | "yes" | "1" => Value::Flag(true),
                "false" | "no" | "0" => Value::Flag(false),
                _ => Value::Word(text),
            },
            _ => Value::Word(text),
        });
    }
    if let Ok(numbers) = value.extract::<Vec<i64>>() {
        return Ok(Value::List(numbers));
    }
    let value = value.repr().map_or_else(|_| "value".to_owned(), |text| text.to_string());
    Err(bad_parameter(
        py,
        format!("{name}={value} is neither a whole number, a flag, a word nor a list of whole numbers"),
    ))
}

fn describe<'py>(py: Python<'py>, listing: &Listing) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", listing.name)?;
    dict.set_item("summary", listing.summary)?;
    dict.set_item("rules", listing.rules)?;
    dict.set_item("preset_of", listing.preset_of)?;
    let parameters = PyList::empty(py);
    for parameter in (listing.parameters)() {
        let entry = PyDict::new(py);
        entry.set_item("name", parameter.name)?;
        entry.set_item("default", value_to_python(py, &parameter.default)?)?;
        entry.set_item("range", parameter.range)?;
        entry.set_item("words", parameter.words.to_vec())?;
        entry.set_item("doc", parameter.doc)?;
        parameters.append(entry)?;
    }
    dict.set_item("parameters", parameters)?;
    Ok(dict)
}

/// Every native game: name, summary, rules, parameters.
#[pyfunction]
pub fn listings(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    all_listings().iter().map(|listing| describe(py, listing)).collect()
}

/// The rules of a native game with these parameters.
#[pyfunction]
pub fn native(py: Python<'_>, name: &str, params: &Bound<'_, PyDict>) -> PyResult<Rules> {
    let all = all_listings();
    let Some(listing) = all.iter().find(|listing| listing.name == name) else {
        let known: Vec<&str> = all.iter().map(|listing| listing.name).collect();
        return Err(error(py, "UnknownGame", format!("no game {name:?}; there are {}", known.join(", "))));
    };
    let parameters = (listing.parameters)();
    let mut given = Vec::new();
    for (key, value) in params {
        let key: String = key.extract()?;
        let parameter = parameters.iter().find(|parameter| parameter.name == key);
        given.push((key, value_from_python(parameter, &value)?));
    }
    let bad = |bad: kibitz_game::BadParameter| bad_parameter(py, format!("{name}: {bad}"));
    let params = Params::complete(&parameters, given).map_err(bad)?;
    Ok(Rules { inner: (listing.make)(&params).map_err(bad)?, params })
}

/// The rules of a game written in Python.
#[pyfunction]
pub fn adapt(game: &Bound<'_, PyAny>) -> PyResult<Rules> {
    let game = PythonGame::new(game)?;
    Ok(Rules { inner: Box::new(crate::bridge::Rules(std::sync::Arc::new(game))), params: Params::default() })
}

#[pymethods]
impl Rules {
    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.inner.players()
    }

    /// Whether anything is hidden from a player.
    #[getter]
    fn hidden(&self) -> bool {
        self.inner.hidden()
    }

    /// Whether a search can begin with what a player knows.
    #[getter]
    fn has_belief(&self) -> bool {
        self.inner.has_belief()
    }

    /// Whether the game has an evaluation of its own.
    #[getter]
    fn informed(&self) -> bool {
        self.inner.informed()
    }

    /// Whether the game numbers its positions, so that there can be tables of them.
    #[getter]
    fn ranked(&self) -> bool {
        self.inner.ranked()
    }

    /// The game's own strategies of playouts.
    #[getter]
    fn strategies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.strategies())
    }

    /// The game's own potentials of positions for a beam search.
    #[getter]
    fn potentials<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.potentials())
    }

    /// The parameters with their values.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.params.iter() {
            dict.set_item(name, value_to_python(py, value)?)?;
        }
        Ok(dict)
    }

    /// The position at the start; `game` is the Python object that the position belongs to.
    fn start(&self, game: Py<PyAny>) -> PyResult<Position> {
        Ok(Position { inner: self.inner.start()?, game })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.inner.traverse(&visit)
    }

    /// The position of a state of a game written in Python.
    fn hold(&self, game: Py<PyAny>, state: &Bound<'_, PyAny>) -> PyResult<Position> {
        Ok(Position { inner: self.inner.position_of(state)?, game })
    }

    /// The position of a text; `past` has the keys of the positions before it, for a rule of repetition.
    #[pyo3(signature = (game, text, past=Vec::new()))]
    fn read(&self, py: Python<'_>, game: Py<PyAny>, text: &str, past: Vec<u64>) -> PyResult<Position> {
        Ok(Position { inner: self.inner.read(py, text, past)?, game })
    }

    /// The complete graph of the game; `kibitz.graph` is its front.
    fn graph(&self, py: Python<'_>) -> PyResult<Graph> {
        self.inner.graph(py)
    }

    /// Solves the game strongly; `kibitz.Retrograde` is its front.
    #[pyo3(signature = (*, algorithm, distances, threads, memory, reachable, pieces, progress))]
    fn strong(
        &self,
        py: Python<'_>,
        algorithm: &str,
        distances: Option<&str>,
        threads: usize,
        memory: u64,
        reachable: bool,
        pieces: Option<u32>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Strong> {
        let question = Question::new(py, algorithm, distances, threads, memory, reachable, pieces, progress)?;
        self.inner.strong(py, question)
    }

    /// The position of a rank in a slice, which stands for its symmetric ones; `None` where a rank belongs to no position.
    fn unrank(&self, game: Py<PyAny>, slice: u32, rank: u64) -> Option<Position> {
        self.inner.unrank(slice, rank).map(|inner| Position { inner, game })
    }
}

impl Position {
    /// The position without the type of its game.
    pub fn inner(&self) -> &dyn AnyPosition {
        &*self.inner
    }

    fn player(&self, py: Python<'_>, player: Option<i64>) -> PyResult<usize> {
        let players: usize = self.game.bind(py).getattr("players")?.extract()?;
        match player {
            None => Ok(match self.inner.turn() {
                Turn::Player(player) => usize::from(player),
                _ => 0,
            }),
            Some(player) if (0..players as i64).contains(&player) => Ok(player as usize),
            Some(player) => {
                Err(bad_parameter(py, format!("no player {player}: this game has {players}, counted from 0")))
            }
        }
    }
}

#[pymethods]
impl Position {
    /// The legal moves, or the outcomes of chance; empty when the game is over.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.inner.moves(py)
    }

    /// The position after a move, which may be given as text.
    fn play(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { inner: self.inner.play(r#move)?, game: self.game.clone_ref(py) })
    }

    /// The notation of a legal move.
    fn notation(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        self.inner.move_text(r#move)
    }

    /// The index of the player to move, `"chance"`, or `None` when the game is over.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.inner.turn() {
            Turn::Player(player) => player.into_py_any(py),
            Turn::Chance => "chance".into_py_any(py),
            Turn::Over => Ok(py.None()),
        }
    }

    /// Whether the game is over.
    #[getter]
    fn over(&self) -> bool {
        self.inner.turn() == Turn::Over
    }

    /// One number a player when the game is over, else `None`.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.inner.result()?.map(|result| PyTuple::new(py, result)).transpose()
    }

    /// The outcomes of chance with their probabilities; empty unless it is chance's turn.
    #[getter]
    fn outcomes(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, f64)>> {
        self.inner.outcomes(py)
    }

    /// The static value for a player (the one to move), in units of the result.
    #[pyo3(signature = (player=None))]
    fn evaluate(&self, py: Python<'_>, player: Option<i64>) -> PyResult<f64> {
        self.inner.evaluate(self.player(py, player)?)
    }

    /// How far the game has come, counted on the board (stones placed, pieces captured); `None` where the game does not say.
    #[getter]
    fn progress(&self) -> PyResult<Option<u32>> {
        self.inner.progress()
    }

    /// A picture in text.
    fn board(&self) -> PyResult<String> {
        self.inner.board()
    }

    /// A picture as an SVG document, with a legal move drawn into it if one is given and the game draws moves. With `player` it
    /// shows what a player sees, and no move.
    #[pyo3(signature = (r#move=None, *, player=None))]
    fn svg(&self, py: Python<'_>, r#move: Option<&Bound<'_, PyAny>>, player: Option<i64>) -> PyResult<String> {
        match (r#move, player) {
            (mv, None) => self.inner.svg(mv),
            (None, player) => self.inner.svg_of_view(self.player(py, player)?),
            (Some(_), Some(_)) => {
                Err(bad_parameter(py, "a move is drawn into the whole picture: give a move or a player"))
            }
        }
    }

    /// The parts of the picture that moves name; with `player`, those of the picture of what a player sees.
    #[pyo3(signature = (player=None))]
    fn cells(&self, py: Python<'_>, player: Option<i64>) -> PyResult<Vec<Cell>> {
        let viewer = player.map(|player| self.player(py, Some(player))).transpose()?;
        Ok(self.inner.cells(viewer)?.into_iter().map(Cell::from).collect())
    }

    /// The ways to make a legal move by clicking on cells, each a list of their names, the plainest first; empty if the move
    /// is not made on the picture.
    fn clicks(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<String>>> {
        self.inner.clicks(r#move)
    }

    /// The notation of every legal move with the ways to make it by clicking, in the order of `moves`.
    fn paths(&self) -> PyResult<Vec<(String, Vec<Vec<String>>)>> {
        self.inner.paths()
    }

    /// A picture as an SVG document of a line of moves from here, each with its number; `None` where the game does not draw one.
    #[pyo3(signature = (moves))]
    fn svg_of_line(&self, moves: Vec<Bound<'_, PyAny>>) -> PyResult<Option<String>> {
        self.inner.svg_of_line(moves)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.inner.svg(None)
    }

    /// A 64-bit key: equal for equal positions.
    #[getter]
    fn key(&self) -> PyResult<u64> {
        self.inner.key()
    }

    /// The keys of the positions that were played before this one, oldest first; empty unless the rules of the game mention
    /// repetition.
    #[getter]
    fn past<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.past())
    }

    /// Everything that a player (the one to move) knows of the position, as text.
    #[pyo3(signature = (player=None))]
    fn view(&self, py: Python<'_>, player: Option<i64>) -> PyResult<String> {
        self.inner.view(self.player(py, player)?)
    }

    /// A position that a player (the one to move) cannot tell from this one, drawn with the probability that chance gives
    /// it, in a game in which everything is in plain sight, so that any search can take it as it stands.
    #[pyo3(signature = (player=None, *, seed))]
    fn guess(&self, py: Python<'_>, player: Option<i64>, seed: u64) -> PyResult<Self> {
        let inner = self.inner.guess(py, self.player(py, player)?, seed)?;
        Ok(Self { inner, game: self.game.clone_ref(py) })
    }

    /// The slice and the rank of the position among those of its game; `None` where the game does not number it.
    #[getter]
    fn place(&self) -> Option<(u32, u64)> {
        self.inner.place()
    }

    /// The state of a game written in Python; `None` for a native game.
    #[getter]
    fn state(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.inner.state(py)
    }

    fn __str__(&self) -> PyResult<String> {
        self.inner.text()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let game = self.game.bind(py).getattr("name")?;
        Ok(format!("<{game} position {}>", self.inner.text()?))
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let same = other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            let one_game = self.game.is(&other.game) || self.game.bind(py).eq(&other.game).unwrap_or(false);
            one_game && self.inner.equals(&*other.inner)
        });
        match op {
            CompareOp::Eq => same.into_py_any(py),
            CompareOp::Ne => (!same).into_py_any(py),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self) -> PyResult<u64> {
        self.inner.key()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let game = self.game.bind(py);
        let (method, arguments) = match self.inner.state(py) {
            Some(state) => ("_hold", PyTuple::new(py, [state])?),
            None if self.inner.past().is_empty() => ("position", PyTuple::new(py, [self.inner.text()?])?),
            None => ("_recall", (self.inner.text()?, self.past(py)?).into_pyobject(py)?),
        };
        Ok((game.getattr(method)?, arguments))
    }

    /// Runs a search method; `kibitz.search` has a class for each.
    #[pyo3(signature = (method, options, *, depth=None, nodes=None, simulations=None, seconds=None, progress=None, memory=None))]
    fn _search<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        options: &Bound<'py, PyDict>,
        depth: Option<u32>,
        nodes: Option<u64>,
        simulations: Option<u64>,
        seconds: Option<f64>,
        progress: Option<Bound<'py, PyAny>>,
        memory: Option<Bound<'py, Memory>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        if depth.is_some_and(|depth| depth > MAX_DEPTH) {
            return Err(bad_parameter(py, format!("depth is at most {MAX_DEPTH}")));
        }
        let time = duration(py, seconds)?;
        let job = Job {
            method: options::method(method, options)?,
            limits: Limits { depth, nodes, simulations, time },
            progress,
            memory: memory.map(Bound::unbind),
        };
        self.inner.search(py, &job)
    }

    /// Solves the position; `kibitz.solve` has a class for each solver.
    #[pyo3(signature = (method, options, *, nodes=None, seconds=None, database=None, checkpoint=None, progress=None))]
    fn _solve<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        options: &Bound<'py, PyDict>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        database: Option<Py<Database>>,
        checkpoint: Option<(PathBuf, String, f64)>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let limits = Limits { nodes, time: duration(py, seconds)?, ..Limits::default() };
        let checkpoint = checkpoint.map(|(path, identity, seconds)| proof::checkpoint(path, identity, seconds));
        let solver = proof::solver(method, options)?;
        let job = proof::Job { solver, limits, database, checkpoint, progress, frontier: 0 };
        self.inner.solve(py, &job)
    }

    /// The strategies that prove what `_solve` has found, from what it has kept.
    #[pyo3(signature = (method, options, kept, *, frontier=0, database=None))]
    fn _strategies<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        options: &Bound<'py, PyDict>,
        kept: &Bound<'py, Memory>,
        frontier: u64,
        database: Option<Py<Database>>,
    ) -> PyResult<Vec<Strategy>> {
        let (limits, solver) = (Limits::default(), proof::solver(method, options)?);
        let job = proof::Job { solver, limits, database, checkpoint: None, progress: None, frontier };
        self.inner.proven_strategies(py, &job, kept.get())
    }

    /// Plays a strategy against everything from here on; `kibitz.verify_proof` is its front.
    #[pyo3(signature = (strategy, *, database=None, sample=1.0, seed=0))]
    fn _verify<'py>(
        &self,
        py: Python<'py>,
        strategy: &Bound<'py, Strategy>,
        database: Option<&Bound<'py, Database>>,
        sample: f64,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.inner.check(py, strategy.get(), database.map(Bound::get), Sample { part: sample, seed })
    }

    /// The move of a strategy here and the plies left to its end at most; `None` if it has none.
    fn _strategy_move(&self, py: Python<'_>, strategy: &Bound<'_, Strategy>) -> PyResult<Option<(Py<PyAny>, u32)>> {
        self.inner.strategy_move(py, strategy.get())
    }

    /// The number of lines of play of a given length; `kibitz.perft` is its front.
    fn _perft(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<u64> {
        if depth > MAX_DEPTH {
            return Err(bad_parameter(py, format!("depth is at most {MAX_DEPTH}")));
        }
        self.inner.perft(py, depth, threads)
    }

    /// Random games; `kibitz.playouts` is its front.
    fn _playouts<'py>(
        &self,
        py: Python<'py>,
        count: u64,
        seed: u64,
        threads: usize,
        strategy: &str,
        epsilon: f64,
        branching: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let known = self.inner.strategies();
        let number = known.iter().position(|&name| name == strategy);
        if number.is_none() && strategy != "random" {
            let names: Vec<&str> = ["random"].into_iter().chain(known.iter().copied()).collect();
            return Err(bad_parameter(
                py,
                format!("no strategy {strategy:?} in this game; there is {}", names.join(", ")),
            ));
        }
        let style = Style { strategy: number, epsilon, branching };
        self.inner.playouts(py, style, count, seed, threads)
    }
}
