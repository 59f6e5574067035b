//! Tables of SQLite databases.

mod base;
mod commit;
mod cursor;
mod each;
mod facet;
mod filter;
mod index;
mod key;
mod posted;
mod reader;
mod search;
mod shared;
mod tables;
#[cfg(test)]
mod tests;
mod write;

pub use base::TableOptions;
pub use tables::tables;

use base::Base;
use demat_core::{Checks, Field, Record, Result, Shape, Sink, Validator, Value};
use demat_formats::json::CompactSink;
use demat_formats::{Drain, Output, To};
use demat_place::{Format, Host, WriteOptions};
use demat_sqlite::{Database, RowSink, Stored, row_of};
use demat_store::{
    Body, BulkChange, Bytes, Change, Duplicates, Fault, Node, Posted, Put, Query, Reference, Store, Verb, Verbs,
    Version, Watch, Watcher, When, json_within, relaxed, representation, reshaped, within,
};
use key::Key;
use std::io::Write;
use std::sync::Arc;

/// A table of an SQLite database.
///
/// | reference | value |
/// |---|---|
/// | `/` | all rows, a list of records |
/// | `/3` | the row with this key, or with this rowid if the table has no key. The values of a compound key are
/// separated by commas |
/// | `/3/title` | the value of a column of that row |
///
/// A post inserts a row, or a list of them. A put replaces all columns of a row, a patch the given ones. A put of a
/// list replaces all rows. An acknowledged write is durable, as the options say. Concurrent writers share one
/// transaction, in which each write can be rolled back alone.
///
/// ```
/// use demat_place::Format;
/// use demat_sqlite::Database;
/// use demat_sqlite_store::{Table, TableOptions};
/// use demat_store::{Encoded, Query, Store};
/// let database = Database::memory()?;
/// let shape = "id: int? #sql:key, title: text".parse()?;
/// let tasks = Table::of(&database, "tasks", Some(&shape), &TableOptions::default())?;
/// let at = tasks.post(&[], &mut Encoded::new(Format::JSON, &br#"{"title":"Clean Room"}"#[..]))?;
/// assert_eq!(at.to_string(), "/1");
/// let json = tasks.encoded(&[], &Query::parse("title.like=clean%25")?, Format::JSON, 1000)?;
/// assert_eq!(json.as_deref(), Some(&br#"[{"id":1,"title":"Clean Room"}]"#[..]));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct Table {
    pub(crate) base: Arc<Base>,
    /// The table's definition.
    about: Arc<demat_sqlite::Table>,
    /// The shape of its rows.
    shape: Shape,
    /// Whether that shape was derived from the table's declaration.
    made: bool,
    /// The shape of a complete row in a request: columns that the table fills itself may be absent.
    given: Shape,
    /// The shape of a patch of a row.
    part: Shape,
    stored: Box<[Stored]>,
    key: Key,
    /// The checks of rows.
    checks: Option<Arc<Checks>>,
    validator: Option<Arc<dyn Validator>>,
    /// The index of its full text.
    index: Option<search::TextIndex>,
}

impl Table {
    /// Opens a table of a database. With a shape, creates it for records of that shape if it does not exist.
    ///
    /// For a database in a file, the store reads and writes with its own connections.
    ///
    /// # Errors
    /// As [`Database::table`]. A view without a key can be opened, but all writes to it fail.
    pub fn of(database: &Database, name: &str, shape: Option<&Shape>, options: &TableOptions) -> Result<Self> {
        let table = match shape {
            Some(shape) => {
                let record = row_of(shape).ok_or_else(|| {
                    Fault::BadQuery.because(format!("rows are records, and this is a {}", shape.name()))
                })?;
                database.table(name, &record.get(), &demat_sqlite::TableOptions::default())?
            }
            None => database.existing(name)?,
        };
        Self::over(Base::of(database, options)?, table, shape, &Host::default())
    }

    /// Opens an existing table as a store of records of a shape; without one, of the table's own shape.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn there(
        database: &Database,
        table: demat_sqlite::Table,
        shape: Option<&Shape>,
        options: &TableOptions,
    ) -> Result<Self> {
        Self::of_host(database, table, shape, &Host::default(), options)
    }

    /// As [`of`](Self::of), for a shape whose host has further constraints and validators.
    ///
    /// # Errors
    /// Errors of SQLite; if a `check` note is invalid.
    pub fn of_host(
        database: &Database,
        table: demat_sqlite::Table,
        shape: Option<&Shape>,
        host: &Host,
        options: &TableOptions,
    ) -> Result<Self> {
        Self::over(Base::of(database, options)?, table, shape, host)
    }

    pub(crate) fn over(
        base: Arc<Base>,
        table: demat_sqlite::Table,
        shape: Option<&Shape>,
        host: &Host,
    ) -> Result<Self> {
        let given = shape.and_then(row_of);
        let made = given.is_none();
        let shape = match given {
            Some(record) => Shape::Record(record),
            None => Shape::record(table.record()?),
        };
        let key = Key::of(&table);
        let record = row_of(&shape).ok_or_else(|| Fault::BadQuery.because("rows are records"))?;
        let record = record.get();
        let table = table.for_record(Some(&record));
        let stored = table.stored_as(Some(&record));
        let given = relaxed(&record, |field| {
            let column = table.column(field.key());
            let by_itself = column.is_some_and(|column| {
                let own = &table.columns[column];
                own.default.is_some() || own.generated || key.has(column)
            });
            // Defaults of the class take precedence, and Demat writes them; the table fills in the rest.
            field.default().is_none() && (by_itself || !field.required())
        })?;
        let part = relaxed(&record, |_| true)?;
        drop(record);
        let checks = host.checks(&shape.clone().list())?;
        let validator = host.validator.clone();
        let index = base.reading(|reader| reader.text_index(&table))?;
        Ok(Self { base, about: Arc::new(table), shape, made, given, part, stored, key, checks, validator, index })
    }

    /// Returns the table's name.
    pub fn name(&self) -> &str {
        &self.about.name
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
        [core::slice::from_ref(&self.about.name), at].concat()
    }

    fn field_shape(&self, column: usize) -> Shape {
        let name = &self.about.columns[column].name;
        let record = row_of(&self.shape);
        let shape = record.and_then(|record| {
            let record = record.get();
            record.index_of(name).map(|index| record.fields()[index].shape().clone())
        });
        shape.unwrap_or(Shape::Any)
    }

    /// Returns the shape for reading rows. For columnar formats with replacements, a replaced value is null. So every
    /// column becomes nullable, except those that SQLite guarantees.
    fn told_shape(&self) -> Shape {
        if !crate::tolerance::is_columnar() {
            return self.shape.clone();
        }
        let Some(record) = row_of(&self.shape) else { return self.shape.clone() };
        let record = record.get();
        let is_number = |field: &Field| {
            let own = matches!(field.shape(), Shape::Int(_)) && !self.about.without_rowid && !self.about.view;
            own && matches!(&*self.about.key, [key] if key == field.key())
        };
        let field = |field: &Field| match field.shape() {
            shape if shape.allows_null() || is_number(field) => field.clone(),
            shape => reshaped(field, shape.clone().optional()),
        };
        let fields = record.fields().iter().map(field).collect();
        let nullable = Record::new(record.name().to_string(), fields);
        nullable.map_or_else(|_| self.shape.clone(), |own| Shape::record(own.with_unknown(record.unknown())))
    }

    /// Writes the value at a reference to a sink.
    fn tell(&self, at: &[String], query: &Query, mut sink: RowSink<'_, '_>) -> Result<()> {
        let place = self.place(at)?;
        if matches!(place, Addressed::Field(..)) && !query.is_all() {
            return Err(Fault::BadQuery.because("a list is filtered, sorted and counted, and this is one value"));
        }
        self.base.reading(|reader| match place {
            Addressed::All => reader.rows(self, query, sink),
            Addressed::Row(key) => reader.row(self, key, query, sink.as_dyn()),
            Addressed::Field(key, column) => reader.field(self, key, column, sink.as_dyn()),
        })
    }
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
        Node::new("table").with(format!("{}#{}", self.base.name(), self.about.name))
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        self.tell(at, query, RowSink::Any(sink))
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        Ok(match self.place(at)? {
            Addressed::All => self.shape.clone().list(),
            Addressed::Row(_) => self.shape.clone(),
            Addressed::Field(_, column) => self.field_shape(column),
        })
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let put = match self.place(at)? {
            Addressed::All => self.put_all(value, when),
            Addressed::Row(key) => self.put_row(key, value, when),
            Addressed::Field(key, column) => self.put_field(key, column, value, when).map(|()| Put::Replaced),
        }?;
        self.base.changes.tell(Verb::Put, &self.within(at));
        Ok(put)
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        match self.place(at)? {
            Addressed::All => {
                return Err(Fault::Conflict.because("rows are patched by their keys, or by a query's conditions"));
            }
            Addressed::Row(key) => self.patch_row(key, value, when)?,
            Addressed::Field(key, column) => self.put_field(key, column, value, when)?,
        }
        self.base.changes.tell(Verb::Patch, &self.within(at));
        Ok(())
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.post_if(at, value, &When::Always)
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        match self.place(at)? {
            Addressed::All => {
                let reference = self.insert(value, when)?;
                self.base.changes.tell(Verb::Post, &self.within(&reference));
                Ok(reference)
            }
            _ => Err(Fault::NotAllowed(Verb::Post).about(at)),
        }
    }

    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        let Addressed::All = self.place(at)? else { return Err(Fault::NotAllowed(Verb::Post).about(at)) };
        let posted = self.post_rows(value, duplicates, when)?;
        if !posted.names.is_empty() {
            self.base.changes.tell(Verb::Post, &self.within(at));
        }
        Ok(posted)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        match self.place(at)? {
            Addressed::All => self.delete_all(when)?,
            Addressed::Row(key) => self.delete_row(key, when)?,
            Addressed::Field(..) => return Err(Fault::NotAllowed(Verb::Delete).about(at)),
        }
        self.base.changes.tell(Verb::Delete, &self.within(at));
        Ok(())
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let Addressed::All = self.place(at)? else {
            return Err(Fault::BadQuery.because("a table has rows to choose from, and this is one"));
        };
        let verb = each.verb();
        let count = self.change_rows(query, each, when)?;
        if count > 0 {
            self.base.changes.tell(verb, &self.within(at));
        }
        Ok(count)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        match self.place(at)? {
            // The callback may be slow, and must not run while the reader is locked.
            Addressed::All => self.base.reading(|reader| reader.keys(self))?.iter().try_for_each(|key| each(key)),
            Addressed::Row(key) => {
                self.base.reading(|reader| reader.version(self, key))?.ok_or_else(|| Fault::NotFound.about(at))?;
                self.about.columns.iter().try_for_each(|column| each(&column.name))
            }
            Addressed::Field(..) => Ok(()),
        }
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        match self.place(at)? {
            Addressed::All => self.base.reading(|reader| reader.count(self, query)).map(Some),
            _ => Ok(None),
        }
    }

    fn facet(&self, at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        match self.place(at)? {
            Addressed::All => self.base.reading(|reader| reader.facet(self, query, field, limit)),
            _ => Err(Fault::BadQuery.because("the values of a list are counted, and this is one")),
        }
    }

    fn cursor(&self, at: &[String], query: &Query) -> Result<Option<String>> {
        match self.place(at)? {
            Addressed::All => self.base.reading(|reader| reader.cursor(self, query)),
            _ => Err(Fault::BadQuery.because("a list has pages, and this is one value")),
        }
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        match (&self.key, at) {
            (Key::Columns(columns), []) => {
                columns.iter().map(|column| self.about.columns[*column].name.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn allows(&self, at: &[String]) -> Verbs {
        let all = if self.about.readonly || self.base.is_readonly() { Verbs::READ } else { Verbs::ALL };
        all.both(match self.place(at) {
            Ok(Addressed::All) => Verbs::ALL,
            Ok(Addressed::Row(_)) => Verbs::ALL.without(Verb::Post),
            Ok(Addressed::Field(..)) => Verbs::READ.and(Verb::Put).and(Verb::Patch),
            Err(_) => Verbs::NONE,
        })
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        match self.place(at)? {
            Addressed::All => self.base.version().map(Some),
            Addressed::Row(key) | Addressed::Field(key, _) => {
                let version = self.base.reading(|reader| reader.version(self, key))?;
                version.map(Some).ok_or_else(|| Fault::NotFound.about(at))
            }
        }
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if !format.is_json_document() {
            return representation(format, limit, |sink| self.get(at, query, sink));
        }
        let json = json_within(limit, self.base.usual(limit), |sink| self.tell(at, query, RowSink::Json(sink)))?;
        if let Some(json) = &json {
            self.base.was(json.len());
        }
        Ok(json)
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        if format.is_json_document() {
            let mut sink = CompactSink::new(Output::new(Vec::new(), Box::new(To(to)) as Box<dyn Drain + Send>));
            return self.tell(at, query, RowSink::Json(&mut sink));
        }
        let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
        self.tell(at, query, RowSink::Any(&mut *sink))
    }

    fn mends(&self) -> bool {
        true
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        // The tables of a database share one source of changes, which include the table's name.
        let own = self.about.name.clone();
        let below = within(at, watcher);
        let watcher: Watcher = Arc::new(move |change| match change.at.split_first() {
            Some((name, rest)) if *name == own => below(&Change { verb: change.verb, at: rest.into() }),
            Some(_) => {}
            None => below(change),
        });
        Some(self.base.changes.watch(watcher))
    }

    fn look(&self) {
        self.base.look();
    }

    fn is_prompt(&self) -> bool {
        // A database in memory has only one connection, which may be blocked by a slow receiver of a long response.
        self.base.is_shared()
    }
}
