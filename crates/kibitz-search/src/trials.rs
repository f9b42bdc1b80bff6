//! Which move to simulate next, and when to stop: the control of selective simulations, without any game.
//!
//! B. Sheppard, *Efficient Control of Selective Simulations*, Computers and Games 2004. Every move is tried on the same
//! sequence of continuations, so that luck is the same for all and only differences count. Move 0 being the one with the best
//! mean, the difference to another move over the continuations that both have seen has a mean μ, and that mean has a
//! standard deviation σ; the other move's *error* is what one expects to lose by never looking at it again,
//! σ·(φ(z) − z·(1 − Φ(z))) with z = μ/σ. The next trial goes to the move with the greatest error.
//!
//! What the paper leaves open: the text ranks by μ/σ and the example by the error (both are here); σ is that of the mean
//! and not of a single difference; the probability of a random choice and the meaning of "nearly zero" are not given. Outcomes
//! that were the same eight times give a σ of zero, which is no proof: the two rules that stop for good never take
//! σ to be less than it would be if one trial turned out the opposite extreme.

mod difference;

use kibitz_game::Random;

use crate::monte_carlo::exponential::ln;
pub use difference::Difference;

/// What decides which move is simulated next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduler {
    /// The greatest expected loss.
    #[default]
    ExpectedLoss,
    /// The smallest μ/σ.
    Ratio,
    /// All in turn: flat Monte Carlo.
    RoundRobin,
    /// The highest upper confidence bound of the mean (Auer, Cesa-Bianchi and Fischer 2002): flat UCB.
    Ucb1,
}

/// Which rule ended a simulation before its limits did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// All moves but one are worse beyond doubt.
    Obvious,
    /// It makes no difference which of the moves in question is played.
    Difference,
    /// The trials that are left cannot change the answer.
    Bound,
}

impl Rule {
    /// The name that a user sees.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obvious => "obvious",
            Self::Difference => "difference",
            Self::Bound => "bound",
        }
    }
}

/// The parameters of the control.
#[derive(Clone, Debug)]
pub struct Control {
    /// What decides which move is simulated next.
    pub scheduler: Scheduler,
    /// The trials that every move gets first, at least 2.
    pub minimum: usize,
    /// The probability of a trial for a random move.
    pub epsilon: f64,
    /// The weight of exploration with UCB1, for outcomes scaled to [0, 1].
    pub c: f64,
    /// A move that is worse by more than so many σ is pruned for good.
    pub sigmas: Option<f64>,
    /// Stop when the moves in question differ by no more than this share of the range of outcomes.
    pub tolerance: Option<f64>,
    /// Stop when the leader cannot be overtaken before this many trials have been made.
    pub budget: Option<u64>,
    /// The least and the greatest outcome; without it the bound is not used, and the range is that of what was seen.
    pub range: Option<(f64, f64)>,
    /// How many moves there are in the beginning.
    pub candidates: usize,
    /// The next move joins when every other one has as many trials; 0 for never.
    pub widen_after: usize,
    /// The seed of the random choices.
    pub seed: u64,
}

impl Control {
    /// The published parameters for so many moves; what is not published is as the documentation says.
    pub fn new(moves: usize) -> Self {
        Self {
            scheduler: Scheduler::ExpectedLoss,
            minimum: 8,
            epsilon: 0.05,
            c: std::f64::consts::SQRT_2,
            sigmas: Some(6.0),
            tolerance: None,
            budget: None,
            range: None,
            candidates: moves,
            widen_after: 0,
            seed: 0,
        }
    }
}

/// A difference whose standard deviation is below this, or below this share of the median one, marks the same move twice.
const SAME: f64 = 1e-9;
const SAME_SHARE: f64 = 0.01;
/// How sure the rule of the minimal difference has to be, in σ.
const CONFIDENCE: f64 = 3.0;
/// The rules that look at all moves are asked once in so many trials.
const PERIOD: u64 = 16;
/// Leaders whose differences to all others are kept; when two moves take turns to lead nothing is computed again.
const ROWS: usize = 4;

#[derive(Clone, Debug, Default)]
struct Arm {
    /// The outcome for each continuation, from the first one on.
    values: Vec<f64>,
    sum: f64,
    mean: f64,
    pruned: bool,
}

#[derive(Clone, Debug)]
struct Row {
    leader: usize,
    differences: Vec<Difference>,
}

/// The outcomes so far, and what follows from them.
#[derive(Clone, Debug)]
pub struct Trials {
    control: Control,
    arms: Vec<Arm>,
    /// Moves that take part, pruned ones included; the others wait.
    admitted: usize,
    /// Moves that take part and are not pruned.
    live: usize,
    /// Moves with fewer trials than the minimum.
    fresh: usize,
    leader: usize,
    /// The differences to the latest leaders, the current one first.
    rows: Vec<Row>,
    most: usize,
    total: u64,
    /// The least and the greatest outcome seen.
    seen: (f64, f64),
    /// The variance below which a difference counts as none, and when to compute it again.
    same: f64,
    same_due: u64,
    variances: Vec<f64>,
    rules_due: u64,
    random: Random,
    stopped: Option<Rule>,
}

impl Trials {
    /// No trials of so many moves.
    pub fn new(moves: usize, control: Control) -> Self {
        let admitted = control.candidates.clamp(1, moves.max(1)).min(moves);
        Self {
            random: Random::stream(control.seed, u64::MAX),
            arms: vec![Arm::default(); moves],
            admitted,
            live: admitted,
            fresh: admitted,
            leader: 0,
            rows: vec![Row { leader: 0, differences: vec![Difference::default(); moves] }],
            most: 0,
            total: 0,
            seen: (f64::INFINITY, f64::NEG_INFINITY),
            same: SAME * SAME,
            same_due: 0,
            variances: Vec::new(),
            rules_due: 0,
            stopped: None,
            control,
        }
    }

    /// The bytes that the control takes for each move, and for each trial at most.
    pub const fn bytes() -> (usize, usize) {
        // a growing vector may have twice the room that it needs
        (size_of::<Arm>() + ROWS * size_of::<Difference>(), 2 * size_of::<f64>())
    }

    /// The trials of all moves together.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The move with the best mean.
    pub fn leader(&self) -> usize {
        self.leader
    }

    /// How many moves take part or have been pruned.
    pub fn admitted(&self) -> usize {
        self.admitted
    }

    /// The rule that has ended the simulation.
    pub fn stopped(&self) -> Option<Rule> {
        self.stopped
    }

    /// The number of trials of a move, which is the number of its next continuation.
    #[inline(always)]
    pub fn trials(&self, mv: usize) -> usize {
        self.arms[mv].values.len()
    }

    /// The mean outcome of a move.
    pub fn mean(&self, mv: usize) -> f64 {
        self.arms[mv].mean
    }

    /// The outcomes of a move, one a continuation.
    pub fn values(&self, mv: usize) -> &[f64] {
        &self.arms[mv].values
    }

    /// Whether a move has been pruned for good.
    pub fn pruned(&self, mv: usize) -> bool {
        self.arms[mv].pruned
    }

    /// The differences of the leader to a move.
    pub fn difference(&self, mv: usize) -> Difference {
        self.rows[0].differences[mv]
    }

    /// The differences of any move to another.
    pub fn difference_between(&self, first: usize, second: usize) -> Difference {
        let mut difference = Difference::default();
        for (a, b) in self.arms[first].values.iter().zip(&self.arms[second].values) {
            difference.add(a - b);
        }
        difference.judge();
        difference
    }

    /// Whether a move is as good as the same move as the leader: it is simulated whenever that one is.
    #[inline(always)]
    pub fn co_leads(&self, mv: usize) -> bool {
        let difference = &self.rows[0].differences[mv];
        mv != self.leader && !self.arms[mv].pruned && difference.count >= 2 && difference.below(self.same)
    }

    fn live(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.admitted).filter(|&mv| !self.arms[mv].pruned)
    }

    /// Puts the moves to simulate next into `out`: one, or the leader together with those that differ from it in
    /// nothing. Leaves it empty when a rule says that it is time to stop.
    pub fn next(&mut self, out: &mut Vec<usize>) {
        out.clear();
        self.widen();
        if self.stopped.is_none() {
            self.stopped = self.rule();
        }
        if self.stopped.is_some() || self.admitted == 0 {
            return;
        }
        let chosen = self.choose();
        out.push(chosen);
        if self.fresh == 0 && matches!(self.control.scheduler, Scheduler::ExpectedLoss | Scheduler::Ratio) {
            let together = chosen == self.leader || self.co_leads(chosen);
            if together {
                out.clear();
                out.push(self.leader);
                out.extend((0..self.admitted).filter(|&mv| self.co_leads(mv)));
            }
        }
    }

    fn choose(&mut self) -> usize {
        if self.fresh > 0 || self.control.scheduler == Scheduler::RoundRobin {
            return self.live().min_by_key(|&mv| self.trials(mv)).unwrap_or(self.leader);
        }
        if self.control.scheduler == Scheduler::Ucb1 {
            return self.highest_bound();
        }
        if self.trials(self.leader) < self.most {
            return self.leader;
        }
        if self.random.unit() < self.control.epsilon {
            let lucky = self.random.below(self.live);
            return self.live().nth(lucky).unwrap_or(self.leader);
        }
        let (by_ratio, row) = (self.control.scheduler == Scheduler::Ratio, &mut self.rows[0].differences);
        let mut best = (self.leader, f64::NEG_INFINITY, f64::INFINITY);
        for (mv, (difference, arm)) in row.iter_mut().zip(&self.arms).enumerate().take(self.admitted) {
            if arm.pruned || mv == self.leader || difference.below(self.same) {
                continue;
            }
            let error = if by_ratio { 0.0 } else { *difference.error.get_or_insert(difference.error()) };
            // errors that are too small for a number are told apart by the ratio
            if error > best.1 || error == best.1 && difference.ratio < best.2 {
                best = (mv, error, difference.ratio);
            }
        }
        best.0
    }

    /// The move with the highest upper confidence bound; the first of equal ones.
    fn highest_bound(&self) -> usize {
        let weight = self.control.c * ln(self.total as f64).sqrt() * self.spread();
        let bound = |mv: usize| self.arms[mv].mean + weight / (self.trials(mv) as f64).sqrt();
        self.live()
            .fold((self.leader, f64::NEG_INFINITY), |best, mv| if bound(mv) > best.1 { (mv, bound(mv)) } else { best })
            .0
    }

    /// Adds the outcome of a move's next continuation.
    #[inline]
    pub fn add(&mut self, mv: usize, value: f64) {
        let arm = &mut self.arms[mv];
        arm.values.push(value);
        arm.sum += value;
        let count = arm.values.len();
        arm.mean = arm.sum / count as f64;
        self.total += 1;
        self.most = self.most.max(count);
        self.seen = (self.seen.0.min(value), self.seen.1.max(value));
        self.fresh -= usize::from(mv < self.admitted && count == self.control.minimum);
        self.lead(mv);
        if mv == self.leader {
            for other in 0..self.admitted {
                self.compare(other);
            }
        } else {
            self.compare(mv);
        }
        if self.total >= self.same_due {
            self.same_due = self.total + PERIOD.max(self.admitted as u64);
            self.find_same();
        }
    }

    /// Finds the leader after a trial of a move.
    #[inline(always)]
    fn lead(&mut self, mv: usize) {
        let (mean, leader) = (self.arms[mv].mean, self.leader);
        let leader_is_open = !self.arms[leader].pruned && !self.arms[leader].values.is_empty();
        if mv != leader {
            let better = mean > self.arms[leader].mean || mean == self.arms[leader].mean && mv < leader;
            if !self.arms[mv].pruned && (better || !leader_is_open) {
                self.follow(mv);
            }
            return;
        }
        let mut best = leader;
        for other in 0..self.admitted {
            let arm = &self.arms[other];
            let higher = arm.mean > self.arms[best].mean || arm.mean == self.arms[best].mean && other < best;
            if !arm.pruned && !arm.values.is_empty() && higher {
                best = other;
            }
        }
        if best != leader {
            self.follow(best);
        }
    }

    /// Makes a move the leader.
    #[cold]
    fn follow(&mut self, mv: usize) {
        self.leader = mv;
        let at = self.rows.iter().position(|row| row.leader == mv).unwrap_or_else(|| {
            if self.rows.len() == ROWS {
                self.rows.pop();
            }
            self.rows.push(Row { leader: mv, differences: vec![Difference::default(); self.arms.len()] });
            self.rows.len() - 1
        });
        self.rows[..=at].rotate_right(1);
        for other in 0..self.admitted {
            self.compare(other);
        }
        self.same_due = self.total;
    }

    /// Brings the differences of the leader to a move up to date.
    #[inline]
    fn compare(&mut self, mv: usize) {
        let (mine, theirs) = (&self.arms[self.leader].values, &self.arms[mv].values);
        let common = mine.len().min(theirs.len());
        let difference = &mut self.rows[0].differences[mv];
        if mv == self.leader || difference.count == common {
            return;
        }
        for at in difference.count..common {
            difference.add(mine[at] - theirs[at]);
        }
        difference.judge();
        let difference = *difference;
        let Some(sigmas) = self.control.sigmas else { return };
        if common >= self.control.minimum
            && difference.ratio > sigmas
            && difference.mean > sigmas * self.doubt(&difference)
            && !self.arms[mv].pruned
        {
            self.arms[mv].pruned = true;
            self.live -= 1;
        }
    }

    fn spread(&self) -> f64 {
        let (low, high) = self.control.range.unwrap_or(self.seen);
        (high - low).max(0.0)
    }

    /// σ, or what it would be if one of the trials had turned out the opposite extreme.
    fn doubt(&self, difference: &Difference) -> f64 {
        difference.sigma().max(self.spread() / difference.count.max(1) as f64)
    }

    /// Computes which differences count as none.
    fn find_same(&mut self) {
        let mut variances = std::mem::take(&mut self.variances);
        variances.clear();
        variances.extend(self.live().filter(|&mv| mv != self.leader).map(|mv| self.rows[0].differences[mv].variance()));
        let half = variances.len() / 2;
        let median = if variances.is_empty() { 0.0 } else { *variances.select_nth_unstable_by(half, f64::total_cmp).1 };
        self.variances = variances;
        self.same = (SAME * SAME).max(SAME_SHARE * SAME_SHARE * median);
    }

    /// Lets the next move join when all others have been tried often enough.
    fn widen(&mut self) {
        let after = self.control.widen_after;
        if after == 0 || self.admitted == self.arms.len() || self.live().any(|mv| self.trials(mv) < after) {
            return;
        }
        let joined = self.admitted;
        self.admitted += 1;
        self.live += 1;
        self.fresh += usize::from(self.trials(joined) < self.control.minimum);
        self.lead(joined);
        self.compare(joined);
    }

    /// The rule that says that it is time to stop.
    fn rule(&mut self) -> Option<Rule> {
        if self.fresh > 0 || self.control.widen_after > 0 && self.admitted < self.arms.len() {
            return None;
        }
        if self.control.sigmas.is_some() && self.live == 1 {
            return Some(Rule::Obvious);
        }
        if self.total < self.rules_due {
            return None;
        }
        self.rules_due = self.total + PERIOD;
        if self.control.tolerance.is_some_and(|tolerance| self.indifferent(tolerance)) {
            return Some(Rule::Difference);
        }
        let left = self.control.budget?.saturating_sub(self.total);
        self.settled(left).then_some(Rule::Bound)
    }

    /// Whether every move that may still be the best is as good as the leader.
    fn indifferent(&self, tolerance: f64) -> bool {
        let tolerance = tolerance * self.spread();
        let mut rivals = false;
        for mv in self.live().filter(|&mv| mv != self.leader) {
            let difference = &self.rows[0].differences[mv];
            let margin = CONFIDENCE * self.doubt(difference);
            if difference.mean > margin {
                continue;
            }
            rivals = true;
            if difference.mean.abs() + margin > tolerance {
                return false;
            }
        }
        rivals
    }

    /// Whether no move can overtake the leader in so many trials, however they turn out and whoever gets them.
    fn settled(&self, left: u64) -> bool {
        let Some((low, high)) = self.control.range else { return false };
        let (n, leader) = (self.trials(self.leader) as f64, self.arms[self.leader].sum);
        let above = (leader - n * low).max(0.0);
        self.live().filter(|&mv| mv != self.leader).all(|mv| {
            // with x trials of the move in the end and y of the leader, the best mean of the one falls short of `high` by
            // below / x and the worst mean of the other exceeds `low` by above / y
            let (m, left) = (self.trials(mv) as f64, left as f64);
            let below = (m * high - self.arms[mv].sum).max(0.0);
            let (a, b) = (above.sqrt(), below.sqrt());
            let x = if a + b > 0.0 { (n + m + left) * b / (a + b) } else { m };
            let x = x.clamp(m, m + left);
            below / x + above / (n + m + left - x) >= high - low
        })
    }

    /// What is expected to be lost by stopping now: the sum of the errors of all moves.
    pub fn error(&self) -> f64 {
        self.live().filter(|&mv| mv != self.leader).map(|mv| self.rows[0].differences[mv].error()).sum()
    }
}
