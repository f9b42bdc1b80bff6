//! Positions and moves of `SameGame` as text, both ways.

use kibitz_game::{BadText, text};

use super::columns::{Cell, Columns, ROWS};
use super::{Position, SameGame, points};

/// The number of a cell; the row is counted from the top of the board.
fn at(game: &SameGame, row: usize, col: usize) -> Cell {
    (ROWS * col + game.rows - 1 - row) as Cell
}

/// The digit of the colour of a cell, its row counted from the top.
pub(super) fn digit(game: &SameGame, columns: &Columns, row: usize, col: usize) -> char {
    match columns.colour(at(game, row, col)) {
        0 => '.',
        colour => char::from(b'0' + colour - 1),
    }
}

pub(super) fn write(game: &SameGame, position: &Position) -> String {
    let grid = text::write_grid(game.rows, game.cols, |row, col| digit(game, &position.columns, row, col));
    format!("{grid} {}", position.points)
}

pub(super) fn read(game: &SameGame, text: &str) -> Result<Position, BadText> {
    let text = text.trim();
    let (grid, made) = text.split_once(char::is_whitespace).map_or((text, "0"), |(grid, made)| (grid, made.trim()));
    let digits: String = (0..game.colours).map(|colour| char::from(b'0' + colour)).collect();
    let letters: String = (0..game.colours).map(|colour| char::from(b'A' + colour)).collect();
    let cells = text::parse_grid(grid, game.rows, game.cols, &format!("{digits}{letters}."))?;
    if cells.iter().any(char::is_ascii_digit) && cells.iter().any(char::is_ascii_uppercase) {
        return Err(BadText::new("the colours are digits or letters, not both"));
    }
    let mut columns = Columns::EMPTY;
    let place = |i: usize| (i / game.cols, i % game.cols);
    for (i, &cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != '.') {
        let first = if cell.is_ascii_digit() { b'0' } else { b'A' };
        let (row, col) = place(i);
        columns.put(at(game, row, col), cell as u8 - first + 1);
    }
    let empty = |row, col| columns.colour(at(game, row, col)) == 0;
    for (row, col) in (0..cells.len()).map(place).filter(|&(row, col)| !empty(row, col)) {
        let name = write_move(at(game, row, col));
        if row + 1 < game.rows && empty(row + 1, col) {
            return Err(BadText::new(format!("the block at {name} has nothing below it")));
        }
        if col > 0 && empty(game.rows - 1, col - 1) {
            return Err(BadText::new(format!("the column to the left of {name} is empty: the columns close up")));
        }
    }
    let removed = game.cells() - columns.blocks();
    let most = if removed < 2 { 0 } else { points(removed) };
    let plain = !made.is_empty() && made.bytes().all(|byte| byte.is_ascii_digit());
    let made = made.parse().ok().filter(|&made| plain && made <= most).ok_or_else(|| {
        BadText::new(format!("{made:?} are not the points made; {removed} blocks less make a number from 0 to {most}"))
    })?;
    Ok(Position { columns, points: made })
}

pub(super) fn write_move(cell: Cell) -> String {
    format!("{},{}", usize::from(cell) / ROWS, usize::from(cell) % ROWS)
}

/// The group of the block that a text names.
pub(super) fn read_move(game: &SameGame, position: &Position, text: &str) -> Result<Cell, BadText> {
    if !position.columns.has_move() {
        return Err(BadText::new("the game is over"));
    }
    let number = |text: &str, end: usize| {
        let plain = !text.is_empty() && text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|&number: &usize| plain && number < end)
    };
    let (col, row) = text
        .trim()
        .split_once(',')
        .and_then(|(col, row)| Some((number(col, game.cols)?, number(row.trim_start(), game.rows)?)))
        .ok_or_else(|| {
            let last = format!("{},{}", game.cols - 1, game.rows - 1);
            BadText::new(format!(
                "{text:?} is not a legal move: write the column and the row of a block, such as 0,0 or {last}"
            ))
        })?;
    let cell = (ROWS * col + row) as Cell;
    if position.columns.colour(cell) == 0 {
        return Err(BadText::new(format!("{col},{row} is not a legal move here: there is no block")));
    }
    let block = position.columns.block(cell);
    if block.size < 2 {
        return Err(BadText::new(format!(
            "{col},{row} is not a legal move here: the block has no neighbour of its colour"
        )));
    }
    Ok(block.cell())
}
