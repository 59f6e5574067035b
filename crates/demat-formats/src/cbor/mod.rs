//! CBOR, RFC 8949.
//!
//! [`CborSource`] reads from a byte slice: a whole document, or a window over a longer one. [`CborSink`] writes.
//! [`decode`] and [`encode`] read and write one value.
//!
//! | | |
//! |---|---|
//! | ints | of any size up to 4,096 bytes: beyond 64 bits as tags 2 and 3 |
//! | floats | 64 bits, 32 bits for a `float32`; also read in 16 bits. Ints are read as floats, floats not as ints |
//! | text, bytes | UTF-8 is checked; neither is read as the other; also read in chunks |
//! | instants | tag 0: text with the offset; tag 1, seconds since 1970, is read as UTC |
//! | dates | tag 1004: text; also read from tag 100, days since 1970 |
//! | decimals | tag 4; also read from tag 5 (base 2), ints and text |
//! | UUIDs | tag 37; also read from bytes and text without the tag |
//! | datetimes, times, durations | text, as in JSON |
//! | undefined | read as null |
//! | keys | any scalar; the keys of records are text |
//! | repeated keys | the last one wins; refused on request |
//! | tag 55799 | ignored |
//! | tags 25 and 29 | refused: they refer to other values |
//! | other tags | [`Tag`]: a record of `tag` and `value`, also without a type; a type of the value alone ignores them; ignored or refused [on request](UnknownTags) |
//! | other simple values | refused; [`skip`](demat_core::Source::skip) accepts them |
//! | depth | 1,024 by default |
//!
//! # Lengths
//!
//! Lengths and counts are read in any form and written in the shortest. A list or map of unknown length ends with a
//! break if a [commit](demat_core::Sink::commit) comes before its end. Otherwise its count precedes its children. So
//! the longest record bounds the memory.
//!
//! # One array or a sequence
//!
//! A document is one value, and a list of records is one array of maps. A *sequence* (RFC 8742) is values one after
//! another. By default a reader of a list also accepts maps one after another. Without a shape, a map is a sequence if
//! another map follows it. [`ReadOptions::sequence`] reads a sequence of any values. [`WriteOptions::sequence`] writes
//! the items of a list as a sequence.
//!
//! # One encoding of each value
//!
//! [`WriteOptions::deterministic`] writes the core deterministic encoding of RFC 8949 (section 4.2.1), for signatures
//! and comparisons of bytes. Numbers are in the shortest form with their value. Ints, floats and decimals keep their
//! kind: 1 and 1.0 have different bytes.

pub(crate) mod bignum;
pub(crate) mod codec;
mod decimal;
mod direct;
mod epoch;
mod format;
mod half;
mod head;
mod options;
mod record;
mod sink;
mod source;
mod tag;
#[cfg(test)]
mod tests;

pub use crate::json::RepeatedKeys;
pub use codec::{ABOUT, CborCodec};
pub use format::Cbor;
pub use options::{ReadOptions, UnknownTags, WriteOptions};
pub use record::Tag;
pub use sink::CborSink;
pub use source::CborSource;

use crate::binary::{DirectSink, DirectSource};
use crate::direct::GivenUp;
use crate::small_stack::SmallStack;
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};
use direct::CborHeads;

/// Decodes a value from a whole document.
///
/// # Errors
/// If the bytes are not CBOR, are another value, or continue after it.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::cbor::decode(b"\x9f\x01\x02\x19\x01\x00\xff")?;
/// assert_eq!(numbers, [1, 2, 256]);
/// let error = demat_formats::cbor::decode::<Vec<i64>>(b"\x82\x01\xf5").unwrap_err();
/// assert_eq!(error.to_string(), "expected `int`, found `bool` true at `$[1]` (byte 2)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    static GIVEN_UP: GivenUp = GivenUp::new();
    match crate::direct::decode(DirectSource::<CborHeads>::new(bytes, &mut SmallStack::new()), &GIVEN_UP) {
        Some(value) => Ok(value),
        None => decode_carefully(bytes),
    }
}

#[inline(never)]
fn decode_carefully<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = CborSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as a document.
///
/// # Errors
/// If CBOR can't represent it: an int of more than 4,096 bytes, a list as a key.
///
/// ```
/// assert_eq!(demat_formats::cbor::encode(&vec![Some("a"), None])?, b"\x82\x61a\xf6");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    encode_into(value, &mut out)?;
    Ok(out)
}

/// Encodes a value as a document into a buffer. Replaces the buffer's content and reuses its memory.
///
/// # Errors
/// As [`encode`].
pub fn encode_into<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    static GIVEN_UP: GivenUp = GivenUp::new();
    buffer.clear();
    if crate::direct::encode(value, DirectSink::<CborHeads>::new(buffer, &mut SmallStack::new()), &GIVEN_UP) {
        return Ok(());
    }
    encode_carefully(value, buffer)
}

#[inline(never)]
fn encode_carefully<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    let mut sink = CborSink::new(Output::new(core::mem::take(buffer), Keep), WriteOptions::default());
    let told = value.encode(&mut sink).and_then(|()| sink.finish());
    *buffer = sink.into_output().into_parts().0;
    told
}
