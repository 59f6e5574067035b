//! [`Splice`] for the JSON sinks.

use super::{CompactSink, JsonSink};
use crate::{Drain, Output, Splice, SpliceMark};
use demat_core::{Record, Result, Sink};

/// The methods for marks, which are the same in both sinks.
macro_rules! marks {
    () => {
        fn pause(&mut self) -> SpliceMark {
            self.output.pause();
            SpliceMark { bytes: self.output.buffer.len(), ..SpliceMark::default() }
        }

        fn is_repeated(&self, from: SpliceMark, to: SpliceMark) -> bool {
            is_repeated(&self.output, from, to)
        }

        fn take_back(&mut self, mark: SpliceMark) {
            self.output.take_back(mark.bytes);
        }

        fn take_out(&mut self, from: SpliceMark, to: SpliceMark) {
            self.output.take_out(from.bytes, to.bytes);
        }

        fn resume(&mut self) {
            self.output.resume();
        }
    };
}

fn is_repeated<D>(output: &Output<D>, from: SpliceMark, to: SpliceMark) -> bool {
    output.buffer[from.bytes..to.bytes] == output.buffer[to.bytes..]
}

/// This sink writes a comma after each value, and removes it before a piece.
impl<D: Drain> Splice for CompactSink<D> {
    fn open_splice(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        let opens = format == "json" && !self.state.key && self.can_copy(bytes);
        if opens {
            self.enter_searched(bytes);
        }
        Ok(opens)
    }

    fn piece(&mut self, bytes: &[u8]) {
        self.output.buffer.extend_from_slice(bytes);
    }

    fn new_field(&mut self, record: &Record, index: usize, first: bool) -> Result<()> {
        if !first {
            self.output.buffer.push(b',');
        }
        self.field(record, index)
    }

    fn end_told(&mut self) {
        if self.ends_with_comma() {
            self.output.buffer.pop();
        }
    }

    fn close_splice(&mut self) {
        self.leave_searched();
        self.output.buffer.push(b',');
    }

    marks!();
}

impl<D: Drain> Splice for JsonSink<D> {
    fn open_splice(&mut self, format: &str, _: &[u8]) -> Result<bool> {
        if format != "json" || !self.plain || self.state.key {
            return Ok(false);
        }
        self.state.depth += 1;
        Ok(true)
    }

    fn piece(&mut self, bytes: &[u8]) {
        self.output.buffer.extend_from_slice(bytes);
    }

    fn new_field(&mut self, record: &Record, index: usize, first: bool) -> Result<()> {
        self.state.first = first;
        self.field(record, index)
    }

    fn close_splice(&mut self) {
        self.state.depth = self.state.depth.saturating_sub(1);
        self.state.first = false;
    }

    marks!();
}
