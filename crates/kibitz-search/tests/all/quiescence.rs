//! Quiescence search against its definition, on positions of games that have noisy moves and of one that has none.

use crate::searching::{make, search};
use kibitz_game::{Game, Random, Score, Turn};
use kibitz_games::{Breakthrough, LinesOfAction, Othello};
use kibitz_search::{AlphaBeta, Driver, FirstGuess, Scout, Searchable, Selective};

/// A position of each of some random games that is not over.
fn positions<G: Searchable>(game: &G, count: usize) -> Vec<G::Position> {
    let mut random = Random::new(3);
    let mut all = Vec::new();
    while all.len() < count {
        let mut position = game.start();
        for _ in 0..10 + random.below(50) {
            if game.turn(&position) != Turn::Over {
                let mv = game.random_move(&position, &mut random, &mut Vec::new());
                game.play(&mut position, mv);
            }
        }
        if game.turn(&position) != Turn::Over {
            all.push(position);
        }
    }
    all
}

/// The value for the player to move by definition: no less than the static value, and after every noisy move again.
fn quiet<G: Searchable>(game: &G, position: &G::Position, beyond: u32) -> Score {
    let Turn::Player(me) = game.turn(position) else { panic!("nobody to move") };
    let mut value = game.evaluate(position, usize::from(me));
    let mut moves = Vec::new();
    if beyond > 0 {
        game.noisy(position, &mut moves);
    }
    for mv in moves {
        value = value.max(after(game, position, mv, me, |child| quiet(game, child, beyond - 1)));
    }
    value
}

/// The value for `me` after a move, where `value` is that of a position for whoever is to move in it.
fn after<G: Searchable>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
    me: u8,
    value: impl FnOnce(&G::Position) -> Score,
) -> Score {
    let mut child = position.clone();
    game.play(&mut child, mv);
    match game.turn(&child) {
        Turn::Over => game.score(&child, usize::from(me)),
        Turn::Player(next) => value(&child) * if next == me { 1 } else { -1 },
        Turn::Chance => panic!("chance"),
    }
}

/// Minimax to a depth with quiescence values at the horizon.
fn minimax<G: Searchable>(game: &G, position: &G::Position, depth: u32, beyond: u32) -> Score {
    if depth == 0 {
        return quiet(game, position, beyond);
    }
    let Turn::Player(me) = game.turn(position) else { panic!("nobody to move") };
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let value = |mv| after(game, position, mv, me, |child| minimax(game, child, depth - 1, beyond));
    moves.into_iter().map(value).max().unwrap()
}

fn equals_its_definition<G: Searchable>(game: &G, depth: u32) {
    let members = [
        (Driver::Full, Scout::Never),
        (Driver::Full, Scout::Pvs),
        (Driver::Full, Scout::NegaScout { wide: false }),
        (Driver::Aspiration(0.02), Scout::Never),
        (Driver::NegaCStar, Scout::Never),
        (Driver::Mtd(FirstGuess::Previous), Scout::Never),
    ];
    let mut followed = 0.0;
    for position in positions(game, 6) {
        for beyond in [1, 2, 6] {
            let exact = game.result(f64::from(minimax(game, &position, depth, beyond)));
            for (driver, scout) in members.clone() {
                let selective = Selective { quiescence: Some(beyond), ..Selective::default() };
                let method = AlphaBeta { driver, scout, selective, same_depth: true, ..AlphaBeta::default() };
                let report = search(&method, game, &position, depth);
                assert_eq!(report.value, exact, "{method:?} on {}", game.write(&position));
                followed += report.stats.iter().find(|stat| stat.0 == "quiescence_nodes").map_or(0.0, |stat| stat.1);
            }
        }
    }
    assert!(followed > 300.0, "hardly a noisy move was followed: {followed}");
}

#[test]
fn quiescence_equals_its_definition_in_lines_of_action() {
    let game: LinesOfAction = make(&[]);
    equals_its_definition(&game, 1);
    equals_its_definition(&game, 2);
}

#[test]
fn quiescence_equals_its_definition_in_breakthrough() {
    let game: Breakthrough = make(&[]);
    equals_its_definition(&game, 1);
    equals_its_definition(&game, 2);
}

/// Value, nodes and counters with quiescence search and without.
fn compared<G: Searchable>(game: &G, position: &G::Position, depth: u32, beyond: u32) -> [(f64, u64, bool); 2] {
    [Some(beyond), None].map(|quiescence| {
        let method = AlphaBeta { selective: Selective { quiescence, ..Selective::default() }, ..AlphaBeta::default() };
        let report = search(&method, game, position, depth);
        (report.value, report.nodes, report.stats.iter().any(|stat| stat.0 == "quiescence_nodes"))
    })
}

/// Whether no move leads to a position with a noisy move.
fn quiet_horizon<G: Searchable>(game: &G, position: &G::Position) -> bool {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().all(|mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        let mut noisy = Vec::new();
        if game.turn(&child) != Turn::Over {
            game.noisy(&child, &mut noisy);
        }
        noisy.is_empty()
    })
}

/// How many of some positions have no noisy move behind any of their moves; of these the values agree.
fn counted<G: Searchable>(game: &G, positions: &[G::Position]) -> usize {
    let quiet: Vec<_> = positions.iter().filter(|position| quiet_horizon(game, position)).collect();
    for position in &quiet {
        let [with, without] = compared(game, position, 1, 16);
        assert_eq!(with, without, "no move to follow in {}", game.write(position));
    }
    quiet.len()
}

#[test]
fn without_noisy_moves_the_quiescence_value_is_the_static_value() {
    let game: Othello = make(&[]);
    for position in positions(&game, 10) {
        let [with, without] = compared(&game, &position, 4, 16);
        assert_eq!(with, without, "a game without noisy moves");
    }
    // the first moves of Breakthrough touch nothing
    let breakthrough: Breakthrough = make(&[]);
    assert!(counted(&breakthrough, &[breakthrough.start()]) == 1);
    let lines: LinesOfAction = make(&[]);
    assert!(counted(&lines, &positions(&lines, 3000)) > 0);
}

#[test]
fn zero_plies_beyond_the_horizon_are_none() {
    let game: LinesOfAction = make(&[]);
    for position in positions(&game, 10) {
        let [with, without] = compared(&game, &position, 3, 0);
        assert_eq!(with, without);
    }
}
