//! The tree: one node for each position that a playout began at, with its children in a list.

/// No node.
pub(super) const NO_NODE: u32 = u32::MAX;

/// A position with the results of the playouts that went through it. Results are differences to the first one of all, so that a
/// constant added to all results changes nothing at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// The move that leads here.
    pub(super) mv: M,
    pub(super) visits: u32,
    /// The first child, and the next one of the same parent.
    pub(super) child: u32,
    pub(super) next: u32,
    pub(super) depth: u16,
    /// Whether every move has been tried.
    pub(super) complete: bool,
    pub(super) sum: f64,
    pub(super) squares: f64,
    pub(super) top: f64,
}

impl<M> Node<M> {
    pub(super) fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits)
    }

    /// Adds a result.
    #[inline]
    pub(super) fn add(&mut self, result: f64) {
        self.visits += 1;
        self.sum += result;
        self.squares += result * result;
        self.top = self.top.max(result);
    }

    /// n times the variance of the results: Σr² − n·v², which subtraction may leave a little below zero.
    #[inline]
    pub(super) fn scatter(&self) -> f64 {
        (self.squares - self.sum * self.mean()).max(0.0)
    }
}

/// The nodes in one growing array of bounded size.
pub(super) struct Tree<M> {
    pub(super) nodes: Vec<Node<M>>,
    most: usize,
    /// Whether a node did not fit any more.
    pub(super) full: bool,
}

impl<M: Copy + PartialEq> Tree<M> {
    pub(super) fn new(megabytes: usize) -> Self {
        let most = (megabytes.saturating_mul(1 << 20) / size_of::<Node<M>>()).clamp(16, NO_NODE as usize - 1);
        Self { nodes: Vec::new(), most, full: false }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.full = false;
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<M>>()
    }

    /// The children of a node.
    #[inline]
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let mut next = self.nodes[node as usize].child;
        std::iter::from_fn(move || {
            let child = next;
            (child != NO_NODE).then(|| {
                next = self.nodes[child as usize].next;
                child
            })
        })
    }

    /// The child of a node behind a move, or `NO_NODE`.
    #[inline]
    pub(super) fn find(&self, node: u32, mv: M) -> u32 {
        self.children(node).find(|&child| self.nodes[child as usize].mv == mv).unwrap_or(NO_NODE)
    }

    /// Adds a node behind a move of a parent; `NO_NODE` when the memory is used up. The root has no parent.
    pub(super) fn add(&mut self, parent: u32, mv: M, depth: u16) -> u32 {
        let len = self.nodes.len();
        if len == self.nodes.capacity() {
            if len >= self.most {
                self.full = true;
                return NO_NODE;
            }
            // half as much again, so that the memory is never exceeded by much while it is copied
            self.nodes.reserve_exact((len / 2).max(64).min(self.most - len));
        }
        let node = len as u32;
        let next =
            if parent == NO_NODE { NO_NODE } else { std::mem::replace(&mut self.nodes[parent as usize].child, node) };
        self.nodes.push(Node {
            mv,
            visits: 0,
            child: NO_NODE,
            next,
            depth,
            complete: false,
            sum: 0.0,
            squares: 0.0,
            top: f64::NEG_INFINITY,
        });
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_knows_count_sum_squares_and_top() {
        let mut tree: Tree<u16> = Tree::new(1);
        let node = tree.add(NO_NODE, 0, 0) as usize;
        for result in [100.0, 300.0] {
            tree.nodes[node].add(result);
        }
        let node = &tree.nodes[node];
        assert_eq!((node.visits, node.sum, node.squares, node.top), (2, 400.0, 100_000.0, 300.0));
        assert_eq!((node.mean(), node.scatter()), (200.0, 20_000.0));
    }

    #[test]
    fn a_tree_fills_its_memory_and_stays_within_it() {
        let mut tree: Tree<u64> = Tree::new(1);
        let root = tree.add(NO_NODE, 0, 0);
        while tree.add(root, 7, 1) != NO_NODE {
            assert!(tree.bytes() <= 1 << 20);
        }
        assert!(tree.full && tree.bytes() > 900 << 10);
    }
}
