//! A game of many players as a game of two: the player at the root, MAX, and all the others, MIN.
//!
//! Which moves MIN has makes the method. Alpha-beta searches the game that comes of it and knows nothing of all this, so
//! that everything it can do (tables, killers, history, null moves, multi-cut) is there at once, and for two players it is
//! alpha-beta on the game itself, node by node.

use std::sync::Mutex;

use kibitz_game::{
    AnyTurn, BadText, Chance, Evaluate, Game, Hidden, Order, Pack, Playout, Puzzle, Random, Range, Ranked, Repetition,
    Score, Turn,
};

use super::leaf;
use crate::{Noise, Searchable};

/// What MIN may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Every opponent moves in his turn, all against MAX (Sturtevant and Korf 2000).
    Paranoid,
    /// One opponent moves, whichever has the strongest reply, and the others pass (Schadd and Winands 2011).
    BestReply,
    /// One opponent makes the move that is best against MAX; the others make the first move of the static ordering in
    /// their turn, so that no rule is broken (Esser, Gras, Winands, Schadd and Lanctot 2013).
    BestReplyPlus,
    /// Nobody but MAX moves: the ablation that Schadd and Winands name.
    RootOnly,
}

impl Reduction {
    /// To which depth of the game a search of this depth looks, if nobody is skipped: a reply of all opponents together stands
    /// for a move of each.
    pub fn depth_in_game(self, depth: u32, players: u32) -> u32 {
        match self {
            Self::Paranoid => depth,
            Self::RootOnly => depth * players,
            Self::BestReply | Self::BestReplyPlus => depth.div_ceil(2) + (players - 1) * (depth / 2),
        }
    }
}

/// What MAX makes large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utility {
    /// What MAX has less what all others have ([`Evaluate::evaluate`]), as in all experiments of Schadd and Winands.
    Difference,
    /// What MAX has ([`Evaluate::own_value`]).
    Own,
}

/// The rules of the reduced game.
pub(crate) struct Reduced<'a, G: Searchable> {
    pub(crate) game: &'a G,
    pub(crate) reduction: Reduction,
    pub(crate) utility: Utility,
    pub(crate) noise: Noise,
    /// The player at the root.
    pub(crate) max: u8,
    players: u8,
    /// Whether sides alternate whatever the rules of the game say about turns.
    alternates: bool,
    /// Moves of one opponent on their way into the list of all.
    buffer: Mutex<Vec<G::Move>>,
}

/// A position with the side to move.
#[derive(Clone, PartialEq)]
pub(crate) struct Sided<P> {
    pub(crate) inner: P,
    /// Whether MIN is to move, where that does not follow from the position.
    min: bool,
}

impl<P: Clone> Sided<P> {
    /// The root, where MAX is to move.
    pub(crate) fn root(position: &P) -> Self {
        Self { inner: position.clone(), min: false }
    }
}

/// A move with who makes it: in best-reply search a player, in [`Reduction::BestReplyPlus`] the number of opponents who make
/// their first move before. In paranoid search it is 0.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Reply<M> {
    pub(crate) mv: M,
    /// What orders a move that is not made in the position of the node, and [`ASK`] for one that is.
    index: u32,
    who: u8,
    hint: i8,
}

/// The index and the hint of a move are asked for when they are needed.
const ASK: u32 = u32::MAX;

/// The side that moves does nothing, since it cannot.
const PASS: u8 = 15;
/// Where the bits of a packed move end.
const BITS: u32 = 60;

impl<M: Pack> Pack for Reply<M> {
    #[inline(always)]
    fn pack(self) -> u64 {
        if self.who == PASS {
            return u64::from(PASS) << BITS;
        }
        self.mv.pack() ^ u64::from(self.who) << BITS
    }

    fn unpack(bits: u64) -> Self {
        Self { mv: M::unpack(bits & ((1 << BITS) - 1)), index: ASK, who: (bits >> BITS) as u8, hint: 0 }
    }
}

/// What the key of a position with MIN to move is changed by.
const MIN: u64 = 0x9E6C_63D0_876A_3F6B;

impl<'a, G: Searchable> Reduced<'a, G> {
    pub(crate) fn new(game: &'a G, reduction: Reduction, utility: Utility, noise: Noise, max: u8) -> Self {
        // With two players the turns of the game are those of the reduced one, even where it lets a player move twice.
        let alternates = reduction == Reduction::BestReply && game.players() > 2;
        let players = game.players() as u8;
        Self { game, reduction, utility, noise, max, players, alternates, buffer: Mutex::new(Vec::with_capacity(256)) }
    }

    /// The opponents in the order of their turns.
    #[inline(always)]
    fn opponents(&self) -> impl Iterator<Item = u8> + use<G> {
        let (max, players) = (self.max, self.players);
        (max + 1..players).chain(0..max)
    }

    /// Lends the buffer. Where several threads search, whoever finds it lent has one of his own.
    #[inline(always)]
    fn with_buffer<R>(&self, work: impl FnOnce(&mut Vec<G::Move>) -> R) -> R {
        match self.buffer.try_lock() {
            Ok(mut buffer) => work(&mut buffer),
            Err(_) => work(&mut Vec::new()),
        }
    }

    /// A move of the player to move in a position that is not that of the node.
    #[inline(always)]
    fn reply(&self, position: &G::Position, mv: G::Move, player: u8, who: u8) -> Reply<G::Move> {
        let indices = self.game.indices();
        let index = if indices > 0 { usize::from(player) * indices + self.game.index(position, mv) } else { 0 };
        let hint = if G::HINTED { self.game.hint(position, mv).clamp(-7, 7) as i8 } else { 0 };
        Reply { mv, index: index as u32, who, hint }
    }

    /// The move that a static ordering puts first.
    fn first_move(&self, position: &G::Position, buffer: &mut Vec<G::Move>) -> Option<G::Move> {
        buffer.clear();
        self.game.moves(position, buffer);
        if !G::HINTED {
            return buffer.first().copied();
        }
        // the first of equal ones
        let mut best: Option<(i32, G::Move)> = None;
        for &mv in buffer.iter() {
            let hint = self.game.hint(position, mv);
            if best.is_none_or(|(top, _)| hint > top) {
                best = Some((hint, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Whether an opponent is to move by the rules of the game.
    fn opponent_to_move(&self, position: &G::Position) -> bool {
        matches!(self.game.turn(position), Turn::Player(player) if player != self.max)
    }

    /// The moves of MAX, or those of all opponents, whose turn it is given to for that.
    #[inline(always)]
    fn list_of_side(&self, position: &G::Position, side: u8, buffer: &mut Vec<G::Move>, out: &mut Vec<Reply<G::Move>>) {
        let mut list = |player: u8| {
            let mut turned = position.clone();
            if !self.game.give_turn(&mut turned, usize::from(player)) {
                return;
            }
            buffer.clear();
            self.game.moves(&turned, buffer);
            if side == 0 {
                out.extend(buffer.iter().map(|&mv| Reply { mv, index: ASK, who: player, hint: 0 }));
            } else {
                out.extend(buffer.iter().map(|&mv| self.reply(&turned, mv, player, player)));
            }
        };
        if side == 0 {
            list(self.max);
        } else {
            self.opponents().for_each(list);
        }
    }

    /// The replies of [`Reduction::BestReplyPlus`]: all moves of the first opponent, then what the second can do after the first
    /// one's first move, and so on.
    fn list_in_turn(&self, position: &G::Position, buffer: &mut Vec<G::Move>, out: &mut Vec<Reply<G::Move>>) {
        let mut position = position.clone();
        for step in 0..self.players - 1 {
            let Some(first) = self.first_move(&position, buffer) else { return };
            let mut next = position.clone();
            self.game.play(&mut next, first);
            // the first move is a reply only of the last opponent: the others reply after it
            let last = step + 2 == self.players || !self.opponent_to_move(&next);
            let replies = buffer.iter().filter(|&&mv| last || mv != first);
            let Turn::Player(player) = self.game.turn(&position) else { return };
            out.extend(replies.map(|&mv| self.reply(&position, mv, player, step)));
            if last {
                return;
            }
            position = next;
        }
    }

    /// Lets opponents make their first moves until MAX is to move, or so many have moved.
    fn play_first_moves(&self, position: &mut G::Position, moves: u8, buffer: &mut Vec<G::Move>) {
        for _ in 0..moves {
            if !self.opponent_to_move(position) {
                return;
            }
            let Some(mv) = self.first_move(position, buffer) else { return };
            self.game.play(position, mv);
        }
    }

    /// The moves of the game that a reply consists of, as far as the rules allow them one after the other; false when it is
    /// not what the rules allow next.
    pub(crate) fn expand(&self, position: &mut G::Position, reply: Reply<G::Move>, line: &mut Vec<G::Move>) -> bool {
        let Turn::Player(player) = self.game.turn(position) else { return false };
        if reply.who == PASS {
            return true;
        }
        let mut play = |position: &mut G::Position, mv: G::Move| {
            line.push(mv);
            self.game.play(position, mv);
        };
        match self.reduction {
            Reduction::BestReply if player != self.max && player != reply.who => return false,
            Reduction::RootOnly if player != self.max => return false,
            Reduction::BestReplyPlus if player != self.max => {
                let mut buffer = Vec::new();
                for step in 0..self.players - 1 {
                    if !self.opponent_to_move(position) {
                        break;
                    }
                    let first = self.first_move(position, &mut buffer);
                    let mv = if step == reply.who { Some(reply.mv) } else { first };
                    let Some(mv) = mv else { break };
                    play(position, mv);
                }
            }
            _ => play(position, reply.mv),
        }
        true
    }
}

impl<G: Searchable> Game for Reduced<'_, G> {
    type Position = Sided<G::Position>;
    type Move = Reply<G::Move>;

    const SLOW: bool = G::SLOW;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Self::Position {
        Sided::root(&self.game.start())
    }

    #[inline(always)]
    fn turn(&self, position: &Self::Position) -> Turn {
        match self.game.turn(&position.inner) {
            Turn::Player(_) if self.alternates => Turn::Player(u8::from(position.min)),
            Turn::Player(_) if self.reduction == Reduction::RootOnly => Turn::Player(0),
            Turn::Player(player) => Turn::Player(u8::from(player != self.max)),
            other => other,
        }
    }

    #[inline]
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        let first = out.len();
        let Turn::Player(side) = self.turn(position) else { return };
        self.with_buffer(|buffer| {
            if side == 1 && self.reduction == Reduction::BestReplyPlus {
                return self.list_in_turn(&position.inner, buffer, out);
            }
            if self.alternates {
                return self.list_of_side(&position.inner, side, buffer, out);
            }
            if self.reduction == Reduction::RootOnly && self.game.turn(&position.inner) != Turn::Player(self.max) {
                return;
            }
            buffer.clear();
            self.game.moves(&position.inner, buffer);
            let who = if self.reduction == Reduction::BestReply && side == 1 { 1 - self.max } else { 0 };
            out.extend(buffer.iter().map(|&mv| Reply { mv, index: ASK, who, hint: 0 }));
        });
        if out.len() == first {
            // nobody of this side can move; a pass is told apart from every move by who makes it
            out.push(Reply { mv: G::Move::unpack(0), index: 0, who: PASS, hint: 0 });
        }
    }

    #[inline]
    fn play(&self, position: &mut Self::Position, reply: Self::Move) {
        if self.alternates {
            if reply.who != PASS {
                self.game.give_turn(&mut position.inner, usize::from(reply.who));
                self.game.play(&mut position.inner, reply.mv);
            }
            position.min = !position.min;
            if !position.min && matches!(self.game.turn(&position.inner), Turn::Player(_)) {
                self.game.give_turn(&mut position.inner, usize::from(self.max));
            }
            return;
        }
        match self.reduction {
            Reduction::BestReplyPlus if self.opponent_to_move(&position.inner) => self.with_buffer(|buffer| {
                self.play_first_moves(&mut position.inner, reply.who, buffer);
                self.game.play(&mut position.inner, reply.mv);
                self.play_first_moves(&mut position.inner, self.players - 2 - reply.who, buffer);
            }),
            Reduction::RootOnly => {
                if reply.who != PASS {
                    self.game.play(&mut position.inner, reply.mv);
                }
                if matches!(self.game.turn(&position.inner), Turn::Player(_)) {
                    self.game.give_turn(&mut position.inner, usize::from(self.max));
                }
            }
            _ => self.game.play(&mut position.inner, reply.mv),
        }
    }

    #[inline]
    fn score(&self, position: &Self::Position, player: usize) -> Score {
        let score = self.game.score(&position.inner, usize::from(self.max));
        if player == 0 { score } else { -score }
    }

    fn range(&self, player: usize) -> Range {
        let Range { low, high } = self.game.range(usize::from(self.max));
        if player == 0 { Range { low, high } } else { Range { low: -high, high: -low } }
    }

    fn unit(&self) -> Score {
        self.game.unit()
    }

    fn result(&self, score: f64) -> f64 {
        self.game.result(score)
    }

    #[inline(always)]
    fn key(&self, position: &Self::Position) -> u64 {
        let key = self.game.key(&position.inner);
        if position.min { key ^ MIN } else { key }
    }

    fn write(&self, position: &Self::Position) -> String {
        self.game.write(&position.inner)
    }

    fn read(&self, text: &str) -> Result<Self::Position, BadText> {
        self.game.read(text).map(|inner| Sided::root(&inner))
    }

    fn write_move(&self, position: &Self::Position, reply: Self::Move) -> String {
        if reply.who == PASS { "pass".to_owned() } else { self.game.write_move(&position.inner, reply.mv) }
    }
}

impl<G: Searchable> Evaluate for Reduced<'_, G> {
    const INFORMED: bool = G::INFORMED;

    #[inline]
    fn evaluate(&self, position: &Self::Position, player: usize) -> Score {
        let value = leaf::scalar(self.game, &position.inner, self.max, self.utility, self.noise);
        if player == 0 { value } else { -value }
    }
}

impl<G: Searchable> Order for Reduced<'_, G> {
    /// A move of another player is another move.
    fn indices(&self) -> usize {
        self.game.indices() * usize::from(self.players)
    }

    #[inline(always)]
    fn index(&self, position: &Self::Position, reply: Self::Move) -> usize {
        if reply.index != ASK {
            return reply.index as usize;
        }
        let player = match self.game.turn(&position.inner) {
            Turn::Player(player) => usize::from(player),
            _ => 0,
        };
        player * self.game.indices() + self.game.index(&position.inner, reply.mv)
    }

    #[inline(always)]
    fn hint(&self, position: &Self::Position, reply: Self::Move) -> i32 {
        if reply.index == ASK { self.game.hint(&position.inner, reply.mv) } else { i32::from(reply.hint) }
    }

    const HINTED: bool = G::HINTED;
}

impl<G: Searchable> Chance for Reduced<'_, G> {
    const CHANCE: bool = G::CHANCE;
    const ALWAYS_CHANCE: bool = G::ALWAYS_CHANCE;
}

impl<G: Searchable> Repetition for Reduced<'_, G> {
    const REPEATS: bool = G::REPEATS;

    fn repeated(&self, position: &Self::Position, times: u32, player: usize) -> Option<Score> {
        let score = self.game.repeated(&position.inner, times, usize::from(self.max))?;
        Some(if player == 0 { score } else { -score })
    }
}

impl<G: Searchable> AnyTurn for Reduced<'_, G> {
    const PASSES: bool = G::PASSES || G::ANY_TURN;

    /// The other side moves; in paranoid search the next player does.
    fn pass(&self, position: &mut Self::Position) -> bool {
        if self.alternates {
            if position.min && !self.game.give_turn(&mut position.inner, usize::from(self.max)) {
                return false;
            }
            position.min = !position.min;
            return true;
        }
        self.reduction != Reduction::RootOnly && G::PASSES && self.game.pass(&mut position.inner)
    }

    fn zugzwang(&self, position: &Self::Position) -> bool {
        self.game.zugzwang(&position.inner)
    }
}

impl<G: Searchable> Hidden for Reduced<'_, G> {}

impl<G: Searchable> Playout for Reduced<'_, G> {
    /// Beyond the tree everybody moves in turn, as the rules say.
    fn playout(&self, position: &mut Self::Position, random: &mut Random, _: &mut Vec<Self::Move>, plies: u32) -> u32 {
        self.with_buffer(|buffer| self.game.playout(&mut position.inner, random, buffer, plies))
    }
}

impl<G: Searchable> Puzzle for Reduced<'_, G> {}
impl<G: Searchable> Ranked for Reduced<'_, G> {}
