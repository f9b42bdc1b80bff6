//! B*: best-first search with two bounds a node, which ends when a move is proven best.

use std::cmp::Reverse;

use kibitz_game::{Bound, Range, Report, Score};

use crate::best_first::{self, Edge, Method, ROOT, Tree, TreeOf};
use crate::{Context, NotSupported, Searchable};

/// Which of the root's moves is worked on next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// `ProveBest`: the move with the highest optimistic value, to raise its pessimistic value.
    ProveBest,
    /// `DisproveRest`: of the others the one with the highest optimistic value, to lower it.
    DisproveRest,
    /// Berliner's criterion by depths: the rest is disproved while the squares of the depths from which the optimistic
    /// values of the others were backed up add up to less than the square of that of the best.
    #[default]
    Depths,
}

/// B* (H. Berliner, *The B\* Tree Search Algorithm: A Best-First Proof Procedure*, Artificial Intelligence 12, 1979).
///
/// Every position has a pessimistic and an optimistic value, and the search ends when the pessimistic value of one of the
/// root's moves is no less than the optimistic values of all others: that move is best, whatever it is worth. Below the root
/// the player to move follows the highest optimistic value.
///
/// The bounds are [`kibitz_game::Evaluate::bounds`], which hold for sure. A `margin` around the evaluation is used instead where one is
/// given; then what is found is as good as the margin.
#[derive(Clone, Debug)]
pub struct BStar {
    /// Which of the root's moves is worked on next.
    pub strategy: Strategy,
    /// Takes the evaluation minus and plus so much, in units of the result, for bounds of positions that are not over.
    pub margin: Option<f64>,
    /// The memory that the tree may use, in megabytes; the search ends when it is full.
    pub memory_mb: usize,
}

impl Default for BStar {
    fn default() -> Self {
        Self { strategy: Strategy::Depths, margin: None, memory_mb: 256 }
    }
}

impl BStar {
    /// Searches until a move is proven best, a limit is reached or the memory is full.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let margin = self.margin.map(|margin| (margin * f64::from(game.unit())).round().clamp(0.0, 1e9) as Score);
        let method = Intervals { strategy: self.strategy, margin, disproofs: 0 };
        best_first::search(method, self.memory_mb, game, position, context)
    }
}

/// What is known of the position behind a move, in the view of the player who chooses it.
#[derive(Clone, Copy, Debug)]
struct Interval {
    pessimistic: Score,
    optimistic: Score,
    /// How many plies below the move the position lies from which the optimistic value was backed up.
    depth: u32,
    visits: u32,
}

impl Interval {
    fn open(&self) -> bool {
        self.pessimistic < self.optimistic
    }

    /// The same in the view of the opponent.
    fn reversed(self) -> Self {
        Self { pessimistic: -self.optimistic, optimistic: -self.pessimistic, ..self }
    }
}

struct Intervals {
    strategy: Strategy,
    margin: Option<Score>,
    disproofs: u64,
}

/// The edge of the root with the highest pessimistic value, of equal ones that with the highest optimistic value.
fn leader<P, M: Copy>(tree: &Tree<P, M, Interval>) -> usize {
    let rank = |&edge: &usize| {
        let Interval { pessimistic, optimistic, .. } = tree.edges[edge].known;
        (pessimistic, optimistic, Reverse(edge))
    };
    tree.range(ROOT).max_by_key(rank).unwrap_or(0)
}

/// Whether one of the root's moves is no worse than any other for sure.
fn separated<P, M: Copy>(tree: &Tree<P, M, Interval>) -> bool {
    let leader = leader(tree);
    let pessimistic = tree.edges[leader].known.pessimistic;
    tree.range(ROOT).all(|edge| edge == leader || tree.edges[edge].known.optimistic <= pessimistic)
}

/// The edge with the highest optimistic value; of equal ones that with the highest pessimistic value, then the first.
fn hopeful<P, M: Copy>(tree: &Tree<P, M, Interval>, edges: impl Iterator<Item = usize>) -> Option<usize> {
    edges.max_by_key(|&edge| {
        let Interval { pessimistic, optimistic, .. } = tree.edges[edge].known;
        (optimistic, pessimistic, Reverse(edge))
    })
}

/// The bounds of a node for its player.
fn backed_up<P, M: Copy>(tree: &Tree<P, M, Interval>, node: u32) -> Interval {
    let mut all = Interval { pessimistic: Score::MIN, optimistic: Score::MIN, depth: 0, visits: 0 };
    for Edge { known, .. } in tree.edges(node) {
        all.pessimistic = all.pessimistic.max(known.pessimistic);
        if known.optimistic > all.optimistic {
            all.optimistic = known.optimistic;
            all.depth = known.depth + 1;
        }
    }
    all
}

impl Intervals {
    /// The edge of the root to follow.
    fn choose<P, M: Copy>(&mut self, tree: &Tree<P, M, Interval>) -> Option<usize> {
        let interval = |edge: usize| tree.edges[edge].known;
        let best = hopeful(tree, tree.range(ROOT))?;
        let prove = interval(best).open().then_some(best);
        let disprove = hopeful(tree, tree.range(ROOT).filter(|&edge| edge != best && interval(edge).open()));
        let square = |edge: usize| u64::from(interval(edge).depth + 1).pow(2);
        let rest = match self.strategy {
            Strategy::ProveBest => false,
            Strategy::DisproveRest => true,
            Strategy::Depths => {
                let pessimistic = interval(best).pessimistic;
                let others = tree.range(ROOT).filter(|&edge| edge != best);
                // a move that is already no better is no alternative
                let alternatives = others.filter(|&edge| interval(edge).optimistic > pessimistic);
                alternatives.map(square).sum::<u64>() < square(best)
            }
        };
        let (wish, other) = if rest { (disprove, prove) } else { (prove, disprove) };
        self.disproofs += u64::from(rest && wish.is_some() || !rest && wish.is_none());
        wish.or(other)
    }
}

impl<G: Searchable> Method<G> for Intervals {
    const NAME: &'static str = "BStar";
    type Known = Interval;

    fn look(&self, game: &G, child: &G::Position, over: bool, player: usize) -> Interval {
        let Range { low, high } = if over {
            let score = game.score(child, player);
            Range { low: score, high: score }
        } else if let Some(margin) = self.margin {
            let value = game.evaluate(child, player);
            let Range { low, high } = game.range(player);
            Range { low: value.saturating_sub(margin).max(low), high: value.saturating_add(margin).min(high) }
        } else {
            game.bounds(child, player)
        };
        Interval { pessimistic: low, optimistic: high, depth: 0, visits: 0 }
    }

    fn ended(&self, tree: &TreeOf<G, Self>) -> bool {
        separated(tree)
    }

    fn follow(&mut self, tree: &TreeOf<G, Self>, node: u32) -> Option<usize> {
        if node == ROOT {
            return self.choose(tree);
        }
        hopeful(tree, tree.range(node).filter(|&edge| tree.edges[edge].known.open()))
    }

    fn back_up(&mut self, tree: &mut TreeOf<G, Self>, path: &[u32]) {
        for (i, &edge) in path.iter().enumerate().rev() {
            let edge = edge as usize;
            let child = tree.edges[edge].child;
            let same = tree.node(child).player == tree.parent(path, i).player;
            let below = backed_up(tree, child);
            let below = if same { below } else { below.reversed() };
            let known = &mut tree.edges[edge].known;
            known.visits += 1;
            known.depth = below.depth;
            // both the old and the new bounds hold, unless they are guesses
            let (low, high) = (known.pessimistic.max(below.pessimistic), known.optimistic.min(below.optimistic));
            if low <= high {
                (known.pessimistic, known.optimistic) = (low, high);
            } else {
                (known.pessimistic, known.optimistic) = (below.pessimistic, below.optimistic);
            }
        }
    }

    fn decide(&self, tree: &TreeOf<G, Self>) -> Option<usize> {
        if separated(tree) { Some(leader(tree)) } else { Method::<G>::principal(self, tree, ROOT) }
    }

    /// The highest middle of the bounds.
    fn principal(&self, tree: &TreeOf<G, Self>, node: u32) -> Option<usize> {
        tree.range(node).max_by_key(|&edge| {
            let Interval { pessimistic, optimistic, .. } = tree.edges[edge].known;
            (i64::from(pessimistic) + i64::from(optimistic), Reverse(edge))
        })
    }

    fn tell(known: &Interval) -> (Score, u32) {
        (known.pessimistic, known.visits)
    }

    fn conclude(&self, game: &G, tree: &TreeOf<G, Self>, report: &mut Report<G::Move>) -> Vec<(&'static str, f64)> {
        let result = |value: Score| game.result(f64::from(value));
        let root = backed_up(tree, ROOT);
        report.value = result(root.pessimistic);
        let exact = root.pessimistic == root.optimistic;
        report.proven = exact && self.margin.is_none();
        report.bound = match (self.margin, exact) {
            (Some(_), _) => Bound::Estimate,
            (None, true) => Bound::Exact,
            (None, false) => Bound::Lower,
        };
        vec![
            ("separated", f64::from(u8::from(separated(tree)))),
            ("pessimistic", result(root.pessimistic)),
            ("optimistic", result(root.optimistic)),
            ("disproofs", self.disproofs as f64),
        ]
    }
}
