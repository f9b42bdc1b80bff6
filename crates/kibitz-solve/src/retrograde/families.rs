//! How values spread inside a group: the families that go through it pass by pass or layer by layer.

use std::mem::swap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kibitz_game::{Ranked, Wdl};

use super::group::{Group, Label, SAFE};
use super::parts::{Crew, Part};
use super::{Lower, Unsolved};

/// What a thread needs for itself.
struct Tools<M> {
    moves: Vec<M>,
    /// The successors or predecessors of a position.
    places: Vec<(usize, u64)>,
}

impl<M> Tools<M> {
    fn new() -> Self {
        Self { moves: Vec::new(), places: Vec::new() }
    }
}

/// Family I: all positions that are not final are looked at again until nothing changes.
pub(super) fn forward_checking<G: Ranked, L: Lower>(
    group: &Group<'_, G, L>,
    crew: &mut Crew<'_>,
) -> Result<(), Unsolved> {
    group.convert(crew)?;
    // after this many passes what is at most so many plies from its end is final
    let mut layer = 0;
    loop {
        let changed = AtomicU64::new(0);
        crew.sweep(&group.sizes, "forward", Tools::<G::Move>::new, |tools, part| {
            let sheet = &group.sheets[part.sheet];
            let _ = group.game.scan(sheet.slice, part.ranks(), |rank, position| {
                let value = sheet.values.get(rank);
                let open = value == Wdl::Unknown || value != Wdl::Draw && sheet.distance(rank) > layer;
                if open {
                    let label = group.checked(position, &mut tools.moves);
                    if label.value != Wdl::Unknown && group.set(part.sheet, rank, label) {
                        changed.fetch_add(1, Relaxed);
                    }
                }
                std::ops::ControlFlow::Continue(())
            });
        })?;
        if changed.load(Relaxed) == 0 {
            return Ok(());
        }
        layer = layer.saturating_add(1);
    }
}

/// One pass forward, and then backward from what it found: most positions get their value without a look at a predecessor.
pub(super) fn automatic<G: Ranked, L: Lower>(group: &Group<'_, G, L>, crew: &mut Crew<'_>) -> Result<(), Unsolved> {
    if group.metric.is_some() {
        return layered(group, crew);
    }
    group.convert(crew)?;
    group.pass(crew, "forward", true, |position, buffer| group.checked(position, buffer))?;
    rounds(group, crew)
}

/// Family II.
pub(super) fn layered<G: Ranked, L: Lower>(group: &Group<'_, G, L>, crew: &mut Crew<'_>) -> Result<(), Unsolved> {
    if group.metric.is_some() {
        group.convert(crew)?;
        return layers(group, crew, |tools, sheet, rank, layer| spread(group, tools, sheet, rank, layer, 1));
    }
    group.pass(crew, "conversions", true, |position, buffer| group.converted(position, buffer))?;
    group.complete()?;
    rounds(group, crew)
}

/// Family IV.
pub(super) fn layered_counting<G: Ranked, L: Lower>(
    group: &Group<'_, G, L>,
    crew: &mut Crew<'_>,
) -> Result<(), Unsolved> {
    count(group, crew)?;
    if group.metric.is_some() {
        return layers(group, crew, |tools, sheet, rank, layer| {
            count_down(group, tools, sheet, rank, layer, |_, _, _| ());
        });
    }
    mark_all(group, crew)?;
    let mut now = 0;
    while round(group, crew, now, |tools, sheet, rank| {
        count_down(group, tools, sheet, rank, 0, |sheet, rank, _| {
            group.sheets[sheet].marks[1 - now].insert(rank);
        });
    })? {
        now = 1 - now;
    }
    Ok(())
}

/// Backward from what is marked, round by round.
fn rounds<G: Ranked, L: Lower>(group: &Group<'_, G, L>, crew: &mut Crew<'_>) -> Result<(), Unsolved> {
    let mut now = 0;
    while round(group, crew, now, |tools, sheet, rank| spread(group, tools, sheet, rank, 0, 1 - now))? {
        now = 1 - now;
    }
    Ok(())
}

/// One round: visits what is marked. False if nothing was.
fn round<G: Ranked, L: Lower>(
    group: &Group<'_, G, L>,
    crew: &mut Crew<'_>,
    now: usize,
    visit: impl Fn(&mut Tools<G::Move>, usize, u64) + Sync,
) -> Result<bool, Unsolved> {
    let seen = AtomicU64::new(0);
    crew.sweep(&group.sizes, "backward", Tools::new, |tools, Part { sheet, first, end }| {
        let mut count = 0;
        group.sheets[sheet].marks[now].drain(first..end, |rank| {
            count += 1;
            visit(tools, sheet, rank);
        });
        seen.fetch_add(count, Relaxed);
    })?;
    Ok(seen.load(Relaxed) > 0)
}

/// Layer by layer: visits the positions whose label is the layer.
fn layers<G: Ranked, L: Lower>(
    group: &Group<'_, G, L>,
    crew: &mut Crew<'_>,
    visit: impl Fn(&mut Tools<G::Move>, usize, u64, u16) + Sync,
) -> Result<(), Unsolved> {
    let mut layer = 0;
    while u32::from(layer) <= group.greatest.load(Relaxed) {
        crew.sweep(&group.sizes, "layer", Tools::new, |tools, part| {
            let sheet = &group.sheets[part.sheet];
            for rank in part.ranks() {
                if sheet.distance(rank) == layer && matches!(sheet.values.get(rank), Wdl::Loss | Wdl::Win) {
                    visit(tools, part.sheet, rank, layer);
                }
            }
        })?;
        layer += 1;
    }
    Ok(())
}

/// Tells the predecessors of a position of its value: those of a loss are wins, those of a win are checked. Marks what becomes known.
fn spread<G: Ranked, L: Lower>(
    group: &Group<'_, G, L>,
    tools: &mut Tools<G::Move>,
    sheet: usize,
    rank: u64,
    layer: u16,
    next: usize,
) {
    let value = group.sheets[sheet].values.get(rank);
    if !matches!(value, Wdl::Loss | Wdl::Win) {
        return;
    }
    let Some(position) = group.game.unrank(group.sheets[sheet].slice, rank) else { return };
    group.game.unplay(&position, |before| {
        let Some((sheet, rank)) = group.game.place(before).and_then(|place| group.inside(place)) else { return };
        let there = &group.sheets[sheet];
        let known = there.values.get(rank);
        // without distances what is known is final
        if known != Wdl::Unknown && (group.metric.is_none() || there.distance(rank) <= layer + 1 || known == Wdl::Draw)
        {
            return;
        }
        let label = match (value, known) {
            (Wdl::Loss, _) => Label { value: Wdl::Win, distance: layer + 1 },
            // a win gets no shorter by another win of the opponent
            (_, Wdl::Win) => return,
            _ => match group.lost(before, &mut tools.moves) {
                Some(distance) => Label { value: Wdl::Loss, distance },
                None => return,
            },
        };
        if group.set(sheet, rank, label) && group.metric.is_none() {
            there.marks[next].insert(rank);
        }
    });
}

/// The first pass of the families that count: conversions, and how many different successors in the group each position has.
pub(super) fn count<G: Ranked, L: Lower>(group: &Group<'_, G, L>, crew: &mut Crew<'_>) -> Result<(), Unsolved> {
    crew.sweep(&group.sizes, "conversions", Tools::<G::Move>::new, |tools, part| {
        let sheet = &group.sheets[part.sheet];
        let _ = group.game.scan(sheet.slice, part.ranks(), |rank, position| {
            let mut label = group.game.ended(position).map_or(Label::UNKNOWN, |value| Label { value, distance: 0 });
            if label.value == Wdl::Unknown {
                tools.places.clear();
                label = group.tallied(position, &mut tools.moves, &mut tools.places, |floor, safe, open| {
                    sheet.open[rank as usize].store(if safe { SAFE } else { open }, Relaxed);
                    if let Some(floors) = &sheet.floor {
                        floors[rank as usize].store(floor, Relaxed);
                    }
                });
            }
            if label.value != Wdl::Unknown {
                group.set(part.sheet, rank, label);
            }
            std::ops::ControlFlow::Continue(())
        });
    })?;
    group.complete()
}

/// Marks all positions that are known.
fn mark_all<G: Ranked, L: Lower>(group: &Group<'_, G, L>, crew: &mut Crew<'_>) -> Result<(), Unsolved> {
    crew.sweep(
        &group.sizes,
        "conversions",
        || (),
        |(), part| {
            let sheet = &group.sheets[part.sheet];
            for rank in part.ranks() {
                if sheet.values.get(rank) != Wdl::Unknown {
                    sheet.marks[0].insert(rank);
                }
            }
        },
    )
}

/// Tells the predecessors of a position of its value: those of a loss are wins, those of a win have a successor less. `found` is told what
/// gets a label.
fn count_down<G: Ranked, L: Lower>(
    group: &Group<'_, G, L>,
    tools: &mut Tools<G::Move>,
    sheet: usize,
    rank: u64,
    layer: u16,
    mut found: impl FnMut(usize, u64, u16),
) {
    group.count_down(&mut tools.places, sheet, rank, layer, &mut found);
}

impl<G: Ranked, L: Lower> Group<'_, G, L> {
    /// The value by the moves that leave the group, and what else counting needs: the shortest loss that they leave, whether they make
    /// the position safe, and the number of different successors inside.
    fn tallied(
        &self,
        position: &G::Position,
        moves: &mut Vec<G::Move>,
        places: &mut Vec<(usize, u64)>,
        tell: impl FnOnce(u16, bool, u8),
    ) -> Label {
        let (mut win, mut floor, mut safe) = (super::NEVER, 0, false);
        let _ = self.game.children(position, moves, |child| {
            let known = self.look(position, child);
            if let Some(inside) = known.inside {
                places.push(inside);
                return std::ops::ControlFlow::Continue(());
            }
            let further = known.distance.saturating_add(1).min(super::NEVER - 1);
            match known.value {
                Wdl::Loss => win = win.min(further),
                Wdl::Win => floor = floor.max(further),
                Wdl::Draw | Wdl::Unknown => safe = true,
            }
            std::ops::ControlFlow::Continue(())
        });
        places.sort_unstable();
        places.dedup();
        if places.len() >= usize::from(SAFE) {
            self.crowded.store(true, Relaxed);
        }
        tell(floor, safe, places.len() as u8);
        if win != super::NEVER {
            Label { value: Wdl::Win, distance: win }
        } else if !places.is_empty() {
            Label::UNKNOWN
        } else if safe {
            Label { value: Wdl::Draw, distance: super::NEVER }
        } else {
            Label { value: Wdl::Loss, distance: floor }
        }
    }

    /// See [`count_down`].
    pub(super) fn count_down(
        &self,
        places: &mut Vec<(usize, u64)>,
        sheet: usize,
        rank: u64,
        layer: u16,
        found: &mut impl FnMut(usize, u64, u16),
    ) {
        let value = self.sheets[sheet].values.get(rank);
        if !matches!(value, Wdl::Loss | Wdl::Win) {
            return;
        }
        let Some(position) = self.game.unrank(self.sheets[sheet].slice, rank) else { return };
        let mut before = Vec::new();
        swap(&mut before, places);
        before.clear();
        self.game.unplay(&position, |position| {
            before.extend(self.game.place(position).and_then(|place| self.inside(place)));
        });
        // two moves, or a move and its mirror image, may lead from a position to this one: it counts once
        before.sort_unstable();
        before.dedup();
        for &(sheet, rank) in &before {
            let there = &self.sheets[sheet];
            let known = there.values.get(rank);
            if value == Wdl::Loss {
                let longer = self.metric.is_some() && known == Wdl::Win && there.distance(rank) > layer + 1;
                if (known == Wdl::Unknown || longer)
                    && self.set(sheet, rank, Label { value: Wdl::Win, distance: layer + 1 })
                {
                    found(sheet, rank, layer + 1);
                }
            } else if known == Wdl::Unknown && there.open[rank as usize].load(Relaxed) != SAFE {
                // the last of several threads finds zero
                if there.open[rank as usize].fetch_sub(1, Relaxed) == 1 {
                    let floor = there.floor.as_ref().map_or(0, |floors| floors[rank as usize].load(Relaxed));
                    let distance = floor.max(layer + 1);
                    if self.set(sheet, rank, Label { value: Wdl::Loss, distance }) {
                        found(sheet, rank, distance);
                    }
                }
            }
        }
        swap(&mut before, places);
    }
}
