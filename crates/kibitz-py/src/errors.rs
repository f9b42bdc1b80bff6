//! The exceptions of `kibitz.errors`, raised from Rust.

use pyo3::prelude::*;
use pyo3::types::PyType;

/// An exception of `kibitz.errors` by the name of its class.
pub fn error(py: Python<'_>, class: &str, message: impl Into<String>) -> PyErr {
    let found = py
        .import("kibitz.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.cast_into::<PyType>().map_err(Into::into));
    match found {
        Ok(class) => PyErr::from_type(class, message.into()),
        Err(error) => error,
    }
}

pub fn illegal_move(py: Python<'_>, message: impl Into<String>) -> PyErr {
    error(py, "IllegalMove", message)
}

pub fn bad_position(py: Python<'_>, message: impl Into<String>) -> PyErr {
    error(py, "BadPosition", message)
}

pub fn bad_parameter(py: Python<'_>, message: impl Into<String>) -> PyErr {
    error(py, "BadParameter", message)
}

pub fn not_supported(py: Python<'_>, message: impl Into<String>) -> PyErr {
    error(py, "NotSupported", message)
}

pub fn game_error(py: Python<'_>, message: impl Into<String>) -> PyErr {
    error(py, "GameError", message)
}
