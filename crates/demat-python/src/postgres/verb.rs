//! Writes rows to a table by a verb.

use super::writer::Detached;
use demat_core::{Result, Sink};
use demat_postgres::{Connection, Numbered, RowWriter, Table, TableSink, Update, Upsert};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// What is done with rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verb {
    Insert,
    /// As insert, and the ids of the new rows are returned.
    Number,
    Upsert,
    Update,
}

impl Verb {
    /// # Errors
    /// `ValueError` for another name.
    pub(super) fn parse(name: &str) -> PyResult<Self> {
        Ok(match name {
            "insert" => Self::Insert,
            "number" => Self::Number,
            "upsert" => Self::Upsert,
            "update" => Self::Update,
            _ => return Err(PyValueError::new_err(format!("there is no verb {name:?}"))),
        })
    }
}

/// A verb under way, within a transaction.
pub(super) enum Begun {
    Insert(Connection, Table, u64),
    Number(Connection, Numbered, u64),
    Upsert(Connection, Upsert),
    Update(Update),
}

impl Begun {
    pub(super) fn new(connection: &Connection, table: Table, verb: Verb) -> Result<Self> {
        let own = connection.clone();
        Ok(match verb {
            Verb::Insert => Self::Insert(own, table, 0),
            Verb::Number => Self::Number(own, Numbered::begin(connection, &table)?, 0),
            Verb::Upsert => Self::Upsert(own, Upsert::begin(connection, &table)?),
            Verb::Update => Self::Update(Update::begin(connection, &table)?),
        })
    }

    /// Writes rows. What was not finished ends before this returns an error.
    pub(super) fn write(self, py: Python<'_>, write: impl FnOnce(&mut dyn Sink) -> PyResult<()>) -> PyResult<Self> {
        Ok(match self {
            Self::Insert(connection, table, _) => {
                let rows = written(py, &table, connection.copy_in(&table), write)?.1;
                Self::Insert(connection, table, rows)
            }
            Self::Number(connection, numbered, _) => {
                let table = numbered.gathered();
                let rows = written(py, table, connection.copy_in(table), write)?.1;
                Self::Number(connection, numbered, rows)
            }
            Self::Upsert(connection, upsert) => {
                let table = upsert.gathered();
                written(py, table, connection.copy_in(table), write)?;
                Self::Upsert(connection, upsert)
            }
            Self::Update(update) => {
                let table = update.gathered().clone();
                Self::Update(written(py, &table, update, write)?.0)
            }
        })
    }

    /// Returns the number of rows, and the ids of new ones.
    pub(super) fn finish(self) -> Result<(u64, Vec<i64>)> {
        match self {
            Self::Insert(_, _, rows) => Ok((rows, Vec::new())),
            Self::Update(update) => Ok((update.rows(), Vec::new())),
            Self::Upsert(_, upsert) => Ok((upsert.finish()?, Vec::new())),
            Self::Number(_, numbered, rows) => Ok((rows, numbered.finish()?)),
        }
    }
}

/// Writes rows to a table. Returns the writer, and their number.
fn written<W: RowWriter + Send>(
    py: Python<'_>,
    table: &Table,
    writer: W,
    write: impl FnOnce(&mut dyn Sink) -> PyResult<()>,
) -> PyResult<(W, u64)> {
    let mut sink = TableSink::new(Arc::new(table.clone()), Detached::new(py, writer));
    write(&mut sink)?;
    let rows = sink.rows();
    Ok((sink.into_writer().into_inner(), rows))
}
