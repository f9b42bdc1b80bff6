//! Lines as the files of the Pentasol player write them, and positions as the lines that lead to them.

use kibitz_game::BadText;

use super::board::{Board, Line, Rules};

const SIGNS: [char; 4] = ['-', '|', '\\', '/'];

/// The column and the row of a point, counted from the corner of the cross.
pub(super) fn point_name(rules: &Rules, (x, y): (usize, usize)) -> String {
    let from_corner = |at: usize| at as i32 - rules.corner() as i32;
    format!("({},{})", from_corner(x), from_corner(y))
}

pub(super) fn write_line(rules: &Rules, line: Line) -> String {
    let middle = (rules.dots / 2) as i32 - line.offset() as i32;
    let plus = if middle > 0 { "+" } else { "" };
    format!("{}{}{plus}{middle}", point_name(rules, line.dot()), SIGNS[line.direction()])
}

/// The line of a text, with blanks or without, that can be drawn here.
pub(super) fn read_line(rules: &Rules, board: &Board, text: &str) -> Result<u32, BadText> {
    if board.lines().is_empty() {
        return Err(BadText::new("the game is over"));
    }
    let plain: String = text.split_whitespace().collect();
    let lines = board.lines().iter().copied();
    lines.clone().find(|&line| write_line(rules, Line(line)) == plain).ok_or_else(|| {
        let some: Vec<String> = lines.take(6).map(|line| write_line(rules, Line(line))).collect();
        let more = if board.lines().len() > some.len() { ", …" } else { "" };
        BadText::new(format!("{text:?} is not a legal move here; legal are {}{more}", some.join(", ")))
    })
}

pub(super) fn write(rules: &Rules, board: &Board) -> String {
    if board.drawn() == 0 {
        return "start".to_owned();
    }
    let texts: Vec<String> = rules.history(board).into_iter().map(|line| write_line(rules, line)).collect();
    texts.join(" ")
}

pub(super) fn read(rules: &Rules, text: &str) -> Result<Board, BadText> {
    let mut board = rules.start();
    if text.trim() == "start" {
        return Ok(board);
    }
    if text.trim().is_empty() {
        return Err(BadText::new("a position is start or the moves that lead to it"));
    }
    for (i, word) in text.split_whitespace().enumerate() {
        let line = read_line(rules, &board, word).map_err(|bad| BadText::new(format!("move {}: {bad}", i + 1)))?;
        rules.draw(&mut board, Line(line));
    }
    Ok(board)
}
