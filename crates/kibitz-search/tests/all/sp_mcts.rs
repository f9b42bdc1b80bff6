//! SP-MCTS against a direct computation, against UCT, and what must hold of its counts.

use crate::puzzle::{Pick, limits, run, stat};
use crate::searching::make;
use kibitz_game::{Game, Playout, Random, Turn};
use kibitz_games::{RandomTree, SameGame};
use kibitz_search::{Plan, PlayoutStrategy, Report, SpMcts, TimeControl, Uct, Untried, Winner};

fn tree(width: i64, depth: i64, seed: i64) -> RandomTree {
    make(&[("width", width), ("depth", depth), ("players", 1), ("range", 1000), ("seed", seed)])
}

fn random() -> SpMcts {
    SpMcts { strategy: PlayoutStrategy::Random, epsilon: 0.0, ..SpMcts::default() }
}

/// A node with all of its results, from which everything is computed anew each time.
#[derive(Default)]
struct Node {
    results: Vec<f64>,
    children: Vec<(u8, Node)>,
}

/// The search as its authors describe it, with the same random numbers. The bound of a child is `bound(its results, visits of the parent)`.
struct Direct<'a> {
    game: &'a RandomTree,
    random: Random,
    threshold: usize,
    bound: &'a dyn Fn(&[f64], f64) -> f64,
}

impl Direct<'_> {
    fn simulate(&mut self, node: &mut Node, position: &mut <RandomTree as Game>::Position) -> f64 {
        let result = if self.game.turn(position) == Turn::Over {
            f64::from(self.game.score(position, 0))
        } else {
            let mut moves = Vec::new();
            self.game.moves(position, &mut moves);
            // a child that is new goes to the front, so that the last one comes first
            let known = |node: &Node, mv: u8| node.children.iter().position(|child| child.0 == mv);
            let untried: Vec<u8> = moves.iter().copied().filter(|&mv| known(node, mv).is_none()).collect();
            let mv = if node.results.len() < self.threshold {
                self.game.random_move(position, &mut self.random, &mut Vec::new())
            } else if !untried.is_empty() {
                untried[self.random.below(untried.len())]
            } else {
                let visits = node.results.len() as f64;
                let bounds = node.children.iter().map(|child| (self.bound)(&child.1.results, visits));
                let best = bounds.clone().fold(f64::NEG_INFINITY, f64::max);
                node.children[bounds.clone().position(|bound| bound == best).unwrap()].0
            };
            self.game.play(position, mv);
            if let Some(child) = known(node, mv) {
                self.simulate(&mut node.children[child].1, position)
            } else {
                self.game.playout(position, &mut self.random, &mut Vec::new(), u32::MAX);
                let result = f64::from(self.game.score(position, 0));
                node.children.insert(0, (mv, Node { results: vec![result], children: Vec::new() }));
                result
            }
        };
        node.results.push(result);
        result
    }

    fn run(mut self, playouts: u32) -> Node {
        let mut root = Node::default();
        for _ in 0..playouts {
            self.simulate(&mut root, &mut self.game.start());
        }
        root
    }
}

fn mean(results: &[f64]) -> f64 {
    results.iter().sum::<f64>() / results.len() as f64
}

/// The moves of the root with their visits and means.
fn children<M: Copy + Into<u64>>(report: &Report<M>) -> Vec<(u64, u64, f64)> {
    let mut all: Vec<_> = report.children.iter().map(|child| (child.mv.into(), child.visits, child.value)).collect();
    all.sort_by_key(|child| child.0);
    all
}

fn compare(game: &RandomTree, search: &SpMcts, bound: &dyn Fn(&[f64], f64) -> f64, playouts: u32) {
    let report = run(game, &limits(None, Some(u64::from(playouts))), |g, p, c| search.search(g, p, c));
    let direct = Direct { game, random: Random::stream(search.seed, 0), threshold: search.threshold as usize, bound };
    // a search that adds no node any more ends early
    let root = direct.run(stat(&report, "simulations") as u32);
    let mut expected: Vec<_> = root
        .children
        .iter()
        .map(|(mv, node)| (u64::from(*mv), node.results.len() as u64, mean(&node.results)))
        .collect();
    expected.sort_by_key(|child| child.0);
    let found = children(&report);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!((found.0, found.1), (expected.0, expected.1));
        assert!((found.2 - expected.2).abs() < 1e-9);
    }
    let top = root.results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!((report.value, stat(&report, "root_top")), (top, top));
}

#[test]
fn its_statistics_are_those_of_a_direct_computation() {
    for seed in 0..6 {
        let game = tree(5, 7, seed);
        for (c, d, w, threshold, scale) in [
            (0.1, 32.0, 0.02, 10, 1.0),
            (0.5, 10_000.0, 0.02, 10, 1.0),
            (4.31, 96.67, 0.28, 11, 60.0),
            (50.0, 0.0, 0.5, 1, 1.0),
        ] {
            let bound = |results: &[f64], visits: f64| {
                let scaled: Vec<f64> = results.iter().map(|result| result / scale).collect();
                let n = scaled.len() as f64;
                let mean = mean(&scaled);
                let squares: f64 = scaled.iter().map(|result| (result - mean).powi(2)).sum();
                let top = scaled.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                mean + w * top + c * (visits.ln() / n).sqrt() + ((squares + d) / n).sqrt()
            };
            let search = SpMcts { c, d, w, threshold, result_scale: scale, seed: 7 + seed as u64, ..random() };
            compare(&game, &search, &bound, 800);
        }
    }
}

#[test]
fn without_deviation_and_top_it_is_plain_uct() {
    for seed in 0..6 {
        let game = tree(4, 8, seed);
        let ucb1 = |results: &[f64], visits: f64| {
            mean(results) / 1000.0 + std::f64::consts::SQRT_2 * (visits.ln() / results.len() as f64).sqrt()
        };
        let search = SpMcts {
            c: std::f64::consts::SQRT_2,
            d: 0.0,
            w: 0.0,
            deviation: false,
            threshold: 1,
            result_scale: 1000.0,
            seed: seed as u64,
            ..random()
        };
        compare(&game, &search, &ucb1, 2000);
    }
}

#[test]
fn on_one_level_it_visits_as_uct_does() {
    for seed in 0..10 {
        let game = tree(9, 1, seed);
        let limits = limits(None, Some(700));
        let single =
            SpMcts { c: 1.0, d: 0.0, w: 0.0, deviation: false, threshold: 0, result_scale: 1000.0, ..random() };
        let single = run(&game, &limits, |g, p, c| single.search(g, p, c));
        let uct = Uct { c: 1.0, solver: false, ..Uct::default() };
        let stop = kibitz_game::Stop::new();
        let context = &mut kibitz_search::Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
        let uct = uct.search(&game, &game.start(), context).unwrap();
        assert_eq!(
            children(&single).iter().map(|child| (child.0, child.1)).collect::<Vec<_>>(),
            children(&uct).iter().map(|child| (child.0, child.1)).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_constant_added_to_all_results_changes_no_decision() {
    let search = |shift: i32, seed: u64| {
        let game = Pick { shift, ..Pick::new(12, 4) };
        let search = SpMcts { seed, threshold: 3, ..SpMcts::default() };
        run(&game, &limits(None, Some(3000)), |g, p, c| search.search(g, p, c))
    };
    for seed in 0..4 {
        let plain = search(0, seed);
        for shift in [1, -777, 1_000_003] {
            let shifted = search(shift, seed);
            assert_eq!((&plain.pv, plain.value + f64::from(shift)), (&shifted.pv, shifted.value));
            let visits = |report: &Report<u8>| report.children.iter().map(|c| (c.mv, c.visits)).collect::<Vec<_>>();
            assert_eq!((visits(&plain), &plain.depths), (visits(&shifted), &shifted.depths));
        }
    }
}

#[test]
fn the_root_counts_playouts_and_knows_the_best() {
    let game: SameGame = make(&[("position", 3)]);
    for search in [
        SpMcts::default(),
        SpMcts { restarts: Some(4), ..SpMcts::default() },
        SpMcts { restarts: Some(5), threads: 2, ..SpMcts::default() },
        SpMcts { control: TimeControl::Move(64.4), ..SpMcts::default() },
        SpMcts { control: TimeControl::Move(64.4), keep_tree: true, ..SpMcts::default() },
    ] {
        let report = run(&game, &limits(None, Some(2000)), |g, p, c| search.search(g, p, c));
        assert_eq!(stat(&report, "root_visits"), stat(&report, "simulations"));
        assert_eq!(stat(&report, "root_top"), report.value);
        assert_eq!(report.depths.iter().sum::<u64>() as f64, stat(&report, "simulations"));
        assert_eq!(report.value as i64 % 2, 1, "every score of a full board is odd");
    }
}

#[test]
fn nodes_in_memory_are_one_more_than_playouts_that_left_the_tree() {
    let game: SameGame = make(&[]);
    let search = SpMcts { tree_nodes: Some(500), ..SpMcts::default() };
    let report = run(&game, &limits(None, None), |g, p, c| search.search(g, p, c));
    assert_eq!((stat(&report, "tree_nodes"), stat(&report, "simulations")), (500.0, 499.0));
    let search = SpMcts { tree_nodes: Some(500), restarts: Some(3), ..search };
    let report = run(&game, &limits(None, None), |g, p, c| search.search(g, p, c));
    assert_eq!((stat(&report, "tree_nodes"), stat(&report, "searches")), (1500.0, 3.0));
}

#[test]
fn restarts_are_the_same_on_any_number_of_threads() {
    let game: SameGame = make(&[("position", 7)]);
    let search = |threads: usize, seed: u64| {
        let search = SpMcts { restarts: Some(8), threads, seed, ..SpMcts::default() };
        let report = run(&game, &limits(None, Some(4000)), |g, p, c| search.search(g, p, c));
        (report.value, report.pv.clone(), stat(&report, "simulations"), children(&report))
    };
    let alone = search(1, 5);
    assert_eq!(alone, search(1, 5));
    let (value, line, simulations, _) = search(3, 5);
    assert_eq!((value, line, simulations), (alone.0, alone.1.clone(), alone.2));
    assert_ne!(alone, search(1, 6));
}

#[test]
fn a_search_that_repeats_itself_ends() {
    let game = tree(2, 2, 1);
    let search = SpMcts { threshold: 0, ..random() };
    let report = run(&game, &limits(None, Some(1_000_000)), |g, p, c| search.search(g, p, c));
    assert!(stat(&report, "tree_nodes") <= 7.0);
    assert!(stat(&report, "simulations") < 1100.0);
}

#[test]
fn memory_is_bounded() {
    let game: SameGame = make(&[]);
    // a search that explores does not repeat itself
    let search = SpMcts { memory_mb: 1, c: 1000.0, ..SpMcts::default() };
    let report = run(&game, &limits(None, Some(100_000)), |g, p, c| search.search(g, p, c));
    assert_eq!(stat(&report, "memory_full"), 1.0);
    assert!(stat(&report, "tree_mb") <= 1.0 && stat(&report, "simulations") < 30_000.0);
    // with as many searches as the limits allow the next one begins
    let search = SpMcts { restarts: None, ..search };
    let report = run(&game, &limits(None, Some(40_000)), |g, p, c| search.search(g, p, c));
    assert_eq!(stat(&report, "simulations"), 40_000.0);
    assert!(stat(&report, "searches") >= 2.0);
}

#[test]
fn move_by_move_never_falls_below_the_best_line() {
    let game: SameGame = make(&[("position", 11)]);
    let game_of = |winner: Winner, keep_tree: bool| {
        // longer than any game here, so that all of it is played
        let search = SpMcts { control: TimeControl::Move(100.0), winner, keep_tree, ..SpMcts::default() };
        let report = run(&game, &limits(None, Some(2000)), |g, p, c| search.search(g, p, c));
        assert!(stat(&report, "simulations") <= 2000.0);
        (report.value, stat(&report, "played"), stat(&report, "tree_nodes"))
    };
    let (value, played, nodes) = game_of(Winner::BestLine, false);
    assert_eq!(value, played);
    assert_ne!(game_of(Winner::BestLine, true).2, nodes, "a tree that is kept has more nodes");
    let others = [Winner::Top, Winner::Mean, Winner::Robust].map(|winner| game_of(winner, false));
    assert!(others.iter().all(|&(value, played, _)| played <= value));
    assert!(others.iter().any(|&(value, played, _)| played < value), "{others:?}");
}

#[test]
fn what_the_thesis_leaves_open_makes_a_difference() {
    let game: SameGame = make(&[("position", 1)]);
    let lines = [
        SpMcts::default(),
        SpMcts { untried: Untried::Preferred, ..SpMcts::default() },
        SpMcts { plan: Plan::Root, ..SpMcts::default() },
        SpMcts { epsilon: 0.5, ..SpMcts::default() },
        SpMcts { strategy: PlayoutStrategy::Named("tabu-random".to_owned()), ..SpMcts::default() },
        random(),
    ]
    .map(|search| run(&game, &limits(None, Some(3000)), |g, p, c| search.search(g, p, c)).pv);
    for (i, line) in lines.iter().enumerate() {
        assert!(!lines[..i].contains(line), "{i}");
    }
}
