//! Delayed changes of a write-back cache.

use super::measured::measured;
use super::stamps::Stamps;
use crate::body::{Body, ValueBody};
use crate::fault::Fault;
use crate::relaxed::relaxed;
use crate::store::{Put, Store};
use crate::verb::Verb;
use crate::version::When;
use core::sync::atomic::{AtomicUsize, Ordering};
use demat_core::{Error, ErrorKind, Result, Shape, Value};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A queue of delayed changes.
#[derive(Debug, Default)]
pub(super) struct Back {
    line: Mutex<Line>,
    /// The number of changes in the queue, readable without the lock.
    count: AtomicUsize,
}

#[derive(Debug, Default)]
struct Line {
    changes: VecDeque<Later>,
    bytes: usize,
    /// The first error of the store below since the last report.
    refused: Option<Error>,
}

#[derive(Debug)]
struct Later {
    verb: Verb,
    at: Vec<String>,
    /// Null if the change has no value.
    value: Arc<Value>,
    bytes: usize,
}

/// What the queue determines about a reference.
enum Said {
    /// Nothing.
    Nothing,
    /// Its value.
    Value(Arc<Value>),
    /// A change whose result only the store below can determine.
    Something,
}

impl Line {
    fn said(&self, at: &[String]) -> Said {
        let own = |later: &&Later| at.starts_with(&later.at) || later.at.starts_with(at);
        match self.changes.iter().rev().find(own) {
            None => Said::Nothing,
            Some(later) if later.verb == Verb::Put && later.at == at => Said::Value(Arc::clone(&later.value)),
            Some(_) => Said::Something,
        }
    }
}

impl Back {
    /// A poisoned lock is fine: the queue is consistent after every step.
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_empty(&self) -> bool {
        self.count.load(Ordering::SeqCst) == 0
    }

    /// Performs all changes in the queue. Returns the first error since the last call.
    pub(super) fn flush(&self, below: &dyn Store, stamps: &Stamps) -> Result<()> {
        let mut line = self.line();
        self.run(&mut line, below, stamps)?;
        line.refused.take().map_or(Ok(()), Err)
    }

    /// Performs all changes in the queue while it is locked.
    pub(super) fn run_all(&self, below: &dyn Store, stamps: &Stamps) -> Result<()> {
        if self.is_empty() { Ok(()) } else { self.run(&mut self.line(), below, stamps) }
    }

    /// As [`run_all`](Self::run_all), on the locked queue. Fails only for I/O errors. A refused change is not reported
    /// to callers of other operations.
    fn run(&self, line: &mut Line, below: &dyn Store, stamps: &Stamps) -> Result<()> {
        while let Some(Later { verb, at, value, bytes }) = line.changes.front() {
            let (mut given, when) = (ValueBody(value), When::Always);
            let done = stamps.during(at, || match verb {
                Verb::Patch => below.patch(at, &mut given, &when),
                Verb::Delete => below.delete(at, &when),
                _ => below.put(at, &mut given, &when).map(drop),
            });
            let refused = match done {
                // It may succeed later.
                Err(error) if error.kind() == ErrorKind::Io => return Err(error),
                other => other.err(),
            };
            line.bytes -= bytes;
            line.refused = line.refused.take().or(refused);
            line.changes.pop_front();
            self.count.store(line.changes.len(), Ordering::SeqCst);
        }
        Ok(())
    }

    /// Returns the value of a reference if the queue determines it. Otherwise performs the changes that concern the
    /// reference.
    pub(super) fn pending(&self, below: &dyn Store, stamps: &Stamps, at: &[String]) -> Result<Option<Arc<Value>>> {
        if self.is_empty() {
            return Ok(None);
        }
        let mut line = self.line();
        match line.said(at) {
            Said::Nothing => Ok(None),
            // Stores with a shape may change the value.
            Said::Value(value) if matches!(below.shape(at), Ok(Shape::Any)) => Ok(Some(value)),
            _ => self.run(&mut line, below, stamps).map(|()| None),
        }
    }

    /// Performs the changes that concern a reference.
    pub(super) fn settle(&self, below: &dyn Store, stamps: &Stamps, at: &[String]) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let mut line = self.line();
        match line.said(at) {
            Said::Nothing => Ok(()),
            _ => self.run(&mut line, below, stamps),
        }
    }

    /// Returns whether a value will exist after all changes in the queue.
    fn is_there(&self, line: &mut Line, below: &dyn Store, stamps: &Stamps, at: &[String]) -> Result<bool> {
        match line.said(at) {
            Said::Value(_) => return Ok(true),
            Said::Something => self.run(line, below, stamps)?,
            Said::Nothing => {}
        }
        below.exists(at)
    }

    pub(super) fn put(
        &self,
        below: &dyn Store,
        stamps: &Stamps,
        at: &[String],
        value: &mut dyn Body,
        limit: usize,
    ) -> Result<Put> {
        let there = self.add(below, stamps, Verb::Put, at, Some(value), limit)?;
        Ok(if there { Put::Replaced } else { Put::Created })
    }

    pub(super) fn patch(
        &self,
        below: &dyn Store,
        stamps: &Stamps,
        at: &[String],
        value: &mut dyn Body,
        limit: usize,
    ) -> Result<()> {
        self.add(below, stamps, Verb::Patch, at, Some(value), limit).map(drop)
    }

    pub(super) fn delete(&self, below: &dyn Store, stamps: &Stamps, at: &[String], limit: usize) -> Result<()> {
        self.add(below, stamps, Verb::Delete, at, None, limit).map(drop)
    }

    /// Adds a change to the queue. Returns whether the value existed.
    fn add(
        &self,
        below: &dyn Store,
        stamps: &Stamps,
        verb: Verb,
        at: &[String],
        value: Option<&mut dyn Body>,
        limit: usize,
    ) -> Result<bool> {
        if !below.allows(at).has(verb) {
            return Err(Fault::NotAllowed(verb).about(at));
        }
        let (value, bytes) = match value {
            Some(value) => {
                let shape = of_parts(below.shape(at)?)?;
                measured(usize::MAX, |sink| value.tell(&shape, sink))?
            }
            None => (Value::Null, 0),
        };
        let mut line = self.line();
        let there = self.is_there(&mut line, below, stamps, at)?;
        if !there && verb != Verb::Put {
            return Err(Fault::NotFound.about(at));
        }
        let bytes = bytes + at.iter().map(String::len).sum::<usize>() + size_of::<Later>();
        if line.bytes + bytes > limit {
            self.run(&mut line, below, stamps)?;
        }
        line.bytes += bytes;
        line.changes.push_back(Later { verb, at: at.to_vec(), value: Arc::new(value), bytes });
        self.count.store(line.changes.len(), Ordering::SeqCst);
        stamps.changed(at);
        Ok(there)
    }
}

/// Returns a shape for values that the store below will check: no field is required or gets a default.
fn of_parts(shape: Shape) -> Result<Shape> {
    match shape {
        Shape::Record(record) => relaxed(&record.get(), |_| true),
        Shape::List(item) => Ok(of_parts((*item).clone())?.list()),
        other => Ok(other),
    }
}
