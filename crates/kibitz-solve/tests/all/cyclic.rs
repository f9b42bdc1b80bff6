//! A game on an explicit graph, with cycles, and its exact solution.

use kibitz_game::{BadText, Evaluate, Game, Hidden, Random, Range, Ranked, Repetition, Score, Turn, Wdl};

/// Each node belongs to a player or ends the game; play that comes back to a position is a draw.
#[derive(Clone, Debug)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub start: u16,
}

#[derive(Clone, Debug)]
pub enum Node {
    /// The game is over with this score of player 0.
    Over(Score),
    /// A player moves along one of the edges.
    Moves(u8, Vec<u16>),
}

impl Graph {
    /// A random graph: some ends, and nodes with one to three moves, which may well lead to the same node.
    pub fn random(seed: u64, nodes: usize) -> Self {
        let mut random = Random::new(seed);
        let ends = 1 + random.below(1 + nodes / 3);
        let alternating = random.below(2) == 0;
        let made = (0..nodes).map(|node| {
            if node + ends >= nodes {
                return Node::Over(random.below(3) as Score - 1);
            }
            let count = 1 + random.below(3);
            let player = if alternating { (node % 2) as u8 } else { random.below(2) as u8 };
            Node::Moves(player, (0..count).map(|_| random.below(nodes) as u16).collect())
        });
        Self { nodes: made.collect(), start: 0 }
    }

    /// The value of every node for the player to move, by going backwards from the ends; what stays open is a draw.
    pub fn values(&self) -> Vec<Wdl> {
        let mut first = vec![Wdl::Unknown; self.nodes.len()]; // for player 0
        loop {
            let mut changed = false;
            for node in 0..self.nodes.len() {
                if first[node] != Wdl::Unknown {
                    continue;
                }
                let found = match &self.nodes[node] {
                    Node::Over(score) => Wdl::of_score(*score),
                    Node::Moves(player, to) => {
                        let (good, bad) = if *player == 0 { (Wdl::Win, Wdl::Loss) } else { (Wdl::Loss, Wdl::Win) };
                        let after = |value: Wdl| to.iter().any(|&to| first[usize::from(to)] == value);
                        if after(good) {
                            good
                        } else if to.iter().all(|&to| first[usize::from(to)] == bad) {
                            bad
                        } else {
                            Wdl::Unknown
                        }
                    }
                };
                if found != Wdl::Unknown {
                    first[node] = found;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let for_mover = |(node, value): (&Node, Wdl)| match (node, value) {
            (_, Wdl::Unknown) => Wdl::Draw,
            (Node::Moves(1, _), value) => value.reversed(),
            (_, value) => value,
        };
        self.nodes.iter().zip(first).map(for_mover).collect()
    }
}

impl Game for Graph {
    type Position = u16;
    type Move = u16;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> u16 {
        self.start
    }

    fn turn(&self, position: &u16) -> Turn {
        match self.nodes[usize::from(*position)] {
            Node::Over(_) => Turn::Over,
            Node::Moves(player, _) => Turn::Player(player),
        }
    }

    fn moves(&self, position: &u16, out: &mut Vec<u16>) {
        if let Node::Moves(_, to) = &self.nodes[usize::from(*position)] {
            out.extend(to);
        }
    }

    fn play(&self, position: &mut u16, mv: u16) {
        *position = mv;
    }

    fn score(&self, position: &u16, player: usize) -> Score {
        match self.nodes[usize::from(*position)] {
            Node::Over(score) if player == 0 => score,
            Node::Over(score) => -score,
            Node::Moves(..) => 0,
        }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -1, high: 1 }
    }

    fn key(&self, position: &u16) -> u64 {
        kibitz_game::splitmix64(u64::from(*position))
    }

    fn write(&self, position: &u16) -> String {
        position.to_string()
    }

    fn read(&self, text: &str) -> Result<u16, BadText> {
        text.parse().map_err(|_| BadText::new("a number"))
    }

    fn write_move(&self, _: &u16, mv: u16) -> String {
        mv.to_string()
    }
}

impl Evaluate for Graph {}
impl Hidden for Graph {}
impl Ranked for Graph {}

impl Repetition for Graph {
    const REPEATS: bool = true;

    fn repeated(&self, _: &u16, times: u32, _: usize) -> Option<Score> {
        (times >= 2).then_some(0)
    }
}
