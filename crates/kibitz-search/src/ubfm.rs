//! UBFM: unbounded best-first minimax with completion.

use std::cmp::Reverse;

use kibitz_game::{Bound, Budget, Child, Iteration, Limits, Report, Score, Turn};

use crate::best_first::{Edge, NO_NODE, ROOT, Tree};
use crate::{Context, NotSupported, Searchable, require_minimax};

/// How the move to play is chosen from the root's statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// The most visits, but never a proven loss where there is another move, and a proven win at once: `UBFM_s`.
    #[default]
    Safest,
    /// The highest value.
    Best,
}

/// Unbounded best-first minimax (Korf and Chickering 1996) with the completion and the safest decision of Q. Cohen-Solal,
/// *Learning to Play Two-Player Perfect-Information Games without Knowledge*, arXiv:2008.01188 (2020).
///
/// An iteration follows the best move of each position to a position that has not been expanded, evaluates all positions
/// one move behind it and backs the values up by minimax. Of equal moves the less visited one is followed while searching, and
/// the more visited one counts as the best.
///
/// Completion keeps what is known apart from what is estimated. A position is resolved when the game is over there, when a
/// move leads to a resolved position of the best possible result, or when all moves lead to resolved positions. Resolved positions
/// are not entered again, so the search goes on where something can still be learned, and it ends with the
/// game-theoretic value of every finite game if memory lasts. The paper keeps the sign of a resolved game as a value of
/// its own that is compared first; here an evaluation lies strictly inside the range of results, which orders in
/// the same way.
///
/// The paper's table merges transpositions; this is a tree, so that no value depends on the line by which a position was
/// reached, and repetitions need no rule.
#[derive(Clone, Debug)]
pub struct Ubfm {
    /// Propagates resolved positions and never enters one again. Without it the search ends as soon as the best line
    /// comes to the end of the game, as in Korf and Chickering's original.
    pub completion: bool,
    /// How the move is chosen at the end.
    pub decision: Decision,
    /// The memory that the tree may use, in megabytes; the search ends when it is full.
    pub memory_mb: usize,
}

impl Default for Ubfm {
    fn default() -> Self {
        Self { completion: true, decision: Decision::Safest, memory_mb: 256 }
    }
}

impl Ubfm {
    /// Searches until a limit is reached, the memory is full or the root is resolved.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        require_minimax("Ubfm", game)?;
        let mut report = Report { bound: Bound::Estimate, ..Report::new() };
        let mut search = Search {
            ubfm: self,
            game,
            tree: Tree::new(self.memory_mb, game.position_bytes()),
            best: [0, 1].map(|player| game.range(player.min(game.players() - 1)).high),
            worst: [0, 1].map(|player| game.range(player.min(game.players() - 1)).low),
            budget: Budget::new(context.limits, context.stop),
            moves: Vec::new(),
            edges: Vec::new(),
            path: Vec::new(),
            iterations: 0,
            deepest: 0,
            resolved: false,
        };
        search.budget.spend();
        match game.turn(position) {
            Turn::Chance => return Err(NotSupported::chance("Ubfm")),
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
struct Known {
    value: Score,
    visits: u32,
    resolved: bool,
}

struct Search<'a, G: Searchable> {
    ubfm: &'a Ubfm,
    game: &'a G,
    tree: Tree<G::Position, G::Move, Known>,
    /// The greatest and the least result of each player.
    best: [Score; 2],
    worst: [Score; 2],
    budget: Budget<'a>,
    moves: Vec<G::Move>,
    edges: Vec<Edge<G::Move, Known>>,
    /// The edges followed in this iteration.
    path: Vec<u32>,
    iterations: u64,
    deepest: usize,
    resolved: bool,
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
        self.resolved = self.ubfm.completion && self.backed_up(ROOT).resolved;
        // a visit fits into 32 bits
        let limit = limits.simulations.unwrap_or(u64::MAX).min(u64::from(u32::MAX) - 1);
        let mut next_step = 1024;
        while !self.resolved && self.iterations < limit && !self.budget.over() && self.iterate()? {
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

    /// Follows the best moves, expands one position and backs its value up. False when there was nothing to expand or no
    /// room for it.
    fn iterate(&mut self) -> Result<bool, NotSupported> {
        self.path.clear();
        let mut node = ROOT;
        let edge = loop {
            let Some(edge) = self.follow(node) else { return Ok(false) };
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
        self.back_up();
        Ok(true)
    }

    /// The edge to follow: the best that is not resolved, of equal ones the less visited, of these the first. Without
    /// completion a resolved edge is a finished game, and the line that comes to it is at its end.
    fn follow(&self, node: u32) -> Option<usize> {
        let edges = self.tree.range(node).zip(self.tree.edges(node));
        let open = edges.filter(|(_, edge)| !(self.ubfm.completion && edge.known.resolved));
        // `max_by_key` gives the last of equal ones, the number makes it the first
        let (chosen, edge) =
            open.max_by_key(|(number, edge)| (edge.known.value, Reverse(edge.known.visits), Reverse(*number)))?;
        (!edge.known.resolved).then_some(chosen)
    }

    /// Adds the node of a position with the values behind all of its moves; `NO_NODE` when the search must end before that is
    /// done.
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
            let (value, resolved) = match self.game.turn(&child) {
                Turn::Over => (self.game.score(&child, usize::from(player)), true),
                Turn::Player(_) => (self.game.evaluate(&child, usize::from(player)), false),
                Turn::Chance => return Err(NotSupported::chance("Ubfm")),
            };
            self.edges.push(Edge::new(mv, Known { value, visits: 0, resolved }));
        }
        // rules that failed to give moves have raised the stop
        if self.edges.is_empty() {
            return Ok(NO_NODE);
        }
        Ok(self.tree.add(position, player, &self.edges))
    }

    /// The value of a node for its player, and whether it is resolved.
    fn backed_up(&self, node: u32) -> Known {
        let best = self.best[usize::from(self.tree.node(node).player)];
        let mut all = Known { value: Score::MIN, visits: 0, resolved: true };
        let mut won = false;
        for Edge { known, .. } in self.tree.edges(node) {
            all.value = all.value.max(known.value);
            all.resolved &= known.resolved;
            won |= known.resolved && known.value == best;
        }
        all.resolved |= won;
        all
    }

    fn back_up(&mut self) {
        let mut changed = true;
        for i in (0..self.path.len()).rev() {
            let edge = self.path[i] as usize;
            let parent = if i == 0 { ROOT } else { self.tree.edges[self.path[i - 1] as usize].child };
            if changed {
                let child = self.tree.edges[edge].child;
                let same = self.tree.node(child).player == self.tree.node(parent).player;
                let found = self.backed_up(child);
                let value = if same { found.value } else { -found.value };
                let resolved = self.ubfm.completion && found.resolved;
                let known = &mut self.tree.edges[edge].known;
                changed = known.value != value || known.resolved != resolved;
                (known.value, known.resolved) = (value, resolved);
            }
            self.tree.edges[edge].known.visits += 1;
        }
        if changed {
            self.resolved = self.ubfm.completion && self.backed_up(ROOT).resolved;
        }
    }

    /// The edge that counts as the best of a node: the highest value, of equal ones a resolved one, then the most visits.
    fn principal(&self, node: u32) -> Option<usize> {
        let rank = |&edge: &usize| {
            let Known { value, visits, resolved } = self.tree.edges[edge].known;
            (value, resolved, visits, Reverse(edge))
        };
        self.tree.range(node).max_by_key(rank)
    }

    /// The edge of the root that is played.
    fn decide(&self) -> Option<usize> {
        if self.resolved || self.ubfm.decision == Decision::Best {
            return self.principal(ROOT);
        }
        let me = usize::from(self.tree.node(ROOT).player);
        let rank = |&edge: &usize| {
            let Known { value, visits, resolved } = self.tree.edges[edge].known;
            let completion = match resolved {
                true if value == self.best[me] => 1,
                true if value == self.worst[me] => -1,
                _ => 0,
            };
            (completion, visits, value, Reverse(edge))
        };
        self.tree.range(ROOT).max_by_key(rank)
    }

    /// Fills the report from the tree.
    fn conclude(&self, report: &mut Report<G::Move>) {
        let result = |value: Score| self.game.result(f64::from(value));
        report.pv.clear();
        let mut next = self.decide();
        while let Some(edge) = next {
            let Edge { mv, child, .. } = self.tree.edges[edge];
            report.pv.push(mv);
            next = if child == NO_NODE { None } else { self.principal(child) };
        }
        report.best = report.pv.first().copied();
        report.depth = report.pv.len() as u32;
        report.value = result(self.backed_up(ROOT).value);
        report.proven = self.resolved;
        report.bound = if self.resolved { Bound::Exact } else { Bound::Estimate };
        report.children = self
            .tree
            .edges(ROOT)
            .iter()
            .map(|edge| Child {
                mv: edge.mv,
                visits: u64::from(edge.known.visits),
                value: result(edge.known.value),
                error: None,
            })
            .collect();
        report.children.sort_by_key(|child| Reverse(child.visits));
        report.stats = vec![
            ("simulations", self.iterations as f64),
            ("tree_nodes", self.tree.len() as f64),
            ("tree_mb", self.tree.bytes() as f64 / f64::from(1 << 20)),
            ("memory_full", f64::from(u8::from(self.tree.full))),
            ("deepest", self.deepest as f64),
        ];
    }
}
