//! Whether every value of a database agrees with those of its successors.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitz_game::{Place, Ranked, Slice, Stop, Turn, Wdl};
use rayon::prelude::*;

use super::format::Metric;
use super::{Database, DatabaseError};

/// Ranks that a thread takes at a time.
const PART: u64 = 1 << 14;

impl Database {
    /// Checks everything: the checksum of every block, the counts, and every value and distance against those of all its successors. `tell`
    /// is told how many of how many ranks are done. Returns how many positions were checked.
    ///
    /// A win needs a successor that is lost, a loss successors that are all won, a draw one that is drawn and none that is lost. That alone would let
    /// two wrong wins support each other in a circle; with distances they cannot.
    pub fn verify<G: Ranked>(
        &self,
        game: &G,
        stop: &Stop,
        tell: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<u64, DatabaseError> {
        self.check_blocks(|_| stop.ask())?;
        let groups = self.groups();
        let all: u64 = self.slices().map(|slice| slice.size).sum();
        let (done, positions) = (AtomicU64::new(0), AtomicU64::new(0));
        let tell = Mutex::new(tell);
        for group in &groups {
            for &(slice, size) in group {
                let inside = |other: Slice| group.iter().any(|&(slice, _)| slice == other);
                let seen = AtomicU64::new(0);
                (0..size.div_ceil(PART)).into_par_iter().try_for_each(|part| {
                    if stop.ask() {
                        return Err(DatabaseError::Stopped);
                    }
                    let ranks = part * PART..size.min((part + 1) * PART);
                    let count = ranks.end - ranks.start;
                    let checked = self.verify_part(game, slice, ranks, &inside)?;
                    seen.fetch_add(checked, Ordering::Relaxed);
                    let now = done.fetch_add(count, Ordering::Relaxed) + count;
                    if let Ok(mut tell) = tell.try_lock() {
                        tell(now, all);
                    }
                    Ok(())
                })?;
                let seen = seen.into_inner();
                let header = self.slice(slice);
                // every position has a value, and the blocks have as many values as the header says: no other rank has one
                if header.is_none_or(|header| header.counts[1..].iter().sum::<u64>() != seen) {
                    let name = game.slice_name(slice);
                    return Err(DatabaseError::corrupt(
                        self.path(),
                        format!("slice {name} has values without positions"),
                    ));
                }
                positions.fetch_add(seen, Ordering::Relaxed);
            }
        }
        Ok(positions.into_inner())
    }

    fn verify_part<G: Ranked>(
        &self,
        game: &G,
        slice: Slice,
        ranks: std::ops::Range<u64>,
        inside: &impl Fn(Slice) -> bool,
    ) -> Result<u64, DatabaseError> {
        let mut buffer = Vec::new();
        let (mut seen, mut problem) = (0, Ok(()));
        let _ = game.scan(slice, ranks, |rank, position| {
            seen += 1;
            problem = self.verify_position(game, Place { slice, rank }, position, &mut buffer, inside);
            if problem.is_ok() { Continue(()) } else { Break(()) }
        });
        problem.map(|()| seen)
    }

    fn verify_position<G: Ranked>(
        &self,
        game: &G,
        place: Place,
        position: &G::Position,
        buffer: &mut Vec<G::Move>,
        inside: &impl Fn(Slice) -> bool,
    ) -> Result<(), DatabaseError> {
        let metric = self.metric();
        let (mut win, mut loss, mut draw) = (None::<u32>, None::<u32>, false);
        let mut problem = Ok(());
        let (value, distance) = if let Some(value) = game.ended(position) {
            (value, 0)
        } else {
            let _ = game.children(position, buffer, |child| {
                let (value, distance) = match game.place(child) {
                    None => match (game.turn(position), game.turn(child)) {
                        (Turn::Player(mover), Turn::Over) => {
                            (Wdl::of_score(game.score(child, usize::from(mover))).reversed(), 0)
                        }
                        _ => (Wdl::Unknown, 0),
                    },
                    Some(place) => match self.lookup(place) {
                        Ok(value) if metric == Metric::None || metric == Metric::Conversion && !inside(place.slice) => {
                            (value, 0)
                        }
                        Ok(value) => match self.distance(place) {
                            Ok(distance) => (value, distance.unwrap_or(0)),
                            Err(error) => {
                                problem = Err(error);
                                return Break(());
                            }
                        },
                        Err(error) => {
                            problem = Err(error);
                            return Break(());
                        }
                    },
                };
                match value {
                    Wdl::Loss => win = Some(win.map_or(distance + 1, |win| win.min(distance + 1))),
                    Wdl::Win => loss = Some(loss.map_or(distance + 1, |loss| loss.max(distance + 1))),
                    Wdl::Draw => draw = true,
                    Wdl::Unknown => {
                        let what = format!("{} has no value", game.write(child));
                        problem = Err(DatabaseError::corrupt(self.path(), what));
                        return Break(());
                    }
                }
                Continue(())
            });
            problem?;
            match (win, draw, loss) {
                (Some(win), _, _) => (Wdl::Win, win),
                (None, true, _) => (Wdl::Draw, 0),
                (None, false, Some(loss)) => (Wdl::Loss, loss),
                (None, false, None) => (Wdl::Unknown, 0),
            }
        };
        let held = self.lookup(place)?;
        if held != value {
            return Err(self.disagrees(game, place, position, held.name(), value.name()));
        }
        if metric != Metric::None && value != Wdl::Draw {
            let held = self.distance(place)?;
            if held != Some(distance) {
                let held = held.map_or("none".to_owned(), |held| held.to_string());
                return Err(self.disagrees(game, place, position, &held, &distance.to_string()));
            }
        }
        Ok(())
    }

    fn disagrees<G: Ranked>(
        &self,
        game: &G,
        place: Place,
        position: &G::Position,
        held: &str,
        right: &str,
    ) -> DatabaseError {
        let slice = game.slice_name(place.slice);
        let (rank, position) = (place.rank, game.write(position));
        let what = format!("{position} (slice {slice}, rank {rank}) is {held}, and by its successors {right}");
        DatabaseError::corrupt(self.path(), what)
    }
}
