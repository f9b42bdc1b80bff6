//! Collects positions of Dao in which a depth-first proof-number search that trusts its table goes wrong.
//!
//! A position that comes again on its own path counts as no win. What follows from that depends on the path, and a table
//! that keeps it for other paths is wrong sooner or later: the graph-history-interaction problem. The search here does just that;
//! where it is wrong, or goes round in circles to its limit, is a test for solvers that must not be.
//! `cargo run --release -p kibitz-solve --example ghi_positions`

use std::collections::HashMap;

use kibitz_game::{Configure, Evaluate, Params, Random, Ranked, Stop, Wdl};
use kibitz_games::{Dao, LGame};
use kibitz_solve::graph::Graph;
use kibitz_solve::retrograde::{Lower, Metric, Options, solve_all};

const INFINITY: u32 = 1 << 30;
const MOST_NODES: u32 = 50_000;
/// The greatest number of a leaf.
const SPREAD: usize = 20;

/// Df-pn (Nagai 2002) with a table of proof and disproof numbers by position and attacker, whatever the path.
struct Naive<'a> {
    graph: &'a Graph,
    /// The least number of leaves to reach the goal of the player to move, and to thwart it.
    table: HashMap<(u32, bool), (u32, u32)>,
    path: Vec<(u32, bool)>,
    nodes: u32,
    /// Of what is drawn by lot; 0 is the order of the rules and leaves that are all alike.
    order: u64,
}

impl Naive<'_> {
    /// The numbers of a node at which the attacker is to move, or not.
    fn look_up(&self, node: u32, attacker: bool) -> (u32, u32) {
        match self.graph.ended[node as usize] {
            Wdl::Win => return (0, INFINITY),
            Wdl::Loss => return (INFINITY, 0),
            Wdl::Draw | Wdl::Unknown => {}
        }
        if self.path.contains(&(node, attacker)) {
            // no win for the attacker
            return if attacker { (INFINITY, 0) } else { (0, INFINITY) };
        }
        self.table.get(&(node, attacker)).copied().unwrap_or_else(|| self.leaf(node, attacker))
    }

    /// The numbers of a position that was never searched: 1 and 1, or drawn by lot so that the search goes other ways.
    fn leaf(&self, node: u32, attacker: bool) -> (u32, u32) {
        if self.order == 0 {
            return (1, 1);
        }
        let mut random = Random::stream(self.order, u64::from(node) << 1 | u64::from(attacker));
        (1 + random.below(SPREAD) as u32, 1 + random.below(SPREAD) as u32)
    }

    fn search(&mut self, node: u32, attacker: bool, thresholds: (u32, u32)) -> (u32, u32) {
        self.nodes += 1;
        self.path.push((node, attacker));
        let numbers = loop {
            let (mut best, mut least, mut second, mut sum) = (0, INFINITY, INFINITY, 0);
            let mut successors = self.graph.successors(node).to_vec();
            if self.order > 0 {
                Random::stream(self.order, node.into()).shuffle(&mut successors);
            }
            for child in successors {
                let (phi, delta) = self.look_up(child, !attacker);
                sum = (sum + phi).min(INFINITY);
                if delta < least {
                    (best, second, least) = (child, least, delta);
                } else if delta < second {
                    second = delta;
                }
            }
            if least >= thresholds.0 || sum >= thresholds.1 || self.nodes > MOST_NODES || self.path.len() > 300 {
                break (least, sum);
            }
            let phi = self.look_up(best, !attacker).0;
            let child_phi = (thresholds.1.saturating_add(phi) - sum).min(INFINITY);
            let child_delta = thresholds.0.min(second.saturating_add(1));
            self.search(best, !attacker, (child_phi, child_delta));
        };
        self.path.pop();
        self.table.insert((node, attacker), numbers);
        numbers
    }
}

/// The positions of a game in which the search is wrong, or goes round in circles to its limit.
fn collect<G: Configure + Ranked + Evaluate>(name: &str, orders: u64) {
    let game = G::configure(&Params::complete(&G::parameters(), []).expect("defaults")).expect("defaults");
    let graph = Graph::of(&game, &Stop::new()).expect("the game is ranked").expect("nothing stops it");
    let options = Options { metric: Some(Metric::Win), ..Options::default() };
    let tables = solve_all(&game, None, &options, &mut |_| (), &Stop::new()).expect("the game is small");
    for order in 0..orders {
        let (mut wrong, mut right, mut unknown) = (0, 0, 0);
        for (node, &place) in graph.places.iter().enumerate() {
            let value = tables.value(place);
            if value == Wdl::Draw || graph.is_over(node as u32) || tables.distance(place) < 5 {
                continue;
            }
            let attacker = value == Wdl::Win;
            let mut naive = Naive { graph: &graph, table: HashMap::new(), path: Vec::new(), nodes: 0, order };
            let (phi, delta) = naive.search(node as u32, attacker, (INFINITY, INFINITY));
            let proven = if attacker { phi == 0 } else { delta == 0 };
            let disproven = if attacker { delta == 0 } else { phi == 0 };
            if proven {
                right += 1;
                continue;
            }
            *if disproven { &mut wrong } else { &mut unknown } += 1;
            let text = game.write(&game.unrank(place.slice, place.rank).expect("a position"));
            let verdict = if disproven { "wrong" } else { "undecided" };
            let (value, distance) = (value.name(), tables.distance(place));
            println!("{name} | {text} | {value} | {distance} | {verdict} with seed {order}");
        }
        eprintln!("{name}, order {order}: {right} right, {wrong} wrong, {unknown} undecided");
    }
}

fn main() {
    collect::<LGame>("l-game", 1);
    collect::<Dao>("dao", 4);
}
