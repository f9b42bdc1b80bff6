//! Incremental transpositions: depth-first search that knows without a table what other orders of moves have reached.

mod parts;
mod table;
mod walk;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use kibitz_game::{Bound, Budget, Iteration, Limits, Report, Turn};

use crate::helper::spawn;
use crate::{Context, NotSupported, Searchable, refuse_hidden};
use parts::Part;
use table::Met;
use walk::{Found, Walk};

/// Set-passing depth-first search of B. Helmstetter and T. Cazenave, *Incremental Transpositions*, Computers and Games 2004 (LNCS 3846), for
/// games of one player.
///
/// A node has a set of moves that lead to positions already searched. A move of the set is not tried. Below a move `m` the set has those
/// of its moves that commute with `m`: `m` and then `t` leads to the same position as `t` and then `m`, which was searched below `t`.
/// Each move that was tried joins the set. So of all orders of moves that commute one is searched, and the memory is a
/// small set a ply. Transpositions whose moves differ are not seen. The same idea is known as sleep sets in model checking
/// (P. Godefroid 1990).
///
/// Every line is searched to its end, or to the limit of depth: the orders of a set of moves are equally long, so that a
/// limit of depth does no harm. A position that is searched again would have no other value.
///
/// A table may be added, as in the paper: one position an entry, always replaced, asked after the sets. Where positions can come back,
/// those on the way to a node are not entered again, and a position counts as searched as soon as it is entered: what
/// lies behind it is found by then or will be.
#[derive(Clone, Debug)]
pub struct IncrementalTranspositions {
    /// Passes sets of moves; without it this is plain depth-first search.
    pub sets: bool,
    /// What the search keeps of the positions that it has entered.
    pub table: TableSize,
    /// Ends as soon as a line has the greatest score that the rules allow.
    pub stop_at_best: bool,
    /// The memory for the table and for the lines, in megabytes; the search ends when it is full.
    pub memory_mb: usize,
    /// How many threads share the parts of the tree; with a table, or where positions come back, there is one.
    pub threads: usize,
}

/// Which positions a search keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSize {
    /// None.
    None,
    /// One position in each of so many entries, the newest.
    Entries(usize),
    /// All of them.
    Exact,
}

impl Default for IncrementalTranspositions {
    fn default() -> Self {
        Self { sets: true, table: TableSize::None, stop_at_best: false, memory_mb: 512, threads: 1 }
    }
}

const NAME: &str = "IncrementalTranspositions";

impl IncrementalTranspositions {
    /// Searches all positions below this one, or those within the limit of depth.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        self.require(game)?;
        let clock = Budget::new(context.limits, context.stop);
        let mut total = Found::default();
        let parts = self.split(game, position, context.limits, &mut total);
        if let [root] = &parts[..] {
            let met = Met::new(self.table, self.memory_mb)?;
            let mut walk = Walk::new(game, self, met, Budget::new(context.limits, context.stop), context.limits.depth);
            walk.improved = Some(&mut *context.progress);
            walk.part(root);
            total.add(walk.found);
        } else {
            self.side_by_side(game, &parts, context, &mut total);
        }
        if total.chance {
            return Err(NotSupported(format!(
                "{NAME} searches games without chance; this one has chance nodes: use Uct"
            )));
        }
        Ok(report(game, position, context, total, &clock))
    }

    fn require<G: Searchable>(&self, game: &G) -> Result<(), NotSupported> {
        refuse_hidden(NAME, game)?;
        if game.players() != 1 {
            return Err(NotSupported(format!(
                "{NAME} searches games of one player; this one has {}: use Minimax or Uct",
                game.players()
            )));
        }
        if self.sets && !game.commutes() {
            return Err(NotSupported(format!(
                "{NAME} passes sets of moves that commute, and this game does not say which do: use sets=False, perhaps with a table"
            )));
        }
        if self.threads > 1 && self.table != TableSize::None {
            return Err(NotSupported("a table belongs to one thread: use threads=1, or no table".to_owned()));
        }
        Ok(())
    }

    /// The parts of the tree that threads share, in the order in which one thread would come to them, what is above them goes into `total`.
    fn split<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        limits: &Limits,
        total: &mut Found<G::Move>,
    ) -> Vec<Part<G>> {
        let root = vec![Part::root(position)];
        if self.threads <= 1 || game.cycles() {
            return root;
        }
        // many small parts end at about the same time; with few nodes to spend there are none to give away
        let enough = 32 * self.threads;
        let spare = limits.nodes.unwrap_or(u64::MAX) / 1000;
        let enough = usize::try_from(spare).map_or(enough, |spare| enough.min(spare));
        parts::split(game, self.sets, root, limits.depth, enough, total)
    }

    fn side_by_side<G: Searchable>(
        &self,
        game: &G,
        parts: &[Part<G>],
        context: &Context<'_, G::Move>,
        total: &mut Found<G::Move>,
    ) {
        let above: u64 = total.counts.iter().sum();
        let left = context.limits.nodes.map(|nodes| nodes.saturating_sub(above));
        let limits = Limits { nodes: left, ..context.limits.clone() }.shared(self.threads);
        let (next, solved) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let mut found = Vec::new();
            let budget = Budget::new(&limits, context.stop).until(&solved);
            let mut walk = Walk::new(game, self, Met::None, budget, context.limits.depth);
            while !walk.over() {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(part) = parts.get(i) else { break };
                walk.part(part);
                let part = std::mem::take(&mut walk.found);
                if part.solved {
                    solved.store(true, Ordering::Relaxed);
                }
                found.push((i, part));
            }
            found
        };
        let mut found: Vec<(usize, Found<G::Move>)> = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.threads).filter_map(|_| spawn(scope, work)).collect();
            let mut found = work();
            for helper in helpers {
                found.extend(helper.join());
            }
            found
        });
        found.sort_by_cached_key(|&(i, _)| i);
        total.stopped |= found.len() < parts.len();
        for (_, part) in found {
            total.add(part);
        }
    }
}

fn report<G: Searchable>(
    game: &G,
    position: &G::Position,
    context: &mut Context<'_, G::Move>,
    total: Found<G::Move>,
    clock: &Budget<'_>,
) -> Report<G::Move> {
    let mut report = Report::new();
    report.nodes = total.counts.iter().sum();
    report.time = clock.elapsed();
    let complete = !total.stopped;
    let result = |score| game.result(f64::from(score));
    if let Some((score, line)) = total.best {
        report.value = result(score);
        report.best = line.first().copied();
        report.pv = line;
        report.bound = if complete || total.solved { Bound::Exact } else { Bound::Lower };
    } else {
        let mut moves = Vec::new();
        if matches!(game.turn(position), Turn::Player(_)) {
            game.moves(position, &mut moves);
        }
        report.best = moves.first().copied();
        report.pv.extend(report.best);
        report.value = result(game.evaluate(position, 0));
        report.bound = Bound::Estimate;
    }
    report.proven = total.solved || (complete && !total.horizon);
    report.depth = if complete { total.counts.len().saturating_sub(1) as u32 } else { 0 };
    report.depths = total.counts;
    report.history = total.history;
    report.stats = vec![
        ("leaves", total.leaves as f64),
        ("by_sets", total.by_sets as f64),
        ("by_table", total.by_table as f64),
        ("memory_full", f64::from(u8::from(total.full))),
    ];
    let step = Iteration {
        depth: u64::from(report.depth),
        value: report.value,
        nodes: report.nodes,
        time: report.time,
        pv: report.pv.clone(),
    };
    (context.progress)(&step);
    report.history.push(step);
    report
}
