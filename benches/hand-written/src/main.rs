//! Times an alpha-beta that was written by hand for Breakthrough beside the one of kibitz, which is written once for all
//! games, in one process and on the same rules, and prints JSON.
//!
//! ```text
//! cargo run --release -- DEPTH ROUNDS
//! ```

mod search;

use std::time::Instant;

use kibitz_game::{Configure, Game, Limits, Params, Stop};
use kibitz_search::{AlphaBeta, Context};

use search::{Found, Position, Rules};

/// Positions with their names: the start, and one in the middle of a game.
const POSITIONS: [(&str, &str); 2] = [
    ("start", "bbbbbbbb/bbbbbbbb/......../......../......../......../wwwwwwww/wwwwwwww w"),
    ("middle", "bb.bbb.b/.bb..bb./b..b..../...w..b./..w.b.../.w...w../w.ww.ww./ww..www. w"),
];

fn generic(rules: &Rules, position: &Position, depth: u32) -> Found {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut context = Context { limits: &limits, past: &[], stop: &Stop::new(), progress: &mut |_| {} };
    let report = AlphaBeta::default().search(rules, position, &mut context).expect("Breakthrough is searchable");
    let value = (report.value * f64::from(rules.unit())).round() as i32;
    Found { value, best: report.best, nodes: report.nodes }
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let &[depth, rounds] = numbers.as_slice() else {
        eprintln!("give two numbers: DEPTH ROUNDS");
        std::process::exit(2);
    };
    let params = Params::complete(&Rules::parameters(), []).expect("the defaults are complete");
    let rules = Rules::configure(&params).expect("the defaults are legal");
    let contestants: [(&str, fn(&Rules, &Position, u32) -> Found); 2] =
        [("kibitz", generic), ("hand-written", search::search)];
    let mut lines = Vec::new();
    for (place, text) in POSITIONS {
        let position = rules.read(text).expect("the positions are legal");
        let depth = depth.clamp(1, 60);
        // in turns, so that a slow moment of the machine hits both
        let mut seconds = [Vec::new(), Vec::new()];
        for _ in 0..rounds.max(1) {
            for ((_, contestant), seconds) in contestants.iter().zip(&mut seconds) {
                let begin = Instant::now();
                contestant(&rules, &position, depth);
                seconds.push(begin.elapsed().as_secs_f64());
            }
        }
        for ((side, contestant), seconds) in contestants.iter().zip(seconds) {
            let Found { value, best, nodes } = contestant(&rules, &position, depth);
            let best = best.map_or(String::new(), |mv| rules.write_move(&position, mv));
            lines.push(format!(
                "{{\"position\": \"{place}\", \"depth\": {depth}, \"side\": \"{side}\", \"value\": {value}, \"best\": \
                 \"{best}\", \"nodes\": {nodes}, \"seconds\": {seconds:?}}}"
            ));
        }
    }
    println!("[\n{}\n]", lines.join(",\n"));
}
