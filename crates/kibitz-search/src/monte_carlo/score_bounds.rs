//! Score-bounded Monte-Carlo tree search: every position has bounds of its result, and what cannot matter is not visited.
//!
//! T. Cazenave and A. Saffidine, *Score Bounded Monte-Carlo Tree Search*, CG 2010. A move that cannot be better than what is sure is not
//! followed. Where both bounds meet the position is proven, often before all of its moves are.
//!
//! With more than two players the bounds of a player hold whatever the others do: at a node of another player, and at a
//! chance node, they are the least and the greatest of all moves. So nothing is claimed that ties or bad play could refute.

use kibitz_game::{Pack, Score};

use super::simulation::{Outcome, PLAYERS, Setup, Step, Worker};
use super::tree::{Node, ROOT, Tree};
use crate::Searchable;

type Bounds = [(Score, Score); PLAYERS];

impl<G: Searchable> Setup<'_, G> {
    /// The bounds of a player's result behind an edge, or at a node.
    #[inline(always)]
    pub(super) fn bounds<M: Pack>(&self, tree: &Tree<G::Position, M>, slot: u32, player: usize) -> (Score, Score) {
        let (low, high) = self.ranges[player];
        let knowledge = &tree.sides.knowledge;
        (knowledge.low.score(slot, player).max(low), knowledge.high.score(slot, player).min(high))
    }

    /// Whether an edge can no longer be better for its chooser than what is sure at its node.
    #[inline(always)]
    pub(super) fn cut(&self, tree: &Tree<G::Position, G::Move>, node: u32, edge: u32, player: usize) -> bool {
        let (sure, top) = self.bounds(tree, node, player);
        let (low, high) = self.bounds(tree, edge, player);
        // where the result is known the moves that reach it stay
        if sure == top { low < sure } else { high <= sure }
    }

    /// The result of the player at the root, if the bounds have met.
    pub(super) fn decided(&self, tree: &Tree<G::Position, G::Move>) -> Option<Score> {
        if !tree.sides.knowledge.low.used() || tree.is_empty() {
            return None;
        }
        let (low, high) = self.bounds(tree, ROOT, usize::from(self.me));
        (low == high).then_some(low)
    }
}

impl<G: Searchable> Worker<'_, G> {
    /// Carries a result that is sure towards the root as far as it narrows anything.
    pub(super) fn narrow(&self, tree: &Tree<G::Position, G::Move>, end: &Outcome<'_, G::Position>) {
        let (setup, game) = (self.setup, self.setup.game);
        let players = setup.scale.len();
        let mut bounds: Bounds = [(0, 0); PLAYERS];
        for (player, bounds) in bounds.iter_mut().enumerate().take(players) {
            let score = end.score(game, player);
            *bounds = (score, score);
        }
        for &Step { node, edge, .. } in self.path.iter().rev() {
            let read = tree.node(node);
            if !self.tighten(tree, edge, &bounds) {
                return;
            }
            if let Some(player) = read.player().map(usize::from) {
                let (low, high) = bounds[player];
                if setup.solver && low == high {
                    tree.prove_edge(node, edge, low, setup.reward(low, player));
                }
            }
            bounds = self.joined(tree, read);
            if !self.tighten(tree, node, &bounds) {
                return;
            }
            if let Some(player) = read.player().map(usize::from) {
                let (low, high) = bounds[player];
                if setup.solver && low == high {
                    tree.prove_node(node, low);
                }
            }
        }
    }

    /// Writes bounds down; whether any of them is new.
    fn tighten(&self, tree: &Tree<G::Position, G::Move>, slot: u32, bounds: &Bounds) -> bool {
        let knowledge = &tree.sides.knowledge;
        let mut changed = false;
        for (player, &(low, high)) in bounds.iter().enumerate().take(self.setup.scale.len()) {
            // what was known of a node that was given up and has come back stays true
            let held = self.setup.bounds(tree, slot, player);
            if low > held.0 || high < held.1 {
                changed |= knowledge.low.set_score(slot, player, low.max(held.0));
                changed |= knowledge.high.set_score(slot, player, high.min(held.1));
            }
        }
        changed
    }

    /// The bounds of a node by those of its edges.
    fn joined(&self, tree: &Tree<G::Position, G::Move>, node: Node) -> Bounds {
        let players = self.setup.scale.len();
        let mut bounds: Bounds = [(0, 0); PLAYERS];
        for (player, bounds) in bounds.iter_mut().enumerate().take(players) {
            let edges = (node.first..node.first + node.count).map(|edge| self.setup.bounds(tree, edge, player));
            let mine = node.player() == Some(player as u8);
            *bounds = edges.fold((if mine { Score::MIN } else { Score::MAX }, Score::MIN), |sum, edge| {
                (if mine { sum.0.max(edge.0) } else { sum.0.min(edge.0) }, sum.1.max(edge.1))
            });
        }
        // the scores of two players add up to zero, and so the mover's choice binds the other one
        if let (2, Some(mover)) = (players, node.player().map(usize::from)) {
            let (low, high) = bounds[mover];
            bounds[1 - mover] = (-high, -low);
        }
        bounds
    }
}
