//! Writes CBOR.

mod deterministic;
mod fault;
mod header;
mod parts;
pub(super) mod scalar;
mod sort;

use super::head::BREAK;
use super::record::is_tag;
use super::{CborCodec, CborSource, ReadOptions, WriteOptions};
use crate::binary::{Wide, widen};
use crate::codec::verify_notes;
use crate::stream::Part;
use crate::{Drain, Output};
use demat_core::scalar::{Date, DateTime, Decimal, Int, Offset, Uuid};
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Source};
use deterministic::Entries;
use fault::{late_tag, no_container, wrong_count};
pub(super) use header::Major;
use parts::Parts;

/// CBOR, as a [`Sink`].
///
/// An array or map of unknown length reserves one byte for its header. When it ends, the sink writes its count, in more
/// bytes if it has more than 23 children. If a commit comes first, it ends with a break instead, so that its beginning
/// can leave the memory. So an array of records that come one by one has no count, and everything inside a record has
/// one.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, cbor::{CborSink, WriteOptions}};
/// let mut sink = CborSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// sink.begin_list(None)?;
/// sink.item()?;
/// sink.text("a")?;
/// sink.end_list()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, b"\x81\x61a");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct CborSink<D> {
    output: Output<D>,
    options: WriteOptions,
    frames: Vec<Frame>,
    /// Whether the next value is a key.
    key: bool,
    /// Whether the next map is a tag.
    is_tag: bool,
    wide: Vec<Wide>,
    entries: Entries,
    saved: Saved,
}

/// An open array, map or sequence.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// `None` for a sequence, which has no header.
    of: Option<Major>,
    /// The offset of its header; `None` if that has left the memory.
    at: Option<usize>,
    /// The announced count. If it is unknown, one byte is reserved for the header.
    announced: Option<u64>,
    /// Whether it ends with a break.
    endless: bool,
    count: u64,
    /// The index of its first entry among all entries.
    first: usize,
    /// The state of a tag, which has no header of its own.
    parts: Option<Parts>,
}

impl Frame {
    const SEQUENCE: Self =
        Self { of: None, at: None, announced: None, endless: false, count: 0, first: 0, parts: None };

    /// Whether its header is still unknown.
    fn is_pending(&self) -> bool {
        self.of.is_some() && self.announced.is_none() && !self.endless
    }
}

/// The state at the last commit.
#[derive(Debug, Default)]
struct Saved {
    frames: Vec<Frame>,
    key: bool,
}

impl<D: Drain> CborSink<D> {
    /// Returns a sink that writes to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let (frames, wide) = (Vec::new(), Vec::new());
        Self {
            output,
            options,
            frames,
            key: false,
            is_tag: false,
            wide,
            entries: Entries::default(),
            saved: Saved::default(),
        }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    fn open(&mut self, of: Major, kind: &'static str, len: Option<usize>) -> Result<()> {
        let is_tag = core::mem::take(&mut self.is_tag) && of == Major::Map;
        if self.key {
            return Err(no_container(kind));
        }
        if self.frames.len() >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth));
        }
        if of == Major::Array && self.options.sequence && self.frames.is_empty() {
            self.frames.push(Frame::SEQUENCE);
            return Ok(());
        }
        if is_tag {
            self.frames.push(Frame { parts: Some(Parts::Begun), ..Frame::SEQUENCE });
            return Ok(());
        }
        let announced = len.map(|len| len as u64);
        let at = Some(self.output.buffer.len());
        self.output.buffer.extend_from_slice(of.with(announced.unwrap_or(0)).as_bytes());
        let first = self.entries.len();
        self.frames.push(Frame { of: Some(of), at, announced, endless: false, count: 0, first, parts: None });
        Ok(())
    }

    fn next_child(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.count += 1;
        }
    }

    fn close(&mut self) -> Result<()> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let Some(of) = frame.of else { return frame.parts.map_or(Ok(()), |parts| self.end_parts(parts)) };
        if frame.endless {
            self.output.buffer.push(BREAK);
            return Ok(());
        }
        let Some(at) = frame.at else {
            let announced = frame.announced.unwrap_or(0);
            return if frame.count == announced { Ok(()) } else { Err(wrong_count(announced, frame.count)) };
        };
        if self.options.deterministic {
            self.close_deterministic(&frame, of, at);
            return Ok(());
        }
        let header = of.with(frame.count);
        let reserved = of.with(frame.announced.unwrap_or(0)).len();
        match self.output.buffer.get_mut(at..at + reserved) {
            // Also after a rollback, when another header may be there.
            Some(place) if reserved == header.len() => place.copy_from_slice(header.as_bytes()),
            _ => self.wide.push(Wide { at, reserved, header }),
        }
        Ok(())
    }

    /// Whether bytes in memory may still move, so that none can be drained.
    fn is_held(&self) -> bool {
        self.frames.iter().any(|frame| frame.parts.is_some_and(Parts::is_pending))
            || self.options.deterministic
                && self.frames.iter().any(|frame| frame.of == Some(Major::Map) || frame.is_pending())
    }

    /// Makes the open containers of unknown length end with a break.
    fn break_open(&mut self) {
        // Outside of a container that ends with a break, all do.
        for frame in self.frames.iter_mut().rev().take_while(|frame| !frame.endless) {
            if let (true, Some(of), Some(at)) = (frame.is_pending(), frame.of, frame.at)
                && let Some(place) = self.output.buffer.get_mut(at)
            {
                *place = of.endless();
                frame.endless = true;
            }
        }
    }

    /// Whether the innermost container is a tag.
    fn is_in_tag(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.parts.is_some())
    }

    /// Replaces the headers that are longer than the bytes reserved for them.
    fn widen(&mut self) {
        let open = self.frames.iter_mut().filter_map(|frame| frame.at.as_mut());
        widen(&mut self.output.buffer, &mut self.wide, open);
    }
}

/// Returns a text as a value of its own.
pub(super) fn text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    scalar::counted(&mut bytes, Major::Text, text.as_bytes());
    bytes
}

/// Returns a number as a value of its own.
pub(super) fn number(number: u64) -> Vec<u8> {
    Major::Unsigned.with(number).as_bytes().to_vec()
}

/// Whether the bytes are one value of at most `depth` levels.
fn is_one_value(bytes: &[u8], depth: u32) -> bool {
    let options = ReadOptions { depth, ..ReadOptions::default() };
    let mut source = CborSource::over(Part::whole(bytes), options);
    source.pass_one().is_ok() && source.end().is_ok()
}

impl<D: Drain> Sink for CborSink<D> {
    fn null(&mut self) -> Result<()> {
        self.output.buffer.push(0xf6);
        Ok(())
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.output.buffer.push(0xf4 + u8::from(value));
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        scalar::int(&mut self.output.buffer, value)
    }

    fn int_bytes(&mut self, bytes: &[u8], negative: bool) -> Result<bool> {
        scalar::int_bytes(&mut self.output.buffer, bytes, negative);
        Ok(true)
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        scalar::i64(&mut self.output.buffer, value);
        Ok(())
    }

    fn u64(&mut self, value: u64) -> Result<()> {
        scalar::head(&mut self.output.buffer, Major::Unsigned, value);
        Ok(())
    }

    fn float(&mut self, value: f64) -> Result<()> {
        if self.options.deterministic {
            scalar::shortest(&mut self.output.buffer, value);
        } else {
            scalar::float(&mut self.output.buffer, value);
        }
        Ok(())
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if self.options.deterministic {
            scalar::shortest(&mut self.output.buffer, value.into());
        } else {
            scalar::float32(&mut self.output.buffer, value);
        }
        Ok(())
    }

    fn text(&mut self, value: &str) -> Result<()> {
        scalar::counted(&mut self.output.buffer, Major::Text, value.as_bytes());
        Ok(())
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        scalar::counted(&mut self.output.buffer, Major::Bytes, value);
        Ok(())
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        scalar::decimal(&mut self.output.buffer, value)
    }

    fn date(&mut self, value: Date) -> Result<()> {
        scalar::tagged_text(&mut self.output.buffer, 1004, &value.to_string());
        Ok(())
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        scalar::tagged_text(&mut self.output.buffer, 0, &at.with_offset(offset).to_string());
        Ok(())
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        scalar::head(&mut self.output.buffer, Major::Tag, 37);
        scalar::counted(&mut self.output.buffer, Major::Bytes, &value.0);
        Ok(())
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.open(Major::Array, "list", len)
    }

    fn item(&mut self) -> Result<()> {
        self.next_child();
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close()
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.open(Major::Map, "map", len)
    }

    fn entry(&mut self) -> Result<()> {
        self.next_child();
        self.key = true;
        if self.options.deterministic || self.is_in_tag() {
            self.entries.key(self.output.buffer.len());
        }
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        self.key = false;
        if let Some(parts) = self.frames.last().and_then(|frame| frame.parts) {
            let key = self.entries.take_key().unwrap_or_default();
            return self.begin_part(parts, key);
        }
        if self.options.deterministic {
            self.entries.value(self.output.buffer.len());
        }
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.close()
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        verify_notes::<CborCodec>(record)?;
        self.is_tag = is_tag(record);
        self.begin_map(None)
    }

    fn stated(&mut self, shape: &Shape) -> Result<()> {
        self.is_tag = matches!(shape, Shape::Record(record) if is_tag(&record.get()));
        Ok(())
    }

    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        let is_list_of_sequence = self.options.sequence && self.frames.is_empty();
        if format != "cbor" || self.key || is_list_of_sequence || self.options.deterministic {
            return Ok(false);
        }
        // A whole document may be a sequence, which is no value inside another one.
        let depth = self.options.depth.saturating_sub(u32::try_from(self.frames.len()).unwrap_or(u32::MAX));
        let fits = is_one_value(bytes, depth);
        if fits {
            self.output.buffer.extend_from_slice(bytes);
        }
        Ok(fits)
    }

    fn commit(&mut self) -> Result<()> {
        if self.frames.iter().any(|frame| frame.parts.is_some_and(Parts::is_late)) {
            return Err(late_tag());
        }
        if self.is_held() {
            self.output.hold()?;
        } else {
            self.break_open();
            self.widen();
            let len = self.output.buffer.len();
            self.output.commit()?;
            if self.output.buffer.len() < len {
                self.frames.iter_mut().for_each(|frame| frame.at = None);
            }
        }
        self.entries.commit(self.frames.len());
        self.saved.frames.clone_from(&self.frames);
        self.saved.key = self.key;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.output.rollback();
        self.is_tag = false;
        self.frames.clone_from(&self.saved.frames);
        self.key = self.saved.key;
        self.wide.clear();
        self.entries.rollback(&mut self.output.buffer, self.frames.len());
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if let Some(of) = self.frames.iter().find_map(|frame| frame.of) {
            let kind = if of == Major::Map { "map" } else { "list" };
            return Err(Error::new(ErrorKind::Encode, format!("the {kind} has not ended")));
        }
        self.widen();
        self.output.finish()
    }
}
