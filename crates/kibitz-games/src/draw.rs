//! Pictures: what a board points out, and trees.

use kibitz_game::text::{Piece, Svg, colour};
use kibitz_game::{Bits, Cell, Turn};

use crate::lines::Lines;

/// A piece of the side to move, for a board to show; none when the game is over.
pub(crate) fn next_of(pieces: [Piece; 2], turn: Turn) -> Piece {
    match turn {
        Turn::Player(player) => pieces[usize::from(player & 1)],
        _ => Piece::None,
    }
}

/// The stones that are part of a line, on a board whose files are `stride` squares apart, guards included.
pub(crate) fn in_line<B: Bits>(lines: &Lines, stones: B, stride: u32) -> B {
    let run = |square: u32, step: u32| {
        let up = (square..B::SQUARES).step_by(step as usize).take_while(|&square| stones.has(square));
        let down = (0..=square / step).map(|steps| square - steps * step).take_while(|&square| stones.has(square));
        up.chain(down).fold(B::EMPTY, |set, square| set | B::square(square))
    };
    let steps = [1, stride - 1, stride, stride + 1];
    let found = |&square: &u32| steps.iter().any(|&step| lines.any(run(square, step)));
    stones.squares().filter(found).fold(B::EMPTY, |set, square| set | B::square(square))
}

/// All orders of some things, without those that look the same; the first is the one given.
pub(crate) fn orders<T: Copy + PartialEq>(things: &[T]) -> Vec<Vec<T>> {
    if things.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (i, &first) in things.iter().enumerate().filter(|&(i, first)| !things[..i].contains(first)) {
        let others: Vec<T> = things[..i].iter().chain(&things[i + 1..]).copied().collect();
        found.extend(orders(&others).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    found
}

/// The children that a picture shows, `wanted` among them; nothing stands for those left out.
pub(crate) fn slots(children: u64, wanted: u64) -> Vec<Option<u64>> {
    if children <= 8 {
        return (0..children).map(Some).collect();
    }
    let last = if wanted > 5 { wanted } else { children - 1 };
    (0..6).map(Some).chain([None, Some(last)]).collect()
}

/// How far to the right of its parent the child in a slot stands.
pub(crate) fn offset(slot: usize, slots: usize, gap: i32) -> i32 {
    (2 * slot as i32 + 1 - slots as i32) * gap / 2
}

/// Across and down, in pixels.
type Point = (i32, i32);

/// A node of a picture, with the number of the move that leads to it.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub at: Point,
    pub turn: Turn,
    pub number: Option<u64>,
    pub size: i32,
}

/// A picture of a tree; its place on the sheet is settled when all is known.
#[derive(Default)]
pub(crate) struct Sketch {
    pub nodes: Vec<Node>,
    /// From, to, and whether it is on a path of interest.
    pub edges: Vec<(Point, Point, bool)>,
    pub texts: Vec<(Point, String)>,
}

impl Sketch {
    /// Width and height of the sheet, and where the point (0, 0) is on it.
    fn sheet(&self, state: &str) -> ((i32, i32), Point) {
        let columns = || self.nodes.iter().map(|node| node.at.0);
        let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
        let bottom = self.nodes.iter().map(|node| node.at.1).max().unwrap_or(0);
        let width = (right - left + 64).max(8 * state.chars().count() as i32 + 24);
        ((width, bottom + 112), ((width - right - left) / 2, 40))
    }

    /// The nodes below the current one, as cells named by the numbers of the moves that lead there.
    pub fn cells(&self, current: Point, state: &str) -> Vec<Cell> {
        let (_, shift) = self.sheet(state);
        let below = self.nodes.iter().filter(|node| node.at.1 > current.1);
        let cell = |node: &Node| {
            let at = (node.at.0 + shift.0, node.at.1 + shift.1);
            Some(Cell::around(node.number?.to_string(), at, 2 * node.size))
        };
        below.filter_map(cell).collect()
    }

    /// The document, with the current node pointed out and a line of text below.
    pub fn finish(self, current: Point, state: &str) -> String {
        let ((width, height), shift) = self.sheet(state);
        let place = |(x, y): Point| (x + shift.0, y + shift.1);
        let mut svg = Svg::new(width, height);
        for (strong, look) in [(false, colour::DARK), (true, colour::LINE)] {
            let lines = self.edges.iter().filter(|edge| edge.2 == strong).map(|&(from, to, _)| {
                let ((x, y), (to_x, to_y)) = (place(from), place(to));
                format!("M{x} {y}L{to_x} {to_y}")
            });
            svg.path(
                &lines.collect::<String>(),
                &format!("stroke=\"{look}\" stroke-width=\"{}\"", 1 + i32::from(strong)),
            );
        }
        svg.circle(place(current), 18, &format!("fill=\"{}\"", colour::MARK));
        for node in &self.nodes {
            let ((x, y), size) = (place(node.at), node.size);
            let diamond = format!("M{x} {}l{size} {size}l-{size} {size}l-{size}-{size}z", y - size);
            match node.turn {
                Turn::Player(player) => {
                    let fill = format!("fill=\"{}\"", colour::PLAYERS[usize::from(player)]);
                    if player == 0 {
                        svg.rect((x - size, y - size), (2 * size, 2 * size), &format!("rx=\"2\" {fill}"));
                    } else {
                        svg.circle((x, y), size, &fill);
                    }
                }
                Turn::Chance => svg.path(&diamond, &format!("fill=\"{}\"", colour::INK)),
                Turn::Over => {
                    let leaf = format!("rx=\"{size}\" fill=\"#fdfdfb\" stroke=\"{}\"", colour::LINE);
                    svg.rect((x - size, y - size), (2 * size, 2 * size), &leaf);
                }
            }
            if let Some(number) = node.number {
                let fill = if node.turn == Turn::Over { colour::INK } else { "#fff" };
                svg.text((x, y + 4), &number.to_string(), &format!("font-size=\"12\" fill=\"{fill}\""));
            }
        }
        svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
            for (at, text) in &self.texts {
                svg.text(place(*at), text, "font-weight=\"bold\"");
            }
            svg.text((width / 2, height - 12), state, "");
        });
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_equal_things_are_not_told_apart() {
        assert_eq!(orders(&[1, 2, 3]).len(), 6);
        assert_eq!(orders(&[1, 2, 1]), [[1, 2, 1], [1, 1, 2], [2, 1, 1]]);
        assert_eq!(orders::<u8>(&[]), [[]]);
    }

    #[test]
    fn the_stones_of_a_line_are_found_and_no_others() {
        // three by three squares: a row, a diagonal through it, and two stones that are in no line
        let set = |squares: &[u32]| squares.iter().fold(0u64, |set, &square| set | 1 << square);
        let lines = Lines::new(3, false, 3, 3);
        assert_eq!(in_line(&lines, set(&[0, 1, 2, 4, 9]), 4), set(&[0, 1, 2]));
        assert_eq!(in_line(&lines, set(&[0, 1, 2, 5, 10]), 4), set(&[0, 1, 2, 5, 10]));
        assert_eq!(in_line(&lines, set(&[0, 1, 5, 8]), 4), 0);
        let exact = Lines::new(3, true, 3, 5);
        assert_eq!(in_line(&exact, set(&[0, 1, 2, 3, 6, 12]), 6), set(&[0, 6, 12]));
    }
}
