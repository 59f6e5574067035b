//! SQL for tables of classes.

use crate::error::{Failure, exception};
use crate::plan::Program;
use demat_core::{Record, Shape};
use demat_sqlite::{Affinity, Stored, Table, TableOptions, row_of, shape_of_declared};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Returns the table for a description.
pub(super) fn of_description(
    name: &str,
    root: &Bound<'_, PyAny>,
    records: &Bound<'_, PyAny>,
    options: &TableOptions,
) -> PyResult<Table> {
    let table = Table::of(name, &record_of(root, records)?, options);
    table.map_err(|error| exception(root.py(), Failure::from(error)))
}

/// Returns the record of a described class.
pub(super) fn record_of(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<Record> {
    let py = root.py();
    let description = PyTuple::new(py, [root, records])?;
    let shape: Shape = Program::compile(description.as_any())?.whole_shape(py)?;
    let Some(record) = row_of(&shape) else {
        return Err(PyTypeError::new_err(format!("a table is of a class with fields, and this is a {}", shape.name())));
    };
    let record = record.get().clone();
    Ok(record)
}

/// Returns the statements that create the table for a description, with a semicolon and a line break after each.
#[pyfunction]
pub(crate) fn table_sql(name: &str, root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<String> {
    let table = of_description(name, root, records, &TableOptions::default())?;
    Ok(table.create().iter().fold(String::new(), |text, statement| text + statement + ";\n"))
}

/// Returns SQL that compares a column with placeholders (`?` or `:name`), and how often the placeholder of a single
/// value occurs in it. For several values, the column must equal one of them.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // PyO3 passes it by value
pub(crate) fn compared(column: &str, declared: &str, several: bool, values: Vec<String>) -> (String, usize) {
    let stored = Stored::of(&shape_of_declared(declared), Some(declared));
    match &*values {
        [value] if !several => demat_sqlite::compared(column, stored, "=", value),
        _ => (demat_sqlite::among(column, stored, &values), 1),
    }
}

/// Returns whether a column of this declared type stores ints as decimal text of any length.
#[pyfunction]
pub(crate) fn keeps_digits(declared: &str) -> bool {
    Affinity::of(declared, false) == Affinity::Text
}

/// Quotes an SQL identifier.
#[pyfunction]
pub(crate) fn quoted_name(name: &str) -> String {
    demat_sqlite::quoted(name)
}
