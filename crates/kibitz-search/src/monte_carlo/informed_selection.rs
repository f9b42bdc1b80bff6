//! Selection by everything that the variants know of an edge.

use super::opponent_moves::{OwnMoves, followed};
use super::progressive_bias::Bias;
use super::rave::Rave;
use super::selection::Selection;
use super::simulation::{Step, Worker};
use super::tree::{Node, Slot, Tree};
use crate::Searchable;

/// The rule of selection at one node.
struct Rule<'t, P, M> {
    tree: &'t Tree<P, M>,
    selection: Selection,
    player: usize,
    /// The weight of exploration, and the square root of the logarithm of the node's visits.
    c: f32,
    root: f32,
    bias: Option<Bias>,
    rave: Option<(Rave, f32)>,
    /// The weight of the implicit minimax value.
    implicit: f32,
    /// Whether the values of a rule of back-up take the place of the means.
    refined: bool,
    /// The weight of the proof numbers.
    proof: f32,
    /// What is known of own moves, those made so far, and after how many visits both means count the same.
    own: Option<(&'t OwnMoves, u64, f32)>,
}

impl<P: Clone, M: kibitz_game::Pack> Rule<'_, P, M> {
    /// The bound of an edge that has been tried.
    #[inline(always)]
    fn bound(&self, edge: u32, slot: &Slot) -> f32 {
        let knowledge = &self.tree.sides.knowledge;
        let mean = if self.refined { knowledge.values.real(edge, self.player) } else { slot.mean() };
        let exploration = self.selection.exploration(self.tree, self.c, self.root, edge, slot);
        self.weighed(edge, mean, exploration, slot.visits())
    }

    /// The bound of an edge whose own games have such a mean.
    #[inline(always)]
    fn weighed(&self, edge: u32, mut mean: f32, exploration: f32, visits: u32) -> f32 {
        let knowledge = &self.tree.sides.knowledge;
        if let Some((own_moves, sequence, k)) = self.own
            && let Some(abstracted) = own_moves.mean(followed(sequence, self.tree.mv(edge)))
        {
            let share = (k / (3.0 * visits as f32 + k)).sqrt();
            mean += share * (abstracted - mean);
        }
        if self.implicit != 0.0 {
            mean += self.implicit * (knowledge.implicit.real(edge, self.player) - mean);
        }
        let mut bound = mean + exploration;
        if let Some((rave, of_node)) = self.rave {
            let later = knowledge.amaf_count.at(edge).get();
            if later > 0 {
                let mean = (knowledge.amaf_sum.at(edge).get() / f64::from(later)) as f32;
                bound += rave.of_edge(of_node, visits, later) * (mean - bound);
            }
        }
        if let Some(bias) = self.bias {
            bound += bias.term(knowledge.heuristic.real(edge, 0), visits);
        }
        if self.proof != 0.0 {
            bound += self.proof * knowledge.urge.real(edge, 0);
        }
        bound
    }

    /// What decides between edges that have not been tried; those with a finite urgency compete with the others by it.
    fn promise(&self, edge: u32, urgency: f32, by_heuristic: bool) -> f32 {
        if by_heuristic {
            // widening admits by the heuristic alone
            return self.tree.sides.knowledge.heuristic.real(edge, 0);
        }
        self.weighed(edge, urgency, 0.0, 0)
    }
}

impl<G: Searchable> Worker<'_, G> {
    /// The edge that a player follows from a node.
    #[inline(never)]
    pub(super) fn select_informed(
        &mut self,
        tree: &Tree<G::Position, G::Move>,
        node: u32,
        read: Node,
        player: u8,
    ) -> Step {
        let uct = self.setup.uct;
        let visits = self.path.last().map_or(tree.root_visits.get(), |step| tree.slot(step.edge).visits());
        let sequence = if self.own_moves.used() { self.own_sequence(tree) } else { 0 };
        let own_moves = &self.own_moves;
        let own = uct.opponent_move_abstraction.filter(|&k| k > 0.0 && player == self.setup.me);
        let own = own.map(|k| (own_moves, sequence, k as f32));
        let rule = Rule {
            tree,
            selection: uct.selection,
            player: usize::from(player),
            c: uct.c as f32,
            root: read.root,
            bias: (uct.bias.weight != 0.0).then_some(uct.bias),
            rave: uct.rave.map(|rave| (rave, rave.of_node(visits))),
            implicit: uct.implicit_minimax as f32,
            refined: tree.sides.knowledge.values.used(),
            proof: uct.proof_numbers.map_or(0.0, |numbers| numbers.weight as f32),
            own,
        };
        let admitted = uct.widening.map_or(read.count, |widening| widening.admitted(visits).min(read.count));
        let known = |tried: u32| {
            tree.greatest(read, tried, |edge, slot| {
                let cut = uct.score_bounds && self.setup.cut(tree, node, edge, rule.player);
                if cut { f32::NEG_INFINITY } else { rule.bound(edge, slot) }
            })
        };
        let mut best = None;
        if read.tried > 0 && (read.tried >= admitted || uct.first_play_urgency.is_some()) {
            best = Some(known(read.tried)).filter(|&(_, bound)| bound > f32::NEG_INFINITY);
        }
        if read.tried < admitted || read.tried < read.count && best.is_none() {
            let urgency = uct.first_play_urgency.unwrap_or(0.0) as f32;
            let promise = |edge: u32| rule.promise(edge, urgency, uct.widening.is_some());
            let enough = best.filter(|&(_, bound)| {
                let untried = read.first + read.tried..read.first + read.count;
                untried.map(|edge| rule.promise(edge, urgency, false)).fold(f32::NEG_INFINITY, f32::max) <= bound
            });
            if enough.is_none()
                && let Some(edge) = tree.try_best_edge(node, &mut self.random, promise)
            {
                return Step { node, edge, player, settled: false, counted: true };
            }
        }
        let (edge, bound) = best.unwrap_or_else(|| known(tree.node(node).tried));
        let settled = bound > f32::NEG_INFINITY && self.settled(tree, node, bound);
        Step { node, edge, player, settled, counted: true }
    }
}
