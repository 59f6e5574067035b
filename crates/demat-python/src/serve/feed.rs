//! The changes of a store, for the Python code of a watch.

use super::store::{Store, detached, reference};
use core::time::Duration;
use demat_core::{Error, ErrorKind};
use demat_http::value_tag;
use demat_place::Format;
use demat_store::{ChangeFeed, Query, Reference, UpdateKind, Waited};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// The changes of a store at a reference and below it.
#[pyclass(frozen, module = "demat._native", name = "StoreFeed")]
pub(crate) struct StoreFeed {
    feed: ChangeFeed,
    store: Arc<dyn demat_store::Store>,
}

#[pymethods]
impl StoreFeed {
    /// Subscribes. At most `limit` changes wait; one more, and a reset replaces them.
    #[new]
    fn new(py: Python<'_>, store: &Bound<'_, Store>, at: &str, limit: usize) -> PyResult<Self> {
        let (store, at) = (store.get().own(), reference(py, at)?);
        let feed = detached(py, || {
            let feed = ChangeFeed::open(Arc::clone(&store), &at, limit)?;
            feed.ok_or_else(|| Error::new(ErrorKind::Store, "the store does not report changes"))
        })?;
        Ok(Self { feed, store })
    }

    /// Waits for a change, at most so many seconds. Returns its kind and reference, or None.
    fn wait(&self, py: Python<'_>, seconds: f64) -> PyResult<Option<(&'static str, String)>> {
        let most = Duration::try_from_secs_f64(seconds).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let Waited::Update(update) = py.detach(|| self.feed.wait(most)) else { return Ok(None) };
        let kind = match update.kind {
            UpdateKind::Put => "put",
            UpdateKind::Delete => "delete",
            UpdateKind::Reset => "reset",
        };
        Ok(Some((kind, update.at.to_string())))
    }

    /// Returns the value at a reference as JSON, and the tag of its version, if the store has versions.
    fn value<'py>(&self, py: Python<'py>, at: &str) -> PyResult<(Bound<'py, PyBytes>, Option<String>)> {
        let at: Reference = reference(py, at)?;
        let (bytes, version) = detached(py, || {
            // Before the value, which may then be newer than its version, but never older.
            let version = self.store.version(&at)?;
            Ok((self.store.encoded(&at, &Query::default(), Format::DEFAULT, usize::MAX)?, version))
        })?;
        let tag = version.map(|version| value_tag(version, Format::DEFAULT));
        Ok((PyBytes::new(py, &bytes.unwrap_or_default()), tag))
    }

    /// Closes it. The subscription ends when `wait` returns.
    fn close(&self) {
        self.feed.close();
    }

    #[getter]
    fn closed(&self) -> bool {
        self.feed.is_closed()
    }
}
