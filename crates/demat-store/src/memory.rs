//! Values in memory.

#[cfg(test)]
mod tests;

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::change::{Changes, Watch, Watcher, within};
use crate::fault::Fault;
use crate::node::Node;
use crate::query::Query;
use crate::reference::Reference;
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::{Version, When};
use demat_core::{Encode, Result, Shape, Sink, Value};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A tree of values in memory. A reference consists of map keys and list indices (from 0).
///
/// A put adds a key to a map, and a post adds an item to a list. A value posted to a map gets the next number as its
/// key, from 1. A patch merges a map into a map. Missing maps on the path of a reference are created.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Memory, Query, Reference, Store, ValueBody, collected};
/// let store = Memory::new();
/// let task = store.post(&[], &mut ValueBody(&Value::Text("Clean Room".into())))?;
/// assert_eq!(task.to_string(), "/1");
/// assert_eq!(collected(&store, &task, &Query::default())?, Value::Text("Clean Room".into()));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Memory {
    state: RwLock<Snapshot>,
    changes: Changes,
}

#[derive(Debug)]
struct Snapshot {
    /// Readers clone the `Arc`: a slow reader sees a consistent snapshot, and blocks nobody.
    value: Arc<Value>,
    version: u64,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Returns an empty store.
    pub fn new() -> Self {
        Self::of(Value::Map(Vec::new()))
    }

    /// Returns a store of this value.
    pub fn of(value: Value) -> Self {
        Self { state: RwLock::new(Snapshot { value: Arc::new(value), version: 0 }), changes: Changes::new() }
    }

    // A poisoned lock is fine: the value is consistent even after a panic.
    fn reading(&self) -> RwLockReadGuard<'_, Snapshot> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, Snapshot> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the value if the condition holds, and notifies watchers.
    fn change<T>(
        &self,
        verb: Verb,
        at: &[String],
        when: &When,
        act: impl FnOnce(&mut Value) -> Result<T>,
    ) -> Result<T> {
        let mut state = self.writing();
        let there = found(&state.value, at).map(|_| Some(Version(state.version)));
        if !when.holds(there) {
            return Err(Fault::Changed.about(at));
        }
        if there.is_none() && matches!(verb, Verb::Patch | Verb::Delete) {
            return Err(Fault::NotFound.about(at));
        }
        let done = act(Arc::make_mut(&mut state.value))?;
        state.version += 1;
        drop(state);
        if verb != Verb::Post {
            self.changes.tell(verb, at);
        }
        Ok(done)
    }
}

/// Returns the value at a reference.
pub(crate) fn found<'v>(value: &'v Value, at: &[String]) -> Option<&'v Value> {
    at.iter().try_fold(value, |value, name| match value {
        Value::List(items) => items.get(name.parse::<usize>().ok()?),
        Value::Map(entries) => entries.iter().find(|(key, _)| is_called(key, name)).map(|(_, value)| value),
        _ => None,
    })
}

fn is_called(key: &Value, name: &str) -> bool {
    match key {
        Value::Text(key) => key == name,
        Value::Int(key) => key.to_string() == name,
        _ => false,
    }
}

/// Returns the value at a reference, and creates what is missing on its path.
fn place<'v>(value: &'v mut Value, at: &[String]) -> Result<&'v mut Value> {
    let mut own = value;
    for (index, name) in at.iter().enumerate() {
        let missing = || Fault::Conflict.about(&at[..=index]);
        own = match own {
            Value::List(items) => {
                name.parse().ok().and_then(|number: usize| items.get_mut(number)).ok_or_else(missing)?
            }
            Value::Map(entries) => {
                let there = entries.iter().position(|(key, _)| is_called(key, name));
                let there = there.unwrap_or_else(|| {
                    entries.push((Value::Text(name.clone().into()), Value::Map(Vec::new())));
                    entries.len() - 1
                });
                &mut entries[there].1
            }
            _ => return Err(missing()),
        };
    }
    Ok(own)
}

impl Store for Memory {
    fn describe(&self) -> Node {
        Node::new("memory")
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let whole = Arc::clone(&self.reading().value);
        let value = found(&whole, at).ok_or_else(|| Fault::NotFound.about(at))?;
        sink.begin(&Shape::Any)?;
        if query.is_all() {
            value.encode(sink)?;
        } else {
            query.apply(value.clone())?.encode(sink)?;
        }
        sink.finish()
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let value = Value::build(|sink| value.tell(&Shape::Any, sink))?;
        self.change(Verb::Put, at, when, |whole| {
            let put = if found(whole, at).is_some() { Put::Replaced } else { Put::Created };
            *place(whole, at)? = value;
            Ok(put)
        })
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        let value = Value::build(|sink| value.tell(&Shape::Any, sink))?;
        self.change(Verb::Patch, at, when, |whole| {
            patched(place(whole, at)?, value);
            Ok(())
        })
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let verb = each.verb();
        let part = match each {
            BulkChange::Delete => None,
            BulkChange::Patch(value) => Some(Value::build(|sink| value.tell(&Shape::Any, sink))?),
        };
        self.change(verb, at, when, |whole| {
            let Value::List(items) = place(whole, at)? else {
                return Err(Fault::BadQuery.because("a list has items to choose from, and this is none"));
            };
            let chosen = query.chosen_of(items)?;
            if let Some(part) = &part {
                for number in &chosen {
                    patched(&mut items[*number], part.clone());
                }
            } else {
                let (mut at, mut left) = (0.., chosen.iter().copied().peekable());
                items.retain(|_| left.next_if_eq(&at.next().unwrap_or(0)).is_none());
            }
            Ok(chosen.len() as u64)
        })
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let value = Value::build(|sink| value.tell(&Shape::Any, sink))?;
        let name = self.change(Verb::Post, at, &When::Always, |whole| match place(whole, at)? {
            Value::List(items) => {
                items.push(value);
                Ok((items.len() - 1).to_string())
            }
            Value::Map(entries) => {
                let number = |(key, _): &(Value, Value)| match key {
                    Value::Text(key) => key.parse::<u64>().ok(),
                    _ => None,
                };
                let name = entries.iter().filter_map(number).max().map_or(1, |last| last.saturating_add(1)).to_string();
                entries.push((Value::Text(name.clone().into()), value));
                Ok(name)
            }
            _ => Err(Fault::NotAllowed(Verb::Post).about(at)),
        })?;
        let reference = Reference::from(at).join(&[name]);
        self.changes.tell(Verb::Post, &reference);
        Ok(reference)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.change(Verb::Delete, at, when, |whole| {
            let Some((last, before)) = at.split_last() else {
                *whole = match whole {
                    Value::List(_) => Value::List(Vec::new()),
                    _ => Value::Map(Vec::new()),
                };
                return Ok(());
            };
            match place(whole, before)? {
                Value::List(items) => drop(last.parse().map(|number: usize| items.remove(number))),
                Value::Map(entries) => entries.retain(|(key, _)| !is_called(key, last)),
                _ => {}
            }
            Ok(())
        })
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let names: Vec<String> = match found(&self.reading().value, at).ok_or_else(|| Fault::NotFound.about(at))? {
            Value::List(items) => (0..items.len()).map(|number| number.to_string()).collect(),
            Value::Map(entries) => entries
                .iter()
                .filter_map(|(key, _)| match key {
                    Value::Text(key) => Some(key.to_string()),
                    Value::Int(key) => Some(key.to_string()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        names.iter().try_for_each(|name| each(name))
    }

    fn allows(&self, at: &[String]) -> Verbs {
        match found(&self.reading().value, at) {
            Some(Value::List(_) | Value::Map(_)) | None => Verbs::ALL,
            Some(_) => Verbs::ALL.without(Verb::Post),
        }
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        let state = self.reading();
        found(&state.value, at).map(|_| Some(Version(state.version))).ok_or_else(|| Fault::NotFound.about(at))
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        Some(self.changes.watch(within(at, watcher)))
    }

    fn is_prompt(&self) -> bool {
        true
    }
}

/// Merges a map's entries into a map; replaces any other value.
fn patched(own: &mut Value, value: Value) {
    match (own, value) {
        (Value::Map(entries), Value::Map(given)) => {
            for (key, value) in given {
                match entries.iter_mut().find(|(own, _)| *own == key) {
                    Some((_, own)) => *own = value,
                    None => entries.push((key, value)),
                }
            }
        }
        (own, value) => *own = value,
    }
}
