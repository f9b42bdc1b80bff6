//! Searches in which all opponents are one: paranoid, best-reply, best-reply+ and the ablation that moves only the root
//! player.

use kibitz_game::{Iteration, Limits, Report, Turn};

use super::reduced::{Reduced, Reduction, Reply, Sided, Utility};
use crate::{AlphaBeta, Context, Noise, NotSupported, Searchable, refuse_hidden, require_end};

/// The parameters of the family. The defaults are those of best-reply search as published.
#[derive(Clone, Debug)]
pub struct Coalition {
    /// What the opponents may do.
    pub reduction: Reduction,
    /// What the player at the root makes large.
    pub utility: Utility,
    /// A random term of the evaluation.
    pub noise: Noise,
    /// How the game of two that comes of it is searched.
    pub search: AlphaBeta,
}

impl Default for Coalition {
    fn default() -> Self {
        Self {
            reduction: Reduction::BestReply,
            utility: Utility::Difference,
            noise: Noise::default(),
            search: AlphaBeta { name: "BestReply", ..AlphaBeta::default() },
        }
    }
}

impl Coalition {
    /// The greatest ply that a search within these limits can reach.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        self.search.deepest(limits)
    }

    /// Searches until a limit is reached or every line has come to the end of the game.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        refuse_hidden(self.search.name, game)?;
        require_turns(self.search.name, self.reduction, game)?;
        if !G::MANY {
            // the game has two players, and all of these are alpha-beta
            return self.two_players(game, position, context);
        }
        require_end(game, position, context.limits)?;
        let Turn::Player(max) = game.turn(position) else {
            return super::nobody_moves(self.search.name, game, position);
        };
        let reduced = Reduced::new(game, self.reduction, self.utility, self.noise, max);
        let root = Sided::root(position);
        let told = &mut *context.progress;
        let mut progress = |step: &Iteration<Reply<G::Move>>| told(&translated(&reduced, position, step));
        let limits = context.limits;
        let inner = &mut Context { limits, stop: context.stop, past: context.past, progress: &mut progress };
        let found = self.search.search(&reduced, &root, inner)?;
        Ok(Report {
            best: found.best.map(|reply| reply.mv),
            value: found.value,
            bound: found.bound,
            values: Vec::new(),
            pv: line(&reduced, position, &found.pv),
            nodes: found.nodes,
            depth: found.depth,
            time: found.time,
            // what nobody could reach by the rules proves nothing
            proven: found.proven && (game.players() == 2 || self.reduction == Reduction::Paranoid),
            history: found.history.iter().map(|step| translated(&reduced, position, step)).collect(),
            children: Vec::new(),
            stats: found.stats,
            depths: found.depths,
            trace: None,
        })
    }

    fn two_players<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let name = self.search.name;
        if self.reduction == Reduction::RootOnly {
            return Err(NotSupported(format!(
                "{name} is about games of many players; this one never has more than two"
            )));
        }
        if self.noise.deviation > 0.0 {
            return Err(NotSupported(format!(
                "{name} is AlphaBeta in a game that never has more than two players, and has no noise there"
            )));
        }
        self.search.search(game, position, context)
    }
}

/// The moves of the game in a line of the reduced one, as far as the rules allow them one after the other.
pub(crate) fn line<G: Searchable>(
    reduced: &Reduced<'_, G>,
    position: &G::Position,
    replies: &[Reply<G::Move>],
) -> Vec<G::Move> {
    let mut position = position.clone();
    let mut line = Vec::with_capacity(replies.len());
    for &reply in replies {
        if !reduced.expand(&mut position, reply, &mut line) {
            break;
        }
    }
    line
}

pub(crate) fn translated<G: Searchable>(
    reduced: &Reduced<'_, G>,
    position: &G::Position,
    step: &Iteration<Reply<G::Move>>,
) -> Iteration<G::Move> {
    Iteration {
        depth: step.depth,
        value: step.value,
        nodes: step.nodes,
        time: step.time,
        pv: line(reduced, position, &step.pv),
    }
}

/// Refuses games in which players cannot move out of turn, where they would have to.
pub(crate) fn require_turns<G: Searchable>(name: &str, reduction: Reduction, game: &G) -> Result<(), NotSupported> {
    let players = game.players();
    if G::ANY_TURN || players < 3 {
        return Ok(());
    }
    match reduction {
        Reduction::BestReply => Err(NotSupported(format!(
            "{name} lets opponents pass, and this game of {players} players knows no moves out of turn (in a trick, say, \
             everybody must play a card, or hands get different sizes and the end is undefined): use BestReplyPlus, \
             Paranoid or MaxN"
        ))),
        Reduction::RootOnly => Err(NotSupported(format!(
            "{name} lets everybody else pass, and this game knows no moves out of turn: use BestReplyPlus"
        ))),
        Reduction::Paranoid | Reduction::BestReplyPlus => Ok(()),
    }
}
