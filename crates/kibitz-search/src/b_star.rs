//! B*: best-first search with two bounds a node, which ends when a move is proven best.

use std::cmp::Reverse;

use kibitz_game::{Bound, Budget, Child, Iteration, Limits, Range, Report, Score, Turn};

use crate::best_first::{Edge, NO_NODE, ROOT, Tree};
use crate::{Context, NotSupported, Searchable, require_minimax};

/// Which of the root's moves is worked on next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// `ProveBest`: the move with the highest optimistic value, to raise its pessimistic value.
    ProveBest,
    /// `DisproveRest`: of the others the one with the highest optimistic value, to lower it.
    DisproveRest,
    /// Berliner's criterion by depths: the rest is disproved while the squares of the depths from which the optimistic
    /// values of the others were backed up add up to less than the square of that of the best.
    #[default]
    Depths,
}

/// B* (H. Berliner, *The B\* Tree Search Algorithm: A Best-First Proof Procedure*, Artificial Intelligence 12, 1979).
///
/// Every position has a pessimistic and an optimistic value, and the search ends when the pessimistic value of one of the
/// root's moves is no less than the optimistic values of all others: that move is best, whatever it is worth. Below the root
/// the player to move follows the highest optimistic value.
///
/// The bounds are [`kibitz_game::Evaluate::bounds`], which hold for sure. A `margin` around the evaluation is used instead where one is
/// given; then what is found is as good as the margin.
#[derive(Clone, Debug)]
pub struct BStar {
    /// Which of the root's moves is worked on next.
    pub strategy: Strategy,
    /// Takes the evaluation minus and plus so much, in units of the result, for bounds of positions that are not over.
    pub margin: Option<f64>,
    /// The memory that the tree may use, in megabytes; the search ends when it is full.
    pub memory_mb: usize,
}

impl Default for BStar {
    fn default() -> Self {
        Self { strategy: Strategy::Depths, margin: None, memory_mb: 256 }
    }
}

impl BStar {
    /// Searches until a move is proven best, a limit is reached or the memory is full.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        require_minimax("BStar", game)?;
        let mut report = Report { bound: Bound::Estimate, ..Report::new() };
        let margin = self.margin.map(|margin| (margin * f64::from(game.unit())).round().clamp(0.0, 1e9) as Score);
        let mut search = Search {
            strategy: self.strategy,
            margin,
            game,
            tree: Tree::new(self.memory_mb, game.position_bytes()),
            budget: Budget::new(context.limits, context.stop),
            moves: Vec::new(),
            edges: Vec::new(),
            path: Vec::new(),
            iterations: 0,
            deepest: 0,
            disproofs: 0,
        };
        search.budget.spend();
        match game.turn(position) {
            Turn::Chance => return Err(NotSupported::chance("BStar")),
            Turn::Over => {
                report.value = game.result(f64::from(game.score(position, 0)));
                report.bound = Bound::Exact;
                report.proven = true;
            }
            Turn::Player(me) => {
                search.run(position, me, context.limits, context.progress, &mut report)?;
            }
        }
        report.nodes = search.budget.nodes;
        report.time = search.budget.elapsed();
        Ok(report)
    }
}

/// What is known of the position behind a move, in the view of the player who chooses it.
#[derive(Clone, Copy, Debug)]
struct Interval {
    pessimistic: Score,
    optimistic: Score,
    /// How many plies below the move the position lies from which the optimistic value was backed up.
    depth: u32,
    visits: u32,
}

impl Interval {
    fn open(&self) -> bool {
        self.pessimistic < self.optimistic
    }

    /// The same in the view of the opponent.
    fn reversed(self) -> Self {
        Self { pessimistic: -self.optimistic, optimistic: -self.pessimistic, ..self }
    }
}

struct Search<'a, G: Searchable> {
    strategy: Strategy,
    margin: Option<Score>,
    game: &'a G,
    tree: Tree<G::Position, G::Move, Interval>,
    budget: Budget<'a>,
    moves: Vec<G::Move>,
    edges: Vec<Edge<G::Move, Interval>>,
    /// The edges followed in this iteration.
    path: Vec<u32>,
    iterations: u64,
    deepest: usize,
    disproofs: u64,
}

impl<G: Searchable> Search<'_, G> {
    fn run(
        &mut self,
        position: &G::Position,
        me: u8,
        limits: &Limits,
        progress: &mut dyn FnMut(&Iteration<G::Move>),
        report: &mut Report<G::Move>,
    ) -> Result<(), NotSupported> {
        if self.expand(position.clone(), me)? == NO_NODE {
            // not even the root's moves could be looked at
            report.value = self.game.result(f64::from(self.game.evaluate(position, usize::from(me))));
            report.best = self.moves.first().copied();
            report.pv.extend(report.best);
            return Ok(());
        }
        let limit = limits.simulations.unwrap_or(u64::MAX).min(u64::from(u32::MAX) - 1);
        let mut next_step = 1024;
        while !self.separated() && self.iterations < limit && !self.budget.over() && self.iterate()? {
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
                progress(&step);
                report.history.push(step);
            }
        }
        self.conclude(report);
        Ok(())
    }

    fn interval(&self, edge: usize) -> Interval {
        self.tree.edges[edge].known
    }

    /// The edge of the root with the highest pessimistic value, of equal ones that with the highest optimistic value.
    fn leader(&self) -> usize {
        let rank = |&edge: &usize| {
            let Interval { pessimistic, optimistic, .. } = self.interval(edge);
            (pessimistic, optimistic, Reverse(edge))
        };
        self.tree.range(ROOT).max_by_key(rank).unwrap_or(0)
    }

    /// Whether one of the root's moves is no worse than any other for sure.
    fn separated(&self) -> bool {
        let leader = self.leader();
        let pessimistic = self.interval(leader).pessimistic;
        self.tree.range(ROOT).all(|edge| edge == leader || self.interval(edge).optimistic <= pessimistic)
    }

    /// The open edge of a node with the highest optimistic value but one; of equal ones that with the highest pessimistic
    /// value, then the first.
    fn hopeful(&self, node: u32, but: Option<usize>) -> Option<usize> {
        let rank = |&edge: &usize| {
            let Interval { pessimistic, optimistic, .. } = self.interval(edge);
            (optimistic, pessimistic, Reverse(edge))
        };
        self.tree.range(node).filter(|&edge| Some(edge) != but && self.interval(edge).open()).max_by_key(rank)
    }

    /// The edge of the root to follow.
    fn choose(&mut self) -> Option<usize> {
        let best = self
            .tree
            .range(ROOT)
            .max_by_key(|&edge| (self.interval(edge).optimistic, self.interval(edge).pessimistic, Reverse(edge)))?;
        let prove = self.interval(best).open().then_some(best);
        let disprove = self.hopeful(ROOT, Some(best));
        let square = |edge: usize| u64::from(self.interval(edge).depth + 1).pow(2);
        let rest = match self.strategy {
            Strategy::ProveBest => false,
            Strategy::DisproveRest => true,
            Strategy::Depths => {
                let pessimistic = self.interval(best).pessimistic;
                let others = self.tree.range(ROOT).filter(|&edge| edge != best);
                // a move that is already no better is no alternative
                let alternatives = others.filter(|&edge| self.interval(edge).optimistic > pessimistic);
                alternatives.map(square).sum::<u64>() < square(best)
            }
        };
        let (wish, other) = if rest { (disprove, prove) } else { (prove, disprove) };
        self.disproofs += u64::from(rest && wish.is_some() || !rest && wish.is_none());
        wish.or(other)
    }

    /// Follows the bounds, expands one position and backs its bounds up. False when there was nothing to expand or no room
    /// for it.
    fn iterate(&mut self) -> Result<bool, NotSupported> {
        self.path.clear();
        let mut node = ROOT;
        let Some(mut edge) = self.choose() else { return Ok(false) };
        loop {
            self.path.push(edge as u32);
            let child = self.tree.edges[edge].child;
            if child == NO_NODE {
                break;
            }
            node = child;
            edge = match self.hopeful(node, None) {
                Some(edge) => edge,
                None => return Ok(false),
            };
        }
        let mut position = self.tree.node(node).position.clone();
        self.game.play(&mut position, self.tree.edges[edge].mv);
        let Turn::Player(player) = self.game.turn(&position) else { return Ok(false) };
        let child = self.expand(position, player)?;
        if child == NO_NODE {
            return Ok(false);
        }
        self.tree.edges[edge].child = child;
        self.deepest = self.deepest.max(self.path.len() + 1);
        self.back_up();
        Ok(true)
    }

    /// Adds the node of a position with the bounds behind all of its moves; `NO_NODE` when the search must end before that is
    /// done.
    fn expand(&mut self, position: G::Position, player: u8) -> Result<u32, NotSupported> {
        self.moves.clear();
        self.game.moves(&position, &mut self.moves);
        self.edges.clear();
        let me = usize::from(player);
        for &mv in &self.moves {
            if self.budget.spend() {
                return Ok(NO_NODE);
            }
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            let Range { low, high } = match (self.game.turn(&child), self.margin) {
                (Turn::Chance, _) => return Err(NotSupported::chance("BStar")),
                (Turn::Over, _) => {
                    let score = self.game.score(&child, me);
                    Range { low: score, high: score }
                }
                (Turn::Player(_), None) => self.game.bounds(&child, me),
                (Turn::Player(_), Some(margin)) => {
                    let value = self.game.evaluate(&child, me);
                    let Range { low, high } = self.game.range(me);
                    Range { low: value.saturating_sub(margin).max(low), high: value.saturating_add(margin).min(high) }
                }
            };
            let known = Interval { pessimistic: low, optimistic: high, depth: 0, visits: 0 };
            self.edges.push(Edge::new(mv, known));
        }
        // rules that failed to give moves have raised the stop
        if self.edges.is_empty() {
            return Ok(NO_NODE);
        }
        Ok(self.tree.add(position, player, &self.edges))
    }

    /// The bounds of a node for its player.
    fn backed_up(&self, node: u32) -> Interval {
        let edges = self.tree.edges(node);
        let mut all = Interval { pessimistic: Score::MIN, optimistic: Score::MIN, depth: 0, visits: 0 };
        for Edge { known, .. } in edges {
            all.pessimistic = all.pessimistic.max(known.pessimistic);
            if known.optimistic > all.optimistic {
                all.optimistic = known.optimistic;
                all.depth = known.depth + 1;
            }
        }
        all
    }

    fn back_up(&mut self) {
        for i in (0..self.path.len()).rev() {
            let edge = self.path[i] as usize;
            let parent = if i == 0 { ROOT } else { self.tree.edges[self.path[i - 1] as usize].child };
            let child = self.tree.edges[edge].child;
            let same = self.tree.node(child).player == self.tree.node(parent).player;
            let below = self.backed_up(child);
            let below = if same { below } else { below.reversed() };
            let known = &mut self.tree.edges[edge].known;
            known.visits += 1;
            known.depth = below.depth;
            // both the old and the new bounds hold, unless they are guesses
            let (low, high) = (known.pessimistic.max(below.pessimistic), known.optimistic.min(below.optimistic));
            if low <= high {
                (known.pessimistic, known.optimistic) = (low, high);
            } else {
                (known.pessimistic, known.optimistic) = (below.pessimistic, below.optimistic);
            }
        }
    }

    /// Fills the report from the tree.
    fn conclude(&self, report: &mut Report<G::Move>) {
        let result = |value: Score| self.game.result(f64::from(value));
        let separated = self.separated();
        let middle = |edge: usize| {
            let Interval { pessimistic, optimistic, .. } = self.interval(edge);
            i64::from(pessimistic) + i64::from(optimistic)
        };
        let chosen = if separated {
            Some(self.leader())
        } else {
            self.tree.range(ROOT).max_by_key(|&edge| (middle(edge), Reverse(edge)))
        };
        report.pv.clear();
        let mut next = chosen;
        while let Some(edge) = next {
            let Edge { mv, child, .. } = self.tree.edges[edge];
            report.pv.push(mv);
            next = if child == NO_NODE {
                None
            } else {
                self.tree.range(child).max_by_key(|&edge| (middle(edge), Reverse(edge)))
            };
        }
        report.best = report.pv.first().copied();
        report.depth = report.pv.len() as u32;
        let root = self.backed_up(ROOT);
        report.value = result(root.pessimistic);
        let exact = root.pessimistic == root.optimistic;
        report.proven = exact && self.margin.is_none();
        report.bound = match (self.margin, exact) {
            (Some(_), _) => Bound::Estimate,
            (None, true) => Bound::Exact,
            (None, false) => Bound::Lower,
        };
        report.children = self
            .tree
            .edges(ROOT)
            .iter()
            .map(|edge| Child {
                mv: edge.mv,
                visits: u64::from(edge.known.visits),
                value: result(edge.known.pessimistic),
                error: None,
            })
            .collect();
        report.children.sort_by_key(|child| Reverse(child.visits));
        report.stats = vec![
            ("simulations", self.iterations as f64),
            ("separated", f64::from(u8::from(separated))),
            ("pessimistic", result(root.pessimistic)),
            ("optimistic", result(root.optimistic)),
            ("disproofs", self.disproofs as f64),
            ("tree_nodes", self.tree.len() as f64),
            ("tree_mb", self.tree.bytes() as f64 / f64::from(1 << 20)),
            ("memory_full", f64::from(u8::from(self.tree.full))),
            ("deepest", self.deepest as f64),
        ];
    }
}
