use std::collections::HashMap;

use super::*;
use kibitz_game::{Value, Wide};

fn configured<B: Bits>(given: &[(&str, Value)]) -> Result<Dice<B>, BadParameter> {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    Dice::configure(&Params::complete(&Dice::<B>::parameters(), given)?)
}

fn game(size: i64, full: &str) -> Dice {
    configured(&[("size", Value::Integer(size)), ("full", Value::Word(full.to_owned()))]).unwrap()
}

fn after(game: &Dice, moves: &str) -> Position<u64> {
    moves.split(' ').fold(game.start(), |mut position, text| {
        let mv = game.read_move(&position, text).unwrap_or_else(|bad| panic!("{text}: {bad}"));
        game.play(&mut position, mv);
        position
    })
}

fn listed(game: &Dice, position: &Position<u64>) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| game.write_move(position, mv)).collect()
}

/// What C wins with best play of both, by trying everything once. `name` gives positions of equal value the same name.
fn solve(
    game: &Dice,
    position: &Position<u64>,
    name: &impl Fn(&Position<u64>) -> u64,
    known: &mut HashMap<u64, f64>,
) -> f64 {
    if game.turn(position) == Turn::Over {
        return f64::from(game.score(position, 0)) / f64::from(UNIT);
    }
    let place = name(position);
    if let Some(&value) = known.get(&place) {
        return value;
    }
    // two players who pass are back where they were, so the values of both turns are two linear equations
    let (own, passes) = moving(game, position, name, known);
    let value = if passes == 0.0 {
        own
    } else {
        let other = Position { turn: 1 - position.turn, ..*position };
        let (then, again) = moving(game, &other, name, known);
        (own + passes * then) / (1.0 - passes * again)
    };
    known.insert(place, value);
    value
}

/// What C wins on average when the player to move need not pass, times the probability of that; and the probability of a pass.
fn moving(
    game: &Dice,
    position: &Position<u64>,
    name: &impl Fn(&Position<u64>) -> u64,
    known: &mut HashMap<u64, f64>,
) -> (f64, f64) {
    let (mut sum, mut passes) = (0.0, 0.0);
    let (mut dice, mut cells) = (Vec::new(), Vec::new());
    game.moves(position, &mut dice);
    for die in dice {
        let probability = game.probability(position, die);
        let mut rolled = *position;
        game.play(&mut rolled, die);
        if rolled.die == FULL {
            passes = probability;
            continue;
        }
        cells.clear();
        game.moves(&rolled, &mut cells);
        let values = cells.iter().map(|&cell| {
            let mut child = rolled;
            game.play(&mut child, cell);
            solve(game, &child, name, known)
        });
        sum += probability * if position.turn == 0 { values.fold(-1.0, f64::max) } else { values.fold(1.0, f64::min) };
    }
    (sum, passes)
}

fn solved(size: i64, full: &str) -> f64 {
    let game = game(size, full);
    solve(&game, &game.start(), &|position| game.key(position), &mut HashMap::new())
}

#[test]
fn two_by_two_and_three_by_three_have_the_published_values() {
    // test vectors 7 and 8, exact fractions of a second program
    for (size, full, value) in
        [(2, "reroll", 1.0), (2, "pass", 0.5), (3, "reroll", 6079.0 / 17496.0), (3, "pass", 392_411.0 / 1_469_664.0)]
    {
        let found = solved(size, full);
        assert!((found - value).abs() < 1e-13, "{size} {full}: {found}, expected {value}");
    }
}

/// The cells of one player on four by four cells as 16 bits.
fn compact(checkers: u64) -> u16 {
    (0..4).fold(0, |set, row| set | (checkers >> (5 * row) & 15) << (4 * row)) as u16
}

/// For each of the symmetries that keep rows, columns and long diagonals the images of all sets of cells. They are the permutations
/// that commute with reversal, on rows and columns alike, and the reversal of columns alone.
fn images() -> Vec<Vec<u16>> {
    let mut images = Vec::new();
    for order in 0..256 {
        let to = [order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6];
        let permutation = (0..4).all(|place| to.contains(&place)) && (0..4).all(|place| to[place] + to[3 - place] == 3);
        for reversed in [false, true].into_iter().filter(|_| permutation) {
            let image = |cell: usize| {
                let col = to[cell % 4];
                1u16 << (to[cell / 4] * 4 + if reversed { 3 - col } else { col })
            };
            let mut sets = vec![0; 1 << 16];
            for set in 1..sets.len() {
                sets[set] = sets[set & (set - 1)] | image(set.trailing_zeros() as usize);
            }
            images.push(sets);
        }
    }
    images
}

/// The least of the images of a position.
fn representative(position: &Position<u64>, images: &[Vec<u16>]) -> u64 {
    let [c, r] = position.checkers.map(|checkers| usize::from(compact(checkers)));
    images.iter().map(|sets| u64::from(sets[c]) << 16 | u64::from(sets[r])).min().unwrap_or(0)
}

/// The same from the full board backwards, without symmetry and without the rules of the game above: values by the number of
/// checkers, one for each way to place them.
fn backwards_four_by_four() -> f64 {
    let lines: Vec<u16> = (0..4).flat_map(|n| [0xf << (4 * n), 0x1111 << n]).chain([0x8421, 0x1248]).collect();
    let has_line = |set: u16| lines.iter().any(|&line| !set & line == 0);
    // the number of a set among those of the same size
    let mut counts = [0u32; 17];
    let rank: Vec<u32> = (0..=u16::MAX)
        .map(|set| {
            let count = &mut counts[set.count_ones() as usize];
            *count += 1;
            *count - 1
        })
        .collect();
    let choose = |n: u32, k: u32| (0..k).fold(1u32, |ways, i| ways * (n - i) / (i + 1));
    let mut offsets = Vec::with_capacity(1 << 16);
    let mut size = 0;
    for occupied in 0..=u16::MAX {
        offsets.push(size);
        let n = occupied.count_ones();
        size += choose(n, n.div_ceil(2));
    }
    let mut values = vec![0.0f64; size as usize];
    let place = |c: u16, r: u16| {
        let occupied = c | r;
        let packed = u64::from(c).gather(u64::from(occupied));
        (offsets[usize::from(occupied)] + rank[packed as usize]) as usize
    };
    for n in (0..16u32).rev() {
        for occupied in (0..=u16::MAX).filter(|occupied| occupied.count_ones() == n) {
            for packed in (0..1u64 << n).filter(|packed| packed.count_ones() == n.div_ceil(2)) {
                let c = u64::scatter(packed, u64::from(occupied)) as u16;
                let r = occupied & !c;
                let first = n % 2 == 0;
                let last = if first { r } else { c };
                if has_line(last) {
                    values[place(c, r)] = if first { -1.0 } else { 1.0 };
                    continue;
                }
                let (mut sum, mut open) = (0.0, 0);
                for line in 0..4 {
                    let cells = if first { 0x1111 << line } else { 0xf << (4 * line) } & !occupied;
                    if cells == 0 {
                        continue;
                    }
                    let value = |cell: u16| {
                        let (c, r) = if first { (c | cell, r) } else { (c, r | cell) };
                        let own = if first { c } else { r };
                        match has_line(own) {
                            true if first => 1.0,
                            true => -1.0,
                            false => values[place(c, r)],
                        }
                    };
                    let found = (0..16).map(|cell| 1u16 << cell).filter(|cell| cells & cell != 0).map(value);
                    sum += if first { found.fold(-1.0, f64::max) } else { found.fold(1.0, f64::min) };
                    open += 1;
                }
                values[place(c, r)] = sum / f64::from(open);
            }
        }
    }
    values[place(0, 0)]
}

#[test]
fn four_by_four_has_one_value_forwards_with_symmetry_and_backwards_without() {
    let game = game(4, "reroll");
    let images = images();
    assert_eq!(images.len(), 16);
    let mut known = HashMap::new();
    let forwards = solve(&game, &game.start(), &|position| representative(position, &images), &mut known);
    let backwards = backwards_four_by_four();
    assert!((forwards - backwards).abs() < 1e-12, "{forwards} and {backwards} after {} positions", known.len());
    assert!((forwards - FOUR_BY_FOUR).abs() < 1e-9, "{forwards}");
}

/// The value that both found when this was written.
const FOUR_BY_FOUR: f64 = 0.084_453_522_729_776;

#[test]
fn every_number_of_the_die_is_equally_likely_and_leaves_as_many_cells() {
    for size in 2..=7 {
        let game = game(size, "reroll");
        let start = game.start();
        assert_eq!(listed(&game, &start), (1..=size).map(|n| n.to_string()).collect::<Vec<_>>());
        for die in 0..size as Move {
            assert!((game.probability(&start, die) - 1.0 / size as f64).abs() < 1e-15);
            let mut rolled = start;
            game.play(&mut rolled, die);
            assert_eq!(listed(&game, &rolled).len(), size as usize);
        }
    }
}

#[test]
fn the_die_names_columns_for_c_and_rows_for_r() {
    let game = game(3, "reroll");
    let position = after(&game, "2 2:b3 3");
    assert_eq!(game.write(&position), ".C./.../... R 3");
    assert_eq!(listed(&game, &position), ["3:a3", "3:c3"]);
    assert_eq!(game.board(&position).lines().last(), Some("R has rolled 3"));
}

#[test]
fn a_full_line_is_rolled_again_or_passed() {
    let (again, pass) = (game(3, "reroll"), game(3, "pass"));
    let position = again.read("C../R../C.R C").unwrap();
    assert_eq!(listed(&again, &position), ["2", "3"]);
    assert!((again.probability(&position, 1) - 0.5).abs() < 1e-15);
    let mut position = pass.read("C../R../C.R C").unwrap();
    assert_eq!(listed(&pass, &position), ["2", "3", "full"]);
    assert!((pass.probability(&position, Move::from(FULL)) - 1.0 / 3.0).abs() < 1e-15);
    pass.play(&mut position, Move::from(FULL));
    assert_eq!(
        (pass.write(&position).as_str(), listed(&pass, &position)),
        ("C../R../C.R C full", vec!["pass".to_owned()])
    );
    pass.play(&mut position, PASS);
    assert_eq!(pass.write(&position), "C../R../C.R R");
}

#[test]
fn a_row_wins_and_blocked_lines_are_a_draw() {
    let game = game(3, "reroll");
    let won = after(&game, "1 1:a1 2 2:a2 2 2:b1 3 3:a3 3 3:c1");
    assert_eq!((game.turn(&won), game.score(&won, 0), game.score(&won, 1)), (Turn::Over, UNIT, -UNIT));
    assert!(game.read_move(&won, "1").is_err());
    // every line has both colours although two cells are empty
    let drawn = game.read("CRC/CRR/RC. C").unwrap();
    assert_eq!((game.turn(&drawn), game.score(&drawn, 0)), (Turn::Over, 0));
}

#[test]
fn shorter_lines_win_on_larger_boards() {
    let game: Dice<Wide<4>> = configured(&[("size", Value::Integer(11)), ("k", Value::Integer(2))]).unwrap();
    let mut position = game.start();
    for text in ["4", "4:d2", "1", "1:a1", "5", "5:e3"] {
        let mv = game.read_move(&position, text).unwrap();
        game.play(&mut position, mv);
    }
    assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, UNIT));
    for (size, k) in [(11, 12), (5, 1)] {
        assert!(configured::<Wide<4>>(&[("size", Value::Integer(size)), ("k", Value::Integer(k))]).is_err());
    }
}

#[test]
fn the_evaluation_counts_the_share_of_open_lines() {
    let game = game(3, "reroll");
    let value = |text: &str| game.evaluate(&game.read(text).unwrap(), 0);
    // four lines through the middle; R blocks one of them, and C one of the two through R's cell
    assert_eq!(value(".../.C./... R"), 1_000);
    assert_eq!(value(".R./.C./... C"), 750 - 500);
    assert_eq!(value("R../.C./... C"), 750 - 667);
}

#[test]
fn noise_is_the_same_whenever_a_position_is_asked_for() {
    let noisy = |seed| configured::<u64>(&[("noise", Value::Integer(100)), ("seed", Value::Integer(seed))]).unwrap();
    let (plain, one, two) = (game(5, "reroll"), noisy(1), noisy(2));
    let position = after(&plain, "1 1:a1 2 2:b2 3");
    let difference = |game: &Dice| game.evaluate(&position, 0) - plain.evaluate(&position, 0);
    assert!((-100..=100).contains(&difference(&one)));
    assert_eq!(difference(&one), difference(&one));
    assert_ne!(difference(&one), difference(&two));
}

#[test]
fn texts_that_are_no_positions_are_refused() {
    let game = game(3, "reroll");
    for (text, reason) in [
        (".../.../...", "missing"),
        (".../.../... X", "C or R"),
        ("C../.../... C", "checkers"),
        (".../.../... C 4", "from 1 to 3"),
        (".../.../... C full", "full=pass"),
        ("C../R../C.R C 1", "line 1 is full"),
        (".../.../... C 1 1", "after the die"),
        ("CCC/RR./R.. C", "has a line already"),
        ("CCC/RR./R.. R", "C has 3"),
    ] {
        let bad = game.read(text).unwrap_err().0;
        assert!(bad.contains(reason), "{text}: {bad}");
    }
}
