//! The file of weights: all networks in one array of numbers of sixteen bits.

use kibitz_game::BadText;

use super::evaluation::Learned;
use super::linear::{self, Linear};
use super::network::{CONTACT_HIDDEN, CONTACT_INPUTS, Network, RACE_HIDDEN, RACE_INPUTS, Weights};

const MAGIC: &[u8; 20] = b"kibitz backgammon 1\n";
const CONTACT: usize = Weights::<CONTACT_HIDDEN>::size(CONTACT_INPUTS);
const RACE: usize = Weights::<RACE_HIDDEN>::size(RACE_INPUTS);
/// All weights: the network for contact, that for races, the linear evaluations for contact and for races.
pub const SIZE: usize = CONTACT + RACE + 2 * linear::SIZE;

/// All weights as they are trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub contact: Weights<CONTACT_HIDDEN>,
    pub race: Weights<RACE_HIDDEN>,
    pub linear: [Vec<f32>; 2],
}

impl Model {
    /// The parts of one array of [`SIZE`] weights.
    pub fn of(values: &[f32]) -> Self {
        let (contact, rest) = values.split_at(CONTACT);
        let (race, rest) = rest.split_at(RACE);
        let (first, second) = rest.split_at(linear::SIZE);
        Self {
            contact: Weights { inputs: CONTACT_INPUTS, values: contact.to_vec() },
            race: Weights { inputs: RACE_INPUTS, values: race.to_vec() },
            linear: [first.to_vec(), second.to_vec()],
        }
    }

    /// Ready to be asked.
    pub fn learned(&self) -> Learned {
        Learned {
            contact: Network::new(&self.contact),
            race: Network::new(&self.race),
            linear: [0, 1].map(|class: usize| Linear::new(&self.linear[class])),
        }
    }

    /// The model of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, BadText> {
        let bad = |what: &str| BadText::new(format!("these are no weights for backgammon: {what}"));
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| bad("they begin otherwise"))?;
        if rest.len() != 2 * SIZE {
            return Err(bad("there are too few of them or too many"));
        }
        let values: Vec<f32> = rest.chunks_exact(2).map(|two| widened(u16::from_le_bytes([two[0], two[1]]))).collect();
        if values.iter().any(|value| !value.is_finite()) {
            return Err(bad("one of them is no number"));
        }
        Ok(Self::of(&values))
    }
}

/// The file of an array of [`SIZE`] weights.
pub fn file(values: &[f32]) -> Vec<u8> {
    let numbers = values.iter().flat_map(|&value| narrowed(value).to_le_bytes());
    MAGIC.iter().copied().chain(numbers).collect()
}

/// A number of sixteen bits (IEEE 754 binary16) as one of 32.
fn widened(half: u16) -> f32 {
    let (sign, exponent, fraction) = (u32::from(half >> 15) << 31, u32::from(half >> 10 & 31), u32::from(half & 1023));
    match exponent {
        // below the normal ones: so many times 2^-24
        0 => f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
        31 => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// The nearest number of sixteen bits; what is too large becomes the largest.
fn narrowed(value: f32) -> u16 {
    let sign = (value.to_bits() >> 16) as u16 & 0x8000;
    let size = value.abs().min(65_504.0);
    if size < 6.103_515_6e-5 {
        return sign | (size * 16_777_216.0).round_ties_even() as u16;
    }
    // adding half of the last place carries over into the exponent where it must
    let bits = size.to_bits();
    let bits = bits + 0xFFF + (bits >> 13 & 1);
    sign | ((bits >> 13) - (112 << 10)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_comes_back_and_others_go_to_the_nearest() {
        for half in (0..0x7C00).chain(0x8000..0xFC00) {
            assert_eq!(narrowed(widened(half)), half, "{half:x}");
        }
        assert_eq!(widened(0x3C00), 1.0);
        assert_eq!(narrowed(1e9), 0x7BFF);
        for i in 1..4000 {
            let value = i as f32 * 0.001_234_5;
            assert!((widened(narrowed(value)) - value).abs() <= value / 2048.0, "{value}");
        }
    }

    #[test]
    fn a_broken_file_is_refused() {
        let whole = file(&vec![0.25; SIZE]);
        assert!(Model::read(&whole).is_ok());
        assert!(Model::read(&whole[1..]).is_err());
        assert!(Model::read(&whole[..whole.len() - 1]).is_err());
        let mut broken = whole;
        broken[25] = 0x7C;
        assert!(Model::read(&broken).is_err());
        assert!(Model::read(b"").is_err());
    }
}
