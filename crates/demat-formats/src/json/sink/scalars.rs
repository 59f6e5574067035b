//! Scalars of one container of compact JSON.

use super::CompactSink;
use super::compact::SinkState;
use crate::scan::{Room, Tail, append_block, append_fixed, append_json_quoted, append_quoted_words};
use crate::text::{write_f64_then, write_i64_then};
use crate::{Drain, ScalarWriter};
use demat_core::scalar::{Date, DateTime, Instant, Time, ToShortText};
use demat_core::{QuotedKey, Record};

/// The [`ScalarWriter`] of a [`CompactSink`].
#[derive(Debug)]
pub struct JsonScalars<'s> {
    tail: Tail<'s>,
    state: &'s mut SinkState,
    /// The end of the container that was begun, of which the sink knows nothing yet; 0 if there is none.
    end: u8,
}

impl<D: Drain> CompactSink<D> {
    /// Begins a record, of which the first fields are scalars. `None` if it has no fields, or would be refused here.
    #[inline(always)]
    pub fn record(&mut self, record: &Record) -> Option<JsonScalars<'_>> {
        self.begun(record.fields().len(), *b"{}")
    }

    /// Begins a map of so many entries, of which the first are scalars. `None` if it is empty, or would be refused here.
    #[inline(always)]
    pub fn map(&mut self, len: usize) -> Option<JsonScalars<'_>> {
        self.begun(len, *b"{}")
    }

    /// Begins a list of so many items, of which the first are scalars. `None` if it is empty, would be refused here, or has
    /// lines as items.
    #[inline(always)]
    pub fn list(&mut self, len: usize) -> Option<JsonScalars<'_>> {
        if self.at_line() { None } else { self.begun(len, *b"[]") }
    }

    #[inline(always)]
    fn begun(&mut self, len: usize, [begin, end]: [u8; 2]) -> Option<JsonScalars<'_>> {
        if self.state.key || len == 0 {
            return None;
        }
        let mut tail = Tail::of(&mut self.output.buffer);
        append_fixed(&mut tail, [begin]);
        Some(JsonScalars { tail, state: &mut self.state, end })
    }

    /// Goes on with fields of the open record, or with entries of the open map.
    #[inline(always)]
    pub fn fields(&mut self) -> Option<JsonScalars<'_>> {
        let tail = Tail::of(&mut self.output.buffer);
        Some(JsonScalars { tail, state: &mut self.state, end: 0 })
    }

    /// Goes on with items of the open list. `None` if these are lines.
    #[inline(always)]
    pub fn items(&mut self) -> Option<JsonScalars<'_>> {
        if self.at_line() { None } else { self.fields() }
    }
}

impl JsonScalars<'_> {
    /// Ends a container that has children: instead of the comma behind the last of them.
    #[inline(always)]
    fn close(&mut self, bracket: u8) {
        self.tail.set_last(bracket);
        append_fixed(&mut self.tail, [b',']);
    }

    /// Writes text that needs no escapes.
    #[inline(always)]
    fn quoted(&mut self, value: &impl ToShortText) {
        if let Some((words, len)) = value.to_words() {
            append_quoted_words(&mut self.tail, words, len, b',');
        } else {
            self.tail.append(|out| super::compact::append_quoted(out, &value.to_short_text()));
        }
    }
}

impl ScalarWriter for JsonScalars<'_> {
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
        let field = &record.fields()[index];
        let token = field.token();
        if token.whole {
            append_block(&mut self.tail, false, token.head.to_le_bytes(), token.len);
            return token.len;
        }
        self.key(field.key(), None)
    }

    #[inline(always)]
    fn key(&mut self, key: &str, quoted: Option<&QuotedKey>) -> usize {
        if let Some(quoted) = quoted {
            append_block(&mut self.tail, false, quoted.block, quoted.len);
            return quoted.len;
        }
        let before = self.tail.len();
        append_json_quoted(&mut self.tail, key, false, Some(b':'));
        self.tail.len() - before
    }

    #[inline(always)]
    fn begin_list(&mut self, _: u32) {
        append_fixed(&mut self.tail, [b'[']);
    }

    #[inline(always)]
    fn end_list(&mut self) {
        self.close(b']');
    }

    #[inline(always)]
    fn empty_list(&mut self) {
        append_fixed(&mut self.tail, *b"[],");
    }

    #[inline(always)]
    fn null(&mut self) {
        append_block(&mut self.tail, false, *b"null,", 5);
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) {
        let text = if value { *b"true,   " } else { *b"false,  " };
        append_block(&mut self.tail, false, text, 6 - usize::from(value));
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) {
        write_i64_then(&mut self.tail, value, b',');
    }

    #[inline(always)]
    fn takes(value: f64) -> bool {
        value.is_finite()
    }

    #[inline(always)]
    fn float(&mut self, value: f64) {
        write_f64_then(&mut self.tail, value, b',');
    }

    #[inline(always)]
    fn text(&mut self, value: &str) {
        append_json_quoted(&mut self.tail, value, false, Some(b','));
    }

    #[inline(always)]
    fn date(&mut self, value: Date) {
        self.quoted(&value);
    }

    #[inline(always)]
    fn time(&mut self, value: Time) {
        self.quoted(&value);
    }

    #[inline(always)]
    fn date_time(&mut self, value: DateTime) {
        self.quoted(&value);
    }

    #[inline(always)]
    fn instant(&mut self, value: Instant) {
        self.quoted(&value);
    }

    #[inline(always)]
    fn leave(self, _: usize) {
        self.tail.finish();
        if self.end != 0 {
            self.state.enter();
        }
    }

    #[inline(always)]
    fn end(mut self) {
        self.close(self.end);
        self.tail.finish();
    }
}
