//! A caching layer.

mod back;
mod entries;
mod key;
mod measured;
mod stamps;
#[cfg(test)]
mod tests;

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::change::{Watch, Watcher};
use crate::collected::{is_too_long, representation, tell};
use crate::layer::Layer;
use crate::node::Node;
use crate::posted::{Duplicates, Posted};
use crate::query::Query;
use crate::reference::Reference;
use crate::store::{Put, Store};
use crate::version::{Version, When};
use back::Back;
use bytes::Bytes;
use demat_core::{Result, Shape, Sink, Value};
use demat_place::{Format, WriteOptions};
use entries::{Content, Entries, Revision};
use measured::measured;
use stamps::Stamps;
use std::io::Write;
use std::sync::Arc;

/// Caches the values of another store, and their encodings.
///
/// An entry is valid while the [version](Store::version) below stays the same. In a store without versions, it is valid
/// until a value under or around the reference changes: through this cache, or elsewhere if the store below
/// [watches](Store::watch). Beyond the limit in bytes, the least recently used entries are evicted.
///
/// Changes are written through, or [back](Self::write_back).
///
/// ```
/// use demat_core::Value;
/// use demat_place::Format;
/// use demat_store::{Cache, Memory, Query, Store, Timed, Verb, When, ValueBody};
/// use std::sync::Arc;
/// let below = Arc::new(Timed::over(Arc::new(Memory::new())));
/// let store = Cache::over(below.clone(), 1 << 20);
/// let at = ["a".to_string()];
/// store.put(&at, &mut ValueBody(&Value::Bool(true)), &When::Always)?;
/// for _ in 0..3 {
///     let json = store.encoded(&at, &Query::default(), Format::JSON, 100)?;
///     assert_eq!(json.as_deref(), Some(&b"true"[..]));
/// }
/// assert_eq!(below.times(Verb::Get).count, 1);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Cache {
    below: Arc<dyn Store>,
    limit: usize,
    entries: Entries,
    stamps: Arc<Stamps>,
    /// Pending writes, in write-back mode.
    back: Option<Back>,
    _watch: Option<Watch>,
}

impl Cache {
    /// Returns a write-through cache over a store, of at most `limit` bytes.
    pub fn over(below: Arc<dyn Store>, limit: usize) -> Self {
        Self::new(below, limit, None)
    }

    fn new(below: Arc<dyn Store>, limit: usize, back: Option<Back>) -> Self {
        let stamps = Arc::new(Stamps::new());
        let seen = Arc::clone(&stamps);
        let watcher: Watcher = Arc::new(move |change| seen.changed(&change.at));
        let watch = below.watch(&[], watcher);
        Self { below, limit, entries: Entries::new(limit), stamps, back, _watch: watch }
    }

    /// Returns a write-back cache over a store. It delays puts, patches and deletes until
    ///
    /// - [`flush`](Self::flush) is called, or the cache is dropped;
    /// - the pending writes exceed `limit` bytes;
    /// - a call needs the store below: a condition, a post, or a get of a value that is not entirely pending.
    ///
    /// So a put returns before it is done, and errors of the store below appear at the next flush only. Call
    /// [`flush`](Self::flush) before dropping the cache: dropping discards errors. A watcher of the store below must
    /// not use the cache while it handles a change.
    ///
    /// ```
    /// use demat_core::Value;
    /// use demat_store::{Cache, Memory, Query, Store, When, ValueBody, collected};
    /// use std::sync::Arc;
    /// let below: Arc<dyn Store> = Arc::new(Memory::new());
    /// let store = Cache::write_back(below.clone(), 1 << 20);
    /// let at = ["a".to_string()];
    /// store.put(&at, &mut ValueBody(&Value::Bool(true)), &When::Always)?;
    /// assert_eq!(collected(&store, &at, &Query::default())?, Value::Bool(true));
    /// assert!(below.version(&at).is_err());
    /// store.flush()?;
    /// assert!(below.version(&at).is_ok());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn write_back(below: Arc<dyn Store>, limit: usize) -> Self {
        Self::new(below, limit, Some(Back::default()))
    }

    /// Performs all pending writes, in order.
    ///
    /// # Errors
    /// The first write that the store below has refused since the last call; all others are done. After an
    /// [`Io`](demat_core::ErrorKind::Io) error, this write and all later ones stay pending for the next flush.
    pub fn flush(&self) -> Result<()> {
        self.back.as_ref().map_or(Ok(()), |back| back.flush(&*self.below, &self.stamps))
    }

    fn run(&self) -> Result<()> {
        self.back.as_ref().map_or(Ok(()), |back| back.run_all(&*self.below, &self.stamps))
    }

    /// Returns the size of all entries in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.bytes()
    }

    /// Returns the current revision of a reference; `None` if it can't be cached.
    fn revision(&self, at: &[String]) -> Option<Revision> {
        let stamp = self.stamps.of(at);
        Some(Revision { stamp, version: self.below.version(at).ok()? })
    }

    /// Adds an entry, unless the reference has changed since it was read.
    fn keep(&self, at: &[String], key: Box<[u8]>, revision: Revision, content: Content, bytes: usize) {
        if self.revision(at) == Some(revision) {
            self.entries.keep(key, revision, content, bytes);
        }
    }

    /// Returns the pending value of a reference, if a get can be answered from it alone. Else performs the pending
    /// writes that concern the reference.
    fn pending(&self, at: &[String]) -> Result<Option<Arc<Value>>> {
        self.back.as_ref().map_or(Ok(None), |back| back.pending(&*self.below, &self.stamps, at))
    }

    /// Performs the pending writes that concern a reference.
    fn settle(&self, at: &[String]) -> Result<()> {
        self.back.as_ref().map_or(Ok(()), |back| back.settle(&*self.below, &self.stamps, at))
    }

    /// Returns the queue of pending writes, if a change with this condition can be delayed.
    fn later(&self, when: &When) -> Result<Option<&Back>> {
        if self.back.is_some() && *when != When::Always {
            self.run()?;
            return Ok(None);
        }
        Ok(self.back.as_ref())
    }
}

impl Layer for Cache {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn describe(&self) -> Node {
        let how = if self.back.is_some() { ", written back" } else { "" };
        Node::new("cache").with(format!("{} bytes{how}", self.limit)).over(self.below.describe())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if let Some(value) = self.pending(at)? {
            return tell(&query.apply((*value).clone())?, &Shape::Any, sink);
        }
        let Some(revision) = self.revision(at) else { return self.below.get(at, query, sink) };
        let key = key::key(at, query, None);
        match self.entries.find(&key, revision) {
            Some(Content::Value(kept)) => return tell(&kept.0, &kept.1, sink),
            Some(_) => return self.below.get(at, query, sink),
            None => {}
        }
        match measured(self.limit, |sink| self.below.get(at, query, sink)) {
            Ok((value, bytes)) => {
                let kept = Arc::new((value, query.shape_or_any(&self.below.shape(at)?)?));
                self.keep(at, key, revision, Content::Value(Arc::clone(&kept)), bytes);
                tell(&kept.0, &kept.1, sink)
            }
            Err(error) if is_too_long(&error) => {
                self.keep(at, key, revision, Content::TooLong, 0);
                self.below.get(at, query, sink)
            }
            Err(error) => Err(error),
        }
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        match self.later(when)? {
            Some(back) => back.put(&*self.below, &self.stamps, at, value, self.limit),
            None => self.stamps.during(at, || self.below.put(at, value, when)),
        }
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        match self.later(when)? {
            Some(back) => back.patch(&*self.below, &self.stamps, at, value, self.limit),
            None => self.stamps.during(at, || self.below.patch(at, value, when)),
        }
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.run()?;
        let posted = self.below.post(at, value);
        self.stamps.changed(posted.as_ref().map_or(at, |posted| posted));
        posted
    }

    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        self.run()?;
        self.stamps.during(at, || self.below.post_all(at, value, duplicates, when))
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        self.run()?;
        self.stamps.during(at, || self.below.change_each(at, query, each, when))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        match self.later(when)? {
            Some(back) => back.delete(&*self.below, &self.stamps, at, self.limit),
            None => self.stamps.during(at, || self.below.delete(at, when)),
        }
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.settle(at)?;
        self.below.children(at, each)
    }

    fn facet(&self, at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        self.settle(at)?;
        self.below.facet(at, query, field, limit)
    }

    fn cursor(&self, at: &[String], query: &Query) -> Result<Option<String>> {
        self.settle(at)?;
        self.below.cursor(at, query)
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        self.settle(at)?;
        self.below.count(at, query)
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        self.settle(at)?;
        self.below.version(at)
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        self.settle(at)?;
        self.below.exists(at)
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if let Some(value) = self.pending(at)? {
            let value = query.apply((*value).clone())?;
            return representation(format, limit, |sink| tell(&value, &Shape::Any, sink));
        }
        let Some(revision) = self.revision(at) else { return self.below.encoded(at, query, format, limit) };
        let key = key::key(at, query, Some(format));
        if let Some(Content::Bytes(bytes)) = self.entries.find(&key, revision) {
            return Ok((bytes.len() <= limit).then_some(bytes));
        }
        let encoded = self.below.encoded(at, query, format, limit)?;
        // Answers with replaced values are not kept: another reader may refuse replacements.
        if let Some(bytes) = encoded.as_ref().filter(|_| !crate::unrepresentable::has_replaced()) {
            // A copy without spare capacity.
            let own = Bytes::copy_from_slice(bytes);
            self.keep(at, key, revision, Content::Bytes(own), bytes.len());
        }
        Ok(encoded)
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        if let Some(value) = self.pending(at)? {
            let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
            return tell(&query.apply((*value).clone())?, &Shape::Any, &mut *sink);
        }
        let kept =
            self.revision(at).and_then(|revision| self.entries.find(&key::key(at, query, Some(format)), revision));
        match kept {
            Some(Content::Bytes(bytes)) => Ok(to.write_all(&bytes)?),
            _ => self.below.read(at, query, format, to),
        }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        // Nothing can report the error.
        drop(self.run());
    }
}
