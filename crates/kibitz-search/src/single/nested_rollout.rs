//! Nested rollout policy adaptation: NRPA and its generalizations.

use kibitz_game::{Random, Report, Score, Turn};

use super::effort::Effort;
use super::playing::{Strategy, score};
use super::policy::{Choices, Policy};
use super::team::{Searches, run};
use crate::{Context, LONGEST, NotSupported, Searchable};

/// Nested rollout policy adaptation (C. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011). A search of
/// level 0 is a playout in which a move is drawn with a probability proportional to e^weight. A search of level *n* begins with the
/// weights of the level above it, searches level *n* − 1 so many times, and after each time makes the moves of the best sequence so
/// far more likely.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedRollout {
    /// The level of the search.
    pub level: u32,
    /// How many searches of the level below a search makes.
    pub iterations: u32,
    /// The step of the adaptation.
    pub alpha: f64,
    /// How many playouts come before each adaptation on the lowest level (stabilized NRPA; Cazenave, Sevestre and Toulemont 2021).
    pub playouts: u32,
    /// The weight of the game's bias (generalized NRPA; Cazenave 2020); 0 for none.
    pub bias: f64,
    /// A search ends when its best sequence has been found again more often than this (Cazenave 2024); none for never.
    pub repetitions: Option<u32>,
    /// The moves that playouts choose from are those of this strategy.
    pub strategy: Strategy,
    /// How many searches there are; none for as many as the limits allow.
    pub restarts: Option<u64>,
    /// The seed.
    pub seed: u64,
    /// How many threads search.
    pub threads: usize,
}

impl Default for NestedRollout {
    fn default() -> Self {
        Self {
            level: 3,
            iterations: 100,
            alpha: 1.0,
            playouts: 1,
            bias: 1.0,
            repetitions: None,
            strategy: Strategy::Default,
            restarts: None,
            seed: 0,
            threads: 1,
        }
    }
}

impl NestedRollout {
    /// Searches again and again until a limit is reached; once without limits.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let strategy = self.strategy.number(game)?;
        let searches = Searches::of(self.restarts, false);
        let (mut report, tallies, begun) = run(
            "NestedRollout",
            game,
            position,
            context,
            self.threads,
            searches,
            |number, effort, tally: &mut Tally<'_, G>| {
                let rollouts = tally.rollouts.get_or_insert_with(|| Rollouts::new(self, game, strategy));
                rollouts.begin(Random::stream(self.seed, number), position);
                effort.step();
                rollouts.search(self.level as usize, position, effort);
                tally.finished += u64::from(!effort.over());
            },
        )?;
        report.stats.push(("searches", begun as f64));
        report.stats.push(("finished", tallies.iter().map(|tally| tally.finished).sum::<u64>() as f64));
        Ok(report)
    }
}

/// What a thread keeps from search to search: its memory, and how many searches came to their end.
struct Tally<'a, G: Searchable> {
    rollouts: Option<Rollouts<'a, G>>,
    finished: u64,
}

impl<G: Searchable> Default for Tally<'_, G> {
    fn default() -> Self {
        Self { rollouts: None, finished: 0 }
    }
}

/// A game with all choices on the way.
struct Sequence<M> {
    score: Score,
    line: Vec<M>,
    choices: Choices,
}

/// The searches of one thread.
struct Rollouts<'a, G: Searchable> {
    search: &'a NestedRollout,
    game: &'a G,
    strategy: usize,
    /// What the strategy settled for the game.
    plan: u32,
    random: Random,
    /// The best sequence of each level; that of level 0 is the last playout.
    sequences: Vec<Sequence<G::Move>>,
    /// The policy of each level from 1 on. The first one has learned nothing.
    policies: Vec<Policy>,
    moves: Vec<G::Move>,
    sums: Vec<f64>,
}

impl<'a, G: Searchable> Rollouts<'a, G> {
    fn new(search: &'a NestedRollout, game: &'a G, strategy: usize) -> Self {
        let levels = search.level as usize + 1;
        let empty = || Sequence { score: 0, line: Vec::new(), choices: Choices::default() };
        Self {
            search,
            game,
            strategy,
            plan: 0,
            random: Random::new(0),
            sequences: (0..levels).map(|_| empty()).collect(),
            policies: vec![Policy::new(game.codes()); levels],
            moves: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Begins anew.
    fn begin(&mut self, random: Random, position: &G::Position) {
        self.random = random;
        let own = self.strategy < self.game.strategies().len();
        self.plan = if own { self.game.plan(self.strategy, position, &mut self.random) } else { 0 };
    }

    /// A search of a level with the policy of the level above it; its best sequence is in `sequences[level]`. False if it had to end
    /// before it had one.
    fn search(&mut self, level: usize, position: &G::Position, effort: &mut Effort<'_, '_, G>) -> bool {
        if level == 0 {
            // only the outside asks for a playout of no search
            self.rollout(0, position, effort);
            return true;
        }
        let above = if level + 1 < self.policies.len() { level + 1 } else { 0 };
        let [mine, theirs] = self.policies.get_disjoint_mut([level, above]).expect("a level is not above itself");
        mine.copy(theirs);
        let (mut any, mut again) = (false, 0);
        for _ in 0..self.search.iterations {
            let rounds = if level == 1 { self.search.playouts.max(1) } else { 1 };
            for _ in 0..rounds {
                if effort.over() {
                    return any;
                }
                if level == 1 {
                    self.rollout(1, position, effort);
                } else if !self.search(level - 1, position, effort) {
                    return any;
                }
                let [below, best] = &self.sequences[level - 1..=level] else { unreachable!("both are there") };
                if !any || below.score > best.score {
                    again = 0;
                } else if self.search.repetitions.is_some() && below.line == best.line {
                    again += 1;
                }
                if !any || below.score >= best.score {
                    self.sequences.swap(level - 1, level);
                }
                any = true;
            }
            if self.search.repetitions.is_some_and(|most| again > most) {
                break;
            }
            if self.search.alpha > 0.0 {
                self.policies[level].adapt(&self.sequences[level].choices, self.search.alpha, &mut self.sums);
            }
        }
        any
    }

    /// A playout by the policy of a level, in `sequences[0]`.
    fn rollout(&mut self, level: usize, position: &G::Position, effort: &mut Effort<'_, '_, G>) {
        let Self { search, game, strategy, plan, random, sequences, policies, moves, sums } = self;
        let (sequence, policy) = (&mut sequences[0], &policies[level]);
        let biased = G::BIASED && search.bias > 0.0;
        let mut position = position.clone();
        sequence.line.clear();
        sequence.choices.clear();
        while sequence.line.len() < LONGEST as usize && matches!(game.turn(&position), Turn::Player(_)) {
            moves.clear();
            let choices = &mut sequence.choices;
            let begin = choices.offer(biased.then_some(search.bias), |codes, biases| {
                game.coded_moves(*strategy, *plan, &position, moves, codes, biases);
            });
            if moves.is_empty() {
                // rules in Python raised, and the search is about to end
                break;
            }
            let total = policy.cumulate(choices.codes(begin), choices.priors(begin), sums);
            let drawn = random.unit() * total;
            // the last one also where rounding has left nothing
            let index = sums.iter().position(|&sum| drawn < sum).unwrap_or(moves.len() - 1);
            choices.choose(begin, index);
            sequence.line.push(moves[index]);
            game.play(&mut position, moves[index]);
        }
        let plies = sequence.line.len() as u32;
        sequence.score = score(effort, &position, &sequence.line, plies);
    }
}
