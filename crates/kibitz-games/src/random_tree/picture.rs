//! Pictures of a position of a random tree.

use kibitz_game::{Cell, Draw, Game, Turn};

use super::{Move, NATURAL, Position, RandomTree};
use crate::draw::{Node, Sketch, offset, slots};

/// A picture shows this many levels above the position.
const PATH: usize = 4;

impl RandomTree {
    /// The position on a level above, in a tree.
    fn above(&self, position: &Position, level: u32) -> Position {
        let index = (level..position.level).rev().fold(position.index, |index, level| index / self.children(level));
        Position { level, index, turn: if level == position.level { position.turn } else { NATURAL } }
    }

    /// A child of a position, in a tree.
    fn below(&self, position: &Position, child: u64) -> Position {
        let index = position.index * self.children(position.level) + child;
        Position { level: position.level + 1, index, turn: NATURAL }
    }

    /// The tree around a position, where the position is in it, and what happens next.
    fn sketch(&self, position: &Position) -> (Sketch, (i32, i32), String) {
        // with `states` nobody knows on which path the position was reached
        let path = if self.states == 0 { self.path(position) } else { Vec::new() };
        let path = &path[path.len().saturating_sub(PATH)..];
        let top = position.level - path.len() as u32;
        let mut sketch = Sketch::default();
        let mut x = 0;
        let mut here = self.above(position, top);
        let mut node = Node { at: (0, 0), turn: self.turn(&here), number: None, size: 11 };
        for (i, &child) in path.iter().enumerate() {
            let slots = slots(self.children(here.level), child);
            let parent = here;
            let below = |number: u64| self.turn(&self.below(&parent, number));
            let gap = (96 / slots.len() as i32).clamp(16, 40);
            let from = (x, 46 * i as i32);
            for (slot, &number) in slots.iter().enumerate() {
                let at = (from.0 + offset(slot, slots.len(), gap), from.1 + 46);
                if number == Some(child) {
                    sketch.edges.push((from, at, true));
                    sketch.nodes.push(node);
                    here = self.below(&parent, child);
                    let turn = if here.level == position.level { self.turn(position) } else { below(child) };
                    node = Node { at, turn, number: Some(child), size: 11 };
                    x = at.0;
                } else if let Some(number) = number {
                    sketch.edges.push((from, at, false));
                    sketch.nodes.insert(0, Node { at, turn: below(number), number: None, size: 4 });
                }
            }
        }
        if top > 0 {
            sketch.edges.push(((0, -30), (0, 0), true));
        }
        sketch.nodes.push(node);
        let current = node.at;
        if position.level < self.last() {
            let slots = slots(self.children(position.level), 0);
            for (slot, &number) in slots.iter().enumerate() {
                let at = (current.0 + offset(slot, slots.len(), 50), current.1 + 62);
                let Some(number) = number else {
                    sketch.texts.push((at, "…".to_owned()));
                    continue;
                };
                let mut leaf = *position;
                self.play(&mut leaf, number as Move);
                sketch.edges.push((current, at, true));
                sketch.nodes.push(Node { at, turn: self.turn(&leaf), number: Some(number), size: 11 });
                if leaf.level == self.last() {
                    sketch.texts.push(((at.0, at.1 + 27), self.score(&leaf, 0).to_string()));
                }
            }
        }
        let state = match self.turn(position) {
            Turn::Player(player) => format!("player {player} to move"),
            Turn::Chance => "chance to move".to_owned(),
            Turn::Over => {
                let scores: Vec<String> = (0..self.players()).map(|p| self.score(position, p).to_string()).collect();
                sketch.texts.push(((current.0, current.1 + 32), scores[0].clone()));
                if scores.len() > 1 { format!("scores {}", scores.join(", ")) } else { "the end".to_owned() }
            }
        };
        let state = format!("level {} of {}, {state}", position.level, self.last());
        (sketch, current, state)
    }
}

impl Draw for RandomTree {
    fn board(&self, position: &Position) -> String {
        let Position { level, index, .. } = *position;
        let state = match self.turn(position) {
            Turn::Player(player) => format!("player {player} to move"),
            Turn::Chance => "chance to move".to_owned(),
            Turn::Over => {
                let values = if self.players == 2 { 1 } else { self.players() };
                let values: Vec<String> = (0..values).map(|player| self.score(position, player).to_string()).collect();
                format!("leaf {}", values.join(" "))
            }
        };
        let mut out = format!("level {level} of {}\nposition {index} of {}\n", self.last(), self.sizes[level as usize]);
        if self.states == 0 {
            let path: Vec<String> = self.path(position).iter().map(u64::to_string).collect();
            out += format!("path {}", path.join(" ")).trim_end();
            out.push('\n');
        }
        out + &state
    }

    fn svg(&self, position: &Position) -> String {
        let (sketch, current, state) = self.sketch(position);
        sketch.finish(current, &state)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        let (sketch, current, state) = self.sketch(position);
        sketch.cells(current, &state)
    }
}
