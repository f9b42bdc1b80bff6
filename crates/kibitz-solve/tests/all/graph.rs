//! The complete graphs of Dao, Do-Guti and the L-game, solved by the plainest of methods: a pass over all positions for each
//! distance. The numbers are those of J. Donkers, J. van den Herik and J. Uiterwijk (*Dao: a benchmark game*, 2004) with two
//! corrections, and for the L-game those of a program of our own that shares no code with this one.

use kibitz_game::{Configure, Params, Random, Ranked, Score, Stop, Value, Wdl};
use kibitz_games::{Dao, DoGuti, LGame, Nim};
use kibitz_solve::graph::{Graph, LookUps, TableStudy};
use kibitz_solve::retrograde::{Family, Lower, Metric, Options, solve_all};

fn game<G: Configure>(given: &[(&str, i64)]) -> G {
    let given = given.iter().map(|&(name, value)| (name.to_owned(), Value::Integer(value)));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).unwrap()
}

fn graph<G: Ranked + kibitz_game::Evaluate>(game: &G) -> Graph {
    Graph::of(game, &Stop::new()).unwrap().unwrap()
}

/// The value and distance of each node; unknown is drawn.
fn solved(graph: &Graph) -> Vec<(Wdl, u32)> {
    let mut found: Vec<(Wdl, u32)> = graph.ended.iter().map(|&value| (value, 0)).collect();
    for step in 1.. {
        let before = found.clone();
        for node in 0..found.len() {
            if before[node].0 != Wdl::Unknown {
                continue;
            }
            let mut values = graph.successors(node as u32).iter().map(|&to| before[to as usize].0);
            if values.clone().any(|value| value == Wdl::Loss) {
                found[node] = (Wdl::Win, step);
            } else if values.all(|value| value == Wdl::Win) {
                found[node] = (Wdl::Loss, step);
            }
        }
        if found == before {
            return found;
        }
    }
    unreachable!()
}

/// Every family of retrograde analysis agrees with a solved graph about values and distances.
fn retrograde_analysis_agrees<G: Ranked>(game: &G, graph: &Graph, solved: &[(Wdl, u32)]) {
    for family in Family::ALL {
        let options = Options { family, threads: 2, metric: Some(Metric::Win), ..Options::default() };
        let tables = solve_all(game, None, &options, &mut |_| (), &Stop::new()).unwrap();
        for (&place, &(value, distance)) in graph.places.iter().zip(solved) {
            let wanted = if value == Wdl::Unknown { Wdl::Draw } else { value };
            assert_eq!(tables.value(place), wanted, "{place:?} by {family:?}");
            if wanted != Wdl::Draw {
                assert_eq!(u32::from(tables.distance(place)), distance, "{place:?} by {family:?}");
            }
        }
    }
}

/// Which nodes some move leads to.
fn entered(graph: &Graph) -> Vec<bool> {
    let mut found = vec![false; graph.places.len()];
    graph.to.iter().for_each(|&to| found[to as usize] = true);
    found
}

/// How many of the wanted nodes have a value at each distance, from 0 to the greatest.
fn by_distance(solved: &[(Wdl, u32)], value: Wdl, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
    let all = || solved.iter().enumerate().filter(|&(node, &(found, _))| found == value && wanted(node));
    let most = all().map(|(_, &(_, distance))| distance).max().unwrap_or(0);
    (0..=most).map(|distance| all().filter(|&(_, &(_, at))| at == distance).count()).collect()
}

#[test]
fn dao_is_a_draw_with_the_published_distances() {
    let dao: Dao = game(&[]);
    let graph = graph(&dao);
    let solved = solved(&graph);
    assert_eq!(solved.len(), 113_028);
    retrograde_analysis_agrees(&dao, &graph, &solved);
    assert_eq!(solved[graph.root as usize].0, Wdl::Unknown);
    // still a draw after any of the 12 first moves, which lead to 3 positions
    let mut first = graph.successors(graph.root).to_vec();
    assert_eq!(first.len(), 12);
    first.dedup();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), 3);
    assert!(first.iter().all(|&node| solved[node as usize].0 == Wdl::Unknown));
    // table 3, for the player to move and of positions that a game can come to, which is right
    let entered = entered(&graph);
    let wins = by_distance(&solved, Wdl::Win, |node| entered[node]);
    let losses = by_distance(&solved, Wdl::Loss, |node| entered[node]);
    assert_eq!(wins, [988, 9_950, 0, 8_086, 0, 1_480, 0, 324, 0, 75, 0, 6]);
    assert_eq!(losses, [1_130, 0, 1_407, 0, 357, 0, 86, 0, 20, 0, 2]);
    assert_eq!((wins.iter().sum::<usize>(), losses.iter().sum::<usize>()), (20_909, 3_002));
    let all = by_distance(&solved, Wdl::Win, |_| true);
    assert_eq!(all[3], 8_087, "the printed table has one position that no game comes to");
    assert_eq!(entered.iter().filter(|&&yes| yes).count(), 110_867);
}

#[test]
fn terminal_positions_of_dao_are_those_of_the_paper() {
    let graph = graph(&game::<Dao>(&[]));
    let entered = entered(&graph);
    let count = |value: Wdl, reached: bool| {
        (0..graph.ended.len()).filter(|&node| graph.ended[node] == value && entered[node] == reached).count()
    };
    // for the player to move; the paper counts for the one who has just moved
    assert_eq!((count(Wdl::Loss, true), count(Wdl::Win, true)), (1_130, 988));
    assert_eq!((count(Wdl::Loss, false), count(Wdl::Win, false)), (1_024, 1_135));
    assert_eq!(count(Wdl::Unknown, false), 2);
    assert_eq!(count(Wdl::Unknown, true), 108_749);
}

#[test]
fn do_guti_is_a_draw_whoever_begins() {
    let words = |white: &str| {
        let given = [("white".to_owned(), Value::Word(white.to_owned()))];
        DoGuti::configure(&Params::complete(&DoGuti::parameters(), given).unwrap()).unwrap()
    };
    for white in ["top", "bottom"] {
        let do_guti = words(white);
        let graph = graph(&do_guti);
        let solved = solved(&graph);
        retrograde_analysis_agrees(&do_guti, &graph, &solved);
        assert_eq!(solved.len(), 16);
        assert_eq!(solved[graph.root as usize].0, Wdl::Unknown);
        assert_eq!(by_distance(&solved, Wdl::Loss, |_| true), [1]);
        assert_eq!(by_distance(&solved, Wdl::Win, |_| true), [0, 2]);
        // all but one position can be reached from the start
        let mut reached = vec![graph.root];
        let mut next = 0;
        while next < reached.len() {
            for &to in graph.successors(reached[next]) {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
            next += 1;
        }
        assert_eq!(reached.len(), 15);
    }
    let game = words("top");
    let place = |text: &str| {
        use kibitz_game::Game;
        game.place(&game.read(text).unwrap()).unwrap()
    };
    let graph = graph(&game);
    let solved = solved(&graph);
    let node = |text: &str| graph.places.iter().position(|&other| other == place(text)).unwrap();
    assert_eq!(solved[node("W./B/WB W")], (Wdl::Loss, 0));
    assert_eq!(solved[node("WB/W/.B W")], (Wdl::Win, 1));
    assert_eq!(solved[node("WB/./WB W")], (Wdl::Win, 1));
}

#[test]
fn the_l_game_is_a_draw_with_1_006_wins_and_29_losses() {
    let l_game: LGame = game(&[]);
    let graph = graph(&l_game);
    let solved = solved(&graph);
    retrograde_analysis_agrees(&l_game, &graph, &solved);
    assert_eq!(by_distance(&solved, Wdl::Win, |_| true), [0, 768, 0, 27, 0, 81, 0, 11, 0, 119]);
    assert_eq!(by_distance(&solved, Wdl::Loss, |_| true), [15, 0, 3, 0, 3, 0, 5, 0, 3]);
    assert_eq!(solved.iter().filter(|(value, _)| *value == Wdl::Unknown).count(), 1_261);
    assert_eq!(solved[graph.root as usize].0, Wdl::Unknown);
}

#[test]
fn a_game_without_ranks_has_no_graph() {
    let nim: Nim = game(&[]);
    assert!(Graph::of(&nim, &Stop::new()).unwrap_err().0.contains("does not number"));
}

#[test]
fn a_graph_can_be_stopped() {
    let stop = Stop::new();
    stop.raise();
    let dao: Dao = game(&[]);
    assert!(Graph::of(&dao, &stop).unwrap().is_none());
    let graph = graph(&dao);
    let study = TableStudy { depth: 8, bits: None, seed: 0, same_depth: false };
    assert!(study.run(&graph, &graph.values, &stop).is_none());
}

fn minimax(graph: &Graph, values: &[Score], node: u32, depth: u32) -> Score {
    if depth == 0 || graph.is_over(node) {
        return values[node as usize];
    }
    let value = |&to: &u32| -minimax(graph, values, to, depth - 1);
    graph.successors(node).iter().map(value).max().unwrap()
}

/// Static values without ties.
fn random_values(graph: &Graph, seed: u64) -> Vec<Score> {
    let mut random = Random::new(seed);
    graph.places.iter().map(|_| (random.bits() >> 40) as Score - (1 << 23)).collect()
}

#[test]
fn alpha_beta_with_a_table_of_any_size_finds_the_minimax_value() {
    let graph = graph(&game::<Dao>(&[]));
    for seed in 0..3 {
        let values = random_values(&graph, seed);
        for depth in 0..=5 {
            let wanted = minimax(&graph, &values, graph.root, depth);
            for bits in [None, Some(0), Some(1), Some(5), Some(10), Some(20)] {
                let study = TableStudy { depth, bits, seed, same_depth: true };
                let counts = study.run(&graph, &values, &Stop::new()).unwrap();
                assert_eq!(counts.value, wanted, "{study:?}");
            }
        }
    }
}

#[test]
fn counts_of_a_table_study_add_up() {
    let graph = graph(&game::<Dao>(&[("noise", 50)]));
    let run = |bits, seed| {
        let study = TableStudy { depth: 6, bits, seed, same_depth: false };
        study.run(&graph, &graph.values, &Stop::new()).unwrap()
    };
    let sum = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum::<u64>();
    let distinct = |counts: &[u32]| counts.iter().filter(|&&count| count > 0).count() as u64;
    for bits in [None, Some(4), Some(12), Some(21)] {
        let counts = run(bits, 1);
        assert_eq!(sum(&counts.all), sum(&counts.sides[0]) + sum(&counts.sides[1]));
        assert!(sum(&counts.evaluated) <= sum(&counts.all));
        match bits {
            None => {
                assert_eq!((counts.look_ups.hit, counts.filled), (0, 0));
                // an even depth ends with the first player to move, and without a table every such visit is a leaf
                assert!(distinct(&counts.sides[0]) > distinct(&counts.sides[1]));
            }
            Some(bits) => {
                assert!(counts.filled <= 1 << bits);
                let LookUps { change, hit, nothing, deep } = counts.look_ups;
                assert!(hit > nothing);
                assert!(hit + change <= deep && deep <= hit + change + nothing);
            }
        }
    }
    // a larger table means fewer leaves, and another hash another search where entries are lost
    assert!(sum(&run(Some(16), 1).evaluated) < sum(&run(Some(4), 1).evaluated));
    assert_ne!(run(Some(4), 1), run(Some(4), 2));
    assert_eq!(run(Some(4), 1), run(Some(4), 1));
}
