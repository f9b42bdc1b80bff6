//! UBFM: unbounded best-first minimax with completion.

use std::cmp::Reverse;

use kibitz_game::{Bound, Report, Score};

use crate::best_first::{self, Edge, Method, ROOT, Tree, TreeOf};
use crate::{Context, NotSupported, Searchable};

/// How the move to play is chosen from the root's statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// The most visits, but never a proven loss where there is another move, and a proven win at once: `UBFM_s`.
    #[default]
    Safest,
    /// The highest value.
    Best,
}

/// Unbounded best-first minimax (Korf and Chickering 1996) with the completion and the safest decision of Q. Cohen-Solal,
/// *Learning to Play Two-Player Perfect-Information Games without Knowledge*, arXiv:2008.01188 (2020).
///
/// An iteration follows the best move of each position to a position that has not been expanded, evaluates all positions
/// one move behind it and backs the values up by minimax. Of equal moves the less visited one is followed while searching, and
/// the more visited one counts as the best.
///
/// Completion keeps what is known apart from what is estimated. A position is resolved when the game is over there, when a
/// move leads to a resolved position of the best possible result, or when all moves lead to resolved positions. Resolved positions
/// are not entered again, so the search goes on where something can still be learned, and it ends with the
/// game-theoretic value of every finite game if memory lasts. The paper keeps the sign of a resolved game as a value of
/// its own that is compared first; here an evaluation lies strictly inside the range of results, which orders in
/// the same way.
///
/// The paper's table merges transpositions; this is a tree, so that no value depends on the line by which a position was
/// reached, and repetitions need no rule.
#[derive(Clone, Debug)]
pub struct Ubfm {
    /// Propagates resolved positions and never enters one again. Without it the search ends as soon as the best line
    /// comes to the end of the game, as in Korf and Chickering's original.
    pub completion: bool,
    /// How the move is chosen at the end.
    pub decision: Decision,
    /// The memory that the tree may use, in megabytes; the search ends when it is full.
    pub memory_mb: usize,
}

impl Default for Ubfm {
    fn default() -> Self {
        Self { completion: true, decision: Decision::Safest, memory_mb: 256 }
    }
}

impl Ubfm {
    /// Searches until a limit is reached, the memory is full or the root is resolved.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let range = |player: usize| game.range(player.min(game.players() - 1));
        let method = Completion {
            ubfm: self,
            best: [0, 1].map(|player| range(player).high),
            worst: [0, 1].map(|player| range(player).low),
            resolved: false,
        };
        best_first::search(method, self.memory_mb, game, position, context)
    }
}

/// What is known of the position behind a move, in the view of the player who chooses it.
#[derive(Clone, Copy, Debug)]
struct Known {
    value: Score,
    visits: u32,
    resolved: bool,
}

struct Completion<'a> {
    ubfm: &'a Ubfm,
    /// The greatest and the least result of each player.
    best: [Score; 2],
    worst: [Score; 2],
    /// Whether the root is resolved.
    resolved: bool,
}

impl Completion<'_> {
    /// The value of a node for its player, and whether it is resolved.
    fn backed_up<P, M: Copy>(&self, tree: &Tree<P, M, Known>, node: u32) -> Known {
        let best = self.best[usize::from(tree.node(node).player)];
        let mut all = Known { value: Score::MIN, visits: 0, resolved: true };
        let mut won = false;
        for Edge { known, .. } in tree.edges(node) {
            all.value = all.value.max(known.value);
            all.resolved &= known.resolved;
            won |= known.resolved && known.value == best;
        }
        all.resolved |= won;
        all
    }
}

impl<G: Searchable> Method<G> for Completion<'_> {
    const NAME: &'static str = "Ubfm";
    type Known = Known;

    fn look(&self, game: &G, child: &G::Position, over: bool, player: usize) -> Known {
        let value = if over { game.score(child, player) } else { game.evaluate(child, player) };
        Known { value, visits: 0, resolved: over }
    }

    fn begin(&mut self, tree: &TreeOf<G, Self>) {
        self.resolved = self.ubfm.completion && self.backed_up(tree, ROOT).resolved;
    }

    fn ended(&self, _: &TreeOf<G, Self>) -> bool {
        self.resolved
    }

    /// The best edge that is not resolved, of equal ones the less visited, of these the first. Without completion a resolved
    /// edge is a finished game, and the line that comes to it is at its end.
    fn follow(&mut self, tree: &TreeOf<G, Self>, node: u32) -> Option<usize> {
        let edges = tree.range(node).zip(tree.edges(node));
        let open = edges.filter(|(_, edge)| !(self.ubfm.completion && edge.known.resolved));
        // `max_by_key` gives the last of equal ones, the number makes it the first
        let (chosen, edge) =
            open.max_by_key(|(number, edge)| (edge.known.value, Reverse(edge.known.visits), Reverse(*number)))?;
        (!edge.known.resolved).then_some(chosen)
    }

    fn back_up(&mut self, tree: &mut TreeOf<G, Self>, path: &[u32]) {
        let mut changed = true;
        for (i, &edge) in path.iter().enumerate().rev() {
            let edge = edge as usize;
            if changed {
                let child = tree.edges[edge].child;
                let same = tree.node(child).player == tree.parent(path, i).player;
                let found = self.backed_up(tree, child);
                let value = if same { found.value } else { -found.value };
                let resolved = self.ubfm.completion && found.resolved;
                let known = &mut tree.edges[edge].known;
                changed = known.value != value || known.resolved != resolved;
                (known.value, known.resolved) = (value, resolved);
            }
            tree.edges[edge].known.visits += 1;
        }
        if changed {
            Method::<G>::begin(self, tree);
        }
    }

    fn decide(&self, tree: &TreeOf<G, Self>) -> Option<usize> {
        if self.resolved || self.ubfm.decision == Decision::Best {
            return Method::<G>::principal(self, tree, ROOT);
        }
        let me = usize::from(tree.node(ROOT).player);
        let rank = |&edge: &usize| {
            let Known { value, visits, resolved } = tree.edges[edge].known;
            let completion = match resolved {
                true if value == self.best[me] => 1,
                true if value == self.worst[me] => -1,
                _ => 0,
            };
            (completion, visits, value, Reverse(edge))
        };
        tree.range(ROOT).max_by_key(rank)
    }

    /// The highest value, of equal ones a resolved one, then the most visits.
    fn principal(&self, tree: &TreeOf<G, Self>, node: u32) -> Option<usize> {
        let rank = |&edge: &usize| {
            let Known { value, visits, resolved } = tree.edges[edge].known;
            (value, resolved, visits, Reverse(edge))
        };
        tree.range(node).max_by_key(rank)
    }

    fn tell(known: &Known) -> (Score, u32) {
        (known.value, known.visits)
    }

    fn conclude(&self, game: &G, tree: &TreeOf<G, Self>, report: &mut Report<G::Move>) -> Vec<(&'static str, f64)> {
        report.value = game.result(f64::from(self.backed_up(tree, ROOT).value));
        report.proven = self.resolved;
        report.bound = if self.resolved { Bound::Exact } else { Bound::Estimate };
        Vec::new()
    }
}
