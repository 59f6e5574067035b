//! A connection to a database.

use super::detached;
use super::migration::Migration;
use super::param::params;
use super::table::{TableColumn, of_description, record_of};
use crate::bounded::Bounded;
use crate::columns::{Columns, of_columns, of_rows};
use crate::encode::{EncodeOptions, apart, build_accepted, build_rows, encode_rows, tell_rows};
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::plan::{plan_at, plan_of};
use crate::read::{OnError, Reader, reader_of_rows};
use crate::shapes::described;
use demat_core::{Error, ErrorKind, Shape};
use demat_sqlite::build::{Load, Options, Refusal};
use demat_sqlite::scan::PagedRows;
use demat_sqlite::{Allow, OpenOptions, RowSource, Select, Statement, TableOptions, Transaction, Verb, Writer, row_of};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A connection to a database; the base of `demat.sqlite.Database`.
#[pyclass(frozen, module = "demat._native", name = "Database")]
pub(crate) struct Database {
    open: Mutex<Option<demat_sqlite::Database>>,
    transactions: Mutex<Vec<Transaction>>,
}

impl Database {
    /// Returns the connection, if it is open.
    pub(crate) fn get(&self) -> PyResult<demat_sqlite::Database> {
        match &*locked(&self.open) {
            Some(database) => Ok(database.clone()),
            None => Err(PyValueError::new_err("the database is closed")),
        }
    }

    fn statement(&self, py: Python<'_>, sql: &str, values: Option<&Bound<'_, PyAny>>) -> PyResult<Statement> {
        let database = self.get()?;
        let mut statement = detached(py, || database.statement(sql))?;
        let values = params(&statement, values)?;
        statement.bind_all(&values).map_err(|error| exception(py, Failure::from(error)))?;
        Ok(statement)
    }

    /// Returns an existing table, whose columns store the values of a type.
    fn table_of(&self, py: Python<'_>, name: &str, type_: Option<&Bound<'_, PyAny>>) -> PyResult<demat_sqlite::Table> {
        let database = self.get()?;
        let table = detached(py, || database.existing(name))?;
        let plan = type_.map(|type_| plan_at(type_, None, Some("sql"))).transpose()?;
        let shape = plan.map(|plan| plan.get().program.shape(py)).transpose()?;
        let row = shape.as_ref().and_then(row_of);
        let record = row.as_ref().map(demat_core::RecordRef::get);
        Ok(table.for_record(record.as_deref()))
    }
}

/// What the shape of rows is wanted for.
#[derive(Clone, Copy)]
struct Wanted<'o> {
    /// Whether the declared datetimes are refined by the kinds that occur, for formats whose fields hold only one kind.
    observed: bool,
    /// The columns that the shape is for.
    columns: &'o demat_arrow::Options,
}

impl Database {
    /// Returns the rows of a statement, and the shape of a list of them: that of a type, or the tables' declarations.
    fn shaped(
        &self,
        py: Python<'_>,
        sql: &str,
        values: Option<&Bound<'_, PyAny>>,
        type_: Option<&Bound<'_, PyAny>>,
        whole: Option<(String, Vec<String>)>,
        Wanted { observed, columns }: Wanted<'_>,
    ) -> PyResult<(RowSource<PagedRows>, Shape)> {
        let statement = self.statement(py, sql, values)?;
        let shape = match type_ {
            Some(type_) => plan_of(type_)?.get().program.shape_of_columns(py, columns)?,
            None => Shape::record(statement.record().map_err(|error| exception(py, Failure::from(error)))?),
        };
        let shape = match row_of(&shape) {
            Some(record) if observed && statement.is_readonly() => {
                let (database, values) = (self.get()?, params(&statement, values)?);
                detached(py, || database.observed(sql, &values, &record.get()).map(Shape::record))?
            }
            _ => shape,
        }
        .list();
        let row = row_of(&shape);
        let record = row.as_ref().map(demat_core::RecordRef::get);
        let named = statement.check_names();
        named.map_err(|error| exception(py, Failure::from(error)))?;
        let stored = statement.stored_as(record.as_deref());
        Ok((RowSource::new(self.selected(py, statement, whole, true)?, &stored), shape))
    }

    /// Returns the rows of a statement: directly from a table's pages if it selects the whole table.
    fn selected(
        &self,
        py: Python<'_>,
        statement: Statement,
        whole: Option<(String, Vec<String>)>,
        at_once: bool,
    ) -> PyResult<PagedRows> {
        let Some((table, columns)) = whole else { return Ok(statement.into()) };
        let database = self.get()?;
        detached(py, || Ok(PagedRows::of_table(statement, &database, &table, &columns, at_once)))
    }
}

/// The contents are consistent even after a panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl Database {
    #[new]
    #[pyo3(signature = (path, readonly, create, timeout))]
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    fn new(py: Python<'_>, path: PathBuf, readonly: bool, create: bool, timeout: f64) -> PyResult<Self> {
        let timeout = Duration::try_from_secs_f64(timeout)
            .map_err(|_| PyValueError::new_err(format!("timeout must be seconds from 0 on, not {timeout}")))?;
        let options = OpenOptions { readonly, create, timeout, ..OpenOptions::default() };
        let database = detached(py, || demat_sqlite::Database::open_with(&path, options))?;
        Ok(Self { open: Mutex::new(Some(database)), transactions: Mutex::default() })
    }

    /// Closes the connection; open transactions are rolled back.
    fn close(&self, py: Python<'_>) {
        let transactions = core::mem::take(&mut *locked(&self.transactions));
        let database = locked(&self.open).take();
        py.detach(|| {
            transactions.into_iter().rev().for_each(drop);
            drop(database);
        });
    }

    #[getter]
    fn closed(&self) -> bool {
        locked(&self.open).is_none()
    }

    /// Allows statements only to read, from now on, and all together for some seconds.
    fn restrict(&self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        let time = Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err(format!("the time is in seconds from 0 on, not {seconds}")))?;
        let database = self.get()?;
        detached(py, || database.restrict(time))
    }

    /// Returns the names of the parameters of a statement that only reads; `None` for one without a name.
    fn parameters(&self, py: Python<'_>, sql: &str) -> PyResult<Vec<Option<String>>> {
        let database = self.get()?;
        let statement = detached(py, || database.statement(sql))?;
        // SQLite asks the authorizer about `VACUUM` only when it runs.
        if !statement.is_readonly() {
            let error = Error::new(ErrorKind::Store, "the statement changes the database");
            return Err(exception(py, Failure::from(error)));
        }
        Ok((0..statement.parameters()).map(|parameter| statement.parameter_name(parameter)).collect())
    }

    /// Returns the names of the tables.
    fn tables(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let database = self.get()?;
        detached(py, || database.tables())
    }

    /// Creates the table for a description, or checks the existing one. With `migrate`, which says whether columns may be
    /// dropped and narrowed, migrates it.
    #[pyo3(signature = (name, root, records, strict, without_rowid, indexes, unique, migrate))]
    #[allow(clippy::too_many_arguments)] // one parameter per option
    fn make(
        &self,
        py: Python<'_>,
        name: &str,
        root: &Bound<'_, PyAny>,
        records: &Bound<'_, PyAny>,
        strict: bool,
        without_rowid: bool,
        indexes: Vec<Vec<String>>,
        unique: Vec<Vec<String>>,
        migrate: Option<(bool, bool)>,
    ) -> PyResult<()> {
        let database = self.get()?;
        let options = TableOptions { strict, without_rowid, indexes, unique };
        if let Some((drop, narrow)) = migrate {
            let record = record_of(root, records)?;
            return detached(py, || database.migrated(name, &record, &options, Allow { drop, narrow }).map(|_| ()));
        }
        let wanted = of_description(name, root, records, &options)?;
        detached(py, || match database.find(name)? {
            Some(there) => wanted.check(&there).map_err(|error| error.in_place(database.name().to_string())),
            None => database.create(&wanted),
        })
    }

    /// Plans how the table becomes that of a description.
    #[pyo3(signature = (name, root, records, strict, without_rowid, indexes, unique))]
    #[allow(clippy::too_many_arguments)] // one parameter per option
    fn migration(
        &self,
        py: Python<'_>,
        name: &str,
        root: &Bound<'_, PyAny>,
        records: &Bound<'_, PyAny>,
        strict: bool,
        without_rowid: bool,
        indexes: Vec<Vec<String>>,
        unique: Vec<Vec<String>>,
    ) -> PyResult<Migration> {
        let database = self.get()?;
        let record = record_of(root, records)?;
        let options = TableOptions { strict, without_rowid, indexes, unique };
        detached(py, || database.migration(name, &record, &options)).map(Migration::new)
    }

    /// Returns the description of an existing table's rows.
    fn describe<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let database = self.get()?;
        let record = detached(py, || database.existing(name)?.record())?;
        described(py, &Shape::record(record))
    }

    /// Returns the columns of an existing table, whose rows are of a type.
    #[pyo3(signature = (name, r#type))]
    fn columns(&self, py: Python<'_>, name: &str, r#type: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<TableColumn>> {
        let table = self.table_of(py, name, r#type)?;
        let strict = table.strict;
        Ok(table.columns.into_iter().map(|column| TableColumn::new(column, strict)).collect())
    }

    /// Returns the SELECT statement for rows of a table, which are of a type: that says how they are sorted.
    #[pyo3(signature = (name, r#type, columns, filter, order, limit, offset))]
    #[allow(clippy::too_many_arguments)] // one parameter per option
    fn select(
        &self,
        py: Python<'_>,
        name: &str,
        r#type: Option<&Bound<'_, PyAny>>,
        columns: Vec<String>,
        filter: Option<String>,
        order: Vec<(String, bool)>,
        limit: Option<Bounded<u64>>,
        offset: Option<Bounded<u64>>,
    ) -> PyResult<String> {
        let table = self.table_of(py, name, r#type)?;
        let (limit, offset) = (limit.map(|limit| limit.0), offset.map(|offset| offset.0));
        let select = Select { columns, filter, values: Vec::new(), order, limit, offset };
        detached(py, || select.sql(&table).map(|(sql, _)| sql))
    }

    /// Executes a statement; returns the number of changed rows.
    #[pyo3(signature = (sql, values))]
    fn execute(&self, py: Python<'_>, sql: &str, values: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
        let database = self.get()?;
        let mut statement = self.statement(py, sql, values)?;
        detached(py, move || database.run(&mut statement))
    }

    /// Returns a reader of a statement's rows, as objects of a type; without one, as dicts.
    ///
    /// `whole`: the statement selects all rows of a table: its name, and the columns.
    #[pyo3(signature = (sql, values, r#type, whole, recycle, lock))]
    #[allow(clippy::too_many_arguments)] // one parameter per option
    fn rows(
        &self,
        py: Python<'_>,
        sql: &str,
        values: Option<&Bound<'_, PyAny>>,
        r#type: Option<&Bound<'_, PyAny>>,
        whole: Option<(String, Vec<String>)>,
        recycle: bool,
        lock: &Bound<'_, PyAny>,
    ) -> PyResult<Reader> {
        let statement = self.statement(py, sql, values)?;
        let plan = r#type.map(|type_| plan_at(type_, None, Some("sql"))).transpose()?;
        let shape = plan.as_ref().map(|plan| plan.get().program.shape(py)).transpose()?;
        let row = shape.as_ref().and_then(row_of);
        let record = row.as_ref().map(demat_core::RecordRef::get);
        let named = statement.check_names();
        named.map_err(|error| exception(py, Failure::from(error)))?;
        let stored = statement.stored_as(record.as_deref());
        let rows = self.selected(py, statement, whole, false)?;
        reader_of_rows(rows, &stored, plan, recycle, lock)
    }

    /// Encodes the rows of a statement one by one, without creating objects. `made`: no type was passed, so it is
    /// derived from the rows if the format needs one.
    #[pyo3(signature = (sql, values, r#type, made, whole, format, options))]
    #[allow(clippy::too_many_arguments)] // one parameter per option
    fn encode<'py>(
        &self,
        py: Python<'py>,
        sql: &str,
        values: Option<&Bound<'py, PyAny>>,
        r#type: Option<&Bound<'py, PyAny>>,
        made: bool,
        whole: Option<(String, Vec<String>)>,
        format: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format = crate::format::find(format)?;
        let options = EncodeOptions::parse(format, options)?;
        let observed = made && (format.is_columnar() || format.needs_type());
        let columns = demat_arrow::Options::default();
        let (mut rows, shape) = self.shaped(py, sql, values, r#type, whole, Wanted { observed, columns: &columns })?;
        encode_rows(py, format, &options, &mut rows, &shape)
    }

    /// Returns the rows of a statement as columns, without creating objects, using a number of threads. `made` as for
    /// `encode`.
    #[pyo3(signature = (sql, values, r#type, made, whole, threads, options))]
    #[allow(clippy::too_many_arguments)] // one parameter per option
    fn arrow(
        &self,
        py: Python<'_>,
        sql: &str,
        values: Option<&Bound<'_, PyAny>>,
        r#type: Option<&Bound<'_, PyAny>>,
        made: bool,
        whole: Option<(String, Vec<String>)>,
        threads: Option<Bounded<usize>>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Columns> {
        let options = of_columns(options)?;
        let threads = threads.map(|threads| threads.0);
        let (rows, shape) =
            self.shaped(py, sql, values, r#type, whole, Wanted { observed: made, columns: &options })?;
        of_rows(py, rows, &shape, threads, &options)
    }

    /// Writes values to a table. Returns the number of added, changed or deleted rows, and the rowids of the inserted
    /// ones if requested.
    #[pyo3(signature = (name, values, r#type, verb, every, ids))]
    #[allow(clippy::too_many_arguments)] // mirrors the Python signature
    fn tell(
        &self,
        py: Python<'_>,
        name: &str,
        values: &Bound<'_, PyAny>,
        r#type: Option<&Bound<'_, PyAny>>,
        verb: &str,
        every: Option<Bounded<u64>>,
        ids: bool,
    ) -> PyResult<(u64, Vec<i64>)> {
        let every = every.map(|every| every.0);
        let database = self.get()?;
        let verb = match verb {
            "insert" => Verb::Insert,
            "upsert" => Verb::Upsert,
            "update" => Verb::Update,
            _ => Verb::Delete,
        };
        let options = EncodeOptions::of_type(r#type, Some("sql"))?.written_as(Format::DEFAULT);
        let (table, writer) = detached(py, || {
            let table = Arc::new(database.existing(name)?);
            if ids && (table.without_rowid || !table.key.is_empty() && table.rowid().is_none()) {
                let message =
                    format!("SQLite gives the rows of `{name}` no numbers that they go by: they have their own key");
                return Err(Error::new(ErrorKind::Store, message));
            }
            let transaction = database.transaction()?;
            let writer = Writer::new(database, Arc::clone(&table), verb).within(transaction, every);
            Ok((table, if ids { writer.with_ids() } else { writer }))
        })?;
        tell_rows(values, &options, &table, writer)
    }

    /// Builds an empty table page by page; returns the number of rows.
    ///
    /// If the table can't be built this way, returns the reason as a str, and does nothing.
    /// With `on_error`, which holds that option and `rejects`, values that are refused may be left out; then the values
    /// are pairs of index and value.
    #[pyo3(signature = (name, values, r#type, on_error=None))]
    fn load<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        values: &Bound<'py, PyAny>,
        r#type: Option<&Bound<'py, PyAny>>,
        on_error: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let database = self.get()?;
        let options = EncodeOptions::of_type(r#type, Some("sql"))?.written_as(Format::DEFAULT);
        let on_error = on_error.map(OnError::parse).transpose()?;
        let found = detached(py, || {
            let table = Arc::new(database.existing(name)?);
            // Checked in advance, so that no value of an iterator is consumed in vain.
            let may =
                database.with_connection(|own| Load::new(own, "main", &table.name, &Options::default()).map(drop));
            match may {
                Ok(()) => Ok((table, None)),
                Err(error) if Refusal::of(&error).is_some() => Ok((table, Some(error.reason()))),
                Err(error) => Err(error),
            }
        })?;
        let table = match found {
            (_, Some(refusal)) => return Ok(refusal.into_pyobject(py)?.into_any()),
            (table, None) => table,
        };
        let located = |error| exception(py, Failure::from(error));
        let loaded = database.with_connection(|connection| {
            // SAFETY: a load consists of memory, files and SQLite objects only, here and below.
            let load = unsafe { apart(py, || Load::new(connection, "main", &table.name, &Options::default())) };
            let mut load = match load {
                Ok(load) => load,
                Err(error) => return Ok(Err(located(error))),
            };
            let rows = match load.rows() {
                Ok(rows) => match &on_error {
                    None => build_rows(values, &options, &table, rows),
                    Some(on_error) => build_accepted(values, &options, &table, rows, on_error),
                },
                Err(error) => Err(located(error)),
            };
            Ok(rows.and_then(|rows| {
                // SAFETY: as above.
                unsafe { apart(py, || load.finish()) }.map_err(located)?;
                Ok(rows)
            }))
        });
        Ok(loaded.map_err(located)??.into_pyobject(py)?.into_any())
    }

    /// Begins a transaction.
    fn begin(&self, py: Python<'_>) -> PyResult<()> {
        let database = self.get()?;
        let transaction = detached(py, || database.transaction())?;
        locked(&self.transactions).push(transaction);
        Ok(())
    }

    /// Commits or rolls back the innermost transaction.
    fn end(&self, py: Python<'_>, commit: bool) -> PyResult<()> {
        let Some(transaction) = locked(&self.transactions).pop() else {
            return Err(PyValueError::new_err("there is no transaction to end"));
        };
        detached(py, move || {
            if commit {
                return transaction.commit();
            }
            drop(transaction);
            Ok(())
        })
    }

    /// Interrupts the statements of other threads on this connection; they fail with an error.
    fn interrupt(&self) -> PyResult<()> {
        self.get()?.interrupt();
        Ok(())
    }
}
