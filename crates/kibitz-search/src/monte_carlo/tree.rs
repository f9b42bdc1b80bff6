//! The tree of a Monte-Carlo search: one array in which a node is a header followed by its edges, so that going down one
//! level touches one place in memory; what selection does not read lies in arrays beside it.
//!
//! The core takes 26 bytes an edge (up to 32 where a move needs more than 16 bits). What only some searches need has a column of
//! its own ([`Sides`]). A child comes after its parent in the array, always.

mod memory;
mod positions;

use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::Zeroable;
use kibitz_game::{Pack, Random, Score, Turn};

use super::cells::{AnyColumn, Apart, Cell, Column, Part, Proof, Real, UNPROVEN, Word};
use super::knowledge::Knowledge;
use super::logarithm::{ROOTS, root_of_large};
use positions::Positions;

/// The node of the position that is searched.
pub(super) const ROOT: u32 = 0;
/// Where no node is linked. No edge leads to the root, nor to the slot after it.
const NO_NODE: u32 = 0;
/// A node that another thread is making.
const COMING: u32 = 1;

/// An edge as selection reads it: its bound is `mean + weight * width`. A header has the same size and holds, in this order, the
/// number of the node's position, the square root of the logarithm of its visits, the number of edges, and the number of
/// edges tried with the player to move.
#[derive(Zeroable)]
#[repr(align(16))]
pub(super) struct Slot {
    mean: Word,
    /// One over the square root of the visits.
    width: Word,
    child: Word,
    visits: Word,
}

impl Slot {
    /// The mean of the rewards.
    #[inline(always)]
    pub(super) fn mean(&self) -> f32 {
        f32::from_bits(self.mean.get())
    }

    /// One over the square root of the visits.
    #[inline(always)]
    pub(super) fn width(&self) -> f32 {
        f32::from_bits(self.width.get())
    }

    #[inline(always)]
    pub(super) fn visits(&self) -> u32 {
        self.visits.get()
    }

    /// The node that the edge leads to, if there is one already.
    #[inline(always)]
    pub(super) fn child(&self) -> Option<u32> {
        // what was written into the node before it was linked must be seen, too
        let child = self.child.atomic().load(Acquire);
        (child > COMING).then_some(child)
    }
}

impl Cell for Slot {
    fn copy(&self) -> Self {
        Self { mean: self.mean.copy(), width: self.width.copy(), child: self.child.copy(), visits: self.visits.copy() }
    }
}

/// The player to move is kept above the number of edges tried.
const PLAYER: u32 = 24;
const TRIED: u32 = (1 << PLAYER) - 1;
const CHANCE: u32 = 255;

/// A position that has been visited often enough, read from its header. Its edges are `first..first + count`, of which the
/// first `tried` have been followed.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) tried: u32,
    /// The square root of the logarithm of the visits.
    pub(super) root: f32,
    position: u32,
    /// The player to move, or chance.
    mover: u32,
}

impl Node {
    /// The player to move; `None` for chance.
    #[inline(always)]
    pub(super) fn player(&self) -> Option<u8> {
        (self.mover != CHANCE).then_some(self.mover as u8)
    }
}

/// What a tree keeps of each slot beside the core.
pub(super) struct Sides {
    /// The proven value of each edge for its chooser and, at its header, of each node for the player to move.
    pub(super) proven: Column<Proof>,
    /// The sum of the squares of the rewards of each edge.
    pub(super) squares: Column<Real>,
    /// What the variants know.
    pub(super) knowledge: Knowledge,
}

impl Sides {
    pub(super) fn new(proofs: bool, squares: bool, knowledge: Knowledge) -> Self {
        Self { proven: Column::new(proofs), squares: Column::new(squares), knowledge }
    }

    /// All columns: a new one is named here and above, and then grows, moves and is counted with the others.
    pub(super) fn all(&mut self) -> Vec<&mut dyn AnyColumn> {
        let core: [&mut dyn AnyColumn; 2] = [&mut self.proven, &mut self.squares];
        core.into_iter().chain(self.knowledge.all()).collect()
    }
}

/// Untried edges that are ranked by what they promise are handed out under one of so many locks.
const LOCKS: usize = 64;

/// The nodes with their edges. The statistics of an edge are in the view of the player who chooses it.
pub(super) struct Tree<P, M> {
    slots: Vec<Slot>,
    /// The sum of the rewards of each edge and, at its header, the reward of a node's best proven edge.
    sum: Vec<Real>,
    /// The moves, in as many parts as they need.
    moves: Vec<Part>,
    pub(super) sides: Sides,
    /// The bytes of all columns for one slot.
    side_bytes: usize,
    positions: Positions<P>,
    position_bytes: usize,
    /// The simulations that began at the root, in this search and in those whose tree it goes on with.
    pub(super) root_visits: Apart<Word>,
    /// Whether several threads work on it at once.
    pub(super) shared: bool,
    /// How many slots of a shared tree are in use; all of its slots exist already.
    used: Apart<AtomicUsize>,
    locks: Vec<Mutex<()>>,
    limit: usize,
    /// Whether a node found no room.
    pub(super) full: Apart<AtomicBool>,
    /// How often the least visited nodes were given up for new ones.
    pub(super) recycled: u64,
    /// Whether that would free too little to be worth while.
    exhausted: bool,
    /// Whether another search grew it.
    pub(super) reused: bool,
    /// The square root of the logarithm of a node's visits, for small numbers of them.
    roots: &'static [f32],
    kind: std::marker::PhantomData<M>,
}

impl<P: Clone, M: Pack> Tree<P, M> {
    /// How many parts a move has.
    const PARTS: usize = size_of::<M>().div_ceil(size_of::<Part>());

    pub(super) fn new(megabytes: usize, position_bytes: usize, mut sides: Sides, shared: bool) -> Self {
        let positions = Positions::new(shared);
        Self {
            slots: Vec::new(),
            sum: Vec::new(),
            moves: Vec::new(),
            side_bytes: sides.all().iter().map(|side| side.width()).sum(),
            sides,
            position_bytes: position_bytes + positions.overhead(),
            positions,
            root_visits: Apart::new(Word::new(0)),
            shared,
            used: Apart::new(AtomicUsize::new(0)),
            locks: (0..if shared { LOCKS } else { 0 }).map(|_| Mutex::new(())).collect(),
            // the rest is for what lies beside the arrays: buffers, the allocator, the report
            limit: megabytes.saturating_mul(15 << 16),
            full: Apart::new(AtomicBool::new(false)),
            recycled: 0,
            exhausted: false,
            reused: false,
            roots: &ROOTS,
            kind: std::marker::PhantomData,
        }
    }

    /// Leaves so many bytes of the limit to others.
    pub(super) fn leave(&mut self, bytes: usize) {
        self.limit = self.limit.saturating_sub(bytes);
    }

    /// Whether there is no root.
    pub(super) fn is_empty(&self) -> bool {
        self.used() == 0
    }

    /// How many slots are in use.
    pub(super) fn used(&self) -> usize {
        if self.shared { self.used.load(Relaxed) } else { self.slots.len() }
    }

    #[inline(always)]
    pub(super) fn node(&self, node: u32) -> Node {
        let header = &self.slots[node as usize];
        let visits = header.visits.get();
        Node {
            first: node + 1,
            count: header.child.get(),
            tried: visits & TRIED,
            root: header.width(),
            position: header.mean.get(),
            mover: visits >> PLAYER,
        }
    }

    #[inline(always)]
    pub(super) fn slot(&self, edge: u32) -> &Slot {
        &self.slots[edge as usize]
    }

    /// The slots of edges that follow one another.
    #[inline(always)]
    pub(super) fn slots(&self, first: u32, count: u32) -> &[Slot] {
        &self.slots[first as usize..(first + count) as usize]
    }

    #[inline(always)]
    pub(super) fn mv(&self, edge: u32) -> M {
        let parts = &self.moves[edge as usize * Self::PARTS..][..Self::PARTS];
        M::unpack(parts.iter().rev().fold(0, |bits, part| bits << 16 | u64::from(part.get())))
    }

    /// The position of a node.
    #[inline(always)]
    pub(super) fn position(&self, node: u32) -> &P {
        self.positions.get(self.node(node).position)
    }

    #[inline(always)]
    pub(super) fn sum(&self, edge: u32) -> f64 {
        self.sum[edge as usize].get()
    }

    /// Takes an edge of a node that was not tried yet, each with the same probability; none when all have been.
    #[inline(always)]
    pub(super) fn try_edge(&self, node: u32, random: &mut Random) -> Option<u32> {
        if self.shared {
            return self.try_next_edge(node);
        }
        let Node { first, count, tried, .. } = self.node(node);
        if tried >= count {
            return None;
        }
        let edge = first + tried;
        let other = edge + random.below((count - tried) as usize) as u32;
        self.swap(edge as usize, other as usize);
        self.slots[node as usize].visits.add(1, false);
        Some(edge)
    }

    /// The next edge of a node of a shared tree, whose edges are in random order.
    #[inline(always)]
    fn try_next_edge(&self, node: u32) -> Option<u32> {
        let header = &self.slots[node as usize];
        let count = header.child.get();
        let next = |visits: u32| (visits & TRIED < count).then_some(visits + 1);
        let tried = header.visits.atomic().fetch_update(Relaxed, Relaxed, next).ok()? & TRIED;
        Some(node + 1 + tried)
    }

    /// The same, but one of those that promise most, each with the same probability.
    pub(super) fn try_best_edge(&self, node: u32, random: &mut Random, promise: impl Fn(u32) -> f32) -> Option<u32> {
        let _lock = self.lock(node);
        let Node { first, count, tried, .. } = self.node(node);
        let untried = first + tried..first + count;
        let top = untried.clone().map(&promise).fold(f32::NEG_INFINITY, f32::max);
        // numbers that others change meanwhile may leave none; then any will do
        let equal = |&edge: &u32| promise(edge) >= top;
        let chosen = random.below(untried.clone().filter(equal).count().max(1));
        let other = untried.clone().filter(equal).nth(chosen).or(untried.clone().next())?;
        let edge = first + tried;
        self.swap(edge as usize, other as usize);
        self.sides.knowledge.swap(edge, other);
        self.slots[node as usize].visits.add(1, self.shared);
        Some(edge)
    }

    fn lock(&self, node: u32) -> Option<MutexGuard<'_, ()>> {
        // nothing panics under a lock
        self.shared.then(|| self.locks[node as usize % LOCKS].lock().unwrap_or_else(PoisonError::into_inner))
    }

    #[inline(always)]
    fn swap(&self, edge: usize, other: usize) {
        for part in 0..Self::PARTS {
            let (one, two) = (&self.moves[edge * Self::PARTS + part], &self.moves[other * Self::PARTS + part]);
            let held = one.get();
            one.set(two.get());
            two.set(held);
        }
    }

    /// Counts all edges of a node as tried.
    pub(super) fn try_all(&self, node: u32) {
        let Node { count, tried, .. } = self.node(node);
        self.slots[node as usize].visits.add(count - tried, self.shared);
    }

    /// The proven value of an edge for its chooser, or of a node for the player to move.
    #[inline(always)]
    pub(super) fn proven(&self, slot: u32) -> Score {
        self.sides.proven.cells().get(slot as usize).map_or(UNPROVEN, Proof::get)
    }

    /// Remembers the proven value of a node for the player to move.
    pub(super) fn prove_node(&self, node: u32, value: Score) {
        if self.sides.proven.used() {
            self.sides.proven.at(node).set(value);
        }
    }

    /// Remembers the proven value of an edge of a node, which is so much as a reward.
    pub(super) fn prove_edge(&self, node: u32, edge: u32, value: Score, reward: f64) {
        if self.sides.proven.used() {
            self.sides.proven.at(edge).set(value);
            self.sum[node as usize].raise(reward);
        }
    }

    /// The reward of the best edge of a node that is proven; less than any bound when there is none.
    #[inline(always)]
    pub(super) fn settled(&self, node: u32) -> f64 {
        self.sum[node as usize].get()
    }

    #[inline(always)]
    fn header(position: u32, turn: Turn, count: u32) -> Slot {
        let (tried, player) = if let Turn::Player(player) = turn { (0, u32::from(player)) } else { (count, CHANCE) };
        Slot {
            mean: Word::new(position),
            width: Word::new(0),
            child: Word::new(count),
            visits: Word::new(tried | player << PLAYER),
        }
    }

    /// Whether this thread may make the node of an edge of a shared tree; of several only one may, which must then link it.
    #[inline(always)]
    pub(super) fn claim(&self, edge: u32) -> bool {
        self.slots[edge as usize].child.atomic().compare_exchange(NO_NODE, COMING, Relaxed, Relaxed).is_ok()
    }

    /// Links a node, or none after all, to its edge.
    #[inline(always)]
    pub(super) fn link(&self, edge: u32, node: Option<u32>) {
        self.slots[edge as usize].child.atomic().store(node.unwrap_or(NO_NODE), Release);
    }

    /// Makes a node; none when memory is full.
    #[inline(always)]
    pub(super) fn push(&mut self, position: &P, turn: Turn, moves: &[M]) -> Option<u32> {
        let node = self.slots.len();
        let end = node + 1 + moves.len();
        let nodes = self.positions.len();
        if (end > self.slots.capacity() || nodes == self.positions.capacity()) && !self.grow(end) {
            return None;
        }
        self.slots.push(Self::header(nodes as u32, turn, moves.len() as u32));
        self.slots.resize_with(end, Slot::zeroed);
        self.sum.push(Real::new(f64::NEG_INFINITY));
        self.sum.resize_with(end, Real::zeroed);
        // the header has no move; nothing stands in, so that the arrays stay side by side
        if Self::PARTS == 1 {
            self.moves.push(Part::new(0));
            self.moves.extend(moves.iter().map(|mv| Part::new(mv.pack() as u16)));
        } else {
            self.moves.resize_with((node + 1) * Self::PARTS, Part::zeroed);
            let parts = |mv: &M| {
                (0..Self::PARTS).map({
                    let bits = mv.pack();
                    move |part| Part::new((bits >> (16 * part)) as u16)
                })
            };
            self.moves.extend(moves.iter().flat_map(parts));
        }
        self.positions.push(position);
        Some(node as u32)
    }

    /// The same while others work on the tree: the slots exist already, and a thread has `places` for positions.
    #[inline(never)]
    pub(super) fn take(&self, position: &P, turn: Turn, moves: &[M], places: &mut Range<u32>) -> Option<u32> {
        // first, because slots that are taken must become a node
        let number = self.positions.put(position, places)?;
        let size = 1 + moves.len();
        let nodes = self.positions.len();
        let fits = |used: usize| used + size <= self.slots.len() && self.cost(nodes, used + size) <= self.limit;
        let taken = self.used.fetch_update(Relaxed, Relaxed, |used| (used == 0 || fits(used)).then_some(used + size));
        let Ok(node) = taken else {
            self.full.store(true, Relaxed);
            return None;
        };
        let header = Self::header(number, turn, moves.len() as u32);
        let slot = &self.slots[node];
        slot.mean.set(number);
        slot.width.set(0);
        slot.child.set(header.child.get());
        slot.visits.set(header.visits.get());
        self.sum[node].set(f64::NEG_INFINITY);
        for (i, mv) in (node + 1..).zip(moves) {
            for part in 0..Self::PARTS {
                self.moves[i * Self::PARTS + part].set((mv.pack() >> (16 * part)) as u16);
            }
        }
        Some(node as u32)
    }

    /// Remembers the visits of a node for the bounds of its edges.
    #[inline(always)]
    pub(super) fn count_visits(&self, node: u32, visits: u32) {
        let root = self.roots.get(visits as usize).copied().unwrap_or_else(|| root_of_large(visits));
        self.slots[node as usize].width.set(root.to_bits());
    }

    /// Counts a visit of a node, its `visits`-th, that followed an edge and gave the chooser this reward. Returns the
    /// visits of the edge. For one thread.
    #[inline(always)]
    pub(super) fn credit(&self, node: u32, visits: u32, edge: u32, reward: f64) -> u32 {
        self.count_visits(node, visits);
        let slot = &self.slots[edge as usize];
        let visits = slot.visits.add(1, false);
        let sum = self.sum[edge as usize].add(reward, false);
        let inverse = 1.0 / visits as f32;
        slot.mean.set((sum as f32 * inverse).to_bits());
        slot.width.set(inverse.sqrt().to_bits());
        if self.sides.squares.used() {
            self.sides.squares.at(edge).add(reward * reward, false);
        }
        visits
    }

    /// Counts a visit of a node, its `visits`-th, that follows an edge, before its reward is known. Until then it counts
    /// as lost, so that other threads go elsewhere (virtual loss; Chaslot, Winands and van den Herik 2008). Returns the
    /// visits of the edge.
    #[inline(never)]
    pub(super) fn enter(&self, node: u32, visits: u32, edge: u32) -> u32 {
        // the logarithm of a large number hardly changes, but all threads would have to fetch it again
        if visits < 1024 || visits.is_multiple_of(16) {
            self.count_visits(node, visits);
        }
        let visits = self.slots[edge as usize].visits.add(1, true);
        self.refresh(edge, visits, self.sum(edge));
        visits
    }

    /// Adds the reward of a visit that was counted already.
    pub(super) fn pay(&self, edge: u32, reward: f64) {
        let sum = self.sum[edge as usize].add(reward, true);
        if self.sides.squares.used() {
            self.sides.squares.at(edge).add(reward * reward, true);
        }
        self.refresh(edge, self.slots[edge as usize].visits(), sum);
    }

    /// Counts several visits of an edge, with the sums of their rewards and of the squares of these, and what they mean for the
    /// node that it leads to.
    #[inline(never)]
    pub(super) fn add_visits(&self, edge: u32, visits: u32, sum: f64, squares: f64) {
        let slot = &self.slots[edge as usize];
        let visits = slot.visits.add(visits, true);
        if self.sides.squares.used() {
            self.sides.squares.at(edge).add(squares, true);
        }
        self.refresh(edge, visits, self.sum[edge as usize].add(sum, true));
        if let Some(child) = slot.child() {
            self.count_visits(child, visits);
        }
    }

    /// Computes again what selection reads of an edge; the sums are the truth.
    fn refresh(&self, edge: u32, visits: u32, sum: f64) {
        let slot = &self.slots[edge as usize];
        let inverse = 1.0 / visits as f32;
        slot.mean.set((sum as f32 * inverse).to_bits());
        slot.width.set(inverse.sqrt().to_bits());
    }

    /// Adds what another tree knows of an edge.
    pub(super) fn join(&self, edge: u32, other: &Self, theirs: u32) {
        self.sides.knowledge.join(
            edge,
            self.slot(edge).visits(),
            &other.sides.knowledge,
            theirs,
            other.slot(theirs).visits(),
        );
        self.slots[edge as usize].visits.add(other.slot(theirs).visits(), false);
        self.sum[edge as usize].add(other.sum(theirs), false);
        if self.sides.squares.used() {
            self.sides.squares.at(edge).add(other.sides.squares.at(theirs).get(), false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Uct;

    pub(super) fn sides(used: bool) -> Sides {
        Sides::new(used, used, Knowledge::new(&Uct::default(), 2))
    }

    #[test]
    fn moves_of_64_bits_come_back() {
        let mut tree: Tree<u8, u64> = Tree::new(1, 1, sides(false), false);
        let moves = [1 << 63 | 5, 7 << 32, 3];
        tree.push(&0, Turn::Player(0), &moves);
        assert_eq!([1, 2, 3].map(|edge| tree.mv(edge)), moves);
    }
}
