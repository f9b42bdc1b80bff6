//! Calling Python functions without building a tuple of arguments.
//!
//! Under the stable ABI of Python 3.10 the safe calls of `PyO3` make a tuple for every call; for rules written in Python, which are
//! asked millions of times, that is a good part of the time.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit, ffi, types::PyList};

/// A callable, taken apart where it is a method of an object.
pub struct Callable {
    function: Py<PyAny>,
    /// The object that the method is bound to.
    owner: Option<Py<PyAny>>,
}

impl Callable {
    /// Takes a bound method apart, so that a call need not put it together again.
    pub fn new(found: &Bound<'_, PyAny>) -> Self {
        let part = |name: &str| found.getattr(name).ok();
        let bound_method = found.get_type().name().is_ok_and(|name| name == "method");
        if bound_method && let (Some(function), Some(owner)) = (part("__func__"), part("__self__")) {
            return Self { function: function.unbind(), owner: Some(owner.unbind()) };
        }
        Self { function: found.clone().unbind(), owner: None }
    }

    /// The references that it holds, for the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        visit.call(&self.owner)
    }

    /// Calls it with at most two arguments.
    #[inline]
    pub fn call<'py, const N: usize>(
        &self,
        py: Python<'py>,
        arguments: [&Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        const { assert!(N <= 2) };
        let null = std::ptr::null_mut::<ffi::PyObject>();
        let mut all = [null; 4];
        let given = self.owner.iter().map(Py::as_ptr).chain(arguments.iter().map(|argument| argument.as_ptr()));
        for (slot, argument) in all.iter_mut().zip(given) {
            *slot = argument;
        }
        // SAFETY: the interpreter lock is held, for there is a `py`; the function takes a callable and borrowed
        // references up to a null pointer, of which `all` has one after at most three arguments, all alive through
        // `self` and `arguments`; it returns a new reference, or null with an exception set, which is what
        // `from_owned_ptr_or_err` takes.
        #[allow(unsafe_code)]
        unsafe {
            let out = ffi::PyObject_CallFunctionObjArgs(self.function.as_ptr(), all[0], all[1], all[2], all[3]);
            Bound::from_owned_ptr_or_err(py, out)
        }
    }
}

/// More moves than any game has: an iterable with more is taken for endless.
const MOST: usize = 1_000_000;

/// A list of what an iterable holds that nobody else can change.
pub fn list_of(found: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyList>> {
    // SAFETY: the object is alive, and reading its count of references changes nothing.
    #[allow(unsafe_code)]
    let ours_alone = unsafe { ffi::Py_REFCNT(found.as_ptr()) } == 1;
    // a list that was made for us alone needs no copy
    if ours_alone && found.is_exact_instance_of::<PyList>() {
        return Ok(found.cast_into::<PyList>()?);
    }
    let list = PyList::empty(found.py());
    for item in found.try_iter()?.take(MOST + 1) {
        list.append(item?)?;
    }
    if list.len() > MOST {
        return Err(PyTypeError::new_err("it has no end"));
    }
    Ok(list)
}
