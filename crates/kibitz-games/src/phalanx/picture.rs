//! Pictures of the phalanx games.

use kibitz_game::text::{self, Arrow, Grid, Names, Piece, Squares};
use kibitz_game::{Cell, Draw, Game};

use super::board::Board;
use super::moves::{Move, PASS};
use super::notation::{at, cell, name};
use super::{Phalanx, Position, Variant, target};
use crate::draw::next_of;

impl<V: Variant> Phalanx<V> {
    /// The board with some squares pointed out.
    fn picture(&self, position: &Position<V::Board>, marked: V::Board, arrows: &[Arrow]) -> String {
        let next = next_of([Piece::White, Piece::Black], self.turn(position));
        text::svg_of_grid_with(grid::<V::Board>(), next, arrows, |row, col| {
            (piece(position, row, col), marked.has(at::<V::Board>(row, col)))
        })
    }
}

fn grid<B: Board>() -> Grid {
    Grid { rows: B::ROWS as usize, cols: B::COLS as usize, squares: Squares::Chequered, names: Names::Capitals }
}

fn piece<B: Board>(position: &Position<B>, row: usize, col: usize) -> Piece {
    Piece::of_letter(cell(position, at::<B>(row, col)), [('w', Piece::White), ('b', Piece::Black)])
}

impl<V: Variant> Draw for Phalanx<V> {
    fn board(&self, position: &Position<V::Board>) -> String {
        let (rows, cols) = (V::Board::ROWS as usize, V::Board::COLS as usize);
        text::named_board_of_grid(rows, cols, Names::Capitals, |row, col| cell(position, at::<V::Board>(row, col)))
    }

    /// The pieces that have crossed are pointed out.
    fn svg(&self, position: &Position<V::Board>) -> String {
        let [white, black] = position.pieces;
        self.picture(position, white & target(0) | black & target(1), &[])
    }

    /// An arrow from the tail of the phalanx to where its lead lands; the pieces that move are pointed out.
    fn svg_of_move(&self, position: &Position<V::Board>, mv: Move) -> Option<String> {
        if mv == PASS {
            return None;
        }
        let cell_of = |number: u32| {
            let (row, col) = (number / V::Board::STRIDE, number % V::Board::STRIDE);
            ((V::Board::ROWS - 1 - row) as usize, col as usize)
        };
        let moved = mv.pieces::<V::Board>().fold(V::Board::NONE, |set, number| set | V::Board::square(number));
        let arrow = Arrow { from: cell_of(mv.tail::<V::Board>()), to: cell_of(mv.landing::<V::Board>()) };
        Some(self.picture(position, moved, &[arrow]))
    }

    fn cells(&self, position: &Position<V::Board>) -> Vec<Cell> {
        grid::<V::Board>().cells(|row, col| piece(position, row, col))
    }

    /// The tail and where the lead lands: the lead is the last piece in a row from the tail, since it cannot move through its own.
    fn clicks(&self, _: &Position<V::Board>, mv: Move, _: &[Cell]) -> Vec<Vec<String>> {
        if mv == PASS {
            return Vec::new();
        }
        vec![[mv.tail::<V::Board>(), mv.landing::<V::Board>()].map(name::<V::Board>).to_vec()]
    }
}
