//! A search with everything that it has learned.

use std::sync::Arc;

use kibitz_game::{Budget, Entry, MAX_DEPTH, Score, Table};

use super::ordering::{Countermoves, HistoryTable, Killers, NO_MOVE};
use super::prob_cut::Checks;
use super::rank_cut::RankTable;
use super::recorder::Recorder;
use super::selective::Expected;
use super::{AlphaBeta, History, Path, Scout};
use crate::Searchable;
use crate::lines::Lines;

/// What happened in the tree.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    pub(super) leaves: u64,
    pub(super) passes: u64,
    pub(super) probes: u64,
    pub(super) hits: u64,
    pub(super) table_cuts: u64,
    pub(super) etc_cuts: u64,
    pub(super) cuts: u64,
    pub(super) first_move_cuts: u64,
    pub(super) researches: u64,
    pub(super) null_cuts: u64,
    pub(super) multi_cuts: u64,
    pub(super) prob_cuts: u64,
    pub(super) razored: u64,
    pub(super) futile: u64,
    pub(super) reductions: u64,
    pub(super) extensions: u64,
    pub(super) quiescence_nodes: u64,
    pub(super) repetitions: u64,
    pub(super) database_hits: u64,
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
            ("database_hits", self.database_hits),
        ];
        let all = always.into_iter().chain(sometimes.into_iter().filter(|&(_, count)| count > 0));
        all.map(|(name, count)| (name, count as f64)).collect()
    }
}

/// A search with everything that it has learned.
pub(super) struct Tree<'a, G: Searchable> {
    pub(super) switches: &'a AlphaBeta,
    pub(super) game: &'a G,
    pub(super) table: Arc<Table>,
    pub(super) budget: Budget<'a>,
    pub(super) killers: Killers,
    pub(super) countermoves: Countermoves,
    pub(super) history: HistoryTable,
    pub(super) moves: Vec<G::Move>,
    /// The ordering score of each move in `moves`; what follows are scores of moves forgotten.
    pub(super) scores: Vec<i64>,
    pub(super) lines: Lines<G::Move>,
    pub(super) counters: Counters,
    /// Whether any line of the node being searched has ended at the horizon, or was cut on suspicion.
    pub(super) horizon: bool,
    /// Whether nature was to move somewhere, which ends the search.
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
    pub(super) reach: usize,
    /// The tag of the move that led to each ply.
    pub(super) previous: Vec<u64>,
    /// What each node on the path is expected to be, where selective methods ask.
    pub(super) expected: Vec<Expected>,
    pub(super) ranks: RankTable,
    pub(super) checks: Checks,
    pub(super) uses_history: bool,
    pub(super) uses_countermoves: bool,
    /// Whether moves are ordered by anything that the index of a move is needed for.
    pub(super) uses_index: bool,
    /// Whether every move has the plain window and nothing is written down.
    pub(super) plain_loop: bool,
    /// Whether tried moves and ranks are counted.
    pub(super) counts: bool,
    /// Whether any selective method but quiescence search is switched on.
    pub(super) prunes: bool,
    pub(super) quiesces: bool,
    /// Whether a leaf is worth its score or its evaluation, and nothing else is done with it.
    pub(super) plain_leaves: bool,
    /// Whether a fail-soft null window is exact one ply above the leaves, so that `NegaScout` need not search again.
    pub(super) exact_near_leaves: bool,
    /// The size of the buckets in which leaves are counted.
    pub(super) bucket: Score,
    /// The size of the buckets by which values are compared, as printed.
    pub(super) compared: Score,
    /// The number of this thread among those that help; 0 for the first thread.
    pub(super) helper: usize,
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
            history: HistoryTable::new(ordering, game.players(), game.indices()),
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
            checks: Checks::new(&switches.selective.checks),
            ranks: RankTable::new(switches.selective.rank_cut.is_some()),
            uses_history,
            uses_countermoves,
            uses_index: uses_history || uses_countermoves || ordering.killers && game.indices() > 0,
            plain_loop: !prunes && !uses_countermoves && switches.scout == Scout::Never,
            counts: switches.selective.rank_cut.is_some()
                || uses_history && matches!(ordering.history, History::Butterfly | History::Relative),
            prunes,
            quiesces,
            plain_leaves: !(switches.tt_leaves && table.is_some()) && bucket == 1 && !quiesces,
            exact_near_leaves: !switches.fail_hard && !prunes && !quiesces && (!table.is_some() || switches.same_depth),
            bucket,
            compared: switches.bucket(game),
            helper: 0,
            recorder: None,
            table,
        }
    }

    /// Writes the tree down from now on.
    pub(super) fn record(&mut self, recorder: Option<Box<Recorder<G>>>) {
        self.plain_loop &= recorder.is_none();
        self.recorder = recorder;
    }

    /// Whether the search has ended before its time, so that no value means anything.
    #[inline(always)]
    pub(super) fn interrupted(&self) -> bool {
        self.budget.over()
    }

    /// Whether an entry speaks about the remaining depth.
    #[inline(always)]
    pub(super) fn usable(&self, entry: &Entry, depth: u32) -> bool {
        let stored = u32::from(entry.depth);
        if self.switches.same_depth {
            stored == depth || entry.ended && stored <= depth
        } else {
            stored >= depth || entry.ended
        }
    }
}
