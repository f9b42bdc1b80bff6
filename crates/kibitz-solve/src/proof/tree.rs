//! The nodes of a proof-number search: 16 bytes each, in one array.

use std::borrow::Cow;

use bytemuck::{Pod, Zeroable};

use super::numbers::{INFINITE, Numbers, sum};

/// A node. Its position is not in it: whoever walks the tree plays the moves. The children of a node are neighbours, in the order of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Node {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
    /// The first child.
    pub(crate) first: u32,
    /// The number of children; none for a leaf.
    pub(crate) count: u16,
    /// Bits: [`OR`], [`BUSY`]; above them the [`Node::note`].
    pub(crate) flags: u16,
}

/// The player of the question moves here.
pub(crate) const OR: u16 = 1;
/// Another thread works on this leaf, whose numbers are made up until it is done.
pub(crate) const BUSY: u16 = 2;

/// The bits below the note.
const BITS: u16 = 2;
/// The greatest note: an answer that rests on nothing above, or a proof that is too tall.
pub(crate) const FREE: u32 = (1 << (16 - BITS)) - 1;

const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    pub(crate) fn new(numbers: Numbers, or: bool) -> Self {
        Self { proof: numbers.proof, disproof: numbers.disproof, first: 0, count: 0, flags: u16::from(or) }
    }

    /// A solved leaf.
    #[inline(always)]
    pub(crate) fn solved(value: bool, note: u32) -> Self {
        let mut node = Self::new(Numbers::of(value), false);
        node.set_note(note);
        node
    }

    /// Of a solved node, where answers are shared ([`super::solved`]): if the answer may rest on a repetition, the highest place on the path that it goes back to, or [`FREE`]; else the height of the proof.
    #[inline(always)]
    pub(crate) fn note(&self) -> u32 {
        u32::from(self.flags >> BITS)
    }

    #[inline(always)]
    pub(crate) fn set_note(&mut self, note: u32) {
        self.flags = self.flags & (OR | BUSY) | (note.min(FREE) as u16) << BITS;
    }

    #[inline(always)]
    pub(crate) fn numbers(&self) -> Numbers {
        Numbers { proof: self.proof, disproof: self.disproof }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, numbers: Numbers) {
        (self.proof, self.disproof) = (numbers.proof, numbers.disproof);
    }

    #[inline(always)]
    pub(crate) fn or(&self) -> bool {
        self.flags & OR != 0
    }

    #[inline(always)]
    pub(crate) fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }
}

/// A tree that never outgrows the memory that was set aside for it.
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    capacity: usize,
    /// Blocks that were given back, by their length.
    free: Vec<Vec<u32>>,
    stored: usize,
}

/// There is no room for more nodes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Tree {
    /// A tree of at most so many nodes; none if the machine cannot promise the memory. Memory is used as the tree grows.
    pub(crate) fn new(capacity: usize) -> Option<Self> {
        let capacity = capacity.min(u32::MAX as usize);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(capacity).ok()?;
        Some(Self { nodes, capacity, free: Vec::new(), stored: 0 })
    }

    /// No tree at all, and no memory for one.
    pub(crate) const EMPTY: Self = Self { nodes: Vec::new(), capacity: 0, free: Vec::new(), stored: 0 };

    /// The number of nodes in the tree.
    #[inline(always)]
    pub(crate) fn stored(&self) -> usize {
        self.stored
    }

    pub(crate) fn root(&self) -> Node {
        self.nodes[0]
    }

    /// A tree of one node.
    pub(crate) fn plant(&mut self, root: Node) {
        self.nodes.clear();
        self.free.clear();
        self.nodes.push(root);
        self.stored = 1;
    }

    /// The tree of nodes that were saved; none if there are too many of them.
    pub(crate) fn restored(mut nodes: Vec<Node>, capacity: usize) -> Option<Self> {
        let capacity = capacity.min(u32::MAX as usize);
        nodes.try_reserve_exact(capacity.checked_sub(nodes.len())?).ok()?;
        let stored = nodes.len();
        // whoever worked on a leaf does so no more
        for node in &mut nodes {
            node.flags &= !BUSY;
        }
        Some(Self { nodes, capacity, free: Vec::new(), stored })
    }

    /// All nodes without the blocks that were given back, the root first.
    pub(crate) fn packed(&self) -> Cow<'_, [Node]> {
        if self.free.is_empty() {
            return Cow::Borrowed(&self.nodes);
        }
        let mut packed = Vec::with_capacity(self.stored);
        packed.push(self.nodes[0]);
        let mut at = 0;
        while at < packed.len() {
            let block = packed[at].children();
            if !block.is_empty() {
                packed[at].first = packed.len() as u32;
                packed.extend_from_slice(&self.nodes[block]);
            }
            at += 1;
        }
        Cow::Owned(packed)
    }

    /// Whether so many more nodes fit in at the end.
    pub(crate) fn has_room(&self, count: usize) -> bool {
        self.nodes.len() + count <= self.capacity
    }

    /// How many nodes it has memory for.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Sets memory for so many more nodes aside; says whether the machine could promise it.
    pub(crate) fn extend(&mut self, count: usize) -> bool {
        let capacity = self.capacity + count;
        let room = self.nodes.try_reserve_exact(capacity - self.nodes.len()).is_ok();
        if room {
            self.capacity = capacity;
        }
        room
    }

    /// The number of nodes of the tree below a node, with itself.
    pub(crate) fn size(&self, node: usize) -> usize {
        let (mut size, mut waiting) = (1, vec![node]);
        while let Some(node) = waiting.pop() {
            let block = self.nodes[node].children();
            size += block.len();
            waiting.extend(block.filter(|&child| self.nodes[child].count > 0));
        }
        size
    }

    /// Gives a leaf what lies below a node of another tree, and below nodes there that are wanted. `copied` is told the places there, in the order in which they come here if nothing was ever given back.
    pub(crate) fn graft(
        &mut self,
        leaf: usize,
        from: &Self,
        node: usize,
        wanted: impl Fn(&Node) -> bool,
        mut copied: impl FnMut(std::ops::Range<usize>),
    ) -> Result<(), Full> {
        let mut waiting = vec![(leaf, node)];
        while let Some((leaf, node)) = waiting.pop() {
            let theirs = from.nodes[node].children();
            let block = self.grow(leaf, theirs.len())?;
            copied(theirs.clone());
            for (place, child) in block.zip(theirs) {
                let node = from.nodes[child];
                self.nodes[place] = Node { first: 0, count: 0, ..node };
                if node.count > 0 && wanted(&node) {
                    waiting.push((place, child));
                }
            }
        }
        Ok(())
    }

    /// Room for the children of a node, which the caller fills.
    #[inline(always)]
    pub(crate) fn grow(&mut self, node: usize, count: usize) -> Result<std::ops::Range<usize>, Full> {
        let first = if let Some(first) = self.free.get_mut(count).and_then(Vec::pop) {
            first as usize
        } else {
            let first = self.nodes.len();
            if first + count > self.capacity {
                return Err(Full);
            }
            self.nodes.resize(first + count, Node::zeroed());
            first
        };
        self.stored += count;
        self.nodes[node].first = first as u32;
        self.nodes[node].count = count as u16;
        Ok(first..first + count)
    }

    /// Gives back everything below a node.
    pub(crate) fn prune(&mut self, node: usize) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            let block = self.nodes[node].children();
            if block.is_empty() {
                continue;
            }
            waiting.extend(block.clone());
            let count = block.len();
            if self.free.len() <= count {
                self.free.resize(count + 1, Vec::new());
            }
            self.free[count].push(block.start as u32);
            self.stored -= count;
            (self.nodes[node].first, self.nodes[node].count) = (0, 0);
        }
    }

    /// The numbers of an inner node from those of its children.
    #[inline(always)]
    pub(crate) fn numbers_of(&self, node: usize) -> Numbers {
        let node = &self.nodes[node];
        let children = &self.nodes[node.children()];
        let (mut least, mut total, mut infinite) = (INFINITE, 0, false);
        if node.or() {
            for child in children {
                least = least.min(child.proof);
                total += u64::from(child.disproof);
                infinite |= child.disproof == INFINITE;
            }
            Numbers { proof: least, disproof: sum(total, infinite) }
        } else {
            for child in children {
                least = least.min(child.disproof);
                total += u64::from(child.proof);
                infinite |= child.proof == INFINITE;
            }
            Numbers { proof: sum(total, infinite), disproof: least }
        }
    }

    /// Notes what the answer of a node, which its children have solved, rests on, or how tall its proof is. It lies at a place of the path.
    pub(crate) fn conclude(&mut self, node: usize, value: bool, repeats: bool, place: usize) {
        let this = self.nodes[node];
        let solved = self.nodes[this.children()].iter().filter(|child| child.numbers().solved() == Some(value));
        let notes = solved.map(Node::note);
        let one = this.or() == value;
        let note = if repeats {
            // where one move is enough, the one that rests on least
            let rests = if one { notes.max() } else { notes.min() }.unwrap_or(0);
            // what goes back to this node or to one below it is complete here; a place that a note cannot hold lies below those that it can
            if rests == FREE || rests as usize >= place { FREE } else { rests }
        } else {
            1 + if one { notes.min() } else { notes.max() }.unwrap_or(0)
        };
        self.nodes[node].set_note(note);
    }

    /// The child that the most-proving node is below: the first one with the number that the node has from it.
    #[inline(always)]
    pub(crate) fn most_proving(&self, node: usize) -> usize {
        let node = &self.nodes[node];
        let block = node.children();
        let children = &self.nodes[block.clone()];
        let found = if node.or() {
            children.iter().position(|child| child.proof == node.proof)
        } else {
            children.iter().position(|child| child.disproof == node.disproof)
        };
        block.start + found.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(proof: u32, disproof: u32) -> Node {
        Node::new(Numbers { proof, disproof }, false)
    }

    #[test]
    fn an_or_node_has_the_least_proof_number_and_the_sum_of_the_disproof_numbers() {
        let mut tree = Tree::new(10).unwrap();
        tree.plant(Node::new(Numbers { proof: 1, disproof: 1 }, true));
        let block = tree.grow(0, 3).unwrap();
        for (node, numbers) in block.zip([(3, 4), (2, 7), (INFINITE, 0)]) {
            tree.nodes[node] = leaf(numbers.0, numbers.1);
        }
        assert_eq!(tree.numbers_of(0), Numbers { proof: 2, disproof: 11 });
        tree.nodes[0].set(Numbers { proof: 2, disproof: 11 });
        assert_eq!(tree.most_proving(0), 2);
        tree.nodes[3] = leaf(0, INFINITE);
        assert_eq!(tree.numbers_of(0), Numbers::PROVEN);
    }

    #[test]
    fn sums_stay_finite_as_long_as_nothing_is_settled() {
        let mut tree = Tree::new(10).unwrap();
        tree.plant(Node::new(Numbers { proof: 1, disproof: 1 }, false));
        for node in tree.grow(0, 2).unwrap() {
            tree.nodes[node] = leaf(INFINITE - 1, INFINITE - 1);
        }
        assert_eq!(tree.numbers_of(0), Numbers { proof: INFINITE - 1, disproof: INFINITE - 1 });
    }

    #[test]
    fn what_is_pruned_makes_room() {
        let mut tree = Tree::new(7).unwrap();
        tree.plant(leaf(1, 1));
        tree.grow(0, 3).unwrap();
        tree.grow(1, 3).unwrap();
        assert_eq!(tree.grow(2, 3), Err(Full));
        tree.prune(1);
        assert_eq!(tree.stored(), 4);
        assert!(tree.grow(2, 3).is_ok());
        assert_eq!(tree.grow(3, 1), Err(Full));
    }
}
