//! Pictures of Chinese Checkers.

use std::collections::VecDeque;
use std::fmt::Write;

use kibitz_game::Cell;
use kibitz_game::text::{Svg, colour};

use super::geometry::{DIRECTIONS, Star, corners};
use super::notation::letter;
use super::{ChineseCheckers, NOBODY, OVER, Position};

/// Who is to move or who has won.
fn state(position: &Position) -> String {
    match (position.turn, position.winner) {
        (OVER, NOBODY) => "a draw".to_owned(),
        (OVER, winner) => format!("{} has won", letter(usize::from(winner))),
        (turn, _) => format!("{} to move", letter(usize::from(turn))),
    }
}

/// The rows, each with the number of its first cell.
pub(super) fn board(game: &ChineseCheckers, position: &Position) -> String {
    let lengths = game.star.row_lengths();
    let width = lengths.iter().copied().max().unwrap_or(0);
    let (mut text, mut cell) = (String::new(), 0);
    for length in lengths {
        let _ = write!(text, "{cell:>4} {}", " ".repeat(width - length));
        for _ in 0..length {
            text.push(' ');
            text.push(game.owner(position, cell).map_or('.', letter));
            cell += 1;
        }
        text.push('\n');
    }
    text + &state(position)
}

/// Half the distance between two cells of a row, and the distance between two rows.
const HALF: i32 = 17;
const ROW: i32 = 29;
const EDGE: i32 = 26;
const HOLE: i32 = 7;
const PIECE: i32 = 13;

fn middle(star: &Star, cell: usize) -> (i32, i32) {
    let (x, y, z) = star.cells[cell];
    let far = 2 * star.side;
    (EDGE + HALF * (y - z + 3 * star.side), EDGE + ROW * (far - x))
}

/// A shortest way of a piece: the cells where it lands, the first included.
fn way(game: &ChineseCheckers, position: &Position, (from, to): (usize, usize)) -> Vec<usize> {
    let star = &game.star;
    if DIRECTIONS.iter().any(|&direction| star.away(from, direction, 1) == Some(to)) {
        return vec![from, to];
    }
    let player = usize::from(position.turn);
    let mut before = vec![None; star.cells.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for direction in DIRECTIONS {
            let (Some(over), Some(land)) = (star.away(cell, direction, 1), star.away(cell, direction, 2)) else {
                continue;
            };
            let full = |cell: usize| cell != from && game.owner(position, cell).is_some();
            let allowed = game.views.seen[player][land] & game.views.area != 0;
            if full(over) && !full(land) && allowed && land != from && before[land].is_none() {
                before[land] = Some(cell);
                queue.push_back(land);
            }
        }
    }
    let mut way: Vec<usize> = std::iter::successors(Some(to), |&cell| before[cell]).collect();
    way.reverse();
    way
}

pub(super) fn svg(game: &ChineseCheckers, position: &Position, mv: Option<(usize, usize)>) -> String {
    let star = &*game.star;
    let (width, rows) = (2 * EDGE + HALF * 6 * star.side, 2 * EDGE + ROW * 4 * star.side);
    let height = rows + 20;
    let mut svg = Svg::new(width, height);
    // each corner in the colour of the player who begins there, or else of the one who wants to go there
    for corner in 0..6 {
        let seat = |corner: usize| corners(game.players).iter().position(|&each| each == corner);
        let inside = (0..star.cells.len()).filter(|&cell| star.in_corner(cell, corner));
        let look = match (seat(corner), seat((corner + 3) % 6)) {
            (Some(player), _) => format!("fill=\"{}\" fill-opacity=\"0.28\"", colour::PLAYERS[player]),
            (None, Some(player)) => format!("fill=\"{}\" fill-opacity=\"0.12\"", colour::PLAYERS[player]),
            (None, None) => format!("fill=\"{}\" fill-opacity=\"0.5\"", colour::LIGHT),
        };
        inside.for_each(|cell| svg.circle(middle(star, cell), HALF, &look));
    }
    let lines = (0..star.cells.len()).flat_map(|cell| {
        let (x, y) = middle(star, cell);
        DIRECTIONS[2..5].iter().filter_map(move |&direction| {
            let (to_x, to_y) = middle(star, star.away(cell, direction, 1)?);
            Some(format!("M{x} {y}L{to_x} {to_y}"))
        })
    });
    svg.path(&lines.collect::<String>(), &format!("stroke=\"{}\" stroke-width=\"1\"", colour::DARK));
    for cell in 0..star.cells.len() {
        let at = middle(star, cell);
        match game.owner(position, cell) {
            Some(player) => svg.circle(at, PIECE, &format!("fill=\"{}\" stroke=\"#fff\"", colour::PLAYERS[player])),
            None => svg.circle(at, HOLE, &format!("fill=\"#fdfdfb\" stroke=\"{}\"", colour::LINE)),
        }
    }
    if let Some(ends) = mv {
        let points = way(game, position, ends).into_iter().map(|cell| middle(star, cell));
        let path: Vec<String> = points.map(|(x, y)| format!("{x} {y}")).collect();
        let look = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\"", colour::MARK);
        svg.path(&format!("M{}", path.join("L")), &look);
        svg.circle(
            middle(star, ends.1),
            PIECE,
            &format!("fill=\"none\" stroke=\"{}\" stroke-width=\"3\"", colour::MARK),
        );
    }
    svg.group("font-size=\"9\"", |svg| {
        for cell in 0..star.cells.len() {
            let (x, y) = middle(star, cell);
            let fill = if game.owner(position, cell).is_some() { "#fff" } else { colour::INK };
            svg.text((x, y + 3), &cell.to_string(), &format!("fill=\"{fill}\""));
        }
    });
    svg.text((width / 2, height - 12), &state(position), &format!("fill=\"{}\"", colour::INK));
    if position.turn != OVER {
        let at = (width / 2 - 46, height - 16);
        svg.circle(at, 7, &format!("fill=\"{}\"", colour::PLAYERS[usize::from(position.turn)]));
    }
    svg.finish()
}

pub(super) fn cells(game: &ChineseCheckers, position: &Position) -> Vec<Cell> {
    let holds = |cell| game.owner(position, cell).map_or(String::new(), |player| letter(player).to_string());
    let place = |cell: usize| Cell::around(cell.to_string(), middle(&game.star, cell), ROW / 2).holding(holds(cell));
    (0..game.star.cells.len()).map(place).collect()
}
