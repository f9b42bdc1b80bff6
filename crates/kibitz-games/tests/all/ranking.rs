//! What holds for every game that ranks all of its positions, on all of them: ranks and positions go both ways, symmetric
//! positions share a place, and going back is the reverse of playing.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::ops::ControlFlow;

use kibitz_game::{Configure, Game, Params, Place, Ranked, Slice, Turn, Wdl};
use kibitz_games::{Dao, DoGuti, LGame};

fn game<G: Configure>() -> G {
    G::configure(&Params::complete(&G::parameters(), []).unwrap()).unwrap()
}

/// The only slice, with the positions that stand for all others.
fn positions<G: Ranked>(game: &G) -> Vec<(u64, G::Position)> {
    assert_eq!(game.groups(None), [[Slice(0)]]);
    let mut found = Vec::new();
    let scanned = game.scan(Slice(0), 0..game.size(Slice(0)), |rank, position| {
        found.push((rank, position.clone()));
        ControlFlow::Continue(())
    });
    assert_eq!(scanned, ControlFlow::Continue(()));
    found
}

/// The ranks behind the moves from a position.
fn successors<G: Ranked>(game: &G, position: &G::Position) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    if game.ended(position).is_none() {
        let _ = game.children(position, &mut Vec::new(), |child| {
            found.insert(game.place(child).unwrap().rank);
            ControlFlow::Continue(())
        });
    }
    found
}

/// `configurations` and `classes` are published or follow from counting; see the specification of each game.
fn ranks_and_positions_go_both_ways<G: Ranked<Position: Debug>>(game: &G, configurations: u64, classes: usize) {
    let all = positions(game);
    assert_eq!(all.len(), classes);
    assert_eq!(all.iter().map(|(_, position)| u64::from(game.orbit(position))).sum::<u64>(), configurations);
    for (rank, position) in &all {
        assert_eq!(game.place(position), Some(Place { slice: Slice(0), rank: *rank }), "{position:?}");
        let over = game.turn(position) == Turn::Over;
        assert_eq!(game.ended(position).is_some(), over, "{position:?}");
        if let Some(value) = game.ended(position) {
            assert_eq!(value, Wdl::of_score(game.score(position, 0)), "{position:?}");
        }
    }
    let size = game.size(Slice(0));
    assert!(game.unrank(Slice(0), size).is_none() && game.unrank(Slice(0), u64::MAX).is_none());
}

fn going_back_is_the_reverse_of_playing<G: Ranked<Position: Debug>>(game: &G, step: usize) {
    assert!(G::UNPLAYS);
    let all = positions(game);
    let mut before = vec![BTreeSet::new(); game.size(Slice(0)) as usize];
    for (rank, position) in &all {
        for child in successors(game, position) {
            before[child as usize].insert(*rank);
        }
    }
    for (rank, position) in all.iter().step_by(step) {
        let mut found = BTreeSet::new();
        game.unplay(position, |predecessor| {
            let place = game.place(predecessor).unwrap();
            assert!(successors(game, predecessor).contains(rank), "{predecessor:?} does not lead to {position:?}");
            found.insert(place.rank);
        });
        assert_eq!(found, before[*rank as usize], "{position:?}");
    }
}

/// The rank does not depend on who is White.
fn colours_do_not_matter<G: Game<Position: Debug> + Ranked>(game: &G) {
    for (rank, position) in positions(game) {
        let swapped: String = game
            .write(&position)
            .chars()
            .map(|letter| match letter {
                'W' => 'B',
                'B' => 'W',
                other => other,
            })
            .collect();
        let swapped = game.read(&swapped).unwrap();
        assert_eq!(game.place(&swapped).unwrap().rank, rank, "{position:?}");
    }
}

#[test]
fn dao_has_113_028_positions_of_900_900_configurations() {
    ranks_and_positions_go_both_ways(&game::<Dao>(), 900_900, 113_028);
}

#[test]
fn going_back_in_dao_is_the_reverse_of_playing() {
    going_back_is_the_reverse_of_playing(&game::<Dao>(), 7);
    colours_do_not_matter(&game::<Dao>());
}

#[test]
fn do_guti_has_16_positions_of_30_configurations() {
    ranks_and_positions_go_both_ways(&game::<DoGuti>(), 30, 16);
    going_back_is_the_reverse_of_playing(&game::<DoGuti>(), 1);
    colours_do_not_matter(&game::<DoGuti>());
}

#[test]
fn the_l_game_has_2_296_positions_of_18_368_configurations() {
    ranks_and_positions_go_both_ways(&game::<LGame>(), 18_368, 2_296);
    going_back_is_the_reverse_of_playing(&game::<LGame>(), 1);
    colours_do_not_matter(&game::<LGame>());
}

/// The same pieces with colours swapped but not the turn are another position; together there are 56,757 kinds of Dao
/// positions and 9 of Do-Guti.
fn kinds<G: Game + Ranked>(game: &G) -> usize {
    let least = |(rank, position): (u64, G::Position)| {
        let turned = game.turned(&position).unwrap();
        assert_ne!(game.write(&turned), game.write(&position));
        rank.min(game.place(&turned).unwrap().rank)
    };
    positions(game).into_iter().map(least).collect::<BTreeSet<u64>>().len()
}

#[test]
fn swapped_colours_halve_the_positions() {
    assert_eq!(kinds(&game::<Dao>()), 56_757);
    assert_eq!(kinds(&game::<DoGuti>()), 9);
}

#[test]
fn fewer_pieces_than_the_game_has_are_no_group() {
    assert_eq!(game::<Dao>().groups(Some(8)).len(), 1);
    assert!(game::<Dao>().groups(Some(7)).is_empty());
    assert!(game::<DoGuti>().groups(Some(3)).is_empty());
    assert!(game::<LGame>().groups(Some(3)).is_empty());
}
