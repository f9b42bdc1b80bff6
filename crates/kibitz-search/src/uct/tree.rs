//! The tree of a Monte-Carlo search: parallel arrays of edges, so that a selection reads only what it needs.

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
    pub(super) visits: u32,
    /// The proven value for the player to move.
    pub(super) proven: Score,
    pub(super) turn: Turn,
}

/// An edge carries the statistics of the position behind it, in the view of the player who chooses it.
pub(super) struct Tree<M> {
    nodes: Vec<Node>,
    pub(super) moves: Vec<M>,
    pub(super) visits: Vec<u32>,
    pub(super) mean: Vec<f32>,
    pub(super) sum: Vec<f64>,
    pub(super) child: Vec<u32>,
    pub(super) proven: Vec<Score>,
    scores: Vec<f32>,
    visited_edges: usize,
    limit: usize,
    pub(super) full: bool,
}

impl<M: Copy> Tree<M> {
    pub(super) fn new(megabytes: usize) -> Self {
        Self {
            nodes: Vec::new(),
            moves: Vec::new(),
            visits: Vec::new(),
            mean: Vec::new(),
            sum: Vec::new(),
            child: Vec::new(),
            proven: Vec::new(),
            scores: Vec::new(),
            visited_edges: 0,
            limit: megabytes.saturating_mul(1 << 20),
            full: false,
        }
    }

    /// Positions in the tree, the root included.
    pub(super) fn len(&self) -> usize {
        self.visited_edges + 1
    }

    const EDGE: usize = size_of::<M>() + 4 + 4 + 8 + 4 + 4;

    /// The memory of the arrays as they are allocated.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.moves.capacity() * Self::EDGE
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
    pub(super) fn add(&mut self, turn: Turn, moves: &[M]) -> u32 {
        let edges = self.moves.len() + moves.len();
        if (edges > self.moves.capacity() || self.nodes.len() == self.nodes.capacity()) && !self.grow(edges) {
            return NO_NODE;
        }
        let node = Node {
            first: self.moves.len() as u32,
            count: moves.len() as u32,
            tried: if turn == Turn::Chance { moves.len() as u32 } else { 0 },
            visits: 0,
            proven: UNPROVEN,
            turn,
        };
        self.nodes.push(node);
        self.moves.extend_from_slice(moves);
        self.visits.resize(edges, 0);
        self.mean.resize(edges, 0.0);
        self.sum.resize(edges, 0.0);
        self.child.resize(edges, NO_NODE);
        self.proven.resize(edges, UNPROVEN);
        (self.nodes.len() - 1) as u32
    }

    /// Makes room for so many edges and one more node within the limit, half as much again where that fits.
    #[cold]
    fn grow(&mut self, edges: usize) -> bool {
        let cost =
            |nodes: usize, edges: usize| nodes.saturating_mul(size_of::<Node>()) + edges.saturating_mul(Self::EDGE);
        let (mut node_room, mut edge_room) = (self.nodes.capacity(), self.moves.capacity());
        if self.nodes.len() == node_room {
            node_room += (node_room / 2).max(64);
        }
        if edges > edge_room {
            edge_room = (edge_room + edge_room / 2).max(edges).max(1024);
        }
        if !self.nodes.is_empty() && cost(node_room, edge_room) > self.limit {
            // what is left, in small pieces
            (node_room, edge_room) = (self.nodes.capacity(), self.moves.capacity());
            if self.nodes.len() == node_room {
                node_room += 64;
            }
            if edges > edge_room {
                edge_room = edges + 1024;
            }
            if cost(node_room, edge_room) > self.limit {
                self.full = true;
                return false;
            }
        }
        if edge_room >= NO_NODE as usize {
            self.full = true;
            return false;
        }
        self.nodes.reserve_exact(node_room - self.nodes.len());
        let more = edge_room - self.moves.len();
        self.moves.reserve_exact(more);
        self.visits.reserve_exact(more);
        self.mean.reserve_exact(more);
        self.sum.reserve_exact(more);
        self.child.reserve_exact(more);
        self.proven.reserve_exact(more);
        true
    }

    /// Counts a visit of an edge that gave its chooser this reward.
    #[inline(always)]
    pub(super) fn credit(&mut self, node: u32, edge: u32, reward: f64) {
        let edge = edge as usize;
        self.nodes[node as usize].visits += 1;
        self.visits[edge] += 1;
        self.visited_edges += usize::from(self.visits[edge] == 1);
        self.sum[edge] += reward;
        self.mean[edge] = (self.sum[edge] / f64::from(self.visits[edge])) as f32;
    }

    /// The edge with the highest upper confidence bound; proven edges only when nothing else is left.
    #[inline(always)]
    pub(super) fn best_bound(&mut self, first: u32, count: u32, visits: u32, c: f64, solver: bool) -> u32 {
        let edges = first as usize..(first + count) as usize;
        let numerator = (c * c * f64::from(visits).ln()) as f32;
        self.scores.clear();
        self.scores.extend(
            self.mean[edges.clone()]
                .iter()
                .zip(&self.visits[edges.clone()])
                .map(|(&mean, &n)| mean + (numerator / n as f32).sqrt()),
        );
        if solver {
            for (score, &proven) in self.scores.iter_mut().zip(&self.proven[edges]) {
                if proven != UNPROVEN {
                    *score = f32::NEG_INFINITY;
                }
            }
        }
        let mut best = 0;
        let mut top = self.scores[0];
        for (i, &score) in self.scores.iter().enumerate() {
            if score > top {
                top = score;
                best = i;
            }
        }
        first + best as u32
    }
}
