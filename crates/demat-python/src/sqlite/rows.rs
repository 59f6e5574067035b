//! Rows of a statement, as objects.

use super::detached;
use crate::collector::Paused;
use crate::decode::{self, DecodeOptions};
use crate::error::exception;
use crate::format::Format;
use crate::plan::Plan;
use demat_sqlite::{Batch, RowSource, Statement, Stored};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::sync::{Mutex, TryLockError};

/// The rows of a statement that are still to come, some at a time.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Rows {
    /// Of a list of the rows' type.
    plan: Option<Py<Plan>>,
    open: Mutex<Option<Open>>,
}

struct Open {
    statement: Statement,
    batch: Batch,
    stored: Vec<Stored>,
    taken: u64,
}

impl Rows {
    pub(super) fn new(statement: Statement, plan: Option<Py<Plan>>, stored: Vec<Stored>) -> Self {
        let batch = Batch::new(demat_sqlite::Rows::columns(&statement).into());
        Self { plan, open: Mutex::new(Some(Open { statement, batch, stored, taken: 0 })) }
    }
}

#[pymethods]
impl Rows {
    /// The next rows, a list of them; None where there are no more.
    pub(super) fn take<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut open = match self.open.try_lock() {
            Ok(open) => open,
            Err(TryLockError::Poisoned(open)) => open.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err("the rows are being read, by a hook further up or another thread"));
            }
        };
        // It is put back when all went well: rows that failed don't go on.
        let Some(mut own) = open.take() else { return Ok(None) };
        let (more, mut own) = detached(py, move || own.batch.fill(&mut own.statement).map(|more| (more, own)))?;
        if own.batch.rows() == 0 {
            return Ok(None);
        }
        let program = match &self.plan {
            Some(plan) => &plan.get().program,
            None => decode::untyped(),
        };
        let options = DecodeOptions::new(Format::Json);
        let rows = own.batch.rows() as u64;
        let source = RowSource::new(&mut own.batch, &own.stored).after(own.taken);
        let paused = Paused::for_input(usize::MAX);
        let decoded = decode::whole(py, source, program, &options);
        drop(paused);
        let decoded = decoded.map(|object| object.into_bound(py)).map_err(|failure| exception(py, failure))?;
        own.taken += rows;
        if more {
            *open = Some(own);
        }
        Ok(Some(decoded))
    }

    /// Ends the statement.
    fn close(&self) {
        if let Ok(mut open) = self.open.try_lock() {
            *open = None;
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plan)
    }
}
