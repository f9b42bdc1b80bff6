//! From a solved tree to a strategy.
//!
//! What is kept of a solved tree is its kernel: at the nodes of the side that has reached its goal one move, at the other nodes all. A second level of PN²
//! leaves nothing behind, and neither do solved nodes that were given back, so the kernel may end in positions that are not over. These are searched again, on the
//! same path and with the same method, until everything is there.

use kibitz_game::{Budget, Game, Pack, Stop};
use rustc_hash::FxHashMap;

use super::Provable;
use super::best_first::{End, Search};
use super::kernel::{Kernel, kernel_of};
use super::numbers::LeafNumbers;
use super::path::Path;
use super::question::{Leaf, Question};
use super::strategy::Strategy;
use super::tree::Tree;
use super::two_level::{self, SecondLevel};

/// Why there is no strategy.
#[derive(Debug, PartialEq, Eq)]
pub enum NoStrategy {
    /// The search was stopped.
    Interrupted,
    /// What must be searched again does not fit into the memory.
    Memory,
    /// What was searched again has another value: a checkpoint of something else, or a bug.
    Contradiction,
}

impl std::fmt::Display for NoStrategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Interrupted => "the proof was not finished: it was interrupted",
            Self::Memory => "the proof does not fit into the memory: raise memory_mb",
            Self::Contradiction => "the proof could not be found again: the rules or the database have changed",
        })
    }
}

/// Gathers a strategy.
pub(crate) struct Harvest<'a, G: Provable> {
    question: &'a Question<'a, G>,
    value: bool,
    first: Search<'a, G>,
    second: Search<'a, G>,
    stop: &'a Stop,
    heights: FxHashMap<u64, u32>,
    strategy: Strategy,
}

/// A node on the way.
struct Frame<P> {
    node: usize,
    position: P,
    key: u64,
    children: Vec<P>,
    next: usize,
    height: u32,
}

impl<'a, G: Provable> Harvest<'a, G> {
    /// A harvest for the answer to a question, with so much memory for what must be searched again.
    pub(crate) fn new(
        question: &'a Question<'a, G>,
        value: bool,
        leaf: LeafNumbers,
        memory_mb: usize,
        stop: &'a Stop,
    ) -> Option<Self> {
        let each = 2 * size_of::<super::tree::Node>() + question.game.position_bytes();
        let capacity = (memory_mb << 20) / each;
        let mut positions = Vec::new();
        positions.try_reserve_exact(capacity).ok()?;
        let first = Search::new(question, leaf, false, Tree::new(capacity)?, None);
        let second = Search::new(question, leaf, false, Tree::new(capacity)?, Some(positions));
        let holder = if value { question.player } else { 1 - question.player };
        Some(Self {
            question,
            value,
            first,
            second,
            stop,
            heights: FxHashMap::default(),
            strategy: Strategy::new(holder, question.at_least, value),
        })
    }

    /// The strategy of a kernel.
    pub(crate) fn strategy(mut self, kernel: &[Kernel], root: &G::Position) -> Result<Strategy, NoStrategy> {
        let mut path = Path::new();
        let key = self.question.key(root);
        match self.question.leaf(root, key, &path) {
            Leaf::Solved(value) | Leaf::Repeated(value, _) if value == self.value => return Ok(self.strategy),
            Leaf::Open(_) => (),
            _ => return Err(NoStrategy::Contradiction),
        }
        path.push(key);
        self.gather(kernel, root, &mut path)?;
        Ok(self.strategy)
    }

    /// Walks a kernel from its leaves to its root, whose key ends the path. The height of a node is that of its tallest child and one more, so each move of a strategy leads
    /// to something less tall: a strategy for reaching something has no cycles.
    fn gather(&mut self, kernel: &[Kernel], root: &G::Position, path: &mut Path) -> Result<u32, NoStrategy> {
        let game = self.question.game;
        let mut moves = Vec::new();
        let mut frames = vec![self.frame(kernel, 0, root, &mut moves)];
        loop {
            let Some(frame) = frames.last_mut() else { return Err(NoStrategy::Contradiction) };
            if kernel[frame.node].count == 0 {
                let (position, stop) = (frame.position.clone(), self.stop);
                if stop.ask() {
                    return Err(NoStrategy::Interrupted);
                }
                let found = self.again(&position, path)?;
                let height = self.gather(&found, &position, path)?;
                frames.last_mut().map(|frame| frame.height = height);
            } else if frame.next < frame.children.len() {
                let (at, child) = (frame.next, frame.children[frame.next].clone());
                frame.next += 1;
                let child_node = kernel[frame.node].first as usize + at;
                let key = self.question.key(&child);
                match self.question.leaf(&child, key, path) {
                    Leaf::Solved(value) | Leaf::Repeated(value, _) if value == self.value => {
                        frame.height = frame.height.max(1);
                        continue;
                    }
                    Leaf::Open(_) => (),
                    _ => return Err(NoStrategy::Contradiction),
                }
                if let Some(&height) = self.heights.get(&game.key(&child)) {
                    frame.height = frame.height.max(height + 1);
                    continue;
                }
                path.push(key);
                let made = self.frame(kernel, child_node, &child, &mut moves);
                frames.push(made);
                continue;
            }
            let Some(frame) = frames.pop() else { return Err(NoStrategy::Contradiction) };
            self.heights.insert(frame.key, frame.height);
            if kernel[frame.node].count > 0 && self.question.or(&frame.position) == self.value {
                let mv = self.question.move_to(&frame.position, &frame.children[0]).ok_or(NoStrategy::Contradiction)?;
                self.strategy.insert(frame.key, mv.pack(), frame.height);
            }
            match frames.last_mut() {
                Some(above) => {
                    above.height = above.height.max(frame.height + 1);
                    path.pop();
                }
                None => return Ok(frame.height),
            }
        }
    }

    fn frame(
        &self,
        kernel: &[Kernel],
        node: usize,
        position: &G::Position,
        moves: &mut Vec<G::Move>,
    ) -> Frame<G::Position> {
        let mut children = Vec::new();
        let Kernel { count, choice, .. } = kernel[node];
        if count > 0 {
            self.question.successors(position, moves, &mut children);
            if self.question.or(position) == self.value {
                let chosen = children.swap_remove(usize::from(choice).min(children.len() - 1));
                children.clear();
                children.push(chosen);
            }
        }
        let key = self.question.game.key(position);
        Frame { node, position: position.clone(), key, children, next: 0, height: 0 }
    }

    /// The kernel of a position that must be searched again; its key ends the path.
    fn again(&mut self, position: &G::Position, path: &mut Path) -> Result<Vec<Kernel>, NoStrategy> {
        let limits = kibitz_game::Limits::default();
        let mut budget = Budget::new(&limits, self.stop);
        self.second.plant(position);
        let mut end = self.second.run(usize::MAX, u64::MAX, path, &mut budget);
        self.second.leave(path);
        if end == End::Solved {
            return self.found(&self.second.tree);
        }
        self.first.plant(position);
        while end != End::Budget && self.first.tree.root().numbers().solved().is_none() {
            end = two_level::step(&mut self.first, &mut self.second, SecondLevel::Equal, path, &mut budget);
            if end == End::Memory {
                return Err(NoStrategy::Memory);
            }
        }
        self.first.leave(path);
        if end == End::Budget { Err(NoStrategy::Interrupted) } else { self.found(&self.first.tree) }
    }

    fn found(&self, tree: &Tree) -> Result<Vec<Kernel>, NoStrategy> {
        if tree.root().numbers().solved() == Some(self.value) {
            Ok(kernel_of(tree, self.value))
        } else {
            Err(NoStrategy::Contradiction)
        }
    }

    /// The line of a kernel: the side that has the strategy plays it, the other one resists as long as it can.
    pub(crate) fn line(question: &Question<'_, G>, kernel: &[Kernel], value: bool, root: &G::Position) -> Vec<G::Move> {
        let mut heights = vec![0u32; kernel.len()];
        for at in (0..kernel.len()).rev() {
            let Kernel { first, count, .. } = kernel[at];
            let below = &heights[first as usize..first as usize + usize::from(count)];
            heights[at] = below.iter().max().map_or(0, |height| height + 1);
        }
        let (mut line, mut at, mut position) = (Vec::new(), 0, root.clone());
        let (mut moves, mut children) = (Vec::new(), Vec::new());
        while let Some(&Kernel { first, count, choice }) = kernel.get(at)
            && count > 0
        {
            children.clear();
            question.successors(&position, &mut moves, &mut children);
            let first = first as usize;
            let chosen = if question.or(&position) == value {
                at = first;
                usize::from(choice)
            } else {
                let below = &heights[first..first + usize::from(count)];
                let tallest = below.iter().max().copied().unwrap_or(0);
                let chosen = below.iter().position(|&height| height == tallest).unwrap_or(0);
                at = first + chosen;
                chosen
            };
            let Some(mv) = children.get(chosen).and_then(|child| question.move_to(&position, child)) else { break };
            line.push(mv);
            position = children[chosen].clone();
        }
        line
    }
}

impl super::solve::Solver {
    /// The move and the line of the last answer.
    pub(super) fn line<G: Provable>(
        &self,
        game: &G,
        position: &G::Position,
        player: usize,
        ask: &super::Ask<'_>,
        outcome: &mut super::Outcome<<G as Game>::Move>,
    ) {
        let Some((at_least, value, kernel)) = outcome.kept.answers.last() else { return };
        let question = Question::new(game, player, *at_least, ask.database, ask.past);
        outcome.pv = Harvest::line(&question, kernel, *value, position);
        outcome.best = outcome.pv.first().copied();
    }

    /// The strategy of an answer.
    pub fn strategy<G: Provable>(
        &self,
        game: &G,
        position: &G::Position,
        kept: &super::Kept,
        number: usize,
        ask: &super::Ask<'_>,
    ) -> Result<Strategy, NoStrategy> {
        let (at_least, value, kernel) = kept.answers.get(number).ok_or(NoStrategy::Contradiction)?;
        let kibitz_game::Turn::Player(player) = game.turn(position) else { return Err(NoStrategy::Contradiction) };
        let question = Question::new(game, player.into(), *at_least, ask.database, ask.past);
        let harvest = Harvest::new(&question, *value, self.leaf, self.memory_mb, ask.stop).ok_or(NoStrategy::Memory)?;
        harvest.strategy(kernel, position)
    }
}
