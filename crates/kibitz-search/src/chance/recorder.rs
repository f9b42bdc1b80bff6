//! Writes down the tree of the last iteration, for pictures of small searches.

use kibitz_game::{Bound, Pack, Trace, Turn, Visit};

use super::node::Step;
use super::tree::Tree;
use crate::{Searchable, TRACING};

/// The nodes so far, and those on the way from the root to the one being searched.
pub(super) struct Recorder<G: Searchable> {
    limit: usize,
    /// Whether the player to move at the root is the second one, whose view all values take.
    mirrored: bool,
    trace: Trace<G::Move>,
    open: Vec<Open>,
    /// The tree of the last iteration that was completed.
    complete: Option<Trace<G::Move>>,
}

struct Open {
    /// The number of the node; none when the limit was reached.
    number: Option<u32>,
    /// The moves or outcomes searched so far.
    searched: Vec<u64>,
    end: &'static str,
}

impl<G: Searchable> Recorder<G> {
    /// A recorder of so many nodes; none for none.
    pub(super) fn new(limit: usize) -> Option<Box<Self>> {
        (TRACING && limit > 0).then(|| {
            Box::new(Self { limit, mirrored: false, trace: Trace::default(), open: Vec::new(), complete: None })
        })
    }

    pub(super) fn finish(self) -> Option<Trace<G::Move>> {
        self.complete
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// Begins the tree of another iteration.
    pub(super) fn begin_record(&mut self, player: Option<u8>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.mirrored = player == Some(1);
            recorder.trace = Trace::default();
            recorder.open.clear();
        }
    }

    /// Keeps the tree of an iteration that was completed.
    pub(super) fn keep_record(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.complete = Some(std::mem::take(&mut recorder.trace));
        }
    }

    /// Says why the node being searched ends, in a word.
    #[inline(always)]
    pub(super) fn note(&mut self, end: &'static str) {
        if TRACING
            && let Some(recorder) = &mut self.recorder
            && let Some(open) = recorder.open.last_mut()
        {
            open.end = end;
        }
    }

    /// Opens the record of a position.
    #[cold]
    pub(super) fn open_record(
        &mut self,
        position: &G::Position,
        step: Option<Step<G::Move>>,
        left: u32,
        alpha: f64,
        beta: f64,
    ) {
        let Some(recorder) = &mut self.recorder else { return };
        let game = self.game;
        let turn = game.turn(position);
        let (alpha, beta) = if recorder.mirrored { (-beta, -alpha) } else { (alpha, beta) };
        let mut visit = Visit {
            parent: None,
            mv: step.map(|step| step.mv),
            player: if let Turn::Player(player) = turn { Some(player) } else { None },
            chance: turn == Turn::Chance,
            probability: step.and_then(|step| step.probability),
            depth: left,
            alpha: game.result(alpha),
            beta: game.result(beta),
            null_window: false,
            again: false,
            value: 0.0,
            bound: Bound::Estimate,
            end: "",
            pruned: Vec::new(),
            visits: 0,
            numbers: None,
        };
        let mut fits = recorder.trace.nodes.len() < recorder.limit;
        if let Some(parent) = recorder.open.last_mut() {
            fits &= parent.number.is_some();
            visit.parent = parent.number;
            if let Some(step) = step {
                visit.again = parent.searched.contains(&step.mv.pack());
                parent.searched.push(step.mv.pack());
            }
        }
        let number = fits.then_some(recorder.trace.nodes.len() as u32);
        if fits {
            recorder.trace.nodes.push(visit);
        } else {
            recorder.trace.missing += 1;
        }
        recorder.open.push(Open { number, searched: Vec::new(), end: "" });
    }

    /// Closes the record opened last with its value for the first player.
    #[cold]
    pub(super) fn close_record(&mut self, position: &G::Position, value: f64) {
        let Some(recorder) = &mut self.recorder else { return };
        let Some(Open { number: Some(number), searched, end }) = recorder.open.pop() else { return };
        let visit = &mut recorder.trace.nodes[number as usize];
        visit.value = self.game.result(if recorder.mirrored { -value } else { value });
        visit.bound = match visit.value {
            _ if matches!(end, "over" | "horizon") => Bound::Exact,
            value if value <= visit.alpha => Bound::Upper,
            value if value >= visit.beta => Bound::Lower,
            _ if end == "probe" && visit.player == Some(u8::from(recorder.mirrored)) => Bound::Lower,
            _ if end == "probe" => Bound::Upper,
            _ => Bound::Exact,
        };
        visit.end = end;
        if matches!(end, "cut" | "probe-cut" | "prob-cut" | "etc" | "probe") {
            self.game.moves(position, &mut visit.pruned);
            visit.pruned.retain(|mv| !searched.contains(&mv.pack()));
            // the last move may reach beta, too, but cuts nothing
            if end == "cut" && visit.pruned.is_empty() {
                visit.end = "";
            }
        }
    }
}
