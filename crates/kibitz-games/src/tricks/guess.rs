//! Hands that a player cannot see, drawn uniformly from all deals that agree with what is known.
//!
//! What is known: how many cards everybody has, which suits somebody has run out of, and where some cards are. Deals are counted
//! suit by suit: how many cards of a suit go to whom has as many ways as a multinomial coefficient says, and suits that
//! nobody has run out of fill up what is left in any way.

use kibitz_game::{Bits, Random};

use super::cards::suit;
use super::{Position, Stage, Tricks, Variant};

/// Who may get cards: four players and those who stay out of the game.
const RECEIVERS: usize = 5;

/// What is to be dealt.
#[derive(Clone, Copy, Debug)]
struct Deal {
    /// The cards whose places are not known.
    cards: u64,
    /// How many of them everybody gets; together they are all.
    needs: [u32; RECEIVERS],
    /// The suits that everybody has run out of, a bit each.
    voids: [u8; RECEIVERS],
}

const fn factorials() -> [f64; 53] {
    let mut table = [1.0; 53];
    let mut n = 1;
    while n < 53 {
        table[n] = table[n - 1] * n as f64;
        n += 1;
    }
    table
}

const FACTORIAL: [f64; 53] = factorials();

/// How many cards of each suit go to whom.
type Split = [[u32; RECEIVERS]; 4];

/// Goes through the ways to share out restricted suits and adds up their weights, until the sum is more than `target`.
struct Count {
    /// The suits that somebody has run out of, with their numbers of cards.
    suits: [(usize, u32); 4],
    restricted: usize,
    /// The cards of all other suits.
    rest: u32,
    voids: [u8; RECEIVERS],
    target: f64,
    sum: f64,
    found: Split,
}

impl Count {
    /// Shares out the cards that are left of the `index`-th suit among the receivers from `receiver` on; true if the target
    /// is passed.
    fn share(
        &mut self,
        index: usize,
        receiver: usize,
        left: u32,
        needs: &mut [u32; RECEIVERS],
        split: &mut Split,
        weight: f64,
    ) -> bool {
        if index == self.restricted {
            // the other suits fill up what is left
            let ways = needs.iter().fold(FACTORIAL[self.rest as usize], |ways, &need| ways / FACTORIAL[need as usize]);
            self.sum += weight * ways;
            if self.sum > self.target {
                self.found = *split;
                return true;
            }
            return false;
        }
        let (suit, _) = self.suits[index];
        if receiver == RECEIVERS {
            if left > 0 {
                return false;
            }
            let next = self.suits.get(index + 1).map_or(0, |&(_, cards)| cards);
            return self.share(index + 1, 0, next, needs, split, weight * FACTORIAL[next as usize]);
        }
        let most = if self.voids[receiver] >> suit & 1 != 0 { 0 } else { left.min(needs[receiver]) };
        for cards in 0..=most {
            needs[receiver] -= cards;
            split[suit][receiver] = cards;
            let passed =
                self.share(index, receiver + 1, left - cards, needs, split, weight / FACTORIAL[cards as usize]);
            needs[receiver] += cards;
            if passed {
                return true;
            }
        }
        split[suit][receiver] = 0;
        false
    }
}

/// The cards that everybody gets; none if there is no such deal.
fn deal_out(deal: &Deal, random: &mut Random) -> Option<[u64; RECEIVERS]> {
    let receivers = || (0..RECEIVERS).filter(|&receiver| deal.needs[receiver] > 0);
    let voids = receivers().fold(0, |voids, receiver| voids | deal.voids[receiver]);
    let mut count = Count {
        suits: [(0, 0); 4],
        restricted: 0,
        rest: 0,
        voids: deal.voids,
        target: f64::INFINITY,
        sum: 0.0,
        found: [[0; RECEIVERS]; 4],
    };
    for of_suit in 0..4 {
        let cards = (deal.cards & suit(of_suit)).count();
        if voids >> of_suit & 1 != 0 && cards > 0 {
            count.suits[count.restricted] = (of_suit, cards);
            count.restricted += 1;
        } else {
            count.rest += cards;
        }
    }
    let mut hands = [0; RECEIVERS];
    let mut needs = deal.needs;
    let mut left = deal.cards;
    if count.restricted > 0 {
        let first = count.suits[0].1;
        let begin = |count: &mut Count| {
            let (mut needs, mut split) = (deal.needs, [[0; RECEIVERS]; 4]);
            count.share(0, 0, first, &mut needs, &mut split, FACTORIAL[first as usize])
        };
        begin(&mut count);
        if count.sum == 0.0 {
            return None;
        }
        // the same way once more, up to a random point
        count.target = count.sum * random.unit();
        count.sum = 0.0;
        if !begin(&mut count) {
            return None;
        }
        for &(of_suit, _) in &count.suits[..count.restricted] {
            for receiver in 0..RECEIVERS {
                let cards = count.found[of_suit][receiver];
                hands[receiver] |= draw(&mut left, suit(of_suit), cards, random);
                needs[receiver] -= cards;
            }
        }
    }
    for receiver in 0..RECEIVERS {
        hands[receiver] |= draw(&mut left, u64::MAX, needs[receiver], random);
    }
    Some(hands)
}

/// Takes so many random cards out of those of a set, each equally likely.
fn draw(left: &mut u64, from: u64, cards: u32, random: &mut Random) -> u64 {
    let mut drawn = 0;
    for _ in 0..cards {
        let possible = *left & from;
        if possible == 0 {
            break;
        }
        let card = 1 << possible.nth(random.below(possible.count() as usize) as u32);
        drawn |= card;
        *left &= !card;
    }
    drawn
}

impl<V: Variant> Tricks<V> {
    /// The hands that a player does not know, drawn anew.
    pub(super) fn drawn(&self, position: &Position, player: usize, random: &mut Random) -> Option<Position> {
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
        let dealt = deal_out(&deal, random)?;
        let from = (player + self.setup.players - self.setup.pass_to % self.setup.players) % self.setup.players;
        for other in (0..self.setup.players).filter(|&other| other != player) {
            guess.hands[other] = known[other] | dealt[other];
            if position.stage == Stage::Pass {
                let mut hand = guess.hands[other];
                guess.passed[other] = draw(&mut hand, !0, position.passed[other].count(), random);
            } else if other != from {
                // nobody but these two knows what they have passed
                guess.passed[other] = 0;
            }
        }
        Some(guess)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::{CLUBS, DIAMONDS, HEARTS, SPADES, of};
    use super::*;
    use std::collections::HashMap;

    /// All deals, by putting card after card into every hand that has room for it and may have it.
    fn all(deal: &Deal) -> Vec<[u64; RECEIVERS]> {
        let mut deals = vec![[0u64; RECEIVERS]];
        for card in deal.cards.squares() {
            let with = |hands: [u64; RECEIVERS]| {
                (0..RECEIVERS).filter_map(move |receiver| {
                    let room = hands[receiver].count() < deal.needs[receiver];
                    let may = deal.voids[receiver] >> (card / 16) & 1 == 0;
                    let mut hands = hands;
                    hands[receiver] |= 1 << card;
                    (room && may).then_some(hands)
                })
            };
            deals = deals.into_iter().flat_map(with).collect();
        }
        deals
    }

    #[test]
    fn every_deal_that_agrees_is_equally_likely_and_no_other_is_drawn() {
        let cards = of(SPADES, "AK") | of(HEARTS, "QJ") | of(DIAMONDS, "2") | of(CLUBS, "345");
        let voids = [
            [0, 0, 0, 0, 0],
            [0, 1 << SPADES, 0, 0, 0],
            [0, 1 << SPADES | 1 << CLUBS, 0, 0, 0],
            [0, 1 << HEARTS, 1 << SPADES | 1 << DIAMONDS, 0, 0],
        ];
        let mut random = Random::new(5);
        for voids in voids {
            let deal_of = Deal { cards, needs: [0, 3, 3, 0, 2], voids };
            let mut counts: HashMap<[u64; RECEIVERS], u32> =
                all(&deal_of).into_iter().map(|hands| (hands, 0)).collect();
            let (possible, times) = (counts.len() as u32, 400);
            for _ in 0..times * possible {
                let hands = deal_out(&deal_of, &mut random).unwrap();
                *counts.get_mut(&hands).expect("a deal that agrees") += 1;
            }
            // six standard deviations
            assert!(counts.values().all(|&count| count.abs_diff(times) < 120), "{voids:?}: {possible} deals");
        }
    }

    #[test]
    fn a_deal_that_cannot_be_is_none() {
        let impossible = Deal { cards: of(SPADES, "AK"), needs: [0, 2, 0, 0, 0], voids: [0, 1 << SPADES, 0, 0, 0] };
        assert!(deal_out(&impossible, &mut Random::new(1)).is_none());
    }
}
