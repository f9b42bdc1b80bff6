//! Pictures of Hey! That's My Fish!

use std::fmt::Write;

use kibitz_game::Cell;
use kibitz_game::text::{Svg, colour};

use super::geometry::{TILES, place, row_length};
use super::notation::letter;
use super::{Fish, OVER, Position};

/// The player whose penguin stands on a tile.
fn owner(position: &Position, tile: usize) -> Option<usize> {
    position.penguins.iter().position(|penguins| penguins.iter().any(|&at| usize::from(at) == tile))
}

/// The fish of all players, and who is to move.
fn state(game: &Fish, position: &Position) -> String {
    let over = position.turn == OVER;
    let fish = |player| {
        let taken = i32::from(position.scores[player]);
        format!("{} {}", letter(player), if over { game.harvest(position, player).0 } else { taken })
    };
    let mut text = (0..game.players).map(fish).collect::<Vec<String>>().join(", ");
    text += "; ";
    if over {
        text += "over";
    } else {
        let to = if position.to_place > 0 { "place" } else { "move" };
        let _ = write!(text, "{} to {to}", letter(usize::from(position.turn)));
    }
    text
}

/// The rows with the number of their first tile; a penguin is the letter of its player before the fish.
pub(super) fn board(game: &Fish, position: &Position) -> String {
    let mut text = String::new();
    let mut tile = 0;
    for row in 0..8 {
        let _ = write!(text, "{tile:>3}  {}", if row % 2 == 0 { "  " } else { "" });
        for _ in 0..row_length(row) {
            let player = owner(position, tile).map_or(' ', letter);
            let fish = ['.', '1', '2', '3'][usize::from(position.fish_on(tile as u8))];
            let _ = write!(text, "{player}{fish}  ");
            tile += 1;
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text + &state(game, position)
}

/// Half the width of a hexagon, the height of its sides above and below the middle, and that of its points.
const HALF: i32 = 24;
const SIDE: i32 = 14;
const POINT: i32 = 28;
const EDGE: i32 = 14;

fn middle(tile: usize) -> (i32, i32) {
    let (row, x) = place(tile);
    (EDGE + HALF * (x as i32 + 1), EDGE + POINT + (POINT + SIDE) * row as i32)
}

fn hexagon((x, y): (i32, i32)) -> String {
    let (across, up) = (HALF, POINT - SIDE);
    let tall = 2 * SIDE;
    format!("M{x} {}l{across} {up}v{tall}l-{across} {up}l-{across}-{up}v-{tall}z", y - POINT)
}

/// A fish that looks to the left.
fn fish((x, y): (i32, i32)) -> String {
    format!("M{} {y}q6-6 13 0l4-3v6l-4-3q-7 6-13 0z", x - 9)
}

pub(super) fn svg(game: &Fish, position: &Position) -> String {
    let width = 16 * HALF + 2 * EDGE;
    let height = 7 * (POINT + SIDE) + 2 * POINT + 2 * EDGE + 22;
    let mut svg = Svg::new(width, height);
    let tiles: Vec<(usize, usize)> = (0..TILES).map(|tile| (tile, usize::from(position.fish_on(tile as u8)))).collect();
    let path = |wanted: &dyn Fn(usize) -> bool| {
        tiles.iter().filter(|tile| wanted(tile.1)).map(|&(tile, _)| hexagon(middle(tile))).collect::<String>()
    };
    svg.path(&path(&|fish| fish == 0), &format!("fill=\"none\" stroke=\"{}\" stroke-dasharray=\"2 4\"", colour::DARK));
    svg.path(&path(&|fish| fish > 0), "fill=\"#dcebf2\" stroke=\"#8fb3c4\" stroke-width=\"1.5\"");
    let mut shoal = String::new();
    for &(tile, count) in &tiles {
        let (x, y) = middle(tile);
        let shift = if owner(position, tile).is_some() { 13 } else { 4 };
        match count {
            1 => shoal += &fish((x, y + shift)),
            2 => shoal += &(fish((x - 9, y + shift)) + &fish((x + 10, y + shift))),
            3 => {
                let low = y + shift.min(11);
                shoal += &(fish((x - 9, low)) + &fish((x + 10, low)) + &fish((x, low + 7)));
            }
            _ => {}
        }
    }
    svg.path(&shoal, "fill=\"#d9823b\" stroke=\"#a85c1f\" stroke-width=\"0.5\"");
    svg.group("font-size=\"9\" fill=\"#7d9aa8\"", |svg| {
        for &(tile, _) in tiles.iter().filter(|tile| tile.1 > 0 && owner(position, tile.0).is_none()) {
            let (x, y) = middle(tile);
            svg.text((x, y - 11), &tile.to_string(), "");
        }
    });
    for &(tile, _) in &tiles {
        if let Some(player) = owner(position, tile) {
            let (x, y) = middle(tile);
            svg.circle((x, y - 9), 13, &format!("fill=\"{}\" stroke=\"#fff\"", colour::PLAYERS[player]));
            svg.text((x, y - 5), &tile.to_string(), "font-size=\"12\" fill=\"#fff\"");
        }
    }
    let line = state(game, position);
    svg.text((width / 2, height - 13), &line, &format!("fill=\"{}\"", colour::INK));
    if position.turn != OVER {
        let at = (width / 2 - 4 * line.chars().count() as i32 - 10, height - 17);
        svg.circle(at, 7, &format!("fill=\"{}\"", colour::PLAYERS[usize::from(position.turn)]));
    }
    svg.finish()
}

pub(super) fn cells(position: &Position) -> Vec<Cell> {
    let holds = |tile: usize| {
        let fish = match position.fish_on(tile as u8) {
            0 => "gone".to_owned(),
            count => format!("{count} fish"),
        };
        owner(position, tile).map_or(fish.clone(), |player| format!("penguin of {}, {fish}", letter(player)))
    };
    let cell = |tile: usize| {
        let (x, y) = middle(tile);
        // the rectangle of the sides: the points of the hexagon belong to its neighbours, too
        Cell::new(tile.to_string(), (x - HALF, y - POINT + 7), (2 * HALF, 2 * POINT - 14)).holding(holds(tile))
    };
    (0..TILES).map(cell).collect()
}
