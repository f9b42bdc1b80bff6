//! Iterative deepening: the iterations, and what one hands on to the next.

use std::cmp::Reverse;

use kibitz_game::{Bound, Iteration, MAX_DEPTH, Random, Report};

use super::super::leaf;
use super::Pruning;
use super::tree::Tree;
use crate::{Context, Searchable};

impl<G: Searchable> Tree<'_, G> {
    /// Iterative deepening, or one search of the last depth.
    pub(super) fn iterate(
        &mut self,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
        report: &mut Report<G::Move>,
    ) {
        let (game, me) = (self.game, self.root_player);
        game.moves(position, &mut self.root);
        if let Some(seed) = self.switches.seed {
            Random::new(seed).shuffle(&mut self.root);
        } else if self.switches.ordering.hints && G::HINTED {
            self.root.sort_by_cached_key(|&mv| Reverse(game.hint(position, mv)));
        }
        let key = self.key(position);
        if G::REPEATS {
            self.path.push(key);
        }
        report.best = self.root.first().copied();
        report.pv.extend(report.best);
        report.bound = Bound::Estimate;
        let results = |values: &super::super::Tuple| {
            values[..game.players()].iter().map(|&value| game.result(f64::from(value))).collect::<Vec<f64>>()
        };
        report.values = results(&leaf::tuple(game, position, self.players, self.switches.noise));
        report.value = report.values[usize::from(me)];
        let last = context.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        if last == 0 {
            self.budget.spend();
            return;
        }
        let step = self.switches.step.max(1);
        let first = if self.switches.deepening { (last - 1) % step + 1 } else { last };
        for depth in (first..=last).step_by(step as usize) {
            self.horizon = false;
            if self.budget.spend() {
                break;
            }
            let found = self.node(position, key, me, depth, 0, 0, false);
            if self.interrupted() {
                break;
            }
            report.values = results(&found.values);
            report.value = report.values[usize::from(me)];
            report.bound = if self.pruning == Pruning::ApproximateDeep { Bound::Estimate } else { Bound::Exact };
            report.pv.clear();
            report.pv.extend_from_slice(self.lines.root());
            report.best = report.pv.first().copied().or(report.best);
            // without deepening the limit may lie far beyond the end of the game
            report.depth = depth.min(self.deepest + 1);
            report.proven = !self.horizon && self.pruning != Pruning::ApproximateDeep && self.switches.target.is_none();
            let step = Iteration {
                depth: u64::from(depth),
                value: report.value,
                nodes: self.budget.nodes,
                time: self.budget.elapsed(),
                pv: report.pv.clone(),
            };
            (context.progress)(&step);
            report.history.push(step);
            // where every line came to the end of the game another iteration finds nothing new
            if !self.horizon {
                break;
            }
            self.history.age(self.switches.ordering.ageing);
        }
    }
}
