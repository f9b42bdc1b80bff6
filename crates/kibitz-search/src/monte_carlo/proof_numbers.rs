//! PN-MCTS: proof numbers draw the search to where a win is easy to prove.
//!
//! J. Kowalski, E. Doe, M. Winands, D. Górski and D. Soemers, *Proof Number Based Monte-Carlo Tree Search*, IEEE Transactions on Games
//! 2024; for any number of players as in J. Kowalski, D. Soemers, S. Kosakowski and M. Winands, *Generalized Proof-Number Monte-Carlo
//! Tree Search*, 2025: a proof number for each player and no disproof numbers. A player's number is the least of the moves where the
//! player chooses, and the sum elsewhere, at chance nodes, too: how many positions must at least be won to prove the win. To
//! win is to get more than the middle of one's range.

use super::simulation::{Outcome, Worker};
use super::tree::{Node, Tree};
use crate::Searchable;

/// What a player's proof numbers n of the moves of a node add to their bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProofRule {
    /// 1 − rank / moves, the least number first, equal ones with the same rank.
    #[default]
    Rank,
    /// 1 − n / (1 + sum of all).
    Sum,
    /// 1 − (n − least) / (1 + greatest − least).
    Max,
}

/// Proof numbers in the selection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofNumbers {
    /// The weight of the term, `C_pn`.
    pub weight: f64,
    /// What the numbers add.
    pub rule: ProofRule,
}

impl Default for ProofNumbers {
    fn default() -> Self {
        Self { weight: 1.0, rule: ProofRule::Rank }
    }
}

/// A win that is out of the question.
pub(super) const NEVER: u32 = u32::MAX;

impl<G: Searchable> Worker<'_, G> {
    /// Counts again from the end of a path towards the root, as far as anything changes.
    pub(super) fn count_proofs(&mut self, tree: &Tree<G::Position, G::Move>, end: Option<&Outcome<'_, G::Position>>) {
        let (game, players) = (self.setup.game, self.setup.scale.len());
        let table = &tree.sides.knowledge.proof;
        let mut changed = true;
        for i in (0..self.path.len()).rev() {
            let edge = self.path[i].edge;
            if let Some(step) = self.path.get(i + 1) {
                let below = tree.node(step.node);
                changed = false;
                for player in 0..players {
                    // what is settled stays so, even when the node below was given up and has come back
                    if !matches!(table.count(edge, player), 0 | NEVER) {
                        changed |= table.set_count(edge, player, number(tree, below, player));
                    }
                }
            } else if let Some(end) = end {
                for player in 0..players {
                    let won = end.score(game, player) > game.range(player).middle();
                    table.set_count(edge, player, if won { 0 } else { NEVER });
                }
            }
            if !changed {
                return;
            }
            self.urge(tree, tree.node(self.path[i].node));
        }
    }

    /// Computes again what the numbers add to the bounds of a node's edges.
    fn urge(&mut self, tree: &Tree<G::Position, G::Move>, node: Node) {
        let Some(player) = node.player().map(usize::from) else { return };
        let Some(ProofNumbers { rule, .. }) = self.setup.uct.proof_numbers else { return };
        let (table, urge) = (&tree.sides.knowledge.proof, &tree.sides.knowledge.urge);
        let edges = node.first..node.first + node.count;
        let numbers = edges.clone().map(|edge| table.count(edge, player));
        let known = numbers.clone().filter(|&number| number != NEVER);
        let (least, most) = (known.clone().min().unwrap_or(0), known.clone().max().unwrap_or(0));
        let sum: f32 = known.map(|number| number as f32).sum();
        if rule == ProofRule::Rank {
            self.numbers.clear();
            self.numbers.extend(numbers);
            self.numbers.sort_unstable();
        }
        for edge in edges {
            let number = table.count(edge, player);
            let term = match rule {
                ProofRule::Rank => {
                    let rank = 1 + self.numbers.partition_point(|&other| other < number);
                    1.0 - rank as f32 / node.count as f32
                }
                _ if number == NEVER => 0.0,
                ProofRule::Sum => 1.0 - number as f32 / (1.0 + sum),
                ProofRule::Max => 1.0 - (number - least) as f32 / (1.0 + (most - least) as f32),
            };
            urge.set_real(edge, 0, term);
        }
    }
}

/// The proof number of a node for a player.
fn number<P: Clone, M: kibitz_game::Pack>(tree: &Tree<P, M>, node: Node, player: usize) -> u32 {
    let numbers = (node.first..node.first + node.count).map(|edge| tree.sides.knowledge.proof.count(edge, player));
    if node.player() == Some(player as u8) {
        numbers.min().unwrap_or(NEVER)
    } else {
        numbers.fold(0, u32::saturating_add)
    }
}
