//! NBT, Minecraft's Named Binary Tag.
//!
//! [`Nbt`] reads through a window, and [`NbtSource`] reads a byte slice. [`NbtSink`] writes. [`decode`] and [`encode`]
//! convert a value in one call.
//!
//! | | |
//! |---|---|
//! | ints | the tag for the shape's width: `int8` is a byte, `uint8` a short; without a width int, or long if it does not fit; larger ones are refused; read from any |
//! | bools | byte 0 or 1 |
//! | floats | double, and float for a `float32`; a float is also read from an int, but an int is not read from a float |
//! | text | string, in modified UTF-8 (Java) or UTF-8; lone surrogates are refused |
//! | bytes | byte array |
//! | lists | list; of `int8`, `int32` and `int64` the array; both are read as either; a tuple is a list |
//! | UUIDs | text; an int array of four on request; read from both |
//! | dates, times, durations, decimals | text, as in JSON; whole decimals are also read from ints |
//! | records, maps | compound; other keys are written as text |
//! | null | a field that is null is omitted, and a missing field is null; refused anywhere else |
//! | lists of several tags | refused; ints without a width all have the smallest tag that holds them |
//! | empty lists | the item tag follows from the shape; otherwise it is end |
//! | repeated names | the last one wins; refused on request |
//! | depth | 512 by default, as in Minecraft |
//!
//! # Tags that a shape does not have
//!
//! A copy without a shape keeps all tags. The source [states](demat_core::Source::stated) each tag as a shape, and the
//! sink writes the tag of that shape. An array and a list of the same ints have different shapes: the items of the list
//! are *optional* ints, since an array can't hold null. A field's note for the place `nbt` overrides its shape: `byte`,
//! `short`, `int`, `long`, `float`, `double` for its numbers, or `byte_array`, `int_array`, `long_array` for its lists.
//!
//! # Roots
//!
//! The outermost value has a name, which is usually empty. The reader ignores it unless the option is [`Root::Entry`].
//! A document may also be a sequence: compounds without a list around them. [`sequence`](WriteOptions::sequence) writes
//! one. A reader that expects a list also accepts a sequence.

pub(crate) mod codec;
mod detect;
mod direct;
mod format;
mod modified_utf8;
pub(crate) mod notes;
mod options;
mod packing;
pub(crate) mod places;
mod shapes;
mod sink;
mod source;
mod tag;
#[cfg(test)]
mod tests;
mod variant;

pub use crate::json::RepeatedKeys;
pub use codec::{ABOUT, NbtCodec};
pub use format::Nbt;
pub(crate) use modified_utf8::write_java_text;
pub use options::{Packing, ReadOptions, Root, WriteOptions};
pub(crate) use packing::Packed;
pub use sink::NbtSink;
pub use source::NbtSource;
pub(crate) use source::{Broken, Form, Frame, Frames, Readiness};
pub use tag::Tag;
pub use variant::Variant;

use crate::direct::GivenUp;
use crate::small_stack::SmallStack;
use crate::stream::{Part, Windowed};
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};
use direct::{DirectSink, DirectSource};

/// The name of the format of spans.
const SPAN: &str = "nbt";

/// Decodes a value from a complete, unpacked document of the Java variant.
///
/// # Errors
/// If the bytes are not NBT, do not match the type, or continue after the value.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::nbt::decode(b"\x0b\0\0\0\0\0\x02\0\0\0\x07\xff\xff\xff\xff")?;
/// assert_eq!(numbers, [7, -1]);
/// let error = demat_formats::nbt::decode::<Vec<bool>>(b"\x09\0\0\x01\0\0\0\x01\x02").unwrap_err();
/// assert_eq!(error.to_string(), "expected `bool` as byte 0 or 1, found `2` at `$[0]` (byte 8)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    static GIVEN_UP: GivenUp = GivenUp::new();
    match DirectSource::new(bytes, &mut SmallStack::new()).and_then(|source| crate::direct::decode(source, &GIVEN_UP)) {
        Some(value) => Ok(value),
        None => decode_carefully(bytes),
    }
}

#[inline(never)]
fn decode_carefully<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = NbtSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Decodes an owned value from a complete document. Detects the variant and the packing.
///
/// # Errors
/// As [`decode`], and if the bytes can't be unpacked.
pub fn decode_any<T: for<'a> Decode<'a>>(bytes: &[u8]) -> Result<T> {
    let mut format = Nbt::default();
    let mut source = format.source(Part::whole(bytes));
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as an unpacked document of the Java variant with an empty name.
///
/// # Errors
/// If NBT can't express the value: an int beyond 64 bits, a null in a list, a list of several tags.
///
/// ```
/// assert_eq!(demat_formats::nbt::encode(&vec![1i16, -1])?, b"\x09\0\0\x02\0\0\0\x02\0\x01\xff\xff");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    encode_into(value, &mut out)?;
    Ok(out)
}

/// Encodes a value as [`encode`] does, into a buffer. Replaces the buffer's content and reuses its memory.
///
/// # Errors
/// As [`encode`].
///
/// ```
/// let mut buffer = Vec::new();
/// for number in [1i8, 2] {
///     demat_formats::nbt::encode_into(&number, &mut buffer)?;
///     assert_eq!(buffer, [1, 0, 0, number.cast_unsigned()]);
/// }
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode_into<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    static GIVEN_UP: GivenUp = GivenUp::new();
    buffer.clear();
    let mut outer = SmallStack::new();
    if let Some(sink) = DirectSink::new(buffer, &mut outer, T::SHAPE)
        && crate::direct::encode(value, sink, &GIVEN_UP)
    {
        return Ok(());
    }
    encode_carefully(value, buffer)
}

#[inline(never)]
fn encode_carefully<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    let mut sink = NbtSink::new(Output::new(core::mem::take(buffer), Keep), WriteOptions::default());
    let told = sink.begin(T::SHAPE).and_then(|()| value.encode(&mut sink)).and_then(|()| sink.finish());
    *buffer = sink.into_output().into_parts().0;
    told
}
