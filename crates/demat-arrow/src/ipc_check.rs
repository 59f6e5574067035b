//! Validates the messages of a stream before Arrow's reader sees them.

use arrow_ipc::{CompressionType, Endianness, RecordBatch, root_as_message};
use arrow_schema::DataType;
use std::io::{self, Read};

/// A stream whose messages are checked to refer only to their own bytes. Arrow's reader assumes that.
#[derive(Debug)]
pub(crate) struct Checked<R> {
    reader: R,
    /// Checked bytes for the reader, and the number of those it has taken.
    ready: Vec<u8>,
    given: usize,
    /// The number of remaining bytes in the message's body.
    body: u64,
    /// Whether no message follows.
    ended: bool,
    /// Whether the schema declares big-endian numbers.
    big_endian: bool,
}

/// The marker before the length of a message, except in old streams.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// The maximum size of a message's metadata.
const LARGEST: u32 = 1 << 28;

impl<R: Read> Checked<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, ready: Vec::new(), given: 0, body: 0, ended: false, big_endian: false }
    }

    /// Returns whether the schema declares big-endian numbers. The library ignores that flag and would misread them.
    pub(crate) fn is_big_endian(&self) -> bool {
        self.big_endian
    }

    /// Reads up to the body of the next message.
    fn next_message(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        if self.take(4)? < 4 {
            self.ended = true;
            return Ok(());
        }
        if self.ready == CONTINUATION && self.take(4)? < 4 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let start = self.ready.len();
        let len = self.ready[start - 4..].try_into().map_or(0, u32::from_le_bytes);
        if len == 0 {
            self.ended = true;
            return Ok(());
        }
        if len > LARGEST {
            return Err(wrong("the length of a message"));
        }
        if self.take(u64::from(len))? < len as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let message = root_as_message(&self.ready[start..]).map_err(|_| wrong("a message"))?;
        let body = u64::try_from(message.bodyLength()).map_err(|_| wrong("the length of a message's body"))?;
        let schema = message.header_as_schema();
        self.big_endian |= schema.is_some_and(|schema| schema.endianness() == Endianness::Big);
        let batch = message.header_as_record_batch().or_else(|| message.header_as_dictionary_batch()?.data());
        if !batch.is_none_or(|batch| is_within(&batch, body)) {
            return Err(wrong("the place of a column"));
        }
        let packed = batch.and_then(|batch| Some((batch.compression()?.codec(), places(&batch))));
        self.body = body;
        if let Some((codec, places)) = packed {
            self.check_packed(codec, &places)?;
        }
        Ok(())
    }

    /// Checks the sizes that compressed columns declare, since the reader allocates that much before it decompresses
    /// them.
    fn check_packed(&mut self, codec: CompressionType, places: &[(usize, usize)]) -> io::Result<()> {
        let start = self.ready.len();
        let body = core::mem::take(&mut self.body);
        self.take(body)?;
        let body = &self.ready[start..];
        for (offset, len) in places {
            // The reader reports truncation.
            let Some(said) = body.get(*offset..offset + len).and_then(|packed| packed.first_chunk()) else { continue };
            let said = i64::from_le_bytes(*said);
            // A negative size: the column is not compressed.
            if said > 0 && said.unsigned_abs() > most_unpacked(codec, *len as u64) {
                return Err(wrong("the size of a packed column"));
            }
        }
        Ok(())
    }

    /// Reads `bytes` bytes, or up to the end of the stream.
    fn take(&mut self, bytes: u64) -> io::Result<usize> {
        self.reader.by_ref().take(bytes).read_to_end(&mut self.ready)
    }
}

/// Returns offset and length of a batch's buffers in its body. They are known to be inside.
fn places(batch: &RecordBatch<'_>) -> Vec<(usize, usize)> {
    let place = |at: i64, len: i64| Some((usize::try_from(at).ok()?, usize::try_from(len).ok()?));
    batch.buffers().into_iter().flatten().filter_map(|one| place(one.offset(), one.length())).collect()
}

/// Returns the maximum decompressed size of `len` bytes: an LZ4 byte encodes a length of at most 255, and a zstd block
/// has up to 128 KiB and takes at least three bytes.
fn most_unpacked(codec: CompressionType, len: u64) -> u64 {
    let times = if codec == CompressionType::LZ4_FRAME { 255 } else { (128 << 10) / 3 };
    len.saturating_mul(times).min(LARGEST_COLUMN)
}

/// The maximum size of a column in a batch.
const LARGEST_COLUMN: u64 = 1 << 32;

fn is_within(batch: &RecordBatch<'_>, body: u64) -> bool {
    let rows = u64::try_from(batch.length()).is_ok();
    let within = |offset: i64, length: i64| {
        let end = u64::try_from(offset).ok().zip(u64::try_from(length).ok());
        end.and_then(|(offset, length)| offset.checked_add(length)).is_some_and(|end| end <= body)
    };
    // No batch has more rows, and larger counts could overflow.
    let counted = |nodes: i64| (0..=1 << 32).contains(&nodes);
    let rows = rows && batch.nodes().is_none_or(|all| all.iter().all(|node| counted(node.length())));
    rows && batch.buffers().is_none_or(|all| all.iter().all(|one| within(one.offset(), one.length())))
}

/// Whether no type has a negative size, which only a damaged schema declares.
pub(crate) fn has_sizes(data_type: &DataType) -> bool {
    match data_type {
        DataType::FixedSizeBinary(size) => *size >= 0,
        DataType::FixedSizeList(item, size) => *size >= 0 && has_sizes(item.data_type()),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::Map(item, _)
        | DataType::RunEndEncoded(_, item) => has_sizes(item.data_type()),
        DataType::Struct(fields) => fields.iter().all(|field| has_sizes(field.data_type())),
        DataType::Dictionary(_, value) => has_sizes(value),
        _ => true,
    }
}

#[cold]
fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{what} can't be right"))
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() && self.body == 0 && !self.ended {
            self.next_message()?;
        }
        if self.given < self.ready.len() {
            let len = buffer.len().min(self.ready.len() - self.given);
            buffer[..len].copy_from_slice(&self.ready[self.given..self.given + len]);
            self.given += len;
            return Ok(len);
        }
        if self.ended {
            return self.reader.read(buffer);
        }
        let most = usize::try_from(self.body).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.reader.read(&mut buffer[..most])?;
        self.body -= read as u64;
        Ok(read)
    }
}
