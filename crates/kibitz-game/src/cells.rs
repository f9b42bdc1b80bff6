//! The parts of a picture that moves name, so that somebody can play by clicking.

/// A part of a picture: the names of the notation, and a rectangle in the units of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The name as moves write it; no two cells of a picture have the same.
    pub name: String,
    /// Its upper left corner.
    pub corner: (i32, i32),
    /// Its width and height.
    pub size: (i32, i32),
    /// What is there, in words for somebody who cannot see the picture; empty if nothing is.
    pub holds: String,
}

impl Cell {
    /// A rectangle with nothing in it.
    pub fn new(name: impl Into<String>, corner: (i32, i32), size: (i32, i32)) -> Self {
        Self { name: name.into(), corner, size, holds: String::new() }
    }

    /// A square around a point, for the places of a board that are drawn as circles.
    pub fn around(name: impl Into<String>, (x, y): (i32, i32), reach: i32) -> Self {
        Self::new(name, (x - reach, y - reach), (2 * reach, 2 * reach))
    }

    /// The same cell with something in it.
    #[must_use]
    pub fn holding(mut self, holds: impl Into<String>) -> Self {
        self.holds = holds.into();
        self
    }
}

/// The names of cells in the notation of a move, in the order in which they are written.
///
/// Of several names the longest counts: `c2d2c10` has three, and so has `c4A-c5W-d5`. A word that begins with no name has
/// none: `roll` is no column `l`.
pub fn names_in(notation: &str, cells: &[Cell]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = notation;
    // whether the word began with a name; only then more of them are looked for inside, after signs as in `a1xb2`
    let mut named_word = false;
    while let Some(letter) = rest.chars().next() {
        let fitting = cells.iter().map(|cell| cell.name.as_str()).filter(|&name| rest.starts_with(name));
        if let Some(name) = fitting.max_by_key(|name| name.len()).filter(|name| !name.is_empty()) {
            found.push(name.to_owned());
            rest = &rest[name.len()..];
            named_word = true;
        } else if letter.is_alphanumeric() && !named_word {
            rest = rest.trim_start_matches(char::is_alphanumeric);
        } else {
            rest = &rest[letter.len_utf8()..];
            named_word &= letter.is_alphanumeric();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(notation: &str, cells: &[&str]) -> Vec<String> {
        let cells: Vec<Cell> = cells.iter().map(|&name| Cell::new(name, (0, 0), (1, 1))).collect();
        names_in(notation, &cells)
    }

    #[test]
    fn the_cells_of_a_move_are_found_in_its_notation() {
        assert_eq!(names("a1-b2", &["a1", "b2"]), ["a1", "b2"]);
        assert_eq!(names("c2d2c10", &["c1", "c2", "c10", "d2"]), ["c2", "d2", "c10"]);
        assert_eq!(names("[A11,A1] x A2", &["A1", "A11", "A2"]), ["A11", "A1", "A2"]);
        assert_eq!(names("d4-c4A-c5W", &["c4", "c5", "d4"]), ["d4", "c4", "c5"]);
        assert_eq!(names("a4xa7", &["a4", "a7"]), ["a4", "a7"]);
        assert_eq!(names("(3,-1)|+2", &["(3,-1)", "2"]), ["(3,-1)", "2"]);
    }

    #[test]
    fn a_word_that_begins_with_no_name_has_none() {
        assert!(names("roll", &["l", "o"]).is_empty());
        assert!(names("pass", &["a", "s1"]).is_empty());
        assert!(names("", &["a1", ""]).is_empty());
    }
}
