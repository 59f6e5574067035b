//! Writes rows to a table that is built page by page.

use crate::Cell;
use crate::batch::Batch;
use crate::build::Rows;
use crate::database::Database;
use crate::failure::{failed, refused};
use crate::write::RowWriter;
use demat_core::{Error, Result, Sink};
use rusqlite::Connection;

/// A row writer for a table that is [built](crate::build).
#[derive(Debug)]
pub struct Pages<'b> {
    rows: Option<Rows<'b>>,
}

impl<'b> Pages<'b> {
    /// Creates a row writer for a table's rows.
    pub fn new(rows: Rows<'b>) -> Self {
        Self { rows: Some(rows) }
    }

    #[inline(always)]
    fn rows(&mut self) -> Result<&mut Rows<'b>> {
        self.rows.as_mut().ok_or_else(finished)
    }
}

#[cold]
fn finished() -> Error {
    refused("the table was finished before")
}

impl RowWriter for Pages<'_> {
    const DIRECT: bool = true;

    #[inline]
    fn begin_row(&mut self) -> Result<()> {
        self.rows()?.open()
    }

    #[inline]
    fn put(&mut self, column: usize, value: Cell<'_>) -> Result<()> {
        self.rows()?.put(column, value)
    }

    #[inline]
    fn end_row(&mut self) -> Result<()> {
        self.rows()?.close()
    }

    fn take(&mut self, _: &mut Batch) -> Result<()> {
        Err(refused("a table that is built takes no batches"))
    }

    fn mark(&mut self) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn settle(&mut self) -> Result<()> {
        Sink::commit(self.rows()?)
    }

    fn undo(&mut self) -> Result<()> {
        Sink::rollback(self.rows()?)
    }

    /// Completes the table.
    fn end(&mut self) -> Result<()> {
        self.rows.take().map_or(Ok(()), Rows::finish)
    }
}

impl Database {
    /// Calls a function with this connection as one of `rusqlite`.
    ///
    /// # Errors
    /// The error of the function.
    pub fn with_connection<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        // SAFETY: the connection is open as long as `self` is borrowed, and a `rusqlite` connection created from a
        // handle does not close it.
        let connection = unsafe { Connection::from_handle(self.as_ptr()) };
        let connection = connection.map_err(|_| failed(rusqlite::ffi::SQLITE_MISUSE, None))?;
        work(&connection)
    }
}
