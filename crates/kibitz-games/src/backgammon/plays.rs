//! The plays of a roll: each result once, without a list of what has been seen.
//!
//! A play is up to four steps of one checker each. Doublets are played with the sources going down. Every legal play can
//! be put into that order: what supplies a step with a checker, or brings the last checkers home before one is
//! borne off, starts from a higher point. How often each point is a source follows from the result, from the bar
//! downwards, so different plays in this order have different results.
//!
//! With two different dice the plays that begin with the higher die come first. Of those that begin with the lower die only
//! the ones are new whose other step was not possible at the beginning. What is left of repetition comes from
//! one checker that runs with both dice and from two checkers borne off; these few results are compared.

use super::board::{BAR, OUTSIDE, Side, seen_from_the_other_side};

/// Up to four steps, a byte each: the source in the lower five bits, the die above. 0 is no step.
pub type Play = u32;

/// The bits of [`Walk::board`] above the places say which points have been hit.
const HITS: u32 = 104;
const PLACES: u128 = (1 << HITS) - 1;

/// What a roll meets.
struct Field {
    /// The points that the other side holds, in the numbering of the side that moves.
    blocked: u32,
    /// The points with a single checker of the other side.
    blots: u32,
}

/// The state on the way through a play.
#[derive(Clone, Copy)]
struct Walk {
    /// The checkers of the side that moves, and above them a bit for each point where a blot was hit.
    board: u128,
    occupied: u32,
}

impl Field {
    #[inline(always)]
    fn new(other: Side) -> Self {
        let (held, occupied) = (other.held(), other.occupied());
        Self { blocked: seen_from_the_other_side(held), blots: seen_from_the_other_side(occupied & !held) }
    }

    /// The bits of the places from which a checker can move by a die.
    #[inline(always)]
    fn sources(&self, occupied: u32, die: u32) -> u32 {
        let open = !(self.blocked << die) & (!0 << (die + 1));
        if occupied >> BAR != 0 {
            return occupied & open & 1 << BAR;
        }
        let mut sources = occupied & open;
        if occupied & OUTSIDE == 0 && occupied != 0 {
            if occupied >> die & 1 != 0 {
                sources |= 1 << die;
            } else if occupied >> die == 0 {
                sources |= 1 << occupied.ilog2();
            }
        }
        sources
    }

    #[inline(always)]
    fn step(&self, walk: Walk, from: u32, die: u32) -> Walk {
        let to = from.saturating_sub(die);
        let mut board = walk.board - (1 << (4 * from)) + (1 << (4 * to));
        let left = (board >> (4 * from)) as u32 & 15;
        let occupied = walk.occupied & !(u32::from(left == 0) << from) | 1 << to & !1;
        if self.blots >> to & 1 != 0 {
            board |= 1 << (HITS - 1 + to);
        }
        Walk { board, occupied }
    }
}

#[inline(always)]
fn byte(from: u32, die: u32) -> u32 {
    from | die << 5
}

/// The bits of a mask, the highest first.
#[inline(always)]
fn downwards(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.ilog2())?;
        mask ^= 1 << bit;
        Some(bit)
    })
}

/// Both sides after a play that ended with `board`.
#[inline(always)]
fn after(board: u128, mut other: Side) -> (Side, Side) {
    for hit in downwards((board >> HITS) as u32) {
        other = other.moved(24 - hit as usize, BAR);
    }
    (Side(board & PLACES), other)
}

/// Calls `each` with every play of a roll, once for each result, and both sides after it; `dice` has the higher die first.
/// When nothing can be played, the play is 0.
#[inline]
pub fn plays(own: Side, other: Side, dice: (u8, u8), mut each: impl FnMut(Play, Side, Side)) {
    let field = Field::new(other);
    let walk = Walk { board: own.0, occupied: own.occupied() };
    let (high, low) = (u32::from(dice.0), u32::from(dice.1));
    let mut tell = |play: Play, end: Walk| {
        let (own, other) = after(end.board, other);
        each(play, own, other);
    };
    if high == low {
        let steps = most_steps(&field, walk, high, 25, 4);
        doublets(&field, walk, high, 25, steps, 0, 0, &mut tell);
    } else {
        two_dice(&field, walk, high, low, &mut tell);
    }
}

/// How many steps of a doublet can be played, at most `left`, from `highest` downwards.
fn most_steps(field: &Field, walk: Walk, die: u32, highest: u32, left: u32) -> u32 {
    let mut most = 0;
    if left > 0 {
        for from in downwards(field.sources(walk.occupied, die) & ((2 << highest) - 1)) {
            most = most.max(1 + most_steps(field, field.step(walk, from, die), die, from, left - 1));
            if most == left {
                break;
            }
        }
    }
    most
}

fn doublets(
    field: &Field,
    walk: Walk,
    die: u32,
    highest: u32,
    left: u32,
    play: Play,
    shift: u32,
    each: &mut impl FnMut(Play, Walk),
) {
    if left == 0 {
        return each(play, walk);
    }
    for from in downwards(field.sources(walk.occupied, die) & ((2 << highest) - 1)) {
        let next = field.step(walk, from, die);
        let play = play | byte(from, die) << shift;
        if left == 1 {
            each(play, next);
        } else {
            doublets(field, next, die, from, left - 1, play, shift + 8, each);
        }
    }
}

fn two_dice(field: &Field, walk: Walk, high: u32, low: u32, each: &mut impl FnMut(Play, Walk)) {
    let first = field.sources(walk.occupied, high);
    let second = field.sources(walk.occupied, low);
    // at most one for each source of a run or of two checkers borne off, in both orders
    let (mut seen, mut count) = ([0; 64], 0);
    let mut any = false;
    let mut tell = |play: Play, end: Walk, delicate: bool| {
        any = true;
        if delicate {
            if seen[..count].contains(&end.board) {
                return;
            }
            seen[count] = end.board;
            count += 1;
        }
        each(play, end);
    };
    for from in downwards(first) {
        let next = field.step(walk, from, high);
        for then in downwards(field.sources(next.occupied, low)) {
            let run = then + high == from || then == from + low;
            let off = from <= high && then <= low;
            tell(byte(from, high) | byte(then, low) << 8, field.step(next, then, low), run || off);
        }
    }
    for from in downwards(second) {
        let next = field.step(walk, from, low);
        for then in downwards(field.sources(next.occupied, high) & !first) {
            let run = then + low == from;
            let off = from <= low && then <= high;
            tell(byte(from, low) | byte(then, high) << 8, field.step(next, then, high), run || off);
        }
    }
    if any {
        return;
    }
    // one die alone: the higher one if there is a choice
    let (sources, die) = if first == 0 { (second, low) } else { (first, high) };
    for from in downwards(sources) {
        each(byte(from, die), field.step(walk, from, die));
    }
    if sources == 0 {
        each(0, walk);
    }
}

/// The steps of a play: source and die.
#[inline]
pub fn steps(play: Play) -> impl Iterator<Item = (usize, usize)> {
    let bytes = play.to_le_bytes();
    bytes.into_iter().take_while(|&step| step != 0).map(|step| (usize::from(step & 31), usize::from(step >> 5)))
}

/// Both sides after a play that [`plays`] lists.
#[inline]
pub fn played(mut own: Side, mut other: Side, play: Play) -> (Side, Side) {
    for (from, die) in steps(play) {
        let to = from.saturating_sub(die);
        own = own.moved(from, to);
        if to > 0 && other.count(25 - to) == 1 {
            other = other.moved(25 - to, BAR);
        }
    }
    (own, other)
}
