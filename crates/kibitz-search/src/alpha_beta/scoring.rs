//! The order of the moves of a node, and what is learned from it.

use std::hint::select_unpredictable;

use kibitz_game::{Entry, Pack};

use super::ordering::{NO_MOVE, tag};
use super::tree::Tree;
use crate::Searchable;

/// Ordering scores: killers above every hint, hints above all of history, which stays below 2^58.
const HINT: u32 = 58;
const KILLER: i64 = 1 << 62;

/// The place of the greatest score, the first of equal ones.
#[inline(never)]
pub(crate) fn greatest(scores: &[i64]) -> usize {
    if scores.len() < 32 {
        let (mut best, mut top) = (0, i64::MIN);
        for (i, &score) in scores.iter().enumerate() {
            best = select_unpredictable(score > top, i, best);
            top = select_unpredictable(score > top, score, top);
        }
        return best;
    }
    // four at a time, which is one instruction where there are vectors of this size
    let (fours, rest) = scores.as_chunks::<4>();
    let mut tops = [i64::MIN; 4];
    for four in fours {
        tops = std::array::from_fn(|i| tops[i].max(four[i]));
    }
    let top = rest.iter().fold(tops[0].max(tops[1]).max(tops[2].max(tops[3])), |top, &score| top.max(score));
    let has_top = |four: &[i64; 4]| four.iter().map(|&score| u64::from(score == top)).sum::<u64>() > 0;
    let start = 4 * fours.iter().position(has_top).unwrap_or(fours.len());
    start + scores[start..].iter().take_while(|&&score| score != top).count()
}

/// What is tried before all other moves, and what the game is asked about these.
pub(crate) struct Favourites {
    /// The table's move as [`Pack::pack`] made it.
    pub(crate) table_move: u64,
    /// Killers and the countermove as [`tag`] made them.
    pub(crate) killers: [u64; 2],
    pub(crate) reply: u64,
    pub(crate) hints: bool,
    /// Whether the index of a move is of any use: for history, or because it is the tag.
    pub(crate) indexed: bool,
}

/// Gives every move its ordering score, and returns the place of the best, the first of equal ones.
///
/// In a function of its own, where the loop has the registers for itself, and with the places that it reads and writes as
/// arguments, so that the compiler knows them to be different and computes what all hints share once.
#[inline(never)]
pub(crate) fn score_each<G: Searchable>(
    game: &G,
    position: &G::Position,
    moves: &[G::Move],
    scores: &mut [i64],
    history: &[i64],
    favourites: &Favourites,
) -> usize {
    let &Favourites { table_move, killers, reply, hints, indexed } = favourites;
    let (mut best, mut top) = (0, i64::MIN);
    for (i, (&mv, place)) in moves.iter().zip(scores).enumerate() {
        // asked once, since a game written in Python takes its time
        let index = if indexed { game.index(position, mv) } else { 0 };
        let mut score = history[index];
        if hints {
            score += i64::from(game.hint(position, mv).clamp(-7, 7)) << HINT;
        }
        let tag = if indexed { index as u64 } else { mv.pack() };
        score = select_unpredictable(tag == reply, KILLER - 2, score);
        score = select_unpredictable(tag == killers[1], KILLER - 1, score);
        score = select_unpredictable(tag == killers[0], KILLER, score);
        score = select_unpredictable(mv.pack() == table_move, i64::MAX, score);
        *place = score;
        best = select_unpredictable(score > top, i, best);
        top = select_unpredictable(score > top, score, top);
    }
    best
}

impl<G: Searchable> Tree<'_, G> {
    /// Gives every move of a node its ordering score, and returns the place of the best.
    #[inline(never)]
    pub(super) fn score_moves(
        &mut self,
        position: &G::Position,
        me: u8,
        ply: usize,
        first: usize,
        table_move: Option<u64>,
    ) -> usize {
        if self.scores.len() < self.moves.len() {
            self.scores.resize(2 * self.moves.len(), 0);
        }
        let (moves, scores) = (&self.moves[first..], &mut self.scores[first..]);
        if ply == 0 {
            // the root keeps its order: the best move of the last iteration first
            scores.iter_mut().zip(0..).take(moves.len()).for_each(|(score, place): (_, i64)| *score = -place);
            return first;
        }
        let ordering = &self.switches.ordering;
        // beyond the horizon no ply is kept
        let previous = self.previous.get(ply).copied().unwrap_or(NO_MOVE);
        let favourites = Favourites {
            table_move: table_move.unwrap_or(NO_MOVE),
            killers: if ordering.killers { self.killers.at(ply) } else { [NO_MOVE; 2] },
            reply: if self.uses_countermoves { self.countermoves.to(me, previous) } else { NO_MOVE },
            hints: ordering.hints && G::HINTED,
            indexed: self.uses_index,
        };
        let best = first + score_each(self.game, position, moves, scores, self.history.of(me), &favourites);
        if self.helper > 0 {
            return self.rearrange(position, ply, first).unwrap_or(best);
        }
        best
    }

    /// Gives the noisy moves of a node beyond the horizon their ordering score.
    pub(super) fn score_noisy(&mut self, position: &G::Position, me: u8, first: usize) {
        // far from every killer
        self.score_moves(position, me, usize::MAX - 1, first, None);
    }

    /// Brings a move to the front and returns it.
    #[inline(always)]
    pub(super) fn bring(&mut self, from: usize, to: usize) -> G::Move {
        self.scores.swap(from, to);
        self.moves.swap(from, to);
        self.moves[from]
    }

    /// Brings the best of the moves from `place` to `end` to the front and returns it; the first of equal ones. The moves of
    /// the node before `place`, from `first` on, have been brought to the front already.
    #[inline(always)]
    pub(super) fn next_move(&mut self, first: usize, place: usize, end: usize) -> G::Move {
        // no score is greater than the last one that was brought to the front
        if place > first && self.scores[place] == self.scores[place - 1] {
            return self.moves[place];
        }
        let best = place + greatest(&self.scores[place..end]);
        self.bring(place, best)
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

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Random;

    #[test]
    fn the_greatest_score_is_the_first_of_equal_ones() {
        let mut random = Random::new(1);
        for length in (1..100).cycle().take(3000) {
            // few different values, so that there are ties
            let scores: Vec<i64> = (0..length).map(|_| random.below(length / 3 + 2) as i64 - 3).collect();
            let top = scores.iter().copied().max();
            assert_eq!(Some(greatest(&scores)), scores.iter().position(|&score| Some(score) == top), "{scores:?}");
        }
    }
}
