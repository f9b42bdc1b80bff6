//! Best-node search: the best move without its value, and how sure of it one wants to be.

use crate::searching::{agrees, best_nodes, exact, make, minimax, search, value_after};
use kibitz_game::{
    AnyTurn, BadText, Bound, Chance, Evaluate, Game, Hidden, Order, Playout, Puzzle, Range, Ranked, Repetition, Score,
    Turn,
};
use kibitz_games::RandomTree;
use kibitz_search::{AlphaBeta, BestNode, Driver, FirstGuess, NextGuess, QualityTest, UniformTree, Variant};

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
            assert_eq!((report.bound, report.proven, report.pv), (Bound::Exact, true, vec![1]));
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
impl Ranked for Branches {}
impl Puzzle for Branches {}
impl AnyTurn for Branches {}
impl Playout for Branches {}
