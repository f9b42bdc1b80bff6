//! Games for tests of searches of many players: trees that are written down, and uniform ones whose leaves are all equal.

use kibitz_game::{
    AnyTurn, BadText, Chance, Evaluate, Game, Hidden, Limits, Order, Playout, Puzzle, Random, Range, Ranked,
    Repetition, Score, Stop, Turn, mix,
};
use kibitz_search::{Context, Report, Searchable};

/// What a node of a drawn tree is.
pub enum Node {
    /// A player chooses among these nodes.
    Choice(u8, Vec<usize>),
    /// The game is over.
    End(Vec<Score>),
    /// The game goes on to an end with the same values, so that a search to here evaluates it.
    Horizon(Vec<Score>, usize),
}

/// A tree that is written down.
pub struct Drawn {
    pub players: usize,
    pub nodes: Vec<Node>,
    pub root: usize,
    pub greatest: Option<i64>,
    pub range: Range,
}

/// A tree as a text has it: nested lists of leaves.
pub enum Sketch {
    Leaf(Vec<Score>),
    Inner(u8, Vec<Sketch>),
}

pub fn leaf(values: &[Score]) -> Sketch {
    Sketch::Leaf(values.to_vec())
}

pub fn inner(player: u8, children: Vec<Sketch>) -> Sketch {
    Sketch::Inner(player, children)
}

impl Drawn {
    /// The game of a sketch; with `open` its leaves are not the end of the game.
    pub fn new(players: usize, greatest: Option<i64>, sketch: &Sketch, open: bool) -> Self {
        let mut nodes = Vec::new();
        let root = Self::add(&mut nodes, sketch, open);
        Self { players, nodes, root, greatest, range: Range { low: 0, high: greatest.map_or(100, |sum| sum as Score) } }
    }

    fn add(nodes: &mut Vec<Node>, sketch: &Sketch, open: bool) -> usize {
        let node = match sketch {
            Sketch::Leaf(values) => {
                nodes.push(Node::End(values.clone()));
                if !open {
                    return nodes.len() - 1;
                }
                Node::Horizon(values.clone(), nodes.len() - 1)
            }
            Sketch::Inner(player, children) => {
                let children = children.iter().map(|child| Self::add(nodes, child, open)).collect();
                Node::Choice(*player, children)
            }
        };
        nodes.push(node);
        nodes.len() - 1
    }

    /// A random tree: up to `width` branches, up to `depth` deep, leaves that share `sum` or less.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::stream(seed, 9);
        let players = 3 + random.below(4);
        let sum = [4, 10, 30, 1000][random.below(4)];
        let (constant, rotating) = (random.below(2) == 0, random.below(2) == 0);
        let depth = 3 + random.below(4);
        let sketch = Self::grow(&mut random, players, depth, 0, 4, sum, constant, rotating);
        Self::new(players, Some(i64::from(sum)), &sketch, false)
    }

    fn grow(
        random: &mut Random,
        players: usize,
        depth: usize,
        level: usize,
        width: usize,
        sum: Score,
        constant: bool,
        rotating: bool,
    ) -> Sketch {
        if level == depth || level > 1 && random.below(12) == 0 {
            let mut values = composition(random, players, sum);
            if !constant {
                for value in &mut values {
                    *value = random.below(*value as usize + 1) as Score;
                }
            }
            return Sketch::Leaf(values);
        }
        let player = if rotating { level % players } else { random.below(players) };
        let children = (0..=random.below(width))
            .map(|_| Self::grow(random, players, depth, level + 1, width, sum, constant, rotating))
            .collect();
        Sketch::Inner(player as u8, children)
    }

    /// A uniform tree of random leaves in rotation, for mean node counts.
    pub fn uniform(seed: u64, players: usize, depth: usize, width: usize, sum: Score) -> Self {
        fn grow(random: &mut Random, players: usize, depth: usize, level: usize, width: usize, sum: Score) -> Sketch {
            if level == depth {
                return Sketch::Leaf(composition(random, players, sum));
            }
            let children = (0..width).map(|_| grow(random, players, depth, level + 1, width, sum)).collect();
            Sketch::Inner((level % players) as u8, children)
        }
        let sketch = grow(&mut Random::stream(seed, 10), players, depth, 0, width, sum);
        Self::new(players, Some(i64::from(sum)), &sketch, false)
    }

    pub fn values(&self, node: usize) -> &[Score] {
        match &self.nodes[node] {
            Node::End(values) | Node::Horizon(values, _) => values,
            Node::Choice(..) => &[],
        }
    }
}

/// A uniformly random way to share a sum.
fn composition(random: &mut Random, players: usize, sum: Score) -> Vec<Score> {
    // choose players − 1 of sum + players − 1 places for the bars between the shares
    let places = sum as usize + players - 1;
    let mut bars: Vec<usize> = Vec::new();
    while bars.len() < players - 1 {
        let bar = random.below(places);
        if !bars.contains(&bar) {
            bars.push(bar);
        }
    }
    bars.sort_unstable();
    bars.push(places);
    let mut from = 0;
    bars.iter()
        .map(|&bar| {
            let share = bar - from;
            from = bar + 1;
            share as Score
        })
        .collect()
}

impl Game for Drawn {
    type Position = usize;
    type Move = u16;
    const MANY: bool = true;

    fn players(&self) -> usize {
        self.players
    }
    fn start(&self) -> usize {
        self.root
    }
    fn turn(&self, position: &usize) -> Turn {
        match &self.nodes[*position] {
            Node::Choice(player, _) => Turn::Player(*player),
            Node::Horizon(..) => Turn::Player(0),
            Node::End(_) => Turn::Over,
        }
    }
    fn moves(&self, position: &usize, out: &mut Vec<u16>) {
        match &self.nodes[*position] {
            Node::Choice(_, children) => out.extend(0..children.len() as u16),
            Node::Horizon(..) => out.push(0),
            Node::End(_) => {}
        }
    }
    fn play(&self, position: &mut usize, mv: u16) {
        match &self.nodes[*position] {
            Node::Choice(_, children) => *position = children[usize::from(mv)],
            Node::Horizon(_, end) => *position = *end,
            Node::End(_) => panic!("no move at the end"),
        }
    }
    fn score(&self, position: &usize, player: usize) -> Score {
        self.values(*position)[player]
    }
    fn range(&self, _: usize) -> Range {
        self.range
    }
    fn key(&self, position: &usize) -> u64 {
        mix(7, *position as u64)
    }
    fn write(&self, position: &usize) -> String {
        position.to_string()
    }
    fn read(&self, _: &str) -> Result<usize, BadText> {
        Err(BadText::new("not needed here"))
    }
    fn write_move(&self, _: &usize, mv: u16) -> String {
        mv.to_string()
    }
}

impl Evaluate for Drawn {
    fn evaluate(&self, position: &usize, player: usize) -> Score {
        let values = self.values(*position);
        if values.is_empty() { self.range.middle() } else { 2 * values[player] - values.iter().sum::<Score>() }
    }
    fn own_value(&self, position: &usize, player: usize) -> Score {
        self.values(*position).get(player).copied().unwrap_or(0)
    }
    fn greatest_sum(&self) -> Option<i64> {
        self.greatest
    }
    /// The greatest component below, which never grows on the way down.
    fn bounds(&self, position: &usize, player: usize) -> Range {
        let high = match &self.nodes[*position] {
            Node::Choice(_, children) => {
                children.iter().map(|child| self.bounds(child, player).high).max().unwrap_or(0)
            }
            Node::End(values) | Node::Horizon(values, _) => values[player],
        };
        Range { low: 0, high }
    }
}

/// A uniform game in which everybody has `width` moves at any time and all leaves are equal: every order is perfect.
pub struct Level {
    pub players: usize,
    pub width: u8,
}

impl Game for Level {
    type Position = (u8, u64);
    type Move = u8;
    const MANY: bool = true;

    fn players(&self) -> usize {
        self.players
    }
    fn start(&self) -> (u8, u64) {
        (0, 1)
    }
    fn turn(&self, position: &(u8, u64)) -> Turn {
        Turn::Player(position.0)
    }
    fn moves(&self, _: &(u8, u64), out: &mut Vec<u8>) {
        out.extend(0..self.width);
    }
    fn play(&self, position: &mut (u8, u64), mv: u8) {
        *position = ((position.0 + 1) % self.players as u8, mix(mix(position.1, position.0.into()), mv.into()));
    }
    fn score(&self, _: &(u8, u64), _: usize) -> Score {
        0
    }
    fn range(&self, _: usize) -> Range {
        Range { low: -9, high: 9 }
    }
    fn key(&self, position: &(u8, u64)) -> u64 {
        mix(position.0.into(), position.1)
    }
    fn write(&self, position: &(u8, u64)) -> String {
        format!("{position:?}")
    }
    fn read(&self, _: &str) -> Result<(u8, u64), BadText> {
        Err(BadText::new("not needed here"))
    }
    fn write_move(&self, _: &(u8, u64), mv: u8) -> String {
        mv.to_string()
    }
}

impl Evaluate for Level {}
impl AnyTurn for Level {
    const ANY_TURN: bool = true;
    fn give_turn(&self, position: &mut (u8, u64), player: usize) -> bool {
        position.0 = player as u8;
        true
    }
}
impl AnyTurn for Drawn {}

macro_rules! capabilities {
    ($($game:ty),*) => {$(
        impl Order for $game {}
        impl Chance for $game {}
        impl Hidden for $game {}
        impl Repetition for $game {}
        impl Playout for $game {}
        impl Puzzle for $game {}
        impl Ranked for $game {}
    )*};
}
capabilities!(Drawn, Level);

/// Calls a search with limits and nothing else.
pub fn within<G: Searchable, R>(limits: &Limits, search: impl FnOnce(&mut Context<'_, G::Move>) -> R) -> R {
    let stop = Stop::new();
    search(&mut Context { limits, stop: &stop, past: &[], progress: &mut |_| {} })
}

pub fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub fn stat<M>(report: &Report<M>, name: &str) -> f64 {
    report.stats.iter().find(|stat| stat.0 == name).map_or(0.0, |stat| stat.1)
}
