//! The tree of a best-first search in memory: nodes and edges in two growing arrays of bounded size, the edges of a node side by
//! side. Everything that is known about a position but its moves lies on the edge that leads to it, so that choosing
//! among the moves of a node reads one place in memory.

/// No node: the edge leads to a position that has not been expanded.
pub(crate) const NO_NODE: u32 = u32::MAX;
/// The first node.
pub(crate) const ROOT: u32 = 0;

/// A position that has been expanded.
pub(crate) struct Node<P> {
    first: u32,
    count: u32,
    /// The player to move.
    pub(crate) player: u8,
    /// The position, so that an expansion below plays one move and not the whole line.
    pub(crate) position: P,
}

/// A move of a node with what is known of the position behind it.
#[derive(Clone, Copy)]
pub(crate) struct Edge<M, E> {
    pub(crate) mv: M,
    /// The node behind the move, or [`NO_NODE`].
    pub(crate) child: u32,
    pub(crate) known: E,
}

impl<M, E> Edge<M, E> {
    pub(crate) fn new(mv: M, known: E) -> Self {
        Self { mv, child: NO_NODE, known }
    }
}

pub(crate) struct Tree<P, M, E> {
    nodes: Vec<Node<P>>,
    pub(crate) edges: Vec<Edge<M, E>>,
    /// What a position takes beyond its own size.
    extra: usize,
    limit: usize,
    /// Whether a node did not fit any more.
    pub(crate) full: bool,
}

impl<P, M: Copy, E: Copy> Tree<P, M, E> {
    pub(crate) fn new(megabytes: usize, position_bytes: usize) -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            extra: position_bytes.saturating_sub(size_of::<P>()),
            limit: megabytes.saturating_mul(1 << 20),
            full: false,
        }
    }

    fn cost(&self, nodes: usize, edges: usize) -> usize {
        nodes.saturating_mul(size_of::<Node<P>>() + self.extra) + edges.saturating_mul(size_of::<Edge<M, E>>())
    }

    /// The memory of the arrays as they are allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.cost(self.nodes.capacity(), self.edges.capacity())
    }

    /// Positions in the tree, expanded or not, the root included.
    pub(crate) fn len(&self) -> usize {
        self.edges.len() + 1
    }

    pub(crate) fn node(&self, node: u32) -> &Node<P> {
        &self.nodes[node as usize]
    }

    /// The numbers of the edges of a node.
    #[inline(always)]
    pub(crate) fn range(&self, node: u32) -> std::ops::Range<usize> {
        let Node { first, count, .. } = self.nodes[node as usize];
        first as usize..first as usize + count as usize
    }

    /// The edges of a node.
    #[inline(always)]
    pub(crate) fn edges(&self, node: u32) -> &[Edge<M, E>] {
        &self.edges[self.range(node)]
    }

    /// Adds a node; `NO_NODE` when the memory is used up. The root always fits.
    pub(crate) fn add(&mut self, position: P, player: u8, edges: &[Edge<M, E>]) -> u32 {
        let end = self.edges.len() + edges.len();
        if (end > self.edges.capacity() || self.nodes.len() == self.nodes.capacity()) && !self.grow(end) {
            return NO_NODE;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { first: self.edges.len() as u32, count: edges.len() as u32, player, position });
        self.edges.extend_from_slice(edges);
        node
    }

    /// Makes room for so many edges and one more node: half as much again or, near the limit, a little.
    #[cold]
    fn grow(&mut self, edges: usize) -> bool {
        let room = |step: usize| {
            let (mut nodes, mut room) = (self.nodes.capacity(), self.edges.capacity());
            if self.nodes.len() == nodes {
                nodes += (nodes / 2).min(step).max(64);
            }
            if edges > room {
                room = (room + (room / 2).min(step)).max(edges + 512);
            }
            (nodes, room)
        };
        let fits = |&(nodes, edges): &(usize, usize)| {
            (self.cost(nodes, edges) <= self.limit || self.nodes.is_empty())
                && nodes < NO_NODE as usize
                && edges < NO_NODE as usize
        };
        let Some((nodes, edges)) = [usize::MAX, 0].map(room).into_iter().find(fits) else {
            self.full = true;
            return false;
        };
        self.nodes.reserve_exact(nodes - self.nodes.len());
        self.edges.reserve_exact(edges - self.edges.len());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_fills_its_memory_and_stays_within_it() {
        let mut tree: Tree<u64, u16, u32> = Tree::new(1, 8);
        while tree.add(0, 0, &[Edge::new(7, 1); 30]) != NO_NODE {
            assert!(tree.bytes() <= 1 << 20);
        }
        assert!(tree.full && tree.bytes() > 900 << 10, "{}", tree.bytes());
    }

    #[test]
    fn edges_of_a_node_are_those_it_was_given() {
        let mut tree: Tree<char, u16, u32> = Tree::new(1, 4);
        for (i, position) in ('a'..='z').enumerate() {
            let edges: Vec<_> = (0..i as u16).map(|mv| Edge::new(mv, 100 * i as u32)).collect();
            assert_eq!(tree.add(position, 1, &edges), i as u32);
        }
        let edges: Vec<_> = tree.edges(3).iter().map(|edge| (edge.mv, edge.child, edge.known)).collect();
        assert_eq!(edges, [(0, NO_NODE, 300), (1, NO_NODE, 300), (2, NO_NODE, 300)]);
        assert_eq!((tree.node(3).position, tree.len()), ('d', 1 + 25 * 26 / 2));
    }
}
