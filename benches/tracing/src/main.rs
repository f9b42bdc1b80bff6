//! Times searches that nobody asks to write their tree down, and prints JSON.
//!
//! Built with the feature `trace` it is the code of kibitz; without it nothing of tracing is compiled. Who runs both in turns
//! sees what the possibility costs.
//!
//! ```text
//! cargo run --release --features trace -- DEPTH ROUNDS
//! ```

use std::time::Instant;

use kibitz_game::{Configure, Limits, Params, Stop};
use kibitz_games::{Breakthrough, ChanceBreakthrough};
use kibitz_search::{AlphaBeta, Context, Report, Scout, Searchable, StarMinimax};

fn made<G: Configure>() -> G {
    let params = Params::complete(&G::parameters(), []).expect("the defaults are complete");
    G::configure(&params).expect("the defaults are legal")
}

/// Times `search` of the start position of a game.
fn timed<G: Searchable>(
    name: &str,
    game: &G,
    depth: u32,
    rounds: u32,
    search: impl Fn(&G, &G::Position, &mut Context<'_, G::Move>) -> Report<G::Move>,
) -> String {
    let position = game.start();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let once = || {
        let mut context = Context { limits: &limits, past: &[], stop: &Stop::new(), progress: &mut |_| {} };
        let begin = Instant::now();
        let report = search(game, &position, &mut context);
        (begin.elapsed().as_secs_f64(), report.nodes)
    };
    let (_, nodes) = once();
    let seconds: Vec<f64> = (0..rounds.max(1)).map(|_| once().0).collect();
    format!("{{\"search\": \"{name}\", \"depth\": {depth}, \"nodes\": {nodes}, \"seconds\": {seconds:?}}}")
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let &[depth, rounds] = numbers.as_slice() else {
        eprintln!("give two numbers: DEPTH ROUNDS");
        std::process::exit(2);
    };
    let depth = depth.clamp(2, 60);
    let (open, dice): (Breakthrough<u64>, ChanceBreakthrough<u64>) = (made(), made());
    let plain = AlphaBeta::default();
    // null windows, so that the loop with all switches is taken
    let scout = AlphaBeta { scout: Scout::NegaScout { wide: false }, ..AlphaBeta::default() };
    let star = StarMinimax::default();
    let lines = [
        timed("alpha-beta", &open, depth, rounds, |game, position, context| {
            plain.search(game, position, context).expect("Breakthrough is searchable")
        }),
        timed("NegaScout", &open, depth, rounds, |game, position, context| {
            scout.search(game, position, context).expect("Breakthrough is searchable")
        }),
        timed("Star2", &dice, depth - 1, rounds, |game, position, context| {
            star.search(game, position, context).expect("ChanceBreakthrough is searchable")
        }),
    ];
    println!("[\n{}\n]", lines.join(",\n"));
}
