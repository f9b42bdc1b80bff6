//! A question of yes or no about a position, and what answers it at once.

use std::sync::atomic::{AtomicBool, Ordering};

use kibitz_game::{Probe, Score, Turn, Wdl};
use rustc_hash::FxHashMap;

use super::Provable;
use super::path::Path;

/// What the player is asked to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtLeast {
    /// A win.
    Win,
    /// A draw or a win.
    Draw,
}

impl AtLeast {
    /// Whether a value for the player is as good.
    #[inline(always)]
    pub fn met(self, value: Wdl) -> bool {
        match self {
            Self::Win => value == Wdl::Win,
            Self::Draw => value != Wdl::Loss,
        }
    }

    /// `win` or `draw`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
        }
    }
}

/// Can this player force at least that?
///
/// **Repetition.** A position that occurs again on the way from the root has the score that the rules give to endless repetition, even where they ask for a
/// third time: who can repeat once can repeat again. As long as that score is the same everywhere (a draw, in all games so far), the value of the root
/// is the one under the rules themselves. Whoever has a forced win has one that never repeats, for each move of it brings the end nearer; whoever can
/// avoid a loss for ever does so by staying among positions where he can, and then something is repeated. What was played before the root has
/// been played: a position which the rules end at its next occurrence is over.
pub struct Question<'a, G: Provable> {
    pub(crate) game: &'a G,
    pub(crate) player: usize,
    pub(crate) at_least: AtLeast,
    middle: Score,
    database: Option<&'a dyn Probe>,
    past: FxHashMap<u64, u32>,
    /// What endless repetition answers, once it has been seen.
    repetition: std::sync::OnceLock<bool>,
    /// Something was seen that a search for proofs cannot deal with.
    odd: AtomicBool,
}

/// What is known about a position before it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// Nothing; whether the player of the question moves there.
    Open(bool),
    /// The answer: the game is over.
    Solved(bool),
    /// The answer of the database.
    Known(bool),
    /// The answer by repetition of the position at this place of the path.
    Repeated(bool, usize),
}

impl<'a, G: Provable> Question<'a, G> {
    /// Whether `player` can force at least that. `past` has the keys of the positions before the root.
    pub fn new(game: &'a G, player: usize, at_least: AtLeast, database: Option<&'a dyn Probe>, past: &[u64]) -> Self {
        let mut counted = FxHashMap::default();
        if G::REPEATS {
            for &key in past {
                *counted.entry(key).or_insert(0) += 1;
            }
        }
        Self {
            game,
            player,
            at_least,
            middle: game.range(player).middle(),
            database: database.filter(|_| G::RANKED),
            past: counted,
            repetition: std::sync::OnceLock::new(),
            odd: AtomicBool::new(false),
        }
    }

    #[inline(always)]
    fn met(&self, score: Score) -> bool {
        match self.at_least {
            AtLeast::Win => score > self.middle,
            AtLeast::Draw => score >= self.middle,
        }
    }

    /// The static value for the player of the question, in units of the result, with 0 for an even position.
    pub(crate) fn evaluation(&self, position: &G::Position) -> f64 {
        let score = self.game.evaluate(position, self.player);
        f64::from(score - self.middle) / f64::from(self.game.unit())
    }

    /// Whether the player of the question is to move.
    #[inline(always)]
    pub(crate) fn or(&self, position: &G::Position) -> bool {
        self.game.turn(position) == Turn::Player(self.player as u8)
    }

    /// The key of a position, where keys are needed.
    #[inline(always)]
    pub(crate) fn key(&self, position: &G::Position) -> u64 {
        if G::REPEATS { self.game.key(position) } else { 0 }
    }

    /// The answer of the database.
    #[inline(always)]
    fn known(&self, position: &G::Position, or: bool) -> Option<bool> {
        let database = self.database?;
        let place = self.game.place(position)?;
        match database.value(place)? {
            Wdl::Unknown => None,
            value => Some(self.at_least.met(if or { value } else { value.reversed() })),
        }
    }

    /// What is known about a position without a search: the end of the game, the database, repetition.
    #[inline(always)]
    pub(crate) fn leaf(&self, position: &G::Position, key: u64, path: &Path) -> Leaf {
        let or = match self.game.turn(position) {
            Turn::Player(player) => usize::from(player) == self.player,
            Turn::Over => return Leaf::Solved(self.met(self.game.score(position, self.player))),
            Turn::Chance => {
                self.odd.store(true, Ordering::Relaxed);
                false
            }
        };
        if let Some(value) = self.known(position, or) {
            return Leaf::Known(value);
        }
        if G::REPEATS {
            if let Some(at) = path.find(key) {
                return self.again(position, at);
            }
            if let Some(value) = self.ended_before(position, key) {
                return Leaf::Solved(value);
            }
        }
        Leaf::Open(or)
    }

    /// A position that was played before the root so often that its next occurrence ends the game.
    #[inline(always)]
    fn ended_before(&self, position: &G::Position, key: u64) -> Option<bool> {
        if self.past.is_empty() {
            return None;
        }
        let times = *self.past.get(&key)?;
        self.game.repeated(position, times + 1, self.player).map(|score| self.met(score))
    }

    #[cold]
    fn again(&self, position: &G::Position, at: usize) -> Leaf {
        let Some(score) = self.game.repeated(position, u32::MAX, self.player) else {
            self.odd.store(true, Ordering::Relaxed);
            return Leaf::Repeated(false, at);
        };
        let value = self.met(score);
        if *self.repetition.get_or_init(|| value) != value {
            self.odd.store(true, Ordering::Relaxed);
        }
        Leaf::Repeated(value, at)
    }

    /// What a repetition answers, by the rule for this position; none if there is no such rule.
    pub(crate) fn by_repetition(&self, position: &G::Position) -> Option<bool> {
        if !G::REPEATS {
            return None;
        }
        self.game.repeated(position, u32::MAX, self.player).map(|score| self.met(score))
    }

    /// Notes something that a search for proofs cannot deal with.
    #[cold]
    pub(crate) fn refuse(&self) {
        self.odd.store(true, Ordering::Relaxed);
    }

    /// Whether something was seen that makes every answer worthless: chance, or repetitions that do not all end alike.
    pub(crate) fn odd(&self) -> bool {
        self.odd.load(Ordering::Relaxed)
    }

    /// Appends the positions that the moves lead to.
    #[inline(always)]
    pub(crate) fn successors(&self, position: &G::Position, moves: &mut Vec<G::Move>, out: &mut Vec<G::Position>) {
        self.game.successors(position, out, moves);
    }

    /// The move that leads from a position to another one.
    pub(crate) fn move_to(&self, position: &G::Position, child: &G::Position) -> Option<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves.into_iter().find(|&mv| {
            let mut next = position.clone();
            self.game.play(&mut next, mv);
            next == *child
        })
    }
}
