//! Reads CBOR.

mod chunks;
mod fault;
mod field;
mod item;
mod parts;
mod short;
mod skip;
mod tagged;
mod take;

use super::head::{BREAK, Head, Length};
use super::record::is_tag;
use super::tag::Tag as KindTag;
use super::{CborCodec, ReadOptions};
use crate::binary::{Frame, Input, Left, Stack, Within, narrow, shared_inherent, shared_methods};
use crate::codec::verify_notes;
use crate::json::RepeatedKeys;
use crate::stream::Part;
use demat_core::derived::{decimal_of_text, text_as};
use demat_core::scalar::{Date, Decimal, Instant, Int, Uuid};
use demat_core::{
    Error, ErrorKind, KeyPattern, Kind, Mark, Position, Record, Result, Shape, Shaped, Source, Text, Token, Value,
};
use item::Item;
use parts::Part as TagPart;
pub(super) use skip::Open;
use std::borrow::Cow;
use tagged::Tagged;

/// A [`Source`] of CBOR in a slice.
///
/// Text and bytes are borrowed from the slice, unless they are in chunks.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::cbor::CborSource;
/// let mut source = CborSource::new(b"\x81\x61a");
/// assert_eq!(source.list()?, None);
/// assert!(source.item()?);
/// assert_eq!(&*source.text()?, "a");
/// assert!(!source.item()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct CborSource<'a> {
    input: Input<'a>,
    options: ReadOptions,
    at: usize,
    /// The start of the last value that was read.
    start: usize,
    stack: Stack<'a>,
    /// The open containers of `skip`, kept to reuse the memory.
    open: Vec<Open>,
    /// The last text that was in chunks.
    scratch: String,
}

shared_inherent!(CborSource, Open);

impl<'a> CborSource<'a> {
    fn with(part: Part<'a>, options: ReadOptions, stack: Stack<'a>) -> Self {
        let (open, scratch) = (Vec::new(), String::new());
        Self { input: Input::new(part), options, at: 0, start: 0, stack, open, scratch }
    }

    /// Whether the source is at the start of a sequence that the options announce.
    fn at_sequence(&self) -> bool {
        self.options.sequence && self.at_start()
    }

    /// Returns the current item. Consumes nothing.
    #[inline]
    fn here(&mut self) -> Result<Item> {
        self.start = self.at;
        self.item_at(self.at)
    }

    /// Steps to the next child of the innermost container, or out of it.
    #[inline]
    fn next_child(&mut self) -> Result<bool> {
        let Some(frame) = self.stack.top() else {
            return Err(Error::new(ErrorKind::Internal, "a child was read outside of all containers"));
        };
        match (&mut frame.left, frame.within) {
            (Left::Count(0), _) => {}
            (Left::Count(left), _) => {
                *left -= 1;
                return Ok(true);
            }
            (Left::Mark, Within::Sequence) => return self.next_of_sequence(),
            (Left::Mark, _) => match self.input.byte(self.at) {
                Some(BREAK) => self.at += 1,
                Some(_) => return Ok(true),
                None => {
                    self.start = self.at;
                    return Err(self.input.ended("a value or a break"));
                }
            },
        }
        self.stack.leave();
        self.start = self.at;
        Ok(false)
    }

    fn next_of_sequence(&mut self) -> Result<bool> {
        self.start = self.at;
        if self.at < self.input.bytes().len() {
            if self.options.sequence || self.begins_map(self.at)? {
                return Ok(true);
            }
            return Err(self.other_kind(self.at, "a record or the end of input").with_kind(ErrorKind::Syntax));
        }
        if !self.input.is_last() {
            return Err(self.input.ended("a value"));
        }
        self.stack.leave();
        Ok(false)
    }

    /// Enters the map here, whatever tags it has; or a tag, where its content is no map.
    fn enter_map(&mut self) -> Result<Option<usize>> {
        let Item::Plain(Head::Map(count), end) = self.here()? else {
            return if self.enter_parts()? { Ok(Some(2)) } else { Err(self.mismatch("record")) };
        };
        self.enter(end, Within::Map, left(count))?;
        Ok(count.and_then(|count| self.input.known(end, count, 2)))
    }

    /// Reads a value with a meaningful tag.
    fn take_tagged(&mut self, tag: KindTag, at: usize) -> Result<Tagged> {
        let (value, end) = self.tagged(tag, at)?;
        self.at = end;
        Ok(value)
    }

    /// Checks that a conversion to float did not overflow.
    fn finite(&self, float: f64) -> Result<f64> {
        if float.is_finite() {
            return Ok(float);
        }
        Err(Error::mismatch(ErrorKind::Constraint, "float64", "a larger number").at(self.position()))
    }
}

/// Returns how a container with this count ends.
fn left(count: Length) -> Left {
    count.map_or(Left::Mark, Left::Count)
}

/// Returns -1 minus this.
fn negative(value: u64) -> Int<'static> {
    match i64::try_from(value) {
        Ok(value) => Int::from(-1 - value),
        Err(_) => Int::Big(Cow::Owned(format!("-{}", u128::from(value) + 1))),
    }
}

#[allow(clippy::cast_precision_loss)] // rounds on purpose
fn negative_float(value: u64) -> f64 {
    -((u128::from(value) + 1) as f64)
}

impl<'a> Source<'a> for CborSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        if self.at_sequence() {
            return Ok(Kind::List);
        }
        if self.is_kept_tag()? {
            return Ok(if self.is_sequence()? { Kind::List } else { Kind::Map });
        }
        match self.here()?.kind() {
            Some(Kind::Map) if self.is_sequence()? => Ok(Kind::List),
            Some(kind) => Ok(kind),
            None => Err(self.other_kind(self.at, "a value that Demat has a kind for")),
        }
    }

    #[inline]
    fn take(&mut self) -> Result<Token<'a, '_>> {
        self.take_value()
    }

    #[inline]
    fn key_is(&mut self, key: &str, token: &KeyPattern) -> bool {
        self.pass_key(key, token)
    }

    #[inline]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.read_field(record, expected)
    }

    fn null(&mut self) -> Result<bool> {
        // Neither the specification's null nor a tag.
        if self.at_sequence() || self.input.byte(self.at).is_some_and(|first| first < 0xc0) {
            return Ok(false);
        }
        let Item::Plain(Head::Null, end) = self.here()? else { return Ok(false) };
        self.at = end;
        Ok(true)
    }

    fn bool(&mut self) -> Result<bool> {
        let Item::Plain(Head::Bool(value), end) = self.here()? else { return Err(self.mismatch("bool")) };
        self.at = end;
        Ok(value)
    }

    fn int(&mut self) -> Result<Int<'a>> {
        let (int, end) = match self.here()? {
            Item::Plain(Head::Unsigned(value), end) => (Int::from(value), end),
            Item::Plain(Head::Negative(value), end) => (negative(value), end),
            Item::Tagged(tag @ (KindTag::Positive | KindTag::Negative), at) => match self.tagged(tag, at)? {
                (Tagged::Int(int), end) => (int, end),
                _ => return Err(self.mismatch("int")),
            },
            Item::Part(TagPart::Number(number)) => (Int::from(number), self.at),
            _ => return Err(self.mismatch("int")),
        };
        self.at = end;
        Ok(int)
    }

    #[inline]
    fn i64(&mut self) -> Result<i64> {
        if let Some(int) = self.try_i64()? {
            return Ok(int);
        }
        // A tag may stand around a small number, too.
        let int = self.int()?;
        int.to_i64().ok_or_else(|| Error::expected("int64", int.to_string()).at(self.position()))
    }

    #[inline]
    fn try_i64(&mut self) -> Result<Option<i64>> {
        if let Some(int) = self.short_int() {
            return Ok(Some(int));
        }
        let (int, end) = match self.here()? {
            Item::Plain(Head::Unsigned(value), end) => (i64::try_from(value), end),
            // The bits of -1 minus the value.
            Item::Plain(Head::Negative(value), end) => (i64::try_from(value).map(|value| !value), end),
            Item::Tagged(KindTag::Positive | KindTag::Negative, _) | Item::Part(TagPart::Number(_)) => return Ok(None),
            _ => return Err(self.mismatch("int")),
        };
        let Ok(int) = int else { return Ok(None) };
        self.at = end;
        Ok(Some(int))
    }

    fn int_bytes(&mut self) -> Result<Option<(Cow<'a, [u8]>, bool)>> {
        let Item::Tagged(tag @ (KindTag::Positive | KindTag::Negative), at) = self.here()? else { return Ok(None) };
        let (bytes, end) = self.bignum_bytes(at)?;
        self.at = end;
        Ok(Some((bytes, tag == KindTag::Negative)))
    }

    #[allow(clippy::cast_precision_loss)] // rounds on purpose
    fn float(&mut self) -> Result<f64> {
        if let Some(float) = self.double() {
            return Ok(float);
        }
        let (float, end) = match self.here()? {
            Item::Plain(Head::Double(value) | Head::Half(value), end) => (value, end),
            Item::Plain(Head::Single(value), end) => (value.into(), end),
            Item::Plain(Head::Unsigned(value), end) => (value as f64, end),
            Item::Plain(Head::Negative(value), end) => (negative_float(value), end),
            Item::Tagged(tag, at) if tag.is_number() => match self.tagged(tag, at)? {
                (Tagged::Int(int), end) => (self.finite(int.to_f64())?, end),
                (Tagged::Decimal(decimal), end) => (self.finite(decimal.to_f64())?, end),
                _ => return Err(self.mismatch("float")),
            },
            _ => return Err(self.mismatch("float")),
        };
        self.at = end;
        Ok(float)
    }

    #[allow(clippy::cast_precision_loss)] // as above
    fn float32(&mut self) -> Result<f32> {
        let (float, end) = match self.here()? {
            Item::Plain(Head::Single(value), end) => (value, end),
            Item::Plain(Head::Unsigned(value), end) => (value as f32, end),
            Item::Plain(Head::Negative(value), end) => (-((u128::from(value) + 1) as f32), end),
            _ => {
                let wide = self.float()?;
                return narrow(wide).map_err(|error| error.at(self.position()));
            }
        };
        self.at = end;
        Ok(float)
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        if let Some(text) = self.short_text() {
            return Ok(Text::Input(text));
        }
        match self.here()? {
            Item::Plain(Head::Text(Some(len)), end) => {
                let text = self.input.text(end, len)?;
                self.at = end + text.len();
                Ok(Text::Input(text))
            }
            Item::Plain(Head::Text(None), end) => {
                let mut scratch = core::mem::take(&mut self.scratch);
                scratch.clear();
                let ended = self.chunks_of_text(end, |chunk| scratch.push_str(chunk));
                self.scratch = scratch;
                self.at = ended?;
                Ok(Text::Scratch(&self.scratch))
            }
            Item::Part(TagPart::Key(key)) => {
                self.pass_part_key()?;
                Ok(Text::Input(key))
            }
            _ => Err(self.mismatch("text")),
        }
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        let Item::Plain(Head::Bytes(len), end) = self.here()? else { return Err(self.mismatch("bytes")) };
        let (content, end) = self.bytes_at(end, len)?;
        self.at = end;
        Ok(content)
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        match self.here()? {
            Item::Plain(Head::Unsigned(_) | Head::Negative(_), _) => self.int().map(Decimal::from_int),
            Item::Tagged(tag, at) if tag.is_number() => match self.take_tagged(tag, at)? {
                Tagged::Int(int) => Ok(Decimal::from_int(int)),
                Tagged::Decimal(decimal) => Ok(decimal),
                _ => Err(self.mismatch("decimal")),
            },
            Item::Plain(Head::Text(_), _) => decimal_of_text(self),
            _ => Err(self.mismatch("decimal")),
        }
    }

    fn date(&mut self) -> Result<Date> {
        match self.here()? {
            Item::Tagged(tag @ (KindTag::Days | KindTag::Date), at) => match self.take_tagged(tag, at)? {
                Tagged::Date(date) => Ok(date),
                _ => Err(self.mismatch("date")),
            },
            Item::Plain(Head::Text(_), _) => text_as(self, "date", "`date` as YYYY-MM-DD", Date::parse),
            _ => Err(self.mismatch("date")),
        }
    }

    fn instant(&mut self) -> Result<Instant> {
        match self.here()? {
            Item::Tagged(tag @ (KindTag::DateTime | KindTag::Epoch), at) => match self.take_tagged(tag, at)? {
                Tagged::Instant(instant) => Ok(instant),
                _ => Err(self.mismatch("instant")),
            },
            Item::Plain(Head::Text(_), _) => text_as(self, "instant", "`instant` as RFC 3339", Instant::parse),
            _ => Err(self.mismatch("instant")),
        }
    }

    fn uuid(&mut self) -> Result<Uuid> {
        match self.here()? {
            Item::Tagged(KindTag::Uuid, at) => match self.take_tagged(KindTag::Uuid, at)? {
                Tagged::Uuid(uuid) => Ok(uuid),
                _ => Err(self.mismatch("uuid")),
            },
            Item::Plain(Head::Bytes(len), end) => {
                let (uuid, end) = self.uuid_at(end, len)?;
                self.at = end;
                Ok(uuid)
            }
            Item::Plain(Head::Text(_), _) => text_as(self, "uuid", "uuid", Uuid::parse),
            _ => Err(self.mismatch("uuid")),
        }
    }

    /// Returns no length for the outermost list: a copy may leave items out, so a sink must not rely on it.
    fn list(&mut self) -> Result<Option<usize>> {
        if self.at_sequence() {
            self.enter(0, Within::Sequence, Left::Mark)?;
            return Ok(None);
        }
        let outermost = self.stack.depth() == 0;
        match self.here()? {
            Item::Plain(Head::Array(count), end) => {
                self.enter(end, Within::Array, left(count))?;
                Ok(count.filter(|_| !outermost).and_then(|count| self.input.known(end, count, 1)))
            }
            Item::Plain(Head::Map(_), _) if self.at_start() => {
                self.enter(0, Within::Sequence, Left::Mark)?;
                Ok(None)
            }
            _ => Err(self.mismatch("list")),
        }
    }

    fn record(&mut self, record: &Record) -> Result<()> {
        verify_notes::<CborCodec>(record)?;
        if is_tag(record) && self.enter_parts()? {
            return Ok(());
        }
        // The type knows whether it has a tag.
        self.enter_map().map(drop)
    }

    fn stated(&mut self) -> Result<Option<Shape>> {
        let is_tag = self.is_kept_tag()? && !self.is_sequence()?;
        Ok(is_tag.then(|| super::Tag::<Value>::SHAPE.clone()))
    }

    fn map(&mut self) -> Result<Option<usize>> {
        if self.is_kept_tag()? && self.enter_parts()? {
            return Ok(Some(2));
        }
        self.enter_map()
    }

    fn skip(&mut self) -> Result<()> {
        match self.part()? {
            Some(part) => self.skip_part(part),
            None => self.pass(),
        }
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        if let Some(part) = self.part()? {
            return self.span_of_part(part);
        }
        let begin = self.at;
        self.skip()?;
        Ok(Cow::Borrowed(self.input.bytes().get(begin..self.at).unwrap_or_default()))
    }

    shared_methods! {}

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        self.start = self.at;
        self.other_kind(self.at, expected)
    }
}
