//! The static value of positions of the phalanx games: the fourteen features of King's thesis (2014), each with a weight.
//!
//! The thesis leaves much of them open; the text of the rules says what is counted here. Where it says "phalanx", maximal
//! ones are meant: runs of two and more pieces that may move, and pieces without a neighbour of their side.

use kibitz_game::{Parameter, Params, Score};

use super::board::{Board, DIRECTIONS, opposite};
use super::moves::Field;
use super::{Phalanx, Variant, WHITE, target};

/// How many features there are.
pub const FEATURES: usize = 14;

/// The features: the names of their weights and what they count, in the order of the thesis.
const NAMES: [(&str, &str); FEATURES] = [
    (
        "mobility",
        "points for the squares that phalanxes can cover by the number of moves, and for the largest distance",
    ),
    ("material", "points for a piece"),
    ("crossing", "points for a piece on the opponent's home row"),
    ("centre", "points for one square that a piece is nearer to the centre"),
    ("defence", "points for a piece of the longest run on the row to be defended"),
    ("territory", "points for a square beside a piece that is empty or its own side's"),
    ("edge", "points for a piece on the outer columns"),
    ("phalanx", "points for a piece of the mean phalanx"),
    ("largest", "points for a piece of the largest phalanx"),
    ("distance", "points for a square of the mean distance that phalanxes can cover"),
    ("longest", "points for a square of the largest distance over empty squares"),
    ("capture", "points for a piece of the largest phalanx that can be attacked"),
    ("captures", "points for a piece that can be captured"),
    ("haul", "points for a piece of the mean capture"),
];

/// The parameters of the weights.
pub fn parameters(weights: [i64; FEATURES]) -> impl Iterator<Item = Parameter> {
    NAMES.into_iter().zip(weights).map(|((name, doc), weight)| Parameter::integer(name, weight, (-1000, 1000), doc))
}

/// Distances from the centre are counted in these parts of a square.
const PARTS: u32 = 1024;
/// The binary digits of the largest distance.
const DIGITS: usize = 14;

/// The weights of the features, and the squares by their distance from the centre.
#[derive(Clone, Debug)]
pub struct Evaluation<B> {
    weights: [Score; FEATURES],
    /// The squares whose distance from the centre has this binary digit.
    distance: [B; DIGITS],
    /// The outer columns.
    edge: B,
    /// Whether any feature asks for this: phalanxes, moves and captures.
    phalanxes: bool,
    moves: bool,
}

/// What a side has, as it is counted.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    moves: u32,
    /// The greatest distances of all phalanxes, added up, and the greatest of all.
    covered: u32,
    farthest: u32,
    pieces: u32,
    crossed: u32,
    /// In [`PARTS`] of a square.
    off_centre: u32,
    defence: u32,
    territory: u32,
    edge: u32,
    phalanxes: u32,
    /// The pieces of all phalanxes; a piece may belong to several.
    members: u32,
    largest: u32,
    /// The greatest distance over empty squares alone.
    longest: u32,
    /// The largest phalanx that can be attacked with success.
    attacked: u32,
    capturable: u32,
    captures: u32,
    /// The pieces that all captures take, added up.
    haul: u32,
}

impl Tally {
    /// The features as fractions, in the order of the thesis.
    #[inline(always)]
    fn fractions(&self) -> [(i64, u32); FEATURES] {
        let whole = |count: u32| (i64::from(count), 1);
        let moves = self.moves.max(1);
        let phalanxes = self.phalanxes.max(1);
        [
            (i64::from(self.covered + self.farthest * moves), moves),
            whole(self.pieces),
            whole(self.crossed),
            (-i64::from(self.off_centre), PARTS),
            whole(self.defence),
            whole(self.territory),
            whole(self.edge),
            (i64::from(self.members), phalanxes),
            whole(self.largest),
            (i64::from(self.covered), phalanxes),
            whole(self.longest),
            whole(self.attacked),
            whole(self.capturable),
            (i64::from(self.haul), self.captures.max(1)),
        ]
    }
}

impl<B: Board> Evaluation<B> {
    pub fn new(params: &Params) -> Self {
        let weights = NAMES.map(|(name, _)| params.integer(name) as Score);
        let mut distance = [B::NONE; DIGITS];
        let mut edge = B::NONE;
        for row in 0..B::ROWS {
            for col in 0..B::COLS {
                let square = B::square(row * B::STRIDE + col);
                let [up, right] =
                    [(row, B::ROWS), (col, B::COLS)].map(|(at, of)| (2.0 * f64::from(at) + 1.0 - f64::from(of)) / 2.0);
                let parts = (up.hypot(right) * f64::from(PARTS)).round() as u32;
                for (_, set) in distance.iter_mut().enumerate().filter(|(digit, _)| parts >> digit & 1 == 1) {
                    *set |= square;
                }
                if col == 0 || col == B::COLS - 1 {
                    edge |= square;
                }
            }
        }
        let asks = |features: &[usize]| features.iter().any(|&feature| weights[feature] != 0);
        Self { weights, distance, edge, phalanxes: asks(&[7, 8, 9]), moves: asks(&[0, 9, 10, 11, 12, 13]) }
    }

    /// The value for White.
    #[inline]
    pub fn value<V: Variant<Board = B>>(&self, pieces: &[B; 2]) -> Score {
        self.points::<V>(pieces, WHITE) - self.points::<V>(pieces, 1 - WHITE)
    }

    #[inline]
    fn points<V: Variant<Board = B>>(&self, pieces: &[B; 2], player: u8) -> Score {
        let tally = self.tally::<V>(pieces, player);
        let weighted = |((count, parts), &weight): ((i64, u32), &Score)| {
            if weight == 0 { 0 } else { (count * i64::from(weight) / i64::from(parts)) as Score }
        };
        tally.fractions().into_iter().zip(&self.weights).map(weighted).sum()
    }

    /// Counts what the features with a weight ask for.
    #[inline]
    fn tally<V: Variant<Board = B>>(&self, pieces: &[B; 2], player: u8) -> Tally {
        let own = pieces[usize::from(player & 1)];
        let weighs = |feature: usize| self.weights[feature] != 0;
        let mut tally = Tally { pieces: own.size(), crossed: (own & target(player)).size(), ..Tally::default() };
        if weighs(3) {
            for (digit, &squares) in self.distance.iter().enumerate() {
                tally.off_centre += (own & squares).size() << digit;
            }
        }
        if weighs(4) {
            let row = if player == WHITE { B::ROWS - 1 - V::DEFENCE } else { V::DEFENCE };
            let mut run = own.row(row);
            while run != 0 {
                tally.defence += 1;
                run &= run << 1;
            }
        }
        if weighs(5) {
            let open = B::ALL & !pieces[usize::from(1 - player)];
            tally.territory = (0..DIRECTIONS).map(|direction| (own.step(direction) & open).size()).sum();
        }
        if weighs(6) {
            tally.edge = (own & self.edge).size();
        }
        let field = Phalanx::<V>::field(pieces, player);
        if self.phalanxes {
            count_phalanxes(field.own, &mut tally);
        }
        if self.moves {
            let mut taken = B::NONE;
            // written out, so that the directions are constants
            along::<V>(&field, 0, &mut tally, &mut taken);
            along::<V>(&field, 1, &mut tally, &mut taken);
            along::<V>(&field, 2, &mut tally, &mut taken);
            along::<V>(&field, 3, &mut tally, &mut taken);
            let lone = lone(field.own);
            let around = (0..DIRECTIONS).fold(B::NONE, |all, direction| all | field.empty.step(direction));
            tally.covered += (lone & around).size();
            if tally.moves > 0 {
                tally.farthest = tally.farthest.max(1);
            }
            tally.capturable = taken.size();
        }
        tally
    }
}

/// The pieces without a neighbour of their side.
#[inline(always)]
fn lone<B: Board>(own: B) -> B {
    own & !(0..DIRECTIONS).fold(B::NONE, |all, direction| all | own.step(direction))
}

#[inline(always)]
fn count_phalanxes<B: Board>(own: B, tally: &mut Tally) {
    let lone = lone(own).size();
    (tally.phalanxes, tally.members) = (lone, lone);
    tally.largest = u32::from(!own.is_none());
    for direction in 0..DIRECTIONS / 2 {
        let (ahead, behind) = (own.step(opposite(direction)), own.step(direction));
        tally.members += (own & (ahead | behind)).size();
        tally.phalanxes += (own & behind & !ahead).size();
        let (mut run, mut length) = (own & behind, 1);
        while !run.is_none() {
            length += 1;
            run = own & run.step(direction);
        }
        tally.largest = tally.largest.max(length);
    }
}

/// The largest distance that a phalanx can cover.
const FAR: usize = 14;

/// For each distance, the front pieces of the phalanxes that can cover it as a whole.
struct Covered<B>([B; FAR + 1]);

/// What the phalanxes on the lines of one kind can do, in both directions.
#[inline(always)]
fn along<V: Variant>(field: &Field<V::Board>, direction: usize, tally: &mut Tally, taken: &mut V::Board) {
    let mut there = Covered([V::Board::NONE; FAR + 1]);
    let mut back = Covered([V::Board::NONE; FAR + 1]);
    towards::<V>(field, direction, tally, taken, &mut there);
    towards::<V>(field, opposite(direction), tally, taken, &mut back);
    let ends = field.own & !field.own.step(opposite(direction));
    for distance in 1..=FAR {
        let (mut found, mut way) = (there.0[distance], back.0[distance]);
        if (found | way).is_none() {
            break;
        }
        tally.farthest = tally.farthest.max(distance as u32);
        // a phalanx that can go both ways counts once: from its one end to the other
        while !way.is_none() {
            way = way.step(direction) & field.own;
            found |= way & ends;
        }
        tally.covered += found.size();
    }
}

#[inline(always)]
fn towards<V: Variant>(
    field: &Field<V::Board>,
    direction: usize,
    tally: &mut Tally,
    taken: &mut V::Board,
    covered: &mut Covered<V::Board>,
) {
    let back = |set: V::Board| set.step(opposite(direction));
    let mut leads = field.own & back(field.empty | field.other);
    // the squares before which so many are empty
    let mut free = [V::Board::NONE; FAR + 1];
    free[1] = back(field.empty);
    let singles = leads & free[1];
    tally.moves += singles.size();
    tally.longest = tally.longest.max(u32::from(!singles.is_none()));
    let (mut behind, mut strong, mut size) = (field.own.step(direction), field.other, 1);
    leads &= behind;
    while !leads.is_none() && size < FAR {
        size += 1;
        behind = behind.step(direction);
        let longer = leads & behind;
        let whole = leads & !longer;
        strong = field.other & back(strong);
        free[size] = back(field.empty & free[size - 1]);
        if !(leads & free[size]).is_none() {
            tally.longest = tally.longest.max(size as u32);
        }
        let mut reach = back(field.empty | field.capturable & !strong);
        for (distance, &free) in free.iter().enumerate().take(size + 1).skip(1) {
            if distance > 1 {
                reach = back(field.empty & reach);
            }
            let moving = leads & reach;
            if moving.is_none() {
                break;
            }
            tally.moves += moving.size();
            let moving = moving & whole;
            covered.0[distance] |= moving;
            let capturing = moving & !free;
            capturing.each(|lead| capture::<V>(field, (lead, direction, size as u32, distance as u32), tally, taken));
        }
        leads = longer;
    }
}

/// Counts the captures by a phalanx and its parts at one end.
#[inline]
fn capture<V: Variant>(
    field: &Field<V::Board>,
    (lead, direction, size, distance): (u32, usize, u32, u32),
    tally: &mut Tally,
    taken: &mut V::Board,
) {
    let landing = V::Board::away(lead, direction, distance);
    let defenders = field.other.run(landing, direction);
    let prey = if V::TAKES_ALL { defenders } else { 1 };
    for steps in 0..prey {
        *taken |= V::Board::square(V::Board::away(landing, direction, steps));
    }
    let captures = size - defenders.max(distance - 1);
    tally.attacked = tally.attacked.max(defenders);
    tally.captures += captures;
    tally.haul += captures * prey;
}

#[cfg(test)]
mod tests;
