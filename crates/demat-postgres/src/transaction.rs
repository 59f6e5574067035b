//! Transactions, which are rolled back unless they are committed.

use crate::connection::Connection;
use core::sync::atomic::Ordering;
use demat_core::Result;
use std::sync::PoisonError;

/// A transaction. Dropping it without [`commit`](Self::commit) rolls it back.
#[derive(Debug)]
#[must_use = "dropping a transaction rolls it back"]
pub struct Transaction {
    connection: Connection,
    /// The number of transactions that it is within.
    level: u32,
    open: bool,
}

impl Transaction {
    /// Returns a transaction that was begun within a number of others.
    pub(crate) fn begun(connection: Connection, level: u32) -> Self {
        Self { connection, level, open: true }
    }

    /// Makes what was written final.
    ///
    /// # Errors
    /// If the server refuses it, for example by a constraint that is checked now; if rows are still being read or written.
    /// Then nothing is stored.
    pub fn commit(mut self) -> Result<()> {
        // After an error, COMMIT rolls back and reports none; a SELECT reports it.
        let sql = match self.level {
            0 => "SELECT 1; COMMIT".to_string(),
            level => format!("RELEASE demat_{level}"),
        };
        // After an error it is open, and so undone when it is dropped.
        self.connection.execute(&sql)?;
        self.end();
        Ok(())
    }

    /// Undoes what was written. If rows are still being read or written, it is undone at their end, before anything else.
    ///
    /// # Errors
    /// If the server can't be reached. Then nothing is stored, too.
    pub fn rollback(mut self) -> Result<()> {
        self.end();
        self.undo()
    }

    fn end(&mut self) {
        self.open = false;
        self.connection.0.depth.fetch_sub(1, Ordering::AcqRel);
    }

    fn undo(&self) -> Result<()> {
        let shared = &self.connection.0;
        let sql = match self.level {
            0 => "ROLLBACK".to_string(),
            level => format!("ROLLBACK TO demat_{level}; RELEASE demat_{level}"),
        };
        shared.owed.lock().unwrap_or_else(PoisonError::into_inner).push(sql);
        if shared.reading.load(Ordering::Acquire) {
            return Ok(());
        }
        if self.level == 0 && shared.left.swap(false, Ordering::AcqRel) {
            // Without it the rows are waited for.
            let _ = shared.cancel();
            shared.absorb();
        }
        shared.settle()
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.open {
            self.end();
            // Without a connection the server rolls back itself.
            let _ = self.undo();
        }
    }
}
