//! Apache Avro: object container files (versions 1.11 and 1.12 of the specification).
//!
//! A file begins with the schema of its values, as JSON. The values follow in blocks, each compressed by itself.
//! [`AvroSource`] reads blocks as they come. [`AvroSink`] writes blocks of about 64 KiB. [`decode`] and [`encode`] do it
//! for a value in one call.
//!
//! | | |
//! |---|---|
//! | the whole | a list: its items are the values of the file; any other value is the only value of a file |
//! | records | by name, with the aliases and defaults of the reader; fields that it does not have are skipped |
//! | ints, floats | `int`, `long`, `float`, `double`; 64 bits at most; ints are read as floats |
//! | optional values | a union with `null` |
//! | unions | by the name of the record, or by the kind |
//! | enums | `enum`, if the names are Avro's; otherwise `string` |
//! | tuples | a record with the fields `_0`, `_1`, … |
//! | maps | `map`; keys that are no text are written as text |
//! | dates, times, datetimes, instants | `date`, `time-micros`, `local-timestamp-micros`, `timestamp-micros` |
//! | UUIDs, decimals, durations | `uuid`; `decimal` or text; text |
//! | compression | null, deflate, snappy, zstandard |
//! | depth | 1,024 by default |
//! | memory | a block, unpacked; it may be as long as a record, 1 GiB by default |

mod codec;
mod compression;
mod decimal;
mod format;
mod header;
mod options;
mod schema;
mod sink;
mod source;
#[cfg(test)]
mod tests;
mod told;

pub use codec::{ABOUT, AvroCodec};
pub use compression::Compression;
pub use format::Avro;
pub use options::{ReadOptions, WriteOptions};
pub use sink::AvroSink;
pub use source::AvroSource;

use crate::stream::Part;
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// Decodes a value from a whole file, usually a `Vec` of its values.
///
/// # Errors
/// If the bytes are no Avro file, or its values do not fit the type.
///
/// ```
/// use demat_formats::avro;
/// let bytes = avro::encode(&vec!["a", "b"])?;
/// assert_eq!(avro::decode::<Vec<String>>(&bytes)?, ["a", "b"]);
/// let error = avro::decode::<Vec<i64>>(&bytes).unwrap_err();
/// assert_eq!(error.reason(), "expected `int`, found `text` \"a\"");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut format = Avro::new(ReadOptions::default());
    let mut source = format.whole(Part::whole(bytes));
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes the items of a list as the values of a file; any other value as the only one.
///
/// # Errors
/// If Avro can't express the type, or a value does not fit it.
///
/// ```
/// let bytes = demat_formats::avro::encode(&vec![1_i64, -1])?;
/// assert_eq!(&bytes[..4], b"Obj\x01");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = AvroSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    sink.begin(T::SHAPE)?;
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
