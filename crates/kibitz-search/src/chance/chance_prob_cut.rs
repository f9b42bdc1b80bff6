//! `ChanceProbCut` (M. Schadd, M. Winands, J. Uiterwijk, *`ChanceProbCut`: Forward Pruning in Chance Nodes*, 2009; Schadd 2011,
//! section 5.4): a shallow search of every event says between which values the deep one will probably find it, and a chance
//! node whose sums of such intervals miss the window is cut.
//!
//! The value to the depth of an event is about a linear function of the value to a lesser depth, with a normal error; the interval
//! is t deviations to both sides. With several checks of the same depth, from shallow to deep, this is
//! Multi-`ChanceProbCut`, which the thesis proposes.
//!
//! The printed listing (algorithm 5.2) is damaged: its probing phase raises the upper bound of nodes that make values large
//! and tests alpha, so that it never cuts; its search phase is given the wider of two windows, where the text says that
//! the estimates narrow it; and its last tests forget the estimates, which the worked example uses. Here the phases share
//! their bounds, and the window is a switch.

use kibitz_game::Turn;

use super::events::{Followed, Node};
use super::tree::Tree;
use crate::{Check, Searchable};

/// The parameters of the forward pruning. Without checks there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChanceProbCut {
    /// The depths of events at which shallow searches are made, and what these foretell; the threshold of a check is t.
    pub checks: Vec<Check>,
    /// Forgets the estimates where they do not cut at once, so that the later phases rest on proven bounds alone.
    pub safe: bool,
    /// With which window an event is searched that an estimate is known of.
    pub window: EstimateWindow,
}

/// The window of an event with an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EstimateWindow {
    /// What decides the node and what is estimated, both; if nothing lies between, the first of them.
    #[default]
    Intersection,
    /// What decides the node.
    Star1,
    /// What decides the node or is estimated, either, as printed.
    Wider,
}

impl<G: Searchable> Tree<'_, G> {
    /// Estimates the events by shallow searches; the value if that cuts.
    pub(super) fn estimate_events(&mut self, node: &mut Node<'_, G::Position>) -> Option<f64> {
        let numbers = self.checks.at(node.left);
        if numbers.is_empty() {
            return None;
        }
        let unit = f64::from(self.game.unit());
        let mut cut = None;
        'checks: for number in numbers {
            let check = self.checks.sorted[number];
            for place in node.first..node.end {
                if self.events[place].settled() {
                    continue;
                }
                let Followed { mut event, child, turn, step, .. } = self.follow(node, place);
                let over = turn == Turn::Over;
                if !over && self.checks.staged {
                    let progress = self.game.progress(&child).unwrap_or(0);
                    if progress < check.stage.0 || progress > check.stage.1 {
                        continue;
                    }
                }
                self.checks.checking = true;
                let value = self.enter(&child, step, check.depth, node.ply + 1, self.low, self.high);
                self.checks.checking = false;
                if self.interrupted() {
                    return Some(0.0);
                }
                if over {
                    node.prove(&mut event, value, value);
                } else {
                    self.counters.shallow_searches += 1;
                    self.horizon = true;
                    node.estimated = true;
                    // the numbers were fitted to values of the player to move
                    let offset = if turn == Turn::Player(1) { -check.offset } else { check.offset };
                    let middle = check.slope * value + offset * unit;
                    let spread = check.threshold * check.deviation * unit;
                    let low = (middle - spread).clamp(event.low, event.high);
                    let high = (middle + spread).clamp(event.low, event.high);
                    node.believe(&mut event, low, high);
                }
                self.events[place] = event;
                cut = node.cut();
                if cut.is_some() {
                    break 'checks;
                }
            }
        }
        if cut.is_some() {
            self.counters.prob_cuts += 1;
            self.note("prob-cut");
        } else if self.switches.prob_cut.safe && node.estimated {
            for place in node.first..node.end {
                let mut event = self.events[place];
                let (low, high) = (event.low, event.high);
                node.believe(&mut event, low, high);
                self.events[place] = event;
            }
            node.estimated = false;
        }
        cut
    }
}
