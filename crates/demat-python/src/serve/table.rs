//! Creates stores of tables and databases that Python code has opened.

use crate::error::{Failure, exception};
use crate::plan::{Face, Program, plan_for};
use crate::sqlite::Database;
use demat_core::Shape;
use demat_place::Host;
use demat_sqlite_store::{Table, TableOptions, tables};
use demat_store::Store;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// Returns the full shape of a description, and its constraints and validators.
pub(super) fn whole_shape(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<(Shape, Host)> {
    let description = PyTuple::new(root.py(), [root, records])?;
    let plan = plan_for(description.as_any())?;
    plan.get().program.without_arrays("a store")?;
    Ok((plan.get().program.stored_shape(root.py())?, Program::host(&plan, Face::Written)?))
}

/// Creates the store of a table, for rows of a shape; or of all tables of a database.
pub(super) fn stored(
    py: Python<'_>,
    database: &Bound<'_, Database>,
    name: Option<&str>,
    shape: Option<&(Shape, Host)>,
    options: &TableOptions,
) -> PyResult<Arc<dyn Store>> {
    let (database, no_host) = (database.get().get()?, Host::default());
    let made = py.detach(|| -> demat_core::Result<(Arc<dyn Store>, Vec<String>)> {
        let Some(name) = name else {
            let tables = tables(&database, options)?;
            let notes = tables.notes().to_vec();
            return Ok((Arc::new(tables), notes));
        };
        let there = database.existing(name)?;
        let (shape, host) = shape.map_or((None, &no_host), |(shape, host)| (Some(shape), host));
        Ok((Arc::new(Table::of_host(&database, there, shape, host, options)?), Vec::new()))
    });
    let (made, notes) = made.map_err(|error| exception(py, Failure::from(error)))?;
    warn(py, &notes)?;
    Ok(made)
}

/// Logs what is served under another name, or not at all.
pub(super) fn warn(py: Python<'_>, notes: &[String]) -> PyResult<()> {
    if notes.is_empty() {
        return Ok(());
    }
    let log = py.import("logging")?.call_method1("getLogger", ("demat",))?;
    notes.iter().try_for_each(|note| log.call_method1("warning", ("%s", note)).map(drop))
}
