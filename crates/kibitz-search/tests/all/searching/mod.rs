//! What the tests of the minimax family share: games, searches of them, and the members of the family.

use kibitz_game::{Configure, Limits, Params, Random, Stop, Turn, Value};
use kibitz_search::{
    AlphaBeta, BestNode, Context, Driver, FirstGuess, Minimax, NextGuess, QualityTest, Report, Scout, Searchable,
    UniformTree, Variant,
};

pub fn make<G: Configure>(given: &[(&str, i64)]) -> G {
    let given = given.iter().map(|&(name, value)| (name.to_owned(), Value::Integer(value)));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).ok().unwrap()
}

pub fn limited<G: Searchable>(
    method: &AlphaBeta,
    game: &G,
    position: &G::Position,
    limits: &Limits,
) -> Report<G::Move> {
    let stop = Stop::new();
    let context = &mut Context { limits, stop: &stop, past: &[], progress: &mut |_| {} };
    method.search(game, position, context).unwrap()
}

pub fn search<G: Searchable>(method: &AlphaBeta, game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    limited(method, game, position, &Limits { depth: Some(depth), ..Limits::default() })
}

pub fn minimax<G: Searchable>(game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    let stop = Stop::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    Minimax::default().search(game, position, context).unwrap()
}

/// Positions met in a random game.
pub fn along<G: Searchable>(game: &G, seed: u64, plies: usize) -> Vec<G::Position> {
    let mut random = Random::new(seed);
    let mut position = game.start();
    let mut all = Vec::new();
    for _ in 0..plies {
        if game.turn(&position) == Turn::Over {
            break;
        }
        all.push(position.clone());
        let mv = game.random_move(&position, &mut random, &mut Vec::new());
        game.play(&mut position, mv);
    }
    all
}

/// The value for the player to move after a move, by minimax.
pub fn value_after<G: Searchable>(game: &G, position: &G::Position, mv: G::Move, depth: u32) -> f64 {
    let Turn::Player(me) = game.turn(position) else { panic!("nobody to move") };
    let mut child = position.clone();
    game.play(&mut child, mv);
    match game.turn(&child) {
        Turn::Over => game.result(f64::from(game.score(&child, usize::from(me)))),
        Turn::Player(_) if depth == 1 => game.result(f64::from(game.evaluate(&child, usize::from(me)))),
        Turn::Player(next) => {
            let value = minimax(game, &child, depth - 1).value;
            if next == me { value } else { -value }
        }
        Turn::Chance => panic!("chance"),
    }
}

/// `exact` is what minimax found, with a value for each move.
pub fn agrees<G: Searchable>(
    game: &G,
    position: &G::Position,
    depth: u32,
    method: &AlphaBeta,
    exact: &Report<G::Move>,
) {
    let found = search(method, game, position, depth);
    let what = || format!("{method:?} on {} to depth {depth}", game.write(position));
    if !matches!(method.driver, Driver::BestNode(_)) || found.bound == kibitz_game::Bound::Exact {
        assert_eq!(found.value, exact.value, "{}", what());
    }
    assert!(found.value <= exact.value, "{}", what());
    let best = |mv: &G::Move| exact.children.iter().any(|child| child.mv == *mv && child.value == exact.value);
    assert!(found.best.as_ref().is_some_and(best), "{}", what());
    assert!(found.pv.first() == found.best.as_ref(), "{}", what());
}

pub fn leaves<M>(report: &Report<M>) -> f64 {
    report.stats[0].1
}

pub fn stat<M>(report: &Report<M>, name: &str) -> f64 {
    report.stats.iter().find(|stat| stat.0 == name).map_or(0.0, |stat| stat.1)
}

pub fn best_node(variant: Variant, next_guess: NextGuess) -> Driver {
    Driver::BestNode(BestNode {
        variant,
        next_guess,
        first_guess: FirstGuess::Previous,
        offset: 0.0,
        quality: 1.0,
        quality_test: QualityTest::EveryChild,
    })
}

/// The exact members of the family, with everything but windows switched off.
pub fn exact() -> Vec<AlphaBeta> {
    let drivers = [
        (Driver::Full, Scout::Never),
        (Driver::Full, Scout::Pvs),
        (Driver::Full, Scout::NegaScout { wide: false }),
        (Driver::Full, Scout::NegaScout { wide: true }),
        (Driver::Aspiration(0.01), Scout::Never),
        (Driver::Aspiration(2.0), Scout::Pvs),
        (Driver::NegaCStar, Scout::Never),
        (Driver::Sss, Scout::Never),
        (Driver::Dual, Scout::Never),
        (Driver::Mtd(FirstGuess::Previous), Scout::Never),
        (Driver::Mtd(FirstGuess::At(0.4)), Scout::Never),
    ];
    let with = |(driver, scout)| AlphaBeta { driver, scout, same_depth: true, ..AlphaBeta::plain() };
    drivers.into_iter().map(with).collect()
}

/// The members that look for the best move only.
pub fn best_nodes(width: u32, depth: u32, values: u32) -> Vec<AlphaBeta> {
    let mut all = Vec::new();
    for variant in [Variant::Plain, Variant::Raise, Variant::Candidate] {
        let samples = vec![vec![3.0; width as usize], (0..width).map(f64::from).collect()];
        for next_guess in [
            NextGuess::Linear,
            NextGuess::Previous,
            NextGuess::Statistical(samples),
            NextGuess::Analytic(UniformTree { width, depth, values }),
        ] {
            let driver = best_node(variant, next_guess);
            all.push(AlphaBeta { driver, same_depth: true, ..AlphaBeta::plain() });
        }
    }
    all
}
