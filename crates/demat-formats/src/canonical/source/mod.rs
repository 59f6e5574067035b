//! The source for canonical JSON.

mod any;
mod choice;
mod field;
mod format;
mod frame;
mod mark;
mod number;
mod parts;

pub use format::Canonical;

use super::mapping::{KEY, Mapping};
use super::times;
use crate::json::JsonSource;
use demat_core::scalar::{Decimal, Duration, Instant, Int, Offset, Uuid};
use demat_core::{Enum, Error, ErrorKind, Kind, Mark, Position, Record, Result, Source, Text, Token, Union};
use frame::{Frames, Next};
use std::borrow::Cow;
use std::sync::Arc;

/// Options for reading canonical JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Whether unknown fields, and names that an enum lacks, are skipped. By default they are errors.
    pub ignore_unknown: bool,
}

/// A [`Source`] that reads canonical JSON from a JSON source.
#[derive(Debug)]
pub struct CanonicalSource<'a, S = JsonSource<'a>> {
    inner: S,
    mapping: Arc<Mapping>,
    options: ReadOptions,
    frames: Frames<'a>,
    /// The next value, if it is not a plain value of the JSON.
    next: Next,
    /// Whether the next null is a value, and not an absent field.
    holds_null: bool,
    /// The slot of the last field that was read.
    slot: u32,
    /// The identity of the last record that was requested, and its index in the mapping.
    last: (u64, u32),
    /// The number of enclosing JSON objects with fields.
    level: u32,
    /// Whether the outermost object has its `@type` among its fields, as an `Any` has; and how many `Any` messages
    /// enclose this source.
    typed: bool,
    depth: u32,
}

impl<'a, S: Source<'a>> CanonicalSource<'a, S> {
    /// Returns a source for values of the mapping's shape, or for a list of these.
    pub fn new(inner: S, mapping: Arc<Mapping>, options: ReadOptions) -> Self {
        Self::over(inner, mapping, options, Frames::Own(Vec::new()))
    }

    fn over(inner: S, mapping: Arc<Mapping>, options: ReadOptions, frames: Frames<'a>) -> Self {
        Self {
            inner,
            mapping,
            options,
            frames,
            next: Next::Value,
            holds_null: false,
            slot: KEY,
            last: (0, 0),
            level: 0,
            typed: false,
            depth: 0,
        }
    }

    /// Returns the index of a compiled record.
    #[inline]
    fn place(&mut self, record: &Record) -> Result<u32> {
        let id = record.identity();
        if self.last.0 == id {
            return Ok(self.last.1);
        }
        let place = self.mapping.place(record)?;
        self.last = (id, place);
        Ok(place)
    }

    #[cold]
    fn refused(&self, expected: &'static str, found: impl Into<String>) -> Error {
        Error::mismatch(ErrorKind::Constraint, expected, found.into()).at(self.inner.position())
    }
}

impl<'a, S: Source<'a>> Source<'a> for CanonicalSource<'a, S> {
    fn accepts_single(&self) -> bool {
        self.inner.accepts_single()
    }

    fn peek(&mut self) -> Result<Kind> {
        match self.next {
            Next::Int(_) => Ok(Kind::Int),
            Next::Url | Next::Path(_) => Ok(Kind::Text),
            Next::Bytes => Ok(Kind::Bytes),
            Next::Paths => Ok(Kind::List),
            Next::Value | Next::Variant(_) | Next::Kind => self.inner.peek(),
        }
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        if self.holds_null || self.next != Next::Value { Ok(false) } else { self.inner.null() }
    }

    #[inline]
    fn bool(&mut self) -> Result<bool> {
        self.inner.bool()
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.read_int()
    }

    #[inline]
    fn float(&mut self) -> Result<f64> {
        match self.inner.peek()? {
            Kind::Text => self.text_float(),
            _ => self.inner.float(),
        }
    }

    #[inline]
    fn float32(&mut self) -> Result<f32> {
        match self.inner.peek()? {
            Kind::Text => self.text_float32(),
            _ => self.inner.float32(),
        }
    }

    #[inline]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        if self.next == Next::Value { self.inner.text() } else { self.part_text() }
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.read_bytes()
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.inner.decimal()
    }

    fn instant(&mut self) -> Result<Instant> {
        let (seconds, nanos) = self.read_times(times::read_timestamp, "a timestamp as RFC 3339")?;
        let nanos = u32::try_from(nanos).ok();
        let instant = nanos.and_then(|nanos| Instant::from_unix(seconds, nanos, Offset::UTC));
        instant.ok_or_else(|| self.refused("a timestamp as RFC 3339", "one out of range"))
    }

    fn duration(&mut self) -> Result<Duration> {
        let (seconds, nanos) = self.read_times(times::read_duration, "a duration in seconds, as `1.5s`")?;
        let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Duration::from_nanos(total).ok_or_else(|| self.refused("a duration in seconds", "one out of range"))
    }

    fn uuid(&mut self) -> Result<Uuid> {
        self.inner.uuid()
    }

    fn variant(&mut self, names: &Enum) -> Result<usize> {
        self.read_variant(names)
    }

    fn list(&mut self) -> Result<Option<usize>> {
        self.open_list()
    }

    #[inline]
    fn item(&mut self) -> Result<bool> {
        if self.frames.is_empty() { self.inner.item() } else { self.next_item() }
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.open_map()
    }

    #[inline]
    fn entry(&mut self) -> Result<bool> {
        if self.frames.is_empty() { self.inner.entry() } else { self.next_entry() }
    }

    fn value(&mut self) -> Result<()> {
        self.inner.value()
    }

    fn take(&mut self) -> Result<Token<'a, '_>> {
        self.inner.take()
    }

    #[inline]
    fn record(&mut self, record: &Record) -> Result<()> {
        self.open_record(record)
    }

    #[inline]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.next_field(record, expected)
    }

    fn tells_variants(&self) -> bool {
        true
    }

    fn choose(&mut self, union: &Union) -> Result<usize> {
        self.choose_variant(union)
    }

    fn chosen(&mut self, _: &Union, _: usize, _: bool) -> Result<()> {
        self.frames.pop();
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        if self.pass_part() { Ok(()) } else { self.inner.skip() }
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.inner.span()
    }

    fn mark(&self) -> Mark {
        self.marked()
    }

    fn reset(&mut self, mark: Mark) {
        self.go_back(mark);
    }

    fn position(&self) -> Position {
        self.inner.position()
    }

    fn end(&mut self) -> Result<()> {
        self.inner.end()
    }

    /// Refuses a repeated field: the specification gives it no meaning.
    #[cold]
    fn repeated(&mut self, key: &str) -> Result<()> {
        let message = format!("the field `{key}` stands here again, or another one of its `oneof`");
        Err(Error::new(ErrorKind::Constraint, message).at(self.inner.position()))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        self.inner.mismatch(expected)
    }
}
