//! TD(λ) self-play (R. Sutton 1988; G. Tesauro, *TD-Gammon*, 1995): the program plays against itself, every move the best by the
//! present weights, and each position's estimate is drawn towards those of the positions after it, the last of which is
//! the real result.
//!
//! Learning goes in batches of games that are played with the same weights, so that it does not matter how many threads play them:
//! the same seed gives the same weights on every machine. Within a batch the returns of TD(λ) are exact (the forward
//! view); their gradients, of the cross-entropy, are added up in a fixed order and followed with Adam (D. Kingma and J. Ba, 2015).
//! A game ends where both sides are home, since the databases know the rest.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kibitz_game::{BadText, Random, Stop};

use super::bear_off;
use super::board::{OFF, Side, contact};
use super::evaluation::{LEARNED, Learned, by_pips, equity};
use super::linear;
use super::network::{
    CONTACT_HIDDEN, CONTACT_INPUTS, OUTPUTS, Outcome, RACE_HIDDEN, RACE_INPUTS, Weights, activation, add, dot,
    list_inputs, sigmoid, slope, turned,
};
use super::plays::plays;
use super::weights::{self, Model};
use super::{OPENINGS, dice, roll};

/// Games that are played with the same weights.
const BATCH: u64 = 16;
/// Games whose gradients are added up by one thread.
const CHUNK: u64 = 1;
/// The first games are played by pips: random weights may find plays that go on for ever.
const BY_PIPS: u64 = 6400;
/// What has not ended after so many plays is broken off, and the last estimate stands for the result.
const LONGEST: usize = 500;

const MAGIC: &[u8; 20] = b"kibitz bg training1\n";

/// How a network learns. The same settings and seed give the same weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// All games; the rate and λ fall to nothing until then.
    pub games: u64,
    /// The rate of Adam at the beginning.
    pub rate: f32,
    /// λ at the beginning.
    pub lambda: f32,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { games: 1_000_000, rate: 0.001, lambda: 0.7 }
    }
}

/// A training on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    seed: u64,
    games: u64,
    steps: u64,
    values: Vec<f32>,
    /// Adam's means of gradients and of their squares.
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// A position on the way through a game, with the side to roll first.
struct Visit {
    own: Side,
    other: Side,
    estimate: Outcome,
}

/// What a chunk of games has taught.
struct Lesson {
    gradient: Vec<f32>,
    positions: u64,
    list: Vec<(u16, f32)>,
    visits: Vec<Visit>,
}

impl Lesson {
    fn new() -> Self {
        Self { gradient: vec![0.0; weights::SIZE], positions: 0, list: Vec::new(), visits: Vec::new() }
    }
}

/// What the end of a game is for the side that would roll next, which has lost.
fn lost(winner_home: Side, loser: Side) -> Option<Outcome> {
    if !winner_home.done() {
        return None;
    }
    let gammon = loser.count(OFF) == 0;
    let backgammon = gammon && loser.rearmost() > 18;
    Some([0.0, 0.0, 0.0, f32::from(u8::from(gammon)), f32::from(u8::from(backgammon))])
}

/// The probability to win by pips, and no gammons.
fn by_lead(own: Side, other: Side) -> Outcome {
    [f32::midpoint(1.0, by_pips(own, other)), 0.0, 0.0, 0.0, 0.0]
}

/// Chooses the best play by an estimate for the side that rolls next.
fn choose(
    own: Side,
    other: Side,
    roll: (u8, u8),
    mut estimate: impl FnMut(Side, Side) -> Outcome,
    gammons: bool,
) -> (Side, Side, Outcome) {
    let mut best = (own, other, [0.0; OUTPUTS]);
    let mut least = f32::INFINITY;
    plays(own, other, roll, |_, own, other| {
        let outcome = lost(own, other).unwrap_or_else(|| estimate(other, own));
        let value = equity(outcome, gammons);
        if value < least {
            least = value;
            best = (own, other, outcome);
        }
    });
    best
}

impl Training {
    /// A training that begins, with small random weights.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::stream(seed, u64::MAX);
        let values = (0..weights::SIZE).map(|_| (random.unit() as f32 - 0.5) * 0.2).collect();
        let zero = vec![0.0; weights::SIZE];
        Self { seed, games: 0, steps: 0, values, mean: zero.clone(), square: zero }
    }

    /// Games played so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The weights as the program takes them.
    pub fn weights(&self) -> Vec<u8> {
        weights::file(&self.values)
    }

    /// Everything that is needed to go on.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [self.seed, self.games, self.steps] {
            bytes.extend(number.to_le_bytes());
        }
        for values in [&self.values, &self.mean, &self.square] {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes
    }

    /// A training that was saved.
    pub fn load(bytes: &[u8]) -> Result<Self, BadText> {
        let bad = || BadText::new("this is no training of backgammon that was saved by this version");
        let rest = bytes.strip_prefix(MAGIC).filter(|rest| rest.len() == 24 + 12 * weights::SIZE).ok_or_else(bad)?;
        let (numbers, rest) = rest.split_at(24);
        let mut numbers = numbers.chunks_exact(8).map(|eight| u64::from_le_bytes(eight.try_into().expect("eight")));
        let mut next = || numbers.next().ok_or_else(bad);
        let (seed, games, steps) = (next()?, next()?, next()?);
        let mut floats = rest.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four")));
        let mut take = || floats.by_ref().take(weights::SIZE).collect::<Vec<f32>>();
        let training = Self { seed, games, steps, values: take(), mean: take(), square: take() };
        if training.values.iter().chain(&training.mean).chain(&training.square).any(|value| !value.is_finite()) {
            return Err(bad());
        }
        Ok(training)
    }

    /// Plays up to `schedule.games` games in all on so many threads, and asks after each batch whether to go on.
    pub fn run(&mut self, schedule: &Schedule, threads: usize, mut go_on: impl FnMut(&Self) -> bool) {
        let chunks = (BATCH / CHUNK) as usize;
        let lessons: Vec<Mutex<Lesson>> = (0..chunks).map(|_| Mutex::new(Lesson::new())).collect();
        // a batch takes milliseconds, beside which starting threads is nothing
        while self.games < schedule.games {
            let left = (schedule.games - self.games) as f32 / schedule.games as f32;
            let model = Model::of(&self.values);
            let learned = model.learned();
            let next = AtomicUsize::new(0);
            let work = || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(lesson) = lessons.get(index) else { break };
                    let mut lesson = lesson.lock().expect("no thread panics");
                    lesson.gradient.fill(0.0);
                    lesson.positions = 0;
                    for game in 0..CHUNK {
                        let number = self.games + index as u64 * CHUNK + game;
                        let random = Random::stream(self.seed, number);
                        lesson.learn(&model, &learned, random, schedule.lambda * left, number < BY_PIPS);
                    }
                }
            };
            if threads > 1 {
                std::thread::scope(|scope| {
                    for _ in 0..threads.min(chunks) {
                        scope.spawn(work);
                    }
                });
            } else {
                work();
            }
            self.follow(&lessons, schedule.rate * left.max(0.01));
            self.games += BATCH;
            if !go_on(self) {
                return;
            }
        }
    }

    /// One step of Adam along the gradients of a batch.
    fn follow(&mut self, lessons: &[Mutex<Lesson>], rate: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        let lessons: Vec<_> = lessons.iter().map(|lesson| lesson.lock().expect("no thread panics")).collect();
        let positions = lessons.iter().map(|lesson| lesson.positions).sum::<u64>().max(1);
        let mut gradient = vec![0.0f32; weights::SIZE];
        for lesson in &lessons {
            for (sum, value) in gradient.iter_mut().zip(&lesson.gradient) {
                *sum += value;
            }
        }
        self.steps += 1;
        let steps = self.steps.min(1 << 20) as i32;
        let unbiased_mean = 1.0 / (1.0 - MEAN.powi(steps));
        let unbiased_square = 1.0 / (1.0 - SQUARE.powi(steps));
        let scale = 1.0 / positions as f32;
        for (((value, mean), square), gradient) in
            self.values.iter_mut().zip(&mut self.mean).zip(&mut self.square).zip(gradient)
        {
            let gradient = gradient * scale;
            *mean = MEAN * *mean + (1.0 - MEAN) * gradient;
            *square = SQUARE * *square + (1.0 - SQUARE) * gradient * gradient;
            *value += rate * *mean * unbiased_mean / ((*square * unbiased_square).sqrt() + 1e-8);
        }
    }
}

impl Lesson {
    /// Plays a game and adds what it teaches.
    fn learn(&mut self, model: &Model, learned: &Learned, mut random: Random, lambda: f32, by_pips: bool) {
        self.visits.clear();
        let (first, second) = dice(OPENINGS[random.below(30)]);
        let (mut own, mut other) = (Side::START, Side::START);
        let mut thrown = (first.max(second), first.min(second));
        // the outcome of the last position for the side to roll there
        let mut after = loop {
            let (mine, theirs, mut outcome) = choose(
                own,
                other,
                thrown,
                |own, other| if by_pips { by_lead(own, other) } else { learned.by_network(own, other) },
                true,
            );
            if by_pips && !mine.done() {
                outcome = learned.by_network(theirs, mine);
            }
            (own, other) = (theirs, mine);
            let known = other.done() || bear_off::is_home(own) && bear_off::is_home(other);
            if known || self.visits.len() == LONGEST {
                break outcome;
            }
            self.visits.push(Visit { own, other, estimate: outcome });
            thrown = dice(roll(&mut random));
        };
        // backwards: what comes after a position is told from the other side
        while let Some(Visit { own, other, estimate }) = self.visits.pop() {
            let target = turned(after);
            self.study(model, own, other, target);
            for (after, (target, estimate)) in after.iter_mut().zip(target.into_iter().zip(estimate)) {
                *after = lambda * target + (1.0 - lambda) * estimate;
            }
        }
    }

    /// Adds the gradients of one position.
    fn study(&mut self, model: &Model, own: Side, other: Side, target: Outcome) {
        self.positions += 1;
        let meets = contact(own, other);
        let contact_size = Weights::<CONTACT_HIDDEN>::size(CONTACT_INPUTS);
        let race_size = Weights::<RACE_HIDDEN>::size(RACE_INPUTS);
        let (first, rest) = self.gradient.split_at_mut(contact_size);
        let (second, rest) = rest.split_at_mut(race_size);
        list_inputs(own, other, if meets { CONTACT_INPUTS } else { RACE_INPUTS }, &mut self.list);
        if meets {
            descend(&model.contact, &self.list, target, first);
        } else {
            descend(&model.race, &self.list, target, second);
        }
        let class = usize::from(!meets);
        let gradient = &mut rest[class * linear::SIZE..(class + 1) * linear::SIZE];
        let raw = self.list.iter().filter(|input| usize::from(input.0) < super::features::RAW);
        descend_linear(&model.linear[class], raw, target, gradient);
    }
}

/// Adds the gradient of the cross-entropy of one position to that of a network, in the direction of improvement.
fn descend<const HIDDEN: usize>(weights: &Weights<HIDDEN>, list: &[(u16, f32)], target: Outcome, gradient: &mut [f32]) {
    let mut hidden = *weights.hidden_bias();
    for &(input, value) in list {
        add(&mut hidden, weights.row(input.into()), value);
    }
    for value in &mut hidden {
        *value = activation(*value);
    }
    let mut back = [0.0; HIDDEN];
    let (rows, output_bias) = gradient.split_at_mut((weights.inputs + 1 + OUTPUTS) * HIDDEN);
    let row = |rows: &mut [f32], row: usize, direction: &[f32; HIDDEN], factor: f32| {
        let row: &mut [f32; HIDDEN] = (&mut rows[row * HIDDEN..(row + 1) * HIDDEN]).try_into().expect("a row");
        add(row, direction, factor);
    };
    for output in 0..OUTPUTS {
        let estimate = sigmoid(weights.output_bias()[output] + dot(&hidden, weights.output_row(output)));
        let error = target[output] - estimate;
        output_bias[output] += error;
        row(rows, weights.inputs + 1 + output, &hidden, error);
        add(&mut back, weights.output_row(output), error);
    }
    for (back, &hidden) in back.iter_mut().zip(&hidden) {
        *back *= slope(hidden);
    }
    for &(input, value) in list {
        row(rows, input.into(), &back, value);
    }
    row(rows, weights.inputs, &back, 1.0);
}

fn descend_linear<'a>(
    weights: &[f32],
    list: impl Iterator<Item = &'a (u16, f32)> + Clone,
    target: Outcome,
    gradient: &mut [f32],
) {
    let bias = super::features::RAW;
    let mut sums = *linear::row(weights, bias);
    for &(input, value) in list.clone() {
        add(&mut sums, linear::row(weights, input.into()), value);
    }
    let mut errors = [0.0; linear::LANES];
    for ((error, target), sum) in errors.iter_mut().zip(target).zip(sums) {
        *error = target - sigmoid(sum);
    }
    for (input, value) in list.map(|&(input, value)| (usize::from(input), value)).chain([(bias, 1.0)]) {
        let row = &mut gradient[input * linear::LANES..(input + 1) * linear::LANES];
        add(row.try_into().expect("a row"), &errors, value);
    }
}

/// Whom weights are tried against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// The pips alone.
    Pips,
    /// The linear evaluation that comes with the program.
    Linear,
    /// The network that comes with the program.
    Network,
}

/// The result of a trial in points a game, and its standard error over pairs of games with the same dice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The mean of the points won a game.
    pub points: f64,
    /// The standard error of that mean.
    pub error: f64,
}

/// Plays weights against an opponent, both looking one play ahead, in pairs of games with the same dice and the sides
/// exchanged; gammons and backgammons count. What comes out after a stop means nothing.
pub fn trial(
    file: &[u8],
    opponent: Opponent,
    pairs: u64,
    seed: u64,
    threads: usize,
    stop: &Stop,
) -> Result<Strength, BadText> {
    let ours = Model::read(file)?.learned();
    let next = AtomicUsize::new(0);
    let sums = Mutex::new((0.0, 0.0));
    let work = || {
        let mut own = (0.0, 0.0);
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed) as u64;
            if pair >= pairs || stop.ask() {
                break;
            }
            let points: f64 =
                [0, 1].map(|seat| one_game(&ours, opponent, seat, Random::stream(seed, pair))).iter().sum();
            own.0 += points / 2.0;
            own.1 += points * points / 4.0;
        }
        let mut sums = sums.lock().expect("no thread panics");
        sums.0 += own.0;
        sums.1 += own.1;
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let (sum, squares) = sums.into_inner().expect("no thread panics");
    let count = pairs.max(1) as f64;
    let points: f64 = sum / count;
    let variance = (squares / count - points * points).max(0.0) / (count - 1.0).max(1.0);
    Ok(Strength { points, error: variance.sqrt() })
}

/// The points that the weights win in one game; in seat 0 they begin. Bad weights can play on for ever, which wins nothing.
fn one_game(ours: &Learned, opponent: Opponent, seat: usize, mut random: Random) -> f64 {
    let (first, second) = dice(OPENINGS[random.below(30)]);
    let mut thrown = (first.max(second), first.min(second));
    let (mut own, mut other, mut mover) = (Side::START, Side::START, 0);
    for _ in 0..LONGEST {
        let (mine, theirs, _) = if mover == seat {
            choose(own, other, thrown, |own, other| ours.by_network(own, other), true)
        } else {
            let estimate = |own, other| match opponent {
                Opponent::Pips => by_lead(own, other),
                Opponent::Linear => LEARNED.linearly(own, other),
                Opponent::Network => LEARNED.by_network(own, other),
            };
            choose(own, other, thrown, estimate, true)
        };
        if let Some(outcome) = lost(mine, theirs) {
            let points = f64::from(-equity(outcome, true));
            return if mover == seat { points } else { -points };
        }
        (own, other, mover) = (theirs, mine, 1 - mover);
        thrown = dice(roll(&mut random));
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_training_that_was_saved_goes_on_as_if_it_had_not_been() {
        let schedule = Schedule { games: 6 * BATCH, ..Schedule::default() };
        let (mut whole, mut first) = (Training::new(5), Training::new(5));
        whole.run(&schedule, 1, |_| true);
        first.run(&schedule, 2, |training| training.games() < 2 * BATCH);
        assert_eq!(first.games(), 2 * BATCH);
        let mut rest = Training::load(&first.save()).unwrap();
        rest.run(&schedule, 3, |_| true);
        assert_eq!(rest, whole);
        assert_ne!(whole.weights(), Training::new(5).weights());
        assert!(Training::load(&first.save()[1..]).is_err());
    }

    #[test]
    fn weights_that_have_learned_nothing_lose_and_come_to_an_end() {
        let strength = trial(&Training::new(2).weights(), Opponent::Network, 10, 1, 2, &Stop::new()).unwrap();
        assert!(strength.points <= 0.0, "{strength:?}");
    }

    #[test]
    fn gradients_are_those_of_the_cross_entropy() {
        let (own, other) = (Side::START, Side::START.moved(8, 3));
        let target = [0.6, 0.2, 0.01, 0.1, 0.02];
        let values = Training::new(9).values;
        let loss = |values: &[f32]| {
            let outcome = Model::of(values).learned().contact.ask(own, other);
            let each = target.iter().zip(outcome).map(|(&target, estimate)| {
                let (target, estimate) = (f64::from(target), f64::from(estimate));
                target * estimate.ln() + (1.0 - target) * (1.0 - estimate).ln()
            });
            each.sum::<f64>()
        };
        let mut lesson = Lesson::new();
        lesson.study(&Model::of(&values), own, other, target);
        let mut compared = 0;
        for at in (0..Weights::<CONTACT_HIDDEN>::size(CONTACT_INPUTS)).step_by(131) {
            let mut moved = values.clone();
            moved[at] += 0.02;
            let up = loss(&moved);
            moved[at] -= 0.04;
            let slope = (up - loss(&moved)) / 0.04;
            let gradient = f64::from(lesson.gradient[at]);
            assert!((slope - gradient).abs() < 2e-3 + 0.02 * gradient.abs(), "{at}: {slope} {gradient}");
            compared += u32::from(gradient != 0.0);
        }
        assert!(compared > 20, "{compared}");
    }
}
