//! Iterative deepening: the iterations, and what one hands on to the next.

use std::cmp::Reverse;
use std::sync::Arc;

use kibitz_game::{Bound, Iteration, Memory, Pack, Random, Report, Score, Table, Turn};

use super::guess::Guesser;
use super::lazy_smp::Helpers;
use super::tree::Tree;
use super::{Driver, FirstGuess};
use crate::{Context, Searchable};

impl<'a, G: Searchable> Tree<'a, G> {
    /// Iterative deepening, or one search of the last depth.
    pub(super) fn iterate(
        &mut self,
        position: &G::Position,
        me: u8,
        helpers: &mut Helpers<'a, G>,
        context: &mut Context<'_, G::Move>,
        report: &mut Report<G::Move>,
    ) {
        let game = self.game;
        game.moves(position, &mut self.root);
        if let Some(seed) = self.switches.seed {
            Random::new(seed).shuffle(&mut self.root);
        }
        if self.switches.seed.is_none() && self.switches.ordering.hints && G::HINTED {
            self.root.sort_by_cached_key(|&mv| Reverse(game.hint(position, mv)));
        }
        if G::REPEATS {
            self.path.push(game.key(position));
        }
        let static_value = game.evaluate(position, usize::from(me));
        report.best = self.root.first().copied();
        report.pv.extend(report.best);
        report.value = game.result(f64::from(static_value));
        report.bound = Bound::Estimate;
        let range = game.range(usize::from(me));
        // an evaluation never reaches the ends of the range, so a value there comes from the end of the game
        let ends_prove = !self.prunes
            && self.bucket == 1
            && (G::INFORMED || (range.low < range.middle() && range.middle() < range.high));
        let guesser = match &self.switches.driver {
            Driver::BestNode(method) => {
                let unit = f64::from(game.unit()) / f64::from(self.bucket);
                Some(Guesser::new(&method.next_guess, self.range(me).0, unit))
            }
            _ => None,
        };
        let depths = self.switches.depths(context.limits);
        let last = *depths.end();
        if last == 0 {
            self.budget.spend();
        }
        // the values of the last iterations by parity, and the one before this
        let mut values = [self.bucketed(static_value, me); 2];
        let mut previous = None;
        for depth in depths.step_by(self.switches.step.max(1) as usize) {
            self.horizon = false;
            self.root_depth = depth;
            let guess = self.first_guess(values[depth as usize % 2]);
            let last = depth == last;
            self.begin_record(me);
            let found = self.helped(helpers, position, me, |tree| {
                tree.drive(guesser.as_ref(), position, me, depth, previous, guess, last)
            });
            let Some(found) = found else { break };
            self.keep_record();
            values[depth as usize % 2] = found.value;
            previous = Some(found.value);
            report.pv.clear();
            report.pv.append(&mut self.line);
            self.extend_line(position, &mut report.pv, depth as usize);
            if let Some(&best) = report.pv.first() {
                report.best = Some(best);
                if let Some(i) = self.root.iter().position(|&mv| mv == best) {
                    self.root[..=i].rotate_right(1);
                }
            }
            report.value = game.result(f64::from(found.value) * f64::from(self.bucket));
            report.bound = if self.bucket == 1 { found.bound } else { Bound::Estimate };
            // without deepening the limit may lie far beyond the end of the game
            report.depth = depth.min(self.deepest + 1);
            let end = match found.bound {
                Bound::Lower => found.value == range.high,
                _ => found.value == range.low || found.value == range.high,
            };
            report.proven = found.bound == Bound::Exact && !self.horizon || ends_prove && end;
            if self.bucket > 1 {
                report.proven = false;
            }
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
            if report.proven || !self.horizon {
                break;
            }
            self.history.age(self.switches.ordering.ageing);
            // As large as the search so far: a larger table would keep more, but what is touched for the first time and
            // lies outside of the cache costs more than it saves.
            if let Some(Table::Sized(table)) = Arc::get_mut(&mut self.table) {
                table.grow((self.budget.nodes + helpers.nodes()) as usize);
            }
        }
    }

    /// Where null windows begin, given the value two plies earlier.
    fn first_guess(&self, previous: Score) -> Score {
        match &self.switches.driver {
            Driver::Mtd(FirstGuess::At(result)) => self.to_score(*result),
            Driver::BestNode(method) => match method.first_guess {
                FirstGuess::At(result) => self.to_score(result),
                FirstGuess::Previous => previous,
            },
            _ => previous,
        }
    }

    /// Follows the table where a cutoff by it ended the principal variation early.
    fn extend_line(&self, position: &G::Position, line: &mut Vec<G::Move>, depth: usize) {
        if !self.table.is_some() {
            return;
        }
        let mut position = position.clone();
        for &mv in &*line {
            self.game.play(&mut position, mv);
        }
        let mut moves = Vec::new();
        while line.len() < depth && matches!(self.game.turn(&position), Turn::Player(_)) {
            let Some(packed) = self.table.probe(self.game.key(&position)).and_then(|entry| entry.mv) else { break };
            moves.clear();
            self.game.moves(&position, &mut moves);
            let Some(&mv) = moves.iter().find(|mv| mv.pack() == packed) else { break };
            self.game.play(&mut position, mv);
            line.push(mv);
        }
    }
}
