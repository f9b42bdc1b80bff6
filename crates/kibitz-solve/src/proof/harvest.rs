//! From a solved tree to a strategy.
//!
//! What is kept of a solved tree is its kernel: at the nodes of the side that has reached its goal one move, at the other nodes all. A second level of PN²
//! leaves nothing behind, and neither do solved nodes that were given back, so the kernel may end in positions that are not over. These are searched again, on the
//! same path and with the same method, until everything is there.
//!
//! With a table of solved positions it may also end in one that was solved elsewhere, and the proof of it may lead through positions of the path. If it is a proof that rests
//! on repetitions, that does no harm: who avoids something may come back to where he was. Else such a position is searched on a path of its own, with the help of lower proofs of the
//! table only, so that this comes to an end. What is gathered first stays: it leads to what was gathered before it, and never in a circle.
//!
//! A strategy need not have a move where the one who checks it finds one quickly ([`crate::verify`]): with a `frontier` such positions are left out.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use kibitz_game::{Budget, Game, Pack, Stop, Turn, Wdl};
use rustc_hash::FxHashMap;

use super::Provable;
use super::best_first::{End, Search};
use super::depth_first::DepthFirst;
use super::kernel::{Kernel, kernel_of, sizes};
use super::numbers::LeafNumbers;
use super::path::Path;
use super::question::{AtLeast, Leaf, Question};
use super::solve::Method;
use super::solved::Solved;
use super::strategy::Strategy;
use super::tree::{FREE, Tree};
use super::two_level::{self, SecondLevel};
use crate::verify::{Claim, Frontier, Sample};

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
    /// Knows most answers, where the search had a table.
    guide: Option<DepthFirst<'a, G>>,
    /// Knows solved positions, where trees had a table of them.
    solved: Option<Solved<'a>>,
    first: Search<'a, G>,
    second: Search<'a, G>,
    stop: &'a Stop,
    heights: FxHashMap<u64, u32>,
    strategy: Strategy,
    moves: Vec<G::Move>,
    /// Finds moves that may be left out.
    frontier: Frontier<'a, G>,
    /// The positions that were left out.
    easy: Vec<G::Position>,
}

/// What is left out needs this part of the nodes that it may take: with the whole strategy at hand a search goes other ways.
const EASY: u64 = 4;

/// A kernel of so many times fewer nodes than a search may take is worth a try.
const SMALL: u64 = 8;

/// A kernel with the sizes of what lies below each node.
struct Grown {
    nodes: Vec<Kernel>,
    sizes: Vec<u32>,
}

impl Grown {
    fn new(nodes: Vec<Kernel>) -> Rc<Self> {
        Rc::new(Self { sizes: sizes(&nodes), nodes })
    }

    /// A node about which nothing was kept.
    fn leaf() -> Rc<Self> {
        Self::new(vec![Kernel::LEAF])
    }
}

/// What waits while a position is searched on a path of its own.
struct Interlude {
    /// The number of frames before that of the position.
    frames: usize,
    path: Path,
    /// The height below which answers of the table were taken.
    most: u32,
}

/// A node on the way.
struct Frame<P> {
    kernel: Rc<Grown>,
    node: usize,
    position: P,
    key: u64,
    children: Vec<P>,
    next: usize,
    height: u32,
    /// Whether the guide has chosen the move.
    guided: bool,
    /// Whether it led nowhere here.
    astray: bool,
}

impl<'a, G: Provable> Harvest<'a, G> {
    /// A harvest for the answer to a question, with so many bytes for what must be searched again.
    pub(crate) fn new(
        question: &'a Question<'a, G>,
        value: bool,
        leaf: LeafNumbers,
        bytes: usize,
        guide: Option<DepthFirst<'a, G>>,
        solved: Option<Solved<'a>>,
        claim: &'a Claim<'a>,
        stop: &'a Stop,
    ) -> Option<Self> {
        let each = 2 * size_of::<super::tree::Node>() + question.game.position_bytes();
        let capacity = bytes / each;
        let mut positions = Vec::new();
        positions.try_reserve_exact(capacity).ok()?;
        let first = Search::new(question, leaf, false, Tree::new(capacity)?, None);
        let second = Search::new(question, leaf, false, Tree::new(capacity)?, Some(positions));
        Some(Self {
            question,
            value,
            guide,
            solved,
            first,
            second,
            stop,
            heights: FxHashMap::default(),
            strategy: Strategy::new(claim.holder, question.at_least, value, claim.frontier),
            moves: Vec::new(),
            frontier: Frontier::new(question.game, claim),
            easy: Vec::new(),
        })
    }

    /// The strategy of a kernel.
    pub(crate) fn strategy(mut self, kernel: &[Kernel], root: &G::Position) -> Result<Strategy, NoStrategy> {
        let mut path = Path::new();
        let key = self.question.key(root);
        match self.question.leaf(root, key, &path) {
            Leaf::Solved(value) | Leaf::Known(value) | Leaf::Repeated(value, _) if value == self.value => {
                return Ok(self.strategy);
            }
            Leaf::Open(_) => (),
            _ => return Err(NoStrategy::Contradiction),
        }
        path.push(key);
        let kernel = if kernel.is_empty() { Grown::leaf() } else { Grown::new(kernel.to_vec()) };
        self.gather(kernel, root, &mut path)?;
        self.gather_what_is_not_easy()?;
        Ok(self.strategy)
    }

    /// Gathers what was left out and cannot be found any more, now that more of the strategy is there and searches go other ways.
    fn gather_what_is_not_easy(&mut self) -> Result<(), NoStrategy> {
        while let Some(position) = self.easy.pop() {
            if self.stop.ask() {
                return Err(NoStrategy::Interrupted);
            }
            let Self { frontier, strategy, .. } = self;
            if !frontier.holds(&position, strategy.frontier, |key| strategy.get(key).is_some()) {
                self.heights.remove(&self.question.game.key(&position));
                let mut path = Path::new();
                path.push(self.question.key(&position));
                // what this adds may lead others astray once more
                let left = std::mem::take(&mut self.easy);
                self.gather(Grown::leaf(), &position, &mut path)?;
                self.easy.extend(left);
            }
        }
        Ok(())
    }

    /// Walks from the leaves to the root, whose key ends the path. The height of a node is that of its tallest child and one more, so each move of a strategy leads
    /// to something less tall: a strategy for reaching something has no cycles.
    fn gather(&mut self, kernel: Rc<Grown>, root: &G::Position, path: &mut Path) -> Result<(), NoStrategy> {
        let mut frames = vec![self.frame(kernel, 0, root)];
        let mut interludes: Vec<Interlude> = Vec::new();
        self.take_below(FREE);
        while let Some(frame) = frames.last_mut() {
            if frame.kernel.nodes[frame.node].count == 0 {
                if self.stop.ask() {
                    return Err(NoStrategy::Interrupted);
                }
                let (position, astray) = (frame.position.clone(), frame.astray);
                if let Some(most) = self.apart(&position, interludes.is_empty()) {
                    let mut own = Path::new();
                    own.push(self.question.key(&position));
                    let before = self.take_below(most);
                    let frames = frames.len() - 1;
                    interludes.push(Interlude { frames, path: std::mem::replace(path, own), most: before });
                }
                let Some(frame) = frames.last_mut() else { return Err(NoStrategy::Contradiction) };
                match self.again(&position, astray, path)? {
                    Some(kernel) => {
                        let guided = self.guide.is_some() && !astray && self.question.or(&position) == self.value;
                        *frame = Frame { guided, astray, ..self.frame(kernel, 0, &position) };
                    }
                    None => backtrack(&mut frames, path)?,
                }
                continue;
            }
            if let Some(child) = frame.children.get(frame.next) {
                let node = frame.kernel.nodes[frame.node].first as usize + frame.next;
                let key = self.question.key(child);
                match self.question.leaf(child, key, path) {
                    Leaf::Solved(value) | Leaf::Known(value) | Leaf::Repeated(value, _) if value == self.value => {
                        frame.height = frame.height.max(1);
                        frame.next += 1;
                    }
                    Leaf::Open(_) => {
                        let small = frame.kernel.sizes[node];
                        if let Some(&height) = self.heights.get(&self.question.game.key(child)) {
                            frame.height = frame.height.max(height + 1);
                            frame.next += 1;
                        } else if self.easy(child, small) {
                            frame.height = frame.height.max(1);
                            frame.next += 1;
                        } else {
                            path.push(key);
                            let (kernel, child) = (frame.kernel.clone(), child.clone());
                            let made = self.frame(kernel, node, &child);
                            frames.push(made);
                        }
                    }
                    _ => backtrack(&mut frames, path)?,
                }
                continue;
            }
            let key = frame.key;
            let height = match self.heights.entry(key) {
                Entry::Occupied(gathered) => *gathered.get(),
                Entry::Vacant(open) => {
                    let height = *open.insert(frame.height);
                    if self.question.or(&frame.position) == self.value {
                        let mv = self.question.move_to(&frame.position, &frame.children[0]);
                        self.strategy.insert(key, mv.ok_or(NoStrategy::Contradiction)?.pack(), height);
                    }
                    height
                }
            };
            frames.pop();
            if let Some(interlude) = interludes.pop_if(|interlude| interlude.frames == frames.len()) {
                *path = interlude.path;
                self.take_below(interlude.most);
            }
            if let Some(above) = frames.last_mut() {
                above.height = above.height.max(height + 1);
                above.next += 1;
                path.pop();
            }
        }
        Ok(())
    }

    /// Whether a position that has no kernel is searched on a path of its own, and the height of proofs that do not help there: its own, if the table has it. What the kernel of the search ends in
    /// may rest on answers that the table has lost.
    fn apart(&self, position: &G::Position, outermost: bool) -> Option<u32> {
        let solved = self.solved.filter(|solved| !solved.repeats(self.value))?;
        let height = solved.get(self.question.game, position).filter(|&(value, _)| value == self.value);
        height.map(|(_, height)| height).or(outermost.then_some(FREE))
    }

    /// Takes only answers of the table that are lower; returns what it was before.
    fn take_below(&mut self, most: u32) -> u32 {
        let Some(solved) = self.solved else { return most };
        let (now, before) = solved.below(most, self.value);
        self.solved = Some(now);
        (self.first.solved, self.second.solved) = (self.solved, self.solved);
        before
    }

    /// Whether a position that has a kernel of this size may be left out.
    fn easy(&mut self, position: &G::Position, size: u32) -> bool {
        let Self { frontier, strategy, question, .. } = self;
        let most = strategy.frontier / EASY;
        if question.or(position) != self.value || u64::from(size) > most / SMALL {
            return false;
        }
        let easy = frontier.holds(position, most, |key| strategy.get(key).is_some());
        if easy {
            self.heights.insert(question.game.key(position), 0);
            // what is to win is searched without the strategy, and so the same way whenever it is
            if strategy.goal == AtLeast::Draw {
                self.easy.push(position.clone());
            }
        }
        easy
    }

    fn frame(&mut self, kernel: Rc<Grown>, node: usize, position: &G::Position) -> Frame<G::Position> {
        let mut children = Vec::new();
        let Kernel { count, choice, .. } = kernel.nodes[node];
        if count > 0 {
            self.question.successors(position, &mut self.moves, &mut children);
            if self.question.or(position) == self.value {
                let chosen = children.swap_remove(usize::from(choice).min(children.len() - 1));
                children.clear();
                children.push(chosen);
            }
        }
        let key = self.question.game.key(position);
        Frame {
            kernel,
            node,
            position: position.clone(),
            key,
            children,
            next: 0,
            height: 0,
            guided: false,
            astray: false,
        }
    }

    /// A kernel of a position that has none; its key ends the path. None if it has another value on this path.
    fn again(
        &mut self,
        position: &G::Position,
        astray: bool,
        path: &mut Path,
    ) -> Result<Option<Rc<Grown>>, NoStrategy> {
        let limits = kibitz_game::Limits::default();
        let mut budget = Budget::new(&limits, self.stop);
        // where the other side moves, each of its moves may lead to something easy
        let easy = self.strategy.frontier > 0 && self.solved.is_none();
        if (easy || (self.guide.is_some() && !astray)) && self.question.or(position) != self.value {
            let count = self.question.game.mobility(position, &mut self.moves) as usize;
            let mut kernel = vec![Kernel::LEAF; count + 1];
            kernel[0] = Kernel { first: 1, count: count as u16, choice: 0 };
            return Ok(Some(Grown::new(kernel)));
        }
        if let Some(guide) = self.guide.as_mut().filter(|_| !astray) {
            let choice = if let Some((choice, _)) = guide.known_choice(position, self.value, path) {
                choice
            } else {
                let found = guide.run(position, path, u64::MAX, &mut budget, |_, _, _| Ok(()));
                let found = found.map_err(|_| NoStrategy::Interrupted)?;
                match found.numbers.solved() {
                    Some(value) if value == self.value => found.choice,
                    Some(_) => return Ok(None),
                    None => return Err(NoStrategy::Interrupted),
                }
            };
            let chosen = Kernel { first: 1, count: 1, choice: choice as u16 };
            return Ok(Some(Grown::new(vec![chosen, Kernel::LEAF])));
        }
        self.second.plant(position);
        let mut end = self.second.run(usize::MAX, u64::MAX, path, &mut budget);
        self.second.leave(path);
        if end == End::Solved {
            return Ok(self.found(&self.second.tree));
        }
        self.first.plant(position);
        while end != End::Budget && self.first.tree.root().numbers().solved().is_none() {
            end = two_level::step(&mut self.first, &mut self.second, SecondLevel::Equal, path, &mut budget);
            if end == End::Memory {
                return Err(NoStrategy::Memory);
            }
        }
        self.first.leave(path);
        if end == End::Budget { Err(NoStrategy::Interrupted) } else { Ok(self.found(&self.first.tree)) }
    }

    fn found(&self, tree: &Tree) -> Option<Rc<Grown>> {
        (tree.root().numbers().solved() == Some(self.value)).then(|| Grown::new(kernel_of(tree, self.value)))
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

/// Goes back to the last move that a table has chosen, for a search on this path to choose it. Entries that were lost and found again may rest on each
/// other; answers of a tree do not.
fn backtrack<P>(frames: &mut Vec<Frame<P>>, path: &mut Path) -> Result<(), NoStrategy> {
    loop {
        let Some(frame) = frames.last_mut() else { return Err(NoStrategy::Contradiction) };
        if frame.guided {
            frame.kernel = Grown::leaf();
            (frame.node, frame.next, frame.height) = (0, 0, 0);
            (frame.guided, frame.astray) = (false, true);
            return Ok(());
        }
        frames.pop();
        if !frames.is_empty() {
            path.pop();
        }
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
        if let (Some(table), Method::DepthFirst { epsilon }) = (&outcome.kept.table, self.method) {
            let mut end = position.clone();
            outcome.pv.iter().for_each(|&mv| game.play(&mut end, mv));
            if game.turn(&end) != Turn::Over {
                let mut guide = DepthFirst::new(&question, self.leaf, epsilon, table);
                outcome.pv.extend(guide.line(&end, *value));
            }
        }
        if outcome.pv.is_empty() {
            // a database knew the position, and it knows those after it
            let (mut moves, mut path, mut list) = (Vec::new(), Path::new(), Vec::new());
            path.push(question.key(position));
            question.successors(position, &mut moves, &mut list);
            let kept = |child: &G::Position| match question.leaf(child, question.key(child), &path) {
                Leaf::Solved(answer) | Leaf::Known(answer) | Leaf::Repeated(answer, _) => answer == *value,
                Leaf::Open(_) => false,
            };
            let chosen = list.iter().find(|child| kept(child)).or(list.first());
            outcome.pv.extend(chosen.and_then(|child| question.move_to(position, child)));
        }
        outcome.best = outcome.pv.first().copied();
    }

    /// The strategy of an answer. Positions for which at most `frontier` nodes find a move may be left out of it.
    pub fn strategy<G: Provable>(
        &self,
        game: &G,
        position: &G::Position,
        kept: &super::Kept,
        number: usize,
        frontier: u64,
        ask: &super::Ask<'_>,
    ) -> Result<Strategy, NoStrategy> {
        let (at_least, value, kernel) = kept.answers.get(number).ok_or(NoStrategy::Contradiction)?;
        let Turn::Player(player) = game.turn(position) else { return Err(NoStrategy::Contradiction) };
        let question = Question::new(game, player.into(), *at_least, ask.database, ask.past);
        let guide = match (&kept.table, self.method) {
            (Some(table), Method::DepthFirst { epsilon }) => {
                Some(DepthFirst::new(&question, self.leaf, epsilon, table))
            }
            _ => None,
        };
        let solved = match (&kept.table, self.method) {
            (Some(table), Method::OneLevel | Method::TwoLevels(_)) => Some(Solved::new(&question, position, table)),
            _ => None,
        };
        let player = usize::from(player);
        let (holder, goal) = (
            if *value { player } else { 1 - player },
            if (*at_least == AtLeast::Win) == *value { Wdl::Win } else { Wdl::Draw },
        );
        let (past, database) = (ask.past, ask.database);
        let claim = Claim { holder, goal, strategy: &|_| None, past, database, frontier, sample: Sample::ALL };
        let harvest = Harvest::new(&question, *value, self.leaf, self.tree_bytes(), guide, solved, &claim, ask.stop);
        let harvest = harvest.ok_or(NoStrategy::Memory)?;
        harvest.strategy(kernel, position)
    }
}
