//! The library of set-ups, which is a text: `setups.txt`.

use std::sync::LazyLock;

use kibitz_game::BadText;

use super::board::home_square;
use super::rank::{ARMY, LETTERS, RANKS, Rank, SIGNS};

/// A set-up: the ranks on the squares in the order in which they are placed.
pub(super) type Setup = [Rank; 40];

const TEXT: &str = include_str!("setups.txt");

/// The name that stands for no set-up: the player places the pieces.
pub(super) const FREE: &str = "free";

/// The set-ups with their names, in the order of the file.
static LIBRARY: LazyLock<Vec<(&'static str, Setup)>> = LazyLock::new(|| {
    let blocks = TEXT.split("\n[").skip(1);
    blocks
        .filter_map(|block| {
            let (name, rest) = block.split_once(']')?;
            let (_, rows) = rest.split_once('\n')?;
            Some((name, read(rows).ok()?))
        })
        .collect()
});

/// The names that a parameter of the game takes, with `first` as the first of them.
pub(super) fn names(first: &'static str) -> Vec<&'static str> {
    let others = LIBRARY.iter().map(|(name, _)| *name).chain([FREE]).filter(|&name| name != first);
    [first].into_iter().chain(others).collect()
}

/// The set-up of a name; none for a player who places the pieces.
pub(super) fn setup(name: &str) -> Option<Setup> {
    LIBRARY.iter().find(|(known, _)| *known == name).map(|(_, setup)| *setup)
}

/// The set-up of a text: four rows of ten signs, the front row first, as its owner sees them.
pub(super) fn read(text: &str) -> Result<Setup, BadText> {
    let mut ranks = Vec::with_capacity(40);
    for sign in text.chars().filter(|sign| !sign.is_whitespace()) {
        let rank = (0..RANKS).find(|&rank| SIGNS[rank] == sign || LETTERS[rank] == sign);
        ranks.push(rank.ok_or_else(|| BadText::new(format!("{sign:?} is no piece; use 1 to 9, S, B and F")))? as Rank);
    }
    if ranks.len() != 40 {
        return Err(BadText::new(format!("a set-up has 40 pieces, not {}", ranks.len())));
    }
    for (rank, &count) in ARMY.iter().enumerate() {
        let found = ranks.iter().filter(|&&other| usize::from(other) == rank).count();
        if found != usize::from(count) {
            return Err(BadText::new(format!("a set-up has {count} of {}, not {found}", SIGNS[rank])));
        }
    }
    // the text has the front row first, the squares are counted from the back
    Ok(std::array::from_fn(|n| ranks[(3 - n / 10) * 10 + n % 10]))
}

/// The squares of a player's set-up with its ranks.
pub(super) fn places(player: usize, setup: &Setup) -> impl Iterator<Item = (u8, Rank)> {
    setup.iter().enumerate().map(move |(n, &rank)| (home_square(player, n), rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_up_of_the_library_is_a_complete_army() {
        assert_eq!(LIBRARY.len(), TEXT.lines().filter(|line| line.starts_with('[')).count());
        assert!(LIBRARY.len() >= 12);
        for (i, (name, setup)) in LIBRARY.iter().enumerate() {
            assert!(LIBRARY[..i].iter().all(|(other, same)| other != name && same != setup), "{name}");
        }
    }

    #[test]
    fn a_set_up_with_a_piece_too_many_is_refused() {
        let figure = "9673964569\n5989695 2B9\nB7S18B3745\nFB84B7B898";
        assert!(read(figure).is_ok());
        assert!(read(&figure.replacen('9', "8", 1)).unwrap_err().0.contains("of 8, not 6"));
        assert!(read(&figure.replacen('9', "X", 1)).unwrap_err().0.contains("no piece"));
        assert!(read(&figure[1..]).unwrap_err().0.contains("40 pieces"));
    }
}
