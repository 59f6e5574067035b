//! The sink for the text format.

mod any;
mod container;
mod fault;
mod layout;
mod literal;
mod scalar;
mod slot;
mod unknown;

use super::WriteOptions;
use super::layout::Names;
use crate::codec::verify_notes;
use crate::proto::ProtoCodec;
use crate::{Drain, Output};
use demat_core::scalar::{DateTime, Duration, Int, Offset, Uuid};
use demat_core::{Enum, Record, Result, Sink, Union};
use slot::{Frame, Place, Slot};
use std::sync::Arc;

/// A [`Sink`] that writes a message in the text format.
#[derive(Debug)]
pub struct TxtpbSink<D> {
    output: Output<D>,
    options: WriteOptions,
    state: State,
    saved: State,
    /// The layout of the record that was entered last, with the record's identity.
    last: Option<(u64, Arc<Names>)>,
}

/// What a rollback restores.
#[derive(Debug, Clone)]
struct State {
    frames: Vec<Frame>,
    slot: Slot,
    /// The number of open brackets.
    level: u32,
    /// Whether something was written: on one line, a space precedes what follows.
    begun: bool,
}

impl<D: Drain> TxtpbSink<D> {
    /// Returns a sink to an output.
    ///
    /// ```
    /// use demat_core::{Shape, Sink};
    /// use demat_formats::txtpb::{TxtpbSink, WriteOptions};
    /// use demat_formats::{Keep, Output};
    /// let Shape::Record(task) = "id:int, title:text".parse()? else { unreachable!() };
    /// let task = task.own();
    /// let mut sink = TxtpbSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    /// sink.begin_record(&task)?;
    /// sink.field(&task, 0)?;
    /// sink.i64(150)?;
    /// sink.field(&task, 1)?;
    /// sink.text("Room")?;
    /// sink.end_record(&task)?;
    /// sink.finish()?;
    /// assert_eq!(sink.into_output().into_parts().0, b"id: 150\ntitle: \"Room\"\n");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let state = State { frames: Vec::new(), slot: Slot::WHOLE, level: 0, begun: false };
        Self { output, options, saved: state.clone(), state, last: None }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Returns the layout of a record.
    fn names(&mut self, record: &Record) -> Arc<Names> {
        let id = record.identity();
        if let Some((last, names)) = &self.last
            && *last == id
        {
            return Arc::clone(names);
        }
        let names = Arc::clone(Names::of(record));
        self.last = Some((id, Arc::clone(&names)));
        names
    }
}

impl<D: Drain> Sink for TxtpbSink<D> {
    fn null(&mut self) -> Result<()> {
        self.write_null()
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.write_bool(value)
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.write_int(value)
    }

    fn float(&mut self, value: f64) -> Result<()> {
        self.write_f64(value)
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        self.write_f32(value)
    }

    fn text(&mut self, value: &str) -> Result<()> {
        self.write_text(value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.write_bytes(value)
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.write_date_time(at)
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.write_instant(at.with_offset(offset))
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        self.write_duration(value)
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.write_uuid(value)
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.write_variant(names, index)
    }

    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.open_list()
    }

    fn item(&mut self) -> Result<()> {
        self.next_item()
    }

    fn end_list(&mut self) -> Result<()> {
        self.close_container()
    }

    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.open_map()
    }

    fn entry(&mut self) -> Result<()> {
        self.next_entry()
    }

    fn value(&mut self) -> Result<()> {
        self.begin_value();
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.close_container()
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        verify_notes::<ProtoCodec>(record)?;
        self.open_record(record)
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        match self.state.frames.last() {
            Some(Frame::AnyMap { .. }) => return self.any_key(record.fields()[index].key()),
            Some(Frame::Any(_)) => {
                self.state.slot = Slot { place: Place::Part(index), ..Slot::WHOLE };
                return Ok(());
            }
            _ => {}
        }
        let names = self.names(record);
        self.state.slot = Slot::of(&names.fields[index]);
        Self::check_name(&self.state.slot)
    }

    fn rest(&mut self, _: &Record, key: &str) -> Result<()> {
        if let Some(Frame::AnyMap { .. }) = self.state.frames.last() {
            return self.any_key(key);
        }
        // Within a `google.protobuf.Any`, unknown fields have no place beside the expanded form.
        let place = if let Some(Frame::Any(_)) = self.state.frames.last() { Place::Part(2) } else { Place::Rest };
        self.state.slot = Slot { place, ..Slot::WHOLE };
        Ok(())
    }

    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.close_record()
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.open_variant(union, index)
    }

    fn end_variant(&mut self, _: &Union, _: usize) -> Result<()> {
        self.close_container()
    }

    fn commit(&mut self) -> Result<()> {
        self.saved.clone_from(&self.state);
        self.output.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.state.clone_from(&self.saved);
        self.output.rollback();
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if self.options.indent == 0 && core::mem::take(&mut self.state.begun) {
            self.output.buffer.push(b'\n');
        }
        self.output.finish()
    }
}
