//! The tables of Fanorona against published counts, and against an analysis that knows no ranks, symmetries or captures.

use std::collections::HashMap;
use std::ops::ControlFlow;

use kibitz_game::{Configure, Game, Params, Place, Ranked, Stop, Turn, Value, Wdl};
use kibitz_games::Fanorona;
use kibitz_solve::retrograde::{Family, Lower, Metric, Options, Tables, inconsistent, solve_all};

fn fanorona(params: &[(&str, Value)]) -> Fanorona<u64> {
    let given = params.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    let params = Params::complete(&Fanorona::<u64>::parameters(), given).expect("parameters that there are");
    Fanorona::configure(&params).expect("a board that fits")
}

fn board(rows: i64, cols: i64) -> Fanorona<u64> {
    fanorona(&[("rows", Value::Integer(rows)), ("cols", Value::Integer(cols))])
}

fn solved(game: &Fanorona<u64>, pieces: Option<u32>, options: &Options) -> Tables {
    solve_all(game, pieces, options, &mut |_| (), &Stop::new()).expect("nothing is in the way")
}

#[test]
fn tables_of_up_to_five_pieces_have_the_published_counts() {
    let game = board(5, 9);
    let tables = solved(&game, Some(5), &Options { threads: 2, ..Options::default() });
    let mut left = tables.iter().count();
    for line in include_str!("../data/fanorona-5x9.tables").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let numbers =
            |text: &str| -> Vec<u64> { text.split(' ').map(|count| count.parse().expect("a number")).collect() };
        let table =
            tables.iter().find(|table| game.slice_name(table.slice) == columns[0]).expect("the slice was solved");
        let of = |counts: [u64; 4]| vec![counts[3], counts[2], counts[1]];
        assert_eq!(of(table.counts.positions), numbers(columns[1]), "all positions of {}", columns[0]);
        assert_eq!(of(table.counts.classes), numbers(columns[2]), "classes of {}", columns[0]);
        let mut published = table.counts.classes;
        let _ = game.scan(table.slice, 0..game.size(table.slice), |rank, position| {
            if game.is_rotation_invariant(position) {
                published[usize::from(table.values.get(rank).bits())] -= 1;
            }
            ControlFlow::Continue(())
        });
        assert_eq!(of(published), numbers(columns[3]), "classes of {} but those that half a turn leaves", columns[0]);
        left -= 1;
    }
    assert_eq!(left, 0, "every slice has a line");
}

/// All positions with both sides on the board and at most so many pieces, by their text, with White to move.
fn all_positions(
    game: &Fanorona<u64>,
    rows: usize,
    cols: usize,
    pieces: usize,
) -> Vec<<Fanorona<u64> as Game>::Position> {
    let mut found = Vec::new();
    let points = rows * cols;
    for number in 0..3_u64.pow(points as u32) {
        let cells: Vec<char> =
            (0..points).map(|point| ['.', 'w', 'b'][(number / 3_u64.pow(point as u32) % 3) as usize]).collect();
        let taken = cells.iter().filter(|&&cell| cell != '.').count();
        if taken > pieces || taken == points || !cells.contains(&'w') || !cells.contains(&'b') {
            continue;
        }
        let text: Vec<String> = cells.chunks(cols).map(|row| row.iter().collect()).collect();
        found.push(game.read(&format!("{} w", text.join("/"))).expect("a position"));
    }
    found
}

/// The value of an end, with its distance.
fn ended(value: Wdl) -> (Wdl, u16) {
    (value, if value == Wdl::Draw { u16::MAX } else { 0 })
}

/// The values of positions and distances of their ends by definition, with both players' positions, from the rules alone.
fn plain_analysis(game: &Fanorona<u64>, positions: &[<Fanorona<u64> as Game>::Position]) -> HashMap<u64, (Wdl, u16)> {
    let mut values: HashMap<u64, (Wdl, u16)> = HashMap::new();
    let mut open = Vec::new();
    let mut moves = Vec::new();
    let mut turned: Vec<_> = positions.to_vec();
    // a text with the other side to move
    turned.extend(positions.iter().map(|position| {
        let text = game.write(position);
        game.read(&format!("{} b", text.trim_end_matches(" w"))).expect("a position")
    }));
    for position in &turned {
        let Turn::Player(player) = game.turn(position) else {
            let player = usize::from(game.write(position).ends_with('b'));
            values.insert(game.key(position), ended(Wdl::of_score(game.score(position, player))));
            continue;
        };
        moves.clear();
        game.moves(position, &mut moves);
        let children = moves.iter().map(|&mv| {
            let mut child = *position;
            game.play(&mut child, mv);
            if game.turn(&child) == Turn::Over {
                let value = Wdl::of_score(game.score(&child, 1 - usize::from(player)));
                values.insert(game.key(&child), ended(value));
            }
            game.key(&child)
        });
        open.push((game.key(position), children.collect::<Vec<u64>>()));
    }
    let mut step = 0;
    loop {
        step += 1;
        let mut found = Vec::new();
        open.retain(|(key, children)| {
            let known: Vec<Wdl> =
                children.iter().map(|child| values.get(child).map_or(Wdl::Unknown, |known| known.0)).collect();
            if known.contains(&Wdl::Loss) {
                found.push((*key, (Wdl::Win, step)));
            } else if known.iter().all(|&value| value == Wdl::Win) {
                found.push((*key, (Wdl::Loss, step)));
            } else {
                return true;
            }
            false
        });
        if found.is_empty() {
            break;
        }
        values.extend(found);
    }
    values.extend(open.into_iter().map(|(key, _)| (key, (Wdl::Draw, u16::MAX))));
    values
}

#[test]
fn small_boards_have_the_values_and_distances_of_a_plain_analysis() {
    let cases = [
        (board(3, 3), 3, 3, 8),
        (board(3, 5), 3, 5, 4),
        (
            fanorona(&[
                ("rows", Value::Integer(3)),
                ("cols", Value::Integer(3)),
                ("stalemate", Value::Word("draw".into())),
            ]),
            3,
            3,
            8,
        ),
    ];
    for (game, rows, cols, pieces) in cases {
        let options = Options { metric: Some(Metric::Win), ..Options::default() };
        let tables = solved(&game, Some(pieces), &options);
        let positions = all_positions(&game, rows, cols, pieces as usize);
        let truth = plain_analysis(&game, &positions);
        let mut seen = [0; 4];
        for position in &positions {
            let place = game.place(position).expect("all of them have a place");
            assert_eq!(
                (tables.value(place), tables.distance(place)),
                truth[&game.key(position)],
                "{}",
                game.write(position)
            );
            seen[usize::from(tables.value(place).bits())] += 1;
        }
        assert_eq!(tables.counts().positions, seen, "raw counts count every position");
    }
}

#[test]
fn all_algorithms_make_the_same_tables() {
    let game = board(5, 5);
    let place = |table: &kibitz_solve::retrograde::Table, rank| Place { slice: table.slice, rank };
    for metric in [None, Some(Metric::Win), Some(Metric::Conversion)] {
        let first = solved(&game, Some(4), &Options { metric, ..Options::default() });
        for family in Family::ALL {
            let tables = solved(&game, Some(4), &Options { family, metric, threads: 2, ..Options::default() });
            assert_eq!(tables.counts(), first.counts(), "{family:?}");
            for table in tables.iter() {
                for rank in 0..game.size(table.slice) {
                    let place = place(table, rank);
                    assert_eq!(tables.value(place), first.value(place), "{family:?}");
                    assert_eq!(tables.distance(place), first.distance(place), "{family:?}");
                }
            }
        }
        for table in first.iter() {
            let wrong = inconsistent(&game, table.slice, &first, metric, 2, &mut |_| (), &Stop::new());
            assert_eq!(wrong, Ok(0), "{metric:?}, {}", game.slice_name(table.slice));
        }
    }
}

#[test]
fn a_wrong_value_is_found() {
    /// Tables in which one position has another value.
    struct Flipped(Tables, Place);
    impl Lower for Flipped {
        fn value(&self, place: Place) -> Wdl {
            let value = self.0.value(place);
            if place == self.1 { value.reversed() } else { value }
        }
    }
    let game = board(5, 5);
    let tables = solved(&game, Some(3), &Options::default());
    let table = tables.iter().last().expect("there are tables");
    let rank = (0..game.size(table.slice)).find(|&rank| table.values.get(rank) == Wdl::Win).expect("there are wins");
    let (slice, place) = (table.slice, Place { slice: table.slice, rank });
    let wrong = inconsistent(&game, slice, &Flipped(tables, place), None, 1, &mut |_| (), &Stop::new());
    assert!(wrong.is_ok_and(|wrong| wrong >= 1));
}
