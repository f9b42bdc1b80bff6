//! Maxⁿ: the published examples, and every way of pruning against the definition.

use std::collections::BTreeSet;

use crate::drawn::{Drawn, Node, inner, leaf, stat, to_depth, within};
use kibitz_game::{Bound, Configure, Game, Limits, Params, Score, Turn, Value};
use kibitz_games::RandomTree;
use kibitz_search::{MaxN, Noise, Ordering, ProbMaxN, Prudence, Pruning, Report, Searchable, SoftMaxN, Ties, Types};

fn run<G: Searchable>(method: &MaxN, game: &G, depth: u32) -> Report<G::Move> {
    within::<G, _>(&to_depth(depth), |context| method.search(game, &game.start(), context)).unwrap()
}

/// Maxⁿ from its definition, with the tuple and the number of the move.
fn max_n(tree: &Drawn, node: usize, root: usize, ties: Ties) -> (Vec<Score>, usize) {
    let Node::Choice(player, children) = &tree.nodes[node] else { return (tree.values(node).to_vec(), 0) };
    let player = usize::from(*player);
    let mut best: Option<(Vec<Score>, usize)> = None;
    for (i, &child) in children.iter().enumerate() {
        let (tuple, _) = max_n(tree, child, root, ties);
        let better = best.as_ref().is_none_or(|(old, _)| {
            let tie = match ties {
                Ties::Leftmost => false,
                Ties::WorstForRoot => tuple[root] < old[root],
                Ties::Total => tuple > *old,
            };
            tuple[player] > old[player] || tuple[player] == old[player] && tie
        });
        if better {
            best = Some((tuple, i));
        }
    }
    best.unwrap()
}

/// All values that some rule for ties, chosen at each node anew, can lead to.
fn reachable(tree: &Drawn, node: usize) -> BTreeSet<Vec<Score>> {
    let Node::Choice(player, children) = &tree.nodes[node] else { return [tree.values(node).to_vec()].into() };
    let player = usize::from(*player);
    let sets: Vec<BTreeSet<Vec<Score>>> = children.iter().map(|&child| reachable(tree, child)).collect();
    let least = |set: &BTreeSet<Vec<Score>>| set.iter().map(|tuple| tuple[player]).min().unwrap();
    let mut out = BTreeSet::new();
    for (i, set) in sets.iter().enumerate() {
        let others = sets.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, other)| least(other)).max();
        out.extend(set.iter().filter(|tuple| others.is_none_or(|other| tuple[player] >= other)).cloned());
    }
    out
}

fn rounded<M>(report: &Report<M>) -> Vec<Score> {
    report.values.iter().map(|&value| value as Score).collect()
}

fn paper() -> crate::drawn::Sketch {
    inner(
        0,
        vec![inner(1, vec![leaf(&[6, 2, 6]), leaf(&[4, 1, 6])]), inner(1, vec![leaf(&[7, 2, 9]), leaf(&[5, 2, 1])])],
    )
}

#[test]
fn the_example_of_the_best_reply_paper_depends_on_the_rule_for_ties() {
    let tree = Drawn::new(3, None, &paper(), false);
    let found = |ties| {
        let report = run(&MaxN { ties, ..MaxN::default() }, &tree, 2);
        (rounded(&report), report.best, report.value, report.pv)
    };
    assert_eq!(found(Ties::Leftmost), (vec![7, 2, 9], Some(1), 7.0, vec![1, 0]));
    assert_eq!(found(Ties::WorstForRoot), (vec![6, 2, 6], Some(0), 6.0, vec![0, 0]));
    assert_eq!(found(Ties::Total), (vec![7, 2, 9], Some(1), 7.0, vec![1, 0]));
}

/// The tree of the figure on speculative pruning: bounds 5, 3 and 2 of three players who share 10.
fn speculative_example(last: &[Score]) -> Drawn {
    let tree = inner(
        0,
        vec![
            inner(1, vec![inner(2, vec![leaf(&[5, 4, 1])])]),
            inner(
                1,
                vec![inner(2, vec![leaf(&[4, 3, 3])]), inner(2, vec![leaf(last), leaf(&[1, 8, 1]), leaf(&[6, 4, 0])])],
            ),
        ],
    );
    Drawn::new(3, Some(10), &tree, false)
}

#[test]
fn bounds_of_five_three_and_two_cut_where_ten_are_shared() {
    let tree = speculative_example(&[6, 2, 2]);
    let method = |pruning, ties| MaxN { pruning, ..MaxN::plain(ties) };
    let loose = run(&method(Pruning::Speculative, Ties::Leftmost), &tree, 3);
    assert_eq!((stat(&loose, "deep_cuts"), stat(&loose, "researches")), (1.0, 0.0));
    // at equality only the leftmost rule may cut
    let strict = run(&method(Pruning::Speculative, Ties::WorstForRoot), &tree, 3);
    assert_eq!(stat(&strict, "deep_cuts"), 0.0);
    let shallow = run(&method(Pruning::Shallow, Ties::Leftmost), &tree, 3);
    assert_eq!(stat(&shallow, "deep_cuts") + stat(&shallow, "shallow_cuts"), 0.0);
    assert!(loose.nodes < shallow.nodes);
    assert_eq!(loose.values, shallow.values);
}

/// Player 2 has a tie below player 1's first branch: what he makes of it decides whether player 1 can be cut.
#[test]
fn the_rule_for_ties_decides_what_is_cut() {
    let tied = inner(2, vec![leaf(&[4, 2, 4]), leaf(&[1, 5, 4])]);
    let tree = inner(
        0,
        vec![
            inner(1, vec![leaf(&[5, 3, 2])]),
            inner(1, vec![tied, inner(2, vec![leaf(&[0, 10, 0]), leaf(&[2, 2, 6])])]),
        ],
    );
    let tree = Drawn::new(3, Some(10), &tree, false);
    let cuts = |ties| stat(&run(&MaxN { pruning: Pruning::Shallow, ..MaxN::plain(ties) }, &tree, 3), "shallow_cuts");
    assert_eq!(cuts(Ties::Leftmost), 0.0, "5 + 2 < 10");
    let worst = run(&MaxN { pruning: Pruning::Shallow, ..MaxN::plain(Ties::WorstForRoot) }, &tree, 3);
    assert_eq!(stat(&worst, "shallow_cuts"), 0.0, "5 + 5 = 10 is not more than 10");
    let nine = Drawn { greatest: Some(9), ..tree };
    let method = MaxN { pruning: Pruning::Shallow, ..MaxN::plain(Ties::WorstForRoot) };
    assert_eq!(stat(&run(&method, &nine, 3), "shallow_cuts"), 1.0);
}

const TREES: u64 = 10_000;

/// All prunings that promise the value of plain maxⁿ, with everything else off and on.
fn exact_methods(seed: u64) -> Vec<MaxN> {
    let ties = [Ties::Leftmost, Ties::WorstForRoot, Ties::Total][seed as usize % 3];
    let plain = MaxN::plain(ties);
    let mut methods = vec![plain.clone()];
    for pruning in [Pruning::Shallow, Pruning::LastBranch, Pruning::Speculative] {
        methods.push(MaxN { pruning, ..plain.clone() });
        methods.push(MaxN { pruning, branch_and_bound: true, ..plain.clone() });
        methods.push(MaxN {
            pruning,
            branch_and_bound: seed.is_multiple_of(2),
            tt_mb: 1,
            same_depth: true,
            deepening: true,
            ordering: Ordering::default(),
            ..plain.clone()
        });
    }
    methods.push(MaxN { branch_and_bound: true, ..plain.clone() });
    methods.push(MaxN { pruning: Pruning::Speculative, tt_mb: 1, best_first: true, ..plain.clone() });
    methods.push(MaxN { tt_mb: 1, ..plain });
    methods
}

#[test]
fn every_exact_pruning_returns_the_tuple_of_plain_maxn_and_its_move() {
    for seed in 0..TREES {
        let tree = Drawn::random(seed);
        let Turn::Player(root) = tree.turn(&tree.root) else { continue };
        for method in exact_methods(seed) {
            let (expected, best) = max_n(&tree, tree.root, usize::from(root), method.ties);
            let found = run(&method, &tree, 20);
            assert_eq!(rounded(&found), expected, "tree {seed}: {method:?}");
            assert_eq!(found.best, Some(best as u16), "tree {seed}: {method:?}");
            assert!(found.proven && found.bound == Bound::Exact);
        }
    }
}

#[test]
fn with_the_best_moves_first_trees_are_smaller_on_the_whole() {
    let (mut as_listed, mut best_first) = (0, 0);
    for seed in 0..500 {
        let tree = Drawn::random(seed);
        let method = MaxN { pruning: Pruning::Speculative, tt_mb: 1, ..MaxN::plain(Ties::Total) };
        as_listed += run(&method, &tree, 20).nodes;
        let found = run(&MaxN { best_first: true, ..method }, &tree, 20);
        best_first += found.nodes - stat(&found, "nodes_before") as u64;
    }
    assert!(10 * best_first < 9 * as_listed, "{best_first} of {as_listed}");
}

#[test]
fn every_value_of_maxn_can_be_reached_by_some_rule_for_ties() {
    let mut unique = 0;
    for seed in 0..2000 {
        let tree = Drawn::random(seed);
        let values = reachable(&tree, tree.root);
        unique += usize::from(values.len() == 1);
        for ties in [Ties::Leftmost, Ties::WorstForRoot, Ties::Total] {
            let found = run(&MaxN { ties, ..MaxN::default() }, &tree, 20);
            assert!(values.contains(&rounded(&found)), "tree {seed}");
        }
    }
    assert!((200..1990).contains(&unique), "{unique}: there are trees with ties and trees without");
}

#[test]
fn approximate_deep_pruning_is_cheap_and_rarely_wrong() {
    let (mut wrong, mut cheap, mut exact) = (0, 0, 0);
    for seed in 0..2000 {
        let tree = Drawn::random(seed);
        let plain = run(&MaxN { pruning: Pruning::Speculative, ..MaxN::plain(Ties::Leftmost) }, &tree, 20);
        let deep = run(&MaxN { pruning: Pruning::ApproximateDeep, ..MaxN::plain(Ties::Leftmost) }, &tree, 20);
        wrong += u32::from(plain.values != deep.values);
        (cheap, exact) = (cheap + deep.nodes, exact + plain.nodes);
        assert!(!deep.proven && deep.bound == Bound::Estimate);
    }
    println!("approximate deep pruning: {wrong} of 2000 values differ, {cheap} nodes against {exact}");
    assert!(wrong > 0 && wrong < 400, "{wrong}");
    assert!(cheap < exact);
}

/// The mean sizes of uniform trees with leaves in random order, as other programs for the same definitions found them; they
/// include the root, and branches that are searched again count again. Speculative pruning searches more than everything in the
/// second kind of tree.
#[test]
fn mean_node_counts_are_those_of_an_independent_program() {
    for (players, depth, width, full, shallow, speculative) in
        [(3, 6, 4, 5461.0, 4751.0, 4173.0), (4, 8, 3, 9841.0, 9617.0, 10029.0)]
    {
        let mut sums = [0.0; 3];
        let trees = 400;
        for seed in 0..trees {
            let tree = Drawn::uniform(seed, players, depth, width, 1_000_000);
            for (sum, pruning) in sums.iter_mut().zip([Pruning::None, Pruning::Shallow, Pruning::Speculative]) {
                *sum += run(&MaxN { pruning, ..MaxN::plain(Ties::Leftmost) }, &tree, 20).nodes as f64 / trees as f64;
            }
        }
        for (found, expected) in sums.into_iter().zip([full, shallow, speculative]) {
            assert!((found / expected - 1.0).abs() < 0.03, "{players} players: {found} against {expected}");
        }
        assert_eq!(sums[0].round(), full);
    }
}

fn random_tree(players: i64, seed: i64, words: &[(&str, &str)]) -> RandomTree {
    let numbers = [("width", 3), ("depth", 6), ("players", players), ("range", 30), ("seed", seed), ("states", 60)];
    let numbers = numbers.map(|(name, number)| (name.to_owned(), Value::Integer(number)));
    let words = words.iter().map(|&(name, word)| (name.to_owned(), Value::Word(word.to_owned())));
    RandomTree::configure(&Params::complete(&RandomTree::parameters(), numbers.into_iter().chain(words)).unwrap())
        .unwrap()
}

#[test]
fn tables_where_paths_meet_change_nothing_but_the_number_of_nodes() {
    for players in 3..=6 {
        for seed in 0..30 {
            let tree = random_tree(
                players,
                seed,
                &[("sums", "constant"), ("turns", ["rotating", "random"][seed as usize % 2])],
            );
            let ties = [Ties::Leftmost, Ties::WorstForRoot, Ties::Total][seed as usize % 3];
            let plain = run(&MaxN::plain(ties), &tree, 6);
            for pruning in [Pruning::None, Pruning::Shallow, Pruning::LastBranch, Pruning::Speculative] {
                let found = run(&MaxN { pruning, ties, tt_mb: 1, ..MaxN::default() }, &tree, 6);
                assert_eq!(found.values, plain.values, "{pruning:?} {players} players, seed {seed}");
                assert_eq!(found.best, plain.best);
                if pruning == Pruning::None {
                    assert!(stat(&found, "table_cuts") > 0.0);
                }
            }
        }
    }
}

#[test]
fn with_two_players_whose_scores_add_up_to_zero_maxn_is_minimax() {
    for seed in 0..50 {
        let tree = random_tree(2, seed, &[]);
        let minimax = within::<RandomTree, _>(&to_depth(6), |context| {
            kibitz_search::Minimax::default().search(&tree, &tree.start(), context)
        });
        let minimax = minimax.unwrap();
        for pruning in [Pruning::None, Pruning::Shallow, Pruning::Speculative] {
            let found = run(&MaxN { pruning, ..MaxN::default() }, &tree, 6);
            assert_eq!(found.value, minimax.value);
        }
    }
}

#[test]
fn limits_hold_and_the_same_search_gives_the_same_answer() {
    let tree = random_tree(4, 1, &[]);
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    let method = MaxN { noise: Noise { deviation: 0.5, seed: 3 }, ..MaxN::default() };
    let once = || within::<RandomTree, _>(&limits, |context| method.search(&tree, &tree.start(), context)).unwrap();
    let (first, second) = (once(), once());
    assert_eq!((first.nodes, first.best, first.values.clone()), (500, second.best, second.values.clone()));
    assert!(first.depth >= 2 && first.history.len() as u32 == first.depth);
    let seconds = Limits { time: Some(std::time::Duration::from_millis(20)), ..Limits::default() };
    let big = make_big();
    let report = within::<RandomTree, _>(&seconds, |context| method.search(&big, &big.start(), context)).unwrap();
    assert!(report.time.as_millis() < 200 && report.depth >= 1 && !report.proven);
}

fn make_big() -> RandomTree {
    let numbers = [("width", 20), ("depth", 14), ("players", 3)];
    let numbers = numbers.map(|(name, number)| (name.to_owned(), Value::Integer(number)));
    RandomTree::configure(&Params::complete(&RandomTree::parameters(), numbers).unwrap()).unwrap()
}

#[test]
fn noise_changes_moves_with_its_seed_and_keeps_the_bound_of_the_sum() {
    let big = make_big();
    let best = |seed| run(&MaxN { noise: Noise { deviation: 5.0, seed }, ..MaxN::default() }, &big, 2).best;
    let different: BTreeSet<Option<u8>> = (0..20).map(best).collect();
    assert!(different.len() > 5, "{different:?}");
    let constant = random_tree(3, 2, &[("sums", "constant")]);
    for seed in 0..20 {
        let noise = Noise { deviation: 20.0, seed };
        let plain = run(&MaxN { noise, ..MaxN::plain(Ties::WorstForRoot) }, &constant, 3);
        let pruned = run(&MaxN { noise, ..MaxN::default() }, &constant, 3);
        assert!(plain.values.iter().sum::<f64>() <= 30.0);
        assert_eq!(plain.values, pruned.values);
    }
}

#[test]
fn a_target_is_brought_down_before_the_own_value_counts() {
    let tree = inner(0, vec![leaf(&[9, 5, 1]), leaf(&[3, 2, 1]), leaf(&[4, 2, 9])]);
    let tree = Drawn::new(3, Some(20), &tree, false);
    assert_eq!(run(&MaxN::default(), &tree, 2).best, Some(0));
    assert_eq!(run(&MaxN { target: Some(1), ..MaxN::default() }, &tree, 2).best, Some(2));
}

#[test]
fn prob_maxn_with_one_type_is_maxn_and_with_hostile_opponents_is_paranoid() {
    for seed in 0..300 {
        let tree = Drawn::random(seed);
        let Turn::Player(root) = tree.turn(&tree.root) else { continue };
        let root = usize::from(root);
        let of = |own, hostile| {
            let types = Types { own, lead: 0.0, hostile };
            let method = ProbMaxN { types, deepening: false, ..ProbMaxN::default() };
            within::<Drawn, _>(&to_depth(20), |context| method.search(&tree, &tree.root, context)).unwrap()
        };
        assert_eq!(rounded(&of(1.0, 0.0)), max_n(&tree, tree.root, root, Ties::Leftmost).0, "tree {seed}");
        assert_eq!(of(0.0, 1.0).value, f64::from(paranoid(&tree, tree.root, root)), "tree {seed}");
    }
}

fn paranoid(tree: &Drawn, node: usize, root: usize) -> Score {
    let Node::Choice(player, children) = &tree.nodes[node] else { return tree.values(node)[root] };
    let values = children.iter().map(|&child| paranoid(tree, child, root));
    if usize::from(*player) == root { values.max() } else { values.min() }.unwrap()
}

#[test]
fn prob_maxn_averages_over_what_types_choose() {
    // player 1 takes 6 for himself (and player 0 gets 2) or a lead of 4 (and player 0 gets 1)
    let tree = inner(0, vec![inner(1, vec![leaf(&[2, 6, 5]), leaf(&[1, 5, 1])])]);
    let tree = Drawn::new(3, None, &tree, false);
    for (own, lead, expected) in [(1.0, 0.0, 2.0), (0.0, 1.0, 1.0), (1.0, 3.0, 1.25)] {
        let method = ProbMaxN { types: Types { own, lead, hostile: 0.0 }, ..ProbMaxN::default() };
        let found = within::<Drawn, _>(&to_depth(2), |context| method.search(&tree, &tree.root, context)).unwrap();
        assert!((found.value - expected).abs() < 1e-12);
    }
    let none = ProbMaxN { types: Types { own: 0.0, lead: 0.0, hostile: 0.0 }, ..ProbMaxN::default() };
    assert!(within::<Drawn, _>(&to_depth(2), |context| none.search(&tree, &tree.root, context)).is_err());
}

#[test]
fn soft_maxn_knows_every_value_that_ties_can_lead_to() {
    for seed in 0..300 {
        let tree = Drawn::random(seed);
        let Turn::Player(root) = tree.turn(&tree.root) else { continue };
        let Node::Choice(_, children) = &tree.nodes[tree.root] else { continue };
        let method = SoftMaxN { prudence: Prudence::Worst, most: 100_000, deepening: false, ..SoftMaxN::default() };
        let found = within::<Drawn, _>(&to_depth(20), |context| method.search(&tree, &tree.root, context)).unwrap();
        for (child, &node) in found.children.iter().zip(children) {
            let values = reachable(&tree, node);
            let worst = values.iter().map(|tuple| tuple[usize::from(root)]).min().unwrap();
            // sets of branches are kept or dropped as a whole, so that a few more may stay
            assert!(child.value <= f64::from(worst) && child.visits as usize >= values.len(), "tree {seed}");
        }
        let best = found.children.iter().map(|child| child.value).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(found.value, best);
    }
}

#[test]
fn soft_maxn_with_a_margin_expects_worse_moves_too() {
    let tree = inner(0, vec![inner(1, vec![leaf(&[9, 5, 0]), leaf(&[0, 4, 0])]), inner(1, vec![leaf(&[3, 1, 0])])]);
    let tree = Drawn::new(3, None, &tree, false);
    let best = |margin, prudence| {
        let method = SoftMaxN { margin, prudence, ..SoftMaxN::default() };
        within::<Drawn, _>(&to_depth(2), |context| method.search(&tree, &tree.root, context)).unwrap().best
    };
    assert_eq!(best(0.0, Prudence::Worst), Some(0));
    assert_eq!(best(1.0, Prudence::Worst), Some(1));
    assert_eq!(best(1.0, Prudence::Average), Some(0));
}
