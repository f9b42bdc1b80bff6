//! One simulation: selection, expansion, playout and backpropagation.

use kibitz_game::{Random, Score, Turn};

use super::Uct;
use super::back_up_rule::BackUp;
use super::cells::UNPROVEN;
use super::heuristic::Heuristic;
use super::knowledge::Knowledge;
use super::playout::{Ending, Player};
use super::tree::{Access, NO_NODE, ROOT, Sides, Tree};
use crate::Searchable;

/// The most players of any game.
pub(super) const PLAYERS: usize = 64;

/// What all threads of a search have in common.
pub(super) struct Setup<'a, G: Searchable> {
    pub(super) uct: &'a Uct,
    pub(super) game: &'a G,
    pub(super) root: &'a G::Position,
    /// The weight of exploration, as selection needs it.
    pub(super) c: f32,
    /// Scale and offset that bring each player's scores to [0, 1].
    pub(super) scale: Vec<(f64, f64)>,
    /// The player whose view the values of chance nodes take: the one to move at the root, or the first.
    pub(super) me: u8,
    /// Whether proofs are sought.
    pub(super) solver: bool,
    /// The evaluation, where the tree asks for it.
    pub(super) heuristic: Option<Heuristic<'a, G>>,
    /// The least and the greatest score of each player.
    pub(super) ranges: Vec<(Score, Score)>,
    /// Whether selection asks for more than the means and visits.
    pub(super) informed: bool,
}

impl<'a, G: Searchable> Setup<'a, G> {
    pub(super) fn new(uct: &'a Uct, game: &'a G, root: &'a G::Position) -> Self {
        let scale = (0..game.players())
            .map(|player| {
                let range = game.range(player);
                let width = f64::from(range.high) - f64::from(range.low);
                (if width > 0.0 { 1.0 / width } else { 0.0 }, f64::from(range.low))
            })
            .collect();
        let me = if let Turn::Player(player) = game.turn(root) { player } else { 0 };
        let guided = uct.bias.weight != 0.0 || uct.widening.is_some() || uct.implicit_minimax != 0.0;
        let learned = uct.rave.is_some() || uct.back_up != BackUp::Average || uct.proof_numbers.is_some();
        let range = |player: usize| (game.range(player).low, game.range(player).high);
        Self {
            uct,
            game,
            root,
            c: uct.c as f32,
            scale,
            me,
            solver: (uct.solver || uct.score_bounds) && game.players() <= 2,
            heuristic: guided.then(|| Heuristic::new(game, uct.scaling)),
            ranges: (0..game.players()).map(range).collect(),
            informed: guided || learned || uct.score_bounds,
        }
    }

    /// A tree of the root alone; empty when the rules failed to give moves.
    pub(super) fn tree(&self, megabytes: usize, shared: bool, simulations: Option<u64>) -> Tree<G::Position, G::Move> {
        let knowledge = Knowledge::new(self.uct, self.scale.len());
        let sides = Sides::new(self.solver, self.uct.selection.needs_squares(), knowledge);
        let mut tree = Tree::new(megabytes, self.game.position_bytes(), sides, shared);
        tree.leave(Player::bytes(self.game, &self.uct.playing, self.uct.rave.is_some()));
        tree.expect(simulations.unwrap_or(0));
        tree
    }

    #[inline(always)]
    pub(super) fn reward(&self, score: Score, player: usize) -> f64 {
        let (scale, low) = self.scale[player];
        (f64::from(score) - low) * scale
    }
}

/// What a thread has done so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) simulations: u64,
    /// Positions that were visited for the first time.
    pub(super) added: u64,
    /// Playouts that ended without an end of the game.
    pub(super) cut: u64,
    /// How many simulations left the tree at each depth.
    pub(super) depths: Vec<u64>,
}

impl Tally {
    #[inline(always)]
    pub(super) fn leave_at(&mut self, depth: usize) {
        if let Some(count) = self.depths.get_mut(depth) {
            *count += 1;
        } else {
            self.leave_deeper_at(depth);
        }
    }

    #[cold]
    fn leave_deeper_at(&mut self, depth: usize) {
        self.depths.resize(depth + 1, 0);
        self.depths[depth] += 1;
    }

    /// Adds what another thread has done.
    pub(super) fn join(&mut self, other: &Self) {
        self.simulations += other.simulations;
        self.added += other.added;
        self.cut += other.cut;
        self.depths.resize(self.depths.len().max(other.depths.len()), 0);
        self.depths.iter_mut().zip(&other.depths).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// One step of a simulation through the tree.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) edge: u32,
    /// The player whose view the edge takes.
    pub(super) player: u8,
    /// Whether a proven edge of the node is better than what is known of this one. It is followed all the same, for
    /// what it teaches, but above the node only the proven value counts.
    pub(super) settled: bool,
}

/// Where a simulation left the tree.
pub(super) enum Leaf<P> {
    /// At a position from which a game is played out, or which is over.
    Position { position: P, over: bool },
    /// At a node that is proven, for this player.
    Proven { value: Score, owner: u8 },
}

/// What one thread simulates with.
pub(super) struct Worker<'a, G: Searchable> {
    pub(super) setup: &'a Setup<'a, G>,
    pub(super) random: Random,
    /// The way through the tree of the simulation that is going on.
    pub(super) path: Vec<Step>,
    pub(super) buffer: Vec<G::Move>,
    /// The reward of each player in the simulation being backed up.
    pub(super) rewards: [f64; PLAYERS],
    pub(super) tally: Tally,
    /// Plays the games beyond the tree.
    pub(super) player: Player<'a, G>,
    /// For each player and index of a move, the number of the last game in which it was made; see RAVE.
    pub(super) marks: Vec<u32>,
    pub(super) game_number: u32,
    /// Proof numbers being ranked.
    pub(super) numbers: Vec<u32>,
}

impl<'a, G: Searchable> Worker<'a, G> {
    /// The worker with its own stream of random numbers.
    pub(super) fn new(setup: &'a Setup<'a, G>, stream: u64) -> Self {
        Self {
            setup,
            random: Random::stream(setup.uct.seed, stream),
            path: Vec::new(),
            buffer: Vec::new(),
            rewards: [0.0; PLAYERS],
            tally: Tally::default(),
            player: Player::new(setup.game, &setup.uct.playing, setup.uct.scaling, setup.uct.rave.is_some()),
            marks: Vec::new(),
            game_number: 0,
            numbers: Vec::new(),
        }
    }

    /// Adds the root to an empty tree, unless the rules fail to give moves.
    pub(super) fn plant(&mut self, tree: &mut Access<'_, G::Position, G::Move>) {
        let Setup { game, root, .. } = *self.setup;
        self.expand(tree, root, game.turn(root));
    }

    /// Adds a node for a position that is not over; `NO_NODE` when memory is full, or when the rules failed to give moves.
    #[inline(always)]
    fn expand(&mut self, tree: &mut Access<'_, G::Position, G::Move>, position: &G::Position, turn: Turn) -> u32 {
        self.buffer.clear();
        self.setup.game.moves(position, &mut self.buffer);
        if self.buffer.is_empty() {
            return NO_NODE;
        }
        let node = tree.add(position, turn, &self.buffer);
        if node != NO_NODE && self.setup.informed {
            self.inform(tree, node, position, turn);
        }
        node
    }

    /// One simulation. Returns the number of moves played.
    #[inline(always)]
    pub(super) fn simulate(&mut self, tree: &mut Access<'_, G::Position, G::Move>) -> u32 {
        let leaf = self.descend(tree);
        self.finish(tree, leaf)
    }

    /// Playout and backpropagation. Returns the number of moves played, those in the tree included.
    #[inline(always)]
    pub(super) fn finish(&mut self, tree: &Tree<G::Position, G::Move>, leaf: Leaf<G::Position>) -> u32 {
        let mut plies = self.path.len() as u32;
        match leaf {
            Leaf::Proven { value, owner } => self.back_up_proven(tree, value, owner),
            Leaf::Position { mut position, over: false } => {
                plies += self.play_to_end(&mut position);
                self.credit(tree, None);
            }
            Leaf::Position { position, over: true } => {
                self.reward_end(&position, true);
                self.credit(tree, Some(&position));
            }
        }
        self.tally.simulations += 1;
        plies
    }

    /// Selection and expansion: follows the tree to where it ends, and adds a node on the way where one is due.
    #[inline(always)]
    pub(super) fn descend(&mut self, tree: &mut Access<'_, G::Position, G::Move>) -> Leaf<G::Position> {
        self.path.clear();
        self.player.begin();
        let leaf = if tree.shared { self.descend_shared(tree) } else { self.descend_alone(tree) };
        self.tally.leave_at(self.path.len());
        leaf
    }

    #[inline(always)]
    fn descend_alone(&mut self, tree: &mut Access<'_, G::Position, G::Move>) -> Leaf<G::Position> {
        let game = self.setup.game;
        let mut node = ROOT;
        loop {
            let step = self.select(tree, node, None);
            let edge = step.edge;
            self.path.push(step);
            if self.player.traced() && tree.node(node).player.is_some() {
                self.player.follow(tree.position(node), step.player, tree.mv(edge));
            }
            let slot = tree.slot(edge);
            if let Some(child) = slot.child() {
                node = child;
                if let Some(leaf) = self.proven_leaf(tree, node) {
                    return leaf;
                }
                continue;
            }
            let before = slot.visits();
            self.tally.added += u64::from(before == 0);
            let mut position = tree.position(node).clone();
            game.play(&mut position, tree.mv(edge));
            let turn = game.turn(&position);
            if turn == Turn::Over || before < self.setup.uct.expansion_threshold {
                return Leaf::Position { over: turn == Turn::Over, position };
            }
            node = self.expand(tree, &position, turn);
            tree.link(edge, node);
            if node == NO_NODE {
                return Leaf::Position { over: false, position };
            }
        }
    }

    /// The same in a tree that others work on, too. It keeps no positions, so that the moves are played again on the way.
    #[inline(never)]
    fn descend_shared(&mut self, tree: &mut Access<'_, G::Position, G::Move>) -> Leaf<G::Position> {
        let game = self.setup.game;
        let mut node = ROOT;
        let mut position = self.setup.root.clone();
        let mut visits = tree.root_visits.add(1, true);
        loop {
            let step = self.select(tree, node, Some(&position));
            let edge = step.edge;
            self.path.push(step);
            if self.player.traced() && tree.node(node).player.is_some() {
                self.player.follow(&position, step.player, tree.mv(edge));
            }
            visits = tree.enter(node, visits, edge);
            game.play(&mut position, tree.mv(edge));
            if let Some(child) = tree.slot(edge).child() {
                node = child;
                if let Some(leaf) = self.proven_leaf(tree, node) {
                    return leaf;
                }
                continue;
            }
            self.tally.added += u64::from(visits == 1);
            let turn = game.turn(&position);
            if turn == Turn::Over || visits <= self.setup.uct.expansion_threshold || !tree.claim(edge) {
                return Leaf::Position { over: turn == Turn::Over, position };
            }
            node = self.expand(tree, &position, turn);
            tree.link(edge, node);
            if node == NO_NODE {
                return Leaf::Position { over: false, position };
            }
        }
    }

    /// The end of the way at a node that is proven: an outcome of chance never is, but it may lead to such a node, and another
    /// thread may have proven one since it was selected.
    #[inline(always)]
    fn proven_leaf(&self, tree: &Tree<G::Position, G::Move>, node: u32) -> Option<Leaf<G::Position>> {
        if !self.setup.solver || tree.proven(node) == UNPROVEN {
            return None;
        }
        let owner = tree.node(node).player?;
        Some(Leaf::Proven { value: tree.proven(node), owner })
    }

    /// Plays a game to its end, or as far as it goes, and notes the rewards. Returns the number of moves.
    #[inline(always)]
    pub(super) fn play_to_end(&mut self, position: &mut G::Position) -> u32 {
        let Ending { plies, over } = self.player.play(position, &mut self.random, &mut self.buffer);
        self.reward_end(position, over);
        plies
    }

    /// Notes the rewards of the position at which a game ended or was left.
    #[inline(always)]
    pub(super) fn reward_end(&mut self, end: &G::Position, over: bool) {
        self.tally.cut += u64::from(!over);
        self.player.rewards(end, over, &mut self.rewards);
        self.player.learn(&self.rewards);
    }
}
