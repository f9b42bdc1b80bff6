//! The positions of a tree's nodes, so that a simulation plays no move twice.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::super::cells::Apart;

/// Places of a shared tree are made so many at a time.
const CHUNK: usize = 1 << 10;

/// A thread takes so many at a time.
const BLOCK: usize = 32;

/// The new place of a position that is dropped.
pub(super) const NOWHERE: u32 = u32::MAX;

type Chunk<P> = Box<[OnceLock<P>]>;

/// The positions, in the order of the nodes.
pub(super) enum Positions<P> {
    /// Of a tree in the hands of one thread.
    Sole(Vec<P>),
    /// Of a shared one: so many places are taken, and whoever takes a place writes it before anybody reads it.
    Shared(Vec<OnceLock<Chunk<P>>>, Apart<AtomicUsize>),
}

impl<P: Clone> Positions<P> {
    pub(super) fn new(shared: bool) -> Self {
        if shared { Self::Shared(Vec::new(), Apart::new(AtomicUsize::new(0))) } else { Self::Sole(Vec::new()) }
    }

    /// What a position takes beside its own bytes.
    pub(super) fn overhead(&self) -> usize {
        match self {
            Self::Sole(_) => 0,
            Self::Shared(..) => size_of::<OnceLock<P>>() - size_of::<P>(),
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Sole(positions) => positions.len(),
            Self::Shared(_, taken) => taken.load(Relaxed),
        }
    }

    /// How many fit without more memory.
    #[inline(always)]
    pub(super) fn capacity(&self) -> usize {
        match self {
            Self::Sole(positions) => positions.capacity(),
            Self::Shared(chunks, _) => chunks.len() * CHUNK,
        }
    }

    /// Makes sure that so many fit; the places of a shared tree take no memory before they are needed.
    pub(super) fn reserve(&mut self, count: usize) {
        match self {
            Self::Sole(positions) => positions.reserve_exact(count.saturating_sub(positions.len())),
            Self::Shared(chunks, _) => chunks.resize_with(count.div_ceil(CHUNK), OnceLock::new),
        }
    }

    /// The position of a number.
    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> &P {
        let number = number as usize;
        match self {
            Self::Sole(positions) => &positions[number],
            Self::Shared(chunks, _) => {
                let place = chunks[number / CHUNK].get().and_then(|chunk| chunk[number % CHUNK].get());
                place.expect("a node is linked after its position is written")
            }
        }
    }

    /// Adds one; the tree is in the hands of one thread.
    #[inline(always)]
    pub(super) fn push(&mut self, position: &P) {
        if let Self::Sole(positions) = self {
            positions.push(position.clone());
        }
    }

    /// Writes one into a free place of a shared tree and returns its number, unless all places are taken. A thread takes
    /// several `places` at once, so that it does not wait for the others whenever it makes a node.
    pub(super) fn put(&self, position: &P, places: &mut Range<u32>) -> Option<u32> {
        let Self::Shared(chunks, taken) = self else { return None };
        if places.start == places.end {
            let more = |taken: usize| (taken + BLOCK <= self.capacity()).then_some(taken + BLOCK);
            let first = taken.fetch_update(Relaxed, Relaxed, more).ok()? as u32;
            *places = first..first + BLOCK as u32;
        }
        let number = places.next()?;
        let chunk = chunks[number as usize / CHUNK].get_or_init(empty);
        let written = chunk[number as usize % CHUNK].set(position.clone());
        debug_assert!(written.is_ok());
        Some(number)
    }

    /// Brings every position to its new place, or drops it where that is `NOWHERE`.
    pub(super) fn arrange(&mut self, places: &mut [u32]) {
        for place in 0..places.len() {
            while places[place] != NOWHERE && places[place] as usize != place {
                let wanted = places[place] as usize;
                self.swap(place, wanted);
                places.swap(place, wanted);
            }
        }
        let kept = places.iter().filter(|&&place| place != NOWHERE).count();
        self.truncate(kept);
    }

    fn swap(&mut self, one: usize, two: usize) {
        match self {
            Self::Sole(positions) => positions.swap(one, two),
            Self::Shared(chunks, _) => {
                let [held, other] = [one, two].map(|number| place(chunks, number).take());
                fill(place(chunks, one), other);
                fill(place(chunks, two), held);
            }
        }
    }

    fn truncate(&mut self, count: usize) {
        let taken = self.len();
        match self {
            Self::Sole(positions) => positions.truncate(count),
            Self::Shared(chunks, numbers) => {
                (count..taken).for_each(|number| fill(place(chunks, number), None));
                numbers.store(count, Relaxed);
            }
        }
    }
}

fn empty<P>() -> Chunk<P> {
    (0..CHUNK).map(|_| OnceLock::new()).collect()
}

fn place<P>(chunks: &mut [OnceLock<Chunk<P>>], number: usize) -> &mut OnceLock<P> {
    let chunk = &mut chunks[number / CHUNK];
    chunk.get_or_init(empty);
    &mut chunk.get_mut().expect("it was made just now")[number % CHUNK]
}

fn fill<P>(place: &mut OnceLock<P>, position: Option<P>) {
    *place = position.map_or_else(OnceLock::new, OnceLock::from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_go_where_they_belong() {
        for shared in [false, true] {
            let mut positions = Positions::new(shared);
            positions.reserve(5);
            let mut places = 0..0;
            for name in ["a", "b", "c", "d", "e"] {
                positions.push(&name);
                positions.put(&name, &mut places);
            }
            positions.arrange(&mut [2, NOWHERE, 0, NOWHERE, 1]);
            assert_eq!([0, 1, 2].map(|number| *positions.get(number)), ["c", "e", "a"]);
            assert_eq!(positions.len(), 3);
        }
    }
}
