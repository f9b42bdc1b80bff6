//! Search in games of many players.
//!
//! C. Luckhardt, K. Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986; R. Korf, *Multi-Player Alpha-Beta
//! Pruning*, Artificial Intelligence 48 (1991); N. Sturtevant, R. Korf, *On Pruning Techniques for Multi-Player Games*, AAAI
//! 2000; N. Sturtevant, *Multi-Player Games: Algorithms and Approaches*, 2003; M. Schadd, M. Winands, *Best-Reply Search for
//! Multi-Player Games*, IEEE TCIAIG 3 (2011).
//!
//! There are two skeletons. Where every player counts for himself a value is a tuple ([`MaxN`], and the opponent models of
//! [`SoftMaxN`] and [`ProbMaxN`]). Where all others are one opponent a game of many players is a game of two
//! ([`reduced`]), and the search is alpha-beta as it is: [`Coalition`].

pub(crate) mod coalition;
mod leaf;
mod max_n;
mod mp_mix;
mod prob_max_n;
pub(crate) mod reduced;
mod soft_max_n;
mod tuple_table;

pub use coalition::Coalition;
pub use max_n::{MaxN, Pruning, Ties};
pub use mp_mix::MpMix;
pub use prob_max_n::{ProbMaxN, Types};
pub use reduced::{Reduction, Utility};
pub use soft_max_n::{Prudence, SoftMaxN};

/// As many players as a tuple has room for.
pub const MOST_PLAYERS: usize = 8;

use kibitz_game::{Report, Score, Turn};

use crate::{NotSupported, Searchable};

/// A value for each player; what is beyond the last player is 0.
type Tuple = [Score; MOST_PLAYERS];

/// What there is to say where no player is to move.
fn nobody_moves<G: Searchable>(
    method: &str,
    game: &G,
    position: &G::Position,
) -> Result<Report<G::Move>, NotSupported> {
    if game.turn(position) == Turn::Chance {
        return Err(NotSupported::chance(method));
    }
    let values: Vec<f64> =
        (0..game.players()).map(|player| game.result(f64::from(game.score(position, player)))).collect();
    Ok(Report { value: values[0], values, nodes: 1, proven: true, ..Report::new() })
}

/// Refuses games that a search of tuples cannot search.
fn require_tuples<G: Searchable>(method: &str, game: &G) -> Result<(), NotSupported> {
    crate::refuse_hidden(method, game)?;
    if !G::MANY {
        return Err(NotSupported::two_players(method));
    }
    if game.players() > MOST_PLAYERS {
        return Err(NotSupported(format!(
            "{method} searches games of at most {MOST_PLAYERS} players; this one has {}: use Uct",
            game.players()
        )));
    }
    Ok(())
}
