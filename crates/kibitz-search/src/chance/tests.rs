//! Windows, bounds and cuts inside of the family: the worked examples of the papers, and what every bound means.

use kibitz_game::{
    AnyTurn, BadText, Budget, Chance, Configure, Evaluate, Game, Hidden, Limits, Order, Params, Playout, Puzzle,
    Random, Range, Ranked, Repetition, Score, Stop, Turn, Value,
};
use kibitz_games::RandomTree;

use super::tree::{Counters, Tree};
use super::{ChanceMethod, ChanceProbCut, Schedule, StarMinimax};
use crate::{Check, Searchable};

/// A tree that is written down.
enum Drawn {
    Max(Score, Vec<Self>),
    Min(Score, Vec<Self>),
    Chance(Vec<(f64, Self)>),
    Leaf(Score),
}
use Drawn::{Leaf, Max, Min};

struct Sketch {
    root: Drawn,
    bound: Score,
}

impl Sketch {
    fn at(&self, path: &[u8]) -> &Drawn {
        path.iter().fold(&self.root, |node, &i| match node {
            Drawn::Max(_, below) | Drawn::Min(_, below) => &below[usize::from(i)],
            Drawn::Chance(below) => &below[usize::from(i)].1,
            Drawn::Leaf(_) => unreachable!(),
        })
    }
}

impl Game for Sketch {
    type Position = Vec<u8>;
    type Move = u8;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, position: &Vec<u8>) -> Turn {
        match self.at(position) {
            Drawn::Max(..) => Turn::Player(0),
            Drawn::Min(..) => Turn::Player(1),
            Drawn::Chance(_) => Turn::Chance,
            Drawn::Leaf(_) => Turn::Over,
        }
    }

    fn moves(&self, position: &Vec<u8>, out: &mut Vec<u8>) {
        let count = match self.at(position) {
            Drawn::Max(_, below) | Drawn::Min(_, below) => below.len(),
            Drawn::Chance(below) => below.len(),
            Drawn::Leaf(_) => 0,
        };
        out.extend(0..count as u8);
    }

    fn play(&self, position: &mut Vec<u8>, mv: u8) {
        position.push(mv);
    }

    fn score(&self, position: &Vec<u8>, player: usize) -> Score {
        let Drawn::Leaf(value) = self.at(position) else { unreachable!() };
        if player == 0 { *value } else { -*value }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -self.bound, high: self.bound }
    }

    fn key(&self, position: &Vec<u8>) -> u64 {
        position.iter().fold(1, |key, &i| key * 8 + u64::from(i))
    }

    fn write(&self, position: &Vec<u8>) -> String {
        format!("{position:?}")
    }

    fn read(&self, _: &str) -> Result<Vec<u8>, BadText> {
        Err(BadText::new("not needed here"))
    }

    fn write_move(&self, _: &Vec<u8>, mv: u8) -> String {
        mv.to_string()
    }
}

impl Evaluate for Sketch {
    fn evaluate(&self, position: &Vec<u8>, player: usize) -> Score {
        let (Drawn::Max(value, _) | Drawn::Min(value, _)) = self.at(position) else { return 0 };
        if player == 0 { *value } else { -*value }
    }
}

impl Chance for Sketch {
    const CHANCE: bool = true;

    fn probability(&self, position: &Vec<u8>, outcome: u8) -> f64 {
        let Drawn::Chance(below) = self.at(position) else { unreachable!() };
        below[usize::from(outcome)].0
    }
}

impl Order for Sketch {}
impl Hidden for Sketch {}
impl Repetition for Sketch {}
impl AnyTurn for Sketch {}
impl Playout for Sketch {}
impl Puzzle for Sketch {}
impl Ranked for Sketch {}

const STAR2: ChanceMethod = ChanceMethod::Star2 { probes: 1, schedule: Schedule::Cyclic };

/// What the search of a position with a window returns, for the first player.
fn windowed<G: Searchable>(
    method: &StarMinimax,
    game: &G,
    position: &G::Position,
    depth: u32,
    (alpha, beta): (f64, f64),
) -> (f64, Counters) {
    let (limits, stop) = (Limits::default(), Stop::new());
    let mut tree = Tree::new(method, game, method.table().unwrap(), Budget::new(&limits, &stop), &[]);
    let key = game.key(position);
    let value = match game.turn(position) {
        Turn::Player(me) => tree.node(position, key, me, depth, 1, alpha, beta),
        _ => tree.chance_node(position, key, depth, 1, alpha, beta),
    };
    (value, tree.counters)
}

fn uniform(below: Vec<Drawn>) -> Drawn {
    let probability = 1.0 / below.len() as f64;
    Drawn::Chance(below.into_iter().map(|node| (probability, node)).collect())
}

/// A node of the second player with these leaves.
fn min(leaves: &[Score]) -> Drawn {
    Min(0, leaves.iter().map(|&value| Leaf(value)).collect())
}

/// A node of the first player with these leaves.
fn max(leaves: &[Score]) -> Drawn {
    Max(0, leaves.iter().map(|&value| Leaf(value)).collect())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn found(method: ChanceMethod, root: Drawn, bound: Score, window: (f64, f64)) -> (f64, u64) {
    let (value, counters) = windowed(&StarMinimax::plain(method), &Sketch { root, bound }, &Vec::new(), 9, window);
    (value, counters.leaves)
}

#[test]
fn averages_of_the_examples() {
    for method in [ChanceMethod::Expectimax, ChanceMethod::Star1, STAR2] {
        let first = Drawn::Chance(vec![(0.9, Leaf(-250)), (0.1, Leaf(250))]);
        assert!(close(found(method, first, 1000, (-1000.0, 1000.0)).0, -200.0));
        let six = uniform([-5, -10, 0, 1, -10, 3].map(Leaf).into());
        assert!(close(found(method, six, 10, (-10.0, 10.0)).0, -3.5));
        // a window that is passed on unchanged makes 6.4 of this
        let trap = Drawn::Chance(vec![(0.6, min(&[2])), (0.4, min(&[10]))]);
        assert!(close(found(method, trap, 10, (4.0, 6.0)).0, 5.2), "{method:?}");
    }
}

#[test]
fn star1_cuts_as_in_the_examples() {
    let four = uniform([2, 4, -8, 10].map(Leaf).into());
    assert_eq!(found(ChanceMethod::Star1, four, 10, (5.0, 10.0)), (2.0, 3));
    // the second child cuts itself and the node: its window is [−3, 10]
    let three = uniform(vec![Leaf(2), min(&[-8, -9, 5]), Leaf(10)]);
    let (value, leaves) = found(ChanceMethod::Star1, three, 10, (3.0, 4.0));
    assert!(close(value, (2.0 - 8.0 + 10.0) / 3.0) && leaves == 2, "{value} {leaves}");
}

/// Six nodes of two leaves each; `good` has the better leaf first.
fn six(good: bool) -> Drawn {
    let leaves = [[-5, -3], [-10, -8], [0, 4], [1, 2], [-10, -6], [3, 4]];
    uniform(leaves.iter().map(|&[a, b]| min(&if good { [a, b] } else { [b, a] })).collect())
}

#[test]
fn star2_cuts_as_in_the_example_of_its_paper() {
    let window = (-2.0, 2.0);
    let (value, leaves) = found(STAR2, six(true), 10, window);
    assert!(close(value, -7.0 / 3.0) && leaves == 5, "five probes cut: {value} {leaves}");
    let (value, leaves) = found(STAR2, six(false), 10, window);
    // six probes cut nothing, and the third event does; nine leaves are different ones, three are visited twice
    assert!(close(value, -2.5) && leaves == 12, "{value} {leaves}");
    let (value, leaves) = found(ChanceMethod::Star1, six(true), 10, window);
    assert!((-3.5..=-2.0).contains(&value) && leaves == 8, "{value} {leaves}");
}

#[test]
fn star2_with_two_events_as_in_the_thesis() {
    let both = Drawn::Chance(vec![(0.9, min(&[-250, -300])), (0.1, min(&[500, -900]))]);
    let (value, leaves) = found(STAR2, both, 1000, (-150.0, 150.0));
    assert!(close(value, -175.0) && leaves == 2, "{value} {leaves}");
}

#[test]
fn a_cut_of_the_search_phase_counts_the_probes() {
    // three leaves; the listing as printed returns −8, below the window's end that it claims to reach
    let node = uniform(vec![max(&[-9, -6]), max(&[-4])]);
    let (value, _) = found(STAR2, node, 10, (-8.0, -5.0));
    assert!(close(value, -5.0), "{value}");
}

#[test]
fn probes_below_the_first_player_cut_at_beta_and_below_the_second_at_alpha() {
    let (value, leaves) = found(STAR2, uniform(vec![max(&[8, 0]), max(&[9, 0])]), 10, (-2.0, 2.0));
    assert!(close(value, 8.5) && leaves == 2, "{value} {leaves}");
    let (value, leaves) = found(STAR2, uniform(vec![min(&[-8, 0]), min(&[-9, 0])]), 10, (-2.0, 2.0));
    assert!(close(value, -8.5) && leaves == 2, "{value} {leaves}");
    // and one of each may be below the same node
    let mixed = uniform(vec![min(&[4, 3]), max(&[9, 0]), Leaf(8)]);
    let (value, _) = found(STAR2, mixed, 10, (-2.0, 2.0));
    assert!((2.0..=20.0 / 3.0).contains(&value), "{value}");
}

#[test]
fn chance_prob_cut_as_in_the_examples_of_the_thesis() {
    // a = 1, b = 0, t · σ = 50
    let check = Check {
        height: 1,
        depth: 0,
        threshold: 1.0,
        slope: 1.0,
        offset: 0.0,
        deviation: 50.0,
        stage: Check::ANY_STAGE,
    };
    let prob_cut = ChanceProbCut { checks: vec![check], ..ChanceProbCut::default() };
    let method = StarMinimax { prob_cut, ..StarMinimax::plain(ChanceMethod::Star1) };
    let event = |probability, shallow, deep| (probability, Max(shallow, vec![Leaf(deep)]));
    let search = |events| {
        let game = Sketch { root: Drawn::Chance(events), bound: 1000 };
        windowed(&method, &game, &Vec::new(), 2, (-150.0, 150.0))
    };
    let (value, counters) = search(vec![event(0.4, 350, 0), event(0.4, 750, 0), event(0.2, 0, 0)]);
    assert_eq!((value, counters.shallow_searches, counters.leaves), (150.0, 2, 2), "the third is not examined");
    let (value, counters) = search(vec![event(0.4, 350, 400), event(0.4, 50, 0), event(0.2, 100, 0)]);
    assert_eq!((value, counters.shallow_searches, counters.leaves), (150.0, 3, 4), "one event is searched in full");
    assert_eq!((counters.prob_cuts, counters.star1_cuts), (0, 1));
}

#[test]
fn a_bound_is_a_bound_with_any_window() {
    let mut random = Random::new(9);
    let methods = [
        ChanceMethod::Star1,
        STAR2,
        ChanceMethod::Star2 { probes: 2, schedule: Schedule::Cyclic },
        ChanceMethod::Star2 { probes: 3, schedule: Schedule::Sequential },
    ];
    let mut outside = [0; 3];
    for seed in 0..6000u64 {
        let mut up_to = |most| Value::Integer(1 + random.below(most) as i64);
        let given = [
            ("width", up_to(4)),
            ("events", up_to(4)),
            ("depth", Value::Integer(2 + (seed % 2).cast_signed())),
            ("range", Value::Integer([6, 300][seed as usize % 2])),
            ("chance", Value::Word(if seed % 3 == 0 { "uniform" } else { "random" }.to_owned())),
            ("seed", Value::Integer(seed.cast_signed())),
        ];
        let given = given.map(|(name, value)| (name.to_owned(), value));
        let params = Params::complete(&RandomTree::parameters(), given).unwrap();
        let Ok(game) = RandomTree::configure(&params) else { unreachable!() };
        // the root, or the chance node below it
        let mut position = game.start();
        if seed % 2 == 0 {
            game.play(&mut position, 0);
        }
        let (high, depth) = (f64::from(game.range(0).high), 5);
        let exact = StarMinimax::plain(ChanceMethod::Expectimax);
        let truth = windowed(&exact, &game, &position, depth, (f64::NEG_INFINITY, f64::INFINITY)).0;
        let ends = [random.unit() * high, random.unit() * high];
        let (alpha, beta) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        outside[usize::from(truth > alpha) + usize::from(truth >= beta)] += 1;
        for method in methods {
            for remembering in [false, true] {
                let mut method = StarMinimax::plain(method);
                if remembering {
                    method = StarMinimax { tt_mb: 1, same_depth: true, star_etc: true, ..method };
                }
                let (value, _) = windowed(&method, &game, &position, depth, (alpha, beta));
                let right = match truth {
                    truth if truth <= alpha => value <= alpha + 1e-9 && value >= truth - 1e-9,
                    truth if truth >= beta => value >= beta - 1e-9 && value <= truth + 1e-9,
                    truth => (value - truth).abs() < 1e-9,
                };
                assert!(right, "{method:?} {seed}: {value} for {truth} in [{alpha}, {beta}]");
            }
        }
    }
    assert!(outside.iter().all(|&count| count > 500), "{outside:?}");
}
