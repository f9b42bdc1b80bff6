//! Positions that trees have solved, for the other places where they come up.
//!
//! A tree solves a position anew wherever it comes up. With a table of answers it need not: before a leaf is expanded, the table is asked for its position. Only answers that
//! hold on every path get in, by the same distinction as in [`depth_first`](super::depth_first). Say that repetition answers no. Then an answer of no may rest on a position above that
//! the other side goes back to; each solved node notes the highest place on the path that it goes back to, and at that place itself, or without a repetition, the answer is complete. An answer of yes
//! never rests on a repetition; its node notes the height of the proof, so that a strategy that is gathered from the table afterwards gets nearer to its goal with each answer that it takes
//! from there ([`harvest`](super::harvest)).
//!
//! Breuker, van den Herik, Uiterwijk and Allis (*A solution to the GHI problem for best-first search*, 2001) make one graph of all equal positions, which has to tell them apart again by their paths. Here trees stay trees,
//! and what they share is certain.

use kibitz_game::Game;

use super::Provable;
use super::question::{AtLeast, Question};
use super::table::{Entry, Table};
use super::tree::{FREE, Node};

/// The table of a question, and how it is asked.
#[derive(Clone, Copy)]
pub(crate) struct Solved<'a> {
    table: &'a Table,
    salt: u64,
    /// What repetition answers; none if there is no such rule.
    repetition: Option<bool>,
    /// Proofs that are not lower are not taken.
    most: u32,
    /// Whether new answers get in.
    learns: bool,
}

impl<'a> Solved<'a> {
    /// The table for a question about a position.
    pub(crate) fn new<G: Provable>(question: &Question<'_, G>, position: &G::Position, table: &'a Table) -> Self {
        // two questions share a table
        let salt = if question.at_least == AtLeast::Win { 0 } else { 0x9e37_79b9_7f4a_7c15 };
        Self { table, salt, repetition: question.by_repetition(position), most: FREE, learns: true }
    }

    /// The same table for gathering a strategy for an answer, without proofs of this height or more; and the height before. It goes on learning where heights do not matter: a strategy from a
    /// checkpoint begins with an empty table.
    pub(crate) fn below(self, most: u32, value: bool) -> (Self, u32) {
        (Self { most, learns: self.repeats(value), ..self }, self.most)
    }

    /// Whether an answer may rest on a repetition.
    #[inline(always)]
    pub(crate) fn repeats(&self, value: bool) -> bool {
        self.repetition == Some(value)
    }

    /// The note of an answer that needs no search.
    #[inline(always)]
    pub(crate) fn at_once(&self, value: bool) -> u32 {
        if self.repeats(value) { FREE } else { 0 }
    }

    /// The answer for a position with its note.
    #[inline(always)]
    pub(crate) fn get<G: Game>(&self, game: &G, position: &G::Position) -> Option<(bool, u32)> {
        let (value, height) = self.table.get(game.key(position) ^ self.salt)?.value()?;
        if self.repeats(value) { Some((value, FREE)) } else { (height < self.most).then_some((value, height)) }
    }

    /// Remembers what a node with children says of the position with this key, after so many nodes, if it holds on every path.
    #[inline(always)]
    pub(crate) fn put(&self, key: u64, node: &Node, value: bool, nodes: usize) {
        // of a proof that is too tall to be noted nobody knows how tall it is
        if self.learns && (node.note() == FREE) == self.repeats(value) {
            let height = if self.repeats(value) { 0 } else { node.note() };
            self.table.put(key ^ self.salt, Entry::solved(value, height), nodes as u64);
        }
    }
}
