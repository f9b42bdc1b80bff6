//! Move ordering: what the search has learned about moves, as parts that combine.

use kibitz_game::{Order, Pack};

/// Which knowledge orders the moves of a node. First comes the table's move, then killers, then the countermove, then the
/// game's hints, then history.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordering {
    /// Tries the table's move first.
    pub hash_move: bool,
    /// Tries moves early that cut at the same ply (Akl and Newborn 1977).
    pub killers: bool,
    /// Tries the reply early that cut after the same move of the opponent (Uiterwijk 1992).
    pub countermoves: bool,
    /// Uses the game's own hints.
    pub hints: bool,
    /// What the rest is ordered by.
    pub history: History,
    /// What a good move gains (Schaeffer 1983: 2^d).
    pub gain: Increment,
    /// What a move gains that was tried (Hartmann 1988), for butterfly and relative history.
    pub tried: Increment,
    /// Both players share one table, as the points of Go do.
    pub shared: bool,
    /// What the tables are multiplied by between the iterations of deepening.
    pub ageing: f64,
    /// Credits the best move of nodes that failed low, too, as the history heuristic was printed. Otherwise only moves that
    /// cut or raised alpha: of a node that failed low no move is known to be good.
    pub credit_fail_low: bool,
    /// Credits moves that cut by the transposition table, with the depth stored there (Winands et al. 2004).
    pub credit_table: bool,
}

impl Default for Ordering {
    fn default() -> Self {
        Self {
            hash_move: true,
            killers: true,
            countermoves: false,
            hints: true,
            history: History::Plain,
            gain: Increment::Power,
            tried: Increment::Power,
            shared: false,
            ageing: 0.5,
            credit_fail_low: false,
            credit_table: false,
        }
    }
}

impl Ordering {
    /// Every part switched off: moves are tried as the game lists them.
    pub fn none() -> Self {
        Self { hash_move: false, killers: false, hints: false, history: History::None, ..Self::default() }
    }
}

/// The kinds of history heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// None.
    None,
    /// How often a move was good (Schaeffer 1983).
    Plain,
    /// How often a move was tried (Hartmann 1988); it was never thought to order well.
    Butterfly,
    /// The one divided by the other (Winands, van der Werf, van den Herik and Uiterwijk 2004).
    Relative,
}

/// What an entry grows by, as a function of the depth of the subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Increment {
    /// Nothing.
    Zero,
    /// 1.
    One,
    /// d.
    Depth,
    /// d².
    Square,
    /// d³.
    Cube,
    /// 2^d, no more than 2^24.
    Power,
}

impl Increment {
    fn at(self, depth: u32) -> f64 {
        let d = f64::from(depth);
        match self {
            Self::Zero => 0.0,
            Self::One => 1.0,
            Self::Depth => d,
            Self::Square => d * d,
            Self::Cube => d * d * d,
            Self::Power => f64::from(1u32 << depth.min(24)),
        }
    }
}

/// The moves that cut most recently at each ply, two a ply.
pub(crate) struct Killers(Vec<[u64; 2]>);

/// No move packs into this.
pub(crate) const NO_MOVE: u64 = u64::MAX;

impl Killers {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// The killers of a ply as [`tag`] made them.
    #[inline(always)]
    pub(crate) fn at(&self, ply: usize) -> [u64; 2] {
        self.0.get(ply).copied().unwrap_or([NO_MOVE; 2])
    }

    /// Puts a move that cut in front; the one unused for longest goes.
    #[inline(always)]
    pub(crate) fn cut(&mut self, ply: usize, tag: u64) {
        if self.0.len() <= ply {
            self.0.resize(ply + 1, [NO_MOVE; 2]);
        }
        let killers = &mut self.0[ply];
        if killers[0] != tag {
            *killers = [tag, killers[0]];
        }
    }
}

/// What makes a move the same move in another position.
#[inline(always)]
pub(crate) fn tag<G: Order>(game: &G, position: &G::Position, mv: G::Move) -> u64 {
    if game.indices() > 0 { game.index(position, mv) as u64 } else { mv.pack() }
}

/// The reply that cut last after each move, by the player who made the reply.
pub(crate) struct Countermoves {
    replies: Vec<u64>,
    indices: usize,
}

impl Countermoves {
    pub(crate) fn new(players: usize, indices: usize) -> Self {
        Self { replies: vec![NO_MOVE; players * indices], indices }
    }

    #[inline(always)]
    pub(crate) fn to(&self, player: u8, previous: u64) -> u64 {
        if previous == NO_MOVE || self.indices == 0 {
            return NO_MOVE;
        }
        self.replies[usize::from(player) * self.indices + previous as usize]
    }

    #[inline(always)]
    pub(crate) fn cut(&mut self, player: u8, previous: u64, tag: u64) {
        if previous != NO_MOVE && self.indices > 0 {
            self.replies[usize::from(player) * self.indices + previous as usize] = tag;
        }
    }
}

/// How often and how deep a move was good anywhere in the tree, and how often it was tried.
///
/// All entries are halved when one grows too large, which changes no order and no ratio.
pub(crate) struct HistoryTable {
    kind: History,
    good: Vec<f64>,
    tried: Vec<f64>,
    /// What moves are ordered by, kept up to date since it is read far more often than written. Without history, and for
    /// games without indices, it has its size, too, and stays empty.
    scores: Vec<i64>,
    indices: usize,
    shared: bool,
    gain: Vec<f64>,
    cost: Vec<f64>,
}

const LARGEST: f64 = (1 << 26) as f64;
const DEPTHS: u32 = 64;

impl HistoryTable {
    pub(crate) fn new(ordering: &Ordering, players: usize, indices: usize) -> Self {
        let size = |used: bool| if used { players * indices } else { 0 };
        let amounts = |increment: Increment| (0..DEPTHS).map(|depth| increment.at(depth)).collect();
        Self {
            kind: ordering.history,
            scores: vec![0; players * indices.max(1)],
            good: vec![0.0; size(matches!(ordering.history, History::Plain | History::Relative))],
            tried: vec![0.0; size(matches!(ordering.history, History::Butterfly | History::Relative))],
            indices,
            shared: ordering.shared,
            gain: amounts(ordering.gain),
            cost: amounts(ordering.tried),
        }
    }

    #[inline(always)]
    fn place(&self, player: u8, index: usize) -> usize {
        if self.shared { index } else { usize::from(player) * self.indices + index }
    }

    /// The scores of the moves of one player by their index.
    #[inline(always)]
    pub(crate) fn of(&self, player: u8) -> &[i64] {
        &self.scores[self.place(player, 0)..]
    }

    /// The value of a move; one that was never tried has none.
    #[inline(always)]
    fn value(&self, place: usize) -> f64 {
        // the usual kind first: no jump into a table for it
        if self.kind == History::Plain {
            return self.good[place];
        }
        match self.kind {
            History::Butterfly => self.tried[place],
            History::Relative if self.tried[place] > 0.0 => self.good[place] / self.tried[place],
            _ => 0.0,
        }
    }

    /// Makes the value of a move a whole number below 2^58 in the same order, but for differences beyond the 14th digit: the
    /// bits of positive numbers are ordered as these are, and entries stay below 2^27.
    #[inline(always)]
    fn refresh(&mut self, place: usize) {
        self.scores[place] = (self.value(place).to_bits() >> 5) as i64;
    }

    /// Counts a good move.
    #[inline(always)]
    pub(crate) fn credit(&mut self, player: u8, index: usize, depth: u32) {
        let place = self.place(player, index);
        if let Some(good) = self.good.get_mut(place) {
            *good += self.gain[depth.min(DEPTHS - 1) as usize];
            if *good > LARGEST {
                self.age(0.5);
            }
            self.refresh(place);
        }
    }

    /// Counts a move that was tried.
    #[inline(always)]
    pub(crate) fn count(&mut self, player: u8, index: usize, depth: u32) {
        let place = self.place(player, index);
        if let Some(tried) = self.tried.get_mut(place) {
            *tried += self.cost[depth.min(DEPTHS - 1) as usize];
            if *tried > LARGEST {
                self.age(0.5);
            }
            self.refresh(place);
        }
    }

    #[cold]
    pub(crate) fn age(&mut self, factor: f64) {
        // whole numbers, as published: what was good once long ago is forgotten in the end
        for entry in &mut self.good {
            *entry = (*entry * factor).floor();
        }
        for entry in &mut self.tried {
            *entry = (*entry * factor).ceil();
        }
        for place in 0..self.good.len().max(self.tried.len()) {
            self.refresh(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(history: History, gain: Increment, tried: Increment) -> HistoryTable {
        HistoryTable::new(&Ordering { history, gain, tried, ..Ordering::default() }, 2, 16)
    }

    fn value(table: &HistoryTable, player: u8, mv: usize) -> f64 {
        table.value(table.place(player, mv))
    }

    /// The example of the relative history heuristic: nodes of one side as the moves searched and the best of them.
    fn example(table: &mut HistoryTable) {
        for (searched, best) in [(&[1, 2][..], 2), (&[1], 1), (&[3], 3)] {
            for &mv in searched {
                table.count(0, mv, 1);
            }
            table.credit(0, best, 1);
        }
    }

    #[test]
    fn relative_history_tells_apart_what_history_cannot() {
        let mut relative = table(History::Relative, Increment::One, Increment::One);
        let mut plain = table(History::Plain, Increment::One, Increment::One);
        example(&mut relative);
        example(&mut plain);
        assert_eq!([1, 2, 3].map(|mv| value(&relative, 0, mv)), [0.5, 1.0, 1.0]);
        assert_eq!([1, 2, 3].map(|mv| value(&plain, 0, mv)), [1.0; 3]);
        assert_eq!(value(&relative, 1, 1), 0.0, "the other side has its own table");
    }

    /// Random updates in the manner of a search: every good move has been tried.
    fn updated(mut table: HistoryTable, also: &mut dyn FnMut(usize, u32)) -> HistoryTable {
        let mut random = kibitz_game::Random::new(5);
        for _ in 0..3000 {
            let (depth, best) = (1 + random.below(9) as u32, random.below(16));
            for mv in [random.below(16), best] {
                table.count(0, mv, depth);
            }
            table.credit(0, best, depth);
            also(best, depth);
        }
        table
    }

    #[test]
    fn with_equal_increments_relative_scores_lie_between_zero_and_one() {
        for increment in [Increment::One, Increment::Depth, Increment::Square, Increment::Cube, Increment::Power] {
            let table = updated(table(History::Relative, increment, increment), &mut |_, _| {});
            assert!((0..16).all(|mv| (0.0..=1.0).contains(&value(&table, 0, mv))));
            assert!((0..16).any(|mv| value(&table, 0, mv) > 0.0));
        }
    }

    #[test]
    fn with_equal_butterfly_counts_relative_history_orders_as_history() {
        let mut plain = table(History::Plain, Increment::Square, Increment::Zero);
        let mut relative = updated(table(History::Relative, Increment::Square, Increment::Zero), &mut |mv, depth| {
            plain.credit(0, mv, depth);
        });
        relative.tried.fill(7.0);
        let order = |table: &HistoryTable| {
            let mut moves: Vec<usize> = (0..16).collect();
            moves.sort_by(|&a, &b| value(table, 0, b).total_cmp(&value(table, 0, a)));
            moves
        };
        assert_eq!(order(&relative), order(&plain));
    }

    #[test]
    fn a_good_move_has_been_tried_and_no_gain_means_no_order() {
        let table = updated(table(History::Relative, Increment::Zero, Increment::Depth), &mut |_, _| {});
        assert!((0..16).all(|mv| value(&table, 0, mv) == 0.0));
        let relative = updated(
            HistoryTable::new(&Ordering { history: History::Relative, ..Ordering::default() }, 2, 16),
            &mut |_, _| {},
        );
        assert!((0..16).all(|mv| relative.good[mv] == 0.0 || relative.tried[mv] > 0.0));
    }

    #[test]
    fn shared_tables_are_one_for_both_players() {
        let ordering = Ordering { shared: true, ..Ordering::default() };
        let mut table = HistoryTable::new(&ordering, 2, 16);
        table.credit(1, 3, 2);
        assert_eq!(value(&table, 0, 3), 4.0);
    }
}
