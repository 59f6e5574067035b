//! Writing property lists.

mod binary;
mod fault;
mod table;
mod xml;

use super::{Variant, WriteOptions, date};
use crate::{Drain, Output};
use demat_core::scalar::{DateTime, Int, Offset};
use demat_core::{Error, ErrorKind, Record, Result, Sink};
use fault::{no_null, no_text_key, too_fine, too_large};
use table::{Scalar, Table};

/// A [`Sink`] of property lists. It writes XML as values come, and a binary document at the end.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, plist::{PlistSink, Variant, WriteOptions}};
/// let options = WriteOptions { variant: Variant::Binary, ..WriteOptions::default() };
/// let mut sink = PlistSink::new(Output::new(Vec::new(), Keep), options);
/// sink.text("a")?;
/// sink.finish()?;
/// assert!(sink.into_output().into_parts().0.starts_with(b"bplist00\x51a"));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct PlistSink<D> {
    output: Output<D>,
    options: WriteOptions,
    /// The objects of a binary document; `None` for XML.
    table: Option<Table>,
    state: State,
    saved: State,
}

/// The position of the sink.
#[derive(Debug, Clone, Default)]
struct State {
    frames: Vec<Frame>,
    /// The key of the next value, if it has one.
    key: String,
    has_key: bool,
    /// Whether the next value is a key.
    at_key: bool,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Before,
    Inside,
    After,
}

/// An open container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Frame {
    kind: Container,
    /// Whether it has children.
    filled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Array,
    Dict,
    /// A dict that omits nulls.
    Record,
}

impl<D: Drain> PlistSink<D> {
    /// Returns a sink that writes to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let table = (options.variant == Variant::Binary).then(|| Table::new(options.uids));
        Self { output, options, table, state: State::default(), saved: State::default() }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Writes what precedes a value: the header, the opening tag of the container, the key.
    fn before_value(&mut self) -> Result<()> {
        if self.state.at_key {
            return Err(no_text_key());
        }
        if self.state.stage == Stage::After {
            return Err(Error::new(ErrorKind::Encode, "a property list is one value"));
        }
        let is_first = self.state.stage == Stage::Before;
        self.state.stage = Stage::Inside;
        let has_key = core::mem::take(&mut self.state.has_key);
        if let Some(table) = &mut self.table {
            return if has_key { table.scalar(Scalar::Text(&self.state.key)) } else { Ok(()) };
        }
        let buffer = &mut self.output.buffer;
        if is_first {
            buffer.extend_from_slice(xml::HEADER);
        }
        let depth = self.state.frames.len();
        if let Some(frame) = self.state.frames.last_mut()
            && !frame.filled
        {
            frame.filled = true;
            xml::open(buffer, depth - 1, frame.kind != Container::Array);
        }
        if has_key {
            xml::element(buffer, depth, "key", &self.state.key)?;
        }
        Ok(())
    }

    /// Updates the state after a value.
    fn after_value(&mut self) {
        if self.state.frames.is_empty() {
            self.state.stage = Stage::After;
        }
    }

    fn scalar(&mut self, scalar: Scalar<'_>) -> Result<()> {
        self.before_value()?;
        match &mut self.table {
            Some(table) => table.scalar(scalar)?,
            None => xml::scalar(&mut self.output.buffer, self.state.frames.len(), scalar)?,
        }
        self.after_value();
        Ok(())
    }

    fn open(&mut self, kind: Container) -> Result<()> {
        if self.state.frames.len() >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth));
        }
        self.before_value()?;
        if let Some(table) = &mut self.table {
            table.open();
        }
        self.state.frames.push(Frame { kind, filled: false });
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let Some(frame) = self.state.frames.pop() else {
            return Err(Error::new(ErrorKind::Encode, "nothing is open that could end"));
        };
        let is_dict = frame.kind != Container::Array;
        self.state.has_key = false;
        match &mut self.table {
            Some(table) => table.close(is_dict)?,
            None => xml::close(&mut self.output.buffer, self.state.frames.len(), is_dict, frame.filled),
        }
        self.after_value();
        Ok(())
    }

    /// Uses a scalar as key, if a key is next.
    fn as_key(&mut self, value: &(impl core::fmt::Display + ?Sized)) -> bool {
        let is_key = self.state.at_key;
        if is_key {
            use core::fmt::Write as _;
            self.state.key.clear();
            let _ = write!(self.state.key, "{value}"); // writing to a String cannot fail
            (self.state.has_key, self.state.at_key) = (true, false);
        }
        is_key
    }

    /// Uses text as key.
    fn set_key(&mut self, key: &str) {
        self.state.key.clear();
        self.state.key.push_str(key);
        (self.state.has_key, self.state.at_key) = (true, false);
    }
}

impl<D: Drain> Sink for PlistSink<D> {
    /// Omits a field that is null.
    fn null(&mut self) -> Result<()> {
        match self.state.frames.last() {
            Some(Frame { kind: Container::Record, .. }) if core::mem::take(&mut self.state.has_key) => Ok(()),
            _ => Err(no_null()),
        }
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        if self.as_key(&value) { Ok(()) } else { self.scalar(Scalar::Bool(value)) }
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        if self.as_key(value) {
            return Ok(());
        }
        let small = value.to_i64().map(i128::from).or_else(|| value.to_u64().map(i128::from));
        self.scalar(Scalar::Int(small.ok_or_else(|| too_large(value))?))
    }

    fn float(&mut self, value: f64) -> Result<()> {
        self.scalar(Scalar::Real(value.to_bits()))
    }

    fn text(&mut self, value: &str) -> Result<()> {
        if self.state.at_key {
            self.set_key(value);
            return Ok(());
        }
        self.scalar(Scalar::Text(value))
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.scalar(Scalar::Data(value))
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        let text = if self.options.variant == Variant::Xml { date::to_text(at, offset) } else { None };
        let scalar = match self.options.variant {
            Variant::Xml => text.as_deref().map(Scalar::DateText),
            Variant::Binary => date::to_seconds(at, offset).map(|seconds| Scalar::Date(seconds.to_bits())),
        };
        self.scalar(scalar.ok_or_else(|| too_fine(at, offset, self.options.variant))?)
    }

    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.open(Container::Array)
    }

    fn item(&mut self) -> Result<()> {
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close()
    }

    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.open(Container::Dict)
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.set_key(record.fields()[index].key());
        Ok(())
    }

    fn entry(&mut self) -> Result<()> {
        self.state.at_key = true;
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.close()
    }

    fn begin_record(&mut self, _: &Record) -> Result<()> {
        self.open(Container::Record)
    }

    fn commit(&mut self) -> Result<()> {
        match &mut self.table {
            Some(table) => {
                table.commit();
                self.output.hold()?;
            }
            None => self.output.commit()?,
        }
        self.saved.clone_from(&self.state);
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        if let Some(table) = &mut self.table {
            table.rollback();
        }
        self.output.rollback();
        self.state.clone_from(&self.saved);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if self.state.stage != Stage::After {
            return Err(Error::new(ErrorKind::Encode, "the value has not ended"));
        }
        match &self.table {
            Some(table) => binary::write(table, &mut self.output.buffer)?,
            None => self.output.buffer.extend_from_slice(xml::FOOTER),
        }
        self.output.finish()
    }
}
