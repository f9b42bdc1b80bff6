//! When a node is left before all of its branches are searched.
//!
//! A chain of nodes of different players, each with a bound, from an ancestor down to a node: if the bounds add up to more
//! than all players can have together, every branch of the node that is left gives at least one player of the chain less
//! than his bound. Whether that player is asked in the end is what the ways of pruning differ in.

use kibitz_game::Score;

use super::Pruning;
use super::tree::{NO_BOUND, Tree};
use crate::Searchable;

impl<G: Searchable> Tree<'_, G> {
    /// What a player has above his least value.
    #[inline(always)]
    fn above(&self, player: u8, value: Score) -> i64 {
        i64::from(value) - i64::from(self.low[usize::from(player)])
    }

    /// The greatest sum below a node: that of the game, or less where bounds of the position say so.
    pub(super) fn greatest_below(&self, position: &G::Position) -> i64 {
        if !self.branch_and_bound {
            return self.greatest;
        }
        let heights = (0..self.players).map(|player| self.above(player as u8, self.game.bounds(position, player).high));
        self.greatest.min(heights.sum())
    }

    /// The ply of the highest node on whose bound a cut of this node rests, if there is a cut. `value` is the best component of
    /// the player `me`; bounds above `top` must not be used, and with `strict` a sum must exceed the greatest.
    #[inline]
    pub(super) fn window(
        &self,
        me: u8,
        value: Score,
        ply: usize,
        top: usize,
        strict: bool,
        greatest: i64,
    ) -> Option<usize> {
        match self.pruning {
            Pruning::None => None,
            Pruning::ApproximateDeep => self.deep_window(me, value, ply, greatest),
            pruning => {
                let equal_cuts = self.loose && !strict;
                let mut sum = self.above(me, value);
                let mut seen = 1u32 << me;
                for j in (top..ply).rev() {
                    let frame = &self.frames[j];
                    if seen >> frame.player & 1 != 0 || frame.bound == NO_BOUND {
                        return None;
                    }
                    seen |= 1 << frame.player;
                    sum += self.above(frame.player, frame.bound);
                    if sum > greatest || equal_cuts && sum == greatest {
                        return Some(j);
                    }
                    let goes_on = match pruning {
                        Pruning::Speculative => true,
                        Pruning::LastBranch => {
                            frame.last && j > 0 && {
                                // the parent must not care which of the two the node between returns
                                let parent = &self.frames[j - 1];
                                parent.bound != NO_BOUND && frame.best[usize::from(parent.player)] < parent.bound
                            }
                        }
                        _ => false,
                    };
                    if !goes_on {
                        return None;
                    }
                }
                None
            }
        }
    }

    /// The same with the greatest bound of every player among all ancestors.
    fn deep_window(&self, me: u8, value: Score, ply: usize, greatest: i64) -> Option<usize> {
        let mut bounds = self.low;
        let mut highest = ply;
        bounds[usize::from(me)] = value;
        for (j, frame) in self.frames[..ply].iter().enumerate().rev() {
            let bound = &mut bounds[usize::from(frame.player)];
            if frame.bound > *bound {
                *bound = frame.bound;
                highest = j;
            }
        }
        let sum: i64 = (0..self.players).map(|player| self.above(player as u8, bounds[player])).sum();
        (sum >= greatest && highest < ply).then_some(highest)
    }
}
