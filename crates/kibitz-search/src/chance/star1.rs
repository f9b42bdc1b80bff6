//! Star1 (Ballard 1983): events one by one, each with the window outside of which it decides the node.
//!
//! With the sums of the bounds of all other events, (α − Σ P hi) / P and (β − Σ P lo) / P are the window; for events not yet
//! searched lo and hi are L and U, or what other phases have found. The same for equal and for different probabilities.

use super::EstimateWindow;
use super::events::{Followed, Node};
use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Tree<'_, G> {
    /// Searches the events that are not settled until the node is cut, or all of them.
    pub(super) fn search_events(&mut self, node: &mut Node<'_, G::Position>) -> f64 {
        for place in node.first..node.end {
            if self.events[place].settled() {
                continue;
            }
            let Followed { mut event, child, left, step, .. } = self.follow(node, place);
            let (a, b) = node.window(&event);
            // the value is known to lie between the bounds of the event, so a window need not be wider
            let (mut alpha, mut beta) = (a.max(event.low), b.min(event.high));
            if node.estimated {
                let (low, high) = match self.switches.prob_cut.window {
                    EstimateWindow::Star1 => (alpha, beta),
                    EstimateWindow::Intersection => (alpha.max(event.guess_low), beta.min(event.guess_high)),
                    EstimateWindow::Wider => (alpha.min(event.guess_low), beta.max(event.guess_high)),
                };
                if low < high {
                    (alpha, beta) = (low, high);
                }
            }
            if alpha >= beta {
                // only estimates that contradict each other, or the last bits of a sum, leave nothing between
                (alpha, beta) = (event.low, event.high);
            }
            let value = self.enter(&child, step, left, node.ply + 1, alpha, beta);
            if self.interrupted() {
                return 0.0;
            }
            // a value at the end of the window is one of the node's cuts, or the event's own bound
            let value = value.clamp(event.low, event.high);
            node.believe(&mut event, value, value);
            (event.low, event.high) = (value, value);
            self.events[place] = event;
            if value <= a || value >= b {
                let unsearched = self.events[place + 1..node.end].iter().any(|event| !event.settled());
                if unsearched || node.estimated {
                    self.counters.star1_cuts += u64::from(unsearched);
                    if unsearched {
                        self.note("cut");
                    }
                    // the last bits of a sum do not bring it back into the window
                    return match (value <= a, node.estimated) {
                        (true, true) => node.alpha,
                        (true, false) => node.sum_high.min(node.alpha),
                        (false, true) => node.beta,
                        (false, false) => node.sum_low.max(node.beta),
                    };
                }
            }
        }
        // from the events and not from the sums, which have gathered an error in their last bits
        self.events[node.first..node.end].iter().map(|event| event.probability * event.low).sum()
    }
}
