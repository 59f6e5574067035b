//! Values that are kept at hand.

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

/// Another store, of which what was got is kept at hand: values, and what they are in formats.
///
/// What is kept is given again as long as the store below says that its [version](Store::version) is the same. Where that
/// counts nothing, until something within the reference or around it is changed: by this, or by whoever, where the store below
/// tells of that ([`Store::watch`]). What was used least recently goes first, where there is more than so many bytes.
///
/// What is changed is changed below at once; or, [if wanted](Self::write_back), later.
///
/// ```
/// use demat_core::Value;
/// use demat_place::Format;
/// use demat_store::{Cache, Memory, Query, Store, Timed, Verb, When, Whole};
/// use std::sync::Arc;
/// let below = Arc::new(Timed::over(Arc::new(Memory::new())));
/// let store = Cache::over(below.clone(), 1 << 20);
/// let at = ["a".to_string()];
/// store.put(&at, &mut Whole(&Value::Bool(true)), &When::Always)?;
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
    /// What is to be written later.
    back: Option<Back>,
    _watch: Option<Watch>,
}

impl Cache {
    /// Over this store, keeping at most so many bytes.
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

    /// Over this store, where puts, patches and deletes are kept and done later: by [`flush`](Self::flush), when this is dropped,
    /// when there are more than so many bytes of them, and when something is asked that only the store below can answer (whatever
    /// has a condition, and a post; what is got of a reference, if not all of it was put last and the store takes values as they
    /// are).
    ///
    /// So a put that comes back is not done yet, and what the store below refuses is known by the next flush only. Whoever has to
    /// know calls that before this is dropped, as then nobody is told. Who watches the store below must not ask this one while it
    /// is told of a change.
    ///
    /// ```
    /// use demat_core::Value;
    /// use demat_store::{Cache, Memory, Query, Store, When, Whole, collected};
    /// use std::sync::Arc;
    /// let below: Arc<dyn Store> = Arc::new(Memory::new());
    /// let store = Cache::write_back(below.clone(), 1 << 20);
    /// let at = ["a".to_string()];
    /// store.put(&at, &mut Whole(&Value::Bool(true)), &When::Always)?;
    /// assert_eq!(collected(&store, &at, &Query::default())?, Value::Bool(true));
    /// assert!(below.version(&at).is_err());
    /// store.flush()?;
    /// assert!(below.version(&at).is_ok());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn write_back(below: Arc<dyn Store>, limit: usize) -> Self {
        Self::new(below, limit, Some(Back::default()))
    }

    /// Does what was kept to be done later, in order.
    ///
    /// # Errors
    /// What the store below said of the first that it refused since this was called last; all others are done. Where the system
    /// failed ([`Io`](demat_core::ErrorKind::Io)), what it failed at and all behind that stays, and is done by the next flush.
    pub fn flush(&self) -> Result<()> {
        self.back.as_ref().map_or(Ok(()), |back| back.flush(&*self.below, &self.stamps))
    }

    fn run(&self) -> Result<()> {
        self.back.as_ref().map_or(Ok(()), |back| back.run_all(&*self.below, &self.stamps))
    }

    /// How many bytes are kept.
    pub fn bytes(&self) -> usize {
        self.entries.bytes()
    }

    /// What has to be the same for what is kept to be given; nothing where nothing can be kept.
    fn revision(&self, at: &[String]) -> Option<Revision> {
        let stamp = self.stamps.of(at);
        Some(Revision { stamp, version: self.below.version(at).ok()? })
    }

    /// Keeps something, if nothing has happened since it was asked for.
    fn keep(&self, at: &[String], key: Box<[u8]>, revision: Revision, content: Content, bytes: usize) {
        if self.revision(at) == Some(revision) {
            self.entries.keep(key, revision, content, bytes);
        }
    }

    /// What was put last and is not done yet, where that is what a get gives; else nothing is left undone that has to do with
    /// the reference.
    fn pending(&self, at: &[String]) -> Result<Option<Arc<Value>>> {
        self.back.as_ref().map_or(Ok(None), |back| back.pending(&*self.below, &self.stamps, at))
    }

    /// The same, where only what is done counts.
    fn settle(&self, at: &[String]) -> Result<()> {
        self.back.as_ref().map_or(Ok(()), |back| back.settle(&*self.below, &self.stamps, at))
    }

    /// What may be done later, if it can be.
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

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        self.settle(at)?;
        self.below.count(at, query)
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        self.settle(at)?;
        self.below.version(at)
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
            // A buffer of its own, which is no longer than what is in it.
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
        // Nobody is there to be told.
        drop(self.run());
    }
}
