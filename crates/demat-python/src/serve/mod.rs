//! Serves stores over HTTP, as configured by Python code.

mod answered;
mod called;
mod collection;
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
use pyo3::exceptions::PyPermissionError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Converts a Python exception to an error for the client: missing or forbidden resources, and our own errors with
/// their messages. Any other exception is a bug of the program: it goes to Python's hook for unraisable exceptions.
fn raised(py: Python<'_>, raised: &PyErr) -> Error {
    let message = raised.value(py).to_string();
    // An errno means that the operating system raised it: an internal failure, not a refusal.
    if raised.is_instance_of::<PyPermissionError>(py) && is_said(py, raised) {
        return Fault::Forbidden.because(message);
    }
    let family = py.import("demat._errors");
    let is = |name: &str| {
        let class = family.as_ref().ok().and_then(|family| family.getattr(name).ok());
        class.is_some_and(|class| raised.is_instance(py, &class))
    };
    if let Some(fault) = fault_named(raised, py) {
        let said = message.strip_suffix(&format!(": {fault}")).unwrap_or(&message);
        return fault.because(said.to_string());
    }
    // A StoreError of the program's own store is not about the data that the client sent.
    if is("Error") && !is("StoreError") {
        // The first match: some classes are subclasses of others.
        let kinds = [
            ("ValidationError", ErrorKind::Constraint),
            ("DecodeError", ErrorKind::Syntax),
            ("LimitError", ErrorKind::Limit),
            ("EncodeError", ErrorKind::Encode),
        ];
        let kind = kinds.into_iter().find(|(name, _)| is(name)).map_or(ErrorKind::Constraint, |(_, kind)| kind);
        return Error::new(kind, message);
    }
    raised.clone_ref(py).write_unraisable(py, None);
    Error::new(ErrorKind::Io, "the program failed")
}

/// Returns the fault that an exception carries in `_fault`.
fn fault_named(raised: &PyErr, py: Python<'_>) -> Option<Fault> {
    let name: Option<String> = raised.value(py).getattr("_fault").ok()?.extract().ok()?;
    let name = name?;
    FAULTS.into_iter().find(|(_, own)| *own == name).map(|(fault, _)| fault)
}

/// The values of an exception's `_fault`.
pub(crate) const FAULTS: [(Fault, &str); 7] = [
    (Fault::NotFound, "not_found"),
    (Fault::NotAllowed(demat_store::Verb::Post), "not_allowed"),
    (Fault::Changed, "changed"),
    (Fault::Conflict, "conflict"),
    (Fault::BadReference, "bad_reference"),
    (Fault::BadQuery, "bad_query"),
    (Fault::Forbidden, "forbidden"),
];

/// Returns whether Python code raised the exception, and not the operating system.
fn is_said(py: Python<'_>, raised: &PyErr) -> bool {
    raised.value(py).getattr("errno").is_ok_and(|errno| errno.is_none())
}

/// Returns the indices of the items, in a JSON list of records, that match a query.
#[pyfunction]
pub(crate) fn chosen(py: Python<'_>, json: &[u8], query: &str) -> PyResult<Vec<usize>> {
    let chosen = py.detach(|| {
        let value: Value = demat_formats::json::decode(json)?;
        let Value::List(items) = value else {
            return Err(Fault::BadQuery.because("a list has items to choose from, and this is none"));
        };
        Query::parse(query)?.chosen_of(&items)
    });
    chosen.map_err(|error| exception(py, Failure::from(error)))
}

/// Applies a query to a list of records; input and result are JSON.
#[pyfunction]
pub(crate) fn queried<'py>(py: Python<'py>, json: &[u8], query: &str) -> PyResult<Bound<'py, PyBytes>> {
    let told = py.detach(|| {
        let value: Value = demat_formats::json::decode(json)?;
        demat_formats::json::encode(&Query::parse(query)?.apply(value)?)
    });
    let told = told.map_err(|error| exception(py, Failure::from(error)))?;
    Ok(PyBytes::new(py, &told))
}
