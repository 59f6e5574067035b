//! Writing TOML.

mod layout;
mod part;
mod text;

use super::{INLINE_DEPTH, WriteOptions};
use crate::text::{write_f32, write_f64, write_i64};
use crate::{Drain, Output};
use demat_core::scalar::{Date, DateTime, Int, Offset, Time};
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Tag, Union};
use part::{Part, Parts};
use std::io::Write as _;

/// A [`Sink`] of TOML.
///
/// It holds the text of all values in memory until the document ends, since the values of a table come before the
/// tables in it.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, toml::{TomlSink, WriteOptions}};
/// let mut sink = TomlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// sink.begin_map(None)?;
/// sink.key("title")?;
/// sink.text("Clean room")?;
/// sink.end_map()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, b"title = \"Clean room\"\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct TomlSink<D> {
    output: Output<D>,
    options: WriteOptions,
    parts: Parts,
    state: State,
    saved: (part::Len, State),
}

/// The state that a rollback restores.
#[derive(Debug, Default)]
struct State {
    frames: Vec<Frame>,
    /// Whether a key is being written.
    key: bool,
    /// Whether a null is refused: beside a tag, and for a key that is not a field of the record.
    rest: bool,
}

impl State {
    fn clone_from(&mut self, other: &Self) {
        self.frames.clone_from(&other.frames);
        (self.key, self.rest) = (other.key, other.rest);
    }
}

/// An open container.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The index of its part.
    at: usize,
    kind: FrameKind,
    /// The depth of arrays and inline tables, counting itself; 0 for a table with a header.
    inline: u32,
    /// The number of its children.
    children: u32,
    /// The number of children that are maps.
    maps: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    List,
    Map,
    Record,
}

impl<D: Drain> TomlSink<D> {
    /// Returns a sink that writes to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let (state, saved) = (State::default(), (part::Len::default(), State::default()));
        Self { output, options, parts: Parts::default(), state, saved }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Writes a scalar. A scalar as key is text.
    fn scalar(&mut self, kind: &'static str, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        if self.state.frames.is_empty() {
            return Err(no_table(kind));
        }
        if self.state.key {
            let mut text = Vec::new();
            write(&mut text);
            self.write_key(&String::from_utf8_lossy(&text));
            return Ok(());
        }
        self.parts.add(Part::scalar, write);
        Ok(())
    }

    fn write_key(&mut self, key: &str) {
        self.parts.add(Part::key, |out| text::write_key(out, key));
    }

    /// Writes text in quotes, or as a key.
    fn quoted(&mut self, kind: &'static str, value: &str) -> Result<()> {
        if self.state.key {
            self.write_key(value);
            return Ok(());
        }
        self.scalar(kind, |out| text::write_text(out, value))
    }

    fn open(&mut self, kind: FrameKind) -> Result<()> {
        let is_list = kind == FrameKind::List;
        let name = if is_list { "list" } else { "map" };
        if self.state.key {
            return Err(Error::new(ErrorKind::Encode, format!("a {name} can't be a key in TOML")));
        }
        if self.state.frames.len() >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth));
        }
        let inline = match self.state.frames.last_mut() {
            None if is_list => return Err(no_table(name)),
            None => 0,
            Some(frame) => {
                frame.maps += u32::from(!is_list);
                match frame.kind {
                    // The item of a list that has only maps so far.
                    FrameKind::List if !is_list && frame.inline == 1 && frame.maps == frame.children => 0,
                    FrameKind::Map | FrameKind::Record if !is_list && frame.inline == 0 => 0,
                    _ => frame.inline + 1,
                }
            }
        };
        if inline > INLINE_DEPTH {
            return Err(Error::limit("the depth of arrays and inline tables in TOML", INLINE_DEPTH));
        }
        let at = self.parts.open(is_list);
        self.state.frames.push(Frame { at, kind, inline, children: 0, maps: 0 });
        Ok(())
    }

    fn child(&mut self) {
        if let Some(frame) = self.state.frames.last_mut() {
            frame.children = frame.children.saturating_add(1);
        }
    }

    fn close(&mut self) {
        if let Some(frame) = self.state.frames.pop() {
            let is_tables = frame.kind == FrameKind::List && frame.children > 0 && frame.maps == frame.children;
            self.parts.close(frame.at, is_tables);
        }
    }
}

#[cold]
fn no_table(kind: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a record or a map, which a TOML document is", kind)
}

#[cold]
fn no_null(place: &'static str) -> Error {
    Error::new(ErrorKind::Encode, format!("TOML has no null, which stands in a {place} here"))
}

impl<D: Drain> Sink for TomlSink<D> {
    /// Omits a field that is null. Any other null is refused.
    fn null(&mut self) -> Result<()> {
        if self.state.key {
            return Err(Error::new(ErrorKind::Encode, "null can't be a key in TOML"));
        }
        match self.state.frames.last_mut() {
            None => Err(no_table("null")),
            Some(Frame { kind: FrameKind::List, .. }) => Err(no_null("list")),
            Some(Frame { kind: FrameKind::Map, .. }) => Err(no_null("map")),
            Some(_) if self.state.rest => Err(no_null("map")),
            Some(frame) => {
                frame.children = frame.children.saturating_sub(1);
                self.parts.take_back_key();
                Ok(())
            }
        }
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.scalar("bool", |out| out.extend_from_slice(if value { b"true" } else { b"false" }))
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        if self.state.key {
            self.write_key(&value.to_string());
            return Ok(());
        }
        let expected = "an int of 64 bits with sign, as TOML has them";
        let narrow = value.to_i64().ok_or_else(|| Error::mismatch(ErrorKind::Encode, expected, value.to_string()));
        self.i64(narrow?)
    }

    fn i64(&mut self, value: i64) -> Result<()> {
        self.scalar("int", |out| write_i64(out, value))
    }

    fn float(&mut self, value: f64) -> Result<()> {
        self.scalar("float", |out| match special(value) {
            Some(word) => out.extend_from_slice(word),
            None => write_f64(out, value),
        })
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        self.scalar("float", |out| match special(value.into()) {
            Some(word) => out.extend_from_slice(word),
            None => write_f32(out, value),
        })
    }

    fn text(&mut self, value: &str) -> Result<()> {
        self.quoted("text", value)
    }

    fn date(&mut self, value: Date) -> Result<()> {
        self.scalar("date", |out| show(out, value))
    }

    fn time(&mut self, value: Time) -> Result<()> {
        self.scalar("time", |out| show(out, value))
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.scalar("datetime", |out| show(out, at))
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        if offset.seconds() % 60 != 0 && !self.state.key {
            let expected = "an offset of whole minutes, as TOML has them";
            return Err(Error::mismatch(ErrorKind::Encode, expected, format!("`{offset}`")));
        }
        self.scalar("instant", |out| show(out, at.with_offset(offset)))
    }

    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.open(FrameKind::List)
    }

    fn item(&mut self) -> Result<()> {
        self.child();
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close();
        Ok(())
    }

    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.open(FrameKind::Map)
    }

    fn entry(&mut self) -> Result<()> {
        self.child();
        (self.state.key, self.state.rest) = (true, false);
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        self.state.key = false;
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.close();
        Ok(())
    }

    fn begin_record(&mut self, _: &Record) -> Result<()> {
        self.open(FrameKind::Record)
    }

    fn rest(&mut self, _: &Record, key: &str) -> Result<()> {
        self.key(key)?;
        self.state.rest = true;
        Ok(())
    }

    /// Like the default, but refuses a null beside a tag, since a reader would not find it.
    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        let empty = *variant.shape() == Shape::Null;
        match union.tag() {
            Tag::Field(_) | Tag::None => Ok(()),
            Tag::Key if empty => self.text(variant.name()),
            Tag::Key => {
                self.begin_map(Some(1))?;
                self.key(variant.name())
            }
            Tag::Pair(pair) => {
                self.begin_record(pair)?;
                self.field(pair, 0)?;
                self.text(variant.name())?;
                if !empty {
                    self.field(pair, 1)?;
                    self.state.rest = true;
                }
                Ok(())
            }
        }
    }

    fn commit(&mut self) -> Result<()> {
        self.saved.0 = self.parts.len();
        self.saved.1.clone_from(&self.state);
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.parts.truncate(self.saved.0);
        self.state.clone_from(&self.saved.1);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if let Some(frame) = self.state.frames.last() {
            let kind = if frame.kind == FrameKind::List { "list" } else { "map" };
            return Err(Error::new(ErrorKind::Encode, format!("the {kind} has not ended")));
        }
        layout::write(&self.parts, &mut self.output)?;
        self.parts = Parts::default();
        self.output.finish()
    }
}

fn show(out: &mut Vec<u8>, value: impl core::fmt::Display) {
    let _ = write!(out, "{value}"); // writing to a Vec cannot fail
}

/// Returns the literal of an infinity or NaN, or `None` for a finite number.
fn special(value: f64) -> Option<&'static [u8]> {
    match value {
        f64::INFINITY => Some(b"inf"),
        f64::NEG_INFINITY => Some(b"-inf"),
        _ if value.is_nan() => Some(b"nan"),
        _ => None,
    }
}
