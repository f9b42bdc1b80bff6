//! Parts of the work, shared by threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use kibitz_game::Stop;

use super::{Progress, Unsolved};

/// Ranks of one part: little enough work that Ctrl-C is heard in time.
const RANKS: u64 = 1 << 14;

/// How often progress is told.
const PERIOD: Duration = Duration::from_millis(100);

/// A range of ranks of one sheet of the group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub sheet: usize,
    pub first: u64,
    pub end: u64,
}

impl Part {
    pub fn ranks(self) -> Range<u64> {
        self.first..self.end
    }
}

/// Who works: the threads, what ends them, and who is told of it.
pub(super) struct Crew<'a> {
    pub threads: usize,
    pub stop: &'a Stop,
    pub progress: &'a mut dyn FnMut(&Progress<'_>),
    /// The slices that are worked on.
    pub names: &'a str,
    /// How often all positions were gone through.
    passes: u32,
    /// When somebody was told last.
    told: Option<Instant>,
}

impl<'a> Crew<'a> {
    pub fn new(threads: usize, stop: &'a Stop, progress: &'a mut dyn FnMut(&Progress<'_>), names: &'a str) -> Self {
        Self { threads: threads.max(1), stop, progress, names, passes: 0, told: None }
    }

    /// How often all positions were gone through.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// Does some work for all ranks of all sheets; `tools` makes what a thread needs for itself.
    pub fn sweep<T>(
        &mut self,
        sizes: &[u64],
        phase: &str,
        tools: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, Part) + Sync,
    ) -> Result<(), Unsolved> {
        self.passes += 1;
        let counts: Vec<u64> = sizes.iter().map(|size| size.div_ceil(RANKS)).collect();
        let parts: u64 = counts.iter().sum();
        let total: u64 = sizes.iter().sum();
        let part_of = |mut number: u64| {
            let mut sheet = 0;
            while number >= counts[sheet] {
                number -= counts[sheet];
                sheet += 1;
            }
            Part { sheet, first: number * RANKS, end: sizes[sheet].min((number + 1) * RANKS) }
        };
        let next = AtomicU64::new(0);
        let stop = self.stop;
        // without its type: the code that begins a thread would be compiled for every game and work again
        let help: &(dyn Fn() + Sync) = &|| {
            let mut tools = tools();
            while !stop.raised() {
                let number = next.fetch_add(1, Relaxed);
                if number >= parts {
                    break;
                }
                work(&mut tools, part_of(number));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.min(parts as usize) {
                // without another thread there is more to do for this one
                let _ = std::thread::Builder::new().spawn_scoped(scope, help);
            }
            let mut tools = tools();
            loop {
                if stop.ask() {
                    break;
                }
                if self.told.is_none_or(|told| told.elapsed() >= PERIOD) {
                    self.told = Some(Instant::now());
                    let done = (next.load(Relaxed).min(parts) * RANKS).min(total);
                    (self.progress)(&Progress {
                        slices: self.names,
                        phase,
                        pass: self.passes,
                        done,
                        total,
                        ranks: (0, total),
                    });
                }
                let number = next.fetch_add(1, Relaxed);
                if number >= parts {
                    break;
                }
                work(&mut tools, part_of(number));
            }
        });
        if stop.raised() { Err(Unsolved::Stopped) } else { Ok(()) }
    }
}
