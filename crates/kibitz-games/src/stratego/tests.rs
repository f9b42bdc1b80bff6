use super::board::squares;
use super::rank::{ARMY, BOMB, FLAG, MARSHAL, MINER, SCOUT, SPY};
use super::*;
use kibitz_game::{Chance, Evaluate, Hidden, Random, Value};

fn game(given: &[(&str, Value)]) -> Stratego {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    Stratego::configure(&Params::complete(&Stratego::parameters(), given).unwrap()).unwrap()
}

fn word(text: &str) -> Value {
    Value::Word(text.to_owned())
}

fn listed(game: &Stratego, position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| game.write_move(position, mv)).collect()
}

fn played(game: &Stratego, mut position: Position, moves: &str) -> Position {
    for text in moves.split_whitespace() {
        let mv = game.read_move(&position, text).unwrap_or_else(|bad| panic!("{text}: {bad}"));
        game.play(&mut position, mv);
    }
    position
}

/// A position by the rows that are not empty, both Flags out of the way in corners.
fn board(game: &Stratego, rows: [&str; 10], words: &str) -> Position {
    let text = format!("{} {words}", rows.join("/"));
    game.read(&text).unwrap_or_else(|bad| panic!("{text}: {bad}"))
}

const EMPTY: &str = "..........";
const LAKES: &str = "..XX..XX..";

const FIGURE: &str =
    "jnbfbnltnc/lrgbrtsmbr/cbpjlnbntt/ptlttptjrp/..XX..XX../..XX..XX../TLRCTLJPLT/PTNTLTPGBT/BRSMNBCRJP/FBNJBRBNTN w";

#[test]
fn the_start_is_figure_5_7_with_two_complete_armies() {
    let game = game(&[]);
    let start = game.start();
    assert_eq!(game.write(&start), FIGURE);
    assert_eq!(game.read(FIGURE), Ok(start));
    for player in 0..2 {
        let mut counts = [0; RANKS];
        for square in squares(start.sides[player]) {
            counts[usize::from(rank_of(start.cells[usize::from(square)]))] += 1;
        }
        assert_eq!(counts, [1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 6, 1]);
    }
}

#[test]
fn the_moves_of_figure_5_7_are_those_counted_elsewhere() {
    let game = game(&[]);
    let mut white = listed(&game, &game.start());
    white.sort();
    let mut expected =
        "a4-a5 a4-a6 a4xa7 b4-b5 e4-e5 e4-e6 e4xe7 f4-f5 i4-i5 j4-j5 j4-j6 j4xj7".split(' ').collect::<Vec<_>>();
    expected.sort_unstable();
    assert_eq!(white, expected);
    let black = listed(&game, &game.read(&FIGURE.replace(" w", " b")).unwrap());
    assert_eq!((black.len(), black.iter().filter(|text| text.contains('x')).count()), (10, 2));
}

#[test]
fn battles_end_as_the_rules_say() {
    let (general, colonel) = (1, 2);
    for (attacker, defender, outcome) in [
        (SPY, MARSHAL, Battle::Win),
        (MARSHAL, SPY, Battle::Win),
        (MINER, BOMB, Battle::Win),
        (MARSHAL, BOMB, Battle::Lose),
        (SCOUT, SCOUT, Battle::Both),
        (SPY, general, Battle::Lose),
        (colonel, general, Battle::Lose),
        (general, colonel, Battle::Win),
        (SPY, SPY, Battle::Both),
        (SPY, BOMB, Battle::Lose),
    ] {
        assert_eq!(battle(attacker, defender), outcome, "{attacker} {defender}");
    }
    assert!((0..BOMB).all(|rank| battle(rank, FLAG) == Battle::Win));
}

#[test]
fn a_battle_shows_both_pieces_and_the_winner_ends_on_the_square_of_the_defender() {
    let game = game(&[]);
    let rows = [
        "f.........",
        EMPTY,
        EMPTY,
        EMPTY,
        "r.XX..XX..",
        "M.XX..XX..",
        "b.........",
        "N.........",
        EMPTY,
        "F.........",
    ];
    let bad = format!("{} w", rows.join("/"));
    assert!(game.read(&bad).unwrap_err().0.contains("never move"));
    let rows =
        ["f.........", EMPTY, EMPTY, "b.........", "M.XX..XX..", "r.XX..XX..", EMPTY, EMPTY, EMPTY, "F........."];
    let position = board(&game, rows, "w");
    let lost = played(&game, position, "a6xa7");
    assert_eq!(
        game.write(&lost),
        "f........./........../........../b........./..XX..XX../r.XX..XX../........../........../........../F......... b seen=a7"
    );
    let won = played(&game, position, "a6xa5");
    assert!(game.write(&won).contains("/..XX..XX../M.XX..XX../"), "{}", game.write(&won));
    assert!(game.write(&won).contains("seen=a5"));
}

#[test]
fn a_scout_that_moves_far_is_known_and_one_that_moves_one_square_is_not() {
    let game = game(&[]);
    let far = played(&game, game.start(), "a4-a6");
    assert!(
        game.write(&far).contains("seen=a6") && game.view(&far, 1).contains("T.XX..XX.."),
        "{}",
        game.view(&far, 1)
    );
    let near = played(&game, game.start(), "a4-a5");
    assert!(!game.write(&near).contains("seen") && game.view(&near, 1).contains("U.XX..XX.."));
}

#[test]
fn unknown_pieces_have_the_published_and_the_exact_probabilities() {
    // unknown are one Flag, one Bomb, one General, two Colonels and three Captains
    let position = |game: &Stratego, grid: &str| game.read(&format!("{grid} w belief=w/gccpppbf base=0")).unwrap();
    let unmoved =
        "uuuuuuu.../........../........../u........./M.XX..XX../..XX..XX../........../........../........../F.........";
    let (published, exact) = (game(&[]), game(&[("chance", word("exact"))]));
    for game in [&published, &exact] {
        // nothing has moved, so both models agree
        let battle = played(game, position(game, unmoved), "a6xa7");
        assert_eq!(game.turn(&battle), Turn::Chance);
        let found: Vec<(String, f64)> = listed(game, &battle)
            .into_iter()
            .map(|text| (text.clone(), game.probability(&battle, game.read_move(&battle, &text).unwrap())))
            .collect();
        let expected = [("2", 1.0), ("3", 2.0), ("5", 3.0), ("B", 1.0), ("F", 1.0)];
        for ((sign, probability), (name, eighths)) in found.iter().zip(expected) {
            assert_eq!(sign, name);
            assert!((probability - eighths / 8.0).abs() < 1e-12, "{sign}: {probability}");
        }
    }
    let moved =
        "uuuuuuu.../........../........../........../u.XX..XX../M.XX..XX../........../........../........../F.........";
    let battle = played(&published, position(&published, moved), "a5xa6");
    let found: Vec<f64> = [1, 2, 4].map(|rank| published.probability(&battle, rank)).to_vec();
    assert!(found.iter().zip([1.0, 2.0, 3.0]).all(|(p, sixths)| (p - sixths / 6.0).abs() < 1e-12), "{found:?}");
    assert_eq!(listed(&published, &battle), ["2", "3", "5"]);
    // five others have moved: of the three that have not, one is the Flag and one a Bomb
    let others =
        "uu......../........../........../u........./M.XXuuXXuu/..XX..XXu./........../........../........../F.........";
    let of = |game: &Stratego| {
        let battle = played(game, position(game, others), "a6xa7");
        [1, 2, 4, 10, 11].map(|rank| game.probability(&battle, rank))
    };
    let close = |found: [f64; 5], expected: [f64; 5]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close(of(&published), [1.0, 2.0, 3.0, 1.0, 1.0].map(|n| n / 8.0)), "{:?}", of(&published));
    assert!(close(of(&exact), [1.0, 2.0, 3.0, 6.0, 6.0].map(|n| n / 18.0)), "{:?}", of(&exact));
}

/// A position after random moves.
fn reached(game: &Stratego, seed: u64, plies: u32) -> Position {
    let mut position = game.start();
    game.playout(&mut position, &mut Random::new(seed), &mut Vec::new(), plies);
    position
}

#[test]
fn exact_probabilities_are_the_frequencies_of_guesses() {
    let game = game(&[("chance", word("exact"))]);
    let position = reached(&game, 3, 121);
    assert_eq!(game.turn(&position), Turn::Player(1), "guesses for the player to move are not conditional");
    let belief = game.belief(&position, 1);
    let unknown = squares(belief.sides[0]).filter(|&s| rank_of(belief.cells[usize::from(s)]) == UNKNOWN);
    let (still, moving): (Vec<u8>, Vec<u8>) =
        unknown.partition(|&s| belief.cells[usize::from(s)] & position::MOVED == 0);
    assert!(belief.roving as usize == moving.len() && moving.len() > 2 && still.len() > 5);
    let (mut random, guesses) = (Random::new(1), 20_000);
    let mut counts = [[0u32; RANKS]; 2];
    for _ in 0..guesses {
        let guess = game.guess(&position, 1, &mut random);
        for (counts, square) in counts.iter_mut().zip([still[0], moving[0]]) {
            counts[usize::from(rank_of(guess.cells[usize::from(square)]))] += 1;
        }
    }
    for (counts, moves) in counts.iter().zip([false, true]) {
        for (rank, &count) in counts.iter().enumerate() {
            let likely = rank < usize::from(BOMB) || !moves;
            let expected = if likely { game.likelihood(&belief, moves, rank as Rank) } else { 0.0 };
            let found = f64::from(count) / f64::from(guesses);
            // five standard deviations
            assert!(
                (found - expected).abs() < 5.0 * (0.25 / f64::from(guesses)).sqrt(),
                "{rank} {moves}: {found} {expected}"
            );
        }
    }
}

#[test]
fn positions_that_look_the_same_have_the_same_view_belief_moves_and_values() {
    for (seed, setup) in (0..300).zip(["schadd-white", "free", "blitz"].into_iter().cycle()) {
        let game = game(&[("white", word(setup)), ("chance", word(if seed % 2 == 0 { "exact" } else { "published" }))]);
        let position = reached(&game, seed, (seed % 29 * 19) as u32);
        let Turn::Player(player) = game.turn(&position) else { continue };
        for player in [usize::from(player), usize::from(1 - player)] {
            let guess = game.guess(&position, player, &mut Random::new(seed));
            assert_eq!(game.view(&guess, player), game.view(&position, player));
            let (belief, same) = (game.belief(&position, player), game.belief(&guess, player));
            assert_eq!(belief, same);
            assert_eq!(game.key(&belief), game.key(&same));
            assert_eq!(game.belief(&belief, player), belief);
            assert_eq!(game.turn(&belief), game.turn(&position));
            // a search begins with a difference of nothing
            assert_eq!(game.evaluate(&belief, 0), 0);
            assert_eq!(game.read(&game.write(&belief)), Ok(belief), "{}", game.write(&belief));
        }
        let belief = game.belief(&position, player.into());
        assert_eq!(listed(&game, &belief), listed(&game, &position));
    }
}

#[test]
fn no_rank_is_told_before_it_is_shown() {
    let game = game(&[]);
    let mut different = 0;
    for seed in 0..40 {
        let position = reached(&game, seed, 60);
        if game.turn(&position) == Turn::Over {
            continue;
        }
        let guess = game.guess(&position, 0, &mut Random::new(seed));
        different += u32::from(guess != position);
        let view = game.view(&position, 0);
        let grid = view.split(' ').next().unwrap();
        let known = grid.chars().filter(|letter| letter.is_ascii_lowercase() && *letter != 'u').count();
        let seen = squares(position.sides[1]).filter(|&s| position.cells[usize::from(s)] & position::SEEN != 0).count();
        assert_eq!(known, seen, "{view}");
    }
    assert!(different > 30);
}

#[test]
fn games_inside_a_belief_keep_to_the_rules() {
    let (mut random, mut battles) = (Random::new(5), 0);
    for seed in 0..150 {
        let game = game(&[("chance", word(if seed % 2 == 0 { "exact" } else { "published" }))]);
        let position = reached(&game, seed, (seed % 15 * 40) as u32);
        let Turn::Player(player) = game.turn(&position) else { continue };
        let mut position = game.belief(&position, player.into());
        for _ in 0..60 {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let text = game.write(&position);
            assert_eq!(game.read(&text), Ok(position), "{text}");
            let turn = game.turn(&position);
            if turn == Turn::Over {
                break;
            }
            assert!(!moves.is_empty(), "{text}");
            if turn == Turn::Chance {
                battles += 1;
                let sum: f64 = moves.iter().map(|&rank| game.probability(&position, rank)).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{text}: {sum}");
            }
            let value = game.evaluate(&position, 0);
            assert!(value.abs() < UNIT && value == -game.evaluate(&position, 1));
            let hidden = usize::from(1 - position.believer);
            let unknown =
                squares(position.sides[hidden]).filter(|&s| rank_of(position.cells[usize::from(s)]) == UNKNOWN);
            assert_eq!(unknown.count(), position.unseen[hidden].iter().map(|&n| usize::from(n)).sum::<usize>());
            assert!(position.roving <= position.unknown_movers(hidden), "{text}");
            game.play(&mut position, moves[random.below(moves.len())]);
        }
    }
    assert!(battles > 200, "{battles}");
}

#[test]
fn unknown_pieces_move_one_square_and_only_while_ranks_are_left_that_move() {
    let game = game(&[]);
    let rows = ["uuu.......", EMPTY, EMPTY, "....u.....", LAKES, LAKES, EMPTY, "M.........", EMPTY, "F........."];
    let mut moves = listed(&game, &board(&game, rows, "b belief=w/tbbf base=0"));
    moves.sort();
    assert_eq!(moves, ["a10-a9", "b10-b9", "c10-c9", "c10-d10", "e7-d7", "e7-e6", "e7-e8", "e7-f7"]);
    // the one unknown piece that moves is on its way
    let rows = ["uuu.......", EMPTY, EMPTY, EMPTY, "..XXu.XX..", LAKES, EMPTY, "M.........", EMPTY, "F........."];
    let mut moves = listed(&game, &board(&game, rows, "b belief=w/tbbf base=0"));
    moves.sort();
    assert_eq!(moves, ["e6-e5", "e6-e7", "e6-f6"]);
}

#[test]
fn the_fourth_move_between_two_squares_is_forbidden() {
    let game = game(&[]);
    let rows = ["f.........", EMPTY, EMPTY, ".........p", LAKES, LAKES, "M.........", EMPTY, EMPTY, "F........."];
    let position = board(&game, rows, "w");
    let shuttled = played(&game, position, "a4-a5 j7-j6 a5-a4 j6-j5 a4-a5 j5-j4");
    assert!(
        !listed(&game, &shuttled).contains(&"a5-a4".to_owned())
            && listed(&game, &shuttled).contains(&"a5-a6".to_owned())
    );
    assert!(game.read_move(&shuttled, "a5-a4").is_err());
    assert_eq!(game.read(&game.write(&shuttled)), Ok(shuttled));
    // the belief of the player knows as well, and after another move it is allowed again
    assert!(!listed(&game, &game.belief(&shuttled, 0)).contains(&"a5-a4".to_owned()));
    let other = played(&game, shuttled, "a5-a6 j4-j3 a6-a5 j3-j2");
    assert!(listed(&game, &other).contains(&"a5-a4".to_owned()));
    // five times on the Gravon server, any number without the rule
    for (most, allowed) in [(0, true), (2, false), (5, true)] {
        let game = self::game(&[("two_squares", Value::Integer(most))]);
        let reached = "a4-a5 j7-j6 a5-a4 j6-j5";
        let moves = if most == 2 { reached.to_owned() } else { format!("{reached} a4-a5 j5-j4") };
        let wanted = if most == 2 { "a4-a5" } else { "a5-a4" };
        assert_eq!(
            listed(&game, &played(&game, board(&game, rows, "w"), &moves)).contains(&wanted.to_owned()),
            allowed
        );
    }
}

#[test]
fn a_scout_is_on_all_squares_that_it_slides_over() {
    let game = game(&[]);
    let rows = ["f.........", EMPTY, EMPTY, ".........p", LAKES, LAKES, "T.........", EMPTY, EMPTY, "F........."];
    let position = board(&game, rows, "w");
    let shuttled = played(&game, position, "a4-a8 j7-j6 a8-a5 j6-j5 a5-a7 j5-j4");
    // all three moves crossed from a5 to a6 and from a6 to a7
    for (text, allowed) in [("a7-a6", false), ("a7-a2", false), ("a7-a8", true), ("a7-b7", true)] {
        assert_eq!(listed(&game, &shuttled).contains(&text.to_owned()), allowed, "{text}");
    }
    // the last three moves have a border in common only when the first is forgotten
    let shuttled = played(&game, position, "a4-a8 j7-j6 a8-a3 j6-j5 a3-a5 j5-j4");
    assert!(!listed(&game, &shuttled).contains(&"a5-a4".to_owned()));
    let shuttled = played(&game, position, "a4-a8 j7-j6 a8-a7 j6-j5 a7-a9 j5-j4");
    assert!(
        !listed(&game, &shuttled).contains(&"a9-a7".to_owned())
            && listed(&game, &shuttled).contains(&"a9-a8".to_owned())
    );
}

/// A Captain of White behind a Sergeant of Black, at the lake on the left.
fn chase() -> [&'static str; 10] {
    ["f........p", EMPTY, EMPTY, "..r.......", ".PXX..XX..", LAKES, EMPTY, EMPTY, EMPTY, "F........."]
}

#[test]
fn a_chase_around_a_lake_may_not_come_back_to_a_position() {
    let game = game(&[]);
    // White goes next to the Sergeant, which runs around the lake with the Captain one square behind
    let start = board(&game, chase(), "w");
    let once = "b6-b7 c7-d7 b7-c7 d7-e7 c7-d7 e7-e6 d7-e7 e6-e5 e7-e6 e5-e4 e6-e5 e4-d4 e5-e4 d4-c4 e4-d4 c4-b4 d4-c4 b4-b5 c4-b4 \
                b5-b6 b4-b5 b6-b7 b5-b6 b7-c7";
    let around = played(&game, start, once);
    // the position after b6-b7 would come back
    assert!(!listed(&game, &around).contains(&"b6-b7".to_owned()), "{}", game.write(&around));
    assert!(listed(&game, &around).contains(&"b6-a6".to_owned()));
    assert_eq!(game.read(&game.write(&around)), Ok(around));
    assert!(!listed(&game, &game.belief(&around, 0)).contains(&"b6-b7".to_owned()));
    let without = self::game(&[("more_squares", Value::Flag(false))]);
    assert!(listed(&without, &played(&without, board(&without, chase(), "w"), once)).contains(&"b6-b7".to_owned()));
    // a reply that does not evade ends the chase, and with it what is remembered
    let evaded = played(&game, board(&game, chase(), "w"), "b6-b7 c7-d7");
    assert!(game.write(&evaded).contains("chase=0/-/b6-b7,c7-d7"), "{}", game.write(&evaded));
    let elsewhere = played(&game, evaded, "b7-c7 j10-j9");
    assert!(!game.write(&elsewhere).contains("chase"), "{}", game.write(&elsewhere));
}

#[test]
fn a_chasing_piece_may_go_straight_back_as_often_as_the_two_squares_rule_lets_it() {
    let game = game(&[]);
    // the Sergeant goes up and down beside the Captain
    let once = played(&game, board(&game, chase(), "w"), "b6-b7 c7-c8 b7-b8 c8-c7");
    assert!(game.write(&once).contains("chase=0/-/"), "{}", game.write(&once));
    assert!(listed(&game, &once).contains(&"b8-b7".to_owned()));
    // who began to go to and fro has to stop first
    let twice = played(&game, once, "b8-b7 c7-c8 b7-b8");
    assert!(!listed(&game, &twice).contains(&"c8-c7".to_owned()));
    // with more moves between two squares the exception still holds
    let often = self::game(&[("two_squares", Value::Integer(5))]);
    let twice = played(&often, board(&often, chase(), "w"), "b6-b7 c7-c8 b7-b8 c8-c7 b8-b7 c7-c8 b7-b8 c8-c7");
    assert!(listed(&often, &twice).contains(&"b8-b7".to_owned()));
}

#[test]
fn who_cannot_move_has_lost_and_it_is_a_draw_if_nobody_can() {
    let game = game(&[]);
    let rows = ["fb........", EMPTY, EMPTY, EMPTY, "M.XX..XX..", "r.XX..XX..", EMPTY, EMPTY, EMPTY, "F........."];
    let end = played(&game, board(&game, rows, "w"), "a6xa5");
    assert_eq!((game.turn(&end), game.score(&end, 0)), (Turn::Over, UNIT));
    assert_eq!(game.read(&game.write(&end)), Ok(end));
    let rows = ["fb........", EMPTY, EMPTY, EMPTY, "M.XX..XX..", "m.XX..XX..", EMPTY, EMPTY, EMPTY, "F........."];
    let end = played(&game, board(&game, rows, "w"), "a6xa5");
    assert_eq!((game.turn(&end), game.score(&end, 0), game.score(&end, 1)), (Turn::Over, 0, 0));
}

#[test]
fn a_game_without_captures_is_a_draw_after_a_while() {
    let game = game(&[("quiet", Value::Integer(4))]);
    let end = played(&game, game.start(), "b4-b5 b7-b6 f4-f5 f7-f6");
    assert_eq!((game.turn(&end), game.score(&end, 0)), (Turn::Over, 0));
    assert!(game.read_move(&end, "i4-i5").is_err());
}

#[test]
fn the_flag_is_worth_the_game() {
    let game = game(&[]);
    let rows = ["f........p", "M.........", EMPTY, EMPTY, LAKES, LAKES, EMPTY, EMPTY, EMPTY, "F........."];
    let end = played(&game, board(&game, rows, "w"), "a9xa10");
    assert_eq!((game.turn(&end), game.score(&end, 0), game.score(&end, 1)), (Turn::Over, UNIT, -UNIT));
    assert_eq!(game.read(&game.write(&end)), Ok(end));
    // nothing is hidden any more
    assert_eq!(game.view(&end, 0), game.write(&end));
}

#[test]
fn a_free_set_up_is_placed_square_by_square_and_hidden() {
    let game = game(&[("white", word("free")), ("black", word("free"))]);
    let start = game.start();
    assert_eq!((game.turn(&start), listed(&game, &start).len()), (Turn::Player(0), 12));
    let placed = played(&game, start, "F B");
    assert!(game.write(&placed).contains("/FB........ w places"), "{}", game.write(&placed));
    assert!(!listed(&game, &placed).contains(&"F".to_owned()));
    assert!(game.view(&placed, 1).contains("/UU........ w places belief=b/"), "{}", game.view(&placed, 1));
    assert_eq!(listed(&game, &game.belief(&placed, 1)), ["?"]);
    let mut position = start;
    for setup in ["schadd-white", "schadd-black"] {
        for rank in setups::setup(setup).unwrap() {
            assert!(listed(&game, &position).contains(&rank::SIGNS[usize::from(rank)].to_string()));
            game.play(&mut position, Move::from(rank));
        }
    }
    assert_eq!(position, self::game(&[]).start());
}

#[test]
fn the_evaluation_has_the_material_of_the_table() {
    let game = game(&[]);
    let start = game.start();
    assert_eq!(game.evaluate(&start, 0), 0);
    // an army that has been seen: 3,280 without the Flag
    let rows = [
        "f.........",
        EMPTY,
        EMPTY,
        ".........r",
        LAKES,
        LAKES,
        "TLRCTLJPLT",
        "PTNTLTPGBT",
        "BRSMNBCRJP",
        "FBNJBRBNTN",
    ];
    let seen: Vec<String> = (0..40).map(notation::name).collect();
    let position = board(&game, rows, &format!("w seen={},j7", seen.join(",")));
    // Black has no Bomb and no Marshal left: Miners and the Spy are worth 10
    let expected = 3_280 - 5 * 90 - 90 - 20;
    assert_eq!(game.value_for(&position, 0), expected);
    assert_eq!(game.evaluate(&position, 0), UNIT - 1);
    // unseen pieces are worth three tenths more
    let hidden = board(&game, rows, "w seen=j7");
    assert_eq!(game.value_for(&hidden, 0), expected + (expected + 20) * 3 / 10);
}

#[test]
fn a_capture_that_is_about_to_happen_counts_for_the_player_to_move() {
    let game = game(&[]);
    let rows = [
        "f.........",
        EMPTY,
        EMPTY,
        ".........t",
        "M.XX..XX..",
        "g.XX..XX..",
        EMPTY,
        EMPTY,
        "N.........",
        "F.........",
    ];
    let value = |side: &str| game.value_for(&board(&game, rows, &format!("{side} seen=a5,a6")), 0);
    assert_eq!(value("w") - value("b"), 300);
}

#[test]
fn quiet_moves_cost_the_searching_player_half_a_point_each() {
    let game = game(&[]);
    let start = game.belief(&game.start(), 0);
    let later = played(&game, start, "b4-b5 b7-b6 b5-b4 b6-b7");
    assert_eq!(game.evaluate(&later, 0), -2);
    assert_eq!(ARMY.iter().map(|&n| u32::from(n)).sum::<u32>(), 40);
}

#[test]
fn texts_that_are_no_positions_are_refused() {
    let game = game(&[]);
    let grid = FIGURE.trim_end_matches(" w");
    for (text, reason) in [
        (grid.to_owned(), "missing"),
        (format!("{grid} x"), "w or b"),
        (format!("{} w", grid.replace('X', ".")), "write X"),
        (format!("{} w", grid.replacen('M', "G", 1)), "at most 1 of 2"),
        (format!("{} w", grid.replacen('M', "U", 1)), "unknown"),
        (format!("{} w", grid.replacen('f', ".", 1)), "won already"),
        (format!("{grid} w moved=a1"), "never move"),
        (format!("{grid} w moved=a5"), "is empty"),
        (format!("{grid} w moved=c5"), "lake"),
        (format!("{grid} w quiet=x"), "number"),
        (format!("{grid} w trail=a4-a5/"), "no trail"),
        (format!("{grid} w chase=0/-/"), "no chase"),
        (format!("{grid} w battle=a4-a7"), "no attack"),
        (format!("{grid} w places"), "White's until"),
        (format!("{grid} w what=1"), "no word"),
    ] {
        let bad = game.read(&text).unwrap_err().0;
        assert!(bad.contains(reason), "{text}: {bad}");
    }
}
