//! df-pn: proof-number search depth first, with a table (A. Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its Applications*, 2002).
//!
//! A node is searched until its proof number or its disproof number reaches a threshold, at which another node is the most-proving one. Thresholds grow by a factor
//! 1 + ε and not by one, which makes for fewer changes of place (J. Pawlewicz and L. Lew, *Improving Depth-First PN-Search: 1 + ε Trick*, 2006).
//!
//! **Graph history.** What a repetition answers is the same everywhere in a question: say no, as when it is a draw and the question is about a win. Then a proof never rests on a repetition,
//! and holds wherever its position comes up. A disproof may rest on one: the other side goes back to a position above. It holds on this path, and on any that
//! has the positions it goes back to. So each such answer carries the place on the path of the highest position that it goes back to. At that position itself, or where there was no
//! repetition, the answer is complete: the other side can stay among the positions below for ever. Only then it is remembered for the position. Before that it is
//! remembered for this position at the end of this very path, under a key of both; a search that comes the same way again finds it, and no other does. (A. Kishimoto and M. Müller, *A
//! general solution to the graph history interaction problem*, 2004, also remember answers by path, and try them on others by simulation.) Where repetition says yes, the same holds with proofs in place of
//! disproofs.
//!
//! Several threads share the table; how they share the work is in [`super::together`].

use kibitz_game::{Budget, mix};

use super::Provable;
use super::best_first::End;
use super::checkpoint::BadCheckpoint;
use super::numbers::{LeafNumbers, Numbers};
use super::path::Path;
use super::question::{AtLeast, Leaf, Question};
use super::table::{Entry, INFINITE, Table};
use super::tree::Node;

/// An answer that depends on nothing above.
const FREE: u32 = u32::MAX;

/// What is known of a position.
#[derive(Clone, Copy)]
struct Known {
    proof: u32,
    disproof: u32,
    /// Of a solved one: the place on the path that the answer depends on, or [`FREE`].
    depends: u32,
    /// Of a solved one: the height of the proof.
    height: u32,
}

impl Known {
    #[inline(always)]
    fn answer(value: bool, depends: u32, height: u32) -> Self {
        let (proof, disproof) = if value { (0, INFINITE) } else { (INFINITE, 0) };
        Self { proof, disproof, depends, height }
    }

    #[inline(always)]
    fn open(proof: u32, disproof: u32) -> Self {
        Self { proof: proof.min(INFINITE - 1), disproof: disproof.min(INFINITE - 1), depends: FREE, height: 0 }
    }

    #[inline(always)]
    fn solved(self) -> Option<bool> {
        if self.proof == 0 {
            Some(true)
        } else if self.disproof == 0 {
            Some(false)
        } else {
            None
        }
    }

    /// What is known after something new was learned. As long as a node is being searched the numbers of its children only grow: another path to the same
    /// position may leave lower ones, and two positions that undo each other's numbers would keep the search going round for ever.
    #[inline(always)]
    fn grown(self, now: Self) -> Self {
        if now.solved().is_some() {
            now
        } else {
            Self::open(self.proof.max(now.proof), self.disproof.max(now.disproof))
        }
    }

    fn numbers(self) -> Numbers {
        let number = |number: u32| if number == INFINITE { super::numbers::INFINITE } else { number };
        Numbers { proof: number(self.proof), disproof: number(self.disproof) }
    }
}

/// A move of a node that is being searched.
struct Child<P> {
    position: P,
    key: u64,
    known: Known,
}

/// A node that is being searched. Its children lie from `first` on.
struct Frame {
    key: u64,
    /// The path down to here.
    way: u64,
    or: bool,
    first: usize,
    /// The child that was searched last.
    at: usize,
    most_proof: u32,
    most_disproof: u32,
    began: u64,
}

/// What the search of a position has found.
pub(crate) struct Found {
    pub(crate) end: End,
    pub(crate) numbers: Numbers,
    /// The number of the move that does it, or that looks best.
    pub(crate) choice: usize,
}

/// A search of one thread.
pub(crate) struct DepthFirst<'a, G: Provable> {
    question: &'a Question<'a, G>,
    leaf: LeafNumbers,
    epsilon: f64,
    table: &'a Table,
    salt: u64,
    frames: Vec<Frame>,
    children: Vec<Child<G::Position>>,
    list: Vec<G::Position>,
    moves: Vec<G::Move>,
    /// How many positions the database knew.
    pub(crate) probes: u64,
}

impl<'a, G: Provable> DepthFirst<'a, G> {
    pub(crate) fn new(question: &'a Question<'a, G>, leaf: LeafNumbers, epsilon: f64, table: &'a Table) -> Self {
        // two questions share a table
        let salt = if question.at_least == AtLeast::Win { 0 } else { 0x9e37_79b9_7f4a_7c15 };
        let (frames, children) = (Vec::new(), Vec::new());
        let (list, moves) = (Vec::new(), Vec::new());
        Self { question, leaf, epsilon, table, salt, frames, children, list, moves, probes: 0 }
    }

    #[inline(always)]
    fn key(&self, position: &G::Position) -> u64 {
        self.question.game.key(position) ^ self.salt
    }

    #[inline(always)]
    fn top(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    /// Searches a position, whose key ends the path, until it is solved, the budget has counted so many nodes or it is spent. `look` is told the nodes, the probes and the numbers of the root now and then.
    pub(crate) fn run(
        &mut self,
        position: &G::Position,
        path: &mut Path,
        until: u64,
        budget: &mut Budget<'_>,
        mut look: impl FnMut(u64, u64, Numbers) -> Result<(), BadCheckpoint>,
    ) -> Result<Found, BadCheckpoint> {
        let root = self.key(position);
        self.frames.clear();
        self.children.clear();
        let mut over = self.push(position, root, path.fold(), (INFINITE, INFINITE), path, budget);
        let mut next = 0;
        loop {
            let known = self.known(path.len() - 1);
            let done = over || known.solved().is_some();
            if done && self.frames.len() == 1 {
                return Ok(self.found(known, budget.nodes));
            }
            let (most_proof, most_disproof) = (self.top().most_proof, self.top().most_disproof);
            if done || known.proof >= most_proof || known.disproof >= most_disproof {
                self.remember(known, budget.nodes);
                self.pop(known);
                path.pop();
                continue;
            }
            let (child, most) = self.select(known);
            over = self.down(child, most, path, budget) || budget.nodes >= until;
            if budget.nodes >= next {
                next = budget.nodes + 1024;
                look(budget.nodes, self.probes, self.numbers_of_root())?;
            }
        }
    }

    /// Goes down to a child, and says whether the budget is spent.
    #[inline(always)]
    fn down(&mut self, child: usize, most: (u32, u32), path: &mut Path, budget: &mut Budget<'_>) -> bool {
        let (position, key) = (self.children[child].position.clone(), self.children[child].key);
        let last = self.frames.len() - 1;
        self.frames[last].at = child;
        let plain = self.question.key(&position);
        let way = mix(self.frames[last].way, plain);
        path.push(plain);
        self.push(&position, key, way, most, path, budget)
    }

    /// Opens a node: makes its children, with what is known of each.
    #[inline(always)]
    fn push(
        &mut self,
        position: &G::Position,
        key: u64,
        way: u64,
        (most_proof, most_disproof): (u32, u32),
        path: &Path,
        budget: &mut Budget<'_>,
    ) -> bool {
        let (or, first, began) = (self.question.or(position), self.children.len(), budget.nodes);
        let mut list = std::mem::take(&mut self.list);
        self.question.successors(position, &mut self.moves, &mut list);
        let count = list.len();
        if count == 0 {
            self.question.refuse();
        }
        for position in list.drain(..) {
            let key = self.key(&position);
            let known = self.first_look(&position, key, way, path);
            self.children.push(Child { position, key, known });
        }
        self.list = list;
        self.frames.push(Frame { key, way, or, first, at: first, most_proof, most_disproof, began });
        budget.add(count as u64) || self.question.odd()
    }

    /// What is known of a position below the end of a path.
    #[inline(always)]
    fn first_look(&mut self, position: &G::Position, key: u64, way: u64, path: &Path) -> Known {
        match self.question.leaf(position, key ^ self.salt, path) {
            Leaf::Solved(value) => Known::answer(value, FREE, 0),
            Leaf::Known(value) => {
                self.probes += 1;
                Known::answer(value, FREE, 0)
            }
            Leaf::Repeated(value, at) => Known::answer(value, at as u32, 0),
            Leaf::Open(or) => self.recall(key, way).unwrap_or_else(|| {
                let numbers = self.leaf.of(self.question, position, or, &mut self.moves);
                Known::open(numbers.proof, numbers.disproof)
            }),
        }
    }

    /// What the table knows of a position below the end of a path.
    #[inline(always)]
    fn recall(&self, key: u64, way: u64) -> Option<Known> {
        let entry = self.table.get(key)?;
        if let Some((value, height)) = entry.value() {
            return Some(Known::answer(value, FREE, height));
        }
        if entry.on_some_path
            && let Some((value, depends)) = self.table.get(mix(way, key)).and_then(Entry::value)
        {
            return Some(Known::answer(value, depends, 0));
        }
        let (proof, disproof) = entry.numbers();
        Some(Known::open(proof, disproof))
    }

    /// What is known of the node on top, at a place of the path, by its children and by what the table has learned of them meanwhile.
    #[inline(always)]
    fn known(&mut self, place: usize) -> Known {
        let &Frame { or, first, way, at, .. } = self.top();
        for i in first..self.children.len() {
            let Child { key, known, .. } = self.children[i];
            // the one that was searched last is known best
            if i != at
                && known.solved().is_none()
                && let Some(now) = self.recall(key, way)
            {
                self.children[i].known = known.grown(now);
            }
        }
        combine(&self.children[first..], or, place)
    }

    /// The child to be searched next, and its thresholds.
    #[inline(always)]
    fn select(&self, known: Known) -> (usize, (u32, u32)) {
        let frame = self.top();
        // in the view of the side to move: it tries to make `own` zero
        let numbers =
            |known: Known| if frame.or { (known.proof, known.disproof) } else { (known.disproof, known.proof) };
        let (most_own, most_other) =
            if frame.or { (frame.most_proof, frame.most_disproof) } else { (frame.most_disproof, frame.most_proof) };
        let (mut least, mut second, mut leading) = (u32::MAX, INFINITE, frame.first);
        for (i, child) in self.children.iter().enumerate().skip(frame.first) {
            let own = numbers(child.known).0;
            if own < least {
                (second, least, leading) = (least.min(INFINITE), own, i);
            } else if own < second {
                second = own;
            }
        }
        let (own, other) = numbers(self.children[leading].known);
        let raised = (f64::from(second) * (1.0 + self.epsilon)).ceil() as u32;
        // On a cycle, numbers grow out of each other, and without growth of the thresholds by a factor they would do so by one each time round.
        let most_own = most_own.min(raised.max(second.saturating_add(1)).max(own + own / 16 + 1));
        let sum = numbers(known).1;
        let most_other = (most_other - most_other.min(sum) + other).max(other + 1);
        let most = if frame.or { (most_own, most_other) } else { (most_other, most_own) };
        (leading, most)
    }

    /// Puts what was found out about the node on top into the table.
    #[inline(always)]
    fn remember(&self, known: Known, nodes: u64) {
        let &Frame { key, began, .. } = self.top();
        let work = nodes - began;
        let before = self.table.get(key);
        let entry = match known.solved() {
            Some(value) if known.depends == FREE => {
                // a lower proof stays, so that each step of a strategy finds one that is lower still
                let lower =
                    before.and_then(Entry::value).filter(|&(same, height)| same == value && height < known.height);
                Entry::solved(value, lower.map_or(known.height, |(_, height)| height))
            }
            Some(value) => {
                let above = self.frames[self.frames.len() - 2].way;
                self.table.put(mix(above, key), Entry::solved(value, known.depends), work);
                let (proof, disproof) = before.map_or((1, 1), Entry::numbers);
                if before.is_some_and(|before| before.value().is_some()) {
                    return;
                }
                Entry::open(proof, disproof).with_paths(true)
            }
            None => {
                if before.is_some_and(|before| before.value().is_some()) {
                    return;
                }
                let on_some_path = before.is_some_and(|before| before.on_some_path);
                Entry::open(known.proof, known.disproof).with_paths(on_some_path)
            }
        };
        self.table.put(key, entry, work);
    }

    /// Closes the node on top.
    #[inline(always)]
    fn pop(&mut self, known: Known) {
        let Some(frame) = self.frames.pop() else { return };
        self.children.truncate(frame.first);
        let at = self.top().at;
        self.children[at].known = self.children[at].known.grown(known);
    }

    /// The end of a search: the root is closed.
    fn found(&mut self, known: Known, nodes: u64) -> Found {
        let first = self.top().first;
        // an answer that depends on something above the root of this search holds here only
        if known.solved().is_none() || known.depends == FREE {
            self.remember(known, nodes);
        }
        let (solved, or) = (known.solved(), self.top().or);
        let order = |child: &Known| {
            let own = if or { child.proof } else { child.disproof };
            (child.solved() != solved, if solved.is_some() { FREE - child.depends } else { own }, child.height)
        };
        let children = self.children[first..].iter().enumerate();
        let choice = children.min_by_key(|(_, child)| order(&child.known)).map_or(0, |(i, _)| i);
        let end = if solved.is_some() { End::Solved } else { End::Budget };
        Found { end, numbers: known.numbers(), choice }
    }

    /// The numbers of the root of the search.
    pub(crate) fn numbers_of_root(&self) -> Numbers {
        combine(self.below_root(), self.frames[0].or, 0).numbers()
    }

    fn below_root(&self) -> &[Child<G::Position>] {
        let end = self.frames.get(1).map_or(self.children.len(), |frame| frame.first);
        &self.children[self.frames[0].first..end]
    }

    /// The children of the root of the search, as nodes of a tree, with their positions.
    pub(crate) fn children_of_root(&self) -> impl ExactSizeIterator<Item = (Node, G::Position)> {
        let question = self.question;
        self.below_root().iter().map(move |child| {
            let or = child.known.solved().is_none() && question.or(&child.position);
            (Node::new(child.known.numbers(), or), child.position.clone())
        })
    }

    /// The number of the move by which the side that has answered the question keeps its answer, with the height of the proof after it, as far as leaves and table know. The position's key ends the path.
    pub(crate) fn known_choice(&mut self, position: &G::Position, value: bool, path: &Path) -> Option<(usize, u32)> {
        let mut list = Vec::new();
        self.question.successors(position, &mut self.moves, &mut list);
        let way = path.fold();
        let mut best: Option<(usize, u32)> = None;
        for (i, child) in list.iter().enumerate() {
            let known = self.first_look(child, self.key(child), way, path);
            if known.solved() == Some(value) && best.is_none_or(|(_, height)| known.height < height) {
                best = Some((i, known.height));
            }
        }
        best
    }
}

impl<G: Provable> DepthFirst<'_, G> {
    /// The line of an answer as far as the table knows it: the side that has answered the question keeps its answer, the other one resists as long as it can.
    pub(crate) fn line(&mut self, root: &G::Position, value: bool) -> Vec<G::Move> {
        let (mut line, mut position, mut path) = (Vec::new(), root.clone(), Path::new());
        let mut list = Vec::new();
        path.push(self.question.key(root));
        loop {
            list.clear();
            self.question.successors(&position, &mut self.moves, &mut list);
            let (own, way) = (self.question.or(&position) == value, path.fold());
            let mut best: Option<(u32, usize)> = None;
            for (i, child) in list.iter().enumerate() {
                let known = self.first_look(child, self.key(child), way, &path);
                let height = if own { u32::MAX - known.height } else { known.height };
                if known.solved() == Some(value) && best.is_none_or(|(most, _)| height > most) {
                    best = Some((height, i));
                }
            }
            let Some((_, chosen)) = best else { return line };
            let child = list[chosen].clone();
            let Some(mv) = self.question.move_to(&position, &child) else { return line };
            line.push(mv);
            if !matches!(self.question.leaf(&child, self.question.key(&child), &path), Leaf::Open(_)) {
                return line;
            }
            path.push(self.question.key(&child));
            position = child;
        }
    }
}

/// What is known of a node at a place of the path by its children.
#[inline(always)]
fn combine<P>(children: &[Child<P>], or: bool, place: usize) -> Known {
    let (mut least, mut total, mut infinite) = (INFINITE, 0u64, false);
    for child in children {
        let Known { proof, disproof, .. } = child.known;
        let (own, other) = if or { (proof, disproof) } else { (disproof, proof) };
        least = least.min(own);
        total += u64::from(other);
        infinite |= other == INFINITE;
    }
    let other = if infinite { INFINITE } else { total.min(u64::from(INFINITE - 1)) as u32 };
    let (proof, disproof) = if or { (least, other) } else { (other, least) };
    let (depends, height) = if least == 0 {
        // one move is enough: the one that depends on least
        let enough = children.iter().map(|child| child.known).filter(|known| known.solved() == Some(or));
        let best = enough.min_by_key(|known| (FREE - known.depends, known.height));
        best.map_or((FREE, 0), |known| (known.depends, known.height + 1))
    } else if other == 0 {
        let all = children.iter().map(|child| child.known);
        all.fold((FREE, 0), |(depends, height), known| (depends.min(known.depends), height.max(known.height + 1)))
    } else {
        return Known { proof, disproof, depends: FREE, height: 0 };
    };
    // what goes back to this node or to one below it is complete here
    let depends = if depends as usize >= place { FREE } else { depends };
    Known { proof, disproof, depends, height }
}
