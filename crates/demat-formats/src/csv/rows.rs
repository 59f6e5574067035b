use super::cell;
use super::index::Index;
use super::row::{Row as Place, Rules};
use super::{Dialect, fault, start_of_text};
use crate::stream::Base;
use demat_core::Result;
use std::borrow::Cow;

/// Iterates over the rows of a whole table, each with the bytes of its cells. This is the layer below
/// [`CsvSource`](super::CsvSource), for uses that need the splitting only.
///
/// The header is an ordinary row, rows may differ in length, empty lines are skipped, and UTF-8 is not checked. Only
/// cells with doubled quotes are copied.
///
/// ```
/// use demat_formats::csv::{Dialect, Rows};
/// let mut rows = Rows::new(b"id,title\n1,\"a \"\"b\"\" c\"\n", Dialect::default())?;
/// let mut cells = 0;
/// while let Some(row) = rows.next_row()? {
///     cells += row.len();
/// }
/// assert_eq!(cells, 4);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Rows<'a> {
    bytes: &'a [u8],
    rules: Rules,
    index: Index,
}

/// One row of [`Rows`].
#[derive(Debug, Clone, Copy)]
pub struct Row<'a, 'r> {
    bytes: &'a [u8],
    rules: Rules,
    index: &'r Index,
    place: Place,
}

impl<'a> Rows<'a> {
    /// Returns the rows of `bytes`, after the byte order mark if there is one.
    ///
    /// # Errors
    /// If the [dialect](Dialect::check) is invalid.
    pub fn new(bytes: &'a [u8], dialect: Dialect) -> Result<Self> {
        dialect.check()?;
        let mut index = Index::default();
        index.begin(start_of_text(bytes));
        Ok(Self { bytes, rules: Rules::of(dialect, true), index })
    }

    /// Returns the next row, if there is one.
    ///
    /// # Errors
    /// If a quote is not closed, or text follows a closing quote.
    #[inline]
    pub fn next_row(&mut self) -> Result<Option<Row<'a, '_>>> {
        match self.index.row(self.bytes, self.rules) {
            Ok(Some(Place { fault: Some(at), .. })) => {
                Err(fault::after_quote().at(Base::default().position(self.bytes, at)))
            }
            Ok(Some(place)) => Ok(Some(Row { bytes: self.bytes, rules: self.rules, index: &self.index, place })),
            Ok(None) => Ok(None),
            Err(stop) => Err(stop.error(&Base::default(), self.bytes)),
        }
    }
}

impl<'a> Row<'a, '_> {
    /// The number of cells in the row, at least one.
    #[inline]
    pub fn len(&self) -> usize {
        self.place.cells
    }

    /// Always false: an empty line is no row.
    pub fn is_empty(&self) -> bool {
        self.place.cells == 0
    }

    /// The raw bytes of the row, without its line ending.
    pub fn bytes(&self) -> &'a [u8] {
        &self.bytes[self.place.start..self.place.end]
    }

    /// The raw bytes of a cell, quotes included.
    #[inline]
    pub fn raw(&self, column: usize) -> Option<&'a [u8]> {
        if column >= self.place.cells {
            return None;
        }
        let (start, end) = self.index.cell(&self.place, column);
        self.bytes.get(start..end)
    }

    /// The unquoted content of a cell.
    #[inline]
    pub fn get(&self, column: usize) -> Option<Cow<'a, [u8]>> {
        let raw = self.raw(column)?;
        let Some(content) = cell::quoted(raw, self.rules) else { return Some(Cow::Borrowed(raw)) };
        Some(cell::unescaped(content, self.rules.quote))
    }

    /// The unquoted contents of all cells.
    pub fn cells(&self) -> impl Iterator<Item = Cow<'a, [u8]>> {
        (0..self.len()).filter_map(|column| self.get(column))
    }
}
