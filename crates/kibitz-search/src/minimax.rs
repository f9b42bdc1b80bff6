//! Minimax to a fixed depth, the definition that everything else is measured against.

use kibitz_game::{Bound, Budget, Iteration, MAX_DEPTH, Random, Report, Score, Turn};

use crate::lines::Lines;
use crate::{Context, NotSupported, Searchable, require_end, require_minimax};

/// Minimax (Shannon 1950) as a negamax recursion: every line to the horizon or to the end of the game.
///
/// A child's sign comes from whose turn it is before and after the move, so passes, double moves and one-player games need
/// no special case.
#[derive(Clone, Debug, Default)]
pub struct Minimax {
    /// Shuffles the root's moves, so that ties are broken at random; without it the first of the best is played.
    pub seed: Option<u64>,
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
        let mut walk = Walk {
            game,
            budget: Budget::new(context.limits, context.stop),
            moves: Vec::new(),
            lines: Lines::new(),
            leaves: 0,
            deepest: 0,
            horizon: false,
            chance: false,
        };
        let mut report = Report::new();
        match game.turn(position) {
            Turn::Chance => return Err(NotSupported::chance("Minimax")),
            Turn::Over => {
                walk.budget.spend();
                report.value = game.result(f64::from(game.score(position, 0)));
                report.proven = true;
            }
            Turn::Player(me) => {
                let depth = context.limits.depth.unwrap_or(MAX_DEPTH);
                self.root(&mut walk, position, me, depth, &mut report);
            }
        }
        if walk.chance {
            return Err(NotSupported::chance("Minimax"));
        }
        report.nodes = walk.budget.nodes;
        report.time = walk.budget.elapsed();
        report.stats.push(("leaves", walk.leaves as f64));
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
        walk: &mut Walk<'_, G>,
        position: &G::Position,
        me: u8,
        depth: u32,
        report: &mut Report<G::Move>,
    ) {
        let game = walk.game;
        walk.budget.spend();
        walk.lines.clear(0);
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        if let Some(seed) = self.seed {
            Random::new(seed).shuffle(&mut moves);
        }
        let mut best = None;
        for &mv in &moves {
            if depth == 0 {
                break;
            }
            let value = walk.after(position, mv, me, depth, 0);
            if walk.budget.over() || walk.chance {
                break;
            }
            report.children.push((mv, 0, game.result(f64::from(value))));
            if best.is_none_or(|(_, best)| value > best) {
                best = Some((mv, value));
                walk.lines.raise(0, mv);
            }
        }
        // a search that was stopped half-way reports the best of what it finished, and says so
        let complete = report.children.len() == moves.len();
        if let Some((mv, value)) = best {
            report.best = Some(mv);
            report.pv.extend_from_slice(walk.lines.root());
            report.value = game.result(f64::from(value));
            report.bound = if complete { Bound::Exact } else { Bound::Lower };
            report.depth = if complete { walk.deepest } else { 0 };
            report.proven = complete && !walk.horizon;
        } else {
            report.best = moves.first().copied();
            report.pv.extend(report.best);
            report.value = game.result(f64::from(game.evaluate(position, usize::from(me))));
            report.bound = Bound::Estimate;
        }
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
}

impl<G: Searchable> Walk<'_, G> {
    /// The value for `me` after a move from a node at this ply with this depth left.
    fn after(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32, ply: usize) -> Score {
        let mut child = position.clone();
        self.game.play(&mut child, mv);
        if self.budget.spend() {
            return 0;
        }
        self.deepest = self.deepest.max(ply as u32 + 1);
        self.lines.leaf(ply + 1);
        match self.game.turn(&child) {
            Turn::Over => {
                self.leaves += 1;
                self.game.score(&child, usize::from(me))
            }
            Turn::Chance => {
                self.chance = true;
                0
            }
            Turn::Player(_) if depth == 1 => {
                self.leaves += 1;
                self.horizon = true;
                self.game.evaluate(&child, usize::from(me))
            }
            Turn::Player(next) if next == me => self.node(&child, next, depth - 1, ply + 1),
            Turn::Player(next) => -self.node(&child, next, depth - 1, ply + 1),
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
