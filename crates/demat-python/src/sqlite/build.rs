//! A database built as pages.

use super::table::of_description;
use crate::encode::{EncodeOptions, build_rows};
use demat_sqlite::build::{Builder, Options};
use demat_sqlite::{Pages, TableOptions};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A table that is to be built: its name, the description of its rows, their type and the rows.
type Wanted<'py> = (String, Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Builds a database file of tables, each of which gets rows; gives how many these were.
#[pyfunction]
#[pyo3(signature = (path, tables, page_size, durable, replace))]
#[allow(clippy::needless_pass_by_value)] // as Python gives them
pub(crate) fn build_database<'py>(
    py: Python<'py>,
    path: PathBuf,
    tables: Vec<Wanted<'py>>,
    page_size: usize,
    durable: bool,
    replace: bool,
) -> PyResult<u64> {
    let options = Options { page_size, durable, replace, ..Options::default() };
    let (mut sql, mut names, mut told) = (String::new(), Vec::new(), Vec::new());
    for (name, root, records, type_, values) in tables {
        let table = of_description(&name, &root, &records, &TableOptions::default())?;
        sql = table.create().iter().fold(sql, |sql, statement| sql + statement + ";\n");
        names.push((table.name.clone(), table.defaults()));
        told.push((values, EncodeOptions::of_type(Some(&type_))?, Arc::new(table)));
    }
    build_rows(py, &told, move |told| {
        let mut builder = Builder::create(&path, &sql, &options)?;
        let mut rows = 0;
        for (name, defaults) in names {
            let mut pages = Pages::new(builder.rows(&name)?, defaults);
            told.table(&mut pages)?;
            rows += pages.finish()?;
        }
        told.finish()?;
        builder.finish()?;
        Ok(rows)
    })
}
