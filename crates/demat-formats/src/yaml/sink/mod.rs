//! Writing YAML.

mod fault;
mod number;
mod text;

use super::WriteOptions;
use crate::{Drain, Output};
use demat_core::scalar::{Date, DateTime, Decimal, Int, Offset, base64};
use demat_core::{Error, ErrorKind, Result, Sink};
use fault::{no_container, no_record};
use std::io::Write as _;

/// A [`Sink`] of YAML in block style.
///
/// It writes each value as it comes, and stores only its position.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, yaml::{WriteOptions, YamlSink}};
/// let mut sink = YamlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// sink.begin_map(None)?;
/// sink.key("tags")?;
/// sink.begin_list(None)?;
/// sink.item()?;
/// sink.text("on")?;
/// sink.end_list()?;
/// sink.end_map()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, b"tags:\n  - 'on'\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct YamlSink<D> {
    output: Output<D>,
    options: WriteOptions,
    state: State,
    saved: State,
}

/// The state that a rollback restores.
#[derive(Debug, Default)]
struct State {
    frames: Vec<Frame>,
    place: Place,
    /// The offset of the key that is being written.
    key_at: usize,
    /// Whether the last line is still open.
    in_line: bool,
}

impl State {
    fn clone_from(&mut self, other: &Self) {
        self.frames.clone_from(&other.frames);
        (self.place, self.key_at, self.in_line) = (other.place, other.key_at, other.in_line);
    }
}

/// The position of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    /// At the start of a document.
    #[default]
    Start,
    /// After `-`.
    Item,
    /// Before `:`.
    Key,
    /// After `:`.
    Value,
}

/// An open list or map, or a stream of documents.
#[derive(Debug, Clone, Copy)]
struct Frame {
    kind: FrameKind,
    /// The number of spaces in front of its items or keys.
    column: usize,
    /// The position of the container itself.
    place: Place,
    /// Whether it has no children yet.
    empty: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    List,
    Map,
    Documents,
}

/// The maximum length of a simple key. YAML allows 1,024 characters.
const LONG_KEY: usize = 1000;

impl<D: Drain> YamlSink<D> {
    /// Returns a sink that writes to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        Self { output, options, state: State::default(), saved: State::default() }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    fn in_stream(&self) -> bool {
        matches!(self.state.frames.as_slice(), [Frame { kind: FrameKind::Documents, .. }])
    }

    /// Writes a scalar on the line.
    fn scalar(&mut self, kind: &'static str, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        if self.in_stream() {
            return Err(no_record(kind));
        }
        self.space();
        write(&mut self.output.buffer);
        self.state.in_line = true;
        Ok(())
    }

    /// Writes the space between `-` or `:` and the text after it.
    fn space(&mut self) {
        if matches!(self.state.place, Place::Item | Place::Value) {
            self.output.buffer.push(b' ');
        }
    }

    fn new_line(&mut self, column: usize) {
        if self.state.in_line {
            self.output.buffer.push(b'\n');
        }
        let len = self.output.buffer.len();
        self.output.buffer.resize(len + column, b' ');
        self.state.in_line = true;
    }

    /// Returns the column for the children of the next value.
    fn inner_column(&self) -> usize {
        let column = self.state.frames.last().map_or(0, |frame| frame.column);
        match self.state.place {
            Place::Start => 0,
            // After `- ` on the same line.
            Place::Item => column + 2,
            Place::Key | Place::Value => column + usize::from(self.options.indent),
        }
    }

    fn open(&mut self, kind: FrameKind) -> Result<()> {
        let name = if kind == FrameKind::List { "list" } else { "map" };
        if self.state.place == Place::Key {
            return Err(no_container(name));
        }
        let depth = self.state.frames.len() - usize::from(self.options.documents && !self.state.frames.is_empty());
        if depth >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth));
        }
        if kind == FrameKind::List && self.in_stream() {
            return Err(no_record(name));
        }
        let is_stream = kind == FrameKind::List && self.options.documents && self.state.frames.is_empty();
        let kind = if is_stream { FrameKind::Documents } else { kind };
        let frame = Frame { kind, column: self.inner_column(), place: self.state.place, empty: true };
        self.state.frames.push(frame);
        Ok(())
    }

    /// Begins the next child on a new line, unless it is the first one after `-`.
    fn next_child(&mut self) {
        let Some(frame) = self.state.frames.last_mut() else { return };
        let first = core::mem::replace(&mut frame.empty, false);
        let (column, place) = (frame.column, frame.place);
        match (first, place) {
            (true, Place::Item) => self.output.buffer.push(b' '),
            (true, Place::Start) => self.state.in_line = true,
            _ => self.new_line(column),
        }
    }

    fn close(&mut self, empty: &[u8]) {
        let Some(frame) = self.state.frames.pop() else { return };
        if frame.empty && frame.kind != FrameKind::Documents {
            self.state.place = frame.place;
            self.space();
            self.output.buffer.extend_from_slice(empty);
            self.state.in_line = true;
        }
    }

    /// Writes a scalar without quotes, in a form that other readers parse as its kind.
    fn shown(&mut self, kind: &'static str, value: impl core::fmt::Display) -> Result<()> {
        self.scalar(kind, |out| {
            let _ = write!(out, "{value}"); // writing to a Vec cannot fail
        })
    }
}

impl<D: Drain> Sink for YamlSink<D> {
    fn null(&mut self) -> Result<()> {
        self.scalar("null", |out| out.extend_from_slice(b"null"))
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.scalar("bool", |out| out.extend_from_slice(if value { b"true" } else { b"false" }))
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.shown("int", value)
    }

    fn float(&mut self, value: f64) -> Result<()> {
        self.scalar("float", |out| number::write_float(out, value))
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        self.scalar("float", |out| number::write_float32(out, value))
    }

    fn text(&mut self, value: &str) -> Result<()> {
        let in_key = self.state.place == Place::Key;
        let column = match self.state.place {
            Place::Start => usize::from(self.options.indent),
            _ => self.inner_column(),
        };
        self.scalar("text", |out| text::write(out, value, (!in_key).then_some(column)))
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let mut digits = String::new();
        base64::encode(value, &mut digits);
        self.scalar("bytes", |out| {
            out.extend_from_slice(b"!!binary ");
            out.extend_from_slice(if digits.is_empty() { b"\"\"" } else { digits.as_bytes() });
        })
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.shown("decimal", value.as_str())
    }

    fn date(&mut self, value: Date) -> Result<()> {
        self.shown("date", value)
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.shown("datetime", at)
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.shown("instant", at.with_offset(offset))
    }

    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.open(FrameKind::List)
    }

    fn item(&mut self) -> Result<()> {
        if let Some(Frame { kind: FrameKind::Documents, empty, .. }) = self.state.frames.last_mut() {
            *empty = false;
            self.new_line(0);
            self.output.buffer.extend_from_slice(b"---\n");
            (self.state.place, self.state.in_line) = (Place::Start, false);
            return Ok(());
        }
        self.next_child();
        self.output.buffer.push(b'-');
        self.state.place = Place::Item;
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close(b"[]");
        Ok(())
    }

    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.open(FrameKind::Map)
    }

    fn entry(&mut self) -> Result<()> {
        self.next_child();
        self.state.place = Place::Key;
        self.state.key_at = self.output.buffer.len();
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        let at = self.state.key_at;
        let column = self.state.frames.last().map_or(0, |frame| frame.column);
        if self.output.buffer.len().saturating_sub(at) > LONG_KEY {
            self.output.buffer.splice(at..at, *b"? ");
            self.new_line(column);
        }
        self.output.buffer.push(b':');
        self.state.place = Place::Value;
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.close(b"{}");
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let before = self.output.buffer.len();
        self.output.commit()?;
        // The commit may have removed a complete key from the buffer.
        self.state.key_at = self.state.key_at.saturating_sub(before - self.output.buffer.len());
        self.saved.clone_from(&self.state);
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.output.rollback();
        self.state.clone_from(&self.saved);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if let Some(frame) = self.state.frames.last() {
            let kind = if frame.kind == FrameKind::Map { "map" } else { "list" };
            return Err(Error::new(ErrorKind::Encode, format!("the {kind} has not ended")));
        }
        if self.state.in_line {
            self.output.buffer.push(b'\n');
        }
        self.output.finish()
    }
}
