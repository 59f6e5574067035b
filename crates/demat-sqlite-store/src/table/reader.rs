//! A connection for reading.

use super::Table;
use crate::tolerance;
use core::hash::{Hash as _, Hasher as _};
use demat_core::{Result, Shape, Sink, Source as _};
use demat_formats::stream::Stop;
use demat_sqlite::scan::PagedRows;
use demat_sqlite::{
    Database, Mending, Param, Raw, RowSink, RowSource, Rows, Select, Statement, copy_row, copy_rows_to, quoted, row_of,
};
use demat_store::{Fault, Query, Version};
use std::hash::DefaultHasher;

/// A connection for reading, with cached scans of whole tables.
#[derive(Debug)]
pub(super) struct Reader {
    database: Database,
    /// Scans by SQL text; the most recently used one is last.
    wholes: Vec<(String, PagedRows)>,
}

/// The maximum number of cached scans.
const WHOLES: usize = 8;

impl Reader {
    pub(super) fn new(database: Database) -> Self {
        Self { database, wholes: Vec::new() }
    }

    /// Returns a statement with its values.
    fn statement(&mut self, sql: &str, values: &[Param]) -> Result<Statement> {
        let mut statement = self.database.kept(sql)?;
        statement.bind_all(values)?;
        Ok(statement)
    }

    /// Calls a function with a statement and its values.
    pub(super) fn asked<T>(
        &mut self,
        sql: &str,
        values: &[Param],
        ask: impl FnOnce(&mut Statement) -> Result<T>,
    ) -> Result<T> {
        ask(&mut self.statement(sql, values)?)
    }

    /// Writes the rows of a query to a sink.
    pub(super) fn rows(&mut self, table: &Table, query: &Query, sink: RowSink<'_, '_>) -> Result<()> {
        let (sql, values) = table.select(query)?.sql(&table.about)?;
        let shape = query.shape(&table.told_shape().list())?;
        let shape = match row_of(&shape) {
            // A column of datetimes holds only one kind (with or without an offset), while the table may declare both.
            Some(record) if table.made && tolerance::in_columns() => {
                Shape::record(self.database.observed(&sql, &values, &record.get())?).list()
            }
            _ => shape,
        };
        let all = Query { fields: query.fields.clone(), ..Query::default() };
        if all == *query && !table.about.view {
            return self.whole(table, query, sql, &shape, sink);
        }
        let rows = self.statement(&sql, &values)?;
        let stored = table.stored_of(&rows);
        let mut source = RowSource::new(PagedRows::from(rows), &stored);
        mending(table, |mending| copy_rows_to(&mut source, &shape, sink, &mut Stop, mending).map(drop))
    }

    /// Writes all rows, directly from the table's pages if possible: several times as fast as with a statement.
    fn whole(&mut self, table: &Table, query: &Query, sql: String, shape: &Shape, sink: RowSink<'_, '_>) -> Result<()> {
        let there = self.wholes.iter().position(|(own, _)| *own == sql);
        let renewed = match there.map(|index| self.wholes.remove(index).1) {
            Some(mut rows) => rows.renew()?.then_some(rows),
            None => None,
        };
        let rows = if let Some(rows) = renewed {
            rows
        } else {
            let statement = self.database.statement(&sql)?;
            let columns = match &query.fields {
                Some(fields) => fields.iter().map(|field| table.column_of(field)).collect::<Result<_>>()?,
                None => table.about.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>(),
            };
            PagedRows::of_table(statement, &self.database, &table.about.name, &columns, true)
        };
        let scanned = rows.is_scanned();
        let stored = table.stored_of(&rows);
        let mut source = RowSource::new(rows, &stored);
        let told = mending(table, |mending| copy_rows_to(&mut source, shape, sink, &mut Stop, mending).map(drop));
        let mut rows = source.into_rows();
        rows.release();
        // A scan that had to continue with a regular statement is not cached.
        if rows.is_scanned() == scanned {
            if self.wholes.len() >= WHOLES {
                self.wholes.remove(0);
            }
            self.wholes.push((sql, rows));
        }
        told
    }

    /// Returns the number of rows of a query.
    pub(super) fn count(&mut self, table: &Table, query: &Query) -> Result<u64> {
        let select = Select { order: Vec::new(), columns: Vec::new(), ..table.select(query)? };
        let (sql, values) = select.sql(&table.about)?;
        self.asked(&format!("SELECT count(*) FROM ({sql})"), &values, |statement| {
            Ok(if statement.step()? { statement.int(0).cast_unsigned() } else { 0 })
        })
    }

    /// Writes one row.
    pub(super) fn row(&mut self, table: &Table, row: &str, query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let shape = query.shape(&table.told_shape())?;
        let only = Query { fields: query.fields.clone(), ..Query::default() };
        if only != *query {
            return Err(Fault::BadQuery.because("a list is filtered, sorted and counted, and this is one record"));
        }
        let select = table.select(&only)?;
        self.one(table, row, select, |source| mending(table, |mending| copy_row(source, &shape, sink, mending)))
    }

    /// Writes the value of a row's column.
    pub(super) fn field(&mut self, table: &Table, row: &str, column: usize, sink: &mut dyn Sink) -> Result<()> {
        let name = table.about.columns[column].name.clone();
        let shape = table.field_shape(column);
        let select = Select { columns: vec![name], ..Select::default() };
        self.one(table, row, select, |source| {
            source.map()?;
            source.entry()?;
            source.value()?;
            mending(table, |mending| copy_row(source, &shape, sink, mending))
        })
    }

    /// Calls a function with the row of a name.
    fn one<T>(
        &mut self,
        table: &Table,
        row: &str,
        select: Select,
        tell: impl FnOnce(&mut RowSource<PagedRows>) -> Result<T>,
    ) -> Result<T> {
        let absent = || Fault::NotFound.about(&[row.to_string()]);
        let (filter, values) = table.key.found(&table.about, &table.stored, row).ok_or_else(absent)?;
        let (sql, values) = Select { filter: Some(filter), values, ..select }.sql(&table.about)?;
        let rows = self.statement(&sql, &values)?;
        let stored = table.stored_of(&rows);
        let mut source = RowSource::new(PagedRows::from(rows), &stored);
        source.list()?;
        if source.item()? { tell(&mut source) } else { Err(absent()) }
    }

    /// Returns the version of a row, a hash of its values; `None` if it does not exist.
    pub(super) fn version(&mut self, table: &Table, row: &str) -> Result<Option<Version>> {
        let Some((filter, values)) = table.key.found(&table.about, &table.stored, row) else { return Ok(None) };
        let (sql, values) = Select { filter: Some(filter), values, ..Select::default() }.sql(&table.about)?;
        self.asked(&sql, &values, |statement| {
            let there = statement.step()?;
            Ok(there.then(|| Version(hashed(statement))))
        })
    }

    /// Returns the names of all rows.
    pub(super) fn keys(&mut self, table: &Table) -> Result<Vec<String>> {
        let columns = table.key.names(&table.about);
        if columns.is_empty() {
            return Ok(Vec::new());
        }
        let columns = columns.join(", ");
        let sql = format!("SELECT {columns} FROM {} ORDER BY {columns}", quoted(&table.about.name));
        self.asked(&sql, &[], |statement| {
            let mut names = Vec::new();
            while statement.step()? {
                names.extend(table.key.name(&table.about, &table.stored, statement));
            }
            Ok(names)
        })
    }
}

/// Reads rows of a table, with replacements if the reader tolerates them.
fn mending<T>(table: &Table, read: impl FnOnce(Option<&mut Mending<'_>>) -> Result<T>) -> Result<T> {
    tolerance::mending(table.name(), &table.about.key, read)
}

/// Returns a hash of a row's values that is the same in every process.
fn hashed(rows: &Statement) -> u64 {
    let mut hasher = DefaultHasher::new();
    for column in 0..rows.columns().len() {
        match rows.raw(column) {
            Raw::Null => hasher.write_u8(0),
            Raw::Int(value) => (1u8, value).hash(&mut hasher),
            Raw::Real(value) => (2u8, value.to_bits()).hash(&mut hasher),
            Raw::Text(bytes) => (3u8, bytes).hash(&mut hasher),
            Raw::Blob(bytes) => (4u8, bytes).hash(&mut hasher),
        }
    }
    hasher.finish()
}
