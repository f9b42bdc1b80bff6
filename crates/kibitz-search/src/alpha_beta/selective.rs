//! Selective search: what is not searched, or not as deep, on suspicion. All of it is off unless asked for, and nothing
//! that rests on it counts as proven.

use kibitz_game::{Entry, Score};

use super::INFINITY;
use super::node::{Here, Window};
use super::prob_cut::Check;
use super::tree::Tree;
use crate::Searchable;

/// The null move (Beal 1989; Donninger 1993): if a player who passes still reaches beta in a shallower search, a move
/// would, too. Fails where passing is an advantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullMove {
    /// How many plies less are searched after the pass.
    pub reduction: u32,
    /// Chooses the reduction as MIA IV does: 3 at ALL nodes, at CUT nodes 3 if more than 6 plies are left (8 where
    /// zugzwang is near) and otherwise 2.
    pub adaptive: bool,
}

/// Multi-cut (Björnsson and Marsland 2001): if several of the first moves reach beta in a shallower search, one of them
/// will in the full one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiCut {
    /// M: how many moves are tried.
    pub moves: u32,
    /// C: how many must reach beta.
    pub cuts: u32,
    /// R: how many plies less are searched.
    pub reduction: u32,
    /// Tries it at ALL nodes, too, and not at CUT nodes only.
    pub everywhere: bool,
}

/// Late-move reductions (Heinz and others; see Romstad 2006): moves far back in the order are searched less deep at first,
/// and again in full if they raise alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateMoves {
    /// How many moves are searched in full.
    pub after: u32,
    /// The least remaining depth.
    pub depth: u32,
    /// How many plies less are searched.
    pub reduction: u32,
}

/// A margin in units of the result for each remaining ply: for futility pruning (Schaeffer 1986; Heinz 1998), where nodes
/// near the horizon whose static value is that much below alpha try noisy moves only, and for razoring (Birmingham and
/// Kent 1977), where they are judged at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FutilityMargin {
    /// The margin for each ply left.
    pub margin: f64,
    /// The greatest remaining depth.
    pub depth: u32,
}

/// `RankCut` (Lim and Lee 2006): once it is improbable that a better move is still to come, the moves left are searched less
/// deep until one raises alpha. The probability comes from the ranks of the best moves of this search so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankCut {
    /// The probability below which depth is reduced.
    pub threshold: f64,
    /// How many plies less are searched.
    pub reduction: u32,
}

/// Singular extensions (Anantharaman, Campbell and Hsu 1988), in the form with the table's move: if no other move comes
/// near its value in a search of half the depth, it is searched one ply deeper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// The least remaining depth.
    pub depth: u32,
    /// How much worse all others must be, in units of the result.
    pub margin: f64,
}

/// The selective methods, all switched off by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selective {
    /// Lets the opponent move twice.
    pub null_move: Option<NullMove>,
    /// Trusts several shallow cutoffs.
    pub multi_cut: Option<MultiCut>,
    /// Reduces the depth of late moves.
    pub late_moves: Option<LateMoves>,
    /// Tries noisy moves only where the static value is hopeless.
    pub futility: Option<FutilityMargin>,
    /// Judges hopeless nodes at once.
    pub razoring: Option<FutilityMargin>,
    /// Reduces the depth when a better move is improbable.
    pub rank_cut: Option<RankCut>,
    /// The checks of `ProbCut`; those of a height are made from shallow to deep.
    pub checks: Vec<Check>,
    /// Extends a move that is much better than all others.
    pub singular: Option<Singular>,
    /// Searches noisy moves on beyond the horizon, at most so many plies.
    pub quiescence: Option<u32>,
}

impl Selective {
    /// Whether anything but quiescence search is switched on.
    pub(super) fn prunes(&self) -> bool {
        let rest = Self { quiescence: self.quiescence, checks: self.checks.clone(), ..Self::default() };
        *self != rest || self.checks.iter().any(Check::can_cut)
    }
}

/// What a node is expected to be: the root and the first children of PV nodes are PV nodes; the other children of a PV node
/// are CUT nodes; children of CUT nodes are ALL nodes and the reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Pv,
    Cut,
    All,
    /// A node after a null move, where another one would give the first back.
    AfterNull,
}

impl Expected {
    /// What a later child is expected to be; one whose turn it is again is as its parent.
    fn child(self, same_player: bool) -> Self {
        match self {
            Self::Pv | Self::All => {
                if same_player {
                    Self::All
                } else {
                    Self::Cut
                }
            }
            Self::Cut | Self::AfterNull => {
                if same_player {
                    Self::Cut
                } else {
                    Self::All
                }
            }
        }
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// A difference of results as this search counts it.
    pub(super) fn units(&self, result: f64) -> f64 {
        result * f64::from(self.game.unit()) / f64::from(self.bucket)
    }

    pub(super) fn static_value(&mut self, position: &G::Position, me: u8) -> Score {
        self.counters.leaves += 1;
        self.bucketed(self.game.evaluate(position, usize::from(me)), me)
    }

    /// How far below alpha the static value of a node near the horizon may be; none where the method does not apply.
    fn margin(&self, by: Option<FutilityMargin>, depth: u32, ply: usize, alpha: Score) -> Option<Score> {
        let FutilityMargin { margin, depth: most } = by?;
        let open = depth <= most && alpha > -INFINITY && self.expected[ply] != Expected::Pv;
        open.then(|| self.units(margin * f64::from(depth)).round().min(f64::from(Score::MAX)) as Score)
    }

    /// Tries to settle a node before any of its moves is searched.
    #[inline(never)]
    pub(super) fn settle(&mut self, here: &Here<'_, G::Position>, alpha: Score, beta: Score) -> Option<Score> {
        let &Here { position, me, depth, ply, .. } = here;
        if let Some(margin) = self.margin(self.switches.selective.razoring, depth, ply, alpha) {
            let value = self.static_value(position, me);
            if value.saturating_add(margin) <= alpha {
                let quiet = if self.switches.selective.quiescence.is_some() && G::NOISY {
                    self.quiescence(position, me, 0, alpha, beta)
                } else {
                    value
                };
                if quiet <= alpha {
                    self.counters.razored += 1;
                    return Some(quiet);
                }
            }
        }
        if let Some(value) = self.null_move(here, beta) {
            return Some(value);
        }
        self.prob_cut(here, alpha, beta)
    }

    fn null_move(&mut self, here: &Here<'_, G::Position>, beta: Score) -> Option<Score> {
        let null = self.switches.selective.null_move?;
        let &Here { position, me, depth, ply, .. } = here;
        let expected = self.expected[ply];
        if !G::PASSES || depth < 2 || beta == INFINITY || matches!(expected, Expected::Pv | Expected::AfterNull) {
            return None;
        }
        let reduction = if !null.adaptive {
            null.reduction
        } else if expected == Expected::All || depth > if self.game.zugzwang(position) { 8 } else { 6 } {
            3
        } else {
            2
        };
        let mut passed = position.clone();
        if !self.game.pass(&mut passed) {
            return None;
        }
        self.expected[ply + 1] = Expected::AfterNull;
        let value = self.enter(&passed, me, (depth - 1).saturating_sub(reduction), ply + 1, beta - 1, beta);
        if value < beta || self.interrupted() {
            return None;
        }
        self.counters.null_cuts += 1;
        Some(value)
    }

    /// Leaves only the noisy moves of a hopeless node, and returns the bound that stands for the others.
    #[inline(never)]
    pub(super) fn futile(
        &mut self,
        position: &G::Position,
        me: u8,
        depth: u32,
        ply: usize,
        first: usize,
        alpha: Score,
    ) -> Option<Score> {
        let margin = self.margin(self.switches.selective.futility, depth, ply, alpha)?;
        let bound = self.static_value(position, me).saturating_add(margin);
        if bound > alpha {
            return None;
        }
        self.counters.futile += 1;
        self.horizon = true;
        self.moves.truncate(first);
        self.game.noisy(position, &mut self.moves);
        Some(bound)
    }

    /// Beta, if enough of the first moves reach it in a shallower search.
    #[inline(never)]
    pub(super) fn multi_cut(
        &mut self,
        position: &G::Position,
        me: u8,
        depth: u32,
        ply: usize,
        first: usize,
        count: usize,
        beta: Score,
    ) -> Option<Score> {
        let MultiCut { moves, cuts, reduction, everywhere } = self.switches.selective.multi_cut?;
        let expected = self.expected[ply];
        let fits = expected == Expected::Cut || everywhere && expected != Expected::Pv;
        if !fits || depth <= reduction || beta == INFINITY || (count as u32) < cuts {
            return None;
        }
        let mut found = 0;
        for place in first..first + count.min(moves as usize) {
            let mv = self.next_move(first, place, first + count);
            let child = self.child(position, mv, ply);
            self.expect(ply, me, &child, false);
            let value = self.enter(&child, me, depth - 1 - reduction, ply + 1, beta - 1, beta);
            if self.interrupted() {
                return None;
            }
            if value >= beta {
                found += 1;
                if found == cuts {
                    self.counters.multi_cuts += 1;
                    if self.switches.ordering.credit_table {
                        self.learn(position, mv, me, depth - reduction);
                    }
                    return Some(beta);
                }
            }
        }
        None
    }

    /// The table's move, if no other comes near it.
    #[inline(never)]
    pub(super) fn singular(
        &mut self,
        position: &G::Position,
        me: u8,
        depth: u32,
        ply: usize,
        first: usize,
        known: Option<&Entry>,
    ) -> Option<u64> {
        let Singular { depth: least, margin } = self.switches.selective.singular?;
        let entry = known?;
        let mv = entry.mv?;
        let (low, high) = self.range(me);
        // extensions at most double the depth
        let fits = depth >= least.max(2) && (ply as u32) < self.root_depth && u32::from(entry.depth) + 3 >= depth;
        if !fits || entry.lower <= low || entry.lower >= high {
            return None;
        }
        let bound = entry.lower.saturating_sub(self.units(margin).round() as Score);
        if bound <= low {
            return None;
        }
        for i in first..self.moves.len() {
            let other = self.moves[i];
            if kibitz_game::Pack::pack(other) == mv {
                continue;
            }
            let child = self.child(position, other, ply);
            self.expect(ply, me, &child, false);
            let value = self.enter(&child, me, depth / 2 - 1, ply + 1, bound - 1, bound);
            if value >= bound || self.interrupted() {
                return None;
            }
        }
        self.counters.extensions += 1;
        Some(mv)
    }

    /// Says what the child at the next ply is expected to be.
    fn expect(&mut self, ply: usize, me: u8, child: &G::Position, first: bool) {
        let same_player = self.game.turn(child) == kibitz_game::Turn::Player(me);
        let expected = self.expected[ply];
        self.expected[ply + 1] =
            if first && expected == Expected::Pv { Expected::Pv } else { expected.child(same_player) };
    }

    /// The value of a move with extensions and reductions; the loop of a node without selective methods has a shorter way.
    #[inline(never)]
    pub(super) fn selective_value(
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
        let Window { raised, beta, .. } = window;
        let child = self.child(position, mv, ply);
        self.expect(ply, me, &child, rank == 0);
        let depth = depth + u32::from(extended);
        if let Some(late) = self.switches.selective.late_moves
            && rank >= late.after as usize
            && depth >= late.depth.max(2)
            && late.reduction > 0
            && raised > -INFINITY
            && !extended
        {
            self.counters.reductions += 1;
            let left = (depth - 1).saturating_sub(late.reduction);
            let value = self.enter(&child, me, left, ply + 1, raised, raised + 1);
            if value <= raised || self.interrupted() {
                self.horizon = true;
                *reduced = true;
                return value;
            }
        }
        if let Some(cut) = self.switches.selective.rank_cut
            && rank > 0
            && depth > 1
            && (*reduced || self.ranks.better_to_come(depth, rank) < cut.threshold)
        {
            self.counters.reductions += 1;
            self.horizon = true;
            let left = (depth - 1).saturating_sub(cut.reduction);
            let value = if window.scouts(self.switches.scout, rank) {
                self.scouted(position, mv, me, left + 1, ply, raised, beta)
            } else {
                self.enter(&child, me, left, ply + 1, raised, beta)
            };
            // as printed, a move that raises alpha is believed, and ends the reductions
            *reduced = value <= raised;
            return value;
        }
        if window.scouts(self.switches.scout, rank) {
            return self.scouted(position, mv, me, depth, ply, raised, beta);
        }
        self.enter(&child, me, depth - 1, ply + 1, raised, beta)
    }
}
