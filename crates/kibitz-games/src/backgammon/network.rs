//! The networks: inputs, one hidden layer, five probabilities.
//!
//! A network is trained on its inputs one by one, but asked through a table with a row for each side, place and number of
//! checkers: the sum of the weights of its four inputs. So the hidden layer of a position is the sum of about fifteen rows and the
//! computed inputs, and nothing is allocated.

use super::board::{OFF, PLACES, Side};
use super::features::{COMPUTED, RAW, computed, first_input, inputs_of, raw_inputs, units};

/// Win, win a gammon, win a backgammon, lose a gammon, lose a backgammon; a gammon includes backgammons.
pub const OUTPUTS: usize = 5;
/// Hidden units for positions with contact.
pub const CONTACT_HIDDEN: usize = 128;
/// Hidden units for races.
pub const RACE_HIDDEN: usize = 32;

/// What may become of a game: [`OUTPUTS`] probabilities for the side to roll.
pub type Outcome = [f32; OUTPUTS];

/// The same for the other side.
#[inline(always)]
pub fn turned(outcome: Outcome) -> Outcome {
    let [win, gammon, backgammon, lost, lost_backgammon] = outcome;
    [1.0 - win, lost, lost_backgammon, gammon, backgammon]
}

/// 1 / (1 + e^−x), by a polynomial for the fraction of the exponent of two, the same on every machine; the relative error is below 10^−5.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    let x = (-x * std::f32::consts::LOG2_E).clamp(-60.0, 60.0);
    let whole = x.floor();
    let part = x - whole;
    // 2^part on [0, 1)
    let high = 8.989_34e-3 + part * 1.877_576_7e-3;
    let power = 0.999_999_94 + part * (0.693_153_1 + part * (0.240_153_61 + part * (5.582_632e-2 + part * high)));
    let power = power * f32::from_bits(((whole as i32 + 127) as u32) << 23);
    1.0 / (1.0 + power)
}

/// The activation of a hidden unit: x / (1 + |x|), bounded and cheap.
#[inline(always)]
pub fn activation(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

/// The derivative of [`activation`] at an activation.
#[inline(always)]
pub fn slope(activation: f32) -> f32 {
    let rest = 1.0 - activation.abs();
    rest * rest
}

/// The weights of a network as they are trained, in one array: a row of hidden weights for each input, the hidden biases, a
/// row for each output, and the biases of the outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights<const HIDDEN: usize> {
    pub inputs: usize,
    pub values: Vec<f32>,
}

impl<const HIDDEN: usize> Weights<HIDDEN> {
    /// The number of weights of a network with so many inputs.
    pub const fn size(inputs: usize) -> usize {
        (inputs + 1 + OUTPUTS) * HIDDEN + OUTPUTS
    }

    pub fn row(&self, row: usize) -> &[f32; HIDDEN] {
        self.values[row * HIDDEN..(row + 1) * HIDDEN].try_into().expect("a row")
    }

    pub fn hidden_bias(&self) -> &[f32; HIDDEN] {
        self.row(self.inputs)
    }

    pub fn output_row(&self, output: usize) -> &[f32; HIDDEN] {
        self.row(self.inputs + 1 + output)
    }

    pub fn output_bias(&self) -> &[f32] {
        &self.values[(self.inputs + 1 + OUTPUTS) * HIDDEN..]
    }
}

/// A network as it is asked.
#[derive(Clone, Debug)]
pub struct Network<const HIDDEN: usize> {
    /// For each side, place and number of checkers, off first.
    rows: Vec<[f32; HIDDEN]>,
    computed: Vec<[f32; HIDDEN]>,
    bias: [f32; HIDDEN],
    outputs: [[f32; HIDDEN]; OUTPUTS],
    output_bias: [f32; OUTPUTS],
}

#[inline(always)]
fn row_of(side: usize, place: usize, count: usize) -> usize {
    (side * PLACES + place) * 16 + count
}

impl<const HIDDEN: usize> Network<HIDDEN> {
    pub fn new(weights: &Weights<HIDDEN>) -> Self {
        let mut network = Self {
            rows: vec![[0.0; HIDDEN]; 2 * PLACES * 16],
            computed: Vec::new(),
            bias: [0.0; HIDDEN],
            outputs: [[0.0; HIDDEN]; OUTPUTS],
            output_bias: [0.0; OUTPUTS],
        };
        network.load(weights);
        network
    }

    /// Takes over weights that have changed.
    pub fn load(&mut self, weights: &Weights<HIDDEN>) {
        for side in 0..2 {
            for place in 0..PLACES {
                for count in 1..16 {
                    let row = &mut self.rows[row_of(side, place, count)];
                    *row = [0.0; HIDDEN];
                    let values = units(place, count as u32);
                    for (unit, value) in values.into_iter().enumerate().take(inputs_of(place)) {
                        if value != 0.0 {
                            add(row, weights.row(first_input(side, place) + unit), value);
                        }
                    }
                }
            }
        }
        self.computed.clear();
        self.computed.extend((RAW..weights.inputs).map(|input| *weights.row(input)));
        self.bias = *weights.hidden_bias();
        for (output, row) in self.outputs.iter_mut().enumerate() {
            *row = *weights.output_row(output);
        }
        self.output_bias.copy_from_slice(weights.output_bias());
    }

    /// The probabilities for the side to roll. Sums are made for [`BLOCK`] hidden units at a time, which stay in registers.
    #[inline]
    pub fn ask(&self, own: Side, other: Side) -> Outcome {
        let (mut rows, mut count) = ([0; 2 * PLACES], 0);
        for (side, checkers) in [own, other].into_iter().enumerate() {
            let mut places = checkers.occupied() | u32::from(checkers.count(OFF) > 0);
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                rows[count] = row_of(side, place, checkers.count(place) as usize);
                count += 1;
            }
        }
        let values = if self.computed.is_empty() { [0.0; COMPUTED] } else { computed(own, other) };
        let mut sums = [[0.0; 8]; OUTPUTS];
        for block in (0..HIDDEN).step_by(BLOCK) {
            let mut hidden = *part(&self.bias, block);
            for &row in &rows[..count] {
                let row = part(&self.rows[row], block);
                for i in 0..BLOCK {
                    hidden[i] += row[i];
                }
            }
            for (row, value) in self.computed.iter().zip(values) {
                add(&mut hidden, part(row, block), value);
            }
            for value in &mut hidden {
                *value = activation(*value);
            }
            for output in 0..OUTPUTS {
                let (row, sums) = (part(&self.outputs[output], block), &mut sums[output]);
                for i in (0..BLOCK).step_by(8) {
                    for j in 0..8 {
                        sums[j] = hidden[i + j].mul_add(row[i + j], sums[j]);
                    }
                }
            }
        }
        let mut outcome = self.output_bias;
        for output in 0..OUTPUTS {
            outcome[output] = sigmoid(outcome[output] + folded(&sums[output]));
        }
        outcome
    }
}

/// Hidden units that are summed up together; every hidden layer is a multiple of it.
const BLOCK: usize = 32;

#[inline(always)]
fn part<const HIDDEN: usize>(row: &[f32; HIDDEN], block: usize) -> &[f32; BLOCK] {
    row[block..block + BLOCK].try_into().expect("a block of a row")
}

/// `to += factor · row`
#[inline(always)]
pub fn add<const N: usize>(to: &mut [f32; N], row: &[f32; N], factor: f32) {
    for i in 0..N {
        to[i] = factor.mul_add(row[i], to[i]);
    }
}

/// The scalar product in eight parts, an order of additions that does not depend on the machine.
#[inline(always)]
pub fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0f32; 8];
    for i in (0..N).step_by(8) {
        for j in 0..8 {
            sums[j] = a[i + j].mul_add(b[i + j], sums[j]);
        }
    }
    folded(&sums)
}

#[inline(always)]
fn folded(sums: &[f32; 8]) -> f32 {
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}

/// The inputs of a network with `inputs` of them that are not 0, in a buffer.
pub fn list_inputs(own: Side, other: Side, inputs: usize, list: &mut Vec<(u16, f32)>) {
    list.clear();
    raw_inputs(own, other, |input, value| list.push((input as u16, value)));
    if inputs > RAW {
        let values = computed(own, other).into_iter().enumerate().filter(|value| value.1 != 0.0);
        list.extend(values.map(|(i, value)| ((RAW + i) as u16, value)));
    }
}

/// Inputs of the network for contact.
pub const CONTACT_INPUTS: usize = RAW + COMPUTED;
/// Inputs of the network for races.
pub const RACE_INPUTS: usize = RAW;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sigmoid_is_close_to_the_exact_one() {
        for i in -2000..2000 {
            let x = i as f32 / 100.0;
            let exact = 1.0 / (1.0 + f64::from(-x).exp());
            let error = (f64::from(sigmoid(x)) - exact).abs();
            assert!(error < 2e-6, "{x}: {error}");
        }
        assert!(sigmoid(f32::MAX) == 1.0 && sigmoid(-1e30) >= 0.0);
    }

    #[test]
    fn the_table_gives_the_sum_of_the_inputs() {
        let size = Weights::<RACE_HIDDEN>::size(CONTACT_INPUTS);
        let mut weights = Weights::<RACE_HIDDEN> { inputs: CONTACT_INPUTS, values: vec![0.0; size] };
        let mut random = kibitz_game::Random::new(1);
        weights.values.iter_mut().for_each(|weight| *weight = (random.unit() - 0.5) as f32);
        let network = Network::new(&weights);
        let (own, other) = (Side::START, Side::START.moved(24, 25).moved(6, 0).moved(6, 0));
        let mut hidden = *weights.hidden_bias();
        let mut list = Vec::new();
        list_inputs(own, other, CONTACT_INPUTS, &mut list);
        for &(input, value) in &list {
            add(&mut hidden, weights.row(input.into()), value);
        }
        let hidden = hidden.map(activation);
        let asked = network.ask(own, other);
        for (output, asked) in asked.into_iter().enumerate() {
            let value = sigmoid(weights.output_bias()[output] + dot(&hidden, weights.output_row(output)));
            assert!((asked - value).abs() < 1e-5);
        }
    }
}
