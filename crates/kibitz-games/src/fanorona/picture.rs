//! Pictures of Fanorona.

use kibitz_game::text::{self, Arrow, Grid, Names, Piece, Squares};
use kibitz_game::{Bits, Cell, Draw, Game};

use super::{Fanorona, Move, Position};
use crate::draw::next_of;

impl<B: Bits> Fanorona<B> {
    fn picture(&self, position: &Position<B>, marked: B, arrows: &[Arrow]) -> String {
        let next = next_of([Piece::White, Piece::Black], self.turn(position));
        text::svg_of_grid_with(self.grid(), next, arrows, |row, col| {
            (self.piece(position, row, col), marked.has(self.at(row, col)))
        })
    }

    fn grid(&self) -> Grid {
        let (rows, cols) = (self.geometry.rows, self.geometry.cols);
        let squares = Squares::Points { odd: Some(!self.geometry.strong.has(0)) };
        Grid { rows, cols, squares, names: Names::FromBottom }
    }

    fn piece(&self, position: &Position<B>, row: usize, col: usize) -> Piece {
        Piece::of_letter(Self::cell(position, self.at(row, col)), [('w', Piece::White), ('b', Piece::Black)])
    }
}

impl<B: Bits> Draw for Fanorona<B> {
    fn board(&self, position: &Position<B>) -> String {
        text::board_of_grid(self.geometry.rows, self.geometry.cols, |row, col| Self::cell(position, self.at(row, col)))
    }

    fn svg(&self, position: &Position<B>) -> String {
        self.picture(position, B::EMPTY, &[])
    }

    fn cells(&self, position: &Position<B>) -> Vec<Cell> {
        self.grid().cells(|row, col| self.piece(position, row, col))
    }

    /// An arrow for each step; the pieces that are captured are pointed out.
    fn svg_of_move(&self, position: &Position<B>, mv: Move) -> Option<String> {
        let cols = self.geometry.cols;
        let cell = |point: usize| (self.geometry.rows - 1 - point / cols, point % cols);
        let (mut at, mut left) = (mv.start(), position.other);
        let mut arrows = Vec::new();
        self.field(position).replay(mv, |captured| {
            let to = usize::from(captured.step.to);
            arrows.push(Arrow { from: cell(at), to: cell(to) });
            (at, left) = (to, captured.left);
        });
        Some(self.picture(position, position.other & !left, &arrows))
    }
}
