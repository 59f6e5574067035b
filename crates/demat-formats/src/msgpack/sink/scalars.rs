//! Scalars of one container of MessagePack.

use super::super::MsgpackCodec;
use super::super::ext::is_ext;
use super::super::timestamp;
use super::header::{Counted, header};
use super::open::{End, Frame, Open};
use super::{MsgpackSink, append_short, write_counted, write_field, write_moment, write_signed};
use crate::codec::verify_notes;
use crate::scan::{Room, Tail, append_fixed, append_number};
use crate::{Drain, ScalarWriter};
use demat_core::scalar::{Date, DateTime, Instant, Time};
use demat_core::{QuotedKey, Record};

/// The [`ScalarWriter`] of a [`MsgpackSink`].
#[derive(Debug)]
pub struct MsgpackScalars<'s> {
    tail: Tail<'s>,
    open: &'s mut Open,
    /// The header of a container that the sink does not know of yet.
    begun: Option<Begun>,
}

/// The header of a container: where it is, its length, and the count that it has.
#[derive(Debug, Clone, Copy)]
struct Begun {
    of: Counted,
    at: u64,
    reserved: u8,
    count: u32,
}

impl<D: Drain> MsgpackSink<D> {
    /// Begins a record, of which the first fields are scalars. `None` if it has no fields, is no plain map, or would be
    /// refused here.
    #[inline(always)]
    pub fn record(&mut self, record: &Record) -> Option<MsgpackScalars<'_>> {
        if is_ext(record) || verify_notes::<MsgpackCodec>(record).is_err() {
            return None;
        }
        // Said of a value of which this is the shape.
        self.is_ext = false;
        self.begun(Counted::Map, record.fields().len())
    }

    /// Begins a map of so many entries, of which the first are scalars. `None` if it is empty, is no plain map, or would be
    /// refused here.
    #[inline(always)]
    pub fn map(&mut self, len: usize) -> Option<MsgpackScalars<'_>> {
        self.begun(Counted::Map, len)
    }

    /// Begins a list of so many items, of which the first are scalars. `None` if it is empty, is a sequence of documents, or
    /// would be refused here.
    #[inline(always)]
    pub fn list(&mut self, len: usize) -> Option<MsgpackScalars<'_>> {
        let is_sequence = self.options.sequence && (self.open.depth() == 0 || self.in_sequence());
        if is_sequence { None } else { self.begun(Counted::Array, len) }
    }

    #[inline(always)]
    fn begun(&mut self, of: Counted, len: usize) -> Option<MsgpackScalars<'_>> {
        let count = u32::try_from(len).ok().filter(|count| *count > 0)?;
        if self.key || self.is_ext || self.open.depth() >= self.options.depth as usize {
            return None;
        }
        let at = self.output.buffer.len() as u64;
        let mut tail = Tail::of(&mut self.output.buffer);
        let reserved = begin(&mut tail, of, count);
        let begun = Some(Begun { of, at, reserved, count });
        Some(MsgpackScalars { tail, open: &mut self.open, begun })
    }

    /// Goes on with fields of the open record, or with entries of the open map.
    #[inline(always)]
    pub fn fields(&mut self) -> Option<MsgpackScalars<'_>> {
        let tail = Tail::of(&mut self.output.buffer);
        Some(MsgpackScalars { tail, open: &mut self.open, begun: None })
    }

    /// Goes on with items of the open list. `None` if these must be records.
    #[inline(always)]
    pub fn items(&mut self) -> Option<MsgpackScalars<'_>> {
        if self.in_sequence() { None } else { self.fields() }
    }
}

/// Appends the header of an array or a map, and returns its length.
#[inline(always)]
fn begin(tail: &mut Tail<'_>, of: Counted, count: u32) -> u8 {
    if count < 16 {
        append_fixed(tail, [of.short() | count as u8]);
        return 1;
    }
    let header = header(of, count);
    tail.append(|out| out.extend_from_slice(header.as_bytes()));
    header.len() as u8
}

impl ScalarWriter for MsgpackScalars<'_> {
    #[inline(always)]
    fn position(&self) -> usize {
        self.tail.len()
    }

    #[inline(always)]
    fn take_back(&mut self, bytes: usize) {
        self.tail.take_back(bytes);
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> usize {
        write_field(&mut self.tail, record, index)
    }

    #[inline(always)]
    fn key(&mut self, key: &str, _: Option<&QuotedKey>) -> usize {
        if key.len() < 32 {
            append_short(&mut self.tail, key.as_bytes());
            return key.len() + 1;
        }
        let before = self.tail.len();
        self.text(key);
        self.tail.len() - before
    }

    #[inline(always)]
    fn begin_list(&mut self, len: u32) {
        begin(&mut self.tail, Counted::Array, len);
    }

    #[inline(always)]
    fn end_list(&mut self) {}

    #[inline(always)]
    fn empty_list(&mut self) {
        append_fixed(&mut self.tail, [Counted::Array.short()]);
    }

    #[inline(always)]
    fn null(&mut self) {
        append_fixed(&mut self.tail, [0xc0]);
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) {
        append_fixed(&mut self.tail, [0xc2 + u8::from(value)]);
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) {
        write_signed(&mut self.tail, value);
    }

    #[inline(always)]
    fn float(&mut self, value: f64) {
        append_number(&mut self.tail, 0xcb, value.to_be_bytes());
    }

    #[inline(always)]
    fn text(&mut self, value: &str) {
        let text = value.as_bytes();
        if text.len() < 32 {
            append_short(&mut self.tail, text);
        } else {
            self.tail.append(|out| write_counted(out, Counted::Text, text.len() as u32, text));
        }
    }

    #[inline(always)]
    fn date(&mut self, value: Date) {
        write_moment(&mut self.tail, &value);
    }

    #[inline(always)]
    fn time(&mut self, value: Time) {
        write_moment(&mut self.tail, &value);
    }

    #[inline(always)]
    fn date_time(&mut self, value: DateTime) {
        write_moment(&mut self.tail, &value);
    }

    #[inline(always)]
    fn instant(&mut self, value: Instant) {
        let is_written = timestamp::write(value, &mut self.tail);
        debug_assert!(is_written, "an instant that is in UTC");
    }

    #[inline(always)]
    fn leave(self, children: usize) {
        self.tail.finish();
        if let Some(Begun { of, at, reserved, count }) = self.begun {
            // As announced, the header may leave the memory before the end.
            let (of, end) = (Some(of), End::Announced);
            self.open.enter(Frame { at, count: children as u64, stated: count, of, reserved, end });
        } else {
            self.open.set_counted(self.open.counted() + children as u64);
        }
    }

    #[inline(always)]
    fn end(self) {
        self.tail.finish();
    }
}
