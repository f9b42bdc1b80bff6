//! PN²: the leaves of a tree of proof numbers are searched by a second tree, of which only the first level of children stays.
//!
//! L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994; D. Breuker, J. Uiterwijk and H. J. van den Herik, *The PN²-search
//! algorithm*, 2001. The second tree grows to the size of the first one, so that a tree of *n* nodes stands for about *n*² that were made.

use kibitz_game::Budget;

use super::Provable;
use super::best_first::{End, Search};
use super::path::Path;

/// How many nodes a second-level tree may have, by the size of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SecondLevel {
    /// As many as the first has (Allis 1994).
    #[default]
    Equal,
    /// A part that grows with the size *x* of the first from nothing to all: *x* / (1 + e^((*a* − *x*) / *b*)) (Breuker, Uiterwijk and van den Herik 2001).
    Logistic {
        /// The size at which it is half.
        a: f64,
        /// How slowly it grows.
        b: f64,
    },
}

impl SecondLevel {
    pub(crate) fn size(self, first: usize) -> usize {
        match self {
            Self::Equal => first,
            Self::Logistic { a, b } => {
                let x = first as f64;
                (x / (1.0 + ((a - x) / b.max(f64::MIN_POSITIVE)).exp())) as usize
            }
        }
    }
}

/// Searches the position of a leaf with a second tree. The path ends with its key.
pub(crate) fn look_deeper<G: Provable>(
    second: &mut Search<'_, G>,
    position: &G::Position,
    most: usize,
    path: &mut Path,
    budget: &mut Budget<'_>,
) -> End {
    second.plant(position);
    let end = second.run(most, u64::MAX, path, budget);
    second.leave(path);
    // what was expanded at all is worth something, whatever ended the search; a budget that ends it would make the answer depend on the clock
    if end == End::Memory && second.tree.root().count > 0 { End::Size } else { end }
}

/// Replaces the most-proving leaf of the first tree by what a second tree says of it.
pub(crate) fn step<G: Provable>(
    first: &mut Search<'_, G>,
    second: &mut Search<'_, G>,
    rule: SecondLevel,
    path: &mut Path,
    budget: &mut Budget<'_>,
) -> End {
    first.select(path);
    if first.recall(path) {
        return if first.tree.root().numbers().solved().is_some() { End::Solved } else { End::Size };
    }
    let most = rule.size(first.tree.stored());
    let end = look_deeper(second, first.position(), most, path, budget);
    if matches!(end, End::Budget | End::Memory) {
        return end;
    }
    let (leaf, found) = (first.here(), second.tree.root());
    let numbers = found.numbers();
    if first.attach(leaf, numbers, second.below_root()).is_err() {
        return End::Memory;
    }
    first.tree.nodes[leaf].set_note(found.note());
    first.settle(numbers, path);
    if first.tree.root().numbers().solved().is_some() { End::Solved } else { End::Size }
}
