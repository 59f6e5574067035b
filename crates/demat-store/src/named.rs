//! The stores of one database, by their names.

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::change::{Change, Changes, Watch, Watcher};
use crate::collected::representation;
use crate::fault::Fault;
use crate::node::Node;
use crate::posted::{Duplicates, Posted};
use crate::query::Query;
use crate::reference::Reference;
use crate::relation::Relation;
use crate::several::found;
use crate::store::{Put, Store};
use crate::verb::Verbs;
use crate::version::{Version, When};
use bytes::Bytes;
use demat_core::{Encode as _, ErrorKind, Result, Shape, Sink, Value};
use demat_place::Format;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

/// The stores of one database: its tables, or its collections. A reference begins with the name of one. The database
/// itself is the list of these names.
///
/// A database makes one as a store of its own. To put any stores under names, use [`Switch`](crate::Switch).
#[derive(Debug)]
pub struct Named<S> {
    kind: &'static str,
    item: &'static str,
    name: String,
    by_name: BTreeMap<String, S>,
    changes: Changes,
    notes: Vec<String>,
    relations: BTreeMap<String, Vec<Relation>>,
}

impl<S: Store> Named<S> {
    /// Returns the stores of a database of a kind, with its name, before any is added. `item`: what one of them is.
    /// `changes` reports the changes of all of them; its references begin with the names in the database.
    ///
    /// ```
    /// use demat_store::{Changes, Memory, Named, Query, Store, collected};
    /// let mut database = Named::new("database", "table", "a.db", Changes::new());
    /// database.add("tasks", Ok(Memory::new()))?;
    /// database.add("health", Ok(Memory::new()))?;
    /// assert_eq!(database.to_names(), ["tasks", "~health"]);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn new(kind: &'static str, item: &'static str, name: impl Into<String>, changes: Changes) -> Self {
        Self {
            kind,
            item,
            name: name.into(),
            by_name: BTreeMap::new(),
            changes,
            notes: Vec::new(),
            relations: BTreeMap::new(),
        }
    }

    /// Adds a store by its [served name](served_name). One that can't be opened, though the database is fine, is left
    /// out.
    ///
    /// # Errors
    /// The error with which the store could not be opened, except for a [`Store`](ErrorKind::Store) error.
    pub fn add(&mut self, name: &str, store: Result<S>) -> Result<()> {
        match store {
            Ok(store) => {
                let served = served_name(name);
                if served != name {
                    self.notes.push(format!("the {} `{name}` is served as `{served}`", self.item));
                }
                self.by_name.insert(served, store);
            }
            Err(error) if error.kind() == ErrorKind::Store => {
                self.notes.push(format!("`{name}` is not served: {}", error.reason()));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Sets the foreign keys of a store by its served name. Those that lead to a store that is not served are left out.
    pub fn relate(&mut self, name: &str, relations: Vec<Relation>) {
        let is_served = |relation: &Relation| matches!(&relation.to[..], [other] if self.by_name.contains_key(other));
        let relations = relations.into_iter().filter(is_served).collect();
        self.relations.insert(name.to_string(), relations);
    }

    /// Adds a message for the log.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Messages for the log: stores that are renamed, read-only or not served.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The served names.
    pub fn to_names(&self) -> Vec<&str> {
        self.by_name.keys().map(String::as_str).collect()
    }

    fn store<'r>(&self, at: &'r [String]) -> Result<(&S, &'r [String])> {
        let found = at.split_first().and_then(|(name, rest)| Some((self.by_name.get(name)?, rest)));
        found.ok_or_else(|| Fault::NotFound.about(at))
    }
}

/// Paths that the server uses itself.
const TAKEN: [&str; 4] = ["-", "health", "metrics", "openapi.json"];

/// Returns the name that a table or collection is served by: its own, or with a `~` in front if the server uses that
/// path. A name that looks like an escaped one gets another `~`, so the names stay distinct.
///
/// ```
/// use demat_store::served_name;
/// assert_eq!(["tasks", "", "~a"].map(served_name), ["tasks", "", "~a"]);
/// assert_eq!(["health", "~health"].map(served_name), ["~health", "~~health"]);
/// ```
pub fn served_name(name: &str) -> String {
    if TAKEN.contains(&name.trim_start_matches('~')) { format!("~{name}") } else { name.to_string() }
}

impl<S: Store> Store for Named<S> {
    fn describe(&self) -> Node {
        let node = Node::new(self.kind).with(self.name.clone());
        self.by_name.iter().fold(node, |node, (name, store)| node.part(name.clone(), store.describe()))
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if at.is_empty() {
            let names = self.by_name.keys().map(|name| Value::Text(name.clone().into())).collect();
            sink.begin(&Shape::Text.list())?;
            query.apply_to_names(names)?.encode(sink)?;
            return sink.finish();
        }
        let (store, rest) = self.store(at)?;
        store.get(rest, query, sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        if at.is_empty() {
            return Ok(Shape::Text.list());
        }
        let (store, rest) = self.store(at)?;
        store.shape(rest)
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let (store, rest) = self.store(at)?;
        store.put(rest, value, when)
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        let (store, rest) = self.store(at)?;
        store.patch(rest, value, when)
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let (store, rest) = self.store(at)?;
        Ok(Reference::from(&at[..1]).join(&store.post(rest, value)?))
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        let (store, rest) = self.store(at)?;
        Ok(Reference::from(&at[..1]).join(&store.post_if(rest, value, when)?))
    }

    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        let (store, rest) = self.store(at)?;
        store.post_all(rest, value, duplicates, when)
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let (store, rest) = self.store(at)?;
        store.change_each(rest, query, each, when)
    }

    fn is_collection(&self, at: &[String]) -> bool {
        self.store(at).is_ok_and(|(store, rest)| store.is_collection(rest))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        let (store, rest) = self.store(at)?;
        store.delete(rest, when)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if at.is_empty() {
            return self.by_name.keys().try_for_each(|name| each(name));
        }
        let (store, rest) = self.store(at)?;
        store.children(rest, each)
    }

    fn relations(&self, at: &[String]) -> Vec<Relation> {
        match at {
            [name] => self.relations.get(name).cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    fn facet(&self, at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        let (store, rest) = self.store(at)?;
        store.facet(rest, query, field, limit)
    }

    fn cursor(&self, at: &[String], query: &Query) -> Result<Option<String>> {
        if at.is_empty() {
            return query.refuse_cursor().map(|()| None);
        }
        let (store, rest) = self.store(at)?;
        store.cursor(rest, query)
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        if at.is_empty() {
            return Ok(None);
        }
        let (store, rest) = self.store(at)?;
        store.count(rest, query)
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        self.store(at).map(|(store, rest)| store.key(rest)).unwrap_or_default()
    }

    fn allows(&self, at: &[String]) -> Verbs {
        match self.store(at) {
            Ok((store, rest)) => store.allows(rest),
            Err(_) if at.is_empty() => Verbs::READ,
            Err(_) => Verbs::NONE,
        }
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        if at.is_empty() {
            return Ok(None);
        }
        let (store, rest) = self.store(at)?;
        store.version(rest)
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        if at.is_empty() {
            return Ok(true);
        }
        match found(self.store(at))? {
            Some((store, rest)) => store.exists(rest),
            None => Ok(false),
        }
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        match self.store(at) {
            Ok((store, rest)) => store.encoded(rest, query, format, limit),
            Err(_) => representation(format, limit, |sink| self.get(at, query, sink)),
        }
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        let (store, rest) = self.store(at)?;
        store.read(rest, query, format, to)
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        if let Ok((store, rest)) = self.store(at) {
            let name = at[..1].to_vec();
            let own: Watcher = Arc::new(move |change| {
                let at = Reference::from(&name[..]).join(&change.at);
                watcher(&Change { verb: change.verb, at });
            });
            return store.watch(rest, own);
        }
        // The watcher reports real names; clients know the served ones.
        let own: Watcher = Arc::new(move |change| {
            let mut at = change.at.to_vec();
            if let Some(name) = at.first_mut() {
                *name = served_name(name);
            }
            watcher(&Change { verb: change.verb, at: Reference::from(&at[..]) });
        });
        Some(self.changes.watch(own))
    }

    fn mends(&self) -> bool {
        self.by_name.values().all(Store::mends)
    }

    fn look(&self) {
        // Any of them will do: they share one database.
        if let Some(store) = self.by_name.values().next() {
            store.look();
        }
    }

    fn is_prompt(&self) -> bool {
        self.by_name.values().all(Store::is_prompt)
    }
}
