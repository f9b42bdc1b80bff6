//! Positions of Hey! That's My Fish! as text: the tiles, the players and the player to move.

use std::fmt::Write;

use kibitz_game::BadText;

use super::geometry::{ALL, TILES, row_length};
use super::{Fish, Islands, MOST_FISH, NOWHERE, OVER, Position, UNPLACED};

const PLAYERS: [char; 4] = ['A', 'B', 'C', 'D'];

/// The letter of a player.
pub(super) fn letter(player: usize) -> char {
    PLAYERS[player]
}

pub(super) fn write(game: &Fish, position: &Position) -> String {
    let mut text = String::new();
    let mut tile = 0;
    for row in 0..8 {
        if row > 0 {
            text.push('/');
        }
        for _ in 0..row_length(row) {
            text.push(['.', '1', '2', '3'][usize::from(position.fish_on(tile))]);
            tile += 1;
        }
    }
    for player in 0..game.players {
        let places = position.penguins[player][..game.penguins].iter().map(|&at| match at {
            UNPLACED => "?".to_owned(),
            NOWHERE => "x".to_owned(),
            tile => tile.to_string(),
        });
        let places: Vec<String> = places.collect();
        let tiles = if game.tiles { format!("+{}", position.tiles[player]) } else { String::new() };
        let _ = write!(text, " {}{tiles}@{}", position.scores[player], places.join(","));
    }
    text.push(' ');
    text.push(if position.turn == OVER { '-' } else { letter(usize::from(position.turn)) });
    text
}

pub(super) fn read(game: &Fish, text: &str) -> Result<Position, BadText> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() != game.players + 2 {
        return Err(BadText::new(format!(
            "write the rows, the fish and penguins of {} players, and the player to move: {} fields, not {}",
            game.players,
            game.players + 2,
            fields.len()
        )));
    }
    let mut position = Position { fish: read_tiles(fields[0])?, ..Position::EMPTY };
    for (player, field) in fields[1..=game.players].iter().enumerate() {
        read_player(game, &mut position, player, field)?;
    }
    check_counts(game, &position)?;
    if position.to_place > 0 {
        check_placement(game, &position)?;
        position.turn = game.next_to_place(&position).0 as u8;
    } else {
        // whoever comes first after the last player; the text may name any other who can move
        game.pass_on(&mut position, game.players - 1);
    }
    read_turn(game, &mut position, fields[game.players + 1])?;
    Ok(position)
}

fn read_tiles(text: &str) -> Result<[u64; 2], BadText> {
    let rows: Vec<&str> = text.split('/').collect();
    let whole = rows.len() == 8 && rows.iter().enumerate().all(|(i, row)| row.chars().count() == row_length(i));
    if !whole && (rows.len() > 1 || text.chars().count() != TILES) {
        return Err(BadText::new("the board has eight rows of 7, 8, 7, 8, … tiles separated by '/'"));
    }
    let mut fish = [0; 2];
    let mut counts = [0; 4];
    for (tile, cell) in text.chars().filter(|&cell| cell != '/').enumerate() {
        let count = match cell {
            '.' => 0,
            '1' => 1,
            '2' => 2,
            '3' => 3,
            other => return Err(BadText::new(format!("{other:?} is not a tile; use 1, 2, 3 and . for a gap"))),
        };
        counts[count] += 1;
        fish[0] |= (count as u64 & 1) << tile;
        fish[1] |= (count as u64 >> 1) << tile;
    }
    for (count, most) in [(1, 30), (2, 20), (3, 10)] {
        if counts[count] > most {
            return Err(BadText::new(format!("there are {most} tiles with {count} fish, not {}", counts[count])));
        }
    }
    Ok(fish)
}

/// A number up to [`MOST_FISH`], without a sign.
fn number(text: &str) -> Option<u8> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| plain && number <= MOST_FISH)
}

fn read_player(game: &Fish, position: &mut Position, player: usize, field: &str) -> Result<(), BadText> {
    let name = letter(player);
    let (taken, penguins) =
        field.split_once('@').ok_or_else(|| BadText::new(format!("{field:?} is not fish@penguins of {name}")))?;
    let (fish, tiles) = match (taken.split_once('+'), game.tiles) {
        (Some((fish, tiles)), true) => (number(fish), number(tiles)),
        (None, false) => (number(taken), Some(0)),
        (Some(_), false) => return Err(BadText::new("tiles are counted only with ties=tiles: write fish@penguins")),
        (None, true) => return Err(BadText::new("with ties=tiles the tiles are counted: write fish+tiles@penguins")),
    };
    let (Some(fish), Some(tiles)) = (fish, tiles) else {
        return Err(BadText::new(format!("{taken:?} is not what {name} has taken")));
    };
    if game.tiles && !(u16::from(tiles)..=3 * u16::from(tiles)).contains(&u16::from(fish)) {
        return Err(BadText::new(format!("{name} cannot have {fish} fish on {tiles} tiles")));
    }
    position.scores[player] = fish;
    position.tiles[player] = tiles;
    let places: Vec<&str> = penguins.split(',').collect();
    if places.len() != game.penguins {
        return Err(BadText::new(format!("{name} has {} penguins, not {}", game.penguins, places.len())));
    }
    for (penguin, &place) in places.iter().enumerate() {
        let at = match place {
            "?" => {
                position.to_place += 1;
                UNPLACED
            }
            "x" if game.islands == Islands::Award => NOWHERE,
            "x" => return Err(BadText::new("penguins leave the board only with islands=award")),
            place => {
                let at =
                    number(place).filter(|&at| position.all() & ALL & 1u64.checked_shl(at.into()).unwrap_or(0) != 0);
                let at =
                    at.ok_or_else(|| BadText::new(format!("there is no tile {place:?} for a penguin of {name}")))?;
                if position.occupied >> at & 1 != 0 {
                    return Err(BadText::new(format!("two penguins stand on tile {at}")));
                }
                position.occupied |= 1 << at;
                at
            }
        };
        position.penguins[player][penguin] = at;
    }
    Ok(())
}

/// No more fish and tiles than there are in the box.
fn check_counts(game: &Fish, position: &Position) -> Result<(), BadText> {
    let sum = |counts: &[u8]| counts.iter().map(|&count| u32::from(count)).sum::<u32>();
    let fish = sum(&position.scores) + u32::from(position.fish_in(ALL));
    if fish > u32::from(MOST_FISH) {
        return Err(BadText::new(format!("there are 100 fish on the board and with the players, not {fish}")));
    }
    let tiles = sum(&position.tiles) + position.all().count_ones();
    if game.tiles && tiles > TILES as u32 {
        return Err(BadText::new(format!("there are 60 tiles on the board and with the players, not {tiles}")));
    }
    Ok(())
}

/// Penguins are placed in turn on tiles with one fish, before anybody has taken a fish.
fn check_placement(game: &Fish, position: &Position) -> Result<(), BadText> {
    let done = game.players * game.penguins - usize::from(position.to_place);
    for player in 0..game.players {
        for penguin in 0..game.penguins {
            let waits = position.penguins[player][penguin] == UNPLACED;
            if waits != (penguin * game.players + player >= done) {
                return Err(BadText::new("penguins are placed in turn: those marked ? are the last ones"));
            }
        }
    }
    if position.penguins.iter().flatten().filter(|&&at| at == NOWHERE).count() > 16 - game.players * game.penguins {
        return Err(BadText::new("no penguin leaves the board before all are placed"));
    }
    if position.scores != [0; 4] {
        return Err(BadText::new("nobody has fish before all penguins are placed"));
    }
    if position.occupied & (position.fish[1] | !position.fish[0]) != 0 {
        return Err(BadText::new("penguins are placed on tiles with one fish"));
    }
    if position.places().count_ones() < u32::from(position.to_place) {
        return Err(BadText::new("there are not enough tiles with one fish for all penguins"));
    }
    Ok(())
}

fn read_turn(game: &Fish, position: &mut Position, text: &str) -> Result<(), BadText> {
    let known = if position.turn == OVER { '-' } else { letter(usize::from(position.turn)) };
    let named = PLAYERS[..game.players].iter().position(|player| player.to_string() == text);
    match named {
        Some(player) if position.to_place == 0 && position.turn != OVER && position.can_move(player) => {
            position.turn = player as u8;
            Ok(())
        }
        _ if text == known.to_string() => Ok(()),
        _ if position.turn == OVER => Err(BadText::new(format!("the game is over: the turn is -, not {text:?}"))),
        Some(_) if position.to_place > 0 => Err(BadText::new(format!("it is {known}'s turn to place a penguin"))),
        Some(_) => {
            Err(BadText::new(format!("{text} cannot move; it is the turn of somebody who can, such as {known}")))
        }
        None if text == "-" => Err(BadText::new(format!("the game is not over: {known} can move"))),
        None => Err(BadText::new(format!("the player to move is A to {}, not {text:?}", letter(game.players - 1)))),
    }
}
