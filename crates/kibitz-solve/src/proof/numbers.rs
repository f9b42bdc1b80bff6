//! Proof and disproof numbers.

use super::{Provable, Question};

/// The number of what cannot be proven, or disproven.
pub(crate) const INFINITE: u32 = u32::MAX;

/// A proof number and a disproof number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

impl Numbers {
    pub(crate) const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    pub(crate) const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };

    #[inline(always)]
    pub(crate) fn of(value: bool) -> Self {
        if value { Self::PROVEN } else { Self::DISPROVEN }
    }

    #[inline(always)]
    pub(crate) fn solved(self) -> Option<bool> {
        if self.proof == 0 {
            Some(true)
        } else if self.disproof == 0 {
            Some(false)
        } else {
            None
        }
    }
}

/// The sum of finite numbers, which stays finite however many there are; infinite if one of them is.
#[inline(always)]
pub(crate) fn sum(total: u64, infinite: bool) -> u32 {
    if infinite { INFINITE } else { total.min(u64::from(INFINITE - 1)) as u32 }
}

/// The numbers of a leaf about which nothing is known yet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LeafNumbers {
    /// Both are 1.
    #[default]
    One,
    /// The number of moves is the number of what all must be done (L. V. Allis, 1994): the disproof number of an OR node, the proof number of an AND node. The
    /// other one is 1.
    Mobility,
    /// Mobility, weighted by an evaluation.
    Evaluation(EvaluationNumbers),
}

/// The numbers of EF-PN (M. Winands and M. Schadd, *Evaluation-function based proof-number search*, Computers and Games 2010).
///
/// The evaluation for the player of the question is made a step *s*: 1 where it is greater than the threshold, −1 where it is less than its
/// negative, else 0. The numbers of mobility are multiplied: the proof number by 1 + *a* (1 − *s*), the disproof number by 1 + *b* (1 + *s*), so that a
/// position that looks good is cheap to prove and dear to disprove.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluationNumbers {
    /// How much worse a bad position is to prove.
    pub a: u32,
    /// How much worse a good position is to disprove.
    pub b: u32,
    /// Evaluations up to this, in units of the result, say nothing.
    pub threshold: f64,
    /// Whether the numbers that are weighted are those of mobility; else both are 1.
    pub mobility: bool,
}

impl LeafNumbers {
    /// The numbers of a position that is not over.
    #[inline(always)]
    pub(crate) fn of<G: Provable>(
        self,
        question: &Question<'_, G>,
        position: &G::Position,
        or: bool,
        moves: &mut Vec<G::Move>,
    ) -> Numbers {
        match self {
            Self::One => Numbers { proof: 1, disproof: 1 },
            Self::Mobility => mobility(question, position, or, moves),
            Self::Evaluation(weights) => weights.of(question, position, or, moves),
        }
    }
}

#[inline(always)]
fn mobility<G: Provable>(
    question: &Question<'_, G>,
    position: &G::Position,
    or: bool,
    moves: &mut Vec<G::Move>,
) -> Numbers {
    let count = question.game.mobility(position, moves).max(1);
    if or { Numbers { proof: 1, disproof: count } } else { Numbers { proof: count, disproof: 1 } }
}

impl EvaluationNumbers {
    fn of<G: Provable>(
        self,
        question: &Question<'_, G>,
        position: &G::Position,
        or: bool,
        moves: &mut Vec<G::Move>,
    ) -> Numbers {
        let base =
            if self.mobility { mobility(question, position, or, moves) } else { Numbers { proof: 1, disproof: 1 } };
        let value = question.evaluation(position);
        let step = if value > self.threshold {
            1
        } else if value < -self.threshold {
            -1
        } else {
            0
        };
        let weigh = |number: u32, weight: u32, times: u32| {
            number.saturating_mul(weight.saturating_mul(times).saturating_add(1)).min(INFINITE / 2)
        };
        Numbers {
            proof: weigh(base.proof, self.a, (1 - step) as u32),
            disproof: weigh(base.disproof, self.b, (1 + step) as u32),
        }
    }
}
