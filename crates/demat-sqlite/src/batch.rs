//! Rows in memory, on their way in or out.

use crate::rows::{Class, Rows};
use demat_core::Result;
use std::sync::Arc;

/// A value of a row; text and bytes are in the batch's memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell {
    /// Nothing was told of the column: what the table has as default.
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

/// Some rows of the same columns, with all they need in two pieces of memory, which are used again.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    width: usize,
    cells: Vec<Cell>,
    bytes: Vec<u8>,
    columns: Arc<[String]>,
    /// When it is read: the row that is stood on, from 1.
    at: usize,
}

/// So much text is worth a trip to SQLite or back.
pub(crate) const WORTH: usize = 128 * 1024;
/// Or so many cells.
const CELLS: usize = 8 * 1024;

impl Batch {
    /// An empty one, of these columns.
    pub fn new(columns: Arc<[String]>) -> Self {
        Self { width: columns.len(), columns, ..Self::default() }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.cells.len().checked_div(self.width).unwrap_or(0)
    }

    /// Whether it is worth to be handed on.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.cells.len() >= CELLS || self.bytes.len() >= WORTH
    }

    /// Forgets all rows, and keeps the memory unless it is more than usual.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.bytes.clear();
        self.bytes.shrink_to(4 * WORTH);
        self.at = 0;
    }

    /// The cells of a row.
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

    /// So much memory is used by texts and bytes, of rows and of one that is being told.
    #[inline]
    pub(crate) fn used(&self) -> usize {
        self.bytes.len()
    }

    /// Forgets the rows from this one on, and the texts and bytes behind a mark.
    pub(crate) fn truncate(&mut self, rows: usize, used: usize) {
        self.cells.truncate(rows * self.width);
        self.bytes.truncate(used);
    }

    /// Forgets the first rows; their texts and bytes stay in the memory until all is cleared.
    pub(crate) fn remove_first(&mut self, rows: usize) {
        self.cells.drain(..rows * self.width);
    }

    /// A value as a cell, its text or bytes added to the memory; none where that is more than a row of SQLite's may have.
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
        Some((start as u32, bytes.len() as u32)) // the sum fits, as was seen
    }

    /// Text or bytes of a cell.
    #[inline]
    pub(crate) fn bytes(&self, start: u32, len: u32) -> &[u8] {
        &self.bytes[start as usize..start as usize + len as usize]
    }

    /// Takes rows from others until it is full, from the start on; says whether there may be more.
    ///
    /// # Errors
    /// What comes before is in it; what SQLite says of the next step.
    pub fn fill<R: Rows>(&mut self, rows: &mut R) -> Result<bool> {
        self.clear();
        while !self.is_full() {
            if !rows.step()? {
                return Ok(false);
            }
            for column in 0..self.width {
                let cell = match rows.class(column) {
                    Class::Null => Some(Cell::Null),
                    Class::Int => Some(Cell::Int(rows.int(column))),
                    Class::Real => Some(Cell::Real(rows.real(column))),
                    Class::Text => self.add_bytes(rows.bytes(column)).map(|(start, len)| Cell::Text { start, len }),
                    Class::Blob => self.add_bytes(rows.bytes(column)).map(|(start, len)| Cell::Blob { start, len }),
                };
                self.cells.push(cell.ok_or_else(too_big)?);
            }
        }
        Ok(true)
    }
}

/// The error for a row that is larger than SQLite has rows.
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
        let more = self.at < self.rows();
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
