//! Builds database files page by page.

use super::table::of_description;
use crate::bounded::Bounded;
use crate::encode::{EncodeOptions, apart, build_rows};
use crate::error::{Failure, exception};
use crate::format::Format;
use demat_sqlite::TableOptions;
use demat_sqlite::build::{Builder, Options};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A table to build: its name, the description of its rows, their type and the rows.
type Wanted<'py> = (String, Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Builds a database file with tables and their rows; returns the number of rows.
#[pyfunction]
#[pyo3(signature = (path, tables, page_size, durable, replace))]
#[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
pub(crate) fn build_database<'py>(
    py: Python<'py>,
    path: PathBuf,
    tables: Vec<Wanted<'py>>,
    page_size: Bounded<usize>,
    durable: bool,
    replace: bool,
) -> PyResult<u64> {
    let Bounded(page_size) = page_size;
    let options = Options { page_size, durable, replace, ..Options::default() };
    let (mut sql, mut told) = (String::new(), Vec::new());
    for (name, root, records, type_, values) in tables {
        let table = of_description(&name, &root, &records, &TableOptions::default())?;
        sql = table.create().iter().fold(sql, |sql, statement| sql + statement + ";\n");
        told.push((
            values,
            EncodeOptions::of_type(Some(&type_), Some("sql"))?.written_as(Format::DEFAULT),
            Arc::new(table),
        ));
    }
    let located = |error| exception(py, Failure::from(error));
    // SAFETY: a builder consists of memory and files only, here and below.
    let mut builder = unsafe { apart(py, || Builder::create(&path, &sql, &options)) }.map_err(located)?;
    let mut rows = 0;
    for (values, options, table) in &told {
        let own = builder.rows(&table.name).map_err(located)?;
        rows += build_rows(values, options, table, own)?;
    }
    // SAFETY: as above.
    unsafe { apart(py, || builder.finish()) }.map_err(located)?;
    Ok(rows)
}
