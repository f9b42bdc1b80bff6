//! Family III: a queue of positions whose value is known, and a count for each position.

use std::collections::VecDeque;

use kibitz_game::{Ranked, Wdl};

use super::families::count;
use super::group::Group;
use super::parts::Crew;
use super::{Lower, Unsolved};

/// Positions visited between two looks at the clock.
const BATCH: usize = 1 << 12;

/// Takes known positions from a queue, the nearest to the end first, and tells their predecessors. Where distances are counted there is a
/// queue for each of them, since tables of other groups bring in positions that are far from the end.
pub(super) fn queue<G: Ranked, L: Lower>(group: &Group<'_, G, L>, crew: &mut Crew<'_>) -> Result<(), Unsolved> {
    count(group, crew)?;
    let mut queues: Vec<VecDeque<(usize, u64)>> = vec![VecDeque::new()];
    let known = (0..group.sheets.len()).flat_map(|sheet| (0..group.sizes[sheet]).map(move |rank| (sheet, rank)));
    for (sheet, rank) in known {
        if matches!(group.sheets[sheet].values.get(rank), Wdl::Loss | Wdl::Win) {
            push(&mut queues, sheet, rank, group.sheets[sheet].distance(rank));
        }
    }
    let mut places = Vec::new();
    let (mut layer, mut visited) = (0, 0);
    while layer < queues.len() {
        let Some((sheet, rank)) = queues[layer].pop_front() else {
            layer += 1;
            continue;
        };
        visited += 1;
        if visited % BATCH == 0 && crew.stop.ask() {
            return Err(Unsolved::Stopped);
        }
        // a shorter win was found meanwhile, or it was told already
        if usize::from(group.sheets[sheet].distance(rank)) != layer || !group.sheets[sheet].marks[0].insert(rank) {
            continue;
        }
        group.count_down(&mut places, sheet, rank, layer as u16, &mut |sheet, rank, distance| {
            let distance = if group.metric.is_some() { distance } else { 0 };
            push(&mut queues, sheet, rank, distance);
        });
    }
    Ok(())
}

fn push(queues: &mut Vec<VecDeque<(usize, u64)>>, sheet: usize, rank: u64, distance: u16) {
    let distance = usize::from(distance);
    if queues.len() <= distance {
        queues.resize_with(distance + 1, VecDeque::new);
    }
    queues[distance].push_back((sheet, rank));
}
