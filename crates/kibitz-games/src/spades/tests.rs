//! Spades: sizes of trees, values, bids and scores.

use std::collections::HashMap;

use kibitz_game::{Evaluate, Game, Random, Score, Turn};

use super::*;
use crate::tricks::counting::{after, dealt, game, max_n, mean_size, moves, nodes};

/// Three players' open hands, in which A leads, the tricks of everybody, and the nodes without and with equivalent cards.
const DEALS: [(&str, [Score; 3], [u64; 2]); 4] = [
    ("5C AS QS / QC JH 5H / AC KH TH", [2, 0, 1], [580, 225]),
    ("TD TS 2S / JD 2D 9H / 6C AD 7S", [2, 0, 1], [255, 247]),
    ("2D TH 9H 6H / 9C 6C JD JH / TD 6D 4S 3S", [0, 1, 3], [7241, 198]),
    ("KD KS 3S 2S / TS 8S KH 9H / 7D 4D 3D 8H", [3, 1, 0], [16477, 418]),
];

fn open(more: &[(&str, &str)]) -> Spades {
    game(&[&[("players", "3"), ("hands", "open"), ("utility", "tricks")], more].concat())
}

#[test]
fn the_trees_of_four_deals_have_the_known_sizes_and_values() {
    for (equivalent, column) in [("false", 0), ("true", 1)] {
        let game = open(&[("equivalent", equivalent)]);
        for (hands, tricks, sizes) in DEALS {
            let position = game.read(&format!("{hands}; lead A")).unwrap();
            assert_eq!(nodes(&game, &position, &mut HashMap::new()), sizes[column], "{hands}");
            assert_eq!(max_n(&game, &position), tricks, "{hands}");
        }
    }
}

/// The published mean is 105 million nodes with a standard deviation of 223 million over 1,500 deals; with spades that must be broken
/// 38 and 91 million.
#[test]
fn the_mean_sizes_of_trees_are_within_three_standard_errors() {
    for (breaking, mean, deviation) in [("false", 105e6, 223e6), ("true", 38e6, 91e6)] {
        let game = open(&[("deck", "short"), ("breaking", breaking)]);
        let deals = 25u32;
        let (found, _) = mean_size(&game, u64::from(deals));
        let error = deviation * (1.0 / f64::from(deals) + 1.0 / 1500.0f64).sqrt();
        assert!((found - mean).abs() < 3.0 * error, "{breaking}: {found:.0} and {mean:.0} ± {error:.0}");
    }
}

#[test]
fn tricks_add_up_and_bounds_hold() {
    let game = open(&[("deck", "short")]);
    assert_eq!(game.greatest_sum(), Some(i64::from(8 * UNIT)));
    for seed in 0..300 {
        let (mut position, mut random) = (dealt(&game, seed), Random::new(seed));
        let mut line = Vec::new();
        while game.turn(&position) != Turn::Over {
            line.push(position);
            let legal = moves(&game, &position);
            position = after(&game, &position, legal[random.below(legal.len())]);
        }
        let scores = [0, 1, 2].map(|player| game.score(&position, player));
        assert_eq!(scores.iter().sum::<Score>(), 8 * UNIT);
        for (player, score) in scores.into_iter().enumerate() {
            let mut last = game.range(player).high;
            for passed in &line {
                let bounds = game.bounds(passed, player);
                assert!((bounds.low..=bounds.high).contains(&score) && bounds.high <= last);
                last = bounds.high;
            }
        }
    }
}

#[test]
fn the_highest_spade_takes_the_trick() {
    let game = open(&[]);
    let taker = |text: &str| {
        let position = game.read(text).unwrap();
        let end = after(&game, &position, moves(&game, &position)[0]);
        (0..3).find(|&player| game.score(&end, player) > 0)
    };
    assert_eq!(taker("- / - / 3H; lead A; trick KH AH"), Some(1));
    assert_eq!(taker("- / - / 2S; lead A; trick KH AH"), Some(2));
    assert_eq!(taker("- / - / AD; lead A; trick KH 2H"), Some(0));
    assert_eq!(taker("- / - / 3S; lead A; trick KH 5S"), Some(1));
}

#[test]
fn a_bid_that_is_made_brings_ten_points_a_trick_and_overtricks_cost_in_the_end() {
    let score = |more: &[(&str, &str)], taken: &str, player: usize| {
        let game: Spades = game(&[&[("hands", "open")], more].concat());
        let dashes = vec!["-"; game.players()].join(" / ");
        let position = game.read(&format!("{dashes}; lead A; taken {taken}")).unwrap();
        game.score(&position, player) / UNIT
    };
    let three = [("players", "3"), ("bids", "3-2-1")];
    assert_eq!(score(&three, "3 1 4", 0), 30);
    assert_eq!(score(&three, "3 1 4", 1), -20);
    assert_eq!(score(&three, "3 1 4", 2), 13);
    let wanting = [("players", "3"), ("bids", "3-2-1"), ("utility", "overtricks")];
    assert_eq!([0, 1, 2].map(|player| score(&wanting, "3 1 4", player)), [100, -1, 97]);
    let mixed = [("players", "3"), ("bids", "3-2-1"), ("types", "1-2-3")];
    assert_eq!([0, 1, 2].map(|player| score(&mixed, "3 1 4", player)), [3, -1, 13]);
    let bags = [("players", "3"), ("bids", "3-2-1"), ("bags", "0-0-7")];
    assert_eq!(score(&bags, "3 1 4", 2), 13 - 100);
    let four = [("bids", "3-4-3-2")];
    assert_eq!([0, 1, 2, 3].map(|player| score(&four, "5 2 2 4", player)), [61, 60, 61, 60]);
    let nil = [("bids", "0-4-3-2"), ("nil", "true")];
    assert_eq!([0, 1].map(|player| score(&nil, "0 5 4 4", player)), [100 + 31, 63]);
    assert_eq!(score(&nil, "1 5 3 4", 0), -100 + 31);
}

#[test]
fn everybody_bids_and_partners_no_more_than_there_are_tricks() {
    let game: Spades = game(&[]);
    let mut position = dealt(&game, 1);
    for (player, bid, options) in [(0, "9", 13), (1, "2", 13), (2, "4", 5), (3, "1", 11)] {
        assert_eq!(game.turn(&position), Turn::Player(player));
        let legal = moves(&game, &position);
        // with nine bid by the partner there are one to four left
        assert_eq!(legal.len(), if player == 2 { 4 } else { options }, "player {player}");
        position = after(&game, &position, game.read_move(&position, bid).unwrap());
    }
    assert_eq!(game.turn(&position), Turn::Player(0));
    assert!(game.write(&position).ends_with("; lead A; bids 9 2 4 1"));
    let mut bid = dealt(&game, 2);
    bid = after(&game, &bid, game.read_move(&bid, "13").unwrap());
    bid = after(&game, &bid, game.read_move(&bid, "1").unwrap());
    assert_eq!(moves(&game, &bid).len(), 1, "nothing is left to bid");
}

#[test]
fn spades_are_led_when_they_are_broken() {
    let game = open(&[("breaking", "true"), ("equivalent", "false")]);
    let count = |text: &str| moves(&game, &game.read(text).unwrap()).len();
    assert_eq!(count("KS 3C / 3S 4C / 4S 5C; lead A"), 1);
    assert_eq!(count("KS 3C / 3S 4C / 4S 5C; lead A; broken"), 2);
    assert_eq!(count("KS 2S / 3S 4C / 4S 5C; lead A"), 2);
}

#[test]
fn given_bids_are_checked() {
    let refused = |given: &[(&str, &str)]| {
        let given = given.iter().map(|&(name, text)| (name.to_owned(), kibitz_game::Value::Word(text.to_owned())));
        let params = Params::complete(&<Spades as kibitz_game::Configure>::parameters(), given).unwrap();
        <Spades as kibitz_game::Configure>::configure(&params).unwrap_err().0
    };
    assert!(refused(&[("bids", "14-1-1-1")]).contains("more than the 13 tricks"));
    assert!(refused(&[("bids", "4-1")]).contains("one for each"));
}
