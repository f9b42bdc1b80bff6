//! The simulations of one search, and the searches of one game.

use std::time::Duration;

use kibitz_game::{Score, Turn};

use super::super::effort::Effort;
use super::super::playing::{Player, score};
use super::tally::Tally;
use super::tree::{NO_NODE, Tree};
use super::{Plan, SpMcts, TimeControl, Untried, Winner};
use crate::monte_carlo::exponential::ln;
use crate::{LONGEST, Searchable};

/// A search that has added no node in so many playouts repeats itself, and ends.
const STALLED: u32 = 1000;

/// What one search of a game may spend beside the limits of all of them.
#[derive(Clone, Copy, Default)]
struct Share {
    playouts: Option<u64>,
    nodes: Option<u64>,
    time: Option<Duration>,
    added: Option<u64>,
}

impl Share {
    /// The budget of a game divided by its length in moves.
    fn of<G: Searchable>(sp: &SpMcts, effort: &Effort<'_, '_, G>, length: f64) -> Self {
        let part = |count: Option<u64>| count.map(|count| ((count as f64 / length) as u64).max(1));
        Self {
            playouts: part(effort.limits.simulations),
            nodes: part(effort.limits.nodes),
            time: effort.limits.time.map(|time| time.div_f64(length)),
            added: part(sp.tree_nodes),
        }
    }
}

/// One search, or one game with a search before each of its moves.
pub(super) struct Search<'a, 't, G: Searchable> {
    sp: &'a SpMcts,
    game: &'a G,
    player: Player<'a, G>,
    tally: &'t mut Tally<G::Move>,
    tree: Tree<G::Move>,
    root: u32,
    /// The first score, to which all others are differences.
    base: Option<Score>,
    /// One unit of score as a result in the bound.
    unit: f64,
    path: Vec<u32>,
    /// The moves of a game from the position of the search on.
    line: Vec<G::Move>,
    moves: Vec<G::Move>,
    /// The best game of this search.
    best: Option<(Score, Vec<G::Move>)>,
}

impl<'a, 't, G: Searchable> Search<'a, 't, G> {
    pub(super) fn new(sp: &'a SpMcts, player: Player<'a, G>, tally: &'t mut Tally<G::Move>) -> Self {
        let game = player.game;
        Self {
            sp,
            game,
            player,
            tally,
            tree: Tree::new((sp.memory_mb / sp.threads.max(1)).max(1)),
            root: NO_NODE,
            base: None,
            unit: (game.result(1.0) - game.result(0.0)) / sp.result_scale,
            path: Vec::new(),
            line: Vec::new(),
            moves: Vec::new(),
            best: None,
        }
    }

    /// Spends the budget as the time control says.
    pub(super) fn whole_game(&mut self, position: &G::Position, effort: &mut Effort<'_, '_, G>) {
        effort.step();
        let TimeControl::Move(length) = self.sp.control else {
            let share = Share { added: self.sp.tree_nodes, ..Share::default() };
            self.simulate_all(position, &[], share, effort);
            self.tally.count(self.game, self.base, self.unit, &self.tree, self.root, true);
            return;
        };
        let share = Share::of(self.sp, effort, length.max(1.0));
        let mut position = position.clone();
        let mut played: Vec<G::Move> = Vec::new();
        while !effort.over() && matches!(self.game.turn(&position), Turn::Player(_)) {
            self.simulate_all(&position, &played, share, effort);
            self.tally.count(self.game, self.base, self.unit, &self.tree, self.root, played.is_empty());
            let Some(mv) = self.winner(played.len()) else { break };
            self.game.play(&mut position, mv);
            played.push(mv);
            self.root = if self.sp.keep_tree && !self.tree.full { self.tree.find(self.root, mv) } else { NO_NODE };
        }
        if self.game.turn(&position) == Turn::Over {
            self.tally.played = self.tally.played.max(Some(self.game.score(&position, 0)));
        }
    }

    /// The move to play after a search.
    fn winner(&self, ply: usize) -> Option<G::Move> {
        let rank = |child: u32| {
            let node = &self.tree.nodes[child as usize];
            match self.sp.winner {
                Winner::BestLine => 0.0,
                Winner::Top => node.top,
                Winner::Mean => node.mean(),
                Winner::Robust => f64::from(node.visits),
            }
        };
        let known = || self.best.as_ref().and_then(|(_, line)| line.get(ply).copied());
        if self.sp.winner == Winner::BestLine {
            return known();
        }
        let best = self.tree.children(self.root).max_by(|&a, &b| rank(a).total_cmp(&rank(b)));
        best.map(|child| self.tree.nodes[child as usize].mv).or_else(known)
    }

    /// The simulations of one search from a position that `played` leads to.
    fn simulate_all(
        &mut self,
        position: &G::Position,
        played: &[G::Move],
        share: Share,
        effort: &mut Effort<'_, '_, G>,
    ) {
        if self.root == NO_NODE {
            self.tree.clear();
            self.base = None;
            // any move: the root has none
            self.moves.clear();
            self.game.moves(position, &mut self.moves);
            let Some(&first) = self.moves.first() else { return };
            self.root = self.tree.add(NO_NODE, first, 0);
        }
        self.tally.earlier = u64::from(self.tree.nodes[self.root as usize].visits);
        let (playouts, nodes, time, size) =
            (effort.playouts, effort.budget.nodes, effort.elapsed(), self.tree.nodes.len());
        let mut stalled = 0;
        while !effort.over() && !self.tree.full && stalled < STALLED {
            let before = self.tree.nodes.len();
            self.simulate(position, played, effort);
            stalled = if self.tree.nodes.len() > before { 0 } else { stalled + 1 };
            let spent = |spent: u64, limit: Option<u64>| limit.is_some_and(|limit| spent >= limit);
            if spent(effort.playouts - playouts, share.playouts)
                || spent(effort.budget.nodes - nodes, share.nodes)
                || spent((self.tree.nodes.len() - size + 1) as u64, share.added)
                || share.time.is_some_and(|share| effort.elapsed().saturating_sub(time) >= share)
            {
                break;
            }
        }
    }

    /// Selection, expansion, playout and back-up.
    fn simulate(&mut self, root: &G::Position, played: &[G::Move], effort: &mut Effort<'_, '_, G>) {
        let game = self.game;
        let mut position = root.clone();
        self.line.clear();
        self.line.extend_from_slice(played);
        self.path.clear();
        let mut node = self.root;
        self.path.push(node);
        let planned = !self.player.uniform();
        let plan = if planned { game.plan(self.player.strategy, root, &mut self.player.random) } else { 0 };
        while matches!(game.turn(&position), Turn::Player(_)) && self.path.len() < LONGEST as usize {
            let (mv, child) = self.select(node, &position, plan);
            game.play(&mut position, mv);
            self.line.push(mv);
            if child != NO_NODE {
                node = child;
                self.path.push(node);
                continue;
            }
            let child = self.tree.add(node, mv, self.path.len() as u16);
            if child != NO_NODE {
                self.path.push(child);
            }
            break;
        }
        let begin = self.line.len();
        match self.sp.plan {
            Plan::Root if planned => {
                while matches!(game.turn(&position), Turn::Player(_)) && self.line.len() < LONGEST as usize {
                    let mv = self.player.choose(&position, plan);
                    game.play(&mut position, mv);
                    self.line.push(mv);
                }
            }
            _ => {
                self.player.play(&mut position, &mut self.line);
            }
        }
        self.tally.left(self.path.len() - 1);
        let plies = (self.line.len() - begin) + (begin - played.len());
        let score = score(effort, &position, &self.line, plies as u32);
        if self.best.as_ref().is_none_or(|(best, _)| score > *best) {
            self.best = Some((score, self.line.clone()));
        }
        let base = *self.base.get_or_insert(score);
        let result = (f64::from(score) - f64::from(base)) * self.unit;
        for &node in &self.path {
            self.tree.nodes[node as usize].add(result);
        }
    }

    /// The move to make at a node, and its child if it has one.
    fn select(&mut self, node: u32, position: &G::Position, plan: u32) -> (G::Move, u32) {
        let parent = self.tree.nodes[node as usize];
        if parent.visits < self.sp.threshold {
            let mv = self.player.choose(position, plan);
            return (mv, self.tree.find(node, mv));
        }
        if !parent.complete {
            if let Some(mv) = self.untried(node, position, plan) {
                return (mv, NO_NODE);
            }
            self.tree.nodes[node as usize].complete = true;
        }
        let log = ln(f64::from(parent.visits));
        let (mut best, mut greatest) = (NO_NODE, f64::NEG_INFINITY);
        for child in self.tree.children(node) {
            let bound = self.bound(child, log);
            if bound > greatest || best == NO_NODE {
                (best, greatest) = (child, bound);
            }
        }
        (self.tree.nodes[best as usize].mv, best)
    }

    /// The bound (3.1) of a child, whose parent's visits have this logarithm.
    fn bound(&self, child: u32, log: f64) -> f64 {
        let node = &self.tree.nodes[child as usize];
        let visits = f64::from(node.visits);
        let mut bound = node.mean() + self.sp.c * (log / visits).sqrt();
        if self.sp.w > 0.0 {
            bound += self.sp.w * node.top;
        }
        if self.sp.deviation {
            bound += ((node.scatter() + self.sp.d) / visits).sqrt();
        }
        bound
    }

    /// A move that has no child yet, if there is one.
    fn untried(&mut self, node: u32, position: &G::Position, plan: u32) -> Option<G::Move> {
        let Self { sp, game, player, tree, moves, .. } = self;
        let open = |moves: &mut Vec<G::Move>| moves.retain(|&mv| tree.find(node, mv) == NO_NODE);
        moves.clear();
        if sp.untried == Untried::Preferred && !player.uniform() {
            game.preferred(player.strategy, plan, position, moves);
            open(moves);
        }
        if moves.is_empty() {
            game.moves(position, moves);
            open(moves);
        }
        (!moves.is_empty()).then(|| moves[player.random.below(moves.len())])
    }
}
