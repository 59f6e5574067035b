//! The sink for canonical JSON.

mod frame;
mod gather;
mod lead;
mod step;

use super::mapping::{Mapping, Slot};
use super::times;
use crate::proto::Form;
use crate::proto::no_offset;
use crate::scan::ascii_short;
use crate::text::write_i64;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, Record, Result, Shape, Sink, Union};
use frame::{Cursor, Frame, Lead};
use std::sync::Arc;

/// A [`Sink`] that writes canonical JSON through a JSON sink.
///
/// It writes a key only with its value, so it can leave the field out: zeros, nulls and empty lists are left out where
/// the field allows it.
#[derive(Debug)]
pub struct CanonicalSink<S> {
    inner: S,
    mapping: Arc<Mapping>,
    cursor: Cursor,
    saved: Cursor,
    /// The number of `Any` messages around this one.
    depth: u32,
    scratch: String,
    digits: Vec<u8>,
}

impl<S: Sink> CanonicalSink<S> {
    /// Returns a sink for values of the mapping's shape, or for a list of these.
    pub fn new(inner: S, mapping: Arc<Mapping>) -> Self {
        let cursor = Cursor::default();
        Self { inner, mapping, saved: cursor.clone(), cursor, depth: 0, scratch: String::new(), digits: Vec::new() }
    }

    /// Returns the JSON sink.
    pub fn into_inner(self) -> S {
        self.inner
    }

    #[inline(always)]
    fn slot(&self) -> &Slot {
        &self.mapping.slots[self.cursor.slot as usize]
    }

    /// Writes an integer in quotes: many JSON parsers hold numbers as binary64, which can't represent all 64-bit
    /// integers.
    fn quoted(&mut self, value: &impl core::fmt::Display) -> Result<()> {
        use core::fmt::Write;
        self.scratch.clear();
        // Writing to memory can't fail.
        let _ = write!(self.scratch, "{value}");
        self.inner.text(&self.scratch)
    }

    /// Writes the number of an enum: as its name, if it has one.
    #[cold]
    fn enum_number(&mut self, value: i64) -> Result<()> {
        let mapping = Arc::clone(&self.mapping);
        let slot = &mapping.slots[self.cursor.slot as usize];
        let names = slot.names.as_ref();
        if let Some((names, index)) = names.and_then(|names| Some((names, names.index_of_number(value)?))) {
            self.lead()?;
            return if slot.null { self.inner.null() } else { self.inner.text(names.name_at(index)) };
        }
        if slot.closed {
            // For a closed enum, a number without a name is an unknown field.
            self.cursor.lead = Lead::None;
            return Ok(());
        }
        self.lead()?;
        self.inner.i64(value)
    }

    /// Returns whether to leave out a value. `nothing`: whether it is zero or empty.
    #[inline(always)]
    fn is_left_out(&mut self, nothing: bool) -> bool {
        let left_out = nothing && self.cursor.implicit;
        if left_out {
            self.cursor.lead = Lead::None;
        }
        left_out
    }

    fn not_finite(&mut self, value: f64) -> Result<()> {
        let slot = self.slot();
        if slot.finite || slot.form == Form::Any {
            return Err(Error::mismatch(ErrorKind::Encode, "a finite number", value.to_string()));
        }
        self.lead()?;
        self.inner.text(match value {
            _ if value.is_nan() => "NaN",
            _ if value > 0.0 => "Infinity",
            _ => "-Infinity",
        })
    }
}

/// Whether canonical JSON writes the number as text, because it has 64 bits.
#[inline(always)]
fn is_wide(form: Form) -> bool {
    matches!(form, Form::Int64 | Form::Uint64 | Form::Sint64 | Form::Fixed64 | Form::Sfixed64)
}

impl<S: Sink> Sink for CanonicalSink<S> {
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.inner.begin(shape)
    }

    fn null(&mut self) -> Result<()> {
        let null = self.slot().null || self.slot().form == Form::Any || matches!(self.slot().form, Form::Null);
        if null && self.cursor.special.is_none() {
            self.lead()?;
            return self.inner.null();
        }
        if self.cursor.lead == Lead::Item {
            return Err(Error::new(ErrorKind::Encode, "Protocol Buffers have no null within a list or map"));
        }
        self.cursor.lead = Lead::None;
        if let Some(Frame::Transparent { told, .. }) = self.cursor.frames.last_mut() {
            *told = false;
        }
        Ok(())
    }

    #[inline]
    fn bool(&mut self, value: bool) -> Result<()> {
        if self.is_left_out(!value) {
            return Ok(());
        }
        if self.cursor.late_key {
            self.keep_key(&value);
            return Ok(());
        }
        self.lead()?;
        self.inner.bool(value)
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match (value.to_i64(), value.to_u64()) {
            (Some(value), _) => self.i64(value),
            (None, Some(value)) => self.u64(value),
            _ => Err(Error::mismatch(ErrorKind::Encode, "uint64", value.to_string())),
        }
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        if self.is_left_out(value == 0) {
            return Ok(());
        }
        let form = self.slot().form;
        if is_wide(form) && self.cursor.special.is_none() {
            self.lead()?;
            return self.write_quoted(value);
        }
        if self.cursor.special.is_some() {
            return self.gather_int(value);
        }
        if form == Form::Enum {
            return self.enum_number(value);
        }
        if self.cursor.late_key {
            self.keep_key(&value);
            return Ok(());
        }
        self.lead()?;
        self.inner.i64(value)
    }

    fn u64(&mut self, value: u64) -> Result<()> {
        if let Ok(value) = i64::try_from(value) {
            return self.i64(value);
        }
        self.lead()?;
        if is_wide(self.slot().form) { self.quoted(&value) } else { self.inner.u64(value) }
    }

    #[inline]
    fn float(&mut self, value: f64) -> Result<()> {
        if self.is_left_out(value.to_bits() == 0) {
            return Ok(());
        }
        if !value.is_finite() {
            return self.not_finite(value);
        }
        self.lead()?;
        self.inner.float(value)
    }

    #[inline]
    fn float32(&mut self, value: f32) -> Result<()> {
        if self.is_left_out(value.to_bits() == 0) {
            return Ok(());
        }
        if !value.is_finite() {
            return self.not_finite(f64::from(value));
        }
        self.lead()?;
        self.inner.float32(value)
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.is_left_out(value.is_empty()) {
            return Ok(());
        }
        if self.cursor.special.is_some() {
            return self.gather_text(value);
        }
        if self.cursor.late_key {
            self.keep_key(&value);
            return Ok(());
        }
        self.lead()?;
        self.inner.text(value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        if self.is_left_out(value.is_empty()) {
            return Ok(());
        }
        if self.cursor.special.is_some() {
            return self.gather_bytes(value);
        }
        self.lead()?;
        self.inner.bytes(value)
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.lead()?;
        self.inner.text(value.as_str())
    }

    fn date(&mut self, value: Date) -> Result<()> {
        self.lead()?;
        self.inner.date(value)
    }

    fn time(&mut self, value: Time) -> Result<()> {
        self.lead()?;
        self.inner.time(value)
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        if self.slot().form == Form::Timestamp {
            return Err(no_offset(at));
        }
        self.lead()?;
        self.inner.date_time(at)
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        let nanos = at.wall_nanos() - i128::from(offset.seconds()) * 1_000_000_000;
        self.write_timestamp(nanos.div_euclid(1_000_000_000) as i64, nanos.rem_euclid(1_000_000_000) as i64)
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        let nanos = value.total_nanos();
        self.write_duration((nanos / 1_000_000_000) as i64, (nanos % 1_000_000_000) as i64)
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.lead()?;
        if self.slot().form == Form::Bytes { self.inner.bytes(&value.0) } else { self.inner.uuid(value) }
    }

    #[inline]
    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        if self.is_left_out(names.number_at(index) == 0) {
            return Ok(());
        }
        if self.slot().null {
            self.lead()?;
            return self.inner.null();
        }
        self.lead()?;
        self.inner.text(names.name_at(index))
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.open_list(len)
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        self.next_item()
    }

    fn end_list(&mut self) -> Result<()> {
        self.close_list()
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.open_map(len)
    }

    fn entry(&mut self) -> Result<()> {
        self.next_entry()
    }

    fn value(&mut self) -> Result<()> {
        self.begin_value()
    }

    fn end_map(&mut self) -> Result<()> {
        self.close_map()
    }

    #[inline]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.open_record(record)
    }

    #[inline]
    fn field(&mut self, _: &Record, index: usize) -> Result<()> {
        self.next_field(index)
    }

    fn rest(&mut self, _: &Record, _: &str) -> Result<()> {
        self.pass_rest();
        Ok(())
    }

    #[inline]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.close_record()
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.open_variant(union, index)
    }

    fn end_variant(&mut self, _: &Union, _: usize) -> Result<()> {
        self.cursor.frames.pop();
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        self.saved.clone_from(&self.cursor);
        self.inner.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.cursor.clone_from(&self.saved);
        self.inner.rollback()
    }

    fn finish(&mut self) -> Result<()> {
        self.inner.finish()
    }
}

/// Values that are written as text made here.
impl<S: Sink> CanonicalSink<S> {
    fn write_timestamp(&mut self, seconds: i64, nanos: i64) -> Result<()> {
        let mut text = core::mem::take(&mut self.scratch);
        text.clear();
        let written = times::write_timestamp(seconds, nanos, &mut text);
        let told = if written.is_some() {
            self.lead().and_then(|()| self.inner.text(&text))
        } else {
            let found = format!("{seconds} seconds and {nanos} nanoseconds");
            Err(Error::mismatch(ErrorKind::Encode, "a timestamp of the years 1 to 9999", found))
        };
        self.scratch = text;
        told
    }

    fn write_duration(&mut self, seconds: i64, nanos: i64) -> Result<()> {
        let mut text = core::mem::take(&mut self.scratch);
        text.clear();
        let written = times::write_duration(seconds, nanos, &mut text);
        let told = if written.is_some() {
            self.lead().and_then(|()| self.inner.text(&text))
        } else {
            let found = format!("{seconds} seconds and {nanos} nanoseconds");
            Err(Error::mismatch(ErrorKind::Encode, "a duration of ten thousand years at most", found))
        };
        self.scratch = text;
        told
    }

    /// Writes the digits of a number in quotes.
    #[inline]
    fn write_quoted(&mut self, value: i64) -> Result<()> {
        self.digits.clear();
        write_i64(&mut self.digits, value);
        match ascii_short(&self.digits) {
            Some(text) => self.inner.text(text),
            None => self.quoted(&value),
        }
    }
}
