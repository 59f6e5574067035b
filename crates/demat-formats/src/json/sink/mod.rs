//! The sinks for JSON. [`JsonSink`] supports all options.

mod compact;
mod number_items;
mod scalars;
mod sorted;
mod splice;

pub use compact::CompactSink;
pub use scalars::JsonScalars;

use super::{NonFinite, UuidForm, WriteOptions};
use crate::scan::{append_block, append_json_quoted, prefetch_ahead};
use crate::text::{write_f32, write_f64, write_i64, write_json_string, write_json_string_ascii, write_u64};
use crate::{Drain, Output};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, ToShortText, Uuid, base64};
use demat_core::{Error, ErrorKind, KeyPattern, QuotedKey, Record, Result, Sink};
use sorted::Sorter;

/// A [`Sink`] that writes JSON.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, json::{JsonSink, WriteOptions}};
/// let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// sink.begin_list(None)?;
/// sink.item()?;
/// sink.text("a")?;
/// sink.end_list()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, br#"["a"]"#);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonSink<D> {
    output: Output<D>,
    options: WriteOptions,
    state: SinkState,
    committed: SinkState,
    sorter: Option<Sorter>,
    /// Whether it writes compactly, without escapes beyond the necessary ones, and in the given order.
    plain: bool,
}

/// The state that a rollback restores.
#[derive(Debug, Clone, Copy)]
struct SinkState {
    depth: u32,
    /// Whether the innermost container has no child yet.
    first: bool,
    /// Whether the next value is a key.
    key: bool,
}

impl<D: Drain> JsonSink<D> {
    /// Returns a sink to an output.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        let state = SinkState { depth: 0, first: true, key: false };
        let sorter = options.sorted_keys.then(Sorter::default);
        let plain = sorter.is_none() && options.indent.is_none() && !options.ascii;
        Self { output, options, state, committed: state, sorter, plain }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    pub(crate) fn output(&mut self) -> &mut Output<D> {
        &mut self.output
    }

    pub(crate) fn depth(&self) -> u32 {
        self.state.depth
    }

    #[inline(always)]
    fn open(&mut self, bracket: u8) -> Result<()> {
        if self.state.depth >= self.options.depth || self.state.key {
            return Err(self.no_container());
        }
        append_block(&mut self.output.buffer, false, [bracket], 1);
        self.state.depth += 1;
        self.state.first = true;
        if let Some(sorter) = &mut self.sorter {
            sorter.open();
        }
        Ok(())
    }

    /// Writes a float that is not finite as the options say.
    #[cold]
    fn not_finite(&mut self, value: f64) -> Result<()> {
        match self.options.nonfinite {
            NonFinite::Refuse => Err(not_finite(value)),
            NonFinite::Null => self.null(),
            NonFinite::Text if value.is_nan() => self.text("NaN"),
            NonFinite::Text => self.text(if value > 0.0 { "Infinity" } else { "-Infinity" }),
        }
    }

    #[cold]
    fn no_container(&self) -> Error {
        if self.state.key { no_key("a container") } else { Error::limit("the depth of nesting", self.options.depth) }
    }

    #[inline(always)]
    fn close(&mut self, bracket: u8) {
        self.state.depth = self.state.depth.saturating_sub(1);
        if self.sorter.is_some() {
            self.sort();
        }
        if self.options.indent.is_some() && !self.state.first {
            self.new_line(false);
        }
        append_block(&mut self.output.buffer, false, [bracket], 1);
        self.state.first = false;
    }

    /// Sorts the entries of the container that ends.
    #[inline(never)]
    fn sort(&mut self) {
        if let Some(sorter) = &mut self.sorter {
            let committed = self.output.committed();
            sorter.close(&mut self.output.buffer, committed);
        }
    }

    /// Writes the separator between children.
    #[inline(always)]
    fn next_child(&mut self) {
        let comma = !self.state.first;
        self.state.first = false;
        if self.options.indent.is_some() {
            self.new_line(comma);
        } else if comma {
            append_block(&mut self.output.buffer, false, [b','], 1);
        }
    }

    /// Begins a line, after a comma if there is to be one.
    #[inline(always)]
    fn new_line(&mut self, comma: bool) {
        const LINE: [u8; 32] = *b"\n                               ";
        let len = 1 + usize::from(self.options.indent.unwrap_or(0)) * self.state.depth as usize;
        if len <= LINE.len() {
            append_block(&mut self.output.buffer, comma, LINE, len);
        } else {
            self.deep_line(comma, len);
        }
    }

    #[cold]
    #[inline(never)]
    fn deep_line(&mut self, comma: bool, len: usize) {
        let buffer = &mut self.output.buffer;
        buffer.extend_from_slice(if comma { b",\n" } else { b"\n" });
        buffer.resize(buffer.len() + len - 1, b' ');
    }

    /// Writes a scalar that needs no escapes; a key gets quotes.
    #[inline(always)]
    fn bare(&mut self, write: impl Fn(&mut Vec<u8>)) {
        if self.state.key {
            return in_quotes(&mut self.output.buffer, write);
        }
        write(&mut self.output.buffer);
    }

    /// Writes text that needs no escapes.
    fn quoted(&mut self, value: &impl ToShortText) {
        let text = value.to_short_text();
        let buffer = &mut self.output.buffer;
        buffer.push(b'"');
        buffer.extend_from_slice(text.as_bytes());
        buffer.push(b'"');
    }

    /// Writes a text that is a key to sort by, or that must become ASCII.
    #[inline(never)]
    fn other_text(&mut self, value: &str) {
        let start = self.output.buffer.len();
        if self.options.ascii {
            write_json_string_ascii(&mut self.output.buffer, value);
        } else {
            write_json_string(&mut self.output.buffer, value);
        }
        if self.state.key
            && let Some(sorter) = &mut self.sorter
        {
            sorter.key(value, start, self.output.buffer.len());
        }
    }

    #[inline(never)]
    fn other_key(&mut self, key: &str) -> Result<()> {
        self.entry()?;
        self.text(key)?;
        self.value()
    }

    /// Begins an entry whose key needs nothing but its place: it is not sorted, and may have characters beyond ASCII.
    /// Returns false, and writes nothing, in other cases.
    #[inline(always)]
    fn begins_entry(&mut self) -> bool {
        if self.sorter.is_some() || self.options.ascii {
            return false;
        }
        self.next_child();
        true
    }

    /// Writes the space behind the colon of a key.
    #[inline(always)]
    fn space(&mut self) {
        let spaces = usize::from(self.options.indent.is_some());
        append_block(&mut self.output.buffer, false, [b' '], spaces);
    }

    /// Writes a key from its precomputed pattern. Returns false if the pattern is not enough for it.
    #[inline(always)]
    fn token(&mut self, token: &KeyPattern) -> bool {
        if !token.whole {
            return false;
        }
        if self.plain {
            append_block(&mut self.output.buffer, !self.state.first, token.head.to_le_bytes(), token.len);
            self.state.first = false;
            return true;
        }
        if !self.begins_entry() {
            return false;
        }
        append_block(&mut self.output.buffer, false, token.head.to_le_bytes(), token.len);
        self.space();
        true
    }
}

/// Writes text that needs no escapes. Kept out of line: most scalars without escapes are numbers.
#[cold]
#[inline(never)]
fn in_quotes(out: &mut Vec<u8>, write: impl Fn(&mut Vec<u8>)) {
    out.push(b'"');
    write(out);
    out.push(b'"');
}

#[cold]
fn no_key(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("{what} can't be a key in JSON"))
}

#[cold]
fn not_finite(value: f64) -> Error {
    Error::mismatch(ErrorKind::Encode, "a finite number, since JSON has no other", value.to_string())
}

impl<D: Drain> Sink for JsonSink<D> {
    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        let WriteOptions { indent, sorted_keys, ascii, .. } = self.options;
        if format != "json" || indent.is_some() || sorted_keys || ascii || self.state.key {
            return Ok(false);
        }
        self.output.buffer.extend_from_slice(bytes);
        Ok(true)
    }

    #[inline]
    fn null(&mut self) -> Result<()> {
        if self.state.key {
            return Err(no_key("null"));
        }
        append_block(&mut self.output.buffer, false, *b"null", 4);
        Ok(())
    }

    #[inline]
    fn bool(&mut self, value: bool) -> Result<()> {
        let text = if value { *b"true    " } else { *b"false   " };
        self.bare(|out| append_block(out, false, text, 5 - usize::from(value)));
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.bare(|out| match value {
            Int::I64(value) => write_i64(out, *value),
            Int::U64(value) => write_u64(out, *value),
            Int::Big(digits) => out.extend_from_slice(digits.as_bytes()),
        });
        Ok(())
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.bare(|out| write_i64(out, value));
        Ok(())
    }

    #[inline]
    fn u64(&mut self, value: u64) -> Result<()> {
        self.bare(|out| write_u64(out, value));
        Ok(())
    }

    #[inline]
    fn float(&mut self, value: f64) -> Result<()> {
        if !value.is_finite() {
            return self.not_finite(value);
        }
        self.bare(|out| write_f64(out, value));
        Ok(())
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if !value.is_finite() {
            return self.not_finite(f64::from(value));
        }
        self.bare(|out| write_f32(out, value));
        Ok(())
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.options.ascii || self.state.key && self.sorter.is_some() {
            self.other_text(value);
        } else {
            append_json_quoted(&mut self.output.buffer, value, false, None);
        }
        Ok(())
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let out = &mut self.output.buffer;
        out.push(b'"');
        base64::append(value, out);
        out.push(b'"');
        Ok(())
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        if self.options.decimal_text {
            in_quotes(&mut self.output.buffer, |out| out.extend_from_slice(value.as_str().as_bytes()));
            return Ok(());
        }
        self.bare(|out| out.extend_from_slice(value.as_str().as_bytes()));
        Ok(())
    }

    fn date(&mut self, value: Date) -> Result<()> {
        self.quoted(&value);
        Ok(())
    }

    fn time(&mut self, value: Time) -> Result<()> {
        self.quoted(&value);
        Ok(())
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.quoted(&at);
        Ok(())
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.quoted(&at.with_offset(offset));
        Ok(())
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        self.quoted(&value);
        Ok(())
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        match self.options.uuids {
            UuidForm::Text => self.quoted(&value),
            UuidForm::Hex => {
                let text = value.to_short_text();
                let digits = text.as_bytes().iter().copied().filter(|byte| *byte != b'-');
                in_quotes(&mut self.output.buffer, |out| out.extend(digits.clone()));
            }
            UuidForm::Urn => in_quotes(&mut self.output.buffer, |out| {
                out.extend_from_slice(b"urn:uuid:");
                out.extend_from_slice(value.to_short_text().as_bytes());
            }),
        }
        Ok(())
    }

    #[inline]
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.open(b'[')
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        prefetch_ahead(&self.output.buffer, self.output.buffer.len());
        self.next_child();
        Ok(())
    }

    #[inline]
    fn end_list(&mut self) -> Result<()> {
        self.close(b']');
        Ok(())
    }

    #[inline]
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.open(b'{')
    }

    #[inline]
    fn entry(&mut self) -> Result<()> {
        prefetch_ahead(&self.output.buffer, self.output.buffer.len());
        if !self.plain
            && let Some(sorter) = &mut self.sorter
        {
            sorter.entry(self.output.buffer.len());
        }
        self.next_child();
        self.state.key = true;
        Ok(())
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        if !self.plain
            && let Some(sorter) = &mut self.sorter
        {
            sorter.key_is_told(&self.output.buffer);
        }
        self.state.key = false;
        let space = !self.plain && self.options.indent.is_some();
        append_block(&mut self.output.buffer, false, *b": ", 1 + usize::from(space));
        Ok(())
    }

    #[inline]
    fn end_map(&mut self) -> Result<()> {
        self.close(b'}');
        Ok(())
    }

    #[inline]
    fn key(&mut self, key: &str) -> Result<()> {
        if self.plain {
            append_json_quoted(&mut self.output.buffer, key, !self.state.first, Some(b':'));
            self.state.first = false;
            return Ok(());
        }
        if !self.begins_entry() {
            return self.other_key(key);
        }
        append_json_quoted(&mut self.output.buffer, key, false, Some(b':'));
        self.space();
        Ok(())
    }

    #[inline(always)]
    fn key_with(&mut self, key: &str, token: &KeyPattern) -> Result<()> {
        if self.token(token) { Ok(()) } else { self.key(key) }
    }

    #[inline(always)]
    fn key_quoted(&mut self, key: &str, quoted: &QuotedKey) -> Result<()> {
        if self.plain {
            append_block(&mut self.output.buffer, !self.state.first, quoted.block, quoted.len);
            self.state.first = false;
            return Ok(());
        }
        if !self.begins_entry() {
            return self.other_key(key);
        }
        append_block(&mut self.output.buffer, false, quoted.block, quoted.len);
        self.space();
        Ok(())
    }

    #[inline]
    fn begin_record(&mut self, _: &Record) -> Result<()> {
        self.open(b'{')
    }

    #[inline]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        let field = &record.fields()[index];
        self.key_with(field.key(), field.token())
    }

    #[inline]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.close(b'}');
        Ok(())
    }

    #[inline]
    fn commit(&mut self) -> Result<()> {
        self.committed = self.state;
        if !self.plain
            && let Some(sorter) = &mut self.sorter
            && !sorter.commit()
        {
            // Sorting may still move the content of an open container.
            return self.output.hold();
        }
        self.output.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.state = self.committed;
        self.output.rollback();
        if let Some(sorter) = &mut self.sorter {
            sorter.rollback(&mut self.output.buffer);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.output.finish()
    }
}
