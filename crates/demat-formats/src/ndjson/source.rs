use crate::json::{JsonSource, ReadOptions};
use crate::scan::prefetch_ahead;
use crate::stream::Part;
use demat_core::scalar::{Decimal, Int};
use demat_core::{Error, KeyPattern, Kind, Mark, Position, Record, Result, Signal, Source, Text, Token};
use std::borrow::Cow;

/// A [`Source`] of NDJSON in a slice: one list, with a JSON value per line.
///
/// The inner JSON source reads one line at a time, and sees the bytes up to its end.
#[derive(Debug)]
pub struct NdjsonSource<'a> {
    json: JsonSource<'a>,
    part: Part<'a>,
    phase: Phase,
    /// The starts of the current line and of the next one.
    line: usize,
    next: usize,
    /// The number of the current line, from 1; blank lines do not count.
    record: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before the list.
    Outside,
    /// Between two lines.
    Between,
    /// On a line.
    Inside,
    /// After the last line.
    After,
}

impl<'a> NdjsonSource<'a> {
    /// Returns a source over a part of an NDJSON text.
    pub fn over(part: Part<'a>, options: ReadOptions) -> Self {
        let mut json = JsonSource::over(part, options);
        json.ending = "end of line";
        let start = json.offset();
        Self { json, part, phase: Phase::Outside, line: start, next: start, record: 0 }
    }

    /// Steps to the next line that is not blank. Returns `false` at the end.
    fn next_line(&mut self) -> Result<bool> {
        loop {
            prefetch_ahead(self.part.bytes, self.next);
            let rest = &self.part.bytes[self.next..];
            let end = match memchr::memchr(b'\n', rest) {
                Some(end) => end,
                None if !self.part.last => return Err(Error::signalled(Signal::Incomplete)),
                None => rest.len(),
            };
            let blank = rest[..end].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
            self.line = self.next;
            self.next = (self.line + end + 1).min(self.part.bytes.len());
            if !blank {
                self.json.restart(&self.part.bytes[..self.line + end], self.line);
                return Ok(true);
            }
            if end == rest.len() {
                return Ok(false);
            }
        }
    }

    /// Adds the number of the line to an error in it.
    #[cold]
    fn numbered(&self, error: Error) -> Error {
        if self.phase == Phase::Inside && error.signal().is_none() {
            return error.in_record(u64::from(self.record));
        }
        error
    }

    #[inline(always)]
    fn ask<T>(&mut self, answer: impl FnOnce(&mut JsonSource<'a>) -> Result<T>) -> Result<T> {
        if self.phase != Phase::Inside {
            return Err(self.not_inside());
        }
        match answer(&mut self.json) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.numbered(error)),
        }
    }

    #[inline(always)]
    fn scalar<T>(&mut self, answer: impl FnOnce(&mut JsonSource<'a>) -> Result<T>) -> Result<T> {
        let value = self.ask(answer)?;
        self.ended()?;
        Ok(value)
    }

    /// Checks that the rest of the line is blank, once its value has been read. An error there refuses the whole line.
    #[inline(always)]
    fn ended(&mut self) -> Result<()> {
        if self.json.depth() == 0 { self.ask(JsonSource::end) } else { Ok(()) }
    }

    #[cold]
    fn not_inside(&self) -> Error {
        Error::expected("another kind", "a list of lines").at(self.part.base.position(self.part.bytes, 0))
    }
}

impl<'a> Source<'a> for NdjsonSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        match self.phase {
            Phase::Outside => Ok(Kind::List),
            _ => self.ask(JsonSource::peek),
        }
    }

    #[inline(always)]
    fn take(&mut self) -> Result<Token<'a, '_>> {
        if self.phase != Phase::Inside || self.json.depth() == 0 {
            // The rest of the line must be checked before the scalar counts as read.
            return Token::by_asking(self);
        }
        let record = u64::from(self.record);
        self.json.take().map_err(|error| if error.signal().is_none() { error.in_record(record) } else { error })
    }

    #[inline(always)]
    fn key(&mut self) -> Result<Option<Token<'a, '_>>> {
        if self.entry()? { self.take().map(Some) } else { Ok(None) }
    }

    #[inline(always)]
    fn key_is(&mut self, key: &str, token: &KeyPattern) -> bool {
        self.phase == Phase::Inside && self.json.key_is(key, token)
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        if self.phase == Phase::Outside {
            return Ok(false);
        }
        let null = self.ask(JsonSource::null)?;
        if null {
            self.ended()?;
        }
        Ok(null)
    }

    #[inline]
    fn bool(&mut self) -> Result<bool> {
        self.scalar(JsonSource::bool)
    }

    #[inline]
    fn int(&mut self) -> Result<Int<'a>> {
        self.scalar(JsonSource::int)
    }

    #[inline]
    fn i64(&mut self) -> Result<i64> {
        self.scalar(JsonSource::i64)
    }

    #[inline]
    fn u64(&mut self) -> Result<u64> {
        self.scalar(JsonSource::u64)
    }

    #[inline]
    fn float(&mut self) -> Result<f64> {
        self.scalar(JsonSource::float)
    }

    fn float32(&mut self) -> Result<f32> {
        self.scalar(JsonSource::float32)
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.scalar(JsonSource::decimal)
    }

    #[inline]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        if self.phase != Phase::Inside {
            return Err(self.mismatch("text"));
        }
        if self.json.depth() == 0 && self.json.peek().is_ok_and(|kind| kind == Kind::Text) {
            // Checking the rest of the line would invalidate the text.
            let mark = self.json.mark();
            self.scalar(JsonSource::skip)?;
            self.json.reset(mark);
        }
        let record = u64::from(self.record);
        self.json.text().map_err(|error| if error.signal().is_none() { error.in_record(record) } else { error })
    }

    #[inline]
    fn list(&mut self) -> Result<Option<usize>> {
        if self.phase == Phase::Outside {
            self.phase = Phase::Between;
            return Ok(None);
        }
        self.ask(JsonSource::list)
    }

    #[inline]
    fn item(&mut self) -> Result<bool> {
        if self.phase == Phase::Inside {
            if self.json.depth() > 0 {
                let more = self.ask(JsonSource::item)?;
                if !more {
                    self.ended()?;
                }
                return Ok(more);
            }
            self.ask(JsonSource::end)?;
        }
        let more = self.next_line()?;
        self.phase = if more { Phase::Inside } else { Phase::After };
        self.record = self.record.saturating_add(u32::from(more));
        Ok(more)
    }

    #[inline]
    fn map(&mut self) -> Result<Option<usize>> {
        self.ask(JsonSource::map)
    }

    #[inline]
    fn entry(&mut self) -> Result<bool> {
        let more = self.ask(JsonSource::entry)?;
        if !more {
            self.ended()?;
        }
        Ok(more)
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        self.ask(JsonSource::value)
    }

    fn goes_on_as_record(&self) -> bool {
        true
    }

    #[inline]
    fn record(&mut self, record: &Record) -> Result<()> {
        self.ask(|json| json.record(record))
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        let found = self.ask(|json| json.field(record, expected))?;
        if found.is_none() {
            self.ended()?;
        }
        Ok(found)
    }

    fn skip(&mut self) -> Result<()> {
        if self.phase != Phase::Outside {
            return self.scalar(JsonSource::skip);
        }
        self.list()?;
        while self.item()? {
            self.skip()?;
        }
        Ok(())
    }

    /// At the start of a line, returns the whole line as it is, even if it is invalid.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        if self.phase == Phase::Inside && self.json.depth() == 0 && self.json.offset() == self.line {
            let end = self.json.slice_end();
            self.json.restart(&self.part.bytes[..end], end);
            let line = &self.part.bytes[self.line..end];
            return Ok(Cow::Borrowed(line.strip_suffix(b"\r").unwrap_or(line)));
        }
        self.scalar(JsonSource::span)
    }

    /// A mark on a line is relative to the line's start, which the window must still hold.
    #[inline]
    fn mark(&self) -> Mark {
        match self.phase {
            Phase::Inside if self.json.depth() > 0 || !self.json.at_slice_end() => {
                let inner = self.json.mark();
                let place = (inner.offset - self.line) as u32;
                let flags = inner.state[1] | 4;
                Mark { offset: self.line, state: [inner.state[0], flags, place, self.record] }
            }
            place => Mark { offset: self.next, state: [place as u32, 0, 0, self.record] },
        }
    }

    fn reset(&mut self, mark: Mark) {
        let [first, flags, place, record] = mark.state;
        if flags & 4 == 0 {
            self.json.reset(Mark { offset: mark.offset, state: [0; 4] });
            self.next = self.json.offset(); // behind the byte order mark
            self.line = self.next;
            self.record = record;
            self.phase = match first {
                0 => Phase::Outside,
                3 => Phase::After,
                // A line that was read to its end counts as done.
                _ => Phase::Between,
            };
            return;
        }
        self.record = record;
        let offset = mark.offset + place as usize;
        let inner = Mark { offset, state: [first, flags & 3, 0, 0] };
        if self.phase == Phase::Inside && self.line == mark.offset {
            // On the same line, keep its known end: searching for it at each mark would be quadratic on a long line.
            return self.json.reset(inner);
        }
        self.phase = Phase::Inside;
        self.line = mark.offset;
        let rest = &self.part.bytes[self.line..];
        let end = self.line + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.next = (end + 1).min(self.part.bytes.len());
        self.json.restart(&self.part.bytes[..end], self.line);
        self.json.reset(inner);
    }

    fn position(&self) -> Position {
        let record = (self.phase == Phase::Inside).then_some(u64::from(self.record));
        Position { record, ..self.json.position() }
    }

    fn end(&mut self) -> Result<()> {
        match self.phase {
            Phase::After => Ok(()),
            Phase::Outside => {
                self.list()?;
                if self.item()? { Err(Error::expected("end of input", "a line").at(self.position())) } else { Ok(()) }
            }
            _ => self.ask(JsonSource::end),
        }
    }

    fn repeated(&mut self, key: &str) -> Result<()> {
        self.ask(|json| json.repeated(key))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        if self.phase != Phase::Inside {
            return Error::expected(expected, "a list of lines").at(self.part.base.position(self.part.bytes, 0));
        }
        let error = self.json.mismatch(expected);
        self.numbered(error)
    }
}
