//! A search with everything that it has learned.

use kibitz_game::{Budget, Score, Turn};

use super::super::tuple_table::TupleTable;
use super::super::{MOST_PLAYERS, Tuple};
use super::{MaxN, Pruning, Ties};
use crate::alpha_beta::{HistoryTable, Killers, Path};
use crate::lines::Lines;
use crate::{History, Searchable};

/// What happened in the tree.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    pub(super) leaves: u64,
    pub(super) table_probes: u64,
    pub(super) hits: u64,
    pub(super) table_cuts: u64,
    pub(super) immediate_cuts: u64,
    pub(super) shallow_cuts: u64,
    pub(super) deep_cuts: u64,
    pub(super) bounded: u64,
    pub(super) researches: u64,
    pub(super) repetitions: u64,
}

impl Counters {
    pub(super) fn named(&self) -> Vec<(&'static str, f64)> {
        // what a method does not do is not worth a line
        let sometimes = [
            ("table_probes", self.table_probes),
            ("table_hits", self.hits),
            ("table_cuts", self.table_cuts),
            ("immediate_cuts", self.immediate_cuts),
            ("shallow_cuts", self.shallow_cuts),
            ("deep_cuts", self.deep_cuts),
            ("bounded", self.bounded),
            ("researches", self.researches),
            ("repetitions", self.repetitions),
        ];
        let all = [("leaves", self.leaves)].into_iter().chain(sometimes.into_iter().filter(|&(_, count)| count > 0));
        all.map(|(name, count)| (name, count as f64)).collect()
    }
}

/// A node on the path.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) player: u8,
    /// Whether its last branch is being searched.
    pub(super) last: bool,
    /// The best component found for its player; [`NO_BOUND`] before its first child is finished.
    pub(super) bound: Score,
    /// The tuple that it is a component of.
    pub(super) best: Tuple,
}

/// Nothing has been found yet.
pub(super) const NO_BOUND: Score = Score::MIN;

/// A search with everything that it has learned. Lists of moves are stretches of one buffer.
pub(super) struct Tree<'a, G: Searchable> {
    pub(super) switches: &'a MaxN,
    pub(super) game: &'a G,
    /// The player at the root.
    pub(super) root_player: u8,
    pub(super) players: usize,
    pub(super) table: TupleTable,
    /// The table of a search without pruning, which knows the best move of every node.
    pub(super) guide: Option<TupleTable>,
    pub(super) budget: Budget<'a>,
    /// What is cut: nothing where the game knows no bounds.
    pub(super) pruning: Pruning,
    /// The least value of each player, which stands for nothing in sums.
    pub(super) low: Tuple,
    pub(super) high: Tuple,
    /// The greatest sum of all that is above the least.
    pub(super) greatest: i64,
    pub(super) branch_and_bound: bool,
    /// Whether moves are tried in another order than that by which ties are broken.
    pub(super) dynamic: bool,
    /// Whether a sum that just reaches the greatest cuts: ties go to the left, and what is cut stands to the right.
    pub(super) loose: bool,
    pub(super) killers: Killers,
    pub(super) history: HistoryTable,
    pub(super) uses_history: bool,
    pub(super) uses_index: bool,
    pub(super) moves: Vec<G::Move>,
    /// The ordering score of each move in `moves`, and its place in the order of ties.
    pub(super) scores: Vec<i64>,
    pub(super) ranks: Vec<u16>,
    /// Moves while they are being sorted by the game's hints.
    pub(super) hinted: Vec<(i32, u16, G::Move)>,
    /// Branches whose value rests on a bound above their parent, in stretches as `moves`.
    pub(super) queue: Vec<u32>,
    pub(super) frames: Vec<Frame>,
    pub(super) lines: Lines<G::Move>,
    pub(super) counters: Counters,
    /// Whether any line of the node being searched has ended at the horizon.
    pub(super) horizon: bool,
    /// Whether nature was to move somewhere, which ends the search.
    pub(super) chance: bool,
    pub(super) deepest: u32,
    /// The order of the root's moves, by which ties are broken.
    pub(super) root: Vec<G::Move>,
    pub(super) path: Path,
    /// The least ply of a position that was repeated below the node being searched.
    pub(super) reach: usize,
}

impl<'a, G: Searchable> Tree<'a, G> {
    pub(super) fn new(
        switches: &'a MaxN,
        game: &'a G,
        root_player: u8,
        table: TupleTable,
        guide: Option<TupleTable>,
        budget: Budget<'a>,
        past: &[u64],
    ) -> Self {
        let players = game.players();
        let (mut low, mut high) = ([0; MOST_PLAYERS], [0; MOST_PLAYERS]);
        for player in 0..players {
            (low[player], high[player]) = (game.range(player).low, game.range(player).high);
        }
        let sum = |values: &Tuple| values.iter().map(|&value| i64::from(value)).sum::<i64>();
        let branch_and_bound = switches.branch_and_bound && switches.target.is_none();
        // a target is no component that a player makes large, so nothing that is said about bounds holds
        let known = game.greatest_sum().or(branch_and_bound.then(|| sum(&high))).filter(|_| switches.target.is_none());
        let pruning = if known.is_some() { switches.pruning } else { Pruning::None };
        let ordering = &switches.ordering;
        let uses_history = ordering.history != History::None && game.indices() > 0;
        let cuts = pruning != Pruning::None || branch_and_bound;
        let dynamic =
            cuts && (guide.is_some() || ordering.hash_move && table.is_some() || ordering.killers || uses_history);
        Self {
            switches,
            game,
            root_player,
            players,
            table,
            guide,
            budget,
            pruning,
            low,
            high,
            greatest: known.map_or(i64::MAX, |known| known - sum(&low)),
            branch_and_bound,
            dynamic,
            loose: switches.ties == Ties::Leftmost && !dynamic && pruning != Pruning::LastBranch,
            killers: Killers::new(),
            history: HistoryTable::new(ordering, players, game.indices()),
            uses_history,
            uses_index: uses_history || ordering.killers && game.indices() > 0,
            moves: Vec::with_capacity(1024),
            scores: Vec::with_capacity(1024),
            ranks: Vec::with_capacity(1024),
            hinted: Vec::with_capacity(256),
            queue: Vec::with_capacity(256),
            frames: Vec::with_capacity(64),
            lines: Lines::new(),
            counters: Counters::default(),
            horizon: false,
            chance: false,
            deepest: 0,
            root: Vec::new(),
            path: Path::new::<G>(past),
            reach: usize::MAX,
        }
    }

    /// Whether the search has ended before its time, so that no value means anything.
    #[inline(always)]
    pub(super) fn interrupted(&self) -> bool {
        self.budget.over()
    }

    #[inline(always)]
    pub(super) fn key(&self, position: &G::Position) -> u64 {
        if self.table.is_some() || G::REPEATS { self.game.key(position) } else { 0 }
    }

    /// The scores of all players at the end of the game.
    #[inline(always)]
    pub(super) fn scores_of(&self, position: &G::Position) -> Tuple {
        debug_assert!(self.game.turn(position) == Turn::Over);
        let mut values = [0; MOST_PLAYERS];
        for (player, value) in values.iter_mut().enumerate().take(self.players) {
            *value = self.game.score(position, player);
        }
        values
    }
}
