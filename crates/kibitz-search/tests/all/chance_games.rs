//! The \*-minimax family on games of chance: published values, and the value of Expectimax on random positions.

use kibitz_game::{Configure, Game, Hidden, Limits, Params, Random, Stop, Turn, Value};
use kibitz_games::{Backgammon, ChanceBreakthrough, Dice, Stratego};
use kibitz_search::{ChanceMethod, Context, MoveFilter, Report, Schedule, Searchable, StarMinimax, Uct};

fn make<G: Configure>(given: &[(&str, Value)]) -> G {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).ok().unwrap()
}

fn run<G: Searchable>(method: &StarMinimax, game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    let stop = Stop::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    method.search(game, position, context).unwrap()
}

/// Star1, Star2 and Star2.5 with everything, and Star2 with nothing.
fn family(chance_plies: bool) -> Vec<StarMinimax> {
    let full = StarMinimax {
        tt_mb: 4,
        same_depth: true,
        chance_plies,
        step: 1 + u32::from(chance_plies),
        ..StarMinimax::default()
    };
    let star2 = ChanceMethod::Star2 { probes: 1, schedule: Schedule::Cyclic };
    let star25 = ChanceMethod::Star2 { probes: 3, schedule: Schedule::Sequential };
    vec![
        StarMinimax { method: ChanceMethod::Star1, ..full.clone() },
        StarMinimax { method: star25, ..full.clone() },
        StarMinimax { chance_plies, ..StarMinimax::plain(star2) },
        full,
    ]
}

/// A position of a random game with a player to move.
fn drawn<G: Searchable>(game: &G, seed: u64, plies: usize) -> Option<G::Position> {
    let (mut random, mut position) = (Random::stream(8, seed), game.start());
    let mut played = 0;
    loop {
        match game.turn(&position) {
            Turn::Over => return None,
            Turn::Chance => {
                let outcome = game.sample(&position, &mut random, &mut Vec::new());
                game.play(&mut position, outcome);
            }
            Turn::Player(_) if played == plies => return Some(position),
            Turn::Player(_) => {
                let mv = game.random_move(&position, &mut random, &mut Vec::new());
                game.play(&mut position, mv);
                played += 1;
            }
        }
    }
}

fn agree<G: Searchable>(game: &G, position: &G::Position, depth: u32, chance_plies: bool) {
    let full = StarMinimax { chance_plies, ..StarMinimax::plain(ChanceMethod::Expectimax) };
    let exact = run(&full, game, position, depth);
    for method in family(chance_plies) {
        let found = run(&method, game, position, depth);
        let what = || format!("{:?} on {} to depth {depth}", method.method, game.write(position));
        assert!((found.value - exact.value).abs() < 1e-9, "{} is not {}: {}", found.value, exact.value, what());
        let best = exact.children.iter().find(|child| Some(child.mv) == found.best).map(|child| child.value);
        assert!(best.is_some_and(|value| (value - exact.value).abs() < 1e-9), "{}", what());
    }
}

#[test]
fn small_boards_of_dice_have_their_exact_values() {
    let value = |size, full: &str, depth| {
        let game = make::<Dice<u64>>(&[("size", Value::Integer(size)), ("full", Value::Word(full.to_owned()))]);
        let mut all = family(true);
        // without a table the tree is too large
        all.retain(|method| method.tt_mb > 0);
        let found: Vec<f64> = all
            .iter()
            .map(|method| {
                let report = run(&StarMinimax { deepening: false, ..method.clone() }, &game, &game.start(), depth);
                assert_eq!((report.proven, report.best), (true, None));
                report.value / game.result(f64::from(game.range(0).high))
            })
            .collect();
        assert!(found.iter().all(|value| (value - found[0]).abs() < 1e-12), "{found:?}");
        found[0]
    };
    let reroll = value(3, "reroll", 18);
    assert!((reroll - 6079.0 / 17496.0).abs() < 1e-12, "{reroll}");
    let pass = value(2, "pass", 100);
    assert!((pass - 0.5).abs() < 1e-9, "{pass}");
}

#[test]
fn dice_has_the_value_of_expectimax() {
    let game = make::<Dice<u64>>(&[]);
    for seed in 0..40 {
        let Some(position) = drawn(&game, seed, seed as usize % 14) else { continue };
        for depth in 1..=5 {
            agree(&game, &position, depth, true);
        }
    }
}

#[test]
fn chance_breakthrough_has_the_value_of_expectimax() {
    let game = make::<ChanceBreakthrough<u64>>(&[("rows", Value::Integer(6)), ("cols", Value::Integer(5))]);
    for seed in 0..12 {
        let Some(position) = drawn(&game, seed, 4 + seed as usize) else { continue };
        for depth in 1..=2 {
            agree(&game, &position, depth, false);
        }
        agree(&game, &position, 3, seed % 2 == 0);
    }
}

#[test]
fn chance_breakthrough_has_the_value_of_expectimax_four_plies_deep() {
    let game = make::<ChanceBreakthrough<u64>>(&[("rows", Value::Integer(5)), ("cols", Value::Integer(4))]);
    let position = drawn(&game, 1, 10).or_else(|| drawn(&game, 2, 8)).unwrap();
    agree(&game, &position, 4, false);
}

#[test]
fn backgammon_has_the_value_of_expectimax() {
    for (evaluation, gammons) in [("pips", true), ("linear", false), ("network", true)] {
        let given = [("evaluation", Value::Word(evaluation.to_owned())), ("gammons", Value::Flag(gammons))];
        let game = make::<Backgammon>(&given);
        for seed in 0..4 {
            let Some(position) = drawn(&game, seed, 6 + 9 * seed as usize) else { continue };
            for depth in 1..=3 {
                agree(&game, &position, depth, true);
            }
        }
    }
}

#[test]
fn backgammon_has_the_value_of_expectimax_five_plies_deep() {
    let game = make::<Backgammon>(&[("evaluation", Value::Word("pips".to_owned()))]);
    // few checkers or few ways to move, so that Expectimax ends soon
    for text in [
        "6:2 4:1 / 24:1 3:2 / A 42",
        "24:1 7:2 6:3 / 23:1 6:3 2:2 / B 65",
        "bar:1 6:2 5:2 / bar:1 6:2 5:2 4:2 3:2 / A 61",
    ] {
        agree(&game, &game.read(text).unwrap(), 5, true);
    }
}

#[test]
fn races_of_backgammon_end_with_their_exact_probabilities() {
    let given = [("evaluation", Value::Word("pips".to_owned())), ("gammons", Value::Flag(false))];
    let game = make::<Backgammon>(&given);
    for (text, win) in [
        ("6:1 / 6:1 / A rolls", 13.0 / 16.0),
        ("6:1 5:1 / 6:1 5:1 / A rolls", 105_030_049.0 / 136_048_896.0),
        ("6:1 3:1 / 1:2 / A rolls", 5.0 / 18.0),
        ("5:1 2:1 / 6:1 / A rolls", 209.0 / 324.0),
        ("3:1 2:1 1:1 / 3:1 2:1 1:1 / A rolls", 1141.0 / 1296.0),
    ] {
        for method in family(true).into_iter().filter(|method| method.tt_mb > 0) {
            let report = run(&method, &game, &game.read(text).unwrap(), 60);
            assert!(report.proven, "{text}");
            assert!((report.value - (2.0 * win - 1.0)).abs() < 1e-12, "{text}: {}", report.value);
        }
    }
}

#[test]
fn stratego_has_the_value_of_expectimax() {
    let game = make::<Stratego>(&[]);
    for (seed, plies, depth) in [(1, 60, 2), (2, 120, 2), (3, 250, 3), (4, 400, 3), (5, 700, 4)] {
        let Some(position) = drawn(&game, seed, plies) else { continue };
        for depth in 1..=depth {
            agree(&game, &position, depth, false);
        }
    }
}

#[test]
fn what_is_hidden_in_stratego_does_not_leak_into_a_search() {
    let game = make::<Stratego>(&[]);
    let (stop, mut compared) = (Stop::new(), 0);
    for (seed, plies) in [(6, 8), (7, 61), (8, 150), (9, 301)] {
        let Some(position) = drawn(&game, seed, plies) else { continue };
        let Turn::Player(player) = game.turn(&position) else { unreachable!() };
        let other = game.guess(&position, usize::from(player), &mut Random::new(seed));
        if other == position {
            continue;
        }
        compared += 1;
        let said = |report: Report<_>| (report.best, report.value, report.pv, report.nodes, report.stats);
        let limits = Limits { nodes: Some(20_000), simulations: Some(300), ..Limits::default() };
        let mut reports = [&position, &other].map(|position| {
            let mut all = Vec::new();
            for method in family(false) {
                let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
                all.push(said(method.search(&game, position, context).unwrap()));
            }
            let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
            all.push(said(MoveFilter::default().search(&game, position, context).unwrap()));
            let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
            all.push(said(Uct { seed: 3, ..Uct::default() }.search(&game, position, context).unwrap()));
            all
        });
        let (second, first) = (reports[1].split_off(0), reports[0].split_off(0));
        assert_eq!(first, second, "{}", game.write(&position));
    }
    assert!(compared >= 3, "{compared}");
}
