//! A search with everything that it has learned.

use kibitz_game::{Budget, Memory, Table};

use super::events::Event;
use super::memory::Known;
use super::recorder::Recorder;
use super::{ChanceMethod, StarMinimax};
use crate::alpha_beta::{Checks, HistoryTable, Killers, Path};
use crate::lines::Lines;
use crate::{History, Searchable};

/// What happened in the tree.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    pub(super) leaves: u64,
    pub(super) chance_nodes: u64,
    pub(super) table_probes: u64,
    pub(super) hits: u64,
    pub(super) table_cuts: u64,
    pub(super) etc_cuts: u64,
    pub(super) cuts: u64,
    pub(super) first_move_cuts: u64,
    pub(super) star1_cuts: u64,
    pub(super) probings: u64,
    pub(super) probes: u64,
    pub(super) probe_cuts: u64,
    pub(super) shallow_searches: u64,
    pub(super) prob_cuts: u64,
    pub(super) repetitions: u64,
}

impl Counters {
    pub(super) fn named(&self) -> Vec<(&'static str, f64)> {
        let always = [
            ("leaves", self.leaves),
            ("chance_nodes", self.chance_nodes),
            ("cuts", self.cuts),
            ("first_move_cuts", self.first_move_cuts),
            ("star1_cuts", self.star1_cuts),
        ];
        // what a method does not do is not worth a line
        let sometimes = [
            ("probings", self.probings),
            ("probes", self.probes),
            ("probe_cuts", self.probe_cuts),
            ("shallow_searches", self.shallow_searches),
            ("prob_cuts", self.prob_cuts),
            ("table_probes", self.table_probes),
            ("table_hits", self.hits),
            ("table_cuts", self.table_cuts),
            ("etc_cuts", self.etc_cuts),
            ("repetitions", self.repetitions),
        ];
        let all = always.into_iter().chain(sometimes.into_iter().filter(|&(_, count)| count > 0));
        all.map(|(name, count)| (name, count as f64)).collect()
    }
}

/// A search with everything that it has learned. Lists of moves and of events are stretches of one buffer each.
pub(super) struct Tree<'a, G: Searchable> {
    pub(super) switches: &'a StarMinimax,
    pub(super) game: &'a G,
    pub(super) table: Table,
    pub(super) budget: Budget<'a>,
    /// L and U: the least and the greatest value for the first player.
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether no window is ever used.
    pub(super) full_width: bool,
    pub(super) killers: Killers,
    pub(super) history: HistoryTable,
    pub(super) uses_history: bool,
    pub(super) uses_index: bool,
    pub(super) moves: Vec<G::Move>,
    /// The ordering score of each move in `moves`.
    pub(super) scores: Vec<i64>,
    pub(super) events: Vec<Event<G::Move>>,
    /// The outcomes of the node that is being listed.
    pub(super) listed: Vec<(G::Move, f64)>,
    pub(super) lines: Lines<G::Move>,
    pub(super) counters: Counters,
    /// Whether any line of the node being searched has ended at the horizon, or was cut on suspicion.
    pub(super) horizon: bool,
    /// The greatest ply of any node.
    pub(super) deepest: u32,
    /// The order of the root's moves, the best move of the previous iteration first.
    pub(super) root: Vec<G::Move>,
    /// The value of each of them in the order in which they were searched, for the player to move.
    pub(super) root_values: Vec<(G::Move, f64)>,
    pub(super) path: Path,
    /// The least ply of a position that was repeated below the node being searched.
    pub(super) reach: usize,
    pub(super) checks: Checks,
    /// Writes the tree down where somebody asked for it.
    pub(super) recorder: Option<Box<Recorder<G>>>,
}

impl<'a, G: Searchable> Tree<'a, G> {
    pub(super) fn new(switches: &'a StarMinimax, game: &'a G, table: Table, budget: Budget<'a>, past: &[u64]) -> Self {
        let ordering = &switches.ordering;
        let uses_history = ordering.history != History::None && game.indices() > 0;
        let range = game.range(0);
        Self {
            switches,
            game,
            table,
            budget,
            low: f64::from(range.low),
            high: f64::from(range.high),
            full_width: switches.method == ChanceMethod::Expectimax,
            killers: Killers::new(),
            history: HistoryTable::new(ordering, game.players(), game.indices()),
            uses_history,
            uses_index: uses_history || ordering.killers && game.indices() > 0,
            moves: Vec::with_capacity(1024),
            scores: Vec::with_capacity(1024),
            events: Vec::with_capacity(256),
            listed: Vec::with_capacity(64),
            lines: Lines::new(),
            counters: Counters::default(),
            horizon: false,
            deepest: 0,
            root: Vec::new(),
            root_values: Vec::new(),
            path: Path::new::<G>(past),
            reach: usize::MAX,
            checks: Checks::new(&switches.prob_cut.checks),
            recorder: None,
        }
    }

    /// Whether the search has ended before its time, so that no value means anything.
    #[inline(always)]
    pub(super) fn interrupted(&self) -> bool {
        self.budget.over()
    }

    /// The key of a position, where anybody asks for it.
    #[inline(always)]
    pub(super) fn key(&self, position: &G::Position) -> u64 {
        if self.table.is_some() || G::REPEATS || self.switches.samples > 0 { self.game.key(position) } else { 0 }
    }

    /// What the table knows of a position.
    #[inline]
    pub(super) fn known(&mut self, key: u64) -> Option<Known> {
        if !self.table.is_some() {
            return None;
        }
        self.counters.table_probes += 1;
        let entry = self.table.probe(key)?;
        self.counters.hits += 1;
        Some(Known::of(&entry))
    }

    /// Whether what is known speaks about the remaining depth.
    #[inline(always)]
    pub(super) fn usable(&self, known: &Known, depth: u32) -> bool {
        if self.switches.same_depth {
            known.depth == depth || known.ended && known.depth <= depth
        } else {
            known.depth >= depth || known.ended
        }
    }
}
