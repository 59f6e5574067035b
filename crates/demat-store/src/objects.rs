//! The program's own objects as a store.

#[cfg(test)]
mod tests;

use crate::change::{Changes, Watch, Watcher, within};
use crate::collected::{json_as_usual, tell};
use crate::fault::Fault;
use crate::memory::found;
use crate::node::Node;
use crate::query::Query;
use crate::store::Store;
use crate::verb::{Verb, Verbs};
use crate::version::Version;
use bytes::Bytes;
use demat_core::{Encode, Result, Shape, Sink, Value};
use demat_place::Format;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// A read-only store of the program's own objects; only the program changes them.
///
/// | reference | is |
/// |---|---|
/// | `/` | all objects |
/// | `/3` | one object, by its index, from 0 |
/// | `/3/title` | a field of an object |
///
/// Each request encodes the objects themselves: there is no second copy to keep up to date.
///
/// ```
/// use demat_place::Format;
/// use demat_store::{Objects, Query, Store};
/// let names = Objects::of(vec!["Ada".to_string(), "Grace".to_string()]);
/// names.change(|names| names.push("Barbara".to_string()));
/// let json = names.encoded(&[], &Query::default(), Format::JSON, 1000)?;
/// assert_eq!(json.as_deref(), Some(&br#"["Ada","Grace","Barbara"]"#[..]));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct Objects<T> {
    state: RwLock<Snapshot<T>>,
    changes: Changes,
}

/// The current objects. Readers clone the `Arc`: a slow reader sees a consistent snapshot, and blocks nobody.
struct Snapshot<T> {
    objects: Arc<Vec<T>>,
    version: u64,
}

impl<T> Objects<T> {
    /// Returns a store of these objects.
    pub fn of(objects: Vec<T>) -> Self {
        Self { state: RwLock::new(Snapshot { objects: Arc::new(objects), version: 0 }), changes: Changes::new() }
    }

    /// Changes the objects; changes a copy if a reader still uses them.
    pub fn change<R>(&self, act: impl FnOnce(&mut Vec<T>) -> R) -> R
    where
        T: Clone,
    {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        // Before the call: if it panics, the objects may have changed as well.
        state.version += 1;
        let done = act(Arc::make_mut(&mut state.objects));
        drop(state);
        self.changes.tell(Verb::Put, &[]);
        done
    }

    /// Replaces all objects.
    pub fn replace(&self, objects: Vec<T>) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.version += 1;
        state.objects = Arc::new(objects);
        drop(state);
        self.changes.tell(Verb::Put, &[]);
    }

    fn objects(&self) -> Arc<Vec<T>> {
        Arc::clone(&self.reading().objects)
    }

    fn reading(&self) -> RwLockReadGuard<'_, Snapshot<T>> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parses a name as an index.
fn number(at: &[String], name: &str) -> Result<usize> {
    // `01` and `+1` would be further references to the same object.
    name.parse().ok().filter(|number: &usize| number.to_string() == *name).ok_or_else(|| Fault::NotFound.about(at))
}

impl<T: Encode> Objects<T> {
    /// Writes the objects, or one of them, to a sink.
    fn tell_all<K: Sink + ?Sized>(&self, at: &[String], sink: &mut K) -> Result<()> {
        let objects = self.objects();
        match at {
            [] => {
                sink.begin(&T::SHAPE.clone().list())?;
                objects.encode(sink)?;
            }
            [name] => {
                let object = objects.get(number(at, name)?).ok_or_else(|| Fault::NotFound.about(at))?;
                sink.begin(T::SHAPE)?;
                object.encode(sink)?;
            }
            _ => return Err(Fault::NotFound.about(at)),
        }
        sink.finish()
    }

    /// Returns the value at a reference.
    fn value(&self, at: &[String]) -> Result<Value> {
        let Some((first, rest)) = at.split_first() else { return Value::build(|sink| self.tell_all(at, sink)) };
        let object = Value::build(|sink| self.tell_all(core::slice::from_ref(first), sink));
        let object = object.map_err(|_| Fault::NotFound.about(at))?;
        found(&object, rest).cloned().ok_or_else(|| Fault::NotFound.about(at))
    }
}

impl<T> fmt::Debug for Objects<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects").finish_non_exhaustive()
    }
}

impl<T: Encode + Send + Sync> Store for Objects<T> {
    fn describe(&self) -> Node {
        Node::new("objects").with(T::SHAPE.name())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if query.is_all() && at.len() < 2 {
            return self.tell_all(at, sink);
        }
        let shape = query.shape(&self.shape(at)?)?;
        tell(&query.apply(self.value(at)?)?, &shape, sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        Ok(match at {
            [] => T::SHAPE.clone().list(),
            [_] => T::SHAPE.clone(),
            _ => Shape::Any,
        })
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if at.is_empty() {
            let count = self.reading().objects.len();
            return (0..count).try_for_each(|number| each(&number.to_string()));
        }
        let names: Vec<String> = match self.value(at)? {
            Value::List(items) => (0..items.len()).map(|number| number.to_string()).collect(),
            Value::Map(entries) => entries
                .into_iter()
                .filter_map(|(key, _)| match key {
                    Value::Text(key) => Some(key.into_owned()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        names.iter().try_for_each(|name| each(name))
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        Ok((at.is_empty() && query.is_all()).then(|| self.reading().objects.len() as u64))
    }

    fn allows(&self, _: &[String]) -> Verbs {
        Verbs::READ
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        match at {
            [] => {}
            [name] if number(at, name)? < self.reading().objects.len() => {}
            _ => drop(self.value(at)?),
        }
        Ok(Some(Version(self.reading().version)))
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if format.is_json_document() && query.is_all() && at.len() < 2 {
            return json_as_usual(limit, |sink| self.tell_all(at, sink));
        }
        crate::representation(format, limit, |sink| self.get(at, query, sink))
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        Some(self.changes.watch(within(at, watcher)))
    }

    fn is_prompt(&self) -> bool {
        true
    }
}
