//! The search of GNU Backgammon as Hauk, Buro and Schaeffer describe it (*\*-Minimax Performance in Backgammon*, 2004): forward
//! pruning at the nodes of players, none at those of chance.
//!
//! The root's moves are searched to greater and greater depths, and after each of them a *move filter* drops those that are
//! far behind the best. Below the root a player keeps the moves that are best by static evaluation, normally one.

use kibitz_game::{Bound, Budget, Child, Iteration, MAX_DEPTH, Random, Report, Turn};

use super::leaf::{self, Noise};
use crate::{Context, NotSupported, Searchable, require_end};

/// Which moves of the root are left after a stage; the stages search to depth 1, 3, 5, …, chance nodes counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// So many are kept, whatever they are worth.
    pub keep: u32,
    /// So many more are kept if they are worth enough.
    pub extra: u32,
    /// How much less than the best these may be worth, in units of the result.
    pub within: f64,
}

/// The parameters. The filters are those of GNU Backgammon's setting "normal": the paper gives none.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveFilter {
    /// The filter after each stage; none where a stage is left out. Stages beyond the last are left out, too, but for the
    /// last depth itself.
    pub filters: Vec<Option<Filter>>,
    /// How many moves a player keeps below the root.
    pub replies: usize,
    /// A deterministic error of the evaluation.
    pub noise: Noise,
    /// Shuffles the root's moves, so that ties are broken at random.
    pub seed: Option<u64>,
}

impl Default for MoveFilter {
    fn default() -> Self {
        let filters = vec![
            Some(Filter { keep: 0, extra: 8, within: 0.16 }),
            None,
            Some(Filter { keep: 0, extra: 2, within: 0.04 }),
            None,
        ];
        Self { filters, replies: 1, noise: Noise::default(), seed: None }
    }
}

/// A move of the root with its value for the player to move.
struct Candidate<M> {
    mv: M,
    value: f64,
}

impl MoveFilter {
    /// Searches to the depth limit, chance nodes counted, or until another limit is reached.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let root = super::root("MoveFilter", game, position)?;
        require_end(game, &root, context.limits)?;
        let mut walk = Walk {
            game,
            noise: self.noise,
            replies: self.replies.max(1),
            budget: Budget::new(context.limits, context.stop),
            moves: Vec::new(),
            events: Vec::new(),
            kept: Vec::new(),
            leaves: 0,
            horizon: false,
        };
        walk.budget.spend();
        let mut report = Report::new();
        match game.turn(&root) {
            Turn::Over => {
                report.value = game.result(f64::from(game.score(&root, 0)));
                report.proven = true;
            }
            Turn::Chance => {
                let depth = context.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
                report.bound = Bound::Estimate;
                report.value = game.result(leaf::evaluate(game, &root, self.noise));
                if depth > 0 {
                    let value = walk.below(&root, depth);
                    if !walk.budget.over() {
                        (report.value, report.depth) = (game.result(value), depth);
                    }
                }
            }
            Turn::Player(me) => self.stages(&mut walk, &root, me, context, &mut report),
        }
        report.nodes = walk.budget.nodes;
        report.time = walk.budget.elapsed();
        report.stats.push(("leaves", walk.leaves as f64));
        Ok(report)
    }

    fn stages<G: Searchable>(
        &self,
        walk: &mut Walk<'_, G>,
        root: &G::Position,
        me: u8,
        context: &mut Context<'_, G::Move>,
        report: &mut Report<G::Move>,
    ) {
        let game = walk.game;
        let sign = if me == 0 { 1.0 } else { -1.0 };
        let mut moves = Vec::new();
        game.moves(root, &mut moves);
        if let Some(seed) = self.seed {
            Random::new(seed).shuffle(&mut moves);
        }
        report.best = moves.first().copied();
        report.pv.extend(report.best);
        report.value = game.result(sign * leaf::evaluate(game, root, self.noise));
        report.bound = Bound::Estimate;
        let mut candidates: Vec<_> = moves.into_iter().map(|mv| Candidate { mv, value: 0.0 }).collect();
        let last = context.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let stages = (1..last).step_by(2).chain((last > 0).then_some(last));
        for (stage, depth) in stages.enumerate() {
            let filter = self.filters.get(stage).copied().flatten();
            if stage > 0 && depth < last && filter.is_none() {
                continue;
            }
            walk.horizon = false;
            for candidate in &mut candidates {
                let mut child = root.clone();
                game.play(&mut child, candidate.mv);
                candidate.value = sign * walk.enter(&child, depth - 1);
            }
            if walk.budget.over() {
                break;
            }
            candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
            let Some(best) = candidates.first() else { break };
            report.best = Some(best.mv);
            report.pv = vec![best.mv];
            report.value = game.result(best.value);
            report.depth = depth;
            let child =
                |each: &Candidate<_>| Child { mv: each.mv, visits: 0, value: game.result(each.value), error: None };
            report.children = candidates.iter().map(child).collect();
            let step = Iteration {
                depth: u64::from(depth),
                value: report.value,
                nodes: walk.budget.nodes,
                time: walk.budget.elapsed(),
                pv: report.pv.clone(),
            };
            (context.progress)(&step);
            report.history.push(step);
            if !walk.horizon {
                break;
            }
            if let Some(filter) = filter.filter(|_| depth < last) {
                let best = candidates[0].value;
                let enough = |value: f64| game.result(best - value) <= filter.within;
                let near = candidates.iter().skip(filter.keep as usize).take(filter.extra as usize);
                let extra = near.take_while(|each| enough(each.value)).count();
                candidates.truncate((filter.keep as usize + extra).max(1));
            }
        }
    }
}

/// The recursion below the root.
struct Walk<'a, G: Searchable> {
    game: &'a G,
    noise: Noise,
    replies: usize,
    budget: Budget<'a>,
    moves: Vec<G::Move>,
    events: Vec<(G::Move, f64)>,
    /// The moves that are kept on the way, each with its static value for the player who makes it.
    kept: Vec<Candidate<G::Move>>,
    leaves: u64,
    horizon: bool,
}

impl<G: Searchable> Walk<'_, G> {
    /// The value for the first player of a position with so much depth left.
    fn enter(&mut self, position: &G::Position, left: u32) -> f64 {
        if self.budget.spend() {
            return 0.0;
        }
        let over = self.game.turn(position) == Turn::Over;
        if over || left == 0 {
            self.leaves += 1;
            self.horizon |= !over;
            return leaf::value(self.game, position, self.noise);
        }
        self.below(position, left)
    }

    fn below(&mut self, position: &G::Position, left: u32) -> f64 {
        match self.game.turn(position) {
            Turn::Player(me) => self.replies(position, me, left),
            _ => self.average(position, left),
        }
    }

    /// All outcomes, none of them left out.
    fn average(&mut self, position: &G::Position, left: u32) -> f64 {
        let first = self.events.len();
        self.game.outcomes(position, &mut self.events);
        let mut sum = 0.0;
        for place in first..self.events.len() {
            let (outcome, probability) = self.events[place];
            let mut child = position.clone();
            self.game.play(&mut child, outcome);
            sum += probability * self.enter(&child, left - 1);
            if self.budget.over() {
                break;
            }
        }
        self.events.truncate(first);
        sum
    }

    /// The best of the moves that look best, each of which is searched on.
    fn replies(&mut self, position: &G::Position, me: u8, left: u32) -> f64 {
        let sign = if me == 0 { 1.0 } else { -1.0 };
        let (first, base) = (self.moves.len(), self.kept.len());
        self.game.moves(position, &mut self.moves);
        for place in first..self.moves.len() {
            let mv = self.moves[place];
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            let value = sign * self.enter(&child, 0);
            if self.budget.over() {
                break;
            }
            // sorted insertion: the best first, of equal ones the first in the list
            let at = base + self.kept[base..].partition_point(|other| other.value >= value);
            if at < base + self.replies {
                self.kept.truncate(base + self.replies - 1);
                self.kept.insert(at, Candidate { mv, value });
            }
        }
        self.moves.truncate(first);
        let mut best = f64::NEG_INFINITY;
        for place in base..self.kept.len() {
            if self.budget.over() {
                break;
            }
            let Candidate { mv, mut value } = self.kept[place];
            if left > 1 {
                let mut child = position.clone();
                self.game.play(&mut child, mv);
                value = sign * self.enter(&child, left - 1);
            }
            best = best.max(value);
        }
        self.kept.truncate(base);
        sign * best
    }
}
