//! Spades for three players or two pairs of partners (N. Sturtevant, *Current Challenges in Multi-Player Game Search*, 2004).

use kibitz_game::{BadParameter, Parameter, Params, Range, Score};

use crate::tricks::cards::{CLUBS, DIAMONDS, HEARTS, PACK, SPADES, of, suit};
use crate::tricks::{NO_BID, Position, Setup, Tricks, UNIT, Variant, cards_each, each_player};

const RULES: &str = "\
Three players, each alone, or four, of whom those who sit across are partners, have a hand of cards each. First everybody says in turn, player \
A first, how many tricks he will take: at least one, and partners together no more than there are; with `nil` one may bid none. \
Then player A leads a card, and the others play a card in turn, of the suit that was led if they have one and otherwise any. The \
highest spade takes the trick or, if there is none, the highest card of the suit led, and its owner leads to the next. With \
`breaking` spades cannot be led before one has been played, unless one has nothing else. The hand is over when all cards are played.

A side that has taken as many tricks as it has bid has ten points for each of these and one for each overtrick; otherwise it loses ten points for each trick bid. Overtricks \
are dear in the long run: when a side has ten of them, those of earlier hands (`bags`) included, it loses a hundred points. A bid of nil brings a hundred \
points if its player takes no trick, and costs a hundred otherwise.

What players want may be another thing (N. Sturtevant, *Current Challenges in Multi-Player Game Search*, 2004): `utility=tricks` counts tricks, and nobody bids; \
`utility=overtricks` wants the bid first and then few overtricks: 100 less the overtricks for a bid that was made, the missing tricks with a minus sign otherwise. `types=1-2-1` says it of each \
player: 1 for tricks, 2 for overtricks, 3 for points. With `bids=3-2-3` the bids are given and nobody bids. A game over several \
hands is played hand by hand.

Decks: `full` has 52 cards, of which three players leave the two of clubs aside; `short` has the 24 cards from the nine upwards, eight for each of three players. Where \
`cards` leaves some of a deck undealt, nobody knows which.

**Equivalent cards**: unless `equivalent=false`, one move, the highest, stands for all cards of a hand between which there are only cards \
that are one's own, have been played or are not in the deal. The card that is taking the trick separates, the other cards on the table do \
not. With `hands=open` everybody sees all cards, and a search needs no guesses; with \
`hands=hidden` only what everybody knows makes cards equivalent.

**Positions** are the hands of all players, then who leads: `5C AS QS / QC JH 5H / AC KH TH; lead A`. The cards of the trick follow as `trick \
5C QC`, tricks taken as `taken 0 3 1`, bids as `bids 2 1 1`; `deal` or `bid A` stand in place of the lead before the play. Other parts are what the options ask for and, with hidden \
hands, what everybody has seen: `broken`, `void C - HS` (suits that players have shown to have none of), `gone` (cards of finished tricks). **Moves** are cards, rank and suit, `TH` or `AS`, and numbers for \
bids.

**Evaluation**: as if the tricks that are left were shared out evenly. Moves that cannot take the trick are tried low cards first, \
and the lowest trump that takes it before others.";

/// The rules of Spades.
pub type Spades = Tricks<Rules>;

/// What a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Utility {
    Tricks,
    Overtricks,
    Points,
}

/// What Spades is among the games of tricks.
#[derive(Clone, Debug)]
pub struct Rules {
    utilities: [Utility; 4],
    /// The bids, if they are given.
    given: Option<[u8; 4]>,
    nil: bool,
    /// The overtricks of earlier hands.
    bags: [i64; 4],
}

/// Bids and tricks of a side.
struct Contract {
    bid: Score,
    tricks: Score,
    /// What bids of nil bring.
    nils: Score,
}

impl Rules {
    fn bid(&self, position: &Position, player: usize) -> Score {
        let bid = self.given.map_or(position.bids[player], |given| given[player]);
        if bid == NO_BID { 0 } else { Score::from(bid) }
    }

    fn contract(&self, setup: &Setup, position: &Position, player: usize) -> Contract {
        let side = setup.side(player);
        let nil = |player: usize| {
            let brings = if position.taken[player] == 0 { 100 } else { -100 };
            if self.nil && self.bid(position, player) == 0 { brings } else { 0 }
        };
        Contract {
            bid: side.clone().map(|player| self.bid(position, player)).sum(),
            tricks: side.clone().map(|player| Score::from(position.taken[player])).sum(),
            nils: side.map(nil).sum(),
        }
    }

    /// What so many tricks bring a player, in units of a result.
    fn brings(&self, setup: &Setup, player: usize, contract: &Contract) -> Score {
        let over = contract.tricks - contract.bid;
        match self.utilities[player & 3] {
            Utility::Tricks => contract.tricks,
            Utility::Overtricks if over >= 0 => 100 - over,
            Utility::Overtricks => over,
            Utility::Points if over < 0 => contract.nils - 10 * contract.bid,
            Utility::Points => {
                let bags: i64 = setup.side(player).map(|player| self.bags[player]).sum();
                let penalties = (bags + i64::from(over)) / 10 - bags / 10;
                contract.nils + 10 * contract.bid + over - 100 * penalties as Score
            }
        }
    }
}

impl Variant for Rules {
    const SUMMARY: &'static str = "bid and take tricks, spades are trumps: three players or two pairs of partners";
    const RULES: &'static str = RULES;
    const TRUMP: Option<usize> = Some(SPADES);
    const BREAKS: usize = SPADES;
    const UNIQUE: u64 = 0;
    const LEADS_LOW: bool = false;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("players", 4, (3, 4), "players: three alone, or two pairs of partners"),
            Parameter::word("deck", &["full", "short"], "the cards that are dealt from; the short one has 24"),
            Parameter::integer("cards", 0, (0, 17), "cards a hand; 0 for as many as there are"),
            Parameter::flag("breaking", false, "whether a spade must have been played before spades are led"),
            Parameter::word("utility", &["points", "tricks", "overtricks"], "what players want"),
            Parameter::list(
                "types",
                &[0],
                (0, 3),
                4,
                "each player's utility: 1 tricks, 2 overtricks, 3 points; 0 as utility says",
            ),
            Parameter::list("bids", &[0], (0, 17), 4, "the bids; 0 for the players to bid"),
            Parameter::flag("nil", false, "whether one may bid no trick for a hundred points"),
            Parameter::list("bags", &[0], (0, 9), 4, "the overtricks of each player before this hand"),
        ]
    }

    fn configure(params: &Params) -> Result<(Self, Setup), BadParameter> {
        let players = params.integer("players") as usize;
        let high = "9TJQKA";
        let deck = match params.word("deck") {
            "short" => of(SPADES, high) | of(HEARTS, high) | of(DIAMONDS, high) | of(CLUBS, high),
            _ if players == 3 => PACK & !of(CLUBS, "2"),
            _ => PACK,
        };
        let cards = cards_each(params.integer("cards"), deck, players)?;
        let utility = |number: i64| match (number, params.word("utility")) {
            (1, _) | (0, "tricks") => Utility::Tricks,
            (2, _) | (0, "overtricks") => Utility::Overtricks,
            _ => Utility::Points,
        };
        let utilities = each_player(params, "types", players)?.map(utility);
        let bids = each_player(params, "bids", players)?;
        let given = (params.list("bids") != [0]).then(|| bids.map(|bid| bid as u8));
        if let Some(bid) = bids.iter().find(|&&bid| bid > i64::from(cards)) {
            return Err(BadParameter(format!("a bid of {bid} is more than the {cards} tricks of a hand")));
        }
        let needs_bids = utilities[..players].iter().any(|&utility| utility != Utility::Tricks);
        let nil = params.flag("nil");
        let rules = Self { utilities, given, nil, bags: each_player(params, "bags", players)? };
        let setup = Setup {
            players,
            partners: players == 4,
            cards,
            deck,
            open: false,
            equivalent: true,
            breaking: params.flag("breaking"),
            club: false,
            clean: false,
            pass_to: 0,
            bids: (needs_bids && given.is_none()).then_some((u8::from(!nil), cards as u8)),
        };
        Ok((rules, setup))
    }

    fn breaks(&self, card: u64) -> bool {
        card & suit(SPADES) != 0
    }

    fn worth(_: u64) -> u32 {
        1
    }

    fn range(&self, setup: &Setup, player: usize) -> Range {
        let cards = setup.cards as Score;
        let (low, high) = match self.utilities[player & 3] {
            Utility::Tricks => (0, cards),
            Utility::Overtricks => (-2 * cards, 100),
            Utility::Points => {
                let nils = if self.nil { 200 } else { 0 };
                // overtricks of both partners may reach ten several times
                (-20 * cards - 300 - nils, 10 * cards + cards + nils)
            }
        };
        Range { low: UNIT * low, high: UNIT * high }
    }

    fn greatest_sum(&self, setup: &Setup) -> Option<i64> {
        let only_tricks = self.utilities[..setup.players].iter().all(|&utility| utility == Utility::Tricks);
        // partners have their tricks both
        let tricks = i64::from(setup.cards) * if setup.partners { 2 } else { 1 };
        only_tricks.then_some(i64::from(UNIT) * tricks)
    }

    fn score(&self, setup: &Setup, position: &Position, player: usize) -> Score {
        UNIT * self.brings(setup, player, &self.contract(setup, position, player))
    }

    fn value(&self, setup: &Setup, position: &Position, player: usize) -> Score {
        let contract = self.contract(setup, position, player);
        let sides = if setup.partners { 2 } else { setup.players } as Score;
        let left =
            if position.stage == crate::tricks::Stage::Deal { setup.cards } else { position.tricks_left() } as Score;
        if self.utilities[player & 3] == Utility::Tricks {
            return UNIT * contract.tricks + UNIT * left / sides;
        }
        // the mean over all numbers of tricks up to twice an even share
        let most = (2 * left / sides).max(Score::from(left > 0)).min(left);
        let with = |more: Score| self.brings(setup, player, &Contract { tricks: contract.tricks + more, ..contract });
        UNIT * (0..=most).map(with).sum::<Score>() / (most + 1)
    }

    fn bounds(&self, setup: &Setup, position: &Position, player: usize) -> Range {
        let contract = self.contract(setup, position, player);
        let left = position.tricks_left() as Score;
        let (few, many) = (contract.tricks, contract.tricks + left);
        let with = |tricks: Score| UNIT * self.brings(setup, player, &Contract { tricks, ..contract });
        match self.utilities[player & 3] {
            Utility::Tricks => Range { low: UNIT * few, high: UNIT * many },
            Utility::Overtricks => {
                let best = contract.bid.clamp(few, many);
                Range { low: with(few).min(with(many)), high: with(best) }
            }
            Utility::Points => self.range(setup, player),
        }
    }
}

#[cfg(test)]
mod tests;
