//! The check of a strategy by the rules alone.
//!
//! It shares nothing with the searches that find strategies: it plays the strategy's move wherever its holder moves and every legal move elsewhere, from the root on, and looks at
//! every position that can come up once.
//!
//! A strategy that is to win must not come back to a position: then it ends, and every end is looked at. One that is to draw may, where the rules call an endless
//! game a draw, for a game that never leaves the positions of the strategy either ends well or repeats something.

use std::fmt;

use kibitz_game::{Game, Pack, Probe, Ranked, Repetition, Score, Stop, Turn, Wdl};
use rustc_hash::FxHashMap;

/// What is to be checked.
pub struct Claim<'a> {
    /// Who plays the strategy.
    pub holder: usize,
    /// The least that it reaches for him: a win or a draw.
    pub goal: Wdl,
    /// The packed move in the position with a key.
    pub strategy: &'a dyn Fn(u64) -> Option<u64>,
    /// The keys of the positions before the root.
    pub past: &'a [u64],
    /// A database whose values are believed.
    pub database: Option<&'a dyn Probe>,
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
}

/// Plays a strategy against everything. `Ok(None)` if it was stopped.
pub fn verify<G: Game + Repetition + Ranked>(
    game: &G,
    root: &G::Position,
    claim: &Claim<'_>,
    stop: &Stop,
) -> Result<Option<Checked>, Flaw> {
    let middle = game.range(claim.holder).middle();
    let enough = |score: Score| match claim.goal {
        Wdl::Win => score > middle,
        _ => score >= middle,
    };
    let flaw = |what: &str, position: &G::Position| Err(Flaw(format!("{what} in {}", game.write(position))));
    let mut seen: FxHashMap<u64, (G::Position, bool)> = FxHashMap::default();
    let mut line: Vec<Open<G::Position, G::Move>> = Vec::new();
    let mut checked = Checked::default();
    let mut coming = Some(root.clone());
    loop {
        if let Some(position) = coming.take() {
            let key = game.key(&position);
            if let Some((known, open)) = seen.get(&key) {
                if *known != position {
                    return flaw("two positions have the same key", &position);
                }
                if *open {
                    checked.repetitions += 1;
                    let score = game.repeated(&position, u32::MAX, claim.holder).filter(|_| G::REPEATS);
                    if !score.is_some_and(enough) {
                        return flaw("the strategy goes round in a circle", &position);
                    }
                }
            } else if game.turn(&position) == Turn::Over {
                checked.positions += 1;
                if !enough(game.score(&position, claim.holder)) {
                    return flaw("the game ends badly", &position);
                }
                seen.insert(key, (position, false));
            } else if let Some(value) = settled(game, &position, key, claim, &mut checked) {
                checked.positions += 1;
                let good = match value {
                    Ok(value) => value == Wdl::Win || value == claim.goal,
                    Err(score) => enough(score),
                };
                if !good {
                    return flaw("the value is worse than claimed", &position);
                }
                seen.insert(key, (position, false));
            } else {
                checked.positions += 1;
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                match game.turn(&position) {
                    Turn::Player(player) if usize::from(player) == claim.holder => {
                        let Some(bits) = (claim.strategy)(key) else {
                            return flaw("the strategy has no move", &position);
                        };
                        moves.retain(|mv| mv.pack() == bits);
                        moves.truncate(1);
                        if moves.is_empty() {
                            return flaw("the move of the strategy is not legal", &position);
                        }
                    }
                    Turn::Player(_) => (),
                    _ => return flaw("there is chance", &position),
                }
                if moves.is_empty() {
                    return flaw("there is no move", &position);
                }
                seen.insert(key, (position.clone(), true));
                line.push(Open { key, position, moves, next: 0 });
                checked.longest = checked.longest.max(line.len() as u64);
                if checked.positions.is_multiple_of(1024) && stop.ask() {
                    return Ok(None);
                }
            }
        }
        let Some(top) = line.last_mut() else { return Ok(Some(checked)) };
        if let Some(&mv) = top.moves.get(top.next) {
            top.next += 1;
            let mut child = top.position.clone();
            game.play(&mut child, mv);
            coming = Some(child);
        } else {
            if let Some((_, open)) = seen.get_mut(&top.key) {
                *open = false;
            }
            line.pop();
        }
    }
}

/// The value for the holder that the database knows, or his score if the position was played before the root so often that the rules end the game.
fn settled<G: Game + Repetition + Ranked>(
    game: &G,
    position: &G::Position,
    key: u64,
    claim: &Claim<'_>,
    checked: &mut Checked,
) -> Option<Result<Wdl, Score>> {
    if let Some(database) = claim.database
        && let Some(place) = game.place(position)
        && let Some(value @ (Wdl::Win | Wdl::Draw | Wdl::Loss)) = database.value(place)
    {
        checked.from_database += 1;
        let own = game.turn(position) == Turn::Player(claim.holder as u8);
        return Some(Ok(if own { value } else { value.reversed() }));
    }
    if G::REPEATS {
        let times = claim.past.iter().filter(|&&before| before == key).count() as u32;
        if times > 0 {
            return game.repeated(position, times + 1, claim.holder).map(Err);
        }
    }
    None
}
