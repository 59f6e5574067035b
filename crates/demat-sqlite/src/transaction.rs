//! All of it or nothing.

use crate::database::Database;
use demat_core::Result;

/// What is changed is there when it is committed, and as if it never was when this is dropped before.
///
/// Within a transaction that is open already it is a part of that one, which can be taken back alone.
#[derive(Debug)]
pub struct Transaction {
    database: Database,
    inner: bool,
    open: bool,
}

impl Database {
    /// Begins a transaction. The file is locked for writing at once, so that nobody comes between.
    ///
    /// # Errors
    /// What SQLite says: that somebody else has the file locked.
    pub fn transaction(&self) -> Result<Transaction> {
        let inner = !self.is_idle();
        self.execute(if inner { "SAVEPOINT demat" } else { "BEGIN IMMEDIATE" })?;
        Ok(Transaction { database: self.clone(), inner, open: true })
    }
}

impl Transaction {
    /// Makes the changes last.
    ///
    /// # Errors
    /// What SQLite says; then nothing was changed.
    pub fn commit(mut self) -> Result<()> {
        self.database.execute(if self.inner { "RELEASE demat" } else { "COMMIT" })?;
        self.open = false;
        Ok(())
    }

    /// Makes the changes last and begins again.
    ///
    /// # Errors
    /// What SQLite says.
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
        // Some errors end the transaction by themselves; there is nobody to tell of others.
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
