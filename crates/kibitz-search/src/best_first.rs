//! What the best-first searches share: the loop of their iterations, and their tree in memory.
//!
//! The tree has nodes and edges in two growing arrays of bounded size, the edges of a node side by side. Everything that is known
//! about a position but its moves lies on the edge that leads to it, so that choosing among the moves of a node reads one
//! place in memory. An iteration follows one edge after the other to a position that has not been expanded, looks at all
//! positions one move behind it and backs up what it found.

use std::cmp::Reverse;

use kibitz_game::{Bound, Budget, Child, Game, Iteration, Report, Score, Turn};

use crate::{Context, NotSupported, Searchable, require_minimax};

/// No node: the edge leads to a position that has not been expanded.
pub(crate) const NO_NODE: u32 = u32::MAX;
/// The first node.
pub(crate) const ROOT: u32 = 0;

/// A position that has been expanded.
pub(crate) struct Node<P> {
    first: u32,
    count: u32,
    /// The player to move.
    pub(crate) player: u8,
    /// The position, so that an expansion below plays one move and not the whole line.
    pub(crate) position: P,
}

/// A move of a node with what is known of the position behind it.
#[derive(Clone, Copy)]
pub(crate) struct Edge<M, E> {
    pub(crate) mv: M,
    /// The node behind the move, or [`NO_NODE`].
    pub(crate) child: u32,
    pub(crate) known: E,
}

impl<M, E> Edge<M, E> {
    pub(crate) fn new(mv: M, known: E) -> Self {
        Self { mv, child: NO_NODE, known }
    }
}

pub(crate) struct Tree<P, M, E> {
    nodes: Vec<Node<P>>,
    pub(crate) edges: Vec<Edge<M, E>>,
    /// What a position takes beyond its own size.
    extra: usize,
    limit: usize,
    /// Whether a node did not fit any more.
    pub(crate) full: bool,
}

impl<P, M: Copy, E: Copy> Tree<P, M, E> {
    pub(crate) fn new(megabytes: usize, position_bytes: usize) -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            extra: position_bytes.saturating_sub(size_of::<P>()),
            limit: megabytes.saturating_mul(1 << 20),
            full: false,
        }
    }

    fn cost(&self, nodes: usize, edges: usize) -> usize {
        nodes.saturating_mul(size_of::<Node<P>>() + self.extra) + edges.saturating_mul(size_of::<Edge<M, E>>())
    }

    /// The memory of the arrays as they are allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.cost(self.nodes.capacity(), self.edges.capacity())
    }

    /// Positions in the tree, expanded or not, the root included.
    pub(crate) fn len(&self) -> usize {
        self.edges.len() + 1
    }

    pub(crate) fn node(&self, node: u32) -> &Node<P> {
        &self.nodes[node as usize]
    }

    /// The numbers of the edges of a node.
    #[inline(always)]
    pub(crate) fn range(&self, node: u32) -> std::ops::Range<usize> {
        let Node { first, count, .. } = self.nodes[node as usize];
        first as usize..first as usize + count as usize
    }

    /// The node at which the edge at a place of a path begins.
    pub(crate) fn parent(&self, path: &[u32], place: usize) -> &Node<P> {
        self.node(if place == 0 { ROOT } else { self.edges[path[place - 1] as usize].child })
    }

    /// The edges of a node.
    #[inline(always)]
    pub(crate) fn edges(&self, node: u32) -> &[Edge<M, E>] {
        &self.edges[self.range(node)]
    }

    /// Adds a node; `NO_NODE` when the memory is used up. The root always fits.
    pub(crate) fn add(&mut self, position: P, player: u8, edges: &[Edge<M, E>]) -> u32 {
        let end = self.edges.len() + edges.len();
        if (end > self.edges.capacity() || self.nodes.len() == self.nodes.capacity()) && !self.grow(end) {
            return NO_NODE;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { first: self.edges.len() as u32, count: edges.len() as u32, player, position });
        self.edges.extend_from_slice(edges);
        node
    }

    /// Makes room for so many edges and one more node: half as much again or, near the limit, a little.
    #[cold]
    fn grow(&mut self, edges: usize) -> bool {
        let room = |step: usize| {
            let (mut nodes, mut room) = (self.nodes.capacity(), self.edges.capacity());
            if self.nodes.len() == nodes {
                nodes += (nodes / 2).min(step).max(64);
            }
            if edges > room {
                room = (room + (room / 2).min(step)).max(edges + 512);
            }
            (nodes, room)
        };
        let fits = |&(nodes, edges): &(usize, usize)| {
            (self.cost(nodes, edges) <= self.limit || self.nodes.is_empty())
                && nodes < NO_NODE as usize
                && edges < NO_NODE as usize
        };
        let Some((nodes, edges)) = [usize::MAX, 0].map(room).into_iter().find(fits) else {
            self.full = true;
            return false;
        };
        self.nodes.reserve_exact(nodes - self.nodes.len());
        self.edges.reserve_exact(edges - self.edges.len());
        true
    }
}

/// The tree of a method.
pub(crate) type TreeOf<G, M> = Tree<<G as Game>::Position, <G as Game>::Move, <M as Method<G>>::Known>;

/// What tells one best-first search from another.
pub(crate) trait Method<G: Searchable> {
    /// The name for messages.
    const NAME: &'static str;
    /// What is known of the position behind a move, in the view of the player who chooses it.
    type Known: Copy;

    /// What is known of a position that is new, for the player who moved; it is over, or somebody is to move.
    fn look(&self, game: &G, child: &G::Position, over: bool, player: usize) -> Self::Known;
    /// The root has been expanded.
    fn begin(&mut self, _: &TreeOf<G, Self>) {}
    /// Whether the search knows what it wanted to know.
    fn ended(&self, tree: &TreeOf<G, Self>) -> bool;
    /// The edge of a node that an iteration follows; none when nothing can be learned there.
    fn follow(&mut self, tree: &TreeOf<G, Self>, node: u32) -> Option<usize>;
    /// Backs up what is known of the end of a path that begins at the root, and counts the visit.
    fn back_up(&mut self, tree: &mut TreeOf<G, Self>, path: &[u32]);
    /// The edge of the root that is played.
    fn decide(&self, tree: &TreeOf<G, Self>) -> Option<usize>;
    /// The edge that is expected to be played at a node.
    fn principal(&self, tree: &TreeOf<G, Self>, node: u32) -> Option<usize>;
    /// The value and the visits of a move for the report.
    fn tell(known: &Self::Known) -> (Score, u32);
    /// Writes the value of the root and what is known about it into the report; returns counters of its own.
    fn conclude(&self, game: &G, tree: &TreeOf<G, Self>, report: &mut Report<G::Move>) -> Vec<(&'static str, f64)>;
}

/// Searches until a limit is reached, the memory is full or the method has ended.
pub(crate) fn search<G: Searchable, M: Method<G>>(
    method: M,
    megabytes: usize,
    game: &G,
    position: &G::Position,
    context: &mut Context<'_, G::Move>,
) -> Result<Report<G::Move>, NotSupported> {
    require_minimax(M::NAME, game)?;
    let mut report = Report { bound: Bound::Estimate, ..Report::new() };
    let mut search = Search {
        method,
        game,
        tree: Tree::new(megabytes, game.position_bytes()),
        budget: Budget::new(context.limits, context.stop),
        moves: Vec::new(),
        edges: Vec::new(),
        path: Vec::new(),
        iterations: 0,
        deepest: 0,
    };
    search.budget.spend();
    match game.turn(position) {
        Turn::Chance => return Err(NotSupported::chance(M::NAME)),
        Turn::Over => {
            report.value = game.result(f64::from(game.score(position, 0)));
            report.bound = Bound::Exact;
            report.proven = true;
        }
        Turn::Player(me) => search.run(position, me, context, &mut report)?,
    }
    report.nodes = search.budget.nodes;
    report.time = search.budget.elapsed();
    Ok(report)
}

struct Search<'a, G: Searchable, M: Method<G>> {
    method: M,
    game: &'a G,
    tree: TreeOf<G, M>,
    budget: Budget<'a>,
    moves: Vec<G::Move>,
    edges: Vec<Edge<G::Move, M::Known>>,
    /// The edges followed in this iteration.
    path: Vec<u32>,
    iterations: u64,
    deepest: usize,
}

impl<G: Searchable, M: Method<G>> Search<'_, G, M> {
    fn run(
        &mut self,
        position: &G::Position,
        me: u8,
        context: &mut Context<'_, G::Move>,
        report: &mut Report<G::Move>,
    ) -> Result<(), NotSupported> {
        if self.expand(position.clone(), me)? == NO_NODE {
            // not even the root's moves could be looked at
            report.value = self.game.result(f64::from(self.game.evaluate(position, usize::from(me))));
            report.best = self.moves.first().copied();
            report.pv.extend(report.best);
            return Ok(());
        }
        self.method.begin(&self.tree);
        // a visit fits into 32 bits
        let limit = context.limits.simulations.unwrap_or(u64::MAX).min(u64::from(u32::MAX) - 1);
        let mut next_step = 1024;
        while !self.method.ended(&self.tree) && self.iterations < limit && !self.budget.over() && self.iterate()? {
            self.iterations += 1;
            if self.iterations == next_step {
                next_step *= 2;
                self.conclude(report);
                let step = Iteration {
                    depth: self.iterations,
                    value: report.value,
                    nodes: self.budget.nodes,
                    time: self.budget.elapsed(),
                    pv: report.pv.clone(),
                };
                (context.progress)(&step);
                report.history.push(step);
            }
        }
        self.conclude(report);
        Ok(())
    }

    /// Expands one position. False when there was nothing to expand or no room for it.
    fn iterate(&mut self) -> Result<bool, NotSupported> {
        self.path.clear();
        let mut node = ROOT;
        let edge = loop {
            let Some(edge) = self.method.follow(&self.tree, node) else { return Ok(false) };
            self.path.push(edge as u32);
            let child = self.tree.edges[edge].child;
            if child == NO_NODE {
                break edge;
            }
            node = child;
        };
        let mut position = self.tree.node(node).position.clone();
        self.game.play(&mut position, self.tree.edges[edge].mv);
        let Turn::Player(player) = self.game.turn(&position) else { return Ok(false) };
        let child = self.expand(position, player)?;
        if child == NO_NODE {
            return Ok(false);
        }
        self.tree.edges[edge].child = child;
        self.deepest = self.deepest.max(self.path.len() + 1);
        self.method.back_up(&mut self.tree, &self.path);
        Ok(true)
    }

    /// Adds the node of a position with what is known behind all of its moves; `NO_NODE` when the search must end before
    /// that is done.
    fn expand(&mut self, position: G::Position, player: u8) -> Result<u32, NotSupported> {
        self.moves.clear();
        self.game.moves(&position, &mut self.moves);
        self.edges.clear();
        for &mv in &self.moves {
            if self.budget.spend() {
                return Ok(NO_NODE);
            }
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            let over = match self.game.turn(&child) {
                Turn::Over => true,
                Turn::Player(_) => false,
                Turn::Chance => return Err(NotSupported::chance(M::NAME)),
            };
            self.edges.push(Edge::new(mv, self.method.look(self.game, &child, over, usize::from(player))));
        }
        // rules that failed to give moves have raised the stop
        if self.edges.is_empty() {
            return Ok(NO_NODE);
        }
        Ok(self.tree.add(position, player, &self.edges))
    }

    /// Fills the report from the tree.
    fn conclude(&self, report: &mut Report<G::Move>) {
        report.pv.clear();
        let mut next = self.method.decide(&self.tree);
        while let Some(edge) = next {
            let Edge { mv, child, .. } = self.tree.edges[edge];
            report.pv.push(mv);
            next = if child == NO_NODE { None } else { self.method.principal(&self.tree, child) };
        }
        report.best = report.pv.first().copied();
        report.depth = report.pv.len() as u32;
        let child = |edge: &Edge<G::Move, M::Known>| {
            let (value, visits) = M::tell(&edge.known);
            Child { mv: edge.mv, visits: visits.into(), value: self.game.result(f64::from(value)), error: None }
        };
        report.children = self.tree.edges(ROOT).iter().map(child).collect();
        report.children.sort_by_cached_key(|child| Reverse(child.visits));
        report.stats = vec![("simulations", self.iterations as f64)];
        let own = self.method.conclude(self.game, &self.tree, report);
        report.stats.extend(own);
        report.stats.extend([
            ("tree_nodes", self.tree.len() as f64),
            ("tree_mb", self.tree.bytes() as f64 / f64::from(1 << 20)),
            ("memory_full", f64::from(u8::from(self.tree.full))),
            ("deepest", self.deepest as f64),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_fills_its_memory_and_stays_within_it() {
        let mut tree: Tree<u64, u16, u32> = Tree::new(1, 8);
        while tree.add(0, 0, &[Edge::new(7, 1); 30]) != NO_NODE {
            assert!(tree.bytes() <= 1 << 20);
        }
        assert!(tree.full && tree.bytes() > 900 << 10, "{}", tree.bytes());
    }

    #[test]
    fn edges_of_a_node_are_those_it_was_given() {
        let mut tree: Tree<char, u16, u32> = Tree::new(1, 4);
        for (i, position) in ('a'..='z').enumerate() {
            let edges: Vec<_> = (0..i as u16).map(|mv| Edge::new(mv, 100 * i as u32)).collect();
            assert_eq!(tree.add(position, 1, &edges), i as u32);
        }
        let edges: Vec<_> = tree.edges(3).iter().map(|edge| (edge.mv, edge.child, edge.known)).collect();
        assert_eq!(edges, [(0, NO_NODE, 300), (1, NO_NODE, 300), (2, NO_NODE, 300)]);
        assert_eq!((tree.node(3).position, tree.len()), ('d', 1 + 25 * 26 / 2));
    }
}
