//! Reading MessagePack.

mod fault;
mod frame;
mod skip;

pub(super) use frame::Frame;

use super::ReadOptions;
use super::head::{Head, begins_map, head};
use super::timestamp::{self, TIMESTAMP};
use crate::json::RepeatedKeys;
use crate::stream::Part;
use demat_core::scalar::{Decimal, Instant, Int, Uuid};
use demat_core::{Error, ErrorKind, Kind, Mark, Position, Result, Source, Text};
use fault::kind_of;
use frame::{Frames, Within};
use std::borrow::Cow;

/// A [`Source`] of MessagePack in a slice.
///
/// Text and bytes are borrowed from the slice.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::msgpack::MsgpackSource;
/// let mut source = MsgpackSource::new(b"\x91\xa1a");
/// assert_eq!(source.list()?, None);
/// assert!(source.item()?);
/// assert_eq!(&*source.text()?, "a");
/// assert!(!source.item()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct MsgpackSource<'a> {
    part: Part<'a>,
    options: ReadOptions,
    at: usize,
    /// Where the value that was asked for last begins.
    start: usize,
    /// The first `depth` of them are open. Those behind are kept for a reset to a mark in them.
    frames: Frames<'a>,
    depth: usize,
    /// What `skip` counts in.
    open: Vec<u64>,
}

/// The bits of a mark's first word that say what it stands in.
const WITHIN: u32 = 30;

impl<'a> MsgpackSource<'a> {
    /// Returns a source of a whole document.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::over(Part::whole(bytes), ReadOptions::default())
    }

    /// Returns a source over a part of a document.
    pub fn over(part: Part<'a>, options: ReadOptions) -> Self {
        Self::with(part, options, Frames::Own(Vec::new()))
    }

    /// Returns a source that can be reset to marks of an earlier one which had the same frames.
    pub(super) fn continued(part: Part<'a>, options: ReadOptions, frames: &'a mut Vec<Frame>) -> Self {
        Self::with(part, options, Frames::Shared(frames))
    }

    fn with(part: Part<'a>, options: ReadOptions, frames: Frames<'a>) -> Self {
        Self { part, options, at: 0, start: 0, frames, depth: 0, open: Vec::new() }
    }

    /// Whether nothing was read yet.
    fn at_start(&self) -> bool {
        self.depth == 0 && self.at == 0 && self.part.base.offset == 0
    }

    /// The head of the value that stands here, and where it ends. Consumes nothing.
    #[inline]
    fn head(&mut self) -> Result<(Head, usize)> {
        self.start = self.at;
        head(self.part.bytes, self.at).map_err(|fault| self.no_head(self.at, fault))
    }

    /// The content of a value, which has so many bytes.
    #[inline]
    fn content(&self, at: usize, len: u32, expected: &'static str) -> Result<&'a [u8]> {
        let end = usize::try_from(len).ok().and_then(|len| at.checked_add(len));
        end.and_then(|end| self.part.bytes.get(at..end)).ok_or_else(|| self.cut_short(at, len, expected))
    }

    #[cold]
    fn cut_short(&self, at: usize, len: u32, expected: &'static str) -> Error {
        let error = self.ended(expected);
        if error.signal().is_some() {
            return error;
        }
        let there = self.part.bytes.len() - at;
        let (expected, found) = (format!("{expected} of {len} bytes"), format!("{there} bytes and the end of input"));
        Error::mismatch(ErrorKind::Syntax, expected, found).at(self.position_of(self.part.bytes.len()))
    }

    #[inline]
    fn text_at(&self, at: usize, len: u32) -> Result<&'a str> {
        let content = self.content(at, len, "text")?;
        core::str::from_utf8(content).map_err(|error| {
            let bad = error.valid_up_to();
            let found = format!("byte 0x{:02x}", content[bad]);
            self.unexpected(at + bad, "text in UTF-8", found)
        })
    }

    #[cold]
    fn no_timestamp(&self, at: usize) -> Error {
        let expected = "a timestamp of 4, 8 or 12 bytes in the years 1 to 9999";
        Error::mismatch(ErrorKind::Constraint, expected, "another one").at(self.position_of(at))
    }

    /// Steps into a container whose children begin at `at`.
    fn enter(&mut self, at: usize, within: Within, left: u32) -> Result<()> {
        if self.depth >= self.options.depth as usize {
            return Err(self.too_deep(self.at));
        }
        let frame = Frame { within, left };
        match self.frames.get_mut(self.depth) {
            Some(place) => *place = frame,
            None => self.frames.push(frame),
        }
        self.depth += 1;
        self.at = at;
        Ok(())
    }

    /// A count, if the bytes that are left can hold so many children of at least so many bytes each.
    fn known(&self, count: u32, each: usize) -> Option<usize> {
        let left = self.part.bytes.len() - self.at;
        usize::try_from(count).ok().filter(|count| count.checked_mul(each).is_some_and(|bytes| bytes <= left))
    }

    /// Steps to the next child of the innermost container, or out of it.
    #[inline]
    fn next_child(&mut self) -> Result<bool> {
        let Some(frame) = self.depth.checked_sub(1).and_then(|last| self.frames.get_mut(last)) else {
            return Err(Error::new(ErrorKind::Internal, "a child was asked for outside of all containers"));
        };
        if frame.within == Within::Sequence {
            return self.next_of_sequence();
        }
        if let Some(left) = frame.left.checked_sub(1) {
            frame.left = left;
            return Ok(true);
        }
        self.depth -= 1;
        self.start = self.at;
        Ok(false)
    }

    fn next_of_sequence(&mut self) -> Result<bool> {
        self.start = self.at;
        match self.part.bytes.get(self.at) {
            Some(byte) if begins_map(*byte) => Ok(true),
            Some(_) => Err(self.other_kind(self.at, "a record or the end of input").with_kind(ErrorKind::Syntax)),
            None if self.part.last => {
                self.depth -= 1;
                Ok(false)
            }
            None => Err(self.ended("a record")),
        }
    }
}

impl<'a> Source<'a> for MsgpackSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        let (head, _) = self.head()?;
        match kind_of(head) {
            Some(Kind::Map) if self.is_sequence()? => Ok(Kind::List),
            Some(kind) => Ok(kind),
            None => Err(self.other_kind(self.at, "a value that Demat has a kind for")),
        }
    }

    fn null(&mut self) -> Result<bool> {
        let (head, end) = self.head()?;
        let null = head == Head::Nil;
        if null {
            self.at = end;
        }
        Ok(null)
    }

    fn bool(&mut self) -> Result<bool> {
        let (Head::Bool(value), end) = self.head()? else { return Err(self.mismatch("bool")) };
        self.at = end;
        Ok(value)
    }

    fn int(&mut self) -> Result<Int<'a>> {
        let (int, end) = match self.head()? {
            (Head::Unsigned(value), end) => (Int::from(value), end),
            (Head::Signed(value), end) => (Int::from(value), end),
            _ => return Err(self.mismatch("int")),
        };
        self.at = end;
        Ok(int)
    }

    #[allow(clippy::cast_precision_loss)] // to round is what was asked for
    fn float(&mut self) -> Result<f64> {
        let (float, end) = match self.head()? {
            (Head::Float64(value), end) => (value, end),
            (Head::Float32(value), end) => (value.into(), end),
            (Head::Unsigned(value), end) => (value as f64, end),
            (Head::Signed(value), end) => (value as f64, end),
            _ => return Err(self.mismatch("float")),
        };
        self.at = end;
        Ok(float)
    }

    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // as above
    fn float32(&mut self) -> Result<f32> {
        let (float, end) = match self.head()? {
            (Head::Float32(value), end) => (value, end),
            (Head::Unsigned(value), end) => (value as f32, end),
            (Head::Signed(value), end) => (value as f32, end),
            (Head::Float64(value), end) => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Error::expected("float32", value.to_string()).at(self.position()));
                }
                (narrow, end)
            }
            _ => return Err(self.mismatch("float")),
        };
        self.at = end;
        Ok(float)
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        let (Head::Str(len), end) = self.head()? else { return Err(self.mismatch("text")) };
        let text = self.text_at(end, len)?;
        self.at = end + text.len();
        Ok(Text::Input(text))
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        let (Head::Bin(len), end) = self.head()? else { return Err(self.mismatch("bytes")) };
        let content = self.content(end, len, "bytes")?;
        self.at = end + content.len();
        Ok(Cow::Borrowed(content))
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        let digits = match self.head()? {
            (Head::Unsigned(value), end) => (value.to_string(), end),
            (Head::Signed(value), end) => (value.to_string(), end),
            (Head::Str(len), end) => {
                let text = self.text_at(end, len)?;
                let decimal = Decimal::parse(text);
                self.at = end + text.len();
                return decimal.ok_or_else(|| Error::expected("decimal", "other text").at(self.position()));
            }
            _ => return Err(self.mismatch("decimal")),
        };
        self.at = digits.1;
        let decimal = Decimal::parse(&digits.0).map(Decimal::into_owned);
        decimal.ok_or_else(|| Error::expected("decimal", "int").at(self.position()))
    }

    fn instant(&mut self) -> Result<Instant> {
        match self.head()? {
            (Head::Ext(TIMESTAMP, len), end) => {
                let content = self.content(end, len, "a timestamp")?;
                let instant = timestamp::read(content).ok_or_else(|| self.no_timestamp(self.at))?;
                self.at = end + content.len();
                Ok(instant)
            }
            (Head::Str(_), _) => {
                let instant = Instant::parse(&self.text()?);
                instant.ok_or_else(|| Error::expected("`instant` as RFC 3339", "other text").at(self.position()))
            }
            _ => Err(self.mismatch("instant")),
        }
    }

    fn uuid(&mut self) -> Result<Uuid> {
        match self.head()? {
            (Head::Bin(len), end) => {
                let content = self.content(end, len, "bytes")?;
                let Ok(uuid) = content.try_into() else {
                    let found = format!("bytes of length {len}");
                    return Err(Error::expected("`uuid` of 16 bytes", found).at(self.position()));
                };
                self.at = end + content.len();
                Ok(Uuid(uuid))
            }
            (Head::Str(_), _) => {
                let uuid = Uuid::parse(&self.text()?);
                uuid.ok_or_else(|| Error::expected("uuid", "other text").at(self.position()))
            }
            _ => Err(self.mismatch("uuid")),
        }
    }

    /// Of the outermost list no length is given: a copy may leave items out, and then a sink must not rely on it.
    fn list(&mut self) -> Result<Option<usize>> {
        let outermost = self.depth == 0;
        match self.head()? {
            (Head::Array(count), end) => {
                self.enter(end, Within::Array, count)?;
                Ok(if outermost { None } else { self.known(count, 1) })
            }
            (Head::Map(_), _) if self.at_start() => {
                self.enter(0, Within::Sequence, 0)?;
                Ok(None)
            }
            _ => Err(self.mismatch("list")),
        }
    }

    #[inline]
    fn item(&mut self) -> Result<bool> {
        self.next_child()
    }

    fn map(&mut self) -> Result<Option<usize>> {
        let (Head::Map(count), end) = self.head()? else { return Err(self.mismatch("record")) };
        self.enter(end, Within::Map, count)?;
        Ok(self.known(count, 2))
    }

    #[inline]
    fn entry(&mut self) -> Result<bool> {
        self.next_child()
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        self.start = self.at;
        if self.is_sequence()? {
            self.list()?;
            while self.item()? {
                self.pass_one()?;
            }
            return Ok(());
        }
        self.pass_one()
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        let begin = self.at;
        self.skip()?;
        Ok(Cow::Borrowed(&self.part.bytes[begin..self.at]))
    }

    fn mark(&self) -> Mark {
        let mut state = [self.depth as u32, 0, 0, 0];
        if let Some(frame) = self.depth.checked_sub(1).and_then(|last| self.frames.get(last)) {
            state[0] |= (frame.within as u32) << WITHIN;
            state[1] = frame.left;
        }
        Mark { offset: self.at, state }
    }

    fn reset(&mut self, mark: Mark) {
        let [depth, left, ..] = mark.state;
        self.at = mark.offset;
        self.start = mark.offset;
        self.depth = (depth & ((1 << WITHIN) - 1)) as usize;
        let within = match depth >> WITHIN {
            0 => Within::Array,
            1 => Within::Map,
            _ => Within::Sequence,
        };
        if self.frames.len() < self.depth {
            // Marks of another reader: what it had left of the outer containers is unknown, so their ends are never met.
            self.frames.resize(self.depth, Frame { within: Within::Array, left: u32::MAX });
        }
        if let Some(last) = self.depth.checked_sub(1) {
            self.frames[last] = Frame { within, left };
        }
    }

    fn position(&self) -> Position {
        self.position_of(self.start)
    }

    fn end(&mut self) -> Result<()> {
        match self.part.bytes.get(self.at) {
            None if self.part.last => Ok(()),
            None => Err(self.ended("end of input")),
            Some(byte) => Err(self.unexpected(self.at, "end of input", format!("byte 0x{byte:02x}"))),
        }
    }

    fn repeated(&mut self, key: &str) -> Result<()> {
        if self.options.repeated_keys == RepeatedKeys::LastWins {
            return Ok(());
        }
        let error = Error::new(ErrorKind::Constraint, format!("the key `{key}` stands here again"));
        Err(error.at(self.position()))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        self.start = self.at;
        self.other_kind(self.at, expected)
    }
}
