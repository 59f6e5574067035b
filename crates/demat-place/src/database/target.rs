//! Writes to a table of a database.

use super::{DatabasePlace, Part, is_same, stem};
use crate::lift::refused;
use crate::plain_notes::with_plain_notes;
use crate::{AtomicFile, Place};
use demat_core::{Error, ErrorKind, Field, Record, Result, Shape, Sink, Unknown};
use demat_sqlite::build::{Builder, Complete, Options};
use demat_sqlite::{
    Database, OpenOptions, Pages, Stored, Table, TableOptions, TableSink, Transaction, Verb, Writer, is_plain_note,
    row_of,
};
use std::path::PathBuf;
use std::sync::Arc;

/// A table that gets all rows or none.
///
/// An existing file gets them in one transaction. A new file is built under a temporary name, and appears complete.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // they are independent of each other
pub(crate) struct DatabaseTarget {
    // Fields are dropped in this order: an open transaction is rolled back, then the database is closed, then the
    // temporary file is removed.
    transaction: Option<Transaction>,
    database: Database,
    file: Option<AtomicFile>,
    /// For a new file with one table: the builder of its pages.
    build: Build,
    /// Whether the source is in the same database, and so must be read through this connection.
    shared: bool,
    name: String,
    there: Option<Arc<Table>>,
    /// Whether it is one of several targets.
    in_units: bool,
    /// Whether the error of a refused row is reported at once.
    at_once: bool,
    /// Whether the caller gave the shape. SQL in the notes of any other is a stranger's, and is not run.
    is_given: bool,
    path: PathBuf,
    place: String,
}

/// Whether a file is built page by page.
#[derive(Debug)]
enum Build {
    No,
    Wanted,
    Begun(Box<Builder>),
    Complete(Box<Complete>),
}

impl DatabaseTarget {
    /// Opens a table for rows of another place. `one`: whether the database gets only this table.
    pub(crate) fn create(place: &DatabasePlace, from: &Place, one: bool) -> Result<Self> {
        let name = table_name(place, from)?;
        refuse_itself(place, from, &name)?;
        let (database, file, build) = if place.path.exists() {
            let options = OpenOptions { create: false, ..OpenOptions::default() };
            (Database::open_with(&place.path, options)?, None, Build::No)
        } else if one {
            // Nothing exists yet to inspect or to share.
            (Database::memory()?, None, Build::Wanted)
        } else {
            let at = place.path.display().to_string();
            let file = AtomicFile::create(&place.path).map_err(|cause| refused("can't be written", at, cause))?;
            let database = Database::open(file.path())?;
            // No other process sees the file before it is complete, and then it is synced as a whole. A journal is needed
            // for rows that are undone.
            for pragma in
                ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE"]
            {
                database.execute(pragma)?;
            }
            (database, Some(file), Build::No)
        };
        let located = |error: Error| error.in_place(place.to_string());
        let transaction = database.transaction().map_err(located)?;
        let there = database.find(&name).map_err(located)?.map(Arc::new);
        let shared = matches!(from, Place::Database(from) if is_same(&from.path, &place.path));
        let (path, place) = (place.path.clone(), place.path.display().to_string());
        let (in_units, is_given, transaction) = (false, false, Some(transaction));
        Ok(Self {
            transaction,
            database,
            file,
            build,
            shared,
            name,
            there,
            in_units,
            at_once: false,
            is_given,
            path,
            place,
        })
    }

    /// Opens a table of a new database in memory.
    pub(crate) fn in_memory(table: &str) -> Result<Self> {
        let database = Database::memory()?;
        let transaction = Some(database.transaction()?);
        let (name, path, place) = (table.to_string(), PathBuf::new(), "memory".to_string());
        let (file, build, there) = (None, Build::No, None);
        let (shared, in_units, is_given) = (false, false, false);
        Ok(Self {
            transaction,
            database,
            file,
            build,
            shared,
            name,
            there,
            in_units,
            at_once: false,
            is_given,
            path,
            place,
        })
    }

    /// Says that the shape is the caller's own, and so the SQL in its notes.
    pub(crate) fn trust(&mut self) {
        self.is_given = true;
    }

    /// Continues with another table of the same database.
    pub(crate) fn table(mut self, name: &str) -> Result<Self> {
        self.there = self.database.find(name)?.map(Arc::new);
        self.name = name.to_string();
        Ok(self)
    }

    /// The connection, if the source must be read through it.
    pub(crate) fn shared(&self) -> Option<&Database> {
        self.shared.then_some(&self.database)
    }

    pub(crate) fn connection(&self) -> &Database {
        &self.database
    }

    /// The shape of the rows that an existing table accepts: columns with a default are optional, and unknown fields
    /// are an error.
    pub(crate) fn shape(&self) -> Option<Shape> {
        let table = self.there.as_ref()?;
        let whole = table.record().ok()?;
        let mut fields = Vec::new();
        for (index, field) in whole.fields().iter().enumerate() {
            let column = &table.columns[index];
            if column.generated {
                continue;
            }
            let may_miss = !column.not_null || column.default.is_some() || table.rowid() == Some(index);
            let shape = field.shape().clone();
            fields.push(Field::new(column.name.clone(), fields.len() as u32 + 1, shape).with_required(!may_miss));
        }
        Some(Shape::record(Record::new(table.name.clone(), fields).ok()?.with_unknown(Unknown::Forbid)))
    }

    /// Returns the sink for rows of a shape. Creates the table from the shape, if it does not exist.
    pub(crate) fn sink(&mut self, shape: &Shape) -> Result<Box<dyn Sink + '_>> {
        let place = self.place.clone();
        let located = |error: Error| error.in_place(place.clone());
        let row = row_of(shape).ok_or_else(|| located(shape.no_row("the rows of a table are records")))?;
        let record = row.get();
        let table = match &self.there {
            Some(table) => Arc::clone(table),
            None => self.make(&record).map_err(located)?,
        };
        fits(&table, &record).map_err(located)?;
        if matches!(self.build, Build::Wanted) {
            let sql = table.create().iter().fold(String::new(), |sql, statement| sql + statement + ";\n");
            self.build =
                Build::Begun(Box::new(Builder::create(&self.path, &sql, &Options::default()).map_err(located)?));
        }
        if let Build::Begun(builder) = &mut self.build {
            let pages = Pages::new(builder.rows(&table.name).map_err(located)?);
            return Ok(Box::new(TableSink::new(table, Some(&record), pages)));
        }
        let writer = Writer::new(self.database.clone(), Arc::clone(&table), Verb::Insert);
        let sink = TableSink::new(table, Some(&record), writer).at_once(self.at_once);
        Ok(Box::new(sink.in_units(self.in_units)))
    }

    /// Creates the table. Drops references to tables that the database does not have.
    fn make(&self, record: &Record) -> Result<Arc<Table>> {
        let plain = if self.is_given { None } else { Some(with_plain_notes(record, is_plain_note)?) };
        let mut wanted = Table::of(&self.name, plain.as_ref().unwrap_or(record), &TableOptions::default())?;
        let mut kept = Vec::new();
        for reference in core::mem::take(&mut wanted.references) {
            if reference.table.eq_ignore_ascii_case(&self.name) || self.database.find(&reference.table)?.is_some() {
                kept.push(reference);
            }
        }
        wanted.references = kept;
        if matches!(self.build, Build::No) {
            self.database.create(&wanted)?;
            return self.database.existing(&self.name).map(Arc::new);
        }
        Ok(Arc::new(wanted))
    }

    /// Has the error of a refused row reported at once, as it must be to skip the row.
    pub(crate) fn report_at_once(&mut self) {
        self.at_once = true;
    }

    /// Has each unit of rows undone as a whole, since another target may refuse it.
    pub(crate) fn undo_units(&mut self) {
        self.in_units = true;
    }

    /// Whether the file is new, and appears as a whole.
    pub(crate) fn is_new(&self) -> bool {
        self.file.is_some() || !matches!(self.build, Build::No)
    }

    /// Whether it is the same table, of two of one database.
    pub(crate) fn is_table(&self, other: &Self) -> bool {
        self.name.eq_ignore_ascii_case(&other.name)
    }

    /// Opens another table of the same database, in the same transaction.
    pub(crate) fn beside(&self, place: &DatabasePlace, from: &Place) -> Result<Self> {
        let name = table_name(place, from)?;
        refuse_itself(place, from, &name)?;
        let (database, path, place) = (self.database.clone(), self.path.clone(), self.place.clone());
        let there = database.find(&name).map_err(|error| error.in_place(place.clone()))?.map(Arc::new);
        let (build, shared, in_units, is_given) = (Build::No, self.shared, true, false);
        let (transaction, file) = (None, None);
        Ok(Self {
            transaction,
            database,
            file,
            build,
            shared,
            name,
            there,
            in_units,
            at_once: false,
            is_given,
            path,
            place,
        })
    }

    /// Writes what is left of a new file, to the disk, but does not let it appear yet.
    pub(crate) fn complete(&mut self) -> Result<()> {
        let place = &self.place;
        let located = |error: Error| error.in_place(place.clone());
        match (core::mem::replace(&mut self.build, Build::No), &mut self.file) {
            (Build::Begun(builder), _) => {
                self.build = Build::Complete(Box::new(builder.complete().map_err(located)?));
            }
            (Build::No, Some(file)) => {
                if let Some(transaction) = self.transaction.take() {
                    transaction.commit().map_err(located)?;
                }
                file.sync().map_err(|cause| refused("can't be written", place.clone(), cause))?;
            }
            (build, _) => self.build = build,
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        self.complete()?;
        let Self { transaction, database, file, build, place, .. } = self;
        let located = |error: Error| error.in_place(place.clone());
        if let Some(transaction) = transaction {
            transaction.commit().map_err(located)?;
        }
        drop(database);
        match (build, file) {
            (Build::Complete(complete), _) => complete.commit().map_err(located),
            (_, Some(file)) => file.commit().map_err(|cause| refused("can't be written", place, cause)),
            _ => Ok(()),
        }
    }
}

/// Checks that the table can store the values of a record.
fn fits(table: &Table, record: &Record) -> Result<()> {
    for field in record.fields() {
        let Some(column) = table.column(field.key()) else {
            let names: Vec<_> = table.columns.iter().map(|column| &*column.name).collect();
            let message =
                format!("the table `{}` has no column `{}`; there are {}", table.name, field.key(), names.join(", "));
            return Err(Error::new(ErrorKind::Store, message));
        };
        let column = &table.columns[column];
        let stored = Stored::of(field.shape(), Some(&column.declared));
        if !stored.keeps_in(column.affinity(table.strict)) {
            let message = format!(
                "the column `{}` is declared `{}`, which does not keep a {} as it is",
                column.name,
                column.declared,
                field.shape().inner().name()
            );
            return Err(Error::new(ErrorKind::Store, message));
        }
    }
    Ok(())
}

/// Returns the name of the table.
fn table_name(place: &DatabasePlace, from: &Place) -> Result<String> {
    match &place.part {
        Part::Table(name) => Ok(name.clone()),
        Part::Whole => name_of(from, place),
        Part::Query(_) => {
            let error = Error::new(ErrorKind::Store, "rows go into a table, and not into what a statement gives");
            Err(error.in_place(place.to_string()))
        }
    }
}

/// Refuses the table that the rows come from.
fn refuse_itself(place: &DatabasePlace, from: &Place, name: &str) -> Result<()> {
    match from {
        Place::Database(from) if from.part == Part::Table(name.to_string()) && is_same(&from.path, &place.path) => {
            let error = Error::new(ErrorKind::Store, "a table can't be copied into itself");
            Err(error.in_place(place.to_string()))
        }
        _ => Ok(()),
    }
}

/// Returns the default name of the table: that of the source's file or table.
fn name_of(from: &Place, to: &DatabasePlace) -> Result<String> {
    let name = match from {
        Place::Database(DatabasePlace { part: Part::Table(table), .. }) => Some(table.clone()),
        Place::Database(DatabasePlace { part: Part::Query(_), .. }) | Place::Standard => None,
        other => other.path().and_then(stem),
    };
    name.ok_or_else(|| {
        let message = format!("which table is not said: {}#TABLE", to.path.display());
        Error::new(ErrorKind::Store, message)
    })
}
