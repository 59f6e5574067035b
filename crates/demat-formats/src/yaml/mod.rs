//! YAML 1.2.
//!
//! [`YamlSource`] reads a stream of documents that is in memory as a whole. The crate `granit-parser` parses it.
//! [`YamlSink`] writes block style as values come. [`decode`] and [`encode`] convert a value in one call.
//!
//! | | |
//! |---|---|
//! | version | 1.2, core schema; what is written is read as the same by readers of 1.1 |
//! | without quotes | `null`, `~` and nothing are null; `true`, `false` are bools; numbers; else text |
//! | ints | of any size; `0o` and `0x` up to 128 bits |
//! | floats | binary64, with `.inf` and `.nan`; a float is also read from an int, but an int is not read from a float |
//! | text | quoted if it would be read as another type; a number without quotes is not read as text |
//! | bytes | `!!binary` |
//! | dates, datetimes | text without quotes, as 1.1 knows it; also read from quoted text and `!!timestamp` |
//! | times, durations, UUIDs | text |
//! | decimals | numbers with all their digits; also read from text |
//! | keys | any scalar |
//! | repeated keys | refused |
//! | merge keys | `<<` adds the entries of other maps; an option reads it as text |
//! | anchors, aliases | read up to a limit of what aliases add; an alias inside its own anchor is refused |
//! | tags | those of the core schema, `!!binary` and `!!timestamp`; all others are refused |
//! | depth | 1,024 by default |
//!
//! # Streams of documents
//!
//! A caller that reads a list gets the documents of a stream, unless the stream is one document with a list. Without a
//! shape, a stream of several documents is a list. An empty stream is null or an empty list.
//! [`documents`](WriteOptions::documents) writes a list of records as a stream.

pub(crate) mod codec;
mod options;
mod read;
mod sink;
#[cfg(test)]
mod tests;
mod word;

pub use codec::{ABOUT, YamlCodec};
pub use options::{ReadOptions, WriteOptions};
pub use sink::YamlSink;

use crate::whole::{Document, Parsed, Timestamp, Whole, WholeSource};
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};
use std::borrow::Cow;

/// A [`Source`] of a stream of YAML documents.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::yaml::YamlSource;
/// let mut source = YamlSource::new(b"- a\n- 'b'\n");
/// source.list()?;
/// assert!(source.item()?);
/// assert_eq!(&*source.text()?, "a");
/// assert!(source.item()?);
/// assert_eq!(&*source.text()?, "b");
/// assert!(!source.item()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
pub type YamlSource<'a> = WholeSource<'a, ReadOptions>;

/// YAML as a format that is read through a window, which grows to the whole stream.
pub type Yaml = Whole<ReadOptions>;

impl Document for ReadOptions {
    const NULLS: bool = true;
    const PLAIN: bool = true;

    fn parse(&self, bytes: &[u8]) -> Result<Parsed> {
        read::parse(bytes, *self).map(Parsed)
    }

    fn timestamp(text: &str) -> Option<Timestamp> {
        read::timestamp(text).map(Timestamp)
    }

    /// Restores the indentation of the first line, if the value is a block that begins in the middle of a line.
    fn span(bytes: &[u8], begin: usize, end: usize) -> Cow<'_, [u8]> {
        let span = bytes.get(begin..end).unwrap_or_default();
        let line = bytes.get(..begin).map_or(0, |before| memchr::memrchr(b'\n', before).map_or(0, |at| at + 1));
        if line == begin || !span.contains(&b'\n') {
            return Cow::Borrowed(span);
        }
        let indent = bytes.get(line..begin).map_or(0, |before| String::from_utf8_lossy(before).chars().count());
        let mut whole = vec![b' '; indent];
        whole.extend_from_slice(span);
        Cow::Owned(whole)
    }
}

/// Decodes a value from a stream of documents.
///
/// # Errors
/// If the bytes are not YAML, do not match the type, or continue after the value.
///
/// ```
/// let numbers: Vec<Option<i64>> = demat_formats::yaml::decode(b"- 1\n- ~\n- 0x10\n")?;
/// assert_eq!(numbers, [Some(1), None, Some(16)]);
/// let error = demat_formats::yaml::decode::<Vec<String>>(b"- yes\n- 1.10\n").unwrap_err();
/// let message = "expected `text`, found `1.10`, which is float without quotes at `$[1]` (line 2, column 3)";
/// assert_eq!(error.to_string(), message);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = YamlSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a value as a document.
///
/// # Errors
/// If YAML can't express the value: a list as a key.
///
/// ```
/// assert_eq!(demat_formats::yaml::encode(&vec!["no", "none"])?, b"- 'no'\n- none\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut sink = YamlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
