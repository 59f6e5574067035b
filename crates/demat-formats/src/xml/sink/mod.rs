//! Writing XML.

mod element;
mod escape;
mod fault;
mod frame;
mod place;
mod plain;

use super::WriteOptions;
use super::layout::RecordLayout;
use crate::text::{write_f32, write_f64};
use crate::{Drain, Output};
use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink};
use fault::no_container;
use frame::{FrameKind, Slot, State, Tag};

/// XML, as a [`Sink`].
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, xml::{WriteOptions, XmlSink}};
/// let options = WriteOptions { declaration: false, ..WriteOptions::default() };
/// let mut sink = XmlSink::new(Output::new(Vec::new(), Keep), options);
/// sink.begin_map(None)?;
/// sink.key("@id")?;
/// sink.i64(1)?;
/// sink.key("title")?;
/// sink.text("Salt & pepper")?;
/// sink.end_map()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, b"<root id=\"1\"><title>Salt &amp; pepper</title></root>");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct XmlSink<D> {
    output: Output<D>,
    options: WriteOptions,
    state: State,
    saved: State,
    /// Whether nothing has been written.
    is_first: bool,
    saved_first: bool,
    scratch: Vec<u8>,
}

impl<D: Drain> XmlSink<D> {
    /// Returns a sink that writes to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let (state, saved) = (State::default(), State::default());
        Self { output, options, state, saved, is_first: true, saved_first: true, scratch: Vec::new() }
    }

    /// Returns the output with what was written.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Writes a scalar in its text form.
    fn scalar(&mut self, text: &str) -> Result<()> {
        self.write_scalar(text)
    }

    /// Writes a number by a function.
    fn number(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.clear();
        write(&mut scratch);
        let written = self.write_scalar(core::str::from_utf8(&scratch).unwrap_or_default());
        self.scratch = scratch;
        written
    }
}

/// Returns XML Schema's name of a float without digits.
fn float_name(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "INF"
    } else {
        "-INF"
    }
}

impl<D: Drain> Sink for XmlSink<D> {
    fn null(&mut self) -> Result<()> {
        self.write_null()
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.scalar(if value { "true" } else { "false" })
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.scalar(&value.to_string())
    }

    fn i64(&mut self, value: i64) -> Result<()> {
        self.number(|out| crate::text::write_i64(out, value))
    }

    fn u64(&mut self, value: u64) -> Result<()> {
        self.number(|out| crate::text::write_u64(out, value))
    }

    fn float(&mut self, value: f64) -> Result<()> {
        if value.is_finite() { self.number(|out| write_f64(out, value)) } else { self.scalar(float_name(value)) }
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if value.is_finite() {
            self.number(|out| write_f32(out, value))
        } else {
            self.scalar(float_name(f64::from(value)))
        }
    }

    fn text(&mut self, value: &str) -> Result<()> {
        self.scalar(value)
    }

    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.open_list()
    }

    fn item(&mut self) -> Result<()> {
        self.state.slot = Slot::Item;
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close_list()
    }

    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.open_parts(None)
    }

    fn entry(&mut self) -> Result<()> {
        self.state.slot = Slot::Key;
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        self.state.slot = Slot::Entry;
        Ok(())
    }

    fn key(&mut self, key: &str) -> Result<()> {
        self.state.key.clear();
        self.state.key.push_str(key);
        self.state.slot = Slot::Entry;
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.state.slot = Slot::Nothing;
        self.end_element()
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        let layout = RecordLayout::of(record)?;
        self.open_parts(Some((record.name(), layout)))
    }

    fn field(&mut self, _: &Record, index: usize) -> Result<()> {
        self.state.slot = Slot::Field(index);
        Ok(())
    }

    fn rest(&mut self, _: &Record, key: &str) -> Result<()> {
        self.key(key)
    }

    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.end_map()
    }

    fn begin(&mut self, _: &Shape) -> Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        // Committed bytes never change.
        for index in (0..self.state.frames.len()).rev() {
            let late = core::mem::take(&mut self.state.frames[index].late);
            self.put_late(self.state.frames[index].tag, &late);
        }
        for frame in &mut self.state.frames {
            if let Tag::Closed(_) = frame.tag {
                frame.tag = Tag::Gone;
            }
        }
        self.output.commit()?;
        self.saved.clone_from(&self.state);
        self.saved_first = self.is_first;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.output.rollback();
        self.state.clone_from(&self.saved);
        self.is_first = self.saved_first;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if let Some(frame) = self.state.frames.last() {
            let kind = if frame.kind == FrameKind::Parts { "map" } else { "list" };
            return Err(Error::new(ErrorKind::Encode, format!("the {kind} has not ended")));
        }
        self.output.finish()
    }
}

/// The error for a container as a key.
#[cold]
fn container_as_key(found: &'static str) -> Error {
    no_container(found)
}
