//! Minimax to a fixed depth, the definition that everything else is measured against.

use std::sync::atomic::{AtomicUsize, Ordering};

use kibitz_game::{Bound, Budget, Child, Iteration, Limits, MAX_DEPTH, Random, Report, Score, Turn};

use crate::alpha_beta::Path;
use crate::helper::spawn;
use crate::lines::Lines;
use crate::{Context, NotSupported, Searchable, require_end, require_minimax};

/// Minimax (Shannon 1950) as a negamax recursion: every line to the horizon or to the end of the game.
///
/// A child's sign comes from whose turn it is before and after the move, so passes, double moves and one-player games need
/// no special case.
#[derive(Clone, Debug)]
pub struct Minimax {
    /// How many threads share the root's moves.
    pub threads: usize,
    /// Shuffles the root's moves, so that ties are broken at random; without it the first of the best is played.
    pub seed: Option<u64>,
}

impl Default for Minimax {
    fn default() -> Self {
        Self { threads: 1, seed: None }
    }
}

impl Minimax {
    /// Searches to the depth limit, or to the end of the game.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        require_minimax("Minimax", game)?;
        require_end(game, position, context.limits)?;
        let budget = Budget::new(context.limits, context.stop);
        let mut report = Report::new();
        match game.turn(position) {
            Turn::Chance => return Err(NotSupported::chance("Minimax")),
            Turn::Over => {
                report.nodes = 1;
                report.value = game.result(f64::from(game.score(position, 0)));
                report.proven = true;
            }
            Turn::Player(me) => self.root(game, position, me, context, &mut report)?,
        }
        report.time = budget.elapsed();
        let step = Iteration {
            depth: u64::from(report.depth),
            value: report.value,
            nodes: report.nodes,
            time: report.time,
            pv: report.pv.clone(),
        };
        (context.progress)(&step);
        report.history.push(step);
        Ok(report)
    }

    fn root<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        me: u8,
        context: &Context<'_, G::Move>,
        report: &mut Report<G::Move>,
    ) -> Result<(), NotSupported> {
        let depth = context.limits.depth.unwrap_or(MAX_DEPTH);
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        if let Some(seed) = self.seed {
            Random::new(seed).shuffle(&mut moves);
        }
        let threads = self.threads.clamp(1, moves.len().max(1));
        // the root is a node, too
        let below =
            Limits { nodes: context.limits.nodes.map(|nodes| nodes.saturating_sub(1)), ..context.limits.clone() };
        let limits = below.shared(threads);
        // every thread takes the next move that nobody has taken
        let next = AtomicUsize::new(0);
        let work = || {
            let mut walk = Walk::new(game, Budget::new(&limits, context.stop), context.past);
            if G::REPEATS {
                walk.path.push(game.key(position));
            }
            let mut found = Vec::new();
            while depth > 0 && !walk.budget.over() && !walk.chance {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(&mv) = moves.get(i) else { break };
                walk.lines.clear(0);
                let value = walk.after(position, mv, me, depth, 0);
                if !walk.budget.over() && !walk.chance {
                    walk.lines.raise(0, mv);
                    found.push((i, value, walk.lines.root().to_vec()));
                }
            }
            (walk, found)
        };
        let parts = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads).filter_map(|_| spawn(scope, work)).collect();
            let mut parts = vec![work()];
            parts.extend(helpers.into_iter().map(crate::helper::Helper::join));
            parts
        });
        report.nodes = 1;
        let mut found = Vec::new();
        let (mut leaves, mut deepest, mut horizon) = (0, 0, false);
        for (walk, part) in parts {
            if walk.chance {
                return Err(NotSupported::chance("Minimax"));
            }
            report.nodes += walk.budget.nodes;
            leaves += walk.leaves;
            deepest = deepest.max(walk.deepest);
            horizon |= walk.horizon;
            found.extend(part);
        }
        found.sort_by_cached_key(|&(i, ..)| i);
        report.stats.push(("leaves", leaves as f64));
        let child = |&(i, value, _): &(usize, Score, _)| {
            let value = game.result(f64::from(value));
            Child { mv: moves[i], visits: 0, value, error: None }
        };
        report.children = found.iter().map(child).collect();
        // a search that was stopped half-way reports the best of what it finished, and says so
        let complete = found.len() == moves.len();
        let best = found.into_iter().reduce(|best, other| if other.1 > best.1 { other } else { best });
        if let Some((i, value, line)) = best {
            report.best = Some(moves[i]);
            report.pv = line;
            report.value = game.result(f64::from(value));
            report.bound = if complete { Bound::Exact } else { Bound::Lower };
            report.depth = if complete { deepest } else { 0 };
            report.proven = complete && !horizon;
        } else {
            report.best = moves.first().copied();
            report.pv.extend(report.best);
            report.value = game.result(f64::from(game.evaluate(position, usize::from(me))));
            report.bound = Bound::Estimate;
        }
        Ok(())
    }
}

struct Walk<'a, G: Searchable> {
    game: &'a G,
    budget: Budget<'a>,
    moves: Vec<G::Move>,
    lines: Lines<G::Move>,
    leaves: u64,
    deepest: u32,
    horizon: bool,
    chance: bool,
    path: Path,
}

impl<'a, G: Searchable> Walk<'a, G> {
    fn new(game: &'a G, budget: Budget<'a>, past: &[u64]) -> Self {
        Self {
            game,
            budget,
            moves: Vec::new(),
            lines: Lines::new(),
            leaves: 0,
            deepest: 0,
            horizon: false,
            chance: false,
            path: Path::new::<G>(past),
        }
    }

    /// The value for `me` after a move from a node at this ply with this depth left.
    fn after(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32, ply: usize) -> Score {
        let mut child = position.clone();
        self.game.play(&mut child, mv);
        if self.budget.spend() {
            return 0;
        }
        self.deepest = self.deepest.max(ply as u32 + 1);
        self.lines.leaf(ply + 1);
        let turn = self.game.turn(&child);
        if G::REPEATS && matches!(turn, Turn::Player(_)) {
            // repetitions mean the same as in the rest of the family
            let key = self.game.key(&child);
            if let Some(repeated) = self.path.repeated(self.game, &child, key, me) {
                self.leaves += 1;
                self.horizon |= !repeated.by_rule;
                return repeated.score;
            }
            self.path.push(key);
            let value = self.below(&child, turn, me, depth, ply);
            self.path.pop();
            return value;
        }
        self.below(&child, turn, me, depth, ply)
    }

    #[inline(always)]
    fn below(&mut self, child: &G::Position, turn: Turn, me: u8, depth: u32, ply: usize) -> Score {
        match turn {
            Turn::Over => {
                self.leaves += 1;
                self.game.score(child, usize::from(me))
            }
            Turn::Chance => {
                self.chance = true;
                0
            }
            Turn::Player(_) if depth == 1 => {
                self.leaves += 1;
                self.horizon = true;
                self.game.evaluate(child, usize::from(me))
            }
            Turn::Player(next) if next == me => self.node(child, next, depth - 1, ply + 1),
            Turn::Player(next) => -self.node(child, next, depth - 1, ply + 1),
        }
    }

    fn node(&mut self, position: &G::Position, me: u8, depth: u32, ply: usize) -> Score {
        self.lines.clear(ply);
        let first = self.moves.len();
        self.game.moves(position, &mut self.moves);
        let mut best = -Score::MAX;
        for i in first..self.moves.len() {
            let mv = self.moves[i];
            let value = self.after(position, mv, me, depth, ply);
            if self.budget.over() || self.chance {
                break;
            }
            if value > best {
                best = value;
                self.lines.raise(ply, mv);
            }
        }
        self.moves.truncate(first);
        best
    }
}
