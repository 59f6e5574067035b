//! Builds the pages of a table from objects.

use super::EncodeOptions;
use super::rows::{Outcome, located, tell_to};
use crate::error::{Failure, exception};
use demat_core::Result;
use demat_sqlite::build::Rows;
use demat_sqlite::{Batch, Cell, Pages, RowWriter, Table};
use pyo3::prelude::*;
use std::sync::Arc;

/// Builds a table from values: each goes from its object directly into the page.
///
/// # Errors
/// If a value can't be encoded or its row is refused, or an exception is raised while a value is read. Nothing is built
/// then.
pub(crate) fn build_rows(
    values: &Bound<'_, PyAny>,
    options: &EncodeOptions,
    table: &Arc<Table>,
    rows: Rows<'_>,
) -> PyResult<u64> {
    let py = values.py();
    let turns = Turns { py, pages: Pages::new(rows), rows: 0, raised: None };
    match tell_to(values, options, table, turns) {
        (turns, Outcome::Written) => Ok(turns.rows),
        (Turns { raised: Some(own), .. }, Outcome::Failed(..)) => Err(own),
        (_, Outcome::Failed(error, raised)) => Err(exception(py, Failure::one(located(error), raised))),
        (_, Outcome::Raised(raised)) => Err(raised),
    }
}

/// The number of rows after which the GIL is released for other threads: some tenths of a millisecond.
const TURN: u64 = 4096;

/// Builds pages, and releases the GIL between rows: no Python object is borrowed there.
struct Turns<'py, 'b> {
    py: Python<'py>,
    pages: Pages<'b>,
    rows: u64,
    /// The exception of a signal handler.
    raised: Option<PyErr>,
}

/// A value that never leaves this thread.
struct SameThread<T>(T);

// SAFETY: only passed to `Python::detach`, which calls its argument on the same thread: nothing is sent to another one.
// Without the GIL, Python objects must not be used; the callers guarantee that the value contains none.
unsafe impl<T> Send for SameThread<T> {}

/// Runs a function without the GIL.
///
/// # Safety
/// The function must not use Python objects.
pub(crate) unsafe fn apart<T>(py: Python<'_>, work: impl FnOnce() -> T) -> T {
    let work = SameThread(work);
    let done = py.detach(move || {
        let work = work;
        SameThread((work.0)())
    });
    done.0
}

impl Turns<'_, '_> {
    #[cold]
    fn turn(&mut self) -> Result<()> {
        self.py.detach(|| ());
        if let Err(raised) = self.py.check_signals() {
            self.raised = Some(raised);
            return Err(demat_core::Error::new(demat_core::ErrorKind::Store, "a signal came"));
        }
        Ok(())
    }
}

impl RowWriter for Turns<'_, '_> {
    const DIRECT: bool = true;

    #[inline]
    fn begin_row(&mut self) -> Result<()> {
        self.pages.begin_row()
    }

    #[inline]
    fn put(&mut self, column: usize, value: Cell<'_>) -> Result<()> {
        self.pages.put(column, value)
    }

    #[inline]
    fn end_row(&mut self) -> Result<()> {
        self.rows += 1;
        self.pages.end_row()
    }

    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        self.pages.take(batch)
    }

    fn mark(&mut self) -> Result<()> {
        self.pages.mark()
    }

    #[inline]
    fn settle(&mut self) -> Result<()> {
        self.pages.settle()?;
        if self.rows.is_multiple_of(TURN) { self.turn() } else { Ok(()) }
    }

    fn undo(&mut self) -> Result<()> {
        self.pages.undo()
    }

    fn end(&mut self) -> Result<()> {
        let pages = &mut self.pages;
        // SAFETY: pages consist of memory and files only.
        unsafe { apart(self.py, || pages.end()) }
    }
}
