//! Replies that won the last time they were played.
//!
//! P. Drake, *The Last-Good-Reply Policy for Monte-Carlo Go*, ICGA Journal 2009; with forgetting, H. Baier and P. Drake, *The
//! Power of Forgetting*, IEEE TCIAIG 2010. After each game the moves of the winner become the replies to the moves before them
//! (LGR-1), and to the two moves before them (LGR-2); with forgetting, a move of the loser that is a stored reply is
//! erased. A reply that is legal is played at once, the longer context first.

use super::Played;

/// How much of what went before a stored reply answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastGoodReply {
    /// No replies are stored.
    #[default]
    Off,
    /// The last move.
    One,
    /// The last two moves, else the last one.
    Two,
}

/// Pairs of moves are too many for a table of all; so many slots, in which the latest reply stays.
const PAIRS: usize = 1 << 16;

/// An empty slot: no pair of moves has this key.
const EMPTY: u64 = u64::MAX;

/// The replies of each player.
pub(super) struct Replies<M> {
    indices: usize,
    single: Vec<Option<M>>,
    pairs: Vec<(u64, Option<M>)>,
    forgetting: bool,
}

impl<M: Copy + PartialEq> Replies<M> {
    pub(super) fn new(depth: LastGoodReply, forgetting: bool, players: usize, indices: usize) -> Self {
        let single = if depth == LastGoodReply::Off { 0 } else { players * indices };
        let pairs = if depth == LastGoodReply::Two { PAIRS } else { 0 };
        Self { indices, single: vec![None; single], pairs: vec![(EMPTY, None); pairs], forgetting }
    }

    /// The memory that the replies of all players take.
    pub(super) fn bytes(depth: LastGoodReply, entries: usize) -> usize {
        let single = if depth == LastGoodReply::Off { 0 } else { entries };
        let pairs = if depth == LastGoodReply::Two { PAIRS } else { 0 };
        single * size_of::<Option<M>>() + pairs * size_of::<(u64, Option<M>)>()
    }

    fn key(&self, player: u8, before: u32, last: u32) -> u64 {
        (u64::from(player) * self.indices as u64 + u64::from(before)) * self.indices as u64 + u64::from(last)
    }

    fn slot(key: u64) -> usize {
        (kibitz_game::mix(key, 0) as usize) & (PAIRS - 1)
    }

    /// The replies of a player to the end of a game so far, the one to the longer context first.
    #[inline]
    pub(super) fn known(&self, player: u8, game: &[Played<M>]) -> [Option<M>; 2] {
        let [.., last] = game else { return [None; 2] };
        let single = self.single[usize::from(player) * self.indices + last.index as usize];
        let mut pair = None;
        if let [.., before, last] = game
            && !self.pairs.is_empty()
        {
            let key = self.key(player, before.index, last.index);
            let (stored, reply) = self.pairs[Self::slot(key)];
            pair = if stored == key { reply } else { None };
        }
        [pair, single]
    }

    /// Learns from a finished game: for each player, whether it won (`Some(true)`), lost, or neither.
    pub(super) fn learn(&mut self, game: &[Played<M>], won: impl Fn(u8) -> Option<bool>) {
        for at in 1..game.len() {
            let Played { player, mv, .. } = game[at];
            let Some(won) = won(player) else { continue };
            let last = game[at - 1].index;
            let single = &mut self.single[usize::from(player) * self.indices + last as usize];
            if won {
                *single = Some(mv);
            } else if self.forgetting && *single == Some(mv) {
                *single = None;
            }
            if at < 2 || self.pairs.is_empty() {
                continue;
            }
            let key = self.key(player, game[at - 2].index, last);
            let slot = &mut self.pairs[Self::slot(key)];
            if won {
                *slot = (key, Some(mv));
            } else if self.forgetting && *slot == (key, Some(mv)) {
                *slot = (EMPTY, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(moves: &[(u8, u32)]) -> Vec<Played<u32>> {
        moves.iter().map(|&(player, mv)| Played { player, index: mv, mv }).collect()
    }

    #[test]
    fn the_winners_replies_are_kept_and_the_losers_forgotten() {
        for forgetting in [false, true] {
            let mut replies: Replies<u32> = Replies::new(LastGoodReply::Two, forgetting, 2, 10);
            let game = played(&[(0, 1), (1, 2), (0, 3)]);
            replies.learn(&game, |player| Some(player == 0));
            // 3 answers 2, and 1 2; the loser's 2 answers nothing
            assert_eq!(replies.known(0, &game[..2]), [Some(3), Some(3)]);
            assert_eq!(replies.known(1, &game[..1]), [None, None]);
            assert_eq!(replies.known(0, &played(&[(0, 5), (1, 2)])), [None, Some(3)]);
            replies.learn(&game, |player| Some(player == 1));
            let kept = if forgetting { None } else { Some(3) };
            assert_eq!(replies.known(0, &game[..2]), [kept, kept]);
            assert_eq!(replies.known(1, &game[..1]), [None, Some(2)]);
            // a draw teaches nothing
            replies.learn(&played(&[(0, 1), (1, 7)]), |_| None);
            assert_eq!(replies.known(1, &game[..1]), [None, Some(2)]);
        }
    }
}
