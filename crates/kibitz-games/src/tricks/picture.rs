//! Pictures of hands and tricks.

use std::fmt::Write;

use kibitz_game::text::{Svg, colour};
use kibitz_game::{Bits, Cell, Game, Turn};

use super::cards::{self, CLUBS, Card, SIGNS, SPADES, name, rank_name, suit, suit_of};
use super::notation::player_letter;
use super::{Move, NO_BID, Position, Tricks, Variant};

/// What everybody has taken and bid.
fn account(position: &Position, player: usize) -> String {
    let bid = match position.bids[player] {
        NO_BID => String::new(),
        bid => format!(" of {bid}"),
    };
    format!("took {}{bid}", position.taken[player])
}

/// What happens next.
fn state<V: Variant>(game: &Tricks<V>, position: &Position) -> String {
    match game.turn(position) {
        Turn::Chance => "the deal".to_owned(),
        Turn::Over => "over".to_owned(),
        Turn::Player(player) => {
            let does = match position.stage {
                super::Stage::Pass => "to pass on a card",
                super::Stage::Bid => "to bid",
                _ if position.played == 0 => "to lead",
                _ => "to play",
            };
            format!("{} {does}", player_letter(usize::from(player)))
        }
    }
}

/// A line for each player, suits from spades to clubs, then the trick.
pub(super) fn board<V: Variant>(game: &Tricks<V>, position: &Position) -> String {
    let mut text = String::new();
    for player in 0..game.setup.players {
        let _ = write!(text, "{} ", player_letter(player));
        for of in (CLUBS..=SPADES).rev() {
            let ranks: String = cards::sorted(position.hands[player] & suit(of)).map(rank_name).collect();
            let _ = write!(text, " {}{}", SIGNS[of], if ranks.is_empty() { "-" } else { &ranks });
        }
        let _ = writeln!(text, "  {}", account(position, player));
    }
    for place in 0..usize::from(position.played) {
        let player = (usize::from(position.leader) + place) % game.setup.players;
        let card = position.trick[place];
        let _ = write!(text, "{}: {}{}  ", player_letter(player), rank_name(card), SIGNS[suit_of(card)]);
    }
    text + &state(game, position)
}

const WIDE: i32 = 34;
const HIGH: i32 = 48;
const STEP: i32 = 37;

fn card(svg: &mut Svg, card: Card, (x, y): (i32, i32), marked: bool) {
    let (edge, width) = if marked { (colour::MARK, 4) } else { (colour::LINE, 1) };
    svg.rect((x, y), (WIDE, HIGH), &format!("rx=\"4\" fill=\"#fdfdfb\" stroke=\"{edge}\" stroke-width=\"{width}\""));
    let red = suit_of(card) != CLUBS && suit_of(card) != SPADES;
    let ink = format!("fill=\"{}\"", if red { "#c8443c" } else { "#262626" });
    svg.text(
        (x + WIDE / 2, y + 20),
        &rank_name(card).to_string().replace('T', "10"),
        &format!("{ink} font-weight=\"bold\""),
    );
    svg.text((x + WIDE / 2, y + 40), &SIGNS[suit_of(card)].to_string(), &format!("{ink} font-size=\"18\""));
}

/// The upper left corner of a card in a hand, and in the trick, which has the row below the hands.
fn in_hand(player: usize, place: usize) -> (i32, i32) {
    (150 + STEP * place as i32, 14 + (HIGH + 12) * player as i32)
}

fn in_trick(players: usize, place: usize) -> (i32, i32) {
    (150 + (STEP + 6) * place as i32, 14 + (HIGH + 12) * players as i32)
}

/// Whether somebody, or whoever sees everything, sees the hand of a player.
fn sees<V: Variant>(game: &Tricks<V>, viewer: Option<usize>, player: usize) -> bool {
    game.setup.open || viewer.is_none_or(|viewer| viewer == player)
}

/// The cards that are seen, in hands and in the trick.
pub(super) fn cells<V: Variant>(game: &Tricks<V>, position: &Position, viewer: Option<usize>) -> Vec<Cell> {
    let players = game.setup.players;
    let mut cells = Vec::new();
    let mut put = |card, at, holds: String| cells.push(Cell::new(name(card), at, (WIDE, HIGH)).holding(holds));
    for player in (0..players).filter(|&player| sees(game, viewer, player)) {
        for (place, held) in cards::sorted(position.hands[player]).enumerate() {
            let chosen = if position.passed[player] >> held & 1 != 0 { ", chosen" } else { "" };
            put(held, in_hand(player, place), format!("hand of {}{chosen}", player_letter(player)));
        }
    }
    for place in 0..usize::from(position.played) {
        let player = (usize::from(position.leader) + place) % players;
        put(position.trick[place], in_trick(players, place), format!("played by {}", player_letter(player)));
    }
    cells
}

/// The back of a card.
fn back(svg: &mut Svg, (x, y): (i32, i32)) {
    svg.rect((x, y), (WIDE, HIGH), &format!("rx=\"4\" fill=\"{}\" stroke=\"{}\"", colour::DARK, colour::LINE));
    let inner = format!("rx=\"2\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", colour::PAPER);
    svg.rect((x + 5, y + 5), (WIDE - 10, HIGH - 10), &inner);
}

/// A row of cards for each player and one for the trick; a move is pointed out. Somebody who plays sees the backs of the cards of
/// others.
pub(super) fn svg<V: Variant>(
    game: &Tricks<V>,
    position: &Position,
    mv: Option<Move>,
    viewer: Option<usize>,
) -> String {
    let players = game.setup.players;
    let most = position.hands.iter().map(|hand| hand.count() as i32).max().unwrap_or(0).max(players as i32 + 2);
    let (width, height) = (176 + STEP * most, (HIGH + 12) * (players as i32 + 1) + 40);
    let mut svg = Svg::new(width, height);
    let ink = format!("fill=\"{}\"", colour::INK);
    let turn = game.turn(position);
    for player in 0..players {
        let y = 14 + (HIGH + 12) * player as i32;
        let letter = player_letter(player).to_string();
        svg.circle((24, y + HIGH / 2), 13, &format!("fill=\"{}\"", colour::PLAYERS[player]));
        svg.text((24, y + HIGH / 2 + 5), &letter, "fill=\"#fff\" font-weight=\"bold\"");
        if turn == Turn::Player(player as u8) {
            svg.circle(
                (24, y + HIGH / 2),
                17,
                &format!("fill=\"none\" stroke=\"{}\" stroke-width=\"4\"", colour::MARK),
            );
        }
        svg.text((92, y + HIGH / 2 + 5), &account(position, player), &ink);
        if !sees(game, viewer, player) {
            (0..position.hands[player].count() as usize).for_each(|place| back(&mut svg, in_hand(player, place)));
            continue;
        }
        for (place, held) in cards::sorted(position.hands[player]).enumerate() {
            let moved = mv == Some(held) && turn == Turn::Player(player as u8);
            let marked = moved || position.passed[player] >> held & 1 != 0;
            card(&mut svg, held, in_hand(player, place), marked);
        }
    }
    let y = in_trick(players, 0).1;
    svg.text((92, y + HIGH / 2 + 5), "trick", &ink);
    for place in 0..usize::from(position.played) {
        let player = (usize::from(position.leader) + place) % players;
        let (x, y) = in_trick(players, place);
        card(&mut svg, position.trick[place], (x, y), Tricks::<V>::winning(position).0 == place);
        svg.circle((x + WIDE, y + HIGH), 7, &format!("fill=\"{}\"", colour::PLAYERS[player]));
    }
    svg.text((width / 2, height - 12), &state(game, position), &ink);
    svg.finish()
}
