//! Searches of one player for the best line of a puzzle. What counts is the best line ever seen and not the value of a move.
//!
//! [`record`] has the best line of all threads, [`effort`] what a thread may spend, and [`team`] the independent searches that
//! threads share; [`playing`] has the playouts. One file a method: [`annealing`], [`sp_mcts`], [`nested_monte_carlo`], [`nested_rollout`] with its
//! [`policy`], [`beam`], and [`a_star`] with [`ida_star`]; [`lineage`] has the lines of those that
//! go back and forth between them.

mod a_star;
mod annealing;
mod beam;
mod effort;
mod ida_star;
mod lineage;
mod nested_monte_carlo;
mod nested_rollout;
mod playing;
mod policy;
mod record;
mod sp_mcts;
mod team;

use kibitz_game::{Bound, Report, Turn};

use crate::{NotSupported, Searchable, refuse_hidden};

pub use a_star::AStar;
pub use annealing::SimulatedAnnealing;
pub use beam::{BeamSearch, Layers};
pub use ida_star::IdaStar;
pub use nested_monte_carlo::NestedMonteCarlo;
pub use nested_rollout::NestedRollout;
pub use playing::Strategy as PlayoutStrategy;
pub use sp_mcts::{Plan, SpMcts, TimeControl, Untried, Winner};

/// A line whose moves are not all the player's own.
fn chance(method: &str) -> NotSupported {
    NotSupported(format!("{method} searches games without chance; this one has chance nodes: use Uct"))
}

/// The report of a search that has just begun: the result of a game that is over, which is proven, or a guess and any move. Games that
/// are no puzzles are refused.
fn first_report<G: Searchable>(
    method: &str,
    game: &G,
    position: &G::Position,
) -> Result<Report<G::Move>, NotSupported> {
    refuse_hidden(method, game)?;
    if game.players() != 1 {
        return Err(NotSupported::players(method, game.players()));
    }
    let mut report = Report { bound: Bound::Estimate, ..Report::new() };
    match game.turn(position) {
        Turn::Chance => return Err(chance(method)),
        Turn::Over => {
            report.value = game.result(f64::from(game.score(position, 0)));
            report.bound = Bound::Exact;
            report.proven = true;
        }
        Turn::Player(_) => {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            report.best = moves.first().copied();
            report.pv.extend(report.best);
            report.value = game.result(f64::from(game.evaluate(position, 0)));
        }
    }
    Ok(report)
}
