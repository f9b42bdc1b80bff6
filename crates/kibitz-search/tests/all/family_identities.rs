//! What must hold between the members of the minimax family, on random trees and on real games.

use crate::searching::{agrees, along, best_nodes, exact, leaves, make, minimax, search, stat, value_after};
use kibitz_game::{Configure, Game, Params, Random, Value};
use kibitz_games::{Breakthrough, ConnectFour, Fish, LinesOfAction, Mnk, Othello, RandomTree};
use kibitz_search::{
    AlphaBeta, Check, Driver, FirstGuess, FutilityMargin, History, Increment, LateMoves, MultiCut, NullMove, Ordering,
    RankCut, Scout, Searchable, Selective, Singular,
};

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
                stage: Check::ANY_STAGE,
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
            checks: vec![Check {
                height: 4,
                depth: 2,
                threshold: 1.0,
                slope: 1.0,
                offset: 0.0,
                deviation: 0.01,
                stage: Check::ANY_STAGE,
            }],
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
