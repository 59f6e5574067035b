//! Merged stores.

#[cfg(test)]
mod tests;

use crate::body::Body;
use crate::change::{Watch, Watcher};
use crate::collected::{collected, tell};
use crate::fault::Fault;
use crate::node::Node;
use crate::query::Query;
use crate::reference::Reference;
use crate::several::{condition, found, the_first_is_changed, watched};
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::{Version, When};
use core::hash::{Hash as _, Hasher as _};
use demat_core::{Result, Shape, Sink, Value};
use std::collections::{HashMap, HashSet};
use std::hash::DefaultHasher;
use std::sync::Arc;

/// Merges several stores with the same references: lists are concatenated, records and maps have the keys of all, at
/// every depth; of other values the last store's wins. Changes go to the first store.
///
/// All values are held in memory while they are merged.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Memory, Merge, Query, Store, collected};
/// use std::sync::Arc;
/// let of = |name: &'static str, value: i64| {
///     let entry = (Value::Text(name.into()), Value::Int(value.into()));
///     Arc::new(Memory::of(Value::Map(vec![(Value::Text("all".into()), Value::Int(value.into())), entry])))
/// };
/// let store = Merge::of(of("a", 1), [of("b", 2) as Arc<dyn Store>]);
/// let whole = collected(&store, &[], &Query::default())?;
/// assert_eq!(whole.get("a"), Some(&Value::Int(1.into())));
/// assert_eq!(whole.get("all"), Some(&Value::Int(2.into())));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Merge {
    stores: Vec<Arc<dyn Store>>,
}

impl Merge {
    /// Merges a store with others.
    pub fn of(first: Arc<dyn Store>, others: impl IntoIterator<Item = Arc<dyn Store>>) -> Self {
        Self { stores: core::iter::once(first).chain(others).collect() }
    }

    /// Returns the results of the stores that have a value.
    fn answers<T>(&self, at: &[String], ask: impl Fn(&dyn Store) -> Result<T>) -> Result<Vec<T>> {
        let answers = self.stores.iter().filter_map(|store| found(ask(&**store)).transpose());
        let answers: Vec<T> = answers.collect::<Result<_>>()?;
        if answers.is_empty() { Err(Fault::NotFound.about(at)) } else { Ok(answers) }
    }

    fn when(&self, at: &[String], when: &When) -> Result<When> {
        condition(&*self.stores[0], at, when, self)
    }
}

/// Merges two values.
fn joined(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::List(mut items), Value::List(more)) => {
            items.extend(more);
            Value::List(items)
        }
        (Value::Map(entries), Value::Map(more)) => Value::Map(entries_of(entries, more)),
        (_, other) => other,
    }
}

fn entries_of(mut entries: Vec<(Value, Value)>, more: Vec<(Value, Value)>) -> Vec<(Value, Value)> {
    // Most keys are text; others are searched one by one.
    let texts = entries.iter().enumerate().filter_map(|(index, (key, _))| match key {
        Value::Text(key) => Some((key.to_string(), index)),
        _ => None,
    });
    let texts: HashMap<String, usize> = texts.collect();
    for (key, value) in more {
        let there = match &key {
            Value::Text(key) => texts.get(&**key).copied(),
            key => entries.iter().position(|(own, _)| own == key),
        };
        match there {
            Some(index) => {
                let own = core::mem::replace(&mut entries[index].1, Value::Null);
                entries[index].1 = joined(own, value);
            }
            None => entries.push((key, value)),
        }
    }
    entries
}

impl Store for Merge {
    fn describe(&self) -> Node {
        self.stores.iter().fold(Node::new("merge"), |node, store| node.over(store.describe()))
    }

    the_first_is_changed!();

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let values = self.answers(at, |store| collected(store, at, &Query::default()))?;
        let value = values.into_iter().reduce(joined).unwrap_or(Value::Null);
        tell(&query.apply(value)?, &query.shape_or_any(&self.shape(at)?)?, sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        let mut shapes = self.answers(at, |store| store.shape(at))?;
        let shape = shapes.swap_remove(0);
        Ok(if shapes.iter().all(|other| *other == shape) { shape } else { Shape::Any })
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let (mut names, mut seen) = (Vec::new(), HashSet::new());
        let mut there = false;
        for store in &self.stores {
            let told = store.children(at, &mut |name| {
                if seen.insert(name.to_string()) {
                    names.push(name.to_string());
                }
                Ok(())
            });
            there |= found(told)?.is_some();
        }
        if !there {
            return Err(Fault::NotFound.about(at));
        }
        names.iter().try_for_each(|name| each(name))
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        let mut hasher = DefaultHasher::new();
        let (mut there, mut counted) = (false, true);
        for store in &self.stores {
            let version = found(store.version(at))?;
            there |= version.is_some();
            counted &= version != Some(None);
            version.flatten().map(|Version(own)| own).hash(&mut hasher);
        }
        if !there {
            return Err(Fault::NotFound.about(at));
        }
        Ok(counted.then(|| Version(hasher.finish())))
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        for store in &self.stores {
            if store.exists(at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
