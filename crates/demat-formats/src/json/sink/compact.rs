use super::number_items::in_runs;
use super::{no_key, not_finite};
use crate::json::{NonFinite, UuidForm, WriteOptions};
use crate::scan::{append_block, append_json_quoted, append_over, append_quoted_words};
use crate::text::{write_f32_then, write_f64_then, write_i64_then, write_u64_then};
use crate::{Drain, Output};
use core::ops::Range;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, ShortText, Time, ToShortText, Uuid, base64};
use demat_core::{Error, KeyPattern, Numbers, QuotedKey, Record, Result, Sink};

/// A [`Sink`] that writes JSON without options: one document, or a line for each item of the outermost list. Its output
/// equals that of a [`JsonSink`](super::JsonSink) or an [`NdjsonSink`](crate::ndjson::NdjsonSink) without options, but
/// it is faster.
///
/// It writes each value together with the comma behind it; the end of a container, or of the document, removes the last
/// comma, and the end of a line replaces it. So it needs no state about earlier values. A comma at the very end is
/// always such a separator, since text ends with a quote.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, json::CompactSink};
/// let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
/// sink.begin_list(None)?;
/// sink.item()?;
/// sink.text("a")?;
/// sink.end_list()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, br#"["a"]"#);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct CompactSink<D> {
    pub(super) output: Output<D>,
    pub(super) state: SinkState,
    committed: SinkState,
    /// The buffer size from which it is worth draining the output.
    worth: usize,
    /// The depth at which items are lines; `NO_LINES` in a document.
    line_depth: u32,
    /// The address ranges of the open splices' bytes, where items are lines. They were searched for line ends, so parts
    /// of them need no search.
    searched: Vec<Range<usize>>,
}

/// The state that a rollback restores.
#[derive(Debug, Clone, Copy)]
pub(super) struct SinkState {
    /// Whether the next value is a key.
    pub(super) key: bool,
    /// Whether the committed output ends with a comma.
    comma: bool,
    /// Whether the list whose items are lines has begun.
    in_lines: bool,
    /// The number of open containers, without that list.
    depth: u32,
}

impl SinkState {
    /// Notes that a container was begun.
    #[inline(always)]
    pub(super) fn enter(&mut self) {
        self.depth += 1;
    }
}

/// More than any depth.
const NO_LINES: u32 = u32::MAX;

/// The number of new bytes after which it is worth trying to drain the output.
const WORTH: usize = 64 * 1024;

impl<D: Drain> CompactSink<D> {
    /// Returns a sink to an output.
    #[inline(always)]
    pub fn new(output: Output<D>) -> Self {
        let state = SinkState { key: false, comma: false, in_lines: false, depth: 0 };
        Self { output, state, committed: state, worth: WORTH, line_depth: NO_LINES, searched: Vec::new() }
    }

    /// Returns a sink that writes a line for each item of a list, or one line for any other value.
    #[inline(always)]
    pub fn lines(output: Output<D>) -> Self {
        Self { line_depth: 0, ..Self::new(output) }
    }

    /// Returns whether this sink writes as the options demand, apart from the depth, which the caller must check.
    #[inline(always)]
    pub fn writes(options: &WriteOptions) -> bool {
        let WriteOptions { indent, sorted_keys, ascii, nonfinite, decimal_text, uuids, depth: _ } = *options;
        let as_usual = nonfinite == NonFinite::Refuse && !decimal_text && uuids == UuidForm::Text;
        indent.is_none() && !sorted_keys && !ascii && as_usual
    }

    /// Returns the output. Before the end of the document, it may end with a comma.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Makes the output final and drains it, if there is enough of it.
    ///
    /// # Errors
    /// If the drain fails.
    #[inline(always)]
    pub fn border(&mut self) -> Result<()> {
        if self.output.buffer.len() < self.worth { Ok(()) } else { self.pass_on() }
    }

    /// Passes nothing on at [borders](Self::border), so that a rollback takes back all since the last commit.
    pub fn keep_records_whole(&mut self) {
        self.worth = usize::MAX;
    }

    #[cold]
    #[inline(never)]
    fn pass_on(&mut self) -> Result<()> {
        let committed = self.commit();
        self.worth = self.output.buffer.len() + WORTH;
        committed
    }

    #[inline(always)]
    pub(super) fn ends_with_comma(&self) -> bool {
        self.output.buffer.last() == Some(&b',')
    }

    /// Whether an item here is a line.
    #[inline(always)]
    pub(super) fn at_line(&self) -> bool {
        self.state.depth == self.line_depth
    }

    /// Ends the line that has begun, if any.
    fn end_line(&mut self) {
        if self.ends_with_comma() {
            self.output.buffer.pop();
            self.output.buffer.push(b'\n');
        }
    }

    /// Whether bytes of JSON can be copied unchanged. Within a line they must have no line end, and they must not be the
    /// list whose items are lines.
    #[inline]
    pub(super) fn can_copy(&self, bytes: &[u8]) -> bool {
        self.line_depth == NO_LINES || self.fits_in_line(bytes)
    }

    fn fits_in_line(&self, bytes: &[u8]) -> bool {
        let part = addresses_of(bytes);
        let is_searched = self.searched.last().is_some_and(|open| open.start <= part.start && part.end <= open.end);
        (self.state.in_lines || !self.at_line()) && (is_searched || !bytes.contains(&b'\n'))
    }

    /// Notes that the bytes of a splice, which was just opened, have no line end.
    #[inline]
    pub(super) fn enter_searched(&mut self, bytes: &[u8]) {
        if self.line_depth != NO_LINES {
            self.searched.push(addresses_of(bytes));
            self.state.depth += 1;
        }
    }

    /// Leaves the splice that was opened last.
    #[inline]
    pub(super) fn leave_searched(&mut self) {
        if self.searched.pop().is_some() {
            self.state.depth -= 1;
        }
    }

    /// Writes the beginning of a container.
    #[inline(always)]
    fn open(&mut self, bracket: u8) -> Result<()> {
        self.whole([bracket])?;
        self.state.enter();
        Ok(())
    }

    /// Writes the beginning of a container, or an empty one.
    #[inline(always)]
    fn whole<const N: usize>(&mut self, text: [u8; N]) -> Result<()> {
        if self.state.key {
            return Err(no_key("a container"));
        }
        append_block(&mut self.output.buffer, false, text, N);
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, bracket: u8) {
        self.state.depth = self.state.depth.wrapping_sub(1);
        append_over(&mut self.output.buffer, b',', [bracket, b',']);
    }

    /// Writes a scalar that needs no escapes, and a comma; a key gets quotes.
    #[inline(always)]
    fn bare(&mut self, write: impl Fn(&mut Vec<u8>)) {
        if self.state.key {
            return self.bare_key(write);
        }
        write(&mut self.output.buffer);
    }

    #[cold]
    #[inline(never)]
    fn bare_key(&mut self, write: impl Fn(&mut Vec<u8>)) {
        self.output.buffer.push(b'"');
        write(&mut self.output.buffer);
        append_over(&mut self.output.buffer, b',', *b"\",");
    }

    /// Writes text that needs no escapes.
    #[inline(always)]
    fn quoted(&mut self, value: &impl ToShortText) {
        match value.to_words() {
            Some((words, len)) => append_quoted_words(&mut self.output.buffer, words, len, b','),
            None => append_quoted(&mut self.output.buffer, &value.to_short_text()),
        }
    }
}

/// Appends text that needs no escapes, in quotes and with a comma.
#[cold]
#[inline(never)]
pub(super) fn append_quoted(out: &mut Vec<u8>, text: &ShortText) {
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(b"\",");
}

/// Returns the address range of bytes. The sink only compares these numbers.
fn addresses_of(bytes: &[u8]) -> Range<usize> {
    let Range { start, end } = bytes.as_ptr_range();
    start.addr()..end.addr()
}

impl<D: Drain> Sink for CompactSink<D> {
    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        if format != "json" || self.state.key || !self.can_copy(bytes) {
            return Ok(false);
        }
        self.output.buffer.extend_from_slice(bytes);
        self.output.buffer.push(b',');
        Ok(true)
    }

    #[inline(always)]
    fn null(&mut self) -> Result<()> {
        if self.state.key {
            return Err(no_key("null"));
        }
        append_block(&mut self.output.buffer, false, *b"null,", 5);
        Ok(())
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        let text = if value { *b"true,   " } else { *b"false,  " };
        self.bare(|out| append_block(out, false, text, 6 - usize::from(value)));
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.bare(|out| {
            match value {
                Int::I64(value) => crate::text::write_i64(out, *value),
                Int::U64(value) => crate::text::write_u64(out, *value),
                Int::Big(digits) => out.extend_from_slice(digits.as_bytes()),
            }
            out.push(b',');
        });
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.bare(|out| write_i64_then(out, value, b','));
        Ok(())
    }

    #[inline(always)]
    fn u64(&mut self, value: u64) -> Result<()> {
        self.bare(|out| write_u64_then(out, value, b','));
        Ok(())
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        if !value.is_finite() {
            return Err(not_finite(value));
        }
        self.bare(|out| write_f64_then(out, value, b','));
        Ok(())
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if !value.is_finite() {
            return Err(not_finite(f64::from(value)));
        }
        self.bare(|out| write_f32_then(out, value, b','));
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, value: &str) -> Result<()> {
        append_json_quoted(&mut self.output.buffer, value, false, Some(b','));
        Ok(())
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let out = &mut self.output.buffer;
        out.push(b'"');
        base64::append(value, out);
        out.extend_from_slice(b"\",");
        Ok(())
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.bare(|out| {
            out.extend_from_slice(value.as_str().as_bytes());
            out.push(b',');
        });
        Ok(())
    }

    #[inline(always)] // passed in memory, the parts would be loaded again before they are there
    fn date(&mut self, value: Date) -> Result<()> {
        self.quoted(&value);
        Ok(())
    }

    #[inline(always)] // passed in memory, the parts would be loaded again before they are there
    fn time(&mut self, value: Time) -> Result<()> {
        self.quoted(&value);
        Ok(())
    }

    #[inline(always)] // passed in memory, the parts would be loaded again before they are there
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.quoted(&at);
        Ok(())
    }

    #[inline(always)] // passed in memory, the parts would be loaded again before they are there
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.quoted(&at.with_offset(offset));
        Ok(())
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        self.quoted(&value);
        Ok(())
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.quoted(&value);
        Ok(())
    }

    #[inline(always)]
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        if self.at_line() && !self.state.in_lines {
            self.state.in_lines = true;
            return Ok(());
        }
        self.open(b'[')
    }

    #[inline(always)]
    fn empty_list(&mut self) -> Result<()> {
        if self.at_line() && !self.state.in_lines {
            return Ok(());
        }
        self.whole(*b"[],")
    }

    #[inline(always)]
    fn empty_map(&mut self) -> Result<()> {
        self.whole(*b"{},")
    }

    #[inline(always)]
    fn item(&mut self) -> Result<()> {
        if self.at_line() {
            self.end_line();
        }
        Ok(())
    }

    #[inline(always)]
    fn number_items(&mut self, numbers: Numbers<'_>) -> Result<(), (usize, Error)> {
        match numbers {
            Numbers::I32(items) => in_runs(items, |run| self.i64_items(run.iter().map(|item| i64::from(*item)))),
            Numbers::I64(items) => in_runs(items, |run| self.i64_items(run.iter().copied())),
            Numbers::U32(items) => in_runs(items, |run| self.u64_items(run.iter().map(|item| u64::from(*item)))),
            Numbers::U64(items) => in_runs(items, |run| self.u64_items(run.iter().copied())),
            Numbers::F32(_) | Numbers::F64(_) => numbers.write_each(self),
        }
    }

    #[inline(always)]
    fn end_list(&mut self) -> Result<()> {
        if self.at_line() {
            self.end_line();
            return Ok(());
        }
        self.close(b']');
        Ok(())
    }

    #[inline(always)]
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.open(b'{')
    }

    #[inline]
    fn entry(&mut self) -> Result<()> {
        self.state.key = true;
        Ok(())
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        self.state.key = false;
        if self.ends_with_comma() {
            self.output.buffer.pop();
        }
        self.output.buffer.push(b':');
        Ok(())
    }

    #[inline(always)]
    fn end_map(&mut self) -> Result<()> {
        self.close(b'}');
        Ok(())
    }

    #[inline(always)]
    fn key(&mut self, key: &str) -> Result<()> {
        append_json_quoted(&mut self.output.buffer, key, false, Some(b':'));
        Ok(())
    }

    #[inline(always)]
    fn key_with(&mut self, key: &str, token: &KeyPattern) -> Result<()> {
        if !token.whole {
            return self.key(key);
        }
        append_block(&mut self.output.buffer, false, token.head.to_le_bytes(), token.len);
        Ok(())
    }

    #[inline(always)]
    fn key_quoted(&mut self, _: &str, quoted: &QuotedKey) -> Result<()> {
        append_block(&mut self.output.buffer, false, quoted.block, quoted.len);
        Ok(())
    }

    #[inline(always)]
    fn begin_record(&mut self, _: &Record) -> Result<()> {
        self.open(b'{')
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        let field = &record.fields()[index];
        self.key_with(field.key(), field.token())
    }

    #[inline(always)]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.close(b'}');
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        // A value that is written whole ends its line at once, so committed output never lacks the line end.
        if self.at_line() {
            self.end_line();
        }
        // The comma may still have to be removed, so it stays in the buffer.
        let comma = self.ends_with_comma();
        self.committed = SinkState { comma, ..self.state };
        if comma && self.output.is_worth_writing() {
            self.output.buffer.pop();
            let committed = self.output.commit();
            self.output.buffer.push(b',');
            committed?;
            return self.output.hold();
        }
        self.output.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.state = self.committed;
        self.output.rollback();
        if self.state.comma && self.output.buffer.pop().is_some() {
            // The output after the commit may have overwritten it.
            self.output.buffer.push(b',');
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if self.at_line() {
            self.end_line();
        }
        if self.ends_with_comma() {
            self.output.buffer.pop();
        }
        self.output.finish()
    }
}
