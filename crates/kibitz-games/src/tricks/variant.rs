//! What a game of tricks is made of: the rules that differ, and the table with its optional rules.

use kibitz_game::{BadParameter, Bits, Parameter, Params, Range, Score};

use super::Position;
use super::cards::{CLUBS, suit};

/// A game of tricks.
pub trait Variant: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// One sentence about the game.
    const SUMMARY: &'static str;
    /// The rules as Markdown.
    const RULES: &'static str;
    /// The suit that beats all others.
    const TRUMP: Option<usize>;
    /// The suit that may have to be broken before it is led.
    const BREAKS: usize;
    /// Cards that are like no other.
    const UNIQUE: u64;

    /// The parameters beside those of all games of tricks.
    fn parameters() -> Vec<Parameter>;
    /// The game and its table, or why there is no such game.
    fn configure(params: &Params) -> Result<(Self, Setup), BadParameter>;
    /// Whether playing this card breaks the suit that must be broken.
    fn breaks(&self, card: u64) -> bool;
    /// What a trick with these cards is worth.
    fn worth(cards: u64) -> u32;
    /// The greatest final score and the least.
    fn range(&self, setup: &Setup, player: usize) -> Range;
    /// The greatest sum of scores, if it is known.
    fn greatest_sum(&self, setup: &Setup) -> Option<i64>;
    /// The score of a player with the worth of all tricks taken.
    fn score(&self, setup: &Setup, position: &Position, player: usize) -> Score;
    /// An estimate of it before the end.
    fn value(&self, setup: &Setup, position: &Position, player: usize) -> Score;
    /// Between which values it will be for sure.
    fn bounds(&self, setup: &Setup, position: &Position, player: usize) -> Range;
    /// Whether a lead is better low than high, for ordering moves.
    const LEADS_LOW: bool;
}

/// The table: who plays with which cards by which of the optional rules.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(crate) players: usize,
    /// Whether the players who sit across are partners.
    pub(crate) partners: bool,
    /// How many cards everybody gets.
    pub(crate) cards: u32,
    /// The cards from which hands are dealt.
    pub(crate) deck: u64,
    /// Whether everybody sees all hands.
    pub(crate) open: bool,
    /// Whether one move stands for all cards of a run.
    pub(crate) equivalent: bool,
    /// Whether a suit must be broken before it is led.
    pub(crate) breaking: bool,
    /// Whether the holder of the lowest club leads it to the first trick.
    pub(crate) club: bool,
    /// Whether nothing that counts may be thrown onto the first trick.
    pub(crate) clean: bool,
    /// Three cards go to the player so many seats on; 0 for none.
    pub(crate) pass_to: usize,
    /// The least and the greatest bid; none if nobody bids.
    pub(crate) bids: Option<(u8, u8)>,
}

impl Setup {
    /// The lowest club, which may have to be led first.
    pub(super) fn lowest_club(&self) -> u64 {
        let clubs = self.deck & suit(CLUBS);
        clubs & clubs.wrapping_neg()
    }

    /// The side of a player: two partners of four, or one player alone.
    pub(crate) fn side(&self, player: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let step = if self.partners { 2 } else { 4 };
        (player % step..self.players).step_by(step)
    }
}

/// How many cards everybody gets from a deck, of which 0 means all.
pub(crate) fn cards_each(cards: i64, deck: u64, players: usize) -> Result<u32, BadParameter> {
    let most = deck.count() / players as u32;
    if cards == 0 {
        return Ok(most);
    }
    if cards > i64::from(most) {
        return Err(BadParameter(format!(
            "cards={cards} are too many: {players} players can have {most} each of this deck"
        )));
    }
    Ok(cards as u32)
}

/// A number for each player: as given, or one for all.
pub(crate) fn each_player(params: &Params, name: &str, players: usize) -> Result<[i64; 4], BadParameter> {
    let given = params.list(name);
    if given.len() != 1 && given.len() != players {
        return Err(BadParameter(format!(
            "{name} has {} numbers; give one for all or one for each of {players} players",
            given.len()
        )));
    }
    Ok(std::array::from_fn(|player| given[if given.len() == 1 { 0 } else { player.min(given.len() - 1) }]))
}
