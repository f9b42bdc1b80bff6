//! The search of one thread, on a stack of its own: where positions come back a line may be very long.

use kibitz_game::{Budget, Iteration, Score, Turn, mix};

use super::IncrementalTranspositions;
use super::parts::Part;
use super::table::{KEY_BYTES, Keys, Met};
use crate::Searchable;

/// What a search has found.
pub(super) struct Found<M> {
    /// The best score with the first line that has it.
    pub(super) best: Option<(Score, Vec<M>)>,
    /// The nodes by depth.
    pub(super) counts: Vec<u64>,
    pub(super) history: Vec<Iteration<M>>,
    pub(super) leaves: u64,
    /// Moves not tried because of the set.
    pub(super) by_sets: u64,
    /// Positions not entered because of the table, or because they are on the way.
    pub(super) by_table: u64,
    /// Whether a line ended at the limit of depth.
    pub(super) horizon: bool,
    /// Whether something was left unsearched.
    pub(super) stopped: bool,
    /// Whether the best score is the greatest possible one and the search ended with it.
    pub(super) solved: bool,
    pub(super) full: bool,
    pub(super) chance: bool,
}

impl<M> Default for Found<M> {
    fn default() -> Self {
        Self {
            best: None,
            counts: Vec::new(),
            history: Vec::new(),
            leaves: 0,
            by_sets: 0,
            by_table: 0,
            horizon: false,
            stopped: false,
            solved: false,
            full: false,
            chance: false,
        }
    }
}

impl<M> Found<M> {
    /// Adds a part; they come in order, so that of equal lines the first is kept, as by one thread.
    pub(super) fn add(&mut self, part: Self) {
        if let Some((score, line)) = part.best
            && self.best.as_ref().is_none_or(|best| score > best.0)
        {
            self.best = Some((score, line));
        }
        part.counts.into_iter().enumerate().for_each(|(depth, count)| self.count(depth, count));
        self.history.extend(part.history);
        self.leaves += part.leaves;
        self.by_sets += part.by_sets;
        self.by_table += part.by_table;
        self.horizon |= part.horizon;
        self.stopped |= part.stopped;
        self.solved |= part.solved;
        self.full |= part.full;
        self.chance |= part.chance;
    }

    #[inline(always)]
    pub(super) fn count(&mut self, depth: usize, nodes: u64) {
        if self.counts.len() <= depth {
            self.counts.resize(depth + 1, 0);
        }
        self.counts[depth] += nodes;
    }
}

/// Marks the moves of a list that are in a set. All moves of the set are in the list, most often in the same order.
#[inline]
pub(super) fn mark<M: PartialEq>(moves: &[M], done: &mut [bool], set: &[M]) {
    let mut left = set.iter().peekable();
    for (mv, done) in moves.iter().zip(&mut *done) {
        if left.peek().is_some_and(|next| *next == mv) {
            *done = true;
            left.next();
        }
    }
    for other in left {
        if let Some(i) = moves.iter().position(|mv| mv == other) {
            done[i] = true;
        }
    }
}

/// A node on the way: its moves lie in a buffer that all share.
struct Frame<P> {
    position: P,
    first: usize,
    next: usize,
}

/// Told of every better line.
type Told<'p, M> = &'p mut dyn FnMut(&Iteration<M>);

pub(super) struct Walk<'a, 'p, G: Searchable> {
    game: &'a G,
    method: &'a IncrementalTranspositions,
    budget: Budget<'a>,
    /// The greatest depth.
    depth: usize,
    /// Whether keys tell depths apart: a position nearer to the horizon is searched less deep.
    by_depth: bool,
    /// The nodes on the way and, beyond the height, places for more.
    frames: Vec<Frame<G::Position>>,
    height: usize,
    moves: Vec<G::Move>,
    /// The sets: whether a move of the buffer need not be tried.
    done: Vec<bool>,
    passed: Vec<G::Move>,
    /// The moves from the root.
    line: Vec<G::Move>,
    met: Met,
    /// The keys of the positions on the way, where they can come back.
    path: Option<Keys>,
    /// The height for which there is memory.
    room: usize,
    best_possible: Score,
    pub(super) found: Found<G::Move>,
    pub(super) improved: Option<Told<'p, G::Move>>,
}

impl<'a, G: Searchable> Walk<'a, '_, G> {
    pub(super) fn new(
        game: &'a G,
        method: &'a IncrementalTranspositions,
        met: Met,
        budget: Budget<'a>,
        depth: Option<u32>,
    ) -> Self {
        Self {
            game,
            method,
            budget,
            depth: depth.map_or(usize::MAX, |depth| depth as usize),
            by_depth: depth.is_some(),
            frames: Vec::new(),
            height: 0,
            moves: Vec::new(),
            done: Vec::new(),
            passed: Vec::new(),
            line: Vec::new(),
            met,
            path: game.cycles().then(Keys::default),
            room: 0,
            best_possible: game.range(0).high,
            found: Found::default(),
            improved: None,
        }
    }

    /// Whether a limit is reached, or nothing better is possible.
    pub(super) fn over(&self) -> bool {
        self.budget.over()
    }

    /// Searches a part of the tree.
    pub(super) fn part(&mut self, part: &Part<G>) {
        self.line.clone_from(&part.line);
        self.passed.clone_from(&part.passed);
        self.frames.clear();
        self.frames.push(Frame { position: part.position.clone(), first: 0, next: 0 });
        self.height = 1;
        // nothing is known yet but the root itself from now on
        self.known();
        self.visit();
        while self.height > 0 && !self.budget.over() {
            self.step();
        }
        self.found.stopped |= self.budget.over();
        self.height = 0;
        self.moves.clear();
        self.done.clear();
    }

    /// Tries the next move of the last node, or goes back.
    #[inline]
    fn step(&mut self) {
        let end = self.moves.len();
        let frame = &mut self.frames[self.height - 1];
        let mut at = frame.next;
        while at < end && self.done[at] {
            at += 1;
        }
        self.found.by_sets += (at - frame.next) as u64;
        frame.next = at + 1;
        if at == end {
            self.moves.truncate(frame.first);
            self.done.truncate(frame.first);
            self.leave();
            return;
        }
        let mv = self.moves[at];
        self.passed.clear();
        if self.method.sets {
            for i in frame.first..end {
                if self.done[i] && self.game.commute(&frame.position, mv, self.moves[i]) {
                    self.passed.push(self.moves[i]);
                }
            }
            self.done[at] = true;
        }
        if self.height == self.frames.len() {
            let position = self.frames[self.height - 1].position.clone();
            self.frames.push(Frame { position, first: end, next: end });
        } else {
            let (above, below) = self.frames.split_at_mut(self.height);
            below[0].position.clone_from(&above[self.height - 1].position);
            (below[0].first, below[0].next) = (end, end);
        }
        self.game.play(&mut self.frames[self.height].position, mv);
        self.height += 1;
        self.line.push(mv);
        if self.known() {
            self.found.by_table += 1;
            self.height -= 1;
            self.line.pop();
        } else {
            self.visit();
        }
    }

    /// Whether the last position need not be entered; otherwise it is on the way from now on.
    #[inline(always)]
    fn known(&mut self) -> bool {
        if !self.met.is_some() && self.path.is_none() {
            return false;
        }
        let key = self.game.key(&self.frames[self.height - 1].position);
        if self.path.as_mut().is_some_and(|path| !path.insert(key)) {
            return true;
        }
        let kept = if self.by_depth { mix(self.line.len() as u64, key) } else { key };
        let met = self.met.meet(kept);
        if met && let Some(path) = &mut self.path {
            path.remove(&key);
        }
        met
    }

    /// Visits the last position and lists its moves; where there are none to try, goes back at once.
    #[inline(always)]
    fn visit(&mut self) {
        if self.budget.spend() {
            return;
        }
        let depth = self.line.len();
        self.found.count(depth, 1);
        let position = &self.frames[self.height - 1].position;
        match self.game.turn(position) {
            Turn::Over => {
                let score = self.game.score(position, 0);
                self.leaf(score);
            }
            Turn::Chance => {
                self.found.chance = true;
                self.budget.end();
            }
            Turn::Player(_) if depth >= self.depth => {
                self.found.horizon = true;
                let value = self.game.evaluate(position, 0);
                self.leaf(value);
            }
            Turn::Player(_) => {
                let first = self.moves.len();
                self.game.moves(position, &mut self.moves);
                self.done.resize(self.moves.len(), false);
                mark(&self.moves[first..], &mut self.done[first..], &self.passed);
                if self.height > self.room || self.met.grows() {
                    self.make_room();
                }
            }
        }
    }

    fn leaf(&mut self, score: Score) {
        self.found.leaves += 1;
        if self.found.best.as_ref().is_none_or(|best| score > best.0) {
            self.improve(score);
        }
        self.leave();
    }

    /// Goes back to the node above.
    #[inline(always)]
    fn leave(&mut self) {
        self.height -= 1;
        self.line.pop();
        if let Some(path) = &mut self.path {
            path.remove(&self.game.key(&self.frames[self.height].position));
        }
    }

    #[cold]
    fn improve(&mut self, score: Score) {
        self.found.best = Some((score, self.line.clone()));
        if let Some(improved) = &mut self.improved {
            let step = Iteration {
                depth: self.line.len() as u64,
                value: self.game.result(f64::from(score)),
                nodes: self.budget.nodes,
                time: self.budget.elapsed(),
                pv: self.line.clone(),
            };
            improved(&step);
            self.found.history.push(step);
        }
        if self.method.stop_at_best && score >= self.best_possible {
            self.found.solved = true;
            self.budget.end();
        }
    }

    /// Ends the search when the memory is full.
    #[cold]
    fn make_room(&mut self) {
        self.room = self.room.max(self.height);
        let position = self.game.position_bytes().max(size_of::<G::Position>());
        let frame = size_of::<Frame<G::Position>>() - size_of::<G::Position>() + position;
        let keys = self.path.as_ref().map_or(0, Keys::len) * KEY_BYTES;
        let moves = self.moves.capacity() * (size_of::<G::Move>() + 1);
        let lines = self.frames.capacity() * frame + keys + moves;
        if self.met.bytes().saturating_add(lines) > self.method.memory_mb.saturating_mul(1 << 20) {
            self.found.full = true;
            self.budget.end();
        }
    }
}
