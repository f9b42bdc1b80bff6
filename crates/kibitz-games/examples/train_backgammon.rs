//! Trains the weights of backgammon by self-play and prints their strength.
//!
//!     cargo run --release -p kibitz-games --example train_backgammon -- FILE [games=1000000] [seed=1] [threads=1]
//!         [rate=0.001] [lambda=0.7] [pairs=2000] [every=100000]
//!
//! FILE.training is everything that is needed to go on, and is gone on from where it exists; FILE has the weights.

use std::time::Instant;

use kibitz_game::Stop;
use kibitz_games::backgammon::training::{Opponent, Schedule, Training, trial};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("write the name of the file of weights")?;
    let (mut schedule, mut seed, mut threads, mut pairs, mut every) = (Schedule::default(), 1, 1, 2000, 100_000);
    for argument in arguments {
        let (name, value) = argument.split_once('=').ok_or("options are name=value")?;
        match name {
            "games" => schedule.games = value.parse()?,
            "seed" => seed = value.parse()?,
            "threads" => threads = value.parse()?,
            "rate" => schedule.rate = value.parse()?,
            "lambda" => schedule.lambda = value.parse()?,
            "pairs" => pairs = value.parse()?,
            "every" => every = value.parse()?,
            _ => return Err(format!("no option {name}").into()),
        }
    }
    let state = format!("{file}.training");
    let mut training = match std::fs::read(&state) {
        Ok(bytes) => Training::load(&bytes)?,
        Err(_) => Training::new(seed),
    };
    let (begin, played) = (Instant::now(), training.games());
    let mut next = training.games() + every;
    let mut failure = None;
    training.run(&schedule, threads, |training| {
        if training.games() < next && training.games() < schedule.games {
            return true;
        }
        next += every;
        let weights = training.weights();
        let saved = std::fs::write(&state, training.save()).and_then(|()| std::fs::write(&file, &weights));
        failure = saved.err();
        let seconds = begin.elapsed().as_secs_f64();
        print!("{} games, {:.0} a second", training.games(), (training.games() - played) as f64 / seconds);
        for (name, opponent) in [("pips", Opponent::Pips), ("linear", Opponent::Linear), ("network", Opponent::Network)]
        {
            if let Ok(strength) = trial(&weights, opponent, pairs, 7, threads, &Stop::new()) {
                print!(", {name} {:+.3} ± {:.3}", strength.points, strength.error);
            }
        }
        println!();
        failure.is_none()
    });
    failure.map_or(Ok(()), |error| Err(error.into()))
}
