//! Pages as SQLite has them: with what is in its cache and its log.

use super::ahead::Ahead;
use super::damage::damaged;
use super::hold::{Hold, version};
use crate::build::{Refusal, refuse};
use crate::format::said;
use demat_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, Statement};

/// Gets the pages of a database, within one read transaction.
#[derive(Debug)]
pub(super) struct Fetch<'c> {
    connection: &'c Connection,
    statement: Statement<'c>,
    /// Where the file can be read as it is.
    ahead: Option<Ahead>,
    /// How many bytes at the end of each page are not SQLite's.
    reserved: usize,
    page_size: usize,
    /// A number that is another one after each change of the schema.
    cookie: [u8; 4],
    /// So many pages there are.
    count: u32,
    /// So many may still be asked for: a tree has none of them twice.
    left: u32,
    schema: String,
    /// How many rows the connection had changed when the scan began, and the version that the database was of.
    changes: u64,
    version: u32,
    /// Where no transaction was open.
    hold: Option<Hold>,
    /// Whether the connection has changed something in the meantime.
    overtaken: bool,
}

impl<'c> Fetch<'c> {
    /// Begins to read: what the transaction reads that is open, or else what there is now.
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
        own.page_size = first.len();
        own.cookie = first.get(40..44).and_then(|cookie| cookie.try_into().ok()).unwrap_or_default();
        own.ahead = Ahead::of(connection, &own.schema, &first, count);
        Ok(own)
    }

    /// Whether the connection has changed something since the scan began. What others do is not seen by it.
    fn is_overtaken(&self) -> Result<bool> {
        let connection = self.connection;
        Ok(connection.is_autocommit() != self.hold.is_some()
            || connection.total_changes() != self.changes
            || version(connection, &self.schema)? != self.version)
    }

    /// Lets others write where that waits for who reads; nothing is fetched before it is [renewed](Self::renew).
    pub(super) fn release(&mut self) {
        if let Some(hold) = &self.hold {
            hold.let_go();
        }
    }

    /// Begins once more, with what there is now; false where that is not of the same schema any more.
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
        // Where pages are read from the file, some are in memory that are old now.
        let reads_ahead = self.ahead.take().is_some();
        let mut first = Vec::new();
        self.left = 1;
        self.page(1, &mut first)?;
        let schema = self.connection.pragma_query_value(Some(&*self.schema), "page_count", |row| row.get(0));
        self.count = schema.map_err(said)?;
        self.left = self.count;
        if reads_ahead && let Some(head) = first.get(..100) {
            // The whole page: what is reserved of it was left out.
            let mut whole = head.to_vec();
            whole.resize(self.page_size, 0);
            self.ahead = Ahead::of(self.connection, &self.schema, &whole, self.count);
        }
        Ok(first.get(40..44).is_some_and(|cookie| *cookie == self.cookie)
            && first.len() + self.reserved == self.page_size)
    }

    /// The tree is gone through once more.
    pub(super) fn again(&mut self) {
        self.left = self.count;
    }

    /// How many pages there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Whether that was why a page was not given.
    pub(super) fn was_overtaken(&self) -> bool {
        self.overtaken
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
