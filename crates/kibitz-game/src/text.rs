//! Notation and pictures of boards made of rows and columns.
//!
//! Positions are written as rows from the top, separated by `/`, followed by whatever else the game needs. Squares have
//! names: columns are letters from the left, rows are numbers from the bottom.

use std::fmt::Write;

use crate::{BadText, Cell};

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
    /// The same with capital letters.
    Capitals,
    /// Letters for columns, numbers for rows counted from the top, as in Othello.
    FromTop,
    /// Numbers for columns and no names for rows, where a move is a column.
    Columns,
}

impl Names {
    fn row(self, row: usize, rows: usize) -> String {
        match self {
            Self::FromBottom | Self::Capitals => (rows - row).to_string(),
            Self::FromTop => (row + 1).to_string(),
            Self::Columns => String::new(),
        }
    }

    fn col(self, col: usize) -> String {
        match self {
            Self::FromBottom | Self::FromTop => char::from(b'a' + col as u8).to_string(),
            Self::Capitals => char::from(b'A' + col as u8).to_string(),
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

/// The colours that pictures share.
pub mod colour {
    /// The background.
    pub const PAPER: &str = "#f4efe6";
    /// Text.
    pub const INK: &str = "#6b5436";
    /// Lines between squares and around things.
    pub const LINE: &str = "#8a6d45";
    /// Light squares.
    pub const LIGHT: &str = "#e8d9bd";
    /// Dark squares, and wooden things.
    pub const DARK: &str = "#c9a878";
    /// Whatever the picture points out.
    pub const MARK: &str = "#f2c94c";
    /// The players in the order in which they move: colours that colour-blind people can tell apart, too, and on which
    /// white letters can be read.
    pub const PLAYERS: [&str; 6] = ["#8c2424", "#2a5db0", "#1f9d70", "#9a6299", "#c47d2c", "#0f2238"];
}

/// An SVG document under construction, in units of pixels. Attributes are given as they stand in the document; text is
/// escaped.
#[derive(Clone, Debug)]
pub struct Svg(String);

impl Svg {
    /// A sheet of paper.
    pub fn new(width: i32, height: i32) -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\
             <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{}\"/>",
            colour::PAPER
        ))
    }

    fn element(&mut self, start: std::fmt::Arguments, attributes: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        let _ = write!(self.0, "<{start}{space}{attributes}/>");
    }

    /// A circle around a point.
    pub fn circle(&mut self, (x, y): (i32, i32), radius: i32, attributes: &str) {
        self.element(format_args!("circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""), attributes);
    }

    /// A rectangle with its upper left corner at a point.
    pub fn rect(&mut self, (x, y): (i32, i32), (width, height): (i32, i32), attributes: &str) {
        self.element(format_args!("rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""), attributes);
    }

    /// A path in the language of SVG.
    pub fn path(&mut self, path: &str, attributes: &str) {
        if !path.is_empty() {
            self.element(format_args!("path d=\"{path}\""), attributes);
        }
    }

    /// A line of text with the middle of its base line at a point.
    pub fn text(&mut self, (x, y): (i32, i32), text: &str, attributes: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        let _ = write!(self.0, "<text x=\"{x}\" y=\"{y}\"{space}{attributes}>");
        self.escaped(text);
        self.0.push_str("</text>");
    }

    /// What `draw` draws, with attributes in common.
    pub fn group(&mut self, attributes: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.0, "<g {attributes}>");
        draw(self);
        self.0.push_str("</g>");
    }

    /// The complete document.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>");
        self.0
    }

    fn escaped(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                // XML has no way to write the other control characters
                letter if letter.is_control() && letter != '\t' => self.0.push('\u{fffd}'),
                '\u{fffe}' | '\u{ffff}' => self.0.push('\u{fffd}'),
                letter => self.0.push(letter),
            }
        }
    }
}

/// What stands on a cell of an SVG board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Nothing.
    None,
    /// A white stone.
    White,
    /// A black stone.
    Black,
    /// A red disc.
    Red,
    /// A yellow disc.
    Yellow,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
}

impl Piece {
    const ALL: [Self; 6] = [Self::White, Self::Black, Self::Red, Self::Yellow, Self::Cross, Self::Ring];

    /// The piece of a letter, where a position writes its pieces as letters.
    pub fn of_letter(letter: char, pieces: [(char, Self); 2]) -> Self {
        pieces.into_iter().find(|&(own, _)| own == letter).map_or(Self::None, |(_, piece)| piece)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::White => "white",
            Self::Black => "black",
            Self::Red => "red",
            Self::Yellow => "yellow",
            Self::Cross => "cross",
            Self::Ring => "ring",
        }
    }

    fn attributes(self) -> &'static str {
        match self {
            Self::None => "",
            Self::White => "fill=\"#fdfdfb\" stroke=\"#333\" stroke-width=\"1.5\"",
            Self::Black => "fill=\"#262626\" stroke=\"#000\" stroke-width=\"1.5\"",
            Self::Red => "fill=\"#c8443c\" stroke=\"#9c2f29\" stroke-width=\"2\"",
            Self::Yellow => "fill=\"#f0c648\" stroke=\"#c59b25\" stroke-width=\"2\"",
            Self::Cross => "fill=\"none\" stroke=\"#8c2424\" stroke-width=\"5\" stroke-linecap=\"round\"",
            Self::Ring => "fill=\"none\" stroke=\"#2a5db0\" stroke-width=\"5\"",
        }
    }

    fn draw(self, svg: &mut Svg, (x, y): (i32, i32)) {
        match self {
            Self::None => {}
            Self::Cross => svg.path(&format!("M{} {}l22 22m0-22l-22 22", x - 11, y - 11), ""),
            Self::Ring => svg.circle((x, y), 13, ""),
            _ => svg.circle((x, y), 17, ""),
        }
    }
}

/// The look of the squares of an SVG board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Squares {
    /// Light and dark in turn.
    Chequered,
    /// All of one colour, with lines between them.
    Plain,
    /// Holes in an upright frame.
    Holes,
    /// Points where lines meet, one in the middle of each cell. Diagonals join the points where row (from the bottom) and
    /// column add up to an even number, or to an odd one; nothing: there are none.
    Points {
        /// Whether diagonals meet at the odd points.
        odd: Option<bool>,
    },
}

/// The lines between the points of a board; `middle` takes the row from the top and the column.
fn lines_between_points(
    rows: usize,
    cols: usize,
    odd: Option<bool>,
    middle: impl Fn(usize, usize) -> (i32, i32),
) -> String {
    let mut lines = String::new();
    let mut line = |from: (usize, usize), to: (usize, usize)| {
        let ((x, y), (to_x, to_y)) = (middle(from.0, from.1), middle(to.0, to.1));
        let _ = write!(lines, "M{x} {y}L{to_x} {to_y}");
    };
    (0..rows).for_each(|row| line((row, 0), (row, cols - 1)));
    (0..cols).for_each(|col| line((0, col), (rows - 1, col)));
    for (row, col) in (1..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        if odd == Some((rows - 1 - row + col) % 2 == 1) {
            let targets = [col.checked_sub(1), (col + 1 < cols).then_some(col + 1)];
            targets.into_iter().flatten().for_each(|to| line((row, col), (row - 1, to)));
        }
    }
    lines
}

/// The look of an SVG board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// The look of the squares.
    pub squares: Squares,
    /// The names of rows and columns.
    pub names: Names,
}

impl Grid {
    /// The upper left corner of a cell in the picture; the row counts from the top.
    fn corner(row: usize, col: usize) -> (i32, i32) {
        (EDGE + col as i32 * SIDE, EDGE + row as i32 * SIDE)
    }

    /// The cells of the picture: squares, or whole columns where a move is a column. `piece` takes the row from the top and the
    /// column.
    pub fn cells(self, piece: impl Fn(usize, usize) -> Piece) -> Vec<Cell> {
        if self.names == Names::Columns {
            let column = |col| {
                let pieces = (0..self.rows).rev().map(|row| piece(row, col).name()).filter(|name| !name.is_empty());
                let holds = pieces.collect::<Vec<&str>>().join(", ");
                Cell::new(self.names.col(col), Self::corner(0, col), (SIDE, self.rows as i32 * SIDE)).holding(holds)
            };
            return (0..self.cols).map(column).collect();
        }
        let square = |row, col| {
            let name = self.names.col(col) + &self.names.row(row, self.rows);
            Cell::new(name, Self::corner(row, col), (SIDE, SIDE)).holding(piece(row, col).name())
        };
        (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| square(row, col))).collect()
    }
}

/// An arrow from the middle of a cell to the middle of another; cells are rows from the top and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Where it begins.
    pub from: (usize, usize),
    /// Where its head is.
    pub to: (usize, usize),
}

impl Arrow {
    /// The shaft with a head whose sides are 12 pixels long each way.
    fn path(self, middle: impl Fn(usize, usize) -> (i32, i32)) -> String {
        let ((x, y), (to_x, to_y)) = (middle(self.from.0, self.from.1), middle(self.to.0, self.to.1));
        let (dx, dy) = (f64::from(to_x - x), f64::from(to_y - y));
        let length = dx.hypot(dy).max(1.0);
        let (dx, dy) = (dx / length * 12.0, dy / length * 12.0);
        let side = |turn: f64| (f64::from(to_x) - dx - turn * dy, f64::from(to_y) - dy + turn * dx);
        let ((left_x, left_y), (right_x, right_y)) = (side(1.0), side(-1.0));
        format!("M{x} {y}L{to_x} {to_y}M{left_x:.1} {left_y:.1}L{to_x} {to_y}L{right_x:.1} {right_y:.1}")
    }
}

const SIDE: i32 = 44;
const EDGE: i32 = 22;

/// A complete SVG document of a board. `cell` takes the row from the top and the column, and says what stands there
/// and whether it is pointed out; `next`, a piece of the side to move, is shown in the lower right corner.
pub fn svg_of_grid(grid: Grid, next: Piece, cell: impl Fn(usize, usize) -> (Piece, bool)) -> String {
    svg_of_grid_with(grid, next, &[], cell)
}

/// [`svg_of_grid`] with arrows over the pieces.
pub fn svg_of_grid_with(
    grid: Grid,
    next: Piece,
    arrows: &[Arrow],
    cell: impl Fn(usize, usize) -> (Piece, bool),
) -> String {
    let Grid { rows, cols, squares, names } = grid;
    let (wide, high) = (cols as i32 * SIDE, rows as i32 * SIDE);
    let corner = Grid::corner;
    let middle = |row, col| {
        let (x, y) = corner(row, col);
        (x + SIDE / 2, y + SIDE / 2)
    };
    let cells: Vec<(usize, usize, Piece, bool)> = (0..rows)
        .flat_map(|row| (0..cols).map(move |col| (row, col)))
        .map(|(row, col)| {
            let (piece, marked) = cell(row, col);
            (row, col, piece, marked)
        })
        .collect();
    // one path of squares is much shorter than an element for each
    let patches = |wanted: &dyn Fn(usize, usize, bool) -> bool| {
        let some = cells.iter().filter(|&&(row, col, _, marked)| wanted(row, col, marked));
        some.fold(String::new(), |mut path, &(row, col, ..)| {
            let (x, y) = corner(row, col);
            let _ = write!(path, "M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z");
            path
        })
    };
    let mut svg = Svg::new(wide + 2 * EDGE, high + 2 * EDGE);
    if squares == Squares::Holes {
        let frame = "rx=\"12\" fill=\"#3568a8\" stroke=\"#26507f\" stroke-width=\"2\"";
        svg.rect((EDGE - 5, EDGE - 5), (wide + 10, high + 10), frame);
        svg.group(&format!("fill=\"{}\" stroke=\"#26507f\" stroke-width=\"2\"", colour::PAPER), |svg| {
            for &(row, col, ..) in cells.iter().filter(|&&(_, _, piece, _)| piece == Piece::None) {
                svg.circle(middle(row, col), 17, "");
            }
        });
    } else if let Squares::Points { odd } = squares {
        svg.rect((EDGE, EDGE), (wide, high), &format!("fill=\"{}\"", colour::LIGHT));
        let lines = lines_between_points(rows, cols, odd, middle);
        svg.path(&lines, &format!("stroke=\"{}\" stroke-width=\"1.5\"", colour::LINE));
        svg.group(&format!("fill=\"{}\"", colour::MARK), |svg| {
            for &(row, col, ..) in cells.iter().filter(|cell| cell.3) {
                svg.circle(middle(row, col), 21, "");
            }
        });
    } else {
        svg.rect((EDGE, EDGE), (wide, high), &format!("fill=\"{}\"", colour::LIGHT));
        if squares == Squares::Chequered {
            svg.path(&patches(&|row, col, _| (rows - 1 - row + col) % 2 == 0), &format!("fill=\"{}\"", colour::DARK));
        }
        svg.path(&patches(&|_, _, marked| marked), &format!("fill=\"{}\"", colour::MARK));
        let mut lines = String::new();
        for row in 0..=rows {
            let _ = write!(lines, "M{EDGE} {}h{wide}", corner(row, 0).1);
        }
        for col in 0..=cols {
            let _ = write!(lines, "M{} {EDGE}v{high}", corner(0, col).0);
        }
        svg.path(&lines, &format!("stroke=\"{}\" stroke-linecap=\"square\"", colour::LINE));
    }
    for piece in Piece::ALL {
        let own = cells.iter().filter(|cell| cell.2 == piece);
        if own.clone().next().is_some() {
            svg.group(piece.attributes(), |svg| own.for_each(|&(row, col, ..)| piece.draw(svg, middle(row, col))));
        }
    }
    if squares == Squares::Holes && cells.iter().any(|cell| cell.3) {
        svg.group("fill=\"none\" stroke=\"#fff\" stroke-width=\"4\"", |svg| {
            for &(row, col, ..) in cells.iter().filter(|cell| cell.3) {
                svg.circle(middle(row, col), 9, "");
            }
        });
    }
    if !arrows.is_empty() {
        let paths: String = arrows.iter().map(|arrow| arrow.path(middle)).collect();
        let look = "stroke-width=\"5\" stroke-linecap=\"round\" stroke-linejoin=\"round\" opacity=\".85\"";
        svg.path(&paths, &format!("class=\"move\" fill=\"none\" stroke=\"{}\" {look}", colour::PLAYERS[0]));
    }
    svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
        for row in (0..rows).filter(|_| names != Names::Columns) {
            svg.text((EDGE / 2, middle(row, 0).1 + 4), &names.row(row, rows), "");
        }
        for col in 0..cols {
            svg.text((middle(0, col).0, EDGE + high + 17), &names.col(col), "");
        }
    });
    if next != Piece::None {
        let place = format!("transform=\"translate({} {}) scale(.4)\"", EDGE + wide + 10, EDGE + high + 10);
        svg.group(&format!("{place} {}", next.attributes()), |svg| next.draw(svg, (0, 0)));
    }
    svg.finish()
}

/// A complete SVG document that shows lines of text, for games without a board.
pub fn svg_of_text(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut svg = Svg::new(longest as i32 * 9 + 24, lines.len() as i32 * 20 + 20);
    let look = "font-family=\"monospace\" font-size=\"15\" text-anchor=\"start\" fill=\"#333\" xml:space=\"preserve\"";
    svg.group(look, |svg| {
        for (y, line) in (24..).step_by(20).zip(lines) {
            svg.text((12, y), line, "");
        }
    });
    svg.finish()
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
    fn diagonals_join_the_strong_points_alone() {
        let middle = |row: usize, col: usize| (col as i32, row as i32);
        let lines = |odd| lines_between_points(3, 3, odd, middle);
        let (plain, even, odd) = (lines(None), lines(Some(false)), lines(Some(true)));
        assert_eq!(plain, "M0 0L2 0M0 1L2 1M0 2L2 2M0 0L0 2M1 0L1 2M2 0L2 2");
        assert_eq!(even.strip_prefix(&plain), Some("M1 1L0 0M1 1L2 0M0 2L1 1M2 2L1 1"));
        assert_eq!(odd.strip_prefix(&plain), Some("M0 1L1 0M2 1L1 0M1 2L0 1M1 2L2 1"));
    }

    #[test]
    fn a_grid_says_what_is_wrong_with_it() {
        assert!(parse_grid("XO/..", 2, 2, "XO.").is_ok());
        assert!(parse_grid("XO..", 2, 2, "XO.").is_ok());
        assert!(parse_grid("XO/...", 2, 2, "XO.").unwrap_err().0.contains("row 2"));
        assert!(parse_grid("XO/..//", 2, 2, "XO.").unwrap_err().0.contains("rows"));
        assert!(parse_grid("XQ/..", 2, 2, "XO.").unwrap_err().0.contains("'Q'"));
    }

    #[test]
    fn a_picture_escapes_what_xml_cannot_hold() {
        let picture = svg_of_text("a<b>&\"\u{1}\u{ffff}");
        assert!(picture.contains(">a&lt;b&gt;&amp;\"\u{fffd}\u{fffd}</text>"), "{picture}");
    }

    #[test]
    fn the_cells_of_a_board_have_the_names_of_its_picture() {
        let grid = Grid { rows: 2, cols: 3, squares: Squares::Plain, names: Names::FromBottom };
        let cells = grid.cells(|row, _| if row == 0 { Piece::White } else { Piece::None });
        assert_eq!(cells.len(), 6);
        assert_eq!(cells[5], Cell::new("c1", (110, 66), (44, 44)));
        assert_eq!(cells[0], Cell::new("a2", (22, 22), (44, 44)).holding("white"));
        let columns = Grid { names: Names::Columns, ..grid }.cells(|row, col| match (row, col) {
            (1, 2) => Piece::Red,
            (0, 2) => Piece::Yellow,
            _ => Piece::None,
        });
        assert_eq!(columns[2], Cell::new("3", (110, 22), (44, 88)).holding("red, yellow"));
        assert_eq!(columns[1].holds, "");
    }

    #[test]
    fn a_board_shows_pieces_marks_and_the_side_to_move() {
        let grid = Grid { rows: 2, cols: 3, squares: Squares::Plain, names: Names::FromBottom };
        let picture = |next| svg_of_grid(grid, next, |row, col| (Piece::White, (row, col) == (1, 2)));
        let over = picture(Piece::None);
        assert_eq!(over.matches("<circle").count(), 6);
        assert!(over.contains("d=\"M110 66h44v44h-44z\" fill=\"#f2c94c\""));
        assert_eq!(picture(Piece::Black).matches("<circle").count(), 7);
    }
}
