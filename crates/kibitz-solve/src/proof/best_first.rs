//! Proof-number search of one tree.
//!
//! The tree is a real tree: no two nodes are ever taken for one, and a repetition is judged on the path to it. So there is no graph-history interaction.

use kibitz_game::Budget;

use super::Provable;
use super::numbers::{LeafNumbers, Numbers};
use super::path::Path;
use super::question::{Leaf, Question};
use super::solved::Solved;
use super::tree::{FREE, Full, Node, Tree};

/// Why a search of one tree has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The root is proven or disproven.
    Solved,
    /// The tree has as many nodes as it may have, or it is time for a look at it.
    Size,
    /// There is no memory for more.
    Memory,
    /// The budget is spent.
    Budget,
}

/// A node on the way from the root to the current one.
struct Level<P> {
    node: usize,
    position: P,
    /// Whether the list of this level has the positions of the children.
    listed: bool,
}

/// The search of one tree.
pub(crate) struct Search<'a, G: Provable> {
    pub(crate) question: &'a Question<'a, G>,
    leaf: LeafNumbers,
    /// Whether what lies below a solved node is given back.
    prune: bool,
    pub(crate) tree: Tree,
    /// The positions of all nodes, where they are kept. A second level keeps them: it is small and made again and again.
    positions: Option<Vec<G::Position>>,
    line: Vec<Level<G::Position>>,
    /// The positions of the children of each level of the line.
    lists: Vec<Vec<G::Position>>,
    moves: Vec<G::Move>,
    /// Answers that hold wherever their position comes up, if they are shared.
    pub(crate) solved: Option<Solved<'a>>,
    /// How many positions the database knew.
    pub(crate) probes: u64,
}

impl<'a, G: Provable> Search<'a, G> {
    pub(crate) fn new(
        question: &'a Question<'a, G>,
        leaf: LeafNumbers,
        prune: bool,
        tree: Tree,
        positions: Option<Vec<G::Position>>,
    ) -> Self {
        let (line, lists, moves) = (Vec::new(), Vec::new(), Vec::new());
        Self { question, leaf, prune, tree, positions, line, lists, moves, solved: None, probes: 0 }
    }

    /// Begins a tree of one node. The path ends with its key.
    pub(crate) fn plant(&mut self, root: &G::Position) {
        let or = self.question.or(root);
        let numbers = self.leaf.of(self.question, root, or, &mut self.moves);
        self.tree.plant(Node::new(numbers, or));
        if let Some(positions) = &mut self.positions {
            positions.clear();
            positions.push(root.clone());
        }
        self.stand(root);
    }

    /// Begins at the root of a tree that is there already.
    pub(crate) fn stand(&mut self, root: &G::Position) {
        self.line.clear();
        self.line.push(Level { node: 0, position: root.clone(), listed: false });
    }

    /// The node that the search stands at.
    pub(crate) fn here(&self) -> usize {
        self.line[self.line.len() - 1].node
    }

    /// Its position.
    pub(crate) fn position(&self) -> &G::Position {
        &self.line[self.line.len() - 1].position
    }

    /// The nodes on the way to it, with the keys of their positions where answers are shared.
    pub(crate) fn nodes_of_line(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let key = |position| if self.solved.is_some() { self.question.game.key(position) } else { 0 };
        self.line.iter().map(move |level| (level.node, key(&level.position)))
    }

    /// The children of the root with their positions, which are kept here.
    pub(crate) fn below_root(&self) -> impl ExactSizeIterator<Item = (Node, G::Position)> {
        let block = self.tree.root().children();
        let positions = self.positions.as_ref().map_or(&[][..], |positions| &positions[block.clone()]);
        self.tree.nodes[block].iter().copied().zip(positions.iter().cloned())
    }

    /// Gives a leaf the children that a deeper look has found. A solved one needs none, unless it is the root, whose moves are asked for.
    pub(crate) fn attach(
        &mut self,
        leaf: usize,
        numbers: Numbers,
        children: impl ExactSizeIterator<Item = (Node, G::Position)>,
    ) -> Result<(), Full> {
        if numbers.solved().is_some() && leaf != 0 {
            return Ok(());
        }
        let block = self.tree.grow(leaf, children.len())?;
        for (place, (child, position)) in block.zip(children) {
            self.tree.nodes[place] = Node { first: 0, count: 0, ..child };
            if let Some(positions) = &mut self.positions {
                // nothing is given back here, so that places come one after the other
                debug_assert_eq!(positions.len(), place);
                positions.push(position);
            }
        }
        Ok(())
    }

    /// Takes up another tree with its positions and lays this one down.
    pub(crate) fn exchange(&mut self, tree: &mut Tree, positions: &mut Vec<G::Position>) {
        std::mem::swap(&mut self.tree, tree);
        std::mem::swap(self.positions.get_or_insert_default(), positions);
    }

    /// Sets memory for so many more nodes aside; says whether the machine could promise it.
    pub(crate) fn extend(&mut self, count: usize) -> bool {
        let capacity = self.tree.capacity() + count;
        let positions = self.positions.as_mut();
        positions.is_none_or(|positions| positions.try_reserve_exact(capacity - positions.len()).is_ok())
            && self.tree.extend(count)
    }

    /// Goes back to the root, and takes the keys of the way off the path.
    pub(crate) fn leave(&mut self, path: &mut Path) {
        while self.line.len() > 1 {
            self.up(path);
        }
    }

    #[inline(always)]
    fn up(&mut self, path: &mut Path) {
        self.line.pop();
        path.pop();
    }

    /// Goes down to a child.
    #[inline(always)]
    fn down(&mut self, child: usize, path: &mut Path) {
        let depth = self.line.len() - 1;
        let position = if let Some(positions) = &self.positions {
            positions[child].clone()
        } else {
            if !self.line[depth].listed {
                self.list(depth);
            }
            let first = self.tree.nodes[self.line[depth].node].first as usize;
            self.lists[depth][child - first].clone()
        };
        path.push(self.question.key(&position));
        self.line.push(Level { node: child, position, listed: false });
    }

    /// Makes the list of the positions of the children of a level.
    #[inline(always)]
    fn list(&mut self, depth: usize) {
        if self.lists.len() <= depth {
            self.lists.resize_with(depth + 1, Vec::new);
        }
        self.lists[depth].clear();
        self.question.successors(&self.line[depth].position, &mut self.moves, &mut self.lists[depth]);
        self.line[depth].listed = true;
    }

    /// Goes down to the most-proving node.
    #[inline(always)]
    pub(crate) fn select(&mut self, path: &mut Path) {
        loop {
            let node = self.here();
            if self.tree.nodes[node].count == 0 {
                return;
            }
            self.down(self.tree.most_proving(node), path);
        }
    }

    /// Makes the children of the leaf that the search stands at, each with what is known about it, and returns their number.
    #[inline(always)]
    pub(crate) fn expand(&mut self, path: &Path) -> Result<usize, Full> {
        let (depth, node) = (self.line.len() - 1, self.here());
        // with all positions kept, one list serves all levels
        let depth = if self.positions.is_some() { self.list_once(depth) } else { self.list_at(depth) };
        let list = &self.lists[depth];
        let count = list.len();
        if count == 0 || count > usize::from(u16::MAX) {
            self.question.refuse();
            return Err(Full);
        }
        let block = self.tree.grow(node, count)?;
        if let Some(positions) = &mut self.positions {
            // blocks that were given back lie anywhere
            if positions.len() < block.end {
                positions.resize(block.end, list[0].clone());
            }
            positions[block.clone()].clone_from_slice(list);
        }
        let question = self.question;
        let at_once = |value| Node::solved(value, self.solved.map_or(0, |solved| solved.at_once(value)));
        for (child, position) in block.zip(list) {
            let made = match question.leaf(position, question.key(position), path) {
                Leaf::Open(or) => Node::new(self.leaf.of(question, position, or, &mut self.moves), or),
                Leaf::Solved(value) => at_once(value),
                Leaf::Known(value) => {
                    self.probes += 1;
                    at_once(value)
                }
                // a place too far down for a note counts as one higher up
                Leaf::Repeated(value, at) => Node::solved(value, (at as u32).min(FREE - 1)),
            };
            self.tree.nodes[child] = made;
        }
        Ok(count)
    }

    fn list_at(&mut self, depth: usize) -> usize {
        self.list(depth);
        depth
    }

    fn list_once(&mut self, depth: usize) -> usize {
        if self.lists.is_empty() {
            self.lists.push(Vec::new());
        }
        self.lists[0].clear();
        self.question.successors(&self.line[depth].position, &mut self.moves, &mut self.lists[0]);
        0
    }

    /// Brings the numbers of the line up to date, from the node that the search stands at, whose children have changed. It ends where a node keeps its
    /// numbers: the most-proving node is below that one.
    #[inline(always)]
    pub(crate) fn update(&mut self, path: &mut Path) {
        let numbers = self.tree.numbers_of(self.here());
        self.settle(numbers, path);
    }

    /// The same for a leaf that is given other numbers.
    #[inline(always)]
    pub(crate) fn settle(&mut self, mut numbers: Numbers, path: &mut Path) {
        loop {
            let node = self.here();
            if self.tree.nodes[node].numbers() == numbers {
                return;
            }
            self.tree.nodes[node].set(numbers);
            if let (Some(solved), Some(value)) = (self.solved, numbers.solved()) {
                let key = self.question.game.key(self.position());
                self.conclude(solved, node, key, value, path.len() - 1);
            }
            if self.line.len() == 1 {
                // the moves of the root stay: one of them is the answer
                return;
            }
            if self.prune && numbers.solved().is_some() {
                self.tree.prune(node);
            }
            self.up(path);
            numbers = self.tree.numbers_of(self.here());
        }
    }

    /// A node at a place of the path is solved, by its children or, if it has none, by an answer with a note.
    fn conclude(&mut self, solved: Solved<'_>, node: usize, key: u64, value: bool, place: usize) {
        let first = match self.tree.nodes[node] {
            Node { count: 0, .. } => return,
            Node { first, .. } => first as usize,
        };
        self.tree.conclude(node, value, solved.repeats(value), place);
        // what was made since the node has children is hardly less than what was made below it
        let nodes = self.tree.nodes.len().saturating_sub(first);
        solved.put(key, &self.tree.nodes[node], value, nodes);
    }

    /// Settles the leaf that the search stands at if its position was solved elsewhere, and says so. The root stays open: its moves are asked for.
    #[inline(always)]
    pub(crate) fn recall(&mut self, path: &mut Path) -> bool {
        let Some(solved) = self.solved.filter(|_| self.line.len() > 1) else { return false };
        let Some((value, note)) = solved.get(self.question.game, self.position()) else { return false };
        let leaf = self.here();
        self.tree.nodes[leaf].set_note(note);
        self.settle(Numbers::of(value), path);
        true
    }

    /// Gives a leaf other numbers, with a note if they solve it, and its ancestors theirs; returns the highest node that is solved. The line begins at the root.
    pub(crate) fn revise(&mut self, line: &[(usize, u64)], found: Node) -> Option<usize> {
        let (&(leaf, _), above) = line.split_last()?;
        self.tree.nodes[leaf].set(found.numbers());
        self.tree.nodes[leaf].set_note(found.note());
        for (place, &(node, key)) in above.iter().enumerate().rev() {
            let numbers = self.tree.numbers_of(node);
            let before = self.tree.nodes[node].numbers().solved();
            self.tree.nodes[node].set(numbers);
            if let (None, Some(solved), Some(value)) = (before, self.solved, numbers.solved()) {
                self.conclude(solved, node, key, value, place);
            }
        }
        line.iter().map(|&(node, _)| node).find(|&node| self.tree.nodes[node].numbers().solved().is_some())
    }

    /// Searches until the root is solved, the tree has more than so many nodes or the budget has counted so many, with one expansion at least.
    pub(crate) fn run(&mut self, most: usize, until: u64, path: &mut Path, budget: &mut Budget<'_>) -> End {
        loop {
            self.select(path);
            if self.recall(path) {
                if self.tree.root().numbers().solved().is_some() {
                    return End::Solved;
                }
                continue;
            }
            let Ok(count) = self.expand(path) else { return End::Memory };
            let over = budget.add(count as u64);
            self.update(path);
            if self.tree.root().numbers().solved().is_some() {
                return End::Solved;
            }
            if self.tree.stored() > most || budget.nodes >= until {
                return End::Size;
            }
            if over {
                return End::Budget;
            }
        }
    }
}
