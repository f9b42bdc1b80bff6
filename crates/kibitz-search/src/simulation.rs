//! Selective simulation: every move is tried on the same sampled continuations, and the trials go where they decide.

use std::cmp::Reverse;

use kibitz_game::{Bound, Budget, Child, Iteration, Limits, Random, Report, Score, Turn};

use crate::helper::spawn;
use crate::trials::{Control, Difference, Rule, Scheduler, Trials};
use crate::{Context, LONGEST, NotSupported, Searchable};

/// Simulation with control of the trials (B. Sheppard, *Efficient Control of Selective Simulations*, Computers and Games
/// 2004), for any number of players, for chance and for hidden information.
///
/// A continuation is a stream of random numbers: what the opponents hold, then the dice and the moves of both sides. All
/// moves are tried on the same continuations in the same order, so that luck cancels when they are compared. The paper
/// holds this to be right where a continuation does not depend on the move; where it does, as with dice that fall
/// after different numbers of random moves, the pairs are merely less alike.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// How many moves take part in the beginning, the best by the evaluation after them; 0 for all.
    pub candidates: usize,
    /// The next move joins when every other one has as many trials; 0 for never.
    pub widen_after: usize,
    /// What decides which move is simulated next.
    pub scheduler: Scheduler,
    /// The trials that every move gets first, at least 2.
    pub minimum: usize,
    /// The probability of a trial for a random move.
    pub epsilon: f64,
    /// The weight of exploration with UCB1.
    pub c: f64,
    /// Prunes a move that is worse by more than so many standard deviations, and stops when one is left.
    pub sigmas: Option<f64>,
    /// Stops when the moves in question differ by no more than this share of the range of results.
    pub tolerance: Option<f64>,
    /// Stops when the trials that are left cannot change the answer.
    pub bound: bool,
    /// The plies after which a continuation is evaluated; to the end of the game without it.
    pub horizon: Option<u32>,
    /// Takes the luck of chance, as the evaluation measures it, out of every outcome.
    pub compensate: bool,
    /// The memory that the outcomes may use, in megabytes; the search ends when it is full.
    pub memory_mb: usize,
    /// The seed.
    pub seed: u64,
    /// How many simulations run side by side, each with its own continuations, to be added up at the end.
    pub threads: usize,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            candidates: 0,
            widen_after: 20,
            scheduler: Scheduler::ExpectedLoss,
            minimum: 8,
            epsilon: 0.05,
            c: std::f64::consts::SQRT_2,
            sigmas: Some(6.0),
            tolerance: Some(0.001),
            bound: true,
            horizon: None,
            compensate: false,
            memory_mb: 256,
            seed: 0,
            threads: 1,
        }
    }
}

/// The samples of hidden information over which moves are ranked.
const RANKING: u64 = 8;

impl Simulation {
    /// Flat Monte Carlo (Abramson 1990): all moves in turn, and nothing that stops before the limits do.
    pub fn flat() -> Self {
        Self {
            scheduler: Scheduler::RoundRobin,
            minimum: 2,
            epsilon: 0.0,
            sigmas: None,
            tolerance: None,
            bound: false,
            ..Self::default()
        }
    }

    /// Simulates until a limit is reached, a rule says stop or the memory is full.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let threads = self.threads.max(1);
        let limits = context.limits.shared(threads);
        let mut budget = Budget::new(&limits, context.stop);
        let mut report = Report { bound: Bound::Estimate, ..Report::new() };
        budget.spend();
        let (me, moves) = match game.turn(position) {
            Turn::Over => {
                report.value = game.result(f64::from(game.score(position, 0)));
                report.bound = Bound::Exact;
                report.proven = true;
                report.nodes = budget.nodes;
                report.time = budget.elapsed();
                return Ok(report);
            }
            // nothing to decide, but the position has a value
            Turn::Chance => (0, Vec::new()),
            Turn::Player(me) => (usize::from(me), self.ranked(game, position, usize::from(me), &mut budget)),
        };
        let stop = context.stop;
        let mut run = Run::new(self, game, position, me, &moves, &limits, 0);
        let mut others = Vec::new();
        std::thread::scope(|scope| {
            let (moves, limits) = (&moves, &limits);
            let help = |id: usize| {
                let mut budget = Budget::new(limits, stop);
                let mut run = Run::new(self, game, position, me, moves, limits, id as u64);
                run.simulate(&mut budget, &mut |_, _| {});
                (run, budget.nodes)
            };
            let helpers: Vec<_> = (1..threads).filter_map(|id| spawn(scope, move || help(id))).collect();
            run.simulate(&mut budget, &mut |run, budget| {
                run.conclude(&[], &mut report);
                let step = Iteration {
                    depth: run.trials.total(),
                    value: report.value,
                    nodes: budget.nodes,
                    time: budget.elapsed(),
                    pv: report.pv.clone(),
                };
                (context.progress)(&step);
                report.history.push(step);
            });
            for helper in helpers {
                let (other, nodes) = helper.join();
                others.push(other);
                budget.nodes += nodes;
            }
        });
        run.conclude(&others, &mut report);
        report.nodes = budget.nodes;
        report.time = budget.elapsed();
        Ok(report)
    }

    /// The legal moves; when only some take part in the beginning, the most promising first.
    fn ranked<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        me: usize,
        budget: &mut Budget<'_>,
    ) -> Vec<G::Move> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        if self.candidates == 0 || self.candidates >= moves.len() {
            return moves;
        }
        let mut value = |mv: G::Move| {
            let mut sum = 0.0;
            for sample in 0..if G::HIDDEN { RANKING } else { 1 } {
                // a player ranks by what the player knows
                let mut child = game.guess(position, me, &mut Random::stream(self.seed, sample));
                game.play(&mut child, mv);
                budget.spend();
                sum += f64::from(worth(game, &child, me));
            }
            (sum, game.hint(position, mv))
        };
        moves.sort_by_cached_key(|&mv| {
            let (sum, hint) = value(mv);
            Reverse((total_order(sum), hint))
        });
        moves
    }
}

/// A whole number that is ordered as `f64::total_cmp` orders its argument.
fn total_order(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// The score of a finished game, else the evaluation.
#[inline(always)]
fn worth<G: Searchable>(game: &G, position: &G::Position, player: usize) -> Score {
    if game.turn(position) == Turn::Over { game.score(position, player) } else { game.evaluate(position, player) }
}

/// The simulation of one thread.
struct Run<'a, G: Searchable> {
    simulation: &'a Simulation,
    game: &'a G,
    root: &'a G::Position,
    me: usize,
    /// None when chance is to move at the root: a single arm stands for the position itself.
    moves: &'a [G::Move],
    /// The position after each move; empty when it depends on what is hidden.
    after: Vec<G::Position>,
    trials: Trials,
    /// The number of the first continuation.
    first: u64,
    limit: u64,
    /// Whether memory sets the limit.
    scarce: bool,
    cut: u64,
    buffer: Vec<G::Move>,
    outcomes: Vec<G::Move>,
}

impl<'a, G: Searchable> Run<'a, G> {
    fn new(
        simulation: &'a Simulation,
        game: &'a G,
        root: &'a G::Position,
        me: usize,
        moves: &'a [G::Move],
        limits: &Limits,
        thread: u64,
    ) -> Self {
        let arms = moves.len().max(1);
        let after = |&mv: &G::Move| {
            let mut child = root.clone();
            game.play(&mut child, mv);
            child
        };
        let (per_move, per_trial) = Trials::bytes();
        let room = (simulation.memory_mb << 20) / simulation.threads.max(1);
        let room = room.saturating_sub(arms * (per_move + game.position_bytes())) / per_trial;
        // a trial for every move always fits
        let room = room.max(arms) as u64;
        let asked = limits.simulations.unwrap_or(u64::MAX);
        let range = game.range(me);
        let range = (game.result(f64::from(range.low)), game.result(f64::from(range.high)));
        let control = Control {
            scheduler: simulation.scheduler,
            minimum: simulation.minimum.max(2),
            epsilon: simulation.epsilon,
            c: simulation.c,
            // where chance is to move there is nothing to decide, and all trials go into the value
            sigmas: simulation.sigmas.filter(|_| !moves.is_empty()),
            tolerance: simulation.tolerance,
            budget: limits.simulations.filter(|_| simulation.bound && !moves.is_empty()),
            // what is compensated has no bounds
            range: (!simulation.compensate && range.0 < range.1).then_some(range),
            candidates: if simulation.candidates == 0 { arms } else { simulation.candidates },
            widen_after: simulation.widen_after,
            seed: simulation.seed.wrapping_add(thread),
        };
        Self {
            simulation,
            game,
            root,
            me,
            moves,
            after: if G::HIDDEN { Vec::new() } else { moves.iter().map(after).collect() },
            trials: Trials::new(arms, control),
            first: thread << 40,
            limit: asked.min(room),
            scarce: room < asked,
            cut: 0,
            buffer: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    fn simulate(&mut self, budget: &mut Budget<'_>, step: &mut dyn FnMut(&Self, &Budget<'_>)) {
        let mut chosen = Vec::with_capacity(self.moves.len().max(1));
        let mut next_step = 1024;
        while self.trials.total() < self.limit && !budget.over() {
            self.trials.next(&mut chosen);
            if chosen.is_empty() {
                return;
            }
            for &mv in &chosen {
                let (value, plies) = self.trial(mv);
                self.trials.add(mv, value);
                if budget.add(1 + u64::from(plies)) || self.trials.total() == self.limit {
                    break;
                }
            }
            if self.trials.total() >= next_step {
                next_step *= 2;
                step(self, budget);
            }
        }
    }

    /// The outcome of a move's next continuation, and the plies played after the move.
    #[inline(always)]
    fn trial(&mut self, mv: usize) -> (f64, u32) {
        let Self { game, me, .. } = *self;
        let continuation = self.first + self.trials.trials(mv) as u64;
        let mut random = Random::stream(self.simulation.seed, continuation);
        let mut position = if let Some(after) = self.after.get(mv) {
            after.clone()
        } else {
            let mut guess = game.guess(self.root, me, &mut random);
            if let Some(&mv) = self.moves.get(mv) {
                game.play(&mut guess, mv);
            }
            guess
        };
        let plies = self.simulation.horizon.unwrap_or(LONGEST);
        let (played, luck) = if self.simulation.compensate {
            self.compensated(&mut position, &mut random, plies)
        } else {
            (game.playout(&mut position, &mut random, &mut self.buffer, plies), 0.0)
        };
        let over = game.turn(&position) == Turn::Over;
        self.cut += u64::from(!over && self.simulation.horizon.is_none());
        let score = if over { game.score(&position, me) } else { game.evaluate(&position, me) };
        (game.result(f64::from(score) - luck), played)
    }

    /// A playout that adds up how much better than expected the outcomes of chance were, as the evaluation sees it.
    fn compensated(&mut self, position: &mut G::Position, random: &mut Random, plies: u32) -> (u32, f64) {
        let Self { game, me, .. } = *self;
        let mut luck = 0.0;
        for played in 0..plies {
            match game.turn(position) {
                Turn::Over => return (played, luck),
                Turn::Player(_) => {
                    let mv = game.random_move(position, random, &mut self.buffer);
                    game.play(position, mv);
                }
                Turn::Chance => {
                    self.outcomes.clear();
                    game.moves(position, &mut self.outcomes);
                    for &outcome in &self.outcomes {
                        let mut child = position.clone();
                        game.play(&mut child, outcome);
                        luck -= game.probability(position, outcome) * f64::from(worth(game, &child, me));
                    }
                    let drawn = game.sample(position, random, &mut self.buffer);
                    game.play(position, drawn);
                    luck += f64::from(worth(game, position, me));
                }
            }
        }
        (plies, luck)
    }

    /// Fills the report from the outcomes of this run and of others that had other continuations.
    fn conclude(&self, others: &[Self], report: &mut Report<G::Move>) {
        let runs = || std::iter::once(self).chain(others).map(|run| &run.trials);
        let arms = self.moves.len().max(1);
        let visits = |mv: usize| runs().map(|trials| trials.trials(mv) as u64).sum::<u64>();
        let mean = |mv: usize| {
            let sum: f64 = runs().map(|trials| trials.mean(mv) * trials.trials(mv) as f64).sum();
            sum / visits(mv) as f64
        };
        let middle = self.game.result(f64::from(self.game.range(self.me).middle()));
        let open = |mv: usize| runs().any(|trials| trials.trials(mv) > 0 && !trials.pruned(mv));
        let best = if others.is_empty() {
            (self.trials.total() > 0).then(|| self.trials.leader())
        } else {
            // the first of equal ones
            (0..arms).filter(|&mv| open(mv)).rev().max_by(|&a, &b| mean(a).total_cmp(&mean(b)))
        };
        let difference = |mv: usize| match best {
            Some(best) if others.is_empty() && best == self.trials.leader() => self.trials.difference(mv),
            Some(best) => {
                runs().map(|trials| trials.difference_between(best, mv)).fold(Difference::default(), Difference::joined)
            }
            None => Difference::default(),
        };
        let children: Vec<Child<G::Move>> = self
            .moves
            .iter()
            .enumerate()
            .map(|(i, &mv)| {
                let visits = visits(i);
                let error = (best != Some(i)).then(|| difference(i)).filter(|difference| difference.count > 1);
                let value = if visits > 0 { mean(i) } else { middle };
                Child { mv, visits, value, error: error.map(|difference| difference.error()) }
            })
            .collect();
        let error: f64 =
            children.iter().enumerate().filter(|&(mv, _)| open(mv)).filter_map(|(_, child)| child.error).sum();
        report.value = best.map_or(middle, mean);
        report.best = best.and_then(|best| self.moves.get(best)).or(self.moves.first()).copied();
        report.pv.clear();
        report.pv.extend(report.best);
        report.depth = report.pv.len() as u32;
        report.children = children;
        report.children.sort_by_cached_key(|child| Reverse((child.visits > 0, total_order(child.value))));
        let everybody = || std::iter::once(self).chain(others);
        let stopped = |rule: Rule| runs().filter(|trials| trials.stopped() == Some(rule)).count() as f64;
        let full = everybody().any(|run| run.scarce && run.trials.total() >= run.limit);
        report.stats = vec![
            ("simulations", runs().map(Trials::total).sum::<u64>() as f64),
            ("candidates", runs().map(Trials::admitted).max().unwrap_or(0).min(self.moves.len()) as f64),
            ("pruned", (0..arms).filter(|&mv| !open(mv) && visits(mv) > 0).count() as f64),
            ("error", error),
            ("deviation", best.map_or(0.0, |best| deviation(runs(), best, report.value))),
            ("stopped_obvious", stopped(Rule::Obvious)),
            ("stopped_difference", stopped(Rule::Difference)),
            ("stopped_bound", stopped(Rule::Bound)),
            ("memory_full", f64::from(u8::from(full))),
            ("playouts_cut", everybody().map(|run| run.cut).sum::<u64>() as f64),
        ];
    }
}

/// The standard deviation of a single outcome of a move.
fn deviation<'t>(runs: impl Iterator<Item = &'t Trials>, mv: usize, mean: f64) -> f64 {
    let (mut count, mut squares) = (0usize, 0.0);
    for trials in runs {
        count += trials.trials(mv);
        squares += trials.values(mv).iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    }
    if count < 2 { 0.0 } else { (squares / (count - 1) as f64).sqrt() }
}
