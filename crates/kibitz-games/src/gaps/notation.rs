//! Cards, cells and layouts as text.

use kibitz_game::BadText;

use super::layout::{ACE, Deck, GAP, Layout};

const RANKS: &str = "A23456789TJQK";
const SUITS: &str = "SHDC";

pub(super) fn card_name(card: u8) -> String {
    if card == GAP {
        return "--".to_owned();
    }
    let letter = |names: &str, i: u8| char::from(names.as_bytes()[usize::from(i)]);
    format!("{}{}", letter(RANKS, (card & 15) - 1), letter(SUITS, card >> 4))
}

/// A column that is not part of the table has no letter.
pub(super) fn cell_name(deck: &Deck, cell: u8) -> String {
    let (row, column) = (usize::from(cell) / deck.columns(), usize::from(cell) % deck.columns());
    format!("{}{}", column_name(deck, column), row + 1)
}

pub(super) fn column_name(deck: &Deck, column: usize) -> char {
    char::from(b'a' + (column - usize::from(deck.common)) as u8)
}

fn read_card(deck: &Deck, word: &str) -> Result<u8, BadText> {
    if word == "--" {
        return Ok(GAP);
    }
    let (rank, suit) = (word.chars().next(), word.chars().nth(1).filter(|_| word.len() == 2));
    let (Some(rank), Some(suit)) = (rank.and_then(|rank| RANKS.find(rank)), suit.and_then(|suit| SUITS.find(suit)))
    else {
        return Err(BadText::new(format!("{word:?} is not a card such as 2S or TH, nor a gap --")));
    };
    if rank >= usize::from(deck.ranks) {
        let highest = card_name(deck.ranks);
        return Err(BadText::new(format!("{word:?} is no card of this deck, whose highest is {}", &highest[..1])));
    }
    Ok((suit << 4 | (rank + 1)) as u8)
}

/// The cards that a row shows, with the ace where there is one.
fn shown(deck: &Deck, layout: &Layout, row: usize) -> Vec<u8> {
    let first = row * deck.columns();
    layout.cells[first + usize::from(deck.common)..first + deck.columns()].to_vec()
}

pub(super) fn write(deck: &Deck, layout: &Layout, counted: bool) -> String {
    let row = |row| shown(deck, layout, row).into_iter().map(card_name).collect::<Vec<String>>().join(" ");
    let rows: Vec<String> = (0..4).map(row).collect();
    let plies = if counted { format!(" {}", layout.plies) } else { String::new() };
    rows.join("/") + &plies
}

/// The layout of a text; with a limit the moves made follow it.
pub(super) fn read(deck: &Deck, text: &str, limit: u16) -> Result<Layout, BadText> {
    let (table, plies) = match text.trim_end().rsplit_once(' ') {
        Some((table, plies)) if limit > 0 && !plies.is_empty() && plies.bytes().all(|byte| byte.is_ascii_digit()) => {
            let made = plies.parse().ok().filter(|&made: &u16| made <= limit);
            (table, made.ok_or_else(|| BadText::new(format!("0 to {limit} moves are made in this game, not {plies}")))?)
        }
        _ if limit > 0 => return Err(BadText::new("the number of moves made is missing after the last row")),
        _ => (text, 0),
    };
    let rows: Vec<&str> = table.split('/').collect();
    if rows.len() != 4 {
        return Err(BadText::new(format!("there are four rows separated by '/', not {}", rows.len())));
    }
    let mut cards = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let row = row.split_whitespace().map(|word| read_card(deck, word)).collect::<Result<Vec<u8>, BadText>>()?;
        let wanted = deck.columns() - usize::from(deck.common);
        if row.len() != wanted {
            return Err(BadText::new(format!("row {} has {} cards and gaps, expected {wanted}", i + 1, row.len())));
        }
        if !deck.common && row[0] != deck.left(i) {
            return Err(BadText::new(format!("row {} begins with {}", i + 1, card_name(deck.left(i)))));
        }
        cards.extend_from_slice(&row[usize::from(!deck.common)..]);
    }
    let mut counts = [0; 64];
    for &card in &cards {
        counts[usize::from(card)] += 1;
    }
    for card in (0..4).flat_map(|suit| (ACE..=deck.ranks).map(move |rank| suit << 4 | rank)) {
        let (count, wanted) = (counts[usize::from(card)], i32::from(card & 15 > ACE));
        if count != wanted {
            return Err(BadText::new(format!("{} is there {count} times, expected {wanted}", card_name(card))));
        }
    }
    Ok(deck.lay_out(&cards, plies))
}
