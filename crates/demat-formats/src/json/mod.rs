//! JSON (RFC 8259).
//!
//! [`JsonSource`] reads JSON from a byte slice: a whole document, or a window over a longer one. [`JsonSink`] writes
//! JSON; [`CompactSink`] is a faster sink without options. [`decode`] and [`encode`] convert a value in one call.
//!
//! Choices where the RFC allows several behaviours:
//!
//! | | |
//! |---|---|
//! | repeated keys | the last one wins; refused on request |
//! | whole numbers | exact at any size; `1.0` and `1e3` are floats, not ints |
//! | floats | correctly rounded in, shortest out; a number too large for binary64 is refused |
//! | decimals | written as number literals with all their digits; read from these or from text |
//! | bytes, dates, datetimes, instants, durations, UUIDs | text: base64, RFC 3339, ISO 8601, hyphenated |
//! | keys that are not text | their text form |
//! | lone surrogates, invalid UTF-8, control characters in strings | refused |
//! | a byte order mark | skipped at the start of the input, refused elsewhere |
//! | depth | at most 1,024 by default |

mod border;
pub(crate) mod codec;
mod format;
mod options;
mod shallow;
mod sink;
mod source;
#[cfg(test)]
mod tests;

pub use codec::{ABOUT, JsonCodec};
pub use format::Json;
pub use options::{NonFinite, ReadOptions, RepeatedKeys, UuidForm, WriteOptions};
pub use sink::{CompactSink, JsonScalars, JsonSink};
pub use source::JsonSource;

use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// Decodes a value from a whole JSON document.
///
/// # Errors
/// If the text is not valid JSON, does not fit the type, or goes on after the value.
///
/// ```
/// let numbers: Vec<i64> = demat_formats::json::decode(b"[1, 2, 3]")?;
/// assert_eq!(numbers, [1, 2, 3]);
/// let error = demat_formats::json::decode::<Vec<i64>>(b"[1,\n true]").unwrap_err();
/// assert_eq!(error.to_string(), "expected `int`, found `bool` true at `$[1]` (line 2, column 2)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(text: &'a [u8]) -> Result<T> {
    let mut source = JsonSource::new(text);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as a JSON document.
///
/// # Errors
/// If JSON can't represent the value: NaN, infinities, a list as a key.
///
/// ```
/// assert_eq!(demat_formats::json::encode(&vec![Some(1.5), None])?, b"[1.5,null]");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    encode_into(value, &mut out)?;
    Ok(out)
}

/// Encodes a value as a JSON document into a buffer. Replaces the buffer's content and reuses its memory.
///
/// # Errors
/// As [`encode`].
pub fn encode_into<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    if !shallow::is_shallow(T::SHAPE) {
        return encode_counting(value, buffer);
    }
    let mut sink = CompactSink::new(Output::new(core::mem::take(buffer), Keep));
    let told = value.encode(&mut sink).and_then(|()| sink.finish());
    *buffer = sink.into_output().into_parts().0;
    told
}

/// As [`encode_into`], for values that may nest too deep.
#[inline(never)]
fn encode_counting<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    let mut sink = JsonSink::new(Output::new(core::mem::take(buffer), Keep), WriteOptions::default());
    let told = value.encode(&mut sink).and_then(|()| sink.finish());
    *buffer = sink.into_output().into_parts().0;
    told
}
