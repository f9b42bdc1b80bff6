//! The check of a strategy by the rules alone.
//!
//! It shares nothing with the searches that find strategies: it plays the strategy's move wherever its holder moves and every legal move elsewhere, from the root on, and looks at
//! every position that can come up once.
//!
//! A strategy that is to win must get nearer to its goal: each of its moves has a rank, and whatever the other side answers, the next one has a lower rank. So it ends, and every end is looked
//! at. One that is to draw may come back to where it was, where the rules call an endless game a draw, for a game that never leaves the positions of the strategy either ends well or
//! repeats something.
//!
//! A strategy may leave positions out, its [`frontier`]: each must be decided by a search of so many nodes. All of them are searched, or a part that is drawn at random.

mod frontier;

use std::fmt;

use kibitz_game::{Game, Pack, Probe, Ranked, Repetition, Score, Stop, Turn, Wdl, splitmix64};
use rustc_hash::FxHashMap;

pub(crate) use frontier::Frontier;

/// What is to be checked.
pub struct Claim<'a> {
    /// Who plays the strategy.
    pub holder: usize,
    /// The least that it reaches for him: a win or a draw.
    pub goal: Wdl,
    /// The packed move in the position with a key, and its rank.
    pub strategy: &'a dyn Fn(u64) -> Option<(u64, u32)>,
    /// The keys of the positions before the root.
    pub past: &'a [u64],
    /// A database whose values are believed.
    pub database: Option<&'a dyn Probe>,
    /// A position that the strategy leaves out must be decided by at most so many nodes; 0 if it leaves nothing out.
    pub frontier: u64,
    /// Which of them are searched.
    pub sample: Sample,
}

/// A part of many positions, drawn by their keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The part, from 0 to 1.
    pub part: f64,
    /// Another seed draws others.
    pub seed: u64,
}

impl Sample {
    /// Everything.
    pub const ALL: Self = Self { part: 1.0, seed: 0 };

    fn has(self, key: u64) -> bool {
        let drawn = (splitmix64(key ^ splitmix64(self.seed)) >> 11) as f64 / (1u64 << 53) as f64;
        drawn < self.part
    }
}

/// What a check has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Different positions that can come up.
    pub positions: u64,
    /// Those that the database has settled.
    pub from_database: u64,
    /// Moves that lead back to a position of the same line.
    pub repetitions: u64,
    /// The longest line.
    pub longest: u64,
    /// Positions that the strategy leaves out.
    pub frontier: u64,
    /// Those of them that were searched.
    pub searched: u64,
    /// The nodes of these searches.
    pub nodes: u64,
}

/// What is wrong with a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw(pub String);

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Flaw {}

/// A position whose moves are being looked at.
struct Open<P, M> {
    key: u64,
    position: P,
    moves: Vec<M>,
    next: usize,
    /// The rank of the move, where the holder moves.
    rank: Option<u32>,
    /// The greatest rank below.
    below: u32,
}

/// What is to be done with a position.
enum Look<M> {
    /// Nothing: it is good for the holder.
    End,
    /// These moves are to be played; the holder's one has a rank.
    Play(Vec<M>, Option<u32>),
}

/// How far the look at a position has come.
#[derive(Clone, Copy)]
enum State {
    /// It is on the line.
    Open,
    /// It was looked at: its rank, or the greatest one below; 0 at an end.
    Done(u32),
}

/// Plays a strategy against everything. `Ok(None)` if it was stopped.
pub fn verify<G: Game + Repetition + Ranked>(
    game: &G,
    root: &G::Position,
    claim: &Claim<'_>,
    stop: &Stop,
) -> Result<Option<Checked>, Flaw> {
    let flaw = |what: &str, position: &G::Position| Err(Flaw(format!("{what} in {}", game.write(position))));
    let ends = Ends::new(game, claim);
    let mut frontier = Frontier::new(game, claim);
    let mut seen: FxHashMap<u64, (G::Position, State)> = FxHashMap::default();
    let mut line: Vec<Open<G::Position, G::Move>> = Vec::new();
    let mut checked = Checked::default();
    let mut coming = Some(root.clone());
    let mut asked = 0;
    loop {
        if let Some(position) = coming.take() {
            let key = game.key(&position);
            let done = if let Some((known, state)) = seen.get(&key) {
                if *known != position {
                    return flaw("two positions have the same key", &position);
                }
                match *state {
                    State::Done(rank) => Some(rank),
                    State::Open => {
                        checked.repetitions += 1;
                        if !ends.good_to_repeat(&position) {
                            return flaw("the strategy goes round in a circle", &position);
                        }
                        Some(0)
                    }
                }
            } else {
                checked.positions += 1;
                // searches of what is left out take far longer than a look at a position
                if checked.positions.is_multiple_of(1024) || frontier.nodes > asked {
                    asked = frontier.nodes + 100_000;
                    if stop.ask() {
                        return Ok(None);
                    }
                }
                match look(game, &position, key, claim, &ends, &mut frontier, &mut checked) {
                    Ok(Look::End) => {
                        seen.insert(key, (position, State::Done(0)));
                        Some(0)
                    }
                    Ok(Look::Play(moves, rank)) => {
                        seen.insert(key, (position.clone(), State::Open));
                        line.push(Open { key, position, moves, next: 0, rank, below: 0 });
                        checked.longest = checked.longest.max(line.len() as u64);
                        None
                    }
                    Err(what) => return flaw(what, &position),
                }
            };
            if let (Some(rank), Some(above)) = (done, line.last_mut()) {
                above.below = above.below.max(rank);
            }
        }
        let Some(top) = line.last_mut() else {
            checked.nodes = frontier.nodes;
            return Ok(Some(checked));
        };
        if let Some(&mv) = top.moves.get(top.next) {
            top.next += 1;
            let mut child = top.position.clone();
            game.play(&mut child, mv);
            coming = Some(child);
            continue;
        }
        if claim.goal == Wdl::Win && top.rank.is_some_and(|rank| rank <= top.below) {
            return flaw("the strategy gets no nearer to its goal", &top.position);
        }
        let rank = top.rank.unwrap_or(top.below);
        if let Some((_, state)) = seen.get_mut(&top.key) {
            *state = State::Done(rank);
        }
        line.pop();
        if let Some(above) = line.last_mut() {
            above.below = above.below.max(rank);
        }
    }
}

/// What is to be done with a position.
fn look<G: Game + Repetition + Ranked>(
    game: &G,
    position: &G::Position,
    key: u64,
    claim: &Claim<'_>,
    ends: &Ends<'_, G>,
    frontier: &mut Frontier<'_, G>,
    checked: &mut Checked,
) -> Result<Look<G::Move>, &'static str> {
    if game.turn(position) != Turn::Over && ends.known(position).is_some() {
        checked.from_database += 1;
    }
    match ends.good(position, key) {
        Some(true) => return Ok(Look::End),
        Some(false) if game.turn(position) == Turn::Over => return Err("the game ends badly"),
        Some(false) => return Err("the value is worse than claimed"),
        None => (),
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    if moves.is_empty() {
        return Err("there is no move");
    }
    let own = match game.turn(position) {
        Turn::Player(player) => usize::from(player) == claim.holder,
        _ => return Err("there is chance"),
    };
    if !own {
        return Ok(Look::Play(moves, None));
    }
    let Some((bits, rank)) = (claim.strategy)(key) else {
        if claim.frontier == 0 {
            return Err("the strategy has no move");
        }
        checked.frontier += 1;
        if claim.sample.has(key) {
            checked.searched += 1;
            if !frontier.holds(position, claim.frontier, |key| (claim.strategy)(key).is_some()) {
                return Err("the strategy has no move, and a search finds none");
            }
        }
        return Ok(Look::End);
    };
    moves.retain(|mv| mv.pack() == bits);
    moves.truncate(1);
    if moves.is_empty() { Err("the move of the strategy is not legal") } else { Ok(Look::Play(moves, Some(rank))) }
}

/// What ends the look at a line: the end of the game, the database, what was played before the root.
pub(crate) struct Ends<'a, G: Game> {
    game: &'a G,
    claim: &'a Claim<'a>,
    middle: Score,
}

impl<'a, G: Game + Repetition + Ranked> Ends<'a, G> {
    fn new(game: &'a G, claim: &'a Claim<'a>) -> Self {
        Self { game, claim, middle: game.range(claim.holder).middle() }
    }

    fn enough(&self, score: Score) -> bool {
        match self.claim.goal {
            Wdl::Win => score > self.middle,
            _ => score >= self.middle,
        }
    }

    /// The value for the holder that the database knows.
    fn known(&self, position: &G::Position) -> Option<Wdl> {
        let place = self.game.place(position)?;
        match self.claim.database?.value(place)? {
            Wdl::Unknown => None,
            value if self.game.turn(position) == Turn::Player(self.claim.holder as u8) => Some(value),
            value => Some(value.reversed()),
        }
    }

    /// Whether the holder has what he wants in a position where nothing more is to be looked at.
    fn good(&self, position: &G::Position, key: u64) -> Option<bool> {
        if self.game.turn(position) == Turn::Over {
            return Some(self.enough(self.game.score(position, self.claim.holder)));
        }
        if let Some(value) = self.known(position) {
            return Some(value == Wdl::Win || value == self.claim.goal);
        }
        if !G::REPEATS || self.claim.past.is_empty() {
            return None;
        }
        // the rules end a game whose position was played before the root often enough
        let times = self.claim.past.iter().filter(|&&before| before == key).count() as u32;
        let score = self.game.repeated(position, times + 1, self.claim.holder).filter(|_| times > 0)?;
        Some(self.enough(score))
    }

    /// Whether the holder has what he wants where a game comes back to a position for ever.
    fn good_to_repeat(&self, position: &G::Position) -> bool {
        let score = self.game.repeated(position, u32::MAX, self.claim.holder).filter(|_| G::REPEATS);
        score.is_some_and(|score| self.enough(score))
    }
}
