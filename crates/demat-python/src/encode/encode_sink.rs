use super::put::NoScalars;
use crate::lazy::Encoding;
use demat_core::{Error, Record, Result, Sink, forward};
use demat_formats::csv::CsvSink;
use demat_formats::json::{CompactSink, JsonScalars};
use demat_formats::msgpack::{MsgpackScalars, MsgpackSink};
use demat_formats::proto::ProtoSink;
use demat_formats::{Drain, ScalarWriter, Splice};
use demat_sqlite::{Plain, RowWriter, TableSink};

/// A sink, with the properties that the encoder of Python objects needs.
pub(super) trait EncodeSink: Sink {
    /// Returns whether named tuples are encoded as records rather than lists.
    fn named_tuples(&self) -> bool;

    /// Returns whether the encoder passes members of enums by index, no tags of unions, and no absent fields, as for
    /// Protocol Buffers.
    #[inline(always)]
    fn by_number(&self) -> bool {
        false
    }

    /// Returns whether every field is written, also one that a class leaves out where it equals the default: null stands
    /// for a field that is not there, and could be a value.
    #[inline(always)]
    fn keeps_defaults(&self) -> bool {
        false
    }

    /// Returns whether the encoder passes the variant of a union to the sink.
    #[inline(always)]
    fn tells_variants(&self) -> bool {
        false
    }

    /// Returns whether the sink needs the shape before the first value.
    #[inline(always)]
    fn needs_shape(&self) -> bool {
        false
    }

    /// The encoding with keys of the lazy records whose bytes can be copied.
    const COPIES: Option<Encoding> = None;

    /// Whether each call has a price of its own, so that the encoder should write runs.
    const RUNS: bool = false;

    /// Whether checking the size of the buffer costs next to nothing, and nothing but memory is written to at a border: no
    /// other thread runs there.
    const LOOKS_FAST: bool = false;

    /// Whether `float32` writes the shortest digits that give the number.
    const SHORTEST_FLOAT32: bool = false;

    /// Whether dates, and dates and times, are written as the text that they have.
    const TIMES_ARE_TEXT: bool = false;

    /// Writes items of a list, a few dozens of them.
    ///
    /// # Errors
    /// The first error, with the index of its item.
    #[inline(always)]
    fn i64_items(&mut self, items: impl ExactSizeIterator<Item = i64>) -> ItemsResult {
        each(self, items, Self::i64)
    }

    /// As [`i64_items`](Self::i64_items).
    ///
    /// # Errors
    /// The first error, with the index of its item.
    #[inline(always)]
    fn u64_items(&mut self, items: impl ExactSizeIterator<Item = u64>) -> ItemsResult {
        each(self, items, |sink, item| match i64::try_from(item) {
            Ok(item) => sink.i64(item),
            Err(_) => sink.u64(item),
        })
    }

    /// As [`i64_items`](Self::i64_items).
    ///
    /// # Errors
    /// The first error, with the index of its item.
    #[inline(always)]
    fn bool_items(&mut self, items: impl ExactSizeIterator<Item = bool>) -> ItemsResult {
        each(self, items, Self::bool)
    }

    /// Begins a record whose fields are written directly; returns false if that would not be faster.
    ///
    /// # Errors
    /// If the sink accepts no more.
    #[inline(always)]
    fn open_straight(&mut self, record: &Record) -> Result<bool> {
        let _ = record;
        Ok(false)
    }

    /// Writes a field of that record directly; false if the record must be written again from its start, as usual.
    ///
    /// # Errors
    /// If the sink refuses the value.
    #[inline(always)]
    fn put_straight(&mut self, field: usize, value: Plain<'_>) -> Result<bool> {
        let _ = (field, value);
        Ok(false)
    }

    /// Ends the record.
    ///
    /// # Errors
    /// If the sink refuses the record.
    #[inline(always)]
    fn close_straight(&mut self) -> Result<()> {
        Ok(())
    }

    /// What writes several scalars one behind the other.
    type Scalars<'s>: ScalarWriter
    where
        Self: 's;

    /// Begins a record, of which the first fields are scalars. `None` if the record must be begun as usual.
    #[inline(always)]
    fn record_scalars(&mut self, record: &Record) -> Option<Self::Scalars<'_>> {
        let _ = record;
        None
    }

    /// As [`record_scalars`](Self::record_scalars), for a map of so many entries.
    #[inline(always)]
    fn map_scalars(&mut self, len: usize) -> Option<Self::Scalars<'_>> {
        let _ = len;
        None
    }

    /// As [`record_scalars`](Self::record_scalars), for a list of so many items.
    #[inline(always)]
    fn list_scalars(&mut self, len: usize) -> Option<Self::Scalars<'_>> {
        let _ = len;
        None
    }

    /// Goes on with fields of the open record, or with entries of the open map.
    #[inline(always)]
    fn field_scalars(&mut self) -> Option<Self::Scalars<'_>> {
        None
    }

    /// Goes on with items of the open list. `None` if each of them must be told as usual.
    #[inline(always)]
    fn item_scalars(&mut self) -> Option<Self::Scalars<'_>> {
        None
    }

    /// Returns the sink as a [`Splice`], if it supports writing values in pieces.
    #[inline]
    fn splice(&mut self) -> Option<&mut dyn Splice> {
        None
    }

    /// Passes nothing on before the end of a record, so that a record that is refused can be taken back.
    fn keep_records_whole(&mut self) {}

    /// Flushes if the buffer is large enough and flushing is allowed at this depth of containers.
    ///
    /// # Errors
    /// If flushing fails.
    fn border(&mut self, depth: u32) -> Result<()>;
}

/// The result of writing several items: the error with the index of its item.
pub(super) type ItemsResult = core::result::Result<(), (usize, Error)>;

/// Writes items one by one.
///
/// # Errors
/// The first error, with the index of its item.
#[inline(always)]
pub(super) fn each<K: Sink + ?Sized, T>(
    sink: &mut K,
    items: impl Iterator<Item = T>,
    write: impl Fn(&mut K, T) -> Result<()>,
) -> ItemsResult {
    for (index, item) in items.enumerate() {
        sink.item().and_then(|()| write(sink, item)).map_err(|error| (index, error))?;
    }
    Ok(())
}

impl<D: Drain> EncodeSink for CompactSink<D> {
    type Scalars<'s>
        = JsonScalars<'s>
    where
        D: 's;

    #[inline(always)]
    fn record_scalars(&mut self, record: &Record) -> Option<JsonScalars<'_>> {
        self.record(record)
    }

    #[inline(always)]
    fn map_scalars(&mut self, len: usize) -> Option<JsonScalars<'_>> {
        self.map(len)
    }

    #[inline(always)]
    fn list_scalars(&mut self, len: usize) -> Option<JsonScalars<'_>> {
        self.list(len)
    }

    #[inline(always)]
    fn field_scalars(&mut self) -> Option<JsonScalars<'_>> {
        self.fields()
    }

    #[inline(always)]
    fn item_scalars(&mut self) -> Option<JsonScalars<'_>> {
        self.items()
    }

    #[inline(always)]
    fn named_tuples(&self) -> bool {
        false
    }
    const COPIES: Option<Encoding> = Some(Encoding::Json);
    const LOOKS_FAST: bool = true;
    const SHORTEST_FLOAT32: bool = true;
    const TIMES_ARE_TEXT: bool = true;

    #[inline(always)]
    fn i64_items(&mut self, items: impl ExactSizeIterator<Item = i64>) -> ItemsResult {
        CompactSink::i64_items(self, items).map_err(|error| (0, error))
    }

    #[inline(always)]
    fn u64_items(&mut self, items: impl ExactSizeIterator<Item = u64>) -> ItemsResult {
        CompactSink::u64_items(self, items).map_err(|error| (0, error))
    }

    #[inline(always)]
    fn bool_items(&mut self, items: impl ExactSizeIterator<Item = bool>) -> ItemsResult {
        CompactSink::bool_items(self, items).map_err(|error| (0, error))
    }

    #[inline]
    fn splice(&mut self) -> Option<&mut dyn Splice> {
        Some(self)
    }

    fn keep_records_whole(&mut self) {
        CompactSink::keep_records_whole(self);
    }

    #[inline(always)]
    fn border(&mut self, _: u32) -> Result<()> {
        CompactSink::border(self)
    }
}

impl<D: Drain> EncodeSink for MsgpackSink<D> {
    type Scalars<'s>
        = MsgpackScalars<'s>
    where
        D: 's;

    #[inline(always)]
    fn record_scalars(&mut self, record: &Record) -> Option<MsgpackScalars<'_>> {
        self.record(record)
    }

    #[inline(always)]
    fn map_scalars(&mut self, len: usize) -> Option<MsgpackScalars<'_>> {
        self.map(len)
    }

    #[inline(always)]
    fn list_scalars(&mut self, len: usize) -> Option<MsgpackScalars<'_>> {
        self.list(len)
    }

    #[inline(always)]
    fn field_scalars(&mut self) -> Option<MsgpackScalars<'_>> {
        self.fields()
    }

    #[inline(always)]
    fn item_scalars(&mut self) -> Option<MsgpackScalars<'_>> {
        self.items()
    }

    const COPIES: Option<Encoding> = Some(Encoding::Packed);
    const LOOKS_FAST: bool = true;

    #[inline(always)]
    fn named_tuples(&self) -> bool {
        false
    }

    #[inline]
    fn splice(&mut self) -> Option<&mut dyn Splice> {
        Some(self)
    }

    fn keep_records_whole(&mut self) {
        MsgpackSink::keep_records_whole(self);
    }

    #[inline(always)]
    fn border(&mut self, _: u32) -> Result<()> {
        MsgpackSink::border(self)
    }
}

impl<D: Drain> EncodeSink for ProtoSink<D> {
    type Scalars<'s>
        = NoScalars
    where
        Self: 's;

    /// The names are those of fields, which have numbers.
    #[inline(always)]
    fn named_tuples(&self) -> bool {
        true
    }
    #[inline(always)]
    fn by_number(&self) -> bool {
        true
    }
    #[inline(always)]
    fn tells_variants(&self) -> bool {
        true
    }

    #[inline]
    fn splice(&mut self) -> Option<&mut dyn Splice> {
        Some(self)
    }

    /// Messages are flushed only as a whole.
    #[inline]
    fn border(&mut self, depth: u32) -> Result<()> {
        if depth == 1 { self.commit() } else { Ok(()) }
    }
}

impl<T: RowWriter> EncodeSink for TableSink<T> {
    type Scalars<'s>
        = NoScalars
    where
        Self: 's;

    /// The names are those of columns.
    #[inline(always)]
    fn named_tuples(&self) -> bool {
        true
    }

    #[inline(always)]
    fn open_straight(&mut self, record: &Record) -> Result<bool> {
        TableSink::open_straight(self, record)
    }

    #[inline(always)]
    fn put_straight(&mut self, field: usize, value: Plain<'_>) -> Result<bool> {
        TableSink::put_straight(self, field, value)
    }

    #[inline(always)]
    fn close_straight(&mut self) -> Result<()> {
        TableSink::close_straight(self)
    }

    /// Rows are flushed only as a whole.
    #[inline]
    fn border(&mut self, depth: u32) -> Result<()> {
        if depth == 1 { self.commit() } else { Ok(()) }
    }
}

impl<D: Drain> EncodeSink for CsvSink<D> {
    type Scalars<'s>
        = NoScalars
    where
        Self: 's;

    /// The names are those of columns.
    #[inline(always)]
    fn named_tuples(&self) -> bool {
        true
    }

    /// Rows are flushed only as a whole.
    #[inline]
    fn border(&mut self, depth: u32) -> Result<()> {
        if depth == 1 { self.commit() } else { Ok(()) }
    }
}

/// A sink of any type, called through its vtable. The engine is compiled once for all of these: formats without an
/// engine of their own, JSON that is not compact, and rows with checks.
pub(super) struct AnySink<'s> {
    sink: &'s mut dyn Sink,
    writes: Writes,
    /// Whether it is flushed between records alone.
    keeps_whole: bool,
}

/// What a sink of any type writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writes {
    /// Values as they come.
    Values,
    /// Rows: named tuples are records.
    Rows,
    /// Values as a shape says: named tuples are records there.
    Shaped(Fields),
}

/// How a sink that writes values as a shape says has its fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    /// As [`EncodeSink::by_number`] says.
    Numbered,
    /// Some may be left out.
    Sparse,
    /// As [`EncodeSink::keeps_defaults`] says.
    Full,
}

impl<'s> AnySink<'s> {
    /// Wraps a sink that writes values as they come.
    pub(super) fn new(sink: &'s mut dyn Sink) -> Self {
        Self { sink, writes: Writes::Values, keeps_whole: false }
    }

    /// Wraps a sink that has these answers: to [`EncodeSink::named_tuples`], [`EncodeSink::by_number`],
    /// [`EncodeSink::keeps_defaults`] and [`EncodeSink::tells_variants`].
    pub(super) fn like(sink: &'s mut dyn Sink, answers: (bool, bool, bool, bool)) -> Self {
        match answers {
            (_, true, _, _) => Self::shaped(sink, Fields::Numbered),
            (_, _, true, _) => Self::shaped(sink, Fields::Full),
            (_, _, _, true) => Self::shaped(sink, Fields::Sparse),
            (true, ..) => Self::of_rows(sink),
            _ => Self::new(sink),
        }
    }

    /// Wraps a sink of rows, in which named tuples are records.
    pub(super) fn of_rows(sink: &'s mut dyn Sink) -> Self {
        Self { writes: Writes::Rows, keeps_whole: true, ..Self::new(sink) }
    }

    /// Wraps a sink that writes the values as a shape says. Named tuples are records, as in the shape.
    pub(super) fn shaped(sink: &'s mut dyn Sink, fields: Fields) -> Self {
        Self { writes: Writes::Shaped(fields), keeps_whole: true, ..Self::new(sink) }
    }
}

impl Sink for AnySink<'_> {
    forward! { self => self.sink; scalars containers keys marks begin stated as_is begin_list_of empty_list empty_map runs }
}

impl EncodeSink for AnySink<'_> {
    type Scalars<'s>
        = NoScalars
    where
        Self: 's;

    const RUNS: bool = true;

    #[inline]
    fn named_tuples(&self) -> bool {
        self.writes != Writes::Values
    }

    #[inline]
    fn by_number(&self) -> bool {
        self.writes == Writes::Shaped(Fields::Numbered)
    }

    #[inline]
    fn keeps_defaults(&self) -> bool {
        self.writes == Writes::Shaped(Fields::Full)
    }

    #[inline]
    fn tells_variants(&self) -> bool {
        matches!(self.writes, Writes::Shaped(_))
    }

    #[inline]
    fn needs_shape(&self) -> bool {
        matches!(self.writes, Writes::Shaped(_))
    }

    fn keep_records_whole(&mut self) {
        self.keeps_whole = true;
    }

    /// Rows are flushed only as a whole.
    #[inline]
    fn border(&mut self, depth: u32) -> Result<()> {
        if self.keeps_whole && depth > 1 { Ok(()) } else { self.commit() }
    }
}
