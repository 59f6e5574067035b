//! Databases of SQLite, for the Python that makes tables and queries of them.
//!
//! The GIL is released while SQLite works. Whoever uses a connection from several threads sees to it that they take turns.

mod build;
mod database;
mod param;
mod table;

pub(crate) use build::build_database;
pub(crate) use database::Database;
pub(crate) use table::{compared, keeps_digits, quoted_name, table_sql};

use pyo3::prelude::*;

/// Does what takes a while, while others have the interpreter.
fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> demat_core::Result<T> + Send) -> PyResult<T> {
    crate::signals::apart(py, work)
}
