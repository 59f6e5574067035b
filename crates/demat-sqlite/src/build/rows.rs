//! The rows of a table that is built.

use super::builder::Builder;
use super::column::Column;
use super::loader::Loader;
use super::row::Row;
use crate::Cell;
use demat_core::{Error, ErrorKind, Position, Result};

/// Takes the rows of one table.
///
/// They can be told in two ways: as a [`Sink`](demat_core::Sink), whose records' fields are the columns, by name; or by
/// [`push`](Self::push). In the order of their rowids they go straight to their pages; if they come in any other they
/// are sorted first. Dropped without [`finish`](Self::finish), the database can't be finished either.
#[derive(Debug)]
pub struct Rows<'b> {
    /// There until it is finished.
    loader: Option<Loader>,
    builder: &'b mut Builder,
    pub(super) cursor: super::sink::RowCursor,
}

impl<'b> Rows<'b> {
    pub(super) fn new(loader: Loader, builder: &'b mut Builder) -> Self {
        Self { loader: Some(loader), builder, cursor: super::sink::RowCursor::default() }
    }

    /// The names of the columns, in their order.
    pub fn columns(&self) -> Vec<&str> {
        let columns = self.loader.iter().flat_map(|loader| &loader.columns);
        columns.map(|column| column.name.as_str()).collect()
    }

    /// How many rows were told.
    pub fn count(&self) -> u64 {
        self.loader.as_ref().map_or(0, Loader::rows)
    }

    /// Adds a row of as many values as the table has columns, in the order of these.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) for a null where there must be none, or a rowid that comes again;
    /// [`Type`](ErrorKind::Type) for what the type of a column refuses; [`Io`](ErrorKind::Io). Each says which row.
    #[inline]
    pub fn push(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        let (loader, builder) = self.parts()?;
        let told = push(loader, cells).and_then(|()| loader.end_row(builder.pages()));
        let told = told.and_then(|()| loader.settle(builder.pages()));
        told.map_err(|error| self.at_row(error))
    }

    /// Begins a row whose values are told one by one, in whatever order.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) where the table is finished.
    #[inline]
    pub fn open(&mut self) -> Result<()> {
        let (loader, builder) = self.parts()?;
        if loader.is_unsaid() {
            loader.commit(builder.pages())?;
        }
        loader.begin_row();
        Ok(())
    }

    /// Tells the value of a column. One that is not told has its default.
    ///
    /// # Errors
    /// [`Type`](ErrorKind::Type) for what the type of the column refuses.
    #[inline]
    pub fn put(&mut self, column: usize, cell: Cell<'_>) -> Result<()> {
        let (loader, _) = self.parts()?;
        let Loader { row, columns, .. } = loader;
        let Some(column) = columns.get(column) else { return Err(no_column(column)) };
        put(row, column, cell).map_err(|error| self.at_row(error))
    }

    /// Adds the row whose values were told.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    #[inline]
    pub fn close(&mut self) -> Result<()> {
        let (loader, builder) = self.parts()?;
        loader.end_row(builder.pages()).map_err(|error| self.at_row(error))
    }

    /// Builds what is left of the table and of its indexes.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) for a key that comes again; [`Io`](ErrorKind::Io).
    pub fn finish(mut self) -> Result<()> {
        self.end()
    }

    pub(super) fn end(&mut self) -> Result<()> {
        let loader = self.loader.take().ok_or_else(finished)?;
        let built = loader.finish(self.builder.pages())?;
        self.builder.took(built);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn parts(&mut self) -> Result<(&mut Loader, &mut Builder)> {
        match &mut self.loader {
            Some(loader) => Ok((loader, self.builder)),
            None => Err(finished()),
        }
    }

    /// Says at which row an error is: the one that is told.
    #[cold]
    pub(super) fn at_row(&self, error: Error) -> Error {
        error.at(Position { record: Some(self.count() + 1), ..Position::default() })
    }
}

#[inline]
fn push(loader: &mut Loader, cells: &[Cell<'_>]) -> Result<()> {
    if cells.len() != loader.columns.len() {
        return Err(wrong_count(cells.len(), loader.columns.len()));
    }
    loader.begin_row();
    let Loader { row, columns, .. } = loader;
    for (column, cell) in columns.iter().zip(cells) {
        put(row, column, *cell).map_err(|error| error.within_field(column.name.clone()))?;
    }
    Ok(())
}

#[inline(always)]
fn put(row: &mut Row, column: &Column, cell: Cell<'_>) -> Result<()> {
    match cell {
        Cell::Null => {
            row.null(column);
            Ok(())
        }
        Cell::Int(value) => row.int(column, value),
        Cell::Real(value) => row.real(column, value),
        Cell::Text(value) => row.text(column, value),
        Cell::Blob(value) => row.blob(column, value),
    }
}

#[cold]
fn no_column(column: usize) -> Error {
    Error::new(ErrorKind::Store, format!("there is no column {column}"))
}

#[cold]
fn wrong_count(found: usize, expected: usize) -> Error {
    Error::mismatch(ErrorKind::Constraint, format!("{expected} values"), format!("{found} values"))
}

#[cold]
pub(super) fn finished() -> Error {
    Error::new(ErrorKind::Store, "the table is finished")
}
