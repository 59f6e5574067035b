//! A layer that logs operations.

#[cfg(test)]
mod tests;

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::layer::Layer;
use crate::node::Node;
use crate::posted::{Duplicates, Posted};
use crate::query::Query;
use crate::reference::Reference;
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::When;
use bytes::Bytes;
use core::fmt;
use core::time::Duration;
use demat_core::{Error, Result, Sink};
use demat_place::Format;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

/// A logged operation.
#[derive(Debug, Clone, Copy)]
pub struct Logged<'l> {
    /// The operation.
    pub verb: Verb,
    /// Its reference.
    pub at: &'l [String],
    /// Its duration.
    pub took: Duration,
    /// Its error, if it failed.
    pub error: Option<&'l Error>,
}

impl fmt::Display for Logged<'_> {
    /// Writes a line: `get /tasks/3 0.012 ms`, then the error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = crate::reference::shown(self.at);
        write!(f, "{} {at} {:.3} ms", self.verb, self.took.as_secs_f64() * 1000.0)?;
        self.error.map_or(Ok(()), |error| write!(f, " {error}"))
    }
}

type Callback = dyn Fn(&Logged<'_>) + Send + Sync;

/// Calls a function after each operation on another store, for some of the verbs. The function runs on the calling
/// thread, so it must be quick.
///
/// ```
/// use demat_store::{Log, Logged, Memory, Query, Store, Verb, Verbs, collected};
/// use std::sync::{Arc, Mutex};
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let told = lines.clone();
/// let tell = move |done: &Logged| told.lock().unwrap().push(format!("{} {}", done.verb, done.error.is_some()));
/// let store = Log::over(Arc::new(Memory::new()), Verbs::READ, tell);
/// collected(&store, &[], &Query::default())?;
/// collected(&store, &["nothing".to_string()], &Query::default()).unwrap_err();
/// assert_eq!(*lines.lock().unwrap(), ["get false", "get true"]);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct Log {
    below: Arc<dyn Store>,
    verbs: Verbs,
    tell: Box<Callback>,
}

impl Log {
    /// Returns a layer that logs these verbs.
    pub fn over(below: Arc<dyn Store>, verbs: Verbs, tell: impl Fn(&Logged<'_>) + Send + Sync + 'static) -> Self {
        Self { below, verbs, tell: Box::new(tell) }
    }

    fn done<T>(&self, verb: Verb, at: &[String], act: impl FnOnce() -> Result<T>) -> Result<T> {
        if !self.verbs.has(verb) {
            return act();
        }
        let begun = Instant::now();
        let done = act();
        (self.tell)(&Logged { verb, at, took: begun.elapsed(), error: done.as_ref().err() });
        done
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("below", &self.below).field("verbs", &self.verbs).finish_non_exhaustive()
    }
}

impl Layer for Log {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn describe(&self) -> Node {
        Node::new("log").with(self.verbs.to_string()).over(self.below.describe())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        self.done(Verb::Get, at, || self.below.get(at, query, sink))
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        self.done(Verb::Put, at, || self.below.put(at, value, when))
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.done(Verb::Patch, at, || self.below.patch(at, value, when))
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.done(Verb::Post, at, || self.below.post(at, value))
    }

    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        self.done(Verb::Post, at, || self.below.post_all(at, value, duplicates, when))
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        self.done(each.verb(), at, || self.below.change_each(at, query, each, when))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.done(Verb::Delete, at, || self.below.delete(at, when))
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        self.done(Verb::Get, at, || self.below.encoded(at, query, format, limit))
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        self.done(Verb::Get, at, || self.below.read(at, query, format, to))
    }
}
