//! Chance nodes: the one skeleton of all methods.
//!
//! Of every event i there is a lower and an upper bound, at first L and U; the value of the node lies between Σ Pᵢ loᵢ and
//! Σ Pᵢ hiᵢ. Whatever a method finds out moves one of these bounds, and as soon as the lower sum reaches beta or the upper one
//! alpha, the node is cut. All methods differ only in where bounds come from: from the table (`StarETC`), from shallow searches
//! that foretell deep ones (`ChanceProbCut`), from single moves (Star2), and from the search of the event (Star1).
//!
//! What a cut returns is the sum itself, the best bound that follows (fail-soft). The listing of Star2 by Hauk, Buro and
//! Schaeffer adds L for the events that were only probed, although their probes justified the cut, and so returns
//! values below beta: about one root value in eight of small random trees is wrong. With the sums kept, there is nothing to
//! add.

use kibitz_game::Turn;

use super::ChanceMethod;
use super::memory::Known;
use super::node::Step;
use super::tree::Tree;
use crate::Searchable;

/// An outcome of a chance node with what is known about its value for the first player.
#[derive(Clone, Copy)]
pub(super) struct Event<M> {
    pub(super) outcome: M,
    pub(super) probability: f64,
    /// What is proven.
    pub(super) low: f64,
    pub(super) high: f64,
    /// What is believed: the same, or less wide by an estimate.
    pub(super) guess_low: f64,
    pub(super) guess_high: f64,
}

impl<M> Event<M> {
    /// Whether there is nothing left to find out.
    pub(super) fn settled(&self) -> bool {
        self.low >= self.high
    }
}

/// A chance node while it is searched.
pub(super) struct Node<'p, P> {
    pub(super) position: &'p P,
    pub(super) ply: usize,
    /// The depth left at the children, the next chance nodes excepted.
    pub(super) left: u32,
    /// Where its events begin and end.
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// The sums of what is believed.
    pub(super) sum_low: f64,
    pub(super) sum_high: f64,
    /// Whether estimates are part of them, so that they prove nothing.
    pub(super) estimated: bool,
}

/// An event and where it leads.
pub(super) struct Followed<G: Searchable> {
    pub(super) event: Event<G::Move>,
    pub(super) child: G::Position,
    /// Who is to move there.
    pub(super) turn: Turn,
    /// The depth left there.
    pub(super) left: u32,
    pub(super) step: Step<G::Move>,
}

impl<P> Node<'_, P> {
    /// The value if the bounds cut. What estimates cut has no better value than the window's own (fail-hard).
    #[inline]
    pub(super) fn cut(&self) -> Option<f64> {
        if self.sum_low >= self.beta {
            return Some(if self.estimated { self.beta } else { self.sum_low });
        }
        if self.sum_high <= self.alpha {
            return Some(if self.estimated { self.alpha } else { self.sum_high });
        }
        None
    }

    /// Moves what is believed about an event.
    #[inline]
    pub(super) fn believe<M>(&mut self, event: &mut Event<M>, low: f64, high: f64) {
        self.sum_low += event.probability * (low - event.guess_low);
        self.sum_high += event.probability * (high - event.guess_high);
        (event.guess_low, event.guess_high) = (low, high);
    }

    /// Moves what is proven about an event. A proof against an estimate drops the estimate.
    #[inline]
    pub(super) fn prove<M>(&mut self, event: &mut Event<M>, low: f64, high: f64) {
        event.low = low.max(event.low);
        event.high = high.min(event.high).max(event.low);
        let (low, high) = (event.low.max(event.guess_low), event.high.min(event.guess_high));
        if low <= high {
            self.believe(event, low, high);
        } else {
            self.believe(event, event.low, event.high);
        }
    }

    /// The window with which an event has to be searched: outside of it its value cuts the node, whatever the others are
    /// worth.
    #[inline]
    pub(super) fn window<M>(&self, event: &Event<M>) -> (f64, f64) {
        let rest_high = self.sum_high - event.probability * event.guess_high;
        let rest_low = self.sum_low - event.probability * event.guess_low;
        ((self.alpha - rest_high) / event.probability, (self.beta - rest_low) / event.probability)
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// The value of a chance node for the first player; `depth` is at least 1.
    pub(super) fn chance_node(
        &mut self,
        position: &G::Position,
        key: u64,
        depth: u32,
        ply: usize,
        mut alpha: f64,
        mut beta: f64,
    ) -> f64 {
        let nodes_before = self.budget.nodes;
        let outer = self.begin(ply);
        self.counters.chance_nodes += 1;
        let known = self.known(key);
        if let Some(known) = known.filter(|known| ply > 0 && self.usable(known, depth)) {
            let Known { lower, upper, .. } = known;
            if lower >= beta || lower == upper || upper <= alpha {
                return self.leave_by_table(outer, &known, if upper <= alpha { upper } else { lower });
            }
            if lower > alpha || upper < beta {
                self.horizon |= !known.ended;
                (alpha, beta) = (alpha.max(lower), beta.min(upper));
            }
        }
        let first = self.events.len();
        self.list_events(position, key);
        let mut node = Node {
            position,
            ply,
            left: depth - u32::from(self.switches.chance_plies),
            first,
            end: self.events.len(),
            alpha,
            beta,
            sum_low: self.low,
            sum_high: self.high,
            estimated: false,
        };
        let value = self.average(&mut node);
        self.events.truncate(first);
        if self.interrupted() {
            return 0.0;
        }
        // the line that is expected ends where nobody knows what will happen
        self.lines.clear(ply);
        let found = Known::found(value, alpha, beta);
        self.leave(outer, ply, key, depth, found, known, nodes_before);
        value
    }

    /// The phases of the method.
    fn average(&mut self, node: &mut Node<'_, G::Position>) -> f64 {
        if self.full_width {
            return self.expectation(node);
        }
        if let Some(value) = self.look_up_events(node) {
            return value;
        }
        if let Some(value) = self.estimate_events(node) {
            return value;
        }
        if let ChanceMethod::Star2 { probes, schedule } = self.switches.method
            && let Some(value) = self.probe_events(node, probes, schedule)
        {
            return value;
        }
        self.search_events(node)
    }

    /// An event of a node and where it leads. A chance node right below another one always counts as a ply, so that dice that are
    /// thrown again and again come to an end.
    #[inline]
    pub(super) fn follow(&self, node: &Node<'_, G::Position>, place: usize) -> Followed<G> {
        let event = self.events[place];
        let child = self.child(node.position, event.outcome);
        let turn = self.game.turn(&child);
        let again = turn == Turn::Chance && !self.switches.chance_plies;
        let step = Step { mv: event.outcome, probability: Some(event.probability) };
        Followed { event, child, turn, left: node.left - u32::from(again), step }
    }
}
