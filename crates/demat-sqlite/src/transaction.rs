//! Transactions and savepoints.

use crate::database::Database;
use demat_core::Result;

/// A transaction: [`commit`](Self::commit) keeps its changes, dropping it rolls them back.
///
/// Within another transaction, it is a savepoint, which can be rolled back alone.
#[derive(Debug)]
pub struct Transaction {
    database: Database,
    inner: bool,
    open: bool,
}

impl Database {
    /// Begins a transaction. It locks the file for writing at once, so that no other writer can come between.
    ///
    /// # Errors
    /// Errors of SQLite, such as a file locked by another connection.
    pub fn transaction(&self) -> Result<Transaction> {
        let inner = !self.is_idle();
        self.execute(if inner { "SAVEPOINT demat" } else { "BEGIN IMMEDIATE" })?;
        Ok(Transaction { database: self.clone(), inner, open: true })
    }
}

impl Transaction {
    /// Commits the changes.
    ///
    /// # Errors
    /// Errors of SQLite; then nothing was changed.
    pub fn commit(mut self) -> Result<()> {
        self.database.execute(if self.inner { "RELEASE demat" } else { "COMMIT" })?;
        self.open = false;
        Ok(())
    }

    /// Commits the changes and begins a new transaction.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn step(&mut self) -> Result<()> {
        if self.inner {
            return Ok(());
        }
        self.database.execute("COMMIT")?;
        self.open = false;
        self.database.execute("BEGIN IMMEDIATE")?;
        self.open = true;
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        // Some errors end the transaction by themselves; further errors can't be reported from here.
        let undone = if self.inner {
            self.database.execute("ROLLBACK TO demat").and_then(|()| self.database.execute("RELEASE demat"))
        } else if self.database.is_idle() {
            Ok(())
        } else {
            self.database.execute("ROLLBACK")
        };
        drop(undone);
    }
}
