//! A cache of prepared statements: preparing one often takes longer than running it.

use core::ptr::NonNull;
use rusqlite::ffi;
use std::sync::{Mutex, PoisonError};

/// The idle prepared statements of a connection.
#[derive(Debug, Default)]
pub(crate) struct StatementCache {
    /// The most recently used one is last.
    idle: Mutex<Vec<Idle>>,
}

/// A prepared statement, reset and without bound values.
#[derive(Debug)]
pub(crate) struct Idle {
    pub(crate) text: Box<str>,
    pub(crate) raw: NonNull<ffi::sqlite3_stmt>,
    pub(crate) columns: Box<[String]>,
}

/// The capacity of the cache.
const MOST: usize = 32;

impl StatementCache {
    /// Removes and returns a statement with this text.
    pub(crate) fn take(&self, text: &str) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let index = idle.iter().rposition(|own| *own.text == *text)?;
        Some(idle.remove(index))
    }

    /// Adds a statement. Returns the evicted one, if any.
    pub(crate) fn put(&self, statement: Idle) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = (idle.len() >= MOST).then(|| idle.remove(0));
        idle.push(statement);
        oldest
    }

    /// Returns the number of statements.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Removes and returns any statement.
    pub(crate) fn pop(&self) -> Option<Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
