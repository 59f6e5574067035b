//! PostgreSQL databases, for the Python code of tables and queries.
//!
//! The GIL is released while the server works. Callers that share a connection between threads must serialize its use.

mod database;
mod listener;
mod param;
mod verb;
mod writer;

pub(crate) use database::PostgresDatabase;

use pyo3::prelude::*;

/// Runs work with the GIL released, and checks for signals.
fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> demat_core::Result<T> + Send) -> PyResult<T> {
    crate::signals::apart(py, work)
}

/// Returns an SQL identifier in quotes.
#[pyfunction]
fn quoted_postgres_name(name: &str) -> String {
    demat_postgres::quoted(name)
}

/// Adds the classes and functions to the module.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PostgresDatabase>()?;
    module.add_class::<listener::PostgresListener>()?;
    module.add_function(wrap_pyfunction!(quoted_postgres_name, module)?)
}
