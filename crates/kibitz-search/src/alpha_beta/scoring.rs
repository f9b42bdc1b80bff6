//! The order of the moves of a node, and what is learned from it.

use std::hint::select_unpredictable;

use kibitz_game::{Entry, Pack};

use super::ordering::{NO_MOVE, tag};
use super::tree::Tree;
use crate::Searchable;

/// Ordering scores: killers above every hint, hints above all of history, which stays below 2^58.
const HINT: u32 = 58;
const KILLER: i64 = 1 << 62;

impl<G: Searchable> Tree<'_, G> {
    /// Gives every move of a node its ordering score.
    #[inline(always)]
    pub(super) fn score_moves(
        &mut self,
        position: &G::Position,
        me: u8,
        ply: usize,
        first: usize,
        table_move: Option<u64>,
    ) {
        self.scores.resize(first, 0);
        let ordering = &self.switches.ordering;
        let killers = if ordering.killers { self.killers.at(ply) } else { [NO_MOVE; 2] };
        let previous = self.previous.get(ply).copied().unwrap_or(NO_MOVE);
        let reply = if self.uses_countermoves { self.countermoves.to(me, previous) } else { NO_MOVE };
        let hints = ordering.hints && G::HINTED;
        let (uses_history, tagged) = (self.uses_history, ordering.killers || self.uses_countermoves);
        let history = self.history.of(me);
        for (i, &mv) in self.moves[first..].iter().enumerate() {
            let mut score = 0;
            if ply == 0 {
                // the root keeps its order: the best move of the last iteration first
                score = -(i as i64);
            } else {
                if uses_history {
                    score = history.score(self.game.index(position, mv));
                }
                if hints {
                    score += i64::from(self.game.hint(position, mv).clamp(-7, 7)) << HINT;
                }
                if tagged {
                    let tag = tag(self.game, position, mv);
                    if tag == killers[0] {
                        score = KILLER;
                    } else if tag == killers[1] {
                        score = KILLER - 1;
                    } else if tag == reply {
                        score = KILLER - 2;
                    }
                }
                if table_move == Some(mv.pack()) {
                    score = i64::MAX;
                }
            }
            self.scores.push(score);
        }
        if self.helper > 0 {
            self.rearrange(position, ply, first);
        }
    }

    /// Gives the noisy moves of a node beyond the horizon their ordering score.
    pub(super) fn score_noisy(&mut self, position: &G::Position, me: u8, first: usize) {
        // far from every killer
        self.score_moves(position, me, usize::MAX - 1, first, None);
    }

    /// Forgets the moves of a node.
    pub(super) fn forget_moves(&mut self, first: usize) {
        self.moves.truncate(first);
        self.scores.truncate(first);
    }

    /// Brings the best of the moves left to the front and returns it; the first of equal ones.
    #[inline(always)]
    pub(super) fn next_move(&mut self, from: usize, to: usize) -> G::Move {
        let (moves, scores) = (&mut self.moves[from..to], &mut self.scores[from..to]);
        let mut best = 0;
        let mut top = scores[0];
        for (i, &score) in scores.iter().enumerate() {
            let better = score > top;
            best = select_unpredictable(better, i, best);
            top = select_unpredictable(better, score, top);
        }
        moves.swap(0, best);
        scores.swap(0, best);
        moves[0]
    }

    /// Remembers a good move for the ordering of other nodes.
    #[inline(always)]
    pub(super) fn reward(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32, ply: usize, cut: bool) {
        if self.switches.ordering.killers && cut {
            self.killers.cut(ply, tag(self.game, position, mv));
        }
        if self.uses_countermoves && cut {
            self.countermoves.cut(me, self.previous[ply], tag(self.game, position, mv));
        }
        if self.uses_history {
            self.history.credit(me, self.game.index(position, mv), depth);
        }
    }

    /// Counts the moves of a node that were tried; they are the first ones.
    #[inline(never)]
    pub(super) fn count_tries(&mut self, position: &G::Position, me: u8, depth: u32, first: usize, tried: usize) {
        for &mv in &self.moves[first..first + tried] {
            self.history.count(me, self.game.index(position, mv), depth);
        }
    }

    /// Counts a move as tried and good that cut without a search of its own here.
    #[inline(never)]
    pub(super) fn learn(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32) {
        if self.uses_history {
            let index = self.game.index(position, mv);
            self.history.count(me, index, depth);
            self.history.credit(me, index, depth);
        }
    }

    /// Credits the move of an entry that cut, with the depth stored.
    #[inline(never)]
    pub(super) fn credit_known(&mut self, position: &G::Position, me: u8, first: usize, entry: &Entry) {
        if G::SLOW {
            self.game.moves(position, &mut self.moves);
        }
        let mv = self.moves[first..].iter().copied().find(|mv| entry.mv == Some(mv.pack()));
        if let Some(mv) = mv {
            self.learn(position, mv, me, u32::from(entry.depth));
        }
    }
}
