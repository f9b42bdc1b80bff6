//! Cards and sets of them: sixteen bits a suit, thirteen of which are ranks.

use kibitz_game::{BadText, Bits};

/// A card: sixteen times its suit, and its rank from the two upwards.
pub(crate) type Card = u8;

pub(crate) const CLUBS: usize = 0;
pub(crate) const DIAMONDS: usize = 1;
pub(crate) const HEARTS: usize = 2;
pub(crate) const SPADES: usize = 3;

const RANKS: &str = "23456789TJQKA";
const SUITS: &str = "CDHS";
/// The suits as pictures show them.
pub(crate) const SIGNS: [char; 4] = ['♣', '♦', '♥', '♠'];

/// All 52 cards.
pub(crate) const PACK: u64 = 0x1FFF_1FFF_1FFF_1FFF;

/// All places of a suit.
#[inline(always)]
pub(crate) const fn suit(suit: usize) -> u64 {
    0xFFFF << (16 * suit)
}

#[inline(always)]
pub(crate) const fn suit_of(card: Card) -> usize {
    (card >> 4) as usize & 3
}

#[inline(always)]
pub(crate) const fn rank_of(card: Card) -> u8 {
    card & 15
}

/// The cards of a suit whose ranks a text has.
pub(crate) const fn of(suit: usize, ranks: &str) -> u64 {
    let (ranks, all) = (ranks.as_bytes(), RANKS.as_bytes());
    let mut set = 0;
    let mut i = 0;
    while i < ranks.len() {
        let mut rank = 0;
        while all[rank] != ranks[i] {
            rank += 1;
        }
        set |= 1 << (16 * suit + rank);
        i += 1;
    }
    set
}

/// The queen of spades.
pub(crate) const QUEEN: u64 = of(SPADES, "Q");

pub(crate) fn rank_name(card: Card) -> char {
    RANKS.as_bytes().get(usize::from(rank_of(card))).map_or('?', |&rank| char::from(rank))
}

/// A card as text: `TH`.
pub(crate) fn name(card: Card) -> String {
    [rank_name(card), char::from(SUITS.as_bytes()[suit_of(card)])].iter().collect()
}

/// The letter of a suit.
pub(crate) fn letter(suit: usize) -> char {
    char::from(SUITS.as_bytes()[suit & 3])
}

/// The suit of a letter.
pub(crate) fn suit_of_letter(letter: char) -> Option<usize> {
    SUITS.find(letter)
}

/// The card of a text.
pub(crate) fn parse(text: &str) -> Result<Card, BadText> {
    let mut letters = text.chars();
    let rank = letters.next().and_then(|rank| RANKS.find(rank));
    let suit = letters
        .next()
        .and_then(|letter| suit_of_letter(letter).or_else(|| SIGNS.iter().position(|&sign| sign == letter)));
    match (rank, suit, letters.next()) {
        (Some(rank), Some(suit), None) => Ok((16 * suit + rank) as Card),
        _ => Err(BadText::new(format!("{text:?} is not a card; write rank and suit, such as TH, AS or 5C"))),
    }
}

/// Cards in the order in which people hold them: spades first, and the highest of each suit.
pub(crate) fn sorted(set: u64) -> impl Iterator<Item = Card> {
    let mut cards: Vec<Card> = set.squares().map(|card| card as Card).collect();
    cards.reverse();
    cards.into_iter()
}

/// A set of cards as text, `-` for none.
pub(crate) fn write(set: u64) -> String {
    let names: Vec<String> = sorted(set).map(name).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(" ") }
}

/// The set of a text, in which no card comes twice.
pub(crate) fn read(text: &str) -> Result<u64, BadText> {
    let mut set = 0;
    for part in text.split_whitespace().filter(|&part| part != "-") {
        let card = 1 << parse(part)?;
        if set & card != 0 {
            return Err(BadText::new(format!("{part} is there twice")));
        }
        set |= card;
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_names_both_ways() {
        for card in PACK.squares().map(|card| card as Card) {
            assert_eq!(parse(&name(card)), Ok(card));
        }
        assert_eq!(parse("T♥"), parse("TH"));
        assert_eq!(1 << parse("QS").unwrap(), QUEEN);
        assert_eq!(write(of(SPADES, "AQ") | of(CLUBS, "5")), "AS QS 5C");
        assert_eq!(read("5C AS QS"), Ok(of(SPADES, "AQ") | of(CLUBS, "5")));
        for bad in ["", "T", "HT", "10H", "TH ", "1C", "äC", "Tx"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(read("5C 5C").is_err());
    }
}
