//! The sink for Protocol Buffers.

mod any;
mod fault;
mod frame;
mod known;
mod message;
pub(super) mod number;
mod run;
mod scalar;
pub(super) mod slot;
mod splice;
mod union;
mod widen;

pub(crate) use known::no_offset;

use super::tag::WireType;
use crate::proto::layout::{Form, LayoutCache, Wire};
use crate::small_stack::SmallStack;
use crate::{Drain, Output};
use demat_core::scalar::{DateTime, Duration, Int, Offset, Uuid};
use demat_core::{Enum, Record, Result, Sink, Union};
use frame::Frame;
use slot::Slot;

/// A [`Sink`] that writes a message, or a stream of length-prefixed messages.
///
/// The caller decides which: a record is a message, a list is a stream. A length precedes its content but is known only
/// afterwards. So the sink reserves one byte for it, which usually is enough. Longer lengths are widened in a single
/// pass when the outermost message ends.
#[derive(Debug)]
pub struct ProtoSink<D> {
    output: Output<D>,
    frames: SmallStack<Frame>,
    layouts: LayoutCache,
    slot: Slot,
    /// The number of enclosing lists and maps with `google.protobuf.Value` as values.
    any: u32,
    /// Length prefixes that need more than the one reserved byte: position, length, and the running total of additional
    /// bytes.
    wide: Vec<(usize, u64, u64)>,
    /// Boxed, since a sink is made and moved for each message.
    rare: Option<Box<Rare>>,
}

/// State that few messages need.
#[derive(Debug, Default)]
struct Rare {
    /// Open lists and maps that must not be empty: the number of frames including it, and the offset of its content.
    defaulted: Vec<(usize, usize)>,
    /// A buffer for values that are written as text.
    scratch: String,
    saved: Saved,
}

/// The state that a rollback restores.
#[derive(Debug, Default)]
struct Saved {
    frames: Vec<Frame>,
    slot: Option<Slot>,
    any: u32,
    wide: usize,
}

impl<D: Drain> ProtoSink<D> {
    /// Returns a sink to an output.
    ///
    /// ```
    /// use demat_core::{Shape, Sink};
    /// use demat_formats::{Keep, Output, proto::ProtoSink};
    /// let Shape::Record(task) = "id:int, title:text".parse()? else { unreachable!() };
    /// let task = task.own();
    /// let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    /// sink.begin_record(&task)?;
    /// sink.field(&task, 0)?;
    /// sink.i64(150)?;
    /// sink.field(&task, 1)?;
    /// sink.text("Room")?;
    /// sink.end_record(&task)?;
    /// sink.finish()?;
    /// assert_eq!(sink.into_output().into_parts().0, b"\x08\x96\x01\x12\x04Room");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn new(output: Output<D>) -> Self {
        Self {
            output,
            frames: SmallStack::new(),
            layouts: LayoutCache::default(),
            slot: Slot::WHOLE,
            any: 0,
            wide: Vec::new(),
            rare: None,
        }
    }

    /// Returns the output.
    #[inline(always)]
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    fn as_text(&mut self, value: impl core::fmt::Display) -> Result<()> {
        use core::fmt::Write;
        let mut text = core::mem::take(&mut self.rare.get_or_insert_default().scratch);
        text.clear();
        // Writing to memory can't fail.
        let _ = write!(text, "{value}");
        let told = self.write_text(&text);
        self.rare.get_or_insert_default().scratch = text;
        told
    }
}

impl<D: Drain> Sink for ProtoSink<D> {
    fn null(&mut self) -> Result<()> {
        self.write_null()
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        self.write_bool(value)
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match (value.to_i64(), value.to_u64()) {
            (Some(value), _) => self.write_i64(value),
            (None, Some(value)) => self.write_u64(value),
            _ => Err(self.too_large(value)),
        }
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.write_i64(value)
    }

    #[inline(always)]
    fn u64(&mut self, value: u64) -> Result<()> {
        self.write_u64(value)
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        self.write_f64(value)
    }

    #[inline(always)]
    fn float32(&mut self, value: f32) -> Result<()> {
        self.write_f32(value)
    }

    #[inline(always)]
    fn text(&mut self, value: &str) -> Result<()> {
        self.write_text(value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.write_bytes(value)
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        if self.slot.form == Form::Timestamp { Err(no_offset(at)) } else { self.as_text(at) }
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        let instant = at.with_offset(offset);
        if self.slot.form == Form::Timestamp { self.write_instant(instant) } else { self.as_text(instant) }
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        if self.slot.form == Form::Duration { self.write_duration(value) } else { self.as_text(value) }
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        if self.slot.form == Form::Bytes { self.write_bytes(&value.0) } else { self.as_text(value) }
    }

    /// Writes a message that is encoded already.
    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        if format != "proto" || self.slot.form == Form::Any {
            return Ok(false);
        }
        self.open_record()?;
        self.output.buffer.extend_from_slice(bytes);
        self.close_record();
        Ok(true)
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        match self.slot.form {
            Form::Text | Form::Any => self.write_text(names.name_at(index)),
            _ => self.write_enum(names.number_at(index)),
        }
    }

    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.open_list()
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        self.next_item();
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close_list();
        self.check_absence("an empty list")
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
        self.close_map();
        self.check_absence("an empty map")
    }

    #[inline]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.layouts.verify(record)?;
        self.open_record()
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        if self.any > 0 {
            return self.any_key(record.fields()[index].key());
        }
        // For a field that the compiler knows, this needs no layout.
        if record.is_constant()
            && let field = &record.fields()[index]
            && let Some(own) = Wire::of_plain_constant(field)
        {
            self.slot = Slot::of_field(field.number(), own);
        } else {
            self.slot = self.layouts.field(record, index).writing;
        }
        Ok(())
    }

    fn rest(&mut self, _: &Record, key: &str) -> Result<()> {
        if self.any > 0 { self.any_key(key) } else { self.begin_rest(key) }
    }

    #[inline]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.close_record();
        Ok(())
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.open_variant(union, index)
    }

    fn end_variant(&mut self, _: &Union, _: usize) -> Result<()> {
        self.close_variant();
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        // The content of a message can't be drained before its length is known.
        if self.frames.is_empty() || self.frames.len() == 1 && self.frames[0] == Frame::Stream {
            self.widen();
            self.output.commit()?;
        } else {
            self.output.hold()?;
        }
        let saved = &mut self.rare.get_or_insert_default().saved;
        self.frames.save(&mut saved.frames);
        saved.slot = Some(self.slot);
        saved.any = self.any;
        saved.wide = self.wide.len();
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.output.rollback();
        let Rare { defaulted, saved, .. } = &mut **self.rare.get_or_insert_default();
        self.wide.truncate(saved.wide);
        self.frames.restore(&saved.frames);
        defaulted.retain(|(depth, _)| *depth <= saved.frames.len());
        self.any = saved.any;
        self.slot = saved.slot.unwrap_or(Slot::WHOLE);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.widen();
        self.output.finish()
    }
}

impl<D: Drain> ProtoSink<D> {
    /// Writes the tag of a slot, if it has one.
    #[inline]
    fn write_tag(&mut self, slot: Slot) {
        number::put(&mut self.output.buffer, slot.tag(), number::NOTHING);
    }
}
