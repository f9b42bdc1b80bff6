//! From the table of a solved group to the file of the database.

use std::ops::ControlFlow::Continue;
use std::path::Path;

use kibitz_game::{Ranked, Slice, Wdl};
use rayon::prelude::*;

use super::table::{Record, Table};
use super::{Layers, Tell};
use crate::database::DatabaseError;
use crate::database::build::width;
use crate::database::fingerprint::fingerprint;
use crate::database::format::{Header, Metric, SliceHeader};
use crate::database::writer::Writer;

/// Positions that a thread takes at a time; a multiple of four, since four values are a byte.
const PART: usize = 1 << 12;

/// The packed values of some positions, and what was counted on the way.
struct Part {
    packed: Vec<u8>,
    counts: [u64; 4],
    positions: [u64; 4],
    longest: u32,
}

impl<G: Ranked> Layers<'_, G> {
    /// Writes the file. What has no value is drawn.
    pub(super) fn write(
        &self,
        file: &Path,
        header: impl Fn(Vec<SliceHeader>) -> Header,
        tell: &mut Tell<'_>,
    ) -> Result<(), DatabaseError> {
        let mut writer = Writer::create(file)?;
        let mut slices = Vec::new();
        for (number, &slice) in self.work.group.iter().enumerate() {
            let (first, size) = (self.first[number], self.first[number + 1] - self.first[number]);
            let mut written = SliceHeader {
                number: slice.0,
                name: self.work.game.slice_name(slice),
                size,
                counts: [0; 4],
                positions: [0; 4],
                fingerprint: fingerprint(self.work.game, slice),
                longest: 0,
                width: 0,
            };
            self.pieces(first, size, tell, |rank, records| {
                let parts: Vec<Part> = records
                    .par_chunks(PART)
                    .enumerate()
                    .map(|(part, records)| self.part(slice, rank + (part * PART) as u64, records))
                    .collect();
                for part in parts {
                    for bits in 0..4 {
                        written.counts[bits] += part.counts[bits];
                        written.positions[bits] += part.positions[bits];
                    }
                    written.longest = written.longest.max(part.longest);
                    writer.column(&part.packed)?;
                }
                Ok(())
            })?;
            writer.end_column()?;
            if self.work.metric != Metric::None {
                written.width = width(written.longest);
                self.pieces(first, size, tell, |_, records| {
                    let mut bytes = Vec::with_capacity(records.len() * usize::from(written.width));
                    for &record in records {
                        let record = Record(record);
                        let known = matches!(record.value(), Wdl::Win | Wdl::Loss);
                        let distance = if known { record.number() as u16 } else { 0 };
                        bytes.extend(&distance.to_le_bytes()[..usize::from(written.width)]);
                    }
                    writer.column(&bytes)
                })?;
                writer.end_column()?;
            }
            slices.push(written);
        }
        writer.finish(&header(slices))
    }

    /// Reads the records of a slice from the beginning to the end.
    fn pieces(
        &self,
        first: u64,
        size: u64,
        tell: &mut Tell<'_>,
        mut then: impl FnMut(u64, &[u16]) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let step = (self.work.memory / 16).max(PART as u64).next_multiple_of(PART as u64);
        let mut table = Table::open(&self.path("table"))?;
        for rank in (0..size).step_by(step as usize) {
            self.stopped()?;
            tell("file", 0, (rank, size));
            then(rank, &table.range(first + rank, step.min(size - rank))?)?;
        }
        Ok(())
    }

    fn part(&self, slice: Slice, rank: u64, records: &[u16]) -> Part {
        let mut part =
            Part { packed: vec![0; records.len().div_ceil(4)], counts: [0; 4], positions: [0; 4], longest: 0 };
        let value = |record: u16| match Record(record) {
            Record::HOLE => Wdl::Unknown,
            record if record.value() == Wdl::Unknown => Wdl::Draw,
            record => record.value(),
        };
        for (place, &record) in records.iter().enumerate() {
            let value = value(record);
            part.counts[usize::from(value.bits())] += 1;
            part.packed[place / 4] |= value.bits() << (place % 4 * 2);
            if matches!(value, Wdl::Win | Wdl::Loss) && self.work.metric != Metric::None {
                part.longest = part.longest.max(Record(record).number());
            }
        }
        let game = self.work.game;
        let _ = game.scan(slice, rank..rank + records.len() as u64, |at, position| {
            let value = value(records[(at - rank) as usize]);
            part.positions[usize::from(value.bits())] += u64::from(game.orbit(position));
            Continue(())
        });
        part
    }
}
