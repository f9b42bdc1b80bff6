//! Pictures of Gaps.

use std::fmt::Write;

use kibitz_game::text::{Svg, colour};
use kibitz_game::{Cell, Game};

use super::Gaps;
use super::layout::{GAP, Layout};
use super::notation::{card_name, cell_name, column_name};

fn state(game: &Gaps, layout: &Layout) -> String {
    let (placed, all) = (game.deck.in_place(layout), game.deck.cards());
    let moves = match game.turn(layout) {
        kibitz_game::Turn::Over if placed == all => "solved".to_owned(),
        kibitz_game::Turn::Over => "over".to_owned(),
        _ => format!("{} moves possible", game.mobility(layout)),
    };
    format!("{placed} of {all} cards in place; {moves}")
}

pub(super) fn board(game: &Gaps, layout: &Layout) -> String {
    let deck = &game.deck;
    let columns = usize::from(deck.common)..deck.columns();
    let mut text = String::new();
    for row in 0..4 {
        let _ = write!(text, "{} ", row + 1);
        for column in columns.clone() {
            let _ = write!(text, " {}", card_name(layout.cells[row * deck.columns() + column]));
        }
        text.push('\n');
    }
    text.push_str("  ");
    for column in columns {
        let _ = write!(text, " {} ", column_name(deck, column));
    }
    format!("{}\n{}", text.trim_end(), state(game, layout))
}

/// The size of a card, and from one to the next.
const CARD: (i32, i32) = (34, 46);
const STEP: (i32, i32) = (40, 54);
const EDGE: i32 = 26;

/// The upper left corner of a card; columns are those that are shown.
fn corner(row: usize, column: usize) -> (i32, i32) {
    (EDGE + 3 + column as i32 * STEP.0, EDGE - 8 + row as i32 * STEP.1)
}

/// Cards have their own names, gaps those of their places.
pub(super) fn cells(game: &Gaps, layout: &Layout) -> Vec<Cell> {
    let deck = &game.deck;
    let first = usize::from(deck.common);
    let places = (0..4).flat_map(|row| (first..deck.columns()).map(move |column| (row, column)));
    let cell = |(row, column): (usize, usize)| {
        let place = row * deck.columns() + column;
        let (card, own) = (layout.cells[place], cell_name(deck, place as u8));
        let at = corner(row, column - first);
        if card == GAP {
            Cell::new(own, at, CARD).holding("gap")
        } else {
            Cell::new(card_name(card), at, CARD).holding(own)
        }
    };
    places.map(cell).collect()
}

/// A layout with an arrow from a cell to another, or without.
pub(super) fn svg(game: &Gaps, layout: &Layout, arrow: Option<(u8, u8)>) -> String {
    let deck = &game.deck;
    let first = usize::from(deck.common);
    let columns = deck.columns() - first;
    let (width, height) = (columns as i32 * STEP.0 + 2 * EDGE, 4 * STEP.1 + 2 * EDGE + 20);
    let corner = |row: usize, column: usize| corner(row, column - first);
    let mut svg = Svg::new(width, height);
    let ink = format!("fill=\"{}\"", colour::INK);
    for row in 0..4 {
        svg.text((13, corner(row, first).1 + CARD.1 / 2 + 5), &(row + 1).to_string(), &ink);
        let placed = deck.row_in_place(layout, row);
        for column in first..deck.columns() {
            let card = layout.cells[row * deck.columns() + column];
            let (x, y) = corner(row, column);
            if card == GAP {
                let look = format!("rx=\"4\" fill=\"none\" stroke=\"{}\" stroke-dasharray=\"3 3\"", colour::DARK);
                svg.rect((x, y), CARD, &look);
                continue;
            }
            let fill = if column <= placed { colour::MARK } else { "#fff" };
            svg.rect((x, y), CARD, &format!("rx=\"4\" fill=\"{fill}\" stroke=\"{}\"", colour::LINE));
            let suit = usize::from(card >> 4);
            let own = if matches!(suit, 1 | 2) { "#a8322a" } else { "#262626" };
            let rank = card_name(card)[..1].replace('T', "10");
            let look = format!("fill=\"{own}\" font-size=\"15\"");
            svg.text((x + CARD.0 / 2, y + 20), &rank, &look);
            svg.text((x + CARD.0 / 2, y + 38), ["♠", "♥", "♦", "♣"][suit], &look);
        }
    }
    for column in first..deck.columns() {
        let (x, y) = corner(4, column);
        svg.text((x + CARD.0 / 2, y + 10), &column_name(deck, column).to_string(), &ink);
    }
    if let Some((from, to)) = arrow {
        let middle = |cell: u8| {
            let (x, y) = corner(usize::from(cell) / deck.columns(), usize::from(cell) % deck.columns());
            (x + CARD.0 / 2, y + CARD.1 / 2)
        };
        let ((x, y), (to_x, to_y)) = (middle(from), middle(to));
        let look =
            format!("class=\"move\" stroke=\"{0}\" stroke-width=\"4\" stroke-linecap=\"round\"", colour::PLAYERS[0]);
        svg.path(&format!("M{x} {y}L{to_x} {to_y}"), &look);
        svg.circle((to_x, to_y), 7, &format!("fill=\"{}\"", colour::PLAYERS[0]));
    }
    svg.text((width / 2, height - 12), &state(game, layout), &ink);
    svg.finish()
}
