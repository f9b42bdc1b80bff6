//! Proof-number search of one tree with several threads.
//!
//! The top of the tree, its *crown*, is shared; below each leaf of it lies a *region*, a tree that one thread at a time goes on with. A look at the most-proving leaf of the
//! crown continues its region for some hundred nodes, writes the numbers of its root back to the leaf and lays it down: nothing is searched twice, and what the search does
//! within a look is what one thread would do if it did not see the others. A region that has become large is split, its upper nodes become part of the crown, so that
//! there is always work in many places. In the end all are put together.

use std::borrow::Borrow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kibitz_game::Budget;
use rustc_hash::FxHashMap;

use super::Provable;
use super::best_first::{End, Search};
use super::levels::searched;
use super::path::Path;
use super::question::Question;
use super::solve::{Refused, Searched, Solver, Work, not_supported};
use super::together::{Deeper, Rest, together};
use super::tree::{Full, Node, Tree};
use super::watch::Whole;

/// The nodes of a look: enough for the crown to take little time, few enough for the search to stay near the most-proving node.
const LOOK: usize = 500;

/// The nodes of a region that is split.
const SPLIT: usize = 20_000;

/// The part of the memory that the crown gets.
const CROWN: usize = 16;

/// A tree below a leaf of the crown.
struct Region<P> {
    tree: Tree,
    positions: Vec<P>,
}

impl<P: Clone> Region<P> {
    /// The part below a node, with itself, which has so many nodes; none if the machine has no memory.
    fn part(&self, node: usize, size: usize) -> Option<Self> {
        let mut tree = Tree::new(size)?;
        let mut positions = Vec::new();
        positions.try_reserve_exact(size).ok()?;
        tree.plant(Node { first: 0, count: 0, ..self.tree.nodes[node] });
        positions.push(self.positions[node].clone());
        let copied = |block| positions.extend_from_slice(&self.positions[block]);
        tree.graft(0, &self.tree, node, |_| true, copied).ok()?;
        Some(Self { tree, positions })
    }

    /// The tree of nodes that were saved, in which parents come before their children; none if they are not of this game.
    fn restored<G: Provable<Position = P>>(question: &Question<'_, G>, root: &P, tree: Tree) -> Option<Self> {
        let (mut moves, mut list) = (Vec::new(), Vec::new());
        let mut positions = Vec::new();
        positions.try_reserve_exact(tree.capacity()).ok()?;
        positions.resize(tree.nodes.len(), root.clone());
        for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.count > 0) {
            list.clear();
            question.successors(&positions[at], &mut moves, &mut list);
            if list.len() != usize::from(node.count) || node.first as usize <= at {
                return None;
            }
            positions[node.children()].clone_from_slice(&list);
        }
        Some(Self { tree, positions })
    }
}

/// All regions that nobody works on, by their leaf, and the nodes that there is memory for.
struct Regions<P> {
    places: Mutex<FxHashMap<usize, Region<P>>>,
    all: usize,
    left: AtomicUsize,
}

impl<P: Clone> Regions<P> {
    fn new(all: usize) -> Self {
        Self { places: Mutex::new(FxHashMap::default()), all, left: AtomicUsize::new(all) }
    }

    fn places(&self) -> MutexGuard<'_, FxHashMap<usize, Region<P>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes memory for so many nodes, if there is so much.
    fn claim(&self, count: usize) -> bool {
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count)).is_ok()
    }

    fn give_back(&self, count: usize) {
        self.left.fetch_add(count, Ordering::Relaxed);
    }

    /// The nodes that were taken.
    fn claimed(&self) -> usize {
        self.all - self.left.load(Ordering::Relaxed)
    }

    /// Puts a region below a leaf of the crown, split if it is large for a search of so many nodes and there is memory for it.
    fn put<G: Provable<Position = P>>(&self, crown: &mut Search<'_, G>, leaf: usize, region: Region<P>, of: usize) {
        // in a small search small ones are split, so that soon there is work for all
        let most = (of / 64).clamp(LOOK, SPLIT);
        let (size, root) = (region.tree.stored(), region.tree.root());
        let worth_while = size > most && root.numbers().solved().is_none();
        if !worth_while || !crown.tree.has_room(root.count.into()) || !self.claim(size) {
            self.places().insert(leaf, region);
            return;
        }
        let mut kept = 0;
        let mut waiting = vec![(leaf, 0)];
        while let Some((leaf, node)) = waiting.pop() {
            let top = region.tree.nodes[node];
            if top.count == 0 {
                continue;
            }
            let (size, solved) = (region.tree.size(node), top.numbers().solved().is_some());
            let children = region.tree.nodes[top.children()].iter().copied();
            let children = children.zip(region.positions[top.children()].iter().cloned());
            // a long line of single moves is not worth a split each
            if (node == 0 || (size > most / 2 && !solved)) && crown.attach(leaf, top.numbers(), children).is_ok() {
                waiting.extend(crown.tree.nodes[leaf].children().zip(top.children()));
            } else if let Some(part) = region.part(node, size) {
                // a leaf whose part finds no memory is searched again
                kept += size;
                self.places().insert(leaf, part);
            }
        }
        self.give_back(size - kept + region.tree.capacity());
    }

    /// Drops everything below a node of the crown.
    fn drop_below(&self, crown: &Tree, node: usize) {
        let mut places = self.places();
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if let Some(region) = places.remove(&node) {
                self.give_back(region.tree.capacity());
            }
            waiting.extend(crown.nodes[node].children());
        }
    }
}

/// The crown with its regions, of so many nodes, in one tree, less what lies below nodes that nobody wants; none if the machine has no memory.
fn assembled<P: Clone, R: Borrow<Region<P>>>(
    crown: &Tree,
    stored: usize,
    regions: impl Iterator<Item = (usize, R)>,
    wanted: impl Fn(&Node) -> bool,
) -> Option<Tree> {
    let mut nodes = Vec::new();
    nodes.try_reserve_exact(crown.stored() + stored).ok()?;
    nodes.extend_from_slice(&crown.nodes);
    let mut tree = Tree::restored(nodes, crown.stored() + stored)?;
    for (leaf, region) in regions {
        let region = &region.borrow().tree;
        // a leaf that was solved elsewhere has nothing below it that says why
        let same = region.root().numbers().solved() == tree.nodes[leaf].numbers().solved();
        // the moves of the root are asked for
        if region.root().count > 0 && (leaf == 0 || (same && wanted(&region.root()))) {
            tree.graft(leaf, region, 0, &wanted, |_| ()).ok()?;
        }
    }
    Some(tree)
}

/// The nodes of all regions; their roots are leaves of the crown.
fn stored<P>(regions: &FxHashMap<usize, Region<P>>) -> usize {
    regions.values().map(|region| region.tree.stored() - 1).sum()
}

/// A thread, which works on one region after the other.
struct Worker<'a, G: Provable> {
    search: Search<'a, G>,
    regions: &'a Regions<G::Position>,
    /// Whether what lies below solved nodes is given back.
    prune: bool,
}

impl<G: Provable> Worker<'_, G> {
    /// More memory for the region in hand.
    fn extend(&mut self) -> bool {
        // an eighth, so that little lies idle and little is copied
        let more = (self.search.tree.capacity() / 8).max(128);
        let claimed = self.regions.claim(more);
        let extended = claimed && self.search.extend(more);
        if claimed && !extended {
            self.regions.give_back(more);
        }
        extended
    }

    /// Lays the region in hand down.
    fn lay_down(&mut self) -> Region<G::Position> {
        let mut region = Region { tree: Tree::EMPTY, positions: Vec::new() };
        self.search.exchange(&mut region.tree, &mut region.positions);
        region
    }
}

impl<G: Provable> Deeper<G> for Worker<'_, G> {
    fn look(
        &mut self,
        leaf: usize,
        position: &G::Position,
        most: usize,
        path: &mut Path,
        budget: &mut Budget<'_>,
    ) -> End {
        let (begun, until) = (budget.nodes, budget.nodes + most as u64);
        let found = self.regions.places().remove(&leaf);
        if let Some(mut region) = found {
            self.search.exchange(&mut region.tree, &mut region.positions);
            self.search.stand(position);
        } else if self.extend() {
            self.search.plant(position);
        } else {
            return End::Memory;
        }
        let end = loop {
            let end = self.search.run(usize::MAX, until, path, budget);
            if end != End::Memory || self.search.question.odd() || !self.extend() {
                break end;
            }
        };
        self.search.leave(path);
        if end == End::Memory && budget.nodes == begun {
            let region = self.lay_down();
            self.regions.places().insert(leaf, region);
            return end;
        }
        // whatever ended it, the numbers are those of the nodes that there are
        if end == End::Solved { end } else { End::Size }
    }

    fn found(&self) -> Node {
        self.search.tree.root()
    }

    fn probes(&self) -> u64 {
        self.search.probes
    }

    fn hang(&mut self, first: &mut Search<'_, G>, leaf: usize) -> Result<(), Full> {
        let region = self.lay_down();
        self.regions.put(first, leaf, region, self.regions.claimed());
        Ok(())
    }

    fn solved(&mut self, crown: &Tree, node: usize) {
        // the moves of the root stay: one of them is the answer
        if self.prune && node != 0 {
            self.regions.drop_below(crown, node);
        }
    }
}

impl Solver {
    /// Proof-number search with several threads.
    pub(super) fn shared_tree<G: Provable>(&self, work: &mut Work<'_, '_, '_, G>) -> Result<Searched, Refused> {
        let question = work.question;
        // what is saved is copied, and so is what was saved
        let copies = if work.watch.checkpoint.is_some() { 2 } else { 1 };
        let each = size_of::<Node>() + question.game.position_bytes();
        let all = (self.tree_bytes() / each / copies).min(u32::MAX as usize);
        let tree = Tree::new(all / CROWN).ok_or_else(|| self.no_memory())?;
        let positions = self.positions(all / CROWN)?;
        let mut crown = Search::new(question, self.leaf, false, tree, Some(positions));
        let solved = work.solved();
        crown.solved = solved;
        let regions = Regions::new(all - all / CROWN);
        self.begin(work, &mut crown, &regions)?;
        let worker = |_| {
            let mut search = Search::new(question, self.leaf, self.delete_solved, Tree::EMPTY, Some(Vec::new()));
            search.solved = solved;
            Worker { search, regions: &regions, prune: self.delete_solved }
        };
        let workers = (0..self.threads).map(worker).collect();
        let complete = |crown: &Tree| {
            let places = regions.places();
            assembled(crown, stored(&places), places.iter().map(|(&leaf, region)| (leaf, region)), |_| true)
        };
        let (end, crown) = together(work, crown, workers, |_| LOOK, Rest::Trees(&complete))?;
        let places = std::mem::take(&mut *regions.places());
        let (stored, value) = (stored(&places), crown.tree.root().numbers().solved());
        // there is memory for all of it only if there is some for saving it; a proof needs what has its value
        let saved = work.watch.checkpoint.is_some() && value.is_none();
        let wanted = |node: &Node| saved || (value.is_some() && node.numbers().solved() == value);
        let tree = assembled(&crown.tree, stored, places.into_iter(), wanted).ok_or_else(|| self.no_memory())?;
        work.watch.finish(work.budget.nodes, &Whole::Tree(&tree))?;
        Ok(Searched { stored: crown.tree.stored() + stored, ..searched(&tree, end) })
    }

    /// The crown is the root, or the top of a tree that was saved.
    fn begin<G: Provable>(
        &self,
        work: &mut Work<'_, '_, '_, G>,
        crown: &mut Search<'_, G>,
        regions: &Regions<G::Position>,
    ) -> Result<(), Refused> {
        let saved = std::mem::take(&mut work.saved);
        crown.plant(work.position);
        let Some(&root) = saved.first() else {
            work.budget.add(1);
            return Ok(());
        };
        crown.tree.nodes[0].set(root.numbers());
        let size = saved.len();
        let tree = Tree::restored(saved, size).ok_or_else(|| self.no_memory())?;
        if !regions.claim(size) {
            return Err(not_supported("the tree of the checkpoint does not fit into memory_mb: give it more"));
        }
        let other = || not_supported("the tree of the checkpoint is of another game");
        let region = Region::restored(work.question, work.position, tree).ok_or_else(other)?;
        // there is memory for a copy beside that for regions
        regions.give_back(size);
        regions.put(crown, 0, region, size);
        regions.claim(size);
        Ok(())
    }
}
