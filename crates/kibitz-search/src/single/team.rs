//! Independent searches from the same position, shared by threads: randomized restarts and root parallelisation in one.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use kibitz_game::{Bound, Limits, Report};

use super::effort::{Effort, Teller};
use super::first_report;
use super::record::Record;
use crate::helper::spawn;
use crate::{Context, NotSupported, Searchable};

/// How many searches there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Searches {
    /// So many. A limit is divided between them, or counts for all together.
    Count { searches: u64, divided: bool },
    /// As many as the limits allow, and at least one.
    UntilLimit,
}

impl Searches {
    /// So many, or as many as the limits allow.
    pub(super) fn of(restarts: Option<u64>, divided: bool) -> Self {
        restarts.map_or(Self::UntilLimit, |searches| Self::Count { searches, divided })
    }
}

/// What searches on threads have found: the report with the best line, the tally of each thread, and the number of searches.
pub(super) type Outcome<M, T> = (Report<M>, Vec<T>, u64);

/// Runs searches on threads, none where the game is over. Search number `i` is `search(i, effort, tally)`, whichever thread it runs on.
pub(super) fn run<G: Searchable, T: Default + Send>(
    method: &str,
    game: &G,
    position: &G::Position,
    context: &mut Context<'_, G::Move>,
    threads: usize,
    searches: Searches,
    search: impl Fn(u64, &mut Effort<'_, '_, G>, &mut T) + Sync,
) -> Result<Outcome<G::Move, T>, NotSupported> {
    let mut report = first_report(method, game, position)?;
    if report.proven {
        report.stats.push(("simulations", 0.0));
        return Ok((report, Vec::new(), 0));
    }
    let record = Record::new(game, position, context.stop);
    let crew = Crew::new(context.limits, threads, searches);
    let mut teller = Teller::new(context.progress);
    let (shared, crew_of_all, work) = (&record, &crew, &search);
    let tallies = std::thread::scope(|scope| {
        let helpers: Vec<_> =
            (1..crew.threads).filter_map(|_| spawn(scope, move || crew_of_all.work(shared, None, work))).collect();
        let mut all = vec![crew.work(&record, Some(&mut teller), &search)];
        for helper in helpers {
            all.push(helper.join());
        }
        all
    });
    teller.look(&record);
    conclude(method, &record, teller, false, &mut report)?;
    report.stats.push(("simulations", record.playouts.load(Relaxed) as f64));
    Ok((report, tallies, crew.begun()))
}

/// Fills the report with the best line, `proven` if there is no better one.
pub(super) fn conclude<G: Searchable>(
    method: &str,
    record: &Record<'_, G>,
    teller: Teller<'_, G::Move>,
    proven: bool,
    report: &mut Report<G::Move>,
) -> Result<(), NotSupported> {
    if record.chance.load(Relaxed) {
        return Err(super::chance(method));
    }
    record.with(|found| {
        report.pv.clone_from(&found.line);
        report.best = found.line.first().copied();
        report.value = record.game.result(f64::from(found.score));
        report.bound = if proven { Bound::Exact } else { Bound::Lower };
        report.proven = proven;
    });
    report.depth = report.pv.len() as u32;
    report.nodes = record.nodes.load(Relaxed).max(1);
    report.time = teller.start.elapsed();
    report.history = teller.history;
    Ok(())
}

/// The threads with what is left to do.
struct Crew {
    threads: usize,
    searches: Searches,
    limits: Limits,
    /// What each search may spend.
    share: Limits,
    start: Instant,
    next: AtomicU64,
    done: AtomicBool,
}

impl Crew {
    fn new(limits: &Limits, threads: usize, searches: Searches) -> Self {
        let threads = threads.max(1);
        let (searches, share) = match searches {
            Searches::Count { searches, divided } => {
                // no thread is idle
                let searches = searches.max(1).max(threads as u64);
                let mut share = limits.clone();
                if divided {
                    share = limits.shared(searches as usize);
                    let rounds = searches.div_ceil(threads as u64) as f64;
                    share.time = limits.time.map(|time| Duration::from_secs_f64(time.as_secs_f64() / rounds));
                }
                (Searches::Count { searches, divided }, share)
            }
            // without a limit one search for each thread is what can be done
            Searches::UntilLimit if *limits == Limits::default() => {
                (Searches::Count { searches: threads as u64, divided: false }, limits.clone())
            }
            Searches::UntilLimit => (searches, limits.clone()),
        };
        Self {
            threads,
            searches,
            limits: limits.clone(),
            share,
            start: Instant::now(),
            next: AtomicU64::new(0),
            done: AtomicBool::new(false),
        }
    }

    fn begun(&self) -> u64 {
        let next = self.next.load(Relaxed);
        match self.searches {
            Searches::Count { searches, .. } => next.min(searches),
            Searches::UntilLimit => next,
        }
    }

    /// What a search may spend of what all threads have left; nothing when it is used up.
    fn left(&self, own: &Spent) -> Option<Limits> {
        let mut left = self.share.clone();
        if let Searches::Count { divided: true, .. } = self.searches {
            return Some(left);
        }
        // each thread has its share of what is counted, so that one thread is deterministic
        let mine = self.limits.shared(self.threads);
        left.simulations = mine.simulations.map(|limit| limit.saturating_sub(own.playouts));
        left.nodes = mine.nodes.map(|limit| limit.saturating_sub(own.nodes));
        left.time = self.limits.time.map(|limit| limit.saturating_sub(self.start.elapsed()));
        let spent = left.simulations == Some(0) || left.nodes == Some(0) || left.time == Some(Duration::ZERO);
        (!spent).then_some(left)
    }

    /// The searches of one thread.
    fn work<'a, G: Searchable, T: Default>(
        &self,
        record: &'a Record<'a, G>,
        mut teller: Option<&mut Teller<'a, G::Move>>,
        search: &impl Fn(u64, &mut Effort<'_, '_, G>, &mut T),
    ) -> T {
        let mut tally = T::default();
        let mut own = Spent::default();
        while !self.done.load(Relaxed) && !record.stop.ask() {
            let Some(limits) = self.left(&own) else { break };
            let number = self.next.fetch_add(1, Relaxed);
            if let Searches::Count { searches, .. } = self.searches
                && number >= searches
            {
                break;
            }
            let mut effort = Effort::new(record, limits, number, teller.as_deref_mut());
            search(number, &mut effort, &mut tally);
            effort.tell();
            let before = own;
            own = Spent { playouts: own.playouts + effort.playouts, nodes: own.nodes + effort.budget.nodes };
            // a search that spends nothing would be repeated for ever
            if record.chance.load(Relaxed) || own == before {
                self.done.store(true, Relaxed);
            }
        }
        tally
    }
}

/// What a thread has spent so far.
#[derive(Clone, Copy, Default, PartialEq)]
struct Spent {
    playouts: u64,
    nodes: u64,
}
