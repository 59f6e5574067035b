//! An open directory.

use super::collection::Collection;
use super::failed;
use super::held::Held;
use super::transaction::{Reading, State, Transaction};
use crate::bounded::Bounded;
use crate::encode::apart;
use demat_core::Result;
use demat_lmdb::{Options, Sync};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::thread;

/// An environment; the base of `demat.lmdb.Environment`.
#[pyclass(frozen, name = "LmdbEnvironment", module = "demat._native")]
pub(crate) struct Environment {
    open: Held<Option<demat_lmdb::Environment>>,
}

impl Environment {
    /// Returns the environment, if it is open.
    pub(crate) fn native(&self, py: Python<'_>) -> PyResult<demat_lmdb::Environment> {
        match &*self.open.get(py)? {
            Some(environment) => Ok(environment.clone()),
            None => Err(PyValueError::new_err("the environment is closed")),
        }
    }
}

/// A reader: its transaction's number, the transactions behind the last one, its seconds, and its process.
type Reads = (u64, u64, Option<f64>, u32);

/// Runs LMDB's work without the GIL, on the same thread.
pub(super) fn detached<T>(py: Python<'_>, work: impl FnOnce() -> Result<T>) -> PyResult<T> {
    // SAFETY: the callers pass work of the crate `demat-lmdb` without any Python object.
    unsafe { apart(py, work) }.map_err(|error| failed(py, error))
}

#[pymethods]
impl Environment {
    #[new]
    #[pyo3(signature = (path, map_size, max_collections, max_readers, readonly, create, sync))]
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // one parameter per option; PyO3 passes values
    fn new(
        py: Python<'_>,
        path: PathBuf,
        map_size: Option<Bounded<usize>>,
        max_collections: u32,
        max_readers: u32,
        readonly: bool,
        create: bool,
        sync: &str,
    ) -> PyResult<Self> {
        let sync = match sync {
            "full" => Sync::Full,
            "data" => Sync::Data,
            "off" => Sync::Off,
            other => {
                return Err(PyValueError::new_err(format!("sync is \"full\", \"data\" or \"off\", not {other:?}")));
            }
        };
        let map_size = map_size.map(|size| size.0);
        let options = Options { map_size, max_collections, max_readers, readonly, create, sync };
        let environment = detached(py, || demat_lmdb::Environment::open(&path, &options))?;
        Ok(Self { open: Held::new(Some(environment)) })
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let environment = self.open.get(py)?.take();
        // SAFETY: no Python object is in there.
        unsafe { apart(py, || drop(environment)) };
        Ok(())
    }

    #[getter]
    fn closed(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.open.get(py)?.is_none())
    }

    /// Begins a transaction. Waits while another one writes.
    fn begin(&self, py: Python<'_>, write: bool) -> PyResult<Transaction> {
        let environment = self.native(py)?;
        if write {
            let writing = detached(py, || environment.write())?;
            return Ok(Transaction::new(State::Writing(writing, thread::current().id())));
        }
        let snapshot = environment.read().map_err(|error| failed(py, error))?;
        Ok(Transaction::new(State::Reading(Reading::new(py, snapshot)?)))
    }

    /// Returns the names of the collections.
    fn collections(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let environment = self.native(py)?;
        environment.read().and_then(|snapshot| environment.collections(&snapshot)).map_err(|error| failed(py, error))
    }

    /// Opens or makes a collection.
    #[pyo3(signature = (name, r#type, list, key, function, encoding, compression))]
    #[allow(clippy::too_many_arguments)] // mirrors the Python signature
    fn collection(
        &self,
        py: Python<'_>,
        name: &str,
        r#type: Option<&Bound<'_, PyAny>>,
        list: Option<&Bound<'_, PyAny>>,
        key: Option<&Bound<'_, PyAny>>,
        function: Option<Py<PyAny>>,
        encoding: Option<&str>,
        compression: Option<&str>,
    ) -> PyResult<Collection> {
        Collection::open(py, &self.native(py)?, name, (r#type, list), key, function, (encoding, compression))
    }

    fn drop_collection(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        let environment = self.native(py)?;
        detached(py, || environment.drop_collection(name))
    }

    /// Returns the number, the transactions behind the last one, the seconds, and the process of each reader.
    fn readers(&self, py: Python<'_>) -> PyResult<Vec<Reads>> {
        let readers = self.native(py)?.readers().map_err(|error| failed(py, error))?;
        let seconds = |reader: &demat_lmdb::Reader| reader.age.map(|age| age.as_secs_f64());
        Ok(readers.iter().map(|own| (own.transaction, own.behind, seconds(own), own.process)).collect())
    }

    /// Returns the sizes of the map and the file, the number of the last transaction, the places for readers that are
    /// in use and all of them, and the length of the longest key.
    fn info(&self, py: Python<'_>) -> PyResult<(usize, u64, u64, u32, u32, usize)> {
        let environment = self.native(py)?;
        let file = environment.file_size().map_err(|error| failed(py, error))?;
        let (used, all) = environment.reader_places();
        Ok((environment.map_size(), file, environment.last_transaction(), used, all, environment.max_key()))
    }

    fn clear_stale_readers(&self, py: Python<'_>) -> PyResult<usize> {
        self.native(py)?.clear_stale_readers().map_err(|error| failed(py, error))
    }

    fn resize(&self, py: Python<'_>, size: Bounded<usize>) -> PyResult<()> {
        self.native(py)?.resize(size.0).map_err(|error| failed(py, error))
    }

    fn sync(&self, py: Python<'_>) -> PyResult<()> {
        let environment = self.native(py)?;
        detached(py, || environment.sync())
    }

    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    fn copy_to(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let environment = self.native(py)?;
        detached(py, || environment.copy_to(&path))
    }
}
