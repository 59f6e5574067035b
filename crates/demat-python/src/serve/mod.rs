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
use pyo3::exceptions::PyPermissionError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What Python raised, for whoever asked: what is not there, or may not be done, is said so; errors of the house say what is
/// wrong; anything else is the program's own affair, of which it is told by its own means.
fn raised(py: Python<'_>, raised: &PyErr) -> Error {
    let message = raised.value(py).to_string();
    // The system refuses files with it, too, which is the program's own affair.
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
    // What a store of the program's own fails at says nothing about what was sent.
    if is("Error") && !is("StoreError") {
        // The first that it is: one is a kind of another.
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

/// The fault that an exception says it is about.
fn fault_named(raised: &PyErr, py: Python<'_>) -> Option<Fault> {
    let name: Option<String> = raised.value(py).getattr("_fault").ok()?.extract().ok()?;
    let name = name?;
    FAULTS.into_iter().find(|(_, own)| *own == name).map(|(fault, _)| fault)
}

/// What exceptions call the faults that they are about.
pub(crate) const FAULTS: [(Fault, &str); 7] = [
    (Fault::NotFound, "not_found"),
    (Fault::NotAllowed(demat_store::Verb::Post), "not_allowed"),
    (Fault::Changed, "changed"),
    (Fault::Conflict, "conflict"),
    (Fault::BadReference, "bad_reference"),
    (Fault::BadQuery, "bad_query"),
    (Fault::Forbidden, "forbidden"),
];

/// Whether the program has said it, and not the system.
fn is_said(py: Python<'_>, raised: &PyErr) -> bool {
    raised.value(py).getattr("errno").is_ok_and(|errno| errno.is_none())
}

/// Which items of a list of records, as JSON, the conditions of a query hold for: their numbers.
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
