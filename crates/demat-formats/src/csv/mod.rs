//! CSV (RFC 4180): reads a table as a list of records, and writes one from a list of records.
//!
//! | is | type |
//! |---|---|
//! | how a table is written | [`Dialect`] |
//! | the format: makes sources over a place, whole or through a window | [`Csv`] |
//! | its source | [`CsvSource`] |
//! | its sink | [`CsvSink`] |
//! | the layer below: rows as the bytes of their cells | [`Rows`] |
//!
//! # What is read
//!
//! * **A place is a list of rows.** A row is a record (columns map to fields by the header's names, in any order), a
//!   map (keys are the header's names, or `1`, `2` and so on), or a list of cells. Read without a shape, it is a map
//!   with a header and a list without one. Without a header, columns map to fields by position.
//! * **The field decides the type of a cell.** Nothing is guessed: without a shape, every cell is text. Blanks belong
//!   to the cell; a number may not have blanks around it.
//! * **An empty cell is null, and a quoted empty cell (`""`) is empty text.** If the field can't be null, an empty cell
//!   is empty text in a required text field; in an optional field it means that the field is missing. Where no value of
//!   the field is empty text (numbers, dates), a quoted empty cell is as an empty one: many writers quote all cells.
//! * A dialect may have another text that stands for null, such as `NA`, if it has no quotes around it
//!   ([`null`](Dialect::null)).
//! * A bool is `true`, `True`, `TRUE` or `1`, or the same of `false`. A float may also be `NaN`, `inf` or `-inf`, as
//!   the sink writes them. A number may have leading zeros.
//! * A row ends with a newline, a carriage return or both; a table may mix them. **An empty line is skipped, unless the
//!   table has one column: then it is a row whose cell is null.** Empty lines before the header, or before the first
//!   row without a header, are always skipped.
//! * Inside quotes, a doubled quote is a quote, and line breaks are text. A quote within an unquoted cell is an
//!   ordinary byte (`5" pipe`). Text after a closing quote is an error.
//! * A byte order mark is skipped. Two columns with the same name are refused, as are rows of other lengths than the
//!   header ([unless](Ragged::Pad)). A place without any row, not even a header, is an empty list.
//! * A bad row can be left out, except one with an unclosed quote: the start of the next row is unknown then. A missing
//!   or forbidden column is an error at the header; leaving out rows does not help.
//! * All text must be UTF-8, also in columns that the reader skips.
//! * A header must match the requested record, even if no rows follow.
//!
//! # What is written
//! The same format, so that the output reads back unchanged. A cell is quoted only if it holds a delimiter, a quote or
//! a line break, begins with a byte order mark, or is empty text. In a dialect without quotes such cells are refused,
//! except empty text in a record's column that can't be null. For rows of maps, the first row's keys are the columns.
//! See [`CsvSink`].

mod careful;
mod cell;
mod codec;
mod columns;
mod dialect;
mod fault;
mod format;
mod header;
mod identity;
mod index;
mod rewrite;
mod row;
mod rows;
mod sink;
mod source;
#[cfg(test)]
mod tests;
mod write;
mod written_columns;

pub use codec::{CSV, CsvCodec, TSV, TsvCodec};
pub use dialect::{Dialect, LineEnding, NullText, Ragged};
pub use format::Csv;
pub use rewrite::rewrite;
pub use rows::{Row, Rows};
pub use sink::CsvSink;
pub use source::CsvSource;

use crate::stream::{MARK, Part};
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// Returns the start of the text: after the byte order mark, if there is one.
fn start_of_text(bytes: &[u8]) -> usize {
    if bytes.starts_with(MARK) { MARK.len() } else { 0 }
}

/// Decodes the rows of a whole table with a header, usually to a `Vec`.
///
/// # Errors
/// If the text is no valid CSV, or its columns or cells do not fit the rows' type.
///
/// ```
/// use std::collections::BTreeMap;
/// let rows: Vec<BTreeMap<String, &str>> = demat_formats::csv::decode(b"id,title\n1,\"one, two\"\n")?;
/// assert_eq!(rows[0]["title"], "one, two");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(text: &'a [u8]) -> Result<T> {
    let mut csv = Csv::default();
    let mut source = csv.over(Part::whole(text));
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a list of records as a table with a header, or a list of lists as a table without one.
///
/// # Errors
/// If a cell would have to hold a list or a record.
///
/// ```
/// assert_eq!(demat_formats::csv::encode(&vec![(1, "a,b"), (2, "c")])?, b"1,\"a,b\"\n2,c\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = CsvSink::new(Dialect::default(), Output::new(Vec::new(), Keep))?;
    sink.begin(T::SHAPE)?;
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
