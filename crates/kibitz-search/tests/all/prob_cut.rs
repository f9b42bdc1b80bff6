//! `ProbCut` and `Multi-ProbCut`: when they are alpha-beta, and which check is made where.

use kibitz_game::{Configure, Game, Limits, Params, Random, Stop, Turn, Value};
use kibitz_games::{Breakthrough, LinesOfAction, Nim, Othello, RandomTree};
use kibitz_search::{AlphaBeta, Check, Context, NotSupported, Report, Searchable, Selective};

fn make<G: Configure>(given: &[(&str, Value)]) -> G {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).ok().unwrap()
}

/// A tree whose static values foretell deeper ones.
fn sums(seed: i64) -> RandomTree {
    make(&[
        ("width", Value::Integer(4)),
        ("depth", Value::Integer(12)),
        ("range", Value::Integer(1200)),
        ("leaves", Value::Word("sum".to_owned())),
        ("seed", Value::Integer(seed)),
    ])
}

fn search<G: Searchable>(method: &AlphaBeta, game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    tried(method, game, position, depth).unwrap()
}

fn tried<G: Searchable>(
    method: &AlphaBeta,
    game: &G,
    position: &G::Position,
    depth: u32,
) -> Result<Report<G::Move>, NotSupported> {
    let stop = Stop::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    method.search(game, position, &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} })
}

fn with(plain: &AlphaBeta, checks: &[Check]) -> AlphaBeta {
    AlphaBeta { selective: Selective { checks: checks.to_vec(), ..Selective::default() }, ..plain.clone() }
}

/// A check that believes the shallow value.
fn check(height: u32, depth: u32) -> Check {
    Check { height, depth, threshold: 1.0, slope: 1.0, offset: 0.0, deviation: 0.0, stage: Check::ANY_STAGE }
}

/// Positions of a random game.
fn along<G: Searchable>(game: &G, seed: u64, plies: usize) -> Vec<G::Position> {
    let (mut random, mut position, mut moves, mut found) = (Random::new(seed), game.start(), Vec::new(), Vec::new());
    while found.len() < plies && matches!(game.turn(&position), Turn::Player(_)) {
        found.push(position.clone());
        moves.clear();
        game.moves(&position, &mut moves);
        random.shuffle(&mut moves);
        game.play(&mut position, moves[0]);
    }
    found
}

/// Everything that a report says but the time.
fn said<M: Copy + PartialEq + std::fmt::Debug>(report: &Report<M>) -> String {
    let Report { best, value, pv, nodes, depth, stats, proven, .. } = report;
    format!("{best:?} {value} {pv:?} {nodes} {depth} {stats:?} {proven}")
}

fn is_alpha_beta_without_a_threshold<G: Searchable>(game: &G, depth: u32, plies: usize)
where
    G::Move: std::fmt::Debug + PartialEq,
{
    let stages = [(0, 3), (4, u32::MAX)];
    let never: Vec<Check> = (3..=depth)
        .flat_map(|height| [(height, height - 2), (height, 0)])
        .flat_map(|(height, depth)| {
            stages.map(|stage| Check { threshold: f64::INFINITY, stage, ..check(height, depth) })
        })
        .collect();
    for (number, position) in along(game, 3, plies).iter().enumerate() {
        for plain in [AlphaBeta { tt_mb: 1, ..AlphaBeta::default() }, AlphaBeta::plain()] {
            let exact = search(&plain, game, position, depth);
            let found = search(&with(&plain, &never), game, position, depth);
            assert_eq!(said(&found), said(&exact), "position {number}");
        }
    }
}

#[test]
fn an_infinite_threshold_is_alpha_beta_to_the_last_node() {
    for seed in 0..10 {
        is_alpha_beta_without_a_threshold(&sums(seed), 6, 4);
    }
    is_alpha_beta_without_a_threshold(&make::<Othello>(&[]), 4, 58);
    is_alpha_beta_without_a_threshold(&make::<Breakthrough>(&[]), 4, 20);
    is_alpha_beta_without_a_threshold(&make::<LinesOfAction>(&[]), 3, 10);
}

#[test]
fn a_check_is_made_in_the_stage_of_the_node_and_not_of_the_root() {
    // the progress of a node of a random tree is its level, and without deepening a height is always at the same ply
    for seed in 0..10 {
        let game = sums(seed);
        for (level, root) in along(&game, 1, 4).iter().enumerate() {
            let (depth, height) = (6, 4);
            let there = level as u32 + depth - height;
            let nodes = |stage| {
                let method = with(&AlphaBeta::plain(), &[Check { stage, ..check(height, 2) }]);
                said(&search(&method, &game, root, depth))
            };
            let (all, none) = (nodes(Check::ANY_STAGE), said(&search(&AlphaBeta::plain(), &game, root, depth)));
            assert_ne!(all, none);
            assert_eq!(nodes((there, there)), all);
            assert_eq!(nodes((0, there - 1)), none);
            assert_eq!(nodes((there + 1, u32::MAX)), none);
        }
    }
}

#[test]
fn two_stages_use_the_numbers_of_each() {
    let game = sums(1);
    let strict = Check { deviation: 200.0, threshold: 1.5, ..check(4, 2) };
    let loose = Check { deviation: 0.0, ..strict };
    let both = [Check { stage: (0, 2), ..loose }, Check { stage: (3, u32::MAX), ..strict }];
    let roots = along(&game, 1, 3);
    // six plies below the start the height of 4 is at level 2, and from level 1 on it is at 3
    for (root, same_as) in [(&roots[0], loose), (&roots[1], strict), (&roots[2], strict)] {
        let found = search(&with(&AlphaBeta::plain(), &both), &game, root, 6);
        assert_eq!(said(&found), said(&search(&with(&AlphaBeta::plain(), &[same_as]), &game, root, 6)));
    }
}

#[test]
fn a_shallow_search_has_no_checks_of_its_own() {
    let game = sums(2);
    let outer = check(4, 2);
    // at level 1 a node has four plies left, unless it is searched shallowly
    let inner = Check { stage: (1, 1), ..check(2, 0) };
    let one = search(&with(&AlphaBeta::plain(), &[outer]), &game, &game.start(), 5);
    let two = search(&with(&AlphaBeta::plain(), &[outer, inner]), &game, &game.start(), 5);
    assert_eq!(said(&two), said(&one));
    let plain = search(&AlphaBeta::plain(), &game, &game.start(), 5);
    assert_ne!(said(&one), said(&plain));
}

#[test]
fn the_shallower_check_of_a_height_is_made_first() {
    let game = sums(3);
    let [first, second] = [check(5, 1), check(5, 3)];
    let report = |checks: &[Check]| said(&search(&with(&AlphaBeta::plain(), checks), &game, &game.start(), 7));
    assert_eq!(report(&[first, second]), report(&[second, first]));
    assert_ne!(report(&[first, second]), report(&[second]));
}

#[test]
fn nothing_that_rests_on_a_check_is_proven() {
    let game: Othello = make(&[("size", Value::Integer(4))]);
    let checks: Vec<Check> = (3..=14).map(|height| check(height, height - 2)).collect();
    let root = &along(&game, 1, 4)[3];
    let plain = AlphaBeta { tt_mb: 1, ..AlphaBeta::default() };
    let exact = search(&plain, &game, root, 20);
    assert!(exact.proven);
    let report = search(&with(&plain, &checks), &game, root, exact.depth);
    assert!(report.stats.iter().any(|&(name, count)| name == "prob_cuts" && count > 0.0));
    assert!(!report.proven);
}

#[test]
fn games_count_their_progress_and_it_never_falls() {
    fn rises<G: Searchable>(game: &G, from: u32, last: u32) {
        let seen: Vec<u32> = along(game, 5, 200).iter().map(|position| game.progress(position).unwrap()).collect();
        assert_eq!(seen[0], from);
        assert!(seen.is_sorted());
        assert!(*seen.last().unwrap() >= last, "{seen:?}");
    }
    rises(&make::<Othello>(&[]), 4, 55);
    rises(&make::<Breakthrough>(&[]), 0, 1);
    rises(&make::<LinesOfAction>(&[]), 0, 3);
    rises(&make::<Nim>(&[]), 0, 3);
    rises(&sums(0), 0, 11);
}
