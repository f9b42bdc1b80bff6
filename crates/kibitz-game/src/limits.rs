//! When a search ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The greatest depth of a search in plies; deeper recursions would outgrow a thread's stack.
pub const MAX_DEPTH: u32 = 1000;

/// What a search may spend. Every limit that is given holds; the first one reached ends the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Plies below the root.
    pub depth: Option<u32>,
    /// Positions visited, the root included.
    pub nodes: Option<u64>,
    /// Simulations of a Monte-Carlo search.
    pub simulations: Option<u64>,
    /// Time on the clock.
    pub time: Option<Duration>,
}

impl Limits {
    /// The share of each of several threads: counts are divided, time and depth are not. Together they visit at most as many nodes
    /// as were asked for, though one each if there are any, and make at least as many simulations.
    #[must_use]
    pub fn shared(&self, threads: usize) -> Self {
        let threads = threads as u64;
        let nodes = self.nodes.map(|nodes| nodes.min((nodes / threads).max(1)));
        let simulations = self.simulations.map(|simulations| simulations.div_ceil(threads));
        Self { nodes, simulations, ..self.clone() }
    }
}

/// Stops a search from outside: from another thread, on Ctrl-C, or because a game written in Python raised.
pub struct Stop {
    flag: AtomicBool,
    interval: u64,
    poll: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}

impl Stop {
    /// A stop that only [`Stop::raise`] raises.
    pub fn new() -> Self {
        Self { flag: AtomicBool::new(false), interval: 1024, poll: None }
    }

    /// A stop that also asks `poll`, every `interval` nodes.
    pub fn polling(interval: u64, poll: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { flag: AtomicBool::new(false), interval, poll: Some(Box::new(poll)) }
    }

    /// Asks the search to end.
    pub fn raise(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the search has been asked to end.
    #[inline]
    pub fn raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Asks whoever may want the search to end, and says whether it must.
    pub fn ask(&self) -> bool {
        if !self.raised() && self.poll.as_ref().is_some_and(|poll| poll()) {
            self.raise();
        }
        self.raised()
    }
}

/// The count of nodes of one thread of a search, and the check of its limits at every one of them.
///
/// The check is one comparison; the clock and the stop are read every thousand nodes or so.
pub struct Budget<'a> {
    /// The nodes visited so far.
    pub nodes: u64,
    next: u64,
    limit: u64,
    start: Instant,
    deadline: Option<Instant>,
    stop: &'a Stop,
    done: Option<&'a AtomicBool>,
    over: bool,
}

impl<'a> Budget<'a> {
    /// A budget that starts now.
    pub fn new(limits: &Limits, stop: &'a Stop) -> Self {
        let start = Instant::now();
        Self {
            nodes: 0,
            next: 0,
            limit: limits.nodes.unwrap_or(u64::MAX),
            start,
            deadline: limits.time.map(|time| start.checked_add(time).unwrap_or(start + Duration::from_secs(1 << 30))),
            stop,
            done: None,
            over: false,
        }
    }

    /// The budget of a thread that helps another one until that one is done.
    #[must_use]
    pub fn until(mut self, done: &'a AtomicBool) -> Self {
        self.done = Some(done);
        self
    }

    /// Goes on after the one that was helped was done; every other limit still holds.
    pub fn resume(&mut self) {
        (self.over, self.next) = (false, 0);
    }

    /// Counts one node and says whether the search must end now.
    #[inline(always)]
    pub fn spend(&mut self) -> bool {
        // what is over has no next check but this one
        if self.nodes >= self.next && self.check() {
            return true;
        }
        self.nodes += 1;
        false
    }

    /// Ends the search, whatever the limits say.
    pub fn end(&mut self) {
        self.over = true;
        self.next = 0;
    }

    /// Whether the search must end, without counting a node.
    #[inline(always)]
    pub fn over(&self) -> bool {
        self.over
    }

    /// Counts nodes that were visited elsewhere, and looks at the clock.
    pub fn add(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes >= self.next {
            self.check();
        }
        self.over
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    #[cold]
    fn check(&mut self) -> bool {
        self.over |= self.nodes >= self.limit
            || self.stop.ask()
            || self.done.is_some_and(|done| done.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.next = if self.over { 0 } else { self.limit.min(self.nodes + self.stop.interval) };
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_met_exactly() {
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let stop = Stop::new();
        let mut budget = Budget::new(&limits, &stop);
        while !budget.spend() {}
        assert_eq!(budget.nodes, 5000);
    }

    #[test]
    fn threads_share_the_nodes_of_one() {
        let limits = Limits { nodes: Some(100_000), simulations: Some(1000), ..Limits::default() };
        assert_eq!(limits.shared(3).nodes, Some(33_333));
        assert_eq!(limits.shared(3).simulations, Some(334));
        assert_eq!(Limits { nodes: Some(2), ..Limits::default() }.shared(8).nodes, Some(1));
        assert_eq!(Limits { nodes: Some(0), ..Limits::default() }.shared(1).nodes, Some(0));
    }

    #[test]
    fn who_helped_goes_on_within_the_limits() {
        let (stop, done) = (Stop::new(), AtomicBool::new(true));
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        let mut budget = Budget::new(&limits, &stop).until(&done);
        assert!(budget.spend());
        done.store(false, Ordering::Relaxed);
        budget.resume();
        while !budget.spend() {}
        assert_eq!(budget.nodes, 10);
        budget.resume();
        assert!(budget.spend(), "the limit still holds");
    }

    #[test]
    fn a_raised_stop_ends_within_its_interval() {
        let stop = Stop::new();
        let mut budget = Budget::new(&Limits::default(), &stop);
        budget.spend();
        stop.raise();
        while !budget.spend() {}
        assert!(budget.nodes <= 1025);
    }
}
