//! The search of a question with a table.

use kibitz_game::Budget;

use super::Provable;
use super::best_first::{End, Search};
use super::depth_first::DepthFirst;
use super::levels::searched;
use super::path::Path;
use super::solve::{Refused, Searched, Solver, Work};
use super::together::{Deeper, Rest, together};
use super::tree::{Full, Node, Tree};
use super::watch::Whole;

/// The nodes of a thread's search before it looks for other work: enough for the tree that threads share to take little time, few enough for them not to lose their way.
const LOOK: usize = 500;

/// The part of the memory that the shared tree gets.
const TREE: usize = 16;

impl Solver {
    pub(super) fn depth_first<G: Provable>(
        &self,
        work: &mut Work<'_, '_, '_, G>,
        epsilon: f64,
    ) -> Result<Searched, Refused> {
        let Some(table) = work.table else { return Err(self.no_memory()) };
        work.budget.add(1);
        if self.threads > 1 {
            return self.share_table(work, epsilon);
        }
        let Work { question, position, path, budget, watch, .. } = work;
        let mut search = DepthFirst::new(question, self.leaf, epsilon, table);
        let look = |nodes, probes, numbers| {
            watch.probes = probes;
            watch.look(nodes, &Whole::Table(numbers))
        };
        let found = search.run(position, path, u64::MAX, budget, look)?;
        watch.probes = search.probes;
        watch.finish(budget.nodes, &Whole::Table(found.numbers))?;
        let leading = Some(found.choice);
        Ok(Searched { end: found.end, numbers: found.numbers, stored: 0, kept: Vec::new(), leading })
    }

    /// The same by several threads with one table, whose answers the proof is gathered from below the leaves of the tree that they share.
    fn share_table<G: Provable>(&self, work: &mut Work<'_, '_, '_, G>, epsilon: f64) -> Result<Searched, Refused> {
        let Some(table) = work.table else { return Err(self.no_memory()) };
        let question = work.question;
        let capacity = (self.memory_mb << 20) / TREE / (size_of::<Node>() + question.game.position_bytes());
        let mut look = LOOK;
        loop {
            let tree = Tree::new(capacity).ok_or_else(|| self.no_memory())?;
            let mut first = Search::new(question, self.leaf, false, tree, Some(self.positions(capacity)?));
            first.plant(work.position);
            let threads = (0..self.threads).map(|_| DepthFirst::new(question, self.leaf, epsilon, table)).collect();
            let (end, first) = together(work, first, threads, |_| look, Rest::Table)?;
            if end == End::Memory {
                // a new tree grows out of what the table knows
                look *= 4;
                continue;
            }
            work.watch.finish(work.budget.nodes, &Whole::Table(first.tree.root().numbers()))?;
            return Ok(searched(&first.tree, end));
        }
    }
}

impl<G: Provable> Deeper<G> for DepthFirst<'_, G> {
    fn look(
        &mut self,
        _leaf: usize,
        position: &G::Position,
        most: usize,
        path: &mut Path,
        budget: &mut Budget<'_>,
    ) -> End {
        let until = budget.nodes + most as u64;
        match self.run(position, path, until, budget, |_, _, _| Ok(())) {
            Ok(found) if found.end == End::Solved => End::Solved,
            _ if budget.over() => End::Budget,
            _ => End::Size,
        }
    }

    fn found(&self) -> Node {
        Node::new(self.numbers_of_root(), false)
    }

    fn probes(&self) -> u64 {
        self.probes
    }

    fn hang(&mut self, first: &mut Search<'_, G>, leaf: usize) -> Result<(), Full> {
        first.attach(leaf, self.numbers_of_root(), self.children_of_root())
    }
}
