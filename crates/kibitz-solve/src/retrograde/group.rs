//! A group of slices while it is solved: the arrays, and what the moves of a position say about its value.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed};

use bytemuck::allocation::zeroed_vec;
use kibitz_game::{Place, Ranked, Slice, Turn, Wdl};

use super::parts::Crew;
use super::tables::{Counts, Solved, Table};
use super::values::{Distances, Marks, NEVER, PER_WORD, Values};
use super::{Family, Lower, Metric, Options, Unsolved};

/// A count that never comes to zero: of a position that cannot be lost.
pub(super) const SAFE: u8 = u8::MAX;

/// The arrays of one slice.
pub(super) struct Sheet {
    pub slice: Slice,
    pub size: u64,
    pub values: Values,
    pub distances: Option<Distances>,
    /// What became known in the round before, and in this one.
    pub marks: [Marks; 2],
    /// Successors in the group that are not yet wins.
    pub open: Vec<AtomicU8>,
    /// The shortest loss that moves out of the group leave, where distances are counted.
    pub floor: Option<Vec<std::sync::atomic::AtomicU16>>,
}

impl Sheet {
    fn has_floor<G: Ranked>(options: &Options) -> bool {
        G::MIXES && options.family.counts() && options.metric.is_some()
    }

    /// The positions that can be marked: none where layers are told by distances, or nothing goes backward.
    fn marked(size: u64, options: &Options) -> u64 {
        let by_round = options.metric.is_none() && options.family != Family::ForwardChecking;
        if by_round || options.family == Family::Queue { size } else { 0 }
    }

    /// What it takes in memory.
    pub fn bytes<G: Ranked>(size: u64, options: &Options) -> u64 {
        let distances = if options.metric.is_some() { 2 * size } else { 0 };
        let open = if options.family.counts() { size } else { 0 };
        let floor = if Self::has_floor::<G>(options) { 2 * size } else { 0 };
        let queue = if options.family == Family::Queue { size * size_of::<(usize, u64)>() as u64 } else { 0 };
        Values::bytes(size) + 2 * Marks::bytes(Self::marked(size, options)) + distances + open + floor + queue
    }

    fn new<G: Ranked>(slice: Slice, size: u64, options: &Options) -> Self {
        let marked = Self::marked(size, options);
        Self {
            slice,
            size,
            values: Values::unknown(size),
            distances: options.metric.map(|_| Distances::never(size)),
            marks: [Marks::none(marked), Marks::none(marked)],
            open: if options.family.counts() { zeroed_vec(size as usize) } else { Vec::new() },
            floor: Self::has_floor::<G>(options).then(|| zeroed_vec(size as usize)),
        }
    }

    /// The distance of a position, if distances are counted.
    #[inline(always)]
    pub fn distance(&self, rank: u64) -> u16 {
        self.distances.as_ref().map_or(0, |distances| distances.get(rank))
    }
}

/// What is known of a successor.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub value: Wdl,
    pub distance: u16,
    /// Its sheet and rank, if it is in the group.
    pub inside: Option<(usize, u64)>,
}

/// A value, with its distance where distances are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub value: Wdl,
    pub distance: u16,
}

impl Label {
    pub const UNKNOWN: Self = Self { value: Wdl::Unknown, distance: NEVER };
}

/// Values of one word that are written together.
#[derive(Default)]
pub(super) struct Pen {
    word: usize,
    bits: u64,
}

impl Pen {
    #[inline(always)]
    pub fn write(&mut self, values: &Values, rank: u64, value: Wdl) {
        let word = (rank / PER_WORD) as usize;
        if word != self.word {
            self.lift(values);
            self.word = word;
        }
        self.bits |= u64::from(value.bits()) << (2 * (rank % PER_WORD));
    }

    pub fn lift(&mut self, values: &Values) {
        if self.bits != 0 {
            values.add(self.word, self.bits);
            self.bits = 0;
        }
    }
}

/// The group.
pub(super) struct Group<'a, G: Ranked, L> {
    pub game: &'a G,
    pub lower: &'a L,
    pub metric: Option<Metric>,
    pub sheets: Vec<Sheet>,
    /// The number of positions of each sheet.
    pub sizes: Vec<u64>,
    /// The greatest label given.
    pub greatest: AtomicU32,
    /// A position outside of the group without a value.
    missing: Mutex<Option<String>>,
    /// A position has too many moves to be counted.
    pub crowded: AtomicBool,
}

impl<'a, G: Ranked, L: Lower> Group<'a, G, L> {
    pub fn new(game: &'a G, slices: &[Slice], lower: &'a L, options: &Options) -> Self {
        let sheets: Vec<Sheet> =
            slices.iter().map(|&slice| Sheet::new::<G>(slice, game.size(slice), options)).collect();
        let sizes = sheets.iter().map(|sheet| sheet.size).collect();
        Self {
            game,
            lower,
            metric: options.metric,
            sheets,
            sizes,
            greatest: AtomicU32::new(0),
            missing: Mutex::new(None),
            crowded: AtomicBool::new(false),
        }
    }

    /// The sheet and the rank of a place in the group.
    #[inline(always)]
    pub fn inside(&self, place: Place) -> Option<(usize, u64)> {
        self.sheets.iter().position(|sheet| sheet.slice == place.slice).map(|sheet| (sheet, place.rank))
    }

    /// What is known of a successor of `parent`.
    #[inline(always)]
    pub fn look(&self, parent: &G::Position, child: &G::Position) -> Known {
        let Some(place) = self.game.place(child) else { return self.over(parent, child) };
        if let Some((sheet, rank)) = self.inside(place) {
            let value = self.sheets[sheet].values.get(rank);
            let distance = if value == Wdl::Unknown { NEVER } else { self.sheets[sheet].distance(rank) };
            return Known { value, distance, inside: Some((sheet, rank)) };
        }
        let value = self.lower.value(place);
        if value == Wdl::Unknown {
            self.miss(place);
        }
        let distance = if self.metric == Some(Metric::Win) { self.lower.distance(place) } else { 0 };
        Known { value, distance, inside: None }
    }

    /// A successor without a place is over, and its score counts.
    #[cold]
    fn over(&self, parent: &G::Position, child: &G::Position) -> Known {
        let value = if let (Turn::Player(mover), Turn::Over) = (self.game.turn(parent), self.game.turn(child)) {
            Wdl::of_score(self.game.score(child, usize::from(mover))).reversed()
        } else {
            self.note(self.game.write(child));
            Wdl::Unknown
        };
        Known { value, distance: 0, inside: None }
    }

    #[cold]
    fn miss(&self, place: Place) {
        self.note(self.game.slice_name(place.slice));
    }

    fn note(&self, what: String) {
        self.missing.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(what);
    }

    /// The value by the moves that leave the group alone; unknown if it depends on others.
    #[inline(always)]
    pub fn converted(&self, position: &G::Position, buffer: &mut Vec<G::Move>) -> Label {
        if let Some(value) = self.game.ended(position) {
            return Label { value, distance: 0 };
        }
        self.judged(position, buffer, |known| {
            if known.inside.is_none() {
                Continue(known)
            } else if G::MIXES {
                Continue(Known { value: Wdl::Unknown, ..known })
            } else {
                Break(())
            }
        })
    }

    /// The value by all moves.
    #[inline(always)]
    pub fn checked(&self, position: &G::Position, buffer: &mut Vec<G::Move>) -> Label {
        self.judged(position, buffer, Continue)
    }

    /// Whether all moves lead to wins of the opponent, and the distance then.
    #[inline(always)]
    pub fn lost(&self, position: &G::Position, buffer: &mut Vec<G::Move>) -> Option<u16> {
        let label = self.judged(position, buffer, |known| match known.value {
            Wdl::Win => Continue(known),
            _ => Break(()),
        });
        (label.value == Wdl::Loss).then_some(label.distance)
    }

    /// The value by the moves; `see` says what counts, and breaks where nothing can be said any more.
    #[inline(always)]
    fn judged(
        &self,
        position: &G::Position,
        buffer: &mut Vec<G::Move>,
        see: impl Fn(Known) -> ControlFlow<(), Known>,
    ) -> Label {
        let (mut win, mut loss, mut draw, mut open) = (NEVER, 0, false, false);
        let end = self.game.children(position, buffer, |child| {
            let known = see(self.look(position, child))?;
            match known.value {
                Wdl::Loss => {
                    win = win.min(known.distance.saturating_add(1).min(NEVER - 1));
                    // the shortest win is looked for only where it matters
                    if self.metric.is_none() {
                        return Break(());
                    }
                }
                Wdl::Win => loss = loss.max(known.distance.saturating_add(1).min(NEVER - 1)),
                Wdl::Draw => draw = true,
                Wdl::Unknown => open = true,
            }
            Continue(())
        });
        if win != NEVER {
            Label { value: Wdl::Win, distance: win }
        } else if open || end.is_break() {
            Label::UNKNOWN
        } else if draw {
            Label { value: Wdl::Draw, distance: NEVER }
        } else {
            Label { value: Wdl::Loss, distance: loss }
        }
    }

    /// Gives a position a label, and says whether it had none, or a greater one.
    #[inline(always)]
    pub fn set(&self, sheet: usize, rank: u64, label: Label) -> bool {
        let sheet = &self.sheets[sheet];
        let mut better = false;
        if let Some(distances) = &sheet.distances
            && label.value != Wdl::Draw
        {
            better = label.distance < distances.get(rank);
            if better {
                distances.shorten(rank, label.distance);
                if u32::from(label.distance) > self.greatest.load(Relaxed) {
                    self.greatest.fetch_max(u32::from(label.distance), Relaxed);
                }
            }
        }
        sheet.values.set(rank, label.value) || better
    }

    /// Goes through all positions once, and finds the values of those that are over and of those that moves out of the group decide.
    pub fn convert(&self, crew: &mut Crew<'_>) -> Result<(), Unsolved> {
        self.pass(crew, "conversions", false, |position, buffer| self.converted(position, buffer))?;
        self.complete()
    }

    /// Goes through all positions, and gives labels to those whose value is unknown. Those that get one are marked for the next round if
    /// `mark` says so.
    pub fn pass(
        &self,
        crew: &mut Crew<'_>,
        phase: &str,
        mark: bool,
        label: impl Fn(&G::Position, &mut Vec<G::Move>) -> Label + Sync,
    ) -> Result<(), Unsolved> {
        crew.sweep(&self.sizes, phase, Vec::new, |buffer, part| {
            let sheet = &self.sheets[part.sheet];
            let mut pen = Pen::default();
            let _ = self.game.scan(sheet.slice, part.ranks(), |rank, position| {
                if sheet.values.get(rank) == Wdl::Unknown {
                    let label = label(position, buffer);
                    if label.value != Wdl::Unknown {
                        if self.metric.is_some() {
                            self.set(part.sheet, rank, label);
                        } else {
                            pen.write(&sheet.values, rank, label.value);
                        }
                        if mark && label.value != Wdl::Draw {
                            sheet.marks[0].insert(rank);
                        }
                    }
                }
                Continue(())
            });
            pen.lift(&sheet.values);
        })
    }

    /// Whether every position that a move led to had a value.
    pub fn complete(&self) -> Result<(), Unsolved> {
        let missing = self.missing.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if self.crowded.load(Relaxed) {
            return Err(Unsolved::NotSupported(
                "a position has more than 254 successors, too many to count: use another algorithm".into(),
            ));
        }
        missing.map_or(Ok(()), |what| Err(Unsolved::Missing(what)))
    }

    /// What is still unknown is drawn. Counts the values.
    pub fn finish(self, crew: &mut Crew<'_>) -> Result<Solved, Unsolved> {
        self.complete()?;
        let totals: Vec<Mutex<Counts>> = self.sheets.iter().map(|_| Mutex::default()).collect();
        crew.sweep(
            &self.sizes,
            "counts",
            || (),
            |(), part| {
                let sheet = &self.sheets[part.sheet];
                let (mut pen, mut counts) = (Pen::default(), Counts::default());
                let _ = self.game.scan(sheet.slice, part.ranks(), |rank, position| {
                    let mut value = sheet.values.get(rank);
                    if value == Wdl::Unknown {
                        value = Wdl::Draw;
                        pen.write(&sheet.values, rank, value);
                    }
                    counts.add(value, self.game.orbit(position));
                    if value != Wdl::Draw
                        && let Some(distances) = &sheet.distances
                    {
                        counts.add_distance(value, distances.get(rank));
                    }
                    Continue(())
                });
                pen.lift(&sheet.values);
                totals[part.sheet].lock().unwrap_or_else(std::sync::PoisonError::into_inner).merge(&counts);
            },
        )?;
        let counts = totals.into_iter().map(|total| total.into_inner().unwrap_or_default());
        let tables = self.sheets.into_iter().zip(counts).map(|(sheet, counts)| Table {
            slice: sheet.slice,
            values: sheet.values,
            distances: sheet.distances,
            counts,
        });
        Ok(Solved { tables: tables.collect(), passes: crew.passes() })
    }
}
