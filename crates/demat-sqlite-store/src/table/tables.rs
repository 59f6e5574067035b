//! A store of all tables of a database.

use super::{Base, Table, TableOptions};
use demat_core::{Encode, ErrorKind, Result, Shape, Sink, Value};
use demat_place::{Format, Host};
use demat_sqlite::Database;
use demat_store::{
    Body, BulkChange, Bytes, Change, Fault, Node, Put, Query, Reference, Store, Verbs, Version, Watch, Watcher, When,
    representation, served_name,
};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

/// All tables of a database: a reference begins with a table's name. The database itself is the list of these names.
#[derive(Debug)]
pub struct Tables {
    name: String,
    by_name: BTreeMap<String, Table>,
    notes: Vec<String>,
}

impl Tables {
    /// Opens the current tables and views of a database, by their [served names](served_name). Leaves out the internal
    /// tables of modules, and whatever can't be read: a view whose table is gone, a virtual table whose module is
    /// missing.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn of(database: &Database, options: &TableOptions) -> Result<Self> {
        let base = Base::of(database, options)?;
        let (mut tables, mut notes) = (BTreeMap::new(), Vec::new());
        for name in database.tables()?.into_iter().chain(database.views()?) {
            let found =
                database.existing(&name).and_then(|table| Table::over(base.clone(), table, None, &Host::default()));
            match found {
                Ok(table) => {
                    let served = served_name(&name);
                    if served != name {
                        notes.push(format!("the table `{name}` is served as `{served}`"));
                    }
                    if table.about.readonly && !table.about.view {
                        notes.push(format!("the table `{name}` can only be read"));
                    }
                    tables.insert(served, table);
                }
                // This table can't be read, but the file itself is fine.
                Err(error) if error.kind() == ErrorKind::Store => {
                    notes.push(format!("`{name}` is not served: {}", error.reason()));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Self { name: database.name().to_string(), by_name: tables, notes })
    }

    /// Messages for the log: tables that are renamed, read-only or not served.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Iterates over the tables.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.by_name.values()
    }

    fn table<'r>(&self, at: &'r [String]) -> Result<(&Table, &'r [String])> {
        let found = at.split_first().and_then(|(name, rest)| Some((self.by_name.get(name)?, rest)));
        found.ok_or_else(|| Fault::NotFound.about(at))
    }
}

impl Store for Tables {
    fn describe(&self) -> Node {
        let node = Node::new("database").with(self.name.clone());
        self.by_name.iter().fold(node, |node, (name, table)| node.part(name.clone(), table.describe()))
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if at.is_empty() {
            let names = self.by_name.keys().map(|name| Value::Text(name.clone().into())).collect();
            sink.begin(&Shape::Text.list())?;
            query.apply_to_names(names)?.encode(sink)?;
            return sink.finish();
        }
        let (table, rest) = self.table(at)?;
        table.get(rest, query, sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        if at.is_empty() {
            return Ok(Shape::Text.list());
        }
        let (table, rest) = self.table(at)?;
        table.shape(rest)
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let (table, rest) = self.table(at)?;
        table.put(rest, value, when)
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        let (table, rest) = self.table(at)?;
        table.patch(rest, value, when)
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let (table, rest) = self.table(at)?;
        Ok(Reference::from(&at[..1]).join(&table.post(rest, value)?))
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        let (table, rest) = self.table(at)?;
        Ok(Reference::from(&at[..1]).join(&table.post_if(rest, value, when)?))
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let (table, rest) = self.table(at)?;
        table.change_each(rest, query, each, when)
    }

    fn is_collection(&self, at: &[String]) -> bool {
        self.table(at).is_ok_and(|(table, rest)| table.is_collection(rest))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        let (table, rest) = self.table(at)?;
        table.delete(rest, when)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if at.is_empty() {
            return self.by_name.keys().try_for_each(|name| each(name));
        }
        let (table, rest) = self.table(at)?;
        table.children(rest, each)
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        if at.is_empty() {
            return Ok(None);
        }
        let (table, rest) = self.table(at)?;
        table.count(rest, query)
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        self.table(at).map(|(table, rest)| table.key(rest)).unwrap_or_default()
    }

    fn allows(&self, at: &[String]) -> Verbs {
        match self.table(at) {
            Ok((table, rest)) => table.allows(rest),
            Err(_) if at.is_empty() => Verbs::READ,
            Err(_) => Verbs::NONE,
        }
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        if at.is_empty() {
            return Ok(None);
        }
        let (table, rest) = self.table(at)?;
        table.version(rest)
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        match self.table(at) {
            Ok((table, rest)) => table.encoded(rest, query, format, limit),
            Err(_) => representation(format, limit, |sink| self.get(at, query, sink)),
        }
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        let (table, rest) = self.table(at)?;
        table.read(rest, query, format, to)
    }

    fn mends(&self) -> bool {
        true
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        if let Ok((table, rest)) = self.table(at) {
            let name = at[..1].to_vec();
            let own: Watcher = Arc::new(move |change| {
                let at = Reference::from(&name[..]).join(&change.at);
                watcher(&Change { verb: change.verb, at });
            });
            return table.watch(rest, own);
        }
        // The watcher reports real table names; clients know the served ones.
        let own: Watcher = Arc::new(move |change| {
            let mut at = change.at.to_vec();
            if let Some(name) = at.first_mut() {
                *name = served_name(name);
            }
            watcher(&Change { verb: change.verb, at: Reference::from(&at[..]) });
        });
        Some(self.by_name.values().next()?.base.changes.watch(own))
    }

    fn look(&self) {
        // Any table will do: all share one database.
        if let Some(table) = self.by_name.values().next() {
            table.look();
        }
    }

    fn is_prompt(&self) -> bool {
        self.by_name.values().all(Store::is_prompt)
    }
}
