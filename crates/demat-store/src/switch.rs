//! Stores by name.

#[cfg(test)]
mod tests;

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::change::{Change, Watch, Watcher};
use crate::collected::representation;
use crate::fault::Fault;
use crate::node::Node;
use crate::posted::{Duplicates, Posted};
use crate::query::Query;
use crate::reference::Reference;
use crate::relation::Relation;
use crate::several::found;
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::{Version, When};
use bytes::Bytes;
use demat_core::{Encode, Result, Shape, Sink, Value};
use demat_place::{Format, WriteOptions};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

/// Several stores, each under a name, which is the first name of its references. The root's value is the list of the
/// names.
///
/// An optional default store handles all other names; it gets the whole reference.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Environment, Memory, Query, Store, Switch, ValueBody, collected};
/// use std::sync::Arc;
/// let store = Switch::new().with("notes", Arc::new(Memory::new()))?.with("env", Arc::new(Environment::new()))?;
/// let at = store.post(&["notes".to_string()], &mut ValueBody(&Value::Text("hello".into())))?;
/// assert_eq!(at.to_string(), "/notes/1");
/// let names = ["env", "notes"].map(|name| Value::Text(name.into())).to_vec();
/// assert_eq!(collected(&store, &[], &Query::default())?, Value::List(names));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Switch {
    stores: BTreeMap<String, Arc<dyn Store>>,
    others: Option<Arc<dyn Store>>,
}

/// The store that a reference leads to.
struct Led<'s, 'r> {
    store: &'s dyn Store,
    /// The names before the store's own reference; empty for the default store.
    before: &'r [String],
    rest: &'r [String],
}

impl Switch {
    /// Returns a switch without stores.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a store under this name; replaces an existing one.
    ///
    /// # Errors
    /// [`Fault::BadReference`] if the name is too long for a reference's text.
    pub fn with(mut self, name: &str, store: Arc<dyn Store>) -> Result<Self> {
        if !Reference::of([name]).is_readable() {
            return Err(Fault::BadReference.because("the name of a store is too long"));
        }
        self.stores.insert(name.to_string(), store);
        Ok(self)
    }

    /// Sets the default store, for all other names.
    #[must_use]
    pub fn with_default(mut self, store: Arc<dyn Store>) -> Self {
        self.others = Some(store);
        self
    }

    fn led<'s, 'r>(&'s self, at: &'r [String]) -> Result<Led<'s, 'r>> {
        let Some(name) = at.first() else { return Err(Fault::NotFound.about(at)) };
        if let Some(store) = self.stores.get(name) {
            let (before, rest) = at.split_at(1);
            return Ok(Led { store: &**store, before, rest });
        }
        let store = self.others.as_deref().ok_or_else(|| Fault::NotFound.about(at))?;
        Ok(Led { store, before: &[], rest: at })
    }

    /// As [`led`](Self::led), for a change. The root can't be changed.
    fn changed<'s, 'r>(&'s self, verb: Verb, at: &'r [String]) -> Result<Led<'s, 'r>> {
        if at.is_empty() { Err(Fault::NotAllowed(verb).about(at)) } else { self.led(at) }
    }

    fn all(&self) -> impl Iterator<Item = (&[String], &Arc<dyn Store>)> {
        let named = self.stores.iter().map(|(name, store)| (core::slice::from_ref(name), store));
        named.chain(self.others.iter().map(|store| (&[][..], store)))
    }
}

/// Returns a watcher for a store, which reports references of the whole.
fn told_as(before: &[String], watcher: Watcher) -> Watcher {
    let before = Reference::from(before);
    if before.is_empty() {
        return watcher;
    }
    Arc::new(move |change| watcher(&Change { verb: change.verb, at: before.join(&change.at) }))
}

impl Store for Switch {
    fn describe(&self) -> Node {
        let node =
            self.stores.iter().fold(Node::new("switch"), |node, (name, store)| node.part(name, store.describe()));
        self.others.iter().fold(node, |node, store| node.part("others", store.describe()))
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if at.is_empty() {
            let names = self.stores.keys().map(|name| Value::Text(name.clone().into())).collect();
            let names = query.apply_to_names(names)?;
            sink.begin(&Shape::Text.list())?;
            names.encode(sink)?;
            return sink.finish();
        }
        let led = self.led(at)?;
        led.store.get(led.rest, query, sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        if at.is_empty() {
            return Ok(Shape::Text.list());
        }
        let led = self.led(at)?;
        led.store.shape(led.rest)
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let led = self.changed(Verb::Put, at)?;
        led.store.put(led.rest, value, when)
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        let led = self.changed(Verb::Patch, at)?;
        led.store.patch(led.rest, value, when)
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let led = self.changed(Verb::Post, at)?;
        Ok(Reference::from(led.before).join(&led.store.post(led.rest, value)?))
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        let led = self.changed(Verb::Post, at)?;
        Ok(Reference::from(led.before).join(&led.store.post_if(led.rest, value, when)?))
    }

    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        let led = self.changed(Verb::Post, at)?;
        led.store.post_all(led.rest, value, duplicates, when)
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let led = self.changed(each.verb(), at)?;
        led.store.change_each(led.rest, query, each, when)
    }

    fn is_collection(&self, at: &[String]) -> bool {
        self.led(at).is_ok_and(|led| led.store.is_collection(led.rest))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        let led = self.changed(Verb::Delete, at)?;
        led.store.delete(led.rest, when)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if at.is_empty() {
            return self.stores.keys().try_for_each(|name| each(name));
        }
        let led = self.led(at)?;
        led.store.children(led.rest, each)
    }

    fn relations(&self, at: &[String]) -> Vec<Relation> {
        let Ok(led) = self.led(at) else { return Vec::new() };
        let own = |relation: Relation| Relation { to: Reference::from(led.before).join(&relation.to), ..relation };
        led.store.relations(led.rest).into_iter().map(own).collect()
    }

    fn facet(&self, at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        let led = self.led(at)?;
        led.store.facet(led.rest, query, field, limit)
    }

    fn cursor(&self, at: &[String], query: &Query) -> Result<Option<String>> {
        if at.is_empty() {
            return query.refuse_cursor().map(|()| None);
        }
        let led = self.led(at)?;
        led.store.cursor(led.rest, query)
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        if at.is_empty() {
            return Ok(None);
        }
        let led = self.led(at)?;
        led.store.count(led.rest, query)
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        self.led(at).map_or_else(|_| Vec::new(), |led| led.store.key(led.rest))
    }

    fn look(&self) {
        for (_, store) in self.all() {
            store.look();
        }
    }

    fn allows(&self, at: &[String]) -> Verbs {
        if at.is_empty() {
            return Verbs::READ;
        }
        self.led(at).map_or(Verbs::NONE, |led| led.store.allows(led.rest))
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        if at.is_empty() {
            // The list of names never changes.
            return Ok(None);
        }
        let led = self.led(at)?;
        led.store.version(led.rest)
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        if at.is_empty() {
            return Ok(true);
        }
        match found(self.led(at))? {
            Some(led) => led.store.exists(led.rest),
            None => Ok(false),
        }
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if at.is_empty() {
            return representation(format, limit, |sink| self.get(at, query, sink));
        }
        let led = self.led(at)?;
        led.store.encoded(led.rest, query, format, limit)
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        if at.is_empty() {
            let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
            return self.get(at, query, &mut *sink);
        }
        let led = self.led(at)?;
        led.store.read(led.rest, query, format, to)
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        if !at.is_empty() {
            let led = self.led(at).ok()?;
            return led.store.watch(led.rest, told_as(led.before, watcher));
        }
        // All stores must be watchable, or changes of some would be missed.
        let mut all = self.all().map(|(before, store)| store.watch(&[], told_as(before, Arc::clone(&watcher))));
        let first = all.next()??;
        all.try_fold(first, |watch, next| Some(watch.and(next?)))
    }

    fn is_prompt(&self) -> bool {
        self.all().all(|(_, store)| store.is_prompt())
    }
}
