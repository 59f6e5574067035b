//! Batches of rows in memory, for reading and writing.

use crate::rows::{Class, Raw, Rows};
use demat_core::Result;
use std::sync::Arc;

/// A value of a row; its text or bytes are in the batch's memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell {
    /// The column was not written: the table's default applies.
    Missing,
    Null,
    Int(i64),
    Real(f64),
    Text {
        start: u32,
        len: u32,
    },
    Blob {
        start: u32,
        len: u32,
    },
}

/// A batch of rows with the same columns, in two reusable allocations.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    width: usize,
    cells: Vec<Cell>,
    bytes: Vec<u8>,
    columns: Arc<[String]>,
    /// While reading: the current row, from 1.
    at: usize,
}

/// The size of text in bytes at which a batch is full.
pub(crate) const WORTH: usize = 128 * 1024;
/// The number of cells at which a batch is full.
const CELLS: usize = 8 * 1024;

impl Batch {
    /// Creates an empty batch with these columns.
    pub fn new(columns: Arc<[String]>) -> Self {
        Self { width: columns.len(), columns, ..Self::default() }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len().checked_div(self.width).unwrap_or(0)
    }

    /// Returns whether the batch is large enough to be passed on.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.cells.len() >= CELLS || self.bytes.len() >= WORTH
    }

    /// Removes all rows. Keeps the memory, unless it is larger than usual.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.bytes.clear();
        self.bytes.shrink_to(4 * WORTH);
        self.at = 0;
    }

    /// Returns the cells of a row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[Cell] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(&mut self, cells: &[Cell]) {
        debug_assert_eq!(cells.len(), self.width);
        self.cells.extend_from_slice(cells);
    }

    /// Returns the number of bytes of text and blobs, including those of an incomplete row.
    #[inline]
    pub(crate) fn used(&self) -> usize {
        self.bytes.len()
    }

    /// Removes the rows from this one on, and the text and blobs from an offset on.
    pub(crate) fn truncate(&mut self, rows: usize, used: usize) {
        self.cells.truncate(rows * self.width);
        self.bytes.truncate(used);
    }

    /// Removes the first rows. Their text and blobs stay in memory until the batch is cleared.
    pub(crate) fn remove_first(&mut self, rows: usize) {
        self.cells.drain(..rows * self.width);
    }

    /// Converts a value to a cell, and copies its text or bytes to the memory. `None` if it is larger than a row of
    /// SQLite can be.
    #[inline]
    pub(crate) fn add(&mut self, value: crate::Cell<'_>) -> Option<Cell> {
        Some(match value {
            crate::Cell::Null => Cell::Null,
            crate::Cell::Int(value) => Cell::Int(value),
            crate::Cell::Real(value) => Cell::Real(value),
            crate::Cell::Text(text) => {
                let (start, len) = self.add_bytes(text.as_bytes())?;
                Cell::Text { start, len }
            }
            crate::Cell::Blob(bytes) => {
                let (start, len) = self.add_bytes(bytes)?;
                Cell::Blob { start, len }
            }
        })
    }

    #[inline]
    fn add_bytes(&mut self, bytes: &[u8]) -> Option<(u32, u32)> {
        let start = self.bytes.len();
        u32::try_from(start + bytes.len()).ok()?;
        self.bytes.extend_from_slice(bytes);
        Some((start as u32, bytes.len() as u32)) // the sum fits, as checked above
    }

    /// Returns the text or bytes of a cell.
    #[inline]
    pub(crate) fn bytes(&self, start: u32, len: u32) -> &[u8] {
        &self.bytes[start as usize..start as usize + len as usize]
    }

    /// Clears the batch and fills it with rows from a source. Returns whether there may be more.
    ///
    /// # Errors
    /// Errors of SQLite at the next row; the batch holds the rows before it.
    pub fn fill<R: Rows>(&mut self, rows: &mut R) -> Result<bool> {
        self.clear();
        while !self.is_full() {
            if !rows.step()? {
                return Ok(false);
            }
            for column in 0..self.width {
                let cell = match rows.raw(column) {
                    Raw::Null => Some(Cell::Null),
                    Raw::Int(value) => Some(Cell::Int(value)),
                    Raw::Real(value) => Some(Cell::Real(value)),
                    Raw::Text(text) => self.add_bytes(text).map(|(start, len)| Cell::Text { start, len }),
                    Raw::Blob(bytes) => self.add_bytes(bytes).map(|(start, len)| Cell::Blob { start, len }),
                };
                self.cells.push(cell.ok_or_else(too_big)?);
            }
        }
        Ok(true)
    }
}

/// Returns the error for a row that exceeds SQLite's limit.
#[cold]
pub(crate) fn too_big() -> demat_core::Error {
    crate::failure::failed(rusqlite::ffi::SQLITE_TOOBIG, None)
}

impl Rows for Batch {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        let more = self.at * self.width < self.cells.len();
        self.at += usize::from(more);
        Ok(more)
    }

    #[inline]
    fn class(&self, column: usize) -> Class {
        match self.cell(column) {
            Cell::Missing | Cell::Null => Class::Null,
            Cell::Int(_) => Class::Int,
            Cell::Real(_) => Class::Real,
            Cell::Text { .. } => Class::Text,
            Cell::Blob { .. } => Class::Blob,
        }
    }

    #[inline]
    fn int(&self, column: usize) -> i64 {
        match self.cell(column) {
            Cell::Int(value) => value,
            _ => 0,
        }
    }

    #[inline]
    fn real(&self, column: usize) -> f64 {
        match self.cell(column) {
            Cell::Real(value) => value,
            _ => 0.0,
        }
    }

    #[inline]
    fn bytes(&self, column: usize) -> &[u8] {
        match self.cell(column) {
            Cell::Text { start, len } | Cell::Blob { start, len } => self.bytes(start, len),
            _ => &[],
        }
    }
}

impl Batch {
    #[inline]
    fn cell(&self, column: usize) -> Cell {
        self.at.checked_sub(1).map_or(Cell::Null, |row| self.cells[row * self.width + column])
    }
}
