//! Apple's property lists: XML, binary (`bplist00`), and the old text form of `OpenStep`, which is read but not
//! written.
//!
//! [`PlistSource`] reads a complete document and detects its form. [`PlistSink`] writes XML or binary. [`decode`] and
//! [`encode`] convert a value in one call.
//!
//! | | |
//! |---|---|
//! | ints | `integer`: −2⁶³ to 2⁶⁴ − 1; binary ints of 128 bits are read, too |
//! | floats | `real`; a float is also read from an int, but an int is not read from a float |
//! | text, bytes | `string`, `data`; neither is read as the other |
//! | instants | `date`, in UTC: the offset is lost. XML has whole seconds, and binary has microseconds; finer ones are refused |
//! | UIDs | a map with the one key `CF$UID`, as in XML; also read as an int. Binary has UIDs [on request](WriteOptions::uids) |
//! | dates, datetimes, times, durations, decimals, UUIDs | text, as in JSON |
//! | null | none: a field that is null is omitted, and a missing field is null; refused in lists and maps |
//! | keys | text |
//! | repeated keys | the last one wins; refused on request |
//! | depth | 512 by default |
//!
//! # Memory
//!
//! A document is held in memory as a whole, since the binary form ends with its table of offsets. The reader parses it
//! to a table of its objects.
//!
//! # Sharing
//!
//! Several objects of a binary document may refer to the same object. The reader yields it for each reference. It
//! refuses cycles, and a document that sharing makes far larger than its bytes. The sink writes equal scalars once.

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

/// The only key of a map that represents a UID.
const UID: &str = "CF$UID";

/// Decodes a value from a complete document.
///
/// # Errors
/// If the bytes are not a property list, or do not match the type.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::plist::decode(b"(1, 2, \"3\")")?;
/// assert_eq!(numbers, [1, 2, 3]);
/// let error = demat_formats::plist::decode::<Vec<i64>>(b"<plist>\n<array><true/></array></plist>").unwrap_err();
/// assert_eq!(error.to_string(), "expected `int`, found `bool` true at `$[0]` (line 2, column 8)");
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
/// If property lists can't express the value: a null in a list, an int beyond 64 bits.
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
