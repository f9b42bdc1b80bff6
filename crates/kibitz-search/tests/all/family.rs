//! The minimax family on deterministic trees: the counts of every algorithm, integer by integer.
//!
//! Source: the counts were computed by two independent programs from the listings of D. Rutko, *Fuzzified Game Tree
//! Search* (2012), with their errata put right. Leaf i is splitmix64(i) mod 81: the random tree with seed 0.

use kibitz_game::{Configure, Game, Limits, Params, Stop, Value};
use kibitz_games::RandomTree;
use kibitz_search::{
    AlphaBeta, BestNode, Context, Driver, FirstGuess, NextGuess, QualityTest, Report, Scout, UniformTree, Variant,
};

const SHAPES: [(u32, u32); 6] = [(2, 4), (3, 4), (2, 14), (3, 10), (4, 8), (5, 6)];

fn tree(width: u32, depth: u32) -> RandomTree {
    let given = [("width", width), ("depth", depth), ("range", 80)]
        .map(|(name, value)| (name.to_owned(), Value::Integer(i64::from(value))));
    RandomTree::configure(&Params::complete(&RandomTree::parameters(), given).unwrap()).unwrap()
}

fn search(method: &AlphaBeta, tree: &RandomTree, depth: u32) -> Report<u8> {
    let stop = Stop::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    method.search(tree, &tree.start(), context).unwrap()
}

/// The algorithm as the counts are defined: left to right, nothing but the exact table, if any, which keeps leaves, too.
fn counted(driver: Driver, scout: Scout, table: bool) -> AlphaBeta {
    AlphaBeta { driver, scout, tt_exact: table, tt_leaves: true, same_depth: true, ..AlphaBeta::plain() }
}

fn best_node(variant: Variant, shape: Option<(u32, u32)>) -> Driver {
    let uniform = |(width, depth)| NextGuess::Analytic(UniformTree { width, depth, values: 81 });
    Driver::BestNode(BestNode {
        variant,
        next_guess: shape.map_or(NextGuess::Linear, uniform),
        first_guess: FirstGuess::Previous,
        offset: 0.0,
        quality: 1.0,
        quality_test: QualityTest::EveryChild,
    })
}

/// A row of the table: name, driver for each shape, null windows at nodes, table, leaves and nodes for each shape.
type Row<'a> = (&'a str, &'a dyn Fn(usize) -> Driver, Scout, bool, [(u64, u64); 6]);

#[test]
fn every_algorithm_has_the_counts_of_the_deterministic_trees() {
    let negascout = Scout::NegaScout { wide: false };
    let guesses = [33.0, 28.0, 31.0, 26.0, 22.0, 20.0];
    let mtd = |i: usize| Driver::Mtd(FirstGuess::At(guesses[i]));
    let analytic = |variant| move |i: usize| best_node(variant, Some(SHAPES[i]));
    let linear = |variant| move |_: usize| best_node(variant, None);
    let (plain, raise, candidate) = (Variant::Plain, Variant::Raise, Variant::Candidate);
    #[rustfmt::skip]
    let rows: [Row; 14] = [
        ("Alpha-Beta", &|_| Driver::Full, Scout::Never, false,
            [(15, 30), (58, 96), (1977, 4907), (5797, 10523), (6178, 9802), (2728, 3945)]),
        ("NegaScout", &|_| Driver::Full, negascout, false,
            [(20, 42), (56, 95), (2749, 7059), (6288, 11616), (5683, 9155), (2640, 3914)]),
        ("NegaScout, table", &|_| Driver::Full, negascout, true,
            [(15, 41), (52, 95), (1716, 4814), (4494, 8775), (4660, 7859), (2021, 3134)]),
        ("NegaC*, table", &|_| Driver::NegaCStar, Scout::Never, true,
            [(12, 35), (48, 117), (1591, 4454), (4435, 9016), (4898, 8742), (1951, 3161)]),
        ("SSS*, table", &|_| Driver::Sss, Scout::Never, true,
            [(11, 53), (51, 201), (1588, 6311), (3967, 11597), (4726, 12069), (1961, 5605)]),
        ("DUAL*, table", &|_| Driver::Dual, Scout::Never, true,
            [(15, 50), (51, 109), (1487, 4710), (4390, 9320), (4835, 8911), (1947, 3269)]),
        ("MTD(f), table", &mtd, Scout::Never, true,
            [(12, 35), (49, 133), (1370, 3648), (3154, 5965), (3936, 6455), (1360, 2046)]),
        ("MTD(f)", &mtd, Scout::Never, false,
            [(20, 47), (194, 353), (2870, 7423), (4560, 8513), (5590, 9088), (2085, 3110)]),
        ("BNS-P linear, table", &linear(plain), Scout::Never, true,
            [(12, 27), (49, 143), (2024, 5866), (4688, 9837), (7219, 13213), (1860, 3756)]),
        ("BNS-P analytic, table", &analytic(plain), Scout::Never, true,
            [(12, 27), (48, 117), (1640, 4293), (3627, 6867), (4828, 7874), (1460, 2196)]),
        ("BNS-R analytic, table", &analytic(raise), Scout::Never, true,
            [(12, 27), (48, 100), (1331, 3486), (3154, 5965), (3745, 6076), (1277, 1901)]),
        ("BNS-C analytic, table", &analytic(candidate), Scout::Never, true,
            [(12, 27), (48, 100), (1364, 3519), (2568, 4801), (3745, 6076), (1277, 1901)]),
        ("BNS-C analytic", &analytic(candidate), Scout::Never, false,
            [(12, 27), (117, 208), (1364, 3519), (2568, 4801), (3745, 6076), (1277, 1901)]),
        ("BNS-C linear, table", &linear(candidate), Scout::Never, true,
            [(12, 27), (49, 114), (1893, 5509), (3872, 7959), (7141, 12850), (1676, 3418)]),
    ];
    let mut wrong = Vec::new();
    for (name, driver, scout, table, counts) in rows {
        for (i, ((width, depth), (leaves, total))) in SHAPES.into_iter().zip(counts).enumerate() {
            let report = search(&counted(driver(i), scout, table), &tree(width, depth), depth);
            let found = (report.stats[0].1 as u64, report.nodes);
            if found != (leaves, total) {
                wrong.push(format!("{name} w{width} d{depth}: {found:?} instead of {:?}", (leaves, total)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn best_node_search_returns_the_moves_of_the_deterministic_trees() {
    let moves: [[u8; 4]; 6] = [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 0, 1], [2, 2, 1, 2], [0, 0, 0, 0], [3, 3, 2, 2]];
    for ((width, depth), moves) in SHAPES.into_iter().zip(moves) {
        let shape = Some((width, depth));
        let drivers = [
            best_node(Variant::Plain, None),
            best_node(Variant::Plain, shape),
            best_node(Variant::Raise, shape),
            best_node(Variant::Candidate, shape),
        ];
        let found = drivers
            .map(|driver| search(&counted(driver, Scout::Never, true), &tree(width, depth), depth).best.unwrap());
        assert_eq!(found, moves, "w{width} d{depth}");
    }
}

#[test]
fn exact_algorithms_return_the_values_of_the_deterministic_trees() {
    for ((width, depth), value) in SHAPES.into_iter().zip([46.0, 18.0, 29.0, 25.0, 23.0, 20.0]) {
        for driver in [
            Driver::Full,
            Driver::Aspiration(3.0),
            Driver::NegaCStar,
            Driver::Sss,
            Driver::Dual,
            Driver::Mtd(FirstGuess::At(31.0)),
        ] {
            for fail_hard in [false, true] {
                let method = AlphaBeta { fail_hard, ..counted(driver.clone(), Scout::Never, true) };
                assert_eq!(search(&method, &tree(width, depth), depth).value, value, "{method:?}");
            }
        }
    }
}
