//! How records are encoded: by one of the formats that lazy records exist for.

use crate::environment::locked;
use crate::failure::refused;
use core::fmt;
use demat_core::{Record, Result, Shape, Sink, Source, Value, ValueSource, copy_any};
use demat_formats::codec::{Engine, Picker, Projector, Visitor};
use demat_formats::stream::{Bordered, Part};
use demat_formats::{Drain, Format};
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

/// The format of a collection's records: one record is one document of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(Format);

impl Default for Encoding {
    /// Protocol Buffers.
    fn default() -> Self {
        Self(Format::PROTO)
    }
}

impl Encoding {
    /// Returns the encoding by a format.
    ///
    /// # Errors
    /// [`Store`](demat_core::ErrorKind::Store) for a format whose single records are no documents.
    pub fn of(format: Format) -> Result<Self> {
        if is_encoding(format) {
            return Ok(Self(format));
        }
        let known: Vec<_> = Self::all().map(|known| known.to_string()).collect();
        Err(refused(format!("records can't be encoded as {format}; they can as {}", known.join(", "))))
    }

    /// Returns the encoding of this name.
    ///
    /// # Errors
    /// As [`of`](Self::of), and for unknown names.
    pub fn named(name: &str) -> Result<Self> {
        match name.parse::<Format>() {
            Ok(format) => Self::of(format),
            Err(unknown) => Err(refused(unknown.to_string())),
        }
    }

    /// All encodings.
    pub fn all() -> impl Iterator<Item = Self> {
        Format::all().filter(|format| is_encoding(*format)).map(Self)
    }

    /// The format.
    pub fn format(self) -> Format {
        self.0
    }

    /// Whether a field has a number, by which it is found, and a default that stands for its absence.
    pub fn is_numbered(self) -> bool {
        self.0.about().engine == Engine::Messages
    }

    /// Returns a sink for one record.
    pub(crate) fn sink<'d>(
        self,
        shape: &Shape,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let codec = self.0.codec().ok_or_else(|| refused("the format has no codec"))?;
        let mut sink = codec.sink(&codec.write_options(), drain)?;
        sink.begin(shape)?;
        Ok(sink)
    }

    /// Returns a reader of single records of a shape.
    pub(crate) fn reader(self, shape: &Shape) -> Result<Box<dyn ReadRecord>> {
        let codec = self.0.codec().ok_or_else(|| refused("the format has no codec"))?;
        let mut reader = codec.reader(&codec.read_options())?;
        reader.begin(shape)?;
        Ok(reader.visit(MakeReader(shape.clone())))
    }

    /// Returns the encoding's picker of a record's fields, if it has one.
    pub(crate) fn picker(self, record: &Record) -> Option<Box<dyn Picker>> {
        self.0.codec()?.picker(record)
    }

    /// Returns the encoding's projector to a record's fields, if it has one.
    pub(crate) fn projector(self, record: &Record) -> Option<Box<dyn Projector>> {
        self.0.codec()?.projector(record)
    }

    /// Encodes a value as a record of a shape.
    ///
    /// # Errors
    /// If it does not have the shape.
    pub fn encode(self, shape: &Shape, value: &Value) -> Result<Vec<u8>> {
        let bytes = Bytes::default();
        let mut sink = self.sink(shape, Box::new(bytes.clone()))?;
        copy_any(&mut ValueSource::new(value), shape, &mut *sink)?;
        sink.finish()?;
        drop(sink);
        Ok(core::mem::take(&mut locked(&bytes.0)))
    }

    /// Begins a document with a list of records.
    pub(crate) fn begin_list(self, count: u64, out: &mut Vec<u8>) -> Result<()> {
        match self.0.about().engine {
            Engine::Json => out.push(b'['),
            Engine::Packed => {
                let count =
                    u32::try_from(count).map_err(|_| demat_core::Error::limit("the number of records", u32::MAX))?;
                out.push(0xDD);
                out.extend_from_slice(&count.to_be_bytes());
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a list begins with the number of its records.
    pub(crate) fn counts(self) -> bool {
        self.0.about().engine == Engine::Packed
    }

    /// Writes what stands before a record in a list.
    pub(crate) fn begin_item(self, is_first: bool, len: usize, out: &mut Vec<u8>) {
        match self.0.about().engine {
            Engine::Json if !is_first => out.push(b','),
            Engine::Messages => demat_formats::proto::write_varint(out, len as u64),
            _ => {}
        }
    }

    /// Ends a document with a list of records.
    pub(crate) fn end_list(self, out: &mut Vec<u8>) {
        if self.0.about().engine == Engine::Json {
            out.push(b']');
        }
    }
}

/// The bytes that the sink of a record gives.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bytes(pub(crate) Arc<Mutex<Vec<u8>>>);

impl Drain for Bytes {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        locked(&self.0).append(buffer);
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Reads single records by a shape, which may have some of their fields only.
#[derive(Debug)]
pub struct RecordReader(Box<dyn ReadRecord>);

impl RecordReader {
    /// Returns a reader of records in an encoding.
    ///
    /// # Errors
    /// If the encoding can't have the shape.
    pub fn new(encoding: Encoding, shape: &Shape) -> Result<Self> {
        encoding.reader(shape).map(Self)
    }

    /// Writes a record to a sink, as a whole value.
    ///
    /// # Errors
    /// If the bytes are no record of the shape; errors of the sink.
    pub fn copy(&mut self, record: &[u8], sink: &mut dyn Sink) -> Result<()> {
        self.0.copy(record, sink)
    }
}

fn is_encoding(format: Format) -> bool {
    matches!(format.about().engine, Engine::Messages | Engine::Json | Engine::Packed)
}

impl core::str::FromStr for Encoding {
    type Err = demat_core::Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::named(name)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// Reads single records of one shape.
pub(crate) trait ReadRecord: fmt::Debug + Send + Sync {
    /// Copies a record to a sink.
    fn copy(&mut self, bytes: &[u8], sink: &mut dyn Sink) -> Result<()>;

    /// Returns the bytes of each record of a list.
    fn items<'b>(&mut self, list: &'b [u8]) -> Result<Vec<Cow<'b, [u8]>>>;
}

struct MakeReader(Shape);

impl Visitor for MakeReader {
    type Output = Box<dyn ReadRecord>;

    fn visit<F: Bordered + 'static>(self, reader: F) -> Self::Output {
        Box::new(Reads { reader, shape: self.0 })
    }
}

struct Reads<F> {
    reader: F,
    shape: Shape,
}

impl<F: Bordered> ReadRecord for Reads<F> {
    fn copy(&mut self, bytes: &[u8], sink: &mut dyn Sink) -> Result<()> {
        let mut source = self.reader.source(Part::whole(bytes));
        demat_core::copy(&mut source, &self.shape, sink)?;
        source.end()
    }

    fn items<'b>(&mut self, list: &'b [u8]) -> Result<Vec<Cow<'b, [u8]>>> {
        let mut items = Vec::new();
        // The reader keeps nothing of the bytes, but its source may borrow from both.
        let mut source = self.reader.source(Part::whole(list));
        source.elements()?;
        while source.item()? {
            items.push(owned_or_part(list, source.span()?));
        }
        source.end()?;
        Ok(items)
    }
}

/// Returns a span as a part of the list, whatever its lifetime.
fn owned_or_part<'b>(list: &'b [u8], span: Cow<'_, [u8]>) -> Cow<'b, [u8]> {
    match span {
        Cow::Borrowed(part) => {
            let begin = part.as_ptr().addr().wrapping_sub(list.as_ptr().addr());
            match list.get(begin..begin.wrapping_add(part.len())) {
                Some(part) => Cow::Borrowed(part),
                None => Cow::Owned(part.to_vec()),
            }
        }
        Cow::Owned(part) => Cow::Owned(part),
    }
}

impl<F> fmt::Debug for Reads<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reads").field(&self.shape).finish()
    }
}
