//! B* proves a best move: the one that it chooses has the minimax value whenever its bounds hold.

use kibitz_game::{Bound, Configure, Evaluate, Game, Limits, Params, Range, Score, Stop, Turn, Value};
use kibitz_games::{ConnectFour, KuhnPoker, Mnk, RandomTree};
use kibitz_search::{BStar, Context, Minimax, NotSupported, Report, Searchable, Strategy};

const STRATEGIES: [Strategy; 3] = [Strategy::ProveBest, Strategy::DisproveRest, Strategy::Depths];

fn make<G: Configure>(numbers: &[(&str, i64)], words: &[(&str, &str)]) -> G {
    let numbers = numbers.iter().map(|&(name, value)| (name.to_owned(), Value::Integer(value)));
    let words = words.iter().map(|&(name, word)| (name.to_owned(), Value::Word(word.to_owned())));
    G::configure(&Params::complete(&G::parameters(), numbers.chain(words)).unwrap()).ok().unwrap()
}

fn sums(seed: i64) -> RandomTree {
    let (width, depth) = [(2, 6), (3, 4), (4, 4), (5, 3), (1, 5), (2, 8)][seed as usize % 6];
    let range = [8, 40, 80, 800][(seed / 6) as usize % 4];
    let numbers =
        [("width", width), ("depth", depth), ("range", range), ("seed", seed), ("players", 1 + (seed / 24) % 2)];
    make(&numbers, &[("leaves", "sum")])
}

fn search<G: Searchable>(
    method: &BStar,
    game: &G,
    position: &G::Position,
    limits: &Limits,
) -> Result<Report<G::Move>, NotSupported> {
    let stop = Stop::new();
    method.search(game, position, &mut Context { limits, stop: &stop, past: &[], progress: &mut |_| {} })
}

fn minimax<G: Searchable>(game: &G, position: &G::Position) -> Report<G::Move> {
    let (limits, stop) = (Limits::default(), Stop::new());
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    Minimax::default().search(game, position, context).unwrap()
}

/// The value for the player to move after a move.
fn value_after<G: Searchable>(game: &G, position: &G::Position, mv: G::Move) -> f64 {
    let children = minimax(game, position).children;
    children.iter().find(|child| child.mv == mv).unwrap().value
}

fn stat<M>(report: &Report<M>, name: &str) -> f64 {
    report.stats.iter().find(|stat| stat.0 == name).unwrap().1
}

fn proves_a_best_move<G: Searchable>(game: &G, position: &G::Position, method: &BStar) -> Report<G::Move> {
    let exact = minimax(game, position).value;
    let report = search(method, game, position, &Limits::default()).unwrap();
    let what = format!("{method:?} on {}", game.write(position));
    assert_eq!(stat(&report, "separated"), 1.0, "{what}");
    assert_eq!(value_after(game, position, report.best.unwrap()), exact, "{what}");
    assert!(stat(&report, "pessimistic") <= exact && exact <= stat(&report, "optimistic"), "{what}");
    assert_eq!(report.value, stat(&report, "pessimistic"), "{what}");
    assert_eq!(report.bound == Bound::Exact, stat(&report, "pessimistic") == stat(&report, "optimistic"), "{what}");
    report
}

#[test]
fn with_true_bounds_the_move_has_the_minimax_value_on_three_thousand_random_trees() {
    let mut unknown = 0;
    for seed in 0..1000 {
        let tree = sums(seed);
        for strategy in STRATEGIES {
            let report = proves_a_best_move(&tree, &tree.start(), &BStar { strategy, ..BStar::default() });
            unknown += usize::from(!report.proven);
        }
    }
    // a move is proven best without knowing what it is worth
    assert!(unknown > 1000, "{unknown}");
}

#[test]
fn the_strategies_differ_and_all_visit_less_than_minimax() {
    let mut nodes = [0, 0, 0, 0];
    for seed in 0..50 {
        let tree: RandomTree =
            make(&[("width", 4), ("depth", 6), ("range", 600), ("seed", seed)], &[("leaves", "sum")]);
        nodes[3] += minimax(&tree, &tree.start()).nodes;
        for (i, strategy) in STRATEGIES.into_iter().enumerate() {
            let method = BStar { strategy, ..BStar::default() };
            let report = search(&method, &tree, &tree.start(), &Limits::default()).unwrap();
            nodes[i] += report.nodes;
        }
    }
    assert!(nodes[0] != nodes[1] && nodes[1] != nodes[2] && nodes[0] != nodes[2], "{nodes:?}");
    assert!(nodes[..3].iter().all(|&nodes_of_one| nodes_of_one * 2 < nodes[3]), "{nodes:?}");
}

#[test]
fn without_bounds_only_the_ends_of_games_teach_something_and_the_move_is_right_all_the_same() {
    for seed in 0..200 {
        let tree: RandomTree = make(&[("width", 3), ("depth", 4), ("seed", seed)], &[]);
        proves_a_best_move(&tree, &tree.start(), &BStar::default());
    }
    let ttt: Mnk = make(&[], &[]);
    proves_a_best_move(&ttt, &ttt.read("X.O/.../..X O").unwrap(), &BStar::default());
    let four: ConnectFour = make(&[("rows", 3), ("cols", 3), ("k", 3)], &[]);
    proves_a_best_move(&four, &four.start(), &BStar::default());
}

/// A random tree whose bounds are its true value with some slack on both sides, which differs from node to node.
struct Slack(RandomTree);

impl Game for Slack {
    type Position = <RandomTree as Game>::Position;
    type Move = <RandomTree as Game>::Move;
    fn players(&self) -> usize {
        self.0.players()
    }
    fn start(&self) -> Self::Position {
        self.0.start()
    }
    fn turn(&self, position: &Self::Position) -> Turn {
        self.0.turn(position)
    }
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        self.0.moves(position, out);
    }
    fn play(&self, position: &mut Self::Position, mv: Self::Move) {
        self.0.play(position, mv);
    }
    fn score(&self, position: &Self::Position, player: usize) -> Score {
        self.0.score(position, player)
    }
    fn range(&self, player: usize) -> Range {
        self.0.range(player)
    }
    fn key(&self, position: &Self::Position) -> u64 {
        self.0.key(position)
    }
    fn write(&self, position: &Self::Position) -> String {
        self.0.write(position)
    }
    fn read(&self, text: &str) -> Result<Self::Position, kibitz_game::BadText> {
        self.0.read(text)
    }
    fn write_move(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.0.write_move(position, mv)
    }
}

impl Evaluate for Slack {
    /// The true value, so that a margin around it is a bound.
    fn evaluate(&self, position: &Self::Position, player: usize) -> Score {
        let Turn::Player(mover) = self.0.turn(position) else { panic!("over") };
        let value = minimax(&self.0, position).value as Score;
        if usize::from(mover) == player { value } else { -value }
    }

    fn bounds(&self, position: &Self::Position, player: usize) -> Range {
        let value = self.evaluate(position, player);
        let slack = |salt: u64| (kibitz_game::mix(self.0.key(position), salt) % 60) as Score;
        // seen from the other side the two ends change places
        let (below, above) = if player == 0 { (slack(1), slack(2)) } else { (slack(2), slack(1)) };
        Range { low: value - below, high: value + above }
    }
}

impl kibitz_game::Order for Slack {}
impl kibitz_game::Chance for Slack {}
impl kibitz_game::Hidden for Slack {}
impl kibitz_game::Playout for Slack {}
impl kibitz_game::Ranked for Slack {}
impl kibitz_game::Puzzle for Slack {}
impl kibitz_game::AnyTurn for Slack {}
impl kibitz_game::Repetition for Slack {}

#[test]
fn bounds_that_are_looser_below_than_above_do_no_harm() {
    for seed in 0..300 {
        let game = Slack(make(&[("width", 3), ("depth", 4), ("seed", seed), ("players", 1 + seed % 2)], &[]));
        for strategy in STRATEGIES {
            proves_a_best_move(&game, &game.start(), &BStar { strategy, ..BStar::default() });
        }
    }
}

#[test]
fn a_margin_is_right_when_it_bounds_the_error_of_the_evaluation_and_is_never_called_a_proof() {
    let game = Slack(make(&[("width", 3), ("depth", 4), ("seed", 7)], &[]));
    for margin in [0.0, 5.0, 40.0] {
        let method = BStar { margin: Some(margin), ..BStar::default() };
        let report = search(&method, &game, &game.start(), &Limits::default()).unwrap();
        assert_eq!(value_after(&game.0, &game.start(), report.best.unwrap()), minimax(&game.0, &game.start()).value);
        assert!(!report.proven && report.bound == Bound::Estimate);
    }
}

#[test]
fn a_margin_that_is_too_small_gives_wrong_moves() {
    let wrong = (0..100)
        .filter(|&seed| {
            let tree: RandomTree = make(&[("width", 3), ("depth", 5), ("seed", seed)], &[("leaves", "sum")]);
            let method = BStar { margin: Some(1.0), ..BStar::default() };
            let report = search(&method, &tree, &tree.start(), &Limits::default()).unwrap();
            value_after(&tree, &tree.start(), report.best.unwrap()) != minimax(&tree, &tree.start()).value
        })
        .count();
    assert!(wrong > 10, "{wrong}");
}

#[test]
fn limits_are_kept_and_the_same_search_gives_the_same_report() {
    let tree: RandomTree = make(&[("width", 8), ("depth", 12), ("range", 1200)], &[("leaves", "sum")]);
    let found = |nodes| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let report = search(&BStar::default(), &tree, &tree.start(), &limits).unwrap();
        (report.nodes, report.value, report.pv, report.children, report.stats)
    };
    for nodes in [1, 2, 9, 10, 500] {
        let once = found(nodes);
        assert!(once.0 == nodes && !once.2.is_empty());
        assert_eq!(once, found(nodes));
    }
    let full = BStar { memory_mb: 1, ..BStar::default() };
    let blind: RandomTree = make(&[("width", 8), ("depth", 12)], &[]);
    let report = search(&full, &blind, &blind.start(), &Limits::default()).unwrap();
    assert!(
        stat(&report, "memory_full") == 1.0 && stat(&report, "tree_mb") <= 1.0 && stat(&report, "separated") == 0.0
    );
}

#[test]
fn games_that_hide_something_and_games_of_three_are_refused() {
    let poker: KuhnPoker = make(&[], &[]);
    assert!(search(&BStar::default(), &poker, &poker.start(), &Limits::default()).is_err());
    let three: RandomTree = make(&[("players", 3)], &[]);
    assert!(search(&BStar::default(), &three, &three.start(), &Limits::default()).is_err());
}
