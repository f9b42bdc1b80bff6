//! From a Rust game to what Python sees: one generic implementation for all games.

use std::any::Any;
use std::sync::Arc;

use kibitz_game::{Cell, Draw, Random, Score, Slice, Stop, Turn};
use kibitz_search::{Playouts, Report, Searchable, Style, perft, playouts};
use kibitz_solve::verify::Sample;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};
use pyo3::{PyTraverseError, PyVisit};

use crate::database::{AnyTables, Database};
use crate::errors::{bad_position, illegal_move, not_supported};
use crate::graph::Graph;
use crate::interrupt::{self, Fault};
use crate::memory::Memory;
use crate::options::recursion;
use crate::past::Past;
use crate::proof::{self, Strategy};
use crate::report::{playouts_dict, report_dict};
use crate::searching::{self, Job, one_thread, require_stack};
use crate::strong::{self, Question, Strong};

/// A game that Python can hold: how its moves look there, and whether its rules are Python themselves.
pub trait Bridge: Searchable + Draw + 'static {
    /// Whether the rules are written in Python, so that the interpreter lock is held while they are asked.
    const IN_PYTHON: bool = false;

    /// The game for one piece of work, with its own place for exceptions.
    fn session(self: &Arc<Self>) -> Arc<Self> {
        self.clone()
    }

    /// The place for exceptions of a session.
    fn fault(&self) -> Fault {
        Fault::default()
    }

    /// A move as Python sees it: its notation.
    fn move_object(&self, py: Python<'_>, position: &Self::Position, mv: Self::Move) -> PyResult<Py<PyAny>> {
        Ok(PyString::new(py, &self.write_move(position, mv)).into_any().unbind())
    }

    /// The legal move of a Python object.
    fn move_of(&self, position: &Self::Position, mv: &Bound<'_, PyAny>) -> PyResult<Self::Move> {
        let py = mv.py();
        if !mv.is_instance_of::<PyString>() && !mv.is_instance_of::<PyInt>() {
            let kind = mv.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
            return Err(illegal_move(py, format!("a move is a text such as those in pos.moves, not {kind}")));
        }
        let text: String =
            mv.str().and_then(|text| text.extract()).map_err(|_| illegal_move(py, "the move is not a valid text"))?;
        self.read_move(position, &text)
            .map_err(|bad| illegal_move(py, format!("{bad} (position {})", self.write(position))))
    }

    /// The position of a text.
    fn read_position(&self, py: Python<'_>, text: &str) -> PyResult<Self::Position> {
        self.read(text).map_err(|bad| bad_position(py, format!("bad position {text:?}: {bad}")))
    }

    /// The result of each player of a finished game.
    fn results(&self, position: &Self::Position) -> Vec<f64> {
        (0..self.players()).map(|player| self.result(f64::from(self.score(position, player)))).collect()
    }

    /// Whether the game has an evaluation of its own.
    fn informed(&self) -> bool {
        Self::INFORMED
    }

    /// The references to Python objects that the rules hold, for its garbage collector.
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let _ = visit;
        Ok(())
    }

    /// The position of a state of a game in Python.
    fn position_of(&self, state: &Bound<'_, PyAny>) -> PyResult<Self::Position> {
        Err(not_supported(state.py(), "a native game has no states: use game.position(text)"))
    }

    /// The state behind a position of a game in Python.
    fn state(&self, py: Python<'_>, position: &Self::Position) -> Option<Py<PyAny>> {
        let _ = (py, position);
        None
    }
}

/// A game without its type.
pub trait AnyRules: AnyTables + Send + Sync {
    fn players(&self) -> usize;
    fn hidden(&self) -> bool;
    /// Whether a search can begin with what a player knows.
    fn has_belief(&self) -> bool;
    fn informed(&self) -> bool;
    fn strategies(&self) -> &'static [&'static str];
    fn potentials(&self) -> &'static [&'static str];
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
    fn start(&self) -> PyResult<Box<dyn AnyPosition>>;
    fn position_of(&self, state: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyPosition>>;
    fn read(&self, py: Python<'_>, text: &str, past: Vec<u64>) -> PyResult<Box<dyn AnyPosition>>;
    fn graph(&self, py: Python<'_>) -> PyResult<Graph>;
    fn unrank(&self, slice: u32, rank: u64) -> Option<Box<dyn AnyPosition>>;
    fn strong(&self, py: Python<'_>, question: Question) -> PyResult<Strong>;
}

/// A position without its type.
pub trait AnyPosition: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn turn(&self) -> Turn;
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>>;
    fn play(&self, mv: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyPosition>>;
    fn move_text(&self, mv: &Bound<'_, PyAny>) -> PyResult<String>;
    fn result(&self) -> PyResult<Option<Vec<f64>>>;
    fn outcomes(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, f64)>>;
    fn evaluate(&self, player: usize) -> PyResult<f64>;
    fn progress(&self) -> PyResult<Option<u32>>;
    fn text(&self) -> PyResult<String>;
    fn board(&self) -> PyResult<String>;
    fn svg(&self, mv: Option<&Bound<'_, PyAny>>) -> PyResult<String>;
    fn svg_of_view(&self, player: usize) -> PyResult<String>;
    fn cells(&self, viewer: Option<usize>) -> PyResult<Vec<Cell>>;
    fn clicks(&self, mv: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<String>>>;
    fn paths(&self) -> PyResult<Vec<(String, Vec<Vec<String>>)>>;
    fn svg_of_line(&self, moves: Vec<Bound<'_, PyAny>>) -> PyResult<Option<String>>;
    fn key(&self) -> PyResult<u64>;
    fn past(&self) -> &[u64];
    fn view(&self, player: usize) -> PyResult<String>;
    fn guess(&self, py: Python<'_>, player: usize, seed: u64) -> PyResult<Box<dyn AnyPosition>>;
    fn state(&self, py: Python<'_>) -> Option<Py<PyAny>>;
    fn place(&self) -> Option<(u32, u64)>;
    fn equals(&self, other: &dyn AnyPosition) -> bool;
    fn search<'py>(&self, py: Python<'py>, job: &Job<'py>) -> PyResult<Bound<'py, PyDict>>;
    fn solve<'py>(&self, py: Python<'py>, job: &proof::Job<'py>) -> PyResult<Bound<'py, PyDict>>;
    fn proven_strategies(&self, py: Python<'_>, job: &proof::Job<'_>, kept: &Memory) -> PyResult<Vec<Strategy>>;
    fn check<'py>(
        &self,
        py: Python<'py>,
        strategy: &Strategy,
        database: Option<&Database>,
        sample: Sample,
    ) -> PyResult<Bound<'py, PyDict>>;
    fn strategy_move(&self, py: Python<'_>, strategy: &Strategy) -> PyResult<Option<(Py<PyAny>, u32)>>;
    fn perft(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<u64>;
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        style: Style,
        count: u64,
        seed: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>>;
    fn strategies(&self) -> &'static [&'static str];
}

/// A game with its type.
pub struct Rules<G>(pub Arc<G>);

/// A position with its type.
pub struct Held<G: Bridge> {
    game: Arc<G>,
    position: G::Position,
    past: Past,
}

impl<G: Bridge> Held<G> {
    pub fn boxed(game: &Arc<G>, position: G::Position) -> Box<dyn AnyPosition> {
        Self::after_all(game, position, Vec::new())
    }

    /// The position.
    pub fn inner(&self) -> &G::Position {
        &self.position
    }

    /// A position with the keys of those before it.
    fn after_all(game: &Arc<G>, position: G::Position, past: Vec<u64>) -> Box<dyn AnyPosition> {
        let past = Past::new(&**game, &position, past);
        Box::new(Self { game: game.clone(), position, past })
    }

    /// The score of each player if repetition has ended the game.
    fn repeated(&self) -> Option<Vec<Score>> {
        if !G::REPEATS {
            return None;
        }
        (0..self.game.players()).map(|player| self.past.score(&*self.game, &self.position, player)).collect()
    }

    /// Asks the rules something, and raises what they raised.
    fn ask<T>(&self, question: impl FnOnce(&G) -> T) -> PyResult<T> {
        let session = self.game.session();
        let answer = question(&session);
        session.fault().raise()?;
        Ok(answer)
    }

    fn legal(&self) -> PyResult<Vec<G::Move>> {
        self.ask(|game| {
            let mut moves = Vec::new();
            if self.turn() != Turn::Over {
                game.moves(&self.position, &mut moves);
            }
            moves
        })
    }

    fn parse(&self, mv: &Bound<'_, PyAny>) -> PyResult<G::Move> {
        let py = mv.py();
        if self.turn() == Turn::Over {
            return Err(illegal_move(py, format!("the game is over: {mv} cannot be played")));
        }
        let session = self.game.session();
        let parsed = session.move_of(&self.position, mv);
        session.fault().raise()?;
        parsed
    }
}

impl<G: Bridge> AnyRules for Rules<G> {
    fn players(&self) -> usize {
        self.0.players()
    }

    fn hidden(&self) -> bool {
        self.0.hides()
    }

    fn has_belief(&self) -> bool {
        G::BELIEF
    }

    fn informed(&self) -> bool {
        self.0.informed()
    }

    fn strategies(&self) -> &'static [&'static str] {
        self.0.strategies()
    }

    fn potentials(&self) -> &'static [&'static str] {
        self.0.potentials()
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.traverse(visit)
    }

    fn position_of(&self, state: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyPosition>> {
        Ok(Held::boxed(&self.0, self.0.position_of(state)?))
    }

    fn start(&self) -> PyResult<Box<dyn AnyPosition>> {
        let session = self.0.session();
        let position = session.start();
        session.fault().raise()?;
        Ok(Held::boxed(&self.0, position))
    }

    fn read(&self, py: Python<'_>, text: &str, past: Vec<u64>) -> PyResult<Box<dyn AnyPosition>> {
        let session = self.0.session();
        let position = session.read_position(py, text)?;
        session.fault().raise()?;
        Ok(Held::after_all(&self.0, position, past))
    }

    fn graph(&self, py: Python<'_>) -> PyResult<Graph> {
        let game = &*self.0;
        if !G::RANKED {
            return Err(not_supported(py, "this game does not number its positions, so that its graph is not known"));
        }
        let found = interrupt::run(py, &Fault::default(), 1, |stop| kibitz_solve::graph::Graph::of(game, stop))?;
        match found {
            Ok(Some(graph)) => Ok(Graph(graph)),
            Ok(None) => Err(not_supported(py, "the graph was not finished")),
            Err(error) => Err(not_supported(py, error.to_string())),
        }
    }

    fn strong(&self, py: Python<'_>, question: Question) -> PyResult<Strong> {
        strong::solve(py, &self.0, question)
    }

    fn unrank(&self, slice: u32, rank: u64) -> Option<Box<dyn AnyPosition>> {
        self.0.unrank(Slice(slice), rank).map(|position| Held::boxed(&self.0, position))
    }
}

impl<G: Bridge> AnyPosition for Held<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn turn(&self) -> Turn {
        if self.repeated().is_some() { Turn::Over } else { self.game.turn(&self.position) }
    }

    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let moves = self.legal()?;
        moves.into_iter().map(|mv| self.game.move_object(py, &self.position, mv)).collect()
    }

    fn play(&self, mv: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyPosition>> {
        let mv = self.parse(mv)?;
        let mut position = self.position.clone();
        self.ask(|game| game.play(&mut position, mv))?;
        let past = self.past.after(&*self.game, &self.position, &position);
        Ok(Box::new(Self { game: self.game.clone(), position, past }))
    }

    fn move_text(&self, mv: &Bound<'_, PyAny>) -> PyResult<String> {
        let mv = self.parse(mv)?;
        self.ask(|game| game.write_move(&self.position, mv))
    }

    fn result(&self) -> PyResult<Option<Vec<f64>>> {
        if let Some(scores) = self.repeated() {
            return Ok(Some(scores.into_iter().map(|score| self.game.result(f64::from(score))).collect()));
        }
        if self.turn() != Turn::Over {
            return Ok(None);
        }
        self.ask(|game| Some(game.results(&self.position)))
    }

    fn outcomes(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, f64)>> {
        if self.turn() != Turn::Chance {
            return Ok(Vec::new());
        }
        let outcomes = self.ask(|game| {
            let mut outcomes = Vec::new();
            game.outcomes(&self.position, &mut outcomes);
            outcomes
        })?;
        let object = |(mv, probability)| Ok((self.game.move_object(py, &self.position, mv)?, probability));
        outcomes.into_iter().map(object).collect()
    }

    fn evaluate(&self, player: usize) -> PyResult<f64> {
        if let Some(score) = self.past.score(&*self.game, &self.position, player) {
            return Ok(self.game.result(f64::from(score)));
        }
        self.ask(|game| {
            let over = game.turn(&self.position) == Turn::Over;
            let score = if over { game.score(&self.position, player) } else { game.evaluate(&self.position, player) };
            game.result(f64::from(score))
        })
    }

    fn progress(&self) -> PyResult<Option<u32>> {
        self.ask(|game| game.progress(&self.position))
    }

    fn text(&self) -> PyResult<String> {
        self.ask(|game| game.write(&self.position))
    }

    fn board(&self) -> PyResult<String> {
        self.ask(|game| game.board(&self.position))
    }

    fn svg(&self, mv: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let mv = mv.map(|mv| self.parse(mv)).transpose()?;
        self.ask(|game| {
            let drawn = mv.and_then(|mv| game.svg_of_move(&self.position, mv));
            drawn.unwrap_or_else(|| game.svg(&self.position))
        })
    }

    fn svg_of_view(&self, player: usize) -> PyResult<String> {
        self.ask(|game| game.svg_of_view(&self.position, player))
    }

    fn cells(&self, viewer: Option<usize>) -> PyResult<Vec<Cell>> {
        self.ask(|game| match viewer {
            Some(player) => game.cells_of_view(&self.position, player),
            None => game.cells(&self.position),
        })
    }

    fn clicks(&self, mv: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<String>>> {
        let mv = self.parse(mv)?;
        self.ask(|game| game.clicks(&self.position, mv, &game.cells(&self.position)))
    }

    fn paths(&self) -> PyResult<Vec<(String, Vec<Vec<String>>)>> {
        let moves = self.legal()?;
        self.ask(|game| {
            let cells = game.cells(&self.position);
            let path = |mv: G::Move| (game.write_move(&self.position, mv), game.clicks(&self.position, mv, &cells));
            moves.into_iter().map(path).collect()
        })
    }

    fn svg_of_line(&self, moves: Vec<Bound<'_, PyAny>>) -> PyResult<Option<String>> {
        let session = self.game.session();
        let mut position = self.position.clone();
        let mut line = Vec::with_capacity(moves.len());
        for mv in &moves {
            let Turn::Player(_) = session.turn(&position) else {
                return Err(illegal_move(mv.py(), format!("{mv} is no move: it is nobody's turn")));
            };
            let mv = session.move_of(&position, mv)?;
            session.play(&mut position, mv);
            session.fault().raise()?;
            line.push(mv);
        }
        self.ask(|game| game.svg_of_line(&self.position, &line))
    }

    fn key(&self) -> PyResult<u64> {
        self.ask(|game| game.key(&self.position))
    }

    fn past(&self) -> &[u64] {
        self.past.keys()
    }

    fn view(&self, player: usize) -> PyResult<String> {
        self.ask(|game| game.view(&self.position, player))
    }

    fn guess(&self, py: Python<'_>, player: usize, seed: u64) -> PyResult<Box<dyn AnyPosition>> {
        let position = self.ask(|game| game.guess(&self.position, player, &mut Random::new(seed)))?;
        let opened = self.game.opened().map(Arc::new);
        if opened.is_none() && self.game.hides() {
            return Err(not_supported(py, "this game cannot be played with everything in plain sight: use IsMcts"));
        }
        let game = opened.unwrap_or_else(|| self.game.clone());
        Ok(Box::new(Self { game, position, past: self.past.clone() }))
    }

    fn state(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.game.state(py, &self.position)
    }

    fn place(&self) -> Option<(u32, u64)> {
        self.game.place(&self.position).map(|place| (place.slice.0, place.rank))
    }

    fn equals(&self, other: &dyn AnyPosition) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| self.position == other.position)
    }

    fn search<'py>(&self, py: Python<'py>, job: &Job<'py>) -> PyResult<Bound<'py, PyDict>> {
        let game = self.game.session();
        if let Some(scores) = self.repeated() {
            let value = game.result(f64::from(scores[0]));
            let report = Report { value, proven: true, ..Report::new() };
            return report_dict(py, &*game, &self.position, &report);
        }
        searching::search(py, &game, &self.position, self.past.keys(), job)
    }

    fn solve<'py>(&self, py: Python<'py>, job: &proof::Job<'py>) -> PyResult<Bound<'py, PyDict>> {
        proof::solve(py, &*self.game.session(), &self.position, self.past.keys(), job)
    }

    fn proven_strategies(&self, py: Python<'_>, job: &proof::Job<'_>, kept: &Memory) -> PyResult<Vec<Strategy>> {
        proof::strategies(py, &*self.game.session(), &self.position, self.past.keys(), job, kept)
    }

    fn check<'py>(
        &self,
        py: Python<'py>,
        strategy: &Strategy,
        database: Option<&Database>,
        sample: Sample,
    ) -> PyResult<Bound<'py, PyDict>> {
        proof::check(py, &*self.game.session(), &self.position, self.past.keys(), strategy, database, sample)
    }

    fn strategy_move(&self, py: Python<'_>, strategy: &Strategy) -> PyResult<Option<(Py<PyAny>, u32)>> {
        proof::move_of(py, &*self.game.session(), &self.position, strategy)
    }

    fn perft(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<u64> {
        if self.repeated().is_some() {
            return Ok(u64::from(depth == 0));
        }
        let stack = recursion(depth);
        let game = self.game.session();
        let fault = game.fault();
        let count = if G::IN_PYTHON {
            one_thread(py, threads)?;
            require_stack(py, stack)?;
            let watch = fault.clone();
            let out = perft(&*game, &self.position, depth, 1, &Stop::polling(1, move || watch.is_set()));
            fault.raise()?;
            out
        } else {
            let (game, position) = (&*game, &self.position);
            interrupt::run(py, &fault, threads, |stop| {
                stacker::maybe_grow(stack, stack, || perft(game, position, depth, threads, stop))
            })?
        };
        Ok(count.unwrap_or(0))
    }

    fn strategies(&self) -> &'static [&'static str] {
        self.game.strategies()
    }

    fn playouts<'py>(
        &self,
        py: Python<'py>,
        style: Style,
        count: u64,
        seed: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let game = self.game.session();
        let fault = game.fault();
        let out = if let Some(scores) = self.repeated() {
            let results = scores.into_iter().map(|score| game.result(f64::from(score)));
            let sums = |power: i32| results.clone().map(|result| count as f64 * result.powi(power)).collect();
            let best = results.clone().collect();
            Playouts { count, sum: sums(1), squares: sums(2), best, ..Playouts::default() }
        } else if G::IN_PYTHON {
            one_thread(py, threads)?;
            let watch = fault.clone();
            let stop = Stop::polling(1, move || watch.is_set());
            let out = playouts(&*game, &self.position, style, count, seed, 1, &stop);
            fault.raise()?;
            out
        } else {
            let (game, position) = (&*game, &self.position);
            interrupt::run(py, &fault, threads, |stop| playouts(game, position, style, count, seed, threads, stop))?
        };
        playouts_dict(py, &out, style)
    }
}
