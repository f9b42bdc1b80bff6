//! Soft-maxⁿ: what may happen if ties are broken by nobody knows which rule.
//!
//! N. Sturtevant, M. Bowling, *Robust Game Play Against Unknown Opponents*, AAMAS 2006. The value of a node is a set of tuples:
//! all those of its branches but for branches that the player will surely not choose, since every tuple of another one is
//! better for him. A player may be thought to care only for differences that are large enough.

use kibitz_game::{Bound, Budget, Child, Iteration, Limits, MAX_DEPTH, Random, Report, Score, Turn};

use super::{MOST_PLAYERS, Tuple, leaf};
use crate::{Context, Noise, NotSupported, Searchable, require_end};

/// What the player at the root thinks of a set of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prudence {
    /// The least of them will come.
    Worst,
    /// All of them are as likely.
    Average,
}

/// The parameters of soft-maxⁿ.
#[derive(Clone, Debug)]
pub struct SoftMaxN {
    /// A branch is surely not chosen if it is worse by more than this, in units of the result.
    pub margin: f64,
    /// How the player at the root chooses.
    pub prudence: Prudence,
    /// As many tuples are kept of a node at most; more are thinned out, the worst and the best for the player at the root last.
    pub most: usize,
    /// Searches depth 1, 2, … instead of the last depth at once.
    pub deepening: bool,
    /// A random term of the evaluation.
    pub noise: Noise,
    /// Shuffles the root's moves, so that ties are broken at random.
    pub seed: Option<u64>,
}

impl Default for SoftMaxN {
    fn default() -> Self {
        Self {
            margin: 0.0,
            prudence: Prudence::Average,
            most: 64,
            deepening: true,
            noise: Noise::default(),
            seed: None,
        }
    }
}

/// The set of a branch: a stretch of `tuples`, and the least and the greatest value for the player who chooses.
#[derive(Clone, Copy)]
struct Branch {
    from: usize,
    to: usize,
    low: Score,
    high: Score,
}

struct Tree<'a, G: Searchable> {
    game: &'a G,
    players: usize,
    root_player: usize,
    margin: i64,
    most: usize,
    noise: Noise,
    budget: Budget<'a>,
    moves: Vec<G::Move>,
    /// The sets of the branches of all nodes on the path, one after the other.
    tuples: Vec<Tuple>,
    branches: Vec<Branch>,
    leaves: u64,
    thinned: u64,
    horizon: bool,
    chance: bool,
}

impl SoftMaxN {
    /// The greatest ply that a search within these limits can reach.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    /// Searches until a limit is reached or every line has come to the end of the game.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        super::require_tuples("SoftMaxN", game)?;
        require_end(game, position, context.limits)?;
        let Turn::Player(me) = game.turn(position) else {
            return super::nobody_moves("SoftMaxN", game, position);
        };
        let me = usize::from(me);
        let mut tree = Tree {
            game,
            players: game.players(),
            root_player: me,
            margin: (self.margin.max(0.0) * f64::from(game.unit())).round() as i64,
            most: self.most.max(2),
            noise: self.noise,
            budget: Budget::new(context.limits, context.stop),
            moves: Vec::with_capacity(1024),
            tuples: Vec::with_capacity(1024),
            branches: Vec::with_capacity(1024),
            leaves: 0,
            thinned: 0,
            horizon: false,
            chance: false,
        };
        let mut root = Vec::new();
        game.moves(position, &mut root);
        if let Some(seed) = self.seed {
            Random::new(seed).shuffle(&mut root);
        }
        let mut report = Report { bound: Bound::Estimate, best: root.first().copied(), ..Report::new() };
        let last = self.deepest(context.limits);
        for depth in if self.deepening { 1 } else { last.max(1) }..=last {
            tree.horizon = false;
            if tree.budget.spend() {
                break;
            }
            let mut best: Option<(f64, G::Move, Vec<f64>)> = None;
            let mut children = Vec::with_capacity(root.len());
            for &mv in &root {
                let mut child = position.clone();
                game.play(&mut child, mv);
                tree.tuples.clear();
                tree.enter(&child, depth - 1);
                if tree.budget.over() {
                    break;
                }
                let count = tree.tuples.len() as f64;
                let mean = |player: usize| {
                    game.result(tree.tuples.iter().map(|tuple| f64::from(tuple[player])).sum::<f64>() / count)
                };
                let worst = tree.tuples.iter().map(|tuple| tuple[me]).min().unwrap_or(0);
                let value = match self.prudence {
                    Prudence::Worst => game.result(f64::from(worst)),
                    Prudence::Average => mean(me),
                };
                children.push(Child { mv, visits: tree.tuples.len() as u64, value, error: None });
                if best.as_ref().is_none_or(|(top, ..)| value > *top) {
                    best = Some((value, mv, (0..tree.players).map(mean).collect()));
                }
            }
            let Some((value, mv, values)) = best.filter(|_| !tree.budget.over()) else { break };
            (report.value, report.best, report.values, report.children) = (value, Some(mv), values, children);
            (report.pv, report.depth) = (vec![mv], depth);
            let (nodes, time) = (tree.budget.nodes, tree.budget.elapsed());
            let step = Iteration { depth: u64::from(depth), value, nodes, time, pv: report.pv.clone() };
            (context.progress)(&step);
            report.history.push(step);
            if !tree.horizon {
                break;
            }
        }
        if tree.chance {
            return Err(NotSupported::chance("SoftMaxN"));
        }
        report.nodes = tree.budget.nodes;
        report.time = tree.budget.elapsed();
        report.stats = vec![("leaves", tree.leaves as f64), ("thinned", tree.thinned as f64)];
        Ok(report)
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// Appends the set of a position to `tuples`.
    fn enter(&mut self, child: &G::Position, left: u32) {
        if self.budget.spend() {
            return;
        }
        match self.game.turn(child) {
            Turn::Player(next) if left > 0 => return self.node(child, usize::from(next), left),
            Turn::Player(_) => {
                self.horizon = true;
                self.tuples.push(leaf::tuple(self.game, child, self.players, self.noise));
            }
            Turn::Over => {
                let mut scores = [0; MOST_PLAYERS];
                for (player, score) in scores.iter_mut().enumerate().take(self.players) {
                    *score = self.game.score(child, player);
                }
                self.tuples.push(scores);
            }
            Turn::Chance => {
                self.chance = true;
                self.budget.end();
            }
        }
        self.leaves += 1;
    }

    fn node(&mut self, position: &G::Position, me: usize, depth: u32) {
        let (first_move, first_branch, base) = (self.moves.len(), self.branches.len(), self.tuples.len());
        self.game.moves(position, &mut self.moves);
        for place in first_move..self.moves.len() {
            let mut child = position.clone();
            self.game.play(&mut child, self.moves[place]);
            let from = self.tuples.len();
            self.enter(&child, depth - 1);
            if self.budget.over() {
                break;
            }
            let (mut low, mut high) = (Score::MAX, Score::MIN);
            for tuple in &self.tuples[from..] {
                (low, high) = (low.min(tuple[me]), high.max(tuple[me]));
            }
            self.branches.push(Branch { from, to: self.tuples.len(), low, high });
        }
        // a branch goes if the worst of another one is better than its best by more than the margin
        let sure = self.branches[first_branch..].iter().map(|branch| branch.low).max().unwrap_or(Score::MIN);
        let mut end = base;
        for place in first_branch..self.branches.len() {
            let Branch { from, to, high, .. } = self.branches[place];
            if i64::from(high) + self.margin >= i64::from(sure) {
                self.tuples.copy_within(from..to, end);
                end += to - from;
            }
        }
        self.tuples.truncate(end);
        self.branches.truncate(first_branch);
        self.moves.truncate(first_move);
        self.thin(base);
    }

    /// Makes the tuples from a place on a set, and a small one.
    fn thin(&mut self, base: usize) {
        let root = self.root_player;
        let set = &mut self.tuples[base..];
        set.sort_unstable_by_key(|tuple| (tuple[root], *tuple));
        let mut end = base;
        for place in base..self.tuples.len() {
            if place == base || self.tuples[place] != self.tuples[end - 1] {
                self.tuples[end] = self.tuples[place];
                end += 1;
            }
        }
        self.tuples.truncate(end);
        let count = end - base;
        if count > self.most {
            // evenly, so that both ends stay
            for kept in 0..self.most {
                self.tuples[base + kept] = self.tuples[base + kept * (count - 1) / (self.most - 1)];
            }
            self.tuples.truncate(base + self.most);
            self.thinned += 1;
        }
    }
}
