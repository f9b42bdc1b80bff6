//! UCT: Monte-Carlo tree search with upper confidence bounds.

mod tree;

use std::cmp::Reverse;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};

use kibitz_game::{Bound, Budget, Child, Iteration, Limits, Random, Report, Score, Turn};

use crate::{Context, LONGEST, NotSupported, Searchable, refuse_hidden};
use tree::{NO_NODE, Node, Tree, UNPROVEN};

/// How the move to play is chosen from the root's statistics (Chaslot et al. 2008).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinalMove {
    /// The child with the highest mean.
    Max,
    /// The child with the most visits.
    #[default]
    Robust,
    /// The child with the highest lower confidence bound.
    Secure,
}

/// UCT (Kocsis and Szepesvári 2006) with proven values (MCTS-Solver; Winands, Björnsson and Saito 2008), for any number of
/// players and for games of chance.
///
/// Results are scaled to [0, 1] over the player's range, so the constant means the same in every game. Every playout
/// adds one position to the tree. An unvisited child comes before every visited one, in random order. Proofs stop at
/// chance nodes and are not sought with more than two players; there, averages decide.
#[derive(Clone, Debug)]
pub struct Uct {
    /// The weight of exploration, C in v + C·sqrt(ln n / nᵢ).
    pub c: f64,
    /// Proves positions whose subtree is decided, and never visits them again.
    pub solver: bool,
    /// How the move is chosen at the end.
    pub final_move: FinalMove,
    /// The memory that the tree may use, in megabytes; a full tree is no longer extended, only refined.
    pub memory_mb: usize,
    /// The seed.
    pub seed: u64,
    /// How many trees grow side by side, one a thread, to be added up at the end (root parallelisation; Cazenave and
    /// Jouandeau 2007).
    pub threads: usize,
}

impl Default for Uct {
    fn default() -> Self {
        Self {
            c: std::f64::consts::SQRT_2,
            solver: true,
            final_move: FinalMove::Robust,
            memory_mb: 256,
            seed: 0,
            threads: 1,
        }
    }
}

impl Uct {
    /// Simulates until a limit is reached or the root is proven.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        refuse_hidden::<G>("Uct")?;
        let limits = context.limits.shared(self.threads.max(1));
        // raised by the tree that has proven the root
        let done = AtomicBool::new(false);
        let mut budget = Budget::new(&limits, context.stop).until(&done);
        let mut report = Report { bound: Bound::Estimate, ..Report::new() };
        if game.turn(position) == Turn::Over {
            budget.spend();
            report.value = game.result(f64::from(game.score(position, 0)));
            report.bound = Bound::Exact;
            report.proven = true;
        } else {
            let stop = context.stop;
            let mut search = Search::new(self, game, position, &limits, 0);
            std::thread::scope(|scope| {
                let help = |id: usize| {
                    let mut report = Report::new();
                    let mut budget = Budget::new(&limits, stop).until(&done);
                    let mut search = Search::new(self, game, position, &limits, id as u64);
                    search.run(&limits, &mut |_| {}, &mut budget, &mut report);
                    done.fetch_or(search.root_proven(), Ordering::Relaxed);
                    (search, budget.nodes)
                };
                let helpers: Vec<_> =
                    (1..self.threads).filter_map(|id| crate::spawn(scope, move || help(id))).collect();
                search.run(&limits, context.progress, &mut budget, &mut report);
                done.fetch_or(search.root_proven(), Ordering::Relaxed);
                for helper in helpers {
                    let (other, nodes) = helper.join().unwrap_or_else(|panic| resume_unwind(panic));
                    if !search.tree.slots.is_empty() && !other.tree.slots.is_empty() {
                        search.join(&other);
                    }
                    budget.nodes += nodes;
                }
            });
            if !search.tree.slots.is_empty() {
                search.conclude(&mut report);
            }
        }
        report.nodes = budget.nodes;
        report.time = budget.elapsed();
        Ok(report)
    }
}

const ROOT: u32 = 0;

/// The most players of any game.
const PLAYERS: usize = 64;

/// One step of a simulation through the tree.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    edge: u32,
    /// The player whose view the edge takes.
    player: u8,
    /// Whether a proven edge of the node is better than what is known of this one. It is followed all the same, for
    /// what it teaches, but above the node only the proven value counts.
    settled: bool,
}

struct Search<'a, G: Searchable> {
    uct: &'a Uct,
    game: &'a G,
    c: f32,
    tree: Tree<G::Position, G::Move>,
    random: Random,
    path: Vec<Step>,
    buffer: Vec<G::Move>,
    /// Scale and offset that bring each player's scores to [0, 1].
    scale: Vec<(f64, f64)>,
    /// The reward of each player in the simulation being backed up.
    rewards: [f64; PLAYERS],
    /// The player whose view the values of chance nodes take: the one to move at the root, or the first.
    me: u8,
    solver: bool,
    simulations: u64,
    cut: u64,
    deepest: usize,
    /// Positions and bytes of the trees that were joined to this one.
    others: (usize, usize),
}

impl<'a, G: Searchable> Search<'a, G> {
    fn new(uct: &'a Uct, game: &'a G, position: &G::Position, limits: &Limits, stream: u64) -> Self {
        let scale = (0..game.players())
            .map(|player| {
                let range = game.range(player);
                let width = f64::from(range.high) - f64::from(range.low);
                (if width > 0.0 { 1.0 / width } else { 0.0 }, f64::from(range.low))
            })
            .collect();
        let me = if let Turn::Player(player) = game.turn(position) { player } else { 0 };
        let solver = uct.solver && game.players() <= 2;
        let mut search = Self {
            uct,
            game,
            c: uct.c as f32,
            tree: Tree::new(uct.memory_mb / uct.threads.max(1), game.position_bytes(), solver),
            random: Random::stream(uct.seed, stream),
            path: Vec::new(),
            buffer: Vec::new(),
            scale,
            rewards: [0.0; PLAYERS],
            me,
            solver,
            simulations: 0,
            cut: 0,
            deepest: 0,
            others: (0, 0),
        };
        search.tree.expect(limits.simulations.unwrap_or(0));
        search.expand(position, game.turn(position));
        search
    }

    /// Adds a node for a position that is not over; `NO_NODE` when memory is full, or when the rules failed to give moves.
    #[inline(always)]
    fn expand(&mut self, position: &G::Position, turn: Turn) -> u32 {
        self.buffer.clear();
        self.game.moves(position, &mut self.buffer);
        if self.buffer.is_empty() {
            return NO_NODE;
        }
        self.tree.add(position, turn, &self.buffer)
    }

    fn run(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Iteration<G::Move>),
        budget: &mut Budget<'_>,
        report: &mut Report<G::Move>,
    ) {
        if self.tree.slots.is_empty() {
            return;
        }
        // visits of all trees together fit into 32 bits
        let limit =
            limits.simulations.unwrap_or(u64::MAX).min(u64::from(u32::MAX) / self.uct.threads.max(1) as u64 - 1);
        let mut next_step = 1024;
        budget.spend();
        while self.simulations < limit && !budget.over() && !self.root_proven() {
            let plies = self.simulate();
            self.simulations += 1;
            budget.add(u64::from(plies));
            if self.simulations == next_step {
                next_step *= 2;
                self.conclude(report);
                let step = Iteration {
                    depth: self.simulations,
                    value: report.value,
                    nodes: budget.nodes,
                    time: budget.elapsed(),
                    pv: report.pv.clone(),
                };
                progress(&step);
                report.history.push(step);
            }
        }
    }

    /// Adds the root's statistics of another tree of the same position; what either has proven is proven.
    fn join(&mut self, other: &Self) {
        let edges = |search: &Self| {
            let Node { first, count, .. } = search.tree.node(ROOT);
            first..first + count
        };
        for mine in edges(self) {
            let same = |&edge: &u32| other.tree.moves[edge as usize] == self.tree.moves[mine as usize];
            let Some(theirs) = edges(other).find(same) else { continue };
            self.tree.slots[mine as usize].visits += other.tree.slots[theirs as usize].visits;
            self.tree.sum[mine as usize] += other.tree.sum[theirs as usize];
            let proven = other.tree.proven(theirs);
            if self.tree.proven(mine) == UNPROVEN && proven != UNPROVEN {
                self.tree.prove_edge(ROOT, mine, proven, self.reward(proven, usize::from(self.me)));
            }
        }
        let Node { count, tried, .. } = self.tree.node(ROOT);
        self.tree.try_edges(ROOT, count - tried);
        // what neither has proven alone both may have proven together
        let values = edges(self).map(|edge| self.tree.proven(edge));
        let (best, open) = (values.clone().max().unwrap_or(UNPROVEN), values.clone().any(|value| value == UNPROVEN));
        if best == self.game.range(usize::from(self.me)).high || !open {
            self.tree.prove_node(ROOT, best);
        }
        self.simulations += other.simulations;
        self.cut += other.cut;
        self.others.0 += other.tree.len();
        self.others.1 += other.tree.bytes();
        self.deepest = self.deepest.max(other.deepest);
    }

    fn root_proven(&self) -> bool {
        self.tree.proven(ROOT) != UNPROVEN
    }

    #[inline(always)]
    fn reward(&self, score: Score, player: usize) -> f64 {
        let (scale, low) = self.scale[player];
        (f64::from(score) - low) * scale
    }

    /// One simulation: selection, expansion, playout and backpropagation. Returns the number of moves played.
    #[inline(always)]
    fn simulate(&mut self) -> u32 {
        let game = self.game;
        let mut node = ROOT;
        self.path.clear();
        let (mut position, over) = loop {
            let step = self.select(node);
            let edge = step.edge;
            self.path.push(step);
            let slot = self.tree.slots[edge as usize];
            if slot.child != NO_NODE {
                node = slot.child;
                // an outcome of chance is never proven, but it may lead to a position that is
                if self.solver
                    && self.tree.proven(node) != UNPROVEN
                    && let Some(owner) = self.tree.node(node).player
                {
                    self.back_up_proven(self.tree.proven(node), owner);
                    return self.path.len() as u32;
                }
                continue;
            }
            let mut position = self.tree.position(node).clone();
            game.play(&mut position, self.tree.moves[edge as usize]);
            let turn = game.turn(&position);
            if turn == Turn::Over || slot.visits == 0 {
                break (position, turn == Turn::Over);
            }
            node = self.expand(&position, turn);
            if node == NO_NODE {
                break (position, false);
            }
            self.tree.slots[edge as usize].child = node;
        };
        let mut plies = self.path.len() as u32;
        self.deepest = self.deepest.max(self.path.len());
        let mut evaluated = false;
        if !over {
            let played = game.playout(&mut position, &mut self.random, &mut self.buffer, LONGEST);
            plies += played;
            evaluated = played == LONGEST && game.turn(&position) != Turn::Over;
            self.cut += u64::from(evaluated);
        }
        self.back_up(&position, evaluated);
        if over && self.solver {
            self.prove(&position);
        }
        plies
    }

    /// The edge to follow from a node.
    #[inline(always)]
    fn select(&mut self, node: u32) -> Step {
        let read = self.tree.node(node);
        let Node { first, count, tried, player, .. } = read;
        let Some(player) = player else {
            let position = self.tree.position(node);
            let outcome = self.game.sample(position, &mut self.random, &mut self.buffer);
            let outcomes = &self.tree.moves[first as usize..(first + count) as usize];
            let index = outcomes.iter().position(|&mv| mv == outcome).unwrap_or(0);
            return Step { node, edge: first + index as u32, player: self.me, settled: false };
        };
        if tried < count {
            let edge = first + tried;
            let other = edge + self.random.below((count - tried) as usize) as u32;
            self.tree.moves.swap(edge as usize, other as usize);
            self.tree.try_edges(node, 1);
            return Step { node, edge, player, settled: false };
        }
        let (edge, bound) = self.tree.best_bound(read, self.c);
        let settled = self.solver && self.tree.settled(node) >= f64::from(bound);
        Step { node, edge, player, settled }
    }

    #[inline(always)]
    fn back_up(&mut self, end: &G::Position, evaluated: bool) {
        for player in 0..self.scale.len() {
            let score = if evaluated { self.game.evaluate(end, player) } else { self.game.score(end, player) };
            self.rewards[player % PLAYERS] = self.reward(score, player);
        }
        self.credit_path();
    }

    /// Backs up a proven value in the view of a player: it is known, there is nothing to play.
    fn back_up_proven(&mut self, value: Score, owner: u8) {
        for player in 0..self.scale.len() {
            let score = if usize::from(owner) == player { value } else { -value };
            self.rewards[player % PLAYERS] = self.reward(score, player);
        }
        self.credit_path();
    }

    /// Credits the path of a simulation.
    #[inline(always)]
    fn credit_path(&mut self) {
        if self.solver {
            return self.credit_upwards();
        }
        let mut visits = self.simulations as u32 + 1;
        for &Step { node, edge, player, .. } in &self.path {
            visits = self.tree.credit(node, visits, edge, self.rewards[usize::from(player) % PLAYERS]);
        }
    }

    /// The same from its end to the root, because a proven value may take the place of the reward on the way.
    fn credit_upwards(&mut self) {
        for i in (0..self.path.len()).rev() {
            let Step { node, edge, player, settled } = self.path[i];
            let before = if i == 0 { self.simulations as u32 } else { self.visits(self.path[i - 1].edge) };
            let player = usize::from(player) % PLAYERS;
            self.tree.credit(node, before + 1, edge, self.rewards[player]);
            if settled {
                // proofs are sought for one or two players, and the rewards of two add up to one
                self.rewards = [1.0 - self.tree.settled(node); PLAYERS];
                self.rewards[player] = self.tree.settled(node);
            }
        }
    }

    /// Carries the proven result of a finished game towards the root as far as it decides anything.
    fn prove(&mut self, end: &G::Position) {
        let mut value = None;
        for i in (0..self.path.len()).rev() {
            let Step { node, edge, .. } = self.path[i];
            let Node { first, count, tried, player: Some(player), .. } = self.tree.node(node) else { return };
            let score = match value {
                None => self.game.score(end, usize::from(player)),
                Some((score, owner)) if owner == player => score,
                Some((score, _)) => -score,
            };
            self.tree.prove_edge(node, edge, score, self.reward(score, usize::from(player)));
            let decided = score == self.game.range(usize::from(player)).high;
            if !decided && (tried < count || (first..first + count).any(|edge| self.tree.proven(edge) == UNPROVEN)) {
                return;
            }
            let best = (first..first + tried).map(|edge| self.tree.proven(edge)).max().unwrap_or(score);
            self.tree.prove_node(node, best);
            value = Some((best, player));
        }
    }

    fn visits(&self, edge: u32) -> u32 {
        self.tree.slots[edge as usize].visits
    }

    fn mean(&self, edge: u32) -> f64 {
        self.tree.sum[edge as usize] / f64::from(self.visits(edge).max(1))
    }

    /// The mean or, where it is known, the proven value of an edge of the root as a reward.
    fn estimate(&self, edge: u32) -> f64 {
        match self.tree.proven(edge) {
            UNPROVEN => self.mean(edge),
            proven => self.reward(proven, usize::from(self.me)),
        }
    }

    /// The edge of a node that would be played: proven where something is proven, by the final-move rule elsewhere.
    fn choose(&self, node: u32) -> Option<u32> {
        let Node { first, tried, player, .. } = self.tree.node(node);
        let player = player?;
        let edges = first..first + tried;
        let value = self.tree.proven(node);
        if value != UNPROVEN {
            return edges.into_iter().find(|&edge| self.tree.proven(edge) == value);
        }
        let n = |edge: u32| f64::from(self.visits(edge).max(1));
        let total = edges.clone().map(|edge| f64::from(self.visits(edge))).sum::<f64>().max(1.0);
        let rank = |edge: u32| match self.uct.final_move {
            FinalMove::Max => self.mean(edge),
            FinalMove::Robust => n(edge) + self.mean(edge) / 2.0,
            FinalMove::Secure => self.mean(edge) - self.uct.c * (total.ln() / n(edge)).sqrt(),
        };
        let (open, proven): (Vec<u32>, Vec<u32>) = edges.partition(|&edge| self.tree.proven(edge) == UNPROVEN);
        let best = open.into_iter().max_by(|&a, &b| rank(a).total_cmp(&rank(b)).then(b.cmp(&a)));
        let sure = proven.into_iter().max_by_key(|&edge| (self.tree.proven(edge), Reverse(edge)));
        match (best, sure) {
            (Some(best), Some(sure)) => {
                let certain = self.reward(self.tree.proven(sure), usize::from(player));
                Some(if certain >= self.mean(best) { sure } else { best })
            }
            (best, sure) => best.or(sure),
        }
    }

    /// Fills the report from the tree.
    fn conclude(&self, report: &mut Report<G::Move>) {
        let game = self.game;
        let me = usize::from(self.me);
        let root = self.tree.node(ROOT);
        let range = game.range(me);
        let result =
            |reward: f64| game.result(f64::from(range.low) + reward * (f64::from(range.high) - f64::from(range.low)));
        report.pv.clear();
        let mut node = ROOT;
        while node != NO_NODE {
            let Some(edge) = self.choose(node) else { break };
            report.pv.push(self.tree.moves[edge as usize]);
            node = self.tree.slots[edge as usize].child;
        }
        report.depth = report.pv.len() as u32;
        let edges = root.first..root.first + root.count;
        report.children = edges
            .clone()
            .map(|edge| Child {
                mv: self.tree.moves[edge as usize],
                visits: u64::from(self.visits(edge)),
                value: result(self.estimate(edge)),
                error: None,
            })
            .collect();
        report.children.sort_by_key(|child| Reverse(child.visits));
        report.proven = self.root_proven();
        if root.player.is_none() {
            let total: f64 = edges.map(|edge| self.tree.sum[edge as usize]).sum();
            report.value = result(total / self.simulations.max(1) as f64);
        } else {
            let chosen = self.choose(ROOT);
            report.best =
                Some(chosen.map_or(self.tree.moves[root.first as usize], |edge| self.tree.moves[edge as usize]));
            if report.pv.is_empty() {
                report.pv.extend(report.best);
            }
            report.value = if report.proven {
                game.result(f64::from(self.tree.proven(ROOT)))
            } else {
                chosen.map_or_else(|| game.result(f64::from(range.middle())), |edge| result(self.estimate(edge)))
            };
        }
        report.bound = if report.proven { Bound::Exact } else { Bound::Estimate };
        report.stats = vec![
            ("simulations", self.simulations as f64),
            ("tree_nodes", (self.tree.len() + self.others.0) as f64),
            ("tree_mb", (self.tree.bytes() + self.others.1) as f64 / f64::from(1 << 20)),
            ("memory_full", f64::from(u8::from(self.tree.full))),
            ("deepest", self.deepest as f64),
            ("playouts_cut", self.cut as f64),
        ];
    }
}
