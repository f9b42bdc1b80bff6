//! The first pass: every position once, in the order of its number.

use std::ops::ControlFlow::Continue;
use std::sync::Mutex;

use kibitz_game::{Ranked, Turn, Wdl};
use rayon::prelude::*;

use super::list::ListWriter;
use super::sorter::{Merge, PAGE};
use super::table::{GREATEST, Record, Table};
use super::{DECIDED, LAYER, Layers, ONE_LESS, Tell, WIN};
use crate::database::DatabaseError;
use crate::database::format::Metric;
use crate::retrograde::Lower;

/// Positions that a thread takes at a time.
const PART: u64 = 1 << 12;

impl<G: Ranked> Layers<'_, G> {
    /// Fills the table and makes the list of seeds, or what is missing of them.
    pub(super) fn prepare(&mut self, tell: &mut Tell<'_>) -> Result<(), DatabaseError> {
        if self.state.merged {
            return Ok(());
        }
        // a file of seeds a step, and not too many of them to be open together
        let step = (self.work.memory / 24).max(self.count() / 256).max(PART);
        while self.state.filled < self.count() {
            self.stopped()?;
            let first = self.state.filled;
            let last = self.count().min(first + step);
            tell("moves", 0, (first, self.count()));
            let (records, mut seeds) = self.look_at(first, last)?;
            let mut table = Table::open(&self.path("table"))?;
            table.append(first, &records)?;
            table.finish()?;
            seeds.par_sort_unstable();
            let mut run = ListWriter::create(&self.path(&format!("seeds-{}", self.state.runs)), PAGE)?;
            seeds.iter().try_for_each(|&seed| run.push(seed))?;
            run.finish()?;
            (self.state.filled, self.state.runs) = (last, self.state.runs + 1);
            self.save(None)?;
        }
        let runs = (0..self.state.runs).map(|run| self.path(&format!("seeds-{run}"))).collect();
        let mut merge = Merge::new(Vec::new(), runs)?;
        let mut all = ListWriter::create(&self.path("seeds"), PAGE)?;
        while let Some(seed) = merge.next()? {
            all.push(seed)?;
        }
        all.finish()?;
        self.state.merged = true;
        // the runs are removed when nobody needs them any more
        self.save(None)?;
        drop(merge);
        Ok(())
    }

    /// The records of a range of positions, and the seeds that come from moves out of the group.
    fn look_at(&self, first: u64, last: u64) -> Result<(Vec<u16>, Vec<u64>), DatabaseError> {
        let problem = Mutex::new(None);
        let mut records = vec![0; (last - first) as usize];
        let seeds: Vec<Vec<u64>> = records
            .par_chunks_mut(PART as usize)
            .enumerate()
            .map(|(part, out)| {
                let mut seeds = Vec::new();
                let mut looker = Looker { layers: self, seeds: &mut seeds, buffer: Vec::new(), inside: Vec::new() };
                if let Err(what) = looker.part(first + part as u64 * PART, out) {
                    problem.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(what);
                }
                seeds
            })
            .collect();
        match problem.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(what) => Err(DatabaseError::NotSupported(what)),
            None => Ok((records, seeds.concat())),
        }
    }
}

/// Looks at positions one by one.
struct Looker<'a, 'w, G: Ranked> {
    layers: &'a Layers<'w, G>,
    seeds: &'a mut Vec<u64>,
    buffer: Vec<G::Move>,
    /// The successors in the group.
    inside: Vec<u64>,
}

impl<G: Ranked> Looker<'_, '_, G> {
    /// Fills the records from `first` on, which may be those of several slices.
    fn part(&mut self, first: u64, out: &mut [u16]) -> Result<(), String> {
        let last = first + out.len() as u64;
        let mut problem = Ok(());
        for (slice, bounds) in self.layers.work.group.iter().zip(self.layers.first.windows(2)) {
            let (from, to) = (first.max(bounds[0]), last.min(bounds[1]));
            if from >= to {
                continue;
            }
            let game = self.layers.work.game;
            let _ = game.scan(*slice, from - bounds[0]..to - bounds[0], |rank, position| {
                let index = bounds[0] + rank;
                match self.position(index, position) {
                    Ok(record) => out[(index - first) as usize] = record.0,
                    Err(what) => {
                        problem = Err(what);
                        return std::ops::ControlFlow::Break(());
                    }
                }
                Continue(())
            });
        }
        problem
    }

    fn seed(&mut self, layer: u32, index: u64, what: u64) -> Result<(), String> {
        if layer > GREATEST {
            return Err(format!("a distance is longer than {GREATEST} plies"));
        }
        self.seeds.push(u64::from(layer) << LAYER | index << 2 | what);
        Ok(())
    }

    /// A position whose value needs nothing more.
    fn decided(&mut self, index: u64, value: Wdl, distance: u32) -> Result<Record, String> {
        // without distances all that is known at first is one layer
        let distance = if self.layers.work.metric == Metric::None { 0 } else { distance };
        if value != Wdl::Draw {
            self.seed(distance, index, DECIDED)?;
        }
        Ok(Record::decided(value, distance))
    }

    fn position(&mut self, index: u64, position: &G::Position) -> Result<Record, String> {
        let work = self.layers.work;
        let game = work.game;
        if let Some(value) = game.ended(position) {
            return self.decided(index, value, 0);
        }
        self.inside.clear();
        // by moves out of the group: the shortest win, the longest defence, whether there is a draw
        let (mut win, mut loss, mut draw) = (None::<u32>, None::<u32>, false);
        let mut missing = None;
        let (inside, buffer) = (&mut self.inside, &mut self.buffer);
        let _ = game.children(position, buffer, |child| {
            let (value, distance) = match game.place(child) {
                None => match (game.turn(position), game.turn(child)) {
                    (Turn::Player(mover), Turn::Over) => {
                        (Wdl::of_score(game.score(child, usize::from(mover))).reversed(), 0)
                    }
                    _ => (Wdl::Unknown, 0),
                },
                Some(place) => {
                    if let Some(index) = self.layers.index(place) {
                        inside.push(index);
                        return Continue(());
                    }
                    let value = Lower::value(work.lower, place);
                    let counts = work.metric == Metric::Win && matches!(value, Wdl::Win | Wdl::Loss);
                    (value, if counts { u32::from(Lower::distance(work.lower, place)) } else { 0 })
                }
            };
            match value {
                Wdl::Loss => win = Some(win.map_or(distance + 1, |win| win.min(distance + 1))),
                Wdl::Win => loss = Some(loss.map_or(distance + 1, |loss| loss.max(distance + 1))),
                Wdl::Draw => draw = true,
                Wdl::Unknown => missing = Some(game.write(child)),
            }
            Continue(())
        });
        if let Some(missing) = missing {
            return Err(format!("a move leads to {missing}, of which there is no finished table"));
        }
        self.inside.sort_unstable();
        self.inside.dedup();
        let inside = self.inside.len() as u32;
        if inside + 1 >= GREATEST {
            return Err("a position has too many moves".into());
        }
        let alone = inside == 0 || work.metric == Metric::None || win == Some(1);
        match (win, loss) {
            (Some(win), _) if alone => self.decided(index, Wdl::Win, win),
            // one open successor that never closes: it may be won sooner, and is not lost
            (Some(win), _) => self.seed(win, index, WIN).map(|()| Record::open(inside + 1)),
            (None, _) if draw => Ok(if inside == 0 { Record::decided(Wdl::Draw, 0) } else { Record::open(inside + 1) }),
            (None, Some(loss)) if inside == 0 => self.decided(index, Wdl::Loss, loss),
            // the moves out of the group are one more successor, which closes when the longest of them is over
            (None, Some(loss)) if work.metric != Metric::None => {
                self.seed(loss, index, ONE_LESS).map(|()| Record::open(inside + 1))
            }
            (None, _) if inside == 0 => Err(format!("{} is not over and has no move", game.write(position))),
            (None, _) => Ok(Record::open(inside)),
        }
    }
}
