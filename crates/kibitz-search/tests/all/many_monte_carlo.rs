//! UCT in games of many players: what the opponents want, and what the own moves teach.

use crate::drawn::{Drawn, inner, leaf, within};
use kibitz_game::{Configure, Game, Limits, Params, Value};
use kibitz_games::RandomTree;
use kibitz_search::{Opponents, Report, Searchable, Uct, Widening};

fn simulate<G: Searchable>(uct: &Uct, game: &G, simulations: u64) -> Report<G::Move> {
    let limits = Limits { simulations: Some(simulations), ..Limits::default() };
    within::<G, _>(&limits, |context| uct.search(game, &game.start(), context)).unwrap()
}

fn tree(players: i64, depth: i64, seed: i64) -> RandomTree {
    let numbers = [("players", players), ("width", 3), ("depth", depth), ("seed", seed), ("range", 20)];
    let numbers = numbers.map(|(name, number)| (name.to_owned(), Value::Integer(number)));
    RandomTree::configure(&Params::complete(&RandomTree::parameters(), numbers).unwrap()).unwrap()
}

/// The first move is the best if the others play for themselves, the second if they play against player 0.
fn divided() -> Drawn {
    let selfish = inner(1, vec![inner(2, vec![leaf(&[9, 9, 0])]), inner(2, vec![leaf(&[0, 1, 0])])]);
    let safe = inner(1, vec![inner(2, vec![leaf(&[5, 2, 2])]), inner(2, vec![leaf(&[4, 3, 2])])]);
    Drawn::new(3, Some(20), &inner(0, vec![selfish, safe]), false)
}

#[test]
fn opponents_play_for_themselves_or_against_the_root_player() {
    let game = divided();
    let best = |opponents| simulate(&Uct { opponents, ..Uct::default() }, &game, 2000).best;
    assert_eq!(best(Opponents::MaxN), Some(0));
    assert_eq!(best(Opponents::Paranoid), Some(1));
}

#[test]
fn best_reply_needs_moves_out_of_turn() {
    let limits = Limits { simulations: Some(10), ..Limits::default() };
    let game = divided();
    let uct = Uct { opponents: Opponents::BestReply, ..Uct::default() };
    assert!(within::<Drawn, _>(&limits, |context| uct.search(&game, &game.start(), context)).is_err());
    let game = tree(4, 6, 1);
    let report = simulate(&uct, &game, 500);
    assert!(report.best.is_some() && !report.proven && report.children.len() == 3);
}

/// The value of a game of two that paranoid and best-reply search make of a game of many is what UCT comes to.
#[test]
fn uct_converges_to_the_value_of_the_reduced_game() {
    use kibitz_search::{Coalition, Reduction};
    let (mut right, mut all) = (0, 0);
    for seed in 0..12 {
        let game = tree(3, 3, seed);
        for (opponents, reduction) in
            [(Opponents::Paranoid, Reduction::Paranoid), (Opponents::BestReply, Reduction::BestReply)]
        {
            let limits = Limits { depth: Some(9), ..Limits::default() };
            let method = Coalition { reduction, ..Coalition::default() };
            let exact =
                within::<RandomTree, _>(&limits, |context| method.search(&game, &game.start(), context)).unwrap();
            let found = simulate(&Uct { opponents, c: 0.7, ..Uct::default() }, &game, 4000);
            // the value of the chosen move is near the value of the game: a tie of moves would spoil the comparison of moves
            right += u32::from((found.value - exact.value).abs() < 2.0);
            all += 1;
        }
    }
    assert!(right * 10 >= all * 9, "{right} of {all}");
}

#[test]
fn with_two_players_the_policies_are_the_same_search() {
    for seed in 0..5 {
        let game = tree(2, 8, seed);
        let of = |opponents| {
            let report = simulate(&Uct { opponents, seed: 3, ..Uct::default() }, &game, 300);
            (report.best, report.value, report.nodes)
        };
        assert_eq!(of(Opponents::MaxN), of(Opponents::Paranoid));
        assert_eq!(of(Opponents::MaxN), of(Opponents::BestReply));
    }
}

#[test]
fn opponent_move_abstraction_guides_the_search_and_is_repeatable() {
    let game = tree(4, 12, 2);
    let plain = Uct::default();
    let widening = Some(Widening { initial: 2, visits: 10.0, growth: 1.5 });
    let guided = Uct { opponent_move_abstraction: Some(50.0), widening, ..Uct::default() };
    let (a, b) = (simulate(&guided, &game, 2000), simulate(&guided, &game, 2000));
    assert_eq!((a.best, a.value, a.nodes), (b.best, b.value, b.nodes));
    assert_ne!(a.value, simulate(&Uct { widening, ..plain.clone() }, &game, 2000).value, "it changes what is searched");
    let off = Uct { opponent_move_abstraction: Some(0.0), ..plain.clone() };
    // without weight it is UCT, although by the way of the informed ones
    assert!((simulate(&off, &game, 20_000).value - simulate(&plain, &game, 20_000).value).abs() < 1.0);
}

/// The second move of player 0 decides, and is the same whatever the others do: with opponent-move abstraction few games
/// teach what otherwise takes many.
#[test]
fn a_plan_of_own_moves_is_found_sooner_with_abstraction() {
    let second = || inner(0, vec![leaf(&[0, 5, 5]), leaf(&[0, 5, 5]), leaf(&[0, 5, 5]), leaf(&[10, 5, 5])]);
    let others = || inner(1, (0..6).map(|_| inner(2, (0..6).map(|_| second()).collect())).collect());
    let dull = || inner(1, (0..6).map(|_| inner(2, (0..6).map(|_| leaf(&[4, 5, 5])).collect())).collect());
    let game = Drawn::new(3, Some(20), &inner(0, vec![dull(), others()]), false);
    let found = |oma| {
        let right = |seed: &u64| {
            let uct = Uct { opponent_move_abstraction: oma, seed: *seed, ..Uct::default() };
            simulate(&uct, &game, 250).best == Some(1)
        };
        (0..60).filter(right).count()
    };
    let (with, without) = (found(Some(100.0)), found(None));
    assert!(with > without + 10, "{with} against {without} of 60");
}
