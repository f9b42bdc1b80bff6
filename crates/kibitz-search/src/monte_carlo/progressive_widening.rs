//! Progressive widening: few moves at first, more with the visits.

use super::exponential::ln;

/// Progressive widening (Coulom 2007), or unpruning (Chaslot et al. 2008): only the best moves by evaluation take part, and the k-th
/// one joins when the node has been visited `visits` · `growth`^(k − `initial`) times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// How many moves take part from the beginning.
    pub initial: u32,
    /// After how many visits the next one joins.
    pub visits: f64,
    /// How many times as many each one needs.
    pub growth: f64,
}

impl Default for Widening {
    fn default() -> Self {
        Self { initial: 5, visits: 50.0, growth: 1.3 }
    }
}

impl Widening {
    /// How many moves take part after so many visits.
    pub(super) fn admitted(self, visits: u32) -> u32 {
        let share = f64::from(visits) / self.visits.max(1.0);
        if share < 1.0 {
            return self.initial.max(1);
        }
        let more = if self.growth > 1.0 { 1e-9 + ln(share) / ln(self.growth) } else { f64::from(u32::MAX) };
        self.initial.max(1).saturating_add(more as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kth_move_joins_when_the_schedule_says() {
        let widening = Widening::default();
        assert_eq!(widening.admitted(0), 5);
        for k in 6..40 {
            let due = (50.0 * 1.3f64.powi(k - 5)).ceil() as u32;
            assert_eq!((widening.admitted(due - 1), widening.admitted(due)), (k as u32 - 1, k as u32), "{k}");
        }
        assert_eq!(Widening { initial: 3, visits: 10.0, growth: 1.0 }.admitted(10), u32::MAX);
    }
}
