//! A layer that counts and times operations.

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
use crate::verb::Verb;
use crate::version::When;
use bytes::Bytes;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use demat_core::{Result, Sink};
use demat_place::Format;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

/// How often an operation was done, and how long it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// The number of operations, including failed ones.
    pub count: u64,
    /// The total time.
    pub total: Duration,
    /// The longest time.
    pub longest: Duration,
}

/// A layer that counts how often each verb is used, and how long that takes.
///
/// ```
/// use demat_store::{Memory, Query, Timed, Verb, collected};
/// use std::sync::Arc;
/// let store = Timed::over(Arc::new(Memory::new()));
/// collected(&store, &[], &Query::default())?;
/// let gets = store.times(Verb::Get);
/// assert!(gets.count == 1 && gets.longest == gets.total);
/// assert_eq!(store.times(Verb::Put).count, 0);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Timed {
    below: Arc<dyn Store>,
    counters: [Counter; Verb::ALL.len()],
}

/// Times are in nanoseconds; 64 bits hold more than five hundred years.
#[derive(Debug, Default)]
struct Counter {
    count: AtomicU64,
    total: AtomicU64,
    longest: AtomicU64,
}

impl Timed {
    /// Returns a layer over this store.
    pub fn over(below: Arc<dyn Store>) -> Self {
        Self { below, counters: Default::default() }
    }

    /// Returns the counts of a verb so far.
    pub fn times(&self, verb: Verb) -> Times {
        let counter = &self.counters[verb as usize];
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let time = |number| Duration::from_nanos(read(number));
        Times { count: read(&counter.count), total: time(&counter.total), longest: time(&counter.longest) }
    }

    fn done<T>(&self, verb: Verb, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let begun = Instant::now();
        let done = act();
        let took = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let counter = &self.counters[verb as usize];
        counter.count.fetch_add(1, Ordering::Relaxed);
        counter.total.fetch_add(took, Ordering::Relaxed);
        counter.longest.fetch_max(took, Ordering::Relaxed);
        done
    }
}

impl Layer for Timed {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn describe(&self) -> Node {
        Node::new("timed").over(self.below.describe())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        self.done(Verb::Get, || self.below.get(at, query, sink))
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        self.done(Verb::Put, || self.below.put(at, value, when))
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.done(Verb::Patch, || self.below.patch(at, value, when))
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.done(Verb::Post, || self.below.post(at, value))
    }

    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        self.done(Verb::Post, || self.below.post_all(at, value, duplicates, when))
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        self.done(each.verb(), || self.below.change_each(at, query, each, when))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.done(Verb::Delete, || self.below.delete(at, when))
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        self.done(Verb::Get, || self.below.encoded(at, query, format, limit))
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        self.done(Verb::Get, || self.below.read(at, query, format, to))
    }
}
