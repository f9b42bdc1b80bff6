//! How much better one move is than another, over the continuations that both have seen.

use kibitz_game::normal::loss;

/// The differences of a leader to another move over the continuations that both have seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Difference {
    /// How many continuations.
    pub count: usize,
    /// The mean, μ.
    pub mean: f64,
    /// The sum of the squared deviations from the mean.
    squares: f64,
    sigma: f64,
    /// μ/σ.
    pub(super) ratio: f64,
    /// The error when it has been asked for.
    pub(super) error: Option<f64>,
}

impl Difference {
    #[inline(always)]
    pub(super) fn add(&mut self, value: f64) {
        self.count += 1;
        let delta = value - self.mean;
        self.mean += delta / self.count as f64;
        self.squares += delta * (value - self.mean);
    }

    /// The variance of a single difference.
    #[inline(always)]
    pub(super) fn variance(&self) -> f64 {
        if self.count < 2 { 0.0 } else { self.squares / (self.count - 1) as f64 }
    }

    /// Whether the variance of a single difference is below this, without a division.
    #[inline(always)]
    pub(super) fn below(&self, variance: f64) -> bool {
        self.squares < variance * self.count.saturating_sub(1) as f64
    }

    /// The standard deviation of the mean, σ.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// What is expected to be lost by not playing the other move.
    pub fn error(&self) -> f64 {
        self.error.unwrap_or_else(
            || {
                if self.sigma > 0.0 { self.sigma * loss(self.ratio) } else { (-self.mean).max(0.0) }
            },
        )
    }

    #[inline(always)]
    pub(super) fn judge(&mut self) {
        self.sigma = (self.variance() / self.count.max(1) as f64).sqrt();
        self.ratio = if self.sigma > 0.0 {
            self.mean / self.sigma
        } else if self.mean > 0.0 {
            f64::INFINITY
        } else {
            0.0
        };
        self.error = None;
    }

    /// The differences of two samples together.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        let count = self.count + other.count;
        if count > 0 {
            let delta = other.mean - self.mean;
            let share = other.count as f64 / count as f64;
            self.mean += delta * share;
            self.squares += other.squares + delta * delta * self.count as f64 * share;
        }
        self.count = count;
        self.judge();
        self
    }
}
