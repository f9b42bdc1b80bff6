//! Pictures of Focus.

use std::fmt::Write;

use kibitz_game::text::{Svg, colour};
use kibitz_game::{Bits, Cell};

use super::notation::{letter, letters, name};
use super::squares::{self, BOARD, Move};
use super::stacks;
use super::{Focus, NOBODY, OVER, Position};

/// Who is to move or who has won.
fn state(position: &Position) -> String {
    match (position.turn, position.winner) {
        (OVER, NOBODY) => "a draw".to_owned(),
        (OVER, winner) => format!("{} has won", letter(usize::from(winner))),
        (turn, _) => format!("{} to move", letter(usize::from(turn))),
    }
}

/// What a player has beside the board.
fn prizes(game: &Focus, position: &Position, player: usize) -> String {
    let captured = position.prizes(player);
    let others = (0..game.players).filter(|&other| other != player);
    let captured: Vec<String> = others.map(|other| format!("{} {}", captured[other], letter(other))).collect();
    format!("{}: reserve {}, captured {}", letter(player), position.reserve[player], captured.join(", "))
}

/// The rows with their numbers; a stack is written from its bottom to its top.
pub(super) fn board(game: &Focus, position: &Position) -> String {
    let mut text = String::new();
    for row in 0..8 {
        let mut line = format!("{:>3} ", 8 - row);
        for square in 8 * row..8 * row + 8 {
            let on_board = BOARD.has(square as u32);
            let stack = if on_board { letters(position.stacks[square]) } else { " ".to_owned() };
            let _ = write!(line, " {:<5}", if stack.is_empty() { "." } else { &stack });
        }
        text += line.trim_end();
        text.push('\n');
    }
    text += "     a     b     c     d     e     f     g     h\n";
    (0..game.players).for_each(|player| text += &(prizes(game, position, player) + "\n"));
    text + &state(position)
}

/// Red, green, blue and yellow, told apart by lightness, too.
const CHIPS: [&str; 4] = ["#8c2424", "#3fa37b", "#2a5db0", "#e0b03a"];

const SQUARE: i32 = 48;
const EDGE: i32 = 26;
const CHIP: i32 = 8;

fn corner(square: usize) -> (i32, i32) {
    (EDGE + SQUARE * (square % 8) as i32, EDGE + SQUARE * (square / 8) as i32)
}

pub(super) fn svg(game: &Focus, position: &Position, mv: Option<Move>) -> String {
    let (width, bottom) = (2 * EDGE + 8 * SQUARE, EDGE + 8 * SQUARE);
    let height = bottom + 44 + 17 * game.players as i32;
    let mut svg = Svg::new(width, height);
    for square in BOARD.squares().map(|square| square as usize) {
        let fill = if (square / 8 + square % 8) % 2 == 0 { colour::LIGHT } else { colour::DARK };
        let marked = mv.is_some_and(|mv| square == squares::to(mv) || square == squares::from(mv));
        svg.rect(corner(square), (SQUARE, SQUARE), &format!("fill=\"{}\"", if marked { colour::MARK } else { fill }));
    }
    for square in BOARD.squares().map(|square| square as usize) {
        let (x, y) = corner(square);
        for (level, player) in stacks::colours(position.stacks[square]).enumerate() {
            let at = (x + 7, y + SQUARE - 6 - CHIP * (level as i32 + 1));
            let look = format!("rx=\"4\" fill=\"{}\" stroke=\"#fff\"", CHIPS[player]);
            svg.rect(at, (SQUARE - 14, CHIP), &look);
        }
    }
    if let Some(mv) = mv.filter(|&mv| squares::pieces(mv) > 0) {
        let middle = |square| (corner(square).0 + SQUARE / 2, corner(square).1 + SQUARE / 2);
        let ((x, y), (to_x, to_y)) = (middle(squares::from(mv)), middle(squares::to(mv)));
        svg.path(&format!("M{x} {y}L{to_x} {to_y}"), &format!("stroke=\"{}\" stroke-width=\"3\"", colour::INK));
        svg.circle((to_x, to_y), 5, &format!("fill=\"{}\"", colour::INK));
    }
    svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
        for line in 0..8 {
            let middle = EDGE + SQUARE * line + SQUARE / 2;
            svg.text((EDGE / 2, middle + 4), &(8 - line).to_string(), "");
            svg.text((middle, bottom + 16), &char::from(b'a' + line as u8).to_string(), "");
        }
        for player in 0..game.players {
            let at = (width / 2, bottom + 36 + 17 * player as i32);
            svg.text(at, &prizes(game, position, player), "font-size=\"12\"");
        }
        svg.text((width / 2, height - 8), &state(position), "font-weight=\"bold\"");
    });
    for (line, fill) in (0..).zip(&CHIPS[..game.players]) {
        svg.circle((EDGE + 50, bottom + 32 + 17 * line), 6, &format!("fill=\"{fill}\""));
    }
    svg.finish()
}

/// The name of the cell where the player to move has pieces to place.
pub(super) const RESERVE: &str = "reserve";

pub(super) fn cells(game: &Focus, position: &Position) -> Vec<Cell> {
    let square = |square: u32| {
        let square = square as usize;
        let stack = letters(position.stacks[square]);
        let holds = if stack.is_empty() { stack } else { format!("from the bottom {stack}") };
        Cell::new(name(square), corner(square), (SQUARE, SQUARE)).holding(holds)
    };
    let mut cells: Vec<Cell> = BOARD.squares().map(square).collect();
    let player = usize::from(position.turn);
    if player < game.players {
        let at = (EDGE, EDGE + 8 * SQUARE + 24 + 17 * player as i32);
        let holds = format!("{} of {}", position.reserve[player], letter(player));
        cells.push(Cell::new(RESERVE, at, (8 * SQUARE, 17)).holding(holds));
    }
    cells
}
