//! The text format of Protocol Buffers: `.txtpb`, `.textproto`, `.pbtxt`.
//!
//! [`TxtpbSource`] reads a message that is in memory as a whole, by the names of its shape's fields. [`TxtpbSink`]
//! writes one. [`decode`] and [`encode`] do it for a value in one call. The types correspond to shapes as in the
//! [wire format](crate::proto): a shape that has one form has the other.
//!
//! | | |
//! |---|---|
//! | specification | <https://protobuf.dev/reference/protobuf/textformat-spec/>; the official conformance tests pass |
//! | the whole | one message: a record, or a union whose variants are its fields |
//! | names of fields | the record's; of a group, also that of its type; of an extension, its full name in brackets |
//! | ints | decimal, hexadecimal and octal; 64 bits |
//! | floats | decimal; one that is too large is infinite, as the specification says |
//! | text, bytes | strings in either quote; strings that stand side by side are one |
//! | enums | the name, or the number |
//! | `[T]` | the field again and again, or `[…]`, or both |
//! | `map(K, V)` | messages of `key` and `value`; the last one with a key wins |
//! | `instant`, `duration` | messages of `seconds` and `nanos` |
//! | `any` | `google.protobuf.Value` |
//! | `google.protobuf.Any` | `[url] {…}` if [`ReadOptions::messages`] has the message; its two fields otherwise |
//! | depth | 100 |
//!
//! Of a single field, a second value is an error, and so is a second member of a `oneof`. Fields that the record does
//! not have are treated as it [says](demat_core::Unknown); a record that keeps unknown fields keeps them by number, so
//! that those with a name are errors. Reserved names are skipped.

pub(crate) mod codec;
mod format;
mod layout;
mod number;
mod options;
mod read;
mod sink;
mod source;
mod tape;
#[cfg(test)]
mod tests;

pub use codec::{ABOUT, TxtpbCodec};
pub use format::Txtpb;
pub use options::{Messages, ReadOptions, WriteOptions};
pub use sink::TxtpbSink;
pub use source::TxtpbSource;

use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// Decodes a message.
///
/// # Errors
/// If the bytes are no message in the text format, or do not fit the type.
///
/// ```
/// use demat_core::{Shape, Value, copy};
/// use demat_formats::txtpb::{ReadOptions, TxtpbSink, TxtpbSource, WriteOptions};
/// use demat_formats::{Keep, Output};
/// let shape: Shape = "Server{host:text, ports:[int32]}".parse()?;
/// let mut source = TxtpbSource::new(b"host: 'local' 'host' ports: [80, 0x1bb]", ReadOptions::default());
/// let mut sink = TxtpbSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// copy(&mut source, &shape, &mut sink)?;
/// assert_eq!(sink.into_output().into_parts().0, b"host: \"localhost\"\nports: 80\nports: 443\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = TxtpbSource::new(bytes, ReadOptions::default());
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a record as a message.
///
/// # Errors
/// If the value is no record or union, or the format has no form for a part of it.
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = TxtpbSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
