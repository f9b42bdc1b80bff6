//! Pictures.

use kibitz_game::text::{self, Svg, colour};
use kibitz_game::{Cell, Draw, Game, Hidden, Turn};

use super::Stratego;
use super::board::{LAKES, NONE, SIDE, SQUARES, bit};
use super::notation::{cell, name};
use super::position::{Position, SEEN, Stage, rank_of};
use super::rank::{NAMES, SIGNS};

const CELL: i32 = 44;
const EDGE: i32 = 22;
const WATER: &str = "#9db8c9";
const SIDES: [(&str, &str); 2] = [("#fdfdfb", "#262626"), ("#262626", "#fdfdfb")];

fn corner(square: usize) -> (i32, i32) {
    (EDGE + (square % SIDE) as i32 * CELL, EDGE + (SIDE - 1 - square / SIDE) as i32 * CELL)
}

/// What is on a square, in words.
fn words(position: &Position, square: usize) -> String {
    if LAKES & bit(square as u8) != 0 {
        return "lake".to_owned();
    }
    let cell = position.cells[square];
    if cell == 0 {
        return String::new();
    }
    let side = if position.sides[1] & bit(square as u8) != 0 { "black" } else { "white" };
    let seen = if cell & SEEN == 0 { "" } else { ", seen" };
    format!("{side} {}{seen}", NAMES[usize::from(rank_of(cell))])
}

impl Stratego {
    fn state(&self, position: &Position) -> String {
        let side = ["White", "Black"];
        match (self.turn(position), position.stage) {
            (Turn::Chance, _) => format!("{} attacks {}", name(position.battle[0]), name(position.battle[1])),
            (_, Stage::Won(winner)) => format!("{} has won", side[usize::from(winner)]),
            (_, Stage::Drawn) => "a draw".to_owned(),
            (_, Stage::Placing) => format!("{} places a piece", side[usize::from(position.turn)]),
            _ => format!("{} to move", side[usize::from(position.turn)]),
        }
    }
}

impl Draw for Stratego {
    fn board(&self, position: &Position) -> String {
        let grid = text::board_of_grid(SIDE, SIDE, |row, col| cell(position, row, col));
        format!("{grid}\n{}", self.state(position))
    }

    /// A piece that the opponent has seen has a coloured edge.
    fn svg(&self, position: &Position) -> String {
        let size = SIDE as i32 * CELL;
        let mut svg = Svg::new(size + 2 * EDGE, size + 2 * EDGE + 20);
        svg.rect((EDGE, EDGE), (size, size), &format!("fill=\"{}\"", colour::LIGHT));
        let lines: Vec<String> = (0..=SIDE as i32)
            .map(|n| format!("M{EDGE} {at}h{size}M{at} {EDGE}v{size}", at = EDGE + n * CELL))
            .collect();
        svg.path(&lines.concat(), &format!("stroke=\"{}\"", colour::LINE));
        for square in 0..SQUARES {
            let (x, y) = corner(square);
            if LAKES & bit(square as u8) != 0 {
                svg.rect((x, y), (CELL, CELL), &format!("fill=\"{WATER}\""));
            }
            if position.battle[0] != NONE && position.battle.contains(&(square as u8)) {
                svg.rect((x, y), (CELL, CELL), &format!("fill=\"{}\"", colour::MARK));
            }
            let cell = position.cells[square];
            if cell != 0 {
                let (fill, ink) = SIDES[usize::from(position.sides[1] & bit(square as u8) != 0)];
                let edge = if cell & SEEN == 0 { ("#333", 1) } else { (colour::PLAYERS[0], 3) };
                let look = format!("rx=\"6\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\"", edge.0, edge.1);
                svg.rect((x + 6, y + 6), (CELL - 12, CELL - 12), &look);
                let sign = SIGNS[usize::from(rank_of(cell))].to_string();
                let look = format!("font-size=\"20\" font-weight=\"bold\" fill=\"{ink}\"");
                svg.text((x + CELL / 2, y + CELL / 2 + 7), &sign, &look);
            }
        }
        svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
            for n in 0..SIDE {
                let (x, y) = corner(n * SIDE + n);
                svg.text((EDGE / 2, y + CELL / 2 + 4), &(n + 1).to_string(), "");
                svg.text((x + CELL / 2, EDGE + size + 15), &char::from(b'a' + n as u8).to_string(), "");
            }
            svg.text((EDGE + size / 2, 2 * EDGE + size + 12), &self.state(position), "");
        });
        svg.finish()
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        let cell =
            |square| Cell::new(name(square as u8), corner(square), (CELL, CELL)).holding(words(position, square));
        (0..SQUARES).map(cell).collect()
    }

    fn svg_of_view(&self, position: &Position, player: usize) -> String {
        self.svg(&self.belief(position, player))
    }

    fn cells_of_view(&self, position: &Position, player: usize) -> Vec<Cell> {
        self.cells(&self.belief(position, player))
    }
}
