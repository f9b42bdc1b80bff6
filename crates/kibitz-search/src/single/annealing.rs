//! Simulated annealing of whole lines.

use std::sync::atomic::Ordering::Relaxed;

use kibitz_game::{Random, Report, Turn};

use super::effort::Effort;
use super::playing::{Player, Strategy};
use super::team::{Searches, run};
use crate::{Context, LONGEST, NotSupported, Searchable};

/// Simulated annealing (S. Kirkpatrick, C. Gelatt and M. Vecchi, *Optimization by Simulated Annealing*, Science 220, 1983) of lines of moves. A
/// change makes one more move somewhere, makes a move earlier or later, or leaves one out; the moves behind it are made as far as they are
/// still there, known by their names ([`kibitz_game::Puzzle::name`]), and a playout ends the game. A better line is always kept, a worse one with probability
/// e^(−loss / temperature).
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedAnnealing {
    /// How many changes an annealing makes. The numbers of the annealings after each other are this times 1, 1, 2, 1, 1, 2, 4, … (M. Luby, A. Sinclair
    /// and D. Zuckerman 1993), which is at most a logarithm slower than the best number, whatever that is.
    pub changes: u64,
    /// The temperature at the beginning, in units of the result; none for what the game says lines differ by.
    pub hot: Option<f64>,
    /// The temperature at the end; none for an eighth of the one at the beginning.
    pub cold: Option<f64>,
    /// The share of changes that make one more move.
    pub insert: f64,
    /// The share of changes that leave a move out; the others make a move at another time.
    pub leave_out: f64,
    /// How moves that are not in the line are chosen.
    pub strategy: Strategy,
    /// With this probability such a move is any.
    pub epsilon: f64,
    /// How many annealings there are; none for as many as the limits allow.
    pub restarts: Option<u64>,
    /// The seed.
    pub seed: u64,
    /// How many threads anneal, each a line of its own.
    pub threads: usize,
}

impl Default for SimulatedAnnealing {
    fn default() -> Self {
        Self {
            changes: 300_000,
            hot: None,
            cold: None,
            insert: 0.5,
            leave_out: 0.05,
            strategy: Strategy::Default,
            epsilon: 0.1,
            restarts: None,
            seed: 0,
            threads: 1,
        }
    }
}

/// The temperature at the end, as a share of that at the beginning.
const COOLED: f64 = 1.0 / 8.0;
/// After so many changes the temperature is looked up again.
const STEP: u64 = 256;

impl SimulatedAnnealing {
    /// Anneals again and again until a limit is reached; once on each thread without limits.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let strategy = self.strategy.number(game)?;
        let searches = Searches::of(self.restarts, false);
        let (mut report, tallies, begun) = run(
            "SimulatedAnnealing",
            game,
            position,
            context,
            self.threads,
            searches,
            |number, effort, tally: &mut Tally<'_, G>| {
                let annealer = tally.annealer.get_or_insert_with(|| Annealer::new(self, game, strategy));
                effort.step();
                annealer.begin(Random::stream(self.seed, number), position, effort);
                tally.accepted += annealer.anneal(self.changes.saturating_mul(luby(number)), effort);
            },
        )?;
        report.stats.push(("searches", begun as f64));
        report.stats.push(("accepted", tallies.iter().map(|tally| tally.accepted).sum::<u64>() as f64));
        Ok(report)
    }
}

/// 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, …
fn luby(number: u64) -> u64 {
    let mut i = number + 1;
    loop {
        let half = 1 << i.ilog2();
        if i == 2 * half - 1 {
            return half;
        }
        i -= half - 1;
    }
}

/// What a thread keeps from annealing to annealing, and how many changes it accepted.
struct Tally<'a, G: Searchable> {
    annealer: Option<Annealer<'a, G>>,
    accepted: u64,
}

impl<G: Searchable> Default for Tally<'_, G> {
    fn default() -> Self {
        Self { annealer: None, accepted: 0 }
    }
}

/// Some moves in a row, with what there was before each of them.
struct Line<G: Searchable> {
    names: Vec<u64>,
    moves: Vec<G::Move>,
    positions: Vec<G::Position>,
    marks: Vec<u64>,
}

impl<G: Searchable> Line<G> {
    fn new() -> Self {
        Self { names: Vec::new(), moves: Vec::new(), positions: Vec::new(), marks: Vec::new() }
    }

    fn truncate(&mut self, moves: usize, marks: usize) {
        self.names.truncate(moves);
        self.moves.truncate(moves);
        self.positions.truncate(moves);
        self.marks.truncate(moves * marks);
    }

    fn append(&mut self, rest: &mut Self) {
        self.names.append(&mut rest.names);
        self.moves.append(&mut rest.moves);
        self.positions.append(&mut rest.positions);
        self.marks.append(&mut rest.marks);
    }
}

/// The annealings of one thread.
struct Annealer<'a, G: Searchable> {
    search: &'a SimulatedAnnealing,
    game: &'a G,
    player: Player<'a, G>,
    /// What the strategy settled for the game.
    plan: u32,
    hot: f64,
    cold: f64,
    line: Line<G>,
    /// What counts for the line; see [`kibitz_game::Puzzle::near`].
    value: f64,
    /// The names of the moves that are to be made behind the change, and what came of them.
    wanted: Vec<u64>,
    rest: Line<G>,
    /// The marks of the position that is being played on.
    marks: Vec<u64>,
    /// A whole line that is better than all before it.
    whole: Vec<G::Move>,
}

impl<'a, G: Searchable> Annealer<'a, G> {
    fn new(search: &'a SimulatedAnnealing, game: &'a G, strategy: usize) -> Self {
        let unit = 1.0 / (game.result(1.0) - game.result(0.0));
        let hot = search.hot.unwrap_or_else(|| game.grain()) * unit;
        Self {
            search,
            game,
            player: Player::new(game, strategy, search.epsilon, Random::new(0)),
            plan: 0,
            hot,
            cold: search.cold.map_or(hot * COOLED, |cold| cold * unit),
            line: Line::new(),
            value: 0.0,
            wanted: Vec::new(),
            rest: Line::new(),
            marks: vec![0; game.marks()],
            whole: Vec::new(),
        }
    }

    /// The first line: a playout.
    fn begin(&mut self, random: Random, position: &G::Position, effort: &mut Effort<'_, '_, G>) {
        self.player.random = random;
        self.plan = if self.player.uniform() {
            0
        } else {
            self.game.plan(self.player.strategy, position, &mut self.player.random)
        };
        self.line.truncate(0, self.marks.len());
        self.game.mark(position, &mut self.marks);
        self.wanted.clear();
        self.value = self.play(0, position.clone(), effort);
        self.line.append(&mut self.rest);
    }

    /// Makes so many changes, or as many as the limits allow, and returns how many were accepted.
    fn anneal(&mut self, changes: u64, effort: &mut Effort<'_, '_, G>) -> u64 {
        let (mut accepted, mut temperature) = (0, self.hot);
        for change in 0..changes {
            if effort.over() {
                break;
            }
            if change % STEP == 0 {
                // cold at the end of what may be spent, too
                let done = (change as f64 / changes as f64).max(effort.spent()).min(1.0);
                temperature = self.hot * (self.cold / self.hot).powf(done);
            }
            let Some(from) = self.change() else {
                effort.cut(0);
                continue;
            };
            let width = self.marks.len();
            self.marks.copy_from_slice(&self.line.marks[from * width..(from + 1) * width]);
            let value = self.play(from, self.line.positions[from].clone(), effort);
            let gain = value - self.value;
            if gain >= 0.0 || self.player.random.unit() < (gain / temperature).exp() {
                accepted += 1;
                self.value = value;
                self.line.truncate(from, width);
                self.line.append(&mut self.rest);
            }
        }
        accepted
    }

    /// Draws a change: before which move it begins, and in `wanted` the moves from there on. None if it would change nothing.
    fn change(&mut self) -> Option<usize> {
        let Self { search, game, player, plan, line, wanted, marks, .. } = self;
        wanted.clear();
        let length = line.moves.len();
        let kind = player.random.unit();
        let at = player.random.below(length);
        if kind < search.insert || length == 1 {
            let position = &line.positions[at];
            let mv = player.choose(position, *plan);
            if mv == line.moves[at] {
                return None;
            }
            let width = marks.len();
            wanted.push(game.name(position, &line.marks[at * width..(at + 1) * width], mv, &mut player.random));
            wanted.extend_from_slice(&line.names[at..]);
            return Some(at);
        }
        if kind < search.insert + search.leave_out {
            wanted.extend_from_slice(&line.names[at + 1..]);
            return Some(at);
        }
        let mut to = player.random.below(length - 1);
        to += usize::from(to >= at);
        let from = at.min(to);
        wanted.extend_from_slice(&line.names[from..]);
        if at < to {
            wanted[..=to - from].rotate_left(1);
        } else {
            wanted[..=at - from].rotate_right(1);
        }
        Some(from)
    }

    /// Makes the moves that are wanted as far as they are there, and others to the end of the game. What was played is in `rest`;
    /// returns what it counts.
    fn play(&mut self, from: usize, mut position: G::Position, effort: &mut Effort<'_, '_, G>) -> f64 {
        let Self { game, player, plan, line, wanted, rest, marks, whole, .. } = self;
        rest.truncate(0, marks.len());
        for &name in wanted.iter() {
            let begin = rest.marks.len();
            rest.marks.extend_from_slice(marks);
            let before = position.clone();
            match game.play_named(&mut position, marks, name, &mut player.buffer) {
                Some(mv) => {
                    rest.names.push(name);
                    rest.moves.push(mv);
                    rest.positions.push(before);
                }
                None => rest.marks.truncate(begin),
            }
        }
        while from + rest.moves.len() < LONGEST as usize && matches!(game.turn(&position), Turn::Player(_)) {
            let mv = player.choose(&position, *plan);
            rest.names.push(game.name(&position, marks, mv, &mut player.random));
            rest.marks.extend_from_slice(marks);
            rest.positions.push(position.clone());
            rest.moves.push(mv);
            game.play_marked(&mut position, marks, mv);
        }
        let plies = rest.moves.len() as u32;
        if game.turn(&position) != Turn::Over {
            if game.turn(&position) == Turn::Chance {
                effort.record.chance.store(true, Relaxed);
            }
            effort.cut(plies);
            return f64::from(game.evaluate(&position, 0));
        }
        let score = game.score(&position, 0);
        if effort.record.top().is_none_or(|top| score > top) {
            whole.clear();
            whole.extend_from_slice(&line.moves[..from]);
            whole.extend_from_slice(&rest.moves);
            effort.played(score, whole, plies);
        } else {
            effort.cut(plies);
        }
        f64::from(game.near(&position))
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn the_annealings_have_the_lengths_of_luby_sinclair_and_zuckerman() {
        let first: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
