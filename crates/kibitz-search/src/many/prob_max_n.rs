//! Prob-maxⁿ: opponents of several types.
//!
//! N. Sturtevant, M. Zinkevich, M. Bowling, *Prob-Maxⁿ: Playing N-Player Games with Opponent Models*, AAAI 2006. What an
//! opponent makes large is not known, only how likely each type of player is. At his node every type chooses the branch
//! that is best for it, and the value of the node is the average of their choices: for everybody and for every type, since
//! the nodes above ask for it. With one type it is maxⁿ.

use kibitz_game::{Bound, Budget, Iteration, Limits, MAX_DEPTH, Random, Report, Turn};

use super::{MOST_PLAYERS, Tuple, leaf};
use crate::lines::Lines;
use crate::{Context, Noise, NotSupported, Searchable, require_end};

/// How likely an opponent is of each type; the numbers need not add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Types {
    /// He makes large what he has.
    pub own: f64,
    /// He makes large his lead over the best of the others, or small what he is behind (ML of Sturtevant 2004).
    pub lead: f64,
    /// He makes small what the player at the root has.
    pub hostile: f64,
}

/// The number of types.
const TYPES: usize = 3;

/// The expected value of a position for every player as if he were of each type.
type Expected = [[f64; MOST_PLAYERS]; TYPES];

/// The parameters of prob-maxⁿ.
#[derive(Clone, Debug)]
pub struct ProbMaxN {
    /// What the opponents are like.
    pub types: Types,
    /// The type of the player at the root, 0 for `own`, 1 for `lead`.
    pub root_type: usize,
    /// Searches depth 1, 2, … instead of the last depth at once.
    pub deepening: bool,
    /// A random term of the evaluation.
    pub noise: Noise,
    /// Shuffles the root's moves, so that ties are broken at random.
    pub seed: Option<u64>,
}

impl Default for ProbMaxN {
    fn default() -> Self {
        let types = Types { own: 0.5, lead: 0.5, hostile: 0.0 };
        Self { types, root_type: 0, deepening: true, noise: Noise::default(), seed: None }
    }
}

struct Tree<'a, G: Searchable> {
    game: &'a G,
    players: usize,
    root_player: u8,
    root_type: usize,
    /// The probability of each type.
    types: [f64; TYPES],
    noise: Noise,
    budget: Budget<'a>,
    moves: Vec<G::Move>,
    root: Vec<G::Move>,
    lines: Lines<G::Move>,
    leaves: u64,
    horizon: bool,
    chance: bool,
}

impl ProbMaxN {
    /// The greatest ply that a search within these limits can reach.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    /// Searches until a limit is reached or every line has come to the end of the game.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        super::require_tuples("ProbMaxN", game)?;
        let given = [self.types.own, self.types.lead, self.types.hostile];
        let sum: f64 = given.iter().sum();
        if given.iter().any(|&weight| weight < 0.0) || !(sum > 0.0 && sum.is_finite()) {
            return Err(NotSupported(format!(
                "ProbMaxN needs probabilities of the types that are not negative and not all zero, and got {given:?}"
            )));
        }
        require_end(game, position, context.limits)?;
        let Turn::Player(me) = game.turn(position) else {
            return super::nobody_moves("ProbMaxN", game, position);
        };
        let mut tree = Tree {
            game,
            players: game.players(),
            root_player: me,
            root_type: self.root_type.min(TYPES - 1),
            types: given.map(|weight| weight / sum),
            noise: self.noise,
            budget: Budget::new(context.limits, context.stop),
            moves: Vec::with_capacity(1024),
            root: Vec::new(),
            lines: Lines::new(),
            leaves: 0,
            horizon: false,
            chance: false,
        };
        game.moves(position, &mut tree.root);
        if let Some(seed) = self.seed {
            Random::new(seed).shuffle(&mut tree.root);
        }
        let mut report = Report { bound: Bound::Estimate, ..Report::new() };
        report.best = tree.root.first().copied();
        let last = self.deepest(context.limits);
        for depth in if self.deepening { 1 } else { last.max(1) }..=last {
            tree.horizon = false;
            if tree.budget.spend() {
                break;
            }
            let found = tree.node(position, me, depth, 0);
            if tree.budget.over() {
                break;
            }
            report.values = found[0][..tree.players].iter().map(|&value| game.result(value)).collect();
            report.value = report.values[usize::from(me)];
            report.pv = tree.lines.root().to_vec();
            report.best = report.pv.first().copied().or(report.best);
            report.depth = depth;
            let (value, nodes, time) = (report.value, tree.budget.nodes, tree.budget.elapsed());
            let step = Iteration { depth: u64::from(depth), value, nodes, time, pv: report.pv.clone() };
            (context.progress)(&step);
            report.history.push(step);
            if !tree.horizon {
                break;
            }
        }
        if tree.chance {
            return Err(NotSupported::chance("ProbMaxN"));
        }
        report.nodes = tree.budget.nodes;
        report.time = tree.budget.elapsed();
        report.stats = vec![("leaves", tree.leaves as f64)];
        Ok(report)
    }
}

impl<G: Searchable> Tree<'_, G> {
    /// What a tuple is worth to each player as each type.
    fn utilities(&self, tuple: &Tuple) -> Expected {
        let mut out = [[0.0; MOST_PLAYERS]; TYPES];
        let values = &tuple[..self.players];
        let against = f64::from(values[usize::from(self.root_player)]);
        for (player, &value) in values.iter().enumerate() {
            let others = values.iter().enumerate().filter(|&(other, _)| other != player);
            let best = others.map(|(_, &value)| value).max().unwrap_or(0);
            let value = f64::from(value);
            (out[0][player], out[1][player], out[2][player]) = (value, value - f64::from(best), -against);
        }
        out
    }

    fn enter(&mut self, child: &G::Position, left: u32, ply: usize) -> Expected {
        if self.budget.spend() {
            return [[0.0; MOST_PLAYERS]; TYPES];
        }
        match self.game.turn(child) {
            Turn::Player(next) if left > 0 => return self.node(child, next, left, ply),
            Turn::Chance => {
                self.chance = true;
                self.budget.end();
                return [[0.0; MOST_PLAYERS]; TYPES];
            }
            _ => {}
        }
        self.leaves += 1;
        self.lines.leaf(ply);
        let tuple = if self.game.turn(child) == Turn::Over {
            let mut scores = [0; MOST_PLAYERS];
            for (player, score) in scores.iter_mut().enumerate().take(self.players) {
                *score = self.game.score(child, player);
            }
            scores
        } else {
            self.horizon = true;
            leaf::tuple(self.game, child, self.players, self.noise)
        };
        self.utilities(&tuple)
    }

    fn node(&mut self, position: &G::Position, me: u8, depth: u32, ply: usize) -> Expected {
        self.lines.clear(ply);
        let first = self.moves.len();
        if ply == 0 {
            self.moves.extend_from_slice(&self.root);
        } else {
            self.game.moves(position, &mut self.moves);
        }
        let player = usize::from(me);
        // the player at the root knows what he is
        let mut certain = [0.0; TYPES];
        certain[self.root_type] = 1.0;
        let types = if me == self.root_player { certain } else { self.types };
        let main = (0..TYPES).fold(0, |main, kind| if types[kind] > types[main] { kind } else { main });
        let mut choices: [Option<Expected>; TYPES] = [None; TYPES];
        for place in first..self.moves.len() {
            let mv = self.moves[place];
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            let found = self.enter(&child, depth - 1, ply + 1);
            if self.budget.over() {
                self.moves.truncate(first);
                return found;
            }
            for kind in (0..TYPES).filter(|&kind| types[kind] > 0.0) {
                let better = choices[kind].as_ref().is_none_or(|old| found[kind][player] > old[kind][player]);
                if better {
                    choices[kind] = Some(found);
                    if kind == main {
                        self.lines.raise(ply, mv);
                    }
                }
            }
        }
        self.moves.truncate(first);
        let mut out = [[0.0; MOST_PLAYERS]; TYPES];
        for (chosen, &probability) in choices.iter().zip(&types) {
            let Some(chosen) = chosen else { continue };
            for (sums, values) in out.iter_mut().zip(chosen) {
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum += probability * value;
                }
            }
        }
        out
    }
}
