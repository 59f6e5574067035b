//! SQL for tables of classes.

use crate::error::{Failure, exception};
use crate::plan::Program;
use demat_core::{Record, Shape};
use demat_sqlite::{Affinity, Column, Stored, Table, TableOptions, keeps_digits, row_of};
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

/// A column of an existing table, and how it stores the values of a class.
#[pyclass(frozen, module = "demat._native")]
#[derive(Debug)]
pub(crate) struct TableColumn {
    name: String,
    declared: String,
    stored: Stored,
    affinity: Affinity,
}

impl TableColumn {
    pub(super) fn new(column: Column, strict: bool) -> Self {
        let affinity = column.affinity(strict);
        Self { name: column.name, declared: column.declared, stored: column.stored, affinity }
    }
}

#[pymethods]
impl TableColumn {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Whether an int of more than 64 bits is stored as text, and so compared as one.
    #[getter]
    fn keeps_digits(&self) -> bool {
        self.stored == Stored::Decimal || keeps_digits(&self.declared)
    }

    /// Returns SQL that compares the column with placeholders (`?` or `:name`), and how often each of them occurs in it,
    /// one after the other. With `several`, the column must equal one of the values.
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes it by value
    fn compared(&self, several: bool, values: Vec<String>) -> (String, usize) {
        let name = demat_sqlite::quoted(&self.name);
        match &*values {
            [value] if !several => demat_sqlite::compared(&name, self.stored, self.affinity, "=", value),
            _ => demat_sqlite::among(&name, self.stored, self.affinity, &values),
        }
    }
}

/// Quotes an SQL identifier.
#[pyfunction]
pub(crate) fn quoted_name(name: &str) -> String {
    demat_sqlite::quoted(name)
}
