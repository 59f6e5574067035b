//! Reads a table of a database, or the result of a statement.

use super::{DatabasePlace, Part};
use crate::reading::{Reading, Receiver};
use demat_core::{Error, ErrorKind, Result, Shape, Source};
use demat_formats::stream;
use demat_sqlite::scan::PagedRows;
use demat_sqlite::{Database, OpenOptions, RowSink, RowSource, Select, copy_rows_chosen, copy_rows_to, row_of};

/// The rows of a table or a statement.
#[derive(Debug)]
pub(crate) struct DatabaseSource {
    rows: PagedRows,
    shape: Shape,
    database: Database,
    sql: String,
}

/// Opens an existing database for reading.
fn open(place: &DatabasePlace) -> Result<Database> {
    if !place.path.exists() {
        let cause = std::io::Error::from_raw_os_error(2);
        return Err(Error::new(ErrorKind::Io, "can't be opened")
            .because(cause)
            .in_place(place.path.display().to_string()));
    }
    let options = OpenOptions { readonly: true, create: false, ..OpenOptions::default() };
    Database::open_with(&place.path, options)
}

impl DatabaseSource {
    /// Prepares for reading; uses an open connection to the same file, if there is one.
    pub(crate) fn open(place: &DatabasePlace, beside: Option<&Database>) -> Result<Self> {
        let database = match beside {
            Some(database) => database.clone(),
            None => open(place)?,
        };
        Self::of(&database, place).map_err(|error| error.in_place(place.to_string()))
    }

    fn of(database: &Database, place: &DatabasePlace) -> Result<Self> {
        let name = match &place.part {
            Part::Query(query) => {
                let statement = database.statement(query)?;
                if !statement.is_readonly() {
                    return Err(Error::new(
                        ErrorKind::Store,
                        "the statement changes the database, and is to be read from",
                    ));
                }
                let shape = Shape::record(statement.record()?);
                let (database, sql) = (database.clone(), query.clone());
                return Ok(Self { rows: statement.into(), shape, database, sql });
            }
            Part::Table(name) => name.clone(),
            Part::Whole => only_table(database, place)?,
        };
        let table = database.existing(&name)?;
        let (sql, _) = Select::default().sql(&table)?;
        let columns: Vec<_> = table.columns.iter().map(|column| column.name.clone()).collect();
        let rows = PagedRows::of_table(database.statement(&sql)?, database, &table.name, &columns, false);
        let shape = Shape::record(table.record()?);
        Ok(Self { rows, shape, database: database.clone(), sql })
    }

    /// The shape of a row, as the table declares it.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the shape that all rows actually have, for formats whose date and time fields hold either only values
    /// with an offset, or only ones without.
    pub(crate) fn observed(&self) -> Result<Shape> {
        match row_of(&self.shape) {
            Some(record) => self.database.observed(&self.sql, &[], &record.get()).map(Shape::record),
            None => Ok(self.shape.clone()),
        }
    }

    /// Returns the rows with this shape.
    pub(crate) fn rows(self, shape: &Shape) -> Result<RowSource<PagedRows>> {
        let rows = self.rows;
        let record = row_of(shape);
        let record = record.as_ref().map(demat_core::RecordRef::get);
        rows.statement().check_names()?;
        let stored = rows.statement().stored_as(record.as_deref());
        Ok(RowSource::new(rows, &stored))
    }

    /// Returns the source of all rows, as a list of records of this shape.
    pub(crate) fn boxed(self, row: &Shape) -> Result<Box<dyn Source<'static>>> {
        Ok(Box::new(self.rows(&row.clone().list())?))
    }
}

fn only_table(database: &Database, place: &DatabasePlace) -> Result<String> {
    let mut tables = database.tables()?;
    let path = place.path.display();
    match tables.len() {
        1 => Ok(tables.swap_remove(0)),
        0 => Err(Error::new(ErrorKind::Store, "there is no table in the database")),
        _ => {
            let message = format!("which table is not said: {path}#TABLE, where TABLE is one of {}", tables.join(", "));
            Err(Error::new(ErrorKind::Store, message))
        }
    }
}

impl Reading for RowSource<PagedRows> {
    fn copy(&mut self, to: Receiver<'_, '_, '_>) -> Result<stream::Summary> {
        let Receiver { shape, sink, judge, choice } = to;
        match choice {
            Some(choice) => copy_rows_chosen(self, shape, sink, judge, choice),
            None => copy_rows_to(self, shape, RowSink::Any(sink), judge, None),
        }
    }

    /// Unknown: the database reads its file itself.
    fn read(&self) -> u64 {
        0
    }
}

/// Returns the shapes of the rows of all tables, or of the one that the place names.
pub(crate) fn tables(place: &DatabasePlace) -> Result<Vec<Shape>> {
    if place.part != Part::Whole {
        return Ok(vec![DatabaseSource::open(place, None)?.shape().clone()]);
    }
    let database = open(place)?;
    let names = database.tables().map_err(|error| error.in_place(place.to_string()))?;
    names.iter().map(|name| Ok(Shape::record(database.existing(name)?.record()?))).collect()
}
