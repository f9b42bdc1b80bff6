//! IDA\*: depth first, with one bound after the other.

use std::sync::atomic::Ordering::Relaxed;

use kibitz_game::{Budget, Report, Score, Turn};
use rustc_hash::FxHashMap;

use super::effort::Teller;
use super::first_report;
use super::record::Record;
use super::team::conclude;
use crate::{Context, NotSupported, Searchable};

/// IDA\* (R. Korf, *Depth-First Iterative-Deepening: An Optimal Admissible Tree Search*, 1985) for the greatest score: searches for a game
/// that reaches the upper bound of the root, and after each failure for one that reaches the greatest bound that was cut off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdaStar {
    /// The memory for positions that were searched in vain, in megabytes; 0 for none, as published.
    pub tt_mb: usize,
}

impl IdaStar {
    /// Searches until the best line is proven or a limit is reached.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        const NAME: &str = "IdaStar";
        let mut report = first_report(NAME, game, position)?;
        if report.proven {
            return Ok(report);
        }
        let record = Record::new(game, position, context.stop);
        let mut teller = Teller::new(context.progress);
        let mut search = Search {
            record: &record,
            budget: Budget::new(context.limits, context.stop),
            goal: game.bounds(position, 0).high,
            next: None,
            seen: FxHashMap::default(),
            // a place of the table and what it has to spare
            room: self.tt_mb.saturating_mul(1 << 20) / 32,
            moves: Vec::new(),
            line: Vec::new(),
        };
        let mut iterations = 0;
        let proven = loop {
            iterations += 1;
            search.next = None;
            search.seen.clear();
            let ended = !search.descend(position, &mut teller);
            if ended {
                break false;
            }
            // what was found is the best if nothing that was cut off can reach more
            match search.next {
                Some(next) if record.top().is_none_or(|top| next > top) => search.goal = next,
                _ => break record.top().is_some(),
            }
        };
        record.nodes.store(search.budget.nodes, Relaxed);
        let upper = if proven { record.top().unwrap_or(search.goal) } else { search.goal };
        report.stats = vec![
            ("games", record.playouts.load(Relaxed) as f64),
            ("upper_bound", game.result(f64::from(upper))),
            ("iterations", f64::from(iterations)),
        ];
        teller.look(&record);
        conclude(NAME, &record, teller, proven, &mut report)?;
        Ok(report)
    }
}

struct Search<'a, G: Searchable> {
    record: &'a Record<'a, G>,
    budget: Budget<'a>,
    /// The score that is sought.
    goal: Score,
    /// The greatest bound that was cut off.
    next: Option<Score>,
    /// The most points with which a remainder was searched in vain for this goal.
    seen: FxHashMap<u64, Score>,
    room: usize,
    /// The moves that are left at each ply, one after the other.
    moves: Vec<G::Move>,
    line: Vec<G::Move>,
}

/// A position on the way with the end of its moves.
struct Frame<P> {
    position: P,
    bound: Score,
    begin: usize,
}

impl<G: Searchable> Search<'_, G> {
    /// Searches for a game that reaches the goal, without recursion, as games may be long. False if it must end.
    fn descend(&mut self, root: &G::Position, teller: &mut Teller<'_, G::Move>) -> bool {
        let game = self.record.game;
        self.moves.clear();
        self.line.clear();
        if self.budget.spend() {
            return false;
        }
        let mut frames = vec![Frame { position: root.clone(), bound: self.goal, begin: 0 }];
        game.moves(root, &mut self.moves);
        self.moves.reverse();
        while let Some(frame) = frames.last() {
            if self.moves.len() == frame.begin {
                frames.pop();
                self.line.pop();
                continue;
            }
            let Some(mv) = self.moves.pop() else { break };
            if self.budget.spend() {
                return false;
            }
            let mut child = frame.position.clone();
            game.play(&mut child, mv);
            match game.turn(&child) {
                Turn::Chance => {
                    self.record.chance.store(true, Relaxed);
                    return false;
                }
                Turn::Over => {
                    let score = game.score(&child, 0);
                    self.record.playouts.fetch_add(1, Relaxed);
                    if self.record.top().is_none_or(|top| score > top) {
                        self.line.push(mv);
                        self.record.offer(score, 0, &self.line);
                        self.line.pop();
                        self.record.nodes.store(self.budget.nodes, Relaxed);
                        teller.look(self.record);
                    }
                    if score >= self.goal {
                        return true;
                    }
                }
                Turn::Player(_) => {
                    let bound = game.bounds(&child, 0).high.min(frame.bound);
                    if bound < self.goal {
                        self.next = self.next.max(Some(bound));
                        continue;
                    }
                    if self.room > 0 && self.known(&child) {
                        continue;
                    }
                    self.line.push(mv);
                    let begin = self.moves.len();
                    game.moves(&child, &mut self.moves);
                    self.moves[begin..].reverse();
                    frames.push(Frame { position: child, bound, begin });
                }
            }
        }
        true
    }

    /// Whether the remainder was searched with as many points before; notes that it is searched now.
    fn known(&mut self, position: &G::Position) -> bool {
        let (remainder, gained) = (self.record.game.remainder(position), self.record.game.gained(position));
        match self.seen.get_mut(&remainder) {
            Some(known) if *known >= gained => true,
            Some(known) => {
                *known = gained;
                false
            }
            None => {
                if self.seen.len() < self.room {
                    self.seen.insert(remainder, gained);
                }
                false
            }
        }
    }
}
