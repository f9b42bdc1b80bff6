//! The nodes of players: fail-soft alpha-beta.

use kibitz_game::{Memory, Pack, Turn};

use super::leaf;
use super::memory::Known;
use super::tree::Tree;
use crate::{Searchable, TRACING};

/// What led to a position: a move, or an outcome of chance with its probability.
#[derive(Clone, Copy)]
pub(super) struct Step<M> {
    pub(super) mv: M,
    pub(super) probability: Option<f64>,
}

impl<G: Searchable> Tree<'_, G> {
    /// The position that a move or an outcome leads to.
    #[inline(always)]
    pub(super) fn child(&self, position: &G::Position, mv: G::Move) -> G::Position {
        let mut child = position.clone();
        self.game.play(&mut child, mv);
        child
    }

    /// The value for the first player of a position with so much depth left, fail-soft.
    #[inline]
    pub(super) fn enter(
        &mut self,
        child: &G::Position,
        step: Step<G::Move>,
        left: u32,
        ply: usize,
        alpha: f64,
        beta: f64,
    ) -> f64 {
        if TRACING && self.recorder.is_some() {
            self.open_record(child, Some(step), left, alpha, beta);
            let value = self.entered(child, left, ply, alpha, beta);
            self.close_record(child, value);
            return value;
        }
        self.entered(child, left, ply, alpha, beta)
    }

    fn entered(&mut self, child: &G::Position, left: u32, ply: usize, alpha: f64, beta: f64) -> f64 {
        if self.budget.spend() {
            return 0.0;
        }
        let turn = self.game.turn(child);
        if turn == Turn::Over {
            self.counters.leaves += 1;
            self.lines.clear(ply);
            self.note("over");
            return f64::from(self.game.score(child, 0));
        }
        let key = if left > 0 || G::REPEATS { self.key(child) } else { 0 };
        if G::REPEATS && matches!(turn, Turn::Player(_)) {
            if let Some(repeated) = self.path.repeated(self.game, child, key, 0) {
                self.lines.clear(ply);
                self.counters.repetitions += 1;
                self.reach = self.reach.min(repeated.ply);
                self.horizon |= !repeated.by_rule;
                self.note("repetition");
                return f64::from(repeated.score);
            }
            self.path.push(key);
        }
        let value = if left == 0 {
            self.horizon = true;
            self.counters.leaves += 1;
            self.lines.clear(ply);
            self.note("horizon");
            leaf::evaluate(self.game, child, self.switches.noise)
        } else if let Turn::Player(me) = turn {
            self.node(child, key, me, left, ply, alpha, beta)
        } else {
            self.chance_node(child, key, left, ply, alpha, beta)
        };
        if G::REPEATS {
            // a node of chance was not pushed, since a repetition is one of a player's choice
            if matches!(turn, Turn::Player(_)) {
                self.path.pop();
            }
        }
        value
    }

    /// The value for the first player of a node of `me`; `depth` is at least 1.
    pub(super) fn node(
        &mut self,
        position: &G::Position,
        key: u64,
        me: u8,
        depth: u32,
        ply: usize,
        alpha: f64,
        beta: f64,
    ) -> f64 {
        let nodes_before = self.budget.nodes;
        let outer = self.begin(ply);
        // in this node values are those of `me`
        let sign = if me == 0 { 1.0 } else { -1.0 };
        let (mut alpha, mut beta) = if me == 0 { (alpha, beta) } else { (-beta, -alpha) };
        let known = self.known(key);
        if let Some(known) = known.filter(|known| ply > 0 && self.usable(known, depth)) {
            let (lower, upper) = if me == 0 { (known.lower, known.upper) } else { (-known.upper, -known.lower) };
            if lower >= beta || lower == upper || upper <= alpha {
                return sign * self.leave_by_table(outer, &known, if upper <= alpha { upper } else { lower });
            }
            if lower > alpha || upper < beta {
                self.horizon |= !known.ended;
                (alpha, beta) = (alpha.max(lower), beta.min(upper));
            }
        }
        let first = self.moves.len();
        self.list_moves(position, me, ply, known.and_then(|known| known.mv));
        let count = self.moves.len() - first;
        let mut best = f64::NEG_INFINITY;
        let mut best_move = None;
        for place in first..first + count {
            let mv = self.next_move(place);
            let child = self.child(position, mv);
            let raised = if self.full_width { f64::NEG_INFINITY } else { alpha.max(best) };
            let window = if me == 0 { (raised, beta) } else { (-beta, -raised) };
            let step = Step { mv, probability: None };
            let value = sign * self.enter(&child, step, depth - 1, ply + 1, window.0, window.1);
            if self.interrupted() {
                self.moves.truncate(first);
                return 0.0;
            }
            if ply == 0 {
                self.root_values.push((mv, value));
            }
            if value > best {
                if value > alpha {
                    self.lines.raise(ply, mv);
                }
                (best, best_move) = (value, Some(mv));
                if value >= beta {
                    self.counters.cuts += 1;
                    self.counters.first_move_cuts += u64::from(place == first);
                    self.note("cut");
                    break;
                }
            }
        }
        self.moves.truncate(first);
        if let Some(mv) = best_move
            && best > alpha
        {
            self.reward(position, mv, me, depth, ply, best >= beta);
        }
        let (alpha, beta) = if me == 0 { (alpha, beta) } else { (-beta, -alpha) };
        let mut found = Known::found(sign * best, alpha, beta);
        found.mv = best_move.map(Pack::pack);
        self.leave(outer, ply, key, depth, found, known, nodes_before);
        sign * best
    }

    /// Enters a node: what is below it has come to an end so far. Returns what was so above it.
    #[inline]
    pub(super) fn begin(&mut self, ply: usize) -> (bool, usize) {
        self.lines.clear(ply);
        self.deepest = self.deepest.max(ply as u32);
        let reach = if G::REPEATS { std::mem::replace(&mut self.reach, usize::MAX) } else { usize::MAX };
        (std::mem::replace(&mut self.horizon, false), reach)
    }

    /// Leaves a node with a value that the table knew.
    pub(super) fn leave_by_table(&mut self, outer: (bool, usize), known: &Known, value: f64) -> f64 {
        self.horizon = outer.0 || !known.ended;
        self.reach = outer.1;
        self.counters.table_cuts += 1;
        self.note("table");
        value
    }

    /// Leaves a node with a value that was found, which is remembered unless it rests on a repetition above the node.
    pub(super) fn leave(
        &mut self,
        outer: (bool, usize),
        ply: usize,
        key: u64,
        depth: u32,
        found: Known,
        old: Option<Known>,
        nodes_before: u64,
    ) {
        let ended = !self.horizon;
        self.horizon |= outer.0;
        let mut bound_to_path = false;
        if G::REPEATS {
            bound_to_path = self.reach < ply;
            self.reach = if bound_to_path { self.reach.min(outer.1) } else { outer.1 };
        }
        if self.table.is_some() && !bound_to_path {
            let known = Known { depth, ended, ..found }.with(old);
            self.table.store(key, known.entry(self.budget.nodes - nodes_before));
        }
    }
}
