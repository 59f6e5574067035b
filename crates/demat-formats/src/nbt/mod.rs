//! NBT, Minecraft's Named Binary Tag.
//!
//! [`Nbt`] reads through a window, and [`NbtSource`] a byte slice. [`NbtSink`] writes. [`decode`] and [`encode`] do
//! it for a value in one call.
//!
//! | | |
//! |---|---|
//! | ints | the tag that the shape's width says: `int8` is a byte, `uint8` a short; without a width int, or long if it does not fit; larger ones are refused; read from any |
//! | bools | byte 0 or 1 |
//! | floats | double, and float for a `float32`; ints are read as floats, but floats are no ints |
//! | text | string, in modified UTF-8 (Java) or UTF-8; surrogates without their other half are refused |
//! | bytes | byte array |
//! | lists | list; of `int8`, `int32` and `int64` the array; both are read as either; a tuple is a list |
//! | UUIDs | text; an int array of four on request; read from both |
//! | dates, times, durations, decimals | text, as in JSON; whole decimals are also read from ints |
//! | records, maps | compound; keys that are no text are written as text |
//! | null | a field that is null is left out, and read as null where it is missing; refused anywhere else |
//! | lists of several tags | refused; ints without a width count as one tag, the smallest that holds all |
//! | empty lists | the tag of the items is what the shape says, else end |
//! | repeated names | the last one wins; refused on request |
//! | depth | 512 unless told otherwise, as in Minecraft |
//!
//! # Tags that a shape does not have
//!
//! A copy without a shape keeps all tags: the source [states](demat_core::Source::stated) them as shapes, and the
//! sink follows. Between an array and a list of the same ints, such a shape tells like this: a list of *optional*
//! ints is a list, since an array has no null. A field's note for the place `nbt` overrides its shape: `byte`,
//! `short`, `int`, `long`, `float`, `double` for the numbers in it, or `byte_array`, `int_array`, `long_array` for
//! its lists.
//!
//! # Roots
//!
//! The outermost value has a name, which mostly is empty and is passed over. [`Root::Entry`] keeps it. A document may
//! also be several compounds one behind the other; [`sequence`](WriteOptions::sequence) writes so. A reader that asks
//! for a list gets them as one if a compound stands there.

pub(crate) mod codec;
mod detect;
mod format;
mod modified_utf8;
mod options;
mod packing;
pub(crate) mod places;
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

use crate::stream::{Part, Windowed};
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// The format of which spans are.
const SPAN: &str = "nbt";

/// Decodes a value from a whole document of the Java variant, which is not packed.
///
/// # Errors
/// If the bytes are no NBT, no such value, or go on after it.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::nbt::decode(b"\x0b\0\0\0\0\0\x02\0\0\0\x07\xff\xff\xff\xff")?;
/// assert_eq!(numbers, [7, -1]);
/// let error = demat_formats::nbt::decode::<Vec<bool>>(b"\x09\0\0\x01\0\0\0\x01\x02").unwrap_err();
/// assert_eq!(error.to_string(), "expected `bool` as byte 0 or 1, found `2` at `$[0]` (byte 8)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = NbtSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Decodes a value that borrows nothing from a whole document, packed or not, whose variant is found out.
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

/// Encodes a value as a document of the Java variant, which is not packed and has an empty name.
///
/// # Errors
/// If NBT has no form for it: an int beyond 64 bits, a null in a list, a list of several tags.
///
/// ```
/// assert_eq!(demat_formats::nbt::encode(&vec![1i16, -1])?, b"\x09\0\0\x02\0\0\0\x02\0\x01\xff\xff");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = NbtSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    sink.begin(T::SHAPE)?;
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
