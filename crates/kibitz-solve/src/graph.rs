//! The complete graph of a small game: every position once for all its symmetric ones, with the player to move as the first
//! player, and an edge for every legal move.
//!
//! J. Donkers, J. van den Herik and J. Uiterwijk (*Dao: a benchmark game*, Computers and Games 2004) use such graphs to see
//! how much of a game a search really touches; [`TableStudy`] is their search.

mod table_study;

use std::fmt;
use std::ops::ControlFlow;

use kibitz_game::{Evaluate, Place, Ranked, Score, Slice, Stop, Turn, Wdl};

pub use table_study::{Counts, LookUps, TableStudy};

/// Why there is no graph, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGraph(pub String);

impl fmt::Display for NoGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoGraph {}

/// The graph of a game. Nodes are numbered in the order of their places.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where the position of each node stands in the tables of its game.
    pub places: Vec<Place>,
    /// The first edge of each node, and the number of all edges at the end.
    pub first: Vec<u32>,
    /// The node that each edge leads to: one edge a move, in the order of the moves, so that a node may come several times.
    pub to: Vec<u32>,
    /// The value for the player to move of nodes that are over; unknown for all others.
    pub ended: Vec<Wdl>,
    /// The static value of each node for the player to move; where the game is over, what the evaluation says without knowing
    /// it.
    pub values: Vec<Score>,
    /// The node with the same pieces and the other player to move; its own number where the game cannot tell.
    pub turned: Vec<u32>,
    /// The start of the game.
    pub root: u32,
}

/// Ranks that belong to no position.
const HOLE: u32 = u32::MAX;

/// More ranks than this take too much memory.
const MOST: u64 = 1 << 26;

/// The slices of a game, each with the number of ranks before it.
struct Ranks {
    before: Vec<(Slice, u64)>,
    all: u64,
}

impl Ranks {
    fn of<G: Ranked>(game: &G) -> Result<Self, NoGraph> {
        if !G::RANKED {
            return Err(NoGraph("this game does not number its positions, so that its graph is not known".to_owned()));
        }
        let mut ranks = Self { before: Vec::new(), all: 0 };
        for slice in game.groups(None).into_iter().flatten() {
            ranks.before.push((slice, ranks.all));
            ranks.all = ranks.all.saturating_add(game.size(slice));
        }
        if ranks.all > MOST {
            return Err(NoGraph(format!("the game numbers {} positions; a graph has at most {MOST}", ranks.all)));
        }
        ranks.before.sort_unstable();
        Ok(ranks)
    }

    fn number(&self, place: Place) -> Option<usize> {
        let index = self.before.binary_search_by_key(&place.slice, |&(slice, _)| slice).ok()?;
        Some((self.before[index].1 + place.rank) as usize)
    }
}

impl Graph {
    /// The graph of a game; none if it was stopped.
    pub fn of<G: Ranked + Evaluate>(game: &G, stop: &Stop) -> Result<Option<Self>, NoGraph> {
        let ranks = Ranks::of(game)?;
        let mut nodes = vec![HOLE; ranks.all as usize];
        let mut graph = Self {
            places: Vec::new(),
            first: vec![0],
            to: Vec::new(),
            ended: Vec::new(),
            values: Vec::new(),
            turned: Vec::new(),
            root: 0,
        };
        for &(slice, before) in &ranks.before {
            let scanned = game.scan(slice, 0..game.size(slice), |rank, _| {
                nodes[(before + rank) as usize] = graph.places.len() as u32;
                graph.places.push(Place { slice, rank });
                if rank.is_multiple_of(1024) && stop.ask() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if scanned.is_break() {
                return Ok(None);
            }
        }
        let node = |position: &G::Position| {
            let number = game.place(position).and_then(|place| ranks.number(place));
            number
                .map(|number| nodes[number])
                .filter(|&node| node != HOLE)
                .ok_or_else(|| NoGraph(format!("the game gives no number to the position {}", game.write(position))))
        };
        let mut moves = Vec::new();
        for (index, place) in graph.places.iter().enumerate() {
            if index.is_multiple_of(1024) && stop.ask() {
                return Ok(None);
            }
            let Some(position) = game.unrank(place.slice, place.rank) else {
                return Err(NoGraph(format!("rank {} of slice {} is no position", place.rank, place.slice.0)));
            };
            graph.turned.push(game.turned(&position).map_or(Ok(index as u32), |turned| node(&turned))?);
            let ended = game.ended(&position);
            graph.ended.push(ended.unwrap_or_default());
            let player = if let Turn::Player(player) = game.turn(&position) { player } else { 0 };
            graph.values.push(game.evaluate(&position, player.into()));
            if ended.is_none() {
                moves.clear();
                game.moves(&position, &mut moves);
                for &mv in &moves {
                    let mut child = position.clone();
                    game.play(&mut child, mv);
                    graph.to.push(node(&child)?);
                }
            }
            graph.first.push(graph.to.len() as u32);
        }
        graph.root = node(&game.start())?;
        Ok(Some(graph))
    }

    /// The nodes behind the moves from a node, one a move.
    #[inline(always)]
    pub fn successors(&self, node: u32) -> &[u32] {
        &self.to[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// Whether the game is over at a node.
    #[inline(always)]
    pub fn is_over(&self, node: u32) -> bool {
        self.ended[node as usize] != Wdl::Unknown
    }
}
