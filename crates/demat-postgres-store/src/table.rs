//! Tables of PostgreSQL databases.

mod adding;
mod cursor;
mod key;
mod reader;
mod select;
mod spelled;
mod tables;
mod write;

pub use tables::tables;

use crate::base::Base;
use crate::listening::Listening;
use demat_core::{Checks, Error, Record, RecordRef, Result, Shape, Sink, Validator, Value};
use demat_place::Host;
use demat_postgres::TableName;
use demat_store::{
    Body, BulkChange, Change, Duplicates, Fault, Node, Posted, Put, Query, Reference, Store, Verb, Verbs, Version,
    Watch, Watcher, When, relaxed, within,
};
use key::Key;
use std::sync::Arc;

/// A table of a PostgreSQL database.
///
/// | reference | value |
/// |---|---|
/// | `/` | all rows, a list of records in the order of their keys |
/// | `/3` | the row with this key; the values of a compound key are separated by commas |
/// | `/3/title` | the value of a column of that row |
///
/// A post inserts a row, or a list of them. A put replaces all columns of a row, a patch the given ones. A put of a list
/// replaces all rows. Each change is a transaction of its own. A condition locks the row, or the table, that it is about.
///
/// The key is the primary key, or another unique list of columns that are never NULL. The rows of a table without one have
/// no names: they are read, filtered and added.
///
/// The version of a row is a hash of its values. That of the table is the server's snapshot: it changes with each
/// transaction of the server that writes, so it may change where the table does not.
pub struct Table {
    base: Arc<Base>,
    /// The name that changes are reported by.
    name: String,
    /// The table's definition.
    about: Arc<demat_postgres::Table>,
    /// The shape of its rows.
    shape: Shape,
    row: RecordRef,
    /// The shape of a complete row in a request: columns that the table fills itself may be absent.
    given: Shape,
    /// The shape of a patch of a row.
    part: Shape,
    key: Key,
    /// The checks of rows.
    checks: Option<Arc<Checks>>,
    validator: Option<Arc<dyn Validator>>,
}

impl Table {
    /// Opens an existing table as a store of records of a shape; without one, of the table's own shape.
    ///
    /// # Errors
    /// [`Store`](demat_core::ErrorKind::Store) if there is none with this name; errors of the server.
    pub fn of(base: &Arc<Base>, name: &str, shape: Option<&Shape>) -> Result<Self> {
        Self::of_host(base, name, shape, &Host::default())
    }

    /// As [`of`](Self::of), for a shape whose host has further constraints and validators.
    ///
    /// # Errors
    /// As [`of`](Self::of); if the shape is that of no record, or has a field that the table lacks; if a `check` note is
    /// invalid.
    pub fn of_host(base: &Arc<Base>, name: &str, shape: Option<&Shape>, host: &Host) -> Result<Self> {
        let own = TableName::parse(name)?;
        let table = base.with(|connection| connection.existing(&own))?;
        Self::over(Arc::clone(base), name, table, shape, host)
    }

    pub(crate) fn over(
        base: Arc<Base>,
        name: &str,
        table: demat_postgres::Table,
        shape: Option<&Shape>,
        host: &Host,
    ) -> Result<Self> {
        let shape = shape.map_or_else(|| table.record().map(Shape::record), |shape| Ok(shape.clone()))?;
        let message = || format!("rows are records, and this is a {}", shape.name());
        let row = shape.row().ok_or_else(|| bad(message()))?.clone();
        let (shape, record) = (Shape::Record(row.clone()), row.get().clone());
        if let Some(field) = record.fields().iter().find(|field| table.column(field.key()).is_none()) {
            return Err(bad(format!("the table `{}` has no column `{}`", table.name, field.key())));
        }
        let key = Key::of(&table);
        let given = relaxed(&record, |field| {
            let by_itself = table.column(field.key()).is_some_and(|column| {
                let own = &table.columns[column];
                own.default.is_some() || own.identity || own.generated || key.has(column)
            });
            // Defaults of the class take precedence, and Demat writes them; the table fills in the rest.
            field.default().is_none() && (by_itself || !field.required())
        })?;
        let part = relaxed(&record, |_| true)?;
        let checks = host.checks(&shape.clone().list())?;
        let validator = host.validator.clone();
        let table = Arc::new(table);
        if !table.view && base.with(|connection| connection.is_told(&table))? {
            let (own, about) = (key.clone(), Arc::clone(&table));
            // What is told is the primary key.
            let is_same = key.names(&table) == table.key;
            let name_of = move |values: &[Value]| if is_same { own.name_of_values(&about, values) } else { None };
            base.listening.add(&table, name, Arc::new(name_of));
        } else {
            base.listening.add_silent();
        }
        Ok(Self { base, name: name.to_string(), about: table, shape, row, given, part, key, checks, validator })
    }

    /// Resolves a reference.
    fn place<'r>(&self, at: &'r [String]) -> Result<Addressed<'r>> {
        match at {
            [] => Ok(Addressed::All),
            [row] => Ok(Addressed::Row(row)),
            [row, field] => match self.about.column(field) {
                Some(column) => Ok(Addressed::Field(row, column)),
                None => Err(Fault::NotFound.about(at)),
            },
            _ => Err(Fault::NotFound.about(at)),
        }
    }

    /// Returns the reference below the database's root.
    fn within(&self, at: &[String]) -> Vec<String> {
        [core::slice::from_ref(&self.name), at].concat()
    }

    /// The record of the rows' shape.
    fn record(&self) -> Record {
        self.row.get().clone()
    }

    fn field_shape(&self, column: usize) -> Shape {
        let record = self.record();
        let index = record.index_of(&self.about.columns[column].name);
        index.map_or(Shape::Any, |index| record.fields()[index].shape().clone())
    }

    /// Refuses to change what can only be read.
    fn check_writable(&self, verb: Verb, at: &[String]) -> Result<()> {
        if self.about.view { Err(Fault::NotAllowed(verb).about(at)) } else { Ok(()) }
    }

    fn tell(&self, verb: Verb, at: &[String]) {
        self.base.changes.tell(verb, &self.within(at));
    }
}

#[cold]
fn bad(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Fault::BadQuery.because(message)
}

/// The target of a reference.
#[derive(Debug, Clone, Copy)]
enum Addressed<'r> {
    All,
    Row(&'r str),
    Field(&'r str, usize),
}

impl core::fmt::Debug for Table {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table").field("about", &self.about).field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl Store for Table {
    fn describe(&self) -> Node {
        Node::new("table").with(format!("{}#{}", self.base.name(), self.name))
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let place = self.place(at)?;
        if matches!(place, Addressed::Field(..)) && !query.is_all() {
            return Err(bad("a list is filtered, sorted and counted, and this is one value"));
        }
        self.base.with(|connection| match place {
            Addressed::All => self.rows(connection, query, sink),
            Addressed::Row(name) => self.row(connection, name, query, sink),
            Addressed::Field(name, column) => self.field(connection, name, column, sink),
        })
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        Ok(match self.place(at)? {
            Addressed::All => self.shape.clone().list(),
            Addressed::Row(_) => self.shape.clone(),
            Addressed::Field(_, column) => self.field_shape(column),
        })
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        self.check_writable(Verb::Put, at)?;
        let put = match self.place(at)? {
            Addressed::All => self.put_all(value, when)?,
            Addressed::Row(name) => self.put_row(name, value, when)?,
            Addressed::Field(name, column) => {
                self.put_field(name, column, value, when)?;
                Put::Replaced
            }
        };
        self.tell(Verb::Put, at);
        Ok(put)
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.check_writable(Verb::Patch, at)?;
        match self.place(at)? {
            Addressed::All => {
                let message = "rows are patched by their keys, or by a query's conditions";
                return Err(Fault::Conflict.because(message));
            }
            Addressed::Row(name) => self.patch_row(name, value, when)?,
            Addressed::Field(name, column) => self.put_field(name, column, value, when)?,
        }
        self.tell(Verb::Patch, at);
        Ok(())
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.post_if(at, value, &When::Always)
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        self.check_writable(Verb::Post, at)?;
        let Addressed::All = self.place(at)? else { return Err(Fault::NotAllowed(Verb::Post).about(at)) };
        let reference = self.insert(value, when)?;
        self.tell(Verb::Post, &reference);
        Ok(reference)
    }

    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        self.check_writable(Verb::Post, at)?;
        let Addressed::All = self.place(at)? else { return Err(Fault::NotAllowed(Verb::Post).about(at)) };
        let posted = self.post_rows(value, duplicates, when)?;
        if !posted.names.is_empty() {
            self.tell(Verb::Post, at);
        }
        Ok(posted)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.check_writable(Verb::Delete, at)?;
        match self.place(at)? {
            Addressed::All => self.delete_all(when)?,
            Addressed::Row(name) => self.delete_row(name, when)?,
            Addressed::Field(..) => return Err(Fault::NotAllowed(Verb::Delete).about(at)),
        }
        self.tell(Verb::Delete, at);
        Ok(())
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let verb = each.verb();
        self.check_writable(verb, at)?;
        let Addressed::All = self.place(at)? else {
            return Err(bad("a table has rows to choose from, and this is one"));
        };
        let count = self.change_rows(query, each, when)?;
        if count > 0 {
            self.tell(verb, at);
        }
        Ok(count)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        match self.place(at)? {
            // The callback may be slow, and must not keep the connection.
            Addressed::All if self.key.is_none() => Ok(()),
            Addressed::All => {
                let names =
                    self.base.with(|connection| self.names(connection, demat_postgres::Fragment::new(), false))?;
                names.iter().try_for_each(|name| each(name))
            }
            Addressed::Row(name) => {
                let version = self.base.with(|connection| self.version_of(connection, name, false))?;
                version.ok_or_else(|| Fault::NotFound.about(at))?;
                self.record().fields().iter().try_for_each(|field| each(field.key()))
            }
            Addressed::Field(..) => Ok(()),
        }
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        match self.place(at)? {
            Addressed::All => self.base.with(|connection| self.counted(connection, query)).map(Some),
            _ => Ok(None),
        }
    }

    fn facet(&self, at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        match self.place(at)? {
            Addressed::All => self.base.with(|connection| self.common(connection, query, field, limit)),
            _ => Err(bad("the values of a list are counted, and this is one")),
        }
    }

    fn cursor(&self, at: &[String], query: &Query) -> Result<Option<String>> {
        match self.place(at)? {
            Addressed::All => self.base.with(|connection| self.cursor_of(connection, query)),
            _ => Err(bad("a list has pages, and this is one value")),
        }
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        if at.is_empty() { self.key.names(&self.about) } else { Vec::new() }
    }

    fn allows(&self, at: &[String]) -> Verbs {
        let all = if self.about.view { Verbs::READ } else { Verbs::ALL };
        all.both(match self.place(at) {
            Ok(Addressed::All) => Verbs::ALL,
            Ok(Addressed::Row(_)) => Verbs::ALL.without(Verb::Post),
            Ok(Addressed::Field(..)) => Verbs::READ.and(Verb::Put).and(Verb::Patch),
            Err(_) => Verbs::NONE,
        })
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        self.base.with(|connection| match self.place(at)? {
            Addressed::All => self.base.version(connection).map(Some),
            Addressed::Row(name) | Addressed::Field(name, _) => {
                let version = self.version_of(connection, name, false)?;
                version.map(Some).ok_or_else(|| Fault::NotFound.about(at))
            }
        })
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        // The tables of a database share one source of changes, which include the table's name.
        let own = self.name.clone();
        let below = within(at, watcher);
        let watcher: Watcher = Arc::new(move |change| match change.at.split_first() {
            Some((name, rest)) if *name == own => below(&Change { verb: change.verb, at: rest.into() }),
            Some(_) => {}
            None => below(change),
        });
        let watch = self.base.changes.watch(watcher);
        Listening::begin(&self.base);
        Some(watch)
    }

    fn look(&self) {
        self.base.look();
    }
}
