use std::collections::HashMap;

use kibitz_game::{Configure, Draw, Evaluate, Game, Params, Playout, Puzzle, Random, Turn, Value};

use super::Gaps;
use super::layout::Layout;

fn gaps(given: &[(&str, i64)], variant: &str) -> Gaps {
    let given = given.iter().map(|&(name, value)| (name.to_owned(), Value::Integer(value)));
    let given = given.chain([("variant".to_owned(), Value::Word(variant.to_owned()))]);
    Gaps::configure(&Params::complete(&Gaps::parameters(), given).unwrap()).unwrap()
}

fn moves(game: &Gaps, layout: &Layout) -> Vec<u16> {
    let mut moves = Vec::new();
    game.moves(layout, &mut moves);
    moves
}

fn after(game: &Gaps, layout: &Layout, mv: u16) -> Layout {
    let mut layout = *layout;
    game.play(&mut layout, mv);
    layout
}

/// All positions that can be reached, by key.
fn reachable(game: &Gaps) -> HashMap<u64, Layout> {
    let mut seen = HashMap::from([(game.key(&game.start()), game.start())]);
    let mut queue = vec![game.start()];
    while let Some(layout) = queue.pop() {
        for mv in moves(game, &layout) {
            let child = after(game, &layout, mv);
            let known = *seen.entry(game.key(&child)).or_insert_with(|| {
                queue.push(child);
                child
            });
            assert_eq!(known, child, "one key for two positions");
        }
    }
    seen
}

#[test]
fn a_deal_takes_the_aces_out() {
    let game = gaps(&[("ranks", 4), ("seed", 1)], "basic");
    assert_eq!(game.write(&game.start()).matches("--").count(), 4);
    let lines = game.board(&game.start());
    assert!(lines.starts_with("1  AS") && lines.contains("\n2  AH") && lines.contains("\n4  AC"), "{lines}");
}

#[test]
fn deals_have_as_many_positions_as_the_literature_says() {
    // ranks, seed, positions, whether the deal can be solved: own counts of a study of the paper
    let deals = [
        (4, 1, 23, false),
        (4, 2, 4, false),
        (4, 3, 33, false),
        (4, 4, 85, true),
        (4, 5, 36, false),
        (4, 6, 252, true),
        (4, 7, 109, true),
        (4, 8, 76, false),
        (4, 9, 239, true),
        (4, 10, 61, true),
        (7, 1, 592, false),
        (7, 2, 759, true),
        (7, 3, 41, false),
        (7, 4, 995, true),
        (13, 1, 19_854, false),
        (13, 4, 15, false),
        (13, 5, 28_852, false),
        (13, 6, 28_071, false),
        (13, 9, 12, false),
    ];
    for (ranks, seed, positions, solved) in deals {
        let game = gaps(&[("ranks", ranks), ("seed", seed)], "basic");
        let all = reachable(&game);
        assert_eq!(all.len(), positions, "{ranks} ranks, seed {seed}");
        let best = all.values().map(|layout| game.score(layout, 0)).max();
        assert_eq!(best == Some(game.range(0).high), solved, "{ranks} ranks, seed {seed}");
    }
}

#[test]
fn moves_commute_exactly_if_both_orders_are_legal_and_meet() {
    for variant in ["basic", "common"] {
        for seed in 0..300 {
            let game = gaps(&[("ranks", 5), ("seed", seed)], variant);
            let mut layout = game.start();
            game.playout(&mut layout, &mut Random::new(seed as u64), &mut Vec::new(), seed as u32 % 20);
            let listed = moves(&game, &layout);
            for &a in &listed {
                for &b in listed.iter().filter(|&&b| b != a) {
                    let (then_b, then_a) = (after(&game, &layout, a), after(&game, &layout, b));
                    let meet = moves(&game, &then_b).contains(&b)
                        && moves(&game, &then_a).contains(&a)
                        && after(&game, &then_b, b) == after(&game, &then_a, a);
                    assert_eq!(game.commute(&layout, a, b), meet, "{}: {a} {b}", game.write(&layout));
                }
            }
        }
    }
}

#[test]
fn a_card_in_its_place_stays_there_in_the_basic_variant() {
    for seed in 0..50 {
        let game = gaps(&[("seed", seed)], "basic");
        let (mut layout, mut random) = (game.start(), Random::new(1));
        let mut plies = 0;
        while game.turn(&layout) != Turn::Over {
            let placed = game.gained(&layout);
            let mv = game.random_move(&layout, &mut random, &mut Vec::new());
            game.play(&mut layout, mv);
            assert!(game.gained(&layout) >= placed);
            plies += 1;
        }
        assert!(plies <= 312 && game.score(&layout, 0) >= game.bounds(&layout, 0).low);
    }
}

#[test]
fn a_two_may_change_its_row_in_the_common_variant_and_come_back() {
    let game = gaps(&[("ranks", 3), ("plies", 0)], "common");
    let layout = game.read("2S 3H --/-- 3S 2H/-- 3D 2D/-- 3C 2C").unwrap();
    let play = |layout: &Layout, text: &str| after(&game, layout, game.read_move(layout, text).unwrap());
    // any two may go into any gap of the first column
    assert_eq!(moves(&game, &layout).len(), 12);
    let there = play(&layout, "2S-a2");
    assert_ne!(there, layout);
    assert_eq!(play(&there, "2S-a1"), layout);
    // twice is as good as once
    assert_eq!(play(&there, "2S-a3"), play(&layout, "2S-a3"));
    assert!(game.cycles());
}

#[test]
fn moves_that_are_counted_end_the_common_variant() {
    let game = gaps(&[("ranks", 3), ("plies", 7)], "common");
    let layout = game.read("2S 3H --/-- 3S 2H/-- 3D 2D/-- 3C 2C 0").unwrap();
    let mut end = layout;
    for i in 0..7 {
        assert_eq!(game.turn(&end), Turn::Player(0));
        let mv = game.read_move(&end, ["2S-a2", "2S-a1"][i % 2]).unwrap();
        game.play(&mut end, mv);
    }
    assert_eq!(game.turn(&end), Turn::Over);
    assert!(!game.cycles());
    assert_eq!(game.write(&end).rsplit_once(' ').unwrap().1, "7");
}

#[test]
fn a_solved_deal_is_over_and_has_all_cards_in_place() {
    let game = gaps(&[("ranks", 4)], "basic");
    let layout = game.read("AS 2S 3S 4S --/AH 2H 3H 4H --/AD 2D 3D 4D --/AC 2C 3C -- 4C").unwrap();
    let solved = after(&game, &layout, game.read_move(&layout, "4C-d4").unwrap());
    assert_eq!((game.turn(&solved), game.score(&solved, 0)), (Turn::Over, 1200));
    assert!(game.board(&solved).ends_with("12 of 12 cards in place; solved"));
    assert!(game.evaluate(&layout, 0) > 1100);
    let common = gaps(&[("ranks", 4), ("plies", 0)], "common");
    let rows_in_any_order = common.read("2H 3H 4H --/2S 3S 4S --/2C 3C 4C --/2D 3D 4D --").unwrap();
    assert_eq!((common.turn(&rows_in_any_order), common.score(&rows_in_any_order, 0)), (Turn::Over, 1200));
}

#[test]
fn a_bad_layout_says_what_is_wrong() {
    let game = gaps(&[("ranks", 3)], "basic");
    for (text, words) in [
        ("", "four rows"),
        ("AS 2S 3S --/AH 2H 3H --/AD 2D 3D --", "four rows"),
        ("AS 2S 3S/AH 2H 3H --/AD 2D 3D --/AC 2C 3C --", "row 1 has 3"),
        ("AH 2S 3S --/AS 2H 3H --/AD 2D 3D --/AC 2C 3C --", "begins with AS"),
        ("AS 2S 2S --/AH 2H 3H --/AD 2D 3D --/AC 2C 3C --", "2S is there 2 times"),
        ("AS 2S 4S --/AH 2H 3H --/AD 2D 3D --/AC 2C 3C --", "whose highest is 3"),
        ("AS 2X 3S --/AH 2H 3H --/AD 2D 3D --/AC 2C 3C --", "not a card"),
    ] {
        assert!(game.read(text).unwrap_err().0.contains(words), "{text}: {:?}", game.read(text));
    }
}
