//! Subscriptions to the changes of a store that the program wrote.

use super::program_store::Kept;
use demat_store::{Change, Reference, Verb, Watcher};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// What a store's method `watch` calls for each change: `tell(path, verb="put")`.
#[pyclass(frozen, module = "demat._native")]
pub(super) struct Tell {
    /// `None` after the end of the subscription.
    watcher: Mutex<Option<Watcher>>,
}

impl Tell {
    pub(super) fn new(watcher: Watcher) -> Self {
        Self { watcher: Mutex::new(Some(watcher)) }
    }
}

#[pymethods]
impl Tell {
    #[pyo3(signature = (path, verb = "put"))]
    fn __call__(&self, py: Python<'_>, path: Vec<String>, verb: &str) -> PyResult<()> {
        let named = Verb::ALL.into_iter().find(|own| own.name() == verb && *own != Verb::Get);
        let verb = named.ok_or_else(|| PyValueError::new_err(format!("nothing is changed by the verb {verb:?}")))?;
        let watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Arc::clone);
        if let Some(watcher) = watcher {
            py.detach(|| watcher(&Change { verb, at: Reference::of(path) }));
        }
        Ok(())
    }
}

/// A subscription. Dropping it calls what the method `watch` returned.
pub(super) struct Watching {
    pub(super) tell: Kept,
    pub(super) end: Kept,
}

impl Drop for Watching {
    fn drop(&mut self) {
        // If the interpreter has ended, so has the store.
        let _ = Python::try_attach(|py| {
            if let Ok(tell) = self.tell.bind(py).cast::<Tell>() {
                drop(tell.get().watcher.lock().unwrap_or_else(PoisonError::into_inner).take());
            }
            let end = self.end.bind(py);
            if !end.is_none()
                && let Err(raised) = end.call0()
            {
                raised.display(py);
            }
        });
    }
}
