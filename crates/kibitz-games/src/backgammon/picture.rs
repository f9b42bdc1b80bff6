//! Pictures: A's home board is at the lower right, and the numbers are A's.

use std::fmt::Write;

use kibitz_game::text::{Svg, colour};
use kibitz_game::{Cell, Game, Turn};

use super::board::{BAR, OFF, Side};
use super::{Backgammon, Move, NOBODY, Phase, Position, both, plays};
use crate::draw::orders;

const NAMES: [&str; 2] = ["A", "B"];

/// What stands on A's point: the side and the number of checkers.
fn on_point(position: &Position, point: usize) -> (usize, u32) {
    let [a, b] = position.sides;
    if a.count(point) > 0 { (0, a.count(point)) } else { (1, b.count(25 - point)) }
}

/// What happens next, in words.
fn state(game: &Backgammon, position: &Position) -> String {
    let name = NAMES[usize::from(position.turn & 1)];
    if game.turn(position) == Turn::Over {
        let winner = usize::from(game.score(position, 1) > 0);
        let points = game.result(f64::from(game.score(position, winner)));
        return format!("{} has won {points} point{}", NAMES[winner], if points == 1.0 { "" } else { "s" });
    }
    match position.phase {
        Phase::Opening => "both throw one die".to_owned(),
        Phase::Decision => format!("{name} rolls or doubles"),
        Phase::Roll | Phase::Dropped => format!("the dice of {name} fall"),
        Phase::Play(high, low) => format!("{name} plays {high}-{low}"),
        Phase::Doubled => format!("{name} has been doubled"),
        Phase::Beavered => format!("{name} has been beavered"),
    }
}

const ROWS: u32 = 5;

pub fn board(game: &Backgammon, position: &Position) -> String {
    let upper: [usize; 12] = std::array::from_fn(|i| 13 + i);
    let lower: [usize; 12] = std::array::from_fn(|i| 12 - i);
    // one cell of a column of checkers, `level` counted from the edge
    let cell = |side: usize, count: u32, level: u32| match count {
        count if count <= level => " . ".to_owned(),
        count if level == ROWS - 1 && count > ROWS => format!("{count:>2} "),
        _ => [" X ", " O "][side].to_owned(),
    };
    let bar = |side: usize, level: u32| {
        let count = position.sides[side].count(BAR);
        if count > level { cell(side, count, level) } else { "   ".to_owned() }
    };
    let half = |points: [usize; 12], levels: &mut dyn Iterator<Item = u32>, entering: usize| {
        let mut text = String::new();
        for level in levels {
            text.push_str(" |");
            for (i, point) in points.into_iter().enumerate() {
                if i == 6 {
                    let _ = write!(text, "|{}|", bar(entering, level));
                }
                let (side, count) = on_point(position, point);
                text.push_str(&cell(side, count, level));
            }
            text.push_str("|\n");
        }
        text
    };
    let names = |points: [usize; 12], side: usize| {
        let list = |points: &[usize]| {
            points.iter().fold(String::new(), |mut list, point| {
                let _ = write!(list, "{point:>2} ");
                list
            })
        };
        let [off, pips] = [position.sides[side].count(OFF), position.sides[side].pips()];
        let mark = ["X", "O"][side];
        format!(
            "  {}     {}  {}: {mark}, {off} off, {pips} pips\n",
            list(&points[..6]),
            list(&points[6..]),
            NAMES[side]
        )
    };
    // who is on the bar enters the opponent's home board: A above, B below
    let (top, bottom) = (half(upper, &mut (0..ROWS), 0), half(lower, &mut (0..ROWS).rev(), 1));
    let middle = format!(" |{0}|BAR|{0}|\n", " ".repeat(18));
    let cube = if game.cube == 0 {
        String::new()
    } else if position.owner == NOBODY {
        ", the cube is in the middle".to_owned()
    } else {
        format!(", {} has the cube at {}", NAMES[usize::from(position.owner & 1)], 1 << position.cube)
    };
    format!("{}{top}{middle}{bottom}{}{}{cube}", names(upper, 1), names(lower, 0), state(game, position))
}

const WIDE: i32 = 30;
const HIGH: i32 = 130;
const EDGE: i32 = 24;
const GAP: i32 = 40;

/// The middle of a point's column and the edge of the board that it stands on, with the direction of its checkers.
fn place_of(point: usize) -> (i32, i32, i32) {
    let (column, y, up) = if point > 12 { (point - 13, EDGE, 1) } else { (12 - point, EDGE + 2 * HIGH + 40, -1) };
    let x = EDGE + column as i32 * WIDE + WIDE / 2 + if column > 5 { GAP } else { 0 };
    (x, y, up)
}

/// A column of checkers from an edge of the board; more than five overlap and are counted.
fn checkers(svg: &mut Svg, (x, y, up): (i32, i32, i32), count: u32) {
    for level in 0..count.min(ROWS) {
        svg.circle((x, y + up * (13 + 25 * level as i32)), 12, "");
    }
    if count > ROWS {
        let at = (x, y + up * (13 + 25 * (ROWS as i32 - 1)) + 5);
        svg.text(at, &count.to_string(), "fill=\"#fff\" stroke=\"none\" font-size=\"13\" font-weight=\"bold\"");
    }
}

pub fn svg(game: &Backgammon, position: &Position) -> String {
    let (wide, high) = (12 * WIDE + GAP, 2 * HIGH + 40);
    let mut svg = Svg::new(wide + 2 * EDGE + 50, high + 2 * EDGE + 26);
    svg.rect((EDGE, EDGE), (wide, high), &format!("fill=\"{}\" stroke=\"{}\"", colour::LIGHT, colour::LINE));
    svg.rect((EDGE + 6 * WIDE, EDGE), (GAP, high), &format!("fill=\"{}\"", colour::LINE));
    for dark in [true, false] {
        let points = (1..=24).filter(|point| (point % 2 == 0) == dark);
        let path = points.fold(String::new(), |mut path, point| {
            let (x, y, up) = place_of(point);
            let half = WIDE / 2;
            let _ = write!(path, "M{} {y}h{WIDE}L{x} {}z", x - half, y + up * (HIGH - 6));
            path
        });
        svg.path(&path, &format!("fill=\"{}\"", if dark { colour::DARK } else { colour::PAPER }));
    }
    svg.group(&format!("fill=\"{}\" font-size=\"11\"", colour::INK), |svg| {
        for point in 1..=24 {
            let (x, y, up) = place_of(point);
            svg.text((x, y - up * 8 + 4), &point.to_string(), "");
        }
    });
    for (side, own) in colour::PLAYERS.into_iter().enumerate().take(2) {
        svg.group(&format!("fill=\"{own}\" stroke=\"#fff\" stroke-width=\"1.5\""), |svg| {
            for point in 1..=24 {
                let (owner, count) = on_point(position, point);
                if owner == side && count > 0 {
                    checkers(svg, place_of(point), count);
                }
            }
            let middle = EDGE + 6 * WIDE + GAP / 2;
            let (y, up) = if side == 0 { (EDGE + high / 2 - 12, -1) } else { (EDGE + high / 2 + 12, 1) };
            checkers(svg, (middle, y, up), position.sides[side].count(BAR));
        });
        borne_off(&mut svg, side, position.sides[side], (EDGE + wide + 10, high));
    }
    let y = EDGE + high + 38;
    svg.text((EDGE + wide / 2, y), &state(game, position), &format!("fill=\"{}\" font-size=\"14\"", colour::INK));
    if let Turn::Player(player) = game.turn(position) {
        svg.circle((EDGE + 20, y - 5), 7, &format!("fill=\"{}\"", colour::PLAYERS[usize::from(player)]));
    }
    if game.cube > 0 {
        let at = match position.owner {
            0 => EDGE + high - 26,
            1 => EDGE,
            _ => EDGE + high / 2 - 13,
        };
        svg.rect((EDGE + wide + 38, at), (26, 26), &format!("rx=\"4\" fill=\"#fff\" stroke=\"{}\"", colour::LINE));
        let number = if position.cube == 0 { 64 } else { 1 << position.cube };
        svg.text((EDGE + wide + 51, at + 18), &number.to_string(), &format!("fill=\"{}\"", colour::INK));
    }
    svg.finish()
}

/// The checkers that a side has borne off, seen from their edges, beside its home board.
fn borne_off(svg: &mut Svg, side: usize, checkers: Side, (x, high): (i32, i32)) {
    let look = format!("fill=\"{}\" stroke=\"#fff\" stroke-width=\".7\"", colour::PLAYERS[side]);
    svg.group(&look, |svg| {
        for i in 0..checkers.count(OFF) as i32 {
            let y = if side == 0 { EDGE + high - 8 * (i + 1) } else { EDGE + 8 * i };
            svg.rect((x, y), (22, 8), "");
        }
    });
}

/// Points have A's numbers, as in the picture; both sides have a bar and a place for what they have borne off.
fn cell_name(side: usize, place: usize) -> String {
    match place {
        BAR => format!("bar {}", NAMES[side]),
        OFF => format!("off {}", NAMES[side]),
        point => (if side == 0 { point } else { 25 - point }).to_string(),
    }
}

pub fn cells(position: &Position) -> Vec<Cell> {
    let words = |(side, count): (usize, u32)| match count {
        0 => String::new(),
        count => format!("{count} of {}", NAMES[side]),
    };
    let (wide, high) = (12 * WIDE + GAP, 2 * HIGH + 40);
    let point = |point| {
        let (x, y, up) = place_of(point);
        let top = if up > 0 { y } else { y - HIGH };
        Cell::new(cell_name(0, point), (x - WIDE / 2, top), (WIDE, HIGH)).holding(words(on_point(position, point)))
    };
    let mut cells: Vec<Cell> = (1..=24).map(point).collect();
    for side in 0..2 {
        let upper = if side == 0 { EDGE } else { EDGE + high / 2 };
        let lower = if side == 0 { EDGE + high / 2 } else { EDGE };
        let count = |place| words((side, position.sides[side].count(place)));
        let bar = ((EDGE + 6 * WIDE, upper), (GAP, high / 2));
        // beside the board, but not where the cube lies
        let off = ((EDGE + wide + 6, lower), (30, high / 2));
        cells.push(Cell::new(cell_name(side, BAR), bar.0, bar.1).holding(count(BAR)));
        cells.push(Cell::new(cell_name(side, OFF), off.0, off.1).holding(count(OFF)));
    }
    cells
}

/// A step of a checker, and whether it hits.
type Step = (usize, usize, bool);

/// The steps of a play in every order in which there is a checker for each of them, step by step or with each checker that
/// goes on clicked only where it begins and ends, unless it hits on the way.
pub fn clicks(position: &Position, play: Move) -> Vec<Vec<String>> {
    if !matches!(position.phase, Phase::Play(..)) {
        return Vec::new();
    }
    let side = usize::from(position.turn & 1);
    let (own, mut other) = both(position);
    let mut steps: Vec<Step> = Vec::new();
    for (from, die) in plays::steps(play) {
        let to = from.saturating_sub(die);
        let hit = to != OFF && other.count(25 - to) == 1;
        if hit {
            other = other.moved(25 - to, BAR);
        }
        steps.push((from, to, hit));
    }
    let possible = |order: &Vec<Step>| {
        let mut left = own;
        order.iter().all(|&(from, to, _)| {
            let possible = left.count(from) > 0 && (from == BAR || left.count(BAR) == 0);
            if possible {
                left = left.moved(from, to);
            }
            possible
        })
    };
    let mut ways: Vec<Vec<String>> = Vec::new();
    for order in orders(&steps).into_iter().filter(possible) {
        for steps in [joined(&order), order] {
            let way = steps.iter().flat_map(|&(from, to, _)| [from, to]).map(|place| cell_name(side, place)).collect();
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    ways.retain(|way| !way.is_empty());
    ways
}

/// The steps with those of one checker joined that follow each other, unless the first of them hits.
fn joined(order: &[Step]) -> Vec<Step> {
    let mut joined: Vec<Step> = Vec::new();
    for &(from, to, hit) in order {
        match joined.last_mut() {
            Some(last) if last.1 == from && !last.2 => (last.1, last.2) = (to, hit),
            _ => joined.push((from, to, hit)),
        }
    }
    joined
}
