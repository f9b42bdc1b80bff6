//! What a solver tells and saves while it works on a question.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::checkpoint::{BadCheckpoint, Checkpoint};
use super::kernel::{Kernel, kernel_of};
use super::numbers::Numbers;
use super::question::AtLeast;
use super::table::Table;
use super::tree::Tree;

/// A moment of a search: the numbers of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The question.
    pub at_least: AtLeast,
    /// Nodes made so far, for this question.
    pub nodes: u64,
    /// The proof number of the root.
    pub proof: u32,
    /// The disproof number of the root.
    pub disproof: u32,
    /// The time so far.
    pub time: Duration,
}

/// What one question has come to.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question.
    pub at_least: AtLeast,
    /// The answer; none if the search ended before.
    pub value: Option<bool>,
    /// Nodes made.
    pub nodes: u64,
    /// How many of them the database knew.
    pub probes: u64,
    /// Time spent.
    pub time: Duration,
    /// The proof number of the root.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
    /// The most nodes in memory at the end, of the first level.
    pub stored: u64,
    /// The numbers of the root over time.
    pub curve: Vec<Point>,
    /// What is needed for a proof.
    pub(crate) kept: Vec<Kernel>,
    /// The number of the move that looks best, if nothing is solved.
    pub(crate) leading: Option<usize>,
}

/// What is told and saved while a question is searched.
pub(crate) struct Watch<'a, 'b> {
    pub(super) at_least: AtLeast,
    pub(super) begin: Instant,
    pub(super) before: Duration,
    /// The probes before this run, and those of this run so far.
    pub(super) probes_before: u64,
    pub(super) probes: u64,
    /// The nodes before this question.
    pub(super) first: u64,
    /// The nodes at the next point of the curve.
    pub(super) next: u64,
    pub(super) told: Instant,
    pub(super) saved: Instant,
    pub(super) curve: Vec<Point>,
    pub(super) progress: &'a mut dyn FnMut(&Point),
    pub(super) checkpoint: Option<&'b Checkpoint>,
    /// What both questions share.
    pub(super) table: Option<&'b Table>,
    pub(super) done: &'b [Answer],
}

/// What a search is made of, for saving it.
pub(super) enum Whole<'a> {
    Tree(&'a Tree),
    /// A tree, and what makes the whole of it if there is memory.
    Crown(&'a Tree, &'a dyn Fn(&Tree) -> Option<Tree>),
    /// Nothing but the table.
    Table(Numbers),
}

impl Whole<'_> {
    fn stored(&self) -> u64 {
        match self {
            Self::Tree(tree) | Self::Crown(tree, _) => tree.stored() as u64,
            Self::Table(_) => 0,
        }
    }

    fn numbers(&self) -> Numbers {
        match self {
            Self::Tree(tree) | Self::Crown(tree, _) => tree.root().numbers(),
            Self::Table(numbers) => *numbers,
        }
    }
}

impl Watch<'_, '_> {
    pub(super) fn time(&self) -> Duration {
        self.before + self.begin.elapsed()
    }

    pub(super) fn point(&mut self, nodes: u64, numbers: Numbers) {
        let point = self.now(nodes, numbers);
        self.curve.push(point);
        (self.progress)(&point);
    }

    fn now(&self, nodes: u64, numbers: Numbers) -> Point {
        let Numbers { proof, disproof } = numbers;
        Point { at_least: self.at_least, nodes, proof, disproof, time: self.time() }
    }

    /// Between two steps of a search.
    #[inline]
    pub(super) fn look(&mut self, nodes: u64, whole: &Whole<'_>) -> Result<(), BadCheckpoint> {
        let nodes = nodes - self.first;
        if nodes < self.next {
            return Ok(());
        }
        let point = self.now(nodes, whole.numbers());
        self.curve.push(point);
        // half a percent apart, so that the curve of any search has some thousands of points at most
        self.next = nodes + (nodes / 200).max(1);
        if self.told.elapsed() >= Duration::from_millis(100) {
            self.told = Instant::now();
            (self.progress)(&point);
        }
        if let Some(checkpoint) = self.checkpoint
            && self.saved.elapsed() >= checkpoint.interval
        {
            self.save(checkpoint, nodes, whole)?;
            self.saved = Instant::now();
        }
        Ok(())
    }

    fn save(&self, checkpoint: &Checkpoint, nodes: u64, whole: &Whole<'_>) -> Result<(), BadCheckpoint> {
        if let Whole::Crown(crown, complete) = whole {
            // without the memory for it the last one stays
            return complete(crown).map_or(Ok(()), |tree| self.save(checkpoint, nodes, &Whole::Tree(&tree)));
        }
        let numbers = whole.numbers();
        let mut current = Answer {
            at_least: self.at_least,
            value: numbers.solved(),
            nodes,
            probes: self.probes_before + self.probes,
            time: self.time(),
            proof: numbers.proof,
            disproof: numbers.disproof,
            stored: whole.stored(),
            curve: self.curve.clone(),
            kept: Vec::new(),
            leading: None,
        };
        let mut nodes_of_tree = Cow::Borrowed(&[][..]);
        match (whole, numbers.solved()) {
            (Whole::Tree(tree) | Whole::Crown(tree, _), Some(value)) => current.kept = kernel_of(tree, value),
            (Whole::Tree(tree) | Whole::Crown(tree, _), None) => nodes_of_tree = tree.packed(),
            (Whole::Table(_), _) => (),
        }
        // what trees have solved helps them, and would make a file of gigabytes every minute; df-pn is nothing without its table
        let table = self.table.filter(|_| matches!(whole, Whole::Table(_)));
        checkpoint.save(self.first + nodes, self.done, &current, &nodes_of_tree, table)
    }

    /// At the end of a search.
    pub(super) fn finish(&mut self, nodes: u64, whole: &Whole<'_>) -> Result<(), BadCheckpoint> {
        match self.checkpoint {
            Some(checkpoint) => self.save(checkpoint, nodes - self.first, whole),
            None => Ok(()),
        }
    }
}
