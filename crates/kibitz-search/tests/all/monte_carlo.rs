//! The Monte-Carlo family: threads, memory and trees that are used again.

use crate::searching::make;
use kibitz_game::{
    AnyTurn, BadText, Chance, Evaluate, Game, Hidden, Limits, Order, Playout, Puzzle, Range, Ranked, Repetition, Score,
    Stop, Turn,
};
use kibitz_games::{Breakthrough, ConnectFour, Mnk, Othello, RandomTree};
use kibitz_search::{Context, FinalMove, Kept, Minimax, Parallel, Report, Searchable, Selection, Uct};

type KeptOf<G> = Option<Kept<<G as Game>::Position, <G as Game>::Move>>;

fn search_on<G: Searchable>(
    uct: &Uct,
    game: &G,
    position: &G::Position,
    simulations: u64,
    kept: &mut KeptOf<G>,
) -> Report<G::Move> {
    let (stop, limits) = (Stop::new(), Limits { simulations: Some(simulations), ..Limits::default() });
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    uct.search_on(game, position, context, kept).unwrap()
}

fn search<G: Searchable>(uct: &Uct, game: &G, simulations: u64) -> Report<G::Move> {
    search_on(uct, game, &game.start(), simulations, &mut None)
}

fn stat<M>(report: &Report<M>, name: &str) -> u64 {
    report.stats.iter().find(|stat| stat.0 == name).unwrap().1 as u64
}

fn visits<M>(report: &Report<M>) -> u64 {
    report.children.iter().map(|child| child.visits).sum()
}

/// What does not depend on the clock.
fn essence<M: Copy + std::fmt::Debug>(report: &Report<M>) -> String {
    let history: Vec<_> = report.history.iter().map(|step| (step.depth, step.value, step.nodes, &step.pv)).collect();
    format!(
        "{:?} {:?} {:?} {} {:?} {:?} {:?} {history:?}",
        report.best, report.value, report.pv, report.nodes, report.children, report.stats, report.depths
    )
}

/// Twelve moves of three kinds, and the first player has always won.
struct Certain;

impl Game for Certain {
    type Position = (u8, u32);
    type Move = u8;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> (u8, u32) {
        (0, 0)
    }
    fn turn(&self, position: &(u8, u32)) -> Turn {
        if position.0 == 12 { Turn::Over } else { Turn::Player(position.0 % 2) }
    }
    fn moves(&self, _: &(u8, u32), out: &mut Vec<u8>) {
        out.extend(0..3);
    }
    fn play(&self, position: &mut (u8, u32), mv: u8) {
        *position = (position.0 + 1, position.1 * 3 + u32::from(mv));
    }
    fn score(&self, _: &(u8, u32), player: usize) -> Score {
        if player == 0 { 1 } else { -1 }
    }
    fn range(&self, _: usize) -> Range {
        Range { low: -1, high: 1 }
    }
    fn key(&self, position: &(u8, u32)) -> u64 {
        u64::from(position.1) << 8 | u64::from(position.0)
    }
    fn write(&self, position: &(u8, u32)) -> String {
        format!("{position:?}")
    }
    fn read(&self, _: &str) -> Result<(u8, u32), BadText> {
        Err(BadText::new("not needed here"))
    }
    fn write_move(&self, _: &(u8, u32), mv: u8) -> String {
        mv.to_string()
    }
}

impl Evaluate for Certain {}
impl Order for Certain {}
impl Chance for Certain {}
impl Hidden for Certain {}
impl Repetition for Certain {}
impl Ranked for Certain {}
impl Puzzle for Certain {}
impl AnyTurn for Certain {}
impl Playout for Certain {}

fn with(parallel: Parallel, threads: usize) -> Uct {
    Uct { parallel, threads, ..Uct::default() }
}

#[test]
fn no_reward_and_no_visit_of_a_shared_tree_is_lost() {
    for seed in 0..10 {
        let report = search(&Uct { solver: false, seed, ..with(Parallel::Tree, 8) }, &Certain, 20_000);
        assert_eq!((visits(&report), stat(&report, "simulations")), (20_000, 20_000));
        assert!(report.children.iter().all(|child| child.value == 1.0), "{:?}", report.children);
        assert_eq!(report.depths.iter().sum::<u64>(), 20_000);
        assert_eq!(report.nodes, 1 + 12 * 20_000);
    }
}

fn adds_up<G: Searchable>(game: &G, parallel: Parallel, threads: usize, simulations: u64) {
    for selection in [Selection::Ucb1, Selection::Ucb1Tuned] {
        let uct = Uct { selection, ..with(parallel, threads) };
        let report = search(&uct, game, simulations);
        assert_eq!((visits(&report), stat(&report, "simulations")), (simulations, simulations));
        // all games from one leaf leave the tree once
        assert!(report.depths.iter().sum::<u64>() == simulations || parallel == Parallel::Leaf);
        assert!(report.children.iter().all(|child| (-1.0..=1.0).contains(&child.value)));
    }
}

#[test]
fn visits_add_up_with_every_kind_of_threads() {
    for (parallel, threads, simulations) in [
        (Parallel::Root, 1, 3_000),
        (Parallel::Root, 3, 3_000),
        (Parallel::Tree, 2, 3_000),
        (Parallel::Tree, 5, 3_000),
        (Parallel::Leaf, 3, 300),
    ] {
        adds_up(&make::<Othello>(&[]), parallel, threads, simulations);
        adds_up(&make::<Breakthrough<u64>>(&[]), parallel, threads, simulations);
        adds_up(&make::<ConnectFour<u64>>(&[]), parallel, threads, simulations);
    }
}

#[test]
fn one_thread_of_any_kind_is_the_sequential_search() {
    let game: Breakthrough<u64> = make(&[]);
    let plain = essence(&search(&Uct::default(), &game, 3_000));
    for parallel in [Parallel::Root, Parallel::Tree, Parallel::Leaf] {
        assert_eq!(essence(&search(&with(parallel, 1), &game, 3_000)), plain);
    }
}

#[test]
fn root_and_leaf_parallel_reports_do_not_depend_on_the_speed_of_threads() {
    let game: Othello = make(&[]);
    for parallel in [Parallel::Root, Parallel::Leaf] {
        let first = essence(&search(&with(parallel, 3), &game, 300));
        for _ in 0..3 {
            assert_eq!(essence(&search(&with(parallel, 3), &game, 300)), first);
        }
    }
}

#[test]
fn trees_that_are_added_up_are_the_sequential_trees() {
    // the share of each of two threads is a search of its own with its own stream of random numbers, the first of which is
    // the one of a single thread
    let game: Othello = make(&[]);
    let both = search(&Uct { solver: false, ..with(Parallel::Root, 2) }, &game, 4_000);
    let alone = search(&Uct { solver: false, memory_mb: 128, ..Uct::default() }, &game, 2_000);
    for child in &both.children {
        let own = alone.children.iter().find(|other| other.mv == child.mv).unwrap();
        assert!(child.visits > own.visits);
    }
    assert_eq!(visits(&both), 4_000);
}

#[test]
fn every_kind_of_threads_proves_what_minimax_finds() {
    for parallel in [Parallel::Root, Parallel::Tree, Parallel::Leaf] {
        for seed in 0..16 {
            let tree: RandomTree = make(&[
                ("width", 2 + seed % 3),
                ("depth", 5),
                ("range", 40),
                ("seed", seed),
                ("players", 1 + seed % 2),
            ]);
            let (stop, limits) = (Stop::new(), Limits::default());
            let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
            let exact = Minimax::default().search(&tree, &tree.start(), context).unwrap();
            let threads = if parallel == Parallel::Leaf { 2 } else { 4 };
            let report = search(&Uct { seed: seed as u64, ..with(parallel, threads) }, &tree, 1_000_000);
            assert!(report.proven, "{parallel:?} {seed}");
            assert_eq!(report.value, exact.value);
            let chosen = exact.children.iter().find(|child| Some(child.mv) == report.best).unwrap();
            assert_eq!(chosen.value, exact.value);
        }
    }
}

#[test]
fn a_full_tree_gives_up_its_least_visited_nodes_and_goes_on() {
    for (parallel, threads) in [(Parallel::Root, 1), (Parallel::Tree, 2), (Parallel::Leaf, 2)] {
        let game: Mnk<kibitz_game::Wide<4>> = make(&[("rows", 15), ("cols", 15), ("k", 5)]);
        let report = search(&Uct { memory_mb: 1, solver: false, ..with(parallel, threads) }, &game, 20_000);
        assert!(stat(&report, "recycled") >= 3, "{parallel:?} {:?}", report.stats);
        assert_eq!(stat(&report, "memory_full"), 1);
        assert!(report.stats.iter().any(|&(name, value)| name == "tree_mb" && value <= 1.0 && value > 0.3));
        assert_eq!(visits(&report), 20_000);
    }
}

fn reuses<G: Searchable<Move: std::fmt::Debug>>(game: &G, uct: &Uct) {
    let mut kept: KeptOf<G> = None;
    let first = search_on(uct, game, &game.start(), 4_000, &mut kept);
    assert_eq!(essence(&first), essence(&search(uct, game, 4_000)));
    let mut position = game.start();
    for &mv in &first.pv[..2] {
        game.play(&mut position, mv);
    }
    let again = search_on(uct, game, &position, 1_000, &mut kept);
    let fresh = search_on(uct, game, &position, 1_000, &mut None);
    assert_eq!(stat(&again, "simulations"), 1_000);
    assert_eq!(visits(&fresh), 1_000);
    assert!(visits(&again) > 1_000, "{}", visits(&again));
    // the position does not follow from the last one
    let other = search_on(uct, game, &game.start(), 1_000, &mut kept);
    assert_eq!(essence(&other), essence(&search(uct, game, 1_000)));
}

#[test]
fn a_search_goes_on_with_the_tree_of_the_last_one() {
    for (parallel, threads) in [(Parallel::Root, 1), (Parallel::Root, 2), (Parallel::Leaf, 2)] {
        reuses(&make::<ConnectFour<u64>>(&[]), &Uct { solver: false, ..with(parallel, threads) });
        reuses(&make::<Breakthrough<u64>>(&[("rows", 5), ("cols", 4)]), &Uct { ..with(parallel, threads) });
    }
}

#[test]
fn a_shared_tree_is_used_again() {
    let game: ConnectFour<u64> = make(&[]);
    let uct = Uct { solver: false, ..with(Parallel::Tree, 3) };
    let mut kept = None;
    let first = search_on(&uct, &game, &game.start(), 4_000, &mut kept);
    let mut position = game.start();
    for &mv in &first.pv[..2] {
        game.play(&mut position, mv);
    }
    assert!(visits(&search_on(&uct, &game, &position, 1_000, &mut kept)) > 1_100);
}

#[test]
fn a_tree_of_other_parameters_is_not_used_again() {
    let game: ConnectFour<u64> = make(&[]);
    let mut kept = None;
    search_on(&Uct::default(), &game, &game.start(), 1_000, &mut kept);
    let other = Uct { selection: Selection::Ucb1Tuned, ..Uct::default() };
    assert_eq!(visits(&search_on(&other, &game, &game.start(), 1_000, &mut kept)), 1_000);
    let again = Uct { seed: 7, ..other };
    assert_eq!(visits(&search_on(&again, &game, &game.start(), 1_000, &mut kept)), 2_000);
}

#[test]
fn a_higher_threshold_makes_a_smaller_tree() {
    let game: Othello = make(&[]);
    let mut sizes = [1, 2, 10, 100].map(|expansion_threshold| {
        let report = search(&Uct { expansion_threshold, ..Uct::default() }, &game, 5_000);
        stat(&report, "tree_nodes")
    });
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    sizes.sort_unstable();
    assert!(sizes[0] >= 2);
}

#[test]
fn a_low_first_play_urgency_leaves_moves_untried() {
    let game: Mnk<kibitz_game::Wide<4>> = make(&[("rows", 15), ("cols", 15), ("k", 5)]);
    let tried = |first_play_urgency| {
        let report = search(&Uct { first_play_urgency, ..Uct::default() }, &game, 225);
        report.children.iter().filter(|child| child.visits > 0).count()
    };
    assert_eq!(tried(None), 225);
    assert_eq!(tried(Some(1e9)), 225);
    assert!(tried(Some(0.0)) == 1 && tried(Some(1.0)) > 1 && tried(Some(1.0)) < 225, "{}", tried(Some(1.0)));
}

#[test]
fn a_search_for_a_robust_max_child_ends_early_when_there_is_one() {
    let game: Othello = make(&[]);
    let mut ended = 0;
    for seed in 0..12 {
        let uct = Uct { final_move: FinalMove::RobustMax, solver: false, seed, ..Uct::default() };
        let report = search(&uct, &game, 3_000);
        let simulations = stat(&report, "simulations");
        assert!((2_000..=3_000).contains(&simulations));
        let best = report.children.iter().find(|child| Some(child.mv) == report.best).unwrap();
        assert_eq!(best.visits, report.children[0].visits);
        let agreed = report.children.iter().all(|child| child.value <= best.value);
        assert!(agreed || simulations == 3_000);
        ended += u32::from(simulations < 3_000);
    }
    assert!(ended > 0);
}
