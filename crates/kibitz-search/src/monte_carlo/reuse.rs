//! Tree reuse: what is left of a tree when moves have been played.

use std::collections::VecDeque;

use kibitz_game::Pack;

use super::Uct;
use super::simulation::Setup;
use super::tree::{ROOT, Slot, Tree};
use crate::Searchable;

/// The trees that a search has left, for the next search of the same game by the same player.
pub struct Kept<P, M> {
    trees: Vec<Tree<P, M>>,
    root: P,
    me: u8,
    uct: Uct,
}

impl<P: Clone + PartialEq, M: Pack> Kept<P, M> {
    pub(super) fn new<G>(setup: &Setup<'_, G>, trees: Vec<Tree<P, M>>) -> Option<Self>
    where
        G: Searchable<Position = P, Move = M>,
    {
        let uct = Uct { seed: 0, ..setup.uct.clone() };
        (!trees.is_empty()).then(|| Self { trees, root: setup.root.clone(), me: setup.me, uct })
    }

    /// The trees for another search, with its position at the root; none if it searches otherwise, for another player, or
    /// a position that the trees do not contain.
    pub(super) fn resume<G>(self, setup: &Setup<'_, G>) -> Vec<Tree<P, M>>
    where
        G: Searchable<Position = P, Move = M>,
    {
        if self.me != setup.me || self.uct != (Uct { seed: 0, ..setup.uct.clone() }) {
            return Vec::new();
        }
        let (alone, root) = (self.trees.len() == 1, &self.root);
        let again = |mut tree: Tree<P, M>| {
            // trees that have been added up do not go on from the same position: they would be added up twice
            let node = tree.find(setup, root).filter(|&node| alone || node != ROOT)?;
            // without those that ended at the position itself
            let edges = tree.slots(node + 1, tree.node(node).count);
            tree.root_visits.set(edges.iter().map(Slot::visits).sum());
            tree.retain(node, 1);
            tree.begin_again();
            Some(tree)
        };
        self.trees.into_iter().map(again).collect::<Option<Vec<_>>>().unwrap_or_default()
    }
}

impl<P: Clone + PartialEq, M: Pack> Tree<P, M> {
    /// The node of the position to search, within as many moves of the old root as two rounds may take.
    fn find<G>(&self, setup: &Setup<'_, G>, root: &P) -> Option<u32>
    where
        G: Searchable<Position = P, Move = M>,
    {
        let deepest = 2 * setup.game.players().max(2);
        let mut open = VecDeque::from([(ROOT, root.clone(), 0)]);
        while let Some((node, position, depth)) = open.pop_front() {
            if position == *setup.root {
                return Some(node);
            }
            if depth == deepest {
                continue;
            }
            for edge in node + 1..=node + self.node(node).count {
                if let Some(child) = self.slot(edge).child() {
                    let mut after = position.clone();
                    setup.game.play(&mut after, self.mv(edge));
                    open.push_back((child, after, depth + 1));
                }
            }
        }
        None
    }
}
