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
    /// The legal moves of the players in all of their positions, if they were asked for.
    pub legal: u64,
    /// The best result of each player.
    pub best: Vec<f64>,
    /// How many did not end within the limit and were judged by the evaluation.
    pub cut: u64,
    /// The time they took.
    pub time: Duration,
}

/// How the games are played, and what is counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// One of the game's own strategies instead of uniformly random play.
    pub strategy: Option<usize>,
    /// The probability of a random move where there is a strategy.
    pub epsilon: f64,
    /// Whether legal moves are counted, which takes much longer than playing one of them.
    pub branching: bool,
}

/// Each batch has its own stream of random numbers, so the result does not depend on the number of threads.
const BATCH: u64 = 256;

/// So many batches are handed out at a time.
const WAVE: u64 = 1024;

/// Plays `count` games from a position. Fewer when stopped.
pub fn playouts<G: Playout + Evaluate>(
    game: &G,
    position: &G::Position,
    style: Style,
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
            out.play(game, position, style, BATCH.min(count - batch * BATCH), Random::stream(seed, batch), stop);
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
        Self {
            sum: vec![0.0; players],
            squares: vec![0.0; players],
            best: vec![f64::NEG_INFINITY; players],
            ..Self::default()
        }
    }

    fn joined(mut self, other: Self) -> Self {
        self.count += other.count;
        self.plies += other.plies;
        self.legal += other.legal;
        self.cut += other.cut;
        self.best.iter_mut().zip(other.best).for_each(|(a, b)| *a = a.max(b));
        self.sum.iter_mut().zip(other.sum).for_each(|(a, b)| *a += b);
        self.squares.iter_mut().zip(other.squares).for_each(|(a, b)| *a += b);
        self
    }

    fn play<G: Playout + Evaluate>(
        &mut self,
        game: &G,
        position: &G::Position,
        style: Style,
        count: u64,
        mut random: Random,
        stop: &Stop,
    ) {
        let (mut buffer, mut line) = (Vec::new(), Vec::new());
        for i in 0..count {
            let mut end = position.clone();
            self.plies += u64::from(if style.strategy.is_none() && !style.branching {
                game.playout(&mut end, &mut random, &mut buffer, LONGEST)
            } else {
                line.clear();
                let strategy = style.strategy.unwrap_or(usize::MAX);
                let (random, buffer, line) = (&mut random, &mut buffer, &mut line);
                game.play_strategically(strategy, style.epsilon, &mut end, random, buffer, line, LONGEST)
            });
            if style.branching {
                let mut position = position.clone();
                for &mv in &line {
                    if let Turn::Player(_) = game.turn(&position) {
                        buffer.clear();
                        game.moves(&position, &mut buffer);
                        self.legal += buffer.len() as u64;
                    }
                    game.play(&mut position, mv);
                }
            }
            let over = game.turn(&end) == Turn::Over;
            if stop.raised() || (G::SLOW || i % 64 == 63) && stop.ask() {
                return;
            }
            self.count += 1;
            self.cut += u64::from(!over);
            for (player, (sum, squares)) in self.sum.iter_mut().zip(&mut self.squares).enumerate() {
                let score = if over { game.score(&end, player) } else { game.evaluate(&end, player) };
                let result = game.result(f64::from(score));
                self.best[player] = self.best[player].max(result);
                *sum += result;
                *squares += result * result;
            }
        }
    }
}
