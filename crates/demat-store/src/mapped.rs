//! A layer of functions.

#[cfg(test)]
mod tests;

use crate::body::{Body, ValueBody};
use crate::change::{Change, Watch, Watcher};
use crate::collected::{collected, representation};
use crate::fault::Fault;
use crate::layer::Layer;
use crate::node::Node;
use crate::query::Query;
use crate::reference::Reference;
use crate::relation::Relation;
use crate::several::found;
use crate::store::{Put, Store};
use crate::verb::Verbs;
use crate::version::{Version, When};
use bytes::Bytes;
use core::fmt;
use demat_core::{Encode, Result, Shape, Sink, Value};
use demat_place::{Format, WriteOptions};
use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

type Lead = Box<dyn Fn(&[String]) -> Result<Reference> + Send + Sync>;
type Values = Box<dyn Fn(&[String], Value) -> Result<Value> + Send + Sync>;

/// Maps the references, the written values and the read values of another store by functions. Each function is
/// optional.
///
/// Functions of values get whole values; without them, values are still streamed. Queries apply to mapped values. Over
/// a
/// [prompt](Store::is_prompt) store, the functions must be quick.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Mapped, Memory, Query, Reference, Store, When, ValueBody, collected};
/// use std::sync::Arc;
/// let store = Mapped::over(Arc::new(Memory::new()))
///     .with_reference(|at| Ok(Reference::of(at.iter().map(|name| name.to_lowercase()))))
///     .with_read(|_, value| Ok(Value::List(vec![value])));
/// let at = ["A".to_string()];
/// store.put(&at, &mut ValueBody(&Value::Bool(true)), &When::Always)?;
/// assert_eq!(collected(&store, &["a".to_string()], &Query::default())?, Value::List(vec![Value::Bool(true)]));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct Mapped {
    below: Arc<dyn Store>,
    reference: Option<Lead>,
    written: Option<Values>,
    read: Option<Values>,
}

impl Mapped {
    /// Returns a layer over a store, without functions.
    pub fn over(below: Arc<dyn Store>) -> Self {
        Self { below, reference: None, written: None, read: None }
    }

    /// Sets the function from references to references of the store below.
    #[must_use]
    pub fn with_reference(mut self, lead: impl Fn(&[String]) -> Result<Reference> + Send + Sync + 'static) -> Self {
        self.reference = Some(Box::new(lead));
        self
    }

    /// Sets the function for values that are put, patched or posted. Its first argument is the reference before
    /// mapping.
    #[must_use]
    pub fn with_written(mut self, change: impl Fn(&[String], Value) -> Result<Value> + Send + Sync + 'static) -> Self {
        self.written = Some(Box::new(change));
        self
    }

    /// Sets the function for values that are read. Its first argument is the reference before mapping.
    #[must_use]
    pub fn with_read(mut self, change: impl Fn(&[String], Value) -> Result<Value> + Send + Sync + 'static) -> Self {
        self.read = Some(Box::new(change));
        self
    }

    fn lead<'r>(&self, at: &'r [String]) -> Result<Cow<'r, [String]>> {
        Ok(match &self.reference {
            Some(lead) => Cow::Owned(lead(at)?.to_vec()),
            None => Cow::Borrowed(at),
        })
    }

    /// Maps the reference and the value of a write.
    fn give<T>(
        &self,
        at: &[String],
        value: &mut dyn Body,
        act: impl FnOnce(&[String], &mut dyn Body) -> Result<T>,
    ) -> Result<T> {
        let below = self.lead(at)?;
        match &self.written {
            None => act(&below, value),
            Some(change) => {
                let value = Value::build(|sink| value.tell(&Shape::Any, sink))?;
                act(&below, &mut ValueBody(&change(at, value)?))
            }
        }
    }
}

impl fmt::Debug for Mapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Layer::describe(self))
    }
}

impl Layer for Mapped {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn describe(&self) -> Node {
        let all = [
            (self.reference.is_some(), "references"),
            (self.written.is_some(), "written values"),
            (self.read.is_some(), "read values"),
        ];
        let names: Vec<_> = all.into_iter().filter_map(|(is, name)| is.then_some(name)).collect();
        Node::new("mapped").with(names.join(", ")).over(self.below.describe())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let below = self.lead(at)?;
        let Some(change) = &self.read else { return self.below.get(&below, query, sink) };
        let value = change(at, collected(&*self.below, &below, &Query::default())?)?;
        let value = query.apply(value)?;
        sink.begin(&Shape::Any)?;
        value.encode(sink)?;
        sink.finish()
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        let shape = self.below.shape(&self.lead(at)?)?;
        Ok(if self.read.is_some() || self.written.is_some() { Shape::Any } else { shape })
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        self.give(at, value, |at, value| self.below.put(at, value, when))
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.give(at, value, |at, value| self.below.patch(at, value, when))
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.give(at, value, |below, value| {
            let posted = self.below.post(below, value)?;
            // References can't be mapped back, but the new item is in the same list.
            Ok(posted.strip_prefix(below).map_or_else(|| at.into(), |names| Reference::from(at).join(names)))
        })
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.below.delete(&self.lead(at)?, when)
    }

    fn is_collection(&self, at: &[String]) -> bool {
        self.lead(at).is_ok_and(|at| self.below.is_collection(&at))
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.below.children(&self.lead(at)?, each)
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        if self.read.is_some() { Ok(None) } else { self.below.count(&self.lead(at)?, query) }
    }

    fn cursor(&self, _: &[String], query: &Query) -> Result<Option<String>> {
        // References and values may be others than those below.
        query.refuse_cursor().map(|()| None)
    }

    fn relations(&self, _: &[String]) -> Vec<Relation> {
        // References and values may be others than those below.
        Vec::new()
    }

    fn facet(&self, at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        let _ = (at, query, field, limit);
        Err(Fault::BadQuery.because("values may be others than those below, and are not counted"))
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        match self.lead(at) {
            Ok(below) if self.read.is_none() => self.below.key(&below),
            _ => Vec::new(),
        }
    }

    fn allows(&self, at: &[String]) -> Verbs {
        self.lead(at).map_or(Verbs::NONE, |at| self.below.allows(&at))
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        self.below.version(&self.lead(at)?)
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        match found(self.lead(at))? {
            Some(at) => self.below.exists(&at),
            None => Ok(false),
        }
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if self.read.is_some() {
            return representation(format, limit, |sink| Layer::get(self, at, query, sink));
        }
        self.below.encoded(&self.lead(at)?, query, format, limit)
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        if self.read.is_some() {
            let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
            return Layer::get(self, at, query, &mut *sink);
        }
        self.below.read(&self.lead(at)?, query, format, to)
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        if self.reference.is_none() {
            return self.below.watch(at, watcher);
        }
        let (own, below) = (at.to_vec(), self.lead(at).ok()?.into_owned());
        let watched = below.clone();
        let told: Watcher = Arc::new(move |change| {
            let within = change.at.strip_prefix(&below[..]).unwrap_or(&[]);
            watcher(&Change { verb: change.verb, at: Reference::from(&own[..]).join(within) });
        });
        self.below.watch(&watched, told)
    }
}
