//! Stores over HTTP, for the Python that says what stands where.

mod answered;
mod called;
mod function;
mod objects;
mod server;
mod store;
mod table;

pub(crate) use server::Server;
pub(crate) use store::Store;

use crate::error::{Failure, exception};
use demat_core::{Error, ErrorKind, Value};
use demat_store::{Fault, Query};
use pyo3::exceptions::{PyLookupError, PyPermissionError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What Python raised, for whoever asked: what is not there, or may not be done, is said so; errors of the house say what is
/// wrong; anything else is the program's own affair, of which it is told by its own means.
fn raised(py: Python<'_>, raised: &PyErr) -> Error {
    let message = raised.value(py).to_string();
    if raised.is_instance_of::<PyLookupError>(py) {
        return Fault::NotFound.because(message);
    }
    if raised.is_instance_of::<PyPermissionError>(py) {
        return Fault::NotAllowed(demat_store::Verb::Get).because(message);
    }
    let family = py.import("demat._errors");
    let is = |name: &str| {
        let class = family.as_ref().ok().and_then(|family| family.getattr(name).ok());
        class.is_some_and(|class| raised.is_instance(py, &class))
    };
    if is("Error") {
        // The first that it is: one is a kind of another.
        let kinds = [
            ("ValidationError", ErrorKind::Constraint),
            ("DecodeError", ErrorKind::Syntax),
            ("LimitError", ErrorKind::Limit),
            ("EncodeError", ErrorKind::Encode),
            ("StoreError", ErrorKind::Store),
        ];
        let kind = kinds.into_iter().find(|(name, _)| is(name)).map_or(ErrorKind::Constraint, |(_, kind)| kind);
        return Error::new(kind, message);
    }
    raised.clone_ref(py).write_unraisable(py, None);
    Error::new(ErrorKind::Io, "the program failed")
}

/// What a query wants of a list of records, both and the answer as JSON.
#[pyfunction]
pub(crate) fn queried<'py>(py: Python<'py>, json: &[u8], query: &str) -> PyResult<Bound<'py, PyBytes>> {
    let told = py.detach(|| {
        let value: Value = demat_formats::json::decode(json)?;
        demat_formats::json::encode(&Query::parse(query)?.apply(value)?)
    });
    let told = told.map_err(|error| exception(py, Failure::from(error)))?;
    Ok(PyBytes::new(py, &told))
}
