//! Notation and pictures of boards made of rows and columns.
//!
//! Positions are written as rows from the top, separated by `/`, followed by whatever else the game needs. Squares have
//! names: columns are letters from the left, rows are numbers from the bottom.

use std::fmt::Write;

use crate::BadText;

/// The name of a square, `a1` at the lower left; `row` counts from the bottom.
pub fn square_name(row: usize, col: usize) -> String {
    format!("{}{}", char::from(b'a' + col as u8), row + 1)
}

/// The row (from the bottom) and column of a square's name.
pub fn parse_square(text: &str, rows: usize, cols: usize) -> Result<(usize, usize), BadText> {
    let bad = || {
        let last = square_name(rows - 1, cols - 1);
        BadText::new(format!("{text:?} is not a square of this board (a1 to {last})"))
    };
    let mut letters = text.chars();
    let col = letters.next().filter(char::is_ascii_lowercase).ok_or_else(bad)? as usize - 'a' as usize;
    let digits = letters.as_str();
    let plain = !digits.is_empty() && digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit());
    let row = if plain && !digits.starts_with('0') { digits.parse::<usize>().map_err(|_| bad())? } else { 0 };
    if col < cols && (1..=rows).contains(&row) { Ok((row - 1, col)) } else { Err(bad()) }
}

/// The cells of a grid text, rows from the top, each cell one of `alphabet`; the slashes may be left out.
pub fn parse_grid(text: &str, rows: usize, cols: usize, alphabet: &str) -> Result<Vec<char>, BadText> {
    let lines: Vec<&str> = if text.contains('/') { text.split('/').collect() } else { vec![text] };
    if lines.len() > 1 {
        if lines.len() != rows {
            return Err(BadText::new(format!("the board has {} rows, expected {rows}", lines.len())));
        }
        for (i, line) in lines.iter().enumerate() {
            let count = line.chars().count();
            if count != cols {
                return Err(BadText::new(format!("row {} from the top has {count} cells, expected {cols}", i + 1)));
            }
        }
    }
    let cells: Vec<char> = lines.iter().flat_map(|line| line.chars()).collect();
    if cells.len() != rows * cols {
        return Err(BadText::new(format!(
            "the board has {} cells, expected {rows} rows of {cols} separated by '/'",
            cells.len()
        )));
    }
    match cells.iter().find(|&&cell| !alphabet.contains(cell)) {
        Some(cell) => Err(BadText::new(format!("{cell:?} is not a cell; use the characters {alphabet}"))),
        None => Ok(cells),
    }
}

/// A grid as text, rows from the top; `cell` takes the row from the top and the column.
pub fn write_grid(rows: usize, cols: usize, cell: impl Fn(usize, usize) -> char) -> String {
    let lines: Vec<String> = (0..rows).map(|row| (0..cols).map(|col| cell(row, col)).collect()).collect();
    lines.join("/")
}

/// How a picture names rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Letters for columns, numbers for rows counted from the bottom, as in chess.
    FromBottom,
    /// Letters for columns, numbers for rows counted from the top, as in Othello.
    FromTop,
    /// Numbers for columns and no names for rows, where a move is a column.
    Columns,
}

impl Names {
    fn row(self, row: usize, rows: usize) -> String {
        match self {
            Self::FromBottom => (rows - row).to_string(),
            Self::FromTop => (row + 1).to_string(),
            Self::Columns => String::new(),
        }
    }

    fn col(self, col: usize) -> String {
        match self {
            Self::FromBottom | Self::FromTop => char::from(b'a' + col as u8).to_string(),
            Self::Columns => (col + 1).to_string(),
        }
    }
}

/// A picture of a grid with rows numbered from the bottom; `cell` takes the row from the top and the column.
pub fn board_of_grid(rows: usize, cols: usize, cell: impl Fn(usize, usize) -> char) -> String {
    named_board_of_grid(rows, cols, Names::FromBottom, cell)
}

/// A picture of a grid; `cell` takes the row from the top and the column.
pub fn named_board_of_grid(rows: usize, cols: usize, names: Names, cell: impl Fn(usize, usize) -> char) -> String {
    let width = names.col(cols - 1).len() + 1;
    let mut out = String::new();
    for row in 0..rows {
        let _ = write!(out, "{:>3} ", names.row(row, rows));
        for col in 0..cols {
            let _ = write!(out, "{:>width$}", cell(row, col));
        }
        out.push('\n');
    }
    out.push_str("    ");
    for col in 0..cols {
        let _ = write!(out, "{:>width$}", names.col(col));
    }
    out
}

/// What stands on a cell of an SVG board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Nothing.
    None,
    /// A stone of the first colour, white.
    White,
    /// A stone of the second colour, black.
    Black,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
    /// A small dot, for a hint.
    Dot,
}

/// The look of the squares of an SVG board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Squares {
    /// Light and dark in turn.
    Chequered,
    /// All of one colour, with lines between them.
    Plain,
}

/// A complete SVG document of a board with rows numbered from the bottom; `piece` takes the row from the top and the
/// column.
pub fn svg_of_grid(rows: usize, cols: usize, squares: Squares, piece: impl Fn(usize, usize) -> Piece) -> String {
    named_svg_of_grid(rows, cols, squares, Names::FromBottom, piece)
}

/// A complete SVG document of a board; `piece` takes the row from the top and the column.
pub fn named_svg_of_grid(
    rows: usize,
    cols: usize,
    squares: Squares,
    names: Names,
    piece: impl Fn(usize, usize) -> Piece,
) -> String {
    const SIDE: usize = 45;
    const EDGE: usize = 22;
    let (width, height) = (cols * SIDE + 2 * EDGE, rows * SIDE + 2 * EDGE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#f4efe6\"/>"
    );
    for row in 0..rows {
        for col in 0..cols {
            let (x, y) = (EDGE + col * SIDE, EDGE + row * SIDE);
            let light = squares == Squares::Plain || (rows - 1 - row + col) % 2 == 1;
            let fill = if light { "#e8d9bd" } else { "#c9a878" };
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" stroke=\"#8a6d45\" stroke-width=\"1\"/>"
            );
            let (cx, cy) = (x + SIDE / 2, y + SIDE / 2);
            let _ = match piece(row, col) {
                Piece::None => Ok(()),
                Piece::White => {
                    write!(
                        out,
                        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"17\" fill=\"#fdfdfb\" stroke=\"#333\" stroke-width=\"1.5\"/>"
                    )
                }
                Piece::Black => {
                    write!(
                        out,
                        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"17\" fill=\"#262626\" stroke=\"#000\" stroke-width=\"1.5\"/>"
                    )
                }
                Piece::Cross => write!(
                    out,
                    "<path d=\"M{} {}l22 22m0 -22l-22 22\" stroke=\"#8c2f2f\" stroke-width=\"5\" stroke-linecap=\"round\"/>",
                    cx - 11,
                    cy - 11
                ),
                Piece::Ring => {
                    write!(
                        out,
                        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"13\" fill=\"none\" stroke=\"#2f4f8c\" stroke-width=\"5\"/>"
                    )
                }
                Piece::Dot => write!(out, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"4\" fill=\"#8a6d45\"/>"),
            };
        }
        let y = EDGE + row * SIDE + SIDE / 2 + 4;
        let _ = write!(out, "<text x=\"{}\" y=\"{y}\" fill=\"#6b5436\">{}</text>", EDGE / 2, names.row(row, rows));
    }
    for col in 0..cols {
        let x = EDGE + col * SIDE + SIDE / 2;
        let name = names.col(col);
        let _ = write!(out, "<text x=\"{x}\" y=\"{}\" fill=\"#6b5436\">{name}</text>", height - 6);
    }
    out.push_str("</svg>");
    out
}

/// A complete SVG document that shows lines of text, for games without a board.
pub fn svg_of_text(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (longest * 9 + 24, lines.len() * 20 + 20);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"15\"><rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#f4efe6\"/>"
    );
    for (i, line) in lines.iter().enumerate() {
        let escaped = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ =
            write!(out, "<text x=\"12\" y=\"{}\" fill=\"#333\" xml:space=\"preserve\">{escaped}</text>", i * 20 + 24);
    }
    out.push_str("</svg>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_names_both_ways() {
        assert_eq!(square_name(9, 2), "c10");
        assert_eq!(parse_square("c10", 12, 12), Ok((9, 2)));
        for bad in ["", "a", "1", "a0", "a01", "i1", "a9", "A1", "a1x", "ä1", "a-1", "a+1"] {
            assert!(parse_square(bad, 8, 8).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_picture_names_rows_and_columns_as_the_game_does() {
        let board = |names| named_board_of_grid(2, 2, names, |row, _| if row == 0 { 'X' } else { 'O' });
        assert_eq!(board(Names::FromBottom), "  2  X X\n  1  O O\n     a b");
        assert_eq!(board(Names::FromTop), "  1  X X\n  2  O O\n     a b");
        assert_eq!(board(Names::Columns), "     X X\n     O O\n     1 2");
    }

    #[test]
    fn a_grid_says_what_is_wrong_with_it() {
        assert!(parse_grid("XO/..", 2, 2, "XO.").is_ok());
        assert!(parse_grid("XO..", 2, 2, "XO.").is_ok());
        assert!(parse_grid("XO/...", 2, 2, "XO.").unwrap_err().0.contains("row 2"));
        assert!(parse_grid("XO/..//", 2, 2, "XO.").unwrap_err().0.contains("rows"));
        assert!(parse_grid("XQ/..", 2, 2, "XO.").unwrap_err().0.contains("'Q'"));
    }
}
