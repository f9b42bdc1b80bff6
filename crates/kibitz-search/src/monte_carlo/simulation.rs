//! One simulation: selection, expansion, playout and backpropagation.

use kibitz_game::{Random, Score, Turn};

use super::Uct;
use super::back_up_rule::BackUp;
use super::cells::UNPROVEN;
use super::heuristic::Heuristic;
use super::knowledge::Knowledge;
use super::opponent_moves::OwnMoves;
use super::pending::Pending;
use super::playout::{Ending, Player};
use super::selection::Selection;
use super::tree::{ROOT, Sides, Tree};
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
        let learned = uct.rave.is_some()
            || uct.back_up != BackUp::Average
            || uct.proof_numbers.is_some()
            || uct.opponent_move_abstraction.is_some();
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
    /// Whether the visit of a shared edge is counted already, before its reward is known.
    pub(super) counted: bool,
}

/// Where a simulation left the tree.
pub(super) struct Leaf<P> {
    pub(super) position: P,
    pub(super) end: End,
}

/// What there is to do with the position where a simulation left the tree.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// A game is played out from it.
    Open,
    /// It is over.
    Over,
    /// Nothing: its value for this player is proven.
    Proven { value: Score, owner: u8 },
    /// Nothing: a database has its value for this player.
    Known { value: Score, owner: u8 },
}

/// A result that is sure: by the rules, or by a database.
pub(super) enum Outcome<'p, P> {
    /// The game is over.
    Over(&'p P),
    /// The score of a player; that of the other one is the opposite.
    Known { value: Score, owner: u8 },
}

impl<P> Outcome<'_, P> {
    /// The score of a player.
    #[inline(always)]
    pub(super) fn score<G: Searchable<Position = P>>(&self, game: &G, player: usize) -> Score {
        match *self {
            Self::Over(end) => game.score(end, player),
            Self::Known { value, owner } => {
                if usize::from(owner) == player {
                    value
                } else {
                    -value
                }
            }
        }
    }
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
    /// What is known of the own moves of the player at the root, whatever the others do.
    pub(super) own_moves: OwnMoves,
    /// Proof numbers being ranked.
    pub(super) numbers: Vec<u32>,
    /// Whether selection tries every edge once and then compares means and visits by UCB1, and nothing else.
    pub(super) plain: bool,
    /// What the other threads of a shared tree have yet to be told.
    pub(super) pending: Pending,
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
            own_moves: OwnMoves::new(setup.uct.opponent_move_abstraction.is_some()),
            numbers: Vec::new(),
            plain: !(setup.informed || setup.solver || setup.uct.first_play_urgency.is_some())
                && setup.uct.selection == Selection::Ucb1,
            pending: Pending::default(),
        }
    }

    /// Adds the root to an empty tree, unless the rules fail to give moves.
    pub(super) fn plant(&mut self, tree: &mut Tree<G::Position, G::Move>) {
        let Setup { game, root, .. } = *self.setup;
        let turn = game.turn(root);
        if tree.shared {
            self.expand_shared(tree, root, turn);
        } else {
            self.expand(tree, root, turn);
        }
    }

    /// Adds a node for a position that is not over; none when memory is full, or when the rules failed to give moves.
    #[inline(always)]
    fn expand(&mut self, tree: &mut Tree<G::Position, G::Move>, position: &G::Position, turn: Turn) -> Option<u32> {
        if !self.list_moves(position) {
            return None;
        }
        let node = tree.push(position, turn, &self.buffer)?;
        self.introduce(tree, node, position, turn);
        Some(node)
    }

    /// The same in a tree that others work on, too.
    fn expand_shared(&mut self, tree: &Tree<G::Position, G::Move>, position: &G::Position, turn: Turn) -> Option<u32> {
        if !self.list_moves(position) {
            return None;
        }
        // edges of a shared tree are tried in their order
        for i in (1..self.buffer.len()).rev() {
            self.buffer.swap(i, self.random.below(i + 1));
        }
        let node = tree.take(position, turn, &self.buffer, &mut self.pending.places)?;
        self.introduce(tree, node, position, turn);
        Some(node)
    }

    #[inline(always)]
    fn list_moves(&mut self, position: &G::Position) -> bool {
        self.buffer.clear();
        self.setup.game.moves(position, &mut self.buffer);
        !self.buffer.is_empty()
    }

    /// Writes down what the variants know of a new node.
    #[inline(always)]
    fn introduce(&self, tree: &Tree<G::Position, G::Move>, node: u32, position: &G::Position, turn: Turn) {
        if self.setup.informed {
            self.inform(tree, node, position, turn);
        }
    }

    /// One simulation. Returns the number of moves played.
    #[inline(always)]
    pub(super) fn simulate(&mut self, tree: &mut Tree<G::Position, G::Move>) -> u32 {
        let leaf = self.descend(tree);
        self.finish(tree, leaf)
    }

    /// The same in a tree that others work on, too.
    pub(super) fn simulate_shared(&mut self, tree: &Tree<G::Position, G::Move>) -> u32 {
        let leaf = self.descend_shared(tree);
        self.finish(tree, leaf)
    }

    /// Playout and backpropagation. Returns the number of moves played, those in the tree included.
    #[inline(always)]
    pub(super) fn finish(&mut self, tree: &Tree<G::Position, G::Move>, mut leaf: Leaf<G::Position>) -> u32 {
        let mut plies = self.path.len() as u32;
        match leaf.end {
            End::Proven { value, owner } => self.back_up_proven(tree, value, owner),
            End::Open => {
                plies += self.play_to_end(&mut leaf.position);
                self.credit(tree, None);
            }
            End::Over => {
                self.reward_end(&leaf.position, true);
                self.credit(tree, Some(&Outcome::Over(&leaf.position)));
            }
            End::Known { value, owner } => {
                self.reward_known(value, owner);
                self.player.learn(&self.rewards);
                self.credit(tree, Some(&Outcome::Known { value, owner }));
            }
        }
        self.tally.simulations += 1;
        plies
    }

    /// Selection and expansion: follows the tree to where it ends, and adds a node on the way where one is due.
    #[inline(always)]
    pub(super) fn descend(&mut self, tree: &mut Tree<G::Position, G::Move>) -> Leaf<G::Position> {
        self.begin();
        let game = self.setup.game;
        let mut node = ROOT;
        let leaf = loop {
            let edge = self.step(tree, node);
            let slot = tree.slot(edge);
            if let Some(child) = slot.child() {
                node = child;
                if let Some(end) = self.proven_end(tree, node) {
                    break Leaf { position: tree.position(node).clone(), end };
                }
                continue;
            }
            let before = slot.visits();
            self.tally.added += u64::from(before == 0);
            // played where it will be read: to move a position that was just written means to wait for it
            let mut leaf = Leaf { position: tree.position(node).clone(), end: End::Open };
            game.play(&mut leaf.position, tree.mv(edge));
            let turn = game.turn(&leaf.position);
            if turn == Turn::Over {
                leaf.end = End::Over;
                break leaf;
            }
            if let Some(known) = self.look_up(&leaf.position, turn) {
                leaf.end = known;
                break leaf;
            }
            if before < self.setup.uct.expansion_threshold {
                break leaf;
            }
            let child = self.expand(tree, &leaf.position, turn);
            tree.link(edge, child);
            let Some(child) = child else { break leaf };
            node = child;
        };
        self.tally.leave_at(self.path.len());
        leaf
    }

    /// The same in a tree that others work on, too.
    #[inline(always)]
    fn descend_shared(&mut self, tree: &Tree<G::Position, G::Move>) -> Leaf<G::Position> {
        self.begin();
        let game = self.setup.game;
        let mut node = ROOT;
        let mut visits = self.enter_root(tree);
        let leaf = loop {
            let edge = self.step(tree, node);
            visits = self.enter(tree, node, visits, edge);
            if let Some(child) = tree.slot(edge).child() {
                node = child;
                if let Some(end) = self.proven_end(tree, node) {
                    break Leaf { position: tree.position(node).clone(), end };
                }
                continue;
            }
            self.tally.added += u64::from(visits == 1);
            let mut leaf = Leaf { position: tree.position(node).clone(), end: End::Open };
            game.play(&mut leaf.position, tree.mv(edge));
            let turn = game.turn(&leaf.position);
            if turn == Turn::Over {
                leaf.end = End::Over;
                break leaf;
            }
            if let Some(known) = self.look_up(&leaf.position, turn) {
                leaf.end = known;
                break leaf;
            }
            if visits <= self.setup.uct.expansion_threshold || !tree.claim(edge) {
                break leaf;
            }
            let child = self.expand_shared(tree, &leaf.position, turn);
            tree.link(edge, child);
            let Some(child) = child else { break leaf };
            node = child;
        };
        self.tally.leave_at(self.path.len());
        leaf
    }

    /// What a database says about a position, if there is one that has it.
    #[inline(always)]
    fn look_up(&self, position: &G::Position, turn: Turn) -> Option<End> {
        // the first half is known when the game is compiled
        if !G::RANKED {
            return None;
        }
        let (oracle, Turn::Player(owner)) = (self.setup.uct.database.as_ref()?, turn) else { return None };
        Some(End::Known { value: oracle.score(self.setup.game, position, owner)?, owner })
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.path.clear();
        self.player.begin();
    }

    /// Takes the next step from a node, which whoever learns from moves is told of. Returns the edge.
    #[inline(always)]
    fn step(&mut self, tree: &Tree<G::Position, G::Move>, node: u32) -> u32 {
        let edge = self.select(tree, node);
        if self.player.traced()
            && let Some(player) = tree.node(node).player()
        {
            self.player.follow(tree.position(node), player, tree.mv(edge));
        }
        edge
    }

    /// The end of the way at a node that is proven: an outcome of chance never is, but it may lead to such a node, and another
    /// thread may have proven one since it was selected.
    #[inline(always)]
    fn proven_end(&self, tree: &Tree<G::Position, G::Move>, node: u32) -> Option<End> {
        if !self.setup.solver || tree.proven(node) == UNPROVEN {
            return None;
        }
        let owner = tree.node(node).player()?;
        Some(End::Proven { value: tree.proven(node), owner })
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
