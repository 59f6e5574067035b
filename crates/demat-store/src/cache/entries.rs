//! The entries of a cache.

use crate::version::Version;
use bytes::Bytes;
use demat_core::{Shape, Value};
use lru::LruCache;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Validates an entry: it is fresh if its revision is still current.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Revision {
    pub(super) version: Option<Version>,
    /// Compared only if there is no version.
    pub(super) stamp: u64,
}

impl Revision {
    fn holds(self, now: Self) -> bool {
        self.version == now.version && (self.version.is_some() || self.stamp == now.stamp)
    }
}

/// A cached answer.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// A value and its shape.
    Value(Arc<(Value, Shape)>),
    /// The bytes in a format.
    Bytes(Bytes),
    /// The answer is too long to be cached.
    TooLong,
}

#[derive(Debug)]
struct Entry {
    revision: Revision,
    content: Content,
    bytes: usize,
}

/// An LRU cache, bounded by bytes.
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

/// The approximate overhead of an entry, in bytes.
const ENTRY: usize = 128;

impl Entries {
    pub(super) fn new(limit: usize) -> Self {
        Self { inner: Mutex::new(Inner { entries: LruCache::unbounded(), bytes: 0 }), limit }
    }

    // A poisoned lock is fine: the entries and the sum of their bytes always agree when it is released.
    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn bytes(&self) -> usize {
        self.locked().bytes
    }

    /// Returns the content of an entry, if it is still fresh.
    pub(super) fn find(&self, key: &[u8], now: Revision) -> Option<Content> {
        let mut inner = self.locked();
        let entry = inner.entries.get(key)?;
        entry.revision.holds(now).then(|| entry.content.clone())
    }

    /// Adds an entry of this many bytes, and evicts the least recently used ones beyond the limit.
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
        // Dropping a large value takes time, so the lock is released first.
        drop(inner);
        drop(gone);
    }
}
