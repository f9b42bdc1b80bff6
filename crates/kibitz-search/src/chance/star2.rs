//! Star2 and Star2.5 (Ballard 1983): some moves of every event are probed before any event is searched in full.
//!
//! A move of a player who makes values large is a lower bound of the node, one of the opponent an upper bound. So below nodes of
//! the first player probes can only make the lower sum reach beta, below those of the second only the upper sum reach
//! alpha. A probe that fails on its other side proves nothing about the event and is ignored; the published listing adds
//! it, which happens to be harmless with its own windows.
//!
//! Where a cut is out of reach (the window is open on the side in question) nothing is probed.

use kibitz_game::{Memory, Pack, Turn};

use super::Schedule;
use super::events::{Followed, Node};
use super::memory::Known;
use super::node::Step;
use super::tree::Tree;
use crate::{Searchable, TRACING};

impl<G: Searchable> Tree<'_, G> {
    /// Probes so many moves of every event; the value if that cuts.
    pub(super) fn probe_events(
        &mut self,
        node: &mut Node<'_, G::Position>,
        probes: u32,
        schedule: Schedule,
    ) -> Option<f64> {
        // leaves have no moves to probe
        if node.left == 0 || node.alpha <= self.low && node.beta >= self.high {
            return None;
        }
        let before = self.counters.probes;
        let (events, ranks) = (node.end - node.first, probes as usize);
        let mut cut = None;
        for number in 0..events * ranks {
            let (place, rank) = match schedule {
                Schedule::Cyclic => (number % events, number / events),
                Schedule::Sequential => (number / ranks, number % ranks),
            };
            self.probe_event(node, node.first + place, rank);
            if self.interrupted() {
                return Some(0.0);
            }
            cut = node.cut();
            if cut.is_some() {
                break;
            }
        }
        self.counters.probings += u64::from(self.counters.probes > before);
        if cut.is_some() {
            self.counters.probe_cuts += 1;
            self.note("probe-cut");
        }
        cut
    }

    /// Probes the move of this rank of an event.
    fn probe_event(&mut self, node: &mut Node<'_, G::Position>, place: usize, rank: usize) {
        if self.events[place].settled() {
            return;
        }
        let Followed { mut event, child, turn, step, .. } = self.follow(node, place);
        match turn {
            // nature and the end of the game have no best move: the end is worth what it is worth
            Turn::Chance => return,
            Turn::Over => {
                let value = self.enter(&child, step, 0, node.ply + 1, self.low, self.high);
                node.prove(&mut event, value, value);
            }
            Turn::Player(me) => {
                let open = if me == 0 { node.beta >= self.high } else { node.alpha <= self.low };
                if open {
                    return;
                }
                let (a, b) = node.window(&event);
                let (alpha, beta) = (a.max(event.low), b.min(event.high));
                if alpha >= beta {
                    return;
                }
                if TRACING && self.recorder.is_some() {
                    self.open_record(&child, Some(step), node.left, alpha, beta);
                }
                let found = self.probe(&child, me, node.left, node.ply + 1, rank, alpha, beta);
                if TRACING && self.recorder.is_some() {
                    self.note("probe");
                    self.close_record(&child, found.unwrap_or(event.low));
                }
                if self.interrupted() {
                    return;
                }
                let Some(value) = found else { return };
                if me == 0 && (value > alpha || alpha <= event.low) {
                    node.prove(&mut event, value, f64::INFINITY);
                } else if me != 0 && (value < beta || beta >= event.high) {
                    node.prove(&mut event, f64::NEG_INFINITY, value);
                }
            }
        }
        self.events[place] = event;
    }

    /// The value for the first player of the move of this rank in the order of moves; none if there are fewer moves.
    fn probe(
        &mut self,
        child: &G::Position,
        me: u8,
        left: u32,
        ply: usize,
        rank: usize,
        alpha: f64,
        beta: f64,
    ) -> Option<f64> {
        if self.budget.spend() {
            return None;
        }
        let key = self.key(child);
        if G::REPEATS {
            if self.path.repeated(self.game, child, key, 0).is_some() {
                return None;
            }
            self.path.push(key);
        }
        let outer = self.begin(ply);
        let known = self.known(key);
        let first = self.moves.len();
        self.list_moves(child, me, ply, known.and_then(|known| known.mv));
        let mut found = None;
        if first + rank < self.moves.len() {
            for place in first..first + rank {
                self.next_move(place);
            }
            let mv = self.next_move(first + rank);
            let next = self.child(child, mv);
            self.counters.probes += 1;
            found = Some((mv, self.enter(&next, Step { mv, probability: None }, left - 1, ply + 1, alpha, beta)));
        }
        self.moves.truncate(first);
        if G::REPEATS {
            self.path.pop();
        }
        if self.interrupted() {
            return None;
        }
        // what a probe has proven about the event stays for the search of it
        let ended = !self.horizon;
        self.horizon |= outer.0;
        let bound_to_path = G::REPEATS && self.reach < ply;
        self.reach = self.reach.min(outer.1);
        let (mv, value) = found?;
        if self.table.is_some() && !bound_to_path && known.is_none_or(|known| known.depth < left) {
            let proven = if me == 0 {
                Known::found(value, alpha, f64::NEG_INFINITY)
            } else {
                Known::found(value, f64::INFINITY, beta)
            };
            let known = Known { depth: left, ended, mv: Some(mv.pack()), ..proven };
            self.table.store(key, known.entry(1));
        }
        Some(value)
    }
}
