//! What the networks see of a position: the raw board and a few numbers that are hard to learn from it.
//!
//! The raw inputs are those of TD-Gammon (G. Tesauro, 1995), for each side and place four: at least one, two, three checkers, and
//! half of those beyond three; three for what has been borne off. The side to roll is always the first, so no input says whose
//! turn it is. The others count what happens with the 36 falls of the dice.

use std::sync::LazyLock;

use super::board::{BAR, CHECKERS, OFF, PLACES, Side, seen_from_the_other_side};

/// Inputs for one place of one side.
pub const UNITS: usize = 4;
/// Raw inputs: four for each place but off, which has three, of each side.
pub const RAW: usize = 2 * SIDE_INPUTS;
const SIDE_INPUTS: usize = 25 * UNITS + 3;
/// The computed inputs of both sides.
pub const COMPUTED: usize = 2 * 8;

/// The inputs of a place with so many checkers: off first, then the points and the bar.
pub const fn units(place: usize, count: u32) -> [f32; UNITS] {
    let n = count as f32;
    if place == OFF {
        return [clamped(n / 5.0), clamped((n - 5.0) / 5.0), clamped((n - 10.0) / 5.0), 0.0];
    }
    [
        if count >= 1 { 1.0 } else { 0.0 },
        if count >= 2 { 1.0 } else { 0.0 },
        if count >= 3 { 1.0 } else { 0.0 },
        if count > 3 { (n - 3.0) / 2.0 } else { 0.0 },
    ]
}

const fn clamped(share: f32) -> f32 {
    if share < 0.0 {
        0.0
    } else if share > 1.0 {
        1.0
    } else {
        share
    }
}

/// The first input of a place of the side to roll (0) or of the other (1).
pub const fn first_input(side: usize, place: usize) -> usize {
    side * SIDE_INPUTS + if place == OFF { 25 * UNITS } else { (place - 1) * UNITS }
}

/// How many inputs a place has.
pub const fn inputs_of(place: usize) -> usize {
    if place == OFF { 3 } else { UNITS }
}

/// With how many of the 36 falls a checker gets past all of the points that are held among the twelve before it; bit i is
/// the point i + 1 pips ahead.
static ESCAPES: LazyLock<Box<[u8; 4096]>> = LazyLock::new(|| {
    let mut escapes = Box::new([0; 4096]);
    for (held, escapes) in escapes.iter_mut().enumerate() {
        let open = |pips: u32| pips > 12 || held >> (pips - 1) & 1 == 0;
        let last = usize::BITS - held.leading_zeros();
        for (a, b) in (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))) {
            let reached = if a == b {
                a * (1..=4).take_while(|i| open(i * a)).last().unwrap_or(0)
            } else if open(a + b) && (open(a) || open(b)) {
                a + b
            } else {
                [a, b].into_iter().filter(|&die| open(die)).max().unwrap_or(0)
            };
            *escapes += u8::from(reached > last);
        }
    }
    escapes
});

/// The falls that let a checker on `place` escape from the points `held`, both in its own side's numbering.
#[inline(always)]
fn escapes(table: &[u8; 4096], held: u32, place: u32) -> u32 {
    let ahead = if place >= 13 { held >> (place - 12) } else { held << (12 - place) };
    // the nearest point is the highest of these twelve bits
    let ahead = (ahead & 0xFFF).reverse_bits() >> 20;
    table[ahead as usize & 4095].into()
}

/// The points where a checker is hit, and with which rolls, if a side with these checkers rolls.
struct Shots {
    /// Of the 36 falls, those that hit.
    falls: u32,
    /// The pips that the other side loses by the most expensive hit, added up over all falls.
    pips: u32,
}

#[inline]
fn shots(occupied: u32, on_the_bar: u32, blocked: u32, blots: u32) -> Shots {
    let mut shots = Shots { falls: 0, pips: 0 };
    if blots == 0 {
        return shots;
    }
    let mut count = |hit: u32, falls: u32| {
        if hit != 0 {
            shots.falls += falls;
            shots.pips += falls * hit.ilog2();
        }
    };
    let open = !blocked;
    if on_the_bar == 0 {
        for high in 1..=6 {
            let by_high = occupied >> high;
            let then = by_high & open;
            for low in 1..high {
                let by_low = occupied >> low;
                let both = then >> low | (by_low & open) >> high;
                count((by_high | by_low | both) & blots, 2);
            }
            let (second, mut hit) = (then >> high, by_high);
            let third = (second & open) >> high;
            hit |= second | third | (third & open) >> high;
            count(hit & blots, 1);
        }
        return shots;
    }
    let entry = |die: u32| (1 << (25 - die)) & open;
    for high in 1..=6 {
        for low in 1..=high {
            let (a, b) = (entry(high), entry(low));
            let mut hit = a | b;
            if on_the_bar == 1 {
                let points = occupied & !(1 << BAR);
                if a != 0 {
                    hit |= (points | a) >> low;
                }
                if b != 0 {
                    hit |= (points | b) >> high;
                }
                if high == low && a != 0 {
                    let then = ((points | a) >> high & open) >> high;
                    hit |= then | (then & open) >> high;
                }
            }
            count(hit & blots, if high == low { 1 } else { 2 });
        }
    }
    shots
}

/// The computed inputs of the side to roll, then those of the other, each between 0 and about 1: the falls with which it hits; the
/// pips that a hit costs the opponent; the falls with which its rearmost checker escapes; the falls with which an enemy checker would
/// escape from where it is held best; the mobility of its checkers out of home; its pips; whether it is on the
/// bar, and the chance to stay there; the pips that it is behind the last enemy checker.
#[inline]
pub fn computed(own: Side, other: Side) -> [f32; COMPUTED] {
    let table = &**ESCAPES;
    let mut values = [0.0; COMPUTED];
    let sides = [own, other];
    let held = sides.map(Side::held);
    let occupied = sides.map(Side::occupied);
    let half = COMPUTED / 2;
    for side in 0..2 {
        let (blocked, blots) =
            (seen_from_the_other_side(held[1 - side]), seen_from_the_other_side(occupied[1 - side] & !held[1 - side]));
        let bar = sides[side].count(BAR);
        let shots = shots(occupied[side], bar, blocked, blots);
        let rearmost = if occupied[side] == 0 { 0 } else { occupied[side].ilog2() };
        let enemy_rearmost = if occupied[1 - side] == 0 { 0 } else { occupied[1 - side].ilog2() };
        let (mut mobility, mut pips, mut behind) = (0, 0, 0);
        let mut places = occupied[side];
        while places != 0 {
            let place = places.ilog2();
            places ^= 1 << place;
            let count = sides[side].count(place as usize);
            pips += place * count;
            behind += (place + enemy_rearmost).saturating_sub(25) * count;
            if place > 6 {
                mobility += (place - 6) * count * escapes(table, blocked, place);
            }
        }
        // where an enemy checker would be held best, from the bar to my bar point
        let own_block = seen_from_the_other_side(held[side]);
        let mut contained = 36;
        for place in 16..=25 {
            contained = contained.min(escapes(table, own_block, place));
        }
        let closed = (held[1 - side] & 0b111_1110).count_ones() as f32 / 6.0;
        let at = side * half;
        values[at] = shots.falls as f32 / 36.0;
        values[at + 1] = shots.pips as f32 / (36.0 * 12.0);
        values[at + 2] = escapes(table, blocked, rearmost) as f32 / 36.0;
        values[at + 3] = contained as f32 / 36.0;
        values[at + 4] = mobility as f32 / 3600.0;
        values[at + 5] = pips as f32 / 167.0;
        values[at + 6] = if bar > 0 { closed * closed } else { 0.0 };
        values[at + 7] = behind as f32 / 152.0;
    }
    values
}

/// Calls `each` with every raw input that is not 0.
pub fn raw_inputs(own: Side, other: Side, mut each: impl FnMut(usize, f32)) {
    for (side, checkers) in [own, other].into_iter().enumerate() {
        for place in 0..PLACES {
            let count = checkers.count(place).min(CHECKERS);
            for (unit, value) in units(place, count).into_iter().enumerate().filter(|unit| unit.1 != 0.0) {
                each(first_input(side, place) + unit, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(points: &[u32]) -> u32 {
        points.iter().fold(0, |bits, point| bits | 1 << point)
    }

    #[test]
    fn a_full_prime_holds_and_an_empty_board_does_not() {
        let table = &**ESCAPES;
        assert_eq!(escapes(table, 0, 24), 36);
        assert_eq!(escapes(table, bits(&[23, 22, 21, 20, 19, 18]), 24), 0);
        // out over a five-point prime at its edge: only with a six
        assert_eq!(escapes(table, bits(&[23, 22, 21, 20, 19]), 24), 11);
    }

    #[test]
    fn shots_are_those_of_the_textbook() {
        // falls that hit a blot so many pips away on an open board
        let known = [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3];
        for (pips, falls) in (1..=12).zip(known) {
            assert_eq!(shots(bits(&[24]), 0, 0, bits(&[24 - pips])).falls, falls, "{pips} pips");
        }
        // from the bar: only the die itself, and both dice with the entry between
        assert_eq!(shots(bits(&[25]), 1, 0, bits(&[22])).falls, 14);
        assert_eq!(shots(bits(&[25]), 2, 0, bits(&[22])).falls, 11);
    }
}
