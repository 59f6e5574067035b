//! Listens to changes of one table, for the Python code of a watch.

use super::database::PostgresDatabase;
use super::detached;
use crate::error::{Failure, exception};
use core::time::Duration;
use demat_core::{Error, ErrorKind, Value};
use demat_postgres::{Listener, TableName, Told};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A connection that hears of the changes of a table.
#[pyclass(frozen, module = "demat._native", name = "PostgresListener")]
pub(crate) struct PostgresListener {
    open: Mutex<Option<Listener>>,
    at: (String, String),
}

/// What was told: JSON with the keys of the rows, or none.
type Keys = Option<Vec<u8>>;

#[pymethods]
impl PostgresListener {
    /// Connects to the server of a database. The table must tell its changes.
    #[new]
    fn new(py: Python<'_>, database: &Bound<'_, PostgresDatabase>, name: &str) -> PyResult<Self> {
        let (connection, address) = (database.get().connection()?, database.get().address_of()?);
        let (open, at) = detached(py, || {
            let table = connection.existing(&TableName::parse(name)?)?;
            // Heard before it is looked up: nothing is missed in between.
            let open = Listener::open(&address)?;
            if !connection.is_told(&table)? {
                let message = format!("the table `{name}` does not tell its changes: call `notify` of it first");
                return Err(Error::new(ErrorKind::Store, message));
            }
            let own = table.table_name()?;
            Ok((open, (own.schema.unwrap_or_default(), own.name)))
        })?;
        Ok(Self { open: Mutex::new(Some(open)), at })
    }

    /// Waits for changes, at most so many seconds. Each is JSON with the keys of the rows, `{"put": …, "delete": …}`, or
    /// None if anything may have changed.
    fn wait(&self, py: Python<'_>, seconds: f64) -> PyResult<Vec<Keys>> {
        let most = Duration::try_from_secs_f64(seconds).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let told = py.detach(|| {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.as_mut().map(|listener| listener.wait(most)).unwrap_or_default()
        });
        told.iter().filter_map(|told| self.keys(told)).map(|keys| encoded(py, &keys)).collect()
    }

    /// Ends it.
    fn close(&self, py: Python<'_>) {
        let open = py.detach(|| self.open.lock().unwrap_or_else(PoisonError::into_inner).take());
        py.detach(|| drop(open));
    }
}

impl PostgresListener {
    /// Returns the keys of a change, null if they are not known; `None` if another table has changed.
    fn keys(&self, told: &Told) -> Option<Value> {
        let Told::Rows(change) = told else { return Some(Value::Null) };
        if change.at != self.at {
            return None;
        }
        let list = |keys: &demat_postgres::Keys| Value::List(keys.iter().cloned().map(Value::List).collect());
        let entry = |name: &'static str, keys| (Value::Text(name.into()), list(keys));
        Some(match &change.keys {
            Some((puts, deletes)) => Value::Map(vec![entry("put", puts), entry("delete", deletes)]),
            None => Value::Null,
        })
    }
}

fn encoded(py: Python<'_>, keys: &Value) -> PyResult<Keys> {
    if *keys == Value::Null {
        return Ok(None);
    }
    demat_formats::json::encode(keys).map(Some).map_err(|error| exception(py, Failure::from(error)))
}
