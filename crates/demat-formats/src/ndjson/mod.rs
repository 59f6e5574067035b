//! NDJSON, also called JSON Lines: a JSON value on each line.
//!
//! The input is one list, with one item per line. Lines end with `\n` or `\r\n`; blank lines are skipped. A bad line
//! does not affect the others: its error has the record number, and the next line can be read.

mod codec;
mod format;
mod sink;
mod source;
#[cfg(test)]
mod tests;

pub use codec::{ABOUT, NdjsonCodec};
pub use format::Ndjson;
pub use sink::NdjsonSink;
pub use source::NdjsonSource;

use crate::json::WriteOptions;
use crate::stream::Part;
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// Decodes the lines of a whole NDJSON text, usually to a `Vec`.
///
/// # Errors
/// If a line is not valid JSON or does not fit the type.
///
/// ```
/// let lists: Vec<Vec<i64>> = demat_formats::ndjson::decode(b"[1]\n[2, 3]\n")?;
/// assert_eq!(lists, [vec![1], vec![2, 3]]);
/// let error = demat_formats::ndjson::decode::<Vec<i64>>(b"1\n\n2x\n").unwrap_err();
/// assert_eq!(error.to_string(), "expected end of line, found `x` at `$[1]` (record 2, line 3, column 2)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(text: &'a [u8]) -> Result<T> {
    let mut source = NdjsonSource::over(Part::whole(text), crate::json::ReadOptions::default());
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes each item of a list as a line; any other value as one line.
///
/// # Errors
/// If JSON can't represent the value.
///
/// ```
/// assert_eq!(demat_formats::ndjson::encode(&vec!["a", "b"])?, b"\"a\"\n\"b\"\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = NdjsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
