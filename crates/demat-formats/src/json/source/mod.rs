//! The source for JSON in a slice.

mod child;
mod fault;
mod field;
mod number;
mod skip;
mod string;
mod take;

use super::{ReadOptions, RepeatedKeys};
use crate::scan::{Ahead, space_end};
use crate::stream::{Base, Counter, MARK, Part};
use crate::text::NumberFault;
use demat_core::excerpt;
use demat_core::scalar::{Decimal, Int};
use demat_core::{Error, ErrorKind, KeyPattern, Kind, Mark, Position, Record, Result, Source, Text, Token};
use field::Passed;
use std::borrow::Cow;

/// A [`Source`] that reads JSON from a slice.
///
/// It is a pull parser without a tree or an index. It is fast because the caller says what it expects: it compares the
/// expected key of a record in place before it looks anything up ([`Source::field`]).
#[derive(Debug)]
pub struct JsonSource<'a> {
    bytes: &'a [u8],
    /// The same slice with the bytes behind it. Searches look at many bytes at a time. No key, number or string
    /// contains a line end, so a token that matches here also does so in a slice that ends at a line.
    wide: Ahead<'a>,
    /// The current position.
    at: usize,
    /// The start of the last value that was read.
    start: usize,
    /// Whether a list, map or record was just entered, so that no comma precedes the next child.
    fresh: bool,
    /// Whether the next value is a key of a map.
    key: bool,
    /// Whether the input ends with the slice.
    last: bool,
    depth: u32,
    options: ReadOptions,
    base: Base,
    counter: Counter,
    /// The last unescaped text.
    scratch: String,
    /// Keys that were skipped, for the next record with the same layout.
    passed: Vec<Passed>,
    /// The name of the slice's end in errors.
    pub(crate) ending: &'static str,
}

impl<'a> JsonSource<'a> {
    /// Returns a source over a whole document.
    ///
    /// ```
    /// use demat_core::Source;
    /// use demat_formats::json::JsonSource;
    /// let mut source = JsonSource::new(br#"{"a": 1}"#);
    /// source.map()?;
    /// assert!(source.entry()?);
    /// assert_eq!(&*source.text()?, "a");
    /// source.value()?;
    /// assert_eq!(source.i64()?, 1);
    /// assert!(!source.entry()?);
    /// source.end()?;
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn new(text: &'a [u8]) -> Self {
        Self::with_options(text, ReadOptions::default())
    }

    /// Returns a source over a whole document, with options.
    #[inline(always)]
    pub fn with_options(text: &'a [u8], options: ReadOptions) -> Self {
        Self::over(Part::whole(text), options)
    }

    /// Returns a source over a whole document: the first `len` bytes of a slice whose remaining bytes are all `\n`.
    /// This reads short documents faster, since searches of many bytes at a time may run past the document's end.
    ///
    /// # Panics
    /// If the slice is shorter than `len`.
    ///
    /// ```
    /// use demat_core::Source;
    /// use demat_formats::json::{JsonSource, ReadOptions};
    /// let mut source = JsonSource::with_room(b"12\n\n\n\n\n\n\n\n", 2, ReadOptions::default());
    /// assert_eq!(source.i64()?, 12);
    /// source.end()?;
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    #[inline(always)]
    pub fn with_room(wide: &'a [u8], len: usize, options: ReadOptions) -> Self {
        debug_assert!(wide[len..].iter().all(|byte| *byte == b'\n'));
        Self { wide: Ahead::new(wide), ..Self::with_options(&wide[..len], options) }
    }

    /// Returns a source over a part of a document.
    #[inline(always)]
    pub fn over(part: Part<'a>, options: ReadOptions) -> Self {
        let mut source = Self {
            bytes: part.bytes,
            wide: Ahead::new(part.bytes),
            at: 0,
            start: 0,
            fresh: false,
            key: false,
            last: part.last,
            depth: 0,
            options,
            base: part.base,
            counter: Counter::default(),
            scratch: String::new(),
            passed: Vec::new(),
            ending: "end of input",
        };
        source.reset(Mark::default());
        source
    }

    /// Returns `at`, or the position behind the byte order mark if that is at `at`.
    #[inline]
    fn after_bom(&self, at: usize) -> usize {
        let bom = at == 0 && self.base.offset == 0 && self.bytes.starts_with(MARK);
        if bom { MARK.len() } else { at }
    }

    /// The number of bytes that were read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The number of enclosing lists, maps and records.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// The end of the slice.
    pub(crate) fn slice_end(&self) -> usize {
        self.bytes.len()
    }

    /// Whether only whitespace is left.
    pub(crate) fn at_slice_end(&self) -> bool {
        space_end(self.bytes, self.at) == self.bytes.len()
    }

    /// Continues with another slice of the part, at `at`, outside of all containers. The slice ends at the end of a
    /// line.
    pub(crate) fn restart(&mut self, bytes: &'a [u8], at: usize) {
        self.bytes = bytes;
        self.at = at;
        self.start = at;
        self.fresh = false;
        self.key = false;
        self.depth = 0;
        self.last = true;
    }

    /// Takes a literal whose first byte was checked already.
    #[inline]
    fn literal(&mut self, literal: &'static str) -> Result<()> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(literal.as_bytes()) {
            self.at += literal.len();
            return Ok(());
        }
        Err(self.no_literal(literal))
    }

    /// Reads a key as another kind: its text is parsed as a JSON document.
    #[cold]
    fn key_as<T>(&mut self, expected: &'static str, ask: impl FnOnce(&mut JsonSource<'_>) -> Result<T>) -> Result<T> {
        let text = self.text()?.to_string();
        let mut inner = JsonSource::new(text.as_bytes());
        // A key with whitespace or a byte order mark around the value does not count as that value.
        let bare = matches!(text.as_bytes().first(), Some(b'-' | b'0'..=b'9' | b't' | b'f'));
        match ask(&mut inner) {
            Ok(value) if bare && inner.at == text.len() => Ok(value),
            // The number is out of range.
            Err(error) if error.kind() == ErrorKind::Constraint => Err(error.at(self.position())),
            _ => Err(Error::expected(expected, excerpt::name(&text)).at(self.position())),
        }
    }

    #[inline(always)]
    fn at_quoted_key(&mut self) -> bool {
        self.key && self.next() == Some(b'"')
    }
}

impl<'a> Source<'a> for JsonSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.begin() {
            Some(b'"') => Kind::Text,
            Some(b'{') => Kind::Map,
            Some(b'[') => Kind::List,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            Some(b'-' | b'0'..=b'9') => self.number_kind()?,
            _ => return Err(self.no_value()),
        })
    }

    #[inline(always)]
    fn take(&mut self) -> Result<Token<'a, '_>> {
        self.take_value()
    }

    #[inline(always)]
    fn key(&mut self) -> Result<Option<Token<'a, '_>>> {
        self.take_key()
    }

    #[inline(always)]
    fn key_is(&mut self, key: &str, token: &KeyPattern) -> bool {
        self.pass_key(key, token)
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        if self.begin() != Some(b'n') {
            return Ok(false);
        }
        self.literal("null")?;
        Ok(true)
    }

    #[inline]
    fn bool(&mut self) -> Result<bool> {
        match self.begin() {
            Some(b't') => self.literal("true").map(|()| true),
            Some(b'f') => self.literal("false").map(|()| false),
            _ if self.at_quoted_key() => self.key_as("bool", |source| source.bool()),
            _ => Err(self.mismatch("bool")),
        }
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.read_int()
    }

    #[inline(always)]
    fn i64(&mut self) -> Result<i64> {
        self.read_i64()
    }

    #[inline(always)]
    fn try_i64(&mut self) -> Result<Option<i64>> {
        self.read_fitting_i64()
    }

    #[inline]
    fn u64(&mut self) -> Result<u64> {
        self.read_u64()
    }

    #[inline]
    fn float(&mut self) -> Result<f64> {
        self.read_f64()
    }

    fn float32(&mut self) -> Result<f32> {
        self.read_f32()
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.read_decimal()
    }

    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        self.read_text()
    }

    #[inline(always)]
    fn list(&mut self) -> Result<Option<usize>> {
        self.open(b'[', "list").map(|()| None)
    }

    #[inline(always)]
    fn item(&mut self) -> Result<bool> {
        self.next_child(b']')
    }

    #[inline(always)]
    fn map(&mut self) -> Result<Option<usize>> {
        self.open(b'{', "record").map(|()| None)
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<bool> {
        self.next_key()
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        self.pass_colon()
    }

    #[inline(always)]
    fn goes_on_as_record(&self) -> bool {
        true
    }

    #[inline]
    fn record(&mut self, _: &Record) -> Result<()> {
        self.open(b'{', "record")
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.read_field(record, expected)
    }

    fn skip(&mut self) -> Result<()> {
        self.skip_value()
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.begin();
        let start = self.at;
        self.skip_value()?;
        Ok(Cow::Borrowed(&self.bytes[start..self.at]))
    }

    #[inline]
    fn mark(&self) -> Mark {
        let flags = u32::from(self.fresh) | u32::from(self.key) << 1;
        Mark { offset: self.at, state: [self.depth, flags, 0, 0] }
    }

    #[inline]
    fn reset(&mut self, mark: Mark) {
        let [depth, flags, ..] = mark.state;
        // A mark that was made in a window too short for the byte order mark is before it.
        self.at = self.after_bom(mark.offset);
        self.start = self.at;
        self.depth = depth;
        self.fresh = flags & 1 == 1;
        self.key = flags & 2 == 2;
    }

    fn position(&self) -> Position {
        self.counter.position(&self.base, self.bytes, self.start)
    }

    fn end(&mut self) -> Result<()> {
        match self.next() {
            None if self.last => Ok(()),
            _ => Err(self.unexpected(self.at, self.ending)),
        }
    }

    fn repeated(&mut self, key: &str) -> Result<()> {
        if self.options.repeated_keys == RepeatedKeys::LastWins {
            return Ok(());
        }
        let error = Error::new(ErrorKind::Constraint, format!("the key `{key}` stands here again"));
        Err(error.at(self.counter.position(&self.base, self.bytes, self.key_before())))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        // The first letter is not enough to recognise a literal, so check all of it.
        let at = self.at;
        let found = self.peek().and_then(|found| match found {
            Kind::Null | Kind::Bool => self.skip_value().map(|()| found),
            _ => Ok(found),
        });
        self.at = at;
        match found {
            Ok(found) => match self.excerpt(found) {
                Ok(shown) => Error::expected(expected, found.name()).showing(shown).at(self.position()),
                Err(error) => error,
            },
            Err(error) => error,
        }
    }
}

/// Returns what the grammar of numbers expects at the fault.
fn wanted(fault: NumberFault) -> &'static str {
    match fault {
        NumberFault::LeadingZero => "no digit after a leading `0`",
        NumberFault::Digit | NumberFault::Fraction | NumberFault::Exponent | NumberFault::End => "a digit",
    }
}
