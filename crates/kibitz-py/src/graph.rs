//! The Python class `Graph`: the complete graph of a small game as arrays of bytes.

use kibitz_game::{Score, Wdl};
use kibitz_solve::graph::{Graph as Inner, TableStudy};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::bad_parameter;
use crate::interrupt::{self, Fault};

/// The complete graph of a small game; `kibitz.graph` has the class that people use.
#[pyclass(frozen, module = "kibitz._core")]
pub struct Graph(pub Inner);

/// Numbers as bytes, the least significant first.
fn bytes<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> Bound<'py, PyBytes> {
    let all: Vec<u8> = numbers.iter().flat_map(|&number| bytes(number)).collect();
    PyBytes::new(py, &all)
}

#[pymethods]
impl Graph {
    /// The number of nodes.
    fn __len__(&self) -> usize {
        self.0.places.len()
    }

    /// The node of the start.
    #[getter]
    fn root(&self) -> u32 {
        self.0.root
    }

    /// The arrays of the graph, little-endian: `slice`, `first`, `to`, `turned` (32 bits), `rank` (64 bits), `values` (32 bits,
    /// signed), `ended` (a byte: 0 unless the game is over, 1 for a loss of the player to move, 2 for a draw, 3 for a win).
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("slice", bytes(py, &self.0.places, |place| place.slice.0.to_le_bytes()))?;
        dict.set_item("rank", bytes(py, &self.0.places, |place| place.rank.to_le_bytes()))?;
        dict.set_item("first", bytes(py, &self.0.first, u32::to_le_bytes))?;
        dict.set_item("to", bytes(py, &self.0.to, u32::to_le_bytes))?;
        dict.set_item("turned", bytes(py, &self.0.turned, u32::to_le_bytes))?;
        dict.set_item("values", bytes(py, &self.0.values, Score::to_le_bytes))?;
        let ended = |value: Wdl| {
            [match value {
                Wdl::Unknown => 0,
                Wdl::Loss => 1,
                Wdl::Draw => 2,
                Wdl::Win => 3,
            }]
        };
        dict.set_item("ended", bytes(py, &self.0.ended, ended))?;
        Ok(dict)
    }

    /// Alpha-beta from the root with a table of `2**bits` entries or none, and what it touched.
    #[pyo3(signature = (values, *, depth, bits, seed, same_depth))]
    fn table_study<'py>(
        &self,
        py: Python<'py>,
        values: &[u8],
        depth: u32,
        bits: Option<u32>,
        seed: u64,
        same_depth: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        if depth > 100 || bits.is_some_and(|bits| bits > 28) {
            return Err(bad_parameter(py, "a study has at most 100 plies and a table of 28 bits"));
        }
        let (scores, rest) = values.as_chunks::<4>();
        if scores.len() != self.0.places.len() || !rest.is_empty() {
            return Err(bad_parameter(py, "a study needs a value of 32 bits for each node"));
        }
        let scores: Vec<Score> = scores.iter().map(|&bytes| Score::from_le_bytes(bytes)).collect();
        if scores.contains(&Score::MIN) {
            return Err(bad_parameter(py, "a value must not be the least number of 32 bits"));
        }
        let study = TableStudy { depth, bits, seed, same_depth };
        let found = interrupt::run(py, &Fault::default(), 1, |stop| study.run(&self.0, &scores, stop))?;
        let counts = found.ok_or_else(|| bad_parameter(py, "the study was stopped"))?;
        let dict = PyDict::new(py);
        dict.set_item("value", counts.value)?;
        dict.set_item("all", bytes(py, &counts.all, u32::to_le_bytes))?;
        dict.set_item("first", bytes(py, &counts.sides[0], u32::to_le_bytes))?;
        dict.set_item("second", bytes(py, &counts.sides[1], u32::to_le_bytes))?;
        dict.set_item("evaluated", bytes(py, &counts.evaluated, u32::to_le_bytes))?;
        dict.set_item("change", counts.look_ups.change)?;
        dict.set_item("hit", counts.look_ups.hit)?;
        dict.set_item("nothing", counts.look_ups.nothing)?;
        dict.set_item("deep", counts.look_ups.deep)?;
        dict.set_item("filled", counts.filled)?;
        Ok(dict)
    }
}
