//! `SameGame` against counts, optima and games from elsewhere; the data are the files in `samegame/`.

use std::collections::HashMap;
use std::path::Path;

use kibitz_game::{Configure, Draw, Evaluate, Game, Params, Playout, Puzzle, Random, Turn, Value};
use kibitz_games::SameGame;

type Position = <SameGame as Game>::Position;

fn game(given: &[(&str, i64)]) -> SameGame {
    let given = given.iter().map(|&(name, number)| (name.to_owned(), Value::Integer(number)));
    SameGame::configure(&Params::complete(&SameGame::parameters(), given).unwrap()).unwrap()
}

fn with_penalty(given: &[(&str, i64)], penalty: &str) -> SameGame {
    let numbers = given.iter().map(|&(name, number)| (name.to_owned(), Value::Integer(number)));
    let given = numbers.chain([("penalty".to_owned(), Value::Word(penalty.to_owned()))]);
    SameGame::configure(&Params::complete(&SameGame::parameters(), given).unwrap()).unwrap()
}

/// The game on a board of this size.
fn board(text: &str, colours: i64) -> (SameGame, Position) {
    let rows: Vec<&str> = text.split('/').collect();
    let game = game(&[("rows", rows.len() as i64), ("cols", rows[0].len() as i64), ("colours", colours)]);
    let position = game.read(text).unwrap();
    (game, position)
}

/// The fields of the lines of a file.
fn data(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samegame").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines: Vec<Vec<String>> =
        lines.map(|line| line.split('|').map(|field| field.trim().to_owned()).collect()).collect();
    assert!(!lines.is_empty());
    lines
}

fn numbers(field: &str) -> Vec<i64> {
    field.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

fn moves(game: &SameGame, position: &Position) -> Vec<u16> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// Plays the move of a text and returns the points it made.
fn play(game: &SameGame, position: &mut Position, text: &str) -> i32 {
    let before = game.gained(position);
    let mv = game.read_move(position, text).unwrap_or_else(|bad| panic!("{text}: {bad}"));
    game.play(position, mv);
    game.gained(position) - before
}

/// The columns of a position from the left, each from the bottom.
fn columns(game: &SameGame, position: &Position) -> Vec<String> {
    let text = game.write(position);
    let rows: Vec<&[u8]> = text.split(' ').next().unwrap().split('/').map(str::as_bytes).collect();
    let column = |col: usize| rows.iter().rev().map(|row| row[col] as char).filter(|&cell| cell != '.').collect();
    (0..rows[0].len()).map(column).filter(|column: &String| !column.is_empty()).collect()
}

#[test]
fn the_standard_positions_have_the_counts_of_the_literature() {
    let all = data("standard.txt");
    assert_eq!(all.len(), 20);
    for fields in all {
        let position = numbers(&fields[0])[0];
        let game = game(&[("position", position)]);
        let start = game.start();
        let sizes: Vec<i64> = moves(&game, &start)
            .into_iter()
            .map(|mv| {
                let mut child = start;
                game.play(&mut child, mv);
                2 + f64::from(game.gained(&child)).sqrt() as i64
            })
            .collect();
        let counted = [sizes.len() as i64, *sizes.iter().max().unwrap(), sizes.iter().sum()];
        assert_eq!(counted.to_vec(), fields[1..4].iter().flat_map(|field| numbers(field)).collect::<Vec<_>>());
        let text = game.write(&start);
        let blocks = |digit: char| text.split(' ').next().unwrap().matches(digit).count() as i64;
        assert_eq!(('0'..='4').map(blocks).collect::<Vec<_>>(), numbers(&fields[4]), "position {position}");
    }
}

/// Greatest and least final score and complete games from a position, of which the points made are taken off.
fn exhaust(game: &SameGame, position: &Position, known: &mut HashMap<u64, (i64, i64, u64)>) -> (i64, i64, u64) {
    let made = i64::from(game.gained(position));
    if let Some(&(most, least, games)) = known.get(&game.remainder(position)) {
        return (most + made, least + made, games);
    }
    let found = if game.turn(position) == Turn::Over {
        let score = i64::from(game.score(position, 0));
        (score, score, 1)
    } else {
        let mut found = (i64::MIN, i64::MAX, 0);
        for mv in moves(game, position) {
            let mut child = *position;
            game.play(&mut child, mv);
            let (most, least, games) = exhaust(game, &child, known);
            found = (found.0.max(most), found.1.min(least), found.2 + games);
        }
        let bounds = game.bounds(position, 0);
        assert!(i64::from(bounds.low) <= found.1 && found.0 <= i64::from(bounds.high), "{}", game.write(position));
        found
    };
    known.insert(game.remainder(position), (found.0 - made, found.1 - made, found.2));
    found
}

#[test]
fn small_boards_have_the_known_optima_games_and_positions() {
    for fields in data("optima.txt") {
        let (game, start) = board(&fields[0], numbers(&fields[1])[0]);
        let mut known = HashMap::new();
        let (most, least, games) = exhaust(&game, &start, &mut known);
        assert_eq!(moves(&game, &start).len() as i64, numbers(&fields[2])[0], "{}", fields[0]);
        assert_eq!(vec![most, least], numbers(&fields[3]), "{}", fields[0]);
        assert_eq!(
            (games as i64, known.len() as i64),
            (numbers(&fields[4])[0], numbers(&fields[5])[0]),
            "{}",
            fields[0]
        );
    }
}

#[test]
fn the_worked_example_is_replayed() {
    let (game, mut position) = board("EA.../DCCD./CBBAD/CCBCE", 5);
    assert_eq!(exhaust(&game, &position, &mut HashMap::new()), (16, 0, 9));
    assert_eq!(moves(&game, &position).len(), 3);
    for (text, points, after) in [
        ("1,1", 1, "2234 220 2 203 43"),
        ("0,0", 16, "34 0 03 43"),
        ("1,0", 0, "34 3 43"),
        ("0,0", 0, "4 43"),
        ("0,0", 0, "3"),
    ] {
        assert_eq!(play(&game, &mut position, text), points, "{text}");
        assert_eq!(columns(&game, &position).join(" "), after, "{text}");
    }
    assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, 16));
}

#[test]
fn an_optimal_line_makes_the_optimum() {
    let (game, mut position) = board("BCAAC/CBBAB/AACCB/BCCCB/ABCBC", 3);
    for text in ["0,2", "4,1", "1,1", "0,2", "0,1", "0,0"] {
        play(&game, &mut position, text);
    }
    assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, 1057));
}

#[test]
fn complete_games_on_the_standard_set_have_their_scores() {
    for fields in data("games.txt") {
        let game = game(&[("position", numbers(&fields[0])[0])]);
        let mut position = game.start();
        let made: i32 = fields[2].split(' ').map(|text| play(&game, &mut position, text)).sum();
        assert_eq!(game.turn(&position), Turn::Over);
        let score = game.score(&position, 0);
        assert_eq!((i64::from(score), made + 1000), (numbers(&fields[1])[0], score));
    }
}

#[test]
fn the_groups_of_a_complete_game_have_their_sizes() {
    let sizes = "2 4 5 2 2 2 2 3 2 2 3 3 2 2 3 3 2 2 2 2 2 2 4 2 2 3 5 3 2 5 3 5 2 3 4 2 2 2 8 2 4 2 2 5 4 3 2 2 5 2 3 2 2 2 \
                 25 3 2 3 3 3 2 2 2 3 3 2 2 3 3 2 3 2 2 2";
    let game = game(&[("position", 1)]);
    let mut position = game.start();
    let line = &data("games.txt")[0][2];
    for (text, size) in line.split(' ').zip(sizes.split_whitespace()) {
        let before = game.progress(&position).unwrap();
        play(&game, &mut position, text);
        assert_eq!((game.progress(&position).unwrap() - before).to_string(), size, "{text}");
    }
}

#[test]
fn every_final_score_has_the_parity_of_the_number_of_blocks() {
    let mut random = Random::new(3);
    let mut buffer = Vec::new();
    for seed in 0..300 {
        let (rows, cols) = (1 + random.below(16) as i64, 1 + random.below(20) as i64);
        let game = game(&[("rows", rows), ("cols", cols), ("colours", 1 + seed % 9), ("seed", seed)]);
        let mut position = game.start();
        game.playout(&mut position, &mut random, &mut buffer, u32::MAX);
        assert_eq!(i64::from(game.score(&position, 0)).rem_euclid(2), (rows * cols) % 2, "{rows} {cols} {seed}");
    }
}

#[test]
fn the_penalty_is_a_matter_of_the_rules() {
    // three blocks of the first colour, two of the second, one of the third, and no move
    let scores = ["literal", "singleton-free", "none"].map(|penalty| {
        let game = with_penalty(&[("rows", 2), ("cols", 3), ("colours", 3)], penalty);
        let position = game.read("010/102").unwrap();
        assert_eq!(game.turn(&position), Turn::Over);
        game.score(&position, 0)
    });
    assert_eq!(scores, [-2, -1, 0]);
    let game = with_penalty(&[("rows", 2), ("cols", 2), ("colours", 2)], "none");
    assert_eq!(game.score(&game.read("../.. 4").unwrap(), 0), 1004);
}

/// Mirrors a board from left to right; blocks have to be on all columns of the bottom row.
fn mirrored(text: &str) -> String {
    let (grid, points) = text.split_once(' ').unwrap();
    let rows: Vec<String> = grid.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {points}", rows.join("/"))
}

#[test]
fn a_game_and_its_mirror_image_make_the_same_points() {
    for seed in 0..20 {
        let game = game(&[("rows", 9), ("cols", 7), ("colours", 4), ("seed", seed)]);
        let mut position = game.start();
        let mut mirror = game.read(&mirrored(&game.write(&position))).unwrap();
        let mut random = Random::new(seed as u64);
        let mut buffer = Vec::new();
        while game.turn(&position) != Turn::Over {
            let mv = game.random_move(&position, &mut random, &mut buffer);
            let text = game.write_move(&position, mv);
            let (col, row) = text.split_once(',').unwrap();
            // the columns that are left stand at the left on both boards
            let other = columns(&game, &position).len() - 1 - col.parse::<usize>().unwrap();
            assert_eq!(
                play(&game, &mut mirror, &format!("{other},{row}")),
                play(&game, &mut position, &text),
                "{}",
                game.write(&position)
            );
        }
        assert_eq!(game.score(&position, 0), game.score(&mirror, 0));
    }
}

#[test]
fn any_block_of_a_group_names_it() {
    let game = game(&[("position", 6)]);
    let start = game.start();
    let mut named = 0;
    for (col, row) in (0..15).flat_map(|col| (0..15).map(move |row| (col, row))) {
        if let Ok(mv) = game.read_move(&start, &format!("{col},{row}")) {
            named += 1;
            assert!(moves(&game, &start).contains(&mv));
        }
    }
    assert_eq!(named, 144);
}

#[test]
fn wrong_positions_and_moves_say_what_is_wrong() {
    let game = game(&[("rows", 3), ("cols", 4), ("colours", 3)]);
    for (text, reason) in [
        ("0.../..../1... 0", "0,2 has nothing below"),
        ("..../..../0.1. 0", "left of 2,0 is empty"),
        ("..../..../0123 0", "'3' is not a cell"),
        ("..../..../0B12 0", "digits or letters"),
        ("..../..../0121 37", "from 0 to 36"),
        ("..../..../0121 -1", "from 0 to 36"),
        ("0120/0120/0120 1", "0 blocks less make a number from 0 to 0"),
        ("0120/0120 0", "2 rows, expected 3"),
        ("", "0 cells"),
    ] {
        let bad = game.read(text).unwrap_err().0;
        assert!(bad.contains(reason), "{text}: {bad}");
    }
    let position = game.read("..../00../0121 3").unwrap();
    for (text, reason) in [
        ("0", "such as"),
        ("4,0", "such as 0,0 or 3,2"),
        ("3,1", "3,1 is not a legal move here: there is no block"),
        ("3,0", "no neighbour"),
        ("٣,0", "such as"),
    ] {
        let bad = game.read_move(&position, text).unwrap_err().0;
        assert!(bad.contains(reason), "{text}: {bad}");
    }
    assert!(game.read_move(&game.read("..../..../0121").unwrap(), "0,0").unwrap_err().0.contains("over"));
    assert_eq!(game.read("..../AA../ABCB 3"), Ok(position));
}

#[test]
fn the_example_of_the_rules_is_a_position() {
    let text =
        SameGame::RULES.split("**Positions**").nth(1).unwrap().split('`').find(|part| part.contains('/')).unwrap();
    let game = game(&[("rows", 3), ("cols", 4), ("colours", 3)]);
    assert_eq!(game.read(text).map(|position| game.write(&position)), Ok(text.to_owned()));
}

#[test]
fn positions_of_the_test_set_have_one_size() {
    let given = [("position".to_owned(), Value::Integer(3)), ("rows".to_owned(), Value::Integer(10))];
    let bad = SameGame::configure(&Params::complete(&SameGame::parameters(), given).unwrap()).unwrap_err();
    assert!(bad.0.contains("15 rows, 15 columns and 5 colours, not 10, 15 and 5"), "{bad}");
}

/// The mean score and length of playouts from random boards, one each, with the standard errors.
fn statistics(strategy: &str, epsilon: f64, games: i64) -> [(f64, f64); 2] {
    let (mut random, mut buffer, mut line) = (Random::new(7), Vec::new(), Vec::new());
    let mut sums = [[0.0; 2]; 2];
    for seed in 0..games {
        let game = game(&[("seed", seed)]);
        let strategy = game.strategies().iter().position(|&name| name == strategy).unwrap_or(usize::MAX);
        let mut position = game.start();
        line.clear();
        let plies =
            game.play_strategically(strategy, epsilon, &mut position, &mut random, &mut buffer, &mut line, u32::MAX);
        for (sum, value) in sums.iter_mut().zip([f64::from(game.score(&position, 0)), f64::from(plies)]) {
            sum[0] += value;
            sum[1] += value * value;
        }
    }
    let n = games as f64;
    sums.map(|[sum, squares]| (sum / n, ((squares / n - (sum / n).powi(2)) / n).sqrt()))
}

#[test]
fn strategies_have_the_means_of_independent_programs() {
    for (strategy, epsilon, score, length) in [
        ("random", 0.0, 107.2, 64.38),
        ("tabu-random", 0.0, 332.3, 62.60),
        ("tabu-color-random", 0.0, 489.9, 61.92),
        // always a random move
        ("tabu-color-random", 1.0, 107.2, 64.38),
    ] {
        let [(mean, error), (plies, of_plies)] = statistics(strategy, epsilon, 4000);
        assert!((mean - score).abs() < 5.0 * error, "{strategy}: {mean} ± {error}, not {score}");
        assert!((plies - length).abs() < 5.0 * of_plies, "{strategy}: {plies} ± {of_plies}, not {length}");
    }
    let [(often, error), _] = statistics("tabu-color-random", 0.2, 4000);
    assert!(often + 5.0 * error < 489.9 && often - 5.0 * error > 107.2, "{often}");
}

#[test]
fn the_tabu_colour_waits_while_there_is_another_move() {
    let game = game(&[("rows", 3), ("cols", 4), ("colours", 3)]);
    let names = game.strategies();
    let preferred = |text: &str, strategy: &str| {
        let position = game.read(text).unwrap();
        let strategy = names.iter().position(|&name| name == strategy).unwrap();
        let plan = game.plan(strategy, &position, &mut Random::new(1));
        let mut out = Vec::new();
        game.preferred(strategy, plan, &position, &mut out);
        out.into_iter().map(|mv| game.write_move(&position, mv)).collect::<Vec<_>>().join(" ")
    };
    // most blocks are 0, in two groups
    let two = "00../00../0110";
    assert_eq!(preferred(two, "tabu-color-random"), "1,0");
    assert_eq!(preferred(two, "tabu-color-clear"), "1,0");
    // in one group
    let one = "00../00../0011";
    assert_eq!(preferred(one, "tabu-color-random"), "2,0");
    assert_eq!(preferred(one, "tabu-color-clear"), "0,0 2,0");
    // nothing else to play
    for strategy in names {
        assert_eq!(preferred("0.../00../0012", strategy), "0,0");
    }
    assert_eq!(preferred("0.../01../0120", "tabu-color-random"), "1,0");
    assert_eq!(preferred("0.../01../0120", "tabu-color-clear"), "1,0");
}

/// The potential of that name.
fn potential(game: &SameGame, position: &Position, name: &str) -> f64 {
    game.potential(position, game.potentials().iter().position(|&known| known == name).unwrap())
}

#[test]
fn potentials_are_what_the_rules_say() {
    let game = game(&[("rows", 4), ("cols", 4), ("colours", 3)]);
    // 0: four together and one alone; 1: two together; 2: one alone
    let position = game.read("0.../0.../01../0120 9").unwrap();
    assert_eq!(potential(&game, &position, "groups"), 9.0 + 4.0 + 0.0);
    assert_eq!(potential(&game, &position, "bound"), 9.0 + 9.0 + 0.0 - 1.0);
    assert_eq!(potential(&game, &position, "concentration"), 9.0 + 0.0 - 5.0 + 9.0 * 17.0 / 25.0);
    assert_eq!(f64::from(game.evaluate(&position, 0)), (9.0f64 - 5.0 + 9.0 * 17.0 / 25.0).trunc());
    // blocks as one group, pairs, single blocks, runs of columns, runs of one column; what is left of 2 cannot be removed
    let kept = 0.774 * 9.0 + 13.7 * 3.0 - 10.9 - 2.27 * 2.0 - 15.7 * 2.0;
    let one = 6.26 - 16.6 - 8.55 + 15.5;
    let two = -0.0226 - 15.1 - 16.6 - 8.55 + 15.5 - 306.0;
    assert!((potential(&game, &position, "gathering") - (9.0 + kept + one + two)).abs() < 1e-9);
    // 0 and 1 in either order, then 0 and 2 alone
    assert_eq!(potential(&game, &position, "playout"), 9.0 + 4.0 - 2.0);
}

#[test]
fn potentials_by_playouts_depend_on_the_position_alone() {
    let game = game(&[("position", 4)]);
    let start = game.start();
    let [one, best] = ["playout", "playouts"].map(|name| potential(&game, &start, name));
    assert_eq!([one, best], ["playout", "playouts"].map(|name| potential(&game, &start, name)));
    assert!(best >= one && best > game.range(0).low.into());
}

#[test]
fn codes_tell_groups_apart_and_know_them_again() {
    let game = game(&[("rows", 2), ("cols", 4), ("colours", 3)]);
    let code = |text: &str, mv: &str| {
        let position = game.read(text).unwrap();
        game.code(&position, game.read_move(&position, mv).unwrap())
    };
    assert_eq!(code("0011/0022", "0,0"), code("0022/0011", "1,1"));
    assert_ne!(code("0011/0022", "0,0"), code("0011/0122", "0,0"));
    assert_ne!(code("0011/0022", "0,0"), code("1100/1122", "0,0"));
    assert_ne!(code("0011/0022", "2,0"), code("0011/0022", "2,1"));
}

#[test]
fn what_is_left_does_not_depend_on_the_points_made() {
    let game = game(&[("rows", 2), ("cols", 4), ("colours", 3)]);
    let [one, other] = ["..../0011 0", "..../0011 4"].map(|text| game.read(text).unwrap());
    assert_eq!((game.remainder(&one), game.gained(&other) - game.gained(&one)), (game.remainder(&other), 4));
    assert_ne!(game.key(&one), game.key(&other));
}

#[test]
fn a_picture_of_a_line_numbers_blocks_where_they_began() {
    let (game, start) = board("A.A/ABA/BBA", 2);
    let mut position = start;
    let line: Vec<u16> = ["0,0", "0,0"]
        .map(|text| {
            let mv = game.read_move(&position, text).unwrap();
            game.play(&mut position, mv);
            mv
        })
        .to_vec();
    // the three B go first; then the five A have come together
    let picture = game.svg_of_line(&start, &line).unwrap();
    let numbers = picture.split("class=\"numbers\"").nth(1).unwrap().split("</g>").next().unwrap();
    assert_eq!((numbers.matches(">1<").count(), numbers.matches(">2<").count()), (3, 5));
    assert!(picture.contains("over, 1010 points"));
    // the lower left block is removed by the first move, the one above it by the second
    assert!(numbers.contains("x=\"41\" y=\"105\">1<") && numbers.contains("x=\"41\" y=\"75\">2<"), "{numbers}");
}

#[test]
fn a_picture_of_a_move_marks_its_group() {
    let (game, start) = board("A.A/ABA/BBA", 2);
    let mv = game.read_move(&start, "1,1").unwrap();
    let picture = game.svg_of_move(&start, mv).unwrap();
    let marked = picture.split("<path").find(|path| path.contains("class=\"move\"")).unwrap();
    assert_eq!(marked.matches('M').count(), 3);
    assert!(!game.svg(&start).contains("class=\"move\""));
}

/// Where each block that is left was at the beginning of the line: a board of origins on which the same moves are made, naively.
fn origins_after(game: &SameGame, start: &Position, line: &[u16]) -> Vec<Vec<u64>> {
    let mut origins: Vec<Vec<u64>> = columns(game, start)
        .iter()
        .enumerate()
        .map(|(c, column)| (0..column.len()).map(|r| (16 * c + r) as u64).collect())
        .collect();
    let mut position = *start;
    for &mv in line {
        let colours = columns(game, &position);
        let colour = |c: usize, r: usize| colours.get(c).and_then(|column| column.as_bytes().get(r)).copied();
        let first = (usize::from(mv) / 16, usize::from(mv) % 16);
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&(c, r)) = group.get(next) {
            next += 1;
            for beside in [(c.wrapping_sub(1), r), (c + 1, r), (c, r.wrapping_sub(1)), (c, r + 1)] {
                if colour(beside.0, beside.1) == colour(c, r) && !group.contains(&beside) {
                    group.push(beside);
                }
            }
        }
        for (c, column) in origins.iter_mut().enumerate() {
            let mut row = 0;
            column.retain(|_| {
                row += 1;
                !group.contains(&(c, row - 1))
            });
        }
        origins.retain(|column| !column.is_empty());
        game.play(&mut position, mv);
    }
    origins
}

#[test]
fn a_move_is_found_by_the_place_where_one_of_its_blocks_was() {
    let mut random = Random::new(7);
    for seed in 0..40 {
        let (rows, cols) = (1 + random.below(16) as i64, 1 + random.below(20) as i64);
        let game = game(&[("rows", rows), ("cols", cols), ("colours", 3), ("seed", seed)]);
        let start = game.start();
        let (mut position, mut line) = (start, Vec::new());
        let mut marks = vec![0; game.marks()];
        game.mark(&start, &mut marks);
        while game.turn(&position) != Turn::Over {
            let origins = origins_after(&game, &start, &line);
            let mv = game.random_move(&position, &mut random, &mut Vec::new());
            // the name is one of the blocks that the move removes
            let name = game.name(&position, &marks, mv, &mut random);
            let mut after = line.clone();
            after.push(mv);
            let left: Vec<u64> = origins_after(&game, &start, &after).concat();
            assert!(origins.concat().contains(&name) && !left.contains(&name));
            // and every block finds the move that removes it, or none
            for (c, column) in origins.iter().enumerate() {
                for (r, &origin) in column.iter().enumerate() {
                    let (mut there, mut kept) = (position, marks.clone());
                    let found = game.play_named(&mut there, &mut kept, origin, &mut Vec::new());
                    let expected = game.read_move(&position, &format!("{c},{r}")).ok();
                    assert_eq!(found, expected);
                    if let Some(mv) = found {
                        let mut played = position;
                        game.play(&mut played, mv);
                        assert_eq!(there, played);
                    } else {
                        assert!(there == position && kept == marks);
                    }
                }
            }
            game.play_marked(&mut position, &mut marks, mv);
            line.push(mv);
            for origin in (0..game.marks() as u64 * 64 - 64).filter(|origin| !left.contains(origin)) {
                assert_eq!(game.play_named(&mut position.clone(), &mut marks.clone(), origin, &mut Vec::new()), None);
            }
        }
    }
}

#[test]
fn coming_near_to_an_empty_board_counts_more_than_the_score_and_less_than_an_empty_one() {
    let (game, over) = board("01/10", 2);
    assert_eq!((game.score(&over, 0), game.near(&over)), (0, 960));
    let (game, mut empty) = board("00/00", 2);
    play(&game, &mut empty, "0,0");
    assert_eq!((game.score(&empty, 0), game.near(&empty)), (1004, 1004));
}
