//! Transactions.

use super::failed;
use super::held::Held;
use super::scan::Cell;
use crate::encode::apart;
use crate::lazy::Owner;
use demat_core::Result;
use demat_lmdb::{Reads, Snapshot, Writing};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::rc::Weak;
use std::thread::{self, ThreadId};

/// A transaction of an environment. The Python code holds those that are open, for each thread.
#[pyclass(frozen, weakref, name = "LmdbTransaction", module = "demat._native")]
pub(crate) struct Transaction {
    state: Held<State>,
}

pub(super) enum State {
    Reading(Reading),
    Writing(Writing, ThreadId),
    Ended,
}

/// A snapshot, and what depends on it.
pub(super) struct Reading {
    pub(super) snapshot: Snapshot,
    /// The owner of the pages, for all views.
    pub(super) owner: Py<Owner>,
    /// The scans to end with it.
    pub(super) scans: Vec<Weak<Cell>>,
}

/// Keeps a snapshot for the views of its pages.
#[pyclass(frozen, name = "LmdbKeeper", module = "demat._native")]
pub(crate) struct Keeper {
    _snapshot: Held<Snapshot>,
}

impl Reading {
    pub(super) fn new(py: Python<'_>, snapshot: Snapshot) -> PyResult<Self> {
        let keeper = Bound::new(py, Keeper { _snapshot: Held::new(snapshot.clone()) })?;
        let owner = Py::new(py, Owner::of_pages(keeper.into_any()))?;
        Ok(Self { snapshot, owner, scans: Vec::new() })
    }
}

impl Transaction {
    pub(super) fn new(state: State) -> Self {
        Self { state: Held::new(state) }
    }

    /// Runs a change.
    ///
    /// # Errors
    /// `ValueError` if the transaction only reads, or has ended; `RuntimeError` in another thread.
    pub(super) fn write<T>(&self, py: Python<'_>, work: impl FnOnce(&mut Writing) -> Result<T>) -> PyResult<T> {
        match &mut *self.state.get(py)? {
            State::Writing(writing, thread) => {
                check(*thread)?;
                work(writing).map_err(|error| failed(py, error))
            }
            State::Reading(_) => {
                Err(PyValueError::new_err("the transaction only reads; begin one with write=True to change something"))
            }
            State::Ended => Err(ended()),
        }
    }

    /// Runs work with the state, of a transaction that has not ended.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub(super) fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut State) -> PyResult<T>) -> PyResult<T> {
        let mut state = self.state.get(py)?;
        match &*state {
            State::Writing(_, thread) => check(*thread)?,
            State::Reading(_) => {}
            State::Ended => return Err(ended()),
        }
        work(&mut state)
    }
}

fn check(thread: ThreadId) -> PyResult<()> {
    if thread == thread::current().id() {
        return Ok(());
    }
    Err(PyRuntimeError::new_err("a transaction that writes belongs to the thread that began it"))
}

#[cold]
fn ended() -> PyErr {
    PyValueError::new_err("the transaction has ended")
}

#[pymethods]
impl Transaction {
    /// The number of the transaction whose state is read.
    #[getter]
    fn number(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |state| {
            Ok(match state {
                State::Reading(reading) => reading.snapshot.number(),
                State::Writing(writing, _) => writing.number(),
                State::Ended => 0,
            })
        })
    }

    /// Whether it writes.
    #[getter]
    fn writes(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |state| Ok(matches!(state, State::Writing(..))))
    }

    /// Begins a transaction within it.
    fn nest(&self, py: Python<'_>) -> PyResult<()> {
        self.write(py, Writing::nest)
    }

    /// Ends the innermost transaction.
    fn end(&self, py: Python<'_>, commit: bool) -> PyResult<()> {
        let mut state = self.state.get(py)?;
        match &mut *state {
            State::Writing(writing, thread) => {
                check(*thread)?;
                // SAFETY: LMDB's work, without any Python object. The closure runs on this thread.
                let done = unsafe { apart(py, || if commit { writing.commit() } else { writing.undo() }) };
                if writing.depth() == 0 {
                    *state = State::Ended;
                }
                done.map_err(|error| failed(py, error))
            }
            State::Reading(reading) => {
                // First, since it fails while a buffer of a view is in use.
                reading.owner.get().release()?;
                for scan in reading.scans.drain(..).filter_map(|scan| scan.upgrade()) {
                    scan.end();
                }
                *state = State::Ended;
                Ok(())
            }
            State::Ended => Err(ended()),
        }
    }
}

impl Drop for Transaction {
    /// A lock that another thread holds can't be released from here: it stays until that thread ends. This happens only
    /// to a transaction that was begun and never ended, and whose last reference another thread drops.
    fn drop(&mut self) {
        if let Some(mut state) = self.state.peek()
            && matches!(&*state, State::Writing(_, thread) if *thread != thread::current().id())
        {
            core::mem::forget(core::mem::replace(&mut *state, State::Ended));
        }
    }
}
