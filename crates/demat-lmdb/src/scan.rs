//! Scans: records in a range, in the order of their keys or of an index.

use crate::collection::Collection;
use crate::environment::Table;
use crate::failure::{failed, refused};
use crate::filter::{Filter, Predicate};
use crate::range::{Cursor, OwnCursor, Range};
use crate::transaction::{Reads, Snapshot, Writing};
use demat_core::{Error, Result, interrupt};
use std::borrow::Cow;
use std::sync::Arc;

/// What to read: a range of keys, or of an index's keys.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The index. `None`: the keys themselves.
    pub index: Option<String>,
    /// The range.
    pub range: Range,
    /// The condition on the records in it.
    pub filter: Option<Arc<dyn Predicate>>,
    /// The most records.
    pub limit: Option<u64>,
}

impl Query {
    /// Returns the condition, with a reader of its fields.
    fn filter(&self, collection: &Collection) -> Result<Option<Filter>> {
        self.filter.as_ref().map(|predicate| Filter::new(collection, &**predicate)).transpose()
    }
}

/// As many records are read between two looks for an interruption.
const LOOK: u64 = 4096;

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
    filter: Option<Filter>,
    left: u64,
}

impl Scan {
    /// Begins a scan.
    ///
    /// # Errors
    /// Errors of LMDB; if there is no such index.
    pub fn new(snapshot: Snapshot, collection: &Collection, query: &Query) -> Result<Self> {
        let (table, joined) = tables(collection, query)?;
        let filter = query.filter(collection)?;
        let cursor = OwnCursor::new(snapshot, table, query.range.clone())?;
        let is_packed = collection.is_packed();
        let left = query.limit.unwrap_or(u64::MAX);
        Ok(Self { collection: collection.clone(), cursor, joined, is_packed, filter, left })
    }

    /// Returns the next record.
    ///
    /// # Errors
    /// Errors of LMDB, and of records that can't be unpacked, or whose fields a condition can't read.
    #[inline]
    #[allow(clippy::should_implement_trait)] // it lends from itself
    pub fn next(&mut self) -> Result<Option<Entry<'_>>> {
        if self.left == 0 {
            return Ok(None);
        }
        let is_there = if self.filter.is_some() { self.seek()? } else { self.cursor.advance()? };
        let (true, Some((entry, value))) = (is_there, self.cursor.current()) else { return Ok(None) };
        self.left -= 1;
        let (key, stored) = match self.joined {
            None => (entry, value),
            Some(table) => (value, self.cursor.joined(table, value)?.ok_or_else(lost)?),
        };
        let record = if self.is_packed { self.collection.unpack(stored)? } else { Cow::Borrowed(stored) };
        Ok(Some(Entry { entry, key, record }))
    }

    /// Steps to the next record that meets the condition. Returns whether there is one.
    fn seek(&mut self) -> Result<bool> {
        let Self { collection, cursor, joined, is_packed, filter, .. } = self;
        let Some(filter) = filter else { return Ok(true) };
        for step in 1.. {
            if !cursor.advance()? {
                return Ok(false);
            }
            let Some((_, value)) = cursor.current() else { return Ok(false) };
            let stored = match *joined {
                None => value,
                Some(table) => cursor.joined(table, value)?.ok_or_else(lost)?,
            };
            let holds = if *is_packed { filter.holds(&collection.unpack(stored)?)? } else { filter.holds(stored)? };
            if holds {
                return Ok(true);
            }
            if step % LOOK == 0 {
                interrupt::check()?;
            }
        }
        Ok(false)
    }

    /// Skips up to `count` records.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn skip(&mut self, count: u64) -> Result<()> {
        for step in 1..=count {
            let is_there = if self.filter.is_some() { self.seek()? } else { self.cursor.advance()? };
            if !is_there {
                break;
            }
            if step % LOOK == 0 {
                interrupt::check()?;
            }
        }
        Ok(())
    }

    /// Returns the number of records that are left, up to the limit, and ends.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn count(mut self) -> Result<u64> {
        let mut count = 0;
        while count < self.left {
            let is_there = if self.filter.is_some() { self.seek()? } else { self.cursor.advance()? };
            if !is_there {
                break;
            }
            count += 1;
            if count % LOOK == 0 {
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

/// Calls a function with the entry, the key and the record of each match of a query, within any transaction, until it
/// returns `false`.
fn each<R: Reads>(
    reads: &R,
    collection: &Collection,
    query: &Query,
    mut found: impl FnMut(&[u8], &[u8], &[u8]) -> Result<bool>,
) -> Result<()> {
    let (table, joined) = tables(collection, query)?;
    let mut filter = query.filter(collection)?;
    let mut cursor = Cursor::new(reads, table, query.range.clone())?;
    let mut left = query.limit.unwrap_or(u64::MAX);
    let is_packed = collection.is_packed();
    for step in 1.. {
        if left == 0 {
            return Ok(());
        }
        if step % LOOK == 0 {
            interrupt::check()?;
        }
        let Some((entry, value)) = cursor.next()? else { return Ok(()) };
        let (key, stored) = match joined {
            None => (entry, value),
            Some(table) => (value, table.get(reads.txn(), value).map_err(failed)?.ok_or_else(lost)?),
        };
        let record = if is_packed { collection.unpack(stored)? } else { Cow::Borrowed(stored) };
        if let Some(filter) = &mut filter
            && !filter.holds(&record)?
        {
            continue;
        }
        left -= 1;
        if !found(entry, key, &record)? {
            return Ok(());
        }
    }
    Ok(())
}

/// A record that was copied: the entry of the index or the key, the key, and the record.
pub type OwnEntry = (Vec<u8>, Vec<u8>, Vec<u8>);

/// Reads up to `most` records within a transaction that writes, as copies, since its pages may change.
///
/// # Errors
/// As [`Scan`].
pub fn read_some(writing: &Writing, collection: &Collection, query: &Query, most: u64) -> Result<Vec<OwnEntry>> {
    let mut entries = Vec::new();
    if most > 0 {
        each(writing, collection, query, |entry, key, record| {
            entries.push((entry.to_vec(), key.to_vec(), record.to_vec()));
            Ok((entries.len() as u64) < most)
        })?;
    }
    Ok(entries)
}

/// Counts the records of a query within any transaction.
///
/// # Errors
/// As [`Scan`].
pub fn count(reads: &impl Reads, collection: &Collection, query: &Query) -> Result<u64> {
    let (table, _) = tables(collection, query)?;
    let most = query.limit.unwrap_or(u64::MAX);
    if query.filter.is_some() {
        let mut count = 0;
        each(reads, collection, query, |_, _, _| {
            count += 1;
            Ok(true)
        })?;
        return Ok(count);
    }
    if query.range.is_all() {
        return Ok(table.len(reads.txn()).map_err(failed)?.min(most));
    }
    let mut cursor = Cursor::new(reads, table, query.range.clone())?;
    let mut count = 0;
    while count < most && cursor.next()?.is_some() {
        count += 1;
        if count % LOOK == 0 {
            interrupt::check()?;
        }
    }
    Ok(count)
}

/// Returns the keys of the records of a query, within any transaction.
///
/// # Errors
/// As [`Scan`].
pub fn keys(reads: &impl Reads, collection: &Collection, query: &Query) -> Result<Vec<Vec<u8>>> {
    let mut keys = Vec::new();
    if query.filter.is_some() {
        each(reads, collection, query, |_, key, _| {
            keys.push(key.to_vec());
            Ok(true)
        })?;
        return Ok(keys);
    }
    let (table, joined) = tables(collection, query)?;
    let mut cursor = Cursor::new(reads, table, query.range.clone())?;
    let most = query.limit.unwrap_or(u64::MAX);
    while (keys.len() as u64) < most {
        let Some((entry, value)) = cursor.next()? else { break };
        keys.push(if joined.is_some() { value.to_vec() } else { entry.to_vec() });
    }
    Ok(keys)
}
