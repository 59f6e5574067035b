use demat_core::{Record, Result, Sink};

/// A sink that takes a value in pieces: bytes of its own format as they stand, and new values told between them.
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
    /// Begins a value in pieces, which stands here as these bytes so far. Returns `false`, and writes nothing, where the
    /// sink would not take them [as they are](Sink::as_is): then the value is told part by part.
    ///
    /// # Errors
    /// Where no such value may stand here.
    fn open_splice(&mut self, format: &str, bytes: &[u8]) -> Result<bool>;

    /// Writes bytes as they stand.
    fn piece(&mut self, bytes: &[u8]);

    /// Begins a field that the bytes do not have, or have elsewhere; its value is told next. `first` says that no other
    /// field stands before it.
    ///
    /// # Errors
    /// Where it can't be written.
    fn new_field(&mut self, record: &Record, index: usize, first: bool) -> Result<()>;

    /// Begins the one message that a field is, or one item of a list of messages; [`open_splice`](Self::open_splice) comes
    /// next. Formats that need nothing in front of it do nothing.
    fn new_message(&mut self, record: &Record, index: usize) {
        let _ = (record, index);
    }

    /// Ends a value that was told between two pieces.
    fn end_told(&mut self) {}

    /// Ends the value in pieces.
    fn close_splice(&mut self);

    /// Where the sink stands. Nothing that is written from here on is passed on before [`resume`](Self::resume).
    fn pause(&mut self) -> Told;

    /// Whether what was written between two marks is the same as what was written since.
    fn is_repeated(&self, from: Told, to: Told) -> bool;

    /// Takes back what was written since a mark.
    fn take_back(&mut self, mark: Told);

    /// Takes out pieces that were written between two marks, though more was told since.
    fn take_out(&mut self, from: Told, to: Told);

    /// Ends a [`pause`](Self::pause).
    fn resume(&mut self);
}

/// A mark of a [`Splice`]: how much was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Told {
    pub(crate) bytes: usize,
    /// Lengths that are still to be made wider.
    pub(crate) wide: usize,
}
