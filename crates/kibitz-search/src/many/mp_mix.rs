//! MP-Mix: which search to use depends on who leads.
//!
//! I. Zuckerman, A. Felner, S. Kraus, *Mixing Search Strategies for Multi-Player Games*, IJCAI 2009. Before each move the
//! players are compared by what they have. A player who leads clearly defends himself against all others (paranoid); one
//! who is clearly behind a single leader attacks the leader (the directed offensive, [`MaxN::target`]); otherwise everybody
//! plays for himself (maxⁿ).

use kibitz_game::{Limits, Report, Turn};

use super::coalition::Coalition;
use super::leaf;
use super::max_n::MaxN;
use super::reduced::Reduction;
use crate::{AlphaBeta, Context, NotSupported, Searchable};

/// The parameters of MP-Mix.
#[derive(Clone, Debug)]
pub struct MpMix {
    /// By how much the player must lead the second to defend, in units of the result. None: by as much as the second leads the
    /// last, which needs no knowledge of the game; the paper tunes both for each.
    pub defend: Option<f64>,
    /// By how much another player must lead the second to be attacked. None: the same.
    pub attack: Option<f64>,
    /// The search where nobody leads, and that of the attack.
    pub max_n: MaxN,
    /// The search of a player who leads.
    pub paranoid: Coalition,
}

impl Default for MpMix {
    fn default() -> Self {
        let search = AlphaBeta { name: "MpMix", ..AlphaBeta::default() };
        let paranoid = Coalition { reduction: Reduction::Paranoid, search, ..Coalition::default() };
        Self { defend: None, attack: None, max_n: MaxN::default(), paranoid }
    }
}

/// What MP-Mix does in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strategy {
    /// Everybody for himself.
    MaxN,
    /// Against all others.
    Defend,
    /// Against one.
    Attack(u8),
}

impl MpMix {
    /// The greatest ply that a search within these limits can reach.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        self.max_n.deepest(limits).max(self.paranoid.deepest(limits))
    }

    /// Which search is used for a player.
    pub(super) fn strategy<G: Searchable>(&self, game: &G, position: &G::Position, me: u8) -> Strategy {
        let players = game.players();
        let values = leaf::tuple(game, position, players, self.max_n.noise);
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
        let order = &mut order[..players];
        // the first of equal ones leads
        order.sort_by_key(|&player| std::cmp::Reverse(values[player]));
        let [leader, second] = order[..2] else { return Strategy::MaxN };
        let ahead = |player: usize, other: usize| f64::from(values[player]) - f64::from(values[other]);
        let (edge, rest) = (ahead(leader, second), ahead(second, order[players - 1]));
        let clear = |threshold: Option<f64>| match threshold {
            Some(threshold) => edge >= threshold * f64::from(game.unit()),
            None => edge > 0.0 && edge >= rest,
        };
        if leader == usize::from(me) {
            if clear(self.defend) { Strategy::Defend } else { Strategy::MaxN }
        } else if clear(self.attack) {
            Strategy::Attack(leader as u8)
        } else {
            Strategy::MaxN
        }
    }

    /// Searches as the situation asks for.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        super::require_tuples("MpMix", game)?;
        let Turn::Player(me) = game.turn(position) else {
            return super::nobody_moves("MpMix", game, position);
        };
        let strategy = self.strategy(game, position, me);
        let mut report = match strategy {
            Strategy::MaxN => self.max_n.search(game, position, context),
            Strategy::Defend => self.paranoid.search(game, position, context),
            Strategy::Attack(target) => {
                MaxN { target: Some(target), ..self.max_n.clone() }.search(game, position, context)
            }
        }?;
        let name = match strategy {
            Strategy::MaxN => "maxn_searches",
            Strategy::Defend => "defensive_searches",
            Strategy::Attack(_) => "offensive_searches",
        };
        report.stats.push((name, 1.0));
        Ok(report)
    }
}
