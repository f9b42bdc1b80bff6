//! Times the searches of the crate `minimax` and those of kibitz on Connect Four, in one process and on the same rules, and
//! prints JSON.
//!
//! ```text
//! cargo run --release -- DEPTH SIMULATIONS ROUNDS
//! ```

mod rules;

use std::sync::atomic::Ordering;
use std::time::Instant;

use kibitz_game::{Game as _, Limits, Stop};
use kibitz_search::{AlphaBeta, Context, Report, Uct};
use minimax::{
    IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, ParallelOptions, ParallelSearch, Strategy,
};

use rules::{Position, REACHED, Rules, State, Value, connect_four};

/// Positions with their names: the start, and one in the middle of a game.
const POSITIONS: [(&str, &str); 2] = [
    ("start", "......./......./......./......./......./....... X"),
    ("middle", "......./......./...X.../...O.../..OXO../.XOXX.O X"),
];

const MEGABYTE: usize = 1 << 20;

/// What both sides are asked for.
#[derive(Clone, Copy)]
struct Task {
    position: Position,
    depth: u8,
    simulations: u32,
}

/// A search that can be timed; it returns what it visited and the move it would play.
type Contestant = fn(Task) -> (u64, Option<u8>);

/// A contestant of a table.
struct Entry {
    name: &'static str,
    /// What is equal on both sides: the depth or the simulations.
    family: &'static str,
    side: &'static str,
    threads: usize,
    timed: Contestant,
    /// The same search, counting its nodes where it does not do so by itself.
    counted: Contestant,
}

fn ours(limits: &Limits, search: impl Fn(&mut Context<'_, u8>) -> Report<u8>) -> (u64, Option<u8>) {
    let report = search(&mut Context { limits, past: &[], stop: &Stop::new(), progress: &mut |_| {} });
    (report.nodes, report.best)
}

fn alpha_beta(task: Task) -> (u64, Option<u8>) {
    let limits = Limits { depth: Some(u32::from(task.depth)), ..Limits::default() };
    ours(&limits, |context| {
        AlphaBeta::default().search(connect_four(), &task.position, context).expect("Connect Four is searchable")
    })
}

fn uct(task: Task) -> (u64, Option<u8>) {
    let limits = Limits { simulations: Some(u64::from(task.simulations)), ..Limits::default() };
    ours(&limits, |context| {
        Uct::default().search(connect_four(), &task.position, context).expect("Connect Four is searchable")
    })
}

fn deepen<S: Strategy<Rules<C>>, const C: bool>(mut strategy: S, task: Task) -> (u64, Option<u8>) {
    REACHED.store(0, Ordering::Relaxed);
    strategy.set_max_depth(task.depth);
    let best = strategy.choose_move(&State::new(task.position));
    (REACHED.load(Ordering::Relaxed), best)
}

/// With its own defaults, among them a table of one megabyte.
fn iterative<const C: bool>(task: Task) -> (u64, Option<u8>) {
    deepen(IterativeSearch::new(Value::<C>, IterativeOptions::new()), task)
}

/// With a table as large as ours.
fn iterative_64<const C: bool>(task: Task) -> (u64, Option<u8>) {
    let options = IterativeOptions::new().with_table_byte_size(64 * MEGABYTE);
    deepen(IterativeSearch::new(Value::<C>, options), task)
}

/// With a table as large as ours and its history heuristic.
fn iterative_history<const C: bool>(task: Task) -> (u64, Option<u8>) {
    let options = IterativeOptions::new().with_table_byte_size(64 * MEGABYTE).with_countermove_history();
    deepen(IterativeSearch::new(Value::<C>, options), task)
}

fn parallel<const C: bool>(task: Task) -> (u64, Option<u8>) {
    let options = IterativeOptions::new().with_table_byte_size(64 * MEGABYTE);
    deepen(ParallelSearch::new(Value::<C>, options, ParallelOptions::new().with_num_threads(2)), task)
}

fn monte_carlo<const C: bool>(task: Task) -> (u64, Option<u8>) {
    REACHED.store(0, Ordering::Relaxed);
    let mut search = MonteCarloTreeSearch::<Rules<C>>::new(MCTSOptions::default().with_num_threads(1));
    search.set_max_rollouts(task.simulations);
    let best = search.choose_move(&State::new(task.position));
    (REACHED.load(Ordering::Relaxed), best)
}

macro_rules! peer {
    ($name:literal, $family:literal, $threads:literal, $function:ident) => {
        Entry {
            name: $name,
            family: $family,
            side: "minimax",
            threads: $threads,
            timed: $function::<false>,
            counted: $function::<true>,
        }
    };
}

const ENTRIES: [Entry; 7] = [
    Entry { name: "AlphaBeta", family: "depth", side: "kibitz", threads: 1, timed: alpha_beta, counted: alpha_beta },
    peer!("IterativeSearch, its defaults (1 MB)", "depth", 1, iterative),
    peer!("IterativeSearch, 64 MB", "depth", 1, iterative_64),
    peer!("IterativeSearch, 64 MB, history", "depth", 1, iterative_history),
    peer!("ParallelSearch, 64 MB, 2 threads", "depth", 2, parallel),
    Entry { name: "Uct", family: "simulations", side: "kibitz", threads: 1, timed: uct, counted: uct },
    peer!("MonteCarloTreeSearch", "simulations", 1, monte_carlo),
];

/// Interleaves the contestants, so that a slow moment of the machine hits all of them.
fn time_all(task: Task, rounds: usize) -> Vec<Vec<f64>> {
    let mut seconds = vec![Vec::new(); ENTRIES.len()];
    for _ in 0..rounds {
        for (entry, seconds) in ENTRIES.iter().zip(&mut seconds) {
            let begin = Instant::now();
            (entry.timed)(task);
            seconds.push(begin.elapsed().as_secs_f64());
        }
    }
    seconds
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let &[depth, simulations, rounds] = numbers.as_slice() else {
        eprintln!("give three numbers: DEPTH SIMULATIONS ROUNDS");
        std::process::exit(2);
    };
    let game = connect_four();
    let mut lines = Vec::new();
    for (place, text) in POSITIONS {
        let position = game.read(text).expect("the positions are legal");
        let task = Task { position, depth: depth.min(42) as u8, simulations };
        let seconds = time_all(task, rounds.max(1) as usize);
        for (entry, seconds) in ENTRIES.iter().zip(seconds) {
            let (nodes, best) = (entry.counted)(task);
            let best = best.map_or(String::new(), |mv| game.write_move(&position, mv));
            let amount = if entry.family == "depth" { u32::from(task.depth) } else { simulations };
            lines.push(format!(
                "{{\"position\": \"{place}\", \"family\": \"{}\", \"amount\": {amount}, \"side\": \"{}\", \"name\": \
                 \"{}\", \"threads\": {}, \"nodes\": {nodes}, \"best\": \"{best}\", \"seconds\": {seconds:?}}}",
                entry.family, entry.side, entry.name, entry.threads,
            ));
        }
    }
    println!("[\n{}\n]", lines.join(",\n"));
}
