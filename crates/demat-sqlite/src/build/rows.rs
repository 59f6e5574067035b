//! The rows of a table under construction.

use super::builder::Builder;
use super::column::Column;
use super::loader::Loader;
use super::row::Row;
use crate::Cell;
use demat_core::{Error, ErrorKind, Position, Result};

/// Takes the rows of one table.
///
/// Rows can be written in two ways: to the [`Sink`](demat_core::Sink), whose records' fields are the columns, by name;
/// or with [`push`](Self::push). Rows in the order of their rowids are written directly to pages; in any other order,
/// they are sorted first. If this is dropped without [`finish`](Self::finish), the database can't be finished either.
#[derive(Debug)]
pub struct Rows<'b> {
    /// `None` once it is finished.
    loader: Option<Loader>,
    builder: &'b mut Builder,
    pub(super) cursor: super::sink::RowCursor,
}

impl<'b> Rows<'b> {
    pub(super) fn new(loader: Loader, builder: &'b mut Builder) -> Self {
        Self { loader: Some(loader), builder, cursor: super::sink::RowCursor::default() }
    }

    /// Returns the names of the columns, in their order.
    pub fn columns(&self) -> Vec<&str> {
        let columns = self.loader.iter().flat_map(|loader| &loader.columns);
        columns.map(|column| column.name.as_str()).collect()
    }

    /// Returns the number of rows added.
    pub fn count(&self) -> u64 {
        self.loader.as_ref().map_or(0, Loader::rows)
    }

    /// Adds a row, with one value per column of the table, in their order.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) for a null in a NOT NULL column, or a duplicate rowid;
    /// [`Type`](ErrorKind::Type) for a value that the type of a column refuses; [`Io`](ErrorKind::Io). Each error has
    /// the row's number.
    #[inline]
    pub fn push(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        let (loader, builder) = self.parts()?;
        let told = push(loader, cells).and_then(|()| loader.end_row(builder.pages()));
        let told = told.and_then(|()| loader.settle(builder.pages()));
        told.map_err(|error| self.at_row(error))
    }

    /// Begins a row whose values are set one by one, in any order.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if the table is finished.
    #[inline]
    pub fn open(&mut self) -> Result<()> {
        let (loader, builder) = self.parts()?;
        if loader.is_unsaid() {
            loader.commit(builder.pages())?;
        }
        loader.begin_row();
        Ok(())
    }

    /// Sets the value of a column. Other columns get their defaults.
    ///
    /// # Errors
    /// [`Type`](ErrorKind::Type) for a value that the type of the column refuses.
    #[inline]
    pub fn put(&mut self, column: usize, cell: Cell<'_>) -> Result<()> {
        let (loader, _) = self.parts()?;
        let Loader { row, columns, .. } = loader;
        let Some(column) = columns.get(column) else { return Err(no_column(column)) };
        put(row, column, cell).map_err(|error| self.at_row(error))
    }

    /// Adds the row whose values were set.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    #[inline]
    pub fn close(&mut self) -> Result<()> {
        let (loader, builder) = self.parts()?;
        loader.end_row(builder.pages()).map_err(|error| self.at_row(error))
    }

    /// Completes the table and its indexes.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) for a duplicate key; [`Io`](ErrorKind::Io).
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

    /// Adds the number of the current row to an error.
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
