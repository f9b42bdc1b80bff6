//! What a position is worth to the side about to roll.

use std::sync::LazyLock;

use kibitz_game::{Game, Score, mix};

use super::bear_off;
use super::board::{OFF, Side, contact};
use super::linear::Linear;
use super::network::{CONTACT_HIDDEN, Network, Outcome, RACE_HIDDEN};
use super::weights::Model;
use super::{Backgammon, NOBODY, Phase, Position, UNIT};

/// The kinds of evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Network,
    Linear,
    Pips,
}

/// A kind with its noise.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    kind: Kind,
    /// The standard deviation of the noise on the probability to win.
    noise: f32,
}

impl Evaluation {
    pub fn new(word: &str, thousandths: u32) -> Self {
        let kind = match word {
            "linear" => Kind::Linear,
            "pips" => Kind::Pips,
            _ => Kind::Network,
        };
        Self { kind, noise: thousandths as f32 / 1000.0 }
    }
}

/// What has been learned, ready to be asked.
#[derive(Clone, Debug)]
pub struct Learned {
    pub contact: Network<CONTACT_HIDDEN>,
    pub race: Network<RACE_HIDDEN>,
    /// For contact and for races.
    pub linear: [Linear; 2],
}

/// The weights that come with the program.
pub static LEARNED: LazyLock<Learned> = LazyLock::new(|| {
    Model::read(include_bytes!("weights.bin")).expect("the weights that come with the program are whole").learned()
});

impl Learned {
    /// The probabilities for the side to roll by the networks; where both sides are home, by the databases.
    #[inline]
    pub fn by_network(&self, own: Side, other: Side) -> Outcome {
        if contact(own, other) {
            return consistent(self.contact.ask(own, other), own, other);
        }
        if let Some([win, gammon, lost]) = bear_off::probabilities(own, other) {
            return [win, gammon, 0.0, lost, 0.0];
        }
        consistent(self.race.ask(own, other), own, other)
    }

    /// The probabilities for the side to roll without a hidden layer.
    #[inline]
    pub fn linearly(&self, own: Side, other: Side) -> Outcome {
        let class = usize::from(!contact(own, other));
        consistent(self.linear[class].ask(own, other), own, other)
    }
}

/// The probabilities as the rules allow them: no gammon of a side that has borne off a checker, and none that is more likely than
/// a win.
#[inline(always)]
pub fn consistent(outcome: Outcome, own: Side, other: Side) -> Outcome {
    let [win, gammon, backgammon, lost, lost_backgammon] = outcome;
    let win = win.clamp(0.0, 1.0);
    let gammon = if other.count(OFF) > 0 { 0.0 } else { gammon.clamp(0.0, win) };
    let lost = if own.count(OFF) > 0 { 0.0 } else { lost.clamp(0.0, 1.0 - win) };
    [win, gammon, backgammon.clamp(0.0, gammon), lost, lost_backgammon.clamp(0.0, lost)]
}

/// The value of an outcome in points, with gammons or without.
#[inline(always)]
pub fn equity(outcome: Outcome, gammons: bool) -> f32 {
    let [win, gammon, backgammon, lost, lost_backgammon] = outcome;
    let single = 2.0 * win - 1.0;
    if gammons { single + gammon + backgammon - lost - lost_backgammon } else { single }
}

/// The lead in pips, half a roll added for the side to roll, over its standard deviation, bent into −1 to 1. A roll has 49/6 pips on
/// average with a variance of 665/36, and both sides' rolls vary.
#[inline]
pub fn by_pips(own: Side, other: Side) -> f32 {
    const MEAN: f32 = 49.0 / 6.0;
    const VARIANCE: f32 = 665.0 / 36.0;
    let (own, other) = (own.pips() as f32, other.pips() as f32);
    let lead = other - own + MEAN / 2.0;
    let variance = (own + other).max(1.0) / MEAN * VARIANCE;
    // as steep as the normal distribution in the middle
    lead / (std::f32::consts::FRAC_PI_2 * variance + lead * lead).sqrt()
}

/// A number that looks normally distributed and depends on the position alone: the sum of sixteen bytes of a hash, as GNU
/// Backgammon makes it.
fn noise(own: Side, other: Side, output: u64) -> f32 {
    let key = mix(mix(own.0 as u64, (own.0 >> 64) as u64), mix(other.0 as u64, (other.0 >> 64) as u64));
    let sum = |word: u64| word.to_le_bytes().into_iter().map(u32::from).sum::<u32>();
    let sum = sum(mix(key, 2 * output)) + sum(mix(key, 2 * output + 1));
    // sixteen numbers from 0 to 255: mean 2040, standard deviation 295.6
    (sum as f32 - 2040.0) / 295.6
}

impl Backgammon {
    /// The value for the side to roll in points, the cube left out.
    #[inline]
    fn cubeless(&self, own: Side, other: Side, gammons: bool) -> f32 {
        let Evaluation { kind, noise: deviation } = self.evaluation;
        let mut outcome = match kind {
            Kind::Network => LEARNED.by_network(own, other),
            Kind::Linear => LEARNED.linearly(own, other),
            Kind::Pips => {
                let win = f32::midpoint(1.0, by_pips(own, other));
                [win, 0.0, 0.0, 0.0, 0.0]
            }
        };
        if deviation > 0.0 {
            for (i, (output, share)) in outcome.iter_mut().zip([1.0, 0.25, 0.01, 0.25, 0.01]).enumerate() {
                *output += share * deviation * noise(own, other, i as u64);
            }
            outcome = consistent(outcome, own, other);
        }
        equity(outcome, gammons)
    }
}

#[inline]
pub fn evaluate(game: &Backgammon, position: &Position, player: usize) -> Score {
    let turn = usize::from(position.turn & 1);
    let roller = match position.phase {
        Phase::Opening => return game.range(player).middle(),
        Phase::Doubled => 1 - turn,
        _ => turn,
    };
    let gammons = game.gammons && !(game.jacoby && game.cube > 0 && position.owner == NOBODY);
    let (own, other) = (position.sides[roller], position.sides[1 - roller]);
    let value = match position.phase {
        // the cube will have been turned, so that gammons count
        Phase::Doubled => (2.0 * game.cubeless(own, other, game.gammons)).min(1.0),
        Phase::Beavered => (2.0 * game.cubeless(own, other, game.gammons)).max(-1.0),
        _ => game.cubeless(own, other, gammons),
    };
    let most = game.range(player).high - 1;
    let score = ((value * UNIT as f32).round() as Score) << position.cube;
    let score = score.clamp(-most, most);
    if player == roller { score } else { -score }
}
