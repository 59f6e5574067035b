//! CBOR, RFC 8949.
//!
//! [`CborSource`] reads from a byte slice: all of a document, or a window over a longer one. [`CborSink`] writes.
//! [`decode`] and [`encode`] do it for a value in one call.
//!
//! | | |
//! |---|---|
//! | ints | of any size up to 4,096 bytes: beyond 64 bits as tags 2 and 3 |
//! | floats | 64 bits, and 32 bits for a `float32`; read in 16 bits, too. Ints are read as floats, but floats are no ints |
//! | text, bytes | with checked UTF-8; neither is read as the other; read in pieces, too |
//! | instants | tag 0: text with the offset; tag 1, seconds since 1970, is read as UTC |
//! | dates | tag 1004: text; tag 100, days since 1970, is read, too |
//! | decimals | tag 4; tag 5, whose exponent is one of 2, ints and text are read, too |
//! | UUIDs | tag 37; bare bytes and text are read, too |
//! | datetimes, times, durations | text, as in JSON |
//! | undefined | read as null |
//! | keys | any scalar; the keys of records are text |
//! | repeated keys | the last one wins; refused on request |
//! | tag 55799 | passed over |
//! | tags 25 and 29 | refused: they refer to other values |
//! | other tags | their content is read as if they were not there; refused [on request](UnknownTags) |
//! | other simple values | refused; [`skip`](demat_core::Source::skip) passes over them |
//! | depth | 1,024 unless told otherwise |
//!
//! # Lengths
//!
//! All lengths and counts are read in any form. They are written in the shortest one. A list or map of unknown length
//! goes on to a break if a [commit](demat_core::Sink::commit) comes before its end; otherwise its count stands in
//! front. So memory is bounded by the longest record.
//!
//! # One array or a sequence
//!
//! A document is one value, and a list of records is one array of maps. A *sequence* (RFC 8742) is values one behind
//! the other. Without options a reader that asks for a list also takes maps one behind the other, and without a shape a
//! map is a sequence if another map follows it. [`ReadOptions::sequence`] reads any values so.
//! [`WriteOptions::sequence`] writes the items of a list so.
//!
//! # One encoding of each value
//!
//! [`WriteOptions::deterministic`] writes what RFC 8949 calls core deterministic encoding (section 4.2.1): for
//! signatures and comparisons of bytes. Numbers are in the shortest form that has their value, but ints, floats and
//! decimals stay what they are: 1 and 1.0 have different bytes.

mod bignum;
pub(crate) mod codec;
mod decimal;
mod epoch;
mod format;
mod half;
mod head;
mod options;
mod sink;
mod source;
mod tag;
#[cfg(test)]
mod tests;

pub use crate::json::RepeatedKeys;
pub use codec::{ABOUT, CborCodec};
pub use format::Cbor;
pub use options::{ReadOptions, UnknownTags, WriteOptions};
pub use sink::CborSink;
pub use source::CborSource;

use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// Decodes a value from a whole document.
///
/// # Errors
/// If the bytes are no CBOR, no such value, or go on after it.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::cbor::decode(b"\x9f\x01\x02\x19\x01\x00\xff")?;
/// assert_eq!(numbers, [1, 2, 256]);
/// let error = demat_formats::cbor::decode::<Vec<i64>>(b"\x82\x01\xf5").unwrap_err();
/// assert_eq!(error.to_string(), "expected `int`, found `bool` at `$[1]` (byte 2)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = CborSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as a document.
///
/// # Errors
/// If CBOR has no form for it: an int of more than 4,096 bytes, a list as a key.
///
/// ```
/// assert_eq!(demat_formats::cbor::encode(&vec![Some("a"), None])?, b"\x82\x61a\xf6");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = CborSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
