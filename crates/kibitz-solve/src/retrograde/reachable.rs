//! The strong solution of any small game: all positions that can be reached from the start, kept in a hash table.
//!
//! The rules are asked once for every position; then values spread backward along the edges that were found, from a queue with counts (family
//! III). A position is known by its place where the game has one, so that symmetric positions are one, and else by its
//! key of 64 bits: among a hundred million positions the chance that two share one is 3 in 10,000.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use kibitz_game::{Chance, Hidden, Ranked, Repetition, Stop, Turn, Wdl, mix};
use rustc_hash::FxHashMap;

use super::tables::Counts;
use super::values::NEVER;
use super::{Progress, Unsolved};

/// Positions between two looks at the clock, the memory and whoever wants the work to end.
const BATCH: usize = 1 << 10;

/// The position stands for others with swapped colours: its value is for the player to move, and every move changes sides.
const RELATIVE: u8 = 2;

/// Everything that is known of the positions that can be reached.
#[derive(Debug)]
pub struct Reachable {
    numbers: FxHashMap<u64, u32>,
    values: Vec<Wdl>,
    distances: Vec<u16>,
    /// How many positions have each value and distance; one that stands for symmetric ones counts once.
    pub counts: Counts,
    /// The moves between different positions.
    pub edges: u64,
}

impl Reachable {
    /// The value for the player to move, and the distance in plies to the end of the game; none if the position cannot be reached.
    pub fn look<G: Ranked>(&self, game: &G, position: &G::Position) -> Option<(Wdl, u16)> {
        let number = *self.numbers.get(&identity(game, position))? as usize;
        Some((self.values[number], self.distances[number]))
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

fn identity<G: Ranked>(game: &G, position: &G::Position) -> u64 {
    match game.place(position) {
        Some(place) => mix(u64::from(place.slice.0) ^ 0x7261_6e6b, place.rank),
        None => game.key(position),
    }
}

/// Whether an analysis of a graph is right for a game.
pub fn require_graph<G: Chance + Hidden + Repetition>(game: &G) -> Result<(), Unsolved> {
    let refuse = |reason: &str| Err(Unsolved::NotSupported(reason.to_owned()));
    if game.players() != 2 {
        return Err(Unsolved::NotSupported(format!(
            "retrograde analysis solves games of two players; this one has {}",
            game.players()
        )));
    }
    if G::HIDDEN {
        return refuse("retrograde analysis solves games without hidden information");
    }
    let start = game.start();
    if G::REPEATS && (2..=5).any(|times| game.repeated(&start, times, 0).is_some_and(|score| score != 0)) {
        return refuse(
            "retrograde analysis takes endless play for a draw; in this game a repeated position decides it",
        );
    }
    Ok(())
}

/// The graph while it grows.
struct Graph<P> {
    numbers: FxHashMap<u64, u32>,
    /// Positions whose moves were not yet looked at, the next ones first.
    waiting: VecDeque<P>,
    /// The player to move where its moves were looked at, and [`RELATIVE`]; where the game is over, the player whose value it is.
    players: Vec<u8>,
    /// The values of positions that are over.
    ends: Vec<Wdl>,
    /// The first edge of each position, and the positions that edges lead to.
    first: Vec<u64>,
    to: Vec<u32>,
}

impl<P> Graph<P> {
    /// What it takes before the next look, and then with the edges turned round.
    fn bytes(&self, position_bytes: usize) -> u64 {
        // a bucket has a key, a number, padding and a byte of control, and one in eight is empty; a full table is copied into one of
        // twice the size
        let capacity = self.numbers.capacity() as u64;
        let full = self.numbers.len() as u64 + capacity / 16 >= capacity;
        let table = 20 * capacity * if full { 3 } else { 1 };
        let nodes = self.players.len() as u64 * (1 + 1 + 2 + 4 + 4 + 8 + 8 + 8);
        table + nodes + 8 * self.to.len() as u64 + (self.waiting.capacity() * position_bytes) as u64
    }
}

/// Solves the part of a game that can be reached from its start, within a limit of memory.
pub fn solve_reachable<G: Ranked + Chance + Hidden + Repetition>(
    game: &G,
    bytes: u64,
    progress: &mut dyn FnMut(&Progress<'_>),
    stop: &Stop,
) -> Result<Reachable, Unsolved> {
    require_graph(game)?;
    let graph = explore(game, bytes, progress, stop)?;
    spread(graph, stop)
}

/// Whose value that of a position is, and the value if it is over. It came from a move of `mover`.
fn described<G: Ranked>(game: &G, position: &G::Position, mover: u8) -> (u8, Wdl) {
    let relative = if game.place(position).is_some() { RELATIVE } else { 0 };
    match game.turn(position) {
        Turn::Player(player) => (player | relative, Wdl::Unknown),
        Turn::Over => {
            let player = if relative == 0 { 0 } else { 1 - mover };
            (player | relative, Wdl::of_score(game.score(position, usize::from(player))))
        }
        Turn::Chance => (0, Wdl::Unknown),
    }
}

/// Finds all positions and moves.
fn explore<G: Ranked>(
    game: &G,
    bytes: u64,
    progress: &mut dyn FnMut(&Progress<'_>),
    stop: &Stop,
) -> Result<Graph<G::Position>, Unsolved> {
    let mut graph = Graph {
        numbers: FxHashMap::default(),
        waiting: VecDeque::new(),
        players: Vec::new(),
        ends: Vec::new(),
        first: vec![0],
        to: Vec::new(),
    };
    let start = game.start();
    graph.numbers.insert(identity(game, &start), 0);
    let (player, end) = described(game, &start, 1);
    graph.players.push(player);
    graph.ends.push(end);
    graph.waiting.push_back(start);
    let (mut moves, mut edges) = (Vec::new(), Vec::new());
    let mut number = 0;
    while let Some(position) = graph.waiting.pop_front() {
        if number % BATCH == 0 {
            if stop.ask() {
                return Err(Unsolved::Stopped);
            }
            let needed = graph.bytes(game.position_bytes());
            if needed > bytes {
                return Err(Unsolved::Memory { needed, allowed: bytes });
            }
            let (done, total) = (number as u64, graph.players.len() as u64);
            progress(&Progress { slices: "", phase: "positions", pass: 1, done, total, ranks: (0, total) });
        }
        edges.clear();
        match game.turn(&position) {
            Turn::Over => (),
            Turn::Chance => {
                return Err(Unsolved::NotSupported("retrograde analysis solves games without chance".into()));
            }
            Turn::Player(mover) => {
                moves.clear();
                game.moves(&position, &mut moves);
                for &mv in &moves {
                    let mut child = position.clone();
                    game.play(&mut child, mv);
                    let next = graph.players.len() as u32;
                    match graph.numbers.entry(identity(game, &child)) {
                        Entry::Occupied(known) => edges.push(*known.get()),
                        Entry::Vacant(vacant) => {
                            vacant.insert(next);
                            edges.push(next);
                            let (player, end) = described(game, &child, mover);
                            graph.players.push(player);
                            graph.ends.push(end);
                            graph.waiting.push_back(child);
                        }
                    }
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        graph.to.extend_from_slice(&edges);
        graph.first.push(graph.to.len() as u64);
        number += 1;
    }
    if stop.ask() {
        return Err(Unsolved::Stopped);
    }
    Ok(graph)
}

/// Spreads values from the ends of the game backward.
fn spread<P>(graph: Graph<P>, stop: &Stop) -> Result<Reachable, Unsolved> {
    let Graph { numbers, players, ends, first, to, .. } = graph;
    let nodes = players.len();
    let edges_of = |node: usize| first[node] as usize..first[node + 1] as usize;
    // the edges turned round
    let mut begin = vec![0_u64; nodes + 1];
    for &node in &to {
        begin[node as usize + 1] += 1;
    }
    for node in 0..nodes {
        begin[node + 1] += begin[node];
    }
    let mut from = vec![0_u32; to.len()];
    let mut next = begin.clone();
    for node in 0..nodes {
        for &child in &to[edges_of(node)] {
            from[next[child as usize] as usize] = node as u32;
            next[child as usize] += 1;
        }
    }
    drop(next);
    let mut open: Vec<u32> = (0..nodes).map(|node| edges_of(node).len() as u32).collect();
    let (mut values, mut distances) = (ends, vec![NEVER; nodes]);
    let mut queue = VecDeque::new();
    for node in 0..nodes {
        if matches!(values[node], Wdl::Loss | Wdl::Win) {
            distances[node] = 0;
            queue.push_back(node as u32);
        }
    }
    let mut visited = 0;
    while let Some(node) = queue.pop_front() {
        let node = node as usize;
        visited += 1;
        if visited % BATCH == 0 && stop.ask() {
            return Err(Unsolved::Stopped);
        }
        for &before in &from[begin[node] as usize..begin[node + 1] as usize] {
            let before = before as usize;
            if values[before] != Wdl::Unknown {
                continue;
            }
            let opposed = players[node] & RELATIVE != 0 || (players[node] ^ players[before]) & 1 != 0;
            let value = if opposed { values[node].reversed() } else { values[node] };
            open[before] -= 1;
            if value == Wdl::Win || open[before] == 0 {
                values[before] = value;
                distances[before] = distances[node].saturating_add(1).min(NEVER - 1);
                queue.push_back(before as u32);
            }
        }
    }
    let mut counts = Counts::default();
    for (value, &distance) in values.iter_mut().zip(&distances) {
        if *value == Wdl::Unknown {
            *value = Wdl::Draw;
        }
        counts.add(*value, 1);
        if *value != Wdl::Draw {
            counts.add_distance(*value, distance);
        }
    }
    Ok(Reachable { numbers, values, distances, counts, edges: to.len() as u64 })
}
