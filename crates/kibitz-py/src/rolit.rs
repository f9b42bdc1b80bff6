//! The training of Rolit's tables of patterns: games of Othello that alpha-beta plays against itself.

use kibitz_game::{Configure, Game, Limits, Params, Playout, Random, Stop, Turn, Value};
use kibitz_games::Othello;
use kibitz_games::rolit::training::Learned;
use kibitz_search::{AlphaBeta, Context};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::bad_parameter;
use crate::interrupt::{self, Fault};

/// A training on its way; `kibitz.rolit` has what people use.
#[pyclass(module = "kibitz._core")]
pub struct RolitTraining {
    learned: Learned,
    games: u64,
    seed: u64,
    depth: u32,
}

#[pymethods]
impl RolitTraining {
    /// A training whose players look so many moves ahead.
    #[new]
    fn new(py: Python<'_>, seed: u64, depth: u32) -> PyResult<Self> {
        if !(1..=12).contains(&depth) {
            return Err(bad_parameter(py, format!("depth={depth} is not between 1 and 12")));
        }
        Ok(Self { learned: Learned::default(), games: 0, seed, depth })
    }

    /// Games played so far.
    #[getter]
    fn games(&self) -> u64 {
        self.games
    }

    /// How many patterns have occurred so far.
    #[getter]
    fn known(&self) -> usize {
        self.learned.known()
    }

    /// Plays so many more games.
    fn run(&mut self, py: Python<'_>, games: u64, threads: usize) -> PyResult<()> {
        let given = [("result".to_owned(), Value::Word("discs".to_owned()))];
        let othello = Params::complete(&Othello::parameters(), given)
            .and_then(|params| Othello::configure(&params))
            .map_err(|bad| bad_parameter(py, bad.0))?;
        let (from, to) = (self.games, self.games.saturating_add(games));
        let (seed, depth, threads) = (self.seed, self.depth, threads.max(1) as u64);
        let fault = Fault::default();
        let parts = interrupt::run(py, &fault, threads as usize, |stop| {
            // sums do not depend on their order, so neither do the tables on the number of threads
            let part = |thread: u64| {
                let mut learned = Learned::default();
                for game in (from..to).filter(|game| game % threads == thread) {
                    if stop.ask() {
                        break;
                    }
                    learn(&othello, seed, game, depth, stop, &mut learned);
                }
                learned
            };
            std::thread::scope(|scope| {
                let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || part(thread))).collect();
                let own = part(0);
                let others = others.into_iter().filter_map(|other| other.join().ok());
                std::iter::once(own).chain(others).collect::<Vec<Learned>>()
            })
        })?;
        for part in &parts {
            self.learned.merge(part);
        }
        self.games = to;
        Ok(())
    }

    /// The tables as the game takes them.
    fn tables<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.learned.file())
    }
}

/// So many empty squares are searched to the end.
const SOLVED: u32 = 8;

/// Plays a game whose beginning, of four to sixteen moves, is random, and learns from all of its positions.
fn learn(othello: &Othello, seed: u64, number: u64, depth: u32, stop: &Stop, learned: &mut Learned) {
    let mut random = Random::stream(seed, number);
    let opening = 4 + random.below(13);
    let player = AlphaBeta { tt_mb: 0, etc: false, ..AlphaBeta::default() };
    let (mut position, mut buffer, mut passed) = (othello.start(), Vec::new(), Vec::with_capacity(64));
    while othello.turn(&position) != Turn::Over {
        let [black, white] = position.black_and_white();
        passed.push([black, white]);
        let empty = (black | white).count_zeros();
        let searched = if passed.len() <= opening {
            None
        } else {
            let limits = Limits { depth: Some(if empty <= SOLVED { SOLVED } else { depth }), ..Limits::default() };
            let context = &mut Context { limits: &limits, stop, past: &[], progress: &mut |_| {} };
            player.search(othello, &position, context).ok().and_then(|report| report.best)
        };
        let mv = searched.unwrap_or_else(|| othello.random_move(&position, &mut random, &mut buffer));
        othello.play(&mut position, mv);
    }
    let [black, white] = position.black_and_white();
    let more = black.count_ones() as i32 - white.count_ones() as i32;
    passed.push([black, white]);
    for discs in passed {
        learned.add(discs, more);
    }
}
