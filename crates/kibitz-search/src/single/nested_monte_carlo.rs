//! Nested Monte-Carlo search with the best sequence in memory.

use kibitz_game::{Random, Report, Score, Turn};

use super::effort::Effort;
use super::playing::{Player, Strategy, score};
use super::team::{Searches, run};
use crate::{Context, NotSupported, Searchable};

/// Nested Monte-Carlo search (T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009). A search of level 0 is a playout. A search of level
/// *n* tries every move with a search of level *n* − 1 behind it, plays the next move of the best sequence that it has seen, and goes
/// on from there to the end of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedMonteCarlo {
    /// The level of the search.
    pub level: u32,
    /// Follow the best sequence of the whole search; without it, the best one of the last round.
    pub memorise: bool,
    /// How playouts are played.
    pub strategy: Strategy,
    /// The probability of a uniformly random move in a playout.
    pub epsilon: f64,
    /// How many searches there are; none for as many as the limits allow.
    pub restarts: Option<u64>,
    /// The seed.
    pub seed: u64,
    /// How many threads search.
    pub threads: usize,
}

impl Default for NestedMonteCarlo {
    fn default() -> Self {
        Self {
            level: 2,
            memorise: true,
            strategy: Strategy::Default,
            epsilon: 0.0,
            restarts: None,
            seed: 0,
            threads: 1,
        }
    }
}

impl NestedMonteCarlo {
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
            "NestedMonteCarlo",
            game,
            position,
            context,
            self.threads,
            searches,
            |number, effort, done: &mut u64| {
                let random = Random::stream(self.seed, number);
                let mut nested = Nested {
                    player: Player::new(game, strategy, self.epsilon, random),
                    levels: (0..=self.level).map(|_| Level::default()).collect(),
                    memorise: self.memorise,
                };
                effort.step();
                nested.search(self.level as usize, position, &mut Vec::new(), effort);
                *done += u64::from(!effort.over());
            },
        )?;
        report.stats.push(("searches", begun as f64));
        report.stats.push(("finished", tallies.iter().sum::<u64>() as f64));
        Ok(report)
    }
}

/// What a level keeps while it goes on.
struct Level<M> {
    moves: Vec<M>,
    /// The best game of the search of this level, from the root of everything.
    best: Vec<M>,
}

impl<M> Default for Level<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), best: Vec::new() }
    }
}

struct Nested<'a, G: Searchable> {
    player: Player<'a, G>,
    levels: Vec<Level<G::Move>>,
    memorise: bool,
}

impl<G: Searchable> Nested<'_, G> {
    /// Searches a position that `line` leads to, plays to the end of the game in `line`, and returns the score; none if it had to end
    /// before anything was played to the end.
    fn search(
        &mut self,
        level: usize,
        position: &G::Position,
        line: &mut Vec<G::Move>,
        effort: &mut Effort<'_, '_, G>,
    ) -> Option<Score> {
        let mut position = position.clone();
        if level == 0 {
            let plies = self.player.play(&mut position, line);
            return Some(score(effort, &position, line, plies));
        }
        let game = self.player.game;
        let mut best: Option<Score> = None;
        while matches!(game.turn(&position), Turn::Player(_)) {
            let ply = line.len();
            let mut moves = std::mem::take(&mut self.levels[level].moves);
            moves.clear();
            game.moves(&position, &mut moves);
            if !self.memorise {
                best = None;
            }
            for &mv in &moves {
                if effort.step() {
                    break;
                }
                let mut child = position.clone();
                game.play(&mut child, mv);
                line.push(mv);
                let found = self.search(level - 1, &child, line, effort);
                if found > best {
                    best = found;
                    self.levels[level].best.clone_from(line);
                }
                line.truncate(ply);
            }
            self.levels[level].moves = moves;
            let next = self.levels[level].best.get(ply).copied();
            // a search that was ended before its first playout has nothing to follow
            let (Some(next), Some(_)) = (next, best) else { return None };
            if effort.over() {
                line.clone_from(&self.levels[level].best);
                return best;
            }
            game.play(&mut position, next);
            line.push(next);
        }
        if best.is_some() {
            return best;
        }
        // the game was over before anything could be tried
        Some(score(effort, &position, line, 0))
    }
}
