//! Pictures of Surakarta, with its loops.

use std::fmt::Write;

use kibitz_game::text::{self, Svg, colour};
use kibitz_game::{Bits, Cell, Draw, Game, Turn};

use super::circuits::SIDE;
use super::{Move, Position, Surakarta, squares};

/// The distance between two lines, and that of the lines from the edge of the picture, which leaves room for the loops.
const GAP: i32 = 44;
const MARGIN: i32 = 2 * GAP + 24;
const RADIUS: i32 = 17;
const STONES: [&str; 2] = ["fill=\"#fdfdfb\" stroke=\"#333\"", "fill=\"#262626\" stroke=\"#000\""];

/// Where a point is drawn.
fn place(row: usize, col: usize) -> (i32, i32) {
    (MARGIN + GAP * col as i32, MARGIN + GAP * (SIDE - 1 - row) as i32)
}

fn of_point(point: u32) -> (i32, i32) {
    place(point as usize / SIDE, point as usize % SIDE)
}

/// The lines and the loops around the corners.
fn lines() -> String {
    let mut path = String::new();
    let last = SIDE - 1;
    for line in 0..SIDE {
        for (from, to) in [(place(line, 0), place(line, last)), (place(0, line), place(last, line))] {
            let _ = write!(path, "M{} {}L{} {}", from.0, from.1, to.0, to.1);
        }
    }
    for line in [1, 2] {
        let radius = GAP * line as i32;
        for (top, right) in [(false, false), (false, true), (true, false), (true, true)] {
            let (edge_row, edge_col) = (if top { last } else { 0 }, if right { last } else { 0 });
            let from = place(if top { last - line } else { line }, edge_col);
            let to = place(edge_row, if right { last - line } else { line });
            // three quarters of a circle, outside of the board
            let sweep = u8::from(top != right);
            let _ = write!(path, "M{} {}A{radius} {radius} 0 1 {sweep} {} {}", from.0, from.1, to.0, to.1);
        }
    }
    path
}

impl Surakarta {
    fn picture(&self, position: &Position, marked: u64, step: Option<(u32, u32)>) -> String {
        let size = 2 * MARGIN + GAP * (SIDE as i32 - 1);
        let mut svg = Svg::new(size, size);
        svg.path(&lines(), &format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"", colour::LINE));
        svg.group(&format!("fill=\"{}\"", colour::MARK), |svg| {
            marked.squares().for_each(|point| svg.circle(of_point(point), RADIUS + 4, ""));
        });
        for (pieces, look) in position.pieces.into_iter().zip(STONES) {
            svg.group(&format!("{look} stroke-width=\"1.5\""), |svg| {
                pieces.squares().for_each(|point| svg.circle(of_point(point), RADIUS, ""));
            });
        }
        if let Some((from, to)) = step {
            let ((x, y), (to_x, to_y)) = (of_point(from), of_point(to));
            let look = "stroke-width=\"5\" stroke-linecap=\"round\" opacity=\".85\"";
            let path = format!("M{x} {y}L{to_x} {to_y}");
            svg.path(&path, &format!("class=\"move\" fill=\"none\" stroke=\"{}\" {look}", colour::PLAYERS[0]));
        }
        svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
            for line in 0..SIDE {
                let ((_, y), (x, _)) = (place(line, 0), place(0, line));
                svg.text((12, y + 4), &(line + 1).to_string(), "");
                svg.text((x, size - 8), &char::from(b'a' + line as u8).to_string(), "");
            }
        });
        if let Turn::Player(player) = self.turn(position) {
            svg.circle((size - 12, size - 12), 7, &format!("{} stroke-width=\"1\"", STONES[usize::from(player & 1)]));
        }
        svg.finish()
    }
}

impl Draw for Surakarta {
    fn board(&self, position: &Position) -> String {
        text::board_of_grid(SIDE, SIDE, |row, col| Self::cell(position, row, col))
    }

    fn svg(&self, position: &Position) -> String {
        self.picture(position, 0, None)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        let piece = |point| match position.pieces.iter().position(|pieces| pieces.has(point)) {
            Some(player) => ["white", "black"][player],
            None => "",
        };
        let cell = |point| Cell::around(Self::name(point), of_point(point), GAP / 2).holding(piece(point));
        (0..(SIDE * SIDE) as u32).map(cell).collect()
    }

    /// A line for a step; of a capture both pieces are pointed out.
    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        let (from, to) = squares(mv);
        let captures = Self::sides(position).1.has(to);
        Some(if captures {
            self.picture(position, 1 << from | 1 << to, None)
        } else {
            self.picture(position, 0, Some((from, to)))
        })
    }
}
