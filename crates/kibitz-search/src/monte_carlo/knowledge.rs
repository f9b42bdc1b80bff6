//! What the variants of UCT keep of each edge beside the core, each in a table that takes no memory unless it is used.
//!
//! An edge's entries are for the position that it leads to; the header of a node has entries of its own.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kibitz_game::{Score, Turn};

use super::Uct;
use super::back_up_rule::BackUp;
use super::cells::{AnyColumn, Column, Real, Word};
use super::proof_numbers::NEVER;
use super::simulation::{Outcome, Worker};
use super::tree::Tree;
use crate::Searchable;

/// Numbers of 32 bits, so many a slot: one a player, or only one. They are kept so that zero stands for what a new slot
/// begins with.
pub(super) struct Table {
    cells: Vec<AtomicU32>,
    stride: usize,
    fresh: u32,
}

impl Table {
    fn new(stride: usize, fresh: u32) -> Self {
        Self { cells: Vec::new(), stride, fresh }
    }

    #[inline(always)]
    pub(super) fn used(&self) -> bool {
        self.stride > 0
    }

    #[inline(always)]
    fn cell(&self, slot: u32, at: usize) -> &AtomicU32 {
        &self.cells[slot as usize * self.stride + at]
    }

    #[inline(always)]
    pub(super) fn count(&self, slot: u32, at: usize) -> u32 {
        self.cell(slot, at).load(Relaxed) ^ self.fresh
    }

    /// Returns whether it was another number before.
    pub(super) fn set_count(&self, slot: u32, at: usize, value: u32) -> bool {
        self.cell(slot, at).swap(value ^ self.fresh, Relaxed) ^ self.fresh != value
    }

    #[inline(always)]
    pub(super) fn real(&self, slot: u32, at: usize) -> f32 {
        f32::from_bits(self.count(slot, at))
    }

    pub(super) fn set_real(&self, slot: u32, at: usize, value: f32) -> bool {
        self.set_count(slot, at, value.to_bits())
    }

    #[inline(always)]
    pub(super) fn score(&self, slot: u32, at: usize) -> Score {
        self.count(slot, at) as Score
    }

    pub(super) fn set_score(&self, slot: u32, at: usize, value: Score) -> bool {
        self.set_count(slot, at, value as u32)
    }

    fn swap(&self, a: u32, b: u32) {
        for at in 0..self.stride {
            let held = self.count(a, at);
            self.set_count(a, at, self.count(b, at));
            self.set_count(b, at, held);
        }
    }
}

impl AnyColumn for Table {
    fn width(&self) -> usize {
        self.stride * size_of::<AtomicU32>()
    }

    fn grow(&mut self, slots: usize) {
        let cells = slots * self.stride;
        if cells > self.cells.len() {
            self.cells.reserve_exact(cells - self.cells.len());
            self.cells.resize_with(cells, AtomicU32::default);
        }
    }

    fn spread(&mut self, slots: usize) -> bool {
        bytemuck::try_zeroed_vec(slots * self.stride).map(|cells| self.cells = cells).is_ok()
    }

    fn slide(&mut self, from: usize, to: usize, slots: usize) {
        for i in 0..slots * self.stride {
            let value = self.cells[from * self.stride + i].load(Relaxed);
            self.cells[to * self.stride + i].store(value, Relaxed);
        }
    }

    fn clear(&mut self, from: usize, to: usize) {
        self.cells[from * self.stride..to * self.stride].fill_with(AtomicU32::default);
    }
}

/// All tables of the variants.
pub(super) struct Knowledge {
    /// The heuristic value of each edge for its chooser.
    pub(super) heuristic: Table,
    /// The index of each edge's move, and the number and sum of the rewards of all games in which it was made later.
    pub(super) index: Table,
    pub(super) amaf_count: Column<Word>,
    pub(super) amaf_sum: Column<Real>,
    /// The minimax value of the evaluations below each edge for each player, from 0 to 1.
    pub(super) implicit: Table,
    /// The mean of each edge for each player, and the value that the rule of the back-up makes of it.
    pub(super) means: Table,
    pub(super) values: Table,
    /// Between which scores each player's result lies for sure; the extremes stand for the range of the game.
    pub(super) low: Table,
    pub(super) high: Table,
    /// The proof numbers of each player, and what they add to the bound of an edge.
    pub(super) proof: Table,
    pub(super) urge: Table,
}

impl Knowledge {
    pub(super) fn new(uct: &Uct, players: usize) -> Self {
        let one = usize::from;
        let each = |used: bool| if used { players } else { 0 };
        let refined = uct.back_up != BackUp::Average;
        Self {
            heuristic: Table::new(one(uct.bias.weight != 0.0 || uct.widening.is_some()), 0),
            index: Table::new(one(uct.rave.is_some()), 0),
            amaf_count: Column::new(uct.rave.is_some()),
            amaf_sum: Column::new(uct.rave.is_some()),
            implicit: Table::new(each(uct.implicit_minimax != 0.0), 0),
            means: Table::new(each(refined), 0),
            values: Table::new(each(refined), 0),
            low: Table::new(each(uct.score_bounds), Score::MIN as u32),
            high: Table::new(each(uct.score_bounds), Score::MAX as u32),
            proof: Table::new(each(uct.proof_numbers.is_some()), 1),
            urge: Table::new(one(uct.proof_numbers.is_some()), 0),
        }
    }

    pub(super) fn all(&mut self) -> [&mut dyn AnyColumn; 11] {
        [
            &mut self.heuristic,
            &mut self.index,
            &mut self.amaf_count,
            &mut self.amaf_sum,
            &mut self.implicit,
            &mut self.means,
            &mut self.values,
            &mut self.low,
            &mut self.high,
            &mut self.proof,
            &mut self.urge,
        ]
    }

    /// Exchanges two edges that have not been tried: what depends on the move goes with it.
    pub(super) fn swap(&self, a: u32, b: u32) {
        for table in [&self.heuristic, &self.index, &self.implicit] {
            table.swap(a, b);
        }
        if self.amaf_count.used() {
            let (count, sum) = (self.amaf_count.at(a).get(), self.amaf_sum.at(a).get());
            self.amaf_count.at(a).set(self.amaf_count.at(b).get());
            self.amaf_sum.at(a).set(self.amaf_sum.at(b).get());
            self.amaf_count.at(b).set(count);
            self.amaf_sum.at(b).set(sum);
        }
    }

    /// Adds what another tree knows of an edge, both with their numbers of visits.
    pub(super) fn join(&self, edge: u32, visits: u32, other: &Self, theirs: u32, more: u32) {
        let share = more as f32 / (visits + more).max(1) as f32;
        for at in 0..self.values.stride {
            let held = self.values.real(edge, at);
            self.values.set_real(edge, at, held + share * (other.values.real(theirs, at) - held));
        }
        // of a result that both have bounded the narrower bounds are right
        for at in 0..self.low.stride {
            self.low.set_score(edge, at, self.low.score(edge, at).max(other.low.score(theirs, at)));
            self.high.set_score(edge, at, self.high.score(edge, at).min(other.high.score(theirs, at)));
        }
        for at in 0..self.proof.stride {
            let (mine, yours) = (self.proof.count(edge, at), other.proof.count(theirs, at));
            // what one of them has settled is settled
            let settled = [mine, yours].into_iter().find(|&number| number == 0 || number == NEVER);
            self.proof.set_count(edge, at, settled.unwrap_or(mine.min(yours)));
        }
    }

    /// Whether a new node has anything to be told.
    fn asks(&self) -> bool {
        self.heuristic.used() || self.index.used() || self.implicit.used()
    }
}

impl<G: Searchable> Worker<'_, G> {
    /// Notes of each edge of a new node what is known before it is tried: its index and the evaluation after it, asked
    /// once in the life of the node.
    pub(super) fn inform(&self, tree: &Tree<G::Position, G::Move>, node: u32, position: &G::Position, turn: Turn) {
        let knowledge = &tree.sides.knowledge;
        if !knowledge.asks() {
            return;
        }
        let game = self.setup.game;
        let chooser = if let Turn::Player(player) = turn { player } else { self.setup.me };
        for (edge, &mv) in (node + 1..).zip(&self.buffer) {
            if knowledge.index.used() {
                knowledge.index.set_count(edge, 0, self.player.index(position, mv));
            }
            let Some(heuristic) = &self.setup.heuristic else { continue };
            let mut child = position.clone();
            game.play(&mut child, mv);
            let next = game.turn(&child);
            if knowledge.heuristic.used() && heuristic.knows() {
                let value = heuristic.value(&child, next, usize::from(chooser));
                knowledge.heuristic.set_real(edge, 0, value as f32);
            }
            if knowledge.implicit.used() {
                for player in 0..self.setup.scale.len() {
                    let value = heuristic.value(&child, next, player).clamp(-1.0, 1.0);
                    knowledge.implicit.set_real(edge, player, f64::midpoint(1.0, value) as f32);
                }
            }
        }
    }

    /// What the variants learn from a simulation whose visits are counted: the rewards that it gave, and the position
    /// where it left the tree if the game was over there.
    #[inline(never)]
    pub(super) fn teach(
        &mut self,
        tree: &Tree<G::Position, G::Move>,
        rewards: &[f64],
        end: Option<&Outcome<'_, G::Position>>,
    ) {
        let knowledge = &tree.sides.knowledge;
        if knowledge.index.used() {
            self.credit_all_moves(tree, rewards);
        }
        if self.own_moves.used() {
            self.credit_own_moves(tree, rewards[usize::from(self.setup.me)]);
        }
        if knowledge.implicit.used() {
            self.back_up_minimax(tree);
        }
        if knowledge.proof.used() {
            self.count_proofs(tree, end);
        }
        if knowledge.values.used() {
            self.refine(tree, rewards);
        }
    }
}
