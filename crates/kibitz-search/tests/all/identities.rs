//! What must hold between the algorithms, on random trees and on real games.

use crate::searching::{along, make, value_after};
use kibitz_game::{Game, Limits, Replacement, Stop, Turn};
use kibitz_games::{Breakthrough, ConnectFour, KuhnPoker, Mnk, Othello, RandomTree};
use kibitz_search::{
    AlphaBeta, Context, History, Minimax, NotSupported, Ordering, Report, Searchable, Style, Uct, perft, playouts,
};

fn random_tree(seed: i64) -> (RandomTree, u32) {
    let shapes = [(2, 7), (3, 5), (4, 4), (5, 3), (1, 6), (2, 9)];
    let (width, depth) = shapes[seed as usize % shapes.len()];
    let tree = make(&[
        ("width", width),
        ("depth", depth),
        ("range", [1, 5, 80, 800][(seed / 7) as usize % 4]),
        ("seed", seed),
        ("players", 1 + (seed / 3) % 2),
        ("states", if seed % 5 == 0 { 12 } else { 0 }),
    ]);
    (tree, depth as u32)
}

macro_rules! search {
    ($method:expr, $game:expr, $position:expr, $limits:expr) => {{
        let stop = Stop::new();
        let limits = $limits;
        let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
        $method.search($game, $position, context)
    }};
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Alpha-beta with the switches that the bits of a number name.
fn switched(bits: u32) -> AlphaBeta {
    let bit = |i: u32| bits >> i & 1 != 0;
    AlphaBeta {
        deepening: bit(0),
        tt_mb: usize::from(bit(1)),
        tt_exact: bit(1) && bit(7),
        replacement: [Replacement::TwoDeep, Replacement::Always, Replacement::DepthPreferred, Replacement::TwoBig]
            [bits as usize % 4],
        same_depth: true,
        etc: bit(2),
        etc_depth: 1 + bits % 3,
        ordering: Ordering {
            hash_move: !bit(8),
            killers: bit(3),
            countermoves: bit(9),
            hints: bit(5),
            history: [History::None, History::Plain, History::Relative, History::Butterfly]
                [usize::from(bit(4)) + 2 * usize::from(bit(10))],
            ..Ordering::default()
        },
        seed: bit(6).then_some(u64::from(bits)),
        ..AlphaBeta::default()
    }
}

fn agrees_with_minimax<G: Searchable>(game: &G, position: &G::Position, left: u32, method: &AlphaBeta) {
    let exact = search!(Minimax::default(), game, position, depth(left)).unwrap();
    let found = search!(method, game, position, depth(left)).unwrap();
    let what = format!("{method:?} on {} to depth {left}", game.write(position));
    assert_eq!(found.value, exact.value, "{what}");
    assert_eq!(value_after(game, position, found.best.unwrap(), left), exact.value, "{what}");
}

#[test]
fn alpha_beta_with_any_switches_equals_minimax_on_two_thousand_random_trees() {
    for seed in 0..2000 {
        let (tree, height) = random_tree(seed);
        let left = if seed % 4 == 0 { 1 + seed as u32 % height } else { height };
        agrees_with_minimax(&tree, &tree.start(), left, &switched((seed as u32).wrapping_mul(2_654_435_761) >> 20));
    }
}

fn agrees_along<G: Searchable>(game: &G, left: u32) {
    for seed in 0..24 {
        for (i, position) in along(game, seed, 12).iter().enumerate().step_by(3) {
            agrees_with_minimax(game, position, left, &switched(seed as u32 * 11 + i as u32 * 17));
        }
    }
}

#[test]
fn alpha_beta_with_any_switches_equals_minimax_on_real_games() {
    agrees_along(&make::<Mnk>(&[]), 9);
    agrees_along(&make::<Mnk>(&[("rows", 4), ("cols", 3)]), 4);
    agrees_along(&make::<ConnectFour>(&[("rows", 4), ("cols", 4)]), 5);
    agrees_along(&make::<Breakthrough>(&[("rows", 5), ("cols", 4)]), 4);
    agrees_along(&make::<Othello>(&[("size", 4)]), 6);
}

#[test]
fn helping_threads_do_not_change_the_value_at_a_fixed_depth() {
    let game: Breakthrough = make(&[("rows", 6), ("cols", 5)]);
    for position in along(&game, 3, 10) {
        let alone =
            search!(AlphaBeta { same_depth: true, ..AlphaBeta::default() }, &game, &position, depth(5)).unwrap();
        let helped = AlphaBeta { same_depth: true, threads: 3, ..AlphaBeta::default() };
        assert_eq!(search!(helped, &game, &position, depth(5)).unwrap().value, alone.value);
    }
}

#[test]
fn minimax_is_the_same_with_any_number_of_threads() {
    let game: Othello = make(&[]);
    let one = search!(Minimax::default(), &game, &game.start(), depth(5)).unwrap();
    let three = search!(Minimax { threads: 3, ..Minimax::default() }, &game, &game.start(), depth(5)).unwrap();
    assert_eq!((one.value, one.best, one.nodes, one.pv), (three.value, three.best, three.nodes, three.pv));
}

#[test]
fn small_games_have_their_known_values() {
    fn value<M>(report: Result<Report<M>, NotSupported>) -> Result<(f64, bool), NotSupported> {
        report.map(|report| (report.value, report.proven))
    }
    for (rows, cols) in [(4, 4), (5, 4), (4, 5)] {
        let game: ConnectFour = make(&[("rows", rows), ("cols", cols)]);
        assert_eq!(value(search!(AlphaBeta::default(), &game, &game.start(), Limits::default())), Ok((0.0, true)));
    }
    let ttt: Mnk = make(&[]);
    assert_eq!(value(search!(Uct::default(), &ttt, &ttt.start(), Limits::default())), Ok((0.0, true)));
}

#[test]
fn tic_tac_toe_has_the_published_node_counts() {
    // search-methods, 6.3: minimax 549,946; alpha-beta without enhancements 18,297 nodes, 7,330 of them leaves
    let game: Mnk = make(&[]);
    assert_eq!(search!(Minimax::default(), &game, &game.start(), Limits::default()).unwrap().nodes, 549_946);
    for fail_hard in [false, true] {
        let plain = AlphaBeta { fail_hard, ..AlphaBeta::plain() };
        let report = search!(plain, &game, &game.start(), Limits::default()).unwrap();
        assert_eq!((report.nodes, report.stats[0]), (18_297, ("leaves", 7_330.0)));
    }
}

#[test]
fn a_position_with_three_moves_is_pruned_twice() {
    // search-methods, 6.2: the first move blocks and is worth 0; the first reply refutes each of the others
    let game: Mnk = make(&[]);
    let position = game.read("XOX/XO./O.. X").unwrap();
    let exact = search!(Minimax::default(), &game, &position, Limits::default()).unwrap();
    let found = search!(AlphaBeta::plain(), &game, &position, Limits::default()).unwrap();
    assert_eq!((exact.nodes, exact.value), (14, 0.0));
    assert_eq!((found.nodes, found.value, found.best), (10, 0.0, exact.best));
}

#[test]
fn uct_finds_a_best_move_on_random_trees_and_its_visits_add_up() {
    for seed in 0..60 {
        for solver in [true, false] {
            let (tree, height) = random_tree(seed);
            // without proofs, averages of 200,000 games cannot tell 792 from 796
            if height > 6 || !solver && (seed / 7) % 4 > 1 {
                continue;
            }
            let start = tree.start();
            let exact = search!(Minimax::default(), &tree, &start, Limits::default()).unwrap().value;
            let limits = Limits { simulations: Some(200_000), ..Limits::default() };
            let report = search!(Uct { solver, ..Uct::default() }, &tree, &start, limits).unwrap();
            assert_eq!(value_after(&tree, &start, report.best.unwrap(), height), exact, "tree {seed}, solver {solver}");
            let visits: u64 = report.children.iter().map(|child| child.visits).sum();
            assert_eq!(visits as f64, report.stats[0].1);
        }
    }
}

/// `trap` lets the opponent take 0.9 at once or walk into a long corridor that is bad for it; `safe` is worth 0.3.
struct Trap;

impl kibitz_game::Game for Trap {
    type Position = (u8, u8);
    type Move = u8;
    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> (u8, u8) {
        (0, 0)
    }
    fn turn(&self, &(place, _): &(u8, u8)) -> Turn {
        // 0 the root, 1 the trap, 2 safe, 3 taken, 10 to 29 the corridor
        match place {
            0 => Turn::Player(0),
            1 => Turn::Player(1),
            10..=28 => Turn::Player(place % 2),
            _ => Turn::Over,
        }
    }
    fn moves(&self, &(place, _): &(u8, u8), out: &mut Vec<u8>) {
        out.extend(match place {
            0 => [1, 2],
            1 => [3, 10],
            _ => [place + 1, place + 1],
        });
    }
    fn play(&self, position: &mut (u8, u8), mv: u8) {
        // the second entry keeps the two sides of the corridor apart
        *position = (mv, position.1.wrapping_mul(31).wrapping_add(mv));
    }
    fn score(&self, &(place, _): &(u8, u8), player: usize) -> i32 {
        let first = match place {
            2 => 3,
            3 => -9,
            _ => 8,
        };
        if player == 0 { first } else { -first }
    }
    fn range(&self, _: usize) -> kibitz_game::Range {
        kibitz_game::Range { low: -10, high: 10 }
    }
    fn key(&self, position: &(u8, u8)) -> u64 {
        u64::from(position.0) << 8 | u64::from(position.1)
    }
    fn write(&self, position: &(u8, u8)) -> String {
        position.0.to_string()
    }
    fn read(&self, _: &str) -> Result<(u8, u8), kibitz_game::BadText> {
        Err(kibitz_game::BadText::new("not needed"))
    }
    fn write_move(&self, _: &(u8, u8), mv: u8) -> String {
        mv.to_string()
    }
}

impl kibitz_game::Evaluate for Trap {}
impl kibitz_game::Order for Trap {}
impl kibitz_game::Chance for Trap {}
impl kibitz_game::Hidden for Trap {}
impl kibitz_game::Repetition for Trap {}
impl kibitz_game::Ranked for Trap {}
impl kibitz_game::Puzzle for Trap {}
impl kibitz_game::AnyTurn for Trap {}
impl kibitz_game::Playout for Trap {}

#[test]
fn a_proven_reply_counts_although_it_is_not_visited_again() {
    for solver in [true, false] {
        let limits = Limits { simulations: Some(300), ..Limits::default() };
        let report = search!(Uct { solver, ..Uct::default() }, &Trap, &Trap.start(), limits).unwrap();
        assert_eq!((report.best, (report.value * 1e6).round()), (Some(2), 3e6), "solver {solver}");
    }
}

#[test]
fn a_tree_of_one_megabyte_stays_there_and_the_search_goes_on() {
    let game: Breakthrough = make(&[]);
    let limits = Limits { simulations: Some(60_000), ..Limits::default() };
    let report = search!(Uct { memory_mb: 1, ..Uct::default() }, &game, &game.start(), limits).unwrap();
    let stat = |name| report.stats.iter().find(|stat| stat.0 == name).unwrap().1;
    assert!(stat("tree_mb") <= 1.0 && stat("memory_full") == 1.0 && stat("simulations") == 60_000.0);
}

#[test]
fn hidden_cards_are_refused_by_everything_that_would_look_at_them() {
    let game: KuhnPoker = make(&[]);
    assert!(search!(Minimax::default(), &game, &game.start(), Limits::default()).is_err());
    assert!(search!(AlphaBeta::default(), &game, &game.start(), Limits::default()).is_err());
    assert!(search!(Uct::default(), &game, &game.start(), Limits::default()).is_err());
}

#[test]
fn perft_and_playouts_do_not_depend_on_the_number_of_threads() {
    let game: Othello = make(&[]);
    let stop = Stop::new();
    assert_eq!(perft(&game, &game.start(), 6, 1, &stop), Some(8200));
    assert_eq!(perft(&game, &game.start(), 6, 3, &stop), Some(8200));
    let games = |threads| playouts(&game, &game.start(), Style::default(), 1000, 7, threads, &stop);
    assert_eq!((games(1).sum, games(1).plies), (games(3).sum, games(3).plies));
}
