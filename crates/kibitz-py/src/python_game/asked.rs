//! What a game written in Python is asked, and what is kept of its answers.

use std::sync::{Arc, OnceLock};

use kibitz_game::{Cell, Random, Range, Score, Turn, key_of_text};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};

use crate::call::{self, Callable};
use crate::errors::{bad_parameter, game_error};
use crate::interrupt::Fault;

/// The methods of a game, bound once.
pub(super) struct Methods {
    pub(super) name: String,
    pub(super) players: usize,
    /// Search units in one unit of result: a power of ten that makes the most of the integers.
    pub(super) unit: f64,
    /// The least and the greatest result.
    pub(super) results: (f64, f64),
    pub(super) start: Callable,
    pub(super) moves: Callable,
    pub(super) play: Callable,
    pub(super) turn: Callable,
    pub(super) result: Callable,
    pub(super) evaluate: Option<Callable>,
    pub(super) bounds: Option<Callable>,
    pub(super) progress: Option<Callable>,
    pub(super) chance: Option<Callable>,
    pub(super) key: Option<Callable>,
    pub(super) text: Option<Callable>,
    pub(super) parse: Option<Callable>,
    pub(super) board: Option<Callable>,
    pub(super) svg: Option<Callable>,
    pub(super) cells: Option<Callable>,
}

/// A game written in Python.
pub struct PythonGame {
    pub(super) methods: Arc<Methods>,
    /// Every move seen by a search that orders moves, with its number; each session has its own, so that one search does
    /// not depend on those before it.
    pub(super) numbers: Py<PyDict>,
    pub(super) fault: Fault,
}

/// A position with everything asked so far.
pub struct Node {
    pub(super) state: Py<PyAny>,
    pub(super) turn: Turn,
    pub(super) moves: OnceLock<Py<PyList>>,
    pub(super) probabilities: OnceLock<Vec<f64>>,
    /// The result of each player, as the author gave it and as scores.
    pub(super) ending: OnceLock<(Vec<f64>, Vec<Score>)>,
    pub(super) key: OnceLock<u64>,
}

#[derive(Clone)]
pub struct Position(pub(super) Arc<Node>);

impl Position {
    pub(super) fn new(state: Bound<'_, PyAny>, turn: Turn) -> Self {
        Self(Arc::new(Node {
            state: state.unbind(),
            turn,
            moves: OnceLock::new(),
            probabilities: OnceLock::new(),
            ending: OnceLock::new(),
            key: OnceLock::new(),
        }))
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        Python::attach(|py| self.0.state.bind(py).eq(other.0.state.bind(py)).unwrap_or(false))
    }
}

/// Scores stay below this, so that windows and sums never overflow.
const LARGEST: f64 = 1e9;

impl PythonGame {
    /// The adapter of an instance of a subclass of `kibitz.Game`.
    pub fn new(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = game.py();
        let class = game.get_type().name()?.to_string();
        let required = |name: &str| {
            game.getattr(name).map(|found| Callable::new(&found)).map_err(|_| {
                game_error(
                    py,
                    format!("{class} has no method {name}(): a game needs start, moves, play, turn and result"),
                )
            })
        };
        let optional =
            |name: &str| game.getattr(name).ok().filter(Bound::is_callable).map(|found| Callable::new(&found));
        let players: usize = game
            .getattr("players")?
            .extract()
            .ok()
            .filter(|players| (1..=64).contains(players))
            .ok_or_else(|| bad_parameter(py, format!("{class}.players must be a whole number from 1 to 64")))?;
        let results: (f64, f64) = game
            .getattr("results")?
            .extract()
            .ok()
            .filter(|(low, high): &(f64, f64)| low < high && low.abs().max(high.abs()) <= 1e100)
            .ok_or_else(|| {
                bad_parameter(py, format!("{class}.results must be the pair (least, greatest) of all results"))
            })?;
        let unit = 10f64.powi((LARGEST / results.0.abs().max(results.1.abs())).log10().floor() as i32);
        if (results.1 - results.0) * unit < 10.0 {
            let (low, high) = results;
            return Err(bad_parameter(py, format!("{class}.results = ({low}, {high}) is too narrow to search in")));
        }
        let methods = Methods {
            players,
            unit,
            results,
            start: required("_start")?,
            moves: required("moves")?,
            play: required("play")?,
            turn: required("turn")?,
            result: required("result")?,
            evaluate: optional("evaluate"),
            bounds: optional("bounds"),
            progress: optional("progress"),
            chance: optional("chance"),
            key: optional("key"),
            text: optional("str"),
            parse: optional("parse"),
            board: optional("board"),
            svg: optional("svg"),
            cells: optional("cells"),
            name: class,
        };
        Ok(Self { methods: Arc::new(methods), numbers: PyDict::new(py).unbind(), fault: Fault::default() })
    }

    /// Runs a question; an exception is kept and `otherwise` is the answer.
    #[inline]
    pub(super) fn guard<T>(
        &self,
        otherwise: impl FnOnce() -> T,
        question: impl FnOnce(Python<'_>) -> PyResult<T>,
    ) -> T {
        Python::attach(|py| match question(py) {
            Ok(answer) => answer,
            Err(error) => {
                self.fault.set(error);
                otherwise()
            }
        })
    }

    pub(super) fn wrong(&self, py: Python<'_>, what: &str) -> PyErr {
        game_error(py, format!("{}: {what}", self.methods.name))
    }

    /// A position that stands in after an exception: the game is over there.
    pub(super) fn ruin(py: Python<'_>) -> Position {
        Position::new(py.None().into_bound(py), Turn::Over)
    }

    /// The position of a state.
    pub(super) fn hold(&self, state: Bound<'_, PyAny>) -> PyResult<Position> {
        let turn = self.ask_turn(&state)?;
        Ok(Position::new(state, turn))
    }

    pub(super) fn read_turn(&self, turn: &Bound<'_, PyAny>) -> PyResult<Turn> {
        let py = turn.py();
        if turn.is_none() {
            return Ok(Turn::Over);
        }
        // whatever counts as a whole number is a player, but True and False are mistakes
        if (turn.is_exact_instance_of::<PyInt>() || !turn.is_instance_of::<PyBool>())
            && let Ok(player) = turn.extract::<u8>()
            && usize::from(player) < self.methods.players
        {
            return Ok(Turn::Player(player));
        }
        if turn.extract::<&str>().is_ok_and(|word| word == "chance") {
            if self.methods.chance.is_none() {
                return Err(self.wrong(py, "turn() says \"chance\" but there is no method chance(state)"));
            }
            return Ok(Turn::Chance);
        }
        let last = self.methods.players - 1;
        Err(self.wrong(
            py,
            &format!(
                "turn() returned {}; expected a player from 0 to {last}, \"chance\", or None at the end",
                turn.repr()?
            ),
        ))
    }

    /// The moves of a position, asked once.
    pub(super) fn list<'a>(&self, py: Python<'_>, position: &'a Position) -> PyResult<&'a Py<PyList>> {
        let node = &*position.0;
        if let Some(moves) = node.moves.get() {
            return Ok(moves);
        }
        let moves = match node.turn {
            Turn::Over => PyList::empty(py),
            Turn::Player(player) => self.ask_moves(node.state.bind(py), player)?,
            Turn::Chance => {
                let chance =
                    self.methods.chance.as_ref().ok_or_else(|| self.wrong(py, "there is no method chance()"))?;
                let pairs = self.list_of(chance.call(py, [node.state.bind(py)])?, "chance()")?;
                let mut outcomes = Vec::with_capacity(pairs.len());
                let mut probabilities = Vec::with_capacity(pairs.len());
                for pair in pairs.iter() {
                    let (outcome, probability): (Bound<'_, PyAny>, f64) =
                        pair.extract().map_err(|_| self.wrong(py, "chance() must return pairs (move, probability)"))?;
                    outcomes.push(outcome);
                    probabilities.push(probability);
                }
                let total: f64 = probabilities.iter().sum();
                if probabilities.iter().any(|&p| p.is_nan() || p <= 0.0) || (total - 1.0).abs() > 1e-9 {
                    return Err(self.wrong(
                        py,
                        &format!("the probabilities of chance() must be positive and add up to 1, not {total}"),
                    ));
                }
                let _ = node.probabilities.set(probabilities);
                PyList::new(py, outcomes)?
            }
        };
        Ok(node.moves.get_or_init(|| moves.unbind()))
    }

    /// The moves of a state in which a player is to move.
    #[inline]
    pub(super) fn ask_moves<'py>(&self, state: &Bound<'py, PyAny>, player: u8) -> PyResult<Bound<'py, PyList>> {
        let py = state.py();
        let moves = self.list_of(self.methods.moves.call(py, [state])?, "moves()")?;
        if moves.is_empty() {
            return Err(self.wrong(
                py,
                &format!(
                    "turn() says that player {player} is to move, but moves() is empty; at the end turn() must be None"
                ),
            ));
        }
        Ok(moves)
    }

    /// The state after a move.
    #[inline]
    pub(super) fn ask_play<'py>(
        &self,
        before: &Bound<'py, PyAny>,
        mv: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = before.py();
        let after = self.methods.play.call(py, [before, mv])?;
        if after.is_none() {
            return Err(self.wrong(py, "play() returned None; it must return the new state"));
        }
        if after.is(before) && before.hash().is_err() {
            return Err(self.wrong(py, "play() changed its state in place; it must return a new one"));
        }
        Ok(after)
    }

    /// Whose turn it is in a state.
    #[inline]
    pub(super) fn ask_turn(&self, state: &Bound<'_, PyAny>) -> PyResult<Turn> {
        self.read_turn(&self.methods.turn.call(state.py(), [state])?)
    }

    /// A random game from a position in which a player is to move, without keeping anything on the way, and its
    /// length. Stops where chance is to move.
    pub(super) fn random_walk(
        &self,
        py: Python<'_>,
        position: &Position,
        random: &mut Random,
        plies: u32,
    ) -> PyResult<(Position, u32)> {
        let mut state = position.0.state.bind(py).clone();
        let mut moves = self.list(py, position)?.bind(py).clone();
        let mut played = 0;
        loop {
            let mv = moves.get_item(random.below(moves.len()))?;
            state = self.ask_play(&state, &mv)?;
            played += 1;
            match self.ask_turn(&state)? {
                Turn::Player(player) if played < plies => moves = self.ask_moves(&state, player)?,
                turn => return Ok((Position::new(state, turn), played)),
            }
        }
    }

    pub(super) fn list_of<'py>(&self, found: Bound<'py, PyAny>, method: &str) -> PyResult<Bound<'py, PyList>> {
        let (py, class) = (found.py(), found.get_type());
        if found.is_instance_of::<PyString>() {
            return Err(self.wrong(py, &format!("{method} must return a list, not a text")));
        }
        call::list_of(found).map_err(|error| {
            if error.is_instance_of::<PyTypeError>(py) {
                self.wrong(py, &format!("{method} must return a list, not {class}"))
            } else {
                error
            }
        })
    }

    /// The results of a finished game, asked once; `None` after an exception.
    pub(super) fn ending<'a>(&self, position: &'a Position) -> Option<&'a (Vec<f64>, Vec<Score>)> {
        if let Some(ending) = position.0.ending.get() {
            return Some(ending);
        }
        if self.fault.is_set() {
            return None;
        }
        let asked = Python::attach(|py| {
            let found = self.methods.result.call(py, [position.0.state.bind(py)])?;
            self.values_of(py, &found, "result()", 0)
        });
        match asked {
            Ok(ending) => Some(position.0.ending.get_or_init(|| ending)),
            Err(error) => {
                self.fault.set(error);
                None
            }
        }
    }

    /// The search unit of a result.
    pub(super) fn score_of(&self, result: f64) -> Score {
        let middle =
            if self.methods.players == 2 { f64::midpoint(self.methods.results.0, self.methods.results.1) } else { 0.0 };
        ((result - middle) * self.methods.unit).round() as Score
    }

    /// A pair of bounds for the player to move, as scores.
    pub(super) fn bounds_of(&self, py: Python<'_>, found: &Bound<'_, PyAny>) -> PyResult<Range> {
        let (least, greatest) = self.methods.results;
        let fits = |&(low, high): &(f64, f64)| least <= low && low <= high && high <= greatest;
        let Some((low, high)) = found.extract::<(f64, f64)>().ok().filter(fits) else {
            return Err(self.wrong(
                py,
                &format!(
                    "bounds() returned {}; expected a pair (pessimistic, optimistic) within results = ({least}, \
                     {greatest})",
                    found.repr()?
                ),
            ));
        };
        Ok(Range { low: self.score_of(low), high: self.score_of(high) })
    }

    /// How far the game has come.
    pub(super) fn progress_of(&self, py: Python<'_>, found: &Bound<'_, PyAny>) -> PyResult<u32> {
        let wrong =
            |text| self.wrong(py, &format!("progress() returned {text}; expected a whole number, zero or more"));
        match found.extract() {
            Ok(progress) => Ok(progress),
            Err(_) => Err(wrong(found.repr()?)),
        }
    }

    /// A number, or one for each player, as they are and as scores.
    pub(super) fn values_of(
        &self,
        py: Python<'_>,
        found: &Bound<'_, PyAny>,
        method: &str,
        mover: usize,
    ) -> PyResult<(Vec<f64>, Vec<Score>)> {
        let players = self.methods.players;
        let (low, high) = self.methods.results;
        // whatever turns into a number counts as one, numbers of other packages too; but a failure to do so is dear
        let several = found.is_instance_of::<PyTuple>() || found.is_instance_of::<PyList>();
        let single = if several { None } else { found.extract::<f64>().ok() };
        let values: Vec<f64> = match single {
            Some(value) => self.share(value, mover),
            None => found.extract().unwrap_or_default(),
        };
        if values.len() != players {
            let wanted =
                if players > 1 { format!("{players} numbers, one for each player") } else { "a number".to_owned() };
            return Err(self.wrong(py, &format!("{method} returned {}; expected {wanted}", found.repr()?)));
        }
        if let Some(value) = values.iter().find(|value| !(low..=high).contains(*value)) {
            return Err(self.wrong(
                py,
                &format!(
                    "{method} returned {value}, outside of results = ({low}, {high}); declare `results` on the class"
                ),
            ));
        }
        if players == 2 && ((values[0] + values[1]) - (low + high)).abs() > 1e-6 * (high - low) {
            return Err(self.wrong(
                py,
                &format!(
                    "{method} returned {values:?}; what two players get must always add up to {}, the sum of results = ({low}, {high})",
                    low + high
                ),
            ));
        }
        let scores = values.iter().map(|&value| self.score_of(value)).collect();
        Ok((values, scores))
    }

    /// One number is the value for `mover`; with two players the other one gets the rest.
    pub(super) fn share(&self, value: f64, mover: usize) -> Vec<f64> {
        let (low, high) = self.methods.results;
        match (self.methods.players, mover) {
            (1, _) => vec![value],
            (2, 0) => vec![value, low + high - value],
            (2, _) => vec![low + high - value, value],
            _ => Vec::new(),
        }
    }

    pub(super) fn shown(py: Python<'_>, method: Option<&Callable>, position: &Position) -> PyResult<Option<String>> {
        let Some(method) = method else { return Ok(None) };
        let text = method.call(py, [position.0.state.bind(py)])?;
        Ok(Some(text.str()?.to_string()))
    }

    /// The cells of the author's picture.
    pub(super) fn cells_of(&self, py: Python<'_>, position: &Position) -> PyResult<Vec<Cell>> {
        let Some(method) = &self.methods.cells else { return Ok(Vec::new()) };
        let wrong = || {
            let what = "cells() gives a list of tuples (name, x, y, width, height) with names and whole numbers, each name once";
            self.wrong(py, what)
        };
        let mut cells: Vec<Cell> = Vec::new();
        for found in method.call(py, [position.0.state.bind(py)])?.try_iter().map_err(|_| wrong())? {
            let (name, x, y, width, height): (String, i32, i32, i32, i32) = found?.extract().map_err(|_| wrong())?;
            if name.is_empty() || cells.iter().any(|cell| cell.name == name) {
                return Err(wrong());
            }
            cells.push(Cell::new(name, (x, y), (width, height)));
        }
        Ok(cells)
    }

    pub(super) fn move_at<'py>(&self, py: Python<'py>, position: &Position, index: u32) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.list(py, position)?.bind(py);
        if index as usize >= moves.len() {
            return Err(
                self.wrong(py, "moves() gave another list for the same state; it must depend on the state alone")
            );
        }
        moves.get_item(index as usize)
    }

    pub(super) fn text_of(&self, py: Python<'_>, position: &Position) -> PyResult<String> {
        match Self::shown(py, self.methods.text.as_ref(), position)? {
            Some(text) => Ok(text),
            None => Ok(position.0.state.bind(py).repr()?.to_string()),
        }
    }

    pub(super) fn compute_key(&self, py: Python<'_>, position: &Position) -> PyResult<u64> {
        let found = match &self.methods.key {
            Some(key) => key.call(py, [position.0.state.bind(py)])?,
            None => position.0.state.bind(py).clone(),
        };
        let mut text = found.repr()?.to_string();
        if text.contains('{') || text.contains("frozenset(") {
            // sets and dicts write equal contents in any order
            let canonical = py.import(intern!(py, "kibitz.game"))?.getattr(intern!(py, "canonical"))?;
            text = canonical.call1((&found,))?.extract()?;
        }
        let opaque = text.contains(" at 0x") || text.contains("array(") && text.contains("...");
        if opaque && !found.is_exact_instance_of::<PyString>() {
            return Err(self.wrong(
                py,
                &format!("the state {text} has no text of its own, so equal positions cannot be told: define key(state), or __repr__ on the state"),
            ));
        }
        Ok(key_of_text(&text))
    }
}
