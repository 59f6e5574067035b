//! CSV, RFC 4180: a table as text, read as a list of records and written from one.
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
//! * **A place is a list of rows.** A row is a record (columns are fields by the header's names, in any order), a map
//!   (of the header's names, or `1`, `2` and on), or a list of cells. Untyped, it is a map with a header and a list
//!   without one. Without a header columns are fields by position.
//! * **A cell is what its field says.** Nothing guesses: to an untyped reader every cell is text. Blanks belong to the
//!   cell; a number has none around it.
//! * **An empty cell is null, and a quoted empty cell (`""`) is empty text.** Where no null can be, an empty cell is
//!   empty text to a text field that must be there, and to another field that need not be there, nothing: the field is
//!   missing.
//! * A bool is `true`, `True`, `TRUE` or `1`, or `false` and so on. A float is also `NaN`, `inf` and `-inf`, as the sink
//!   writes them. A number may have leading zeros.
//! * Rows end with a newline, a return or both, mixed as they come. **An empty line is skipped, unless the table has one
//!   column: then it is a row whose cell is null.** Before the header, and before the first row where there is no
//!   header, empty lines are skipped always.
//! * Inside quotes, a doubled quote is a quote, and line breaks are text. A quote inside a cell that does not begin with
//!   one is a byte like others (`5" pipe`). Text after a closing quote is refused.
//! * A byte order mark is skipped. Two columns of one name are refused, as are rows of odd lengths
//!   ([unless](Ragged::Pad)). A place without a single row, not even a header, is an empty list.
//! * A bad row can be passed over, except where a quote is never closed: nobody can know where the next row would begin.
//!   A column that is missing, or forbidden, is one error at the header that no row can be passed over for.
//! * All text must be UTF-8, also in columns that the reader skips.
//! * A header must match the requested records, also if no rows follow.
//!
//! # What is written
//! The same, so that it reads back as it was. Cells are quoted only where they hold a delimiter, a quote or a line
//! break, begin with a byte order mark, or are empty text. In a dialect without quotes such cells are refused; only
//! empty text is allowed, in a record's column without nulls. The first row's keys are the columns for rows of maps.
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
mod row;
mod rows;
mod sink;
mod source;
#[cfg(test)]
mod tests;
mod write;
mod written_columns;

pub use codec::{CSV, CsvCodec, TSV, TsvCodec};
pub use dialect::{Dialect, LineEnding, Ragged};
pub use format::Csv;
pub use rows::{Row, Rows};
pub use sink::CsvSink;
pub use source::CsvSource;

use crate::stream::{MARK, Part};
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// Where the text of a place begins: after the byte order mark.
fn start_of_text(bytes: &[u8]) -> usize {
    if bytes.starts_with(MARK) { MARK.len() } else { 0 }
}

/// Decodes the rows of a whole table with a header, mostly as a `Vec`.
///
/// # Errors
/// Where the text is no CSV, or its columns or cells are not those of the rows' type.
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

/// Encodes a list of records as a table with a header, or of lists as one without.
///
/// # Errors
/// Where a cell would have to hold a list or a record.
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
