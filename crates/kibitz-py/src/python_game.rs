//! Games written in Python: the one adapter through which every algorithm reaches them.
//!
//! The interpreter lock is held for the whole search. A visited position is asked once for each thing it knows; a move is an
//! index into its position's own list of moves, so nothing is hashed or compared. An exception raised by the user's
//! methods is kept and ends the search, which then raises it unchanged.

use std::sync::{Arc, OnceLock};

use kibitz_game::{
    BadText, Chance, Draw, Evaluate, Game, Hidden, Order, Playout, Random, Range, Score, Turn, key_of_text, text,
};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::bridge::Bridge;
use crate::call::{self, Callable};
use crate::errors::{bad_parameter, bad_position, game_error, illegal_move};
use crate::interrupt::Fault;

/// The methods of a game, bound once.
struct Methods {
    name: String,
    players: usize,
    /// Search units in one unit of result: a power of ten that makes the most of the integers.
    unit: f64,
    /// The least and the greatest result.
    results: (f64, f64),
    start: Callable,
    moves: Callable,
    play: Callable,
    turn: Callable,
    result: Callable,
    evaluate: Option<Callable>,
    chance: Option<Callable>,
    key: Option<Callable>,
    text: Option<Callable>,
    parse: Option<Callable>,
    board: Option<Callable>,
    svg: Option<Callable>,
}

/// A game written in Python.
pub struct PythonGame {
    methods: Arc<Methods>,
    /// Every move seen by a search that orders moves, with its number; each session has its own, so that one search does
    /// not depend on those before it.
    numbers: Py<PyDict>,
    fault: Fault,
}

/// A position with everything asked so far.
pub struct Node {
    state: Py<PyAny>,
    turn: Turn,
    moves: OnceLock<Py<PyList>>,
    probabilities: OnceLock<Vec<f64>>,
    /// The result of each player, as the author gave it and as scores.
    ending: OnceLock<(Vec<f64>, Vec<Score>)>,
    key: OnceLock<u64>,
}

#[derive(Clone)]
pub struct Position(Arc<Node>);

impl Position {
    fn new(state: Bound<'_, PyAny>, turn: Turn) -> Self {
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

/// Moves with greater numbers share the history entries of smaller ones.
const INDICES: usize = 4096;

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
            chance: optional("chance"),
            key: optional("key"),
            text: optional("str"),
            parse: optional("parse"),
            board: optional("board"),
            svg: optional("svg"),
            name: class,
        };
        Ok(Self { methods: Arc::new(methods), numbers: PyDict::new(py).unbind(), fault: Fault::default() })
    }

    /// Runs a question; an exception is kept and `otherwise` is the answer.
    #[inline]
    fn guard<T>(&self, otherwise: impl FnOnce() -> T, question: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        Python::attach(|py| match question(py) {
            Ok(answer) => answer,
            Err(error) => {
                self.fault.set(error);
                otherwise()
            }
        })
    }

    fn wrong(&self, py: Python<'_>, what: &str) -> PyErr {
        game_error(py, format!("{}: {what}", self.methods.name))
    }

    /// A position that stands in after an exception: the game is over there.
    fn ruin(py: Python<'_>) -> Position {
        Position::new(py.None().into_bound(py), Turn::Over)
    }

    /// The position of a state.
    fn hold(&self, state: Bound<'_, PyAny>) -> PyResult<Position> {
        let turn = self.ask_turn(&state)?;
        Ok(Position::new(state, turn))
    }

    fn read_turn(&self, turn: &Bound<'_, PyAny>) -> PyResult<Turn> {
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
    fn list<'a>(&self, py: Python<'_>, position: &'a Position) -> PyResult<&'a Py<PyList>> {
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
    fn ask_moves<'py>(&self, state: &Bound<'py, PyAny>, player: u8) -> PyResult<Bound<'py, PyList>> {
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
    fn ask_play<'py>(&self, before: &Bound<'py, PyAny>, mv: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
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
    fn ask_turn(&self, state: &Bound<'_, PyAny>) -> PyResult<Turn> {
        self.read_turn(&self.methods.turn.call(state.py(), [state])?)
    }

    /// A random game from a position in which a player is to move, without keeping anything on the way, and its
    /// length. Stops where chance is to move.
    fn random_walk(
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

    fn list_of<'py>(&self, found: Bound<'py, PyAny>, method: &str) -> PyResult<Bound<'py, PyList>> {
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
    fn ending<'a>(&self, position: &'a Position) -> Option<&'a (Vec<f64>, Vec<Score>)> {
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
    fn score_of(&self, result: f64) -> Score {
        let middle =
            if self.methods.players == 2 { f64::midpoint(self.methods.results.0, self.methods.results.1) } else { 0.0 };
        ((result - middle) * self.methods.unit).round() as Score
    }

    /// A number, or one for each player, as they are and as scores.
    fn values_of(
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
    fn share(&self, value: f64, mover: usize) -> Vec<f64> {
        let (low, high) = self.methods.results;
        match (self.methods.players, mover) {
            (1, _) => vec![value],
            (2, 0) => vec![value, low + high - value],
            (2, _) => vec![low + high - value, value],
            _ => Vec::new(),
        }
    }

    fn shown(py: Python<'_>, method: Option<&Callable>, position: &Position) -> PyResult<Option<String>> {
        let Some(method) = method else { return Ok(None) };
        let text = method.call(py, [position.0.state.bind(py)])?;
        Ok(Some(text.str()?.to_string()))
    }

    fn move_at<'py>(&self, py: Python<'py>, position: &Position, index: u32) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.list(py, position)?.bind(py);
        if index as usize >= moves.len() {
            return Err(
                self.wrong(py, "moves() gave another list for the same state; it must depend on the state alone")
            );
        }
        moves.get_item(index as usize)
    }

    fn text_of(&self, py: Python<'_>, position: &Position) -> PyResult<String> {
        match Self::shown(py, self.methods.text.as_ref(), position)? {
            Some(text) => Ok(text),
            None => Ok(position.0.state.bind(py).repr()?.to_string()),
        }
    }

    fn compute_key(&self, py: Python<'_>, position: &Position) -> PyResult<u64> {
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

impl Game for PythonGame {
    type Position = Position;
    type Move = u32;
    const SLOW: bool = true;

    fn players(&self) -> usize {
        self.methods.players
    }

    fn start(&self) -> Position {
        Python::attach(|py| {
            let start = self.methods.start.call(py, []).and_then(|state| self.hold(state));
            start.unwrap_or_else(|error| {
                self.fault.set(error);
                Self::ruin(py)
            })
        })
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        position.0.turn
    }

    fn moves(&self, position: &Position, out: &mut Vec<u32>) {
        let count = self.guard(|| 0, |py| Ok(self.list(py, position)?.bind(py).len()));
        out.extend(0..count as u32);
    }

    fn play(&self, position: &mut Position, mv: u32) {
        let next = Python::attach(|py| {
            let played = self.move_at(py, position, mv).and_then(|mv| {
                let after = self.ask_play(position.0.state.bind(py), &mv)?;
                self.hold(after)
            });
            played.unwrap_or_else(|error| {
                self.fault.set(error);
                Self::ruin(py)
            })
        });
        *position = next;
    }

    fn score(&self, position: &Position, player: usize) -> Score {
        self.ending(position).map_or(0, |(_, scores)| scores[player])
    }

    fn range(&self, _: usize) -> Range {
        Range { low: self.score_of(self.methods.results.0), high: self.score_of(self.methods.results.1) }
    }

    fn result(&self, score: f64) -> f64 {
        let (low, high) = self.methods.results;
        let middle = if self.methods.players == 2 { f64::midpoint(low, high) } else { 0.0 };
        score / self.methods.unit + middle
    }

    fn key(&self, position: &Position) -> u64 {
        if let Some(&key) = position.0.key.get() {
            return key;
        }
        // asked first and kept then: another thread may ask meanwhile, and a failure must not be kept
        match Python::attach(|py| self.compute_key(py, position)) {
            Ok(key) => *position.0.key.get_or_init(|| key),
            Err(error) => {
                self.fault.set(error);
                0
            }
        }
    }

    /// What a state and its moves take is anybody's guess; this one is generous for tuples of numbers.
    fn position_bytes(&self) -> usize {
        2048
    }

    fn write(&self, position: &Position) -> String {
        self.guard(String::new, |py| self.text_of(py, position))
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        Python::attach(|py| self.read_position(py, text).map_err(|error| BadText::new(error.to_string())))
    }

    fn write_move(&self, position: &Position, mv: u32) -> String {
        self.guard(String::new, |py| Ok(self.move_at(py, position, mv)?.str()?.to_string()))
    }
}

impl Bridge for PythonGame {
    const IN_PYTHON: bool = true;

    fn session(self: &Arc<Self>) -> Arc<Self> {
        let numbers = Python::attach(|py| PyDict::new(py).unbind());
        Arc::new(Self { methods: self.methods.clone(), numbers, fault: Fault::default() })
    }

    fn informed(&self) -> bool {
        self.methods.evaluate.is_some()
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Methods { start, moves, play, turn, result, evaluate, chance, key, text, parse, board, svg, .. } =
            &*self.methods;
        for method in [start, moves, play, turn, result] {
            method.traverse(visit)?;
        }
        for method in [evaluate, chance, key, text, parse, board, svg].into_iter().flatten() {
            method.traverse(visit)?;
        }
        visit.call(&self.numbers)
    }

    fn position_of(&self, state: &Bound<'_, PyAny>) -> PyResult<Position> {
        self.hold(state.clone())
    }

    fn fault(&self) -> Fault {
        self.fault.clone()
    }

    fn move_object(&self, py: Python<'_>, position: &Position, mv: u32) -> PyResult<Py<PyAny>> {
        Ok(self.move_at(py, position, mv)?.unbind())
    }

    fn move_of(&self, position: &Position, mv: &Bound<'_, PyAny>) -> PyResult<u32> {
        let py = mv.py();
        let moves = self.list(py, position)?.bind(py);
        for (i, legal) in moves.iter().enumerate() {
            if legal.eq(mv).unwrap_or(false) {
                return Ok(i as u32);
            }
        }
        if let Ok(text) = mv.extract::<String>() {
            for (i, legal) in moves.iter().enumerate() {
                if legal.str()?.to_cow()? == text.trim() {
                    return Ok(i as u32);
                }
            }
        }
        let some: Vec<String> = moves.iter().take(6).map(|legal| legal.to_string()).collect();
        let more = if moves.len() > some.len() { ", …" } else { "" };
        let position = self.text_of(py, position)?;
        Err(illegal_move(
            py,
            format!(
                "{} is not a legal move here; legal are {}{more} (position {position})",
                mv.repr()?,
                some.join(", ")
            ),
        ))
    }

    fn read_position(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        let state = match &self.methods.parse {
            Some(parse) => parse.call(py, [PyString::new(py, text).as_any()])?,
            None => py.import(intern!(py, "ast"))?.call_method1(intern!(py, "literal_eval"), (text.trim(),)).map_err(
                |error| {
                    let class = &self.methods.name;
                    bad_position(
                        py,
                        format!(
                            "bad position {text:?}: not a Python literal ({error}); {class} can define parse(text)"
                        ),
                    )
                },
            )?,
        };
        self.hold(state)
    }

    fn results(&self, position: &Position) -> Vec<f64> {
        self.ending(position).map_or_else(Vec::new, |(values, _)| values.clone())
    }

    fn state(&self, py: Python<'_>, position: &Position) -> Option<Py<PyAny>> {
        Some(position.0.state.clone_ref(py))
    }
}

impl Evaluate for PythonGame {
    const INFORMED: bool = false;

    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let Some(evaluate) = &self.methods.evaluate else { return self.range(player).middle() };
        let mover = match position.0.turn {
            Turn::Player(mover) => usize::from(mover),
            _ => 0,
        };
        let value = self.guard(
            || 0,
            |py| {
                let found = evaluate.call(py, [position.0.state.bind(py)])?;
                Ok(self.values_of(py, &found, "evaluate()", mover)?.1[player])
            },
        );
        // the ends of the range are kept for games that are really over
        let Range { low, high } = self.range(player);
        value.clamp(low + 1, high - 1)
    }
}

impl Order for PythonGame {
    fn indices(&self) -> usize {
        INDICES
    }

    fn index(&self, position: &Position, mv: u32) -> usize {
        let number = self.guard(
            || 0,
            |py| {
                let mv = self.move_at(py, position, mv)?;
                let numbers = self.numbers.bind(py);
                let known = numbers.get_item(&mv).map_err(|error| {
                    if error.is_instance_of::<PyTypeError>(py) {
                        self.wrong(py, &format!("the move {mv} is not hashable; use a tuple, a text or a number"))
                    } else {
                        error
                    }
                })?;
                if let Some(number) = known {
                    return number.extract();
                }
                let number = numbers.len();
                numbers.set_item(mv, number)?;
                Ok(number)
            },
        );
        number % INDICES
    }
}

impl Chance for PythonGame {
    fn probability(&self, position: &Position, outcome: u32) -> f64 {
        let known = || position.0.probabilities.get().and_then(|all| all.get(outcome as usize)).copied();
        if let Some(probability) = known() {
            return probability;
        }
        self.guard(|| (), |py| self.list(py, position).map(|_| ()));
        known().unwrap_or(0.0)
    }

    fn sample(&self, position: &Position, random: &mut Random, _: &mut Vec<u32>) -> u32 {
        self.guard(|| (), |py| self.list(py, position).map(|_| ()));
        let mut left = random.unit();
        let all = position.0.probabilities.get().map_or(&[][..], Vec::as_slice);
        for (i, probability) in all.iter().enumerate() {
            left -= probability;
            if left < 0.0 {
                return i as u32;
            }
        }
        all.len().saturating_sub(1) as u32
    }
}

impl Playout for PythonGame {
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<u32>) -> u32 {
        let count = self.guard(|| 1, |py| Ok(self.list(py, position)?.bind(py).len()));
        random.below(count) as u32
    }

    fn playout(&self, position: &mut Position, random: &mut Random, buffer: &mut Vec<u32>, plies: u32) -> u32 {
        let mut played = 0;
        while played < plies {
            let (next, more) = match position.0.turn {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = self.sample(position, random, buffer);
                    let mut next = position.clone();
                    self.play(&mut next, outcome);
                    (next, 1)
                }
                Turn::Player(_) => Python::attach(|py| {
                    self.random_walk(py, position, random, plies - played).unwrap_or_else(|error| {
                        self.fault.set(error);
                        (Self::ruin(py), 1)
                    })
                }),
            };
            *position = next;
            played += more;
        }
        played
    }
}

impl Hidden for PythonGame {}

impl Draw for PythonGame {
    fn board(&self, position: &Position) -> String {
        self.guard(String::new, |py| match Self::shown(py, self.methods.board.as_ref(), position)? {
            Some(board) => Ok(board),
            None => self.text_of(py, position),
        })
    }

    fn svg(&self, position: &Position) -> String {
        self.guard(String::new, |py| match Self::shown(py, self.methods.svg.as_ref(), position)? {
            Some(svg) => Ok(svg),
            None => Ok(text::svg_of_text(&self.board(position))),
        })
    }
}
