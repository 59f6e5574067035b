//! Property lists of Apple: XML, binary (`bplist00`), and the old text form of `OpenStep`, which is only read.
//!
//! [`PlistSource`] reads a whole document; which form it is of it finds out by itself. [`PlistSink`] writes XML or binary.
//! [`decode`] and [`encode`] do it for a value in one call.
//!
//! | | |
//! |---|---|
//! | ints | `integer`: −2⁶³ to 2⁶⁴ − 1; binary ints of 128 bits are read, too |
//! | floats | `real`; ints are read as floats, but floats are no ints |
//! | text, bytes | `string`, `data`; neither is read as the other |
//! | instants | `date`, in UTC: the offset is lost. XML has whole seconds, and binary has microseconds; finer ones are refused |
//! | UIDs | a map with the one key `CF$UID`, as in XML; also read as an int. Binary has UIDs where [that is asked](WriteOptions::uids) |
//! | dates, datetimes, times, durations, decimals, UUIDs | text, as in JSON |
//! | null | there is none: a field that is null is left out, and a field that lacks is null; in lists and maps it is refused |
//! | keys | text |
//! | repeated keys | the last one wins; refused on request |
//! | depth | 512 unless told otherwise |
//!
//! # Memory
//!
//! A document is held whole: the binary form ends with the table that says where everything is. What is read of it is a table
//! of its objects.
//!
//! # Sharing
//!
//! A binary document may refer to an object from several places. It is then read as often as it is referred to. Cycles are
//! refused, and so is a document that would be far larger without sharing. Scalars that are equal are written once.

mod codec;
mod date;
mod document;
mod format;
mod options;
mod read;
mod sink;
mod source;
#[cfg(test)]
mod tests;

pub use codec::{ABOUT, PlistCodec};
pub use format::Plist;
pub use options::{ReadOptions, Variant, WriteOptions};
pub use sink::PlistSink;
pub use source::PlistSource;

use crate::stream::Part;
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// The only key of a map that stands for a UID.
const UID: &str = "CF$UID";

/// Decodes a value from a whole document.
///
/// # Errors
/// If the bytes are no property list, or no such value.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::plist::decode(b"(1, 2, \"3\")")?;
/// assert_eq!(numbers, [1, 2, 3]);
/// let error = demat_formats::plist::decode::<Vec<i64>>(b"<plist>\n<array><true/></array></plist>").unwrap_err();
/// assert_eq!(error.to_string(), "expected `int`, found `bool` at `$[0]` (line 2, column 8)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<T: for<'a> Decode<'a>>(bytes: &[u8]) -> Result<T> {
    let mut format = Plist::new(ReadOptions::default());
    let mut source = format.whole(Part::whole(bytes));
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as an XML document.
///
/// # Errors
/// If property lists have no form for it: a null in a list, an int beyond 64 bits.
///
/// ```
/// let bytes = demat_formats::plist::encode(&vec![1, 2])?;
/// assert!(bytes.ends_with(b"<array>\n\t<integer>1</integer>\n\t<integer>2</integer>\n</array>\n</plist>\n"));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = PlistSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
