//! Pictures of Fanorona.

use kibitz_game::{Bits, Draw, text};

use super::{Fanorona, Position};

impl<B: Bits> Draw for Fanorona<B> {
    fn board(&self, position: &Position<B>) -> String {
        text::board_of_grid(self.geometry.rows, self.geometry.cols, |row, col| Self::cell(position, self.at(row, col)))
    }
}
