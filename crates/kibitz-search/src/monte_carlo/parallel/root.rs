//! Root parallelisation: a tree a thread, added up at the end.

use std::sync::atomic::{AtomicBool, Ordering};

use kibitz_game::{Budget, Limits, Report};

use super::super::cells::UNPROVEN;
use super::super::run;
use super::super::simulation::{Setup, Worker};
use super::super::tree::{Node, ROOT, Tree};
use crate::helper::spawn;
use crate::{Context, Searchable};

/// Searches with a tree for each thread, which `trees` may have already, and leaves them there. `limits` are the share of each
/// thread. One thread is the sequential search.
pub(in super::super) fn root<G: Searchable>(
    setup: &Setup<'_, G>,
    trees: &mut Vec<Tree<G::Position, G::Move>>,
    context: &mut Context<'_, G::Move>,
    limits: &Limits,
    budget: &mut Budget<'_>,
    done: &AtomicBool,
    report: &mut Report<G::Move>,
) {
    let threads = setup.uct.threads.max(1);
    let stop = context.stop;
    let mut kept = std::mem::take(trees).into_iter();
    let grow = |id: usize, kept: Option<Tree<G::Position, G::Move>>| {
        let mut worker = Worker::new(setup, id as u64);
        let tree = kept.unwrap_or_else(|| {
            let mut tree = setup.tree(setup.uct.memory_mb / threads, false, limits.simulations);
            worker.plant(&mut tree);
            tree
        });
        (tree, worker)
    };
    let first = kept.next();
    let help = |id: usize, kept: Option<Tree<G::Position, G::Move>>| {
        let mut budget = Budget::new(limits, stop).until(done);
        let (mut tree, mut worker) = grow(id, kept);
        run(&mut tree, &mut worker, limits, &mut |_| {}, &mut budget, &mut Report::new());
        done.fetch_or(setup.root_value(&tree).is_some(), Ordering::Relaxed);
        (tree, worker.tally, budget.nodes)
    };
    let help = &help;
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .filter_map(|id| {
                let kept = kept.next();
                spawn(scope, move || help(id, kept))
            })
            .collect();
        let (mut tree, mut worker) = grow(0, first);
        run(&mut tree, &mut worker, limits, context.progress, budget, report);
        done.fetch_or(setup.root_value(&tree).is_some(), Ordering::Relaxed);
        let mut tally = worker.tally;
        let mut others = Vec::new();
        for helper in helpers {
            let (other, theirs, nodes) = helper.join();
            if !tree.is_empty() && !other.is_empty() {
                join(setup, &tree, &other);
                tally.join(&theirs);
                others.push(other);
            }
            budget.nodes += nodes;
        }
        if !tree.is_empty() {
            setup.conclude(&tree, &others, &tally, false, report);
            trees.push(tree);
            trees.extend(others);
        }
    });
}

/// Adds the root's statistics of another tree of the same position; what either has proven is proven.
fn join<G: Searchable>(setup: &Setup<'_, G>, tree: &Tree<G::Position, G::Move>, other: &Tree<G::Position, G::Move>) {
    let edges = |tree: &Tree<G::Position, G::Move>| {
        let Node { first, count, .. } = tree.node(ROOT);
        first..first + count
    };
    for mine in edges(tree) {
        let Some(theirs) = edges(other).find(|&edge| other.mv(edge) == tree.mv(mine)) else { continue };
        tree.join(mine, other, theirs);
        let proven = other.proven(theirs);
        if tree.proven(mine) == UNPROVEN && proven != UNPROVEN {
            tree.prove_edge(ROOT, mine, proven, setup.reward(proven, usize::from(setup.me)));
        }
    }
    tree.try_all(ROOT);
    // what neither has proven alone both may have proven together
    let values = edges(tree).map(|edge| tree.proven(edge));
    let (best, open) = (values.clone().max().unwrap_or(UNPROVEN), values.clone().any(|value| value == UNPROVEN));
    if best == setup.game.range(usize::from(setup.me)).high || !open {
        tree.prove_node(ROOT, best);
    }
}
