//! Rows in memory.

use crate::rows::{RowColumn, Rows};
use demat_core::Result;

/// Some rows of others, which are read all at once.
#[derive(Debug)]
pub struct RowBatch {
    columns: Vec<RowColumn>,
    bytes: Vec<u8>,
    /// Where the cells are, row by row.
    cells: Vec<Option<(usize, usize)>>,
    rows: usize,
    /// The number of rows stepped to.
    at: usize,
}

/// The number of rows at which a batch does not wait for others.
const SOME: usize = 128;
/// The number of rows, and of bytes, at which a batch is full.
const ROWS: usize = 1_024;
const BYTES: usize = 1 << 18;

impl RowBatch {
    /// Returns an empty batch.
    pub fn new(columns: Vec<RowColumn>) -> Self {
        Self { columns, bytes: Vec::new(), cells: Vec::new(), rows: 0, at: 0 }
    }

    /// Replaces the rows with the next ones. Returns whether others may follow.
    ///
    /// It waits for some rows, and behind these takes what is there: the server makes others while these are used.
    ///
    /// # Errors
    /// Errors of the rows. Those before the error are in the batch.
    pub fn fill(&mut self, rows: &mut (impl Rows + ?Sized)) -> Result<bool> {
        (self.rows, self.at) = (0, 0);
        self.bytes.clear();
        self.cells.clear();
        while self.rows < ROWS && self.bytes.len() < BYTES && (self.rows < SOME || !rows.may_wait()) {
            if !rows.step()? {
                return Ok(false);
            }
            for column in 0..self.columns.len() {
                self.cells.push(rows.cell(column).map(|cell| {
                    let start = self.bytes.len();
                    self.bytes.extend_from_slice(cell);
                    (start, self.bytes.len())
                }));
            }
            self.rows += 1;
        }
        Ok(true)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }
}

impl Rows for RowBatch {
    fn columns(&self) -> &[RowColumn] {
        &self.columns
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        let more = self.at < self.rows;
        self.at += usize::from(more);
        Ok(more)
    }

    #[inline]
    fn cell(&self, column: usize) -> Option<&[u8]> {
        let (start, end) =
            self.cells.get((self.at.checked_sub(1)?) * self.columns.len() + column).copied().flatten()?;
        self.bytes.get(start..end)
    }
}
