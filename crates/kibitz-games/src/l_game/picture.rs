//! Boards as text and as SVG.

use std::fmt::Write;

use kibitz_game::text::{self, Svg, colour};
use kibitz_game::{Cell, Draw, Game, Turn};

use super::{LGame, Move, Position, parts};
use crate::draw::orders;
use crate::four_by_four::{cell, name, squares};

const SIDE: i32 = 44;
const EDGE: i32 = 22;
/// White's L and Black's.
const FILLS: [&str; 2] = ["#fdfdfb", "#262626"];

/// The outline of a set of squares, each a little larger than the gaps between squares so that they join.
fn outline(set: u16, inset: i32) -> String {
    let mut path = String::new();
    for square in squares(set) {
        let (row, col) = cell(square);
        let (x, y) = (EDGE + col as i32 * SIDE, EDGE + row as i32 * SIDE);
        let joins = |step: i32, edge: bool| !edge && set >> (square as i32 + step) & 1 != 0;
        let left = if joins(-1, col == 0) { 0 } else { inset };
        let right = if joins(1, col == 3) { 0 } else { inset };
        let top = if joins(4, row == 0) { 0 } else { inset };
        let bottom = if joins(-4, row == 3) { 0 } else { inset };
        let (width, height) = (SIDE - left - right, SIDE - top - bottom);
        let _ = write!(path, "M{} {}h{width}v{height}h-{width}z", x + left, y + top);
    }
    path
}

fn middle(square: u32) -> (i32, i32) {
    let (row, col) = cell(square);
    (EDGE + col as i32 * SIDE + SIDE / 2, EDGE + row as i32 * SIDE + SIDE / 2)
}

impl LGame {
    fn picture(&self, position: Position, mv: Option<Move>) -> String {
        let size = 4 * SIDE + 2 * EDGE;
        let mut svg = Svg::new(size, size);
        svg.rect((EDGE, EDGE), (4 * SIDE, 4 * SIDE), &format!("fill=\"{}\"", colour::LIGHT));
        let mut lines = String::new();
        for i in 0..=4 {
            let _ = write!(lines, "M{EDGE} {0}h{1}M{0} {EDGE}v{1}", EDGE + i * SIDE, 4 * SIDE);
        }
        svg.path(&lines, &format!("stroke=\"{}\" stroke-linecap=\"square\"", colour::LINE));
        for (player, &l) in position.ls.iter().enumerate() {
            svg.path(&outline(l, 4), "fill=\"#333\"");
            svg.path(&outline(l, 6), &format!("fill=\"{}\"", FILLS[player]));
        }
        for square in squares(position.neutral) {
            svg.circle(middle(square), 15, &format!("fill=\"{}\" stroke=\"#333\"", colour::MARK));
        }
        if let Some(mv) = mv {
            let (shape, neutral) = parts(position.neutral, mv);
            let look = format!("class=\"move\" fill=\"{}\" opacity=\".6\"", colour::PLAYERS[0]);
            svg.path(&outline(shape, 12), &look);
            for square in squares(neutral & !position.neutral) {
                svg.circle(middle(square), 10, &look);
            }
        }
        svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
            for i in 0..4 {
                let (column, row) = (name(i), name(4 * i));
                svg.text((middle(i).0, EDGE + 4 * SIDE + 17), &column[..1], "");
                svg.text((EDGE / 2, middle(4 * i).1 + 4), &row[1..], "");
            }
        });
        if let Turn::Player(player) = self.turn(&position) {
            let fill = FILLS[usize::from(player & 1)];
            svg.circle((size - 12, size - 12), 7, &format!("fill=\"{fill}\" stroke=\"#333\""));
        }
        svg.finish()
    }
}

impl Draw for LGame {
    fn board(&self, position: &Position) -> String {
        text::board_of_grid(4, 4, |row, col| position.letter(row, col))
    }

    fn svg(&self, position: &Position) -> String {
        self.picture(*position, None)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        let holds = |square: u32| {
            let owner = position.ls.iter().position(|l| l >> square & 1 != 0);
            let neutral = if position.neutral >> square & 1 != 0 { "neutral" } else { "" };
            owner.map_or(neutral, |player| ["white", "black"][player])
        };
        (0..16).map(|square| Cell::around(name(square), middle(square), SIDE / 2).holding(holds(square))).collect()
    }

    /// The four squares of the L in any order, then the way of the neutral piece.
    fn clicks(&self, position: &Position, mv: Move, _: &[Cell]) -> Vec<Vec<String>> {
        let (shape, neutral) = parts(position.neutral, mv);
        let moved = [position.neutral & !neutral, neutral & !position.neutral];
        let moved: Vec<u32> = moved.into_iter().flat_map(squares).collect();
        let way = |order: Vec<u32>| order.into_iter().chain(moved.clone()).map(name).collect();
        orders(&squares(shape).collect::<Vec<u32>>()).into_iter().map(way).collect()
    }

    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        Some(self.picture(*position, Some(mv)))
    }
}
