//! The solvers on Fanorona: published values, and retrograde analysis as the judge.

use kibitz_game::{Configure, Game, Limits, Params, Place, Probe, Random, Ranked, Slice, Stop, Turn, Value, Wdl};
use kibitz_games::Fanorona;
use kibitz_solve::proof::{
    Ask, AtLeast, EvaluationNumbers, LeafNumbers, Method, Outcome, SecondLevel, Solver, Strategy,
};
use kibitz_solve::retrograde::{Lower, Options, Tables, solve_all};
use kibitz_solve::verify::{Checked, Claim, Flaw, Sample, verify};

type Board = Fanorona<u64>;

fn board(rows: i64, cols: i64) -> Board {
    let given = [("rows", rows), ("cols", cols)].map(|(name, size)| (name.to_owned(), Value::Integer(size)));
    let params = Params::complete(&Board::parameters(), given.to_vec()).expect("a board");
    Board::configure(&params).expect("a board")
}

/// Tables of at most so many pieces, as a database.
struct InMemory(Tables);

impl Probe for InMemory {
    fn value(&self, place: Place) -> Option<Wdl> {
        Some(Lower::value(&self.0, place)).filter(|&value| value != Wdl::Unknown)
    }
}

fn tables(game: &Board, pieces: Option<u32>) -> InMemory {
    InMemory(solve_all(game, pieces, &Options::default(), &mut |_| (), &Stop::new()).expect("small enough"))
}

/// Random positions of 3 by 5.
const POSITIONS: usize = 20_000;

fn solver(method: Method, leaf: LeafNumbers) -> Solver {
    Solver { method, leaf, delete_solved: false, memory_mb: 64, solved_mb: 0, threads: 1, only: None, trace: 0 }
}

const PN2: Method = Method::TwoLevels(SecondLevel::Equal);
const DF_PN: Method = Method::DepthFirst { epsilon: 0.25 };

/// One of each kind, with so much memory for solved positions.
fn family(solved_mb: usize) -> [Solver; 4] {
    let weights = EvaluationNumbers { a: 1, b: 1, threshold: 0.0, mobility: true };
    [
        solver(Method::OneLevel, LeafNumbers::One),
        solver(PN2, LeafNumbers::Mobility),
        solver(DF_PN, LeafNumbers::One),
        solver(PN2, LeafNumbers::Evaluation(weights)),
    ]
    .map(|solver| Solver { solved_mb, ..solver })
}

fn ask<T>(nodes: u64, database: Option<&InMemory>, with: impl FnOnce(&mut Ask<'_>) -> T) -> T {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let database = database.map(|database| database as &dyn Probe);
    let stop = Stop::new();
    with(&mut Ask { limits: &limits, stop: &stop, past: &[], database, progress: &mut |_| (), checkpoint: None })
}

type Found = Outcome<<Board as Game>::Move>;

fn solve(solver: &Solver, game: &Board, position: &<Board as Game>::Position, database: Option<&InMemory>) -> Found {
    ask(50_000_000, database, |ask| solver.solve(game, position, ask)).expect("Fanorona can be solved")
}

/// The strategy of an answer, without the positions for which a search of so many nodes finds a move.
fn strategy(
    solver: &Solver,
    game: &Board,
    position: &<Board as Game>::Position,
    (found, number): (&Found, usize),
    frontier: u64,
    database: Option<&InMemory>,
) -> Strategy {
    let made = ask(1, database, |ask| solver.strategy(game, position, &found.kept, number, frontier, ask));
    made.unwrap_or_else(|error| panic!("{error}"))
}

fn check(
    game: &Board,
    position: &<Board as Game>::Position,
    strategy: &Strategy,
    part: f64,
    database: Option<&InMemory>,
) -> Result<Checked, Flaw> {
    let moves = |key| strategy.get(key);
    let goal = if strategy.goal == AtLeast::Win { Wdl::Win } else { Wdl::Draw };
    let database = database.map(|database| database as &dyn Probe);
    let (holder, frontier, sample) = (strategy.holder, strategy.frontier, Sample { part, seed: 1 });
    let claim = Claim { holder, goal, strategy: &moves, past: &[], database, frontier, sample };
    Ok(verify(game, position, &claim, &Stop::new())?.expect("not stopped"))
}

/// Checks the proof of a value, with all moves and with those only that are not found easily.
fn verified(
    solver: &Solver,
    game: &Board,
    position: &<Board as Game>::Position,
    found: &Found,
    database: Option<&InMemory>,
) {
    let Turn::Player(mover) = game.turn(position) else { return };
    for (number, frontier) in found.kept.needed().flat_map(|number| [(number, 0), (number, 400)]) {
        let strategy = strategy(solver, game, position, (found, number), frontier, database);
        let checked = check(game, position, &strategy, 1.0, database).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert!(checked.positions > 0);
        let own = strategy.holder == usize::from(mover);
        let proves = match found.value {
            Wdl::Win => own && strategy.goal == AtLeast::Win,
            Wdl::Loss => !own && strategy.goal == AtLeast::Win,
            _ => strategy.goal == AtLeast::Draw,
        };
        assert!(proves, "{:?} by {strategy:?}", found.value);
    }
}

#[test]
fn boards_with_a_side_of_three_are_won_by_white() {
    for (rows, cols) in [(3, 3), (3, 5), (5, 3), (3, 7), (7, 3)] {
        let game = board(rows, cols);
        for solver in [0, 1].into_iter().flat_map(family) {
            let found = solve(&solver, &game, &game.start(), None);
            assert_eq!(found.value, Wdl::Win, "{rows}x{cols} {solver:?}");
            verified(&solver, &game, &game.start(), &found, None);
        }
    }
}

#[test]
fn five_by_five_is_a_draw_with_both_halves_proven() {
    let game = board(5, 5);
    let tables = tables(&game, Some(5));
    let published = solver(PN2, LeafNumbers::Mobility);
    let solved = Solver { solved_mb: 1, ..published.clone() };
    for solver in [published, solved, solver(DF_PN, LeafNumbers::Mobility)] {
        let found = solve(&solver, &game, &game.start(), Some(&tables));
        assert_eq!(found.value, Wdl::Draw, "{solver:?}");
        verified(&solver, &game, &game.start(), &found, Some(&tables));
    }
}

/// Whether a solver finds the value in the tables within so many nodes, with a proof that holds; another value is an error.
fn agrees(
    solver: &Solver,
    game: &Board,
    all: &InMemory,
    known: Option<&InMemory>,
    place: Place,
    nodes: u64,
    proofs: bool,
) -> bool {
    let Some(position) = game.unrank(place.slice, place.rank) else { return true };
    if game.turn(&position) == Turn::Over {
        return true;
    }
    let expected = all.value(place).expect("every position has a value");
    let found = ask(nodes, known, |ask| solver.solve(game, &position, ask)).expect("Fanorona can be solved");
    if found.value == Wdl::Unknown {
        return false;
    }
    assert_eq!(found.value, expected, "{} {solver:?}", game.write(&position));
    if proofs {
        verified(solver, game, &position, &found, known);
    }
    true
}

#[test]
fn all_positions_of_three_by_three_agree_with_retrograde_analysis() {
    let game = board(3, 3);
    let all = tables(&game, None);
    for group in game.groups(None) {
        for slice in group {
            for rank in 0..game.size(slice) {
                for (i, solver) in family(rank as usize % 2).iter().enumerate() {
                    let solver = Solver { memory_mb: 2, ..solver.clone() };
                    let proofs = (rank as usize / 2 + i).is_multiple_of(8);
                    assert!(
                        agrees(&solver, &game, &all, None, Place { slice, rank }, 1_000_000, proofs),
                        "{rank} {solver:?}"
                    );
                }
            }
        }
    }
}

/// Asks each solver in turn for random positions of all that the tables have and that are not over, and returns how many each of them left open.
fn open(game: &Board, all: &InMemory, known: Option<&InMemory>, count: usize, nodes: u64) -> [usize; 4] {
    let family = family(8);
    let slices: Vec<(Slice, u64)> = all.0.iter().map(|table| (table.slice, game.size(table.slice))).collect();
    let total: u64 = slices.iter().map(|&(_, size)| size).sum();
    let mut random = Random::new(1);
    let (mut open, mut number) = ([0; 4], 0);
    while number < count {
        let mut rank = random.bits() % total;
        let &(slice, _) = slices
            .iter()
            .find(|&&(_, size)| {
                let here = rank < size;
                rank -= if here { 0 } else { size };
                here
            })
            .expect("a slice");
        if game.unrank(slice, rank).is_none_or(|position| game.turn(&position) == Turn::Over) {
            continue;
        }
        let solver = Solver { memory_mb: 32, ..family[number % 4].clone() };
        let agreed = agrees(&solver, game, all, known, Place { slice, rank }, nodes, number % 16 < 4);
        open[number % 4] += usize::from(!agreed);
        number += 1;
    }
    open
}

#[test]
fn random_positions_of_three_by_five_agree_with_retrograde_analysis() {
    let game = board(3, 5);
    let all = tables(&game, None);
    let open = open(&game, &all, None, POSITIONS, 1_000_000);
    println!("{open:?} open");
    assert!(open.iter().all(|open| open * 400 <= POSITIONS), "{open:?} of a quarter of {POSITIONS} each are open");
}

/// Positions with random numbers of pieces, so that those with all eight are no more than others.
#[test]
fn every_solver_decides_ninety_nine_of_a_hundred_positions_of_random_material() {
    let game = board(5, 5);
    let (all, known) = (tables(&game, Some(8)), tables(&game, Some(4)));
    let slices: Vec<Slice> = all.0.iter().map(|table| table.slice).collect();
    let mut random = Random::new(2);
    let mut open = [0; 4];
    for number in 0..10_000 {
        let slice = slices[random.below(slices.len())];
        let place = Place { slice, rank: random.bits() % game.size(slice) };
        let solver = Solver { memory_mb: 32, ..family(8)[number % 4].clone() };
        let agreed = agrees(&solver, &game, &all, Some(&known), place, 1_000_000, number % 16 < 4);
        open[number % 4] += usize::from(!agreed);
    }
    println!("{open:?} open");
    assert!(open.iter().all(|open| open * 100 <= 2_500), "{open:?} of 2,500 each are open");
}

#[test]
fn every_solver_decides_ninety_nine_of_a_hundred_positions_of_five_by_five() {
    let game = board(5, 5);
    let (all, known) = (tables(&game, Some(8)), tables(&game, Some(4)));
    let open = open(&game, &all, Some(&known), 10_000, 1_000_000);
    println!("{open:?} open");
    assert!(open.iter().all(|open| open * 100 <= 2_500), "{open:?} of 2,500 each are open");
}

#[test]
fn a_database_changes_no_value() {
    let game = board(3, 5);
    let all = tables(&game, None);
    for pieces in [2, 4, 6] {
        let known = tables(&game, Some(pieces));
        for solver in [0, 1].into_iter().flat_map(family) {
            let found = solve(&solver, &game, &game.start(), Some(&known));
            assert_eq!(found.value, Wdl::Win, "{pieces} pieces, {solver:?}");
            let answer = &found.answers[0];
            assert!((1..answer.nodes).contains(&answer.probes), "{} probes, {solver:?}", answer.probes);
            verified(&solver, &game, &game.start(), &found, Some(&known));
        }
    }
    assert_eq!(all.value(game.place(&game.start()).expect("it has a place")), Some(Wdl::Win));
}

#[test]
fn threads_that_share_a_table_do_not_wait_for_each_other_in_circles() {
    let game = board(7, 3);
    let alone = solver(DF_PN, LeafNumbers::Mobility);
    let one = solve(&alone, &game, &game.start(), None);
    assert_eq!((one.value, one.answers[0].probes), (Wdl::Win, 0));
    for threads in [2, 4] {
        let together = Solver { threads, ..alone.clone() };
        let nodes = 20 * one.nodes;
        let found = ask(nodes, None, |ask| together.solve(&game, &game.start(), ask)).expect("Fanorona can be solved");
        assert_eq!(found.value, one.value, "{threads} threads, {nodes} nodes");
    }
}

/// What is solved once is solved wherever it comes up, on a table so small that most of it is lost, too.
#[test]
fn positions_that_were_solved_elsewhere_save_nodes_and_are_proven() {
    let game = board(7, 3);
    for method in [Method::OneLevel, PN2] {
        let published = solver(method, LeafNumbers::Mobility);
        let one = solve(&published, &game, &game.start(), None);
        for solved_mb in [1, 16] {
            let solved = Solver { solved_mb, ..published.clone() };
            let found = solve(&solved, &game, &game.start(), None);
            assert_eq!(found.value, one.value);
            assert!(found.nodes < one.nodes, "{} nodes and {} without a table, {solved:?}", found.nodes, one.nodes);
            verified(&solved, &game, &game.start(), &found, None);
        }
    }
}

#[test]
fn a_certificate_leaves_out_what_a_search_finds_and_the_check_searches_as_much_of_it_as_asked() {
    let (rows, cols, pieces) = (5, 5, 5);
    let game = board(rows, cols);
    let tables = tables(&game, Some(pieces));
    let solver = solver(PN2, LeafNumbers::Mobility);
    let start = game.start();
    let found = solve(&solver, &game, &start, Some(&tables));
    for number in found.kept.needed() {
        let [all, most, few] = [0, 400, 40_000]
            .map(|frontier| strategy(&solver, &game, &start, (&found, number), frontier, Some(&tables)));
        assert!(few.len() < most.len() && most.len() < all.len(), "{} {} {}", few.len(), most.len(), all.len());
        let full = check(&game, &start, &few, 1.0, Some(&tables)).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert!(full.frontier > 0 && full.searched == full.frontier && full.nodes > full.searched);
        let none = check(&game, &start, &few, 0.0, Some(&tables)).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert_eq!((none.frontier, none.searched, none.nodes), (full.frontier, 0, 0));
        let half = check(&game, &start, &few, 0.5, Some(&tables)).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert!(half.searched > 0 && half.searched < full.frontier);
        // what is left out is not easy enough any more
        let strict = Strategy::from_records(few.holder, few.goal, 2, &few.records()).expect("records");
        assert!(check(&game, &start, &strict, 1.0, Some(&tables)).is_err());
    }
}

/// Records of a strategy with one number changed.
#[test]
fn an_altered_strategy_is_refused_or_proves_the_same() {
    let game = board(7, 3);
    let solver = solver(PN2, LeafNumbers::Mobility);
    let start = game.start();
    let found = solve(&solver, &game, &start, None);
    let strategy = strategy(&solver, &game, &start, (&found, 0), 0, None);
    let records = strategy.records();
    let mut random = Random::new(3);
    let mut refused = 0;
    for _ in 0..200 {
        let mut altered = records.clone();
        altered[random.below(records.len())] ^= 1 << random.below(7);
        let altered = Strategy::from_records(strategy.holder, strategy.goal, 0, &altered);
        match altered.map(|altered| check(&game, &start, &altered, 1.0, None)) {
            None | Some(Err(_)) => refused += 1,
            // another move or rank that does as well
            Some(Ok(checked)) => assert!(checked.positions > 0),
        }
    }
    assert!(refused > 150, "{refused} of 200");
    let stuck = Strategy::from_records(strategy.holder, strategy.goal, 0, &flat(&strategy));
    let flaw = check(&game, &start, &stuck.expect("records"), 1.0, None).expect_err("no rank falls");
    assert!(flaw.0.contains("no nearer"), "{flaw}");
}

/// The records of a strategy whose ranks are all one.
fn flat(strategy: &Strategy) -> Vec<u8> {
    let mut records = strategy.records();
    let mut ranks = 0;
    while ranks < strategy.len() {
        let last = records.pop().expect("a rank");
        assert!(last < 128);
        while records.last().is_some_and(|&byte| byte >= 128) {
            records.pop();
        }
        ranks += 1;
    }
    records.extend(std::iter::repeat_n(1, strategy.len()));
    records
}
