use super::*;
use kibitz_game::{Configure, Game, Params, Playout, Value};
use kibitz_games::{Breakthrough, Fish, Mnk, Othello, PipRace, RandomTree};

fn make<G: Configure>(given: &[(&str, i64)]) -> G {
    let given = given.iter().map(|&(name, value)| (name.to_owned(), Value::Integer(value)));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).ok().unwrap()
}

fn player<'a, G: Searchable>(game: &'a G, playing: &Playing) -> Player<'a, G> {
    Player::new(game, playing, Scaling::default(), false)
}

/// The end of a game, its rewards and its length.
fn play<G: Searchable>(player: &mut Player<'_, G>, start: &G::Position, seed: u64) -> (G::Position, Vec<f64>, u32) {
    let mut end = start.clone();
    player.begin();
    let Ending { plies, over } = player.play(&mut end, &mut Random::new(seed), &mut Vec::new());
    let mut rewards = vec![0.0; player.game.players()];
    player.rewards(&end, over, &mut rewards);
    player.learn(&rewards);
    (end, rewards, plies)
}

#[test]
fn uniform_playouts_are_those_of_the_game() {
    let game: Breakthrough = make(&[]);
    for seed in 0..50 {
        let mut end = game.start();
        let plies = game.playout(&mut end, &mut Random::new(seed), &mut Vec::new(), LONGEST);
        let (mine, rewards, length) = play(&mut player(&game, &Playing::default()), &game.start(), seed);
        assert_eq!((game.write(&mine), length), (game.write(&end), plies));
        assert_eq!(rewards[0] + rewards[1], 1.0);
        // keeping the moves changes nothing either
        let mut traced = Player::new(&game, &Playing::default(), Scaling::default(), true);
        let (mine, ..) = play(&mut traced, &game.start(), seed);
        assert_eq!(game.write(&mine), game.write(&end));
        assert_eq!(traced.trace().len() as u32, plies);
    }
}

#[test]
fn the_greedy_policy_wins_at_once_and_the_random_one_does_not_always() {
    let game: Mnk = make(&[]);
    let start = game.read("XX./OO./... X").unwrap();
    let greedy = |epsilon: f64| Playing { policy: Policy::Evaluation, epsilon, ..Playing::default() };
    let lengths =
        |playing: Playing| (0..100).filter(|&seed| play(&mut player(&game, &playing), &start, seed).2 == 1).count();
    assert_eq!(lengths(greedy(0.0)), 100);
    let sometimes = lengths(greedy(0.5));
    assert!((50..90).contains(&sometimes), "{sometimes}");
}

#[test]
fn a_horizon_ends_games_with_a_verdict() {
    let game: Othello = make(&[]);
    for verdict in [Verdict::Winner, Verdict::Evaluation] {
        let playing = Playing { horizon: Some(4), verdict, ..Playing::default() };
        let mut fractions = 0;
        for seed in 0..50 {
            let (_, rewards, plies) = play(&mut player(&game, &playing), &game.start(), seed);
            assert_eq!(plies, 4);
            assert!((rewards[0] + rewards[1] - 1.0).abs() < 1e-12);
            fractions += usize::from(![0.0, 0.5, 1.0].contains(&rewards[0]));
        }
        assert_eq!(fractions > 0, verdict == Verdict::Evaluation);
    }
}

#[test]
fn a_bound_ends_games_that_are_as_good_as_won() {
    let game: Breakthrough = make(&[]);
    let length = |bound: Option<f64>| -> u32 {
        let mut player = player(&game, &Playing { bound, ..Playing::default() });
        (0..100).map(|seed| play(&mut player, &game.start(), seed).2).sum()
    };
    let (free, wide, narrow) = (length(None), length(Some(0.95)), length(Some(0.5)));
    assert!(free > wide && wide > narrow && narrow >= 200, "{free} {wide} {narrow}");
}

#[test]
fn move_averages_prefer_what_was_good() {
    // one player, one move: the child with the best mean is found, and then kept to
    let tree: RandomTree = make(&[("width", 4), ("depth", 1), ("range", 1000), ("players", 1), ("seed", 5)]);
    let scores: Vec<f64> = (0..4)
        .map(|mv| {
            let mut leaf = tree.start();
            tree.play(&mut leaf, mv);
            f64::from(tree.score(&leaf, 0))
        })
        .collect();
    let top = scores.iter().copied().fold(0.0, f64::max) / 1000.0;
    for policy in [Policy::Mast, Policy::Gibbs] {
        let playing = Playing { policy, epsilon: 0.0, temperature: 0.002, ..Playing::default() };
        let mut player = player(&tree, &playing);
        let rewards: Vec<f64> = (0..20).map(|seed| play(&mut player, &tree.start(), seed).1[0]).collect();
        assert!(rewards[8..].iter().all(|&reward| (reward - top).abs() < 1e-9), "{rewards:?} {scores:?}");
    }
}

#[test]
fn last_good_replies_are_repeated_while_they_win() {
    let game: Mnk = make(&[]);
    let replies = |replies| Playing { replies, ..Playing::default() };
    let mut player = player(&game, &replies(LastGoodReply::Two));
    // whatever loses is forgotten, so a win in one move is found in the end
    let start = game.read("XX./.../OO. X").unwrap();
    let first = (0..1000).find(|&seed| {
        player.begin();
        let mut end = start;
        player.trace.push(Played { player: 1, index: 7, mv: 7 });
        player.play(&mut end, &mut Random::new(seed), &mut Vec::new());
        let won = player.trace.len() == 2;
        player.learn(&[f64::from(u8::from(won)), f64::from(u8::from(!won))]);
        won
    });
    assert!(first.is_some());
    let winning = player.trace()[1].mv;
    for seed in 0..20 {
        player.begin();
        player.trace.push(Played { player: 1, index: 7, mv: 7 });
        player.play(&mut start.clone(), &mut Random::new(seed), &mut Vec::new());
        assert_eq!((player.trace().len(), player.trace()[1].mv), (2, winning));
    }
}

#[test]
fn any_number_of_players_and_chance_take_part_in_every_playout() {
    fn all<G: Searchable>(game: &G) {
        for policy in [Policy::Uniform, Policy::Evaluation, Policy::Mast, Policy::Gibbs] {
            for replies in [LastGoodReply::Off, LastGoodReply::One, LastGoodReply::Two] {
                for (horizon, bound) in [(None, None), (Some(7), None), (None, Some(0.8)), (Some(9), Some(0.9))] {
                    let playing = Playing { policy, replies, horizon, bound, ..Playing::default() };
                    let games = |player: &mut Player<'_, G>| -> Vec<(String, Vec<f64>, u32)> {
                        let played = (0..6).map(|seed| play(player, &game.start(), seed));
                        played.map(|(end, rewards, plies)| (game.write(&end), rewards, plies)).collect()
                    };
                    let once = games(&mut player(game, &playing));
                    assert!(once.iter().all(|(_, rewards, _)| rewards.iter().all(|r| (0.0..=1.0).contains(r))));
                    assert_eq!(once, games(&mut player(game, &playing)));
                }
            }
        }
    }
    all(&make::<PipRace>(&[]));
    all(&make::<Fish>(&[("players", 3)]));
    all(&make::<RandomTree>(&[("players", 3), ("depth", 9), ("width", 3)]));
    all(&make::<RandomTree>(&[("players", 1), ("depth", 5), ("width", 3)]));
    all(&make::<Othello>(&[("size", 4)]));
}
