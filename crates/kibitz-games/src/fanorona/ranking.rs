//! Positions of Fanorona as numbers.
//!
//! A slice `a-b` has the positions in which the side to move has `a` pieces and the other side `b`. The pieces of one side, the *anchor*, are
//! known by their class under the symmetries of the board, those of the other side by their places among the free points after the symmetry
//! that takes the anchor to the first set of its class. Where several symmetries do so, the least rank counts and the others are holes; since few anchors
//! are symmetric themselves, there are few of them.
//!
//! A board on its side has the same lines. One that is higher than wide is *laid down* before anything is counted, so that a database of 5 by 9 is one of 9 by 5 as well.

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use kibitz_game::{Bits, Slice};

use super::geometry::Geometry;

/// Boards with more points have no ranks.
pub(super) const POINTS: usize = 63;
/// The anchor is the larger side unless it has more sets than this: its table should stay in the cache.
const COMFORTABLE: u64 = 1 << 18;
/// Sides with more sets are no anchors.
const FEASIBLE: u64 = 1 << 24;

/// Binomial coefficients, `CHOOSE[k][n]`.
pub(super) static CHOOSE: [[u64; POINTS + 1]; POINTS + 1] = {
    let mut choose = [[0; POINTS + 1]; POINTS + 1];
    let mut n = 0;
    while n <= POINTS {
        choose[0][n] = 1;
        let mut k = 1;
        while k <= n {
            choose[k][n] = choose[k - 1][n - 1] + choose[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The number of a set among those with as many points, in colexicographic order.
#[inline(always)]
pub(super) fn colex(mut set: u64) -> u64 {
    let (mut rank, mut k) = (0, 1);
    while set != 0 {
        rank += CHOOSE[k & POINTS][set.trailing_zeros() as usize & POINTS];
        set &= set - 1;
        k += 1;
    }
    rank
}

/// The set of `k` points with a number in colexicographic order.
pub(super) fn uncolex(mut rank: u64, k: usize) -> u64 {
    let mut set = 0;
    for k in (1..=k).rev() {
        let point = (0..=POINTS).rev().find(|&point| CHOOSE[k][point] <= rank).unwrap_or(0);
        set |= 1 << point;
        rank -= CHOOSE[k][point];
    }
    set
}

/// Where the points of a set go.
#[inline(always)]
fn mapped(mut set: u64, to: &Map) -> u64 {
    let mut mapped = 0;
    while set != 0 {
        mapped |= 1 << to[set.trailing_zeros() as usize & POINTS];
        set &= set - 1;
    }
    mapped
}

/// The points of a set counted among the free ones, where `taken` are not.
#[inline(always)]
fn relative(taken: u64, mut set: u64) -> u64 {
    let (mut rank, mut k) = (0, 1);
    while set != 0 {
        let point = set.trailing_zeros();
        let below = (taken & ((1 << point) - 1)).count_ones();
        rank += CHOOSE[k & POINTS][(point - below) as usize & POINTS];
        set &= set - 1;
        k += 1;
    }
    rank
}

/// A class of anchors.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// The first set, on the board that was laid down.
    set: u64,
    /// The symmetries that do not change it, one bit each; the identity is the lowest.
    fixing: u8,
}

/// All sets of so many points.
#[derive(Debug)]
struct Anchors {
    /// For each set on the board as it stands, its class times 8 and a symmetry that takes it to the first one.
    entries: Vec<u32>,
    classes: Vec<Class>,
}

/// A slice.
#[derive(Clone, Copy, Debug, Default)]
struct Split {
    /// Ways to place the side that is not the anchor; 0 if the slice has no ranks.
    width: u64,
    /// The pieces of the anchor.
    anchor: u8,
    /// The pieces of the other side.
    rest: u8,
    /// Whether the anchor is the side to move.
    own: bool,
}

/// Where points go.
type Map = [u8; POINTS + 1];

/// The tables of a board, made when they are first needed.
#[derive(Debug)]
pub(super) struct Ranking {
    pub points: usize,
    /// Where each symmetry of the board that was laid down takes each of its points; the identity is the first.
    symmetries: Vec<Map>,
    /// Where laying the board down and a symmetry after it take each point.
    laid: Vec<Map>,
    /// Where each point of the board that was laid down comes from, if it was.
    raised: Option<Map>,
    splits: Vec<Split>,
    anchors: Vec<OnceLock<Anchors>>,
}

impl Ranking {
    pub fn new<B: Bits>(geometry: &Geometry<B>) -> Self {
        let points = geometry.rows * geometry.cols;
        let mut ranking = Self {
            points,
            symmetries: Vec::new(),
            laid: Vec::new(),
            raised: None,
            splits: vec![Split::default(); (POINTS + 1) * (POINTS + 1)],
            anchors: (0..=POINTS).map(|_| OnceLock::new()).collect(),
        };
        if points > POINTS {
            return ranking;
        }
        let (rows, cols) = (geometry.rows.min(geometry.cols), geometry.rows.max(geometry.cols));
        for turned in [false, true] {
            for (flip_rows, flip_cols) in [(false, false), (false, true), (true, false), (true, true)] {
                if turned && rows != cols {
                    continue;
                }
                let mut to = [0; POINTS + 1];
                for (point, target) in to.iter_mut().enumerate().take(points) {
                    let (mut row, mut col) = (point / cols, point % cols);
                    if turned {
                        (row, col) = (col, row);
                    }
                    row = if flip_rows { rows - 1 - row } else { row };
                    col = if flip_cols { cols - 1 - col } else { col };
                    *target = (row * cols + col) as u8;
                }
                ranking.symmetries.push(to);
            }
        }
        ranking.laid.clone_from(&ranking.symmetries);
        if geometry.rows > geometry.cols {
            let (mut down, mut up) = ([0; POINTS + 1], [0; POINTS + 1]);
            for (point, down) in down.iter_mut().enumerate().take(points) {
                let laid = point % rows * cols + point / rows;
                (*down, up[laid]) = (laid as u8, point as u8);
            }
            ranking.laid = ranking.symmetries.iter().map(|to| down.map(|laid| to[usize::from(laid)])).collect();
            ranking.raised = Some(up);
        }
        for own in 1..points {
            for other in 1..points - own {
                ranking.splits[own << 6 | other] = Split::new(points, own, other);
            }
        }
        ranking
    }

    /// A set on the board as it stands.
    #[inline(always)]
    fn raised(&self, set: u64) -> u64 {
        self.raised.as_ref().map_or(set, |to| mapped(set, to))
    }

    /// Whether a symmetry of the board changes nothing about a set.
    pub fn is_fixed(&self, set: u64, symmetry: usize) -> bool {
        mapped(set, &self.laid[symmetry]) == mapped(set, &self.laid[0])
    }

    /// How many symmetries the board has.
    pub fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    #[inline(always)]
    fn anchors(&self, pieces: u8) -> &Anchors {
        let cell = &self.anchors[usize::from(pieces)];
        cell.get().unwrap_or_else(|| cell.get_or_init(|| self.make_anchors(usize::from(pieces))))
    }

    #[cold]
    fn make_anchors(&self, pieces: usize) -> Anchors {
        const NONE: u32 = u32::MAX;
        let sets = CHOOSE[pieces][self.points];
        let mut anchors = Anchors { entries: vec![NONE; sets as usize], classes: Vec::new() };
        // a symmetry undoes itself but for the quarter turns, which undo each other
        let count = self.symmetries.len();
        let undone = |symmetry: usize| {
            (0..count)
                .find(|&back| {
                    (0..self.points).all(|point| {
                        usize::from(self.symmetries[back][usize::from(self.symmetries[symmetry][point])]) == point
                    })
                })
                .unwrap_or(0) as u32
        };
        let back: Vec<u32> = (0..count).map(undone).collect();
        let mut set: u64 = (1 << pieces) - 1;
        for _ in 0..sets {
            if anchors.entries[colex(self.raised(set)) as usize] == NONE {
                let class = anchors.classes.len() as u32;
                let mut fixing = 0;
                for (symmetry, back) in back.iter().enumerate() {
                    let image = mapped(set, &self.symmetries[symmetry]);
                    if image == set {
                        fixing |= 1 << symmetry;
                    }
                    let entry = &mut anchors.entries[colex(self.raised(image)) as usize];
                    if *entry == NONE {
                        *entry = class << 3 | back;
                    }
                }
                anchors.classes.push(Class { set, fixing });
            }
            // the next set in colexicographic order (R. W. Gosper)
            let lowest = set & set.wrapping_neg();
            let ripple = set.wrapping_add(lowest);
            set = ripple | (((set ^ ripple) >> 2).checked_div(lowest).unwrap_or(0));
        }
        anchors
    }

    /// The slice and the rank of a position with these pieces.
    #[inline(always)]
    pub fn place(&self, own: u64, other: u64) -> Option<(u32, u64)> {
        let slice = own.count_ones() << 6 | other.count_ones();
        let split = self.splits.get(slice as usize)?;
        if split.width == 0 {
            return None;
        }
        let (anchor, rest) = if split.own { (own, other) } else { (other, own) };
        let anchors = self.anchors(split.anchor);
        let entry = anchors.entries[colex(anchor) as usize];
        let class = &anchors.classes[(entry >> 3) as usize];
        let rest = mapped(rest, &self.laid[(entry & 7) as usize]);
        let mut rank = relative(class.set, rest);
        if class.fixing != 1 {
            rank = self.least(class, rest, rank);
        }
        Some((slice, u64::from(entry >> 3) * split.width + rank))
    }

    /// The least rank after the symmetries that do not change the anchor.
    fn least(&self, class: &Class, rest: u64, rank: u64) -> u64 {
        let fixing = (1..self.symmetries.len()).filter(|&symmetry| class.fixing >> symmetry & 1 != 0);
        fixing.fold(rank, |least, symmetry| least.min(relative(class.set, mapped(rest, &self.symmetries[symmetry]))))
    }

    /// How many positions are images of the one with these pieces.
    #[inline(always)]
    pub fn orbit(&self, own: u64, other: u64) -> u32 {
        let all = self.symmetries.len() as u32;
        let split = self.splits[(own.count_ones() << 6 | other.count_ones()) as usize & ((1 << 12) - 1)];
        if split.width != 0 {
            let anchors = self.anchors(split.anchor);
            let entry = anchors.entries[colex(if split.own { own } else { other }) as usize];
            if anchors.classes[(entry >> 3) as usize].fixing == 1 {
                return all;
            }
        }
        let fixing = |&symmetry: &usize| self.is_fixed(own, symmetry) && self.is_fixed(other, symmetry);
        all / (0..all as usize).filter(fixing).count() as u32
    }

    /// Visits the positions of some ranks of a slice, as the pieces of the side to move and of the other.
    #[inline(always)]
    pub fn scan(
        &self,
        slice: u32,
        ranks: Range<u64>,
        mut visit: impl FnMut(u64, u64, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(&split) = self.splits.get(slice as usize) else { return ControlFlow::Continue(()) };
        if split.width == 0 {
            return ControlFlow::Continue(());
        }
        let anchors = self.anchors(split.anchor);
        let mut rank = ranks.start;
        let end = ranks.end.min(anchors.classes.len() as u64 * split.width);
        while rank < end {
            let class = anchors.classes[(rank / split.width) as usize];
            let free = ((1 << self.points) - 1) & !class.set;
            // the lowest free points
            let mut lowest = [0; POINTS + 1];
            let mut left = free;
            for pieces in 0..usize::from(split.rest) {
                lowest[pieces + 1] = lowest[pieces] | (left & left.wrapping_neg());
                left &= left.wrapping_sub(1);
            }
            let anchor = self.raised(class.set);
            let mut rest = spread(uncolex(rank % split.width, usize::from(split.rest)), free);
            let last = end.min((rank / split.width + 1) * split.width);
            while rank < last {
                if class.fixing == 1 || self.is_least(&class, rest) {
                    let rest = self.raised(rest);
                    let (own, other) = if split.own { (anchor, rest) } else { (rest, anchor) };
                    visit(rank, own, other)?;
                }
                rank += 1;
                // the next set in colexicographic order: a carry runs over what is taken, and what it clears begins again at the lowest
                let ripple = (rest | !free).wrapping_add(rest & rest.wrapping_neg()) & free;
                rest = ripple | lowest[(u32::from(split.rest).wrapping_sub(ripple.count_ones())) as usize & POINTS];
            }
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn is_least(&self, class: &Class, rest: u64) -> bool {
        let rank = relative(class.set, rest);
        self.least(class, rest, rank) == rank
    }

    /// Whether a slice has ranks.
    pub fn has(&self, slice: Slice) -> bool {
        self.splits.get(slice.0 as usize).is_some_and(|split| split.width > 0)
    }

    /// The ranks of a slice are less than this.
    pub fn size(&self, slice: Slice) -> u64 {
        match self.splits.get(slice.0 as usize) {
            Some(split) if split.width > 0 => self.anchors(split.anchor).classes.len() as u64 * split.width,
            _ => 0,
        }
    }
}

impl Split {
    fn new(points: usize, own: usize, other: usize) -> Self {
        let sets = |pieces: usize| CHOOSE[pieces][points];
        let (large, small) = (own.max(other), own.min(other));
        let anchor = if sets(large) <= COMFORTABLE { large } else { small };
        let rest = own + other - anchor;
        let width = CHOOSE[rest][points - anchor];
        // ranks and places in tables should fit into 48 bits
        if sets(anchor) > FEASIBLE || sets(anchor).checked_mul(width).is_none_or(|size| size >> 48 != 0) {
            return Self::default();
        }
        Self { width, anchor: anchor as u8, rest: rest as u8, own: own == anchor }
    }
}

/// The points of a set, counted among those of `free`.
pub(super) fn spread(mut set: u64, free: u64) -> u64 {
    let mut out = 0;
    while set != 0 {
        out |= 1 << free.nth(set.trailing_zeros());
        set &= set - 1;
    }
    out
}
