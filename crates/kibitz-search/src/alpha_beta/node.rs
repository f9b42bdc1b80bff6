//! The search of a node: the one loop of the family.

use kibitz_game::{Entry, Memory, Pack, Score, Turn};

use super::ordering::tag;
use super::tree::Tree;
use super::{INFINITY, Scout};
use crate::{Searchable, TRACING};

/// The window of a node, and how far its moves have come.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// The lower end.
    pub(super) alpha: Score,
    /// The greater of the lower end and the best value.
    pub(super) raised: Score,
    /// The best value.
    pub(super) best: Score,
    /// The upper end.
    pub(super) beta: Score,
}

/// A node that a selective method may settle.
pub(super) struct Here<'p, P> {
    pub(super) position: &'p P,
    pub(super) key: u64,
    /// The player to move.
    pub(super) me: u8,
    /// The remaining depth.
    pub(super) depth: u32,
    pub(super) ply: usize,
}

impl Window {
    /// Whether a move of this rank is tried with a null window first.
    pub(super) fn scouts(&self, scout: Scout, rank: usize) -> bool {
        match scout {
            Scout::Never | Scout::AsPrinted => false,
            Scout::Pvs => self.raised > self.alpha,
            Scout::NegaScout { .. } => rank > 0,
        }
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// The value of a node for the player to move, who is `me`; `depth` is at least 1.
    // in one piece, since it is the piece that takes the time
    #[allow(clippy::too_many_lines)]
    pub(super) fn node(
        &mut self,
        position: &G::Position,
        key: u64,
        me: u8,
        depth: u32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
    ) -> Score {
        let nodes_before = self.budget.nodes;
        let outer_horizon = std::mem::replace(&mut self.horizon, false);
        let outer_reach = if G::REPEATS { std::mem::replace(&mut self.reach, usize::MAX) } else { usize::MAX };
        self.lines.clear(ply);
        self.deepest = self.deepest.max(ply as u32);

        let first = self.moves.len();
        if !G::SLOW {
            // while the table's memory is on its way
            self.list_moves(position, ply);
        }
        let mut known = None;
        if self.table.is_some() {
            self.counters.probes += 1;
            known = self.table.probe(key);
            if let Some(entry) = known {
                self.counters.hits += 1;
                if ply > 0 && self.usable(&entry, depth) {
                    if entry.lower >= beta || entry.lower == entry.upper || entry.upper <= alpha {
                        self.horizon = outer_horizon || !entry.ended;
                        self.counters.table_cuts += 1;
                        if self.switches.ordering.credit_table && entry.lower >= beta {
                            self.credit_known(position, me, first, &entry);
                        }
                        self.moves.truncate(first);
                        if G::REPEATS {
                            self.reach = outer_reach;
                        }
                        return if entry.upper <= alpha { entry.upper } else { entry.lower };
                    }
                    if entry.lower > alpha || entry.upper < beta {
                        self.horizon |= !entry.ended;
                        alpha = alpha.max(entry.lower);
                        beta = beta.min(entry.upper);
                    }
                }
            }
        }

        if G::SLOW {
            self.list_moves(position, ply);
        }
        let mut count = self.moves.len() - first;

        let mut best = -INFINITY;
        let mut best_move = None;
        let mut raised = alpha;
        let mut etc_bound = -INFINITY;
        if self.switches.etc && ply > 0 && depth >= self.switches.etc_depth && self.table.is_some() {
            (etc_bound, best_move) = self.look_ahead(position, me, depth, first);
            best = etc_bound;
            raised = raised.max(best);
        }

        let mut extended = None;
        if best < beta && self.prunes && ply > 0 {
            // what a selective method returns is a suspicion, and is not stored
            if let Some(value) = self.settle(&Here { position, key, me, depth, ply }, alpha, beta) {
                return self.leave(first, outer_reach, value);
            }
            if let Some(bound) = self.futile(position, me, depth, ply, first, raised) {
                count = self.moves.len() - first;
                best = best.max(bound);
            }
        }
        if best < beta {
            let table_move = if self.switches.ordering.hash_move { known.and_then(|entry| entry.mv) } else { None };
            let likely = self.score_moves(position, me, ply, first, table_move);
            if self.prunes && ply > 0 {
                if let Some(value) = self.multi_cut(position, me, depth, ply, first, count, beta) {
                    return self.leave(first, outer_reach, value);
                }
                extended = self.singular(position, me, depth, ply, first, known.as_ref());
            }
            let plain = self.plain_loop;
            let (mut place, end) = (first, first + count);
            let mut best_place = first;
            let mut reduced = false;
            while place < end {
                let mv =
                    if plain && place == first { self.bring(first, likely) } else { self.next_move(first, place, end) };
                let value = if plain {
                    self.after(position, mv, me, depth, ply, raised, beta)
                } else {
                    let window = Window { alpha, raised, best, beta };
                    let extended = extended == Some(mv.pack());
                    self.by_method(position, mv, me, depth, ply, place - first, window, extended, &mut reduced)
                };
                if self.interrupted() {
                    self.moves.truncate(first);
                    return 0;
                }
                if value > best {
                    best = value;
                    best_move = Some(mv);
                    best_place = place;
                    if value > raised {
                        raised = value;
                        self.lines.raise(ply, mv);
                    }
                    if value >= beta || !plain && self.same_bucket(value, beta) {
                        self.counters.cuts += 1;
                        self.counters.first_move_cuts += u64::from(place == first);
                        place += 1;
                        break;
                    }
                }
                place += 1;
            }
            if self.counts {
                let tried = place - first;
                self.count_tries(position, me, depth, first, tried);
                if !reduced {
                    self.ranks.learn(depth, best_place - first, tried);
                }
            }
            if let Some(mv) = best_move
                && (best > alpha || self.switches.ordering.credit_fail_low)
            {
                self.reward(position, mv, me, depth, ply, best >= beta);
            }
        } else {
            self.counters.etc_cuts += 1;
            if self.switches.ordering.credit_table
                && let Some(mv) = best_move
            {
                self.learn(position, mv, me, depth - 1);
            }
        }
        self.moves.truncate(first);
        if self.switches.fail_hard {
            best = best.clamp(alpha, beta);
        }

        let ended = !self.horizon;
        self.horizon |= outer_horizon;
        let mut bound_to_path = false;
        if G::REPEATS {
            bound_to_path = self.reach < ply;
            self.reach = if bound_to_path { self.reach.min(outer_reach) } else { outer_reach };
        }
        if self.table.is_some() && !bound_to_path {
            let mut entry = Entry {
                lower: if best > alpha { best } else { etc_bound },
                upper: if best < beta { best } else { Score::MAX },
                depth: depth as u16,
                ended,
                mv: best_move.map(Pack::pack),
                nodes: (self.budget.nodes - nodes_before).min(u64::from(u32::MAX)) as u32,
            };
            if let Some(old) = known.filter(|old| old.depth == entry.depth && old.ended == ended) {
                entry.lower = entry.lower.max(old.lower);
                entry.upper = entry.upper.min(old.upper);
                entry.mv = entry.mv.or(old.mv);
            }
            self.table.store(key, entry);
        }
        best
    }

    /// Leaves a node with a value that is a suspicion.
    #[cold]
    fn leave(&mut self, first: usize, outer_reach: usize, value: Score) -> Score {
        self.moves.truncate(first);
        self.horizon = true;
        self.reach = self.reach.min(outer_reach);
        value
    }

    /// The value of a move as the methods say that are not plain alpha-beta.
    #[inline(never)]
    fn by_method(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        me: u8,
        depth: u32,
        ply: usize,
        rank: usize,
        window: Window,
        extended: bool,
        reduced: &mut bool,
    ) -> Score {
        if self.prunes {
            return self.selective_value(position, mv, me, depth, ply, rank, window, extended, reduced);
        }
        let Window { raised, best, beta, .. } = window;
        match self.switches.scout {
            Scout::AsPrinted => self.printed(position, mv, me, depth, ply, rank == 0, raised, best, beta),
            scout if window.scouts(scout, rank) => self.scouted(position, mv, me, depth, ply, raised, beta),
            _ => {
                let child = self.child(position, mv, ply);
                self.enter(&child, me, depth - 1, ply + 1, raised, beta)
            }
        }
    }

    /// The key of a position that will be searched, whose entry is fetched meanwhile.
    #[inline(always)]
    pub(super) fn announce(&self, position: &G::Position) -> u64 {
        if !self.table.is_some() {
            return if G::REPEATS { self.game.key(position) } else { 0 };
        }
        let key = self.game.key(position);
        self.table.prefetch(key);
        key
    }

    #[inline(always)]
    fn list_moves(&mut self, position: &G::Position, ply: usize) {
        if ply == 0 {
            self.moves.extend_from_slice(&self.root);
        } else {
            self.game.moves(position, &mut self.moves);
        }
    }

    /// The position that a move leads to.
    #[inline(always)]
    pub(super) fn child(&mut self, position: &G::Position, mv: G::Move, ply: usize) -> G::Position {
        if self.uses_countermoves {
            self.previous[ply + 1] = tag(self.game, position, mv);
        }
        let mut child = position.clone();
        self.game.play(&mut child, mv);
        child
    }

    /// The value for `me` of the child that a move leads to, where nobody asks for countermoves or a record.
    #[inline(always)]
    fn after(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        me: u8,
        depth: u32,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let mut child = position.clone();
        self.game.play(&mut child, mv);
        self.entered(&child, me, depth - 1, ply + 1, alpha, beta)
    }

    /// The value of a move by a null window, and by a wider one where that is not enough.
    #[inline(never)]
    pub(super) fn scouted(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        me: u8,
        depth: u32,
        ply: usize,
        raised: Score,
        beta: Score,
    ) -> Score {
        let child = self.child(position, mv, ply);
        let value = self.enter(&child, me, depth - 1, ply + 1, raised, raised + 1);
        if value <= raised || value >= beta || self.interrupted() {
            return value;
        }
        let narrow = matches!(self.switches.scout, Scout::NegaScout { wide: false });
        // Reinefeld: near the leaves a fail-soft null window that fails high has looked at everything. That asks for an
        // opponent's reply: a player who moves twice may have stopped at the first good move.
        let replied = self.game.turn(&child) != Turn::Player(me);
        if matches!(self.switches.scout, Scout::NegaScout { .. })
            && depth <= 2
            && (depth == 1 && !self.quiesces || self.exact_near_leaves && replied)
        {
            return value;
        }
        self.counters.researches += 1;
        if self.prunes {
            self.expected[ply + 1] = self.expected[ply];
        }
        self.enter(&child, me, depth - 1, ply + 1, if narrow { value } else { raised }, beta)
    }

    /// The value of a move if its bucket is greater than that of the best so far, and otherwise the best, as printed. (The
    /// listing also believes a second search that is worse than the best; nothing is gained by that.)
    #[inline(never)]
    fn printed(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        me: u8,
        depth: u32,
        ply: usize,
        first: bool,
        raised: Score,
        best: Score,
        beta: Score,
    ) -> Score {
        let child = self.child(position, mv, ply);
        let upper = if first { beta } else { raised + 1 };
        let value = self.enter(&child, me, depth - 1, ply + 1, raised, upper);
        if value.div_euclid(self.compared) <= best.div_euclid(self.compared) {
            return best;
        }
        if upper == beta || self.interrupted() {
            return value;
        }
        self.counters.researches += 1;
        self.enter(&child, me, depth - 1, ply + 1, value, beta)
    }

    /// Whether a value cuts because beta lies in its bucket, as printed.
    #[inline(always)]
    fn same_bucket(&self, value: Score, beta: Score) -> bool {
        self.switches.scout == Scout::AsPrinted && value.div_euclid(self.compared) >= beta.div_euclid(self.compared)
    }

    /// The value for `me` of a position with so much depth left, after a move that led to this ply.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        child: &G::Position,
        me: u8,
        left: u32,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if TRACING && self.recorder.is_some() {
            return self.recorded(child, me, left, ply, alpha, beta);
        }
        self.entered(child, me, left, ply, alpha, beta)
    }

    /// The same without a record of it.
    #[inline(always)]
    pub(super) fn entered(
        &mut self,
        child: &G::Position,
        me: u8,
        left: u32,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if self.budget.spend() {
            return 0;
        }
        match self.game.turn(child) {
            Turn::Over => {
                self.lines.leaf(ply);
                if !self.plain_leaves {
                    return self.leaf(child, me, None);
                }
                self.counters.leaves += 1;
                self.game.score(child, usize::from(me))
            }
            Turn::Player(next) => {
                if G::REPEATS
                    && let Some(score) = self.repetition(child, me, ply)
                {
                    return score;
                }
                // the first half is known when the game is compiled
                if G::RANKED
                    && let Some(oracle) = &self.switches.database
                    && let Some(score) = oracle.score(self.game, child, next)
                {
                    return self.known(score, me, next, ply);
                }
                if left == 0 {
                    self.horizon = true;
                    self.lines.leaf(ply);
                    if !self.plain_leaves {
                        return if self.quiesces {
                            self.quiet_value(child, me, next, alpha, beta)
                        } else {
                            self.leaf(child, me, Some(next))
                        };
                    }
                    self.counters.leaves += 1;
                    return self.game.evaluate(child, usize::from(me));
                }
                let key = self.announce(child);
                if G::REPEATS {
                    self.path.push(key);
                }
                let value = if next == me {
                    self.node(child, key, next, left, ply, alpha, beta)
                } else {
                    -self.node(child, key, next, left, ply, -beta, -alpha)
                };
                if G::REPEATS {
                    self.path.pop();
                }
                value
            }
            Turn::Chance => {
                self.chance = true;
                self.budget.end();
                0
            }
        }
    }

    /// The value for `me` of a repeated position.
    #[inline]
    fn repetition(&mut self, child: &G::Position, me: u8, ply: usize) -> Option<Score> {
        let repeated = self.path.repeated(self.game, child, self.game.key(child), me)?;
        self.lines.leaf(ply);
        self.counters.repetitions += 1;
        self.reach = self.reach.min(repeated.ply);
        self.horizon |= !repeated.by_rule;
        Some(self.bucketed(repeated.score, me))
    }

    /// The value for `me` of a position that a database knows, as a score of the player to move.
    #[inline(never)]
    fn known(&mut self, score: Score, me: u8, next: u8, ply: usize) -> Score {
        self.lines.leaf(ply);
        self.counters.database_hits += 1;
        let score = self.bucketed(score, next);
        if next == me { score } else { -score }
    }

    /// Looks all children up in the table. An upper bound of a child whose opponent we are, or a lower bound of a child
    /// that is ours again, is a lower bound of this node: the greatest of them, with its move.
    #[inline(never)]
    fn look_ahead(&mut self, position: &G::Position, me: u8, depth: u32, first: usize) -> (Score, Option<G::Move>) {
        let mut best = -INFINITY;
        let mut best_move = None;
        let mut horizon = false;
        for i in first..self.moves.len() {
            let mv = self.moves[i];
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            let Turn::Player(next) = self.game.turn(&child) else { continue };
            let Some(entry) = self.table.probe(self.game.key(&child)) else { continue };
            if !self.usable(&entry, depth - 1) {
                continue;
            }
            let bound = match next == me {
                true if entry.lower > Score::MIN => entry.lower,
                false if entry.upper < Score::MAX => -entry.upper,
                _ => continue,
            };
            if bound > best {
                best = bound;
                best_move = Some(mv);
                horizon = !entry.ended;
            }
        }
        self.horizon |= horizon;
        (best, best_move)
    }
}
