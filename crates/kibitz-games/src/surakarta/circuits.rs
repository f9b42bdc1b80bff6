//! The two circuits of Surakarta, and the walks along them.
//!
//! Points are `6 * row + column`, counted from a1. A circuit is four lines joined by four loops around the corners: the
//! inner one the second lines from each edge, the outer one the third. A piece goes around one in both directions.

/// The number of points on a side of the board.
pub(super) const SIDE: usize = 6;
/// The number of points.
pub(super) const POINTS: usize = SIDE * SIDE;
/// The number of steps around a circuit.
const ROUND: usize = 4 * SIDE;

/// A way of a piece along a circuit: the points before the first loop, and after it those up to where it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// The points before the first loop, all of which must be empty.
    pub before: u64,
    /// The points after it, in their order.
    points: [u8; ROUND],
    length: u8,
}

impl Walk {
    const NONE: Self = Self { before: 0, points: [0; ROUND], length: 0 };

    /// The points after the first loop, in their order.
    #[inline(always)]
    pub fn beyond(&self) -> &[u8] {
        &self.points[..self.length as usize]
    }
}

/// The walks from a point: two along each line that is part of a circuit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walks {
    walks: [Walk; 4],
    count: u8,
}

impl Walks {
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = &Walk> {
        self.walks[..self.count as usize].iter()
    }
}

/// The walks from every point.
pub(super) static WALKS: [Walks; POINTS] = walks();

/// The points next to each point, in all eight directions.
pub(super) static NEAR: [u64; POINTS] = near();

/// The circuit of the lines so far from the edge, each line from one end to the other.
const fn circuit(line: usize) -> [u8; ROUND] {
    let mut out = [0; ROUND];
    let (far, mut i) = (SIDE - 1 - line, 0);
    while i < SIDE {
        // along the lower row to the right, up the right column, along the upper row to the left, down the left column
        out[i] = (line * SIDE + i) as u8;
        out[SIDE + i] = (i * SIDE + far) as u8;
        out[2 * SIDE + i] = (far * SIDE + SIDE - 1 - i) as u8;
        out[3 * SIDE + i] = ((SIDE - 1 - i) * SIDE + line) as u8;
        i += 1;
    }
    out
}

const fn walk(circuit: &[u8; ROUND], start: usize, back: bool) -> Walk {
    let mut walk = Walk::NONE;
    let (mut at, mut looped, mut steps) = (start, false, 1);
    while steps < ROUND {
        let next = if back { (at + ROUND - 1) % ROUND } else { (at + 1) % ROUND };
        looped |= next / SIDE != at / SIDE;
        at = next;
        if looped {
            walk.points[walk.length as usize] = circuit[at];
            walk.length += 1;
        } else {
            walk.before |= 1 << circuit[at];
        }
        steps += 1;
    }
    walk
}

const fn walks() -> [Walks; POINTS] {
    let mut out = [Walks { walks: [Walk::NONE; 4], count: 0 }; POINTS];
    let mut line = 1;
    while line < SIDE / 2 {
        let circuit = circuit(line);
        let mut start = 0;
        while start < ROUND {
            let walks = &mut out[circuit[start] as usize];
            let mut way = 0;
            while way < 2 {
                walks.walks[walks.count as usize] = walk(&circuit, start, way == 1);
                walks.count += 1;
                way += 1;
            }
            start += 1;
        }
        line += 1;
    }
    out
}

const fn near() -> [u64; POINTS] {
    let mut out = [0; POINTS];
    let mut pair = 0;
    while pair < POINTS * POINTS {
        let (one, other) = (pair / POINTS, pair % POINTS);
        let (rows, columns) = ((one / SIDE).abs_diff(other / SIDE), (one % SIDE).abs_diff(other % SIDE));
        if rows <= 1 && columns <= 1 && one != other {
            out[one] |= 1 << other;
        }
        pair += 1;
    }
    out
}
