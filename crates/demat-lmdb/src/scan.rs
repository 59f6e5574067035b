//! Scans: records in a range, in the order of their keys or of an index.

use crate::collection::Collection;
use crate::environment::Table;
use crate::failure::{failed, refused};
use crate::range::{Cursor, OwnCursor, Range};
use crate::transaction::{Reads, Snapshot, Writing};
use demat_core::{Error, Result, interrupt};
use std::borrow::Cow;

/// What to read: a range of keys, or of an index's keys.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The index. `None`: the keys themselves.
    pub index: Option<String>,
    /// The range.
    pub range: Range,
    /// The most records.
    pub limit: Option<u64>,
}

/// A record that a scan stands at.
#[derive(Debug, Clone)]
pub struct Entry<'s> {
    /// The entry of the index, or the key.
    pub entry: &'s [u8],
    /// The record's key.
    pub key: &'s [u8],
    /// The record: borrowed from the page unless it is compressed.
    pub record: Cow<'s, [u8]>,
}

/// A scan of a snapshot.
#[derive(Debug)]
pub struct Scan {
    collection: Collection,
    cursor: OwnCursor,
    /// The records' table, if the cursor goes through an index.
    joined: Option<Table>,
    is_packed: bool,
    left: u64,
}

impl Scan {
    /// Begins a scan.
    ///
    /// # Errors
    /// Errors of LMDB; if there is no such index.
    pub fn new(snapshot: Snapshot, collection: &Collection, query: &Query) -> Result<Self> {
        let (table, joined) = tables(collection, query)?;
        let cursor = OwnCursor::new(snapshot, table, query.range.clone())?;
        let is_packed = collection.is_packed();
        Ok(Self { collection: collection.clone(), cursor, joined, is_packed, left: query.limit.unwrap_or(u64::MAX) })
    }

    /// Returns the next record.
    ///
    /// # Errors
    /// Errors of LMDB, and of records that can't be unpacked.
    #[inline]
    #[allow(clippy::should_implement_trait)] // it lends from itself
    pub fn next(&mut self) -> Result<Option<Entry<'_>>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let (entry, key, stored) = match self.joined {
            None => match self.cursor.next()? {
                Some((key, stored)) => (key, key, stored),
                None => return Ok(None),
            },
            Some(table) => match self.cursor.next_joined(table)? {
                Some((entry, key, Some(stored))) => (entry, key, stored),
                Some(_) => return Err(lost()),
                None => return Ok(None),
            },
        };
        let record = if self.is_packed { self.collection.unpack(stored)? } else { Cow::Borrowed(stored) };
        Ok(Some(Entry { entry, key, record }))
    }

    /// Returns the number of records that are left, up to the limit, and ends.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn count(mut self) -> Result<u64> {
        let mut count = 0;
        while count < self.left && self.cursor.next()?.is_some() {
            count += 1;
            if count % 4096 == 0 {
                interrupt::check()?;
            }
        }
        Ok(count)
    }
}

fn tables(collection: &Collection, query: &Query) -> Result<(Table, Option<Table>)> {
    match &query.index {
        Some(name) => Ok((collection.index_table(name)?.0, Some(collection.table()))),
        None => Ok((collection.table(), None)),
    }
}

#[cold]
fn lost() -> Error {
    refused("the index has an entry without a record; rebuild it")
}

/// A record that was copied: the entry of the index or the key, the key, and the record.
pub type OwnEntry = (Vec<u8>, Vec<u8>, Vec<u8>);

/// Reads up to `most` records within a transaction that writes, as copies, since its pages may change.
///
/// # Errors
/// As [`Scan`].
pub fn read_some(writing: &Writing, collection: &Collection, query: &Query, most: u64) -> Result<Vec<OwnEntry>> {
    let (table, joined) = tables(collection, query)?;
    let mut cursor = Cursor::new(writing, table, query.range.clone())?;
    let most = query.limit.map_or(most, |limit| limit.min(most));
    let mut entries = Vec::new();
    while (entries.len() as u64) < most {
        let Some((entry, value)) = cursor.next()? else { break };
        let (key, stored) = match joined {
            None => (entry, value),
            Some(table) => {
                let stored = table.get(writing.txn(), value).map_err(failed)?;
                (value, stored.ok_or_else(lost)?)
            }
        };
        entries.push((entry.to_vec(), key.to_vec(), collection.unpack(stored)?.into_owned()));
    }
    Ok(entries)
}

/// Counts the records of a query within any transaction.
///
/// # Errors
/// Errors of LMDB.
pub fn count(reads: &impl Reads, collection: &Collection, query: &Query) -> Result<u64> {
    let (table, _) = tables(collection, query)?;
    let most = query.limit.unwrap_or(u64::MAX);
    if query.range.is_all() {
        return Ok(table.len(reads.txn()).map_err(failed)?.min(most));
    }
    let mut cursor = Cursor::new(reads, table, query.range.clone())?;
    let mut count = 0;
    while count < most && cursor.next()?.is_some() {
        count += 1;
        if count % 4096 == 0 {
            interrupt::check()?;
        }
    }
    Ok(count)
}

/// Returns the keys of the records of a query, within any transaction.
///
/// # Errors
/// Errors of LMDB.
pub fn keys(reads: &impl Reads, collection: &Collection, query: &Query) -> Result<Vec<Vec<u8>>> {
    let (table, joined) = tables(collection, query)?;
    let mut cursor = Cursor::new(reads, table, query.range.clone())?;
    let most = query.limit.unwrap_or(u64::MAX);
    let mut keys = Vec::new();
    while (keys.len() as u64) < most {
        let Some((entry, value)) = cursor.next()? else { break };
        keys.push(if joined.is_some() { value.to_vec() } else { entry.to_vec() });
    }
    Ok(keys)
}
