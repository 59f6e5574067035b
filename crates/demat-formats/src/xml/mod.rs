//! XML 1.0 (fifth edition) with namespaces.
//!
//! [`XmlSource`] reads from a byte slice: all of a document, or a window over a longer one. [`XmlSink`] writes.
//! [`decode`] and [`encode`] read and write one value in one call. `quick-xml` finds the ends of markup; this module
//! checks everything that makes a document well-formed.
//!
//! | | |
//! |---|---|
//! | document | the value of its root element, without its name; UTF-8, or UTF-16 with a byte order mark |
//! | document type | refused by default; skipped, or read for its entities, as [`Doctype`] says |
//! | entities | the five of XML, and characters; declared ones with [`Doctype::Expand`]; never external ones |
//! | records | attributes, child elements in any order, text: by [notes](FieldNote) for `xml`, or by the key |
//! | keys | `@id` is an attribute, `#text` the text; else an element; `_x0020_` encodes a character |
//! | lists | child elements of one name, in any place; at the root and in lists, the children of an element |
//! | maps | as records with any keys |
//! | null | `xsi:nil="true"`; a field that may be null is left out |
//! | scalars | text; the shape determines the type, and parsing ignores white space around numbers, dates and bools |
//! | white space in text | kept; text beside elements is trimmed, and ignored if nothing is left |
//! | depth | 256 by default |
//!
//! # Without a shape
//!
//! An element with attributes or child elements is a map. Several elements of one name are a list. Any other element
//! is text. So a list of one item is that item, and a number is text.
//!
//! # Streams
//!
//! A list at the root is read child by child. The source indexes each child before it reads it, so the window holds the
//! whole child. The index has the offsets of all parts and no values.
//!
//! # Positions
//!
//! Offsets count bytes of the input, also in UTF-16. Columns count characters. An error in the text of an entity has
//! the position of the reference.

pub(crate) mod codec;
mod format;
mod layout;
mod name;
mod notes;
mod options;
mod rewrite;
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
pub use notes::{FieldNote, Role};
pub use options::{Doctype, ReadOptions, WriteOptions};
pub use rewrite::rewrite;
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

/// Whether a text is the name of an element, with or without a prefix.
fn is_name(text: &str) -> bool {
    !text.contains("_x") && *name::encode(text, |_| true) == *text
}

/// The error for a call that the contract of sinks does not allow in this state.
#[cold]
fn out_of_place() -> Error {
    Error::new(ErrorKind::Internal, "something was written that does not fit there")
}
