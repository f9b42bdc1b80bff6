//! What Hearts and Spades have in common: hands of cards that are played in tricks.
//!
//! Cards are dealt by chance, one after the other to the players in turn; then cards may be passed on or tricks be bid; then everybody
//! plays a card in turn, of the suit that was led if possible, and the highest card of that suit or the highest trump takes the trick and leads to
//! the next. A [`Variant`] says what a trick is worth and what players want.

pub(crate) mod cards;
#[cfg(test)]
pub(crate) mod counting;
mod guess;
mod notation;
mod picture;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params,
    Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

use cards::{CLUBS, Card, suit, suit_of};
use guess::{Deal, RECEIVERS};

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
    fn lowest_club(&self) -> u64 {
        let clubs = self.deck & suit(CLUBS);
        clubs & clubs.wrapping_neg()
    }

    /// The side of a player: two partners of four, or one player alone.
    pub(crate) fn side(&self, player: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let step = if self.partners { 2 } else { 4 };
        (player % step..self.players).step_by(step)
    }
}

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

    /// The hands that a player does not know, drawn anew.
    fn drawn(&self, position: &Position, player: usize, random: &mut Random) -> Option<Position> {
        let mut guess = *position;
        let own = position.hands[player];
        let table = position.on_table();
        let mut known = [0; 4];
        known[player] = own;
        if position.stage == Stage::Play {
            // what one has passed on is where it went unless it has been played
            let to = (player + self.setup.pass_to) % self.setup.players;
            known[to] |= position.passed[player] & !position.gone & !table;
            if position.first && self.setup.club && position.played == 0 {
                known[usize::from(position.leader & 3)] |= self.setup.lowest_club();
            }
        }
        let all = known.iter().fold(position.gone | table, |all, known| all | known);
        let mut deal = Deal { cards: self.setup.deck & !all, needs: [0; RECEIVERS], voids: [0; RECEIVERS] };
        for other in (0..self.setup.players).filter(|&other| other != player) {
            deal.needs[other] = position.hands[other].count().checked_sub(known[other].count())?;
            deal.voids[other] = position.voids[other];
        }
        deal.needs[4] = deal.cards.count().checked_sub(deal.needs.iter().sum())?;
        let dealt = guess::deal(&deal, random)?;
        let from = (player + self.setup.players - self.setup.pass_to % self.setup.players) % self.setup.players;
        for other in (0..self.setup.players).filter(|&other| other != player) {
            guess.hands[other] = known[other] | dealt[other];
            if position.stage == Stage::Pass {
                let mut hand = guess.hands[other];
                guess.passed[other] = guess::draw(&mut hand, !0, position.passed[other].count(), random);
            } else if other != from {
                // nobody but these two knows what they have passed
                guess.passed[other] = 0;
            }
        }
        Some(guess)
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

/// What one point or trick counts: shares of three and of four players are whole numbers.
pub(crate) const UNIT: Score = 12;

impl<V: Variant> Evaluate for Tricks<V> {
    const INFORMED: bool = true;

    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let range = self.range(player);
        self.variant.value(&self.setup, position, player).clamp(range.low + 1, range.high - 1)
    }

    fn bounds(&self, position: &Position, player: usize) -> Range {
        if position.stage == Stage::Play {
            self.variant.bounds(&self.setup, position, player)
        } else {
            self.range(player)
        }
    }

    /// The cards that are out of the hands.
    fn progress(&self, position: &Position) -> Option<u32> {
        let all = self.setup.cards * self.setup.players as u32;
        (position.stage == Stage::Play)
            .then(|| all.saturating_sub(position.hands.iter().map(|hand| hand.count()).sum()))
    }

    fn greatest_sum(&self) -> Option<i64> {
        self.variant.greatest_sum(&self.setup)
    }
}

impl<V: Variant> Order for Tricks<V> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        MOVES
    }

    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }

    /// Who cannot win the trick plays low cards first; who can win it by a trump tries the lowest that does (N. Sturtevant,
    /// *Current Challenges in Multi-Player Game Search*, 2004). The rest is not published: winning cards of the suit led come
    /// before losing ones, high leads first in Spades and low ones in Hearts.
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        if position.stage != Stage::Play || mv >= BID {
            return 0;
        }
        let low = 6 - i32::from(cards::rank_of(mv));
        if position.played == 0 {
            return if V::LEADS_LOW { low } else { -low };
        }
        let best = Self::winning(position).1;
        let trumps = V::TRUMP == Some(suit_of(mv)) && suit_of(best) != suit_of(mv);
        if trumps {
            return 1 + low.max(-6);
        }
        if suit_of(mv) == suit_of(best) && mv > best && !V::LEADS_LOW {
            return 7;
        }
        low
    }
}

impl<V: Variant> Playout for Tricks<V> {}

impl<V: Variant> Chance for Tricks<V> {
    const CHANCE: bool = true;
    const ALWAYS_CHANCE: bool = true;

    fn probability(&self, position: &Position, _: Move) -> f64 {
        1.0 / f64::from(self.moves_of(position).count())
    }

    fn outcomes(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        let cards = self.moves_of(position);
        let probability = 1.0 / f64::from(cards.count());
        out.extend(cards.squares().map(|card| (card as Move, probability)));
    }

    fn sample(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let cards = self.moves_of(position);
        cards.nth(random.below(cards.count() as usize) as u32) as Move
    }
}

impl<V: Variant> Hidden for Tricks<V> {
    const HIDDEN: bool = true;

    fn hides(&self) -> bool {
        !self.setup.open
    }

    fn opened(&self) -> Option<Self> {
        let mut opened = self.clone();
        opened.setup.open = true;
        (!self.setup.open).then_some(opened)
    }

    fn view(&self, position: &Position, player: usize) -> String {
        self.text(position, if self.setup.open { None } else { Some(player) })
    }

    fn guess(&self, position: &Position, player: usize, random: &mut Random) -> Position {
        if self.setup.open {
            return *position;
        }
        // a position always agrees with itself, so that there is a deal
        self.drawn(position, player, random).unwrap_or(*position)
    }
}

impl<V: Variant> Repetition for Tricks<V> {}
impl<V: Variant> Ranked for Tricks<V> {}
impl<V: Variant> Puzzle for Tricks<V> {}
/// Nobody can play out of turn: a trick would lack cards, and hands would differ in size.
impl<V: Variant> AnyTurn for Tricks<V> {}

impl<V: Variant> Draw for Tricks<V> {
    fn board(&self, position: &Position) -> String {
        picture::board(self, position)
    }

    fn svg(&self, position: &Position) -> String {
        picture::svg(self, position, None)
    }

    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        (mv < BID).then(|| picture::svg(self, position, Some(mv)))
    }
}

impl<V: Variant> Configure for Tricks<V> {
    const SUMMARY: &'static str = V::SUMMARY;
    const RULES: &'static str = V::RULES;

    fn parameters() -> Vec<Parameter> {
        let mut parameters = V::parameters();
        parameters.extend([
            Parameter::word("hands", &["hidden", "open"], "who sees a hand: its owner, or everybody"),
            Parameter::flag(
                "equivalent",
                true,
                "whether one move stands for all cards of a run that are as good as each other",
            ),
        ]);
        parameters
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let (variant, mut setup) = V::configure(params)?;
        setup.open = params.word("hands") == "open";
        setup.equivalent = params.flag("equivalent");
        Ok(Self { setup, variant })
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
