use super::columns::Columns;
use super::index::Index;
use super::{CsvSource, Dialect};
use crate::stream::{End, Part, Windowed};
use demat_core::{Field, Record, Result, Shape, Unknown};

/// CSV in one dialect: makes [sources](CsvSource), and keeps the header and the buffers from one window to the next and
/// from one table to the next.
///
/// ```
/// use demat_core::{Decode, Source};
/// use demat_formats::csv::{Csv, Dialect};
/// use demat_formats::stream::{Part, Windowed};
///
/// let mut csv = Csv::new(Dialect::default().without_header())?;
/// let mut source = csv.source(Part::whole(b"1,one\n2,two\n"));
/// let rows: Vec<Vec<String>> = Decode::decode(&mut source)?;
/// assert_eq!(rows, [["1", "one"], ["2", "two"]]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Csv {
    pub(super) dialect: Dialect,
    pub(super) columns: Columns,
    pub(super) index: Index,
    /// The last text with doubled quotes, unescaped.
    pub(super) unescaped: String,
}

impl Csv {
    /// Returns the format in this dialect.
    ///
    /// # Errors
    /// If the [dialect](Dialect::check) is invalid.
    pub fn new(dialect: Dialect) -> Result<Self> {
        dialect.check()?;
        Ok(Self { dialect, ..Self::default() })
    }

    /// Returns a source over a part of a table. Text that it borrows from the input lives as long as the part, not only
    /// as long as this borrow of the format.
    pub fn over<'c, 'w>(&'c mut self, part: Part<'w>) -> CsvSource<'c, 'w> {
        CsvSource::new(self, part)
    }

    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The names of the columns in the last header that was read; none without a header.
    ///
    /// ```
    /// use demat_core::Source;
    /// use demat_formats::csv::{Csv, Dialect};
    /// use demat_formats::stream::{Part, Windowed};
    /// let mut csv = Csv::new(Dialect::default())?;
    /// csv.source(Part::whole(b"id,title\n")).list()?;
    /// assert_eq!(csv.header_names().collect::<Vec<_>>(), ["id", "title"]);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn header_names(&self) -> impl Iterator<Item = &str> {
        let names = if self.columns.is_named() { self.columns.count().unwrap_or(0) } else { 0 };
        (0..names).map(|column| self.columns.name(column))
    }

    /// Returns the record that the header describes: every column is optional text, and other fields are forbidden.
    /// `None` if no header was read.
    ///
    /// # Errors
    /// If the names are no valid record.
    pub fn header_record(&self) -> Result<Option<Record>> {
        let name = |(name, number): (&str, u32)| Field::new(name.to_string(), number, Shape::Text.optional());
        let fields: Vec<_> = self.header_names().zip(1..).map(name).collect();
        if fields.is_empty() {
            return Ok(None);
        }
        Ok(Some(Record::new("", fields)?.with_unknown(Unknown::Forbid)))
    }
}

impl Windowed for Csv {
    type Source<'w> = CsvSource<'w, 'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> CsvSource<'w, 'w> {
        CsvSource::new(self, part)
    }

    fn is_headed(&self) -> bool {
        self.dialect.header
    }

    fn header(&self) -> Result<Option<Record>> {
        self.header_record()
    }

    fn end(&self) -> Option<End> {
        Some(End::Row(self.dialect.quote))
    }
}
