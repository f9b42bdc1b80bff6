use super::*;
use kibitz_game::Draw;
use kibitz_game::Value;
use std::collections::HashSet;

fn configured(numbers: &[(&str, i64)], chance: &str) -> Result<RandomTree, BadParameter> {
    let numbers = numbers.iter().map(|&(name, number)| (name.to_owned(), Value::Integer(number)));
    let given = numbers.chain([("chance".to_owned(), Value::Word(chance.to_owned()))]);
    RandomTree::configure(&Params::complete(&RandomTree::parameters(), given)?)
}

fn tree(numbers: &[(&str, i64)], chance: &str) -> RandomTree {
    configured(numbers, chance).unwrap()
}

fn children(tree: &RandomTree, position: &Position) -> Vec<Position> {
    let mut moves = Vec::new();
    tree.moves(position, &mut moves);
    let child = |mv| {
        let mut child = *position;
        tree.play(&mut child, mv);
        child
    };
    moves.into_iter().map(child).collect()
}

fn minimax(tree: &RandomTree, position: &Position) -> Score {
    let values = children(tree, position).into_iter().map(|child| minimax(tree, &child));
    match tree.turn(position) {
        Turn::Player(0) => values.max().unwrap(),
        Turn::Player(_) => values.min().unwrap(),
        Turn::Over => tree.score(position, 0),
        Turn::Chance => unreachable!("no chance here"),
    }
}

/// All positions on a level, with repetitions.
fn level(tree: &RandomTree, level: u32) -> Vec<Position> {
    (0..level).fold(vec![tree.start()], |nodes, _| nodes.iter().flat_map(|node| children(tree, node)).collect())
}

fn sums(numbers: &[(&str, i64)]) -> Result<RandomTree, BadParameter> {
    let numbers = numbers.iter().map(|&(name, number)| (name.to_owned(), Value::Integer(number)));
    let given = numbers.chain([("leaves".to_owned(), Value::Word("sum".to_owned()))]);
    RandomTree::configure(&Params::complete(&RandomTree::parameters(), given)?)
}

#[test]
fn bounds_of_sums_hold_and_are_those_of_their_parents_or_tighter() {
    for (seed, players) in [(0, 1), (1, 2), (2, 2)] {
        let tree = sums(&[("width", 3), ("depth", 5), ("range", 80), ("seed", seed), ("players", players)]).unwrap();
        let mut leaves = HashSet::new();
        for parent in (0..5).flat_map(|depth| level(&tree, depth)) {
            for player in 0..tree.players() {
                let outer = tree.bounds(&parent, player);
                let value = minimax(&tree, &parent) * if player == 0 { 1 } else { -1 };
                assert!(players == 1 || outer.low <= value && value <= outer.high);
                for child in children(&tree, &parent) {
                    let over = tree.turn(&child) == Turn::Over;
                    let score = Range { low: tree.score(&child, player), high: tree.score(&child, player) };
                    let inner = if over { score } else { tree.bounds(&child, player) };
                    assert!(outer.low <= inner.low && inner.high <= outer.high);
                    assert_eq!(inner.high - inner.low, 16 * (4 - parent.level as Score));
                    if over {
                        leaves.insert(inner.low);
                    }
                }
            }
        }
        assert!(leaves.len() > 30, "{}", leaves.len());
    }
}

#[test]
fn sums_refuse_what_has_no_meaning() {
    for bad in [[("players", 3), ("depth", 4)], [("states", 9), ("depth", 4)], [("range", 3), ("depth", 4)]] {
        assert!(sums(&bad).is_err(), "{bad:?}");
    }
}

#[test]
fn the_trees_of_seed_0_have_the_values_of_the_reference() {
    let reference: [(i64, i64, &[Score]); 6] = [
        (2, 4, &[22, 46]),
        (3, 4, &[18, 18, 16]),
        (2, 14, &[29, 29]),
        (3, 10, &[22, 25, 25]),
        (4, 8, &[23, 21, 22, 22]),
        (5, 6, &[18, 17, 20, 20, 19]),
    ];
    for (width, depth, expected) in reference {
        let tree = tree(&[("width", width), ("depth", depth)], "none");
        let values: Vec<Score> = children(&tree, &tree.start()).iter().map(|child| minimax(&tree, child)).collect();
        assert_eq!(values, expected, "width {width}, depth {depth}");
        assert_eq!(Some(minimax(&tree, &tree.start())), expected.iter().copied().max());
    }
}

#[test]
fn the_first_leaves_of_seed_0_are_those_of_the_reference() {
    let tree = tree(&[("depth", 3)], "none");
    let leaves = level(&tree, 3);
    let scores = |player| leaves.iter().map(|leaf| tree.score(leaf, player)).collect::<Vec<Score>>();
    assert_eq!(scores(0), [7, 27, 64, 61, 22, 39, 23, 8]);
    assert_eq!(scores(1), [-7, -27, -64, -61, -22, -39, -23, -8]);
}

#[test]
fn every_seed_and_every_player_has_values_of_its_own() {
    let leaves = |seed, player| {
        let tree = tree(&[("depth", 6), ("seed", seed), ("players", 3)], "none");
        level(&tree, 6).iter().map(|leaf| tree.score(leaf, player)).collect::<Vec<Score>>()
    };
    let seeds = (0..50).chain([i64::MAX]);
    let all: HashSet<Vec<Score>> = seeds.flat_map(|seed| (0..3).map(move |player| leaves(seed, player))).collect();
    assert_eq!(all.len(), 51 * 3);
}

#[test]
fn leaves_take_every_value_of_the_range_about_equally_often() {
    for seed in [0, 1] {
        let tree = tree(&[("width", 10), ("depth", 4), ("range", 9), ("seed", seed)], "none");
        let mut counts = [0; 10];
        for leaf in level(&tree, 4) {
            counts[tree.score(&leaf, 0) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    }
}

#[test]
fn players_move_in_rotation_with_chance_between_them() {
    use Turn::{Chance, Over, Player};
    let turns = |players, chance| {
        let tree = tree(&[("depth", 4), ("players", players)], chance);
        (0..8).map_while(|n| tree.sizes.get(n).map(|_| tree.turn(&level(&tree, n as u32)[0]))).collect::<Vec<_>>()
    };
    assert_eq!(turns(1, "none"), [Player(0), Player(0), Player(0), Player(0), Over]);
    assert_eq!(turns(3, "none"), [Player(0), Player(1), Player(2), Player(0), Over]);
    assert_eq!(turns(2, "random"), [Player(0), Chance, Player(1), Chance, Player(0), Chance, Player(1), Over]);
}

#[test]
fn probabilities_are_positive_add_up_to_one_and_rule_the_samples() {
    for (events, chance) in [(1, "random"), (2, "random"), (5, "random"), (64, "random"), (7, "uniform")] {
        let tree = tree(&[("depth", 3), ("events", events)], chance);
        for node in level(&tree, 1).iter().chain(&level(&tree, 3)) {
            let probabilities: Vec<f64> = (0..events as Move).map(|e| tree.probability(node, e)).collect();
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(probabilities.iter().all(|&p| p > 0.0));
        }
        let (node, mut random) = (level(&tree, 1)[1], Random::new(1));
        let mut counts = vec![0; events as usize];
        for _ in 0..20_000 {
            counts[tree.sample(&node, &mut random, &mut Vec::new()) as usize] += 1;
        }
        for (event, count) in counts.into_iter().enumerate() {
            let expected = 20_000.0 * tree.probability(&node, event as Move);
            assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt() + 1.0);
        }
    }
}

#[test]
fn random_probabilities_differ_from_node_to_node() {
    let tree = tree(&[("depth", 4), ("width", 4), ("events", 3)], "random");
    let nodes = level(&tree, 1).into_iter().chain(level(&tree, 3));
    let different: HashSet<Vec<u32>> = nodes.map(|node| tree.weights(&node).collect()).collect();
    assert!(different.len() > 40, "{}", different.len());
}

#[test]
fn paths_meet_when_states_are_few_and_only_then() {
    let distinct = |states, depth| {
        let tree = tree(&[("width", 3), ("depth", 6), ("states", states)], "none");
        level(&tree, depth).iter().map(|node| tree.key(node)).collect::<HashSet<u64>>().len()
    };
    assert_eq!((0..7).map(|depth| distinct(0, depth)).collect::<Vec<_>>(), [1, 3, 9, 27, 81, 243, 729]);
    // the first levels are those of the tree, the others share forty positions
    assert_eq!((0..4).map(|depth| distinct(40, depth)).collect::<Vec<_>>(), [1, 3, 9, 27]);
    assert!((4..7).all(|depth| (25..=40).contains(&distinct(40, depth))));
    assert_eq!(distinct(1, 6), 1);
    assert_eq!(distinct(729, 6), 729);
}

#[test]
fn texts_of_positions_that_do_not_exist_are_rejected() {
    let tree = tree(&[("width", 3), ("depth", 4)], "none");
    for good in ["0:0", "1:2", "3:17", "4:80", " 4:80 "] {
        assert_eq!(tree.write(&tree.read(good).unwrap()), good.trim());
    }
    for bad in
        ["", "3", ":", "3:", ":3", "1:3", "4:81", "5:0", "-1:0", "+1:0", "1:2:3", "1:2:0:0", "1:99999999999999999999"]
    {
        assert!(tree.read(bad).is_err(), "{bad}");
    }
    assert!(tree.read("5:0").unwrap_err().0.contains("the leaves are on 4"));
}

#[test]
fn a_tree_that_is_too_large_needs_states() {
    assert!(configured(&[("width", 2), ("depth", 62)], "none").is_ok());
    assert!(configured(&[("width", 2), ("depth", 63)], "none").unwrap_err().0.contains("states"));
    assert!(configured(&[("width", 64), ("depth", 200), ("events", 64)], "uniform").is_err());
    let huge = tree(&[("width", 64), ("depth", 200), ("events", 64), ("states", 1 << 40)], "uniform");
    let (mut position, mut random) = (huge.start(), Random::new(1));
    assert_eq!(huge.playout(&mut position, &mut random, &mut Vec::new(), 1000), 399);
    assert_eq!(huge.read(&huge.write(&position)), Ok(position));
}

#[test]
fn the_picture_shows_the_path_and_the_value() {
    let tree = tree(&[("depth", 3)], "none");
    assert_eq!(tree.board(&tree.start()), "level 0 of 3\nposition 0 of 1\npath\nplayer 0 to move");
    let leaf = tree.read("3:5").unwrap();
    assert_eq!(tree.board(&leaf), "level 3 of 3\nposition 5 of 8\npath 1 0 1\nleaf 39");
}

#[test]
fn the_svg_picture_shows_children_values_and_few_of_many() {
    let small = tree(&[("depth", 3)], "none");
    let picture = |text: &str| small.svg(&small.read(text).unwrap());
    assert!(picture("0:0").contains(">level 0 of 3, player 0 to move<"));
    assert!(picture("2:2").contains(">22<") && picture("2:2").contains(">39<"));
    assert!(picture("3:5").contains(">39<") && picture("3:5").contains("scores 39, -39"));
    let wide = tree(&[("width", 64), ("depth", 6)], "random");
    let (mut position, mut random) = (wide.start(), Random::new(1));
    while wide.turn(&position) != Turn::Over {
        assert!(wide.svg(&position).len() < 12_000);
        let mv = wide.random_move(&position, &mut random, &mut Vec::new());
        wide.play(&mut position, mv);
    }
    let meeting = tree(&[("depth", 100), ("states", 40)], "none");
    assert!(meeting.svg(&meeting.read("99:39").unwrap()).contains("level 99 of 100"));
}

#[test]
fn the_rules_tell_how_the_leaves_are_made() {
    let t = |z: u64| {
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    };
    let s = |i: u64| t(i.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let m = |a: u64, b: u64| t(s(a) ^ b);
    for (seed, players) in [(0, 2), (1, 2), (0, 3), (7, 3)] {
        let tree = tree(&[("depth", 3), ("seed", seed), ("players", players)], "none");
        let seed = seed as u64;
        let leaves = level(&tree, 3);
        let scores: Vec<String> = leaves.iter().map(|leaf| tree.score(leaf, 0).to_string()).collect();
        assert!(seed == 7 || RULES.contains(&scores.join(" ")), "{}", scores.join(" "));
        for (i, leaf) in (0..).zip(&leaves) {
            let first = if seed == 0 { s(i) } else { s(m(seed, i)) };
            assert_eq!(tree.score(leaf, 0) as u64, first % 81);
            for p in 1..players as u64 * u64::from(players > 2) {
                assert_eq!(tree.score(leaf, p as usize) as u64, s(m(m(seed, p), i)) % 81);
            }
        }
    }
    let weighted = tree(&[("depth", 2), ("events", 20), ("seed", 5)], "random");
    let node = weighted.read("1:1").unwrap();
    let weight = |e: u64| (m(m(m(m(5, 1 << 32), 1), 1), e / 16) >> (4 * (e % 16)) & 15) as u32 + 1;
    assert!(weighted.weights(&node).eq((0..20).map(weight)));
    let meeting = tree(&[("depth", 4), ("states", 3), ("seed", 5)], "none");
    let child = children(&meeting, &meeting.read("2:2").unwrap())[1];
    assert_eq!(child.index, m(m(m(5, 1 << 33), 3), 5) % 3);
}

fn many(players: i64, words: &[(&str, &str)], range: i64) -> RandomTree {
    let numbers = [("width", 3), ("depth", 5), ("players", players), ("range", range), ("seed", 4)];
    let numbers = numbers.map(|(name, number)| (name.to_owned(), Value::Integer(number)));
    let words = words.iter().map(|&(name, word)| (name.to_owned(), Value::Word(word.to_owned())));
    let given = numbers.into_iter().chain(words);
    RandomTree::configure(&Params::complete(&RandomTree::parameters(), given).unwrap()).unwrap()
}

#[test]
fn the_scores_of_many_players_add_up_to_what_they_share() {
    for players in 3..=6 {
        let tree = many(players, &[("sums", "constant")], 20);
        let leaves = level(&tree, 5);
        let tuples: HashSet<Vec<Score>> =
            leaves.iter().map(|leaf| (0..tree.players()).map(|player| tree.score(leaf, player)).collect()).collect();
        assert!(tuples.iter().all(|tuple| tuple.iter().sum::<Score>() == 20 && tuple.iter().all(|&part| part >= 0)));
        assert!(tuples.len() > 100);
        assert!(tuples.iter().any(|tuple| tuple[0] > 8) && tuples.iter().any(|tuple| tuple[players as usize - 1] > 8));
        assert_eq!(tree.greatest_sum(), Some(20));
    }
    assert!(configured(&[("players", 2)], "none").is_ok());
    let two = [("sums".to_owned(), Value::Word("constant".to_owned()))];
    assert!(RandomTree::configure(&Params::complete(&RandomTree::parameters(), two).unwrap()).is_err());
}

#[test]
fn random_turns_are_those_of_all_players_on_every_level() {
    let tree = many(4, &[("turns", "random")], 20);
    for depth in 3..5 {
        let mut counts = [0; 4];
        for node in level(&tree, depth) {
            let Turn::Player(player) = tree.turn(&node) else { panic!("a player moves") };
            counts[usize::from(player)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}

#[test]
fn a_turn_that_is_given_away_leads_elsewhere_and_can_be_given_back() {
    let tree = many(3, &[], 20);
    let mut seen = HashSet::new();
    for player in 0..3 {
        let mut node = tree.read("3:7").unwrap();
        assert!(tree.give_turn(&mut node, player));
        assert_eq!(tree.turn(&node), Turn::Player(player as u8));
        assert_eq!(tree.read(&tree.write(&node)).unwrap(), node);
        seen.extend(children(&tree, &node).iter().map(|child| child.index));
        assert!(tree.give_turn(&mut node, 0));
        assert_eq!(node, tree.read("3:7").unwrap());
    }
    assert_eq!(seen.len(), 9, "every player has moves of his own");
    for bad in ["3:7:3", "3:7:", "5:0:1", "3:7:x"] {
        assert!(tree.read(bad).is_err(), "{bad}");
    }
}
