//! What a thread of a search may spend, and how the world learns what was found.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use kibitz_game::{Budget, Iteration, Limits, Score};

use super::record::Record;
use crate::Searchable;

/// Tells of every better line, and of every power of two of playouts. Only the thread that was called can do so; it does at its
/// next playout.
pub(super) struct Teller<'a, M> {
    pub(super) progress: &'a mut dyn FnMut(&Iteration<M>),
    pub(super) history: Vec<Iteration<M>>,
    pub(super) start: Instant,
    last: Option<Score>,
    next: u64,
}

/// The number of playouts after which a search reports even if nothing better was found; then the next power of two.
const FIRST_STEP: u64 = 1024;

impl<'a, M: Copy> Teller<'a, M> {
    pub(super) fn new(progress: &'a mut dyn FnMut(&Iteration<M>)) -> Self {
        Self { progress, history: Vec::new(), start: Instant::now(), last: None, next: FIRST_STEP }
    }

    #[inline]
    pub(super) fn look<G: Searchable<Move = M>>(&mut self, record: &Record<'_, G>) {
        let (top, playouts) = (record.top(), record.playouts.load(Relaxed));
        if top.is_some() && (top != self.last || playouts >= self.next) {
            self.tell(record, playouts);
        }
    }

    #[cold]
    fn tell<G: Searchable<Move = M>>(&mut self, record: &Record<'_, G>, playouts: u64) {
        while self.next <= playouts {
            self.next *= 2;
        }
        let (nodes, time) = (record.nodes.load(Relaxed), self.start.elapsed());
        let step = record.with(|found| {
            self.last = Some(found.score);
            let value = record.game.result(f64::from(found.score));
            Iteration { depth: playouts, value, nodes, time, pv: found.line.clone() }
        });
        if let Some(step) = step {
            (self.progress)(&step);
            self.history.push(step);
        }
    }
}

/// The count of one search: its limits, its nodes and its playouts.
pub(super) struct Effort<'a, 't, G: Searchable> {
    pub(super) record: &'a Record<'a, G>,
    pub(super) budget: Budget<'a>,
    pub(super) limits: Limits,
    /// The playouts of this search.
    pub(super) playouts: u64,
    most: u64,
    /// The number of the search among those of all threads.
    pub(super) search: u64,
    told: u64,
    teller: Option<&'t mut Teller<'a, G::Move>>,
}

impl<'a, 't, G: Searchable> Effort<'a, 't, G> {
    pub(super) fn new(
        record: &'a Record<'a, G>,
        limits: Limits,
        search: u64,
        teller: Option<&'t mut Teller<'a, G::Move>>,
    ) -> Self {
        let (budget, most) = (Budget::new(&limits, record.stop), limits.simulations.unwrap_or(u64::MAX));
        Self { record, budget, limits, playouts: 0, most, search, told: 0, teller }
    }

    /// Whether the search must end.
    #[inline(always)]
    pub(super) fn over(&self) -> bool {
        self.budget.over() || self.playouts >= self.most
    }

    /// Counts a move made outside of a playout, and says whether the search must end.
    #[inline(always)]
    pub(super) fn step(&mut self) -> bool {
        self.budget.spend() || self.playouts >= self.most
    }

    /// Counts a playout of so many moves that came to the end of the game, and says whether the search must end.
    #[inline]
    pub(super) fn played(&mut self, score: Score, line: &[G::Move], plies: u32) -> bool {
        self.record.offer(score, self.search, line);
        self.cut(plies)
    }

    /// Counts a playout of so many moves that was cut off.
    #[inline]
    pub(super) fn cut(&mut self, plies: u32) -> bool {
        self.budget.add(u64::from(plies));
        self.playouts += 1;
        self.record.playouts.fetch_add(1, Relaxed);
        self.tell();
        if self.record.chance.load(Relaxed) {
            self.budget.end();
        }
        self.over()
    }

    /// Adds up what was done and tells what was found.
    #[inline]
    pub(super) fn tell(&mut self) {
        self.record.nodes.fetch_add(self.budget.nodes - self.told, Relaxed);
        self.told = self.budget.nodes;
        if let Some(teller) = &mut self.teller {
            teller.look(self.record);
        }
    }

    /// How much of its limits this search has spent, from 0 to 1.
    pub(super) fn spent(&self) -> f64 {
        let counted = |spent: u64, limit: Option<u64>| limit.map_or(0.0, |limit| spent as f64 / limit.max(1) as f64);
        let timed = |limit: Duration| self.elapsed().as_secs_f64() / limit.as_secs_f64().max(1e-9);
        let time = self.limits.time.map_or(0.0, timed);
        counted(self.playouts, self.limits.simulations).max(counted(self.budget.nodes, self.limits.nodes)).max(time)
    }

    /// The time since this search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.budget.elapsed()
    }
}
