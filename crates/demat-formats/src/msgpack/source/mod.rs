//! Reads MessagePack.

mod fault;
mod field;
mod parts;
mod short;
mod skip;
mod take;

use super::ext::ext_at;
use super::head::{Head, NIL, UNUSED, begins_map, head};
use super::timestamp::{self, TIMESTAMP};
use super::{Ext, MsgpackCodec, ReadOptions};
use crate::binary::{Frame, Input, Left, Stack, Within, narrow, shared_inherent, shared_methods};
use crate::codec::verify_notes;
use crate::json::RepeatedKeys;
use crate::stream::Part;
use demat_core::derived::text_as;
use demat_core::scalar::{Decimal, Instant, Int, Uuid};
use demat_core::{
    Error, ErrorKind, KeyPattern, Kind, Mark, Position, Record, Result, Shape, Shaped, Source, Text, Token,
};
use fault::kind_of;
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
    input: Input<'a>,
    options: ReadOptions,
    at: usize,
    /// The start of the last value that was read.
    start: usize,
    stack: Stack<'a>,
    /// The open containers of `skip`, kept to reuse the memory.
    open: Vec<u64>,
}

shared_inherent!(MsgpackSource, u64);

impl<'a> MsgpackSource<'a> {
    fn with(part: Part<'a>, options: ReadOptions, stack: Stack<'a>) -> Self {
        Self { input: Input::new(part), options, at: 0, start: 0, stack, open: Vec::new() }
    }

    /// Returns the head of the current value, and its end. Consumes nothing.
    #[inline]
    fn head(&mut self) -> Result<(Head, usize)> {
        self.start = self.at;
        head(self.input.bytes(), self.at).map_err(|fault| self.no_head(self.at, fault))
    }

    #[inline(always)]
    fn read_text(&mut self) -> Result<&'a str> {
        match self.short_text() {
            Some(text) => Ok(text),
            None => self.other_text(),
        }
    }

    #[inline(never)]
    fn other_text(&mut self) -> Result<&'a str> {
        match self.head()? {
            (Head::Str(len), end) => {
                let text = self.input.text(end, len.into())?;
                self.at = end + text.len();
                Ok(text)
            }
            (Head::Ext(..), _) => self.key_of_part(),
            _ => Err(self.mismatch("text")),
        }
    }

    /// As [`i64`](Source::i64), for any head.
    #[inline(never)]
    fn other_i64(&mut self) -> Result<i64> {
        let (int, end) = match self.head()? {
            (Head::Unsigned(value), end) if i64::try_from(value).is_ok() => (value.cast_signed(), end),
            (Head::Signed(value), end) => (value, end),
            (Head::Ext(..), _) => return self.code_of_part().map(i64::from),
            _ => {
                let int = self.int()?;
                return Err(Error::expected("int64", int.to_string()).at(self.position()));
            }
        };
        self.at = end;
        Ok(int)
    }

    /// As [`float`](Source::float), for any head.
    #[allow(clippy::cast_precision_loss)] // rounds on purpose
    #[inline(never)]
    fn other_float(&mut self) -> Result<f64> {
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

    /// As [`list`](Source::list), for any head.
    #[inline(never)]
    fn other_list(&mut self) -> Result<Option<usize>> {
        let outermost = self.stack.depth() == 0;
        match self.head()? {
            (Head::Array(count), end) => {
                self.enter(end, Within::Array, Left::Count(count.into()))?;
                Ok(if outermost { None } else { self.input.known(end, count.into(), 1) })
            }
            (Head::Map(_), _) if self.at_start() => {
                self.enter(0, Within::Sequence, Left::Mark)?;
                Ok(None)
            }
            _ => Err(self.mismatch("list")),
        }
    }

    /// As [`map`](Source::map), for any head.
    #[inline(never)]
    fn other_map(&mut self) -> Result<Option<usize>> {
        match self.head()? {
            (Head::Map(count), end) => {
                self.enter(end, Within::Map, Left::Count(count.into()))?;
                Ok(self.input.known(end, count.into(), 2))
            }
            (Head::Ext(..), _) => self.enter_parts(),
            _ => Err(self.mismatch("record")),
        }
    }

    #[cold]
    fn no_timestamp(&self, at: usize) -> Error {
        let expected = "a timestamp of 4, 8 or 12 bytes in the years 1 to 9999";
        Error::mismatch(ErrorKind::Constraint, expected, "another one").at(self.input.position_of(at))
    }

    /// Steps to the next child of the innermost container, or out of it.
    #[inline(always)]
    fn next_child(&mut self) -> Result<bool> {
        let Some(frame) = self.stack.top() else {
            return Err(Error::new(ErrorKind::Internal, "a child was read outside of all containers"));
        };
        match &mut frame.left {
            Left::Mark => return self.next_of_sequence(),
            Left::Count(0) => {}
            Left::Count(left) => {
                *left -= 1;
                return Ok(true);
            }
        }
        self.stack.leave();
        self.start = self.at;
        Ok(false)
    }

    #[inline(never)]
    fn next_of_sequence(&mut self) -> Result<bool> {
        self.start = self.at;
        match self.input.byte(self.at) {
            Some(byte) if begins_map(byte) => Ok(true),
            Some(_) => Err(self.other_kind(self.at, "a record or the end of input").with_kind(ErrorKind::Syntax)),
            None if self.input.is_last() => {
                self.stack.leave();
                Ok(false)
            }
            None => Err(self.input.ended("a record")),
        }
    }
}

impl<'a> Source<'a> for MsgpackSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        let (head, _) = self.head()?;
        match kind_of(head) {
            Some(Kind::Map) if self.is_sequence()? => Ok(Kind::List),
            Some(kind) => Ok(kind),
            None => Ok(self.kind_of_part()),
        }
    }

    #[inline]
    fn take(&mut self) -> Result<Token<'a, '_>> {
        self.take_value()
    }

    #[inline]
    fn key_is(&mut self, key: &str, token: &KeyPattern) -> bool {
        let Some(Left::Count(left @ 1..)) = self.stack.top().map(|frame| frame.left) else { return false };
        let Some(end) = self.end_of_key(key, token) else { return false };
        if let Some(frame) = self.stack.top() {
            frame.left = Left::Count(left - 1);
        }
        (self.start, self.at) = (self.at, end);
        true
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.read_field(record, expected)
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        self.start = self.at;
        match self.input.byte(self.at) {
            Some(NIL) => {
                self.at += 1;
                Ok(true)
            }
            Some(byte) if byte != UNUSED => Ok(false),
            _ => self.head().map(|_| false),
        }
    }

    #[inline]
    fn bool(&mut self) -> Result<bool> {
        if let Some(byte @ (0xc2 | 0xc3)) = self.input.byte(self.at) {
            self.start = self.at;
            self.at += 1;
            return Ok(byte == 0xc3);
        }
        let (Head::Bool(value), end) = self.head()? else { return Err(self.mismatch("bool")) };
        self.at = end;
        Ok(value)
    }

    fn int(&mut self) -> Result<Int<'a>> {
        let (int, end) = match self.head()? {
            (Head::Unsigned(value), end) => (Int::from(value), end),
            (Head::Signed(value), end) => (Int::from(value), end),
            (Head::Ext(..), _) => return self.code_of_part().map(|code| Int::from(i64::from(code))),
            _ => return Err(self.mismatch("int")),
        };
        self.at = end;
        Ok(int)
    }

    #[inline(always)]
    fn i64(&mut self) -> Result<i64> {
        match self.short_int() {
            Some(int) => Ok(int),
            None => self.other_i64(),
        }
    }

    #[inline(always)]
    fn float(&mut self) -> Result<f64> {
        match self.short_float() {
            Some(float) => Ok(float),
            None => self.other_float(),
        }
    }

    #[allow(clippy::cast_precision_loss)] // as above
    fn float32(&mut self) -> Result<f32> {
        let (float, end) = match self.head()? {
            (Head::Float32(value), end) => (value, end),
            (Head::Unsigned(value), end) => (value as f32, end),
            (Head::Signed(value), end) => (value as f32, end),
            (Head::Float64(value), end) => (narrow(value).map_err(|error| error.at(self.position()))?, end),
            _ => return Err(self.mismatch("float")),
        };
        self.at = end;
        Ok(float)
    }

    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        self.read_text().map(Text::Input)
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        match self.head()? {
            (Head::Bin(len), end) => {
                let content = self.input.content(end, len.into(), "bytes")?;
                self.at = end + content.len();
                Ok(Cow::Borrowed(content))
            }
            (Head::Ext(..), _) => self.content_of_part(),
            _ => Err(self.mismatch("bytes")),
        }
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        let digits = match self.head()? {
            (Head::Unsigned(value), end) => (value.to_string(), end),
            (Head::Signed(value), end) => (value.to_string(), end),
            (Head::Str(len), end) => {
                let text = self.input.text(end, len.into())?;
                let decimal = Decimal::parse(text);
                self.at = end + text.len();
                return decimal.ok_or_else(|| Error::other_text("decimal", text).at(self.position()));
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
                let content = self.input.content(end, len.into(), "a timestamp")?;
                let instant = timestamp::read(content).ok_or_else(|| self.no_timestamp(self.at))?;
                self.at = end + content.len();
                Ok(instant)
            }
            (Head::Str(_), _) => text_as(self, "instant", "`instant` as RFC 3339", Instant::parse),
            _ => Err(self.mismatch("instant")),
        }
    }

    fn uuid(&mut self) -> Result<Uuid> {
        match self.head()? {
            (Head::Bin(len), end) => {
                let content = self.input.content(end, len.into(), "bytes")?;
                let Ok(uuid) = content.try_into() else {
                    let found = format!("bytes of length {len}");
                    return Err(Error::expected("`uuid` of 16 bytes", found).at(self.position()));
                };
                self.at = end + content.len();
                Ok(Uuid(uuid))
            }
            (Head::Str(_), _) => text_as(self, "uuid", "uuid", Uuid::parse),
            _ => Err(self.mismatch("uuid")),
        }
    }

    /// Returns no length for the outermost list: a copy may leave items out, so a sink must not rely on it.
    #[inline(always)]
    fn list(&mut self) -> Result<Option<usize>> {
        let outermost = self.stack.depth() == 0;
        match self.short_list() {
            Some(count) if !outermost => Ok(self.input.known(self.at, count as u64, 1)),
            Some(_) => Ok(None),
            None => self.other_list(),
        }
    }

    #[inline(always)]
    fn map(&mut self) -> Result<Option<usize>> {
        match self.short_map() {
            Some(count) => Ok(self.input.known(self.at, count as u64, 2)),
            None => self.other_map(),
        }
    }

    #[inline(always)]
    fn goes_on_as_record(&self) -> bool {
        true
    }

    #[inline(always)]
    fn record(&mut self, record: &Record) -> Result<()> {
        verify_notes::<MsgpackCodec>(record)?;
        match self.short_map() {
            Some(_) => Ok(()),
            None => self.other_map().map(drop),
        }
    }

    fn stated(&mut self) -> Result<Option<Shape>> {
        Ok(match ext_at(self.input.bytes(), self.at) {
            Some(_) if self.part().is_none() => Some(Ext::SHAPE.clone()),
            _ => None,
        })
    }

    fn skip(&mut self) -> Result<()> {
        if let Some(part) = self.part() {
            return self.skip_part(part);
        }
        self.pass()
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        if let Some(part) = self.part() {
            return self.span_of_part(part);
        }
        let begin = self.at;
        self.skip()?;
        Ok(Cow::Borrowed(&self.input.bytes()[begin..self.at]))
    }

    shared_methods! {}

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        self.start = self.at;
        if let Some(part) = self.part() {
            return Error::expected(expected, Self::name_of_part(part)).at(self.position());
        }
        self.other_kind(self.at, expected)
    }
}
