//! Rows go into a table that is built as pages.

use crate::batch::{Batch, Cell, too_big};
use crate::build::Rows;
use crate::database::Database;
use crate::failure::{failed, refused};
use crate::write::Taker;
use demat_core::{Error, Result};
use rusqlite::Connection;

/// Takes batches of rows for a table that is [built](crate::build).
///
/// What was taken can't be taken back one by one: a build is all of it or nothing.
#[derive(Debug)]
pub struct Pages<'b> {
    rows: Option<Rows<'b>>,
    taken: u64,
    /// What a column that is not told has, where the table says.
    defaults: Box<[bool]>,
}

impl<'b> Pages<'b> {
    /// A taker for a table's rows; `defaults` says which columns have a default that is not NULL.
    pub fn new(rows: Rows<'b>, defaults: Box<[bool]>) -> Self {
        Self { rows: Some(rows), taken: 0, defaults }
    }

    fn push(&mut self, batch: &Batch) -> Result<()> {
        let Some(rows) = &mut self.rows else { return Err(refused("the table was finished before")) };
        let mut cells = Vec::new();
        for row in 0..batch.rows() {
            cells.clear();
            for (column, cell) in batch.row(row).iter().enumerate() {
                cells.push(match *cell {
                    Cell::Missing if self.defaults.get(column).is_some_and(|default| *default) => {
                        return Err(untold(self.taken, column));
                    }
                    Cell::Missing | Cell::Null => crate::Cell::Null,
                    Cell::Int(value) => crate::Cell::Int(value),
                    Cell::Real(value) => crate::Cell::Real(value),
                    Cell::Blob { start, len } => crate::Cell::Blob(batch.bytes(start, len)),
                    Cell::Text { start, len } => {
                        let text = core::str::from_utf8(batch.bytes(start, len)).map_err(|_| too_big())?;
                        crate::Cell::Text(text)
                    }
                });
            }
            rows.push(&cells)?;
            self.taken += 1;
        }
        Ok(())
    }

    /// Builds what is left of the table; gives how many rows it has got.
    ///
    /// # Errors
    /// Where a key comes again, and what the system says.
    pub fn finish(&mut self) -> Result<u64> {
        if let Some(rows) = self.rows.take() {
            rows.finish()?;
        }
        Ok(self.taken)
    }
}

#[cold]
fn untold(taken: u64, column: usize) -> Error {
    let message = format!("the column {} has a default, and a table that is built has to be told it", column + 1);
    refused(message).within_item(taken as usize).in_record(taken + 1)
}

impl Taker for Pages<'_> {
    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        let taken = self.push(batch);
        batch.clear();
        taken
    }

    fn mark(&mut self) -> Result<()> {
        Ok(())
    }

    fn settle(&mut self) -> Result<()> {
        Ok(())
    }

    fn undo(&mut self) -> Result<()> {
        Err(refused("a part of a table that is built can't be taken back"))
    }

    fn end(&mut self) -> Result<()> {
        self.finish().map(drop)
    }
}

impl Database {
    /// Does something with this connection as `rusqlite` has it.
    ///
    /// # Errors
    /// What is done says.
    pub fn with_connection<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        // SAFETY: the connection is open as long as `self` is borrowed, and one that is made so does not close it.
        let connection = unsafe { Connection::from_handle(self.as_ptr()) };
        let connection = connection.map_err(|_| failed(rusqlite::ffi::SQLITE_MISUSE, None))?;
        work(&connection)
    }
}
