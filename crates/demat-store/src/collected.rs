//! Collects a store's values in memory.

use crate::body::{Body as _, ValueBody};
use crate::query::Query;
use crate::store::Store;
use bytes::Bytes;
use core::cell::Cell;
use core::fmt;
use demat_core::{Encode as _, Error, Result, Shape, Sink, Value};
use demat_formats::json::CompactSink;
use demat_formats::{Drain, Output};
use demat_place::{Format, WriteOptions};
use std::io::{self, Write};

/// Returns the value of a reference.
///
/// # Errors
/// As [`Store::get`].
pub fn collected(store: &(impl Store + ?Sized), at: &[String], query: &Query) -> Result<Value> {
    Value::build(|sink| store.get(at, query, sink))
}

/// Writes a value with a shape to a sink, from beginning to end.
pub(crate) fn tell(value: &Value, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
    if *shape != Shape::Any {
        return ValueBody(value).tell(shape, sink);
    }
    sink.begin(shape)?;
    value.encode(sink)?;
    sink.finish()
}

/// Returns what `tell` writes, in a format; `None` if that has more than `limit` bytes.
///
/// ```
/// use demat_core::{Encode, Sink};
/// use demat_place::Format;
/// let tell = |sink: &mut dyn Sink| vec![1, 2].encode(sink).and_then(|()| sink.finish());
/// let json = demat_store::representation(Format::JSON, 100, tell)?;
/// assert_eq!(json.as_deref(), Some(&b"[1,2]"[..]));
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// The errors of `tell`.
pub fn representation(
    format: Format,
    limit: usize,
    tell: impl FnOnce(&mut dyn Sink) -> Result<()>,
) -> Result<Option<Bytes>> {
    if format.is_json_document() {
        return json_as_usual(limit, |sink| tell(sink));
    }
    let mut within = Within { bytes: Vec::new(), limit, is_full: false };
    let mut sink = demat_place::sink(format, &WriteOptions::of(format), &mut within)?;
    let told = tell(&mut *sink);
    drop(sink);
    // Checked before the result: some writers return their own error when this one is full.
    if within.is_full {
        return Ok(None);
    }
    kept(told.map(|()| within.bytes), limit)
}

/// As [`json_within`], with a buffer of about the size of this thread's last result.
pub(crate) fn json_as_usual(limit: usize, tell: impl FnOnce(&mut JsonWithin) -> Result<()>) -> Result<Option<Bytes>> {
    // Growing the buffer would copy it.
    let usual = USUAL.get();
    let json = json_within(limit, usual + usual / 8, tell)?;
    if let Some(json) = &json {
        USUAL.set(json.len().min(MOST));
    }
    Ok(json)
}

/// The sink of [`json_within`].
pub type JsonWithin = CompactSink<Box<dyn Drain + Send>>;

/// Returns what `tell` writes, as JSON; `None` if that has more than `limit` bytes.
///
/// As [`representation`], for a store that knows the type of its sink. `usual`: the expected length of the result in
/// bytes.
///
/// ```
/// use demat_core::{Encode, Sink};
/// let json = |limit| {
///     demat_store::json_within(limit, 5, |sink| {
///         vec![1, 2].encode(sink)?;
///         sink.finish()
///     })
/// };
/// assert_eq!(json(5)?.as_deref(), Some(&b"[1,2]"[..]));
/// assert_eq!(json(4)?, None);
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// The errors of `tell`.
pub fn json_within(
    limit: usize,
    usual: usize,
    tell: impl FnOnce(&mut JsonWithin) -> Result<()>,
) -> Result<Option<Bytes>> {
    let mut sink = CompactSink::new(Output::new(
        Vec::with_capacity(usual.min(limit)),
        Box::new(AtMost(limit)) as Box<dyn Drain + Send>,
    ));
    let told = tell(&mut sink).map(|()| sink.into_output().into_parts().0);
    kept(told, limit)
}

fn kept(told: Result<Vec<u8>>, limit: usize) -> Result<Option<Bytes>> {
    match told {
        Ok(bytes) => Ok((bytes.len() <= limit).then(|| bytes.into())),
        Err(error) if is_too_long(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

thread_local! {
    /// The length of the last result on this thread, in bytes.
    static USUAL: Cell<usize> = const { Cell::new(256) };
}

/// The maximum size of the initial buffer.
const MOST: usize = 1 << 20;

/// Keeps the output in memory, up to a number of bytes.
#[derive(Debug, Clone, Copy)]
struct AtMost(usize);

impl Drain for AtMost {
    #[inline]
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        if buffer.len() > self.0 { Err(Error::from(too_long())) } else { Ok(()) }
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// As [`AtMost`], as a writer.
struct Within {
    bytes: Vec<u8>,
    limit: usize,
    /// Whether the output exceeded the limit.
    is_full: bool,
}

impl Write for Within {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.limit {
            self.is_full = true;
            return Err(too_long());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is more than was to be kept")
    }
}

impl std::error::Error for TooLong {}

#[cold]
pub(crate) fn too_long() -> io::Error {
    io::Error::other(TooLong)
}

/// Whether writing ended because of the limit.
pub(crate) fn is_too_long(error: &Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.and_then(io::Error::get_ref).is_some_and(<dyn std::error::Error + Send + Sync>::is::<TooLong>)
}
