//! Positions of games of tricks as text.

use std::fmt::Write;

use kibitz_game::{BadText, Bits};

use super::cards::{self, PACK, letter, suit, suit_of, suit_of_letter};
use super::{NO_BID, PASSED, Position, Stage, Tricks, Variant};

const PLAYERS: &str = "ABCD";

/// The letter of a player.
pub(super) fn player_letter(player: usize) -> char {
    char::from(PLAYERS.as_bytes()[player & 3])
}

impl<V: Variant> Tricks<V> {
    /// The position as text; to a player only what that player knows, with the number of cards instead of hands that are hidden.
    pub(super) fn text(&self, position: &Position, viewer: Option<usize>) -> String {
        let players = 0..self.setup.players;
        let sees = |player: usize| viewer.is_none_or(|viewer| viewer == player);
        let joined =
            |parts: &mut dyn Iterator<Item = String>, separator: &str| parts.collect::<Vec<_>>().join(separator);
        let hand = |player: usize| {
            let hand = position.hands[player];
            if sees(player) { cards::write(hand) } else { format!("?{}", hand.count()) }
        };
        let mut text = joined(&mut players.clone().map(hand), " / ");
        let mover = player_letter(self.mover(position));
        let leader = player_letter(usize::from(position.leader));
        let _ = match position.stage {
            Stage::Deal => write!(text, "; deal"),
            Stage::Pass => write!(text, "; pass {mover}"),
            Stage::Bid => write!(text, "; bid {mover}"),
            Stage::Play => write!(text, "; lead {leader}"),
        };
        if position.played > 0 {
            let trick = position.trick[..usize::from(position.played).min(4)].iter().map(|&card| cards::name(card));
            let _ = write!(text, "; trick {}", joined(&mut trick.into_iter(), " "));
        }
        if position.taken != [0; 4] {
            let taken = players.clone().map(|player| position.taken[player].to_string());
            let _ = write!(text, "; taken {}", joined(&mut taken.into_iter(), " "));
        }
        if position.bids != [NO_BID; 4] {
            let bid = |player: usize| match position.bids[player] {
                NO_BID => "-".to_owned(),
                bid => bid.to_string(),
            };
            let _ = write!(text, "; bids {}", joined(&mut players.clone().map(bid), " "));
        }
        if position.broken {
            text += "; broken";
        }
        if position.first {
            text += "; first";
        }
        if position.voids != [0; 4] {
            let void = |player: usize| {
                let suits: String = (0..4).filter(|suit| position.voids[player] >> suit & 1 != 0).map(letter).collect();
                if suits.is_empty() { "-".to_owned() } else { suits }
            };
            let _ = write!(text, "; void {}", joined(&mut players.clone().map(void), " "));
        }
        if position.gone != 0 {
            let _ = write!(text, "; gone {}", cards::write(position.gone));
        }
        if position.passed != [0; 4] {
            let from = |player: usize| (player + self.setup.pass_to) % self.setup.players;
            let passed = |player: usize| {
                let cards = position.passed[player];
                // one knows what one has passed on and, afterwards, what one was given
                let known = sees(player) || position.stage == Stage::Play && sees(from(player));
                if known {
                    cards::write(cards)
                } else if position.stage == Stage::Pass {
                    format!("?{}", cards.count())
                } else {
                    "?".to_owned()
                }
            };
            let _ = write!(text, "; passed {}", joined(&mut players.map(passed), " / "));
        }
        text
    }

    /// The position of a text that [`Tricks::text`] wrote for nobody in particular.
    pub(super) fn parse(&self, text: &str) -> Result<Position, BadText> {
        let players = self.setup.players;
        let mut clauses = text.split(';').map(str::trim);
        let mut position = Position { stage: Stage::Play, ..kibitz_game::Game::start(self) };
        position.hands = self.sets(clauses.next().unwrap_or_default(), "hands")?;
        let mut staged = false;
        for clause in clauses {
            let (word, rest) = clause.split_once(char::is_whitespace).unwrap_or((clause, ""));
            let rest = rest.trim();
            match word {
                "deal" | "pass" | "bid" | "lead" if staged => return Err(BadText::new("there are two stages")),
                "deal" => position.stage = Stage::Deal,
                "pass" => position.stage = Stage::Pass,
                "bid" => position.stage = Stage::Bid,
                "lead" => {
                    let leader =
                        Some(rest).filter(|rest| rest.len() == 1).and_then(|rest| PLAYERS[..players].find(rest));
                    let names = &PLAYERS[..players];
                    position.leader =
                        leader.ok_or_else(|| BadText::new(format!("who leads is one of {names}, not {rest:?}")))? as u8;
                }
                "trick" => self.read_trick(&mut position, rest)?,
                "taken" => position.taken = self.numbers(rest, "taken")?.map(|number| number.unwrap_or(0)),
                "bids" => position.bids = self.numbers(rest, "bids")?.map(|number| number.unwrap_or(NO_BID)),
                "broken" => position.broken = self.setup.breaking,
                "first" => position.first = self.setup.club || self.setup.clean,
                "void" => self.read_voids(&mut position, rest)?,
                "gone" => position.gone = cards::read(rest)?,
                "passed" => position.passed = self.sets(rest, "passed cards")?,
                _ => {
                    return Err(BadText::new(format!(
                        "{clause:?} is not understood; after the hands come deal, pass, bid or lead and perhaps trick, taken, \
                         bids, broken, first, void, gone and passed"
                    )));
                }
            }
            staged |= matches!(word, "deal" | "pass" | "bid" | "lead");
        }
        if !staged {
            return Err(BadText::new("who leads is missing: \"; lead A\" after the hands"));
        }
        self.check(&mut position)?;
        Ok(position)
    }

    /// A set of cards for each player.
    fn sets(&self, text: &str, what: &str) -> Result<[u64; 4], BadText> {
        let parts: Vec<&str> = text.split('/').collect();
        if parts.len() != self.setup.players {
            let players = self.setup.players;
            return Err(BadText::new(format!(
                "there are {} {what} for {players} players; write / between them",
                parts.len()
            )));
        }
        let mut sets = [0; 4];
        for (set, part) in sets.iter_mut().zip(parts) {
            *set = cards::read(part)?;
        }
        Ok(sets)
    }

    /// A number, or `-`, for each player.
    fn numbers(&self, text: &str, what: &str) -> Result<[Option<u8>; 4], BadText> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        if parts.len() != self.setup.players {
            return Err(BadText::new(format!("{what} has {} numbers for {} players", parts.len(), self.setup.players)));
        }
        let mut numbers = [None; 4];
        for (number, part) in numbers.iter_mut().zip(parts) {
            if part != "-" {
                let plain = part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
                let read = part.parse().ok().filter(|_| plain);
                *number = Some(read.ok_or_else(|| BadText::new(format!("{part:?} is not a number for {what}")))?);
            }
        }
        Ok(numbers)
    }

    fn read_trick(&self, position: &mut Position, text: &str) -> Result<(), BadText> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        if parts.is_empty() || parts.len() >= self.setup.players {
            return Err(BadText::new(format!("a trick on the table has 1 to {} cards", self.setup.players - 1)));
        }
        position.played = parts.len() as u8;
        for (place, part) in position.trick.iter_mut().zip(parts) {
            *place = cards::parse(part)?;
        }
        Ok(())
    }

    fn read_voids(&self, position: &mut Position, text: &str) -> Result<(), BadText> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        if parts.len() != self.setup.players {
            return Err(BadText::new(format!("void has {} entries for {} players", parts.len(), self.setup.players)));
        }
        for (void, part) in position.voids.iter_mut().zip(parts) {
            for suit in part.chars().filter(|&letter| letter != '-') {
                let suit = suit_of_letter(suit)
                    .ok_or_else(|| BadText::new(format!("{suit:?} is not a suit: C, D, H or S")))?;
                *void |= 1 << suit;
            }
        }
        Ok(())
    }

    /// Whether the parts of a position agree; drops what is of no use.
    fn check(&self, position: &mut Position) -> Result<(), BadText> {
        let bad = |what: &str| Err(BadText::new(what));
        let (players, setup) = (self.setup.players, &self.setup);
        let sizes = || position.hands[..players].iter().map(|hand| hand.count());
        let table = position.on_table();
        if table.count() != u32::from(position.played) {
            return bad("a card is there twice");
        }
        let mut seen = 0;
        for set in position.hands.into_iter().chain([table, position.gone]) {
            if seen & set != 0 {
                return Err(BadText::new(format!("{} is there twice", cards::write(seen & set))));
            }
            seen |= set;
        }
        if seen & !(setup.deck & PACK) != 0 {
            return Err(BadText::new(format!("{} is not in this deck", cards::write(seen & !setup.deck))));
        }
        if sizes().any(|size| size > setup.cards) {
            return Err(BadText::new(format!("nobody has more than {} cards in this game", setup.cards)));
        }
        if position.stage != Stage::Play {
            if position.played > 0 || position.taken != [0; 4] || position.gone != 0 || position.voids != [0; 4] {
                return bad("nothing has been played before the play begins");
            }
            if position.broken || position.first || position.leader > 0 {
                return bad("nothing is broken or led before the play begins");
            }
        }
        match position.stage {
            Stage::Deal => {
                let dealt: u32 = sizes().sum();
                let fair = |player: usize| (dealt + (players - 1 - player) as u32) / players as u32;
                if sizes().enumerate().any(|(player, size)| size != fair(player)) {
                    return bad("cards are dealt one after the other to the players in turn");
                }
                if dealt >= setup.cards * players as u32 {
                    return bad("all cards have been dealt");
                }
                if position.passed != [0; 4] || position.bids != [NO_BID; 4] {
                    return bad("nobody passes or bids before all cards are dealt");
                }
            }
            Stage::Pass | Stage::Bid => {
                if sizes().any(|size| size != setup.cards) {
                    return Err(BadText::new(format!("everybody has {} cards before the play begins", setup.cards)));
                }
            }
            Stage::Play => self.check_play(position)?,
        }
        self.check_passing(position)?;
        self.check_bids(position)?;
        if setup.open {
            (position.gone, position.voids) = (0, [0; 4]);
        }
        Ok(())
    }

    fn check_play(&self, position: &mut Position) -> Result<(), BadText> {
        let (players, setup) = (self.setup.players, &self.setup);
        let seat = |player: usize| (player + players - usize::from(position.leader)) % players;
        let had =
            |player: usize| position.hands[player].count() + u32::from(seat(player) < usize::from(position.played));
        if (0..players).any(|player| had(player) != had(0)) || had(0) > setup.cards {
            return Err(BadText::new("everybody has as many cards as the others before the trick"));
        }
        let led = suit_of(position.trick[0]);
        for place in 1..usize::from(position.played) {
            let player = (usize::from(position.leader) + place) % players;
            if suit_of(position.trick[place]) != led {
                position.voids[player] |= 1 << led;
            }
        }
        for player in 0..players {
            let suits = (0..4).filter(|&of| position.voids[player] >> of & 1 != 0).fold(0, |set, of| set | suit(of));
            if position.hands[player] & suits != 0 {
                return Err(BadText::new(format!(
                    "player {} has cards of a suit that is said to be void",
                    player_letter(player)
                )));
            }
        }
        let total: u32 = position.taken.iter().map(|&taken| u32::from(taken)).sum();
        let left = V::worth(position.left()) - V::worth(0) + position.tricks_left() * V::worth(0);
        if total + left > self.most_taken() {
            return Err(BadText::new("more has been taken than there is"));
        }
        if position.first && (position.taken != [0; 4] || position.gone != 0) {
            return Err(BadText::new("nothing has been taken before the first trick"));
        }
        if position.first && setup.club && position.played == 0 {
            let club = setup.lowest_club();
            if position.hands[usize::from(position.leader)] & club == 0 {
                return Err(BadText::new(format!("who has the {} leads it", cards::write(club))));
            }
        }
        Ok(())
    }

    /// The greatest sum of what players have taken.
    fn most_taken(&self) -> u32 {
        V::worth(self.setup.deck) - V::worth(0) + self.setup.cards * V::worth(0)
    }

    fn check_passing(&self, position: &mut Position) -> Result<(), BadText> {
        let players = self.setup.players;
        if self.setup.pass_to == 0 {
            if position.stage == Stage::Pass || position.passed != [0; 4] {
                return Err(BadText::new("no cards are passed on in this game"));
            }
            return Ok(());
        }
        let counts: Vec<u32> = position.passed[..players].iter().map(|cards| cards.count()).collect();
        match position.stage {
            Stage::Pass => {
                let begun = counts.iter().position(|&count| count < PASSED);
                let in_turn = begun.is_some_and(|first| counts[first + 1..].iter().all(|&count| count == 0));
                if !in_turn || counts.iter().any(|&count| count > PASSED) {
                    return Err(BadText::new("the players choose three cards each, one player after the other"));
                }
                if (0..players).any(|player| position.passed[player] & !position.hands[player] != 0) {
                    return Err(BadText::new("the cards that a player passes on are still in the hand"));
                }
            }
            Stage::Play if self.setup.open => position.passed = [0; 4],
            Stage::Play => {
                let table = position.on_table();
                for (player, &count) in counts.iter().enumerate() {
                    let (passed, to) = (position.passed[player], (player + self.setup.pass_to) % players);
                    if passed & !(position.hands[to] | position.gone | table) != 0 || count > PASSED {
                        return Err(BadText::new("a card that was passed on is neither where it went nor played"));
                    }
                    if (0..player).any(|other| position.passed[other] & passed != 0) {
                        return Err(BadText::new("a card was passed on twice"));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn check_bids(&self, position: &Position) -> Result<(), BadText> {
        let players = self.setup.players;
        let bids = &position.bids[..players];
        let Some((least, most)) = self.setup.bids else {
            return if position.stage == Stage::Bid || position.bids != [NO_BID; 4] {
                Err(BadText::new("nobody bids in this game"))
            } else {
                Ok(())
            };
        };
        let made = bids.iter().take_while(|&&bid| bid != NO_BID).count();
        let all = position.stage == Stage::Play;
        if bids[made..].iter().any(|&bid| bid != NO_BID) || (made == players) != all {
            return Err(BadText::new("the players bid one after the other, and all of them before the play"));
        }
        for player in 0..made {
            let partner = self.setup.side(player).find(|&partner| partner < player).map_or(0, |partner| bids[partner]);
            let most = most.saturating_sub(partner);
            if bids[player] < least.min(most) || bids[player] > most {
                return Err(BadText::new(format!("a bid of {} is out of range", bids[player])));
            }
        }
        Ok(())
    }
}
