//! Hearts: sizes of trees, values, options, and what players know.

use std::collections::HashMap;

use kibitz_game::{Draw, Evaluate, Game, Hidden, Random, Score, Turn};

use super::*;
use crate::tricks::counting::{after, dealt, game, max_n, mean_size, moves, nodes, reached};

type Deal = (&'static str, [Score; 3], &'static [[Score; 3]], [u64; 2]);

/// Three players' open hands, in which A leads, the points without and with the moon, and the nodes without and with
/// equivalent cards.
const DEALS: [Deal; 4] = [
    ("KC JD 7H / KS KH TH / QS JS JH", [0, 14, 3], &[[2, 15, 0], [14, 3, 0]], [604, 568]),
    ("AS QS TH / QC KH QH / JS AH 8H", [0, 15, 3], &[[0, 15, 3]], [332, 172]),
    ("AS KS JS KH / AD JD JH 5H / JC QS TH 3H", [3, 0, 15], &[[0, 18, 18]], [7899, 954]),
    ("QC AD KS KH / KC JS 7H 5H / JC QS 9H 3H", [16, 2, 0], &[[0, 18, 18]], [3625, 1820]),
];

fn open(more: &[(&str, &str)]) -> Hearts {
    game(&[&[("players", "3"), ("hands", "open")], more].concat())
}

/// The points that everybody takes if all play as maxⁿ says.
fn points_of(game: &Hearts, hands: &str) -> Vec<Score> {
    let position = game.read(&format!("{hands}; lead A")).unwrap();
    let all = in_deal(&position) as Score;
    max_n(game, &position).into_iter().map(|utility| all - utility).collect()
}

#[test]
fn the_trees_of_four_deals_have_the_known_sizes() {
    let every = open(&[("equivalent", "false")]);
    let merged = open(&[]);
    for (hands, _, _, sizes) in DEALS {
        for (game, size) in [&every, &merged].into_iter().zip(sizes) {
            let position = game.read(&format!("{hands}; lead A")).unwrap();
            assert_eq!(nodes(game, &position, &mut HashMap::new()), size, "{hands}");
        }
    }
}

#[test]
fn four_deals_have_the_known_values_without_and_with_the_moon() {
    for equivalent in ["true", "false"] {
        let plain = open(&[("moon", "false"), ("equivalent", equivalent)]);
        let moon = open(&[("equivalent", equivalent)]);
        for (hands, without, with, _) in DEALS {
            assert_eq!(points_of(&plain, hands), without, "{hands}");
            let found = points_of(&moon, hands);
            assert!(with.iter().any(|points| found == points), "{hands}: {found:?}");
        }
    }
}

/// The published means are 51.9 and 74.4 million nodes, with standard deviations of 77 and 132 million, over 1,500 deals.
#[test]
fn the_mean_sizes_of_trees_are_within_three_standard_errors() {
    for (deck, mean, deviation) in [("no-queen", 51.9e6, 77e6), ("reduced", 74.4e6, 132e6)] {
        let game = open(&[("deck", deck)]);
        let deals = 25u32;
        let (found, _) = mean_size(&game, u64::from(deals));
        let error = deviation * (1.0 / f64::from(deals) + 1.0 / 1500.0f64).sqrt();
        assert!((found - mean).abs() < 3.0 * error, "{deck}: {found:.0} and {mean:.0} ± {error:.0}");
    }
}

#[test]
fn the_decks_of_the_paper_have_21_cards_and_26_or_13_points() {
    for (deck, points_in_play) in [("reduced", 26), ("no-queen", 13)] {
        let game = open(&[("deck", deck)]);
        let position = dealt(&game, 1);
        assert_eq!(position.left().count(), 21);
        assert_eq!(in_deal(&position), points_in_play);
        assert_eq!(game.greatest_sum(), Some(i64::from(2 * points_in_play as Score * UNIT)));
    }
    assert_eq!(open(&[]).setup.cards, 17);
    assert_eq!(game::<Rules>(&[]).setup.cards, 13);
}

#[test]
fn bounds_hold_and_the_upper_one_never_rises() {
    for moon in ["true", "false"] {
        let game = open(&[("deck", "reduced"), ("moon", moon)]);
        for seed in 0..300 {
            let mut line = vec![dealt(&game, seed)];
            let mut random = Random::new(seed);
            while game.turn(line.last().unwrap()) != Turn::Over {
                let position = *line.last().unwrap();
                let legal = moves(&game, &position);
                line.push(after(&game, &position, legal[random.below(legal.len())]));
            }
            let end = line.pop().unwrap();
            for player in 0..3 {
                let score = game.score(&end, player);
                let mut last = game.range(player).high;
                for position in &line {
                    let bounds = game.bounds(position, player);
                    assert!((bounds.low..=bounds.high).contains(&score), "{}", game.write(position));
                    assert!(bounds.high <= last);
                    last = bounds.high;
                }
            }
            let sum: i64 = (0..3).map(|player| i64::from(game.score(&end, player))).sum();
            assert!(sum <= game.greatest_sum().unwrap());
        }
    }
}

#[test]
fn the_lead_counts_totals() {
    let game = open(&[("utility", "lead"), ("totals", "10-30-20")]);
    let over = game.read("- / - / -; lead A; taken 5 0 8").unwrap();
    let leads = |game: &Hearts| [0, 1, 2].map(|player| game.score(&over, player) / UNIT);
    // 15, 30 and 28 points
    assert_eq!(leads(&game), [13, -15, -13]);
    let mixed = open(&[("types", "1-2-1"), ("totals", "10-30-20")]);
    assert_eq!(leads(&mixed), [8, -15, 5]);
    assert_eq!(mixed.greatest_sum(), None);
}

#[test]
fn hearts_are_led_when_they_are_broken() {
    let game = open(&[("breaking", "hearts")]);
    let names = |game: &Hearts, text: &str| {
        let position = game.read(text).unwrap();
        moves(game, &position).into_iter().map(|mv| game.write_move(&position, mv)).collect::<Vec<_>>()
    };
    assert_eq!(names(&game, "KH 2C / 3H 3C / 4H 4C; lead A"), ["2C"]);
    assert_eq!(names(&game, "KH 2C / 3H 3C / 4H 4C; lead A; broken"), ["2C", "KH"]);
    assert_eq!(names(&game, "KH 2H / 3H 3C / 4H 4C; lead A"), ["2H", "KH"]);
    assert_eq!(names(&open(&[]), "KH 2C / 3H 3C / 4H 4C; lead A"), ["2C", "KH"]);
    let position = game.read("QS 2C / 3H 3D / 4H 4C; lead A; trick AS").unwrap_err();
    assert!(position.0.contains("as many cards"), "{position}");
    let thrown = game.read("5C 2C / 3H 3D / 4H 4C; lead C").unwrap();
    let thrown = after(&game, &thrown, game.read_move(&thrown, "4C").unwrap());
    let thrown = after(&game, &thrown, game.read_move(&thrown, "5C").unwrap());
    let heart = after(&game, &thrown, game.read_move(&thrown, "3H").unwrap());
    let diamond = after(&game, &thrown, game.read_move(&thrown, "3D").unwrap());
    assert!(game.write(&heart).contains("broken") && !game.write(&diamond).contains("broken"));
}

#[test]
fn the_lowest_club_is_led_and_no_points_fall_on_it() {
    let game = game::<Rules>(&[("opening", "club"), ("first", "clean"), ("equivalent", "false")]);
    for seed in 0..50 {
        let position = dealt(&game, seed);
        let Turn::Player(leader) = game.turn(&position) else { panic!("somebody leads") };
        assert!(position.hands[usize::from(leader)] & of(CLUBS, "2") != 0);
        assert_eq!(moves(&game, &position), [0]);
        let mut position = after(&game, &position, 0);
        while position.on_table() != 0 {
            let Turn::Player(mover) = game.turn(&position) else { panic!("somebody plays") };
            let legal = moves(&game, &position);
            let only_points = position.hands[usize::from(mover)] & !(suit(HEARTS) | QUEEN) == 0;
            assert!(only_points || legal.iter().all(|&mv| points(1 << mv) == 0));
            position = after(&game, &position, legal[0]);
        }
    }
}

#[test]
fn three_cards_are_passed_on() {
    for (passing, to) in [("left", 1), ("across", 2), ("right", 3)] {
        let game = game::<Rules>(&[("passing", passing)]);
        let before = dealt(&game, 3);
        let mut position = before;
        let mut chosen = [0u64; 4];
        for player in 0..4 {
            for _ in 0..3 {
                assert_eq!(game.turn(&position), Turn::Player(player));
                let mv = moves(&game, &position)[0];
                chosen[usize::from(player)] |= 1 << mv;
                position = after(&game, &position, mv);
            }
        }
        for player in 0..4 {
            let from = (player + 4 - to) % 4;
            let kept = before.hands[player] & !chosen[player];
            assert_eq!(position.hands[player], kept | chosen[from]);
        }
    }
}

#[test]
fn a_guess_keeps_what_a_player_has_seen() {
    let game = game::<Rules>(&[("passing", "left"), ("opening", "club")]);
    let mut random = Random::new(2);
    let (mut differ, mut kept) = (0, 0);
    for seed in 0..200 {
        let position = reached(&game, seed, 12 + seed as u32 % 40);
        for player in 0..4 {
            let guess = game.guess(&position, player, &mut random);
            assert_eq!(game.view(&guess, player), game.view(&position, player));
            assert_eq!(guess.hands[player], position.hands[player]);
            assert_eq!(guess.left(), position.left(), "the whole deck is dealt");
            if game.turn(&position) == Turn::Player(player as u8) {
                assert_eq!(moves(&game, &guess), moves(&game, &position));
            }
            let read = game.read(&game.write(&guess));
            assert_eq!(read, Ok(guess), "void suits stay void");
            differ += u32::from(guess != position);
            kept += 1;
        }
    }
    assert!(differ * 4 > kept, "guesses are not the truth: {differ} of {kept}");
}

#[test]
fn what_one_has_passed_on_is_where_it_went() {
    let game = game::<Rules>(&[("passing", "left")]);
    let mut random = Random::new(2);
    let mut position = dealt(&game, 8);
    let given: u64 = moves(&game, &position)[..3].iter().fold(0, |set, &mv| set | 1 << mv);
    while position.stage == crate::tricks::Stage::Pass {
        position = after(&game, &position, moves(&game, &position)[0]);
    }
    for _ in 0..50 {
        assert_eq!(game.guess(&position, 0, &mut random).hands[1] & given, given);
    }
    let others = (0..50).filter(|_| game.guess(&position, 3, &mut random).hands[1] & given == given);
    assert!(others.count() < 10, "player D does not know");
}

#[test]
fn equivalent_cards_depend_on_nothing_that_a_player_cannot_see() {
    let game = game::<Rules>(&[("players", "3"), ("cards", "5")]);
    let mut random = Random::new(4);
    for seed in 0..300 {
        let position = reached(&game, seed, seed as u32 % 14);
        let Turn::Player(player) = game.turn(&position) else { continue };
        for _ in 0..5 {
            let guess = game.guess(&position, usize::from(player), &mut random);
            assert_eq!(moves(&game, &guess), moves(&game, &position), "{}", game.write(&position));
        }
    }
}

#[test]
fn pictures_show_hands_and_the_trick() {
    let game = open(&[]);
    let position = game.read("KC JD / KS KH TH / QS JS JH; lead A; trick 7H; taken 0 0 4").unwrap();
    let board = game.board(&position);
    assert!(board.starts_with("A  ♠- ♥- ♦J ♣K  took 0\nB  ♠K ♥KT ♦- ♣-  took 0\n"), "{board}");
    assert!(board.ends_with("A: 7♥  B to play"), "{board}");
    let picture = game.svg(&position);
    assert_eq!(picture.matches("rx=\"4\"").count(), 9);
    assert!(picture.contains(">10<") && picture.contains(">♥<"));
    assert!(
        game.svg_of_move(&position, game.read_move(&position, "KH").unwrap()).unwrap().contains("stroke-width=\"4\"")
    );
}

#[test]
fn what_is_wrong_with_a_position_is_said() {
    let game = game::<Rules>(&[("players", "3")]);
    let bad = |text: &str| game.read(text).unwrap_err().0;
    assert!(bad("AS / KS / QS").contains("lead"));
    assert!(bad("AS / KS; lead A").contains("2 hands for 3 players"));
    assert!(bad("AS / KS / AS; lead A").contains("AS is there twice"));
    assert!(bad("AS / KS / 2D; lead A").contains("not in this deck"));
    assert!(bad("AS / KS / QS; lead D").contains("one of ABC"));
    assert!(bad("AS / KS / QX; lead A").contains("not a card"));
    assert!(bad("AS KS / QS / JS; lead A").contains("as many cards"));
    assert!(bad("AS / KS / 3H; lead A; void - - H").contains("void"));
    assert!(bad("AS / KS / 3H; lead A; taken 20 6 0").contains("more has been taken"));
    assert!(bad("AS / KS / 3H; lead A; bids 1 1 1").contains("nobody bids"));
    assert!(bad("AS / KS / 3H; pass A").contains("17 cards"));
}

#[test]
fn every_card_that_may_be_played_is_clicked_for_one_move() {
    let every: Hearts = game(&[("equivalent", "false")]);
    let merged: Hearts = game(&[]);
    let clicked = |game: &Hearts, position: &Position| {
        let ways = moves(game, position).into_iter().flat_map(|mv| game.clicks(position, mv, &[]));
        let mut cards: Vec<String> = ways.flatten().collect();
        cards.sort();
        cards
    };
    let mut joined = 0;
    for seed in 0..400 {
        let position = reached(&every, seed, seed as u32 % 52);
        let Turn::Player(_) = every.turn(&position) else { continue };
        assert_eq!(clicked(&merged, &position), clicked(&every, &position), "{}", every.write(&position));
        joined += usize::from(moves(&merged, &position).len() < moves(&every, &position).len());
    }
    assert!(joined > 10);
}
