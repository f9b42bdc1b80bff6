//! The memory of a tree: how it grows, and what is given up when there is no more.

use std::sync::atomic::Ordering::Relaxed;

use bytemuck::Zeroable;
use kibitz_game::Pack;

use super::super::cells::{Cell, Part, Real};
use super::super::logarithm::root_of_log;
use super::positions::NOWHERE;
use super::{NO_NODE, Node, ROOT, Slot, Tree};

/// The header of a node that is given up, in the place of its width, while nodes are being moved.
const GIVEN_UP: u32 = u32::MAX;

/// Visits below this have a class of their own when it is decided what to give up; above, a class is a 64th of an octave.
const EXACT: u32 = 1024;
const CLASSES: usize = EXACT as usize + (32 - 10) * 64;

fn class(visits: u32) -> usize {
    if visits < EXACT {
        return visits as usize;
    }
    let octave = visits.ilog2();
    EXACT as usize + ((octave as usize - 10) << 6) + (visits >> (octave - 6)) as usize % 64
}

/// The least number of visits of a class.
fn least(class: usize) -> u32 {
    if class < EXACT as usize {
        return class as u32;
    }
    let (octave, part) = ((class - EXACT as usize) / 64 + 10, (class - EXACT as usize) % 64);
    ((64 + part) << (octave - 6)) as u32
}

impl<P: Clone, M: Pack> Tree<P, M> {
    /// Makes room for as many simulations as are expected, within reason, so that a growing tree is not moved about.
    pub(in super::super) fn expect(&mut self, simulations: u64) {
        if self.shared {
            return self.spread();
        }
        let nodes = (simulations / 2).min(1 << 17) as usize;
        let slots = 4 * nodes;
        if self.cost(nodes, slots) <= self.limit / 4 {
            self.reserve(nodes, slots);
        }
    }

    fn reserve(&mut self, nodes: usize, slots: usize) {
        self.positions.reserve(nodes);
        let more = slots - self.slots.len();
        self.slots.reserve_exact(more);
        self.sum.reserve_exact(more);
        self.moves.reserve_exact(more * Self::PARTS);
        self.sides.all().into_iter().for_each(|side| side.grow(slots));
    }

    /// The bytes of so many nodes with so many slots.
    #[inline(always)]
    pub(super) fn cost(&self, nodes: usize, slots: usize) -> usize {
        let slot = size_of::<Slot>() + size_of::<Real>() + Self::PARTS * size_of::<Part>() + self.side_bytes;
        nodes * self.position_bytes + slots * slot
    }

    /// The memory in use.
    pub(in super::super) fn bytes(&self) -> usize {
        self.cost(self.positions.len(), self.used())
    }

    /// Makes room for so many slots and one more node within the limit.
    ///
    /// Half as much again, until a quarter of the limit is in use; then all that is left. So a tree is never moved when
    /// it and its copy would not fit into the limit together. Memory that was not written to yet costs nothing.
    #[cold]
    pub(super) fn grow(&mut self, slots: usize) -> bool {
        let enough = |nodes: usize, room: usize| room >= slots && nodes > self.positions.len();
        let (nodes, room) = (self.positions.capacity().max(64), self.slots.capacity().max(slots + 512));
        let mut wanted = (nodes + nodes / 2, room + room / 2);
        if self.cost(wanted.0, wanted.1) > self.limit / 4 && !self.is_empty() {
            // as many of both as there are now, in proportion, and what is allocated already
            let (nodes, slots) = (self.positions.len() + 1, slots + 512);
            let times = self.limit as f64 / self.cost(nodes, slots) as f64;
            let scaled = |count: usize| (count as f64 * times) as usize;
            wanted.0 = scaled(nodes).max(self.positions.capacity());
            wanted.1 = self.limit.saturating_sub(self.cost(wanted.0, 0)) / self.cost(0, 1);
            if wanted.1 < self.slots.capacity() {
                wanted.1 = self.slots.capacity();
                wanted.0 = self.limit.saturating_sub(self.cost(0, wanted.1)) / self.position_bytes.max(1);
            }
        }
        let fits = self.cost(wanted.0, wanted.1) <= self.limit && wanted.0.max(wanted.1) < u32::MAX as usize;
        if enough(wanted.0, wanted.1) && (fits || self.is_empty()) {
            self.reserve(wanted.0, wanted.1);
            return true;
        }
        self.full.store(true, Relaxed);
        false
    }

    /// Makes all slots that a shared tree will ever have: it cannot grow while others work on it, and memory that was not
    /// written to yet costs nothing.
    fn spread(&mut self) {
        let mut slots = (self.limit / self.cost(0, 1)).clamp(1 << 12, u32::MAX as usize);
        while !self.spread_to(slots) {
            // the system does not have what the user allows
            slots /= 2;
        }
        // a node has an edge at least; some places stay empty
        self.positions.reserve(slots / 2 + (1 << 16));
    }

    fn spread_to(&mut self, slots: usize) -> bool {
        let (Ok(edges), Ok(sum), Ok(moves)) = (
            bytemuck::try_zeroed_vec(slots),
            bytemuck::try_zeroed_vec(slots),
            bytemuck::try_zeroed_vec(slots * Self::PARTS),
        ) else {
            return false;
        };
        (self.slots, self.sum, self.moves) = (edges, sum, moves);
        self.sides.all().into_iter().all(|side| side.spread(slots))
    }

    /// Whether a node found no room, and room could be made.
    #[inline(always)]
    pub(in super::super) fn wants_room(&self) -> bool {
        self.full.load(Relaxed) && !self.exhausted
    }

    /// Makes room while nobody else works on the tree: the least visited nodes are given up.
    #[cold]
    pub(in super::super) fn make_room(&mut self) {
        self.exhausted = !self.recycle();
    }

    /// Begins another search with what is left.
    pub(in super::super) fn begin_again(&mut self) {
        self.full.store(false, Relaxed);
        self.exhausted = false;
        self.recycled = 0;
        self.reused = true;
    }

    /// Gives up the least visited nodes so that about half of the slots are free. The edges that led to them keep
    /// their statistics, and a node comes back when its edge is followed again (after Powley, Cowling and Whitehouse 2017,
    /// who recycle one node at a time, the one that was not used for the longest time). Returns whether it was worth
    /// while.
    pub(in super::super) fn recycle(&mut self) -> bool {
        let before = self.used();
        let mut sizes = vec![0usize; CLASSES];
        self.each_node(|tree, node| {
            for slot in tree.slots(node + 1, tree.node(node).count) {
                if let Some(child) = slot.child() {
                    sizes[class(slot.visits())] += 1 + tree.node(child).count as usize;
                }
            }
        });
        let mut kept = 0;
        let fits = |&class: &usize| {
            kept += sizes[class];
            kept <= before / 2
        };
        let lowest = (0..CLASSES).rev().take_while(fits).last().unwrap_or(CLASSES - 1);
        self.retain(ROOT, least(lowest).max(1));
        self.recycled += 1;
        let enough = self.used() <= before - before / 8;
        self.full.store(!enough, Relaxed);
        enough
    }

    /// Calls for every node, parents first.
    fn each_node(&self, mut visit: impl FnMut(&Self, u32)) {
        let mut node = ROOT;
        while (node as usize) < self.used() {
            visit(self, node);
            node += 1 + self.node(node).count;
        }
    }

    /// Makes a node the root, and keeps of its subtree the nodes whose edges have been followed `least` times or more.
    pub(in super::super) fn retain(&mut self, root: u32, least: u32) {
        self.each_node(|tree, node| tree.slots[node as usize].width.set(GIVEN_UP));
        let (mut slots, mut nodes) = (0, 0);
        let mut places = vec![NOWHERE; self.positions.len()];
        let mut node = root;
        let used = self.used();
        while (node as usize) < used {
            let Node { count, position, .. } = self.node(node);
            // a parent comes before its children, so it has said already where the edge that leads here is now
            let above = self.slots[node as usize].width.get();
            if node == root || above != GIVEN_UP {
                self.slide(node as usize, slots, 1 + count as usize);
                let here = &self.slots[slots];
                places[position as usize] = nodes;
                here.mean.set(nodes);
                let visits = if node == root {
                    self.root_visits.get()
                } else {
                    let edge = &self.slots[above as usize];
                    edge.child.set(slots as u32);
                    edge.visits()
                };
                here.width.set(root_of_log(visits).to_bits());
                for edge in slots + 1..=slots + count as usize {
                    let Some(child) = self.slots[edge].child() else { continue };
                    if self.slots[edge].visits() >= least {
                        self.slots[child as usize].width.set(edge as u32);
                    } else {
                        self.slots[edge].child.set(NO_NODE);
                    }
                }
                slots += 1 + count as usize;
                nodes += 1;
            }
            node += 1 + count;
        }
        self.positions.arrange(&mut places);
        self.cut(slots);
    }

    /// Moves slots to a lower place.
    fn slide(&mut self, from: usize, to: usize, count: usize) {
        if from == to {
            return;
        }
        for i in 0..count {
            self.slots[to + i] = self.slots[from + i].copy();
            self.sum[to + i] = self.sum[from + i].copy();
        }
        for i in 0..count * Self::PARTS {
            self.moves[to * Self::PARTS + i] = self.moves[from * Self::PARTS + i].copy();
        }
        self.sides.all().into_iter().for_each(|side| side.slide(from, to, count));
    }

    /// Forgets everything from a slot on.
    fn cut(&mut self, slots: usize) {
        let used = self.used();
        self.sides.all().into_iter().for_each(|side| side.clear(slots, used));
        if self.shared {
            self.slots[slots..used].fill_with(Slot::zeroed);
            self.sum[slots..used].fill_with(Real::zeroed);
            self.used.store(slots, Relaxed);
            return;
        }
        self.slots.truncate(slots);
        self.sum.truncate(slots);
        self.moves.truncate(slots * Self::PARTS);
    }

    /// Positions in the tree, the root included: every edge that has been followed leads to one.
    pub(in super::super) fn positions(&self) -> u64 {
        let mut positions = 1;
        self.each_node(|tree, node| {
            let followed = tree.slots(node + 1, tree.node(node).count).iter().filter(|slot| slot.visits() > 0);
            positions += followed.count() as u64;
        });
        positions
    }
}

#[cfg(test)]
mod tests {
    use kibitz_game::{Random, Turn};

    use super::super::tests::sides;
    use super::*;

    #[test]
    fn the_core_of_an_edge_takes_no_more_than_32_bytes() {
        let tree: Tree<u64, u64> = Tree::new(1, 8, sides(false), false);
        assert_eq!(tree.cost(0, 1), 32);
        let tree: Tree<u64, u8> = Tree::new(1, 8, sides(false), false);
        assert_eq!(tree.cost(0, 1), 26);
    }

    #[test]
    fn classes_of_visits_are_in_order_and_know_their_least_member() {
        for visits in (0..200_000).chain([u32::MAX / 2, u32::MAX]) {
            assert!(class(visits) < CLASSES);
            assert!(class(visits) <= class(visits.saturating_add(1)));
            assert_eq!(class(least(class(visits))), class(visits));
            assert!(least(class(visits)) <= visits);
        }
    }

    /// A tree grown by random walks; every node has the text of its path as its position.
    fn grown(walks: u64, shared: bool) -> Tree<String, u16> {
        let mut tree = Tree::new(64, 24, sides(true), shared);
        tree.expect(0);
        let mut random = Random::new(1);
        let add = |tree: &mut Tree<String, u16>, position: &String| {
            let turn = Turn::Player(position.len() as u8 % 2);
            if tree.shared {
                tree.take(position, turn, &[5, 6, 7], &mut (0..0))
            } else {
                tree.push(position, turn, &[5, 6, 7])
            }
        };
        add(&mut tree, &String::new());
        for walk in 0..walks {
            let (mut node, mut visits, mut position) = (ROOT, tree.root_visits.add(1, false), String::new());
            loop {
                let edge = tree.try_edge(node, &mut random).unwrap_or(node + 1 + random.below(3) as u32);
                position.push_str(&tree.mv(edge).to_string());
                visits = tree.credit(node, visits, edge, f64::from(walk as u32 % 3) / 2.0);
                match tree.slot(edge).child() {
                    Some(child) => node = child,
                    None if visits < 2 => break,
                    None => {
                        let child = add(&mut tree, &position);
                        tree.link(edge, child);
                        break;
                    }
                }
            }
        }
        tree
    }

    type Seen = Vec<(String, u32, u64, u64)>;

    /// All edges by their path, with visits and sums, of the part of a tree where `keep` holds for the visits.
    fn seen(tree: &Tree<String, u16>, node: u32, path: &str, least: u32, out: &mut Seen) {
        assert!(tree.position(node).ends_with(path));
        for edge in node + 1..=node + tree.node(node).count {
            let slot = tree.slot(edge);
            let path = format!("{path}{}", tree.mv(edge));
            let squares = tree.sides.squares.at(edge).get().to_bits();
            out.push((path.clone(), slot.visits(), tree.sum(edge).to_bits(), squares));
            if let Some(child) = slot.child().filter(|_| slot.visits() >= least) {
                seen(tree, child, &path, least, out);
            }
        }
    }

    #[test]
    fn what_is_retained_is_unchanged() {
        for shared in [false, true] {
            for least in [1, 5, 40] {
                let mut tree = grown(5000, shared);
                let (mut before, mut after) = (Vec::new(), Vec::new());
                seen(&tree, ROOT, "", least, &mut before);
                tree.retain(ROOT, least);
                seen(&tree, ROOT, "", 0, &mut after);
                assert_eq!(before, after);
                assert_eq!(tree.node(ROOT).root, root_of_log(5000));
            }
        }
    }

    #[test]
    fn a_subtree_becomes_a_tree() {
        for shared in [false, true] {
            let mut tree = grown(5000, shared);
            let (mut before, mut after) = (Vec::new(), Vec::new());
            let edge = (1..=3).find(|&edge| tree.slot(edge).child().is_some()).unwrap();
            seen(&tree, tree.slot(edge).child().unwrap(), "", 0, &mut before);
            let node = tree.slot(edge).child().unwrap();
            tree.retain(node, 0);
            seen(&tree, ROOT, "", 0, &mut after);
            assert_eq!(before, after);
        }
    }

    #[test]
    fn recycling_frees_half_of_the_tree_and_keeps_the_most_visited_nodes() {
        for shared in [false, true] {
            let mut tree = grown(5000, shared);
            let before = tree.used();
            assert!(tree.recycle());
            assert!((before / 8..=before / 2 + 4).contains(&tree.used()), "{} of {before}", tree.used());
            let total: u32 = tree.slots(1, 3).iter().map(Slot::visits).sum();
            assert_eq!(total, 5000);
        }
    }

    #[test]
    fn a_tree_stays_within_its_memory() {
        let mut tree: Tree<u64, u16> = Tree::new(1, 8, sides(true), false);
        while tree.push(&0, Turn::Player(0), &[7; 30]).is_some() {
            assert!(tree.cost(tree.positions.capacity(), tree.slots.capacity()) <= 1 << 20);
        }
        assert!(tree.full.load(Relaxed) && tree.bytes() > 800 << 10, "{}", tree.bytes());
    }
}
