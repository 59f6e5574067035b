//! Panics, as exceptions of the family.

use crate::error::exception_for;
use demat_core::{panicked, silence_panics};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Turns each panic into a `demat.InternalError`, and prints none.
///
/// PyO3 catches the panics of all functions and methods that it makes, and raises a `PanicException`, which is no
/// `Exception`. Where that is made is the one place that all of them pass: making one gives an `InternalError` from now on.
///
/// # Errors
/// None, in truth.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    silence_panics();
    let make = wrap_pyfunction!(internal_error, module)?;
    let make = module.py().import("builtins")?.getattr("staticmethod")?.call1((make,))?;
    module.py().get_type::<PanicException>().setattr("__new__", make)
}

/// The exception that is made in the place of one of PyO3's class.
#[pyfunction]
#[pyo3(signature = (_class, text, /))]
fn internal_error<'py>(_class: &Bound<'py, PyAny>, text: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    // Python 3.11 makes an exception of what it has made already, as that is not of the class.
    let Ok(text) = text.cast::<PyString>() else { return text.clone() };
    let error = panicked(&text.to_string_lossy().into_owned());
    exception_for(text.py(), &error).into_value(text.py()).into_bound(text.py()).into_any()
}
