//! The tree of a Monte-Carlo search, written down for people: its most visited positions.

use std::collections::BinaryHeap;

use kibitz_game::{Bound, Trace, Turn, Visit};

use super::cells::UNPROVEN;
use super::simulation::Setup;
use super::tree::{ROOT, Tree};
use crate::Searchable;

/// A position that may be written next; the most visited comes first, of equal ones the one that was found first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    visits: u32,
    /// Negative, so that the greatest is the first.
    found: i64,
    edge: u32,
    parent: u32,
}

impl<G: Searchable> Setup<'_, G> {
    /// The most visited positions of a tree, at most `limit`, a parent before its children.
    ///
    /// Values are in the view of the player to move at the root; with more than two players in the view of the one who moved
    /// there, because that is what the search knows.
    pub(super) fn trace(&self, tree: &Tree<G::Position, G::Move>, limit: usize) -> Trace<G::Move> {
        let mut trace = Trace::default();
        // the node in the tree of every position that is written, and the position itself
        let mut written: Vec<(Option<u32>, G::Position)> = Vec::new();
        let mut open: BinaryHeap<Candidate> = BinaryHeap::new();
        let mut found = 0;
        let mut next = (limit > 0).then(|| (None, self.root.clone(), Some(ROOT)));
        while let Some((above, position, node)) = next.take() {
            trace.nodes.push(self.visit(tree, &position, above, node));
            let parent = written.len() as u32;
            for edge in node.iter().flat_map(|&node| node + 1..=node + tree.node(node).count) {
                let visits = tree.slot(edge).visits();
                if visits > 0 {
                    found += 1;
                    open.push(Candidate { visits, found: -found, edge, parent });
                }
            }
            written.push((node, position));
            if written.len() < limit
                && let Some(Candidate { edge, parent, .. }) = open.pop()
            {
                let mut position = written[parent as usize].1.clone();
                self.game.play(&mut position, tree.mv(edge));
                next = Some((Some((parent, edge, written[parent as usize].0)), position, tree.slot(edge).child()));
            }
        }
        trace.missing = tree.positions().saturating_sub(trace.nodes.len() as u64);
        trace
    }

    /// A position as it is written down: `above` has the number of its parent, the edge that leads to it and the parent's
    /// node.
    fn visit(
        &self,
        tree: &Tree<G::Position, G::Move>,
        position: &G::Position,
        above: Option<(u32, u32, Option<u32>)>,
        node: Option<u32>,
    ) -> Visit<G::Move> {
        let turn = self.game.turn(position);
        let me = usize::from(self.me);
        let chooser = above.and_then(|(_, _, node)| tree.node(node?).player()).map_or(me, usize::from);
        let result = |score: f64| {
            let value = self.game.result(score);
            if chooser == me || self.scale.len() > 2 { value } else { -value }
        };
        let proven = above.map_or_else(|| tree.proven(ROOT), |(_, edge, _)| tree.proven(edge));
        let (visits, mean) = if let Some((_, edge, _)) = above {
            (tree.slot(edge).visits(), tree.mean(edge))
        } else {
            let sum: f64 = (1..=tree.node(ROOT).count).map(|edge| tree.sum(edge)).sum();
            (tree.root_visits.get(), sum / f64::from(tree.root_visits.get().max(1)))
        };
        let range = self.game.range(chooser);
        let score = f64::from(range.low) + mean * (f64::from(range.high) - f64::from(range.low));
        Visit {
            parent: above.map(|(parent, ..)| parent),
            mv: above.map(|(_, edge, _)| tree.mv(edge)),
            player: if let Turn::Player(player) = turn { Some(player) } else { None },
            chance: turn == Turn::Chance,
            probability: None,
            depth: 0,
            alpha: f64::NEG_INFINITY,
            beta: f64::INFINITY,
            null_window: false,
            again: false,
            value: result(if proven == UNPROVEN { score } else { f64::from(proven) }),
            bound: if proven == UNPROVEN { Bound::Estimate } else { Bound::Exact },
            end: match turn {
                Turn::Over => "over",
                Turn::Chance => "chance",
                Turn::Player(_) if node.is_none() => "leaf",
                Turn::Player(_) => "",
            },
            pruned: Vec::new(),
            visits: u64::from(visits),
            numbers: None,
        }
    }
}
