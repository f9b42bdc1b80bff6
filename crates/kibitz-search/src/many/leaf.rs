//! What a position at the horizon is worth, with an error where one is wanted.
//!
//! The papers add a small random number to every evaluation, so that games differ. It is redrawn for each search, since with
//! one for a whole game players may walk in circles for ever, and is fixed inside a search, since the table relies on it: a
//! function of the position and the seed of the search.

use kibitz_game::{Range, Score};

use super::{MOST_PLAYERS, reduced::Utility};
use crate::{Noise, Searchable};

/// A value with its error, strictly inside the range where the value is.
fn disturbed(value: Score, range: Range, unit: Score, noise: Noise, key: u64) -> Score {
    let error = noise.deviation * f64::from(unit) * noise.normal(key);
    let (low, high) = (range.low.saturating_add(1), range.high.saturating_sub(1));
    if low > high { value } else { ((f64::from(value) + error).round() as Score).clamp(low, high) }
}

/// The value for one player.
#[inline(always)]
pub(super) fn scalar<G: Searchable>(
    game: &G,
    position: &G::Position,
    player: u8,
    utility: Utility,
    noise: Noise,
) -> Score {
    let player = usize::from(player);
    let value = match utility {
        Utility::Difference => game.evaluate(position, player),
        Utility::Own => game.own_value(position, player),
    };
    if noise.deviation == 0.0 {
        return value;
    }
    disturbed(value, game.range(player), game.unit(), noise, game.key(position))
}

/// What every player has. Each has an error of his own, none of which makes the sum greater than it may be.
#[inline(always)]
pub(super) fn tuple<G: Searchable>(
    game: &G,
    position: &G::Position,
    players: usize,
    noise: Noise,
) -> [Score; MOST_PLAYERS] {
    let mut values = [0; MOST_PLAYERS];
    game.own_values(position, &mut values[..players]);
    if noise.deviation == 0.0 {
        return values;
    }
    let key = game.key(position);
    for (player, value) in values.iter_mut().enumerate().take(players) {
        let noise = Noise { seed: noise.seed.wrapping_add(player as u64), ..noise };
        *value = disturbed(*value, game.range(player), game.unit(), noise, key);
    }
    if let Some(greatest) = game.greatest_sum() {
        let mut excess = values[..players].iter().map(|&value| i64::from(value)).sum::<i64>() - greatest;
        for (player, value) in values.iter_mut().enumerate().take(players) {
            let taken = excess.clamp(0, i64::from(*value) - i64::from(game.range(player).low));
            *value -= taken as Score;
            excess -= taken;
        }
    }
    values
}
