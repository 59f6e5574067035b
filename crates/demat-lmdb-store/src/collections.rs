//! A store of all collections of an environment.

use crate::records::{Base, Records};
use demat_core::{Encode as _, ErrorKind, Result, Shape, Sink, Value};
use demat_lmdb::{Environment, Wanted};
use demat_place::{Format, Host};
use demat_store::{
    Body, BulkChange, Bytes, Change, Fault, Node, Put, Query, Reference, Store, Verbs, Version, Watch, Watcher, When,
    representation, served_name,
};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

/// All collections of an environment: a reference begins with a collection's name. The environment itself is the list of
/// these names.
#[derive(Debug)]
pub struct Collections {
    name: String,
    base: Arc<Base>,
    by_name: BTreeMap<String, Records>,
    notes: Vec<String>,
}

impl Collections {
    /// Opens the current collections of an environment, by their [served names](served_name). Leaves out those whose
    /// definition can't be read.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn of(environment: &Environment) -> Result<Self> {
        let base = Base::of(environment);
        let (mut by_name, mut notes) = (BTreeMap::new(), Vec::new());
        let names = environment.collections(&environment.read()?)?;
        for name in names {
            let found = environment
                .collection(&name, &Wanted::default())
                .and_then(|collection| Records::over(Arc::clone(&base), &collection, None, &Host::default()));
            match found {
                Ok(records) => {
                    let served = served_name(&name);
                    if served != name {
                        notes.push(format!("the collection `{name}` is served as `{served}`"));
                    }
                    by_name.insert(served, records);
                }
                Err(error) if error.kind() == ErrorKind::Store => {
                    notes.push(format!("`{name}` is not served: {}", error.reason()));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Self { name: environment.path().display().to_string(), base, by_name, notes })
    }

    /// Messages for the log: collections that are renamed or not served.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    fn records<'r>(&self, at: &'r [String]) -> Result<(&Records, &'r [String])> {
        let found = at.split_first().and_then(|(name, rest)| Some((self.by_name.get(name)?, rest)));
        found.ok_or_else(|| Fault::NotFound.about(at))
    }
}

impl Store for Collections {
    fn describe(&self) -> Node {
        let node = Node::new("collections").with(self.name.clone());
        self.by_name.iter().fold(node, |node, (name, records)| node.part(name.clone(), records.describe()))
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if at.is_empty() {
            let names = self.by_name.keys().map(|name| Value::Text(name.clone().into())).collect();
            sink.begin(&Shape::Text.list())?;
            query.apply_to_names(names)?.encode(sink)?;
            return sink.finish();
        }
        let (records, rest) = self.records(at)?;
        records.get(rest, query, sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        if at.is_empty() {
            return Ok(Shape::Text.list());
        }
        let (records, rest) = self.records(at)?;
        records.shape(rest)
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let (records, rest) = self.records(at)?;
        records.put(rest, value, when)
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        let (records, rest) = self.records(at)?;
        records.patch(rest, value, when)
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let (records, rest) = self.records(at)?;
        Ok(Reference::from(&at[..1]).join(&records.post(rest, value)?))
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        let (records, rest) = self.records(at)?;
        Ok(Reference::from(&at[..1]).join(&records.post_if(rest, value, when)?))
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let (records, rest) = self.records(at)?;
        records.change_each(rest, query, each, when)
    }

    fn is_collection(&self, at: &[String]) -> bool {
        self.records(at).is_ok_and(|(records, rest)| records.is_collection(rest))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        let (records, rest) = self.records(at)?;
        records.delete(rest, when)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if at.is_empty() {
            return self.by_name.keys().try_for_each(|name| each(name));
        }
        let (records, rest) = self.records(at)?;
        records.children(rest, each)
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        if at.is_empty() {
            return Ok(None);
        }
        let (records, rest) = self.records(at)?;
        records.count(rest, query)
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        self.records(at).map(|(records, rest)| records.key(rest)).unwrap_or_default()
    }

    fn allows(&self, at: &[String]) -> Verbs {
        match self.records(at) {
            Ok((records, rest)) => records.allows(rest),
            Err(_) if at.is_empty() => Verbs::READ,
            Err(_) => Verbs::NONE,
        }
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        if at.is_empty() {
            return Ok(None);
        }
        let (records, rest) = self.records(at)?;
        records.version(rest)
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        match self.records(at) {
            Ok((records, rest)) => records.encoded(rest, query, format, limit),
            Err(_) => representation(format, limit, |sink| self.get(at, query, sink)),
        }
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        let (records, rest) = self.records(at)?;
        records.read(rest, query, format, to)
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        if let Ok((records, rest)) = self.records(at) {
            let name = at[..1].to_vec();
            let own: Watcher = Arc::new(move |change| {
                let at = Reference::from(&name[..]).join(&change.at);
                watcher(&Change { verb: change.verb, at });
            });
            return records.watch(rest, own);
        }
        // The watcher reports real names; clients know the served ones.
        let own: Watcher = Arc::new(move |change| {
            let mut at = change.at.to_vec();
            if let Some(name) = at.first_mut() {
                *name = served_name(name);
            }
            watcher(&Change { verb: change.verb, at: Reference::from(&at[..]) });
        });
        Some(self.base.changes.watch(own))
    }

    fn look(&self) {
        self.base.look();
    }

    fn is_prompt(&self) -> bool {
        true
    }
}
