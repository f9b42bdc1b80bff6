//! The uniform random player, the yardstick below everything.

use kibitz_game::{Bound, Budget, Random, Report, Turn, key_of_text};

use crate::{Context, NotSupported, Searchable};

/// Picks every legal move with the same probability. The choice depends on the seed and on what the player knows of the
/// position.
#[derive(Clone, Debug, Default)]
pub struct Uniform {
    /// The seed.
    pub seed: u64,
}

impl Uniform {
    /// Picks a move. The value is the middle of the player's range: the method knows nothing.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let budget = Budget::new(context.limits, context.stop);
        let mut report = Report { bound: Bound::Estimate, nodes: 1, ..Report::new() };
        match game.turn(position) {
            Turn::Over => {
                report.value = game.result(f64::from(game.score(position, 0)));
                report.bound = Bound::Exact;
                report.proven = true;
            }
            Turn::Chance => {}
            Turn::Player(me) => {
                // of a game with hidden cards only what the player sees may decide
                let seen =
                    if G::HIDDEN { key_of_text(&game.view(position, usize::from(me))) } else { game.key(position) };
                let mut random = Random::stream(self.seed, seen);
                report.best = Some(game.random_move(position, &mut random, &mut Vec::new()));
                report.pv.extend(report.best);
                report.value = game.result(f64::from(game.range(usize::from(me)).middle()));
            }
        }
        report.time = budget.elapsed();
        Ok(report)
    }
}
