//! Selection: which edge a simulation follows.

use std::hint::select_unpredictable;

use super::cells::UNPROVEN;
use super::simulation::{Step, Worker};
use super::tree::{Node, Slot, Tree};
use crate::Searchable;

/// How the edge to follow is chosen among those that have been tried. With rewards between 0 and 1, mean x, visits nᵢ of the
/// edge and n of its node:
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// The greatest x + C·sqrt(ln n / nᵢ) (UCB1; Auer, Cesa-Bianchi and Fischer 2002, there with C = √2).
    #[default]
    Ucb1,
    /// The greatest x + C/√2·sqrt(ln n / nᵢ · min(¼, V)) with V = s² + sqrt(2 ln n / nᵢ) and the variance s² of the rewards
    /// (UCB1-tuned, from the same paper, there without a constant, which is C = √2 here, too).
    Ucb1Tuned,
}

impl Selection {
    /// Whether it asks for the sums of squares.
    pub(super) fn needs_squares(self) -> bool {
        self == Self::Ucb1Tuned
    }
}

impl Selection {
    /// What it adds to the mean of an edge.
    #[inline(always)]
    pub(super) fn exploration<P, M>(self, tree: &Tree<P, M>, c: f32, root: f32, edge: u32, slot: &Slot) -> f32 {
        match self {
            Self::Ucb1 => c * root * slot.width(),
            Self::Ucb1Tuned => {
                let (mean, share) = (slot.mean(), root * slot.width());
                let squares = tree.sides.squares.at(edge).get() as f32 * slot.width() * slot.width();
                let variance = (squares - mean * mean).max(0.0) + std::f32::consts::SQRT_2 * share;
                c * std::f32::consts::FRAC_1_SQRT_2 * share * variance.min(0.25).sqrt()
            }
        }
    }
}

impl<G: Searchable> Worker<'_, G> {
    /// Takes the next step from a node, and returns the edge that it follows.
    #[inline(always)]
    pub(super) fn select(&mut self, tree: &Tree<G::Position, G::Move>, node: u32) -> u32 {
        let read = tree.node(node);
        // each way pushes its own step: one that could come from several would be built in memory and read back
        if self.plain
            && let Some(player) = read.player()
        {
            let fresh = if read.tried < read.count { tree.try_edge(node, &mut self.random) } else { None };
            let edge = fresh.unwrap_or_else(|| {
                let weight = self.setup.c * read.root;
                tree.greatest(read, read.count, |_, slot| slot.mean() + weight * slot.width()).0
            });
            self.path.push(Step { node, edge, player, settled: false, counted: true });
            return edge;
        }
        let step = self.select_with_care(tree, node);
        self.path.push(step);
        step.edge
    }

    /// The next step where there is more to think of than means and visits.
    #[inline(never)]
    fn select_with_care(&mut self, tree: &Tree<G::Position, G::Move>, node: u32) -> Step {
        let read = tree.node(node);
        let Node { first, count, tried, .. } = read;
        let Some(player) = read.player() else {
            let outcome = self.setup.game.sample(tree.position(node), &mut self.random, &mut self.buffer);
            let edge = (first..first + count).find(|&edge| tree.mv(edge) == outcome).unwrap_or(first);
            return Step { node, edge, player: self.setup.me, settled: false, counted: true };
        };
        if self.setup.informed {
            return self.select_informed(tree, node, read, player);
        }
        if tried < count {
            let known = self.setup.uct.first_play_urgency.and_then(|urgency| {
                // all untried edges have the same value, so one comparison decides
                let known = Some(self.best(tree, read, tried)).filter(|_| tried > 0);
                known.filter(|&(_, bound)| f64::from(bound) >= urgency)
            });
            let fresh = if known.is_none() { tree.try_edge(node, &mut self.random) } else { None };
            if let Some(edge) = fresh {
                return Step { node, edge, player, settled: false, counted: true };
            }
            if let Some((edge, bound)) = known {
                return Step { node, edge, player, settled: self.settled(tree, node, bound), counted: true };
            }
        }
        let (edge, bound) = self.best(tree, read, count);
        Step { node, edge, player, settled: self.settled(tree, node, bound), counted: true }
    }

    /// Whether what is proven at a node is worth no less than a bound.
    #[inline(always)]
    pub(super) fn settled(&self, tree: &Tree<G::Position, G::Move>, node: u32, bound: f32) -> bool {
        self.setup.solver && tree.settled(node) >= f64::from(bound)
    }

    /// The edge with the greatest bound among the first `count` of a node, all of them tried, and that bound.
    #[inline(always)]
    fn best(&self, tree: &Tree<G::Position, G::Move>, node: Node, count: u32) -> (u32, f32) {
        let c = self.setup.c;
        match self.setup.uct.selection {
            Selection::Ucb1 => {
                let weight = c * node.root;
                tree.greatest(node, count, |_, slot| slot.mean() + weight * slot.width())
            }
            Selection::Ucb1Tuned => tree.greatest(node, count, |edge, slot| {
                slot.mean() + Selection::Ucb1Tuned.exploration(tree, c, node.root, edge, slot)
            }),
        }
    }
}

impl<P: Clone, M: kibitz_game::Pack> Tree<P, M> {
    /// The edge that is not proven with the greatest bound among the first `count` of a node, and that bound; the first of
    /// equal ones.
    #[inline(always)]
    pub(super) fn greatest(&self, node: Node, count: u32, bound: impl Fn(u32, &Slot) -> f32) -> (u32, f32) {
        let first = node.first;
        let mut top = f32::NEG_INFINITY;
        let slots = self.slots(first, count);
        let mut best = slots.as_ptr();
        // which edge wins is as good as random, so branches on it would be mispredicted
        let mut compare = |slot: &Slot, bound: f32| {
            let better = bound > top;
            best = select_unpredictable(better, std::ptr::from_ref(slot), best);
            top = select_unpredictable(better, bound, top);
        };
        if self.sides.proven.used() {
            let proven = &self.sides.proven.cells()[first as usize..(first + count) as usize];
            for (i, (slot, proven)) in slots.iter().zip(proven).enumerate() {
                let bound = bound(first + i as u32, slot);
                compare(slot, if proven.get() == UNPROVEN { bound } else { f32::NEG_INFINITY });
            }
        } else {
            // two at a time: the compiler does not unroll loops over atomic numbers
            let (pairs, rest) = slots.as_chunks::<2>();
            let mut edge = first;
            for [one, two] in pairs {
                compare(one, bound(edge, one));
                compare(two, bound(edge + 1, two));
                edge += 2;
            }
            if let [last] = rest {
                compare(last, bound(edge, last));
            }
        }
        let place = (best.addr() - slots.as_ptr().addr()) / size_of::<Slot>();
        (first + place as u32, top)
    }
}
