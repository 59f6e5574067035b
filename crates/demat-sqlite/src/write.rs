//! Writes rows to a table with prepared statements.

use crate::batch::{Batch, Cell};
use crate::database::Database;
use crate::statement::Statement;
use crate::table::Table;
use crate::transaction::Transaction;
use crate::verb::Verb;
use demat_core::{Error, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// Receives batches of rows of one table.
///
/// A [direct](Self::DIRECT) writer receives each value as it is written, not in batches.
pub trait RowWriter {
    /// Whether the writer receives values one by one.
    const DIRECT: bool = false;

    /// Begins a row (direct writers only).
    ///
    /// # Errors
    /// If the writer accepts no more.
    fn begin_row(&mut self) -> Result<()> {
        Ok(())
    }
    /// Sets the value of a column in the current row (direct writers only). Other columns get the table's defaults.
    ///
    /// # Errors
    /// If the value is refused.
    fn put(&mut self, column: usize, value: crate::Cell<'_>) -> Result<()> {
        let _ = (column, value);
        Ok(())
    }
    /// Ends the current row (direct writers only).
    ///
    /// # Errors
    /// If the row is refused.
    fn end_row(&mut self) -> Result<()> {
        Ok(())
    }
    /// Writes the rows of a batch, and clears it. An error has the number of its record.
    ///
    /// # Errors
    /// If a row is refused.
    fn take(&mut self, batch: &mut Batch) -> Result<()>;
    /// Sets a savepoint.
    ///
    /// # Errors
    /// Errors of SQLite.
    fn mark(&mut self) -> Result<()>;
    /// Releases the savepoint: the rows since then are kept.
    ///
    /// # Errors
    /// Errors of SQLite.
    fn settle(&mut self) -> Result<()>;
    /// Rolls back to the savepoint.
    ///
    /// # Errors
    /// Errors of SQLite.
    fn undo(&mut self) -> Result<()>;
    /// Called after all rows.
    ///
    /// # Errors
    /// Errors that concern all rows, such as duplicate keys.
    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Writes batches of rows, with one statement for each set of columns that occurs in rows.
#[derive(Debug)]
pub struct Writer {
    database: Database,
    table: Arc<Table>,
    verb: Verb,
    /// The statement for rows with all writable columns.
    whole: Option<Statement>,
    parts: HashMap<Box<[bool]>, Statement>,
    /// Rows written, and rows written at the last savepoint.
    written: u64,
    marked: u64,
    changed: u64,
    transaction: Option<Transaction>,
    /// The number of rows per transaction.
    every: u64,
    /// The rowids of the inserted rows, if requested.
    ids: Option<Vec<i64>>,
    /// Whether the table has generated columns: their values are accepted and not written.
    computes: bool,
}

/// The maximum number of cached statements for rows with some of the columns.
const PARTS: usize = 64;

impl Writer {
    /// Creates a writer for a table's rows.
    pub fn new(database: Database, table: Arc<Table>, verb: Verb) -> Self {
        let computes = table.columns.iter().any(|column| column.generated);
        Self {
            database,
            table,
            verb,
            whole: None,
            parts: HashMap::new(),
            written: 0,
            marked: 0,
            changed: 0,
            transaction: None,
            every: u64::MAX,
            ids: None,
            computes,
        }
    }

    /// Collects the rowids of inserted rows.
    #[must_use]
    pub fn with_ids(mut self) -> Self {
        self.ids = Some(Vec::new());
        self
    }

    /// Takes the rowids collected so far, in order.
    pub fn ids(&mut self) -> Vec<i64> {
        self.ids.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// Writes within a transaction, which [`finish`](Self::finish) commits; otherwise it is rolled back. With `every`,
    /// commits after each `every` rows.
    #[must_use]
    pub fn within(mut self, transaction: Transaction, every: Option<u64>) -> Self {
        self.transaction = Some(transaction);
        self.every = every.unwrap_or(u64::MAX).max(1);
        self
    }

    /// Commits the rows; returns how many rows of the table were added, changed or deleted.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn finish(mut self) -> Result<u64> {
        // Statements with bindings would hold the transaction open.
        self.whole = None;
        self.parts.clear();
        if let Some(transaction) = self.transaction.take() {
            transaction.commit()?;
        }
        Ok(self.changed)
    }

    /// Returns the number of rows written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns the number of rows of the table that were added, changed or deleted.
    pub fn changed(&self) -> u64 {
        self.changed
    }

    fn prepare(&self, cells: &[Cell]) -> Result<Statement> {
        let told: Vec<usize> = (0..cells.len()).filter(|column| !matches!(cells[*column], Cell::Missing)).collect();
        self.database.kept(&self.verb.sql(&self.table, &told)?)
    }

    #[inline]
    fn write(&mut self, batch: &Batch, cells: &[Cell]) -> Result<()> {
        if self.verb == Verb::Delete {
            // To delete a row, only the key is needed.
            let own = |(column, cell): (usize, &Cell)| if self.table.is_key(column) { *cell } else { Cell::Missing };
            let key: Vec<Cell> = cells.iter().enumerate().map(own).collect();
            return self.write_part(batch, &key);
        }
        if self.computes {
            let own = |(column, cell): (usize, &Cell)| {
                if self.table.columns[column].generated { Cell::Missing } else { *cell }
            };
            let told: Vec<Cell> = cells.iter().enumerate().map(own).collect();
            return self.write_part(batch, &told);
        }
        if cells.iter().any(|cell| matches!(cell, Cell::Missing)) {
            return self.write_part(batch, cells);
        }
        if self.whole.is_none() {
            self.whole = Some(self.prepare(cells)?);
        }
        match &mut self.whole {
            Some(statement) => statement.run_row(batch, cells),
            None => Ok(()),
        }
    }

    fn write_part(&mut self, batch: &Batch, cells: &[Cell]) -> Result<()> {
        let told: Box<[bool]> = cells.iter().map(|cell| !matches!(cell, Cell::Missing)).collect();
        if !self.parts.contains_key(&told) {
            if self.parts.len() >= PARTS {
                self.parts.clear();
            }
            let statement = self.prepare(cells)?;
            self.parts.insert(told.clone(), statement);
        }
        match self.parts.get_mut(&told) {
            Some(statement) => statement.run_row(batch, cells),
            None => Ok(()),
        }
    }

    fn forget(&mut self) {
        self.whole.iter_mut().chain(self.parts.values_mut()).for_each(Statement::forget);
    }

    fn write_all(&mut self, batch: &Batch) -> Result<()> {
        let counts = self.verb != Verb::Insert;
        for row in 0..batch.rows() {
            let written = self.write(batch, batch.row(row));
            written.map_err(|error| self.about(error))?;
            self.written += 1;
            self.changed += if counts { self.database.handle().changes() } else { 1 };
            if let Some(ids) = &mut self.ids {
                ids.push(self.database.last_rowid());
            }
            if self.written.is_multiple_of(self.every)
                && let Some(transaction) = &mut self.transaction
            {
                transaction.step()?;
            }
        }
        Ok(())
    }

    #[cold]
    fn about(&self, error: Error) -> Error {
        let error = match broken_column(&error.reason()).filter(|name| self.table.column(name).is_some()) {
            Some(column) => error.within_field(column),
            None => error,
        };
        error.within_item(self.written as usize).in_record(self.written + 1)
    }
}

/// Returns the column whose constraint failed, if SQLite names exactly one.
fn broken_column(reason: &str) -> Option<String> {
    let (what, about) = reason.split_once(" constraint failed: ")?;
    match what {
        "UNIQUE" | "NOT NULL" if !about.contains(", ") => about.split_once('.').map(|(_, column)| column.to_string()),
        // SQLite reports the constraint's text; Demat's own begin with the column.
        "CHECK" => {
            let quoted = about.strip_prefix("length(").unwrap_or(about).strip_prefix('"')?;
            quoted.split_once('"').map(|(column, _)| column.to_string())
        }
        _ => None,
    }
}

impl RowWriter for Writer {
    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        let written = self.write_all(batch);
        // Must happen before the memory that the bindings refer to is reused.
        self.forget();
        batch.clear();
        written
    }

    fn mark(&mut self) -> Result<()> {
        self.marked = self.written;
        self.database.execute("SAVEPOINT demat_unit")
    }

    fn settle(&mut self) -> Result<()> {
        self.database.execute("RELEASE demat_unit")
    }

    fn undo(&mut self) -> Result<()> {
        self.written = self.marked;
        if let Some(ids) = &mut self.ids {
            ids.truncate(self.marked as usize);
        }
        self.database.execute("ROLLBACK TO demat_unit")?;
        self.database.execute("RELEASE demat_unit")
    }
}
