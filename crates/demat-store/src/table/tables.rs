//! All tables of a database.

use super::{Base, Table, TableOptions};
use crate::change::{Change, Watch, Watcher};
use crate::fault::Fault;
use crate::given::Given;
use crate::node::Node;
use crate::query::Query;
use crate::reference::Reference;
use crate::store::{Put, Store};
use crate::verb::Verbs;
use crate::version::{Version, When};
use bytes::Bytes;
use demat_core::{Encode, Result, Shape, Sink, Value};
use demat_place::Format;
use demat_sqlite::Database;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

/// All tables of a database: a reference begins with the name of one. The database itself is the list of their names.
#[derive(Debug)]
pub struct Tables {
    name: String,
    tables: BTreeMap<String, Table>,
}

impl Tables {
    /// The tables and views that a database has now.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn of(database: &Database, options: &TableOptions) -> Result<Self> {
        let base = Base::of(database, options)?;
        let table = |name: String| {
            let table = Table::over(base.clone(), database.existing(&name)?, None)?;
            Ok((name, table))
        };
        let tables = database.tables()?.into_iter().map(table).collect::<Result<_>>()?;
        Ok(Self { name: database.name().to_string(), tables })
    }

    /// Each table.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.tables.values()
    }

    fn table<'r>(&self, at: &'r [String]) -> Result<(&Table, &'r [String])> {
        let found = at.split_first().and_then(|(name, rest)| Some((self.tables.get(name)?, rest)));
        found.ok_or_else(|| Fault::NotFound.about(at))
    }
}

impl Store for Tables {
    fn describe(&self) -> Node {
        let node = Node::new("database").with(self.name.clone());
        self.tables.iter().fold(node, |node, (name, table)| node.part(name.clone(), table.describe()))
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if at.is_empty() {
            let names = self.tables.keys().map(|name| Value::Text(name.clone().into())).collect();
            sink.begin(&Shape::Text.list())?;
            query.apply(Value::List(names))?.encode(sink)?;
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

    fn put(&self, at: &[String], value: &mut dyn Given, when: &When) -> Result<Put> {
        let (table, rest) = self.table(at)?;
        table.put(rest, value, when)
    }

    fn patch(&self, at: &[String], value: &mut dyn Given, when: &When) -> Result<()> {
        let (table, rest) = self.table(at)?;
        table.patch(rest, value, when)
    }

    fn post(&self, at: &[String], value: &mut dyn Given) -> Result<Reference> {
        let (table, rest) = self.table(at)?;
        Ok(Reference::from(&at[..1]).join(&table.post(rest, value)?))
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        let (table, rest) = self.table(at)?;
        table.delete(rest, when)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if at.is_empty() {
            return self.tables.keys().try_for_each(|name| each(name));
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
            Err(_) => crate::representation(format, limit, |sink| self.get(at, query, sink)),
        }
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        let (table, rest) = self.table(at)?;
        table.read(rest, query, format, to)
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        match self.table(at) {
            Ok((table, rest)) => {
                let name = at[..1].to_vec();
                let own: Watcher = Arc::new(move |change| {
                    let at = Reference::from(&name[..]).join(&change.at);
                    watcher(&Change { verb: change.verb, at });
                });
                table.watch(rest, own)
            }
            Err(_) => Some(self.tables.values().next()?.base.changes.watch(watcher)),
        }
    }

    fn look(&self) {
        // One is as good as all: they are of one database.
        if let Some(table) = self.tables.values().next() {
            table.look();
        }
    }

    fn is_prompt(&self) -> bool {
        self.tables.values().all(Store::is_prompt)
    }
}
