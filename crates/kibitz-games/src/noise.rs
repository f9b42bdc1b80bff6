//! A random term of evaluations, which is the same whenever a position is asked for, so that tables and bounds of a search agree.

use kibitz_game::{Parameter, Params, Score, mix};

/// A number between −`most` and `most` for each position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    most: Score,
    seed: u64,
}

impl Noise {
    pub fn parameters() -> [Parameter; 2] {
        [
            Parameter::integer("noise", 0, (0, 1000), "the greatest number that the evaluation adds by lot"),
            Parameter::integer("seed", 0, (0, i64::MAX), "the seed of that lot"),
        ]
    }

    pub fn configure(params: &Params) -> Self {
        Self { most: params.integer("noise") as Score, seed: params.integer("seed") as u64 }
    }

    /// What is added to the value of the position with this key, which is asked for only if anything is.
    #[inline(always)]
    pub fn of(self, key: impl FnOnce() -> u64) -> Score {
        if self.most == 0 {
            return 0;
        }
        let values = 2 * u64::from(self.most.unsigned_abs()) + 1;
        (((mix(key(), self.seed) >> 32) * values) >> 32) as Score - self.most
    }
}
