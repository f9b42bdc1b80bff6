//! The search of a node: the one loop of maxⁿ.

use kibitz_game::{Pack, Score, Turn};

use super::super::tuple_table::Known;
use super::super::{MOST_PLAYERS, Tuple, leaf};
use super::tree::{Frame, NO_BOUND, Tree};
use super::{Pruning, Ties};
use crate::Searchable;
use crate::alpha_beta::{Favourites, NO_MOVE, greatest, score_each, tag};

/// What the search of a node returns.
#[derive(Clone, Copy)]
pub(super) struct Valued {
    pub(super) values: Tuple,
    /// The ply of the highest node on whose bound the value rests; [`EXACT`] if it rests on none above the node.
    pub(super) rests_on: usize,
}

/// The value of a node rests on nothing above it.
const EXACT: usize = usize::MAX;

/// The best move of a node so far.
struct Best<M> {
    values: Tuple,
    mv: M,
    /// Its place in the order of ties.
    rank: u16,
}

impl<G: Searchable> Tree<'_, G> {
    /// The value of a position with so much depth left.
    #[inline(always)]
    pub(super) fn enter(&mut self, child: &G::Position, left: u32, ply: usize, top: usize, strict: bool) -> Valued {
        let exact = |values| Valued { values, rests_on: EXACT };
        if self.budget.spend() {
            return exact([0; MOST_PLAYERS]);
        }
        match self.game.turn(child) {
            Turn::Over => {
                self.counters.leaves += 1;
                self.lines.leaf(ply);
                exact(self.scores_of(child))
            }
            Turn::Player(next) => {
                let key = if left > 0 || G::REPEATS { self.key(child) } else { 0 };
                if G::REPEATS {
                    if let Some(values) = self.repetition(child, key, ply) {
                        return exact(values);
                    }
                    self.path.push(key);
                }
                let found = if left == 0 {
                    self.horizon = true;
                    self.counters.leaves += 1;
                    self.lines.leaf(ply);
                    exact(self.leaf(child))
                } else {
                    self.node(child, key, next, left, ply, top, strict)
                };
                if G::REPEATS {
                    self.path.pop();
                }
                found
            }
            Turn::Chance => {
                self.chance = true;
                self.budget.end();
                exact([0; MOST_PLAYERS])
            }
        }
    }

    /// What a position at the horizon is worth: inside its bounds where these cut.
    #[inline(always)]
    fn leaf(&self, position: &G::Position) -> Tuple {
        let mut values = leaf::tuple(self.game, position, self.players, self.switches.noise);
        if self.branch_and_bound {
            for (player, value) in values.iter_mut().enumerate().take(self.players) {
                *value = (*value).min(self.game.bounds(position, player).high);
            }
        }
        values
    }

    #[inline]
    fn repetition(&mut self, child: &G::Position, key: u64, ply: usize) -> Option<Tuple> {
        let mut values = [0; MOST_PLAYERS];
        for (player, value) in values.iter_mut().enumerate().take(self.players) {
            let repeated = self.path.repeated(self.game, child, key, player as u8)?;
            *value = repeated.score;
            self.reach = self.reach.min(repeated.ply);
            self.horizon |= !repeated.by_rule;
        }
        self.lines.leaf(ply);
        self.counters.repetitions += 1;
        Some(values)
    }

    /// The value of a node of the player `me`; `depth` is at least 1. Cuts must not rest on bounds above the ply `top`, and with
    /// `strict` a sum of bounds that just reaches the greatest does not cut.
    // in one piece, since it is the piece that takes the time
    #[allow(clippy::too_many_lines)]
    pub(super) fn node(
        &mut self,
        position: &G::Position,
        key: u64,
        me: u8,
        depth: u32,
        ply: usize,
        top: usize,
        strict: bool,
    ) -> Valued {
        let outer_horizon = std::mem::replace(&mut self.horizon, false);
        let outer_reach = if G::REPEATS { std::mem::replace(&mut self.reach, usize::MAX) } else { usize::MAX };
        self.lines.clear(ply);
        self.deepest = self.deepest.max(ply as u32);
        let mut table_move = NO_MOVE;
        if self.table.is_some() {
            self.counters.table_probes += 1;
            if let Some(known) = self.table.probe(key) {
                self.counters.hits += 1;
                table_move = known.mv;
                let usable = if self.switches.same_depth {
                    known.depth == depth || known.ended && known.depth <= depth
                } else {
                    known.depth >= depth || known.ended
                };
                if ply > 0 && usable {
                    self.counters.table_cuts += 1;
                    self.horizon = outer_horizon || !known.ended;
                    self.reach = if G::REPEATS { outer_reach } else { self.reach };
                    return Valued { values: known.values, rests_on: EXACT };
                }
            }
        }
        if !self.switches.ordering.hash_move {
            table_move = NO_MOVE;
        }
        if let Some(known) = self.guide.as_ref().and_then(|guide| guide.probe(key)) {
            table_move = known.mv;
        }
        let first = self.moves.len();
        self.list_moves(position, me, ply, table_move);
        let end = self.moves.len();
        let waiting = self.queue.len();
        let greatest = if self.pruning == Pruning::None { 0 } else { self.greatest_below(position) };
        self.frames.truncate(ply);
        self.frames.push(Frame { player: me, last: false, bound: NO_BOUND, best: [0; MOST_PLAYERS] });
        let mut best: Option<Best<G::Move>> = None;
        let mut rests_on = EXACT;
        // the highest node on whose bound a branch rests that waits to be searched again
        let mut suspect = EXACT;
        let mut cut = false;
        for place in first..end {
            let mv = if self.dynamic { self.next_move(place, end) } else { self.moves[place] };
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            let rank = self.rank(place, first);
            if self.branch_and_bound && self.hopeless(&child, me, rank, best.as_ref()) {
                self.counters.bounded += 1;
                continue;
            }
            self.frames[ply].last = place + 1 == end;
            let found = self.enter(&child, depth - 1, ply + 1, top, strict);
            if self.interrupted() {
                break;
            }
            if found.rests_on < ply {
                if self.pruning == Pruning::Speculative {
                    self.queue.push(place as u32);
                    suspect = suspect.min(found.rests_on);
                    continue;
                }
                rests_on = rests_on.min(found.rests_on);
            }
            self.improve(position, me, ply, mv, rank, found.values, &mut best);
            if self.pruning != Pruning::None
                && place + 1 < end
                && let Some(best) = &best
            {
                let mine = best.values[usize::from(me)];
                if self.is_all(me, mine, ply) {
                    self.counters.immediate_cuts += 1;
                    cut = true;
                    break;
                }
                if let Some(j) = self.window(me, mine, ply, top, strict, greatest) {
                    let shallow = j + 1 == ply;
                    self.counters.shallow_cuts += u64::from(shallow);
                    self.counters.deep_cuts += u64::from(!shallow);
                    rests_on = rests_on.min(j);
                    cut = true;
                    break;
                }
            }
        }
        if self.queue.len() > waiting {
            if self.attracts(me, ply, strict, best.as_ref()) {
                // the parent might choose this node, so it must be exact: bounds above it are no longer used
                for i in waiting..self.queue.len() {
                    if self.interrupted() {
                        break;
                    }
                    let place = self.queue[i] as usize;
                    let (mv, rank) = (self.moves[place], self.rank(place, first));
                    let mut child = position.clone();
                    self.game.play(&mut child, mv);
                    self.counters.researches += 1;
                    let left_of_best = best.as_ref().is_some_and(|best| rank < best.rank);
                    let found = self.enter(&child, depth - 1, ply + 1, ply, strict || left_of_best);
                    if !self.interrupted() {
                        self.improve(position, me, ply, mv, rank, found.values, &mut best);
                    }
                }
            } else {
                rests_on = rests_on.min(suspect);
            }
            self.queue.truncate(waiting);
        }
        self.moves.truncate(first);
        self.frames.truncate(ply);
        let Some(best) = best.filter(|_| !self.interrupted()) else {
            return Valued { values: [0; MOST_PLAYERS], rests_on: EXACT };
        };
        if self.dynamic {
            self.reward(position, best.mv, me, depth, ply, cut);
        }
        let ended = !self.horizon;
        self.horizon |= outer_horizon;
        let mut bound_to_path = false;
        if G::REPEATS {
            bound_to_path = self.reach < ply;
            self.reach = if bound_to_path { self.reach.min(outer_reach) } else { outer_reach };
        }
        // a tuple may be inexact although this node was not cut: that is what `rests_on` is for
        // approximate deep pruning believes what it has cut, here as everywhere
        if rests_on >= ply || self.pruning == Pruning::ApproximateDeep {
            rests_on = EXACT;
            if self.table.is_some() && !bound_to_path {
                let mv = best.mv.pack();
                self.table.store(key, &Known { values: best.values, depth, ended, mv });
            }
        }
        Valued { values: best.values, rests_on }
    }

    /// The place of a move in the order of ties.
    #[inline(always)]
    fn rank(&self, place: usize, first: usize) -> u16 {
        if self.dynamic { self.ranks[place] } else { (place - first) as u16 }
    }

    /// Whether no branch can bring the player more, and what brings as much is the same tuple or stands to the right.
    #[inline(always)]
    fn is_all(&self, me: u8, mine: Score, ply: usize) -> bool {
        let player = usize::from(me);
        let above = i64::from(mine) - i64::from(self.low[player]);
        // the root's move must be the first of equal ones
        above >= self.greatest && (ply > 0 || !self.dynamic) || self.loose && mine >= self.high[player]
    }

    /// Whether a branch cannot be chosen, whatever comes of it.
    fn hopeless(&self, child: &G::Position, me: u8, rank: u16, best: Option<&Best<G::Move>>) -> bool {
        let Some(best) = best else { return false };
        let player = usize::from(me);
        let most = match self.game.turn(child) {
            Turn::Over => self.game.score(child, player),
            _ => self.game.bounds(child, player).high,
        };
        let mine = best.values[player];
        most < mine || most == mine && self.switches.ties == Ties::Leftmost && self.hints_settled() && rank > best.rank
    }

    /// Whether the order of the moves is that of the hints, so that it settles ties.
    #[inline(always)]
    fn hints_settled(&self) -> bool {
        self.sorts() || !G::HINTED || !self.switches.ordering.hints
    }

    /// Whether the parent might choose a node whose other branches are not better than what is known.
    fn attracts(&self, me: u8, ply: usize, strict: bool, best: Option<&Best<G::Move>>) -> bool {
        let (Some(best), true) = (best, ply > 0) else { return true };
        let parent = &self.frames[ply - 1];
        if parent.bound == NO_BOUND || parent.player == me {
            return true;
        }
        let theirs = best.values[usize::from(parent.player)];
        theirs > parent.bound || theirs == parent.bound && (strict || !self.loose)
    }

    /// Makes a branch the best one if the player prefers it.
    #[inline(always)]
    fn improve(
        &mut self,
        position: &G::Position,
        me: u8,
        ply: usize,
        mv: G::Move,
        rank: u16,
        values: Tuple,
        best: &mut Option<Best<G::Move>>,
    ) {
        let player = usize::from(me);
        if let Some(best) = best {
            let (mine, old) = (values[player], best.values[player]);
            let better = if self.switches.target.is_some() && me == self.root_player {
                self.offends(position, &values, mv, rank, best, ply)
            } else {
                mine > old || mine == old && self.wins_tie(position, &values, mv, rank, best, ply)
            };
            if !better {
                return;
            }
        }
        *best = Some(Best { values, mv, rank });
        let frame = &mut self.frames[ply];
        (frame.bound, frame.best) = (values[player], values);
        self.lines.raise(ply, mv);
    }

    /// Whether a tuple is preferred to another one that brings the player as much.
    #[cold]
    fn wins_tie(
        &self,
        position: &G::Position,
        values: &Tuple,
        mv: G::Move,
        rank: u16,
        best: &Best<G::Move>,
        ply: usize,
    ) -> bool {
        let root = usize::from(self.root_player);
        match self.switches.ties {
            Ties::WorstForRoot if values[root] != best.values[root] => values[root] < best.values[root],
            Ties::Total if *values != best.values => *values > best.values,
            _ if ply > 0 && !self.hints_settled() => {
                let (new, old) = (self.game.hint(position, mv), self.game.hint(position, best.mv));
                new > old || new == old && rank < best.rank
            }
            _ => rank < best.rank,
        }
    }

    /// Whether a tuple brings the target less, or as little and the player at the root more.
    #[cold]
    fn offends(
        &self,
        position: &G::Position,
        values: &Tuple,
        mv: G::Move,
        rank: u16,
        best: &Best<G::Move>,
        ply: usize,
    ) -> bool {
        let target = usize::from(self.switches.target.unwrap_or(self.root_player));
        let root = usize::from(self.root_player);
        let order = |tuple: &Tuple| (-i64::from(tuple[target]), tuple[root]);
        let (new, old) = (order(values), order(&best.values));
        new > old || new == old && self.wins_tie(position, values, mv, rank, best, ply)
    }

    /// Whether moves are sorted by the game's hints: where nothing is cut the order matters for ties alone.
    #[inline(always)]
    fn sorts(&self) -> bool {
        G::HINTED && self.switches.ordering.hints && (self.pruning != Pruning::None || self.branch_and_bound)
    }

    /// Appends the moves of a node in the order of ties, with their ordering scores where they are tried in another one.
    fn list_moves(&mut self, position: &G::Position, me: u8, ply: usize, table_move: u64) {
        let first = self.moves.len();
        if ply == 0 {
            self.moves.extend_from_slice(&self.root);
        } else {
            self.game.moves(position, &mut self.moves);
            if self.sorts() {
                self.hinted.clear();
                for (place, &mv) in self.moves[first..].iter().enumerate() {
                    self.hinted.push((-self.game.hint(position, mv), place as u16, mv));
                }
                self.hinted.sort_unstable_by_key(|&(hint, place, _)| (hint, place));
                for (slot, &(.., mv)) in self.moves[first..].iter_mut().zip(&self.hinted) {
                    *slot = mv;
                }
            }
        }
        if !self.dynamic {
            return;
        }
        let end = self.moves.len();
        if self.scores.len() < end {
            self.scores.resize(2 * end, 0);
            self.ranks.resize(2 * end, 0);
        }
        for (rank, place) in (first..end).enumerate() {
            self.ranks[place] = rank as u16;
        }
        let ordering = &self.switches.ordering;
        let favourites = Favourites {
            table_move,
            killers: if ordering.killers { self.killers.at(ply) } else { [NO_MOVE; 2] },
            reply: NO_MOVE,
            hints: ordering.hints && G::HINTED,
            indexed: self.uses_index,
        };
        let (moves, scores) = (&self.moves[first..end], &mut self.scores[first..end]);
        score_each(self.game, position, moves, scores, self.history.of(me), &favourites);
    }

    /// Brings the best of the moves from `place` on to this place and returns it; the first of equal ones.
    #[inline]
    fn next_move(&mut self, place: usize, end: usize) -> G::Move {
        let best = place + greatest(&self.scores[place..end]);
        if best > place {
            self.scores[place..=best].rotate_right(1);
            self.moves[place..=best].rotate_right(1);
            self.ranks[place..=best].rotate_right(1);
        }
        self.moves[place]
    }

    /// Remembers a good move for the ordering of other nodes.
    fn reward(&mut self, position: &G::Position, mv: G::Move, me: u8, depth: u32, ply: usize, cut: bool) {
        if self.switches.ordering.killers && cut {
            self.killers.cut(ply, tag(self.game, position, mv));
        }
        if self.uses_history {
            self.history.credit(me, self.game.index(position, mv), depth);
        }
    }
}
