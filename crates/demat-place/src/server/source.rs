//! Reads a table of a server's database, or the result of a statement.

use super::ServerPlace;
use super::pushed::Pushed;
use super::rows::AnyRows;
use crate::reading::{Reading, Receiver};
use crate::{Part, Where};
use demat_core::{Error, ErrorKind, Record, Result, Shape, Source, Unknown};
use demat_formats::stream;
use demat_postgres::{Address, Connection, RowSource, Table, TableName, Transaction, quoted, record_of};

/// The rows of a table or a statement.
#[derive(Debug)]
pub(crate) struct ServerSource {
    /// The server takes no change in it, whatever the statement is.
    transaction: Transaction,
    connection: Connection,
    what: What,
    shape: Shape,
}

#[derive(Debug)]
enum What {
    Table(Box<Table>),
    Query(String),
}

impl ServerSource {
    /// Connects, and looks the table or the statement up.
    pub(crate) fn open(place: &ServerPlace) -> Result<Self> {
        Self::of(place).map_err(|error| error.in_place(place.to_string()))
    }

    fn of(place: &ServerPlace) -> Result<Self> {
        let connection = Connection::open(&Address::parse(place.url())?)?;
        let transaction = connection.reading()?;
        let name = match &place.part {
            Part::Query(query) => {
                let columns = connection.prepare(query)?.columns()?;
                if columns.is_empty() {
                    return Err(Error::new(ErrorKind::Store, "the statement gives no rows to read"));
                }
                let shape = Shape::record(record_of(&columns)?);
                return Ok(Self { transaction, connection, what: What::Query(query.clone()), shape });
            }
            Part::Table(name) => TableName::parse(name)?,
            Part::Whole => only_table(&connection, place)?,
        };
        let table = connection.existing(&name)?;
        let shape = Shape::record(table.record()?);
        Ok(Self { transaction, connection, what: What::Table(Box::new(table)), shape })
    }

    /// The shape of a row, as the server declares it.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns as much of a condition as the server can decide about, for rows that are read as a list of this shape.
    pub(crate) fn pushed(&self, condition: &Where, list: &Shape) -> Result<Pushed> {
        match (&self.what, list.inner()) {
            (What::Table(table), Shape::List(item)) => match item.inner() {
                // The server compares and sorts other encodings in other ways.
                Shape::Record(record) if self.connection.is_utf8()? => Ok(Pushed::of(condition, table, &record.get())),
                _ => Ok(Pushed::default()),
            },
            // A statement has conditions of its own.
            _ => Ok(Pushed::default()),
        }
    }

    /// Returns the rows with this shape. Columns that it has no field for are not sent, unless it treats them.
    pub(crate) fn rows(self, shape: &Shape) -> Result<ServerRows> {
        self.chosen(&[shape], &Pushed::default(), None)
    }

    /// Returns the rows that a condition of the server chooses, at most so many. Columns that none of the shapes has a field
    /// for are not sent.
    pub(crate) fn chosen(self, shapes: &[&Shape], pushed: &Pushed, first: Option<u64>) -> Result<ServerRows> {
        let (mut sql, values) = match &self.what {
            What::Query(query) => (query.clone(), Vec::new()),
            What::Table(table) => {
                let select = selected(table, shapes);
                if pushed.condition.is_empty() {
                    (select, Vec::new())
                } else {
                    let (condition, values) = pushed.condition.sql();
                    (format!("{select} WHERE {condition}"), values)
                }
            }
        };
        if let (What::Table(_), Some(first)) = (&self.what, first) {
            let first = i64::try_from(first).unwrap_or(i64::MAX);
            sql.extend([" LIMIT ", &first.to_string()]);
        }
        let rows = if values.is_empty() {
            AnyRows::Copied(self.connection.copy_out(&sql)?)
        } else {
            // COPY takes no parameters.
            AnyRows::Queried(self.connection.prepare(&sql)?.query(&values)?)
        };
        Ok(ServerRows { rows: RowSource::new(rows), _transaction: self.transaction })
    }

    /// Returns the source of all rows, as a list of records of this shape. The transaction ends with the rows.
    pub(crate) fn boxed(self, row: &Shape) -> Result<Box<dyn Source<'static>>> {
        Ok(Box::new(self.rows(&row.clone().list())?.rows))
    }
}

/// Returns the statement for the columns that one of the shapes has fields for.
fn selected(table: &Table, shapes: &[&Shape]) -> String {
    let mut records: Vec<Record> = Vec::new();
    for shape in shapes {
        match shape.row() {
            Some(row) if row.get().unknown() == Unknown::Ignore => records.push(row.get().clone()),
            _ => return table.select(),
        }
    }
    let is_wanted = |name: &str| records.iter().any(|record| record.index_of(name).is_some());
    let mut wanted = table.clone();
    wanted.columns.retain(|column| is_wanted(&column.name));
    if !wanted.columns.is_empty() {
        return wanted.select();
    }
    // Only the number of rows counts, and not their values.
    let first = table.columns.first().map(|column| quoted(&column.name)).unwrap_or_default();
    format!("SELECT {first} FROM {}", table.quoted)
}

/// Rows on their way, in the transaction that they are read in.
#[derive(Debug)]
pub(crate) struct ServerRows {
    rows: RowSource<AnyRows>,
    _transaction: Transaction,
}

impl Reading for ServerRows {
    fn copy(&mut self, to: Receiver<'_, '_, '_>) -> Result<stream::Summary> {
        to.copy_from(&mut self.rows)
    }

    /// Unknown: the connection counts no bytes.
    fn read(&self) -> u64 {
        0
    }
}

fn only_table(connection: &Connection, place: &ServerPlace) -> Result<TableName> {
    let mut tables = connection.tables()?;
    match tables.len() {
        1 => Ok(TableName { schema: None, name: tables.swap_remove(0) }),
        0 => Err(Error::new(ErrorKind::Store, "there is no table in the database")),
        _ => {
            let tables = tables.join(", ");
            let message = format!("which table is not said: {place}#TABLE, where TABLE is one of {tables}");
            Err(Error::new(ErrorKind::Store, message))
        }
    }
}

/// Returns the shapes of the rows of all tables, or of the one that the place names.
pub(crate) fn tables(place: &ServerPlace) -> Result<Vec<Shape>> {
    if place.part != Part::Whole {
        return Ok(vec![ServerSource::open(place)?.shape]);
    }
    let located = |error: Error| error.in_place(place.to_string());
    let connection = Connection::open(&Address::parse(place.url()).map_err(located)?)?;
    let shape = |name: String| {
        let table = connection.existing(&TableName { schema: None, name })?;
        Ok(Shape::record(table.record()?))
    };
    connection.tables().map_err(located)?.into_iter().map(|name| shape(name).map_err(located)).collect()
}

/// Whether two places are one part of one database, as far as their text shows it.
pub(crate) fn is_same(one: &ServerPlace, other: &ServerPlace) -> bool {
    let name = |place: &ServerPlace| match &place.part {
        Part::Table(name) => TableName::parse(name).ok(),
        _ => None,
    };
    match (Address::parse(one.url()), Address::parse(other.url()), name(one), name(other)) {
        (Ok(own), Ok(their), Some(first), Some(second)) => own.is_same(&their) && first == second,
        _ => one == other,
    }
}
