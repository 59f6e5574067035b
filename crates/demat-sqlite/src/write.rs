//! Rows go into a table by prepared statements.

use crate::batch::{Batch, Cell};
use crate::database::Database;
use crate::statement::Statement;
use crate::table::Table;
use crate::transaction::Transaction;
use crate::verb::Verb;
use demat_core::{Error, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// Takes batches of rows, all of the columns of one table.
///
/// One that is [direct](Self::DIRECT) gets no batches, but each value where it is told.
pub trait RowWriter {
    /// Whether it takes values one by one.
    const DIRECT: bool = false;

    /// A row begins, for one that is direct.
    ///
    /// # Errors
    /// Where it takes no more.
    fn begin_row(&mut self) -> Result<()> {
        Ok(())
    }
    /// The value of a column of that row, for one that is direct. What is not told has the table's default.
    ///
    /// # Errors
    /// Where it is refused.
    fn put(&mut self, column: usize, value: crate::Cell<'_>) -> Result<()> {
        let _ = (column, value);
        Ok(())
    }
    /// The row is whole, for one that is direct.
    ///
    /// # Errors
    /// Where it is refused.
    fn end_row(&mut self) -> Result<()> {
        Ok(())
    }
    /// Takes the rows of a batch, and leaves it empty. An error says which record it is about.
    ///
    /// # Errors
    /// Where one is refused.
    fn take(&mut self, batch: &mut Batch) -> Result<()>;
    /// What is taken from here on may be taken back.
    ///
    /// # Errors
    /// What SQLite says.
    fn mark(&mut self) -> Result<()>;
    /// It is final.
    ///
    /// # Errors
    /// What SQLite says.
    fn settle(&mut self) -> Result<()>;
    /// Takes it back.
    ///
    /// # Errors
    /// What SQLite says.
    fn undo(&mut self) -> Result<()>;
    /// All was taken.
    ///
    /// # Errors
    /// What follows from all of it: a key that comes again.
    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Writes batches of rows, by one statement for each set of columns that rows tell.
#[derive(Debug)]
pub struct Writer {
    database: Database,
    table: Arc<Table>,
    verb: Verb,
    /// For rows that tell all columns that can be told.
    whole: Option<Statement>,
    parts: HashMap<Box<[bool]>, Statement>,
    /// Rows written, and of these those that were taken back to at the mark.
    written: u64,
    marked: u64,
    changed: u64,
    transaction: Option<Transaction>,
    /// So many rows are one transaction.
    every: u64,
    /// The row ids of the inserted rows, if requested.
    ids: Option<Vec<i64>>,
    /// Whether the table has computed columns: these are accepted and not written.
    computes: bool,
}

/// So many statements for rows that tell some columns are kept.
const PARTS: usize = 64;

impl Writer {
    /// A writer of a table's rows.
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

    /// Collects the row ids of inserted rows.
    #[must_use]
    pub fn with_ids(mut self) -> Self {
        self.ids = Some(Vec::new());
        self
    }

    /// Takes the row ids collected so far, in order.
    pub fn ids(&mut self) -> Vec<i64> {
        self.ids.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// Writes within a transaction, which [`finish`](Self::finish) commits, and which is undone where that is not called. Where
    /// `every` is given, so many rows are committed by themselves.
    #[must_use]
    pub fn within(mut self, transaction: Transaction, every: Option<u64>) -> Self {
        self.transaction = Some(transaction);
        self.every = every.unwrap_or(u64::MAX).max(1);
        self
    }

    /// Makes what was written last; gives how many rows of the table were added, changed or deleted.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn finish(mut self) -> Result<u64> {
        // Statements that are still bound to something would hold the transaction open.
        self.whole = None;
        self.parts.clear();
        if let Some(transaction) = self.transaction.take() {
            transaction.commit()?;
        }
        Ok(self.changed)
    }

    /// How many rows were written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// How many rows of the table were added, changed or deleted.
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
            // Of a row that goes, only the key is wanted.
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
        // Before the memory that the statements refer to is used for something else.
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
