//! Positions of Fanorona as numbers: the published index, and ranks up to symmetry.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use kibitz_game::{Configure, Game, Params, Place, Ranked, Slice, Value, Wide};
use kibitz_games::Fanorona;

fn params(rows: i64, cols: i64) -> Params {
    let sizes = [("rows", rows), ("cols", cols)].map(|(name, size)| (name.to_owned(), Value::Integer(size)));
    Params::complete(&Fanorona::<u64>::parameters(), sizes).unwrap()
}

fn board(rows: i64, cols: i64) -> Fanorona<u64> {
    Fanorona::configure(&params(rows, cols)).unwrap()
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// The names of all slices of so many pieces with the positions that their ranks stand for.
fn positions_of(game: &Fanorona<u64>, pieces: u32) -> u64 {
    let slices = game.groups(Some(pieces)).into_iter().flatten();
    let slices = slices.filter(|slice| slice.0 / 64 + slice.0 % 64 == pieces);
    let mut count = 0;
    for slice in slices {
        let _ = game.scan(slice, 0..game.size(slice), |_, position| {
            count += u64::from(game.orbit(position));
            ControlFlow::Continue(())
        });
    }
    count
}

#[test]
fn the_index_has_the_published_values() {
    let game = board(5, 9);
    let index = |text: &str| game.index(&game.read(text).unwrap()).unwrap();
    let empty = "........./........./.........";
    assert_eq!(index(&format!("{empty}/........./wb....... w")), 0);
    assert_eq!(index(&format!("{empty}/........./bw....... w")), 990);
    assert_eq!(index(".......bw/........./........./........./......... w"), 1979);
    assert_eq!(index(".......bw/........./........./........./......... b"), 989, "own is the side to move");
}

#[test]
fn the_index_goes_both_ways() {
    let game = board(5, 9);
    for (own, other) in [(1, 1), (2, 1), (1, 2)] {
        let size = choose(45, own + other) * choose(own + other, own);
        for index in 0..size {
            let position = game.of_index(own as usize, other as usize, index).expect("every index is a position");
            assert_eq!(game.index(&position), Some(index));
        }
        assert_eq!(game.of_index(own as usize, other as usize, size), None);
    }
    let last = choose(45, 7) * choose(7, 3) - 1;
    assert_eq!(game.index(&game.of_index(3, 4, last).unwrap()), Some(last));
}

#[test]
fn ranks_stand_for_as_many_positions_as_published() {
    for (rows, cols, counts) in [
        (5, 9, &[1_980, 85_140, 2_085_930][..]),
        (5, 5, &[600, 13_800, 177_100, 1_593_900]),
        (7, 5, &[1_190, 39_270, 733_040]),
        (3, 9, &[702, 17_550, 245_700]),
    ] {
        let game = board(rows, cols);
        for (pieces, &count) in (2..).zip(counts) {
            assert_eq!(positions_of(&game, pieces), count, "{rows} by {cols}, {pieces} pieces");
        }
    }
}

/// The images of a position under the symmetries of the board, by its text.
fn images(game: &Fanorona<u64>, text: &str) -> Vec<<Fanorona<u64> as Game>::Position> {
    let (rows, side) = text.split_once(' ').unwrap();
    let rows: Vec<Vec<char>> = rows.split('/').map(|row| row.chars().collect()).collect();
    let mut boards = vec![rows.clone()];
    if rows.len() == rows[0].len() {
        boards.push((0..rows.len()).map(|col| rows.iter().map(|row| row[col]).collect()).collect());
    }
    let mut found = Vec::new();
    for board in boards {
        for (upside_down, mirrored) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut board = board.clone();
            if upside_down {
                board.reverse();
            }
            if mirrored {
                for row in &mut board {
                    row.reverse();
                }
            }
            let text: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
            found.push(game.read(&format!("{} {side}", text.join("/"))).unwrap());
        }
    }
    found
}

#[test]
fn symmetric_positions_and_swapped_colours_have_one_place() {
    for (rows, cols, pieces) in [(3, 5, 4), (5, 3, 4), (5, 5, 3), (5, 9, 3), (9, 5, 3)] {
        let game = board(rows, cols);
        for slice in game.groups(Some(pieces)).into_iter().flatten() {
            let mut last = None;
            let _ = game.scan(slice, 0..game.size(slice), |rank, position| {
                assert!(last < Some(rank), "ranks rise");
                last = Some(rank);
                let place = Some(Place { slice, rank });
                assert_eq!(game.place(position), place);
                assert_eq!(game.unrank(slice, rank).as_ref(), Some(position));
                if rank % 7 == 0 {
                    let text = game.write(position);
                    let images = images(&game, &text);
                    let different: BTreeSet<String> = images.iter().map(|image| game.write(image)).collect();
                    assert_eq!(game.orbit(position) as usize, different.len(), "{text}");
                    assert!(images.iter().all(|image| game.place(image) == place), "{text}");
                    let swap = |letter| match letter {
                        'w' => 'b',
                        'b' => 'w',
                        other => other,
                    };
                    let swapped: String = text.chars().map(swap).collect();
                    assert_eq!(game.place(&game.read(&swapped).unwrap()), place, "{text}");
                }
                ControlFlow::Continue(())
            });
            assert_eq!(game.unrank(slice, game.size(slice)), None);
            assert_eq!(game.unrank(slice, u64::MAX), None);
        }
    }
}

#[test]
fn a_board_on_its_side_has_the_same_places() {
    for (rows, cols, pieces) in [(3, 5, 4), (3, 7, 3), (5, 9, 3)] {
        let (lying, standing) = (board(rows, cols), board(cols, rows));
        assert_eq!(lying.groups(Some(pieces)), standing.groups(Some(pieces)));
        for slice in lying.groups(Some(pieces)).into_iter().flatten() {
            assert_eq!(lying.size(slice), standing.size(slice));
            let _ = lying.scan(slice, 0..lying.size(slice), |rank, position| {
                let text = lying.write(position);
                let (rows, side) = text.split_once(' ').unwrap();
                let rows: Vec<Vec<char>> = rows.split('/').map(|row| row.chars().collect()).collect();
                let turned = (0..rows[0].len()).map(|col| rows.iter().map(|row| row[col]).collect::<String>());
                let turned = format!("{} {side}", turned.collect::<Vec<_>>().join("/"));
                let place = standing.place(&standing.read(&turned).unwrap());
                assert_eq!(place, Some(Place { slice, rank }), "{text} is {turned}");
                ControlFlow::Continue(())
            });
        }
    }
}

#[test]
fn children_are_the_positions_after_the_moves() {
    let game = board(3, 5);
    for slice in game.groups(Some(5)).into_iter().flatten() {
        let _ = game.scan(slice, 0..game.size(slice), |rank, position| {
            if rank % 5 == 0 {
                let (mut moves, mut played) = (Vec::new(), BTreeSet::new());
                game.moves(position, &mut moves);
                for &mv in &moves {
                    let mut child = *position;
                    game.play(&mut child, mv);
                    played.insert(game.write(&child));
                }
                let mut found = BTreeSet::new();
                let _ = game.children(position, &mut moves, |child| {
                    found.insert(game.write(child));
                    ControlFlow::Continue(())
                });
                assert_eq!(found, played, "{}", game.write(position));
            }
            ControlFlow::Continue(())
        });
    }
}

#[test]
fn going_back_is_the_reverse_of_a_step_without_a_capture() {
    for (rows, cols, pieces) in [(3, 3, 8), (3, 5, 4), (5, 3, 4), (5, 5, 3)] {
        let game = board(rows, cols);
        for group in game.groups(Some(pieces)) {
            let mut forward = BTreeSet::new();
            let mut backward = BTreeSet::new();
            for &slice in &group {
                let _ = game.scan(slice, 0..game.size(slice), |rank, position| {
                    let here = Place { slice, rank };
                    let _ = game.children(position, &mut Vec::new(), |child| {
                        forward.extend(
                            game.place(child).filter(|place| group.contains(&place.slice)).map(|to| (here, to)),
                        );
                        ControlFlow::Continue(())
                    });
                    game.unplay(position, |before| {
                        backward.insert((game.place(before).expect("it is on the board"), here));
                    });
                    ControlFlow::Continue(())
                });
            }
            assert_eq!(forward, backward, "{rows} by {cols}, {}", game.slice_name(group[0]));
        }
    }
}

#[test]
fn large_boards_and_many_pieces_have_no_ranks() {
    let large = Fanorona::<Wide<2>>::configure(&params(9, 9)).unwrap();
    assert!(large.groups(Some(2)).is_empty());
    assert_eq!(large.place(&large.start()), None);
    assert_eq!(large.index(&large.start()), None);
    let game = board(5, 9);
    assert_eq!(game.place(&game.start()), None, "44 pieces are too many");
    let groups = game.groups(None);
    let most = groups.last().expect("there are some")[0];
    assert!(most.0 / 64 + most.0 % 64 >= 8);
    assert_eq!(game.size(Slice(u32::MAX)), 0);
    assert_eq!(game.unrank(Slice(u32::MAX), 0), None);
}
