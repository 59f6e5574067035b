use super::drained::Into;
use demat_core::{Result, Sink};
use demat_formats::csv::CsvSink;
use demat_formats::json::{CompactSink, JsonSink};
use demat_formats::ndjson::NdjsonSink;
use demat_sqlite::{TableSink, Taker};

/// A sink, and what is special about it when it is told Python's objects.
pub(super) trait Place: Sink {
    /// Whether named tuples are records there, and no lists.
    const NAMED_TUPLES: bool;

    /// Whether a look at how much there is costs next to nothing.
    const LOOKS_FAST: bool = false;

    /// Passes on what there is, so deep inside of containers, where it is worth it and may be.
    ///
    /// # Errors
    /// Where it can't be.
    fn border(&mut self, depth: u32) -> Result<()>;
}

impl Place for CompactSink<Into<'_>> {
    const NAMED_TUPLES: bool = false;
    const LOOKS_FAST: bool = true;

    #[inline(always)]
    fn border(&mut self, _: u32) -> Result<()> {
        CompactSink::border(self)
    }
}

impl Place for JsonSink<Into<'_>> {
    const NAMED_TUPLES: bool = false;

    #[inline]
    fn border(&mut self, _: u32) -> Result<()> {
        self.commit()
    }
}

impl Place for NdjsonSink<Into<'_>> {
    const NAMED_TUPLES: bool = false;

    #[inline]
    fn border(&mut self, _: u32) -> Result<()> {
        self.commit()
    }
}

impl<T: Taker> Place for TableSink<T> {
    /// Their names are the columns'.
    const NAMED_TUPLES: bool = true;

    /// A row is passed on whole.
    #[inline]
    fn border(&mut self, depth: u32) -> Result<()> {
        if depth == 1 { self.commit() } else { Ok(()) }
    }
}

impl Place for CsvSink<Into<'_>> {
    /// Their names are the columns'.
    const NAMED_TUPLES: bool = true;

    /// A row is passed on whole.
    #[inline]
    fn border(&mut self, depth: u32) -> Result<()> {
        if depth == 1 { self.commit() } else { Ok(()) }
    }
}
