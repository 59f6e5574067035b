//! [`Splice`] for messages.

use super::slot::Slot;
use super::{Drain, ProtoSink};
use crate::proto::layout::Form;
use crate::{Splice, SpliceMark};
use demat_core::{Record, Result, Sink};

impl<D: Drain> Splice for ProtoSink<D> {
    fn open_splice(&mut self, format: &str, _: &[u8]) -> Result<bool> {
        if format != "proto" || self.slot.form == Form::Any {
            return Ok(false);
        }
        self.open_record()?;
        Ok(true)
    }

    fn piece(&mut self, bytes: &[u8]) {
        self.output.buffer.extend_from_slice(bytes);
    }

    fn new_field(&mut self, record: &Record, index: usize, _: bool) -> Result<()> {
        self.field(record, index)
    }

    fn new_message(&mut self, record: &Record, index: usize) {
        let field = &record.fields()[index];
        self.slot = Slot::item(field.number(), self.layouts.field(record, index).wire.form);
    }

    fn close_splice(&mut self) {
        self.close_record();
    }

    fn pause(&mut self) -> SpliceMark {
        self.output.pause();
        SpliceMark { bytes: self.output.buffer.len(), wide: self.wide.len(), count: 0 }
    }

    /// Compares the pending length prefixes as well, by their position within each part.
    fn is_repeated(&self, from: SpliceMark, to: SpliceMark) -> bool {
        let buffer = &self.output.buffer;
        let within = |part: &[(usize, u64, u64)], begin: usize| -> Vec<_> {
            part.iter().map(|(at, len, _)| (at - begin, *len)).collect()
        };
        buffer[from.bytes..to.bytes] == buffer[to.bytes..]
            && within(&self.wide[from.wide..to.wide], from.bytes) == within(&self.wide[to.wide..], to.bytes)
    }

    fn take_back(&mut self, mark: SpliceMark) {
        self.output.take_back(mark.bytes);
        self.wide.truncate(mark.wide);
    }

    /// The removed piece has no pending length prefixes; those behind it move.
    fn take_out(&mut self, from: SpliceMark, to: SpliceMark) {
        self.output.take_out(from.bytes, to.bytes);
        for (at, ..) in self.wide.iter_mut().filter(|(at, ..)| *at >= to.bytes) {
            *at -= to.bytes - from.bytes;
        }
    }

    fn resume(&mut self) {
        self.output.resume();
    }
}
