//! Every solver finds the true value, and its strategies hold.

use crate::cyclic::Graph;
use kibitz_game::{Configure, Game, Limits, Parameter, Params, Probe, Random, Stop, Turn, Value, Wdl};
use kibitz_games::{Breakthrough, ConnectFour, Mnk, Nim, RandomTree};
use kibitz_solve::proof::{
    Ask, AtLeast, Checkpoint, EvaluationNumbers, LeafNumbers, Method, Outcome, Provable, Reason, SecondLevel, Solver,
};
use kibitz_solve::verify::{Checked, Claim, Sample, verify};

fn solver(method: Method, leaf: LeafNumbers) -> Solver {
    Solver { method, leaf, delete_solved: false, memory_mb: 32, solved_mb: 0, threads: 1, only: None, trace: 0 }
}

/// One of each kind.
fn solvers() -> Vec<Solver> {
    let weights = EvaluationNumbers { a: 2, b: 2, threshold: 0.0, mobility: true };
    vec![
        solver(Method::OneLevel, LeafNumbers::One),
        solver(Method::OneLevel, LeafNumbers::Mobility),
        Solver { delete_solved: true, ..solver(Method::OneLevel, LeafNumbers::One) },
        solver(Method::TwoLevels(SecondLevel::Equal), LeafNumbers::One),
        solver(Method::TwoLevels(SecondLevel::Equal), LeafNumbers::Evaluation(weights)),
        solver(Method::TwoLevels(SecondLevel::Logistic { a: 50.0, b: 10.0 }), LeafNumbers::Mobility),
        Solver { delete_solved: true, ..solver(Method::TwoLevels(SecondLevel::Equal), LeafNumbers::Mobility) },
        Solver { solved_mb: 1, ..solver(Method::OneLevel, LeafNumbers::One) },
        Solver { solved_mb: 1, delete_solved: true, ..solver(Method::OneLevel, LeafNumbers::Mobility) },
        Solver { solved_mb: 1, ..solver(Method::TwoLevels(SecondLevel::Equal), LeafNumbers::One) },
        Solver { solved_mb: 1, ..solver(Method::TwoLevels(SecondLevel::Equal), LeafNumbers::Evaluation(weights)) },
        solver(Method::DepthFirst { epsilon: 0.25 }, LeafNumbers::One),
        solver(Method::DepthFirst { epsilon: 0.0 }, LeafNumbers::Mobility),
    ]
}

fn asked<T>(nodes: Option<u64>, database: Option<&dyn Probe>, with: impl FnOnce(&mut Ask<'_>) -> T) -> T {
    let limits = Limits { nodes, ..Limits::default() };
    let stop = Stop::new();
    with(&mut Ask { limits: &limits, stop: &stop, past: &[], database, progress: &mut |_| (), checkpoint: None })
}

fn solve<G: Provable>(solver: &Solver, game: &G, position: &G::Position) -> Outcome<G::Move> {
    asked(Some(2_000_000), None, |ask| solver.solve(game, position, ask)).expect("the game can be solved")
}

/// Checks the strategy of every answer and returns what the checks saw.
fn verified<G: Provable>(
    solver: &Solver,
    game: &G,
    position: &G::Position,
    outcome: &Outcome<G::Move>,
    database: Option<&dyn Probe>,
) -> Vec<Checked> {
    let Turn::Player(mover) = game.turn(position) else { return Vec::new() };
    let check = |number: usize| {
        let strategy = asked(None, database, |ask| solver.strategy(game, position, &outcome.kept, number, 0, ask))
            .unwrap_or_else(|error| panic!("{error}"));
        let answer = &outcome.answers[number];
        let holder = if answer.value == Some(true) { mover } else { 1 - mover };
        let goal = match (answer.at_least, answer.value) {
            (AtLeast::Win, Some(true)) | (AtLeast::Draw, Some(false)) => Wdl::Win,
            _ => Wdl::Draw,
        };
        let moves = |key| strategy.get(key);
        let (past, frontier, sample) = (&[][..], 0, Sample::ALL);
        let claim = Claim { holder: holder.into(), goal, strategy: &moves, past, database, frontier, sample };
        verify(game, position, &claim, &Stop::new()).unwrap_or_else(|flaw| panic!("{flaw}")).expect("not stopped")
    };
    (0..outcome.kept.len()).map(check).collect()
}

fn params(parameters: &[Parameter], given: &[(&str, i64)]) -> Params {
    let given: Vec<_> = given.iter().map(|&(name, value)| (name.to_owned(), Value::Integer(value))).collect();
    Params::complete(parameters, given).expect("good parameters")
}

fn made<G: Configure>(given: &[(&str, i64)]) -> G {
    G::configure(&params(&G::parameters(), given)).expect("good parameters")
}

/// The value for the player to move by looking at everything.
fn minimax<G: Game>(game: &G, position: &G::Position) -> Wdl {
    let Turn::Player(player) = game.turn(position) else {
        return Wdl::of_score(game.score(position, 0) - game.range(0).middle());
    };
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let value = |mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        let value = minimax(game, &child);
        match game.turn(&child) {
            Turn::Player(next) if next == player => value,
            Turn::Over if player == 0 => value,
            _ => value.reversed(),
        }
    };
    moves.into_iter().map(value).max_by_key(|value| value.bits()).expect("there is a move")
}

#[test]
fn all_solvers_agree_with_minimax_on_random_trees() {
    for (width, depth, range) in [(2, 6, 2), (3, 5, 3), (4, 4, 2), (5, 3, 80)] {
        for seed in 0..12 {
            let given = [("width", width), ("depth", depth), ("range", range), ("seed", seed), ("players", 2)];
            let game: RandomTree = made(&given);
            let expected = minimax(&game, &game.start());
            for solver in solvers() {
                let outcome = solve(&solver, &game, &game.start());
                assert_eq!(outcome.value, expected, "{given:?} {solver:?}");
                assert!(outcome.best.is_some(), "{given:?} {solver:?}");
                verified(&solver, &game, &game.start(), &outcome, None);
            }
        }
    }
}

#[test]
fn all_solvers_agree_with_minimax_on_positions_of_real_games() {
    let tic_tac_toe: Mnk<u64> = made(&[]);
    let connect: ConnectFour<u64> = made(&[("rows", 4), ("cols", 4)]);
    let breakthrough: Breakthrough<u64> = made(&[("rows", 4), ("cols", 3), ("ranks", 1)]);
    compare(&tic_tac_toe, 60, 3);
    compare(&connect, 40, 7);
    compare(&breakthrough, 40, 2);
}

fn compare<G: Provable>(game: &G, positions: u64, plies: usize) {
    for seed in 0..positions {
        let mut random = Random::new(seed);
        let mut position = game.start();
        for _ in 0..plies + random.below(4) {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            if game.turn(&position) == Turn::Over {
                break;
            }
            game.play(&mut position, moves[random.below(moves.len())]);
        }
        if game.turn(&position) == Turn::Over {
            continue;
        }
        let expected = minimax(game, &position);
        for solver in solvers() {
            let outcome = solve(&solver, game, &position);
            assert_eq!(outcome.value, expected, "{} {solver:?}", game.write(&position));
            verified(&solver, game, &position, &outcome, None);
        }
    }
}

#[test]
fn small_games_have_their_known_values() {
    for solver in solvers() {
        let game: Mnk<u64> = made(&[]);
        assert_eq!(solve(&solver, &game, &game.start()).value, Wdl::Draw, "tic-tac-toe {solver:?}");
        let game: Breakthrough<u64> = made(&[("rows", 4), ("cols", 4)]);
        let outcome = solve(&solver, &game, &game.start());
        assert_eq!(outcome.value, Wdl::Loss, "breakthrough 4x4 {solver:?}");
        assert!(verified(&solver, &game, &game.start(), &outcome, None)[1].positions > 100);
        let game: Nim = made(&[]);
        assert_ne!(solve(&solver, &game, &game.start()).value, Wdl::Unknown, "nim {solver:?}");
    }
}

/// The key test of soundness with cycles: a value that rests on the way to a position must never be taken for the value of the position.
#[test]
fn no_solver_errs_on_graphs_with_cycles() {
    for seed in 0..1200 {
        let mut game = Graph::random(seed, 4 + seed as usize % 9);
        let values = game.values();
        for start in 0..game.nodes.len() as u16 {
            if game.turn(&start) == Turn::Over {
                continue;
            }
            game.start = start;
            for solver in solvers() {
                let solver = Solver { memory_mb: 1, ..solver };
                let outcome = solve(&solver, &game, &start);
                assert_eq!(outcome.value, values[usize::from(start)], "{start} of {game:?} {solver:?}");
                verified(&solver, &game, &start, &outcome, None);
            }
        }
    }
}

/// A table that forgets nearly everything makes the search longer, never wrong.
#[test]
fn a_table_that_forgets_never_lies() {
    let small = Solver { memory_mb: 0, ..solver(Method::DepthFirst { epsilon: 0.25 }, LeafNumbers::One) };
    let mut decided = 0;
    for seed in 0..600 {
        let game = Graph::random(seed, 4 + seed as usize % 9);
        let values = game.values();
        for start in 0..game.nodes.len() as u16 {
            if game.turn(&start) == Turn::Over {
                continue;
            }
            let outcome = asked(Some(20_000), None, |ask| small.solve(&game, &start, ask)).expect("it can be searched");
            if outcome.value != Wdl::Unknown {
                assert_eq!(outcome.value, values[usize::from(start)], "{start} of {game:?}");
                decided += 1;
                let room = Solver { memory_mb: 1, ..small.clone() };
                verified(&room, &game, &start, &outcome, None);
            }
        }
    }
    assert!(decided > 3000, "{decided}");
}

#[test]
fn threads_find_the_same_values() {
    let threads = |solver: Solver| Solver { threads: 3, memory_mb: 4, ..solver };
    let solvers = [
        Solver { threads: 3, ..solver(Method::OneLevel, LeafNumbers::One) },
        Solver { threads: 3, delete_solved: true, ..solver(Method::OneLevel, LeafNumbers::Mobility) },
        threads(solver(Method::TwoLevels(SecondLevel::Equal), LeafNumbers::One)),
        Solver { threads: 3, solved_mb: 1, ..solver(Method::OneLevel, LeafNumbers::One) },
        threads(Solver { solved_mb: 1, ..solver(Method::TwoLevels(SecondLevel::Equal), LeafNumbers::One) }),
        threads(solver(Method::DepthFirst { epsilon: 0.25 }, LeafNumbers::Mobility)),
    ];
    for solver in solvers {
        for seed in 0..60 {
            let game = Graph::random(seed, 4 + seed as usize % 9);
            let (start, values) = (game.start(), game.values());
            if game.turn(&start) != Turn::Over {
                let outcome = solve(&solver, &game, &start);
                assert_eq!(outcome.value, values[0], "{game:?} {solver:?}");
                verified(&solver, &game, &start, &outcome, None);
            }
        }
        let game: Breakthrough<u64> = made(&[("rows", 4), ("cols", 4)]);
        let outcome = solve(&solver, &game, &game.start());
        assert_eq!(outcome.value, Wdl::Loss, "{solver:?}");
        verified(&solver, &game, &game.start(), &outcome, None);
    }
}

/// Several threads that share a tree.
fn shared_trees() -> [Solver; 5] {
    let shared = Solver { threads: 3, ..solver(Method::OneLevel, LeafNumbers::Mobility) };
    let deleted = Solver { delete_solved: true, ..shared.clone() };
    let second_levels = Solver { method: Method::TwoLevels(SecondLevel::Equal), ..shared.clone() };
    let solved = |solver: &Solver| Solver { solved_mb: 1, ..solver.clone() };
    [solved(&shared), solved(&second_levels), shared, deleted, second_levels]
}

#[test]
fn threads_make_few_more_nodes_than_one_and_their_proofs_hold() {
    let game: Breakthrough<u64> = made(&[("rows", 4), ("cols", 4)]);
    for leaf in [LeafNumbers::One, LeafNumbers::Mobility] {
        let alone = Solver { memory_mb: 256, ..solver(Method::OneLevel, leaf) };
        let one = solve(&alone, &game, &game.start());
        for delete_solved in [false, true] {
            let together = Solver { threads: 3, delete_solved, ..alone.clone() };
            let found = asked(None, None, |ask| together.solve(&game, &game.start(), ask)).expect("it can be solved");
            assert_eq!(found.value, one.value, "{together:?}");
            assert!(2 * found.nodes < 3 * one.nodes, "{} nodes, {} alone, {together:?}", found.nodes, one.nodes);
            verified(&together, &game, &game.start(), &found, None);
        }
    }
}

#[test]
fn threads_without_memory_do_not_know() {
    let game: Breakthrough<u64> = made(&[]);
    for solver in shared_trees() {
        for memory_mb in [0, 1, 4] {
            let solver = Solver { memory_mb, only: Some(AtLeast::Win), ..solver.clone() };
            let found = asked(Some(30_000_000), None, |ask| solver.solve(&game, &game.start(), ask));
            let found = found.expect("it can be searched");
            assert_eq!((found.value, found.reason), (Wdl::Unknown, Some(Reason::Memory)), "{solver:?}");
            let stored = found.answers[0].stored;
            assert!(stored <= (memory_mb << 20) as u64 / 16 + 1, "{stored} nodes in {memory_mb} MB");
            if memory_mb > 0 {
                assert!(found.best.is_some(), "{solver:?}");
            }
        }
    }
}

/// What was saved in between is a search that was killed, what was saved at the end one that reached its limit.
#[test]
fn threads_take_up_what_was_saved() {
    let game: Breakthrough<u64> = made(&[("rows", 4), ("cols", 4)]);
    let folder = std::env::temp_dir();
    let file = |name: &str| folder.join(format!("kibitz-threads-{}-{name}", std::process::id()));
    for solver in shared_trees() {
        let (path, killed) = (file("saved"), file("killed"));
        let step = |path: &std::path::Path, nodes, progress: &mut dyn FnMut(u64)| {
            let interval = std::time::Duration::ZERO;
            let checkpoint = Checkpoint { path: path.to_owned(), identity: "test".to_owned(), interval };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (stop, mut progress) = (Stop::new(), |point: &kibitz_solve::proof::Point| progress(point.nodes));
            let checkpoint = Some(&checkpoint);
            let progress = &mut progress;
            let mut ask = Ask { limits: &limits, stop: &stop, past: &[], database: None, progress, checkpoint };
            solver.solve(&game, &game.start(), &mut ask).expect("it can be solved")
        };
        let mut copies = 0;
        let nodes = if solver.solved_mb > 0 { 20_000 } else { 250_000 };
        let part = step(&path, nodes, &mut |_| copies += u32::from(std::fs::copy(&path, &killed).is_ok()));
        assert_eq!((part.value, part.reason), (Wdl::Unknown, Some(Reason::Nodes)), "{solver:?}");
        assert!(copies > 0, "{solver:?}");
        for path in [path, killed] {
            let more = step(&path, part.nodes + 50_000, &mut |_| ());
            assert!(more.nodes > part.nodes || more.value != Wdl::Unknown, "{solver:?}");
            let found = step(&path, 20_000_000, &mut |_| ());
            assert_eq!(found.value, Wdl::Loss, "{solver:?}");
            verified(&solver, &game, &game.start(), &found, None);
            let again = step(&path, 20_000_000, &mut |_| ());
            assert_eq!((again.value, again.nodes), (found.value, found.nodes), "{solver:?}");
            std::fs::remove_file(path).expect("it was saved");
        }
    }
}

#[test]
fn a_trace_is_the_tree_that_the_numbers_of_the_root_come_from() {
    let game: Mnk<u64> = made(&[]);
    let start = game.start();
    for (nodes, method) in
        [(40, Method::OneLevel), (400, Method::OneLevel), (400, Method::TwoLevels(SecondLevel::Equal))]
    {
        let solver = Solver { trace: 10_000, ..solver(method, LeafNumbers::One) };
        let outcome = asked(Some(nodes), None, |ask| solver.solve(&game, &start, ask)).expect("it can be solved");
        let trace = outcome.trace.expect("it was asked for");
        let answer = &outcome.answers[0];
        assert_eq!(trace.nodes[0].numbers, Some((answer.proof, answer.disproof)));
        assert_eq!((trace.nodes.len() as u64, trace.missing), (answer.stored, 0));
        for (number, node) in trace.nodes.iter().enumerate() {
            let below: Vec<_> = trace.nodes.iter().filter(|child| child.parent == Some(number as u32)).collect();
            if below.is_empty() {
                continue;
            }
            let sum = |numbers: &mut dyn Iterator<Item = u32>| numbers.fold(0, u32::saturating_add);
            let proofs = || below.iter().map(|child| child.numbers.unwrap().0);
            let disproofs = || below.iter().map(|child| child.numbers.unwrap().1);
            let or = node.player == Some(0);
            let made = if or {
                (proofs().min().unwrap(), sum(&mut disproofs()))
            } else {
                (sum(&mut proofs()), disproofs().min().unwrap())
            };
            assert_eq!(node.numbers, Some(made), "node {number} of {nodes}");
        }
        // nothing of a solver without a trace, and never more nodes than asked for
        let short = Solver { trace: 12, ..solver.clone() };
        let few = asked(Some(nodes), None, |ask| short.solve(&game, &start, ask)).expect("it can be solved");
        let few = few.trace.expect("it was asked for");
        assert_eq!((few.nodes.len(), few.missing), (10, answer.stored - 10));
        let none = asked(Some(nodes), None, |ask| Solver { trace: 0, ..solver }.solve(&game, &start, ask));
        assert!(none.expect("it can be solved").trace.is_none());
    }
}
