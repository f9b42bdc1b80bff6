//! The identifiers of GNU Backgammon, as its manual describes them (*A technical description of the position ID* and *… of the
//! match ID*): the checkers as 80 bits in 14 characters, the dice and the cube as 66 bits in 12.

use kibitz_game::BadText;

use super::board::{BAR, OFF, Side};
use super::{NOBODY, Phase, Position};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const POSITION: usize = 14;
const MATCH: usize = 12;

/// A string of bits, the first of which is the lowest of the first byte.
struct Bits {
    bytes: [u8; 10],
    at: usize,
}

impl Bits {
    fn push(&mut self, bits: u32, count: usize) {
        for i in 0..count {
            self.bytes[self.at / 8] |= ((bits >> i & 1) as u8) << (self.at % 8);
            self.at += 1;
        }
    }

    /// The next bits, or none at the end.
    fn take(&mut self, count: usize) -> Option<u32> {
        let mut bits = 0;
        for i in 0..count {
            bits |= u32::from(*self.bytes.get(self.at / 8)? >> (self.at % 8) & 1) << i;
            self.at += 1;
        }
        Some(bits)
    }
}

/// Six bits a character, the highest of a byte first.
fn encoded(bytes: &[u8], length: usize) -> String {
    let bit = |i: usize| bytes.get(i / 8).map_or(0, |byte| byte >> (7 - i % 8) & 1);
    let digit = |i: usize| (0..6).fold(0, |digit, j| digit << 1 | bit(6 * i + j));
    (0..length).map(|i| char::from(ALPHABET[usize::from(digit(i))])).collect()
}

fn decoded(text: &str) -> Result<Bits, BadText> {
    let mut bytes = [0; 10];
    for (i, byte) in text.bytes().enumerate() {
        let digit = ALPHABET.iter().position(|&letter| letter == byte);
        let digit = digit.ok_or_else(|| BadText::new(format!("{text:?} is no identifier: {:?}", byte as char)))?;
        for j in 0..6 {
            let at = 6 * i + j;
            let bit = (digit >> (5 - j) & 1) as u8;
            match bytes.get_mut(at / 8) {
                Some(byte) => *byte |= bit << (7 - at % 8),
                None if bit == 0 => {}
                None => return Err(BadText::new(format!("{text:?} is no identifier: its last bits are not 0"))),
            }
        }
    }
    Ok(Bits { bytes, at: 0 })
}

/// Whether a text has the form of a position's identifier, alone or with that of a match.
pub fn looks_like_ids(text: &str) -> bool {
    let ids = text.split(' ').next().unwrap_or("");
    let alone = ids.len() == POSITION && !ids.contains(':');
    alone || ids.len() == POSITION + 1 + MATCH && ids.as_bytes()[POSITION] == b':'
}

/// The player who rolls, will roll or has rolled; who has been doubled does not.
pub fn on_roll(position: &Position) -> u8 {
    match position.phase {
        Phase::Doubled => 1 - position.turn,
        _ => position.turn,
    }
}

/// The identifier of the position and that of a match without an end, joined by a colon. Newer versions of the program say in
/// a bit that the manual does not have whether Jacoby's rule is off.
pub fn write(position: &Position, jacoby: bool) -> String {
    let player = usize::from(on_roll(position));
    let mut bits = Bits { bytes: [0; 10], at: 0 };
    for side in [position.sides[1 - player], position.sides[player]] {
        for place in 1..=BAR {
            bits.push((1 << side.count(place)) - 1, side.count(place) as usize + 1);
        }
    }
    let mut matched = Bits { bytes: [0; 10], at: 0 };
    let (high, low) = if let Phase::Play(high, low) = position.phase { (high, low) } else { (0, 0) };
    let state = match position.phase {
        Phase::Opening => 0,
        Phase::Dropped => 4,
        _ if position.home().is_some() => 2,
        _ => 1,
    };
    matched.push(position.cube.into(), 4);
    matched.push(if position.owner == NOBODY { 3 } else { position.owner.into() }, 2);
    matched.push(player as u32, 1);
    matched.push(0, 1);
    matched.push(state, 3);
    matched.push(position.turn.into(), 1);
    matched.push((position.phase == Phase::Doubled).into(), 1);
    matched.push(0, 2);
    matched.push(high.into(), 3);
    matched.push(low.into(), 3);
    // length and scores
    matched.push(0, 15);
    matched.push(0, 15);
    matched.push(0, 15);
    matched.push((!jacoby).into(), 1);
    format!("{}:{}", encoded(&bits.bytes, POSITION), encoded(&matched.bytes, MATCH))
}

/// The checkers of the player on roll and of the other, and what the identifier of the match says, if there is one.
pub fn read(ids: &str) -> Result<(Side, Side, Option<Position>), BadText> {
    if !looks_like_ids(ids) {
        return Err(BadText::new(format!(
            "a position is checkers as in 24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 / A 31, or an identifier of GNU \
             Backgammon as in 4HPwATDgc/ABMA, not {ids:?}"
        )));
    }
    let mut bits = decoded(&ids[..POSITION])?;
    let mut sides = [Side::EMPTY; 2];
    for side in &mut sides {
        for place in 1..=BAR {
            while bits.take(1).ok_or_else(|| BadText::new(format!("{ids:?} ends too early")))? == 1 {
                if side.count(OFF) == 0 {
                    return Err(BadText::new(format!("{ids:?} has more than fifteen checkers of a side")));
                }
                *side = side.moved(OFF, place);
            }
        }
    }
    while let Some(bit) = bits.take(1) {
        if bit == 1 {
            return Err(BadText::new(format!("{ids:?} has something after the last checker")));
        }
    }
    let matched = if ids.len() > POSITION { Some(read_match(&ids[POSITION + 1..])?) } else { None };
    let [other, own] = sides;
    Ok((own, other, matched))
}

fn read_match(id: &str) -> Result<Position, BadText> {
    let mut bits = decoded(id)?;
    let mut next = |count| bits.take(count).unwrap_or(0);
    let (cube, owner, roller) = (next(4) as u8, next(2) as u8, next(1) as u8);
    let (_crawford, state, turn, doubled, resigned) = (next(1), next(3), next(1) as u8, next(1), next(2));
    let (first, second, length) = (next(3) as u8, next(3) as u8, next(15));
    if length > 0 {
        return Err(BadText::new(format!("{id:?} is of a match to {length} points; here is no score but money")));
    }
    if resigned > 0 || owner == 2 || first > 6 || second > 6 || (first == 0) != (second == 0) {
        return Err(BadText::new(format!("{id:?} is no identifier of a game for money that goes on")));
    }
    if (cube == 0) != (owner == 3) {
        return Err(BadText::new(format!("{id:?} has a cube that was turned and belongs to nobody, or the contrary")));
    }
    let phase = match (state, doubled, first) {
        (0, ..) => Phase::Opening,
        (4, ..) => Phase::Dropped,
        (_, 1, _) => Phase::Doubled,
        (_, _, 0) => Phase::Decision,
        _ => Phase::Play(first.max(second), first.min(second)),
    };
    let turn = if phase == Phase::Doubled { turn } else { roller };
    let turn = if phase == Phase::Opening { 0 } else { turn };
    let owner = if owner == 3 { NOBODY } else { owner };
    Ok(Position { sides: [Side::EMPTY; 2], turn, phase, cube, owner })
}
