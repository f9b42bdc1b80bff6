//! Alpha-beta on the graph of a game, with a transposition table of any size and a count of everything that it touches
//! (Donkers, van den Herik and Uiterwijk 2004, section 7).
//!
//! It is the plain search of the paper: fixed depth, moves in the order of the rules, iterative deepening only where there is
//! a table, whose move comes first. An entry has a score, a bound, a depth and a move; a new one takes the place of one that is
//! not deeper (the paper says "deep" and nothing about ties). The searches of `kibitz-search` know no such graph and
//! count no positions.

use kibitz_game::{Random, Score, Stop};

use super::Graph;

/// A search to be studied.
#[derive(Clone, Debug)]
pub struct TableStudy {
    /// Plies.
    pub depth: u32,
    /// The table has two to this power entries; without a table there is no iterative deepening.
    pub bits: Option<u32>,
    /// Of the random numbers that are the keys of positions.
    pub seed: u64,
    /// Whether an entry counts only if it was searched exactly as deep as is wanted now, so that the value is that of
    /// minimax. Otherwise a deeper one counts, too.
    pub same_depth: bool,
}

/// How often the table was asked about a position that it knew; entries of other positions do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LookUps {
    /// The bound narrowed the window.
    pub change: u64,
    /// The value was known well enough to go no further.
    pub hit: u64,
    /// The entry was of no use but for its move.
    pub nothing: u64,
    /// Of all these, those whose entry was searched deep enough.
    pub deep: u64,
}

/// What a search has touched. The root does not count as visited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The value of the root for the player to move.
    pub value: Score,
    /// Visits of each node by its pieces, whoever is to move: with the second player to move they count at [`Graph::turned`].
    pub all: Vec<u32>,
    /// Visits with the first player to move, and with the second.
    pub sides: [Vec<u32>; 2],
    /// How often each node, by its pieces, was evaluated as a leaf.
    pub evaluated: Vec<u32>,
    /// Successful look-ups.
    pub look_ups: LookUps,
    /// Entries in use at the end.
    pub filled: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    score: Score,
    bound: Bound,
    /// Plies searched below; none in an empty entry.
    depth: Option<u32>,
    /// The index of the best move.
    best: u32,
}

const EMPTY: Entry = Entry { key: 0, score: 0, bound: Bound::Exact, depth: None, best: NO_MOVE };
const NO_MOVE: u32 = u32::MAX;

/// Below and above all scores.
const INFINITY: Score = Score::MAX;

/// The most plies and bits of a study.
const MOST_DEPTH: u32 = 200;
const MOST_BITS: u32 = 30;

impl TableStudy {
    /// Searches from the root of a graph with a static value for each node, for the player to move; none if it was stopped.
    pub fn run(&self, graph: &Graph, values: &[Score], stop: &Stop) -> Option<Counts> {
        assert_eq!(values.len(), graph.places.len(), "one value a node");
        let mut random = Random::new(self.seed);
        let nodes = graph.places.len();
        let mut search = Search {
            graph,
            values,
            study: self,
            stop,
            keys: (0..nodes).map(|_| random.bits()).collect(),
            side_key: random.bits(),
            table: self.bits.map_or(Vec::new(), |bits| vec![EMPTY; 1 << bits.min(MOST_BITS)]),
            counts: Counts {
                all: vec![0; nodes],
                sides: [vec![0; nodes], vec![0; nodes]],
                evaluated: vec![0; nodes],
                ..Counts::default()
            },
            until_asked: ASKED_EVERY,
            stopped: false,
        };
        let depth = self.depth.min(MOST_DEPTH);
        for depth in if self.bits.is_some() { 1.min(depth)..=depth } else { depth..=depth } {
            search.counts.value = search.node(graph.root, 0, depth, (-INFINITY, INFINITY));
        }
        search.counts.filled = search.table.iter().filter(|entry| entry.depth.is_some()).count() as u64;
        (!search.stopped).then_some(search.counts)
    }
}

/// So many nodes between two looks at whether to stop.
const ASKED_EVERY: u32 = 4096;

struct Search<'a> {
    graph: &'a Graph,
    values: &'a [Score],
    study: &'a TableStudy,
    stop: &'a Stop,
    keys: Vec<u64>,
    side_key: u64,
    table: Vec<Entry>,
    counts: Counts,
    until_asked: u32,
    stopped: bool,
}

impl Search<'_> {
    fn key(&self, node: u32, side: usize) -> u64 {
        self.keys[node as usize] ^ if side == 0 { 0 } else { self.side_key }
    }

    /// The place of a key in the table.
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.table.len() - 1)
    }

    /// The node that counts the pieces as they stand, whoever is to move.
    fn board(&self, node: u32, side: usize) -> usize {
        if side == 0 { node as usize } else { self.graph.turned[node as usize] as usize }
    }

    /// Whether to give up.
    fn asked_to_stop(&mut self) -> bool {
        self.until_asked -= 1;
        if self.until_asked == 0 {
            self.until_asked = ASKED_EVERY;
            self.stopped |= self.stop.ask();
        }
        self.stopped
    }

    /// The value of a node below the root: counts it, and asks the table first.
    fn visit(&mut self, node: u32, side: usize, depth: u32, window: (Score, Score)) -> Score {
        let board = self.board(node, side);
        self.counts.all[board] += 1;
        self.counts.sides[side][node as usize] += 1;
        if self.asked_to_stop() { 0 } else { self.node(node, side, depth, window) }
    }

    fn node(&mut self, node: u32, side: usize, depth: u32, window: (Score, Score)) -> Score {
        let (mut alpha, mut beta) = window;
        let mut first = NO_MOVE;
        let key = self.key(node, side);
        if !self.table.is_empty() {
            let entry = self.table[self.slot(key)];
            if entry.depth.is_some() && entry.key == key {
                first = entry.best;
                let deep = if self.study.same_depth { entry.depth == Some(depth) } else { entry.depth >= Some(depth) };
                self.counts.look_ups.deep += u64::from(deep);
                let known = (alpha, beta);
                if deep && entry.bound != Bound::Upper {
                    alpha = alpha.max(entry.score);
                }
                if deep && entry.bound != Bound::Lower {
                    beta = beta.min(entry.score);
                }
                if alpha >= beta {
                    self.counts.look_ups.hit += 1;
                    return entry.score;
                }
                if known == (alpha, beta) {
                    self.counts.look_ups.nothing += 1;
                } else {
                    self.counts.look_ups.change += 1;
                }
            }
        }
        let graph = self.graph;
        if depth == 0 || graph.is_over(node) {
            let board = self.board(node, side);
            self.counts.evaluated[board] += 1;
            let value = self.values[node as usize];
            self.keep(key, value, Bound::Exact, depth, NO_MOVE);
            return value;
        }
        let window = (alpha, beta);
        let successors = graph.successors(node);
        let (mut best, mut best_move) = (-INFINITY, NO_MOVE);
        let known = (first != NO_MOVE).then_some(first);
        let others = (0..successors.len() as u32).filter(|&mv| mv != first);
        for mv in known.into_iter().chain(others) {
            let value = -self.visit(successors[mv as usize], 1 - side, depth - 1, (-beta, -alpha));
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, best_move) = (value, mv);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        let bound = if best >= window.1 {
            Bound::Lower
        } else if best <= window.0 {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.keep(key, best, bound, depth, best_move);
        best
    }

    fn keep(&mut self, key: u64, score: Score, bound: Bound, depth: u32, best: u32) {
        if self.table.is_empty() {
            return;
        }
        let slot = self.slot(key);
        if self.table[slot].depth <= Some(depth) {
            self.table[slot] = Entry { key, score, bound, depth: Some(depth), best };
        }
    }
}
