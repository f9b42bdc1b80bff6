//! Alpha-beta for Breakthrough and nothing else, as somebody would write it who needs no other game and no switches: the
//! algorithm that kibitz runs with its default settings, move for move and node for node.
//!
//! Iterative deepening, fail-soft, a table of two slots that is looked up for all children as well (enhanced transposition
//! cutoffs), and moves in the order table, killers, captures, history. Players alternate, there is always a move, nothing
//! repeats and nobody asks for countermoves, null windows, buckets or a record.

use kibitz_game::{Entry, Evaluate, Game, Memory, Order, Pack, Replacement, Score, SizedTable, Turn};
use kibitz_games::Breakthrough;

/// The rules, evaluation included, are those of kibitz: what is compared is the search.
pub type Rules = Breakthrough<u64>;
pub type Position = <Rules as Game>::Position;
pub type Move = <Rules as Game>::Move;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub value: Score,
    pub best: Option<Move>,
    pub nodes: u64,
}

const INFINITY: Score = Score::MAX;
const MEGABYTES: usize = 64;
/// Children are looked up before the first is searched from this depth on.
const LOOK_AHEAD: u32 = 4;
const PLIES: usize = 64;
/// All history is halved when an entry grows beyond this.
const LARGEST: i64 = 1 << 26;
/// Ordering scores: history stays below captures, captures below killers, killers below the table's move.
const CAPTURE: i64 = 1 << 40;
const KILLER: i64 = 1 << 50;
const TABLE: i64 = 1 << 60;
const NO_MOVE: Move = Move::MAX;

struct Search<'a> {
    rules: &'a Rules,
    table: SizedTable,
    nodes: u64,
    killers: [[Move; 2]; PLIES],
    history: [Vec<i64>; 2],
    /// The moves of all nodes on the path, one after the other, and their ordering scores.
    moves: Vec<Move>,
    scores: Vec<i64>,
    /// The best line from each ply on.
    lines: Vec<Vec<Move>>,
    /// Whether a line below the node being searched has ended at the horizon.
    horizon: bool,
    root: Vec<Move>,
}

/// Searches to a depth, one iteration after the other.
pub fn search(rules: &Rules, position: &Position, depth: u32) -> Found {
    let table = SizedTable::beginning_with(1, MEGABYTES, Replacement::TwoDeep).expect("64 megabytes are there");
    let mut search = Search {
        rules,
        table,
        nodes: 0,
        killers: [[NO_MOVE; 2]; PLIES],
        history: [vec![0; rules.indices()], vec![0; rules.indices()]],
        moves: Vec::with_capacity(1024),
        scores: vec![0; 1024],
        lines: (0..PLIES).map(|_| Vec::with_capacity(PLIES)).collect(),
        horizon: false,
        root: Vec::new(),
    };
    let Turn::Player(me) = rules.turn(position) else {
        return Found { value: rules.score(position, 0), best: None, nodes: 1 };
    };
    rules.moves(position, &mut search.root);
    search.root.sort_by_key(|&mv| std::cmp::Reverse(rules.hint(position, mv)));
    let mut found = Found { value: 0, best: search.root.first().copied(), nodes: 0 };
    for depth in 1..=depth {
        search.horizon = false;
        search.nodes += 1;
        found.value = search.node(position, rules.key(position), usize::from(me), depth, 0, -INFINITY, INFINITY);
        found.best = search.lines[0].first().copied();
        let first = search.root.iter().position(|&mv| Some(mv) == found.best).expect("the best move is one of them");
        search.root[..=first].rotate_right(1);
        if !search.horizon || found.value.abs() == rules.unit() {
            break;
        }
        search.halve();
        search.table.grow(search.nodes as usize);
    }
    found.nodes = search.nodes;
    found
}

impl Search<'_> {
    /// The value for the player to move, who is `me`.
    fn node(
        &mut self,
        position: &Position,
        key: u64,
        me: usize,
        depth: u32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
    ) -> Score {
        let nodes_before = self.nodes;
        let outer_horizon = std::mem::replace(&mut self.horizon, false);
        self.lines[ply].clear();
        self.lines[ply + 1].clear();
        let first = self.moves.len();
        if ply == 0 {
            self.moves.extend_from_slice(&self.root);
        } else {
            self.rules.moves(position, &mut self.moves);
        }
        let count = self.moves.len() - first;
        let known = self.table.probe(key);
        if ply > 0
            && let Some(entry) = known
            && usable(&entry, depth)
        {
            if entry.lower >= beta || entry.lower == entry.upper || entry.upper <= alpha {
                self.horizon = outer_horizon || !entry.ended;
                self.moves.truncate(first);
                return if entry.upper <= alpha { entry.upper } else { entry.lower };
            }
            if entry.lower > alpha || entry.upper < beta {
                self.horizon |= !entry.ended;
                alpha = alpha.max(entry.lower);
                beta = beta.min(entry.upper);
            }
        }
        let (bound, mut best_move) =
            if ply > 0 && depth >= LOOK_AHEAD { self.look_ahead(position, depth, first) } else { (-INFINITY, None) };
        let mut best = bound;
        if best < beta {
            let mut raised = alpha.max(best);
            let likely = self.order(position, me, ply, first, known.and_then(|entry| entry.mv));
            for tried in first..first + count {
                if tried == first {
                    self.bring(first, likely);
                } else if self.scores[tried] != self.scores[tried - 1] {
                    let next = tried + greatest(&self.scores[tried..first + count]);
                    self.bring(tried, next);
                }
                let mv = self.moves[tried];
                let mut child = *position;
                self.rules.play(&mut child, mv);
                self.nodes += 1;
                let value = if self.rules.turn(&child) == Turn::Over {
                    self.lines[ply + 1].clear();
                    self.rules.score(&child, me)
                } else if depth == 1 {
                    self.horizon = true;
                    self.lines[ply + 1].clear();
                    self.rules.evaluate(&child, me)
                } else {
                    let key = self.rules.key(&child);
                    self.table.prefetch(key);
                    -self.node(&child, key, 1 - me, depth - 1, ply + 1, -beta, -raised)
                };
                if value > best {
                    best = value;
                    best_move = Some(mv);
                    if value > raised {
                        raised = value;
                        self.raise(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
            if let Some(mv) = best_move
                && best > alpha
            {
                self.reward(position, mv, me, depth, ply, best >= beta);
            }
        }
        self.moves.truncate(first);
        let ended = !self.horizon;
        self.horizon |= outer_horizon;
        let mut entry = Entry {
            lower: if best > alpha { best } else { bound },
            upper: if best < beta { best } else { INFINITY },
            depth: depth as u16,
            ended,
            mv: best_move.map(Pack::pack),
            nodes: (self.nodes - nodes_before) as u32,
        };
        if let Some(old) = known
            && old.depth == entry.depth
            && old.ended == ended
        {
            entry.lower = entry.lower.max(old.lower);
            entry.upper = entry.upper.min(old.upper);
            entry.mv = entry.mv.or(old.mv);
        }
        self.table.store(key, entry);
        best
    }

    /// Enhanced transposition cutoffs: the greatest lower bound that the table knows of a child, and its move.
    #[inline(never)]
    fn look_ahead(&mut self, position: &Position, depth: u32, first: usize) -> (Score, Option<Move>) {
        let (mut best, mut best_move, mut horizon) = (-INFINITY, None, false);
        for &mv in &self.moves[first..] {
            let mut child = *position;
            self.rules.play(&mut child, mv);
            if self.rules.turn(&child) == Turn::Over {
                continue;
            }
            let Some(entry) = self.table.probe(self.rules.key(&child)) else { continue };
            if usable(&entry, depth - 1) && entry.upper < INFINITY && -entry.upper > best {
                (best, best_move, horizon) = (-entry.upper, Some(mv), !entry.ended);
            }
        }
        self.horizon |= horizon;
        (best, best_move)
    }

    /// Gives the moves of a node their ordering scores, and returns the place of the best.
    #[inline(never)]
    fn order(&mut self, position: &Position, me: usize, ply: usize, first: usize, table_move: Option<u64>) -> usize {
        let (rules, moves) = (self.rules, &self.moves[first..]);
        if self.scores.len() < first + moves.len() {
            self.scores.resize(2 * (first + moves.len()), 0);
        }
        let (history, scores) = (&self.history[me][..], &mut self.scores[first..]);
        if ply == 0 {
            scores.iter_mut().zip(0..).take(moves.len()).for_each(|(score, place): (_, i64)| *score = -place);
            return first;
        }
        let table_move = table_move.map_or(NO_MOVE, Move::unpack);
        let killers = self.killers[ply];
        let (mut best, mut top) = (0, i64::MIN);
        for (i, (&mv, place)) in moves.iter().zip(scores).enumerate() {
            let mut score = history[rules.index(position, mv)] + i64::from(rules.hint(position, mv)) * CAPTURE;
            score = if mv == killers[1] { KILLER } else { score };
            score = if mv == killers[0] { KILLER + 1 } else { score };
            score = if mv == table_move { TABLE } else { score };
            *place = score;
            (best, top) = if score > top { (i, score) } else { (best, top) };
        }
        first + best
    }

    #[inline(always)]
    fn bring(&mut self, to: usize, from: usize) {
        self.moves.swap(to, from);
        self.scores.swap(to, from);
    }

    #[inline(always)]
    fn raise(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    #[inline(always)]
    fn reward(&mut self, position: &Position, mv: Move, me: usize, depth: u32, ply: usize, cut: bool) {
        if cut && self.killers[ply][0] != mv {
            self.killers[ply] = [mv, self.killers[ply][0]];
        }
        let entry = &mut self.history[me][self.rules.index(position, mv)];
        *entry += 1 << depth.min(24);
        if *entry > LARGEST {
            self.halve();
        }
    }

    #[cold]
    fn halve(&mut self) {
        self.history.iter_mut().flatten().for_each(|entry| *entry /= 2);
    }
}

/// Whether an entry speaks about the remaining depth.
#[inline(always)]
fn usable(entry: &Entry, depth: u32) -> bool {
    u32::from(entry.depth) >= depth || entry.ended
}

/// The place of the greatest score, the first of equal ones.
#[inline(never)]
fn greatest(scores: &[i64]) -> usize {
    let (mut best, mut top) = (0, i64::MIN);
    for (i, &score) in scores.iter().enumerate() {
        (best, top) = if score > top { (i, score) } else { (best, top) };
    }
    best
}
