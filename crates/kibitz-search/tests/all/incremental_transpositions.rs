//! Incremental transpositions against exhaustive search, sets of positions, and counts from elsewhere.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use kibitz_game::{Bound, Configure, Game, Limits, Params, Puzzle, Stop, Turn, Value};
use kibitz_games::{Breakthrough, Gaps, Morpion, RandomTree};
use kibitz_search::{Context, IncrementalTranspositions, Report, Searchable, TableSize};

use crate::searching::{along, make, minimax, stat};

fn morpion(variant: &str) -> Morpion {
    configured(&[("variant", Value::Word(variant.to_owned()))])
}

fn gaps(ranks: i64, seed: i64) -> Gaps {
    make(&[("ranks", ranks), ("seed", seed)])
}

fn common(ranks: i64, seed: i64) -> Gaps {
    let variant = ("variant", Value::Word("common".to_owned()));
    let numbers = [("ranks", ranks), ("seed", seed), ("plies", 0)].map(|(name, number)| (name, Value::Integer(number)));
    configured(&[vec![variant], numbers.to_vec()].concat())
}

fn configured<G: Configure>(given: &[(&str, Value)]) -> G {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).ok().unwrap()
}

fn limited<G: Searchable>(
    method: &IncrementalTranspositions,
    game: &G,
    position: &G::Position,
    limits: &Limits,
) -> Report<G::Move> {
    let stop = Stop::new();
    let context = &mut Context { limits, stop: &stop, past: &[], progress: &mut |_| {} };
    method.search(game, position, context).unwrap()
}

fn search<G: Searchable>(method: &IncrementalTranspositions, game: &G, position: &G::Position) -> Report<G::Move> {
    limited(method, game, position, &Limits::default())
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn to_nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn with_table(table: TableSize) -> IncrementalTranspositions {
    IncrementalTranspositions { table, ..IncrementalTranspositions::default() }
}

fn without_sets(table: TableSize) -> IncrementalTranspositions {
    IncrementalTranspositions { sets: false, table, ..IncrementalTranspositions::default() }
}

fn rows(file: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The score at the end of a line from a position, checked move by move.
fn replayed<G: Searchable>(game: &G, position: &G::Position, line: &[G::Move]) -> f64 {
    let mut position = position.clone();
    for &mv in line {
        let mut legal = Vec::new();
        game.moves(&position, &mut legal);
        assert!(legal.contains(&mv));
        game.play(&mut position, mv);
    }
    assert!(game.turn(&position) == Turn::Over);
    game.result(f64::from(game.score(&position, 0)))
}

/// The positions that can be reached with so many moves, by depth.
fn distinct<G: Searchable>(game: &G, position: &G::Position, depth: u32) -> Vec<u64> {
    let mut level = HashMap::from([(game.key(position), position.clone())]);
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next = HashMap::new();
        for position in level.values().filter(|position| game.turn(position) != Turn::Over) {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            for mv in moves {
                let mut child = position.clone();
                game.play(&mut child, mv);
                next.insert(game.key(&child), child);
            }
        }
        counts.push(next.len() as u64);
        level = next;
    }
    counts
}

#[test]
fn nodes_by_depth_are_the_distinct_positions_of_morpion() {
    for row in rows("morpion.csv") {
        let counts: Vec<u64> = row[1..].iter().map(|count| count.parse().unwrap()).collect();
        let game = morpion(&row[0]);
        let depth = counts.len() as u32 - 1;
        let report = limited(&IncrementalTranspositions::default(), &game, &game.start(), &to_depth(depth));
        assert_eq!(report.depths, counts, "{}", row[0]);
        assert_eq!(report.nodes, counts.iter().sum::<u64>());
        assert!(!report.proven && report.depth == depth);
    }
}

/// Every position of a tree, as a search without sets comes to it, and as one with sets does.
fn visits<G: Searchable>(game: &G, position: &G::Position, set: &[G::Move], seen: &mut HashMap<u64, u32>, depth: u32) {
    *seen.entry(game.key(position)).or_default() += 1;
    if depth == 0 || game.turn(position) == Turn::Over {
        return;
    }
    let mut set = set.to_vec();
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    for mv in moves {
        if set.contains(&mv) {
            continue;
        }
        let passed: Vec<G::Move> = set.iter().copied().filter(|&other| game.commute(position, mv, other)).collect();
        let mut child = position.clone();
        game.play(&mut child, mv);
        visits(game, &child, &passed, seen, depth - 1);
        set.push(mv);
    }
}

#[test]
fn each_position_of_morpion_is_visited_exactly_once() {
    for variant in ["5T", "5D", "4T", "4D"] {
        let game = morpion(variant);
        for (i, position) in along(&game, 3, 60).iter().enumerate().step_by(4) {
            let depth = if i < 8 { 3 } else { 4 };
            let counts = distinct(&game, position, depth);
            let report = limited(&IncrementalTranspositions::default(), &game, position, &to_depth(depth));
            assert_eq!(report.depths[..], counts[..report.depths.len()], "{variant} after {i} moves");
            let mut seen = HashMap::new();
            visits(&game, position, &[], &mut seen, depth);
            assert!(seen.values().all(|&times| times == 1));
            assert_eq!(seen.len() as u64, report.nodes);
        }
    }
}

#[test]
fn a_table_changes_nothing_in_morpion() {
    let game = morpion("4D");
    for position in along(&game, 2, 40).iter().skip(12) {
        let plain = limited(&IncrementalTranspositions::default(), &game, position, &to_nodes(300_000));
        if plain.proven {
            let table = search(&with_table(TableSize::Exact), &game, position);
            assert_eq!((plain.nodes, plain.value, &plain.pv), (table.nodes, table.value, &table.pv));
            assert_eq!(stat(&table, "by_table"), 0.0);
        }
    }
}

#[test]
fn the_search_agrees_with_minimax() {
    for variant in ["5T", "5D", "4T", "4D"] {
        let game = morpion(variant);
        for seed in 0..6 {
            for position in along(&game, seed, 80).iter().rev().take(6) {
                let exact = minimax(&game, position, 4);
                for threads in [1, 3] {
                    let method = IncrementalTranspositions { threads, ..IncrementalTranspositions::default() };
                    let found = limited(&method, &game, position, &to_depth(4));
                    assert_eq!((found.value, found.proven), (exact.value, exact.proven), "{}", game.write(position));
                    assert!(found.best == exact.best && found.nodes <= exact.nodes);
                }
            }
        }
    }
    for seed in 0..40 {
        let game = gaps(5, seed);
        let exact = minimax(&game, &game.start(), 7);
        for method in [
            IncrementalTranspositions::default(),
            with_table(TableSize::Entries(64)),
            with_table(TableSize::Exact),
            without_sets(TableSize::None),
            without_sets(TableSize::Entries(1)),
            without_sets(TableSize::Exact),
        ] {
            let found = limited(&method, &game, &game.start(), &to_depth(7));
            assert_eq!((found.value, found.proven), (exact.value, exact.proven), "{method:?}, seed {seed}");
        }
    }
}

#[test]
fn every_deal_of_gaps_has_the_nodes_of_the_literature() {
    // what takes longer is counted by the tests in Python, which run optimised code
    const ENOUGH: u64 = 600_000;
    for row in rows("gaps.csv") {
        let [ranks, seed, positions] = [0, 1, 2].map(|i| row[i].parse::<i64>().unwrap());
        let game = gaps(ranks, seed);
        let start = game.start();
        let best = game.result(f64::from(game.range(0).high));
        if positions as u64 <= ENOUGH / 10 {
            let table = search(&without_sets(TableSize::Exact), &game, &start);
            assert_eq!(table.nodes, positions as u64, "{row:?}");
            assert_eq!(search(&with_table(TableSize::Exact), &game, &start).nodes, positions as u64, "{row:?}");
            assert_eq!(table.value == best, row[5] == "yes");
            assert!(table.proven && replayed(&game, &start, &table.pv) == table.value);
        }
        for (method, count) in [(with_table(TableSize::None), &row[3]), (without_sets(TableSize::None), &row[4])] {
            let Ok(count) = count.parse::<u64>() else { continue };
            if count <= ENOUGH {
                let report = search(&method, &game, &start);
                assert_eq!((report.nodes, report.value == best), (count, row[5] == "yes"), "{row:?}");
                assert_eq!(report.depths.iter().sum::<u64>(), count);
            }
        }
    }
}

#[test]
fn sets_visit_no_less_than_the_positions_and_no_more_than_plain_search() {
    for seed in 0..60 {
        let game = gaps(4, seed);
        let nodes = |method: &IncrementalTranspositions| {
            let report = limited(method, &game, &game.start(), &to_nodes(200_000));
            (report.nodes, report.proven)
        };
        let (positions, _) = nodes(&without_sets(TableSize::Exact));
        let (with_sets, complete) = nodes(&IncrementalTranspositions::default());
        let (plain, _) = nodes(&without_sets(TableSize::None));
        assert!(complete && positions <= with_sets && with_sets <= plain, "seed {seed}");
        for entries in [1, 7, 64] {
            let (sized, _) = nodes(&with_table(TableSize::Entries(entries)));
            assert!(positions <= sized && sized <= with_sets, "seed {seed}, {entries} entries");
        }
    }
}

#[test]
fn positions_that_come_back_are_all_found() {
    let mut merged = 0;
    for (ranks, seed) in [(3, 0), (3, 1), (3, 2), (3, 13), (4, 1), (4, 2), (4, 13), (5, 4), (5, 11)] {
        let game = common(ranks, seed);
        assert!(game.cycles());
        let mut seen = HashSet::from([game.key(&game.start())]);
        let mut queue = vec![game.start()];
        let mut best = 0;
        while let Some(position) = queue.pop() {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            best = if moves.is_empty() { best.max(game.score(&position, 0)) } else { best };
            for mv in moves {
                let mut child = position;
                game.play(&mut child, mv);
                if seen.insert(game.key(&child)) {
                    queue.push(child);
                }
            }
        }
        for method in [with_table(TableSize::Exact), without_sets(TableSize::Exact)] {
            let report = search(&method, &game, &game.start());
            assert_eq!(report.nodes, seen.len() as u64, "seed {seed}");
            assert!(report.proven && (best == 0 || report.value == game.result(f64::from(best))), "seed {seed}");
        }
        // without a table no position is entered twice on one line, and the search ends
        let report = limited(&IncrementalTranspositions::default(), &game, &game.start(), &to_nodes(20_000));
        if report.proven {
            assert!(report.nodes >= seen.len() as u64 && report.value == game.result(f64::from(best)), "seed {seed}");
            merged += u32::from(stat(&report, "by_table") > 0.0);
        }
    }
    assert!(merged > 0, "some deal has a cycle");
}

#[test]
fn threads_find_what_one_finds() {
    let game = morpion("5D");
    let mut compared = 0;
    for position in along(&game, 8, 60).iter().rev().skip(4) {
        let one = limited(&one_thread(), &game, position, &to_nodes(40_000));
        if !one.proven {
            break;
        }
        compared += 1;
        for threads in [2, 5] {
            let many = search(&IncrementalTranspositions { threads, ..one_thread() }, &game, position);
            assert_eq!((&many.depths, many.value, &many.pv), (&one.depths, one.value, &one.pv));
            assert_eq!((many.proven, many.bound, many.nodes), (true, Bound::Exact, one.nodes));
            assert_eq!(stat(&many, "by_sets"), stat(&one, "by_sets"));
        }
    }
    assert!(compared > 2);
    let deal = gaps(7, 4);
    let one = search(&one_thread(), &deal, &deal.start());
    let two = search(&IncrementalTranspositions { threads: 2, ..one_thread() }, &deal, &deal.start());
    assert_eq!((one.nodes, one.pv), (two.nodes, two.pv));
}

fn one_thread() -> IncrementalTranspositions {
    IncrementalTranspositions::default()
}

#[test]
fn a_search_that_stops_at_the_best_score_solves_the_deal_sooner() {
    let game = gaps(4, 6);
    let complete = search(&one_thread(), &game, &game.start());
    let solved = search(&IncrementalTranspositions { stop_at_best: true, ..one_thread() }, &game, &game.start());
    assert!(solved.nodes < complete.nodes && solved.proven && solved.bound == Bound::Exact);
    assert_eq!(replayed(&game, &game.start(), &solved.pv), 12.0);
    let lost = gaps(4, 1);
    let all = search(&IncrementalTranspositions { stop_at_best: true, ..one_thread() }, &lost, &lost.start());
    assert_eq!(all.nodes, 28);
}

#[test]
fn limits_end_a_search_with_the_best_so_far() {
    let game = morpion("5T");
    for threads in [1, 2] {
        let method = IncrementalTranspositions { threads, ..one_thread() };
        let report = limited(&method, &game, &game.start(), &to_nodes(20_000));
        assert!(report.nodes <= 20_000 && report.nodes > 15_000, "{}", report.nodes);
        assert_eq!((report.proven, report.bound), (false, Bound::Lower));
        assert_eq!(replayed(&game, &game.start(), &report.pv), report.value);
        let seconds = Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() };
        let report = limited(&method, &game, &game.start(), &seconds);
        assert!(!report.proven && report.time.as_millis() < 1000);
    }
    // nothing was found yet
    let report = limited(&one_thread(), &game, &game.start(), &to_nodes(5));
    assert_eq!((report.nodes, report.bound), (5, Bound::Estimate));
    let stop = Stop::new();
    stop.raise();
    let context = &mut Context { limits: &Limits::default(), stop: &stop, past: &[], progress: &mut |_| {} };
    assert_eq!(one_thread().search(&game, &game.start(), context).unwrap().nodes, 0);
}

#[test]
fn a_search_stays_within_its_memory() {
    let game = gaps(13, 2);
    let method = IncrementalTranspositions { memory_mb: 1, ..without_sets(TableSize::Exact) };
    let report = search(&method, &game, &game.start());
    assert!(!report.proven && stat(&report, "memory_full") == 1.0);
    assert!((20_000..60_000).contains(&report.nodes), "{}", report.nodes);
}

#[test]
fn better_lines_are_told_as_they_are_found() {
    let game = morpion("4D");
    let mut told = Vec::new();
    let stop = Stop::new();
    let limits = to_nodes(100_000);
    let mut progress = |step: &kibitz_game::Iteration<u32>| told.push((step.value, step.pv.clone()));
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut progress };
    let report = one_thread().search(&game, &game.start(), context).unwrap();
    assert_eq!(told.len(), report.history.len());
    assert!(told.len() > 2 && told.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    assert!(told.iter().all(|(value, line)| replayed(&game, &game.start(), line) == *value));
}

fn error<G: Searchable>(game: &G, method: &IncrementalTranspositions) -> kibitz_search::NotSupported {
    let stop = Stop::new();
    let context = &mut Context { limits: &to_depth(3), stop: &stop, past: &[], progress: &mut |_| {} };
    method.search(game, &game.start(), context).err().unwrap()
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let refused = |error: kibitz_search::NotSupported, words: &str| assert!(error.0.contains(words), "{error}");
    let stop = Stop::new();
    let context = &mut Context::<'_, u32> { limits: &Limits::default(), stop: &stop, past: &[], progress: &mut |_| {} };
    let game = morpion("5T");
    let method = IncrementalTranspositions { threads: 2, ..with_table(TableSize::Entries(8)) };
    refused(method.search(&game, &game.start(), context).unwrap_err(), "threads=1");
    let method = with_table(TableSize::Entries(1 << 40));
    refused(method.search(&game, &game.start(), context).unwrap_err(), "memory_mb");
    refused(error(&make::<Breakthrough>(&[]), &one_thread()), "one player");
    let tree: RandomTree = make(&[("players", 1)]);
    refused(error(&tree, &one_thread()), "sets=False");
    // without sets any game of one player will do
    let plain = limited(&without_sets(TableSize::None), &tree, &tree.start(), &to_depth(4));
    assert_eq!(plain.value, minimax(&tree, &tree.start(), 4).value);
}
