//! Creates stores of tables and databases of PostgreSQL that Python code has opened.

use crate::error::{Failure, exception};
use crate::postgres::PostgresDatabase;
use demat_core::Shape;
use demat_place::Host;
use demat_postgres_store::{Base, BaseOptions, Table, tables};
use demat_store::Store;
use pyo3::prelude::*;
use std::sync::Arc;

/// Creates the store of a table, for rows of a shape; or of all tables of a database. It has connections of its own.
pub(super) fn stored(
    py: Python<'_>,
    database: &Bound<'_, PostgresDatabase>,
    name: Option<&str>,
    shape: Option<&(Shape, Host)>,
) -> PyResult<Arc<dyn Store>> {
    let (address, no_host) = (database.get().address_of()?, Host::default());
    let made = py.detach(|| -> demat_core::Result<(Arc<dyn Store>, Vec<String>)> {
        let base = Base::open(&address, &BaseOptions::default())?;
        let Some(name) = name else {
            let tables = tables(&base)?;
            let notes = tables.notes().to_vec();
            return Ok((Arc::new(tables), notes));
        };
        let (shape, host) = shape.map_or((None, &no_host), |(shape, host)| (Some(shape), host));
        Ok((Arc::new(Table::of_host(&base, name, shape, host)?), Vec::new()))
    });
    let (made, notes) = made.map_err(|error| exception(py, Failure::from(error)))?;
    super::table::warn(py, &notes)?;
    Ok(made)
}
