//! The formats that have a module of the package.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) use demat_place::Format;

/// The formats with a module: those of bytes, but for dialects, which share the module of what they are a dialect of.
pub(crate) fn modules() -> impl Iterator<Item = Format> {
    Format::all().filter(|format| is_module(*format))
}

/// Whether the format has a module.
pub(crate) fn is_module(format: Format) -> bool {
    format.codec().is_some() && format.about().dialect_of.is_none()
}

/// The format with a module whose options this one has, if any.
pub(crate) fn with_options_of(format: Format) -> Option<Format> {
    named(format.about().dialect_of.unwrap_or(format.name()))
}

/// The format of this name, if it has a module.
pub(crate) fn named(name: &str) -> Option<Format> {
    modules().find(|format| format.name() == name)
}

/// The format of this name.
///
/// # Errors
/// `ValueError` with all names if there is none.
pub(crate) fn find(name: &str) -> PyResult<Format> {
    named(name).ok_or_else(|| {
        let names: Vec<_> = modules().map(Format::name).collect();
        PyValueError::new_err(format!("no format is called {name:?}; there are {}", names.join(", ")))
    })
}

/// The `Content-Type` of a format, by its name.
///
/// # Errors
/// `ValueError` if no format is called so.
#[pyfunction]
pub(crate) fn content_type(format: &str) -> PyResult<&'static str> {
    Ok(find(format)?.content_type())
}
