//! What must hold between the members of the minimax family, on random trees and on real games.

use kibitz_game::{
    AnyTurn, BadText, Chance, Configure, Evaluate, Game, Hidden, Limits, Order, Params, Playout, Random, Range,
    Repetition, Score, Stop, Turn, Value,
};
use kibitz_games::{Breakthrough, ConnectFour, Fish, LinesOfAction, Mnk, Othello, RandomTree};
use kibitz_search::{
    AlphaBeta, BestNode, Check, Context, Driver, FirstGuess, FutilityMargin, History, Increment, LateMoves, Minimax,
    MultiCut, NextGuess, NullMove, Ordering, QualityTest, RankCut, Report, Scout, Searchable, Selective, Singular,
    UniformTree, Variant,
};

fn make<G: Configure>(given: &[(&str, i64)]) -> G {
    let given = given.iter().map(|&(name, value)| (name.to_owned(), Value::Integer(value)));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).ok().unwrap()
}

fn limited<G: Searchable>(method: &AlphaBeta, game: &G, position: &G::Position, limits: &Limits) -> Report<G::Move> {
    let stop = Stop::new();
    let context = &mut Context { limits, stop: &stop, past: &[], progress: &mut |_| {} };
    method.search(game, position, context).unwrap()
}

fn search<G: Searchable>(method: &AlphaBeta, game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    limited(method, game, position, &Limits { depth: Some(depth), ..Limits::default() })
}

fn minimax<G: Searchable>(game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    let stop = Stop::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    Minimax::default().search(game, position, context).unwrap()
}

fn best_node(variant: Variant, next_guess: NextGuess) -> Driver {
    Driver::BestNode(BestNode {
        variant,
        next_guess,
        first_guess: FirstGuess::Previous,
        offset: 0.0,
        quality: 1.0,
        quality_test: QualityTest::EveryChild,
    })
}

/// The exact members of the family, with everything but windows switched off.
fn exact() -> Vec<AlphaBeta> {
    let drivers = [
        (Driver::Full, Scout::Never),
        (Driver::Full, Scout::Pvs),
        (Driver::Full, Scout::NegaScout { wide: false }),
        (Driver::Full, Scout::NegaScout { wide: true }),
        (Driver::Aspiration(0.01), Scout::Never),
        (Driver::Aspiration(2.0), Scout::Pvs),
        (Driver::NegaCStar, Scout::Never),
        (Driver::Sss, Scout::Never),
        (Driver::Dual, Scout::Never),
        (Driver::Mtd(FirstGuess::Previous), Scout::Never),
        (Driver::Mtd(FirstGuess::At(0.4)), Scout::Never),
    ];
    let with = |(driver, scout)| AlphaBeta { driver, scout, same_depth: true, ..AlphaBeta::plain() };
    drivers.into_iter().map(with).collect()
}

/// The members that look for the best move only.
fn best_nodes(width: u32, depth: u32, values: u32) -> Vec<AlphaBeta> {
    let mut all = Vec::new();
    for variant in [Variant::Plain, Variant::Raise, Variant::Candidate] {
        let samples = vec![vec![3.0; width as usize], (0..width).map(f64::from).collect()];
        for next_guess in [
            NextGuess::Linear,
            NextGuess::Previous,
            NextGuess::Statistical(samples),
            NextGuess::Analytic(UniformTree { width, depth, values }),
        ] {
            let driver = best_node(variant, next_guess);
            all.push(AlphaBeta { driver, same_depth: true, ..AlphaBeta::plain() });
        }
    }
    all
}

/// One of the ways to run a member: fail-hard or fail-soft, table or none, deepening, all kinds of ordering.
fn dressed(mut method: AlphaBeta, bits: u32) -> AlphaBeta {
    let bit = |i: u32| bits >> i & 1 != 0;
    method.fail_hard = bit(0);
    method.tt_exact = bit(1);
    method.tt_mb = usize::from(bit(2));
    method.tt_leaves = bit(3);
    method.deepening = bit(4);
    method.step = 1 + u32::from(bit(5));
    method.etc = bit(6);
    method.etc_depth = 1 + bits % 3;
    method.seed = bit(7).then_some(u64::from(bits));
    method.ordering = Ordering {
        hash_move: bit(8),
        killers: bit(9),
        countermoves: bit(10),
        hints: bit(11),
        history: [History::None, History::Plain, History::Butterfly, History::Relative][(bits >> 12 & 3) as usize],
        gain: [Increment::Power, Increment::Square, Increment::Depth][bits as usize % 3],
        tried: [Increment::Power, Increment::One, Increment::Cube, Increment::Zero][bits as usize % 4],
        shared: bit(14),
        ageing: [0.0, 0.5, 1.0][bits as usize % 3],
        credit_fail_low: bit(15),
        credit_table: bit(16),
    };
    method
}

/// The value for the player to move after a move, by minimax.
fn value_after<G: Searchable>(game: &G, position: &G::Position, mv: G::Move, depth: u32) -> f64 {
    let Turn::Player(me) = game.turn(position) else { panic!("nobody to move") };
    let mut child = position.clone();
    game.play(&mut child, mv);
    match game.turn(&child) {
        Turn::Over => game.result(f64::from(game.score(&child, usize::from(me)))),
        Turn::Player(_) if depth == 1 => game.result(f64::from(game.evaluate(&child, usize::from(me)))),
        Turn::Player(next) => {
            let value = minimax(game, &child, depth - 1).value;
            if next == me { value } else { -value }
        }
        Turn::Chance => panic!("chance"),
    }
}

/// `exact` is what minimax found, with a value for each move.
fn agrees<G: Searchable>(game: &G, position: &G::Position, depth: u32, method: &AlphaBeta, exact: &Report<G::Move>) {
    let found = search(method, game, position, depth);
    let what = || format!("{method:?} on {} to depth {depth}", game.write(position));
    if !matches!(method.driver, Driver::BestNode(_)) || found.bound == kibitz_game::Bound::Exact {
        assert_eq!(found.value, exact.value, "{}", what());
    }
    assert!(found.value <= exact.value, "{}", what());
    let best = |mv: &G::Move| exact.children.iter().any(|child| child.mv == *mv && child.value == exact.value);
    assert!(found.best.as_ref().is_some_and(best), "{}", what());
    assert!(found.pv.first() == found.best.as_ref(), "{}", what());
}

#[test]
fn every_member_equals_minimax_on_five_thousand_random_trees() {
    let shapes = [(2, 7), (3, 5), (4, 4), (5, 3), (2, 9), (6, 2), (1, 5), (3, 1)];
    let mut random = Random::new(11);
    for seed in 0..5000 {
        let (width, depth) = shapes[seed as usize % shapes.len()];
        let range = [1, 5, 80, 800][(seed / 8) as usize % 4];
        let tree: RandomTree = make(&[
            ("width", width),
            ("depth", depth),
            ("range", range),
            ("seed", seed),
            ("players", 1 + i64::from(seed % 7 > 0)),
            ("states", if seed % 5 == 0 { 12 } else { 0 }),
        ]);
        let left = if seed % 4 == 0 { 1 + seed as u32 % depth as u32 } else { depth as u32 };
        let exact_report = minimax(&tree, &tree.start(), left);
        for member in exact().into_iter().chain(best_nodes(width as u32, depth as u32, range as u32 + 1)) {
            let member = dressed(member, random.below(1 << 17) as u32);
            agrees(&tree, &tree.start(), left, &member, &exact_report);
        }
    }
}

/// Positions met in a random game.
fn along<G: Searchable>(game: &G, seed: u64, plies: usize) -> Vec<G::Position> {
    let mut random = Random::new(seed);
    let mut position = game.start();
    let mut all = Vec::new();
    for _ in 0..plies {
        if game.turn(&position) == Turn::Over {
            break;
        }
        all.push(position.clone());
        let mv = game.random_move(&position, &mut random, &mut Vec::new());
        game.play(&mut position, mv);
    }
    all
}

fn agrees_along<G: Searchable>(game: &G, depth: u32, every: usize) {
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let slow = moves.len() > 30;
    let mut random = Random::new(u64::from(depth));
    let mut members = exact();
    members.extend(best_nodes(4, depth, 20_001));
    for position in along(game, 1 + random.below(1000) as u64, 12).iter().skip(random.below(every)).step_by(every) {
        let exact = minimax(game, position, depth);
        for method in &members {
            let mut method = dressed(method.clone(), random.below(1 << 17) as u32);
            // with fail-hard values these go through all values of the range one by one
            method.fail_hard &= !slow || !matches!(method.driver, Driver::Sss | Driver::Dual);
            agrees(game, position, depth, &method, &exact);
        }
    }
}

#[test]
fn the_whole_family_equals_minimax_on_real_games() {
    agrees_along(&make::<Mnk>(&[]), 9, 3);
    agrees_along(&make::<ConnectFour>(&[("rows", 4), ("cols", 4)]), 6, 3);
    agrees_along(&make::<Breakthrough>(&[("rows", 5), ("cols", 4)]), 5, 4);
    agrees_along(&make::<Othello>(&[("size", 4)]), 7, 3);
    agrees_along(&make::<Othello>(&[("size", 6)]), 5, 4);
}

#[test]
fn the_whole_family_equals_minimax_on_lines_of_action() {
    agrees_along(&make::<LinesOfAction>(&[]), 3, 2);
}

#[test]
fn the_whole_family_equals_minimax_on_fish() {
    // while penguins are placed and while they move, and near the end, where a player may be out and the other moves on
    for (placement, depth, plies) in [("played", 3, 0), ("random", 3, 0), ("random", 4, 24), ("random", 6, 40)] {
        let given = [("placement".to_owned(), Value::Word(placement.to_owned()))];
        let game = Fish::configure(&Params::complete(&Fish::parameters(), given).unwrap()).unwrap();
        let mut members = exact();
        members.extend(best_nodes(4, depth, 101));
        let mut random = Random::new(plies as u64);
        for seed in 0..2 {
            let line = along(&game, seed, plies + 1);
            let position = line.last().unwrap();
            let exact = minimax(&game, position, depth);
            for method in &members {
                agrees(&game, position, depth, &dressed(method.clone(), random.below(1 << 17) as u32), &exact);
            }
        }
    }
}

fn leaves<M>(report: &Report<M>) -> f64 {
    report.stats[0].1
}

fn stat<M>(report: &Report<M>, name: &str) -> f64 {
    report.stats.iter().find(|stat| stat.0 == name).map_or(0.0, |stat| stat.1)
}

#[test]
fn with_the_exact_table_no_relative_looks_at_more_leaves_than_alpha_beta() {
    for seed in 1..400 {
        let (width, depth) = [(2, 8), (3, 6), (4, 4), (5, 4)][seed as usize % 4];
        let range = [5, 80, 800][seed as usize % 3];
        let tree: RandomTree = make(&[("width", width), ("depth", depth), ("range", range), ("seed", seed)]);
        let counted = |method: AlphaBeta| {
            let method = AlphaBeta { tt_exact: true, tt_leaves: true, same_depth: true, ..method };
            leaves(&search(&method, &tree, &tree.start(), depth as u32))
        };
        let alpha_beta = counted(AlphaBeta::plain());
        // even depths and a full window: the best case of Knuth and Moore
        assert!(alpha_beta >= 2.0 * (width as f64).powi(depth as i32 / 2) - 1.0);
        for method in exact() {
            if method.driver != Driver::Aspiration(0.01) && method.driver != Driver::Aspiration(2.0) {
                assert!(counted(method.clone()) <= alpha_beta, "{method:?} on tree {seed}");
            }
        }
    }
}

#[test]
fn a_guess_that_is_right_needs_two_passes_of_mtd() {
    for seed in 1..50 {
        let tree: RandomTree = make(&[("width", 3), ("depth", 4), ("range", 80), ("seed", seed)]);
        let truth = minimax(&tree, &tree.start(), 4).value;
        let method = AlphaBeta { driver: Driver::Mtd(FirstGuess::At(truth)), tt_exact: true, ..AlphaBeta::plain() };
        assert_eq!(stat(&search(&method, &tree, &tree.start(), 4), "passes"), 2.0);
    }
}

#[test]
fn quality_one_changes_nothing_and_less_quality_saves_nodes() {
    for test in [QualityTest::EveryChild, QualityTest::Passed] {
        let mut totals = Vec::new();
        for quality in [1.0, 0.999_999, 0.5, 0.0] {
            let mut total = 0;
            for seed in 1..60 {
                let tree: RandomTree = make(&[("width", 6), ("depth", 4), ("range", 80), ("seed", seed)]);
                for variant in [Variant::Plain, Variant::Raise, Variant::Candidate] {
                    let parts = BestNode {
                        variant,
                        next_guess: NextGuess::Analytic(UniformTree { width: 6, depth: 4, values: 81 }),
                        first_guess: FirstGuess::Previous,
                        offset: -3.0,
                        quality,
                        quality_test: test,
                    };
                    let method = AlphaBeta { driver: Driver::BestNode(parts), ..AlphaBeta::plain() };
                    let report = search(&method, &tree, &tree.start(), 4);
                    if quality == 1.0 {
                        let truth = minimax(&tree, &tree.start(), 4).value;
                        assert_eq!(value_after(&tree, &tree.start(), report.best.unwrap(), 4), truth);
                    }
                    total += report.nodes;
                }
            }
            totals.push(total);
        }
        assert_eq!(totals[0], totals[1], "only one candidate of all has quality 1");
        assert!(totals[2] <= totals[1] && totals[3] < totals[2], "{totals:?}");
    }
}

#[test]
fn quality_of_one_never_errs() {
    for seed in 0..2000 {
        let (width, depth) = [(2, 7), (3, 5), (4, 4), (6, 3), (12, 2)][seed as usize % 5];
        let range = [1, 5, 80, 800][(seed / 5) as usize % 4];
        let tree: RandomTree = make(&[("width", width), ("depth", depth), ("range", range), ("seed", seed + 1)]);
        let exact = minimax(&tree, &tree.start(), depth as u32);
        for mut method in best_nodes(width as u32, depth as u32, range as u32 + 1) {
            for test in [QualityTest::EveryChild, QualityTest::Passed] {
                let Driver::BestNode(parts) = &mut method.driver else { unreachable!() };
                (parts.quality, parts.quality_test, parts.offset) = (1.0, test, (seed % 7 - 3) as f64);
                agrees(&tree, &tree.start(), depth as u32, &method, &exact);
            }
        }
    }
}

#[test]
fn separation_of_two_branches_takes_one_scan_between_their_values() {
    // branches worth 2 and 8: every separation value from 3 to 8 finishes at once, with "at least" as the test
    let game = Branches(&[2, 8]);
    for guess in 1..=10 {
        let parts = BestNode {
            variant: Variant::Plain,
            next_guess: NextGuess::Previous,
            first_guess: FirstGuess::At(f64::from(guess)),
            offset: 0.0,
            quality: 1.0,
            quality_test: QualityTest::EveryChild,
        };
        let method = AlphaBeta { driver: Driver::BestNode(parts), ..AlphaBeta::plain() };
        let report = search(&method, &game, &0, 1);
        assert_eq!(report.best, Some(2), "guess {guess}");
        assert_eq!(report.nodes == 3, (3..=8).contains(&guess), "guess {guess}: {} nodes", report.nodes);
    }
}

#[test]
fn best_node_search_of_an_only_move_knows_its_value() {
    for mut method in best_nodes(2, 2, 11) {
        for fail_hard in [false, true] {
            method.fail_hard = fail_hard;
            let report = search(&method, &Branches(&[7]), &0, 1);
            assert_eq!((report.best, report.value), (Some(1), 7.0), "{method:?}");
            assert_eq!((report.bound, report.proven, report.pv), (kibitz_game::Bound::Exact, true, vec![1]));
        }
    }
}

#[test]
fn a_root_whose_moves_all_have_the_least_value_still_has_a_move() {
    for mut method in best_nodes(2, 2, 11).into_iter().chain(exact()) {
        for fail_hard in [false, true] {
            method.fail_hard = fail_hard;
            let report = search(&method, &Branches(&[0, 0, 0]), &0, 1);
            assert!(report.best.is_some(), "{method:?}");
        }
    }
}

/// One move leads to each of these values, for the player to move.
struct Branches(&'static [Score]);

impl Game for Branches {
    type Position = u8;
    type Move = u8;
    fn players(&self) -> usize {
        1
    }
    fn start(&self) -> u8 {
        0
    }
    fn turn(&self, &position: &u8) -> Turn {
        if position == 0 { Turn::Player(0) } else { Turn::Over }
    }
    fn moves(&self, _: &u8, out: &mut Vec<u8>) {
        out.extend(1..=self.0.len() as u8);
    }
    fn play(&self, position: &mut u8, mv: u8) {
        *position = mv;
    }
    fn score(&self, &position: &u8, _: usize) -> Score {
        self.0[usize::from(position) - 1]
    }
    fn range(&self, _: usize) -> Range {
        Range { low: 0, high: 10 }
    }
    fn key(&self, &position: &u8) -> u64 {
        kibitz_game::splitmix64(position.into())
    }
    fn write(&self, position: &u8) -> String {
        position.to_string()
    }
    fn read(&self, _: &str) -> Result<u8, BadText> {
        Err(BadText::new("not needed"))
    }
    fn write_move(&self, _: &u8, mv: u8) -> String {
        mv.to_string()
    }
}

impl Evaluate for Branches {}
impl Order for Branches {}
impl Chance for Branches {}
impl Hidden for Branches {}
impl Repetition for Branches {}
impl AnyTurn for Branches {}
impl Playout for Branches {}

#[test]
fn a_sound_resolution_finds_the_bucket_of_the_value_and_the_printed_one_does_not() {
    let mut worst: f64 = 0.0;
    for seed in 1..1500 {
        let tree: RandomTree =
            make(&[("width", 3), ("depth", 5), ("range", 200), ("seed", seed), ("players", 1 + seed % 2)]);
        let truth = minimax(&tree, &tree.start(), 5).value;
        for mut method in exact() {
            if method.driver == Driver::Mtd(FirstGuess::At(0.4)) {
                continue;
            }
            method.resolution = 5.0;
            let found = search(&method, &tree, &tree.start(), 5);
            assert_eq!(found.value, (truth / 5.0).floor() * 5.0, "{method:?}");
            assert!(!found.proven && found.bound == kibitz_game::Bound::Estimate);
        }
        let printed = AlphaBeta { scout: Scout::AsPrinted, resolution: 5.0, ..AlphaBeta::plain() };
        worst = worst.max((search(&printed, &tree, &tree.start(), 5).value - truth).abs());
        let fine = AlphaBeta { scout: Scout::AsPrinted, ..AlphaBeta::plain() };
        assert_eq!(search(&fine, &tree, &tree.start(), 5).value, truth, "buckets of one value change nothing");
    }
    assert!(worst > 5.0, "the printed listing erred by {worst} at most");
}

fn plain_with(selective: Selective) -> AlphaBeta {
    AlphaBeta { selective, scout: Scout::Pvs, same_depth: true, ..AlphaBeta::default() }
}

/// Nodes, and how many of the moves have minimax's value, over some positions of a game.
fn effort<G: Searchable>(game: &G, depth: u32, method: &AlphaBeta, plies: usize) -> (u64, usize, f64) {
    let (mut nodes, mut right, mut counted) = (0, 0, 0.0);
    for seed in 0..3 {
        for position in along(game, seed, plies).iter().step_by(4) {
            let report = search(method, game, position, depth);
            let truth = minimax(game, position, depth).value;
            right += usize::from(value_after(game, position, report.best.unwrap(), depth) == truth);
            nodes += report.nodes;
            counted += report.stats.iter().skip(9).map(|stat| stat.1).sum::<f64>();
            assert!(report.value.abs() <= 1.0);
        }
    }
    (nodes, right, counted)
}

#[test]
fn selective_methods_that_can_never_apply_change_nothing() {
    let game: Breakthrough = make(&[("rows", 6), ("cols", 5)]);
    let never = [
        Selective {
            multi_cut: Some(MultiCut { moves: 4, cuts: 99, reduction: 1, everywhere: true }),
            ..Selective::default()
        },
        Selective { late_moves: Some(LateMoves { after: 999, depth: 2, reduction: 1 }), ..Selective::default() },
        Selective { futility: Some(FutilityMargin { margin: 3.0, depth: 3 }), ..Selective::default() },
        Selective { razoring: Some(FutilityMargin { margin: 3.0, depth: 3 }), ..Selective::default() },
        Selective { rank_cut: Some(RankCut { threshold: 1e-9, reduction: 1 }), ..Selective::default() },
        Selective { singular: Some(Singular { depth: 99, margin: 0.0 }), ..Selective::default() },
        Selective {
            checks: vec![Check {
                height: 3,
                depth: 1,
                threshold: f64::INFINITY,
                slope: 1.0,
                offset: 0.0,
                deviation: 0.1,
            }],
            ..Selective::default()
        },
    ];
    for position in along(&game, 5, 16) {
        let plain = search(&plain_with(Selective::default()), &game, &position, 6);
        for selective in &never {
            let found = search(&plain_with(selective.clone()), &game, &position, 6);
            assert_eq!((found.value, found.best), (plain.value, plain.best), "{selective:?}");
            // a static value is an evaluation, but no node
            assert_eq!(found.nodes, plain.nodes, "{selective:?}");
        }
    }
}

#[test]
fn selective_methods_apply_and_mostly_find_the_best_move() {
    let game: Breakthrough = make(&[("rows", 6), ("cols", 5)]);
    let full = effort(&game, 6, &plain_with(Selective::default()), 20);
    assert_eq!(full.2, 0.0);
    let saving = [
        Selective { null_move: Some(NullMove { reduction: 2, adaptive: false }), ..Selective::default() },
        Selective { null_move: Some(NullMove { reduction: 2, adaptive: true }), ..Selective::default() },
        Selective {
            multi_cut: Some(MultiCut { moves: 8, cuts: 2, reduction: 2, everywhere: false }),
            ..Selective::default()
        },
        Selective { late_moves: Some(LateMoves { after: 3, depth: 3, reduction: 1 }), ..Selective::default() },
        Selective { futility: Some(FutilityMargin { margin: 0.03, depth: 2 }), ..Selective::default() },
        Selective { razoring: Some(FutilityMargin { margin: 0.03, depth: 2 }), ..Selective::default() },
        Selective {
            checks: vec![Check { height: 4, depth: 2, threshold: 1.0, slope: 1.0, offset: 0.0, deviation: 0.01 }],
            ..Selective::default()
        },
    ];
    let mut total = 0;
    for selective in saving {
        let found = effort(&game, 6, &plain_with(selective.clone()), 20);
        assert!(found.2 > 0.0, "{selective:?} was never used");
        assert!(found.0 < full.0, "{selective:?}: {} nodes instead of {}", found.0, full.0);
        assert!(found.1 * 10 >= full.1 * 6, "{selective:?}: {} right of {}", found.1, full.1);
        total += found.1;
    }
    assert!(total < 7 * full.1, "nothing that is cut on suspicion is always right");
    let singular = Selective { singular: Some(Singular { depth: 4, margin: 0.01 }), ..Selective::default() };
    let found = effort(&game, 6, &plain_with(singular), 20);
    assert!(found.2 > 0.0 && found.0 > full.0, "an extension costs nodes");
    // a reduced move that raises alpha is believed, so that the tree may even grow
    let rank_cut = Selective { rank_cut: Some(RankCut { threshold: 0.2, reduction: 2 }), ..Selective::default() };
    let found = effort(&game, 6, &plain_with(rank_cut), 20);
    assert!(found.2 > 0.0 && found.0 != full.0 && found.1 * 10 >= full.1 * 6, "{found:?} against {full:?}");
}

#[test]
fn nothing_that_rests_on_suspicion_is_proven() {
    let game: Mnk = make(&[]);
    let selective = Selective { null_move: Some(NullMove { reduction: 1, adaptive: false }), ..Selective::default() };
    let report = search(&plain_with(selective), &game, &game.start(), 9);
    assert!(stat(&report, "null_move_cuts") > 0.0);
    assert!(!report.proven);
    assert!(search(&plain_with(Selective::default()), &game, &game.start(), 9).proven);
}

/// A walk on a ring of cells: the first player wins by reaching the cell with the prize, which the second, who may step
/// too, keeps away from for ever. Both can shuttle back and forth, and the third occurrence of a position is a draw.
struct Shuttle;

impl Game for Shuttle {
    type Position = (u8, u8, u8);
    type Move = u8;
    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> (u8, u8, u8) {
        (0, 3, 0)
    }
    fn turn(&self, &(hunter, hunted, turn): &(u8, u8, u8)) -> Turn {
        if hunter == hunted { Turn::Over } else { Turn::Player(turn) }
    }
    fn moves(&self, _: &(u8, u8, u8), out: &mut Vec<u8>) {
        out.extend([1, 5]);
    }
    fn play(&self, position: &mut (u8, u8, u8), mv: u8) {
        if position.2 == 0 {
            position.0 = (position.0 + mv) % 6;
        } else {
            position.1 = (position.1 + mv) % 6;
        }
        position.2 ^= 1;
    }
    fn score(&self, _: &(u8, u8, u8), player: usize) -> Score {
        if player == 0 { 10 } else { -10 }
    }
    fn range(&self, _: usize) -> Range {
        Range { low: -10, high: 10 }
    }
    fn key(&self, &(hunter, hunted, turn): &(u8, u8, u8)) -> u64 {
        kibitz_game::splitmix64(u64::from(hunter) << 16 | u64::from(hunted) << 8 | u64::from(turn))
    }
    fn write(&self, position: &(u8, u8, u8)) -> String {
        format!("{position:?}")
    }
    fn read(&self, _: &str) -> Result<(u8, u8, u8), BadText> {
        Err(BadText::new("not needed"))
    }
    fn write_move(&self, _: &(u8, u8, u8), mv: u8) -> String {
        mv.to_string()
    }
}

impl Evaluate for Shuttle {
    /// The hunter always believes to be winning, so that only repetition can tell the draw.
    fn evaluate(&self, _: &(u8, u8, u8), player: usize) -> Score {
        if player == 0 { 5 } else { -5 }
    }
}
impl Order for Shuttle {}
impl Chance for Shuttle {}
impl Hidden for Shuttle {}
impl AnyTurn for Shuttle {}
impl Playout for Shuttle {}
impl Repetition for Shuttle {
    const REPEATS: bool = true;
    fn repeated(&self, _: &(u8, u8, u8), times: u32, _: usize) -> Option<Score> {
        (times >= 3).then_some(0)
    }
}

#[test]
fn whoever_can_repeat_has_a_draw() {
    // at distance three with the hunter to move the hunted can always run away or shuttle, and no line is quiet for ever
    for method in exact() {
        for tt_exact in [false, true] {
            let method = AlphaBeta { tt_exact, ..method.clone() };
            let report = search(&method, &Shuttle, &Shuttle.start(), 14);
            assert_eq!(report.value, 0.0, "{method:?}");
            assert!(!report.proven, "a first repetition is only assumed to be the last");
            assert!(stat(&report, "repetitions") > 0.0);
        }
        // two plies ahead nothing has been repeated
        assert_eq!(search(&method, &Shuttle, &Shuttle.start(), 2).value, 5.0);
    }
}

#[test]
fn positions_of_the_game_before_the_root_count() {
    let start = Shuttle.start();
    let child = |mv| {
        let mut child = start;
        Shuttle.play(&mut child, mv);
        Shuttle.key(&child)
    };
    // both children of the root have occurred twice: whatever is played is a draw by the third time
    let past = [child(1), child(5), child(1), child(5)];
    let stop = Stop::new();
    for (past, value) in [(&past[..], 0.0), (&past[..3], 5.0), (&[], 5.0)] {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let context = &mut Context { limits: &limits, stop: &stop, past, progress: &mut |_| {} };
        let report = AlphaBeta::plain().search(&Shuttle, &start, context).unwrap();
        assert_eq!(report.value, value);
        let context = &mut Context { limits: &limits, stop: &stop, past, progress: &mut |_| {} };
        assert_eq!(Minimax::default().search(&Shuttle, &start, context).unwrap().value, value);
    }
}
