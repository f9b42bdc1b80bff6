//! The board of Fanorona: points, the lines between them, and what lies ahead of a step and behind it.
//!
//! Points are `cols * row + column`, counted from a1. Directions are numbered so that the neighbours of a point come in
//! rising order: 0 is down to the left, 3 left, 4 right, 7 up to the right, and `7 - d` is opposite to `d`.

use kibitz_game::Bits;

/// The number of directions.
pub(super) const DIRECTIONS: usize = 8;

/// Rows and columns of a step in each direction.
const STEPS: [(i32, i32); DIRECTIONS] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// No step in this direction.
const NONE: u16 = u16::MAX;

/// A step along a line, from the point in whose list it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<B> {
    /// The point that it leads to.
    pub target: B,
    /// The points beyond the target on the same line, up to the edge.
    pub ahead: B,
    /// The first of them; empty at the edge.
    pub beyond: B,
    /// The points on the same line on the other side of where it begins, up to the edge.
    pub back: B,
    /// The number of the target.
    pub to: u8,
    /// The direction.
    pub direction: u8,
}

impl<B: Bits> Step<B> {
    /// What a capture by approach takes: the enemies that follow each other without a gap from beyond the target on.
    #[inline(always)]
    pub fn approached(&self, other: B) -> B {
        let stops = self.ahead & !other;
        self.ahead & if self.direction >= 4 { stops.below() } else { stops.above() }
    }

    /// What a capture by withdrawal takes.
    #[inline(always)]
    pub fn withdrawn(&self, other: B) -> B {
        let stops = self.back & !other;
        self.back & if self.direction >= 4 { stops.above() } else { stops.below() }
    }
}

/// The points and lines of a board.
#[derive(Clone, Debug)]
pub(super) struct Geometry<B> {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// All points.
    pub all: B,
    /// The points that have diagonal lines.
    pub strong: B,
    /// For the four upward directions: how far apart the ends of a step are, and the points where one begins.
    axes: [(u32, B); 4],
    /// The steps of all points, and where those of each point begin.
    steps: Vec<Step<B>>,
    first: Vec<u16>,
    /// The step of each point in each direction.
    of_direction: Vec<[u16; DIRECTIONS]>,
    around: Vec<Around<B>>,
}

/// What a capture by a piece on a point depends on. Its sets are in the same order as the directions.
#[derive(Clone, Copy, Debug)]
struct Around<B> {
    /// The points next to it.
    near: B,
    /// Those of them that are followed by another point on the line, and these points.
    followed: B,
    beyond: B,
    /// Those of them that have another one opposite; half a turn maps this set to itself.
    opposed: B,
    /// By how much the bits of eight directions have more places than those of this set.
    spare: u32,
}

impl<B: Bits> Geometry<B> {
    /// A board whose strong points are those where `row + column` is even, or those where it is odd.
    pub fn new(rows: usize, cols: usize, odd: bool) -> Self {
        let (height, width) = (rows as i32, cols as i32);
        let inside = |(row, col): (i32, i32)| (0..height).contains(&row) && (0..width).contains(&col);
        let strong = |(row, col): (i32, i32)| ((row + col) % 2 == 1) == odd;
        let point = |(row, col): (i32, i32)| (row * width + col) as u32;
        let ray = |(mut row, mut col): (i32, i32), (up, right): (i32, i32)| {
            let mut set = B::EMPTY;
            loop {
                (row, col) = (row + up, col + right);
                if !inside((row, col)) {
                    return set;
                }
                set |= B::square(point((row, col)));
            }
        };
        let places = || (0..height).flat_map(|row| (0..width).map(move |col| (row, col)));
        let set = |wanted: &dyn Fn((i32, i32)) -> bool| {
            places().filter(|&at| wanted(at)).fold(B::EMPTY, |set, at| set | B::square(point(at)))
        };
        let mut geometry = Self {
            rows,
            cols,
            all: set(&|_| true),
            strong: set(&strong),
            axes: [(0, B::EMPTY); 4],
            steps: Vec::new(),
            first: vec![0],
            of_direction: Vec::new(),
            around: Vec::new(),
        };
        for at in places() {
            let mut of_direction = [NONE; DIRECTIONS];
            let none = B::EMPTY;
            let mut around = Around { near: none, followed: none, beyond: none, opposed: none, spare: 0 };
            for (direction, &(up, right)) in STEPS.iter().enumerate() {
                let to = (at.0 + up, at.1 + right);
                if !inside(to) || up != 0 && right != 0 && !strong(at) {
                    continue;
                }
                of_direction[direction] = geometry.steps.len() as u16;
                let nearest = |(row, col)| if inside((row, col)) { B::square(point((row, col))) } else { B::EMPTY };
                let target = B::square(point(to));
                let (beyond, behind) = (nearest((to.0 + up, to.1 + right)), nearest((at.0 - up, at.1 - right)));
                around.near |= target;
                around.beyond |= beyond;
                around.opposed |= behind;
                if !beyond.is_empty() {
                    around.followed |= target;
                }
                geometry.steps.push(Step {
                    target,
                    ahead: ray(to, (up, right)),
                    beyond,
                    back: ray(at, (-up, -right)),
                    to: point(to) as u8,
                    direction: direction as u8,
                });
                if direction >= 4 {
                    let axis = &mut geometry.axes[direction - 4];
                    *axis = (point(to) - point(at), axis.1 | B::square(point(at)));
                }
            }
            geometry.first.push(geometry.steps.len() as u16);
            geometry.of_direction.push(of_direction);
            around.spare = 8 - around.opposed.count();
            geometry.around.push(around);
        }
        geometry
    }

    /// The steps from a point, in rising order of their targets.
    #[inline(always)]
    pub fn steps(&self, point: usize) -> &[Step<B>] {
        &self.steps[usize::from(self.first[point])..usize::from(self.first[point + 1])]
    }

    /// The step from a point in a direction.
    #[inline(always)]
    pub fn step(&self, point: usize, direction: usize) -> Option<&Step<B>> {
        self.steps.get(usize::from(self.of_direction[point][direction]))
    }

    /// The step from a point to one next to it.
    #[inline(always)]
    pub fn step_to(&self, point: usize, target: u32) -> &Step<B> {
        // the steps of a point are in the order of their targets
        let before = (self.around[point].near & B::square(target).below()).count();
        &self.steps[usize::from(self.first[point]) + before as usize]
    }

    /// The points next to a point.
    #[inline(always)]
    pub fn near(&self, point: usize) -> B {
        self.around[point].near
    }

    /// The points next to a piece that it captures by entering them, by approach and by withdrawal.
    #[inline(always)]
    pub fn captures(&self, point: usize, other: B) -> [B; 2] {
        let Around { followed, beyond, opposed, spare, .. } = self.around[point];
        let behind = u64::from((other.gather(opposed) as u8).reverse_bits()) >> spare;
        [B::scatter(other.gather(beyond), followed), B::scatter(behind, opposed)]
    }

    /// The pieces that can make a step.
    #[inline(always)]
    pub fn movable(&self, own: B, empty: B) -> B {
        let mut next = B::EMPTY;
        for &(apart, links) in &self.axes {
            next |= (empty >> apart) & links | (empty & links) << apart;
        }
        own & next
    }

    /// Whether any piece can make a step.
    #[inline(always)]
    pub fn can_move(&self, own: B, empty: B) -> bool {
        self.axes
            .iter()
            .any(|&(apart, links)| !(own & ((empty >> apart) & links | (empty & links) << apart)).is_empty())
    }

    /// The number of steps that the pieces can make.
    #[inline(always)]
    pub fn count_steps(&self, own: B, empty: B) -> u32 {
        let count = |&(apart, links): &(u32, B)| {
            (own & (empty >> apart) & links).count() + (own & (empty & links) << apart).count()
        };
        self.axes.iter().map(count).sum()
    }

    /// The pieces that can capture with their first step.
    #[inline(always)]
    pub fn capturers(&self, own: B, other: B, empty: B) -> B {
        let mut found = B::EMPTY;
        for &(apart, links) in &self.axes {
            let (enemy_above, enemy_below) = ((other >> apart) & links, (other & links) << apart);
            let (empty_above, empty_below) = ((empty >> apart) & links, (empty & links) << apart);
            let onward_up = ((empty & enemy_above) >> apart) & links;
            let onward_down = (empty & enemy_below & links) << apart;
            found |= empty_above & (enemy_below | onward_up) | empty_below & (enemy_above | onward_down);
        }
        own & found
    }
}
