//! The bytes that a source reads, and errors about them.

use crate::stream::Part;
use core::fmt::Display;
use demat_core::excerpt;
use demat_core::{Error, ErrorKind, Position, Result, Signal};

/// The part of a place that a source reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'a> {
    part: Part<'a>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(part: Part<'a>) -> Self {
        Self { part }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.part.bytes
    }

    /// Whether the place ends with this part.
    #[inline]
    pub(crate) fn is_last(&self) -> bool {
        self.part.last
    }

    /// Whether this is the first byte of the place.
    #[inline]
    pub(crate) fn is_start(&self, at: usize) -> bool {
        at == 0 && self.part.base.offset == 0
    }

    #[inline]
    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.part.bytes.get(at).copied()
    }

    /// Returns the content of a value: `len` bytes from `at` on.
    #[inline]
    pub(crate) fn content(&self, at: usize, len: u64, expected: &'static str) -> Result<&'a [u8]> {
        let end = usize::try_from(len).ok().and_then(|len| at.checked_add(len));
        end.and_then(|end| self.part.bytes.get(at..end)).ok_or_else(|| self.cut_short(at, len, expected))
    }

    /// Returns the error for content of `len` bytes from `at` on that the input does not have.
    #[cold]
    pub(crate) fn cut_short(&self, at: usize, len: impl Display, expected: &'static str) -> Error {
        let error = self.ended(expected);
        if error.signal().is_some() {
            return error;
        }
        let there = self.part.bytes.len().saturating_sub(at);
        let (expected, found) = (format!("{expected} of {len} bytes"), format!("{there} bytes and the end of input"));
        Error::mismatch(ErrorKind::Syntax, expected, found).at(self.position_of(self.part.bytes.len()))
    }

    /// Returns the text of `len` bytes from `at` on.
    #[inline]
    pub(crate) fn text(&self, at: usize, len: u64) -> Result<&'a str> {
        let content = self.content(at, len, "text")?;
        simdutf8::basic::from_utf8(content).map_err(|_| self.no_text(at, content))
    }

    /// Returns the error for content that is not UTF-8.
    #[cold]
    fn no_text(&self, at: usize, content: &[u8]) -> Error {
        let bad = core::str::from_utf8(content).map_or_else(|error| error.valid_up_to(), str::len);
        let found = format!("byte 0x{:02x}", content.get(bad).copied().unwrap_or_default());
        self.unexpected(at + bad, "text in UTF-8", found)
    }

    /// Returns the excerpt of a text of `len` bytes from `at` on, if its start is in the part and is UTF-8.
    ///
    /// # Errors
    /// [`Signal::Incomplete`] if the window ends before enough of it.
    #[cold]
    pub(crate) fn text_excerpt(&self, at: usize, len: u64) -> Result<Option<String>> {
        let start = self.start_of(at, len)?;
        Ok(start.and_then(|start| excerpt::text_bytes(start, start.len() as u64 == len)))
    }

    /// As [`text_excerpt`](Self::text_excerpt), for bytes.
    #[cold]
    pub(crate) fn bytes_excerpt(&self, at: usize, len: u64) -> Result<Option<String>> {
        Ok(self.start_of(at, len)?.map(excerpt::bytes))
    }

    /// Returns the first bytes of a value, enough for an excerpt.
    fn start_of(&self, at: usize, len: u64) -> Result<Option<&'a [u8]>> {
        let shown = usize::try_from(len).unwrap_or(usize::MAX).min(excerpt::ENOUGH);
        match at.checked_add(shown).and_then(|end| self.part.bytes.get(at..end)) {
            None if !self.part.last => Err(self.ended("a value")),
            start => Ok(start),
        }
    }

    /// Returns a count if the rest of the part can hold so many children of at least `each` bytes.
    pub(crate) fn known(&self, at: usize, count: u64, each: usize) -> Option<usize> {
        let left = self.part.bytes.len().saturating_sub(at);
        usize::try_from(count).ok().filter(|count| count.checked_mul(each).is_some_and(|bytes| bytes <= left))
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self, at: usize) -> Result<()> {
        match self.byte(at) {
            None if self.part.last => Ok(()),
            None => Err(self.ended("end of input")),
            Some(byte) => Err(self.unexpected(at, "end of input", format!("byte 0x{byte:02x}"))),
        }
    }

    pub(crate) fn position_of(&self, at: usize) -> Position {
        Position { offset: Some(self.part.base.offset + at as u64), ..Position::default() }
    }

    /// Returns the error for a wrong byte at `at`.
    #[cold]
    pub(crate) fn unexpected(&self, at: usize, expected: &'static str, found: impl Into<String>) -> Error {
        Error::mismatch(ErrorKind::Syntax, expected, found.into()).at(self.position_of(at))
    }

    /// Returns the error for the end of the input, or `Incomplete` at the end of a window.
    #[cold]
    pub(crate) fn ended(&self, expected: &'static str) -> Error {
        if !self.part.last {
            return Error::signalled(Signal::Incomplete);
        }
        self.unexpected(self.part.bytes.len(), expected, "end of input")
    }

    #[cold]
    pub(crate) fn too_deep(&self, at: usize, depth: u32) -> Error {
        Error::limit("the depth of nesting", depth).at(self.position_of(at))
    }

    #[cold]
    pub(crate) fn repeated(&self, at: usize, key: &str) -> Error {
        Error::new(ErrorKind::Constraint, format!("the key `{key}` stands here again")).at(self.position_of(at))
    }
}

/// Converts to binary32. Fails if the number is too large.
#[allow(clippy::cast_possible_truncation)] // rounds on purpose
pub(crate) fn narrow(value: f64) -> Result<f32> {
    let narrow = value as f32;
    if narrow.is_infinite() && value.is_finite() {
        return Err(Error::expected("float32", value.to_string()));
    }
    Ok(narrow)
}
