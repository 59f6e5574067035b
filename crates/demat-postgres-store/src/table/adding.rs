//! Adds rows: many by COPY, a single one by a statement that returns its key.

use super::Table;
use demat_core::Result;
use demat_postgres::{Connection, CopyIn, KeptRow, KeptRows, RowWriter};
use std::sync::Arc;

/// Adds the rows that are written to it. It is to be used within a transaction.
pub(super) struct Adding<'t> {
    table: &'t Table,
    connection: Connection,
    /// The first row, until a second one comes.
    first: Option<(Arc<[usize]>, Vec<u8>)>,
    copying: Option<CopyIn>,
    /// The name of the row, if there is only one.
    pub(super) name: Option<String>,
}

impl<'t> Adding<'t> {
    pub(super) fn new(table: &'t Table, connection: &Connection) -> Self {
        Self { table, connection: connection.clone(), first: None, copying: None, name: None }
    }
}

impl RowWriter for Adding<'_> {
    fn write(&mut self, columns: &Arc<[usize]>, rows: &[u8], count: u64) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        if self.copying.is_none() && self.first.is_none() && count == 1 {
            self.first = Some((Arc::clone(columns), rows.to_vec()));
            return Ok(());
        }
        let copying = self.copying.get_or_insert_with(|| self.connection.copy_in(&self.table.about));
        if let Some((columns, row)) = self.first.take() {
            copying.write(&columns, &row, 1)?;
        }
        copying.write(columns, rows, count)
    }

    fn finish(&mut self) -> Result<()> {
        if let Some(copying) = &mut self.copying {
            return copying.finish();
        }
        if let Some((columns, row)) = self.first.take() {
            let mut kept = KeptRows::default();
            kept.write(&columns, &row, 1)?;
            for row in kept.0 {
                self.name = self.table.insert_row(&self.connection, row)?;
            }
        }
        Ok(())
    }
}

impl Table {
    /// Inserts a row. Returns its name, if it has one.
    pub(super) fn insert_row(&self, connection: &Connection, row: KeptRow) -> Result<Option<String>> {
        let KeptRow { columns, values } = row;
        let mut sql = demat_postgres::Fragment::from(&*format!("INSERT INTO {}", self.about.quoted));
        if columns.is_empty() {
            sql.text(" DEFAULT VALUES");
        } else {
            let names = columns.iter().map(|column| demat_postgres::quoted(&self.about.columns[*column].name));
            sql.text(&format!(" ({}) OVERRIDING SYSTEM VALUE VALUES (", names.collect::<Vec<_>>().join(", ")));
            for (index, value) in values.into_iter().enumerate() {
                if index > 0 {
                    sql.text(", ");
                }
                sql.value(value, "");
            }
            sql.text(")");
        }
        if self.key.is_none() {
            let (sql, values) = sql.sql();
            connection.prepare(&sql)?.execute(&values)?;
            return Ok(None);
        }
        sql.text(&format!(" RETURNING {}", self.key.quoted(&self.about)));
        let (sql, values) = sql.sql();
        let rows: Box<dyn demat_postgres::Rows> = Box::new(connection.prepare(&sql)?.query(&values)?);
        let mut rows = super::reader::all_values(&mut demat_postgres::RowSource::new(rows))?;
        // A trigger may have kept the row out.
        Ok(rows.pop().and_then(|row| self.name_of_key(&row)))
    }
}
