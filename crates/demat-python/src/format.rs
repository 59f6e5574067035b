//! The formats that have a module of the package.

use demat_formats::codec::Setting;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

pub(crate) use demat_place::Format;

/// Returns the formats with a module: all byte formats except dialects, which share the module of their base format.
pub(crate) fn modules() -> impl Iterator<Item = Format> {
    Format::all().filter(|format| is_module(*format))
}

/// Returns whether the format has a module.
pub(crate) fn is_module(format: Format) -> bool {
    format.codec().is_some() && format.about().dialect_of.is_none()
}

/// Returns the format with this name, if it has a module.
pub(crate) fn named(name: &str) -> Option<Format> {
    modules().find(|format| format.name() == name)
}

/// Returns the format with this name.
///
/// # Errors
/// `ValueError` with all names if there is none.
pub(crate) fn find(name: &str) -> PyResult<Format> {
    named(name).ok_or_else(|| {
        let names: Vec<_> = modules().map(Format::name).collect();
        PyValueError::new_err(format!("no format is called {name:?}; there are {}", names.join(", ")))
    })
}

/// Returns the `Content-Type` of a format, by its name.
///
/// # Errors
/// `ValueError` if there is no format with this name.
#[pyfunction]
pub(crate) fn content_type(format: &str) -> PyResult<&'static str> {
    Ok(find(format)?.content_type())
}

/// Describes all formats: a dict each, with its options for reading and for writing as tuples of name, default and
/// help.
#[pyfunction]
pub(crate) fn describe_formats(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let options = |settings: &'static [Setting]| {
        settings.iter().map(|setting| (setting.name, setting.default, setting.help)).collect::<Vec<_>>()
    };
    let described = PyList::empty(py);
    for format in Format::all() {
        let about = format.about();
        let made = PyDict::new(py);
        made.set_item("name", about.name)?;
        made.set_item("suffixes", about.suffixes)?;
        made.set_item("media_types", about.media_types)?;
        made.set_item("description", about.description)?;
        made.set_item("read", options(about.read))?;
        made.set_item("write", options(about.write))?;
        described.append(made)?;
    }
    Ok(described)
}
