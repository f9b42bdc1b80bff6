//! Positions and moves of Fanorona as text.

use kibitz_game::{BadText, Bits, Game, Turn, text};

use super::{Fanorona, Move, Position};

impl<B: Bits> Fanorona<B> {
    pub(super) fn write_position(&self, position: &Position<B>) -> String {
        let (rows, cols) = (self.geometry.rows, self.geometry.cols);
        let grid = text::write_grid(rows, cols, |row, col| Self::cell(position, self.at(row, col)));
        format!("{grid} {}", if position.is_black() { 'b' } else { 'w' })
    }

    pub(super) fn read_position(&self, text: &str) -> Result<Position<B>, BadText> {
        let mut parts = text.split_whitespace();
        let (Some(grid), Some(side), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(BadText::new("write the rows from the top and the side to move, w or b"));
        };
        let black = match side {
            "w" => false,
            "b" => true,
            other => return Err(BadText::new(format!("the side to move is w or b, not {other:?}"))),
        };
        let (rows, cols) = (self.geometry.rows, self.geometry.cols);
        let cells = text::parse_grid(grid, rows, cols, "wb.")?;
        let mut pieces = [B::EMPTY; 2];
        for (i, &cell) in cells.iter().enumerate() {
            let point = B::square(self.at(i / cols, i % cols));
            match cell {
                'w' => pieces[0] |= point,
                'b' => pieces[1] |= point,
                _ => {}
            }
        }
        let (own, other) = if black { (pieces[1], pieces[0]) } else { (pieces[0], pieces[1]) };
        if other.is_empty() {
            return Err(BadText::new("the side that is not to move has no piece, so that the game was over before"));
        }
        Ok(Position::new(own, other, black))
    }

    /// The name of a point.
    pub(super) fn name(&self, point: usize) -> String {
        text::square_name(point / self.geometry.cols, point % self.geometry.cols)
    }

    pub(super) fn write_chain(&self, position: &Position<B>, mv: Move) -> String {
        let mut out = self.name(mv.start());
        let mut left = position.other;
        self.field(position).replay(mv, |captured| {
            out.push('-');
            out.push_str(&self.name(usize::from(captured.step.to)));
            if captured.left != left {
                out.push(if captured.withdrawal { 'W' } else { 'A' });
                left = captured.left;
            }
        });
        out
    }

    pub(super) fn read_chain(&self, position: &Position<B>, text: &str) -> Result<Move, BadText> {
        if self.turn(position) == Turn::Over {
            return Err(BadText::new("the game is over"));
        }
        let text = text.trim();
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        if let Some(&mv) = moves.iter().find(|&&mv| self.write_chain(position, mv) == text) {
            return Ok(mv);
        }
        let why = self.why_not(position, text).unwrap_or_else(|bad| bad.0);
        Err(BadText::new(format!("{text:?} is not a legal move here: {why}")))
    }

    /// What is wrong with a move that is not legal.
    fn why_not(&self, position: &Position<B>, text: &str) -> Result<String, BadText> {
        let (rows, cols) = (self.geometry.rows, self.geometry.cols);
        let point = |name: &str| text::parse_square(name, rows, cols).map(|(row, col)| row * cols + col);
        let mut parts = text.split('-');
        let start = point(parts.next().unwrap_or(""))?;
        let field = self.field(position);
        if !field.own.has(start as u32) {
            return Ok(format!("no piece of the side to move stands on {}", self.name(start)));
        }
        let compulsory = !field.capturers().is_empty();
        let (mut at, mut other, mut last) = (start, field.other, None);
        let mut visited = vec![start];
        let mut steps = 0;
        for part in parts {
            steps += 1;
            let (name, kind) = match part.strip_suffix(['A', 'W']) {
                Some(name) => (name, Some(part.ends_with('W'))),
                None => (part, None),
            };
            let to = point(name)?;
            let (from_name, to_name) = (self.name(at), self.name(to));
            let Some(step) = self.geometry.steps(at).iter().find(|step| usize::from(step.to) == to) else {
                return Ok(format!("no line joins {from_name} and {to_name}"));
            };
            let occupied = other.has(to as u32) || to != start && field.own.has(to as u32);
            if visited.contains(&to) && !(self.returns && to == start && steps > 1) {
                return Ok(format!("the piece has been on {to_name} in this move"));
            } else if occupied {
                return Ok(format!("{to_name} is not empty"));
            } else if last == Some(step.direction) {
                return Ok(format!("the step to {to_name} goes in the direction of the step before"));
            }
            let Some(withdrawal) = kind else {
                return Ok(match (compulsory, steps) {
                    (true, 1) => "a player who can capture must capture; a step that captures ends in A or W",
                    (true, _) => "every step of a chain captures, and ends in A or W",
                    (false, _) => "a step without a capture ends the move",
                }
                .to_owned());
            };
            let taken = if withdrawal { step.withdrawn(other) } else { step.approached(other) };
            if taken.is_empty() {
                let way = if withdrawal { "withdrawal" } else { "approach" };
                return Ok(format!("the step from {from_name} to {to_name} captures nothing by {way}"));
            }
            visited.push(to);
            (at, other, last) = (to, other & !taken, Some(step.direction));
        }
        Ok("write moves as b2-c2A-c3A, with A for approach and W for withdrawal, or b2-b1".to_owned())
    }
}
