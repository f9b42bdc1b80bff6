//! Alpha-beta with its classical enhancements, each of which can be switched off.

use std::cmp::Reverse;
use std::hint::select_unpredictable;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kibitz_game::{
    Bound, Budget, Entry, ExactTable, Iteration, Limits, MAX_DEPTH, Memory, Pack, Random, Replacement, Report, Score,
    SizedTable, Table, Turn,
};

use crate::lines::Lines;
use crate::ordering::{History, Killers};
use crate::{Context, NotSupported, Searchable, require_end, require_minimax};

/// Fail-soft alpha-beta (Knuth and Moore 1975) as a negamax recursion, with iterative deepening, a transposition table,
/// enhanced transposition cutoffs (Schaeffer and Plaat 1996), killer moves (Akl and Newborn 1977) and the history heuristic
/// (Schaeffer 1983).
#[derive(Clone, Debug)]
pub struct AlphaBeta {
    /// Searches depth 1, 2, … instead of the last depth at once.
    pub deepening: bool,
    /// The size of the transposition table in megabytes; 0 for none.
    pub tt_mb: usize,
    /// Uses the exact unbounded table instead of the sized one.
    pub tt_exact: bool,
    /// Which entry stays when the table is full.
    pub replacement: Replacement,
    /// Uses only entries of exactly the depth that is needed, so that the value is minimax's to the last bit.
    pub same_depth: bool,
    /// Looks up all children before searching the first.
    pub etc: bool,
    /// The least remaining depth at which children are looked up.
    pub etc_depth: u32,
    /// Tries moves early that cut at the same ply.
    pub killers: bool,
    /// Tries moves early that were good elsewhere in the tree.
    pub history: bool,
    /// Uses the game's own hints.
    pub hints: bool,
    /// Shuffles the root's moves, so that ties are broken at random.
    pub seed: Option<u64>,
    /// How many threads search; the others only fill the table that all share (lazy SMP).
    pub threads: usize,
}

impl Default for AlphaBeta {
    fn default() -> Self {
        Self {
            deepening: true,
            tt_mb: 64,
            tt_exact: false,
            replacement: Replacement::TwoDeep,
            same_depth: false,
            etc: true,
            etc_depth: 4,
            killers: true,
            history: true,
            hints: true,
            seed: None,
            threads: 1,
        }
    }
}

/// Greater than every value.
const INFINITY: Score = Score::MAX;

impl AlphaBeta {
    /// The table to begin with. Deepening on one thread begins with a small part of it, which stays in the cache.
    fn table(&self) -> Result<Table, NotSupported> {
        if self.tt_exact {
            return Ok(Table::Exact(ExactTable::new()));
        }
        if self.tt_mb == 0 {
            return Ok(Table::None);
        }
        let used = if self.deepening && self.threads == 1 { 1 } else { self.tt_mb };
        let table = SizedTable::beginning_with(used, self.tt_mb, self.replacement);
        Ok(Table::Sized(table.ok_or_else(|| NotSupported::memory(self.tt_mb))?))
    }

    /// Searches until a limit is reached or the value is proven.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        require_minimax("AlphaBeta", game)?;
        require_end(game, position, context.limits)?;
        let limits = context.limits.shared(self.threads.max(1));
        let budget = Budget::new(&limits, context.stop);
        let table = Arc::new(self.table()?);
        let shared = (self.threads > 1).then(|| table.clone());
        let mut tree = Tree::new(self, game, table, budget);
        let mut report = Report::new();
        match game.turn(position) {
            Turn::Chance => return Err(NotSupported::chance("AlphaBeta")),
            Turn::Over => {
                tree.budget.spend();
                report.value = game.result(f64::from(game.score(position, 0)));
                report.proven = true;
            }
            Turn::Player(me) => {
                let done = AtomicBool::new(false);
                let helped = std::thread::scope(|scope| {
                    let help = |id: usize| {
                        let budget = Budget::new(&limits, context.stop).until(&done);
                        let table = shared.clone().unwrap_or_default();
                        let mut tree = Tree::new(self, game, table, budget);
                        tree.help(position, me, &limits, id);
                        tree.budget.nodes
                    };
                    let helpers: Vec<_> =
                        (1..self.threads).filter_map(|id| crate::spawn(scope, move || help(id))).collect();
                    tree.iterate(position, me, context, &mut report);
                    done.store(true, Ordering::Relaxed);
                    helpers
                        .into_iter()
                        .map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)))
                        .sum::<u64>()
                });
                tree.budget.nodes += helped;
            }
        }
        if tree.chance {
            return Err(NotSupported::chance("AlphaBeta"));
        }
        report.nodes = tree.budget.nodes;
        report.time = tree.budget.elapsed();
        report.stats = tree.counters.named();
        Ok(report)
    }
}

/// What happened in the tree.
#[derive(Default)]
struct Counters {
    leaves: u64,
    probes: u64,
    hits: u64,
    table_cuts: u64,
    etc_cuts: u64,
    cuts: u64,
    first_move_cuts: u64,
}

impl Counters {
    fn named(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("leaves", self.leaves as f64),
            ("table_probes", self.probes as f64),
            ("table_hits", self.hits as f64),
            ("table_cuts", self.table_cuts as f64),
            ("etc_cuts", self.etc_cuts as f64),
            ("cuts", self.cuts as f64),
            ("first_move_cuts", self.first_move_cuts as f64),
        ]
    }
}

struct Tree<'a, G: Searchable> {
    switches: &'a AlphaBeta,
    game: &'a G,
    table: Arc<Table>,
    budget: Budget<'a>,
    killers: Killers,
    history: History,
    moves: Vec<G::Move>,
    /// The ordering score of each move in `moves`.
    scores: Vec<i32>,
    lines: Lines<G::Move>,
    counters: Counters,
    /// Whether any line of the node being searched has ended at the horizon.
    horizon: bool,
    chance: bool,
    /// The greatest ply of any node.
    deepest: u32,
    /// The best move of the previous iteration, and the order of the root's moves.
    root: Vec<G::Move>,
    uses_history: bool,
}

impl<'a, G: Searchable> Tree<'a, G> {
    fn new(switches: &'a AlphaBeta, game: &'a G, table: Arc<Table>, budget: Budget<'a>) -> Self {
        let uses_history = switches.history && game.indices() > 0;
        Self {
            switches,
            game,
            table,
            budget,
            killers: Killers::new(),
            history: History::new(game.players(), if uses_history { game.indices() } else { 0 }),
            moves: Vec::with_capacity(1024),
            scores: Vec::with_capacity(1024),
            lines: Lines::new(),
            counters: Counters::default(),
            horizon: false,
            chance: false,
            deepest: 0,
            root: Vec::new(),
            uses_history,
        }
    }

    /// Iterative deepening, or one search of the last depth.
    fn iterate(
        &mut self,
        position: &G::Position,
        me: u8,
        context: &mut Context<'_, G::Move>,
        report: &mut Report<G::Move>,
    ) {
        let game = self.game;
        game.moves(position, &mut self.root);
        if let Some(seed) = self.switches.seed {
            Random::new(seed).shuffle(&mut self.root);
        }
        if self.switches.seed.is_none() && self.switches.hints && G::HINTED {
            self.root.sort_by_key(|&mv| Reverse(game.hint(position, mv)));
        }
        report.best = self.root.first().copied();
        report.pv.extend(report.best);
        report.value = game.result(f64::from(game.evaluate(position, usize::from(me))));
        report.bound = Bound::Estimate;
        let range = game.range(usize::from(me));
        // an evaluation never reaches the ends of the range, so a value there comes from the end of the game
        let ends_prove = G::INFORMED || (range.low < range.middle() && range.middle() < range.high);
        let last = context.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let first = if self.switches.deepening { 1 } else { last };
        if last == 0 {
            self.budget.spend();
        }
        for depth in first.max(1)..=last {
            self.horizon = false;
            if self.budget.spend() {
                break;
            }
            let key = self.announce(position);
            let value = self.node(position, key, me, depth, 0, -INFINITY, INFINITY);
            if self.budget.over() || self.chance {
                break;
            }
            report.pv.clear();
            report.pv.extend_from_slice(self.lines.root());
            self.extend_line(position, &mut report.pv, depth as usize);
            if let Some(&best) = report.pv.first() {
                report.best = Some(best);
                if let Some(i) = self.root.iter().position(|&mv| mv == best) {
                    self.root[..=i].rotate_right(1);
                }
            }
            report.value = game.result(f64::from(value));
            report.bound = Bound::Exact;
            // without deepening the limit may lie far beyond the end of the game
            report.depth = depth.min(self.deepest + 1);
            report.proven = !self.horizon || ends_prove && (value == range.low || value == range.high);
            let step = Iteration {
                depth: u64::from(depth),
                value: report.value,
                nodes: self.budget.nodes,
                time: self.budget.elapsed(),
                pv: report.pv.clone(),
            };
            (context.progress)(&step);
            report.history.push(step);
            if report.proven {
                break;
            }
            self.history.halve();
            // As large as the search so far: a larger table would keep more, but what is touched for the first time and
            // lies outside of the cache costs more than it saves. One that several threads share is complete already.
            if let Some(Table::Sized(table)) = Arc::get_mut(&mut self.table) {
                table.grow(self.budget.nodes as usize);
            }
        }
    }

    /// Follows the table where a cutoff by it ended the principal variation early.
    fn extend_line(&self, position: &G::Position, line: &mut Vec<G::Move>, depth: usize) {
        if !self.table.is_some() {
            return;
        }
        let mut position = position.clone();
        for &mv in &*line {
            self.game.play(&mut position, mv);
        }
        let mut moves = Vec::new();
        while line.len() < depth && matches!(self.game.turn(&position), Turn::Player(_)) {
            let Some(packed) = self.table.probe(self.game.key(&position)).and_then(|entry| entry.mv) else { break };
            moves.clear();
            self.game.moves(&position, &mut moves);
            let Some(&mv) = moves.iter().find(|mv| mv.pack() == packed) else { break };
            self.game.play(&mut position, mv);
            line.push(mv);
        }
    }

    /// Deepens as [`Tree::iterate`] does, for the sake of the shared table; odd helpers are one ply ahead.
    fn help(&mut self, position: &G::Position, me: u8, limits: &Limits, id: usize) {
        self.game.moves(position, &mut self.root);
        Random::new(id as u64).shuffle(&mut self.root[1..]);
        let last = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let mut depth = 1 + (id as u32 & 1);
        while depth <= last && !self.budget.over() && !self.chance {
            let key = self.announce(position);
            self.node(position, key, me, depth, 0, -INFINITY, INFINITY);
            self.history.halve();
            depth += 1;
        }
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

    /// The fail-soft value of a node for the player to move, who is `me`; `depth` is at least 1.
    fn node(
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
                        self.moves.truncate(first);
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
        let count = self.moves.len() - first;

        let mut best = -INFINITY;
        let mut best_move = None;
        let mut raised = alpha;
        let mut etc_bound = -INFINITY;
        if self.switches.etc && ply > 0 && depth >= self.switches.etc_depth && self.table.is_some() {
            (etc_bound, best_move) = self.look_ahead(position, me, depth, first);
            best = etc_bound;
            raised = raised.max(best);
        }

        if best < beta {
            self.score_moves(position, me, ply, first, known.and_then(|entry| entry.mv));
            for i in 0..count {
                let mv = self.next_move(first + i, first + count);
                let value = self.after(position, mv, me, depth, ply, raised, beta);
                if self.budget.over() || self.chance {
                    self.moves.truncate(first);
                    self.scores.truncate(first);
                    return 0;
                }
                if value > best {
                    best = value;
                    best_move = Some(mv);
                    if value > raised {
                        raised = value;
                        self.lines.raise(ply, mv);
                    }
                    if value >= beta {
                        self.counters.cuts += 1;
                        self.counters.first_move_cuts += u64::from(i == 0);
                        break;
                    }
                }
            }
            if best > alpha
                && let Some(mv) = best_move
            {
                self.reward(position, mv, me, depth, ply, best >= beta);
            }
        } else {
            self.counters.etc_cuts += 1;
        }
        self.moves.truncate(first);
        self.scores.truncate(first);

        let ended = !self.horizon;
        self.horizon |= outer_horizon;
        if self.table.is_some() {
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

    /// The key of a position that will be searched, whose entry is fetched meanwhile.
    #[inline(always)]
    fn announce(&self, position: &G::Position) -> u64 {
        if !self.table.is_some() {
            return 0;
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

    /// The value for `me` of the child that a move leads to.
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
        if self.budget.spend() {
            return 0;
        }
        match self.game.turn(&child) {
            Turn::Over => {
                self.counters.leaves += 1;
                self.lines.leaf(ply + 1);
                self.game.score(&child, usize::from(me))
            }
            Turn::Player(_) if depth == 1 => {
                self.counters.leaves += 1;
                self.horizon = true;
                self.lines.leaf(ply + 1);
                self.game.evaluate(&child, usize::from(me))
            }
            Turn::Player(next) => {
                let key = self.announce(&child);
                if next == me {
                    self.node(&child, key, next, depth - 1, ply + 1, alpha, beta)
                } else {
                    -self.node(&child, key, next, depth - 1, ply + 1, -beta, -alpha)
                }
            }
            Turn::Chance => {
                self.chance = true;
                0
            }
        }
    }

    /// Enhanced transposition cutoffs: the best bound that the table knows of any child.
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

    /// Gives every move of a node its ordering score: table move, killers, hints and history.
    #[inline(always)]
    fn score_moves(&mut self, position: &G::Position, me: u8, ply: usize, first: usize, table_move: Option<u64>) {
        self.scores.resize(first, 0);
        let killers = if self.switches.killers { self.killers.at(ply) } else { [u64::MAX; 2] };
        let hints = self.switches.hints && G::HINTED;
        for (i, &mv) in self.moves[first..].iter().enumerate() {
            let mut score = 0;
            if ply == 0 {
                // the root keeps its order: the best move of the last iteration first
                score = -(i as i32);
            } else {
                if self.uses_history {
                    score = self.history.score(me, self.game.index(position, mv));
                }
                if hints {
                    score += self.game.hint(position, mv).clamp(-7, 7) << 27;
                }
                if self.switches.killers {
                    let tag = Killers::tag(self.game, position, mv);
                    if tag == killers[0] {
                        score = (1 << 30) + 1;
                    } else if tag == killers[1] {
                        score = 1 << 30;
                    }
                }
                if table_move == Some(mv.pack()) {
                    score = i32::MAX;
                }
            }
            self.scores.push(score);
        }
    }

    /// Brings the best of the moves left to the front and returns it; the first of equal ones.
    #[inline(always)]
    fn next_move(&mut self, from: usize, to: usize) -> G::Move {
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
        if self.switches.killers && cut {
            self.killers.cut(ply, Killers::tag(self.game, position, mv));
        }
        if self.uses_history {
            self.history.credit(me, self.game.index(position, mv), depth);
        }
    }
}
