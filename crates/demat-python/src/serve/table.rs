//! Tables and databases of Python's, as stores.

use crate::error::{Failure, exception};
use crate::plan::Program;
use crate::sqlite::Database;
use demat_core::Shape;
use demat_store::{Store, Table, TableOptions, Tables};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// The shape of a description, with all that is known.
pub(super) fn whole_shape(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<Shape> {
    let py = root.py();
    let description = PyTuple::new(py, [root, records])?;
    Program::compile(description.as_any())?.whole_shape(py)
}

/// A table of a database, of rows of a shape; or all of its tables.
pub(super) fn stored(
    py: Python<'_>,
    database: &Bound<'_, Database>,
    name: Option<&str>,
    shape: Option<&Shape>,
    options: &TableOptions,
) -> PyResult<Arc<dyn Store>> {
    let database = database.get().get()?;
    let made = py.detach(|| -> demat_core::Result<Arc<dyn Store>> {
        Ok(match name {
            Some(name) => {
                let there = database.existing(name)?;
                Arc::new(Table::there(&database, there, shape, options)?)
            }
            None => Arc::new(Tables::of(&database, options)?),
        })
    });
    made.map_err(|error| exception(py, Failure::from(error)))
}
