//! The tree of a Monte-Carlo search: parallel arrays of edges, so that a selection reads only what it needs.

use std::hint::select_unpredictable;
use std::sync::LazyLock;

use kibitz_game::{Score, Turn};

/// No node.
pub(super) const NO_NODE: u32 = u32::MAX;
/// No proven value.
pub(super) const UNPROVEN: Score = Score::MIN;

/// A position that has been visited at least twice. Its edges are `first..first + count`, of which the first `tried` have been
/// followed.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) tried: u32,
    /// The proven value for the player to move.
    pub(super) proven: Score,
    pub(super) turn: Turn,
}

/// What selection reads of an edge: its bound is `mean + weight * width`.
#[derive(Clone, Copy)]
pub(super) struct Interval {
    mean: f32,
    /// One over the square root of the visits.
    width: f32,
}

/// The statistics of an edge, in the view of the player who chooses it.
#[derive(Clone, Copy)]
pub(super) struct Stats {
    pub(super) sum: f64,
    pub(super) visits: u32,
    pub(super) child: u32,
}

/// The nodes, and the edges of all nodes in arrays side by side, so that a selection reads only what it needs.
pub(super) struct Tree<P, M> {
    nodes: Vec<Node>,
    /// The position of each node, so that a simulation plays no move twice.
    pub(super) positions: Vec<P>,
    position_bytes: usize,
    intervals: Vec<Interval>,
    pub(super) stats: Vec<Stats>,
    pub(super) moves: Vec<M>,
    pub(super) proven: Vec<Score>,
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
    pub(super) fn new(megabytes: usize, position_bytes: usize) -> Self {
        Self {
            nodes: Vec::new(),
            positions: Vec::new(),
            position_bytes,
            intervals: Vec::new(),
            stats: Vec::new(),
            moves: Vec::new(),
            proven: Vec::new(),
            visited_edges: 0,
            limit: megabytes.saturating_mul(1 << 20),
            full: false,
            roots: &ROOTS,
        }
    }

    /// Positions in the tree, the root included.
    pub(super) fn len(&self) -> usize {
        self.visited_edges + 1
    }

    const EDGE: usize = size_of::<Interval>() + size_of::<Stats>() + size_of::<M>() + size_of::<Score>();

    fn cost(&self, nodes: usize, edges: usize) -> usize {
        nodes * (size_of::<Node>() + self.position_bytes) + edges * Self::EDGE
    }

    /// The memory of the arrays as they are allocated.
    pub(super) fn bytes(&self) -> usize {
        self.cost(self.nodes.capacity(), self.moves.capacity())
    }

    #[inline(always)]
    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline(always)]
    pub(super) fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// Adds a node with an edge for every move; `NO_NODE` when the memory is used up. The root always fits.
    #[inline(always)]
    pub(super) fn add(&mut self, position: &P, turn: Turn, moves: &[M]) -> u32 {
        let edges = self.moves.len() + moves.len();
        if (edges > self.moves.capacity() || self.nodes.len() == self.nodes.capacity()) && !self.grow(edges) {
            return NO_NODE;
        }
        let node = Node {
            first: self.moves.len() as u32,
            count: moves.len() as u32,
            tried: if turn == Turn::Chance { moves.len() as u32 } else { 0 },
            proven: UNPROVEN,
            turn,
        };
        self.nodes.push(node);
        self.positions.push(position.clone());
        self.moves.extend_from_slice(moves);
        self.intervals.resize(edges, Interval { mean: 0.0, width: 0.0 });
        self.stats.resize(edges, Stats { sum: 0.0, visits: 0, child: NO_NODE });
        self.proven.resize(edges, UNPROVEN);
        (self.nodes.len() - 1) as u32
    }

    /// Makes room for so many edges and one more node within the limit, half as much again where that fits.
    #[cold]
    fn grow(&mut self, edges: usize) -> bool {
        let room = |step: usize| {
            let mut nodes = self.nodes.capacity();
            if self.nodes.len() == nodes {
                nodes += (nodes / 2).min(step).max(64);
            }
            let mut room = self.moves.capacity();
            if edges > room {
                room = (room + (room / 2).min(step)).max(edges + 512);
            }
            (nodes, room)
        };
        // half as much again, or what is left in small pieces
        let (nodes, edge_room) = [usize::MAX, 0]
            .map(room)
            .into_iter()
            .find(|&(nodes, edges)| self.cost(nodes, edges) <= self.limit || self.nodes.is_empty())
            .filter(|&(nodes, edges)| nodes < NO_NODE as usize && edges < NO_NODE as usize)
            .unwrap_or((0, 0));
        if nodes == 0 {
            self.full = true;
            return false;
        }
        self.positions.reserve_exact(nodes - self.nodes.len());
        self.nodes.reserve_exact(nodes - self.nodes.len());
        let more = edge_room - self.moves.len();
        self.intervals.reserve_exact(more);
        self.stats.reserve_exact(more);
        self.moves.reserve_exact(more);
        self.proven.reserve_exact(more);
        true
    }

    /// Counts a visit of an edge that gave its chooser this reward.
    #[inline(always)]
    pub(super) fn credit(&mut self, edge: u32, reward: f64) {
        let edge = edge as usize;
        let stats = &mut self.stats[edge];
        stats.visits += 1;
        stats.sum += reward;
        let inverse = 1.0 / stats.visits as f32;
        self.visited_edges += usize::from(stats.visits == 1);
        self.intervals[edge] = Interval { mean: stats.sum as f32 * inverse, width: inverse.sqrt() };
    }

    /// The edge with the highest upper confidence bound of a node with so many visits; a proven edge only when nothing
    /// else is left. The first of equal ones.
    #[inline(always)]
    pub(super) fn best_bound(&self, first: u32, count: u32, visits: u32, c: f32, solver: bool) -> u32 {
        let weight = c * self.roots.get(visits as usize).copied().unwrap_or_else(|| root_of_log(visits));
        let edges = first as usize..(first + count) as usize;
        let mut top = f32::NEG_INFINITY;
        let mut best = first;
        // which edge wins is as good as random, so branches on it would be mispredicted
        let mut compare = |i: usize, bound: f32| {
            let better = bound > top;
            best = select_unpredictable(better, first + i as u32, best);
            top = select_unpredictable(better, bound, top);
        };
        let intervals = self.intervals[edges.clone()].iter().map(|edge| edge.mean + weight * edge.width).enumerate();
        if solver {
            for ((i, bound), &proven) in intervals.zip(&self.proven[edges]) {
                compare(i, if proven == UNPROVEN { bound } else { f32::NEG_INFINITY });
            }
        } else {
            intervals.for_each(|(i, bound)| compare(i, bound));
        }
        best
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
        let mut tree: Tree<u64, u16> = Tree::new(1, 8);
        while tree.add(&0, Turn::Player(0), &[7; 30]) != NO_NODE {
            assert!(tree.bytes() <= 1 << 20);
        }
        assert!(tree.full && tree.bytes() > 900 << 10, "{}", tree.bytes());
    }
}
