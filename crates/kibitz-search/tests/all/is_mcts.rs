//! Information-set Monte-Carlo tree search: what it finds, and that nothing hidden leaks into it; the searches of many players
//! on open hands of cards.

use kibitz_game::{Configure, Game, Hidden, Limits, Params, Random, Stop, Turn, Value, uniform_playout};
use kibitz_games::{Hearts, KuhnPoker, Mnk, Rolit, Spades, Stratego};
use kibitz_search::{Coalition, Context, IsMcts, MaxN, NotSupported, Pruning, Reduction, Report, Searchable, Ties};

fn make<G: Configure>(given: &[(&str, &str)]) -> G {
    let value = |text: &str| {
        let number = text.parse().map(Value::Integer);
        number.or_else(|_| text.parse().map(Value::Flag)).unwrap_or(Value::Word(text.to_owned()))
    };
    let given = given.iter().map(|&(name, text)| (name.to_owned(), value(text)));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).unwrap()
}

fn within<M>(
    limits: &Limits,
    search: impl FnOnce(&mut Context<'_, M>) -> Result<Report<M>, NotSupported>,
) -> Result<Report<M>, NotSupported> {
    let stop = Stop::new();
    search(&mut Context { limits, stop: &stop, past: &[], progress: &mut |_| {} })
}

fn simulated<G: Searchable>(method: &IsMcts, game: &G, position: &G::Position, simulations: u64) -> Report<G::Move> {
    let limits = Limits { simulations: Some(simulations), ..Limits::default() };
    within(&limits, |context| method.search(game, position, context)).unwrap()
}

fn best<G: Searchable>(game: &G, text: &str) -> String {
    let position = game.read(text).unwrap();
    let report = simulated(&IsMcts::default(), game, &position, 4000);
    game.write_move(&position, report.best.unwrap())
}

/// A position after random moves.
fn reached<G: Searchable>(game: &G, seed: u64, plies: u32) -> G::Position {
    let mut position = game.start();
    uniform_playout(game, &mut position, &mut Random::new(seed), &mut Vec::new(), plies);
    position
}

/// Two searches from what a player cannot tell apart.
fn nothing_leaks<G: Searchable>(game: &G, plies: u32) {
    let mut different = 0;
    for seed in 0..12 {
        let position = reached(game, seed, plies + seed as u32 % 5);
        let Turn::Player(player) = game.turn(&position) else { continue };
        let guess = game.guess(&position, usize::from(player), &mut Random::new(!seed));
        different += u32::from(guess != position);
        let [first, second] = [&position, &guess].map(|root| simulated(&IsMcts::default(), game, root, 300));
        assert!(first.best == second.best, "{}", game.write(&position));
        assert_eq!(first.value.to_bits(), second.value.to_bits(), "{}", game.write(&position));
        assert_eq!((first.nodes, &first.values), (second.nodes, &second.values));
        let visits = |report: &Report<G::Move>| report.children.iter().map(|child| child.visits).collect::<Vec<_>>();
        assert_eq!(visits(&first), visits(&second));
    }
    assert!(different > 0, "guesses differ from the truth somewhere");
}

#[test]
fn a_king_calls_and_a_jack_folds() {
    let poker: KuhnPoker = make(&[]);
    assert_eq!(best(&poker, "KJ:kb"), "call");
    assert_eq!(best(&poker, "KQ:kb"), "call");
    assert_eq!(best(&poker, "JQ:kb"), "fold");
    assert_eq!(best(&poker, "QK:b"), "call");
    assert_eq!(best(&poker, "QJ:b"), "fold");
}

#[test]
fn a_win_is_found_where_nothing_is_hidden() {
    let game: Mnk = make(&[]);
    assert_eq!(best(&game, "XX./OO./... X"), "c3");
    assert_eq!(best(&game, "XX./O../... O"), "c3");
}

#[test]
fn positions_that_look_the_same_have_the_same_report() {
    nothing_leaks::<KuhnPoker>(&make(&[]), 1);
    nothing_leaks::<Hearts>(&make(&[]), 52);
    nothing_leaks::<Hearts>(&make(&[("passing", "left"), ("opening", "club"), ("breaking", "queen")]), 56);
    nothing_leaks::<Hearts>(&make(&[("players", "3"), ("cards", "6")]), 20);
    nothing_leaks::<Spades>(&make(&[]), 52);
    nothing_leaks::<Stratego>(&make(&[("quiet", "40")]), 40);
}

#[test]
fn the_seed_decides_and_the_limits_hold() {
    let game: Hearts = make(&[]);
    let position = reached(&game, 1, 60);
    let run = |seed: u64| simulated(&IsMcts { seed, ..IsMcts::default() }, &game, &position, 500);
    assert_eq!(run(1).value.to_bits(), run(1).value.to_bits());
    assert_ne!(run(1).value.to_bits(), run(2).value.to_bits());
    assert_eq!(run(1).children.iter().map(|child| child.visits).sum::<u64>(), 500);
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    let report = within(&limits, |context| IsMcts::default().search(&game, &position, context)).unwrap();
    assert!(report.nodes < 1100 && report.best.is_some());
    let small = simulated(&IsMcts { memory_mb: 0, ..IsMcts::default() }, &game, &position, 500);
    assert_eq!(small.stats[1].0, "tree_nodes");
    assert!(small.stats[1].1 <= 13.0 && small.best.is_some());
}

#[test]
fn the_queen_of_spades_is_ducked() {
    let game: Hearts = make(&[("players", "3"), ("moon", "false"), ("equivalent", "false")]);
    // the king would take the queen, the two would not
    assert_eq!(best(&game, "KS 2S / 3C 4C / 6C; lead C; trick QS; gone AS"), "2S");
}

/// The hands of `crates/kibitz-games/src/hearts/tests.rs` and the points that they are worth.
#[test]
fn max_n_and_its_prunings_find_the_values_of_open_hands() {
    let hearts: Hearts = make(&[("players", "3"), ("hands", "open"), ("moon", "false")]);
    let spades: Spades = make(&[("players", "3"), ("hands", "open"), ("utility", "tricks")]);
    let deals = [
        ("KC JD 7H / KS KH TH / QS JS JH", [0.0, 14.0, 3.0]),
        ("AS QS TH / QC KH QH / JS AH 8H", [0.0, 15.0, 3.0]),
        ("AS KS JS KH / AD JD JH 5H / JC QS TH 3H", [3.0, 0.0, 15.0]),
        ("QC AD KS KH / KC JS 7H 5H / JC QS 9H 3H", [16.0, 2.0, 0.0]),
    ];
    let tricks = [
        ("5C AS QS / QC JH 5H / AC KH TH", [2.0, 0.0, 1.0]),
        ("TD TS 2S / JD 2D 9H / 6C AD 7S", [2.0, 0.0, 1.0]),
        ("2D TH 9H 6H / 9C 6C JD JH / TD 6D 4S 3S", [0.0, 1.0, 3.0]),
        ("KD KS 3S 2S / TS 8S KH 9H / 7D 4D 3D 8H", [3.0, 1.0, 0.0]),
    ];
    let prunings = [Pruning::None, Pruning::Shallow, Pruning::LastBranch, Pruning::Speculative];
    for (pruning, branch_and_bound) in prunings.into_iter().flat_map(|pruning| [(pruning, false), (pruning, true)]) {
        for ties in [Ties::WorstForRoot, Ties::Total] {
            let method = MaxN { pruning, ties, branch_and_bound, ..MaxN::default() };
            let limits = Limits { depth: Some(30), ..Limits::default() };
            for (hands, points) in deals {
                let position = hearts.read(&format!("{hands}; lead A")).unwrap();
                let found = within(&limits, |context| method.search(&hearts, &position, context)).unwrap();
                let all: f64 = points.iter().sum();
                assert_eq!(found.values, points.map(|points| all - points), "{hands} with {method:?}");
                assert!(found.proven);
            }
            for (hands, tricks) in tricks {
                let position = spades.read(&format!("{hands}; lead A")).unwrap();
                let found = within(&limits, |context| method.search(&spades, &position, context)).unwrap();
                assert_eq!(found.values, tricks, "{hands} with {method:?}");
            }
        }
    }
}

#[test]
fn hidden_hands_and_moves_out_of_turn_are_refused_in_words() {
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let hidden: Hearts = make(&[("players", "3")]);
    let position = hidden.read("KC JD 7H / KS KH TH / QS JS JH; lead A").unwrap();
    let refused = within(&limits, |context| MaxN::default().search(&hidden, &position, context)).unwrap_err();
    assert!(refused.0.contains("Determinized"), "{refused}");
    let open = hidden.opened().unwrap();
    assert!(within(&limits, |context| MaxN::default().search(&open, &position, context)).is_ok());
    let best_reply = Coalition { reduction: Reduction::BestReply, ..Coalition::default() };
    let refused = within(&limits, |context| best_reply.search(&open, &position, context)).unwrap_err();
    assert!(refused.0.contains("turn"), "{refused}");
    let rolit: Rolit = make(&[]);
    assert!(within(&limits, |context| best_reply.search(&rolit, &rolit.start(), context)).is_ok());
}
