//! Games written in Python: the one adapter through which every algorithm reaches them.
//!
//! The interpreter lock is held for the whole search. A visited position is asked once for each thing it knows; a move is an
//! index into its position's own list of moves, so nothing is hashed or compared. An exception raised by the user's
//! methods is kept and ends the search, which then raises it unchanged.

mod asked;

use std::sync::Arc;

use kibitz_game::{
    AnyTurn, BadText, Cell, Chance, Draw, Evaluate, Game, Hidden, Order, Playout, Puzzle, Random, Range, Ranked,
    Repetition, Score, Turn, text,
};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use pyo3::{PyTraverseError, PyVisit};

use crate::bridge::Bridge;
use crate::errors::{bad_position, illegal_move};
use crate::interrupt::Fault;
use asked::Methods;
pub use asked::{Position, PythonGame};

/// Moves with greater numbers share the history entries of smaller ones.
const INDICES: usize = 4096;

impl Game for PythonGame {
    type Position = Position;
    type Move = u32;
    const SLOW: bool = true;
    const MANY: bool = true;

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
        let Methods {
            start,
            moves,
            play,
            turn,
            result,
            evaluate,
            bounds,
            progress,
            chance,
            key,
            text,
            parse,
            board,
            svg,
            cells,
            ..
        } = &*self.methods;
        for method in [start, moves, play, turn, result] {
            method.traverse(visit)?;
        }
        for method in [evaluate, bounds, progress, chance, key, text, parse, board, svg, cells].into_iter().flatten() {
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

    fn bounds(&self, position: &Position, player: usize) -> Range {
        let Some(bounds) = &self.methods.bounds else { return self.range(player) };
        let Range { low, high } =
            self.guard(|| self.range(player), |py| self.bounds_of(py, &bounds.call(py, [position.0.state.bind(py)])?));
        // the author speaks of the player to move
        if position.0.turn == Turn::Player(player as u8) {
            Range { low, high }
        } else {
            Range { low: -high, high: -low }
        }
    }

    fn progress(&self, position: &Position) -> Option<u32> {
        let progress = self.methods.progress.as_ref()?;
        Some(self.guard(|| 0, |py| self.progress_of(py, &progress.call(py, [position.0.state.bind(py)])?)))
    }
}

impl PythonGame {
    /// The number of a move among all those seen.
    fn number(&self, position: &Position, mv: u32) -> usize {
        self.guard(
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
        )
    }
}

impl Order for PythonGame {
    fn indices(&self) -> usize {
        INDICES
    }

    fn index(&self, position: &Position, mv: u32) -> usize {
        self.number(position, mv) % INDICES
    }
}

impl Ranked for PythonGame {}
impl Puzzle for PythonGame {
    const SOLITAIRE: bool = true;

    fn code(&self, position: &Position, mv: u32) -> u64 {
        self.number(position, mv) as u64
    }
}

impl Chance for PythonGame {
    const CHANCE: bool = true;

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
impl Repetition for PythonGame {}
impl AnyTurn for PythonGame {}

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

    fn cells(&self, position: &Position) -> Vec<Cell> {
        self.guard(Vec::new, |py| self.cells_of(py, position))
    }
}
