//! A sink that hands over records.

use core::fmt;
use demat_core::{Record, Result, Shape, Sink, Union, Value, ValueSink, forward};

/// A sink that hands over each record as a value: each item of the outermost list, or the value that is no list.
///
/// It holds one record.
pub struct Records<F> {
    take: F,
    state: State,
    saved: State,
    /// The record so far, if one has begun.
    record: Option<ValueSink>,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// Whether the outermost list is open.
    listed: bool,
    /// The number of open containers in the record.
    depth: usize,
}

impl<F: FnMut(Value) -> Result<()>> Records<F> {
    /// Returns a sink that calls a function with each record, once it is final.
    pub fn new(take: F) -> Self {
        Self { take, state: State::default(), saved: State::default(), record: None }
    }

    fn part(&mut self, change: isize, write: impl FnOnce(&mut ValueSink) -> Result<()>) -> Result<()> {
        write(self.record.get_or_insert_with(ValueSink::default))?;
        self.state.depth = self.state.depth.saturating_add_signed(change);
        Ok(())
    }

    fn scalar(&mut self, write: impl FnOnce(&mut ValueSink) -> Result<()>) -> Result<()> {
        self.part(0, write)
    }
}

impl<F: FnMut(Value) -> Result<()>> Sink for Records<F> {
    forward! { self by scalar; scalars entry value field rest }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        if self.state.depth == 0 && !self.state.listed {
            self.state.listed = true;
            return Ok(());
        }
        self.part(1, |record| record.begin_list(len))
    }

    fn begin_list_of(&mut self, _: &Shape, len: Option<usize>) -> Result<()> {
        self.begin_list(len)
    }

    fn item(&mut self) -> Result<()> {
        if self.state.depth == 0 { Ok(()) } else { self.part(0, Sink::item) }
    }

    fn end_list(&mut self) -> Result<()> {
        if self.state.depth == 0 {
            self.state.listed = false;
            return Ok(());
        }
        self.part(-1, Sink::end_list)
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.part(1, |record| record.begin_map(len))
    }

    fn end_map(&mut self) -> Result<()> {
        self.part(-1, Sink::end_map)
    }

    fn begin_record(&mut self, own: &Record) -> Result<()> {
        self.part(1, |record| record.begin_record(own))
    }

    fn end_record(&mut self, own: &Record) -> Result<()> {
        self.part(-1, |record| record.end_record(own))
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.part(1, |record| record.begin_variant(union, index))
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.part(-1, |record| record.end_variant(union, index))
    }

    fn commit(&mut self) -> Result<()> {
        self.saved = self.state;
        match self.record.take() {
            Some(record) if self.state.depth == 0 => (self.take)(record.whole()),
            // A large record is committed in several parts.
            Some(mut record) => {
                record.commit()?;
                self.record = Some(record);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn rollback(&mut self) -> Result<()> {
        self.state = self.saved;
        match &mut self.record {
            Some(record) if self.state.depth > 0 => record.rollback(),
            _ => {
                self.record = None;
                Ok(())
            }
        }
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

impl<F> fmt::Debug for Records<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("state", &self.state).finish_non_exhaustive()
    }
}
