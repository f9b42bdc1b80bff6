//! The tree of a Monte-Carlo search: one array in which a node is a header followed by its edges, so that going down one
//! level touches one place in memory; what selection does not read lies in arrays beside it.

use std::hint::select_unpredictable;
use std::sync::LazyLock;

use kibitz_game::{Score, Turn};

/// No node.
pub(super) const NO_NODE: u32 = u32::MAX;
/// No proven value.
pub(super) const UNPROVEN: Score = Score::MIN;

/// An edge as selection reads it: its bound is `mean + weight * width`. A header has the same size and holds, in this order, the
/// number of the node's position, the square root of the logarithm of its visits, the number of edges, and the number of
/// edges tried with the player to move.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Slot {
    mean: f32,
    /// One over the square root of the visits.
    width: f32,
    pub(super) child: u32,
    pub(super) visits: u32,
}

const FRESH: Slot = Slot { mean: 0.0, width: 0.0, child: NO_NODE, visits: 0 };

/// The player to move is kept above the number of edges tried.
const PLAYER: u32 = 24;
const CHANCE: u32 = 255;

/// A position that has been visited at least twice, read from its header. Its edges are `first..first + count`, of which the
/// first `tried` have been followed.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) tried: u32,
    /// `None` when chance is to move.
    pub(super) player: Option<u8>,
    /// The square root of the logarithm of the visits.
    root: f32,
    position: u32,
}

/// The nodes with their edges. The statistics of an edge are in the view of the player who chooses it.
pub(super) struct Tree<P, M> {
    pub(super) slots: Vec<Slot>,
    /// The sum of the rewards of each edge and, at its header, the reward of a node's best proven edge.
    pub(super) sum: Vec<f64>,
    pub(super) moves: Vec<M>,
    /// The proven value of each edge and, at its header, of each node for the player to move; empty unless proofs are sought.
    proven: Vec<Score>,
    /// The position of each node, so that a simulation plays no move twice.
    positions: Vec<P>,
    position_bytes: usize,
    solver: bool,
    visited_edges: usize,
    limit: usize,
    pub(super) full: bool,
    /// The square root of the logarithm of a node's visits, for small numbers of them.
    roots: &'static [f32],
}

/// Numbers of visits below this are looked up.
const TABLE: usize = 1 << 16;

static ROOTS: LazyLock<Vec<f32>> = LazyLock::new(|| (0..TABLE).map(|n| root_of_log(n as u32)).collect());

/// sqrt(ln n) from basic arithmetic alone, so that it is the same on every machine.
fn root_of_log(n: u32) -> f32 {
    if n < 2 {
        return 0.0;
    }
    // n = m * 2^e with m in [2/3, 4/3); ln m = 2 artanh((m - 1) / (m + 1))
    let mut e = n.ilog2();
    let mut m = f64::from(n) / f64::from(1u32 << e);
    if m >= 4.0 / 3.0 {
        m /= 2.0;
        e += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let series = (0..7).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    (f64::from(e) * std::f64::consts::LN_2 + 2.0 * s * series).sqrt() as f32
}

impl<P: Clone, M: Copy> Tree<P, M> {
    pub(super) fn new(megabytes: usize, position_bytes: usize, solver: bool) -> Self {
        Self {
            slots: Vec::new(),
            sum: Vec::new(),
            moves: Vec::new(),
            proven: Vec::new(),
            positions: Vec::new(),
            position_bytes,
            solver,
            visited_edges: 0,
            limit: megabytes.saturating_mul(1 << 20),
            full: false,
            roots: &ROOTS,
        }
    }

    /// Makes room for as many simulations as are expected, within reason, so that a growing tree is not moved about.
    pub(super) fn expect(&mut self, simulations: u64) {
        let nodes = (simulations / 2).min(1 << 17) as usize;
        let slots = 4 * nodes;
        if self.cost(nodes, slots) <= self.limit / 4 {
            self.reserve(nodes, slots);
        }
    }

    fn reserve(&mut self, nodes: usize, slots: usize) {
        self.positions.reserve_exact(nodes - self.positions.len());
        let more = slots - self.slots.len();
        self.slots.reserve_exact(more);
        self.sum.reserve_exact(more);
        self.moves.reserve_exact(more);
        if self.solver {
            self.proven.reserve_exact(more);
        }
    }

    /// Positions in the tree, the root included.
    pub(super) fn len(&self) -> usize {
        self.visited_edges + 1
    }

    fn cost(&self, nodes: usize, slots: usize) -> usize {
        let slot = size_of::<Slot>() + size_of::<f64>() + size_of::<M>();
        let proof = if self.solver { size_of::<Score>() } else { 0 };
        nodes * self.position_bytes + slots * (slot + proof)
    }

    /// The memory of the arrays as they are allocated.
    pub(super) fn bytes(&self) -> usize {
        self.cost(self.positions.capacity(), self.slots.capacity())
    }

    #[inline(always)]
    pub(super) fn node(&self, node: u32) -> Node {
        let header = self.slots[node as usize];
        let player = header.visits >> PLAYER;
        Node {
            first: node + 1,
            count: header.child,
            tried: header.visits & ((1 << PLAYER) - 1),
            player: (player != CHANCE).then_some(player as u8),
            root: header.width,
            position: header.mean.to_bits(),
        }
    }

    #[inline(always)]
    pub(super) fn position(&self, node: u32) -> &P {
        &self.positions[self.node(node).position as usize]
    }

    /// Counts one more edge of a node as tried, or all of them.
    #[inline(always)]
    pub(super) fn try_edges(&mut self, node: u32, edges: u32) {
        self.slots[node as usize].visits += edges;
    }

    /// The proven value of an edge for its chooser, or of a node for the player to move.
    #[inline(always)]
    pub(super) fn proven(&self, slot: u32) -> Score {
        self.proven.get(slot as usize).copied().unwrap_or(UNPROVEN)
    }

    /// Remembers the proven value of a node for the player to move.
    pub(super) fn prove_node(&mut self, node: u32, value: Score) {
        if self.solver {
            self.proven[node as usize] = value;
        }
    }

    /// Remembers the proven value of an edge of a node, which is so much as a reward.
    pub(super) fn prove_edge(&mut self, node: u32, edge: u32, value: Score, reward: f64) {
        if self.solver {
            self.proven[edge as usize] = value;
            self.sum[node as usize] = self.sum[node as usize].max(reward);
        }
    }

    /// The reward of the best edge of a node that is proven; less than any bound when there is none.
    pub(super) fn settled(&self, node: u32) -> f64 {
        self.sum[node as usize]
    }

    /// Adds a node with an edge for every move; `NO_NODE` when the memory is used up. The root always fits.
    #[inline(always)]
    pub(super) fn add(&mut self, position: &P, turn: Turn, moves: &[M]) -> u32 {
        let node = self.slots.len();
        let end = node + 1 + moves.len();
        if (end > self.slots.capacity() || self.positions.len() == self.positions.capacity()) && !self.grow(end) {
            return NO_NODE;
        }
        let count = moves.len() as u32;
        let (tried, player) = if let Turn::Player(player) = turn { (0, u32::from(player)) } else { (count, CHANCE) };
        let mean = f32::from_bits(self.positions.len() as u32);
        self.slots.push(Slot { mean, width: 0.0, child: count, visits: tried | player << PLAYER });
        self.slots.resize(end, FRESH);
        self.sum.push(f64::NEG_INFINITY);
        self.sum.resize(end, 0.0);
        // the header has no move; the first one stands in, so that the arrays stay side by side
        self.moves.extend(moves.first());
        self.moves.extend_from_slice(moves);
        if self.solver {
            self.proven.resize(end, UNPROVEN);
        }
        self.positions.push(position.clone());
        node as u32
    }

    /// Makes room for so many slots and one more node within the limit, half as much again where that fits.
    #[cold]
    fn grow(&mut self, slots: usize) -> bool {
        let room = |step: usize| {
            let mut nodes = self.positions.capacity();
            if self.positions.len() == nodes {
                nodes += (nodes / 2).min(step).max(64);
            }
            let mut room = self.slots.capacity();
            if slots > room {
                room = (room + (room / 2).min(step)).max(slots + 512);
            }
            (nodes, room)
        };
        // half as much again, or what is left in small pieces
        let (nodes, slots) = [usize::MAX, 0]
            .map(room)
            .into_iter()
            .find(|&(nodes, slots)| self.cost(nodes, slots) <= self.limit || self.slots.is_empty())
            .filter(|&(nodes, slots)| nodes < NO_NODE as usize && slots < NO_NODE as usize)
            .unwrap_or((0, 0));
        if nodes == 0 {
            self.full = true;
            return false;
        }
        self.reserve(nodes, slots);
        true
    }

    /// Counts a visit of a node, its `visits`-th, that followed an edge and gave the chooser this reward. Returns the
    /// visits of the edge.
    #[inline(always)]
    pub(super) fn credit(&mut self, node: u32, visits: u32, edge: u32, reward: f64) -> u32 {
        self.slots[node as usize].width =
            self.roots.get(visits as usize).copied().unwrap_or_else(|| root_of_log(visits));
        let slot = &mut self.slots[edge as usize];
        let sum = &mut self.sum[edge as usize];
        slot.visits += 1;
        *sum += reward;
        let inverse = 1.0 / slot.visits as f32;
        self.visited_edges += usize::from(slot.visits == 1);
        slot.mean = *sum as f32 * inverse;
        slot.width = inverse.sqrt();
        slot.visits
    }

    /// The edge that is not proven with the highest upper confidence bound, of a node whose edges have all been tried, and that
    /// bound; the first of equal ones.
    #[inline(always)]
    pub(super) fn best_bound(&self, node: Node, c: f32) -> (u32, f32) {
        let Node { first, count, root, .. } = node;
        let weight = c * root;
        let edges = first as usize..(first + count) as usize;
        let mut top = f32::NEG_INFINITY;
        let mut best = first;
        // which edge wins is as good as random, so branches on it would be mispredicted
        let mut compare = |i: usize, bound: f32| {
            let better = bound > top;
            best = select_unpredictable(better, first + i as u32, best);
            top = select_unpredictable(better, bound, top);
        };
        let bounds = self.slots[edges.clone()].iter().map(|edge| edge.mean + weight * edge.width).enumerate();
        if self.solver {
            for ((i, bound), &proven) in bounds.zip(&self.proven[edges]) {
                compare(i, if proven == UNPROVEN { bound } else { f32::NEG_INFINITY });
            }
        } else {
            bounds.for_each(|(i, bound)| compare(i, bound));
        }
        (best, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_the_logarithm_is_right_to_the_last_bits() {
        for n in (2..5000).chain([1 << 20, (1 << 31) - 1, u32::MAX]) {
            let exact = f64::from(n).ln().sqrt() as f32;
            assert!((root_of_log(n) - exact).abs() <= 2.0 * f32::EPSILON * exact, "{n}");
        }
    }

    #[test]
    fn a_tree_stays_within_its_memory() {
        let mut tree: Tree<u64, u16> = Tree::new(1, 8, true);
        while tree.add(&0, Turn::Player(0), &[7; 30]) != NO_NODE {
            assert!(tree.bytes() <= 1 << 20);
        }
        assert!(tree.full && tree.bytes() > 900 << 10, "{}", tree.bytes());
    }
}
