//! Times nested rollout policy adaptation of the crate `morpion-solitaire` and of kibitz on Morpion Solitaire, in one process, with the same
//! level and iterations on one thread, and prints JSON.
//!
//! ```text
//! cargo run --release -- MILLISECONDS ROUNDS
//! ```

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use kibitz_game::{Configure, Game as _, Limits, Params, Stop, Value};
use kibitz_games::Morpion;
use kibitz_search::{Context, NestedRollout};
use morpion_solitaire::game::{rules::Variant, state::GameState};
use morpion_solitaire::search::{nrpa, SearchState};

const LEVEL: u32 = 3;
const ITERATIONS: u32 = 100;

/// Both games with five dots in a line, by their names here and there.
const VARIANTS: [(&str, Variant); 2] = [("5T", Variant::T5), ("5D", Variant::D5)];

/// What a search did: its time, the positions of its playouts, and the moves of its best game.
struct Round {
    seconds: f64,
    positions: u64,
    best: u32,
}

fn ours(variant: &str, seed: u64, time: Duration) -> Round {
    let given = [("variant".to_owned(), Value::Word(variant.to_owned()))];
    let params = Params::complete(&Morpion::parameters(), given).expect("the parameter exists");
    let game = Morpion::configure(&params).expect("the variant exists");
    let search = NestedRollout { level: LEVEL, iterations: ITERATIONS, seed, ..NestedRollout::default() };
    let limits = Limits { time: Some(time), ..Limits::default() };
    let begin = Instant::now();
    let report = search
        .search(&game, &game.start(), &mut Context { limits: &limits, past: &[], stop: &Stop::new(), progress: &mut |_| {} })
        .expect("it is a game for one");
    Round { seconds: begin.elapsed().as_secs_f64(), positions: report.nodes, best: report.value as u32 }
}

/// With its own defaults but for the iterations. It counts one position more for each playout than it has moves.
fn theirs(variant: Variant, time: Duration) -> Round {
    let (search, start) = (SearchState::new(), GameState::new(variant));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let shared = search.clone();
        let worker = scope.spawn(move || nrpa::run(&start, shared, LEVEL as usize));
        std::thread::sleep(time);
        search.running.store(false, Relaxed);
        worker.join().expect("it does not panic");
    });
    Round {
        seconds: begin.elapsed().as_secs_f64(),
        positions: search.nodes_explored.load(Relaxed),
        best: search.best_score.load(Relaxed),
    }
}

fn entry(variant: &str, side: &str, rounds: &[Round]) -> String {
    let list = |what: &dyn Fn(&Round) -> String| rounds.iter().map(what).collect::<Vec<_>>().join(", ");
    format!(
        "{{\"variant\": \"{variant}\", \"side\": \"{side}\", \"seconds\": [{}], \"positions\": [{}], \"best\": [{}]}}",
        list(&|round| round.seconds.to_string()),
        list(&|round| round.positions.to_string()),
        list(&|round| round.best.to_string()),
    )
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("MILLISECONDS ROUNDS"));
    let time = Duration::from_millis(numbers.next().unwrap_or(2000));
    let rounds = numbers.next().unwrap_or(3);
    std::env::set_var("NRPA_ITERS", ITERATIONS.to_string());
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("it is the first one");
    let mut entries = Vec::new();
    for (name, variant) in VARIANTS {
        let (mut mine, mut other) = (Vec::new(), Vec::new());
        for seed in 1..=rounds {
            mine.push(ours(name, seed, time));
            other.push(theirs(variant, time));
        }
        entries.push(entry(name, "kibitz", &mine));
        entries.push(entry(name, "morpion-solitaire", &other));
    }
    println!("[{}]", entries.join(",\n "));
}
