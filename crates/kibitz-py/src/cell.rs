//! Parts of a picture, for Python.

use pyo3::prelude::*;

/// A part of a picture that moves name, in the units of the picture's `viewBox`.
#[pyclass(frozen, eq, hash, get_all, module = "kibitz._core")]
#[derive(PartialEq, Eq, Hash)]
pub struct Cell {
    /// The name as moves write it.
    name: String,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    /// What is there, in words; empty if nothing is.
    holds: String,
}

impl From<kibitz_game::Cell> for Cell {
    fn from(cell: kibitz_game::Cell) -> Self {
        let ((x, y), (width, height)) = (cell.corner, cell.size);
        Self { name: cell.name, x, y, width, height, holds: cell.holds }
    }
}

#[pymethods]
impl Cell {
    fn __repr__(&self) -> String {
        let Self { name, x, y, width, height, holds } = self;
        let holds = if holds.is_empty() { String::new() } else { format!(" {holds}") };
        format!("<cell {name}{holds} at {x}, {y}, {width} by {height}>")
    }
}
