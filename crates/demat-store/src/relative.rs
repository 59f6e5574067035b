//! A part of another store.

#[cfg(test)]
mod tests;

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::change::{Change, Watch, Watcher};
use crate::layer::Layer;
use crate::node::Node;
use crate::posted::{Duplicates, Posted};
use crate::query::Query;
use crate::reference::Reference;
use crate::relation::Relation;
use crate::store::{Put, Store};
use crate::verb::Verbs;
use crate::version::{Version, When};
use bytes::Bytes;
use demat_core::{Result, Shape, Sink, Value};
use demat_place::Format;
use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

/// The subtree below a reference of another store, as a store of its own. Errors have references of the other store.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Memory, Query, Relative, Store, ValueBody, collected};
/// use std::sync::Arc;
/// let all: Arc<dyn Store> = Arc::new(Memory::new());
/// let tasks = Relative::over(all.clone(), "/todo/tasks".parse()?);
/// let at = tasks.post(&[], &mut ValueBody(&Value::Bool(true)))?;
/// assert_eq!(at.to_string(), "/1");
/// let whole = ["todo", "tasks", "1"].map(String::from);
/// assert_eq!(collected(&*all, &whole, &Query::default())?, Value::Bool(true));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Relative {
    below: Arc<dyn Store>,
    base: Reference,
}

impl Relative {
    /// Returns the subtree of a store below this reference.
    pub fn over(below: Arc<dyn Store>, base: Reference) -> Self {
        Self { below, base }
    }

    fn whole<'r>(&self, at: &'r [String]) -> Cow<'r, [String]> {
        if self.base.is_empty() { Cow::Borrowed(at) } else { Cow::Owned([&self.base[..], at].concat()) }
    }
}

impl Layer for Relative {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn describe(&self) -> Node {
        Node::new("relative").with(self.base.to_string()).over(self.below.describe())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        self.below.get(&self.whole(at), query, sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        self.below.shape(&self.whole(at))
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        self.below.put(&self.whole(at), value, when)
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.below.patch(&self.whole(at), value, when)
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let posted = self.below.post(&self.whole(at), value)?;
        Ok(posted.strip_prefix(&self.base[..]).map_or_else(|| at.into(), Reference::from))
    }

    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        self.below.post_all(&self.whole(at), value, duplicates, when)
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        self.below.change_each(&self.whole(at), query, each, when)
    }

    fn is_collection(&self, at: &[String]) -> bool {
        self.below.is_collection(&self.whole(at))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.below.delete(&self.whole(at), when)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.below.children(&self.whole(at), each)
    }

    fn relations(&self, at: &[String]) -> Vec<Relation> {
        // What is outside of the subtree can't be reached.
        let within = |relation: Relation| {
            let to = relation.to.strip_prefix(&self.base[..]).map(Reference::from)?;
            Some(Relation { to, ..relation })
        };
        self.below.relations(&self.whole(at)).into_iter().filter_map(within).collect()
    }

    fn facet(&self, at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        self.below.facet(&self.whole(at), query, field, limit)
    }

    fn cursor(&self, at: &[String], query: &Query) -> Result<Option<String>> {
        self.below.cursor(&self.whole(at), query)
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        self.below.count(&self.whole(at), query)
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        self.below.key(&self.whole(at))
    }

    fn allows(&self, at: &[String]) -> Verbs {
        self.below.allows(&self.whole(at))
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        self.below.version(&self.whole(at))
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        self.below.exists(&self.whole(at))
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        self.below.encoded(&self.whole(at), query, format, limit)
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        self.below.read(&self.whole(at), query, format, to)
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        let base = self.base.clone();
        let own: Watcher = Arc::new(move |change| {
            // A change above the base affects all of the subtree.
            let at = change.at.strip_prefix(&base[..]).unwrap_or(&[]);
            watcher(&Change { verb: change.verb, at: at.into() });
        });
        self.below.watch(&self.whole(at), own)
    }
}
