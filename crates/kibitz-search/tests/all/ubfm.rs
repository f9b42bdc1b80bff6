//! Unbounded best-first minimax against minimax and against its definition.

use crate::searching::make;
use std::sync::Mutex;

use kibitz_game::{Game, Limits, Range, Score, Stop, Turn};
use kibitz_games::{Breakthrough, ConnectFour, KuhnPoker, Mnk, Nim, RandomTree};
use kibitz_search::{Context, Decision, Minimax, NotSupported, Report, Searchable, Ubfm};

fn search<G: Searchable>(
    method: &Ubfm,
    game: &G,
    position: &G::Position,
    limits: &Limits,
) -> Result<Report<G::Move>, NotSupported> {
    let stop = Stop::new();
    method.search(game, position, &mut Context { limits, stop: &stop, past: &[], progress: &mut |_| {} })
}

fn minimax<G: Searchable>(game: &G, position: &G::Position) -> f64 {
    let (limits, stop) = (Limits::default(), Stop::new());
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    Minimax::default().search(game, position, context).unwrap().value
}

/// The value for the player to move after a move.
fn value_after<G: Searchable>(game: &G, position: &G::Position, mv: G::Move) -> f64 {
    let Turn::Player(me) = game.turn(position) else { panic!("nobody to move") };
    let mut child = position.clone();
    game.play(&mut child, mv);
    match game.turn(&child) {
        Turn::Player(next) if next != me => -minimax(game, &child),
        Turn::Over => game.result(f64::from(game.score(&child, usize::from(me)))),
        _ => minimax(game, &child),
    }
}

fn iterations(count: u64) -> Limits {
    Limits { simulations: Some(count), ..Limits::default() }
}

fn tree(seed: i64) -> RandomTree {
    let (width, depth) = [(2, 6), (3, 4), (4, 3), (5, 3), (1, 6), (2, 8)][seed as usize % 6];
    make(&[
        ("width", width),
        ("depth", depth),
        ("range", [1, 5, 80, 800][(seed / 7) as usize % 4]),
        ("seed", seed),
        ("players", 1 + (seed / 3) % 2),
        ("states", if seed % 5 == 0 { 12 } else { 0 }),
    ])
}

fn resolves_to_minimax<G: Searchable>(game: &G, position: &G::Position) {
    let exact = minimax(game, position);
    for decision in [Decision::Safest, Decision::Best] {
        let report = search(&Ubfm { decision, ..Ubfm::default() }, game, position, &Limits::default()).unwrap();
        let what = game.write(position);
        assert!(report.proven, "{what}");
        assert_eq!(report.value, exact, "{what}");
        assert_eq!(value_after(game, position, report.best.unwrap()), exact, "{what}");
    }
}

#[test]
fn a_search_without_limits_resolves_two_thousand_random_trees_to_their_minimax_value() {
    for seed in 0..2000 {
        let tree = tree(seed);
        resolves_to_minimax(&tree, &tree.start());
    }
}

#[test]
fn a_search_without_limits_resolves_small_games_to_their_minimax_value() {
    let nim: Nim = make(&[]);
    for text in ["1-2-3 A", "2-3-3 B", "0-4-4 A"] {
        resolves_to_minimax(&nim, &nim.read(text).unwrap());
    }
    let line: ConnectFour = make(&[("rows", 3), ("cols", 3), ("k", 3)]);
    resolves_to_minimax(&line, &line.start());
    let ttt: Mnk = make(&[]);
    resolves_to_minimax(&ttt, &ttt.read("X.O/.../... X").unwrap());
}

/// The listing of the paper, recursive and slow, on a random tree: values are for the first player.
struct Listing<'a> {
    game: &'a RandomTree,
    nodes: Vec<Listed>,
}

struct Listed {
    position: <RandomTree as Game>::Position,
    children: Vec<usize>,
    value: Score,
    visits: u64,
    resolved: bool,
}

impl<'a> Listing<'a> {
    fn new(game: &'a RandomTree) -> Self {
        let mut listing = Self { game, nodes: Vec::new() };
        listing.add(game.start());
        listing.expand(0);
        listing
    }

    fn add(&mut self, position: <RandomTree as Game>::Position) -> usize {
        let over = self.game.turn(&position) == Turn::Over;
        // random trees have no evaluation: the middle of the range, as the first player sees it
        let value = if over { self.game.score(&position, 0) } else { self.game.range(0).middle() };
        self.nodes.push(Listed { position, children: Vec::new(), value, visits: 0, resolved: over });
        self.nodes.len() - 1
    }

    fn expand(&mut self, node: usize) {
        let mut moves = Vec::new();
        self.game.moves(&self.nodes[node].position, &mut moves);
        for mv in moves {
            let mut child = self.nodes[node].position;
            self.game.play(&mut child, mv);
            let child = self.add(child);
            self.nodes[node].children.push(child);
        }
        self.back_up(node);
    }

    fn back_up(&mut self, node: usize) {
        let Turn::Player(player) = self.game.turn(&self.nodes[node].position) else { panic!("over") };
        let Range { low, high } = self.game.range(0);
        let children: Vec<&Listed> = self.nodes[node].children.iter().map(|&child| &self.nodes[child]).collect();
        let values = children.iter().map(|child| child.value);
        let (value, best) = if player == 0 { (values.max().unwrap(), high) } else { (values.min().unwrap(), low) };
        let resolved = children.iter().all(|child| child.resolved)
            || children.iter().any(|child| child.resolved && child.value == best);
        (self.nodes[node].value, self.nodes[node].resolved) = (value, resolved);
    }

    fn iterate(&mut self, node: usize) {
        assert!(!self.nodes[node].resolved);
        if self.nodes[node].children.is_empty() {
            self.expand(node);
        } else {
            let Turn::Player(player) = self.game.turn(&self.nodes[node].position) else { panic!("over") };
            let sign = if player == 0 { 1 } else { -1 };
            let open = self.nodes[node].children.iter().rev().filter(|&&child| !self.nodes[child].resolved);
            let rank = |&&child: &&usize| (sign * self.nodes[child].value, -(self.nodes[child].visits as i64));
            let child = *open.max_by_key(rank).unwrap();
            self.iterate(child);
            self.nodes[child].visits += 1;
            self.back_up(node);
        }
    }
}

#[test]
fn visits_and_values_are_those_of_the_listing_after_any_number_of_iterations() {
    for seed in 0..300 {
        let tree = tree(seed);
        let mut listing = Listing::new(&tree);
        for count in 1..60 {
            if listing.nodes[0].resolved {
                break;
            }
            listing.iterate(0);
            let report = search(&Ubfm::default(), &tree, &tree.start(), &iterations(count)).unwrap();
            let mut children = report.children.clone();
            children.sort_by_key(|child| child.mv);
            let found: Vec<(u64, f64)> = children.iter().map(|child| (child.visits, child.value)).collect();
            let root = &listing.nodes[0];
            let listed: Vec<(u64, f64)> = root
                .children
                .iter()
                .map(|&child| (listing.nodes[child].visits, f64::from(listing.nodes[child].value)))
                .collect();
            assert_eq!(found, listed, "tree {seed}, iteration {count}");
            assert_eq!((report.value, report.proven), (f64::from(root.value), root.resolved));
        }
    }
}

/// A random tree that writes down which positions were expanded.
struct Watched {
    game: RandomTree,
    expanded: Mutex<Vec<<RandomTree as Game>::Position>>,
}

impl Game for Watched {
    type Position = <RandomTree as Game>::Position;
    type Move = <RandomTree as Game>::Move;
    fn players(&self) -> usize {
        self.game.players()
    }
    fn start(&self) -> Self::Position {
        self.game.start()
    }
    fn turn(&self, position: &Self::Position) -> Turn {
        self.game.turn(position)
    }
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        self.expanded.lock().unwrap().push(*position);
        self.game.moves(position, out);
    }
    fn play(&self, position: &mut Self::Position, mv: Self::Move) {
        self.game.play(position, mv);
    }
    fn score(&self, position: &Self::Position, player: usize) -> Score {
        self.game.score(position, player)
    }
    fn range(&self, player: usize) -> Range {
        self.game.range(player)
    }
    fn key(&self, position: &Self::Position) -> u64 {
        self.game.key(position)
    }
    fn write(&self, position: &Self::Position) -> String {
        self.game.write(position)
    }
    fn read(&self, text: &str) -> Result<Self::Position, kibitz_game::BadText> {
        self.game.read(text)
    }
    fn write_move(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.game.write_move(position, mv)
    }
}

impl kibitz_game::Evaluate for Watched {}
impl kibitz_game::Order for Watched {}
impl kibitz_game::Chance for Watched {}
impl kibitz_game::Hidden for Watched {}
impl kibitz_game::Playout for Watched {}
impl kibitz_game::Ranked for Watched {}
impl kibitz_game::Puzzle for Watched {}
impl kibitz_game::AnyTurn for Watched {}
impl kibitz_game::Repetition for Watched {}

#[test]
fn no_position_is_expanded_twice_and_none_below_a_resolved_one() {
    let (width, depth) = (3, 5);
    for seed in 0..40 {
        let game = make(&[("width", width), ("depth", depth), ("range", 3), ("seed", seed)]);
        let watched = Watched { game, expanded: Mutex::default() };
        let report = search(&Ubfm::default(), &watched, &watched.start(), &Limits::default()).unwrap();
        assert!(report.proven);
        let expanded: Vec<String> =
            watched.expanded.lock().unwrap().iter().map(|position| watched.write(position)).collect();
        for (i, text) in expanded.iter().enumerate() {
            assert!(!expanded[..i].contains(text), "{text} twice");
            // every position above it, resolved by what was expanded before?
            let mut above =
                text.split_once(':').map(|(l, n)| (l.parse::<u32>().unwrap(), n.parse::<i64>().unwrap())).unwrap();
            while above.0 > 0 {
                assert!(!resolved(&watched.game, above, &expanded[..i]), "{text} below {above:?}");
                above = (above.0 - 1, above.1 / width);
            }
        }
    }
}

/// Whether what has been expanded decides a position `level:index` of a tree of width 3.
fn resolved(game: &RandomTree, (level, index): (u32, i64), expanded: &[String]) -> bool {
    decided(game, (level, index), expanded).is_some()
}

fn decided(game: &RandomTree, (level, index): (u32, i64), expanded: &[String]) -> Option<Score> {
    let text = format!("{level}:{index}");
    let position = game.read(&text).unwrap();
    let Turn::Player(player) = game.turn(&position) else { return Some(game.score(&position, 0)) };
    if !expanded.contains(&text) {
        return None;
    }
    let values: Vec<Option<Score>> =
        (0..3).map(|child| decided(game, (level + 1, 3 * index + child), expanded)).collect();
    let Range { low, high } = game.range(0);
    let best = if player == 0 { high } else { low };
    if values.contains(&Some(best)) {
        return Some(best);
    }
    let all: Option<Vec<Score>> = values.into_iter().collect();
    all.and_then(|all| if player == 0 { all.into_iter().max() } else { all.into_iter().min() })
}

#[test]
fn without_completion_a_line_that_ends_ends_the_search_and_may_be_wrong() {
    let plain = Ubfm { completion: false, ..Ubfm::default() };
    let wrong = (0..100)
        .filter(|&seed| {
            let tree: RandomTree = make(&[("width", 3), ("depth", 4), ("seed", seed)]);
            let report = search(&plain, &tree, &tree.start(), &Limits::default()).unwrap();
            assert!(!report.proven);
            report.value != minimax(&tree, &tree.start())
        })
        .count();
    assert!(wrong > 5, "{wrong}");
}

#[test]
fn the_safest_move_has_the_most_visits_and_the_best_one_the_highest_value() {
    let game: Breakthrough = make(&[("rows", 6), ("cols", 5)]);
    let mut differ = 0;
    for count in (20..400).step_by(20) {
        let found = |decision| {
            let report =
                search(&Ubfm { decision, ..Ubfm::default() }, &game, &game.start(), &iterations(count)).unwrap();
            let child = *report.children.iter().find(|child| Some(child.mv) == report.best).unwrap();
            (report, child)
        };
        let (report, safest) = found(Decision::Safest);
        assert!(report.children.iter().all(|child| child.visits <= safest.visits));
        assert_eq!(report.children.iter().map(|child| child.visits).sum::<u64>(), count);
        let (report, best) = found(Decision::Best);
        assert!(report.children.iter().all(|child| child.value <= best.value) && best.value == report.value);
        differ += usize::from(safest.mv != best.mv);
    }
    assert!(differ > 0);
}

#[test]
fn a_full_memory_ends_the_search_with_an_estimate() {
    let game: Breakthrough = make(&[]);
    let report = search(&Ubfm { memory_mb: 1, ..Ubfm::default() }, &game, &game.start(), &Limits::default()).unwrap();
    let stat = |name| report.stats.iter().find(|stat| stat.0 == name).unwrap().1;
    assert!(stat("tree_mb") <= 1.0 && stat("tree_mb") > 0.9 && stat("memory_full") == 1.0);
    assert!(!report.proven && report.bound == kibitz_game::Bound::Estimate && report.best.is_some());
}

#[test]
fn limits_of_nodes_and_iterations_are_kept_and_the_same_search_gives_the_same_report() {
    let game: Breakthrough = make(&[]);
    let found = |limits: Limits| {
        let report = search(&Ubfm::default(), &game, &game.start(), &limits).unwrap();
        (report.nodes, report.value, report.pv, report.children, report.stats)
    };
    for nodes in [1, 2, 22, 23, 24, 1000, 9999] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let once = found(limits.clone());
        assert_eq!(once.0, nodes);
        assert!(!once.2.is_empty());
        assert_eq!(once, found(limits));
    }
    assert_eq!(found(iterations(500)).4[0], ("simulations", 500.0));
}

#[test]
fn games_that_hide_something_and_games_of_three_are_refused() {
    let poker: KuhnPoker = make(&[]);
    assert!(search(&Ubfm::default(), &poker, &poker.start(), &Limits::default()).is_err());
    let three: RandomTree = make(&[("players", 3)]);
    assert!(search(&Ubfm::default(), &three, &three.start(), &Limits::default()).is_err());
}
