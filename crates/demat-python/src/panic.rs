//! Turns panics into exceptions of the `demat.Error` family.

use crate::error::exception_for;
use demat_core::{panicked, silence_panics};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Turns every panic into a `demat.InternalError`, and silences the panic message.
///
/// PyO3 catches panics in its functions and methods, and raises `PanicException`, which is not an `Exception`. All of
/// them construct that class, so this replaces its `__new__` with a function that returns an `InternalError`.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    silence_panics();
    let make = wrap_pyfunction!(internal_error, module)?;
    let make = module.py().import("builtins")?.getattr("staticmethod")?.call1((make,))?;
    module.py().get_type::<PanicException>().setattr("__new__", make)
}

/// Replacement for `PanicException.__new__`.
#[pyfunction]
#[pyo3(signature = (_class, text, /))]
fn internal_error<'py>(_class: &Bound<'py, PyAny>, text: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    // Python 3.11 calls this again with the exception it got, as that is not a `PanicException`.
    let Ok(text) = text.cast::<PyString>() else { return text.clone() };
    let error = panicked(&text.to_string_lossy().into_owned());
    exception_for(text.py(), &error).into_value(text.py()).into_bound(text.py()).into_any()
}
