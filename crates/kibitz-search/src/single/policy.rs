//! Playout policies: a weight for every code of a move.
//!
//! A move is played with a probability proportional to e^weight. The table holds e^weight itself: drawing a move adds up numbers
//! that are there already, and adding to a weight multiplies its power. Codes that are small numbers are looked up in an array,
//! others in a hash table that grows; a code that was never learned about has the weight 0.

/// Powers stay between these, so that sums of them are numbers.
const LEAST: f64 = 1e-280;
const GREATEST: f64 = 1e280;

/// A place of the hash table that is free.
const FREE: u64 = u64::MAX;

#[derive(Clone, Debug)]
pub(super) enum Policy {
    /// The power of code `i` is the `i`-th.
    Dense(Vec<f64>),
    Hashed(Hashed),
}

/// Open addressing, at most half full.
#[derive(Clone, Debug)]
pub(super) struct Hashed {
    places: Vec<(u64, f64)>,
    used: usize,
    shift: u32,
}

impl Policy {
    /// A policy that plays all moves equally often, for so many codes or, for 0, any.
    pub(super) fn new(codes: usize) -> Self {
        if codes > 0 { Self::Dense(vec![1.0; codes]) } else { Self::Hashed(Hashed::new()) }
    }

    /// Becomes the same as another policy of the same game, in the memory it has.
    pub(super) fn copy(&mut self, other: &Self) {
        match (self, other) {
            (Self::Dense(mine), Self::Dense(theirs)) => mine.clone_from(theirs),
            (Self::Hashed(mine), Self::Hashed(theirs)) => {
                mine.places.clone_from(&theirs.places);
                (mine.used, mine.shift) = (theirs.used, theirs.shift);
            }
            (mine, theirs) => *mine = theirs.clone(),
        }
    }

    /// The power of a code.
    #[inline(always)]
    pub(super) fn power(&self, code: u64) -> f64 {
        match self {
            Self::Dense(powers) => powers[code as usize],
            Self::Hashed(table) => table.power(code),
        }
    }

    /// Multiplies the power of a code: adds the logarithm of the factor to its weight.
    #[inline]
    fn multiply(&mut self, code: u64, factor: f64) {
        let power = match self {
            Self::Dense(powers) => &mut powers[code as usize],
            Self::Hashed(table) => table.entry(code),
        };
        *power = (*power * factor).clamp(LEAST, GREATEST);
    }

    /// Appends the cumulated weights of moves, each times its prior where there are any, and returns their sum.
    #[inline]
    pub(super) fn cumulate(&self, codes: &[u64], priors: &[f64], sums: &mut Vec<f64>) -> f64 {
        sums.clear();
        let mut total = 0.0;
        let mut add = |power: f64| {
            total += power;
            sums.push(total);
        };
        match (self, priors) {
            (Self::Dense(powers), []) => codes.iter().for_each(|&code| add(powers[code as usize])),
            (Self::Hashed(table), []) => codes.iter().for_each(|&code| add(table.power(code))),
            (_, priors) => codes.iter().zip(priors).for_each(|(&code, &prior)| add(self.power(code) * prior)),
        }
        total
    }

    /// Adds `alpha` to the weights of the moves of a sequence and takes it from all moves there were at each step, in the proportion
    /// in which they are played now (Rosin 2011, *Adapt*). `shares` is scratch space.
    pub(super) fn adapt(&mut self, sequence: &Choices, alpha: f64, shares: &mut Vec<f64>) {
        shares.clear();
        for step in 0..sequence.steps() {
            let range = sequence.range(step);
            let begin = shares.len();
            let codes = &sequence.codes[range.clone()];
            let mut total = 0.0;
            for (i, &code) in codes.iter().enumerate() {
                let prior = sequence.priors.get(range.start + i).copied().unwrap_or(1.0);
                let power = self.power(code) * prior;
                total += power;
                shares.push(power);
            }
            shares[begin..].iter_mut().for_each(|share| *share /= total);
        }
        // all steps are judged by the policy as it was
        for (i, &share) in shares.iter().enumerate() {
            // what is hardly ever played changes by less than a rounding
            if share > 1e-17 {
                self.multiply(sequence.codes[i], power_of(-alpha * share));
            }
        }
        let gain = power_of(alpha);
        for step in 0..sequence.steps() {
            self.multiply(sequence.chosen(step), gain);
        }
    }
}

impl Hashed {
    fn new() -> Self {
        Self { places: vec![(FREE, 1.0); 1024], used: 0, shift: 54 }
    }

    /// Where a code is, or the free place where it would be.
    #[inline(always)]
    fn place(&self, code: u64) -> usize {
        let mask = self.places.len() - 1;
        // codes may be small numbers in a row or hashes
        let mut place = (code.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        loop {
            let found = self.places[place].0;
            if found == code || found == FREE {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    #[inline(always)]
    fn power(&self, code: u64) -> f64 {
        self.places[self.place(code)].1
    }

    #[inline]
    fn entry(&mut self, code: u64) -> &mut f64 {
        let mut place = self.place(code);
        if self.places[place].0 == FREE && code != FREE {
            if 2 * self.used >= self.places.len() {
                self.grow();
                place = self.place(code);
            }
            self.places[place].0 = code;
            self.used += 1;
        }
        &mut self.places[place].1
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![(FREE, 1.0); 2 * self.places.len()];
        let old = std::mem::replace(&mut self.places, larger);
        self.shift -= 1;
        for (code, power) in old.into_iter().filter(|&(code, _)| code != FREE) {
            let place = self.place(code);
            self.places[place] = (code, power);
        }
    }
}

/// e^x from basic arithmetic alone, without a division; beyond ±600 it stays where it is there.
#[inline(always)]
fn power_of(x: f64) -> f64 {
    /// ln 2 in two parts: a multiple of the first by a small integer is exact.
    const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);
    let x = x.clamp(-600.0, 600.0);
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = (x - k * LN_2.0) - k * LN_2.1;
    let r2 = r * r;
    let r4 = r2 * r2;
    let low = (1.0 + r) + r2 * (0.5 + r * (1.0 / 6.0));
    let middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5040.0));
    let high = (1.0 / 40_320.0 + r * (1.0 / 362_880.0)) + r2 * (1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0));
    let high = high + r4 * (1.0 / 479_001_600.0);
    (low + r4 * (middle + r4 * high)) * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// What a playout could choose from at each of its steps, and what it chose: all that a policy learns from.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    codes: Vec<u64>,
    /// e^bias of each, where the game is biased.
    priors: Vec<f64>,
    /// The end of each step's codes, and which of them was chosen.
    steps: Vec<(u32, u32)>,
}

impl Choices {
    pub(super) fn clear(&mut self) {
        self.codes.clear();
        self.priors.clear();
        self.steps.clear();
    }

    pub(super) fn steps(&self) -> usize {
        self.steps.len()
    }

    fn range(&self, step: usize) -> std::ops::Range<usize> {
        let begin = if step == 0 { 0 } else { self.steps[step - 1].0 };
        begin as usize..self.steps[step].0 as usize
    }

    /// The code that was chosen.
    fn chosen(&self, step: usize) -> u64 {
        self.codes[self.steps[step].1 as usize]
    }

    /// Begins a step with the codes of its moves, which `list` appends, and where they have a weight with their biases.
    #[inline]
    pub(super) fn offer(
        &mut self,
        weight: Option<f64>,
        list: impl FnOnce(&mut Vec<u64>, Option<&mut Vec<f64>>),
    ) -> usize {
        let begin = self.codes.len();
        match weight {
            None => list(&mut self.codes, None),
            Some(weight) => {
                list(&mut self.codes, Some(&mut self.priors));
                self.priors[begin..].iter_mut().for_each(|bias| *bias = power_of(weight * *bias));
            }
        }
        begin
    }

    #[inline]
    pub(super) fn codes(&self, begin: usize) -> &[u64] {
        &self.codes[begin..]
    }

    #[inline]
    pub(super) fn priors(&self, begin: usize) -> &[f64] {
        if self.priors.is_empty() { &[] } else { &self.priors[begin..] }
    }

    /// Ends a step with the number of the move that was chosen.
    #[inline]
    pub(super) fn choose(&mut self, begin: usize, index: usize) {
        self.steps.push((self.codes.len() as u32, (begin + index) as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(steps: &[(&[u64], usize)]) -> Choices {
        let mut choices = Choices::default();
        for &(codes, chosen) in steps {
            let begin = choices.offer(None, |all, _| all.extend(codes));
            choices.choose(begin, chosen);
        }
        choices
    }

    #[test]
    fn the_quick_power_is_right_to_the_last_bits() {
        for i in -3000..=3000 {
            let x = f64::from(i) / 97.0;
            assert!((power_of(x) / x.exp() - 1.0).abs() < 2e-15, "{x}");
        }
        assert!(power_of(f64::MAX).is_finite() && power_of(f64::MIN) > 0.0);
        assert_eq!(power_of(0.0), 1.0);
    }

    #[test]
    fn adapting_is_the_step_of_the_paper() {
        // weights as they are written in the paper, by hand
        let sequence = choices(&[(&[1, 2, 3], 0), (&[2, 3, 7], 2), (&[1, 9], 1)]);
        let mut weights = [0.0f64; 10];
        let alpha = 0.7;
        let (mut dense, mut hashed) = (Policy::new(10), Policy::new(0));
        for _ in 0..20 {
            let old = weights;
            for step in 0..sequence.steps() {
                let codes = &sequence.codes[sequence.range(step)];
                let z: f64 = codes.iter().map(|&code| old[code as usize].exp()).sum();
                weights[sequence.chosen(step) as usize] += alpha;
                for &code in codes {
                    weights[code as usize] -= alpha * old[code as usize].exp() / z;
                }
            }
            dense.adapt(&sequence, alpha, &mut Vec::new());
            hashed.adapt(&sequence, alpha, &mut Vec::new());
        }
        for code in 0..10 {
            let expected = weights[code as usize].exp();
            assert!((dense.power(code) / expected - 1.0).abs() < 1e-12, "{code}");
            assert_eq!(dense.power(code), hashed.power(code));
        }
    }

    #[test]
    fn any_number_may_be_a_code() {
        let mut policy = Policy::new(0);
        let codes: Vec<u64> = (0..5000u64).chain((1..5000).map(|i| i << 40)).chain([u64::MAX - 1]).collect();
        for (i, &code) in codes.iter().enumerate() {
            policy.multiply(code, 1.0 + i as f64);
        }
        for (i, &code) in codes.iter().enumerate() {
            assert_eq!(policy.power(code), 1.0 + i as f64);
        }
        assert_eq!(policy.power(123_456_789), 1.0);
    }

    #[test]
    fn sums_are_those_of_powers_and_priors() {
        let mut policy = Policy::new(4);
        policy.multiply(2, 5.0);
        let mut sums = Vec::new();
        assert_eq!(policy.cumulate(&[0, 2, 3], &[], &mut sums), 7.0);
        assert_eq!(sums, [1.0, 6.0, 7.0]);
        assert_eq!(policy.cumulate(&[0, 2], &[3.0, 0.5], &mut sums), 5.5);
    }
}
