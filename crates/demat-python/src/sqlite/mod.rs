//! SQLite databases, for the Python code of tables and queries.
//!
//! The GIL is released while SQLite works. Callers that share a connection between threads must serialize its use.

mod build;
mod database;
mod migration;
mod param;
mod table;

pub(crate) use build::build_database;
pub(crate) use database::Database;
pub(crate) use migration::Migration;
pub(crate) use table::{TableColumn, quoted_name, table_sql};

use pyo3::prelude::*;

/// Runs work with the GIL released, and checks for signals.
fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> demat_core::Result<T> + Send) -> PyResult<T> {
    crate::signals::apart(py, work)
}
