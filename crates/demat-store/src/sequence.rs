//! A sequence of stores.

#[cfg(test)]
mod tests;

use crate::body::Body;
use crate::change::{Watch, Watcher};
use crate::node::Node;
use crate::query::Query;
use crate::reference::Reference;
use crate::several::{condition, first_of, found, present, the_first_is_changed, watched};
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::{Version, When};
use bytes::Bytes;
use core::hash::{Hash as _, Hasher as _};
use demat_core::{Result, Shape, Sink};
use demat_place::Format;
use std::hash::DefaultHasher;
use std::io::Write;
use std::sync::Arc;

/// Several stores with the same references: the first one that has a value answers. Changes go to the first store. So
/// deleting a value there reveals those of later stores.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Memory, Query, Sequence, Store, When, ValueBody, collected};
/// use std::sync::Arc;
/// let usual = Memory::of(Value::Map(vec![(Value::Text("port".into()), Value::Int(80.into()))]));
/// let store = Sequence::of(Arc::new(Memory::new()), [Arc::new(usual) as Arc<dyn Store>]);
/// let port = ["port".to_string()];
/// assert_eq!(collected(&store, &port, &Query::default())?, Value::Int(80.into()));
/// store.put(&port, &mut ValueBody(&Value::Int(8080.into())), &When::Always)?;
/// assert_eq!(collected(&store, &port, &Query::default())?, Value::Int(8080.into()));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Sequence {
    stores: Vec<Arc<dyn Store>>,
}

impl Sequence {
    /// Returns a sequence of stores.
    pub fn of(first: Arc<dyn Store>, others: impl IntoIterator<Item = Arc<dyn Store>>) -> Self {
        Self { stores: core::iter::once(first).chain(others).collect() }
    }

    fn when(&self, at: &[String], when: &When) -> Result<When> {
        // The first store can check its own versions.
        if *when == When::Always || self.stores[0].exists(at).is_ok_and(|exists| exists) || self.stores.len() == 1 {
            return Ok(when.clone());
        }
        condition(&*self.stores[0], at, when, self)
    }
}

impl Store for Sequence {
    fn describe(&self) -> Node {
        self.stores.iter().fold(Node::new("sequence"), |node, store| node.over(store.describe()))
    }

    the_first_is_changed!();

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        first_of(&self.stores, at, |store| store.get(at, query, sink)).map(drop)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        // The shape of the store that has the value; otherwise the shape that a new value could have.
        match first_of(&self.stores, at, |store| present(store, at).and_then(|()| store.shape(at))) {
            Ok((_, shape)) => Ok(shape),
            Err(_) => first_of(&self.stores, at, |store| store.shape(at)).map(|(_, shape)| shape),
        }
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        first_of(&self.stores, at, |store| store.children(at, each)).map(drop)
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        first_of(&self.stores, at, |store| present(store, at).and_then(|()| store.count(at, query)))
            .map(|(_, count)| count)
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        let own = first_of(&self.stores, at, |store| present(store, at).map(|()| store.key(at)));
        own.map_or_else(|_| self.stores[0].key(at), |(_, key)| key)
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        let (index, version) = first_of(&self.stores, at, |store| store.version(at))?;
        // Two stores may use the same version for different values.
        let mixed = |own: Version| {
            let mut hasher = DefaultHasher::new();
            (index, own.0).hash(&mut hasher);
            Version(hasher.finish())
        };
        Ok(if index == 0 { version } else { version.map(mixed) })
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        found(first_of(&self.stores, at, |store| present(store, at))).map(|found| found.is_some())
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        first_of(&self.stores, at, |store| store.encoded(at, query, format, limit)).map(|(_, encoded)| encoded)
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        first_of(&self.stores, at, |store| store.read(at, query, format, to)).map(drop)
    }
}
