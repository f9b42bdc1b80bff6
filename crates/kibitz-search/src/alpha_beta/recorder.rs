//! Writes down the tree of the last iteration, for pictures of small searches.
//!
//! Nothing of this is in the way of a search that is not recorded but one test a node. So the recorder finds out for itself what the
//! loop does not tell it: which move leads from one position to the next, and by the counters why a node ended.

use kibitz_game::{Bound, Pack, Score, Trace, Turn, Visit};

use super::INFINITY;
use super::tree::{Counters, Tree};
use crate::{Searchable, TRACING};

/// The nodes so far, and those on the way from the root to the one being searched.
pub(super) struct Recorder<G: Searchable> {
    limit: usize,
    /// The player to move at the root, whose view all values take.
    viewer: u8,
    trace: Trace<G::Move>,
    open: Vec<Open<G>>,
    /// The tree of the last iteration that was completed.
    complete: Option<Trace<G::Move>>,
}

struct Open<G: Searchable> {
    /// The number of the node; none when the limit was reached.
    number: Option<u32>,
    position: G::Position,
    /// The moves searched so far.
    searched: Vec<u64>,
    /// The counters when the last child was opened or closed; what has changed since then is the node's own doing.
    seen: Counters,
}

impl<G: Searchable> Recorder<G> {
    /// A recorder of so many nodes; none for none.
    pub(super) fn new(limit: usize) -> Option<Box<Self>> {
        (TRACING && limit > 0)
            .then(|| Box::new(Self { limit, viewer: 0, trace: Trace::default(), open: Vec::new(), complete: None }))
    }

    pub(super) fn finish(self) -> Option<Trace<G::Move>> {
        self.complete
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// Begins the tree of another iteration.
    pub(super) fn begin_record(&mut self, viewer: u8) {
        if let Some(recorder) = &mut self.recorder {
            recorder.viewer = viewer;
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

    /// [`Tree::enter`] with a record of it.
    #[cold]
    #[inline(never)]
    pub(super) fn recorded(
        &mut self,
        child: &G::Position,
        me: u8,
        left: u32,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.open_record(child, me, left, alpha, beta);
        let value = self.entered(child, me, left, ply, alpha, beta);
        self.close_record(me, left, alpha, beta, value);
        value
    }

    /// Opens the record of a position; the window is in the view of `me`.
    pub(super) fn open_record(&mut self, position: &G::Position, me: u8, left: u32, alpha: Score, beta: Score) {
        let Some(mut recorder) = self.recorder.take() else { return };
        let window = self.in_view(&recorder, me, alpha, beta);
        let turn = self.game.turn(position);
        let mut visit = Visit {
            parent: None,
            mv: None,
            player: if let Turn::Player(player) = turn { Some(player) } else { None },
            chance: turn == Turn::Chance,
            probability: None,
            depth: left,
            alpha: window.0,
            beta: window.1,
            null_window: beta == alpha.saturating_add(1),
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
            parent.seen = self.counters;
            fits &= parent.number.is_some();
            visit.parent = parent.number;
            if fits {
                let mut moves = Vec::new();
                self.game.moves(&parent.position, &mut moves);
                let leads = |&mv: &G::Move| {
                    let mut child = parent.position.clone();
                    self.game.play(&mut child, mv);
                    child == *position
                };
                let leading: Vec<G::Move> = moves.into_iter().filter(leads).collect();
                // of two moves to the same position the one that has not been searched; none after a null move
                let fresh = leading.iter().copied().find(|mv| !parent.searched.contains(&mv.pack()));
                visit.again = !leading.is_empty() && fresh.is_none();
                visit.mv = fresh.or(leading.first().copied());
                parent.searched.extend(visit.mv.map(Pack::pack));
            }
        }
        let number = fits.then_some(recorder.trace.nodes.len() as u32);
        if fits {
            recorder.trace.nodes.push(visit);
        } else {
            recorder.trace.missing += 1;
        }
        recorder.open.push(Open { number, position: position.clone(), searched: Vec::new(), seen: self.counters });
        self.recorder = Some(recorder);
    }

    /// Closes the record opened last with the value for `me`.
    pub(super) fn close_record(&mut self, me: u8, left: u32, alpha: Score, beta: Score, value: Score) {
        let Some(mut recorder) = self.recorder.take() else { return };
        if let Some(Open { number: Some(number), position, searched, seen }) = recorder.open.pop() {
            let turn = self.game.turn(&position);
            let end = self.end_of_node(turn, left, &seen);
            let (value, exact) =
                (self.in_view(&recorder, me, value, value).0, matches!(end, "over" | "horizon" | "database"));
            let visit = &mut recorder.trace.nodes[number as usize];
            visit.value = value;
            visit.bound = match value {
                _ if exact && (end != "horizon" || !self.switches.quiesces()) => Bound::Exact,
                value if value <= visit.alpha => Bound::Upper,
                value if value >= visit.beta => Bound::Lower,
                _ => Bound::Exact,
            };
            visit.end = end;
            if matches!(turn, Turn::Player(_)) && left > 0 && alpha < beta && end != "database" {
                self.game.moves(&position, &mut visit.pruned);
                visit.pruned.retain(|mv| !searched.contains(&mv.pack()));
                // the last move may reach beta, too, but cuts nothing
                if end == "cut" && visit.pruned.is_empty() {
                    visit.end = "";
                }
            }
        }
        if let Some(parent) = recorder.open.last_mut() {
            parent.seen = self.counters;
        }
        self.recorder = Some(recorder);
    }

    /// Why a node was left, in a word; nothing when all of its moves were searched.
    fn end_of_node(&self, turn: Turn, left: u32, seen: &Counters) -> &'static str {
        let now = &self.counters;
        let happened = [
            ("repetition", now.repetitions > seen.repetitions),
            ("over", turn == Turn::Over),
            ("database", now.database_hits > seen.database_hits),
            ("horizon", left == 0),
            ("table", now.table_cuts > seen.table_cuts),
            ("razoring", now.razored > seen.razored),
            ("null-move", now.null_cuts > seen.null_cuts),
            ("prob-cut", now.prob_cuts > seen.prob_cuts),
            ("multi-cut", now.multi_cuts > seen.multi_cuts),
            ("etc", now.etc_cuts > seen.etc_cuts),
            ("cut", now.cuts > seen.cuts),
            ("futility", now.futile > seen.futile),
        ];
        happened.iter().find(|(_, happened)| *happened).map_or("", |&(word, _)| word)
    }

    /// Two values for `me` as results in the view of the root's player, the lower one first.
    fn in_view(&self, recorder: &Recorder<G>, me: u8, low: Score, high: Score) -> (f64, f64) {
        let result = |score: Score| match score {
            INFINITY => f64::INFINITY,
            score if score == -INFINITY => f64::NEG_INFINITY,
            score => self.game.result(f64::from(score) * f64::from(self.bucket)),
        };
        if me == recorder.viewer { (result(low), result(high)) } else { (result(-high), result(-low)) }
    }
}
