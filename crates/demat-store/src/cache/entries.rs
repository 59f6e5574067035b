//! What is kept.

use crate::version::Version;
use bytes::Bytes;
use demat_core::{Shape, Value};
use lru::LruCache;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What has to be the same for what is kept to be given again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Revision {
    pub(super) version: Option<Version>,
    /// Counts only where there is no version.
    pub(super) stamp: u64,
}

impl Revision {
    fn holds(self, now: Self) -> bool {
        self.version == now.version && (self.version.is_some() || self.stamp == now.stamp)
    }
}

/// What is kept of an answer.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// A value, and the shape that it is told in.
    Value(Arc<(Value, Shape)>),
    /// What it is in a format.
    Bytes(Bytes),
    /// That there is too much of it.
    TooLong,
}

#[derive(Debug)]
struct Entry {
    revision: Revision,
    content: Content,
    bytes: usize,
}

/// What is kept, up to so many bytes.
#[derive(Debug)]
pub(super) struct Entries {
    inner: Mutex<Inner>,
    limit: usize,
}

#[derive(Debug)]
struct Inner {
    entries: LruCache<Box<[u8]>, Entry>,
    bytes: usize,
}

/// So many bytes an entry takes besides its key and its content, about.
const ENTRY: usize = 128;

impl Entries {
    pub(super) fn new(limit: usize) -> Self {
        Self { inner: Mutex::new(Inner { entries: LruCache::unbounded(), bytes: 0 }), limit }
    }

    /// Entries and their sum agree whenever the lock is let go of.
    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn bytes(&self) -> usize {
        self.locked().bytes
    }

    /// What is kept, if it still holds.
    pub(super) fn find(&self, key: &[u8], now: Revision) -> Option<Content> {
        let mut inner = self.locked();
        let entry = inner.entries.get(key)?;
        entry.revision.holds(now).then(|| entry.content.clone())
    }

    /// Keeps something that has so many bytes.
    pub(super) fn keep(&self, key: Box<[u8]>, revision: Revision, content: Content, bytes: usize) {
        let bytes = bytes.saturating_add(key.len() + ENTRY);
        let mut gone = Vec::new();
        let mut inner = self.locked();
        if let Some(old) = inner.entries.pop(&*key) {
            inner.bytes -= old.bytes;
            gone.push(old.content);
        }
        if bytes <= self.limit {
            inner.entries.put(key, Entry { revision, content, bytes });
            inner.bytes += bytes;
        }
        while inner.bytes > self.limit {
            let Some((_, oldest)) = inner.entries.pop_lru() else { break };
            inner.bytes -= oldest.bytes;
            gone.push(oldest.content);
        }
        // A large value takes its time to be dropped, for which nobody need wait.
        drop(inner);
        drop(gone);
    }
}
