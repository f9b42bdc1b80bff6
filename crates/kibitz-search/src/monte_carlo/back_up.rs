//! Backpropagation: what the edges of a simulation's path learn from its rewards.

use kibitz_game::Score;

use super::simulation::{Outcome, PLAYERS, Step, Worker};
use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Worker<'_, G> {
    /// Backs up a proven value in the view of a player: it is known, there is nothing to play.
    pub(super) fn back_up_proven(&mut self, tree: &Tree<G::Position, G::Move>, value: Score, owner: u8) {
        self.reward_known(value, owner);
        self.credit(tree, None);
    }

    /// Notes the rewards of a value in the view of a player.
    pub(super) fn reward_known(&mut self, value: Score, owner: u8) {
        for player in 0..self.setup.scale.len() {
            let score = if usize::from(owner) == player { value } else { -value };
            self.rewards[player % PLAYERS] = self.setup.reward(score, player);
        }
    }

    /// Backs up the rewards of a simulation: means and visits, proofs, and what the variants know. The outcome is given where it
    /// is sure.
    #[inline(always)]
    pub(super) fn credit(&mut self, tree: &Tree<G::Position, G::Move>, end: Option<&Outcome<'_, G::Position>>) {
        if !self.setup.informed {
            self.credit_path(tree);
            if let Some(end) = end.filter(|_| self.setup.solver) {
                self.prove(tree, end);
            }
            return;
        }
        let given = self.rewards;
        self.credit_path(tree);
        match end {
            Some(end) if self.setup.uct.score_bounds => self.narrow(tree, end),
            Some(end) if self.setup.solver => self.prove(tree, end),
            _ => {}
        }
        self.teach(tree, &given[..self.setup.scale.len()], end);
    }

    /// Credits the path of a simulation with its rewards.
    #[inline(always)]
    pub(super) fn credit_path(&mut self, tree: &Tree<G::Position, G::Move>) {
        if tree.shared {
            return self.pay_path(tree);
        }
        let mut visits = tree.root_visits.add(1, false);
        if self.setup.solver {
            return self.credit_upwards(tree, visits);
        }
        for &Step { node, edge, player, .. } in &self.path {
            visits = tree.credit(node, visits, edge, self.rewards[usize::from(player) % PLAYERS]);
        }
    }

    /// The same from its end to the root, because a proven value may take the place of the reward on the way.
    fn credit_upwards(&mut self, tree: &Tree<G::Position, G::Move>, visits: u32) {
        for i in (0..self.path.len()).rev() {
            let Step { node, edge, player, settled, .. } = self.path[i];
            let visits = if i == 0 { visits } else { tree.slot(self.path[i - 1].edge).visits() + 1 };
            let player = usize::from(player) % PLAYERS;
            tree.credit(node, visits, edge, self.rewards[player]);
            if settled {
                self.settle(tree, node, player);
            }
        }
    }

    /// The same for a tree that others work on.
    fn pay_path(&mut self, tree: &Tree<G::Position, G::Move>) {
        for i in (0..self.path.len()).rev() {
            let Step { node, edge, player, settled, counted } = self.path[i];
            let player = usize::from(player) % PLAYERS;
            if counted {
                tree.pay(edge, self.rewards[player]);
            } else {
                self.pending.add(tree, edge, self.rewards[player]);
            }
            if settled {
                self.settle(tree, node, player);
            }
        }
    }

    /// Above a node where something better is proven only the proven value counts.
    pub(super) fn settle(&mut self, tree: &Tree<G::Position, G::Move>, node: u32, player: usize) {
        // proofs are sought for one or two players, and the rewards of two add up to one
        self.rewards = [1.0 - tree.settled(node); PLAYERS];
        self.rewards[player] = tree.settled(node);
    }
}
