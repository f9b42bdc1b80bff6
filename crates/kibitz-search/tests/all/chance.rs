//! The \*-minimax family: all of it is Expectimax, on random trees and on games.

use crate::searching::stat;
use kibitz_game::{Configure, Game, Limits, Params, Random, Stop, Turn, Value};
use kibitz_games::{KuhnPoker, Othello, PipRace, RandomTree};
use kibitz_search::{
    ChanceMethod, ChanceProbCut, Check, Context, EstimateWindow, Filter, History, MoveFilter, Noise, NotSupported,
    Ordering, Report, Schedule, Searchable, StarMinimax,
};

fn make<G: Configure>(given: &[(&str, Value)]) -> G {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).ok().unwrap()
}

fn word(text: &str) -> Value {
    Value::Word(text.to_owned())
}

/// A small regular tree of a random shape: + \* − \* + …
fn random_tree(seed: u64) -> RandomTree {
    let mut random = Random::stream(5, seed);
    let mut up_to = |most| Value::Integer(1 + random.below(most) as i64);
    let chance = word(if seed.is_multiple_of(2) { "uniform" } else { "random" });
    make(&[
        ("width", up_to(4)),
        ("events", up_to(4)),
        ("depth", Value::Integer(2 + (seed / 2 % 3).cast_signed())),
        ("players", Value::Integer(2 - i64::from(seed.is_multiple_of(13)))),
        ("range", Value::Integer([4, 20, 1000][seed as usize % 3])),
        ("chance", chance),
        ("seed", Value::Integer(seed.cast_signed())),
    ])
}

/// Expectimax from its definition, for the first player; chance nodes count as plies or do not.
fn expectimax<G: Searchable>(game: &G, position: &G::Position, depth: u32, chance_plies: bool) -> f64 {
    let turn = game.turn(position);
    if turn == Turn::Over {
        return f64::from(game.score(position, 0));
    }
    if depth == 0 {
        return f64::from(game.evaluate(position, 0));
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let left = depth - u32::from(chance_plies || turn != Turn::Chance);
    let values: Vec<f64> = moves
        .iter()
        .map(|&mv| {
            let mut child = position.clone();
            game.play(&mut child, mv);
            expectimax(game, &child, left, chance_plies)
        })
        .collect();
    match turn {
        Turn::Player(0) => values.into_iter().fold(f64::NEG_INFINITY, f64::max),
        Turn::Player(_) => values.into_iter().fold(f64::INFINITY, f64::min),
        _ => moves.iter().zip(values).map(|(&mv, value)| game.probability(position, mv) * value).sum(),
    }
}

fn run<G: Searchable>(method: &StarMinimax, game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    tried(method, game, position, depth).unwrap()
}

fn tried<G: Searchable>(
    method: &StarMinimax,
    game: &G,
    position: &G::Position,
    depth: u32,
) -> Result<Report<G::Move>, NotSupported> {
    let stop = Stop::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    method.search(game, position, &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} })
}

fn filtered<G: Searchable>(method: &MoveFilter, game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    let stop = Stop::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    method
        .search(game, position, &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} })
        .unwrap()
}

const STAR2: ChanceMethod = ChanceMethod::Star2 { probes: 1, schedule: Schedule::Cyclic };

fn star25(probes: u32, schedule: Schedule) -> ChanceMethod {
    ChanceMethod::Star2 { probes, schedule }
}

/// The methods with everything else switched off.
fn plain() -> Vec<StarMinimax> {
    let methods = [
        ChanceMethod::Expectimax,
        ChanceMethod::Star1,
        STAR2,
        star25(2, Schedule::Cyclic),
        star25(3, Schedule::Sequential),
    ];
    methods.into_iter().map(StarMinimax::plain).collect()
}

/// Star1 and Star2 with every enhancement that keeps the value.
fn enhanced() -> Vec<StarMinimax> {
    let full = StarMinimax { tt_mb: 1, same_depth: true, ..StarMinimax::default() };
    vec![
        StarMinimax { method: ChanceMethod::Star1, step: 1, ..full.clone() },
        StarMinimax { method: ChanceMethod::Expectimax, tt_exact: true, star_etc: false, ..full.clone() },
        StarMinimax { star_etc: false, ..full.clone() },
        StarMinimax { method: star25(2, Schedule::Sequential), seed: Some(3), tt_exact: true, ..full.clone() },
        StarMinimax { step: 1, ..full },
    ]
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * (1.0 + a.abs())
}

/// The value and the move of a search are those of Expectimax.
fn agrees<G: Searchable>(method: &StarMinimax, game: &G, position: &G::Position, depth: u32) {
    let report = run(method, game, position, depth);
    let what = || format!("{method:?} on {} to depth {depth}", game.write(position));
    let truth = expectimax(game, position, depth, method.chance_plies);
    let own = |value: f64| if game.turn(position) == Turn::Player(1) { -value } else { value };
    assert!(close(report.value, game.result(own(truth))), "{} is not {truth}: {}", report.value, what());
    if let Some(best) = report.best {
        let mut child = position.clone();
        game.play(&mut child, best);
        assert!(close(expectimax(game, &child, depth - 1, method.chance_plies), truth), "{}", what());
        assert_eq!(report.pv.first().map(|&mv| kibitz_game::Pack::pack(mv)), Some(kibitz_game::Pack::pack(best)));
    }
}

#[test]
fn the_family_is_expectimax_on_twenty_thousand_random_trees() {
    let (plain, enhanced) = (plain(), enhanced());
    for seed in 0..20_000 {
        let game = random_tree(seed);
        let depth = 1 + (seed % 7) as u32;
        for method in &plain {
            agrees(method, &game, &game.start(), depth);
        }
        agrees(&enhanced[seed as usize % enhanced.len()], &game, &game.start(), depth);
    }
}

#[test]
fn chance_nodes_count_as_plies_or_do_not() {
    let mut differ = 0;
    for seed in 0..400 {
        let game = make::<RandomTree>(&[
            ("width", Value::Integer(2)),
            ("events", Value::Integer(3)),
            ("depth", Value::Integer(4)),
            ("range", Value::Integer(600)),
            ("chance", word("random")),
            ("leaves", word("sum")),
            ("seed", Value::Integer(seed)),
        ]);
        for method in plain().into_iter().chain(enhanced()) {
            for depth in 1..=4 {
                agrees(&StarMinimax { chance_plies: false, ..method.clone() }, &game, &game.start(), depth);
            }
        }
        differ += u32::from(expectimax(&game, &game.start(), 2, true) != expectimax(&game, &game.start(), 2, false));
    }
    assert!(differ > 300, "the two conventions look at different trees");
}

#[test]
fn with_a_table_and_transpositions_the_value_stays() {
    for seed in 0..300 {
        let game = make::<RandomTree>(&[
            ("width", Value::Integer(3)),
            ("events", Value::Integer(3)),
            ("depth", Value::Integer(4)),
            ("states", Value::Integer(6)),
            ("chance", word(if seed % 2 == 0 { "uniform" } else { "random" })),
            ("seed", Value::Integer(seed)),
        ]);
        for method in enhanced() {
            agrees(&method, &game, &game.start(), 7);
        }
    }
}

#[test]
fn the_pip_race_has_the_value_of_expectimax() {
    let game = make::<PipRace>(&[
        ("first", Value::Integer(30)),
        ("second", Value::Integer(30)),
        ("steady", Value::Integer(8)),
    ]);
    for text in ["30-30 A", "12-9 B", "9-30 A rolls", "8-8 B"] {
        let position = game.read(text).unwrap();
        for method in plain().into_iter().chain(enhanced()) {
            for depth in 1..=4 {
                agrees(&method, &game, &position, depth);
            }
        }
    }
}

#[test]
fn a_race_without_a_choice_is_solved_to_its_published_value() {
    // the player to roll wins with probability 0.6425 at 30 to 30
    let game = make::<PipRace>(&[("first", Value::Integer(30)), ("second", Value::Integer(30))]);
    let report = run(&StarMinimax { tt_mb: 4, ..StarMinimax::default() }, &game, &game.start(), 100);
    assert!((report.value - (2.0 * 0.6425 - 1.0)).abs() < 1e-4, "{}", report.value);
    assert!(report.proven && report.depth < 100);
}

#[test]
fn star1_visits_no_more_leaves_than_expectimax() {
    let mut saved = 0.0;
    for seed in 0..2000 {
        let game = random_tree(seed);
        let [all, star1] = [ChanceMethod::Expectimax, ChanceMethod::Star1]
            .map(|method| stat(&run(&StarMinimax::plain(method), &game, &game.start(), 7), "leaves"));
        assert!(star1 <= all, "{seed}: {star1} of {all}");
        saved += 1.0 - star1 / all;
    }
    assert!(saved > 100.0, "Star1 saves something: {saved}");
}

#[test]
fn star2_saves_more_than_star1_where_moves_are_well_ordered_and_remembered() {
    let (mut one, mut two) = (0.0, 0.0);
    for seed in 0..60 {
        let game = make::<RandomTree>(&[
            ("width", Value::Integer(6)),
            ("events", Value::Integer(6)),
            ("depth", Value::Integer(3)),
            ("range", Value::Integer(600)),
            ("chance", word("uniform")),
            ("leaves", word("sum")),
            ("seed", Value::Integer(seed)),
        ]);
        for (method, leaves) in [(ChanceMethod::Star1, &mut one), (STAR2, &mut two)] {
            let method = StarMinimax { method, tt_mb: 1, ..StarMinimax::default() };
            *leaves += stat(&run(&method, &game, &game.start(), 5), "leaves");
        }
    }
    assert!(two < 0.8 * one, "{two} of {one}");
}

#[test]
fn one_event_is_no_chance_at_all() {
    // with a single event the window passes through unchanged, as in alpha-beta
    for seed in 0..50 {
        let tree = |chance: &str, events| {
            make::<RandomTree>(&[
                ("width", Value::Integer(3)),
                ("events", Value::Integer(events)),
                ("depth", Value::Integer(5)),
                ("chance", word(chance)),
                ("seed", Value::Integer(seed)),
            ])
        };
        let (chance, none) = (tree("uniform", 1), tree("none", 2));
        let plain = kibitz_search::AlphaBeta::plain();
        let expected = crate::searching::search(&plain, &none, &none.start(), 5);
        let found = run(&StarMinimax::plain(ChanceMethod::Star1), &chance, &chance.start(), 9);
        assert_eq!(found.value, expected.value);
        // the window is never wider than the range of values, which alpha-beta does not ask for
        assert!(stat(&found, "leaves") <= stat(&expected, "leaves"));
    }
}

fn check(height: u32, depth: u32, threshold: f64) -> Check {
    Check { height, depth, threshold, slope: 1.0, offset: 0.0, deviation: 0.1, stage: Check::ANY_STAGE }
}

/// A tree whose static values foretell deeper ones.
fn sums(seed: i64) -> RandomTree {
    make(&[
        ("width", Value::Integer(4)),
        ("depth", Value::Integer(5)),
        ("events", Value::Integer(4)),
        ("range", Value::Integer(900)),
        ("chance", word("random")),
        ("leaves", word("sum")),
        ("seed", Value::Integer(seed)),
    ])
}

fn pruned(checks: Vec<Check>) -> StarMinimax {
    let prob_cut = ChanceProbCut { checks, ..ChanceProbCut::default() };
    StarMinimax { prob_cut, tt_mb: 1, same_depth: true, ..StarMinimax::default() }
}

#[test]
fn chance_prob_cut_without_a_limit_of_confidence_has_the_value_of_star2() {
    for seed in 0..12 {
        let game = sums(seed);
        let exact = run(&pruned(vec![]), &game, &game.start(), 7);
        for threshold in [1e12, f64::INFINITY] {
            for checks in [vec![check(5, 3, threshold)], vec![check(3, 1, threshold), check(5, 1, threshold)]] {
                for window in [EstimateWindow::Intersection, EstimateWindow::Star1, EstimateWindow::Wider] {
                    let mut method = pruned(checks.clone());
                    method.prob_cut.window = window;
                    let found = run(&method, &game, &game.start(), 7);
                    assert!(close(found.value, exact.value), "{threshold} {window:?}");
                    assert_eq!(stat(&found, "shallow_searches") > 0.0, threshold.is_finite());
                }
            }
        }
    }
}

#[test]
fn fewer_nodes_and_greater_errors_with_less_confidence() {
    let mut nodes = Vec::new();
    let mut errors = Vec::new();
    for threshold in [f64::INFINITY, 600.0, 300.0, 50.0] {
        let (mut all, mut error) = (0, 0.0);
        for seed in 0..12 {
            let game = sums(seed);
            let exact = run(&pruned(vec![]), &game, &game.start(), 9).value;
            let found = run(&pruned(vec![check(5, 1, threshold), check(7, 3, threshold)]), &game, &game.start(), 9);
            all += found.nodes;
            error += (found.value - exact).abs();
            assert!(!found.proven || threshold.is_infinite(), "an estimate proves nothing");
        }
        nodes.push(all);
        errors.push(error);
    }
    assert!(nodes.is_sorted_by(|a, b| a >= b), "{nodes:?}");
    assert!(nodes[3] * 2 < nodes[0], "{nodes:?}");
    assert!(errors[0] == 0.0 && errors[3] > 0.0, "{errors:?}");
}

#[test]
fn a_perfect_prediction_keeps_the_value_however_little_confidence_is_asked() {
    // these trees are at most 7 plies deep, so that a search of 7 plies sees all that a deeper one does
    for seed in 0..200 {
        let game = random_tree(seed);
        let depth = 20;
        let checks = (8..=depth).map(|height| Check { deviation: 0.0, ..check(height, 7, 1.0) }).collect();
        let method = StarMinimax { deepening: false, ..pruned(checks) };
        let found = run(&method, &game, &game.start(), depth);
        let exact = expectimax(&game, &game.start(), depth, true);
        assert!(close(found.value, exact), "{seed}: {} {exact}", found.value);
    }
}

#[test]
fn a_safe_estimate_cuts_at_once_or_not_at_all() {
    let (mut safe_nodes, mut nodes, mut differ) = (0, 0, 0);
    for seed in 0..12 {
        let game = sums(seed);
        let bold = pruned(vec![check(5, 3, 300.0)]);
        let mut safe = bold.clone();
        safe.prob_cut.safe = true;
        let (bold, safe) = (run(&bold, &game, &game.start(), 7), run(&safe, &game, &game.start(), 7));
        (nodes, safe_nodes) = (nodes + bold.nodes, safe_nodes + safe.nodes);
        differ += u32::from(bold.nodes != safe.nodes);
    }
    assert!(safe_nodes >= nodes && differ > 0, "{safe_nodes} {nodes} {differ}");
}

#[test]
fn on_what_was_drawn_the_family_agrees() {
    let mut differ = 0;
    for seed in 0..300 {
        let game = make::<RandomTree>(&[
            ("width", Value::Integer(3)),
            ("events", Value::Integer(6)),
            ("depth", Value::Integer(3)),
            ("range", Value::Integer(600)),
            ("chance", word("random")),
            ("seed", Value::Integer(seed)),
        ]);
        let sampled = |method: &StarMinimax, samples| {
            run(&StarMinimax { samples, seed: Some(4), ..method.clone() }, &game, &game.start(), 5).value
        };
        let all = plain().into_iter().chain(enhanced());
        let drawn: Vec<f64> = all.map(|method| sampled(&StarMinimax { seed: Some(4), ..method }, 3)).collect();
        assert!(drawn.iter().all(|&value| close(value, drawn[0])), "{drawn:?}");
        let exact = expectimax(&game, &game.start(), 5, true);
        differ += u32::from(!close(drawn[0], exact));
        assert!(close(sampled(&plain()[1], 6), exact), "as many as there are means all of them");
    }
    assert!(differ > 200, "{differ}");
}

#[test]
fn more_samples_come_nearer_to_the_truth() {
    let mut errors = [0.0; 3];
    for seed in 0..60 {
        let game = make::<RandomTree>(&[
            ("width", Value::Integer(3)),
            ("events", Value::Integer(64)),
            ("depth", Value::Integer(2)),
            ("range", Value::Integer(1000)),
            ("chance", word("random")),
            ("seed", Value::Integer(seed)),
        ]);
        let exact = expectimax(&game, &game.start(), 3, true);
        for (error, samples) in errors.iter_mut().zip([2, 10, 50]) {
            let method = StarMinimax { samples, ..StarMinimax::plain(ChanceMethod::Star1) };
            *error += (run(&method, &game, &game.start(), 3).value - exact).abs();
        }
    }
    assert!(errors[0] > 1.5 * errors[1] && errors[1] > 1.5 * errors[2], "{errors:?}");
}

#[test]
fn noise_changes_values_and_not_the_end_of_the_game() {
    let game = make::<PipRace>(&[
        ("first", Value::Integer(60)),
        ("second", Value::Integer(60)),
        ("steady", Value::Integer(8)),
    ]);
    let noisy = |deviation, seed, position: &_| {
        let method = StarMinimax { noise: Noise { deviation, seed }, ..StarMinimax::plain(STAR2) };
        run(&method, &game, position, 3).value
    };
    let start = game.start();
    let quiet = noisy(0.0, 0, &start);
    let all: Vec<f64> = (0..40).map(|seed| noisy(0.05, seed, &start) - quiet).collect();
    assert!(all.iter().all(|&error| error != 0.0 && error.abs() < 0.2), "{all:?}");
    assert_eq!(noisy(0.05, 3, &start), noisy(0.05, 3, &start));
    let won = game.read("0-9 B").unwrap();
    assert_eq!(noisy(0.05, 3, &won), 1.0);
    let last = game.read("1-1 A").unwrap();
    assert_eq!(noisy(0.5, 3, &last), 1.0, "whoever moves wins");
}

#[test]
fn the_same_search_twice_says_the_same() {
    let game = sums(1);
    for method in plain().into_iter().chain(enhanced()) {
        let [a, b] = [0, 1].map(|_| run(&method, &game, &game.start(), 7));
        assert_eq!((a.value, a.nodes, a.pv, a.stats), (b.value, b.nodes, b.pv, b.stats));
    }
}

#[test]
fn a_limit_of_nodes_is_kept_and_the_last_iteration_counts() {
    let game = sums(2);
    let stop = Stop::new();
    for nodes in [1, 2, 50, 3000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
        let report = StarMinimax::default().search(&game, &game.start(), context).unwrap();
        assert!(report.nodes <= nodes && report.best.is_some());
        assert_eq!(report.history.last().map_or(0, |step| step.depth), u64::from(report.depth));
        let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
        let report = MoveFilter::default().search(&game, &game.start(), context).unwrap();
        assert!(report.nodes <= nodes && report.best.is_some());
    }
}

#[test]
fn what_the_family_cannot_search_is_refused() {
    let star = StarMinimax::default();
    let othello = make::<Othello>(&[]);
    assert!(tried(&star, &othello, &othello.start(), 2).unwrap_err().0.contains("use AlphaBeta"));
    let poker = make::<KuhnPoker>(&[]);
    assert!(tried(&star, &poker, &poker.start(), 2).unwrap_err().0.contains("hides"));
    let three = make::<RandomTree>(&[("players", Value::Integer(3)), ("chance", word("uniform"))]);
    assert!(tried(&star, &three, &three.start(), 2).unwrap_err().0.contains('3'));
    let sums = sums(0);
    let staged = pruned(vec![Check { stage: (0, 3), ..check(5, 3, 1.0) }]);
    assert!(tried(&staged, &sums, &sums.start(), 3).is_ok(), "a tree knows how far it has come");
    let race = make::<PipRace>(&[]);
    assert!(tried(&staged, &race, &race.start(), 3).unwrap_err().0.contains("stage"));
}

#[test]
fn one_move_of_the_root_can_be_searched_alone() {
    let game = sums(4);
    let star2 = StarMinimax { tt_mb: 1, same_depth: true, ..StarMinimax::default() };
    for mv in 0..4u8 {
        let mut child = game.start();
        game.play(&mut child, mv);
        let found = run(&StarMinimax { only: Some(mv.to_string()), ..star2.clone() }, &game, &game.start(), 5);
        assert_eq!(found.best, Some(mv));
        assert!(close(found.value, expectimax(&game, &child, 4, true)));
    }
    let none = StarMinimax { only: Some("7".to_owned()), ..star2 };
    assert!(tried(&none, &game, &game.start(), 3).unwrap_err().0.contains("only=7"));
}

#[test]
fn ordering_changes_the_nodes_and_never_the_value() {
    let game = make::<PipRace>(&[
        ("first", Value::Integer(40)),
        ("second", Value::Integer(40)),
        ("steady", Value::Integer(8)),
    ]);
    for ordering in [
        Ordering::none(),
        Ordering { killers: false, ..Ordering::default() },
        Ordering { history: History::None, ..Ordering::default() },
        Ordering { hash_move: false, ..Ordering::default() },
    ] {
        agrees(
            &StarMinimax { ordering, tt_mb: 1, same_depth: true, ..StarMinimax::default() },
            &game,
            &game.start(),
            5,
        );
    }
}

#[test]
fn a_filter_that_keeps_everything_is_expectimax() {
    let everything = MoveFilter {
        filters: vec![Some(Filter { keep: 100, extra: 0, within: 0.0 }); 4],
        replies: 100,
        ..MoveFilter::default()
    };
    for seed in 0..200 {
        let game = random_tree(seed);
        for depth in 1..=6 {
            let found = filtered(&everything, &game, &game.start(), depth);
            assert!(close(found.value, expectimax(&game, &game.start(), depth, true)), "{seed} {depth}");
            let mut chance = game.start();
            game.play(&mut chance, 0);
            let found = filtered(&everything, &game, &chance, depth - 1);
            assert!(close(found.value, expectimax(&game, &chance, depth - 1, true)), "{seed} {depth}");
        }
    }
}

#[test]
fn a_filter_keeps_what_it_says() {
    let game = sums(3);
    let with = |keep, extra, within| {
        let filters = vec![Some(Filter { keep, extra, within })];
        filtered(&MoveFilter { filters, ..MoveFilter::default() }, &game, &game.start(), 5).children.len()
    };
    assert_eq!([with(0, 0, 9e9), with(2, 0, 9e9), with(1, 2, 9e9), with(0, 9, 9e9)], [1, 2, 3, 4]);
    assert_eq!([with(1, 9, 0.0), with(3, 9, -1.0)], [1, 3], "the others are too far behind");
    // b, b·n·b and at most b·n·n·b + b·n·b of depth 5; the moves of the root count at every stage
    let wide = MoveFilter { filters: vec![Some(Filter { keep: 9, extra: 0, within: 0.0 })], ..MoveFilter::default() };
    let leaves = |depth| stat(&filtered(&wide, &game, &game.start(), depth), "leaves");
    assert_eq!([leaves(1), leaves(3)], [4.0, 4.0 + 4.0 * 4.0 * 4.0]);
    assert_eq!(leaves(5), 4.0 + 4.0 * 4.0 * 4.0 * (4.0 + 1.0));
}
