//! Fetches pages from SQLite, including those in its cache and its log.

use super::ahead::Ahead;
use super::damage::damaged;
use super::hold::{Hold, version};
use crate::build::{Refusal, refuse};
use crate::format::said;
use demat_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, Statement};

/// Fetches the pages of a database within one read transaction.
#[derive(Debug)]
pub(super) struct Fetch<'c> {
    connection: &'c Connection,
    statement: Statement<'c>,
    /// Reads ahead, if the file can be read directly.
    ahead: Option<Ahead>,
    /// The number of reserved bytes at the end of each page.
    reserved: usize,
    page_size: usize,
    /// The schema cookie, which changes with the schema.
    cookie: [u8; 4],
    /// The number of pages.
    count: u32,
    /// The number of pages that may still be fetched: a tree refers to each page at most once.
    left: u32,
    schema: String,
    /// The connection's count of changed rows and the database's version when the scan began.
    changes: u64,
    version: u32,
    /// Holds the read transaction, if none was open before.
    hold: Option<Hold>,
    /// Whether the connection has changed the database meanwhile.
    overtaken: bool,
}

impl<'c> Fetch<'c> {
    /// Begins to read: within the open transaction, or else in a new one.
    pub(super) fn new(connection: &'c Connection, schema: &str, table: &str) -> Result<Self> {
        let hold = if connection.is_autocommit() { Some(Hold::begin(connection, schema)?) } else { None };
        let sql = "SELECT data FROM sqlite_dbpage WHERE schema = ?1 AND pgno = ?2";
        let mut statement = connection.prepare(sql).map_err(said)?;
        statement.raw_bind_parameter(1, schema).map_err(said)?;
        let count = connection.pragma_query_value(Some(schema), "page_count", |row| row.get(0)).map_err(said)?;
        let (changes, version) = (connection.total_changes(), version(connection, schema)?);
        let schema = schema.to_string();
        let (reserved, left) = (0, count);
        let (overtaken, ahead, page_size) = (false, None, 0);
        let mut own = Self {
            connection,
            statement,
            ahead,
            reserved,
            page_size,
            cookie: [0; 4],
            count,
            left,
            schema,
            changes,
            version,
            hold,
            overtaken,
        };
        let mut first = Vec::new();
        own.left = own.left.saturating_add(1); // this page is not part of the table
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
        own.page_size = first.len();
        own.cookie = first.get(40..44).and_then(|cookie| cookie.try_into().ok()).unwrap_or_default();
        own.ahead = Ahead::of(connection, &own.schema, &first, count);
        Ok(own)
    }

    /// Returns whether the connection has changed the database since the scan began. Changes of others are invisible to
    /// it.
    fn is_overtaken(&self) -> Result<bool> {
        let connection = self.connection;
        Ok(connection.is_autocommit() != self.hold.is_some()
            || connection.total_changes() != self.changes
            || version(connection, &self.schema)? != self.version)
    }

    /// Ends the read transaction, so that it blocks no writers. Nothing can be fetched until [renewed](Self::renew).
    pub(super) fn release(&mut self) {
        if let Some(hold) = &self.hold {
            hold.let_go();
        }
    }

    /// Begins a new read transaction; returns false if the schema has changed.
    pub(super) fn renew(&mut self) -> Result<bool> {
        let Some(hold) = &self.hold else { return Ok(false) };
        if !self.connection.is_autocommit() {
            return Ok(false);
        }
        hold.hold(self.connection)?;
        (self.left, self.overtaken) = (self.count, false);
        let (changes, version) = (self.connection.total_changes(), version(self.connection, &self.schema)?);
        if (changes, version) == (self.changes, self.version) {
            return Ok(true);
        }
        (self.changes, self.version) = (changes, version);
        // Pages that were read ahead are outdated.
        let reads_ahead = self.ahead.take().is_some();
        let mut first = Vec::new();
        self.left = 1;
        self.page(1, &mut first)?;
        let schema = self.connection.pragma_query_value(Some(&*self.schema), "page_count", |row| row.get(0));
        self.count = schema.map_err(said)?;
        self.left = self.count;
        if reads_ahead && let Some(head) = first.get(..100) {
            // `Ahead` needs a slice of the full page size; the reserved bytes were stripped.
            let mut whole = head.to_vec();
            whole.resize(self.page_size, 0);
            self.ahead = Ahead::of(self.connection, &self.schema, &whole, self.count);
        }
        Ok(first.get(40..44).is_some_and(|cookie| *cookie == self.cookie)
            && first.len() + self.reserved == self.page_size)
    }

    /// Prepares for another pass over the tree.
    pub(super) fn again(&mut self) {
        self.left = self.count;
    }

    /// Returns the number of pages.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Returns whether a change by the connection was the reason for the last failure.
    pub(super) fn was_overtaken(&self) -> bool {
        self.overtaken
    }

    /// Returns the number of usable bytes of a page.
    pub(super) fn usable(&self, page: &[u8]) -> usize {
        page.len() - self.reserved.min(page.len())
    }

    /// Returns an upper bound on the length of a value.
    pub(super) fn most(&self, page: &[u8]) -> u64 {
        u64::from(self.count) * page.len() as u64
    }

    /// Fetches the usable bytes of a page.
    pub(super) fn page(&mut self, number: u32, to: &mut Vec<u8>) -> Result<()> {
        if self.left == 0 {
            return Err(damaged(number, "it is referred to again"));
        }
        self.left -= 1;
        if self.is_overtaken()? {
            self.overtaken = true;
            let message = "rows were changed, or the transaction was ended, while the table was scanned";
            return Err(Error::new(ErrorKind::Store, message));
        }
        to.clear();
        if let Some(ahead) = &mut self.ahead {
            if let Some(page) = ahead.page(self.connection, number) {
                to.extend_from_slice(page);
                to.truncate(self.usable(to));
                return Ok(());
            }
            self.ahead = None;
        }
        // Bound parameters stay bound, so the schema's name need not be bound again for each page.
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
