//! The star of Chinese Checkers, and how each player sees it.
//!
//! Cells have cube coordinates (x, y, z) with x + y + z = 0, and are numbered from 0 row by row from the top, rows by falling
//! x and within a row by rising y. A player looks at the star from the own corner, which is then at the top: all players have
//! the same moves in their own views, so one small table of neighbours serves everybody.

/// A cell by its cube coordinates.
pub(super) type Cube = (i32, i32, i32);

/// The six neighbours.
pub(super) const DIRECTIONS: [Cube; 6] = [(1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1)];

/// The cells of the largest board, and of the most players.
pub(super) const MOST_CELLS: usize = 121;
pub(super) const MOST_PLAYERS: usize = 6;

/// Bits between the rows of a rhombus in a word: seven cells and one that is no cell, so that no step leads around an edge.
pub(super) const STRIDE: u32 = 8;

/// The corners, clockwise from the top, in which the players begin; the goal is the corner opposite.
pub(super) fn corners(players: usize) -> &'static [usize] {
    match players {
        2 => &[0, 3],
        3 => &[0, 2, 4],
        4 => &[0, 1, 3, 4],
        _ => &[0, 1, 2, 3, 4, 5],
    }
}

/// A star with triangles of `side` rows around a hexagon.
#[derive(Clone, Debug)]
pub(super) struct Star {
    pub side: i32,
    pub cells: Vec<Cube>,
}

impl Star {
    pub fn new(side: i32) -> Self {
        let within = |x: i32, y: i32| {
            let z = -x - y;
            x.min(y).min(z) >= -side || x.max(y).max(z) <= side
        };
        let far = 2 * side;
        let rows = (-far..=far).rev().flat_map(|x| (-far..=far).map(move |y| (x, y)));
        Self { side, cells: rows.filter(|&(x, y)| within(x, y)).map(|(x, y)| (x, y, -x - y)).collect() }
    }

    /// The number of a cell.
    pub fn number(&self, cube: Cube) -> Option<usize> {
        self.cells.iter().position(|&cell| cell == cube)
    }

    /// The number of the cell some steps away in a direction.
    pub fn away(&self, cell: usize, direction: Cube, steps: i32) -> Option<usize> {
        let (x, y, z) = self.cells[cell];
        let (dx, dy, dz) = direction;
        self.number((x + steps * dx, y + steps * dy, z + steps * dz))
    }

    /// The row of a cell, from the top.
    pub fn row(&self, cell: usize) -> usize {
        (2 * self.side - self.cells[cell].0) as usize
    }

    /// The lengths of the rows.
    pub fn row_lengths(&self) -> Vec<usize> {
        let mut lengths = vec![0; 4 * self.side as usize + 1];
        (0..self.cells.len()).for_each(|cell| lengths[self.row(cell)] += 1);
        lengths
    }

    /// Whether a cell lies in a corner.
    pub fn in_corner(&self, cell: usize, corner: usize) -> bool {
        let ((x, y, z), side) = (self.cells[cell], self.side);
        match corner {
            0 => x > side,
            1 => z < -side,
            2 => y > side,
            3 => x < -side,
            4 => z > side,
            _ => y < -side,
        }
    }

    /// The cell as the player sees it whose pieces begin in a corner.
    pub fn seen_from(&self, cell: usize, corner: usize) -> usize {
        let turned = (0..corner).fold(self.cells[cell], |(x, y, z), _| (-z, -x, -y));
        self.number(turned).expect("a star turned by a sixth is the same star")
    }
}

/// What the moves of a player depend on, in that player's view, and how views and the board belong together.
#[derive(Clone, Debug)]
pub(super) struct Views {
    /// The number of cells of the board.
    pub cells: usize,
    /// Whether a view is the rhombus of a small board, 8u + v, which fits into one word. Otherwise it is the whole star.
    pub narrow: bool,
    /// Where a player may land, and where the goal is.
    pub area: u128,
    pub goal: u128,
    /// The rows of the pieces that fill the goal, added up.
    pub goal_rows: u32,
    /// The place of a cell in a player's view, as a set; empty if it is outside.
    pub seen: [[u128; MOST_CELLS]; MOST_PLAYERS],
    /// The cell of the board at a place of a player's view.
    pub board: [[u8; 128]; MOST_PLAYERS],
    /// The row of a cell in a player's view, from the own corner at the top.
    pub rows: [[u8; MOST_CELLS]; MOST_PLAYERS],
    /// Whose goal a cell is in; [`MOST_PLAYERS`] if nobody's.
    pub aimed_at: [u8; MOST_CELLS],
    /// The neighbours of a place in a view of the whole star; those that can be jumped over, and where the jumps lead, in the
    /// same order: places are numbered by rows, and so are the six directions, one step or two steps away.
    pub near: [u128; MOST_CELLS],
    pub over: [u128; MOST_CELLS],
    pub land: [u128; MOST_CELLS],
}

impl Views {
    /// The views of `players` on a star, where everybody keeps to the own rhombus (hexagon, own corner and goal) or may land
    /// anywhere.
    pub fn new(star: &Star, players: usize, everywhere: bool) -> Self {
        let (cells, side) = (star.cells.len(), star.side);
        let narrow = side == 3 && !everywhere;
        // u and v of the rhombus
        let rhombus = |cell: usize| (star.cells[cell].1 + side, star.cells[cell].2 + side);
        let inside = |cell: usize| {
            let ((u, v), edge) = (rhombus(cell), 0..=2 * side);
            edge.contains(&u) && edge.contains(&v)
        };
        let place = |cell: usize| {
            let (u, v) = rhombus(cell);
            if narrow { inside(cell).then(|| u as u32 * STRIDE + v as u32) } else { Some(cell as u32) }
        };
        let set = |wanted: &dyn Fn(usize) -> bool| {
            let places = (0..cells).filter(|&cell| wanted(cell)).filter_map(place);
            places.fold(0, |set, place| set | 1u128 << place)
        };
        let mut views = Self {
            cells,
            narrow,
            area: set(&|cell| everywhere || inside(cell)),
            goal: set(&|cell| star.in_corner(cell, 3)),
            goal_rows: (0..cells).filter(|&cell| star.in_corner(cell, 3)).map(|cell| star.row(cell) as u32).sum(),
            seen: [[0; MOST_CELLS]; MOST_PLAYERS],
            board: [[0; 128]; MOST_PLAYERS],
            rows: [[0; MOST_CELLS]; MOST_PLAYERS],
            aimed_at: [MOST_PLAYERS as u8; MOST_CELLS],
            near: [0; MOST_CELLS],
            over: [0; MOST_CELLS],
            land: [0; MOST_CELLS],
        };
        for (player, &corner) in corners(players).iter().enumerate() {
            for cell in 0..cells {
                let seen = star.seen_from(cell, corner);
                views.rows[player][cell] = star.row(seen) as u8;
                if star.in_corner(seen, 3) {
                    views.aimed_at[cell] = player as u8;
                }
                if let Some(place) = place(seen) {
                    views.seen[player][cell] = 1 << place;
                    views.board[player][place as usize] = cell as u8;
                }
            }
        }
        for cell in 0..cells {
            for direction in DIRECTIONS {
                let Some(next) = star.away(cell, direction, 1) else { continue };
                views.near[cell] |= 1 << next;
                if let Some(behind) = star.away(cell, direction, 2) {
                    views.over[cell] |= 1 << next;
                    views.land[cell] |= 1 << behind;
                }
            }
        }
        views
    }
}
