//! Retrograde analysis: all families of algorithms give the values and distances of the definition.

use crate::random_graph::{Node, RandomGraph};
use kibitz_game::{Game, Ranked, Stop, Wdl};
use kibitz_solve::retrograde::{
    Counts, Family, Lower, Metric, NEVER, Options, Tables, Unsolved, solve_all, solve_group, solve_reachable,
};

fn solved(graph: &RandomGraph, family: Family, metric: Option<Metric>, threads: usize) -> Tables {
    let options = Options { family, metric, threads, ..Options::default() };
    solve_all(graph, None, &options, &mut |_| (), &Stop::new()).expect("there is nothing in the way")
}

fn classes(graph: &RandomGraph) -> impl Iterator<Item = usize> + '_ {
    let placed = |&class: &usize| graph.place(&Node { class, image: 0, turn: 0 }).is_some();
    (0..=graph.start().class).filter(placed)
}

#[test]
fn every_family_gives_the_values_and_distances_of_the_definition() {
    let (mut wins, mut longest) = (0, 0);
    for seed in 0..100 {
        let graph = RandomGraph::new(seed, 1 + seed as usize % 4, 5 + seed as usize % 60);
        for metric in [None, Some(Metric::Win), Some(Metric::Conversion)] {
            let truth = graph.truth(metric == Some(Metric::Conversion));
            let mut counts: Option<Counts> = None;
            for family in Family::ALL {
                for threads in [1, 2] {
                    let tables = solved(&graph, family, metric, threads);
                    for class in classes(&graph) {
                        let (value, distance) = truth[class];
                        let place = graph.place_of(class);
                        let context = format!("seed {seed}, {family:?}, {metric:?}, {threads} threads, class {class}");
                        assert_eq!(tables.value(place), value, "{context}");
                        if metric.is_some() {
                            assert_eq!(tables.distance(place), distance, "{context}");
                        }
                        if value == Wdl::Win {
                            wins += 1;
                            longest = longest.max(distance);
                        }
                    }
                    let all = tables.counts();
                    assert_eq!(counts.get_or_insert_with(|| all.clone()), &all);
                }
            }
        }
    }
    assert!(wins > 1000 && longest > 12, "the graphs are no test: {wins} wins, the longest of {longest}");
}

#[test]
fn counts_are_of_classes_and_of_their_images() {
    let graph = RandomGraph::new(5, 3, 40);
    let (truth, counts) = (graph.truth(false), solved(&graph, Family::Automatic, Some(Metric::Win), 1).counts());
    let mut expected = Counts::default();
    for class in classes(&graph) {
        let (value, distance) = truth[class];
        expected.add(value, graph.images(class));
        if distance != NEVER {
            expected.add_distance(value, distance);
        }
    }
    assert_eq!(counts, expected);
    assert!(counts.classes.iter().skip(1).all(|&count| count > 0), "all values occur: {counts:?}");
}

#[test]
fn a_group_that_does_not_fit_is_refused_before_the_work() {
    let graph = RandomGraph::new(1, 3, 60);
    let options = Options { bytes: 50, ..Options::default() };
    let refused = solve_all(&graph, None, &options, &mut |_| (), &Stop::new());
    assert!(matches!(refused, Err(Unsolved::Memory { needed, allowed: 50 }) if needed > 50), "{refused:?}");
}

#[test]
fn a_stop_ends_the_work() {
    let graph = RandomGraph::new(1, 3, 60);
    let stop = Stop::new();
    stop.raise();
    for family in Family::ALL {
        let options = Options { family, ..Options::default() };
        assert_eq!(solve_all(&graph, None, &options, &mut |_| (), &stop).err(), Some(Unsolved::Stopped));
    }
}

#[test]
fn a_group_cannot_be_solved_before_those_that_it_leads_to() {
    let graph = RandomGraph::new(1, 3, 60);
    let last = graph.groups(None).pop().expect("there are three groups");
    let refused = solve_group(&graph, &last, &Tables::default(), &Options::default(), &mut |_| (), &Stop::new());
    assert!(matches!(refused, Err(Unsolved::Missing(_))), "{refused:?}");
}

/// The same graph for a solver that sees no places, only keys.
struct Unranked(RandomGraph);

impl Game for Unranked {
    type Position = Node;
    type Move = u32;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> Node {
        self.0.start()
    }
    fn turn(&self, node: &Node) -> kibitz_game::Turn {
        self.0.turn(node)
    }
    fn moves(&self, node: &Node, out: &mut Vec<u32>) {
        self.0.moves(node, out);
    }
    fn play(&self, node: &mut Node, mv: u32) {
        self.0.play(node, mv);
    }
    fn score(&self, node: &Node, player: usize) -> i32 {
        self.0.score(node, player)
    }
    fn range(&self, player: usize) -> kibitz_game::Range {
        self.0.range(player)
    }
    fn key(&self, node: &Node) -> u64 {
        self.0.key(node)
    }
    fn write(&self, node: &Node) -> String {
        self.0.write(node)
    }
    fn read(&self, text: &str) -> Result<Node, kibitz_game::BadText> {
        self.0.read(text)
    }
    fn write_move(&self, node: &Node, mv: u32) -> String {
        self.0.write_move(node, mv)
    }
}

impl Ranked for Unranked {}
impl kibitz_game::Chance for Unranked {}
impl kibitz_game::Hidden for Unranked {}
impl kibitz_game::Repetition for Unranked {}

/// All nodes that can be reached, by brute force.
fn reachable<G: Game<Position = Node, Move = u32>>(game: &G) -> Vec<Node> {
    let mut found = vec![game.start()];
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        let mut moves = Vec::new();
        game.moves(&node, &mut moves);
        for mv in moves {
            let mut child = node;
            game.play(&mut child, mv);
            if !found.contains(&child) {
                found.push(child);
            }
        }
        next += 1;
    }
    found
}

#[test]
fn positions_in_a_hash_table_have_the_values_of_the_definition() {
    for seed in 0..60 {
        let graph = RandomGraph::new(seed, 1 + seed as usize % 4, 5 + seed as usize % 40);
        let truth = graph.truth(false);
        let nodes = reachable(&graph);
        let by_place = solve_reachable(&graph, u64::MAX, &mut |_| (), &Stop::new()).expect("it is a graph");
        let unranked = Unranked(graph);
        let by_key = solve_reachable(&unranked, u64::MAX, &mut |_| (), &Stop::new()).expect("it is a graph");
        assert_eq!(by_key.len(), nodes.len(), "every node once");
        for node in &nodes {
            let over = unranked.0.turn(node) == kibitz_game::Turn::Over;
            let known = by_key.look(&unranked, node).expect("it was reached");
            if over {
                // who would be to move is not told: it is the value of the first player
                assert_eq!(known.0, Wdl::of_score(unranked.score(node, 0)));
            } else {
                assert_eq!(known, truth[node.class], "seed {seed}, {node:?}");
                assert_eq!(by_place.look(&unranked.0, node), Some(truth[node.class]), "seed {seed}, {node:?}");
            }
        }
    }
}

#[test]
fn a_hash_table_that_does_not_fit_is_an_error() {
    let graph = RandomGraph::new(1, 3, 60);
    let refused = solve_reachable(&graph, 10, &mut |_| (), &Stop::new());
    assert!(matches!(refused, Err(Unsolved::Memory { allowed: 10, .. })), "{refused:?}");
}
