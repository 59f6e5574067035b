//! A connection to a database.

use super::detached;
use super::param::params;
use super::verb::{Begun, Verb};
use crate::columns::{Columns, of_columns, of_source};
use crate::encode::{EncodeOptions, encode_source, write_rows};
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::plan::{Program, plan_at, plan_of};
use crate::read::{Reader, reader_of_batches};
use crate::shapes::described;
use demat_core::{Error, Record, Shape};
use demat_postgres::{Address, Connection, Definition, RowSource, Rows, TableName, Transaction, record_of};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A connection to a database; the base of `demat.postgres.Database`.
#[pyclass(frozen, module = "demat._native", name = "PostgresDatabase")]
pub(crate) struct PostgresDatabase {
    open: Mutex<Option<Connection>>,
    transactions: Mutex<Vec<Transaction>>,
    /// The address without the password.
    shown: String,
}

/// What a connection had open. Transactions are dropped before it, in their order.
struct Ended {
    _transactions: Vec<Transaction>,
    _connection: Option<Connection>,
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        let ended = self.ended();
        // The server may have to be waited for.
        Python::try_attach(|py| py.detach(|| drop(ended)));
    }
}

/// The contents are consistent even after a panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PostgresDatabase {
    /// Returns the open connection.
    pub(crate) fn connection(&self) -> PyResult<Connection> {
        self.get()
    }

    /// Returns the address of an open connection, with its password.
    pub(crate) fn address_of(&self) -> PyResult<Address> {
        Ok(self.get()?.address().clone())
    }

    fn get(&self) -> PyResult<Connection> {
        match &*locked(&self.open) {
            Some(connection) => Ok(connection.clone()),
            None => Err(PyValueError::new_err("the database is closed")),
        }
    }

    /// Takes what is open. Dropping it rolls back, the innermost transaction first.
    fn ended(&self) -> Ended {
        let mut transactions = core::mem::take(&mut *locked(&self.transactions));
        transactions.reverse();
        Ended { _transactions: transactions, _connection: locked(&self.open).take() }
    }

    /// Returns the rows of a statement: by COPY if it has no parameters and `copied` says that it can be.
    fn rows_of(
        &self,
        py: Python<'_>,
        sql: &str,
        values: Option<&Bound<'_, PyAny>>,
        copied: bool,
    ) -> PyResult<Box<dyn Rows + Send>> {
        let connection = self.get()?;
        if copied {
            return detached(py, || Ok(Box::new(connection.copy_out(sql)?) as Box<dyn Rows + Send>));
        }
        let statement = detached(py, || connection.prepare(sql))?;
        let values = params(&statement, values)?;
        detached(py, || Ok(Box::new(statement.query(&values)?) as Box<dyn Rows + Send>))
    }

    /// Returns the source of a statement's rows, and the shape of a list of them.
    fn shaped(
        &self,
        py: Python<'_>,
        sql: &str,
        values: Option<&Bound<'_, PyAny>>,
        type_: Option<&Bound<'_, PyAny>>,
        copied: bool,
        columns: &demat_arrow::Options,
    ) -> PyResult<(RowSource<Box<dyn Rows + Send>>, Shape)> {
        let rows = self.rows_of(py, sql, values, copied)?;
        let own = record_of(rows.columns()).map_err(|error| exception(py, Failure::from(error)))?;
        let shape = match type_ {
            Some(type_) => plan_of(type_)?.get().program.shape_of_columns(py, columns)?,
            None => Shape::record(own),
        };
        Ok((RowSource::new(rows), shape.list()))
    }
}

/// Returns the record of a described class.
fn described_record(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<Record> {
    let py = root.py();
    let description = PyTuple::new(py, [root, records])?;
    let shape: Shape = Program::compile(description.as_any())?.whole_shape(py)?;
    let Some(record) = shape.row() else {
        return Err(PyTypeError::new_err(format!("a table is of a class with fields, and this is a {}", shape.name())));
    };
    let record = record.get().clone();
    Ok(record)
}

#[pymethods]
impl PostgresDatabase {
    #[new]
    fn new(py: Python<'_>, url: &str) -> PyResult<Self> {
        let connection = detached(py, || Connection::open(&Address::parse(url)?))?;
        let shown = connection.address().to_string();
        Ok(Self { open: Mutex::new(Some(connection)), transactions: Mutex::default(), shown })
    }

    /// Returns another connection to the same database.
    fn beside(&self, py: Python<'_>) -> PyResult<Self> {
        let address = self.address_of()?;
        let connection = detached(py, || Connection::open(&address))?;
        Ok(Self { open: Mutex::new(Some(connection)), transactions: Mutex::default(), shown: self.shown.clone() })
    }

    /// The address without the password.
    #[getter]
    fn address(&self) -> &str {
        &self.shown
    }

    /// Closes the connection; open transactions are rolled back.
    fn close(&self, py: Python<'_>) {
        let ended = self.ended();
        py.detach(|| drop(ended));
    }

    #[getter]
    fn closed(&self) -> bool {
        locked(&self.open).is_none()
    }

    /// Returns the names of the tables.
    fn tables(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let connection = self.get()?;
        detached(py, || connection.tables())
    }

    /// Creates the table for a description if it does not exist and `create` is set, or checks the existing one.
    fn make(
        &self,
        py: Python<'_>,
        name: &str,
        root: &Bound<'_, PyAny>,
        records: &Bound<'_, PyAny>,
        create: bool,
    ) -> PyResult<()> {
        let connection = self.get()?;
        let record = described_record(root, records)?;
        detached(py, || {
            let located = |error: Error| error.in_place(connection.address().to_string());
            let name = TableName::parse(name)?;
            let wanted = Definition::of(name.clone(), &record)?;
            if !create {
                return wanted.check(&connection.existing(&name)?).map_err(located);
            }
            let transaction = connection.transaction()?;
            match connection.find(&name)? {
                Some(there) => wanted.check(&there).map_err(located)?,
                None => drop(connection.create(&wanted)?),
            }
            transaction.commit()
        })
    }

    /// Returns the description of an existing table's rows.
    fn describe<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let connection = self.get()?;
        let record = detached(py, || connection.existing(&TableName::parse(name)?)?.record())?;
        described(py, &Shape::record(record))
    }

    /// Returns the name in SQL of an existing table, the name and the type of each of its columns, and the names of those
    /// of its key.
    #[allow(clippy::type_complexity)] // a tuple for Python
    fn columns(&self, py: Python<'_>, name: &str) -> PyResult<(String, Vec<(String, String)>, Vec<String>)> {
        let connection = self.get()?;
        let table = detached(py, || connection.existing(&TableName::parse(name)?))?;
        let columns = table.columns.into_iter().map(|column| (column.name, column.own.name)).collect();
        Ok((table.quoted, columns, table.key))
    }

    /// Executes a statement; returns the number of changed rows.
    #[pyo3(signature = (sql, values))]
    fn execute(&self, py: Python<'_>, sql: &str, values: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
        let connection = self.get()?;
        let statement = detached(py, || connection.prepare(sql))?;
        let values = params(&statement, values)?;
        detached(py, || statement.execute(&values))
    }

    /// Returns a reader of a statement's rows, as objects of a type; without one, as dicts.
    #[pyo3(signature = (sql, values, r#type, copied, recycle, lock))]
    #[allow(clippy::too_many_arguments)] // one parameter per option
    fn rows(
        &self,
        py: Python<'_>,
        sql: &str,
        values: Option<&Bound<'_, PyAny>>,
        r#type: Option<&Bound<'_, PyAny>>,
        copied: bool,
        recycle: bool,
        lock: &Bound<'_, PyAny>,
    ) -> PyResult<Reader> {
        let plan = r#type.map(|type_| plan_at(type_, None, Some("sql"))).transpose()?;
        let rows = self.rows_of(py, sql, values, copied)?;
        record_of(rows.columns()).map_err(|error| exception(py, Failure::from(error)))?;
        reader_of_batches(rows, plan, recycle, lock)
    }

    /// Encodes the rows of a statement one by one, without creating objects.
    #[pyo3(signature = (sql, values, r#type, copied, format, options))]
    #[allow(clippy::too_many_arguments)] // one parameter per option
    fn encode<'py>(
        &self,
        py: Python<'py>,
        sql: &str,
        values: Option<&Bound<'py, PyAny>>,
        r#type: Option<&Bound<'py, PyAny>>,
        copied: bool,
        format: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format = crate::format::find(format)?;
        let options = EncodeOptions::parse(format, options)?;
        let columns = demat_arrow::Options::default();
        let (mut rows, shape) = self.shaped(py, sql, values, r#type, copied, &columns)?;
        let encoded = encode_source(py, format, &options, &mut rows, &shape);
        // The end of the statement may wait for the server; likewise below.
        py.detach(|| drop(rows));
        encoded
    }

    /// Returns the rows of a statement as columns, without creating objects.
    #[pyo3(signature = (sql, values, r#type, copied, options))]
    #[allow(clippy::too_many_arguments)] // mirrors the Python signature
    fn arrow(
        &self,
        py: Python<'_>,
        sql: &str,
        values: Option<&Bound<'_, PyAny>>,
        r#type: Option<&Bound<'_, PyAny>>,
        copied: bool,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Columns> {
        let options = of_columns(options)?;
        let (mut rows, shape) = self.shaped(py, sql, values, r#type, copied, &options)?;
        let made = of_source(py, &mut rows, &shape, &options);
        py.detach(|| drop(rows));
        made
    }

    /// Writes values to a table by a verb: all of them or none. Returns the number of rows, and the ids of new ones.
    #[pyo3(signature = (name, values, r#type, verb))]
    fn tell(
        &self,
        py: Python<'_>,
        name: &str,
        values: &Bound<'_, PyAny>,
        r#type: Option<&Bound<'_, PyAny>>,
        verb: &str,
    ) -> PyResult<(u64, Vec<i64>)> {
        let connection = self.get()?;
        let options = EncodeOptions::of_type(r#type, Some("sql"))?.written_as(Format::DEFAULT);
        let verb = Verb::parse(verb)?;
        let (begun, transaction) = detached(py, || {
            let table = connection.existing(&TableName::parse(name)?)?;
            let transaction = connection.transaction()?;
            Ok((Begun::new(&connection, table, verb)?, transaction))
        })?;
        let written = begun.write(py, |sink| write_rows(values, &options, sink));
        match written {
            Ok(begun) => detached(py, || {
                let told = begun.finish()?;
                transaction.commit()?;
                Ok(told)
            }),
            Err(raised) => {
                py.detach(|| drop(transaction));
                Err(raised)
            }
        }
    }

    /// Makes the triggers of a table that tell its changes, or removes them.
    fn notify(&self, py: Python<'_>, name: &str, on: bool) -> PyResult<()> {
        let connection = self.get()?;
        detached(py, || {
            let table = connection.existing(&TableName::parse(name)?)?;
            if on { connection.tell_changes(&table) } else { connection.tell_no_changes(&table) }
        })
    }

    /// Begins a transaction.
    fn begin(&self, py: Python<'_>) -> PyResult<()> {
        let connection = self.get()?;
        let transaction = detached(py, || connection.transaction())?;
        locked(&self.transactions).push(transaction);
        Ok(())
    }

    /// Commits or rolls back the innermost transaction.
    fn end(&self, py: Python<'_>, commit: bool) -> PyResult<()> {
        let Some(transaction) = locked(&self.transactions).pop() else {
            return Err(PyValueError::new_err("there is no transaction to end"));
        };
        detached(py, move || if commit { transaction.commit() } else { transaction.rollback() })
    }

    /// Ends what the server does for other threads on this connection.
    fn interrupt(&self, py: Python<'_>) -> PyResult<()> {
        let connection = self.get()?;
        detached(py, || connection.cancel())
    }
}
