//! What the opponents are thought to want: the search policies of many players.
//!
//! N. Sturtevant, *An Analysis of UCT in Multi-Player Games*, Computers and Games 2008; T. Cazenave, *Multi-Player Go*, the
//! same; J. Nijssen and M. Winands, *Search Policies in Multi-Player Games*, ICGA Journal 36 (2013). In the tree of UCT every
//! player makes his own result large, which is maxⁿ. The other two policies are UCT on the game of two that paranoid and
//! best-reply search make of a game of many; games beyond the tree are played by the rules.

use kibitz_game::{Child, Iteration, Report, Turn};

use super::Uct;
use crate::many::coalition::{line, require_turns, translated};
use crate::many::reduced::{Reduced, Reduction, Reply, Sided, Utility};
use crate::{Context, Noise, NotSupported, Searchable, refuse_hidden, require_end};

/// What the others want, where there are several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opponents {
    /// Each for himself.
    #[default]
    MaxN,
    /// All against the player at the root.
    Paranoid,
    /// All against the player at the root, but only one of them moves.
    BestReply,
}

impl Uct {
    /// The search of the reduced game. Nothing is proven there that would hold in the game itself.
    pub(super) fn search_reduced<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        refuse_hidden("Uct with opponents other than maxn", game)?;
        let reduction = if self.opponents == Opponents::Paranoid { Reduction::Paranoid } else { Reduction::BestReply };
        require_turns("Uct with opponents=best-reply", reduction, game)?;
        let Turn::Player(max) = game.turn(position) else {
            return self.search_tree(game, position, context, &mut None);
        };
        require_end(game, position, context.limits)?;
        let reduced = Reduced::new(game, reduction, Utility::Difference, Noise::default(), max);
        let root = Sided::root(position);
        let told = &mut *context.progress;
        let mut progress = |step: &Iteration<Reply<G::Move>>| told(&translated(&reduced, position, step));
        let (limits, stop, past) = (context.limits, context.stop, context.past);
        let inner = &mut Context { limits, stop, past, progress: &mut progress };
        let uct = Self { solver: false, score_bounds: false, proof_numbers: None, trace: 0, ..self.clone() };
        let found = uct.search_tree(&reduced, &root, inner, &mut None)?;
        let child = |child: &Child<Reply<G::Move>>| Child {
            mv: child.mv.mv,
            visits: child.visits,
            value: child.value,
            error: child.error,
        };
        Ok(Report {
            best: found.best.map(|reply| reply.mv),
            value: found.value,
            bound: found.bound,
            values: Vec::new(),
            pv: line(&reduced, position, &found.pv),
            nodes: found.nodes,
            depth: found.depth,
            time: found.time,
            proven: false,
            history: found.history.iter().map(|step| translated(&reduced, position, step)).collect(),
            children: found.children.iter().map(child).collect(),
            stats: found.stats,
            depths: found.depths,
            trace: None,
        })
    }
}
