//! Positions in a whole file for errors that were found in a range of it.

use super::Divided;
use super::part::Part;
use super::span::{Span, SpanReader, feeds, line_feeds};
use crate::failure::Failure;
use demat_core::{Error, ErrorKind, Result};
use demat_place::{CopyJob, Format, OnError, Place, RejectedRecord};
use std::sync::Arc;

/// What stands before a range in its file, less the header that is read with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Before {
    pub(super) records: u64,
    pub(super) lines: u64,
    pub(super) bytes: u64,
    /// The number of bytes of that header.
    pub(super) header: u64,
}

impl Before {
    /// Returns what moves an error at an offset: one in the header, which all ranges have, is where it is in the file.
    fn at(self, offset: Option<u64>) -> Self {
        let in_header = offset.is_some_and(|offset| offset < self.header);
        if in_header { Self { lines: 0, bytes: 0, ..self } } else { self }
    }

    /// Moves a refused record of the range likewise.
    pub(super) fn shift_record(self, record: RejectedRecord) -> RejectedRecord {
        let Self { records, lines, bytes, .. } = self.at(record.offset());
        record.behind(records, lines, bytes)
    }

    /// Moves an error of the range to where it is in the file.
    pub(super) fn shift(self, error: Error) -> Error {
        let own = self.at(error.position().offset);
        let records = usize::try_from(self.records).unwrap_or(usize::MAX);
        error.behind_items(records).moved(own.bytes, own.lines, 0)
    }
}

/// How many lines and records a file has up to a byte.
#[derive(Debug, Clone, Copy)]
struct Seen {
    source: usize,
    start: u64,
    lines: u64,
    rows: u64,
}

/// Counts what stands before the parts, from the last one that was asked for.
pub(super) struct Positions<'d> {
    of: &'d Divided<'d>,
    seen: Seen,
    /// The records of the file before the next part.
    passed: u64,
}

impl<'d> Positions<'d> {
    pub(super) fn new(of: &'d Divided<'d>) -> Self {
        Self { of, seen: Seen { source: usize::MAX, start: 0, lines: 0, rows: 0 }, passed: 0 }
    }

    /// Says that a part is the next one.
    pub(super) fn begin(&mut self, part: &Part) {
        if part.span.start == 0 {
            self.passed = 0;
        }
    }

    /// Says how many records the part had.
    pub(super) fn passed(&mut self, records: u64) {
        self.passed += records;
    }

    /// Returns what stands before the next part.
    pub(super) fn before(&mut self, part: &Part) -> Result<Before> {
        let span = part.span;
        if span.start == 0 {
            return Ok(Before::default());
        }
        let mut seen = self.seen;
        if seen.source != part.source || seen.start > span.start {
            seen = Seen { source: part.source, start: 0, lines: 0, rows: 0 };
        }
        let source = &self.of.sources[part.source];
        let between = Span { start: seen.start, end: span.start };
        let located = |cause: std::io::Error| Error::from(cause).in_place(source.path.display().to_string());
        seen.lines += line_feeds(&source.path, between).map_err(located)?;
        // Records that a condition leaves out are counted in errors.
        let chosen = self.of.arguments.records.condition.is_some();
        if chosen {
            seen.rows += self.rows(part, between)?;
        }
        seen.start = span.start;
        self.seen = seen;
        let header = feeds(&part.header);
        Ok(Before {
            records: if chosen { seen.rows } else { self.passed },
            lines: seen.lines - header,
            bytes: span.start - part.header.len() as u64,
            header: part.header.len() as u64,
        })
    }

    /// Returns how many records a range has.
    fn rows(&self, part: &Part, span: Span) -> Result<u64> {
        let source = &self.of.sources[part.source];
        let header = if span.start > 0 { Arc::clone(&part.header) } else { Arc::from([]) };
        let mut options = source.options_of(part);
        if span.start == 0 {
            options = source.options.clone();
        }
        let reader = SpanReader::open(&source.path, span, header, source.mark.as_ref(), Arc::clone(&self.of.stopped))?;
        let given = |name: &str| Place::Given(name.to_string());
        let job = CopyJob::new(given("rows"), source.format, given("nowhere"), Format::LINES)
            .read_options(options)
            .on_error(OnError::Skip)
            .reader(reader)
            .writer(std::io::empty());
        job.run().map(|summary| summary.records + summary.rejected)
    }

    /// Moves the error that ended a part.
    pub(super) fn shift(&mut self, part: &Part, failure: Failure) -> Failure {
        match failure {
            // An error of a place has no position in it.
            Failure::Error { error, about } if !matches!(error.kind(), ErrorKind::Io | ErrorKind::Store) => {
                match self.before(part) {
                    Ok(before) => Failure::Error { error: before.shift(error), about },
                    Err(error) => error.into(),
                }
            }
            other => other,
        }
    }
}
