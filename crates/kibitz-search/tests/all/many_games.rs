//! Searches of many players on board games: against their definitions, and against alpha-beta where two play.

use crate::drawn::{to_depth, within};
use kibitz_game::{Configure, Limits, Params, Random, Score, Turn, Value};
use kibitz_games::{ChineseCheckers, Focus, Rolit};
use kibitz_search::{
    AlphaBeta, Coalition, MaxN, MultiCut, NullMove, Pruning, Reduction, Report, Searchable, Selective, Ties,
};

fn make<G: Configure>(players: i64) -> G {
    let given = [("players".to_owned(), Value::Integer(players))];
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).ok().unwrap()
}

/// Positions of a random game.
fn along<G: Searchable>(game: &G, seed: u64, plies: usize, every: usize) -> Vec<G::Position> {
    let (mut random, mut buffer, mut position) = (Random::new(seed), Vec::new(), game.start());
    let mut all = Vec::new();
    for ply in 0..plies {
        if game.turn(&position) == Turn::Over {
            break;
        }
        if ply % every == 0 {
            all.push(position.clone());
        }
        let mv = game.random_move(&position, &mut random, &mut buffer);
        game.play(&mut position, mv);
    }
    all
}

fn children<G: Searchable>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let child = |mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        child
    };
    moves.into_iter().map(child).collect()
}

/// Best-reply search as plain minimax, as its listing says.
fn best_reply<G: Searchable>(game: &G, position: &G::Position, root: usize, depth: u32, own: bool) -> Score {
    if game.turn(position) == Turn::Over {
        return game.score(position, root);
    }
    if depth == 0 {
        return game.evaluate(position, root);
    }
    let players = game.players();
    let movers: Vec<usize> = if own { vec![root] } else { (1..players).map(|step| (root + step) % players).collect() };
    let mut values = Vec::new();
    for mover in movers {
        let mut turned = position.clone();
        if game.give_turn(&mut turned, mover) {
            values.extend(children(game, &turned).iter().map(|child| best_reply(game, child, root, depth - 1, !own)));
        }
    }
    let best = if own { values.iter().max() } else { values.iter().min() };
    best.copied().unwrap_or_else(|| best_reply(game, position, root, depth - 1, !own))
}

fn paranoid<G: Searchable>(game: &G, position: &G::Position, root: usize, depth: u32) -> Score {
    let Turn::Player(player) = game.turn(position) else { return game.score(position, root) };
    if depth == 0 {
        return game.evaluate(position, root);
    }
    let values = children(game, position).into_iter().map(|child| paranoid(game, &child, root, depth - 1));
    if usize::from(player) == root { values.max() } else { values.min() }.unwrap()
}

/// Maxⁿ with ties that are worst for the root.
fn max_n<G: Searchable>(game: &G, position: &G::Position, root: usize, depth: u32) -> Vec<Score> {
    let Turn::Player(player) = game.turn(position) else {
        return (0..game.players()).map(|player| game.score(position, player)).collect();
    };
    if depth == 0 {
        return (0..game.players()).map(|player| game.own_value(position, player)).collect();
    }
    let player = usize::from(player);
    let tuples = children(game, position).into_iter().map(|child| max_n(game, &child, root, depth - 1));
    let order = |tuple: &Vec<Score>| (tuple[player], -i64::from(tuple[root]));
    // among equal ones the first: moves are compared in the game's order, and hints decide where there are any, which
    // changes no component that is compared here
    tuples.reduce(|best, tuple| if order(&tuple) > order(&best) { tuple } else { best }).unwrap()
}

fn run<G: Searchable>(method: &Coalition, game: &G, position: &G::Position, depth: u32) -> Report<G::Move> {
    within::<G, _>(&to_depth(depth), |context| method.search(game, position, context)).unwrap()
}

fn plain_and_enhanced() -> [AlphaBeta; 2] {
    let plain = AlphaBeta { ordering: kibitz_search::Ordering::default(), ..AlphaBeta::plain() };
    [plain, AlphaBeta { tt_mb: 1, same_depth: true, etc: false, ..AlphaBeta::default() }]
}

fn equals_definitions<G: Searchable + Configure>(players: i64, depth: u32) {
    let game: G = make(players);
    for position in along(&game, 5, 40, 13) {
        let Turn::Player(root) = game.turn(&position) else { continue };
        let root = usize::from(root);
        let expected = [
            (Reduction::BestReply, best_reply(&game, &position, root, depth, true)),
            (Reduction::Paranoid, paranoid(&game, &position, root, depth)),
        ];
        for (reduction, value) in expected {
            for search in plain_and_enhanced() {
                let found = run(&Coalition { reduction, search, ..Coalition::default() }, &game, &position, depth);
                let value = game.result(f64::from(value));
                assert_eq!(found.value, value, "{reduction:?} {players} players: {}", game.write(&position));
            }
        }
        let tuple = max_n(&game, &position, root, depth);
        for pruning in [Pruning::None, Pruning::Speculative] {
            let method = MaxN { pruning, ties: Ties::WorstForRoot, tt_mb: 1, same_depth: true, ..MaxN::default() };
            let found = within::<G, _>(&to_depth(depth), |context| method.search(&game, &position, context)).unwrap();
            // the other components may differ where both that are compared are equal
            assert_eq!(found.value, game.result(f64::from(tuple[root])), "{}", game.write(&position));
        }
    }
}

#[test]
fn in_chinese_checkers_every_search_has_the_value_of_its_definition() {
    equals_definitions::<ChineseCheckers>(3, 3);
    equals_definitions::<ChineseCheckers>(6, 2);
}

#[test]
fn in_focus_every_search_has_the_value_of_its_definition() {
    equals_definitions::<Focus>(3, 2);
    equals_definitions::<Focus>(4, 2);
}

#[test]
fn in_rolit_every_search_has_the_value_of_its_definition() {
    equals_definitions::<Rolit>(3, 4);
    equals_definitions::<Rolit>(4, 3);
}

/// With two players in a game for many: the same tree as alpha-beta, and so the same counters, value, line and move.
fn is_alpha_beta<G: Searchable + Configure>(depth: u32)
where
    G::Move: std::fmt::Debug,
{
    let game: G = make(2);
    let multi_cut = Some(MultiCut { moves: 6, cuts: 3, reduction: 2, everywhere: false });
    let selective = Selective { multi_cut, ..Selective::default() };
    let settings = [
        AlphaBeta { ordering: kibitz_search::Ordering::default(), ..AlphaBeta::plain() },
        AlphaBeta { tt_mb: 1, ..AlphaBeta::default() },
        AlphaBeta { tt_mb: 1, selective, ..AlphaBeta::default() },
    ];
    for position in along(&game, 8, 30, 9) {
        for search in &settings {
            let reference =
                within::<G, _>(&to_depth(depth), |context| search.search(&game, &position, context)).unwrap();
            for reduction in [Reduction::Paranoid, Reduction::BestReply, Reduction::BestReplyPlus] {
                let method = Coalition { reduction, search: search.clone(), ..Coalition::default() };
                let found = run(&method, &game, &position, depth);
                assert_eq!(
                    (found.value, found.nodes, found.best, &found.pv, &found.stats),
                    (reference.value, reference.nodes, reference.best, &reference.pv, &reference.stats),
                    "{reduction:?}: {}",
                    game.write(&position)
                );
            }
        }
    }
}

#[test]
fn with_two_players_they_are_alpha_beta_node_by_node() {
    is_alpha_beta::<ChineseCheckers>(4);
    is_alpha_beta::<Focus>(3);
    is_alpha_beta::<Rolit>(5);
}

/// With evaluations that count only what a player has, maxⁿ is not minimax even for two.
#[test]
fn with_board_evaluations_maxn_is_not_alpha_beta() {
    let game: Focus = make(2);
    let differ = along(&game, 8, 60, 5).into_iter().filter(|position| {
        let max_n = within::<Focus, _>(&to_depth(3), |context| MaxN::default().search(&game, position, context));
        let alpha_beta =
            within::<Focus, _>(&to_depth(3), |context| AlphaBeta::default().search(&game, position, context));
        max_n.unwrap().best != alpha_beta.unwrap().best
    });
    assert!(differ.count() > 0);
}

#[test]
fn forward_pruning_saves_nodes_in_best_reply_search() {
    let game: ChineseCheckers = make(3);
    let limits = Limits { depth: Some(5), ..Limits::default() };
    let nodes = |selective: Selective| {
        let search = AlphaBeta { tt_mb: 4, etc: false, selective, ..AlphaBeta::default() };
        let method = Coalition { search, ..Coalition::default() };
        let all = along(&game, 2, 30, 6);
        let count = |position| {
            within::<ChineseCheckers, _>(&limits, |context| method.search(&game, position, context)).unwrap().nodes
        };
        all.iter().map(count).sum::<u64>()
    };
    let full = nodes(Selective::default());
    let null_move = Some(NullMove { reduction: 2, adaptive: false });
    let multi_cut = Some(MultiCut { moves: 10, cuts: 3, reduction: 2, everywhere: false });
    assert!(nodes(Selective { null_move, ..Selective::default() }) < full);
    assert!(nodes(Selective { multi_cut, ..Selective::default() }) < full);
}
