//! The tree of a proof-number search, written down for people.

use std::collections::VecDeque;

use kibitz_game::{Bound, Trace, Turn, Visit};

use super::Provable;
use super::question::Question;
use super::tree::Tree;

/// A node that is still to be written: its place in the tree, what led to it and its position.
struct Waiting<G: Provable> {
    place: usize,
    parent: Option<u32>,
    mv: Option<G::Move>,
    position: G::Position,
}

/// The nodes nearest to the root, at most so many, level by level; none if nobody asks for them.
///
/// It is made of the tree when the search has ended, so that a search whose tree is not asked for does nothing for it.
pub(super) fn trace<G: Provable>(
    question: &Question<'_, G>,
    root: &G::Position,
    tree: &Tree,
    limit: usize,
) -> Option<Trace<G::Move>> {
    let mut trace = (limit > 0).then(Trace::default)?;
    let mut waiting: VecDeque<Waiting<G>> = VecDeque::new();
    waiting.push_back(Waiting { place: 0, parent: None, mv: None, position: root.clone() });
    while let Some(Waiting { place, parent, mv, position }) = waiting.pop_front() {
        let node = tree.nodes[place];
        let turn = question.game.turn(&position);
        let number = trace.nodes.len() as u32;
        trace.nodes.push(Visit {
            parent,
            mv,
            player: if let Turn::Player(player) = turn { Some(player) } else { None },
            chance: false,
            probability: None,
            depth: 0,
            alpha: f64::NEG_INFINITY,
            beta: f64::INFINITY,
            null_window: false,
            again: false,
            // the answer to the question
            value: match node.numbers().solved() {
                Some(true) => 1.0,
                Some(false) => -1.0,
                None => 0.0,
            },
            bound: if node.numbers().solved().is_some() { Bound::Exact } else { Bound::Estimate },
            end: match turn {
                Turn::Over => "over",
                _ if node.count == 0 => "leaf",
                _ => "",
            },
            pruned: Vec::new(),
            visits: 0,
            numbers: Some((node.proof, node.disproof)),
        });
        // all children of a node or none, so that its numbers can be understood
        if trace.nodes.len() + waiting.len() + usize::from(node.count) > limit {
            continue;
        }
        let mut moves = Vec::new();
        question.game.moves(&position, &mut moves);
        for (child, mv) in node.children().zip(moves) {
            let mut next = position.clone();
            question.game.play(&mut next, mv);
            waiting.push_back(Waiting { place: child, parent: Some(number), mv: Some(mv), position: next });
        }
    }
    trace.missing = tree.stored().saturating_sub(trace.nodes.len()) as u64;
    Some(trace)
}
