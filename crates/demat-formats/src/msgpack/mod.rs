//! MessagePack.
//!
//! [`MsgpackSource`] reads from a byte slice: a whole document, or a window over a longer one. [`MsgpackSink`] writes.
//! [`decode`] and [`encode`] read and write one value.
//!
//! | | |
//! |---|---|
//! | ints | 64 bits, signed and unsigned; read in any width, written in the smallest; larger ones are refused |
//! | floats | `float 64`, and `float 32` for a `float32`; ints are read as floats, floats not as ints |
//! | text, bytes | `str` with checked UTF-8, `bin`; neither is read as the other |
//! | instants | the timestamp extension, as UTC: the offset is lost; written in the smallest width |
//! | UUIDs | text; also read from `bin` of 16 bytes |
//! | dates, datetimes, times, durations, decimals | text, as in JSON; whole decimals are also read from ints |
//! | keys | any scalar; the keys of records are text |
//! | repeated keys | the last one wins; refused on request |
//! | other extension types | records of `code` and `data`, see [`Ext`]; kept by a copy to MessagePack |
//! | byte `0xc1` | refused |
//! | depth | 1,024 by default |
//!
//! # One array or a sequence
//!
//! A document is one value, and a list of records is one array of maps. Many programs write a *sequence* instead: maps
//! one after another, as in NDJSON. A reader accepts both: if it reads a list and finds a map, it reads a sequence.
//! Without a shape, a map is a sequence if another map follows it. A window then grows to the first map. An empty input
//! is refused, since an empty list has one byte.
//!
//! A sink writes one array, because other programs expect one in a file. An array begins with its count. So a list of
//! unknown length stays in memory until it ends, unless the [drain can be patched](crate::Drain::can_patch), as a file
//! can. A list of known length is written as it comes. With [`sequence`](WriteOptions::sequence) the sink writes a
//! sequence, and the longest record bounds the memory. The choice never depends on the size of the output.
//!
//! # Values in pieces
//!
//! A sink copies unchanged bytes and writes new values between them ([`Splice`](crate::Splice)). A map that may get
//! more entries keeps its header until it ends. Then the sink replaces the header if the count has changed.

pub(crate) mod codec;
mod direct;
mod ext;
mod format;
mod head;
mod options;
mod sink;
mod source;
#[cfg(test)]
mod tests;
mod timestamp;

pub use crate::json::{ReadOptions, RepeatedKeys};
pub use codec::{ABOUT, MsgpackCodec};
pub use ext::{Ext, begins_ext};
pub use format::Msgpack;
pub use head::first_kind;
pub use options::WriteOptions;
pub use sink::{MsgpackScalars, MsgpackSink};
pub use source::MsgpackSource;

use crate::binary::{DirectSink, DirectSource};
use crate::direct::GivenUp;
use crate::small_stack::SmallStack;
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};
use direct::MsgpackHeads;

/// Decodes a value from a whole document.
///
/// # Errors
/// If the bytes are not MessagePack, are another value, or continue after it.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::msgpack::decode(b"\x93\x01\x02\xcd\x01\x00")?;
/// assert_eq!(numbers, [1, 2, 256]);
/// let error = demat_formats::msgpack::decode::<Vec<i64>>(b"\x92\x01\xc3").unwrap_err();
/// assert_eq!(error.to_string(), "expected `int`, found `bool` true at `$[1]` (byte 2)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    static GIVEN_UP: GivenUp = GivenUp::new();
    match crate::direct::decode(DirectSource::<MsgpackHeads>::new(bytes, &mut SmallStack::new()), &GIVEN_UP) {
        Some(value) => Ok(value),
        None => decode_carefully(bytes),
    }
}

#[inline(never)]
fn decode_carefully<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = MsgpackSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as a document.
///
/// # Errors
/// If MessagePack can't represent it: an int beyond 64 bits, a list as a key.
///
/// ```
/// assert_eq!(demat_formats::msgpack::encode(&vec![Some("a"), None])?, b"\x92\xa1a\xc0");
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
    if crate::direct::encode(value, DirectSink::<MsgpackHeads>::new(buffer, &mut SmallStack::new()), &GIVEN_UP) {
        return Ok(());
    }
    encode_carefully(value, buffer)
}

#[inline(never)]
fn encode_carefully<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    let mut sink = MsgpackSink::new(Output::new(core::mem::take(buffer), Keep), WriteOptions::default());
    let told = value.encode(&mut sink).and_then(|()| sink.finish());
    *buffer = sink.into_output().into_parts().0;
    told
}
