//! The order of the moves of a player's node, which also says what Star2 probes.

use super::tree::Tree;
use crate::Searchable;
use crate::alpha_beta::{Favourites, NO_MOVE, greatest, score_each, tag};

impl<G: Searchable> Tree<'_, G> {
    /// Appends the moves of a node with their ordering scores.
    pub(super) fn list_moves(&mut self, position: &G::Position, me: u8, ply: usize, table_move: Option<u64>) {
        let first = self.moves.len();
        if ply == 0 {
            self.moves.extend_from_slice(&self.root);
        } else {
            self.game.moves(position, &mut self.moves);
        }
        if self.scores.len() < self.moves.len() {
            self.scores.resize(2 * self.moves.len(), 0);
        }
        let (moves, scores) = (&self.moves[first..], &mut self.scores[first..]);
        if ply == 0 {
            // the root keeps its order: the best move of the last iteration first
            scores.iter_mut().zip(0..).take(moves.len()).for_each(|(score, place): (_, i64)| *score = -place);
            return;
        }
        let ordering = &self.switches.ordering;
        let favourites = Favourites {
            table_move: table_move.filter(|_| ordering.hash_move).unwrap_or(NO_MOVE),
            killers: if ordering.killers { self.killers.at(ply) } else { [NO_MOVE; 2] },
            reply: NO_MOVE,
            hints: ordering.hints && G::HINTED,
            indexed: self.uses_index,
        };
        score_each(self.game, position, moves, scores, self.history.of(me), &favourites);
    }

    /// Brings the best of the moves from `place` on to this place and returns it; the first of equal ones.
    #[inline]
    pub(super) fn next_move(&mut self, place: usize) -> G::Move {
        let end = self.moves.len();
        let best = place + greatest(&self.scores[place..end]);
        // the others keep their order, so that moves without scores are tried as the game lists them
        if best > place {
            self.scores[place..=best].rotate_right(1);
            self.moves[place..=best].rotate_right(1);
        }
        self.moves[place]
    }

    /// Remembers a good move for the ordering of other nodes.
    #[inline]
    pub(super) fn reward(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32, ply: usize, cut: bool) {
        if self.switches.ordering.killers && cut {
            self.killers.cut(ply, tag(self.game, position, mv));
        }
        if self.uses_history {
            self.history.credit(me, self.game.index(position, mv), depth);
        }
    }
}
