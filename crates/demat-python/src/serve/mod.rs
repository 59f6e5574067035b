//! Serves stores over HTTP, as configured by Python code.

mod answered;
mod called;
mod collection;
mod feed;
mod function;
mod objects;
mod postgres_table;
mod program_store;
mod raised;
mod server;
mod store;
mod table;
mod turns;
mod watching;

pub(crate) use feed::StoreFeed;
pub(crate) use program_store::StoreState;
pub(crate) use server::Server;
pub(crate) use store::Store;

use crate::error::{Failure, exception};
use demat_core::Value;
use demat_store::{Fault, Query};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use raised::raised;

/// The values of an exception's `_fault`.
pub(crate) const FAULTS: [(Fault, &str); 8] = [
    (Fault::NotFound, "not_found"),
    (Fault::NotAllowed(demat_store::Verb::Post), "not_allowed"),
    (Fault::Changed, "changed"),
    (Fault::Conflict, "conflict"),
    (Fault::BadReference, "bad_reference"),
    (Fault::BadQuery, "bad_query"),
    (Fault::BadRequest, "bad_request"),
    (Fault::Forbidden, "forbidden"),
];

/// The value of `_fault` for a store that is [busy](demat_store::Trouble::Busy), which is no refusal.
pub(crate) const BUSY: &str = "busy";

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
