//! A pass over finished tables: does every value follow from those of its successors?

use std::ops::ControlFlow::Continue;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kibitz_game::{Ranked, Slice, Stop, Wdl};

use super::group::Group;
use super::parts::Crew;
use super::{Lower, Metric, Options, Progress, Unsolved};

/// The number of positions of a slice whose value does not follow from their successors', or whose distance does not, where a metric is given.
/// All tables that moves lead to are needed, the slice's own included. It shares no code with the algorithms that spread values.
pub fn inconsistent<G: Ranked, L: Lower>(
    game: &G,
    slice: Slice,
    tables: &L,
    metric: Option<Metric>,
    threads: usize,
    progress: &mut dyn FnMut(&Progress<'_>),
    stop: &Stop,
) -> Result<u64, Unsolved> {
    let names = game.slice_name(slice);
    // a group without slices sees everything outside of it
    let options = Options { metric: Some(Metric::Win), ..Options::default() };
    let group = Group::new(game, &[], tables, &options);
    let mut crew = Crew::new(threads, stop, progress, &names);
    let wrong = AtomicU64::new(0);
    let own_group = game.groups(None).into_iter().find(|group| group.contains(&slice)).unwrap_or_default();
    crew.sweep(&[game.size(slice)], "consistency", Vec::new, |buffer, part| {
        let _ = game.scan(slice, part.ranks(), |rank, position| {
            let place = kibitz_game::Place { slice, rank };
            let value = tables.value(place);
            let by_moves = |buffer: &mut Vec<G::Move>| {
                let (mut won, mut win, mut loss, mut draw) = (false, u16::MAX, 0, false);
                let _ = game.children(position, buffer, |child| {
                    let known = group.look(position, child);
                    let outside = || game.place(child).is_none_or(|place| !own_group.contains(&place.slice));
                    let distance = if metric == Some(Metric::Conversion) && outside() { 0 } else { known.distance };
                    match known.value {
                        Wdl::Loss => (won, win) = (true, win.min(distance.saturating_add(1))),
                        Wdl::Win => loss = loss.max(distance.saturating_add(1)),
                        Wdl::Draw | Wdl::Unknown => draw = true,
                    }
                    Continue(())
                });
                if won {
                    (Wdl::Win, win)
                } else if draw {
                    (Wdl::Draw, u16::MAX)
                } else {
                    (Wdl::Loss, loss)
                }
            };
            let expected = game.ended(position).map_or_else(|| by_moves(buffer), |value| (value, 0));
            let same_distance = metric.is_none() || value == Wdl::Draw || tables.distance(place) == expected.1;
            if value != expected.0 || !same_distance {
                wrong.fetch_add(1, Relaxed);
            }
            Continue(())
        });
    })?;
    group.complete()?;
    Ok(wrong.load(Relaxed))
}
