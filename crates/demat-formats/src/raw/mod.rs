//! Raw: the values of a known shape and nothing else.
//!
//! No names and no field numbers are written, so both sides must know the shape. The first eight bytes are its
//! [`fingerprint`]. `docs/raw.md` describes every byte.
//!
//! [`RawSource`] reads from a byte slice: all of a document, or a window over a longer one. [`RawSink`] writes.
//! [`decode`] and [`encode`] do it for a value in one call.
//!
//! | | |
//! |---|---|
//! | ints | LEB128 of the shortest form, zigzag if signed; one byte where the shape has at most 8 bits; of any size |
//! | floats | 4 or 8 bytes, little-endian |
//! | text, bytes, decimals | length and content |
//! | dates, times, datetimes, instants, durations | days, seconds and nanoseconds; the offset stays |
//! | records | a bit for each field that may be missing, and one for each that may be null; then the values |
//! | enums, unions | the position of the name or variant |
//! | lists, maps | blocks: a count, and the items |
//! | `any` | a byte for the kind, and the value |
//! | depth | 1,024 by default |
//!
//! # Shapes that change
//!
//! Data of another fingerprint is refused, unless [`ReadOptions::writer`] is the shape that it was written with. Then
//! fields, variants and enum names go by name: fields may be added with a default, removed, moved, renamed by an alias;
//! ints and floats may get wider, a value may become optional or a list of such values.

mod canonical;
pub(crate) mod codec;
mod direct;
mod format;
mod options;
mod schema;
mod sink;
mod source;
#[cfg(test)]
mod tests;
mod varint;
mod wire;

pub use codec::{ABOUT, RawCodec};
pub use format::Raw;
pub use options::{ReadOptions, WriteOptions};
pub use sink::RawSink;
pub use source::RawSource;

use crate::direct::GivenUp;
use crate::small_stack::SmallStack;
use crate::stream::{Part, Windowed};
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Shape, Sink, Source};
use direct::{DirectSink, DirectSource, fingerprint_of_usual};
use schema::Schema;

/// The bytes of a fingerprint.
const FINGERPRINT: usize = 8;

/// Decodes a value from a whole document that was written with the same shape.
///
/// # Errors
/// If the data was written with another shape, is malformed, or continues after the value.
///
/// ```
/// use demat_formats::raw;
/// let bytes = raw::encode(&vec![(1_i64, "one"), (-2, "two")])?;
/// assert_eq!(&bytes[8..], b"\x02\x02\x03one\x03\x03two");
/// assert_eq!(raw::decode::<Vec<(i64, String)>>(&bytes)?[1].1, "two");
/// assert!(raw::decode::<Vec<(i64, bool)>>(&bytes).is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    static GIVEN_UP: GivenUp = GivenUp::new();
    let mut outer = SmallStack::new();
    let own = fingerprint_of_usual(T::SHAPE);
    let source = own.and_then(|own| DirectSource::new(bytes, &mut outer, T::SHAPE, own));
    match source.and_then(|source| crate::direct::decode(source, &GIVEN_UP)) {
        Some(value) => Ok(value),
        None => decode_with(bytes, &ReadOptions::default()),
    }
}

/// Decodes a value with options, such as the shape that the data was written with.
///
/// # Errors
/// As [`decode`].
///
/// ```
/// use demat_formats::raw::{self, ReadOptions};
/// let old = raw::encode(&7_u8)?;
/// let options = ReadOptions { writer: Some("uint8".parse()?), ..ReadOptions::default() };
/// assert_eq!(raw::decode_with::<Vec<i64>>(&old, &options)?, [7]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[inline(never)]
pub fn decode_with<'a, T: Decode<'a>>(bytes: &'a [u8], options: &ReadOptions) -> Result<T> {
    let mut format = Raw::new(options)?;
    format.begin(T::SHAPE)?;
    let mut source = format.whole(Part::whole(bytes));
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as a document.
///
/// # Errors
/// If a value does not fit its shape, such as an int out of range.
///
/// ```
/// assert_eq!(demat_formats::raw::encode("hi")?, b"\xc9\x6f\x84\x91\x11\xa3\x56\x17\x02hi");
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
    if let Some(own) = fingerprint_of_usual(T::SHAPE)
        && crate::direct::encode(value, DirectSink::new(buffer, &mut SmallStack::new(), T::SHAPE, own), &GIVEN_UP)
    {
        return Ok(());
    }
    encode_carefully(value, buffer)
}

#[inline(never)]
fn encode_carefully<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    let mut sink = RawSink::new(Output::new(core::mem::take(buffer), Keep), WriteOptions::default());
    let told = sink.begin(T::SHAPE).and_then(|()| value.encode(&mut sink)).and_then(|()| sink.finish());
    *buffer = sink.into_output().into_parts().0;
    told
}

/// Returns the fingerprint of a shape: FNV-1a (64 bits, little-endian) of its [`description`].
///
/// # Errors
/// As [`description`].
///
/// ```
/// let shape = "id: int, title: text".parse()?;
/// assert_eq!(demat_formats::raw::fingerprint(&shape)?, demat_formats::raw::fingerprint(&shape)?);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn fingerprint(shape: &Shape) -> Result<[u8; FINGERPRINT]> {
    Ok(Schema::of(shape)?.fingerprint)
}

/// Returns the canonical description of a shape, of which the fingerprint is the hash: names, numbers, kinds and order,
/// without the names of records, enums and unions, without aliases, defaults and notes.
///
/// # Errors
/// If a part contains itself directly, such as an option of itself.
///
/// ```
/// let shape = "id: int, tags: [text]?".parse()?;
/// assert_eq!(demat_formats::raw::description(&shape)?, "raw1{2:id=1!i;4:tags=2~ls}");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn description(shape: &Shape) -> Result<String> {
    Ok(canonical::described(&Schema::compile(shape)?))
}
