//! Pages as SQLite has them: with what is in its cache and its log.

use super::damage::damaged;
use crate::build::{Refusal, refuse};
use crate::format::said;
use demat_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, Statement};

/// Gets the pages of a database, within one read transaction.
#[derive(Debug)]
pub(super) struct Fetch<'c> {
    connection: &'c Connection,
    statement: Statement<'c>,
    /// How many bytes at the end of each page are not SQLite's.
    reserved: usize,
    /// So many pages there are.
    count: u32,
    /// So many may still be asked for: a tree has none of them twice.
    left: u32,
    /// How many rows the connection had changed when the scan began.
    changes: u64,
    /// Whether the transaction is to be ended.
    began: bool,
}

impl<'c> Fetch<'c> {
    /// Begins a read transaction, unless one is open.
    pub(super) fn new(connection: &'c Connection, schema: &str, table: &str) -> Result<Self> {
        let began = connection.is_autocommit();
        if began {
            connection.execute_batch("BEGIN").map_err(said)?;
        }
        let made = Self::within(connection, schema, table, began);
        if made.is_err() && began {
            // The error that is there says more than one about ending what only read.
            let _ = connection.execute_batch("ROLLBACK");
        }
        made
    }

    fn within(connection: &'c Connection, schema: &str, table: &str, began: bool) -> Result<Self> {
        let sql = "SELECT data FROM sqlite_dbpage WHERE schema = ?1 AND pgno = ?2";
        let mut statement = connection.prepare(sql).map_err(said)?;
        statement.raw_bind_parameter(1, schema).map_err(said)?;
        let count = connection.pragma_query_value(Some(schema), "page_count", |row| row.get(0)).map_err(said)?;
        let changes = connection.total_changes();
        let mut own = Self { connection, statement, reserved: 0, count, left: 0, changes, began };
        own.left = count;
        let mut first = Vec::new();
        own.left = own.left.saturating_add(1); // this one is not part of the table
        own.page(1, &mut first)?;
        let (Some(reserved), Some(encoding)) = (first.get(20), first.get(56..60)) else {
            return Err(damaged(1, "it is too short"));
        };
        if encoding != [0, 0, 0, 1] {
            return Err(refuse(table, Refusal::Utf16));
        }
        own.reserved = usize::from(*reserved);
        if first.len() < 480 + own.reserved {
            return Err(damaged(1, "it reserves too much"));
        }
        Ok(own)
    }

    /// Bytes per page that hold something.
    pub(super) fn usable(&self, page: &[u8]) -> usize {
        page.len() - self.reserved.min(page.len())
    }

    /// No value can be longer.
    pub(super) fn most(&self, page: &[u8]) -> u64 {
        u64::from(self.count) * page.len() as u64
    }

    /// Gets a page: the bytes of it that hold something.
    pub(super) fn page(&mut self, number: u32, to: &mut Vec<u8>) -> Result<()> {
        if self.left == 0 {
            return Err(damaged(number, "it is referred to again"));
        }
        self.left -= 1;
        if self.connection.is_autocommit() || self.connection.total_changes() != self.changes {
            let message = "rows were changed, or the transaction was ended, while the table was scanned";
            return Err(Error::new(ErrorKind::Store, message));
        }
        to.clear();
        // What was bound stays bound, so the name of the schema is not told again for each page.
        self.statement.raw_bind_parameter(2, number).map_err(said)?;
        let mut found = self.statement.raw_query();
        let Some(row) = found.next().map_err(said)? else {
            return Err(damaged(number, "it is referred to, but there is no such page"));
        };
        to.extend_from_slice(row.get_ref(0).map_err(said)?.as_blob().map_err(|error| said(error.into()))?);
        drop(found);
        to.truncate(self.usable(to));
        Ok(())
    }
}

impl Drop for Fetch<'_> {
    fn drop(&mut self) {
        if self.began && !self.connection.is_autocommit() {
            // Whoever changed something within it has it kept; where that is impossible it stays open, as SQLite has it.
            let _ = self.connection.execute_batch("COMMIT");
        }
    }
}
