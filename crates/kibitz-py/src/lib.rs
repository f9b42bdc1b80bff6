//! The Python module `kibitz._core`: the only crate that joins games and algorithms.

mod backgammon;
mod bridge;
mod call;
mod cell;
mod database;
mod errors;
mod graph;
mod interrupt;
mod memory;
mod options;
mod past;
mod position;
mod proof;
mod python_game;
mod registry;
mod report;
mod rolit;
mod searching;
mod strong;
mod trials;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// The native part of kibitz; use it through the package `kibitz`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    #[cfg(target_arch = "x86_64")]
    if !(std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2")) {
        return Err(PyImportError::new_err(
            "kibitz was built for x86-64 processors with AVX2 and BMI2 (2013 and later), and this one lacks them; \
             build it from source with RUSTFLAGS=\"-C target-cpu=native\"",
        ));
    }
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<position::Rules>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<cell::Cell>()?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<database::Database>()?;
    module.add_class::<strong::Strong>()?;
    module.add_class::<trials::Trials>()?;
    module.add_class::<memory::Memory>()?;
    module.add_class::<proof::Strategy>()?;
    module.add_class::<backgammon::BackgammonTraining>()?;
    module.add_class::<rolit::RolitTraining>()?;
    module.add_function(wrap_pyfunction!(backgammon::backgammon_ids, module)?)?;
    module.add_function(wrap_pyfunction!(backgammon::backgammon_probabilities, module)?)?;
    module.add_function(wrap_pyfunction!(backgammon::backgammon_trial, module)?)?;
    module.add_function(wrap_pyfunction!(position::listings, module)?)?;
    module.add_function(wrap_pyfunction!(position::native, module)?)?;
    module.add_function(wrap_pyfunction!(database::build_database, module)?)?;
    module.add_function(wrap_pyfunction!(database::disk_updates, module)?)?;
    module.add_function(wrap_pyfunction!(database::disk_sort, module)?)?;
    module.add_function(wrap_pyfunction!(position::adapt, module)?)?;
    Ok(())
}
