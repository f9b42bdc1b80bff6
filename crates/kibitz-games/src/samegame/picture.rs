//! Pictures of `SameGame`.

use std::fmt::Write;

use kibitz_game::text::{Svg, colour};

use super::columns::{Cell, ROWS};
use super::notation::{digit, write_move};
use super::{Position, SameGame};

/// Columns and rows are numbered as in moves.
pub(super) fn board(game: &SameGame, position: &Position) -> String {
    let mut text = String::new();
    for row in 0..game.rows {
        let _ = write!(text, "{:>3} ", game.rows - 1 - row);
        for col in 0..game.cols {
            let _ = write!(text, "{:>3}", digit(game, &position.columns, row, col));
        }
        text.push('\n');
    }
    text += "    ";
    for col in 0..game.cols {
        let _ = write!(text, "{col:>3}");
    }
    let _ = write!(text, "\n{}", state(game, position));
    text
}

fn state(game: &SameGame, position: &Position) -> String {
    use kibitz_game::Game;
    if position.columns.has_move() {
        format!("{} points", position.points)
    } else {
        format!("over, {} points", game.score(position, 0))
    }
}

const SIDE: i32 = 30;
const EDGE: i32 = 26;

/// The fills of the colours, told apart by lightness, too.
const FILLS: [&str; 9] =
    ["#b3302a", "#2449ad", "#7fc4a4", "#f7cc45", "#4a1d4a", "#c47a3a", "#c9ebf5", "#2b241c", "#e07fb8"];

const NAMES: [&str; 9] = ["red", "blue", "green", "yellow", "violet", "orange", "light blue", "brown", "pink"];

/// The upper left corner of a cell, whose row is counted from the bottom.
fn corner(game: &SameGame, row: usize, col: usize) -> (i32, i32) {
    (EDGE + col as i32 * SIDE, EDGE + (game.rows - 1 - row) as i32 * SIDE)
}

/// The blocks, the names of rows and columns, and a line of text, with `more` drawn over the blocks.
fn sheet(game: &SameGame, position: &Position, line: &str, more: impl FnOnce(&mut Svg)) -> String {
    let (wide, high) = (game.cols as i32 * SIDE, game.rows as i32 * SIDE);
    let width = (wide + 2 * EDGE).max(8 * line.chars().count() as i32 + 24);
    let mut svg = Svg::new(width, high + 2 * EDGE + 22);
    svg.rect((EDGE, EDGE), (wide, high), &format!("fill=\"{}\"", colour::LIGHT));
    for (number, fill) in FILLS.iter().enumerate() {
        let mut path = String::new();
        for (row, col) in (0..game.rows).flat_map(|row| (0..game.cols).map(move |col| (row, col))) {
            if usize::from(position.columns.colour((ROWS * col + row) as Cell)) == number + 1 {
                let ((x, y), side) = (corner(game, row, col), SIDE - 2);
                let _ = write!(path, "M{} {}h{side}v{side}h-{side}z", x + 1, y + 1);
            }
        }
        svg.path(&path, &format!("fill=\"{fill}\""));
    }
    more(&mut svg);
    svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
        for row in 0..game.rows {
            svg.text((EDGE / 2, corner(game, row, 0).1 + SIDE / 2 + 4), &row.to_string(), "");
        }
        for col in 0..game.cols {
            svg.text((corner(game, 0, col).0 + SIDE / 2, EDGE + high + 17), &col.to_string(), "");
        }
        svg.text((width / 2, high + 2 * EDGE + 12), line, "");
    });
    svg.finish()
}

/// The board; the group of a move is pointed out.
pub(super) fn svg(game: &SameGame, position: &Position, mv: Option<Cell>) -> String {
    sheet(game, position, &state(game, position), |svg| {
        let Some(mv) = mv else { return };
        let mut path = String::new();
        for (col, rows) in position.columns.block(mv).rows.iter().enumerate() {
            for row in (0..game.rows).filter(|row| rows >> row & 1 == 1) {
                let ((x, y), side) = (corner(game, row, col), SIDE - 10);
                let _ = write!(path, "M{} {}h{side}v{side}h-{side}z", x + 5, y + 5);
            }
        }
        let look = format!("fill=\"{}\" fill-opacity=\".35\" stroke=\"#fff\" stroke-width=\"3\"", colour::MARK);
        svg.path(&path, &format!("class=\"move\" {look}"));
    })
}

/// The board before the first move; every block has the number of the move that removes it.
pub(super) fn svg_of_line(game: &SameGame, position: &Position, moves: &[Cell]) -> String {
    let mut end = *position;
    // where each block of a column began
    let height =
        |col: usize| (0..game.rows).filter(move |row| position.columns.colour((ROWS * col + row) as Cell) != 0);
    let mut homes: Vec<Vec<(usize, usize)>> =
        (0..game.cols).map(|col| height(col).map(|row| (row, col)).collect()).collect();
    let mut numbered: Vec<((usize, usize), usize)> = Vec::new();
    for (number, &mv) in (1..).zip(moves) {
        let block = end.columns.block(mv);
        for (column, rows) in homes.iter_mut().zip(block.rows) {
            let mut row = 0;
            column.retain(|&home| {
                let removed = rows >> row & 1 == 1;
                row += 1;
                if removed {
                    numbered.push((home, number));
                }
                !removed
            });
        }
        homes.retain(|column| !column.is_empty());
        end.remove(&block);
    }
    sheet(game, position, &state(game, &end), |svg| {
        let look = "font-size=\"12\" fill=\"#fff\" stroke=\"#222\" stroke-width=\"2\" paint-order=\"stroke\"";
        svg.group(&format!("class=\"numbers\" {look}"), |svg| {
            for ((row, col), number) in numbered {
                let (x, y) = corner(game, row, col);
                svg.text((x + SIDE / 2, y + SIDE / 2 + 4), &number.to_string(), "");
            }
        });
    })
}

/// The cells that hold a block.
pub(super) fn cells(game: &SameGame, position: &Position) -> Vec<kibitz_game::Cell> {
    let places = (0..game.cols).flat_map(|col| (0..game.rows).map(move |row| (row, col)));
    let cell = |(row, col)| {
        let at = (ROWS * col + row) as Cell;
        let colour = usize::from(position.columns.colour(at));
        let drawn = || kibitz_game::Cell::new(write_move(at), corner(game, row, col), (SIDE, SIDE));
        (colour > 0).then(|| drawn().holding(NAMES[colour - 1]))
    };
    places.filter_map(cell).collect()
}

/// Any cell of the block that a move removes, the one that names it first.
pub(super) fn clicks(game: &SameGame, position: &Position, mv: Cell) -> Vec<Vec<String>> {
    let block = position.columns.block(mv);
    let places = (0..game.cols).flat_map(|col| (0..game.rows).map(move |row| (row, col)));
    let others =
        places.filter(|&(row, col)| block.rows[col] >> row & 1 == 1).map(|(row, col)| (ROWS * col + row) as Cell);
    [mv].into_iter().chain(others.filter(|&cell| cell != mv)).map(|cell| vec![write_move(cell)]).collect()
}
