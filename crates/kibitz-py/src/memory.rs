//! The Python class `Memory`: what a search leaves for the next one, without its type.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// What a search has left for the next search of the same game; `Algorithm.session` has one.
#[pyclass(module = "kibitz._core", frozen)]
#[derive(Default)]
pub struct Memory(Mutex<Option<Box<dyn Any + Send>>>);

impl Memory {
    /// Takes what is there, if it is of this type.
    pub fn take<T: Any>(&self) -> Option<T> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        held.and_then(|held| held.downcast().ok()).map(|held| *held)
    }

    /// Leaves something, or nothing.
    pub fn leave<T: Any + Send>(&self, left: Option<T>) {
        let left = left.map(|left| Box::new(left) as Box<dyn Any + Send>);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = left;
    }
}

#[pymethods]
impl Memory {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Forgets everything.
    fn clear(&self) {
        self.leave::<()>(None);
    }
}
