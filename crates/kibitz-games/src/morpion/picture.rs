//! Pictures of Morpion Solitaire: the paper around the dots, as text and as SVG, with the moves numbered where their order is known.

use std::fmt::Write;

use kibitz_game::Cell;
use kibitz_game::text::{Svg, colour};

use super::VARIANTS;
use super::board::{Board, Line, Rules, SIDE};
use super::notation::point_name;

/// The columns and the rows that are shown.
struct Frame {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Frame {
    /// All dots, and a margin.
    fn around(dots: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut frame = Self { left: SIDE, top: SIDE, right: 0, bottom: 0 };
        for (x, y) in dots {
            frame.left = frame.left.min(x.saturating_sub(1));
            frame.top = frame.top.min(y.saturating_sub(1));
            frame.right = frame.right.max((x + 1).min(SIDE - 1));
            frame.bottom = frame.bottom.max((y + 1).min(SIDE - 1));
        }
        frame
    }

    fn points(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (left, right) = (self.left, self.right);
        (self.top..=self.bottom).flat_map(move |y| (left..=right).map(move |x| (x, y)))
    }
}

fn dots(board: &Board) -> impl Iterator<Item = (usize, usize)> {
    (0..SIDE * SIDE).map(|i| (i % SIDE, i / SIDE)).filter(|&(x, y)| board.dot(x, y))
}

fn ends(rules: &Rules, line: Line) -> [(usize, usize); 2] {
    [line.point(0), line.point(rules.dots - 1)]
}

fn state(rules: &Rules, board: &Board) -> String {
    let (drawn, possible) = (board.drawn(), board.lines().len());
    let next = if possible == 0 { "over".to_owned() } else { format!("{possible} possible") };
    format!("{}: {drawn} moves, {next}", VARIANTS[rules.variant].0)
}

/// Dots of the start are `O`, new ones `o`, points where a line can be completed `.`, with the pieces of the lines between them.
pub(super) fn board(rules: &Rules, board: &Board) -> String {
    let frame = Frame::around(dots(board));
    let (wide, high) = (2 * (frame.right - frame.left) + 1, 2 * (frame.bottom - frame.top) + 1);
    let mut paper = vec![vec![' '; wide]; high];
    for line in rules.history(board) {
        for i in 1..rules.dots {
            let ((x, y), (to_x, to_y)) = (line.point(i - 1), line.point(i));
            let cell = &mut paper[y + to_y - 2 * frame.top][x + to_x - 2 * frame.left];
            let piece = ['-', '|', '\\', '/'][line.direction()];
            *cell = if *cell == ' ' { piece } else { 'X' };
        }
    }
    for (x, y) in frame.points() {
        let possible = || board.lines().iter().any(|&line| Line(line).dot() == (x, y));
        paper[2 * (y - frame.top)][2 * (x - frame.left)] = match board.dot(x, y) {
            true if rules.is_start(x, y) => 'O',
            true => 'o',
            false if possible() => '.',
            false => ' ',
        };
    }
    let from_corner = |at: usize| at as i32 - rules.corner() as i32;
    let mut text = String::new();
    for (i, row) in paper.into_iter().enumerate() {
        let name = if i % 2 == 0 { from_corner(frame.top + i / 2).to_string() } else { String::new() };
        let _ = writeln!(text, "{}", format!("{name:>3}  {}", row.into_iter().collect::<String>()).trim_end());
    }
    let names = (frame.left..=frame.right).map(|x| format!("{:<2}", from_corner(x).rem_euclid(10)));
    let columns = format!("     {}", names.collect::<String>());
    format!(
        "{text}{}\ncolumns {} to {}\n{}",
        columns.trim_end(),
        from_corner(frame.left),
        from_corner(frame.right),
        state(rules, board)
    )
}

/// The distance between two points, and the space around the picture.
const STEP: i32 = 24;
const EDGE: i32 = 16;

struct Sheet {
    frame: Frame,
    svg: Svg,
    width: i32,
    height: i32,
}

impl Sheet {
    fn new(board: &Board) -> Self {
        let frame = Frame::around(dots(board));
        let width = (frame.right - frame.left) as i32 * STEP + 2 * EDGE;
        let height = (frame.bottom - frame.top) as i32 * STEP + 2 * EDGE + 24;
        let mut sheet = Self { svg: Svg::new(width, height), frame, width, height };
        let mut grid = String::new();
        for x in sheet.frame.left..=sheet.frame.right {
            let _ = write!(grid, "M{} {EDGE}v{}", sheet.at((x, 0)).0, height - 2 * EDGE - 24);
        }
        for y in sheet.frame.top..=sheet.frame.bottom {
            let _ = write!(grid, "M{EDGE} {}h{}", sheet.at((sheet.frame.left, y)).1, width - 2 * EDGE);
        }
        sheet.svg.path(&grid, &format!("stroke=\"{}\"", colour::LIGHT));
        sheet
    }

    fn at(&self, (x, y): (usize, usize)) -> (i32, i32) {
        let step = |at: usize, from: usize| EDGE + (at as i32 - from as i32) * STEP;
        (step(x, self.frame.left), step(y, self.frame.top))
    }

    fn lines(&mut self, rules: &Rules, lines: &[Line], attributes: &str) {
        let path = lines.iter().fold(String::new(), |mut path, &line| {
            let [(x, y), (to_x, to_y)] = ends(rules, line).map(|point| self.at(point));
            let _ = write!(path, "M{x} {y}L{to_x} {to_y}");
            path
        });
        self.svg.path(&path, &format!("stroke-linecap=\"round\" {attributes}"));
    }

    fn dots(&mut self, points: impl Iterator<Item = (usize, usize)>, radius: i32, attributes: &str) {
        let places: Vec<(i32, i32)> = points.map(|point| self.at(point)).collect();
        if !places.is_empty() {
            self.svg.group(attributes, |svg| places.into_iter().for_each(|place| svg.circle(place, radius, "")));
        }
    }

    fn finish(mut self, words: &str) -> String {
        self.svg.text((self.width / 2, self.height - 12), words, &format!("fill=\"{}\"", colour::INK));
        self.svg.finish()
    }
}

fn drawn_lines() -> String {
    format!("stroke=\"{}\" stroke-width=\"2\"", colour::LINE)
}

/// A position, with a move in it or without.
pub(super) fn svg(rules: &Rules, board: &Board, mv: Option<Line>) -> String {
    let mut sheet = Sheet::new(board);
    let possible: Vec<(usize, usize)> = board.lines().iter().map(|&line| Line(line).dot()).collect();
    let is_possible = |point: &(usize, usize)| possible.contains(point);
    let points: Vec<(usize, usize)> = sheet.frame.points().filter(is_possible).collect();
    sheet.dots(points.into_iter(), 3, &format!("fill=\"{}\"", colour::MARK));
    sheet.lines(rules, &rules.history(board), &drawn_lines());
    if let Some(line) = mv {
        sheet.lines(rules, &[line], &format!("class=\"move\" stroke=\"{}\" stroke-width=\"4\"", colour::PLAYERS[0]));
    }
    let start = |&(x, y): &(usize, usize)| rules.is_start(x, y);
    sheet.dots(dots(board).filter(start), 5, "fill=\"#333\"");
    sheet.dots(dots(board).filter(|point| !start(point)), 5, &format!("fill=\"{}\"", colour::PLAYERS[1]));
    if let Some(line) = mv {
        sheet.dots([line.dot()].into_iter(), 6, &format!("fill=\"{}\"", colour::PLAYERS[0]));
    }
    sheet.finish(&state(rules, board))
}

/// The position after all moves, each new dot with the number of its move.
pub(super) fn numbered(rules: &Rules, start: &Board, moves: &[u32]) -> String {
    let mut board = *start;
    for &mv in moves {
        rules.draw(&mut board, Line(mv));
    }
    let mut sheet = Sheet::new(&board);
    sheet.lines(rules, &rules.history(&board), &drawn_lines());
    sheet.dots(dots(start), 5, "fill=\"#333\"");
    let places: Vec<(i32, i32)> = moves.iter().map(|&mv| sheet.at(Line(mv).dot())).collect();
    let ring = format!("fill=\"#fff\" stroke=\"{}\"", colour::PLAYERS[1]);
    sheet.svg.group(&ring, |svg| places.iter().for_each(|&place| svg.circle(place, 10, "")));
    sheet.svg.group(&format!("font-size=\"10\" fill=\"{}\"", colour::PLAYERS[1]), |svg| {
        for (i, &(x, y)) in places.iter().enumerate() {
            svg.text((x, y + 4), &(board.drawn() as usize - moves.len() + i + 1).to_string(), "");
        }
    });
    sheet.finish(&state(rules, &board))
}

pub(super) fn cells(rules: &Rules, board: &Board) -> Vec<Cell> {
    let sheet = Sheet::new(board);
    let cell = |point: (usize, usize)| {
        let dot = if board.dot(point.0, point.1) { "dot" } else { "" };
        Cell::around(point_name(rules, point), sheet.at(point), STEP / 2).holding(dot)
    };
    sheet.frame.points().map(cell).collect()
}

/// The new dot and, where several lines can be drawn through it, an end of the line.
pub(super) fn clicks(rules: &Rules, board: &Board, line: Line) -> Vec<Vec<String>> {
    let dot = line.dot();
    let name = |point| point_name(rules, point);
    if board.lines().iter().filter(|&&other| Line(other).dot() == dot).count() == 1 {
        return vec![vec![name(dot)]];
    }
    let far = ends(rules, line).into_iter().filter(|&end| end != dot);
    far.map(|end| vec![name(dot), name(end)]).collect()
}
