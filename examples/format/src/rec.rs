//! Recfiles, the text format of GNU recutils: records of named texts, with a blank line between two records.
//!
//! ```text
//! # a comment
//! Title: Clean the room
//! Done: no
//!
//! Title: Write
//! + a letter
//! Done: yes
//! ```
//!
//! A place is a list of records, and a record's values are texts; the shape says what they mean. A line that begins with
//! `+` continues the value with a new line. An empty value is null. Records of `%` fields describe others and are passed
//! over. A field that repeats is refused, since a record here has each field once.

use demat_core::scalar::Int;
use demat_core::{Borrowed, Error, ErrorKind, Kind, Mark, Position, Result, Signal, Sink, Source, Text};
use demat_formats::codec::{About, Codec, ReadOptions, Reader, Setting, Values, WriteOptions};
use demat_formats::stream::{Bordered, Part, Windowed};
use demat_formats::{Drain, Output};
use std::borrow::Cow;

/// Recfiles as a format.
#[derive(Debug)]
pub struct RecCodec;

const TYPE: Setting =
    Setting::new("record_type", Values::OptionalText, "None", "the type of the records, which the file begins with");

static ABOUT: About = About {
    content_type: Some("text/x-recfile; charset=utf-8"),
    write: &[TYPE],
    ..About::new("rec", &[".rec"], &["text/x-recfile"], "records of named texts (GNU recutils)")
};

impl Codec for RecCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn reader(&self, _: &ReadOptions) -> Result<Reader> {
        Ok(Reader::other(Rec))
    }

    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>> {
        let mut output = Output::new(Vec::new(), drain);
        if let Some(name) = options.own.text(&TYPE) {
            output.buffer.extend_from_slice(format!("%rec: {name}\n\n").as_bytes());
            output.commit()?;
        }
        Ok(Box::new(RecSink::new(output)))
    }
}

/// Makes sources.
#[derive(Debug, Clone, Copy)]
pub struct Rec;

impl Windowed for Rec {
    type Source<'w> = RecSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> RecSource<'w> {
        RecSource { part, at: 0, state: State::Start, key: (0, 0), value: String::new() }
    }
}

impl Bordered for Rec {
    fn anew(&self) -> Self {
        Self
    }
}

/// Where a source stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before everything.
    Start,
    /// In the list, before a record or the end.
    List,
    /// Before the first line of a record, which was stepped to.
    Record,
    /// In a record, before a line.
    Fields,
    /// At a field's name.
    Name,
    /// At a field's value.
    Value,
    /// Behind the last record.
    End,
}

const STATES: [State; 7] =
    [State::Start, State::List, State::Record, State::Fields, State::Name, State::Value, State::End];

/// Reads recfiles.
#[derive(Debug)]
pub struct RecSource<'a> {
    part: Part<'a>,
    at: usize,
    state: State,
    /// The name of the field, as a range of the window.
    key: (usize, usize),
    /// The last value of several lines.
    value: String,
}

impl<'a> RecSource<'a> {
    /// The line that begins there without its end, and where the next one begins.
    fn line(&self, at: usize) -> Result<(&'a [u8], usize)> {
        let rest = &self.part.bytes[at..];
        match rest.iter().position(|byte| *byte == b'\n') {
            Some(end) => Ok((rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]), at + end + 1)),
            // The window may end within the line.
            None if !self.part.last => Err(Error::signalled(Signal::Incomplete)),
            None => Ok((rest, self.part.bytes.len())),
        }
    }

    /// Whether the place ends there.
    fn is_over(&self, at: usize) -> Result<bool> {
        match (at == self.part.bytes.len(), self.part.last) {
            (true, false) => Err(Error::signalled(Signal::Incomplete)),
            (over, _) => Ok(over),
        }
    }

    /// Passes over lines before the next record.
    fn next_record(&mut self) -> Result<bool> {
        let mut at = self.at;
        let mut describes = false;
        while !self.is_over(at)? {
            let (line, next) = self.line(at)?;
            let is_blank = line.trim_ascii().is_empty();
            describes = !is_blank && (describes || line.starts_with(b"%"));
            if !is_blank && !describes && !line.starts_with(b"#") {
                self.at = at;
                return Ok(true);
            }
            at = next;
        }
        self.at = at;
        Ok(false)
    }

    /// The lines of the value that is stood at, and where the next line begins.
    fn value_lines(&self) -> Result<(Vec<&'a [u8]>, usize)> {
        let (first, mut next) = self.line(self.at)?;
        let mut lines = vec![first.strip_prefix(b" ").unwrap_or(first)];
        while !self.is_over(next)? && self.part.bytes[next] == b'+' {
            let (line, after) = self.line(next)?;
            lines.push(line[1..].strip_prefix(b" ").unwrap_or(&line[1..]));
            next = after;
        }
        Ok((lines, next))
    }

    fn text_of(&self, bytes: &'a [u8]) -> Result<&'a str> {
        std::str::from_utf8(bytes)
            .map_err(|_| Error::new(ErrorKind::Syntax, "the text is not UTF-8").at(self.position()))
    }

    /// Takes a scalar that is written as text.
    fn parsed<T>(&mut self, kind: &'static str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        if self.state != State::Value && self.state != State::Name {
            return Err(self.mismatch(kind));
        }
        let position = self.mark();
        let (parsed, found) = {
            let text = self.text()?;
            (parse(text.trim()), format!("`{}`", &*text))
        };
        parsed.ok_or_else(|| {
            self.reset(position);
            Error::expected(kind, found).at(self.position())
        })
    }
}

impl<'a> Source<'a> for RecSource<'a> {
    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.state {
            State::Start => Kind::List,
            State::Record => Kind::Map,
            State::Value => {
                let (lines, _) = self.value_lines()?;
                if lines == [b""] { Kind::Null } else { Kind::Text }
            }
            _ => Kind::Text,
        })
    }

    fn null(&mut self) -> Result<bool> {
        if self.state != State::Value {
            return Ok(false);
        }
        let (lines, next) = self.value_lines()?;
        let is_null = lines == [b""];
        if is_null {
            (self.at, self.state) = (next, State::Fields);
        }
        Ok(is_null)
    }

    fn bool(&mut self) -> Result<bool> {
        self.parsed("bool", |text| match text {
            "yes" | "true" | "1" => Some(true),
            "no" | "false" | "0" => Some(false),
            _ => None,
        })
    }

    fn int(&mut self) -> Result<Int<'a>> {
        self.parsed("int", |text| Int::from_digits(text).map(Int::into_owned))
    }

    fn float(&mut self) -> Result<f64> {
        self.parsed("float", |text| text.parse().ok())
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        match self.state {
            State::Name => {
                let name = self.text_of(&self.part.bytes[self.key.0..self.key.1])?;
                Ok(Borrowed::Input(name))
            }
            State::Value => {
                let (lines, next) = self.value_lines()?;
                if let [line] = lines[..] {
                    let text = self.text_of(line)?;
                    (self.at, self.state) = (next, State::Fields);
                    return Ok(Borrowed::Input(text));
                }
                let texts = lines.into_iter().map(|line| self.text_of(line)).collect::<Result<Vec<_>>>()?;
                self.value = texts.join("\n");
                (self.at, self.state) = (next, State::Fields);
                Ok(Borrowed::Scratch(&self.value))
            }
            _ => Err(self.mismatch("text")),
        }
    }

    fn list(&mut self) -> Result<Option<usize>> {
        if self.state != State::Start {
            return Err(self.mismatch("list"));
        }
        self.state = State::List;
        Ok(None)
    }

    fn item(&mut self) -> Result<bool> {
        let found = self.next_record()?;
        self.state = if found { State::Record } else { State::End };
        Ok(found)
    }

    fn map(&mut self) -> Result<Option<usize>> {
        if self.state != State::Record {
            return Err(self.mismatch("map"));
        }
        self.state = State::Fields;
        Ok(None)
    }

    fn entry(&mut self) -> Result<bool> {
        loop {
            if self.is_over(self.at)? {
                self.state = State::List;
                return Ok(false);
            }
            let (line, next) = self.line(self.at)?;
            if line.starts_with(b"#") {
                self.at = next;
                continue;
            }
            if line.trim_ascii().is_empty() {
                (self.at, self.state) = (next, State::List);
                return Ok(false);
            }
            let Some(len) = line.iter().position(|byte| *byte == b':').filter(|len| line[..*len].iter().all(is_letter))
            else {
                let found = format!("`{}`", String::from_utf8_lossy(&line[..line.len().min(40)]));
                return Err(Error::mismatch(ErrorKind::Syntax, "a name and `:`", found).at(self.position()));
            };
            self.key = (self.at, self.at + len);
            self.state = State::Name;
            return Ok(true);
        }
    }

    fn value(&mut self) -> Result<()> {
        (self.at, self.state) = (self.key.1 + 1, State::Value);
        Ok(())
    }

    fn skip(&mut self) -> Result<()> {
        self.span().map(drop)
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        let begin = self.at;
        match self.state {
            State::Value => {
                let (lines, next) = self.value_lines()?;
                lines.into_iter().try_for_each(|line| self.text_of(line).map(drop))?;
                (self.at, self.state) = (next, State::Fields);
            }
            State::Record => {
                self.map()?;
                while self.entry()? {
                    self.value()?;
                    self.skip()?;
                }
            }
            State::Start => {
                self.list()?;
                while self.item()? {
                    self.skip()?;
                }
            }
            _ => {}
        }
        Ok(Cow::Borrowed(&self.part.bytes[begin..self.at]))
    }

    fn mark(&self) -> Mark {
        let state = STATES.iter().position(|state| *state == self.state).unwrap_or_default();
        // A name begins where the source stands.
        let len = if self.state == State::Name { self.key.1 - self.at } else { 0 };
        Mark { offset: self.at, state: [state as u32, len as u32, 0, 0] }
    }

    fn reset(&mut self, mark: Mark) {
        let [state, len, ..] = mark.state;
        (self.at, self.state) = (mark.offset, STATES[state as usize % STATES.len()]);
        self.key = (mark.offset, mark.offset + len as usize);
    }

    fn position(&self) -> Position {
        self.part.base.position(self.part.bytes, self.at)
    }

    fn end(&mut self) -> Result<()> {
        if self.next_record()? {
            return Err(Error::expected("end of input", "a record").at(self.position()));
        }
        Ok(())
    }

    fn repeated(&mut self, key: &str) -> Result<()> {
        let message = format!("the field `{key}` stands here again");
        Err(Error::new(ErrorKind::Constraint, message).at(self.position()))
    }

    fn mismatch(&mut self, expected: &'static str) -> Error {
        let found = match self.state {
            State::Start => "list",
            State::Record => "map",
            _ => "text",
        };
        Error::expected(expected, found).at(self.position())
    }
}

/// Whether the byte may be part of a name.
fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// Writes recfiles.
#[derive(Debug)]
pub struct RecSink<D> {
    output: Output<D>,
    depth: u32,
    /// Whether something was written before the record.
    follows: bool,
    /// Whether a name was written, and its value comes next.
    named: bool,
    /// Whether the record has no field so far.
    empty: bool,
    committed: (u32, bool, bool),
}

impl<D: Drain> RecSink<D> {
    /// A sink whose bytes go to the output.
    pub fn new(output: Output<D>) -> Self {
        Self { output, depth: 0, follows: false, named: false, empty: false, committed: (0, false, false) }
    }

    /// Writes a value, or a name, which ends with `:`.
    fn write(&mut self, text: &str) -> Result<()> {
        if self.depth != 2 {
            return Err(Error::new(ErrorKind::Encode, "a recfile is a list of records"));
        }
        let buffer = &mut self.output.buffer;
        if !core::mem::take(&mut self.named) {
            if !text.bytes().all(|byte| is_letter(&byte)) {
                let message = format!("the name of a field has letters, digits and `_`, unlike `{text}`");
                return Err(Error::new(ErrorKind::Encode, message));
            }
            buffer.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        for (index, line) in text.split('\n').enumerate() {
            if line.ends_with('\r') {
                // It would be read as part of the line's end.
                return Err(Error::new(ErrorKind::Encode, "a line of a recfile's text does not end with U+000D"));
            }
            buffer.extend_from_slice(if index == 0 { b"" } else { b"\n+" });
            if !line.is_empty() {
                buffer.push(b' ');
                buffer.extend_from_slice(line.as_bytes());
            }
        }
        buffer.push(b'\n');
        Ok(())
    }
}

impl<D: Drain> Sink for RecSink<D> {
    fn null(&mut self) -> Result<()> {
        self.write("")
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.write(if value { "yes" } else { "no" })
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.write(&value.to_string())
    }
    fn float(&mut self, value: f64) -> Result<()> {
        self.write(&value.to_string())
    }
    fn text(&mut self, value: &str) -> Result<()> {
        if self.named && value.is_empty() {
            // Null is written so, and would be read.
            return Err(Error::new(ErrorKind::Encode, "a recfile has no empty text"));
        }
        self.write(value)
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        if self.depth != 0 {
            return Err(Error::new(ErrorKind::Encode, "a recfile has no lists in records"));
        }
        self.depth = 1;
        Ok(())
    }
    fn item(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        self.depth = 0;
        Ok(())
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        if self.depth > 1 {
            return Err(Error::new(ErrorKind::Encode, "a recfile has no records in records"));
        }
        if self.follows {
            self.output.buffer.push(b'\n');
        }
        self.depth = 2;
        self.follows = true;
        self.empty = true;
        Ok(())
    }
    fn entry(&mut self) -> Result<()> {
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        self.output.buffer.push(b':');
        self.named = true;
        self.empty = false;
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        if self.empty {
            // It would be no record where it is read.
            return Err(Error::new(ErrorKind::Encode, "a recfile has no record without fields"));
        }
        self.depth = 1;
        Ok(())
    }
    fn commit(&mut self) -> Result<()> {
        self.committed = (self.depth, self.follows, self.empty);
        self.output.commit()
    }
    fn rollback(&mut self) -> Result<()> {
        (self.depth, self.follows, self.empty) = self.committed;
        self.named = false;
        self.output.rollback();
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        self.output.finish()
    }
}
