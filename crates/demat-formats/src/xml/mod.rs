//! XML 1.0 (fifth edition) with namespaces.
//!
//! [`XmlSource`] reads from a byte slice: all of a document, or a window over a longer one. [`XmlSink`] writes.
//! [`decode`] and [`encode`] do it for a value in one call. `quick-xml` finds where markup ends; what is inside is
//! checked
//! here, as is all that makes a document well-formed.
//!
//! | | |
//! |---|---|
//! | document | the value of its root element, whose name is not part of it; UTF-8, with or without a byte order mark |
//! | document type | refused; on request passed over, with its syntax checked and nothing of it obeyed |
//! | entities | the five of XML, and references to characters; all others are refused |
//! | records | attributes, child elements in any order, text: as [notes](FieldNote) for `xml` say, or the key |
//! | keys | `@id` is an attribute, `#text` the text; else an element; `_x0020_` stands for what no name has |
//! | lists | a child element that repeats, wherever it stands; at the root and in lists, the children of an element |
//! | maps | as records with any keys |
//! | null | `xsi:nil="true"`; a field that may be null is left out |
//! | scalars | text; the one who asks says of what, and white space around numbers and the like is passed over |
//! | white space in text | kept; beside elements, text is trimmed, and passed over if nothing is left |
//! | depth | 256 unless told otherwise |
//!
//! # Without a shape
//!
//! An element with attributes or elements is a map. One that repeats beside others of its name is a list. Any other is
//! text.
//! So a list of one item is that item, and a number is text.
//!
//! # Streams
//!
//! The children of the root are read one by one, if a list is asked for. Each is indexed before it is read, so the
//! window
//! holds all of it. The index has the offsets of all parts and no values.

pub(crate) mod codec;
mod format;
mod layout;
mod name;
mod options;
mod scan;
mod scope;
mod sink;
mod source;
mod tape;
#[cfg(test)]
mod tests;
mod view;

pub use codec::{ABOUT, XmlCodec};
pub use format::Xml;
pub use layout::{FieldNote, Role};
pub use options::{Doctype, ReadOptions, WriteOptions};
pub use sink::XmlSink;
pub use source::XmlSource;

use crate::{Keep, Output};
use demat_core::{Decode, Encode, Error, ErrorKind, Result, Sink, Source};

/// Decodes a value from a whole document.
///
/// # Errors
/// If the bytes are no well-formed document, or no such value.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::xml::decode(b"<a><n>1</n><n> 2 </n></a>")?;
/// assert_eq!(numbers, [1, 2]);
/// let error = demat_formats::xml::decode::<Vec<i64>>(b"<a><n>1</n><n>x</n></a>").unwrap_err();
/// assert_eq!(error.to_string(), "expected `int`, found `x` at `$[1]` (line 1, column 12)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = XmlSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as a document.
///
/// # Errors
/// If XML has no form for it: a character such as U+0000, a list as a key.
///
/// ```
/// let text = demat_formats::xml::encode(&vec!["a", "<"])?;
/// assert_eq!(text, b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root><item>a</item><item>&lt;</item></root>");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = XmlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}

/// Whether a text is the name of an element, which may have a prefix.
fn is_name(text: &str) -> bool {
    !text.contains("_x") && *name::encode(text, |_| true) == *text
}

/// Something was said to a sink that the contract does not allow there.
#[cold]
fn out_of_place() -> Error {
    Error::new(ErrorKind::Internal, "something was written that does not fit there")
}
