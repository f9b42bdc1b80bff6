//! The best line of all threads.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use kibitz_game::{Score, Stop, Turn};

use crate::Searchable;

/// No line yet.
const NOTHING: i64 = i64::MIN;

/// A finished game.
pub(super) struct Found<M> {
    pub(super) score: Score,
    /// The search that found it: of equal scores the earlier search counts, whatever thread was faster.
    pub(super) search: u64,
    pub(super) line: Vec<M>,
}

/// The best line of all threads, and what they have done together.
pub(super) struct Record<'a, G: Searchable> {
    pub(super) game: &'a G,
    pub(super) root: &'a G::Position,
    pub(super) stop: &'a Stop,
    top: AtomicI64,
    found: Mutex<Option<Found<G::Move>>>,
    /// Whether a line had a move of chance in it.
    pub(super) chance: AtomicBool,
    pub(super) playouts: AtomicU64,
    pub(super) nodes: AtomicU64,
}

impl<'a, G: Searchable> Record<'a, G> {
    pub(super) fn new(game: &'a G, root: &'a G::Position, stop: &'a Stop) -> Self {
        Self {
            game,
            root,
            stop,
            top: AtomicI64::new(NOTHING),
            found: Mutex::new(None),
            chance: AtomicBool::new(false),
            playouts: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
        }
    }

    /// The best score so far.
    #[inline(always)]
    pub(super) fn top(&self) -> Option<Score> {
        let top = self.top.load(Relaxed);
        (top != NOTHING).then_some(top as Score)
    }

    /// Keeps a finished game if it is better than all before it. One with a move of chance in it is refused for good.
    #[inline]
    pub(super) fn offer(&self, score: Score, search: u64, line: &[G::Move]) {
        if i64::from(score) >= self.top.load(Relaxed) {
            self.keep(score, search, line);
        }
    }

    #[cold]
    fn keep(&self, score: Score, search: u64, line: &[G::Move]) {
        // rules in Python that raised have ruined the position, and what it says does not count
        if G::SLOW && self.stop.ask() {
            return;
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(best) = found.as_mut() {
            let better = score > best.score || score == best.score && search < best.search;
            if !better {
                return;
            }
        }
        let mut position = self.root.clone();
        for &mv in line {
            if self.game.turn(&position) == Turn::Chance {
                self.chance.store(true, Relaxed);
                return;
            }
            self.game.play(&mut position, mv);
        }
        *found = Some(Found { score, search, line: line.to_vec() });
        self.top.store(i64::from(score), Relaxed);
    }

    /// Looks at the best line.
    pub(super) fn with<T>(&self, look: impl FnOnce(&Found<G::Move>) -> T) -> Option<T> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(look)
    }
}
