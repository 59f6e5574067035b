//! Writes to a table of a server's database.

use super::{ServerPlace, is_same};
use crate::database::stem;
use crate::plain_notes::with_plain_notes;
use crate::{DatabasePlace, Part, Place};
use demat_core::{Error, ErrorKind, Field, Record, Result, Shape, Sink, Unknown};
use demat_postgres::{Address, Connection, Definition, Table, TableName, TableSink, Transaction, is_plain_note};
use std::sync::Arc;

/// A table that gets all rows or none, in one transaction.
#[derive(Debug)]
pub(crate) struct ServerTarget {
    // It is dropped first, and so rolled back.
    transaction: Transaction,
    connection: Connection,
    name: TableName,
    there: Option<Arc<Table>>,
    /// Whether the source is another database, whose references between tables are kept.
    is_database: bool,
    /// Whether the caller gave the shape. SQL in the notes of any other is a stranger's, and is not run.
    is_given: bool,
    place: String,
}

impl ServerTarget {
    /// Opens a table for rows of another place.
    pub(crate) fn create(place: &ServerPlace, from: &Place) -> Result<Self> {
        let located = |error: Error| error.in_place(place.to_string());
        let name = table_name(place, from).map_err(located)?;
        if matches!(from, Place::Server(from) if is_same(from, place)) {
            return Err(located(Error::new(ErrorKind::Store, "a table can't be copied into itself")));
        }
        let connection = Connection::open(&Address::parse(place.url()).map_err(located)?)?;
        let transaction = connection.transaction().map_err(located)?;
        let there = connection.find(&name).map_err(located)?.map(Arc::new);
        let is_database = matches!(from, Place::Database(_));
        Ok(Self { transaction, connection, name, there, is_database, is_given: false, place: place.to_string() })
    }

    /// Says that the shape is the caller's own, and so the SQL in its notes.
    pub(crate) fn trust(&mut self) {
        self.is_given = true;
    }

    /// The shape of the rows that an existing table accepts: columns with a default are optional, and unknown fields
    /// are an error.
    pub(crate) fn shape(&self) -> Option<Shape> {
        let table = self.there.as_ref()?;
        let mut fields = Vec::new();
        for column in table.columns.iter().filter(|column| !column.generated) {
            let shape = if column.not_null { column.shape() } else { column.shape().optional() };
            let may_miss = !column.not_null || column.default.is_some() || column.identity;
            fields.push(Field::new(column.name.clone(), fields.len() as u32 + 1, shape).with_required(!may_miss));
        }
        Some(Shape::record(Record::new(table.name.clone(), fields).ok()?.with_unknown(Unknown::Forbid)))
    }

    /// Returns the sink for rows of a shape. Creates the table from the shape, if it does not exist.
    pub(crate) fn sink(&mut self, shape: &Shape) -> Result<Box<dyn Sink + '_>> {
        let place = self.place.clone();
        let located = |error: Error| error.in_place(place.clone());
        let row = shape.row().ok_or_else(|| located(shape.no_row("the rows of a table are records")))?;
        let record = row.get();
        let table = match &self.there {
            Some(table) => Arc::clone(table),
            None => Arc::new(self.make(&record).map_err(located)?),
        };
        table.accepts(&record).map_err(located)?;
        let writer = self.connection.copy_in(&table);
        Ok(Box::new(TableSink::new(table, writer)))
    }

    /// Creates the table. Drops references to tables that the database does not have.
    fn make(&self, record: &Record) -> Result<Table> {
        let mut definition = if self.is_given {
            Definition::of(self.name.clone(), record)?
        } else {
            let is_kept = |note: &str| is_plain_note(note) && (self.is_database || !note.contains(char::is_whitespace));
            Definition::of(self.name.clone(), &with_plain_notes(record, is_kept)?)?
        };
        for column in &mut definition.columns {
            if let Some((table, _)) = &column.references
                && *table != self.name
                && self.connection.find(table)?.is_none()
            {
                column.references = None;
            }
        }
        self.connection.create(&definition)
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.transaction.commit().map_err(|error| error.in_place(self.place))
    }
}

/// Returns the name of the table: by default, that of the source's file or table.
fn table_name(place: &ServerPlace, from: &Place) -> Result<TableName> {
    let unnamed = |name: String| TableName { schema: None, name };
    match (&place.part, from) {
        (Part::Table(name), _) => TableName::parse(name),
        (Part::Query(_), _) => {
            Err(Error::new(ErrorKind::Store, "rows go into a table, and not into what a statement gives"))
        }
        (Part::Whole, Place::Database(DatabasePlace { part: Part::Table(name), .. })) => Ok(unnamed(name.clone())),
        (Part::Whole, Place::Server(ServerPlace { part: Part::Table(name), .. })) => {
            Ok(unnamed(TableName::parse(name)?.name))
        }
        (Part::Whole, from) => {
            let is_query = matches!(from, Place::Database(DatabasePlace { part: Part::Query(_), .. }));
            let name = from.path().filter(|_| !is_query).and_then(stem);
            name.map(unnamed)
                .ok_or_else(|| Error::new(ErrorKind::Store, format!("which table is not said: {place}#TABLE")))
        }
    }
}
