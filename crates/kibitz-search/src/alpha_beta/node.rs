//! The search of a node: the one loop of the family.

use std::hint::select_unpredictable;
use std::sync::Arc;

use kibitz_game::{Budget, Entry, MAX_DEPTH, Memory, Pack, Score, Table, Turn};

use super::ordering::{Countermoves, HistoryTable, Killers, NO_MOVE, tag};
use super::recorder::Recorder;
use super::selective::{Expected, RankTable};
use super::{AlphaBeta, History, INFINITY, Path, Scout};
use crate::Searchable;
use crate::lines::Lines;

/// What happened in the tree.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    pub(super) leaves: u64,
    pub(super) passes: u64,
    probes: u64,
    hits: u64,
    pub(super) table_cuts: u64,
    pub(super) etc_cuts: u64,
    pub(super) cuts: u64,
    first_move_cuts: u64,
    researches: u64,
    pub(super) null_cuts: u64,
    pub(super) multi_cuts: u64,
    pub(super) prob_cuts: u64,
    pub(super) razored: u64,
    pub(super) futile: u64,
    pub(super) reductions: u64,
    pub(super) extensions: u64,
    pub(super) quiescence_nodes: u64,
    pub(super) repetitions: u64,
}

impl Counters {
    pub(super) fn named(&self) -> Vec<(&'static str, f64)> {
        let always = [
            ("leaves", self.leaves),
            ("table_probes", self.probes),
            ("table_hits", self.hits),
            ("table_cuts", self.table_cuts),
            ("etc_cuts", self.etc_cuts),
            ("cuts", self.cuts),
            ("first_move_cuts", self.first_move_cuts),
        ];
        // what a method does not do is not worth a line
        let sometimes = [
            ("passes", self.passes),
            ("researches", self.researches),
            ("null_move_cuts", self.null_cuts),
            ("multi_cuts", self.multi_cuts),
            ("prob_cuts", self.prob_cuts),
            ("razored", self.razored),
            ("futile", self.futile),
            ("reductions", self.reductions),
            ("extensions", self.extensions),
            ("quiescence_nodes", self.quiescence_nodes),
            ("repetitions", self.repetitions),
        ];
        let all = always.into_iter().chain(sometimes.into_iter().filter(|&(_, count)| count > 0));
        all.map(|(name, count)| (name, count as f64)).collect()
    }
}

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

/// A search with everything that it has learned.
pub(super) struct Tree<'a, G: Searchable> {
    pub(super) switches: &'a AlphaBeta,
    pub(super) game: &'a G,
    pub(super) table: Arc<Table>,
    pub(super) budget: Budget<'a>,
    killers: Killers,
    countermoves: Countermoves,
    pub(super) history: HistoryTable,
    pub(super) moves: Vec<G::Move>,
    /// The ordering score of each move in `moves`.
    scores: Vec<i64>,
    pub(super) lines: Lines<G::Move>,
    pub(super) counters: Counters,
    /// Whether any line of the node being searched has ended at the horizon, or was cut on suspicion.
    pub(super) horizon: bool,
    pub(super) chance: bool,
    /// The greatest ply of any node.
    pub(super) deepest: u32,
    /// The order of the root's moves, the best move of the previous iteration first.
    pub(super) root: Vec<G::Move>,
    /// The line of the best move of this iteration.
    pub(super) line: Vec<G::Move>,
    /// The depth of this iteration.
    pub(super) root_depth: u32,
    pub(super) path: Path,
    /// The least ply of a position that was repeated below the node being searched.
    reach: usize,
    /// The tag of the move that led to each ply.
    previous: Vec<u64>,
    /// What each node on the path is expected to be, where selective methods ask.
    pub(super) expected: Vec<Expected>,
    pub(super) ranks: RankTable,
    uses_history: bool,
    uses_countermoves: bool,
    /// Whether every move has the plain window.
    plain_loop: bool,
    /// Whether tried moves and ranks are counted.
    counts: bool,
    /// Whether any selective method but quiescence search is switched on.
    pub(super) prunes: bool,
    quiesces: bool,
    /// Whether a leaf is worth its score or its evaluation, and nothing else is done with it.
    plain_leaves: bool,
    /// Whether a fail-soft null window is exact one ply above the leaves, so that NegaScout need not search again.
    exact_near_leaves: bool,
    /// The size of the buckets in which leaves are counted.
    pub(super) bucket: Score,
    /// The size of the buckets by which values are compared, as printed.
    compared: Score,
    /// Writes the tree down where somebody asked for it.
    pub(super) recorder: Option<Box<Recorder<G>>>,
}

impl<'a, G: Searchable> Tree<'a, G> {
    pub(super) fn new(
        switches: &'a AlphaBeta,
        game: &'a G,
        table: Arc<Table>,
        budget: Budget<'a>,
        past: &[u64],
    ) -> Self {
        let ordering = &switches.ordering;
        let uses_history = ordering.history != History::None && game.indices() > 0;
        let uses_countermoves = ordering.countermoves && game.indices() > 0;
        let as_printed = switches.scout == Scout::AsPrinted;
        let bucket = if as_printed { 1 } else { switches.bucket(game) };
        let prunes = switches.selective.prunes();
        let quiesces = switches.selective.quiescence.is_some() && G::NOISY;
        let plies = 2 * MAX_DEPTH as usize + 2;
        Self {
            switches,
            game,
            budget,
            killers: Killers::new(),
            countermoves: Countermoves::new(game.players(), if uses_countermoves { game.indices() } else { 0 }),
            history: HistoryTable::new(ordering, game.players(), if uses_history { game.indices() } else { 0 }),
            moves: Vec::with_capacity(1024),
            scores: Vec::with_capacity(1024),
            lines: Lines::new(),
            counters: Counters::default(),
            horizon: false,
            chance: false,
            deepest: 0,
            root: Vec::new(),
            line: Vec::new(),
            root_depth: 0,
            path: Path::new::<G>(past),
            reach: usize::MAX,
            previous: vec![NO_MOVE; if uses_countermoves { plies } else { 0 }],
            expected: vec![Expected::Pv; if prunes { plies } else { 0 }],
            ranks: RankTable::new(switches.selective.rank_cut.is_some()),
            uses_history,
            uses_countermoves,
            plain_loop: !prunes && !uses_countermoves && switches.scout == Scout::Never,
            counts: switches.selective.rank_cut.is_some()
                || uses_history && matches!(ordering.history, History::Butterfly | History::Relative),
            prunes,
            quiesces,
            plain_leaves: !(switches.tt_leaves && table.is_some()) && bucket == 1 && !quiesces,
            exact_near_leaves: !switches.fail_hard && !prunes && !quiesces && (!table.is_some() || switches.same_depth),
            bucket,
            compared: switches.bucket(game),
            recorder: None,
            table,
        }
    }

    /// Whether the search has ended before its time, so that no value means anything.
    #[inline(always)]
    pub(super) fn interrupted(&self) -> bool {
        self.budget.over() || self.chance
    }

    /// Whether an entry speaks about the remaining depth.
    #[inline(always)]
    fn usable(&self, entry: &Entry, depth: u32) -> bool {
        let stored = u32::from(entry.depth);
        if self.switches.same_depth {
            stored == depth || entry.ended && stored <= depth
        } else {
            stored >= depth || entry.ended
        }
    }

    /// The value of a node for the player to move, who is `me`; `depth` is at least 1.
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
            if let Some(value) = self.settle(position, key, me, depth, ply, alpha, beta) {
                return self.leave(first, outer_reach, value);
            }
            if let Some(bound) = self.futile(position, me, depth, ply, first, raised) {
                count = self.moves.len() - first;
                best = best.max(bound);
            }
        }
        if best < beta {
            let table_move = if self.switches.ordering.hash_move { known.and_then(|entry| entry.mv) } else { None };
            self.score_moves(position, me, ply, first, table_move);
            if self.prunes && ply > 0 {
                if let Some(value) = self.multi_cut(position, me, depth, ply, first, count, beta) {
                    return self.leave(first, outer_reach, value);
                }
                extended = self.singular(position, me, depth, ply, first, known.as_ref());
            }
            let plain = self.plain_loop;
            let mut tried = 0;
            let mut best_rank = 0;
            let mut reduced = false;
            while tried < count {
                let mv = self.next_move(first + tried, first + count);
                let value = if plain {
                    self.after(position, mv, me, depth, ply, raised, beta)
                } else {
                    let window = Window { alpha, raised, best, beta };
                    let extended = extended == Some(mv.pack());
                    self.by_method(position, mv, me, depth, ply, tried, window, extended, &mut reduced)
                };
                if self.interrupted() {
                    self.moves.truncate(first);
                    self.scores.truncate(first);
                    return 0;
                }
                if value > best {
                    best = value;
                    best_move = Some(mv);
                    best_rank = tried;
                    if value > raised {
                        raised = value;
                        self.lines.raise(ply, mv);
                    }
                    if value >= beta || !plain && self.same_bucket(value, beta) {
                        self.counters.cuts += 1;
                        self.counters.first_move_cuts += u64::from(tried == 0);
                        tried += 1;
                        break;
                    }
                }
                tried += 1;
            }
            if self.counts {
                self.count_tries(position, me, depth, first, tried);
                if !reduced {
                    self.ranks.learn(depth, best_rank, tried);
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
        self.scores.truncate(first);
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
        self.forget_moves(first);
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

    /// The value for `me` of the child that a move leads to, where nobody asks for countermoves.
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
        self.enter(&child, me, depth - 1, ply + 1, alpha, beta)
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
        if self.recorder.is_some() {
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
                if left == 0 {
                    self.horizon = true;
                    self.lines.leaf(ply);
                    if !self.plain_leaves {
                        return if self.quiesces {
                            self.quiet_value(child, me, next, ply, alpha, beta)
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

    /// A value of `player` as this search counts it: the number of its bucket in the first player's view.
    #[inline]
    pub(super) fn bucketed(&self, value: Score, player: u8) -> Score {
        if self.bucket == 1 {
            value
        } else if player == 0 {
            value.div_euclid(self.bucket)
        } else {
            -(-value).div_euclid(self.bucket)
        }
    }

    /// The value for `me` of a leaf that is counted in buckets or remembered; `next` is to move, or nobody at the end.
    #[inline(never)]
    fn leaf(&mut self, child: &G::Position, me: u8, next: Option<u8>) -> Score {
        // an entry is in the view of the player to move, and at the end of the game in that of the first
        let viewer = next.unwrap_or(0);
        let mine = |value: Score| if viewer == me { value } else { -value };
        let remembers = self.switches.tt_leaves && self.table.is_some();
        let key = if remembers { self.game.key(child) } else { 0 };
        let known = if remembers { self.table.probe(key) } else { None };
        if let Some(entry) = known
            && entry.lower == entry.upper
            && self.usable(&entry, 0)
        {
            return mine(entry.lower);
        }
        self.counters.leaves += 1;
        let player = usize::from(viewer);
        let value = if next.is_none() { self.game.score(child, player) } else { self.game.evaluate(child, player) };
        let value = self.bucketed(value, viewer);
        if remembers && known.is_none() {
            let (ended, mv, nodes) = (next.is_none(), None, 1);
            self.table.store(key, Entry { lower: value, upper: value, depth: 0, ended, mv, nodes });
        }
        mine(value)
    }

    /// Looks all children up in the table. An upper bound of a child whose opponent we are, or a lower bound of a child
    /// that is ours again, is a lower bound of this node: the greatest of them, with its move.
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

    /// Gives every move of a node its ordering score.
    #[inline(always)]
    fn score_moves(&mut self, position: &G::Position, me: u8, ply: usize, first: usize, table_move: Option<u64>) {
        self.scores.resize(first, 0);
        let ordering = &self.switches.ordering;
        let killers = if ordering.killers { self.killers.at(ply) } else { [NO_MOVE; 2] };
        let previous = self.previous.get(ply).copied().unwrap_or(NO_MOVE);
        let reply = if self.uses_countermoves { self.countermoves.to(me, previous) } else { NO_MOVE };
        let hints = ordering.hints && G::HINTED;
        let (uses_history, tagged) = (self.uses_history, ordering.killers || self.uses_countermoves);
        let history = self.history.of(me);
        for (i, &mv) in self.moves[first..].iter().enumerate() {
            let mut score = 0;
            if ply == 0 {
                // the root keeps its order: the best move of the last iteration first
                score = -(i as i64);
            } else {
                if uses_history {
                    score = history.score(self.game.index(position, mv));
                }
                if hints {
                    score += i64::from(self.game.hint(position, mv).clamp(-7, 7)) << HINT;
                }
                if tagged {
                    let tag = tag(self.game, position, mv);
                    if tag == killers[0] {
                        score = KILLER;
                    } else if tag == killers[1] {
                        score = KILLER - 1;
                    } else if tag == reply {
                        score = KILLER - 2;
                    }
                }
                if table_move == Some(mv.pack()) {
                    score = i64::MAX;
                }
            }
            self.scores.push(score);
        }
    }

    /// Gives the noisy moves of a node beyond the horizon their ordering score.
    pub(super) fn score_noisy(&mut self, position: &G::Position, me: u8, first: usize) {
        // far from every killer
        self.score_moves(position, me, usize::MAX - 1, first, None);
    }

    /// Forgets the moves of a node.
    pub(super) fn forget_moves(&mut self, first: usize) {
        self.moves.truncate(first);
        self.scores.truncate(first);
    }

    /// Brings the best of the moves left to the front and returns it; the first of equal ones.
    #[inline(always)]
    pub(super) fn next_move(&mut self, from: usize, to: usize) -> G::Move {
        let (moves, scores) = (&mut self.moves[from..to], &mut self.scores[from..to]);
        let mut best = 0;
        let mut top = scores[0];
        for (i, &score) in scores.iter().enumerate() {
            let better = score > top;
            best = select_unpredictable(better, i, best);
            top = select_unpredictable(better, score, top);
        }
        moves.swap(0, best);
        scores.swap(0, best);
        moves[0]
    }

    /// Remembers a good move for the ordering of other nodes.
    #[inline(always)]
    fn reward(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32, ply: usize, cut: bool) {
        if self.switches.ordering.killers && cut {
            self.killers.cut(ply, tag(self.game, position, mv));
        }
        if self.uses_countermoves && cut {
            self.countermoves.cut(me, self.previous[ply], tag(self.game, position, mv));
        }
        if self.uses_history {
            self.history.credit(me, self.game.index(position, mv), depth);
        }
    }

    /// Counts the moves of a node that were tried; they are the first ones.
    #[inline(never)]
    fn count_tries(&mut self, position: &G::Position, me: u8, depth: u32, first: usize, tried: usize) {
        for &mv in &self.moves[first..first + tried] {
            self.history.count(me, self.game.index(position, mv), depth);
        }
    }

    /// Counts a move as tried and good that cut without a search of its own here.
    #[inline(never)]
    pub(super) fn learn(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32) {
        if self.uses_history {
            let index = self.game.index(position, mv);
            self.history.count(me, index, depth);
            self.history.credit(me, index, depth);
        }
    }

    /// Credits the move of an entry that cut, with the depth stored.
    #[inline(never)]
    fn credit_known(&mut self, position: &G::Position, me: u8, first: usize, entry: &Entry) {
        if G::SLOW {
            self.game.moves(position, &mut self.moves);
        }
        let mv = self.moves[first..].iter().copied().find(|mv| entry.mv == Some(mv.pack()));
        if let Some(mv) = mv {
            self.learn(position, mv, me, u32::from(entry.depth));
        }
    }
}

/// Ordering scores: killers above every hint, hints above all of history, which stays below 2^58.
const HINT: u32 = 58;
const KILLER: i64 = 1 << 62;
