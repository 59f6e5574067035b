//! Scalars of one container, written one behind the other.

use demat_core::scalar::{Date, DateTime, Instant, Time};
use demat_core::{QuotedKey, Record};

/// Writes the scalars at the beginning of a record, list or map, or the next ones of an open one.
///
/// A [`Sink`](demat_core::Sink) loads where its buffer ends for each value, from where it has just stored it. That takes
/// longer than writing a small value. A scalar writer borrows the sink, and keeps the end of the buffer in a register
/// until [`leave`](Self::leave) or [`end`](Self::end). If it is dropped instead, as by a panic, the buffer may have some of
/// the bytes, and the sink counts no child: the output is of no use then. So its methods are inlined, and it should not be
/// passed by reference.
///
/// It counts nothing: the caller says how many children there are, and begins no list where it is too deep for the sink.
///
/// It returns no errors, so it takes no value that a sink could refuse: pass ints beyond 64 bits, floats that it [does not
/// take](Self::takes), texts of more than [`LONGEST_TEXT`] bytes and instants that are not [in
/// UTC](demat_core::scalar::Instant::is_in_utc) to the sink.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, ScalarWriter, json::CompactSink};
/// let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
/// sink.begin_list(None)?;
/// let mut items = sink.items().expect("no lines");
/// for int in [1, 2] {
///     items.i64(int);
/// }
/// items.leave(2);
/// sink.end_list()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, b"[1,2]");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub trait ScalarWriter: Sized {
    /// Returns where the next byte is written: the number of bytes in the buffer.
    fn position(&self) -> usize;

    /// Takes back the last bytes: a field, an entry or a list that was begun, and has another value than these scalars.
    fn take_back(&mut self, bytes: usize);

    /// Begins a field of a record. Returns the number of bytes that it wrote.
    fn field(&mut self, record: &Record, index: usize) -> usize;

    /// Begins an entry of a map. `quoted` is the key as JSON, if it is at hand. Returns the number of bytes that it wrote.
    fn key(&mut self, key: &str, quoted: Option<&QuotedKey>) -> usize;

    /// Begins a list of so many items as a value. Its items are the next values, up to [`end_list`](Self::end_list).
    fn begin_list(&mut self, len: u32);

    /// Ends a list that has items.
    fn end_list(&mut self);

    /// Writes a list without items.
    fn empty_list(&mut self);

    /// Writes null.
    fn null(&mut self);

    /// Writes a bool.
    fn bool(&mut self, value: bool);

    /// Writes an int.
    fn i64(&mut self, value: i64);

    /// Returns whether `float` takes a number.
    #[inline(always)]
    fn takes(value: f64) -> bool {
        let _ = value;
        true
    }

    /// Writes a number that the writer [takes](Self::takes).
    fn float(&mut self, value: f64);

    /// Writes text of at most [`LONGEST_TEXT`] bytes.
    fn text(&mut self, value: &str);

    /// Writes a date.
    fn date(&mut self, value: Date);

    /// Writes a time.
    fn time(&mut self, value: Time);

    /// Writes a date and time without an offset.
    fn date_time(&mut self, value: DateTime);

    /// Writes an instant that is in UTC.
    fn instant(&mut self, value: Instant);

    /// Leaves the container open, with so many more children. The sink writes the next ones.
    fn leave(self, children: usize);

    /// Ends the record, map or list that was begun with this writer. All its children were written, and there is at least
    /// one.
    fn end(self);
}

/// The most bytes of a text that is written by a [`ScalarWriter`]: nothing is passed on before it is left.
pub const LONGEST_TEXT: usize = 4096;
