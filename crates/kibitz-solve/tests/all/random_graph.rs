//! A random game: a graph with cycles, in groups of slices, with positions that are mirror images of each other.

use std::ops::ControlFlow;

use kibitz_game::{BadText, Game, Place, Random, Range, Ranked, Score, Slice, Turn, Wdl};

/// One position or two mirror images of it.
struct Class {
    slice: u32,
    rank: u64,
    images: usize,
    /// The value for the player to move, if the game is over.
    end: Option<Wdl>,
    /// Where the moves of the first image lead: class and image.
    moves: Vec<(usize, usize)>,
    /// The classes and images from which moves lead to the first image.
    from: Vec<(usize, usize)>,
}

/// The rules.
pub struct RandomGraph {
    classes: Vec<Class>,
    groups: Vec<Vec<Slice>>,
    sizes: Vec<u64>,
    /// The class of each rank of each slice.
    ranks: Vec<Vec<Option<usize>>>,
}

/// A class, an image and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub class: usize,
    pub image: usize,
    pub turn: u8,
}

impl RandomGraph {
    /// Groups of slices; moves stay in the group or lead to one before it.
    pub fn new(seed: u64, groups: usize, positions: usize) -> Self {
        let mut random = Random::new(seed);
        let mut graph = Self { classes: Vec::new(), groups: Vec::new(), sizes: Vec::new(), ranks: Vec::new() };
        for _ in 0..groups {
            let (first, below) = (graph.sizes.len(), graph.classes.len());
            let slices = 1 + random.below(3);
            for slice in first..first + slices {
                let mut ranks = Vec::new();
                for _ in 0..=random.below(positions) {
                    // holes
                    if random.below(8) == 0 {
                        ranks.push(None);
                    }
                    ranks.push(Some(graph.classes.len()));
                    let images = 1 + random.below(2);
                    let end = (random.below(5) == 0).then(|| Wdl::ALL[1 + random.below(3)]);
                    let rank = ranks.len() as u64 - 1;
                    let (moves, from) = (Vec::new(), Vec::new());
                    graph.classes.push(Class { slice: slice as u32, rank, images, end, moves, from });
                }
                graph.sizes.push(ranks.len() as u64 + random.below(3) as u64);
                ranks.resize(graph.sizes[slice] as usize, None);
                graph.ranks.push(ranks);
            }
            graph.groups.push((first..first + slices).map(|slice| Slice(slice as u32)).collect());
            for class in below..graph.classes.len() {
                if graph.classes[class].end.is_some() {
                    continue;
                }
                for _ in 0..=random.below(4) {
                    let lower = below > 0 && random.below(3) == 0;
                    let to =
                        if lower { random.below(below) } else { below + random.below(graph.classes.len() - below) };
                    let image = random.below(graph.classes[to].images);
                    graph.classes[class].moves.push((to, image));
                    // what is its own mirror image has mirror images of its moves
                    if graph.classes[class].images == 1 && graph.classes[to].images == 2 {
                        graph.classes[class].moves.push((to, 1 - image));
                    }
                }
            }
        }
        for class in 0..graph.classes.len() {
            for turned in 0..graph.classes[class].images {
                for (to, image) in graph.classes[class].moves.clone() {
                    if (image + turned) % graph.classes[to].images == 0 {
                        graph.classes[to].from.push((class, turned));
                    }
                }
            }
        }
        graph
    }

    /// Values and distances of all classes by definition: step by step, from what was known after the step before.
    pub fn truth(&self, to_conversion: bool) -> Vec<(Wdl, u16)> {
        let mut known: Vec<(Wdl, u16)> = vec![(Wdl::Unknown, u16::MAX); self.classes.len()];
        for group in &self.groups {
            let inside = |class: usize| group.contains(&Slice(self.classes[class].slice));
            let all: Vec<usize> = (0..self.classes.len()).filter(|&class| inside(class)).collect();
            for &class in &all {
                if let Some(end) = self.classes[class].end {
                    known[class] = (end, if end == Wdl::Draw { u16::MAX } else { 0 });
                }
            }
            for step in 1..60 {
                let before = known.clone();
                // known in time for this step
                let seen = |class: usize| {
                    let (value, distance) = before[class];
                    let near = if to_conversion && !inside(class) { 0 } else { distance };
                    if value == Wdl::Draw || near < step { value } else { Wdl::Unknown }
                };
                for &class in all.iter().filter(|&&class| before[class].0 == Wdl::Unknown) {
                    let moves = &self.classes[class].moves;
                    if moves.iter().any(|&(to, _)| seen(to) == Wdl::Loss) {
                        known[class] = (Wdl::Win, step);
                    } else if moves.iter().all(|&(to, _)| seen(to) == Wdl::Win) {
                        known[class] = (Wdl::Loss, step);
                    }
                }
            }
            for &class in &all {
                if known[class].0 == Wdl::Unknown {
                    known[class].0 = Wdl::Draw;
                }
            }
        }
        known
    }

    pub fn place_of(&self, class: usize) -> Place {
        Place { slice: Slice(self.classes[class].slice), rank: self.classes[class].rank }
    }

    pub fn images(&self, class: usize) -> u32 {
        self.classes[class].images as u32
    }
}

impl Game for RandomGraph {
    type Position = Node;
    type Move = u32;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Node {
        Node { class: self.classes.len() - 1, image: 0, turn: 0 }
    }

    fn turn(&self, node: &Node) -> Turn {
        if self.classes[node.class].end.is_some() { Turn::Over } else { Turn::Player(node.turn) }
    }

    fn moves(&self, node: &Node, out: &mut Vec<u32>) {
        out.extend(0..self.classes[node.class].moves.len() as u32);
    }

    fn play(&self, node: &mut Node, mv: u32) {
        let (class, image) = self.classes[node.class].moves[mv as usize];
        *node = Node { class, image: (image + node.image) % self.classes[class].images, turn: 1 - node.turn };
    }

    fn score(&self, node: &Node, player: usize) -> Score {
        let mine = match self.classes[node.class].end {
            Some(Wdl::Win) => 1,
            Some(Wdl::Loss) => -1,
            _ => 0,
        };
        if player == usize::from(node.turn) { mine } else { -mine }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -1, high: 1 }
    }

    fn key(&self, node: &Node) -> u64 {
        kibitz_game::mix(node.class as u64, (2 * node.image) as u64 + u64::from(node.turn))
    }

    fn write(&self, node: &Node) -> String {
        format!("{node:?}")
    }

    fn read(&self, _: &str) -> Result<Node, BadText> {
        Err(BadText::new("nodes are not read"))
    }

    fn write_move(&self, _: &Node, mv: u32) -> String {
        mv.to_string()
    }
}

impl kibitz_game::Repetition for RandomGraph {}
impl kibitz_game::Chance for RandomGraph {}
impl kibitz_game::Hidden for RandomGraph {}

impl Ranked for RandomGraph {
    const RANKED: bool = true;
    const UNPLAYS: bool = true;

    fn groups(&self, _: Option<u32>) -> Vec<Vec<Slice>> {
        self.groups.clone()
    }

    fn size(&self, slice: Slice) -> u64 {
        self.sizes[slice.0 as usize]
    }

    /// Some of the positions that are over have no place.
    fn place(&self, node: &Node) -> Option<Place> {
        let over = self.classes[node.class].end.is_some();
        (!over || !node.class.is_multiple_of(3)).then(|| self.place_of(node.class))
    }

    fn unrank(&self, slice: Slice, rank: u64) -> Option<Node> {
        let class = self.ranks[slice.0 as usize][rank as usize]?;
        let node = Node { class, image: 0, turn: 0 };
        self.place(&node).map(|_| node)
    }

    fn orbit(&self, node: &Node) -> u32 {
        self.images(node.class)
    }

    fn ended(&self, node: &Node) -> Option<Wdl> {
        self.classes[node.class].end
    }

    fn unplay(&self, node: &Node, mut visit: impl FnMut(&Node)) {
        let group = |slice: u32| self.groups.iter().position(|group| group.contains(&Slice(slice)));
        let here = group(self.classes[node.class].slice);
        for &(class, image) in &self.classes[node.class].from {
            if group(self.classes[class].slice) == here {
                let image = (image + node.image) % self.classes[class].images;
                visit(&Node { class, image, turn: 1 - node.turn });
            }
        }
    }

    fn scan(
        &self,
        slice: Slice,
        ranks: std::ops::Range<u64>,
        mut visit: impl FnMut(u64, &Node) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for rank in ranks {
            if let Some(node) = self.unrank(slice, rank) {
                visit(rank, &node)?;
            }
        }
        ControlFlow::Continue(())
    }
}
