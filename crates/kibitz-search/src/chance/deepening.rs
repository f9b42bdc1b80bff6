//! Iterative deepening: the iterations, and what one hands on to the next.

use std::cmp::Reverse;

use kibitz_game::{Bound, Child, Iteration, MAX_DEPTH, Random, Report, Table, Turn};

use super::tree::Tree;
use super::{StarMinimax, leaf};
use crate::{Context, NotSupported, Searchable};

impl StarMinimax {
    /// The depths of a search to this one, the last included. They have its parity when an iteration adds two plies; without a
    /// limit they begin with 1.
    fn depths(&self, limit: Option<u32>) -> (u32, u32, usize) {
        let step = self.step.max(1);
        let last = limit.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let first = match limit {
            _ if !self.deepening => last,
            Some(_) => last.saturating_sub(1) % step + 1,
            None => 1,
        };
        (first, last, step as usize)
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// The moves of the root in the order in which the first iteration tries them.
    pub(super) fn list_root(&mut self, position: &G::Position, turn: Turn) -> Result<(), NotSupported> {
        let game = self.game;
        if matches!(turn, Turn::Player(_)) {
            game.moves(position, &mut self.root);
        }
        if let Some(only) = &self.switches.only {
            self.root.retain(|&mv| game.write_move(position, mv) == *only);
            if self.root.is_empty() {
                return Err(NotSupported(format!("only={only} is not a legal move of the position that is searched")));
            }
        }
        if let Some(seed) = self.switches.seed {
            Random::new(seed).shuffle(&mut self.root);
        } else if self.switches.ordering.hints && G::HINTED {
            self.root.sort_by_cached_key(|&mv| Reverse(game.hint(position, mv)));
        }
        Ok(())
    }

    /// Iterative deepening, or one search of the last depth.
    pub(super) fn iterate(
        &mut self,
        position: &G::Position,
        turn: Turn,
        context: &mut Context<'_, G::Move>,
        report: &mut Report<G::Move>,
    ) {
        let game = self.game;
        let player = if let Turn::Player(player) = turn { Some(player) } else { None };
        let sign = if player == Some(1) { -1.0 } else { 1.0 };
        let key = self.key(position);
        if G::REPEATS {
            self.path.push(key);
        }
        report.best = self.root.first().copied();
        report.pv.extend(report.best);
        report.value = game.result(sign * leaf::evaluate(game, position, self.switches.noise));
        report.bound = Bound::Estimate;
        let (first, last, step) = self.switches.depths(context.limits.depth);
        if last == 0 {
            self.budget.spend();
            return;
        }
        // beyond what any value can be on the side where the root may cut nothing
        let (alpha, beta) = match player {
            _ if self.full_width => (f64::NEG_INFINITY, f64::INFINITY),
            Some(0) => (f64::NEG_INFINITY, self.high),
            Some(_) => (self.low, f64::INFINITY),
            None => (self.low, self.high),
        };
        for depth in (first..=last).step_by(step) {
            self.horizon = false;
            self.root_values.clear();
            self.begin_record(player);
            self.open_record(position, None, depth, alpha, beta);
            let value = if self.budget.spend() {
                0.0
            } else if let Some(me) = player {
                self.node(position, key, me, depth, 0, alpha, beta)
            } else {
                self.chance_node(position, key, depth, 0, alpha, beta)
            };
            self.close_record(position, value);
            if self.interrupted() {
                break;
            }
            self.keep_record();
            report.value = game.result(sign * value);
            report.bound = if self.switches.samples > 0 { Bound::Estimate } else { Bound::Exact };
            report.pv.clear();
            report.pv.extend_from_slice(self.lines.root());
            if let Some(&best) = report.pv.first() {
                report.best = Some(best);
                if let Some(i) = self.root.iter().position(|&mv| mv == best) {
                    self.root[..=i].rotate_right(1);
                }
            }
            if self.full_width {
                let child = |&(mv, value)| Child { mv, visits: 0, value: game.result(value), error: None };
                report.children = self.root_values.iter().map(child).collect();
            }
            // without deepening the limit may lie far beyond the end of the game
            report.depth = depth.min(self.deepest + 1);
            report.proven = !self.horizon;
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
            if report.proven {
                break;
            }
            self.history.age(self.switches.ordering.ageing);
            if let Table::Sized(table) = &mut self.table {
                table.grow(self.budget.nodes as usize);
            }
        }
    }
}
