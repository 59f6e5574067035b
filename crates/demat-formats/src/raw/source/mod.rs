//! Reading raw.

mod children;
mod fault;
mod fields;
mod found;
mod frame;
mod number;
mod skip;
mod stand;
mod variant;

pub(super) use frame::Frame;

use super::FINGERPRINT;
use super::schema::{Node, Schema};
use super::wire;
use crate::stream::Part;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, FloatWidth, Kind, Mark, Position, Record, Result, Source, Text, Union};
use found::Found;
use frame::Cursor;
use stand::Stand;
use std::borrow::Cow;
use std::sync::Arc;

/// The schemas that data may have been written with.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The reader's shape, and a list of it.
    pub(super) own: Vec<Arc<Schema>>,
    /// The writer's shape, if it differs, and a list of it.
    pub(super) writers: Vec<Arc<Schema>>,
    pub(super) depth: u32,
}

/// The state that sources of one document pass on from window to window.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// The index of the schema that the data was written with: first the reader's own, then the writer's.
    which: Option<usize>,
    /// The open containers, outermost first. Later ones are kept for a reset to a mark in them.
    frames: Vec<Frame>,
}

/// A [`Source`] of raw data in a slice.
///
/// Text and bytes are borrowed from the slice. The source knows the shape that the data was written with, so it can be
/// read as another shape.
///
/// ```
/// use demat_core::Source;
/// use demat_formats::raw::{Raw, ReadOptions, encode};
/// use demat_formats::stream::{Part, Windowed};
/// let bytes = encode(&vec!["a", "b"])?;
/// let mut format = Raw::new(&ReadOptions::default())?;
/// format.begin(&"[text]".parse()?)?;
/// let mut source = format.whole(Part::whole(&bytes));
/// source.list()?;
/// assert!(source.item()?);
/// assert_eq!(&*source.text()?, "a");
/// source.item()?;
/// source.skip()?;
/// assert!(!source.item()?);
/// source.end()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct RawSource<'a, 's> {
    part: Part<'a>,
    plan: &'s Plan,
    state: &'s mut State,
    /// The schema that the data was written with, once it is known.
    schema: Option<&'s Schema>,
    /// Whether that is the reader's own.
    exact: bool,
    at: usize,
    /// The start of the last value that was read.
    start: usize,
    depth: usize,
    stand: Stand,
}

/// Flags in a mark's first word, whose other bits are the depth.
const MORE: u32 = 1 << 31;
const OWES: u32 = 1 << 30;

impl<'a, 's> RawSource<'a, 's> {
    pub(super) fn new(part: Part<'a>, plan: &'s Plan, state: &'s mut State) -> Self {
        let schema = state.which.and_then(|which| plan.schema(which));
        let exact = state.which.is_some_and(|which| which < plan.own.len());
        Self { part, plan, state, schema, exact, at: 0, start: 0, depth: 0, stand: Stand::Start }
    }

    /// The number of open containers.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns `len` bytes from `at` on.
    #[inline]
    fn content(&self, at: usize, len: u128, expected: &'static str) -> Result<&'a [u8]> {
        let end = usize::try_from(len).ok().and_then(|len| at.checked_add(len));
        end.and_then(|end| self.part.bytes.get(at..end)).ok_or_else(|| self.cut_short(at, len, expected))
    }

    #[inline]
    fn array<const N: usize>(&self, expected: &'static str) -> Result<[u8; N]> {
        let bytes = self.part.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        bytes.copied().ok_or_else(|| self.ended(expected))
    }

    /// Reads a length and as many bytes. Returns the bytes and their end.
    #[inline]
    fn sized(&self, expected: &'static str) -> Result<(&'a [u8], usize)> {
        let (len, begin) = self.varint()?;
        let content = self.content(begin, len, expected)?;
        Ok((content, begin + content.len()))
    }

    #[inline]
    fn utf8(&self) -> Result<(&'a str, usize)> {
        let (content, end) = self.sized("text")?;
        match core::str::from_utf8(content) {
            Ok(text) => Ok((text, end)),
            Err(error) => {
                let bad = error.valid_up_to();
                let found = format!("byte 0x{:02x}", content.get(bad).copied().unwrap_or_default());
                Err(self.unexpected(end - content.len() + bad, "text in UTF-8", found))
            }
        }
    }

    /// Moves past a value.
    #[inline]
    fn done(&mut self, end: usize) {
        self.at = end;
        self.stand = Stand::Nothing;
    }

    /// Reads a scalar of several parts.
    #[inline]
    fn parts<T>(&mut self, expected: &'static str, read: fn(&[u8], usize) -> wire::Read<T>) -> Result<T> {
        let (value, end) = read(self.part.bytes, self.at).map_err(|fault| self.no_scalar(self.at, expected, fault))?;
        self.done(end);
        Ok(value)
    }

    /// Reads a scalar that was written as text.
    fn parsed<T>(&mut self, expected: &'static str, parse: fn(&str) -> Option<T>) -> Result<T> {
        let (text, end) = self.utf8()?;
        let Some(value) = parse(text) else {
            return Err(Error::other_text(expected, text).at(self.position_of(self.start)));
        };
        self.done(end);
        Ok(value)
    }
}

impl Plan {
    fn schema(&self, which: usize) -> Option<&Schema> {
        self.own.iter().chain(&self.writers).nth(which).map(|schema| &**schema)
    }

    /// Returns the index of the schema with this fingerprint.
    fn find(&self, found: [u8; FINGERPRINT]) -> Result<usize> {
        let Some(reader) = self.own.first() else {
            return Err(Error::new(ErrorKind::Internal, "raw was read before the shape was known"));
        };
        let which = self.own.iter().chain(&self.writers).position(|schema| schema.fingerprint == found);
        which.ok_or_else(|| self.unknown(reader, found))
    }

    #[cold]
    fn unknown(&self, reader: &Schema, found: [u8; FINGERPRINT]) -> Error {
        let hex = |bytes: [u8; FINGERPRINT]| format!("{:016x}", u64::from_be_bytes(bytes));
        let expected = match self.writers.first() {
            None => format!("data of this type, with the fingerprint {}", hex(reader.fingerprint)),
            Some(writer) => {
                let (reader, writer) = (hex(reader.fingerprint), hex(writer.fingerprint));
                format!("data of this type or the writer's, with the fingerprint {reader} or {writer}")
            }
        };
        Error::expected(expected, format!("the fingerprint {} of another type (`written_as`)", hex(found)))
    }
}

impl<'a> Source<'a> for RawSource<'a, '_> {
    fn peek(&mut self) -> Result<Kind> {
        let before = (self.at, self.stand);
        let found = self.found()?;
        let kind = self.kind_of(&found);
        (self.at, self.stand) = before;
        kind
    }

    fn null(&mut self) -> Result<bool> {
        let before = (self.at, self.stand);
        if let Found::Null = self.found()? {
            self.done(self.at);
            return Ok(true);
        }
        (self.at, self.stand) = before;
        Ok(false)
    }

    fn bool(&mut self) -> Result<bool> {
        match self.found()? {
            Found::Node(Node::Bool) => {
                let value = self.flag("a bool: 0 or 1")?;
                self.done(self.at + 1);
                Ok(value)
            }
            other => Err(self.other("bool", &other)),
        }
    }

    fn int(&mut self) -> Result<Int<'a>> {
        match self.found()? {
            Found::Node(Node::Int(width)) => {
                let (int, end) = self.number(*width)?;
                self.done(end);
                Ok(int)
            }
            Found::Node(Node::Enum(names)) => {
                let (index, end) = self.index_of(names)?;
                self.done(end);
                Ok(names.number_at(index).into())
            }
            other => Err(self.other("int", &other)),
        }
    }

    fn float(&mut self) -> Result<f64> {
        let (value, end) = match self.found()? {
            Found::Node(Node::Float(FloatWidth::F64)) => {
                (f64::from_le_bytes(self.array("a float of 8 bytes")?), self.at + 8)
            }
            Found::Node(Node::Float(FloatWidth::F32)) => {
                (f32::from_le_bytes(self.array("a float of 4 bytes")?).into(), self.at + 4)
            }
            Found::Node(Node::Int(width)) => {
                let (int, end) = self.number(*width)?;
                (int.to_f64(), end)
            }
            other => return Err(self.other("float", &other)),
        };
        self.done(end);
        Ok(value)
    }

    fn float32(&mut self) -> Result<f32> {
        let before = (self.at, self.stand);
        if let Found::Node(Node::Float(FloatWidth::F32)) = self.found()? {
            let value = f32::from_le_bytes(self.array("a float of 4 bytes")?);
            self.done(self.at + 4);
            return Ok(value);
        }
        (self.at, self.stand) = before;
        let wide = self.float()?;
        #[allow(clippy::cast_possible_truncation)] // to round is what was asked for
        let narrow = wide as f32;
        if narrow.is_infinite() && wide.is_finite() {
            return Err(Error::expected("float32", wide.to_string()).at(self.position()));
        }
        Ok(narrow)
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        match self.found()? {
            Found::Node(Node::Text) => {
                let (text, end) = self.utf8()?;
                self.done(end);
                Ok(Text::Input(text))
            }
            Found::Node(Node::Enum(names)) => {
                let (index, end) = self.index_of(names)?;
                self.done(end);
                Ok(Text::Scratch(names.name_at(index)))
            }
            Found::Key(key) => Ok(Text::Scratch(key)),
            other => Err(self.other("text", &other)),
        }
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        match self.found()? {
            Found::Node(Node::Bytes) => {
                let (content, end) = self.sized("bytes")?;
                self.done(end);
                Ok(Cow::Borrowed(content))
            }
            other => Err(self.other("bytes", &other)),
        }
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        match self.found()? {
            Found::Node(Node::Decimal | Node::Text) => {
                let (text, end) = self.utf8()?;
                let Some(decimal) = Decimal::parse(text) else {
                    return Err(Error::other_text("decimal", text).at(self.position()));
                };
                self.done(end);
                Ok(decimal)
            }
            Found::Node(Node::Int(width)) => {
                let (int, end) = self.number(*width)?;
                self.done(end);
                Ok(Decimal::from_int(int))
            }
            other => Err(self.other("decimal", &other)),
        }
    }

    fn date(&mut self) -> Result<Date> {
        match self.found()? {
            Found::Node(Node::Date) => self.parts("a date in the years 1 to 9999", wire::read_date),
            Found::Node(Node::Text) => self.parsed("`date` as YYYY-MM-DD", Date::parse),
            other => Err(self.other("date", &other)),
        }
    }

    fn time(&mut self) -> Result<Time> {
        match self.found()? {
            Found::Node(Node::Time) => self.parts("a time of a day", wire::read_time),
            Found::Node(Node::Text) => self.parsed("`time` as HH:MM:SS", Time::parse),
            other => Err(self.other("time", &other)),
        }
    }

    fn date_time(&mut self) -> Result<DateTime> {
        match self.found()? {
            Found::Node(Node::DateTime) => self.parts("a datetime in the years 1 to 9999", wire::read_date_time),
            Found::Node(Node::Text) => {
                let (text, end) = self.utf8()?;
                let at = DateTime::parse(text);
                let at = at.ok_or_else(|| Error::no_date_time(text).at(self.position()))?;
                self.done(end);
                Ok(at)
            }
            Found::Node(Node::Instant) => {
                let instant = self.parts("an instant in the years 1 to 9999", wire::read_instant)?;
                match instant.split() {
                    (at, None) => Ok(at),
                    _ => Err(Error::no_date_time(&instant.to_string()).at(self.position())),
                }
            }
            other => Err(self.other("datetime", &other)),
        }
    }

    fn instant(&mut self) -> Result<Instant> {
        match self.found()? {
            Found::Node(Node::Instant) => self.parts("an instant in the years 1 to 9999", wire::read_instant),
            Found::Node(Node::DateTime) => {
                self.parts("a datetime in the years 1 to 9999", wire::read_date_time).map(Instant::from)
            }
            Found::Node(Node::Text) => self.parsed("`instant` as RFC 3339", Instant::parse),
            other => Err(self.other("instant", &other)),
        }
    }

    fn duration(&mut self) -> Result<Duration> {
        match self.found()? {
            Found::Node(Node::Duration) => self.parts("a duration of 64 bits in seconds", wire::read_duration),
            Found::Node(Node::Text) => self.parsed("`duration` as ISO 8601", Duration::parse),
            other => Err(self.other("duration", &other)),
        }
    }

    fn uuid(&mut self) -> Result<Uuid> {
        match self.found()? {
            Found::Node(Node::Uuid) => {
                let uuid = Uuid(self.array("a uuid of 16 bytes")?);
                self.done(self.at + 16);
                Ok(uuid)
            }
            Found::Node(Node::Text) => self.parsed("uuid", Uuid::parse),
            other => Err(self.other("uuid", &other)),
        }
    }

    fn variant(&mut self, names: &Enum) -> Result<usize> {
        let (index, name, end) = match self.found()? {
            Found::Node(Node::Enum(own)) => {
                let (index, end) = self.index_of(own)?;
                (index, own.name_at(index), end)
            }
            Found::Node(Node::Text) => {
                let (text, end) = self.utf8()?;
                (usize::MAX, text, end)
            }
            Found::Key(key) => (usize::MAX, key, self.at),
            other => return Err(self.other("text", &other)),
        };
        let is_same = index < names.len() && names.name_at(index) == name;
        let found = if is_same { Some(index) } else { names.index_of(name) };
        let found = found.ok_or_else(|| self.no_name(names, name))?;
        self.done(end);
        Ok(found)
    }

    /// Returns no length for the outermost list: a copy may leave items out, so a sink must not rely on it.
    fn list(&mut self) -> Result<Option<usize>> {
        self.enter_list()
    }

    fn item(&mut self) -> Result<bool> {
        self.next_item()
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.enter_map()
    }

    fn entry(&mut self) -> Result<bool> {
        self.next_entry()
    }

    fn value(&mut self) -> Result<()> {
        self.step_to_value()
    }

    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.next_wanted(record, expected)
    }

    fn choose(&mut self, union: &Union) -> Result<usize> {
        self.choose_variant(union)
    }

    fn tells_variants(&self) -> bool {
        true
    }

    fn chosen(&mut self, _: &Union, _: usize, _: bool) -> Result<()> {
        self.leave_variant();
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        self.pass()
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        let begin = self.at;
        self.pass()?;
        Ok(Cow::Borrowed(&self.part.bytes[begin..self.at]))
    }

    fn mark(&self) -> Mark {
        let cursor = self.top().map_or_else(Cursor::default, |frame| frame.cursor);
        let flags = if cursor.more { MORE } else { 0 } | if cursor.owes { OWES } else { 0 };
        let state = [self.depth as u32 | flags, self.stand.to_word(), cursor.left, cursor.next];
        Mark { offset: self.at, state }
    }

    fn reset(&mut self, mark: Mark) {
        let [depth, stand, left, next] = mark.state;
        (self.at, self.start) = (mark.offset, mark.offset);
        self.depth = (depth & !(MORE | OWES)) as usize;
        self.stand = Stand::of_word(stand);
        if self.state.frames.len() < self.depth {
            // A mark of another reader. The outer containers are unknown, so reading past the innermost one fails.
            self.state.frames.resize_with(self.depth, Frame::default);
        }
        if let Some(last) = self.top_mut() {
            last.cursor = Cursor { left, next, more: depth & MORE != 0, owes: depth & OWES != 0 };
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

    /// The last one wins.
    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        let before = (self.at, self.stand);
        let found = self.found();
        (self.at, self.stand) = before;
        match found {
            Ok(found) => self.other(expected, &found),
            Err(error) => error,
        }
    }
}
