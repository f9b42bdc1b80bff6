//! Paranoid and best-reply search: the published examples, the identities with alpha-beta, and the tree of a perfect order.

use crate::drawn::{Drawn, Level, Node, inner, leaf, stat, to_depth, within};
use kibitz_game::{Configure, Game, Limits, Params, Score, Stop, Turn, Value};
use kibitz_games::{ConnectFour, Othello, RandomTree};
use kibitz_search::{
    AlphaBeta, Coalition, Context, MpMix, MultiCut, Noise, NullMove, Reduction, Report, Searchable, Selective, Utility,
};

fn make<G: Configure>(numbers: &[(&str, i64)], words: &[(&str, &str)]) -> G {
    let numbers = numbers.iter().map(|&(name, number)| (name.to_owned(), Value::Integer(number)));
    let words = words.iter().map(|&(name, word)| (name.to_owned(), Value::Word(word.to_owned())));
    G::configure(&Params::complete(&G::parameters(), numbers.chain(words)).unwrap()).ok().unwrap()
}

fn random_tree(players: i64, width: i64, depth: i64, seed: i64, words: &[(&str, &str)]) -> RandomTree {
    let states = if seed % 2 == 0 { 0 } else { 200 };
    let numbers =
        [("players", players), ("width", width), ("depth", depth), ("seed", seed), ("range", 40), ("states", states)];
    make(&numbers, words)
}

fn with(reduction: Reduction, search: AlphaBeta) -> Coalition {
    Coalition { reduction, search, ..Coalition::default() }
}

fn run<G: Searchable>(method: &Coalition, game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    within::<G, _>(&to_depth(depth), |context| method.search(game, position, context)).unwrap()
}

const ALL: [Reduction; 4] = [Reduction::Paranoid, Reduction::BestReply, Reduction::BestReplyPlus, Reduction::RootOnly];

/// Alpha-beta with everything on but what mixes depths.
fn enhanced() -> AlphaBeta {
    AlphaBeta { tt_mb: 1, same_depth: true, ..AlphaBeta::default() }
}

#[test]
fn the_paranoid_example_of_the_best_reply_paper_evaluates_three_leaves() {
    let tree = inner(
        0,
        vec![inner(1, vec![leaf(&[6, 2, 6]), leaf(&[4, 1, 6])]), inner(1, vec![leaf(&[7, 2, 9]), leaf(&[5, 2, 1])])],
    );
    let tree = Drawn::new(3, None, &tree, true);
    let report = run(&with(Reduction::Paranoid, AlphaBeta::plain()), &tree, &tree.root, 2);
    assert_eq!((report.value, report.best, stat(&report, "leaves")), (-3.0, Some(0), 3.0));
    // what the root player alone has: 4 and 5
    let own = Coalition { utility: Utility::Own, ..with(Reduction::Paranoid, AlphaBeta::plain()) };
    let report = run(&own, &tree, &tree.root, 2);
    assert_eq!((report.value, report.best), (5.0, Some(1)));
}

/// The searches from their definitions, as plain minimax.
fn defined<G: Searchable>(
    game: &G,
    position: &G::Position,
    depth: u32,
    reduction: Reduction,
    root: usize,
    max_to_move: bool,
) -> Score {
    let turn = game.turn(position);
    let Turn::Player(player) = turn else { return game.score(position, root) };
    if depth == 0 {
        return game.evaluate(position, root);
    }
    let list = |position: &G::Position| {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves
    };
    let after = |position: &G::Position, mv: G::Move| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        child
    };
    let players = game.players();
    let opponents: Vec<usize> = (1..players).map(|step| (root + step) % players).collect();
    let given = |player: usize| {
        let mut turned = position.clone();
        assert!(game.give_turn(&mut turned, player));
        turned
    };
    let mut values = Vec::new();
    let mut search =
        |child: G::Position, max: bool| values.push(defined(game, &child, depth - 1, reduction, root, max));
    match reduction {
        Reduction::Paranoid => {
            for mv in list(position) {
                search(after(position, mv), false);
            }
            return if usize::from(player) == root { values.into_iter().max() } else { values.into_iter().min() }
                .unwrap();
        }
        Reduction::RootOnly => {
            let mine = given(root);
            for mv in list(&mine) {
                search(after(&mine, mv), true);
            }
            return values.into_iter().max().unwrap();
        }
        Reduction::BestReply => {
            for mover in if max_to_move { vec![root] } else { opponents } {
                let turned = given(mover);
                for mv in list(&turned) {
                    search(after(&turned, mv), !max_to_move);
                }
            }
        }
        Reduction::BestReplyPlus => {
            if usize::from(player) == root {
                for mv in list(position) {
                    search(after(position, mv), false);
                }
                return values.into_iter().max().unwrap();
            }
            // every opponent in turn makes any move, and all others the first of their list
            for chosen in 0..players - 1 {
                let mut before = position.clone();
                for _ in 0..chosen {
                    if game.turn(&before) != Turn::Over {
                        before = after(&before, list(&before)[0]);
                    }
                }
                if game.turn(&before) == Turn::Over {
                    search(before, false);
                    continue;
                }
                for mv in list(&before) {
                    let mut child = after(&before, mv);
                    for _ in chosen + 1..players - 1 {
                        if game.turn(&child) != Turn::Over {
                            child = after(&child, list(&child)[0]);
                        }
                    }
                    search(child, false);
                }
            }
            return values.into_iter().min().unwrap();
        }
    }
    if max_to_move { values.into_iter().max() } else { values.into_iter().min() }.unwrap()
}

#[test]
fn every_reduction_has_the_value_of_its_definition() {
    for seed in 0..60 {
        for players in 2..=6 {
            let tree = random_tree(players, 3, 5, seed, &[]);
            let root = tree.start();
            for reduction in ALL {
                let expected = f64::from(defined(&tree, &root, 5, reduction, 0, true));
                for search in [AlphaBeta::plain(), enhanced()] {
                    let found = run(&with(reduction, search), &tree, &root, 5);
                    assert_eq!(found.value, expected, "{reduction:?}, {players} players, seed {seed}");
                    assert!(found.best.is_some() && found.pv.first() == found.best.as_ref());
                }
            }
        }
    }
}

#[test]
fn paranoid_is_alpha_beta_on_the_reduced_game_when_turns_have_no_order() {
    for seed in 0..100 {
        let tree = random_tree(3 + seed % 4, 3, 6, seed, &[("turns", "random"), ("sums", "constant")]);
        let Turn::Player(root) = tree.turn(&tree.start()) else { panic!("a player moves") };
        let expected = defined(&tree, &tree.start(), 6, Reduction::Paranoid, usize::from(root), true);
        let found = run(&with(Reduction::Paranoid, enhanced()), &tree, &tree.start(), 6);
        assert_eq!((found.value, found.proven), (f64::from(expected), true), "seed {seed}");
    }
}

#[test]
fn paranoid_is_the_least_that_a_player_can_be_held_to() {
    fn held(tree: &Drawn, node: usize, root: usize) -> Score {
        let Node::Choice(player, children) = &tree.nodes[node] else { return tree.values(node)[root] };
        let values = children.iter().map(|&child| held(tree, child, root));
        if usize::from(*player) == root { values.max() } else { values.min() }.unwrap()
    }
    for seed in 0..500 {
        let tree = Drawn::random(seed);
        let Turn::Player(root) = tree.turn(&tree.root) else { continue };
        let found = run(&with(Reduction::Paranoid, enhanced()), &tree, &tree.root, 20);
        assert_eq!(found.value, f64::from(held(&tree, tree.root, usize::from(root))), "tree {seed}");
    }
}

/// Value, nodes, move, line and every counter.
fn fingerprint<M: Copy + std::fmt::Debug>(report: &Report<M>) -> String {
    let history: Vec<(u64, f64, u64)> =
        report.history.iter().map(|step| (step.depth, step.value, step.nodes)).collect();
    let stats = &report.stats;
    format!("{:?} {} {} {:?} {history:?} {stats:?}", report.best, report.value, report.nodes, report.pv)
}

#[test]
fn with_two_players_paranoid_and_best_reply_are_alpha_beta_node_by_node() {
    let selective = Selective {
        multi_cut: Some(MultiCut { moves: 4, cuts: 2, reduction: 2, everywhere: false }),
        ..Selective::default()
    };
    let settings = [
        AlphaBeta::plain(),
        AlphaBeta { tt_mb: 1, ..AlphaBeta::default() },
        AlphaBeta { tt_mb: 1, seed: Some(5), ..AlphaBeta::default() },
        AlphaBeta { tt_mb: 1, selective, ..AlphaBeta::default() },
    ];
    for seed in 0..40 {
        // with turns in no order a player may move twice, which the two searches must take as alpha-beta does
        let turns = if seed % 2 == 0 { "rotating" } else { "random" };
        let tree = random_tree(2, 4, 9, seed, &[("turns", turns)]);
        for search in &settings {
            let reference =
                within::<RandomTree, _>(&to_depth(8), |context| search.search(&tree, &tree.start(), context)).unwrap();
            for reduction in [Reduction::Paranoid, Reduction::BestReply, Reduction::BestReplyPlus] {
                let found = run(&with(reduction, search.clone()), &tree, &tree.start(), 8);
                assert_eq!(fingerprint(&found), fingerprint(&reference), "{reduction:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn in_games_for_two_they_are_alpha_beta_and_say_so_where_they_cannot_be() {
    fn check<G: Searchable>(game: &G)
    where
        G::Move: std::fmt::Debug,
    {
        let search = AlphaBeta { tt_mb: 1, ..AlphaBeta::default() };
        let reference = within::<G, _>(&to_depth(5), |context| search.search(game, &game.start(), context)).unwrap();
        for reduction in [Reduction::Paranoid, Reduction::BestReply, Reduction::BestReplyPlus] {
            let found = run(&with(reduction, search.clone()), game, &game.start(), 5);
            assert_eq!(fingerprint(&found), fingerprint(&reference));
        }
        let alone = with(Reduction::RootOnly, search);
        let refused = within::<G, _>(&to_depth(5), |context| alone.search(game, &game.start(), context));
        assert!(refused.is_err());
    }
    check(&make::<ConnectFour>(&[], &[]));
    check(&make::<Othello>(&[], &[]));
}

#[test]
fn with_a_perfect_order_best_reply_visits_exactly_the_minimal_tree() {
    for (players, width, depth) in [(3, 3, 1u32), (3, 3, 4), (3, 4, 5), (4, 3, 5), (6, 2, 6), (2, 4, 6)] {
        let game = Level { players, width };
        let (b, n) = (u64::from(width), players as u64);
        let leaves = b.pow(depth.div_ceil(2)) + (b * (n - 1)).pow(depth / 2) - 1;
        let found = run(&with(Reduction::BestReply, AlphaBeta::plain()), &game, &game.start(), depth);
        assert_eq!(stat(&found, "leaves"), leaves as f64, "{players} players, width {width}, depth {depth}");
    }
}

#[test]
fn a_depth_of_best_reply_search_is_a_greater_one_of_the_game() {
    let depths = |players| (1..=6).map(|depth| Reduction::BestReply.depth_in_game(depth, players)).collect::<Vec<_>>();
    assert_eq!(depths(3), [1, 3, 4, 6, 7, 9]);
    assert_eq!(depths(4), [1, 4, 5, 8, 9, 12]);
    assert_eq!(depths(6), [1, 6, 7, 12, 13, 18]);
    assert_eq!(Reduction::Paranoid.depth_in_game(5, 4), 5);
}

/// The second node of the opponents is cut by the first move of the first opponent, so that the other one is not asked.
#[test]
fn a_reply_that_cuts_spares_the_other_opponents() {
    let game = Level { players: 3, width: 2 };
    let found = run(&with(Reduction::BestReply, AlphaBeta::plain()), &game, &game.start(), 2);
    // four replies to the first move, one to the second
    assert_eq!((stat(&found, "leaves"), stat(&found, "cuts")), (5.0, 1.0));
}

#[test]
fn best_reply_refuses_games_of_many_without_moves_out_of_turn_and_says_why() {
    let tree = Drawn::random(1);
    let method = with(Reduction::BestReply, AlphaBeta::default());
    let refused = within::<Drawn, _>(&to_depth(2), |context| method.search(&tree, &tree.root, context)).unwrap_err();
    assert!(refused.0.contains("out of turn") && refused.0.contains("BestReplyPlus"), "{refused}");
    // best-reply+ breaks no rule, and so needs none
    let plus = with(Reduction::BestReplyPlus, AlphaBeta { name: "BestReplyPlus", ..AlphaBeta::default() });
    assert!(within::<Drawn, _>(&to_depth(2), |context| plus.search(&tree, &tree.root, context)).is_ok());
}

#[test]
fn lines_are_legal_as_far_as_they_are_told() {
    for seed in 0..30 {
        let tree = random_tree(4, 3, 7, seed, &[]);
        for reduction in ALL {
            let found = run(&with(reduction, enhanced()), &tree, &tree.start(), 4);
            let mut position = tree.start();
            for mv in &found.pv {
                let mut moves = Vec::new();
                tree.moves(&position, &mut moves);
                assert!(moves.contains(mv));
                tree.play(&mut position, *mv);
            }
            if reduction == Reduction::BestReplyPlus {
                assert!(found.pv.len() >= 4, "{reduction:?}: {:?}", found.pv);
            }
        }
    }
}

#[test]
fn null_moves_and_multi_cut_work_inside_best_reply_search() {
    let (mut null, mut multi, mut fewer) = (0.0, 0.0, 0);
    for seed in 0..20 {
        let tree = random_tree(3, 4, 12, 2 * seed, &[("sums", "constant")]);
        let search = |selective| with(Reduction::BestReply, AlphaBeta { tt_mb: 1, selective, ..AlphaBeta::default() });
        let noisy = |method: Coalition| Coalition { noise: Noise { deviation: 9.0, seed: 1 }, ..method };
        let plain = run(&noisy(search(Selective::default())), &tree, &tree.start(), 6);
        let with_null =
            Selective { null_move: Some(NullMove { reduction: 2, adaptive: false }), ..Selective::default() };
        let with_multi = Selective {
            multi_cut: Some(MultiCut { moves: 6, cuts: 2, reduction: 2, everywhere: false }),
            ..Selective::default()
        };
        let (a, b) = (
            run(&noisy(search(with_null)), &tree, &tree.start(), 6),
            run(&noisy(search(with_multi)), &tree, &tree.start(), 6),
        );
        null += stat(&a, "null_move_cuts");
        multi += stat(&b, "multi_cuts");
        fewer += i32::from(b.nodes < plain.nodes);
    }
    assert!(null > 0.0 && multi > 0.0 && fewer > 0, "{null} {multi} {fewer}");
}

#[test]
fn noise_is_fixed_inside_a_search_and_changes_with_its_seed() {
    let tree = random_tree(3, 8, 12, 4, &[]);
    let best = |seed, search: AlphaBeta| {
        let noise = Noise { deviation: 3.0, seed };
        run(&Coalition { noise, ..with(Reduction::BestReply, search) }, &tree, &tree.start(), 4)
    };
    // the table relies on it
    for seed in 0..10 {
        assert_eq!(best(seed, AlphaBeta::plain()).value, best(seed, enhanced()).value);
    }
    let moves: std::collections::BTreeSet<_> = (0..20).map(|seed| best(seed, enhanced()).best).collect();
    assert!(moves.len() > 2);
}

#[test]
fn limits_hold_and_a_stop_ends_the_search() {
    let tree = random_tree(5, 10, 17, 2, &[]);
    for reduction in ALL {
        let method = with(reduction, AlphaBeta { tt_mb: 1, ..AlphaBeta::default() });
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let once = || within::<RandomTree, _>(&limits, |context| method.search(&tree, &tree.start(), context)).unwrap();
        let (a, b) = (once(), once());
        assert_eq!((a.nodes, fingerprint(&a)), (5000, fingerprint(&b)), "{reduction:?}");
        let stop = Stop::new();
        stop.raise();
        let context = &mut Context { limits: &Limits::default(), stop: &stop, past: &[], progress: &mut |_| {} };
        assert!(method.search(&tree, &tree.start(), context).unwrap().nodes < 2000);
    }
}

#[test]
fn mp_mix_defends_a_lead_attacks_a_leader_and_otherwise_plays_for_itself() {
    let chosen = |values: &[Score], defend, attack| {
        // the static values are those of the root, which is a node of the horizon with two ways to go on
        let tree = inner(0, vec![inner(1, vec![leaf(&[3, 4, 3]), leaf(&[4, 3, 3])]), leaf(&[2, 1, 5])]);
        let mut tree = Drawn::new(3, Some(30), &tree, true);
        tree.nodes.push(Node::Horizon(values.to_vec(), tree.root));
        tree.root = tree.nodes.len() - 1;
        let method = MpMix { defend, attack, ..MpMix::default() };
        let report = within::<Drawn, _>(&to_depth(3), |context| method.search(&tree, &tree.root, context)).unwrap();
        report.stats.last().unwrap().0
    };
    assert_eq!(chosen(&[9, 2, 3], Some(5.0), Some(5.0)), "defensive_searches");
    assert_eq!(chosen(&[9, 2, 3], Some(7.0), Some(5.0)), "maxn_searches");
    assert_eq!(chosen(&[2, 9, 3], Some(5.0), Some(5.0)), "offensive_searches");
    assert_eq!(chosen(&[2, 9, 8], Some(5.0), Some(5.0)), "maxn_searches");
    assert_eq!(
        chosen(&[9, 2, 3], None, None),
        "defensive_searches",
        "6 ahead of the second, who is 1 ahead of the last"
    );
    assert_eq!(chosen(&[9, 2, 7], None, None), "maxn_searches");
    assert_eq!(chosen(&[2, 2, 2], None, None), "maxn_searches");
}
