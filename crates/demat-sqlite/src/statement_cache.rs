//! Statements that nobody uses at the moment, and that may be asked for again: preparing one takes longer than running it.

use core::ptr::NonNull;
use rusqlite::ffi;
use std::sync::{Mutex, PoisonError};

/// The statements of a connection that are put away.
#[derive(Debug, Default)]
pub(crate) struct StatementCache {
    /// The one that was put away last stands last.
    idle: Mutex<Vec<Idle>>,
}

/// A statement at its start, with no values.
#[derive(Debug)]
pub(crate) struct Idle {
    pub(crate) text: Box<str>,
    pub(crate) raw: NonNull<ffi::sqlite3_stmt>,
    pub(crate) columns: Box<[String]>,
}

/// So many are kept.
const MOST: usize = 32;

impl StatementCache {
    /// Takes out a statement of a text.
    pub(crate) fn take(&self, text: &str) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let index = idle.iter().rposition(|own| *own.text == *text)?;
        Some(idle.remove(index))
    }

    /// Puts one away; gives the one that had to go for it.
    pub(crate) fn put(&self, statement: Idle) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = (idle.len() >= MOST).then(|| idle.remove(0));
        idle.push(statement);
        oldest
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Takes out one after the other.
    pub(crate) fn pop(&self) -> Option<Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
