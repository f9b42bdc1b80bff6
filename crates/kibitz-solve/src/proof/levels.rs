//! The search of a question with trees: one level or two; one level with several threads is in [`regions`](super::regions).

use super::Provable;
use super::best_first::{End, Search};
use super::kernel::kernel_of;
use super::solve::{Refused, Searched, Solver, Work, not_supported};
use super::together::{Rest, together};
use super::trace::trace;
use super::tree::{Node, Tree};
use super::two_level::{self, SecondLevel};
use super::watch::{Watch, Whole};

/// A position of this size is kept beside its node, which then has 32 bytes; others are played again.
const SMALL: usize = 16;

/// What a tree says at the end of a search.
pub(super) fn searched(tree: &Tree, end: End) -> Searched {
    let numbers = tree.root().numbers();
    let kept = numbers.solved().map_or_else(Vec::new, |value| kernel_of(tree, value));
    let root = tree.root();
    let leading = (root.count > 0).then(|| tree.most_proving(0) - root.first as usize);
    Searched { end, numbers, stored: tree.stored(), kept, leading }
}

impl Solver {
    /// How many nodes of a size fit into the memory.
    fn capacity(&self, each: usize, watch: &Watch<'_, '_>) -> usize {
        // a tree with gaps is copied before it is saved
        let copies = if self.delete_solved && watch.checkpoint.is_some() { 2 } else { 1 };
        self.tree_bytes() / each / copies
    }

    pub(super) fn one_level<G: Provable>(&self, work: &mut Work<'_, '_, '_, G>) -> Result<Searched, Refused> {
        let small = size_of::<G::Position>() <= SMALL && !G::SLOW;
        let each = size_of::<Node>() + if small { size_of::<G::Position>() } else { 0 };
        let mut search = self.planted(work, self.capacity(each, work.watch), small)?;
        let Work { path, budget, watch, .. } = work;
        let end = loop {
            if search.tree.root().numbers().solved().is_some() {
                break End::Solved;
            }
            let until = budget.nodes + 4096;
            let end = search.run(usize::MAX, until, path, budget);
            watch.probes = search.probes;
            match end {
                End::Size => watch.look(budget.nodes, &Whole::Tree(&search.tree))?,
                end => break end,
            }
        };
        search.leave(path);
        watch.finish(budget.nodes, &Whole::Tree(&search.tree))?;
        work.trace = trace(work.question, work.position, &search.tree, self.trace);
        Ok(searched(&search.tree, end))
    }

    pub(super) fn two_levels<G: Provable>(
        &self,
        work: &mut Work<'_, '_, '_, G>,
        rule: SecondLevel,
    ) -> Result<Searched, Refused> {
        let capacity = self.capacity(2 * size_of::<Node>() + work.question.game.position_bytes(), work.watch);
        let mut first = self.planted(work, capacity, false)?;
        let mut second = self.second(work, capacity)?;
        let Work { path, budget, watch, .. } = work;
        // what a second level has made when it is cut short is lost: the one who goes on makes it again
        let mut complete = budget.nodes;
        let end = loop {
            if first.tree.root().numbers().solved().is_some() {
                break End::Solved;
            }
            let end = two_level::step(&mut first, &mut second, rule, path, budget);
            if matches!(end, End::Size | End::Solved) {
                (complete, watch.probes) = (budget.nodes, second.probes);
            }
            match end {
                End::Size => watch.look(budget.nodes, &Whole::Tree(&first.tree))?,
                End::Solved => (),
                end => break end,
            }
        };
        first.leave(path);
        watch.finish(complete, &Whole::Tree(&first.tree))?;
        watch.probes = second.probes;
        work.trace = trace(work.question, work.position, &first.tree, self.trace);
        Ok(searched(&first.tree, end))
    }

    /// PN² with several second levels at once.
    pub(super) fn shared_levels<G: Provable>(
        &self,
        work: &mut Work<'_, '_, '_, G>,
        rule: SecondLevel,
    ) -> Result<Searched, Refused> {
        let own = size_of::<Node>() + work.question.game.position_bytes();
        let capacity = self.capacity((1 + self.threads) * own, work.watch);
        let first = self.planted(work, capacity, true)?;
        let seconds = (0..self.threads).map(|_| self.second(work, capacity));
        let seconds: Vec<_> = seconds.collect::<Result<_, _>>()?;
        let (end, first) = together(work, first, seconds, |size| rule.size(size), Rest::Nothing)?;
        work.watch.finish(work.budget.nodes, &Whole::Tree(&first.tree))?;
        Ok(searched(&first.tree, end))
    }

    /// A search that stands at the root of a new tree, or of one that was saved.
    fn planted<'a, G: Provable>(
        &self,
        work: &mut Work<'a, '_, '_, G>,
        capacity: usize,
        keep: bool,
    ) -> Result<Search<'a, G>, Refused> {
        let saved = std::mem::take(&mut work.saved);
        if saved.is_empty() {
            let tree = Tree::new(capacity).ok_or_else(|| self.no_memory())?;
            let positions = if keep { Some(self.positions(capacity)?) } else { None };
            let mut search = Search::new(work.question, self.leaf, self.delete_solved, tree, positions);
            search.solved = work.solved();
            search.plant(work.position);
            work.budget.add(1);
            return Ok(search);
        }
        let too_small = || not_supported("the tree of the checkpoint does not fit into memory_mb: give it more");
        let tree = Tree::restored(saved, capacity).ok_or_else(too_small)?;
        let mut search = Search::new(work.question, self.leaf, self.delete_solved, tree, None);
        search.solved = work.solved();
        search.stand(work.position);
        Ok(search)
    }

    fn second<'a, G: Provable>(&self, work: &Work<'a, '_, '_, G>, capacity: usize) -> Result<Search<'a, G>, Refused> {
        let tree = Tree::new(capacity).ok_or_else(|| self.no_memory())?;
        let mut search = Search::new(work.question, self.leaf, false, tree, Some(self.positions(capacity)?));
        search.solved = work.solved();
        Ok(search)
    }

    pub(super) fn positions<P>(&self, capacity: usize) -> Result<Vec<P>, Refused> {
        let mut positions = Vec::new();
        positions.try_reserve_exact(capacity).map_err(|_| self.no_memory())?;
        Ok(positions)
    }
}
