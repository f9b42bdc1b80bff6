//! A linear evaluation of the raw board, in the manner of G. Tesauro's `pubeval` (1993): one set of weights for positions with contact
//! and one for races. The weights are ours, and the outputs the five probabilities of the networks.

use super::board::{OFF, PLACES, Side};
use super::features::{RAW, first_input, inputs_of, units};
use super::network::{OUTPUTS, Outcome, sigmoid};

/// Outputs, rounded up to a row that is added at once.
pub const LANES: usize = 8;
/// A row of weights for each raw input and one for the bias.
pub const SIZE: usize = (RAW + 1) * LANES;

/// The linear evaluation as it is asked: a row for each side, place and number of checkers.
#[derive(Clone, Debug)]
pub struct Linear {
    rows: Vec<[f32; LANES]>,
    bias: [f32; LANES],
}

/// The row of weights of an input; that of the bias comes after the last input.
#[inline(always)]
pub fn row(weights: &[f32], input: usize) -> &[f32; LANES] {
    weights[input * LANES..(input + 1) * LANES].try_into().expect("a row")
}

impl Linear {
    pub fn new(weights: &[f32]) -> Self {
        let mut rows = vec![[0.0; LANES]; 2 * PLACES * 16];
        for (i, sum) in rows.iter_mut().enumerate() {
            let (side, place, count) = (i / (PLACES * 16), i / 16 % PLACES, i % 16);
            for (unit, value) in units(place, count as u32).into_iter().enumerate().take(inputs_of(place)) {
                super::network::add(sum, row(weights, first_input(side, place) + unit), value);
            }
        }
        Self { rows, bias: *row(weights, RAW) }
    }

    /// The probabilities for the side to roll.
    #[inline]
    pub fn ask(&self, own: Side, other: Side) -> Outcome {
        let mut sums = self.bias;
        for (side, checkers) in [own, other].into_iter().enumerate() {
            let mut places = checkers.occupied() | u32::from(checkers.count(OFF) > 0);
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                let row = &self.rows[(side * PLACES + place) * 16 + checkers.count(place) as usize];
                for i in 0..LANES {
                    sums[i] += row[i];
                }
            }
        }
        let mut outcome = [0.0; OUTPUTS];
        for (probability, sum) in outcome.iter_mut().zip(sums) {
            *probability = sigmoid(sum);
        }
        outcome
    }
}
