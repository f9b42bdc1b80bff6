//! Which events a chance node has: all of them, or some that are drawn.
//!
//! M. Lanctot, A. Saffidine, J. Veness, C. Archibald, M. Winands, *Monte Carlo \*-Minimax Search*, IJCAI 2013: sparse sampling
//! (Kearns, Mansour and Ng 1999) at the chance nodes, and Star1 or Star2 on the tree that is left. What is drawn at a position
//! is a function of the position and the seed, so that every iteration and every path sees the same tree: on it the whole
//! family agrees, as it does on the tree of all events.

use kibitz_game::Random;

use super::events::Event;
use super::tree::Tree;
use crate::Searchable;

impl<G: Searchable> Tree<'_, G> {
    /// Appends the events of a chance node.
    pub(super) fn list_events(&mut self, position: &G::Position, key: u64) {
        let (low, high) = (self.low, self.high);
        let event =
            |(outcome, probability)| Event { outcome, probability, low, high, guess_low: low, guess_high: high };
        self.listed.clear();
        self.game.outcomes(position, &mut self.listed);
        let samples = self.switches.samples as usize;
        if samples == 0 || self.listed.len() <= samples {
            self.events.extend(self.listed.iter().copied().map(event));
            return;
        }
        // an average over what was drawn proves nothing
        self.horizon = true;
        let mut random = Random::stream(self.switches.seed.unwrap_or(0), key);
        let first = self.events.len();
        self.events.extend(self.listed.iter().map(|&(outcome, _)| event((outcome, 0.0))));
        for _ in 0..samples {
            let mut left = random.unit();
            let drawn = self.listed.iter().position(|&(_, probability)| {
                left -= probability;
                left < 0.0
            });
            self.events[first + drawn.unwrap_or(self.listed.len() - 1)].probability += 1.0 / samples as f64;
        }
        let mut kept = first;
        for place in first..self.events.len() {
            if self.events[place].probability > 0.0 {
                self.events.swap(kept, place);
                kept += 1;
            }
        }
        self.events.truncate(kept);
    }
}
