//! Writes MessagePack.

mod fault;
mod header;
mod open;
mod scalars;
mod splice;

use super::MsgpackCodec;
use super::ext::{is_ext, is_ext_shape};
use super::head::begins_map;
use super::timestamp::TIMESTAMP;
use super::{Ext, MsgpackSource, ReadOptions, WriteOptions, decode, timestamp};
use crate::beyond_utc::beyond_utc;
use crate::binary::{Header, Wide, widen};
use crate::codec::verify_notes;
use crate::scan::{Room, append_block, append_fixed, append_headed, append_headed_words, append_number, append_part};
use crate::stream::Part;
use crate::{Drain, Output};
use demat_core::scalar::{Date, DateTime, Int, Offset, Time, ToShortText, Uuid};
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Source};
use fault::{bad_ext, no_container, no_record, no_timestamp, too_large, too_long, wrong_count};
pub(super) use header::{Counted, header};
use header::{ext_header, wide_header};
use open::{End, Frame, Open};
pub use scalars::MsgpackScalars;

/// MessagePack, as a [`Sink`].
///
/// An array or map of unknown length reserves one byte for its header, which is enough for fifteen children; a record
/// reserves what is enough for all its fields. When no such container is open, the sink corrects the headers of other
/// lengths in one pass. Until then it drains nothing, unless the [drain
/// can be patched](Drain::can_patch): then it drains headers of five bytes, and patches their counts at the end.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, msgpack::{MsgpackSink, WriteOptions}};
/// let mut sink = MsgpackSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// sink.begin_list(None)?;
/// sink.item()?;
/// sink.text("a")?;
/// sink.end_list()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, b"\x91\xa1a");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct MsgpackSink<D> {
    output: Output<D>,
    options: WriteOptions,
    open: Open,
    /// Whether the next value is a key.
    key: bool,
    wide: Vec<Wide>,
    /// Whether the next map is an extension type.
    is_ext: bool,
    /// The number of open spliced values, which are records.
    spliced: u32,
    saved: Saved,
    /// The size of the buffer from which [`border`](Self::border) commits.
    worth: usize,
}

/// The number of bytes between two commits of [`MsgpackSink::border`].
const WORTH: usize = 64 * 1024;

/// The state at the last commit.
#[derive(Debug, Default)]
struct Saved {
    open: Open,
    key: bool,
    wide: usize,
    spliced: u32,
}

impl<D: Drain> MsgpackSink<D> {
    /// Returns a sink that writes to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let (open, wide, saved) = (Open::default(), Vec::new(), Saved::default());
        Self { output, options, open, key: false, wide, is_ext: false, spliced: 0, saved, worth: WORTH }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Commits if enough was written since the last time: at the border between two values of a list or map.
    ///
    /// # Errors
    /// If the drain fails.
    #[inline(always)]
    pub fn border(&mut self) -> Result<()> {
        if self.output.buffer.len() < self.worth { Ok(()) } else { self.pass_on() }
    }

    /// Passes nothing on at [borders](Self::border), so that a rollback takes back all since the last commit.
    pub fn keep_records_whole(&mut self) {
        self.worth = usize::MAX;
    }

    #[cold]
    #[inline(never)]
    fn pass_on(&mut self) -> Result<()> {
        let committed = self.commit();
        self.worth = self.output.buffer.len() + WORTH;
        committed
    }

    /// Whether the next value is an item of the sequence.
    #[inline(always)]
    fn in_sequence(&self) -> bool {
        self.options.sequence && self.open.is_sequence() && self.spliced == 0
    }

    /// Returns the buffer, for a scalar.
    #[inline(always)]
    fn scalar(&mut self, kind: &'static str) -> Result<&mut Vec<u8>> {
        if self.in_sequence() { Err(no_record(kind)) } else { Ok(&mut self.output.buffer) }
    }

    #[inline(always)]
    fn counted(&mut self, of: Counted, kind: &'static str, content: &[u8]) -> Result<()> {
        let len = u32::try_from(content.len()).map_err(|_| too_long(kind))?;
        let buffer = self.scalar(kind)?;
        if of == Counted::Text && len < 32 {
            append_short(buffer, content);
            return Ok(());
        }
        write_counted(buffer, of, len, content);
        Ok(())
    }

    /// Writes a date, a time, or both.
    #[inline(always)]
    fn moment(&mut self, value: &impl ToShortText) -> Result<()> {
        write_moment(self.scalar("text")?, value);
        Ok(())
    }

    /// Opens a container of `len` children; if that is unknown, it reserves a header for `likely` children.
    #[inline]
    fn open(&mut self, of: Counted, kind: &'static str, len: Option<usize>, likely: usize) -> Result<()> {
        // Taken first: it says something of this container, which may be refused, and of none that comes later.
        let is_ext = core::mem::take(&mut self.is_ext) && of == Counted::Map;
        if self.key {
            return Err(no_container(kind));
        }
        if self.open.depth() >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth));
        }
        if self.in_sequence() && (of == Counted::Array || is_ext) {
            return Err(no_record(if is_ext { "extension type" } else { kind }));
        }
        if of == Counted::Array && self.options.sequence && self.open.depth() == 0 {
            self.open.enter(Frame::SEQUENCE);
            return Ok(());
        }
        let announced = len.map(u32::try_from).transpose().map_err(|_| too_long(kind))?;
        let at = self.output.buffer.len() as u64;
        let expected = announced.unwrap_or(likely.min(u16::MAX.into()) as u32);
        let reserved = if expected < 16 {
            append_fixed(&mut self.output.buffer, [of.short() | expected as u8]);
            1
        } else {
            let header = header(of, expected);
            self.output.buffer.extend_from_slice(header.as_bytes());
            header.len() as u8
        };
        let end = match announced {
            _ if is_ext => End::Ext,
            Some(_) => End::Announced,
            None => End::Count,
        };
        self.open.enter(Frame { at, count: 0, stated: announced.unwrap_or(0), of: Some(of), reserved, end });
        Ok(())
    }

    #[inline(always)]
    fn next_child(&mut self) {
        self.open.count();
    }

    /// Ends a container: writes the count into the header.
    #[inline(always)]
    fn close(&mut self, kind: &'static str) -> Result<()> {
        let Some(frame) = self.open.top() else { return Ok(()) };
        let count = self.open.counted();
        if matches!(frame.end, End::Count | End::Announced)
            && frame.reserved == 1
            && count < 16
            && let (Some(of), Some(place)) = (frame.of, self.output.buffer.get_mut(frame.at as usize))
        {
            *place = of.short() | count as u8;
            self.open.leave();
            return Ok(());
        }
        let frame = Frame { count, ..*frame };
        self.open.leave();
        self.close_other(kind, frame)
    }

    /// As [`close`](Self::close), for any container that was left.
    #[inline(never)]
    fn close_other(&mut self, kind: &'static str, frame: Frame) -> Result<()> {
        let Frame { of: Some(of), at, stated, reserved, count, end } = frame else { return Ok(()) };
        let is_stated = count == u64::from(stated);
        match end {
            End::Late => {
                let header = wide_header(of, u32::try_from(count).map_err(|_| too_long(kind))?);
                return self.output.patch(at, header.as_bytes());
            }
            End::Gone => return if is_stated { Ok(()) } else { Err(wrong_count(stated, count)) },
            End::Ext => return self.close_ext(at as usize, reserved.into()),
            End::Copied if is_stated => return Ok(()),
            End::Copied | End::Count | End::Announced | End::Nothing => {}
        }
        let actual = header(of, u32::try_from(count).map_err(|_| too_long(kind))?);
        let (at, reserved) = (at as usize, usize::from(reserved));
        match self.output.buffer.get_mut(at..at + reserved) {
            // Also after a rollback, when another header may be there.
            Some(place) if reserved == actual.len() => place.copy_from_slice(actual.as_bytes()),
            _ => self.wide.push(Wide { at, reserved, header: actual }),
        }
        Ok(())
    }

    /// Replaces the map that begins at `at`, and has a header of `reserved` bytes, by an extension type.
    #[cold]
    fn close_ext(&mut self, at: usize, reserved: usize) -> Result<()> {
        let buffer = &mut self.output.buffer;
        let map = [&[0x82], buffer.get(at + reserved..).unwrap_or_default()].concat();
        let Ext { code, data } = decode(&map).map_err(|error| bad_ext(&error))?;
        let len = u32::try_from(data.len()).map_err(|_| too_long("an extension type"))?;
        if code == TIMESTAMP {
            return Err(no_timestamp());
        }
        buffer.truncate(at);
        buffer.extend_from_slice(ext_header(len).as_bytes());
        buffer.push(code.cast_unsigned());
        buffer.extend_from_slice(&data);
        Ok(())
    }

    /// Replaces the headers of pending containers by wide ones, which are patched later.
    fn reserve(&mut self) {
        for (frame, of) in self.open.iter().filter_map(|frame| Some((frame, frame.of?))) {
            if frame.is_pending() {
                let (at, reserved) = (frame.at as usize, frame.reserved.into());
                self.wide.push(Wide { at, reserved, header: wide_header(of, 0) });
            }
        }
        self.widen();
        for frame in self.open.iter_mut().filter(|frame| frame.is_pending()) {
            frame.at = self.output.offset_of(frame.at as usize);
            frame.end = End::Late;
        }
    }

    /// Replaces the headers that are longer than the bytes reserved for them.
    fn widen(&mut self) {
        if self.wide.is_empty() {
            return;
        }
        let mut places: Vec<usize> = self.open.iter_mut().filter_map(Frame::header).map(|at| *at as usize).collect();
        widen(&mut self.output.buffer, &mut self.wide, places.iter_mut());
        self.open.iter_mut().filter_map(Frame::header).zip(places).for_each(|(at, place)| *at = place as u64);
    }

    #[inline(always)]
    fn write_i64(&mut self, value: i64) -> Result<()> {
        write_signed(self.scalar("int")?, value);
        Ok(())
    }
}

/// Appends the key of a field. Returns the number of bytes.
#[inline(always)]
fn write_field(buffer: &mut impl Room, record: &Record, index: usize) -> usize {
    let field = &record.fields()[index];
    let token = field.token();
    if token.whole {
        // The pattern has a quote where the length is here, and two bytes behind the key.
        let block = token.head & !0xff | u128::from(0xa0 | (token.len - 3) as u8);
        append_block(buffer, false, block.to_le_bytes(), token.len - 2);
        return token.len - 2;
    }
    let key = field.key().as_bytes();
    if key.len() < 32 {
        append_short(buffer, key);
        return key.len() + 1;
    }
    let header = header(Counted::Text, u32::try_from(key.len()).unwrap_or(u32::MAX));
    buffer.append(|out| {
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(key);
    });
    header.len() + key.len()
}

/// Appends a date, a time, or both, as text.
#[inline(always)]
fn write_moment(buffer: &mut impl Room, value: &impl ToShortText) {
    match value.to_words() {
        Some((words, len)) if len < 32 => append_headed_words(buffer, 0xa0 | len as u8, words, len),
        _ => {
            let text = value.to_short_text();
            let text = text.as_bytes();
            let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
            buffer.append(|out| write_counted(out, Counted::Text, len, text));
        }
    }
}

/// Appends text or bytes with their header.
#[inline]
pub(super) fn write_counted(buffer: &mut Vec<u8>, of: Counted, len: u32, content: &[u8]) {
    buffer.reserve(content.len() + Header::MAX_LEN);
    match (of, len) {
        (Counted::Text, 32..=0xff) => append_fixed(buffer, [0xd9, len as u8]),
        _ => buffer.extend_from_slice(header(of, len).as_bytes()),
    }
    buffer.extend_from_slice(content);
}

/// Appends text of less than 32 bytes, with its header.
#[inline(always)]
pub(super) fn append_short(buffer: &mut impl Room, text: &[u8]) {
    append_headed(buffer, 0xa0 | text.len() as u8, text);
}

#[inline(always)]
pub(super) fn write_unsigned(buffer: &mut impl Room, value: u64) {
    if value < 0x80 {
        append_fixed(buffer, [value as u8]);
    } else if let Ok(value) = u8::try_from(value) {
        append_fixed(buffer, [0xcc, value]);
    } else if let Ok(value) = u16::try_from(value) {
        append_number(buffer, 0xcd, value.to_be_bytes());
    } else if let Ok(value) = u32::try_from(value) {
        append_number(buffer, 0xce, value.to_be_bytes());
    } else {
        append_number(buffer, 0xcf, value.to_be_bytes());
    }
}

/// Appends an int in its smallest form. It has no branches, since the sizes of real ints are as good as random.
#[inline(always)]
pub(super) fn write_signed(buffer: &mut impl Room, value: i64) {
    let is_negative = value < 0;
    // The bits that the value needs in the form of its sign, of 8, 16, 32 or 64.
    let bits = u64::BITS - (value ^ (value >> 63)).leading_zeros() + u32::from(is_negative);
    let width_log = u32::from(bits > 8) + u32::from(bits > 16) + u32::from(bits > 32);
    let width = 1 << width_log;
    // Both forms of one byte, -32 to 127, are the number itself.
    let is_short = value.cast_unsigned().wrapping_add(32) < 160;
    let head = if is_short { value.cast_unsigned() as u8 } else { 0xcc + 4 * u8::from(is_negative) + width_log as u8 };
    let len = if is_short { 0 } else { width };
    append_part(buffer, head, (value << (64 - 8 * width)).to_be_bytes(), len);
}

/// Whether the bytes are one value of at most `depth` levels.
fn is_one_value(bytes: &[u8], depth: u32) -> bool {
    let options = ReadOptions { depth, ..ReadOptions::default() };
    let mut source = MsgpackSource::over(Part::whole(bytes), options);
    source.pass_one().is_ok() && source.end().is_ok()
}

impl<D: Drain> Sink for MsgpackSink<D> {
    #[inline(always)]
    fn null(&mut self) -> Result<()> {
        append_fixed(self.scalar("null")?, [0xc0]);
        Ok(())
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        append_fixed(self.scalar("bool")?, [0xc2 + u8::from(value)]);
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match (value.to_i64(), value.to_u64()) {
            (Some(value), _) => self.write_i64(value),
            (None, Some(value)) => self.u64(value),
            _ => Err(too_large(value)),
        }
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.write_i64(value)
    }

    #[inline(always)]
    fn u64(&mut self, value: u64) -> Result<()> {
        write_unsigned(self.scalar("int")?, value);
        Ok(())
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        append_number(self.scalar("float")?, 0xcb, value.to_be_bytes());
        Ok(())
    }

    #[inline(always)]
    fn float32(&mut self, value: f32) -> Result<()> {
        append_number(self.scalar("float")?, 0xca, value.to_be_bytes());
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, value: &str) -> Result<()> {
        self.counted(Counted::Text, "text", value.as_bytes())
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.counted(Counted::Bytes, "bytes", value)
    }

    #[inline(always)] // passed in memory, the parts would be loaded again before they are there
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        let at = at.with_offset(offset);
        if timestamp::write(at, self.scalar("instant")?) { Ok(()) } else { Err(beyond_utc(at)) }
    }

    #[inline(always)] // as an instant
    fn date(&mut self, value: Date) -> Result<()> {
        self.moment(&value)
    }

    #[inline(always)] // as an instant
    fn time(&mut self, value: Time) -> Result<()> {
        self.moment(&value)
    }

    #[inline(always)] // as an instant
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.moment(&at)
    }

    #[inline]
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.counted(Counted::Text, "text", value.to_short_text().as_bytes())
    }

    #[inline]
    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.open(Counted::Array, "list", len, 0)
    }

    #[inline(always)]
    fn item(&mut self) -> Result<()> {
        self.next_child();
        Ok(())
    }

    #[inline]
    fn end_list(&mut self) -> Result<()> {
        self.close("list")
    }

    #[inline]
    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.open(Counted::Map, "map", len, 0)
    }

    #[inline]
    fn entry(&mut self) -> Result<()> {
        self.next_child();
        self.key = true;
        Ok(())
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        self.key = false;
        Ok(())
    }

    #[inline]
    fn end_map(&mut self) -> Result<()> {
        self.close("map")
    }

    #[inline]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        verify_notes::<MsgpackCodec>(record)?;
        self.is_ext = is_ext(record);
        self.open(Counted::Map, "map", None, record.fields().len())
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.next_child();
        write_field(&mut self.output.buffer, record, index);
        Ok(())
    }

    fn stated(&mut self, shape: &Shape) -> Result<()> {
        self.is_ext = is_ext_shape(shape);
        Ok(())
    }

    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        let is_list_of_sequence = self.options.sequence && self.open.depth() == 0;
        let is_record = bytes.first().copied().is_some_and(begins_map);
        if format != "msgpack" || self.key || is_list_of_sequence || self.in_sequence() && !is_record {
            return Ok(false);
        }
        // A whole document may be a sequence, which is no value inside another one.
        let depth = self.options.depth.saturating_sub(u32::try_from(self.open.depth()).unwrap_or(u32::MAX));
        let fits = is_one_value(bytes, depth);
        if fits {
            self.output.buffer.extend_from_slice(bytes);
        }
        Ok(fits)
    }

    fn commit(&mut self) -> Result<()> {
        let mut is_held = self.output.is_paused() || self.open.iter().any(Frame::is_pending);
        let in_ext = self.open.iter().any(|frame| frame.end == End::Ext);
        if is_held && !in_ext && self.output.is_worth_writing() && self.output.can_patch() {
            self.reserve();
            is_held = false;
        }
        if is_held || in_ext {
            // Its children can't be drained before its header is known.
            self.output.hold()?;
        } else {
            self.widen();
            let len = self.output.buffer.len();
            self.output.commit()?;
            if self.output.buffer.len() < len {
                for frame in self.open.iter_mut().filter(|frame| frame.end == End::Announced) {
                    frame.end = End::Gone;
                }
            }
        }
        self.saved.open.clone_from(&self.open);
        self.saved.key = self.key;
        self.saved.wide = self.wide.len();
        self.saved.spliced = self.spliced;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.output.rollback();
        self.open.clone_from(&self.saved.open);
        self.key = self.saved.key;
        self.wide.truncate(self.saved.wide);
        self.spliced = self.saved.spliced;
        self.is_ext = false;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if let Some(frame) = self.open.iter().find(|frame| frame.of.is_some()) {
            let kind = if frame.of == Some(Counted::Map) { "map" } else { "list" };
            return Err(Error::new(ErrorKind::Encode, format!("the {kind} has not ended")));
        }
        self.widen();
        self.output.finish()
    }
}
