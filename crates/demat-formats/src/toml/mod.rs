//! TOML.
//!
//! [`TomlSource`] reads a document that is in memory as a whole. The crate `toml_parser` parses it. [`TomlSink`] writes
//! documents. [`decode`] and [`encode`] convert a value in one call.
//!
//! | | |
//! |---|---|
//! | version | 1.1 is read; what is written is also 1.0 |
//! | the document | a table: a record or a map; nothing else is read or written |
//! | ints | 64 bits with sign, read in any base; larger ones are refused |
//! | floats | binary64, with `inf` and `nan`; a float is also read from an int, but an int is not read from a float |
//! | times | *offset date-time*: an instant; *local date-time*, *date*, *time*: a datetime, a date, a time |
//! | nulls | none: a field that is null is omitted; refused in lists and maps |
//! | bytes, decimals, durations, UUIDs | text; decimals are also read from numbers |
//! | keys | text; ints, bools and others as text, and read from it |
//! | repeated keys | refused |
//! | depth | 1,024, of which arrays and inline tables have at most 128 |
//!
//! # Nulls
//!
//! A required field that may be null is null if the document does not have it. So the reader restores what the sink
//! omits.
//!
//! # Layout
//!
//! A map in a map becomes a `[table]`, and a list of maps becomes an `[[array of tables]]`. In each table the values
//! come first, then the tables in it. All other lists become arrays, and maps in them inline tables. The order of a
//! record's fields may therefore differ from the document's. The sink holds the document in memory until it ends.

pub(crate) mod codec;
mod options;
mod read;
mod sink;
#[cfg(test)]
mod tests;

pub use codec::{ABOUT, TomlCodec};
pub use options::{ReadOptions, WriteOptions};
pub use sink::TomlSink;

use crate::whole::{Document, Parsed, Whole, WholeSource};
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};

/// The maximum depth of arrays and inline tables. The parser recurses into each.
const INLINE_DEPTH: u32 = 128;

/// A [`Source`] of a TOML document.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::toml::TomlSource;
/// let mut source = TomlSource::new(b"id = 1");
/// source.map()?;
/// assert!(source.entry()?);
/// assert_eq!(&*source.text()?, "id");
/// source.value()?;
/// assert_eq!(source.i64()?, 1);
/// assert!(!source.entry()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
pub type TomlSource<'a> = WholeSource<'a, ReadOptions>;

/// TOML as a format that is read through a window, which grows to the whole document.
pub type Toml = Whole<ReadOptions>;

impl Document for ReadOptions {
    const NULLS: bool = false;
    const PLAIN: bool = false;

    fn parse(&self, bytes: &[u8]) -> Result<Parsed> {
        read::parse(bytes, *self).map(Parsed)
    }
}

/// Decodes a value from a document.
///
/// # Errors
/// If the bytes are not TOML, or do not match the type.
///
/// ```
/// use std::collections::BTreeMap;
/// let ports: BTreeMap<&str, Vec<u16>> = demat_formats::toml::decode(b"web = [80, 443]")?;
/// assert_eq!(ports["web"], [80, 443]);
/// let error = demat_formats::toml::decode::<BTreeMap<&str, u16>>(b"web = 'all'").unwrap_err();
/// assert_eq!(error.to_string(), "expected `int`, found `text` \"all\" at `$.web` (line 1, column 7)");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = TomlSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as a document.
///
/// # Errors
/// If the value is not a record or a map, or TOML can't express a part of it.
///
/// ```
/// use std::collections::BTreeMap;
/// let servers = BTreeMap::from([("web", BTreeMap::from([("port", 80)]))]);
/// assert_eq!(demat_formats::toml::encode(&servers)?, b"[web]\nport = 80\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = TomlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
