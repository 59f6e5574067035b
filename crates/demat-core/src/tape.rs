//! A value in memory as a flat list of parts: what one engine writes, another reads.

mod sink;
mod source;
#[cfg(test)]
mod tests;

pub use source::TapeSource;

use crate::scalar::{Date, DateTime, Duration, Int, Offset, Time, Uuid};
use crate::{Error, Result, Sink};

/// The parts of a value, in reading order.
///
/// It is what a conversion between two object models keeps: an engine that can only write and an engine that can only
/// read meet here. All texts share one buffer, and so do all bytes, so that a part costs no allocation. Kinds stay what
/// they are: a date does not become text.
///
/// ```
/// use demat_core::{Decode, Sink, Tape};
/// let tape = Tape::record(|sink| {
///     sink.begin_list(Some(2))?;
///     sink.item()?;
///     sink.i64(1)?;
///     sink.item()?;
///     sink.i64(2)?;
///     sink.end_list()
/// })?;
/// assert_eq!(Vec::<u8>::decode(&mut tape.source())?, [1, 2]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Tape {
    parts: Vec<Part>,
    texts: String,
    bytes: Vec<u8>,
    /// The integers beyond 64 bits.
    bigs: Vec<Int<'static>>,
}

#[derive(Debug, Clone, Copy)]
enum Part {
    Null,
    Bool(bool),
    Int(i64),
    Big(usize),
    Float(f64),
    Text(Slice),
    Bytes(Slice),
    Decimal(Slice),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    Instant(DateTime, Offset),
    Duration(Duration),
    Uuid(Uuid),
    /// A list and the index of its [`End`](Self::End).
    List {
        len: usize,
        end: usize,
    },
    /// A map and the index of its [`End`](Self::End); keys and values alternate.
    Map {
        len: usize,
        end: usize,
    },
    End,
}

/// A part of a shared buffer.
#[derive(Debug, Clone, Copy)]
struct Slice {
    start: usize,
    len: usize,
}

/// The number of items of a list whose writer took some of them back.
const UNKNOWN: usize = usize::MAX;

/// The maximum nesting depth.
const DEEPEST: usize = 1024;

impl Tape {
    /// Records the value that `write` writes; null if it writes none.
    ///
    /// # Errors
    /// Those of `write`; a [`Limit`](crate::ErrorKind::Limit) error beyond 1,024 levels of nesting.
    pub fn record(write: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<Self> {
        let mut recorder = sink::Recorder::default();
        write(&mut recorder)?;
        let mut tape = recorder.tape;
        if tape.parts.is_empty() {
            tape.parts.push(Part::Null);
        }
        Ok(tape)
    }

    /// The number of parts: values, and the ends of lists and maps.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns a source at the value.
    pub fn source(&self) -> TapeSource<'_> {
        TapeSource::new(self)
    }

    /// The text of a slice.
    #[inline]
    fn text(&self, slice: Slice) -> &str {
        self.texts.get(slice.start..slice.start + slice.len).unwrap_or_default()
    }

    #[cold]
    fn too_deep() -> Error {
        Error::limit("the depth of nesting of a value", DEEPEST)
    }
}
