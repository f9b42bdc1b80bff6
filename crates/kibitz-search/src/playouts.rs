//! Random games, many of them.

use kibitz_game::{Evaluate, Playout, Random, Stop, Turn};
use rayon::prelude::*;
use std::time::{Duration, Instant};

use crate::LONGEST;

/// What many random games gave.
#[derive(Clone, Debug, Default)]
pub struct Playouts {
    /// How many were played.
    pub count: u64,
    /// The sum of the results of each player.
    pub sum: Vec<f64>,
    /// The sum of the squares of the results of each player.
    pub squares: Vec<f64>,
    /// Moves played in all of them.
    pub plies: u64,
    /// How many did not end within the limit and were judged by the evaluation.
    pub cut: u64,
    /// The time they took.
    pub time: Duration,
}

/// Each batch has its own stream of random numbers, so the result does not depend on the number of threads.
const BATCH: u64 = 256;

/// So many batches are handed out at a time.
const WAVE: u64 = 1024;

/// Plays `count` uniformly random games from a position. Fewer when stopped.
pub fn playouts<G: Playout + Evaluate>(
    game: &G,
    position: &G::Position,
    count: u64,
    seed: u64,
    threads: usize,
    stop: &Stop,
) -> Playouts {
    let begin = Instant::now();
    let batches = count.div_ceil(BATCH);
    let run = |batch: u64| {
        let mut out = Playouts::empty(game.players());
        if !stop.ask() {
            out.play(game, position, BATCH.min(count - batch * BATCH), Random::stream(seed, batch), stop);
        }
        out
    };
    // in waves, so that neither memory nor the way to a stop grows with the number of games
    let pool = if threads > 1 { rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok() } else { None };
    let mut total = Playouts::empty(game.players());
    let mut next = 0;
    while next < batches && !stop.raised() {
        let wave = next..batches.min(next + WAVE);
        next = wave.end;
        let parts: Vec<Playouts> = match &pool {
            Some(pool) => pool.install(|| wave.into_par_iter().map(run).collect()),
            None => wave.map(run).collect(),
        };
        total = parts.into_iter().fold(total, Playouts::joined);
    }
    total.time = begin.elapsed();
    total
}

impl Playouts {
    fn empty(players: usize) -> Self {
        Self { sum: vec![0.0; players], squares: vec![0.0; players], ..Self::default() }
    }

    fn joined(mut self, other: Self) -> Self {
        self.count += other.count;
        self.plies += other.plies;
        self.cut += other.cut;
        self.sum.iter_mut().zip(other.sum).for_each(|(a, b)| *a += b);
        self.squares.iter_mut().zip(other.squares).for_each(|(a, b)| *a += b);
        self
    }

    fn play<G: Playout + Evaluate>(
        &mut self,
        game: &G,
        position: &G::Position,
        count: u64,
        mut random: Random,
        stop: &Stop,
    ) {
        let mut buffer = Vec::new();
        for i in 0..count {
            let mut end = position.clone();
            self.plies += u64::from(game.playout(&mut end, &mut random, &mut buffer, LONGEST));
            let over = game.turn(&end) == Turn::Over;
            if stop.raised() || (G::SLOW || i % 64 == 63) && stop.ask() {
                return;
            }
            self.count += 1;
            self.cut += u64::from(!over);
            for (player, (sum, squares)) in self.sum.iter_mut().zip(&mut self.squares).enumerate() {
                let score = if over { game.score(&end, player) } else { game.evaluate(&end, player) };
                let result = game.result(f64::from(score));
                *sum += result;
                *squares += result * result;
            }
        }
    }
}
