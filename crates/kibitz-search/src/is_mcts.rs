//! Information-set Monte-Carlo tree search with a single observer (P. Cowling, E. Powley and D. Whitehouse, *Information Set
//! Monte Carlo Tree Search*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012): one tree of what the player
//! at the root sees, and every simulation in another world that the player cannot tell from the true one.
//!
//! A node stands for everything that looks the same after the same moves. Which moves are legal differs from world to
//! world, so that a move is judged by how often it was tried among the times that it *could* have been: the bound of an arm of a
//! bandit whose arms come and go. The true position is asked for guesses alone, so that nothing can leak.

use kibitz_game::{Bound, Budget, Child, Iteration, Pack, Random, Report, Turn};

use crate::{Context, LONGEST, NotSupported, Searchable};

/// Information-set Monte-Carlo tree search, for any number of players.
#[derive(Clone, Debug, PartialEq)]
pub struct IsMcts {
    /// The weight of exploration, for results scaled to [0, 1] over a player's range; 0.7 in the paper.
    pub c: f64,
    /// The memory that the tree may use, in megabytes; when it is full it grows no more.
    pub memory_mb: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for IsMcts {
    fn default() -> Self {
        Self { c: 0.7, memory_mb: 256, seed: 0 }
    }
}

/// The end of a list of nodes.
const NONE: u32 = u32::MAX;
/// The mover of an outcome of chance.
const CHANCE: u8 = u8::MAX;

/// What is known about a move at a place of the tree.
struct Node<M> {
    mv: M,
    mover: u8,
    visits: u32,
    /// How often it could have been played.
    available: u32,
    /// The rewards of its mover, added up.
    reward: f64,
    first_child: u32,
    next: u32,
}

impl<M> Node<M> {
    fn mean(&self) -> f64 {
        self.reward / f64::from(self.visits.max(1))
    }
}

/// A search on its way. The children of the root are the list that begins with `first`.
struct Search<'a, G: Searchable> {
    game: &'a G,
    c: f64,
    nodes: Vec<Node<G::Move>>,
    /// How many nodes fit into the memory.
    most: usize,
    first: u32,
    random: Random,
    /// The moves of the world at hand, those without a node, and the nodes on the way.
    legal: Vec<G::Move>,
    untried: Vec<G::Move>,
    path: Vec<u32>,
    buffer: Vec<G::Move>,
    /// The least result and the range of results of each player.
    scales: Vec<(f64, f64)>,
    rewards: Vec<f64>,
    sums: Vec<f64>,
    simulations: u64,
}

impl<G: Searchable> Search<'_, G> {
    /// The first node of the children of a place; [`NONE`] is the root.
    fn children(&self, place: u32) -> u32 {
        if place == NONE { self.first } else { self.nodes[place as usize].first_child }
    }

    /// A new child of a place, while there is memory.
    fn grow(&mut self, place: u32, mv: G::Move, mover: u8) -> Option<u32> {
        if self.nodes.len() >= self.most {
            return None;
        }
        let new = self.nodes.len() as u32;
        let next = self.children(place);
        self.nodes.push(Node { mv, mover, visits: 0, available: 1, reward: 0.0, first_child: NONE, next });
        if place == NONE {
            self.first = new;
        } else {
            self.nodes[place as usize].first_child = new;
        }
        Some(new)
    }

    /// The child of a place by an outcome of chance.
    fn outcome(&mut self, place: u32, mv: G::Move) -> Option<u32> {
        let mut child = self.children(place);
        while child != NONE {
            let node = &self.nodes[child as usize];
            if node.mv == mv {
                return Some(child);
            }
            child = node.next;
        }
        self.grow(place, mv, CHANCE)
    }

    /// The move of a player in this world, the node it leads to, and whether that is new.
    fn choose(&mut self, place: u32, mover: u8) -> (G::Move, Option<u32>, bool) {
        self.untried.clear();
        self.untried.extend_from_slice(&self.legal);
        let mut best = (f64::NEG_INFINITY, NONE);
        let mut child = self.children(place);
        while child != NONE {
            let node = &mut self.nodes[child as usize];
            let next = node.next;
            if node.mover == mover
                && let Some(at) = self.untried.iter().position(|mv| *mv == node.mv)
            {
                self.untried.swap_remove(at);
                node.available = node.available.saturating_add(1);
                let visits = f64::from(node.visits.max(1));
                let bound = node.mean() + self.c * (f64::from(node.available).ln() / visits).sqrt();
                if bound > best.0 {
                    best = (bound, child);
                }
            }
            child = next;
        }
        if self.untried.is_empty() {
            return (self.nodes[best.1 as usize].mv, Some(best.1), false);
        }
        // the order of the list is that of the tree's growth, which a random pick makes no use of
        let mv = self.untried[self.random.below(self.untried.len())];
        (mv, self.grow(place, mv, mover), true)
    }

    /// One simulation in another world; says how many positions it has visited.
    fn simulate(&mut self, root: &G::Position, me: usize) -> u64 {
        let game = self.game;
        let mut position = game.guess(root, me, &mut self.random);
        let mut place = NONE;
        self.path.clear();
        let mut visited = 0;
        loop {
            let (mv, child, new) = match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => {
                    let mv = game.sample(&position, &mut self.random, &mut self.buffer);
                    (mv, self.outcome(place, mv), false)
                }
                Turn::Player(mover) => {
                    self.legal.clear();
                    game.moves(&position, &mut self.legal);
                    self.choose(place, mover)
                }
            };
            game.play(&mut position, mv);
            visited += 1;
            let Some(child) = child else { break };
            self.path.push(child);
            place = child;
            // a line may come back to itself for ever in the tree as well
            if new || self.path.len() >= LONGEST as usize {
                break;
            }
        }
        visited += u64::from(game.playout(&mut position, &mut self.random, &mut self.buffer, LONGEST));
        let over = game.turn(&position) == Turn::Over;
        for (player, &(low, width)) in self.scales.iter().enumerate() {
            let score = if over { game.score(&position, player) } else { game.own_value(&position, player) };
            let reward = (f64::from(score) - low) / width;
            self.rewards[player] = reward;
            self.sums[player] += reward;
        }
        for &node in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            if node.mover != CHANCE {
                node.reward += self.rewards[usize::from(node.mover)];
            }
        }
        self.simulations += 1;
        visited
    }

    /// A reward of a player as a result.
    fn result(&self, player: usize, reward: f64) -> f64 {
        let (low, width) = self.scales[player];
        self.game.result(low + reward * width)
    }

    /// What has been found so far: the move with the most visits.
    fn conclude(&self, moves: &[G::Move], me: usize, report: &mut Report<G::Move>) {
        report.children.clear();
        let mut child = self.first;
        while child != NONE {
            let node = &self.nodes[child as usize];
            let value = self.result(me, node.mean());
            report.children.push(Child { mv: node.mv, visits: u64::from(node.visits), value, error: None });
            child = node.next;
        }
        let place = |mv: G::Move| moves.iter().position(|&listed| listed == mv).unwrap_or(moves.len());
        report.children.sort_by_cached_key(|child| (place(child.mv), child.mv.pack()));
        let better = |a: &Child<G::Move>, b: &Child<G::Move>| a.visits.cmp(&b.visits).then(a.value.total_cmp(&b.value));
        // the first of several
        let best = report.children.iter().rev().max_by(|a, b| better(a, b));
        report.best = best.map(|best| best.mv).or(moves.first().copied());
        report.value = best.map_or(f64::NAN, |best| best.value);
        let mean = |sum: f64| sum / self.simulations.max(1) as f64;
        report.values = self.sums.iter().enumerate().map(|(player, &sum)| self.result(player, mean(sum))).collect();
        report.pv.clear();
        report.pv.extend(report.best);
        report.depth = 1;
        report.stats = vec![("simulations", self.simulations as f64), ("tree_nodes", self.nodes.len() as f64)];
    }
}

impl IsMcts {
    /// Simulates until a limit is reached.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let mut budget = Budget::new(context.limits, context.stop);
        let mut report = Report { bound: Bound::Estimate, ..Report::new() };
        budget.spend();
        let me = match game.turn(position) {
            Turn::Over => {
                report.value = game.result(f64::from(game.score(position, 0)));
                report.bound = Bound::Exact;
                report.proven = true;
                report.nodes = budget.nodes;
                report.time = budget.elapsed();
                return Ok(report);
            }
            Turn::Chance => {
                return Err(NotSupported(
                    "IsMcts searches what the player to move knows of a game that hides something; here chance is to move: \
                     use Simulation for a value"
                        .to_owned(),
                ));
            }
            Turn::Player(me) => usize::from(me),
        };
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let scale = |player: usize| {
            let range = game.range(player);
            (f64::from(range.low), (f64::from(range.high) - f64::from(range.low)).max(1.0))
        };
        let players = game.players();
        let mut search = Search {
            game,
            c: self.c,
            nodes: Vec::new(),
            most: ((self.memory_mb << 20) / size_of::<Node<G::Move>>()).clamp(moves.len(), NONE as usize - 1),
            first: NONE,
            random: Random::new(self.seed),
            legal: Vec::new(),
            untried: Vec::new(),
            path: Vec::new(),
            buffer: Vec::new(),
            scales: (0..players).map(scale).collect(),
            rewards: vec![0.0; players],
            sums: vec![0.0; players],
            simulations: 0,
        };
        let limit = context.limits.simulations.unwrap_or(u64::MAX).min(u64::from(u32::MAX) >> 1);
        let mut next_step = 1024;
        while search.simulations < limit && !budget.over() {
            let visited = search.simulate(position, me);
            budget.add(visited);
            if search.simulations == next_step {
                next_step *= 2;
                search.conclude(&moves, me, &mut report);
                let step = Iteration {
                    depth: search.simulations,
                    value: report.value,
                    nodes: budget.nodes,
                    time: budget.elapsed(),
                    pv: report.pv.clone(),
                };
                (context.progress)(&step);
                report.history.push(step);
            }
        }
        search.conclude(&moves, me, &mut report);
        report.nodes = budget.nodes;
        report.time = budget.elapsed();
        Ok(report)
    }
}
