//! A\*: the position with the highest bound first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use kibitz_game::{Budget, Report, Score, Turn};
use rustc_hash::FxHashMap;

use super::effort::Teller;
use super::first_report;
use super::lineage::{Lineage, ORIGIN};
use super::record::Record;
use super::team::conclude;
use crate::{Context, NotSupported, Searchable};

/// A\* (P. Hart, N. Nilsson and B. Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968) for the greatest
/// score: always expands the position whose upper bound ([`kibitz_game::Evaluate::bounds`]) is greatest, so that the first finished game that
/// comes to its turn is the best of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AStar {
    /// The memory for positions, in megabytes; the search ends when it is full.
    pub memory_mb: usize,
}

impl Default for AStar {
    fn default() -> Self {
        Self { memory_mb: 1024 }
    }
}

/// A position that waits to be expanded.
struct Open<P> {
    bound: Score,
    /// Of equal bounds the deeper position is the more promising, and then the earlier one.
    depth: u32,
    number: u64,
    step: u32,
    position: P,
}

impl<P> Open<P> {
    fn rank(&self) -> (Score, u32, u64) {
        (self.bound, self.depth, u64::MAX - self.number)
    }
}

impl<P> PartialEq for Open<P> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl<P> Eq for Open<P> {}

impl<P> PartialOrd for Open<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P> Ord for Open<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl AStar {
    /// Searches until the best line is proven, the memory is full or a limit is reached.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        const NAME: &str = "AStar";
        let mut report = first_report(NAME, game, position)?;
        if report.proven {
            return Ok(report);
        }
        let record = Record::new(game, position, context.stop);
        let mut teller = Teller::new(context.progress);
        let mut budget = Budget::new(context.limits, context.stop);
        budget.spend();
        let extra = game.position_bytes().saturating_sub(size_of::<G::Position>());
        // its step, its place among those that were seen, and what the arrays have to spare
        let each = 2 * (size_of::<Open<G::Position>>() + extra + 48);
        let room = (self.memory_mb.saturating_mul(1 << 20) / each).max(16);
        let mut search = Search {
            record: &record,
            open: BinaryHeap::new(),
            seen: FxHashMap::default(),
            lineage: Lineage::new(),
            moves: Vec::new(),
            line: Vec::new(),
            numbers: 0,
            room,
        };
        let bound = game.bounds(position, 0).high;
        search.open.push(Open { bound, depth: 0, number: 0, step: ORIGIN, position: position.clone() });
        let proven = loop {
            // nothing that waits can be better than what is known
            let Some(next) = search.open.pop().filter(|next| record.top().is_none_or(|top| next.bound > top)) else {
                break true;
            };
            if search.full() || !search.expand(&next, &mut budget) {
                search.open.push(next);
                break false;
            }
            record.nodes.store(budget.nodes, std::sync::atomic::Ordering::Relaxed);
            teller.look(&record);
        };
        record.nodes.store(budget.nodes, std::sync::atomic::Ordering::Relaxed);
        let best_left = search.open.peek().map_or(i32::MIN, |open| open.bound);
        let upper = if proven { record.top().unwrap_or(best_left) } else { best_left };
        report.stats = vec![
            ("games", record.playouts.load(std::sync::atomic::Ordering::Relaxed) as f64),
            ("upper_bound", game.result(f64::from(upper))),
            ("open", search.open.len() as f64),
            ("seen", search.seen.len() as f64),
            ("memory_full", f64::from(u8::from(search.full()))),
        ];
        teller.look(&record);
        conclude(NAME, &record, teller, proven, &mut report)?;
        Ok(report)
    }
}

struct Search<'a, G: Searchable> {
    record: &'a Record<'a, G>,
    open: BinaryHeap<Open<G::Position>>,
    /// The most points with which each remainder was reached.
    seen: FxHashMap<u64, Score>,
    lineage: Lineage<G::Move>,
    moves: Vec<G::Move>,
    line: Vec<G::Move>,
    numbers: u64,
    room: usize,
}

impl<G: Searchable> Search<'_, G> {
    fn full(&self) -> bool {
        self.open.len() + self.seen.len() / 2 >= self.room
    }

    /// Adds the children of a position; false if the search must end.
    fn expand(&mut self, open: &Open<G::Position>, budget: &mut Budget<'_>) -> bool {
        let game = self.record.game;
        self.moves.clear();
        game.moves(&open.position, &mut self.moves);
        for &mv in &self.moves {
            if budget.spend() {
                return false;
            }
            let mut child = open.position.clone();
            game.play(&mut child, mv);
            match game.turn(&child) {
                Turn::Chance => {
                    self.record.chance.store(true, std::sync::atomic::Ordering::Relaxed);
                    return false;
                }
                Turn::Over => {
                    let score = game.score(&child, 0);
                    self.record.playouts.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if self.record.top().is_none_or(|top| score > top) {
                        self.lineage.line(open.step, &mut self.line);
                        self.line.push(mv);
                        self.record.offer(score, 0, &self.line);
                    }
                }
                Turn::Player(_) => {
                    // a bound that is greater than the one before it says nothing new
                    let bound = game.bounds(&child, 0).high.min(open.bound);
                    if self.record.top().is_some_and(|top| bound <= top) {
                        continue;
                    }
                    let gained = game.gained(&child);
                    let known = self.seen.entry(game.remainder(&child)).or_insert(Score::MIN);
                    if *known >= gained {
                        continue;
                    }
                    *known = gained;
                    self.numbers += 1;
                    let step = self.lineage.add(open.step, mv);
                    let (depth, number) = (open.depth + 1, self.numbers);
                    self.open.push(Open { bound, depth, number, step, position: child });
                }
            }
        }
        !budget.over()
    }
}
