//! Builds the pages of a table from objects.

use super::EncodeOptions;
use super::rows::{Outcome, located, tell_to};
use crate::error::{Failure, exception};
use crate::read::OnError;
use demat_core::{Error, ErrorKind, Result};
use demat_sqlite::build::Rows;
use demat_sqlite::{Batch, Cell, Pages, RowWriter, Table};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
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

/// Builds a table from pairs of index and value, one by one, without those that are refused. Returns the number of rows.
///
/// # Errors
/// The first refused value, if they stop; errors that are not of one value; what the callable that collects raises.
pub(crate) fn build_accepted(
    values: &Bound<'_, PyAny>,
    options: &EncodeOptions,
    table: &Arc<Table>,
    rows: Rows<'_>,
    on_error: &OnError,
) -> PyResult<u64> {
    let py = values.py();
    let own = |error: Error| exception(py, Failure::from(error));
    let mut turns = Turns { py, pages: Pages::new(rows), rows: 0, raised: None };
    let mut accepted = 0;
    for pair in values.try_iter()? {
        let (index, value): (usize, Bound<'_, PyAny>) = pair?.extract()?;
        let one = PyTuple::new(py, [&value])?;
        let outcome = tell_to(one.as_any(), options, table, Unended(&mut turns)).1;
        if let Some(raised) = turns.raised.take() {
            return Err(raised);
        }
        match outcome {
            Outcome::Written => {
                if let Err(error) = turns.settle() {
                    return Err(turns.raised.take().unwrap_or_else(|| own(error)));
                }
                accepted += 1;
            }
            Outcome::Failed(error, raised) => {
                let lacks_place = error.kind() == ErrorKind::Store && is_within(&error);
                let error = error.behind_items(index).in_record(index as u64 + 1);
                let failure = Failure::one(error, raised);
                let goes_on = on_error.goes_on() && (lacks_place || failure.is_about_the_data(py));
                let error = exception(py, failure);
                if !goes_on {
                    return Err(error);
                }
                turns.undo().map_err(own)?;
                on_error.hand_over_object(error.value(py), &value)?;
            }
            Outcome::Raised(raised) => return Err(raised),
        }
    }
    turns.end().map_err(own)?;
    Ok(accepted)
}

/// Whether an error is of a part of a value: the table has no place for a field.
fn is_within(error: &Error) -> bool {
    error.path().matches(['[', '.']).count() > 1
}

/// Rows to which more are added: the end of the values that were told is not theirs.
struct Unended<'t, T>(&'t mut T);

impl<T: RowWriter> RowWriter for Unended<'_, T> {
    const DIRECT: bool = T::DIRECT;

    fn begin_row(&mut self) -> Result<()> {
        self.0.begin_row()
    }

    fn put(&mut self, column: usize, value: Cell<'_>) -> Result<()> {
        self.0.put(column, value)
    }

    fn end_row(&mut self) -> Result<()> {
        self.0.end_row()
    }

    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        self.0.take(batch)
    }

    fn mark(&mut self) -> Result<()> {
        self.0.mark()
    }

    fn settle(&mut self) -> Result<()> {
        self.0.settle()
    }

    fn undo(&mut self) -> Result<()> {
        self.0.undo()
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
            return Err(Error::new(ErrorKind::Store, "a signal came"));
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
