//! Playouts: the games that a Monte-Carlo search plays beyond its tree, at random or with knowledge.
//!
//! A move is the last good reply if one is known and legal; else, with probability ε, a random one; else what the policy
//! prefers. A game may end early, by evaluation. The plain policy calls the game's own random playout and costs nothing more.

mod last_good_reply;
mod move_average;

use kibitz_game::{Pack, Random, Turn};

use super::exponential::exp;
use super::heuristic::{Heuristic, Scaling};
use crate::{LONGEST, Searchable};
pub use last_good_reply::LastGoodReply;
use last_good_reply::Replies;
use move_average::Averages;

/// What a move is chosen by when no reply is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// All moves are equally likely.
    #[default]
    Uniform,
    /// The best by the evaluation after it.
    Evaluation,
    /// The best by the mean result of all games in which the player made it (MAST).
    Mast,
    /// MAST, with probabilities by the Gibbs distribution.
    Gibbs,
}

/// What a game that ends early by evaluation is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// A win of the player with the better evaluation (Lorentz and Horey 2013; Winands, Björnsson and Saito 2010).
    #[default]
    Winner,
    /// The evaluation, scaled to the range of results.
    Evaluation,
}

/// How games are played beyond the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// What a move is chosen by when no reply is known.
    pub policy: Policy,
    /// The probability of a random move where the policy prefers one. Published: 0.1 and less by evaluation, 0.4 for MAST (Tak,
    /// Winands and Björnsson 2012).
    pub epsilon: f64,
    /// The temperature of the Gibbs distribution; results lie between 0 and 1.
    pub temperature: f64,
    /// Whether replies that won are played again.
    pub replies: LastGoodReply,
    /// Whether replies that lost are forgotten.
    pub forgetting: bool,
    /// The plies after which a game ends early (Lorentz and Horey 2013: 4 in Breakthrough).
    pub horizon: Option<u32>,
    /// The evaluation, from 0 to 1, at which a game ends early because it is as good as won (Winands et al. 2010).
    pub bound: Option<f64>,
    /// What a game that ended early is worth.
    pub verdict: Verdict,
}

impl Default for Playing {
    fn default() -> Self {
        Self {
            policy: Policy::Uniform,
            epsilon: 0.1,
            temperature: 0.1,
            replies: LastGoodReply::Off,
            forgetting: true,
            horizon: None,
            bound: None,
            verdict: Verdict::Winner,
        }
    }
}

/// A move of a player in the game being simulated; outcomes of chance are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Played<M> {
    pub(crate) player: u8,
    pub(crate) index: u32,
    pub(crate) mv: M,
}

/// Moves without an index of the game's own get one of so many from their bits.
const HASHED: usize = 1 << 12;

/// The evaluation is compared with the bound after two plies and then after every third (Winands et al. 2010).
const FIRST_LOOK: u32 = 2;
const NEXT_LOOK: u32 = 3;

/// How a game ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    /// The moves played.
    pub(crate) plies: u32,
    /// Whether it is the end by the rules.
    pub(crate) over: bool,
}

/// Plays the games of one search, and learns from them.
pub(crate) struct Player<'a, G: Searchable> {
    game: &'a G,
    playing: Playing,
    /// Whether the moves of the game are kept.
    traced: bool,
    trace: Vec<Played<G::Move>>,
    /// How many of them were made in the tree.
    beyond: usize,
    indices: usize,
    replies: Replies<G::Move>,
    averages: Averages,
    heuristic: Option<Heuristic<'a, G>>,
    /// Scale and offset that bring each player's scores to [0, 1].
    scale: Vec<(f64, f64)>,
    weights: Vec<f64>,
    /// The mean reward of the first player and the number of games: with one player, to win is to do better.
    usual: (f64, f64),
}

impl<'a, G: Searchable> Player<'a, G> {
    /// `traced` keeps the moves of every game even where no policy asks for them.
    pub(crate) fn new(game: &'a G, playing: &Playing, scaling: Scaling, traced: bool) -> Self {
        let (players, indices) = (game.players(), indices(game));
        let averages = matches!(playing.policy, Policy::Mast | Policy::Gibbs);
        let replies = playing.replies != LastGoodReply::Off;
        let early = playing.horizon.is_some() || playing.bound.is_some();
        // whether a game is as good as won is asked on the scale from 0 to 1
        let scaling = Scaling { squash: true, ..scaling };
        Self {
            game,
            traced: traced || averages || replies,
            trace: Vec::with_capacity(256),
            beyond: 0,
            indices,
            replies: Replies::new(playing.replies, playing.forgetting, players, indices),
            averages: Averages::new(if averages { players } else { 0 }, indices),
            heuristic: early.then(|| Heuristic::new(game, scaling)),
            scale: (0..players)
                .map(|player| {
                    let range = game.range(player);
                    let width = f64::from(range.high) - f64::from(range.low);
                    (if width > 0.0 { 1.0 / width } else { 0.0 }, f64::from(range.low))
                })
                .collect(),
            weights: Vec::new(),
            usual: (0.0, 0.0),
            playing: playing.clone(),
        }
    }

    /// Whether it wants to see the moves of the tree.
    #[inline(always)]
    pub(crate) fn traced(&self) -> bool {
        self.traced
    }

    /// The moves of the game that is being simulated, those of the tree first.
    pub(crate) fn trace(&self) -> &[Played<G::Move>] {
        &self.trace
    }

    /// How many indices of moves there are.
    pub(crate) fn indices(&self) -> usize {
        self.indices
    }

    /// The memory that the tables of such playing take, with marks for all moves or without.
    pub(crate) fn bytes(game: &G, playing: &Playing, marks: bool) -> usize {
        let entries = game.players() * indices(game);
        let averages = matches!(playing.policy, Policy::Mast | Policy::Gibbs);
        Replies::<G::Move>::bytes(playing.replies, entries)
            + if averages { Averages::bytes(entries) } else { 0 }
            + if marks { entries * size_of::<u32>() } else { 0 }
    }

    /// The index of a move in tables of moves.
    #[inline(always)]
    pub(crate) fn index(&self, position: &G::Position, mv: G::Move) -> u32 {
        if self.game.indices() == 0 {
            return (kibitz_game::mix(mv.pack(), 0) % HASHED as u64) as u32;
        }
        self.game.index(position, mv) as u32
    }

    /// Forgets the moves beyond the tree: the next game from the same leaf is somebody else's.
    pub(crate) fn forget_playout(&mut self) {
        self.trace.truncate(self.beyond);
    }

    /// A new game begins.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.trace.clear();
    }

    /// A move is made at a position, in the tree or beyond.
    #[inline(always)]
    pub(crate) fn follow(&mut self, position: &G::Position, player: u8, mv: G::Move) {
        let index = self.index(position, mv);
        self.trace.push(Played { player, index, mv });
    }

    /// Plays from a position to the end of the game, or as far as the playing goes.
    #[inline(always)]
    pub(crate) fn play(
        &mut self,
        position: &mut G::Position,
        random: &mut Random,
        buffer: &mut Vec<G::Move>,
    ) -> Ending {
        self.beyond = self.trace.len();
        if self.heuristic.is_none() {
            let plies = self.stretch(position, random, buffer, LONGEST);
            return Ending { plies, over: plies < LONGEST || self.game.turn(position) == Turn::Over };
        }
        let plies = self.play_early(position, random, buffer);
        Ending { plies, over: self.game.turn(position) == Turn::Over }
    }

    #[inline(never)]
    fn play_early(&mut self, position: &mut G::Position, random: &mut Random, buffer: &mut Vec<G::Move>) -> u32 {
        let plies = self.playing.horizon.unwrap_or(LONGEST);
        if self.playing.bound.is_none() {
            return self.stretch(position, random, buffer, plies);
        }
        let mut played = 0;
        let mut look = FIRST_LOOK;
        while played < plies {
            let step = look.min(plies - played);
            look = NEXT_LOOK;
            let made = self.stretch(position, random, buffer, step);
            played += made;
            if made < step || self.decided(position) {
                break;
            }
        }
        played
    }

    /// Plays so many plies at most.
    #[inline(always)]
    fn stretch(
        &mut self,
        position: &mut G::Position,
        random: &mut Random,
        buffer: &mut Vec<G::Move>,
        plies: u32,
    ) -> u32 {
        if self.playing.policy == Policy::Uniform && !self.traced {
            return self.game.playout(position, random, buffer, plies);
        }
        self.informed(position, random, buffer, plies)
    }

    #[inline(never)]
    fn informed(
        &mut self,
        position: &mut G::Position,
        random: &mut Random,
        buffer: &mut Vec<G::Move>,
        plies: u32,
    ) -> u32 {
        let game = self.game;
        for played in 0..plies {
            match game.turn(position) {
                Turn::Over => return played,
                Turn::Chance => {
                    let outcome = game.sample(position, random, buffer);
                    game.play(position, outcome);
                }
                Turn::Player(player) => {
                    let mv = self.choose(position, player, random, buffer);
                    if self.traced {
                        self.follow(position, player, mv);
                    }
                    game.play(position, mv);
                }
            }
        }
        plies
    }

    #[inline(always)]
    fn choose(
        &mut self,
        position: &G::Position,
        player: u8,
        random: &mut Random,
        buffer: &mut Vec<G::Move>,
    ) -> G::Move {
        let game = self.game;
        let mut listed = false;
        if self.playing.replies != LastGoodReply::Off {
            for reply in self.replies.known(player, &self.trace).into_iter().flatten() {
                if !listed {
                    buffer.clear();
                    game.moves(position, buffer);
                    listed = true;
                }
                if buffer.contains(&reply) {
                    return reply;
                }
            }
        }
        let policy = self.playing.policy;
        if policy == Policy::Uniform || self.playing.epsilon > 0.0 && random.unit() < self.playing.epsilon {
            return game.random_move(position, random, buffer);
        }
        if !listed {
            buffer.clear();
            game.moves(position, buffer);
        }
        if buffer.is_empty() {
            // rules that failed give no moves, and know what to do about it
            return game.random_move(position, random, buffer);
        }
        match policy {
            Policy::Uniform | Policy::Evaluation => best(buffer, random, |mv| self.after(position, player, mv)),
            Policy::Mast => best(buffer, random, |mv| self.averages.of(player, self.index(position, mv))),
            Policy::Gibbs => {
                let mut weights = std::mem::take(&mut self.weights);
                weights.clear();
                let temperature = self.playing.temperature.max(1e-3);
                let weight = |&mv: &G::Move| exp(self.averages.of(player, self.index(position, mv)) / temperature);
                weights.extend(buffer.iter().map(weight));
                let mut left = random.unit() * weights.iter().sum::<f64>();
                let drawn = weights.iter().position(|weight| {
                    left -= weight;
                    left < 0.0
                });
                self.weights = weights;
                buffer[drawn.unwrap_or(buffer.len() - 1)]
            }
        }
    }

    /// The value of a position after a move for the player who makes it.
    #[inline(always)]
    fn after(&self, position: &G::Position, player: u8, mv: G::Move) -> f64 {
        let (game, player) = (self.game, usize::from(player));
        let mut child = position.clone();
        game.play(&mut child, mv);
        let over = game.turn(&child) == Turn::Over;
        f64::from(if over { game.score(&child, player) } else { game.evaluate(&child, player) })
    }

    /// Whether a position that is not over is as good as won for somebody.
    fn decided(&self, position: &G::Position) -> bool {
        let (Some(bound), Some(heuristic)) = (self.playing.bound, &self.heuristic) else { return false };
        if self.game.turn(position) == Turn::Over {
            return true;
        }
        match self.scale.len() {
            2 => heuristic.estimate(position, 0).abs() >= bound,
            players => (0..players).any(|player| heuristic.estimate(position, player) >= bound),
        }
    }

    /// The rewards between 0 and 1 for the end of a game, by the rules or not.
    #[inline(always)]
    pub(crate) fn rewards(&self, end: &G::Position, over: bool, out: &mut [f64]) {
        let players = self.scale.len();
        for (player, (&(scale, low), out)) in self.scale.iter().zip(out.iter_mut()).enumerate() {
            let score = if over {
                self.game.score(end, player)
            } else if let Some(heuristic) = &self.heuristic {
                *out = f64::midpoint(1.0, heuristic.estimate(end, player));
                continue;
            } else {
                self.game.evaluate(end, player)
            };
            *out = (f64::from(score) - low) * scale;
        }
        // the better evaluation wins; alone there is nobody to win against
        if !over && self.heuristic.is_some() && self.playing.verdict == Verdict::Winner && players > 1 {
            let top = out[..players].iter().copied().fold(0.0, f64::max);
            let share = 1.0 / out[..players].iter().filter(|&&reward| reward == top).count() as f64;
            out[..players].iter_mut().for_each(|reward| *reward = if *reward == top { share } else { 0.0 });
        }
    }

    /// Learns from the game that was played, when its rewards are known.
    #[inline(always)]
    pub(crate) fn learn(&mut self, rewards: &[f64]) {
        if self.traced {
            self.remember(&rewards[..self.scale.len()]);
        }
    }

    #[inline(never)]
    fn remember(&mut self, rewards: &[f64]) {
        if matches!(self.playing.policy, Policy::Mast | Policy::Gibbs) {
            self.averages.learn(&self.trace, rewards);
        }
        if self.playing.replies == LastGoodReply::Off {
            return;
        }
        let top = rewards.iter().copied().fold(0.0, f64::max);
        let drawn = rewards.iter().all(|&reward| reward == top);
        let (mean, games) = self.usual;
        let alone = rewards.len() == 1;
        self.usual = (mean + (top - mean) / (games + 1.0), games + 1.0);
        self.replies.learn(&self.trace, |player| match rewards[usize::from(player)] {
            reward if alone => (games > 0.0 && reward != mean).then_some(reward > mean),
            _ if drawn => None,
            reward => Some(reward == top),
        });
    }
}

/// How many indices of moves there are.
fn indices<G: Searchable>(game: &G) -> usize {
    if game.indices() == 0 { HASHED } else { game.indices() }
}

/// The move with the greatest value; of equal ones each with the same probability.
#[inline(always)]
fn best<M: Copy>(moves: &[M], random: &mut Random, value: impl Fn(M) -> f64) -> M {
    let (mut top, mut chosen, mut equal) = (f64::NEG_INFINITY, moves[0], 0);
    for &mv in moves {
        let value = value(mv);
        if value > top {
            (top, chosen, equal) = (value, mv, 1);
        } else if value == top {
            equal += 1;
            if random.below(equal) == 0 {
                chosen = mv;
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests;
