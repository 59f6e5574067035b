use demat_core::{Record, Result, Sink};

/// A sink that accepts a value in pieces: unchanged bytes of its own format, and new values between them.
///
/// ```
/// use demat_core::{Shape, Sink};
/// use demat_formats::{Keep, Output, Splice, json::CompactSink};
/// let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
/// let old = br#"{ "id": 1 }"#;
/// assert!(sink.open_splice("json", old)?);
/// sink.piece(&old[..8]);
/// sink.i64(2)?;
/// sink.end_told();
/// sink.piece(&old[9..]);
/// sink.close_splice();
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, br#"{ "id": 2 }"#);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub trait Splice: Sink {
    /// Begins a spliced value whose original bytes are these. Returns `false`, and writes nothing, if the sink can't
    /// copy them [as they are](Sink::as_is). Then write the value field by field.
    ///
    /// # Errors
    /// If no such value is allowed here.
    fn open_splice(&mut self, format: &str, bytes: &[u8]) -> Result<bool>;

    /// Copies bytes unchanged.
    fn piece(&mut self, bytes: &[u8]);

    /// Begins a field that the bytes do not contain, or contain elsewhere; write its value next. `first`: no other
    /// field precedes it.
    ///
    /// # Errors
    /// If the field can't be written.
    fn new_field(&mut self, record: &Record, index: usize, first: bool) -> Result<()>;

    /// Begins a message field, or one item of a list of messages; call [`open_splice`](Self::open_splice) next. Does
    /// nothing in formats without a prefix.
    fn new_message(&mut self, record: &Record, index: usize) {
        let _ = (record, index);
    }

    /// Begins a record of the spliced value that may get [new fields](Self::new_field). `bytes` are its original ones.
    /// Returns the number of bytes at their start that the sink has written itself, and that no piece repeats: a header
    /// that counts the fields. In formats without one the sink writes nothing.
    ///
    /// # Errors
    /// If the bytes do not begin with a header.
    fn begin_growing(&mut self, bytes: &[u8]) -> Result<usize> {
        let _ = bytes;
        Ok(0)
    }

    /// Ends that record, and corrects its header.
    ///
    /// # Errors
    /// If the record has more fields than the format can count.
    fn end_growing(&mut self) -> Result<()> {
        Ok(())
    }

    /// Ends a new value, before the next piece.
    fn end_told(&mut self) {}

    /// Ends the spliced value.
    fn close_splice(&mut self);

    /// Returns a mark of the current position. The sink then buffers all output until [`resume`](Self::resume).
    fn pause(&mut self) -> SpliceMark;

    /// Returns whether the output between two marks equals the output since the second one.
    fn is_repeated(&self, from: SpliceMark, to: SpliceMark) -> bool;

    /// Removes the output since a mark.
    fn take_back(&mut self, mark: SpliceMark);

    /// Removes the output between two marks, and keeps the output after them.
    fn take_out(&mut self, from: SpliceMark, to: SpliceMark);

    /// Ends a [`pause`](Self::pause).
    fn resume(&mut self);
}

/// A position in the output of a [`Splice`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpliceMark {
    pub(crate) bytes: usize,
    /// The number of pending length prefixes.
    pub(crate) wide: usize,
    /// The number of children of the innermost open container, if its header counts them.
    pub(crate) count: u64,
}
