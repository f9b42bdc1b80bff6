//! Hearts for three or four players (N. Sturtevant, *Current Challenges in Multi-Player Game Search*, 2004).

use kibitz_game::{BadParameter, Bits, Parameter, Params, Range, Score};

use crate::tricks::cards::{CLUBS, DIAMONDS, HEARTS, PACK, QUEEN, SPADES, of, suit};
use crate::tricks::{Position, Setup, Tricks, UNIT, Variant, cards_each, each_player};

const RULES: &str = "\
Three or four players have a hand of cards each. Player A leads a card, and the others play a card in turn, of the suit that was led if they \
have one and otherwise any. The highest card of the suit led takes the trick, and its owner leads to the next; there are no \
trumps. Every heart in the tricks that one has taken costs a point, and the queen of spades thirteen. With `moon`, a player \
who takes all points of the deal has *shot the moon*: that player has none, and everybody else has all of them. The hand is over when all cards are played.

The usual rules beyond that are options, all off: `passing` (everybody first chooses three cards for the player to the left, to the right or across), \
`opening=club` (whoever has the two of clubs, or the lowest club of the deck, leads it), `breaking` (hearts cannot be led before one has been \
played, unless one has nothing else; with `breaking=queen` the queen of spades breaks hearts as well) and `first=clean` (no hearts and no queen of spades onto the first \
trick, unless one has nothing else).

Decks: `full` has 52 cards, of which three players leave the two of diamonds aside; `reduced` has the 21 cards ♥A–2, ♠AKQ, ♦AKQ, ♣AK, and \
`no-queen` ♥A–2, ♠AK, ♦AKQ, ♣AKQ, for three players with seven cards each. Where `cards` leaves some of a deck undealt, nobody knows which.

The result of a player is the number of points in the deal less those taken, so that it is never below zero. What players want may be another thing \
(N. Sturtevant, *Current Challenges in Multi-Player Game Search*, 2004): `utility=lead` counts how far a player is ahead of the best of the others, or with a minus sign behind, after this hand, \
where everybody begins with the points in `totals`; `types=1-2-1` says it of each player, 1 for points and 2 for the lead. \
A game over several hands is played hand by hand, with the sums in `totals`.

**Equivalent cards**: unless `equivalent=false`, one move, the highest, stands for all cards of a hand between which there are only cards \
that are one's own, have been played or are not in the deal. The card that is taking the trick separates, the other cards on the table do \
not, and the queen of spades is like no other card. With `hands=open` everybody sees all cards, and a search needs no guesses; with \
`hands=hidden` only what everybody knows makes cards equivalent.

**Positions** are the hands of all players, then who leads: `5C AS QS / QC JH 5H / AC KH TH; lead A`. The cards of the trick follow as `trick \
5C QC`, points taken as `taken 0 3 14`; `deal` or `pass A` stand in place of the lead before the play. Other parts are what the options ask for and, with hidden \
hands, what everybody has seen: `broken`, `first` for the first trick, `void C - HS` (suits that players have shown to have none of), `gone` (cards of finished tricks), `passed`. \
**Moves** are cards: rank and suit, `TH` or `AS`.

**Evaluation**: as if the points that are left were shared out evenly; a player who alone has taken any is given half of a moon. Moves are tried low cards first.";

/// The rules of Hearts.
pub type Hearts = Tricks<Rules>;

/// What Hearts is among the games of tricks.
#[derive(Clone, Debug)]
pub struct Rules {
    moon: bool,
    /// Whether the queen of spades breaks hearts.
    queen_breaks: bool,
    /// Whether each player counts the lead.
    leads: [bool; 4],
    /// The points of everybody before this hand.
    totals: [i64; 4],
}

/// The points in a set of cards.
fn points(cards: u64) -> u32 {
    (cards & suit(HEARTS)).count() + if cards & QUEEN == 0 { 0 } else { 13 }
}

/// The points of the deal.
fn in_deal(position: &Position) -> u32 {
    points(position.left()) + position.taken.iter().map(|&taken| u32::from(taken)).sum::<u32>()
}

impl Rules {
    /// Who has taken all points so far, if they are any and one player's.
    fn alone(position: &Position) -> Option<usize> {
        let mut takers = (0..4).filter(|&player| position.taken[player] > 0);
        takers.next().filter(|_| takers.next().is_none())
    }

    /// The points of a player at the end.
    fn final_points(&self, position: &Position, player: usize) -> Score {
        let shooter = Self::alone(position).filter(|_| self.moon);
        match shooter {
            Some(shooter) if shooter == player => 0,
            Some(shooter) => Score::from(position.taken[shooter]),
            None => Score::from(position.taken[player]),
        }
    }

    /// How far a player is ahead of the best of the others.
    fn lead(&self, players: usize, player: usize, points: impl Fn(usize) -> Score) -> Score {
        let total = |player: usize| self.totals[player] as Score * UNIT + points(player);
        let others = (0..players).filter(|&other| other != player).map(total);
        others.min().unwrap_or(0) - total(player)
    }

    /// What a player's points will be if nobody is better than the others, in units of a score.
    fn expected(&self, setup: &Setup, position: &Position, player: usize) -> Score {
        let left = points(position.left()) as Score;
        let taken = Score::from(position.taken[player]);
        let even = UNIT * taken + UNIT * left / setup.players as Score;
        // who has taken all points so far may still get rid of them
        if self.moon && Self::alone(position) == Some(player) { even - UNIT * taken / 2 } else { even }
    }
}

impl Variant for Rules {
    const SUMMARY: &'static str = "take no hearts and not the queen of spades: tricks for three or four players";
    const RULES: &'static str = RULES;
    const TRUMP: Option<usize> = None;
    const BREAKS: usize = HEARTS;
    const UNIQUE: u64 = QUEEN;
    const LEADS_LOW: bool = true;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("players", 4, (3, 4), "players"),
            Parameter::word(
                "deck",
                &["full", "reduced", "no-queen"],
                "the cards that are dealt from; the last two have 21",
            ),
            Parameter::integer("cards", 0, (0, 17), "cards a hand; 0 for as many as there are"),
            Parameter::word("passing", &["none", "left", "right", "across"], "where three cards of each hand go first"),
            Parameter::word("opening", &["free", "club"], "the first lead: what player A wants, or the lowest club"),
            Parameter::word(
                "breaking",
                &["none", "hearts", "queen"],
                "what must have been played before hearts are led",
            ),
            Parameter::word(
                "first",
                &["any", "clean"],
                "what may be thrown onto the first trick: anything, or no points",
            ),
            Parameter::flag("moon", true, "whether all points count for the others"),
            Parameter::word("utility", &["points", "lead"], "what players want: few points, or to be ahead"),
            Parameter::list("types", &[0], (0, 2), 4, "each player's utility: 1 points, 2 lead; 0 as utility says"),
            Parameter::list("totals", &[0], (0, 1000), 4, "the points of each player before this hand"),
        ]
    }

    fn configure(params: &Params) -> Result<(Self, Setup), BadParameter> {
        let players = params.integer("players") as usize;
        let deck = match params.word("deck") {
            "reduced" => suit(HEARTS) & PACK | of(SPADES, "AKQ") | of(DIAMONDS, "AKQ") | of(CLUBS, "AK"),
            "no-queen" => suit(HEARTS) & PACK | of(SPADES, "AK") | of(DIAMONDS, "AKQ") | of(CLUBS, "AKQ"),
            _ if players == 3 => PACK & !of(DIAMONDS, "2"),
            _ => PACK,
        };
        let cards = cards_each(params.integer("cards"), deck, players)?;
        let pass_to = match params.word("passing") {
            "left" => 1,
            "right" => players - 1,
            "across" if players == 4 => 2,
            "across" => return Err(BadParameter("passing=across needs players=4".to_owned())),
            _ => 0,
        };
        if pass_to > 0 && cards < 3 {
            return Err(BadParameter(format!("three cards are passed on, and a hand has only {cards}")));
        }
        let club = params.word("opening") == "club";
        if club && cards * (players as u32) < deck.count() {
            return Err(BadParameter(
                "opening=club needs a deck that is dealt out, or nobody may have the lowest club".to_owned(),
            ));
        }
        let types = each_player(params, "types", players)?;
        let lead = params.word("utility") == "lead";
        let rules = Self {
            moon: params.flag("moon"),
            queen_breaks: params.word("breaking") == "queen",
            leads: types.map(|of_player| if of_player == 0 { lead } else { of_player == 2 }),
            totals: each_player(params, "totals", players)?,
        };
        let setup = Setup {
            players,
            partners: false,
            cards,
            deck,
            open: false,
            equivalent: true,
            breaking: params.word("breaking") != "none",
            club,
            clean: params.word("first") == "clean",
            pass_to,
            bids: None,
        };
        Ok((rules, setup))
    }

    fn breaks(&self, card: u64) -> bool {
        card & suit(HEARTS) != 0 || self.queen_breaks && card & QUEEN != 0
    }

    fn worth(cards: u64) -> u32 {
        points(cards)
    }

    fn range(&self, setup: &Setup, player: usize) -> Range {
        let most = UNIT * points(setup.deck) as Score;
        if !self.leads[player & 3] {
            return Range { low: 0, high: most };
        }
        let totals = &self.totals[..setup.players];
        let spread = totals.iter().max().unwrap_or(&0) - totals.iter().min().unwrap_or(&0);
        let most = most + UNIT * spread as Score;
        Range { low: -most, high: most }
    }

    fn greatest_sum(&self, setup: &Setup) -> Option<i64> {
        let points = i64::from(UNIT * points(setup.deck) as Score);
        // whatever somebody takes the others do not, and of a moon only one player has anything
        (!self.leads[..setup.players].contains(&true)).then_some((setup.players as i64 - 1) * points)
    }

    fn score(&self, setup: &Setup, position: &Position, player: usize) -> Score {
        if self.leads[player & 3] {
            return self.lead(setup.players, player, |player| UNIT * self.final_points(position, player));
        }
        UNIT * (in_deal(position) as Score - self.final_points(position, player))
    }

    fn value(&self, setup: &Setup, position: &Position, player: usize) -> Score {
        if self.leads[player & 3] {
            return self.lead(setup.players, player, |player| self.expected(setup, position, player));
        }
        let deal = if position.stage == crate::tricks::Stage::Deal { points(setup.deck) } else { in_deal(position) };
        UNIT * deal as Score - self.expected(setup, position, player)
    }

    fn bounds(&self, setup: &Setup, position: &Position, player: usize) -> Range {
        if self.leads[player & 3] {
            return self.range(setup, player);
        }
        let all = in_deal(position) as Score;
        let (taken, left) = (Score::from(position.taken[player & 3]), points(position.left()) as Score);
        // a moon is possible as long as nobody else has taken a point
        let other_took = (0..4).any(|other| other != player && position.taken[other] > 0);
        let own_moon = self.moon && !other_took;
        let other_moon = self.moon && taken == 0 && (!other_took || Self::alone(position).is_some());
        let high = if own_moon { all } else { all - taken };
        let low = if other_moon { 0 } else { all - taken - left };
        Range { low: UNIT * low, high: UNIT * high }
    }
}

#[cfg(test)]
mod tests;
