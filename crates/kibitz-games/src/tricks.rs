//! What Hearts and Spades have in common: hands of cards that are played in tricks.
//!
//! Cards are dealt by chance, one after the other to the players in turn; then cards may be passed on or tricks be bid; then everybody
//! plays a card in turn, of the suit that was led if possible, and the highest card of that suit or the highest trump takes the trick and leads to
//! the next. A [`Variant`] says what a trick is worth and what players want.

mod capability;
pub(crate) mod cards;
#[cfg(test)]
pub(crate) mod counting;
mod guess;
mod notation;
mod picture;
mod variant;

use kibitz_game::{BadText, Bits, Game, Range, Score, Turn, mix};

use cards::{Card, suit, suit_of};
pub use variant::{Setup, Variant};
pub(crate) use variant::{cards_each, each_player};

/// How far the hand has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Deal,
    Pass,
    Bid,
    Play,
}

/// A position. What cannot matter is not kept, so that transpositions meet: with open hands nobody needs to remember what was
/// played, and what no rule asks for is never set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) hands: [u64; 4],
    /// The cards of finished tricks, if hands are hidden.
    gone: u64,
    /// The cards that everybody has passed on, while they are chosen and, if hands are hidden, afterwards.
    passed: [u64; 4],
    /// The cards of the trick in the order of play.
    trick: [Card; 4],
    played: u8,
    leader: u8,
    pub(crate) stage: Stage,
    /// What everybody's tricks were worth so far.
    pub(crate) taken: [u8; 4],
    pub(crate) bids: [u8; 4],
    /// The suits that everybody has shown to have none of, if hands are hidden.
    voids: [u8; 4],
    /// Whether the suit that must be broken has been.
    broken: bool,
    /// Whether this is the first trick, where that matters.
    first: bool,
}

/// The bid of a player who has not bid yet.
pub(crate) const NO_BID: u8 = u8::MAX;
/// How many cards are passed on.
const PASSED: u32 = 3;

/// What one point or trick counts: shares of three and of four players are whole numbers.
pub(crate) const UNIT: Score = 12;

/// A move: a card, or [`BID`] more than a number of tricks.
pub(crate) type Move = u8;
const BID: Move = 64;
/// All moves.
const MOVES: usize = BID as usize + 18;

impl Position {
    /// The cards on the table.
    #[inline(always)]
    pub(crate) fn on_table(&self) -> u64 {
        self.trick[..usize::from(self.played & 7).min(4)].iter().fold(0, |set, &card| set | 1 << card)
    }

    /// All cards that are still to be taken.
    #[inline(always)]
    pub(crate) fn left(&self) -> u64 {
        (self.hands[0] | self.hands[1]) | (self.hands[2] | self.hands[3]) | self.on_table()
    }

    /// Tricks still to be taken.
    pub(crate) fn tricks_left(&self) -> u32 {
        self.hands.iter().map(|hand| hand.count()).max().unwrap_or(0).max(u32::from(self.played > 0))
    }
}

/// The rules of a game of tricks.
#[derive(Clone, Debug)]
pub struct Tricks<V> {
    pub(crate) setup: Setup,
    pub(crate) variant: V,
}

impl<V: Variant> Tricks<V> {
    /// The player whose turn it is, if it is anybody's.
    #[inline(always)]
    fn mover(&self, position: &Position) -> usize {
        let players = self.setup.players;
        match position.stage {
            Stage::Deal => 0,
            Stage::Pass => (0..players).find(|&player| position.passed[player].count() < PASSED).unwrap_or(0),
            Stage::Bid => (0..players).find(|&player| position.bids[player] == NO_BID).unwrap_or(0),
            Stage::Play => {
                let seat = usize::from(position.leader) + usize::from(position.played);
                (if seat >= players { seat - players } else { seat }) & 3
            }
        }
    }

    /// The card that takes the trick as it is.
    #[inline(always)]
    fn winning(position: &Position) -> (usize, Card) {
        let (mut place, mut best) = (0, position.trick[0]);
        for i in 1..usize::from(position.played).min(4) {
            let card = position.trick[i];
            let higher = suit_of(card) == suit_of(best) && card > best;
            if higher || suit_of(card) != suit_of(best) && V::TRUMP == Some(suit_of(card)) {
                (place, best) = (i, card);
            }
        }
        (place, best)
    }

    /// The cards that a player may play.
    #[inline(always)]
    fn playable(&self, position: &Position, hand: u64) -> u64 {
        if position.played > 0 {
            let following = hand & suit(suit_of(position.trick[0]));
            if following != 0 {
                return following;
            }
            if position.first && self.setup.clean {
                let clean = hand & !Self::counting(hand);
                return if clean == 0 { hand } else { clean };
            }
            return hand;
        }
        if position.first && self.setup.club {
            let club = hand & self.setup.lowest_club();
            return if club == 0 { hand } else { club };
        }
        if self.setup.breaking && !position.broken {
            let others = hand & !suit(V::BREAKS);
            return if others == 0 { hand } else { others };
        }
        hand
    }

    /// The cards that are worth something by themselves.
    fn counting(hand: u64) -> u64 {
        hand.squares()
            .map(|card| 1 << card)
            .filter(|&card| V::worth(card) > V::worth(0))
            .fold(0, |set, card| set | card)
    }

    /// One card of each run of equivalent ones, the highest: every card between two of a run is one's own, has been played or is not
    /// in the deal. The card that is taking the trick still separates cards, the others on the table do not
    /// (N. Sturtevant's later Hearts program). With hidden hands only what everybody knows counts.
    #[inline(always)]
    fn representatives(&self, position: &Position, mover: usize, playable: u64) -> u64 {
        let hand = position.hands[mover];
        let mut between = if self.setup.open {
            position.left() & !hand & !position.on_table()
        } else {
            self.setup.deck & !hand & !position.gone & !position.on_table()
        };
        if position.played > 0 {
            between |= 1 << Self::winning(position).1;
        }
        let alike = playable & !V::UNIQUE;
        let mut chosen = playable & V::UNIQUE;
        for card in alike.squares() {
            // the next higher card of the suit that is alike or between
            let above = (alike | between) & suit(card as usize / 16) & (!0 << 1 << card);
            let next = above & above.wrapping_neg();
            if next & alike == 0 {
                chosen |= 1 << card;
            }
        }
        chosen
    }

    /// The cards that a legal move stands for, itself among them.
    fn stands_for(&self, position: &Position, card: Card) -> u64 {
        let alone = 1 << card;
        if position.stage != Stage::Play || alone & V::UNIQUE != 0 {
            return alone;
        }
        let playable = self.playable(position, position.hands[self.mover(position)]) & !V::UNIQUE;
        // each card is represented by the next higher one that is a move
        let below = playable & suit(suit_of(card)) & ((2u64 << card) - 1);
        let next_move = self.moves_of(position) & !V::UNIQUE & below & !alone;
        if next_move == 0 { below } else { below & (!0 << 1 << next_move.ilog2()) }
    }

    fn moves_of(&self, position: &Position) -> u64 {
        let mover = self.mover(position);
        let hand = position.hands[mover];
        match position.stage {
            Stage::Deal => self.setup.deck & !position.left(),
            Stage::Pass => hand & !position.passed[mover],
            Stage::Bid => 0,
            Stage::Play => {
                let playable = self.playable(position, hand);
                if self.setup.equivalent { self.representatives(position, mover, playable) } else { playable }
            }
        }
    }

    /// The least and the greatest bid of the player to move: partners bid no more than there are tricks.
    fn bids(&self, position: &Position) -> (u8, u8) {
        let (least, most) = self.setup.bids.unwrap_or((0, 0));
        let mover = self.mover(position);
        let partner = self.setup.side(mover).find(|&partner| partner != mover).map(|partner| position.bids[partner]);
        let partner = partner.filter(|&bid| bid != NO_BID).unwrap_or(0);
        (least.min(most.saturating_sub(partner)), most.saturating_sub(partner))
    }

    /// What comes after the deal.
    fn begin(&self, position: &mut Position) {
        position.stage = if self.setup.pass_to > 0 {
            Stage::Pass
        } else if self.setup.bids.is_some() {
            Stage::Bid
        } else {
            Stage::Play
        };
        if position.stage == Stage::Play {
            self.lead(position);
        }
    }

    /// The first trick.
    fn lead(&self, position: &mut Position) {
        position.stage = Stage::Play;
        position.first = self.setup.club || self.setup.clean;
        if self.setup.club {
            let club = self.setup.lowest_club();
            position.leader = position.hands.iter().position(|&hand| hand & club != 0).unwrap_or(0) as u8;
        }
    }

    fn pass_on(&self, position: &mut Position) {
        let players = self.setup.players;
        for player in 0..players {
            position.hands[player] &= !position.passed[player];
        }
        for player in 0..players {
            position.hands[(player + self.setup.pass_to) % players] |= position.passed[player];
        }
        if self.setup.open {
            position.passed = [0; 4];
        }
        self.lead(position);
    }

    #[inline(always)]
    fn play_card(&self, position: &mut Position, card: Card) {
        let mover = self.mover(position);
        position.hands[mover] &= !(1 << card);
        if self.setup.breaking {
            position.broken |= self.variant.breaks(1 << card);
        }
        if !self.setup.open && position.played > 0 && suit_of(card) != suit_of(position.trick[0]) {
            position.voids[mover] |= 1 << suit_of(position.trick[0]);
        }
        position.trick[usize::from(position.played & 3)] = card;
        position.played += 1;
        if usize::from(position.played) == self.setup.players {
            let (place, _) = Self::winning(position);
            let winner = (usize::from(position.leader) + place) % self.setup.players;
            let cards = position.on_table();
            position.taken[winner] = position.taken[winner].saturating_add(V::worth(cards) as u8);
            if !self.setup.open {
                position.gone |= cards;
            }
            position.trick = [0; 4];
            position.played = 0;
            position.leader = winner as u8;
            position.first = false;
        }
    }
}

impl<V: Variant> Game for Tricks<V> {
    type Position = Position;
    type Move = Move;
    const MANY: bool = true;

    fn players(&self) -> usize {
        self.setup.players
    }

    fn start(&self) -> Position {
        Position {
            hands: [0; 4],
            gone: 0,
            passed: [0; 4],
            trick: [0; 4],
            played: 0,
            leader: 0,
            stage: Stage::Deal,
            taken: [0; 4],
            bids: [NO_BID; 4],
            voids: [0; 4],
            broken: false,
            first: false,
        }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.stage == Stage::Deal {
            return Turn::Chance;
        }
        if position.stage == Stage::Play
            && position.played == 0
            && position.hands[usize::from(position.leader & 3)] == 0
        {
            return Turn::Over;
        }
        Turn::Player(self.mover(position) as u8)
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.stage == Stage::Bid {
            let (least, most) = self.bids(position);
            out.extend((least..=most).map(|bid| BID + bid));
        } else {
            out.extend(self.moves_of(position).squares().map(|card| card as Move));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        match position.stage {
            Stage::Play => self.play_card(position, mv & 63),
            Stage::Deal => {
                let dealt = position.left().count();
                position.hands[dealt as usize % self.setup.players] |= 1 << (mv & 63);
                if dealt + 1 == self.setup.cards * self.setup.players as u32 {
                    self.begin(position);
                }
            }
            Stage::Pass => {
                let mover = self.mover(position);
                position.passed[mover] |= 1 << (mv & 63);
                if mover + 1 == self.setup.players && position.passed[mover].count() == PASSED {
                    self.pass_on(position);
                }
            }
            Stage::Bid => {
                let mover = self.mover(position);
                position.bids[mover] = mv.saturating_sub(BID);
                if mover + 1 == self.setup.players {
                    self.lead(position);
                }
            }
        }
    }

    fn score(&self, position: &Position, player: usize) -> Score {
        self.variant.score(&self.setup, position, player)
    }

    fn range(&self, player: usize) -> Range {
        self.variant.range(&self.setup, player)
    }

    fn unit(&self) -> Score {
        UNIT
    }

    fn key(&self, position: &Position) -> u64 {
        let words = |bytes: [u8; 4]| u64::from(u32::from_le_bytes(bytes));
        let flags = u64::from(position.broken) << 8 | u64::from(position.first) << 9 | (position.stage as u64) << 10;
        let state = u64::from(position.leader) << 4 | u64::from(position.played) | flags;
        let [first, second, third, fourth] = position.hands;
        let mut key = mix(first, second) ^ mix(!third, fourth).rotate_left(9);
        // unplayed places of a trick are zero, and the number of cards played is part of the state
        key ^= mix(words(position.trick) | words(position.taken) << 32, state).rotate_left(21);
        if !self.setup.open || self.setup.bids.is_some() || position.stage == Stage::Pass {
            key ^= mix(position.gone, words(position.voids) | words(position.bids) << 32).rotate_left(33);
            key ^= position.passed.iter().fold(0, |key, &passed| mix(key, passed)).rotate_left(41);
        }
        key
    }

    fn write(&self, position: &Position) -> String {
        self.text(position, None)
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        self.parse(text)
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        if mv < BID { cards::name(mv) } else { (mv - BID).to_string() }
    }
}
