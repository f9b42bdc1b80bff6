//! The value of a position by two questions, within limits.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kibitz_game::{Budget, Limits, Probe, Stop, Trace, Turn, Wdl};

use super::Provable;
use super::best_first::End;
use super::checkpoint::{BadCheckpoint, Checkpoint, State};
use super::kernel::Kernel;
use super::numbers::{LeafNumbers, Numbers};
use super::path::Path;
use super::question::{AtLeast, Leaf, Question};
use super::solved::Solved;
use super::table::Table;
use super::tree::Node;
use super::two_level::SecondLevel;
use super::watch::{Answer, Point, Watch};

/// How a question is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// One tree: proof-number search.
    OneLevel,
    /// Two levels of trees: PN².
    TwoLevels(SecondLevel),
    /// Depth first with a table: df-pn.
    DepthFirst {
        /// Thresholds are greater by this part of the second-best number.
        epsilon: f64,
    },
}

/// A solver with its parameters.
#[derive(Clone, Debug)]
pub struct Solver {
    /// How a question is searched.
    pub method: Method,
    /// The numbers of new leaves.
    pub leaf: LeafNumbers,
    /// Whether the nodes below a solved one are given back. They are needed no more, but a proof has to find them again.
    pub delete_solved: bool,
    /// What trees and tables may use.
    pub memory_mb: usize,
    /// The part of it, half at most, for a table of the positions that trees have solved; none where trees share nothing.
    pub solved_mb: usize,
    /// How many threads search.
    pub threads: usize,
    /// The only question that is asked; none to ask what the value takes.
    pub only: Option<AtLeast>,
    /// How many nodes of the tree of the last question are written down at the end. Only one thread does so.
    pub trace: usize,
}

/// What a solver is given beside the game and the position.
pub struct Ask<'a> {
    /// When to end. Nodes are counted over all questions, and from the beginning of the first of several runs with a checkpoint.
    pub limits: &'a Limits,
    /// Ends the search from outside.
    pub stop: &'a Stop,
    /// The keys of the positions of the game before the root, oldest first.
    pub past: &'a [u64],
    /// Knows values.
    pub database: Option<&'a dyn Probe>,
    /// Told of the numbers of the root now and then.
    pub progress: &'a mut dyn FnMut(&Point),
    /// Where the search is saved, and taken up from.
    pub checkpoint: Option<&'a Checkpoint>,
}

/// Why a value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The nodes are spent.
    Nodes,
    /// The time is over.
    Seconds,
    /// The memory is full.
    Memory,
    /// The search was stopped from outside.
    Interrupted,
    /// Only one question was asked, and the answer leaves two values.
    OneQuestion,
}

impl Reason {
    /// The reason in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodes => "node limit",
            Self::Seconds => "time limit",
            Self::Memory => "memory limit",
            Self::Interrupted => "interrupted",
            Self::OneQuestion => "only one question was asked",
        }
    }
}

/// What is kept of a search, for proofs.
#[derive(Clone, Default)]
pub struct Kept {
    pub(crate) answers: Vec<(AtLeast, bool, Vec<Kernel>)>,
    pub(crate) table: Option<Arc<Table>>,
}

impl Kept {
    /// How many questions were answered.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// The numbers of the answers that the value rests on: both for a draw, else the last one, which may be half a draw.
    pub fn needed(&self) -> std::ops::Range<usize> {
        let draw = matches!(self.answers[..], [(AtLeast::Win, false, _), (AtLeast::Draw, true, _)]);
        if draw { 0..2 } else { self.len().saturating_sub(1)..self.len() }
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
}

/// What a solver has found out.
#[derive(Clone)]
pub struct Outcome<M> {
    /// The value for the player to move.
    pub value: Wdl,
    /// Why it is unknown.
    pub reason: Option<Reason>,
    /// The move that the proof plays, or that resists longest.
    pub best: Option<M>,
    /// The line of the proof, as far as it was kept.
    pub pv: Vec<M>,
    /// Nodes made.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// The questions that were asked, in order.
    pub answers: Vec<Answer>,
    /// What is kept for proofs.
    pub kept: Kept,
    /// The tree of the last question, where it was asked for and there is one.
    pub trace: Option<Trace<M>>,
}

/// Why a position cannot be solved this way.
#[derive(Debug)]
pub enum Refused {
    /// The game, or the machine, and what to do instead.
    NotSupported(String),
    /// The checkpoint.
    Checkpoint(BadCheckpoint),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSupported(reason) => f.write_str(reason),
            Self::Checkpoint(bad) => bad.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

impl From<BadCheckpoint> for Refused {
    fn from(bad: BadCheckpoint) -> Self {
        Self::Checkpoint(bad)
    }
}

pub(super) fn not_supported(reason: &str) -> Refused {
    Refused::NotSupported(reason.to_owned())
}

/// How a search of a question ends.
pub(super) struct Searched {
    pub(super) end: End,
    pub(super) numbers: Numbers,
    pub(super) stored: usize,
    pub(super) kept: Vec<Kernel>,
    /// The number of the move that looks best, if nothing is solved.
    pub(super) leading: Option<usize>,
}

/// What a search of a question works with.
pub(super) struct Work<'a, 'b, 'c, G: Provable> {
    pub(super) question: &'a Question<'a, G>,
    pub(super) position: &'a G::Position,
    /// The tree of a checkpoint.
    pub(super) saved: Vec<Node>,
    pub(super) table: Option<&'a Table>,
    pub(super) path: &'a mut Path,
    pub(super) budget: &'a mut Budget<'b>,
    pub(super) watch: &'a mut Watch<'c, 'c>,
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a Stop,
    pub(super) trace: Option<Trace<G::Move>>,
}

impl<'a, G: Provable> Work<'a, '_, '_, G> {
    /// The table of solved positions of a search with trees.
    pub(super) fn solved(&self) -> Option<Solved<'a>> {
        self.table.map(|table| Solved::new(self.question, self.position, table))
    }
}

impl Solver {
    /// Finds the value of a position for the player to move.
    pub fn solve<G: Provable>(
        &self,
        game: &G,
        position: &G::Position,
        ask: &mut Ask<'_>,
    ) -> Result<Outcome<G::Move>, Refused> {
        let player = Self::require(game, position)?;
        let mut outcome = Outcome {
            value: Wdl::Unknown,
            reason: None,
            best: None,
            pv: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            answers: Vec::new(),
            kept: Kept::default(),
            trace: None,
        };
        let Some(player) = player else {
            let score = game.score(position, 0) - game.range(0).middle();
            outcome.value = Wdl::of_score(score);
            return Ok(outcome);
        };
        let begin = Instant::now();
        let bytes = match self.method {
            Method::DepthFirst { .. } => self.memory_mb << 20,
            _ => self.solved_bytes(),
        };
        let table = match (bytes, self.method) {
            (0, Method::OneLevel | Method::TwoLevels(_)) => None,
            _ => Some(Arc::new(Table::new(bytes).ok_or_else(|| self.no_memory())?)),
        };
        let mut state = match ask.checkpoint {
            Some(checkpoint) => checkpoint.load(table.as_deref())?.unwrap_or_default(),
            None => State::default(),
        };
        let mut budget = Budget::new(ask.limits, ask.stop);
        budget.add(state.nodes);
        let mut saved = std::mem::take(&mut state.answers);
        for at_least in [AtLeast::Win, AtLeast::Draw] {
            if self.only.is_some_and(|only| only != at_least) {
                continue;
            }
            let answer = if saved.first().is_some_and(|answer| answer.at_least == at_least && answer.value.is_some()) {
                saved.remove(0)
            } else {
                let before = saved.pop().filter(|answer| answer.at_least == at_least);
                let question = Question::new(game, player, at_least, ask.database, ask.past);
                let saved = std::mem::take(&mut state.tree);
                let done = &outcome.answers;
                let trace = &mut outcome.trace;
                let answer =
                    self.answer(&question, position, before, saved, table.as_deref(), &mut budget, ask, done, trace)?;
                if question.odd() {
                    return Err(not_supported(
                        "proof numbers need moves without chance, and repeated positions that all end the game alike: use UCT",
                    ));
                }
                answer
            };
            outcome.answers.push(answer);
            outcome.value = value_of(&outcome.answers);
            if outcome.value != Wdl::Unknown || outcome.answers.last().is_some_and(|answer| answer.value.is_none()) {
                break;
            }
        }
        outcome.nodes = budget.nodes;
        outcome.time = begin.elapsed();
        if outcome.value == Wdl::Unknown && outcome.reason.is_none() {
            outcome.reason = Some(Self::reason(&outcome, ask, &budget));
        }
        for answer in &mut outcome.answers {
            if let Some(value) = answer.value {
                outcome.kept.answers.push((answer.at_least, value, std::mem::take(&mut answer.kept)));
            }
        }
        outcome.kept.table = table;
        let leading = outcome.answers.last().and_then(|answer| answer.leading);
        self.line(game, position, player, ask, &mut outcome);
        if outcome.value == Wdl::Unknown
            && let Some(leading) = leading
        {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            outcome.best = moves.get(leading).copied();
            outcome.pv = outcome.best.into_iter().collect();
        }
        Ok(outcome)
    }

    /// The player to move, unless the game is over; or why this game cannot be solved.
    fn require<G: Provable>(game: &G, position: &G::Position) -> Result<Option<usize>, Refused> {
        if G::HIDDEN {
            return Err(not_supported("proof numbers need games without hidden information; this one hides something"));
        }
        if game.players() != 2 {
            return Err(Refused::NotSupported(format!(
                "proof numbers are for games of two players; this one has {}",
                game.players()
            )));
        }
        match game.turn(position) {
            Turn::Player(player) => Ok(Some(player.into())),
            Turn::Over => Ok(None),
            Turn::Chance => Err(not_supported("proof numbers need games without chance: use UCT")),
        }
    }

    fn reason<M>(outcome: &Outcome<M>, ask: &Ask<'_>, budget: &Budget<'_>) -> Reason {
        let last = outcome.answers.last();
        let late = ask.limits.time.is_some_and(|time| budget.elapsed() >= time);
        if last.is_some_and(|answer| answer.value.is_some()) {
            Reason::OneQuestion
        } else if ask.stop.raised() {
            Reason::Interrupted
        } else if !budget.over() {
            Reason::Memory
        } else if ask.limits.nodes.is_some_and(|limit| budget.nodes >= limit || !late) {
            // or one of several threads has made its share of them
            Reason::Nodes
        } else {
            Reason::Seconds
        }
    }

    /// Searches one question.
    fn answer<G: Provable>(
        &self,
        question: &Question<'_, G>,
        position: &G::Position,
        before: Option<Answer>,
        saved: Vec<Node>,
        table: Option<&Table>,
        budget: &mut Budget<'_>,
        ask: &mut Ask<'_>,
        done: &[Answer],
        trace: &mut Option<Trace<G::Move>>,
    ) -> Result<Answer, Refused> {
        let first = budget.nodes - before.as_ref().map_or(0, |before| before.nodes);
        let mut watch = Watch {
            at_least: question.at_least,
            begin: Instant::now(),
            before: before.as_ref().map_or(Duration::ZERO, |before| before.time),
            probes_before: before.as_ref().map_or(0, |before| before.probes),
            probes: 0,
            first,
            next: 0,
            told: Instant::now(),
            saved: Instant::now(),
            curve: before.map_or_else(Vec::new, |before| before.curve),
            progress: &mut *ask.progress,
            checkpoint: ask.checkpoint,
            table,
            done,
        };
        let mut path = Path::new();
        let key = question.key(position);
        let searched = match question.leaf(position, key, &path) {
            Leaf::Solved(value) | Leaf::Known(value) | Leaf::Repeated(value, _) => {
                budget.add(1);
                Searched { end: End::Solved, numbers: Numbers::of(value), stored: 1, kept: Vec::new(), leading: None }
            }
            Leaf::Open(_) => {
                path.push(key);
                let (limits, stop) = (ask.limits, ask.stop);
                let (path, watch) = (&mut path, &mut watch);
                let mut work =
                    Work { question, position, saved, table, path, budget, watch, limits, stop, trace: None };
                let searched = match self.method {
                    Method::OneLevel if self.threads > 1 => self.shared_tree(&mut work)?,
                    Method::OneLevel => self.one_level(&mut work)?,
                    Method::TwoLevels(rule) if self.threads > 1 => self.shared_levels(&mut work, rule)?,
                    Method::TwoLevels(rule) => self.two_levels(&mut work, rule)?,
                    Method::DepthFirst { epsilon } => self.depth_first(&mut work, epsilon)?,
                };
                *trace = work.trace;
                searched
            }
        };
        let nodes = budget.nodes - first;
        watch.point(nodes, searched.numbers);
        Ok(Answer {
            at_least: question.at_least,
            value: searched.numbers.solved().filter(|_| searched.end == End::Solved),
            nodes,
            probes: watch.probes_before + watch.probes,
            time: watch.time(),
            proof: searched.numbers.proof,
            disproof: searched.numbers.disproof,
            stored: searched.stored as u64,
            curve: watch.curve,
            kept: searched.kept,
            leading: searched.leading,
        })
    }

    /// The bytes for the table of solved positions, where trees are searched.
    fn solved_bytes(&self) -> usize {
        (self.solved_mb << 20).min((self.memory_mb << 20) / 2)
    }

    /// The bytes for trees.
    pub(super) fn tree_bytes(&self) -> usize {
        (self.memory_mb << 20) - self.solved_bytes()
    }

    pub(super) fn no_memory(&self) -> Refused {
        Refused::NotSupported(format!("this machine cannot give {} MB: lower memory_mb", self.memory_mb))
    }
}

/// The value for the player who is asked about.
fn value_of(answers: &[Answer]) -> Wdl {
    let answered = |at_least| answers.iter().find(|answer| answer.at_least == at_least).and_then(|answer| answer.value);
    match (answered(AtLeast::Win), answered(AtLeast::Draw)) {
        (Some(true), _) => Wdl::Win,
        (_, Some(false)) => Wdl::Loss,
        (Some(false), Some(true)) => Wdl::Draw,
        _ => Wdl::Unknown,
    }
}
