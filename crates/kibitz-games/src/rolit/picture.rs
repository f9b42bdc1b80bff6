//! Pictures of Rolit.

use kibitz_game::text::{self, Svg, colour};
use kibitz_game::{Bits, Cell, Game, Turn};

use super::{LETTERS, Move, Position, Rolit};

const NAMES: [&str; 4] = ["Red", "Green", "Yellow", "Blue"];
/// Told apart by lightness, too.
const COLOURS: [&str; 4] = ["#a32020", "#6fbf9c", "#f5c93f", "#24468f"];
const EDGES: [&str; 4] = ["#741414", "#4c9877", "#c59b25", "#182f63"];

/// The balls of all players, and who is to move.
fn state(game: &Rolit, position: &Position) -> String {
    let counts = (0..game.players).map(|player| format!("{} {}", NAMES[player], Rolit::count(position, player)));
    let next = match game.turn(position) {
        Turn::Player(player) => format!("{} to move", NAMES[usize::from(player)]),
        _ => "over".to_owned(),
    };
    format!("{}; {next}", counts.collect::<Vec<String>>().join(", "))
}

pub(super) fn board(game: &Rolit, position: &Position) -> String {
    let letter = |row, col| Rolit::cell(position, row, col).map_or('.', |colour| LETTERS[colour]);
    format!("{}\n{}", text::board_of_grid(game.size, game.size, letter), state(game, position))
}

const SIDE: i32 = 44;
const EDGE: i32 = 22;

fn corner(square: u32) -> (i32, i32) {
    (EDGE + (square % 8) as i32 * SIDE, EDGE + (square / 8) as i32 * SIDE)
}

pub(super) fn cells(game: &Rolit, position: &Position) -> Vec<Cell> {
    let places = (0..game.size).flat_map(|row| (0..game.size).map(move |col| (row, col)));
    let cell = |(row, col)| {
        let name = text::square_name(game.size - 1 - row, col);
        let ball = Rolit::cell(position, row, col).map_or("", |colour| NAMES[colour]);
        Cell::new(name, corner((8 * row + col) as u32), (SIDE, SIDE)).holding(ball)
    };
    places.map(cell).collect()
}

/// The board; a move is pointed out, and so are the balls that it turns.
pub(super) fn svg(game: &Rolit, position: &Position, mv: Option<Move>) -> String {
    let size = game.size as i32;
    let wide = size * SIDE;
    let middle = |square: u32| (corner(square).0 + SIDE / 2, corner(square).1 + SIDE / 2);
    let mut svg = Svg::new(wide + 2 * EDGE, wide + 2 * EDGE + 22);
    svg.rect((EDGE, EDGE), (wide, wide), &format!("fill=\"{}\"", colour::LIGHT));
    if let Some(mv) = mv {
        let mut after = *position;
        game.play(&mut after, mv);
        let mover = usize::from(position.turn & 3);
        let changed = after.colours[mover] & !position.colours[mover];
        let patches = changed.squares().map(|square| {
            let (x, y) = corner(square);
            format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")
        });
        svg.path(&patches.collect::<String>(), &format!("class=\"move\" fill=\"{}\"", colour::MARK));
    }
    let lines = (0..=size).map(|i| {
        let at = EDGE + i * SIDE;
        format!("M{EDGE} {at}h{wide}M{at} {EDGE}v{wide}")
    });
    let look = format!("stroke=\"{}\" stroke-linecap=\"square\"", colour::LINE);
    svg.path(&lines.collect::<String>(), &look);
    for (colour, balls) in position.colours.iter().enumerate().filter(|(_, balls)| !balls.is_empty()) {
        // balls that nobody plays have a dashed edge
        let dashes = if colour < game.players { "" } else { " stroke-dasharray=\"4 3\"" };
        let look = format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"{dashes}", COLOURS[colour], EDGES[colour]);
        svg.group(&look, |svg| balls.squares().for_each(|square| svg.circle(middle(square), 17, "")));
    }
    if let Some(mv) = mv {
        let own = EDGES[usize::from(position.turn & 3)];
        svg.circle(middle(u32::from(mv)), 15, &format!("fill=\"none\" stroke=\"{own}\" stroke-width=\"5\""));
    }
    svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
        for i in 0..size {
            let at = EDGE + i * SIDE + SIDE / 2;
            svg.text((EDGE / 2, at + 4), &(size - i).to_string(), "");
            svg.text((at, EDGE + wide + 17), &char::from(b'a' + i as u8).to_string(), "");
        }
        svg.text((wide / 2 + EDGE, wide + 2 * EDGE + 12), &state(game, position), "");
    });
    svg.finish()
}
