//! Positions and moves of the phalanx games as text.

use kibitz_game::BadText;
use kibitz_game::text;

use super::board::Board;
use super::moves::{Move, PASS};
use super::{Position, WHITE};

/// The name of a square as the thesis writes it, such as `H12`.
pub(super) fn name<B: Board>(number: u32) -> String {
    text::square_name((number / B::STRIDE) as usize, (number % B::STRIDE) as usize).to_ascii_uppercase()
}

/// The number of the square at a row counted from the top.
pub(super) fn at<B: Board>(row: usize, col: usize) -> u32 {
    (B::ROWS - 1 - row as u32) * B::STRIDE + col as u32
}

/// What stands on a square: `w`, `b` or `.`.
pub(super) fn cell<B: Board>(position: &Position<B>, number: u32) -> char {
    match position.pieces.map(|pieces| pieces.has(number)) {
        [true, _] => 'w',
        [_, true] => 'b',
        _ => '.',
    }
}

/// The board, the side to move and, where it matters, the number of plies played.
pub(super) fn write_position<B: Board>(position: &Position<B>, plies: bool) -> String {
    let grid = text::write_grid(B::ROWS as usize, B::COLS as usize, |row, col| cell(position, at::<B>(row, col)));
    let side = if position.turn == WHITE { 'w' } else { 'b' };
    if plies { format!("{grid} {side} {}", position.plies) } else { format!("{grid} {side}") }
}

/// The pieces, the side to move and the plies of a text. A side has at most so many pieces; plies are counted up to `cap`,
/// and not at all if that is 0.
pub(super) fn read_position<B: Board>(text: &str, most: u32, cap: u16) -> Result<([B; 2], u8, u16), BadText> {
    let mut parts = text.split_whitespace();
    let (Some(grid), Some(side)) = (parts.next(), parts.next()) else {
        return Err(BadText::new("write the rows from the top and the side to move, w or b"));
    };
    let turn = match side {
        "w" => WHITE,
        "b" => 1 - WHITE,
        other => return Err(BadText::new(format!("the side to move is w or b, not {other:?}"))),
    };
    let plies = match parts.next() {
        None => 0,
        Some(_) if cap == 0 => return Err(BadText::new("nothing follows the side to move unless plies are limited")),
        Some(text) => {
            let plain = text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
            let plies = text.parse().ok().filter(|&plies: &u16| plain && plies <= cap);
            plies.ok_or_else(|| BadText::new(format!("the plies played are a number up to {cap}, not {text:?}")))?
        }
    };
    if let Some(more) = parts.next() {
        return Err(BadText::new(format!("{more:?} is too much")));
    }
    let cells = text::parse_grid(grid, B::ROWS as usize, B::COLS as usize, "wb.")?;
    let mut pieces = [B::NONE; 2];
    for (i, &cell) in cells.iter().enumerate() {
        let square = B::square(at::<B>(i / B::COLS as usize, i % B::COLS as usize));
        match cell {
            'w' => pieces[0] |= square,
            'b' => pieces[1] |= square,
            _ => {}
        }
    }
    if pieces.iter().any(|set| set.size() > most) {
        return Err(BadText::new(format!("a side has at most {most} pieces")));
    }
    if (pieces[0] | pieces[1]).is_none() {
        return Err(BadText::new("there is no piece on the board"));
    }
    Ok((pieces, turn, plies))
}

/// The notation of the thesis: the pieces that move, the lead first, and where it lands.
pub(super) fn write_move<B: Board>(position: &Position<B>, mv: Move) -> String {
    if mv == PASS {
        return "pass".to_owned();
    }
    let pieces: Vec<String> = mv.pieces::<B>().map(name::<B>).collect();
    let pieces = if pieces.len() == 1 { pieces[0].clone() } else { format!("[{}]", pieces.join(",")) };
    let landing = mv.landing::<B>();
    let way = if (position.pieces[0] | position.pieces[1]).has(landing) { " x " } else { "-" };
    format!("{pieces}{way}{}", name::<B>(landing))
}

/// The squares of a list, with or without brackets.
fn squares<B: Board>(text: &str) -> Result<Vec<u32>, BadText> {
    let inner = match (text.strip_prefix('['), text.strip_suffix(']')) {
        (Some(_), Some(_)) => &text[1..text.len() - 1],
        (None, None) => text,
        _ => return Err(BadText::new(format!("a bracket of {text:?} is missing"))),
    };
    let square = |name: &str| {
        let (row, col) = text::parse_square(&name.to_ascii_lowercase(), B::ROWS as usize, B::COLS as usize)?;
        Ok(row as u32 * B::STRIDE + col as u32)
    };
    inner.split(',').map(square).collect()
}

/// The pieces that a move captures, in the order of their squares.
fn captured<B: Board>(position: &Position<B>, mv: Move, all: bool) -> Vec<u32> {
    let other = position.pieces[usize::from(1 - position.turn)];
    let landing = mv.landing::<B>();
    let run = other.run(landing, mv.direction());
    let count = if all { run } else { run.min(1) };
    let mut squares: Vec<u32> = (0..count).map(|steps| B::away(landing, mv.direction(), steps)).collect();
    squares.sort_unstable();
    squares
}

/// The move of a text among the legal ones. The pieces may come in any order, and the tail alone stands for all of them;
/// the landing square may be a list of everything that is captured.
pub(super) fn read_move<B: Board>(
    position: &Position<B>,
    text: &str,
    legal: &[Move],
    all: bool,
) -> Result<Move, BadText> {
    let compact: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let why_not = match (compact.eq_ignore_ascii_case("pass"), legal == [PASS]) {
        (true, true) => return Ok(PASS),
        (true, false) => "a player who has a move may not pass".to_owned(),
        (false, true) => "there is none but \"pass\"".to_owned(),
        (false, false) => match find_move(position, &compact, legal, all) {
            Ok(found) => return Ok(found),
            Err(bad) => bad.0,
        },
    };
    Err(BadText::new(format!("{:?} is not a legal move here: {why_not}", text.trim())))
}

fn find_move<B: Board>(position: &Position<B>, text: &str, legal: &[Move], all: bool) -> Result<Move, BadText> {
    let (pieces, captures, landing) = text
        .split_once('-')
        .map(|(pieces, landing)| (pieces, false, landing))
        .or_else(|| text.split_once(['x', 'X']).map(|(pieces, landing)| (pieces, true, landing)))
        .ok_or_else(|| BadText::new("write moves as [H3,H4,H5]-H2 or H5-H2"))?;
    let (mut pieces, mut landing) = (squares::<B>(pieces)?, squares::<B>(landing)?);
    pieces.sort_unstable();
    landing.sort_unstable();
    let fits = |mv: Move| {
        let mut moved: Vec<u32> = mv.pieces::<B>().collect();
        moved.sort_unstable();
        (pieces == moved || pieces == [mv.tail::<B>()])
            && (landing == [mv.landing::<B>()] || landing.len() > 1 && landing == captured(position, mv, all))
    };
    let no_phalanx = || BadText::new("no phalanx can move so");
    let found = legal.iter().copied().find(|&mv| fits(mv)).ok_or_else(no_phalanx)?;
    match (captures, captured(position, found, all).is_empty()) {
        (true, true) => Err(BadText::new("it captures nothing; write it with a hyphen")),
        (false, false) => Err(BadText::new("it captures; write it with an x")),
        _ => Ok(found),
    }
}
