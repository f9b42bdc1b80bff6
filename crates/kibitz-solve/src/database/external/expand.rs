//! The predecessors of the positions that were decided last.

use std::path::Path;

use kibitz_game::{Ranked, Wdl};
use rayon::prelude::*;

use super::list::{ListReader, Mark};
use super::sorter::{PAGE, Sorter};
use super::{Layers, ONE_LESS, WIN};
use crate::database::DatabaseError;

/// Positions whose predecessors are made at a time, and those that a thread takes of them.
const STEP: usize = 1 << 15;
const PART: usize = 1 << 9;

impl<G: Ranked> Layers<'_, G> {
    /// Hands the predecessors of a list of decided positions to a sorter, until it has as many as allowed. Returns how far that went, and whether
    /// that is the end.
    pub(super) fn expand(&self, list: &Path, limit: u64, sorter: &mut Sorter) -> Result<(Mark, bool), DatabaseError> {
        let mut decided = ListReader::resume(list, self.state.frontier, PAGE)?;
        // a position may have hundreds of predecessors: few at a time where memory is short
        let step = STEP.min(self.capacity() / 8).max(64);
        let mut some = Vec::with_capacity(step);
        while sorter.pushed < limit {
            self.stopped()?;
            some.clear();
            while some.len() < step
                && let Some(entry) = decided.next()?
            {
                some.push(entry);
            }
            if some.is_empty() {
                return Ok((decided.mark(), true));
            }
            let found: Result<Vec<Vec<u64>>, String> =
                some.par_chunks(PART).map(|part| self.predecessors(part)).collect();
            for found in found.map_err(DatabaseError::NotSupported)? {
                sorter.extend(&found)?;
            }
        }
        Ok((decided.mark(), false))
    }

    fn predecessors(&self, decided: &[u64]) -> Result<Vec<u64>, String> {
        let game = self.work.game;
        let (mut all, mut own) = (Vec::new(), Vec::new());
        for entry in decided {
            let value = if entry & 1 == 1 { Wdl::Win } else { Wdl::Loss };
            let place = self.place(entry >> 1);
            let position = game.unrank(place.slice, place.rank);
            let position = position.ok_or_else(|| format!("rank {} has no position", place.rank))?;
            own.clear();
            let mut outside = false;
            game.unplay(&position, |before| match game.place(before).and_then(|place| self.index(place)) {
                Some(index) => own.push(index << 2 | if value == Wdl::Win { ONE_LESS } else { WIN }),
                None => outside = true,
            });
            if outside {
                return Err(format!("a predecessor of {} is not in its group", game.write(&position)));
            }
            // a predecessor counts once, however many of its moves lead here
            own.sort_unstable();
            own.dedup();
            all.extend(&own);
        }
        Ok(all)
    }
}
